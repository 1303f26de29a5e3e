--
-- query_errors
--
-- The errors of random count queries: the same queries of every release of a source, none where
-- a release tells all, and those of ranges, sets and permuted groups by their estimates.
--
\pset format unaligned
\pset footer off
CREATE SCHEMA queried;
SET search_path = queried, public;
SELECT helper.make_people('queried.people', 800);
CREATE TABLE person AS SELECT id, region, sex, age, born - date '1900-01-01' AS born, coalesce(job, 'none') COLLATE "C" AS job FROM people;
ALTER TABLE person ADD PRIMARY KEY (id);
SELECT sdc_classify('person', 'job', 'sensitive');

-- Releases that tell all: no errors, whatever the method.
CREATE TABLE copied AS TABLE person;
SELECT sdc_register('person', 'copied', '{region,sex,age,born}', '{id}', qi => '{region,sex,age,born}', sensitive => '{job}');
SELECT count(*) FROM sdc_generalize('person', '{region,sex,age,born}', '{job}', k => 1, target => 'exact_ranges');
SELECT count(*) FROM sdc_permute('person', '{region,sex,age,born}', '{job}', l => 1, target => 'single_groups', seed => 1);
SELECT count(*) FROM sdc_randomize('person', '{region,sex,age,born}', probabilities => '{0,0,0,1}', strata => '{id}', key => '{id}', target => 'own_donors', seed => 1);
SELECT release, attributes, queries, mean_error, median_error, p95_error, redrawn = first_value(redrawn) OVER (PARTITION BY attributes ORDER BY release::text COLLATE "C") AS same_redrawn
FROM unnest('{copied,exact_ranges,single_groups,own_donors}'::regclass[]) AS release, LATERAL sdc_query_errors(release, 300, seed => 7) ORDER BY release::text COLLATE "C", attributes;

-- Releases that do not.
SELECT count(*) FROM sdc_generalize('person', '{region,sex,age,born}', '{job}', l => 4, target => 'ranges');
SELECT count(*) FROM sdc_generalize('person', '{born,age,sex,region}', '{job}', l => 5, target => 'wide_ranges');
SELECT count(*) FROM sdc_permute('person', '{region,sex,age,born}', '{job}', l => 4, target => 'anatomy', seed => 1);
SELECT count(*) FROM sdc_permute('person', '{age,sex,region,born}', '{job}', l => 4, grouping_method => 'mondrian', target => 'mondrian', seed => 1);
SELECT count(*) FROM sdc_randomize('person', '{region,sex,age,born}', target => 'single', seed => 1);
SELECT count(*) FROM sdc_randomize('person', '{sex,age,born,region}', draws => 4, target => 'all_drawn', seed => 1);
SELECT count(*) FROM sdc_rankswap('person', columns => '{age,born}', p => 20, target => 'swapped', seed => 1);
CREATE TABLE measured AS SELECT release, e.* FROM sdc_releases AS r, LATERAL sdc_query_errors(release, 300, seed => 7, qi => '{region,sex,age,born}', sensitive => '{job}') AS e WHERE source = 'person'::regclass;
SELECT release, count(*) AS rows, bool_and(mean_error > 0 AND median_error >= 0 AND p95_error >= median_error) AS in_order
FROM measured WHERE release <> ALL ('{copied,exact_ranges,single_groups,own_donors}'::regclass[]) GROUP BY release ORDER BY release::text COLLATE "C";
-- the queries are the same ones: as many are redrawn, more with more attributes
SELECT attributes, count(DISTINCT redrawn) AS numbers, min(redrawn) >= lag(min(redrawn)) OVER (ORDER BY attributes) AS more FROM measured GROUP BY attributes ORDER BY attributes;
-- trends: more attributes, larger groups and more draws make larger errors
SELECT a.mean_error < b.mean_error AS more_attributes, (SELECT mean_error FROM measured WHERE release = 'wide_ranges'::regclass AND attributes = 3) > b.mean_error AS wider,
	(SELECT mean_error FROM measured WHERE release = 'all_drawn'::regclass AND attributes = 1) > (SELECT mean_error FROM measured WHERE release = 'single'::regclass AND attributes = 1) AS more_drawn
FROM measured AS a, measured AS b WHERE a.release = 'ranges'::regclass AND b.release = 'ranges'::regclass AND a.attributes = 1 AND b.attributes = 3;

-- Seeds: the same rows; integer and text are the same seed; none, or another, are other queries.
SELECT (SELECT array_agg(e::text ORDER BY attributes) FROM sdc_query_errors('single', 200, seed => 5) AS e) = (SELECT array_agg(e::text ORDER BY attributes) FROM sdc_query_errors('single', 200, '5') AS e) AS same,
	(SELECT array_agg(e::text ORDER BY attributes) FROM sdc_query_errors('single', 200, seed => 5) AS e) = (SELECT array_agg(e::text ORDER BY attributes) FROM sdc_query_errors('single', 200, seed => 6) AS e) AS other,
	(SELECT array_agg(e::text ORDER BY attributes) FROM sdc_query_errors('single', 200) AS e) = (SELECT array_agg(e::text ORDER BY attributes) FROM sdc_query_errors('single', 200) AS e) AS free;
-- whatever the order of qi, the physical order and the memory
CREATE TABLE shuffled (LIKE person INCLUDING INDEXES);
INSERT INTO shuffled SELECT * FROM person ORDER BY md5(id::text);
SELECT count(*) FROM sdc_randomize('shuffled', '{region,sex,age,born}', target => 'shuffled_single', seed => 1);
SELECT (SELECT array_agg(e::text ORDER BY attributes) FROM sdc_query_errors('single', 200, seed => 5, sensitive => '{job}') AS e) = (SELECT array_agg(e::text ORDER BY attributes) FROM sdc_query_errors('shuffled_single', 200, 5, '{born,age,region,sex}', '{job}') AS e) AS same;
SET maintenance_work_mem = '1MB';
SELECT (SELECT array_agg(e::text ORDER BY attributes) FROM sdc_query_errors('ranges', 300, seed => 7) AS e) = (SELECT array_agg((m.attributes, queries, mean_error, median_error, p95_error, redrawn)::text ORDER BY attributes) FROM measured AS m WHERE release = 'ranges'::regclass) AS same_in_little_memory;
RESET maintenance_work_mem;

-- Which attributes: qi and sensitive of the catalog; where it has none, the protected columns
-- and those copied; named ones.
SELECT release, (SELECT count(*) FROM sdc_query_errors(release, 20, seed => 1)) AS rows FROM unnest('{copied,ranges,anatomy,single,swapped}'::regclass[]) AS release;
SELECT q, s, (SELECT string_agg(attributes || ' ' || queries, ', ' ORDER BY attributes) FROM sdc_query_errors('single', 20, seed => 1, qi => q, sensitive => s)) AS rows
FROM (VALUES ('{age}'::name[], '{job}'::name[]), ('{age,sex}', '{job}'), ('{age,sex,born}', '{job,region}'), ('{age,sex}', '{}'), ('{age}', '{}'), ('{job,age,sex,region,born}', '{}'), (NULL, '{}')) AS v (q, s);
CREATE TABLE plain AS SELECT id, age AS a, sex AS b, region AS c, NULL::json AS j FROM person;
SELECT count(*) FROM sdc_randomize('plain', '{a,b}', key => '{id}', seed => 1);
-- c is copied, so it is asked for as if it were sensitive; j has no order
SELECT (SELECT array_agg(e::text) FROM sdc_query_errors('plain_randomize', 100, seed => 1) AS e) = (SELECT array_agg(e::text) FROM sdc_query_errors('plain_randomize', 100, seed => 1, sensitive => '{c}') AS e) AS copied_by_default;

-- Small relations: none, one record, missing values only.
CREATE TABLE few (id int PRIMARY KEY, a int, b text, s text);
CREATE TABLE few_copy (LIKE few);
SELECT sdc_register('few', 'few_copy', '{a,b}', '{id}', qi => '{a,b}', sensitive => '{s}');
SELECT * FROM sdc_query_errors('few_copy', 10, seed => 1);
INSERT INTO few VALUES (1, 1, 'x', 'y');
INSERT INTO few_copy VALUES (1, 2, 'z', 'y');
SELECT sdc_unregister('few_copy'), sdc_register('few', 'few_copy', '{a,b}', '{id}', qi => '{a,b}', sensitive => '{s}');
-- all queries find the record, and the release has it elsewhere
SELECT attributes, queries, mean_error BETWEEN 0 AND 1 AS in_range FROM sdc_query_errors('few_copy', 10, seed => 1);
UPDATE few SET a = NULL, b = NULL, s = NULL;
UPDATE few_copy SET a = NULL, b = NULL, s = NULL;
SELECT sdc_unregister('few_copy'), sdc_register('few', 'few_copy', '{a,b}', '{id}', qi => '{a,b}', sensitive => '{s}');
SELECT attributes, queries, mean_error, redrawn > 0 AS redrawn FROM sdc_query_errors('few_copy', 10, seed => 1);
-- half of the values are missing: conditions do not hold for them
CREATE TABLE gaps AS SELECT i AS id, CASE WHEN i % 2 = 0 THEN i % 10 END AS a, i % 3 AS b, CASE WHEN i % 3 > 0 THEN 's' || i % 5 END AS s FROM generate_series(1, 120) AS i;
ALTER TABLE gaps ADD PRIMARY KEY (id);
SELECT count(*) FROM sdc_generalize('gaps', '{a,b}', '{s}', k => 1, target => 'gaps_ranges');
SELECT count(*) FROM sdc_permute('gaps', '{a,b}', '{s}', l => 1, target => 'gaps_permuted');
SELECT release, attributes, queries, mean_error, p95_error FROM unnest('{gaps_ranges,gaps_permuted}'::regclass[]) AS release, LATERAL sdc_query_errors(release, 100, seed => 3) ORDER BY 1, 2;

-- One query by hand: two attributes of one value each leave one query, which all records satisfy.
CREATE TABLE one_query AS SELECT i AS id, 1 AS a, 1 AS b, 's' AS s FROM generate_series(1, 10) AS i;
CREATE TABLE three_left AS SELECT id, CASE WHEN id > 3 THEN 2 ELSE 1 END AS a, b, s FROM one_query;
SELECT sdc_register('one_query', 'three_left', '{a,b}', '{id}', qi => '{a,b}', sensitive => '{s}');
SELECT * FROM sdc_query_errors('three_left', 500, seed => 1, qi => '{a}');
SELECT attributes, queries, abs(mean_error - 0.35) < 0.1 AS mean, median_error, p95_error FROM sdc_query_errors('three_left', 500, seed => 1);

-- What a generalized release has now counts: all records have the value, so a share of them elsewhere is the error of every query, and NULL can be
-- the value. Of two values, of 9 records and of 1, half of the records can have each: estimates are 5 of 9, and 5 of 1.
CREATE TABLE one_value AS SELECT i AS id, 1 AS n, 1.5 AS x, 'one' AS t, date '2000-01-01' AS d, CASE WHEN i > 9 THEN 2 ELSE 1 END AS two, 's' AS s FROM generate_series(1, 10) AS i;
ALTER TABLE one_value ADD PRIMARY KEY (id);
CREATE FUNCTION errors_after(qi name, new text, records int) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	found text;
BEGIN
	PERFORM sdc_generalize('one_value', ARRAY[qi], '{s}', k => 10, l => 1, target => 'one_value_now', keep => '{}', replace => true);
	EXECUTE format('UPDATE one_value_now SET %I = %s WHERE id > %s', qi, new, 10 - records);
	SELECT format('mean %s, median %s', round(mean_error::numeric, 6), round(median_error::numeric, 6)) INTO found FROM sdc_query_errors('one_value_now', 500, seed => 1);
	RETURN found;
END
$$;
SELECT qi, new, records, errors_after(qi, new, records) FROM (VALUES ('n', 'n', 10), ('n', '$$[1,4]$$', 10), ('n', '$$(,)$$', 10), ('n', 'NULL', 10), ('n', '$$empty$$', 10), ('n', '$$[2,4]$$', 10), ('n', '$$[2,4]$$', 3),
	('x', '$$[1,2]$$', 10), ('x', '$$[2,3]$$', 5), ('x', 'NULL', 5), ('d', '$$[1999-01-01,2001-01-01]$$', 10), ('d', '$$[2000-01-02,)$$', 4), ('d', '$$empty$$', 2),
	('t', '$${one,two}$$', 10), ('t', '$${two}$$', 10), ('t', '$${}$$', 6), ('t', 'NULL', 6)) AS v (qi, new, records);
SELECT count(*) FROM sdc_generalize('one_value', '{two}', '{s}', k => 10, l => 1, target => 'one_value_now', keep => '{}', replace => true);
UPDATE one_value_now SET two = NULL;
SELECT round(min(e)::numeric, 6) AS least, round(max(e)::numeric, 6) AS most FROM sdc_query_errors('one_value_now', 500, seed => 1), unnest(ARRAY[median_error, p95_error]) AS e;

-- The view: by the settings, the same queries every time, of all releases.
SET sdc.query_workload = 50;
SELECT release, method, attributes, queries, mean_error IS NOT NULL AS measured, problem FROM sdc_query_errors WHERE source = 'person'::regclass AND release <> 'single_groups'::regclass ORDER BY release::text COLLATE "C", attributes;
SELECT count(DISTINCT v::text), count(*) FROM (SELECT (e).attributes, md5(string_agg(e::text, '' ORDER BY e::text)) AS v FROM (SELECT e FROM sdc_query_errors AS e WHERE release = 'ranges'::regclass UNION ALL SELECT e FROM sdc_query_errors AS e WHERE release = 'ranges'::regclass) AS u GROUP BY 1) AS v;
SELECT attributes, count(DISTINCT redrawn) AS same FROM sdc_query_errors WHERE source = 'person'::regclass AND release <> 'swapped'::regclass GROUP BY attributes ORDER BY attributes;
SELECT round(e.mean_error::numeric, 4) = v.mean_error AS by_the_setting FROM sdc_query_errors('ranges', seed => 'sdc_query_errors') AS e JOIN sdc_query_errors AS v USING (attributes) WHERE v.release = 'ranges'::regclass ORDER BY attributes;
RESET sdc.query_workload;
SELECT queries FROM sdc_query_errors('single', seed => 1) WHERE attributes = 1;

-- What is refused.
\pset tuples_only on
SELECT c, helper.catch('SELECT * FROM sdc_query_errors(' || c || ')') FROM unnest(ARRAY[$$NULL$$, $$'person'$$, $$0$$, $$'single', 0$$, $$'single', -1$$, $$'single', 1000001$$, $$'single', seed => ''$$, $$'single', seed => 1.5$$, $$'single', qi => '{}'$$, $$'single', qi => '{nothing}'$$, $$'single', qi => '{id}'$$,
	$$'single', qi => '{job}'$$, $$'single', qi => '{age,age}'$$, $$'single', qi => '{age}', sensitive => '{age}'$$, $$'single', sensitive => '{nothing}'$$, $$'single', sensitive => '{id}'$$, $$'single', sensitive => '{job,NULL}'$$, $$'plain_randomize', sensitive => '{j}'$$, $$'ranges', qi => '{age,group_id}'$$, $$'ranges', qi => '{job}', sensitive => '{}'$$,
	$$'ranges', sensitive => '{age}', qi => '{sex}'$$, $$'anatomy', qi => '{age}', sensitive => '{sex}'$$]) AS c;
SELECT helper.catch($$SET sdc.query_workload = 0$$), helper.catch($$SET sdc.query_workload = 1000001$$), helper.catch($$SET sdc.query_workload = 'many'$$);
\pset tuples_only off
