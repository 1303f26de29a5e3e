--
-- privileges
--
-- Everything runs with the caller's rights: who may not read a column cannot protect it,
-- who may not create a table cannot make a release, and nobody sees what is known of a table
-- that he may not read.
--
\pset format unaligned
\pset footer off
CREATE ROLE regress_sdc_owner;
CREATE ROLE regress_sdc_reader;
CREATE ROLE regress_sdc_column;
CREATE ROLE regress_sdc_nobody;
CREATE SCHEMA priv AUTHORIZATION regress_sdc_owner;
GRANT USAGE ON SCHEMA priv TO regress_sdc_reader, regress_sdc_column, regress_sdc_nobody;
GRANT USAGE ON SCHEMA helper TO PUBLIC;
CREATE SCHEMA priv_own AUTHORIZATION regress_sdc_reader;
CREATE SCHEMA priv_column AUTHORIZATION regress_sdc_column;
SELECT helper.make_people('priv.person', 60);
ALTER TABLE priv.person OWNER TO regress_sdc_owner;

SET ROLE regress_sdc_owner;
SELECT count(*) FROM sdc_rankswap('priv.person', p => 5, seed => 1);
SELECT sdc_classify('priv.person', 'job', 'sensitive');
GRANT SELECT ON priv.person TO regress_sdc_reader;
GRANT SELECT (id, age, income, region) ON priv.person TO regress_sdc_column;
SELECT release, created_by FROM sdc_releases WHERE source = 'priv.person'::regclass;

\pset tuples_only on
-- no privilege on the source
SET ROLE regress_sdc_nobody;
SELECT helper.catch($$SELECT * FROM sdc_rankswap('priv.person', p => 5, seed => 1, target => 'pg_temp.p')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('priv.person'::regclass, p => 5, seed => 1, target => 'pg_temp.p')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap(NULL::priv.person, p => 5, seed => 1)$$);
SELECT helper.catch($$SELECT sdc_classify('priv.person', 'age', 'public')$$);
SELECT helper.catch($$SELECT sdc_classify('priv.person', 'nothing', 'public')$$);
SELECT helper.catch($$SELECT sdc_register('priv.person', 'priv.person_rankswap', '{age}', '{id}')$$);
SELECT helper.catch($$SELECT sdc_unregister('priv.person_rankswap')$$);
-- no privilege on the schema
RESET ROLE;
CREATE SCHEMA priv_closed;
CREATE TABLE priv_closed.t AS SELECT 1 AS id, 2 AS a;
GRANT SELECT ON priv_closed.t TO PUBLIC;
SET ROLE regress_sdc_nobody;
SELECT helper.catch($$SELECT * FROM sdc_rankswap('priv_closed.t', p => 5)$$);
RESET ROLE;
SELECT 'priv_closed.t'::regclass::oid AS closed, 'priv.person'::regclass::oid AS person \gset
SET ROLE regress_sdc_nobody;
SELECT helper.catch(format('SELECT * FROM sdc_rankswap(%s::regclass, p => 5, key => ''{id}'', target => ''pg_temp.p'')', :closed));
SELECT helper.catch(format('SELECT * FROM sdc_kanonymity(%s, ''{a}'')', :closed));
-- nor where a stranger's table is read with the stranger's rights, whatever the function
RESET ROLE;
CREATE SCHEMA priv_shut AUTHORIZATION regress_sdc_owner;
CREATE TABLE priv_shut.t AS SELECT i AS id, i % 5 AS a, i % 3 AS b FROM generate_series(1, 30) AS i;
ALTER TABLE priv_shut.t OWNER TO regress_sdc_owner;
GRANT SELECT ON priv_shut.t TO regress_sdc_nobody;
SELECT 'priv_shut.t'::regclass::oid AS shut \gset
SET ROLE regress_sdc_nobody;
SELECT helper.catch(format('SELECT FROM sdc_' || call, :shut)) AS error, string_agg(split_part(call, '(', 1), ' ' ORDER BY call)
FROM unnest(ARRAY[$$kanonymity(%s, '{a}')$$, $$ldiversity(%s, '{a}', '{b}')$$, $$frequent_itemsets(%s, '{a,b}')$$, $$chi_square(%s, '{a,b}')$$, $$rankswap(%s::regclass, p => 5, key => '{id}', target => 'pg_temp.p')$$,
	$$randomize(%s::regclass, '{a}', key => '{id}', target => 'pg_temp.p')$$]) AS call GROUP BY 1;
RESET ROLE;
GRANT USAGE ON SCHEMA priv_shut TO regress_sdc_nobody;
SET ROLE regress_sdc_nobody;
SELECT groups FROM sdc_kanonymity(:shut, '{a}');

-- SELECT on the source, but no place of one's own: the default target is in the owner's schema
SET ROLE regress_sdc_reader;
SELECT helper.catch($$SELECT * FROM sdc_rankswap('priv.person', p => 5, seed => 1)$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('priv.person', p => 5, seed => 1, target => 'priv.mine')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('priv.person', p => 5, seed => 1, replace => true)$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('priv.person', p => 5, seed => 1, target => 'priv_own.p')$$);
SELECT helper.check_release('priv_own.p');
SELECT tableowner FROM pg_tables WHERE schemaname = 'priv_own';
SELECT helper.catch($$SELECT * FROM sdc_rankswap('priv.person', p => 5, seed => 1, target => 'pg_temp.p')$$);
SELECT count(*) FROM sdc_rankswap(NULL::priv.person, p => 5, seed => 1);
-- what the table's owner says of it, only he may say
SELECT helper.catch($$SELECT sdc_classify('priv.person', 'age', 'public')$$);
SELECT helper.catch($$SELECT sdc_unregister('priv.person_rankswap')$$);
SELECT helper.catch($$SELECT sdc_register('priv.person', 'priv.person_rankswap', '{age}', '{id}')$$);
-- a release of one's own
CREATE TABLE priv_own.external AS SELECT id, age FROM priv.person;
SELECT helper.catch($$SELECT sdc_register('priv.person', 'priv_own.external', '{age}', '{id}')$$);

-- SELECT on some columns: the others have to be left out
SET ROLE regress_sdc_column;
SELECT helper.catch($$SELECT * FROM sdc_rankswap('priv.person', p => 5, seed => 1, target => 'priv_column.p')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('priv.person', p => 5, seed => 1, target => 'priv_column.p', omit => '{sex,weight,savings,born}')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('priv.person', p => 5, seed => 1, target => 'priv_column.p', omit => '{sex,weight,savings,born,job}')$$);
SELECT attribute, action FROM sdc_rankswap('priv.person', p => 5, seed => 2, target => 'priv_column.p', omit => '{sex,weight,savings,born,job}', replace => true);
SELECT columns, omitted FROM sdc_releases WHERE release = 'priv_column.p'::regclass;
SELECT count(*), count(age), count(job) FROM sdc_rankswap(NULL::priv.person, p => 5, seed => 1, omit => '{sex,weight,savings,born,job}');
-- nor may they form the strata or the key
SELECT helper.catch($$SELECT * FROM sdc_rankswap('priv.person', p => 5, seed => 1, target => 'priv_column.q', strata => '{sex}', omit => '{sex,weight,savings,born,job}')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('priv.person', p => 5, seed => 1, target => 'priv_column.q', key => '{born}', omit => '{sex,weight,savings,job}')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap(NULL::priv.person, p => 5, seed => 1, strata => '{sex}', omit => '{sex,weight,savings,born,job}')$$);
-- a registration reads key and protected columns only
CREATE TABLE priv_column.external AS SELECT id, age FROM priv.person;
SELECT helper.catch($$SELECT sdc_register('priv.person', 'priv_column.external', '{age}', '{id}')$$);
SELECT helper.catch($$SELECT sdc_register('priv.person', 'priv_column.external', '{weight}', '{id}')$$);

-- Who sees what: releases and classifications of what one may read, also in part.
SELECT release, source FROM sdc_releases WHERE source = :person ORDER BY release::text COLLATE "C";
SELECT relation, attribute, role FROM sdc_attributes WHERE relation = :person;
SET ROLE regress_sdc_reader;
SELECT release FROM sdc_releases WHERE source = :person ORDER BY release::text COLLATE "C";
SET ROLE regress_sdc_nobody;
SELECT count(*) FROM sdc_releases WHERE source = :person;
SELECT count(*) FROM sdc_attributes WHERE relation = :person;
SELECT helper.catch('SELECT FROM sdc_private.sdc_release_catalog'), helper.catch('SELECT FROM sdc_private.sdc_temporary_catalog');
-- and who is given the use of the schema gets no further
RESET ROLE;
GRANT USAGE ON SCHEMA sdc_private TO regress_sdc_nobody, regress_sdc_reader;
SET ROLE regress_sdc_nobody;
SELECT helper.catch('SELECT FROM sdc_private.sdc_release_catalog'), helper.catch('SELECT FROM sdc_private.sdc_temporary_catalog');
SELECT count(*) FROM sdc_progress;
-- a function in a condition sees no hidden row
CREATE FUNCTION pg_temp.peek(text) RETURNS boolean LANGUAGE plpgsql COST 0.0001 AS $$
BEGIN
	RAISE INFO 'saw %', $1;
	RETURN true;
END
$$;
SELECT count(*) FROM sdc_releases WHERE pg_temp.peek(method);
SELECT helper.catch('SELECT FROM sdc_private.sdc_release_catalog WHERE pg_temp.peek(method)');
-- the privilege is that of now
RESET ROLE;
REVOKE SELECT ON priv.person FROM regress_sdc_reader;
SET ROLE regress_sdc_reader;
SELECT count(*) FROM sdc_releases WHERE source = :person;
SELECT helper.catch($$SELECT * FROM sdc_rankswap('priv.person', p => 5, seed => 1, target => 'priv_own.p', replace => true)$$);
RESET ROLE;
GRANT SELECT ON priv.person TO regress_sdc_reader;

-- Nobody but the functions writes the catalog.
SET ROLE regress_sdc_reader;
SELECT helper.catch($$INSERT INTO sdc_private.sdc_release_catalog (release) VALUES ('priv_own.p')$$);
SELECT helper.catch($$INSERT INTO pg_seclabel VALUES ('priv_own.p'::regclass, 'pg_class'::regclass, 1, 'sdc', 'public')$$);
SELECT helper.catch($$SECURITY LABEL FOR sdc ON COLUMN priv.person.age IS 'public'$$);
SELECT helper.catch($$UPDATE sdc_private.sdc_release_catalog SET seeded = false$$);
SELECT helper.catch($$DELETE FROM sdc_private.sdc_release_catalog$$);
SELECT helper.catch($$TRUNCATE sdc_private.sdc_release_catalog$$);
SELECT helper.catch($$DELETE FROM sdc_releases$$);
SELECT helper.catch($$DELETE FROM sdc_attributes$$);
SELECT helper.catch($$ALTER TABLE sdc_private.sdc_release_catalog DISABLE ROW LEVEL SECURITY$$);
SELECT helper.catch($$CREATE TRIGGER t BEFORE INSERT ON sdc_private.sdc_release_catalog EXECUTE FUNCTION suppress_redundant_updates_trigger()$$);
SELECT helper.catch($$DROP TABLE sdc_private.sdc_release_catalog$$);
SELECT helper.catch(format(statement, r)) FROM unnest('{sdc_private.sdc_temporary_catalog,sdc_private.sdc_secret}'::text[]) AS r, unnest('{SELECT FROM %s,INSERT INTO %s DEFAULT VALUES,DELETE FROM %s,CREATE STATISTICS s ON (1) FROM %s,CREATE INDEX ON %s ((1))}'::text[]) AS statement;
-- what a caller cannot learn from the catalog: the checksum of columns he may not read
SELECT helper.catch($$SELECT checksum FROM sdc_private.sdc_release_catalog$$);
-- nor is the trigger's function his
SELECT helper.catch($$SELECT sdc_private.sdc_catalog_entered()$$), helper.catch($$CREATE TRIGGER t BEFORE INSERT ON priv_own.external FOR EACH ROW EXECUTE FUNCTION sdc_private.sdc_catalog_entered()$$);
-- nor anything of the plumbing but what is below views, with the rights of whoever reads these
SELECT p.proname FROM pg_proc AS p WHERE p.pronamespace = 'sdc_private'::regnamespace AND has_function_privilege(p.oid, 'EXECUTE') ORDER BY p.proname COLLATE "C";
SELECT c.relname FROM pg_class AS c WHERE c.relnamespace = 'sdc_private'::regnamespace AND c.relkind IN ('r', 'v', 'S') AND has_table_privilege(c.oid, 'SELECT, INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER') ORDER BY c.relname COLLATE "C";

-- A release that another role made: only its owner replaces, unregisters, reads it.
SET ROLE regress_sdc_column;
SELECT helper.catch($$SELECT * FROM sdc_rankswap('priv.person', p => 5, seed => 1, target => 'priv_own.p', omit => '{sex,weight,savings,born,job}', replace => true)$$);
SELECT helper.catch($$SELECT sdc_unregister('priv_own.p')$$);
RESET ROLE;
GRANT USAGE, CREATE ON SCHEMA priv_own TO regress_sdc_column;
SET ROLE regress_sdc_column;
SELECT helper.catch($$SELECT * FROM sdc_rankswap('priv.person', p => 5, seed => 1, target => 'priv_own.p', omit => '{sex,weight,savings,born,job}', replace => true)$$);
SELECT helper.catch($$SELECT sdc_unregister('priv_own.p')$$);
SELECT helper.catch($$SELECT count(*) FROM priv_own.p$$);
-- a member of the owner's role may
RESET ROLE;
GRANT regress_sdc_reader TO regress_sdc_nobody;
SET ROLE regress_sdc_nobody;
SELECT helper.catch($$SELECT * FROM sdc_rankswap('priv.person', p => 5, seed => 1, target => 'priv_own.p', replace => true)$$);
SELECT tableowner FROM pg_tables WHERE schemaname = 'priv_own' AND tablename = 'p';
-- with another layout it becomes a table of who made it
SELECT helper.catch($$SELECT * FROM sdc_rankswap('priv.person', p => 5, seed => 1, omit => '{born}', target => 'priv_own.p', replace => true)$$);
SELECT tableowner FROM pg_tables WHERE schemaname = 'priv_own' AND tablename = 'p';
SELECT created_by FROM sdc_releases WHERE release = 'priv_own.p'::regclass;
RESET ROLE;
REVOKE regress_sdc_reader FROM regress_sdc_nobody;

-- The catalog's rows are entered past the caller's rights, and nothing of that is left to him.
SET ROLE regress_sdc_reader;
SELECT current_user, session_user <> current_user AS role_set;
SELECT count(*) FROM sdc_rankswap('priv.person', p => 5, seed => 3, target => 'priv_own.r');
SELECT current_user;
SELECT helper.catch($$SELECT * FROM sdc_rankswap('priv.person', p => 5, columns => '{nothing}')$$) LIKE '42703%';
SELECT current_user;
SELECT helper.catch($$DELETE FROM sdc_private.sdc_release_catalog$$) LIKE '42501: permission denied for table%';

-- A view is read with its owner's rights, but functions in it and below run with the caller's, who must trust
-- all owners; a row type form in a view is read with the caller's.
RESET ROLE;
CREATE VIEW priv.open AS SELECT id, age FROM priv.person;
CREATE VIEW priv.form AS SELECT id, age FROM sdc_rankswap(NULL::priv.person, p => 5, seed => 1);
GRANT SELECT ON priv.open, priv.form TO regress_sdc_nobody;
SET ROLE regress_sdc_nobody;
SELECT helper.catch($$SELECT FROM sdc_rankswap('priv.open', p => 5, key => '{id}', seed => 1, target => 'pg_temp.o')$$);
SET sdc.trusted_owners = 'regress_sdc_owner';
SELECT count(*) FROM sdc_rankswap('priv.open', p => 5, key => '{id}', seed => 1, target => 'pg_temp.o');
RESET sdc.trusted_owners;
SELECT helper.catch('SELECT count(*) FROM priv.form');
-- by a function of the owner it is possible, and that is the owner's decision
RESET ROLE;
SET ROLE regress_sdc_owner;
CREATE FUNCTION priv.protected() RETURNS TABLE (id int, age smallint) LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$SELECT id, age FROM public.sdc_rankswap(NULL::priv.person, p => 5, seed => 1)$$;
SET ROLE regress_sdc_nobody;
SELECT count(*), count(age) FROM priv.protected();

-- The table form is refused where nothing may be written.
SET ROLE regress_sdc_reader;
BEGIN READ ONLY;
SELECT helper.catch($$SELECT * FROM sdc_rankswap('priv.person', p => 5, seed => 1, target => 'priv_own.s')$$);
SELECT helper.catch($$SELECT sdc_classify('priv_own.p', 'age', 'public')$$);
SELECT helper.catch($$SELECT sdc_unregister('priv_own.p')$$);
SELECT helper.catch($$SELECT sdc_register('priv.person', 'priv_own.external', '{age}', '{id}')$$);
SELECT count(*) FROM sdc_rankswap(NULL::priv.person, p => 5, seed => 1);
SELECT count(*) > 0 FROM sdc_releases;
ROLLBACK;

-- Functions can be revoked as any other.
RESET ROLE;
REVOKE EXECUTE ON FUNCTION sdc_classify(regclass, name, text) FROM PUBLIC;
SET ROLE regress_sdc_reader;
SELECT helper.catch($$SELECT sdc_classify('priv_own.p', 'age', 'public')$$);
RESET ROLE;
GRANT EXECUTE ON FUNCTION sdc_classify(regclass, name, text) TO PUBLIC;

DROP SCHEMA priv, priv_own, priv_column, priv_closed, priv_shut CASCADE;
REVOKE USAGE ON SCHEMA helper FROM PUBLIC;
DROP OWNED BY regress_sdc_owner, regress_sdc_reader, regress_sdc_column, regress_sdc_nobody;
DROP ROLE regress_sdc_owner, regress_sdc_reader, regress_sdc_column, regress_sdc_nobody;
