--
-- runs
--
-- A run publishes what keeps the limits, and nothing else; the log says what was done.
--
\pset format unaligned
\pset footer off
CREATE SCHEMA runs;
SET search_path = runs, public;
SET maintenance_work_mem = '64MB';
CREATE TABLE person AS
SELECT i AS id, 20 + i % 50 AS age, abs(hashint4(i)) % 1000 AS income, i % 5 AS region, 'n' || i AS name, i % 3 AS sick FROM generate_series(1, 300) AS i;
ALTER TABLE person ADD PRIMARY KEY (id);
CREATE ROLE regress_runs_reader;
SELECT sdc_policy_set('nightly', 'person', '[{"method": "rankswap", "columns": ["income", "age"], "p": 30}]',
	'runs.public_person', keep => '{region}', limits => '{"people_found": 60}', on_unchanged => 'publish', grant_to => '{regress_runs_reader}', omit => '{name,sick}');

-- published
CALL sdc_run('nightly');
-- numbers of runs from here on: there may have been others before
SELECT max(run) - 1 AS before FROM sdc_runs
\gset
SELECT run - :before AS run, policy, status, reason, owner = current_user AS own, started_by = session_user AS mine, approved_by, source, source_records, release = 'runs.nightly_run_' || run AS named,
	target, records, columns, finished_at >= started_at AS ended, limits -> 0 -> 'kept' AS kept FROM sdc_runs WHERE run > :before;
SELECT count(*), sum(age), sum(income), sum(region) FROM public_person;
SELECT count(*), sum(age), sum(income), sum(region) FROM person;
SELECT r.sha256 = encode(p.sha256, 'hex') AS same, p.records FROM sdc_runs AS r JOIN sdc_publications AS p ON p.publication = 'public_person'::regclass WHERE run > :before;
SELECT has_table_privilege('regress_runs_reader', 'public_person', 'SELECT') AS reads;
SELECT substring(release::text, '[0-9]+')::int - :before AS run FROM sdc_releases WHERE release::text LIKE '%nightly_run%';

-- and again: the release of the run before is gone
CALL sdc_run('nightly');
SELECT run - :before AS run, status, release = 'runs.nightly_run_' || run AS named, records FROM sdc_runs WHERE run > :before ORDER BY run;
SELECT substring(release::text, '[0-9]+')::int - :before AS run FROM sdc_releases WHERE release::text LIKE '%nightly_run%';

-- the report of a run has its verdict, for those outside without names
SELECT a, r ~ '<h2>Verdict</h2>' AS verdict, r ~ 'Published' AS published, r ~ 'nightly' AS policy, r ~ 'percent of the people that the attacks together find</th><td>[0-9.]+</td><td>at most 60</td><td>yes' AS kept,
	r = sdc_report(l.release::regclass, a) AS same
FROM sdc_runs AS l, unnest('{internal,external}'::text[]) AS a, sdc_report(audience => a, run => l.run) AS r WHERE l.run = :before + 2;
SELECT sdc_report();
SELECT sdc_report('person', run => 1);
SELECT sdc_report(run => 0);
\set VERBOSITY sqlstate
SELECT length(sdc_report(run => :before + 1));
\set VERBOSITY default

-- rejected: what was published stays
CREATE TEMP TABLE published AS SELECT * FROM public_person;
SELECT sdc_policy_set('nightly', 'person', '[{"method": "rankswap", "columns": ["income", "age"], "p": 1}]',
	'runs.public_person', keep => '{region}', limits => '{"people_found": 0, "il": 1e6, "certain_percent": 100}', on_unchanged => 'publish', omit => '{name,sick}');
\set VERBOSITY sqlstate
CALL sdc_run('nightly');
\set VERBOSITY default
SELECT run - :before AS run, status, reason ~ '^people_found is [0-9.]+, and at most 0 is allowed$' AS reason, release IS NULL AS dropped, target FROM sdc_runs WHERE run > :before ORDER BY run;
SELECT l ->> 'measure' AS measure, (l ->> 'value')::float8 <= (l ->> 'bound')::float8 AS within, l -> 'kept' AS kept
FROM sdc_runs, jsonb_array_elements(limits) AS l WHERE run = :before + 3 ORDER BY 1;
SELECT substring(release::text, '[0-9]+')::int - :before AS run FROM sdc_releases WHERE release::text LIKE '%nightly_run%';
SELECT count(*) FROM (SELECT * FROM public_person EXCEPT ALL SELECT * FROM published) AS s;

SELECT problem IS NOT NULL AS problem FROM sdc_check('nightly');
-- what the log says, to be handed over; the definition of a policy is in it, and no seed
SELECT string_agg(key, ' ' ORDER BY key) FROM jsonb_object_keys(sdc_release_record(:before + 1)) AS k (key);
SELECT r -> 'status' AS status, r -> 'records' AS records, r #> '{steps,0,method}' AS method, (r #>> '{limits,0,value}')::float8 = (r #>> '{measures,judged,people_found}')::float8 AS same,
	(r #>> '{measures,judged,people_found}')::float8 >= (r #>> '{measures,people,any,percent}')::float8 AS upper FROM sdc_release_record(:before + 1) AS r;
SELECT policy, run - :before AS run, status, people_found > 0 AS found, source_records, records FROM sdc_policy_history WHERE run > :before ORDER BY run;

-- failed: a column of the source that the policy does not name
ALTER TABLE person ADD fresh int;
CALL sdc_run('nightly');
\echo :LAST_ERROR_SQLSTATE
ALTER TABLE person DROP fresh;
SELECT run - :before AS run, status, reason FROM sdc_runs ORDER BY run DESC LIMIT 1;
SELECT count(*) FROM (SELECT * FROM public_person EXCEPT ALL SELECT * FROM published) AS s;

-- what a monitor reads: the last run has failed, as the one before it, and what was published is older
SELECT policy, paused, run = (SELECT max(run) FROM sdc_runs) AS last, status, success_age BETWEEN 0 AND 3600 AS success_age, failures, publication_age = success_age AS published,
	duration > 0 AS duration, records, people_found <= limit_people_found AS kept
FROM sdc_policy_status WHERE policy = 'nightly';

-- not in a transaction, and no run of nothing
BEGIN;
CALL sdc_run('nightly');
ROLLBACK;
CALL sdc_run('no such');
CALL sdc_run(NULL);
DO $$ BEGIN BEGIN CALL sdc_run('no such'); EXCEPTION WHEN undefined_object THEN NULL; END; END $$;
SELECT sdc_release_record(NULL);
SELECT sdc_release_record(0);
SELECT count(*) FROM sdc_runs WHERE run > :before;

-- two persons
SELECT sdc_policy_set('weekly', 'person', '[{"method": "rankswap", "columns": ["income", "age"], "p": 30}]',
	'runs.weekly_person', keep => '{region}', limits => '{"people_found": 60}', on_unchanged => 'publish', approve => true, omit => '{name,sick}');
CALL sdc_run('weekly');
SELECT run - :before AS run, status, release = 'runs.weekly_run_' || run AS named, target, approved_by FROM sdc_runs ORDER BY run DESC LIMIT 1;
SELECT to_regclass('weekly_person');
\set VERBOSITY sqlstate
CALL sdc_run('weekly');
\set VERBOSITY default
SELECT run AS waiting FROM sdc_runs WHERE status = 'waiting'
\gset
\set VERBOSITY sqlstate
SELECT sdc_approve(:waiting);
SELECT sdc_approve(:before + 1);
\set VERBOSITY default
SELECT sdc_approve(NULL);
SELECT sdc_approve(0);
SELECT problem ~ '^run [0-9]+ is failed: run [0-9]+ waits to be approved or rejected$' AS problem FROM sdc_check('weekly');
SELECT sdc_reject(:waiting, NULL);
SELECT sdc_reject(:waiting, 'too early');
SELECT run - :before AS run, status, CASE status WHEN 'rejected' THEN reason END AS reason, release FROM sdc_runs WHERE policy = 'weekly' ORDER BY run;
SELECT count(*) FROM sdc_releases WHERE release::text LIKE '%weekly%';

-- a run that cannot begin leaves no lock: not where an error ends it after the lock is taken, and not where one is caught, for there none is taken;
-- nor does one that fails at its work, or is rejected
CREATE VIEW own_lock AS SELECT count(*) AS locks FROM pg_locks WHERE locktype = 'object' AND classid = 'sdc_private.sdc_run_log'::regclass AND pid = pg_backend_pid();
SELECT format('ALTER SEQUENCE sdc_private.sdc_run_number MAXVALUE %s', last_value) AS "limit" FROM sdc_private.sdc_run_number
\gset
:limit;
\set VERBOSITY sqlstate
CALL sdc_run('nightly');
TABLE own_lock;
\set VERBOSITY default
ALTER SEQUENCE sdc_private.sdc_run_number NO MAXVALUE;
TABLE own_lock;
SELECT helper.catch($$CALL sdc_run('nightly')$$);
TABLE own_lock;
DO $$ BEGIN CALL sdc_run('nightly'); EXCEPTION WHEN division_by_zero THEN NULL; END $$;
TABLE own_lock;
ALTER TABLE person ADD fresh int;
\set VERBOSITY sqlstate
CALL sdc_run('nightly');
ALTER TABLE person DROP fresh;
TABLE own_lock;
CALL sdc_run('nightly');
\set VERBOSITY default
SELECT status FROM sdc_runs WHERE policy = 'nightly' ORDER BY run DESC LIMIT 2;
TABLE own_lock;

-- the lock of a run that has begun is kept over errors that are caught, and nothing of another run begins, or ends, in its work
CREATE FUNCTION in_the_run() RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
	call text[];
BEGIN
	FOREACH call SLICE 1 IN ARRAY ARRAY[ARRAY['22012', 'SELECT 1 / 0'], ARRAY['42501', 'CALL public.sdc_run(''weekly'')'], ARRAY['42501', 'SELECT public.sdc_approve(1)'],
		ARRAY['42501', 'SELECT public.sdc_reject(1, ''no'')'], ARRAY['42501', 'SELECT public.sdc_withdraw(''runs.public_person'', ''no'')'],
		ARRAY['42501', 'SELECT FROM public.sdc_publish(''runs.public_person'', ''runs.x'', max_people_found => 100)']] LOOP
		ASSERT left(helper.catch(call[2]), 5) = call[1], concat(call[2], ' ', helper.catch(call[2]));
		ASSERT (SELECT locks = 1 FROM runs.own_lock), 'the lock is lost';
	END LOOP;
	PERFORM nextval('runs.was_there');
	RETURN true;
END
$$;
CREATE SEQUENCE was_there;
CREATE VIEW guarded AS SELECT id, age, income FROM person WHERE (SELECT in_the_run());
SELECT sdc_policy_set('guarded', 'guarded', '[{"method": "rankswap", "columns": ["income", "age"], "p": 30}]', 'runs.guarded_public', key => '{id}',
	limits => '{"people_found": 100}');
CALL sdc_run('guarded');
SELECT last_value > 0 AND is_called AS was_there FROM was_there;
TABLE own_lock;
SELECT status, reason, target FROM sdc_runs ORDER BY run DESC LIMIT 1;
SELECT count(*) > 1 AS released FROM guarded_public;
SELECT sdc_policy_drop('guarded');

-- strata leave if they are kept
SELECT sdc_policy_set('strata', 'person', '[{"method": "rankswap", "columns": ["income"], "p": 30}]', 'runs.strata_public', strata => '{region,sick}',
	keep => '{sick}', limits => '{"people_found": 100}', on_unchanged => 'publish', omit => '{name,age}');
CALL sdc_run('strata');
SELECT columns FROM sdc_runs ORDER BY run DESC LIMIT 1;
SELECT count(*) FROM (SELECT sick, sum(income) FROM strata_public GROUP BY sick INTERSECT SELECT sick, sum(income) FROM person GROUP BY sick) AS s;
SELECT bool_and(checked IN ('nightly', 'weekly')) AS of_policies, count(*) > 1 AS several FROM sdc_check(NULL);

-- what was rolled back was not done: where the last step fails, no release is left, what was published stays, and the log says that it failed
SELECT published_at AS published FROM sdc_publications WHERE publication = 'strata_public'::regclass
\gset
CREATE TEMP TABLE strata_once AS TABLE strata_public;
ALTER TABLE strata_public ADD CHECK (income >= 0);
CALL sdc_run('strata');
ALTER TABLE strata_public DROP CONSTRAINT strata_public_income_check;
SELECT status, reason, release, target FROM sdc_runs ORDER BY run DESC LIMIT 1;
-- (that of the run before)
SELECT count(*), bool_and(release = (SELECT to_regclass(release) FROM sdc_runs WHERE policy = 'strata' AND status = 'published')) AS before FROM sdc_releases
WHERE release::text LIKE '%strata_run%';
SELECT count(*) FROM pg_class WHERE relnamespace = 'runs'::regnamespace AND relname LIKE 'strata_run%' AND relkind = 'r';
SELECT published_at = :'published' AS same FROM sdc_publications WHERE publication = 'strata_public'::regclass;
SELECT count(*) FROM (TABLE strata_public EXCEPT ALL TABLE strata_once) AS s;

-- releases of earlier runs that cannot be removed do not hide how a run has ended, and the next one removes them
SELECT sdc_policy_set('coarse', 'person', '[{"method": "recode", "recodes": {"age": {"width": 10}, "income": {"width": 100}}}]', 'runs.coarse_public', omit => '{region,name,sick}', keep => '{}', limits => '{"people_found": 100}');
CALL sdc_run('coarse');
CREATE FUNCTION refuse_drop() RETURNS event_trigger LANGUAGE plpgsql AS $$
BEGIN
	IF EXISTS (SELECT FROM pg_event_trigger_dropped_objects() AS o WHERE o.object_name LIKE 'coarse\_run\_%' AND o.object_type = 'table') THEN
		RAISE EXCEPTION USING MESSAGE = 'nothing is dropped here';
	END IF;
END
$$;
CREATE EVENT TRIGGER regress_runs_refuse ON sql_drop EXECUTE FUNCTION refuse_drop();
UPDATE person SET income = income + 1 WHERE id = 1;
SET client_min_messages = warning;
CALL sdc_run('coarse');
RESET client_min_messages;
SELECT regexp_replace(problem, '[0-9]+', '0') AS problem FROM sdc_check('coarse');
DROP EVENT TRIGGER regress_runs_refuse;
SELECT count(*) AS releases FROM sdc_releases WHERE release::text LIKE '%coarse_run%';
UPDATE person SET income = income + 1 WHERE id = 1;
CALL sdc_run('coarse');
SELECT count(*) AS releases FROM sdc_releases WHERE release::text LIKE '%coarse_run%';
SELECT status, reason, warnings FROM sdc_runs WHERE policy = 'coarse' ORDER BY run;
-- tables of labels: their names need the schema, and what has another name is said
CREATE TABLE label AS SELECT DISTINCT age, CASE WHEN age < 40 THEN 'young' ELSE 'old' END AS phase FROM person;
SELECT helper.catch(format('SELECT sdc_policy_alter(''coarse'', steps => %L)', '[{"method": "recode", "recodes": {"income": {"width": 100}, "age": {"table": "label", "level": 1}}}]'));
SELECT sdc_policy_set('labelled', 'person', '[{"method": "recode", "recodes": {"income": {"width": 100}, "age": {"table": "runs.label", "level": 1}}, "continued": true}]', 'runs.labelled_public', omit => '{region,name,sick}', keep => '{}', limits => '{"people_found": 100}');
CALL sdc_run('labelled');
UPDATE person SET income = income - 2 WHERE id = 1;
ALTER TABLE label RENAME TO labels;
CALL sdc_run('labelled');
ALTER TABLE labels RENAME TO label;
-- a continued policy whose release is gone begins anew, and says so
SELECT release AS last FROM sdc_runs WHERE policy = 'labelled' AND status = 'published' \gset
DROP TABLE :last;
CALL sdc_run('labelled');
SELECT status, regexp_replace(warnings[1], '[0-9]+', '0') AS warning FROM sdc_runs WHERE policy = 'labelled' ORDER BY run DESC LIMIT 1;
SELECT sdc_withdraw('labelled_public', 'over');
SELECT sdc_policy_drop('labelled');
SELECT sdc_withdraw('coarse_public', 'over');
SELECT sdc_policy_drop('coarse');

-- by hand, and withdrawn: the log says so too
SELECT count(*) FROM sdc_rankswap('person', p => 20, columns => '{income}', keep => '{region}', omit => '{age,name,sick}', target => 'by_hand');
SELECT count(*) FROM sdc_evaluate('by_hand');
SELECT records FROM sdc_publish('by_hand', 'runs.hand_public', keep => '{region}', max_people_found => 100);
SELECT policy, status, owner = current_user AS own, source, steps -> 0 -> 'method' AS method, source_records, target, records, columns, measures #>> '{judged,people_found}' IS NOT NULL AS measured,
	sha256 = (SELECT encode(p.sha256, 'hex') FROM sdc_publications AS p WHERE p.publication = 'hand_public'::regclass) AS same FROM sdc_runs ORDER BY run DESC LIMIT 1;
SELECT sdc_withdraw('hand_public', 'no longer needed');
SELECT sdc_withdraw('public_person', 'a mistake');
SELECT policy, status, reason, target FROM sdc_runs WHERE run > :before ORDER BY run DESC LIMIT 2;
SELECT to_regclass('hand_public'), to_regclass('public_person');

-- a release that waits and is not there any more: its run can be rejected, and what has the name now stays
CALL sdc_run('weekly');
SELECT run AS waiting, release AS gone FROM sdc_runs WHERE status = 'waiting'
\gset
DROP TABLE :gone;
CREATE TABLE :gone (x int);
SELECT sdc_reject(:waiting, 'it is gone');
SELECT status, reason FROM sdc_runs WHERE run = :waiting;
SELECT to_regclass(:'gone') IS NOT NULL AS stays;
-- a name of which a character takes several bytes: every run has a release of its own; and the same one, however names are quoted
SET client_min_messages = warning;
SELECT sdc_policy_set(repeat('ü', 31)::name, 'person', '[{"method": "rankswap", "columns": ["income", "age"], "p": 30, "continued": true}]', 'runs.umlauts',
	keep => '{region}', limits => '{"people_found": 100}', omit => '{name,sick}');
CALL sdc_run(repeat('ü', 31));
DELETE FROM person WHERE id = (SELECT min(id) FROM person);
SET quote_all_identifiers = on;
CALL sdc_run(repeat('ü', 31));
DELETE FROM person WHERE id = (SELECT min(id) FROM person);
RESET quote_all_identifiers;
CALL sdc_run(repeat('ü', 31));
SELECT status, release = format('runs."%s_run_%s"', repeat('ü', 16), run) AS named, to_regclass(release) IS NOT NULL AS is_there FROM sdc_runs WHERE policy = repeat('ü', 31) ORDER BY run;

-- a source that is renamed and moved, and of which the policy is told: its releases are found by the names that the log has
SELECT sdc_policy_set('moving', 'person', '[{"method": "rankswap", "columns": ["income", "age"], "p": 30, "continued": true}]', 'runs.moving_public',
	keep => '{region}', limits => '{"people_found": 100}', omit => '{name,sick}');
CALL sdc_run('moving');
CREATE SCHEMA runs_elsewhere;
ALTER TABLE person RENAME TO human;
ALTER TABLE human SET SCHEMA runs_elsewhere;
SELECT sdc_policy_set('moving', 'runs_elsewhere.human', '[{"method": "rankswap", "columns": ["income", "age"], "p": 30, "continued": true}]', 'runs.moving_public',
	keep => '{region}', limits => '{"people_found": 100}', omit => '{name,sick}');
DELETE FROM runs_elsewhere.human WHERE id = (SELECT min(id) FROM runs_elsewhere.human);
CALL sdc_run('moving');
SELECT status, reason, source, release ~ '^runs_elsewhere.moving_run_[0-9]+$' AS elsewhere, to_regclass(release) IS NOT NULL AS is_there, records FROM sdc_runs
WHERE policy = 'moving' ORDER BY run;
-- a release of somebody's that has the name which a run would have given stays, as the run has made none
SELECT format('runs_elsewhere.moving_run_%s', max(run) + 1) AS mine FROM sdc_runs
\gset
SELECT count(*) FROM sdc_rankswap('runs_elsewhere.human', p => 20, columns => '{income}', target => :'mine');
CALL sdc_run('moving');
SELECT status, release FROM sdc_runs WHERE policy = 'moving' ORDER BY run DESC LIMIT 1;
SELECT to_regclass(:'mine') IS NOT NULL AS stays;
-- a release that would be the same is published again if what was published is gone, or the policy is another one
DROP TABLE moving_public;
CALL sdc_run('moving');
SELECT sdc_withdraw('moving_public', 'by mistake');
CALL sdc_run('moving');
SELECT sdc_policy_set('moving', 'runs_elsewhere.human', '[{"method": "rankswap", "columns": ["income", "age"], "p": 30, "continued": true}]', 'runs.moved_public',
	keep => '{region}', limits => '{"people_found": 100}', omit => '{name,sick}', grant_to => '{regress_runs_reader}');
CALL sdc_run('moving');
SELECT has_table_privilege('regress_runs_reader', 'moved_public', 'SELECT') AS reads;
CALL sdc_run('moving');
SELECT sdc_policy_set('moving', 'runs_elsewhere.human', '[{"method": "rankswap", "columns": ["income", "age"], "p": 30, "continued": true}]', 'runs.moved_public',
	keep => '{region}', limits => '{"people_found": 0}', omit => '{name,sick}');
\set VERBOSITY sqlstate
CALL sdc_run('moving');
\set VERBOSITY default
SELECT status, target, records FROM sdc_runs WHERE policy = 'moving' AND run >= substring(:'mine', '[0-9]+$')::int
ORDER BY run;
ALTER TABLE runs_elsewhere.human SET SCHEMA runs;
DROP SCHEMA runs_elsewhere CASCADE;

-- a policy that another role sets again keeps its owner, and one whose owner is renamed what it has run: both are continued
CREATE ROLE regress_runs_owner;
CREATE SCHEMA runs_owned AUTHORIZATION regress_runs_owner;
SET ROLE regress_runs_owner;
CREATE TABLE runs_owned.part AS SELECT i AS id, i * 7919 % 101 AS v, i * 31 % 57 AS w FROM generate_series(1, 300) AS i;
ALTER TABLE runs_owned.part ADD PRIMARY KEY (id);
SELECT sdc_policy_set('owned', 'runs_owned.part', '[{"method": "rankswap", "columns": ["v", "w"], "p": 20, "continued": true}]', 'runs_owned.public',
	limits => '{"people_found": 100}');
CALL sdc_run('owned');
RESET ROLE;
CREATE TABLE published_once AS TABLE runs_owned.public;
SELECT sdc_policy_set('owned', 'runs_owned.part', '[{"method": "rankswap", "columns": ["v", "w"], "p": 20, "continued": true}]', 'runs_owned.public',
	limits => '{"people_found": 90}');
DELETE FROM runs_owned.part WHERE id = 3;
CALL sdc_run('owned');
SELECT owner FROM sdc_policies WHERE policy = 'owned';
ALTER ROLE regress_runs_owner RENAME TO regress_runs_renamed;
SELECT sdc_policy_set('owned', 'runs_owned.part', '[{"method": "rankswap", "columns": ["v", "w"], "p": 20, "continued": true}]', 'runs_owned.public',
	limits => '{"people_found": 80}');
DELETE FROM runs_owned.part WHERE id = 4;
CALL sdc_run('owned');
-- the release of the run before is gone, so that nothing tells whose it was
SELECT status, owner, records, to_regclass(release) IS NOT NULL AS is_there FROM sdc_runs WHERE policy = 'owned' ORDER BY run;
SELECT count(*) FROM (SELECT v, w FROM runs_owned.public EXCEPT ALL SELECT v, w FROM published_once) AS drawn_anew;
-- another policy draws anew, and says so
SELECT sdc_policy_set('other', 'runs_owned.part', '[{"method": "rankswap", "columns": ["v", "w"], "p": 20, "continued": true}]', 'runs_owned.public',
	limits => '{"people_found": 100}');
SELECT release AS hers FROM sdc_runs WHERE policy = 'owned' ORDER BY run DESC LIMIT 1
\gset
ALTER TABLE :hers RENAME TO hers;
CALL sdc_run('other');
CALL sdc_run('other');
-- who has another name now is not another person
SELECT sdc_policy_set('owned', 'runs_owned.part', '[{"method": "rankswap", "columns": ["v", "w"], "p": 20}]', 'runs_owned.waiting',
	limits => '{"people_found": 100}', approve => true);
SET SESSION AUTHORIZATION regress_runs_renamed;
CALL sdc_run('owned');
RESET SESSION AUTHORIZATION;
ALTER ROLE regress_runs_renamed RENAME TO regress_runs_again;
SET SESSION AUTHORIZATION regress_runs_again;
\set VERBOSITY sqlstate
SELECT sdc_approve(run) FROM sdc_runs WHERE policy = 'owned' AND status = 'waiting';
\set VERBOSITY default
SELECT sdc_reject(run, 'by whom?') FROM sdc_runs WHERE policy = 'owned' AND status = 'waiting';
RESET SESSION AUTHORIZATION;
SELECT status, owner, started_by, approved_by FROM sdc_runs WHERE policy = 'owned' ORDER BY run DESC LIMIT 1;
-- a release that is gone cannot be approved, and is rejected
SET SESSION AUTHORIZATION regress_runs_again;
CALL sdc_run('owned');
RESET SESSION AUTHORIZATION;
SELECT run AS waiting, release AS waits FROM sdc_runs WHERE policy = 'owned' AND status = 'waiting'
\gset
DROP TABLE :waits;
\set VERBOSITY sqlstate
SELECT sdc_approve(:waiting);
\set VERBOSITY default
SELECT sdc_reject(:waiting, 'it is gone');
SELECT status, reason FROM sdc_runs WHERE run = :waiting;
DROP TABLE published_once;
DROP SCHEMA runs_owned CASCADE;
SELECT sdc_policy_drop('owned'), sdc_policy_drop('other');
DROP ROLE regress_runs_again;

-- what a role has run that is gone nobody sees who gives a release of his the name of hers
CREATE ROLE regress_runs_gone;
CREATE ROLE regress_runs_stranger;
CREATE SCHEMA runs_shared;
GRANT USAGE, CREATE ON SCHEMA runs_shared TO regress_runs_gone, regress_runs_stranger;
SET ROLE regress_runs_gone;
CREATE TABLE runs_shared.part AS SELECT i AS id, i * 7919 % 101 AS v FROM generate_series(1, 100) AS i;
ALTER TABLE runs_shared.part ADD PRIMARY KEY (id);
SELECT sdc_policy_set('gone', 'runs_shared.part', '[{"method": "rankswap", "columns": ["v"], "p": 20}]', 'runs_shared.public', limits => '{"people_found": 100}');
CALL sdc_run('gone');
RESET ROLE;
SELECT split_part(release, '.', 2) AS its_name FROM sdc_runs WHERE policy = 'gone'
\gset
DROP OWNED BY regress_runs_gone;
DROP ROLE regress_runs_gone;
SET ROLE regress_runs_stranger;
CREATE TABLE runs_shared.own AS SELECT i AS id, i * 31 % 57 AS v FROM generate_series(1, 100) AS i;
ALTER TABLE runs_shared.own ADD PRIMARY KEY (id);
SELECT count(*) FROM sdc_rankswap('runs_shared.own', 20, '{v}', 'runs_shared.' || :'its_name');
SELECT count(*) AS seen FROM sdc_runs;
RESET ROLE;
SELECT owner, status FROM sdc_runs WHERE policy = 'gone';
SELECT sdc_policy_drop('gone');
DROP SCHEMA runs_shared CASCADE;
DROP ROLE regress_runs_stranger;

-- a source that was loaded by half, noticed too late: without that release the run goes on with the one before, and publishes it again
-- although it would be the same
SET client_min_messages = error;
CREATE TABLE loaded AS SELECT i AS id, helper.uniform(i, 61) AS v FROM generate_series(1, 120) AS i;
ALTER TABLE loaded ADD PRIMARY KEY (id);
SELECT sdc_policy_set('loaded', 'loaded', '[{"method": "rankswap", "columns": ["v"], "p": 20, "continued": true}]', 'runs.loaded_public',
	limits => '{"people_found": 100, "max_gone": null}', history => 2);
CALL sdc_run('loaded');
CREATE TABLE at_first AS TABLE loaded_public;
CREATE TABLE the_rest AS SELECT * FROM loaded WHERE id > 20;
DELETE FROM loaded WHERE id > 20;
CALL sdc_run('loaded');
INSERT INTO loaded TABLE the_rest;
SELECT release AS half FROM sdc_runs WHERE policy = 'loaded' ORDER BY run DESC LIMIT 1
\gset
DROP TABLE :half;
CALL sdc_run('loaded');
CALL sdc_run('loaded');
SELECT status, records, reason ~ '^nothing has changed' AS same FROM sdc_runs WHERE policy = 'loaded' ORDER BY run;
SELECT count(*), (SELECT count(*) FROM (TABLE at_first EXCEPT TABLE loaded_public) AS d) AS others FROM loaded_public;
SELECT sdc_policy_drop('loaded');
SET client_min_messages = warning;

-- what keeps a policy from its work is said when it is set, or before a run works, with what can be done
CREATE ROLE regress_runs_owner;
CREATE ROLE regress_runs_passing;
CREATE SCHEMA runs_elsewhere;
CREATE TABLE lent AS SELECT i AS id, i * 7919 % 500 AS income FROM generate_series(1, 300) AS i;
ALTER TABLE lent ADD PRIMARY KEY (id);
GRANT USAGE ON SCHEMA runs TO regress_runs_owner;
GRANT SELECT ON lent TO regress_runs_owner;
\set set_lent 'SELECT sdc_policy_set(''lent'', ''lent'', ''[{"method": "rankswap", "columns": ["income"], "p": 30}]'', ''runs_elsewhere.lent_public'', limits => ''{"people_found": 100}'', grant_to => ''{regress_runs_passing}'');'
SET SESSION AUTHORIZATION regress_runs_owner;
SELECT * FROM sdc_rankswap('lent', p => 30, columns => '{income}');
:set_lent
RESET SESSION AUTHORIZATION;
GRANT CREATE ON SCHEMA runs TO regress_runs_owner;
SET SESSION AUTHORIZATION regress_runs_owner;
:set_lent
RESET SESSION AUTHORIZATION;
GRANT CREATE ON SCHEMA runs_elsewhere TO regress_runs_owner;
SET SESSION AUTHORIZATION regress_runs_owner;
:set_lent
RESET SESSION AUTHORIZATION;
GRANT USAGE ON SCHEMA runs_elsewhere TO regress_runs_owner;
SET SESSION AUTHORIZATION regress_runs_owner;
:set_lent
RESET SESSION AUTHORIZATION;
REVOKE SELECT ON lent FROM regress_runs_owner;
SET SESSION AUTHORIZATION regress_runs_owner;
CALL sdc_run('lent');
RESET SESSION AUTHORIZATION;
GRANT SELECT ON lent TO regress_runs_owner;
ALTER TABLE lent RENAME TO renamed;
SET SESSION AUTHORIZATION regress_runs_owner;
CALL sdc_run('lent');
RESET SESSION AUTHORIZATION;
ALTER TABLE renamed RENAME TO lent;
ALTER SCHEMA runs_elsewhere RENAME TO runs_nowhere;
SET SESSION AUTHORIZATION regress_runs_owner;
CALL sdc_run('lent');
RESET SESSION AUTHORIZATION;
ALTER SCHEMA runs_nowhere RENAME TO runs_elsewhere;
DROP ROLE regress_runs_passing;
SET SESSION AUTHORIZATION regress_runs_owner;
CALL sdc_run('lent');
SELECT status, reason, hint, release FROM sdc_runs WHERE policy = 'lent' ORDER BY run;
-- renamed since, though no value has changed
SELECT sdc_policy_alter('lent', grant_to => '{}');
CALL sdc_run('lent');
CALL sdc_run('lent');
RESET SESSION AUTHORIZATION;
ALTER TABLE lent RENAME TO renamed;
SET SESSION AUTHORIZATION regress_runs_owner;
CALL sdc_run('lent');
SELECT status, regexp_replace(reason, '[0-9]+', '0') AS reason FROM sdc_runs WHERE policy = 'lent' ORDER BY run DESC LIMIT 3;
SELECT sdc_policy_drop('lent');
RESET SESSION AUTHORIZATION;
DROP OWNED BY regress_runs_owner;
DROP ROLE regress_runs_owner;
DROP SCHEMA runs_elsewhere;

SELECT sdc_policy_drop('moving'), sdc_policy_drop('nightly'), sdc_policy_drop('weekly'), sdc_policy_drop('strata'), sdc_policy_drop(repeat('ü', 31)::name);
DROP SCHEMA runs CASCADE;
DROP ROLE regress_runs_reader;
