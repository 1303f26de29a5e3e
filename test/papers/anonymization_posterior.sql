-- anonymization_posterior.sql
--		Sections 4 and 6 of the paper on random anonymization: what an intruder who knows all frequencies infers as more columns
--		are drawn of a record.
--
-- Adult with its nine quasi-identifiers, one to nine draws, and one with the optimal probabilities; six seeds.  The paper
-- has no figure of it; what is expected are means of six seeds of an independent implementation, and what is allowed are four
-- standard errors of the difference.
--
-- verdict: holds: the guess of an intruder is right less often as k grows (section 6)
-- verdict: holds: the probability of the true original falls as k grows (definition 6, measured)
-- verdict: does not hold: gamma falls as k grows (definition 8)
-- verdict: does not hold: RA 2 protects better than RA 1 with any probabilities
-- verdict: does not hold: 1/Pa is the confidence of the user (section 4.1)
-- verdict: does not hold: the greater the probabilistic anonymity, the less probable a right guess (definition 6)
-- verdict: does not hold: Pa is at most what any anonymity can be, the exponential of the entropy of all combinations

-- k NULL: one draw with the optimal probabilities
CREATE TABLE paper.expected (k int, unchanged float8, hits float8, mean float8, true_mean float8, anonymity float8, gamma float8, bound float8);
INSERT INTO paper.expected VALUES
	(1, 46.0, 69.89, 0.6998, 0.5623, 3.3, 219.4, 0.981), (2, 20.6, 45.61, 0.4567, 0.2887, 11.8, 7566, 0.986), (3, 8.9, 28.00, 0.2789, 0.1353, 41.4, 67336, 0.979),
	(4, 3.7, 15.88, 0.1585, 0.0561, 140.2, 99882, 0.951), (5, 1.4, 8.36, 0.0839, 0.0205, 432.2, 66489, 0.887), (6, 0.5, 4.12, 0.0417, 0.0065, 1183, 19964, 0.730),
	(7, 0.2, 2.03, 0.0203, 0.0020, 2701, 3085, 0.407), (8, 0.0, 0.99, 0.0095, 0.0007, 5131, 132.5, 0.073), (9, 0.0, 0.32, 0.0032, 0.0004, 7105, 1.0, 0.003),
	(NULL, 15.2, 34.65, 0.3448, 0.2421, 11.2, 56.7, 0.938);
CREATE TABLE paper.risk (k int, seed int, unchanged float8, hits float8, mean float8, true_mean float8, anonymity float8, gamma float8, bound float8);
DO $$
DECLARE
	what paper.expected;
BEGIN
	FOR what IN SELECT * FROM paper.expected LOOP
		FOR seed IN 1 .. 6 LOOP
			PERFORM FROM sdc_randomize('public.adult', paper.qi(), draws => what.k, target => 'paper.randomized', seed => seed, replace => true);
			INSERT INTO paper.risk SELECT what.k, seed, unchanged_percent, hit_percent, mean, true_mean, anonymity, gamma_mean, bound_mean FROM sdc_inference_risk('paper.randomized');
			COMMIT;
		END LOOP;
	END LOOP;
END
$$;
CREATE VIEW paper.found AS
SELECT r.k, figure, avg(value) AS mean, stddev_samp(value) AS deviation
FROM paper.risk AS r, LATERAL (VALUES ('unchanged', unchanged), ('hits', hits), ('mean', mean), ('true_mean', true_mean), ('anonymity', anonymity), ('gamma', gamma), ('bound', bound)) AS f (figure, value) GROUP BY r.k, figure;
CREATE VIEW paper.table AS
SELECT k, unchanged, hits, f.mean, true_mean, anonymity, gamma, bound, sdc_probabilistic_anonymity('adult', paper.qi(), draws => k) AS pa
FROM (SELECT k, avg(unchanged) AS unchanged, avg(hits) AS hits, avg(mean) AS mean, avg(true_mean) AS true_mean, avg(anonymity) AS anonymity, avg(gamma) AS gamma, avg(bound) AS bound FROM paper.risk GROUP BY k) AS f;

\echo 'k: unchanged %, hits %, mean, true_mean, anonymity, Pa, gamma_mean, bound_mean'
SELECT format('%s: %s, %s, %s, %s, %s, %s, %s, %s', coalesce(k::text, 'optimal'), round(unchanged::numeric, 1), round(hits::numeric, 2), round(mean::numeric, 4), round(true_mean::numeric, 4),
	round(anonymity::numeric, 1), round(pa::numeric, 1), round(gamma::numeric, 1), round(bound::numeric, 3)) FROM paper.table ORDER BY k;
-- half a unit of the last printed digit on top of the standard errors
SELECT paper.near(format('k = %s: %s', coalesce(e.k::text, 'optimal'), v.figure), f.mean, v.value, 4 * f.deviation * sqrt(2 / 6.0) + v.unit)
FROM paper.expected AS e, LATERAL (VALUES ('unchanged', unchanged, 0.05), ('hits', hits, 0.005), ('mean', mean, 0.00005), ('true_mean', true_mean, 0.00005),
	('anonymity', anonymity, CASE WHEN anonymity > 1000 THEN 0.5 ELSE 0.05 END), ('gamma', gamma, CASE WHEN gamma > 1000 THEN 0.5 ELSE 0.05 END), ('bound', bound, 0.0005)) AS v (figure, value, unit)
JOIN paper.found AS f ON f.figure = v.figure WHERE f.k IS NOT DISTINCT FROM e.k ORDER BY e.k, v.figure;
SELECT CASE WHEN bool_and(abs(100 * mean - hits) < 1) THEN '' ELSE 'regression: ' END || 'the mean of the maximal inference probability is the share of right guesses' FROM paper.table;

SELECT paper.claim('the guess of an intruder is right less often as k grows (section 6)', bool_and(b.hits < a.hits)) FROM paper.table AS a JOIN paper.table AS b ON b.k = a.k + 1;
SELECT paper.claim('the probability of the true original falls as k grows (definition 6, measured)', bool_and(b.true_mean < a.true_mean AND b.anonymity > a.anonymity)) FROM paper.table AS a JOIN paper.table AS b ON b.k = a.k + 1;
SELECT paper.claim('gamma falls as k grows (definition 8)', bool_and(b.gamma < a.gamma)) FROM paper.table AS a JOIN paper.table AS b ON b.k = a.k + 1;
SELECT paper.claim('RA 2 protects better than RA 1 with any probabilities', bool_and(b.hits < a.hits)) FROM paper.table AS a, paper.table AS b WHERE a.k IS NULL AND b.k > 1;
SELECT paper.claim('1/Pa is the confidence of the user (section 4.1)', bool_and(hits < 200 / pa AND hits > 50 / pa)) FROM paper.table;
SELECT paper.claim('the greater the probabilistic anonymity, the less probable a right guess (definition 6)', bool_and((b.pa > a.pa) = (b.hits < a.hits))) FROM paper.table AS a JOIN paper.table AS b ON b.k = a.k + 1;
SELECT paper.claim('Pa is at most what any anonymity can be, the exponential of the entropy of all combinations', max(pa) <= max(t.most))
FROM paper.table, (SELECT exp(-sum(p * ln(p))) AS most FROM (SELECT count(*) / 30162.0::float8 AS p FROM adult GROUP BY education, race, sex, workclass, marital_status, age, relationship, native_country, salary) AS c) AS t;
