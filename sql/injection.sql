--
-- injection
--
-- Hostile names in every argument, and hostile objects in the search_path: nothing of
-- what a caller, an owner of a table or an owner of a schema writes is run with
-- another one's rights, nor changes what is computed.
--
\pset format unaligned
\pset footer off
CREATE ROLE regress_sdc_victim;
CREATE ROLE regress_sdc_mallory;
CREATE SCHEMA mallory AUTHORIZATION regress_sdc_mallory;
CREATE SCHEMA victim AUTHORIZATION regress_sdc_victim;
GRANT USAGE ON SCHEMA mallory TO PUBLIC;
GRANT USAGE ON SCHEMA helper TO PUBLIC;
CREATE TABLE victim.data (id int PRIMARY KEY, g text COLLATE "C", a int, b float8, c numeric, d text, n name, arr name[]);
INSERT INTO victim.data
SELECT i, 'g' || i % 3, i * 17 % 101, i / 7.0, i * 1.5, 'd' || i, 'n' || i, ARRAY['x' || i]::name[] FROM generate_series(1, 100) AS i;
ALTER TABLE victim.data OWNER TO regress_sdc_victim;

-- What comes out without any of it.
SET ROLE regress_sdc_victim;
SELECT count(*) FROM sdc_rankswap('victim.data', p => 5, columns => '{a,b,c,d,n}', strata => '{g}', seed => 1, target => 'victim.want');
SELECT helper.check_release('victim.want');
RESET ROLE;

-- Operators, functions, types and tables named like those that a careless statement would use.
CREATE TABLE mallory.called (what text);
GRANT INSERT ON mallory.called TO PUBLIC;
SET ROLE regress_sdc_mallory;
CREATE FUNCTION mallory.trap(what text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
	RAISE 'called: %', what;
END
$$;
CREATE FUNCTION mallory.trap_ints(int, int) RETURNS boolean LANGUAGE sql AS $$SELECT mallory.trap('int operator')$$;
CREATE FUNCTION mallory.trap_oids(oid, oid) RETURNS boolean LANGUAGE sql AS $$SELECT mallory.trap('oid operator')$$;
CREATE FUNCTION mallory.trap_classes(regclass, regclass) RETURNS boolean LANGUAGE sql AS $$SELECT mallory.trap('regclass operator')$$;
CREATE FUNCTION mallory.trap_class_oid(regclass, oid) RETURNS boolean LANGUAGE sql AS $$SELECT mallory.trap('regclass oid operator')$$;
CREATE FUNCTION mallory.trap_texts(text, text) RETURNS boolean LANGUAGE sql AS $$SELECT mallory.trap('text operator')$$;
CREATE FUNCTION mallory.trap_names(name, name) RETURNS boolean LANGUAGE sql AS $$SELECT mallory.trap('name operator')$$;
CREATE FUNCTION mallory.trap_floats(float8, float8) RETURNS boolean LANGUAGE sql AS $$SELECT mallory.trap('float operator')$$;
CREATE FUNCTION mallory.trap_any(anyelement, anyelement) RETURNS boolean LANGUAGE sql AS $$SELECT mallory.trap('any operator')$$;
CREATE OPERATOR mallory.= (LEFTARG = int, RIGHTARG = int, FUNCTION = mallory.trap_ints);
CREATE OPERATOR mallory.< (LEFTARG = int, RIGHTARG = int, FUNCTION = mallory.trap_ints);
CREATE OPERATOR mallory.> (LEFTARG = int, RIGHTARG = int, FUNCTION = mallory.trap_ints);
CREATE OPERATOR mallory.= (LEFTARG = oid, RIGHTARG = oid, FUNCTION = mallory.trap_oids);
CREATE OPERATOR mallory.= (LEFTARG = regclass, RIGHTARG = regclass, FUNCTION = mallory.trap_classes);
CREATE OPERATOR mallory.= (LEFTARG = regclass, RIGHTARG = oid, FUNCTION = mallory.trap_class_oid);
CREATE OPERATOR mallory.= (LEFTARG = text, RIGHTARG = text, FUNCTION = mallory.trap_texts);
CREATE OPERATOR mallory.< (LEFTARG = text, RIGHTARG = text, FUNCTION = mallory.trap_texts);
CREATE OPERATOR mallory.= (LEFTARG = name, RIGHTARG = name, FUNCTION = mallory.trap_names);
CREATE OPERATOR mallory.< (LEFTARG = float8, RIGHTARG = float8, FUNCTION = mallory.trap_floats);
CREATE OPERATOR mallory.= (LEFTARG = anyelement, RIGHTARG = anyelement, FUNCTION = mallory.trap_any);
CREATE FUNCTION mallory.count() RETURNS bigint LANGUAGE sql AS $$SELECT mallory.trap('count')::int::bigint$$;
CREATE FUNCTION mallory.dense_rank() RETURNS bigint LANGUAGE sql AS $$SELECT mallory.trap('dense_rank')::int::bigint$$;
CREATE FUNCTION mallory.has_any_column_privilege(oid, text) RETURNS boolean LANGUAGE sql AS $$SELECT true$$;
CREATE FUNCTION mallory.transaction_timestamp() RETURNS timestamptz LANGUAGE sql AS $$SELECT timestamptz '2000-01-01'$$;
CREATE FUNCTION mallory.to_jsonb(text) RETURNS jsonb LANGUAGE sql AS $$SELECT to_jsonb(mallory.trap('to_jsonb'))$$;
CREATE DOMAIN mallory.int8 AS text;
CREATE DOMAIN mallory.jsonb AS text;
CREATE DOMAIN mallory.name AS text;
CREATE DOMAIN mallory.text AS int;
CREATE DOMAIN mallory.regclass AS int;
CREATE COLLATION mallory."C" FROM "POSIX";
CREATE TABLE mallory.sdc_release_catalog (release oid, made boolean);
CREATE TABLE mallory.pg_seclabel (objoid oid, classoid oid, objsubid int, provider text, label text);
CREATE TABLE mallory.pg_class (oid oid, relname text);
CREATE TABLE mallory.pg_attribute (attrelid oid, attname text);
CREATE VIEW mallory.sdc_releases AS SELECT 'trapped'::pg_catalog.text AS release;
RESET ROLE;
GRANT SELECT ON ALL TABLES IN SCHEMA mallory TO PUBLIC;
SELECT extnamespace::pg_catalog.regnamespace AS sdc FROM pg_catalog.pg_extension WHERE extname = 'sdc' \gset
SET ROLE regress_sdc_victim;
SET search_path = mallory, pg_catalog, :sdc;
SELECT attribute, action, records FROM sdc_rankswap('victim.data'::pg_catalog.text, p => 5, columns => '{a,b,c,d,n}', strata => '{g}', seed => 1, target => 'victim.got');
SELECT attribute, action, records FROM sdc_rankswap('victim.data'::pg_catalog.regclass, p => 5, columns => '{a,b,c,d,n}', strata => '{g}', seed => 1,
	target => 'victim.got', replace => true);
SELECT pg_catalog.count(*) FROM sdc_rankswap(NULL::victim.data, p => 5, columns => '{a,b,c,d,n}', strata => '{g}', seed => 1);
SELECT pg_catalog.count(*) FROM sdc_rankswap_buckets('victim.data'::pg_catalog.text, buckets => 20, columns => '{arr,a}', key => '{id,g}', seed => 1, target => 'victim.got_2');
SELECT sdc_classify('victim.data', 'd', 'public');
CREATE TABLE victim.external AS SELECT id, a FROM victim.data;
SELECT sdc_register('victim.data', 'victim.external', '{a}', '{id}');
SELECT sdc_unregister('victim.external');
SELECT pg_catalog.max(s) FROM (SELECT sdc_rankswap_over(a, 5, 'seed') OVER (PARTITION BY g ORDER BY id) AS s FROM victim.data) AS x;
SELECT attribute, role FROM :sdc.sdc_attributes;
SELECT pg_catalog.count(*) FROM :sdc.sdc_releases WHERE source OPERATOR(pg_catalog.=) 'victim.data'::pg_catalog.regclass;
SELECT pg_catalog.count(*) FROM :sdc.sdc_progress;
-- names of types in casts of one's own session are one's own business
RESET search_path;
SELECT helper.check_release('victim.got'), helper.fingerprint('victim.got') = helper.fingerprint('victim.want') AS same;
SELECT created_at > timestamptz '2020-01-01' AS real_time FROM sdc_releases WHERE release = 'victim.got'::regclass;
RESET ROLE;
SELECT * FROM mallory.called;
SELECT count(*) FROM mallory.sdc_release_catalog;

-- Temporary objects do not stand in for the catalog either.
SET ROLE regress_sdc_victim;
CREATE TEMP TABLE sdc_release_catalog (release oid, made boolean);
CREATE TEMP TABLE pg_seclabel (objoid oid, classoid oid, objsubid int, provider text, label text);
INSERT INTO pg_temp.pg_seclabel SELECT 'victim.data'::regclass, 'pg_class'::regclass, 3, 'sdc', 'identifier';
SET search_path = pg_temp, pg_catalog, :sdc;
SELECT attribute, action FROM sdc_rankswap('victim.data', p => 5, columns => '{a}', seed => 1, target => 'victim.got_3') WHERE action <> 'copied';
SELECT attribute, role FROM :sdc.sdc_attributes WHERE attribute = 'a';
RESET search_path;
DROP TABLE pg_temp.sdc_release_catalog, pg_temp.pg_seclabel;
RESET ROLE;

-- Code that belongs to the source runs with the rights of a caller who trusts its owner, not with those of
-- the catalog's owner; and of whom nobody trusts nothing runs.
SET ROLE regress_sdc_mallory;
-- a sequence counts also what is undone after an error
CREATE SEQUENCE mallory.calls;
GRANT USAGE ON mallory.calls TO PUBLIC;
CREATE FUNCTION mallory.whoami() RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	PERFORM nextval('mallory.calls');
	INSERT INTO mallory.called VALUES (current_user);
	RETURN current_user;
END
$$;
CREATE VIEW mallory.bait AS SELECT i AS id, i % 7 AS a, mallory.whoami() AS who FROM generate_series(1, 3) AS i;
CREATE TABLE mallory.bait_table (id int PRIMARY KEY, a int);
INSERT INTO mallory.bait_table SELECT i, i FROM generate_series(1, 3) AS i;
CREATE POLICY bait ON mallory.bait_table USING (mallory.whoami() IS NOT NULL);
ALTER TABLE mallory.bait_table ENABLE ROW LEVEL SECURITY;
GRANT SELECT ON mallory.bait, mallory.bait_table TO PUBLIC;
RESET ROLE;
SET ROLE regress_sdc_victim;
SELECT helper.catch($$SELECT FROM sdc_rankswap('mallory.bait', p => 5, key => '{id}', seed => 1, target => 'victim.bait')$$);
SELECT helper.catch($$SELECT FROM sdc_rankswap('mallory.bait_table', p => 5, seed => 1, target => 'victim.bait_table')$$);
SELECT helper.catch($$SELECT FROM sdc_kanonymity('mallory.bait', '{a}')$$), helper.catch($$SELECT FROM sdc_kanonymity('mallory.bait_table', '{a}')$$);
RESET ROLE;
SELECT is_called FROM mallory.calls;
SET ROLE regress_sdc_victim;
SET sdc.trusted_owners = 'regress_sdc_mallory';
SELECT attribute, action FROM sdc_rankswap('mallory.bait', p => 5, key => '{id}', seed => 1, target => 'victim.bait');
SELECT attribute, action FROM sdc_rankswap('mallory.bait_table', p => 5, seed => 1, target => 'victim.bait_table');
SELECT who, count(*) FROM victim.bait GROUP BY who ORDER BY who;
RESET sdc.trusted_owners;
RESET ROLE;
SELECT is_called FROM mallory.calls;
SELECT what, count(*) > 0 AS called FROM mallory.called GROUP BY what ORDER BY what COLLATE "C";

-- Code that belongs to the release: triggers of the table are not fired by a replacement, as for
-- a materialized view, and rules do not rewrite it.
SET ROLE regress_sdc_victim;
CREATE FUNCTION victim.loud() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE 'trigger called';
END
$$;
CREATE TRIGGER loud BEFORE INSERT ON victim.got FOR EACH ROW EXECUTE FUNCTION victim.loud();
CREATE RULE quiet AS ON INSERT TO victim.got DO INSTEAD NOTHING;
SELECT max(records) FROM sdc_rankswap('victim.data', p => 5, columns => '{a,b,c,d,n}', strata => '{g}', seed => 1, target => 'victim.got', replace => true);
SELECT helper.check_release('victim.got'), helper.fingerprint('victim.got') = helper.fingerprint('victim.want') AS same;
RESET ROLE;

-- Hostile names in every argument are names, and nothing else.
\pset tuples_only on
CREATE TABLE innocent (id int PRIMARY KEY);
CREATE TABLE names (name text);
INSERT INTO names VALUES ('x; DROP TABLE innocent'), ('x"; DROP TABLE innocent; --'), ('x''; DROP TABLE innocent; --'), ('"; DROP TABLE innocent; --'),
	('1) FROM innocent; DROP TABLE innocent; --'), ('$$; DROP TABLE innocent; $$'), ('/*'), ('--'), ('\'), ('%s%n%1$s'), ('{x,y}'), ('NULL'), ('null'),
	('*'), ('a.b'), ('?'), ('$1'), ('äé漢'), (E'line\nbreak'), (E'tab\t'), (' '), ('ctid"'), ('(SELECT 1)');
SELECT replace(helper.catch(format('SELECT * FROM sdc_rankswap(''victim.data'', p => 5, columns => ARRAY[%L])', name)), E'\n', ' / ') FROM names ORDER BY name COLLATE "C";
SELECT count(*) AS not_undefined_column FROM names, unnest(ARRAY['columns', 'key', 'strata', 'omit']) AS argument
WHERE helper.catch(format('SELECT * FROM sdc_rankswap(''victim.data'', p => 5, %s => ARRAY[%L])', argument, name)) !~ '^42703: column';
SELECT count(*) AS not_refused FROM names WHERE helper.catch(format('SELECT * FROM sdc_rankswap(%L, p => 5)', name)) !~ '^(42602|42P01|3F000|42601|42809): ';
SELECT count(*) AS not_undefined_column FROM names WHERE helper.catch(format('SELECT sdc_classify(''victim.data'', %L, ''public'')', name)) !~ '^42703: column';
SELECT count(*) AS not_refused FROM names WHERE helper.catch(format('SELECT sdc_classify(''victim.data'', ''a'', %L)', name)) !~ '^22023: role';
-- as a target a name is used as it is
SELECT count(*) AS failed FROM names WHERE helper.catch(format('SELECT * FROM sdc_rankswap(''victim.data'', p => 5, target => %L)', format('victim.%I', name))) <> 'no error';
SELECT count(*) AS made FROM names JOIN pg_class ON relname = name AND relnamespace = 'victim'::regnamespace;
-- and as a column's, in every place
DO $$
DECLARE
	hostile text;
	n int := 0;
BEGIN
	SET LOCAL client_min_messages = error;
	FOR hostile IN SELECT name FROM names LOOP
		n := n + 1;
		EXECUTE format('CREATE TABLE victim.hostile_%s (%I int PRIMARY KEY, %I int, %I int, %I int)', n, hostile, hostile || '2', hostile || '3', hostile || '4');
		EXECUTE format('INSERT INTO victim.hostile_%s SELECT i, i, i %% 2, i FROM generate_series(1, 30) AS i', n);
		PERFORM sdc_rankswap('victim.hostile_' || n, p => 5, columns => ARRAY[hostile || '2'], key => ARRAY[hostile], strata => ARRAY[hostile || '3'],
			omit => ARRAY[hostile || '4'], seed => 1);
		PERFORM sdc_classify(('victim.hostile_' || n)::regclass, (hostile || '4')::name, 'identifier');
		IF helper.check_release(('victim.hostile_' || n || '_rankswap')::regclass) <> 'ok, 3 columns' THEN
			RAISE '% %', hostile, helper.check_release(('victim.hostile_' || n || '_rankswap')::regclass);
		END IF;
	END LOOP;
END
$$;
SELECT count(*) FROM sdc_releases WHERE release::text LIKE 'victim.hostile%';
-- a method's name of sdc_register and its parameters are data
SELECT sdc_register('victim.data', 'victim.external', '{a}', '{id}', 'x''; DROP TABLE innocent; --', '{"x\"; DROP TABLE innocent; --": "''"}');
SELECT method, parameters FROM sdc_releases WHERE release = 'victim.external'::regclass;
-- a seed is data
SELECT count(*) FROM sdc_rankswap(NULL::victim.data, p => 5, seed => '''; DROP TABLE innocent; --');
SELECT count(*) FROM innocent;

-- Settings of the session that change how a statement is read.
SET standard_conforming_strings = off;
SET escape_string_warning = off;
SET quote_all_identifiers = on;
SET backslash_quote = on;
SELECT count(*) FROM sdc_rankswap('victim.hostile_1', p => 5, seed => 1, target => 'victim.settings');
SET quote_all_identifiers = off;
SET standard_conforming_strings = on;
SET default_table_access_method = 'heap';
SET default_tablespace = 'pg_default';
SET check_function_bodies = off;
SET transform_null_equals = on;
SET array_nulls = off;
SET row_security = on;
SELECT count(*) FROM sdc_rankswap('victim.hostile_1', p => 5, seed => 1, target => 'victim.settings', replace => true);
RESET ALL;
SELECT helper.check_release('victim.settings');

DROP SCHEMA mallory, victim CASCADE;
REVOKE USAGE ON SCHEMA helper FROM PUBLIC;
DROP OWNED BY regress_sdc_victim, regress_sdc_mallory;
DROP ROLE regress_sdc_victim, regress_sdc_mallory;
