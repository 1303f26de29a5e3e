-- From a table to a proposal: what to do with each column, and that it keeps what it promises.
\pset format unaligned
\pset footer off
SET client_min_messages = error;
CREATE SCHEMA propose;
SET search_path = propose, public;

CREATE TABLE visit (id int PRIMARY KEY, patient int, insured text, ward text, age int, cost numeric(8,2), born date, flat text DEFAULT 'x', scan bytea, taxed numeric GENERATED ALWAYS AS (cost * 1.2) STORED);
INSERT INTO visit
SELECT i, 1 + i / 3, 'AB' || 7 * i, (ARRAY['north', 'south', 'west'])[1 + helper.below(i, 1, 3)], 20 + helper.below(i, 2, 60), helper.below(i, 3, 100000) / 100.0,
	date '1950-01-01' + helper.below(i, 4, 20000), 'x', '\x00'
FROM generate_series(1, 400) AS i;

-- What eight fresh draws of the proposed steps come to, by releases that are written and measured; workload: the mean count of each condition.
CREATE FUNCTION drawn(source regclass, steps jsonb, omit name[], unit name[], workload text[] DEFAULT '{}', OUT people_found float8, OUT il float8, OUT estimates numeric[])
LANGUAGE plpgsql AS $$
DECLARE
	found float8[];
	loss float8[];
	sums numeric[] := array_fill(0::numeric, ARRAY[cardinality(workload)]);
	one numeric;
BEGIN
	FOR draw IN 1 .. 8 LOOP
		PERFORM FROM sdc_protect(source, steps, 'propose.fresh', key => '{id}', omit => omit, unit => unit, seed => 'sdc_propose, fresh draw ' || draw);
		found := found || (SELECT percent FROM sdc_people_found('propose.fresh') WHERE attack = 'any');
		loss := loss || (SELECT s.il FROM sdc_score('propose.fresh') AS s);
		FOR q IN 1 .. cardinality(workload) LOOP
			EXECUTE 'SELECT count(*) FROM propose.fresh WHERE ' || workload[q] INTO one;
			sums[q] := sums[q] + one;
		END LOOP;
		DROP TABLE propose.fresh;
	END LOOP;
	SELECT greatest(max(f), avg(f) + 3 * stddev_samp(f)) INTO people_found FROM unnest(found) AS f;
	SELECT avg(l) INTO il FROM unnest(loss) AS l;
	estimates := ARRAY(SELECT round(s / 8, 1) FROM unnest(sums) AS s);
END $$;

CREATE TEMP TABLE proposed AS SELECT row_number() OVER () AS n, p.* FROM sdc_propose('visit', '{"people_found": 20}', workload => '{age < 40 AND cost > 500,"ward = ''west'' AND age > 70",insured = ''AB7''}') AS p;
SELECT attribute, proposal, parameters IS NOT NULL AS parameters, why, question FROM proposed WHERE attribute IS NOT NULL ORDER BY n;
SELECT proposal, (parameters ->> 'people_found')::float8 BETWEEN 0 AND 20 AS kept, (parameters ->> 'il')::float8 > 0 AS loss, why ~ '^At most [0-9.]+ percent of the people are found on eight fresh draws, and 20 are allowed\.$' AS why
FROM proposed WHERE proposal = 'policy';
-- its figures are those of releases with the same seeds; the workload, too
SELECT abs(d.people_found - (p.parameters ->> 'people_found')::float8) < 1e-9 AS people, abs(d.il - (p.parameters ->> 'il')::float8) < 1e-9 * d.il AS il,
	d.estimates = ARRAY(SELECT (q.parameters ->> 'estimate')::numeric FROM proposed AS q WHERE q.parameters ->> 'query' IN ('1', '2') ORDER BY q.n) AS estimates
FROM proposed AS p, drawn('visit', p.parameters -> 'steps', '{insured,scan,taxed}', NULL, '{age < 40 AND cost > 500,ward = ''west'' AND age > 70}') AS d WHERE p.proposal = 'policy';
SELECT parameters -> 'query' AS query, parameters ->> 'condition' AS condition, parameters -> 'answer' AS answer, (parameters ->> 'error')::float8 AS error_left_out, why FROM proposed WHERE parameters -> 'query' = '3';
SELECT (q.parameters ->> 'answer')::bigint = (SELECT count(*) FROM visit WHERE age < 40 AND cost > 500) AS answer, q.why ~ '^On eight fresh draws its count is wrong by [0-9.]+ percent in the mean\.$' AS why,
	(p.parameters ->> 'workload_error')::float8 - (SELECT avg((w.parameters ->> 'error')::float8) FROM proposed AS w WHERE w.proposal = 'query') BETWEEN -0.01 AND 0.01 AS mean
FROM proposed AS q, proposed AS p WHERE q.parameters -> 'query' = '1' AND p.proposal = 'policy';
-- the same again; nothing is left
SELECT count(*) FROM ((TABLE proposed EXCEPT SELECT row_number() OVER (), p.* FROM sdc_propose('visit', '{"people_found": 20}', workload => '{age < 40 AND cost > 500,"ward = ''west'' AND age > 70",insured = ''AB7''}') AS p)) AS d;
SELECT count(*) FROM sdc_releases WHERE release::text LIKE 'visit%';
-- with a workload its error is not larger than without one
SELECT (SELECT (parameters ->> 'workload_error')::float8 FROM proposed WHERE proposal = 'policy') <=
	(SELECT avg(e.error) FROM sdc_propose('visit', '{"people_found": 20}') AS p, sdc_private.propose_errors('visit', p.parameters -> 'steps',
		ARRAY(SELECT 'sdc_propose, fresh draw ' || d FROM generate_series(1, 8) AS d), '{id}', '{insured,scan,taxed}', '{}', NULL, '{age < 40 AND cost > 500,"ward = ''west'' AND age > 70",insured = ''AB7''}') AS e
	WHERE p.proposal = 'policy') AS no_larger;
-- the statement does it, and the limit is kept on ten draws that it has not seen
SELECT statement FROM sdc_propose('visit', '{"people_found": 20, "certain_percent": 2}') WHERE proposal = 'policy' \gset
SELECT substring(:'statement', '^SELECT sdc_policy_set\(policy => ''visit'', source => ''propose.visit''') IS NOT NULL AS statement;
:statement
CALL sdc_run('visit');
SELECT status, (SELECT array_agg(attname ORDER BY attnum) FROM pg_attribute WHERE attrelid = 'propose.visit_public'::regclass AND attnum > 0) AS columns FROM sdc_runs ORDER BY run DESC LIMIT 1;
DO $$
DECLARE
	steps jsonb := (SELECT jsonb_agg(s - 'continued') FROM sdc_policies, jsonb_array_elements(steps) AS s WHERE policy = 'visit');
	above int := 0;
BEGIN
	FOR draw IN 1 .. 10 LOOP
		PERFORM FROM sdc_protect('propose.visit', steps, 'propose.fresh', omit => '{insured,scan,taxed}', seed => draw);
		above := above + (SELECT (percent > 20)::int FROM sdc_people_found('propose.fresh') WHERE attack = 'any');
		DROP TABLE propose.fresh;
	END LOOP;
	RAISE INFO '% of 10 above the limit', above;
END $$;

-- kinds of columns: what names somebody, is written by people, is repeated, has codes, or follows from another one is asked for or left out, never just kept
CREATE TYPE mood AS ENUM ('sad', 'fair', 'glad');
CREATE DOMAIN short AS text CHECK (length(value) < 20);
CREATE TABLE kinds (id int PRIMARY KEY, hash text, hash4 int, zip int, city text, income int, years int, note text, kind text, nothing text, same int, flag boolean, mood mood, dom short,
	list int[], doc jsonb, wait interval, amount numeric(10, 3));
INSERT INTO kinds SELECT i, md5(i || 'x'), hashint4(i), 1000 + helper.below(i, 1, 20), 'city ' || helper.below(i, 1, 20) / 5, CASE WHEN helper.below(i, 2, 20) = 0 THEN 99999 ELSE helper.below(i, 3, 2000) END,
	CASE WHEN helper.below(i, 4, 15) = 0 THEN -9 ELSE helper.below(i, 5, 70) END, 'the patient has told at some length of case ' || helper.below(i, 6, 10),
	CASE WHEN helper.below(i, 7, 12) = 0 THEN 'other: ' || md5(i::text) ELSE 'kind ' || helper.below(i, 8, 6) END, NULL, 7, helper.below(i, 9, 2) = 0,
	(ARRAY['sad', 'fair', 'glad'])[1 + helper.below(i, 10, 3)]::mood, 'd' || helper.below(i, 11, 4), ARRAY[1], '{}', helper.below(i, 12, 24) * interval '1 hour', helper.below(i, 13, 9000) / 7.0
FROM generate_series(1, 600) AS i;
SELECT c.attribute, c.what, p.proposal, p.why, p.question
FROM sdc_private.propose_columns('kinds', '{id}', '{}') AS c, sdc_private.propose_column(c.what, c.role, c.records, c.different, c.whole, c.many, c.prefix, c.length, c.apart, c.follows) AS p ORDER BY c.number;
-- by plain SQL
SELECT f.different = (SELECT count(DISTINCT kind) FROM kinds) AS different, f.single = (SELECT count(*) FROM (SELECT FROM kinds GROUP BY kind HAVING count(*) = 1) AS s) AS single,
	abs(f.length - (SELECT avg(length(kind)) FROM kinds)) < 1e-9 AS length FROM sdc_private.column_facts('kinds', '{kind}') AS f;
SELECT f.apart = (SELECT count(*) FROM kinds WHERE income = 99999) AS income, y.apart = (SELECT count(*) FROM kinds WHERE years = -9) AS years
FROM sdc_private.column_facts('kinds', '{income}') AS f, sdc_private.column_facts('kinds', '{years}') AS y;
-- codes of one length are cut where that leaves few values: as many characters as plain SQL finds; not numbers of records, names or hashes
CREATE TABLE clinic AS SELECT i AS id, 1 + i / 3 AS patient, (1000 + helper.below(i, 1, 30) * helper.below(i, 2, 30))::text AS zip, chr(65 + helper.below(i, 3, 6)) || lpad(helper.below(i, 4, 60)::text, 2, '0') || '.' || helper.below(i, 5, 10) AS icd, 20 + helper.below(i, 6, 60) AS age,
	'P' || lpad(i::text, 5, '0') AS number, 'Mrs. ' || helper.below(i, 7, 500) AS name, (10000 + 37 * helper.below(1 + i / 3, 8, 150))::text AS area, CASE WHEN i % 3 = 0 THEN (100 + helper.below(i, 9, 300))::text END AS ward FROM generate_series(1, 900) AS i;
SELECT f.attribute, f.many, f.prefix, f.prefix IS NOT DISTINCT FROM (SELECT max(p.n) FROM (SELECT n, count(*) AS different, sum((records = 1)::int) AS single FROM (SELECT n, left(to_jsonb(c) ->> f.attribute, n) AS code, count(*) AS records FROM clinic AS c, generate_series(1, 5) AS n WHERE n < (SELECT max(length(to_jsonb(m) ->> f.attribute)) FROM clinic AS m) GROUP BY 1, 2) AS g GROUP BY n) AS p
	WHERE p.different BETWEEN 2 AND 90 AND p.single <= 45) OR (f.prefix IS NULL AND f.different = f.records) AS same FROM sdc_private.column_facts('clinic', '{zip,icd,number,name,area,ward}') AS f;
-- so are codes of which a few are missing in a word, or not whole, and those of a column that is wider
CREATE TABLE torn AS SELECT id, CASE WHEN id = 7 THEN '' WHEN id = 70 THEN 'unknown' WHEN id % 300 = 1 THEN left(zip, 2) WHEN id = 8 THEN 'né' WHEN id % 50 <> 3 THEN zip END AS zip, icd::char(12) AS icd,
	CASE WHEN id % 10 = 0 THEN 'n/a' ELSE zip END AS often, CASE WHEN id = 9 THEN 'Z' || repeat('ö', 20) ELSE icd END AS long FROM clinic;
SELECT f.attribute, f.prefix, f.prefix IS NOT DISTINCT FROM (SELECT max(p.n) FROM (SELECT n, count(*) AS different, sum((records = 1)::int) AS single FROM (SELECT n, CASE WHEN length(code) <= n THEN code ELSE left(code, n) || '*' END AS cut, count(*) AS records
	FROM (SELECT rtrim(to_jsonb(t) ->> f.attribute) AS code FROM torn AS t) AS t, generate_series(1, CASE WHEN f.attribute IN ('icd', 'long') THEN 4 ELSE 3 END) AS n GROUP BY 1, 2) AS g GROUP BY n) AS p WHERE p.different BETWEEN 2 AND 90 AND p.single <= 45 AND f.attribute <> 'often') AS same
FROM sdc_private.column_facts('torn', '{zip,icd,often,long}') AS f;
CREATE TEMP TABLE cut AS SELECT row_number() OVER () AS n, p.* FROM sdc_propose('clinic', '{"people_found": 10}', key => '{id}') AS p;
SELECT attribute, proposal, CASE WHEN proposal = 'recode' THEN parameters END AS parameters, why, question FROM cut WHERE attribute IN ('zip', 'icd', 'ward', 'number', 'name') ORDER BY n;
SELECT parameters #> '{steps,0}' AS first, (parameters ->> 'people_found')::float8 <= 10 AS kept, abs(d.people_found - (parameters ->> 'people_found')::float8) < 1e-9 AS people FROM cut, drawn('clinic', parameters -> 'steps', '{number,name}', NULL) AS d WHERE proposal = 'policy';
SELECT statement FROM cut WHERE proposal = 'policy' \gset
:statement
CALL sdc_run('clinic');
SELECT count(*) AS records, count(*) FILTER (WHERE zip !~ '^[0-9]+\*$' OR icd !~ '^[A-Z0-9]+\*$') AS whole FROM clinic_public;
SELECT sdc_withdraw('clinic_public', 'over');
SELECT sdc_policy_drop('clinic');
-- a cut that is enough is all, and is continued; what it loses is counted by what values become, so not all codes are suppressed
CREATE TABLE cut_alone AS SELECT i AS id, chr(65 + i % 4) || lpad((i * 7919 % 90)::text, 2, '0') AS icd, 'w' || i % 3 AS ward FROM generate_series(1, 1000) AS i;
SELECT parameters -> 'steps' AS steps, strpos(statement, '"continued": true') > 0 AS continued, (parameters ->> 'people_found')::float8 < 15 AS kept FROM sdc_propose('cut_alone', '{"people_found": 15}', key => '{id}') WHERE proposal = 'policy';
CREATE TABLE cut_more AS SELECT i AS id, (10000 + i * 7919 % 1000 * 10)::text AS zip, 'w' || i % 3 AS ward FROM generate_series(1, 1500) AS i;
CREATE TEMP TABLE cut_most AS SELECT p.* FROM sdc_propose('cut_more', '{"people_found": 5}', key => '{id}') AS p WHERE proposal = 'policy';
SELECT parameters #> '{steps,0}' AS first, (parameters ->> 'count_error')::float8 > 0 AS count_error FROM cut_most;
SELECT FROM cut_most AS c, sdc_protect('cut_more', c.parameters -> 'steps', 'propose.cut_release', key => '{id}', keep => '{ward}', seed => 1);
SELECT count(zip) AS codes FROM cut_release;
DROP TABLE cut_release;
-- where records of a unit differ their codes are left out
SELECT attribute, proposal, CASE WHEN proposal = 'recode' THEN parameters END AS parameters, why FROM sdc_propose('clinic', '{"people_found": 30}', key => '{id}', unit => '{patient}') WHERE attribute IN ('zip', 'area');
-- few records, one column, none, no records
CREATE TABLE ten AS SELECT i AS id, helper.below(i, 1, 80) AS age, 'c' || helper.below(i, 2, 5) AS cat FROM generate_series(1, 10) AS i;
CREATE TABLE name AS SELECT i AS id, md5(i::text) AS name FROM generate_series(1, 300) AS i;
SELECT attribute, proposal, why FROM sdc_propose('ten', '{"people_found": 30}', key => '{id}');
SELECT attribute, proposal, why FROM sdc_propose('name', '{"people_found": 30}', key => '{id}');
TRUNCATE ten;
SELECT attribute, proposal, why FROM sdc_propose('ten', '{"people_found": 30}', key => '{id}');
-- categories only: the method with the least error of counts
CREATE TABLE answers AS SELECT i AS id, 'a' || helper.below(i, 1, 4) AS a, 'b' || helper.below(i, 2, 6) AS b, 'c' || helper.below(i, 3, 9) AS c FROM generate_series(1, 300) AS i;
CREATE TEMP TABLE answered AS SELECT * FROM sdc_propose('answers', '{"people_found": 8}', key => '{id}');
SELECT proposal, parameters -> 'il' AS il, (parameters ->> 'people_found')::float8 <= 8 AS kept, (parameters ->> 'count_error')::float8 > 0 AS count_error FROM answered WHERE attribute IS NULL;
SELECT bool_and(abs(d.people_found - (a.parameters ->> 'people_found')::float8) < 1e-9) AS people FROM answered AS a, drawn('answers', a.parameters -> 'steps', NULL, NULL) AS d WHERE a.attribute IS NULL;
-- units; a mixture of methods has the figures of sdc_protect
CREATE TABLE stay AS SELECT 1 + i / 4 AS person, i AS id, helper.below(i, 1, 80) AS age, 'c' || helper.below(i, 2, 5) AS cat FROM generate_series(1, 300) AS i;
CREATE TEMP TABLE stayed AS SELECT * FROM sdc_propose('stay', '{"people_found": 12}', key => '{id}', unit => '{person}');
SELECT attribute, proposal FROM stayed WHERE attribute IS NOT NULL;
SELECT jsonb_array_length(s.parameters -> 'steps') AS steps, abs(d.people_found - (s.parameters ->> 'people_found')::float8) < 1e-9 AS people, abs(d.il - (s.parameters ->> 'il')::float8) < 1e-9 * d.il AS il
FROM stayed AS s, drawn('stay', s.parameters -> 'steps', NULL, '{person}') AS d WHERE s.attribute IS NULL;
-- categories of units and of their records are drawn in steps of their own
CREATE TABLE household AS SELECT i AS id, 1 + i / 2 AS home, 'r' || helper.below(1 + i / 2, 4, 3) AS region, 'j' || helper.below(i, 5, 4) AS job FROM generate_series(1, 200) AS i;
CREATE TEMP TABLE housed AS SELECT * FROM sdc_propose('household', '{"people_found": 4}', key => '{id}', unit => '{home}');
SELECT proposal, (parameters ->> 'people_found')::float8 <= 4 AS kept FROM housed WHERE attribute IS NULL;
SELECT bool_and(abs(d.people_found - (h.parameters ->> 'people_found')::float8) < 1e-9) AS people
FROM housed AS h, drawn('household', h.parameters -> 'steps', ARRAY(SELECT attribute FROM housed WHERE proposal = 'omit'), '{home}') AS d WHERE h.attribute IS NULL;
SELECT sdc_private.propose_apart('[[{"method": "pram", "columns": ["region", "job", "age"], "retain": 0.5}, {"method": "randomize", "qi": ["region", "job"], "draws": 1}], [{"method": "rankswap", "columns": ["region", "job"], "p": 5}]]',
	'{"region": {"level": "unit"}, "job": {"level": "row"}, "age": {"level": "unit"}}', NULL) AS apart;
-- roles, units
SELECT sdc_classify('visit', 'ward', 'identifier'), sdc_classify('visit', 'insured', 'sensitive'), sdc_classify('visit', 'age', 'sensitive');
SELECT attribute, proposal, why FROM sdc_propose('visit', '{"people_found": 60}', unit => '{patient}') WHERE attribute IN ('ward', 'insured', 'age', 'patient', 'id') ORDER BY attribute;
-- what cannot be had: the limit is below what a guess finds
CREATE TABLE few AS SELECT id, cost FROM visit WHERE id < 6;
SELECT attribute, proposal, why FROM sdc_propose('few', '{"people_found": 1}', key => '{id}');
\set SHOW_CONTEXT never
SELECT sdc_propose(NULL, '{"people_found": 5}');
SELECT sdc_propose('visit', NULL);
SELECT sdc_propose('visit', '{}');
SELECT sdc_propose('visit', '{"people_found": 101}');
SELECT sdc_propose('visit', '{"people_found": 5, "luck": 1}');
SELECT sdc_propose('visit', '[]');
SELECT sdc_propose('few', '{"people_found": 5}');
SELECT sdc_propose('visit', '{"people_found": 5}', workload => '{"age > nobody"}');
SELECT sdc_propose('visit', '{"people_found": 5}', workload => '{NULL}');
SELECT sdc_propose('visit', '{"people_found": 5}', key => '{nobody}');

SELECT sdc_policy_drop('visit');
DROP SCHEMA propose CASCADE;
