--
-- install
--
-- The extension in a schema with a hostile name, made by an ordinary role: it is
-- trusted, works with an empty search_path, and everything in it has a comment
-- and the labels that it is meant to have.
--
CREATE SCHEMA "Sdc x";
CREATE ROLE regress_sdc_installer;
CREATE ROLE regress_sdc_owner;
CREATE ROLE regress_sdc_other;
DO $$
BEGIN
	EXECUTE format('ALTER DATABASE %I OWNER TO regress_sdc_owner', current_database());
	EXECUTE format('GRANT CREATE ON DATABASE %I TO regress_sdc_installer', current_database());
END
$$;
GRANT USAGE, CREATE ON SCHEMA "Sdc x" TO regress_sdc_installer;
GRANT USAGE, CREATE ON SCHEMA "Sdc x" TO regress_sdc_owner;
GRANT USAGE ON SCHEMA "Sdc x" TO regress_sdc_other;

-- in which words the server says where an error came from depends on its version
\set SHOW_CONTEXT never
-- An object that somebody has planted is not adopted.
CREATE VIEW "Sdc x".sdc_releases AS SELECT 1 AS release;
CREATE EXTENSION sdc SCHEMA "Sdc x";
DROP VIEW "Sdc x".sdc_releases;
CREATE FUNCTION "Sdc x".sdc_version() RETURNS text LANGUAGE sql RETURN 'planted';
CREATE EXTENSION sdc SCHEMA "Sdc x";
DROP FUNCTION "Sdc x".sdc_version();
CREATE SCHEMA sdc_private;
CREATE EXTENSION sdc SCHEMA "Sdc x";
DROP SCHEMA sdc_private;

-- Trusted: no superuser is needed, and the objects are a superuser's nevertheless.
SET ROLE regress_sdc_installer;
CREATE EXTENSION sdc SCHEMA "Sdc x";
RESET ROLE;
SELECT extowner::regrole AS owner, extnamespace::regnamespace AS schema,
	extrelocatable AS relocatable, extversion = "Sdc x".sdc_version() AS version_fits
FROM pg_extension WHERE extname = 'sdc';
SELECT trusted, superuser, relocatable, requires
FROM pg_available_extension_versions WHERE name = 'sdc' AND installed;

-- Nothing is written outside of the extension's schema and the one of its plumbing.
SELECT pg_describe_object(d.classid, d.objid, 0) AS elsewhere
FROM pg_depend AS d
WHERE d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e'
	AND d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'sdc')
	AND COALESCE((pg_identify_object(d.classid, d.objid, 0)).schema, '') NOT IN ('"Sdc x"', 'sdc_private')
	AND d.classid <> 'pg_policy'::regclass AND d.classid <> 'pg_type'::regclass
ORDER BY 1;

-- The objects, with their labels: a change shows up here.  Volatile, because the
-- functions write or draw fresh randomness; unsafe, because they read and write tables.
CREATE VIEW "Sdc x".members AS
	SELECT p.*, p.pronamespace = '"Sdc x"'::regnamespace AS public,
		CASE WHEN p.pronamespace <> '"Sdc x"'::regnamespace THEN p.pronamespace::regnamespace || '.' ELSE '' END || p.proname AS name
	FROM pg_proc AS p
	JOIN pg_depend AS d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid
		AND d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e'
	JOIN pg_extension AS e ON e.oid = d.refobjid AND e.extname = 'sdc';
SELECT name AS function, prokind AS kind, provolatile AS volatility, proparallel AS parallel,
	proisstrict AS strict, prosecdef AS definer, proleakproof AS leakproof, proretset AS set,
	pronargs AS args, pronargdefaults AS defaults, procost AS cost, prorows AS rows
FROM "Sdc x".members
ORDER BY name COLLATE "C", pronargs, pg_get_function_identity_arguments(oid) COLLATE "C";
\pset format unaligned
\pset tuples_only on
SELECT format('%s(%s) returns %s', name, pg_get_function_arguments(oid), pg_get_function_result(oid))
FROM "Sdc x".members
ORDER BY name COLLATE "C", pg_get_function_identity_arguments(oid) COLLATE "C";
\pset format aligned
\pset tuples_only off

-- Every C function has a symbol of its own, but those whose work is done by the function of the schema sdc_private that has
-- their name and arguments, and returns the same.
SELECT prosrc, count(*) FROM "Sdc x".members WHERE prokind <> 'a' AND prosrc <> 'sdc_enter' GROUP BY prosrc HAVING count(*) > 1;
SELECT m.name AS enters, count(b.oid) = 1 AS has_body, bool_and(pg_get_function_result(b.oid) = pg_get_function_result(m.oid)
	AND (b.prokind, b.proretset, b.provolatile, b.proparallel, b.proisstrict, b.pronargdefaults)
		= (m.prokind, m.proretset, m.provolatile, m.proparallel, m.proisstrict, 0)) AS same
FROM "Sdc x".members AS m LEFT JOIN "Sdc x".members AS b ON 'sdc_' || b.proname = m.proname AND b.proargtypes = m.proargtypes AND NOT b.public
WHERE m.prosrc = 'sdc_enter' AND m.public GROUP BY m.oid, m.name ORDER BY m.name COLLATE "C";
SELECT name AS enters_and_is_private FROM "Sdc x".members WHERE prosrc = 'sdc_enter' AND NOT public;

-- The comment of a function names its arguments that have no default.
SELECT m.proname AS function, a.name AS not_named
FROM "Sdc x".members AS m, unnest(m.proargnames[1:m.pronargs - m.pronargdefaults]) AS a (name)
WHERE m.prokind IN ('f', 'w') AND m.public
	AND obj_description(m.oid, 'pg_proc') !~ ('needs .*\m' || a.name || '\M')
ORDER BY m.proname COLLATE "C", a.name COLLATE "C";

-- Names that one thing had besides its own are gone: k is k-anonymity, and nothing else.
SELECT m.name AS function, a.name AS argument
FROM "Sdc x".members AS m, unnest(m.proargnames) WITH ORDINALITY AS a (name, i)
WHERE a.name IN ('k', 'width', 'grouping', 'groups', 'attributes', 'masked', 'where_clause', 'id', 'risk')
ORDER BY m.name COLLATE "C", a.name COLLATE "C";
SELECT c.relname AS view, a.attname AS column
FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
WHERE c.relnamespace = '"Sdc x"'::regnamespace AND c.relkind = 'v' AND c.relname LIKE 'sdc%' AND a.attname IN ('id', 'risk', 'k', 'width', 'masked');
SELECT count(*) AS old_functions FROM "Sdc x".members WHERE proname = 'sdc_query_error';
-- the sensitive column is an array everywhere, and the seed of any type
SELECT m.name AS function, a.name AS argument, t.type::regtype
FROM "Sdc x".members AS m, unnest(m.proargnames[1:m.pronargs]) WITH ORDINALITY AS a (name, i), unnest(m.proargtypes) WITH ORDINALITY AS t (type, j)
WHERE t.j = a.i AND (a.name = 'sensitive' AND t.type <> 'name[]'::regtype OR a.name = 'seed' AND t.type <> '"any"'::regtype);

-- Every function, table, view and trigger has a comment that ends without a period.
SELECT d.classid::regclass AS catalog, count(*) AS objects,
	count(*) FILTER (WHERE obj_description(d.objid, d.classid::regclass::text) IS NULL) AS no_comment,
	count(*) FILTER (WHERE obj_description(d.objid, d.classid::regclass::text) ~ '\.$') AS period
FROM pg_depend AS d
WHERE d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e'
	AND d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'sdc')
	AND d.classid IN ('pg_class'::regclass, 'pg_proc'::regclass)
GROUP BY d.classid ORDER BY d.classid::regclass::text COLLATE "C";
SELECT tgname, tgrelid::regclass AS relation, tgenabled, obj_description(oid, 'pg_trigger') IS NOT NULL AS commented
FROM pg_trigger WHERE tgname LIKE 'sdc%' ORDER BY tgrelid::regclass::text COLLATE "C";
SELECT obj_description(oid, 'pg_extension') FROM pg_extension WHERE extname = 'sdc';

-- Views, their columns and their rights; the catalog is dumped, and the owner of the database can do so, and restore it.
SELECT c.relname, c.relkind, c.reloptions, c.relowner = 10 AS bootstrap_owns,
	has_table_privilege('regress_sdc_owner', c.oid, 'SELECT') AS owner_reads,
	has_table_privilege('regress_sdc_owner', c.oid, 'INSERT') AS owner_adds,
	has_table_privilege('regress_sdc_owner', c.oid, 'UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER') AS owner_changes,
	has_table_privilege('regress_sdc_other', c.oid, 'SELECT') AS others_read,
	has_table_privilege('regress_sdc_other', c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE') AS others_write,
	c.oid = ANY (e.extconfig) AS dumped
FROM pg_extension AS e
JOIN pg_depend AS d ON d.refclassid = 'pg_extension'::regclass AND d.refobjid = e.oid
	AND d.classid = 'pg_class'::regclass AND d.deptype = 'e'
JOIN pg_class AS c ON c.oid = d.objid
WHERE e.extname = 'sdc' AND c.relkind IN ('r', 'v')
ORDER BY c.relname COLLATE "C", c.relnamespace = 'sdc_private'::regnamespace;
SELECT c.relname, CASE g.grantee WHEN 0 THEN 'PUBLIC' ELSE g.grantee::regrole::text END AS grantee,
	string_agg(g.privilege_type, ', ' ORDER BY g.privilege_type COLLATE "C") AS privileges
FROM pg_class AS c, aclexplode(c.relacl) AS g
WHERE c.relnamespace IN ('"Sdc x"'::regnamespace, 'sdc_private'::regnamespace) AND c.relname LIKE 'sdc%' AND g.grantee <> c.relowner
GROUP BY c.oid, c.relname, g.grantee ORDER BY c.relname COLLATE "C", c.relnamespace = 'sdc_private'::regnamespace, min(g.grantee::regrole::text COLLATE "C");
SELECT count(*) FILTER (WHERE proowner <> 10) AS owned_by_others,
	string_agg(proname, ' ') FILTER (WHERE public AND NOT has_function_privilege('regress_sdc_other', oid, 'EXECUTE')) AS not_for_all,
	string_agg(proname, ' ') FILTER (WHERE prosecdef) AS definers
FROM "Sdc x".members;

-- Of the plumbing everybody may execute what is below views, and nothing else, and cannot name it.
SELECT p.oid::regprocedure AS for_all
FROM pg_proc AS p WHERE p.pronamespace = 'sdc_private'::regnamespace AND has_function_privilege('regress_sdc_other', p.oid, 'EXECUTE')
ORDER BY p.oid::regprocedure::text COLLATE "C";
WITH RECURSIVE below (oid) AS (
	SELECT d.refobjid FROM pg_depend AS d JOIN pg_rewrite AS r ON r.oid = d.objid AND d.classid = 'pg_rewrite'::regclass
	JOIN pg_class AS c ON c.oid = r.ev_class AND c.relnamespace IN ('"Sdc x"'::regnamespace, 'sdc_private'::regnamespace) AND c.relname <> 'members'
	WHERE d.refclassid = 'pg_proc'::regclass
	UNION
	SELECT d.refobjid FROM below AS b JOIN pg_depend AS d ON d.classid = 'pg_proc'::regclass AND d.objid = b.oid AND d.refclassid = 'pg_proc'::regclass
)
SELECT p.oid::regprocedure AS differs
FROM pg_proc AS p WHERE p.pronamespace = 'sdc_private'::regnamespace
	AND (p.oid IN (SELECT oid FROM below)) <> has_function_privilege('regress_sdc_other', p.oid, 'EXECUTE');
SELECT has_schema_privilege('regress_sdc_other', 'sdc_private', 'USAGE') AS others_name_it,
	has_schema_privilege('regress_sdc_installer', 'sdc_private', 'USAGE') AS installer_names_it, nspowner = 10 AS bootstrap_owns
FROM pg_namespace WHERE nspname = 'sdc_private';

-- No body that is text finds anything in a schema that somebody can rename, and all of these are plumbing, with a
-- search_path of their own.
SELECT name AS names_its_schema
FROM "Sdc x".members
WHERE prosrc ~ 'Sdc x' OR prosrc ~ '@extschema@' OR (prolang <> (SELECT oid FROM pg_language WHERE lanname = 'c')
	AND regexp_replace(regexp_replace(prosrc, '--[^\n]*', '', 'g'), '''[^'']*''', '''''', 'g') ~ '(?<!sdc_private\.)\msdc_(?!private\.)');
SELECT m.name AS text_in_reach
FROM "Sdc x".members AS m JOIN pg_language AS l ON l.oid = m.prolang
WHERE m.prokind <> 'a' AND l.lanname <> 'c' AND m.prosqlbody IS NULL
	AND (m.public OR m.proconfig IS NULL OR NOT 'search_path=pg_catalog, pg_temp' = ANY (m.proconfig));
SELECT length(secret) AS secret FROM sdc_private.sdc_secret;
\pset format unaligned
\pset tuples_only on
SELECT c.relname, string_agg(a.attname || ' ' || format_type(a.atttypid, a.atttypmod), ', ' ORDER BY a.attnum)
FROM pg_class AS c
JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0
WHERE c.relnamespace = '"Sdc x"'::regnamespace AND c.relkind = 'v' AND c.relname LIKE 'sdc%'
GROUP BY c.relname ORDER BY c.relname COLLATE "C";
\pset format aligned
\pset tuples_only off
DROP VIEW "Sdc x".members;

-- The owner of the database can add rows, which a restore does, and not write over or take away what is there.
SET ROLE regress_sdc_owner;
SELECT count(*) FROM sdc_private.sdc_release_catalog;
UPDATE sdc_private.sdc_release_catalog SET made = true;
DELETE FROM sdc_private.sdc_release_catalog;
ALTER TABLE sdc_private.sdc_release_catalog DISABLE TRIGGER ALL;
CREATE INDEX ON sdc_private.sdc_release_catalog ((method || 'x'));
CREATE STATISTICS "Sdc x".s ON (method || 'x') FROM sdc_private.sdc_release_catalog;
CREATE POLICY p ON sdc_private.sdc_release_catalog USING (true);
CREATE RULE r AS ON INSERT TO sdc_private.sdc_release_catalog DO ALSO SELECT 1;
ALTER VIEW "Sdc x".sdc_releases SET (security_invoker = false);
SELECT FROM sdc_private.sdc_temporary_catalog;
SELECT FROM sdc_private.sdc_secret;
RESET ROLE;

-- It works for any role, without the schema in search_path.
CREATE SCHEMA "Data; y";
GRANT USAGE, CREATE ON SCHEMA "Data; y" TO regress_sdc_other;
SET ROLE regress_sdc_other;
SET search_path = '';
CREATE TABLE "Data; y".measurement (id int PRIMARY KEY, a int, b text);
INSERT INTO "Data; y".measurement SELECT i, i * 7919 % 1009, 'b' || i FROM generate_series(1, 50) AS i;
SELECT "Sdc x".sdc_classify('"Data; y".measurement', 'b', 'sensitive');
SELECT * FROM "Sdc x".sdc_attributes;
SELECT attribute, action, records FROM "Sdc x".sdc_rankswap('"Data; y".measurement', p => 5, seed => 42);
SELECT attribute, action, records
FROM "Sdc x".sdc_rankswap_distribution('"Data; y".measurement'::regclass, p => 5, seed => 42);
SELECT count(*), count(DISTINCT m.a)
FROM "Sdc x".sdc_rankswap_buckets(NULL::"Data; y".measurement, buckets => 20, seed => 42) AS m;
SELECT count(*), sum(a) = sum(swapped) AS same
FROM (SELECT a, "Sdc x".sdc_rankswap_over(a, 5, 'x') OVER (ORDER BY a, id) AS swapped
	FROM "Data; y".measurement) AS m;
SELECT release, source, method, parameters, columns, key, seeded, created_by
FROM "Sdc x".sdc_releases ORDER BY release::text COLLATE "C";
SELECT pid FROM "Sdc x".sdc_progress;
SELECT "Sdc x".sdc_unregister('"Data; y".measurement_rankswap');
SELECT "Sdc x".sdc_register('"Data; y".measurement', '"Data; y".measurement_rankswap', '{a}', '{id}');
SELECT release, method FROM "Sdc x".sdc_releases ORDER BY release::text COLLATE "C";
RESET search_path;
RESET ROLE;

-- The prefix of settings is taken.
SET sdc.no_such_setting = 1;

-- The extension cannot be moved: it has two schemas.
ALTER EXTENSION sdc SET SCHEMA "Data; y";

-- Dropping it leaves the releases.
SET ROLE regress_sdc_installer;
DROP EXTENSION sdc;
RESET ROLE;
SELECT count(*) AS left_behind FROM pg_class WHERE relnamespace = '"Sdc x"'::regnamespace;
SELECT count(*) AS left_behind FROM pg_proc WHERE pronamespace = '"Sdc x"'::regnamespace;
SELECT to_regnamespace('sdc_private') AS left_behind;
SELECT relname FROM pg_class
WHERE relnamespace = '"Data; y"'::regnamespace AND relkind = 'r' ORDER BY relname COLLATE "C";

-- Installed by another superuser, who can lose that status, the objects are not his; every installation has a
-- secret of its own.
CREATE ROLE regress_sdc_super SUPERUSER;
SET ROLE regress_sdc_super;
CREATE EXTENSION sdc SCHEMA "Sdc x";
SELECT secret AS first FROM sdc_private.sdc_secret \gset
SELECT extowner::regrole FROM pg_extension WHERE extname = 'sdc';
SELECT count(*) AS objects, count(*) FILTER (WHERE c.relowner <> 10 OR p.proowner <> 10 OR t.typowner <> 10) AS owned_by_others
FROM pg_depend AS d
LEFT JOIN pg_class AS c ON d.classid = 'pg_class'::regclass AND c.oid = d.objid
LEFT JOIN pg_proc AS p ON d.classid = 'pg_proc'::regclass AND p.oid = d.objid
LEFT JOIN pg_type AS t ON d.classid = 'pg_type'::regclass AND t.oid = d.objid
WHERE d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e' AND d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'sdc')
	AND (t.oid IS NULL OR t.typtype = 'b' AND t.typelem = 0 OR t.oid IN (SELECT reltype FROM pg_class WHERE relkind = 'c'));
SELECT grantee::regrole, string_agg(privilege_type, ', ' ORDER BY privilege_type COLLATE "C") AS privileges
FROM pg_class AS c, aclexplode(c.relacl) AS g WHERE c.oid = 'sdc_private.sdc_release_catalog'::regclass AND grantee <> c.relowner
GROUP BY grantee ORDER BY grantee::regrole::text COLLATE "C";
-- rights that are not those of the installation would be dumped, and nobody else could restore them; and of roles that can be
-- dropped the dump would have the numbers
SELECT count(*) AS objects, count(*) FILTER (WHERE i.initprivs::text <> coalesce(c.relacl, p.proacl, n.nspacl)::text) AS differ
FROM pg_init_privs AS i
LEFT JOIN pg_class AS c ON i.classoid = 'pg_class'::regclass AND c.oid = i.objoid
LEFT JOIN pg_proc AS p ON i.classoid = 'pg_proc'::regclass AND p.oid = i.objoid
LEFT JOIN pg_namespace AS n ON i.classoid = 'pg_namespace'::regclass AND n.oid = i.objoid
WHERE coalesce(c.relnamespace, p.pronamespace, n.oid) IN ('"Sdc x"'::regnamespace, 'sdc_private'::regnamespace);
SELECT DISTINCT g.grantee::regrole AS can_be_dropped FROM pg_init_privs AS i, aclexplode(i.initprivs) AS g WHERE g.grantee >= 16384;
DROP EXTENSION sdc;
CREATE EXTENSION sdc SCHEMA "Sdc x";
SELECT secret <> :'first' AS another_secret FROM sdc_private.sdc_secret;
DROP EXTENSION sdc;
RESET ROLE;
DROP ROLE regress_sdc_super;

\set VERBOSITY terse
SET client_min_messages = warning;
DROP SCHEMA "Sdc x", "Data; y" CASCADE;
DO $$
BEGIN
	EXECUTE format('ALTER DATABASE %I OWNER TO %I', current_database(), session_user);
	EXECUTE format('REVOKE CREATE ON DATABASE %I FROM regress_sdc_installer', current_database());
END
$$;
DROP ROLE regress_sdc_installer, regress_sdc_owner, regress_sdc_other;

-- Default privileges of the owner do not reach the tables.
CREATE ROLE regress_sdc_given;
ALTER DEFAULT PRIVILEGES GRANT ALL ON TABLES TO PUBLIC, regress_sdc_given;
ALTER DEFAULT PRIVILEGES GRANT ALL ON FUNCTIONS TO regress_sdc_given;
ALTER DEFAULT PRIVILEGES GRANT ALL ON SCHEMAS TO PUBLIC;
CREATE SCHEMA "Sdc given";
CREATE EXTENSION sdc SCHEMA "Sdc given";
SELECT c.relname, CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE a.grantee::regrole::text END AS grantee,
	string_agg(a.privilege_type, ' ' ORDER BY a.privilege_type COLLATE "C") AS rights
FROM pg_class AS c, LATERAL aclexplode(c.relacl) AS a
WHERE c.relnamespace IN ('"Sdc given"'::regnamespace, 'sdc_private'::regnamespace) AND c.relkind = 'r' AND a.grantee <> c.relowner
GROUP BY c.relname, a.grantee ORDER BY c.relname COLLATE "C", a.grantee;
SELECT CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE a.grantee::regrole::text END AS grantee, a.privilege_type
FROM pg_namespace AS n, LATERAL aclexplode(n.nspacl) AS a WHERE n.nspname = 'sdc_private' AND a.grantee <> n.nspowner;
SELECT DISTINCT g.grantee::regrole AS can_be_dropped FROM pg_init_privs AS i, aclexplode(i.initprivs) AS g WHERE g.grantee >= 16384;
SELECT count(*) AS private FROM pg_proc WHERE pronamespace = 'sdc_private'::regnamespace AND has_function_privilege('regress_sdc_given', oid, 'EXECUTE')
	AND NOT has_function_privilege('pg_monitor', oid, 'EXECUTE');
SELECT tgname, tgenabled FROM pg_trigger WHERE NOT tgisinternal AND tgname LIKE 'sdc%';
DROP EXTENSION sdc;
DROP SCHEMA "Sdc given";
ALTER DEFAULT PRIVILEGES REVOKE ALL ON TABLES FROM PUBLIC, regress_sdc_given;
ALTER DEFAULT PRIVILEGES REVOKE ALL ON FUNCTIONS FROM regress_sdc_given;
DROP ROLE regress_sdc_given;
ALTER DEFAULT PRIVILEGES REVOKE ALL ON SCHEMAS FROM PUBLIC;
