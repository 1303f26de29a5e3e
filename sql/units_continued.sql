-- Releases of records of units that are continued: the table of units goes on as a table does.
\pset format unaligned
\pset footer off
SET client_min_messages = error;
SET check_function_bodies = off;
CREATE SCHEMA units_continued;
SET search_path = units_continued, public;

-- homes of one to seven people, who come, go and change, by a seed; every home has one region, rent and wealth
CREATE TABLE people (home int, no int, region int, rent int, wealth numeric(8,2), income int, note text, PRIMARY KEY (home, no));
CREATE FUNCTION word(a int, b int, c int) RETURNS int LANGUAGE sql IMMUTABLE
RETURN ('x' || substr(md5(format('%s %s %s', a, b, c)), 1, 7))::bit(28)::int;
CREATE FUNCTION move_in(night int, homes int[]) RETURNS void LANGUAGE sql AS $$
	INSERT INTO people SELECT h, n, word(h, night, 1) % 2, CASE WHEN word(h, night, 2) % 9 > 0 THEN word(h, night, 3) % 300 END,
		word(h, night, 4) % 5000 / 10.0, word(h * 10 + n, night, 5) % 2000, 'n' || n % 3
	FROM unnest(homes) AS h, generate_series(1, 1 + least(word(h, night, 6) % 5, word(h, night, 7) % 7)) AS n $$;
CREATE FUNCTION live(night int) RETURNS void LANGUAGE sql AS $$
	DELETE FROM people WHERE word(home, night, 11) % 25 = 0;
	-- some leave, one of each home stays; some come
	DELETE FROM people AS p WHERE word(home * 10 + no, night, 12) % 12 = 0
		AND EXISTS (SELECT FROM people AS o WHERE o.home = p.home AND o.no < p.no AND word(o.home * 10 + o.no, night, 12) % 12 > 0);
	INSERT INTO people SELECT home, max(no) + 1, min(region), min(rent), min(wealth), word(home, night, 13) % 2000, 'n0' FROM people
	WHERE word(home, night, 14) % 6 = 0 GROUP BY home;
	UPDATE people SET rent = CASE WHEN word(home, night, 15) % 8 > 0 THEN word(home, night, 16) % 300 END WHERE word(home, night, 17) % 20 = 0;
	UPDATE people SET income = word(home * 10 + no, night, 18) % 2000 WHERE word(home * 10 + no, night, 19) % 15 = 0;
	UPDATE people SET region = 1 - region WHERE word(home, night, 20) % 50 = 0;
	SELECT move_in(night, ARRAY(SELECT 1000 * night + i FROM generate_series(1, word(1, night, 21) % 15) AS i)) $$;

-- the table of homes, with the class that each is in: that in which it has joined, or would
CREATE TABLE homes (home int PRIMARY KEY, region int, class int, rent int, wealth numeric(8,2));
CREATE TABLE joined (home int PRIMARY KEY, low int);
-- by definition: sizes from the largest down, until a class has enough homes; a remainder joins the class before
CREATE FUNCTION fresh(wanted int, most int) RETURNS TABLE (size int, low int) LANGUAGE plpgsql AS $$
DECLARE
	sizes int[] := '{}';
	classes int[] := '{}';
	homes int := 0;
	s record;
BEGIN
	FOR s IN SELECT c.size, count(*) AS homes FROM (SELECT count(*)::int AS size FROM people WHERE region = wanted GROUP BY home) AS c GROUP BY 1 ORDER BY 1 DESC LOOP
		sizes := sizes || s.size;
		homes := homes + s.homes;
		IF homes >= most THEN
			classes := classes || s.size;
			homes := 0;
		END IF;
	END LOOP;
	IF homes > 0 THEN
		classes := trim_array(classes, least(1, cardinality(classes))) || sizes[cardinality(sizes)];
	END IF;
	RETURN QUERY SELECT u, (SELECT max(c) FROM unnest(classes) AS c WHERE c <= u) FROM unnest(sizes) AS u;
END $$;
CREATE FUNCTION settle(most int) RETURNS void LANGUAGE sql AS $$
	DELETE FROM joined WHERE home NOT IN (SELECT home FROM people);
	TRUNCATE homes;
	WITH now AS (SELECT home, min(region) AS region, count(*)::int AS size, min(rent) AS rent, min(wealth) AS wealth FROM people GROUP BY home),
	known AS (SELECT DISTINCT region, low FROM joined JOIN now USING (home))
	INSERT INTO homes SELECT home, region, -coalesce((SELECT j.low FROM joined AS j WHERE j.home = n.home),
		(SELECT max(k.low) FROM known AS k WHERE k.region = n.region AND k.low <= n.size), (SELECT min(k.low) FROM known AS k WHERE k.region = n.region),
		(SELECT f.low FROM fresh(n.region, most) AS f WHERE f.size = n.size)), rent, wealth
	FROM now AS n $$;
CREATE FUNCTION call(what text, own text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('SELECT count(*) FROM %s(%s, seed => ''a'', continued => true)', what, own);
END $$;
-- what differs between the release by homes and that of their table, and which rows there are
CREATE FUNCTION differ() RETURNS bigint LANGUAGE sql AS $$
	SELECT (SELECT count(*) FROM (SELECT DISTINCT home, rent, wealth FROM public EXCEPT ALL SELECT home, rent, wealth FROM twin) AS d)
		+ (SELECT count(*) FROM (SELECT home, rent, wealth FROM twin EXCEPT ALL SELECT DISTINCT home, rent, wealth FROM public) AS d)
$$;
CREATE FUNCTION rows_differ() RETURNS bigint LANGUAGE sql AS $$
	SELECT (SELECT count(*) FROM (SELECT home, no, note FROM public EXCEPT ALL SELECT home, no, note FROM people WHERE home IN (SELECT home FROM twin)) AS d)
		+ (SELECT count(*) FROM people WHERE home IN (SELECT home FROM twin)) - (SELECT count(*) FROM public)
$$;
-- the rows of a night by definition, where rows wait for those of m homes of their region
CREATE TABLE was (home int, no int, PRIMARY KEY (home, no));
CREATE FUNCTION rows_wrong(m int) RETURNS bigint LANGUAGE sql AS $$
	WITH shown AS (SELECT p.*, w.no IS NOT NULL AS stays FROM people AS p LEFT JOIN was AS w USING (home, no) WHERE home IN (SELECT home FROM twin)),
	lots AS (SELECT region FROM shown WHERE NOT stays GROUP BY region HAVING count(DISTINCT home) >= m),
	expected AS (SELECT home, no FROM shown WHERE stays OR region IN (TABLE lots))
	SELECT (SELECT count(*) FROM (TABLE expected EXCEPT SELECT home, no FROM public) AS d) + (SELECT count(*) FROM (SELECT home, no FROM public EXCEPT TABLE expected) AS d)
$$;

-- twenty nights: the same as continuing the table of homes, with the same seed, every night
CREATE PROCEDURE compare(what text, own text, size text, most int, row_columns text, m int) LANGUAGE plpgsql AS $$
DECLARE
	units text := format($q$'units_continued.people', %s, columns => '{rent,wealth%s}', keep => '{note%s}', target => 'units_continued.public', unit => '{home}', unit_size => '%s', strata => '{region}'$q$,
		own, row_columns, CASE WHEN row_columns = '' THEN ',income' ELSE '' END, size);
	table_of text := format($q$'units_continued.homes', %s, columns => '{rent,wealth}', keep => '{%s}', target => 'units_continued.twin', strata => '{region%s}'$q$,
		own, CASE WHEN size = 'any' THEN 'class' ELSE '' END, CASE WHEN size = 'equal' THEN ',class' ELSE '' END);
	wrong bigint;
	shown bigint := 0;
	waited bigint := 0;
	classes bigint;
BEGIN
	TRUNCATE people, joined, was;
	DROP TABLE IF EXISTS public, twin;
	PERFORM move_in(0, ARRAY(SELECT generate_series(1, 300)));
	IF what = 'sdc_randomize' THEN
		units := replace(units, 'columns =>', 'qi =>');
		table_of := replace(table_of, 'columns =>', 'qi =>');
	END IF;
	FOR n IN 1 .. 12 LOOP
		IF n > 1 THEN PERFORM live(n); END IF;
		PERFORM settle(most);
		PERFORM call(what, units), call(what, table_of);
		wrong := differ();
		IF row_columns = '' THEN wrong := wrong + rows_differ();
		ELSIF n > 1 THEN wrong := wrong + rows_wrong(m);
		END IF;
		IF wrong > 0 THEN
			RAISE INFO 'night %: % differ', n, wrong;
			RETURN;
		END IF;
		DELETE FROM was;
		INSERT INTO was SELECT home, no FROM public;
		DELETE FROM joined WHERE home NOT IN (SELECT home FROM twin);
		INSERT INTO joined SELECT home, -class FROM homes WHERE home IN (SELECT home FROM twin) ON CONFLICT DO NOTHING;
		waited := waited + (SELECT count(*) FROM people WHERE (home, no) NOT IN (SELECT home, no FROM public));
		shown := (SELECT count(*) FROM twin);
	END LOOP;
	classes := (SELECT count(DISTINCT (region, class)) FROM homes);
	RAISE INFO '% %: % homes are shown at last, in % classes, rows have waited: %', what, size, shown, CASE WHEN size = 'equal' THEN classes ELSE 2 END, waited > 0;
END $$;
CALL compare('sdc_rankswap', 'p => 4, min_changes => 4, min_departures => 6', 'equal', 25, '', 4);
-- attacks know of every home the class in which it has joined, as of a stratum: who knows no size finds what the table of homes tells
SELECT attack, u.found > 0 AS found, round(u.found::numeric, 9) = round(t.found::numeric, 9) AS found_equal, u.certain = t.certain AS certain_equal
FROM sdc_people_found('public', known => '{rent,wealth}', known_rows => 1) AS u JOIN sdc_people_found('twin', known => '{rent,wealth}') AS t USING (attack)
WHERE attack IN ('candidates', 'nearest', 'narrow') ORDER BY attack;
SELECT count(*) > 0 AS left_their_class FROM homes JOIN (SELECT home, count(*) AS size FROM people GROUP BY home) AS s USING (home) JOIN joined USING (home) WHERE size < low;
-- and so does an evaluation, which has read the release already
SELECT round(e.people_found::numeric, 9) = (SELECT round(100.0 * found::numeric / units, 9) FROM sdc_people_found('public') CROSS JOIN (SELECT count(DISTINCT home) AS units FROM public) AS n WHERE attack = 'any') AS evaluated
FROM sdc_evaluate('public') AS e;
-- without the state the classes are those of the sizes as they are
BEGIN;
SELECT sdc_forget('public');
SELECT attack, round(u.found::numeric, 9) = round(t.found::numeric, 9) AS equal FROM sdc_people_found('public', known => '{rent,wealth}', known_rows => 1) AS u JOIN sdc_people_found('twin', known => '{rent,wealth}') AS t USING (attack) WHERE attack = 'candidates';
ROLLBACK;
CALL compare('sdc_rankswap', 'p => 10, min_changes => 4, min_departures => 6', 'any', 10, '', 4);
CALL compare('sdc_rankswap', 'p => 20', 'any', 5, '', 25);
CALL compare('sdc_rankswap_distribution', $$p => 10, min_changes => 3, erase_within => '0 seconds'$$, 'equal', 10, '', 3);
CALL compare('sdc_rankswap_buckets', 'buckets => 12, min_changes => 3', 'equal', 12, '', 3);
CALL compare('sdc_randomize', 'draws => 1', 'equal', 2, '', 1);
-- with a column of rows besides these columns are the same, and rows wait for rows of as many homes
CALL compare('sdc_rankswap', 'p => 4, min_changes => 4, min_departures => 6', 'equal', 25, ',income', 4);
CALL compare('sdc_rankswap_distribution', 'p => 10, min_changes => 12', 'any', 10, ',income', 12);

-- the first night is the method itself
CREATE FUNCTION made(own text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	found bigint;
BEGIN
	DROP TABLE IF EXISTS one, other;
	EXECUTE format('SELECT count(*) FROM sdc_rankswap(''people'', 10, ''{rent,wealth,income}'', ''one'', keep => ''{note}'', strata => ''{region}'', unit => ''{home}'', unit_rows => ''each'', seed => 1%s)', own);
	EXECUTE format('SELECT count(*) FROM sdc_rankswap(''people'', 10, ''{rent,wealth,income}'', ''other'', keep => ''{note}'', strata => ''{region}'', unit => ''{home}'', seed => 1, continued => true%s)', own);
	SELECT count(*) INTO found FROM (TABLE one EXCEPT ALL TABLE other) AS d;
	RETURN found;
END $$;
SELECT made('') AS equal, made($$, unit_size => 'any'$$) AS any;
SELECT jsonb_path_query_array(parameters, '$.keyvalue() ? (@.key like_regex "unit|continued").value') AS parameters, unit, units = (SELECT count(DISTINCT home) FROM people) AS units
FROM sdc_releases WHERE release = 'other'::regclass;

-- a home of each row: the same as without homes, every night
CREATE TABLE alone (id int PRIMARY KEY, x int, y int);
CREATE PROCEDURE compare_alone() LANGUAGE plpgsql AS $$
DECLARE
	wrong bigint;
BEGIN
	INSERT INTO alone SELECT i, word(i, 0, 1) % 300, word(i, 0, 2) % 20 FROM generate_series(1, 300) AS i;
	FOR n IN 1 .. 12 LOOP
		DELETE FROM alone WHERE word(id, n, 3) % 20 = 0;
		UPDATE alone SET x = word(id, n, 4) % 300 WHERE word(id, n, 5) % 20 = 0;
		INSERT INTO alone SELECT 1000 * n + i, word(i, n, 1) % 300, word(i, n, 2) % 20 FROM generate_series(1, word(0, n, 6) % 30) AS i;
		PERFORM sdc_rankswap('alone', 10, '{x,y}', 'by_rows', seed => 'b', continued => true, min_changes => 8);
		PERFORM sdc_rankswap('alone', 10, '{x,y}', 'by_homes', unit => '{id}', seed => 'b', continued => true, min_changes => 8);
		SELECT count(*) INTO wrong FROM ((TABLE by_rows EXCEPT ALL TABLE by_homes) UNION ALL (TABLE by_homes EXCEPT ALL TABLE by_rows)) AS d;
		IF wrong > 0 THEN
			RAISE INFO 'night %: % differ', n, wrong;
		END IF;
	END LOOP;
END $$;
CALL compare_alone();
SELECT count(*) > 100 AS some FROM by_rows;

-- what waits: who is new in a home that stays, a home that is new, a rent and an income that change
TRUNCATE people;
SELECT move_in(0, ARRAY(SELECT generate_series(1, 100)));
DROP TABLE public;
CREATE FUNCTION night(own text DEFAULT '', OUT attribute name, OUT level text, OUT units bigint, OUT records bigint, OUT kept bigint, OUT drawn bigint, OUT waiting bigint, OUT widows bigint)
RETURNS SETOF record LANGUAGE plpgsql AS $$
BEGIN
	RETURN QUERY EXECUTE format('SELECT attribute, level, units, records, kept, drawn, waiting, widows FROM sdc_rankswap(''people'', 10, ''{rent,income}'', ''public'', keep => ''{note,region,wealth}'',
		unit => ''{home}'', unit_size => ''any'', seed => ''c'', continued => true, min_changes => 3, min_departures => 5%s) WHERE action = ''protected''', own);
END $$;
SELECT units = 100 AS all_homes, records = (SELECT count(*) FROM people) AS all_rows FROM night() LIMIT 1;
INSERT INTO people SELECT home, 20, region, rent, wealth, 7, note FROM people WHERE home IN (5, 6) AND no = 1;
INSERT INTO people SELECT 200, i, 0, 55, 1, i, 'new' FROM generate_series(1, 9) AS i;
UPDATE people SET rent = 299 WHERE home IN (10, 11);
UPDATE people SET income = 1 WHERE home = 12;
CREATE TABLE before AS TABLE public;
SELECT attribute, waiting, drawn FROM night();
SELECT count(*) AS same FROM (TABLE public EXCEPT ALL TABLE before) AS d;
SELECT kind, attribute, records, since IS NOT NULL AS since FROM sdc_pending('public');
-- nine rows of one home are no lot; with those of two others they are: they have the rent that their homes have
INSERT INTO people SELECT home, 21, region, rent, wealth, 8, note FROM people WHERE home IN (7) AND no = 1;
SELECT attribute, waiting, drawn FROM night();
SELECT home, no, rent = (SELECT b.rent FROM before AS b WHERE b.home = p.home AND b.no = 1) AS rent_of_home, income IN (7, 8) AS of_lot FROM public AS p WHERE no > 19 ORDER BY home, no;
SELECT count(*) AS shown_of_200 FROM public WHERE home = 200;
-- two homes more: a lot of homes
INSERT INTO people SELECT i, 1, 0, 55 + i, 1, i, 'new' FROM generate_series(201, 202) AS i;
SELECT attribute, waiting, drawn FROM night();
SELECT home, count(*), count(DISTINCT rent) AS rents, min(rent) IN (55, 256, 257) AS of_lot FROM public WHERE home >= 200 GROUP BY home ORDER BY home;
SELECT kind, attribute, records FROM sdc_pending('public') WHERE records > 0;
-- a row that is gone leaves at once, a home with its last row
DELETE FROM people WHERE home = 20 OR (home = 200 AND no > 5);
SELECT attribute, kept, drawn, waiting, widows FROM night();
SELECT count(*) FROM public WHERE home = 20 OR (home = 200 AND no > 5);
-- a home all of whose rows are others than before is gone, and waits
DELETE FROM people WHERE home = 201;
INSERT INTO people VALUES (201, 2, 0, 256, 1, 201, 'new');
SELECT units FROM night() LIMIT 1;
SELECT count(*) FROM public WHERE home = 201;
-- a row that moves has the rent of its new home at once; one that moves to a home that waits is gone
CREATE TABLE lodgers AS SELECT row_number() OVER (ORDER BY home, no) AS id, home, rent, income FROM people WHERE home < 60;
CREATE FUNCTION night_of_lodgers() RETURNS bigint LANGUAGE sql AS $$
	SELECT count(*) FROM sdc_rankswap('units_continued.lodgers', 20, '{rent,income}', 'units_continued.rooms', key => '{id}', unit => '{home}', unit_size => 'any', continued => true, min_changes => 3, min_departures => 5) $$;
SELECT night_of_lodgers();
SELECT min(id) AS one, max(id) AS other FROM lodgers WHERE home IN (SELECT home FROM lodgers GROUP BY home HAVING count(*) > 2) \gset
CREATE TABLE rooms_before AS TABLE rooms;
UPDATE lodgers SET (home, rent) = (SELECT home, rent FROM lodgers WHERE home = 30 LIMIT 1) WHERE id = :one;
UPDATE lodgers SET home = 300, rent = 5 WHERE id = :other;
SELECT night_of_lodgers();
SELECT id = :one AS moved, home, rent IS NOT DISTINCT FROM (SELECT min(rent) FROM rooms_before AS b WHERE b.home = 30) AS rent_of_home, income IS NOT DISTINCT FROM (SELECT income FROM rooms_before AS b WHERE b.id = r.id) AS own_income
FROM rooms AS r WHERE id IN (:one, :other);
SELECT count(*) AS others FROM (SELECT * FROM rooms WHERE id NOT IN (:one, :other) EXCEPT TABLE rooms_before) AS d;
-- where no column is continued row by row no row of a home that stays has to wait
SELECT units, level FROM sdc_rankswap('people', 10, '{rent}', 'homes_only', keep => '{note,region,wealth,income}', unit => '{home}', continued => true, min_changes => 3) WHERE attribute = 'rent';
INSERT INTO people SELECT home, 40, region, rent, wealth, 7, note FROM people WHERE home = 8 AND no = 1;
SELECT units, waiting FROM sdc_rankswap('people', 10, '{rent}', 'homes_only', keep => '{note,region,wealth,income}', unit => '{home}', continued => true, min_changes => 3) WHERE attribute = 'rent';
SELECT count(DISTINCT rent) FROM homes_only WHERE home = 8;

-- the first level is kept: two values in a home are an error, or the column is drawn anew, row by row
DROP TABLE public;
SELECT attribute, level FROM night();
UPDATE people SET rent = coalesce(rent, 0) + 1 WHERE home IN (3, 4) AND no = 1 AND EXISTS (SELECT FROM people AS p WHERE p.home = people.home AND p.no = 2);
UPDATE people SET income = 3 WHERE home = 3;
SELECT helper.catch('SELECT units_continued.night()');
TRUNCATE before;
INSERT INTO before TABLE public;
SELECT attribute, level, drawn > 200 AS drawn, kept > 200 AS kept, waiting, widows FROM night($$, row_level => '{rent}'$$);
-- all incomes stay, and the rents are those of the source
SELECT count(*) FROM (SELECT home, no, income FROM public EXCEPT SELECT home, no, income FROM before) AS d;
SELECT count(*) FROM (SELECT rent FROM public EXCEPT ALL SELECT s.rent FROM people AS s JOIN public AS p USING (home, no)) AS d;
-- from then on it is one of rows, also where nobody says so, and the data do not
UPDATE people AS p SET rent = (SELECT min(rent) FROM people AS o WHERE o.home = p.home) WHERE home IN (3, 4);
SELECT attribute, level, drawn FROM night();
SELECT attribute, level, drawn FROM night();
SELECT parameters -> 'row_level' AS row_level FROM sdc_releases WHERE release = 'public'::regclass;
-- and so of random anonymization, for whose columns one level is drawn
SELECT attribute, level FROM sdc_randomize('people', '{rent,wealth}', draws => 1, target => 'drawn', keep => '{note,region,income}', unit => '{home}', seed => 1, continued => true) WHERE action = 'protected';
SELECT helper.catch($$SELECT sdc_randomize('units_continued.people', '{rent,wealth}', draws => 1, target => 'units_continued.drawn', keep => '{note,region,income}', unit => '{home}', row_level => '{rent}', continued => true)$$);
SELECT attribute, level, kept, drawn > 0 AS drawn FROM sdc_randomize('people', '{rent,wealth}', draws => 1, target => 'drawn', keep => '{note,region,income}', unit => '{home}', seed => 1, row_level => '{rent,wealth}', continued => true)
WHERE action = 'protected';
SELECT level, drawn FROM sdc_randomize('people', '{rent,wealth}', draws => 1, target => 'drawn', keep => '{note,region,income}', unit => '{home}', continued => true) WHERE action = 'protected';

-- a total is that of the rows that are shown
ALTER TABLE people ADD home_income bigint;
UPDATE people AS p SET home_income = (SELECT sum(income) FROM people AS o WHERE o.home = p.home);
CREATE FUNCTION totals() RETURNS bigint LANGUAGE sql AS $$
	SELECT count(*) FROM sdc_rankswap('units_continued.people', 10, '{rent,income}', 'units_continued.totals', keep => '{note,region,wealth}', unit => '{home}', unit_size => 'any',
		totals => '{"home_income": "income"}', continued => true, min_changes => 3) $$;
SELECT totals() > 0 AS made;
INSERT INTO people SELECT home, 50, region, rent, wealth, 100, note, 0 FROM people WHERE home = 9 AND no = 1;
UPDATE people SET home_income = (SELECT sum(income) FROM people WHERE home = 9) WHERE home = 9;
SELECT totals() > 0 AS made;
SELECT count(*) FROM (SELECT home FROM totals GROUP BY home HAVING min(home_income) <> sum(income) OR count(DISTINCT home_income) > 1) AS d;
ALTER TABLE people DROP home_income;

-- a policy: runs continue the release by homes, and their publications have what stays
SELECT sdc_policy_set('homes', 'people', steps => '[{"method": "rankswap", "p": 40, "columns": ["rent", "income"], "continued": true, "min_changes": 3, "unit_size": "any"}]',
	keep => '{note,region}', omit => '{wealth}', unit => '{home}', publish_as => 'units_continued.shared', limits => '{"people_found": 100, "certain_percent": 100}');
CALL sdc_run('homes');
SELECT 'homes_run_' || max(run) AS night FROM sdc_runs WHERE policy = 'homes' \gset
CREATE TABLE run_before AS SELECT home, no, rent, income FROM :night;
SELECT status, columns FROM sdc_runs WHERE policy = 'homes';
DELETE FROM people WHERE home = 50;
UPDATE people SET rent = 1 WHERE home = 51;
CALL sdc_run('homes');
SELECT 'homes_run_' || max(run) AS night FROM sdc_runs WHERE policy = 'homes' \gset
SELECT status FROM sdc_runs WHERE policy = 'homes' ORDER BY run;
SELECT count(*) FROM (SELECT home, no, rent, income FROM :night EXCEPT TABLE run_before) AS d;
SELECT count(*) AS gone FROM (SELECT home, no FROM run_before EXCEPT SELECT home, no FROM :night) AS d WHERE home <> 50;
SELECT sdc_policy_drop('homes');

-- what is refused
SELECT helper.catch($$SELECT units_continued.night(', unit_rows => ''whole''')$$);
SELECT helper.catch($$SELECT sdc_rankswap('units_continued.people', 10, '{income}', 'units_continued.public', omit => '{region}', keep => '{note,wealth,rent}', unit => '{region}', continued => true)$$);
SELECT helper.catch($$SELECT sdc_rankswap('units_continued.people', 10, '{rent,income}', 'units_continued.public', keep => '{note,wealth}', unit => '{home,region}', continued => true, min_changes => 3, min_departures => 5)$$);
SELECT helper.catch($$SELECT sdc_rankswap('units_continued.people', 10, '{rent,income}', 'units_continued.public', keep => '{note,region,wealth}', unit => '{}', continued => true, min_changes => 3, min_departures => 5)$$);
SELECT helper.catch($$SELECT sdc_rankswap('units_continued.people', 10, '{rent}', 'units_continued.homes_only', keep => '{note,region,wealth,income}', unit => '{home}', unit_size => 'any', continued => true, min_changes => 3)$$);
SELECT helper.catch($$SELECT sdc_rankswap('units_continued.people', 10, '{rent}', 'units_continued.many', keep => '{note,region,wealth,income}', unit => '{home}', continued => true, min_changes => 300)$$);
SELECT helper.catch($$SELECT sdc_protect('units_continued.people', '[{"method": "rankswap", "p": 10, "columns": ["rent"], "continued": true}, {"method": "rankswap", "p": 10, "columns": ["wealth"], "continued": true, "unit_size": "any"}]',
	'units_continued.many', keep => '{note,region,income}', unit => '{home}')$$);
-- of two steps the classes of units are those of the one that wants more of them
SELECT attribute, drawn FROM sdc_protect('people', '[{"method": "rankswap", "p": 5, "columns": ["rent"], "continued": true}, {"method": "rankswap", "p": 50, "columns": ["wealth"], "continued": true}]',
	'many', keep => '{note,region,income}', unit => '{home}', seed => 1) WHERE action = 'protected';
-- what several releases tell of people with several rows nobody knows
SELECT helper.catch($$SELECT sdc_link_releases('{units_continued.homes_only,units_continued.many}', known => '{rent}')$$);
-- columns that name the unit and are not what they were: of the release, which the classes are then not read of, and of the source
CREATE TABLE guests AS SELECT i AS id, i / 3 AS room, i % 7 AS age, (i / 3) % 11 AS rent FROM generate_series(1, 90) AS i;
ALTER TABLE guests ADD PRIMARY KEY (id);
SELECT FROM sdc_rankswap('guests', 30, '{rent,age}', 'lodged', unit => '{room}', unit_rows => 'each', continued => true, seed => 1);
SELECT found FROM sdc_people_found('lodged') WHERE attack = 'candidates' \gset
ALTER TABLE lodged ALTER room TYPE text;
SELECT helper.catch($$SELECT sdc_people_found('units_continued.lodged')$$);
SELECT helper.catch($$SELECT sdc_rankswap('units_continued.guests', 30, '{rent,age}', 'units_continued.lodged', unit => '{room}', unit_rows => 'each', continued => true)$$);
ALTER TABLE lodged ALTER room TYPE int USING room::int;
ALTER TABLE guests ALTER room TYPE text;
SELECT helper.catch($$SELECT sdc_rankswap('units_continued.guests', 30, '{rent,age}', 'units_continued.lodged', unit => '{room}', unit_rows => 'each', continued => true)$$);
ALTER TABLE guests ALTER room TYPE int USING room::int;
ALTER TABLE lodged DROP room;
SELECT found = :found AS same FROM sdc_people_found('lodged') WHERE attack = 'candidates';
-- lots that are too small are told of: how many homes there are counts
\set VERBOSITY terse
SET client_min_messages = warning;
SELECT count(*) FROM sdc_rankswap('people', 2, '{rent}', 'few', keep => '{note,region,wealth,income}', unit => '{home}', unit_size => 'any', continued => true);
SET client_min_messages = error;
DROP SCHEMA units_continued CASCADE;
