--
-- determinism
--
-- The same data, key and seed give the same release, bit by bit and in the same physical
-- order, whatever the physical order of the source, the plan, the partitioning or
-- the memory.
--
-- many ties, NULLs, text of several lengths, a key that is not in physical order
\pset format unaligned
\pset footer off
CREATE TABLE same (id int PRIMARY KEY, g text COLLATE "C", a int, b float8, c text COLLATE "C", d numeric);
INSERT INTO same
SELECT i, (ARRAY['x', 'y', 'z', NULL])[1 + helper.below(i, 1, 4)],
	helper.below(i, 2, 50), CASE WHEN helper.below(i, 3, 10) > 0 THEN helper.below(i, 4, 200) / 7.0 END,
	CASE WHEN helper.below(i, 5, 8) > 0 THEN repeat('w', helper.below(i, 6, 5)) || helper.below(i, 7, 300) END,
	helper.below(i, 8, 1000) / 8.0
FROM generate_series(1, 2000) AS i;
ANALYZE same;

-- recognized insists that the source of a release is what it was: an evaluation compares it with the checksum
-- that was taken when the release was made.
CREATE FUNCTION helper.recognized(release regclass) RETURNS boolean
LANGUAGE sql
RETURN (SELECT count(*) = cardinality(r.columns) FROM sdc_releases AS r, LATERAL sdc_interval_disclosure(r.release)
	WHERE r.release = recognized.release GROUP BY r.columns);

-- Releases that are made of the table here, under the settings here, and of a view that becomes one of every table below.
SELECT max(records) FROM sdc_rankswap('same', p => 5, columns => '{a,b,c,d}', seed => 1, target => 'same_base');
CREATE VIEW same_any AS SELECT id, g, a, b, c, d FROM same;
SELECT max(records) FROM sdc_rankswap('same_any', p => 5, key => '{id}', columns => '{a,b,c,d}', seed => 1, target => 'same_any_base');

-- three returns the fingerprint of the three releases of a table, in physical order, and whether the checksum of its
-- values is that of the table here, and those of all tables are what they were.
CREATE FUNCTION helper.three(source text, key name[] DEFAULT NULL) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	PERFORM sdc_rankswap(source, p => 5, key => key, columns => '{a,b,c,d}', seed => 7, target => 'same_1');
	PERFORM sdc_rankswap_distribution(source, p => 5, key => key, columns => '{a,b,c,d}', strata => '{g}', seed => 7, target => 'same_2');
	PERFORM sdc_rankswap_buckets(source, key => key, columns => '{a,b,c,d}', buckets => 10, seed => 7, target => 'same_3');
	EXECUTE format('CREATE OR REPLACE VIEW same_any AS SELECT id, g, a, b, c, d FROM %s', source);
	result := helper.fingerprint('same_1') || helper.fingerprint('same_2') || helper.fingerprint('same_3')
		|| (SELECT bool_and(helper.recognized(release)) FROM sdc_releases WHERE release::text ~ '^same_.*base$');
	IF helper.fingerprint('same_1') <> helper.fingerprint('same_1', 'id') THEN
		RETURN 'not in the order of the key';
	END IF;
	DROP TABLE same_1, same_2, same_3;
	RETURN result;
END
$$;
SELECT helper.three('same') AS want \gset
SELECT right(:'want', 4) AS recognized;
-- what is not the same is not recognized, also where it is equal
BEGIN;
UPDATE same SET b = '-0' WHERE id = (SELECT min(id) FROM same WHERE b = 0);
SELECT helper.catch($$SELECT helper.three('same')$$);
ROLLBACK;
CREATE VIEW same_not AS SELECT id, g, a, b, c, CASE WHEN id = 77 THEN round(d, 30) ELSE d END AS d FROM same;
SELECT helper.catch($$SELECT helper.three('same_not', '{id}')$$);

-- again
SELECT helper.three('same') = :'want' AS same;
-- the physical order: reversed, shuffled, after many updates, vacuumed, clustered
CREATE TABLE same_reversed (LIKE same INCLUDING ALL);
INSERT INTO same_reversed SELECT * FROM same ORDER BY id DESC;
SELECT helper.three('same_reversed') = :'want' AS same;
SELECT max(records) FROM sdc_rankswap('same_reversed', p => 5, columns => '{a,b,c,d}', seed => 1, target => 'same_reversed_base');
CREATE TABLE same_shuffled AS SELECT * FROM same ORDER BY md5(id::text);
SELECT helper.three('same_shuffled', '{id}') = :'want' AS same;
UPDATE same_reversed SET a = a + 1 WHERE id % 3 = 0;
UPDATE same_reversed SET a = a - 1 WHERE id % 3 = 0;
DELETE FROM same_reversed WHERE id % 7 = 0;
INSERT INTO same_reversed SELECT * FROM same WHERE id % 7 = 0;
SELECT helper.three('same_reversed') = :'want' AS same;
VACUUM (FULL, ANALYZE) same_reversed;
SELECT helper.three('same_reversed') = :'want' AS same;
CREATE INDEX same_by_b ON same_reversed (b);
CLUSTER same_reversed USING same_by_b;
SELECT helper.three('same_reversed') = :'want' AS same;
-- other columns, in another order, dropped ones
CREATE TABLE same_columns (z int, d numeric, c text COLLATE "C", id int PRIMARY KEY, b float8, a int, g text COLLATE "C");
INSERT INTO same_columns SELECT 1, d, c, id, b, a, g FROM same;
ALTER TABLE same_columns DROP z;
CREATE VIEW same_columns_view AS SELECT id, g, a, b, c, d FROM same_columns;
SELECT helper.three('same_columns_view', '{id}') = :'want' AS same;
-- a view, a partitioned table, a materialized view, an unlogged table, compression
CREATE VIEW same_view AS SELECT * FROM same WHERE id % 2 = 0 UNION ALL SELECT * FROM same WHERE id % 2 = 1;
SELECT helper.three('same_view', '{id}') = :'want' AS same;
CREATE TABLE same_parted (LIKE same INCLUDING ALL) PARTITION BY HASH (id);
CREATE TABLE same_parted_0 PARTITION OF same_parted FOR VALUES WITH (MODULUS 3, REMAINDER 0);
CREATE TABLE same_parted_1 PARTITION OF same_parted FOR VALUES WITH (MODULUS 3, REMAINDER 1);
CREATE TABLE same_parted_2 PARTITION OF same_parted FOR VALUES WITH (MODULUS 3, REMAINDER 2);
INSERT INTO same_parted SELECT * FROM same;
SELECT helper.three('same_parted') = :'want' AS same;
SELECT max(records) FROM sdc_rankswap('same_parted', p => 5, columns => '{a,b,c,d}', seed => 1, target => 'same_parted_base');
CREATE MATERIALIZED VIEW same_matview AS SELECT * FROM same ORDER BY c DESC;
SELECT helper.three('same_matview', '{id}') = :'want' AS same;
-- another table name and schema are no part of the seed; another column name is
CREATE SCHEMA same_schema;
CREATE TABLE same_schema."Other" AS TABLE same;
SELECT helper.three('same_schema."Other"', '{id}') = :'want' AS same;

-- planner settings
SET enable_sort = off;
SELECT helper.three('same') = :'want' AS same;
RESET enable_sort;
SET enable_seqscan = off;
SELECT helper.three('same') = :'want' AS same;
SET enable_indexscan = off;
SET enable_bitmapscan = off;
SELECT helper.three('same') = :'want' AS same;
RESET enable_seqscan;
RESET enable_indexscan;
RESET enable_bitmapscan;
SET enable_incremental_sort = off;
SET cursor_tuple_fraction = 0.001;
SET plan_cache_mode = force_generic_plan;
SELECT helper.three('same') = :'want' AS same;
SET jit = on;
SET jit_above_cost = 0;
SELECT helper.three('same') = :'want' AS same;
RESET ALL;
-- parallel plans
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SET min_parallel_index_scan_size = 0;
SET max_parallel_workers_per_gather = 4;
SELECT helper.three('same') = :'want' AS same;
SELECT helper.three('same_parted') = :'want' AS same;
SET enable_partitionwise_join = on;
SET enable_partitionwise_aggregate = on;
SET synchronize_seqscans = off;
SELECT helper.three('same_parted') = :'want' AS same;
RESET ALL;
-- settings that change how values look
SET extra_float_digits = -3;
SET datestyle = 'German';
SET intervalstyle = 'sql_standard';
SET bytea_output = 'escape';
SET timezone = 'Asia/Kolkata';
SELECT attribute, action FROM sdc_rankswap('same', p => 5, columns => '{a,b}', seed => 7, target => 'same_settings');
SELECT bool_and(helper.recognized(release)), count(*) FROM sdc_releases WHERE release::text ~ '^same_.*base$';
RESET ALL;
SELECT attribute, action FROM sdc_rankswap('same', p => 5, columns => '{a,b}', seed => 7, target => 'same_default');
SELECT helper.fingerprint('same_settings') = helper.fingerprint('same_default') AS same;
SELECT helper.recognized('same_settings') AS recognized;
-- isolation levels
BEGIN ISOLATION LEVEL SERIALIZABLE;
SELECT helper.three('same') = :'want' AS same;
COMMIT;

-- Memory: what fits and what goes through temporary files.  40,000 records, few values.
CREATE TABLE large (id int, g int, a int, b float8, c text, d numeric);
INSERT INTO large
SELECT i * 7919 % 40009, i * 31 % 17, helper.below(i, 1, 1000), CASE WHEN i % 11 > 0 THEN helper.below(i, 2, 30) / 3.0 END,
	CASE WHEN i % 13 > 0 THEN md5((i * 17 % 5003)::text) END, i * 13 % 13007
FROM generate_series(1, 40000) AS i;
ALTER TABLE large ADD PRIMARY KEY (id);
ANALYZE large;
CREATE FUNCTION helper.one(method text, parameters text) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	EXECUTE format('SELECT * FROM sdc_%s(''large'', seed => 8, columns => ''{a,b,c,d}'', target => ''large_release'', %s)', method, parameters);
	result := helper.fingerprint('large_release');
	DROP TABLE large_release;
	RETURN result;
END
$$;
SET maintenance_work_mem = '1GB';
SELECT helper.one('rankswap', 'p => 5') AS standard,
	helper.one('rankswap', 'p => 5, strata => ''{g}''') AS strata,
	helper.one('rankswap_distribution', 'p => 2.5') AS distribution,
	helper.one('rankswap_buckets', 'buckets => 75') AS buckets \gset
SET maintenance_work_mem = '1MB';
SELECT helper.one('rankswap', 'p => 5') = :'standard' AS standard,
	helper.one('rankswap', 'p => 5, strata => ''{g}''') = :'strata' AS strata,
	helper.one('rankswap_distribution', 'p => 2.5') = :'distribution' AS distribution,
	helper.one('rankswap_buckets', 'buckets => 75') = :'buckets' AS buckets;
-- in between some columns fit and some do not
SET maintenance_work_mem = '3MB';
SELECT helper.one('rankswap', 'p => 5') = :'standard' AS standard,
	helper.one('rankswap', 'p => 5, strata => ''{g}''') = :'strata' AS strata;
SET maintenance_work_mem = '8MB';
SET work_mem = '64kB';
SELECT helper.one('rankswap', 'p => 5') = :'standard' AS standard,
	helper.one('rankswap', 'p => 5, strata => ''{g}''') = :'strata' AS strata;
-- the release of the large table is right
SET maintenance_work_mem = '1MB';
SELECT attribute, action, records FROM sdc_rankswap('large', p => 5, strata => '{g}', seed => 9, columns => '{a,b,c,d}');
SELECT helper.check_release('large_rankswap');
SELECT helper.furthest('large_rankswap', 'd', '{g}') <= round(0.05 * max(n)) AS within
FROM (SELECT count(*) AS n FROM large GROUP BY g) AS x;
-- more strata than memory has room for: a stratum for every second record
SELECT attribute, action FROM sdc_rankswap('large', p => 5, strata => '{d,g}', seed => 9, columns => '{a,b}', target => 'large_strata');
SELECT helper.check_column('large_strata', 'a', true, '{d,g}');
-- the rows of the row type form as well
SELECT count(*) FROM (SELECT id, g, a, b, c, d FROM sdc_rankswap(NULL::large, p => 5, strata => '{g}', seed => 9, columns => '{a,b,c,d}')
	EXCEPT ALL SELECT id, g, a, b, c, d FROM large_rankswap) AS x;
RESET ALL;
-- a scan that starts in the middle of the table does not matter
BEGIN;
SET LOCAL synchronize_seqscans = on;
DECLARE started CURSOR FOR SELECT * FROM large;
MOVE 15000 FROM started;
SELECT helper.one('rankswap', 'p => 5') = :'standard' AS standard;
COMMIT;

-- Keys: text in any collation, several columns, types of any size.
CREATE TABLE same_text (id text, a int, b float8);
INSERT INTO same_text SELECT chr(65 + i % 57) || i, i * 17 % 97, i / 3.0 FROM generate_series(1, 300) AS i;
SELECT count(*) FROM sdc_rankswap('same_text', p => 5, key => '{id}', seed => 7, target => 'same_text_1');
DO $$
BEGIN
	ALTER TABLE same_text ALTER id TYPE text COLLATE "en-x-icu";
EXCEPTION WHEN undefined_object THEN
	NULL;
END
$$;
SELECT count(*) FROM sdc_rankswap('same_text', p => 5, key => '{id}', seed => 7, target => 'same_text_2');
SELECT helper.fingerprint('same_text_1') = helper.fingerprint('same_text_2') AS same,
	helper.fingerprint('same_text_1') = helper.fingerprint('same_text_1', 'id COLLATE "C"') AS in_key_order;
-- the order of the key's columns is part of the key
CREATE TABLE same_key (x int, y int, a int);
INSERT INTO same_key SELECT i / 20, i % 20, i * 17 % 43 FROM generate_series(1, 400) AS i;
SELECT count(*) FROM sdc_rankswap('same_key', p => 5, key => '{x,y}', seed => 7, target => 'same_key_1');
SELECT count(*) FROM sdc_rankswap('same_key', p => 5, key => '{y,x}', seed => 7, target => 'same_key_2');
ALTER TABLE same_key ADD PRIMARY KEY (x, y);
SELECT count(*) FROM sdc_rankswap('same_key', p => 5, seed => 7, target => 'same_key_3');
SELECT helper.check_release('same_key_1'), helper.check_release('same_key_2'),
	helper.fingerprint('same_key_1') = helper.fingerprint('same_key_3') AS same,
	helper.fingerprint('same_key_1', 'x, y') = helper.fingerprint('same_key_2', 'x, y') AS same_in_other_order;
-- strata of one and of two columns
SELECT count(*) FROM sdc_rankswap('same', p => 5, strata => '{g}', columns => '{b}', seed => 7, target => 'same_g1');
SELECT attribute, action, records FROM sdc_rankswap('same', p => 5, strata => '{g,a}', columns => '{b}', seed => 7, target => 'same_g2');
SELECT helper.check_release('same_g1'), helper.check_release('same_g2');

-- One partition by itself is a table with its own ranks.
SELECT count(*) FROM sdc_rankswap('same_parted_0', p => 5, columns => '{a}', seed => 7, target => 'same_part_0');
SELECT helper.check_release('same_part_0');
