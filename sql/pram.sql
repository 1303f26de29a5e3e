--
-- pram
--
-- PRAM beside plain SQL: what is drawn, matrices and what is wrong with them, who is found, what is estimated, and a release
-- that is continued.
--
\pset format unaligned
\pset footer off
CREATE SCHEMA pram;
SET search_path = pram, public;

CREATE TABLE person (id int PRIMARY KEY, sex text, illness varchar(9), age int, income numeric(9,2), site text);
INSERT INTO person SELECT i, (ARRAY['f', 'm'])[1 + helper.below(i, 1, 2)],
	CASE WHEN helper.below(i, 2, 20) > 0 THEN (ARRAY['asthma', 'cold', 'cold', 'cold', 'flu', 'flu', 'gout', 'none', 'none', 'none', 'none', 'none'])[1 + helper.below(i, 3, 12)] END,
	17 + helper.below(i, 4, 20), CASE WHEN helper.below(i, 5, 9) = 0 THEN -9 ELSE helper.below(i, 6, 12) * 100 END, (ARRAY['a', 'b'])[1 + helper.below(i, 7, 2)]
FROM generate_series(1, 600) AS i;

--
-- With retain q a value is (u, v) with probability q [u = v] + (1 - q) P(v): chi-square of all pairs of the values of 40 releases, by
-- stratum. Margins stay in expectation, and NULL and codes stay.
--
CREATE TABLE drawn (seed int, id int, illness text, income numeric);
DO $$
BEGIN
	FOR seed IN 1 .. 40 LOOP
		PERFORM sdc_pram('person'::regclass, '{illness,income}', 0.6, target => 'pram.one', strata => '{site}', keep => '{}', seed => seed, missing => '{"income": [-9]}', replace => seed > 1);
		INSERT INTO drawn SELECT seed, id, illness, income FROM one;
	END LOOP;
END
$$;
SELECT count(*) FILTER (WHERE (p.illness IS NULL) <> (d.illness IS NULL)) AS nulls, count(*) FILTER (WHERE (p.income = -9) <> (d.income = -9)) AS codes FROM person AS p JOIN drawn AS d USING (id);
WITH pair AS (SELECT p.site, p.illness AS u, d.illness AS v, count(*) AS n FROM person AS p JOIN drawn AS d USING (id) WHERE p.illness IS NOT NULL GROUP BY 1, 2, 3),
	margin AS (SELECT site, illness, count(*) AS n, sum(count(*)) OVER (PARTITION BY site) AS total FROM person WHERE illness IS NOT NULL GROUP BY 1, 2),
	expected AS (SELECT u.site, u.illness AS u, v.illness AS v, 40 * u.n * (0.6 * (u.illness = v.illness)::int + 0.4 * v.n / v.total) AS n FROM margin AS u JOIN margin AS v USING (site))
SELECT count(*) AS pairs, sum((coalesce(p.n, 0) - e.n) ^ 2 / e.n) < 71.0 AS once_in_a_thousand FROM expected AS e LEFT JOIN pair AS p ON (p.site, p.u, p.v) = (e.site, e.u, e.v);

-- What becomes of a column does not depend on the others; and codes are what NULL is.
SELECT * FROM sdc_pram('person'::regclass, '{illness}', 0.6, target => 'pram.alone', strata => '{site}', keep => '{}', seed => 40);
SELECT count(*) AS differ FROM one JOIN alone USING (id) WHERE one.illness IS DISTINCT FROM alone.illness;
CREATE VIEW blank AS SELECT id, sex, illness, age, nullif(income, -9) AS income, site FROM person;
SELECT count(*) FROM sdc_pram('blank'::regclass, '{illness,income}', 0.6, target => 'pram.blanked', key => '{id}', strata => '{site}', keep => '{}', seed => 40);
SELECT count(*) AS differ FROM one JOIN blanked USING (id) WHERE one.income IS DISTINCT FROM coalesce(blanked.income, -9) OR one.illness IS DISTINCT FROM blanked.illness;

--
-- The two-stage matrix by its definition.
--
CREATE FUNCTION two_stage(d float8) RETURNS TABLE (k text, v text, r float8) LANGUAGE sql AS $$
	WITH p AS (SELECT illness AS a, count(*)::float8 AS n, count(*) OVER () AS j FROM person WHERE illness IS NOT NULL GROUP BY 1),
		stage AS (SELECT x.a AS x, y.a AS y, CASE WHEN x.a = y.a THEN d ELSE (1 - d) / (x.j - 1) END AS p FROM p AS x, p AS y),
		made AS (SELECT s.y AS u, sum(s.p * p.n) AS n FROM stage AS s JOIN p ON p.a = s.x GROUP BY 1)
	SELECT one.x, two.x, sum(one.p * two.p * p.n / made.n) FROM stage AS one JOIN stage AS two ON one.y = two.y JOIN made ON made.u = one.y JOIN p ON p.a = two.x GROUP BY 1, 2
$$;
CREATE FUNCTION matrix(m jsonb) RETURNS TABLE (k text, v text, r float8) LANGUAGE sql AS $$
	SELECT m -> 'values' ->> i, m -> 'values' ->> j, (m -> 'p' -> i ->> j)::float8 FROM generate_series(0, jsonb_array_length(m -> 'values') - 1) AS i, generate_series(0, jsonb_array_length(m -> 'values') - 1) AS j
$$;
SELECT count(*) AS cells, max(abs(m.r - t.r)) < 1e-14 AS same FROM matrix(sdc_pram_matrix('person', 'illness', 0.8) -> 'illness') AS m JOIN two_stage(0.8) AS t USING (k, v);
SELECT t.v, count(*) AS records, abs(sum(m.r) - count(*)) < 1e-9 AS invariant FROM person AS p JOIN matrix(sdc_pram_matrix('person', 'illness', 0.8) -> 'illness') AS m ON m.k = p.illness
	JOIN (SELECT DISTINCT illness AS v FROM person) AS t ON t.v = m.v GROUP BY 1 HAVING abs(sum(m.r) - (SELECT count(*) FROM person WHERE illness = t.v)) > 1e-9;
-- a R + (1 - a) I, a as large as the rarest value lets it be
WITH m AS (SELECT m.k, m.v, m.r, t.r AS t FROM matrix(sdc_pram_matrix('person', 'illness', 0.8, 0.85) -> 'illness') AS m JOIN two_stage(0.8) AS t USING (k, v)),
	a AS (SELECT min(0.15 / (1 - t)) AS a FROM m WHERE k = v)
SELECT round(min(r) FILTER (WHERE k = v)::numeric, 12) AS least, max(abs(r - (a * t + (1 - a) * (k = v)::int))) < 1e-14 AS same FROM m, a;
SELECT sdc_pram_matrix('person', 'sex', 1), sdc_pram_matrix('person', 'income', 0.5, missing => '{"income": [-9], "age": [0]}') -> 'income' -> 'values' AS "values";

--
-- Matrices: what cannot be is not drawn, the law of each row, and the order of the values does not matter for what is possible.
--
SELECT * FROM sdc_pram('person'::regclass, matrices => '{"illness": {"values": ["none", "cold", "flu", "gout", "asthma"], "p": [[0.5, 0.5, 0, 0, 0], [0.25, 0.25, 0.25, 0.25, 0], [0, 0, 1, 0, 0], [0, 0, 0, 0, 1], [0.1, 0.2, 0.3, 0.4, 0]]}}',
	target => 'pram.by', keep => '{age,sex}', seed => 7);
SELECT p.illness, string_agg(DISTINCT b.illness, ',' ORDER BY b.illness) AS becomes FROM person AS p JOIN by AS b USING (id) GROUP BY 1 ORDER BY 1;
DO $$
BEGIN
	TRUNCATE drawn;
	FOR seed IN 1 .. 40 LOOP
		INSERT INTO drawn SELECT seed, id, illness, NULL FROM sdc_pram(NULL::person, matrices => '{"illness": {"values": ["none", "cold", "flu", "gout", "asthma"], "p": [[0.5, 0.5, 0, 0, 0], [0.25, 0.25, 0.25, 0.25, 0], [0, 0, 1, 0, 0], [0, 0, 0, 0, 1], [0.1, 0.2, 0.3, 0.4, 0]]}}', keep => '{age,sex,income,site}', seed => seed);
	END LOOP;
END
$$;
WITH law (u, v, p) AS (VALUES ('none', 'none', 0.5), ('none', 'cold', 0.5), ('cold', 'none', 0.25), ('cold', 'cold', 0.25), ('cold', 'flu', 0.25), ('cold', 'gout', 0.25), ('flu', 'flu', 1), ('gout', 'asthma', 1), ('asthma', 'none', 0.1), ('asthma', 'cold', 0.2), ('asthma', 'flu', 0.3), ('asthma', 'gout', 0.4)),
	pair AS (SELECT p.illness AS u, d.illness AS v, count(*) AS n FROM person AS p JOIN drawn AS d USING (id) WHERE p.illness IS NOT NULL GROUP BY 1, 2)
SELECT count(*) AS pairs, count(*) FILTER (WHERE l.p IS NULL) AS impossible, sum((p.n - l.p * u.n) ^ 2 / (l.p * u.n)) < 24.3 AS once_in_a_thousand
	FROM pair AS p LEFT JOIN law AS l USING (u, v) JOIN (SELECT illness AS u, 40 * count(*) AS n FROM person GROUP BY 1) AS u USING (u);

--
-- Who is found, by the definition: the released records with the highest product of likelihoods, compared as logarithms.
--
CREATE FUNCTION found(release text, law text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	found text;
BEGIN
	EXECUTE format($f$
	WITH p AS (SELECT illness AS v, count(*)::float8 / sum(count(*)) OVER () AS p FROM person WHERE illness IS NOT NULL GROUP BY 1), s AS (SELECT sex AS v, count(*)::float8 / sum(count(*)) OVER () AS p FROM person GROUP BY 1),
		pair AS (SELECT x.id, y.id AS other, %s AS likelihood FROM person AS x JOIN %I AS y ON (x.illness IS NULL) = (y.illness IS NULL) LEFT JOIN p ON p.v = y.illness LEFT JOIN s ON s.v = y.sex),
		best AS (SELECT id, max(ln(likelihood)) AS best, count(*) AS candidates FROM pair WHERE likelihood > 0 GROUP BY 1),
		tie AS (SELECT p.id, bool_or(p.other = p.id)::int::float8 / count(*) AS share FROM pair AS p JOIN best AS b USING (id) WHERE likelihood > 0 AND ln(p.likelihood) >= b.best - 1e-9 GROUP BY 1)
	SELECT format('candidates %%s, nearest %%s', round((SELECT sum(1 / candidates::float8) FROM best)::numeric, 6), round((SELECT sum(share) FROM tie)::numeric, 6))$f$, law, release) INTO found;
	RETURN found;
END
$$;
CREATE FUNCTION told(release text, known name[]) RETURNS text LANGUAGE sql AS $$
	SELECT format('candidates %s, nearest %s', round(min(found) FILTER (WHERE attack = 'candidates')::numeric, 6), round(min(found) FILTER (WHERE attack = 'nearest')::numeric, 6)) FROM sdc_people_found(release::regclass, known)
$$;
SELECT count(*) FROM sdc_pram('person'::regclass, '{sex,illness}', 0.7, target => 'pram.kept', keep => '{age}', seed => 3);
SELECT told('kept', '{sex,illness}') AS told, found('kept', '(0.7 * (x.sex = y.sex)::int + 0.3 * s.p) * (CASE WHEN x.illness IS NULL THEN 1 ELSE 0.7 * (x.illness = y.illness)::int + 0.3 * p.p END)') = told('kept', '{sex,illness}') AS same;
SELECT told('kept', '{sex,illness,age}') AS told, found('kept', '(x.age = y.age)::int * (0.7 * (x.sex = y.sex)::int + 0.3 * s.p) * (CASE WHEN x.illness IS NULL THEN 1 ELSE 0.7 * (x.illness = y.illness)::int + 0.3 * p.p END)') = told('kept', '{sex,illness,age}') AS same;
CREATE TABLE law AS SELECT * FROM (VALUES ('none', 'none', 0.5), ('none', 'cold', 0.5), ('cold', 'none', 0.25), ('cold', 'cold', 0.25), ('cold', 'flu', 0.25), ('cold', 'gout', 0.25), ('flu', 'flu', 1), ('gout', 'asthma', 1), ('asthma', 'none', 0.1), ('asthma', 'cold', 0.2), ('asthma', 'flu', 0.3), ('asthma', 'gout', 0.4)) AS l (u, v, p);
SELECT told('by', '{illness,sex,age}') AS told, found('by', '(x.age = y.age AND x.sex = y.sex)::int * (CASE WHEN x.illness IS NULL THEN 1 ELSE coalesce((SELECT l.p FROM law AS l WHERE l.u = x.illness AND l.v = y.illness), 0)::float8 END)') = told('by', '{illness,sex,age}') AS same;
SELECT told('by', '{illness}') AS told, found('by', '(CASE WHEN x.illness IS NULL THEN 1 ELSE coalesce((SELECT l.p FROM law AS l WHERE l.u = x.illness AND l.v = y.illness), 0)::float8 END)') = told('by', '{illness}') AS same;
-- likelihoods of two steps multiply; and an unlucky matrix hides everybody from who knows nothing else
SELECT count(*) FROM sdc_protect('person'::regclass, '[{"method": "pram", "columns": ["sex"], "retain": 0.7}, {"method": "pram", "matrices": {"illness": {"values": ["none", "cold", "flu", "gout", "asthma"], "p": [[0.5, 0.5, 0, 0, 0], [0.25, 0.25, 0.25, 0.25, 0], [0, 0, 1, 0, 0], [0, 0, 0, 0, 1], [0.1, 0.2, 0.3, 0.4, 0]]}}}]',
	target => 'pram.two', keep => '{age}', seed => 3);
SELECT told('two', '{sex,illness}') AS told, found('two', '(0.7 * (x.sex = y.sex)::int + 0.3 * s.p) * (CASE WHEN x.illness IS NULL THEN 1 ELSE coalesce((SELECT l.p FROM law AS l WHERE l.u = x.illness AND l.v = y.illness), 0)::float8 END)') = told('two', '{sex,illness}') AS same;
SELECT method, columns, qi, parameters FROM sdc_releases WHERE release = 'kept'::regclass;

--
-- Estimates of two columns: deviations of both shrink by q^2, of one by q. Without bias, over 100 releases.
--
WITH bit AS (SELECT (sex = 'f')::int AS s, (illness = 'flu')::int AS i FROM kept), a AS (SELECT avg(s) AS s, avg(i) AS i FROM bit)
SELECT e.raw, abs(e.estimate - (SELECT sum((b.s - a.s) * (b.i - a.i) / 0.49 + (a.s * (b.i - a.i) + a.i * (b.s - a.s)) / 0.7 + a.s * a.i) FROM bit AS b, a WHERE b.i IS NOT NULL)) < 1e-9 AS same
	FROM sdc_estimate('kept', conditions => '{"sex = ''f''", "illness = ''flu''"}') AS e;
SELECT e = f AS same FROM sdc_estimate('kept', conditions => '{"sex = ''f''", "illness = ''flu''"}') AS e, sdc_estimate('kept', qi => '{sex,illness}', retain => 0.7, conditions => '{"sex = ''f''", "illness = ''flu''"}') AS f;
CREATE TABLE estimated (estimate float8, standard_error float8);
DO $$
BEGIN
	FOR seed IN 1 .. 100 LOOP
		PERFORM sdc_pram('person'::regclass, '{sex,illness}', 0.7, target => 'pram.kept', keep => '{age}', seed => seed, replace => true);
		INSERT INTO estimated SELECT estimate, standard_error FROM sdc_estimate('kept', conditions => '{"sex = ''f''", "illness = ''flu''"}');
	END LOOP;
END
$$;
SELECT abs(avg(estimate) - (SELECT count(*) FROM person WHERE sex = 'f' AND illness = 'flu')) < 3.5 * stddev(estimate) / 10 AS unbiased, avg(standard_error ^ 2) / variance(estimate) BETWEEN 0.6 AND 1.6 AS error FROM estimated;

--
-- Counts by matrices: what the law makes of the estimates is what the release has, and there is one solution. Of two values both are known in closed form.
--
CREATE TABLE by_matrix AS SELECT '{"illness": {"values": ["none", "cold", "flu", "gout", "asthma"], "p": [[0.8, 0.1, 0, 0.1, 0], [0.05, 0.85, 0.05, 0.05, 0], [0, 0.1, 0.9, 0, 0], [0, 0, 0.2, 0.7, 0.1], [0.1, 0, 0, 0.2, 0.7]]}, "sex": {"values": ["f", "m"], "p": [[0.9, 0.1], [0.3, 0.7]]}}'::jsonb AS m;
SELECT count(*) FROM sdc_pram('person'::regclass, matrices => (SELECT m FROM by_matrix), target => 'pram.both', keep => '{age,income}', seed => 9);
CREATE TABLE becomes AS SELECT n AS name, l.* FROM by_matrix, unnest('{sex,illness}'::text[]) AS n, matrix(m -> n) AS l;
WITH e AS (SELECT cell ->> 'sex' AS sex, cell ->> 'illness' AS illness, estimate, raw FROM sdc_pram_counts('both', '{sex,illness}'))
SELECT count(*) AS cells, sum(raw) AS records, max(abs(raw - (SELECT sum(u.estimate * s.r * coalesce(i.r, 1)) FROM e AS u JOIN becomes AS s ON s.name = 'sex' AND s.k = u.sex AND s.v = v.sex LEFT JOIN becomes AS i ON i.name = 'illness' AND i.k = u.illness AND i.v = v.illness
	WHERE i.k IS NOT NULL OR (u.illness IS NULL AND v.illness IS NULL)))) < 1e-9 AS solves, max(abs(raw - (SELECT count(*) FROM "both" AS b WHERE b.sex = v.sex AND b.illness IS NOT DISTINCT FROM v.illness))) AS counted FROM e AS v;
SELECT cell, abs(e.estimate - (0.7 * f - 0.3 * m) / 0.6) < 1e-9 AS estimate, abs(e.standard_error - sqrt((0.49 * f + 0.09 * m) / 0.36 - (0.7 * f - 0.3 * m) / 0.6)) < 1e-9 AS error, abs(e.low + 1.959964 * e.standard_error - e.estimate) < 1e-9 AS low, abs(e.high - 2 * e.estimate + e.low) < 1e-9 AS high
FROM sdc_pram_counts('both', '{sex}') AS e, (SELECT count(*) FILTER (WHERE sex = 'f') AS f, count(*) FILTER (WHERE sex = 'm') AS m FROM "both") AS c WHERE cell ->> 'sex' = 'f';
-- a copied column stays as it is, in whatever order columns are named
SELECT count(*) AS cells, round(sum(a.estimate)::numeric, 6) AS records, max(abs(a.estimate - b.estimate)) < 1e-9 AS same FROM sdc_pram_counts('both', '{sex,age}') AS a JOIN sdc_pram_counts('both', '{age,sex}') AS b USING (cell);
-- without bias, and with the error of the definition, over 40 releases
CREATE TABLE counted (cell jsonb, estimate float8, standard_error float8);
DO $$
BEGIN
	FOR seed IN 1 .. 40 LOOP
		PERFORM sdc_pram('person'::regclass, matrices => (SELECT m FROM by_matrix), target => 'pram.often', keep => '{age,income}', seed => seed, replace => seed > 1);
		INSERT INTO counted SELECT cell, estimate, standard_error FROM sdc_pram_counts('often', '{illness,sex}') WHERE cell ->> 'illness' IS NOT NULL;
	END LOOP;
END
$$;
SELECT count(*) AS cells, count(*) FILTER (WHERE abs(mean - (SELECT count(*) FROM person AS p WHERE p.sex = cell ->> 'sex' AND p.illness = cell ->> 'illness')) > 3.9 * deviation / sqrt(40)) AS biased, avg(squares) / avg(deviation ^ 2) BETWEEN 0.75 AND 1.3 AS error
FROM (SELECT cell, avg(estimate) AS mean, stddev(estimate) AS deviation, avg(standard_error ^ 2) AS squares FROM counted GROUP BY cell) AS c;
-- somebody who has the published tables only; a matrix that was made of the counts of the source is not published, but can be given
CREATE ROLE regress_sdc_pram;
GRANT USAGE ON SCHEMA pram, helper TO regress_sdc_pram;
SELECT records FROM sdc_publish('both', 'public_both', keep => '{age,income}', grant_to => '{regress_sdc_pram}', force => true);
CREATE TABLE invariant AS SELECT sdc_pram_matrix('person', 'illness', 0.8) AS m;
GRANT SELECT ON invariant TO regress_sdc_pram;
SELECT count(*) FROM sdc_pram('person'::regclass, matrices => (SELECT m FROM invariant), target => 'pram.stays', keep => '{age,sex}', seed => 9);
SELECT records FROM sdc_publish('stays', 'public_stays', keep => '{age,sex}', grant_to => '{regress_sdc_pram}', force => true);
CREATE TABLE wanted AS SELECT * FROM sdc_pram_counts('both', '{sex,illness}');
GRANT SELECT ON wanted TO regress_sdc_pram;
SET ROLE regress_sdc_pram;
SELECT attribute, count(*), sum(value) FROM public_both_accuracy WHERE part = 'matrix' GROUP BY 1 ORDER BY 1;
SELECT measure, value FROM public_both_accuracy WHERE part = 'matrix' AND attribute = 'sex' ORDER BY measure COLLATE "C";
SELECT part, attribute, measure, value FROM public_stays_accuracy WHERE part IN ('matrix', 'method') ORDER BY 1, 2, 3;
SELECT count(*) AS cells, max(abs(p.estimate - w.estimate)) < 1e-9 AS same, max(abs(p.standard_error - w.standard_error)) < 1e-9 AS same_error FROM sdc_pram_counts('public_both', '{sex,illness}') AS p JOIN wanted AS w USING (cell);
SELECT helper.catch($$SELECT sdc_pram_counts('public_stays', '{illness}')$$);
SELECT round(sum(estimate)::numeric, 6) AS records FROM sdc_pram_counts('public_stays', '{illness}', (SELECT m FROM invariant));
SELECT helper.catch($$SELECT sdc_pram_counts('pram.both', '{sex}')$$);
SELECT kind, released > 0 AS released FROM sdc_how_accurate('public_both', 'sex = ''f''');
RESET ROLE;
SELECT sdc_withdraw('public_both', 'over'), sdc_withdraw('public_stays', 'over');
DROP OWNED BY regress_sdc_pram;
DROP ROLE regress_sdc_pram;
-- a matrix that tells nothing, and one that tells little
SET client_min_messages = warning;
\set VERBOSITY terse
SELECT cell, estimate, low, raw > 0 AS raw FROM sdc_pram_counts('both', '{sex}', '{"sex": {"values": ["f", "m"], "p": [[0.4, 0.6], [0.4, 0.6]]}}');
SELECT cell, standard_error > 1000 AS far FROM sdc_pram_counts('both', '{sex}', '{"sex": {"values": ["f", "m"], "p": [[0.5001, 0.4999], [0.4999, 0.5001]]}}');
\set VERBOSITY default
SET client_min_messages = error;
SELECT helper.catch(format('SELECT sdc_pram_counts(%s)', a)) FROM unnest(ARRAY['NULL, NULL', $$'both', NULL$$, $$'both', '{}'$$, $$'both', '{nothing}'$$, $$'kept', '{sex}'$$, $$'person', '{sex}'$$, $$'both', '{sex}', '{"illness": {"values": ["a"], "p": [[1]]}}'$$, $$'both', '{age}', '{"age": {"values": ["a"], "p": [[1]]}}'$$]) AS a;
CREATE TABLE nobody (id int, c text);
SELECT cell, estimate, standard_error, raw FROM sdc_pram_counts('nobody', '{c}', '{"c": {"values": ["a", "b"], "p": [[0.9, 0.1], [0, 1]]}}');
CREATE TABLE broad AS SELECT i AS a, i AS b FROM generate_series(1, 1001) AS i;
SELECT helper.catch($$SELECT sdc_pram_counts('broad', '{a,b}', '{"a": {"values": ["1"], "p": [[1]]}}')$$);

--
-- Continued: a draw stays as long as the value that it is of does; who is new or has changed draws.
--
CREATE TABLE night (id int PRIMARY KEY, a int, b text);
INSERT INTO night SELECT i, 1 + helper.below(i, 8, 4), (ARRAY['x', 'y', 'z'])[1 + helper.below(i, 9, 3)] FROM generate_series(1, 200) AS i;
CREATE FUNCTION night() RETURNS TABLE (attribute name, kept bigint, drawn bigint) LANGUAGE sql AS $$
	SELECT attribute, kept, drawn FROM sdc_protect('night'::regclass, '[{"method": "pram", "columns": ["a"], "retain": 0.5, "continued": true}, {"method": "pram", "continued": true, "matrices": {"b": {"values": ["x", "y", "z"], "p": [[0.4, 0.3, 0.3], [0.3, 0.4, 0.3], [0.3, 0.3, 0.4]]}}}]',
		target => 'pram.tonight', seed => 5) WHERE action = 'protected'
$$;
SELECT count(*) FROM night();
CREATE TABLE first AS TABLE tonight;
SELECT * FROM night();
UPDATE night SET a = 1 + a % 4, b = CASE b WHEN 'x' THEN 'y' WHEN 'y' THEN 'z' ELSE 'x' END WHERE id <= 60;
INSERT INTO night VALUES (201, 1, 'x'), (202, 2, NULL);
SELECT attribute, kept >= 140 AS kept, drawn BETWEEN 20 AND 62 AS drawn FROM night();
SELECT count(*) FILTER (WHERE id > 60 AND (t.a, t.b) IS DISTINCT FROM (f.a, f.b)) AS kept_differ, count(*) FILTER (WHERE id <= 60 AND t.b <> f.b) BETWEEN 25 AND 55 AS changed_differ FROM tonight AS t JOIN first AS f USING (id);

--
-- Units: values that all records of a unit share are drawn once for it, by all methods that draw; so is their noise.
--
CREATE TABLE member AS SELECT i AS id, i / 3 AS household, (ARRAY['north', 'south', 'west'])[1 + helper.below(i / 3, 20, 3)] AS region, helper.below(i / 3, 21, 90)::float8 AS rent FROM generate_series(1, 300) AS i;
SELECT u.attribute, u.level, u.changed BETWEEN 30 AND 200 AS changed FROM sdc_pram('member'::regclass, '{region}', 0.5, key => '{id}', unit => '{household}', target => 'pram.of_units', keep => '{rent}', seed => 1) AS u WHERE u.action = 'protected';
SELECT count(DISTINCT u.region) AS most FROM member AS m JOIN of_units AS u USING (id) GROUP BY m.household ORDER BY 1 DESC LIMIT 1;
SELECT u.attribute, u.level, u.changed > 0 AS changed FROM sdc_randomize('member'::regclass, '{region}', key => '{id}', draws => 1, unit => '{household}', target => 'pram.drawn_units', keep => '{rent}', seed => 1) AS u WHERE u.action = 'protected';
SELECT u.attribute, u.level FROM sdc_noise('member'::regclass, 0.5, columns => '{rent}', key => '{id}', unit => '{household}', target => 'pram.noisy_units', keep => '{region}', seed => 1) AS u WHERE u.action = 'protected';
SELECT count(DISTINCT u.rent) AS most FROM member AS m JOIN noisy_units AS u USING (id) GROUP BY m.household ORDER BY 1 DESC LIMIT 1;

--
-- Ends: no rows, one row, one value, all NULL, a quoted name, and what is refused.
--
CREATE TABLE few ("A b" text, c text, d int);
SELECT attribute, records, changed FROM sdc_pram('few'::regclass, '{"A b",c,d}', 0.5, target => 'pram.none', seed => 1);
INSERT INTO few VALUES ('q', NULL, 1), ('q', NULL, 1), ('q', NULL, 1);
SELECT records, changed FROM sdc_pram('few'::regclass, '{"A b",c,d}', 0.5, target => 'pram.same', seed => 1);
SELECT helper.catch(format('SELECT sdc_pram(''person''::regclass, %s)', a)) FROM unnest(ARRAY['NULL', $$'{sex}'$$, $$'{}', 0.5$$, 'retain => 0.5', $$'{sex}', 0$$, $$'{sex}', 1$$, $$'{sex}', 'NaN'$$, $$'{sex}', 0.5, '{}'$$, $$'{nothing}', 0.5$$, $$'{id}', 0.5$$,
	$$matrices => '{}'$$, $$matrices => '[]'$$, $$matrices => '{"sex": 1}'$$, $$matrices => '{"sex": {"values": ["f", "m"]}}'$$, $$matrices => '{"sex": {"values": [], "p": []}}'$$, $$matrices => '{"sex": {"values": ["f", ["m"]], "p": [[1, 0], [0, 1]]}}'$$,
	$$matrices => '{"sex": {"values": ["f", "m"], "p": [[1, 0]]}}'$$, $$matrices => '{"sex": {"values": ["f", "m"], "p": [[1, 0], [1]]}}'$$, $$matrices => '{"sex": {"values": ["f", "m"], "p": [[1, 0], [-1, 2]]}}'$$, $$matrices => '{"sex": {"values": ["f", "m"], "p": [[1, 0], [0.5, 0.49]]}}'$$,
	$$matrices => '{"sex": {"values": ["f", "m"], "p": [[1, 0], [0, 1]], "q": 1}}'$$, $$matrices => '{"sex": {"values": ["f", "x"], "p": [[1, 0], [0, 1]]}}', target => 'refused'$$, $$matrices => '{"sex": {"values": ["f", "f"], "p": [[1, 0], [0, 1]]}}', target => 'refused'$$,
	$$matrices => '{"age": {"values": ["f", "m"], "p": [[1, 0], [0, 1]]}}', target => 'refused'$$, $$'{age}', matrices => '{"sex": {"values": ["f", "m"], "p": [[1, 0], [0, 1]]}}'$$]) AS a;
SELECT helper.catch($$SELECT sdc_pram('person'::regclass, matrices => jsonb_build_object('sex', jsonb_build_object('values', (SELECT jsonb_agg(i) FROM generate_series(1, 1001) AS i), 'p', '[]'::jsonb)))$$);
SELECT helper.catch(format('SELECT sdc_pram_matrix(''person'', %s)', a)) FROM unnest(ARRAY[$$'sex'$$, $$'sex', 0$$, $$'sex', 1.5$$, $$'sex', 0.5, 0$$, $$'nothing', 0.5$$, $$NULL, 0.5$$]) AS a;
SELECT helper.catch($$SELECT sdc_pram_matrix('few', 'c', 0.5)$$);
SET client_min_messages = error;
DROP SCHEMA pram CASCADE;
