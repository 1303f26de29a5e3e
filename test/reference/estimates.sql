-- estimates.sql
--		Estimates from randomized releases of Adult, with few seeds (test/coverage has 200).
--
-- Raw counts, estimates and standard errors are compared with the means of 300 runs of an independent
-- implementation, and the estimates with the truth: within four standard errors of the means.

\ir lib/check.sql
\ir lib/coverage.sql

SET work_mem = '64MB';
CALL sdc_check.cover(1, 12);

SELECT pg_temp.ok(count(*) = 8 AND bool_and(seeds = 12), 'estimates of 8 cases with 12 seeds') FROM sdc_check.covered;
SELECT pg_temp.ok(abs(estimate - truth) < 4 * expected_deviation / sqrt(seeds), format('%s of %s, %s: the mean estimate is %s, as is true', statistic, conditions, how, round(truth::numeric, 2)), estimate::text)
FROM sdc_check.covered ORDER BY id;
SELECT pg_temp.ok(abs(raw - expected_raw) < 0.05 * expected_raw, format('%s of %s, %s: the raw number is %s, within 5 %%', statistic, conditions, how, expected_raw), raw::text)
FROM sdc_check.covered WHERE expected_raw IS NOT NULL ORDER BY id;
SELECT pg_temp.ok(abs(error - expected_error) < 0.05 * expected_error, format('%s of %s, %s: the standard error is %s, within 5 %%', statistic, conditions, how, expected_error), error::text)
FROM sdc_check.covered ORDER BY id;
-- chi-square limits at 1 in 10,000
SELECT pg_temp.ok((seeds - 1) * (deviation / error) ^ 2 < pg_temp.chi_square_limit(seeds::int - 1), format('%s of %s, %s: the estimates vary no more than the standard error says', statistic, conditions, how), deviation::text)
FROM sdc_check.covered ORDER BY id;
-- 91 of 96 are to be expected
SELECT pg_temp.ok(count(*) FILTER (WHERE truth BETWEEN low AND high) >= 81, 'most intervals have the truth', count(*) FILTER (WHERE truth BETWEEN low AND high)::text)
FROM sdc_check.estimated JOIN sdc_check.true_number USING (id);
-- raw numbers are those of the release
SELECT pg_temp.ok(bool_and(abs(e.raw / CASE a.id WHEN 1 THEN n WHEN 6 THEN s ELSE s / n END - 1) < 1e-12), 'raw numbers are those of plain SQL')
FROM sdc_check.asked AS a, sdc_estimate('pg_temp.made_uniform', conditions => a.conditions, measure => a.measure, statistic => a.statistic) AS e,
	(SELECT count(*)::float8 AS n, sum(age)::float8 AS s FROM pg_temp.made_uniform WHERE sex = 'Female' AND salary = '>50K') AS c WHERE how = 'uniform';

\ir lib/finish.sql
