--
-- binswap_forms
--
-- Swapping in bins by all forms of its functions, on all kinds of relations: the same seed gives
-- the same release, whatever the order, the plan and the memory; scores and views know it.
--
\pset format unaligned
\pset footer off
SET client_min_messages = warning;
\set VERBOSITY terse
CREATE SCHEMA binned_forms;
SET search_path = binned_forms, binned, public;
SELECT helper.make_people('binned_forms.person', 200);

-- pass runs a call of either method, given by its name.
CREATE FUNCTION pass(method text, arguments text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	EXECUTE format('SELECT string_agg(action || CASE WHEN bins IS NULL THEN '''' ELSE format('' (%%s, %%s)'', bins, single_bins) END, '', '') FROM sdc_%s_swap(%s)', method, arguments) INTO result;
	RETURN result;
END
$$;
-- same tells whether releases have the same rows in the same order.
CREATE FUNCTION same(VARIADIC names text[]) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
	RETURN (SELECT count(DISTINCT helper.fingerprint(n::regclass)) = 1 FROM unnest(names) AS n);
END
$$;
SET client_min_messages = error;
CREATE TABLE how (method text, size text, swapped text);
INSERT INTO how VALUES ('equidepth', 'depth => 6', '{income,weight}'), ('equidepth', 'depth => 4', '{savings}'), ('equiwidth', 'intervals => 4', '{savings,born,age}'), ('equiwidth', 'widths => ''{12,5000}''', '{weight,income}');

-- text, regclass, row type; a table in another schema; a seed is the same as text and as a number
SELECT method, size, pass(method, format('''person'', %s, columns => %L, target => ''by_text'', seed => 1', size, swapped)),
	pass(method, format('''person''::regclass, %s, columns => %L, target => ''by_class'', seed => ''1''', size, swapped)),
	pass(method, format('''person'', %s, columns => %L, target => ''public.by_schema'', seed => 1::bigint', size, swapped)),
	same('by_text', 'by_class', 'public.by_schema'),
	helper.count_of(format('SELECT count(*) FROM (SELECT * FROM sdc_%s_swap(NULL::person, %s, columns => %L, seed => 1) EXCEPT TABLE by_text) AS d', method, size, swapped)) AS rows_differ,
	pass(method, format('''person'', %s, columns => %L, target => ''other_seed'', seed => 2', size, swapped)), same('by_text', 'other_seed') AS other,
	helper.catch('DROP TABLE by_text, by_class, public.by_schema, other_seed') FROM how;
SELECT count(*), count(DISTINCT id) FROM sdc_equidepth_swap(NULL::person, 5, 'swap', '{income,age}', '{id}', '{sex}', '{}', NULL, 1);
SELECT count(*), count(weight), count(savings) FROM sdc_equiwidth_swap(NULL::person, 3, NULL, 'copy', '{income,age}', omit => '{weight,savings}', seed => 1);
-- without a seed every release is another one
SELECT pass('equidepth', '''person'', depth => 10, target => ''free_1'''), pass('equidepth', '''person'', depth => 10, target => ''free_2'''), pass('equiwidth', '''person'', target => ''free_3'', intervals => 2'), pass('equiwidth', '''person'', target => ''free_4'', intervals => 2');
SELECT same('free_1', 'free_2') AS depth, same('free_3', 'free_4') AS width, check_joint('free_1', '{age,income,weight,savings}'), check_joint('free_3', '{age,income,weight,savings}'),
	(SELECT count(*) FROM sdc_releases WHERE release::text LIKE 'free_%' AND NOT seeded) AS unseeded;
-- another seed for another table, method and set
SELECT count(*) < 30 AS few_same FROM sdc_equidepth_swap(NULL::person, 20, columns => '{income,weight}', seed => 1) AS a JOIN sdc_equidepth_swap(NULL::person, 20, columns => '{weight}', seed => 1) AS b USING (id) WHERE a.weight = b.weight;

-- The order of columns, the physical order, the plan and the memory make no difference.  (With 1 MB the
-- long numbers go through files.)
CREATE TABLE shuffled (LIKE person, PRIMARY KEY (id));
INSERT INTO shuffled SELECT * FROM person ORDER BY md5(id::text);
UPDATE shuffled SET region = region WHERE id % 3 = 0;
CREATE TABLE parted (LIKE person, PRIMARY KEY (id)) PARTITION BY HASH (id);
CREATE TABLE parted_0 PARTITION OF parted FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE parted_1 PARTITION OF parted FOR VALUES WITH (MODULUS 2, REMAINDER 1);
INSERT INTO parted SELECT * FROM person;
CREATE VIEW seen AS SELECT * FROM shuffled;
CREATE TABLE whole AS SELECT helper.below(i, 51, 100000) AS id, helper.uniform(i, 52) AS a, round((1000 * helper.uniform(i, 53))::numeric, 2) + ('1e-500')::numeric * i AS b, repeat(md5(i::text), 8) AS c, date '2000-01-01' + helper.below(i, 54, 500) AS d
FROM generate_series(1, 4000) AS i;
DELETE FROM whole AS w WHERE EXISTS (SELECT FROM whole AS o WHERE o.id = w.id AND o.ctid < w.ctid);
SELECT count(pass('equi' || m, format('%L, 10, columns => %L, complement => ''swap'', key => ''{id}'', target => %L, seed => 3', r, c, m || '_' || t))) AS made FROM unnest('{depth,width}'::text[]) AS m,
	(VALUES ('person', '{income,weight,savings}', 'first'), ('shuffled', '{income,weight,savings}', 'shuffled'), ('parted', '{income,weight,savings}', 'parted'), ('seen', '{income,weight,savings}', 'view'), ('person', '{savings,weight,income}', 'columns')) AS v (r, c, t);
SELECT same('depth_first', 'depth_shuffled', 'depth_parted', 'depth_view', 'depth_columns') AS depth, same('width_first', 'width_shuffled', 'width_parted', 'width_view', 'width_columns') AS width;
SELECT r.release, check_joint(r.release, '{income,weight,savings}') FROM sdc_releases AS r JOIN pg_class AS c ON c.oid = r.release WHERE relnamespace = 'binned_forms'::regnamespace AND relname ~ '^(depth|width)_' ORDER BY relname COLLATE "C";
SET maintenance_work_mem = '1MB';
SET enable_indexscan = off;
SET enable_bitmapscan = off;
SELECT pass('equidepth', '''whole'', key => ''{id}'', depth => 5, columns => ''{a,b}'', complement => ''swap'', target => ''depth_small'', seed => 4'), pass('equiwidth', '''whole'', intervals => 10, key => ''{id}'', columns => ''{d,a}'', complement => ''swap'', target => ''width_small'', seed => 4');
RESET enable_indexscan;
RESET enable_bitmapscan;
CREATE INDEX ON whole (id, a);
SET enable_seqscan = off;
SET maintenance_work_mem = '64MB';
SELECT pass('equidepth', '''whole'', key => ''{id}'', depth => 5, columns => ''{a,b}'', complement => ''swap'', target => ''depth_large'', seed => 4'), pass('equiwidth', '''whole'', intervals => 10, key => ''{id}'', columns => ''{d,a}'', complement => ''swap'', target => ''width_large'', seed => 4');
RESET enable_seqscan;
RESET maintenance_work_mem;
SELECT same('depth_small', 'depth_large') AS depth, same('width_small', 'width_large') AS width, check_joint('depth_small', '{a,b}'), check_joint('width_small', '{d,a}'), check_grid('width_small', '{d,a}');

-- Without a key records have their physical order; a view needs a key.
CREATE TABLE keyless AS SELECT income, weight, id AS number FROM person ORDER BY id DESC;
SELECT method, pass(method, '''keyless'', 10, columns => ''{income,weight}'', seed => 5'), check_joint(('keyless_' || method || '_swap')::regclass, '{income,weight}') FROM (VALUES ('equidepth'), ('equiwidth')) AS m (method);
SELECT helper.catch($$SELECT FROM sdc_equidepth_swap('seen', depth => 10, columns => '{income}')$$), helper.catch($$SELECT FROM sdc_equiwidth_swap(NULL::seen, intervals => 10, columns => '{income}')$$);

-- No record, one, constants, duplicates only.
CREATE TABLE nothing (id int PRIMARY KEY, a int, b float8);
CREATE TABLE one_record AS SELECT 1 AS id, 2 AS a, 3.0::float8 AS b;
CREATE TABLE constants AS SELECT i AS id, 7 AS a, 'Infinity'::float8 AS b, NULL::int AS c, 0.1::float8 AS d FROM generate_series(1, 25) AS i;
CREATE TABLE duplicates AS SELECT i AS id, i % 2 AS a, 1.5 * (i % 2) AS b, i % 2 + 0.1 AS c FROM generate_series(1, 25) AS i;
SET client_min_messages = warning;
SELECT * FROM sdc_equiwidth_swap('nothing', intervals => 10, seed => 6);
SELECT * FROM sdc_equiwidth_swap('nothing', intervals => 10, columns => '{a}', widths => '{1}', complement => 'swap', target => 'nothing_2', seed => 6);
SELECT helper.catch($$SELECT FROM sdc_equidepth_swap('nothing', depth => 10, seed => 6)$$), (SELECT count(*) FROM sdc_equiwidth_swap(NULL::nothing, intervals => 10)) AS rows;
SELECT * FROM sdc_equiwidth_swap('one_record', intervals => 10, key => '{id}', seed => 6);
SELECT helper.catch($$SELECT FROM sdc_equidepth_swap('one_record', depth => 2, seed => 6)$$);
SELECT attribute, changed, bins, single_bins FROM sdc_equidepth_swap('constants', key => '{id}', columns => '{a,d}', depth => 4, seed => 6) WHERE action = 'protected';
SELECT attribute, changed, bins, single_bins FROM sdc_equiwidth_swap('constants', intervals => 10, key => '{id}', seed => 6) WHERE action = 'protected';
SELECT attribute, changed > 0 AS changes, bins, single_bins FROM sdc_equidepth_swap('duplicates', key => '{id}', depth => 5, seed => 6) WHERE action = 'protected';
SELECT attribute, changed > 0 AS changes, bins, single_bins FROM sdc_equiwidth_swap('duplicates', intervals => 10, key => '{id}', seed => 6) WHERE action = 'protected';
SELECT attribute, changed > 0 AS changes, bins, single_bins FROM sdc_equiwidth_swap('duplicates', key => '{id}', widths => '{1.01,1.51,2}', columns => '{a,b,c}', target => 'duplicates_2', seed => 6) WHERE action = 'protected';
SELECT check_joint('constants_equidepth_swap', '{a,d}'), check_joint('constants_equiwidth_swap', '{a,b,c,d}'), check_joint('duplicates_equidepth_swap', '{a,b,c}'), check_joint('duplicates_equiwidth_swap', '{a,b,c}'), check_joint('duplicates_2', '{a,b,c}'), check_joint('nothing_equiwidth_swap', '{a,b}'), check_joint('one_record_equiwidth_swap', '{a,b}');
SELECT check_grid('constants_equiwidth_swap', '{a,b,c,d}', 1, 0), check_grid('duplicates_equiwidth_swap', '{a,b,c}', 2, 0), check_grid('duplicates_2', '{a,b,c}', 1, 0), check_grid('nothing_equiwidth_swap', '{a,b}'), check_grid('one_record_equiwidth_swap', '{a,b}', 1, 1);

-- replace, omit, identifiers, generated columns, domains.
CREATE DOMAIN share AS float8 CHECK (VALUE BETWEEN 0 AND 1);
CREATE TABLE mixed (id int PRIMARY KEY, name text, a int, b share, c int GENERATED ALWAYS AS (a * 2) STORED, d real, "e;""" numeric);
INSERT INTO mixed (id, name, a, b, d, "e;""") SELECT i, 'name' || i, helper.below(i, 61, 30), helper.uniform(i, 62), i / 3.0, i * 1.25 FROM generate_series(1, 60) AS i;
SELECT sdc_classify('mixed', 'name', 'identifier'), sdc_classify('mixed', 'd', 'public');
SET client_min_messages = notice;
SELECT attribute, action, bins, single_bins FROM sdc_equidepth_swap('mixed', depth => 5, seed => 7);
SET client_min_messages = warning;
SELECT attribute, action, bins, single_bins FROM sdc_equiwidth_swap('mixed', intervals => 2, columns => '{b,"e;\""}', complement => 'swap', omit => '{a}', seed => 7);
SELECT parameters, columns FROM sdc_releases WHERE release = 'mixed_equiwidth_swap'::regclass;
SELECT attribute, action FROM sdc_equiwidth_swap('mixed', widths => '{30,0.4}', columns => '{"e;\"",b}', target => 'mixed_width', seed => 7) WHERE action = 'protected';
SELECT parameters FROM sdc_releases WHERE release = 'mixed_width'::regclass;
SELECT check_joint('mixed_equidepth_swap', '{a,b,"e;\""}'), check_grid('mixed_width', '{b,"e;\""}'), check_grid('mixed_equiwidth_swap', '{b,"e;\""}');
SELECT helper.catch($$SELECT FROM sdc_equidepth_swap('mixed', depth => 9)$$);
SELECT attribute, action, bins FROM sdc_equidepth_swap('mixed', depth => 9, columns => '{d,a}', replace => true, seed => 7);
SELECT helper.check_release('mixed_equidepth_swap'), (SELECT parameters FROM sdc_releases WHERE release = 'mixed_equidepth_swap'::regclass);

-- Row security: bins are those of the rows that are seen.
CREATE ROLE regress_sdc_binned;
GRANT USAGE, CREATE ON SCHEMA binned_forms TO regress_sdc_binned;
GRANT USAGE ON SCHEMA binned, helper TO regress_sdc_binned;
GRANT SELECT ON person TO regress_sdc_binned;
CREATE POLICY women ON person FOR SELECT TO regress_sdc_binned USING (sex = 'f');
ALTER TABLE person ENABLE ROW LEVEL SECURITY;
SET ROLE regress_sdc_binned;
SELECT attribute, records, bins FROM sdc_equidepth_swap('person', depth => 10, columns => '{income,weight}', target => 'women', seed => 8) WHERE action = 'protected';
SELECT check_joint('women', '{income,weight}'), (SELECT count(*) / 10 FROM person) AS bins, (SELECT count(*) FROM sdc_equiwidth_swap(NULL::person, 2, seed => 8)) AS rows;
CREATE TABLE women_only AS SELECT * FROM person;
SELECT helper.fingerprint('women') = (SELECT md5(string_agg(r::text, E'\n')) FROM sdc_equidepth_swap(NULL::women_only, depth => 10, columns => '{income,weight}', key => '{id}', seed => 8) AS r) AS same;
SELECT helper.catch($$SELECT FROM sdc_equiwidth_swap('mixed', intervals => 10)$$), helper.catch($$SELECT FROM sdc_swap_candidates('mixed', '{a}')$$), helper.catch($$SELECT FROM sdc_correlation_bias('mixed_width')$$);
RESET ROLE;
ALTER TABLE person DISABLE ROW LEVEL SECURITY;

-- The scores of all measures, and the views.
SELECT release, score BETWEEN 0 AND 100 AND score > 0 AS scored, dr > 0 AS risky, il > 0 AS lossy FROM unnest('{depth_first,width_first}'::regclass[]) AS release, LATERAL sdc_score(release, seed => 9) AS s;
SELECT count(*), count(*) FILTER (WHERE score > 0) AS scored FROM sdc_scores WHERE release IN ('depth_first'::regclass, 'width_first'::regclass);
SELECT release::text, count(*), bool_and(mean_error > 0) AS errors FROM sdc_query_errors('depth_first', queries => 20, seed => 9), (SELECT 'depth_first' AS release) AS n GROUP BY release;
SET sdc.query_workload = 20;
SELECT release, count(*) FROM sdc_query_errors WHERE release IN ('depth_first'::regclass, 'width_first'::regclass) GROUP BY release ORDER BY release::text COLLATE "C";
RESET sdc.query_workload;

DROP OWNED BY regress_sdc_binned;
DROP ROLE regress_sdc_binned;
