--
-- attacker_risk
--
-- What somebody finds who has a table of the population, against a look at all pairs of class and person in plain SQL.
--
\pset format unaligned
\pset footer off
SET max_parallel_workers_per_gather = 0;	-- hundreds of small queries
CREATE SCHEMA attacker_risk;
SET search_path = attacker_risk, public;
SET maintenance_work_mem = '64MB';	-- whatever the server has
SELECT helper.make_people('attacker_risk.population', 2000);

-- By the definitions; compatible says when a person p fits into a class c.
CREATE FUNCTION by_sql(relation regclass, qi name[], population regclass, threshold float8, compatible text)
RETURNS TABLE (records bigint, classes bigint, prosecutor_max float8, prosecutor_mean float8, prosecutor_at_risk float8, journalist_max float8, journalist_at_risk float8, k_map bigint, marketer float8, delta_min float8, delta_max float8, population_uniques bigint, absent bigint, inconsistent bigint) LANGUAGE plpgsql AS $$
DECLARE
	names text := (SELECT string_agg(quote_ident(x), ', ') FROM unnest(qi) AS x);
BEGIN
	RETURN QUERY EXECUTE format($q$
		WITH counted AS (SELECT %1$s, count(*)::float8 AS held FROM %2$s GROUP BY %1$s),
			class AS (SELECT c.*, (SELECT count(*)::float8 FROM %3$s AS p WHERE %4$s) AS people FROM counted AS c),
			risk AS (SELECT held, people, CASE WHEN people > 0 THEN greatest(held, people) END AS big FROM class),
			presence AS (SELECT least(1, (SELECT coalesce(sum(c.held / greatest(c.held, c.people)), 0) FROM class AS c WHERE %4$s)) AS d FROM %3$s AS p)
		SELECT coalesce(sum(held), 0)::bigint, count(*), max(1 / held), count(*) / sum(held), sum(held) FILTER (WHERE 1 / held > %5$L) / sum(held), max(1 / big), coalesce(sum(held) FILTER (WHERE 1 / big > %5$L), 0) / sum(held),
			min(big)::bigint, coalesce(sum(held / big), 0) / sum(held), (SELECT min(d) FROM presence), (SELECT max(d) FROM presence), count(*) FILTER (WHERE held = 1 AND people = 1), coalesce(sum(held) FILTER (WHERE people = 0), 0)::bigint, coalesce(sum(held) FILTER (WHERE people > 0 AND people < held), 0)::bigint FROM risk$q$,
		names, relation, population, compatible, threshold);
END
$$;
CREATE FUNCTION near(a float8, b float8) RETURNS boolean LANGUAGE sql RETURN abs(a - b) <= 1e-12 * greatest(1, abs(b)) OR num_nulls(a, b) = 2;
-- differs names the columns of the result that are not those of plain SQL.
CREATE FUNCTION differs(relation regclass, qi name[], population regclass, threshold float8, compatible text) RETURNS text LANGUAGE sql
BEGIN ATOMIC
	SELECT string_agg(concat_ws(' ', a.key, a.value, b.value), ', ') FROM jsonb_each((SELECT to_jsonb(r) FROM sdc_attacker_risk(relation, qi, population, threshold) AS r)) AS a
		JOIN jsonb_each((SELECT to_jsonb(s) FROM by_sql(relation, qi, population, threshold, compatible) AS s)) AS b USING (key)
	WHERE NOT coalesce(near((a.value #>> '{}')::float8, coalesce((b.value #>> '{}')::float8, CASE WHEN key = 'prosecutor_at_risk' AND a.value <> 'null' THEN 0 END)), num_nulls(a.value #>> '{}', b.value #>> '{}') = 2);
END;
-- equal is the condition where all columns are compared by equality.
CREATE FUNCTION equal(qi name[]) RETURNS text LANGUAGE sql RETURN (SELECT string_agg(format('c.%1$I IS NOT DISTINCT FROM p.%1$I', x), ' AND ') FROM unnest(qi) AS x);

-- A sample, with some people that the population lacks, and some twice.
CREATE TABLE sample AS SELECT * FROM population WHERE helper.below(id, 71, 10) = 0;
INSERT INTO sample SELECT id + 100000, region, 'x', age, income, weight, savings, born, job FROM population WHERE helper.below(id, 72, 100) = 0;
INSERT INTO sample SELECT id + 200000, region, sex, age, income, weight, savings, born, job FROM population WHERE helper.below(id, 73, 100) = 0;
SELECT qi, threshold, differs('sample', qi, 'population', threshold, equal(qi)) AS differs, classes, k_map, population_uniques, absent, inconsistent
FROM (VALUES ('{region}'::name[], 0.2), ('{region,sex}', 0.01), ('{age,job}', 0.1), ('{savings}', 0.5), ('{born,sex}', 0.999), ('{income}', 1), ('{id}', 0), ('{age,sex,region,job}', 0.2)) AS v (qi, threshold), LATERAL sdc_attacker_risk('sample', qi, 'population', threshold) AS r;
-- the population of itself: nobody is absent, everybody present
SELECT k_map = (SELECT k FROM sdc_kanonymity('population', '{age,sex}')) AS k_map, journalist_max = prosecutor_max AS same, marketer = prosecutor_mean AS mean, delta_min, delta_max, absent, inconsistent FROM sdc_attacker_risk('population', '{age,sex}', 'population');

-- Ranges and sets.  A range with missing values among its records contains everything.
ALTER TABLE sample ADD PRIMARY KEY (id);
ALTER TABLE sample ALTER sex TYPE text;
SELECT count(*) FROM sdc_generalize('sample', '{age,job,region,savings}', k => 6, keep => '{sex}', target => 'ranges');
SELECT count(*) FROM sdc_generalize('sample', '{income,weight,born}', k => 5, keep => '{sex}', target => 'numbers');
SELECT qi, differs(relation, qi, 'population', 0.05, compatible) AS differs, classes, k_map, absent
FROM (VALUES ('ranges'::regclass, '{age,job}'::name[], '(c.age IS NULL OR p.age::int <@ c.age) AND (p.job = ANY (c.job) OR (p.job IS NULL AND array_position(c.job, NULL) > 0))'),
		('ranges', '{savings,region}', '(c.savings IS NULL OR p.savings <@ c.savings) AND p.region = ANY (c.region)'),
		('ranges', '{age,sex}', '(c.age IS NULL OR p.age::int <@ c.age) AND c.sex = p.sex::text'),
		('ranges', '{sex,region,age,savings,job}', 'c.sex = p.sex::text AND p.region = ANY (c.region) AND p.age::int <@ c.age AND (c.savings IS NULL OR p.savings <@ c.savings) AND (p.job = ANY (c.job) OR (p.job IS NULL AND array_position(c.job, NULL) > 0))'),
		('numbers', '{income,born}', 'p.income <@ c.income AND p.born <@ c.born'),
		('numbers', '{weight}', 'p.weight::text::numeric <@ c.weight')) AS v (relation, qi, compatible), LATERAL sdc_attacker_risk(relation, qi, 'population', 0.05) AS r;
-- nobody of the sample is lost, though a float has more digits than a cast to numeric keeps
SELECT absent FROM sdc_attacker_risk((SELECT 'numbers'::regclass), '{weight,income,born}', 'sample');
-- what is empty contains everything, as NULL does: bounds that are open, empty ranges, ranges and arrays that are NULL, empty arrays, arrays of two dimensions
CREATE TABLE odd (r numrange, a int[], x float8);
INSERT INTO odd VALUES ('[1,2]', '{1,2}', 1), ('(1,2)', '{}', 2), ('[1,2)', '{NULL}', NULL), ('(1,2]', NULL, 1), ('empty', '{{1,2},{3,NULL}}', 2), ('(,1]', '{7}', 'NaN'), ('[2,)', '{1,1,1}', 'Infinity'), (NULL, '{2}', '-0'), ('(,)', '{1}', 0), ('[1,1]', '{3,2,1}', 1e300);
CREATE TABLE people (r float8, a int, x float8);
INSERT INTO people SELECT nullif(helper.below(i, 81, 6), 5) / 2.0 + 0.5, nullif(helper.below(i, 82, 4), 0), nullif(helper.below(i, 83, 4), 3) FROM generate_series(1, 60) AS i;
INSERT INTO people VALUES ('Infinity', 7, 'NaN'), ('-Infinity', 3, 'Infinity'), ('NaN', NULL, '-0'), (NULL, 1, 1e300);
SELECT qi, differs('odd', qi, 'people', 0.2, compatible) AS differs, classes, k_map, absent, inconsistent
FROM (VALUES ('{r}'::name[], '(c.r IS NULL OR isempty(c.r) OR p.r::text::numeric <@ c.r)'), ('{a}', '(c.a IS NULL OR cardinality(c.a) = 0 OR p.a = ANY (c.a) OR (p.a IS NULL AND EXISTS (SELECT FROM unnest(c.a) AS e WHERE e IS NULL)))'), ('{x}', equal('{x}')),
		('{r,a}', '(c.r IS NULL OR isempty(c.r) OR p.r::text::numeric <@ c.r) AND (c.a IS NULL OR cardinality(c.a) = 0 OR p.a = ANY (c.a) OR (p.a IS NULL AND EXISTS (SELECT FROM unnest(c.a) AS e WHERE e IS NULL)))'),
		('{x,r}', 'c.x IS NOT DISTINCT FROM p.x AND (c.r IS NULL OR isempty(c.r) OR p.r::text::numeric <@ c.r)')) AS v (qi, compatible), LATERAL sdc_attacker_risk('odd', qi, 'people') AS r;
-- many small tables: classes that overlap, with NULLs
CREATE TABLE small (a int4range, b text[], c int);
CREATE TABLE few (c int, b text, a smallint);
CREATE FUNCTION small_tables(tables int) RETURNS TABLE (number int, why text) LANGUAGE plpgsql AS $$
BEGIN
	FOR number IN 1 .. tables LOOP
		TRUNCATE small; TRUNCATE few;
		INSERT INTO small SELECT CASE WHEN helper.below(i, number * 9, 7) > 0 THEN int4range(helper.below(i, number * 9 + 1, 5), 5 + helper.below(i, number * 9 + 2, 4)) END,
			(ARRAY['p', 'q', NULL, 'r'])[1 + helper.below(i, number * 9 + 3, 4) : 1 + helper.below(i, number * 9 + 4, 6)], nullif(helper.below(i, number * 9 + 5, 3), 0) FROM generate_series(1, helper.below(number, 4, 25)) AS i;
		INSERT INTO few SELECT nullif(helper.below(i, number * 9 + 6, 3), 0), (ARRAY['p', 'q', NULL, 'r'])[1 + helper.below(i, number * 9 + 7, 4)], nullif(helper.below(i, number * 9 + 8, 9), 8) FROM generate_series(1, helper.below(number, 5, 25)) AS i;
		why := differs('small', CASE number % 3 WHEN 0 THEN '{a,b,c}' WHEN 1 THEN '{c,a}' ELSE '{b,c}' END::name[], 'few', (number % 11) / 10.0,
			concat_ws(' AND ', 'c.c IS NOT DISTINCT FROM p.c', CASE WHEN number % 3 <> 2 THEN '(c.a IS NULL OR isempty(c.a) OR p.a::int <@ c.a)' END, CASE WHEN number % 3 <> 1 THEN '(cardinality(c.b) = 0 OR p.b = ANY (c.b) OR (p.b IS NULL AND array_position(c.b, NULL) IS NOT NULL))' END));
		IF why IS NOT NULL THEN
			RETURN NEXT;
		END IF;
	END LOOP;
END
$$;
SELECT * FROM small_tables(300);

-- By hand: 3 of 4 with two classes; one of them has two people more, and one is not in the table.
CREATE TABLE four (q int);
CREATE TABLE five (q int);
INSERT INTO four VALUES (1), (1), (2), (9);
INSERT INTO five VALUES (1), (1), (1), (1), (2);
\pset expanded on
SELECT * FROM sdc_attacker_risk('four', '{q}', 'five');
-- not a superset
INSERT INTO four VALUES (2), (2);
SELECT * FROM sdc_attacker_risk('four', '{q}', 'five', 0.4);
-- nobody in the table, nobody in the release
TRUNCATE five;
SELECT * FROM sdc_attacker_risk('four', '{q}', 'five');
SELECT * FROM sdc_attacker_risk('five', '{q}', 'four');
SELECT * FROM sdc_attacker_risk('five', '{q}', 'five');
\pset expanded off
-- one person
INSERT INTO five VALUES (9);
SELECT classes, prosecutor_max, journalist_max, k_map, marketer, delta_min, delta_max, population_uniques, absent FROM sdc_attacker_risk('five', '{q}', 'five');

-- Other types: those that have a common one are compared, the others are not.
CREATE DOMAIN whole AS int;
CREATE TABLE wide (i numeric, s text COLLATE "C", d timestamp, f float8, w int, n varchar(3) COLLATE "C");
CREATE TABLE narrow (n text COLLATE "C", d date, f real, w whole, s char(4) COLLATE "C", i smallint);
INSERT INTO wide SELECT i % 5 + CASE WHEN i % 7 = 0 THEN 0.5 ELSE 0 END, 's' || i % 3, date '2020-01-01' + i % 4, (i % 3) / 10.0, i % 4, 'n' || i % 2 FROM generate_series(1, 40) AS i;
INSERT INTO narrow SELECT 'n' || i % 2, date '2020-01-01' + i % 3, (i % 3) / 10.0, i % 5, 's' || i % 4, i % 6 FROM generate_series(1, 60) AS i;
SELECT qi, differs('wide', qi, 'narrow', 0.2, compatible) AS differs, differs('narrow', qi, 'wide', 0.2, compatible) AS other, absent
FROM (VALUES ('{i}'::name[], 'c.i = p.i'), ('{s}', 'c.s::text = p.s::text'), ('{d}', 'c.d = p.d'), ('{f}', 'c.f = p.f'), ('{w,n}', 'c.w = p.w AND c.n = p.n')) AS v (qi, compatible), LATERAL sdc_attacker_risk('wide', qi, 'narrow') AS r;

-- The population can be a view, a partitioned or a foreign table, or the rows that policies leave.
CREATE VIEW seen AS SELECT job, age, sex FROM population WHERE id % 2 = 0;
CREATE MATERIALIZED VIEW stored AS SELECT * FROM seen;
CREATE TABLE parted (sex char(1), job varchar(12) COLLATE "C", age int) PARTITION BY HASH (age);
CREATE TABLE parted_0 PARTITION OF parted FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE parted_1 PARTITION OF parted FOR VALUES WITH (MODULUS 2, REMAINDER 1);
INSERT INTO parted SELECT sex, job, age FROM seen ORDER BY md5(age || coalesce(job, '-'));
SELECT count(DISTINCT r::text) AS results FROM unnest(ARRAY['seen', 'stored', 'parted']::regclass[]) AS p, LATERAL sdc_attacker_risk('sample', '{age,job}', p) AS r;
SELECT differs('sample', '{age,job}', 'seen', 0.2, equal('{age,job}')) AS differs;
-- little memory
SET work_mem = '64kB'; SET maintenance_work_mem = '1MB';
SELECT differs('sample', '{age,job}', 'parted', 0.2, equal('{age,job}')) AS differs, differs('ranges', '{age,sex}', 'population', 0.2, 'p.age::int <@ c.age AND c.sex = p.sex::text') AS ranges;
CREATE TABLE many AS SELECT i AS id FROM generate_series(1, 200000) AS i;
SELECT records, k_map, absent FROM sdc_attacker_risk('sample', '{id}', 'many');
RESET work_mem; SET maintenance_work_mem = '64MB';
SELECT records, k_map, absent FROM sdc_attacker_risk('sample', '{id}', 'many');

-- What is refused, before a row is read.
\pset tuples_only on
CREATE TABLE mixed (q text, r numrange, a text[], j json, x xid, born timestamptz, c text COLLATE "C");
CREATE COLLATION folding (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
CREATE TABLE plain (q int, r text, a int, j json, x xid, born date, c text COLLATE folding);
SELECT c, helper.catch('SELECT * FROM sdc_attacker_risk(' || c || ')') FROM unnest(ARRAY[$$NULL, '{q}', 'four'$$, $$'four', '{q}', NULL$$, $$'four', NULL, 'five'$$, $$'four', '{}', 'five'$$, $$'four', '{q,q}', 'five'$$, $$'four', '{p}', 'five'$$, $$'sample', '{age}', 'five'$$,
	$$'four', '{q}', 'five', NULL$$, $$'four', '{q}', 'five', -0.1$$, $$'four', '{q}', 'five', 1.01$$, $$'four', '{q}', 'five', 'NaN'$$, $$'mixed', '{q}', 'plain'$$, $$'mixed', '{r}', 'plain'$$, $$'mixed', '{a}', 'plain'$$, $$'mixed', '{j}', 'plain'$$, $$'mixed', '{x}', 'plain'$$, $$'mixed', '{born}', 'plain'$$,
	$$'mixed', '{c}', 'plain'$$, $$'four', '{q}', 'sample_pkey'$$, $$'plain', '{q}', 'mixed'$$]) AS c;
\pset tuples_only off
-- Rights: SELECT on the columns of both.
CREATE ROLE regress_sdc_attacker;
GRANT USAGE ON SCHEMA attacker_risk, helper TO regress_sdc_attacker;
GRANT SELECT (age, sex) ON sample TO regress_sdc_attacker;
GRANT SELECT (age) ON population TO regress_sdc_attacker;
SET ROLE regress_sdc_attacker;
SELECT records FROM sdc_attacker_risk('sample', '{age}', 'population');
SELECT helper.catch($$SELECT * FROM sdc_attacker_risk('sample', '{age,sex}', 'population')$$), helper.catch($$SELECT * FROM sdc_attacker_risk('sample', '{job}', 'population')$$), helper.catch($$SELECT * FROM sdc_attacker_risk('sample', '{age}', 'seen')$$);
RESET ROLE;
ALTER TABLE population ENABLE ROW LEVEL SECURITY;
CREATE POLICY half ON population FOR SELECT TO regress_sdc_attacker USING (id % 2 = 0);
GRANT SELECT ON population TO regress_sdc_attacker;
SET ROLE regress_sdc_attacker;
SELECT records, absent > 0 AS absent FROM sdc_attacker_risk('sample', '{age}', 'population');
SELECT r.k_map = s.k AS policy FROM sdc_attacker_risk('population', '{age}', 'population') AS r, sdc_kanonymity('population', '{age}') AS s;
RESET ROLE;

DROP SCHEMA attacker_risk CASCADE;
DROP OWNED BY regress_sdc_attacker;
DROP ROLE regress_sdc_attacker;
