--
-- install
--
-- The extension in a schema with a hostile name, made by an ordinary role: it is
-- trusted, works with an empty search_path, and everything in it has a comment
-- and the labels that it is meant to have.
--
CREATE SCHEMA "Sdc x";
CREATE ROLE regress_sdc_installer;
CREATE ROLE regress_sdc_other;
DO $$
BEGIN
	EXECUTE format('GRANT CREATE ON DATABASE %I TO regress_sdc_installer', current_database());
END
$$;
GRANT USAGE, CREATE ON SCHEMA "Sdc x" TO regress_sdc_installer;
GRANT USAGE ON SCHEMA "Sdc x" TO regress_sdc_other;

-- An object that somebody has planted is not adopted.
CREATE TABLE "Sdc x".sdc_release_catalog (release regclass);
CREATE EXTENSION sdc SCHEMA "Sdc x";
DROP TABLE "Sdc x".sdc_release_catalog;
CREATE FUNCTION "Sdc x".sdc_version() RETURNS text LANGUAGE sql RETURN 'planted';
CREATE EXTENSION sdc SCHEMA "Sdc x";
DROP FUNCTION "Sdc x".sdc_version();

-- Trusted: no superuser is needed.
SET ROLE regress_sdc_installer;
CREATE EXTENSION sdc SCHEMA "Sdc x";
RESET ROLE;
SELECT extowner::regrole AS owner, extnamespace::regnamespace AS schema,
	extrelocatable AS relocatable, extversion = "Sdc x".sdc_version() AS version_fits
FROM pg_extension WHERE extname = 'sdc';
SELECT trusted, superuser, relocatable, requires
FROM pg_available_extension_versions WHERE name = 'sdc' AND installed;

-- Nothing is written outside of the extension's schema, and nothing but what is named sdc_.
SELECT count(*) AS objects_elsewhere
FROM pg_depend AS d
WHERE d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e'
	AND d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'sdc')
	AND (pg_identify_object(d.classid, d.objid, 0)).schema IS DISTINCT FROM '"Sdc x"'
	AND d.classid <> 'pg_policy'::regclass AND d.classid <> 'pg_type'::regclass;

-- The objects, with their labels: a change shows up here.  Volatile, because the
-- functions write or draw fresh randomness; unsafe, because they read and write tables.
CREATE VIEW "Sdc x".members AS
	SELECT p.*
	FROM pg_proc AS p
	JOIN pg_depend AS d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid
		AND d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e'
	JOIN pg_extension AS e ON e.oid = d.refobjid AND e.extname = 'sdc';
SELECT proname AS function, prokind AS kind, provolatile AS volatility, proparallel AS parallel,
	proisstrict AS strict, prosecdef AS definer, proleakproof AS leakproof, proretset AS set,
	pronargs AS args, pronargdefaults AS defaults
FROM "Sdc x".members
ORDER BY proname COLLATE "C", pronargs, pg_get_function_identity_arguments(oid) COLLATE "C";
\pset format unaligned
\pset tuples_only on
SELECT format('%s(%s) returns %s', proname, pg_get_function_arguments(oid), pg_get_function_result(oid))
FROM "Sdc x".members
ORDER BY proname COLLATE "C", pg_get_function_identity_arguments(oid) COLLATE "C";
\pset format aligned
\pset tuples_only off

-- Every C function has a symbol of its own.
SELECT prosrc, count(*) FROM "Sdc x".members WHERE prokind <> 'a' GROUP BY prosrc HAVING count(*) > 1;

-- Every function, table, view and policy has a comment that ends without a period.
SELECT d.classid::regclass AS catalog, count(*) AS objects,
	count(*) FILTER (WHERE obj_description(d.objid, d.classid::regclass::text) IS NULL) AS no_comment,
	count(*) FILTER (WHERE obj_description(d.objid, d.classid::regclass::text) ~ '\.$') AS period
FROM pg_depend AS d
WHERE d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e'
	AND d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'sdc')
	AND d.classid IN ('pg_class'::regclass, 'pg_proc'::regclass)
GROUP BY d.classid ORDER BY d.classid::regclass::text COLLATE "C";
SELECT polname, polrelid::regclass AS relation, obj_description(oid, 'pg_policy') IS NOT NULL AS commented
FROM pg_policy WHERE polname LIKE 'sdc%' ORDER BY polrelid::regclass::text COLLATE "C";
SELECT obj_description(oid, 'pg_extension') FROM pg_extension WHERE extname = 'sdc';

-- Views, their columns and their rights; the catalog is dumped.
SELECT c.relname, c.relkind, c.reloptions, c.relrowsecurity AS row_security,
	pg_get_userbyid(c.relowner) = 'regress_sdc_installer' AS installer_owns,
	has_table_privilege('regress_sdc_other', c.oid, 'SELECT') AS others_read,
	has_table_privilege('regress_sdc_other', c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE') AS others_write,
	c.oid = ANY (e.extconfig) AS dumped
FROM pg_extension AS e
JOIN pg_depend AS d ON d.refclassid = 'pg_extension'::regclass AND d.refobjid = e.oid
	AND d.classid = 'pg_class'::regclass AND d.deptype = 'e'
JOIN pg_class AS c ON c.oid = d.objid
WHERE e.extname = 'sdc' AND c.relkind IN ('r', 'v')
ORDER BY c.relname COLLATE "C";
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

-- It works for any role, without the schema in search_path.
CREATE SCHEMA "Data; y";
GRANT USAGE, CREATE ON SCHEMA "Data; y" TO regress_sdc_other;
SET ROLE regress_sdc_other;
SET search_path = '';
CREATE TABLE "Data; y".measurement (id int PRIMARY KEY, a int, b text);
INSERT INTO "Data; y".measurement SELECT i, i * 7919 % 1009, 'b' || i FROM generate_series(1, 50) AS i;
SELECT "Sdc x".sdc_classify('"Data; y".measurement', 'b', 'sensitive');
SELECT * FROM "Sdc x".sdc_attributes;
SELECT attribute, action, records FROM "Sdc x".sdc_rankswap('"Data; y".measurement', seed => 42);
SELECT attribute, action, records
FROM "Sdc x".sdc_rankswap_distribution('"Data; y".measurement'::regclass, seed => 42);
SELECT count(*), count(DISTINCT m.a)
FROM "Sdc x".sdc_rankswap_buckets(NULL::"Data; y".measurement, seed => 42) AS m;
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

-- The extension cannot be moved: its views name its schema.
ALTER EXTENSION sdc SET SCHEMA "Data; y";

-- Dropping it leaves the releases.
SET ROLE regress_sdc_installer;
DROP EXTENSION sdc;
RESET ROLE;
SELECT count(*) AS left_behind FROM pg_class WHERE relnamespace = '"Sdc x"'::regnamespace;
SELECT count(*) AS left_behind FROM pg_proc WHERE pronamespace = '"Sdc x"'::regnamespace;
SELECT relname FROM pg_class
WHERE relnamespace = '"Data; y"'::regnamespace AND relkind = 'r' ORDER BY relname COLLATE "C";

\set VERBOSITY terse
SET client_min_messages = warning;
DROP SCHEMA "Sdc x", "Data; y" CASCADE;
DO $$
BEGIN
	EXECUTE format('REVOKE CREATE ON DATABASE %I FROM regress_sdc_installer', current_database());
END
$$;
DROP ROLE regress_sdc_installer, regress_sdc_other;
