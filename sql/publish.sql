--
-- publish
--
-- The public copy of a release: what is in it and what is not, in which order, and what stays when it gets new contents.
--
\pset format unaligned
\pset footer off
SET client_min_messages = warning;
CREATE SCHEMA pub;
CREATE SCHEMA pub_evaluated;
GRANT USAGE ON SCHEMA pub_evaluated TO public;
SET search_path = pub, pub_evaluated, public;
SET maintenance_work_mem = '64MB';
SET sdc.accuracy_records = 0;	-- how exact publications are has a test of its own
SELECT helper.make_people('person', 2000);
SELECT sdc_classify('person', 'region', 'public');
SELECT count(*) AS columns FROM sdc_rankswap('person', p => 10, columns => '{age,income,weight,savings}', keep => '{region,sex}', target => 'internal', seed => 1);

-- sha is the SHA-256 of a table by its definition, in SQL.
CREATE FUNCTION sha(name text) RETURNS bytea LANGUAGE plpgsql
SET timezone = 'UTC' SET datestyle = 'ISO, YMD' SET intervalstyle = 'postgres' SET extra_float_digits = 1 SET bytea_output = 'hex' SET search_path = pg_catalog AS $$
DECLARE
	relation regclass := 'pub.' || name;
	names bytea := (SELECT sha256(string_agg(convert_to(octet_length(convert_to(attname, 'UTF8')) || ':' || attname, 'UTF8'), '' ORDER BY attnum))
		FROM pg_attribute WHERE attrelid = relation AND attnum > 0);
	record text := (SELECT string_agg(format(CASE atttypid WHEN 'float8'::regtype THEN $x$CASE WHEN num_nulls(%1$I) = 1 THEN '-' ELSE '8:' || float8send(%1$I) END$x$
		ELSE $x$CASE WHEN num_nulls(%1$I) = 1 THEN '-' ELSE convert_to(octet_length(convert_to(format('%%s', %1$I), 'UTF8')) || ':' || format('%%s', %1$I), 'UTF8') END$x$ END, attname), ' || ' ORDER BY attnum)
		FROM pg_attribute WHERE attrelid = relation AND attnum > 0);
	result bytea;
BEGIN
	EXECUTE format('SELECT sha256($1 || coalesce(string_agg(h, %L ORDER BY h), %1$L)) FROM (SELECT sha256(%s) AS h FROM %s) AS r', '', record, relation)
	INTO result USING names;
	RETURN result;
END
$$;

-- sha_of returns what the catalog says.
CREATE FUNCTION sha_of(relation regclass) RETURNS bytea LANGUAGE sql
RETURN (SELECT sha256 FROM public.sdc_publications WHERE publication = relation);

-- bag is all records of a query, in an order of their own.
CREATE FUNCTION bag(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	EXECUTE format('SELECT md5(coalesce(string_agg(q::text, %L ORDER BY q::text COLLATE "C"), %L)) FROM (%s) AS q', ';', 'empty', query) INTO result;
	RETURN result;
END
$$;

-- pages_of is how many pages of a relation have rows.  From PostgreSQL 16 on the server makes pages ahead of those
-- that it fills, and leaves empty ones at the end: COPY FREEZE does the same.
CREATE FUNCTION pages_of(relation regclass) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	result bigint;
BEGIN
	EXECUTE format('SELECT count(DISTINCT (ctid::text::point)[0]) FROM %s', relation) INTO result;
	RETURN result;
END
$$;

-- What is published is evaluated first; what cannot be is what sdc_publish itself is asked about.
CREATE FUNCTION pub_evaluated.sdc_publish(release regclass, target text, keep name[] DEFAULT NULL, grant_to name[] DEFAULT NULL, mode text DEFAULT 'exchange', replace boolean DEFAULT false, force boolean DEFAULT false)
RETURNS TABLE (publication regclass, records bigint, columns name[], sha256 bytea, locked_ms float8) LANGUAGE plpgsql SET sdc.query_workload = 10 AS $$
BEGIN
	BEGIN
		IF NOT force AND sdc_private.evaluation($1) IS NULL THEN
			PERFORM FROM public.sdc_evaluate($1, sample => 20, seed => 1);
		END IF;
	EXCEPTION WHEN OTHERS THEN
		NULL;
	END;
	RETURN QUERY SELECT * FROM public.sdc_publish($1, $2, $3, $4, $5, $6, $7, max_people_found => 100);
END
$$;

\pset tuples_only on

--
-- What leaves
--
-- a copied column that is not named is an error; the key, and what does not exist, cannot be named
SELECT helper.catch($$SELECT * FROM sdc_publish('internal', 'published')$$);
SELECT helper.catch($$SELECT * FROM sdc_publish('internal', 'published', keep => '{sex}')$$);
SELECT helper.catch($$SELECT * FROM sdc_publish('internal', 'published', keep => '{region,sex,id}')$$);
SELECT helper.catch($$SELECT * FROM sdc_publish('internal', 'published', keep => '{region,sex,shoe}')$$);
SELECT helper.catch($$SELECT * FROM sdc_publish('internal', 'published', keep => '{region,sex,ctid}')$$);
SELECT to_regclass('published') IS NULL AS nothing, count(*) FROM sdc_publications;

-- the rest leaves, and a protected column may be named as well
SELECT publication, records, columns, sha256 = sha('published') AS sha, locked_ms FROM sdc_publish('internal', 'published', keep => '{region,sex,age}');
SELECT bag('TABLE published') = bag('SELECT region, sex, age, income, weight, savings FROM internal') AS same;
SELECT attname, format_type(atttypid, atttypmod), attcollation::regcollation, attnotnull, atthasdef, attidentity = '' AS plain FROM pg_attribute WHERE attrelid = 'published'::regclass AND attnum > 0 ORDER BY attnum;
SELECT publication, release, mode, columns, kept, records, sha256 = sha('published') AS sha, forced, published_by = current_user AS by, published_at = now() AS at_once FROM sdc_publications;
-- statistics are there, and those of these rows
SELECT count(*) FROM pg_stats WHERE schemaname = 'pub' AND tablename = 'published';
SELECT reltuples, relallvisible = pages_of('published') AS visible FROM pg_class WHERE oid = 'published'::regclass;

-- nothing else of the release does: comments, constraints, defaults, indexes, options, dropped columns
CREATE TABLE elsewhere (gone int, id int PRIMARY KEY, age smallint NOT NULL DEFAULT 7 CHECK (age > 0), weight float8, job varchar(12)) WITH (fillfactor = 50);
ALTER TABLE elsewhere ALTER job SET STORAGE EXTERNAL;
INSERT INTO elsewhere SELECT 1, id, age, weight, job FROM person;
ALTER TABLE elsewhere DROP gone;
COMMENT ON TABLE elsewhere IS 'seed 42';
COMMENT ON COLUMN elsewhere.age IS 'p = 5';
CREATE INDEX ON elsewhere (age);
SELECT sdc_register('person', 'elsewhere', '{age,weight,job}', '{id}');
SELECT columns FROM sdc_publish('elsewhere', 'of_elsewhere');
SELECT relnatts, relhasindex, reloptions, relchecks, relacl, obj_description(oid, 'pg_class'), (SELECT count(*) FROM pg_description WHERE objoid = c.oid),
	(SELECT string_agg(concat(attname, attstorage, attnotnull, atthasdef), ' ' ORDER BY attnum) FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0)
FROM pg_class AS c WHERE oid = 'of_elsewhere'::regclass;
SELECT sha_of('of_elsewhere') = sha('of_elsewhere') AS sha;

-- what was compressed in two ways leaves in one: the way told which records are older
CREATE TABLE long (id int PRIMARY KEY, v text, w text);
ALTER TABLE long ALTER v SET STORAGE MAIN;
INSERT INTO long SELECT i, repeat('abc' || i, 900), repeat(md5(i::text), 400) FROM generate_series(1, 20) AS i;
CREATE TABLE long_release (LIKE long);
SET default_toast_compression = 'pglz';
INSERT INTO long_release SELECT id, v || '', w || '' FROM long WHERE id <= 10;
ALTER TABLE long_release ALTER v SET COMPRESSION lz4, ALTER w SET COMPRESSION lz4;
INSERT INTO long_release SELECT id, v || '', w || '' FROM long WHERE id > 10;
RESET default_toast_compression;
SELECT sdc_register('long', 'long_release', '{v,w}', '{id}');
SELECT count(DISTINCT pg_column_compression(v)), count(DISTINCT pg_column_compression(w)) FROM long_release;
SELECT records FROM sdc_publish('long_release', 'long_public');
SELECT string_agg(DISTINCT pg_column_compression(v), ' '), string_agg(DISTINCT pg_column_compression(w), ' ') FROM long_public;
SELECT bag('TABLE long_public') = bag('SELECT v, w FROM long') AS same, sha_of('long_public') = sha('long_public') AS sha;

-- records that are older than a column, and values that were stored in another way
CREATE TABLE grown_release (a int, v text);
ALTER TABLE grown_release ALTER v SET STORAGE PLAIN;
COPY grown_release FROM STDIN;
1	one
2	two
\.
INSERT INTO grown_release VALUES (3, 'three'), (4, 'four');
ALTER TABLE grown_release ADD w int, ADD y text;
INSERT INTO grown_release VALUES (5, 'five', 5, 'five'), (6, 'six', NULL, NULL);
CREATE TABLE grown AS TABLE grown_release;
SELECT sdc_register('grown', 'grown_release', '{a,v,w,y}');
SELECT count(DISTINCT pg_column_size(v) - octet_length(v)) FROM grown_release;
SELECT records, sha256 = sha('of_grown') AS sha FROM sdc_publish('grown_release', 'of_grown');
SELECT count(DISTINCT pg_column_size(v) - octet_length(v)), bag('TABLE of_grown') = bag('TABLE grown') AS same FROM of_grown;

-- a release without a key: sdc_row stays; groups: group_id stays; of a permutation the views are what is published
CREATE TABLE keyless AS SELECT age, weight FROM person;
SELECT count(*) FROM sdc_rankswap('keyless', p => 10, columns => '{age,weight}', target => 'no_key', seed => 1);
SELECT columns FROM sdc_publish('no_key', 'of_no_key');
SELECT helper.catch($$SELECT * FROM sdc_publish('no_key', 'p', keep => '{sdc_row}')$$);
SELECT count(*) FROM sdc_generalize('person', '{age,region}', k => 5, keep => '{job}', omit => '{sex,income,weight,savings,born}', target => 'general');
SELECT columns, sha256 = sha('of_general') AS sha FROM sdc_publish('general', 'of_general', keep => '{job}');
SELECT helper.catch($$SELECT * FROM sdc_publish('general', 'p', keep => '{job,group_id}')$$);
SELECT count(*) FROM sdc_permute('person', '{age,region}', '{job}', l => 2, force => true, omit => '{sex,income,weight,savings,born}', target => 'permuted', seed => 1);
SELECT helper.catch($$SELECT * FROM sdc_publish('permuted', 'p', keep => '{age,region}', force => true)$$);
-- a column of the source's that has such a name is one like others
CREATE TABLE named (id int PRIMARY KEY, sdc_row int, group_id int, x int);
INSERT INTO named SELECT i, i % 7, i % 3, i FROM generate_series(1, 50) AS i;
SELECT count(*) FROM sdc_rankswap('named', p => 10, columns => '{x,group_id}', keep => '{sdc_row}', target => 'named_release', seed => 1);
SELECT helper.catch($$SELECT * FROM sdc_publish('named_release', 'p')$$);
SELECT columns FROM sdc_publish('named_release', 'of_named', keep => '{sdc_row}');

--
-- The order of the rows
--
-- neither that of the release, nor one that comes twice: the correlation of 2000 records in random order is within 9 of its deviations
CREATE TABLE line (id int PRIMARY KEY, x int);
INSERT INTO line SELECT i, i FROM generate_series(1, 2000) AS i;
CREATE TABLE line_release AS SELECT * FROM line ORDER BY id;
SELECT sdc_register('line', 'line_release', '{x}', '{id}');
CREATE FUNCTION place(relation regclass, OUT with_key boolean, OUT with_before boolean) LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('SELECT abs(corr(x, row_number)) < 9 / sqrt(2000), abs(corr(before, row_number)) < 9 / sqrt(2000)
		FROM (SELECT x, row_number() OVER (ORDER BY ctid) FROM %s) AS r LEFT JOIN before USING (x)', relation) INTO with_key, with_before;
END
$$;
CREATE TABLE before (x int, before int);
SELECT records FROM sdc_publish('line_release', 'of_line');
SELECT * FROM place('of_line');
INSERT INTO before SELECT x, row_number() OVER (ORDER BY ctid) FROM of_line;
SELECT records FROM sdc_publish('line_release', 'of_line', replace => true);
SELECT * FROM place('of_line');
SELECT records FROM sdc_publish('line_release', 'of_line', replace => true, mode => 'rows');
SELECT * FROM place('of_line');
SELECT count(DISTINCT x), count(*), sha_of('of_line') = sha('of_line') AS sha FROM of_line;
-- all rows have the same transaction and command
SELECT records FROM sdc_publish('line_release', 'of_line', replace => true);
SELECT count(DISTINCT (xmin::text, cmin::text, xmax::text)) FROM of_line;

-- with little memory records are dealt out to files, some of them twice, and numbers are sorted by the server
CREATE TABLE wide (id int PRIMARY KEY, x int, y text);
INSERT INTO wide SELECT i, i, repeat(md5(i::text), 1 + i % 20) FROM generate_series(1, 40000) AS i;
CREATE TABLE wide_release AS TABLE wide;
SELECT sdc_register('wide', 'wide_release', '{x,y}', '{id}');
SET maintenance_work_mem = '1MB';
SELECT records FROM sdc_publish('wide_release', 'of_wide', force => true);
SET maintenance_work_mem = '64MB';
SELECT abs(corr(x, row_number)) < 9 / sqrt(40000) AS random, count(DISTINCT x) FROM (SELECT x, row_number() OVER (ORDER BY ctid) FROM of_wide) AS r;
-- in every eighth of the file there are as many records of the first eighth of the release, within 9 deviations
SELECT count(*), bool_and(abs(n - 625) < 9 * sqrt(625)) FROM (SELECT count(*) AS n FROM (SELECT x, row_number() OVER (ORDER BY ctid) FROM of_wide) AS r WHERE x <= 5000 GROUP BY (row_number - 1) / 5000) AS c;
SELECT bag('TABLE of_wide') = bag('SELECT x, y FROM wide') AS same;
SELECT sha_of('of_wide') = sha('of_wide') AS sha, (SELECT sha256 FROM sdc_publish('wide_release', 'of_wide', replace => true, force => true)) = sha('of_wide') AS with_more_memory;

--
-- The SHA-256: of all types, whatever the settings
--
CREATE TYPE mood AS ENUM ('good', 'bad');
CREATE DOMAIN share AS numeric CHECK (VALUE >= 0);
CREATE TABLE types (id int PRIMARY KEY, a int2, b int8, c float4, d float8, e numeric, f numeric(10,3), g boolean, h date, i timestamp, j timestamptz, k interval,
	l bytea, m char(5), n varchar, o text, p mood, q share, r int4range, s jsonb, t uuid, u text[], v money, w "char", x name, y regclass, "Größe" text COLLATE "C");
INSERT INTO types SELECT i, i - 2, 10000000000 * i, i / 3.0, pi() * i, i / 7.0, i / 7.0, i % 2 = 0, date '2000-01-01' - i * 1000, timestamp '2000-01-01 12:34:56.789' + i * interval '1 day 1 hour',
	'2000-01-01 00:00+00'::timestamptz + i * interval '40 days', i * interval '1 month 2 days 03:04:05', decode(md5(i::text), 'hex'), 'c' || i, E'tab\t' || i, repeat('ü', 3000) || i,
	(ARRAY['good', 'bad'])[1 + i % 2]::mood, i, int4range(i, 2 * i), jsonb_build_object('a', i), md5(i::text)::uuid, ARRAY['x', NULL, 'y"' || i], i, 'q', 'name' || i, 'types', CASE WHEN i = 3 THEN '' ELSE '-' END
FROM generate_series(1, 4) AS i;
INSERT INTO types (id) VALUES (5), (6);
INSERT INTO types (id, c, d) VALUES (7, 'NaN', '-Infinity'), (8, '-0', '-0'), (9, 1e30, 1e-300);
CREATE TABLE types_release AS TABLE types;
SELECT sdc_register('types', 'types_release', (SELECT array_agg(attname ORDER BY attnum) FROM pg_attribute WHERE attrelid = 'types'::regclass AND attnum > 1), '{id}');
SELECT records, sha256 = sha('of_types') AS sha FROM sdc_publish('types_release', 'of_types');
SELECT bag('TABLE of_types') = bag(format('SELECT %s FROM types', (SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) FROM pg_attribute WHERE attrelid = 'of_types'::regclass AND attnum > 0))) AS same;
BEGIN;
SET LOCAL timezone = 'Asia/Kolkata'; SET LOCAL datestyle = 'German'; SET LOCAL extra_float_digits = -5; SET LOCAL intervalstyle = 'iso_8601'; SET LOCAL bytea_output = 'escape'; SET LOCAL search_path = public, pub;
SELECT sha256 = pub.sha_of('pub.of_types') AS same FROM sdc_publish('pub.types_release', 'pub.of_types_again', max_people_found => 100);
SELECT current_setting('timezone'), current_setting('datestyle'), current_setting('search_path');
COMMIT;
-- days and moments: all years, fractions of seconds, before 2000, and the first and last that have four digits
CREATE TABLE moments (id int PRIMARY KEY, d date, s timestamp, z timestamptz, b boolean);
INSERT INTO moments SELECT i, date '2000-01-01' + i * 137, timestamp '2000-01-01' + i * interval '5 days 7 hours 11 minutes 13.017 seconds', timestamptz '2000-01-01 00:00+00' - i * interval '3 days 0.1 seconds', i % 2 = 0
FROM generate_series(-6000, 6000) AS i;
INSERT INTO moments SELECT 10000 + n, v::date, v::timestamp, v::timestamptz FROM unnest('{infinity,-infinity,0044-03-15 BC,4713-01-01 BC,0001-12-31 BC,0001-12-31 23:59:59.999999 BC,0001-01-01,0001-01-01 00:00:00.000001,
	9999-12-31 23:59:59.999999,10000-01-01,294276-12-31,1999-12-31 23:59:59.999999,2000-01-01 00:00:00.1,2000-02-29 12:00,1900-02-28 23:59:59.5}'::text[]) WITH ORDINALITY AS x (v, n);
CREATE TABLE moments_release AS TABLE moments;
SELECT sdc_register('moments', 'moments_release', '{d,s,z,b}', '{id}');
SELECT records, sha256 = sha('of_moments') AS sha FROM sdc_publish('moments_release', 'of_moments');
-- a value, a name, or a NULL makes a difference; no record, and no value, are as good as others
CREATE TABLE small (id int PRIMARY KEY, a text, b text);
CREATE TABLE small_release AS TABLE small;
SELECT sdc_register('small', 'small_release', '{a,b}', '{id}');
CREATE FUNCTION sha_with(statement text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
	result bytea;
BEGIN
	EXECUTE 'TRUNCATE small_release';
	EXECUTE statement;
	SELECT p.sha256 INTO STRICT result FROM sdc_publish('small_release', 'of_small', replace => true, force => true) AS p;
	INSERT INTO seen VALUES (result);
	RETURN result = pub.sha('of_small');
END
$$;
CREATE TABLE seen (sha256 bytea PRIMARY KEY);
SELECT sha_with(s) FROM unnest(ARRAY['SELECT', $$INSERT INTO small_release VALUES (1, '', '')$$, 'INSERT INTO small_release VALUES (1, NULL, NULL)', $$INSERT INTO small_release VALUES (1, '-', NULL)$$,
	$$INSERT INTO small_release VALUES (1, NULL, '-')$$, $$INSERT INTO small_release VALUES (1, '1:a', '')$$, $$INSERT INTO small_release VALUES (1, '1', ':a')$$, $$INSERT INTO small_release VALUES (1, 'a', 'b'), (2, 'a', 'b')$$,
	$$INSERT INTO small_release VALUES (1, 'a', 'b')$$]) AS s;
ALTER TABLE small_release RENAME b TO c;
ALTER TABLE small RENAME b TO c;
INSERT INTO small SELECT * FROM small_release;
SELECT sdc_unregister('small_release'), sdc_register('small', 'small_release', '{a,c}', '{id}');
SELECT helper.catch($$SELECT sdc_publish('small_release', 'of_small', replace => true)$$);
SELECT count(*) FROM seen, sdc_publish('small_release', 'of_small_again') AS p WHERE seen.sha256 = p.sha256;

--
-- New contents
--
SELECT count(*) FROM sdc_rankswap('person', p => 10, columns => '{age,income,weight,savings}', keep => '{region,sex}', target => 'other', seed => 2);
CREATE ROLE regress_sdc_reader;
CREATE ROLE regress_sdc_owner;
GRANT CREATE, USAGE ON SCHEMA pub TO regress_sdc_owner;
ALTER TABLE published OWNER TO regress_sdc_owner;
GRANT INSERT ON published TO regress_sdc_reader;
GRANT SELECT (age) ON published TO regress_sdc_reader;
CREATE VIEW ages AS SELECT age FROM published;
CREATE INDEX by_age ON published (age, income);
CREATE INDEX by_hash ON published USING hash (region);
CREATE INDEX by_brin ON published USING brin (weight);
COMMENT ON TABLE published IS 'for all';
COMMENT ON COLUMN published.age IS 'in years';
COMMENT ON INDEX by_age IS 'fast';
CREATE STATISTICS stat ON age, region FROM published;
ANALYZE published;
ALTER TABLE published SET (fillfactor = 90);
CREATE FUNCTION look(relation regclass) RETURNS text LANGUAGE sql
RETURN (SELECT concat_ws('|', c.oid, c.relowner::regrole, c.relacl, c.reloptions, obj_description(c.oid, 'pg_class'), c.reltoastrelid,
	(SELECT string_agg(concat(attname, attacl, col_description(c.oid, attnum)), ' ' ORDER BY attnum) FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0),
	(SELECT string_agg(concat(indexrelid, indisvalid, indisready, obj_description(indexrelid, 'pg_class')), ' ' ORDER BY indexrelid) FROM pg_index WHERE indrelid = c.oid),
	(SELECT string_agg(concat(refclassid, classid, objid, deptype), ' ' ORDER BY classid, objid) FROM pg_depend WHERE refobjid = c.oid)) FROM pg_class AS c WHERE c.oid = relation);
CREATE TABLE looked AS SELECT look('published'), pg_relation_filenode('published') AS file;
SELECT helper.catch($$SELECT * FROM sdc_publish('other', 'published', keep => '{region,sex}')$$);
SELECT records, sha256 = sha('published') AS sha, locked_ms > 0 AS locked FROM sdc_publish('other', 'published', keep => '{region,sex}', grant_to => '{regress_sdc_reader}', replace => true);
SELECT has_table_privilege('regress_sdc_reader', 'published', 'SELECT') AS granted, pg_relation_filenode('published') <> file AS other_file FROM looked;
REVOKE SELECT ON published FROM regress_sdc_reader;
GRANT SELECT (age) ON published TO regress_sdc_reader;
SELECT look('published') = look AS all_stays FROM looked;
SELECT bag('TABLE published') = bag('SELECT region, sex, age, income, weight, savings FROM other') AS new, (SELECT release FROM sdc_publications WHERE publication = 'published'::regclass);
-- indexes find what a scan finds, after both ways
CREATE FUNCTION counts(setting text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	PERFORM set_config('enable_seqscan', setting, true), set_config('enable_indexscan', CASE setting WHEN 'on' THEN 'off' ELSE 'on' END, true), set_config('enable_bitmapscan', CASE setting WHEN 'on' THEN 'off' ELSE 'on' END, true), set_config('enable_indexonlyscan', CASE setting WHEN 'on' THEN 'off' ELSE 'on' END, true);
	SELECT concat_ws(' ', (SELECT count(*) FROM published WHERE age BETWEEN 30 AND 40), (SELECT count(*) FROM published WHERE region = 'north'), (SELECT count(*) FROM published WHERE weight < 50)) INTO result;
	RETURN result;
END
$$;
SELECT counts('off') = counts('on') AS same;
SELECT records, locked_ms FROM sdc_publish('internal', 'published', keep => '{region,sex}', replace => true, mode => 'rows');
SELECT counts('off') = counts('on') AS same, look('published') = look AS all_stays, sha_of('published') = sha('published') AS sha, bag('TABLE published') = bag('SELECT region, sex, age, income, weight, savings FROM internal') AS old FROM looked;
SELECT records FROM sdc_publish('internal', 'published', keep => '{region,sex}', replace => true);
SELECT counts('off') = counts('on') AS same, look('published') = look AS all_stays FROM looked;
-- statistics are those of the new rows, and no table of the exchange is left
SELECT count(*) FROM pg_statistic WHERE starelid = 'published'::regclass;
SELECT reltuples, relallvisible = pages_of('published') AS visible FROM pg_class WHERE oid = 'published'::regclass;
-- those of several columns are still defined, and have nothing of the old rows
SELECT count(*), count(d.stxoid) FROM pg_statistic_ext AS e LEFT JOIN pg_statistic_ext_data AS d ON d.stxoid = e.oid WHERE e.stxrelid = 'published'::regclass;
ANALYZE published;
SELECT count(*), count(d.stxoid) FROM pg_statistic_ext AS e LEFT JOIN pg_statistic_ext_data AS d ON d.stxoid = e.oid WHERE e.stxrelid = 'published'::regclass;
SELECT count(*) FROM pg_class WHERE relname ~ '^pg_temp_[0-9]|^pg_toast_temp';
SELECT count(*) FROM pg_statistic WHERE starelid NOT IN (SELECT oid FROM pg_class);

-- what stands in the way: other columns, constraints, unique and other indexes, and subscribers
CREATE FUNCTION try(change text, mode text DEFAULT 'exchange') RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	EXECUTE change;
	result := helper.catch(format('SELECT FROM sdc_publish(%L, %L, keep => %L, replace => true, mode => %L)', 'internal', 'published', '{region,sex}', mode));
	RAISE EXCEPTION USING message = result, errcode = 'SDC01';
EXCEPTION WHEN SQLSTATE 'SDC01' THEN
	RETURN SQLERRM;
END
$$;
SELECT try(s) FROM unnest('{ALTER TABLE published ADD z int,ALTER TABLE published DROP savings,ALTER TABLE published RENAME savings TO z,ALTER TABLE published ALTER age TYPE int,
	ALTER TABLE published ADD CHECK (age > 0),CREATE UNIQUE INDEX ON published (weight),CREATE INDEX ON published ((age + 1)),CREATE INDEX ON published (age) WHERE age > 5,
	ALTER TABLE published ALTER savings SET NOT NULL,CREATE TABLE child () INHERITS (published)}'::text[]) AS s WHERE s !~ 'TYPE int|savings SET';
DROP VIEW ages;
SELECT try('ALTER TABLE published ALTER savings TYPE numeric');
UPDATE published SET savings = 0 WHERE savings IS NULL;
SELECT try('ALTER TABLE published ALTER savings SET NOT NULL');
SELECT try('ALTER TABLE published ALTER region SET STORAGE PLAIN, ALTER sex SET STORAGE PLAIN, ALTER income SET STORAGE PLAIN');
SET client_min_messages = error;
SELECT try('CREATE PUBLICATION regress_sdc FOR TABLE published'), try('CREATE PUBLICATION regress_sdc FOR TABLE published', 'rows'), try('CREATE PUBLICATION regress_sdc FOR TABLE published; ALTER TABLE published REPLICA IDENTITY FULL', 'rows');
SET client_min_messages = warning;

-- triggers, rules and policies have no say
CREATE FUNCTION stop() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'stop'; END $$;
CREATE TRIGGER stop BEFORE INSERT OR DELETE ON published FOR EACH ROW EXECUTE FUNCTION stop();
CREATE RULE never AS ON INSERT TO published DO INSTEAD NOTHING;
ALTER TABLE published ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
SELECT m, records FROM unnest('{rows,exchange}'::text[]) AS m, sdc_publish('other', 'published', keep => '{region,sex}', replace => true, mode => m);
ALTER TABLE published DISABLE ROW LEVEL SECURITY, NO FORCE ROW LEVEL SECURITY;
SELECT sha_of('published') = sha('published') AS sha;

-- an open cursor of one's own, and a transaction that is rolled back
BEGIN;
DECLARE c CURSOR FOR SELECT * FROM published;
SELECT helper.catch($$SELECT FROM sdc_publish('other', 'published', keep => '{region,sex}', replace => true)$$);
ROLLBACK;
BEGIN;
SELECT records FROM sdc_publish('internal', 'published', keep => '{region,sex}', replace => true);
SAVEPOINT a;
SELECT records FROM sdc_publish('other', 'published', keep => '{region,sex}', replace => true);
ROLLBACK TO a;
SELECT bag('TABLE published') = bag('SELECT region, sex, age, income, weight, savings FROM internal') AS first, sha_of('published') = sha('published') AS sha;
SELECT records FROM sdc_publish('other', 'published', keep => '{region,sex}', replace => true);
COMMIT;
SELECT bag('TABLE published') = bag('SELECT region, sex, age, income, weight, savings FROM other') AS second, sha_of('published') = sha('published') AS sha, counts('off') = counts('on') AS same;

-- no record, one, and a column of nulls
TRUNCATE small_release;
SELECT records, sha256 = sha('of_small_again') AS sha FROM sdc_publish('small_release', 'of_small_again', replace => true, force => true);
SELECT records, sha256 = sha('of_small_again') AS sha FROM sdc_publish('small_release', 'of_small_again', replace => true, mode => 'rows', force => true);

--
-- Arguments
--
SELECT helper.catch($$SELECT * FROM sdc_publish(NULL, 'p')$$), helper.catch($$SELECT * FROM sdc_publish('internal', NULL)$$), helper.catch($$SELECT * FROM sdc_publish('internal', ' ')$$);
SELECT helper.catch($$SELECT * FROM sdc_publish('internal', 'p', mode => 'copy')$$);
SELECT helper.catch($$SELECT * FROM sdc_publish('internal', 'p', mode => NULL)$$), helper.catch($$SELECT * FROM sdc_publish('internal', 'p', replace => NULL)$$), helper.catch($$SELECT * FROM sdc_publish('internal', 'p', force => NULL)$$);
SELECT helper.catch($$SELECT * FROM sdc_publish('internal', 'p', keep => '{sex,sex}')$$), helper.catch($$SELECT * FROM sdc_publish('internal', 'p', keep => '{sex,NULL}')$$);
SELECT helper.catch($$SELECT * FROM sdc_publish('internal', 'p', keep => '{region,sex}', grant_to => '{regress_sdc_nobody}')$$);
SELECT helper.catch($$SELECT * FROM sdc_publish('internal', 'a.b.c.d', keep => '{region,sex}')$$);
SELECT helper.catch($$SELECT * FROM sdc_publish('internal', 'nowhere.p', keep => '{region,sex}')$$), helper.catch($$SELECT * FROM sdc_publish('internal', 'pg_catalog.p', keep => '{region,sex}')$$), helper.catch($$SELECT * FROM sdc_publish('internal', 'pg_temp.p', keep => '{region,sex}')$$);
-- what is no release, and what cannot be a target
SELECT helper.catch(format($$SELECT * FROM sdc_publish(%L, 'p')$$, r)) FROM unnest('{person,published,sdc_publications,by_age}'::text[]) AS r;
SELECT t, helper.catch(format($$SELECT * FROM sdc_publish('internal', %L, keep => '{region,sex}', replace => true)$$, t)) FROM unnest('{person,internal,other,line,by_age,sdc_private.sdc_release_catalog}'::text[]) AS t;
SELECT helper.catch($$SELECT sdc_register('person', 'published', '{age}', '{age}')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('person', p => 5, columns => '{age}', target => 'published', replace => true)$$);
-- everybody may be a reader
SELECT records FROM sdc_publish('line_release', 'of_line', grant_to => '{public}', replace => true);
SELECT has_table_privilege('regress_sdc_reader', 'of_line', 'SELECT');
BEGIN READ ONLY;
SELECT helper.catch($$SELECT * FROM sdc_publish('internal', 'p', keep => '{region,sex}')$$), helper.catch($$SELECT sdc_withdraw('published', 'x')$$);
COMMIT;
-- a temporary release: the publication stays, and the release is not known
CREATE TEMP TABLE short AS SELECT id, age FROM person;
SELECT sdc_register('person', 'short', '{age}', '{id}');
SELECT records FROM sdc_publish('short', 'of_short');
SELECT publication, release FROM sdc_publications WHERE publication = 'of_short'::regclass;
-- a view of another tool's
CREATE VIEW seen_release AS SELECT id, (age + 1)::smallint AS age, upper(job)::varchar(12) AS job FROM person;
SELECT sdc_register('person', 'seen_release', '{age,job}', '{id}');
SELECT records, columns, sha256 = sha('of_view') AS sha FROM sdc_publish('seen_release', 'of_view');
SELECT bag('TABLE of_view') = bag('SELECT age, job FROM seen_release') AS same;

--
-- Rights
--
GRANT USAGE ON SCHEMA helper, pub TO regress_sdc_reader, regress_sdc_owner;
GRANT SELECT ON person, internal TO regress_sdc_reader;
GRANT SELECT ON person TO regress_sdc_owner;
-- (pub_evaluated.sdc_publish asks it)
GRANT USAGE ON SCHEMA sdc_private TO regress_sdc_owner;
GRANT EXECUTE ON FUNCTION sdc_private.evaluation(regclass) TO regress_sdc_owner;
SET ROLE regress_sdc_reader;
-- who may read the release knows of the publication, and cannot make or change one
SELECT publication, release FROM sdc_publications ORDER BY publication::text COLLATE "C";
SELECT helper.catch($$SELECT * FROM pub.sdc_publish('internal', 'p')$$) ~ 'does not exist', helper.catch($$SELECT * FROM sdc_publish('internal', 'p', keep => '{region,sex}')$$), helper.catch($$SELECT sdc_withdraw('published', 'x')$$);
RESET ROLE;
REVOKE SELECT ON person FROM regress_sdc_reader;
SET ROLE regress_sdc_reader;
-- who may read nothing but what was published knows nothing else
SELECT count(*), count(release) FROM sdc_publications;
SELECT helper.catch('SELECT FROM sdc_private.sdc_publication_catalog'), helper.catch('INSERT INTO sdc_private.sdc_publication_catalog DEFAULT VALUES');
RESET ROLE;
GRANT USAGE ON SCHEMA sdc_private TO regress_sdc_reader;
SET ROLE regress_sdc_reader;
SELECT helper.catch('SELECT FROM sdc_private.sdc_publication_catalog'), helper.catch('INSERT INTO sdc_private.sdc_publication_catalog DEFAULT VALUES');
RESET ROLE;
GRANT CREATE ON SCHEMA pub TO regress_sdc_owner;
SET ROLE regress_sdc_owner;
SELECT count(*) FROM sdc_rankswap('person', p => 10, columns => '{age,income,weight,savings}', omit => '{born,job}', keep => '{region,sex}', target => 'owned', seed => 2);
SELECT records FROM sdc_publish('owned', 'of_owned', keep => '{region,sex}');
SELECT relowner::regrole, relacl FROM pg_class WHERE oid = 'of_owned'::regclass;
-- his, or not his
SELECT helper.catch($$SELECT * FROM sdc_publish('owned', 'of_line', keep => '{region,sex}', replace => true)$$), helper.catch($$SELECT * FROM sdc_publish('owned', 'public.x', keep => '{region,sex}')$$) LIKE '42501%' OR has_schema_privilege('public', 'CREATE') AS refused;
SELECT records FROM sdc_publish('owned', 'published', keep => '{region,sex}', replace => true);
SELECT publication, release FROM sdc_publications ORDER BY publication::text COLLATE "C";
RESET ROLE;
-- row security would publish a part of a release
ALTER TABLE owned ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY half ON owned USING (age > 40);
SET ROLE regress_sdc_owner;
SELECT helper.catch($$SELECT * FROM sdc_publish('owned', 'of_owned', keep => '{region,sex}', replace => true)$$);
RESET ROLE;
-- a forged row does nothing: the writer must have the rights of the owner
SELECT pg_get_userbyid(datdba) = current_user AS mine FROM pg_database WHERE datname = current_database();
GRANT INSERT ON sdc_private.sdc_publication_catalog TO regress_sdc_reader;
CREATE TABLE innocent AS SELECT 1 AS x;
SET ROLE regress_sdc_reader;
INSERT INTO sdc_private.sdc_publication_catalog SELECT 'innocent', 'innocent', 'internal', 'internal', 'exchange', '{x}', '{}', 1, '', '', false, 'mallory', now(), '-';
RESET ROLE;
REVOKE INSERT ON sdc_private.sdc_publication_catalog FROM regress_sdc_reader;
SELECT count(*) FROM sdc_publications WHERE publication = 'innocent'::regclass;
SELECT helper.catch($$SELECT * FROM sdc_publish('internal', 'innocent', keep => '{region,sex}', replace => true)$$), helper.catch($$SELECT sdc_withdraw('innocent', 'x')$$);

--
-- Withdraw
--
SELECT helper.catch($$SELECT sdc_withdraw('internal', 'x')$$), helper.catch($$SELECT sdc_withdraw('published', NULL)$$), helper.catch($$SELECT sdc_withdraw('published', '')$$), helper.catch($$SELECT sdc_withdraw(NULL, 'x')$$);
CREATE VIEW ages AS SELECT age FROM published;
SELECT helper.catch($$SELECT sdc_withdraw('published', 'too early')$$);
DROP VIEW ages;
SELECT sdc_withdraw('published', 'too early');
SELECT to_regclass('published') IS NULL AS gone, count(*) FROM sdc_publications WHERE publication IS NULL OR 'published' = publication::text;
-- one that was dropped without is forgotten with the next
DROP TABLE of_view;
SELECT count(*) > (SELECT count(*) FROM sdc_publications) AS there FROM sdc_private.sdc_publication_catalog WHERE mode <> 'accuracy';
SELECT records FROM sdc_publish('line_release', 'of_line', replace => true);
SELECT count(*) - (SELECT count(*) FROM sdc_publications) AS more FROM sdc_private.sdc_publication_catalog WHERE mode <> 'accuracy';
-- a release that is gone
DROP TABLE line_release;
SELECT publication, release FROM sdc_publications WHERE publication = 'of_line'::regclass;

DROP SCHEMA pub_evaluated, pub CASCADE;
REVOKE ALL ON SCHEMA helper, sdc_private FROM regress_sdc_reader, regress_sdc_owner;
REVOKE EXECUTE ON FUNCTION sdc_private.evaluation(regclass) FROM regress_sdc_owner;
DROP ROLE regress_sdc_reader, regress_sdc_owner;
SELECT count(*) FROM sdc_publications;
