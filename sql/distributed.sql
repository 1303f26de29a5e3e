--
-- distributed
--
-- Tables whose rows are on other servers, or in no order that lasts.  Which tables are distributed Citus says in a
-- table of its own among those of the server; here it is made by hand, and the tables that it names are local ones.
-- Partitions on other servers that can be read are in test/tap.
--
CREATE SCHEMA distributed;
SET search_path = distributed, public;
CREATE TABLE distributed.source AS SELECT i AS id, (i * 7) % 101 AS a, i % 50 AS b FROM generate_series(1, 500) AS i;
ALTER TABLE distributed.source ADD PRIMARY KEY (id);
SELECT FROM sdc_rankswap('source', p => 10, target => 'release', seed => 1);
SELECT FROM sdc_publish('release', 'published', force => true);
CREATE FUNCTION again(extra text DEFAULT 'replace => true') RETURNS text LANGUAGE sql AS
$$ SELECT helper.catch(format('SELECT FROM sdc_rankswap(''source'', p => 10, target => ''release'', seed => 2, %s)', extra)) $$;
CREATE FUNCTION published(mode text) RETURNS text LANGUAGE sql AS
$$ SELECT helper.catch(format('SELECT FROM sdc_publish(''release'', ''published'', force => true, replace => true, mode => %L)', mode)) $$;
\pset format unaligned
\pset tuples_only on

-- not every table of that name is the one of Citus
SET allow_system_table_mods = on;
CREATE TABLE pg_catalog.pg_dist_partition (logicalrelid text, partmethod "char");
INSERT INTO pg_catalog.pg_dist_partition VALUES ('release', 'h');
SELECT again();
DROP TABLE pg_catalog.pg_dist_partition;
CREATE VIEW pg_catalog.pg_dist_partition AS SELECT 'release'::regclass AS logicalrelid;
SELECT again();
DROP VIEW pg_catalog.pg_dist_partition;
CREATE TABLE distributed.pg_dist_partition (logicalrelid regclass);
INSERT INTO distributed.pg_dist_partition VALUES ('release');
SELECT again();
DROP TABLE distributed.pg_dist_partition;

-- A release or publication, or the table beside it, that was made a distributed one is not replaced.
CREATE TABLE pg_catalog.pg_dist_partition (partmethod "char", logicalrelid regclass);
INSERT INTO pg_catalog.pg_dist_partition VALUES ('h', 'published_accuracy');
SELECT again();
SELECT published('exchange');
SELECT published('rows');
UPDATE pg_catalog.pg_dist_partition SET logicalrelid = 'published';
SELECT published('exchange');
SELECT published('rows');
UPDATE pg_catalog.pg_dist_partition SET logicalrelid = 'release';
SELECT again();
SELECT again('continued => true');
SELECT again($$replace => true, omit => '{b}'$$);
-- it can be read, scored and published; its contents are what they were
SELECT people_found IS NOT NULL FROM sdc_score('release', seed => 1);
SELECT published('exchange');
SELECT count(*) FROM published;
-- what the hint says
BEGIN;
SELECT FROM sdc_rankswap('source', p => 10, target => 'other', seed => 2);
DELETE FROM release;
INSERT INTO release SELECT * FROM other;
COMMIT;
SELECT count(*), count(*) FILTER (WHERE release = other) FROM release JOIN other USING (id);

-- The file of such a table tells nothing: whether it has changed is found by reading.
CREATE FUNCTION pages() RETURNS text LANGUAGE sql AS
$$ SELECT concat_ws(' ', length(source_pages), length(release_pages)) FROM sdc_private.sdc_evaluation_catalog WHERE release = 'release'::regclass $$;
SELECT count(*) FROM sdc_evaluate('release', sample => 20, seed => 1);
SELECT pages();
UPDATE pg_catalog.pg_dist_partition SET logicalrelid = 'source';
SELECT count(*) FROM sdc_evaluate('release', sample => 20, seed => 1);
SELECT pages();
DELETE FROM pg_catalog.pg_dist_partition;
SELECT count(*) FROM sdc_evaluate('release', sample => 20, seed => 1);
SELECT pages();

-- Without a key, there has to be a physical order: of the table, and of all its partitions and children.
CREATE FUNCTION without_key(name text) RETURNS text LANGUAGE sql AS
$$ SELECT helper.catch(format('SELECT * FROM sdc_rankswap(%L, p => 10, seed => 1)', name)) $$;
CREATE TABLE bag AS SELECT a, b, a + b AS c FROM source;
SELECT without_key('bag');
INSERT INTO pg_catalog.pg_dist_partition VALUES ('h', 'bag');
SELECT without_key('bag');
SELECT helper.catch($$SELECT * FROM sdc_rankswap(NULL::bag, p => 10, seed => 1)$$);
CREATE TABLE parent (a int, b int, c int);
ALTER TABLE bag INHERIT parent;
SELECT without_key('parent');
SELECT without_key('bag_rankswap');
-- what needs no order, and what has a key, is as before
SELECT k, groups FROM sdc_kanonymity('bag', '{a}');
INSERT INTO pg_catalog.pg_dist_partition VALUES ('h', 'source');
SELECT count(*) FROM sdc_rankswap('source', p => 10, target => 'with_key', seed => 1);
SELECT count(*) FROM sdc_rankswap('bag', p => 10, columns => '{c}', key => '{a,b}', target => 'with_named_key', seed => 1);
DROP TABLE pg_catalog.pg_dist_partition;
RESET allow_system_table_mods;
SELECT helper.fingerprint('with_key') = helper.fingerprint('other') AS same FROM sdc_rankswap('source', p => 10, target => 'other', seed => 1, replace => true) LIMIT 1;
-- a foreign partition, somewhere below
CREATE FOREIGN DATA WRAPPER distributed_nothing;
CREATE SERVER distributed_nowhere FOREIGN DATA WRAPPER distributed_nothing;
CREATE TABLE parted (a int, b int) PARTITION BY RANGE (a);
CREATE TABLE parted_below PARTITION OF parted FOR VALUES FROM (0) TO (50) PARTITION BY RANGE (b);
CREATE TABLE parted_here PARTITION OF parted FOR VALUES FROM (50) TO (200);
INSERT INTO parted SELECT a, b FROM source WHERE a >= 50;
SELECT without_key('parted');
CREATE FOREIGN TABLE parted_there PARTITION OF parted_below DEFAULT SERVER distributed_nowhere;
SELECT without_key('parted');
SELECT without_key('parted_here');
-- another storage than a heap, of a table and of a materialized view
CREATE ACCESS METHOD distributed_storage TYPE TABLE HANDLER heap_tableam_handler;
CREATE TABLE stored (a int, b int, c int) USING distributed_storage;
INSERT INTO stored SELECT * FROM bag;
SELECT without_key('stored');
CREATE MATERIALIZED VIEW stored_view USING distributed_storage AS SELECT * FROM stored;
SELECT without_key('stored_view');
SELECT count(*) FROM sdc_rankswap('stored', p => 10, columns => '{c}', key => '{a,b}', target => 'with_stored_key', seed => 1);

\pset format aligned
\pset tuples_only off
DROP SCHEMA distributed CASCADE;
DROP ACCESS METHOD distributed_storage;
DROP FOREIGN DATA WRAPPER distributed_nothing CASCADE;
