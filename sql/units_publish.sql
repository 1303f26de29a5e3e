--
-- Publishing by units: numbers in the place of names, two tables of one unit, policies.
--
CREATE SCHEMA units_publish;
SET search_path = units_publish, public;
\set SHOW_CONTEXT never
CREATE TABLE patients AS SELECT p AS patient, (p * 7919) % 90 + 10 AS age, (p * 31) % 2 AS sex FROM generate_series(1, 300) AS p;
ALTER TABLE patients ADD PRIMARY KEY (patient);
CREATE TABLE stays AS SELECT p AS patient, v AS stay, ((p * p * 13 + v * 977) % 5000)::numeric AS cost, ((p + v * 3) % 17)::int AS days
FROM generate_series(1, 300) AS p, generate_series(1, p % 8) AS v;
CREATE VIEW joined AS SELECT patient, coalesce(stay, 0) AS stay, age, sex, cost, days FROM patients LEFT JOIN stays USING (patient);

-- The columns of patients are what swapping the patients gives: with the sizes as strata.
SELECT attribute, action, level, units FROM sdc_rankswap('joined', p => 10, columns => '{age, cost, days}', keep => '{sex}', key => '{patient, stay}',
	unit => '{patient}', target => 'joined_release', seed => 'a');
CREATE VIEW sized AS SELECT p.*, 8 - greatest((SELECT count(*) FROM stays AS s WHERE s.patient = p.patient), 1) AS class FROM patients AS p;
SELECT count(*) FROM sdc_rankswap('sized', p => 10, columns => '{age}', keep => '{sex}', key => '{patient}', strata => '{class}', target => 'patients_release', seed => 'a');
SELECT count(*) AS different FROM joined_release AS j JOIN patients_release AS p USING (patient) WHERE j.age <> p.age;

-- Two tables, also of a source of which there are other draws.
CREATE TABLE other_draws AS SELECT * FROM joined;
ALTER TABLE other_draws ADD PRIMARY KEY (patient, stay);
SELECT count(*) FROM sdc_rankswap('other_draws', p => 20, columns => '{age, cost, days}', keep => '{sex}', unit => '{patient}', target => 'draw_1', seed => 'a');
SELECT count(*) FROM sdc_rankswap('other_draws', p => 80, columns => '{age, cost, days}', keep => '{sex}', unit => '{patient}', target => 'draw_2', seed => 'a');
SELECT count(*) FROM sdc_evaluate('draw_2');
SELECT publication, records, columns FROM sdc_publish('draw_2', 'draw_stays', keep => '{sex}', units_as => 'draw_patients', max_people_found => 100);

-- Two tables, with one numbering that is not that of before.
SELECT people_found > 0 FROM sdc_score('joined_release');
SELECT count(*) FROM sdc_evaluate('joined_release');
SELECT publication, records, columns FROM sdc_publish('joined_release', 'public_stays', keep => '{sex}', units_as => 'public_patients', max_people_found => 100);
CREATE TABLE first_numbers AS SELECT * FROM public_patients;
SELECT publication, records, columns FROM sdc_publish('joined_release', 'public_stays', keep => '{sex}', units_as => 'public_patients', max_people_found => 100, replace => true);
SELECT count(*), count(DISTINCT sdc_unit), min(sdc_unit), max(sdc_unit) FROM public_patients;
SELECT count(*) < 200 AS renumbered FROM public_patients AS p JOIN first_numbers AS f USING (sdc_unit, age, sex);
SELECT count(*) AS different FROM (SELECT age, sex, cost, days FROM public_patients LEFT JOIN public_stays USING (sdc_unit)
	EXCEPT ALL SELECT age, sex, cost, days FROM joined_release) AS d;
SELECT count(*) AS without_values FROM public_stays WHERE cost IS NULL AND days IS NULL;
SELECT publication::text, columns, records FROM sdc_publications WHERE release = 'joined_release'::regclass ORDER BY 1;

-- One table; without numbers how many units can be put together all the same is told.
SELECT records, columns FROM sdc_publish('joined_release', 'one_table', keep => '{sex}', max_people_found => 100);
SELECT count(*) AS broken FROM (SELECT FROM one_table GROUP BY sdc_unit HAVING count(DISTINCT (age, sex)) <> 1) AS u;
SET client_min_messages = warning;
SELECT records, columns FROM sdc_publish('joined_release', 'no_numbers', keep => '{sex}', max_people_found => 100, keep_units => false);
SELECT round(100.0 * count(*) FILTER (WHERE n = 1) / sum(n)) AS alone FROM (SELECT count(*) AS n FROM (SELECT DISTINCT patient, age, sex FROM joined_release) AS u GROUP BY age, sex) AS g;
RESET client_min_messages;

-- How exact counts are, of records and of units. With one column of two values a query asks for either or for both, and the 95th percentile is the
-- largest error: here from plain SQL, of counts that are rounded to five.
CREATE TABLE flags AS SELECT i AS id, (i * 17) % 501 AS person, CASE WHEN (i * i) % 7 < 3 THEN 'a' ELSE 'b' END AS flag FROM generate_series(1, 1500) AS i;
CREATE TABLE flags_released AS SELECT id, person, CASE WHEN person % 5 = 0 THEN 'a' WHEN id % 11 = 3 THEN 'b' ELSE flag END AS flag FROM flags;
SELECT sdc_register('flags', 'flags_released', columns => '{flag}', key => '{id}', unit => '{person}');
SELECT records, columns FROM sdc_publish('flags_released', 'public_flags', force => true);
CREATE FUNCTION nearest(x float8) RETURNS float8 LANGUAGE sql IMMUTABLE AS $$ SELECT floor(x / 5 + 0.5) * 5 $$;
WITH asked AS (SELECT * FROM (VALUES ('{a}'::text[]), ('{b}'), ('{a,b}')) AS q (flags)),
	counts AS (SELECT 'counts' AS part, (SELECT count(*) FROM flags WHERE flag = ANY (flags)) AS original, (SELECT count(*) FROM flags_released WHERE flag = ANY (flags)) AS released FROM asked
		UNION ALL SELECT 'unit_counts', (SELECT count(DISTINCT person) FROM flags WHERE flag = ANY (flags)), (SELECT count(DISTINCT person) FROM flags_released WHERE flag = ANY (flags)) FROM asked),
	errors AS (SELECT part, max(e) AS error, greatest(max(e + m) - max(e), max(e) - max(greatest(e - m, 0))) AS move
		FROM counts, LATERAL (SELECT abs(nearest(original) - nearest(released)) / released AS e, 5.0::float8 / released AS m) AS of_query GROUP BY part)
SELECT part, round(error::numeric, 3) AS error, a.value AS told, r.value AS rounding, abs(a.value - round(error / r.value) * r.value) < 1e-9 AS same, move <= r.value AND move > r.value / 2.5 AS least
FROM errors JOIN public_flags_accuracy AS a USING (part) JOIN public_flags_accuracy AS r USING (part)
WHERE a.measure = 'p95_error_1' AND r.measure = 'p95_error_1_rounding' ORDER BY part;
SELECT part, count(*) FROM public_stays_accuracy WHERE part ~ 'counts' GROUP BY part ORDER BY part;
SELECT part, count(*) FROM public_patients_accuracy WHERE part ~ 'counts' GROUP BY part ORDER BY part;

-- What cannot be.
SELECT FROM sdc_publish('joined_release', 'wrong', keep => '{sex, patient}', max_people_found => 100);
SELECT FROM sdc_publish('joined_release', 'wrong', keep => '{sex}', units_as => 'wrong', max_people_found => 100);
SELECT FROM sdc_publish('joined_release', 'wrong', keep => '{sex}', units_as => 'wrong_accuracy', max_people_found => 100);
SELECT FROM sdc_publish('joined_release', 'wrong', keep => '{sex}', units_as => 'stays', replace => true, max_people_found => 100);
SELECT FROM sdc_publish('joined_release', 'wrong', keep => '{sex}', units_as => 'public_stays_accuracy', replace => true, max_people_found => 100);
SELECT FROM sdc_publish('joined_release', 'wrong', keep => '{sex}', units_as => 'wrong_too', keep_units => false, max_people_found => 100);
SELECT count(*) FROM sdc_evaluate('patients_release');
SELECT FROM sdc_publish('patients_release', 'wrong', keep => '{sex, class}', units_as => 'wrong_too', max_people_found => 100);
SELECT to_regclass('wrong'), to_regclass('wrong_too');

-- A table of somebody else; a view that returns other units every time.
CREATE ROLE regress_sdc_other;
CREATE TABLE of_another (sdc_unit bigint, age int, sex int);
ALTER TABLE of_another OWNER TO regress_sdc_other;
SELECT FROM sdc_publish('joined_release', 'wrong', keep => '{sex}', units_as => 'of_another', replace => true, max_people_found => 100);
DROP TABLE of_another;
DROP ROLE regress_sdc_other;
CREATE SEQUENCE reads;
CREATE TABLE unsteady_from (read bigint);
CREATE VIEW unsteady AS SELECT CASE WHEN r.more THEN patient * 10 + stay ELSE patient END AS patient, stay, age, sex, cost
FROM joined_release, (SELECT nextval('reads') >= read AS more FROM unsteady_from OFFSET 0) AS r;
INSERT INTO unsteady_from VALUES (1000000);
SELECT sdc_register('joined', 'unsteady', columns => '{age, cost}', key => '{patient, stay}', unit => '{patient}');
SELECT m.message FROM generate_series(1, 20) AS n, LATERAL (SELECT setval('reads', 1) FROM (SELECT n) AS of_this) AS s, LATERAL helper.catch(format(
	$$UPDATE units_publish.unsteady_from SET read = %s; SELECT FROM sdc_publish('units_publish.unsteady', 'units_publish.wrong', keep => '{sex}', units_as => 'units_publish.wrong_too', replace => true, force => true)$$, n + 1)) AS m (message) GROUP BY m.message ORDER BY m.message COLLATE "C";
DROP VIEW unsteady;

-- A policy.
SELECT sdc_policy_set('stays', 'joined', '[{"method": "rankswap", "columns": ["age", "cost", "days"], "p": 10}]', 'units_publish.nightly',
	key => '{patient, stay}', keep => '{sex}', unit => '{patient}', limits => '{"people_found": 100}');
SELECT source, steps, unit FROM sdc_policies WHERE policy = 'stays';
SELECT statement LIKE '%unit => ''{patient}''%' AS has_unit FROM sdc_policies WHERE policy = 'stays';
CALL sdc_run('stays');
SELECT status FROM sdc_runs WHERE policy = 'stays';
SELECT count(*), count(DISTINCT sdc_unit) FROM nightly;
DROP TABLE nightly, nightly_accuracy;
SELECT sdc_policy_alter('stays', units_as => 'units_publish.nightly_patients');
CALL sdc_run('stays');
SELECT status FROM sdc_runs WHERE policy = 'stays' ORDER BY run DESC LIMIT 1;
SELECT (SELECT count(*) FROM nightly) AS stays, (SELECT count(*) FROM nightly_patients) AS patients,
	(SELECT count(*) FROM nightly WHERE sdc_unit NOT IN (SELECT sdc_unit FROM nightly_patients)) AS lost;
CALL sdc_run('stays');
SELECT status FROM sdc_runs WHERE policy = 'stays' ORDER BY run DESC LIMIT 1;
SELECT sdc_policy_alter('stays', units_as => 'nightly_patients');
SELECT sdc_policy_set('rows', 'joined', '[{"method": "rankswap", "columns": ["age", "cost", "days"], "p": 10}]', 'units_publish.by_rows',
	key => '{patient, stay}', keep => '{sex}', unit => '{nobody}', limits => '{"people_found": 100}');
SELECT sdc_policy_set('rows', 'joined', '[{"method": "rankswap", "columns": ["age", "cost", "days"], "p": 10}]', 'units_publish.by_rows',
	key => '{patient, stay}', keep => '{sex}', unit => '{patient}', limits => '{"people_found": 100, "composed_people_found": 50}');
SELECT count(*) FROM sdc_link_releases(ARRAY['joined_release'::regclass]);
-- Policies with the steps that move whole units: run, limits and log.
CREATE TABLE homes AS SELECT i AS id, i / 2 AS hid, i / 2 % 3 AS province, i / 2 % 15 AS town, chr(97 + i / 2 * 7 % 5) AS kind, i * 37 % 101 AS x FROM generate_series(2, 401) AS i;
ALTER TABLE homes ADD PRIMARY KEY (id);
SELECT sdc_policy_set('moved', 'homes', '[{"method": "record_swap", "areas": ["province", "town"], "risk": ["kind"], "k": 2, "rate": 20, "similar": ["kind"]}]', 'units_publish.moved',
	key => '{id}', keep => '{kind,x}', unit => '{hid}', limits => '{"people_found": 100, "il": 50}');
SELECT sdc_policy_set('permuted', 'homes', '[{"method": "permutation_swap", "columns": ["town"], "rate": 30}]', 'units_publish.permuted',
	key => '{id}', keep => '{province,kind,x}', strata => '{province,kind}', unit => '{hid}', units_as => 'units_publish.permuted_homes', limits => '{"people_found": 100}');
CALL sdc_run('moved');
CALL sdc_run('permuted');
CALL sdc_run('permuted');
SELECT policy, status, regexp_replace(reason, ' \d+$', '') AS reason FROM sdc_runs WHERE policy IN ('moved', 'permuted') ORDER BY run;
SELECT r.policy, s.parameters -> 'steps' -> 0 ->> 'method' AS method, s.parameters -> 'steps' -> 0 -> 'rate' AS rate, s.unit, s.units FROM sdc_runs AS r JOIN sdc_releases AS s ON s.release = to_regclass(r.release) WHERE r.policy IN ('moved', 'permuted') ORDER BY r.run;
-- what record swapping and permutation swapping keep: who lives where in every stratum, and all that is not moved
SELECT (SELECT count(*) FROM (SELECT province, town, kind, count(*) FROM homes GROUP BY 1, 2, 3 EXCEPT SELECT province, town, kind, count(*) FROM moved GROUP BY 1, 2, 3) AS d) AS areas,
	(SELECT count(*) FROM (SELECT kind, x FROM homes EXCEPT ALL SELECT kind, x FROM moved) AS d) AS others;
SELECT (SELECT count(*) FROM (SELECT DISTINCT hid, province, kind, town FROM homes) AS h) AS homes, (SELECT count(*) FROM permuted_homes) AS published,
	(SELECT count(*) FROM ((SELECT province, kind, town, count(*) FROM permuted_homes GROUP BY 1, 2, 3) EXCEPT SELECT province, kind, town, count(DISTINCT hid) FROM homes GROUP BY 1, 2, 3) AS d) AS different;
-- a limit that is missed: nothing new is published
SELECT sdc_policy_alter('moved', limits => '{"people_found": 1}');
\set VERBOSITY sqlstate
CALL sdc_run('moved');
\set VERBOSITY default
SELECT status, reason FROM sdc_runs WHERE policy = 'moved' ORDER BY run DESC LIMIT 1;
SELECT sdc_policy_set('moved', 'homes', '[{"method": "record_swap", "risk": ["kind"], "k": 2, "rate": 20}]', 'units_publish.moved', key => '{id}', keep => '{kind,x}', unit => '{hid}', limits => '{"people_found": 100}');
SELECT sdc_policy_set('moved', 'homes', '[{"method": "permutation_swap", "rate": 20}]', 'units_publish.moved', key => '{id}', keep => '{kind,x}', unit => '{hid}', limits => '{"people_found": 100}');
SELECT sdc_policy_drop('moved'), sdc_policy_drop('permuted');
\set SHOW_CONTEXT errors
-- A release that was changed lacks the unit of some records: these are one more.
CREATE TABLE torn AS SELECT i AS id, 'u' || lpad((i / 3)::text, 3, '0') AS u, i % 5 AS a, (i / 3) % 4 AS b FROM generate_series(1, 30) AS i;
ALTER TABLE torn ADD PRIMARY KEY (id);
SELECT FROM sdc_rankswap('torn', 20, '{a}', 'torn_release', keep => '{b}', unit => '{u}', seed => 1);
UPDATE torn_release SET u = NULL WHERE id IN (4, 5);
SELECT publication, records FROM sdc_publish('torn_release', 'torn_public', keep => '{b}', units_as => 'torn_units', force => true);
SELECT count(*) FROM (SELECT DISTINCT u FROM torn_release) AS u;
SELECT sdc_policy_drop('stays');
DROP SCHEMA units_publish CASCADE;
