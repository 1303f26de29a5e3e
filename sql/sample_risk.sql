--
-- sample_risk
--
-- What a sample tells of its population: numbers by GROUP BY, the formula of the match, and the model against a search of its likelihood.
--
\pset format unaligned
\pset footer off
SET client_min_messages = notice;
CREATE SCHEMA sample_risk;
SET search_path = sample_risk, public;
SELECT helper.make_people('sample_risk.people', 800);

-- likelihood is that of the Pitman model, but for a constant, term by term.
CREATE FUNCTION likelihood(size bigint[], theta float8, alpha float8) RETURNS float8 LANGUAGE sql
RETURN (SELECT sum(ln(theta + i * alpha)) FROM generate_series(1, cardinality(size) - 1) AS i)
	- (SELECT sum(ln(theta + k)) FROM generate_series(1, (SELECT sum(f) FROM unnest(size) AS f) - 1) AS k)::float8
	+ (SELECT coalesce(sum(ln(k - alpha)), 0) FROM unnest(size) AS f, generate_series(1, f - 1) AS k);
-- by_search looks for the maximum, in smaller and smaller steps, and follows the expectation from one person to the next.
CREATE FUNCTION by_search(size bigint[], people int) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
	a float8 := 0.3;
	t float8 := 0.3;		-- the logarithm of theta + alpha
	best float8 := likelihood(size, exp(t) - a, a);
	step float8 := 1;
	found record;
	uniques float8 := 1;
BEGIN
	WHILE step > 1e-7 LOOP
		SELECT next_a, next_t, likelihood(size, exp(next_t) - next_a, next_a) AS value INTO found
		FROM (SELECT a + step * i / 4 AS next_a, t + step * j AS next_t FROM generate_series(-1, 1) AS i, generate_series(-1, 1) AS j) AS around
		WHERE next_a BETWEEN 0 AND 0.999999 ORDER BY value DESC LIMIT 1;
		IF found.value > best THEN
			best := found.value; a := found.next_a; t := found.next_t;
		ELSE
			step := step / 2;
		END IF;
	END LOOP;
	FOR n IN 2 .. people LOOP
		uniques := uniques * n / (n - 1) * (exp(t) + n - 2) / (exp(t) - a + n - 1);
	END LOOP;
	RETURN uniques;
END
$$;
SELECT qi, fraction, r.uniques = s.uniques AND r.pairs = s.pairs AS counted, abs(r.match - fraction * s.uniques / (fraction * s.uniques + 2 * (1 - fraction) * s.pairs)) < 1e-15 AS match, abs(r.population_uniques / by_search(s.size, (800 / fraction)::int) - 1) < 1e-5 AS model, r.uniques, r.pairs, round(r.match::numeric, 6) AS match, round(r.population_uniques::numeric, 3) AS population_uniques
FROM (VALUES ('{age,sex}'::name[], 0.5::float8), ('{age,region,sex}', 0.1), ('{savings,sex}', 0.02), ('{savings}', 0.25), ('{age,job}', 1)) AS v (qi, fraction), LATERAL sdc_sample_risk('people', qi, fraction) AS r,
	LATERAL (SELECT count(*) FILTER (WHERE n = 1) AS uniques, count(*) FILTER (WHERE n = 2) AS pairs, array_agg(n) AS size
		FROM (SELECT count(*) AS n FROM people GROUP BY CASE WHEN 'age' = ANY (qi) THEN age END, CASE WHEN 'sex' = ANY (qi) THEN sex END, CASE WHEN 'region' = ANY (qi) THEN region END, CASE WHEN 'savings' = ANY (qi) THEN savings END, CASE WHEN 'job' = ANY (qi) THEN job END) AS g) AS s;
-- by hand: 3 uniques and 2 pairs of a tenth are right with 3 / (3 + 2 * 9 * 2); all of a population are right
CREATE TABLE nine (q int);
INSERT INTO nine VALUES (1), (2), (3), (4), (4), (NULL), (NULL), (6), (6), (6);
SELECT uniques, pairs, abs(match - 3 / 39.0) < 1e-15 AS match FROM sdc_sample_risk('nine', '{q}', 0.1);
SELECT uniques, pairs, match FROM sdc_sample_risk('nine', '{q}', 1);
-- no unique; neither uniques nor pairs; no pairs, which says little; one class; one record; none
DELETE FROM nine WHERE q < 4;
SELECT uniques, pairs, match, population_uniques > 0 AS model FROM sdc_sample_risk('nine', '{q}', 0.1);
DELETE FROM nine WHERE q = 4 OR q IS NULL;
SELECT * FROM sdc_sample_risk('nine', '{q}', 0.1);
INSERT INTO nine VALUES (1), (2);
SELECT uniques, pairs, match, population_uniques > 2 AS model FROM sdc_sample_risk('nine', '{q}', 0.1);
SELECT uniques, pairs, match FROM sdc_sample_risk('nine', '{q}', 1);
DELETE FROM nine WHERE q = 6;
SELECT * FROM sdc_sample_risk('nine', '{q}', 0.5);
DELETE FROM nine WHERE q = 2;
SELECT * FROM sdc_sample_risk('nine', '{q}', 0.5);
DELETE FROM nine;
SELECT * FROM sdc_sample_risk('nine', '{q}', 0.5);
-- samples of a population: the match is right on the average
CREATE TABLE drawn AS SELECT s, p.* FROM generate_series(1, 60) AS s, people AS p WHERE helper.below(p.id * 100 + s, 5, 4) = 0;
CREATE FUNCTION match_of(s int, OUT said float8, OUT true_rate float8) LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('CREATE TEMP VIEW one AS SELECT * FROM drawn WHERE s = %s', s);
	said := (SELECT match FROM sdc_sample_risk('one', '{age,sex}', 0.25));
	true_rate := (SELECT count(*)::float8 / sum((SELECT count(*) FROM people AS p WHERE (p.age, p.sex) = (u.age, u.sex))) FROM (SELECT age, sex FROM one GROUP BY age, sex HAVING count(*) = 1) AS u);
	DROP VIEW one;
END
$$;
SELECT abs(avg(said) - avg(true_rate)) < 3 * stddev(said - true_rate) / sqrt(60) AS unbiased, round(avg(said)::numeric, 3) AS said FROM generate_series(1, 60) AS s, match_of(s);
-- any relation, with temporary files
SELECT count(*) FROM sdc_generalize('people', '{age,savings}', k => 3, keep => '{sex}', target => 'ranges');
CREATE VIEW seen AS SELECT * FROM ranges;
SET work_mem = '64kB'; SET maintenance_work_mem = '1MB';
SELECT r.uniques, r.pairs, r.match FROM sdc_sample_risk('seen', '{age,savings}', 0.1) AS r;
CREATE TABLE many AS SELECT i / 2 AS q FROM generate_series(1, 100001) AS i;
SELECT uniques, pairs, round(match::numeric, 9) AS match FROM sdc_sample_risk('many', '{q}', 0.5);
RESET work_mem; RESET maintenance_work_mem;

-- What is refused.
\pset tuples_only on
CREATE TABLE unequal (q int, j json);
SELECT c, helper.catch('SELECT * FROM sdc_sample_risk(' || c || ')') FROM unnest(ARRAY[$$NULL, '{q}', 0.1$$, $$'nine', NULL, 0.1$$, $$'nine', '{}', 0.1$$, $$'nine', '{p}', 0.1$$, $$'nine', '{q,q}', 0.1$$, $$'nine', '{q}', NULL$$, $$'nine', '{q}', 0$$, $$'nine', '{q}', -1$$, $$'nine', '{q}', 1.0000001$$, $$'nine', '{q}', 'NaN'$$,
	$$'nine', '{q}', 'Infinity'$$, $$'unequal', '{j}', 0.1$$, $$'people_pkey', '{id}', 0.1$$, $$'nine', '{q}'$$]) AS c;
SELECT uniques FROM sdc_sample_risk('people', '{id}', 1e-300);
\pset tuples_only off
-- Rights: SELECT on the columns.
CREATE ROLE regress_sdc_sampler;
GRANT USAGE ON SCHEMA sample_risk, helper TO regress_sdc_sampler;
GRANT SELECT (age) ON people TO regress_sdc_sampler;
SET ROLE regress_sdc_sampler;
SELECT uniques FROM sdc_sample_risk('people', '{age}', 0.5);
SELECT helper.catch($$SELECT * FROM sdc_sample_risk('people', '{age,sex}', 0.5)$$), helper.catch($$SELECT * FROM sdc_sample_risk('seen', '{age}', 0.5)$$);
RESET ROLE;

RESET client_min_messages;
DROP SCHEMA sample_risk CASCADE;
DROP OWNED BY regress_sdc_sampler;
DROP ROLE regress_sdc_sampler;
