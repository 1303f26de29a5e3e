-- exact_draws.sql
--		The draws, through the whole product, against their exact probabilities.
--
-- A table of very many small strata is as many independent runs of a method.  With
-- small strata every outcome, that is who swaps with whom, has a probability that can be
-- computed from the definition (lib/naive.sql); with larger ones the partner of the first
-- position has.  Fixed seeds, so the statistics below never change; the limits are
-- exceeded by chance once in 10,000.

\ir lib/check.sql
\ir lib/naive.sql

-- A value tells its stratum and its position in it.  The four attributes are four
-- independent runs; the second has its values in descending order of the key, the
-- third text, the fourth numeric: three other ways of sorting.
CREATE PROCEDURE pg_temp.strata_table(strata int, size int)
LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format($sql$
		DROP TABLE IF EXISTS sdc_check.strata;
		CREATE TABLE sdc_check.strata (id bigint PRIMARY KEY, stratum int, a bigint, b float8,
			c text COLLATE "C", d numeric);
		INSERT INTO sdc_check.strata
		SELECT s * 1000 + k, s, s * 1000 + k, s * 1000 + %2$s + 1 - k,
			lpad((s * 1000 + k)::text, 12, '0'), s * 1000 + k
		FROM generate_series(1, %1$s) AS s, generate_series(1, %2$s) AS k
	$sql$, strata, size);
END
$$;

-- swapped returns the partners of every run of a method on that table.
CREATE FUNCTION pg_temp.swapped(method text, parameter text, seed text)
RETURNS TABLE (partner int[]) LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format($sql$
		SELECT FROM sdc_%s('sdc_check.strata', %s, columns => '{a,b,c,d}', strata => '{stratum}',
			target => 'sdc_check.protected', seed => %L, replace => true)
	$sql$, method, parameter, seed);
	RETURN QUERY
	SELECT r.p
	FROM (SELECT array_agg((p.a % 1000)::int ORDER BY s.a) AS a,
			array_agg((p.b::bigint % 1000)::int ORDER BY s.b) AS b,
			array_agg((p.c::bigint % 1000)::int ORDER BY s.c) AS c,
			array_agg((p.d % 1000)::int ORDER BY s.d) AS d
		FROM sdc_check.protected AS p JOIN sdc_check.strata AS s USING (id)
		GROUP BY s.stratum) AS g,
		LATERAL (VALUES (a), (b), (c), (d)) AS r (p);
END
$$;

-- outcomes_ok compares the frequencies of all outcomes with their probabilities.
CREATE FUNCTION pg_temp.outcomes_ok(method text, parameter text, naive float8, size int, name text)
RETURNS text LANGUAGE sql AS $$
	WITH observed AS (
		SELECT partner, count(*) AS records
		FROM pg_temp.swapped(method, parameter, 'outcomes ' || name) GROUP BY partner
	), expected AS (
		SELECT * FROM pg_temp.exact_swaps(method, naive, size)
	), both_sides AS (
		SELECT coalesce(records, 0) AS o,
			coalesce(probability, 0) * (SELECT sum(records) FROM observed) AS e
		FROM observed FULL JOIN expected USING (partner)
	)
	SELECT pg_temp.chi_square_ok(array_agg(o), array_agg(e),
		format('%s, who swaps with whom in 24,000 strata', name))
	FROM both_sides
$$;

-- partners_ok compares the frequencies of the partners of one of the first positions.
CREATE FUNCTION pg_temp.partners_ok(method text, parameter text, naive float8, size int, turn int, name text)
RETURNS text LANGUAGE sql AS $$
	WITH observed AS (
		SELECT partner[turn] AS l, count(*) AS records
		FROM pg_temp.swapped(method, parameter, 'partners ' || name) GROUP BY 1
	), expected AS (
		SELECT partner[turn] AS l, sum(probability) AS probability
		FROM pg_temp.exact_swaps(method, naive, size, turn) GROUP BY 1
	), both_sides AS (
		SELECT coalesce(records, 0) AS o,
			coalesce(probability, 0) * (SELECT sum(records) FROM observed) AS e
		FROM observed FULL JOIN expected USING (l)
	)
	SELECT pg_temp.chi_square_ok(array_agg(o), array_agg(e),
		format('%s, the partner of position %s of %s in %s strata', name, turn, size, sum(o)))
	FROM both_sides
$$;

--
-- All outcomes of strata of six
--
SELECT pg_temp.ok(abs(sum(probability) - 1) < 1e-12 AND count(*) = outcomes,
	format('naive %s: the probabilities of its %s outcomes add up to 1', method, outcomes),
	format('%s outcomes, %s', count(*), sum(probability)))
FROM (VALUES ('rankswap', 2, 3), ('rankswap', 5, 15), ('rankswap_distribution', 1.5, 15),
	('rankswap_buckets', 3, 15)) AS v (method, parameter, outcomes),
	pg_temp.exact_swaps(method, parameter, 6)
GROUP BY method, parameter, outcomes
ORDER BY method, parameter;

CALL pg_temp.strata_table(6000, 6);
SELECT pg_temp.outcomes_ok('rankswap', 'p => 16', 1, 6, 'standard, window 1 of 6');
SELECT pg_temp.outcomes_ok('rankswap', 'p => 30', 2, 6, 'standard, window 2 of 6');
SELECT pg_temp.outcomes_ok('rankswap', 'p => 50', 3, 6, 'standard, window 3 of 6');
SELECT pg_temp.outcomes_ok('rankswap', 'p => 100', 6, 6, 'standard, window 6 of 6');
SELECT pg_temp.outcomes_ok('rankswap_distribution', 'p => 30', 0.9, 6, 'distribution, p = 30');
SELECT pg_temp.outcomes_ok('rankswap_distribution', 'p => 100', 3, 6, 'distribution, p = 100');
SELECT pg_temp.outcomes_ok('rankswap_buckets', 'buckets => 1', 1, 6, '1 bucket of 6');
SELECT pg_temp.outcomes_ok('rankswap_buckets', 'buckets => 3', 3, 6, '3 buckets of 2');
SELECT pg_temp.outcomes_ok('rankswap_buckets', 'buckets => 4', 4, 6, '4 buckets of 6, unequal');
SELECT pg_temp.outcomes_ok('rankswap_buckets', 'buckets => 6', 6, 6, '6 buckets of 1');

-- odd: one position is left over
CALL pg_temp.strata_table(6000, 5);
SELECT pg_temp.outcomes_ok('rankswap', 'p => 40', 2, 5, 'standard, window 2 of 5');
SELECT pg_temp.outcomes_ok('rankswap_distribution', 'p => 60', 1.5, 5, 'distribution, 5 positions');
SELECT pg_temp.outcomes_ok('rankswap_buckets', 'buckets => 2', 2, 5, '2 buckets of 5');

--
-- The first positions of larger strata
--
CALL pg_temp.strata_table(5000, 11);
SELECT pg_temp.partners_ok('rankswap', 'p => 45', 5, 11, 1, 'standard, window 5: uniform over 2 .. 6');
SELECT pg_temp.partners_ok('rankswap', 'p => 45', 5, 11, 3, 'standard, window 5');
CALL pg_temp.strata_table(2500, 30);
SELECT pg_temp.partners_ok('rankswap_distribution', 'p => 40', 6, 30, 1, 'distribution, mu = sigma = 6');
SELECT pg_temp.partners_ok('rankswap_distribution', 'p => 40', 6, 30, 2, 'distribution, mu = sigma = 6');
SELECT pg_temp.partners_ok('rankswap_buckets', 'buckets => 10', 10, 30, 1, '10 buckets of 3');
SELECT pg_temp.partners_ok('rankswap_buckets', 'buckets => 4', 4, 30, 2, '4 buckets of 7 or 8');
-- The mean and deviation of the first distance, against the truncated, rounded normal
WITH expected AS (
	SELECT sum(probability * (l - 1)) AS mean,
		sqrt(sum(probability * (l - 1) ^ 2) - sum(probability * (l - 1)) ^ 2) AS deviation
	FROM pg_temp.draw('rankswap_distribution', 6, array_fill(0, ARRAY[30]), 1)
), observed AS (
	SELECT avg(partner[1] - 1) AS mean, stddev_samp(partner[1] - 1) AS deviation, count(*) AS n
	FROM pg_temp.swapped('rankswap_distribution', 'p => 40', 'moments')
)
SELECT pg_temp.ok(abs(o.mean - e.mean) < 4 * e.deviation / sqrt(n)
		AND abs(o.deviation - e.deviation) < 4 * e.deviation / sqrt(2 * n),
	format('distribution: mean and deviation of the first distance are %s and %s within 4 standard errors',
		round(e.mean::numeric, 3), round(e.deviation::numeric, 3)),
	format('%s and %s', o.mean, o.deviation))
FROM expected AS e, observed AS o;

-- windows and buckets of more than 64 positions
CALL pg_temp.strata_table(1500, 200);
SELECT pg_temp.partners_ok('rankswap', 'p => 35', 70, 200, 2, 'standard, window 70');
SELECT pg_temp.partners_ok('rankswap_buckets', 'buckets => 2', 2, 200, 2, '2 buckets of 100');

-- Equal values are in random order: of three records with the value 1 and one with the value
-- 2, each of the three has the same chance to get the 2, with a window of 1.
CREATE TABLE sdc_check.ties AS
SELECT s * 1000 + k AS id, s AS stratum, CASE WHEN k = s % 4 + 1 THEN 2 ELSE 1 END AS a,
	CASE WHEN k = s % 4 + 1 THEN 'b' ELSE 'a' END AS b
FROM generate_series(1, 12000) AS s, generate_series(1, 4) AS k;
SELECT FROM sdc_rankswap('sdc_check.ties', p => 25, columns => '{a,b}', key => '{id}',
	strata => '{stratum}', target => 'sdc_check.tied', seed => 'ties');
WITH swapped AS (
	-- which one of the three, by key, and for which attribute
	SELECT attribute, number, count(*) AS o
	FROM (SELECT id, stratum, row_number() OVER (PARTITION BY stratum ORDER BY id) AS number
		FROM sdc_check.ties WHERE a = 1) AS t
		JOIN sdc_check.tied AS p USING (id),
		LATERAL (VALUES (1, p.a = 2), (2, p.b = 'b')) AS v (attribute, got)
	WHERE got
	GROUP BY attribute, number
)
SELECT pg_temp.chi_square_ok(array_agg(o), array_agg(4000.0::float8),
	format('which of three equal values is swapped, in 12,000 strata, %s',
		CASE attribute WHEN 1 THEN 'an integer' ELSE 'a text' END))
FROM swapped GROUP BY attribute ORDER BY attribute;

\ir lib/finish.sql
