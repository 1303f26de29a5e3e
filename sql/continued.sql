-- Releases that are continued: what stays is released as it was.
\pset format unaligned
\pset footer off
SET client_min_messages = warning;
SET maintenance_work_mem = '64MB';
CREATE SCHEMA continued;
SET search_path = continued, public;

-- three kinds of values, missing ones and ties, strata; who leaves, comes and changes is decided by a seed
CREATE TABLE staff (id int PRIMARY KEY, region text, wage int, rate numeric(8,2), since date, name text);
CREATE FUNCTION hire(first int, last int) RETURNS void LANGUAGE sql AS $$
	INSERT INTO staff SELECT i, 'r' || i % 2, CASE WHEN i % 13 <> 0 THEN 1000 + hashint4(i) % 500 END,
		abs(hashint4(i + 7) % 10000) / 100.0, date '2000-01-01' + abs(hashint4(i + 99)) % 900, 'n' || i % 50
	FROM generate_series(first, last) AS i $$;
CREATE FUNCTION night(steps text, strata name[] DEFAULT NULL, seed text DEFAULT 'a') RETURNS void LANGUAGE sql AS $$
	SELECT count(*) FROM sdc_protect('continued.staff', steps::jsonb, 'continued.public', strata => strata, keep => '{name,region}', seed => seed) $$;

-- the first night is the method itself
SELECT hire(1, 600);
SELECT attribute, kept, drawn, waiting, widows, beyond, round(largest::numeric, 2) AS largest
FROM sdc_rankswap('staff', 10, '{wage,rate,since}', 'public', keep => '{name,region}', seed => 'a', continued => true);
SELECT count(*) FROM (TABLE public EXCEPT SELECT * FROM sdc_rankswap(NULL::staff, 10, '{wage,rate,since}', keep => '{name,region}', seed => 'a')) AS d;
-- the same again is the same, and not written
SELECT pg_relation_filenode('public') AS node \gset
CREATE TABLE before AS TABLE public;
SELECT attribute, kept, drawn, waiting, widows FROM sdc_rankswap('staff', 10, '{wage,rate,since}', 'public', keep => '{name,region}', continued => true);
SELECT count(*), pg_relation_filenode('public') = :node AS not_written FROM (TABLE public EXCEPT ALL TABLE before) AS d;

-- a copied column is always that of the source
UPDATE staff SET name = 'x' WHERE id = 1;
SELECT attribute, kept, drawn FROM sdc_rankswap('staff', 10, '{wage,rate,since}', 'public', keep => '{name,region}', continued => true) WHERE action = 'protected';
SELECT name FROM public WHERE id = 1;

-- few come, go and change: the release is the old one less who has gone
DELETE FROM staff WHERE id % 60 = 0;
SELECT hire(601, 620);
UPDATE staff SET wage = 1, rate = 1 WHERE id BETWEEN 2 AND 12;
SELECT attribute, records, kept, drawn, waiting, widows FROM sdc_rankswap('staff', 10, '{wage,rate,since}', 'public', keep => '{name,region}', continued => true) WHERE action = 'protected';
SELECT count(*) FROM (SELECT id, wage, rate, since FROM public EXCEPT SELECT id, wage, rate, since FROM before) AS d;
SELECT kind, attribute, records, since IS NOT NULL AS since FROM sdc_pending('public');
-- and can be evaluated, for its own records
SELECT count(*) > 0 AS measured FROM sdc_disclosure_risk('public');
SELECT people_found > 0 AS found, problem FROM sdc_scores WHERE release = 'public'::regclass;

-- a lot of newcomers is swapped in itself, and a lot of changes is taken over: pairs stay
TRUNCATE before;
INSERT INTO before TABLE public;
SELECT hire(621, 660);
UPDATE staff SET wage = wage + 1 WHERE id BETWEEN 100 AND 170;
SELECT attribute, records, drawn, waiting, widows FROM sdc_rankswap('staff', 10, '{wage,rate,since}', 'public', keep => '{name,region}', continued => true, seed => 'b') WHERE action = 'protected';
SELECT count(*) AS stayers FROM public AS p JOIN before AS b USING (id) WHERE p.rate IS DISTINCT FROM b.rate AND p.since IS DISTINCT FROM b.since;
SELECT count(*) AS others FROM (SELECT rate FROM public WHERE id > 600 EXCEPT ALL SELECT rate FROM staff WHERE id > 600) AS d;
SELECT kind, attribute, records FROM sdc_pending('public') WHERE records > 0;

-- a hundred nights: after each what holds, and the release by its own state again
CREATE FUNCTION hold(m int) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	state jsonb := (SELECT jsonb_object_agg(kind || coalesce(attribute, ''), records) FROM sdc_pending('continued.public'));
	c text;
	differs bigint;
BEGIN
	-- members are those of the source but for who waits
	IF (SELECT count(*) FROM staff) <> (SELECT count(*) FROM public) + (state ->> 'newcomers')::bigint
		OR EXISTS (SELECT FROM public AS p WHERE NOT EXISTS (SELECT FROM staff AS s WHERE s.id = p.id)) THEN
		RETURN 'members';
	END IF;
	FOREACH c IN ARRAY '{wage,rate,since}'::text[] LOOP
		-- without widows and cells that wait the column has the values of its members, but for changes that wait
		IF (state ->> ('widows' || c))::bigint + (state ->> ('pending' || c))::bigint + (state ->> 'changed')::bigint = 0 THEN
			EXECUTE format('SELECT count(*) FROM (SELECT s.%1$I FROM staff AS s JOIN public USING (id) EXCEPT ALL SELECT %1$I FROM public) AS d', c) INTO differs;
			IF differs > 0 THEN RETURN 'multiset of ' || c; END IF;
		END IF;
		IF (state ->> ('widows' || c))::bigint >= 2 * m THEN RETURN 'widows of ' || c; END IF;
	END LOOP;
	RETURN NULL;
END $$;
CREATE FUNCTION nights(first int, last int, steps text, m int, strata name[] DEFAULT NULL) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	found text;
	moved bigint;
BEGIN
	FOR n IN first .. last LOOP
		DROP TABLE IF EXISTS pg_temp.yesterday;
		CREATE TEMP TABLE yesterday AS TABLE public;
		DELETE FROM staff WHERE abs(hashint8(id * 1000::bigint + n)) % 60 = 0;
		PERFORM hire(10000 * n, 10000 * n + abs(hashint4(n)) % 25);
		UPDATE staff SET wage = CASE WHEN id % 5 <> 0 THEN wage + 3 END, since = since + 1 WHERE abs(hashint8(id * 77::bigint + n)) % 90 = 0;
		PERFORM night(steps, strata, 'night ' || n);
		found := hold(m);
		IF found IS NOT NULL THEN RETURN format('night %s: %s', n, found); END IF;
		-- the same again
		DROP TABLE IF EXISTS pg_temp.today;
		CREATE TEMP TABLE today AS TABLE public;
		PERFORM night(steps, strata, 'other');
		IF EXISTS (TABLE public EXCEPT ALL TABLE pg_temp.today) THEN RETURN format('night %s is not the same again', n); END IF;
	END LOOP;
	RETURN 'all hold';
END $$;
SET client_min_messages = error;
DROP TABLE public;
SELECT night('[{"method": "rankswap", "columns": ["wage", "rate", "since"], "p": 10, "continued": true, "min_changes": 20, "min_departures": 20}]');
SELECT nights(1, 40, '[{"method": "rankswap", "columns": ["wage", "rate", "since"], "p": 10, "continued": true, "min_changes": 20, "min_departures": 20}]', 20);
-- strata, and every method of its own column
DROP TABLE public;
SELECT night('[{"method": "rankswap_distribution", "columns": ["wage"], "p": 20, "continued": true, "min_changes": 10, "min_departures": 10}, {"method": "rankswap_buckets", "columns": ["rate"], "buckets": 5, "continued": true, "min_changes": 10, "min_departures": 10}, {"method": "rankswap", "columns": ["since"], "p": 20, "continued": true, "min_changes": 10, "min_departures": 10}]', '{region}');
SELECT nights(41, 70, '[{"method": "rankswap_distribution", "columns": ["wage"], "p": 20, "continued": true, "min_changes": 10, "min_departures": 10}, {"method": "rankswap_buckets", "columns": ["rate"], "buckets": 5, "continued": true, "min_changes": 10, "min_departures": 10}, {"method": "rankswap", "columns": ["since"], "p": 20, "continued": true, "min_changes": 10, "min_departures": 10}]', 20, '{region}');
-- no stratum has another's values: tells the region of every value of who stays, but for those who came with the change of theirs
SELECT count(*) FROM public AS p WHERE NOT EXISTS (SELECT FROM staff AS s WHERE s.region = p.region AND s.rate = p.rate) AND NOT EXISTS (SELECT FROM sdc_pending('public') AS w WHERE w.attribute = 'rate' AND w.records > 0);

--
-- What cannot be continued
--
SET client_min_messages = warning;
DROP TABLE public;
SELECT night('[{"method": "rankswap", "columns": ["wage", "rate"], "p": 10, "continued": true}]');
CREATE TABLE was AS TABLE public;
CREATE TABLE other AS TABLE staff;
ALTER TABLE other ADD PRIMARY KEY (id);
CREATE TABLE keyless AS TABLE staff;
SELECT helper.catch(s) FROM unnest(ARRAY[
	-- another method, parameter, column, key, source
	$$SELECT FROM sdc_rankswap_distribution('staff', 10, '{wage,rate}', 'public', keep => '{name,region,since}', continued => true)$$,
	$$SELECT FROM sdc_rankswap('staff', 11, '{wage,rate}', 'public', keep => '{name,region,since}', continued => true)$$,
	$$SELECT FROM sdc_rankswap('staff', 10, '{wage,since}', 'public', keep => '{name,region,rate}', continued => true)$$,
	$$SELECT FROM sdc_rankswap('staff', 10, '{wage}', 'public', keep => '{name,region,rate,since}', continued => true)$$,
	$$SELECT FROM sdc_rankswap('staff', 10, '{wage,rate,since}', 'public', keep => '{name,region}', continued => true)$$,
	$$SELECT FROM sdc_rankswap('staff', 10, '{wage,rate}', 'public', key => '{name}', keep => '{id,region,since}', continued => true)$$,
	$$SELECT FROM sdc_rankswap('other', 10, '{wage,rate}', 'public', keep => '{name,region,since}', continued => true)$$,
	-- sizes
	$$SELECT FROM sdc_rankswap('staff', 10, '{wage,rate}', 'public', keep => '{name,region,since}', continued => true, min_changes => 0)$$,
	$$SELECT FROM sdc_rankswap('staff', 10, '{wage,rate}', 'public', keep => '{name,region,since}', continued => true, min_changes => -1)$$,
	$$SELECT FROM sdc_rankswap('staff', 10, '{wage,rate}', 'public', keep => '{name,region,since}', continued => true, min_changes => 1000000)$$,
	$$SELECT FROM sdc_rankswap('staff', 10, '{wage,rate}', 'public', keep => '{name,region,since}', continued => true, min_departures => 1000000)$$,
	$$SELECT FROM sdc_rankswap('staff', 10, '{wage,rate}', 'public', keep => '{name,region,since}', continued => true, erase_within => '-1 day')$$,
	$$SELECT FROM sdc_rankswap('staff', 10, '{wage,rate}', 'public', keep => '{name,region,since}', continued => NULL)$$,
	$$SELECT FROM sdc_rankswap('staff', 10, '{wage,rate}', 'public', keep => '{name,region,since}', min_changes => 10)$$,
	$$SELECT FROM sdc_rankswap('staff', 10, '{wage,rate}', 'public', keep => '{name,region,since}', erase_within => '1 day')$$,
	-- steps
	$$SELECT FROM sdc_protect('staff', '[{"method": "rankswap", "columns": ["wage"], "p": 10, "continued": true}, {"method": "rankswap", "columns": ["rate"], "p": 10}]', 'public', keep => '{name,region,since}')$$,
	$$SELECT FROM sdc_protect('staff', '[{"method": "rankswap", "columns": ["wage"], "p": 10, "continued": 1}]', 'public', keep => '{name,region,since,rate}')$$,
	$$SELECT FROM sdc_protect('staff', '[{"method": "rankswap", "columns": ["wage"], "p": 10, "continued": true, "erase_within": "soon"}]', 'public', keep => '{name,region,since,rate}')$$,
	$$SELECT FROM sdc_protect('staff', '[{"method": "equidepth_swap", "columns": ["wage"], "depth": 10, "continued": true}]', 'public', keep => '{name,region,since,rate}')$$,
	-- no key
	$$SELECT FROM sdc_rankswap('keyless', 10, '{wage,rate}', keep => '{name,region,since,id}', continued => true)$$]) AS s;
SELECT count(*) FROM (TABLE was EXCEPT ALL TABLE public) AS d;
-- a release that is not what its state says: a value, a record less, one more
BEGIN;
UPDATE public SET rate = rate + 1 WHERE id = (SELECT max(id) FROM public);
SELECT helper.catch($$SELECT FROM sdc_rankswap('staff', 10, '{wage,rate}', 'public', keep => '{name,region,since}', continued => true)$$);
ROLLBACK;
BEGIN;
DELETE FROM public WHERE id = (SELECT max(id) FROM public);
SELECT helper.catch($$SELECT FROM sdc_rankswap('staff', 10, '{wage,rate}', 'public', keep => '{name,region,since}', continued => true)$$);
ROLLBACK;
BEGIN;
UPDATE public SET id = -1 WHERE id = (SELECT max(id) FROM public);
SELECT helper.catch($$SELECT FROM sdc_rankswap('staff', 10, '{wage,rate}', 'public', keep => '{name,region,since}', continued => true)$$);
ROLLBACK;
-- made without a state, and one that was forgotten
SELECT count(*) FROM sdc_rankswap('staff', 10, '{wage}', 'plain', keep => '{name,region,since,rate}');
SELECT helper.catch($$SELECT FROM sdc_rankswap('staff', 10, '{wage}', 'plain', keep => '{name,region,since,rate}', continued => true)$$), helper.catch($$SELECT FROM sdc_pending('plain')$$),
	helper.catch($$SELECT FROM sdc_pending('staff')$$), helper.catch($$SELECT FROM sdc_pending(NULL)$$);
BEGIN;
SELECT sdc_forget('public');
SELECT helper.catch($$SELECT FROM sdc_rankswap('staff', 10, '{wage,rate}', 'public', keep => '{name,region,since}', continued => true)$$);
ROLLBACK;
-- drawn anew it has none
BEGIN;
SELECT count(*) FROM sdc_rankswap('staff', 10, '{wage,rate}', 'public', keep => '{name,region,since}', replace => true);
SELECT helper.catch($$SELECT FROM sdc_pending('public')$$);
ROLLBACK;

-- columns that are renamed, of the key and others, go on; a type that changes does not
ALTER TABLE staff RENAME id TO number;
ALTER TABLE staff RENAME rate TO hourly;
SELECT attribute, kept, drawn FROM sdc_rankswap('staff', 10, '{wage,hourly}', 'public', keep => '{name,region,since}', continued => true) WHERE action = 'protected';
SELECT count(*) FROM (SELECT id, wage, rate FROM was EXCEPT ALL SELECT number, wage, hourly FROM public) AS d;
SELECT attname FROM pg_attribute WHERE attrelid = 'public'::regclass AND attnum > 0 ORDER BY attnum;
ALTER TABLE staff ALTER hourly TYPE float8;
SELECT helper.catch($$SELECT FROM sdc_rankswap('staff', 10, '{wage,hourly}', 'public', keep => '{name,region,since}', continued => true)$$);
ALTER TABLE staff ALTER hourly TYPE numeric(8,2), DROP name, ADD name text;
SELECT attribute, kept, drawn FROM sdc_rankswap('staff', 10, '{wage,hourly}', 'public', keep => '{name,region,since}', continued => true) WHERE action = 'protected';

-- a key that is equal and written in another way: the release stays as it was, and goes on
CREATE TABLE coded (id numeric PRIMARY KEY, v int);
INSERT INTO coded SELECT i, i * 7 % 101 FROM generate_series(1, 100) AS i;
SELECT count(*) FROM sdc_rankswap('coded', 10, continued => true, seed => 'a');
UPDATE coded SET id = id * 1.00;
SELECT kept FROM sdc_rankswap('coded', 10, continued => true) WHERE action = 'protected';
SELECT kept FROM sdc_rankswap('coded', 10, continued => true) WHERE action = 'protected';
DELETE FROM coded WHERE id = 1;
SELECT kept FROM sdc_rankswap('coded', 10, continued => true) WHERE action = 'protected';
SELECT min(id) FROM coded_rankswap;
-- another collation of the key, by which the records would be in another order: it is that of before, or nothing
CREATE COLLATION folded (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
CREATE TABLE lettered (id text PRIMARY KEY, v int);
INSERT INTO lettered SELECT chr(CASE WHEN i % 2 = 0 THEN 65 ELSE 97 END + i % 26) || i, i * 7 % 101 FROM generate_series(1, 100) AS i;
SELECT count(*) FROM sdc_rankswap('lettered', 10, continued => true, seed => 'a');
ALTER TABLE lettered ALTER id TYPE text COLLATE folded;
SELECT helper.catch($$SELECT FROM sdc_rankswap('continued.lettered', 10, continued => true)$$);
ALTER TABLE lettered ALTER id TYPE text COLLATE "POSIX";
SELECT kept FROM sdc_rankswap('lettered', 10, continued => true) WHERE action = 'protected';

-- values of who is gone: they stay until a lot of widows is full, or for so long
DELETE FROM staff WHERE number = (SELECT min(p.number) FROM public AS p);
SELECT attribute, kept, drawn, widows FROM sdc_rankswap('staff', 10, '{wage,hourly}', 'public', keep => '{name,region,since}', continued => true, erase_within => '1 day') WHERE action = 'protected';
SET client_min_messages = notice;
SELECT attribute, widows FROM sdc_rankswap('staff', 10, '{wage,hourly}', 'public', keep => '{name,region,since}', continued => true, erase_within => '0') WHERE action = 'protected';
SELECT count(*) FROM (SELECT s.hourly FROM staff AS s JOIN public USING (number) EXCEPT ALL SELECT hourly FROM public) AS d;

--
-- Warnings
--
SELECT count(*) FROM sdc_rankswap('staff', 10, '{wage}', 'small', keep => '{name,region,since,hourly}', continued => true, min_changes => 1);
-- the window of so small a percentage is one rank, and no table has the records that would hide somebody then
SELECT count(*) FROM sdc_rankswap('staff', 1e-300, '{wage}', 'tiny', keep => '{name,region,since,hourly}', continued => true);
DROP TABLE tiny;
-- what waits for more than thirty nights, however short they are: they are counted from the one that finds it, and nobody else
CREATE TABLE patient AS SELECT i AS id, i AS v, i % 5 AS w FROM generate_series(1, 100) AS i;
ALTER TABLE patient ADD PRIMARY KEY (id);
CREATE FUNCTION patient_night() RETURNS bigint LANGUAGE sql AS $$ SELECT count(*) FROM sdc_rankswap('continued.patient', 10, '{v}', 'continued.calm', keep => '{w}', continued => true) $$;
SELECT patient_night();
INSERT INTO patient VALUES (101, 101, 1), (102, 102, 2);
SELECT count(patient_night()) FROM generate_series(0, 9);
-- ten nights later one changes; and one goes on the last night
UPDATE patient SET v = 0 WHERE id = 50;
SELECT count(patient_night()) FROM generate_series(10, 29);
DELETE FROM patient WHERE id = 1;
SELECT 'night 30' AS since_they_came, patient_night();
SELECT 'night 31' AS since_they_came, patient_night();
SELECT count(patient_night()) FROM generate_series(32, 40) WHERE set_config('client_min_messages', 'warning', true) IS NOT NULL;
SELECT 'night 41' AS since_they_came, patient_night();
-- who comes when nobody waits any more waits anew
DELETE FROM patient WHERE id > 100;
UPDATE patient SET v = 50 WHERE id = 50;
SELECT patient_night();
INSERT INTO patient VALUES (103, 103, 1);
SELECT patient_night();
SELECT patient_night();
-- a table with fewer records than a lot should have: as long as it is so, of the steps of which it is so
CREATE TABLE few AS SELECT i AS id, i AS v, i AS w FROM generate_series(1, 30) AS i;
ALTER TABLE few ADD PRIMARY KEY (id);
SELECT count(*) FROM sdc_rankswap('few', 10, '{v}', 'few_swapped', keep => '{w}', continued => true);
INSERT INTO few SELECT i, i, i FROM generate_series(31, 49) AS i;
SELECT count(*) FROM sdc_rankswap('few', 10, '{v}', 'few_swapped', keep => '{w}', continued => true);
INSERT INTO few VALUES (50, 50, 50);
SELECT count(*) FROM sdc_rankswap('few', 10, '{v}', 'few_swapped', keep => '{w}', continued => true);
SELECT count(*) FROM sdc_protect('few', '[{"method": "rankswap", "columns": ["v"], "p": 10, "continued": true}, {"method": "rankswap_buckets", "columns": ["w"], "buckets": 20, "continued": true}]', 'few_steps');
SELECT count(*) FROM sdc_rankswap('staff', 10, '{wage}', 'anew', keep => '{name,region,since,hourly}');
-- drawn again; few are new; from a seed, and from another one
SELECT count(*) FROM sdc_rankswap('staff', 10, '{wage}', 'anew', keep => '{name,region,since,hourly}', replace => true);
INSERT INTO staff SELECT 5000000 + i, 'r1', i, i, '2001-01-01', 'new' FROM generate_series(1, 3) AS i;
SELECT count(*) FROM sdc_rankswap('staff', 10, '{wage}', 'anew', keep => '{name,region,since,hourly}', replace => true, seed => 's');
SELECT count(*) FROM sdc_rankswap('staff', 10, '{wage}', 'anew', keep => '{name,region,since,hourly}', replace => true, seed => 's');
SELECT count(*) FROM sdc_rankswap('staff', 10, '{wage}', 'anew', keep => '{name,region,since,hourly}', replace => true, seed => 't');
DELETE FROM staff WHERE number = 5000001;
SELECT count(*) FROM sdc_rankswap('staff', 10, '{wage}', 'anew', keep => '{name,region,since,hourly}', replace => true, seed => 't');
-- other people are another draw
DELETE FROM staff;
INSERT INTO staff SELECT 9000000 + i, 'r1', i, i, '2001-01-01', 'new' FROM generate_series(1, 300) AS i;
SELECT count(*) FROM sdc_rankswap('staff', 10, '{wage}', 'anew', keep => '{name,region,since,hourly}', replace => true);
SELECT count(*) FROM sdc_permute('staff', '{wage}', '{region}', 1, target => 'grouped', omit => '{hourly,since,name}', force => true);
SELECT count(*) FROM sdc_permute('staff', '{wage}', '{region}', 1, target => 'grouped', omit => '{hourly,since,name}', force => true, replace => true);

-- half of the records are gone, then most of them: perhaps the source was not loaded as a whole
CREATE TABLE halved AS SELECT i AS id, i AS v FROM generate_series(1, 120) AS i;
ALTER TABLE halved ADD PRIMARY KEY (id);
SELECT count(*) FROM sdc_randomize('halved', '{v}', target => 'halved_drawn', continued => true);
DELETE FROM halved WHERE id > 60;
SELECT count(*) FROM sdc_randomize('halved', '{v}', target => 'halved_drawn', continued => true);
DELETE FROM halved WHERE id > 29;
SELECT count(*) FROM sdc_randomize('halved', '{v}', target => 'halved_drawn', continued => true);
-- a recoding draws nothing
INSERT INTO halved SELECT i, i FROM generate_series(30, 120) AS i;
SELECT count(*) FROM sdc_recode('halved', '{"v": {"width": 10}}', target => 'halved_recoded', continued => true);
DELETE FROM halved WHERE id > 29;
SELECT count(*) FROM sdc_recode('halved', '{"v": {"width": 10}}', target => 'halved_recoded', continued => true);

-- a step that is drawn anew beside one that is continued: what changes in its column alone is released, too
SELECT count(*) FROM sdc_protect('staff', '[{"method": "rankswap", "columns": ["wage"], "p": 10, "continued": true}, {"method": "equidepth_swap", "columns": ["hourly"], "depth": 10}]', 'beside', keep => '{name,region,since}');
UPDATE staff SET hourly = hourly + 1000;
SELECT count(*) FROM sdc_protect('staff', '[{"method": "rankswap", "columns": ["wage"], "p": 10, "continued": true}, {"method": "equidepth_swap", "columns": ["hourly"], "depth": 10}]', 'beside', keep => '{name,region,since}');
SELECT count(*) FROM (SELECT hourly FROM staff EXCEPT ALL SELECT hourly FROM beside) AS d;

-- what a release that is continued has lost is told of it, and not of its source
BEGIN;
DELETE FROM few_swapped WHERE id = 3;
SELECT count(*) FROM sdc_people_found('few_swapped');
ROLLBACK;
DELETE FROM few WHERE id = 3;
SELECT count(*) FROM sdc_people_found('few_swapped');

-- a source that was dropped and loaded anew has the same people
CREATE TABLE load AS SELECT i AS id, i * 7919 % 101 AS v FROM generate_series(1, 300) AS i;
ALTER TABLE load ADD PRIMARY KEY (id);
SELECT count(*) FROM sdc_rankswap('load', 10, '{v}', 'loaded');
DROP TABLE load;
CREATE TABLE load AS SELECT i AS id, i * 7919 % 101 AS v FROM generate_series(1, 300) AS i;
ALTER TABLE load ADD PRIMARY KEY (id);
SELECT count(*) FROM sdc_rankswap('load', 10, '{v}', 'loaded', replace => true);

-- how many cells lose their partner before they get another one, with nothing said: a third of the records where these are few, else
-- the cube root of 250 n^2 / p
CREATE TABLE leaver (id int PRIMARY KEY, v int);
CREATE FUNCTION leave(size int, share float8, OUT lots bigint, OUT early bigint, OUT late bigint) LANGUAGE plpgsql AS $$
DECLARE
	n int; least int; night record;
BEGIN
	TRUNCATE leaver; INSERT INTO leaver SELECT i, hashint4(i) FROM generate_series(1, size) AS i;
	SELECT 0, 0, 0 INTO lots, early, late;
	PERFORM FROM sdc_rankswap('leaver', 20, '{v}', 'left_over', seed => 1, replace => to_regclass('left_over') IS NOT NULL, continued => true);
	FOR t IN 1 .. 24 LOOP
		DELETE FROM leaver WHERE id <= t * share * size;
		SELECT count(*) INTO n FROM leaver;
		least := ceil(least(n / 3.0, cbrt(250 * n::float8 ^ 2 / 20)));
		SELECT drawn, widows INTO night FROM sdc_rankswap('leaver', 20, '{v}', 'left_over', seed => 1, continued => true) WHERE attribute = 'v';
		lots := lots + (night.drawn > 0)::int; early := early + (night.drawn BETWEEN 1 AND least - 1)::int; late := late + (night.widows >= least)::int;
	END LOOP;
	DROP TABLE left_over;
END $$;
SET client_min_messages = warning;
SELECT * FROM leave(300, 0.025);
SET client_min_messages = error;
SELECT * FROM leave(4000, 0.02);

DROP SCHEMA continued CASCADE;
