-- anonymization.sql
--		Published and recomputed figures for random anonymization, generalization, permutation
--		and what is measured of them.
--
-- W. Yang, S. Qiao, "A novel anonymization algorithm: privacy protection and knowledge
-- preservation" (2010), on Adult: nine quasi-identifiers and the sensitive occupation.  The exact
-- figures are recomputed ones.  What is random is tested with fixed seeds: chi-square tests at 1 in
-- 10,000, means within four deviations, trends within a stated tolerance.  Where a plain statement
-- in SQL can say what must come out, it does.

\ir lib/check.sql

\set qi '''{education,race,sex,workclass,marital_status,age,relationship,native_country,salary}''::name[]'
\set all '''{education,race,sex,workclass,marital_status,age,relationship,native_country,salary,occupation}''::name[]'
\set even 'array_fill(1 / 9.0::float8, ARRAY[9])'

-- near_ok compares a figure.
CREATE FUNCTION pg_temp.near_ok(found float8, expected float8, tolerance float8, name text)
RETURNS text LANGUAGE sql AS $$
	SELECT pg_temp.ok(abs(found - expected) <= tolerance,
		format('%s: %s within %s', name, expected, tolerance), found::text)
$$;

-- pairs are the values of a record in a release and in the original.
CREATE FUNCTION pg_temp.pairs(r ref.adult, o ref.adult)
RETURNS TABLE (i int, attribute name, value text, was text) LANGUAGE sql IMMUTABLE AS $$
	VALUES (1, 'education'::name, r.education, o.education), (2, 'race', r.race, o.race), (3, 'sex', r.sex, o.sex),
		(4, 'workclass', r.workclass, o.workclass), (5, 'marital_status', r.marital_status, o.marital_status),
		(6, 'age', r.age::text, o.age::text), (7, 'relationship', r.relationship, o.relationship),
		(8, 'native_country', r.native_country, o.native_country), (9, 'salary', r.salary, o.salary)
$$;
CREATE TEMP TABLE original AS
SELECT id, i, attribute, value FROM ref.adult AS r, pg_temp.pairs(r, r);
-- share: of the value in its attribute
CREATE TEMP TABLE marginal AS
SELECT i, attribute, value, count(*) AS records, count(*) / 30162.0::float8 AS share
FROM original GROUP BY i, attribute, value;
CREATE TEMP TABLE optimal AS
SELECT i, attribute, h, exp(h) / sum(exp(h)) OVER () AS p, 1 - same AS differs
FROM (SELECT i, attribute, -sum(share * ln(share)) AS h, sum(share * share) AS same FROM marginal GROUP BY i, attribute) AS e;
ANALYZE original, marginal, optimal;

--
-- Probabilistic anonymity
--
SELECT pg_temp.ok(round(sdc_probabilistic_anonymity('ref.adult', :qi, :even)::numeric, 3) = 33.987,
	'probabilistic anonymity, equal probabilities: 33.987');
SELECT pg_temp.ok(round(sdc_probabilistic_anonymity('ref.adult', :qi)::numeric, 3) = 75.280,
	'probabilistic anonymity, optimal probabilities: 75.280');
SELECT pg_temp.near_ok(sdc_probabilistic_anonymity('ref.adult', :qi, array_agg(p ORDER BY i)), exp(sum(p * (h - ln(p)))), 1e-9,
	'probabilistic anonymity is that of the formula')
FROM optimal;
SELECT pg_temp.ok(abs(sdc_probabilistic_anonymity('ref.adult', :qi, '{.5,.5,0,0,0,0,0,0,0}')
		- exp(sum((h - ln(0.5)) / 2))) < 1e-9, 'an attribute that is never drawn adds nothing to it')
FROM optimal WHERE i <= 2;
SELECT pg_temp.ok(bool_and(round(p::numeric, 4) = published), 'the optimal probabilities are the published ones')
FROM optimal JOIN (VALUES ('age', .6646), ('education', .1001), ('relationship', .0585), ('marital_status', .0469),
	('workclass', .0353), ('sex', .0249), ('native_country', .0236), ('salary', .0233), ('race', .0227)) AS v (attribute, published)
	USING (attribute);

--
-- Random anonymization: what is drawn
--
-- A record that has the value v keeps it with probability 1 - p (1 - P(v)), another one gets it with
-- probability p P(v): all independent.  So the counts of a release have the covariance of a
-- multinomial, times p (2 - p).
--
CREATE TEMP TABLE variant (name text PRIMARY KEY, k int, probabilities float8[]);
INSERT INTO variant VALUES ('RA 1, optimal', NULL, NULL), ('RA 1, equal', NULL, :even), ('RA 2, k = 5', 5, NULL);
CREATE TEMP TABLE drawn AS
SELECT v.name, seed, c.i, c.value, count(*) AS records, count(*) FILTER (WHERE c.value <> c.was) AS changed
FROM variant AS v, generate_series(1, 4) AS seed,
	LATERAL sdc_randomize(NULL::ref.adult, :qi, draws => v.k, probabilities => v.probabilities, seed => seed) AS r
	JOIN ref.adult AS o ON o.id = r.id, LATERAL pg_temp.pairs(r, o) AS c
GROUP BY v.name, seed, c.i, c.value;

SELECT pg_temp.ok(bool_and(records = 4 * 30162), name || ': every record has a value of each attribute')
FROM (SELECT name, i, sum(records) AS records FROM drawn GROUP BY name, i) AS t
GROUP BY name ORDER BY name;
SELECT pg_temp.ok(count(*) = 0, 'every value of a release is one of its attribute')
FROM drawn LEFT JOIN marginal USING (i, value) WHERE marginal.i IS NULL;

WITH spread AS (
	SELECT v.name, o.i, o.attribute, d.p * (2 - d.p) AS c
	FROM variant AS v, optimal AS o,
		LATERAL (SELECT CASE WHEN k IS NOT NULL THEN k / 9.0 WHEN probabilities IS NOT NULL THEN 1 / 9.0 ELSE o.p END) AS d (p)
), cell AS (
	SELECT name, attribute, c, CASE WHEN 4 * m.records * c < 10 THEN 'the rest' ELSE value END AS value,
		sum(4 * m.records) AS expected, sum(coalesce(d.records, 0)) AS observed
	FROM spread JOIN marginal AS m USING (i, attribute)
	LEFT JOIN (SELECT name, i, value, sum(records) AS records FROM drawn GROUP BY name, i, value) AS d USING (name, i, value)
	GROUP BY name, attribute, c, 4
)
SELECT pg_temp.chi_square_ok(array_agg(observed / c ORDER BY value), array_agg(expected / c ORDER BY value),
	format('%s: %s keeps its distribution', name, attribute))
FROM cell GROUP BY name, attribute ORDER BY name, attribute;

-- A drawn value is the old one now and then: attribute i changes with probability p_i (1 - sum P_i^2).
SELECT pg_temp.chi_square_ok(array_agg(changed ORDER BY i) || (4 * 30162 - sum(changed)), array_agg(expected ORDER BY i) || (4 * 30162 - sum(expected)),
	name || ': how often each attribute changes')
FROM (SELECT name, i, sum(changed)::float8 AS changed,
		4 * 30162 * differs * CASE name WHEN 'RA 1, optimal' THEN p ELSE 1 / 9.0 END AS expected
	FROM drawn JOIN optimal USING (i) WHERE name ~ '^RA 1' GROUP BY name, i, differs, p) AS t
GROUP BY name ORDER BY name;
SELECT pg_temp.ok(max(abs(changed - expected) / sqrt(expected * (1 - expected / (4 * 30162)))) < 4,
	'RA 2, k = 5: how often each attribute changes, within four deviations',
	max(abs(changed - expected) / sqrt(expected * (1 - expected / (4 * 30162))))::text)
FROM (SELECT i, sum(changed)::float8 AS changed, 4 * 30162 * differs * 5 / 9 AS expected
	FROM drawn JOIN optimal USING (i) WHERE name ~ '^RA 2' GROUP BY i, differs) AS t;

-- With all values different, what is drawn is seen, but for 1 in 30,000.
CREATE TABLE sdc_check.apart AS
SELECT id, id AS a1, id AS a2, id AS a3, id AS a4, id AS a5, id AS a6, id AS a7, id AS a8, id AS a9 FROM generate_series(1, 30000) AS id;
\set apart '''{a1,a2,a3,a4,a5,a6,a7,a8,a9}''::name[]'
-- places is the set of attributes of a record that changed.
CREATE FUNCTION pg_temp.places(r sdc_check.apart)
RETURNS int[] LANGUAGE sql IMMUTABLE AS $$
	SELECT array_remove(ARRAY[CASE WHEN r.a1 <> r.id THEN 1 END, CASE WHEN r.a2 <> r.id THEN 2 END, CASE WHEN r.a3 <> r.id THEN 3 END,
		CASE WHEN r.a4 <> r.id THEN 4 END, CASE WHEN r.a5 <> r.id THEN 5 END, CASE WHEN r.a6 <> r.id THEN 6 END,
		CASE WHEN r.a7 <> r.id THEN 7 END, CASE WHEN r.a8 <> r.id THEN 8 END, CASE WHEN r.a9 <> r.id THEN 9 END], NULL)
$$;
CREATE TEMP TABLE chosen AS
SELECT k, pg_temp.places(r) AS places, count(*) AS records
FROM (VALUES (NULL::int), (1), (2), (5), (8), (9)) AS v (k),
	LATERAL sdc_randomize(NULL::sdc_check.apart, :apart, draws => k,
		probabilities => CASE WHEN k IS NULL THEN '{.3,.2,.15,.1,.1,.08,.05,.02,0}'::float8[] END, key => '{id}', seed => 7) AS r
GROUP BY k, places;
WITH p AS (
	SELECT i, p FROM unnest('{.3,.2,.15,.1,.1,.08,.05,.02,0}'::float8[]) WITH ORDINALITY AS u (p, i)
)
SELECT pg_temp.chi_square_ok(array_agg(coalesce(records, 0)::float8 ORDER BY i), array_agg((30000 - own) * p ORDER BY i),
	'RA 1: attributes are chosen by the given probabilities')
FROM p LEFT JOIN chosen ON k IS NULL AND places = ARRAY[i::int],
	LATERAL (SELECT coalesce(sum(records), 0)::float8 AS own FROM chosen WHERE k IS NULL AND places = '{}') AS o;
SELECT pg_temp.ok(max(cardinality(places)) = 1, 'RA 1: at most one attribute of a record changes')
FROM chosen WHERE k IS NULL;
SELECT pg_temp.ok(max(cardinality(places)) = k AND coalesce(sum(records) FILTER (WHERE cardinality(places) < k), 0) <= 1.5 * k + 4
		AND min(cardinality(places)) >= k - 1,
	format('RA 2: k = %s different attributes of a record are drawn', k), array_agg((cardinality(places), records)::text)::text)
FROM chosen WHERE k IS NOT NULL GROUP BY k ORDER BY k;
SELECT pg_temp.chi_square_ok(array_agg(records::float8) || array_fill(0::float8, ARRAY[sets - count(*)::int]),
	array_fill(sum(records)::float8 / sets, ARRAY[sets]), format('RA 2: all sets of k = %s attributes are equally likely', k))
FROM (VALUES (1, 9), (2, 36), (5, 126), (8, 9)) AS v (k, sets) JOIN chosen USING (k)
WHERE cardinality(places) = k GROUP BY k, sets ORDER BY k;

-- How many attributes of a record of Adult change: the coefficients of products of
-- 1 + y (P_i(v) + (1 - P_i(v)) x), for y^k.
CREATE FUNCTION pg_temp.changes(share float8[], k int)
RETURNS float8[] LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
	chance float8[] := array_fill(0::float8, ARRAY[k + 1, k + 1]);	-- by number drawn and number changed
	sets float8 := 1;
BEGIN
	chance[1][1] := 1;
	FOR i IN 1 .. cardinality(share) LOOP
		FOR y IN REVERSE least(i, k) + 1 .. 2 LOOP
			FOR x IN REVERSE y .. 1 LOOP
				chance[y][x] := chance[y][x] + chance[y - 1][x] * share[i]
					+ CASE WHEN x > 1 THEN chance[y - 1][x - 1] * (1 - share[i]) ELSE 0 END;
			END LOOP;
		END LOOP;
	END LOOP;
	FOR i IN 1 .. k LOOP
		sets := sets * (cardinality(share) - k + i) / i;
	END LOOP;
	RETURN ARRAY(SELECT chance[k + 1][x] / sets FROM generate_series(1, k + 1) AS x);
END
$$;
CREATE TEMP TABLE shares AS
SELECT id, array_agg(share ORDER BY i) AS share FROM original JOIN marginal USING (i, attribute, value)
WHERE id <= 1000 GROUP BY id;
WITH expected AS (
	SELECT k, x - 1 AS changed, 4 * sum(chance) AS expected
	FROM shares, (VALUES (2), (5)) AS v (k), unnest(pg_temp.changes(share, k)) WITH ORDINALITY AS u (chance, x)
	GROUP BY k, x
), observed AS (
	SELECT k, changed, count(*) AS observed
	FROM (SELECT k, seed, o.id, count(*) FILTER (WHERE c.value <> c.was) AS changed
		FROM (VALUES (2), (5)) AS v (k), generate_series(11, 14) AS seed,
			LATERAL sdc_randomize(NULL::ref.adult, :qi, draws => k, seed => seed) AS r
			JOIN ref.adult AS o ON o.id = r.id, LATERAL pg_temp.pairs(r, o) AS c
		WHERE o.id <= 1000 GROUP BY k, seed, o.id) AS t
	GROUP BY k, changed
)
SELECT pg_temp.chi_square_ok(array_agg(coalesce(observed, 0)::float8 ORDER BY changed), array_agg(expected ORDER BY changed),
	format('RA 2, k = %s: how many attributes of a record of Adult change', k))
FROM expected LEFT JOIN observed USING (k, changed) GROUP BY k ORDER BY k;

--
-- The bias and the variance of supports: 40 releases of 5,027 records
--
CREATE TABLE sdc_check.part AS SELECT * FROM ref.adult WHERE id % 6 = 0;
CREATE TEMP TABLE combination (c int, q jsonb);
INSERT INTO combination VALUES
	(1, '{"race": "White", "sex": "Male"}'), (2, '{"relationship": "Husband", "marital_status": "Married-civ-spouse"}'),
	(3, '{"education": "Bachelors", "salary": ">50K", "sex": "Male"}'), (4, '{"age": 23, "marital_status": "Never-married"}'),
	(5, '{"relationship": "Own-child", "salary": "<=50K", "workclass": "Private", "native_country": "United-States"}'),
	(6, '{"relationship": "Wife", "sex": "Male"}'), (7, '{"age": 40}'),
	(8, '{"race": "White", "sex": "Male", "workclass": "Private", "marital_status": "Married-civ-spouse", "relationship": "Husband", "native_country": "United-States"}');
CREATE TEMP TABLE supported AS
SELECT name, c, seed, u.records / 5027.0::float8 AS support
FROM (SELECT v.name, seed, ARRAY[count(*) FILTER (WHERE race = 'White' AND sex = 'Male'),
		count(*) FILTER (WHERE relationship = 'Husband' AND marital_status = 'Married-civ-spouse'),
		count(*) FILTER (WHERE education = 'Bachelors' AND salary = '>50K' AND sex = 'Male'),
		count(*) FILTER (WHERE age = 23 AND marital_status = 'Never-married'),
		count(*) FILTER (WHERE relationship = 'Own-child' AND salary = '<=50K' AND workclass = 'Private' AND native_country = 'United-States'),
		count(*) FILTER (WHERE relationship = 'Wife' AND sex = 'Male'),
		count(*) FILTER (WHERE age = 40),
		count(*) FILTER (WHERE race = 'White' AND sex = 'Male' AND workclass = 'Private' AND marital_status = 'Married-civ-spouse'
			AND relationship = 'Husband' AND native_country = 'United-States')] AS records
	FROM variant AS v, generate_series(1, 40) AS seed,
		LATERAL sdc_randomize(NULL::sdc_check.part, :qi, draws => v.k, probabilities => v.probabilities, key => '{id}', seed => seed)
	GROUP BY v.name, seed) AS r, unnest(r.records) WITH ORDINALITY AS u (records, c);
CREATE TEMP TABLE bias AS
SELECT v.name, c, q, b.*
FROM variant AS v, combination, LATERAL sdc_support_bias('sdc_check.part', :qi, q, probabilities => v.probabilities, draws => v.k) AS b;

CREATE TEMP TABLE rows_of_part AS SELECT to_jsonb(r) AS r FROM sdc_check.part AS r;
SELECT pg_temp.ok(bool_and(records = (SELECT count(*) FROM rows_of_part WHERE r @> q) AND abs(support - records / 5027.0::float8) < 1e-15
		AND CASE WHEN support > 0 THEN abs(relative_bias - abs(expected_support - support) / support) < 1e-9
			ELSE relative_bias IS NULL OR relative_bias = 'NaN' END),
	'sdc_support_bias: records, support and relative bias', string_agg(b::text, E'\n' ORDER BY c))
FROM bias AS b;
-- lift_i = supp(q) / (supp(q without i) P_i(q_i)), and the bias under RA 1 is |sum p_i (1 / lift_i - 1)|
CREATE TEMP TABLE lift AS
SELECT c, e.key AS attribute, l.lift::float8 AS given,
	records * 5027 / nullif(((SELECT count(*) FROM rows_of_part WHERE r @> (q - e.key)) * (SELECT count(*) FROM rows_of_part WHERE r -> e.key = e.value))::float8, 0) AS computed
FROM bias, jsonb_each(q) AS e, jsonb_each_text(bias.lift) AS l (attribute, lift)
WHERE name = 'RA 1, equal' AND l.attribute = e.key AND records > 0;
SELECT pg_temp.ok(bool_and(abs(given - computed) < 1e-9) AND count(*) = 20, 'sdc_support_bias: lift of every value', count(*)::text)
FROM lift;
SELECT pg_temp.ok(bool_and(abs(relative_bias - predicted) < 1e-9) AND count(*) > 5, 'sdc_support_bias: the bias under RA 1 follows from the lifts')
FROM (SELECT c, abs(sum((1 / given - 1) / 9)) AS predicted FROM lift GROUP BY c) AS t JOIN bias USING (c)
WHERE name = 'RA 1, equal';
SELECT pg_temp.ok(max(abs(deviation)) < 4, format('%s: expected supports and the means of 40 releases, within four deviations', name),
	array_agg(round(deviation::numeric, 2) ORDER BY c)::text)
FROM (SELECT b.name, c, (avg(s.support) - expected_support) / sqrt(variance / 40) AS deviation
	FROM supported AS s JOIN bias AS b USING (name, c) GROUP BY b.name, c, expected_support, variance) AS t
GROUP BY name ORDER BY name;
-- 39 s^2 / variance is a chi-square variable: between 15.2 and 82.1 but for 1 in 10,000 on either side
SELECT pg_temp.ok(bool_and(39 * found / variance BETWEEN 15.2 AND 82.1), format('%s: variances of supports and those between 40 releases', name),
	array_agg(round((39 * found / variance)::numeric, 1) ORDER BY c)::text)
FROM (SELECT b.name, c, variance, var_samp(s.support) AS found
	FROM supported AS s JOIN bias AS b USING (name, c) GROUP BY b.name, c, variance) AS t
GROUP BY name ORDER BY name;

--
-- What an intruder infers: the formulas in plain SQL, for 300 records
--
CREATE TABLE sdc_check.few AS SELECT * FROM ref.adult WHERE id <= 300;
CREATE TEMP TABLE inference (name text PRIMARY KEY, mean float8, maximum float8, bound float8, bound_mean float8, hit float8, unchanged float8,
	amplification_mean float8, amplification_maximum float8, impossible bigint);

-- infer computes what sdc_inference_risk returns of the release sdc_check.few_release.
CREATE FUNCTION pg_temp.infer(name text, p float8[])
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	CREATE TEMP TABLE before ON COMMIT DROP AS
	SELECT id, ARRAY[education, race, sex, workclass, marital_status, age::text, relationship, native_country, salary] AS v FROM sdc_check.few;
	CREATE TEMP TABLE after ON COMMIT DROP AS
	SELECT id, ARRAY[education, race, sex, workclass, marital_status, age::text, relationship, native_country, salary] AS v FROM sdc_check.few_release;
	CREATE TEMP TABLE pair ON COMMIT DROP AS
	WITH support AS (
		SELECT v, count(*) AS s FROM before GROUP BY v
	), share AS (
		SELECT i, v[i] AS value, count(*) / 300.0::float8 AS share FROM before, generate_series(1, 9) AS i GROUP BY 1, 2
	), released AS (
		SELECT t.v, array_agg(p[i] * share ORDER BY i) AS a
		FROM (SELECT DISTINCT v FROM after) AS t, generate_series(1, 9) AS i JOIN share USING (i)
		WHERE share.value = t.v[i] GROUP BY t.v
	)
	SELECT r.v, r.a, o.v AS candidate, o.s, d.differs
	FROM released AS r, support AS o,
		LATERAL (SELECT array_agg(i) FROM generate_series(1, 9) AS i WHERE r.v[i] <> o.v[i]) AS d (differs)
	WHERE coalesce(cardinality(differs), 0) <= 1;
	CREATE TEMP TABLE judged ON COMMIT DROP AS
	WITH near AS (		-- n_i: originals that agree with v but in i
		SELECT v, i, a[i] AS a, sum(s)::float8 AS n FROM pair, generate_series(1, 9) AS i
		WHERE differs IS NULL OR differs[1] = i GROUP BY v, i, a[i]
	), total AS (
		SELECT v, sum(a * n) AS d FROM near GROUP BY v
	), weighed AS (
		SELECT v, candidate, s * CASE WHEN differs IS NULL THEN (SELECT sum(x) FROM unnest(a) AS x) ELSE a[differs[1]] END AS weight
		FROM pair
	), bounded AS (
		SELECT v, max(s / n) AS bound
		FROM pair JOIN near USING (v) WHERE near.a > 0 AND (differs IS NULL OR differs[1] = i) GROUP BY v
	)
	SELECT v, max(weight) / d AS most, max(weight) / min(weight) AS amplification, bound,
		(SELECT array_agg(to_json(w.candidate)::text) FROM weighed AS w WHERE w.v = weighed.v
			AND w.weight >= (SELECT max(weight) FROM weighed AS m WHERE m.v = weighed.v) * (1 - 1e-12)) AS heaviest
	FROM weighed JOIN total USING (v) JOIN bounded USING (v)
	WHERE weight > 0 GROUP BY v, d, bound;
	INSERT INTO inference
	SELECT infer.name, avg(most), max(most), max(bound), avg(bound),
		100.0 / 300 * sum(CASE WHEN to_json(before.v)::text = ANY (heaviest) THEN 1.0 / cardinality(heaviest) ELSE 0 END),
		100.0 / 300 * count(*) FILTER (WHERE before.v = after.v), avg(amplification), max(amplification), count(*) FILTER (WHERE most IS NULL)
	FROM after JOIN before USING (id) LEFT JOIN judged ON judged.v = after.v;
	DROP TABLE before, after, pair, judged;
END
$$;

CREATE FUNCTION pg_temp.check_inference(name text, probabilities float8[], seed int)
RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	used float8[];
	e inference;
	g record;
BEGIN
	PERFORM FROM sdc_randomize('sdc_check.few', '{education,race,sex,workclass,marital_status,age,relationship,native_country,salary}',
		probabilities => check_inference.probabilities, key => '{id}', target => 'sdc_check.few_release', seed => seed, replace => true);
	-- the catalog has the probabilities in the order of the columns
	SELECT array_agg(u.p::float8 ORDER BY i) INTO used
	FROM sdc_private.sdc_release_catalog AS r, unnest(columns, ARRAY(SELECT jsonb_array_elements_text(parameters->'probabilities'))) AS u (attribute, p)
	JOIN optimal USING (attribute)
	WHERE release = 'sdc_check.few_release'::regclass;
	PERFORM pg_temp.infer(name, used);
	SELECT * INTO e FROM inference AS i WHERE i.name = check_inference.name;
	SELECT * INTO g FROM sdc_inference_risk('sdc_check.few_release');
	RETURN NEXT pg_temp.ok(cardinality(used) = 9 AND abs(g.mean - e.mean) < 1e-9 AND abs(g.maximum - e.maximum) < 1e-9,
		format('sdc_inference_risk, %s: maximal inference probability by the formula', name), format('%s, expected %s', g, e));
	RETURN NEXT pg_temp.ok(abs(g.bound - e.bound) < 1e-9 AND abs(g.bound_mean - e.bound_mean) < 1e-9 AND e.mean <= e.bound_mean,
		format('sdc_inference_risk, %s: corrected bound by the formula', name), format('%s, expected %s', g, e));
	RETURN NEXT pg_temp.ok(abs(g.hit_percent - e.hit) < 1e-9 AND abs(g.unchanged_percent - e.unchanged) < 1e-9,
		format('sdc_inference_risk, %s: best guesses that are right, unchanged records', name), format('%s, expected %s', g, e));
	RETURN NEXT pg_temp.ok(abs(g.amplification_mean / e.amplification_mean - 1) < 1e-9 AND abs(g.amplification_maximum / e.amplification_maximum - 1) < 1e-9
			AND g.impossible = e.impossible,
		format('sdc_inference_risk, %s: amplification, impossible records', name), format('%s, expected %s', g, e));
END
$$;
SELECT pg_temp.check_inference('equal probabilities', array_fill(1 / 9.0::float8, ARRAY[9]), 1);
SELECT pg_temp.check_inference('optimal probabilities', NULL, 2);
SELECT pg_temp.check_inference('attributes that are never drawn', '{.5,0,.3,0,.2,0,0,0,0}', 3);

-- All of Adult
CREATE TEMP TABLE risk AS
SELECT v.name, v.expected, release, r.*
FROM (VALUES ('RA 1, equal', array_fill(1 / 9.0::float8, ARRAY[9]), 70), ('RA 1, optimal', NULL, 34)) AS v (name, probabilities, expected),
	LATERAL (SELECT DISTINCT release FROM sdc_randomize('ref.adult', :qi, probabilities => v.probabilities, seed => 1,
		target => 'sdc_check.adult_' || v.expected)) AS m, LATERAL sdc_inference_risk(release) AS r;
SELECT pg_temp.near_ok(hit_percent, expected, 2, name || ': percent of Adult that the best guess gets right')
FROM risk ORDER BY name;
SELECT pg_temp.ok(impossible = 0 AND mean <= bound_mean AND maximum <= bound AND bound <= 1 AND abs(100 * mean - hit_percent) < 1.5,
	name || ': maximal inference probabilities of Adult, on average the share of right guesses', r::text)
FROM risk AS r ORDER BY name;
SELECT pg_temp.ok(abs(unchanged_percent - 100 * (1 - sum(p * differs))) < 100 * 4 * sqrt(0.25 / 30162),
	format('%s: %s percent of Adult are unchanged, within four deviations', name, round(100 * (1 - sum(p * differs))::numeric, 1)),
	unchanged_percent::text)
FROM risk, LATERAL (SELECT CASE name WHEN 'RA 1, equal' THEN 1 / 9.0 ELSE p END AS p, differs FROM optimal) AS o
GROUP BY name, unchanged_percent ORDER BY name;

-- Several draws, and strata: means of six seeds of an independent implementation, and four standard deviations of one
CREATE TEMP TABLE several AS
SELECT e.*, r.*, release
FROM (VALUES (2, 45.61, 0.6, 0.2887, 0.004, 11.8, 0.5), (3, 28.00, 0.9, 0.1353, 0.004, 41.4, 1.5), (5, 8.36, 0.6, 0.0205, 0.002, 432.2, 15), (9, 0.32, 0.006, 0.0004, 0.0001, 7105, 1))
	AS e (k, hits, hits_within, right_mean, right_within, alike, alike_within),
	LATERAL (SELECT DISTINCT release FROM sdc_randomize('ref.adult', :qi, draws => k, seed => 1, target => 'sdc_check.adult_draws_' || k)) AS m, LATERAL sdc_inference_risk(release) AS r;
SELECT pg_temp.ok(abs(hit_percent - hits) < hits_within AND abs(true_mean - right_mean) < right_within AND abs(anonymity - alike) < alike_within AND impossible = 0
		AND abs(100 * mean - hit_percent) < 1.5 AND mean <= bound_mean AND amplification_mean IS NULL,
	format('sdc_inference_risk, %s draws: Adult by an independent implementation', k), d::text) FROM several AS d ORDER BY k;
SELECT pg_temp.ok(abs(mean - most / 30162) < 1e-12 AND abs(true_mean - squares / 30162 ^ 2) < 1e-12 AND gamma_maximum = 1, 'sdc_inference_risk, all drawn: nothing is learned', d::text)
FROM several AS d, (SELECT max(n) AS most, sum(n ^ 2) AS squares FROM (SELECT count(*)::float8 AS n FROM ref.adult GROUP BY education, race, sex, workclass, marital_status, age, relationship, native_country, salary) AS c) AS c WHERE k = 9;
-- strata are as many releases: the mean over the records is that of the strata by themselves
CREATE TABLE sdc_check.women AS SELECT * FROM ref.adult WHERE sex = 'Female';
CREATE TABLE sdc_check.men AS SELECT * FROM ref.adult WHERE sex = 'Male';
SELECT count(*) AS made FROM sdc_randomize('ref.adult', array_remove(:qi, 'sex'), draws => 2, strata => '{sex}', seed => 2, target => 'sdc_check.within_sex') \gset
CREATE TABLE sdc_check.women_release AS SELECT * FROM sdc_check.within_sex WHERE sex = 'Female';
CREATE TABLE sdc_check.men_release AS SELECT * FROM sdc_check.within_sex WHERE sex = 'Male';
SELECT count(sdc_register(('sdc_check.' || s)::regclass, ('sdc_check.' || s || '_release')::regclass, array_remove(:qi, 'sex'), '{id}', 'randomize', '{"draws": 2}')) AS made FROM unnest('{women,men}'::text[]) AS s \gset
SELECT pg_temp.ok(abs(w.mean - (9782 * a.mean + 20380 * b.mean) / 30162) < 1e-9 AND abs(w.true_mean - (9782 * a.true_mean + 20380 * b.true_mean) / 30162) < 1e-9
		AND abs(ln(w.anonymity) - (9782 * ln(a.anonymity) + 20380 * ln(b.anonymity)) / 30162) < 1e-9 AND abs(w.hit_percent - (9782 * a.hit_percent + 20380 * b.hit_percent) / 30162) < 1e-9
		AND abs(w.gamma_mean / ((9782 * a.gamma_mean + 20380 * b.gamma_mean) / 30162) - 1) < 1e-9, 'sdc_inference_risk, strata: those of each by itself', w::text)
FROM sdc_inference_risk('sdc_check.within_sex') AS w, sdc_inference_risk('sdc_check.women_release') AS a, sdc_inference_risk('sdc_check.men_release') AS b;
SELECT pg_temp.ok(bool_and(abs(sdc_probabilistic_anonymity('ref.adult', :qi, draws => k) / pa - 1) < 2e-5), 'sdc_probabilistic_anonymity: one to nine draws')
FROM unnest('{33.987,513.39,4523.7,25624,96766,243615,394274,372229,156184}'::float8[]) WITH ORDINALITY AS e (pa, drawn), LATERAL (SELECT drawn::int) AS i (k);
SELECT pg_temp.ok(round(sdc_probabilistic_anonymity('ref.adult', array_remove(:qi, 'sex'), draws => 2, strata => '{sex}')::numeric, 3) = 425.108
		AND round(sdc_probabilistic_anonymity('ref.adult', array_remove(:qi, 'sex'), strata => '{sex}')::numeric, 3) = 71.287, 'sdc_probabilistic_anonymity: strata');

--
-- Chi-square of pairs of attributes
--
WITH cell AS (
	SELECT a.attribute AS x, b.attribute AS y, a.i AS i, b.i AS j, a.value AS v, b.value AS w, count(*)::float8 AS n
	FROM original AS a JOIN original AS b USING (id) WHERE a.i < b.i AND b.i <= 6 GROUP BY 1, 2, 3, 4, 5, 6
), expected AS (
	SELECT x, y, sum(n * n / (a.records * b.records::float8)) - 1 AS per_record
	FROM cell JOIN marginal AS a ON (a.attribute, a.value) = (x, v) JOIN marginal AS b ON (b.attribute, b.value) = (y, w)
	GROUP BY x, y
)
SELECT pg_temp.ok(count(*) = 15 AND bool_and(c.records = 30162 AND abs(chi_square_n - per_record) < 1e-9 AND abs(chi_square - 30162 * per_record) < 1e-5),
	'sdc_chi_square: 15 pairs of attributes, as in plain SQL', string_agg(c::text || ' ' || per_record, E'\n'))
FROM expected JOIN sdc_chi_square('ref.adult', (:qi)[:6]) AS c ON (first_attribute, second_attribute) IN ((x, y), (y, x));

--
-- Mondrian
--
-- check_groups compares what a release by groups shows of a quasi-identifier with the original values:
-- ranges from the least to the greatest value, and sets of the values, of each group.
CREATE FUNCTION pg_temp.check_groups(release regclass, source regclass, attribute name)
RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
	numeric_type CONSTANT boolean := (SELECT atttypid <> 'text'::regtype FROM pg_attribute WHERE attrelid = source AND attname = attribute);
	good boolean;
BEGIN
	EXECUTE format(CASE WHEN numeric_type
		THEN 'SELECT bool_and(one AND least <@ shown AND greatest <@ shown AND lower(shown) = least AND lower_inc(shown)
				AND (upper_inc(shown) AND upper(shown) = greatest OR NOT upper_inc(shown) AND upper(shown) = greatest + 1))
			FROM (SELECT min(o.%1$I)::numeric::%4$s AS least, max(o.%1$I)::numeric::%4$s AS greatest, min(r.%1$I::text)::%5$s AS shown,
					count(DISTINCT r.%1$I) = 1 AS one
				FROM %2$s AS r JOIN %3$s AS o USING (id) GROUP BY group_id) AS g'
		ELSE 'SELECT bool_and(one AND present = shown)
			FROM (SELECT array_agg(DISTINCT o.%1$I ORDER BY o.%1$I) AS present, min(r.%1$I) AS shown, count(DISTINCT r.%1$I) = 1 AS one
				FROM %2$s AS r JOIN %3$s AS o USING (id) GROUP BY group_id) AS g' END,
		attribute, release, source,
		CASE WHEN numeric_type THEN (SELECT format_type(rngsubtype, NULL) FROM pg_attribute JOIN pg_range ON rngtypid = atttypid
			WHERE attrelid = release AND attname = attribute) END,
		(SELECT format_type(atttypid, NULL) FROM pg_attribute WHERE attrelid = release AND attname = attribute)) INTO good;
	RETURN good;
END
$$;

CREATE TEMP TABLE mondrian AS
SELECT l, groups, format('sdc_check.mondrian_%s', l)::regclass AS release
FROM (VALUES (5, 1128), (7, 366), (8, 156), (10, 6)) AS v (l, groups),
	LATERAL (SELECT count(*) FROM sdc_generalize('ref.adult', :qi, '{occupation}', l => l, target => 'sdc_check.mondrian_' || l)) AS made;

-- group_of is the partition of a release by groups.
CREATE FUNCTION pg_temp.group_of(release regclass)
RETURNS TABLE (id bigint, group_id int, occupation text) LANGUAGE plpgsql AS $$
BEGIN
	RETURN QUERY EXECUTE format('SELECT id, group_id, occupation FROM %s', release);
END
$$;
CREATE TEMP TABLE grouped AS SELECT l, groups, g.* FROM mondrian, LATERAL pg_temp.group_of(release) AS g;
ANALYZE grouped;
SELECT pg_temp.ok(count(DISTINCT group_id) = groups AND min(group_id) = 1 AND max(group_id) = groups AND count(*) = 30162,
	format('Mondrian, entropy l = %s: %s groups', l, groups), count(DISTINCT group_id)::text)
FROM grouped GROUP BY l, groups ORDER BY l;
SELECT pg_temp.ok(bool_and(g.occupation = o.occupation), format('Mondrian, entropy l = %s: the sensitive values are the original ones', l))
FROM grouped AS g JOIN ref.adult AS o USING (id) GROUP BY l ORDER BY l;
SELECT pg_temp.ok(bool_and(good) AND count(good) = 9,
	format('Mondrian, entropy l = %s: the release shows the ranges and the sets of values of every group', l),
	string_agg(attribute, ', ') FILTER (WHERE good IS NOT TRUE))
FROM mondrian, unnest(:qi) AS attribute, LATERAL pg_temp.check_groups(release, 'ref.adult', attribute) AS good
WHERE l IN (5, 10) GROUP BY l ORDER BY l;
-- from the release alone
SELECT pg_temp.ok(entropy_l >= l - 1e-9 AND distinct_l >= l, format('Mondrian, entropy l = %s: sdc_ldiversity by %s', l, what), d::text)
FROM mondrian, (VALUES ('group_id', '{group_id}'::name[]), ('quasi-identifiers', :qi)) AS v (what, attributes),
	LATERAL sdc_ldiversity(release, attributes, '{occupation}') AS d
ORDER BY l, what;
SELECT pg_temp.ok(abs(entropy_l - (SELECT exp(min(h)) FROM (SELECT -sum(n / total * ln(n / total)) AS h
			FROM (SELECT group_id, count(*)::float8 AS n, sum(count(*)) OVER (PARTITION BY group_id)::float8 AS total
				FROM grouped WHERE grouped.l = mondrian.l GROUP BY group_id, occupation) AS c GROUP BY group_id) AS e)) < 1e-9,
	format('sdc_ldiversity of l = %s is that of the formula', l), entropy_l::text)
FROM mondrian, LATERAL sdc_ldiversity(release, '{group_id}', '{occupation}') ORDER BY l;

-- No group can be cut further: at the middle value, below it when that is the greatest.
CREATE TEMP TABLE place AS
SELECT i, value, CASE attribute WHEN 'age' THEN value::int ELSE rank() OVER (PARTITION BY i ORDER BY value COLLATE "C") END AS place
FROM marginal;
CREATE TEMP TABLE member AS
SELECT group_id, i, place, occupation FROM grouped JOIN original USING (id) JOIN place USING (i, value) WHERE l = 5;
ANALYZE member;
WITH middle AS (
	SELECT group_id, i, percentile_disc(0.5) WITHIN GROUP (ORDER BY place) AS middle, max(place) AS greatest, min(place) AS least
	FROM member GROUP BY group_id, i
), side AS (
	SELECT group_id, i, CASE WHEN middle < greatest THEN place <= middle ELSE place < middle END AS lower, occupation, count(*)::float8 AS n
	FROM member JOIN middle USING (group_id, i) WHERE least < greatest GROUP BY 1, 2, 3, 4
), half AS (
	SELECT group_id, i, lower, ln(sum(n)) - sum(n * ln(n)) / sum(n) AS entropy FROM side GROUP BY 1, 2, 3
)
SELECT pg_temp.ok(count(*) > 1000 AND bool_and(entropy < ln(5.0)), 'Mondrian, entropy l = 5: no group can be cut further', count(*) FILTER (WHERE entropy >= ln(5.0))::text)
FROM (SELECT group_id, i, min(entropy) AS entropy FROM half GROUP BY group_id, i) AS t;

-- k-anonymity
CREATE TEMP TABLE anonymous AS
SELECT source, k, l, format('sdc_check.%s_%s_%s', source, k, coalesce(l, 0))::regclass AS release, c.columns
FROM (VALUES ('census', 3, NULL::float8), ('census', 10, NULL), ('eia', 3, NULL), ('eia', 25, NULL), ('adult', 5, NULL), ('adult', 10, 5)) AS v (source, k, l),
	LATERAL (SELECT array_agg(attname ORDER BY attnum) AS columns FROM pg_attribute
		WHERE attrelid = ('ref.' || source)::regclass AND attnum > 0 AND attname NOT IN ('id', 'occupation')) AS c,
	LATERAL (SELECT count(*) FROM sdc_generalize('ref.' || source, c.columns, CASE WHEN source = 'adult' THEN '{occupation}'::name[] END,
		l => l, k => k, target => format('sdc_check.%s_%s_%s', source, k, coalesce(l, 0)))) AS made;
SELECT pg_temp.ok(a.k >= v.k AND a.groups > 1 AND a.unique_records = 0,
	format('k-anonymity, %s, k = %s%s: sdc_kanonymity by %s', source, v.k, ', entropy l = ' || l, what), a::text)
FROM anonymous AS v, LATERAL (VALUES ('group_id', '{group_id}'::name[]), ('quasi-identifiers', columns)) AS w (what, attributes),
	LATERAL sdc_kanonymity(release, attributes) AS a
ORDER BY source, v.k, what;
SELECT pg_temp.ok(bool_and(good) AND count(good) = count(*),
	format('k-anonymity, %s, k = %s%s: the release shows the ranges and the sets of values of every group', source, k, ', entropy l = ' || l),
	string_agg(attribute, ', ') FILTER (WHERE good IS NOT TRUE))
FROM anonymous, unnest(columns) AS attribute, LATERAL pg_temp.check_groups(release, ('ref.' || source)::regclass, attribute) AS good
GROUP BY source, k, l ORDER BY source, k, l;
SELECT pg_temp.ok(entropy_l >= 5 - 1e-9 AND distinct_l >= 5, 'k-anonymity, adult, k = 10, entropy l = 5: sdc_ldiversity', d::text)
FROM sdc_ldiversity('sdc_check.adult_10_5', '{group_id}', '{occupation}') AS d;

-- cuttable counts the groups of EIA that could be cut further for this k.
CREATE FUNCTION pg_temp.cuttable(release regclass, source regclass, columns name[], k int)
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	cuts bigint;
BEGIN
	EXECUTE format('WITH member AS (SELECT group_id, i, x FROM %s AS r JOIN %s AS o USING (id), unnest(ARRAY[%s]::float8[]) WITH ORDINALITY AS u (x, i)),
		middle AS (SELECT group_id, i, percentile_disc(0.5) WITHIN GROUP (ORDER BY x) AS middle, max(x) AS greatest FROM member GROUP BY group_id, i)
		SELECT count(*) FROM (SELECT FROM member JOIN middle USING (group_id, i) GROUP BY group_id, i
			HAVING least(count(*) FILTER (WHERE CASE WHEN middle < greatest THEN x <= middle ELSE x < middle END),
				count(*) FILTER (WHERE CASE WHEN middle < greatest THEN x > middle ELSE x >= middle END)) >= %s) AS t',
		release, source, (SELECT string_agg(format('o.%I', c), ', ') FROM unnest(columns) AS c), k) INTO cuts;
	RETURN cuts;
END
$$;
SELECT pg_temp.ok(pg_temp.cuttable(release, ('ref.' || source)::regclass, columns, k) = 0, format('k-anonymity, %s, k = %s: no group can be cut further', source, k),
	pg_temp.cuttable(release, ('ref.' || source)::regclass, columns, k)::text)
FROM anonymous WHERE source <> 'adult' ORDER BY source, k;

--
-- Permutation
--
CREATE FUNCTION pg_temp.error_of(statement text)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	hint text;
BEGIN
	EXECUTE statement;
	RETURN NULL;
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS hint = PG_EXCEPTION_HINT;
	RETURN SQLSTATE || ' ' || SQLERRM || ' ' || hint;
END
$$;
SELECT pg_temp.ok(e ~ '^22023 .*not feasible.*largest feasible l is 7', 'Anatomy, l = 8: an error that names the largest feasible l', e)
FROM pg_temp.error_of(format('SELECT FROM sdc_permute(''ref.adult'', %L, ''{occupation}'', l => 8, target => ''sdc_check.no'')', :qi)) AS e;

CREATE TEMP TABLE permuted AS
SELECT l, how, format('sdc_check.%s_%s', how, l)::regclass AS release
FROM (VALUES (2, 'anatomy'), (5, 'anatomy'), (7, 'anatomy'), (5, 'within'), (10, 'within')) AS v (l, how),
	LATERAL (SELECT count(*) FROM sdc_permute('ref.adult', :qi, '{occupation}', l => l, grouping_method => CASE how WHEN 'within' THEN 'mondrian' ELSE how END,
		target => format('sdc_check.%s_%s', how, l), seed => 1)) AS made;
CREATE TEMP TABLE bucket AS
SELECT l, how, g.id, group_id, g.occupation AS shown, o.occupation AS own
FROM permuted, LATERAL pg_temp.group_of(release) AS g JOIN ref.adult AS o USING (id);
ANALYZE bucket;

SELECT pg_temp.ok(min(n) >= l AND bool_and(n = shown AND n = own) AND count(*) = 30162 / l AND max(n) <= l + 30162 % l,
	format('Anatomy, l = %s: the values of every group are different, groups have %s records and some one more', l, l),
	format('%s groups of %s to %s', count(*), min(n), max(n)))
FROM (SELECT l, group_id, count(*) AS n, count(DISTINCT shown) AS shown, count(DISTINCT own) AS own
	FROM bucket WHERE how = 'anatomy' GROUP BY l, group_id) AS g
GROUP BY l ORDER BY l;
SELECT pg_temp.ok(bool_and(before = after), format('Permutation, %s, l = %s: every group has its own sensitive values', how, l))
FROM (SELECT how, l, array_agg(shown ORDER BY shown) AS after, array_agg(own ORDER BY own) AS before FROM bucket GROUP BY how, l, group_id) AS g
GROUP BY how, l ORDER BY how, l;
SELECT pg_temp.ok(d.distinct_l >= l AND entropy_l >= l - 1e-9, format('Permutation, %s, l = %s: sdc_ldiversity by group_id', how, l), d::text)
FROM permuted, LATERAL sdc_ldiversity(release, '{group_id}', '{occupation}') AS d ORDER BY how, l;
-- In a group each order is equally likely, so a record keeps its value with a probability of 1 in n for a group of n different ones.
SELECT pg_temp.ok(abs(kept - expected) < 4 * sqrt(expected), format('Permutation, %s, l = %s: records that keep their value, within four deviations', how, l),
	format('%s, expected %s', kept, expected))
FROM (SELECT how, l, sum(kept) AS kept, sum(same / n) AS expected
	FROM (SELECT how, l, group_id, count(*) FILTER (WHERE shown = own) AS kept, count(*)::float8 AS n FROM bucket GROUP BY how, l, group_id) AS g
	JOIN (SELECT how, l, group_id, sum(n * n)::float8 AS same FROM (SELECT how, l, group_id, count(*) AS n FROM bucket GROUP BY how, l, group_id, own) AS v
		GROUP BY how, l, group_id) AS s USING (how, l, group_id)
	GROUP BY how, l) AS t ORDER BY how, l;
SELECT pg_temp.ok(count(*) = max(groups) AND count(DISTINCT a) = max(groups) AND count(DISTINCT b) = max(groups),
	format('Permutation within the groups of Mondrian, l = %s: the same %s groups', l, max(groups)))
FROM (SELECT DISTINCT l, groups, b.group_id AS a, g.group_id AS b FROM grouped AS g JOIN bucket AS b USING (l, id) WHERE how = 'within') AS t
GROUP BY l ORDER BY l;
SELECT pg_temp.ok((SELECT array_agg(t ORDER BY t) FROM (SELECT group_id, age, salary, count(*) FROM sdc_check.anatomy_5_qi GROUP BY 1, 2, 3) AS t)
		= (SELECT array_agg(t ORDER BY t) FROM (SELECT group_id, o.age, o.salary, count(*) FROM bucket JOIN ref.adult AS o USING (id)
			WHERE l = 5 AND how = 'anatomy' GROUP BY 1, 2, 3) AS t),
	'Anatomy: the view of the quasi-identifiers has the original values by group');
SELECT pg_temp.ok((SELECT array_agg(t ORDER BY t) FROM (SELECT group_id, occupation, records FROM sdc_check.anatomy_5_sensitive) AS t)
		= (SELECT array_agg(t ORDER BY t) FROM (SELECT group_id, own, count(*) FROM bucket WHERE l = 5 AND how = 'anatomy' GROUP BY 1, 2) AS t),
	'Anatomy: the view of the sensitive values counts them by group');

--
-- Entropy
--
SELECT pg_temp.ok(round(sdc_entropy(occupation)::numeric, 6) = 2.354341 AND round(sdc_diversity(occupation)::numeric, 2) = 10.53,
	'entropy of the occupations 2.354341, diversity 10.53')
FROM ref.adult;
SELECT pg_temp.ok(abs(sdc_entropy(age) - (SELECT h FROM optimal WHERE attribute = 'age')) < 1e-12, 'entropy of the ages is that of the formula')
FROM ref.adult;

--
-- Frequent itemsets
--
SELECT pg_temp.ok(count(*) = 609 AND count(*) FILTER (WHERE itemset ? 'occupation') = 75, 'frequent itemsets at 8 %: 609, 75 of them with an occupation',
	format('%s, %s', count(*), count(*) FILTER (WHERE itemset ? 'occupation')))
FROM sdc_frequent_itemsets('ref.adult', :all);
SELECT pg_temp.ok(min(records) >= 2413 AND bool_and(abs(support - records / 30162.0::float8) < 1e-15
		AND length = (SELECT count(*) FROM jsonb_object_keys(itemset))), 'frequent itemsets: support and length')
FROM sdc_frequent_itemsets('ref.adult', :all);
CREATE TABLE sdc_check.classes AS
SELECT id, CASE WHEN age <= 25 THEN '25' WHEN age <= 35 THEN '35' WHEN age <= 45 THEN '45' WHEN age <= 55 THEN '55' WHEN age <= 65 THEN '65' ELSE 'above' END AS age,
	workclass, education, marital_status, occupation, relationship, race, sex, native_country, salary
FROM ref.adult;
SELECT pg_temp.ok(count(*) FILTER (WHERE length = 1 AND records > 0) = 106, 'ten attributes with age in six classes have 106 values')
FROM sdc_frequent_itemsets('sdc_check.classes', :all, 1 / 30162.0::float8, 1);
SELECT pg_temp.ok(count(*) = expected, format('frequent itemsets with age in six classes, support %s: %s', s, expected), count(*)::text)
FROM (VALUES (0.01, 14632), (0.001, 131452)) AS v (s, expected), LATERAL sdc_frequent_itemsets('sdc_check.classes', :all, s)
GROUP BY s, expected ORDER BY s DESC;
CREATE TEMP TABLE cube AS
SELECT jsonb_strip_nulls(jsonb_build_object('education', education, 'race', race, 'relationship', relationship, 'salary', salary)) AS itemset, count(*) AS records
FROM ref.adult GROUP BY CUBE (education, race, relationship, salary) HAVING grouping(education, race, relationship, salary) < 15;
SELECT pg_temp.ok(count(*) > 100 AND count(*) = (SELECT count(*) FROM cube WHERE records >= s * 30162) AND bool_and(f.records = c.records),
	format('frequent itemsets of four attributes, support %s: as by GROUP BY CUBE', s), count(*)::text)
FROM (VALUES (0.0001), (0.01)) AS v (s), LATERAL sdc_frequent_itemsets('ref.adult', '{education,race,relationship,salary}', s) AS f
LEFT JOIN cube AS c USING (itemset) GROUP BY s ORDER BY s;

--
-- Associations
--
SELECT pg_temp.ok(array_agg(rules ORDER BY length) = '{30,145,268,280,157,47,6}' AND sum(rules) = 933,
	'associations, antecedents of support 8 %, confidence 15 %: 933; by length 30, 145, 268, 280, 157, 47, 6', array_agg(rules ORDER BY length)::text)
FROM (SELECT length, count(*) AS rules FROM sdc_associations('ref.adult', :qi, '{occupation}') GROUP BY length) AS t;
SELECT pg_temp.ok(count(*) = 19 AND count(*) FILTER (WHERE consequent = '{"occupation": "Craft-repair"}') = 18,
	'associations, rules of support 8 %: 19, 18 of them to Craft-repair', format('%s, %s', count(*), count(*) FILTER (WHERE consequent = '{"occupation": "Craft-repair"}')))
FROM sdc_associations('ref.adult', :qi, '{occupation}', reading => 'rule');
SELECT pg_temp.ok(count(*) = 2820, 'associations, rules of support 0.8 %: 2,820', count(*)::text)
FROM sdc_associations('ref.adult', :qi, '{occupation}', 0.008, reading => 'rule');
SELECT pg_temp.ok(count(*) = 264, 'associations, all rules of Apriori with an occupation: 264', count(*)::text)
FROM sdc_associations('ref.adult', :qi, '{occupation}', reading => 'any');
SELECT pg_temp.ok(bool_and(abs(confidence - both_records / antecedent_records::float8) < 1e-12 AND confidence >= 0.15
		AND abs(lift - confidence * 30162 / consequent_records) < 1e-9 AND abs(support - records / 30162.0::float8) < 1e-12
		AND records = CASE reading WHEN 'antecedent' THEN antecedent_records ELSE both_records END AND records >= 2413),
	format('associations, reading %s: support, confidence and lift', reading), count(*)::text)
FROM unnest('{antecedent,rule,any}'::text[]) AS reading, LATERAL sdc_associations('ref.adult', :qi, '{occupation}', reading => reading)
GROUP BY reading ORDER BY reading;
-- of three attributes, by plain SQL
WITH counted AS (
	SELECT jsonb_strip_nulls(jsonb_build_object('race', race, 'sex', sex, 'salary', salary)) AS antecedent,
		CASE WHEN grouping(occupation) = 0 THEN jsonb_build_object('occupation', occupation) END AS consequent, count(*) AS records
	FROM ref.adult GROUP BY CUBE (race, sex, salary, occupation)
), wanted AS (
	SELECT q.antecedent, b.consequent, q.records, b.records AS both_records, reading
	FROM counted AS q JOIN counted AS b USING (antecedent), unnest('{antecedent,rule}'::text[]) AS reading
	WHERE q.consequent IS NULL AND b.consequent IS NOT NULL AND q.antecedent <> '{}' AND b.records >= 0.05 * q.records
		AND CASE reading WHEN 'rule' THEN b.records ELSE q.records END >= 0.01 * 30162
), found AS (
	SELECT antecedent, consequent, antecedent_records, both_records, reading
	FROM unnest('{antecedent,rule}'::text[]) AS reading, LATERAL sdc_associations('ref.adult', '{race,sex,salary}', '{occupation}', 0.01, 0.05, reading => reading)
)
SELECT pg_temp.ok(count(*) > 50 AND NOT EXISTS (TABLE wanted EXCEPT TABLE found) AND NOT EXISTS (TABLE found EXCEPT TABLE wanted),
	format('associations of three attributes, reading %s: as in plain SQL', reading), count(*)::text)
FROM found GROUP BY reading ORDER BY reading;

--
-- Recall: means of three releases
--
CREATE TEMP TABLE recalled AS
SELECT k, seed, release, a.*
FROM generate_series(1, 9, 2) AS k, generate_series(1, 3) AS seed,
	LATERAL (SELECT DISTINCT release FROM sdc_randomize('ref.adult', :qi, draws => k, seed => seed, target => format('sdc_check.k%s_%s', k, seed))) AS made,
	LATERAL sdc_association_recall(release) AS a;
SELECT pg_temp.near_ok(avg(recall_percent), expected, 3, format('percent of the associations that RA 2, k = %s leaves', k))
FROM recalled JOIN (VALUES (1, 89), (3, 65), (5, 45), (7, 26), (9, 0)) AS v (k, expected) USING (k)
WHERE length IS NULL GROUP BY k, expected ORDER BY k;
SELECT pg_temp.ok(bool_and(original = wanted AND abs(recall_percent - 100.0 * recovered / original) < 1e-9
		AND abs(artificial_percent - 100.0 * artificial / original) < 1e-9),
	'sdc_association_recall: the associations of the original by length, and percentages', count(*)::text)
FROM recalled JOIN unnest('{30,145,268,280,157,47,6}'::int[]) WITH ORDINALITY AS u (wanted, length) USING (length);
WITH original AS (
	SELECT antecedent, consequent FROM sdc_associations('ref.adult', :qi, '{occupation}')
), released AS (
	SELECT antecedent, consequent FROM sdc_associations('sdc_check.k5_1', :qi, '{occupation}')
), common AS (
	TABLE original INTERSECT TABLE released
)
SELECT pg_temp.ok(original = (SELECT count(*) FROM original) AND recovered = (SELECT count(*) FROM common)
		AND artificial = (SELECT count(*) FROM released) - recovered, 'sdc_association_recall: as by comparing sdc_associations of both', r::text)
FROM recalled AS r WHERE (k, seed) = (5, 1) AND length IS NULL;

WITH original AS (
	SELECT itemset, length FROM sdc_frequent_itemsets('ref.adult', :all)
), released AS (
	SELECT seed, itemset FROM generate_series(1, 3) AS seed, sdc_frequent_itemsets(format('sdc_check.k5_%s', seed)::regclass, :all)
)
SELECT pg_temp.near_ok(100.0 / 3 * count(released.itemset) / count(DISTINCT original.itemset), expected, tolerance,
	format('percent of the itemsets of length %s that RA 2, k = 5 leaves', length))
FROM original LEFT JOIN released USING (itemset)
JOIN unnest('{100,91,86,68,48,27,0}'::int[], '{3,3,3,3,5,10,0}'::int[]) WITH ORDINALITY AS u (expected, tolerance, length) USING (length)
GROUP BY length, expected, tolerance ORDER BY length;

SELECT pg_temp.near_ok(recall_percent, expected, tolerance, name || ': percent of the associations that are left')
FROM (SELECT name, release, 89 AS expected, 4 AS tolerance FROM risk WHERE name = 'RA 1, equal'
	UNION ALL SELECT 'Anatomy, l = 5', release, 1, 1 FROM permuted WHERE how = 'anatomy' AND l = 5) AS r,
	LATERAL sdc_association_recall(release)
WHERE length IS NULL ORDER BY name;

\ir lib/finish.sql
