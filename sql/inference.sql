--
-- inference
--
-- What an intruder who knows the original frequencies infers from a release by random
-- anonymization, against the same by plain SQL; and what the measures of anonymity refuse.
--
\pset format unaligned
\pset footer off
SET search_path = measured, public;

-- The definition: candidates of every released combination, with their weights.
CREATE FUNCTION brute_risk(release regclass, probabilities float8[]) RETURNS TABLE (mean float8, maximum float8, bound float8, hit_percent float8, unchanged_percent float8, bound_mean float8, amplification_mean float8, amplification_maximum float8, impossible bigint) LANGUAGE plpgsql AS $$
DECLARE
	entry record;
	m int;
	equal text;
BEGIN
	SELECT * INTO STRICT entry FROM sdc_releases AS r WHERE r.release = brute_risk.release;
	m := cardinality(entry.columns);
	-- combinations as arrays of text; where a candidate differs in one attribute, which
	RETURN QUERY EXECUTE format($q$
		WITH original AS (SELECT id, ARRAY[%1$s] AS q FROM %2$s), released AS (SELECT id, ARRAY[%1$s] AS q FROM %3$s),
		total AS (SELECT count(*)::float8 AS n FROM original),
		kind AS (SELECT q, count(*) / n AS supp FROM original, total GROUP BY q, n),
		value AS (SELECT i, q[i] AS v, sum(supp) AS p FROM kind, generate_series(1, $1) AS i GROUP BY i, q[i]),
		seen AS (SELECT DISTINCT q FROM released),
		a AS (SELECT q, i, $2[i] * coalesce(p, 0) AS a FROM seen, generate_series(1, $1) AS i LEFT JOIN value USING (i) WHERE v = q[i]),
		pair AS (SELECT s.q AS seen, k.q AS candidate, k.supp, (SELECT array_agg(i) FROM generate_series(1, $1) AS i WHERE s.q[i] <> k.q[i]) AS differ FROM seen AS s, kind AS k),
		weight AS MATERIALIZED (SELECT seen, candidate, supp, differ[1] AS w, supp * (SELECT sum(a) FROM a WHERE a.q = seen AND (differ IS NULL OR i = differ[1])) AS weight FROM pair WHERE coalesce(cardinality(differ), 0) <= 1),
		possible AS (SELECT * FROM weight WHERE weight > 0),
		rest AS (SELECT seen, i, sum(supp) AS rest FROM pair, generate_series(1, $1) AS i WHERE differ IS NULL OR differ = ARRAY[i] GROUP BY seen, i),
		d AS MATERIALIZED (SELECT seen, sum(a * rest) AS d FROM rest JOIN a ON a.q = seen AND a.i = rest.i WHERE a > 0 GROUP BY seen),
		ranked AS MATERIALIZED (SELECT *, near(weight / max(weight) OVER (PARTITION BY seen), 1) AS heaviest FROM possible JOIN d USING (seen)),
		best AS (SELECT seen, max(weight) / max(d) AS risk, max(weight) / min(weight) AS amplification, count(*) FILTER (WHERE heaviest) AS heaviest FROM ranked GROUP BY seen)
		SELECT avg(risk), max(risk), NULL::float8, 100 * sum(CASE WHEN EXISTS (SELECT FROM ranked AS p WHERE p.seen = r.q AND p.candidate = o.q AND p.heaviest) THEN 1.0 / heaviest ELSE 0 END) / count(*)::float8,
			100.0 * count(*) FILTER (WHERE o.q = r.q) / count(*)::float8, NULL::float8, avg(amplification), max(amplification), count(*) FILTER (WHERE risk IS NULL)
		FROM original AS o JOIN released AS r USING (id) LEFT JOIN best ON seen = r.q$q$,
		(SELECT string_agg(format('%I::text', c), ', ') FROM unnest(entry.columns) AS c), entry.source, entry.release) USING m, probabilities;
END
$$;
CREATE FUNCTION probabilities_of(release regclass) RETURNS float8[] LANGUAGE sql
RETURN (SELECT coalesce((SELECT array_agg(p::float8 ORDER BY i) FROM jsonb_array_elements_text(parameters -> 'probabilities') WITH ORDINALITY AS e (p, i)), array_fill(1.0 / cardinality(columns), ARRAY[cardinality(columns)]))
	FROM sdc_private.sdc_release_catalog AS r WHERE r.release = probabilities_of.release);
SELECT count(*) FROM sdc_randomize('full_person', '{region,sex,age,job}', draws => 1, target => 'by_k', seed => 2);
SELECT count(*) FROM sdc_randomize('full_person', '{region,sex,job}', probabilities => '{0.7,0.3,0}', target => 'by_given', seed => 3);
SELECT count(*) FROM sdc_randomize('full_person', '{age,region}', target => 'by_two', seed => 4);
SELECT release, near(r.mean, b.mean) AS mean, near(r.maximum, b.maximum) AS maximum, near(r.hit_percent, b.hit_percent) AS hits, near(r.unchanged_percent, b.unchanged_percent) AS unchanged,
	near(r.amplification_mean, b.amplification_mean) AS amplification, near(r.amplification_maximum, b.amplification_maximum) AS amplification_maximum, r.impossible = b.impossible AS impossible,
	r.bound >= r.maximum AND r.bound_mean >= r.mean AND r.bound <= 1 AS bounded, r.hit_percent BETWEEN 100 * r.mean - 10 AND 100 * r.mean + 10 AS plausible
FROM sdc_releases, LATERAL sdc_inference_risk(release) AS r, LATERAL brute_risk(release, probabilities_of(release)) AS b WHERE source = 'full_person'::regclass ORDER BY release::text COLLATE "C";

-- By hand: two attributes of two values each, four records; p = 1/2.
CREATE TABLE four (id int PRIMARY KEY, a text, b text);
INSERT INTO four VALUES (1, 'x', 'u'), (2, 'x', 'u'), (3, 'x', 'v'), (4, 'y', 'u');
CREATE TABLE four_released AS SELECT id, 'x' AS a, 'u' AS b FROM four;
SELECT sdc_register('four', 'four_released', '{a,b}', '{id}', 'randomize', '{"draws": 1}');
-- supp(xu) = 1/2, supp(xv) = supp(yu) = 1/4, P(x) = P(u) = 3/4: a = 3/8 each; candidates weigh 1/2 * 3/4, 1/4 * 3/8, 1/4 * 3/8 of 3/8 * (3/4 + 3/4)
SELECT near(mean, 2 / 3.0) AS mean, near(maximum, 2 / 3.0) AS maximum, near(bound, 2 / 3.0) AS bound, near(bound_mean, 2 / 3.0) AS bound_mean, hit_percent, unchanged_percent, amplification_mean, amplification_maximum, impossible FROM sdc_inference_risk('four_released');
-- what no record can have become is in no mean: its values are not those of any record but one
INSERT INTO four VALUES (5, 'z', 'w');
INSERT INTO four_released VALUES (5, 'z', 'u');
UPDATE four_released SET a = 'y', b = 'v' WHERE id = 1;
SELECT sdc_unregister('four_released');
SELECT sdc_register('four', 'four_released', '{a,b}', '{id}', 'randomize', '{"draws": 1}');
SELECT near(r.mean, b.mean) AS mean, near(r.maximum, b.maximum) AS maximum, near(r.hit_percent, b.hit_percent) AS hits, r.unchanged_percent, r.impossible, b.impossible AS expected FROM sdc_inference_risk('four_released') AS r, brute_risk('four_released', '{0.5,0.5}') AS b;
UPDATE four_released SET a = 'unknown', b = 'unknown' WHERE id = 2;
SELECT near(r.mean, b.mean) AS mean, near(r.hit_percent, b.hit_percent) AS hits, r.impossible, b.impossible AS expected FROM sdc_inference_risk('four_released') AS r, brute_risk('four_released', '{0.5,0.5}') AS b;

-- Parameters: those of the catalog; unknown ones are refused.
CREATE FUNCTION risk_with(parameters jsonb) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	PERFORM sdc_unregister('four_released');
	PERFORM sdc_register('four', 'four_released', '{a,b}', '{id}', 'randomize', parameters);
	RETURN helper.catch($q$SELECT FROM sdc_inference_risk('four_released')$q$);
END
$$;
\pset tuples_only on
SELECT p, risk_with(p) FROM unnest(ARRAY['{"probabilities": [0.5, 0.5]}', '{"probabilities": [1, 0]}', '{"draws": 2}', '{}', '{"probabilities": [0.5]}', '{"probabilities": [0.5, 2]}', '{"probabilities": ["0.5", "0.5"]}', '{"probabilities": "0.5"}', '{"probabilities": [[0.5, 0.5]]}',
	'{"probabilities": {"a": 1}}', '{"draws": "1", "probabilities": [0.5, 0.5]}', '{"draws": 1e400}', '{"probabilities": [1e400, 0.5]}']::jsonb[]) AS p;
SELECT sdc_unregister('four_released');
SELECT sdc_register('four', 'four_released', '{a,b}', '{id}', 'other', '{"draws": 1}');
SELECT helper.catch($$SELECT FROM sdc_inference_risk('four_released')$$), helper.catch($$SELECT FROM sdc_inference_risk('four')$$), helper.catch($$SELECT FROM sdc_inference_risk(NULL)$$);
SELECT count(*) FROM sdc_rankswap('full_person', p => 5, target => 'swapped', seed => 1, columns => '{age}');
SELECT helper.catch($$SELECT FROM sdc_inference_risk('swapped')$$);
UPDATE full_person SET age = age + 1 WHERE id = 1;
SELECT helper.catch(format('SELECT FROM sdc_inference_risk(%L)', r)) FROM unnest('{by_two,by_k}'::text[]) AS r;

-- What the others refuse.
SELECT c, helper.catch('SELECT * FROM ' || c) FROM unnest(ARRAY[
	$$sdc_probabilistic_anonymity(NULL, '{a}')$$, $$sdc_probabilistic_anonymity('even', NULL)$$, $$sdc_probabilistic_anonymity('even', '{}')$$, $$sdc_probabilistic_anonymity('even', '{a,a}')$$, $$sdc_probabilistic_anonymity('even', '{nothing}')$$,
	$$sdc_probabilistic_anonymity('even', '{a,b}', '{1}')$$, $$sdc_probabilistic_anonymity('even', '{a,b}', '{0.9,0.9}')$$, $$sdc_probabilistic_anonymity('even', '{a,b}', '{NaN,1}')$$, $$sdc_probabilistic_anonymity('even', '{a,b}', '{-1,2}')$$, $$sdc_probabilistic_anonymity('people_pkey', '{a}')$$, $$sdc_probabilistic_anonymity(0, '{a}')$$,
	$$sdc_support_bias('even', '{a,b}', NULL)$$, $$sdc_support_bias('even', '{a,b}', '{}')$$, $$sdc_support_bias('even', '{a,b}', '[1]')$$, $$sdc_support_bias('even', '{a,b}', '1')$$, $$sdc_support_bias('even', '{a,b}', '{"c": 1}')$$, $$sdc_support_bias('even', '{a,b}', '{"a": null}')$$,
	$$sdc_support_bias('even', '{a,b}', '{"a": [1]}')$$, $$sdc_support_bias('even', '{a,b}', '{"a": {"b": 1}}')$$, $$sdc_support_bias('even', '{a,b}', '{"a": "x"}')$$, $$sdc_support_bias('even', '{a,b}', '{"a": 1e100}')$$, $$sdc_support_bias('even', '{a,b}', '{"a": 1}', draws => 0)$$, $$sdc_support_bias('even', '{a,b}', '{"a": 1}', draws => 3)$$,
	$$sdc_support_bias('even', '{a,b}', '{"a": 1}', '{0.5,0.5}', 1)$$, $$sdc_support_bias('even', '{a,b}', '{"a": 1}', '{0.5}')$$, $$sdc_support_bias('even', '{}', '{"a": 1}')$$, $$sdc_support_bias('even', '{a,nothing}', '{"a": 1}')$$,
	$$sdc_chi_square('even', '{a}')$$, $$sdc_chi_square('even', '{}')$$, $$sdc_chi_square('even', NULL)$$, $$sdc_chi_square('even', '{a,a}')$$, $$sdc_chi_square('even', '{a,nothing}')$$, $$sdc_chi_square(NULL, '{a,b}')$$, $$sdc_chi_square('even', '{a,ctid}')$$]) AS c;
CREATE TABLE unordered AS SELECT 1 AS a, '{}'::json AS j, point '(1,1)' AS p;
SELECT helper.catch($$SELECT sdc_probabilistic_anonymity('unordered', '{a,j}')$$), helper.catch($$SELECT FROM sdc_chi_square('unordered', '{p,a}')$$), helper.catch($$SELECT FROM sdc_support_bias('unordered', '{a,p}', '{"a": 1}')$$);
\pset tuples_only off
