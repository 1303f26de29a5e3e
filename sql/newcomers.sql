--
-- newcomers
--
-- What somebody learns of newcomers who may read two publications of a continued release, and knows the method and its p: in plain SQL
-- of his own. Newcomers wait until there are min_changes of them, 100 where p is 5, and are swapped among each other; then of the
-- values that appear 2 p m / 100 + 1 are in the window of one, so that a guess is right once in eleven times.
--
\pset format unaligned
\pset footer off
SET maintenance_work_mem = '64MB';
SET jit = off;
SET client_min_messages = warning;
CREATE SCHEMA newcomers;
SET search_path = newcomers, public;
CREATE TABLE town (id int PRIMARY KEY, a float8, b int);
CREATE FUNCTION person(number int) RETURNS town LANGUAGE sql RETURN (number, helper.uniform(number, 71), (100000 * helper.uniform(number, 72))::int)::town;
CREATE ROLE regress_sdc_reader;
GRANT USAGE ON SCHEMA newcomers TO regress_sdc_reader;
-- Each night is published as it was, without the key; what is kept beside has it, and is nobody else's.
CREATE FUNCTION night(name text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	PERFORM FROM sdc_rankswap('town', 5, '{a,b}', 'protected', seed => 4, replace => to_regclass('protected') IS NOT NULL, continued => true);
	EXECUTE format('CREATE TABLE %1$I AS SELECT a, b FROM protected ORDER BY a, b; CREATE TABLE %2$I AS SELECT * FROM protected; ALTER TABLE %2$I ADD PRIMARY KEY (id); CREATE TABLE %3$I AS SELECT * FROM town; ALTER TABLE %3$I ADD PRIMARY KEY (id);
		GRANT SELECT ON %1$I TO regress_sdc_reader', name, name || '_kept', name || '_town');
END $$;
INSERT INTO town SELECT (person(i)).* FROM generate_series(1, 900) AS i;
SELECT night('first');
INSERT INTO town SELECT (person(i)).* FROM generate_series(901, 960) AS i;
SELECT night('waiting');
INSERT INTO town SELECT (person(i)).* FROM generate_series(961, 1020) AS i;
SELECT night('second');
-- And by fresh draws: one newcomer between two nights.
CREATE TABLE before_one AS SELECT * FROM town WHERE id <= 900;
CREATE TABLE after_one AS SELECT * FROM town WHERE id <= 901;
ALTER TABLE before_one ADD PRIMARY KEY (id);
ALTER TABLE after_one ADD PRIMARY KEY (id);
SELECT count(*) FROM sdc_rankswap('before_one', 5, '{a,b}', 'fresh_before', seed => 1);
SELECT count(*) FROM sdc_rankswap('after_one', 5, '{a,b}', 'fresh_after', seed => 2);
GRANT SELECT (a, b) ON fresh_before, fresh_after TO regress_sdc_reader;

SET ROLE regress_sdc_reader;
-- A fresh release gives away what one newcomer has, in each column, and so all of it.
SELECT count(*) AS values_of_a FROM (SELECT a FROM fresh_after EXCEPT ALL SELECT a FROM fresh_before) AS d;
SELECT count(*) AS values_of_b FROM (SELECT b FROM fresh_after EXCEPT ALL SELECT b FROM fresh_before) AS d;
-- Of a continued one nothing shows while they wait, and nobody else's row changes when they come.
SELECT count(*) AS different FROM ((TABLE waiting EXCEPT ALL TABLE first) UNION ALL (TABLE first EXCEPT ALL TABLE waiting)) AS d;
SELECT count(*) AS gone FROM (TABLE first EXCEPT ALL TABLE second) AS d;
CREATE TEMP TABLE lot AS SELECT row_number() OVER (ORDER BY a, b) AS place, a, b FROM (TABLE second EXCEPT ALL TABLE first) AS d;
CREATE TEMP TABLE appeared AS SELECT 1 AS j, a::float8 AS v FROM (SELECT a FROM second EXCEPT ALL SELECT a FROM first) AS d UNION ALL SELECT 2, b FROM (SELECT b FROM second EXCEPT ALL SELECT b FROM first) AS d;
SELECT (SELECT count(*) FROM lot) AS rows, count(*) FILTER (WHERE j = 1) AS values_of_a, count(*) FILTER (WHERE j = 2) AS values_of_b FROM appeared;
-- Without following rows every value is as likely. Who knows which row is a newcomer's takes the values whose window has what is in it.
CREATE TEMP TABLE sorted AS SELECT 1 AS j, array_agg(a ORDER BY a) AS s, count(*)::int AS n FROM second UNION ALL SELECT 2, array_agg(b::float8 ORDER BY b), count(*) FROM second;
CREATE TEMP TABLE windows AS SELECT j, v, s[greatest(below - w, 0) + 1] AS low, s[least(upto - 1 + w, n - 1) + 1] AS high FROM appeared JOIN sorted USING (j),
	LATERAL (SELECT round(n * 5 / 100.0)::int AS w, count(*) FILTER (WHERE x < v)::int AS below, count(*) FILTER (WHERE x <= v)::int AS upto FROM unnest(s) AS x) AS c;
CREATE TEMP TABLE sets AS SELECT j, y, v FROM (SELECT place, 1 AS j, a::float8 AS y FROM lot UNION ALL SELECT place, 2, b FROM lot) AS l JOIN (SELECT DISTINCT * FROM windows) AS w USING (j) WHERE y BETWEEN low AND high;
SELECT j, count(DISTINCT y) AS rows, count(*) FILTER (WHERE n < 6) AS few, avg(n) > 11 AS candidates FROM (SELECT j, y, count(DISTINCT v) AS n FROM sets GROUP BY j, y) AS s GROUP BY j ORDER BY j;
-- Who knows b, and looks for a: the rows of the lot within the window of it, and of all these every value that can be.
CREATE TEMP TABLE looked AS SELECT w.v AS b, count(DISTINCT l.place) AS rows, count(DISTINCT s.v) AS values FROM windows AS w JOIN lot AS l ON w.j = 2 AND l.b BETWEEN w.low AND w.high JOIN sets AS s ON s.j = 1 AND s.y = l.a GROUP BY w.v;
SELECT count(*) AS newcomers, min(rows) >= 6 AS at_the_ends, avg(rows) > 11 AS rows, min(values) > 20 AS values FROM looked;
RESET ROLE;
-- How often he is right, who cannot know it: by what the owner knows. A guess is right once in eleven times, and no set has one value
-- only; what the extension says of the difference is the same. Who takes it that nobody keeps what he has is sure of one pair of 240,
-- at a gap of the lot.
CREATE TEMP TABLE judged AS SELECT k.id, c.j, count(DISTINCT s.v) AS size, bool_or(s.v = c.x) AS own FROM second_kept AS k JOIN second_town AS t USING (id), LATERAL (VALUES (1, k.a::float8, t.a::float8), (2, k.b, t.b)) AS c (j, y, x) JOIN sets AS s ON (s.j, s.y) = (c.j, c.y) WHERE id > 900 GROUP BY 1, 2;
SELECT count(*) AS cells, count(*) FILTER (WHERE size < 6) AS few_candidates, avg(CASE WHEN own THEN 1.0 / size ELSE 0 END) <= 1 / (2 * 5 * 100 / 100.0 + 1) AS guess FROM judged;
SELECT d.attribute, d.cells, d.exposed, abs(d.guess - (SELECT sum(CASE WHEN own THEN 1.0::float8 / size ELSE 0 END) FROM judged WHERE j = strpos('ab', d.attribute))) < 1e-9 AS guess, d.partners_exposed
FROM sdc_compare_releases('first_kept', 'second_kept', '{a,b}', '{first_town,second_town}', p => 5) AS d WHERE side = 'newcomers' AND attribute IS NOT NULL ORDER BY attribute;
-- By averages, windows and movements over all three nights he learns no newcomer's value, either.
SELECT attack, percent FROM sdc_link_releases('{first_kept,waiting_kept,second_kept}', '{a,b}', '{second_town}', 5) WHERE release IS NULL AND attack = 'movement';
SELECT exposed FROM sdc_private.composition('{first_kept,waiting_kept,protected}', '{a,b}', NULL, NULL);
REVOKE ALL ON SCHEMA newcomers FROM regress_sdc_reader;
DROP TABLE first, waiting, second;
REVOKE ALL ON fresh_before, fresh_after FROM regress_sdc_reader;
DROP OWNED BY regress_sdc_reader;
DROP ROLE regress_sdc_reader;
DROP SCHEMA newcomers CASCADE;
