-- binswap_figures.sql
--		Table 2 of the paper on multivariate equi-width swapping, its rows Abalone and MagicTele: the correlation bias of MEWS
--		and MEDS at equal degree.
--
-- The bias is the mean of |r - r'| over all pairs of columns, when the first two columns are swapped.  Every mean must be that of
-- an independent implementation, and within four standard errors of the closed form.  The number of intervals is the one that
-- gives the degree, and depth = floor(n / degree).
--
-- verdict: holds: the bias falls as the degree rises
-- verdict: does not hold: MEWS has the lower bias in most cases
-- verdict: does not hold: MEWS varies less from run to run
-- verdict: cannot be known: the cells of Table 2

-- A figure is a correlation bias (times 10,000); size: intervals or depth; bins: the degree that they must give.
CREATE TABLE paper.swapping (id int PRIMARY KEY GENERATED ALWAYS AS IDENTITY, figure text UNIQUE, source text, method text, size int,
	bins bigint, title text, expected float8, tolerance float8, stated boolean, closed float8, deviation float8, found bigint);
INSERT INTO paper.swapping (figure, source, method, size, bins, title, expected, tolerance, stated)
VALUES
	('abalone coarse w', 'abalone', 'equiwidth_swap', 5, 13, 'Bias x 10,000: Abalone, 13 bins, MEWS, 5 intervals', 364, 9, false),
	('abalone coarse d', 'abalone', 'equidepth_swap', 321, 13, '  13 bins, MEDS, depth 321', 84, 3, false),
	('abalone fine w', 'abalone', 'equiwidth_swap', 20, 81, '  81 bins, MEWS, 20 intervals', 16, 1, false),
	('abalone fine d', 'abalone', 'equidepth_swap', 51, 81, '  81 bins, MEDS, depth 51', 11, 1, false),
	('magic coarse w', 'magic', 'equiwidth_swap', 5, 19, 'Bias x 10,000: MAGIC, 19 bins, MEWS, 5 intervals', 315, 3, false),
	('magic coarse d', 'magic', 'equidepth_swap', 1001, 19, '  19 bins, MEDS, depth 1001', 81, 4, false),
	('magic fine w', 'magic', 'equiwidth_swap', 30, 324, '  324 bins, MEWS, 30 intervals', 18.1, 0.5, false),
	('magic fine d', 'magic', 'equidepth_swap', 58, 327, '  327 bins, MEDS, depth 58', 8.7, 1.1, false);

-- measure_bias swaps the first two columns of a source with one method and size.
CREATE PROCEDURE paper.measure_bias(what paper.swapping, seeds int)
LANGUAGE plpgsql AS $$
DECLARE
	relation CONSTANT regclass := what.source::regclass;
	pair CONSTANT name[] := ARRAY(SELECT attname FROM pg_attribute
		WHERE attrelid = relation AND attnum > 0 AND NOT attisdropped AND attname <> 'id' ORDER BY attnum LIMIT 2);
BEGIN
	UPDATE paper.swapping SET closed = 10000 * e.expected, deviation = 10000 * e.deviation, found = e.bins
	FROM sdc_expected_correlation_bias(relation, pair, what.method, depth => what.size, intervals => what.size) AS e WHERE id = what.id;
	-- a release of other columns is not replaced
	DROP TABLE IF EXISTS paper.swapped;
	FOR seed IN 1 .. seeds LOOP
		EXECUTE format('SELECT FROM sdc_%s(%L::regclass, %s, columns => %L, target => ''paper.swapped'', seed => %s, replace => true)',
			what.method, relation, what.size, pair, seed);
		INSERT INTO paper.figure SELECT what.figure, seed, 10000 * bias FROM sdc_correlation_bias('paper.swapped');
	END LOOP;
END
$$;

CREATE PROCEDURE paper.swap(seeds int)
LANGUAGE plpgsql AS $$
DECLARE
	what paper.swapping;
BEGIN
	FOR what IN SELECT * FROM paper.swapping ORDER BY id LOOP
		CALL paper.measure_bias(what, seeds);
	END LOOP;
END
$$;

CREATE VIEW paper.swapping_report AS
SELECT s.*, false AS own, coalesce(round(closed::numeric, 1)::text, '') AS printed,
	avg(value) AS mean, stddev_samp(value) AS spread, format('%s +- %s', round(avg(value)::numeric, 1), round(stddev_samp(value)::numeric, 1)) AS measured,
	count(value) > 0 AND abs(avg(value) - expected) <= tolerance AND found IS NOT DISTINCT FROM bins
		AND abs(avg(value) - closed) <= 4 * deviation / sqrt(count(value)) AS within
FROM paper.swapping AS s LEFT JOIN paper.figure USING (figure) GROUP BY s.id;

CALL paper.swap(:seeds);

SELECT paper.heading('closed form');
SELECT paper.line(title, expected, CASE WHEN stated THEN '~' ELSE '+-' END, tolerance, printed, measured, within)
FROM paper.swapping_report ORDER BY id;
\echo
\echo '+-  the interval of the independent implementation'

-- coarse and fine degrees of a file, MEWS (w) and MEDS (d)
CREATE VIEW paper.comparison AS SELECT w.source, w.bins, w.mean AS width, d.mean AS depth, w.deviation AS width_deviation, d.deviation AS depth_deviation
FROM paper.swapping_report AS w JOIN paper.swapping_report AS d ON left(w.figure, -1) = left(d.figure, -1) WHERE w.method = 'equiwidth_swap' AND d.method = 'equidepth_swap';
SELECT paper.claim('the bias falls as the degree rises', bool_and(fine.width < coarse.width AND fine.depth < coarse.depth)) FROM paper.comparison AS fine JOIN paper.comparison AS coarse USING (source) WHERE fine.bins > coarse.bins;
SELECT paper.claim('MEWS has the lower bias in most cases', count(*) FILTER (WHERE width < depth) * 2 > count(*)) FROM paper.comparison;
SELECT format('MEDS has the lower bias in %s of %s, by a factor of %s to %s', count(*) FILTER (WHERE depth < width), count(*), round(min(width / depth)::numeric, 1), round(max(width / depth)::numeric, 1)) FROM paper.comparison;
SELECT paper.claim('MEWS varies less from run to run', bool_and(width_deviation < depth_deviation)) FROM paper.comparison;
SELECT paper.unknown('the cells of Table 2');
