--
-- nights
--
-- What a scheduled policy meets: sources that are loaded in part, publications that somebody has changed, errors and
-- warnings that nobody reads, changes of one limit, and what is left when a policy or a publication goes.
--
\pset format unaligned
\pset footer off
CREATE SCHEMA nights;
SET search_path = nights, public;
CREATE ROLE regress_nights_reader;
CREATE ROLE regress_nights_approver;
CREATE ROLE regress_nights_stranger;
GRANT USAGE ON SCHEMA nights TO regress_nights_reader, regress_nights_approver, regress_nights_stranger;

CREATE TABLE load AS SELECT i AS id, helper.uniform(i, 1) AS inc, helper.uniform(i, 2) AS wealth, i % 3 AS grp FROM generate_series(1, 1000) AS i;
ALTER TABLE load ADD PRIMARY KEY (id);
CREATE TABLE whole AS TABLE load;
CREATE FUNCTION set_policy(policy name, continued boolean, limits jsonb) RETURNS void LANGUAGE sql AS $$
	SELECT sdc_policy_set(policy, 'nights.load', jsonb_build_array(jsonb_build_object('method', 'rankswap', 'columns', '["inc", "wealth"]'::jsonb, 'p', 20)
		|| CASE WHEN continued THEN '{"continued": true}' ELSE '{}' END::jsonb), 'nights.' || policy || '_public', keep => '{grp}', limits => limits)
$$;
-- last_run shows the last run of a policy, with its numbers as they are
CREATE FUNCTION last_run(of name, OUT status text, OUT reason text) LANGUAGE sql AS $$
	SELECT r.status, regexp_replace(r.reason, '(_run_|run )[0-9]+', '\1N', 'g') FROM sdc_runs AS r WHERE r.policy = $1 ORDER BY r.run DESC LIMIT 1
$$;

-- a quarter of the records that is gone stops a night, a few do not; keys that are all new do; and twice as many do not by themselves
SELECT set_policy('kept', true, '{"people_found": 100}'), set_policy('drawn', false, '{"people_found": 100}');
CALL sdc_run('kept');
CALL sdc_run('drawn');
\set VERBOSITY sqlstate
DELETE FROM load WHERE id <= 250;
CALL sdc_run('kept');
CALL sdc_run('drawn');
SELECT (last_run('kept')).*, (SELECT count(*) FROM kept_public) AS published;
SELECT (last_run('drawn')).*, (SELECT count(*) FROM drawn_public) AS published;
SELECT problem ~ 'max_gone: 250 records are gone' AS told FROM sdc_check('kept') WHERE problem ~ 'rejected';
INSERT INTO load SELECT * FROM whole WHERE id <= 220;
CALL sdc_run('kept');
CALL sdc_run('drawn');
SELECT (last_run('kept')).*, (last_run('drawn')).status, (SELECT count(*) FROM kept_public) AS published;
TRUNCATE load;
INSERT INTO load SELECT id + 10000, inc, wealth, grp FROM whole;
CALL sdc_run('drawn');
SELECT (last_run('drawn')).reason;
SELECT sdc_policy_alter('drawn', '{"max_gone": null, "max_new": null}');
CALL sdc_run('drawn');
SELECT (last_run('drawn')).*;
TRUNCATE load;
INSERT INTO load TABLE whole;
SELECT sdc_policy_drop('drawn');

-- what was published is compared: rows, accuracy, columns, readers; what was found is in the log, and is replaced
SELECT sdc_policy_alter('kept', grant_to => '{regress_nights_reader}', limits => '{"max_gone": null}');
CALL sdc_run('kept');
CALL sdc_run('kept');
SELECT (last_run('kept')).status;
CREATE FUNCTION tampered(statement text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE statement;
	RETURN (SELECT string_agg(regexp_replace(c.problem, 'run [0-9]+', 'run N'), '; ') FROM sdc_check('kept') AS c WHERE c.problem !~ 'has warned');
END
$$;
SELECT tampered('DELETE FROM kept_public WHERE ctid IN (SELECT ctid FROM kept_public LIMIT 1)');
CALL sdc_run('kept');
SELECT (last_run('kept')).*, (SELECT count(*) FROM kept_public) AS published;
SELECT tampered('UPDATE kept_public SET inc = inc + 1 WHERE ctid IN (SELECT ctid FROM kept_public LIMIT 1)');
CALL sdc_run('kept');
SELECT (last_run('kept')).*;
SELECT tampered('DELETE FROM kept_public_accuracy');
CALL sdc_run('kept');
SELECT (last_run('kept')).*, (SELECT count(*) > 5 FROM kept_public_accuracy) AS there;
SELECT tampered('REVOKE SELECT ON kept_public FROM regress_nights_reader');
CALL sdc_run('kept');
SELECT (last_run('kept')).*, has_table_privilege('regress_nights_reader', 'kept_public', 'SELECT') AS reads;
SELECT tampered('ALTER TABLE kept_public DROP COLUMN wealth');
CALL sdc_run('kept');
SELECT (last_run('kept')).*, (SELECT string_agg(attname, ' ' ORDER BY attnum) FROM pg_attribute WHERE attrelid = 'kept_public'::regclass AND attnum > 0 AND NOT attisdropped) AS columns,
	has_table_privilege('regress_nights_reader', 'kept_public', 'SELECT') AS reads;
SELECT tampered('ALTER TABLE kept_public_accuracy ALTER value TYPE real');
CALL sdc_run('kept');
SELECT (last_run('kept')).*, (SELECT format_type(atttypid, NULL) FROM pg_attribute WHERE attrelid = 'kept_public_accuracy'::regclass AND attname = 'value') AS type,
	(SELECT count(*) FROM kept_public) AS published;
CALL sdc_run('kept');
SELECT (last_run('kept')).status;

-- an error with its detail, and warnings; what somebody's function says is not in the record
ALTER TABLE load ALTER inc TYPE numeric USING inc::numeric;
CALL sdc_run('kept');
SELECT status, detail, hint IS NOT NULL AS hint, sdc_release_record(run) ->> 'detail' AS in_record FROM sdc_runs WHERE policy = 'kept' ORDER BY run DESC LIMIT 1;
CREATE VIEW telling AS SELECT id, inc, CASE WHEN id = 7 THEN (wealth::text || ' is a value')::float8 ELSE wealth END AS wealth, grp FROM load;
SELECT sdc_policy_set('telling', 'nights.telling', '[{"method": "rankswap", "columns": ["inc", "wealth"], "p": 20}]', 'nights.telling_public', key => '{id}', keep => '{grp}', limits => '{"people_found": 100}');
CALL sdc_run('telling');
SELECT status, reason ~ 'is a value' AS in_log, sdc_release_record(run) ? 'reason' AS in_record FROM sdc_runs WHERE policy = 'telling';
SELECT sdc_policy_set('few', 'nights.load', '[{"method": "rankswap", "columns": ["inc"], "p": 20}]', 'nights.few_public', keep => '{grp}', omit => '{wealth}', limits => '{"people_found": 100}', on_unchanged => 'publish');
CALL sdc_run('few');
CALL sdc_run('few');
SELECT cardinality(warnings) > 0 AS warned, warnings[1] ~ 'draw \d+ from mostly the same records' AS first FROM sdc_runs WHERE policy = 'few' ORDER BY run DESC LIMIT 1;

-- one limit, and a pause
SELECT sdc_policy_alter('few', '{"people_found": 99, "il": 500}');
SELECT limits, paused FROM sdc_policies WHERE policy = 'few';
SELECT sdc_policy_alter('few', '{"il": null}', paused => true);
SELECT limits, paused, statement ~ 'paused' AS in_statement FROM sdc_policies WHERE policy = 'few';
CALL sdc_run('few');
SELECT (last_run('few')).*;
SELECT problem FROM sdc_check('few') WHERE problem !~ 'has warned';
SELECT helper.catch($$SELECT sdc_policy_alter(NULL)$$), helper.catch($$SELECT sdc_policy_alter('none such')$$), helper.catch($$SELECT sdc_policy_alter('few', '[1]')$$),
	helper.catch($$SELECT sdc_policy_alter('few', '{"people_found": null}')$$), helper.catch($$SELECT sdc_policy_alter('few', history => 0)$$);
SELECT DISTINCT checked FROM sdc_check() ORDER BY 1;

-- limits are kept within a part in 1e9, and messages tell numbers apart
SELECT (sdc_private.gate('{"judged": {"people_found": 20.000000000000004, "l": 2.9999999999999996}}', '{"people_found": 20, "l": 3}')).kept;
SELECT (sdc_private.gate('{"judged": {"people_found": 20.0000001}}', '{"people_found": 20}')).kept, sdc_private.told_apart(20.0000001, 20, 4), sdc_private.told_apart(21.23456, 20, 1);

-- who may approve sees the report, and nothing else of it; others do not
SELECT sdc_policy_set('asked', 'nights.load', '[{"method": "rankswap", "columns": ["inc"], "p": 20}]', 'nights.asked_public', keep => '{grp}', omit => '{wealth}', limits => '{"people_found": 100}',
	approve => true, approvers => '{regress_nights_approver}');
CALL sdc_run('asked');
SELECT run AS waits FROM sdc_runs WHERE policy = 'asked' \gset
SET ROLE regress_nights_approver;
SELECT sdc_report(run => :waits) ~ '<h1>Release' AS inside, sdc_report(audience => 'external', run => :waits) ~ '<h1>Protected data' AS outside;
SELECT sha256 IS NULL AS hidden, salt IS NULL AS no_salt FROM sdc_runs WHERE run = :waits;
\set release asked_run_ :waits
SELECT count(*) FROM :"release";
SELECT sdc_report(:'release'::regclass);
SET ROLE regress_nights_stranger;
SELECT sdc_report(run => :waits);
RESET ROLE;
-- a policy that is another one by now, or is gone, is not approved
SELECT sdc_policy_alter('asked', '{"people_found": 99}');
SET SESSION AUTHORIZATION regress_nights_approver;
SELECT sdc_approve(:waits);
RESET SESSION AUTHORIZATION;
SELECT sdc_policy_alter('asked', '{"people_found": 100}');
SELECT sdc_policy_drop('asked');
SET SESSION AUTHORIZATION regress_nights_approver;
SELECT sdc_approve(:waits);
RESET SESSION AUTHORIZATION;
SELECT to_regclass(:'release') IS NOT NULL AS stays, problem ~ 'is left of a policy that was dropped' AS told FROM sdc_check() WHERE checked = 'asked';
SELECT sdc_reject(:waits, 'the policy is gone');
SELECT to_regclass(:'release') IS NOT NULL AS stays;

-- a policy goes with the releases of its runs, and a publication with its accuracy table; both tables say what they are
SELECT relname, obj_description(oid, 'pg_class') ~ CASE relname WHEN 'few_public' THEN '^Protected data.*few_public_accuracy' ELSE '^How exact' END AS described
FROM pg_class WHERE relname IN ('few_public', 'few_public_accuracy') ORDER BY 1;
SELECT sdc_policy_drop('few');
SELECT count(*) FROM pg_class WHERE relname ~ '^few_run_' AND relnamespace = 'nights'::regnamespace;
DROP TABLE few_public;
SELECT count(*) FROM pg_class WHERE relname ~ '^few_' AND relnamespace = 'nights'::regnamespace;
-- the record has the SHA-256 with a salt, which its owner can tell
SELECT sdc_release_record(run) ->> 'sha256_salted' = encode(sha256(convert_to(salt || sha256, 'UTF8')), 'hex') AS salted, sdc_release_record(run) ? 'sha256' AS plain
FROM sdc_runs WHERE status = 'published' AND policy = 'kept' ORDER BY run DESC LIMIT 1;

-- old runs can be pruned by their owner: not the last publication of a policy, nor what waits
SELECT count(*) > 10 AS before FROM sdc_runs;
SET ROLE regress_nights_stranger;
SELECT sdc_log_prune('infinity');
RESET ROLE;
SELECT sdc_log_prune('-infinity');
SELECT sdc_log_prune('infinity') > 10 AS pruned;
SELECT count(*) FILTER (WHERE status = 'published') > 0 AS published, count(*) FILTER (WHERE status IN ('failed', 'rejected', 'skipped')) AS others FROM sdc_runs WHERE policy = 'kept';
CALL sdc_run('kept');
SELECT helper.catch('SELECT sdc_log_prune(NULL)');
SELECT sdc_policy_drop(policy) FROM sdc_policies WHERE policy IN ('kept', 'telling');
\set VERBOSITY default
DROP SCHEMA nights CASCADE;
DROP OWNED BY regress_nights_reader, regress_nights_approver, regress_nights_stranger;
DROP ROLE regress_nights_reader, regress_nights_approver, regress_nights_stranger;
