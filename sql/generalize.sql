--
-- generalize
--
-- What generalization promises: groups of enough records and enough sensitive values, and
-- for each the range or the set of the values that its records have.
--
\pset format unaligned
\pset footer off
SET client_min_messages = warning;
\set VERBOSITY terse
CREATE SCHEMA generalized;
SET search_path = generalized, public;
SELECT helper.make_people('generalized.people', 600);

-- group_quality returns, from the release alone, the smallest number of records, and the
-- smallest exp of the entropy of a sensitive column, in the groups of equal released values.
CREATE FUNCTION group_quality(release regclass, qi name[], sensitive name) RETURNS TABLE (groups bigint, k bigint, l numeric) LANGUAGE plpgsql AS $$
DECLARE
	names text := (SELECT string_agg(format('%I', c), ', ') FROM unnest(qi) AS c);
BEGIN
	RETURN QUERY EXECUTE format('SELECT count(*), min(n)::bigint, round(min(exp(h))::numeric, 6) FROM (
			SELECT sum(n) AS n, -sum(n / total * ln(n / total)) AS h
			FROM (SELECT DENSE_RANK() OVER (ORDER BY %1$s) AS g, n, sum(n) OVER (PARTITION BY %1$s) AS total FROM (SELECT %1$s, %2$I AS s, count(*)::float8 AS n FROM %3$s GROUP BY %1$s, %2$I) AS v) AS v GROUP BY g) AS g',
		names, sensitive, release);
END
$$;

-- check_generalized returns what is wrong with a release, or how many columns are as they must
-- be.  Every group has the range from its smallest to its largest value, or NULL
-- where a value is missing, or the array of its distinct values in ascending order; all else is as
-- it was; groups are numbered from 1 on, and no two have the same released values.
CREATE FUNCTION check_generalized(release regclass) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	entry record;
	att record;
	problems text[] := '{}';
	checked int := 0;
	pairs text := helper.pairs(release);
	expected text;
	strata text;
BEGIN
	SELECT * INTO STRICT entry FROM sdc_releases AS r WHERE r.release = check_generalized.release;
	problems := problems || CASE WHEN helper.count_of('SELECT count(*) FROM ' || pairs) <> entry.records
			OR helper.count_of('SELECT count(*) FROM ' || release) <> entry.records THEN 'other records' END
		|| CASE WHEN helper.count_of(format('SELECT coalesce(max(group_id), 0) - count(DISTINCT group_id) + coalesce(min(group_id), 1) - 1 FROM %s', release)) <> 0 THEN 'group_id has gaps' END;
	FOR att IN SELECT attname AS name, atttypid, atttypid::regtype::text LIKE '%range' AS is_range FROM pg_attribute
		WHERE attrelid = release AND attnum > 0 AND attname NOT IN ('sdc_row', 'group_id') ORDER BY attnum
	LOOP
		checked := checked + 1;
		IF att.name <> ALL (entry.columns) THEN
			problems := problems || helper.check_column(release, att.name, false, NULL);
			CONTINUE;
		END IF;
		expected := CASE WHEN att.is_range
			THEN format('CASE WHEN count(s.%1$I) = count(*) THEN %2$s(min(s.%1$I::text::%3$s), max(s.%1$I::text::%3$s), ''[]'') END', att.name, att.atttypid::regtype,
				(SELECT rngsubtype::regtype FROM pg_range WHERE rngtypid = att.atttypid))
			ELSE format('array_agg(DISTINCT s.%1$I%2$s)', att.name,
				(SELECT ' COLLATE "C"' FROM pg_attribute AS a WHERE attrelid = entry.source AND attname = att.name AND attcollation <> 0)) END;
		IF helper.count_of(format('SELECT count(*) FROM (SELECT group_id, %1$s AS v FROM %2$s GROUP BY group_id) AS e JOIN %3$s AS r USING (group_id) WHERE r.%4$I::text IS DISTINCT FROM e.v::text',
				expected, pairs, release, att.name)) > 0 THEN
			problems := problems || format('%I has other ranges or sets', att.name);
		END IF;
	END LOOP;
	strata := (SELECT coalesce(string_agg(format(', r.%I::text', g), ''), '') FROM unnest(entry.strata) AS g);
	IF helper.count_of(format('SELECT count(*) FROM (SELECT FROM (SELECT DISTINCT group_id %1$s%2$s FROM %3$s AS r) AS d GROUP BY group_id HAVING count(*) > 1) AS g', strata,
			(SELECT string_agg(format(', r.%I::text', c), '') FROM unnest(entry.qi) AS c), release)) > 0 THEN
		problems := problems || 'a group has more than one value'::text;
	END IF;
	problems := array_remove(problems, NULL);
	RETURN CASE WHEN problems = '{}' THEN format('ok, %s columns', checked) ELSE array_to_string(problems, '; ') END;
END
$$;

-- k only, l only, both.
SELECT attribute, action, records, changed > 500 AS mostly FROM sdc_generalize('people', '{region,age,sex}', k => 5);
SELECT count(*) FROM sdc_generalize('people', '{region,age,sex}', '{job}', l => 4, target => 'by_l');
SELECT count(*) FROM sdc_generalize('people', '{region,age,sex}', '{job}', l => 3.5, k => 30, target => 'by_both');
SELECT count(*) FROM sdc_generalize('people', '{region,age,sex}', '{job}', k => 7, target => 'by_k');
SELECT release, check_generalized(release), parameters, columns, strata, qi, sensitive, records FROM sdc_releases WHERE source = 'people'::regclass ORDER BY release::text COLLATE "C";
SELECT release, groups > 8 AS some_groups, k, k >= (parameters ->> 'k')::int AS has_k, l, l >= (parameters ->> 'l')::numeric AS has_l
FROM sdc_releases, LATERAL group_quality(release, qi, 'job') WHERE source = 'people'::regclass ORDER BY release::text COLLATE "C";
-- the check finds what is wrong
BEGIN;
UPDATE by_k SET age = int4range(lower(age), upper(age) + 1) WHERE group_id = 1;
UPDATE by_k SET sex = '{f}' WHERE group_id = (SELECT min(group_id) FROM by_k WHERE cardinality(sex) = 2);
UPDATE by_k SET group_id = group_id + 1, income = income + 1 WHERE id = 5;
SELECT check_generalized('by_k');
ROLLBACK;
-- the released values alone tell the groups
SELECT count(DISTINCT group_id) = count(DISTINCT (region, age, sex)) AS recovered, count(DISTINCT (group_id, region, age, sex)) = count(DISTINCT group_id) AS one_each FROM by_l;
-- changed counts the records whose value is not told exactly
CREATE TEMP TABLE report AS SELECT attribute, changed FROM sdc_generalize('people', '{region,age,job}', k => 3, target => 'again');
SELECT attribute, changed = CASE attribute WHEN 'age' THEN (SELECT count(*) FROM again WHERE upper(age) - lower(age) > 1) WHEN 'region' THEN (SELECT count(*) FROM again WHERE cardinality(region) > 1)
	WHEN 'job' THEN (SELECT count(*) FROM again WHERE cardinality(job) > 1) ELSE 0 END AS counted, changed > 0 AS any FROM report;
SELECT check_generalized('again'), count(*) FILTER (WHERE job[cardinality(job)] IS NULL) > 50 AS sets_with_null FROM again;

-- The groups of LeFevre, DeWitt and Ramakrishnan's algorithm: by the widest attribute, at the
-- median.  Here the order of the cuts can be followed by hand.
CREATE TABLE small (id int PRIMARY KEY, a int, b int, s text);
INSERT INTO small VALUES (1, 1, 1, 'x'), (2, 2, 1, 'y'), (3, 3, 2, 'x'), (4, 4, 2, 'y'), (5, 5, 1, 'x'), (6, 6, 2, 'y'), (7, 7, 2, 'x'), (8, 8, 1, 'y'), (9, 9, 1, 'x');
SELECT count(*) FROM sdc_generalize('small', '{a,b}', k => 2);
SELECT group_id, a, b, array_agg(id ORDER BY id) AS ids FROM small_generalize GROUP BY 1, 2, 3 ORDER BY 1;
SELECT count(*) FROM sdc_generalize('small', '{a,b}', k => 4, replace => true);
SELECT group_id, a, b, array_agg(id ORDER BY id) AS ids FROM small_generalize GROUP BY 1, 2, 3 ORDER BY 1;
-- k = 1: every combination of values by itself; k of all records: one group
SELECT count(*) FROM sdc_generalize('small', '{a,b}', k => 1, replace => true);
SELECT count(*) AS exact FROM small AS s JOIN small_generalize AS r USING (id) WHERE r.a = int4range(s.a, s.a, '[]') AND r.b = int4range(s.b, s.b, '[]');
SELECT count(*) FROM sdc_generalize('small', '{a,b}', k => 9, replace => true);
SELECT DISTINCT group_id, a, b FROM small_generalize;
SELECT count(*) FROM sdc_generalize('small', '{a,b}', '{s}', l => 1, replace => true);
SELECT check_generalized('small_generalize'), count(DISTINCT group_id) FROM small_generalize;
-- exactly two values in equal parts have a diversity of 2
SELECT count(*) FROM sdc_generalize('small', '{a}', '{s}', l => 1.9, replace => true);
SELECT group_quality('small_generalize', '{a}', 's');
-- equal records are never parted, even if a group is then larger than need be
CREATE TABLE ties AS SELECT i AS id, i / 10 AS a, 'same' AS b FROM generate_series(0, 99) AS i;
SELECT attribute, action, changed FROM sdc_generalize('ties', '{a,b}', k => 3, key => '{id}');
SELECT count(DISTINCT group_id), min(n), max(n) FROM (SELECT group_id, count(*) AS n FROM ties_generalize GROUP BY 1) AS g;

-- Strata: groups are within them, and each stratum has k and l by itself.
SELECT count(*) FROM sdc_generalize('people', '{age,income}', '{region}', l => 3, k => 5, strata => '{job,sex}', target => 'by_strata');
SELECT check_generalized('by_strata'), (SELECT count(*) FROM (SELECT group_id FROM by_strata GROUP BY 1 HAVING count(DISTINCT (coalesce(job, ''), sex)) > 1) AS g) AS mixed FROM sdc_releases WHERE release = 'by_strata'::regclass;
SELECT groups >= 12 AS some_groups, k >= 5 AS has_k, l >= 3 AS has_l FROM group_quality('by_strata', '{group_id}', 'region');
SELECT helper.catch(format('SELECT * FROM sdc_generalize(''people'', ''{age,income}'', k => %s, strata => ''{job,sex}'', target => ''nothing'')', least + 1)) = format(E'22023: argument "k" is larger than the number of records of a stratum\n  hint: It must be between 1 and %s.', least) AS too_large
FROM (SELECT min(n) AS least FROM (SELECT count(*) AS n FROM people GROUP BY job, sex) AS g) AS l;
-- the largest feasible l in the hint is feasible, and just so
CREATE TABLE refused AS SELECT helper.catch($$SELECT * FROM sdc_generalize('people', '{age,income}', '{region}', l => 3.999, strata => '{job,sex}', target => 'nothing')$$) AS message;
SELECT regexp_replace(message, '3\.\d+', '3...') FROM refused;
SELECT count(*) FROM refused, LATERAL (SELECT substring(message FROM 'feasible l is (3\.\d+)')::float8 AS l) AS l, LATERAL sdc_generalize('people', '{age,income}', '{region}', l => l, strata => '{job,sex}', target => 'just_so');
SELECT check_generalized('just_so'), l - substring(message FROM 'feasible l is (3\.\d+)')::numeric BETWEEN 0 AND 0.0001 AS just_so FROM group_quality('just_so', '{group_id}', 'region'), refused;

-- No randomness: with any seed or none the same, whatever the physical order and plan.
CREATE TABLE people_shuffled (LIKE people INCLUDING INDEXES);
INSERT INTO people_shuffled SELECT * FROM people ORDER BY md5(id::text);
SELECT count(*) FROM sdc_generalize('people_shuffled', '{region,age,sex}', '{job}', l => 4);
SET maintenance_work_mem = '1MB';
SELECT count(*) FROM sdc_generalize('people'::regclass, '{region,age,sex}', '{job}', l => 4, target => 'by_oid');
RESET maintenance_work_mem;
SELECT helper.fingerprint(r, 'id') = helper.fingerprint('by_l', 'id') AS same FROM unnest('{people_shuffled_generalize,by_oid}'::regclass[]) AS r;
-- names of groups follow the attributes as they are named: a tie of widths goes to the first
SELECT count(*) FROM sdc_generalize('people', '{sex,age,region}', '{job}', l => 4, target => 'other_order');
SELECT qi, columns, check_generalized(release) FROM sdc_releases WHERE release = 'other_order'::regclass;

-- Records: none, one.
CREATE TABLE few (id int PRIMARY KEY, a int, b text);
SELECT attribute, action, records, changed FROM sdc_generalize('few', '{a,b}', k => 5);
SELECT column_name, data_type FROM information_schema.columns WHERE table_name = 'few_generalize' AND table_schema = 'generalized' ORDER BY ordinal_position;
SELECT count(*) FROM sdc_generalize('few', '{a}', '{b}', l => 3, replace => true);
SELECT check_generalized('few_generalize');
INSERT INTO few VALUES (1, NULL, 'x');
SELECT helper.catch($$SELECT * FROM sdc_generalize('few', '{a}', '{b}', l => 3, replace => true)$$);
SELECT count(*) FROM sdc_generalize('few', '{a,b}', k => 1, replace => true);
TABLE few_generalize;

-- Without a key, from a view, a partitioned table.
CREATE TABLE keyless AS SELECT age, job, sex FROM people ORDER BY id;
SELECT count(*) FROM sdc_generalize('keyless', '{age,sex}', '{job}', l => 3);
SELECT check_generalized('keyless_generalize');
CREATE VIEW seen AS SELECT id, age, job FROM people WHERE region = 'north';
SELECT count(*) FROM sdc_generalize('seen', '{age}', '{job}', l => 3, key => '{id}');
SELECT check_generalized('seen_generalize');
CREATE TABLE parted (LIKE people) PARTITION BY LIST (sex);
CREATE TABLE parted_f PARTITION OF parted FOR VALUES IN ('f');
CREATE TABLE parted_m PARTITION OF parted FOR VALUES IN ('m');
INSERT INTO parted SELECT * FROM people;
SELECT count(*) FROM sdc_generalize('parted', '{region,age,sex}', '{job}', l => 4, key => '{id}');
SELECT helper.fingerprint('parted_generalize', 'id') = helper.fingerprint('by_l', 'id') AS same;

-- Replacing: with the same and with other columns.
SELECT sdc_classify('people', 'born', 'identifier');
SELECT attribute, action FROM sdc_generalize('people', '{region,age,sex}', k => 5, omit => '{weight}', replace => true) WHERE action = 'omitted';
SELECT check_generalized('people_generalize');
SELECT helper.catch($$SELECT * FROM sdc_generalize('people', '{age}', k => 5)$$);
SELECT count(*) FROM sdc_generalize('people', '{age}', k => 2, keep => '{region,sex,income,weight,savings,job}', replace => true);
SELECT check_generalized('people_generalize'), columns, omitted FROM sdc_releases WHERE release = 'people_generalize'::regclass;

-- How much of its column a group has: the mean over the records, by its definition.  Missing values are a value of a set, and make a range that has all.
CREATE FUNCTION spans(release regclass) RETURNS TABLE (attribute name, percent int) LANGUAGE plpgsql AS $$
DECLARE
	original regclass := (SELECT r.source FROM sdc_releases AS r WHERE r.release = $1);
	ranges boolean;
BEGIN
	FOR attribute IN SELECT a.attname FROM pg_attribute AS a, sdc_releases AS r WHERE a.attrelid = original AND a.attname = ANY (r.columns) AND r.release = $1 ORDER BY a.attnum
	LOOP
		ranges := (SELECT t.typtype = 'r' FROM pg_attribute AS a JOIN pg_type AS t ON t.oid = a.atttypid WHERE a.attrelid = $1 AND a.attname = attribute);
		EXECUTE format($x$WITH own AS (SELECT DISTINCT %1$I AS v FROM %2$s), alone AS (SELECT r.group_id FROM %3$s AS r JOIN %2$s AS s USING (id)
				GROUP BY r.group_id HAVING count(DISTINCT s.%1$I) + (count(*) > count(s.%1$I))::int = 1)
			SELECT coalesce(floor(100 * avg(CASE WHEN r.group_id IN (TABLE alone) THEN 0 ELSE (SELECT count(*) FROM own WHERE %4$s)::numeric END
				/ nullif((SELECT count(*) FROM own WHERE %5$s), 0)) + 1e-9), 0)::int FROM %3$s AS r$x$, attribute, original, $1,
			CASE WHEN ranges THEN format('v IS NOT NULL AND (r.%1$I IS NULL OR v >= lower(r.%1$I) AND (v < upper(r.%1$I) OR upper_inc(r.%1$I) AND v = upper(r.%1$I)))', attribute) ELSE format('array_position(r.%I, v) IS NOT NULL', attribute) END,
			CASE WHEN ranges THEN 'v IS NOT NULL' ELSE 'true' END) INTO percent;
		RETURN NEXT;
	END LOOP;
END
$$;
CREATE FUNCTION check_spans(release regclass) RETURNS text LANGUAGE sql AS $$
	SELECT CASE WHEN array_agg((d.attribute, d.percent) ORDER BY d.attribute) = (SELECT array_agg((m.attribute, m.percent) ORDER BY m.attribute) FROM sdc_private.group_spans($1) AS m)
		THEN 'as defined' ELSE 'differs' END || ': ' || string_agg(format('%s %s', d.attribute, d.percent), ', ' ORDER BY d.attribute) FROM spans($1) AS d
$$;
CREATE TABLE wide AS SELECT i AS id, i % 7 AS age, i AS zip, i % 2 = 0 AS sex, CASE WHEN i % 5 > 0 THEN i % 3 END AS missing, CASE WHEN i % 5 > 0 THEN chr(65 + i % 4) END AS letter,
	date '2000-01-01' + i / 3 AS day, (i / 7.0)::numeric(6,2) AS amount, (i - 1) / 10 AS part, 1 AS same FROM generate_series(1, 30) AS i;
ALTER TABLE wide ADD PRIMARY KEY (id);
-- one group, two groups with a column that is never cut beside one that is, and four
\set VERBOSITY default
SELECT count(*) FROM sdc_generalize('wide', '{age,zip}', k => 20, keep => '{}', target => 'wide_1');
SELECT count(*) FROM sdc_generalize('wide', '{zip,sex}', k => 10, keep => '{}', target => 'wide_2');
\set VERBOSITY terse
SELECT count(*) FROM sdc_generalize('wide', '{zip,sex,same}', k => 5, keep => '{}', target => 'wide_3');
-- narrow ones
SELECT count(*) FROM sdc_generalize('wide', '{zip}', k => 3, keep => '{}', target => 'wide_4');
SELECT count(*) FROM sdc_generalize('wide', '{sex}', k => 3, keep => '{}', target => 'wide_5');
SELECT count(*) FROM sdc_generalize('wide', '{same}', k => 3, keep => '{}', target => 'wide_6');
-- l, strata of one group each, missing values, other types
SELECT count(*) FROM sdc_generalize('wide', '{day,amount}', '{age}', l => 6, keep => '{}', target => 'wide_7');
SELECT count(*) FROM sdc_generalize('wide', '{age,zip}', k => 9, strata => '{part}', keep => '{}', omit => '{part}', target => 'wide_8');
SELECT count(*) FROM sdc_generalize('wide', '{missing,letter}', k => 6, keep => '{}', target => 'wide_9');
-- in a step, beside another one; nothing is said in a trial
SELECT count(*) FROM sdc_protect('wide', '[{"method": "generalize", "qi": ["age", "sex"], "k": 12}, {"method": "rankswap", "columns": ["zip"], "p": 20}]', keep => '{}', target => 'wide_step', seed => 1);
SELECT release, check_spans(release::regclass) FROM unnest('{wide_1,wide_2,wide_3,wide_4,wide_5,wide_6,wide_7,wide_8,wide_9,by_l}'::text[]) AS release;
SELECT * FROM sdc_private.group_spans('wide_step');
SELECT count(*) FROM sdc_rankswap('wide', p => 10, columns => '{zip}', keep => '{}', seed => 1);
SELECT * FROM sdc_private.group_spans('wide_rankswap');
