-- populations.sql
--		Groups, populations, special records and permutations on the reference data: published figures, and the
--		definitions in plain SQL.

\ir lib/check.sql

\set qi '''{education,race,sex,workclass,marital_status,age,relationship,native_country,salary}''::name[]'

----------------------------------------------------------------------
-- Groups and a sensitive column
----------------------------------------------------------------------

CREATE TEMP TABLE grouped AS
SELECT v.*, format('sdc_check.mondrian_%s', l)::regclass AS release
FROM (VALUES (5, 1128, 0.697500, 0.281935, 371.370, false, 5.919889, 1128, 0.518519, 1.666667),
	(8, 156, 0.432240, 0.149490, 107.108, false, 4.683126, 153, 0.342593, 0.660714),
	(10, 6, 0.194090, 0.046010, 3.749547, true, 1.558049, 4, 0.193449, 0.283784)) AS v (l, groups, t, t_ordered, beta, enhanced, delta, absent, alpha, c),
	LATERAL (SELECT count(*) FROM sdc_generalize('ref.adult', :qi, '{occupation}', l => l, target => 'sdc_check.mondrian_' || l)) AS made;
SELECT pg_temp.ok(g.groups = w.groups AND abs(g.t - w.t) < 1e-6 AND abs(g.t_ordered - w.t_ordered) < 1e-6 AND abs(g.beta - w.beta) < 1e-3 AND g.enhanced = w.enhanced
		AND abs(g.delta - w.delta) < 1e-6 AND g.absent = w.absent AND abs(g.alpha - w.alpha) < 1e-6 AND abs(g.c - w.c) < 1e-6,
	format('Mondrian, entropy l = %s: what the groups keep to themselves, by %s', l, what), g::text)
FROM grouped AS w, (VALUES ('group_id', '{group_id}'::name[]), ('quasi-identifiers', :qi)) AS v (what, attributes), LATERAL sdc_group_privacy(release, attributes, '{occupation}', 3) AS g ORDER BY l, what;
SELECT pg_temp.ok(g.groups = 10 AND abs(g.t - w.t) < 1e-6 AND abs(g.t_ordered - w.t_ordered) < 1e-6 AND abs(g.beta - w.beta) < 1e-6 AND NOT g.enhanced AND abs(g.delta - w.delta) < 1e-6
		AND g.absent = w.absent AND abs(g.alpha - w.alpha) < 1e-6 AND abs(g.c - w.c) < 1e-6, format('groups by sex and race, sensitive %s', sensitive), g::text)
FROM (VALUES ('occupation', 0.324962, 0.078239, 17.722533, 3.132722, 9, 0.278912, 0.510669), ('age', 0.353204, 0.091936, 16.617991, 2.868921, 10, 0.080460, 0.094595)) AS w (sensitive, t, t_ordered, beta, delta, absent, alpha, c),
	LATERAL sdc_group_privacy('ref.adult', '{sex,race}', ARRAY[sensitive]::name[], 3) AS g ORDER BY sensitive;

----------------------------------------------------------------------
-- An attacker's own table: the first 3,000 of Adult, and a sample of them
----------------------------------------------------------------------

CREATE TABLE sdc_check.people AS SELECT * FROM ref.adult WHERE id <= 3000;
CREATE TABLE sdc_check.sample AS SELECT * FROM sdc_check.people WHERE pg_temp.uniform(12, id) < 0.1;
ALTER TABLE sdc_check.sample ADD PRIMARY KEY (id);
CREATE TEMP TABLE class AS
SELECT 4 AS columns, f, (SELECT count(*) FROM sdc_check.people AS p WHERE (p.age, p.sex, p.race, p.education) = (c.age, c.sex, c.race, c.education)) AS people
FROM (SELECT age, sex, race, education, count(*)::float8 AS f FROM sdc_check.sample GROUP BY age, sex, race, education) AS c
UNION ALL SELECT 3, f, (SELECT count(*) FROM sdc_check.people AS p WHERE (p.age, p.sex, p.race) = (c.age, c.sex, c.race))
FROM (SELECT age, sex, race, count(*)::float8 AS f FROM sdc_check.sample GROUP BY age, sex, race) AS c;
SELECT pg_temp.ok((r.records, r.classes, r.k_map, r.population_uniques, r.absent, r.inconsistent) = (s.records, s.classes, s.k_map, s.uniques, 0, 0) AND abs(r.prosecutor_mean - s.classes / s.records) < 1e-12
		AND abs(r.journalist_at_risk - s.at_risk) < 1e-12 AND abs(r.marketer - s.marketer) < 1e-12 AND abs(r.delta_max - s.delta_max) < 1e-12 AND r.delta_min = 0, format('the table finds in a sample, %s columns', columns), r::text)
FROM (SELECT columns, sum(f) AS records, count(*)::float8 AS classes, min(people) AS k_map, count(*) FILTER (WHERE f = 1 AND people = 1) AS uniques, sum(f) FILTER (WHERE people < 5) / sum(f) AS at_risk, sum(f / people) / sum(f) AS marketer, max(f / people) AS delta_max FROM class GROUP BY columns) AS s,
	LATERAL (SELECT * FROM sdc_attacker_risk('sdc_check.sample', CASE columns WHEN 4 THEN '{age,sex,race,education}' ELSE '{age,sex,race}' END::name[], 'sdc_check.people')) AS r ORDER BY columns;
SELECT pg_temp.ok(count(*) > 0, 'a generalized sample') FROM sdc_generalize('sdc_check.sample', '{age,sex,race,education}', k => 4, target => 'sdc_check.ranges');
CREATE TEMP TABLE overlapping AS
SELECT c.*, (SELECT count(*) FROM sdc_check.people AS p WHERE p.age <@ c.age AND p.sex = ANY (c.sex) AND p.race = ANY (c.race) AND p.education = ANY (c.education)) AS people
FROM (SELECT age, sex, race, education, count(*)::float8 AS f FROM sdc_check.ranges GROUP BY age, sex, race, education) AS c;
SELECT pg_temp.ok((r.classes, r.k_map, r.absent) = (s.classes, s.k_map, 0) AND abs(r.marketer - s.marketer) < 1e-12 AND abs(r.delta_min - s.delta_min) < 1e-12 AND abs(r.delta_max - s.delta_max) < 1e-12, 'the table finds in a generalized sample', r::text || s::text)
FROM (SELECT count(*) AS classes, min(people) AS k_map, sum(f / people) / sum(f) AS marketer,
		(SELECT min(d) FROM (SELECT coalesce((SELECT sum(f / people) FROM overlapping AS c WHERE p.age <@ c.age AND p.sex = ANY (c.sex) AND p.race = ANY (c.race) AND p.education = ANY (c.education)), 0) AS d FROM sdc_check.people AS p) AS x) AS delta_min,
		(SELECT least(1, max(d)) FROM (SELECT coalesce((SELECT sum(f / people) FROM overlapping AS c WHERE p.age <@ c.age AND p.sex = ANY (c.sex) AND p.race = ANY (c.race) AND p.education = ANY (c.education)), 0) AS d FROM sdc_check.people AS p) AS x) AS delta_max FROM overlapping) AS s,
	sdc_attacker_risk('sdc_check.ranges', '{age,sex,race,education}', 'sdc_check.people') AS r;
-- Mondrian's groups of all of Adult contain everybody
SELECT pg_temp.ok(r.absent = 0 AND r.inconsistent = 0 AND r.classes = 1128 AND r.delta_min > 0, 'nobody is outside of his own group', r::text) FROM sdc_attacker_risk('sdc_check.mondrian_5', :qi, 'ref.adult') AS r;

----------------------------------------------------------------------
-- A sample of a population: the published means, and the truth
----------------------------------------------------------------------

CREATE TABLE sdc_check.unique_people AS SELECT education, race, sex, workclass, marital_status, age, relationship, native_country, salary, count(*)::float8 AS people FROM ref.adult GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9;
CREATE FUNCTION pg_temp.sample_of(fraction float8, seed int, OUT said float8, OUT is_so float8, OUT model float8, OUT unique_people float8) LANGUAGE plpgsql AS $$
BEGIN
	CREATE TEMP TABLE drawn AS SELECT * FROM ref.adult ORDER BY pg_temp.uniform(seed, id) LIMIT round(30162 * fraction);
	SELECT match, fraction * population_uniques INTO said, model FROM sdc_sample_risk('drawn', '{education,race,sex,workclass,marital_status,age,relationship,native_country,salary}', fraction);
	SELECT count(*) / sum(u.people), count(*) FILTER (WHERE u.people = 1) INTO is_so, unique_people
	FROM (SELECT education, race, sex, workclass, marital_status, age, relationship, native_country, salary FROM drawn GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9 HAVING count(*) = 1) AS one
		JOIN sdc_check.unique_people AS u USING (education, race, sex, workclass, marital_status, age, relationship, native_country, salary);
	DROP TABLE drawn;
END
$$;
SELECT pg_temp.ok(abs(avg(said) - match) < 2 * spread AND abs(avg(is_so) - avg(said)) < 3 * spread / sqrt(8) AND abs(avg(model) / uniques - 1) < 0.05 AND abs(avg(unique_people) / true_uniques - 1) < 0.02,
	format('samples of %s: matches are right as often as said, and unique people are about as many as the model says', fraction), format('%s %s %s %s', avg(said), avg(is_so), avg(model), avg(unique_people)))
FROM (VALUES (0.1::float8, 0.345, 0.017, 1071, 1045), (0.5, 0.787, 0.005, 5517, 5294)) AS v (fraction, match, spread, uniques, true_uniques), generate_series(1, 8) AS seed, LATERAL pg_temp.sample_of(fraction, seed) AS s
GROUP BY fraction, match, spread, uniques, true_uniques ORDER BY fraction;

----------------------------------------------------------------------
-- Minimal uniques
----------------------------------------------------------------------

CREATE TEMP TABLE special AS SELECT * FROM sdc_minimal_uniques('ref.adult', :qi, 9, 0.01);
SELECT pg_temp.ok(array_agg(n ORDER BY s) = '{2,1056,11301,17884,9819,2175,241,17,1}', 'minimal uniques of 1 to 9 columns', array_agg(n ORDER BY s)::text)
FROM (SELECT s, sum(n) AS n FROM special, unnest(sizes) WITH ORDINALITY AS u (n, s) GROUP BY s) AS x;
SELECT pg_temp.ok(count(*) = 30162 AND count(*) FILTER (WHERE score > 0) = 10553 AND count(*) FILTER (WHERE sizes[1] + sizes[2] > 0) = 855 AND count(*) FILTER (WHERE sizes[1] + sizes[2] + sizes[3] > 0) = 4878,
	'records with minimal uniques') FROM special;
SELECT pg_temp.ok(sum(score) = 15934886 AND max(score) = 40320 AND min(record) FILTER (WHERE score = 40320) = '18176' AND abs(max(dis_score) - 0.920951) < 1e-6 AND abs(avg(dis_score) FILTER (WHERE score > 0) - 0.229164) < 1e-6,
	'their scores', format('%s %s %s', sum(score), max(dis_score), avg(dis_score) FILTER (WHERE score > 0))) FROM special;
SELECT pg_temp.ok(abs(r.uniques * 0.01 / (r.uniques * 0.01 + 2 * r.pairs * 0.99) - 0.031532) < 1e-6 AND abs(r.match - 0.031532) < 1e-6, 'dis is the match of a sample', r::text) FROM sdc_sample_risk('ref.adult', :qi, 0.01) AS r;
SELECT pg_temp.ok(count(*) FILTER (WHERE a.sizes <> b.sizes[1:4]) = 0, 'sets of up to 4 columns are a part of all') FROM sdc_minimal_uniques('ref.adult', :qi) AS a JOIN special AS b USING (record);

----------------------------------------------------------------------
-- Permutation distance: Census, three seeds
----------------------------------------------------------------------

CREATE TEMP TABLE permuted (p float8, seed int, mean float8, median float8, largest float8, shift float8, own float8, near float8, chance float8);
DO $$
DECLARE
	p float8;
BEGIN
	FOREACH p IN ARRAY ARRAY[1, 5, 10, 20, 50, 100] LOOP
		FOR seed IN 1 .. 3 LOOP
			PERFORM sdc_rankswap('ref.census', p => p, seed => seed, target => 'sdc_check.swapped', replace => true);
			INSERT INTO permuted SELECT p, seed, s.mean / 10.8, s.median / 10.8, d.largest / 10.8, d.shift / 10.8, s.own, s.near_percent, s.null_distance / 10.8
			FROM sdc_permuted_privacy('sdc_check.swapped') AS s, (SELECT max(distance) AS largest, avg(shift) AS shift FROM sdc_permutation_distance('sdc_check.swapped')) AS d;
		END LOOP;
	END LOOP;
END
$$;
SELECT pg_temp.ok(abs(avg(f.mean) - v.mean) < v.tolerance AND abs(avg(f.median) - v.median) < 2 * v.tolerance AND abs(avg(f.shift) - v.shift) < v.tolerance AND abs(avg(f.own) - v.own) < v.spread AND min(f.near) = 100 AND max(f.largest) <= v.p + 0.1,
	format('Census, p = %s: how far records are', v.p), format('mean %s median %s shift %s own %s', avg(f.mean), avg(f.median), avg(f.shift), avg(f.own)))
FROM (VALUES (1::float8, 0.98, 1.02, 0.98, 1080, 0.02, 2), (5, 4.67, 4.81, 4.67, 1080, 0.1, 2), (10, 9.29, 9.48, 9.31, 1064, 0.15, 8), (20, 17.64, 18.18, 18.55, 696, 0.2, 42)) AS v (p, mean, median, shift, own, tolerance, spread) JOIN permuted AS f USING (p)
GROUP BY v.p, v.mean, v.median, v.shift, v.own, v.tolerance, v.spread ORDER BY v.p;
SELECT pg_temp.ok(abs(avg(mean) - 27.8) < 1 AND abs(avg(near) - 47.0) < 7, 'Census, p = 50', format('mean %s near %s', avg(mean), avg(near))) FROM permuted WHERE p = 50;
SELECT pg_temp.ok(abs(avg(mean) - 34.7) < 1.5 AND abs(avg(median) - 33.3) < 1.5 AND abs(avg(shift) - 73.4) < 1 AND avg(own) < 3 AND abs(avg(near) - 5.3) < 3, 'Census, random permutations', format('mean %s median %s shift %s own %s near %s', avg(mean), avg(median), avg(shift), avg(own), avg(near)))
FROM permuted WHERE p = 100;
SELECT pg_temp.ok(max(chance) - min(chance) < 1e-9 AND abs(min(chance) - 35.0) < 0.05, 'what chance gives depends on the values only', format('%s', min(chance))) FROM permuted;
SELECT pg_temp.ok(count(*) = 13 AND bool_and(v.distance = d.distance), 'a person of Census verifies the same distance', min(v.distance)::text)
FROM (SELECT to_jsonb(c) - 'id' AS own FROM ref.census AS c WHERE id = 77) AS c, LATERAL sdc_verify_record('sdc_check.swapped', own) AS v, sdc_permutation_distance('sdc_check.swapped') AS d WHERE d.record = '77';

\ir lib/finish.sql
