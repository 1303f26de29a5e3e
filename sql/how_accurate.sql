--
-- how_accurate
--
-- Between which numbers a count of the source is, for somebody who may read the publication and nothing else.
--
\pset format unaligned
\pset footer off
SET max_parallel_workers_per_gather = 0;
CREATE SCHEMA accurate;
SET search_path = accurate, public;
SET sdc.accuracy_records = 0;

-- y follows x, z has few values and missing ones, c is copied
CREATE TABLE person AS
SELECT i AS id, x, (x + 30 * b)::int AS y, CASE WHEN i % 11 > 0 THEN (x / 20 + c)::int END AS z, CASE WHEN x + 40 * c > 60 THEN 'a' ELSE 'b' END AS c, i % 2 AS d
FROM (SELECT i, (i * 7919 % 200) / 2.0::float8 AS x, (i * 104729 % 1009) / 1009.0::float8 AS b, (i * 1299709 % 503) / 503.0::float8 AS c FROM generate_series(1::bigint, 2000) AS i) AS r;
ALTER TABLE person ADD PRIMARY KEY (id);
CREATE ROLE regress_sdc_owner;
CREATE ROLE regress_sdc_reader;
GRANT USAGE ON SCHEMA accurate, helper TO regress_sdc_owner, regress_sdc_reader;
GRANT CREATE ON SCHEMA accurate TO regress_sdc_owner;
ALTER TABLE person OWNER TO regress_sdc_owner;
SET ROLE regress_sdc_owner;
SELECT count(*) FROM sdc_rankswap('person', p => 15, columns => '{x,y,z}', keep => '{c,d}', target => 'swapped', seed => 1);
SELECT records FROM sdc_publish('swapped', 'shown', keep => '{c,d}', grant_to => '{regress_sdc_reader}', force => true);
RESET ROLE;

--
-- The comments: on every column of both tables, without anything that the accuracy table does not say
--
SELECT attname, col_description(attrelid, attnum) FROM pg_attribute WHERE attrelid IN ('shown'::regclass, 'shown_accuracy'::regclass) AND attnum > 0 ORDER BY attrelid, attnum;
SELECT obj_description('shown'::regclass), obj_description('shown_accuracy'::regclass);
-- what the owner has written stays, what we have written says what is true of the new contents
COMMENT ON COLUMN shown.c IS 'ours';
SET ROLE regress_sdc_owner;
SELECT count(*) FROM sdc_randomize('person', '{x,d}', draws => 1, keep => '{y,z,c}', target => 'drawn', seed => 1);
SELECT records FROM sdc_publish('drawn', 'shown', keep => '{y,z,c}', replace => true, force => true);
RESET ROLE;
SELECT string_agg(attname || ' ' || split_part(col_description(attrelid, attnum), ' ', 1), ', ' ORDER BY attnum) FROM pg_attribute WHERE attrelid = 'shown'::regclass AND attnum > 0;
SET ROLE regress_sdc_owner;
SELECT records FROM sdc_publish('swapped', 'shown', keep => '{c,d}', replace => true, force => true);
SELECT records FROM sdc_publish('drawn', 'drawn_shown', keep => '{y,z,c}', grant_to => '{regress_sdc_reader}', force => true);
SELECT count(*) FROM sdc_rankswap('person', p => 15, columns => '{x,y}', strata => '{d}', keep => '{c}', omit => '{z}', target => 'strata', seed => 1);
SELECT records FROM sdc_publish('strata', 'strata_shown', keep => '{c,d}', grant_to => '{regress_sdc_reader}', force => true);
SELECT count(*) FROM sdc_generalize('person', '{x,y}', k => 5, keep => '{c,d}', omit => '{z}', target => 'coarse');
SELECT records FROM sdc_publish('coarse', 'coarse_shown', keep => '{c,d}', grant_to => '{regress_sdc_reader}', force => true);

--
-- Somebody who has the two tables only, and no setting
--
SET ROLE regress_sdc_reader;
SELECT publication, release, accuracy FROM sdc_publications WHERE publication = 'shown'::regclass;
SELECT attribute, measure, value FROM shown_accuracy WHERE part = 'method';
RESET ROLE;

-- What is asked, and what kind of answer there is.
CREATE TABLE question (id serial, publication text, condition text, by name[]);
INSERT INTO question (publication, condition, by) VALUES
	('shown', 'c = ''a'' AND d = 0', NULL), ('shown', 'c = ''a'' OR d = 1', '{d}'), ('shown', 'x > 50', NULL), ('shown', 'z IS NULL', NULL), ('shown', NULL, NULL),
	('shown', 'x > 50 AND y < 60', NULL), ('shown', 'x BETWEEN 30 AND 45 AND y > 55', NULL), ('shown', 'z IS NULL AND x > 70', NULL), ('shown', 'x < 60', '{c}'),
	('shown', 'x > 50 AND c = ''a''', '{d}'), ('shown', 'x > 20 AND y < 60 AND z < 3', NULL), ('shown', 'x < 5 AND y > 90', NULL), ('shown', 'false', NULL),
	('drawn_shown', 'x > 50 AND y < 60', NULL), ('drawn_shown', 'd = 1 AND c = ''a''', NULL), ('drawn_shown', 'c = ''a''', '{d}'), ('drawn_shown', 'y < 60', NULL),
	('strata_shown', 'x > 50 AND y < 60', NULL), ('coarse_shown', 'c = ''a''', '{d}'), ('coarse_shown', 'upper(x) > 3', NULL);
GRANT SELECT ON question TO regress_sdc_reader;
CREATE TABLE answer (id int, cell jsonb, released float8, estimate float8, low float8, high float8, kind text, why text);
GRANT INSERT ON answer TO regress_sdc_reader;
SET ROLE regress_sdc_reader;
INSERT INTO answer SELECT q.id, a.* FROM question AS q CROSS JOIN LATERAL sdc_how_accurate(q.publication::regclass, q.condition, q.by) AS a;
RESET ROLE;

-- Counted by plain SQL: what was released, and what is true.
CREATE FUNCTION counted(relation text, condition text, cell jsonb) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	result bigint;
BEGIN
	EXECUTE format('SELECT count(*) FROM %I AS t WHERE (%s) AND ($1 = ''{}'' OR to_jsonb(t.d::text) = $1 -> ''d'' OR to_jsonb(t.c) = $1 -> ''c'')', relation, COALESCE(condition, 'true')) INTO result USING cell;
	RETURN result;
END $$;
SELECT id, condition, cell, kind, released = counted(publication, condition, cell) AS released,
	CASE WHEN publication <> 'coarse_shown' THEN CASE kind WHEN 'exact' THEN low = high AND estimate = low AND low = counted('person', condition, cell)
		ELSE counted('person', condition, cell) BETWEEN low AND high END END AS holds, estimate IS NOT NULL AS estimated, high - low < 2000 AS tells
FROM question JOIN answer USING (id) ORDER BY id, cell;

-- The bounds of the windows, by their definition: for every released record the values within the window decide.  No interval goes beyond them.
CREATE FUNCTION bounds(condition_x text, condition_y text, OUT sure bigint, OUT possible bigint) LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format($q$
		WITH x AS (SELECT x AS v, count(*) FILTER (WHERE %1$s) AS yes, count(*) AS n FROM shown GROUP BY x),
		px AS (SELECT v, yes, n, sum(n) OVER (ORDER BY v) AS upto FROM x),
		y AS (SELECT y AS v, count(*) FILTER (WHERE %2$s) AS yes, count(*) AS n FROM shown GROUP BY y),
		py AS (SELECT v, yes, n, sum(n) OVER (ORDER BY v) AS upto FROM y),
		bx AS (SELECT a.v, bool_and(b.yes > 0) AS sure, bool_or(b.yes > 0) AS possible FROM px AS a JOIN px AS b ON b.upto - b.n < a.upto + 300 AND b.upto > a.upto - a.n - 300 GROUP BY a.v),
		byy AS (SELECT a.v, bool_and(b.yes > 0) AS sure, bool_or(b.yes > 0) AS possible FROM py AS a JOIN py AS b ON b.upto - b.n < a.upto + 300 AND b.upto > a.upto - a.n - 300 GROUP BY a.v)
		SELECT count(*) FILTER (WHERE bx.sure AND byy.sure), count(*) FILTER (WHERE bx.possible AND byy.possible)
		FROM shown AS s JOIN bx ON bx.v = s.x JOIN byy ON byy.v = s.y$q$, condition_x, condition_y) INTO sure, possible;
END $$;
SELECT condition_x, condition_y, low >= sure AND high <= possible AS within, sure <= true_count AND true_count <= possible AS sound, low <= true_count AND true_count <= high AS holds
FROM (VALUES ('x > 50', 'y < 60'), ('x > 90', 'y > 100'), ('x < 50', 'y < 80'), ('x < 5', 'y > 70')) AS v (condition_x, condition_y)
CROSS JOIN LATERAL bounds(condition_x, condition_y)
CROSS JOIN LATERAL (SELECT counted('person', condition_x || ' AND ' || condition_y, '{}') AS true_count) AS t
CROSS JOIN LATERAL sdc_how_accurate('shown', condition_x || ' AND ' || condition_y);

-- more confidence, a longer interval; nothing depends on the order of the condition
SELECT a.low >= b.low AND a.high <= b.high AND a.high - a.low < b.high - b.low AS longer
FROM sdc_how_accurate('shown', 'x > 50 AND y < 60', confidence => 0.5) AS a, sdc_how_accurate('shown', 'y < 60 AND (x > 50)', confidence => 0.99) AS b;
-- as sdc_estimate, with nothing below 0
SELECT h.estimate = e.estimate AND h.low = greatest(floor(e.low), 0) AND h.high = ceil(e.high) AS same
FROM sdc_how_accurate('drawn_shown', 'd = 1 AND c = ''a''') AS h, sdc_estimate('drawn_shown', conditions => '{d = 1,"c = ''a''"}') AS e;
SELECT kind, h.estimate = e.estimate AS same FROM sdc_how_accurate('drawn_shown', 'd = 1', statistic => 'sum', measure => 'y') AS h, sdc_estimate('drawn_shown', conditions => '{d = 1}', measure => 'y') AS e;

--
-- Other methods: low and high are what the definition has in plain SQL, and the count of the source is between them
--
CREATE FUNCTION told(publication regclass, condition text, truth text DEFAULT NULL, OUT kind text, OUT holds boolean, OUT low float8, OUT high float8, OUT why text) LANGUAGE plpgsql AS $$
DECLARE
	counted bigint;
BEGIN
	EXECUTE 'SELECT count(*) FROM person WHERE ' || COALESCE($3, condition) INTO counted;
	SELECT a.kind, counted BETWEEN a.low AND a.high, a.low, a.high, a.why INTO told.kind, holds, told.low, told.high, told.why FROM sdc_how_accurate($1, $2) AS a;
END $$;
CREATE FUNCTION show_release(release text, keep name[]) RETURNS bigint LANGUAGE sql AS $$ SELECT records FROM sdc_publish($1::regclass, $1 || '_shown', keep => $2, force => true) $$;
-- suppressed: a missing value can have been anything
SELECT count(*) FROM sdc_suppress('person', '{z,d}', k => 100, keep => '{c,x}', omit => '{y}', target => 'gaps');
SELECT show_release('gaps', '{c,x}');
SELECT kind, holds, low = (SELECT count(*) FROM gaps WHERE z > 2 AND x < 90) AS low, high = (SELECT count(*) FROM gaps WHERE (z > 2 OR z IS NULL) AND x < 90) AS high FROM told('gaps_shown', 'z > 2 AND x < 90');
SELECT kind, holds, low, high = (SELECT count(*) FROM gaps WHERE z IS NULL) AS high FROM told('gaps_shown', 'z IS NULL');
-- generalized: a range is in another one, or meets it; a missing one contains everything
SELECT kind, holds, low = (SELECT count(*) FROM coarse WHERE x <@ '[20,60)') AS low, high = (SELECT count(*) FROM coarse WHERE x && '[20,60)' OR x IS NULL) AS high
FROM told('coarse_shown', 'x <@ ''[20,60)''', 'x >= 20 AND x < 60');
SELECT kind, holds, low = (SELECT count(*) FROM coarse WHERE y <@ '[20,60]'::int4range AND c = 'a') AS low, high = (SELECT count(*) FROM coarse WHERE (y && '[20,60]'::int4range OR y IS NULL) AND c = 'a') AS high
FROM told('coarse_shown', 'y && ''[20,60]'' AND c = ''a''', 'y BETWEEN 20 AND 60 AND c = ''a''');
SELECT released = (SELECT count(*) FROM coarse WHERE y && '[20,60]'::int4range) AS released FROM sdc_how_accurate('coarse_shown', 'y && ''[20,60]''');
SELECT kind, why FROM told('coarse_shown', 'upper(x) > 3', 'x > 3');
SELECT count(DISTINCT (a.released, a.low, a.high)) AS answers, min(a.kind) AS kind FROM unnest(ARRAY['y && ''[20,60]''', '''[20,60]''::int4range && y', '''[20,60]''::int4range OPERATOR(pg_catalog.&&) (y)']) AS c, sdc_how_accurate('coarse_shown', c) AS a;
-- however a condition is put
SELECT count(DISTINCT (a.released, a.low, a.high)) AS answers, min(a.kind) AS kind FROM unnest(ARRAY['y < 61', 'y <= 60', '61 > y', 'y < 60.5', 'y < 60.5::float8', '60.5::float4 >= y', 'NOT y > 60', 'y < 61::int8']) AS c, sdc_how_accurate('shown', c || ' AND x > 50') AS a;
-- recoded: the classes that lie in a range, and those of which a part does; a label is that of its class
SELECT count(*) FROM sdc_recode('person', '{"y": {"width": 10, "origin": 0}, "c": {"prefix": 1}}', keep => '{d,x}', omit => '{z}', target => 'classes');
SELECT show_release('classes', '{d,x}');
SELECT kind, holds FROM told('classes_shown', 'y <@ ''[20,60)''', 'y >= 20 AND y < 60');
SELECT kind, holds, low = (SELECT count(*) FROM classes WHERE y <@ '[25,60)'::int4range) AS low, high = (SELECT count(*) FROM classes WHERE y && '[25,60)'::int4range) AS high FROM told('classes_shown', 'y <@ ''[25,60)''', 'y >= 25 AND y < 60');
SELECT kind, holds FROM told('classes_shown', 'y = ''[30,40)'' AND c = ''a''', 'y >= 30 AND y < 40 AND c = ''a''');
SELECT kind, why FROM told('classes_shown', 'c > ''a''');
-- microaggregated alone: an original is not beyond the means beside its own
SELECT count(*) FROM sdc_microaggregate('person', 9, columns => '{x}', keep => '{c,d}', omit => '{y,z}', target => 'means');
SELECT show_release('means', '{c,d}');
WITH v AS (SELECT x, lag(x) OVER w AS before, lead(x) OVER w AS behind, n FROM (SELECT x, count(*) AS n FROM means GROUP BY x) AS m WINDOW w AS (ORDER BY x))
SELECT kind, holds, low = (SELECT sum(n) FROM v WHERE before > 40.2 AND x > 40.2) AS low, high = (SELECT sum(n) FROM v WHERE behind > 40.2 OR x > 40.2) AS high FROM told('means_shown', 'x > 40.2');
SELECT kind, holds, why FROM told('means_shown', 'x = 41');
-- swapped in bins: margins are kept, and nothing else is known; so it is where strata are not published
SELECT count(*) FROM sdc_equidepth_swap('person', 5, columns => '{x,y}', keep => '{c,d}', omit => '{z}', target => 'bins', seed => 1);
SELECT show_release('bins', '{c,d}');
SELECT count(*) FROM sdc_rankswap('person', p => 15, columns => '{x,y}', strata => '{d}', keep => '{c}', omit => '{z,d}', target => 'hidden', seed => 1);
SELECT show_release('hidden', '{c}');
SELECT attribute, measure FROM hidden_shown_accuracy WHERE part = 'method' AND measure = 'stratum';
WITH m AS (SELECT count(*) FILTER (WHERE x > 20) AS x, count(*) FILTER (WHERE y < 90) AS y, count(*) AS n FROM person)
SELECT publication, one.kind, one.holds, two.kind, two.holds, two.low = m.x + m.y - n AS low, two.high = least(m.x, m.y) AS high
FROM m, unnest('{bins_shown,hidden_shown}'::regclass[]) AS publication, told(publication, 'x > 50') AS one, told(publication, 'x > 20 AND y < 90') AS two;
-- drawn by matrices: the inverse of the matrix.  Of rows (8, 2) and (1, 9) of tenths an a counts 9/7 and a b -1/7, of (7, 3) and (3, 7) a 0 7/4 and a 1 -3/4
SELECT count(*) FROM sdc_pram('person', matrices => '{"c": {"values": ["a", "b"], "p": [[0.8, 0.2], [0.1, 0.9]]}, "d": {"values": [0, 1], "p": [[0.7, 0.3], [0.3, 0.7]]}}', keep => '{x,y}', omit => '{z}', target => 'pram', seed => 1);
SELECT show_release('pram', '{x,y}');
WITH g AS (SELECT sum(v) AS t, sqrt(sum(v * v - v)) AS se FROM (SELECT CASE c WHEN 'a' THEN 9 / 7.0 ELSE -1 / 7.0 END * CASE d WHEN 0 THEN 7 / 4.0 ELSE -3 / 4.0 END AS v FROM pram WHERE x > 30) AS r)
SELECT kind, holds, low = floor(t - 1.959964 * se) AS low, high = ceil(t + 1.959964 * se) AS high FROM g, told('pram_shown', 'c = ''a'' AND d = 0 AND x > 30');
-- a value that the matrix alone has, which nothing becomes and which becomes nothing else: nobody has it, and so small a count is not told
SELECT count(*) FROM sdc_pram('person', matrices => '{"c": {"values": ["a", "b", "never"], "p": [[0.8, 0.2, 0], [0.1, 0.9, 0], [0, 0, 1]]}}', keep => '{d,x,y}', omit => '{z}', target => 'wider', seed => 1);
SELECT show_release('wider', '{d,x,y}');
SELECT n.kind, n.low, n.high, a.estimate + b.estimate = o.estimate AND o.estimate = 2000 AS others FROM sdc_how_accurate('wider_shown', 'c = ''never''') AS n, sdc_how_accurate('wider_shown', 'c = ''a''') AS a, sdc_how_accurate('wider_shown', 'c = ''b''') AS b, sdc_how_accurate('wider_shown', 'c <> ''never''') AS o;
SELECT h.estimate = round(p.estimate) AS same FROM sdc_how_accurate('pram_shown', 'c = ''a''') AS h, sdc_pram_counts('pram_shown', '{c}') AS p WHERE p.cell = '{"c": "a"}';
-- noise: what is likely of ranges; of one value nothing is known
SELECT count(*) FROM sdc_noise('person', 0.2, columns => '{x,y}', keep => '{c,d}', omit => '{z}', target => 'noisy', seed => 1);
SELECT show_release('noisy', '{c,d}');
SELECT condition, t.kind, t.holds, t.high - t.low < 300 AS tells FROM (VALUES ('x > 50'), ('x > 50 AND y < 60'), ('x BETWEEN 20 AND 60 AND c = ''a'''), ('x = 7')) AS q (condition), told('noisy_shown', condition) AS t;
-- units: as many units of each class of sizes; rows where units have several values.  At p = 1 a class has 100 units: those of three visits, of two, and of one
CREATE TABLE visit AS SELECT (row_number() OVER ())::int AS id, p, p * 7907 % 83 AS born, (p * 13 + v * 29) % 17 AS days FROM generate_series(1, 400) AS p, generate_series(1, 1 + p % 3) AS v;
ALTER TABLE visit ADD PRIMARY KEY (id);
SELECT count(*) FROM sdc_protect('visit', '[{"method": "rankswap", "columns": ["born"], "p": 1}, {"method": "rankswap", "columns": ["days"], "p": 1}]', unit => '{p}', target => 'visits', seed => 1);
SELECT show_release('visits', '{}');
SELECT attribute, measure, value FROM visits_shown_accuracy WHERE part = 'method';
SELECT a.kind, a.low = (SELECT count(*) FROM visit WHERE days > 10) AS days, b.kind, b.low = (SELECT count(*) FROM visit WHERE born < 30) AS born
FROM sdc_how_accurate('visits_shown', 'days > 10') AS a, sdc_how_accurate('visits_shown', 'born < 30') AS b;
-- in one class there can be as many units of one visit, or of three
UPDATE visits_shown_accuracy SET value = 300 WHERE measure = 'unit_class';
WITH u AS (SELECT sdc_unit, count(*) AS n, bool_and(born < 30) AS holds FROM visits_shown GROUP BY 1),
o AS (SELECT n, row_number() OVER (ORDER BY n) AS up, row_number() OVER (ORDER BY n DESC) AS down FROM u)
SELECT kind, low = (SELECT sum(n) FROM o WHERE up <= (SELECT count(*) FROM u WHERE holds)) AS low, high = (SELECT sum(n) FROM o WHERE down <= (SELECT count(*) FROM u WHERE holds)) AS high FROM sdc_how_accurate('visits_shown', 'born < 30');
-- without their numbers nobody knows
SELECT records FROM sdc_publish('visits', 'apart', keep_units => false, force => true);
SELECT kind, why FROM sdc_how_accurate('apart', 'born < 30');

--
-- What is refused
--
SET ROLE regress_sdc_reader;
SELECT helper.catch($$SELECT * FROM sdc_how_accurate('accurate.shown', 'x > y')$$);
SELECT helper.catch($$SELECT * FROM sdc_how_accurate('accurate.shown', 'x > 5 OR c = ''a''')$$);
SELECT helper.catch($$SELECT * FROM sdc_how_accurate('accurate.shown', 'd = 1', '{x}')$$);
SELECT helper.catch($$SELECT * FROM sdc_how_accurate('accurate.shown', 'd = 1', statistic => 'sum', measure => 'x')$$);
SELECT helper.catch($$SELECT * FROM sdc_how_accurate('accurate.shown', 'd = 1', measure => 'x')$$);
SELECT helper.catch($$SELECT * FROM sdc_how_accurate('accurate.shown', 'd = 1', confidence => 1)$$);
SELECT helper.catch($$SELECT * FROM sdc_how_accurate('accurate.shown', 'd = (SELECT 1)')$$);
SELECT helper.catch($$SELECT * FROM sdc_how_accurate('accurate.shown_accuracy', 'true')$$);
SELECT helper.catch($$SELECT * FROM sdc_how_accurate('accurate.swapped', 'true')$$);
RESET ROLE;
-- rights on some columns: the others are not read, with nobody's rights
REVOKE SELECT ON shown FROM regress_sdc_reader;
GRANT SELECT (x, c) ON shown TO regress_sdc_reader;
SET ROLE regress_sdc_reader;
SELECT kind FROM sdc_how_accurate('shown', 'x > 50 AND c = ''a''');
SELECT helper.catch($$SELECT * FROM sdc_how_accurate('accurate.shown', 'x > 50 AND d = 1')$$);
SELECT helper.catch($$SELECT * FROM sdc_how_accurate('accurate.shown', 'x > 50', '{d}')$$);
RESET ROLE;

SET client_min_messages = error;
-- what was recoded before it was swapped is not asked for by ranges that it has no values for
CREATE TABLE coded AS SELECT i AS id, (10000 + i * 37 % 150)::text AS zip, i * 7919 % 97 AS age FROM generate_series(1, 300) AS i;
ALTER TABLE coded ADD PRIMARY KEY (id);
SELECT FROM sdc_protect('coded', '[{"method": "recode", "recodes": {"zip": {"prefix": 4}}}, {"method": "rankswap", "columns": ["age", "zip"], "p": 20}]', 'accurate.coded_release');
SELECT FROM sdc_publish('coded_release', 'accurate.coded_public', force => true, max_people_found => 100);
SELECT kind, why FROM sdc_how_accurate('coded_public', 'zip = ''1000*''');
-- Of a column whose originals nobody tells, the distance of the distribution is a bound: the released number at the end of a class, moved by the distance
-- and its rounding.
RESET sdc.accuracy_records;
CREATE TABLE many AS SELECT i AS id, hashint4(i) / 1e6 AS x, CASE WHEN i % 17 > 0 THEN hashint4(i + 7) / 1e6 END AS y, i % 2 AS d FROM generate_series(1, 12000) AS i;
ALTER TABLE many ADD PRIMARY KEY (id);
SELECT count(*) FROM sdc_microaggregate('many', k => 5, columns => '{x,y}', keep => '{d}', target => 'averages');
SELECT records FROM sdc_publish('averages', 'averages_shown', keep => '{d}', force => true);
CREATE TABLE distance AS
SELECT 12000 * (sum(value) FILTER (WHERE measure = 'ks') + 1.5 * sum(value) FILTER (WHERE measure = 'ks_rounding')) AS move FROM averages_shown_accuracy WHERE attribute = 'x';
CREATE TABLE released AS SELECT DISTINCT rank() OVER (ORDER BY x) - 1 AS records FROM averages_shown UNION SELECT 12000;
CREATE TABLE bounded AS
SELECT q.*, a.released, a.low, a.high, a.kind, a.why, (SELECT count(*) FROM many WHERE CASE side WHEN 'x <' THEN x < v WHEN 'x >=' THEN x >= v WHEN 'y >' THEN y > v ELSE x > v AND x <= v + 700 END) AS counted
FROM (SELECT side, v, CASE side WHEN 'between' THEN format('x > %s AND x <= %s', v, v + 700) ELSE format('%s %s', side, v) END AS condition
	FROM unnest('{x <,x >=,y >,between}'::text[]) AS side, generate_series(-2100, 2100, 150) AS v) AS q CROSS JOIN LATERAL sdc_how_accurate('averages_shown', q.condition) AS a;
SELECT side, count(*), bool_and(counted BETWEEN low AND high) AS holds, bool_and(released BETWEEN low AND high) AS around, max(high - low) < 2500 AS narrow, string_agg(DISTINCT kind, ' ') AS kind
FROM bounded GROUP BY side ORDER BY side COLLATE "C";
SELECT bool_and(EXISTS (SELECT FROM released AS r WHERE low = greatest(ceil(r.records - move), 0))) AS low, bool_and(EXISTS (SELECT FROM released AS r WHERE high = least(floor(r.records + move), 12000))) AS high,
	least(count(DISTINCT low), count(DISTINCT high)) > 10 AS several
FROM bounded, distance WHERE side = 'x <';
SELECT sdc_withdraw('coded_public', 'over');
DROP SCHEMA accurate CASCADE;
REVOKE USAGE ON SCHEMA helper FROM regress_sdc_owner, regress_sdc_reader;
DROP ROLE regress_sdc_owner, regress_sdc_reader;
