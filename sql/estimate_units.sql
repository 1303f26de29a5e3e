--
-- estimate_units
--
-- sdc_estimate where the records of a unit were drawn together: unbiased, and its standard error is what estimates vary by over seeds.  The truth is
-- counted in the source.
--
\pset format unaligned
\pset footer off
CREATE SCHEMA estimate_units;
SET search_path = estimate_units, public;
-- large units are older and mostly of kind b; ward and cost are of each visit
CREATE TABLE visit AS
SELECT (row_number() OVER (ORDER BY p, v))::int AS id, p AS person, CASE WHEN helper.below(p, 1, 6) < n THEN 'b' ELSE 'a' END AS kind,
	10 * (2 + n + helper.below(p, 2, 4)) AS age, 't' || helper.below(p, 3, 3) AS town, helper.below(p, 7, 2) AS part, helper.below(10 * p + v, 4, 3) AS ward, 5 * v + helper.below(10 * p + v, 5, 20) AS cost
FROM (SELECT p, 1 + helper.below(p, 6, 5) AS n FROM generate_series(1, 500) AS p) AS u, generate_series(1, n) AS v;
ALTER TABLE visit ADD PRIMARY KEY (id);

CREATE TABLE asked (n int, conditions text[], measure name, statistic text, by name[]);
INSERT INTO asked VALUES (1, '{kind = ''b''}', NULL, 'count', NULL), (2, '{"kind = ''b''", "age >= 50"}', NULL, 'count', NULL), (3, '{"kind = ''b''", "ward = 1"}', NULL, 'count', NULL),
	(4, '{"age < 50"}', 'cost', 'sum', NULL), (5, '{kind = ''a''}', 'cost', 'avg', NULL), (6, '{"ward < 2"}', NULL, 'count', '{kind,ward}'), (7, '{"town = ''t1''", "age = 60"}', NULL, 'count', NULL);
CREATE TABLE truth (n int, cell jsonb, truth float8);
SELECT format('INSERT INTO truth SELECT %s, to_jsonb(s) - ''truth'', truth FROM (SELECT %s %s(%s) AS truth FROM visit WHERE %s %s) AS s', n, (SELECT string_agg(format('%1$I::text AS %1$I,', b), '') FROM unnest(by) AS b), statistic, coalesce(measure, '*'),
	array_to_string(conditions, ' AND '), 'GROUP BY ' || array_to_string(by, ',')) FROM asked
\gexec
CREATE TABLE estimated (made text, n int, seed int, cell jsonb, estimate float8, standard_error float8, low float8, high float8, raw float8, released float8);
-- how the table is drawn; each release is estimated from, with what the catalog says
CREATE PROCEDURE draw(made text, call text, seeds int) LANGUAGE plpgsql AS $$
BEGIN
	FOR s IN 1 .. seeds LOOP
		EXECUTE format('SELECT FROM ' || call, s);
		INSERT INTO estimated SELECT $1, a.n, s, e.cell, e.estimate, e.standard_error, e.low, e.high, e.raw, NULL
		FROM asked AS a, sdc_estimate('drawn', conditions => a.conditions, measure => a.measure, statistic => a.statistic, by => a.by) AS e;
	END LOOP;
END $$;
SET client_min_messages = error;
CALL draw('RA 1', $$sdc_randomize('visit', '{kind,age,town}', probabilities => '{0.2,0.3,0.5}', unit => '{person}', target => 'drawn', seed => %s, replace => true)$$, 60);
CALL draw('RA 2', $$sdc_randomize('visit', '{kind,age,town}', draws => 1, unit => '{person}', target => 'drawn', seed => %s, replace => true)$$, 60);
CALL draw('PRAM', $$sdc_pram('visit', '{kind,age}', 0.6, unit => '{person}', target => 'drawn', seed => %s, replace => true)$$, 60);
CALL draw('strata', $$sdc_randomize('visit', '{kind,age,town}', probabilities => '{0.2,0.3,0.5}', strata => '{part}', unit => '{person}', target => 'drawn', seed => %s, replace => true)$$, 60);
CALL draw('any size', $$sdc_randomize('visit', '{kind,age,town}', probabilities => '{0.2,0.3,0.5}', unit_size => 'any', unit => '{person}', target => 'drawn', seed => %s, replace => true)$$, 60);
-- columns of which a person has several values are drawn record by record
CALL draw('records', $$sdc_pram('visit', '{ward}', 0.6, unit => '{person}', target => 'drawn', seed => %s, replace => true)$$, 1);
\set VERBOSITY terse
SET client_min_messages = warning;

-- 60 seeds: means within four of their errors, standard errors within a third of what the estimates vary by, 51 to 60 of the intervals with the truth
CREATE VIEW covered AS SELECT e.made, e.n, e.cell, t.truth, avg(e.estimate) AS estimate, stddev(e.estimate) AS deviation, avg(e.standard_error) AS error, count(*) FILTER (WHERE t.truth BETWEEN e.low AND e.high) AS hits, count(*) AS seeds
FROM estimated AS e JOIN truth AS t ON t.n = e.n AND t.cell = coalesce(e.cell, '{}') GROUP BY e.made, e.n, e.cell, t.truth;
SELECT made, n, count(*) AS cells, bool_and(abs(estimate - truth) <= 4 * deviation / sqrt(seeds)) AS unbiased, bool_and(error / deviation BETWEEN 0.67 AND 1.5) AS error, bool_and(hits BETWEEN 51 AND 60) AS covered
FROM covered WHERE seeds = 60 AND deviation > 0 GROUP BY made, n ORDER BY made, n;
-- where nothing that was drawn is asked for the count is exact
SELECT made, n, bool_and(estimate = truth AND error = 0) AS exact FROM covered WHERE seeds = 60 AND deviation = 0 GROUP BY made, n;
-- all of them
SELECT made, round(100.0 * sum(hits) / sum(seeds)) BETWEEN 92 AND 98 AS covered FROM covered WHERE seeds = 60 AND deviation > 0 GROUP BY made ORDER BY made;
SELECT raw = (SELECT count(*) FROM drawn WHERE ward = 1) AS raw FROM sdc_estimate('drawn', conditions => '{ward = 1}');

-- a publication: its accuracy table tells the same, and sdc_how_accurate has the intervals
SELECT count(*) FROM sdc_randomize('visit', '{kind,age,town}', probabilities => '{0.2,0.3,0.5}', unit => '{person}', target => 'drawn', omit => '{part}', seed => 7, replace => true);
SELECT people_found IS NOT NULL AS evaluated FROM sdc_evaluate('drawn', seed => 1);
SELECT records FROM sdc_publish('drawn', 'published', keep => '{ward,cost}', max_people_found => 100);
SELECT attribute, measure, value FROM published_accuracy WHERE part = 'method' AND measure IN ('units', 'unit_class') ORDER BY 1;
SELECT bool_and(abs(d.estimate - p.estimate) < 1e-6 AND abs(d.standard_error - p.standard_error) < 1e-6 AND d.raw = p.raw) AS same, count(*)
FROM asked AS a, sdc_estimate('drawn', conditions => a.conditions, measure => a.measure, statistic => a.statistic, by => a.by) AS d
JOIN LATERAL sdc_estimate('published', conditions => a.conditions, measure => a.measure, statistic => a.statistic, by => a.by) AS p ON d.cell IS NOT DISTINCT FROM p.cell;
-- also with parameters that the caller gives
SELECT abs(d.standard_error - p.standard_error) < 1e-6 AS same FROM sdc_estimate('drawn', '{kind,age,town}', '{kind = ''b''}', probabilities => '{0.2,0.3,0.5}') AS d, sdc_estimate('published', conditions => '{kind = ''b''}') AS p;
SELECT h.kind, h.why, h.low <= t.truth AND t.truth <= h.high AS truth FROM sdc_how_accurate('published', 'kind = ''b'' AND ward = 1') AS h, truth AS t WHERE t.n = 3;
-- of a randomized measure, without numbers of units, and with strata that did not leave, there is no interval, and a reason
SELECT estimate IS NOT NULL AS estimate, standard_error, low, high FROM sdc_estimate('drawn', conditions => '{kind = ''b''}', measure => 'age');
DROP TABLE published;
SELECT records FROM sdc_publish('drawn', 'published', keep => '{ward,cost}', max_people_found => 100, keep_units => false);
SELECT estimate IS NOT NULL AS estimate, standard_error, low, high FROM sdc_estimate('published', conditions => '{kind = ''b''}');
SELECT estimate = (SELECT count(*) FROM visit WHERE ward = 1) AS exact, standard_error FROM sdc_estimate('published', conditions => '{ward = 1}');
SELECT kind, why FROM sdc_how_accurate('published', 'kind = ''b''');
SELECT count(*) FROM sdc_randomize('visit', '{kind,age,town}', probabilities => '{0.2,0.3,0.5}', strata => '{part}', unit => '{person}', omit => '{part}', target => 'hidden', seed => 7);
SELECT estimate IS NOT NULL AS estimate, standard_error, low, high FROM sdc_estimate('hidden', conditions => '{kind = ''b''}');
SELECT estimate IS NOT NULL AS estimate, standard_error > 0 AS error FROM sdc_estimate('hidden', conditions => '{kind = ''b''}', strata => '{}');
-- too many cells
SELECT helper.catch($$SELECT FROM sdc_estimate('drawn', by => '{kind,id}')$$);

DROP SCHEMA estimate_units CASCADE;
