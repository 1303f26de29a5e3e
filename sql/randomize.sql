--
-- randomize
--
-- What random anonymization promises: drawn attributes get values of other records, of the
-- same stratum, in the proportions of the original ones; NULLs stay; how many and which attributes
-- are drawn is as asked for.
--
\pset format unaligned
\pset footer off
SET client_min_messages = warning;
\set VERBOSITY terse
CREATE SCHEMA randomized;
SET search_path = randomized, public;
SELECT helper.make_people('randomized.people', 2000);

-- check returns what is wrong with a release, or how many columns are as they must be: a
-- protected value is one of its stratum, NULLs are where they were, all else is as it was.
CREATE FUNCTION check_donated(release regclass) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	entry record;
	name name;
	problems text[] := '{}';
	checked int := 0;
	pairs text := helper.pairs(release);
	same text;
BEGIN
	SELECT * INTO STRICT entry FROM sdc_releases AS r WHERE r.release = check_donated.release;
	same := (SELECT coalesce(string_agg(format(' AND o.%1$I IS NOT DISTINCT FROM s.%1$I', g), ''), '') FROM unnest(entry.strata) AS g);
	problems := problems || CASE WHEN helper.count_of('SELECT count(*) FROM ' || pairs) <> entry.records
			OR helper.count_of('SELECT count(*) FROM ' || release) <> entry.records THEN 'other records' END;
	FOR name IN SELECT attname FROM pg_attribute WHERE attrelid = release AND attnum > 0 AND attname <> 'sdc_row' ORDER BY attnum LOOP
		checked := checked + 1;
		IF name <> ALL (entry.columns) THEN
			problems := problems || helper.check_column(release, name, false, NULL);
			CONTINUE;
		END IF;
		IF helper.count_of(format('SELECT count(*) FROM %s WHERE num_nulls(s.%2$I) <> num_nulls(r.%2$I)', pairs, name)) > 0 THEN
			problems := problems || format('%I has other nulls', name);
		END IF;
		IF helper.count_of(format('SELECT count(*) FROM %1$s WHERE s.%2$I IS NOT NULL AND NOT EXISTS (
				SELECT FROM %3$s AS o WHERE o.%2$I::text COLLATE "C" = r.%2$I::text COLLATE "C"%4$s)',
				pairs, name, entry.source, same)) > 0 THEN
			problems := problems || format('%I has values of others', name);
		END IF;
	END LOOP;
	problems := array_remove(problems, NULL);
	RETURN CASE WHEN problems = '{}' THEN format('ok, %s columns', checked) ELSE array_to_string(problems, '; ') END;
END
$$;

-- drawn returns, for every number of changed attributes and every set of them, the records that
-- have them.
CREATE FUNCTION drawn(release regclass) RETURNS TABLE (attributes text, number int, records bigint) LANGUAGE plpgsql AS $$
DECLARE
	entry record;
BEGIN
	SELECT * INTO STRICT entry FROM sdc_releases AS r WHERE r.release = drawn.release;
	RETURN QUERY EXECUTE format('SELECT array_to_string(c, '',''), cardinality(c), count(*) FROM (SELECT array_remove(ARRAY[%s], NULL) AS c FROM %s) AS p GROUP BY c',
		(SELECT string_agg(format('CASE WHEN s.%1$I IS DISTINCT FROM r.%1$I THEN %2$L END', c, c), ', ') FROM unnest(entry.columns) AS c),
		helper.pairs(release));
END
$$;

-- Probabilities by default, given ones, and numbers of attributes.
SELECT attribute, action, records, changed > 0 AS changes FROM sdc_randomize('people', '{region,sex,age,savings,job}', seed => 1);
SELECT count(*) FROM sdc_randomize('people', '{region,sex,age,savings,job}', probabilities => '{0.1,0.2,0.3,0.2,0.2}', target => 'given', seed => 1);
SELECT count(*) FROM sdc_randomize('people', '{region,sex,age,savings,job}', draws => 3, target => 'three', seed => 1);
SELECT release, columns, parameters - 'probabilities' AS parameters, jsonb_array_length(parameters -> 'probabilities') AS probabilities, key, strata, omitted, qi, sensitive, records, seeded
FROM sdc_releases WHERE source = 'people'::regclass ORDER BY release::text COLLATE "C";
SELECT release, check_donated(release) FROM sdc_releases WHERE source = 'people'::regclass ORDER BY release::text COLLATE "C";
-- the check finds what is wrong
BEGIN;
UPDATE three SET savings = 100 WHERE id = (SELECT min(id) FROM people WHERE savings IS NULL);
UPDATE three SET region = 'nowhere' WHERE id = 7;
UPDATE three SET income = income + 1 WHERE id = 7;
SELECT check_donated('three');
ROLLBACK;
-- changed counts the records whose value differs
SELECT attribute, changed = helper.count_of(format('SELECT count(*) FROM people AS s JOIN again AS r USING (id) WHERE s.%1$I IS DISTINCT FROM r.%1$I', attribute)) AS counted
FROM sdc_randomize('people', '{region,sex,age,savings,job}', draws => 2, target => 'again', seed => 2);

-- Optimal probabilities are in proportion to the diversity of the values that there are: in the
-- catalog in the order of qi.
CREATE FUNCTION diversity(relation regclass, name name) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
	result float8;
BEGIN
	EXECUTE format('SELECT exp(-sum(p * ln(p))) FROM (SELECT count(*) / sum(count(*)) OVER () AS p FROM (SELECT %1$I AS v FROM %2$s WHERE %1$I IS NOT NULL) AS v GROUP BY v) AS f', name, relation)
		INTO STRICT result;
	RETURN coalesce(result, 1);
END
$$;
CREATE FUNCTION optimal(relation regclass, attributes name[]) RETURNS float8[] LANGUAGE sql
RETURN (SELECT array_agg(d / total ORDER BY i) FROM (SELECT d, i, sum(d) OVER () AS total
	FROM unnest(attributes) WITH ORDINALITY AS u (a, i), LATERAL (SELECT diversity(relation, a) AS d) AS d) AS o);
CREATE FUNCTION probabilities(release regclass) RETURNS float8[] LANGUAGE sql
RETURN (SELECT array_agg(e::float8 ORDER BY i) FROM sdc_private.sdc_release_catalog AS r, jsonb_array_elements_text(parameters -> 'probabilities') WITH ORDINALITY AS p (e, i)
	WHERE r.release = probabilities.release);
CREATE FUNCTION near(a float8[], b float8[], within float8) RETURNS boolean LANGUAGE sql
RETURN cardinality(a) = cardinality(b) AND (SELECT bool_and(abs(x - y) <= within) FROM unnest(a, b) AS u (x, y));
SELECT qi, near(probabilities(release), optimal('people', qi), 1e-14) AS optimal, (probabilities(release))[3] > (probabilities(release))[2] AS age_before_sex
FROM sdc_releases WHERE release = 'people_randomize'::regclass;
SELECT count(*) FROM sdc_randomize('people', '{job,savings,sex,region,age}', target => 'reordered', seed => 1);
SELECT count(*) FROM sdc_randomize('people', '{job,age,region,savings,sex}', probabilities => '{0.2,0.3,0.1,0.2,0.2}', target => 'given_reordered', seed => 1);
SELECT count(*) FROM sdc_randomize('people', '{job,age,region,savings,sex}', draws => 3, target => 'three_reordered', seed => 1);
SELECT a, helper.fingerprint(a::regclass) = helper.fingerprint(b::regclass) AS same_rows,
	(SELECT (qi, columns, parameters) FROM sdc_releases WHERE release = a::regclass) = (SELECT (qi, columns, parameters) FROM sdc_releases WHERE release = b::regclass) AS same_entry
FROM (VALUES ('people_randomize', 'reordered'), ('given', 'given_reordered'), ('three', 'three_reordered')) AS p (a, b);
SELECT parameters -> 'probabilities' AS given FROM sdc_releases WHERE release = 'given_reordered'::regclass;
-- what does not sum to 1 to the last digit is scaled
SELECT count(*) FROM sdc_randomize('people', '{sex,age,job}', probabilities => '{0.3333333,0.3333333,0.3333333}', target => 'thirds', seed => 1);
SELECT near(probabilities('thirds'), ARRAY[1/3.0, 1/3.0, 1/3.0], 1e-15) AS scaled;

-- How many attributes change, and which: all values of five columns are different, so a drawn
-- attribute keeps its value only where a record donates to itself.
CREATE TABLE distinct_values AS
SELECT i AS id, i AS a, -i AS b, i + 0.5::float8 AS c, md5(i::text) AS d, date '2000-01-01' + i AS e FROM generate_series(1, 2000) AS i;
ALTER TABLE distinct_values ADD PRIMARY KEY (id);
SELECT count(*) FROM generate_series(1, 5) AS k, LATERAL sdc_randomize('distinct_values', '{a,b,c,d,e}', draws => k, target => 'k' || k, seed => 3);
SELECT k, max(number) = k AS at_most, sum(records) FILTER (WHERE number < k) <= 20 AS nearly_all, count(*) FILTER (WHERE number = k) AS sets,
	-- all sets of k are equally likely: chi-square of 1 % with 9 degrees of freedom, or fewer
	coalesce(sum((records - expected) ^ 2 / expected) FILTER (WHERE number = k), 0) < 21.7 AS equally
FROM generate_series(1, 5) AS k, LATERAL (SELECT *, 2000.0 / (ARRAY[5,10,10,5,1])[k] AS expected FROM drawn(('k' || k)::regclass)) AS d
GROUP BY k ORDER BY k;
-- without k one attribute is drawn, in the given proportions: chi-square of 1 % with 3 degrees
SELECT count(*) FROM sdc_randomize('distinct_values', '{a,b,c,d,e}', probabilities => '{0.5,0.3,0,0.15,0.05}', target => 'shares', seed => 4);
SELECT max(number), count(*) FILTER (WHERE number = 1) AS attributes, sum(records) FILTER (WHERE number = 0) <= 10 AS nearly_all, count(*) FILTER (WHERE attributes = 'c') AS never,
	sum((records - 2000 * p) ^ 2 / (2000 * p)) < 11.3 AS as_asked
FROM drawn('shares') LEFT JOIN (VALUES ('a', 0.5), ('b', 0.3), ('d', 0.15), ('e', 0.05)) AS p (attributes, p) USING (attributes);
-- with all values different all attributes are equally diverse
SELECT count(*) FROM sdc_randomize('distinct_values', '{a,b,c,d,e}', target => 'optimal', seed => 4);
SELECT near(probabilities('optimal'), ARRAY[.2, .2, .2, .2, .2], 1e-14) AS uniform, sum((records - 400) ^ 2 / 400) FILTER (WHERE number = 1) < 13.3 AS as_drawn FROM drawn('optimal');
-- 0 and 1: only that column, and of it what is not its own
SELECT attribute, action, changed >= 1990 AS nearly_all, changed = 0 AS none FROM sdc_randomize('distinct_values', '{a,b,c}', probabilities => '{0,1,0}', target => 'one_column', seed => 5);
SELECT check_donated('one_column'), probabilities('one_column');
-- k = 1 is the same choice as equal probabilities
SELECT near(ARRAY[avg(n)], ARRAY[400.0], 5) AS same_shares FROM (SELECT sum(records) AS n FROM drawn('k1') WHERE number = 1 GROUP BY attributes) AS d;
-- a donor is any record: uniform over the records, by tenths of them (9 degrees); it may donate more
-- than once
SELECT sum((n - 200) ^ 2 / 200) < 21.7 AS uniform FROM (SELECT count(*) AS n FROM k5 GROUP BY (a - 1) / 200) AS t;
SELECT count(DISTINCT a) BETWEEN 1200 AND 1330 AS donors, max(n) BETWEEN 4 AND 9 AS most
FROM (SELECT a, count(*) OVER (PARTITION BY a) AS n FROM k5) AS d;
-- different columns of a record are drawn from different donors
SELECT count(*) FILTER (WHERE a = -b) <= 8 AS few FROM k5;

-- Marginals are kept in expectation, and with all attributes drawn nothing else is.
SELECT count(*) FROM sdc_randomize('people', '{region,sex,age,job}', draws => 4, target => 'all_drawn', seed => 6);
SELECT attribute, x < bound AS kept FROM (VALUES ('region', 16.3), ('sex', 10.9), ('age', 98.4), ('job', 18.5)) AS b (attribute, bound),
	LATERAL (SELECT helper.count_of(format('SELECT ceil(sum((coalesce(r.n, 0) - s.n) ^ 2 / s.n::float8)) FROM (SELECT %1$I AS v, count(*) AS n FROM people WHERE %1$I IS NOT NULL GROUP BY 1) AS s
		LEFT JOIN (SELECT %1$I AS v, count(*) AS n FROM all_drawn GROUP BY 1) AS r USING (v)', attribute)) AS x) AS x;
CREATE TABLE twins AS SELECT id, region AS a, region AS b FROM people;
SELECT count(*) FROM sdc_randomize('twins', '{a,b}', draws => 2, key => '{id}', seed => 6);
SELECT abs(count(*) FILTER (WHERE a = b) - 500) < 75 AS independent FROM twins_randomize;

-- NULLs: half of the values, all, none.
CREATE TABLE halves AS SELECT i AS id, CASE WHEN i % 2 = 0 THEN i END AS half, NULL::text AS nothing, i * 2 AS full_one, i % 3 = 0 AS flag FROM generate_series(1, 1000) AS i;
SELECT attribute, action, changed > 300 AS many, changed = 0 AS none FROM sdc_randomize('halves', '{half,nothing,full_one}', draws => 3, key => '{id}', seed => 7);
SELECT check_donated('halves_randomize'), count(half), count(nothing), count(full_one) FROM halves_randomize;
SELECT count(*) FROM sdc_randomize('halves', '{half,nothing,full_one}', key => '{id}', seed => 7, target => 'halves_optimal');
SELECT check_donated('halves_optimal'), near(probabilities('halves_optimal'), ARRAY[500 / 1501.0, 1 / 1501.0, 1000 / 1501.0], 1e-14) AS of_values_only;

-- Strata: donors are of the same stratum, also where that is NULL.
SELECT count(*) FROM sdc_randomize('people', '{age,income,savings}', draws => 3, strata => '{job}', target => 'by_job', seed => 8);
SELECT count(*) FROM sdc_randomize('people', '{age,income,savings}', strata => '{job,sex,region}', target => 'by_three', seed => 8);
SELECT attribute, action, changed FROM sdc_randomize('people', '{age,income,savings}', strata => '{id}', draws => 3, key => '{id}', target => 'by_record', seed => 8) WHERE action = 'protected';
SELECT release, strata, check_donated(release) FROM sdc_releases WHERE release::text LIKE 'by_%' ORDER BY release::text COLLATE "C";
-- the check is of use: some of these values are in one stratum only
SELECT count(*) > 1000 AS telling FROM (SELECT income FROM people GROUP BY income HAVING count(DISTINCT coalesce(job, '')) = 1) AS v;

-- Seeds: the same gives the same, another or none another release, as do other methods.
SELECT count(*) FROM sdc_randomize('people', '{region,sex,age,savings,job}', draws => 3, target => 'same', seed => '1');
SELECT count(*) FROM sdc_randomize('people', '{region,sex,age,savings,job}', draws => 3, target => 'other', seed => 2);
-- (and another share of changes, of which a notice tells)
SELECT count(*) FROM sdc_randomize('people', '{region,sex,age,savings,job}', draws => 3, target => 'free_1');
SELECT count(*) FROM sdc_randomize('people', '{region,sex,age,savings,job}', draws => 3, target => 'free_2');
SELECT helper.fingerprint('same') = helper.fingerprint('three') AS same, helper.fingerprint('other') = helper.fingerprint('three') AS other,
	helper.fingerprint('free_1') = helper.fingerprint('free_2') AS free, check_donated('free_1'), check_donated('free_2');
SELECT release, seeded FROM sdc_releases WHERE release IN ('same'::regclass, 'free_1'::regclass) ORDER BY 1;
