--
-- relations
--
-- What can be protected besides an ordinary table with a primary key.
--
\pset format unaligned
\pset footer off
SELECT helper.make_people('relation', 120);

-- A table without a key is read in physical order; the release gets the row's number.
CREATE TABLE relation_nokey AS SELECT * FROM relation ORDER BY id DESC;
SELECT attribute, action, records FROM sdc_rankswap('relation_nokey', p => 5, seed => 1);
SELECT helper.check_release('relation_nokey_rankswap');
SELECT attname, format_type(atttypid, atttypmod), attnum FROM pg_attribute
WHERE attrelid = 'relation_nokey_rankswap'::regclass AND attname = 'sdc_row';
SELECT key FROM sdc_releases WHERE release = 'relation_nokey_rankswap'::regclass;
DELETE FROM relation_nokey WHERE id % 3 = 0;
UPDATE relation_nokey SET job = 'new' WHERE id % 5 = 0;
SELECT count(*) FROM sdc_rankswap('relation_nokey', p => 5, seed => 1, replace => true);
SELECT helper.check_release('relation_nokey_rankswap');
-- a unique index is not taken for the key, an argument is
CREATE UNIQUE INDEX ON relation_nokey (id);
SELECT attribute, action FROM sdc_rankswap('relation_nokey', p => 5, key => '{id}', seed => 1, target => 'relation_nokey_2');
SELECT helper.check_release('relation_nokey_2');

-- a key of several columns, in the order of the key; one whose index covers more
CREATE TABLE relation_composite (b text COLLATE "C", a int, c int, x float8, y int, PRIMARY KEY (a, b, c));
INSERT INTO relation_composite SELECT 'b' || i % 3, i % 4, i / 12, i, i * 17 % 100 FROM generate_series(1, 96) AS i;
SELECT attribute, action FROM sdc_rankswap('relation_composite', p => 5, seed => 1);
SELECT helper.check_release('relation_composite_rankswap');
SELECT key FROM sdc_releases WHERE release = 'relation_composite_rankswap'::regclass;
SELECT helper.fingerprint('relation_composite_rankswap') = helper.fingerprint('relation_composite_rankswap', 'a, b, c') AS in_key_order;
CREATE TABLE relation_covering (id int, a int, b int, PRIMARY KEY (id) INCLUDE (a));
INSERT INTO relation_covering SELECT i, i, i FROM generate_series(1, 30) AS i;
SELECT attribute, action FROM sdc_rankswap('relation_covering', p => 5, seed => 1);
SELECT helper.check_release('relation_covering_rankswap');
-- a deferrable primary key is one as well
CREATE TABLE relation_deferred (id int PRIMARY KEY DEFERRABLE INITIALLY DEFERRED, a int);
INSERT INTO relation_deferred SELECT i, i FROM generate_series(1, 30) AS i;
SELECT attribute, action FROM sdc_rankswap('relation_deferred', p => 5, seed => 1);
BEGIN;
INSERT INTO relation_deferred VALUES (1, 1);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('relation_deferred', p => 5, seed => 1, target => 'relation_deferred_2')$$);
ROLLBACK;

-- A view: with a key, and computed columns; without one there is no order.
CREATE VIEW relation_view AS
SELECT id, upper(region) COLLATE "C" AS region, income / 2 AS half, weight, age::int AS age FROM relation WHERE age > 30;
\pset tuples_only on
SELECT helper.catch($$SELECT * FROM sdc_rankswap('relation_view', p => 5, seed => 1)$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap(NULL::relation_view, p => 5, seed => 1)$$);
\pset tuples_only off
SELECT attribute, action FROM sdc_rankswap('relation_view', p => 5, key => '{id}', strata => '{region}', seed => 1);
SELECT helper.check_release('relation_view_rankswap');
SELECT count(*) FROM sdc_rankswap(NULL::relation_view, p => 5, key => '{id}', seed => 1);
-- a view with its own ORDER BY, LIMIT, DISTINCT, UNION, aggregates
CREATE VIEW relation_view_2 AS SELECT region, sex, avg(income) AS income, count(*) FROM relation GROUP BY region, sex ORDER BY 3 DESC;
SELECT attribute, action, records FROM sdc_rankswap('relation_view_2', key => '{region,sex}', p => 50, seed => 1);
SELECT helper.check_release('relation_view_2_rankswap');
CREATE VIEW relation_view_3 AS SELECT id, age FROM relation WHERE id < 50 UNION ALL SELECT id, age FROM relation WHERE id > 70;
SELECT attribute, action, records FROM sdc_rankswap('relation_view_3', p => 5, key => '{id}', seed => 1);
SELECT helper.check_release('relation_view_3_rankswap');
-- a recursive view, a security barrier, a system view
CREATE RECURSIVE VIEW relation_view_4 (n, a) AS SELECT 1, 100 UNION ALL SELECT n + 1, a * 7 % 101 FROM relation_view_4 WHERE n < 40;
SELECT attribute, action, records FROM sdc_rankswap('relation_view_4', p => 5, key => '{n}', seed => 1);
CREATE VIEW relation_view_5 WITH (security_barrier) AS SELECT * FROM relation WHERE sex = 'f';
SELECT count(*) FROM sdc_rankswap('relation_view_5', p => 5, key => '{id}', seed => 1);
SELECT helper.check_release('relation_view_4_rankswap'), helper.check_release('relation_view_5_rankswap');
SELECT action, count(*) FROM sdc_rankswap('pg_type', p => 100, target => 'relation_system', columns => '{typelem}', seed => 1) GROUP BY action ORDER BY action;
SELECT count(*) = (SELECT count(*) FROM pg_type) - 2 AS before FROM relation_system;
DROP TABLE relation_system;
SELECT helper.catch($$SELECT * FROM sdc_rankswap('pg_type', p => 5, columns => '{typlen}')$$);
-- the row type of a system relation
SELECT count(*) > 10 AS rows FROM sdc_rankswap(NULL::pg_authid, p => 5, columns => '{rolconnlimit}', seed => 1);

-- A materialized view has a physical order.
CREATE MATERIALIZED VIEW relation_matview AS SELECT id, age, income FROM relation ORDER BY income;
SELECT attribute, action FROM sdc_rankswap('relation_matview', p => 5, seed => 1);
SELECT helper.check_release('relation_matview_rankswap');
SELECT attribute, action FROM sdc_rankswap('relation_matview', p => 5, key => '{id}', seed => 1, replace => true);
SELECT helper.check_release('relation_matview_rankswap');
CREATE MATERIALIZED VIEW relation_matview_2 AS SELECT id, age FROM relation WITH NO DATA;
SELECT helper.catch($$SELECT * FROM sdc_rankswap('relation_matview_2', p => 5, seed => 1)$$);

-- A partitioned table, with a primary key and without; partitions with other column orders.
CREATE TABLE relation_parted (LIKE helper.person_row, PRIMARY KEY (id)) PARTITION BY RANGE (id);
CREATE TABLE relation_parted_1 PARTITION OF relation_parted FOR VALUES FROM (MINVALUE) TO (40);
CREATE TABLE relation_parted_2 (gone int, job varchar(12) COLLATE "C", weight float8, income numeric(10,2), age smallint, sex char(1),
	savings bigint, region text COLLATE "C", born date, id int NOT NULL);
ALTER TABLE relation_parted_2 DROP gone;
ALTER TABLE relation_parted ATTACH PARTITION relation_parted_2 FOR VALUES FROM (40) TO (80);
CREATE TABLE relation_parted_3 PARTITION OF relation_parted FOR VALUES FROM (80) TO (MAXVALUE) PARTITION BY HASH (id);
CREATE TABLE relation_parted_3a PARTITION OF relation_parted_3 FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE relation_parted_3b PARTITION OF relation_parted_3 FOR VALUES WITH (MODULUS 2, REMAINDER 1);
INSERT INTO relation_parted SELECT * FROM relation;
SELECT attribute, action, records FROM sdc_rankswap('relation_parted', p => 5, seed => 1);
SELECT helper.check_release('relation_parted_rankswap');
SELECT relkind FROM pg_class WHERE oid = 'relation_parted_rankswap'::regclass;
-- it is one table for the method: the same release as of an unpartitioned one
SELECT count(*) FROM sdc_rankswap('relation', p => 5, seed => 1);
SELECT helper.fingerprint('relation_parted_rankswap') = helper.fingerprint('relation_rankswap') AS same;
SELECT count(*) FROM sdc_rankswap(NULL::relation_parted, p => 5, seed => 1);
-- one partition
SELECT attribute, action, records FROM sdc_rankswap('relation_parted_2', p => 5, seed => 1);
SELECT helper.check_release('relation_parted_2_rankswap');
CREATE TABLE relation_parted_nokey (LIKE helper.person_row) PARTITION BY LIST (region);
CREATE TABLE relation_parted_nokey_1 PARTITION OF relation_parted_nokey FOR VALUES IN ('north', 'east');
CREATE TABLE relation_parted_nokey_2 PARTITION OF relation_parted_nokey DEFAULT;
INSERT INTO relation_parted_nokey SELECT * FROM relation;
SELECT count(*) FROM sdc_rankswap('relation_parted_nokey', p => 5, seed => 1);
SELECT helper.check_release('relation_parted_nokey_rankswap');
CREATE TABLE relation_parted_none (id int PRIMARY KEY, a int) PARTITION BY RANGE (id);
SELECT attribute, action, records FROM sdc_rankswap('relation_parted_none', p => 5, seed => 1);

-- Inheritance: the children are read too, as in SELECT.
CREATE TABLE relation_parent (id int, a int);
CREATE TABLE relation_child (more text) INHERITS (relation_parent);
INSERT INTO relation_parent SELECT i, i FROM generate_series(1, 30) AS i;
INSERT INTO relation_child SELECT i, i, 'x' FROM generate_series(31, 60) AS i;
SELECT attribute, action, records FROM sdc_rankswap('relation_parent', p => 5, seed => 1, columns => '{a}');
SELECT helper.check_release('relation_parent_rankswap');
SELECT attribute, action, records FROM sdc_rankswap('relation_parent', p => 5, key => '{id}', seed => 1, target => 'relation_parent_2');
SELECT helper.check_release('relation_parent_2');
-- the parent's primary key does not hold for the children
ALTER TABLE relation_parent ADD PRIMARY KEY (id);
SELECT count(*) FROM sdc_rankswap('relation_parent', p => 5, seed => 1, target => 'relation_parent_3');
INSERT INTO relation_child VALUES (1, 1, 'again');
SELECT helper.catch($$SELECT * FROM sdc_rankswap('relation_parent', p => 5, seed => 1, target => 'relation_parent_4')$$);

-- Typed, unlogged and temporary tables.
CREATE TYPE relation_type AS (id int, a int, b text);
CREATE TABLE relation_typed OF relation_type (PRIMARY KEY (id));
INSERT INTO relation_typed SELECT i, i, 'b' FROM generate_series(1, 30) AS i;
SELECT attribute, action FROM sdc_rankswap('relation_typed', p => 5, seed => 1);
SELECT helper.check_release('relation_typed_rankswap');
SELECT count(*) FROM sdc_rankswap(NULL::relation_typed, p => 5, seed => 1);
CREATE UNLOGGED TABLE relation_unlogged (id int PRIMARY KEY, a int);
INSERT INTO relation_unlogged SELECT i, i FROM generate_series(1, 30) AS i;
SELECT count(*) FROM sdc_rankswap('relation_unlogged', p => 5, seed => 1);
CREATE TEMP TABLE relation_temp (id int PRIMARY KEY, a int);
INSERT INTO relation_temp SELECT i, i FROM generate_series(1, 30) AS i;
SELECT count(*) FROM sdc_rankswap('relation_temp', p => 5, seed => 1);
SELECT count(*) FROM sdc_rankswap('relation_temp', p => 5, seed => 1, target => 'public.relation_temp_kept');
SELECT count(*) FROM sdc_rankswap('relation_temp', p => 5, seed => 2, replace => true);
SELECT count(*) FROM sdc_rankswap(NULL::relation_temp, p => 5, seed => 1);
SELECT helper.check_release('relation_temp_rankswap'), helper.check_release('relation_temp_kept'), helper.check_release('relation_unlogged_rankswap');
SELECT relname, relpersistence FROM pg_class
WHERE oid IN ('relation_temp_rankswap'::regclass, 'relation_temp_kept'::regclass, 'relation_unlogged_rankswap'::regclass)
ORDER BY relname COLLATE "C";
-- a temporary table hides a permanent one of the same name
CREATE TEMP TABLE relation (id int PRIMARY KEY, only_here int);
INSERT INTO relation SELECT i, i FROM generate_series(1, 10) AS i;
SELECT attribute, action FROM sdc_rankswap('relation', p => 5, seed => 1);
DROP TABLE pg_temp.relation_rankswap, pg_temp.relation;

-- Another schema: the release goes beside its source, whatever the search_path.
CREATE SCHEMA relation_schema;
CREATE TABLE relation_schema.t AS SELECT * FROM relation;
SELECT DISTINCT release FROM sdc_rankswap('relation_schema.t', p => 5, key => '{id}', seed => 1);
SELECT helper.check_release('relation_schema.t_rankswap');
SELECT DISTINCT release FROM sdc_rankswap('relation_schema.t', p => 5, key => '{id}', seed => 1, target => 'relation_elsewhere');
SET search_path = relation_schema, public;
SELECT DISTINCT release FROM sdc_rankswap('t', p => 5, key => '{id}', seed => 1, target => 'u');
SELECT helper.check_release('relation_schema.u');
SELECT DISTINCT release FROM sdc_rankswap('t', p => 5, key => '{id}', seed => 1, target => 'public.relation_u');
RESET search_path;

-- A release is a table like any other, and can be protected again.
SELECT attribute, action FROM sdc_rankswap('relation_rankswap', p => 5, key => '{id}', seed => 2);
SELECT helper.check_release('relation_rankswap_rankswap');
SELECT release, source FROM sdc_releases WHERE source = 'relation_rankswap'::regclass;
-- it has no primary key of its own
SELECT attribute, action FROM sdc_rankswap('relation_nokey_2', p => 5, seed => 2, columns => '{income}', omit => '{region,sex,savings,born,job}');
SELECT key FROM sdc_releases WHERE release = 'relation_nokey_2_rankswap'::regclass;

-- A foreign table, by file_fdw where the server has it.
DO $$
BEGIN
	CREATE EXTENSION file_fdw;
	CREATE SERVER relation_server FOREIGN DATA WRAPPER file_fdw;
	CREATE FOREIGN TABLE relation_foreign (id int, a int, b text) SERVER relation_server
		OPTIONS (program 'printf "3,30,c\n1,10,a\n2,20,b\n"', format 'csv');
EXCEPTION WHEN feature_not_supported OR undefined_file THEN
	CREATE TABLE relation_foreign AS VALUES (3, 30, 'c'), (1, 10, 'a'), (2, 20, 'b');
	ALTER TABLE relation_foreign RENAME column1 TO id;
	ALTER TABLE relation_foreign RENAME column2 TO a;
	ALTER TABLE relation_foreign RENAME column3 TO b;
END
$$;
SELECT helper.catch($$SELECT * FROM sdc_rankswap('relation_foreign', p => 5)$$) LIKE '22023: relation "relation_foreign" has no primary key%'
	OR NOT EXISTS (SELECT FROM pg_foreign_table) AS refused;
SELECT attribute, action, records FROM sdc_rankswap('relation_foreign', p => 5, key => '{id}', seed => 1, target => 'relation_foreign_1');
SELECT helper.check_release('relation_foreign_1');
SELECT id, b FROM relation_foreign_1 ORDER BY ctid;
SELECT records, k_map, delta_min, absent FROM sdc_attacker_risk('relation_foreign_1', '{b}', 'relation_foreign');

-- By postgres_fdw, through a connection of this server to itself, where a superuser may do so
-- without a password: the same release as of the local table.
CREATE FUNCTION helper.loopback() RETURNS text
LANGUAGE plpgsql AS $$
BEGIN
	CREATE EXTENSION postgres_fdw;
	EXECUTE format('CREATE SERVER relation_loop FOREIGN DATA WRAPPER postgres_fdw OPTIONS (dbname %L, port %L, host %L)',
		current_database(), current_setting('port'), split_part(current_setting('unix_socket_directories'), ',', 1));
	EXECUTE format('CREATE USER MAPPING FOR %I SERVER relation_loop OPTIONS (user %L)', current_user, current_user);
	CREATE FOREIGN TABLE relation_remote (id int NOT NULL, region text COLLATE "C", sex char(1), age smallint, income numeric(10,2),
		weight float8, savings bigint, born date, job varchar(12) COLLATE "C")
		SERVER relation_loop OPTIONS (schema_name 'public', table_name 'relation');
	PERFORM FROM relation_remote;
	PERFORM sdc_rankswap('relation_remote', p => 5, key => '{id}', seed => 1);
	IF helper.check_release('relation_remote_rankswap') <> 'ok, 9 columns' THEN
		RETURN helper.check_release('relation_remote_rankswap');
	END IF;
	RETURN CASE WHEN helper.fingerprint('relation_remote_rankswap') = helper.fingerprint('relation_rankswap')
		THEN 'ok' ELSE 'another release' END;
EXCEPTION WHEN sqlclient_unable_to_establish_sqlconnection OR feature_not_supported OR undefined_file THEN
	RETURN 'ok';
END
$$;
SELECT helper.loopback();
