--
-- randomize_types
--
-- Random anonymization of every type of value and every kind of relation; the same result by
-- every form of the call, in every physical order, by every plan and with every amount of memory.
--
\pset format unaligned
\pset footer off
SET client_min_messages = warning;
\set VERBOSITY terse
CREATE SCHEMA randomized_types;
SET search_path = randomized_types, randomized, public;

-- Types: whatever can be ordered.  Every value comes from the column, NULLs stay.
CREATE TYPE mood AS ENUM ('good', 'bad', 'middling');
CREATE DOMAIN share AS numeric(6, 3) CHECK (VALUE BETWEEN 0 AND 100);
CREATE DOMAIN inner_text AS text COLLATE "C" CHECK (VALUE <> '');
CREATE TYPE pair AS (x int, y text);
CREATE TABLE typed AS
SELECT i AS id, (i % 7)::smallint AS "smallint", i * 3 AS "int", i * 5000000000 AS "bigint", (i / 7.0)::numeric(9, 4) AS "numeric", (i / 3.0)::real AS "real",
	sqrt(i) AS "double", i::money AS "money", i % 2 = 0 AS "boolean", ('word ' || i) COLLATE "C" AS "text", ('v' || i % 20)::varchar(8) AS "varchar", ('c' || i % 9)::char(6) AS "char",
	chr(65 + i % 26)::"char" AS onechar, date '2000-01-01' + i AS "date", time '00:00' + i * interval '1 minute' AS "time", timestamp '2000-01-01' + i * interval '1 hour' AS "timestamp",
	timestamptz '2000-01-01 00:00+00' + i * interval '1 day' AS "timestamptz", i * interval '1 hour' AS "interval", (enum_range(NULL::mood))[1 + i % 3] AS "enum",
	(i % 90 + i % 7 / 8.0)::share AS "domain", ('t' || i % 11)::inner_text AS "text domain", md5(i::text)::uuid AS "uuid", decode(md5(i::text), 'hex') AS "bytea",
	('10.0.0.' || i % 256)::inet AS "inet", ARRAY[i % 5, i] AS "array", int4range(i, i + i % 5) AS "range", ROW(i % 6, 'y')::pair AS "row", jsonb_build_object('v', i % 12) AS "jsonb",
	(i % 16)::bit(4) AS "bit", i::oid AS "oid", (ARRAY['NaN', 'Infinity', '-Infinity', '0', '-0', '1e308'])[1 + i % 6]::float8 AS "special", repeat(md5(i::text), 200) AS "long"
FROM generate_series(1, 120) AS i;
UPDATE typed SET "smallint" = NULL, "text" = NULL, "enum" = NULL, "domain" = NULL, "uuid" = NULL, "long" = NULL, "row" = NULL, "array" = NULL WHERE id % 4 = 1;
ALTER TABLE typed ADD PRIMARY KEY (id), ALTER "long" SET STORAGE EXTERNAL;
SELECT attribute, action, changed > 40 AS mostly FROM sdc_randomize('typed', (SELECT array_agg(attname ORDER BY attnum) FROM pg_attribute WHERE attrelid = 'typed'::regclass AND attnum > 1), draws => 31, seed => 1);
SELECT check_donated('typed_randomize');
SELECT count(*) AS same_types FROM pg_attribute AS s JOIN pg_attribute AS r USING (attnum, attname, atttypid, atttypmod, attcollation)
WHERE s.attrelid = 'typed'::regclass AND r.attrelid = 'typed_randomize'::regclass AND attnum > 0;
-- the optimal probabilities too, whatever the values are: equal ones by the type's own equality
SELECT count(*) FROM sdc_randomize('typed', '{special,"text domain","jsonb","row","array","range","char"}', seed => 1, target => 'by_diversity');
SELECT near(probabilities('by_diversity'), optimal('typed', qi), 1e-14) AS optimal, check_donated('by_diversity') FROM sdc_releases WHERE release = 'by_diversity'::regclass;
-- values that are equal but do not look the same stay as they are: a donated one is the donor's
CREATE TABLE looks (id int PRIMARY KEY, n numeric);
INSERT INTO looks SELECT i, (ARRAY['1', '1.0', '1.00', '2', '2.000'])[1 + i % 5]::numeric FROM generate_series(1, 500) AS i;
SELECT changed BETWEEN 200 AND 260 AS changed FROM sdc_randomize('looks', '{n}', draws => 1, seed => 1) WHERE attribute = 'n';
SELECT check_donated('looks_randomize');
-- one attribute is drawn for sure
SELECT count(*) FROM sdc_randomize('looks', '{n}', target => 'looks_other', seed => 1);
SELECT probabilities('looks_other'), helper.fingerprint('looks_other') = helper.fingerprint('looks_randomize') AS same;

-- Types that cannot be ordered, and columns that cannot be protected.
CREATE TABLE odd (id int PRIMARY KEY, a int, j json, p point, g int GENERATED ALWAYS AS (a * 2) STORED, b int GENERATED ALWAYS AS IDENTITY, d int);
INSERT INTO odd (id, a, j, p, d) SELECT i, i % 10, '{}', '(1,1)', 1 FROM generate_series(1, 50) AS i;
ALTER TABLE odd DROP COLUMN d;
SELECT helper.catch(format('SELECT * FROM sdc_randomize(''odd'', %L)', ARRAY['a', x])) FROM unnest('{j,p,g,d,id,ctid,"A"}'::text[]) AS x;
SELECT * FROM sdc_randomize('odd', '{a,b}', draws => 1, seed => 1);

-- Records: none, one, equal ones.
CREATE TABLE few (id int PRIMARY KEY, a int, b text);
SELECT attribute, action, records, changed FROM sdc_randomize('few', '{a,b}', seed => 1);
SELECT parameters, records FROM sdc_releases WHERE release = 'few_randomize'::regclass;
INSERT INTO few VALUES (1, 5, 'x');
SELECT attribute, action, records, changed FROM sdc_randomize('few', '{a,b}', draws => 2, replace => true, seed => 1);
INSERT INTO few SELECT i, 5, NULL FROM generate_series(2, 40) AS i;
SELECT attribute, action, records, changed FROM sdc_randomize('few', '{a,b}', draws => 2, replace => true, seed => 1);
TABLE few EXCEPT TABLE few_randomize;

-- The three forms of the call, and how the rows come back.
SELECT helper.make_people('person', 400);
SELECT count(*) FROM sdc_randomize('person', '{region,age,savings}', draws => 2, seed => 1, target => 'by_text');
SELECT count(*) FROM sdc_randomize('person'::regclass, '{region,age,savings}', draws => 2, seed => 1, target => 'by_oid');
CREATE TABLE by_row AS SELECT * FROM sdc_randomize(NULL::person, '{region,age,savings}', draws => 2, seed => 1);
SELECT count(*) FROM sdc_randomize('randomized_types.person', '{region,age,savings}', 2, NULL, 'by_place', NULL, NULL, NULL, NULL, 1, false);
SELECT helper.fingerprint(r::regclass, 'id') = helper.fingerprint('by_text', 'id') AS same FROM unnest('{by_oid,by_row,by_place}'::text[]) AS r;
SELECT count(*) FROM sdc_releases WHERE release = 'by_row'::regclass;
SELECT count(*) FROM sdc_randomize('person', '{sex,age}', probabilities => '{0.25,0.75}', strata => '{region}', seed => 1, target => 'by_probabilities');
CREATE VIEW protected AS SELECT * FROM sdc_randomize(NULL::person, '{sex,age}', probabilities => '{0.25,0.75}', strata => '{region}', omit => '{born}', seed => 1);
SELECT count(*), count(born) AS left_out FROM protected;
SELECT count(*) AS differ FROM protected AS v JOIN by_probabilities AS t USING (id) WHERE (v.sex, v.age, v.income, v.savings) IS DISTINCT FROM (t.sex, t.age, t.income, t.savings);

-- The rows do not depend on how they lie, are read, or how much memory there is.  12,000
-- different texts of 64 bytes and what is known of each do not fit into 1 MB: the texts go through
-- temporary files, of which they fill 94 blocks.  (Sorting them takes more before PostgreSQL 17.)
CREATE TABLE large AS SELECT i AS id, md5(i::text) || md5((-i)::text) AS note, (hashint4(i) % 100)::numeric AS n, CASE WHEN i % 3 > 0 THEN i END AS gaps, i % 4 AS stratum FROM generate_series(1, 12000) AS i;
ALTER TABLE large ADD PRIMARY KEY (id);
CREATE FUNCTION temporary_blocks(query text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	EXECUTE 'EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ' || query INTO plan;
	RETURN plan -> 0 -> 'Plan' ->> 'Temp Written Blocks';
END
$$;
SET maintenance_work_mem = '64MB';
SET work_mem = '64MB';
SET max_parallel_maintenance_workers = 0;	-- an index that workers build goes through files, too
SELECT temporary_blocks($$SELECT * FROM sdc_randomize('large', '{note,n,gaps}', target => 'in_memory', seed => 2)$$);
RESET max_parallel_maintenance_workers;
SELECT count(*) FROM sdc_randomize('large', '{note,n,gaps}', draws => 2, strata => '{stratum}', target => 'in_memory_strata', seed => 2);
SET maintenance_work_mem = '1MB';
SET work_mem = '64kB';
SELECT temporary_blocks($$SELECT * FROM sdc_randomize('large', '{note,n,gaps}', target => 'in_files', seed => 2)$$) > 12000 * 64 / 8192 AS through_files;
SELECT count(*) FROM sdc_randomize('large', '{note,n,gaps}', draws => 2, strata => '{stratum}', target => 'in_files_strata', seed => 2);
RESET maintenance_work_mem;
RESET work_mem;
SELECT helper.fingerprint('in_memory') = helper.fingerprint('in_files') AS same, helper.fingerprint('in_memory_strata') = helper.fingerprint('in_files_strata') AS same_strata;
SELECT near(probabilities('in_memory'), probabilities('in_files'), 0) AS same_probabilities, near(probabilities('in_memory'), optimal('large', '{note,n,gaps}'), 1e-13) AS optimal;
SELECT check_donated('in_files'), check_donated('in_files_strata');
CREATE TABLE shuffled (id int PRIMARY KEY, note text, n numeric, gaps int, stratum int) PARTITION BY HASH (id);
CREATE TABLE shuffled_0 PARTITION OF shuffled FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE shuffled_1 (n numeric, note text, gaps int, stratum int, id int NOT NULL);
ALTER TABLE shuffled ATTACH PARTITION shuffled_1 FOR VALUES WITH (MODULUS 2, REMAINDER 1);
INSERT INTO shuffled SELECT id, note, n, gaps, stratum FROM large ORDER BY md5(id::text);
CREATE VIEW seen AS SELECT id, note, n, gaps, stratum FROM large ORDER BY md5(note);
SET enable_seqscan = off;
SET min_parallel_table_scan_size = 0;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET enable_sort = off;
SELECT count(*) FROM sdc_randomize('shuffled', '{note,n,gaps}', draws => 2, strata => '{stratum}', seed => 2);
SELECT count(*) FROM sdc_randomize('seen', '{note,n,gaps}', draws => 2, strata => '{stratum}', key => '{id}', seed => 2);
SET enable_seqscan = on;
SET enable_indexscan = off;
SET enable_bitmapscan = off;
SELECT count(*) FROM sdc_randomize('large', '{note,n,gaps}', draws => 2, strata => '{stratum}', seed => 2);
RESET ALL;
SET search_path = randomized_types, randomized, public;
SELECT r, helper.fingerprint(r, 'id') = helper.fingerprint('in_memory_strata', 'id') AS same FROM unnest('{large_randomize,seen_randomize,shuffled_randomize}'::regclass[]) AS r;

-- Without a key the release has the numbers of the rows.
CREATE TABLE keyless AS SELECT age, sex, savings FROM person ORDER BY id;
SELECT attribute, action, records FROM sdc_randomize('keyless', '{age,savings}', draws => 2, seed => 1);
SELECT check_donated('keyless_randomize'), (SELECT key FROM sdc_releases WHERE release = 'keyless_randomize'::regclass);

-- Left out: what is classified as identifier, and what is named; replace.
SELECT sdc_classify('person', 'born', 'identifier'), sdc_classify('person', 'job', 'sensitive'), sdc_classify('person', 'sex', 'quasi-identifier');
SELECT attribute, action, changed IS NULL AS unknown FROM sdc_randomize('person', '{age,savings}', draws => 1, omit => '{weight}', target => 'person_out', seed => 1);
SELECT columns, omitted, qi, sensitive FROM sdc_releases WHERE release = 'person_out'::regclass;
SELECT helper.catch($$SELECT * FROM sdc_randomize('person', '{age}', target => 'person_out')$$);
SELECT count(*) FROM sdc_randomize('person', '{age,region}', probabilities => '{1,0}', omit => '{weight}', target => 'person_out', replace => true, seed => 1);
SELECT columns, parameters, check_donated(release) FROM sdc_releases WHERE release = 'person_out'::regclass;
SELECT helper.catch($$SELECT * FROM sdc_randomize('person', '{age,born}')$$), helper.catch($$SELECT * FROM sdc_randomize('person', '{age,weight}', omit => '{weight}')$$);
SELECT count(*) FROM sdc_randomize('person', '{job,age}', draws => 1, target => 'sensitive_too', seed => 1);
SELECT columns, qi, sensitive FROM sdc_releases WHERE release = 'sensitive_too'::regclass;
