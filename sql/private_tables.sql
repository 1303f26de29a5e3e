--
-- private_tables
--
-- Tables of the extension that have other columns than the library of the session knows, as after an update by another session: every function
-- says so, and none reads or writes a row.
--
\pset format unaligned
\pset footer off
CREATE SCHEMA private_tables;
SET search_path = private_tables, public;

CREATE TABLE t AS SELECT i AS id, i * 7 % 101 AS a, i * 11 % 97 AS b FROM generate_series(1, 100) AS i;
ALTER TABLE t ADD PRIMARY KEY (id);
SELECT count(*) FROM sdc_rankswap('t', p => 10, target => 'r', seed => 1);
SELECT count(*) FROM sdc_rankswap('t', p => 10, target => 'c', continued => true, seed => 1);
SELECT count(*) FROM sdc_evaluate('r');
SELECT records FROM sdc_publish('r', 'p', max_people_found => 100);
SELECT count(*) FROM sdc_policy_set('shapes', 't', '[{"method": "rankswap", "columns": ["a", "b"], "p": 10}]', 'private_tables.shaped', limits => '{"people_found": 100}');

-- What reads or writes any of them.
CREATE TABLE call (statement text);
INSERT INTO call VALUES ('SELECT count(*) FROM sdc_releases'), ('SELECT count(*) FROM sdc_publications'), ('SELECT count(*) FROM sdc_policies'), ('SELECT count(*) FROM sdc_runs'),
	('SELECT count(*) FROM sdc_score(''r'')'), ('SELECT count(*) FROM sdc_rankswap(''t'', p => 20, target => ''r'', replace => true)'),
	('SELECT count(*) FROM sdc_rankswap(''t'', p => 20, target => ''pg_temp.tt''); SELECT count(*) FROM sdc_evaluate(''pg_temp.tt'')'), ('SELECT count(*) FROM sdc_rankswap(''t'', p => 10, target => ''c'', continued => true, replace => true)'),
	('SELECT count(*) FROM sdc_rankswap(''t'', p => 10, target => ''pg_temp.tc'', continued => true)'), ('SELECT count(*) FROM sdc_evaluate(''r'')'),
	('SELECT count(*) FROM sdc_publish(''r'', ''p'', replace => true, max_people_found => 100)'), ('SELECT sdc_withdraw(''p'', ''x'')'), ('SELECT sdc_policy_drop(''shapes'')'), ('SELECT sdc_forget(''c'')'),
	('SELECT sdc_unregister(''r'')'), ('SELECT count(*) FROM sdc_check()'), ('DROP TABLE r'), ('DROP TABLE c'), ('SELECT sdc_policy_alter(''shapes'', paused => true)');

-- tried calls all of them after a statement about a table, which is undone, and returns the SQLSTATEs that they had.
CREATE FUNCTION tried(change text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	states text[] := '{}';
	each text;
BEGIN
	BEGIN
		EXECUTE change;
		FOR each IN SELECT statement FROM call LOOP
			BEGIN
				EXECUTE each;
				RAISE EXCEPTION USING ERRCODE = 'T0000';
			EXCEPTION WHEN OTHERS THEN
				states := states || CASE SQLSTATE WHEN 'T0000' THEN 'done' ELSE SQLSTATE END;
			END;
		END LOOP;
		RAISE EXCEPTION USING ERRCODE = 'T0001';
	EXCEPTION WHEN SQLSTATE 'T0001' THEN
		RETURN (SELECT string_agg(DISTINCT s, ' ' ORDER BY s) FROM unnest(states) AS s);
	WHEN object_not_in_prerequisite_state THEN
		RETURN 'not changed: ' || SQLSTATE;
	END;
END
$$;
SELECT tried('SELECT 1') AS as_they_are;
SELECT relname, tried(format('ALTER TABLE %s ADD COLUMN more int', c.oid::regclass)) AS a_column_more,
	tried(format('ALTER TABLE %s ADD COLUMN more int; ALTER TABLE %1$s DROP COLUMN more', c.oid::regclass)) AS and_dropped,
	tried(format('ALTER TABLE %s ADD COLUMN a int, ADD COLUMN b bytea, ADD COLUMN c text DEFAULT repeat(''x'', 5000)', c.oid::regclass)) AS three_more
FROM pg_class AS c WHERE relnamespace = 'sdc_private'::regnamespace AND relkind = 'r' ORDER BY relname COLLATE "C";
SELECT replace(helper.catch('ALTER TABLE sdc_private.sdc_release_catalog ADD COLUMN more int; SELECT count(*) FROM sdc_releases'), sdc_version(), 'THIS');
SELECT count(*) FROM sdc_releases WHERE release = 'r'::regclass;

-- Every column with another type, and dropped: what opens the table says so, and so does what restores a row.
SELECT count(*) FROM sdc_rankswap('t', p => 20, target => 'pg_temp.tt', seed => 1);
SELECT count(*) FROM sdc_evaluate('pg_temp.tt');
SELECT count(*) FROM sdc_rankswap('t', p => 10, target => 'pg_temp.tc', continued => true, seed => 1);
CREATE TABLE opening (name text, statement text);
INSERT INTO opening VALUES ('sdc_release_catalog', 'SELECT count(*) FROM sdc_releases'), ('sdc_temporary_catalog', 'SELECT count(*) FROM sdc_releases'), ('sdc_release_catalog', 'SELECT sdc_unregister(''r'')'), ('sdc_temporary_catalog', 'SELECT sdc_unregister(''tt'')'),
	('sdc_publication_catalog', 'SELECT count(*) FROM sdc_publications'), ('sdc_publication_catalog', 'SELECT sdc_withdraw(''p'', ''x'')'), ('sdc_evaluation_catalog', 'SELECT count(*) FROM sdc_evaluate(''r'')'),
	('sdc_temporary_evaluations', 'SELECT count(*) FROM sdc_evaluate(''tt'')'), ('sdc_state_catalog', 'SELECT sdc_forget(''c'')'), ('sdc_state_catalog', 'SELECT count(*) FROM sdc_private.state_dump()'),
	('sdc_temporary_states', 'SELECT sdc_forget(''tc'')'), ('sdc_secret', 'SELECT sdc_confirm_source(''r'')'), ('sdc_policy_catalog', 'SELECT count(*) FROM sdc_policies'), ('sdc_policy_catalog', 'SELECT sdc_policy_alter(''shapes'', paused => true)'),
	('sdc_policy_catalog', 'SELECT sdc_policy_drop(''shapes'')'), ('sdc_run_log', 'SELECT count(*) FROM sdc_runs'), ('sdc_run_log', 'SELECT sdc_withdraw(''p'', ''x'')');
INSERT INTO opening SELECT relname, format('INSERT INTO %s DEFAULT VALUES', c.oid::regclass) FROM pg_class AS c JOIN pg_trigger AS t ON t.tgrelid = c.oid WHERE relnamespace = 'sdc_private'::regnamespace;
CREATE TABLE all_calls AS TABLE call;
-- tried_as makes those calls after a statement about a table that open it, or without a table all calls.
CREATE FUNCTION tried_as(relation name, change text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	DELETE FROM call;
	INSERT INTO call SELECT statement FROM opening WHERE name = relation UNION ALL SELECT statement FROM all_calls WHERE relation IS NULL;
	-- another test can have made functions that keep columns as they are
	RETURN tried((SELECT COALESCE(string_agg(DISTINCT format('DROP FUNCTION IF EXISTS %s; ', d.objid::regprocedure), ''), '') FROM pg_depend AS d JOIN pg_class AS c ON c.oid = d.refobjid AND c.relnamespace = 'sdc_private'::regnamespace
		WHERE d.classid = 'pg_proc'::regclass AND NOT EXISTS (SELECT FROM pg_depend AS e WHERE e.classid = d.classid AND e.objid = d.objid AND e.deptype = 'e')) || change);
END
$$;
SELECT c.relname, count(*) AS columns, string_agg(DISTINCT tried_as(relname, format('ALTER TABLE %s ALTER %I DROP DEFAULT, ALTER %2$I TYPE %s', c.oid::regclass, attname, CASE atttypid WHEN 'text'::regtype THEN format('int USING length(%I)', attname) ELSE 'text' END)), ' ') AS another_type,
	string_agg(DISTINCT tried_as(relname, format('ALTER TABLE %s DROP COLUMN %I', c.oid::regclass, attname)), ', ') AS dropped
FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid WHERE relnamespace = 'sdc_private'::regnamespace AND relkind = 'r' AND attnum > 0 GROUP BY c.relname ORDER BY c.relname COLLATE "C";
-- All calls have an error of that kind, or what they ask for.
DROP TABLE tt, tc;
SELECT c.relname, tried_as(NULL, format('ALTER TABLE %s ALTER %I TYPE text', c.oid::regclass, attname)) AS another_type, tried_as(NULL, format('ALTER TABLE %s DROP COLUMN %I', c.oid::regclass, attname)) AS dropped
FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid WHERE relnamespace = 'sdc_private'::regnamespace AND relkind = 'r' AND attnum = CASE WHEN relnatts < 4 THEN 1 WHEN relnatts = 4 THEN 3 ELSE 4 END ORDER BY c.relname COLLATE "C";
SELECT helper.catch('ALTER TABLE sdc_private.sdc_policy_catalog ALTER definition TYPE text; SELECT count(*) FROM sdc_policies');
SELECT helper.catch('ALTER TABLE sdc_private.sdc_publication_catalog DROP COLUMN mode; SELECT count(*) FROM sdc_publications');
SELECT helper.catch('ALTER TABLE sdc_private.sdc_state_dump ALTER part TYPE text; INSERT INTO sdc_private.sdc_state_dump DEFAULT VALUES');
-- What every DROP calls, and a dump, works with a column more of another version, but for a dump of private states, which keep their columns.
DELETE FROM call;
INSERT INTO call VALUES ('CREATE TABLE dropped (); DROP TABLE dropped');
SELECT relname, tried(format('ALTER TABLE %s ADD COLUMN more int', c.oid::regclass)) AS drop FROM pg_class AS c WHERE relnamespace = 'sdc_private'::regnamespace AND relkind = 'r' ORDER BY relname COLLATE "C";
DELETE FROM call;
INSERT INTO call VALUES ('SELECT count(*) FROM sdc_private.state_dump()');
SELECT relname, tried(format('ALTER TABLE %s ADD COLUMN more int', c.oid::regclass)) AS dump FROM pg_class AS c WHERE relnamespace = 'sdc_private'::regnamespace AND relkind = 'r' ORDER BY relname COLLATE "C";
SELECT sdc_policy_drop('shapes');
DROP SCHEMA private_tables CASCADE;
