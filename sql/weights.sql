--
-- Weights: how many of the population a record stands for, and what follows from them.
--
SET client_min_messages = warning;
SET extra_float_digits = 0;

-- Naming: the role, the argument, none; and what is recorded.
CREATE TABLE toy (id int PRIMARY KEY, x float8, y float8, w float8);
INSERT INTO toy VALUES (1, 1, 2, 1), (2, 2, 1, 2), (3, 3, 0, 3), (4, NULL, 5, 4), (5, 10, 9, 5);
SELECT sdc_classify('toy', 'w', 'weight');
SELECT attribute, action FROM sdc_rankswap('toy', p => 100, seed => 1);
SELECT release, weight FROM sdc_releases WHERE source = 'toy'::regclass;
SELECT attribute, action FROM sdc_rankswap('toy', p => 100, seed => 1, replace => true, weight => '');
SELECT release, weight FROM sdc_releases WHERE source = 'toy'::regclass;
SELECT attribute, action FROM sdc_rankswap('toy', columns => '{x}', p => 100, seed => 1, replace => true, weight => 'y');
SELECT release, weight FROM sdc_releases WHERE source = 'toy'::regclass;
SELECT helper.catch($$SELECT sdc_rankswap('toy', columns => '{x,w}', p => 100, replace => true)$$);
SELECT helper.catch($$SELECT sdc_rankswap('toy', columns => '{x,y}', p => 100, weight => 'y', replace => true)$$);
SELECT helper.catch($$SELECT sdc_rankswap('toy', columns => '{y}', p => 100, weight => 'x', replace => true)$$);
SELECT helper.catch($$SELECT sdc_rankswap('toy', columns => '{y}', p => 100, weight => 'nothing', replace => true)$$);
INSERT INTO toy VALUES (6, 1, 1, 0), (7, 1, 1, -1), (8, 1, 1, 'NaN'), (9, 1, 1, 'Infinity');
SELECT helper.catch($$SELECT sdc_rankswap('toy', p => 100, replace => true)$$);
DELETE FROM toy WHERE id > 5;
SELECT sdc_classify('toy', 'y', 'weight');
SELECT helper.catch($$SELECT sdc_rankswap('toy', p => 100, replace => true)$$);
SELECT sdc_classify('toy', 'y', NULL);
-- a weight is the same in all records of a unit, and no unit's name
ALTER TABLE toy ADD hid int;
UPDATE toy SET hid = id / 2;
SELECT helper.catch($$SELECT sdc_rankswap('toy', columns => '{x}', p => 100, unit => '{hid}', replace => true)$$);
SELECT helper.catch($$SELECT sdc_rankswap('toy', columns => '{x}', p => 100, unit => '{w}', replace => true)$$);
SELECT helper.catch($$SELECT sdc_rankswap('toy', columns => '{x}', p => 100, unit => '{hid}', row_level => '{w}', replace => true)$$);
ALTER TABLE toy ADD word text DEFAULT 'a';
SELECT helper.catch($$SELECT sdc_rankswap('toy', columns => '{x}', p => 100, weight => 'word', replace => true)$$);
-- a view has the role of what it shows; values of two weights are weights
CREATE VIEW toys AS SELECT id, x, w FROM toy UNION ALL SELECT id + 100, x, w FROM toy;
SELECT attribute, role FROM sdc_attributes WHERE relation = 'toys'::regclass ORDER BY attribute;
DROP VIEW toys;
ALTER TABLE toy DROP word, DROP hid;
-- left out, it is still read
SELECT attribute, action FROM sdc_rankswap('toy', p => 100, seed => 1, omit => '{w}', replace => true);
SELECT attribute, statistic, original FROM sdc_statistic_errors('toy_rankswap') WHERE statistic IN ('mean', 'deff') ORDER BY 1, 2;

-- The statistics of the toy.
SELECT sdc_rankswap('toy', columns => '{x,y}', p => 100, seed => 1, replace => true) \g /dev/null
SELECT attribute, statistic, round(original::numeric, 10) AS original, round(standard_error::numeric, 10) AS standard_error
FROM sdc_statistic_errors('toy_rankswap') WHERE attribute IN ('x') ORDER BY statistic COLLATE "C";
-- without weights all is as it was
SELECT count(*) FROM sdc_statistic_errors('toy_rankswap', weight => '');

-- The twin in plain SQL, of a larger table with units.
CREATE TABLE home (id int PRIMARY KEY, hid int, region text, w numeric, rent int, income float8);
INSERT INTO home SELECT i, i * 7 % 83, chr(97 + i * 7 % 83 % 4), 0.5 + i * 7 % 83 % 9, 100 + (i * 7 % 83) * 37 % 251,
	CASE WHEN i % 11 > 0 THEN (i * 7919 % 1000) / 8.0 END FROM generate_series(1, 300) AS i;
SELECT sdc_classify('home', 'hid', 'unit'), sdc_classify('home', 'w', 'weight');
SELECT count(*) FROM sdc_rankswap('home', p => 20, seed => 7);
SELECT unit, weight FROM sdc_releases WHERE source = 'home'::regclass;
CREATE VIEW sides AS
SELECT false AS protected, id, hid, region, w::float8, 'rent' AS attribute, rent::float8 AS x FROM home
UNION ALL SELECT false, id, hid, region, w, 'income', income FROM home
UNION ALL SELECT true, id, hid, region, w, 'rent', rent FROM home_rankswap
UNION ALL SELECT true, id, hid, region, w, 'income', income FROM home_rankswap;
CREATE VIEW twin AS
WITH m AS (SELECT protected, attribute, sum(w) AS mass, sum(w * x) / sum(w) AS mean, count(*) * sum(w * w) / sum(w) ^ 2 AS deff
	FROM sides WHERE x IS NOT NULL GROUP BY 1, 2),
v AS (SELECT protected, attribute, sqrt(sum(w * (x - mean) ^ 2) / mass) AS sd FROM sides JOIN m USING (protected, attribute)
	WHERE x IS NOT NULL GROUP BY 1, 2, mass),
e AS (SELECT protected, attribute, sqrt(count(*) / (count(*) - 1.0) * sum(e ^ 2)) AS e FROM (
	SELECT protected, attribute, hid, sum(w * (x - mean)) AS e FROM sides JOIN m USING (protected, attribute)
	WHERE x IS NOT NULL GROUP BY 1, 2, 3) AS c GROUP BY 1, 2)
SELECT m.*, sd, e / mass AS error, e AS total_error FROM m JOIN v USING (protected, attribute) JOIN e USING (protected, attribute);
CREATE FUNCTION near(a float8, b float8) RETURNS boolean LANGUAGE sql AS
'SELECT a IS NOT DISTINCT FROM b OR abs(a - b) <= 1e-9 * greatest(abs(a), abs(b)) + 1e-12';
SELECT s.attribute, s.statistic, near(s.original, o.value) AS original, near(s.protected, p.value) AS protected,
	near(s.standard_error, o.error) AS standard_error
FROM sdc_statistic_errors('home_rankswap') AS s
JOIN (SELECT t.protected, t.attribute, v.* FROM twin AS t CROSS JOIN LATERAL (VALUES ('mean', mean, error),
	('total', mean * mass, total_error), ('sd', sd, NULL), ('deff', deff, NULL)) AS v (statistic, value, error)) AS o
	ON o.attribute = s.attribute AND o.statistic = s.statistic AND NOT o.protected
JOIN (SELECT t.protected, t.attribute, v.* FROM twin AS t CROSS JOIN LATERAL (VALUES ('mean', mean), ('total', mean * mass),
	('sd', sd), ('deff', deff)) AS v (statistic, value)) AS p
	ON p.attribute = s.attribute AND p.statistic = s.statistic AND p.protected
ORDER BY 1, 2;
-- quantiles: the least value up to which there is that share of the weights
SELECT s.attribute, s.statistic, s.original = q.x AS original, s.protected = p.x AS protected
FROM sdc_statistic_errors('home_rankswap') AS s
JOIN (VALUES ('p05', 0.05), ('p25', 0.25), ('median', 0.5), ('p75', 0.75), ('p95', 0.95)) AS share (statistic, share) USING (statistic)
CROSS JOIN LATERAL (SELECT min(x) AS x FROM (SELECT x, sum(w) OVER (ORDER BY x) / sum(w) OVER () AS upto FROM sides AS b
	WHERE b.attribute = s.attribute AND NOT b.protected AND x IS NOT NULL) AS c WHERE upto >= share * (1 - 1e-12)) AS q
CROSS JOIN LATERAL (SELECT min(x) AS x FROM (SELECT x, sum(w) OVER (ORDER BY x) / sum(w) OVER () AS upto FROM sides AS b
	WHERE b.attribute = s.attribute AND b.protected AND x IS NOT NULL) AS c WHERE upto >= share * (1 - 1e-12)) AS p
WHERE s.attribute IN ('rent', 'income') ORDER BY 1, 2;
-- distances of distributions by shares of the weights
WITH d AS (SELECT attribute, x, coalesce(sum(w) FILTER (WHERE NOT protected), 0) / sum(sum(w) FILTER (WHERE NOT protected)) OVER a AS p,
		coalesce(sum(w) FILTER (WHERE protected), 0) / sum(sum(w) FILTER (WHERE protected)) OVER a AS q
	FROM sides GROUP BY attribute, x WINDOW a AS (PARTITION BY attribute)),
c AS (SELECT attribute, p, q, sum(p - q) OVER (PARTITION BY attribute ORDER BY x NULLS LAST) AS below FROM d),
t AS (SELECT attribute, 'hellinger' AS statistic, sqrt(sum((sqrt(p) - sqrt(q)) ^ 2) / 2) AS value FROM c GROUP BY 1
	UNION ALL SELECT attribute, 'ks', max(abs(below)) FROM c GROUP BY 1)
SELECT s.attribute, s.statistic, abs(s.protected - t.value) < 1e-9 AS same
FROM sdc_statistic_errors('home_rankswap') AS s JOIN t USING (attribute, statistic) ORDER BY 1, 2;

-- Cells.
SELECT e.cell ->> 'region' AS region, e.statistic, near(e.original, o.value) AS original, near(e.protected, p.value) AS protected
FROM sdc_cell_errors('home_rankswap', '{region}', 'income') AS e
CROSS JOIN LATERAL (SELECT CASE e.statistic WHEN 'count' THEN sum(w) WHEN 'sum' THEN sum(w * x) ELSE sum(w * x) / sum(w) FILTER (WHERE x IS NOT NULL) END
	FROM sides AS b WHERE b.region = e.cell ->> 'region' AND b.attribute = 'income' AND NOT b.protected) AS o (value)
CROSS JOIN LATERAL (SELECT CASE e.statistic WHEN 'count' THEN sum(w) WHEN 'sum' THEN sum(w * x) ELSE sum(w * x) / sum(w) FILTER (WHERE x IS NOT NULL) END
	FROM sides AS b WHERE b.region = e.cell ->> 'region' AND b.attribute = 'income' AND b.protected) AS p (value)
ORDER BY 1, 2;
-- the overlap of confidence intervals that take units as clusters
WITH m AS (SELECT protected, region, sum(w) AS mass, sum(w * x) / sum(w) AS mean FROM sides
	WHERE attribute = 'income' AND x IS NOT NULL GROUP BY 1, 2),
e AS (SELECT protected, region, sqrt(count(*) / (count(*) - 1.0) * sum(e ^ 2)) / mass AS error, mean FROM (
	SELECT b.protected, b.region, hid, mass, mean, sum(w * (x - mean)) AS e FROM sides AS b JOIN m USING (protected, region)
	WHERE attribute = 'income' AND x IS NOT NULL GROUP BY 1, 2, 3, 4, 5) AS c GROUP BY 1, 2, mass, mean)
SELECT o.region, near(c.overlap, (least(o.mean + z * o.error, p.mean + z * p.error) - greatest(o.mean - z * o.error, p.mean - z * p.error))
		* (1 / (2 * z * o.error) + 1 / (2 * z * p.error)) / 2) AS overlap
FROM sdc_cell_errors('home_rankswap', '{region}', 'income') AS c JOIN e AS o ON o.region = c.cell ->> 'region' AND NOT o.protected
JOIN e AS p ON p.region = o.region AND p.protected CROSS JOIN (VALUES (1.959964)) AS n (z) WHERE c.statistic = 'avg' ORDER BY 1;

-- Information loss: of complete columns by its definition, and with equal weights what it is without.
CREATE TABLE full_home AS SELECT id, w, rent::float8 AS a, coalesce(income, 3) AS b FROM home;
ALTER TABLE full_home ADD PRIMARY KEY (id);
SELECT count(*) FROM sdc_rankswap('full_home', columns => '{a,b}', p => 30, seed => 3, weight => 'w');
WITH f AS (SELECT o.w::float8 AS w, o.a, o.b, p.a AS pa, p.b AS pb FROM full_home AS o JOIN full_home_rankswap AS p USING (id)),
s AS (SELECT sqrt(2) * stddev_samp(a) AS sa, sqrt(2) * stddev_samp(b) AS sb, sum(w) AS mass, sum(w * a) / sum(w) AS a, sum(w * b) / sum(w) AS b,
	sum(w * pa) / sum(w) AS pa, sum(w * pb) / sum(w) AS pb FROM f),
c AS (SELECT sum(w * (f.a - s.a) ^ 2) AS aa, sum(w * (f.b - s.b) ^ 2) AS bb, sum(w * (f.a - s.a) * (f.b - s.b)) AS ab,
	sum(w * (f.pa - s.pa) ^ 2) AS paa, sum(w * (f.pb - s.pb) ^ 2) AS pbb, sum(w * (f.pa - s.pa) * (f.pb - s.pb)) AS pab FROM f CROSS JOIN s),
l AS (SELECT (sum(w * abs(f.a - f.pa) / abs(f.a)) + sum(w * abs(f.b - f.pb) / abs(f.b)) FILTER (WHERE f.b <> 0)) / (sum(w) + sum(w) FILTER (WHERE f.b <> 0)) AS il1,
	(sum(w * abs(f.a - f.pa)) / max(sa) + sum(w * abs(f.b - f.pb)) / max(sb)) / (2 * sum(w)) AS il1s FROM f CROSS JOIN s)
SELECT near(i.il1, l.il1) AS il1, near(i.il1s, l.il1s) AS il1s,
	near(i.il2, (abs(s.a - s.pa) / abs(s.a) + abs(s.b - s.pb) / abs(s.b)) / 2) AS il2,
	near(i.il3, (abs(aa - paa) / aa + abs(bb - pbb) / bb + abs(ab - pab) / abs(ab)) / 3) AS il3,
	near(i.il4, (abs(aa - paa) / aa + abs(bb - pbb) / bb) / 2) AS il4,
	near(i.il5, abs(ab / sqrt(aa * bb) - pab / sqrt(paa * pbb))) AS il5,
	near(i.il, 20 * (i.il1 + i.il2 + i.il3 + i.il4 + i.il5)) AS il, i.pil, i.pil_mean, i.pil_left_out,
	near(z.il, i.il) AS score
FROM sdc_information_loss('full_home_rankswap') AS i CROSS JOIN l CROSS JOIN s CROSS JOIN c CROSS JOIN sdc_score('full_home_rankswap') AS z;
ALTER TABLE home ADD same float8 DEFAULT 3.7;
SELECT count(*) FROM sdc_rankswap('home', columns => '{rent,income}', p => 20, seed => 7, target => 'home_equal', weight => 'same', unit => '{}');
SELECT near(a.il1, b.il1) AS il1, near(a.il2, b.il2) AS il2, near(a.il3, b.il3) AS il3, near(a.il4, b.il4) AS il4, near(a.il5, b.il5) AS il5,
	near(a.il1s, b.il1s) AS il1s, a.pil, b.pil IS NOT NULL AS pil
FROM sdc_information_loss('home_equal') AS a, sdc_information_loss('home_equal', weight => '') AS b;
-- what is lost counts as much as its weight; the bounds of sums differ a little, as lost weights are not whole numbers
UPDATE home_equal SET income = NULL WHERE id % 17 = 0;
SELECT near(a.il1, b.il1) AS il1, near(a.il2, b.il2) AS il2, abs(a.il3 / b.il3 - 1) < 1e-3 AS il3, abs(a.il4 / b.il4 - 1) < 1e-3 AS il4,
	abs(a.il5 / b.il5 - 1) < 1e-3 AS il5, near(a.il1s, b.il1s) AS il1s,
	a.il1_left_out = b.il1_left_out AND a.il1s_left_out = b.il1s_left_out AND a.lost = b.lost AND a.il3_left_out = b.il3_left_out AS left_out, b.lost
FROM sdc_information_loss('home_equal') AS a, sdc_information_loss('home_equal', weight => '') AS b;

-- Counts: a query of one's own, random queries, the estimates of a randomized table.
SELECT c.cell ->> 'region' AS region, c.answer = o.mass AS answer, c.estimate = p.mass AS estimate
FROM sdc_compare('home_rankswap', condition => 'rent < 200', by => '{region}') AS c
JOIN (SELECT region, sum(w) AS mass FROM home WHERE rent < 200 GROUP BY 1) AS o ON o.region = c.cell ->> 'region'
JOIN (SELECT region, sum(w) AS mass FROM home_rankswap WHERE rent < 200 GROUP BY 1) AS p ON p.region = o.region ORDER BY 1;
SELECT answer, estimate, relative_error FROM sdc_compare('home_rankswap', condition => 'rent < 0');
SELECT answer, estimate FROM sdc_compare('home_rankswap', weight => '');
SELECT answer = sum AS answer FROM sdc_compare('home_rankswap'), (SELECT sum(w) FROM home) AS s;
SELECT answer, estimate FROM sdc_compare('home_rankswap', 'count(DISTINCT region)');
SELECT helper.catch($$SELECT sdc_compare('home_rankswap', weight => 'region')$$);
SELECT helper.catch($$SELECT sdc_compare('toy_rankswap', weight => 'y')$$);
-- equal weights change no relative error; others change some
SELECT count(*), bool_and(near(a.mean_error, b.mean_error) AND near(a.p95_error, b.p95_error) AND a.redrawn = b.redrawn) AS equal,
	bool_or(near(a.mean_error, c.mean_error)) AS other
FROM sdc_query_errors('home_rankswap', 300, 5, '{region,rent,income}', weight => 'same') AS a
JOIN sdc_query_errors('home_rankswap', 300, 5, '{region,rent,income}', weight => '') AS b USING (attributes)
JOIN sdc_query_errors('home_rankswap', 300, 5, '{region,rent,income}') AS c USING (attributes);
-- weights of 1, 2 and 3 are so many records: of a release by swapping, by generalization, and by permutation
CREATE TABLE light (id int PRIMARY KEY, a int, b int, s int, w int);
INSERT INTO light SELECT i, i * 7 % 23, i * 5 % 17, i * 11 % 7, 1 + i * 13 % 3 FROM generate_series(1, 200) AS i;
SELECT count(*) FROM sdc_rankswap('light', columns => '{a,b}', p => 20, seed => 1, weight => 'w');
SELECT count(*) FROM sdc_generalize('light', '{a,b}', k => 5, weight => 'w');
SELECT count(*) FROM sdc_permute('light', '{a,b}', '{s}', l => 3, seed => 1, weight => 'w');
CREATE TABLE heavy AS SELECT row_number() OVER (ORDER BY id, n)::int AS id, a, b, s FROM light CROSS JOIN generate_series(1, w) AS n;
ALTER TABLE heavy ADD PRIMARY KEY (id);
CREATE TABLE heavy_rankswap AS SELECT row_number() OVER (ORDER BY id, n)::int AS id, a, b, s FROM light_rankswap CROSS JOIN generate_series(1, w) AS n;
SELECT sdc_register('heavy', 'heavy_rankswap', '{a,b}', '{id}');
SELECT a.attributes, near(a.mean_error, b.mean_error) AS mean, near(a.median_error, b.median_error) AS median, near(a.p95_error, b.p95_error) AS p95
FROM sdc_query_errors('light_rankswap', 300, 5, '{a,b}', '{s}') AS a
JOIN sdc_query_errors('heavy_rankswap', 300, 5, '{a,b}', '{s}') AS b USING (attributes) ORDER BY 1;
-- in groups the shares of values are those of records, and the rest is weighted: with equal weights nothing changes
ALTER TABLE light ADD same int DEFAULT 4;
SELECT count(*) FROM sdc_generalize('light', '{a,b}', k => 5, target => 'light_g', weight => 'same');
SELECT count(*) FROM sdc_permute('light', '{a,b}', '{s}', l => 3, seed => 1, target => 'light_p', weight => 'same');
SELECT r.release, bool_and(near(a.mean_error, b.mean_error)) AS equal
FROM (VALUES ('light_g'), ('light_p')) AS r (release) CROSS JOIN LATERAL sdc_query_errors(r.release::regclass, 200, 5) AS a
JOIN LATERAL sdc_query_errors(r.release::regclass, 200, 5, weight => '') AS b USING (attributes) GROUP BY 1 ORDER BY 1;
SELECT r.release, bool_or(abs(a.mean_error - b.mean_error) > 1e-6) AS different
FROM (VALUES ('light_generalize'), ('light_permute')) AS r (release) CROSS JOIN LATERAL sdc_query_errors(r.release::regclass, 200, 5) AS a
JOIN LATERAL sdc_query_errors(r.release::regclass, 200, 5, weight => '') AS b USING (attributes) GROUP BY 1 ORDER BY 1;
-- a weighted count is the sum of a copied column
SELECT count(*) FROM sdc_randomize('light', '{a,b,s}', draws => 1, seed => 2, weight => 'w');
SELECT near(a.estimate, b.estimate) AS estimate, near(a.standard_error, b.standard_error) AS error, near(a.raw, b.raw) AS raw,
	a.raw = (SELECT sum(w) FROM light_randomize WHERE a < 9 AND b < 6) AS weighted
FROM sdc_estimate('light_randomize', conditions => '{a < 9,b < 6}') AS a,
	sdc_estimate('light_randomize', conditions => '{a < 9,b < 6}', measure => 'w', weight => '') AS b;
SELECT helper.catch($$SELECT sdc_estimate('light_randomize', conditions => '{a < 9}', measure => 's')$$);
SELECT helper.catch($$SELECT sdc_estimate('light_randomize', conditions => '{a < 9}', weight => 'b')$$);

-- A sample of a population.
CREATE TABLE sampled (c text, w int);
INSERT INTO sampled VALUES ('a', 2), ('a', 3), ('b', 4), ('b', 5), ('c', 6), ('d', 7), ('e', 8);
SELECT uniques, pairs, round(match::numeric, 10) AS match, population_uniques, population_k FROM sdc_sample_risk('sampled', '{c}', weight => 'w');
-- equal weights: the formula for simple samples
ALTER TABLE sampled ADD same numeric DEFAULT 2.5, ADD mass int, ADD hid int;
SELECT near(a.match, b.match) AS match, a.population_k FROM sdc_sample_risk('sampled', '{c}', weight => 'same') AS a, sdc_sample_risk('sampled', '{c}', 0.4) AS b;
-- the role; and a fraction of all is one by itself
SELECT sdc_classify('sampled', 'w', 'weight');
SELECT population_k FROM sdc_sample_risk('sampled', '{c}');
SELECT population_k FROM sdc_sample_risk('sampled', '{c}', 0.4);
SELECT population_k FROM sdc_sample_risk('sampled', '{c,mass}');
SELECT helper.catch($$SELECT sdc_sample_risk('sampled', '{c}', 0.4, weight => 'w')$$);
SELECT helper.catch($$SELECT sdc_sample_risk('sampled', '{c}', weight => '')$$);
SELECT helper.catch($$SELECT sdc_sample_risk('sampled', '{w}', weight => 'c')$$);
-- units stand for as many people as their weight, once in a class
UPDATE sampled SET hid = w;
INSERT INTO sampled (c, w, hid) VALUES ('a', 2, 2), ('c', 6, 6);
SELECT uniques, pairs, round(match::numeric, 10) AS match, population_k FROM sdc_sample_risk('sampled', '{c}', unit => '{hid}');
UPDATE sampled SET w = 9 WHERE ctid = (SELECT max(ctid) FROM sampled);
SELECT helper.catch($$SELECT sdc_sample_risk('sampled', '{c}', unit => '{hid}')$$);
UPDATE sampled SET w = NULL WHERE hid = 6;
SELECT helper.catch($$SELECT sdc_sample_risk('sampled', '{c}', unit => '{hid}')$$);
UPDATE sampled SET w = 0 WHERE hid = 6;
SELECT helper.catch($$SELECT sdc_sample_risk('sampled', '{c}')$$);

-- What swapping does to weighted totals; nothing where weights are equal in the strata.
CREATE TEMP TABLE reported AS SELECT attribute, weighted_change_percent FROM sdc_rankswap('home', p => 20, seed => 7, keep => '{region,same}',
	columns => '{rent,income}', target => 'home_swapped');
WITH t AS (SELECT sum(w * rent)::float8 AS rent, sum(w * income::numeric)::float8 AS income FROM home),
p AS (SELECT sum(w * rent)::float8 AS rent, sum(w * income::numeric)::float8 AS income FROM home_swapped)
SELECT attribute, CASE attribute WHEN 'rent' THEN near(weighted_change_percent, 100 * (p.rent - t.rent) / t.rent)
	WHEN 'income' THEN near(weighted_change_percent, 100 * (p.income - t.income) / t.income)
	WHEN 'same' THEN weighted_change_percent = 0 ELSE weighted_change_percent IS NULL END AS change
FROM reported, t, p ORDER BY attribute;
SELECT DISTINCT weighted_change_percent FROM sdc_rankswap('home', p => 20, seed => 7, keep => '{same}', target => 'home_plain', weight => '');
SELECT attribute, abs(weighted_change_percent) < 1e-9 AS kept FROM sdc_rankswap('home', columns => '{rent,income}', p => 20, seed => 7, strata => '{w}', unit => '{}', target => 'home_strata')
WHERE attribute IN ('rent', 'income') ORDER BY 1;
SELECT attribute, weighted_change_percent IS NULL AS none FROM sdc_permute('light', '{a,b}', '{s}', l => 3, seed => 1, target => 'light_q', weight => 'w') ORDER BY 1;
SELECT bool_and(weighted_change_percent IS NULL) AS none FROM sdc_generalize('light', '{a,b}', k => 5, target => 'light_r', weight => 'w') WHERE action = 'protected';

-- Weights that tell one unit from all others, and the means of runs of them.
CREATE TABLE survey (id int PRIMARY KEY, hid int, region text, w float8, rent int, age int);
INSERT INTO survey SELECT i, i % 40, chr(97 + i % 40 % 3), 1 + (i % 40) * 17 % 41 / 7.0, 100 + (i % 40) * 31 % 101, i * 37 % 90 FROM generate_series(1, 100) AS i;
SELECT sdc_classify('survey', 'hid', 'unit'), sdc_classify('survey', 'w', 'weight');
\set VERBOSITY default
SELECT count(*) FROM sdc_rankswap('survey', columns => '{rent}', p => 20, seed => 1);
SELECT count(*) FROM sdc_rankswap('survey', columns => '{rent}', p => 20, seed => 1, unit => '{}', target => 'survey_rows');
SELECT count(*) FROM sdc_rankswap('survey', columns => '{rent}', p => 20, seed => 1, omit => '{w}', target => 'survey_omitted');
SELECT attribute, action, method, changed, abs(weighted_change_percent) < 5 AS small FROM sdc_rankswap('survey', columns => '{rent}', p => 20, seed => 1, strata => '{region}',
	weight_group => 4, target => 'survey_grouped') ORDER BY attribute;
\set VERBOSITY terse
SELECT method, parameters, columns, weight FROM sdc_releases WHERE release = 'survey_grouped'::regclass;
-- runs of four in the order of weights, the rest with the last; by hand in SQL
WITH u AS (SELECT region, hid, min(w) AS w FROM survey GROUP BY 1, 2),
n AS (SELECT *, row_number() OVER (PARTITION BY region ORDER BY w, hid) - 1 AS place, count(*) OVER (PARTITION BY region) AS units FROM u),
r AS (SELECT *, least(place / 4, greatest(units / 4, 1) - 1) AS run FROM n),
m AS (SELECT hid, avg(w) OVER (PARTITION BY region, run) AS mean, count(*) OVER (PARTITION BY region, run) AS size FROM r)
SELECT count(*), bool_and(near(g.w, m.mean)) AS same, min(size), max(size) FROM survey_grouped AS g JOIN m USING (hid);
SELECT region, near(a.sum, b.sum) AS kept FROM (SELECT region, sum(w) FROM (SELECT DISTINCT region, hid, w FROM survey) AS s GROUP BY 1) AS a
JOIN (SELECT region, sum(w) FROM (SELECT DISTINCT region, hid, w FROM survey_grouped) AS s GROUP BY 1) AS b USING (region) ORDER BY 1;
-- the release is measured with its own weights
SELECT near(protected, (SELECT sum(w * age) / sum(w) FROM survey_grouped)) AS protected, near(original, (SELECT sum(w * age) / sum(w) FROM survey)) AS original
FROM sdc_statistic_errors('survey_grouped') WHERE attribute = 'age' AND statistic = 'mean';
SELECT il > 0 AS il FROM sdc_information_loss('survey_grouped');
SELECT count(*) > 0 AS found FROM sdc_people_found('survey_grouped');
-- it is in what an intruder knows, unless it is public
CREATE TABLE told AS SELECT i AS id, i * 37 % 101 AS x, 1 + i / 8.0 AS w FROM generate_series(1, 100) AS i;
ALTER TABLE told ADD PRIMARY KEY (id);
SELECT sdc_classify('told', 'w', 'weight');
SELECT count(*) FROM sdc_rankswap('told', p => 50, seed => 1);
CREATE VIEW found AS SELECT (SELECT percent FROM sdc_people_found('told_rankswap') WHERE attack = 'best') AS by_default,
	(SELECT percent FROM sdc_people_found('told_rankswap', known => '{x,w}') WHERE attack = 'best') AS by_both,
	(SELECT percent FROM sdc_people_found('told_rankswap', known => '{x}') WHERE attack = 'best') AS by_x;
SELECT by_default = by_both AS both, by_x < by_both AS fewer FROM found;
SELECT sdc_classify('told', 'w', 'public');
SELECT by_default = by_x AS x FROM found;
-- of numeric; of records; of fewer than one run; equal ones stay
ALTER TABLE survey ADD n numeric, ADD i int, ADD m numeric(10, 2);
UPDATE survey SET n = w, i = w, m = w;
SELECT count(*) FROM sdc_rankswap('survey', columns => '{rent}', p => 20, seed => 1, unit => '{}', weight => 'n', weight_group => 60, target => 'survey_n');
SELECT count(DISTINCT n), near(sum(n)::float8, (SELECT sum(n) FROM survey)::float8) AS kept FROM survey_n;
SELECT helper.catch($$SELECT sdc_rankswap('survey', columns => '{rent}', p => 20, weight => 'i', weight_group => 4, target => 'survey_i')$$);
SELECT helper.catch($$SELECT sdc_rankswap('survey', columns => '{rent}', p => 20, weight => 'm', weight_group => 4, target => 'survey_m')$$);
SELECT helper.catch($$SELECT sdc_rankswap('survey', columns => '{rent}', p => 20, weight_group => 1, target => 'survey_1')$$);
SELECT helper.catch($$SELECT sdc_rankswap('survey', columns => '{rent}', p => 20, weight => '', weight_group => 4, target => 'survey_1')$$);
SELECT helper.catch($$SELECT sdc_rankswap('survey', columns => '{rent}', p => 20, omit => '{w}', weight_group => 4, target => 'survey_1')$$);
SELECT helper.catch($$SELECT sdc_rankswap('survey', columns => '{rent}', p => 20, unit => '{}', continued => true, weight_group => 4, target => 'survey_1')$$);
-- by the forms of the row type and of several steps, and in a sweep
SELECT count(DISTINCT w) < 40 AS grouped FROM sdc_rankswap(NULL::survey, columns => '{rent}', p => 20, seed => 1, weight_group => 4);
SELECT attribute, action FROM sdc_protect('survey', '[{"method": "rankswap", "columns": ["rent"], "p": 10}, {"method": "equidepth_swap", "columns": ["age"], "depth": 5}]',
	seed => 1, weight_group => 4) WHERE attribute IN ('rent', 'age', 'w') ORDER BY 1;
SELECT count(*) > 0 AS swept FROM sdc_sweep('home', 'rankswap', '{5,20}', columns => '{rent,income}', seed => 1, weight => 'w');

-- In `carry` of record swapping it goes with the areas: every area keeps its people and its weights, and national figures change.
CREATE TABLE place (id int PRIMARY KEY, hid int, province int, town int, kind text, w float8, x float8);
INSERT INTO place SELECT i, i / 2, i / 2 % 3, i / 2 % 15, chr(97 + i / 2 * 7 % 5), 1 + i / 2 * 13 % 9, i * 37 % 101 FROM generate_series(2, 801) AS i;
SELECT attribute, action, changed, round(weighted_change_percent::numeric, 9) AS percent FROM sdc_record_swap('place', areas => '{province,town}', risk => '{kind}', k => 2, rate => 20,
	similar => '{kind}', carry => '{w}', unit => '{hid}', weight => 'w', target => 'place_carried', seed => 1);
SELECT round(100 * (sum(r.w * r.x) / sum(p.w * p.x) - 1)::numeric, 9) AS percent, count(*) FILTER (WHERE r.w <> p.w) AS changed FROM place_carried AS r JOIN place AS p USING (id);
SELECT count(*) AS areas, bool_and(a.w = b.w AND a.n = b.n) AS kept FROM (SELECT province, town, sum(w) AS w, count(*) AS n FROM place GROUP BY 1, 2) AS a
JOIN (SELECT province, town, sum(w) AS w, count(*) AS n FROM place_carried GROUP BY 1, 2) AS b USING (province, town);
SELECT statistic, near(original, o) AS original, near(protected, p) AS protected FROM sdc_statistic_errors('place_carried') JOIN
	(SELECT 'mean' AS statistic, (SELECT sum(w * x) / sum(w) FROM place) AS o, (SELECT sum(w * x) / sum(w) FROM place_carried) AS p
	UNION ALL SELECT 'total', (SELECT sum(w * x) FROM place), (SELECT sum(w * x) FROM place_carried)) AS s USING (statistic) WHERE attribute = 'x' ORDER BY 1;
-- elsewhere it stays: national figures are those of the source, and totals of areas change
SELECT attribute, weighted_change_percent = 0 AS kept FROM sdc_record_swap('place', areas => '{province,town}', risk => '{kind}', k => 2, rate => 20,
	similar => '{kind}', unit => '{hid}', weight => 'w', target => 'place_stays', seed => 1) WHERE attribute IN ('province', 'x') ORDER BY 1;
SELECT bool_or(a.w <> b.w) AS change FROM (SELECT town, sum(w) AS w FROM place GROUP BY 1) AS a JOIN (SELECT town, sum(w) AS w FROM place_stays GROUP BY 1) AS b USING (town);
SELECT helper.catch($$SELECT sdc_permutation_swap('place', columns => '{w}', rate => 20, unit => '{hid}', weight => 'w', target => 'place_p')$$);
SELECT helper.catch($$SELECT sdc_record_swap('place', areas => '{town,w}', risk => '{kind}', k => 2, rate => 20, unit => '{hid}', weight => 'w', target => 'place_p')$$);
SELECT helper.catch($$SELECT sdc_record_swap('place', areas => '{town}', risk => '{kind}', k => 2, rate => 20, carry => '{w}', unit => '{hid}', weight => 'w', weight_group => 4, target => 'place_p')$$);

-- A release of another tool: the argument, the role, none; it is recorded as it is then.
CREATE TABLE place_other AS SELECT id, province, town, kind, w, x + 1 AS x FROM place;
SELECT sdc_register('place', 'place_other', '{x}', '{id}', weight => 'w') \g /dev/null
SELECT weight, near(original, (SELECT sum(w * x) / sum(w) FROM place)) AS weighted FROM sdc_releases JOIN sdc_statistic_errors('place_other') ON release = 'place_other'::regclass WHERE attribute = 'x' AND statistic = 'mean';
SELECT sdc_classify('place', 'w', 'weight');
SELECT sdc_register('place', 'place_other', '{x}', '{id}', weight => '') \g /dev/null
SELECT weight, near(original, (SELECT avg(x) FROM place)) AS plain FROM sdc_releases JOIN sdc_statistic_errors('place_other') ON release = 'place_other'::regclass WHERE attribute = 'x' AND statistic = 'mean';
SELECT sdc_register('place', 'place_other', key => '{id}') \g /dev/null
SELECT weight, columns FROM sdc_releases WHERE release = 'place_other'::regclass;
SELECT helper.catch($$SELECT sdc_register('place', 'place_other', '{x}', '{id}', weight => 'kind')$$);
SELECT helper.catch($$SELECT sdc_register('place', 'place_other', '{x}', '{id}', weight => 'nothing')$$);
SELECT helper.catch($$SELECT sdc_register('place', 'place_other', '{x}', '{id}', unit => '{w}', weight => 'w')$$);
SELECT sdc_classify('place', 'w', NULL);

-- A policy: what it says of weights is what its runs do.
SELECT sdc_policy_set('places', 'place', '[{"method": "rankswap", "columns": ["x"], "p": 50}]', 'public.place_public', omit => '{hid,province,town,kind}', key => '{id}', unit => '{hid}', weight => 'w', weight_group => 50,
	limits => '{"people_found": 100}');
SELECT statement LIKE '%weight => ''w''%weight_group => ''50''%' AS said FROM sdc_policies WHERE policy = 'places';
CALL sdc_run('places');
SELECT status FROM sdc_runs WHERE policy = 'places';
SELECT count(DISTINCT w) <= 8 AS grouped, near(sum(w) / 2, (SELECT sum(w) / 2 FROM place)) AS kept FROM place_public;
SELECT weight FROM sdc_releases WHERE release = (SELECT release FROM sdc_publications WHERE publication = 'place_public'::regclass);
SELECT helper.catch($$SELECT sdc_policy_alter('places', weight => 'kind')$$), helper.catch($$SELECT sdc_policy_alter('places', weight_group => 1)$$);
SELECT helper.catch($$SELECT sdc_policy_alter('places', weight => '')$$);
UPDATE place SET w = 0 WHERE id = 7;
SET client_min_messages = error;
CALL sdc_run('places');
SELECT status, reason FROM sdc_runs WHERE policy = 'places' ORDER BY run DESC LIMIT 1;
SELECT sdc_policy_drop('places');
DROP TABLE place_public, place_public_accuracy;
