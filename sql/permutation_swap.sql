--
-- permutation_swap
--
-- Permutation swapping: what must hold whatever is drawn, its guarantee, and what is refused.
--
\pset format unaligned
\pset footer off
CREATE SCHEMA permutation_swap;
SET search_path = permutation_swap, public;
SET jit = off;
-- Households of 1 to 4 people; their number is the address, which tells who has whose.
CREATE TABLE person (hid int, line int, region int, rent int, address int, age int, PRIMARY KEY (hid, line));
INSERT INTO person SELECT h, l, CASE WHEN helper.pick('r' || h, 30) > 0 THEN power(helper.pick('r' || h, 10), 2)::int / 12 END, CASE WHEN helper.pick('q' || h, 15) > 0 THEN 100 * helper.pick('q' || h, 9) END, h, 10 * helper.pick('a' || h || ' ' || l, 9)
FROM generate_series(1, 400) AS h, LATERAL generate_series(1, 1 + helper.pick('s' || h, 4)) AS l;

--
-- What must hold, as queries.
--
CREATE FUNCTION problems(any_size boolean, stratified boolean) RETURNS TABLE (problem text) LANGUAGE plpgsql AS $$
BEGIN
	CREATE TEMP TABLE unit ON COMMIT DROP AS
		SELECT hid, s.region, s.rent, r.rent AS rent_after, r.address AS partner, CASE WHEN stratified THEN s.region END AS stratum, CASE WHEN NOT any_size THEN s.size END AS size
		FROM (SELECT DISTINCT hid, region, rent, count(*) OVER (PARTITION BY hid) AS size FROM person) AS s JOIN (SELECT DISTINCT hid, rent, address FROM moved) AS r USING (hid);
	RETURN QUERY
	SELECT 'a unit has several addresses' FROM unit GROUP BY hid HAVING count(*) > 1
	UNION ALL SELECT 'an address is used twice' FROM unit GROUP BY partner HAVING count(*) > 1
	UNION ALL SELECT 'what does not move has changed' FROM person AS s FULL JOIN moved AS r USING (hid, line) WHERE (s.region, s.age) IS DISTINCT FROM (r.region, r.age)
	UNION ALL SELECT 'the columns are of two units' FROM unit AS u JOIN unit AS v ON v.hid = u.partner WHERE u.rent_after IS DISTINCT FROM v.rent
	UNION ALL SELECT 'partners are in two strata' FROM unit AS u JOIN unit AS v ON v.hid = u.partner WHERE (u.stratum, u.size) IS DISTINCT FROM (v.stratum, v.size)
	UNION ALL SELECT 'one unit alone has moved' FROM unit GROUP BY stratum, size HAVING count(*) FILTER (WHERE partner <> hid) = 1
	UNION ALL SELECT 'counts by strata and columns' FROM (SELECT stratum, size, rent, 1 AS n FROM unit UNION ALL SELECT stratum, size, rent_after, -1 FROM unit) AS j GROUP BY stratum, size, rent HAVING sum(n) <> 0
	UNION ALL SELECT format('largest stratum %s, strata %s, single %s', g.largest_stratum, g.strata, g.single_strata) FROM sdc_swap_guarantee('moved') AS g,
		(SELECT coalesce(max(n), 0) AS largest, count(*) AS strata, count(*) FILTER (WHERE n = 1) AS single FROM (SELECT count(*) AS n FROM unit GROUP BY stratum, size) AS b) AS b
		WHERE (g.largest_stratum, g.strata, g.single_strata) IS DISTINCT FROM (b.largest, b.strata, b.single)
	UNION ALL SELECT format('selected %s', g.selected_percent) FROM sdc_swap_guarantee('moved') AS g, sdc_releases AS e,
		-- of b units the expected share, given that it is not one: (b p - a) / (1 - a) / b with a = b p (1 - p)^(b - 1)
		LATERAL (SELECT 100 * sum(CASE WHEN n > 1 THEN (n * p - n * p * (1 - p) ^ (n - 1)) / (1 - n * p * (1 - p) ^ (n - 1)) ELSE 0 END) / sum(n) AS percent
			FROM (SELECT count(*)::numeric AS n, (e.parameters ->> 'rate')::numeric / 100 AS p FROM unit GROUP BY stratum, size) AS b) AS x
		WHERE e.release = 'moved'::regclass AND abs(g.selected_percent - x.percent) > 1e-4
	UNION ALL SELECT format('epsilon %s', g.epsilon) FROM sdc_swap_guarantee('moved') AS g, sdc_releases AS e, LATERAL (SELECT (e.parameters ->> 'rate')::float8 / 100 AS p) AS x,
		LATERAL (SELECT ln(p / (1 - p)) AS o) AS y
		WHERE e.release = 'moved'::regclass AND abs(g.epsilon - greatest(CASE WHEN p > 0.5 THEN o END, ln(g.largest_stratum + 1) - o)) > 1e-12 OR e.release = 'moved'::regclass AND g.epsilon_pair <> 2 * g.epsilon
	UNION ALL SELECT format('moved %s', g.moved_percent) FROM sdc_swap_guarantee('moved') AS g
		WHERE abs(g.moved_percent - (SELECT 100.0 * count(*) FILTER (WHERE partner <> hid) / count(*) FROM unit)) > 1e-4;
	DROP TABLE unit;
END
$$;
CREATE TABLE problem (parameters text, problem text);
CREATE TABLE seen (moved bigint);
DO $$
DECLARE
	c record;
BEGIN
	FOR c IN SELECT rate, any_size, stratified, row_number() OVER () AS seed FROM unnest(ARRAY[1, 5, 50, 90]::float8[]) AS rate, unnest(ARRAY[false, true]) AS any_size, unnest(ARRAY[false, true]) AS stratified, generate_series(1, 3)
	LOOP
		PERFORM sdc_permutation_swap('person', '{rent,address}', rate => c.rate, any_size => c.any_size, strata => CASE WHEN c.stratified THEN '{region}'::name[] END, unit => '{hid}', target => 'moved', replace => true, seed => c.seed);
		INSERT INTO problem SELECT c::text, p.problem FROM problems(c.any_size, c.stratified) AS p;
		INSERT INTO seen SELECT count(*) FROM person AS s JOIN moved AS r USING (hid, line) WHERE s.address <> r.address;
	END LOOP;
END
$$;
SELECT * FROM problem;
SELECT count(*), min(moved) < max(moved) AS varies FROM seen;

--
-- The guarantee: of strata of 4, 1, 2 and 3 units, the last of which have one value.
--
CREATE TABLE small (id int PRIMARY KEY, stratum int, value int);
INSERT INTO small VALUES (1, 1, 1), (2, 1, 2), (3, 1, 3), (4, 1, 4), (5, 2, 9), (6, 3, 1), (7, 3, 2), (8, 4, 5), (9, 4, 5), (10, 4, 5);
SELECT attribute, action, method, records, level FROM sdc_permutation_swap('small', '{value}', rate => 50, strata => '{stratum}', target => 'small_moved', seed => 1);
SELECT round(epsilon::numeric, 7) AS epsilon, round(epsilon_pair::numeric, 7) AS pair, round(attained::numeric, 7) AS attained, largest_stratum, strata, single_strata, round(selected_percent::numeric, 4) AS selected, invariants FROM sdc_swap_guarantee('small_moved');
-- without the stratum of four the worst case is not known; a stratum of equal values does not count
DELETE FROM small WHERE stratum = 1;
SELECT count(*) FROM sdc_permutation_swap('small', '{value}', rate => 5, strata => '{stratum}', target => 'small_moved', replace => true, seed => 1);
SELECT round(epsilon::numeric, 3) AS epsilon, attained, largest_stratum, strata, single_strata, round(selected_percent::numeric, 3) AS selected FROM sdc_swap_guarantee('small_moved');
DELETE FROM small WHERE stratum = 3;
SELECT count(*) FROM sdc_permutation_swap('small', '{value}', rate => 5, strata => '{stratum}', target => 'small_moved', replace => true, seed => 1);
SELECT epsilon, epsilon_pair, attained, largest_stratum, strata, single_strata, moved_percent FROM sdc_swap_guarantee('small_moved');

--
-- All permutations of a stratum come as often as they should: of three units p^m (1-p)^(3-m) / D(m), m those that move.
--
CREATE TABLE three (id int PRIMARY KEY, value int);
INSERT INTO three VALUES (1, 1), (2, 2), (3, 3);
WITH drawn AS (SELECT (SELECT string_agg(value::text, '' ORDER BY id) FROM sdc_permutation_swap(NULL::three, '{value}', rate => 40, seed => s)) AS outcome FROM generate_series(1, 2000) AS s),
	law (outcome, weight) AS (VALUES ('123', 0.6 ^ 3), ('132', 0.4 ^ 2 * 0.6), ('213', 0.4 ^ 2 * 0.6), ('321', 0.4 ^ 2 * 0.6), ('231', 0.4 ^ 3 / 2), ('312', 0.4 ^ 3 / 2)),
	expected AS (SELECT outcome, 2000 * weight / sum(weight) OVER () AS n FROM law)
SELECT count(*), sum((d.n - e.n) ^ 2 / e.n) < 25 AS as_often FROM expected AS e LEFT JOIN LATERAL (SELECT count(*) AS n FROM drawn WHERE drawn.outcome = e.outcome) AS d ON true;

--
-- What other methods promise: nothing; or that all pairings in bins and groups are equally likely; and the sum of several sets.
--
CREATE TABLE several (id int PRIMARY KEY, a int, b int, c int, d int, kind int);
INSERT INTO several SELECT i, helper.pick('a' || i, 50), helper.pick('b' || i, 50), helper.pick('c' || i, 50), helper.pick('d' || i, 9), helper.pick('k' || i, 3) FROM generate_series(1, 60) AS i;
SELECT count(*) FROM sdc_rankswap('several', 10, '{a}', target => 'by_ranks'), sdc_equidepth_swap('several', 5, 'swap', '{a,b}', target => 'by_bins', keep => '{d,kind}', strata => '{kind}'), sdc_permute('several', '{a,b}', '{d}', 3, target => 'by_groups'),
	sdc_generalize('several', '{a}', k => 5, target => 'by_ranges'), sdc_record_swap('several', '{kind}', '{d}', 2, 5, target => 'by_areas'), sdc_randomize('several', '{a,b}', target => 'by_chance');
CREATE TABLE elsewhere AS TABLE several;
ALTER TABLE elsewhere ADD PRIMARY KEY (id);
SELECT sdc_register('several', 'elsewhere', '{a}', method => 'permutation_swap', parameters => '{"rate": 5}');
SELECT * FROM sdc_swap_guarantee('elsewhere');
SELECT sdc_register('several', 'elsewhere', '{a}', method => 'permutation_swap', parameters => '{"rate": 50, "largest_stratum": 4, "strata_found": 1e300, "single_strata": -3, "selected_percent": "x", "moved_percent": 1e400}');
SELECT round(epsilon::numeric, 6) AS epsilon, largest_stratum, strata, single_strata, selected_percent, moved_percent FROM sdc_swap_guarantee('elsewhere');
SELECT sdc_register('several', 'elsewhere', '{a}', method => 'permutation_swap', parameters => '{"rate": 500, "largest_stratum": 4}');
SELECT count(*) FROM sdc_protect('several', '[{"method": "permutation_swap", "columns": ["a", "b"], "rate": 50}, {"method": "permutation_swap", "columns": ["c"], "rate": 50}]', target => 'two_sets', seed => 1);
SELECT count(*) FROM sdc_protect('several', '[{"method": "permutation_swap", "columns": ["a", "b"], "rate": 50}, {"method": "equidepth_swap", "columns": ["c"], "depth": 5}]', target => 'and_bins', seed => 1);
SELECT count(*) FROM sdc_protect('several', '[{"method": "permutation_swap", "columns": ["a", "b"], "rate": 50}, {"method": "rankswap", "columns": ["c"], "p": 5}]', target => 'and_ranks', seed => 1);
SELECT r, round(g.epsilon::numeric, 6) AS epsilon, round(g.epsilon_pair::numeric, 6) AS pair, round(g.attained::numeric, 6) AS attained, g.largest_stratum, g.strata, g.invariants
FROM unnest('{by_ranks,by_bins,by_groups,by_ranges,by_areas,by_chance,elsewhere,two_sets,and_bins,and_ranks}'::text[]) WITH ORDINALITY AS r (r, i), sdc_swap_guarantee(r::regclass) AS g ORDER BY i;
-- two steps of one method draw apart
SELECT count(*) FILTER (WHERE s.a <> r.a) > 0 AS a, count(*) FILTER (WHERE s.c <> r.c) > 0 AS c, count(*) FILTER (WHERE (s.a <> r.a) <> (s.c <> r.c)) > 0 AS apart FROM several AS s JOIN two_sets AS r USING (id);

--
-- The same seed is the same release.
--
CREATE TABLE shuffled (LIKE person INCLUDING ALL);
INSERT INTO shuffled SELECT * FROM person ORDER BY md5(hid || ' ' || line);
SELECT count(*) FROM sdc_permutation_swap('person', '{rent,address}', 20, strata => '{region}', unit => '{hid}', keep => '{age}', target => 'one', seed => 'same');
SELECT count(*) FROM sdc_permutation_swap('shuffled'::regclass, '{address,rent}', 20, strata => '{region}', unit => '{hid}', keep => '{age}', target => 'two', seed => 'same');
SELECT count(*) FROM sdc_protect('person', '[{"method": "permutation_swap", "columns": ["rent", "address"], "rate": 20}]', strata => '{region}', unit => '{hid}', keep => '{age}', target => 'steps', seed => 'same');
SELECT (SELECT count(*) FROM (TABLE one EXCEPT TABLE two) AS d) AS shuffled, (SELECT count(*) FROM (TABLE one EXCEPT TABLE steps) AS d) AS steps,
	(SELECT count(*) FROM (TABLE one EXCEPT SELECT * FROM sdc_permutation_swap(NULL::person, '{rent,address}', 20, strata => '{region}', unit => '{hid}', keep => '{age}', seed => 'same')) AS d) AS rows,
	(SELECT count(*) > 0 FROM (TABLE one EXCEPT TABLE person) AS d) AS moved;
-- each record is a unit, and so is each of the key
SELECT count(*) FROM sdc_permutation_swap('several', '{a,b}', 30, strata => '{kind}', target => 'by_rows', seed => 3);
SELECT count(*) FROM sdc_permutation_swap('several', '{a,b}', 30, strata => '{kind}', target => 'by_units', seed => 3, unit => '{id}');
SELECT count(*) FROM (TABLE by_rows EXCEPT TABLE by_units) AS d;

--
-- People found: the columns tell nothing for certain, and most often they are the right ones.
--
CREATE FUNCTION found(release regclass) RETURNS TABLE (candidates numeric, nearest numeric) LANGUAGE plpgsql AS $$
BEGIN
	RETURN QUERY EXECUTE format($q$WITH pair AS (SELECT o.id, r.id = o.id AS own, (r.a, r.b) IS NOT DISTINCT FROM (o.a, o.b) AS same FROM several AS o JOIN %s AS r ON (o.c, o.d, o.kind) IS NOT DISTINCT FROM (r.c, r.d, r.kind)),
		person AS (SELECT id, count(*) AS n, bool_or(own) AS inside, count(*) FILTER (WHERE same) AS near, bool_or(own AND same) AS inside_near FROM pair GROUP BY id)
		SELECT round(sum(inside::int / n::numeric), 6), round(sum(CASE WHEN near > 0 THEN inside_near::int / near::numeric ELSE inside::int / n::numeric END), 6) FROM person$q$, release);
END
$$;
SELECT (SELECT round(found::numeric, 6) FROM sdc_people_found('by_rows') WHERE attack = 'candidates') AS candidates, (SELECT round(found::numeric, 6) FROM sdc_people_found('by_rows') WHERE attack = 'nearest') AS nearest,
	f.* FROM found('by_rows') AS f (candidates_sql, nearest_sql);

--
-- What is refused.
--
\pset tuples_only on
SELECT a, helper.catch(format('SELECT * FROM sdc_permutation_swap(''several'', %s)', a)) FROM unnest(ARRAY[
	$$NULL, 5$$, $$'{}', 5$$, $$'{a}'$$, $$'{a}', NULL$$, $$'{a}', 0$$, $$'{a}', 100$$, $$'{a}', -5$$, $$'{a}', 'NaN'$$, $$'{a}', 'Infinity'$$, $$'{a}', 5, NULL$$, $$'{id}', 5$$, $$'{nothing}', 5$$, $$'{a,a}', 5$$,
	$$'{a}', 5, strata => '{a}'$$, $$'{a}', 5, keep => '{a}'$$, $$'{a}', 5, omit => '{a}'$$, $$'{a}', 5, row_level => '{a}', unit => '{id}'$$]) AS a;
SELECT a, helper.catch(format('SELECT * FROM sdc_permutation_swap(''person'', %s, unit => ''{hid}'')', a)) FROM unnest(ARRAY[
	$$'{age}', 5$$, $$'{rent,age}', 5$$, $$'{rent}', 5, strata => '{age}'$$, $$'{hid}', 5$$]) AS a;
SELECT helper.catch($$SELECT * FROM sdc_swap_guarantee('several')$$), helper.catch($$SELECT * FROM sdc_swap_guarantee(NULL)$$);
-- nothing at all
CREATE TABLE empty (LIKE several INCLUDING ALL);
SELECT count(*) FROM sdc_permutation_swap('empty', '{a}', 5, target => 'empty_moved');
SELECT epsilon, largest_stratum, strata, single_strata, selected_percent, moved_percent FROM sdc_swap_guarantee('empty_moved');
DROP SCHEMA permutation_swap CASCADE;
