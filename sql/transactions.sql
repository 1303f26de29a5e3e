--
-- transactions
--
-- All in the caller's transaction: an error leaves no table and no entry, a rollback takes
-- both back, and a replacement that is rolled back leaves the old release.
--
\pset format unaligned
\pset footer off
SELECT helper.make_people('trans', 80);
CREATE FUNCTION helper.releases() RETURNS text LANGUAGE sql
RETURN (SELECT coalesce(string_agg(release::text, ' ' ORDER BY release::text COLLATE "C"), 'none') FROM sdc_releases WHERE source = 'trans'::regclass);
CREATE FUNCTION helper.tables() RETURNS text LANGUAGE sql
RETURN (SELECT coalesce(string_agg(relname::text, ' ' ORDER BY relname COLLATE "C"), 'none') FROM pg_class WHERE relname ~ '^trans' AND relkind = 'r');
SELECT helper.releases(), helper.tables();

-- Errors: before, while and after reading.
SELECT * FROM sdc_rankswap('trans', p => 5, columns => '{nothing}');
SELECT * FROM sdc_rankswap('trans', p => 5, key => '{region}');
SELECT * FROM sdc_rankswap_buckets('trans', buckets => 1000);
CREATE VIEW trans_view AS SELECT id, age / (id - 80) AS ratio FROM trans;
SELECT * FROM sdc_rankswap('trans_view', p => 5, key => '{id}');
SELECT 1 / (count(*) - 9) FROM sdc_rankswap('trans', p => 5, seed => 1);
SELECT helper.releases(), helper.tables();

-- Rollback, and commit.
BEGIN;
SELECT count(*) FROM sdc_rankswap('trans', p => 5, seed => 1);
SELECT helper.releases(), helper.tables();
SELECT helper.check_release('trans_rankswap');
ROLLBACK;
SELECT helper.releases(), helper.tables();
BEGIN;
SELECT count(*) FROM sdc_rankswap('trans', p => 5, seed => 1);
INSERT INTO trans_rankswap (id) VALUES (1000);
DELETE FROM trans_rankswap WHERE id = 1000;
COMMIT;
SELECT helper.releases(), helper.tables();
SELECT helper.check_release('trans_rankswap');
SELECT helper.fingerprint('trans_rankswap', 'id') AS first \gset

-- Savepoints.
BEGIN;
SAVEPOINT a;
SELECT count(*) FROM sdc_rankswap_buckets('trans', buckets => 20, seed => 1);
SELECT helper.releases();
ROLLBACK TO a;
SELECT helper.releases(), helper.tables();
SELECT count(*) FROM sdc_rankswap_buckets('trans', buckets => 20, seed => 2);
SAVEPOINT b;
SELECT * FROM sdc_rankswap('trans', p => 5, columns => '{nothing}');
ROLLBACK TO b;
SELECT count(*) FROM sdc_rankswap_distribution('trans', p => 5, seed => 2);
RELEASE b;
COMMIT;
SELECT helper.releases();
SELECT helper.check_release('trans_rankswap_buckets'), helper.check_release('trans_rankswap_distribution');

-- What the transaction itself wrote is protected.
BEGIN;
INSERT INTO trans (id, age, income) VALUES (81, 99, 1), (82, 98, 2);
SELECT max(records) FROM sdc_rankswap('trans', p => 5, seed => 1, target => 'trans_own');
SELECT helper.check_release('trans_own');
ALTER TABLE trans ADD late int DEFAULT 3;
SELECT attribute, action FROM sdc_rankswap('trans', p => 5, seed => 1, target => 'trans_late') WHERE attribute = 'late';
CREATE TABLE trans_new AS SELECT id, age FROM trans;
SELECT count(*) FROM sdc_rankswap('trans_new', p => 5, key => '{id}', seed => 1);
SELECT helper.check_release('trans_new_rankswap');
ROLLBACK;
SELECT helper.releases(), helper.tables();

-- A statement does not see what it changes itself; the next one does.
WITH d AS (DELETE FROM trans WHERE id > 40 RETURNING 1), r AS (SELECT max(records) AS records FROM sdc_rankswap('trans', p => 5, seed => 1, target => 'trans_with'))
SELECT (SELECT count(*) FROM d) AS deleted, (SELECT records FROM r) AS records;
INSERT INTO trans SELECT * FROM helper.people(80) AS p WHERE p.id > 40;
DROP TABLE trans_with;

-- A replacement that is rolled back leaves the old release, rows and entry.
BEGIN;
SELECT count(*) FROM sdc_rankswap('trans', seed => 2, p => 50, replace => true);
SELECT helper.fingerprint('trans_rankswap', 'id') = :'first' AS same, (SELECT parameters FROM sdc_releases WHERE release = 'trans_rankswap'::regclass);
ROLLBACK;
SELECT helper.fingerprint('trans_rankswap', 'id') = :'first' AS same, (SELECT parameters FROM sdc_releases WHERE release = 'trans_rankswap'::regclass);
BEGIN;
SELECT count(*) FROM sdc_rankswap('trans', seed => 2, p => 50, omit => '{born}', replace => true);
SELECT helper.check_release('trans_rankswap');
ROLLBACK;
SELECT helper.fingerprint('trans_rankswap', 'id') = :'first' AS same, (SELECT omitted FROM sdc_releases WHERE release = 'trans_rankswap'::regclass);
BEGIN;
SAVEPOINT a;
SELECT count(*) FROM sdc_rankswap('trans', seed => 2, p => 50, replace => true);
ROLLBACK TO a;
SELECT helper.fingerprint('trans_rankswap', 'id') = :'first' AS same;
SELECT count(*) FROM sdc_rankswap('trans', seed => 3, p => 25, replace => true);
SELECT count(*) FROM sdc_rankswap('trans', p => 5, seed => 1, replace => true);
COMMIT;
SELECT helper.fingerprint('trans_rankswap', 'id') = :'first' AS same, (SELECT parameters FROM sdc_releases WHERE release = 'trans_rankswap'::regclass);
-- an error in a replacement
SELECT * FROM sdc_rankswap('trans_view', p => 5, key => '{id}', target => 'trans_rankswap', replace => true);
SELECT * FROM sdc_rankswap('trans', p => 5, key => '{region}', replace => true);
SELECT helper.fingerprint('trans_rankswap', 'id') = :'first' AS same, (SELECT source FROM sdc_releases WHERE release = 'trans_rankswap'::regclass);

-- A release in use by the session itself cannot be replaced under its feet.
BEGIN;
DECLARE reading CURSOR FOR SELECT id FROM trans_rankswap ORDER BY ctid;
FETCH 1 FROM reading;
SELECT * FROM sdc_rankswap('trans', p => 5, seed => 1, replace => true);
ROLLBACK;
SELECT r.action FROM trans_rankswap AS t, LATERAL sdc_rankswap('trans', p => 5, seed => t.id, replace => true) AS r WHERE t.id = 1;
SELECT helper.fingerprint('trans_rankswap', 'id') = :'first' AS same;
-- a source in use can be read
BEGIN;
DECLARE reading CURSOR FOR SELECT id FROM trans ORDER BY id FOR UPDATE;
FETCH 1 FROM reading;
SELECT count(*) FROM sdc_rankswap('trans', p => 5, seed => 1, target => 'trans_locked');
FETCH 1 FROM reading;
ROLLBACK;
-- several releases by one statement, of which one fails: none is left
SELECT helper.catch($$SELECT r.release FROM (VALUES ('trans_a', 'age'), ('trans_b', 'income'), ('trans_c', 'nothing')) AS t (target, attribute),
	LATERAL sdc_rankswap('trans', p => 5, columns => ARRAY[t.attribute], target => t.target, seed => 1) AS r$$);
SELECT helper.releases(), helper.tables();

-- In PL/pgSQL: a caught error takes back what the block did.
DO $$
DECLARE
	r record;
	made int := 0;
BEGIN
	FOR r IN SELECT * FROM sdc_rankswap('trans', p => 5, seed => 1, target => 'trans_block') LOOP
		made := made + 1;
	END LOOP;
	RAISE INFO '% columns', made;
	BEGIN
		PERFORM sdc_rankswap('trans', p => 5, seed => 1, target => 'trans_inner');
		PERFORM sdc_rankswap('trans', p => 5, columns => '{nothing}');
	EXCEPTION WHEN undefined_column THEN
		RAISE INFO 'caught %', SQLSTATE;
	END;
	RAISE INFO '%', helper.releases();
END
$$;
SELECT helper.releases();
-- a procedure that commits in between
CREATE PROCEDURE trans_refresh(seeds int) LANGUAGE plpgsql AS $$
BEGIN
	FOR seed IN 1 .. seeds LOOP
		PERFORM sdc_rankswap('trans', p => 5, seed => seed, target => 'trans_refreshed', replace => true);
		COMMIT;
	END LOOP;
END
$$;
CALL trans_refresh(3);
SELECT helper.check_release('trans_refreshed');
SELECT count(*) AS entries FROM sdc_private.sdc_release_catalog WHERE release = 'trans_refreshed'::regclass;

-- Classifying and registering are taken back as well.
BEGIN;
SELECT sdc_classify('trans', 'age', 'sensitive'), sdc_unregister('trans_refreshed');
SELECT count(*) FROM sdc_attributes WHERE relation = 'trans'::regclass;
ROLLBACK;
SELECT (SELECT count(*) FROM sdc_attributes WHERE relation = 'trans'::regclass) AS attributes,
	(SELECT count(*) FROM sdc_releases WHERE release = 'trans_refreshed'::regclass) AS releases;

-- No temporary relation or portal is left in the session.
SELECT count(*) FROM pg_cursors;
SELECT count(*) FROM pg_class WHERE relname LIKE 'pg_temp_%' AND relkind = 'r';

-- A release outlives a temporary table that goes at commit, but what is known of it does not.
BEGIN;
CREATE TEMP TABLE trans_temp (id int PRIMARY KEY, a int) ON COMMIT DROP;
INSERT INTO trans_temp SELECT i, i FROM generate_series(1, 30) AS i;
SELECT count(*) FROM sdc_rankswap('trans_temp', p => 5, seed => 1);
SELECT count(*) FROM sdc_rankswap('trans_temp', p => 5, seed => 1, target => 'trans_kept');
COMMIT;
SELECT count(*) FROM trans_temp_rankswap;
SELECT count(*) FROM trans_kept;
SELECT count(*) FROM sdc_releases WHERE release = 'trans_kept'::regclass;
-- repeatable read
BEGIN ISOLATION LEVEL REPEATABLE READ;
SELECT count(*) FROM sdc_rankswap('trans', p => 5, seed => 1, target => 'trans_repeatable');
SELECT helper.check_release('trans_repeatable');
COMMIT;
