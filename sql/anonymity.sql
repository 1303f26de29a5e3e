--
-- anonymity
--
-- Measures of random anonymization, against the same by plain SQL: probabilistic anonymity,
-- what happens to the support of combinations, how much attributes tell of each other, and what
-- an intruder infers.
--
\pset format unaligned
\pset footer off
SET max_parallel_workers_per_gather = 0;	-- hundreds of small queries
CREATE SCHEMA measured;
SET search_path = measured, public;
SELECT helper.make_people('measured.people', 100);
CREATE TABLE person AS SELECT id, region, sex, age / 20 AS age, job FROM people;
ALTER TABLE person ADD PRIMARY KEY (id);
CREATE TABLE full_person AS SELECT id, region, sex, age, coalesce(job, 'none') COLLATE "C" AS job FROM person;
ALTER TABLE full_person ADD PRIMARY KEY (id);

-- near tells whether two numbers are the same but for rounding.
CREATE FUNCTION near(a float8, b float8, within float8 DEFAULT 1e-12) RETURNS boolean LANGUAGE sql
RETURN abs(a - b) <= within * greatest(1, abs(a));

-- share returns the share of the records with a value of an attribute that have this one.
CREATE FUNCTION share(relation regclass, attribute name, value text) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
	result float8;
BEGIN
	EXECUTE format('SELECT count(*) FILTER (WHERE %1$I::text = $1) / nullif(count(%1$I), 0)::float8 FROM %2$s', attribute, relation) INTO result USING value;
	RETURN coalesce(result, 0);
END
$$;
CREATE FUNCTION entropy(relation regclass, attribute name) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
	result float8;
BEGIN
	EXECUTE format('SELECT -sum(p * ln(p)) FROM (SELECT count(*) / sum(count(*)) OVER () AS p FROM %1$s WHERE %2$I IS NOT NULL GROUP BY %2$I) AS v', relation, attribute) INTO result;
	RETURN coalesce(result, 0);
END
$$;

-- Probabilistic anonymity: exp(sum of p (H - ln p)); the optimum is the sum of the diversities.
SELECT qi, near(sdc_probabilistic_anonymity('person', qi), d) AS optimal, near(sdc_probabilistic_anonymity('person', qi, array_fill(1.0 / m, ARRAY[m])), m * exp(h / m)) AS uniform, m * exp(h / m) < d AS less
FROM (VALUES ('{region,sex,age,job}'::name[]), ('{job,age}'), ('{sex}')) AS q (qi), LATERAL (SELECT sum(exp(entropy('person', a))) AS d, sum(entropy('person', a)) AS h, count(*)::int AS m FROM unnest(qi) AS a) AS e;
SELECT near(sdc_probabilistic_anonymity('person', '{region,job,sex}', '{0.2,0.8,0}'), exp(0.2 * (entropy('person', 'region') - ln(0.2)) + 0.8 * (entropy('person', 'job') - ln(0.8)))) AS given,
	near(sdc_probabilistic_anonymity('person', '{sex,region}', '{1,0}'), exp(entropy('person', 'sex'))) AS only_sex;
-- four equally frequent values and two: 4 + 2
CREATE TABLE even AS SELECT i AS id, i % 4 AS a, i % 2 AS b, 1 AS c, NULL::int AS d FROM generate_series(1, 40) AS i;
SELECT near(sdc_probabilistic_anonymity('even', '{a,b}'), 6), near(sdc_probabilistic_anonymity('even', '{a,b}', '{0.5,0.5}'), 2 * sqrt(8)), near(sdc_probabilistic_anonymity('even', '{c,d}'), 2);
CREATE TABLE nobody (a int, b int);
SELECT sdc_probabilistic_anonymity('nobody', '{a,b}');

-- Support: for each record the probability that it has the combination in a release, over all
-- draws of attributes; then expectation and variance of the share.
CREATE FUNCTION has_combination(r jsonb, combination jsonb, shares jsonb, drawn name[]) RETURNS float8 LANGUAGE sql
RETURN (SELECT coalesce(exp(sum(ln(nullif(p, 0)))), 0) * bool_and(p > 0)::int FROM (
	SELECT CASE WHEN key = ANY (drawn) AND r ->> key IS NOT NULL THEN (shares ->> key)::float8 ELSE (coalesce(r ->> key = value, false))::int END AS p FROM jsonb_each_text(combination)) AS i);
CREATE FUNCTION brute(relation regclass, qi name[], combination jsonb, probabilities float8[] DEFAULT NULL, k int DEFAULT NULL) RETURNS TABLE (records bigint, support float8, expected float8, variance float8) LANGUAGE plpgsql AS $$
BEGIN
	RETURN QUERY EXECUTE format('
		WITH draw AS (
			SELECT ARRAY[a] AS drawn, p FROM unnest($2, $4) AS u (a, p) WHERE $5 IS NULL
			UNION ALL SELECT d.drawn, 1.0 / count(*) OVER () FROM generate_series(0, (1 << cardinality($2)) - 1) AS bits,
				LATERAL (SELECT array_agg(a) AS drawn FROM unnest($2) WITH ORDINALITY AS u (a, i) WHERE bits & (1 << i::int - 1) <> 0) AS d WHERE cardinality(drawn) = $5
		), share AS MATERIALIZED (SELECT jsonb_object_agg(key, share($1, key::name, value)) AS shares FROM jsonb_each_text($3)),
		kind AS (SELECT r, count(*) AS n FROM (SELECT to_jsonb(t) - ''id'' AS r FROM %1$s AS t) AS t GROUP BY r),
		chance AS (SELECT r, n, sum(p * has_combination(r, $3, shares, drawn)) AS chance FROM kind, draw, share GROUP BY r, n)
		SELECT sum(n) FILTER (WHERE r @> j)::bigint, coalesce(sum(n) FILTER (WHERE r @> j), 0)::float8 / sum(n)::float8, sum(n * chance) / sum(n)::float8, sum(n * chance * (1 - chance)) / sum(n)::float8 ^ 2
		FROM chance, (SELECT jsonb_object_agg(key, CASE WHEN key = ''age'' THEN to_jsonb(value::int) ELSE to_jsonb(value) END) AS j FROM jsonb_each_text($3)) AS c', relation)
		USING relation, qi, combination, probabilities, k;
END
$$;
CREATE TABLE cases AS SELECT row_number() OVER () AS n, * FROM (VALUES ('full_person'::regclass, '{"region": "north"}'::jsonb), ('full_person', '{"region": "north", "sex": "f"}'), ('full_person', '{"region": "east", "sex": "m", "age": 1}'),
	('full_person', '{"region": "west", "sex": "m", "age": 1, "job": "none"}'), ('person', '{"job": "cook"}'), ('person', '{"job": "cook", "age": 3}'), ('person', '{"job": "nurse", "age": "1", "region": "west", "sex": "f"}'),
	('full_person', '{"region": "nowhere"}'), ('full_person', '{"region": "nowhere", "sex": "f"}')) AS c (relation, combination);
SELECT n, max(b.records) AS records, count(*) AS compared, bool_and(near(s.support, b.support)) AS support, bool_and(near(s.expected_support, b.expected)) AS expected, bool_and(near(s.variance, b.variance)) AS variance,
	bool_and(CASE WHEN b.support > 0 THEN near(s.relative_bias, abs(b.expected - b.support) / b.support) ELSE s.relative_bias IS NULL END) AS bias, max(s.variance) > 0 AS varies
FROM cases, (VALUES ('{0.4,0.3,0.2,0.1}'::float8[], NULL::int), ('{0,0.5,0,0.5}', NULL), ('{1,0,0,0}', NULL), (NULL, 1), (NULL, 2), (NULL, 3), (NULL, 4)) AS h (probabilities, k),
	LATERAL brute(relation, '{region,sex,age,job}', combination, probabilities, k) AS b, LATERAL sdc_support_bias(relation, '{region,sex,age,job}', combination, probabilities, k) AS s GROUP BY n ORDER BY n;
-- equation (10): the bias by the lifts, with any probabilities; lift is 1 of a single item
CREATE FUNCTION lift(relation regclass, combination jsonb, item text) RETURNS float8 LANGUAGE sql
RETURN (SELECT b.support / (w.support * share(relation, item::name, combination ->> item)) FROM brute(relation, '{region}', combination, '{1}') AS b, brute(relation, '{region}', nullif(combination - item, '{}'), '{1}') AS w);
SELECT n, near(relative_bias, abs((SELECT sum(p * (1 / (lift ->> a)::float8 - 1)) FROM unnest('{region,sex,age,job}'::text[], '{0.4,0.3,0.2,0.1}'::float8[]) AS u (a, p) WHERE combination ? a)), 1e-9) AS by_lift,
	(SELECT bool_and(CASE WHEN combination - key = '{}' THEN value = '1' ELSE near(value::float8, lift(relation, combination, key), 1e-9) END) FROM jsonb_each_text(lift)) AS lifts, (SELECT count(*) FROM jsonb_object_keys(lift)) AS items
FROM cases, LATERAL sdc_support_bias(relation, '{region,sex,age,job}', combination, '{0.4,0.3,0.2,0.1}') WHERE relation = 'full_person'::regclass AND records > 0 ORDER BY n;
-- without probabilities the optimal ones, those of the release
SELECT count(*) FROM sdc_randomize('full_person', '{region,sex,age,job}', seed => 1);
SELECT near(a.expected_support, b.expected_support) AND near(a.variance, b.variance) AND near(a.relative_bias, b.relative_bias) AS optimal
FROM sdc_support_bias('full_person', '{region,sex,age,job}', '{"region": "east", "sex": "m", "age": 1}') AS a,
	LATERAL (SELECT array_agg(p::float8 ORDER BY i) AS p FROM sdc_private.sdc_release_catalog, jsonb_array_elements_text(parameters -> 'probabilities') WITH ORDINALITY AS e (p, i) WHERE release = 'full_person_randomize'::regclass) AS p,
	LATERAL sdc_support_bias('full_person', '{region,sex,age,job}', '{"region": "east", "sex": "m", "age": 1}', p.p) AS b;
-- mean and variance over 300 releases agree with the formulas: within 4 deviations, and a third
CREATE TABLE dependent AS SELECT i AS id, i % 4 AS a, i % 2 AS b, i % 5 AS c FROM generate_series(1, 300) AS i;
ALTER TABLE dependent ADD PRIMARY KEY (id);
CREATE TABLE counted (support float8);
DO $$
BEGIN
	FOR i IN 1 .. 300 LOOP
		INSERT INTO counted SELECT count(*) FILTER (WHERE a = 1 AND b = 1) / 300.0 FROM sdc_randomize(NULL::dependent, '{a,b,c}', draws => 2, seed => i);
	END LOOP;
END
$$;
SELECT abs(avg(c.support) - max(s.expected_support)) < 4 * sqrt(max(variance) / 300) AS mean, var_samp(c.support) / max(variance) BETWEEN 0.75 AND 1.3 AS variance, abs(max(s.support) - max(s.expected_support)) > 4 * sqrt(max(variance) / 300) AS biased
FROM counted AS c, sdc_support_bias('dependent', '{a,b,c}', '{"a": 1, "b": 1}', draws => 2) AS s;
-- types of values: numbers, booleans and text find the column's value; none is found of what is not there
CREATE TABLE typed AS SELECT i AS id, i % 2 = 0 AS b, (i % 4 / 2.0)::numeric(3, 1) AS n, i % 5 * 1.5 AS f, ('x' || i % 3)::varchar(4) AS v, date '2000-01-01' + i % 3 AS d FROM generate_series(1, 60) AS i;
SELECT c, records, near(support, expected_support) AS as_it_was FROM unnest(ARRAY['{"b": true}', '{"b": "t", "n": 0.5}', '{"n": 0.50}', '{"n": "1.500"}', '{"d": "2000-01-02"}', '{"v": "x1", "b": false}', '{"n": 17}', '{"v": ""}']::jsonb[]) AS c, sdc_support_bias('typed', '{b,n,f,v,d}', c, draws => 1);
SELECT * FROM sdc_support_bias('nobody', '{a,b}', '{"a": 1}');

-- Chi-square of all pairs: of the records that have both values.
CREATE FUNCTION chi_square(relation regclass, a name, b name) RETURNS TABLE (records bigint, chi_square float8, fewest int) LANGUAGE plpgsql AS $$
BEGIN
	RETURN QUERY EXECUTE format('WITH p AS (SELECT %1$I AS a, %2$I AS b FROM %3$s WHERE %1$I IS NOT NULL AND %2$I IS NOT NULL), x AS (SELECT a, count(*) AS na FROM p GROUP BY a), y AS (SELECT b, count(*) AS nb FROM p GROUP BY b),
			c AS (SELECT a, b, count(*) AS n FROM p GROUP BY a, b), t AS (SELECT count(*) AS total FROM p)
		SELECT max(total), sum((coalesce(n, 0) - na * nb / total::float8) ^ 2 / (na * nb / total::float8)), least(count(DISTINCT a), count(DISTINCT b))::int FROM t, x CROSS JOIN y LEFT JOIN c USING (a, b)', a, b, relation);
END
$$;
SELECT first_attribute, second_attribute, s.records, near(s.chi_square, c.chi_square, 1e-10) AS chi_square, near(chi_square_n, c.chi_square / c.records, 1e-10) AS per_record, near(cramers_v, sqrt(c.chi_square / c.records / (fewest - 1)), 1e-10) AS v
FROM sdc_chi_square('person', '{job,region,age,sex}') AS s, LATERAL chi_square('person', first_attribute, second_attribute) AS c;
-- 0 without and 1 with full dependence; NULL where nothing can be told
SELECT first_attribute, second_attribute, records, round(chi_square::numeric, 9) AS chi_square, round(cramers_v::numeric, 9) AS v FROM sdc_chi_square('even', '{a,b,c,d}');
CREATE TABLE crossed AS SELECT i % 3 AS a, i % 4 AS b, i % 3 AS c FROM generate_series(1, 12) AS i;
SELECT first_attribute, second_attribute, round(chi_square::numeric, 9) AS chi_square, round(cramers_v::numeric, 9) AS v FROM sdc_chi_square('crossed', '{a,b,c}');
SELECT * FROM sdc_chi_square('nobody', '{b,a}');
