-- binswap_synthetic.sql
--		Table 2 of the paper on multivariate equi-width swapping, its row Syn100k: the correlation bias of MEWS and MEDS at
--		equal degree.
--
-- 100,000 records of four standard normal variables, of which the first two have the correlation 0.5.  Swapped are the first
-- two, whose correlation is kept, or the first and the third; what is printed is lost.  The bias is the mean of |r - r'| over
-- all pairs, times 10,000.  The depth of MEDS is the number of records divided by the bins of MEWS.  Ten seeds.
--
-- verdict: holds: the bias falls as the degree rises
-- verdict: holds: relations inside the swapping set are kept without loss
-- verdict: does not hold: MEDS has twice the bias of MEWS
-- verdict: does not hold: MEWS has the lower bias
-- verdict: does not hold: MEWS varies less from run to run
-- verdict: cannot be known: the row Syn100k of Table 2

CREATE TABLE synthetic AS
SELECT record AS id, x AS v1, 0.5 * x + sqrt(0.75) * y AS v2, v3, v4
FROM (SELECT record, paper.normal(record, 101) AS x, paper.normal(record, 102) AS y, paper.normal(record, 103) AS v3, paper.normal(record, 104) AS v4
	FROM generate_series(1::bigint, 100000) AS record OFFSET 0) AS independent;
ALTER TABLE synthetic ADD PRIMARY KEY (id);

-- expected: of an independent implementation, MEWS and MEDS, on a sample of its own
CREATE TABLE paper.task (id int PRIMARY KEY GENERATED ALWAYS AS IDENTITY, swapped name[], intervals int, mews float8, meds float8);
INSERT INTO paper.task (swapped, intervals, mews, meds) VALUES
	('{v1,v2}', 5, 12, 7.5), ('{v1,v2}', 12, 3.8, 3.2), ('{v1,v2}', 30, 1.8, 1.5), ('{v1,v3}', 5, 180, 112), ('{v1,v3}', 12, 40, 27), ('{v1,v3}', 30, 7, 7.5);
CREATE TABLE paper.closed (task int, method text, size int, bins bigint, bias float8, deviation float8);
CREATE TABLE paper.run (task int, method text, seed int, bias float8, inside float8);

-- run_task measures one task: with the closed form, and with seeds.
CREATE PROCEDURE paper.run_task(what paper.task, seeds int)
LANGUAGE plpgsql AS $$
DECLARE
	degree CONSTANT bigint := (SELECT bins FROM sdc_expected_correlation_bias('synthetic', what.swapped, 'equiwidth_swap', intervals => what.intervals));
	size int;
	kind text;
BEGIN
	FOREACH kind IN ARRAY '{equiwidth,equidepth}'::text[] LOOP
		size := CASE kind WHEN 'equiwidth' THEN what.intervals ELSE 100000 / degree END;
		INSERT INTO paper.closed SELECT what.id, kind, size, e.bins, 1e4 * e.expected, 1e4 * e.deviation
		FROM sdc_expected_correlation_bias('synthetic', what.swapped, kind || '_swap', depth => size, intervals => size) AS e;
		FOR seed IN 1 .. seeds LOOP
			EXECUTE format('INSERT INTO paper.run SELECT %1$s, %2$L, %3$s, 1e4 / 6 * (%4$s), abs(corr(s.%5$I, s.%6$I) - corr(r.%5$I, r.%6$I))
				FROM synthetic AS s JOIN sdc_%2$s_swap(NULL::synthetic, %7$s, columns => %8$L, seed => %3$s) AS r USING (id)', what.id, kind, seed,
				(SELECT string_agg(format('abs(corr(s.%1$I, s.%2$I) - corr(r.%1$I, s.%2$I))', a, b), ' + ') FROM unnest(what.swapped) AS a, unnest('{v1,v2,v3,v4}'::name[]) AS b WHERE b <> ALL (what.swapped)),
				what.swapped[1], what.swapped[2], size, what.swapped);
		END LOOP;
		COMMIT;
	END LOOP;
END
$$;
DO $$
DECLARE
	what paper.task;
BEGIN
	FOR what IN SELECT * FROM paper.task ORDER BY id LOOP
		CALL paper.run_task(what, 10);
	END LOOP;
END
$$;

CREATE VIEW paper.result AS
SELECT t.*, method, size, bins, c.bias AS closed, c.deviation, avg(r.bias) AS mean, stddev_samp(r.bias) AS spread, stddev_samp(r.bias) / sqrt(count(*)) AS error, max(inside) AS inside, CASE method WHEN 'equiwidth' THEN mews ELSE meds END AS expected
FROM paper.task AS t JOIN paper.closed AS c ON c.task = t.id JOIN paper.run AS r USING (task, method) GROUP BY t.id, method, size, bins, c.bias, c.deviation;
\echo 'Bias times 10,000: mean and standard deviation of the seeds, closed form and its deviation, expected of an independent implementation'
SELECT format('%s, %s, %s: %s bins: %s +- %s, %s +- %s, %s', swapped, method, size, bins, round(mean::numeric, 1), round(spread::numeric, 1), round(closed::numeric, 1), round(deviation::numeric, 1), round(expected::numeric, 1))
FROM paper.result ORDER BY id, method DESC;
SELECT paper.near(format('%s, %s, %s bins: closed form', swapped, method, bins), mean, round(closed::numeric, 3)::float8, 4 * deviation / sqrt(10)) FROM paper.result ORDER BY id, method DESC;
-- the samples differ: where all correlations that can change are 0 but for chance, the bias is chance
SELECT paper.near(format('%s, %s, %s bins: another sample', swapped, method, bins), mean, expected, 0.25 * expected) FROM paper.result WHERE swapped = '{v1,v3}' ORDER BY id, method DESC;

SELECT paper.claim('the bias falls as the degree rises', bool_and(mean < coarser)) FROM (SELECT mean, lag(mean) OVER (PARTITION BY swapped, method ORDER BY intervals) AS coarser FROM paper.result) AS r WHERE coarser IS NOT NULL;
SELECT paper.claim('relations inside the swapping set are kept without loss', max(inside) < 1e-12) FROM paper.result;
SELECT paper.claim('MEDS has twice the bias of MEWS', bool_or(d.mean >= 2 * w.mean)) FROM paper.result AS d JOIN paper.result AS w USING (id) WHERE (d.method, w.method) = ('equidepth', 'equiwidth');
SELECT paper.claim('MEWS has the lower bias', bool_and(d.mean - w.mean > -4 * sqrt(d.error ^ 2 + w.error ^ 2))) FROM paper.result AS d JOIN paper.result AS w USING (id) WHERE (d.method, w.method) = ('equidepth', 'equiwidth');
SELECT paper.claim('MEWS varies less from run to run', bool_and(w.deviation < d.deviation)) FROM paper.result AS d JOIN paper.result AS w USING (id) WHERE (d.method, w.method) = ('equidepth', 'equiwidth');
SELECT CASE WHEN bool_and(d.mean < w.mean) THEN '' ELSE 'regression: ' END || 'MEDS has the lower bias with {v1,v3} up to 12 intervals' FROM paper.result AS d JOIN paper.result AS w USING (id) WHERE (d.method, w.method) = ('equidepth', 'equiwidth') AND d.swapped = '{v1,v3}' AND d.intervals <= 12;
SELECT paper.unknown('the row Syn100k of Table 2');
