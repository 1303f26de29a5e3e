--
-- missing_codes
--
-- Values that stand for a missing one: a release is that of a view with NULL in their place, with the codes put back;
-- whom an intruder finds is counted record by record in plain SQL; what measures numbers leaves codes out.
--
\pset format unaligned
\pset footer off
CREATE SCHEMA missing_codes;
SET search_path = missing_codes, public;

CREATE TABLE survey (id int PRIMARY KEY, household int, sex text, region text, age int, income numeric, job text, born date, hours float8, weight int);
INSERT INTO survey SELECT i, i / 3, CASE WHEN helper.below(i, 1, 2) = 0 THEN 'f' ELSE 'm' END, 'r' || helper.below(i / 3, 2, 4), 17 + helper.below(i, 3, 60),
	CASE helper.below(i, 4, 20) WHEN 0 THEN -9 WHEN 1 THEN -9 WHEN 2 THEN -8 WHEN 3 THEN NULL ELSE round((4000 * helper.uniform(i, 5) - 100)::numeric, 0) END,
	CASE helper.below(i, 6, 12) WHEN 0 THEN 'refused' WHEN 1 THEN NULL ELSE 'job' || helper.below(i, 7, 9) END,
	CASE helper.below(i, 8, 10) WHEN 0 THEN date '1900-01-01' ELSE date '1950-01-01' + helper.below(i, 9, 3000) END,
	CASE helper.below(i, 10, 10) WHEN 0 THEN 99 WHEN 1 THEN 'NaN'::float8 WHEN 2 THEN NULL ELSE helper.below(i, 11, 60) END, 1 + helper.below(i / 3, 12, 5)
FROM generate_series(1, 300) AS i;
-- what stands for a missing value, as everybody else would write it
CREATE VIEW plain AS SELECT s.id, s.household, s.sex, s.region, s.age, CASE WHEN s.income NOT IN (-9, -8) THEN s.income END AS income, NULLIF(s.job, 'refused') AS job,
	NULLIF(s.born, '1900-01-01') AS born, NULLIF(s.hours, 99) AS hours, s.weight FROM survey AS s;
\set codes '{"income": [-9, -8, -8.0], "job": ["refused"], "born": ["1900-01-01"], "hours": [99]}'
SELECT count(*) FILTER (WHERE income IN (-9, -8)) AS income, count(*) FILTER (WHERE job = 'refused') AS job, count(*) FILTER (WHERE born = '1900-01-01') AS born,
	count(*) FILTER (WHERE hours = 99) AS hours FROM survey;

--
-- The release is that of the view, with the codes put back, bit by bit
--
-- differing protects both, and counts the records that differ, those whose code did, and the codes.
CREATE FUNCTION differing(call text, OUT records bigint, OUT differ bigint, OUT coded bigint) LANGUAGE plpgsql AS $$
DECLARE
	shared CONSTANT text := $q$key => '{id}', seed => 7, replace => true$q$;
BEGIN
	EXECUTE format($q$SELECT sum(missing) FROM sdc_%s, target => 'with_codes', missing => '{"income": [-9, -8, -8.0], "job": ["refused"], "born": ["1900-01-01"], "hours": [99]}', %s)$q$,
		format(call, 'survey'), shared) INTO coded;
	EXECUTE format($q$SELECT count(*) FROM sdc_%s, target => 'without', %s)$q$, format(call, 'plain'), shared);
	SELECT count(*), count(*) FILTER (WHERE (w.income, w.job, w.born, w.hours, w.age, w.sex)::text IS DISTINCT FROM
		(CASE WHEN s.income IN (-9, -8) THEN s.income ELSE o.income END, CASE WHEN s.job = 'refused' THEN s.job ELSE o.job END,
		CASE WHEN s.born = '1900-01-01' THEN s.born ELSE o.born END, CASE WHEN s.hours = 99 THEN s.hours ELSE o.hours END, o.age, o.sex)::text)
	INTO records, differ FROM with_codes AS w JOIN without AS o USING (id) JOIN survey AS s USING (id);
END
$$;
SELECT n, d.* FROM (VALUES (1, $$rankswap('%s', 10, '{income,born,hours,age,job}'$$),
	(2, $$rankswap('%s', 10, '{income,born}', strata => '{sex}'$$),
	(3, $$rankswap_distribution('%s', 10, '{income,born,hours}'$$),
	(4, $$rankswap_buckets('%s', 7, '{income,born,job}'$$),
	(5, $$equidepth_swap('%s', 5, columns => '{income,born,hours}'$$),
	(6, $$equidepth_swap('%s', 5, columns => '{age}', complement => 'swap'$$),
	(7, $$equiwidth_swap('%s', 3, columns => '{income,age}', strata => '{sex}'$$),
	(8, $$randomize('%s', '{income,job,born}'$$),
	(9, $$randomize('%s', '{income,job,sex}', draws => 2, strata => '{region}'$$),
	(10, $$rankswap('%s', 10, '{income,born,age}', unit => '{household}'$$),
	(11, $$rankswap('%s', 10, '{income,born,age}', unit => '{household}', unit_rows => 'each'$$),
	(12, $$randomize('%s', '{income,job}', unit => '{household}'$$),
	(13, $$protect('%s', '[{"method": "rankswap", "columns": ["income"], "p": 10}, {"method": "randomize", "qi": ["job", "born"]}]'$$)) AS calls (n, call),
	LATERAL differing(call) AS d ORDER BY n;
-- the row type form, with every code at its record
SELECT count(*) FILTER (WHERE r.income = s.income) AS kept, count(*) FILTER (WHERE r.income IN (-9, -8)) AS codes
FROM sdc_rankswap(NULL::survey, 10, '{income}', seed => 3, missing => :'codes') AS r JOIN survey AS s USING (id) WHERE s.income IN (-9, -8) OR r.income IN (-9, -8);
-- where NULL is a value like others, so is a code: the sensitive column of a permutation, columns that are copied
SELECT attribute, action, missing FROM sdc_permute('survey', '{age,income}', '{job}', l => 2, grouping_method => 'mondrian', target => 'permuted', seed => 1, omit => '{born}', missing => :'codes');
SELECT job, count(*) FROM permuted GROUP BY job EXCEPT ALL SELECT job, count(*) FROM survey GROUP BY job;

--
-- Mondrian: codes after all values; alone in a group a code has its range, and with others there is none
--
SELECT attribute, action, missing FROM sdc_generalize('survey', '{income,job}', k => 5, target => 'general', omit => '{born}', missing => :'codes') WHERE attribute IN ('income', 'job');
-- what the groups have, from their records
WITH wanted AS (SELECT g.group_id, CASE WHEN count(DISTINCT s.income) = 1 AND count(s.income) = count(*) OR count(s.income) = count(*) AND NOT bool_or(s.income IN (-9, -8))
		THEN numrange(min(s.income), max(s.income), '[]') END AS range, array_agg(DISTINCT s.job) AS jobs, bool_or(s.income IN (-9, -8)) AS coded
	FROM general AS g JOIN survey AS s USING (id) GROUP BY g.group_id)
SELECT count(DISTINCT group_id) AS groups, count(*) FILTER (WHERE g.income IS DISTINCT FROM range) AS wrong, count(DISTINCT group_id) FILTER (WHERE coded AND g.income IS NULL) AS mixed,
	count(DISTINCT group_id) FILTER (WHERE coded AND g.income IS NOT NULL) AS alone, count(*) FILTER (WHERE ARRAY(SELECT unnest(g.job) ORDER BY 1) <> ARRAY(SELECT unnest(jobs) ORDER BY 1)) AS other_sets
FROM general AS g JOIN wanted USING (group_id);
-- one column, k = 1: every value, every code and NULL are groups
SELECT count(*) FROM sdc_generalize('survey', '{income}', k => 1, target => 'single', omit => '{born}', missing => :'codes');
SELECT g.income, count(*) FROM single AS g JOIN survey AS s USING (id) WHERE s.income IN (-9, -8) OR s.income IS NULL GROUP BY g.income ORDER BY g.income;

--
-- Whom an intruder finds
--
-- A code is compatible with the same code, NULL with NULL, a value with what its window has.
CREATE FUNCTION state(income numeric) RETURNS text LANGUAGE sql IMMUTABLE RETURN CASE WHEN income IN (-9, -8) THEN income::text WHEN income IS NULL THEN 'null' ELSE 'value' END;
-- naive counts candidates pair by pair: of values those within w positions; other is about another known column.
CREATE FUNCTION naive(release regclass, suppressed boolean, other text, OUT finds numeric, OUT single bigint) LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format($q$
	WITH w AS (SELECT greatest(1, floor(0.10 * count(income) + 0.5)) AS w FROM plain),
	v AS (SELECT income AS x FROM %1$s WHERE state(income) = 'value'),
	r AS MATERIALIZED (SELECT r.*, (SELECT count(*) FROM v WHERE x < r.income) AS low, (SELECT count(*) FROM v WHERE x <= r.income) AS high FROM %1$s AS r),
	o AS MATERIALIZED (SELECT o.*, (SELECT count(*) FROM v WHERE x < o.income) AS low, (SELECT count(*) FROM v WHERE x <= o.income) AS high FROM survey AS o),
	n AS (SELECT o.id, count(*) AS candidates FROM o, r, w WHERE (%2$L AND r.income IS NULL OR state(o.income) = state(r.income) AND (state(o.income) <> 'value'
		OR CASE WHEN r.income = o.income THEN true WHEN r.income > o.income THEN r.low + 1 - o.high <= w ELSE o.low + 1 - r.high <= w END)) AND %3$s GROUP BY o.id)
	SELECT sum(1.0 / candidates), count(*) FILTER (WHERE candidates = 1) FROM n$q$, release, suppressed, other) INTO finds, single;
END
$$;
CREATE FUNCTION compared(release regclass, suppressed boolean, other text, known name[], OUT found boolean, OUT single boolean, OUT by_definition numeric) LANGUAGE sql
AS $$ SELECT abs(n.finds - f.found) < 1e-9, n.single = f.single, round(n.finds, 6) FROM naive(release, suppressed, other) AS n, sdc_people_found(release, known => known) AS f WHERE f.attack = 'candidates' $$;
SELECT count(*) FROM sdc_rankswap('survey', 10, '{income}', target => 'swapped', seed => 11, omit => '{born}', missing => :'codes');
SELECT * FROM compared('swapped', false, 'true', '{income}');
SELECT * FROM compared('swapped', false, 'o.job IS NOT DISTINCT FROM r.job', '{income,job}');
-- registered as another tool's, with codes and without: codes taken for numbers hide people who are found
CREATE TABLE other AS SELECT * FROM swapped;
SELECT sdc_register('survey', 'other', '{income}', '{id}', method => 'rankswap', parameters => '{"p": 10}', missing => :'codes');
SELECT * FROM compared('other', false, 'true', '{income}');
SELECT sdc_register('survey', 'other', '{income}', '{id}', method => 'rankswap', parameters => '{"p": 10}');
SELECT round(found::numeric, 6) AS codes_as_numbers FROM sdc_people_found('other', known => '{income}') WHERE attack = 'candidates';
-- values and codes that are taken out of a release contain everything, and codes nothing but themselves
UPDATE swapped SET income = NULL WHERE id % 7 = 0;
SELECT * FROM compared('swapped', true, 'true', '{income}');
SELECT * FROM compared('swapped', true, 'o.job IS NOT DISTINCT FROM r.job', '{income,job}');
-- joint swapping: the bin has somebody with the values of the two columns, and whoever it is has the same code
SELECT count(*) FROM sdc_equiwidth_swap('survey', 3, columns => '{income,age}', target => 'joint', seed => 2, omit => '{born}', missing => :'codes');
WITH b AS (SELECT p.id, p.income, p.age, ROW(least(floor((p.income - i.low) / ((i.high - i.low) / 3)), 2), least(floor((p.age - a.low) / ((a.high - a.low) / 3.0)), 2))::text AS bin
	FROM plain AS p, (SELECT min(income) AS low, max(income) AS high FROM plain) AS i, (SELECT min(age) AS low, max(age) AS high FROM plain) AS a),
n AS (SELECT o.id, count(*) AS candidates FROM survey AS o JOIN b AS own USING (id), joint AS r JOIN b AS its USING (id) WHERE (state(o.income) = state(r.income))
		AND ROW(its.bin, own.income, own.age)::text IN (SELECT ROW(bin, income, age)::text FROM b) GROUP BY o.id)
SELECT abs(sum(1.0 / n.candidates) - f.found) < 1e-9 AS found, round(f.found::numeric, 6) AS by_income_age FROM n, sdc_people_found('joint', known => '{income,age}') AS f WHERE attack = 'candidates' GROUP BY f.found;
-- random anonymization of one column: every value can become every other one, codes and NULL none
SELECT count(*) FROM sdc_randomize('survey', '{income,age}', target => 'drawn', seed => 2, omit => '{born}', missing => :'codes');
SELECT abs(sum(1.0 / n) - f.found) < 1e-9 AS found, round(f.found::numeric, 6) AS by_income
FROM survey JOIN (SELECT state(income), count(*) AS n FROM survey GROUP BY 1) AS s ON s.state = state(income), sdc_people_found('drawn', known => '{income}') AS f WHERE attack = 'candidates' GROUP BY f.found;
-- ranges and sets: a code is in its own range only, and in a missing one; the source has negative numbers around it
WITH n AS (SELECT o.id, count(*) AS candidates FROM survey AS o, general AS r WHERE (r.income IS NULL OR CASE state(o.income) WHEN 'null' THEN false
		WHEN 'value' THEN o.income <@ r.income AND r.income NOT IN (numrange(-9, -9, '[]'), numrange(-8, -8, '[]')) ELSE r.income = numrange(o.income, o.income, '[]') END)
	AND (SELECT bool_or(j IS NOT DISTINCT FROM o.job) FROM unnest(r.job) AS j) GROUP BY o.id)
SELECT abs(sum(1.0 / n.candidates) - f.found) < 1e-9 AS found, round(f.found::numeric, 6) AS by_income_job FROM n, sdc_people_found('general', known => '{income,job}') AS f WHERE attack = 'candidates' GROUP BY f.found;
SELECT count(*) > 0 AS around FROM general AS g WHERE -9.0 <@ g.income AND lower(g.income) < upper(g.income);
-- with units the codes are known of records
SELECT count(*) FROM sdc_rankswap('survey', 10, '{income}', target => 'of_units', seed => 2, omit => '{born}', unit => '{household}', missing => :'codes');
SELECT count(*) FROM sdc_rankswap('plain', 10, '{income}', target => 'of_units_plain', seed => 2, key => '{id}', omit => '{born}', unit => '{household}');
SELECT a.found > b.found AS more_are_found FROM sdc_people_found('of_units', known => '{income}') AS a JOIN sdc_people_found('of_units_plain', known => '{income}') AS b USING (attack) WHERE attack = 'candidates';

--
-- What measures numbers is that of the view; what counts values counts codes
--
SELECT count(*) FROM sdc_rankswap('survey', 10, '{income,hours}', target => 'a', seed => 4, omit => '{born}', missing => :'codes');
SELECT count(*) FROM sdc_rankswap('plain', 10, '{income,hours}', target => 'b', seed => 4, key => '{id}', omit => '{born}');
SELECT a = b AS information_loss, a.il IS NOT NULL AS any FROM sdc_information_loss('a') AS a, sdc_information_loss('b') AS b;
SELECT (a.il, a.dld, a.pld, a.rsld, a.interval_disclosure, a.dr) = (b.il, b.dld, b.pld, b.rsld, b.interval_disclosure, b.dr) AS score FROM sdc_score('a') AS a, sdc_score('b') AS b;
SELECT count(*) FROM (SELECT * FROM sdc_statistic_errors('a') EXCEPT SELECT * FROM sdc_statistic_errors('b')) AS other;
SELECT count(*) FROM (SELECT * FROM sdc_regression_errors('a', 'income', '{age}') EXCEPT SELECT * FROM sdc_regression_errors('b', 'income', '{age}')) AS other;
SELECT a = b AS histogram FROM sdc_histogram_error('a') AS a, sdc_histogram_error('b') AS b;
SELECT (SELECT original FROM sdc_statistic_errors('a') WHERE attribute = 'income' AND statistic = 'mean') - (SELECT avg(income)::float8 FROM survey WHERE income NOT IN (-9, -8)) AS mean;
-- weighted totals
SELECT count(*) FROM sdc_rankswap('plain', 10, '{income}', target => 'weighed_plain', seed => 6, key => '{id}', omit => '{born}', weight => 'weight');
SELECT abs(w.weighted_change_percent - (SELECT 100 * (sum(r.income * r.weight) / (SELECT sum(income * weight) FROM plain) - 1) FROM weighed_plain AS r)) < 1e-9 AS weighted_change, w.missing
FROM sdc_rankswap('survey', 10, '{income}', target => 'weighed', seed => 6, omit => '{born}', weight => 'weight', missing => :'codes') AS w WHERE attribute = 'income';
-- cells are values, and sums those of numbers
SELECT cell, original FROM sdc_cell_errors('a', '{job}') WHERE cell ->> 'job' = 'refused' AND statistic = 'count';
SELECT sum(c.original) = (SELECT sum(income) FROM plain) AS sums FROM sdc_cell_errors('a', '{job}', 'income') AS c WHERE statistic = 'sum';
SELECT k, unique_records FROM sdc_kanonymity('a', '{sex,job}') EXCEPT SELECT min(n), count(*) FILTER (WHERE n = 1) FROM (SELECT count(*) AS n FROM survey GROUP BY sex, job) AS g;
-- a sweep, and what is kept of an evaluation
SELECT s.people_found = e.people_found AND s.il = e.il AS swept FROM sdc_sweep('survey', 'rankswap', '{10}', columns => '{income,hours}', omit => '{born}', known => '{income}', seed => 4, missing => :'codes') AS s,
	sdc_score('a', known => '{income}') AS e;
SELECT count(*) FROM sdc_evaluate('a');
SELECT release, missing FROM sdc_releases WHERE release IN ('a'::regclass, 'b'::regclass) ORDER BY release::text;

--
-- Totals: a code is nothing to add
--
CREATE TABLE members AS SELECT id, household, income, (SELECT CASE WHEN count(p.income) = 0 THEN -9 ELSE sum(p.income) END FROM plain AS p WHERE p.household = s.household) AS total FROM survey AS s;
SELECT count(*) FILTER (WHERE total = -9) > 0 AS any FROM members;
SELECT attribute, action, missing FROM sdc_rankswap('members', 10, '{income}', key => '{id}', target => 'sums', seed => 1, unit => '{household}', totals => '{"total": "income"}', missing => '{"income": [-9, -8], "total": [-9]}');
SELECT count(*) FROM sums AS s JOIN (SELECT household, coalesce(sum(income) FILTER (WHERE income NOT IN (-9, -8)), -9) AS total FROM sums GROUP BY 1) AS t USING (household) WHERE s.total <> t.total;

--
-- Night after night: codes that come, go and change are released
--
CREATE TABLE night (id int PRIMARY KEY, income int);
INSERT INTO night SELECT i, CASE WHEN i % 9 = 0 THEN -9 ELSE helper.below(i, 20, 4000) END FROM generate_series(1, 200) AS i;
-- after protects it once more: codes that are released, and records with a code that is not that of the source, or without the one that it has
CREATE FUNCTION after(OUT kept bigint, OUT missing bigint, OUT coded bigint, OUT wrong bigint, OUT lost bigint) LANGUAGE plpgsql AS $$
BEGIN
	SELECT r.kept, r.missing INTO kept, missing FROM sdc_rankswap('night', 10, '{income}', continued => true, min_changes => 2, target => 'nights', seed => 1, missing => '{"income": [-9, -8]}') AS r WHERE attribute = 'income';
	SELECT count(*) FILTER (WHERE r.income IN (-9, -8)), count(*) FILTER (WHERE r.income IN (-9, -8) AND s.income IS DISTINCT FROM r.income), count(*) FILTER (WHERE s.income IN (-9, -8) AND s.income IS DISTINCT FROM r.income)
	INTO coded, wrong, lost FROM nights AS r JOIN night AS s USING (id);
END
$$;
SELECT * FROM after();
UPDATE night SET income = -8 WHERE id IN (9, 18);
SELECT * FROM after();
SELECT * FROM after();
UPDATE night SET income = -9 WHERE id BETWEEN 30 AND 40;
UPDATE night SET income = 77 WHERE id BETWEEN 81 AND 126 AND income = -9;
INSERT INTO night SELECT i, CASE WHEN i % 9 = 0 THEN -8 ELSE helper.below(i, 20, 4000) END FROM generate_series(201, 300) AS i;
SELECT * FROM after();
DELETE FROM night WHERE id % 4 = 0;
SELECT * FROM after();
-- records that wait for a lot are not released, and no code of theirs comes to others; of units neither
CREATE TABLE evening (id int PRIMARY KEY, household int, rent int, income int);
INSERT INTO evening SELECT i, i / 3, CASE WHEN i / 3 % 7 = 0 THEN -9 ELSE helper.below(i / 3, 21, 900) END, CASE WHEN i % 9 = 0 THEN -9 ELSE helper.below(i, 20, 4000) END FROM generate_series(1, 300) AS i;
CREATE FUNCTION evening(target text, unit name[], OUT records bigint, OUT income bigint, OUT rent bigint, OUT wrong bigint) LANGUAGE plpgsql AS $$
BEGIN
	SELECT max(r.records), max(r.missing) FILTER (WHERE attribute = 'income'), max(r.missing) FILTER (WHERE attribute = 'rent') INTO records, income, rent
	FROM sdc_rankswap('evening', 10, '{income,rent}', continued => true, target => target, unit => unit, missing => '{"income": [-9], "rent": [-9]}') AS r;
	EXECUTE format('SELECT count(*) FROM %s AS r JOIN evening AS s USING (id) WHERE (r.income = -9) IS DISTINCT FROM (s.income = -9) OR (r.rent = -9) IS DISTINCT FROM (s.rent = -9)', target) INTO wrong;
END
$$;
SELECT * FROM evening('evenings', '{}');
SELECT * FROM evening('of_evenings', '{household}');
INSERT INTO evening SELECT i, 1000 + i / 3, -9, CASE WHEN i % 2 = 0 THEN -9 ELSE helper.below(i, 20, 4000) END FROM generate_series(1, 5) AS i(n), LATERAL (SELECT -i.n) AS j(i);
SELECT * FROM evening('evenings', '{}');
SELECT * FROM evening('of_evenings', '{household}');
DELETE FROM evening WHERE id BETWEEN 20 AND 30;
INSERT INTO evening SELECT i, 1000 + i / 3, -9, CASE WHEN i % 2 = 0 THEN -9 ELSE helper.below(i, 20, 4000) END FROM generate_series(-600, -6) AS i;
SELECT * FROM evening('evenings', '{}');
SELECT * FROM evening('of_evenings', '{household}');
SELECT helper.catch($$SELECT * FROM sdc_rankswap('night', 10, '{income}', target => 'nights', continued => true, missing => '{"income": [-9]}')$$);
SELECT found > 0 AS found FROM sdc_people_found('nights') WHERE attack = 'candidates';
-- what several releases tell together is not found of them
SELECT helper.catch($$SELECT * FROM sdc_link_releases('{a,weighed}', known => '{income}')$$);

--
-- A policy
--
SELECT sdc_policy_set('coded', 'survey', '[{"method": "rankswap", "columns": ["income"], "p": 10}]', 'missing_codes.published', keep => '{sex,region,age,job,hours,household,weight}', omit => '{born}', limits => '{"people_found": 100}', known => '{income}', missing => :'codes');
SELECT statement FROM sdc_policies WHERE policy = 'coded';
CALL sdc_run('coded');
SELECT r.missing FROM sdc_releases AS r JOIN sdc_publications AS p USING (release) WHERE p.publication = 'published'::regclass;
SELECT count(*) FROM published WHERE income IN (-9, -8);
SELECT helper.catch($$SELECT sdc_policy_alter('coded', missing => '{"income": ["x"]}')$$);
SELECT sdc_policy_drop('coded');

--
-- Errors, names and types
--
SELECT helper.catch(format($$SELECT * FROM sdc_rankswap('survey', 10, '{income}', target => 'never', omit => '{born}', missing => %L)$$, m)) FROM (VALUES
	('{"nothing": [1]}'::jsonb), ('{"income": ["secret"]}'), ('{"born": ["2001-02-30"]}'), ('{"age": [1.5]}'), ('{"income": [null]}'), ('{"id": [1]}'), ('[1]'), ('1'), ('{"income": -9}'), ('{"income": {"a": 1}}'),
	('{"income": [[-9]]}'), ('{"income": [{"a": 1}]}'), ((SELECT jsonb_build_object('age', jsonb_agg(i)) FROM generate_series(1, 101) AS i))) AS m (m);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('survey', 10, '{income}', target => 'never', unit => '{household}', missing => '{"household": [1]}')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('survey', 10, '{income}', target => 'never', weight => 'weight', missing => '{"weight": [1]}')$$);
-- nothing is named, or what no record has
SELECT sum(missing) FROM sdc_rankswap('survey', 10, '{income}', target => 'never', seed => 11, omit => '{born}', missing => '{}');
SELECT attribute, missing FROM sdc_rankswap('survey', 10, '{income}', target => 'never', seed => 11, omit => '{born}', replace => true, missing => '{"income": [], "age": [12345]}') WHERE missing IS NOT NULL;
SELECT missing FROM sdc_releases WHERE release = 'never'::regclass;
-- quoted names, a domain, an enum, characters, all codes, none left, one record, no record; dates whatever the settings say
CREATE DOMAIN answer AS int CHECK (VALUE > -100);
CREATE TYPE mood AS ENUM ('good', 'bad', 'no answer');
CREATE TABLE "Odd ""names""" (id int PRIMARY KEY, "In""come" answer, m mood, c char(4), at timestamptz, b boolean, one int);
INSERT INTO "Odd ""names""" SELECT i, i % 30 - 5, (enum_range(NULL::mood))[1 + i % 3], CASE WHEN i % 5 = 0 THEN '?' ELSE 'a' || i % 8 END, '2020-01-02 00:00+00'::timestamptz + i % 11 * interval '1 day', i % 2 = 0, -1 FROM generate_series(1, 90) AS i;
SET DateStyle = 'SQL, DMY';
SELECT attribute, action, missing FROM sdc_rankswap('"Odd ""names"""', 20, '{In\"come,m,c,at,one}', target => 'odd', seed => 1,
	missing => '{"In\"come": [-5, "-4"], "m": ["no answer"], "c": ["?"], "at": ["2020-01-02T00:00:00Z"], "b": [true], "one": [-1]}');
RESET DateStyle;
SELECT count(*) FILTER (WHERE r."In""come" IN (-5, -4) AND r."In""come" = s."In""come") AS income, count(*) FILTER (WHERE r.m = 'no answer' AND r.m = s.m) AS m, count(*) FILTER (WHERE r.c = '?' AND r.c = s.c) AS c,
	count(*) FILTER (WHERE r.at = '2020-01-02 00:00+00' AND r.at = s.at) AS at, count(*) FILTER (WHERE r.one = -1) AS one FROM odd AS r JOIN "Odd ""names""" AS s USING (id);
SELECT count(*) > 0 AS found FROM sdc_people_found('odd');
CREATE TABLE few (id int PRIMARY KEY, x int);
SELECT sum(missing) FROM sdc_rankswap('few', 10, '{x}', missing => '{"x": [1]}');
INSERT INTO few VALUES (1, 1);
SELECT sum(missing) FROM sdc_rankswap('few', 10, '{x}', replace => true, missing => '{"x": [1]}');
SELECT x FROM few_rankswap;
-- a column with codes that is gone says nothing any more
CREATE TABLE loses (id int PRIMARY KEY, x int, y int);
INSERT INTO loses SELECT i, i, i % 3 FROM generate_series(1, 50) AS i;
SELECT count(*) FROM sdc_rankswap('loses', 10, '{x}', target => 'lost', seed => 1, omit => '{y}', missing => '{"y": [1]}');
ALTER TABLE loses DROP COLUMN y;
SELECT count(*) > 0 AS found FROM sdc_people_found('lost');
SET client_min_messages = warning;
DROP SCHEMA missing_codes CASCADE;
