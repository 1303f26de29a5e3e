-- binswap_subsets.sql
--		Section 3.1 of the paper on multivariate equi-width swapping: what MEDS and MEWS do to histograms, of subsets of the
--		swapping set too, and how far single values move.
--
-- The first three columns of Abalone and of MAGIC are swapped.  The error of a joint histogram is the total variation, of
-- sdc_histogram_error, on ten intervals of each column: of one column of the set with one of the rest, the mean over these
-- pairs; and on the grid of MEWS itself, of the three columns with one of the rest.  The depth of MEDS is the number of records
-- divided by the bins of MEWS.  Five seeds.
--
-- verdict: does not hold: MEDS has unacceptable errors on a subset of the swapping set (more than MEWS)
-- verdict: holds: a value changes by at most t (MEWS)
-- verdict: holds: MEDS moves single values by more than half of the range
-- verdict: holds: MEWS keeps the joint histogram on its own grid exactly, MEDS does not

CREATE TABLE paper.task (source text, intervals int, degree int, mews float8, meds float8, PRIMARY KEY (source, intervals));
INSERT INTO paper.task VALUES
	('abalone', 5, 18, 0.143, 0.049), ('abalone', 8, 36, 0.073, 0.031), ('abalone', 12, 70, 0.033, 0.022),
	('magic', 3, 20, 0.102, 0.029), ('magic', 5, 58, 0.058, 0.019), ('magic', 8, 150, 0.031, 0.013);
CREATE TABLE paper.run (source text, intervals int, method text, seed int, bins bigint, subset float8, grid float8, largest float8, far float8);

-- run_task measures one release: the histograms, and in percent of the range the largest move and, the mean of the three columns, the 99
-- percent quantile of the moves.
CREATE PROCEDURE paper.run_task(what paper.task, method text, size int, seed int)
LANGUAGE plpgsql AS $$
DECLARE
	names CONSTANT name[] := ARRAY(SELECT attname FROM pg_attribute WHERE attrelid = what.source::regclass AND attnum > 0 AND NOT attisdropped AND attname <> 'id' ORDER BY attnum);
	made record;
	subset float8;
	grid float8;
	far float8;
BEGIN
	EXECUTE format('SELECT max(bins) AS bins, max(largest) AS largest FROM sdc_%s_swap(%L::regclass, %s, columns => %L, target => ''paper.swapped'', seed => %s, replace => true)',
		method, what.source, size, names[:3], seed) INTO made;
	SELECT avg(sdc_histogram_error('paper.swapped', ARRAY[a, b], 10)) INTO subset FROM unnest(names[:3]) AS a, unnest(names[4:]) AS b;
	SELECT max(sdc_histogram_error('paper.swapped', names[:3] || b, what.intervals)) INTO grid FROM unnest(names[4:]) AS b;
	EXECUTE (SELECT format('SELECT (%s) / 3 FROM %s AS s JOIN paper.swapped AS r USING (id)',
		string_agg(format('100 * percentile_cont(0.99) WITHIN GROUP (ORDER BY abs(s.%1$I - r.%1$I)) / (max(s.%1$I) - min(s.%1$I))', c), ' + '), what.source) FROM unnest(names[:3]) AS c) INTO far;
	INSERT INTO paper.run VALUES (what.source, what.intervals, method, seed, made.bins, subset, grid, made.largest, far);
	COMMIT;
END
$$;
DO $$
DECLARE
	what paper.task;
	records bigint;
BEGIN
	FOR what IN SELECT * FROM paper.task ORDER BY source, intervals LOOP
		records := CASE what.source WHEN 'abalone' THEN 4177 ELSE 19020 END;
		DROP TABLE IF EXISTS paper.swapped;
		FOR seed IN 1 .. 5 LOOP
			CALL paper.run_task(what, 'equiwidth', what.intervals, seed);
			CALL paper.run_task(what, 'equidepth', (records / what.degree)::int, seed);
		END LOOP;
	END LOOP;
END
$$;

CREATE VIEW paper.result AS
SELECT t.*, method, min(bins) AS bins, avg(subset) AS subset, avg(grid) AS grid, max(largest) AS largest, avg(far) AS far, CASE method WHEN 'equiwidth' THEN mews ELSE meds END AS expected
FROM paper.task AS t JOIN paper.run AS r USING (source, intervals) GROUP BY t.source, t.intervals, method;
\echo 'Total variation on a column of the set and one of the rest, on the own grid; largest move and 99 percent quantile, percent of the range'
SELECT format('%s, %s intervals, %s, %s bins: %s, %s, %s, %s', source, intervals, method, bins, round(subset::numeric, 3), round(grid::numeric, 3), round(largest::numeric, 1), round(far::numeric, 1)) FROM paper.result ORDER BY source, intervals, method DESC;
SELECT CASE WHEN bool_and(abs(bins - degree) <= degree / 20.0) THEN '' ELSE 'regression: ' END || 'the bins are as many as those of the independent implementation' FROM paper.result;
SELECT paper.near(format('%s, %s intervals, %s: subset', source, intervals, method), subset, expected, 0.004) FROM paper.result ORDER BY source, intervals, method DESC;

SELECT paper.claim('MEDS has unacceptable errors on a subset of the swapping set (more than MEWS)', bool_or(d.subset >= w.subset)) FROM paper.result AS d JOIN paper.result AS w USING (source, intervals) WHERE (d.method, w.method) = ('equidepth', 'equiwidth');
SELECT paper.claim('a value changes by at most t (MEWS)', bool_and(largest <= 100.0 / intervals)) FROM paper.result WHERE method = 'equiwidth';
SELECT paper.claim('MEDS moves single values by more than half of the range', bool_and(most > 50)) FROM (SELECT max(largest) AS most FROM paper.result WHERE method = 'equidepth' GROUP BY source) AS r;
SELECT paper.claim('MEWS keeps the joint histogram on its own grid exactly, MEDS does not', bool_and(CASE method WHEN 'equiwidth' THEN grid = 0 ELSE grid > 0 END)) FROM paper.result;
