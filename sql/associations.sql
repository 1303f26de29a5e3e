--
-- associations
--
-- Frequent itemsets and associations against the same by GROUP BY CUBE, for all readings, and
-- their recall against set operations.
--
\pset format unaligned
\pset footer off
CREATE SCHEMA associated;
SET search_path = associated, public;
SELECT helper.make_people('associated.people', 100);
CREATE TABLE person AS SELECT id, region, sex, age / 20 AS age, job FROM people;
ALTER TABLE person ADD PRIMARY KEY (id);
SELECT sdc_classify('person', 'job', 'sensitive');

-- sets returns all combinations of values that records have, with their numbers of records.
CREATE FUNCTION sets(relation regclass, attributes name[]) RETURNS TABLE (itemset jsonb, length int, records bigint) LANGUAGE plpgsql AS $$
BEGIN
	RETURN QUERY EXECUTE format('SELECT jsonb_strip_nulls(j), (SELECT count(*) FROM jsonb_each(j) AS e WHERE e.value <> ''null'')::int, n FROM (
			SELECT jsonb_build_object(%1$s) AS j, count(*) AS n, num_nulls(%2$s) AS missing, %3$s AS rolled FROM %4$s GROUP BY CUBE (%2$s)) AS c WHERE missing = rolled AND missing < %5$s',
		(SELECT string_agg(format('%L, %I::text', a, a), ', ') FROM unnest(attributes) AS a), (SELECT string_agg(quote_ident(a), ', ') FROM unnest(attributes) AS a),
		(SELECT string_agg(format('GROUPING(%I)', a), ' + ') FROM unnest(attributes) AS a), relation, cardinality(attributes));
END
$$;

-- Itemsets.
SELECT count(*) AS expected, (SELECT count(*) FROM sdc_frequent_itemsets('person', '{region,sex,age,job}', 0)) AS found,
	(SELECT count(*) FROM (SELECT * FROM sets('person', '{region,sex,age,job}') EXCEPT SELECT itemset, length, records FROM sdc_frequent_itemsets('person', '{region,sex,age,job}', 0)) AS d) AS missing
FROM sets('person', '{region,sex,age,job}');
SELECT s, count(*) AS expected, (SELECT count(*) FROM sdc_frequent_itemsets('person', '{region,sex,age,job}', s)) AS found,
	(SELECT count(*) FROM (SELECT itemset, length, records, round(records / 100.0, 9) FROM sets('person', '{region,sex,age,job}') WHERE records >= fewest EXCEPT SELECT itemset, length, records, round(support::numeric, 9) FROM sdc_frequent_itemsets('person', '{region,sex,age,job}', s)) AS d) AS missing
FROM (VALUES (0.01, 1), (0.02, 2), (0.07, 7), (0.070001, 8), (0.08, 8), (0.29, 29), (0.5, 50), (1, 100)) AS v (s, fewest), LATERAL (SELECT FROM sets('person', '{region,sex,age,job}') WHERE records >= fewest) AS e GROUP BY s, fewest ORDER BY s;
-- every record of 100 is a hundredth, also where the share is not exact in binary
CREATE TABLE shares AS SELECT i AS id, CASE WHEN i <= 7 THEN 'seven' WHEN i <= 36 THEN 'twenty-nine' ELSE 'rest' END AS a FROM generate_series(1, 100) AS i;
SELECT s, (SELECT string_agg(itemset ->> 'a', ', ' ORDER BY records) FROM sdc_frequent_itemsets('shares', '{a}', s)) AS found FROM unnest('{0.07,0.0700000001,0.29,0.2900000001,0.64,0.6400000001}'::float8[]) AS s;
-- by length; by default all columns but the key and those classified as identifier
SELECT m, count(*) AS found, max(length) FROM unnest('{1,2,3,4,5,2147483647}'::int[]) AS m, LATERAL sdc_frequent_itemsets('person', '{region,sex,age,job}', 0.02, m) GROUP BY m ORDER BY m;
SELECT (SELECT count(*) FROM sets('person', '{region,sex,age,job}') WHERE records >= m AND length <= 2) = (SELECT count(*) FROM sdc_frequent_itemsets('person', NULL, m / 100.0, 2)) AS by_default FROM unnest('{2,8}'::int[]) AS m;
SELECT sdc_classify('person', 'region', 'identifier');
SELECT count(*) FILTER (WHERE itemset ? 'region') AS identifiers, count(*) FILTER (WHERE itemset ? 'id') AS keys, count(*) > 5 AS others FROM sdc_frequent_itemsets('person');
SELECT count(*) FILTER (WHERE itemset ? 'region') > 0 AS when_named FROM sdc_frequent_itemsets('person', '{region}');
SELECT sdc_classify('person', 'region', NULL);
-- the setting
SELECT (SELECT count(*) FROM sdc_frequent_itemsets('person', '{region,sex}')) = (SELECT count(*) FROM sdc_frequent_itemsets('person', '{region,sex}', 0.08)) AS default_support;
SET sdc.association_min_support = 0.3;
SELECT itemset, records FROM sdc_frequent_itemsets('person', '{region,sex,age}') ORDER BY records DESC, itemset::text COLLATE "C";
RESET sdc.association_min_support;
-- NULL is no item; without records, or with NULLs only, there is nothing
SELECT count(*) FROM sdc_frequent_itemsets('person', '{job}', 0) WHERE itemset ->> 'job' IS NULL;
CREATE TABLE nobody (a int, b text);
SELECT * FROM sdc_frequent_itemsets('nobody', '{a,b}', 0);
INSERT INTO nobody VALUES (NULL, NULL), (NULL, NULL);
SELECT * FROM sdc_frequent_itemsets('nobody', '{a,b}', 0);

-- Items are the text of the values, as a jsonb that is equal to what the server builds, and
-- has the same bytes.
CREATE TYPE mood AS ENUM ('good', 'bad');
CREATE TABLE typed AS SELECT 1.50::numeric(5, 2) AS n, 1e10::float8 AS f, true AS b, 'bad'::mood AS e, date '2000-02-29' AS d, ''::text AS empty, E'qu"ote\\ \n\t\u0001' AS quoted, 'Größe € 😀' AS "Spaltenname ""ö""", ARRAY[1, NULL, 3] AS list, interval '1 day 02:03' AS iv,
	timestamptz '2000-01-01 12:00+00' AS tz, '{"a": [1]}'::jsonb AS j, repeat('x', 5000) AS long, ' ' AS blank, int4range(1, 5) AS r, '\x00ff'::bytea AS by, 'null' AS "null";
SET timezone = 'America/Lima';
SET datestyle = 'German';
SET intervalstyle = 'iso_8601';
SET extra_float_digits = -10;
SET bytea_output = 'escape';
\pset format aligned
SELECT key, left(value, 40) AS value FROM sdc_frequent_itemsets('typed', max_length => 1), jsonb_each_text(itemset) ORDER BY key COLLATE "C";
\pset format unaligned
RESET timezone;
RESET datestyle;
RESET intervalstyle;
RESET extra_float_digits;
RESET bytea_output;
SELECT count(*) AS sets, count(*) FILTER (WHERE itemset = rebuilt AND jsonb_hash(itemset) = jsonb_hash(rebuilt) AND jsonb_send(itemset) = jsonb_send(rebuilt) AND pg_column_size(itemset) = pg_column_size(rebuilt)) AS same
FROM (SELECT itemset, (SELECT jsonb_object_agg(key, value) FROM jsonb_each_text(itemset)) AS rebuilt FROM sdc_frequent_itemsets('typed', ARRAY['n', 'f', 'b', 'e', 'd', 'empty', 'quoted', 'Spaltenname "ö"', 'list', 'blank', 'null']::name[])) AS i;
-- many columns
DO $$
BEGIN
	EXECUTE (SELECT format('CREATE TABLE wide AS SELECT %s', string_agg(format('%L::text AS %I', repeat('v', i % 7) || i, 'column ' || repeat('c', i % 5) || i), ', ')) FROM generate_series(1, 70) AS i);
END
$$;
CREATE TABLE wide_rule AS SELECT antecedent, consequent FROM sdc_associations('wide', (SELECT array_agg(attname ORDER BY attnum) FROM pg_attribute WHERE attrelid = 'wide'::regclass AND attnum BETWEEN 2 AND 70), '{column c1}', max_length => 1);
SELECT count(*) FROM wide_rule;
CREATE TABLE wide_equal AS SELECT c.itemset, (SELECT jsonb_object_agg(key, value) FROM jsonb_each_text(itemset)) AS rebuilt
FROM (SELECT antecedent || consequent AS itemset FROM wide_rule UNION ALL SELECT consequent FROM wide_rule UNION ALL SELECT antecedent FROM wide_rule) AS c;
SELECT count(*) AS sets, count(*) FILTER (WHERE itemset = rebuilt AND jsonb_send(itemset) = jsonb_send(rebuilt)) AS same FROM wide_equal;
-- 40 columns in which ten values are frequent by themselves and together; one long set is looked into
CREATE TABLE chain AS SELECT i AS id, CASE WHEN i <= 30 THEN 'x' ELSE i::text END AS c01 FROM generate_series(1, 40) AS i;
DO $$
BEGIN
	FOR i IN 2 .. 40 LOOP
		EXECUTE format('ALTER TABLE chain ADD %I text', 'c' || repeat('o', i % 4) || i);
		EXECUTE format('UPDATE chain SET %I = CASE WHEN %s THEN repeat(''v'', %s) ELSE %s || ''-'' || id END', 'c' || repeat('o', i % 4) || i, CASE WHEN i <= 11 THEN 'id <= 30' ELSE 'false' END, i, i);
	END LOOP;
END
$$;
SELECT count(*) AS sets, max(length), count(*) FILTER (WHERE itemset = rebuilt AND jsonb_send(itemset) = jsonb_send(rebuilt) AND pg_column_size(itemset) = pg_column_size(rebuilt)) AS same
FROM (SELECT length, itemset, (SELECT jsonb_object_agg(key, value) FROM jsonb_each_text(itemset)) AS rebuilt FROM sdc_frequent_itemsets('chain', NULL, 0.5)) AS i;
-- from 17 items on the format has more than one offset; rules with several items too
SELECT length, count(*) AS sets, count(*) FILTER (WHERE itemset = rebuilt AND jsonb_send(itemset) = jsonb_send(rebuilt) AND pg_column_size(itemset) = pg_column_size(rebuilt) AND itemset @> rebuilt AND itemset ->> 'column cccc69' = 'vvvvvv69') AS same
FROM (SELECT array_agg(attname ORDER BY attnum) AS names FROM pg_attribute WHERE attrelid = 'wide'::regclass AND attnum BETWEEN 53 AND 69) AS n, LATERAL (SELECT length, itemset, (SELECT jsonb_object_agg(key, value) FROM jsonb_each_text(itemset)) AS rebuilt FROM sdc_frequent_itemsets('wide', names) WHERE length >= 16) AS i GROUP BY length ORDER BY length;
SELECT count(*) AS rules, max(length), bool_and(antecedent = (SELECT jsonb_object_agg(key, value) FROM jsonb_each_text(antecedent)) AND consequent = '{"column c1": "v1"}') AS same
FROM (SELECT array_agg(attname ORDER BY attnum) AS names FROM pg_attribute WHERE attrelid = 'wide'::regclass AND attnum BETWEEN 2 AND 13) AS n, LATERAL sdc_associations('wide', names, '{column c1}') AS r;

-- Associations, in the three readings.
CREATE FUNCTION rules(relation regclass, qi name[], sensitive name[], min_records int, min_confidence float8, reading text) RETURNS TABLE (antecedent jsonb, consequent jsonb, antecedent_records bigint, consequent_records bigint, both_records bigint) LANGUAGE sql AS $$
	WITH s AS MATERIALIZED (SELECT * FROM sets(relation, qi || sensitive)),
	pair AS (
		SELECT a.itemset AS a, c.itemset AS c, a.records AS na, c.records AS nc, b.records AS nb
		FROM s AS a JOIN s AS b ON b.itemset @> a.itemset AND b.length > a.length JOIN s AS c ON c.itemset = b.itemset - ARRAY(SELECT jsonb_object_keys(a.itemset))
	)
	SELECT a, c, na, nc, nb FROM pair
	WHERE nb >= min_confidence * na AND CASE reading
		WHEN 'any' THEN nb >= min_records AND (a ?| sensitive::text[] OR c ?| sensitive::text[])
		ELSE NOT a ?| sensitive::text[] AND c ?| sensitive::text[] AND (SELECT count(*) FROM jsonb_object_keys(c)) = 1 AND CASE reading WHEN 'rule' THEN nb ELSE na END >= min_records END
$$;
SELECT reading, s, c, (SELECT count(*) FROM rules('person', '{region,sex,age}', '{job}', s, c, reading)) AS expected, count(*) AS found,
	(SELECT count(*) FROM (SELECT antecedent, consequent, antecedent_records, consequent_records, both_records FROM sdc_associations('person', '{region,sex,age}', '{job}', s / 100.0, c, reading => reading) EXCEPT SELECT * FROM rules('person', '{region,sex,age}', '{job}', s, c, reading)) AS d) AS wrong,
	bool_and(records = CASE reading WHEN 'antecedent' THEN antecedent_records ELSE both_records END AND support = records / 100.0::float8) AS support, bool_and(abs(confidence - both_records / antecedent_records::float8) < 1e-15 AND confidence >= c) AS confidence,
	bool_and(abs(lift - both_records * 100 / (antecedent_records * consequent_records)::float8) < 1e-12) AS lift,
	bool_and(length = (SELECT count(*) FROM jsonb_object_keys(antecedent)) + CASE reading WHEN 'any' THEN (SELECT count(*) FROM jsonb_object_keys(consequent)) ELSE 0 END) AS length
FROM unnest('{antecedent,rule,any}'::text[]) AS reading, (VALUES (5, 0.2::float8), (2, 0.5), (8, 0), (1, 1)) AS v (s, c), LATERAL sdc_associations('person', '{region,sex,age}', '{job}', s / 100.0, c, reading => reading)
GROUP BY reading, s, c ORDER BY reading, s, c;
-- two sensitive columns: rules to each of them; with any both may be on either side
SELECT reading, (SELECT count(*) FROM rules('person', '{region,sex}', '{age,job}', 4, 0.2, reading)) AS expected, count(*) AS found,
	(SELECT count(*) FROM (SELECT antecedent, consequent, antecedent_records, consequent_records, both_records FROM sdc_associations('person', '{region,sex}', '{age,job}', 0.04, 0.2, reading => reading) EXCEPT SELECT * FROM rules('person', '{region,sex}', '{age,job}', 4, 0.2, reading)) AS d) AS wrong
FROM unnest('{antecedent,rule,any}'::text[]) AS reading, LATERAL sdc_associations('person', '{region,sex}', '{age,job}', 0.04, 0.2, reading => reading) GROUP BY reading ORDER BY reading;
-- by length, which is that of the antecedent, or of both
SELECT reading, m, count(*) = (SELECT count(*) FROM sdc_associations('person', '{region,sex,age}', '{job}', 0.02, 0.1, reading => reading) AS a WHERE a.length <= m) AS limited, max(length)
FROM unnest('{antecedent,rule,any}'::text[]) AS reading, unnest('{1,2,3}'::int[]) AS m, LATERAL sdc_associations('person', '{region,sex,age}', '{job}', 0.02, 0.1, m, reading) GROUP BY reading, m ORDER BY reading, m;
-- thresholds are inclusive: 1 of 4 is 25 %, 3 of 10 are 30 %
CREATE TABLE quarters AS SELECT i AS id, 'a' || (i - 1) / 10 AS a, CASE WHEN i % 10 < 3 THEN 'yes' ELSE 'no' END AS s FROM generate_series(1, 40) AS i;
SELECT s, c, count(*) FROM (VALUES (0.25, 0.3), (0.2500001, 0.3), (0.25, 0.3000001), (0.25, 0.7), (0.25, 0.7000001)) AS v (s, c) LEFT JOIN LATERAL sdc_associations('quarters', '{a}', '{s}', s, c) AS r ON true WHERE r.records IS NOT NULL GROUP BY s, c ORDER BY s, c;
-- the settings
SELECT (SELECT count(*) FROM sdc_associations('person', '{region,sex,age}', '{job}')) = (SELECT count(*) FROM sdc_associations('person', '{region,sex,age}', '{job}', 0.08, 0.15, NULL, 'antecedent')) AS defaults;
SET sdc.association_min_support = 0.2;
SET sdc.association_min_confidence = 0.25;
SELECT antecedent, consequent, records, confidence >= 0.25 AS confident FROM sdc_associations('person', '{region,sex,age}', '{job}') ORDER BY records DESC, antecedent::text COLLATE "C", consequent::text COLLATE "C";
RESET sdc.association_min_support;
RESET sdc.association_min_confidence;
SELECT * FROM sdc_associations('nobody', '{a}', '{b}', 0, 0);
