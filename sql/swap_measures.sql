--
-- swap_measures
--
-- What is measured of swapping in bins, against plain queries: admissible widths, privacy,
-- correlation bias, before and after, and the distance of joint histograms.
--
\pset format unaligned
\pset footer off
CREATE SCHEMA binned_measures;
SET search_path = binned_measures, binned, public;
CREATE FUNCTION near(a float8, b float8, within float8 DEFAULT 1e-12) RETURNS boolean LANGUAGE sql RETURN abs(a - b) <= within;

-- bins is a query of the bins (record, bin) that records without missing values have on a grid: of m intervals,
-- or of widths that are a share of the range.
CREATE FUNCTION bins(relation regclass, columns name[], m float8, share float8 DEFAULT NULL) RETURNS text LANGUAGE sql
RETURN format('SELECT row_number() OVER () AS record, ROW(%s) AS bin FROM (SELECT %s FROM %s AS s WHERE num_nulls(%s) = 0) AS s',
	(SELECT string_agg(CASE WHEN share IS NULL THEN format('CASE WHEN %1$I = 0 THEN 0 ELSE least(floor((%2$I - %3$I) * %4$s / %1$I), %4$s - 1) END', c || '_range', c, c || '_low', m)
		ELSE format('CASE WHEN %1$I = 0 THEN 0 ELSE least(floor((%2$I - %3$I) / (%4$L::float8 * %1$I)), ceil(%1$I / (%4$L::float8 * %1$I)) - 1) END', c || '_range', c, c || '_low', share) END, ', ') FROM unnest(columns) AS c),
	(SELECT string_agg(format('%1$s AS %2$I, min(%1$s) OVER () AS %3$I, max(%1$s) OVER () - min(%1$s) OVER () AS %4$I', number(relation, c, 's'), c, c || '_low', c || '_range'), ', ') FROM unnest(columns) AS c),
	relation, (SELECT string_agg(number(relation, c, 's'), ', ') FROM unnest(columns) AS c));

-- counted counts the bins and the records of the smallest one.
CREATE FUNCTION counted(relation regclass, columns name[], m float8, share float8 DEFAULT NULL, OUT degree bigint, OUT depth bigint) LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('SELECT count(*), min(n) FROM (SELECT count(*) AS n FROM (%s) AS b GROUP BY bin) AS b', bins(relation, columns, m, share)) INTO degree, depth;
END
$$;

-- tuple is the largest mean of 1 / N of any record over the admissible widths, and mdb that of the smallest bins.
CREATE FUNCTION privacy(relation regclass, columns name[], bound float8, grid text, smallest float8, OUT q bigint, OUT tuple float8, OUT mdb float8, OUT closed float8) LANGUAGE plpgsql AS $$
DECLARE
	c record;
	terms text := '';
BEGIN
	q := 0;
	mdb := 0;
	FOR c IN SELECT * FROM sdc_swap_candidates(relation, columns, bound, grid, smallest) WHERE representative LOOP
		q := q + 1;
		mdb := mdb + 1.0 / c.minimal_depth;
		terms := terms || format(' UNION ALL SELECT record, 1.0::float8 / count(*) OVER (PARTITION BY bin) FROM (%s) AS b', CASE grid WHEN 'intervals' THEN bins(relation, columns, round(1 / c.width_share)) ELSE bins(relation, columns, NULL, c.width_share) END);
	END LOOP;
	IF q > 0 THEN
		EXECUTE format('SELECT max(p) / %s FROM (SELECT sum(t.p) AS p FROM (SELECT NULL::bigint AS record, NULL::float8 AS p%s) AS t WHERE record > 0 GROUP BY record) AS r', q, terms) INTO tuple;
		mdb := mdb / q;
		closed := (SELECT sum(1.0::float8 / i) FROM generate_series(1, q) AS i) / q;
	END IF;
END
$$;

-- Small tables: normal, rounded, skewed, with missing values, a constant, one record far out, few records.
CREATE TABLE small AS SELECT t, (ARRAY[40, 60, 25, 80, 7, 50, 120, 2])[t] AS n, format('small_%s', t) AS name FROM generate_series(1, 8) AS t;
DO $$
DECLARE
	s record;
BEGIN
	FOR s IN SELECT * FROM small LOOP
		EXECUTE format('CREATE TABLE %I AS SELECT i AS id, sqrt(-2 * ln(helper.uniform(i, %2$s))) * cos(2 * pi() * helper.uniform(i, %3$s)) AS a, (CASE WHEN %5$s = 2 THEN round((3 * helper.uniform(i, %4$s))::numeric, 1) ELSE exp(2 * helper.uniform(i, %4$s)) END)::numeric(9,3) AS b,
				CASE WHEN %5$s = 3 THEN 1 WHEN %5$s = 4 AND i %% 5 = 0 THEN NULL WHEN %5$s = 6 AND i = 1 THEN 100000 ELSE helper.below(i, %3$s + 7, 40) END AS c, date ''2000-01-01'' + helper.below(i, %4$s + 7, 300) AS d FROM generate_series(1, %6$s) AS i', s.name, 100 * s.t, 100 * s.t + 1, 100 * s.t + 2, s.t, s.n);
	END LOOP;
END
$$;
CREATE TABLE tried AS SELECT name::regclass AS relation, columns, bound FROM small, (VALUES ('{a}'::name[], 0.5), ('{d,c}', 1), ('{a,b,c}', 0.9)) AS v (columns, bound) WHERE n NOT IN (2, 7);

-- Intervals: every number of them from 1 / bound to 1 / smallest; representatives are the widest of those with the same depth.
SELECT t.columns, count(*) AS candidates, count(*) FILTER (WHERE representative) AS representatives, bool_and(n.degree = c.degree AND n.depth = minimal_depth) AS counted
FROM tried AS t, LATERAL (SELECT *, row_number() OVER (ORDER BY width_share DESC) + ceil(1 / bound) - 1 AS m FROM sdc_swap_candidates(relation, columns, bound, smallest => 0.06)) AS c, LATERAL counted(relation, columns, m) AS n
GROUP BY t.columns ORDER BY t.columns;
SELECT count(*) AS tables, bool_and(widths AND representatives = admissible) AS as_defined, bool_and(length = 16 - ceil(1 / bound) + 1) AS all_of_them
FROM tried AS t, LATERAL (SELECT count(*) AS length, bool_and(near(width_share, 1.0 / m)) AS widths, array_agg(m ORDER BY m) FILTER (WHERE representative) AS representatives, array_agg(m ORDER BY m) FILTER (WHERE minimal_depth >= 2 AND first = 1) AS admissible
	FROM (SELECT *, row_number() OVER (PARTITION BY minimal_depth ORDER BY m) AS first FROM (SELECT *, row_number() OVER () + ceil(1 / bound) - 1 AS m FROM sdc_swap_candidates(relation, columns, bound, 'intervals', 0.06)) AS c) AS c) AS c;
SELECT width_share, degree, minimal_depth, representative FROM sdc_swap_candidates('small_1', '{a,d}', 1, smallest => 0.25);
-- Every width: the depth at those listed, and at many between, by which of them is the next wider one.
SELECT count(*) AS tables, sum(length) > 300 AS many, bool_and(at_most AND at_least AND falling) AS within, sum(wrong) AS wrong_depth, sum(wrong_representative) AS wrong_representative
FROM tried AS t, LATERAL (SELECT count(*) AS length, max(width_share) = bound AS at_most, min(width_share) >= 0.05 AS at_least, bool_and(width_share < coalesce(before, 2)) AS falling, count(*) FILTER (WHERE n.degree <> c.degree OR n.depth <> c.minimal_depth) AS wrong,
		count(*) FILTER (WHERE representative <> (minimal_depth >= 2 AND first = 1)) AS wrong_representative
	FROM (SELECT *, lag(width_share) OVER (ORDER BY i) AS before, row_number() OVER (PARTITION BY minimal_depth ORDER BY width_share DESC) AS first FROM sdc_swap_candidates(relation, columns, bound, 'continuous', 0.05) WITH ORDINALITY AS c (width_share, degree, minimal_depth, representative, expected_bias, i)) AS c, LATERAL counted(relation, columns, NULL, width_share) AS n) AS c;
SELECT count(*) AS widths, count(*) FILTER (WHERE n.depth <> listed.depth) AS wrong_depth
FROM tried AS t, LATERAL (SELECT array_agg(width_share ORDER BY width_share) AS shares, array_agg(minimal_depth ORDER BY width_share) AS depths FROM sdc_swap_candidates(relation, columns, bound, 'continuous', 0.05)) AS c,
	LATERAL (SELECT 0.05 + (bound - 0.05) * helper.uniform(i, 900) AS share FROM generate_series(1, 10) AS i) AS s, LATERAL (SELECT depth FROM unnest(shares, depths) AS u (wide, depth) WHERE wide >= share ORDER BY wide LIMIT 1) AS listed, LATERAL counted(relation, columns, NULL, share) AS n;
-- the defaults; columns in another order
SELECT count(*) = 991 AS defaults, max(width_share) = 0.1 AS bound, min(width_share) = 0.001 AS smallest FROM sdc_swap_candidates('small_1', '{a}');
SELECT count(*) AS differ FROM (SELECT width_share, degree, minimal_depth, representative, round(expected_bias::numeric, 12) FROM sdc_swap_candidates('small_1', '{a,b}', 0.7, 'continuous', 0.1)
	EXCEPT SELECT width_share, degree, minimal_depth, representative, round(expected_bias::numeric, 12) FROM sdc_swap_candidates('small_1', '{b,a}', 0.7, 'continuous', 0.1)) AS d;

-- Privacy: the formulas, by queries; P_tuple <= P_mdb <= P_closed on all of them; without a width P = 1.
CREATE TABLE private AS SELECT t.*, grid, p.*, e.* FROM tried AS t, unnest('{intervals,continuous}'::text[]) AS grid, LATERAL sdc_swap_privacy(relation, columns, 'equiwidth_swap', bound, grid, 0.05) AS p, LATERAL privacy(relation, columns, bound, grid, 0.05) AS e;
SELECT grid, count(*) AS tables, bool_and(candidates = q) AS same_candidates, bool_and(CASE WHEN q = 0 THEN (p_tuple, p_mdb, p_closed) = (1, 1, 1) ELSE near(p_tuple, tuple) AND near(p_mdb, mdb) AND near(p_closed, closed) END) AS as_defined,
	bool_and(p_tuple <= p_mdb AND p_mdb <= p_closed AND p_closed <= 1 AND p_tuple > 0) AS ordered, count(*) FILTER (WHERE q = 0) AS without, count(*) FILTER (WHERE p_tuple < p_mdb) AS proper, max(q) > 5 AS several FROM private GROUP BY grid ORDER BY grid;
SET client_min_messages = notice;
SELECT * FROM sdc_swap_privacy('small_6', '{c}', bound => 0.5);
SELECT * FROM sdc_swap_privacy('small_6', '{c}', bound => 0.5, grid => 'continuous');
RESET client_min_messages;
-- the bound is the largest width: with 1 there is one bin of all records as well
SELECT candidates, p_tuple = 1.0::float8 / 50, p_mdb = 1.0::float8 / 50, p_closed FROM sdc_swap_privacy('small_6', '{c}', bound => 1);
-- equi-depth: (H_k - 1) / (k - 1) for k = 2 .. bound, whatever the data are
SELECT bound, candidates, near(p_tuple, (h - 1) / (bound - 1)) AS tuple, near(p_mdb, (h - 1) / (bound - 1)) AS mdb, near(p_closed, (h - 1.0 / bound) / (bound - 1)) AS closed, p_tuple <= p_mdb AND p_mdb <= p_closed AS ordered
FROM unnest('{2,3,10,25,60}'::int[]) AS bound, LATERAL (SELECT sum(1.0::float8 / i) AS h FROM generate_series(1, bound) AS i) AS h, LATERAL sdc_swap_privacy('small_2', '{a,b}', 'equidepth_swap', bound);
SELECT candidates FROM sdc_swap_privacy('small_2', '{a}', 'equidepth_swap');

-- Correlation bias: that of corr() over all pairs of numbers, dates and times; expected before and after.
CREATE FUNCTION measured(original text, columns name[], relation regclass) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
	result float8;
BEGIN
	EXECUTE format('SELECT avg(b) FROM (SELECT unnest(ARRAY[%s]) AS b FROM %s) AS b', (SELECT string_agg(format('abs(corr(%s, %s) - corr(%s, %s))', number(relation, a, 's'), number(relation, b, 's'), number(relation, a, 'r'), number(relation, b, 'r')), ', ')
		FROM unnest(columns) AS a, unnest(columns) AS b WHERE a < b), original) INTO result;
	RETURN result;
END
$$;
CREATE TABLE bias AS SELECT release, source, columns, strata, parameters, method, b.* FROM sdc_releases, LATERAL sdc_correlation_bias(release) AS b
WHERE release IN ('people_equidepth_swap'::regclass, 'one'::regclass, 'numbers'::regclass, 'by_job'::regclass, 'people_equiwidth_swap'::regclass, 'width_by_two'::regclass, 'width_all'::regclass, 'all_of_it'::regclass, 'step_three'::regclass, 'holes_equidepth_swap'::regclass, 'holes_equiwidth_swap'::regclass);
-- strata are left out of the pairs where bins are made
SELECT release, near(bias, measured(helper.pairs(release), c, source)) AS as_counted, expected IS NULL AS unknown, bias BETWEEN 0 AND 0.5 AS plausible, abs(bias - expected) < 6 * deviation + 1e-12 AS as_expected
FROM bias, LATERAL (SELECT array_agg(attname ORDER BY attnum) AS c FROM pg_attribute WHERE attrelid = source AND attnum > 0 AND attname <> 'id' AND atttypid IN ('int2'::regtype, 'int4'::regtype, 'int8'::regtype, 'float4'::regtype, 'float8'::regtype, 'numeric'::regtype, 'date'::regtype, 'time'::regtype, 'timestamp'::regtype, 'timestamptz'::regtype)) AS n
ORDER BY release::text COLLATE "C";
SELECT release, near(b.expected, e.expected) AND near(b.deviation, e.deviation) AS same, e.bins, e.single_bins FROM bias AS b, LATERAL sdc_expected_correlation_bias(source, columns, method, (parameters ->> 'depth')::int, (parameters ->> 'intervals')::int,
	(SELECT array_agg((parameters -> 'widths' ->> c)::float8 ORDER BY i) FROM unnest(columns) WITH ORDINALITY AS c (c, i) WHERE parameters ? 'widths'), strata => strata) AS e WHERE b.expected IS NOT NULL ORDER BY release::text COLLATE "C";
-- of another method it is measured, and not expected
SELECT count(*) FROM sdc_rankswap('people', p => 10, seed => 1, target => 'ranked');
SELECT near(bias, measured(helper.pairs('ranked'), '{age,income,weight,savings,born}', 'people')) AS as_counted, expected, deviation FROM sdc_correlation_bias('ranked');

-- The expectation is that of 40 runs, and so is the deviation; and it is the closed form.
CREATE TABLE biased (id int PRIMARY KEY, a float8, b float8, c float8, d int, constant int);
INSERT INTO biased SELECT i, x, x + helper.uniform(i, 72), (x - 0.5) ^ 2 + 0.2 * helper.uniform(i, 73), round(10 * x) + helper.below(i, 74, 5), 3 FROM (SELECT i, helper.uniform(i, 71) AS x FROM generate_series(1, 150) AS i) AS x;
CREATE TABLE biases AS SELECT kind, swapped, seed, measured(format('biased AS s JOIN sdc_%s(NULL::biased, %s, columns => %L, seed => %s) AS r USING (id)', 'equi' || kind || '_swap', size, swapped, seed), '{a,b,c,d}', 'biased') AS bias
FROM (VALUES ('depth', 'depth => 15'), ('width', 'intervals => 3')) AS k (kind, size), unnest(ARRAY['{a,b}', '{c}']) AS swapped, generate_series(1, 40) AS seed;
SELECT kind, swapped, abs(mean - expected) < 4 * s / sqrt(40.0) AS within, deviation / s BETWEEN 0.65 AND 1.5 AS deviates
FROM (SELECT kind, swapped, avg(bias) AS mean, stddev_samp(bias) AS s FROM biases GROUP BY kind, swapped) AS b, LATERAL sdc_expected_correlation_bias('biased', swapped::name[], 'equi' || kind || '_swap', 15, 3) ORDER BY kind, swapped COLLATE "C";
-- folded_mean is the mean of the absolute value of a normal variable.
CREATE FUNCTION folded_mean(m float8, s float8) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
	x float8 := least(abs(m) / s / sqrt(2.0), 6);
	term float8 := x;
	sum float8 := x;
BEGIN
	FOR k IN 1 .. 200 LOOP
		term := term * 2 * x * x / (2 * k + 1);
		sum := sum + term;
		EXIT WHEN term < 1e-30;
	END LOOP;
	RETURN s * sqrt(2 / pi()) * exp(-x * x) + abs(m) * 2 / sqrt(pi()) * exp(-x * x) * sum;
END
$$;
WITH bin AS (SELECT *, least(floor((a - min(a) OVER ()) * 4 / (max(a) OVER () - min(a) OVER ())), 3) AS bin FROM biased),
	within AS (SELECT bin, count(*) AS n, var_pop(a) * count(*) AS ss, y, var_pop(v) * count(*) AS sv, covar_pop(a, v) * count(*) AS sp FROM bin, LATERAL (VALUES ('b', b), ('c', c), ('d', d)) AS o (y, v) GROUP BY bin, y),
	total AS (SELECT y, var_pop(a) * count(*) AS ss, var_pop(v) * count(*) AS sv FROM bin, LATERAL (VALUES ('b', b), ('c', c), ('d', d)) AS o (y, v) GROUP BY y)
SELECT near(sum(folded_mean(m, s)) / 6, (SELECT expected FROM sdc_expected_correlation_bias('biased', '{a}', 'equiwidth_swap', intervals => 4)), 1e-10) AS closed_form
FROM (SELECT sum(sp) / sqrt(min(t.ss) * min(t.sv)) AS m, sqrt(sum(CASE WHEN n > 1 THEN w.ss * w.sv / (n - 1) ELSE 0 END) / (min(t.ss) * min(t.sv))) AS s FROM within AS w JOIN total AS t USING (y) GROUP BY y) AS f;
-- the candidates for equi-width swapping have the closed form too: of a set of two columns, of every number of intervals, and of shares of the ranges
CREATE FUNCTION closed_form(relation regclass, swapped name[], others name[], m float8, share float8) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
	result float8;
BEGIN
	EXECUTE format('WITH own AS (SELECT row_number() OVER () AS record, * FROM (SELECT %1$s FROM %2$s AS s) AS s), placed AS (SELECT * FROM own JOIN (%3$s) AS b USING (record)),
		pair AS (SELECT placed.record, bin, xy.x, xy.y, xy.name FROM placed, LATERAL (VALUES %4$s) AS xy (name, x, y)),
		within AS (SELECT name, count(*) AS n, var_pop(x) * count(*) AS sx, var_pop(y) * count(*) AS sy, covar_pop(x, y) * count(*) AS sp FROM pair GROUP BY name, bin),
		total AS (SELECT name, sqrt(var_pop(x) * count(*)) * sqrt(var_pop(y) * count(*)) AS norm FROM pair GROUP BY name)
		SELECT sum(folded_mean(m, s)) FROM (SELECT sum(sp) / min(norm) AS m, sqrt(sum(CASE WHEN n > 1 THEN sx * sy / (n - 1) ELSE 0 END)) / min(norm) AS s FROM within JOIN total USING (name) GROUP BY name) AS f',
		(SELECT string_agg(format('%s AS %I', number(relation, c, 's'), c), ', ') FROM unnest(swapped || others) AS c), relation, bins(relation, swapped, m, share),
		(SELECT string_agg(format('(%L, %I, %I)', a || ' ' || b, a, b), ', ') FROM unnest(swapped) AS a, unnest(others) AS b)) INTO result;
	RETURN result / (cardinality(swapped || others) * (cardinality(swapped || others) - 1) / 2);
END
$$;
SELECT s.columns, grid, count(*) > 4 AS several, bool_and(near(expected_bias, closed_form('biased', columns, others, CASE grid WHEN 'intervals' THEN round(1 / width_share) END, CASE grid WHEN 'continuous' THEN width_share END), 1e-10)) AS closed_form, count(*) FILTER (WHERE expected_bias > 0) = count(*) AS positive
FROM (VALUES ('{a}'::name[], '{b,c,d}'::name[]), ('{d,a}', '{b,c}')) AS s (columns, others), unnest('{intervals,continuous}'::text[]) AS grid, LATERAL sdc_swap_candidates('biased', columns, 0.5, grid, 0.08) GROUP BY s.columns, grid ORDER BY s.columns, grid;
-- it is what is expected of the same bins, with missing values too
SELECT relation, count(*) AS widths, bool_and(near(expected_bias, expected)) AS same FROM (SELECT 'small_4'::regclass AS relation, '{c,a}'::name[] AS columns UNION ALL SELECT 'small_1', '{b,d}' UNION ALL SELECT 'binned.holes', '{a,b}') AS t, LATERAL sdc_swap_candidates(relation, columns, 1, smallest => 0.1),
	LATERAL sdc_expected_correlation_bias(relation, columns, 'equiwidth_swap', intervals => round(1 / width_share)::int) GROUP BY relation ORDER BY relation::text;
-- neither a key nor an order is needed, and no digit depends on one
CREATE TABLE shuffled AS SELECT a, b, c, d, constant FROM biased ORDER BY helper.uniform(id, 99);
CREATE VIEW seen AS SELECT * FROM shuffled ORDER BY b;
SELECT count(*) AS widths, bool_and(k.expected_bias = v.expected_bias) AS same, bool_and(k.expected_bias = o.expected_bias) AS shuffled FROM sdc_swap_candidates('biased', '{a,d}', 0.5) AS k JOIN sdc_swap_candidates('seen', '{a,d}', 0.5) AS v USING (width_share) JOIN sdc_swap_candidates('shuffled', '{a,d}', 0.5) AS o USING (width_share);
-- without a pair of columns there is none; if all are swapped none changes
CREATE VIEW lone AS SELECT a FROM biased;
SELECT width_share, l.expected_bias AS lone, s.expected_bias AS all_swapped FROM sdc_swap_candidates('lone', '{a}', 0.5, smallest => 0.4) AS l JOIN sdc_swap_candidates('seen', '{a,b,c,d}', 0.5, smallest => 0.4) AS s USING (width_share);
-- finer bins harm less; all columns swapped, or one bin each, harm nothing
SELECT k, expected, bins FROM (SELECT k, round(expected::numeric, 3) AS expected, bins FROM unnest('{2,5,20,150}'::int[]) AS k, LATERAL sdc_expected_correlation_bias('biased', '{a,d}', depth => k)) AS e ORDER BY k;
SELECT * FROM sdc_expected_correlation_bias('biased', '{a,b,c,d,constant}', depth => 10);
SELECT * FROM sdc_expected_correlation_bias('biased', '{a}', 'equiwidth_swap', widths => '{1e-9}');
SELECT bins, single_bins, expected > 0 AS some FROM sdc_expected_correlation_bias('small_1', '{a}', depth => 4, key => '{b,d}');
SELECT bins, single_bins, expected > 0 AS some FROM sdc_expected_correlation_bias('people', '{age,born}', 'equiwidth_swap', widths => '{20,5000}', strata => '{job,sex}');

-- Histograms: half the sum of the differences, on the grid of the original values.
CREATE FUNCTION variation(release regclass, columns name[], m int) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
	source regclass := (SELECT r.source FROM sdc_releases AS r WHERE r.release = variation.release);
	result float8;
BEGIN
	EXECUTE format('WITH pair AS (SELECT %1$s FROM %2$s), cell AS (SELECT ROW(%3$s) AS old, ROW(%4$s) AS new FROM pair)
		SELECT coalesce(sum(abs(coalesce(o, 0) - coalesce(n, 0))), 0) / 2.0 / greatest(%5$s, 1) FROM (SELECT old AS bin, count(*) AS o FROM cell GROUP BY old) AS o FULL JOIN (SELECT new AS bin, count(*) AS n FROM cell GROUP BY new) AS n USING (bin)',
		(SELECT string_agg(format('%1$s AS %3$I, %2$s AS %4$I, min(%1$s) OVER () AS %5$I, max(%1$s) OVER () - min(%1$s) OVER () AS %6$I', number(source, c, 's'), number(release, c, 'r'), c, c || '_new', c || '_low', c || '_range'), ', ') FROM unnest(columns) AS c),
		helper.pairs(release), (SELECT string_agg(format('CASE WHEN %1$I IS NULL THEN -1 WHEN %3$I = 0 THEN 0 ELSE least(floor((%1$I - %2$I) * %4$s / %3$I), %4$s - 1) END', c, c || '_low', c || '_range', m), ', ') FROM unnest(columns) AS c),
		(SELECT string_agg(format('CASE WHEN %1$I IS NULL THEN -1 WHEN %3$I = 0 THEN 0 ELSE greatest(least(floor((%1$I - %2$I) * %4$s / %3$I), %4$s - 1), 0) END', c || '_new', c || '_low', c || '_range', m), ', ') FROM unnest(columns) AS c),
		(SELECT records FROM sdc_releases AS r WHERE r.release = variation.release)) INTO result;
	RETURN result;
END
$$;
SELECT release, m, columns, sdc_histogram_error(release, columns, m) = variation(release, columns, m) AS as_counted, round(variation(release, columns, m)::numeric, 3) AS error
FROM (VALUES ('people_equidepth_swap'::regclass), ('people_equiwidth_swap'), ('ranked'), ('all_of_it')) AS r (release), unnest('{5,20}'::int[]) AS m, LATERAL (VALUES ('{age,income}'::name[]), ('{age,savings}'), ('{born,weight,income}')) AS c (columns) ORDER BY release::text COLLATE "C", m, columns;
SELECT sdc_histogram_error('numbers') = variation('numbers', '{age,income,weight,savings,born}', 10) AS all_numbers, sdc_histogram_error('one', '{income}', 2147483647) AS same_values, sdc_histogram_error('width_by_job', '{age}') AS copied, sdc_histogram_error('holes_equiwidth_swap', '{a,b,c}', 2) AS same_boxes,
	sdc_histogram_error('holes_equiwidth_swap', '{other,b}', 4) = variation('holes_equiwidth_swap', '{other,b}', 4) AS with_missing;
-- values outside the original range, and missing ones, of another tool
CREATE TABLE noisy AS SELECT id, age, CASE WHEN id % 9 > 0 THEN income * 1.5 - 2000 END::numeric(10,2) AS income, weight FROM people;
SELECT sdc_register('people', 'noisy', '{income}', '{id}');
SELECT sdc_histogram_error('noisy', '{income}', 6) = variation('noisy', '{income}', 6) AS as_counted, sdc_histogram_error('noisy', '{income}', 6) > 0.1 AS much, near(bias, measured('people AS s JOIN noisy AS r USING (id)', '{age,weight}', 'people') / 3 + 2 * b / 3) AS bias, expected
FROM sdc_correlation_bias('noisy'), (SELECT (abs(corr(s.age, s.income) - corr(r.age, r.income)) + abs(corr(s.weight, s.income) - corr(r.weight, r.income))) / 2 AS b FROM people AS s JOIN noisy AS r USING (id) WHERE r.income IS NOT NULL) AS b;

-- Nothing to measure.
SELECT * FROM sdc_correlation_bias('binned_forms.nothing_equiwidth_swap');
SELECT sdc_histogram_error('binned_forms.nothing_equiwidth_swap'), sdc_histogram_error('binned_forms.one_record_equiwidth_swap');
SELECT * FROM sdc_expected_correlation_bias('binned_forms.nothing', '{a}', 'equiwidth_swap', intervals => 10);
SELECT * FROM sdc_expected_correlation_bias('binned_forms.nothing', '{a}', 'equidepth_swap', depth => 10);
SELECT count(*) AS candidates FROM sdc_swap_candidates('binned_forms.nothing', '{a}');
SET client_min_messages = notice;
SELECT * FROM sdc_swap_privacy('binned_forms.nothing', '{a}');
SELECT * FROM sdc_swap_privacy('small_8', '{a}');
RESET client_min_messages;
SELECT * FROM sdc_correlation_bias('binned_forms.constants_equiwidth_swap');
SELECT * FROM sdc_correlation_bias('binned_forms.duplicates_2');
