--
-- runs
--
-- A run publishes what keeps the limits, and nothing else; the log says what was done.
--
CREATE SCHEMA runs;
SET search_path = runs, public;
SET client_min_messages = error;
SET maintenance_work_mem = '64MB';
CREATE TABLE person AS
SELECT i AS id, 20 + i % 50 AS age, abs(hashint4(i)) % 1000 AS income, i % 5 AS region, 'n' || i AS name, i % 3 AS sick FROM generate_series(1, 300) AS i;
ALTER TABLE person ADD PRIMARY KEY (id);
CREATE ROLE regress_runs_reader;
SELECT sdc_policy_set('nightly', 'person', '[{"method": "rankswap", "columns": ["income", "age"], "p": 30}]',
	'runs.public_person', keep => '{region}', limits => '{"people_found": 60}', grant_to => '{regress_runs_reader}', omit => '{name,sick}');

-- published
CALL sdc_run('nightly');
SELECT run, policy, status, reason, owner = current_user AS own, started_by = session_user AS mine, approved_by, source, source_records, release,
	target, records, columns, finished_at >= started_at AS ended, limits -> 0 -> 'kept' AS kept FROM sdc_runs;
SELECT count(*), sum(age), sum(income), sum(region) FROM public_person;
SELECT count(*), sum(age), sum(income), sum(region) FROM person;
SELECT r.sha256 = encode(p.sha256, 'hex') AS same, p.records FROM sdc_runs AS r JOIN sdc_publications AS p ON p.publication = 'public_person'::regclass;
SELECT has_table_privilege('regress_runs_reader', 'public_person', 'SELECT') AS reads;
SELECT release FROM sdc_releases;

-- and again: the release of the run before is gone
CALL sdc_run('nightly');
SELECT run, status, release, records FROM sdc_runs ORDER BY run;
SELECT release FROM sdc_releases;

-- rejected: what was published stays
CREATE TEMP TABLE published AS SELECT * FROM public_person;
SELECT sdc_policy_set('nightly', 'person', '[{"method": "rankswap", "columns": ["income", "age"], "p": 1}]',
	'runs.public_person', keep => '{region}', limits => '{"people_found": 0, "il": 10, "certain_percent": 100}', omit => '{name,sick}');
CALL sdc_run('nightly');
\echo :LAST_ERROR_SQLSTATE
SELECT run, status, reason IS NOT NULL AS has_reason, release, target FROM sdc_runs ORDER BY run;
SELECT release FROM sdc_releases;
SELECT count(*) FROM (SELECT * FROM public_person EXCEPT ALL SELECT * FROM published) AS s;

-- failed: a column of the source that the policy does not name
ALTER TABLE person ADD fresh int;
CALL sdc_run('nightly');
\echo :LAST_ERROR_SQLSTATE
ALTER TABLE person DROP fresh;
SELECT run, status, reason FROM sdc_runs ORDER BY run DESC LIMIT 1;
SELECT count(*) FROM (SELECT * FROM public_person EXCEPT ALL SELECT * FROM published) AS s;

-- not in a transaction, and no run of nothing
BEGIN;
CALL sdc_run('nightly');
ROLLBACK;
CALL sdc_run('no such');
CALL sdc_run(NULL);
SELECT sdc_run_execute_internal(1);
SELECT sdc_run_end_internal(1, NULL);
SELECT count(*) FROM sdc_runs;

-- two persons
SELECT sdc_policy_set('weekly', 'person', '[{"method": "rankswap", "columns": ["income", "age"], "p": 30}]',
	'runs.weekly_person', keep => '{region}', limits => '{"people_found": 60}', approve => true, omit => '{name,sick}');
CALL sdc_run('weekly');
SELECT run, status, release, target, approved_by FROM sdc_runs ORDER BY run DESC LIMIT 1;
SELECT to_regclass('weekly_person');
CALL sdc_run('weekly');
SELECT run AS waiting FROM sdc_runs WHERE status = 'waiting'
\gset
SELECT sdc_approve(:waiting);
SELECT sdc_approve(1);
SELECT sdc_approve(NULL);
SELECT sdc_reject(:waiting, NULL);
SELECT sdc_reject(:waiting, 'too early');
SELECT run, status, reason, release FROM sdc_runs WHERE policy = 'weekly' ORDER BY run;
SELECT count(*) FROM sdc_releases WHERE release::text LIKE '%weekly%';

SET client_min_messages = warning;
SELECT sdc_policy_drop('nightly'), sdc_policy_drop('weekly');
DROP SCHEMA runs CASCADE;
DROP ROLE regress_runs_reader;
