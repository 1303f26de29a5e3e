--
-- link_releases
--
-- What several releases of a table tell together: a table small enough to be reckoned by hand, the definitions in plain
-- SQL on random histories, and what cannot be measured.
--
\pset format unaligned
\pset footer off
SET maintenance_work_mem = '64MB';
SET jit = off;
CREATE SCHEMA link_releases;
SET search_path = link_releases, public;
SET client_min_messages = warning;

-- A table small enough to be reckoned by hand: what is in the columns was, on paper; a quarter of 8 or 9 ranks is 2.
CREATE TABLE s2 (id int PRIMARY KEY, a int, b int, s int);
INSERT INTO s2 VALUES (1, 10, 5, 1), (2, 20, 7, 1), (3, 30, 7, 2), (4, 40, NULL, 2), (5, 50, 1, 1), (7, 70, 2, 3), (8, 80, 8, 2), (9, 55, 6, 1), (10, 25, 3, 3);
CREATE TABLE s1 (LIKE s2 INCLUDING ALL);
INSERT INTO s1 SELECT * FROM s2 WHERE id < 9 UNION ALL VALUES (6, 60, 9, 3);
CREATE TABLE r1 (LIKE s2 INCLUDING ALL);
INSERT INTO r1 VALUES (1, 20, 7, 1), (2, 10, 8, 1), (3, 40, 5, 2), (4, 30, NULL, 2), (5, 60, 2, 1), (6, 50, 9, 3), (7, 80, 1, 3), (8, 70, 7, 2);
CREATE TABLE r2 (LIKE s2 INCLUDING ALL);
INSERT INTO r2 VALUES (1, 30, 6, 1), (2, 25, 7, 1), (3, 10, 7, 2), (4, 50, NULL, 2), (5, 40, 3, 1), (7, 80, 8, 3), (8, 70, 2, 2), (9, 55, 5, 1), (10, 20, 1, 3);
SELECT sdc_register('s1', 'r1', columns => '{a,b}'), sdc_register('s2', 'r2', columns => '{a,b}');
CREATE TEMP TABLE reckoned (known name[], attack text, release regclass, measure text, value float8);
INSERT INTO reckoned VALUES
	('{a}', 'average', 'r1', 'percent', 0), ('{a}', 'average', 'r2', 'percent', 100.0 / 9), ('{a}', 'average', NULL, 'percent', 400.0 / 9),
	('{a,b}', 'average', 'r1', 'percent', 50), ('{a,b}', 'average', 'r2', 'percent', 50.0 / 3), ('{a,b}', 'average', NULL, 'percent', 100.0 / 3),
	('{a,b}', 'windows', 'r1', 'percent', 50), ('{a,b}', 'windows', 'r2', 'percent', 50.0 / 3), ('{a,b}', 'windows', NULL, 'percent', 400.0 / 9),
	('{a,b}', 'certain', 'r1', 'percent', 25), ('{a,b}', 'certain', 'r2', 'percent', 0), ('{a,b}', 'certain', NULL, 'percent', 100.0 / 9),
	('{a}', 'average', 'r1', 'error', 12.5), ('{a}', 'average', 'r2', 'error', 14.814814814814817), ('{a}', 'average', NULL, 'error', 8.17901234567901),
	('{a,b}', 'average', 'r1', 'error', 14.285714285714285), ('{a,b}', 'average', 'r2', 'error', 21.078431372549023), ('{a,b}', 'average', NULL, 'error', 14.151493930905694),
	('{a,b}', 'movement', 'r1', 'candidates', 61.0 / 15), ('{a,b}', 'movement', 'r2', 'candidates', 70.0 / 17), ('{a,b}', 'movement', NULL, 'candidates', 56.0 / 17),
	('{a,b}', 'movement', 'r1', 'inside', 100), ('{a,b}', 'movement', 'r2', 'inside', 1300.0 / 17), ('{a,b}', 'movement', NULL, 'inside', 1300.0 / 17),
	('{a,b}', 'movement', 'r1', 'guess', 25.7777777777777778), ('{a,b}', 'movement', 'r2', 'guess', 18.3333333333333333), ('{a,b}', 'movement', NULL, 'guess', 22.6470588235294118),
	('{a,b}', 'windows_only', NULL, 'candidates', 59.0 / 17), ('{a,b}', 'windows_only', NULL, 'inside', 1300.0 / 17), ('{a,b}', 'windows_only', NULL, 'guess', 20.8823529411764706),
	('{a}', 'composition', 'r1', 'candidates', 2.75), ('{a}', 'composition', 'r2', 'candidates', 25.0 / 9), ('{a}', 'composition', NULL, 'candidates', 23.0 / 9);
CREATE TEMP VIEW measured AS
SELECT known, attack, release, measure, value
FROM (VALUES ('{a}'::name[]), ('{a,b}')) AS k (known), sdc_link_releases('{r1,r2}', known, p => 25, sensitive => '{s}') AS l,
	LATERAL (VALUES ('percent', percent), ('candidates', candidates), ('inside', inside), ('guess', guess), ('error', error)) AS m (measure, value);
SELECT count(*) AS numbers, count(*) FILTER (WHERE abs(m.value - r.value) < 1e-12 * greatest(1, r.value)) AS same
FROM reckoned AS r LEFT JOIN measured AS m ON (m.known, m.attack, m.measure) = (r.known, r.attack, r.measure) AND m.release IS NOT DISTINCT FROM r.release;
SELECT * FROM sdc_compare_releases('r1', 'r2', '{a,b}', p => 25);
SELECT attribute, side, cells, exposed, guess, holders FROM sdc_compare_releases('r1', 'r2', '{a,b}', p => 25, linkable => false);

--
-- The definitions in plain SQL, on random histories: people come, go and change, values repeat and are missing; pairs near each
-- other swap, and most of them stay together for two nights.
--
CREATE FUNCTION chance(number int, stream int) RETURNS float8 LANGUAGE sql IMMUTABLE RETURN helper.uniform(number, stream);
CREATE TABLE truth AS
SELECT h, t, id, j, CASE WHEN chance(id * 31 + j, h + 7) < .1 THEN NULL ELSE floor(45 * chance(id * 31 + j, h + CASE WHEN chance(id * 97 + t / 3 + 1000 * j, h + 1) < .2 THEN 100 + t / 3 ELSE 1 END))::int END AS x
FROM unnest(ARRAY[1000, 2000, 3000]) AS h, generate_series(1, 5) AS t, generate_series(1, 34) AS id, generate_series(1, 3) AS j
WHERE chance(id * 13 + t, h + 3) > .15;
CREATE TABLE ranked AS
SELECT h, t, id, j, x, row_number() OVER (PARTITION BY h, t, j ORDER BY x + 9 * chance(id * 31 + j, h + 50 + t / 2), id) - 1 AS place FROM truth WHERE x IS NOT NULL;
CREATE TABLE released AS
SELECT t.h, t.t, t.id, t.j, coalesce(p.x, t.x) AS y
FROM truth AS t LEFT JOIN ranked AS r USING (h, t, id, j) LEFT JOIN ranked AS p ON (p.h, p.t, p.j) = (r.h, r.t, r.j) AND p.place = CASE r.place % 2 WHEN 0 THEN r.place + 1 ELSE r.place - 1 END;
SELECT count(*) AS cells, count(*) FILTER (WHERE x <> y) AS swapped, count(*) FILTER (WHERE x IS NULL) AS missing FROM truth JOIN released USING (h, t, id, j);

-- Where a value is among those of a release, and from where to where its window goes: a share of the values, rounded half up.
CREATE TABLE sorted AS SELECT h, t, j, array_agg(y ORDER BY y) AS s, count(*)::int AS m FROM released WHERE y IS NOT NULL GROUP BY h, t, j;
CREATE TABLE placed AS
SELECT h, t, j, v, p, 100 * (below + upto + 1) / (2.0::float8 * m) AS u, s[greatest(below - w, 0) + 1] AS low, s[least(upto - 1 + w, m - 1) + 1] AS high
FROM sorted, generate_series(0, 44) AS v, unnest(ARRAY[8, 12, 20]) AS p,
	LATERAL (SELECT (count(*) FILTER (WHERE y < v))::int AS below, (count(*) FILTER (WHERE y <= v))::int AS upto FROM unnest(s) AS y) AS c,
	LATERAL (SELECT least(greatest(floor(p * m / 100.0 + 0.5)::int, 1), m) AS w) AS d;
CREATE INDEX ON placed (h, t, j, p, v);
ANALYZE placed;

-- What is attacked: releases of the nights from .. upto with the truth of one, columns 1 .. known.
CREATE FUNCTION class(history int, person int) RETURNS int LANGUAGE sql IMMUTABLE RETURN helper.below(person, history + 9, 5);
CREATE TYPE attacked AS (h int, first int, last int, truth int, known int, p int);
-- The values that those of a record can be: how many, and whether the right one is among them.
CREATE FUNCTION moving(a attacked) RETURNS TABLE (attack text, id int, j int, size bigint, own boolean) LANGUAGE sql STABLE SET enable_nestloop = off AS $$
	WITH x AS (SELECT id, j, x FROM truth WHERE h = a.h AND t = a.truth AND j <= a.known),
	y AS (SELECT t, id, j, y FROM released WHERE h = a.h AND t BETWEEN a.first AND a.last AND j <= a.known),
	place AS (SELECT * FROM placed WHERE h = a.h AND t BETWEEN a.first AND a.last AND j <= a.known AND p = a.p),
	target AS (SELECT id FROM x INTERSECT SELECT id FROM y WHERE t = a.last),
	holder AS (SELECT t, j, y AS v, count(*) AS n, min(id) AS id FROM y WHERE y IS NOT NULL GROUP BY 1, 2, 3),
	step AS (SELECT b.id, b.j, b.t, b.y <> f.y AS moved FROM y AS b JOIN y AS f ON (f.id, f.j, f.t) = (b.id, b.j, b.t + 1) WHERE b.y IS NOT NULL AND f.y IS NOT NULL),
	cell AS (SELECT id, j, x FROM x JOIN target USING (id) WHERE x IS NOT NULL AND (id, j) IN (SELECT id, j FROM y WHERE y IS NOT NULL)),
	possible AS (SELECT c.id, c.j, o.v FROM cell AS c JOIN y USING (id, j) JOIN holder AS o ON (o.t, o.j) = (y.t, c.j) WHERE y IS NOT NULL
		EXCEPT SELECT c.id, c.j, place.v FROM cell AS c JOIN y USING (id, j) JOIN place ON (place.t, place.j) = (y.t, c.j) WHERE y < low OR y > high),
	stays AS (SELECT * FROM possible
		EXCEPT SELECT s.id, s.j, v.v FROM step AS s JOIN (SELECT DISTINCT j, v FROM holder) AS v USING (j) LEFT JOIN holder AS b ON (b.t, b.j, b.v) = (s.t, s.j, v.v) LEFT JOIN holder AS f ON (f.t - 1, f.j, f.v) = (s.t, s.j, v.v)
			WHERE (b.n = 1 AND f.n = 1 AND s.moved <> (b.id <> f.id)) OR (s.moved AND f.n IS NULL) OR (NOT s.moved AND b.n IS NULL AND f.n IS NOT NULL))
	SELECT attack, c.id, c.j, count(v) AS size, bool_or(v = x) IS TRUE AS own
		FROM cell AS c CROSS JOIN (VALUES ('movement'), ('windows_only')) AS n (attack) LEFT JOIN (SELECT 'movement', * FROM stays UNION ALL SELECT 'windows_only', * FROM possible) AS p (attack, id, j, v) USING (attack, id, j) GROUP BY 1, 2, 3
$$;
CREATE FUNCTION twin(a attacked) RETURNS TABLE (attack text, measure text, value float8) LANGUAGE sql STABLE SET enable_nestloop = off AS $$
	WITH x AS (SELECT id, j, x FROM truth WHERE h = a.h AND t = a.truth AND j <= a.known),
	y AS (SELECT t, id, j, y FROM released WHERE h = a.h AND t BETWEEN a.first AND a.last AND j <= a.known),
	place AS (SELECT * FROM placed WHERE h = a.h AND t BETWEEN a.first AND a.last AND j <= a.known AND p = a.p),
	target AS (SELECT id FROM x INTERSECT SELECT id FROM y WHERE t = a.last),
	xbar AS (SELECT x.id, x.j, avg(u) AS v FROM x JOIN place ON (place.j, place.v) = (x.j, x.x) GROUP BY 1, 2),
	ybar AS (SELECT y.id, y.j, avg(u) AS v FROM y JOIN place ON (place.t, place.j, place.v) = (y.t, y.j, y.y) GROUP BY 1, 2),
	distance AS (SELECT xbar.id AS i, ybar.id AS r, a.known::float8 / count(*) * sum((xbar.v - ybar.v) ^ 2) AS d FROM target JOIN xbar USING (id) JOIN ybar USING (j) WHERE ybar.id IN (SELECT id FROM y WHERE t = a.last) GROUP BY 1, 2),
	fit AS (SELECT x.id AS i, y.t, y.id AS r, bool_and(coalesce(y.y BETWEEN low AND high, false)) AS fits FROM target JOIN x USING (id) JOIN y USING (j) LEFT JOIN place ON (place.t, place.j, place.v) = (y.t, y.j, x.x) GROUP BY 1, 2, 3),
	box AS (SELECT i, r, d FROM (SELECT i, r FROM fit GROUP BY i, r HAVING bool_and(fits)) AS f LEFT JOIN distance USING (i, r) WHERE r IN (SELECT id FROM y WHERE t = a.last)),
	chosen AS (SELECT attack, i, bool_or(r = i AND d <= least * (1 + 1e-9) + 1e-9) IS TRUE AS right_one, count(*) FILTER (WHERE d <= least * (1 + 1e-9) + 1e-9) AS ties, count(*)::float8 AS size, bool_or(r = i) AS own
		FROM (SELECT *, min(d) OVER (PARTITION BY attack, i) AS least FROM (SELECT 'average' AS attack, i, r, d FROM distance UNION ALL SELECT 'windows', i, r, d FROM box) AS c) AS p GROUP BY attack, i),
	found AS (SELECT id, n.attack, right_one, ties, coalesce(size, 0) AS size, own IS TRUE AS own FROM target CROSS JOIN (VALUES ('average'), ('windows')) AS n (attack) LEFT JOIN chosen ON (chosen.attack, i) = (n.attack, id)),
	value AS (SELECT * FROM moving(a)),
	there AS (SELECT id, t, count(*) OVER (PARTITION BY id) AS nights FROM y GROUP BY id, t),
	class_of AS (SELECT i, s FROM (SELECT DISTINCT i, t, class(a.h, r) AS s FROM fit WHERE fits) AS c JOIN there ON (there.id, there.t) = (i, c.t) GROUP BY i, s, nights HAVING count(*) = nights),
	class_set AS (SELECT id, count(s) AS size, bool_or(s = class(a.h, id)) IS TRUE AS own FROM target LEFT JOIN class_of ON i = id GROUP BY id),
	summed AS (
		SELECT attack, avg(CASE WHEN right_one THEN 1.0::float8 / ties ELSE 0 END) AS percent, avg(size) AS candidates, avg(own::int) AS inside, avg(CASE WHEN own THEN 1 / size ELSE 0 END) AS guess, NULL::float8 AS wrong FROM found GROUP BY attack
		UNION ALL SELECT 'certain', avg((own AND size = 1)::int), NULL, NULL, NULL, NULL FROM found WHERE attack = 'windows'
		UNION ALL SELECT attack, avg((own AND size = 1)::int), avg(size), avg(own::int), avg(CASE WHEN own THEN 1.0::float8 / size ELSE 0 END), NULL FROM value GROUP BY attack
		UNION ALL SELECT 'best', avg(best), NULL, NULL, NULL, NULL FROM (SELECT max(greatest(CASE WHEN right_one THEN 1.0::float8 / ties ELSE 0 END, CASE WHEN own AND attack = 'windows' THEN 1 / size ELSE 0 END)) AS best FROM found GROUP BY id) AS f
		UNION ALL SELECT 'composition', avg((own AND size = 1)::int), avg(size), avg(own::int), avg(CASE WHEN own THEN 1.0::float8 / size ELSE 0 END), avg((NOT own AND size = 1)::int) FROM class_set)
	SELECT attack, n.* FROM summed, LATERAL (VALUES ('percent', 100 * percent), ('candidates', candidates), ('inside', 100 * inside), ('guess', 100 * guess), ('wrong', 100 * wrong)) AS n (measure, value) WHERE value IS NOT NULL AND (attack <> 'average' OR measure = 'percent')
	UNION ALL SELECT 'average', 'error', avg(abs(xbar.v - ybar.v)) FROM target JOIN xbar USING (id) JOIN ybar USING (id, j)
$$;
-- The tables of a history: the column s is copied, and one class of it is missing; keys of one column, or of two.
DO $$
DECLARE
	history int;
	night int;
	name text;
BEGIN
	FOR history IN SELECT DISTINCT h FROM truth LOOP
		FOR night IN 1 .. 5 LOOP
			FOREACH name IN ARRAY ARRAY['source', 'release'] LOOP
				EXECUTE format('CREATE TABLE %I AS SELECT id %% 7 AS part, (id / 7)::text AS "no", nullif(class(h, id), 4) AS s, max(v) FILTER (WHERE j = 1) AS a, max(v) FILTER (WHERE j = 2) AS b, (max(v) FILTER (WHERE j = 3))::text::numeric AS c, id
					FROM (SELECT h, t, id, j, %s AS v FROM truth JOIN released USING (h, t, id, j)) AS one WHERE (h, t) = (%s, %s) GROUP BY h, t, id ORDER BY helper.uniform(id, %s)',
					name || history || '_' || night, CASE name WHEN 'source' THEN 'x' ELSE 'y' END, history, night, night);
				EXECUTE format('ALTER TABLE %I ADD PRIMARY KEY (%s)', name || history || '_' || night, CASE WHEN history = 2000 THEN 'part, no' ELSE 'id' END);
			END LOOP;
			PERFORM sdc_register(('source' || history || '_' || night)::regclass, ('release' || history || '_' || night)::regclass, columns => '{a,b,c}',
				method => CASE history WHEN 3000 THEN 'rankswap' ELSE 'external' END, parameters => (CASE history WHEN 3000 THEN '{"p": 8}' ELSE '{}' END)::jsonb);
		END LOOP;
	END LOOP;
END $$;
-- Five releases or two, each alone, and together; sources: those that are recorded, each of its own, or the last one for all; the window is an
-- argument, or that of the method.
CREATE FUNCTION named(kind text, h int) RETURNS regclass[] LANGUAGE sql AS $$ SELECT array_agg((kind || h || '_' || t)::regclass ORDER BY t) FROM generate_series(1, 5) AS t $$;
CREATE TEMP TABLE judged AS
SELECT c.*, l.release, l.attack, n.measure, n.value
FROM (VALUES (1000, 20, 3, true, 1), (1000, 8, 1, true, 1), (2000, 20, 1, false, 1), (2000, 20, 3, false, 1), (3000, 8, 3, true, 1), (3000, 8, 2, false, 1), (3000, 8, 3, false, 4), (2000, 8, 2, true, 4)) AS c (h, p, known, own, first),
	sdc_link_releases((named('release', h))[first:], ('{a,b,c}'::name[])[:known], CASE WHEN NOT own THEN (named('source', h))[5:] WHEN h = 1000 THEN named('source', h) END, CASE WHEN h < 3000 THEN p END, '{s}') AS l,
	LATERAL (VALUES ('percent', percent), ('candidates', candidates), ('inside', inside), ('guess', guess), ('error', error), ('wrong', wrong)) AS n (measure, value);
CREATE TEMP TABLE expected AS
SELECT c.h, c.p, c.known, c.own, c.first, c.release, w.* FROM (SELECT DISTINCT h, p, known, own, first, release, right(release::text, 1)::int AS t FROM judged) AS c,
	LATERAL twin((h, coalesce(t, first), coalesce(t, 5), CASE WHEN own AND t IS NOT NULL THEN t ELSE 5 END, known, p)::attacked) AS w;
SELECT attack, measure, count(*) AS numbers, count(*) FILTER (WHERE abs(j.value - e.value) <= 1e-9 * greatest(1, e.value)) AS same, count(DISTINCT round(e.value::numeric, 6)) > 3 AS different
FROM expected AS e LEFT JOIN judged AS j USING (h, p, known, own, first, attack, measure) WHERE attack <> 'best' AND j.release IS NOT DISTINCT FROM e.release GROUP BY attack, measure ORDER BY attack, measure;

-- The difference of two nights, in plain SQL.
CREATE FUNCTION differing(history int, night int, other int, known_of int, share int, cols int, linked boolean) RETURNS TABLE (held boolean, id int, j int, size bigint, own boolean)
LANGUAGE sql STABLE SET enable_nestloop = off AS $$
	WITH y AS (SELECT id, j, y FROM released WHERE h = history AND t = night AND j <= cols),
	o AS (SELECT id, j, y FROM released WHERE h = history AND t = other AND j <= cols),
	x AS (SELECT id, j, x FROM truth WHERE h = history AND t = known_of AND j <= cols AND x IS NOT NULL),
	more AS (SELECT j, y AS v, sum(n) AS times FROM (SELECT j, y, 1 AS n FROM y UNION ALL SELECT j, y, -1 FROM o) AS d WHERE y IS NOT NULL GROUP BY 1, 2 HAVING sum(n) > 0),
	sought AS (SELECT id FROM y EXCEPT SELECT id FROM o),
	can AS (SELECT x.id, x.j, x.x, v FROM sought JOIN x USING (id) JOIN y USING (id, j) JOIN more USING (j) JOIN placed USING (j, v) WHERE h = history AND t = night AND p = share AND (NOT linked OR y BETWEEN low AND high)),
	cell AS (SELECT x.id, x.j, count(v) AS size, bool_or(v = x.x) IS TRUE AS own FROM sought JOIN x USING (id) LEFT JOIN can USING (id, j) GROUP BY 1, 2),
	holder AS (SELECT y.id, y.j, y.y AS v, x FROM y JOIN x USING (id, j) JOIN more ON (more.j, more.v) = (y.j, y.y) WHERE (y.j, y.y) IN (SELECT j, y FROM y GROUP BY 1, 2 HAVING count(*) = 1)),
	partner AS (SELECT DISTINCT b.id, b.j, b.x, y.y FROM holder AS b JOIN y USING (j) JOIN sought ON sought.id = y.id JOIN placed ON (placed.j, placed.v) = (b.j, y.y) WHERE h = history AND t = night AND p = share AND y.id <> b.id AND b.v BETWEEN low AND high),
	held AS (SELECT b.id, b.j, count(p.y) AS size, bool_or(p.y = b.x) IS TRUE AS own FROM holder AS b LEFT JOIN partner AS p USING (id, j) GROUP BY 1, 2)
	SELECT false, * FROM cell UNION ALL SELECT true, * FROM held
$$;
CREATE FUNCTION difference(history int, night int, other int, share int, cols int, linked boolean) RETURNS TABLE (attribute int, appeared bigint, cells bigint, exposed bigint, guess float8, holders bigint, partners_exposed bigint, partners_guess float8)
LANGUAGE sql STABLE AS $$
	WITH all_of AS (SELECT * FROM differing(history, night, other, night, share, cols, linked)),
	counted AS (SELECT j, sum(n) AS n FROM (SELECT j, y, sum(n) AS n FROM (SELECT j, y, 1 AS n FROM released WHERE h = history AND t = night UNION ALL SELECT j, y, -1 FROM released WHERE h = history AND t = other) AS d WHERE y IS NOT NULL GROUP BY j, y HAVING sum(n) > 0) AS more GROUP BY j),
	whole AS (SELECT bool_and(own AND size = 1) AS exposed, CASE WHEN bool_and(own) THEN exp(-sum(ln(size::float8)) FILTER (WHERE own)) ELSE 0 END AS guess FROM all_of WHERE NOT held GROUP BY id)
	SELECT g.j, (SELECT coalesce(sum(n), 0)::bigint FROM counted WHERE counted.j = g.j), count(*) FILTER (WHERE NOT held), count(*) FILTER (WHERE NOT held AND own AND size = 1), coalesce(sum(1.0::float8 / size) FILTER (WHERE NOT held AND own), 0),
		count(*) FILTER (WHERE held), count(*) FILTER (WHERE held AND own AND size = 1), coalesce(sum(1.0::float8 / size) FILTER (WHERE held AND own), 0) FROM generate_series(1, cols) AS g (j) LEFT JOIN all_of USING (j) GROUP BY g.j
	UNION ALL SELECT NULL, (SELECT count(*) FROM (SELECT id FROM released WHERE h = history AND t = night EXCEPT SELECT id FROM released WHERE h = history AND t = other) AS came), count(*), count(*) FILTER (WHERE exposed), coalesce(sum(guess), 0), NULL, NULL, NULL FROM whole
$$;
CREATE TEMP TABLE compared AS
SELECT c.*, l.linkable, d.* FROM (VALUES (1000, 20, 3, 1), (1000, 8, 2, 2), (2000, 20, 3, 3), (3000, 8, 3, 4)) AS c (h, p, known, night), (VALUES (true), (false)) AS l (linkable),
	LATERAL sdc_compare_releases((named('release', h))[night], (named('release', h))[night + 1], ('{a,b,c}'::name[])[:known], NULL, linkable, CASE WHEN h < 3000 THEN p END) AS d;
SELECT side, linkable, count(*) AS rows, sum(d.cells) > 0 AS cells, sum(d.exposed) > 0 AS exposed, sum(d.holders) > 0 AS holders,
	count(*) FILTER (WHERE (d.cells, d.exposed, CASE side WHEN 'newcomers' THEN d.appeared ELSE d.vanished END) = (e.cells, e.exposed, e.appeared) AND abs(d.guess - e.guess) < 1e-9
		AND CASE WHEN linkable AND e.attribute IS NOT NULL THEN (d.holders, d.partners_exposed) = (e.holders, e.partners_exposed) AND abs(d.partners_guess - e.partners_guess) < 1e-9 ELSE d.holders IS NULL AND d.partners_guess IS NULL END) AS same
FROM compared AS d LEFT JOIN LATERAL difference(h, night + (side = 'newcomers')::int, night + (side = 'departed')::int, p, known, linkable) AS e ON e.attribute IS NOT DISTINCT FROM strpos('abc', d.attribute) GROUP BY side, linkable ORDER BY side, linkable;

-- What a limit asks for: each person by the best attack of all releases together, each value by whatever exposes it; a release that
-- is continued by both of its windows. What is not in the catalog counts as the last release does.
CREATE FUNCTION composed(history int, first int, cols int, windows int[]) RETURNS TABLE (people float8, exposed float8) LANGUAGE sql STABLE AS $$
	WITH cells AS (SELECT id, j, bool_or(attack = 'movement' AND own AND size = 1) AS exposed FROM unnest(windows) AS w, moving((history, first, 5, 5, cols, w)::attacked) GROUP BY id, j),
	told AS (SELECT id, j FROM cells WHERE exposed UNION SELECT id, j FROM unnest(windows) AS w, (VALUES (5, 4), (4, 5)) AS n (night, other), LATERAL differing(history, night, other, 5, w, cols, true) WHERE first < 5 AND own AND size = 1)
	SELECT (SELECT value FROM twin((history, first, 5, 5, cols, windows[1])::attacked) WHERE attack = 'best'), 100.0::float8 * count(told.id) / count(*) FROM cells LEFT JOIN told USING (id, j)
$$;
CREATE TABLE kept2 AS TABLE release3000_2;
ALTER TABLE kept2 ADD PRIMARY KEY (id);
SELECT first, cols, copy, abs(c.composed_people_found - e.people) < 1e-9 AS people, abs(c.exposed - e.exposed) < 1e-9 AS exposed, round(e.people::numeric, 6) AS people_found, round(e.exposed::numeric, 6) AS values_exposed
FROM (VALUES (1, 3, false), (2, 3, true), (4, 2, false), (5, 3, false), (4, 1, false)) AS r (first, cols, copy),
	LATERAL (SELECT CASE WHEN copy THEN 'kept2'::regclass || (named('release', 3000))[3:] ELSE (named('release', 3000))[first:] END AS releases) AS n,
	LATERAL sdc_private.composition(releases, ('{a,b,c}'::name[])[:cols], NULL, NULL) AS c, LATERAL composed(3000, first, cols, '{8}') AS e;
-- A difference that only partners and newcomers are in adds to what movement exposes.
SELECT count(*) FILTER (WHERE m.own AND m.size = 1) AS by_movement, count(*) FILTER (WHERE d.id IS NOT NULL AND NOT (m.own AND m.size = 1)) AS by_difference FROM moving((3000, 4, 5, 5, 3, 8)::attacked) AS m
LEFT JOIN (SELECT DISTINCT id, j FROM (VALUES (5, 4), (4, 5)) AS n (night, other), LATERAL differing(3000, night, other, 5, 8, 3, true) WHERE own AND size = 1) AS d USING (id, j) WHERE attack = 'movement';
DO $$ BEGIN FOR t IN 1 .. 5 LOOP PERFORM sdc_unregister(('release3000_' || t)::regclass); PERFORM sdc_register(('source3000_' || t)::regclass, ('release3000_' || t)::regclass, columns => '{a,b,c}', method => 'rankswap', parameters => '{"p": 8, "continued": true, "largest": 9}'); END LOOP; END $$;
SELECT first, cols, abs(c.exposed - e.exposed) < 1e-9 AS exposed, c.composed_people_found >= greatest(e.people, w.people) - 1e-9 AS people, c.composed_people_found > w.people AS more
FROM (VALUES (1, 3), (4, 2), (5, 3)) AS r (first, cols), LATERAL sdc_private.composition((named('release', 3000))[first:], ('{a,b,c}'::name[])[:cols], NULL, NULL) AS c, LATERAL composed(3000, first, cols, '{8,12}') AS e, LATERAL composed(3000, first, cols, '{12}') AS w;
SELECT attack, l.percent = greatest(CASE WHEN attack IN ('windows', 'movement', 'windows_only') THEN n.percent ELSE 0 END, w.percent) AS percent, (l.candidates, l.inside, l.guess, l.error) IS NOT DISTINCT FROM (w.candidates, w.inside, w.guess, w.error) AS others, n.percent <> w.percent AS different
FROM sdc_link_releases(named('release', 3000), '{a,b,c}') AS l JOIN sdc_link_releases(named('release', 3000), '{a,b,c}', p => 8) AS n USING (attack) JOIN sdc_link_releases(named('release', 3000), '{a,b,c}', p => 12) AS w USING (attack)
WHERE l.release IS NULL AND n.release IS NULL AND w.release IS NULL ORDER BY attack;
-- Of a sample the upper end counts, and a seed makes it the same again.
SELECT s.composed_people_found > a.composed_people_found AS upper, s.composed_people_found = t.composed_people_found AS again, s.exposed = a.exposed AS all_values
FROM sdc_private.composition(named('release', 3000), '{a}', NULL, NULL) AS a, sdc_private.composition(named('release', 3000), '{a}', 10, 'x') AS s, sdc_private.composition(named('release', 3000), '{a}', 10, 'x') AS t;
SELECT c, helper.catch('SELECT * FROM sdc_private.composition(' || c || ')') FROM unnest(ARRAY[$$NULL, '{a}', NULL, NULL$$, $$'{}', '{a}', NULL, NULL$$, $$'{kept2}', '{a}', NULL, NULL$$, $$'{kept2,r2}', '{a}', NULL, NULL$$, $$named('release', 3000), '{a}', 0, NULL$$]) AS c;

-- One release, nobody, a column without values, records that are alike: what is the same for all is one of n.
CREATE TABLE alike AS SELECT i AS id, 1 AS a, NULL::int AS b, 'x'::text AS s FROM generate_series(1, 5) AS i;
CREATE TABLE alike_too AS TABLE alike;
ALTER TABLE alike ADD PRIMARY KEY (id);
ALTER TABLE alike_too ADD PRIMARY KEY (id);
SELECT attack, targets, percent, candidates, inside, guess, error, wrong FROM sdc_link_releases('{alike_too}', '{a}', '{alike}', 10, '{s}') WHERE release IS NULL;
SELECT attack, targets, percent, candidates, inside, guess, error FROM sdc_link_releases('{alike_too}', '{a,b}', '{alike}', 10) WHERE release IS NULL;
CREATE TABLE nobody (LIKE alike INCLUDING ALL);
SELECT attack, targets, percent, candidates, inside, guess, error FROM sdc_link_releases('{alike_too,nobody}', '{a,b}', '{alike}', 10) WHERE release IS NULL OR release = 'nobody'::regclass;
SELECT * FROM sdc_compare_releases('alike_too', 'nobody', '{a,b}', '{alike,nobody}', p => 10);
SELECT * FROM sdc_compare_releases('alike_too', 'nobody', '{a,b}', '{alike,nobody}', false, 10);
-- A copied column is known as it is.
SELECT attack, percent, candidates FROM sdc_link_releases('{r1}', '{a,s}', p => 25) WHERE release IS NULL AND attack IN ('windows', 'certain');

-- What cannot be measured.
CREATE TABLE other_key (id int, "no" int PRIMARY KEY, a int, b int, s int);
CREATE TABLE other_type (id int PRIMARY KEY, a text, b int, s int);
CREATE TABLE twice (id int, a int, b int, s int);
INSERT INTO twice VALUES (1, 2, 3, 4), (1, 2, 3, 4);
CREATE TABLE without (id int, a int, b int, s int);
INSERT INTO without VALUES (NULL, 2, 3, 4);
SELECT c, helper.catch('SELECT * FROM sdc_link_releases(' || c || ')') FROM unnest(ARRAY[$$NULL$$, $$'{}'$$, $$'{r1,NULL}'$$, $$'{{r1},{r2}}'$$, $$'{r1,r1}', p => 5$$, $$'{r1,alike}', p => 5$$, $$'{r1,r2}'$$, $$'{r1,r2}', '{}', p => 5$$,
	$$'{r1,r2}', '{z}', p => 5$$, $$'{r1,r2}', '{a,a}', p => 5$$, $$'{r1,r2}', '{id}', p => 5$$, $$'{r1,r2}', '{a}', '{}', 5$$, $$'{r1,r2}', '{a}', '{s1,s2,s1}', 5$$, $$'{r1,r2}', '{a}', '{s1,NULL}', 5$$, $$'{r1,r2}', p => 0$$, $$'{r1,r2}', p => 'NaN'$$,
	$$'{r1,r2}', p => 100.1$$, $$'{r1,r2}', '{a}', p => 5, sensitive => '{a}'$$, $$'{r1,r2}', '{a}', p => 5, sensitive => '{b}'$$, $$'{r1,r2}', '{a}', p => 5, sensitive => '{}'$$, $$'{alike}', '{a}', '{alike}'$$, $$'{alike}', '{a}', p => 5$$, $$'{alike}', NULL, '{alike}', 5$$,
	$$'{twice}', '{a}', '{alike}', 5$$, $$'{alike,other_key}', '{a}', '{alike}', 5$$, $$'{alike,other_type}', '{a}', '{alike}', 5$$, $$'{alike}', '{a}', '{twice}', 5$$, $$'{alike}', '{a}', '{without}', 5$$]) AS c;
SELECT c, helper.catch('SELECT * FROM sdc_compare_releases(' || c || ')') FROM unnest(ARRAY[$$NULL, 'r2'$$, $$'r1', NULL$$, $$'r1', 'r1', p => 5$$, $$'r1', 'r2'$$, $$'r1', 'r2', '{a}', '{s1,s2,s1}', p => 5$$, $$'r1', 'r2', linkable => NULL, p => 5$$, $$'r1', 'r2', p => -1$$]) AS c;
-- A release whose source is gone needs one that is named.
CREATE TABLE s3 (LIKE s2 INCLUDING ALL);
CREATE TABLE r3 (LIKE s2 INCLUDING ALL);
SELECT sdc_register('s3', 'r3', columns => '{a,b}');
DROP TABLE s3;
SELECT helper.catch($$SELECT * FROM sdc_link_releases('{r3}', '{a}', p => 5)$$), (SELECT count(*) FROM sdc_link_releases('{r3,r2}', '{a}', '{s2}', 5));
-- The rights of the caller.
CREATE ROLE regress_sdc_links;
GRANT USAGE ON SCHEMA link_releases, helper TO regress_sdc_links;
GRANT SELECT ON r1, r2, s2 TO regress_sdc_links;
GRANT SELECT (id, a) ON s1 TO regress_sdc_links;
SET ROLE regress_sdc_links;
SELECT count(*) FROM sdc_link_releases('{r1,r2}', '{a}', p => 25);
SELECT helper.catch($$SELECT * FROM sdc_link_releases('{r1,r2}', '{a,b}', p => 25)$$), helper.catch($$SELECT * FROM sdc_compare_releases('r1', 'r2', '{b}', p => 25)$$), helper.catch($$SELECT * FROM sdc_link_releases('{r1,alike}', '{a}', '{s2}', 25)$$);
RESET ROLE;
DROP OWNED BY regress_sdc_links;
DROP ROLE regress_sdc_links;
DROP SCHEMA link_releases CASCADE;
