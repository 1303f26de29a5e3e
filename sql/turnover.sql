--
-- turnover
--
-- How many records have come and gone since a policy published last, where the release of then is not there any more:
-- the log has their number.  600 records, of which 499 are gone, are 83 percent; 600 that become 1300 are 116 percent more.
--
\pset format unaligned
\pset footer off
CREATE SCHEMA turnover;
SET search_path = turnover, public;
CREATE TABLE load AS SELECT i AS id, helper.uniform(i, 1) AS v FROM generate_series(1, 600) AS i;
ALTER TABLE load ADD PRIMARY KEY (id);
CREATE TABLE whole AS TABLE load;
CREATE FUNCTION set_policy(target text, source regclass DEFAULT 'turnover.load', limits jsonb DEFAULT '{"people_found": 100}') RETURNS void LANGUAGE sql AS $$
	SELECT sdc_policy_set('z', source, '[{"method": "rankswap", "columns": ["v"], "p": 20}]', target, limits => limits)
$$;
-- last_run shows the last run of the policy: numbers of runs are N, and a limit is measure, value, bound, kept
CREATE FUNCTION last_run(OUT status text, OUT reason text, OUT limits text) LANGUAGE sql AS $$
	SELECT r.status, regexp_replace(r.reason, '(_run_|run )[0-9]+', '\1N', 'g'),
		(SELECT string_agg(concat_ws(' ', l ->> 'measure', round((l ->> 'value')::numeric, 2), l ->> 'bound', l ->> 'kept'), ', ' ORDER BY l ->> 'measure')
		FROM jsonb_array_elements(r.limits) AS l WHERE l ->> 'measure' LIKE 'max%')
	FROM sdc_runs AS r WHERE r.policy = 'z' ORDER BY r.run DESC LIMIT 1
$$;
CREATE FUNCTION last_release() RETURNS text LANGUAGE sql AS $$
	SELECT split_part(r.release, '.', 2) FROM sdc_runs AS r WHERE r.policy = 'z' AND r.status = 'published' ORDER BY r.run DESC LIMIT 1
$$;
\set VERBOSITY sqlstate

-- the first release has none before it
SELECT set_policy('turnover.z_public');
CALL sdc_run('z');
SELECT * FROM last_run();

-- its release was dropped
SELECT last_release() AS release
\gset
DROP TABLE :"release";
DELETE FROM load WHERE id < 500;
CALL sdc_run('z');
SELECT *, (SELECT count(*) FROM z_public) AS published FROM last_run();
SELECT hint FROM sdc_runs WHERE policy = 'z' ORDER BY run DESC LIMIT 1;
-- it stays so after a run that was rejected, and after the publication was withdrawn
CALL sdc_run('z');
SELECT sdc_withdraw('z_public', 'gets other columns');
CALL sdc_run('z');
SELECT * FROM last_run();
INSERT INTO load SELECT * FROM whole WHERE id < 500;
CALL sdc_run('z');
SELECT *, (SELECT count(*) FROM z_public) AS published FROM last_run();

-- the policy was dropped, and set again
SELECT sdc_policy_drop('z');
SELECT set_policy('turnover.z_public');
INSERT INTO load SELECT id + 1000, v FROM whole;
INSERT INTO load SELECT id + 2000, v FROM whole WHERE id <= 100;
CALL sdc_run('z');
SELECT *, (SELECT count(*) FROM z_public) AS published FROM last_run();
DELETE FROM load WHERE id > 600;
CALL sdc_run('z');
SELECT * FROM last_run();

-- the release has another name
SELECT last_release() AS release
\gset
ALTER TABLE :"release" RENAME TO other;
DELETE FROM load WHERE id < 500;
CALL sdc_run('z');
SELECT *, (SELECT count(*) FROM z_public) AS published FROM last_run();

-- the source is another one, which readers see under the same name; under another name it is something new
CREATE TABLE fewer AS SELECT * FROM whole WHERE id <= 300;
ALTER TABLE fewer ADD PRIMARY KEY (id);
SELECT set_policy('turnover.z_public', 'fewer');
CALL sdc_run('z');
SELECT * FROM last_run();
SELECT set_policy('turnover.fewer_public', 'fewer');
CALL sdc_run('z');
SELECT * FROM last_run();

-- under another name it is nothing new if the policy goes on with its source
SELECT set_policy('turnover."Fewer"', 'fewer');
SELECT last_release() AS release
\gset
DROP TABLE :"release";
DELETE FROM fewer WHERE id > 100;
CALL sdc_run('z');
SELECT * FROM last_run();

-- somebody has published 600 by hand
SELECT count(*) FROM sdc_protect('whole', '[{"method": "rankswap", "columns": ["v"], "p": 20}]', 'by_hand', omit => '{id}');
SELECT count(*) FROM sdc_publish('by_hand', 'turnover."Fewer"', force => true);
CALL sdc_run('z');
SELECT * FROM last_run();

-- it is intended: with a limit, or without one
SELECT set_policy('turnover."Fewer"', 'fewer', '{"people_found": 100, "max_gone": 90, "max_new": null}');
CALL sdc_run('z');
SELECT * FROM last_run();
-- what has come and gone is of the moment it was published
SELECT set_policy('turnover."Fewer"', 'fewer', '{"people_found": 100, "max_gone": 5, "max_new": 5}');
SELECT count(*) FROM sdc_check('z') WHERE problem !~ 'has warned';
SELECT sdc_policy_drop('z');
CREATE TABLE fresh AS TABLE whole;
ALTER TABLE fresh ADD PRIMARY KEY (id);
SELECT set_policy('turnover.fresh_public', 'fresh', '{"people_found": 100, "max_gone": 5, "max_new": 50}');
CALL sdc_run('z');
SELECT *, (SELECT count(*) FROM sdc_check('z')) AS problems FROM last_run();
SELECT sdc_policy_drop('z');

-- a warning names the release that had the records
ALTER TABLE whole ADD PRIMARY KEY (id);
SELECT sdc_policy_set('z', 'turnover.whole', '[{"method": "rankswap", "columns": ["v"], "p": 20, "continued": true}]', 'turnover.whole_public',
	limits => '{"people_found": 100}');
CALL sdc_run('z');
SELECT split_part(release, '.', 2) AS before FROM sdc_runs WHERE policy = 'z' ORDER BY run DESC LIMIT 1
\gset
DELETE FROM whole WHERE id <= 400;
CALL sdc_run('z');
SELECT *, (SELECT count(*) FROM whole_public) AS published FROM last_run();
SELECT replace(w, :'before', 'before') AS warning FROM (SELECT warnings FROM sdc_runs WHERE policy = 'z' ORDER BY run DESC LIMIT 1) AS r, unnest(r.warnings) AS w WHERE w ~ 'are gone';
-- what was rejected stays a problem while the policy is paused, and after that; what was warned of stays one while it is published
CREATE FUNCTION problems() RETURNS TABLE (problem text) LANGUAGE sql AS $$
	SELECT regexp_replace(regexp_replace(c.problem, '(_run_|run )[0-9]+', '\1N', 'g'), ': .*', '') FROM sdc_check('z') AS c ORDER BY 1
$$;
SELECT sdc_policy_alter('z', paused => true);
CALL sdc_run('z');
SELECT status FROM last_run();
SELECT DISTINCT problem FROM problems();
SELECT sdc_policy_alter('z', paused => false);
SELECT DISTINCT problem FROM problems();
SELECT sdc_policy_alter('z', limits => '{"max_gone": null}');
CALL sdc_run('z');
SELECT DISTINCT problem FROM problems();
CALL sdc_run('z');
SELECT status FROM last_run();
SELECT DISTINCT problem FROM problems();
-- after another pause there is nothing to do, also where every run draws anew
SELECT sdc_policy_drop('z');
SELECT set_policy('turnover.fresh_public', 'fresh');
CALL sdc_run('z');
SELECT sdc_policy_alter('z', paused => true), sdc_policy_alter('z', paused => false);
CALL sdc_run('z');
SELECT status, reason FROM last_run();

-- what is refused
SELECT a AS limits, helper.catch(format('SELECT sdc_policy_alter(''z'', limits => %L)', a)) FROM unnest(ARRAY['{"max_gnoe": null}', '{"max_gone": "many"}', '{"min_interval": null, "il": null, "max_new": null}']) AS a;
SELECT limits FROM sdc_policies WHERE policy = 'z';
SELECT helper.catch($$SELECT sdc_policy_alter('z', known => '{}')$$),
	helper.catch($$SELECT sdc_policy_set('z', 'turnover.fresh', '[{"method": "rankswap", "columns": ["v"], "p": 20}]', 'turnover.fresh_public', limits => '{"people_found": 100}', known => '{}')$$);
SELECT sdc_policy_alter('z', approve => true, on_unchanged => 'publish');
CALL sdc_run('z');
SELECT run AS waits FROM sdc_runs WHERE policy = 'z' ORDER BY run DESC LIMIT 1
\gset
SELECT helper.catch(format('SELECT sdc_reject(%s, %L)', :waits, why)) FROM unnest(ARRAY['', E' \t', NULL]) AS why;
SELECT status FROM last_run();
SELECT sdc_reject(:waits, 'no');
SELECT status FROM last_run();
-- the statement of a policy that is paused keeps it so, and so does setting it again
SELECT sdc_policy_alter('z', paused => true);
CREATE TABLE kept AS SELECT p.* FROM sdc_policies AS p WHERE policy = 'z';
SELECT substring(statement FROM '; (.*)') AS after FROM kept;
SELECT sdc_policy_drop('z');
SET client_min_messages = notice;
SELECT statement FROM kept
\gexec
SELECT count(*) FROM (SELECT to_jsonb(k) FROM kept AS k INTERSECT SELECT to_jsonb(p) FROM sdc_policies AS p WHERE policy = 'z') AS same;
SELECT set_policy('turnover.fresh_public', 'fresh');
SET client_min_messages = error;
SELECT paused FROM sdc_policies WHERE policy = 'z';
SELECT sdc_policy_alter('z', paused => false);
SELECT paused, statement ~ 'paused' AS said FROM sdc_policies WHERE policy = 'z';
SELECT sdc_policy_drop('z');
\set VERBOSITY default
DROP SCHEMA turnover CASCADE;
