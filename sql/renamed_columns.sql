--
-- renamed_columns
--
-- Several releases of a source whose columns were renamed, dropped or added in between: a column is followed by what it
-- was, and where releases cannot be compared the error says which release and column, and how to go on.
--
\pset format unaligned
\pset footer off
SET max_parallel_workers_per_gather = 0;	-- many calls, which are not about plans
SET max_parallel_maintenance_workers = 0;
CREATE SCHEMA renamed;
SET search_path = renamed, public;
CREATE TABLE plain AS SELECT i AS id, i * 7919 % 1009 AS a, i * 104729 % 997 AS b, i % 3 AS g FROM generate_series(1, 120) AS i;
ALTER TABLE plain ADD PRIMARY KEY (id);
SELECT count(*) FROM sdc_rankswap('plain', p => 10, columns => '{a,b}', keep => '{g}', target => 'plain_1', seed => 1);
CREATE TABLE before AS TABLE plain;
DELETE FROM plain WHERE id <= 5;
SELECT count(*) FROM sdc_rankswap('plain', p => 10, columns => '{a,b}', keep => '{g}', target => 'plain_2', seed => 2);

-- history makes a source with the records of plain, and its two releases, with some statements in between; both releases are those of plain.
CREATE FUNCTION history(name text, change text, names text) RETURNS regclass[] LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('CREATE TABLE %1$I AS TABLE before; ALTER TABLE %1$I ADD PRIMARY KEY (id); CREATE TABLE %2$I AS TABLE plain_1', name, name || '_1');
	PERFORM sdc_register(name::regclass, (name || '_1')::regclass, '{a,b}', '{id}', 'rankswap', '{"p": 10}');
	EXECUTE format('DELETE FROM %I WHERE id <= 5', name);
	EXECUTE format(change, name);
	EXECUTE format('CREATE TABLE %I (%s) AS TABLE plain_2', name || '_2', names);
	PERFORM sdc_register(name::regclass, (name || '_2')::regclass, (string_to_array(names, ', '))[2:3]::name[], array[(string_to_array(names, ', '))[1]]::name[], 'rankswap', '{"p": 10}');
	RETURN ARRAY[name || '_1', name || '_2'];
END $$;
-- told is all that the two tell, of columns by their places.
CREATE FUNCTION told(releases regclass[], known name[] DEFAULT NULL, sensitive name[] DEFAULT NULL) RETURNS text LANGUAGE sql
RETURN (SELECT md5(string_agg(format('%s %s %s %s %s %s %s %s %s', attack, release = releases[1], targets, percent, candidates, inside, guess, error, wrong), ';' ORDER BY attack, release = releases[1], percent))
	FROM public.sdc_link_releases(releases, known, NULL, NULL, sensitive)) || (SELECT c::text FROM sdc_private.composition(releases, known, NULL, NULL) AS c)
	|| (SELECT string_agg(format('%s %s %s %s %s %s', side, appeared, vanished, cells, exposed, partners_exposed), ';' ORDER BY attribute IS NULL, side, appeared, vanished, cells, exposed)
		FROM public.sdc_compare_releases(releases[1], releases[2], known) WHERE attribute IS NULL);
SELECT count(*) FROM history('same', 'SELECT', 'id, a, b, g');
CREATE TABLE twin AS SELECT told('{same_1,same_2}') AS told, told('{same_1,same_2}', '{a}') AS one, told('{same_1,same_2}', '{a}', '{g}') AS sensitive;
SELECT told <> one AS differ, one <> sensitive AS sensitive FROM twin;
-- renamed, exchanged, the key too, and a copied column; a column that was made anew under its name
SELECT told(history('new_name', 'ALTER TABLE %I RENAME b TO c', 'id, a, c, g')) = told AS same FROM twin;
SELECT told(history('exchanged', 'ALTER TABLE %1$I RENAME b TO c; ALTER TABLE %1$I RENAME a TO b; ALTER TABLE %1$I RENAME c TO a', 'id, b, a, g')) = told AS same FROM twin;
SELECT told('{exchanged_1,exchanged_2}', '{b}') = one AS one FROM twin;
SELECT told(history('keyed', 'ALTER TABLE %1$I RENAME id TO number; ALTER TABLE %1$I RENAME a TO id', 'number, id, b, g')) = told AS same FROM twin;
SELECT count(*) FROM history('copied', 'ALTER TABLE %I RENAME g TO h', 'id, a, b, h');
SELECT told('{copied_1,copied_2}', '{a}', '{h}') = sensitive AS same, told('{copied_1,copied_2}') = told AS all FROM twin;
SELECT told(history('anew', 'ALTER TABLE %1$I ADD c int; UPDATE %1$I SET c = b; ALTER TABLE %1$I DROP b; ALTER TABLE %1$I RENAME c TO b', 'id, a, b, g')) = told AS same FROM twin;
-- renamed after both
SELECT count(*) FROM history('later', 'SELECT', 'id, a, b, g');
ALTER TABLE later RENAME a TO other;
SELECT told('{later_1,later_2}') = told AS same FROM twin;

-- a column of before is not another one that has its name now, and a new one has none before
SELECT count(*) FROM history('taken', 'ALTER TABLE %1$I RENAME b TO old; ALTER TABLE %1$I ADD b int; UPDATE %1$I SET b = old', 'id, a, b, g');
SELECT helper.catch($$SELECT told('{taken_1,taken_2}')$$);
SELECT told('{taken_1,taken_2}', '{a}') = one AS one FROM twin;
SELECT count(*) FROM history('more', 'ALTER TABLE %1$I ADD c int; UPDATE %1$I SET c = b; ALTER TABLE %1$I DROP b', 'id, a, c, g');
SELECT helper.catch($$SELECT told('{more_1,more_2}')$$), helper.catch($$SELECT * FROM sdc_private.composition('{more_1,more_2}', NULL, NULL, NULL)$$);
SELECT count(*) FROM history('typed', 'SELECT', 'id, a, b, g');
ALTER TABLE typed ALTER b TYPE bigint;
ALTER TABLE typed_2 ALTER b TYPE bigint;
SELECT helper.catch($$SELECT told('{typed_1,typed_2}')$$), helper.catch($$SELECT * FROM sdc_private.composition('{typed_1,typed_2}', NULL, NULL, NULL)$$);
SELECT count(*) FROM history('key', 'ALTER TABLE %1$I ADD number int; UPDATE %1$I SET number = id', 'number, a, b, g');
SELECT helper.catch($$SELECT told('{key_1,key_2}')$$), helper.catch($$SELECT * FROM sdc_private.composition('{key_1,key_2}', NULL, NULL, NULL)$$);

-- Policies go on, or say how.
\set VERBOSITY sqlstate
CREATE FUNCTION set_policy(columns text) RETURNS void LANGUAGE sql
RETURN public.sdc_policy_set('renamed', 'renamed.plain', format('[{"method": "rankswap", "columns": [%s], "p": 20}]', columns)::jsonb, 'renamed.plain_public', keep => '{g}',
	limits => '{"people_found": 100, "composed_people_found": 100, "exposed": 100}', history => 3);
CREATE VIEW last AS SELECT status, reason, detail, hint FROM sdc_runs WHERE policy = 'renamed' ORDER BY run DESC LIMIT 1;
SELECT set_policy('"a", "b"');
CALL sdc_run('renamed');
ALTER TABLE plain RENAME b TO c;
SELECT set_policy('"a", "c"');
CALL sdc_run('renamed');
TABLE last;
SELECT sdc_withdraw('plain_public', 'a column has another name');
CALL sdc_run('renamed');
TABLE last;
-- a new column: the error says which release, and without it the policy goes on
ALTER TABLE plain ADD d int;
UPDATE plain SET d = id * 31 % 119;
SELECT set_policy('"a", "c", "d"');
SELECT sdc_withdraw('plain_public', 'a column is new');
CALL sdc_run('renamed');
SELECT status, regexp_replace(reason, '\d+', 'N', 'g') AS reason, regexp_replace(hint, '\d+', 'N', 'g') AS hint FROM last;
DO $$
DECLARE
	r text;
BEGIN
	FOR r IN SELECT release FROM public.sdc_releases WHERE release::text ~ '^renamed_run_' LOOP
		EXECUTE 'DROP TABLE ' || r;
	END LOOP;
END $$;
CALL sdc_run('renamed');
SELECT status FROM last;
-- and then a column that goes
SELECT sdc_policy_set('renamed', 'renamed.plain', '[{"method": "rankswap", "columns": ["a", "d"], "p": 20}]', 'renamed.plain_public', keep => '{g}', omit => '{c}',
	limits => '{"people_found": 100, "composed_people_found": 100, "exposed": 100}', history => 3);
SELECT sdc_withdraw('plain_public', 'a column goes');
CALL sdc_run('renamed');
SELECT status FROM last;
SELECT sdc_policy_drop('renamed');
DROP SCHEMA renamed CASCADE;
