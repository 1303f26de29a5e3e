--
-- evaluate
--
-- What sdc_evaluate keeps is what the functions say, the views show it, and every change of source or release is told from
-- what is none.
--
\pset format unaligned
\pset footer off
CREATE SCHEMA evaluate;
SET search_path = evaluate, public;
SET maintenance_work_mem = '64MB';
SELECT helper.make_people('person', 400);
SELECT count(*) FROM sdc_rankswap('person', p => 10, columns => '{age,income,weight}', omit => '{savings}', target => 'swapped', seed => 1);
SELECT count(*) FROM sdc_generalize('person', '{age,region}', sensitive => '{job}', k => 5, omit => '{savings,income,weight,born,sex}', target => 'general');
CREATE VIEW kept AS SELECT release::text, problem, evaluated_at FROM sdc_scores;
\pset tuples_only on

--
-- What is kept is what the functions say
--
-- same tells whether a part of a document has the rows of a query, and all of their columns
CREATE FUNCTION same(rows jsonb, query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	there int;
	missing int;
	more int;
BEGIN
	EXECUTE format($q$WITH f AS (SELECT DISTINCT e.key, e.value FROM (%s) AS s, LATERAL (SELECT row_to_json(s)::jsonb) AS j (row), jsonb_each(j.row) AS e),
		d AS (SELECT DISTINCT e.key, e.value FROM jsonb_array_elements($1) AS r (row), jsonb_each(r.row) AS e)
		SELECT (SELECT count(*) FROM f), (SELECT count(*) FROM (TABLE f EXCEPT TABLE d) AS m), (SELECT count(*) FROM (TABLE d EXCEPT TABLE f) AS m)$q$, query)
	INTO there, missing, more USING rows;
	RETURN format('%s values, %s missing, %s more', there, missing, more);
END
$$;
CREATE TABLE found AS SELECT * FROM sdc_evaluate('swapped');
SELECT release, evaluated_at <= now() AS before, people_found = people_found_high AS same_end, certain_percent = certain_percent_high AS same_certain, score = score_high AS same_score FROM found;
SELECT part, evaluate.same(rows, query) FROM found, LATERAL (VALUES
	('people', (SELECT jsonb_agg(p.value) FROM jsonb_each(measures -> 'people') AS p), $$SELECT * FROM sdc_people_found('swapped')$$),
	('score', jsonb_build_array(measures -> 'score'), $$SELECT * FROM sdc_score('swapped')$$),
	('query errors', measures #> '{query_errors,rows}', $$SELECT * FROM sdc_query_errors('swapped', seed => 'sdc_query_errors')$$),
	('association recall', measures #> '{association_recall,rows}', $$SELECT * FROM sdc_association_recall('swapped')$$)) AS p (part, rows, query);
SELECT f.people_found = p.percent AND f.certain_percent = 100 * p.certain / 400.0 AS people, (f.il, f.dr, f.score) = (s.il, s.dr, s.score) AS score
FROM found AS f, sdc_people_found('swapped') AS p, sdc_score('swapped') AS s WHERE p.attack = 'any';
SELECT jsonb_pretty(measures - '{people,score,query_errors,association_recall,accuracy}'::text[] #- '{judged}') FROM found;
-- rows of the table beside a publication
SELECT r ->> 'part', count(*), count(*) FILTER (WHERE r ->> 'value' IS NULL) AS withheld, bool_and(r ? 'measure') FROM found, jsonb_array_elements(measures #> '{accuracy,rows}') AS r GROUP BY 1 ORDER BY 1;
SELECT r FROM found, jsonb_array_elements(measures #> '{accuracy,rows}') WITH ORDINALITY AS e (r, n) ORDER BY n LIMIT 2;
SELECT measures -> 'query_errors' -> 'queries', (measures -> 'association_recall') - 'rows' FROM found;

-- a sample, known columns and settings; the same sample for all parts, with a seed or without
SET sdc.query_workload = 50;
SET sdc.association_min_support = 0.01;
CREATE TABLE sampled AS SELECT * FROM sdc_evaluate('swapped', known => '{region,age,income}', sample => 60, seed => 'a secret');
SELECT part, evaluate.same(rows, query) FROM sampled, LATERAL (VALUES
	('people', (SELECT jsonb_agg(p.value) FROM jsonb_each(measures -> 'people') AS p), $$SELECT * FROM sdc_people_found('swapped', '{region,age,income}', sample => 60, seed => 'a secret')$$),
	('score', jsonb_build_array(measures -> 'score'), $$SELECT * FROM sdc_score('swapped', '{region,age,income}', sample => 60, seed => 'a secret')$$),
	('query errors', measures #> '{query_errors,rows}', $$SELECT * FROM sdc_query_errors('swapped', 50, 'sdc_query_errors')$$),
	('association recall', measures #> '{association_recall,rows}', $$SELECT * FROM sdc_association_recall('swapped', 0.01)$$)) AS p (part, rows, query);
SELECT f.people_found = p.percent AS people, f.people_found_high = p.high AS high, s.people_found = p.high AS in_score, f.certain_percent = 100 * p.certain / 60.0 AS certain,
	f.certain_percent_high = s.certain_percent AS certain_high, f.score_high = (s.il + s.dr_high) / 2 AS score_high
FROM sampled AS f, sdc_people_found('swapped', '{region,age,income}', sample => 60, seed => 'a secret') AS p, sdc_score('swapped', '{region,age,income}', sample => 60, seed => 'a secret') AS s WHERE p.attack = 'any';
SELECT measures -> 'known', measures -> 'known_given', measures -> 'sample', measures -> 'query_errors' -> 'queries', (measures -> 'association_recall') - 'rows' FROM sampled;
SELECT concat(s, c) ~ 'secret' AS seed FROM sampled AS s, sdc_private.sdc_evaluation_catalog AS c WHERE c.release = 'swapped'::regclass;
SELECT measures #> '{groups,qi}', (measures #>> '{groups,k}')::bigint = k AS k FROM sampled, sdc_kanonymity('swapped', '{region,age,income}');
RESET sdc.query_workload;
RESET sdc.association_min_support;

-- what is not defined is not there, and the reason is
CREATE TABLE grouped AS SELECT * FROM sdc_evaluate('general');
SELECT il IS NULL AS no_loss, people_found = percent AS people, measures -> 'problems', measures #> '{groups,qi}', measures #> '{groups,sensitive}' FROM grouped, sdc_people_found('general') WHERE attack = 'any';
SELECT (measures #>> '{groups,k}')::int = k AS k, (measures #>> '{groups,l}')::float8 = entropy_l AS l, (measures #>> '{groups,t}')::float8 = t AS t,
	(SELECT string_agg(key, ' ' ORDER BY key) FROM jsonb_object_keys(measures -> 'judged') AS key) AS judged FROM grouped, sdc_group_privacy('general', '{age,region}', '{job}');
SELECT measure, kept, value IS NULL AS undefined FROM grouped, sdc_private.gate(measures, '{"k": 5, "l": 1e6, "t": 1, "il": 1e300, "people_found": 100, "nothing": 1}') ORDER BY measure;
-- what is judged is the end of the interval
SELECT measure, value = CASE measure WHEN 'people_found' THEN people_found_high WHEN 'certain_percent' THEN certain_percent_high WHEN 'score' THEN score_high ELSE il END AS high, kept
FROM sampled, sdc_private.gate(measures, jsonb_build_object('people_found', people_found, 'certain_percent', 100, 'score', score, 'il', il)) ORDER BY measure;

--
-- Changes
--
-- try does something in a transaction of its own that is undone, and returns what the view says then
CREATE FUNCTION try(VARIADIC statements text[]) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	statement text;
	result text;
BEGIN
	FOREACH statement IN ARRAY statements LOOP
		EXECUTE statement;
	END LOOP;
	SELECT concat(regexp_replace(k.problem, ':.*', ''), CASE WHEN k.evaluated_at IS NULL THEN ' - measured now' END, CASE WHEN sdc_private.evaluation('swapped') IS NULL THEN ' - changed' END)
		INTO result FROM evaluate.kept AS k WHERE k.release = 'swapped';
	RAISE EXCEPTION USING ERRCODE = 'TRIED', MESSAGE = coalesce(result, 'no row');
EXCEPTION WHEN SQLSTATE 'TRIED' THEN
	RETURN CASE SQLERRM WHEN '' THEN 'the same' ELSE SQLERRM END;
END
$$;
SELECT count(*) FROM sdc_evaluate('swapped');
SELECT statement, evaluate.try(statement) FROM unnest(ARRAY['SELECT', 'INSERT INTO person (id) VALUES (1000)', 'DELETE FROM person WHERE id = 1', 'UPDATE person SET savings = 1 WHERE id = 7', 'UPDATE person SET id = 5000 WHERE id = 7',
	'UPDATE person SET job = NULL WHERE id = 7', 'UPDATE swapped SET age = age + 1 WHERE id = 7', 'DELETE FROM swapped WHERE id = 7', 'TRUNCATE person', 'ALTER TABLE person ADD later int', 'ALTER TABLE swapped ADD later int',
	'ALTER TABLE person RENAME savings TO saved', 'ALTER TABLE person DROP savings', 'ALTER TABLE person ALTER savings TYPE float8', 'ALTER TABLE swapped ALTER job TYPE varchar', $$SELECT sdc_classify('person', 'job', 'sensitive')$$,
	$$SELECT sdc_unregister('swapped')$$, 'COMMENT ON TABLE swapped IS ''x''', 'ANALYZE person', 'CREATE INDEX ON person (age)', 'CLUSTER person USING person_pkey',
	'ALTER TABLE swapped SET UNLOGGED', 'ALTER TABLE person RENAME TO persons']) AS statement;
-- two records change places, some come and go, a value changes and changes back, a column is another one with the same name
SELECT evaluate.try('UPDATE person SET savings = coalesce(savings, 0) + 1 WHERE id = 7', 'UPDATE person SET savings = coalesce(savings, 0) - 1 WHERE id = 8');
SELECT evaluate.try('DELETE FROM person WHERE id = 7', 'INSERT INTO person SELECT * FROM helper.people(7) WHERE id = 7');
SELECT evaluate.try('DELETE FROM person', 'INSERT INTO person SELECT * FROM helper.people(400) ORDER BY md5(id::text)');
SELECT evaluate.try('DELETE FROM person WHERE id = 7', 'INSERT INTO person SELECT * FROM helper.people(8) WHERE id = 8 ON CONFLICT DO NOTHING');
SELECT evaluate.try('UPDATE swapped SET age = age + 1 WHERE id = 7', 'UPDATE swapped SET age = age - 1 WHERE id = 7');
SELECT evaluate.try('ALTER TABLE swapped DROP weight', 'ALTER TABLE swapped ADD weight float8 DEFAULT 5');
SELECT evaluate.try($$SELECT sdc_unregister('swapped')$$, $$SELECT sdc_register('person', 'swapped', '{age,income,weight}', '{id}')$$);
SELECT evaluate.try('INSERT INTO swapped (id) VALUES (1000)', 'INSERT INTO person (id) VALUES (1000)');
-- what only the server moves
VACUUM (FREEZE) person;
SELECT coalesce(problem, 'the same') FROM kept WHERE release = 'swapped';
VACUUM FULL person;
VACUUM FULL swapped;
SELECT coalesce(problem, 'the same') FROM kept WHERE release = 'swapped';
CREATE INDEX by_age ON swapped (age);
CLUSTER swapped USING by_age;
SELECT coalesce(problem, 'the same') FROM kept WHERE release = 'swapped';
-- (this one stays, and is mended)
UPDATE person SET savings = -1 WHERE id = 7;
SELECT problem FROM kept WHERE release = 'swapped';
UPDATE person SET savings = (SELECT savings FROM helper.people(7) WHERE id = 7) WHERE id = 7;
VACUUM person;
SELECT coalesce(problem, 'the same') FROM kept WHERE release = 'swapped';

-- values out of line, and of every kind; a table that is unlogged, one in parts, a view, one that is temporary, no key
CREATE TABLE kinds (id int PRIMARY KEY, a text, b numeric, c int[], d name, e boolean, f "char", g interval, h jsonb, i bytea, j helper.person_row, x int);
ALTER TABLE kinds ALTER a SET STORAGE EXTERNAL;
INSERT INTO kinds SELECT i, repeat(md5(i::text), 200), i, ARRAY[i, NULL], 'n' || i, i % 2 = 0, 'c', i * interval '1 day', jsonb_build_object('i', i), decode(md5(i::text), 'hex'), p, i FROM generate_series(1, 30) AS i, LATERAL (SELECT p FROM helper.people(1) AS p) AS p;
CREATE TABLE kinds_release AS TABLE kinds;
SELECT sdc_register('kinds', 'kinds_release', '{x}', '{id}');
SELECT people_found IS NOT NULL AS found FROM sdc_evaluate('kinds_release', known => '{x}');
SELECT c, (SELECT problem IS NOT NULL FROM kept WHERE release = 'kinds_release') FROM (VALUES ('none')) AS v (c);
CREATE FUNCTION change(c text, v text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	EXECUTE format('UPDATE kinds SET %I = %s WHERE id = 3', c, v);
	SELECT concat(c, ' ', problem IS NOT NULL) INTO result FROM evaluate.kept WHERE release = 'kinds_release';
	RAISE EXCEPTION USING ERRCODE = 'TRIED', MESSAGE = result;
EXCEPTION WHEN SQLSTATE 'TRIED' THEN
	RETURN SQLERRM;
END
$$;
SELECT evaluate.change(c, v) FROM (VALUES ('a', $$overlay(a placing 'z' from 6000)$$), ('b', 'b + 0.1'), ('c', '''{3,4}'''), ('d', '''m'''), ('e', 'true'), ('f', '''d'''), ('g', 'g + interval ''1 s'''), ('h', '''{"i": 4}'''), ('i', 'NULL'),
	('j', '(SELECT p FROM helper.people(2) AS p WHERE id = 2)'), ('a', 'a || '''''), ('id', 'id')) AS c (c, v);
CREATE UNLOGGED TABLE unlogged AS SELECT i AS id, i % 7 AS x FROM generate_series(1, 100) AS i;
CREATE UNLOGGED TABLE unlogged_release AS SELECT id, (x + 1) % 7 AS x FROM unlogged;
CREATE TABLE parts (id int, x int) PARTITION BY LIST (x);
CREATE TABLE parts_0 PARTITION OF parts FOR VALUES IN (0, 1, 2);
CREATE TABLE parts_1 PARTITION OF parts DEFAULT;
INSERT INTO parts SELECT * FROM unlogged;
CREATE TABLE parts_release AS TABLE unlogged_release;
CREATE VIEW seen AS SELECT id, x FROM unlogged;
CREATE TABLE seen_release AS TABLE unlogged_release;
CREATE TEMP TABLE gone AS TABLE unlogged;
CREATE TEMP TABLE gone_release AS TABLE unlogged_release;
SELECT sdc_register(s, r, '{x}', '{id}') FROM (VALUES ('unlogged'::regclass, 'unlogged_release'::regclass), ('parts', 'parts_release'), ('seen', 'seen_release'), ('gone', 'gone_release')) AS v (s, r);
CREATE TABLE no_key AS SELECT x FROM unlogged;
SELECT count(*) FROM sdc_rankswap('no_key', p => 10, target => 'no_key_release', seed => 1);
SELECT r, (SELECT people_found >= 0 FROM sdc_evaluate(r)) FROM unnest('{unlogged_release,parts_release,seen_release,gone_release,no_key_release}'::regclass[]) AS r;
SELECT release, problem, evaluated_at IS NOT NULL AS kept FROM kept WHERE release ~ 'unlogged|parts|seen|gone|no_key' ORDER BY release COLLATE "C";
SELECT (SELECT count(*) FROM sdc_private.sdc_temporary_evaluations) AS temporary, (SELECT count(*) FROM sdc_private.sdc_evaluation_catalog WHERE release::text ~ 'gone') AS among_others;
UPDATE unlogged SET x = 6 WHERE id = 1;
UPDATE parts SET x = 6 WHERE id = 1;
UPDATE gone SET x = 6 WHERE id = 1;
UPDATE no_key SET x = 6 WHERE ctid = (SELECT min(ctid) FROM no_key);
SELECT release, problem FROM kept WHERE release ~ 'unlogged|parts|seen|gone|no_key' ORDER BY release COLLATE "C";

--
-- The views
--
-- what is kept, what is small, what is large
TRUNCATE no_key, unlogged CASCADE;
DROP TABLE kinds, kinds_release, unlogged, unlogged_release, parts, parts_release, seen_release, gone, gone_release, no_key, no_key_release CASCADE;
SELECT count(*) FROM sdc_rankswap('person', p => 20, columns => '{age,income,weight}', omit => '{savings}', target => 'wide', seed => 1);
SELECT count(*) FROM sdc_evaluate('swapped', sample => 50, seed => 1);
SELECT s.release, s.people_found = round(f.people_found::numeric, 1) AS people, s.il = round(f.il::numeric, 1) AS il, s.score = round(f.score::numeric, 1) AS score, s.problem, s.evaluated_at IS NOT NULL AS kept
FROM sdc_scores AS s, LATERAL sdc_score(s.release, sample => CASE s.release WHEN 'swapped'::regclass THEN 50 END, seed => 1) AS f WHERE s.source = 'person'::regclass AND s.release <> 'general'::regclass ORDER BY 1;
SET sdc.view_records = 399;
SELECT release, people_found IS NOT NULL AS people, problem FROM sdc_scores WHERE source = 'person'::regclass ORDER BY release::text;
SELECT release, count(mean_error) > 0 AS errors, min(problem), count(evaluated_at) = count(*) AS kept FROM sdc_query_errors WHERE source = 'person'::regclass GROUP BY release ORDER BY release::text;
SELECT release, count(original) > 0 AS recalled, min(problem), count(evaluated_at) = count(*) AS kept, min(min_support), min(min_confidence) FROM sdc_association_recall WHERE source = 'person'::regclass GROUP BY release ORDER BY release::text;
SELECT release, problem, evaluated_at IS NOT NULL AS kept FROM sdc_ru_map WHERE source = 'person'::regclass ORDER BY release::text;
SET sdc.view_records = 400;
SELECT release, people_found IS NOT NULL AS people, problem FROM sdc_scores WHERE release = 'wide'::regclass;
-- by the settings of now, or those of then
SET sdc.query_workload = 7;
SET sdc.association_min_support = 0.5;
SELECT release, min(queries), max(queries) FROM sdc_query_errors WHERE source = 'person'::regclass GROUP BY release ORDER BY release::text;
SELECT release, min(min_support), max(min_confidence) FROM sdc_association_recall WHERE source = 'person'::regclass GROUP BY release ORDER BY release::text;
RESET sdc.query_workload;
RESET sdc.association_min_support;
-- what has changed is shown, and is not on the frontier
SELECT count(*) FROM sdc_evaluate('wide');
UPDATE wide SET age = age + 1 WHERE id = 1;
SELECT release, on_frontier, problem FROM sdc_ru_map WHERE source = 'person'::regclass ORDER BY release::text;
SELECT sdc_ru_map_svg('person') ~ 'wide' AS in_the_picture, sdc_ru_map_svg('person') ~ 'swapped' AS and_this;
-- the report takes from there what is about everybody
SELECT count(*) FROM sdc_evaluate('swapped');
SELECT position('<strong>' || sdc_private.report_number(percent) || ' %</strong>' IN sdc_report('swapped')) > 0 AS same FROM sdc_people_found('swapped') WHERE attack = 'any';

--
-- Publishing
--
SELECT helper.catch($$SELECT FROM sdc_publish('wide', 'p', keep => '{sex,region,born,job}', max_people_found => 100)$$);
SELECT records FROM sdc_publish('general', 'public_general', keep => '{job}', max_people_found => 100);
UPDATE person SET savings = 5 WHERE id = 9;
SELECT helper.catch($$SELECT FROM sdc_publish('swapped', 'p', keep => '{sex,region,born,job}', max_people_found => 100)$$);
SELECT records FROM sdc_publish('swapped', 'p', keep => '{sex,region,born,job}', force => true);
SELECT publication, forced FROM sdc_publications WHERE publication::text IN ('p', 'public_general') ORDER BY publication::text COLLATE "C";
SELECT count(*) FROM sdc_evaluate('swapped', sample => 5, seed => 1);
SELECT records FROM sdc_publish('swapped', 'p', keep => '{sex,region,born,job}', replace => true, max_people_found => 100);
SELECT forced FROM sdc_publications WHERE publication = 'p'::regclass;
CREATE TABLE fresh AS TABLE swapped;
SELECT sdc_register('person', 'fresh', '{age,income,weight}', '{id}');
SELECT helper.catch($$SELECT FROM sdc_publish('fresh', 'q', keep => '{sex,region,born,job}', max_people_found => 100)$$);

--
-- Arguments and rights
--
SELECT a, helper.catch(format('SELECT FROM sdc_evaluate(%s)', a)) FROM unnest(ARRAY['NULL', '0', '''person''', '''swapped'', ''{nothing}''', '''swapped'', ''{savings}''', '''swapped'', ''{id}''', '''swapped'', ''{}''', '''swapped'', ''{age,NULL}''',
	'''swapped'', sample => 0', '''swapped'', seed => ''''', '''swapped'', seed => 1.5']) AS a;
SELECT sdc_private.evaluation('person') IS NULL AS none, helper.catch('SELECT sdc_private.evaluation(NULL)'), helper.catch('SELECT sdc_private.evaluation(0)');
SELECT helper.catch('SELECT sdc_private.sdc_catalog_entered()'), helper.catch('CREATE TRIGGER t BEFORE INSERT ON fresh FOR EACH ROW EXECUTE FUNCTION sdc_private.sdc_catalog_entered()'),
	helper.catch('INSERT INTO fresh DEFAULT VALUES');
DROP TRIGGER IF EXISTS t ON fresh;
BEGIN READ ONLY;
SELECT helper.catch($$SELECT FROM sdc_evaluate('swapped')$$);
SELECT coalesce(problem, 'the same') FROM kept WHERE release = 'swapped';
COMMIT;
-- no record, and one
CREATE TABLE few AS SELECT 1 AS id, 2 AS x;
CREATE TABLE none AS SELECT * FROM few LIMIT 0;
CREATE TABLE few_release AS TABLE few;
CREATE TABLE none_release AS TABLE none;
SELECT sdc_register('few', 'few_release', '{x}', '{id}'), sdc_register('none', 'none_release', '{x}', '{id}');
SELECT release, people_found, certain_percent, measures -> 'records', measures -> 'judged', (measures -> 'problems') - '{k,l,query_errors,association_recall}'::text[] FROM unnest('{few_release,none_release}'::regclass[]) AS r, sdc_evaluate(r);
SELECT release, coalesce(problem, 'the same') FROM kept WHERE release ~ '^(few|none)' ORDER BY release;

-- a failure of the whole: the source has changed
UPDATE person SET age = age + 1 WHERE id = 1;
SELECT helper.catch($$SELECT FROM sdc_evaluate('swapped')$$);
SELECT problem FROM kept WHERE release = 'swapped';
UPDATE person SET age = age - 1 WHERE id = 1;
SELECT coalesce(problem, 'the same') FROM kept WHERE release = 'swapped';

-- only the owner of the release keeps something; who reads both sees it, and nobody else
CREATE ROLE regress_sdc_reader;
CREATE ROLE regress_sdc_stranger;
GRANT USAGE ON SCHEMA evaluate, helper TO regress_sdc_reader, regress_sdc_stranger;
GRANT SELECT ON person, swapped, kept TO regress_sdc_reader;
GRANT SELECT ON swapped, kept TO regress_sdc_stranger;
GRANT SELECT (id, age, income, weight, sex) ON person TO regress_sdc_stranger;
SET sdc.view_records = 10;
SET ROLE regress_sdc_reader;
SELECT helper.catch('SELECT sdc_private.evaluation(''swapped'')'), helper.catch('SELECT FROM sdc_private.sdc_evaluation_catalog');
-- and who is given the use of the schema gets no further
RESET ROLE;
GRANT USAGE ON SCHEMA sdc_private TO regress_sdc_reader, regress_sdc_stranger;
GRANT EXECUTE ON FUNCTION sdc_private.evaluation(regclass) TO regress_sdc_reader, regress_sdc_stranger;
SET ROLE regress_sdc_reader;
SELECT helper.catch($$SELECT FROM sdc_evaluate('swapped')$$);
SELECT release, problem, evaluated_at IS NOT NULL AS kept FROM kept WHERE release = 'swapped';
SELECT people_found IS NOT NULL AS found FROM sdc_scores WHERE release = 'swapped'::regclass;
SELECT sdc_private.evaluation('swapped') IS NOT NULL AS kept;
SELECT helper.catch('SELECT FROM sdc_private.sdc_evaluation_catalog'), helper.catch('INSERT INTO sdc_private.sdc_evaluation_catalog DEFAULT VALUES'), helper.catch('SELECT FROM sdc_private.sdc_temporary_evaluations');
SET ROLE regress_sdc_stranger;
SELECT people_found, il, problem, evaluated_at FROM sdc_scores WHERE release = 'swapped'::regclass;
SELECT sdc_private.evaluation('swapped') IS NOT NULL AS kept;
RESET ROLE;
REVOKE SELECT (id) ON person FROM regress_sdc_stranger;
SET ROLE regress_sdc_stranger;
SELECT people_found, il, problem, evaluated_at FROM sdc_scores WHERE release = 'swapped'::regclass;
RESET ROLE;
REVOKE SELECT ON swapped FROM regress_sdc_reader;
SET ROLE regress_sdc_reader;
SELECT count(*) FROM sdc_scores WHERE release = 'swapped'::regclass;
RESET ROLE;
-- whom row security shows some of the records only
GRANT SELECT ON swapped TO regress_sdc_reader;
ALTER TABLE swapped ENABLE ROW LEVEL SECURITY;
CREATE POLICY below ON swapped USING (id < 100);
SET ROLE regress_sdc_reader;
SELECT people_found, problem, evaluated_at FROM sdc_scores WHERE release = 'swapped'::regclass;
SELECT sdc_private.evaluation('swapped') IS NOT NULL AS kept;
RESET ROLE;
ALTER POLICY below ON swapped USING (true);
SET ROLE regress_sdc_reader;
SELECT people_found IS NOT NULL AS found, problem, evaluated_at IS NOT NULL AS kept FROM sdc_scores WHERE release = 'swapped'::regclass;
RESET ROLE;
RESET sdc.view_records;

-- a row that was restored is shown, and is never what the release is now; one of somebody else's is nothing
CREATE TEMP TABLE copy AS SELECT * FROM sdc_private.sdc_evaluation_catalog WHERE release = 'swapped'::regclass;
DELETE FROM sdc_private.sdc_evaluation_catalog WHERE release = 'swapped'::regclass;
INSERT INTO sdc_private.sdc_evaluation_catalog SELECT * FROM copy;
SELECT problem, evaluated_at IS NOT NULL AS kept FROM kept WHERE release = 'swapped';
SELECT sdc_private.evaluation('swapped') IS NULL AS not_now;
SELECT helper.catch($$SELECT FROM sdc_publish('swapped', 'p', keep => '{sex,region,born,job}', replace => true, max_people_found => 100)$$);
-- whatever stands in it
CREATE FUNCTION shown(document jsonb) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	UPDATE sdc_private.sdc_evaluation_catalog SET measures = document WHERE release = 'evaluate.swapped'::regclass;
	RETURN concat_ws(' ', (SELECT concat_ws(',', il, dr, people_found, problem IS NOT NULL) FROM sdc_scores WHERE release = 'evaluate.swapped'::regclass),
		(SELECT string_agg(concat_ws(',', attributes, queries, mean_error), ';') FROM sdc_query_errors WHERE release = 'evaluate.swapped'::regclass),
		(SELECT string_agg(concat_ws(',', length, original, recall_percent, min_support), ';') FROM sdc_association_recall WHERE release = 'evaluate.swapped'::regclass));
END
$$;
SELECT evaluate.shown(d) FROM unnest(ARRAY['[]', '7', '{}', '{"score": []}', '{"score": {"il": "x", "dr": 12, "people_found": null}, "query_errors": {"rows": [{"attributes": 1e300, "queries": -5}, {}]}, "association_recall": {"rows": [{"length": 1.5, "original": 1e30}], "min_support": [1]}, "problems": 3}',
	'{"query_errors": {"rows": 3}, "association_recall": {"rows": {"a": 1}}}']::jsonb[]) AS d;
DELETE FROM sdc_private.sdc_evaluation_catalog WHERE release = 'swapped'::regclass;
SELECT problem IS NULL AS measured, evaluated_at FROM kept WHERE release = 'swapped';

-- what is kept of a release that is gone is forgotten with the next evaluation
SELECT (SELECT count(*) FROM sdc_evaluate('few_release')), (SELECT count(*) FROM sdc_evaluate('none_release'));
DROP TABLE few_release;
SELECT count(*) FROM sdc_evaluate('none_release', force => true);
SELECT count(*) FROM sdc_private.sdc_evaluation_catalog AS c WHERE NOT EXISTS (SELECT FROM pg_class AS r WHERE r.oid = c.release);

DROP SCHEMA evaluate CASCADE;
REVOKE USAGE ON SCHEMA helper, sdc_private FROM regress_sdc_reader, regress_sdc_stranger;
REVOKE EXECUTE ON FUNCTION sdc_private.evaluation(regclass) FROM regress_sdc_reader, regress_sdc_stranger;
DROP ROLE regress_sdc_reader, regress_sdc_stranger;
