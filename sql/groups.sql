--
-- groups
--
-- k-anonymity and l-diversity of any relation, against the same by plain SQL, and of every kind of
-- release from its released values alone.
--
\pset format unaligned
\pset footer off
CREATE SCHEMA grouped;
SET search_path = grouped, public;
SELECT helper.make_people('grouped.people', 500);

-- By GROUP BY: a missing value is a value of its own, of the quasi-identifiers and of the sensitive column.
CREATE FUNCTION by_sql(relation regclass, qi name[], sensitive name) RETURNS TABLE (k bigint, groups bigint, unique_records bigint, distinct_l bigint, entropy_l float8) LANGUAGE plpgsql AS $$
DECLARE
	names text := (SELECT string_agg(quote_ident(c), ', ') FROM unnest(qi) AS c);
BEGIN
	RETURN QUERY EXECUTE format('SELECT min(n)::bigint, count(*), count(*) FILTER (WHERE n = 1), min(v), min(exp(h)) FROM (
			SELECT sum(n) AS n, count(*) AS v, -sum(n / total * ln(n / total)) AS h FROM (SELECT %1$s, n, sum(n) OVER (PARTITION BY %1$s) AS total FROM (SELECT %1$s, %2$I, count(*)::float8 AS n FROM %3$s GROUP BY %1$s, %2$I) AS c) AS c GROUP BY %1$s) AS g',
		names, sensitive, relation);
END
$$;
SELECT qi, sensitive, (k.k, k.groups, k.unique_records, l.distinct_l) = (s.k, s.groups, s.unique_records, s.distinct_l) AS same, abs(l.entropy_l - s.entropy_l) < 1e-12 AS entropy, k.k, k.groups, k.unique_records, l.distinct_l
FROM (VALUES ('{region}'::name[], 'job'::name), ('{region,sex}', 'job'), ('{sex,job}', 'region'), ('{job,savings}', 'sex'), ('{age,region,sex}', 'job'), ('{born}', 'savings'), ('{id}', 'job'), ('{income,weight}', 'born')) AS v (qi, sensitive),
	LATERAL sdc_kanonymity('people', qi) AS k, LATERAL sdc_ldiversity('people', qi, ARRAY[sensitive]) AS l, LATERAL by_sql('people', qi, sensitive) AS s;
-- by hand: three groups of 4, 2 and 1
CREATE TABLE seven (q int, s text);
INSERT INTO seven VALUES (1, 'a'), (1, 'b'), (1, 'c'), (1, NULL), (2, 'a'), (2, 'b'), (NULL, 'a');
SELECT * FROM sdc_kanonymity('seven', '{q}');
SELECT distinct_l, round(entropy_l::numeric, 9) AS entropy_l FROM sdc_ldiversity('seven', '{q}', '{s}');
DELETE FROM seven WHERE q IS NULL;
SELECT distinct_l, round(entropy_l::numeric, 9) AS entropy_l FROM sdc_ldiversity('seven', '{q}', '{s}');
DELETE FROM seven;
SELECT * FROM sdc_kanonymity('seven', '{q}');
SELECT * FROM sdc_ldiversity('seven', '{q}', '{s}');

-- Releases satisfy what they were made for, by what is released alone: ranges, sets and group_id.
SELECT count(*) FROM sdc_generalize('people', '{region,age,savings}', '{job}', l => 3.5, k => 12, target => 'ranges');
SELECT count(*) FROM sdc_generalize('people', '{age,born,job}', k => 9, target => 'by_k');
SELECT count(*) FROM sdc_permute('people', '{region,age}', '{job}', l => 4, target => 'anatomy', seed => 1);
SELECT count(*) FROM sdc_permute('people', '{region,age}', '{job}', l => 4.5, grouping_method => 'mondrian', target => 'mondrian', seed => 1);
SELECT k >= 12 AS k, groups = (SELECT max(group_id) FROM ranges) AS as_numbered FROM sdc_kanonymity('ranges', '{region,age,savings}');
SELECT entropy_l >= 3.5 - 1e-9 AS l, distinct_l >= 4 AS distinct_l FROM sdc_ldiversity('ranges', '{savings,age,region}', '{job}');
SELECT k >= 9 AS k, groups = (SELECT max(group_id) FROM by_k) AS as_numbered FROM sdc_kanonymity('by_k', '{age,born,job}');
SELECT k.k, l.distinct_l, round(l.entropy_l::numeric, 6) AS entropy_l FROM sdc_kanonymity('anatomy', '{group_id}') AS k, sdc_ldiversity('anatomy', '{group_id}', '{job}') AS l;
SELECT l.entropy_l >= 4.5 - 1e-9 AS l FROM sdc_ldiversity('mondrian', '{group_id}', '{job}') AS l;
SELECT k, groups FROM sdc_kanonymity('anatomy_qi', '{group_id}');
-- the source does not
SELECT k < 12 AS k, l.entropy_l < 3.5 AS l FROM sdc_kanonymity('people', '{region,age,savings}'), sdc_ldiversity('people', '{region,age,savings}', '{job}') AS l;

-- Little memory: through temporary files, with the same result.
CREATE TABLE many AS SELECT i AS id, md5((i / 3)::text) AS a, i % 2 AS s FROM generate_series(1, 30000) AS i;
SET maintenance_work_mem = '1MB';
SELECT * FROM sdc_kanonymity('many', '{a}');
SELECT * FROM sdc_ldiversity('many', '{a}', '{s}');
RESET maintenance_work_mem;
SELECT * FROM sdc_kanonymity('many', '{a}');
SELECT * FROM sdc_ldiversity('many', '{a}', '{s}');

-- One query of one's own: the count of both.
CREATE TABLE copied AS SELECT id, region, sex, age, job, born FROM people;
UPDATE copied SET age = age + 10 WHERE id <= 100;
SELECT sdc_register('people', 'copied', '{region,sex,age,job,born}', '{id}');
SELECT c, answer, estimate, round(relative_error::numeric, 9) AS relative_error, answer = a AND estimate = e AS counted
FROM unnest(ARRAY['age > 40', 'region IN (''north'', ''west'') AND age BETWEEN 20 AND 39', 'job IS NULL', 'age > 1000', 'age > 80', 'true', 'NULL', 'false']) AS c, LATERAL sdc_compare('copied', condition => c),
	LATERAL (SELECT helper.count_of('SELECT count(*) FROM people WHERE ' || c) AS a, helper.count_of('SELECT count(*) FROM copied WHERE ' || c) AS e) AS n;

-- by the releases with the columns of the source; not of a source that has changed
SELECT answer = helper.count_of('SELECT count(*) FROM people WHERE age > 40 AND job = ''cook''') AND estimate = helper.count_of('SELECT count(*) FROM anatomy WHERE age > 40 AND job = ''cook''') AS counted FROM sdc_compare('anatomy', condition => 'age > 40 AND job = ''cook''');
BEGIN;
UPDATE people SET job = 'spy' WHERE id = 7;
SELECT helper.catch($$SELECT * FROM sdc_compare('anatomy', condition => 'age > 40')$$);
ROLLBACK;

-- What is refused.
\pset tuples_only on
CREATE TABLE noted (x int);
CREATE FUNCTION note() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN INSERT INTO noted VALUES (1); RETURN true; END $$;
SELECT c, helper.catch('SELECT * FROM ' || c) FROM unnest(ARRAY[$$sdc_kanonymity(NULL, '{q}')$$, $$sdc_kanonymity('seven', NULL)$$, $$sdc_kanonymity('seven', '{}')$$, $$sdc_kanonymity('seven', '{nothing}')$$, $$sdc_kanonymity('seven', '{q,q}')$$, $$sdc_kanonymity('people_pkey', '{id}')$$,
	$$sdc_ldiversity('seven', '{q}', NULL)$$, $$sdc_ldiversity('seven', '{q}', '{q}')$$, $$sdc_ldiversity('seven', '{q}', '{nothing}')$$, $$sdc_ldiversity('seven', '{}', '{s}')$$,
	$$sdc_compare(NULL, condition => 'true')$$, $$sdc_compare('people', condition => 'true')$$, $$sdc_compare('copied', condition => NULL)$$, $$sdc_compare('ranges', condition => 'age > 1')$$]) AS c;
SELECT c, helper.catch(format('SELECT * FROM sdc_compare(''copied'', condition => %L)', c)) FROM unnest(ARRAY['', ' ', 'age', 'age >', 'nothing > 1', 'true; DROP TABLE noted', 'true) OR (true', 'true -- ', 'true /*', '1', 'age > 1 GROUP BY age', 'age > 1 UNION SELECT 1', 'note()', 'count(*) > 1', 'row_number() OVER () > 1', 'generate_series(1, 2) > 0',
	'$1', '*', 'age > 1 INTO noted', 'true FOR UPDATE', 'age / 0 > 1']) AS c;
SELECT count(*) FROM noted;
\pset tuples_only off
