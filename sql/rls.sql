--
-- rls
--
-- Row security: a release has the rows that the caller may see, and no trace of the others.
--
\pset format unaligned
\pset footer off
CREATE ROLE regress_sdc_north;
CREATE ROLE regress_sdc_admin BYPASSRLS;
CREATE ROLE regress_sdc_table_owner;
CREATE SCHEMA row_security;
GRANT USAGE, CREATE ON SCHEMA row_security TO regress_sdc_north, regress_sdc_admin, regress_sdc_table_owner;
GRANT USAGE ON SCHEMA helper TO regress_sdc_north, regress_sdc_admin, regress_sdc_table_owner;
SELECT helper.make_people('row_security.person', 200);
ALTER TABLE row_security.person OWNER TO regress_sdc_table_owner;
GRANT SELECT ON row_security.person TO regress_sdc_north, regress_sdc_admin;
CREATE POLICY north ON row_security.person FOR SELECT TO regress_sdc_north USING (region = 'north');
ALTER TABLE row_security.person ENABLE ROW LEVEL SECURITY;
SELECT region, count(*) FROM row_security.person GROUP BY region ORDER BY region;
SET search_path = row_security, public;

-- A policy runs with the rights of whom it restricts: he must trust the owner of the table.
SET ROLE regress_sdc_north;
SELECT helper.catch($$SELECT * FROM sdc_rankswap('person', p => 5, seed => 1, target => 'person_north')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap(NULL::person, p => 5, seed => 1)$$);
SELECT to_regclass('person_north') IS NULL AS not_made;
-- to trust others is not enough
SET sdc.trusted_owners = 'regress_sdc_admin, regress_sdc_north, regress_sdc_table';
SELECT left(helper.catch($$SELECT * FROM sdc_rankswap(NULL::person, p => 5, seed => 1)$$), 36);
SET sdc.trusted_owners = 'regress_sdc_admin, regress_sdc_table_owner';

-- The restricted role protects the rows it sees.
SELECT attribute, action, records FROM sdc_rankswap('person', p => 5, seed => 1, target => 'person_north');
SELECT helper.check_release('person_north');
SELECT region, count(*) FROM person_north GROUP BY region;
SELECT region, count(*) FROM sdc_rankswap(NULL::person, p => 5, seed => 1) GROUP BY region;
SELECT region, count(*) FROM sdc_rankswap_distribution(NULL::person, p => 5, seed => 1) GROUP BY region;
SELECT region, count(*) FROM sdc_rankswap_buckets(NULL::person, buckets => 20, seed => 1) GROUP BY region;
SELECT records FROM sdc_releases WHERE release = 'person_north'::regclass;
-- no value of a hidden row is in it, and ranks are those of the rows seen
SELECT count(*) FROM (SELECT weight FROM person_north EXCEPT ALL SELECT weight FROM person) AS d;
SELECT helper.furthest('person_north', 'weight') <= round(0.05 * count(*)) AS within FROM person_north;
-- it is the release of a table with these rows
CREATE TABLE visible AS SELECT * FROM person;
SELECT count(*) FROM sdc_rankswap('visible', p => 5, key => '{id}', seed => 1);
SELECT helper.fingerprint('person_north') = helper.fingerprint('visible_rankswap') AS same;
-- a key that is not unique among the hidden rows is no error, and none tells of them
RESET ROLE;
CREATE TABLE row_security.doubled AS SELECT id % 100 AS id, region, age FROM person;
UPDATE row_security.doubled SET id = 5 WHERE region = 'south';
UPDATE row_security.doubled SET id = NULL WHERE region = 'east';
CREATE POLICY above ON row_security.doubled FOR SELECT TO regress_sdc_north USING (region = 'north' AND id > 5);
DELETE FROM row_security.doubled AS d WHERE region = 'north' AND EXISTS (SELECT FROM row_security.doubled AS e WHERE e.id = d.id AND e.region = 'north' AND e.ctid < d.ctid);
ALTER TABLE row_security.doubled ENABLE ROW LEVEL SECURITY;
GRANT SELECT ON row_security.doubled TO regress_sdc_north;
SELECT helper.catch($$SELECT * FROM sdc_rankswap('doubled', p => 5, key => '{id}', seed => 1)$$);
SET ROLE regress_sdc_north;
SELECT attribute, action FROM sdc_rankswap('doubled', p => 5, key => '{id}', seed => 1);
SELECT helper.check_release('doubled_rankswap');
-- buckets are compared with the rows seen
RESET ROLE;
CREATE TABLE row_security.few AS SELECT i AS id, i AS a FROM generate_series(1, 100) AS i;
CREATE POLICY few ON row_security.few FOR SELECT TO regress_sdc_north USING (id <= 10);
ALTER TABLE row_security.few ENABLE ROW LEVEL SECURITY;
GRANT SELECT ON row_security.few TO regress_sdc_north;
SET ROLE regress_sdc_north;
SELECT helper.catch($$SELECT * FROM sdc_rankswap_buckets('few', key => '{id}', buckets => 11, seed => 1)$$);
SELECT attribute, records FROM sdc_rankswap_buckets('few', key => '{id}', buckets => 10, seed => 1);

-- row_security = off is an error, not all rows
SET row_security = off;
SELECT helper.catch($$SELECT * FROM sdc_rankswap('person', p => 5, seed => 1, target => 'person_off')$$);
SELECT helper.catch($$SELECT count(*) FROM sdc_rankswap(NULL::person, p => 5, seed => 1)$$);
RESET row_security;

-- No policy for a role: no rows.
RESET ROLE;
CREATE ROLE regress_sdc_south;
GRANT USAGE ON SCHEMA row_security, helper TO regress_sdc_south;
GRANT SELECT ON row_security.person TO regress_sdc_south;
SET ROLE regress_sdc_south;
SELECT attribute, action, records FROM sdc_rankswap('person', p => 5, seed => 1, target => 'pg_temp.person_south');
SELECT count(*) FROM pg_temp.person_south;

-- BYPASSRLS, the owner, and FORCE.
SET ROLE regress_sdc_admin;
SELECT max(records) FROM sdc_rankswap('person', p => 5, seed => 1, target => 'person_admin');
SET ROLE regress_sdc_table_owner;
SELECT max(records) FROM sdc_rankswap('person', p => 5, seed => 1, target => 'person_owner');
ALTER TABLE person FORCE ROW LEVEL SECURITY;
SELECT max(records) FROM sdc_rankswap('person', p => 5, seed => 1, target => 'person_forced');
CREATE POLICY own ON person FOR SELECT TO regress_sdc_table_owner USING (sex = 'f');
SELECT max(records) = (SELECT count(*) FROM person) AS same FROM sdc_rankswap('person', p => 5, seed => 1, target => 'person_forced', replace => true);
SELECT sex, count(*) FROM person_forced GROUP BY sex;
RESET ROLE;

-- A policy may call functions and read other tables: as the caller, who must trust their owners too.
CREATE TABLE row_security.allowed (who name, region text);
INSERT INTO row_security.allowed VALUES ('regress_sdc_north', 'east');
GRANT SELECT ON row_security.allowed TO regress_sdc_north;
CREATE POLICY lookup ON row_security.person FOR SELECT TO regress_sdc_north
	USING (region IN (SELECT a.region FROM row_security.allowed AS a WHERE a.who = current_user));
SET ROLE regress_sdc_north;
SELECT region, count(*) FROM sdc_rankswap(NULL::person, p => 5, seed => 1) GROUP BY region ORDER BY region;
RESET ROLE;
CREATE ROLE regress_sdc_third;
ALTER TABLE row_security.allowed OWNER TO regress_sdc_third;
SET ROLE regress_sdc_north;
SELECT helper.catch($$SELECT * FROM sdc_rankswap(NULL::person, p => 5, seed => 1)$$);
RESET ROLE;
ALTER TABLE row_security.allowed OWNER TO CURRENT_USER;
DROP OWNED BY regress_sdc_third;
DROP ROLE regress_sdc_third;
-- restrictive as well
RESET ROLE;
CREATE POLICY adults ON row_security.person AS RESTRICTIVE FOR SELECT TO regress_sdc_north USING (age >= 40);
SET ROLE regress_sdc_north;
SELECT region, min(age) >= 40 AS adults FROM sdc_rankswap(NULL::person, p => 5, seed => 1) GROUP BY region ORDER BY region;

-- The release has no policy of its own, and none is copied: who may read it is its owner's decision.
SELECT relrowsecurity FROM pg_class WHERE oid = 'person_north'::regclass;
-- a policy on a release stays when it is replaced
CREATE POLICY women ON person_north FOR SELECT TO regress_sdc_south USING (sex = 'f');
ALTER TABLE person_north ENABLE ROW LEVEL SECURITY;
GRANT SELECT ON person_north TO regress_sdc_south;
SELECT count(*) FROM sdc_rankswap('person', p => 5, seed => 2, target => 'person_north', replace => true);
SELECT relrowsecurity, (SELECT count(*) FROM pg_policy WHERE polrelid = 'person_north'::regclass) AS policies
FROM pg_class WHERE oid = 'person_north'::regclass;
SET ROLE regress_sdc_south;
SELECT DISTINCT sex FROM person_north;
-- also with FORCE, which keeps even the owner from writing through SQL
SET ROLE regress_sdc_north;
ALTER TABLE person_north FORCE ROW LEVEL SECURITY;
SELECT max(records) > 0 AS records FROM sdc_rankswap('person', p => 5, seed => 3, target => 'person_north', replace => true);
ALTER TABLE person_north NO FORCE ROW LEVEL SECURITY;
SELECT helper.check_release('person_north');

-- The catalog: rows of tables that the role may not read are not there, under any name.
RESET ROLE;
SELECT count(*) > 5 AS several FROM sdc_private.sdc_release_catalog;
SET ROLE regress_sdc_south;
CREATE TEMP VIEW here AS SELECT oid FROM pg_class WHERE relnamespace = 'row_security'::regnamespace;
SELECT helper.catch('SELECT FROM sdc_private.sdc_release_catalog'), helper.catch('SELECT FROM sdc_private.sdc_temporary_catalog');
RESET ROLE;
GRANT USAGE ON SCHEMA sdc_private TO regress_sdc_south;
SET ROLE regress_sdc_south;
SELECT helper.catch('SELECT FROM sdc_private.sdc_release_catalog'), helper.catch('SELECT FROM sdc_private.sdc_temporary_catalog');
SELECT source, count(*) FROM sdc_releases WHERE source IN (TABLE here) GROUP BY source ORDER BY source::text COLLATE "C";
DROP VIEW here;
SET ROLE regress_sdc_north;
SELECT source, count(*) FROM sdc_releases
WHERE source IN (SELECT oid FROM pg_class WHERE relnamespace = 'row_security'::regnamespace) GROUP BY source ORDER BY source::text COLLATE "C";
RESET ROLE;

RESET search_path;
RESET sdc.trusted_owners;
DROP SCHEMA row_security CASCADE;
DROP OWNED BY regress_sdc_north, regress_sdc_admin, regress_sdc_table_owner, regress_sdc_south;
DROP ROLE regress_sdc_north, regress_sdc_admin, regress_sdc_table_owner, regress_sdc_south;
