-- binswap_figures.sql
--		Multivariate equi-depth and equi-width swapping (MEDS, MEWS), on the numbers of Abalone and MAGIC.
--
-- The correlation bias (mean of |r - r'| over all pairs of columns) when the first two columns are swapped, beside its closed
-- form, at equal degrees; and the privacy P of equi-width swapping on binormal records, with all widths up to a tenth of the
-- range.  P is p_tuple, its definition, for both numbers of records; of 10,000 few widths are admissible, P differs between
-- samples, and the 33 expected is about halfway between p_tuple and the closed form.  The number of intervals is the one that
-- gives the degree d, and depth = floor(n / d).  The mean of the seeds must be within four standard errors of the closed form,
-- too.

-- A figure is a correlation bias (times 10,000) if it has a source; size: intervals or depth; bins:
-- the degree that they must give.
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
	('magic fine d', 'magic', 'equidepth_swap', 58, 327, '  327 bins, MEDS, depth 58', 8.7, 1.1, false),
	('lower', NULL, NULL, NULL, NULL, 'Of these four comparisons, MEDS has the lower bias in', 4, 0, false),
	('p 10000', NULL, NULL, NULL, NULL, 'P (p_tuple), uncorrelated binormal, percent: 10,000 records', 33, 10, true),
	('p 100000', NULL, NULL, NULL, NULL, '  100,000 records', 5, 1, true);
CREATE TABLE paper.privacy (records int, rho float8, sample int, candidates bigint, p_tuple float8, p_mdb float8, p_closed float8);

-- uniform and normal: the NUMBERth random number of a record.
CREATE FUNCTION paper.uniform(record bigint, number bigint) RETURNS float8
LANGUAGE sql IMMUTABLE AS $$ SELECT ((hashint8extended(record, number) & 2147483647) + 0.5) / 2147483648.0::float8 $$;
CREATE FUNCTION paper.normal(record bigint, number bigint) RETURNS float8
LANGUAGE sql IMMUTABLE AS $$ SELECT sqrt(-2 * ln(paper.uniform(record, 2 * number))) * cos(2 * pi() * paper.uniform(record, 2 * number + 1)) $$;

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

-- measure_privacy draws binormal records of correlation rho within [-2, 2], and takes P of them.
-- Widths below a fiftieth of the range leave some record alone, and are not tried.
CREATE PROCEDURE paper.measure_privacy(records int, rho float8, sample int)
LANGUAGE plpgsql AS $$
BEGIN
	DROP TABLE IF EXISTS paper.binormal;
	CREATE TABLE paper.binormal AS
	SELECT record, x, y FROM (SELECT record, x, rho * x + sqrt(1 - rho ^ 2) * z AS y
		FROM (SELECT record, paper.normal(record, 2 * sample) AS x, paper.normal(record, 2 * sample + 1) AS z
			FROM generate_series(1::bigint, records * 5 / 4) AS record OFFSET 0) AS independent OFFSET 0) AS correlated
	WHERE abs(x) <= 2 AND abs(y) <= 2 LIMIT records;
	INSERT INTO paper.privacy SELECT records, rho, sample, p.*
	FROM sdc_swap_privacy('paper.binormal', '{x,y}', bound => 0.1, grid => 'continuous', smallest => 0.02) AS p;
END
$$;

CREATE PROCEDURE paper.swap(seeds int)
LANGUAGE plpgsql AS $$
DECLARE
	what paper.swapping;
	rho float8;
BEGIN
	FOR what IN SELECT * FROM paper.swapping WHERE source IS NOT NULL ORDER BY id LOOP
		CALL paper.measure_bias(what, seeds);
	END LOOP;
	INSERT INTO paper.figure SELECT 'lower', 0, count(*) FILTER (WHERE lower)
	FROM (SELECT avg(value) FILTER (WHERE method = 'equidepth_swap') < avg(value) FILTER (WHERE method = 'equiwidth_swap') AS lower
		FROM paper.swapping JOIN paper.figure USING (figure) WHERE source IS NOT NULL GROUP BY left(figure, -2)) AS comparison;
	FOR sample IN 1 .. seeds LOOP
		CALL paper.measure_privacy(10000, 0, sample);
	END LOOP;
	FOREACH rho IN ARRAY '{0,0.2,0.4,0.6,0.8,0.95}'::float8[] LOOP
		FOR sample IN 1 .. CASE rho WHEN 0 THEN 4 ELSE 1 END LOOP
			CALL paper.measure_privacy(100000, rho, sample);
		END LOOP;
	END LOOP;
	INSERT INTO paper.figure SELECT 'p ' || records, sample, 100 * p_tuple FROM paper.privacy AS p WHERE p.rho = 0;
END
$$;

CREATE VIEW paper.swapping_report AS
SELECT s.*, false AS own, coalesce(round(closed::numeric, 1)::text, '') AS printed,
	CASE WHEN count(value) > 1 THEN format('%s +- %s', round(avg(value)::numeric, 1), round(stddev_samp(value)::numeric, 1))
		ELSE avg(value)::text END AS measured,
	count(value) > 0 AND abs(avg(value) - expected) <= tolerance AND found IS NOT DISTINCT FROM bins
		AND (source IS NULL OR abs(avg(value) - closed) <= 4 * deviation / sqrt(count(value))) AS within
FROM paper.swapping AS s LEFT JOIN paper.figure USING (figure) GROUP BY s.id;

CALL paper.swap(:seeds);

SELECT paper.heading('closed form');
SELECT paper.line(title, expected, CASE WHEN stated THEN '~' ELSE '+-' END, tolerance, printed, measured, within)
FROM paper.swapping_report ORDER BY id;
\echo
\echo '+-  the interval of the independent implementation   ~  a tolerance that is stated here   neither: exact'
\echo
\echo 'P of equi-width swapping by the correlation of the binormal: the number of different widths, and in'
\echo 'percent P of the tuples, P of the minimal depth bin and the closed form; means over samples'
SELECT lpad(records::text, 8) || ' records, correlation ' || rpad(rho::text, 6) || lpad(round(avg(candidates))::text, 6)
	|| lpad(round(100 * avg(p_tuple)::numeric, 1)::text, 8)
	|| lpad(round(100 * avg(p_mdb)::numeric, 1)::text, 8) || lpad(round(100 * avg(p_closed)::numeric, 1)::text, 8)
FROM paper.privacy GROUP BY records, rho ORDER BY records, rho;
