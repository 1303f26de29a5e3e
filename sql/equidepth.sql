--
-- equidepth
--
-- What equi-depth swapping promises: the values of the swapping set move jointly, in bins of
-- at least k records that are near each other; what is not in the set stays.
--
\pset format unaligned
\pset footer off
SET client_min_messages = warning;
\set VERBOSITY terse
CREATE SCHEMA binned;
SET search_path = binned, public;
SELECT helper.make_people('binned.people', 300);

-- check_joint returns what is wrong with a release by swapping in bins, or how many columns are as they
-- must be: the columns of the swapping set have the same joint values in every stratum.
CREATE FUNCTION check_joint(release regclass, swapped name[]) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	strata name[] := (SELECT r.strata FROM sdc_releases AS r WHERE r.release = check_joint.release);
	old text := format('SELECT %s FROM %s', (SELECT string_agg(format('s.%I::text COLLATE "C"', c), ', ') FROM unnest(strata || swapped) AS c), helper.pairs(release));
	new text := format('SELECT %s FROM %s', (SELECT string_agg(format('r.%I::text COLLATE "C"', c), ', ') FROM unnest(strata || swapped) AS c), helper.pairs(release));
BEGIN
	RETURN CASE WHEN helper.count_of(format('SELECT count(*) FROM (%s EXCEPT ALL %s) AS d', old, new))
		+ helper.count_of(format('SELECT count(*) FROM (%s EXCEPT ALL %s) AS d', new, old)) > 0 THEN 'other joint values' ELSE helper.check_release(release) END;
END
$$;

-- check_bins returns how many records of a release have joint values that their bin, a query of id and
-- bin, does not have in the source.
CREATE FUNCTION check_bins(release regclass, swapped name[], bins text) RETURNS bigint LANGUAGE sql
RETURN (SELECT helper.count_of(format('WITH bin AS MATERIALIZED (%1$s), pair AS (SELECT bin.bin, ROW(%2$s)::text COLLATE "C" AS old, ROW(%3$s)::text COLLATE "C" AS new FROM %4$s JOIN bin ON bin.id = s.id)
	SELECT count(*) FROM (SELECT bin, new FROM pair EXCEPT ALL SELECT bin, old FROM pair) AS d', bins,
	(SELECT string_agg(format('s.%I', c), ', ') FROM unnest(swapped) AS c), (SELECT string_agg(format('r.%I', c), ', ') FROM unnest(swapped) AS c), helper.pairs(release))));

-- correlation_shift returns by how much the correlations of some columns differ, at most.
CREATE FUNCTION correlation_shift(release regclass, columns name[]) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
	result float8;
BEGIN
	EXECUTE format('SELECT greatest(%s) FROM %s', (SELECT string_agg(format('abs(corr(s.%1$I, s.%2$I) - corr(r.%1$I, r.%2$I))', a, b), ', ') FROM unnest(columns) AS a, unnest(columns) AS b WHERE a < b),
		helper.pairs(release)) INTO STRICT result;
	RETURN result;
END
$$;

-- runs is a query of the bins of one column: runs of k records in the order of its values.
CREATE FUNCTION runs(source regclass, name name, k int) RETURNS text LANGUAGE sql
RETURN format('SELECT id, least((row_number() OVER (ORDER BY %1$I, id) - 1) / %2$s, greatest(count(*) OVER () / %2$s, 1) - 1) AS bin FROM %3$s WHERE %1$I IS NOT NULL', name, k, source);

-- naive partitions the records of a query (id, x, y, z) by the definition of several columns: all
-- distances in every round, ties by id.
CREATE FUNCTION naive(query text, k int) RETURNS TABLE (id int, bin int) LANGUAGE plpgsql AS $$
DECLARE
	made int := 0;
	ends int[];
	other int;
	point record;
BEGIN
	CREATE TEMP TABLE record_left (id int, x float8, y float8, z float8, bin int);
	EXECUTE 'INSERT INTO record_left ' || query;
	UPDATE record_left SET x = CASE WHEN sx > 0 THEN (x - mx) / sx ELSE 0 END, y = CASE WHEN sy > 0 THEN (y - my) / sy ELSE 0 END, z = CASE WHEN sz > 0 THEN (z - mz) / sz ELSE 0 END
	FROM (SELECT mx, my, mz, sqrt(sum((x - mx) * (x - mx)) / count(*)) AS sx, sqrt(sum((y - my) * (y - my)) / count(*)) AS sy, sqrt(sum((z - mz) * (z - mz)) / count(*)) AS sz
		FROM record_left, (SELECT avg(x) AS mx, avg(y) AS my, avg(z) AS mz FROM record_left) AS m GROUP BY mx, my, mz) AS s;
	WHILE (SELECT count(*) >= 2 * k FROM record_left AS l WHERE l.bin IS NULL) LOOP
		SELECT ARRAY[a.id, b.id] INTO ends FROM record_left AS a JOIN record_left AS b ON a.id < b.id WHERE a.bin IS NULL AND b.bin IS NULL
		ORDER BY (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z) DESC, a.id, b.id LIMIT 1;
		FOR i IN 1 .. 2 LOOP
			SELECT * INTO point FROM record_left AS l WHERE l.id = ends[i];
			other := ends[3 - i];
			UPDATE record_left AS l SET bin = made WHERE l.id = ends[i] OR l.id IN (SELECT n.id FROM record_left AS n WHERE n.bin IS NULL AND n.id <> ends[i] AND n.id <> other
				ORDER BY (n.x - point.x) * (n.x - point.x) + (n.y - point.y) * (n.y - point.y) + (n.z - point.z) * (n.z - point.z), n.id LIMIT k - 1);
			made := made + 1;
		END LOOP;
	END LOOP;
	IF made = 0 OR (SELECT count(*) >= k FROM record_left AS l WHERE l.bin IS NULL) THEN
		UPDATE record_left AS l SET bin = made WHERE l.bin IS NULL;
	END IF;
	RETURN QUERY WITH centre AS (SELECT l.bin, sum(x ORDER BY l.id) / k AS x, sum(y ORDER BY l.id) / k AS y, sum(z ORDER BY l.id) / k AS z FROM record_left AS l WHERE l.bin IS NOT NULL GROUP BY l.bin)
		SELECT l.id, coalesce(l.bin, (SELECT c.bin FROM centre AS c ORDER BY (l.x - c.x) * (l.x - c.x) + (l.y - c.y) * (l.y - c.y) + (l.z - c.z) * (l.z - c.z), c.bin LIMIT 1)) FROM record_left AS l;
	DROP TABLE record_left;
END
$$;

-- Several columns, one column, and by default every number that is not of the key.
SELECT attribute, action, records, changed > 200 AS mostly_changed, bins, single_bins FROM sdc_equidepth_swap('people', depth => 10, columns => '{age,income,weight}', seed => 1);
SELECT attribute, action, records, changed > 200 AS mostly_changed, bins, single_bins FROM sdc_equidepth_swap('people', depth => 10, columns => '{income}', target => 'one', seed => 1);
SELECT attribute, action, bins, single_bins FROM sdc_equidepth_swap('people', depth => 10, target => 'numbers', seed => 1);
SELECT release, source, method, parameters, columns, key, strata, omitted, qi, sensitive, records, seeded FROM sdc_releases WHERE source = 'people'::regclass ORDER BY release::text COLLATE "C";
SELECT check_joint('people_equidepth_swap', '{age,income,weight}'), check_joint('one', '{income}'), check_joint('numbers', '{age,income,weight,savings}');
SELECT correlation_shift('people_equidepth_swap', '{age,income,weight}') < 1e-12 AS same, correlation_shift('numbers', '{age,income,weight,savings}') < 1e-12 AS same_with_nulls,
	correlation_shift('people_equidepth_swap', '{age,savings}') > 1e-4 AS other_with_complement;
-- the check finds what is wrong
BEGIN;
UPDATE people_equidepth_swap AS r SET age = o.age FROM people_equidepth_swap AS o WHERE (r.id, o.id) IN ((1, 2), (2, 1));
SELECT check_joint('people_equidepth_swap', '{age,income,weight}'), helper.check_release('people_equidepth_swap');
ROLLBACK;
-- changed counts the records whose value differs
SELECT attribute, changed = helper.count_of(format('SELECT count(*) FROM people AS s JOIN again AS r USING (id) WHERE s.%1$I IS DISTINCT FROM r.%1$I', attribute)) AS counted
FROM sdc_equidepth_swap('people', depth => 3, columns => '{age,savings,born}', target => 'again', seed => 2);
SELECT check_joint('again', '{age,savings,born}');

-- One column: floor(n / k) runs of k in sorted order, the remainder in the last one.
CREATE TABLE run AS SELECT name, k, format('run_%s_%s', name, k) AS target FROM unnest('{age,income,born}'::name[]) AS name, unnest('{2,7,10,149,150,151,300}'::int[]) AS k;
SELECT count(*) FILTER (WHERE bins IS DISTINCT FROM greatest(1, 300 / run.k)) AS other_degree, count(*) AS releases, sum(single_bins) AS single_bins
FROM run, LATERAL (SELECT * FROM sdc_equidepth_swap('people', depth => k, columns => ARRAY[name], target => target, seed => 3) WHERE action = 'protected') AS r;
SELECT name, sum(check_bins(target::regclass, ARRAY[name], runs('people', name, k))) AS outside FROM run GROUP BY name ORDER BY name COLLATE "C";
-- the check is of use: the bins of one k are not those of another
SELECT check_bins('run_income_10', '{income}', runs('people', 'income', 9)) > 10 AS would_fail;
-- so does every value of the middle of a run move by less than k ranks
SELECT k, helper.furthest(target::regclass, name) < 2 * k AS within FROM run WHERE name = 'income' AND k < 150 ORDER BY k;

-- Several columns: the bins of the definition, of k .. 2k - 1 records, floor(n / k) of them.
CREATE TABLE few AS SELECT id, age, income, weight, born, id % 10 AS a, (id - 1) / 10 AS b, id % 4 + 7 AS c, 5 AS constant FROM people WHERE id <= 100;
ALTER TABLE few ADD PRIMARY KEY (id);
CREATE TABLE definition (name text, swapped name[], query text, k int, target text);
INSERT INTO definition SELECT name, swapped, query, k, format('def_%s_%s', name, k) FROM (VALUES
	('two', '{income,weight}'::name[], 'SELECT id, income, weight, 0 FROM few ORDER BY id'),
	('three', '{age,weight,income}', 'SELECT id, age, income, weight FROM few ORDER BY id'),
	('dates', '{born,weight}', 'SELECT id, weight, born - date ''2000-01-01'', 0 FROM few ORDER BY id'),
	('grid', '{a,b}', 'SELECT id, a, b, 0 FROM few ORDER BY id'),
	('ties', '{a,c}', 'SELECT id, a, c, 0 FROM few ORDER BY id'),
	('constant', '{constant,weight}', 'SELECT id, weight, constant, 0 FROM few ORDER BY id')) AS d (name, swapped, query), unnest('{6,8,51}'::int[]) AS k;
CREATE TABLE definition_bin AS SELECT target, n.* FROM definition, LATERAL naive(query, k) AS n;
SELECT d.k, bool_and(b.bins = greatest(1, 100 / d.k) AND least >= d.k AND most < 2 * d.k) AS as_defined, max(most) AS largest
FROM definition AS d JOIN (SELECT target, count(*) AS bins, min(n) AS least, max(n) AS most FROM (SELECT target, count(*) AS n FROM definition_bin GROUP BY target, bin) AS s GROUP BY target) AS b USING (target) GROUP BY d.k ORDER BY d.k;
SELECT count(*) AS releases, count(*) FILTER (WHERE bins <> greatest(1, 100 / d.k) OR single_bins <> 0) AS other_degree
FROM definition AS d, LATERAL (SELECT DISTINCT bins, single_bins FROM sdc_equidepth_swap('few', depth => k, columns => swapped, target => target, seed => 4) WHERE action = 'protected') AS r;
SELECT name, sum(check_bins(target::regclass, swapped, format('SELECT id, bin FROM definition_bin WHERE target = %L', target))) AS outside, string_agg(DISTINCT check_joint(target::regclass, swapped), '; ') AS checked
FROM definition GROUP BY name ORDER BY name COLLATE "C";

-- In a bin every permutation is as likely: of 400 releases of two bins of 4 (chi-square at 1 %: 23 degrees).
CREATE TABLE eight AS SELECT i AS id, i + 0.5 * (i / 5) AS x, i * i AS y FROM generate_series(1, 8) AS i;
ALTER TABLE eight ADD PRIMARY KEY (id);
CREATE TABLE permutation AS SELECT seed, string_agg(round(sqrt(y))::text, '' ORDER BY id) FILTER (WHERE id <= 4) AS low, string_agg(round(sqrt(y))::text, '' ORDER BY id) FILTER (WHERE id > 4) AS high
FROM generate_series(1, 400) AS seed, LATERAL sdc_equidepth_swap(NULL::eight, depth => 4, columns => '{x,y}', seed => seed) GROUP BY seed;
SELECT count(*) AS permutations, sum((n - 400 / 24.0) ^ 2 / (400 / 24.0)) < 41.6 AS uniform FROM (SELECT low, count(*) AS n FROM permutation GROUP BY low) AS p;
SELECT count(*) AS permutations, sum((n - 400 / 24.0) ^ 2 / (400 / 24.0)) < 41.6 AS uniform FROM (SELECT high, count(*) AS n FROM permutation GROUP BY high) AS p;
SELECT count(DISTINCT (low, high)) > 250 AS independent FROM permutation;

-- Strata: k records of a stratum, also where that is NULL; fewer are one bin.
SELECT attribute, action, bins, single_bins FROM sdc_equidepth_swap('people', depth => 7, columns => '{income,weight}', strata => '{job}', target => 'by_job', seed => 5);
SELECT sum(greatest(1, n / 7)) AS bins FROM (SELECT count(*) AS n FROM people GROUP BY job) AS g;
SELECT attribute, bins, single_bins FROM sdc_equidepth_swap('people', depth => 7, columns => '{income}', strata => '{job,sex,region}', target => 'by_three', seed => 5) WHERE action = 'protected';
SELECT sum(greatest(1, n / 7)) AS bins, count(*) FILTER (WHERE n = 1) AS single_bins FROM (SELECT count(*) AS n FROM people GROUP BY job, sex, region) AS g;
SELECT attribute, changed, bins, single_bins FROM sdc_equidepth_swap('few', depth => 2, columns => '{age,weight}', strata => '{id}', target => 'by_record', key => '{id}', seed => 5) WHERE action = 'protected';
SELECT check_joint('by_job', '{income,weight}'), check_joint('by_three', '{income}'), check_joint('by_record', '{age,weight}');
SELECT check_bins('by_three', '{income}', 'SELECT id, job || ''/'' || sex || region || least((row_number() OVER w - 1) / 7, greatest(count(*) OVER (PARTITION BY job, sex, region) / 7, 1) - 1) AS bin FROM people WINDOW w AS (PARTITION BY job, sex, region ORDER BY income, id)') AS outside;

-- Records that miss the same values form bins together; so do those whose values are not finite.
SELECT count(*) FROM sdc_equidepth_swap('people', depth => 6, columns => '{savings}', target => 'holes_one', seed => 6);
SELECT check_joint('holes_one', '{savings}'), check_bins('holes_one', '{savings}', runs('people', 'savings', 6) || ' UNION ALL SELECT id, -1 FROM people WHERE savings IS NULL') AS outside;
CREATE TABLE holes AS SELECT id, CASE WHEN helper.below(id, 21, 4) > 0 THEN income END AS a, CASE helper.below(id, 22, 8) WHEN 0 THEN NULL WHEN 1 THEN 'NaN' WHEN 2 THEN 'Infinity' WHEN 3 THEN '-Infinity' ELSE weight END AS b,
	CASE WHEN id % 3 > 0 THEN born WHEN id % 2 = 0 THEN 'infinity' END AS c, savings AS other FROM people;
ALTER TABLE holes ADD PRIMARY KEY (id);
\set VERBOSITY default
SELECT attribute, action, bins, single_bins FROM sdc_equidepth_swap('holes', depth => 5, columns => '{a,b,c}', seed => 7);
\set VERBOSITY terse
WITH pattern AS (SELECT count(*) AS n, count(*) FILTER (WHERE a IS NULL AND c IS NULL AND coalesce(b, 'NaN') IN ('NaN', 'Infinity', '-Infinity')) AS nothing
	FROM holes GROUP BY a IS NULL, b IS NULL, b IN ('NaN', 'Infinity', '-Infinity'), c IS NULL, isfinite(c))
SELECT count(*) AS patterns, sum(CASE WHEN nothing > 0 THEN 1 ELSE greatest(1, n / 5) END) AS bins FROM pattern;
SELECT check_joint('holes_equidepth_swap', '{a,b,c}'), count(*) FILTER (WHERE (s.a IS NULL) <> (r.a IS NULL) OR (s.b IS NULL) <> (r.b IS NULL) OR (s.c IS NULL) <> (r.c IS NULL)) AS nulls_moved,
	count(*) FILTER (WHERE (s.b IN ('NaN', 'Infinity', '-Infinity')) <> (r.b IN ('NaN', 'Infinity', '-Infinity')) OR isfinite(s.c) <> isfinite(r.c)) AS moved_to_others
FROM holes AS s JOIN holes_equidepth_swap AS r USING (id);
SELECT check_bins('holes_equidepth_swap', '{a,b,c}', 'SELECT id, concat_ws(''/'', a IS NULL, b IS NULL, coalesce(b, 0) IN (''NaN'', ''Infinity'', ''-Infinity''), c IS NULL, isfinite(c)) AS bin FROM holes') AS outside_the_pattern;

-- The complement: every other column of numbers, dates and times by itself, in bins of its own.
SELECT attribute, action, changed > 200 AS mostly_changed, bins, single_bins FROM sdc_equidepth_swap('people', depth => 10, complement => 'swap', columns => '{income,weight}', target => 'all_of_it', seed => 8);
SELECT columns, parameters FROM sdc_releases WHERE release = 'all_of_it'::regclass;
SELECT check_joint('all_of_it', '{income,weight}'), check_bins('all_of_it', '{age}', runs('people', 'age', 10)) AS age_outside, check_bins('all_of_it', '{born}', runs('people', 'born', 10)) AS born_outside,
	check_bins('all_of_it', '{savings}', runs('people', 'savings', 10) || ' UNION ALL SELECT id, -1 FROM people WHERE savings IS NULL') AS savings_outside, check_joint('all_of_it', '{age,born}') AS not_joint;
-- the swapping set is swapped as without it
SELECT count(*) FROM sdc_equidepth_swap('people', depth => 10, columns => '{income,weight}', target => 'alone', seed => 8);
SELECT count(*) AS differ FROM all_of_it AS a JOIN alone AS b USING (id) WHERE (a.income, a.weight) <> (b.income, b.weight);
SELECT attribute, action FROM sdc_equidepth_swap('people', depth => 10, complement => 'swap', target => 'by_default', strata => '{age}', omit => '{savings}', seed => 8);
