--
-- rankswap
--
-- What each of the three methods promises: values are the same ones, NULLs stay, nothing
-- moves further than it may, strata are closed, most values change.
--
\pset format unaligned
\pset footer off
SET client_min_messages = warning;
\set VERBOSITY terse
SELECT helper.make_people('people', 500);

-- The three methods: the multiset of every protected column, types, NULLs, and the
-- columns that are not protected.
SELECT attribute, action, records, changed > 450 OR attribute = 'savings' AND changed > 300 AS mostly_changed
FROM sdc_rankswap('people', p => 5, seed => 1);
SELECT attribute, action, records, changed > 450 OR attribute = 'savings' AND changed > 300 AS mostly_changed
FROM sdc_rankswap_distribution('people', p => 5, seed => 1);
SELECT attribute, action, records, changed > 450 OR attribute = 'savings' AND changed > 300 AS mostly_changed
FROM sdc_rankswap_buckets('people', buckets => 20, seed => 1);
SELECT release, helper.check_release(release)
FROM sdc_releases WHERE source = 'people'::regclass ORDER BY release::text COLLATE "C";

-- changed counts the records whose value differs.
SELECT attribute, changed = helper.count_of(format(
	'SELECT count(*) FROM people AS s JOIN people_again AS r USING (id) WHERE s.%1$I IS DISTINCT FROM r.%1$I', attribute)) AS counted
FROM sdc_rankswap('people', p => 5, seed => 2, target => 'people_again', columns => '{age,income,weight,savings,born,job}');

-- The standard method moves no value further than w = p n / 100 positions beyond its
-- group of equal values: for every attribute and many windows.
CREATE TABLE window_bound AS
SELECT p, format('people_p%s', row_number() OVER (ORDER BY p)) AS target
FROM unnest(ARRAY[0.1, 0.3, 0.5, 1, 1.1, 2.5, 5, 12.5, 33.3, 50, 99.9, 100]) AS p;
SELECT p, count(*) FROM window_bound, LATERAL sdc_rankswap('people', p => p, target => target, seed => 3,
	columns => '{age,income,weight,savings,born,job}') GROUP BY p ORDER BY p;
SELECT p, attribute, greatest(1, floor(p * n / 100 + 0.5)) AS window,
	helper.furthest(target::regclass, attribute) <= greatest(1, floor(p * n / 100 + 0.5)) AS within
FROM window_bound, unnest(ARRAY['age', 'income', 'weight', 'savings', 'born', 'job']::name[]) AS attribute,
	LATERAL (SELECT helper.count_of(format('SELECT count(%I) FROM people', attribute)) AS n) AS c
WHERE attribute IN ('weight', 'savings') OR p IN (0.5, 5)
ORDER BY p, attribute COLLATE "C";
SELECT count(*) AS beyond
FROM window_bound, unnest(ARRAY['age', 'income', 'weight', 'savings', 'born', 'job']::name[]) AS attribute,
	LATERAL (SELECT helper.count_of(format('SELECT count(%I) FROM people', attribute)) AS n) AS c
WHERE helper.furthest(target::regclass, attribute) > greatest(1, floor(p * n / 100 + 0.5));
-- The bound is used: some value moves nearly that far, so p is what counts.
SELECT p, helper.furthest(target::regclass, 'weight') > 0.9 * p * 500 / 100 AS used
FROM window_bound WHERE p >= 1 ORDER BY p;
SELECT helper.check_release(target::regclass), count(*) FROM window_bound GROUP BY 1;

-- With p = 5 more than 90 % of the values of a continuous attribute change.
SELECT r.release, helper.changed_share(r.release, 'weight') > 90 AS weight, helper.changed_share(r.release, 'income') > 90 AS income
FROM sdc_releases AS r WHERE release IN ('people_rankswap'::regclass, 'people_rankswap_distribution'::regclass,
	'people_rankswap_buckets'::regclass)
ORDER BY r.release::text COLLATE "C";

-- A window of 1: only neighbours swap.
SELECT helper.furthest('people_p1', 'weight') AS furthest, helper.changed_share('people_p1', 'weight') > 90 AS mostly;

-- A window of p = 100 reaches everything: the mean distance is that of a random pairing.
WITH position AS (
	SELECT id, rank() OVER (ORDER BY weight) AS old FROM people
), moved AS (
	SELECT abs(old - rank() OVER (ORDER BY r.weight)) AS distance
	FROM position JOIN people_p12 AS r USING (id))
SELECT avg(distance) BETWEEN 120 AND 220 AS random FROM moved;

-- The distances of p-distribution are normal with mean and deviation 0.5 p n / 100: some
-- go beyond p, few beyond two p.
WITH moved AS (
	SELECT abs(rank() OVER (ORDER BY s.weight) - rank() OVER (ORDER BY r.weight)) AS distance
	FROM people AS s JOIN people_rankswap_distribution AS r USING (id))
SELECT avg(distance) BETWEEN 12 AND 22 AS mean, max(distance) > 25 AS beyond_p,
	count(*) FILTER (WHERE distance > 50) < 25 AS few_beyond_two_p
FROM moved;

-- p-buckets: the partner's bucket is the own one with probability 1/2, the next with 1/4,
-- and so on; here of 500 records in 20 buckets.
WITH moved AS (
	SELECT abs((rank() OVER (ORDER BY s.weight) - 1) * 20 / 500 - (rank() OVER (ORDER BY r.weight) - 1) * 20 / 500) AS buckets
	FROM people AS s JOIN people_rankswap_buckets AS r USING (id))
SELECT count(*) FILTER (WHERE buckets = 0) BETWEEN 180 AND 340 AS own,
	count(*) FILTER (WHERE buckets = 1) BETWEEN 80 AND 190 AS next,
	count(*) FILTER (WHERE buckets >= 5) < 60 AS far
FROM moved;
-- One bucket is a shuffle; as many buckets as records are never the own one.
SELECT count(*) FROM sdc_rankswap_buckets('people', buckets => 1, seed => 4, target => 'people_b1', columns => '{weight}');
SELECT count(*) FROM sdc_rankswap_buckets('people', buckets => 500, seed => 4, target => 'people_b500', columns => '{weight}');
SELECT helper.check_release('people_b1'), helper.check_release('people_b500');
SELECT helper.furthest('people_b1', 'weight') > 300 AS far, helper.furthest('people_b500', 'weight') < 64 AS near,
	helper.changed_share('people_b500', 'weight') AS changed;

-- A swap is an exchange of two: swapping twice is where one began.
SELECT count(*) AS not_exchanged
FROM people_rankswap AS r
JOIN people AS s USING (id)
JOIN people AS partner ON partner.weight = r.weight
JOIN people_rankswap AS back ON back.id = partner.id
WHERE back.weight <> s.weight;

-- The same seed gives the same release, another seed another one.
SELECT count(*) FROM sdc_rankswap('people', p => 5, seed => 1, target => 'people_same');
SELECT count(*) FROM sdc_rankswap('people', p => 5, seed => 10, target => 'people_other');
SELECT helper.fingerprint('people_same') = helper.fingerprint('people_rankswap') AS same,
	helper.fingerprint('people_other') = helper.fingerprint('people_rankswap') AS other;
-- No seed: two releases that differ, and no trace of how.
SELECT count(*) FROM sdc_rankswap('people', p => 5, target => 'people_random_1');
SELECT count(*) FROM sdc_rankswap('people', p => 5, target => 'people_random_2');
SELECT helper.check_release('people_random_1'), helper.check_release('people_random_2'),
	helper.fingerprint('people_random_1') = helper.fingerprint('people_random_2') AS same;
SELECT release, seeded FROM sdc_releases
WHERE release IN ('people_random_1'::regclass, 'people_same'::regclass) ORDER BY release::text COLLATE "C";

-- The order in which columns are named does not matter, nor which others are protected.
SELECT count(*) FROM sdc_rankswap('people', p => 5, seed => 1, target => 'people_cols_1', columns => '{savings,age,weight,income}');
SELECT helper.fingerprint('people_cols_1') = helper.fingerprint('people_rankswap') AS same;
SELECT count(*) FROM sdc_rankswap('people', p => 5, seed => 1, target => 'people_cols_2', columns => '{weight}');
SELECT count(*) AS differ FROM people_cols_2 JOIN people_rankswap AS r USING (id) WHERE people_cols_2.weight <> r.weight;
-- Two attributes with the same values are swapped in different ways.
CREATE TABLE people_twin AS SELECT id, weight AS a, weight AS b FROM people;
SELECT attribute, action FROM sdc_rankswap('people_twin', p => 5, key => '{id}', seed => 1);
SELECT count(*) FILTER (WHERE a = b) < 60 AS few_same FROM people_twin_rankswap;

-- Strata: what is swapped stays in its group, also where the group is NULL.
SELECT count(*) FROM sdc_rankswap('people', p => 5, seed => 5, strata => '{job}', target => 'people_s1');
SELECT count(*) FROM sdc_rankswap_distribution('people', p => 5, seed => 5, strata => '{job}', target => 'people_s2');
SELECT count(*) FROM sdc_rankswap_buckets('people', buckets => 20, seed => 5, strata => '{job}', target => 'people_s3');
SELECT count(*) FROM sdc_rankswap('people', p => 5, seed => 5, strata => '{region,sex,job}', target => 'people_s4');
SELECT count(*) FROM sdc_rankswap('people', p => 5, seed => 5, strata => '{job,sex,region}', target => 'people_s5');
SELECT count(*) FROM sdc_rankswap('people', p => 5, seed => 5, strata => '{born}', target => 'people_s6');
SELECT count(*) FROM sdc_rankswap('people', p => 5, seed => 5, strata => '{savings}', target => 'people_s7');
SELECT release, strata, helper.check_release(release)
FROM sdc_releases WHERE release::text LIKE 'people_s_' ORDER BY release::text COLLATE "C";
-- The window is a share of the group.
SELECT helper.furthest('people_s1', 'weight', '{job}') <= round(0.05 * max(n)) AS within, min(n), max(n)
FROM (SELECT count(*) AS n FROM people GROUP BY job) AS g;
-- The groups are drawn independently: equal values in two groups part.
CREATE TABLE people_group AS
SELECT g * 1000 + id AS id, g, weight FROM people, generate_series(1, 2) AS g;
SELECT count(*) FROM sdc_rankswap('people_group', p => 5, key => '{id}', strata => '{g}', seed => 6);
SELECT count(*) FILTER (WHERE a.weight = b.weight) < 60 AS few_same
FROM people_group_rankswap AS a JOIN people_group_rankswap AS b ON b.id = a.id + 1000 WHERE a.g = 1;
-- Strata without a column of their own, of one record each: nothing can change.
SELECT attribute, action, changed FROM sdc_rankswap('people_group', p => 5, key => '{id}', strata => '{id}', seed => 6,
	columns => '{weight}', target => 'people_alone');
-- A stratum is a column that is copied; it can also be left out.
SELECT attribute, action FROM sdc_rankswap('people', p => 5, seed => 5, strata => '{job}', omit => '{job,born}', target => 'people_s8');
SELECT helper.check_release('people_s8');
SELECT count(*) AS differ FROM people_s8 AS a JOIN people_s1 AS b USING (id) WHERE a.weight <> b.weight;

-- Default columns: every numeric one that is not the key's, a stratum, or classified
-- otherwise.
SELECT attribute, action FROM sdc_rankswap('people', p => 5, seed => 5, key => '{id,age}', strata => '{savings}', target => 'people_d1');
SELECT sdc_classify('people', 'income', 'sensitive'), sdc_classify('people', 'savings', 'public'),
	sdc_classify('people', 'job', 'identifier'), sdc_classify('people', 'age', 'quasi-identifier');
SELECT attribute, action FROM sdc_rankswap('people', p => 5, seed => 5, target => 'people_d2');
-- what is named is protected, whatever it is classified as
SELECT attribute, action FROM sdc_rankswap('people', p => 5, seed => 5, target => 'people_d3', columns => '{income,savings,age}');
SELECT helper.catch($$SELECT * FROM sdc_rankswap('people', p => 5, columns => '{job}', target => 'people_d4')$$);
SELECT release, columns, omitted, helper.check_release(release)
FROM sdc_releases WHERE release::text LIKE 'people_d_' ORDER BY release::text COLLATE "C";

-- The catalog says how.
SELECT release, source, method, parameters, columns, key, strata, omitted, records, seeded
FROM sdc_releases WHERE release IN ('people_rankswap'::regclass, 'people_rankswap_distribution'::regclass,
	'people_rankswap_buckets'::regclass, 'people_p1'::regclass, 'people_s8'::regclass)
ORDER BY release::text COLLATE "C";
