-- distances.sql
--		How far values travel in a large file, against a naive simulation.
--
-- 200,000 records with distinct values are protected; the distances between swapped
-- positions, as parts of the window, are compared with those that a simulation of
-- 20,000 records draws by rejection (lib/naive.sql), in 10 or 21 classes, by
-- a chi-square test for two samples.  Fixed seeds; the limit is exceeded by chance
-- once in 10,000.

\ir lib/check.sql
\ir lib/naive.sql

-- The value is the sorted position; the records lie in another order.
CREATE TABLE sdc_check.large (id bigint PRIMARY KEY, x bigint, y float8, note text);
INSERT INTO sdc_check.large
SELECT x * 7919 % 200003, x, x * 2.5, 'record ' || x	-- 200,003 is a prime
FROM generate_series(1, 200000) AS x;
VACUUM ANALYZE sdc_check.large;

-- distances_ok protects the file, and compares.  The scale is what distances are
-- divided by, as a share of the records; distances above twice the scale are one class.
CREATE FUNCTION pg_temp.distances_ok(method text, argument text, naive_share float8, scale float8, name text)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	EXECUTE format($sql$
		SELECT FROM sdc_%s('sdc_check.large', %s, columns => '{x}', target => 'sdc_check.far',
			seed => 'distances', replace => true)
	$sql$, method, argument);
	WITH released AS (
		SELECT p.x - s.x AS distance, count(*) OVER () AS n
		FROM sdc_check.far AS p JOIN sdc_check.large AS s USING (id)
	), simulated AS (
		SELECT partner - position AS distance, count(*) OVER () AS n
		FROM unnest(pg_temp.simulate(method, naive_share * CASE method WHEN 'rankswap_buckets'
				THEN 1 ELSE 20000 END, 20000, 1)) WITH ORDINALITY AS u (partner, position)
	), a AS (
		SELECT least(ceil(10 * distance / (scale * n) - 1e-9), 21) AS class, count(*) AS count
		FROM released WHERE distance > 0 GROUP BY class
	), b AS (
		SELECT least(ceil(10 * distance / (scale * n) - 1e-9), 21) AS class, count(*) AS count
		FROM simulated WHERE distance > 0 GROUP BY class
	), total AS (
		SELECT (SELECT sum(count) FROM a) AS a, (SELECT sum(count) FROM b) AS b
	), test AS (
		SELECT sum((sqrt(total.b / total.a) * coalesce(a.count, 0) - sqrt(total.a / total.b) * coalesce(b.count, 0)) ^ 2
				/ (coalesce(a.count, 0) + coalesce(b.count, 0))) AS chi_square, count(*)::int - 1 AS degrees
		FROM a FULL JOIN b USING (class), total
	)
	SELECT pg_temp.ok(degrees >= 9 AND chi_square < pg_temp.chi_square_limit(degrees),
		format('%s, distances of 100,000 and of 10,000 simulated swaps: chi-square below its 1 in 10,000 limit %s (%s degrees)',
			name, round(pg_temp.chi_square_limit(degrees)::numeric, 1), degrees),
		format('chi-square %s, swaps %s and %s', chi_square, total.a, total.b))
	FROM test, total INTO result;
	RETURN result;
END
$$;

SELECT pg_temp.distances_ok('rankswap', 'p => 5', 0.05, 0.05, 'standard, p = 5');
SELECT pg_temp.distances_ok('rankswap', 'p => 30', 0.3, 0.3, 'standard, p = 30');
SELECT pg_temp.distances_ok('rankswap_distribution', 'p => 5', 0.025, 0.05, 'distribution, p = 5');
SELECT pg_temp.distances_ok('rankswap_distribution', 'p => 40', 0.2, 0.2, 'distribution, p = 40');
SELECT pg_temp.distances_ok('rankswap_buckets', 'buckets => 20', 20, 0.05, '20 buckets');
SELECT pg_temp.distances_ok('rankswap_buckets', 'buckets => 3', 3, 0.4, '3 buckets');

--
-- Bounds that no draw may break
--
SELECT FROM sdc_rankswap('sdc_check.large', p => 0.1, target => 'sdc_check.near', seed => 'bounds');

SELECT pg_temp.ok(max(abs(p.x - s.x)) = 200 AND max(abs(p.y - s.y)) = 500,
	'standard, p = 0.1 of 200,000: no distance above 200, and the bound is reached',
	format('%s and %s', max(abs(p.x - s.x)), max(abs(p.y - s.y))))
FROM sdc_check.near AS p JOIN sdc_check.large AS s USING (id);

SELECT pg_temp.ok(abs(corr(p.x - s.x, p.y - s.y)) < 4 / sqrt(count(*)),
	'two attributes with the same order are swapped independently: |r| of the distances below 4 / sqrt(n)',
	format('r %s', corr(p.x - s.x, p.y - s.y)))
FROM sdc_check.near AS p JOIN sdc_check.large AS s USING (id);

SELECT pg_temp.ok(count(*) = 0, 'a swap has two sides: who has the value of another gave it its own',
	format('%s records', count(*)))
FROM sdc_check.large AS s JOIN sdc_check.near AS p USING (id)
	JOIN sdc_check.large AS o ON o.x = p.x JOIN sdc_check.near AS q ON q.id = o.id
WHERE q.x <> s.x;

--
-- Memory, physical order, plans and partitions do not show in the result
--
CREATE TABLE sdc_check.middle (LIKE sdc_check.large INCLUDING ALL);
INSERT INTO sdc_check.middle SELECT * FROM sdc_check.large WHERE x <= 60000;
ANALYZE sdc_check.middle;

CREATE FUNCTION pg_temp.release_md5(method text, source text)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	EXECUTE format($sql$
		SELECT FROM sdc_%s(%L, %s, columns => '{x,y,note}', key => '{id}', target => 'sdc_check.again',
			seed => 7, replace => true)
	$sql$, method, source, CASE method WHEN 'rankswap_buckets' THEN 'buckets => 20' ELSE 'p => 5' END);
	SELECT md5(string_agg(r::text, '' ORDER BY id)) INTO result FROM sdc_check.again AS r;
	RETURN result;
END
$$;

SET maintenance_work_mem = '64MB';
CREATE TABLE sdc_check.result AS
SELECT method, pg_temp.release_md5(method, 'sdc_check.middle') AS md5
FROM unnest('{rankswap,rankswap_distribution,rankswap_buckets}'::text[]) AS method;

SET maintenance_work_mem = '1MB';
SELECT pg_temp.ok(md5 = pg_temp.release_md5(method, 'sdc_check.middle'),
	method || ': the same release with 1 MB as with 64 MB of memory')
FROM sdc_check.result;

CREATE TABLE sdc_check.shuffled (LIKE sdc_check.large) PARTITION BY HASH (x);
CREATE TABLE sdc_check.shuffled_0 PARTITION OF sdc_check.shuffled FOR VALUES WITH (MODULUS 3, REMAINDER 0);
CREATE TABLE sdc_check.shuffled_1 PARTITION OF sdc_check.shuffled FOR VALUES WITH (MODULUS 3, REMAINDER 1);
CREATE TABLE sdc_check.shuffled_2 PARTITION OF sdc_check.shuffled FOR VALUES WITH (MODULUS 3, REMAINDER 2);
INSERT INTO sdc_check.shuffled SELECT * FROM sdc_check.middle ORDER BY md5(x::text);
ANALYZE sdc_check.shuffled;

SET maintenance_work_mem = '8MB';
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SELECT pg_temp.ok(md5 = pg_temp.release_md5(method, 'sdc_check.shuffled'),
	method || ': the same release of a partitioned table in another order, with parallel plans')
FROM sdc_check.result;

SELECT FROM sdc_rankswap('sdc_check.middle', p => 5, columns => '{x,y,note}', target => 'sdc_check.again',
	seed => 8, replace => true);
SELECT pg_temp.ok(md5 <> (SELECT md5 FROM sdc_check.result WHERE method = 'rankswap'),
	'another seed, another release')
FROM (SELECT md5(string_agg(r::text, '' ORDER BY id)) AS md5 FROM sdc_check.again AS r) AS r;

\ir lib/finish.sql
