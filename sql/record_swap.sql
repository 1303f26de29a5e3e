--
-- record_swap
--
-- Targeted record swapping: an example with one result, and what must hold whatever is drawn, as queries in plain SQL.
--
\pset format unaligned
\pset footer off
CREATE SCHEMA record_swap;
SET search_path = record_swap, public;
SET jit = off;

--
-- The example: 1-5, 2-6, 3-7, 4-8 exchange provinces and towns, 10 finds nobody, 9 has a size of its own.
--
CREATE TABLE dwelling (hid int, line int, province int, town int, kind text, color text, PRIMARY KEY (hid, line));
INSERT INTO dwelling SELECT h.hid, c.n, h.province, h.town, h.kind, c.color
FROM (VALUES (1, 1, 11, 'a', 'rx'), (2, 1, 11, 'b', 'xx'), (3, 1, 12, 'c', 'x'), (4, 1, 12, 'd', 'yx'), (5, 2, 21, 'a', 'xx'),
		(6, 2, 21, 'b', 'xy'), (7, 2, 22, 'c', 'g'), (8, 2, 22, 'd', 'xx'), (9, 1, 12, 'b', 'xxx'), (10, 2, 21, 'e', 'bx')) AS h (hid, province, town, kind, colors),
	LATERAL regexp_split_to_table(h.colors, '') WITH ORDINALITY AS c (color, n);
SELECT attribute, action, changed, at_risk, swapped, partial, profiles, target_units, unmatched, short, level, units
FROM sdc_record_swap('dwelling', '{province,town}', '{color}', k => 2, rate => 0, similar => '{kind}', unit => '{hid}', target => 'swapped', seed => 1);
SELECT hid, province, town, count(*) FROM swapped GROUP BY 1, 2, 3 ORDER BY 1;
-- whatever is drawn
DO $$
DECLARE
	towns int[];
BEGIN
	FOR seed IN 1 .. 20 LOOP
		EXECUTE format('SELECT array_agg(town ORDER BY hid) FROM (SELECT DISTINCT hid, town FROM sdc_record_swap(NULL::dwelling, ''{province,town}'', ''{color}'', k => 2, rate => 0, similar => ''{kind}'', unit => ''{hid}'', seed => %s)) AS t', seed) INTO towns;
		ASSERT towns = '{21,21,22,22,11,11,12,12,12,21}';
	END LOOP;
END
$$;
-- with sizes ignored, and one column given up, 9 and 10 are partners for others, too
SELECT attribute, at_risk, swapped, unmatched FROM sdc_record_swap('dwelling', '{province,town}', '{color}', k => 2, rate => 0, similar => '{kind}',
	relax => 1, any_size => true, unit => '{hid}', target => 'relaxed', seed => 1) WHERE at_risk IS NOT NULL;

--
-- Households of 1 to 7 people, some of whose areas and other values are missing.  Their number is the address, which
-- goes along, and so tells who has whose.
--
CREATE TABLE person (hid int, line int, region text, district int, address int, zone int, tenure text, rooms int, age int, nation text, PRIMARY KEY (hid, line));
INSERT INTO person SELECT h, l, CASE WHEN helper.pick('r' || h, 40) > 0 THEN 'region ' || helper.pick('r' || h, 3) END, CASE WHEN helper.pick('d' || h, 30) > 0 THEN helper.pick('d' || h, 5) END, h,
	helper.pick('z' || h, 4), CASE WHEN helper.pick('t' || h, 20) > 0 THEN (ARRAY['own', 'rent'])[1 + helper.pick('t' || h, 2)] END, 1 + helper.pick('m' || h, 4),
	10 * helper.pick('a' || h || ' ' || l, 9), CASE WHEN helper.pick('n' || h || ' ' || l, 25) > 0 THEN 'nation ' || power(helper.pick('n' || h || ' ' || l, 100) / 30.0, 2)::int END
FROM generate_series(1, 300) AS h, LATERAL generate_series(1, 1 + helper.pick('s' || h, 4) * (1 + helper.pick('u' || h, 5) / 3)) AS l;
SELECT count(*), count(DISTINCT hid), count(*) FILTER (WHERE region IS NULL) > 0 AS missing FROM person;

-- The least number of different units of a region that have the values of risk of one of a unit's records: in a release with the risk of the source.
CREATE FUNCTION rarity(release regclass, areas text, risk text, strata text) RETURNS TABLE (hid int, units bigint) LANGUAGE plpgsql AS $$
BEGIN
	RETURN QUERY EXECUTE format($q$SELECT u.hid, min(cardinality(g.hids))::bigint
		FROM (SELECT array_agg(DISTINCT s.hid) AS hids FROM %1$s AS s GROUP BY %2$s, %3$s) AS g, unnest(g.hids) AS u (hid)
		GROUP BY u.hid$q$, release, concat_ws(', ', strata, areas), risk);
END
$$;
-- The level at which a unit must move: 3 for none.
CREATE FUNCTION levels(release regclass, k int, strata text) RETURNS TABLE (hid int, level int) LANGUAGE sql AS
	$$SELECT r.hid, CASE WHEN r.units < k THEN 1 WHEN d.units < k THEN 2 ELSE 3 END
	FROM rarity(release, 'region', 'age, nation', strata) AS r JOIN rarity(release, 'region, district', 'age, nation', strata) AS d USING (hid)$$;

--
-- What must hold: problems returns a row for each thing that does not.
--
CREATE TABLE report (attribute name, changed bigint, at_risk bigint, swapped bigint, partial bigint, profiles bigint[], at_risk_after bigint, target_units bigint, unmatched bigint, short bigint);
CREATE FUNCTION problems(k int, rate float8, relax int, any_size boolean, strata text) RETURNS TABLE (problem text) LANGUAGE plpgsql AS $$
BEGIN
	CREATE TEMP TABLE unit ON COMMIT DROP AS
		SELECT hid, s.size, s.region, s.district, s.tenure, s.rooms, s.zone, r.region AS region_after, r.district AS district_after, r.address AS partner, l.level, a.level AS level_after
		FROM (SELECT DISTINCT hid, region, district, tenure, rooms, zone, count(*) OVER (PARTITION BY hid) AS size FROM person) AS s
			JOIN (SELECT DISTINCT hid, region, district, address FROM moved) AS r USING (hid)
			JOIN levels('person', k, strata) AS l USING (hid) JOIN levels('moved', k, strata) AS a USING (hid);
	ANALYZE unit;
	ANALYZE moved;
	RETURN QUERY
	SELECT 'a unit has several addresses' FROM unit GROUP BY hid HAVING count(*) > 1
	UNION ALL SELECT 'what does not move has changed' FROM person AS s JOIN moved AS r USING (hid, line)
		WHERE (s.tenure, s.rooms, s.age, s.nation, s.zone) IS DISTINCT FROM (r.tenure, r.rooms, r.age, r.nation, r.zone)
	UNION ALL SELECT 'a record is gone or new' FROM person AS s FULL JOIN moved AS r USING (hid, line) WHERE s.hid IS NULL OR r.hid IS NULL OR s.region IS NULL AND false
	UNION ALL SELECT format('%s has the address of %s, who has another one', u.hid, v.hid) FROM unit AS u JOIN unit AS v ON v.hid = u.partner WHERE v.partner <> u.hid
	UNION ALL SELECT 'areas and address are of two units' FROM unit AS u JOIN unit AS v ON v.hid = u.partner WHERE (u.region_after, u.district_after) IS DISTINCT FROM (v.region, v.district)
	UNION ALL SELECT 'partners are in one region' FROM unit AS u JOIN unit AS v ON v.hid = u.partner WHERE u.hid <> v.hid AND (u.region, u.district) IS NOT DISTINCT FROM (v.region, v.district)
	UNION ALL SELECT 'partners have two sizes' FROM unit AS u JOIN unit AS v ON v.hid = u.partner WHERE u.size <> v.size AND NOT any_size
	UNION ALL SELECT 'partners are not similar' FROM unit AS u JOIN unit AS v ON v.hid = u.partner
		WHERE u.tenure IS DISTINCT FROM v.tenure AND relax < 2 OR u.rooms IS DISTINCT FROM v.rooms AND relax < 1
	UNION ALL SELECT 'partners are in two strata' FROM unit AS u JOIN unit AS v ON v.hid = u.partner WHERE u.zone IS DISTINCT FROM v.zone AND strata IS NOT NULL
	UNION ALL SELECT format('%s: at risk %s, %s', e.attribute, e.at_risk, count(u.hid)) FROM report AS e LEFT JOIN unit AS u ON u.level = CASE e.attribute WHEN 'region' THEN 1 ELSE 2 END
		WHERE e.at_risk IS NOT NULL GROUP BY e.attribute, e.at_risk HAVING e.at_risk <> count(u.hid)
	UNION ALL SELECT format('%s: at risk after %s, %s', e.attribute, e.at_risk_after, count(u.hid)) FROM report AS e LEFT JOIN unit AS u ON u.level_after = CASE e.attribute WHEN 'region' THEN 1 ELSE 2 END
		WHERE e.at_risk IS NOT NULL GROUP BY e.attribute, e.at_risk_after HAVING e.at_risk_after <> count(u.hid)
	UNION ALL SELECT 'swapped' WHERE (SELECT sum(swapped) FROM report) <> (SELECT count(*) FROM unit WHERE partner <> hid)
	UNION ALL SELECT 'partial and unmatched' WHERE (SELECT sum(partial) + sum(unmatched) FROM report) <>
		(SELECT count(*) FROM unit WHERE level = 1 AND region IS NOT DISTINCT FROM region_after OR level = 2 AND (region, district) IS NOT DISTINCT FROM (region_after, district_after))
	UNION ALL SELECT 'unmatched' WHERE (SELECT sum(unmatched) FROM report) <> (SELECT count(*) FROM unit WHERE level < 3 AND partner = hid)
	UNION ALL SELECT 'profiles' WHERE (SELECT array_agg(n ORDER BY f) FROM (SELECT f, (SELECT count(*) / 2 FROM unit AS u JOIN unit AS v ON v.hid = u.partner
			WHERE u.hid <> v.hid AND CASE WHEN u.tenure IS DISTINCT FROM v.tenure THEN 2 WHEN u.rooms IS DISTINCT FROM v.rooms THEN 1 ELSE 0 END = f) AS n FROM generate_series(0, relax) AS f) AS p)
		<> (SELECT array_agg(n ORDER BY f) FROM (SELECT f, sum(p)::bigint AS n FROM report, unnest(profiles) WITH ORDINALITY AS p (p, f) GROUP BY f) AS p)
	UNION ALL SELECT 'target' WHERE (SELECT sum(target_units) FROM report) <> (SELECT sum(2 * floor(n * rate / 200 + 0.5)) FROM (SELECT count(*) AS n FROM unit GROUP BY CASE WHEN strata IS NOT NULL THEN zone END) AS z)
	UNION ALL SELECT 'not as many as the rate has' WHERE k = 1 AND (SELECT sum(swapped) + 2 * sum(short) <> sum(target_units) FROM report)
	UNION ALL SELECT 'changed' FROM report AS e WHERE e.changed <> CASE e.attribute
		WHEN 'region' THEN (SELECT count(*) FROM person AS s JOIN moved AS r USING (hid, line) WHERE s.region IS DISTINCT FROM r.region)
		WHEN 'district' THEN (SELECT count(*) FROM person AS s JOIN moved AS r USING (hid, line) WHERE s.district IS DISTINCT FROM r.district)
		WHEN 'address' THEN (SELECT count(*) FROM person AS s JOIN moved AS r USING (hid, line) WHERE s.address IS DISTINCT FROM r.address) ELSE 0 END
	-- the joint counts of what moves, size and the columns that are never given up
	UNION ALL SELECT 'joint counts' FROM (SELECT region, district, address, size, CASE WHEN relax < 2 THEN tenure END AS tenure, CASE WHEN relax < 1 THEN rooms END AS rooms, 1 AS n FROM unit AS v JOIN (SELECT DISTINCT hid, address FROM person) AS a USING (hid)
			UNION ALL SELECT region_after, district_after, partner, size, CASE WHEN relax < 2 THEN tenure END, CASE WHEN relax < 1 THEN rooms END, -1 FROM unit) AS j WHERE NOT any_size
		GROUP BY region, district, address, size, tenure, rooms HAVING sum(n) <> 0;
	DROP TABLE unit;
END
$$;

-- Every combination of parameters, each with a seed of its own: all must have no problem.
CREATE TABLE problem (parameters text, problem text);
CREATE TABLE seen (at_risk bigint, partial bigint, unmatched bigint, short bigint, swapped bigint);
DO $$
DECLARE
	c record;
BEGIN
	FOR c IN SELECT k, rate, relax, any_size, strata, row_number() OVER () AS seed FROM unnest(ARRAY[1, 2, 3, 5]) AS k, unnest(ARRAY[0, 10, 37.5]::float8[]) AS rate, generate_series(0, 2) AS relax,
		unnest(ARRAY[false, true]) AS any_size, unnest(ARRAY[NULL, 'zone']) AS strata WHERE (k + relax + any_size::int) % 2 = 0
	LOOP
		DELETE FROM report;
		EXECUTE format($q$INSERT INTO report SELECT attribute, changed, at_risk, swapped, partial, profiles, at_risk_after, target_units, unmatched, short
			FROM sdc_record_swap('person', '{region,district}', '{age,nation}', k => %s, rate => %s, similar => '{tenure,rooms}', relax => %s, carry => '{address}', any_size => %L,
				strata => %L, unit => '{hid}', target => 'moved', replace => true, seed => %s)$q$, c.k, c.rate, c.relax, c.any_size, CASE WHEN c.strata IS NOT NULL THEN '{zone}' END, c.seed);
		INSERT INTO problem SELECT c::text, p.problem FROM problems(c.k, c.rate, c.relax, c.any_size, c.strata) AS p;
		INSERT INTO seen SELECT sum(e.at_risk), sum(e.partial), sum(e.unmatched), sum(e.short), sum(e.swapped) FROM report AS e;
	END LOOP;
END
$$;
SELECT * FROM problem;
-- the cases are not all plain ones
SELECT count(*), count(*) FILTER (WHERE at_risk > 0) AS at_risk, count(*) FILTER (WHERE partial > 0) AS partial, count(*) FILTER (WHERE unmatched > 0) AS unmatched, count(*) FILTER (WHERE short > 0) AS short, count(*) FILTER (WHERE swapped > 0) AS swapped FROM seen;

-- Rates without risk: exactly so many units of 300.
SELECT r, (SELECT sum(swapped) FROM sdc_record_swap('person', '{region,district}', '{}', k => 1, rate => r, any_size => true, unit => '{hid}', carry => '{address}', keep => '{zone,tenure,rooms,age,nation}', target => 'rated', replace => true, seed => r)) AS swapped,
	2 * floor(300 * r / 200.0 + 0.5) AS expected FROM unnest(ARRAY[5, 10, 25]) AS r;

--
-- The same seed is the same release: in another order of rows, in steps, as rows, and with columns that are not looked at.
--
CREATE TABLE shuffled (LIKE person INCLUDING ALL);
INSERT INTO shuffled SELECT * FROM person ORDER BY md5(hid || ' ' || line);
SELECT count(*) FROM sdc_record_swap('person', '{region,district}', '{age,nation}', k => 3, rate => 20, similar => '{tenure}', carry => '{address}', unit => '{hid}', keep => '{zone,rooms}', target => 'one', seed => 'same');
SELECT count(*) FROM sdc_record_swap('shuffled'::regclass, '{region,district}', '{age,nation}', k => 3, rate => 20, similar => '{tenure}', carry => '{address}', unit => '{hid}', keep => '{zone,rooms}', target => 'two', seed => 'same');
SELECT count(*) FROM sdc_protect('person', '[{"method": "record_swap", "areas": ["region", "district"], "risk": ["age", "nation"], "k": 3, "rate": 20, "similar": ["tenure"], "carry": ["address"]}]', unit => '{hid}', keep => '{zone,rooms}', target => 'three', seed => 'same');
SELECT (SELECT count(*) FROM (TABLE one EXCEPT TABLE two) AS d) AS shuffled, (SELECT count(*) FROM (TABLE one EXCEPT TABLE three) AS d) AS steps,
	(SELECT count(*) FROM (TABLE one EXCEPT SELECT * FROM sdc_record_swap(NULL::person, '{region,district}', '{age,nation}', k => 3, rate => 20, similar => '{tenure}', carry => '{address}', unit => '{hid}', keep => '{zone,rooms}', seed => 'same')) AS d) AS rows,
	(SELECT count(*) > 0 FROM (TABLE one EXCEPT TABLE person) AS d) AS moved;
SELECT method, columns, parameters, unit, units FROM sdc_releases WHERE release IN ('one'::regclass, 'three'::regclass) ORDER BY method;
-- units that are records: with the key as the unit, and without units
CREATE TABLE single (id int PRIMARY KEY, region int, kind int, color int);
INSERT INTO single SELECT i, helper.pick('g' || i, 6), helper.pick('k' || i, 3), helper.pick('c' || i, 40) FROM generate_series(1, 500) AS i;
SELECT sum(at_risk) AS at_risk, sum(swapped) AS swapped, sum(unmatched) AS unmatched FROM sdc_record_swap('single', '{region}', '{color}', k => 2, rate => 5, similar => '{kind}', target => 'by_rows', seed => 1);
SELECT sum(at_risk) AS at_risk, sum(swapped) AS swapped, sum(unmatched) AS unmatched FROM sdc_record_swap('single', '{region}', '{color}', k => 2, rate => 5, similar => '{kind}', target => 'by_units', seed => 1, unit => '{id}');
SELECT count(*) FROM (TABLE by_rows EXCEPT TABLE by_units) AS d;

--
-- People found: areas tell nothing for certain, and most often they are the right ones.
--
CREATE FUNCTION found(release regclass, known name[]) RETURNS TABLE (candidates numeric, nearest numeric) LANGUAGE plpgsql AS $$
DECLARE
	others text := (SELECT string_agg(format('o.%I IS NOT DISTINCT FROM r.%1$I', c), ' AND ') FROM unnest(known) AS c WHERE c <> 'region');
BEGIN
	-- nearest: of those in the same region, if there are any, one; else of all
	RETURN QUERY EXECUTE format($q$WITH pair AS (SELECT o.id, r.id = o.id AS own, r.region IS NOT DISTINCT FROM o.region AS same FROM single AS o JOIN %s AS r ON %s),
		person AS (SELECT id, count(*) AS n, bool_or(own) AS inside, count(*) FILTER (WHERE same) AS near, bool_or(own AND same) AS inside_near FROM pair GROUP BY id)
		SELECT round(sum(inside::int / n::numeric), 6), round(sum(CASE WHEN near > 0 THEN inside_near::int / near::numeric ELSE inside::int / n::numeric END), 6) FROM person$q$, release, others);
END
$$;
SELECT (SELECT round(found::numeric, 6) FROM sdc_people_found('by_rows', known => '{region,kind,color}') WHERE attack = 'candidates') AS candidates,
	(SELECT round(found::numeric, 6) FROM sdc_people_found('by_rows', known => '{region,kind,color}') WHERE attack = 'nearest') AS nearest,
	f.* FROM found('by_rows', '{region,kind,color}') AS f (candidates_sql, nearest_sql);
SELECT (SELECT round(found::numeric, 6) FROM sdc_people_found('by_rows', known => '{region,kind}') WHERE attack = 'candidates') AS candidates,
	(SELECT round(found::numeric, 6) FROM sdc_people_found('by_rows', known => '{region,kind}') WHERE attack = 'nearest') AS nearest,
	f.* FROM found('by_rows', '{region,kind}') AS f (candidates_sql, nearest_sql);

-- an area that was taken out of the release later tells nothing either
UPDATE by_rows SET region = NULL WHERE id % 50 = 0;
SELECT (SELECT round(found::numeric, 6) FROM sdc_people_found('by_rows', known => '{region,kind,color}') WHERE attack = 'candidates') AS candidates,
	(SELECT round(found::numeric, 6) FROM sdc_people_found('by_rows', known => '{region,kind,color}') WHERE attack = 'nearest') AS nearest,
	f.* FROM found('by_rows', '{region,kind,color}') AS f (candidates_sql, nearest_sql);
-- nobody has moved: the nearest are those in the same area, and the candidates are not
SELECT count(*) FROM sdc_record_swap('single', '{region}', '{color}', k => 1, rate => 0, target => 'stayed');
SELECT (SELECT round(found::numeric, 6) FROM sdc_people_found('stayed', known => '{region,kind}') WHERE attack = 'candidates') AS candidates,
	(SELECT round(found::numeric, 6) FROM sdc_people_found('stayed', known => '{region,kind}') WHERE attack = 'nearest') AS nearest,
	f.* FROM found('stayed', '{region,kind}') AS f (candidates_sql, nearest_sql);

-- Within strata an intruder looks within them, whether he knows their columns or not: pairs of all records in plain SQL, and of units by all their records.
CREATE FUNCTION stratified(release regclass, moved text, known text, stratum text, who text) RETURNS TABLE (candidates numeric, nearest numeric) LANGUAGE plpgsql AS $$
BEGIN
	RETURN QUERY EXECUTE format($q$WITH o AS (SELECT %1$s AS who, min(%2$s) AS moved, min(%3$s) AS stratum, array_agg(%4$s ORDER BY %4$s) AS bag FROM zoned GROUP BY 1),
		r AS (SELECT %1$s AS who, min(m.%2$s) AS moved, min(s.%3$s) AS stratum, array_agg(m.%4$s ORDER BY m.%4$s) AS bag FROM %5$s AS m JOIN zoned AS s USING (id, hid) GROUP BY 1),
		pair AS (SELECT o.who, r.who = o.who AS own, r.moved IS NOT DISTINCT FROM o.moved AS same FROM o JOIN r ON o.bag = r.bag AND o.stratum IS NOT DISTINCT FROM r.stratum),
		person AS (SELECT who, count(*) AS n, bool_or(own) AS inside, count(*) FILTER (WHERE same) AS near, bool_or(own AND same) AS inside_near FROM pair GROUP BY who)
		SELECT round(sum(inside::int / n::numeric), 6), round(sum(CASE WHEN near > 0 THEN inside_near::int / near::numeric ELSE inside::int / n::numeric END), 6) FROM person$q$,
		who, moved, stratum, known, release);
END
$$;
CREATE TABLE zoned AS SELECT i AS id, i / 2 AS hid, helper.pick('g' || i / 2, 6) AS region, nullif(helper.pick('k' || i / 2, 4), 3) AS kind, helper.pick('c' || i, 12) AS color, 0 AS everybody FROM generate_series(1, 500) AS i;
ALTER TABLE zoned ADD PRIMARY KEY (id);
SELECT sum(swapped) > 20 AS swapped FROM sdc_record_swap('zoned', '{region}', '{color}', k => 2, rate => 25, strata => '{kind}', target => 'homes_in_strata', unit => '{hid}', seed => 1);
SELECT sum(changed) > 20 AS swapped FROM sdc_permutation_swap('zoned', '{region}', rate => 40, strata => '{kind}', target => 'permuted_in_strata', unit => '{hid}', seed => 1);
SELECT sum(swapped) > 20 AS swapped FROM sdc_record_swap('zoned', '{region}', '{color}', k => 2, rate => 25, strata => '{kind}', target => 'rows_in_strata', unit => '{}', seed => 1);
SELECT r.release, r.unit, abs(c.found - f.candidates) < 1e-5 AS candidates, abs(n.found - f.nearest) < 1e-5 AS nearest, f.candidates > o.candidates AS more
FROM (VALUES ('homes_in_strata', '{hid}'::name[], 'hid'), ('permuted_in_strata', '{hid}', 'hid'), ('rows_in_strata', '{}', 'id')) AS r (release, unit, who),
	LATERAL stratified(r.release::regclass, 'region', 'color', 'kind', r.who) AS f, LATERAL stratified(r.release::regclass, 'region', 'color', 'everybody', r.who) AS o,
	LATERAL (SELECT found FROM sdc_people_found(r.release::regclass, known => '{region,color}', unit => r.unit) WHERE attack = 'candidates') AS c,
	LATERAL (SELECT found FROM sdc_people_found(r.release::regclass, known => '{region,color}', unit => r.unit) WHERE attack = 'nearest') AS n ORDER BY 1;
-- what moves is not known: then nobody needs the strata, and who knows them has them
SELECT (SELECT round(found::numeric, 6) FROM sdc_people_found('rows_in_strata', known => '{color}', unit => '{}') WHERE attack = 'candidates') = candidates AS color FROM stratified('rows_in_strata', 'region', 'color', 'everybody', 'id');

--
-- A policy has it as a step, and names the columns of areas that way.
--
SELECT sdc_policy_set('regress_sdc_areas', 'person', '[{"method": "record_swap", "areas": ["region", "district"], "risk": ["age", "nation"], "k": 2, "rate": 10, "carry": ["address"]}]',
	publish_as => 'record_swap.published', keep => '{zone,tenure,rooms,age,nation}', unit => '{hid}', limits => '{"people_found": 100}');
SELECT policy, source FROM sdc_policies WHERE policy = 'regress_sdc_areas';
SELECT sdc_policy_drop('regress_sdc_areas');

--
-- What depends on the areas and stays is told of; nothing is of what goes along.
--
CREATE TABLE housed AS SELECT id, region, 'mayor ' || region AS mayor, region * 7 AS code, kind, color FROM single;
ALTER TABLE housed ADD PRIMARY KEY (id);
SET client_min_messages = warning;
SELECT count(*) FROM sdc_record_swap('housed', '{region}', '{color}', k => 1, rate => 50, keep => '{mayor,code,kind}', target => 'contradicts', seed => 1);
SELECT count(*) FROM sdc_record_swap('housed', '{region}', '{color}', k => 1, rate => 50, keep => '{mayor,kind}', target => 'contradicts', seed => 1, replace => true);
SELECT count(*) FROM sdc_record_swap('housed', '{region}', '{color}', k => 1, rate => 50, carry => '{mayor,code}', keep => '{kind}', target => 'fits', seed => 1);
SELECT count(*) FROM sdc_record_swap('housed', '{region}', '{color}', k => 3, rate => 0, similar => '{kind,mayor}', carry => '{code}', target => 'alone', seed => 1);
SELECT count(*) FROM sdc_record_swap('dwelling', '{province}', '{color}', k => 5, rate => 0, similar => '{kind}', omit => '{town}', unit => '{hid}', target => 'alone_units', seed => 1);
RESET client_min_messages;
SELECT count(*) FROM fits WHERE mayor <> 'mayor ' || region OR code <> region * 7;

--
-- What is refused.
--
\pset tuples_only on
SELECT a, helper.catch(format('SELECT * FROM sdc_record_swap(''single'', %s)', a)) FROM unnest(ARRAY[
	$$NULL, '{color}', 2, 5$$, $$'{}', '{color}', 2, 5$$, $$'{region}', NULL, 2, 5$$, $$'{region}', '{color}'$$, $$'{region}', '{color}', NULL, 5$$, $$'{region}', '{color}', 0, 5$$, $$'{region}', '{color}', -1, 5$$,
	$$'{region}', '{color}', 2$$, $$'{region}', '{color}', 2, NULL$$, $$'{region}', '{color}', 2, -1$$, $$'{region}', '{color}', 2, 100.5$$, $$'{region}', '{color}', 2, 'NaN'$$,
	$$'{region}', '{color}', 2, 5, relax => NULL$$, $$'{region}', '{color}', 2, 5, relax => 1$$, $$'{region}', '{color}', 2, 5, relax => -1$$, $$'{region}', '{color}', 2, 5, '{kind}', 2$$,
	$$'{region}', '{color}', 2, 5, any_size => NULL$$, $$'{region}', '{region}', 2, 5$$, $$'{region}', '{color}', 2, 5, '{region}'$$, $$'{region}', '{color}', 2, 5, carry => '{region}'$$,
	$$'{region}', '{color}', 2, 5, carry => '{color}'$$, $$'{region}', '{color}', 2, 5, '{kind}', carry => '{kind}'$$, $$'{region,region}', '{color}', 2, 5$$, $$'{nowhere}', '{color}', 2, 5$$,
	$$'{region}', '{nothing}', 2, 5$$, $$'{region}', '{color}', 2, 5, '{nothing}'$$, $$'{region}', '{color}', 2, 5, carry => '{nothing}'$$, $$'{id}', '{color}', 2, 5$$, $$'{region}', '{id}', 2, 5$$,
	$$'{region}', '{color}', 2, 5, '{id}'$$, $$'{region}', '{color}', 2, 5, omit => '{color}'$$, $$'{region}', '{color}', 2, 5, omit => '{region}'$$, $$'{region}', '{color}', 2, 5, strata => '{region}'$$,
	$$'{region}', '{color}', 2, 5, keep => '{region}'$$, $$'{region}', '{color}', 2, 5, row_level => '{region}', unit => '{id}'$$]) AS a;
SELECT a, helper.catch(format('SELECT * FROM sdc_record_swap(''person'', %s, unit => ''{hid}'')', a)) FROM unnest(ARRAY[
	$$'{age}', '{nation}', 2, 5$$, $$'{region,age}', '{nation}', 2, 5$$, $$'{region}', '{nation}', 2, 5, '{age}'$$, $$'{region}', '{nation}', 2, 5, carry => '{age}'$$, $$'{region}', '{nation}', 2, 5, strata => '{age}'$$,
	$$'{hid}', '{nation}', 2, 5$$, $$'{region}', '{hid}', 2, 5$$]) AS a;
SELECT s, helper.catch(format('SELECT * FROM sdc_protect(''single'', %L)', s)) FROM unnest(ARRAY[
	'[{"method": "record_swap", "areas": ["region"], "risk": ["color"], "k": 2}]', '[{"method": "record_swap", "areas": ["region"], "risk": ["color"], "k": 2, "rate": 5, "unit_size": "any"}]',
	'[{"method": "record_swap", "areas": ["region"], "risk": ["color"], "k": 2, "rate": 5, "relax": 0.5}]', '[{"method": "record_swap", "areas": ["region"], "risk": ["color"], "k": 2, "rate": 5}, {"method": "rankswap", "columns": ["color"], "p": 10}]',
	'[{"method": "record_swap", "risk": ["color"], "k": 2, "rate": 5}]']) AS s;
-- nothing at all, and one unit
CREATE TABLE empty (LIKE single INCLUDING ALL);
SELECT sum(at_risk), sum(swapped), sum(target_units) FROM sdc_record_swap('empty', '{region}', '{color}', k => 2, rate => 10, target => 'empty_moved');
INSERT INTO empty VALUES (1, 1, 1, 1);
SELECT sum(at_risk), sum(swapped), sum(unmatched), sum(target_units) FROM sdc_record_swap('empty', '{region}', '{color}', k => 2, rate => 10, target => 'empty_moved', replace => true);
SET client_min_messages = error;
DROP SCHEMA record_swap CASCADE;
