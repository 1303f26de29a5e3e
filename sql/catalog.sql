--
-- catalog
--
-- What is known of releases and columns, and how it follows renames, drops and replacements.
--
\pset format unaligned
\pset footer off
SET client_min_messages = warning;
\set VERBOSITY terse
SELECT helper.make_people('cat', 60);

-- One row per release.
SELECT count(*) FROM sdc_rankswap('cat', p => 5, seed => 1);
SELECT count(*) FROM sdc_rankswap_distribution('cat', p => 2.5, strata => '{region,sex}', omit => '{born}');
SELECT count(*) FROM sdc_rankswap_buckets('cat', buckets => 7, columns => '{income,job}', key => '{id}', seed => 1);
SELECT release, source, method, parameters, columns, key, strata, omitted, qi, sensitive, records, seeded, created_by = current_user AS mine,
	created_at <= now() AND created_at > pg_postmaster_start_time() AS recent
FROM sdc_releases WHERE source = 'cat'::regclass ORDER BY release::text COLLATE "C";
-- parameters are numbers
SELECT jsonb_typeof(parameters->'p'), (parameters->>'p')::float8 FROM sdc_releases WHERE release = 'cat_rankswap_distribution'::regclass;
SELECT count(*) FROM sdc_rankswap('cat', p => 0.1 + 0.2, target => 'cat_p1');
SELECT count(*) FROM sdc_rankswap('cat', p => 1e-5, target => 'cat_p2');
SELECT parameters FROM sdc_releases WHERE release IN ('cat_p1'::regclass, 'cat_p2'::regclass) ORDER BY release::text COLLATE "C";
-- the release is an ordinary table of its owner
SELECT relkind, relpersistence, pg_get_userbyid(relowner) = current_user AS mine, relacl IS NULL AS no_grants, relhasindex
FROM pg_class WHERE oid = 'cat_rankswap'::regclass;

-- A release and a source can be renamed and moved.
CREATE SCHEMA cat_schema;
ALTER TABLE cat_rankswap RENAME TO cat_renamed;
ALTER TABLE cat_renamed SET SCHEMA cat_schema;
SELECT release, source FROM sdc_releases WHERE release = 'cat_schema.cat_renamed'::regclass;
SELECT helper.check_release('cat_schema.cat_renamed');
ALTER TABLE cat RENAME TO cat_2;
SELECT release, source FROM sdc_releases WHERE release = 'cat_schema.cat_renamed'::regclass;
ALTER TABLE cat_2 RENAME TO cat;
-- one whose release is gone is gone
DROP TABLE cat_schema.cat_renamed;
SELECT release FROM sdc_releases WHERE source = 'cat'::regclass ORDER BY release::text COLLATE "C";
SELECT count(*) AS forgotten_later FROM sdc_private.sdc_release_catalog WHERE release NOT IN (SELECT oid FROM pg_class);
SELECT count(*) FROM sdc_rankswap('cat', p => 5, seed => 1);
SELECT count(*) AS forgotten_now FROM sdc_private.sdc_release_catalog WHERE release NOT IN (SELECT oid FROM pg_class);
-- one whose source is gone too
CREATE TABLE cat_source AS SELECT * FROM cat;
SELECT count(*) FROM sdc_rankswap('cat_source', p => 5, key => '{id}', seed => 1);
DROP TABLE cat_source;
SELECT release, source FROM sdc_releases WHERE release = 'cat_source_rankswap'::regclass;
SELECT count(*) FROM cat_source_rankswap;
-- and dropping is undone by a rollback
BEGIN;
DROP TABLE cat_rankswap;
SELECT count(*) FROM sdc_releases WHERE release::text = 'cat_rankswap';
ROLLBACK;
SELECT count(*) FROM sdc_releases WHERE release = 'cat_rankswap'::regclass;

-- sdc_classify: set, change, take back.
SELECT sdc_classify('cat', 'job', 'identifier'), sdc_classify('cat', 'income', 'sensitive');
SELECT sdc_classify('cat', 'age', 'quasi-identifier'), sdc_classify('cat'::regclass, 'sex', role => 'public');
SELECT * FROM sdc_attributes WHERE relation = 'cat'::regclass ORDER BY attribute COLLATE "C";
SELECT sdc_classify('cat', 'sex', 'quasi-identifier'), sdc_classify('cat', 'income', NULL), sdc_classify('cat', 'region', NULL);
SELECT * FROM sdc_attributes WHERE relation = 'cat'::regclass ORDER BY attribute COLLATE "C";
-- it follows a column that is renamed
ALTER TABLE cat RENAME job TO profession;
SELECT * FROM sdc_attributes WHERE relation = 'cat'::regclass ORDER BY attribute COLLATE "C";
SELECT attribute, action FROM sdc_rankswap('cat', p => 5, seed => 1, target => 'cat_classified', columns => '{income}') WHERE action = 'omitted';
-- also when it is classified anew under its new name
SELECT sdc_classify('cat', 'profession', 'sensitive');
SELECT * FROM sdc_attributes WHERE relation = 'cat'::regclass ORDER BY attribute COLLATE "C";
-- and when another column gets the old name: that is another column
ALTER TABLE cat ADD job text;
SELECT * FROM sdc_attributes WHERE relation = 'cat'::regclass ORDER BY attribute COLLATE "C";
ALTER TABLE cat DROP job;
-- two columns exchange their names: a role stays with its column
SELECT sdc_classify('cat', 'region', 'public');
ALTER TABLE cat RENAME region TO x;
ALTER TABLE cat RENAME profession TO region;
ALTER TABLE cat RENAME x TO profession;
SELECT * FROM sdc_attributes WHERE relation = 'cat'::regclass ORDER BY attribute COLLATE "C";
ALTER TABLE cat RENAME region TO job;
ALTER TABLE cat RENAME profession TO region;
SELECT sdc_classify('cat', 'region', NULL), sdc_classify('cat', 'job', 'identifier');
SELECT * FROM sdc_attributes WHERE relation = 'cat'::regclass ORDER BY attribute COLLATE "C";
-- a column that is dropped has no role, nor has a later one of its name
ALTER TABLE cat DROP sex;
SELECT * FROM sdc_attributes WHERE relation = 'cat'::regclass ORDER BY attribute COLLATE "C";
ALTER TABLE cat ADD sex text;
SELECT * FROM sdc_attributes WHERE relation = 'cat'::regclass ORDER BY attribute COLLATE "C";
-- a copy of a table has no roles
CREATE TABLE cat_like (LIKE cat INCLUDING ALL);
SELECT count(*) FROM sdc_attributes WHERE relation = 'cat_like'::regclass;

-- A role is a security label of provider sdc, and SECURITY LABEL works as well.
SELECT provider, objname, label FROM pg_seclabels WHERE objoid = 'cat'::regclass ORDER BY objname COLLATE "C";
SECURITY LABEL FOR sdc ON COLUMN cat.weight IS 'sensitive';
SECURITY LABEL FOR sdc ON COLUMN cat.age IS NULL;
SELECT * FROM sdc_attributes WHERE relation = 'cat'::regclass ORDER BY attribute COLLATE "C";
SELECT attribute, action FROM sdc_rankswap('cat', p => 5, seed => 1, target => 'cat_labelled') WHERE action <> 'copied';
SECURITY LABEL FOR sdc ON COLUMN cat.weight IS NULL;
SELECT sdc_classify('cat', 'age', 'quasi-identifier');
SECURITY LABEL FOR sdc ON COLUMN cat.weight IS 'secret';
SECURITY LABEL FOR sdc ON COLUMN cat.weight IS '';
SECURITY LABEL FOR sdc ON TABLE cat IS 'public';
SECURITY LABEL FOR sdc ON SCHEMA helper IS 'public';
SECURITY LABEL FOR sdc ON FUNCTION sdc_version() IS 'public';
SELECT count(*) FROM pg_seclabels WHERE provider = 'sdc' AND objtype <> 'column' AND objtype <> 'table';
-- the table may be renamed; views, partitions and foreign tables can be classified
ALTER TABLE cat RENAME TO cat_3;
SELECT * FROM sdc_attributes WHERE relation = 'cat_3'::regclass ORDER BY attribute COLLATE "C";
ALTER TABLE cat_3 RENAME TO cat;
CREATE VIEW cat_view AS SELECT id, age, income FROM cat;
SELECT sdc_classify('cat_view', 'age', 'identifier');
SELECT attribute, action FROM sdc_rankswap('cat_view', p => 5, key => '{id}', seed => 1);
-- a relation that is dropped takes them with it
CREATE TABLE cat_gone (a int);
SELECT sdc_classify('cat_gone', 'a', 'public');
DROP TABLE cat_gone;
SELECT count(*) FROM pg_seclabel WHERE provider = 'sdc' AND objoid NOT IN (SELECT oid FROM pg_class);
-- an identifier that is the key stays: the release is evaluated by it
SELECT sdc_classify('cat', 'id', 'identifier');
SELECT attribute, action FROM sdc_rankswap('cat', p => 5, seed => 1, target => 'cat_identified', columns => '{income}') WHERE action <> 'copied';
SELECT sdc_classify('cat', 'id', NULL);

-- sdc_register: a table that another tool protected.
CREATE TABLE cat_external AS SELECT id, (age / 10) * 10 AS age, income, region FROM cat;
ALTER TABLE cat_external ALTER age TYPE smallint;
SELECT sdc_register('cat', 'cat_external', '{age,income}', '{id}', 'microaggregation', '{"k": 3}', qi => '{age,region}', sensitive => '{income}');
SELECT release, source, method, parameters, columns, key, strata, omitted, qi, sensitive, records, seeded
FROM sdc_releases WHERE release = 'cat_external'::regclass;
-- again, with less: it replaces what was known
SELECT sdc_register('cat', 'cat_external', '{age}', NULL);
SELECT release, source, method, parameters, columns, key, qi, sensitive FROM sdc_releases WHERE release = 'cat_external'::regclass;
SELECT sdc_register(source => 'cat', release => 'cat_external', columns => NULL, key => NULL);
SELECT columns, key FROM sdc_releases WHERE release = 'cat_external'::regclass;
-- a view may be a release of a view
CREATE VIEW cat_external_view AS SELECT id, age FROM cat_external;
SELECT sdc_register('cat', 'cat_external_view', '{age}', '{id}');
SELECT release, source, columns FROM sdc_releases WHERE release = 'cat_external_view'::regclass;
-- what cannot be one
\pset tuples_only on
CREATE TABLE cat_short AS SELECT * FROM cat_external WHERE id > 1;
CREATE TABLE cat_type AS SELECT id, age::text AS age FROM cat;
CREATE TABLE cat_without AS SELECT id FROM cat;
SELECT helper.catch($$SELECT sdc_register('cat', 'cat', '{age}', '{id}')$$);
SELECT helper.catch($$SELECT sdc_register('cat', 'cat_short', '{age}', '{id}')$$);
SELECT helper.catch($$SELECT sdc_register('cat', 'cat_type', '{age}', '{id}')$$);
SELECT helper.catch($$SELECT sdc_register('cat', 'cat_without', '{age}', '{id}')$$);
SELECT helper.catch($$SELECT sdc_register('cat', 'cat_external', '{weight}', '{id}')$$);
SELECT helper.catch($$SELECT sdc_register('cat', 'cat_external', '{age}', '{region}')$$);
-- as many records, but other keys; then what describes the release
CREATE TABLE cat_shifted AS SELECT id + 1 AS id, age FROM cat;
SELECT helper.catch($$SELECT sdc_register('cat', 'cat_shifted', '{age}', '{id}')$$);
DROP TABLE cat_shifted;
SELECT helper.catch($$SELECT sdc_register('cat', 'cat_external', '{age}', '{id}', parameters => '[1]')$$);
SELECT helper.catch($$SELECT sdc_register('cat', 'cat_external', '{age}', '{id}', method => '')$$);
SELECT helper.catch($$SELECT sdc_register('cat', 'cat_external', '{age}', '{id}', qi => '{weight}')$$);
SELECT helper.catch($$SELECT sdc_register('cat', 'cat_external', '{age}', '{id}', qi => '{nothing}')$$);
SELECT helper.catch($$SELECT sdc_register('cat', 'cat_external', '{age}', '{id}', sensitive => '{nothing}')$$);
SELECT helper.catch($$SELECT sdc_register('cat', 'cat_external', '{age}', '{id}', qi => '{age,age}')$$);
SELECT helper.catch($$SELECT sdc_register('cat', 'cat_external', '{}', '{id}')$$);
SELECT helper.catch($$SELECT sdc_register('cat', 'cat_external', '{age}', '{}')$$);
SELECT helper.catch($$SELECT sdc_register('cat', 'cat_external', '{id}', '{id}')$$);
SELECT helper.catch($$SELECT sdc_register('cat', 'cat_external', '{job}', '{id}')$$);
SELECT helper.catch($$SELECT sdc_register('cat', 'cat_rankswap', '{age}', '{id}')$$);
SELECT helper.catch($$SELECT sdc_register(NULL, 'cat_external', '{age}', '{id}')$$);
SELECT helper.catch($$SELECT sdc_register('cat', NULL, '{age}', '{id}')$$);
SELECT helper.catch($$SELECT sdc_register('cat', 'cat_external', '{age}', '{id}', NULL)$$);
SELECT helper.catch($$SELECT sdc_register('cat', 'cat_external', '{age}', '{id}', 'x', NULL)$$);
SELECT helper.catch($$SELECT sdc_register('cat', 'no_table', '{age}', '{id}')$$);
SELECT helper.catch($$SELECT sdc_register('cat_view', 'cat_external', '{age}', NULL)$$);
\pset tuples_only off
-- the refused calls changed nothing
SELECT release, source, method, columns, key FROM sdc_releases WHERE release = 'cat_external'::regclass;

-- sdc_unregister forgets a release, whoever made it; the table stays.
SELECT sdc_unregister('cat_external'), sdc_unregister('cat_p1');
SELECT count(*) FROM cat_external;
SELECT count(*) FROM sdc_releases WHERE release IN ('cat_external'::regclass, 'cat_p1'::regclass);
SELECT helper.catch($$SELECT sdc_unregister('cat_p1')$$);
SELECT release FROM sdc_releases WHERE release::text ~ 'cat_p' ORDER BY release::text COLLATE "C";
SELECT helper.catch($$SELECT * FROM sdc_rankswap('cat', p => 5, target => 'cat_p1', replace => true)$$);
-- what was made by sdc and forgotten can be registered
SELECT sdc_register('cat', 'cat_p1', '{age}', '{id}');
SELECT method, seeded FROM sdc_releases WHERE release = 'cat_p1'::regclass;

-- replace: the same layout keeps the table, with all that hangs on it.
CREATE TABLE cat_keep (id int PRIMARY KEY, a int, b float8, c text);
INSERT INTO cat_keep SELECT i, i * 7 % 41, i / 7.0, 'c' || i FROM generate_series(1, 40) AS i;
SELECT count(*) FROM sdc_rankswap('cat_keep', p => 5, seed => 1);
SELECT 'cat_keep_rankswap'::regclass::oid AS oid \gset
CREATE ROLE regress_sdc_reader;
GRANT SELECT ON cat_keep_rankswap TO regress_sdc_reader;
COMMENT ON TABLE cat_keep_rankswap IS 'kept';
COMMENT ON COLUMN cat_keep_rankswap.a IS 'kept too';
CREATE INDEX cat_keep_index ON cat_keep_rankswap (a);
CREATE UNIQUE INDEX cat_keep_unique ON cat_keep_rankswap (id);
CREATE STATISTICS cat_keep_statistics ON a, b FROM cat_keep_rankswap;
ALTER TABLE cat_keep_rankswap SET (fillfactor = 70);
CREATE VIEW cat_keep_view AS SELECT a, count(*) FROM cat_keep_rankswap GROUP BY a;
SELECT helper.fingerprint('cat_keep_rankswap') AS first \gset
INSERT INTO cat_keep VALUES (41, 41, 41, 'c41');
SELECT attribute, action, records FROM sdc_rankswap('cat_keep', p => 5, seed => 2, replace => true);
SELECT 'cat_keep_rankswap'::regclass::oid = :oid AS same_table, helper.fingerprint('cat_keep_rankswap') <> :'first' AS new_rows;
SELECT helper.check_release('cat_keep_rankswap');
SELECT has_table_privilege('regress_sdc_reader', 'cat_keep_rankswap', 'SELECT') AS granted, obj_description('cat_keep_rankswap'::regclass, 'pg_class'),
	col_description('cat_keep_rankswap'::regclass, 2), reloptions FROM pg_class WHERE oid = 'cat_keep_rankswap'::regclass;
SELECT indexrelid::regclass AS index, indisvalid, indisready FROM pg_index
WHERE indrelid = 'cat_keep_rankswap'::regclass ORDER BY indexrelid::regclass::text COLLATE "C";
SELECT sum(count) FROM cat_keep_view;
SET enable_seqscan = off;
SELECT (SELECT count(*) FROM cat_keep_rankswap WHERE a = 7) = (SELECT count(*) FROM cat_keep WHERE a = 7) AS index_is_right;
RESET enable_seqscan;
SELECT count(*) AS rows_in_catalog FROM sdc_private.sdc_release_catalog WHERE release = :oid;
-- by another method, from another source with the same columns
CREATE VIEW cat_keep_source AS SELECT * FROM cat_keep WHERE id <= 30;
SELECT count(*) FROM sdc_rankswap_buckets('cat_keep_source', key => '{id}', buckets => 3, target => 'cat_keep_rankswap', replace => true);
SELECT 'cat_keep_rankswap'::regclass::oid = :oid AS same_table;
SELECT helper.check_release('cat_keep_rankswap');
SELECT source, method, parameters, records, seeded FROM sdc_releases WHERE release = :oid;

-- Another layout: the table is dropped and made anew, unless something hangs on it.
SELECT helper.catch($$SELECT * FROM sdc_rankswap('cat_keep', p => 5, seed => 3, omit => '{c}', target => 'cat_keep_rankswap', replace => true)$$);
SELECT source, method, records FROM sdc_releases WHERE release = :oid;
SELECT helper.check_release('cat_keep_rankswap');
DROP VIEW cat_keep_view;
SELECT attribute, action FROM sdc_rankswap('cat_keep', p => 5, seed => 3, omit => '{c}', target => 'cat_keep_rankswap', replace => true);
SELECT 'cat_keep_rankswap'::regclass::oid = :oid AS same_table;
SELECT helper.check_release('cat_keep_rankswap');
SELECT has_table_privilege('regress_sdc_reader', 'cat_keep_rankswap', 'SELECT') AS granted,
	obj_description('cat_keep_rankswap'::regclass, 'pg_class') AS comment, relhasindex FROM pg_class WHERE oid = 'cat_keep_rankswap'::regclass;
-- a column of another type, typmod or collation, or in another place, is another layout
CREATE TABLE cat_layout (id int, a int, t varchar(10) COLLATE "C");
INSERT INTO cat_layout SELECT i, i, 't' || i FROM generate_series(1, 30) AS i;
CREATE FUNCTION helper.kept(change text) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
	before oid := 'cat_layout_rankswap'::regclass;
	same boolean;
BEGIN
	EXECUTE change;
	PERFORM sdc_rankswap('cat_layout', p => 5, key => '{id}', seed => 1, replace => true);
	same := 'cat_layout_rankswap'::regclass = before;
	IF helper.check_release('cat_layout_rankswap') !~ '^ok' THEN
		RAISE 'wrong after %: %', change, helper.check_release('cat_layout_rankswap');
	END IF;
	RETURN same;
END
$$;
SELECT count(*) FROM sdc_rankswap('cat_layout', p => 5, key => '{id}', seed => 1);
SELECT helper.kept('SELECT') AS nothing, helper.kept('ALTER TABLE cat_layout ALTER t TYPE varchar(12)') AS typmod,
	helper.kept('ALTER TABLE cat_layout ALTER t TYPE varchar(12) COLLATE "POSIX"') AS collation,
	helper.kept('ALTER TABLE cat_layout ALTER a TYPE bigint') AS type, helper.kept('ALTER TABLE cat_layout RENAME a TO b') AS name,
	helper.kept('ALTER TABLE cat_layout ADD c int DEFAULT 5') AS more, helper.kept('ALTER TABLE cat_layout DROP c') AS less,
	helper.kept('ALTER TABLE cat_layout ADD PRIMARY KEY (id)') AS key,
	helper.kept('ALTER TABLE cat_layout_rankswap ADD extra int') AS extra,
	helper.kept('ALTER TABLE cat_layout_rankswap DROP b') AS dropped;

-- A release of another source is replaced only if it is named.
CREATE TABLE cat_other_rankswap_source AS SELECT i AS id, i AS a FROM generate_series(1, 30) AS i;
SELECT count(*) FROM sdc_rankswap('cat_other_rankswap_source', p => 5, key => '{id}', seed => 1, target => 'cat_other_rankswap');
CREATE TABLE cat_other AS SELECT i AS id, i AS a FROM generate_series(1, 30) AS i;
SELECT helper.catch($$SELECT * FROM sdc_rankswap('cat_other', p => 5, key => '{id}', seed => 1, replace => true)$$);
SELECT source FROM sdc_releases WHERE release = 'cat_other_rankswap'::regclass;
SELECT count(*) FROM sdc_rankswap('cat_other', p => 5, key => '{id}', seed => 1, target => 'cat_other_rankswap', replace => true);
SELECT source FROM sdc_releases WHERE release = 'cat_other_rankswap'::regclass;
SELECT count(*) FROM sdc_rankswap('cat_other', p => 5, key => '{id}', seed => 2, replace => true);

-- Constraints that its owner has put on a release hold for what replaces it.
CREATE TABLE cat_constraint (id int, a int, b text);
INSERT INTO cat_constraint SELECT i, i, CASE WHEN i % 7 > 0 THEN 'b' || i END FROM generate_series(1, 30) AS i;
SELECT count(*) FROM sdc_rankswap('cat_constraint', p => 5, key => '{id}', columns => '{a}', seed => 1);
SELECT helper.fingerprint('cat_constraint_rankswap') AS first \gset
\pset tuples_only on
-- a primary key, as long as it holds
ALTER TABLE cat_constraint_rankswap ADD PRIMARY KEY (id);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('cat_constraint', p => 5, key => '{id}', columns => '{a}', seed => 2, replace => true)$$);
SELECT helper.check_release('cat_constraint_rankswap');
SELECT count(*) FROM cat_constraint_rankswap WHERE id = 5;
SELECT helper.catch($$INSERT INTO cat_constraint_rankswap (id) VALUES (5)$$);
-- NOT NULL
SELECT helper.catch($$ALTER TABLE cat_constraint_rankswap ALTER a SET NOT NULL$$);
UPDATE cat_constraint SET a = NULL WHERE id = 9;
SELECT helper.catch($$SELECT * FROM sdc_rankswap('cat_constraint', p => 5, key => '{id}', columns => '{a}', seed => 3, replace => true)$$);
SELECT count(*) FROM cat_constraint_rankswap WHERE a IS NULL;
UPDATE cat_constraint SET a = 9 WHERE id = 9;
SELECT helper.catch($$SELECT * FROM sdc_rankswap('cat_constraint', p => 5, key => '{id}', columns => '{a}', seed => 3, replace => true)$$);
-- a unique index that the new values may violate; an error tells no value
CREATE UNIQUE INDEX cat_constraint_unique ON cat_constraint_rankswap (a);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('cat_constraint', p => 5, key => '{id}', columns => '{a}', seed => 3, replace => true)$$);
UPDATE cat_constraint SET a = 4711 WHERE id IN (9, 10);
SELECT helper.leaks($$SELECT * FROM sdc_rankswap('cat_constraint', p => 5, key => '{id}', columns => '{a}', seed => 3, replace => true)$$, '4711');
DROP INDEX cat_constraint_unique;
CREATE UNIQUE INDEX cat_constraint_unique ON cat_constraint_rankswap (a, lower(b)) INCLUDE (id);
SELECT helper.leaks($$SELECT * FROM sdc_rankswap('cat_constraint', p => 5, key => '{id}', columns => '{a}', seed => 3, replace => true)$$, '4711');
DROP INDEX cat_constraint_unique;
-- one that has the key in it holds
CREATE UNIQUE INDEX cat_constraint_unique ON cat_constraint_rankswap (a, id);
SELECT helper.leaks($$SELECT * FROM sdc_rankswap('cat_constraint', p => 5, key => '{id}', columns => '{a}', seed => 3, replace => true)$$, '4711');
DROP INDEX cat_constraint_unique;
-- an exclusion constraint
ALTER TABLE cat_constraint_rankswap ADD CONSTRAINT cat_constraint_exclusion EXCLUDE USING btree (b WITH =);
SELECT helper.leaks($$SELECT * FROM sdc_rankswap('cat_constraint', p => 5, key => '{id}', columns => '{a}', seed => 3, replace => true)$$, '4711');
UPDATE cat_constraint SET b = 'secret-815' WHERE id IN (9, 10);
SELECT helper.leaks($$SELECT * FROM sdc_rankswap('cat_constraint', p => 5, key => '{id}', columns => '{a}', seed => 3, replace => true)$$, 'secret-815');
ALTER TABLE cat_constraint_rankswap DROP CONSTRAINT cat_constraint_exclusion;
-- a check, a foreign key in either direction
ALTER TABLE cat_constraint_rankswap ADD CHECK (a < 5000);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('cat_constraint', p => 5, key => '{id}', columns => '{a}', seed => 3, replace => true)$$);
ALTER TABLE cat_constraint_rankswap DROP CONSTRAINT cat_constraint_rankswap_a_check;
CREATE TABLE cat_referencing (id int REFERENCES cat_constraint_rankswap);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('cat_constraint', p => 5, key => '{id}', columns => '{a}', seed => 3, replace => true)$$);
DROP TABLE cat_referencing;
CREATE TABLE cat_referenced (id int PRIMARY KEY);
INSERT INTO cat_referenced SELECT i FROM generate_series(1, 30) AS i;
ALTER TABLE cat_constraint_rankswap ADD FOREIGN KEY (id) REFERENCES cat_referenced;
SELECT helper.catch($$SELECT * FROM sdc_rankswap('cat_constraint', p => 5, key => '{id}', columns => '{a}', seed => 3, replace => true)$$);
SET client_min_messages = notice;
DROP TABLE cat_referenced CASCADE;
SET client_min_messages = warning;
SELECT helper.catch($$SELECT * FROM sdc_rankswap('cat_constraint', p => 5, key => '{id}', columns => '{a}', seed => 3, replace => true)$$);
SELECT helper.check_release('cat_constraint_rankswap');
-- inheritance, as long as it lasts
CREATE TABLE cat_inheriting () INHERITS (cat_constraint_rankswap);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('cat_constraint', p => 5, key => '{id}', columns => '{a}', seed => 3, replace => true)$$);
SELECT count(*) FROM ONLY cat_constraint_rankswap;
DROP TABLE cat_inheriting;
SELECT helper.catch($$SELECT * FROM sdc_rankswap('cat_constraint', p => 5, key => '{id}', columns => '{a}', seed => 3, replace => true)$$);
-- a partition has bounds
CREATE TABLE cat_published (id int NOT NULL, a int NOT NULL, b text) PARTITION BY RANGE (a);
UPDATE cat_constraint SET a = id;
SELECT helper.catch($$SELECT * FROM sdc_rankswap('cat_constraint', p => 5, key => '{id}', columns => '{a}', seed => 3, replace => true)$$);
ALTER TABLE cat_published ATTACH PARTITION cat_constraint_rankswap FOR VALUES FROM (1) TO (100);
UPDATE cat_constraint SET a = 5000 WHERE id = 7;
SELECT helper.catch($$SELECT * FROM sdc_rankswap('cat_constraint', p => 5, key => '{id}', columns => '{a}', seed => 3, replace => true)$$) LIKE '55000: %';
SELECT count(*) FROM cat_published WHERE a >= 100;
ALTER TABLE cat_published DETACH PARTITION cat_constraint_rankswap;
DROP TABLE cat_published;
SELECT helper.catch($$SELECT * FROM sdc_rankswap('cat_constraint', p => 5, key => '{id}', columns => '{a}', seed => 3, replace => true)$$);
-- a publication for logical replication
SET client_min_messages = error;
CREATE PUBLICATION cat_publication FOR TABLE cat_constraint_rankswap;
SET client_min_messages = warning;
SELECT helper.catch($$SELECT * FROM sdc_rankswap('cat_constraint', p => 5, key => '{id}', columns => '{a}', seed => 4, replace => true)$$);
SELECT tablename FROM pg_publication_tables WHERE pubname = 'cat_publication';
DROP PUBLICATION cat_publication;
-- an unlogged release stays unlogged
ALTER TABLE cat_constraint_rankswap SET UNLOGGED;
SELECT helper.catch($$SELECT * FROM sdc_rankswap('cat_constraint', p => 5, key => '{id}', columns => '{a}', seed => 4, replace => true)$$);
SELECT relpersistence FROM pg_class WHERE oid = 'cat_constraint_rankswap'::regclass;
SELECT helper.check_release('cat_constraint_rankswap');
\pset tuples_only off

-- sdc_row of another type is another layout.
CREATE TABLE cat_row_1 (id int PRIMARY KEY, a int, sdc_row text);
INSERT INTO cat_row_1 SELECT i, i, 'x' || i FROM generate_series(1, 30) AS i;
CREATE TABLE cat_row_2 (id int, a int);
INSERT INTO cat_row_2 SELECT i, i FROM generate_series(1, 30) AS i;
SELECT count(*) FROM sdc_rankswap('cat_row_1', p => 5, target => 'cat_row', seed => 1);
SELECT count(*) FROM sdc_rankswap('cat_row_2', p => 5, target => 'cat_row', seed => 1, replace => true);
SELECT helper.check_release('cat_row'), pg_typeof(sdc_row), count(*), max(sdc_row::text::int) FROM cat_row GROUP BY 2;

-- Releases with wide values and without, empty and full, replace each other.
CREATE TABLE cat_wide (id int PRIMARY KEY, a int, t text);
INSERT INTO cat_wide SELECT i, i, (SELECT string_agg(md5(i || ':' || j), '') FROM generate_series(1, 100) AS j) FROM generate_series(1, 30) AS i;
SELECT count(*) FROM sdc_rankswap('cat_wide', p => 5, columns => '{a,t}', seed => 1);
TRUNCATE cat_wide;
SELECT count(*) FROM sdc_rankswap('cat_wide', p => 5, columns => '{a,t}', seed => 1, replace => true);
SELECT count(*), pg_relation_size('cat_wide_rankswap') FROM cat_wide_rankswap;
INSERT INTO cat_wide SELECT i, i, (SELECT string_agg(md5(i || ':' || j), '') FROM generate_series(1, 100) AS j) FROM generate_series(1, 20) AS i;
SELECT count(*) FROM sdc_rankswap('cat_wide', p => 5, columns => '{a,t}', seed => 1, replace => true);
SELECT helper.check_release('cat_wide_rankswap'), sum(length(t)) FROM cat_wide_rankswap;
VACUUM FULL cat_wide_rankswap;
SELECT helper.check_release('cat_wide_rankswap');

-- A release can be changed by its owner; that is what a later evaluation has to find out.
UPDATE cat_wide_rankswap SET a = 0;
SELECT helper.check_release('cat_wide_rankswap');
DROP OWNED BY regress_sdc_reader;
DROP ROLE regress_sdc_reader;

-- The progress view is there, and empty when nothing runs.
SELECT count(*) FROM sdc_progress;
