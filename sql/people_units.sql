--
-- People found by unit: what is defined, in plain SQL, and what the functions find.
--
CREATE SCHEMA people_units;
SET search_path = people_units, public;

-- The table of the definition.
CREATE TABLE toy (id int PRIMARY KEY, who text, v int);
INSERT INTO toy VALUES (1, 'A', 10), (2, 'A', 12), (3, 'B', 11), (4, 'B', 40), (5, 'C', 20), (6, 'C', 41), (7, 'D', 30), (8, 'E', 13), (9, 'E', 14);
CREATE TABLE toy_1 (id int PRIMARY KEY, v int);
INSERT INTO toy_1 VALUES (1, 11), (2, 13), (3, 10), (4, 30), (5, 14), (6, 41), (7, 40), (8, 12), (9, 20);
CREATE TABLE toy_2 AS TABLE toy_1;
CREATE TABLE toy_3 AS TABLE toy_1;
ALTER TABLE toy_2 ADD PRIMARY KEY (id);
ALTER TABLE toy_3 ADD PRIMARY KEY (id);
-- windows of one, two and three positions
SELECT sdc_register('toy', 'toy_1', columns => '{v}', method => 'rankswap', parameters => '{"p": 10}');
SELECT sdc_register('toy', 'toy_2', columns => '{v}', method => 'rankswap', parameters => '{"p": 20}');
SELECT sdc_register('toy', 'toy_3', columns => '{v}', method => 'rankswap', parameters => '{"p": 30}');
CREATE FUNCTION pg_temp.candidates(release regclass, known_rows int DEFAULT NULL, everybody boolean DEFAULT false, linked boolean DEFAULT true)
RETURNS numeric LANGUAGE sql AS $$
	SELECT round(found::numeric, 10) FROM sdc_people_found(release, unit => '{who}', known_rows => known_rows, everybody => everybody, linked => linked)
	WHERE attack = 'candidates'
$$;
SELECT r AS release, (SELECT round(found::numeric, 10) FROM sdc_people_found(r) WHERE attack = 'candidates') AS rows,
	pg_temp.candidates(r, linked => false) AS unlinked, pg_temp.candidates(r) AS units, pg_temp.candidates(r, 9) AS unsized,
	pg_temp.candidates(r, 1) AS first, pg_temp.candidates(r, everybody => true) AS everybody
FROM unnest('{toy_1, toy_2, toy_3}'::regclass[]) AS r;
SELECT attack, percent, single, certain FROM sdc_people_found('toy_2', unit => '{who}') WHERE attack IN ('candidates', 'any', 'chance');
SELECT * FROM sdc_link_release('toy_2', unit => '{who}');
SELECT record, candidates, linked, correct FROM sdc_link_release('toy_2', unit => '{who}', linked => false);
SELECT record, candidates, certain FROM sdc_record_risk('toy_2', unit => '{who}');
SELECT count(*) FROM sdc_link_release('toy_2', unit => '{who}', sample => 3, seed => 'a');
SELECT count(*), min(low) > 0 AS bounds FROM sdc_people_found('toy_2', unit => '{who}', sample => 3, seed => 'a') WHERE attack = 'candidates';
-- one unit is found; units of one record each are found as these are
ALTER TABLE toy ADD one int DEFAULT 1;
SELECT DISTINCT percent, certain FROM sdc_people_found('toy_3', known => '{v}', unit => '{one}') WHERE attack = 'candidates';
(SELECT * FROM sdc_people_found('toy_2', unit => '{id}') EXCEPT ALL SELECT * FROM sdc_people_found('toy_2'))
UNION ALL (SELECT * FROM sdc_people_found('toy_2') EXCEPT ALL SELECT * FROM sdc_people_found('toy_2', unit => '{id}'));
(SELECT * FROM sdc_link_release('toy_2', unit => '{id}') EXCEPT ALL SELECT * FROM sdc_link_release('toy_2', unit => '{}'));

-- Errors come before anything is read.
CREATE FUNCTION pg_temp.try(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	hint text;
BEGIN
	EXECUTE statement;
	RETURN 'no error';
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS hint = PG_EXCEPTION_HINT;
	RETURN SQLSTATE || ': ' || SQLERRM || coalesce(E'\n  hint: ' || nullif(hint, ''), '');
END $$;
SELECT pg_temp.try(statement) FROM unnest(ARRAY[
	$$SELECT * FROM sdc_people_found('toy_1', known_rows => 1)$$,
	$$SELECT * FROM sdc_link_release('toy_1', known_rows => 1)$$,
	$$SELECT * FROM sdc_record_risk('toy_1', unit => '{}', known_rows => 1)$$,
	$$SELECT * FROM sdc_people_found('toy_1', unit => '{who}', known_rows => 0)$$,
	$$SELECT * FROM sdc_people_found('toy_1', unit => '{who}', linked => NULL)$$,
	$$SELECT * FROM sdc_people_found('toy_1', unit => '{nobody}')$$,
	$$SELECT * FROM sdc_people_found('toy_1', unit => '{who}', known => '{v, who}')$$]) AS statement;

-- 90 patients with one to three stays: age and sex are theirs, cost and days are of a stay.
CREATE TABLE stays AS
SELECT (row_number() OVER (ORDER BY (v * 7919 + p * 104729) % 1009, p, v))::int AS id, p AS patient, (p * 7919) % 47 + 10 AS age, p % 2 AS sex,
	CASE WHEN (p + v) % 7 <> 0 THEN ((p * p * 13 + v * 977) % 400)::numeric END AS cost, ((p * 5 + v * 3) % 13)::int AS days
FROM generate_series(1, 90) AS p, generate_series(1, 1 + p % 3) AS v;
ALTER TABLE stays ADD PRIMARY KEY (id);
SELECT count(*) FROM sdc_rankswap('stays', p => 20, columns => '{age, cost, days}', keep => '{sex}', unit => '{patient}', target => 'whole', seed => 'a');
SELECT count(*) FROM sdc_rankswap('stays', p => 20, columns => '{age, cost, days}', keep => '{sex}', unit => '{patient}', unit_size => 'any',
	unit_rows => 'each', target => 'each', seed => 'a');

-- A window is made of positions in the sorted released values of a class: that of x of W positions reaches y.
CREATE FUNCTION pg_temp.width(percent float8, n bigint) RETURNS bigint IMMUTABLE LANGUAGE sql AS
	$$ SELECT least(greatest(floor(percent * n / 100 + 0.5), 1), n)::bigint $$;
CREATE FUNCTION pg_temp.reaches(class numeric[], x numeric, y numeric, w bigint) RETURNS boolean IMMUTABLE LANGUAGE sql AS $$
	SELECT count(*) FILTER (WHERE v < y) <= count(*) FILTER (WHERE v <= x) - 1 + w
		AND count(*) FILTER (WHERE v <= y) - 1 >= count(*) FILTER (WHERE v < x) - w FROM unnest(class) AS v $$;

-- Both files with the ranks of values inside of units, counts and sums; the order of records in a unit is that of the key.
CREATE FUNCTION pg_temp.file(relation regclass) RETURNS TABLE (id int, patient int, place bigint, size bigint, age int, sex int, cost numeric, days int,
	cost_first bigint, cost_last bigint, costs bigint, cost_sum numeric, days_first bigint, days_last bigint, days_sum numeric) LANGUAGE plpgsql AS $$
BEGIN
	RETURN QUERY EXECUTE format('SELECT id, patient, row_number() OVER (u ORDER BY id), count(*) OVER u, age, sex, cost, days,
		CASE WHEN cost IS NOT NULL THEN rank() OVER (u ORDER BY cost) END, CASE WHEN cost IS NOT NULL THEN count(cost) OVER (u ORDER BY cost) END,
		count(cost) OVER u, sum(cost) OVER u, rank() OVER (u ORDER BY days), count(*) OVER (u ORDER BY days), sum(days::numeric) OVER u
		FROM %s WINDOW u AS (PARTITION BY patient)', relation);
END $$;
CREATE TABLE source_file AS SELECT * FROM pg_temp.file('stays');

CREATE TABLE pair (a int, l int);
CREATE TABLE unit_pair (u int, v int);
-- All ways to give every known row another compatible one: B, when pairs of rows and of units are given.
CREATE FUNCTION pg_temp.found(most int, equal boolean) RETURNS TABLE (found numeric, single bigint, certain bigint) LANGUAGE sql AS $$
	WITH RECURSIVE way AS (
		SELECT u.patient AS u, v.patient AS v, 0 AS placed, '{}'::int[] AS taken FROM (SELECT DISTINCT patient, size FROM source_file) AS u,
			(SELECT DISTINCT patient, size FROM source_file) AS v
		WHERE (NOT equal OR u.size = v.size) AND EXISTS (SELECT FROM unit_pair WHERE unit_pair.u = u.patient AND unit_pair.v = v.patient)
		UNION SELECT way.u, way.v, placed + 1, (SELECT array_agg(t ORDER BY t) FROM unnest(taken || pair.l) AS t)
		FROM way JOIN source_file AS a ON a.patient = way.u AND a.place = placed + 1 AND a.place <= most
			JOIN pair ON pair.a = a.id JOIN source_file AS l ON l.id = pair.l AND l.patient = way.v AND l.id <> ALL (taken)),
	b AS (SELECT DISTINCT u, v FROM way JOIN (SELECT patient, least(max(size), most) AS known FROM source_file GROUP BY patient) AS s
		ON s.patient = way.u AND way.placed = s.known),
	many AS (SELECT u, count(*) AS n, bool_or(u = v) AS inside FROM b GROUP BY u)
	SELECT round(coalesce(sum(1.0 / n) FILTER (WHERE inside), 0), 10), count(*) FILTER (WHERE n = 1), count(*) FILTER (WHERE n = 1 AND inside) FROM many
$$;
CREATE FUNCTION pg_temp.function(release regclass, known_rows int, known name[] DEFAULT NULL) RETURNS TABLE (found numeric, single bigint, certain bigint) LANGUAGE sql AS $$
	SELECT round(found::numeric, 10), single, certain FROM sdc_people_found(release, known => known, known_rows => known_rows) WHERE attack = 'candidates'
$$;

-- Record by record, ages ranked among all units.
CREATE TABLE release_file AS SELECT * FROM pg_temp.file('each');
INSERT INTO pair
WITH ages AS (SELECT array_agg(age::numeric) AS class FROM (SELECT DISTINCT patient, age FROM release_file) AS u),
	costs AS (SELECT array_agg(cost) AS class FROM release_file WHERE cost IS NOT NULL), all_days AS (SELECT array_agg(days::numeric) AS class FROM release_file)
SELECT a.id AS a, l.id AS l FROM source_file AS a JOIN release_file AS l USING (sex), ages, costs, all_days
WHERE pg_temp.reaches(ages.class, a.age, l.age, pg_temp.width(20, cardinality(ages.class)))
	AND ((a.cost IS NULL AND l.cost IS NULL) OR (a.cost IS NOT NULL AND l.cost IS NOT NULL
		AND pg_temp.reaches(costs.class, a.cost, l.cost, pg_temp.width(20, cardinality(costs.class)))))
	AND pg_temp.reaches(all_days.class, a.days, l.days, pg_temp.width(20, cardinality(all_days.class)));
INSERT INTO unit_pair SELECT u.patient, v.patient FROM (SELECT DISTINCT patient FROM stays) AS u, (SELECT DISTINCT patient FROM stays) AS v;
SELECT 'all' AS known, d.*, d = f AS same FROM pg_temp.found(9, true) AS d, pg_temp.function('each', NULL) AS f
UNION ALL SELECT 'size not known', d.*, d = f FROM pg_temp.found(9, false) AS d, pg_temp.function('each', 9) AS f
UNION ALL SELECT 'the first two', d.*, d = f FROM pg_temp.found(2, false) AS d, pg_temp.function('each', 2) AS f
UNION ALL SELECT 'the first', d.*, d = f FROM pg_temp.found(1, false) AS d, pg_temp.function('each', 1) AS f;
-- a filter alone would find fewer: every known row has a compatible one, but two may have the same
SELECT round(sum(1.0 / n), 4) < (SELECT found FROM pg_temp.found(9, true)) AS too_low FROM (SELECT u, count(*) AS n FROM (SELECT a.patient AS u, l.patient AS v, a.size
	FROM pair JOIN source_file AS a ON a.id = pair.a JOIN source_file AS l ON l.id = pair.l AND l.size = a.size
	GROUP BY a.patient, l.patient, a.size HAVING count(DISTINCT a.id) = a.size) AS b GROUP BY u) AS many;
-- unlinked: the best known row
SELECT round(sum(best), 10) = (SELECT round(found::numeric, 10) FROM sdc_people_found('each', linked => false) WHERE attack = 'candidates') AS same
FROM (SELECT patient, max(share) AS best FROM (SELECT a.patient, a.id, CASE WHEN bool_or(pair.l = a.id) THEN 1.0 / count(*) ELSE 0 END AS share
	FROM pair JOIN source_file AS a ON a.id = pair.a GROUP BY a.patient, a.id) AS s GROUP BY patient) AS u;

-- Whole, ages in size classes: sums in windows among units with as many values, and ranks that fit.
TRUNCATE release_file, pair, unit_pair;
INSERT INTO release_file SELECT * FROM pg_temp.file('whole');
INSERT INTO unit_pair
SELECT u.patient, v.patient FROM (SELECT DISTINCT patient, size, costs, cost_sum, days_sum FROM source_file) AS u
	JOIN (SELECT DISTINCT patient, size, costs, cost_sum, days_sum FROM release_file) AS v USING (size, costs)
	JOIN (SELECT costs, array_agg(cost_sum) AS class FROM (SELECT DISTINCT patient, costs, cost_sum FROM release_file) AS s GROUP BY costs) AS c USING (costs)
	JOIN (SELECT size, array_agg(days_sum) AS class FROM (SELECT DISTINCT patient, size, days_sum FROM release_file) AS s GROUP BY size) AS d USING (size)
WHERE (costs = 0 OR pg_temp.reaches(c.class, u.cost_sum, v.cost_sum, pg_temp.width(20, cardinality(c.class))))
	AND pg_temp.reaches(d.class, u.days_sum, v.days_sum, pg_temp.width(20, cardinality(d.class)));
INSERT INTO pair
WITH ages AS (SELECT size, array_agg(age::numeric) AS class FROM (SELECT DISTINCT patient, size, age FROM release_file) AS u GROUP BY size)
SELECT a.id, l.id FROM source_file AS a JOIN release_file AS l USING (sex, size) JOIN ages USING (size)
WHERE pg_temp.reaches(ages.class, a.age, l.age, pg_temp.width(20, cardinality(ages.class)))
	AND ((a.cost IS NULL AND l.cost IS NULL) OR (a.cost_first <= l.cost_last AND l.cost_first <= a.cost_last))
	AND a.days_first <= l.days_last AND l.days_first <= a.days_last;
SELECT d.*, d = f AS same FROM pg_temp.found(9, true) AS d, pg_temp.function('whole', NULL) AS f;
-- without the order of the rows of a unit fewer would be found
SELECT (SELECT found FROM pg_temp.found(9, true)) > (SELECT sum(1.0 / n) FROM (SELECT count(*) AS n FROM unit_pair JOIN stays AS a ON a.patient = u
	JOIN stays AS l ON l.patient = v AND l.sex = a.sex GROUP BY u) AS many) AS more;
-- where not all rows are known, whole columns tell nothing; age is still known with its class
TRUNCATE pair, unit_pair;
INSERT INTO unit_pair SELECT u.patient, v.patient FROM (SELECT DISTINCT patient FROM stays) AS u, (SELECT DISTINCT patient FROM stays) AS v;
INSERT INTO pair
WITH ages AS (SELECT size, array_agg(age::numeric) AS class FROM (SELECT DISTINCT patient, size, age FROM release_file) AS u GROUP BY size)
SELECT a.id, l.id FROM source_file AS a JOIN release_file AS l USING (sex, size) JOIN ages USING (size)
WHERE pg_temp.reaches(ages.class, a.age, l.age, pg_temp.width(20, cardinality(ages.class)));
SELECT d.*, d = f AS same FROM pg_temp.found(2, false) AS d, pg_temp.function('whole', 2) AS f;
-- columns of units only: what is found is what is found in the table of units, in strata of their sizes
CREATE TABLE patients AS SELECT patient, age, sex, 4 - count(*) AS class FROM stays GROUP BY patient, age, sex;
CREATE TABLE patients_release AS SELECT patient, age, sex, 4 - count(*) AS class FROM whole GROUP BY patient, age, sex;
ALTER TABLE patients ADD PRIMARY KEY (patient);
SELECT count(*) FROM sdc_rankswap('patients', p => 20, columns => '{age}', keep => '{sex}', strata => '{class}', target => 'by_table', seed => 'a');
SELECT count(*) FROM by_table JOIN patients_release USING (patient, age, sex, class);
(SELECT record, candidates, linked FROM sdc_link_release('whole', known => '{age, sex}')
	EXCEPT SELECT record, candidates, linked FROM sdc_link_release('by_table', known => '{age, sex}'))
UNION ALL SELECT 'records', count(*), count(*)::text FROM sdc_link_release('whole', known => '{age, sex}');

-- A person is always among his own candidates, whatever of this is known together; also if everybody is known.
SELECT r AS release, bool_and(everybody.found >= f.found - 1e-9) AS no_fewer
FROM unnest('{whole, each}'::regclass[]) AS r,
	string_to_table('{age}|{cost}|{days}|{age, cost}|{cost, days}|{sex, days}|{age, cost, days, sex}', '|') AS k,
	LATERAL sdc_people_found(r, k::name[]) AS f, LATERAL sdc_people_found(r, k::name[], everybody => true) AS everybody
WHERE f.attack = 'candidates' AND everybody.attack = 'candidates' GROUP BY r ORDER BY r::text;
-- Records as units, of a release with units; and the head of what is measured.
SELECT percent = 100 * found / 180 AS of_records FROM sdc_people_found('whole', unit => '{}') WHERE attack = 'any';
SELECT s.people_found = f.percent AS score, e.people_found = f.percent AS evaluated
FROM sdc_score('whole') AS s, sdc_evaluate('whole') AS e, sdc_people_found('whole') AS f WHERE f.attack = 'any';
DROP SCHEMA people_units CASCADE;
