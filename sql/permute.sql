--
-- permute
--
-- What permutation promises: within groups of diverse sensitive values these are shuffled,
-- and nothing else changes; two views show what can be published.
--
\pset format unaligned
\pset footer off
SET client_min_messages = warning;
\set VERBOSITY terse
CREATE SCHEMA permuted;
SET search_path = permuted, public;
SELECT helper.make_people('permuted.people', 600);

-- check_permuted returns what is wrong with a release, or how many columns are as they must
-- be: each group has the sensitive values that its records had, all else is as it was, and
-- groups are numbered from 1 on.
CREATE FUNCTION check_permuted(release regclass) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	entry record;
	name name;
	problems text[] := '{}';
	checked int := 0;
	pairs text := helper.pairs(release);
	old text;
	new text;
BEGIN
	SELECT * INTO STRICT entry FROM sdc_releases AS r WHERE r.release = check_permuted.release;
	problems := problems || CASE WHEN helper.count_of('SELECT count(*) FROM ' || pairs) <> entry.records
			OR helper.count_of('SELECT count(*) FROM ' || release) <> entry.records THEN 'other records' END
		|| CASE WHEN helper.count_of(format('SELECT coalesce(max(group_id), 0) - count(DISTINCT group_id) + coalesce(min(group_id), 1) - 1 FROM %s', release)) <> 0 THEN 'group_id has gaps' END;
	FOR name IN SELECT attname FROM pg_attribute WHERE attrelid = release AND attnum > 0 AND NOT attisdropped AND attname NOT IN ('sdc_row', 'group_id') ORDER BY attnum LOOP
		checked := checked + 1;
		problems := problems || helper.check_column(release, name, false, NULL) || NULL::text;
		IF name = ANY (entry.sensitive) THEN
			problems := array_remove(array_remove(problems, NULL), helper.check_column(release, name, false, NULL));
			old := format('SELECT r.group_id, s.%I::text COLLATE "C" FROM %s', name, pairs);
			new := format('SELECT r.group_id, r.%I::text COLLATE "C" FROM %s', name, pairs);
			IF helper.count_of(format('SELECT count(*) FROM (%s EXCEPT ALL %s) AS d', old, new)) + helper.count_of(format('SELECT count(*) FROM (%s EXCEPT ALL %s) AS d', new, old)) > 0 THEN
				problems := problems || format('groups have other values of %I', name);
			END IF;
		END IF;
	END LOOP;
	IF helper.count_of(format('SELECT count(*) FROM (SELECT FROM (SELECT DISTINCT group_id %s FROM %s AS s) AS d GROUP BY group_id HAVING count(*) > 1) AS g',
			(SELECT coalesce(string_agg(format(', s.%I::text', g), ''), '') FROM unnest(entry.strata) AS g), release)) > 0 THEN
		problems := problems || 'groups go across strata'::text;
	END IF;
	problems := array_remove(problems, NULL);
	RETURN CASE WHEN problems = '{}' THEN format('ok, %s columns', checked) ELSE array_to_string(problems, '; ') END;
END
$$;

-- group_diversity returns the number of groups, the smallest number of records and of
-- different sensitive values in one, and the smallest exp of their entropy.
CREATE FUNCTION group_diversity(release regclass, sensitive name) RETURNS TABLE (groups bigint, fewest float8, distinct_l bigint, most_frequent numeric, entropy_l numeric) LANGUAGE plpgsql AS $$
BEGIN
	RETURN QUERY EXECUTE format('SELECT count(*), min(n), min(v), round(max(most / n)::numeric, 4), round(min(exp(h))::numeric, 4) FROM (
		SELECT sum(n) AS n, count(*) AS v, max(n) AS most, -sum(n / total * ln(n / total)) AS h FROM (SELECT group_id, n, sum(n) OVER (PARTITION BY group_id) AS total
			FROM (SELECT group_id, %I AS s, count(*)::float8 AS n FROM %s GROUP BY 1, 2) AS c) AS c GROUP BY group_id) AS g', sensitive, release);
END
$$;

-- Anatomy: every group has l records with different values or a few more; no group has one twice.
SELECT attribute, action, records, changed > 300 AS mostly FROM sdc_permute('people', '{region,age,sex}', '{job}', l => 4, seed => 1);
SELECT count(*) FROM sdc_permute('people', '{region,age,sex}', '{job}', l => 5, seed => 1, target => 'five');
SELECT count(*) FROM sdc_permute('people', '{region,age,sex}', '{job}', l => 4.5, grouping_method => 'mondrian', seed => 1, target => 'mondrian');
SELECT count(*) FROM sdc_permute('people', '{region,age,sex}', '{savings}', l => 6, grouping_method => 'mondrian', seed => 1, target => 'amounts', force => true);
SELECT release, check_permuted(release), parameters, columns, key, qi, sensitive, records FROM sdc_releases WHERE source = 'people'::regclass ORDER BY release::text COLLATE "C";
SELECT release, d.* FROM sdc_releases, LATERAL group_diversity(release, sensitive[1]) AS d WHERE source = 'people'::regclass ORDER BY release::text COLLATE "C";
-- as many groups as the number of records allows, and of l records each but for a few
SELECT max(n), count(*) FILTER (WHERE n > 4) < 4 AS few_larger FROM (SELECT group_id, count(*) AS n FROM people_permute GROUP BY 1) AS g;
-- the check finds what is wrong
BEGIN;
UPDATE five SET job = 'spy' WHERE id = 3;
UPDATE five SET age = age + 1 WHERE id = 3;
UPDATE five SET group_id = group_id + 1;
SELECT check_permuted('five');
ROLLBACK;
-- changed counts the records whose value differs
CREATE TEMP TABLE report AS SELECT * FROM sdc_permute('people', '{region,age,sex}', '{job}', l => 4, seed => 1, target => 'again') WHERE attribute = 'job';
SELECT action, changed = (SELECT count(*) FROM people AS s JOIN again AS r USING (id) WHERE s.job IS DISTINCT FROM r.job) AS counted FROM report;

-- The permutation is uniform in its group: of 8 values of one group each record gets each in an
-- eighth of the releases (chi-square of 1 % with 49 degrees of freedom)
CREATE TABLE one_group AS SELECT i AS id, i AS q, 'v' || i AS s FROM generate_series(1, 8) AS i;
CREATE TABLE outcomes (id int, s text);
DO $$
BEGIN
	FOR i IN 1 .. 400 LOOP
		INSERT INTO outcomes SELECT id, s FROM sdc_permute(NULL::one_group, '{q}', '{s}', l => 8, key => '{id}', seed => i);
	END LOOP;
END
$$;
SELECT count(*) AS cells, sum((n - 50) ^ 2 / 50.0) < 76 AS uniform FROM (SELECT count(*) AS n FROM outcomes GROUP BY id, s) AS c;

-- Groups do not depend on the quasi-identifiers with Anatomy, but do with Mondrian.
SELECT (SELECT sum(a) FROM (SELECT max(age) - min(age) AS a FROM people_permute GROUP BY group_id) AS g) > 2 * (SELECT sum(a) FROM (SELECT max(age) - min(age) AS a FROM mondrian GROUP BY group_id) AS g) AS anatomy_is_wider;
-- those of Mondrian are the ones of sdc_generalize
SELECT count(*) FROM sdc_generalize('people', '{region,age,sex}', '{job}', l => 4.5);
SELECT count(DISTINCT (a.group_id, b.group_id)) = count(DISTINCT a.group_id) AS same_groups FROM mondrian AS a JOIN people_generalize AS b USING (id);

-- l that is not feasible, and force.
SELECT helper.catch($$SELECT * FROM sdc_permute('people', '{age}', '{job}', l => 6, target => 'x')$$), helper.catch($$SELECT * FROM sdc_permute('people', '{age}', '{sex}', l => 5, target => 'x')$$);
SELECT helper.catch($$SELECT * FROM sdc_permute('people', '{age}', '{job}', l => 5.99, grouping_method => 'mondrian', target => 'x')$$);
SELECT floor(600.0 / max(n)) AS feasible FROM (SELECT count(*) AS n FROM people GROUP BY job) AS v;
CREATE TABLE skewed AS SELECT i AS id, i % 10 AS q, CASE WHEN i <= 50 THEN 'frequent' ELSE 'v' || i % 7 END AS s FROM generate_series(1, 100) AS i;
SELECT count(*) FROM sdc_permute('skewed', '{q}', '{s}', l => 2, key => '{id}', seed => 1);
SELECT * FROM group_diversity('skewed_permute', 's');
SELECT helper.catch($$SELECT * FROM sdc_permute('skewed', '{q}', '{s}', l => 3, key => '{id}', target => 'x')$$);
SELECT count(*) FROM sdc_permute('skewed', '{q}', '{s}', l => 3, key => '{id}', force => true, seed => 1, replace => true);
SELECT check_permuted(release), parameters FROM sdc_releases WHERE release = 'skewed_permute'::regclass;
SELECT groups, fewest, distinct_l FROM group_diversity('skewed_permute', 's');
SELECT count(*) FROM sdc_permute('skewed', '{q}', '{s}', l => 20, key => '{id}', force => true, seed => 1, replace => true);
SELECT check_permuted('skewed_permute'), groups, fewest FROM group_diversity('skewed_permute', 's');

-- l of 1: every record is a group, and nothing changes; with fractions only for Mondrian.
SELECT attribute, changed FROM sdc_permute('skewed', '{q}', '{s}', l => 1, key => '{id}', replace => true) WHERE attribute = 's';
SELECT groups, fewest FROM group_diversity('skewed_permute', 's');

-- Strata: groups are within them.
SELECT count(*) FROM sdc_permute('people', '{age,income}', '{job}', l => 3, strata => '{region,sex}', seed => 1, target => 'strata_anatomy');
SELECT count(*) FROM sdc_permute('people', '{age,income}', '{job}', l => 3, grouping_method => 'mondrian', strata => '{region,sex}', seed => 1, target => 'strata_mondrian');
SELECT release, strata, check_permuted(release), fewest >= 3 AS has_records, entropy_l >= 3 AS has_l FROM sdc_releases, LATERAL group_diversity(release, 'job') WHERE release::text LIKE 'strata%' ORDER BY release::text COLLATE "C";
SELECT helper.catch($$SELECT * FROM sdc_permute('people', '{age,income}', '{job}', l => 7, strata => '{region,sex}', target => 'x')$$) LIKE '22023: argument "l" is not feasible%least diverse stratum%' AS refused;

-- Missing values are a sensitive value as any other.
SELECT bool_or(job IS NULL) AS there, count(*) FILTER (WHERE job IS NULL) = (SELECT count(*) FROM people WHERE job IS NULL) AS as_many FROM five;
CREATE TABLE halves AS SELECT i AS id, i AS q, CASE WHEN i % 2 = 0 THEN i % 4 END AS s FROM generate_series(1, 40) AS i;
SELECT helper.catch($$SELECT * FROM sdc_permute('halves', '{q}', '{s}', l => 3, key => '{id}')$$);
SELECT count(*) FROM sdc_permute('halves', '{q}', '{s}', l => 2, key => '{id}', seed => 1);
SELECT check_permuted('halves_permute'), count(*), min(v) FROM (SELECT count(DISTINCT coalesce(s, -1)) AS v FROM halves_permute GROUP BY group_id) AS g;

-- Seeds, forms of the call, physical order, memory.
CREATE TABLE shuffled (LIKE people INCLUDING INDEXES);
INSERT INTO shuffled SELECT * FROM people ORDER BY md5(id::text);
SELECT count(*) FROM sdc_permute('shuffled', '{sex,region,age}', '{job}', l => 4, seed => '1');
SET maintenance_work_mem = '1MB';
SET work_mem = '64kB';
SELECT count(*) FROM sdc_permute('people'::regclass, '{region,age,sex}', '{job}', l => 4, seed => 1, target => 'small_memory');
RESET maintenance_work_mem;
RESET work_mem;
SELECT count(*) FROM sdc_permute('people', '{region,age,sex}', '{job}', l => 4, seed => 2, target => 'other_seed');
SELECT count(*) FROM sdc_permute('people', '{region,age,sex}', '{job}', l => 4, target => 'free');
SELECT r, helper.fingerprint(r, 'id') = helper.fingerprint('people_permute', 'id') AS same FROM unnest('{shuffled_permute,small_memory,other_seed,free}'::regclass[]) AS r;
SELECT check_permuted('free'), (SELECT seeded FROM sdc_releases WHERE release = 'free'::regclass);
CREATE TABLE by_row AS SELECT * FROM sdc_permute(NULL::people, '{region,age,sex}', '{job}', l => 4, seed => 1);
SELECT count(*) AS differ FROM by_row AS a JOIN people_permute AS b USING (id) WHERE (a.region, a.sex, a.age, a.income, a.weight, a.savings, a.born, a.job) IS DISTINCT FROM (b.region, b.sex, b.age, b.income, b.weight, b.savings, b.born, b.job);
SELECT count(*), to_regclass('by_row_qi') FROM by_row;
CREATE VIEW seen AS SELECT * FROM sdc_permute(NULL::people, '{region,age,sex}', '{job}', l => 4.5, grouping_method => 'mondrian', strata => '{sex}', omit => '{savings}', seed => 1);
SELECT count(*), count(savings) FROM seen;
