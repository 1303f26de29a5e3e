--
-- EVALUATE_AGAIN
--
-- sdc_evaluate returns what is kept where it would be the same again, and nothing else: after every change it is what a measurement
-- by force finds. sdc_summary and sdc_report, too, say the same by what is kept and without it.
--
CREATE SCHEMA again;
SET search_path = again, public;
SET sdc.query_workload = 20;
SELECT helper.make_people('person', 80);
SELECT count(*) FROM sdc_rankswap('person', p => 10, columns => '{age,income,weight}', omit => '{savings}', target => 'swapped', seed => 1);
CREATE ROLE regress_sdc_again;
\pset format unaligned
\pset tuples_only on

-- said evaluates a release, and says whether that was kept, or the error.
CREATE FUNCTION said(call text, OUT how text, OUT measures jsonb) LANGUAGE plpgsql AS $$
DECLARE
	e record;
BEGIN
	EXECUTE format('SELECT * FROM public.sdc_evaluate(%s)', call) INTO STRICT e;
	how := CASE WHEN e.evaluated_at < now() THEN 'kept' ELSE 'measured' END;
	measures := to_jsonb(e) - 'evaluated_at';
EXCEPTION WHEN OTHERS THEN
	how := SQLSTATE || ' ' || SQLERRM;
END
$$;
-- after does some things that are undone, and tells what an evaluation says then; one by force that says something else is an error.
CREATE FUNCTION after(call text, VARIADIC statements text[]) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	statement text;
	one record;
	other record;
BEGIN
	FOREACH statement IN ARRAY statements LOOP
		EXECUTE statement;
	END LOOP;
	SELECT * INTO one FROM again.said(call);
	SELECT * INTO other FROM again.said(call || ', force => true');
	RAISE EXCEPTION USING ERRCODE = 'TRIED', MESSAGE = CASE WHEN one.measures IS DISTINCT FROM other.measures THEN 'STALE: ' ELSE '' END || one.how;
EXCEPTION WHEN SQLSTATE 'TRIED' THEN
	RETURN SQLERRM;
END
$$;

-- the second time it is what is kept, with the time of the first; by force it is measured
SELECT how FROM said($$'swapped'$$);
CREATE TABLE first AS SELECT * FROM sdc_evaluate('swapped');
SELECT f = e AS same, e.evaluated_at < now() AS before FROM first AS f, sdc_evaluate('swapped') AS e;
SELECT how FROM said($$'swapped', force => true$$);
SELECT to_jsonb(f) - 'evaluated_at' = to_jsonb(e) - 'evaluated_at' AS same, e.evaluated_at > f.evaluated_at AS later FROM first AS f, sdc_evaluate('swapped') AS e;
SELECT helper.catch($$SELECT sdc_evaluate('swapped', force => NULL)$$);
-- what changes nothing
SELECT statement, after($$'swapped'$$, statement) FROM unnest(ARRAY['SELECT', 'ANALYZE person', 'CREATE INDEX ON person (age)', 'COMMENT ON TABLE swapped IS ''x''', 'ALTER TABLE person RENAME TO persons', 'ALTER TABLE swapped SET UNLOGGED',
	'UPDATE person SET savings = savings', 'SET LOCAL extra_float_digits = -5', 'SET LOCAL datestyle = German', 'SET LOCAL timezone = ''Asia/Kolkata''', 'SET LOCAL maintenance_work_mem = ''65MB''']) AS statement;
-- what does
SELECT statement, after($$'swapped'$$, statement) FROM unnest(ARRAY['UPDATE swapped SET age = age + 1 WHERE id = 7', 'UPDATE person SET age = age + 1 WHERE id = 7', 'UPDATE person SET savings = 1 WHERE id = 7', 'UPDATE swapped SET age = (SELECT age FROM person AS p WHERE p.id = swapped.id)',
	'UPDATE swapped SET age = NULL', 'TRUNCATE swapped', 'TRUNCATE person', 'DELETE FROM person WHERE id = 7', 'DELETE FROM swapped WHERE id = 7', 'ALTER TABLE person ALTER savings TYPE float8', 'ALTER TABLE swapped ALTER age TYPE float8',
	'ALTER TABLE person ADD later int', 'ALTER TABLE person DROP savings', 'ALTER TABLE swapped DROP weight', $$SELECT sdc_classify('person', 'job', 'public')$$, $$SELECT sdc_classify('person', 'job', 'sensitive')$$,
	$$SELECT sdc_unregister('swapped')$$, $$SELECT sdc_unregister('swapped'), sdc_register('person', 'swapped', '{age,income,weight}', '{id}')$$,
	'SET LOCAL sdc.query_workload = 21', 'SET LOCAL sdc.association_min_support = 0.01', 'SET LOCAL sdc.association_min_confidence = 0.5']) AS statement;
SELECT after($$'swapped'$$, 'CREATE TABLE held AS TABLE swapped', 'TRUNCATE swapped', 'INSERT INTO swapped SELECT * FROM held') AS same_again,
	after($$'swapped'$$, 'CREATE TABLE held AS TABLE swapped', 'TRUNCATE swapped', 'INSERT INTO swapped SELECT * FROM held WHERE id <> 3') AS one_less,
	after($$'swapped'$$, 'UPDATE person SET income = income + 1 WHERE id = 7', 'UPDATE person SET income = income - 1 WHERE id = 7') AS there_and_back;
-- and it is kept still, after all that was undone; a change that was rolled back, and one that was not
SELECT how FROM said($$'swapped'$$);
BEGIN;
UPDATE swapped SET age = 1;
SELECT how, (measures ->> 'people_found')::float8 = (SELECT percent FROM sdc_people_found('swapped') WHERE attack = 'any') AS now FROM said($$'swapped'$$);
SAVEPOINT a;
UPDATE person SET savings = 1;
SELECT (measures ->> 'people_found')::float8 = (SELECT percent FROM sdc_people_found('swapped') WHERE attack = 'any') AS now FROM said($$'swapped'$$);
ROLLBACK TO a;
SELECT (measures ->> 'people_found')::float8 = (SELECT percent FROM sdc_people_found('swapped') WHERE attack = 'any') AS now FROM said($$'swapped'$$);
ROLLBACK;
SELECT how, s.measures = to_jsonb(f) - 'evaluated_at' AS first FROM said($$'swapped'$$) AS s, first AS f;
UPDATE swapped SET age = age + 1 WHERE id = 7;
SELECT how FROM said($$'swapped'$$);
SELECT how FROM said($$'swapped'$$);
UPDATE swapped SET age = age - 1 WHERE id = 7;
SELECT how, s.measures = to_jsonb(f) - 'evaluated_at' AS first FROM said($$'swapped'$$) AS s, first AS f;

-- other arguments are another evaluation, in another order too; a seed is kept nowhere, so that one is always measured
SELECT arguments, after(arguments, 'SELECT') FROM unnest(ARRAY[$$'swapped', '{age,income}'$$, $$'swapped', '{}'$$, $$'swapped', seed => 'x'$$, $$'swapped', sample => 30, seed => 'x'$$]) AS arguments;
SELECT how FROM said($$'swapped', '{income,age}'$$);
SELECT arguments, how FROM unnest(ARRAY[$$'swapped', '{income,age}'$$, $$'swapped', '{age,income}'$$, $$'swapped', '{age}'$$, $$'swapped'$$]) AS arguments, said(arguments);
SELECT how FROM said($$'swapped', sample => 30$$);
SELECT arguments, how FROM unnest(ARRAY[$$'swapped', sample => 30$$, $$'swapped', sample => 31$$, $$'swapped'$$]) AS arguments, said(arguments);
SELECT how, measures #> '{measures,arguments}' FROM said($$'swapped', sample => 30, seed => 'x'$$);
SELECT arguments, how FROM unnest(ARRAY[$$'swapped', sample => 30, seed => 'x'$$, $$'swapped', sample => 30$$]) AS arguments, said(arguments);

-- what is missing for want of temporary files is looked for again
SELECT how FROM said($$'swapped', force => true$$);
UPDATE sdc_private.sdc_evaluation_catalog SET measures = measures - 'returned' WHERE release = 'swapped'::regclass;
SELECT how FROM said($$'swapped'$$);
SELECT how FROM said($$'swapped'$$);
-- a row that was restored is never returned
CREATE TEMP TABLE copy AS SELECT * FROM sdc_private.sdc_evaluation_catalog WHERE release = 'swapped'::regclass;
DELETE FROM sdc_private.sdc_evaluation_catalog WHERE release = 'swapped'::regclass;
INSERT INTO sdc_private.sdc_evaluation_catalog SELECT * FROM copy;
SELECT how FROM said($$'swapped'$$);
SELECT how FROM said($$'swapped'$$);

-- another role, who may read less
GRANT USAGE ON SCHEMA again, helper TO regress_sdc_again;
GRANT SELECT (id, age, income, weight, sex, region, born, job) ON person TO regress_sdc_again;
ALTER TABLE swapped OWNER TO regress_sdc_again;
SET ROLE regress_sdc_again;
SELECT how FROM said($$'swapped'$$);
SELECT how FROM said($$'swapped'$$);
RESET ROLE;
UPDATE person SET savings = 77 WHERE id = 1;
SET ROLE regress_sdc_again;
SELECT how FROM said($$'swapped'$$);
RESET ROLE;
SELECT how FROM said($$'swapped'$$);
SELECT how FROM said($$'swapped'$$);
ALTER TABLE swapped OWNER TO CURRENT_USER;

-- a release that is a view, and a source that is one: of others there are no pages to look at
CREATE TABLE hidden AS TABLE swapped;
CREATE VIEW shown AS SELECT * FROM hidden;
SELECT sdc_register('person', 'shown', '{age,income,weight}', '{id}');
SELECT how FROM said($$'shown'$$);
SELECT how FROM said($$'shown'$$);
SELECT statement, after($$'shown'$$, statement) FROM unnest(ARRAY['SELECT', 'UPDATE hidden SET age = 30', 'UPDATE hidden SET age = age + 1 WHERE id = 80', 'CREATE OR REPLACE VIEW shown AS SELECT * FROM hidden WHERE id <> 5', 'CREATE OR REPLACE VIEW shown AS SELECT * FROM hidden ORDER BY age']) AS statement;
CREATE TEMP TABLE fleeting AS TABLE swapped;
SELECT sdc_register('person', 'fleeting', '{age,income,weight}', '{id}');
SELECT how FROM said($$'fleeting'$$);
SELECT how FROM said($$'fleeting'$$);
SELECT after($$'fleeting'$$, 'SELECT'), after($$'fleeting'$$, 'UPDATE fleeting SET age = 30');

-- a summary and a report say the same by what is kept, and without it
CREATE TABLE partly AS SELECT id, CASE WHEN id <> 9 THEN age END AS age, income, weight, sex, region, born, job FROM swapped;
SELECT sdc_register('person', 'partly', '{age,income,weight}', '{id}');
CREATE FUNCTION told(r regclass, OUT plain text, OUT known text, OUT page text) LANGUAGE sql AS $$
	SELECT (SELECT string_agg(s::text, E'\n') FROM public.sdc_summary(r) AS s), (SELECT string_agg(s::text, E'\n') FROM public.sdc_summary(r, '{age,sex}') AS s), public.sdc_report(r);
$$;
CREATE TABLE before AS SELECT r, (told(r)).* FROM unnest('{swapped,shown,partly}'::regclass[]) AS r;
DELETE FROM sdc_private.sdc_evaluation_catalog;
CREATE TABLE without AS SELECT r, (told(r)).* FROM unnest('{swapped,shown,partly}'::regclass[]) AS r;
SELECT count(*) FROM unnest('{swapped,shown,partly}'::regclass[]) AS r, sdc_evaluate(r, '{age,sex}');
CREATE TABLE partial AS SELECT r, (told(r)).* FROM unnest('{swapped,shown,partly}'::regclass[]) AS r;
SELECT count(*) FROM unnest('{swapped,shown,partly}'::regclass[]) AS r, sdc_evaluate(r);
CREATE TABLE everything AS SELECT r, (told(r)).* FROM unnest('{swapped,shown,partly}'::regclass[]) AS r;
SELECT w.r, w.plain = s.plain AND w.plain = e.plain AND w.plain = b.plain AS plain, w.known = s.known AND w.known = e.known AND w.known = b.known AS known, regexp_replace(w.page, '<h2>Risk and loss.*<h2>Accuracy', '') = regexp_replace(e.page, '<h2>Risk and loss.*<h2>Accuracy', '') AS page
FROM without AS w JOIN partial AS s ON s.r = w.r JOIN everything AS e ON e.r = w.r JOIN before AS b ON b.r = w.r ORDER BY w.r::text;
SELECT value FROM sdc_summary('partly') WHERE measure = 'values lost';
-- and it is what is kept: other numbers are told, until something changes; then, and by other settings, what is measured
UPDATE sdc_private.sdc_evaluation_catalog SET measures = jsonb_set(jsonb_set(jsonb_set(jsonb_set(measures, '{people,any,percent}', '12.3'), '{score,il}', '45.6'), '{query_errors,rows,0,mean_error}', '0.789'), '{association_recall,rows,0,original}', '987654') WHERE release = 'swapped'::regclass;
SELECT measure, value FROM sdc_summary('swapped') WHERE unit = 'percent' AND measure IN ('people found', 'counts by one column') OR measure = 'information loss';
SELECT helper.catch('SELECT sdc_assert_risk(''swapped'', 12.3)'), helper.catch('SELECT sdc_assert_risk(''swapped'', 12)');
SELECT page ~ '<strong>12.3 %' AS people, page ~ '>78.9<' AS counts, page ~ '>987654<' AS associations FROM sdc_report('swapped') AS page;
UPDATE swapped SET age = 1;
SELECT (SELECT value FROM sdc_summary('swapped') WHERE measure = 'people found' LIMIT 1) = round(percent::numeric, 1) AS now FROM sdc_people_found('swapped') WHERE attack = 'any';
SELECT helper.catch(format('SELECT sdc_assert_risk(''swapped'', %s)', percent)), helper.catch(format('SELECT sdc_assert_risk(''swapped'', %s)', percent * 0.99)) ~ '^SD001' AS beyond FROM sdc_people_found('swapped') WHERE attack = 'any';
SELECT count(*) FROM sdc_evaluate('swapped');
SET sdc.query_workload = 7;
SELECT value = round((100 * mean_error)::numeric, 1) AS now FROM sdc_summary('swapped'), sdc_query_errors('swapped', 7, 'sdc_query_errors') WHERE measure = 'counts by one column' AND attributes = 1;

DROP SCHEMA again CASCADE;
REVOKE USAGE ON SCHEMA helper FROM regress_sdc_again;
DROP ROLE regress_sdc_again;
