-- anonymization_claims.sql
--		What the paper on random anonymization says that can be checked without a draw: its ten records (figures 1 and 5, sections
--		3 to 6), propositions 7 to 13, and what follows from them, with the smallest tables in which a claim does not hold.
--
-- Figure 1 is lost; its three distributions and the four confidences are in the text, and the table below has them.  All
-- figures are exact.
--
-- verdict: cannot be known: the ten records of figure 1, and its release in figures 2 to 5
-- verdict: as published: Pa of the ten records is about 11 (section 6)
-- verdict: as published: Clerk -> Hypertension has 75 percent, [30-40], Clerk 67, and Clerk, USA -> [30-40] 50 (sections 5.1, 6)
-- verdict: does not hold: 17 percent is the probability of [30-40], Clerk, USA given [20-30], Clerk, USA (section 6)
-- verdict: holds: optimal probabilities maximize Pa (proposition 7)
-- verdict: holds: equation (3) is Pa of equal probabilities
-- verdict: holds: Pa is usually above the geometric mean of the diversities, and above that of the sensitive column (section 4.1)
-- verdict: does not hold: the maximal confidence in a sensitive value is 1 / its diversity (section 4.1)
-- verdict: does not hold: proposition 10
-- verdict: does not hold: gamma is finite for every combination that is not in the original (section 4.2.2)
-- verdict: holds: the bias is |sum of p (1 / lift - 1)| (proposition 12, equation (10))
-- verdict: holds: the bias is at most |q| / m where no lift is below 1/2 (corollary of proposition 12)
-- verdict: does not hold: the bias is at most |q| / m where a lift is below 1/2
-- verdict: holds: a single value has no bias (section 5.2)
-- verdict: holds: the mean bias grows with the length, 2 to 7 columns (section 5.2)
-- verdict: does not hold: equation (11) is the variance of R
-- verdict: does not hold: proposition 13
-- verdict: holds: the mean bias grows with k (section 6)
-- verdict: does not hold: the variance grows with k (section 6)

-- The ten records.
CREATE TABLE paper.ten (id int PRIMARY KEY, age text, job text, country text, disease text);
INSERT INTO paper.ten VALUES (1, '[50-60]', 'Clerk', 'USA', 'Hypertension'), (2, '[20-30]', 'Trader', 'USA', 'Diabetes'), (3, '[50-60]', 'Banker', 'Germany', 'Diabetes'),
	(4, '[30-40]', 'Clerk', 'UK', 'Diabetes'), (5, '[30-40]', 'Clerk', 'USA', 'Hypertension'), (6, '[30-40]', 'Clerk', 'India', 'Hypertension'), (7, '[30-40]', 'Doctor', 'USA', 'Influenza'),
	(8, '[40-50]', 'Trader', 'USA', 'Influenza'), (9, '[50-60]', 'Engineer', 'USA', 'Hypertension'), (10, '[60-70]', 'Banker', 'UK', 'Hypertension');
CREATE TABLE paper.ten_pa AS SELECT k, sdc_probabilistic_anonymity('paper.ten', '{age,job,country}', draws => k) AS pa FROM generate_series(1, 3) AS k UNION ALL SELECT NULL, sdc_probabilistic_anonymity('paper.ten', '{age,job,country}');
\echo 'Ten records: Pa with k = 1, 2, 3, and with optimal probabilities'
SELECT paper.near(coalesce('k = ' || t.k, 'optimal'), pa, expected, 0.0005) FROM paper.ten_pa AS t JOIN (VALUES (1, 11.299), (2, 42.553), (3, 53.420), (NULL, 11.455)) AS e (k, expected) ON e.k IS NOT DISTINCT FROM t.k ORDER BY t.k;
SELECT paper.unknown('the ten records of figure 1, and its release in figures 2 to 5');
SELECT paper.as_printed('Pa of the ten records is about 11 (section 6)', round(pa::numeric) = 11) FROM paper.ten_pa WHERE k = 1;
SELECT paper.as_printed('Clerk -> Hypertension has 75 percent, [30-40], Clerk 67, and Clerk, USA -> [30-40] 50 (sections 5.1, 6)', array_agg(round(100 * confidence::numeric) ORDER BY confidence DESC)::text = '{75,67,50}')
FROM (SELECT * FROM sdc_associations('paper.ten', '{age,job}', '{disease}', 0.05, 0.5) UNION ALL SELECT * FROM sdc_associations('paper.ten', '{job,country}', '{age}', 0.05, 0.5)) AS a
WHERE (antecedent, consequent) IN (('{"job": "Clerk"}', '{"disease": "Hypertension"}'), ('{"age": "[30-40]", "job": "Clerk"}', '{"disease": "Hypertension"}'), ('{"job": "Clerk", "country": "USA"}', '{"age": "[30-40]"}'));

-- The posterior of [30-40], Clerk, USA by hand, k = 1, times 3: P is 0.1 of [20-30], 0.4 of Clerk, 0.6 of USA. The [20-30] of the table is a
-- clerk in the USA (1.1 if it is the combination itself), another there (0.4), or another elsewhere (nothing); a clerk in the USA of another age has 0.1.
CREATE TABLE paper.posterior AS SELECT c, 0.1 / (0.1 + rest) AS p FROM (VALUES ('a clerk in the USA', 1.1), ('another in the USA', 0.1 + 0.4), ('another elsewhere', 0.1)) AS v (c, rest);
SELECT format('the [20-30] is %s: %s percent', c, round(100 * p, 1)) FROM paper.posterior;
SELECT paper.as_printed('17 percent is the probability of [30-40], Clerk, USA given [20-30], Clerk, USA (section 6)', bool_and(round(100 * p) = 17)) FROM paper.posterior;

-- Proposition 7 and equation (3): against probabilities that are a little different, and the formula.
SELECT paper.claim('optimal probabilities maximize Pa (proposition 7)', bool_and(sdc_probabilistic_anonymity('paper.ten', '{age,job,country}', ARRAY[o.a + d.a, o.b + d.b, 1 - o.a - d.a - o.b - d.b]) < pa))
FROM paper.ten_pa, (SELECT sdc_diversity(age) / t AS a, sdc_diversity(job) / t AS b FROM (SELECT sdc_diversity(age) + sdc_diversity(job) + sdc_diversity(country) AS t FROM paper.ten) AS s, paper.ten GROUP BY t) AS o,
	(VALUES (0.01, 0), (-0.01, 0), (0, 0.01), (0, -0.01), (0.1, -0.1), (-0.2, 0.1)) AS d (a, b) WHERE k IS NULL;
SELECT paper.claim('equation (3) is Pa of equal probabilities', abs(pa - 3 * (sdc_diversity(age) * sdc_diversity(job) * sdc_diversity(country)) ^ (1 / 3.0)) < 1e-9) FROM paper.ten_pa, paper.ten WHERE k = 1 GROUP BY pa;
SELECT paper.claim('Pa is usually above the geometric mean of the diversities, and above that of the sensitive column (section 4.1)', pa > pa / 9 AND pa > d) FROM (SELECT sdc_probabilistic_anonymity('adult', paper.qi(), paper.even()) AS pa, sdc_diversity(occupation) AS d FROM adult) AS v;
SELECT format('1 / diversity of the occupation: %s percent, the most frequent one: %s percent', round((100 / sdc_diversity(occupation))::numeric, 1), (SELECT round(100.0 * max(n) / sum(n), 1) FROM (SELECT count(*) AS n FROM adult GROUP BY occupation) AS o)) FROM adult;
SELECT paper.claim('the maximal confidence in a sensitive value is 1 / its diversity (section 4.1)', 1 / sdc_diversity(occupation) >= (SELECT max(n) / sum(n) FROM (SELECT count(*) AS n FROM adult GROUP BY occupation) AS o)) FROM adult;

-- Proposition 10: of (0, 0, 0) and (0, 1, 1) comes (0, 0, 1), from one as likely as from the other; the bound is P(c = 1) / (P(a = 0) + P(b = 0) + P(c = 1)) = 1/4.
CREATE TABLE paper.two (id int PRIMARY KEY, a int, b int, c int);
INSERT INTO paper.two VALUES (1, 0, 0, 0), (2, 0, 1, 1);
CREATE TABLE paper.two_released AS SELECT id, 0 AS a, 0 AS b, 1 AS c FROM paper.two;
DO $$ BEGIN PERFORM sdc_register('paper.two', 'paper.two_released', '{a,b,c}', '{id}', 'randomize', '{"draws": 1}'); END $$;
SELECT paper.claim('proposition 10', mean <= 0.25) FROM sdc_inference_risk('paper.two_released');
-- the printed gamma has supp(q') in the numerator; where it is 0, the printed rule takes 1 / 0
SELECT paper.claim('gamma is finite for every combination that is not in the original (section 4.2.2)', count(*) > 0) FROM paper.two WHERE (a, b, c) = (0, 0, 1);

-- Proposition 12, on the frequent itemsets of Adult.
CREATE TABLE paper.itemset AS
SELECT row_number() OVER (ORDER BY itemset::text) AS number, length, itemset, s.* FROM sdc_frequent_itemsets('adult', paper.qi(), 0.08) AS f, sdc_support_bias('adult', paper.qi(), itemset, draws => 1) AS s;
CREATE TABLE paper.lifts AS SELECT number, length, relative_bias, min(value::float8) AS least, abs(sum(1 / value::float8 - 1)) / 9 AS predicted FROM paper.itemset, jsonb_each_text(lift) GROUP BY number, length, relative_bias;
SELECT paper.claim('the bias is |sum of p (1 / lift - 1)| (proposition 12, equation (10))', bool_and(abs(relative_bias - predicted) < 1e-9)) FROM paper.lifts;
SELECT format('%s frequent itemsets, in %s no lift is below 1/2, of which %s have a bias above |q| / m', count(*), count(*) FILTER (WHERE least >= 0.5), count(*) FILTER (WHERE least >= 0.5 AND relative_bias > length / 9.0)) FROM paper.lifts;
SELECT paper.claim('the bias is at most |q| / m where no lift is below 1/2 (corollary of proposition 12)', bool_and(relative_bias <= length / 9.0)) FROM paper.lifts WHERE least >= 0.5;
-- of seven records one has both of four a and four b: 4 * 4 / 7 - 1 is above 1
CREATE TABLE paper.seven AS SELECT (i <= 4)::int AS a, (i >= 4)::int AS b FROM generate_series(1, 7) AS i;
SELECT paper.claim('the bias is at most |q| / m where a lift is below 1/2', relative_bias <= 1) FROM sdc_support_bias('paper.seven', '{a,b}', '{"a": 1, "b": 1}', draws => 1);
SELECT paper.claim('a single value has no bias (section 5.2)', max(relative_bias) < 1e-9) FROM paper.itemset WHERE length = 1;

-- By length and k, on every 30th record: up to twenty frequent itemsets of each length.
CREATE TABLE paper.part AS SELECT * FROM adult WHERE id % 30 = 0;
CREATE TABLE paper.drawn AS
SELECT i.number, i.length, k, s.relative_bias, 1005 * s.variance / s.support ^ 2 AS variance
FROM (SELECT *, row_number() OVER (PARTITION BY length ORDER BY md5(itemset::text)) AS place FROM paper.itemset) AS i, generate_series(1, 9) AS k, sdc_support_bias('paper.part', paper.qi(), itemset, draws => k) AS s WHERE place <= 20 AND i.length > 1;
\echo 'By length: mean bias with k = 1 and 5, n Var(R) with k = 1; percent of the itemsets whose bias, and whose variance, grows with every k'
SELECT format('%s: %s, %s, %s; %s, %s', length, round(avg(relative_bias) FILTER (WHERE k = 1)::numeric, 3), round(avg(relative_bias) FILTER (WHERE k = 5)::numeric, 3), round(avg(variance) FILTER (WHERE k = 1)::numeric, 2),
	(SELECT round(avg(CASE WHEN grows THEN 100 ELSE 0 END)) FROM (SELECT bool_and(after > before - 1e-9) AS grows FROM (SELECT number, relative_bias AS after, lag(relative_bias) OVER (PARTITION BY number ORDER BY k) AS before FROM paper.drawn AS i WHERE i.length = d.length) AS l GROUP BY number) AS g),
	(SELECT round(avg(CASE WHEN grows THEN 100 ELSE 0 END)) FROM (SELECT bool_and(after > before - 1e-9) AS grows FROM (SELECT number, variance AS after, lag(variance) OVER (PARTITION BY number ORDER BY k) AS before FROM paper.drawn AS i WHERE i.length = d.length) AS l GROUP BY number) AS g))
FROM paper.drawn AS d GROUP BY length ORDER BY length;
SELECT paper.claim('the mean bias grows with the length, 2 to 7 columns (section 5.2)', bool_and(after > before)) FROM (SELECT avg(relative_bias) AS after, lag(avg(relative_bias)) OVER (ORDER BY length) AS before FROM paper.lifts WHERE length BETWEEN 2 AND 7 GROUP BY length) AS l WHERE before IS NOT NULL;
-- equation (11) has no n: of one value it is (P - P^2) / (m supp)^2
SELECT paper.claim('equation (11) is the variance of R', abs(variance / support ^ 2 - printed) < 1e-9)
FROM sdc_support_bias('paper.ten', '{age,job,country}', '{"job": "Clerk"}', draws => 1), (SELECT 1 / 9.0 * (10 / 4.0) ^ 2 * (0.4 - 0.16) AS printed) AS p;

-- Proposition 13: only (0, 0) can become (1, 0), as the others lack a value: with k = 1 by P(a = 1) / 2 = 1/4, with k = 2 by P(a = 1) P(b = 0) = 1/6.
CREATE TABLE paper.falling (a int, b int);
INSERT INTO paper.falling VALUES (0, 0), (1, NULL), (NULL, 1), (NULL, 1);
SELECT format('k = %s: (0, 0) becomes (1, 0) with %s', k, round((4 * expected_others)::numeric, 4)) FROM generate_series(1, 2) AS k, sdc_support_bias('paper.falling', '{a,b}', '{"a": 1, "b": 0}', draws => k);
SELECT paper.claim('proposition 13', bool_and(b.expected_others >= a.expected_others)) FROM sdc_support_bias('paper.falling', '{a,b}', '{"a": 1, "b": 0}', draws => 1) AS a, sdc_support_bias('paper.falling', '{a,b}', '{"a": 1, "b": 0}', draws => 2) AS b;
-- from k = 8 to 9 it stays as it is: if all but one column are drawn, the expectation is that of all
SELECT paper.claim('the mean bias grows with k (section 6)', bool_and(after > before - 1e-9)) FROM (SELECT avg(relative_bias) AS after, lag(avg(relative_bias)) OVER (ORDER BY k) AS before FROM paper.drawn GROUP BY k) AS l WHERE before IS NOT NULL;
-- two records without a value in common: 1/4, then 3/16
CREATE TABLE paper.lone (a int, b int, c int);
INSERT INTO paper.lone VALUES (0, 0, 0), (1, 1, 1);
SELECT paper.claim('the variance grows with k (section 6)', b.variance >= a.variance) FROM sdc_support_bias('paper.lone', '{a,b,c}', '{"a": 0, "b": 0, "c": 0}', draws => 1) AS a, sdc_support_bias('paper.lone', '{a,b,c}', '{"a": 0, "b": 0, "c": 0}', draws => 2) AS b;
