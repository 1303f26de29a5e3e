--
-- window
--
-- The window functions: the values of a partition, swapped among each other.
--
\pset format unaligned
\pset footer off
SELECT helper.make_people('win', 200);

-- The same values, in other places; with ORDER BY value, id it is the same every time.
CREATE VIEW win_1 AS
SELECT id, weight, sdc_rankswap_over(weight, 5, 'seed') OVER (ORDER BY weight, id) AS standard,
	sdc_rankswap_distribution_over(weight, 5, 'seed') OVER (ORDER BY weight, id) AS distribution,
	sdc_rankswap_buckets_over(weight, 20, 'seed') OVER (ORDER BY weight, id) AS buckets
FROM win;
SELECT count(*), count(*) FILTER (WHERE weight <> standard) > 180 AS standard,
	count(*) FILTER (WHERE weight <> distribution) > 180 AS distribution, count(*) FILTER (WHERE weight <> buckets) > 180 AS buckets,
	count(*) FILTER (WHERE standard = distribution) < 40 AS methods_differ
FROM win_1;
SELECT count(*) FROM (SELECT weight FROM win EXCEPT ALL SELECT standard FROM win_1) AS d;
SELECT count(*) FROM (SELECT weight FROM win EXCEPT ALL SELECT distribution FROM win_1) AS d;
SELECT count(*) FROM (SELECT weight FROM win EXCEPT ALL SELECT buckets FROM win_1) AS d;
SELECT count(*) FROM (TABLE win_1 EXCEPT ALL TABLE win_1) AS d;
-- in another physical order
CREATE TABLE win_shuffled AS SELECT * FROM win ORDER BY md5(id::text);
SELECT count(*) FROM (
	SELECT id, sdc_rankswap_over(weight, 5, 'seed') OVER (ORDER BY weight, id) FROM win_shuffled
	EXCEPT ALL SELECT id, standard FROM win_1) AS d;
-- no seed: another result in every call
SELECT count(*) > 100 AS differ
FROM (SELECT sdc_rankswap_over(weight, 5) OVER (ORDER BY weight, id) AS a, sdc_rankswap_over(weight, 5, NULL) OVER (ORDER BY weight, id) AS b
	FROM win) AS x WHERE a <> b;
-- other seeds
SELECT count(*) > 100 AS differ
FROM (SELECT sdc_rankswap_over(weight, 5, '1') OVER w AS a, sdc_rankswap_over(weight, 5, '2') OVER w AS b
	FROM win WINDOW w AS (ORDER BY weight, id)) AS x WHERE a <> b;

-- The bound of the window: w positions, for the standard method.
SELECT p, max(abs(old - new)) <= greatest(1, round(p * 200 / 100)) AS within
FROM (SELECT p, rank() OVER (PARTITION BY p ORDER BY weight) AS old, rank() OVER (PARTITION BY p ORDER BY swapped) AS new
	FROM (SELECT p, weight, sdc_rankswap_over(weight, p, 'seed') OVER (PARTITION BY p ORDER BY weight, id) AS swapped
		FROM win, unnest(ARRAY[0.1, 1, 2.5, 10, 50, 100]) AS p) AS s) AS r
GROUP BY p ORDER BY p;

-- PARTITION BY: values stay in their partition, also those where it is NULL.
CREATE TABLE win_2 AS
SELECT id, job, income, sdc_rankswap_over(income, 10, 'seed') OVER (PARTITION BY job ORDER BY income, id) AS standard,
	sdc_rankswap_distribution_over(income, 10, 'seed') OVER (PARTITION BY job ORDER BY income, id) AS distribution,
	sdc_rankswap_buckets_over(income, 5, 'seed') OVER (PARTITION BY job ORDER BY income, id) AS buckets
FROM win;
SELECT count(*) FROM (SELECT job, income FROM win EXCEPT ALL SELECT job, standard FROM win_2) AS d;
SELECT count(*) FROM (SELECT job, income FROM win EXCEPT ALL SELECT job, distribution FROM win_2) AS d;
SELECT count(*) FROM (SELECT job, income FROM win EXCEPT ALL SELECT job, buckets FROM win_2) AS d;
SELECT count(*) FILTER (WHERE income <> standard) > 150 AS standard, count(*) FILTER (WHERE income <> distribution) > 150 AS distribution,
	count(*) FILTER (WHERE income <> buckets) > 150 AS buckets FROM win_2;
-- the same seed draws differently in partitions with other values
SELECT count(*) FILTER (WHERE a.swapped - 1000 = b.swapped) BETWEEN 1 AND 30 AS differ
FROM (SELECT g, i, sdc_rankswap_over(i + 1000 * g, 20, 'seed') OVER (PARTITION BY g ORDER BY i) AS swapped
	FROM generate_series(1, 100) AS i, generate_series(1, 2) AS g) AS a
JOIN (SELECT g, i, sdc_rankswap_over(i + 1000 * g, 20, 'seed') OVER (PARTITION BY g ORDER BY i) AS swapped
	FROM generate_series(1, 100) AS i, generate_series(1, 2) AS g) AS b ON a.g = 2 AND b.g = 1 AND a.i = b.i;
-- many small partitions, partitions of one row
SELECT count(*), count(*) FILTER (WHERE age <> swapped) AS changed
FROM (SELECT age, sdc_rankswap_over(age, 5, 'seed') OVER (PARTITION BY id) AS swapped FROM win) AS x;
SELECT count(*), sum(swapped) = sum(weight) AS same
FROM (SELECT weight, sdc_rankswap_over(weight, 50, 'seed') OVER (PARTITION BY born) AS swapped FROM win) AS x;

-- NULLs stay where they are, and count for nothing.
SELECT count(*), count(savings), count(swapped), count(*) FILTER (WHERE (savings IS NULL) <> (swapped IS NULL)) AS moved
FROM (SELECT savings, sdc_rankswap_over(savings, 5, 'seed') OVER (ORDER BY savings, id) AS swapped FROM win) AS x;
SELECT count(*), count(swapped) FROM (SELECT sdc_rankswap_over(NULL::int, 5, 'seed') OVER () AS swapped FROM win) AS x;
SELECT sdc_rankswap_over(i, 5, 'seed') OVER () FROM generate_series(1, 0) AS i;
SELECT sdc_rankswap_over(i, 5, 'seed') OVER () FROM generate_series(1, 1) AS i;
SELECT sdc_rankswap_buckets_over(i, 5, 'seed') OVER (ORDER BY i) FROM generate_series(1, 2) AS i;

-- No ORDER BY, another ORDER BY, frames, FILTER, DISTINCT.
SELECT count(*), sum(swapped) = sum(age) AS same FROM (SELECT age, sdc_rankswap_over(age, 5, 'seed') OVER () AS swapped FROM win) AS x;
SELECT count(*), sum(swapped) = sum(age) AS same
FROM (SELECT age, sdc_rankswap_over(age, 5, 'seed') OVER (ORDER BY id DESC) AS swapped FROM win) AS x;
SELECT count(*), sum(swapped) = sum(age) AS same
FROM (SELECT age, sdc_rankswap_over(age, 5, 'seed') OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING) AS swapped FROM win) AS x;
SELECT sdc_rankswap_over(age, 5, 'seed') FILTER (WHERE age > 5) OVER () FROM win;
SELECT sdc_rankswap_over(age, 5, 'seed') FROM win;
SELECT sdc_rankswap_over(DISTINCT age, 5, 'seed') OVER () FROM win;
-- whatever the order, the window is one of ranks
SELECT max(abs(old - new)) <= 10 AS within
FROM (SELECT rank() OVER (ORDER BY weight) AS old, rank() OVER (ORDER BY swapped) AS new
	FROM (SELECT weight, sdc_rankswap_over(weight, 5, 'seed') OVER (ORDER BY md5(id::text)) AS swapped FROM win) AS s) AS r;

-- Any ordered type, with its typmod's values, collation and domain.
SELECT pg_typeof(a), pg_typeof(b), pg_typeof(c), pg_typeof(d), pg_typeof(e), count(*), count(DISTINCT a), count(DISTINCT d)
FROM (SELECT sdc_rankswap_over(job, 50, 'seed') OVER w AS a, sdc_rankswap_over(born, 50, 'seed') OVER w AS b,
		sdc_rankswap_over(income, 50, 'seed') OVER w AS c, sdc_rankswap_over(md5(id::text), 50, 'seed') OVER w AS d,
		sdc_rankswap_over(ARRAY[id, age], 50, 'seed') OVER w AS e
	FROM win WINDOW w AS (ORDER BY id)) AS x
GROUP BY 1, 2, 3, 4, 5;
SELECT count(*) FROM (SELECT md5(id::text) FROM win EXCEPT ALL SELECT sdc_rankswap_over(md5(id::text), 50, 'seed') OVER (ORDER BY id) FROM win) AS d;
SELECT count(*) FROM (SELECT repeat(job, 50) FROM win EXCEPT ALL SELECT sdc_rankswap_over(repeat(job, 50), 50, 'seed') OVER (ORDER BY id) FROM win) AS d;
SELECT sdc_rankswap_over(point(id, id), 5, 'seed') OVER () FROM win;
SELECT sdc_rankswap_over('{}'::json, 5, 'seed') OVER () FROM win;
SELECT sdc_rankswap_over('x', 5, 'seed') OVER ();
-- a text in two collations has no order
SELECT sdc_rankswap_over(a || b, 5, 'seed') OVER ()
FROM (SELECT 'a' COLLATE "C" AS a, 'b' COLLATE "POSIX" AS b) AS x;

-- Bad arguments.
\pset tuples_only on
SELECT helper.catch($$SELECT sdc_rankswap_over(age, 0, 'seed') OVER () FROM win$$);
SELECT helper.catch($$SELECT sdc_rankswap_over(age, 101, 'seed') OVER () FROM win$$);
SELECT helper.catch($$SELECT sdc_rankswap_over(age, 'NaN', 'seed') OVER () FROM win$$);
SELECT helper.catch($$SELECT sdc_rankswap_over(age, NULL, 'seed') OVER () FROM win$$);
SELECT helper.catch($$SELECT sdc_rankswap_distribution_over(age, -1, 'seed') OVER () FROM win$$);
SELECT helper.catch($$SELECT sdc_rankswap_buckets_over(age, 0, 'seed') OVER () FROM win$$);
SELECT helper.catch($$SELECT sdc_rankswap_buckets_over(age, NULL, 'seed') OVER () FROM win$$);
SELECT helper.catch($$SELECT sdc_rankswap_buckets_over(age, 5.5, 'seed') OVER () FROM win$$) LIKE '42883: %';
SELECT helper.catch($$SELECT sdc_rankswap_over(age) OVER () FROM win$$) LIKE '42883: %';
SELECT helper.catch($$SELECT sdc_rankswap_over(age, 5, '') OVER () FROM win$$);
SELECT helper.catch($$SELECT sdc_rankswap_over(age, 5, 4.2) OVER () FROM win$$);
SELECT bool_and(a = b AND a = c AND a = d) AS same FROM (SELECT sdc_rankswap_over(age, 5, 42) OVER w AS a, sdc_rankswap_over(age, 5, '42') OVER w AS b,
	sdc_rankswap_over(age, 5, 42::bigint) OVER w AS c, sdc_rankswap_over(age, 5, '42'::varchar) OVER w AS d FROM win WINDOW w AS (ORDER BY id)) AS x;
\pset tuples_only off
-- more buckets than values: as many as values
SELECT count(*), sum(swapped) = sum(age) AS same
FROM (SELECT age, sdc_rankswap_buckets_over(age, 1000000, 'seed') OVER (ORDER BY id) AS swapped FROM win) AS x;
SELECT count(*), sum(swapped) = sum(age) AS same
FROM (SELECT age, sdc_rankswap_buckets_over(age, 2147483647, 'seed') OVER (PARTITION BY job ORDER BY id) AS swapped FROM win) AS x;

-- More than the memory allows is an error that says what is needed.
SET maintenance_work_mem = '1MB';
SELECT regexp_replace(helper.catch($$SELECT count(*) FROM (
	SELECT sdc_rankswap_over(repeat('x', 1000) || i, 5, 'seed') OVER () AS s FROM generate_series(1, 5000) AS i) AS x$$), 'needs \d+ MB', 'needs N MB');
SET maintenance_work_mem = '64MB';
SELECT count(*), count(DISTINCT s) FROM (SELECT sdc_rankswap_over(repeat('x', 1000) || i, 5, 'seed') OVER () AS s FROM generate_series(1, 5000) AS i) AS x;
-- little memory for the server's own window: the partition is spilled
SET work_mem = '64kB';
SELECT count(*), sum(s) FROM (SELECT sdc_rankswap_over(i, 5, 'seed') OVER (ORDER BY i) AS s FROM generate_series(1, 20000) AS i) AS x;
RESET maintenance_work_mem;
RESET work_mem;

-- Inside of other queries: a view, several columns, an expression, nested.
SELECT count(*), count(DISTINCT id) FROM (
	SELECT id, sdc_rankswap_over(age, 10, 'a') OVER (PARTITION BY sex ORDER BY age, id) AS age,
		sdc_rankswap_over(income, 10, 'b') OVER (PARTITION BY sex ORDER BY income, id) AS income FROM win) AS x;
SELECT sum(sdc_rankswap_over(count, 100, 'seed') OVER (ORDER BY job)) FROM (SELECT job, count(*) FROM win GROUP BY job) AS x;
SELECT sum(swapped) FROM (SELECT sdc_rankswap_over(count(*), 100, 'seed') OVER (ORDER BY job) AS swapped FROM win GROUP BY job) AS x;
-- rescanned, in a correlated subquery
SELECT g, (SELECT sum(s) FROM (SELECT sdc_rankswap_over(i, 50, 'seed') OVER (ORDER BY i) AS s FROM generate_series(1, g) AS i) AS x)
FROM generate_series(1, 4) AS g ORDER BY g;
-- two windows of other orders in one query, and LIMIT before the end
SELECT count(*) FROM (SELECT sdc_rankswap_over(age, 5, 'seed') OVER (ORDER BY age, id) AS a, sdc_rankswap_over(age, 5, 'seed') OVER (ORDER BY id) AS b
	FROM win LIMIT 7) AS x;
