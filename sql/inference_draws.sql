--
-- inference_draws
--
-- Random anonymization with several draws and within strata: what an intruder infers, against the
-- definition by pairs of combinations in plain SQL; anonymity and supports; the ten records of the
-- paper, and the smallest tables in which what it claims does not hold.
--
\pset format unaligned
\pset footer off
SET max_parallel_workers_per_gather = 0;	-- many small queries
CREATE SCHEMA drawn;
SET search_path = drawn, public;
SELECT helper.make_people('drawn.people', 90);
CREATE TABLE person AS SELECT id, region, sex, age / 20 AS age, job, nullif(id % 4, 0) AS area FROM people;
ALTER TABLE person ADD PRIMARY KEY (id);
CREATE FUNCTION near(a float8, b float8, within float8 DEFAULT 1e-9) RETURNS boolean LANGUAGE sql
RETURN a = b OR abs(a - b) <= within * greatest(1, abs(a));

-- The definition: every original combination of the stratum, and every set of columns that can be drawn of it.
CREATE TYPE candidate AS (st text[], seen text[], q text[], s bigint, chance float8);
CREATE FUNCTION candidates(source regclass, release regclass, qi name[], strata name[], probabilities float8[], k int) RETURNS SETOF candidate LANGUAGE plpgsql AS $$
DECLARE
	m CONSTANT int := cardinality(qi);
BEGIN
	RETURN QUERY EXECUTE format($q$
		WITH original AS (SELECT id, %1$s AS st, ARRAY[%2$s] AS q FROM %3$s), released AS (SELECT id, ARRAY[%2$s] AS q FROM %4$s),
		draw AS (SELECT bits, CASE WHEN $3 = 1 THEN $2[log(2, bits)::int + 1] ELSE 1.0 / count(*) OVER () END AS h FROM generate_series(1, (1 << $1) - 1) AS bits
			WHERE (SELECT sum(bits >> i & 1) FROM generate_series(0, $1 - 1) AS i) = $3),
		kind AS MATERIALIZED (SELECT st, q, count(*) AS s FROM original GROUP BY st, q),
		share AS MATERIALIZED (SELECT st, i, q[i] AS v, sum(s) / sum(sum(s)) OVER (PARTITION BY st, i) AS p FROM kind, generate_series(1, $1) AS i WHERE q[i] IS NOT NULL GROUP BY st, i, q[i]),
		seen AS MATERIALIZED (SELECT DISTINCT st, r.q FROM original JOIN released AS r USING (id)),
		value AS MATERIALIZED (SELECT n.st, n.q, array_agg(CASE WHEN n.q[at] IS NULL THEN 1 ELSE coalesce(p, 0) END ORDER BY at) AS p
			FROM seen AS n CROSS JOIN generate_series(1, $1) AS at LEFT JOIN share AS h ON h.st IS NOT DISTINCT FROM n.st AND h.i = at AND v = n.q[at] GROUP BY n.st, n.q),
		f AS MATERIALIZED (SELECT st, q, bits, h * (SELECT CASE WHEN bool_and(p[i] > 0) THEN exp(sum(ln(nullif(p[i], 0)))) ELSE 0 END FROM generate_series(1, $1) AS i WHERE bits >> i - 1 & 1 = 1) AS f FROM value, draw),
		pair AS MATERIALIZED (SELECT n.st, n.q AS seen, o.q, s, (SELECT coalesce(sum(1 << i - 1), 0) FROM generate_series(1, $1) AS i WHERE o.q[i] IS DISTINCT FROM n.q[i])::int AS differ
			FROM seen AS n JOIN kind AS o ON o.st IS NOT DISTINCT FROM n.st
			WHERE (SELECT bool_and((o.q[i] IS NULL) = (n.q[i] IS NULL)) FROM generate_series(1, $1) AS i))
		SELECT p.st, seen, p.q, s, w::float8 FROM pair AS p, LATERAL (SELECT sum(f) AS w FROM f WHERE f.st IS NOT DISTINCT FROM p.st AND f.q = p.seen AND differ & ~bits = 0) AS w WHERE w > 0$q$,
		coalesce((SELECT 'ARRAY[' || string_agg(format('%I::text', c), ', ') || ']' FROM unnest(strata) AS c), 'NULL::text[]'), (SELECT string_agg(format('%I::text', c), ', ') FROM unnest(qi) AS c), source, release) USING m, probabilities, k;
END
$$;
CREATE FUNCTION brute(source regclass, release regclass, qi name[], strata name[], probabilities float8[], k int) RETURNS TABLE (mean float8, maximum float8, hit_percent float8, unchanged_percent float8, impossible bigint, true_mean float8, anonymity float8, gamma_mean float8, gamma_maximum float8) LANGUAGE plpgsql AS $$
BEGIN
	RETURN QUERY EXECUTE format($q$
		WITH c AS MATERIALIZED (SELECT * FROM candidates($1, $2, $3, $4, $5, $6)),
		record AS (SELECT o.id, %1$s AS st, ARRAY[%2$s] AS q, seen FROM %3$s AS o JOIN (SELECT id, ARRAY[%2$s] AS seen FROM %4$s) AS r USING (id)),
		best AS (SELECT st, seen, sum(s * chance) AS d, max(s * chance) AS top, max(chance) / min(chance) AS gamma FROM c GROUP BY st, seen),
		ties AS (SELECT c.st, c.seen, count(*) AS ties FROM c JOIN best AS b ON b.st IS NOT DISTINCT FROM c.st AND b.seen = c.seen WHERE near(s * chance / top, 1) GROUP BY c.st, c.seen)
		SELECT avg(top / d), max(top / d), 100 * sum(CASE WHEN near(s * chance / top, 1) THEN 1.0 / ties ELSE 0 END) / count(*)::float8, 100 * count(*) FILTER (WHERE r.q = r.seen)::float8 / count(*), count(*) FILTER (WHERE d IS NULL),
			avg(coalesce(s * chance / d, 0)) FILTER (WHERE d > 0), CASE WHEN bool_or(chance IS NULL AND d > 0) THEN 'Infinity' ELSE exp(-avg(ln(s * chance / d))) END, avg(gamma), max(gamma)
		FROM record AS r LEFT JOIN best AS b ON b.st IS NOT DISTINCT FROM r.st AND b.seen = r.seen LEFT JOIN ties AS t ON t.st IS NOT DISTINCT FROM r.st AND t.seen = r.seen
			LEFT JOIN c ON c.st IS NOT DISTINCT FROM r.st AND c.seen = r.seen AND c.q = r.q$q$,
		coalesce((SELECT 'ARRAY[' || string_agg(format('%I::text', x), ', ') || ']' FROM unnest(strata) AS x), 'NULL::text[]'), (SELECT string_agg(format('%I::text', x), ', ') FROM unnest(qi) AS x), source, release) USING source, release, qi, strata, probabilities, k;
END
$$;
CREATE FUNCTION agree(source regclass, release regclass, qi name[], strata name[], probabilities float8[], k int) RETURNS text LANGUAGE sql
RETURN (SELECT concat_ws(' ', near(r.mean, b.mean), near(r.maximum, b.maximum), near(r.hit_percent, b.hit_percent), near(r.unchanged_percent, b.unchanged_percent), r.impossible = b.impossible, near(r.true_mean, b.true_mean),
		near(r.anonymity, b.anonymity), near(r.gamma_mean, b.gamma_mean), near(r.gamma_maximum, b.gamma_maximum), r.bound >= r.maximum AND r.bound_mean >= r.mean, (r.amplification_mean IS NULL) = (k > 1))
	FROM sdc_inference_risk(release) AS r, brute(source, release, qi, strata, probabilities, k) AS b);

-- one to all columns drawn; with missing values; within strata, of which one is NULL and has its own records
SELECT count(*) FROM generate_series(1, 4) AS k, sdc_randomize('person', '{region,sex,age,job}', draws => k, target => 'by_' || k, seed => 10 + k);
SELECT count(*) FROM generate_series(1, 3) AS k, sdc_randomize('person', '{region,age,job}', draws => k, strata => '{sex,area}', target => 'within_' || k, seed => 20 + k);
SELECT count(*) FROM sdc_randomize('person', '{region,job}', probabilities => '{0.25,0.75}', strata => '{area}', target => 'given', seed => 30);
\pset tuples_only on
SELECT k, agree('person', ('by_' || k)::regclass, '{region,sex,age,job}', NULL, array_fill(0.25, ARRAY[4]), k) FROM generate_series(1, 4) AS k;
SELECT k, agree('person', ('within_' || k)::regclass, '{region,age,job}', '{sex,area}', array_fill(1 / 3.0, ARRAY[3]), k) FROM generate_series(1, 3) AS k;
SELECT agree('person', 'given', '{region,job}', '{area}', '{0.25,0.75}', 1);
-- a release from elsewhere: what no draw can have made, and what it made of another record
CREATE TABLE foreign_made AS SELECT id, (array['north', 'south', 'nowhere'])[id % 3 + 1] AS region, sex, 5 - age AS age, job FROM person;
SELECT sdc_register('person', 'foreign_made', '{region,sex,age,job}', '{id}', 'randomize', '{"draws": 2}');
SELECT agree('person', 'foreign_made', '{region,sex,age,job}', NULL, NULL, 2), impossible BETWEEN 1 AND 89 FROM sdc_inference_risk('foreign_made');
-- the order of the records does not matter
CREATE TABLE shuffled AS SELECT * FROM person ORDER BY -id;
CREATE TABLE shuffled_by_2 AS SELECT * FROM by_2 ORDER BY id % 7, id;
SELECT sdc_register('shuffled', 'shuffled_by_2', '{region,sex,age,job}', '{id}', 'randomize', '{"draws": 2}');
SELECT a = b AS same FROM sdc_inference_risk('by_2') AS a, sdc_inference_risk('shuffled_by_2') AS b;
-- more draws than columns, parts of one, none
SELECT sdc_unregister('foreign_made');
CREATE FUNCTION refuse(parameters jsonb) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	PERFORM sdc_register('person', 'foreign_made', '{region,sex,age,job}', '{id}', 'randomize', parameters);
	result := helper.catch($q$SELECT FROM sdc_inference_risk('foreign_made')$q$);
	PERFORM sdc_unregister('foreign_made');
	RETURN result;
END
$$;
SELECT p, refuse(p) FROM unnest('{"{\"draws\": 5}","{\"draws\": 1.5}","{\"draws\": 0}"}'::jsonb[]) AS p;
-- groupings: 14 columns are never too many, 15 by 8 are; all columns are one grouping
SELECT format('CREATE TABLE wide AS SELECT id, %s FROM generate_series(1, 20) AS id', string_agg(format('id %% %s AS c%s', i % 3 + 2, i), ', ')) FROM generate_series(1, 15) AS i \gexec
ALTER TABLE wide ADD PRIMARY KEY (id);
CREATE FUNCTION wide_columns(m int) RETURNS name[] LANGUAGE sql RETURN (SELECT array_agg('c' || i) FROM generate_series(1, m) AS i);
SELECT count(*) FROM (VALUES (14, 12), (15, 7), (15, 8), (15, 15)) AS v (m, k), sdc_randomize('wide', wide_columns(m), draws => k, omit => (SELECT array_agg('c' || i) FROM generate_series(m + 1, 15) AS i), target => format('wide_%s_%s', m, k), seed => 1);
SELECT r, helper.catch(format('SELECT FROM sdc_inference_risk(%L)', r)) FROM unnest('{wide_14_12,wide_15_7,wide_15_8,wide_15_15}'::text[]) AS r;
SELECT gamma_mean, gamma_maximum, near(mean, maximum), mean <= 0.1 FROM sdc_inference_risk('wide_15_15');

-- Probabilistic anonymity: all sets of columns, entropies in the strata.
CREATE FUNCTION entropy(attribute name, condition text) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
	result float8;
BEGIN
	EXECUTE format('SELECT -sum(p * ln(p)) FROM (SELECT count(*) / sum(count(*)) OVER () AS p FROM person WHERE %2$I IS NOT NULL AND %1$s GROUP BY %2$I) AS v', condition, attribute) INTO result;
	RETURN coalesce(result, 0);
END
$$;
CREATE FUNCTION anonymity(qi name[], k int, condition text) RETURNS float8 LANGUAGE sql
RETURN (SELECT sum(1.0 / n * (ln(n) + h)) FROM (SELECT count(*) OVER () AS n, h FROM generate_series(0, (1 << cardinality(qi)) - 1) AS bits,
	LATERAL (SELECT count(*), sum(entropy(a, condition)) FROM unnest(qi) WITH ORDINALITY AS u (a, i) WHERE bits >> i::int - 1 & 1 = 1) AS c (drawn, h) WHERE drawn = k) AS s);
SELECT k, near(sdc_probabilistic_anonymity('person', '{region,sex,age,job}', draws => k), exp(anonymity('{region,sex,age,job}', k, 'true'))) AS drawn,
	near(sdc_probabilistic_anonymity('person', '{region,age,job}', draws => least(k, 3), strata => '{sex,area}'),
		(SELECT exp(sum(n * anonymity('{region,age,job}', least(k, 3), condition)) / sum(n)) FROM (SELECT format('sex IS NOT DISTINCT FROM %L AND area IS NOT DISTINCT FROM %L::int', sex, area) AS condition, count(*) AS n FROM person GROUP BY sex, area) AS s)) AS within
FROM generate_series(1, 4) AS k;
-- the optimal probabilities are those of the whole table
SELECT near(sdc_probabilistic_anonymity('person', '{region,age}', strata => '{sex}'), (SELECT exp(sum(n * (p * (entropy('region', c) - ln(p)) + (1 - p) * (entropy('age', c) - ln(1 - p)))) / sum(n))
	FROM (SELECT format('sex IS NOT DISTINCT FROM %L', sex) AS c, count(*) AS n FROM person GROUP BY sex) AS s, (SELECT exp(entropy('region', 'true')) / (exp(entropy('region', 'true')) + exp(entropy('age', 'true')))) AS o (p)));
SELECT near(sdc_probabilistic_anonymity('person', '{region,age}', '{0.5,0.5}'), sdc_probabilistic_anonymity('person', '{region,age}', draws => 1)), sdc_probabilistic_anonymity('person', '{region}', strata => '{}') = sdc_probabilistic_anonymity('person', '{region}');

-- Supports: the share of a release that has a combination comes from who had it, and from the others.
-- all released records have the combination: then the candidates are those of every stratum
CREATE TABLE one_seen AS SELECT id, 'north'::text AS region, 'f'::text AS sex, 2 AS age FROM person;
SELECT k, s, near(expected_own, own) AS own, near(expected_others, others) AS others, near(expected_own + expected_others, expected_support) AS sum, expected_own > 0 AND expected_others > 0 AS both
FROM generate_series(1, 3) AS k, (VALUES (NULL::name[]), ('{area}')) AS v (s), sdc_support_bias('person', '{region,sex,age}', '{"region": "north", "sex": "f", "age": 2}', draws => k, strata => s),
	LATERAL (SELECT sum(c.s * chance) FILTER (WHERE q = seen) / 90 AS own, sum(c.s * chance) FILTER (WHERE q <> seen) / 90 AS others FROM candidates('person', 'one_seen', '{region,sex,age}', v.s, array_fill(1 / 3.0, ARRAY[3]), k) AS c) AS b;
-- what is refused
SELECT c, helper.catch('SELECT * FROM sdc_' || c) FROM unnest(ARRAY[$$probabilistic_anonymity('person', '{region}', '{1}', 1)$$, $$probabilistic_anonymity('person', '{region}', draws => 2)$$, $$probabilistic_anonymity('person', '{region}', draws => 0)$$,
	$$probabilistic_anonymity('person', '{region}', strata => '{region}')$$, $$probabilistic_anonymity('person', '{region}', strata => '{nothing}')$$, $$support_bias('person', '{region}', '{"region": "north"}', strata => '{region}')$$,
	$$support_bias('person', '{region}', '{"sex": "f"}', strata => '{sex}')$$, $$support_bias('person', '{region}', '{"region": "north"}', strata => '{nothing}')$$]) AS c;

-- The ten records of the paper: its figure is lost, its three distributions and four associations are in the text. The record of a [20-30] is a
-- clerk in the USA (1), another there (2), or another elsewhere (3).
CREATE TABLE ten (kind int, id int, age text, job text, country text, disease text, PRIMARY KEY (kind, id));
INSERT INTO ten SELECT kind, id, CASE WHEN id = kind THEN '[20-30]' WHEN id = 1 THEN '[50-60]' ELSE age END, job, country, disease
FROM generate_series(1, 3) AS kind, (VALUES (1, '[20-30]', 'Clerk', 'USA', 'Hypertension'), (2, '[50-60]', 'Trader', 'USA', 'Diabetes'), (3, '[50-60]', 'Banker', 'Germany', 'Diabetes'), (4, '[30-40]', 'Clerk', 'UK', 'Diabetes'),
	(5, '[30-40]', 'Clerk', 'USA', 'Hypertension'), (6, '[30-40]', 'Clerk', 'India', 'Hypertension'), (7, '[30-40]', 'Doctor', 'USA', 'Influenza'), (8, '[40-50]', 'Trader', 'USA', 'Influenza'),
	(9, '[50-60]', 'Engineer', 'USA', 'Hypertension'), (10, '[60-70]', 'Banker', 'UK', 'Hypertension')) AS r (id, age, job, country, disease);
SELECT column_name, string_agg(n::text, ' ' ORDER BY n) FROM (SELECT kind, column_name, v, count(*) AS n FROM ten, LATERAL (VALUES ('age', age), ('country', country), ('job', job)) AS c (column_name, v) GROUP BY kind, column_name, v) AS d GROUP BY kind, column_name ORDER BY kind, column_name;
CREATE VIEW ten_1 AS SELECT * FROM ten WHERE kind = 1;
CREATE VIEW ten_2 AS SELECT * FROM ten WHERE kind = 2;
CREATE VIEW ten_3 AS SELECT * FROM ten WHERE kind = 3;
-- printed: about 11; with two and three draws, and optimal probabilities
SELECT t, round(sdc_probabilistic_anonymity(t, '{age,job,country}', array_fill(1 / 3.0, ARRAY[3]))::numeric, 3), round(sdc_probabilistic_anonymity(t, '{age,job,country}', draws => 2)::numeric, 3),
	round(sdc_probabilistic_anonymity(t, '{age,job,country}', draws => 3)::numeric, 3), round(sdc_probabilistic_anonymity(t, '{age,job,country}')::numeric, 3) FROM unnest('{ten_1,ten_2,ten_3}'::regclass[]) AS t;
-- printed: 75 %, 67 % and 50 %
SELECT t, a.antecedent, a.consequent, round(100 * a.confidence::numeric) FROM unnest('{ten_1,ten_2,ten_3}'::regclass[]) AS t, LATERAL (SELECT * FROM sdc_associations(t, '{age,job}', '{disease}', 0.05, 0.5)
		UNION ALL SELECT * FROM sdc_associations(t, '{job,country}', '{age}', 0.05, 0.5)) AS a
WHERE (a.antecedent, a.consequent) IN (('{"job": "Clerk"}', '{"disease": "Hypertension"}'), ('{"age": "[30-40]", "job": "Clerk"}', '{"disease": "Hypertension"}'), ('{"job": "Clerk", "country": "USA"}', '{"age": "[30-40]"}'))
ORDER BY t::text, a.antecedent::text;
-- printed: 17 % for [30-40], Clerk, USA if [20-30], Clerk, USA is released
CREATE TABLE ten_released AS SELECT id, '[20-30]' AS age, 'Clerk' AS job, 'USA' AS country FROM generate_series(1, 10) AS id;
SELECT kind, k, (SELECT round((100 * sum(s * chance) FILTER (WHERE q = '{[30-40],Clerk,USA}') / sum(s * chance))::numeric, 1) FROM candidates(('ten_' || kind)::regclass, 'ten_released', '{age,job,country}', NULL, array_fill(1 / 3.0, ARRAY[3]), k)) FROM generate_series(1, 3) AS k, generate_series(1, 3) AS kind;
CREATE TABLE ten_base AS SELECT * FROM ten WHERE kind = 2;
ALTER TABLE ten_base DROP COLUMN kind, ADD PRIMARY KEY (id);
SELECT sdc_register('ten_base', 'ten_released', '{age,job,country}', '{id}', 'randomize', '{"draws": 2}');
SELECT agree('ten_base', 'ten_released', '{age,job,country}', NULL, NULL, 2);

-- Proposition 10: two records are as likely, and its bound is 1/4.
CREATE TABLE two (id int PRIMARY KEY, a int, b int, c int);
INSERT INTO two VALUES (1, 0, 0, 0), (2, 0, 1, 1);
CREATE TABLE two_released AS SELECT id, 0 AS a, 0 AS b, 1 AS c FROM two;
SELECT sdc_register('two', 'two_released', '{a,b,c}', '{id}', 'randomize', '{"draws": 1}');
SELECT mean, bound FROM sdc_inference_risk('two_released');
-- Proposition 13: only (0, 0) can become (1, 0), as the others lack a value: with k = 1 by P(a = 1) / 2 = 1/4, with 2 by P(a = 1) P(b = 0) = 1/6
CREATE TABLE falling (a int, b int);
INSERT INTO falling VALUES (0, 0), (1, NULL), (NULL, 1), (NULL, 1);
SELECT k, round((4 * expected_others)::numeric, 12) FROM generate_series(1, 2) AS k, sdc_support_bias('falling', '{a,b}', '{"a": 1, "b": 0}', draws => k);
-- the variance: of two records without a value in common one keeps all three with 1/2, 1/4, 1/8 and the other gets them with 0, 0, 1/8
CREATE TABLE lone (a int, b int, c int);
INSERT INTO lone VALUES (0, 0, 0), (1, 1, 1);
SELECT k, round((4 * variance)::numeric, 12) FROM generate_series(1, 3) AS k, sdc_support_bias('lone', '{a,b,c}', '{"a": 0, "b": 0, "c": 0}', draws => k);
-- Proposition 12: a bias above |q| / m needs a lift below 1/2; of 7 records one has both of 4 and 4
CREATE TABLE seven AS SELECT (i BETWEEN 1 AND 4)::int AS a, (i >= 4)::int AS b FROM generate_series(1, 7) AS i;
SELECT records, round(relative_bias::numeric, 12), lift FROM sdc_support_bias('seven', '{a,b}', '{"a": 1, "b": 1}', draws => 1);
-- the confidence in a sensitive value: 1 / diversity is never above the share of the most frequent value
SELECT round((1 / sdc_diversity(disease))::numeric, 3) AS printed, max(n) / 10.0 AS right FROM ten_2, (SELECT count(*) AS n FROM ten_2 GROUP BY disease) AS d;
