-- binswap.sql
--		What equi-depth and equi-width swapping keep and harm, on the reference files.
--
-- The expected correlation biases are those of an independent implementation: means and deviations
-- of 20 seeds, rounded, with the first two columns swapped.  All seeds are fixed.  The number of bins is that of a
-- grid, and k the number of records divided by it.  Where many records have the same values, which of them
-- share an equi-depth bin depends on their order: with another one the expectation for Abalone in 81 bins
-- is 10.8 to 11.4.

\ir lib/check.sql

CREATE FUNCTION pg_temp.columns_of(relation regclass)
RETURNS name[] LANGUAGE sql AS $$
	SELECT array_agg(attname ORDER BY attnum) FROM pg_attribute
	WHERE attrelid = relation AND attnum > 0 AND NOT attisdropped AND attname <> 'id'
$$;

CREATE TABLE sdc_check.abalone AS
SELECT id, length, diameter, height, whole_weight, shucked_weight, viscera_weight, shell_weight FROM ref.abalone;
ALTER TABLE sdc_check.abalone ADD PRIMARY KEY (id);
CREATE TABLE sdc_check.magic AS SELECT * FROM ref.magic;
ALTER TABLE sdc_check.magic DROP class, ADD PRIMARY KEY (id);
ANALYZE sdc_check.abalone, sdc_check.magic;

--
-- Correlation bias: that of another implementation, expected in closed form, measured
--
-- bias is the mean of |rho - rho'| over all pairs of columns, of which only those of a swapped and another one
-- change.
CREATE FUNCTION pg_temp.bias(source regclass, swapped name[], method text, size text, seed int)
RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
	columns CONSTANT name[] := pg_temp.columns_of(source);
	pairs CONSTANT int := cardinality(columns) * (cardinality(columns) - 1) / 2;
	result float8;
BEGIN
	EXECUTE format('SELECT (%s) / %s FROM %s AS s JOIN sdc_%s(NULL::%s, %s, columns => %L, seed => %s) AS r USING (id)',
		(SELECT string_agg(format('abs(corr(s.%1$I, s.%2$I) - corr(r.%1$I, s.%2$I))', a, b), ' + ')
		FROM unnest(swapped) AS a, unnest(columns) AS b WHERE b <> ALL (swapped)),
		pairs, source, method, source, size, swapped, seed) INTO result;
	RETURN result;
END
$$;
CREATE TEMP TABLE experiment AS
SELECT source::regclass, (pg_temp.columns_of(source::regclass))[:2] AS swapped, method, degree, intervals, n / degree AS k, expected, run_deviation, digit
FROM (VALUES ('sdc_check.abalone', 4177, 13, 5, 'equiwidth_swap', 364, 9, 1), ('sdc_check.abalone', 4177, 13, 5, 'equidepth_swap', 84, 3, 1),
	('sdc_check.abalone', 4177, 81, 20, 'equiwidth_swap', 16, 1, 1), ('sdc_check.abalone', 4177, 81, 20, 'equidepth_swap', 12, 1, 1),
	('sdc_check.magic', 19020, 19, 5, 'equiwidth_swap', 315, 3, 1), ('sdc_check.magic', 19020, 19, 5, 'equidepth_swap', 81, 4, 1),
	('sdc_check.magic', 19020, 324, 30, 'equiwidth_swap', 18.1, 0.5, 0.1), ('sdc_check.magic', 19020, 324, 30, 'equidepth_swap', 8.7, 1.1, 0.1))
	AS e (source, n, degree, intervals, method, expected, run_deviation, digit);
SELECT pg_temp.ok(bool_and(c.degree = e.degree), 'the grids of the experiments have 13, 81, 19 and 324 bins',
	string_agg(c.degree::text, ', '))
FROM experiment AS e, LATERAL sdc_swap_candidates(source, swapped, 1, smallest => 1.0 / (intervals + 0.5)) AS c
WHERE method = 'equiwidth_swap' AND round(1 / width_share) = intervals;
CREATE TEMP TABLE run AS
SELECT e.*, mean, deviation / sqrt(20.0) AS error
FROM experiment AS e, LATERAL (SELECT 1e4 * avg(bias) AS mean, 1e4 * stddev_samp(bias) AS deviation
	FROM (SELECT pg_temp.bias(source, swapped, method, CASE method WHEN 'equidepth_swap' THEN 'depth => ' || k ELSE 'intervals => ' || intervals END, seed) AS bias
		FROM generate_series(1, 20) AS seed) AS b) AS b;
SELECT pg_temp.ok(abs(mean - expected) <= 4 * sqrt(error ^ 2 + run_deviation ^ 2 / 20) + digit / 2.0,
	format('%s, %s, %s bins: the mean correlation bias x 1e-4 is %s within 4 standard errors', split_part(source::text, '.', 2), method, degree, expected),
	format('%s, standard error %s', mean, error))
FROM run ORDER BY source::text, degree, method;
SELECT pg_temp.ok(abs(mean - 1e4 * e.expected) <= 4 * error AND e.deviation * 1e4 / (error * sqrt(20.0)) BETWEEN 0.5 AND 2 AND bins BETWEEN degree AND degree + 5,
	format('%s, %s, %s bins: the mean bias is the one of the closed form', split_part(source::text, '.', 2), method, degree),
	format('%s, expected %s; deviation %s, expected %s; %s bins', mean, 1e4 * e.expected, error * sqrt(20.0), 1e4 * e.deviation, bins))
FROM run, LATERAL sdc_expected_correlation_bias(source, swapped, method, k::int, intervals) AS e ORDER BY source::text, degree, method;
SELECT pg_temp.ok(bool_and(depth.mean < width.mean), 'with as many bins equi-depth swapping has the lower bias')
FROM run AS depth JOIN run AS width USING (source, degree) WHERE (depth.method, width.method) = ('equidepth_swap', 'equiwidth_swap');
SELECT pg_temp.ok(bool_and(fine.mean < rough.mean), 'the bias falls with the number of bins')
FROM run AS fine JOIN run AS rough USING (source, method) WHERE fine.degree > rough.degree;

-- The same closed form beside every width, for who looks for an upper bound: the figures of an independent implementation, and the
-- widest intervals whose bias, and that of all narrower ones, is at most a limit.
CREATE TEMP TABLE width AS SELECT source, round(1 / width_share)::int AS m, expected_bias
FROM (SELECT DISTINCT source, swapped FROM experiment) AS e, LATERAL sdc_swap_candidates(source, swapped, 1, smallest => 0.01);
SELECT pg_temp.ok(array_agg(round(expected_bias::numeric, 4) ORDER BY m) = '{0.1551,0.0836,0.0361,0.0138,0.0052,0.0017}',
	'abalone: the biases expected of 2, 3, 5, 8, 12 and 20 intervals', array_agg(expected_bias ORDER BY m)::text)
FROM width WHERE source = 'sdc_check.abalone'::regclass AND m IN (2, 3, 5, 8, 12, 20);
SELECT pg_temp.ok(array_agg(m ORDER BY most DESC) = expected, format('%s: the least numbers of intervals with biases of at most .02, .01 and .005', split_part(source::text, '.', 2)),
	array_agg(m ORDER BY most DESC)::text)
FROM (VALUES ('sdc_check.abalone'::regclass, '{7,10,13}'::int[]), ('sdc_check.magic', '{8,11,16}')) AS e (source, expected), unnest('{0.02,0.01,0.005}'::float8[]) AS most,
	LATERAL (SELECT max(m) + 1 AS m FROM width WHERE width.source = e.source AND expected_bias > most) AS m GROUP BY source, expected;

--
-- Invariants of releases
--
-- check_release makes one release and checks it.
CREATE FUNCTION pg_temp.check_release(source text, method text, size text, swapped name[])
RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	parameter CONSTANT text := split_part(size, ' => ', 1);
	number CONSTANT bigint := split_part(size, ' => ', 2);
	tuple CONSTANT text := (SELECT string_agg(format('t.%I', c), ', ') FROM unnest(swapped) AS c);
	interval_of text;
	found record;
	other bigint;
	moved bigint;
	shift float8;
	wanted bigint;
	singles bigint := 0;
	elsewhere bigint := 0;
BEGIN
	DROP TABLE IF EXISTS sdc_check.release;
	EXECUTE format('SELECT max(records) AS records, max(bins) AS bins, min(bins) AS least, max(single_bins) AS single_bins, max(changed) AS changed '
		'FROM sdc_%s(%L, %s, columns => %L, target => ''sdc_check.release'', seed => %L)', method, source, size, swapped, source || size) INTO found;
	EXECUTE format('SELECT (SELECT count(*) FROM (SELECT %1$s FROM %2$s AS t EXCEPT ALL SELECT %1$s FROM sdc_check.release AS t) AS d) '
		'+ (SELECT count(*) FROM (SELECT %1$s FROM sdc_check.release AS t EXCEPT ALL SELECT %1$s FROM %2$s AS t) AS d)', tuple, source) INTO other;
	EXECUTE format('SELECT count(*) FROM %s AS s FULL JOIN sdc_check.release AS r USING (id) WHERE s.id IS NULL OR r.id IS NULL OR %s', source,
		(SELECT string_agg(format('s.%1$I IS DISTINCT FROM r.%1$I', c), ' OR ') FROM unnest(pg_temp.columns_of(source::regclass)) AS c WHERE c <> ALL (swapped))) INTO moved;
	EXECUTE format('SELECT greatest(%s) FROM %s AS s JOIN sdc_check.release AS r USING (id)',
		(SELECT string_agg(format('abs(corr(s.%1$I, s.%2$I) - corr(r.%1$I, r.%2$I))', a, b), ', ') FROM unnest(swapped) AS a, unnest(swapped) AS b WHERE a < b), source) INTO shift;
	IF method = 'equidepth_swap' THEN
		wanted := greatest(1, found.records / number);
	ELSE
		-- the interval of every value, by the definition
		interval_of := (SELECT string_agg(format('least(floor((%%1$s.%1$I::float8 - min(s.%1$I::float8) OVER ()) * %2$s / (max(s.%1$I::float8) OVER () - min(s.%1$I::float8) OVER ())), %2$s - 1)', c, number), ', ') FROM unnest(swapped) AS c);
		EXECUTE format('WITH cell AS (SELECT ROW(%s) AS old, ROW(%s) AS new FROM %s AS s JOIN sdc_check.release AS r USING (id)) '
			'SELECT count(*), count(*) FILTER (WHERE n = 1), (SELECT count(*) FROM cell WHERE old <> new) FROM (SELECT count(*) AS n FROM cell GROUP BY old) AS b',
			format(interval_of, 's'), format(interval_of, 'r'), source) INTO wanted, singles, elsewhere;
	END IF;
	RETURN pg_temp.ok(other = 0 AND moved = 0 AND shift <= 1e-12 AND (found.bins, found.least, found.single_bins) = (wanted, wanted, singles) AND elsewhere = 0 AND found.changed > 0,
		format('%s, %s %s, %s columns: joint values, correlations, all else are kept; bins are as many as defined', split_part(source, '.', 2), method, size, cardinality(swapped)),
		format('%s joint values and %s others differ, correlations by %s, %s bins and not %s, %s of one record and not %s, %s records in other bins',
			other, moved, shift, found.bins, wanted, found.single_bins, singles, elsewhere));
END
$$;
SELECT pg_temp.check_release(source, method, size, columns)
FROM (VALUES ('ref.abalone', '{length,diameter}'::name[]), ('ref.abalone', '{height,whole_weight,shell_weight}'), ('ref.magic', '{f_length,f_width}'), ('ref.magic', '{f_size,f_alpha,f_dist}'),
		('ref.census', '{afnlwgt,agi}'), ('ref.census', '{fica,taxinc,ernval}'), ('ref.eia', '{resrevenue,ressales}'), ('ref.eia', '{comrevenue,indsales,totrevenue}'),
		('ref.tarragona', '{fixed_assets,sales}'), ('ref.tarragona', '{treasury,sales,net_profit}')) AS s (source, columns),
	(VALUES ('equidepth_swap', 'depth => 7'), ('equidepth_swap', 'depth => 100'), ('equiwidth_swap', 'intervals => 9')) AS m (method, size);

--
-- The bins themselves: whatever seeds bring together.  With 12 of them every two records of a bin
-- are connected (of records that have joint values of their own, so that it shows from where they come)
--
CREATE FUNCTION pg_temp.check_sizes(source text, swapped name[], k int)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	same CONSTANT text := (SELECT string_agg(format('s.%1$I = r.%1$I', c), ' AND ') FROM unnest(swapped) AS c);
	names CONSTANT text := (SELECT string_agg(quote_ident(c), ', ') FROM unnest(swapped) AS c);
	found record;
	changed bigint;
BEGIN
	EXECUTE format('CREATE TABLE sdc_check.own AS SELECT DISTINCT ON (%s) id, %s FROM %s ORDER BY %s, id', names, names, source, names);
	ALTER TABLE sdc_check.own ADD PRIMARY KEY (id);
	CREATE TABLE sdc_check.edge (a bigint, b bigint);
	FOR seed IN 1 .. 12 LOOP
		EXECUTE format('INSERT INTO sdc_check.edge SELECT s.id, r.id FROM sdc_equidepth_swap(NULL::sdc_check.own, depth => %s, columns => %L, seed => %s) AS r JOIN sdc_check.own AS s ON %s',
			k, swapped, seed, same);
	END LOOP;
	CREATE TABLE sdc_check.component AS SELECT id, id AS label FROM sdc_check.own;
	LOOP
		UPDATE sdc_check.component AS c SET label = least FROM (SELECT a AS id, min(label) AS least
			FROM (SELECT a, b FROM sdc_check.edge UNION ALL SELECT b, a FROM sdc_check.edge) AS e JOIN sdc_check.component AS n ON n.id = b GROUP BY a) AS m
		WHERE m.id = c.id AND least < label;
		GET DIAGNOSTICS changed = ROW_COUNT;
		EXIT WHEN changed = 0;
	END LOOP;
	SELECT count(*) AS bins, min(n) AS least, max(n) AS most, sum(n) AS records INTO found FROM (SELECT count(*) AS n FROM sdc_check.component GROUP BY label) AS c;
	DROP TABLE sdc_check.own, sdc_check.edge, sdc_check.component;
	RETURN pg_temp.ok(found.bins = div(found.records, k) AND found.least >= k AND found.most < 2 * k, format('%s, %s columns, k = %s: floor(n / k) bins of k to 2k - 1 records', split_part(source, '.', 2), cardinality(swapped), k),
		format('%s bins of %s to %s records, of %s', found.bins, found.least, found.most, found.records));
END
$$;
SELECT pg_temp.check_sizes(source, columns, k)
FROM (VALUES ('ref.census', '{afnlwgt,agi}'::name[], 7), ('ref.census', '{afnlwgt,agi,fica}', 25), ('ref.tarragona', '{fixed_assets,sales}', 10),
	('ref.tarragona', '{fixed_assets,sales,labor_costs}', 3), ('ref.eia', '{resrevenue,totrevenue,totsales}', 20)) AS s (source, columns, k);

--
-- Privacy on an uncorrelated normal file, truncated to [-2, 2]
--
CREATE TABLE sdc_check.normal AS
SELECT row_number() OVER (ORDER BY i) AS id, r * cos(phi) AS x, r * sin(phi) AS y
FROM (SELECT i, sqrt(-2 * ln(1 - pg_temp.uniform(61, i))) AS r, 2 * pi() * pg_temp.uniform(62, i) AS phi FROM generate_series(1, 120000) AS i) AS n
WHERE abs(r * cos(phi)) <= 2 AND abs(r * sin(phi)) <= 2;
CREATE VIEW sdc_check.normal_2000 AS SELECT * FROM sdc_check.normal WHERE id <= 2000;
CREATE VIEW sdc_check.normal_10000 AS SELECT * FROM sdc_check.normal WHERE id <= 10000;
CREATE VIEW sdc_check.normal_100000 AS SELECT * FROM sdc_check.normal WHERE id <= 100000;
CREATE TEMP TABLE private AS
SELECT n, grid, bound, p.* FROM unnest('{2000,10000,100000}'::int[]) AS n, unnest('{intervals,continuous}'::text[]) AS grid, unnest('{0.05,0.1,0.2}'::float8[]) AS bound,
	LATERAL sdc_swap_privacy(format('sdc_check.normal_%s', n)::regclass, '{x,y}', bound => bound, grid => grid, smallest => 0.02) AS p;
SELECT pg_temp.ok(bool_and(p_tuple <= p_mdb AND p_mdb <= p_closed), 'P of the records is at most P of the smallest bins, and that at most the closed form') FROM private;
SELECT pg_temp.ok(bool_and(larger.p_tuple < smaller.p_tuple AND larger.p_closed < smaller.p_closed), 'P falls with the number of records')
FROM private AS larger JOIN private AS smaller USING (grid, bound) WHERE larger.n > smaller.n AND larger.candidates > 0;
SELECT pg_temp.ok(bool_and(wider.p_tuple < narrower.p_tuple AND wider.p_closed < narrower.p_closed), 'P falls with the bound of the widths')
FROM private AS wider JOIN private AS narrower USING (n, grid) WHERE wider.bound > narrower.bound AND wider.candidates > 0;
SELECT pg_temp.ok(min(p_closed) FILTER (WHERE n = 10000) BETWEEN 0.25 AND 0.4 AND min(p_tuple) FILTER (WHERE n = 100000) BETWEEN 0.04 AND 0.065,
	'with all widths up to a tenth of the range P is about 33 % for 10,000 records and 5 % for 100,000', string_agg(format('%s: %s, %s', n, p_tuple, p_closed), '; '))
FROM private WHERE grid = 'continuous' AND bound = 0.1;

\ir lib/finish.sql
