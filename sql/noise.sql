--
-- noise
--
-- Noise beside plain SQL: what is drawn, what an analyst makes of it, who is found, bounds and rounding, a release that is
-- continued, and what is refused.
--
\pset format unaligned
\pset footer off
CREATE SCHEMA noise;
SET search_path = noise, public;
SET extra_float_digits = 1;

CREATE TABLE person (id int PRIMARY KEY, age int, wealth float8, hours numeric(6,1), owed float8, site text);
INSERT INTO person SELECT i, 17 + helper.below(i, 1, 60), exp(helper.uniform(i, 2) * 4), CASE WHEN helper.below(i, 3, 12) > 0 THEN helper.below(i, 4, 600) / 10.0 END,
	CASE helper.below(i, 5, 3) WHEN 0 THEN 0 WHEN 1 THEN -9 ELSE exp(helper.uniform(i, 2) * 4) * (helper.uniform(i, 6) - 0.5) END, (ARRAY['a', 'b'])[1 + helper.below(i, 7, 2)] FROM generate_series(1, 400) AS i;
INSERT INTO person VALUES (401, 50, 'NaN', 3, 1, 'a'), (402, 50, 'Infinity', 3, 1, 'b');

--
-- The released column is one of a normal distribution around the original: (y - x) / (amount sd), over 30 seeds, in ten equal
-- parts of the distribution.  NULL, codes, NaN and infinities stay, and nothing depends on the other columns or on strata.
--
CREATE TABLE drawn (seed int, id int, age int, wealth float8, hours numeric, owed float8);
CREATE FUNCTION normal(z float8) RETURNS float8 LANGUAGE sql IMMUTABLE AS $$
	-- a quadrature of Simpson from 0, far more exact than what it is for
	SELECT 0.5 + sign(z) * abs(z) / 600 * sum(CASE WHEN i IN (0, 200) THEN 1 WHEN i % 2 = 1 THEN 4 ELSE 2 END * exp(-((z * i / 200) ^ 2) / 2)) / sqrt(2 * pi()) FROM generate_series(0, 200) AS i
$$;
CREATE PROCEDURE draw(seeds int, arguments text) LANGUAGE plpgsql AS $$
BEGIN
	TRUNCATE drawn;
	FOR seed IN 1 .. seeds LOOP
		EXECUTE format('INSERT INTO drawn SELECT %s, id, age, wealth, hours, owed FROM sdc_noise(NULL::person, %s, keep => ''{site}'', key => ''{id}'', missing => ''{"owed": [-9]}'', seed => %s)', seed, arguments, seed);
	END LOOP;
END
$$;
CALL draw(30, '0.5, columns => ''{age,wealth,hours,owed}''');
SELECT count(*) AS cells, count(*) FILTER (WHERE (p.hours IS NULL) <> (d.hours IS NULL)) AS nulls, count(*) FILTER (WHERE (p.owed = -9) AND d.owed <> -9) AS codes, count(*) FILTER (WHERE p.id > 400 AND p.wealth <> d.wealth) AS not_finite FROM person AS p JOIN drawn AS d USING (id);
WITH sd AS (SELECT stddev(wealth) AS wealth FROM person WHERE id <= 400), z AS (SELECT (d.wealth - p.wealth) / (0.5 * sd.wealth) AS z FROM person AS p JOIN drawn AS d USING (id), sd WHERE id <= 400),
	part AS (SELECT width_bucket(z, ARRAY[-1.2815515655, -0.8416212336, -0.5244005127, -0.2533471031, 0, 0.2533471031, 0.5244005127, 0.8416212336, 1.2815515655]) AS part, count(*) AS n FROM z GROUP BY 1)
SELECT count(*) AS parts, sum((n - 1200.0) ^ 2 / 1200) < 27.9 AS once_in_a_thousand FROM part;
SELECT count(*) AS records FROM sdc_noise('person'::regclass, 0.5, columns => '{wealth}', strata => '{site}', target => 'noise.alone', keep => '{}', seed => 30);
SELECT count(*) AS differ FROM drawn AS d JOIN alone USING (id) WHERE seed = 30 AND alone.wealth <> d.wealth;
SELECT parameters ->> 'amount' AS amount, parameters ->> 'scheme' AS scheme, abs((parameters -> 'laws' -> 'wealth' ->> 'sd')::float8 / (SELECT stddev(wealth) FROM person WHERE id <= 400) - 1) < 1e-4 AS sd FROM sdc_releases WHERE release = 'alone'::regclass;
CREATE VIEW blank AS SELECT id, age, wealth, hours, nullif(owed, -9) AS owed, site FROM person;
SELECT count(*) AS differ FROM sdc_noise(NULL::blank, 0.5, columns => '{age,wealth,hours,owed}', keep => '{site}', key => '{id}', seed => 30) AS b JOIN drawn AS d USING (id) WHERE seed = 30 AND (b.age, b.wealth, b.hours, coalesce(b.owed, -9)) IS DISTINCT FROM (d.age, d.wealth, d.hours, d.owed);

--
-- What an analyst makes of it: means, variances and covariances of the source, from the release and the amount, are right in
-- expectation, within four standard errors over the seeds.
--
CREATE FUNCTION corrected(scheme text, amount float8) RETURNS TABLE (what text, truth boolean) LANGUAGE sql AS $$
	WITH one AS (SELECT seed, avg(wealth) AS mean, variance(wealth) AS variance, covar_samp(wealth, age) AS covariance, avg(wealth ^ 2) / (1 + amount ^ 2) AS q, count(*) AS n FROM drawn WHERE id <= 400 GROUP BY seed),
		estimate AS (SELECT mean, CASE scheme WHEN 'kim' THEN variance WHEN 'multiplicative' THEN (q - mean ^ 2 + amount ^ 2 * q / n) * n / (n - 1) ELSE variance / (1 + amount ^ 2) END AS variance,
			covariance / CASE scheme WHEN 'correlated' THEN 1 + amount ^ 2 ELSE 1 END AS covariance FROM one),
		source AS (SELECT avg(wealth) AS mean, variance(wealth) AS variance, covar_samp(wealth, age) AS covariance FROM person WHERE id <= 400)
	SELECT w.what, abs(avg(w.estimate) - min(w.source)) < 4 * stddev(w.estimate) / sqrt(count(*)) FROM estimate AS e, source AS s, LATERAL (VALUES ('mean', e.mean, s.mean), ('variance', e.variance, s.variance), ('covariance', e.covariance, s.covariance)) AS w (what, estimate, source) GROUP BY 1 ORDER BY 1
$$;
SELECT 'additive' AS scheme, * FROM corrected('additive', 0.5);
CALL draw(60, '0.7, ''correlated'', ''{age,wealth}''');
SELECT 'correlated' AS scheme, * FROM corrected('correlated', 0.7);
-- the noise is that of the covariances: its correlation is that of the columns
SELECT abs(corr(d.age - p.age, d.wealth - p.wealth) - (SELECT corr(age, wealth) FROM person WHERE id <= 400)) < 0.03 AS correlated FROM person AS p JOIN drawn AS d USING (id) WHERE id <= 400;
CALL draw(60, '0.7, ''kim'', ''{age,wealth}''');
SELECT 'kim' AS scheme, * FROM corrected('kim', 0.7);
CALL draw(60, '0.7, ''multiplicative'', ''{age,wealth,owed}''');
SELECT 'multiplicative' AS scheme, * FROM corrected('multiplicative', 0.7);
SELECT count(*) FILTER (WHERE sign(p.owed) <> sign(d.owed)) AS other_signs, count(*) FILTER (WHERE p.owed = 0 AND d.owed = 0) > 0 AS zeros_stay FROM person AS p JOIN drawn AS d USING (id);
-- columns that depend on each other, and one that is constant
CREATE TABLE singular AS SELECT i AS id, helper.uniform(i, 8) AS a, 2 * helper.uniform(i, 8) AS b, helper.uniform(i, 9) AS c, 7.0::float8 AS d FROM generate_series(1, 200) AS i;
SET client_min_messages = warning;
\set VERBOSITY terse
SELECT count(*) FROM sdc_noise('singular'::regclass, 0.3, 'correlated', '{a,b,c,d}', target => 'noise.s', key => '{id}', seed => 1);
SET client_min_messages = error;
\set VERBOSITY default
SELECT bool_and(abs(s.b - 2 * s.a) < 1e-9) AS depend, bool_and(s.d = 7) AS constant, count(*) FILTER (WHERE s.a = o.a) AS kept FROM s JOIN singular AS o USING (id);

--
-- Bounds and rounding: nothing is outside, rounded numbers have their decimals, and the law is cut: for x = 0 with [0, ) it is half
-- a normal distribution.
--
CALL draw(30, '1, columns => ''{age,hours,owed}'', bounds => ''{"age": [17, 76], "hours": [0, null]}''');
SELECT min(age) >= 17 AND max(age) <= 76 AND min(hours) >= 0 AS within, max(scale(hours)) AS decimals, count(*) FILTER (WHERE age IN (17, 76)) / 30 < 20 AS no_pile FROM drawn;
WITH sd AS (SELECT stddev(age) AS s FROM person),
	law AS (SELECT x.age AS x, y AS y, (normal((least(y + 0.5, 76) - x.age) / s) - normal((greatest(y - 0.5, 17) - x.age) / s)) / (normal((76 - x.age) / s) - normal((17 - x.age) / s)) * 30 * x.n AS n FROM (SELECT age, count(*) AS n FROM person GROUP BY 1 HAVING count(*) > 9 ORDER BY 1 LIMIT 3) AS x, generate_series(17, 76) AS y, sd)
SELECT count(*) > 100 AS cells, abs(sum(l.n) - (SELECT 30 * count(*) FROM person WHERE age IN (SELECT x FROM law))) < 1e-6 AS all, sum((coalesce(d.n, 0) - l.n) ^ 2 / l.n) < count(*) + 4.5 * sqrt(2 * count(*)) AS chance
	FROM law AS l LEFT JOIN (SELECT p.age AS x, d.age AS y, count(*) AS n FROM person AS p JOIN drawn AS d USING (id) GROUP BY 1, 2) AS d USING (x, y);

--
-- Who is found, by the definition: the highest product of the laws.
--
CREATE FUNCTION found(release text, law text, known name[], compared text DEFAULT '.*') RETURNS TABLE (told text, same boolean) LANGUAGE plpgsql AS $$
DECLARE
	found text;
BEGIN
	EXECUTE format($f$
	WITH pair AS (SELECT x.id, y.id AS other, %s AS likelihood FROM person AS x, %I AS y),
		best AS (SELECT id, max(likelihood) AS best, count(*) AS candidates FROM pair WHERE likelihood IS NOT NULL GROUP BY 1),
		tie AS (SELECT p.id, bool_or(p.other = p.id)::int::float8 / count(*) AS share FROM pair AS p JOIN best AS b USING (id) WHERE p.likelihood >= b.best - 1e-9 GROUP BY 1)
	SELECT format('candidates %%s, nearest %%s', round((SELECT sum(1 / candidates::float8) FROM best)::numeric, 6), round((SELECT sum(share) FROM tie)::numeric, 6))$f$, law, release) INTO found;
	SELECT format('candidates %s, nearest %s', round(min(p.found) FILTER (WHERE attack = 'candidates')::numeric, 6), round(min(p.found) FILTER (WHERE attack = 'nearest')::numeric, 6)) INTO told FROM sdc_people_found(release::regclass, known) AS p;
	same := substring(told FROM compared) = substring(found FROM compared);
	RETURN NEXT;
END
$$;
DELETE FROM person WHERE id > 400;
SELECT count(*) FROM sdc_noise('person'::regclass, 0.2, columns => '{wealth,owed}', target => 'noise.two', keep => '{site,hours}', seed => 4);
-- of floats it is the distance in standard deviations
SELECT * FROM found('two', '-((y.wealth - x.wealth) ^ 2 / (SELECT variance(wealth) FROM person) + (y.owed - x.owed) ^ 2 / (SELECT variance(owed) FROM person)) / 0.08', '{wealth,owed}');
SELECT * FROM found('two', 'CASE WHEN x.site = y.site THEN -((y.wealth - x.wealth) ^ 2 / (SELECT variance(wealth) FROM person)) / 0.08 END', '{wealth,site}');
-- of whole numbers the mass, with bounds; and with PRAM beside it
SELECT count(*) FROM sdc_protect('person'::regclass, '[{"method": "noise", "columns": ["age"], "amount": 0.2, "bounds": {"age": [17, 76]}}, {"method": "pram", "columns": ["site"], "retain": 0.7}]', target => 'noise.both', keep => '{}', seed => 4);
CREATE TABLE mass AS SELECT x, y, ln((normal((least(y + 0.5, 76) - x) / s) - normal((greatest(y - 0.5, 17) - x) / s)) / (normal((76 - x) / s) - normal((17 - x) / s))) AS m FROM generate_series(17, 76) AS x, generate_series(17, 76) AS y, (SELECT 0.2 * stddev(age) AS s FROM person) AS s WHERE abs(x - y) < 4 * s;
CREATE TABLE share AS SELECT site, count(*) / 400.0::float8 AS p FROM person GROUP BY 1;
ALTER TABLE mass ADD PRIMARY KEY (x, y);
-- (who is too far away has no mass that this quadrature could tell from 0, and is the nearest of nobody)
SELECT * FROM found('both', '(SELECT m + ln(0.7 * (x.site = y.site)::int + 0.3 * (SELECT p FROM share AS p WHERE p.site = y.site)) FROM mass AS m WHERE m.x = x.age AND m.y = y.age)', '{age,site}', 'nearest.*');
SELECT count(*) FROM sdc_noise('person'::regclass, 0.3, 'multiplicative', '{owed}', target => 'noise.scaled', keep => '{}', seed => 4);
SELECT * FROM found('scaled', 'CASE WHEN sign(x.owed) = sign(y.owed) THEN CASE WHEN x.owed = 0 THEN 0 ELSE -((ln(y.owed / nullif(x.owed, 0)) + ln(1.09::float8) / 2) ^ 2) / (2 * ln(1.09::float8)) - ln(abs(y.owed)) END END', '{owed}');
SELECT round(parameter::numeric, 3) AS amount, people_found BETWEEN 1 AND 400 AS found FROM sdc_sweep('person', 'noise', '{0.1,1}', columns => '{wealth,owed}', known => '{wealth,owed}', seed => 1);

--
-- Continued: the noise of a number stays as long as the number does.
--
CREATE TABLE night AS SELECT i AS id, helper.below(i, 10, 100000) AS a FROM generate_series(1, 200) AS i;
ALTER TABLE night ADD PRIMARY KEY (id);
SELECT count(*) FROM sdc_noise('night'::regclass, 0.5, columns => '{a}', target => 'noise.tonight', continued => true, seed => 5);
CREATE TABLE first AS TABLE tonight;
SELECT kept, drawn FROM sdc_noise('night'::regclass, 0.5, columns => '{a}', target => 'noise.tonight', continued => true, seed => 5) WHERE action = 'protected';
UPDATE night SET a = a + 100000 WHERE id <= 50;
INSERT INTO night VALUES (201, 5);
SELECT kept, drawn FROM sdc_noise('night'::regclass, 0.5, columns => '{a}', target => 'noise.tonight', continued => true, seed => 5) WHERE action = 'protected';
SELECT count(*) FILTER (WHERE id > 50 AND t.a <> f.a) AS kept_differ, count(*) FILTER (WHERE id <= 50 AND t.a = f.a) AS changed_same FROM tonight AS t JOIN first AS f USING (id);
SELECT abs((parameters -> 'laws' -> 'a' ->> 'sd')::float8 / (SELECT stddev(a - 100000 * (id <= 50)::int) FROM night WHERE id < 201) - 1) < 1e-4 AS sd_of_the_first FROM sdc_releases WHERE release = 'tonight'::regclass;

--
-- Units that are finer than double precision can tell: the likeliest record is the nearest one all the same.
--
CREATE TABLE fine AS SELECT i AS id, helper.below(i, 8, 1000000) / 7.0 AS a, helper.below(i, 8, 1000000) * 1e12 / 7.00000000000000000000000000001 AS b FROM generate_series(1, 300) AS i;
ALTER TABLE fine ADD PRIMARY KEY (id);
SELECT count(*) AS columns FROM sdc_noise('fine'::regclass, 0.1, columns => '{a,b}', target => 'noise.finer', keep => '{}', seed => 1) WHERE action = 'protected';
SELECT k.name, scale(max(CASE k.name WHEN 'a' THEN y.a ELSE y.b END)) > 14 AS fine, p.found = n.found AND p.found > 1 AS nearest FROM (VALUES ('a'), ('b')) AS k (name), finer AS y, sdc_people_found('finer'::regclass, ARRAY[k.name::name]) AS p,
	LATERAL (SELECT sum((SELECT count(*) FILTER (WHERE l.id = o.id)::float8 / count(*) FROM finer AS l WHERE abs(CASE k.name WHEN 'a' THEN l.a - o.a ELSE l.b - o.b END) = (SELECT min(abs(CASE k.name WHEN 'a' THEN m.a - o.a ELSE m.b - o.b END)) FROM finer AS m))) AS found FROM fine AS o) AS n
	WHERE p.attack = 'nearest' GROUP BY k.name, p.found, n.found ORDER BY 1;

--
-- Types, ends, and what is refused.
--
CREATE DOMAIN positive AS int CHECK (value > 0);
CREATE TABLE kinds (id int PRIMARY KEY, small int2, large int8, single float4, decimal numeric, "A b" numeric(9,3), word text, cash money, few positive, day date);
INSERT INTO kinds SELECT i, i, i * 1000000007::int8, i / 7.0, i / 8.0, i * 1.5, 'x', i, i, '2020-01-01' FROM generate_series(1, 50) AS i;
SELECT attribute, changed > 40 AS changed FROM sdc_noise('kinds'::regclass, 0.5, columns => '{small,large,single,decimal,"A b"}', target => 'noise.k', keep => '{}', seed => 1) WHERE action = 'protected';
SELECT max(scale(decimal)) AS decimals, max(scale("A b")) AS of_type FROM k;
SELECT helper.catch(format('SELECT sdc_noise(''kinds''::regclass, %s)', a)) FROM unnest(ARRAY['NULL', '0', '-1', $$'NaN'$$, $$'Infinity'$$, $$0.5, 'loud'$$, '0.5, NULL', $$0.5, columns => '{word}'$$, $$0.5, columns => '{cash}'$$, $$0.5, columns => '{day}'$$, $$0.5, columns => '{few}'$$, $$0.5, columns => '{nothing}'$$,
	$$0.5, columns => '{small}', bounds => '[]'$$, $$0.5, columns => '{small}', bounds => '{"large": [0, 1]}'$$, $$0.5, columns => '{small}', bounds => '{"small": [0]}'$$, $$0.5, columns => '{small}', bounds => '{"small": [5, 1]}'$$, $$0.5, columns => '{small}', bounds => '{"small": [10, 40]}', target => 'refused'$$,
	$$0.5, 'kim', '{small}', '{"small": [0, 100]}'$$, $$0.5, 'correlated', '{small}', continued => true, target => 'refused'$$, $$1e6, columns => '{small}', target => 'refused'$$, $$0.5, columns => '{small}', continued => true, bounds => '{"nothing": [0, 1]}', target => 'refused'$$]) AS a;
CREATE TABLE empty (id int PRIMARY KEY, a int, b float8);
SELECT attribute, records, changed FROM sdc_noise('empty'::regclass, 0.5, 'kim', '{a,b}', target => 'noise.none', seed => 1);
INSERT INTO empty VALUES (1, 3, 'NaN');
SELECT attribute, records, changed FROM sdc_noise('empty'::regclass, 0.5, 'kim', '{a,b}', target => 'noise.one', seed => 1);
SET client_min_messages = error;
DROP SCHEMA noise CASCADE;
