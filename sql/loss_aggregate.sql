--
-- loss_aggregate
--
-- Information loss as an aggregate: the same measures in every plan, from merged states,
-- and from whatever the support functions are given.
--
\pset format unaligned
\pset footer off
SET extra_float_digits = 0;

CREATE TABLE loss_cell (id int PRIMARY KEY, part int, x1 float8, x2 float8, x3 float8, y1 float8, y2 float8, y3 float8);
INSERT INTO loss_cell
SELECT i, helper.below(i, 31, 3), x1, x2, CASE WHEN i % 7 = 0 THEN NULL ELSE x3 END,
	x1 + helper.uniform(i, 35), x2 * (1 + 0.1 * helper.uniform(i, 36)), CASE WHEN i % 11 = 0 THEN NULL ELSE x3 + 1 END
FROM generate_series(1, 5000) AS i,
	LATERAL (SELECT 1000000 + 100 * helper.uniform(i, 32), exp(5 * helper.uniform(i, 33)), 10 * helper.uniform(i, 34)) AS x (x1, x2, x3);
ANALYZE loss_cell;

-- same_loss tells whether two results agree to 1e-9, and have the same counts.
CREATE FUNCTION same_loss(a sdc_loss, b sdc_loss) RETURNS boolean
LANGUAGE sql IMMUTABLE
RETURN (SELECT bool_and(x.key = y.key AND CASE
		WHEN x.value IS NULL OR y.value IS NULL THEN x.value IS NULL AND y.value IS NULL
		WHEN x.key LIKE '%left_out' OR x.key IN ('records', 'attributes') THEN x.value = y.value
		ELSE abs(x.value::float8 - y.value::float8) <= 1e-9 * abs(y.value::float8) + 1e-11 END)
	FROM jsonb_each_text(to_jsonb(a)) AS x FULL JOIN jsonb_each_text(to_jsonb(b)) AS y USING (key));

-- An example that can be followed with a pencil.
SELECT (l).records, (l).attributes, round((l).il1::numeric, 10) AS il1, (l).il2, (l).il3, (l).il4, (l).il5,
	round((l).il::numeric, 10) AS il, round((l).il1s::numeric, 10) AS il1s
FROM (SELECT sdc_information_loss(ARRAY[a, b], ARRAY[c, d]) AS l
	FROM (VALUES (1, 0, 2, 0), (2, 4, 2, 8), (3, 8, 5, 4)) AS v (a, b, c, d)) AS s;
SELECT round((l).pil::numeric, 10) AS pil, round((l).pil_mean::numeric, 10) AS mean, round((l).pil_variance::numeric, 10) AS variance,
	round((l).pil_covariance::numeric, 10) AS covariance, (l).pil_correlation AS correlation, (l).pil_quantile AS quantile,
	(l).il1_left_out, (l).il2_left_out, (l).il3_left_out, (l).il4_left_out, (l).il5_left_out, (l).il1s_left_out, (l).pil_left_out
FROM (SELECT sdc_information_loss(ARRAY[a, b], ARRAY[c, d]) AS l
	FROM (VALUES (1, 0, 2, 0), (2, 4, 2, 8), (3, 8, 5, 4)) AS v (a, b, c, d)) AS s;

-- What SQL computes of the same files.
CREATE VIEW loss_plain AS
SELECT sdc_information_loss(ARRAY[x1, x2, x3], ARRAY[y1, y2, y3]) AS l FROM loss_cell;
SELECT (l).records, (l).attributes, (l).lost, (l).il1_left_out, (l).il2_left_out, (l).il3_left_out, (l).pil_left_out FROM loss_plain;
-- a lost value is between the least and the greatest one, in steps of a power of two, at most 32, and a standard deviation
-- beyond; it costs a move over all of that, with 0 in it, and the mean is the farthest that it can be
WITH unit AS (
	SELECT min(2::float8 ^ e) AS u FROM generate_series(-20, 20) AS e, (SELECT min(x3) AS low, max(x3) AS high FROM loss_cell) AS r
	WHERE ceil(high / 2::float8 ^ e) - floor(low / 2::float8 ^ e) <= 32
), range AS (
	SELECT floor(min(x3) / u) * u - stddev(x3) AS low, ceil(max(x3) / u) * u + stddev(x3) AS high, avg(x3) AS mean, avg(y3) AS there,
		count(y3) AS n, count(*) FILTER (WHERE x3 IS NOT NULL AND y3 IS NULL) AS lost
	FROM loss_cell, unit GROUP BY u
), cell AS (
	SELECT CASE WHEN y IS NULL THEN greatest(high, 0) - least(low, 0) ELSE abs(x - y) END / abs(x) AS change
	FROM range, loss_cell, LATERAL (VALUES (x1, y1), (x2, y2), (x3, y3)) AS v (x, y) WHERE x IS NOT NULL
), mean AS (
	SELECT greatest(abs((n * there + lost * least(low, 0)) / (n + lost) - mean), abs((n * there + lost * greatest(high, 0)) / (n + lost) - mean)) / mean AS change
	FROM range
)
SELECT abs((l).il1 - (SELECT avg(change) FROM cell)) < 1e-9 AS il1,
	abs((l).il2 - (SELECT abs(avg(y1) / avg(x1) - 1) + abs(avg(y2) / avg(x2) - 1) + (SELECT change FROM mean) FROM loss_cell) / 3) < 1e-9 AS il2
FROM loss_plain;
-- where nothing is lost: what misses in the source may miss in the release
CREATE VIEW loss_kept AS SELECT * FROM loss_cell WHERE y3 IS NOT NULL OR x3 IS NULL;
WITH cell AS (
	SELECT x, y FROM loss_kept, LATERAL (VALUES (x1, y1), (x2, y2), (x3, y3)) AS v (x, y))
SELECT abs((l).il1 - (SELECT avg(abs(x - y) / abs(x)) FROM cell)) < 1e-12 AS il1, (l).lost, (l).il1_left_out, (l).pil_left_out
FROM (SELECT sdc_information_loss(ARRAY[x1, x2, x3], ARRAY[y1, y2, y3]) AS l FROM loss_kept) AS s;
SELECT abs((l).il2 - (abs(avg(y1) - avg(x1)) / avg(x1) + abs(avg(y2) - avg(x2)) / avg(x2) + abs(avg(y3) - avg(x3)) / avg(x3)) / 3) < 1e-9 AS il2,
	abs((l).il4 - (abs(var_samp(y1) / var_samp(x1) - 1) + abs(var_samp(y2) / var_samp(x2) - 1) + abs(var_samp(y3) / var_samp(x3) - 1)) / 3) < 1e-9 AS il4,
	abs((l).il5 - (abs(corr(y1, y2) - corr(x1, x2)) + abs(corr(y1, y3) - corr(x1, x3)) + abs(corr(y2, y3) - corr(x2, x3))) / 3) < 1e-9 AS il5,
	abs((l).il - 20 * ((l).il1 + (l).il2 + (l).il3 + (l).il4 + (l).il5)) < 1e-12 AS il,
	abs((l).pil - ((l).pil_mean + (l).pil_variance + (l).pil_covariance + (l).pil_correlation) / 4) < 1e-12 AS pil
FROM loss_kept, (SELECT sdc_information_loss(ARRAY[x1, x2, x3], ARRAY[y1, y2, y3]) AS l FROM loss_kept) AS s GROUP BY l;
SELECT (l).il1 > 0.01 AND (l).il2 > 0.01 AND (l).il3 > 0.01 AND (l).il4 > 0.01 AND (l).il5 > 0.001 AND (l).il1s > 0.01 AS loss FROM loss_plain;
-- the same file loses nothing, exactly
SELECT (l).il, (l).il1s, (l).pil FROM (SELECT sdc_information_loss(ARRAY[x1, x2, x3], ARRAY[x1, x2, x3]) AS l FROM loss_cell) AS s;

-- Arrays, records and results that are not there.
SELECT sdc_information_loss(ARRAY[x1], ARRAY[y1]) IS NULL AS nothing FROM loss_cell WHERE false;
SELECT sdc_information_loss(NULL::float8[], ARRAY[y1]) IS NULL AS nothing FROM loss_cell;
SELECT sdc_information_loss_state(ARRAY[x1], NULL) IS NULL AS nothing FROM loss_cell;
SELECT sdc_information_loss_merge(NULL) IS NULL AS nothing FROM loss_cell;
SELECT (sdc_information_loss(CASE WHEN id % 5 > 0 THEN ARRAY[x1] END, CASE WHEN id % 7 > 0 THEN ARRAY[y1] END)).records,
	count(*) FILTER (WHERE id % 5 > 0 AND id % 7 > 0) FROM loss_cell;
SELECT same_loss(sdc_information_loss(CASE WHEN id % 5 > 0 THEN ARRAY[x1, x3] END, ARRAY[y1, y3]),
	sdc_information_loss(ARRAY[x1, x3], ARRAY[y1, y3]) FILTER (WHERE id % 5 > 0)) FROM loss_cell;
-- what is not finite is missing
SELECT same_loss(sdc_information_loss(ARRAY[x1, COALESCE(x3, 'NaN')], ARRAY[y1, COALESCE(y3, '-Infinity')]),
	sdc_information_loss(ARRAY[x1, x3], ARRAY[y1, y3])) FROM loss_cell;
-- one record: no variance; every value missing; values that overflow
SELECT * FROM (SELECT (sdc_information_loss(ARRAY[2, 4], ARRAY[3, 4])).*) AS l;
SELECT * FROM (SELECT (sdc_information_loss(ARRAY[NULL, 4]::float8[], ARRAY[3, NULL]::float8[])).*) AS l;
SELECT (l).il4, (l).il1_left_out, (l).il4_left_out, (l).pil_left_out, to_jsonb(l)::text ~ 'NaN|Infinity' AS broken
FROM (SELECT sdc_information_loss(ARRAY[x], ARRAY[-x]) AS l FROM (VALUES (1.7e308), (-1.7e308), (1e300)) AS v (x)) AS s;
-- one column has no pair; of three pairs one is left that has a term
SELECT (l).pil, (l).pil_mean, (l).pil_variance, (l).pil_covariance, (l).pil_correlation, (l).il5, (l).il5_left_out, (l).pil_left_out
FROM (SELECT sdc_information_loss(ARRAY[x], ARRAY[x]) AS l FROM (VALUES (1), (2), (4)) AS v (x)) AS s;
SELECT (l).pil_correlation > 0 AS correlation, (l).il5_left_out, (l).pil_left_out
FROM (SELECT sdc_information_loss(ARRAY[a, b, 3], ARRAY[a, a + b, 4]) AS l FROM (VALUES (1, 5), (2, 9), (4, 2), (7, 3)) AS v (a, b)) AS s;
-- other bounds, other types
SELECT same_loss(sdc_information_loss(('[5:6]={' || id || ',' || part || '}')::float8[], ARRAY[y1, y2]),
	sdc_information_loss(ARRAY[id, part], ARRAY[y1, y2])) FROM loss_cell;
SELECT (sdc_information_loss(ARRAY[id, part], ARRAY[id, part]::numeric[]::float8[])).il FROM loss_cell;
-- arrays that are stored, short and compressed
CREATE TABLE loss_array AS
SELECT id, ARRAY[x1, x2, x3] AS x, ARRAY[y1, y2, y3] AS y, array_fill(x1, ARRAY[300]) AS wide FROM loss_cell;
SELECT same_loss((SELECT sdc_information_loss(x, y) FROM loss_array), l) FROM loss_plain;
SELECT (l).attributes, (l).il5_left_out, (l).il
FROM (SELECT sdc_information_loss(wide, wide) AS l FROM loss_array WHERE id <= 100) AS s;

-- Groups, filters, order.
SELECT part, (l).records = n AS records, (l).il1 > 0 AS loss
FROM (SELECT part, count(*) AS n, sdc_information_loss(ARRAY[x1, x2], ARRAY[y1, y2]) AS l FROM loss_cell GROUP BY part) AS s ORDER BY part;
SELECT part, same_loss(l, (SELECT sdc_information_loss(ARRAY[x1, x2, x3], ARRAY[y1, y2, y3]) FILTER (WHERE c.part = s.part) FROM loss_cell AS c)) AS same
FROM (SELECT part, sdc_information_loss(ARRAY[x1, x2, x3], ARRAY[y1, y2, y3]) AS l FROM loss_cell GROUP BY part) AS s ORDER BY part;
SELECT same_loss(sdc_information_loss(ARRAY[x1, x2, x3], ARRAY[y1, y2, y3] ORDER BY md5(id::text)), l) FROM loss_cell, loss_plain GROUP BY l;
SELECT (sdc_information_loss(DISTINCT ARRAY[part], ARRAY[part])).records FROM loss_cell;
-- states that are shared by aggregates, and finished more than once
SELECT same_loss(l, m) FROM (
	SELECT sdc_information_loss(ARRAY[x1, x3], ARRAY[y1, y3]) AS l, sdc_information_loss_state(ARRAY[x1, x3], ARRAY[y1, y3]) AS s,
		sdc_information_loss(ARRAY[x1, x3], ARRAY[y1, y3]) AS m FROM loss_cell) AS x;

-- Window frames: running, moving, whole.
CREATE TABLE loss_window AS SELECT * FROM loss_cell WHERE id <= 90;
SELECT bool_and(same_loss(l, (SELECT sdc_information_loss(ARRAY[x1, x3], ARRAY[y1, y3]) FROM loss_window AS c WHERE c.id <= w.id))) AS running,
	bool_and(same_loss(m, (SELECT sdc_information_loss(ARRAY[x1, x3], ARRAY[y1, y3]) FROM loss_window AS c WHERE c.id BETWEEN w.id - 40 AND w.id + 3))) AS moving,
	bool_and((n).records = 90) AS whole
FROM (SELECT id, sdc_information_loss(ARRAY[x1, x3], ARRAY[y1, y3]) OVER (ORDER BY id) AS l,
		sdc_information_loss(ARRAY[x1, x3], ARRAY[y1, y3]) OVER (ORDER BY id ROWS BETWEEN 40 PRECEDING AND 3 FOLLOWING) AS m,
		sdc_information_loss(ARRAY[x1, x3], ARRAY[y1, y3]) OVER () AS n FROM loss_window) AS w;
SELECT count(DISTINCT s) FROM (SELECT sdc_information_loss_state(ARRAY[x1], ARRAY[y1]) OVER (ORDER BY id) AS s FROM loss_window) AS w;

-- Parallel plans.
SET min_parallel_table_scan_size = 0;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET max_parallel_workers_per_gather = 3;
SET parallel_leader_participation = off;
EXPLAIN (COSTS OFF) SELECT sdc_information_loss(ARRAY[x1, x2, x3], ARRAY[y1, y2, y3]) FROM loss_cell;
CREATE TABLE loss_parallel AS SELECT sdc_information_loss(ARRAY[x1, x2, x3], ARRAY[y1, y2, y3]) AS l FROM loss_cell;
SELECT same_loss(p.l, q.l) FROM loss_parallel AS p, loss_plain AS q;
CREATE TABLE loss_parallel_state AS SELECT part, sdc_information_loss_state(ARRAY[x1, x2, x3], ARRAY[y1, y2, y3]) AS s FROM loss_cell GROUP BY part;
EXPLAIN (COSTS OFF) SELECT sdc_information_loss_merge(s) FROM loss_parallel_state;
SELECT same_loss(sdc_information_loss_merge(s), l) FROM loss_parallel_state, loss_plain GROUP BY l;
RESET parallel_leader_participation;
SET enable_hashagg = off;
SELECT part, (sdc_information_loss(ARRAY[x1], ARRAY[y1])).records FROM loss_cell GROUP BY part ORDER BY part;
RESET enable_hashagg;
RESET max_parallel_workers_per_gather;
RESET parallel_tuple_cost;
RESET parallel_setup_cost;
RESET min_parallel_table_scan_size;
SET max_parallel_workers_per_gather = 0;
SELECT same_loss(p.l, q.l) FROM loss_parallel AS p, loss_plain AS q;

-- Partitions.
CREATE TABLE loss_parted (LIKE loss_cell) PARTITION BY LIST (part);
CREATE TABLE loss_parted_0 PARTITION OF loss_parted FOR VALUES IN (0);
CREATE TABLE loss_parted_1 PARTITION OF loss_parted FOR VALUES IN (1);
CREATE TABLE loss_parted_2 PARTITION OF loss_parted FOR VALUES IN (2);
INSERT INTO loss_parted SELECT * FROM loss_cell;
ANALYZE loss_parted;
SET enable_partitionwise_aggregate = on;
EXPLAIN (COSTS OFF) SELECT sdc_information_loss(ARRAY[x1, x2, x3], ARRAY[y1, y2, y3]) FROM loss_parted;
SELECT same_loss((SELECT sdc_information_loss(ARRAY[x1, x2, x3], ARRAY[y1, y2, y3]) FROM loss_parted), l) FROM loss_plain;
SELECT part, same_loss(a.l, b.l) FROM
	(SELECT part, sdc_information_loss(ARRAY[x1, x2, x3], ARRAY[y1, y2, y3]) AS l FROM loss_parted GROUP BY part) AS a
	JOIN (SELECT part, sdc_information_loss(ARRAY[x1, x2, x3], ARRAY[y1, y2, y3]) AS l FROM loss_cell GROUP BY part) AS b USING (part) ORDER BY part;
RESET enable_partitionwise_aggregate;

-- States: kept, merged, merged again; of few records and many.
CREATE TABLE loss_state AS
SELECT id % 40 AS part, sdc_information_loss_state(ARRAY[x1, x2, x3], ARRAY[y1, y2, y3]) AS s FROM loss_cell GROUP BY id % 40;
SELECT same_loss(sdc_information_loss_merge(s), l) FROM loss_state, loss_plain GROUP BY l;
SELECT same_loss(sdc_information_loss_merge(s ORDER BY part DESC), l) FROM loss_state, loss_plain GROUP BY l;
SELECT same_loss((SELECT sdc_information_loss_merge(s) FROM (
		SELECT sdc_information_loss_state(ARRAY[x1, x2, x3], ARRAY[y1, y2, y3]) AS s FROM loss_cell GROUP BY id / 3) AS x), l) FROM loss_plain;
-- a second level: what combines states makes states
SELECT same_loss((SELECT sdc_information_loss_merge(s) FROM (
		SELECT sdc_private.information_loss_combine(a.s, b.s) AS s FROM loss_state AS a JOIN loss_state AS b ON b.part = a.part + 20) AS x), l) FROM loss_plain;
SELECT same_loss(sdc_information_loss_merge(s), sdc_private.information_loss_final(sdc_private.information_loss_combine(sdc_private.information_loss_combine(NULL, s), NULL)))
FROM loss_state WHERE part = 7 GROUP BY s;
-- a state as it is stored in a row, in line and not aligned
CREATE TABLE loss_small (part int, filler text, s bytea);
ALTER TABLE loss_small ALTER s SET STORAGE PLAIN;
INSERT INTO loss_small SELECT id % 9, repeat('x', id % 9), sdc_information_loss_state(ARRAY[x1], ARRAY[y1]) FROM loss_cell GROUP BY id % 9;
SELECT same_loss(sdc_information_loss_merge(s), (SELECT sdc_information_loss(ARRAY[x1], ARRAY[y1]) FROM loss_cell)) FROM loss_small;
-- through text
SELECT same_loss(sdc_information_loss_merge(s::text::bytea), l) FROM loss_state, loss_plain GROUP BY l;
-- a state has no values left in it
SELECT bool_or(position(float8send(x1) IN s) > 0 OR position(reverse_bytes IN s) > 0) AS values_in_state
FROM (SELECT x1, (SELECT string_agg(substr(float8send(x1), 9 - i, 1), '' ORDER BY i) FROM generate_series(1, 8) AS i) AS reverse_bytes FROM loss_window) AS v,
	(SELECT sdc_information_loss_state(ARRAY[x1, x2], ARRAY[y1, y2]) AS s FROM loss_window) AS w;

-- Called by hand, the functions change nothing that they are given.
CREATE TABLE loss_hand AS SELECT sdc_information_loss_state(ARRAY[x1], ARRAY[y1]) AS s FROM loss_window;
CREATE FUNCTION loss_by_hand() RETURNS TABLE (step text, records bigint)
LANGUAGE plpgsql AS $$
DECLARE
	a bytea := (SELECT s FROM loss_hand);
	b bytea;
BEGIN
	b := sdc_private.information_loss_trans(a, ARRAY[1.5], ARRAY[2.5]);
	RETURN QUERY SELECT 'added', (sdc_private.information_loss_final(b)).records;
	RETURN QUERY SELECT 'before', (sdc_private.information_loss_final(a)).records;
	b := sdc_private.information_loss_combine(a, b);
	RETURN QUERY SELECT 'combined', (sdc_private.information_loss_final(b)).records;
	RETURN QUERY SELECT 'before', (sdc_private.information_loss_final(a)).records;
	b := sdc_private.information_loss_combine(a, a);
	RETURN QUERY SELECT 'with itself', (sdc_private.information_loss_final(b)).records;
	RETURN QUERY SELECT 'before', (sdc_private.information_loss_final(a)).records;
	b := sdc_private.information_loss_trans(a, NULL, ARRAY[2.5]);
	RETURN QUERY SELECT 'no record', (sdc_private.information_loss_final(b)).records;
	b := sdc_private.information_loss_trans(NULL, ARRAY[1.5], ARRAY[2.5]);
	RETURN QUERY SELECT 'first', (sdc_private.information_loss_final(b)).records;
	FOR i IN 1..100 LOOP
		b := sdc_private.information_loss_trans(b, ARRAY[i], ARRAY[i + 1]);
	END LOOP;
	RETURN QUERY SELECT 'loop', (sdc_private.information_loss_final(b)).records;
	RETURN QUERY SELECT 'nothing', (sdc_private.information_loss_final(NULL)).records;
END
$$;
SELECT * FROM loss_by_hand();
SELECT (sdc_private.information_loss_final(s)).records FROM loss_hand;

-- Bad arrays.
\pset tuples_only on
SELECT helper.catch($$SELECT sdc_information_loss('{}'::float8[], '{}')$$);
SELECT helper.catch($$SELECT sdc_information_loss('{1}'::float8[], '{}')$$);
SELECT helper.catch($$SELECT sdc_information_loss('{1,2}'::float8[], '{1}')$$);
SELECT helper.catch($$SELECT sdc_information_loss('{{1,2}}'::float8[], '{1,2}')$$);
SELECT helper.catch($$SELECT sdc_information_loss('{1,2}'::float8[], '{{1,2}}')$$);
SELECT helper.catch($$SELECT sdc_information_loss(array_fill(1::float8, ARRAY[513]), array_fill(1::float8, ARRAY[513]))$$);
SELECT helper.catch($$SELECT (sdc_information_loss(array_fill(1::float8, ARRAY[512]), array_fill(1::float8, ARRAY[512]))).il$$);
SELECT helper.catch($$SELECT sdc_information_loss(a, a) FROM (SELECT array_fill(i, ARRAY[1 + i / 3]) AS a FROM generate_series(1, 3) AS i) AS s$$);
SELECT helper.catch($$SELECT sdc_information_loss(ARRAY['a'], ARRAY['b'])$$) LIKE '42883: %';
-- no value in a message
SELECT helper.leaks($$SELECT sdc_information_loss('{123456789,2}'::float8[], '{123456789}')$$, '123456789');
SELECT helper.leaks($$SELECT sdc_information_loss('{{123456789},{2}}'::float8[], '{123456789,2}')$$, '123456789');

-- Bad states.
SELECT helper.catch($$SELECT sdc_information_loss_merge('')$$);
SELECT helper.catch($$SELECT sdc_information_loss_merge('\x00')$$);
SELECT helper.catch($$SELECT sdc_information_loss_merge(decode(repeat('00', 1000), 'hex'))$$);
SELECT helper.catch($$SELECT sdc_information_loss_merge(decode(repeat('ff', 20000), 'hex'))$$);
SELECT helper.catch($$SELECT sdc_information_loss_merge(substr(s, 1, length(s) - 1)) FROM loss_hand$$);
SELECT helper.catch($$SELECT sdc_information_loss_merge(s || '\x00') FROM loss_hand$$);
SELECT helper.catch($$SELECT sdc_information_loss_merge(set_byte(s, 4, 7)) FROM loss_hand$$);
SELECT helper.catch($$SELECT sdc_information_loss_merge(set_byte(s, 8, 2)) FROM loss_hand$$);
SELECT helper.catch($$SELECT sdc_information_loss_merge(set_byte(s, 20, 32)) FROM loss_hand$$);
SELECT helper.catch($$SELECT sdc_information_loss_merge(set_byte(s, 23, 255)) FROM loss_hand$$);
SELECT helper.catch($$SELECT sdc_information_loss_merge(s) FROM (SELECT s FROM loss_hand UNION ALL SELECT '\x0102') AS x$$);
SELECT helper.catch($$SELECT sdc_information_loss_merge(s) FROM (SELECT s FROM loss_hand UNION ALL SELECT s FROM loss_state) AS x$$);
SELECT helper.catch($$SELECT sdc_private.information_loss_trans('\x1234', '{1}', '{1}')$$);
SELECT helper.catch($$SELECT sdc_private.information_loss_trans(s, '{1,2}', '{1,2}') FROM loss_hand$$);
SELECT helper.catch($$SELECT sdc_private.information_loss_trans('\x1234', NULL, '{1}')$$);
SELECT helper.catch($$SELECT sdc_private.information_loss_combine('\x1234', NULL)$$);
SELECT helper.catch($$SELECT sdc_private.information_loss_combine(NULL, '\x1234')$$);
SELECT helper.catch($$SELECT sdc_private.information_loss_combine(s, '\x1234') FROM loss_hand$$);
SELECT helper.catch($$SELECT sdc_private.information_loss_final('\x1234')$$);
SELECT helper.catch($$SELECT sdc_private.information_loss_state_final('\x1234')$$);
-- as the initial state of somebody's aggregate
CREATE AGGREGATE loss_evil(float8[], float8[]) (SFUNC = sdc_private.information_loss_trans, STYPE = bytea, INITCOND = '\x123456', FINALFUNC = sdc_private.information_loss_final);
SELECT helper.catch($$SELECT loss_evil('{1}', '{1}')$$);
SELECT helper.catch($$SELECT loss_evil('{1}', '{1}') FROM loss_cell WHERE false$$);
\pset tuples_only off
-- bytes that look like a state give numbers, if meaningless ones
SELECT count(*), count(*) FILTER (WHERE to_jsonb(l)::text ~ 'NaN|Infinity') AS broken
FROM (SELECT sdc_information_loss_merge(s) AS l FROM (
		SELECT i, overlay(s PLACING decode(repeat(CASE i % 3 WHEN 0 THEN 'ff' WHEN 1 THEN md5(i::text) ELSE '7fef' END, 8), 'hex')
			FROM 29 + helper.below(i, 41, length(s) - 200)) AS s
		FROM loss_state, generate_series(1, 200) AS i WHERE part = 3) AS x GROUP BY i) AS y;
SELECT count(*), count(*) FILTER (WHERE to_jsonb(l)::text ~ 'NaN|Infinity') AS broken
FROM (SELECT sdc_information_loss_merge(s) AS l FROM (
		SELECT i, set_byte(s, 12 + i % 8, helper.below(i, 42, 256)) AS s FROM loss_state, generate_series(1, 100) AS i WHERE part < 3) AS x GROUP BY i) AS y;

DROP AGGREGATE loss_evil(float8[], float8[]);
DROP VIEW loss_plain, loss_kept;
DROP FUNCTION loss_by_hand();
DROP TABLE loss_cell, loss_array, loss_window, loss_parallel, loss_parallel_state, loss_parted, loss_state, loss_small, loss_hand;
DROP FUNCTION same_loss(sdc_loss, sdc_loss);
RESET max_parallel_workers_per_gather;
RESET extra_float_digits;
