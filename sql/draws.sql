--
-- draws
--
-- Draws from the same records are counted by source, whatever the name, method, parameters and seed of a release; only a
-- draw that everything decides as before is not another one.  Who publishes is told of readers who have another draw.
--
\pset format unaligned
\pset footer off
CREATE SCHEMA draws;
SET search_path = draws, public;
SET client_min_messages = warning;
SET sdc.accuracy_records = 0;
CREATE ROLE regress_sdc_drawn;
CREATE ROLE regress_sdc_member;
GRANT regress_sdc_drawn TO regress_sdc_member;

-- people makes a source of its own for every method, so that the counts are those of that method.
CREATE FUNCTION people(name text) RETURNS regclass LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('CREATE TABLE %I AS SELECT i AS id, i * 7919 %% 1009 AS a, i * 104729 %% 997 AS b, i %% 4 AS g, i %% 23 AS s FROM generate_series(1, 200) AS i', name);
	EXECUTE format('ALTER TABLE %I ADD PRIMARY KEY (id)', name);
	RETURN name;
END $$;
-- draw makes a release called name_r of a source, and returns which draw it is.
CREATE FUNCTION draw(data text, method text, arguments text, suffix text DEFAULT '_r') RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	EXECUTE format('SELECT count(*) FROM sdc_%s(%L, %s, target => %L, replace => true)', method, data, arguments, data || suffix) INTO result;
	RETURN (SELECT c.draws FROM sdc_private.sdc_release_catalog AS c WHERE c.release = (data || suffix)::regclass);
END $$;

\set VERBOSITY terse
-- The first, again, and with each parameter that decides the draw: one draw more each, and one warning.
SELECT people('m' || i) FROM generate_series(1, 9) AS i;
SELECT draw('m1', 'rankswap', c) FROM unnest(ARRAY[$$p => 10, columns => '{a}', keep => '{}', seed => 's'$$, $$p => 10, columns => '{a}', keep => '{}', seed => 's'$$, $$p => 12, columns => '{a}', keep => '{}', seed => 's'$$,
	$$p => 12, columns => '{a}', keep => '{}', strata => '{g}', seed => 's'$$, $$p => 12, columns => '{a}', keep => '{}', strata => '{g}', seed => 't'$$, $$p => 12, columns => '{b}', keep => '{}', strata => '{g}', seed => 't'$$,
	$$p => 12, columns => '{b}', keep => '{}', strata => '{g}', seed => 't'$$, $$p => 12, columns => '{a,b}', keep => '{}', strata => '{g}', seed => 't'$$]) AS c;
SELECT draw('m2', 'rankswap_distribution', format($$p => %s, columns => '{a}', keep => '{}', seed => 's'$$, p)) FROM unnest('{10,10,11}'::int[]) AS p;
SELECT draw('m3', 'rankswap_buckets', format($$buckets => %s, columns => '{a}', keep => '{}', seed => 's'$$, p)) FROM unnest('{10,10,11}'::int[]) AS p;
SELECT draw('m4', 'equidepth_swap', format($$depth => %s, columns => '{a}', keep => '{}', seed => 's'$$, p)) FROM unnest('{10,10,11}'::int[]) AS p;
SELECT draw('m5', 'equiwidth_swap', format($$intervals => %s, columns => '{a}', keep => '{}', seed => 's'$$, p)) FROM unnest('{10,10,11}'::int[]) AS p;
SELECT draw('m6', 'randomize', format($$qi => '{g,s}', keep => '{}', seed => 's', %s$$, p)) FROM unnest(ARRAY['draws => 1', 'draws => 1', 'draws => 2', $$probabilities => '{0.5,0.5}'$$, $$probabilities => '{0.5,0.5}'$$, $$probabilities => '{0.4,0.6}'$$, 'probabilities => NULL', 'probabilities => NULL']) AS p;
-- without a seed ranges follow from the records, and another k makes others
SELECT draw('m7', 'generalize', format($$qi => '{a}', keep => '{}', %s$$, p)) FROM unnest(ARRAY['k => 10', 'k => 10', 'k => 7', $$l => 2, sensitive => '{s}'$$]) AS p;
SELECT draw('m8', 'permute', format($$qi => '{g}', sensitive => '{s}', keep => '{}', seed => 's', %s$$, p)) FROM unnest('{l => 3,l => 3,l => 4,"l => 4, grouping_method => ''mondrian''"}'::text[]) AS p;
SELECT draw('m9', 'protect', format($$steps => '[{"method": "rankswap", "columns": ["a"], "p": %s}, {"method": "randomize", "qi": ["g", "s"], "draws": %s}]', keep => '{}', seed => 's'$$, p, d)) FROM (VALUES (10, 1), (10, 1), (11, 1), (11, 2)) AS v (p, d);
-- quasi-identifiers are not protected, and decide the groups
UPDATE m8 SET g = 3 - g WHERE id < 50;
SELECT draw('m8', 'permute', $$qi => '{g}', sensitive => '{s}', keep => '{}', seed => 's', l => 4, grouping_method => 'mondrian'$$);

-- By source: another name, another method, and a draw that was made before under another name.
SELECT people('n');
SELECT draw('n', 'rankswap', $$p => 10, columns => '{a}', keep => '{}', seed => 's'$$, '_1');
SELECT draw('n', 'equidepth_swap', $$depth => 10, columns => '{a}', keep => '{}', seed => 's'$$, '_2');
SELECT draw('n', 'rankswap', $$p => 10, columns => '{a}', keep => '{}', seed => 's'$$, '_3');
SELECT draw('n', 'rankswap', $$p => 10, columns => '{a}', keep => '{}', seed => 't'$$, '_3');
SELECT draw('n', 'rankswap', $$p => 10, columns => '{a}', keep => '{}', seed => 's'$$, '_2');
SELECT count(DISTINCT draw) FROM sdc_private.sdc_release_catalog WHERE source = 'n'::regclass;
-- continued it is the draw that it was
SELECT count(*) FROM sdc_rankswap('n', p => 20, columns => '{a}', keep => '{}', target => 'n_nights', seed => 's', continued => true);
CREATE TABLE kept AS SELECT draw, draws FROM sdc_private.sdc_release_catalog WHERE release = 'n_nights'::regclass;
INSERT INTO n SELECT i, i, i, 1, 1 FROM generate_series(1001, 1030) AS i;
SELECT count(*) FROM sdc_rankswap('n', p => 20, columns => '{a}', keep => '{}', target => 'n_nights', seed => 's', continued => true);
SELECT records, k.draw = c.draw AS draw, c.draws FROM sdc_private.sdc_release_catalog AS c, kept AS k WHERE release = 'n_nights'::regclass;
-- of other people nothing is said
DELETE FROM n;
INSERT INTO n SELECT 5000 + i, i, i, 1, 1 FROM generate_series(1, 200) AS i;
SELECT draw('n', 'rankswap', $$p => 10, columns => '{a}', keep => '{}', seed => 's'$$, '_3') > '1' AS counted;
-- a source that has changed, and the seed of before
UPDATE n SET a = a + 1 WHERE id = 5001;
SELECT draw('n', 'rankswap', $$p => 10, columns => '{a}', keep => '{}', seed => 's'$$, '_3') > '1' AS counted;

-- Published.  Two draws, and a third that is the first one again.
SELECT people('p');
SELECT draw('p', 'rankswap', format($$p => 30, columns => '{a,b}', keep => '{g}', seed => %s$$, seed), '_' || name) FROM (VALUES (1, 1), (2, 2), (3, 1)) AS v (name, seed);
SELECT records FROM sdc_publish('p_1', 'p_1_public', keep => '{g}', grant_to => '{regress_sdc_drawn}', force => true);
SELECT records FROM sdc_publish('p_3', 'p_3_public', keep => '{g}', grant_to => '{regress_sdc_drawn}', force => true);
-- nobody but the owner reads it
SELECT records FROM sdc_publish('p_2', 'p_2_public', keep => '{g}', force => true);
\set VERBOSITY default
SELECT records FROM sdc_publish('p_2', 'p_2_member', keep => '{g}', grant_to => '{regress_sdc_member}', force => true);
\set VERBOSITY terse
SELECT warnings FROM sdc_runs WHERE target = 'draws.p_2_member';
SELECT records FROM sdc_publish('p_2', 'p_2_everybody', keep => '{g}', grant_to => '{public}', force => true);
-- the release itself can be read, or some of its columns
GRANT SELECT (a) ON p_1 TO public;
REVOKE ALL ON p_1_public, p_3_public FROM regress_sdc_drawn;
SELECT records FROM sdc_publish('p_2', 'p_2_member', keep => '{g}', replace => true, force => true);
REVOKE ALL (a) ON p_1 FROM public;
-- who reads the source learns nothing
GRANT SELECT ON p TO regress_sdc_member;
GRANT SELECT ON p_1 TO regress_sdc_member;
SELECT records FROM sdc_publish('p_2', 'p_2_member', keep => '{g}', replace => true, force => true);
REVOKE ALL ON p, p_1 FROM regress_sdc_member;
-- new contents of the same publication
SELECT records FROM sdc_publish('p_1', 'p_2_member', keep => '{g}', replace => true, force => true);
SELECT records FROM sdc_publish('p_3', 'p_2_member', keep => '{g}', replace => true, force => true);
-- drawn anew, the publication has the draw of before; dropped as well
SELECT draw('p', 'rankswap', $$p => 31, columns => '{a,b}', keep => '{g}', seed => 1$$, '_1');
SELECT records FROM sdc_publish('p_1', 'p_1_again', keep => '{g}', grant_to => '{regress_sdc_drawn}', force => true);
DROP TABLE p_1, p_3;
SELECT draw('p', 'equidepth_swap', $$depth => 10, columns => '{a,b}', keep => '{g}', seed => 1$$, '_4');
SELECT records FROM sdc_publish('p_4', 'p_4_public', keep => '{g}', grant_to => '{regress_sdc_drawn}', force => true);
-- of another source nothing, and of other people
SELECT draw('m1', 'rankswap', $$p => 30, columns => '{a,b}', keep => '{g}', seed => 1$$, '_p');
SELECT records FROM sdc_publish('m1_p', 'm1_public', keep => '{g}', grant_to => '{regress_sdc_drawn}', force => true);
DELETE FROM m1;
INSERT INTO m1 SELECT 5000 + i, i, i, i % 4, 1 FROM generate_series(1, 200) AS i;
SELECT draw('m1', 'rankswap', $$p => 30, columns => '{a,b}', keep => '{g}', seed => 2$$, '_q');
SELECT records FROM sdc_publish('m1_q', 'm1_others', keep => '{g}', grant_to => '{regress_sdc_drawn}', force => true);

-- a release that cannot be read any more is taken for one of the same people
ALTER TABLE m1_q RENAME id TO number;
SELECT draw('m1', 'rankswap', $$p => 30, columns => '{a,b}', keep => '{g}', seed => 3$$, '_s');
SELECT records FROM sdc_publish('m1_s', 'm1_more', keep => '{g}', grant_to => '{regress_sdc_drawn}', force => true);

-- Of mostly the same records is what has more than half of the records of the smaller one: 120 of 300 people are all in the draw
-- of before.  In the place of that, 140 of 300.
CREATE FUNCTION many(name text) RETURNS regclass LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('CREATE TABLE %I AS SELECT i AS id, i * 7919 %% 1009 AS a, i * 104729 %% 997 AS b FROM generate_series(1, 300) AS i', name);
	EXECUTE format('ALTER TABLE %I ADD PRIMARY KEY (id)', name);
	RETURN name;
END $$;
SELECT many(n) FROM unnest('{part,part_rank,part_bins,part_half,part_other}'::text[]) AS n;
SELECT draw('part', 'rankswap', $$p => 10, columns => '{a,b}', seed => 1$$, '_1');
SELECT records FROM sdc_publish('part_1', 'part_1_public', grant_to => '{regress_sdc_drawn}', force => true);
DELETE FROM part WHERE id <= 180;
SELECT draw('part', 'rankswap', $$p => 10, columns => '{a,b}', seed => 2$$, '_2');
SELECT records FROM sdc_publish('part_2', 'part_2_public', grant_to => '{regress_sdc_drawn}', force => true);
SELECT draw('part_rank', 'rankswap', $$p => 10, columns => '{a,b}', seed => 1$$), draw('part_bins', 'generalize', $$qi => '{a}', k => 5$$);
DELETE FROM part_rank WHERE id <= 160;
DELETE FROM part_bins WHERE id <= 160;
SELECT draw('part_rank', 'rankswap', $$p => 10, columns => '{a,b}', seed => 2$$), draw('part_bins', 'generalize', $$qi => '{a}', k => 5$$);
-- the other way round it is the same: 300, of whom 120 were in the draw of before
SELECT many('grown');
DELETE FROM grown WHERE id <= 180;
SELECT draw('grown', 'rankswap', $$p => 10, columns => '{a,b}', seed => 1$$);
INSERT INTO grown SELECT i, i * 7919 % 1009, i * 104729 % 997 FROM generate_series(1, 180) AS i;
SELECT draw('grown', 'rankswap', $$p => 10, columns => '{a,b}', seed => 2$$);
-- 150 of 300 in both is not more than half, 151 is
SELECT draw(n, 'rankswap', $$p => 10, columns => '{a,b}', seed => 1$$) FROM unnest('{part_half,part_other}'::text[]) AS n;
UPDATE part_half SET id = id + 1000 WHERE id <= 150;
UPDATE part_other SET id = id + 1000 WHERE id <= 149;
SELECT draw(n, 'rankswap', $$p => 10, columns => '{a,b}', seed => 2$$) AS counted FROM unnest('{part_half,part_other}'::text[]) AS n;

-- How much of the error is left: 100, 66, 45, 33, 26 and 22 percent of 1, 2, 5, 10, 20 and 30 draws are measured, and between
-- two of them it is 66 - 21 ln(3 / 2) / ln(5 / 2) = 56.7 of 3 draws, 66 - 21 ln(4 / 2) / ln(5 / 2) = 50.1 of 4, 45 - 12 ln(8 / 5) / ln(2) = 36.9 of 8
SELECT people('left_over');
\set VERBOSITY default
SELECT n, draw('left_over', 'rankswap', format($$p => 10, columns => '{a}', keep => '{}', omit => '{b}', seed => %s$$, n)) FROM generate_series(1, 8) AS n;
\set VERBOSITY terse

-- The call of the warning measures draws by columns that all of them have within windows, and works.
SELECT people('w');
SELECT draw('w', v.m, v.a, '_' || v.n) FROM (VALUES (1, 'rankswap', $$p => 20, columns => '{a,b}', seed => 1$$), (2, 'rankswap_buckets', $$buckets => 5, columns => '{b}', seed => 1$$),
	(3, 'generalize', $$qi => '{a,b}', k => 5$$), (4, 'randomize', $$qi => '{a,b}', draws => 1, seed => 1$$), (5, 'rankswap', $$p => 10, columns => '{s}', seed => 1$$), (6, 'rankswap', $$p => 20, columns => '{a,b}', seed => 2$$)) AS v (n, m, a);
SELECT p.records FROM (VALUES (1, '{g,s}'), (2, '{a,g,s}'), (3, '{g,s}'), (4, '{g,s}'), (5, '{a,b,g}'), (6, '{g,s}')) AS v (n, kept),
	LATERAL sdc_publish(('w_' || n)::regclass, 'w_public_' || n, keep => kept::name[], grant_to => '{regress_sdc_drawn}', force => true) AS p;
SELECT target, substring(w FROM '(SELECT .*) measures') AS call FROM sdc_runs, unnest(warnings) AS w WHERE target LIKE 'draws.w\_public%' AND w LIKE '%other draws%' ORDER BY run;
CREATE FUNCTION rows_of(call text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	result bigint;
BEGIN
	EXECUTE format('SELECT count(*) FROM (%s) AS c', call) INTO result;
	RETURN result;
END $$;
SELECT target, rows_of(substring(w FROM '(SELECT .*) measures')) > 0 AS works FROM sdc_runs, unnest(warnings) AS w WHERE target LIKE 'draws.w\_public%' AND w LIKE '%measures what%' ORDER BY run;

-- What is named in another order is the same draw, and has the same values
SELECT people(n) FROM unnest('{o1,o2,o3,o4,o5,o6,o7}'::text[]) AS n;
-- contents are those of a release, by its columns
CREATE FUNCTION contents(release regclass) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	EXECUTE format('SELECT md5(string_agg(concat_ws('','', id, a, b, g, s), '';'' ORDER BY id)) FROM %s', release) INTO result;
	RETURN result;
END $$;
CREATE TABLE orders (number int, data text, method text, arguments text);
INSERT INTO orders VALUES (1, 'o1', 'rankswap', $$p => 10, columns => '{a,b}'$$), (2, 'o1', 'rankswap', $$p => 10, columns => '{b,a}'$$),
	(3, 'o1', 'protect', $$steps => '[{"method": "rankswap", "columns": ["b"], "p": 10}, {"method": "rankswap", "columns": ["a"], "p": 10}]'$$),
	(4, 'o2', 'rankswap_distribution', $$p => 10, columns => '{a,b}'$$), (5, 'o2', 'rankswap_distribution', $$p => 10, columns => '{b,a}'$$),
	(6, 'o3', 'equidepth_swap', $$depth => 10, columns => '{a,b}'$$), (7, 'o3', 'equidepth_swap', $$depth => 10, columns => '{b,a}'$$),
	(8, 'o4', 'equiwidth_swap', $$widths => '{300,400}', columns => '{a,b}'$$), (9, 'o4', 'equiwidth_swap', $$widths => '{400,300}', columns => '{b,a}'$$),
	(10, 'o5', 'randomize', $$qi => '{g,s}', draws => 1$$), (11, 'o5', 'randomize', $$qi => '{s,g}', draws => 1$$),
	(12, 'o6', 'randomize', $$qi => '{g,s}', probabilities => '{0.3,0.7}'$$), (13, 'o6', 'randomize', $$qi => '{s,g}', probabilities => '{0.7,0.3}'$$),
	(14, 'o7', 'protect', $$steps => '[{"method": "randomize", "qi": ["g", "s"], "draws": 1}, {"method": "equidepth_swap", "columns": ["a", "b"], "depth": 10}]'$$),
	(15, 'o7', 'protect', $$steps => '[{"method": "equidepth_swap", "columns": ["b", "a"], "depth": 10}, {"method": "randomize", "qi": ["s", "g"], "draws": 1}]'$$);
SELECT o.number, o.data, draw(o.data, o.method, o.arguments || $$, seed => 's'$$, '_' || o.number) FROM (SELECT * FROM orders ORDER BY number) AS o;
SELECT data, count(DISTINCT contents((data || '_' || number)::regclass)) AS contents, count(DISTINCT draw) AS draws FROM orders JOIN sdc_private.sdc_release_catalog AS c ON c.release = (data || '_' || number)::regclass GROUP BY data ORDER BY data;
-- probabilities that stay where they are go with other columns
SELECT draw('o6', 'randomize', $$qi => '{s,g}', probabilities => '{0.3,0.7}', seed => 's'$$, '_16');

DROP SCHEMA draws CASCADE;
DROP ROLE regress_sdc_drawn, regress_sdc_member;
