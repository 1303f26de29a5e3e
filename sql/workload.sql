--
-- workload
--
-- The queries of a policy: checked when it is set, counted by each run in source and release, and shown to those who may see the source.
--
\pset format unaligned
\pset footer off
SET client_min_messages = error;
CREATE SCHEMA workload;
SET search_path = workload, public;
CREATE TABLE person AS
SELECT i AS id, 20 + helper.below(i, 1, 50) AS age, helper.below(i, 2, 1000) AS income, helper.below(i, 3, 5) AS region, 'n' || i AS name FROM generate_series(1, 300) AS i;
ALTER TABLE person ADD PRIMARY KEY (id);
CREATE FUNCTION set_with(workload text[], limits jsonb DEFAULT '{"people_found": 100}', steps jsonb DEFAULT '[{"method": "rankswap", "columns": ["age", "income"], "p": 40}]')
RETURNS text LANGUAGE sql AS $$
	SELECT helper.catch(format('SELECT sdc_policy_set(%L, %L, %L, %L, keep => %L, omit => %L, limits => %L, workload => %L)', 'queried', 'workload.person', $3, 'workload.published', '{region}', '{name}', $2, $1)) $$;

-- refused when it is set, with one error for what is wrong first
SELECT w, set_with(w) FROM (VALUES (1, ARRAY['age > 30', 'nobody > 1']), (2, ARRAY['age > 30', NULL]), (3, ARRAY['age >']), (4, ARRAY['age']), (5, ARRAY['random() > 0.5']), (6, ARRAY['age IN (SELECT 1)']),
	(7, ARRAY['age > 30; DROP TABLE person']), (8, ARRAY['count(*) > 1']), (9, array_fill('age > 30'::text, ARRAY[1001]))) AS v (n, w) WHERE n < 9 ORDER BY n;
SELECT set_with(array_fill('age > 30'::text, ARRAY[1001])), set_with(NULL, '{"people_found": 100, "workload_error": 10}'), set_with('{}', '{"people_found": 100, "workload_error": 10}');
SELECT count(*) FROM sdc_policies;

-- the statement of the policy makes it again, and what is not given stays
SELECT set_with('{age < 40 AND income > 500,"region = 1 AND age > 60","name = ''n7'' AND age > 0",age > 1000,NOT income < 1000 AND region >= 0}');
SELECT workload FROM sdc_policies;
CREATE TEMP TABLE before AS SELECT * FROM sdc_policies;
SELECT statement FROM sdc_policies \gset
SELECT sdc_policy_drop('queried');
:statement
SELECT sdc_policy_alter('queried', sample => 200);
SELECT sdc_policy_alter('queried', omit => '{name}');
SELECT helper.catch($$SELECT sdc_policy_alter('queried', workload => '{nobody = 1}')$$);
SELECT b.workload = p.workload AS same, p.sample FROM before AS b, sdc_policies AS p;

-- a run counts each in source and release, by plain SQL
CALL sdc_run('queried');
CREATE TEMP TABLE counted AS SELECT w.n, w.q ->> 'condition' AS condition, (w.q ->> 'answer')::bigint AS answer, (w.q ->> 'released')::bigint AS released, (w.q ->> 'error')::float8 AS error, w.q ->> 'problem' AS problem
FROM (SELECT measures FROM sdc_runs ORDER BY run DESC LIMIT 1) AS r, jsonb_array_elements(r.measures -> 'workload') WITH ORDINALITY AS w (q, n);
CREATE FUNCTION satisfy(relation text, condition text) RETURNS bigint LANGUAGE plpgsql AS $$DECLARE n bigint; BEGIN EXECUTE format('SELECT count(*) FROM %s WHERE %s', $1, $2) INTO n; RETURN n; END$$;
SELECT n, condition, answer = satisfy('person', condition) AS answer, CASE WHEN problem IS NULL THEN released = satisfy('published', condition) END AS released,
	CASE WHEN answer > 0 THEN abs(error - 100.0 * abs(released - answer) / answer) < 1e-9 ELSE error IS NOT DISTINCT FROM CASE WHEN released = answer THEN 0 END END AS error, problem
FROM counted ORDER BY n;
SELECT (measures #>> '{judged,workload_error}')::float8 = (SELECT max(coalesce(error, 100)) FROM counted) AS largest FROM sdc_runs ORDER BY run DESC LIMIT 1;

-- inside the report has them one by one; outside nothing tells a true count
SELECT max(run) AS run FROM sdc_runs \gset
CREATE TEMP TABLE page AS SELECT a.audience, sdc_report(run => :run, audience => a.audience) AS page FROM unnest('{internal,external}'::text[]) AS a (audience);
SELECT audience, page ~ '<h3>Queries</h3>' AS heading, page ~ 'id="workload-t"' AS picture, page ~ 'age &lt; 40 AND income' AS conditions FROM page ORDER BY 1;
SELECT count(*) AS rows, bool_and(page ~ format('<tr><td>%s</td><th scope="row"><bdi>[^\n]*</bdi></th><td class="n">%s</td><td class="n">%s</td>', n, answer, coalesce(released::text, '&ndash;'))) AS shown
FROM page, counted WHERE audience = 'internal';
SELECT record ? 'measures' AS measures, (record - 'meanings')::text ~ 'age < 40|"workload":|workload_error' AS workload FROM sdc_release_record(:run) AS record;
SELECT bool_or(page ~ 'Queries|age &lt; 40') AS told FROM (SELECT sdc_report('workload.published', 'external')) AS r (page);
-- of many those that are wrong most, and texts that are somebody's
SELECT page ~ 'Shown are the 100 of 120' AS note, (SELECT count(*) FROM regexp_matches(page, '<tr><td>', 'g')) AS rows, page ~ '<tr><td>20</td>' AS exact_one, page ~ '&lt;b&gt;' AS escaped
FROM sdc_private.report_workload((SELECT jsonb_agg(jsonb_build_object('condition', '<b>' || i, 'answer', 10, 'released', 10 + greatest(i - 20, 0), 'error', 10 * greatest(i - 20, 0))) FROM generate_series(1, 120) AS i)) AS r (page);
SELECT page FROM sdc_private.report_workload('[{"condition": "a", "answer": "<", "released": [1], "error": "x", "problem": 7}, {"condition": 1}, 3]') AS r (page);

-- the limit
SELECT set_with('{region = 1}', '{"people_found": 100, "workload_error": 0}');
CALL sdc_run('queried');
SELECT status, jsonb_path_query(limits, '$[*] ? (@.measure == "workload_error")') AS held FROM sdc_runs ORDER BY run DESC LIMIT 1;
SELECT (record - 'meanings')::text ~ 'workload_error' AS told, jsonb_array_length(record -> 'limits') AS limits FROM (SELECT sdc_release_record(max(run)) AS record FROM sdc_runs) AS r;
SELECT set_with('{name = ''n1''}', '{"people_found": 100, "workload_error": 99.9}');
\set VERBOSITY sqlstate
CALL sdc_run('queried');
\set VERBOSITY default
SELECT status, reason FROM sdc_runs ORDER BY run DESC LIMIT 1;

-- what cannot be evaluated on the release is a problem of the query, with no value in it
SELECT sdc_withdraw('workload.published', 'other columns');
SELECT set_with('{age > 40,region = 2,1 / (region - region) > 0,1 / (income - age) < 2,1 / (region - region + 1) > 0}', steps => '[{"method": "generalize", "qi": ["age"], "k": 5}, {"method": "rankswap", "columns": ["income"], "p": 20}]');
CALL sdc_run('queried');
SELECT w ->> 'condition' AS condition, (w ->> 'answer')::bigint IS NOT NULL AS answer, (w ->> 'released')::bigint IS NOT NULL AS released, regexp_replace(w ->> 'problem', 'run_[0-9]+', 'run') AS problem
FROM (SELECT measures FROM sdc_runs ORDER BY run DESC LIMIT 1) AS r, jsonb_array_elements(r.measures -> 'workload') AS w;

-- whoever looks at a policy: its conditions are evaluated with the rights of its owner, and not of the one who looks
CREATE ROLE regress_sdc_workload;
GRANT USAGE, CREATE ON SCHEMA workload TO regress_sdc_workload;
SET ROLE regress_sdc_workload;
CREATE TABLE bait AS SELECT i AS id, i % 7 AS age FROM generate_series(1, 50) AS i;
CREATE FUNCTION tell(int) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$BEGIN RAISE INFO 'run by %', current_user; RETURN true; END$$;
SELECT sdc_policy_set('bait', 'bait', '[{"method": "rankswap", "columns": ["age"], "p": 40}]', 'workload.bait_public', '{id}', limits => '{"people_found": 100}', workload => '{workload.tell(1) AND age > 3}');
RESET ROLE;
SELECT problem FROM sdc_check('bait');
SELECT sdc_policy_alter('bait', limits => '{"people_found": 99}');
CALL sdc_run('bait');
SELECT status, measures #>> '{workload,0,answer}' AS answer FROM sdc_runs WHERE policy = 'bait';
SELECT length(sdc_report(run => max(run))) > 0 AS report FROM sdc_runs WHERE policy = 'bait';
SET ROLE regress_sdc_workload;
SELECT sdc_private.workload_check('postgres', 'bait', '{age > 1}');
RESET ROLE;
SELECT helper.catch($$SELECT sdc_private.workload_check(0, 'workload.bait', '{age > 1}')$$);
SELECT sdc_policy_drop('queried'), sdc_policy_drop('bait');
DROP SCHEMA workload CASCADE;
DROP OWNED BY regress_sdc_workload;
DROP ROLE regress_sdc_workload;
