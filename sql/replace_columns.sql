--
-- replace_columns
--
-- What a replacement may bring into a release, and what keeps a release from being replaced.
--
\pset format unaligned
\pset footer off
SET client_min_messages = warning;
\set VERBOSITY terse
CREATE TABLE col (id int PRIMARY KEY, age int, job text, zip text, email text);
INSERT INTO col SELECT i, i * 37 % 41, 'j' || i % 7, 'z' || i % 5, 'e' || i FROM generate_series(1, 60) AS i;
SELECT count(*) FROM sdc_rankswap('col', p => 20, omit => '{email}', seed => 1);
SELECT helper.fingerprint('col_rankswap', 'id') AS first \gset
CREATE FUNCTION col_of(release regclass) RETURNS text LANGUAGE sql
RETURN (SELECT string_agg(attname, ' ' ORDER BY attnum) FROM pg_attribute WHERE attrelid = release AND attnum > 0 AND NOT attisdropped);

-- A column that was left out stays out until an argument names it.
\pset tuples_only on
SELECT helper.catch($$SELECT * FROM sdc_rankswap('col', p => 20, seed => 1, replace => true)$$);
-- so does one that is new in the source
ALTER TABLE col ADD phone text, ADD income int, ADD "note ""x" text;
UPDATE col SET phone = 'p' || id, income = id * 7919 % 59, "note ""x" = 'secret';
SELECT helper.catch($$SELECT * FROM sdc_rankswap('col', p => 20, omit => '{email}', seed => 1, replace => true)$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('col', p => 20, seed => 1, replace => true)$$);
SELECT helper.leaks($$SELECT * FROM sdc_rankswap('col', p => 20, seed => 1, replace => true)$$, 'secret');
-- by every method, whatever the columns that it protects
SELECT helper.catch($$SELECT * FROM sdc_randomize('col', qi => '{age,phone}', target => 'col_rankswap', omit => '{email}', seed => 1, replace => true)$$);
SELECT helper.catch($$SELECT * FROM sdc_generalize('col', qi => '{age}', k => 5, sensitive => '{phone}', target => 'col_rankswap', replace => true)$$);
\pset tuples_only off
-- the old release is what it was, and its entry too
SELECT helper.fingerprint('col_rankswap', 'id') = :'first' AS same, (SELECT omitted FROM sdc_releases WHERE release = 'col_rankswap'::regclass);

-- Named in columns, keep or omit it is no surprise; what is protected by default is not copied.
SELECT attribute, action FROM sdc_rankswap('col', p => 20, columns => '{age,phone}', omit => '{email,"note \"x",income}', seed => 1, replace => true);
SELECT attribute, action FROM sdc_rankswap('col', p => 20, omit => '{email,"note \"x"}', seed => 1, replace => true);
SELECT attribute, action FROM sdc_rankswap('col', p => 20, keep => '{job,"note \"x"}', seed => 1, replace => true);
SELECT col_of('col_rankswap'), (SELECT omitted FROM sdc_releases WHERE release = 'col_rankswap'::regclass);
-- once it is in the release it need not be named again; what keep has left out must be
SELECT helper.catch($$SELECT * FROM sdc_rankswap('col', p => 20, omit => '{zip,phone}', seed => 1, replace => true)$$);
SELECT attribute, action FROM sdc_rankswap('col', p => 20, omit => '{zip,phone,email}', seed => 1, replace => true);
-- strata are named by their argument, and what the method takes besides by that one
SELECT attribute, action FROM sdc_rankswap('col', p => 50, strata => '{zip}', omit => '{phone,email}', seed => 1, replace => true);
SELECT attribute, action FROM sdc_generalize('col', qi => '{age}', k => 5, sensitive => '{phone}', omit => '{email}', target => 'col_rankswap', replace => true);
DROP TABLE col_rankswap;

-- A column that was an identifier, and is not any more.
SELECT sdc_classify('col', 'email', 'identifier');
SELECT count(*) FROM sdc_rankswap('col', p => 20, columns => '{age,income}', seed => 1);
SELECT sdc_classify('col', 'email', NULL);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('col', p => 20, columns => '{age,income}', seed => 1, replace => true)$$);

-- Columns are known by their names: a new name is a new column, and so is a column that somebody has
-- taken out of the release.
ALTER TABLE col RENAME job TO occupation;
SELECT helper.catch($$SELECT * FROM sdc_rankswap('col', p => 20, columns => '{age,income}', omit => '{email}', seed => 1, replace => true)$$);
ALTER TABLE col RENAME occupation TO job;
ALTER TABLE col_rankswap DROP zip;
SELECT helper.catch($$SELECT * FROM sdc_rankswap('col', p => 20, columns => '{age,income}', omit => '{email}', seed => 1, replace => true)$$);
-- one that is gone from the source is gone from the next release
ALTER TABLE col DROP phone;
SELECT attribute, action FROM sdc_rankswap('col', p => 20, columns => '{age,income}', omit => '{email,zip}', seed => 1, replace => true);
-- a column that takes an old name is the old one, whatever is in it
ALTER TABLE col DROP "note ""x", ADD "note ""x" text;
SELECT count(*) FROM sdc_rankswap('col', p => 20, columns => '{age,income}', omit => '{email,zip}', seed => 1, replace => true);

-- A key that no argument names is a column too.
CREATE TABLE col_nokey AS SELECT id, age FROM col;
SELECT count(*) FROM sdc_rankswap('col_nokey', p => 20, omit => '{id}', seed => 1);
ALTER TABLE col_nokey ADD PRIMARY KEY (id);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('col_nokey', p => 20, seed => 1, replace => true)$$);
SELECT attribute, action FROM sdc_rankswap('col_nokey', p => 20, key => '{id}', seed => 1, replace => true);
SELECT attribute, action FROM sdc_rankswap('col_nokey', p => 20, seed => 1, replace => true);

-- Before any work: this view cannot be read.
CREATE VIEW col_view AS SELECT id, age, job FROM col;
SELECT count(*) FROM sdc_rankswap('col_view', p => 20, key => '{id}', seed => 1);
CREATE OR REPLACE VIEW col_view AS SELECT id, age, job, 1 / (id - 30) AS ratio, zip FROM col;
SELECT helper.catch($$SELECT * FROM sdc_rankswap('col_view', p => 20, key => '{id}', seed => 1, replace => true)$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('col_view', p => 20, key => '{id}', omit => '{zip}', seed => 1, replace => true)$$);
SELECT col_of('col_view_rankswap'), (SELECT count(*) FROM col_view_rankswap) AS records;
-- a partitioned table; a release of another source, where the target is named
CREATE TABLE col_parted (id int PRIMARY KEY, age int, job text) PARTITION BY RANGE (id);
CREATE TABLE col_parted_1 PARTITION OF col_parted DEFAULT;
INSERT INTO col_parted SELECT id, age, job FROM col;
SELECT count(*) FROM sdc_rankswap('col_parted', p => 20, seed => 1);
ALTER TABLE col_parted ADD zip text;
SELECT helper.catch($$SELECT * FROM sdc_rankswap('col_parted', p => 20, seed => 1, replace => true)$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('col', p => 20, target => 'col_parted_rankswap', omit => '{"note \"x"}', seed => 1, replace => true)$$);
SELECT attribute, action FROM sdc_rankswap('col', p => 20, target => 'col_parted_rankswap', keep => '{job}', seed => 1, replace => true);
-- a table without records
CREATE TABLE col_empty (id int PRIMARY KEY, a int);
SELECT count(*) FROM sdc_rankswap('col_empty', p => 20, seed => 1);
ALTER TABLE col_empty ADD b text;
SELECT helper.catch($$SELECT * FROM sdc_rankswap('col_empty', p => 20, seed => 1, replace => true)$$);

-- A release that must be created anew, and that others depend on: an error before any work, which
-- names them, and nothing is lost.
CREATE TABLE dep (id int PRIMARY KEY, a int, b text, c text);
INSERT INTO dep SELECT i, i % 7, 'b' || i % 3, 'c' || i % 4 FROM generate_series(1, 40) AS i;
CREATE ROLE dep_reader;
SELECT count(*) FROM sdc_rankswap('dep', p => 50, seed => 1);
GRANT SELECT ON dep_rankswap TO dep_reader;
SELECT helper.fingerprint('dep_rankswap', 'id') AS first \gset
CREATE VIEW dep_view AS SELECT a FROM dep_rankswap;
SELECT * FROM sdc_rankswap('dep', p => 50, omit => '{c}', seed => 2, replace => true);
SELECT helper.fingerprint('dep_rankswap', 'id') = :'first' AS same, relacl IS NOT NULL AS granted FROM pg_class WHERE oid = 'dep_rankswap'::regclass;
-- with the same columns it is no matter, and the view shows the new records
SELECT count(*) FROM sdc_rankswap('dep', p => 50, seed => 1, replace => true);
-- before any work: this source cannot be read
CREATE VIEW dep_broken AS SELECT id, 1 / (id - 30) AS a, b FROM dep;
SELECT helper.catch($$SELECT * FROM sdc_rankswap('dep_broken', p => 50, key => '{id}', target => 'dep_rankswap', seed => 1, replace => true)$$);
-- whatever depends on it: views on views are reached by the first ones
CREATE VIEW dep_on_view AS SELECT a FROM dep_view;
CREATE MATERIALIZED VIEW dep_matview AS SELECT count(*) FROM dep_rankswap;
CREATE FUNCTION dep_function(dep_rankswap) RETURNS int LANGUAGE sql RETURN 1;
CREATE TABLE dep_typed (id int, r dep_rankswap[]);
CREATE TABLE dep_other (id int);
CREATE RULE dep_rule AS ON DELETE TO dep_other DO INSTEAD DELETE FROM dep_rankswap;
SELECT helper.catch($$SELECT * FROM sdc_rankswap('dep', p => 50, omit => '{c}', seed => 2, replace => true)$$);
CREATE VIEW "dep ""view" AS SELECT FROM dep_rankswap;
SELECT helper.catch($$SELECT * FROM sdc_rankswap('dep', p => 50, omit => '{c}', seed => 2, replace => true)$$);
DROP VIEW "dep ""view", dep_on_view, dep_view;
DROP MATERIALIZED VIEW dep_matview;
DROP FUNCTION dep_function;
DROP TABLE dep_typed, dep_other;
-- what is in a schema of others is counted
CREATE SCHEMA dep_schema;
CREATE VIEW dep_schema.hidden AS SELECT FROM dep_rankswap;
CREATE ROLE dep_owner;
GRANT SELECT ON dep TO dep_owner;
GRANT CREATE, USAGE ON SCHEMA public TO dep_owner;
GRANT USAGE ON SCHEMA helper TO dep_owner;
ALTER TABLE dep_rankswap OWNER TO dep_owner;
SET ROLE dep_owner;
SELECT helper.catch($$SELECT * FROM sdc_rankswap('dep', p => 50, omit => '{c}', seed => 2, replace => true)$$);
RESET ROLE;
CREATE VIEW dep_shown AS SELECT FROM dep_rankswap;
SET ROLE dep_owner;
SELECT helper.catch($$SELECT * FROM sdc_rankswap('dep', p => 50, omit => '{c}', seed => 2, replace => true)$$);
RESET ROLE;
DROP VIEW dep_schema.hidden, dep_shown;
-- what belongs to the release goes with it
CREATE INDEX ON dep_rankswap (a);
CREATE STATISTICS dep_statistics ON a, b FROM dep_rankswap;
CREATE RULE dep_rule AS ON DELETE TO dep_rankswap DO INSTEAD SELECT count(*) FROM dep_rankswap;
ALTER TABLE dep_rankswap ADD PRIMARY KEY (id), ALTER a SET DEFAULT 3;
CREATE POLICY dep_policy ON dep_rankswap USING (id IN (SELECT id FROM dep_rankswap));
CREATE FUNCTION dep_trigger() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
CREATE TRIGGER dep_trigger AFTER INSERT ON dep_rankswap FOR EACH ROW WHEN (NEW.a > 3) EXECUTE FUNCTION dep_trigger();
SELECT count(*) FROM sdc_rankswap('dep', p => 50, omit => '{c}', seed => 2, replace => true);
SELECT col_of('dep_rankswap'), relacl IS NULL AS grants_lost FROM pg_class WHERE oid = 'dep_rankswap'::regclass;
-- what comes to depend on it while the source is read
CREATE FUNCTION dep_late(int) RETURNS int LANGUAGE plpgsql AS $$
BEGIN
	IF to_regclass('dep_late_view') IS NULL THEN
		CREATE VIEW dep_late_view AS SELECT FROM dep_rankswap;
	END IF;
	RETURN $1;
END
$$;
CREATE VIEW dep_creates AS SELECT id, dep_late(a) AS a FROM dep;
SELECT helper.catch($$SELECT * FROM sdc_rankswap('dep_creates', p => 50, key => '{id}', target => 'dep_rankswap', seed => 2, replace => true)$$);
-- an error of another kind says nothing of the grants either
SELECT * FROM sdc_rankswap('dep_broken', p => 50, key => '{id}', target => 'dep_rankswap', columns => '{a}', omit => '{b}', seed => 1, replace => true);

-- The views of a permutation go with it, or when they show something else; what depends on them counts too.
SELECT count(*) FROM sdc_permute('dep', qi => '{a}', sensitive => '{b}', l => 2, seed => 1);
CREATE VIEW dep_on_qi AS SELECT a FROM dep_permute_qi;
SELECT count(*) FROM sdc_permute('dep', qi => '{a}', sensitive => '{b}', l => 2, seed => 2, replace => true);
SELECT helper.catch($$SELECT * FROM sdc_permute('dep', qi => '{a}', sensitive => '{c}', l => 2, seed => 2, replace => true)$$);
SELECT helper.catch($$SELECT * FROM sdc_permute('dep', qi => '{a}', sensitive => '{b}', l => 2, omit => '{c}', seed => 2, replace => true)$$);
SELECT col_of('dep_permute'), col_of('dep_permute_qi');
DROP VIEW dep_on_qi;
SELECT count(*) FROM sdc_permute('dep', qi => '{a}', sensitive => '{c}', l => 2, seed => 2, replace => true);
SELECT count(*) FROM sdc_permute('dep', qi => '{a}', sensitive => '{b}', l => 2, omit => '{c}', seed => 2, replace => true);
SELECT col_of('dep_permute'), col_of('dep_permute_qi');
-- another method does not know of the views
SELECT helper.catch($$SELECT * FROM sdc_rankswap('dep', p => 50, omit => '{c}', target => 'dep_permute', seed => 2, replace => true)$$);

DROP OWNED BY dep_owner, dep_reader;
DROP ROLE dep_owner, dep_reader;
