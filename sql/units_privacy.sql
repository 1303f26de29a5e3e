--
-- units_privacy
--
-- Groups in which units are counted, persons with several records or households, against the definitions in plain SQL.
--
\pset format unaligned
\pset footer off
SET max_parallel_workers_per_gather = 0;	-- hundreds of small queries
CREATE SCHEMA units_privacy;
SET search_path = units_privacy, public;
SET maintenance_work_mem = '64MB';	-- whatever the server has

-- By hand: of the units A, B and C, A and B have records in both groups, and A has two in the first.
CREATE TABLE toy (id int PRIMARY KEY, g int, u text, v text);
INSERT INTO toy VALUES (1, 1, 'A', 'x'), (2, 1, 'A', 'y'), (3, 1, 'B', 'x'), (4, 2, 'A', 'x'), (5, 2, 'B', 'x'), (6, 2, 'C', 'z');
SELECT k, groups, unique_records, k_rows, k_whole, whole_unique, round(share::numeric, 10) AS share FROM sdc_kanonymity('toy', '{g}', '{u}');
SELECT k, groups, unique_records, k_rows, k_whole, whole_unique, round(share::numeric, 10) AS share FROM sdc_kanonymity('toy', '{g}');
SELECT distinct_l, round(entropy_l::numeric, 10) AS entropy_l, most FROM sdc_ldiversity('toy', '{g}', '{v}', '{u}');
SELECT distinct_l, round(entropy_l::numeric, 10) AS entropy_l, round(most::numeric, 10) AS most FROM sdc_ldiversity('toy', '{g}', '{v}');

-- The definitions.  A missing value is a value.
CREATE FUNCTION privacy(relation regclass, qi name[], sensitive name, unit name[])
RETURNS TABLE (k bigint, groups bigint, unique_records bigint, k_rows bigint, k_whole bigint, whole_unique bigint, share float8, distinct_l bigint, entropy_l float8, most float8)
LANGUAGE plpgsql AS $$
DECLARE
	list CONSTANT text[] := ARRAY[(SELECT string_agg(quote_ident(x), ', ') FROM unnest(qi) AS x), (SELECT string_agg(quote_ident(x), ', ') FROM unnest(unit) AS x)];
BEGIN
	RETURN QUERY EXECUTE format($q$
		WITH record AS MATERIALIZED (SELECT dense_rank() OVER (ORDER BY %1$s) AS g, dense_rank() OVER (ORDER BY %2$I) AS v, dense_rank() OVER (ORDER BY %3$s) AS u FROM %4$s),
			size AS (SELECT g, count(DISTINCT u) AS units, count(*) AS rows FROM record GROUP BY g),
			part AS (SELECT g, u, count(*)::float8 AS rows FROM record GROUP BY g, u),
			whole AS (SELECT count(*) AS n FROM (SELECT array_agg(g ORDER BY g) AS set FROM record GROUP BY u) AS s GROUP BY set),
			value AS (SELECT g, v, count(DISTINCT u)::float8 AS n FROM record GROUP BY g, v),
			diversity AS (SELECT g, count(*) AS d, exp(ln(sum(n)) - sum(n * ln(n)) / sum(n)) AS e, max(n / units) AS m FROM value JOIN size USING (g) GROUP BY g)
		SELECT (SELECT min(units) FROM size), (SELECT count(*) FROM size), (SELECT count(*) FROM size WHERE units = 1), (SELECT min(rows) FROM size)::bigint,
			(SELECT min(n) FROM whole), (SELECT count(*) FROM whole WHERE n = 1), (SELECT max(part.rows / size.rows) FROM part JOIN size USING (g)),
			(SELECT min(d) FROM diversity), (SELECT min(e) FROM diversity), (SELECT max(m) FROM diversity)$q$, list[1], sensitive, list[2], relation);
END
$$;
-- Tables of 1 to 25 units with 1 to 50 records, most of them with few; values are missing.
CREATE FUNCTION make(seed int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	DROP TABLE IF EXISTS drawn;
	CREATE TABLE drawn AS
	SELECT row_number() OVER (ORDER BY helper.word(u * 64 + r, seed))::int AS id, u % 5 AS u1, 'unit ' || u / 5 AS u2,
		CASE WHEN helper.below(u * 64 + r, seed + 1, 8) > 0 THEN helper.below(CASE WHEN seed % 2 = 0 THEN u ELSE u * 64 + r END, seed + 2, 1 + seed % 4) END AS a,
		CASE WHEN helper.below(u * 64 + r, seed + 3, 9) > 0 THEN 'b' || helper.below(u * 64 + r, seed + 4, 1 + seed % 3) END AS b,
		helper.below(u, seed + 5, 3) AS c,
		CASE WHEN helper.below(u * 64 + r, seed + 6, 7) > 0 THEN helper.below(u * 64 + r, seed + 7, 4)::numeric END AS s
	FROM generate_series(1, 1 + helper.below(1, seed, 25)) AS u,
		generate_series(1, CASE WHEN helper.below(u, seed + 8, 9) = 0 THEN 50 ELSE 1 + helper.below(u, seed + 9, 1 + seed % 4) END) AS r;
	ALTER TABLE drawn ADD PRIMARY KEY (id);
END
$$;
CREATE FUNCTION near(a float8, b float8) RETURNS boolean LANGUAGE sql RETURN abs(a - b) <= 1e-12 * greatest(1, abs(b)) OR (num_nulls(a, b) = 2);
CREATE FUNCTION differs(qi name[]) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	RETURN (SELECT concat_ws(' ', CASE WHEN a.k IS DISTINCT FROM s.k THEN 'k' END, CASE WHEN a.groups <> s.groups THEN 'groups' END, CASE WHEN a.unique_records <> s.unique_records THEN 'unique' END,
			CASE WHEN a.k_rows IS DISTINCT FROM s.k_rows THEN 'k_rows' END, CASE WHEN a.k_whole IS DISTINCT FROM s.k_whole THEN 'k_whole' END, CASE WHEN a.whole_unique <> s.whole_unique THEN 'whole_unique' END,
			CASE WHEN NOT near(a.share, s.share) THEN 'share' END, CASE WHEN l.distinct_l IS DISTINCT FROM s.distinct_l THEN 'distinct_l' END, CASE WHEN NOT near(l.entropy_l, s.entropy_l) THEN 'entropy_l' END,
			CASE WHEN NOT near(l.most, s.most) THEN 'most' END)
		FROM sdc_kanonymity('drawn', qi, unit => '{u1,u2}') AS a, sdc_ldiversity('drawn', qi, '{s}', '{u1,u2}') AS l, privacy('drawn', qi, 's', '{u1,u2}') AS s);
END
$$;
CREATE TEMP TABLE found (seed int, qi name[], differs text, records bigint);
DO $$
BEGIN
	FOR seed IN 1..60 LOOP
		PERFORM make(seed);
		INSERT INTO found SELECT seed, qi, differs(qi), (SELECT count(*) FROM drawn) FROM (VALUES ('{a}'::name[]), ('{c,b}'), ('{a,b,c}')) AS v (qi);
	END LOOP;
END
$$;
SELECT count(*) AS tables, string_agg(concat_ws(' ', seed, qi, differs), '; ') FILTER (WHERE differs <> '') AS differ, max(records) > 300 AS large FROM found;

-- Where each record is a unit, all is as it is without units.
SELECT make(11);
SELECT r.qi, to_jsonb(k1) - 'k_wild' = to_jsonb(k2) - 'k_wild' AS k, l1 = l2 AS l, g1 = g2 AS g, s1 = s2 AS s, a1 = a2 AS a, k1.share = 1 / k1.k::float8 AND k1.k_rows = k1.k AND k1.k_whole = k1.k AND k1.whole_unique = k1.unique_records AS of_records
FROM (VALUES ('{a}'::name[]), ('{c,b}'), ('{a,b,c}')) AS r (qi), sdc_kanonymity('drawn', qi) AS k1, sdc_kanonymity('drawn', qi, '{id}') AS k2, sdc_ldiversity('drawn', qi, '{s}') AS l1,
	sdc_ldiversity('drawn', qi, '{s}', '{id}') AS l2, sdc_group_privacy('drawn', qi, '{s}') AS g1, sdc_group_privacy('drawn', qi, '{s}', unit => '{id}') AS g2, sdc_sample_risk('drawn', qi, 0.1) AS s1,
	sdc_sample_risk('drawn', qi, 0.1, '{id}') AS s2, sdc_attacker_risk('drawn', qi, 'drawn') AS a1, sdc_attacker_risk('drawn', qi, 'drawn', unit => '{id}') AS a2;
SELECT count(*) AS records, count(*) FILTER (WHERE r IS DISTINCT FROM u) AS differ FROM sdc_minimal_uniques('drawn', '{a,b,c,s}', fraction => 0.1) AS r
JOIN sdc_minimal_uniques('drawn', '{a,b,c,s}', fraction => 0.1, unit => '{id}') AS u USING (record);

-- What counts values and classes counts what a table has that has each unit once.
CREATE TEMP TABLE compared (seed int, what text);
DO $$
DECLARE
	population CONSTANT int := 30;
BEGIN
	PERFORM make(population);
	CREATE TABLE people AS TABLE drawn;
	CREATE TABLE people_once AS SELECT DISTINCT a, b, c, u1, u2 FROM people;
	FOR seed IN 1..20 LOOP
		PERFORM make(seed);
		CREATE TABLE once AS SELECT DISTINCT a, b, c, u1, u2 FROM drawn;
		CREATE TABLE pairs AS SELECT DISTINCT a, b, s, u1, u2 FROM drawn;
		INSERT INTO compared SELECT seed, 'sample' FROM sdc_sample_risk('drawn', '{a,b,c}', 0.2, '{u1,u2}') AS x, sdc_sample_risk('once', '{a,b,c}', 0.2) AS y WHERE x IS DISTINCT FROM y;
		INSERT INTO compared SELECT seed, 'attacker' FROM sdc_attacker_risk('drawn', '{a,b,c}', 'people', unit => '{u1,u2}') AS x, sdc_attacker_risk('once', '{a,b,c}', 'people_once') AS y WHERE x IS DISTINCT FROM y;
		INSERT INTO compared SELECT seed, 'groups' FROM sdc_group_privacy('drawn', '{a,b}', '{s}', 2, '{u1,u2}') AS x, sdc_group_privacy('pairs', '{a,b}', '{s}') AS y, privacy('drawn', '{a,b}', 's', '{u1,u2}') AS p
			WHERE x.k <> p.k OR to_jsonb(x) - 'k' <> to_jsonb(y) - 'k' OR x.distinct_l <> p.distinct_l OR NOT near(x.entropy_l, p.entropy_l);
		DROP TABLE once, pairs;
	END LOOP;
END
$$;
SELECT count(*) AS differ FROM compared;

-- A set of columns is unique if one unit has its values: all sets, and all pairs of records.
CREATE FUNCTION unique_sets() RETURNS TABLE (id int, sizes int[]) LANGUAGE sql AS $$
	WITH cell AS (SELECT d.id, u1, u2, ARRAY[a::text, b, c::text] AS v FROM drawn AS d),
		lone AS MATERIALIZED (SELECT x.id, s FROM cell AS x, generate_series(1, 7) AS s
			WHERE NOT EXISTS (SELECT FROM generate_series(0, 2) AS j WHERE s >> j & 1 = 1 AND x.v[j + 1] IS NULL)
				AND NOT EXISTS (SELECT FROM cell AS y WHERE (y.u1, y.u2) <> (x.u1, x.u2) AND NOT EXISTS (SELECT FROM generate_series(0, 2) AS j WHERE s >> j & 1 = 1 AND y.v[j + 1] IS DISTINCT FROM x.v[j + 1]))),
		minimal AS (SELECT * FROM lone AS l WHERE NOT EXISTS (SELECT FROM lone AS m WHERE m.id = l.id AND m.s <> l.s AND m.s & l.s = m.s))
	SELECT d.id, ARRAY(SELECT (SELECT count(*)::int FROM minimal AS m WHERE m.id = d.id AND length(replace(m.s::bit(3)::text, '0', '')) = n) FROM generate_series(1, 3) AS n) FROM drawn AS d
$$;
DO $$
BEGIN
	DELETE FROM compared;
	FOR seed IN 1..12 LOOP
		PERFORM make(seed);
		INSERT INTO compared SELECT seed, record FROM sdc_minimal_uniques('drawn', '{a,b,c}', unit => '{u1,u2}') AS m JOIN unique_sets() AS s ON s.id::text = m.record WHERE m.sizes IS DISTINCT FROM s.sizes;
		INSERT INTO compared SELECT seed, 'records' FROM sdc_minimal_uniques('drawn', '{a,b,c}', unit => '{u1,u2}') HAVING count(*) <> (SELECT count(*) FROM drawn);
	END LOOP;
END
$$;
SELECT count(*) AS differ FROM compared;
-- Two uniques and a pair, one of ten: each is right with 0.1 * 2 / (0.1 * 2 + 2 * 0.9), whether somebody has it once or twice.
CREATE TABLE twice (id int PRIMARY KEY, v int, u int);
INSERT INTO twice VALUES (1, 7, 1), (2, 7, 1), (3, 8, 2), (4, 9, 3), (5, 9, 4), (6, 9, 3);
SELECT record, score, round(dis_score::numeric, 6) AS dis_score, round(0.1 * 2 / (0.1 * 2 + 2 * 0.9), 6) AS expected FROM sdc_minimal_uniques('twice', '{v}', fraction => 0.1, unit => '{u}') WHERE score > 0;
-- ... and an identifier can be one of the columns, and the unit
SELECT sdc_classify('twice', 'v', 'identifier'), sdc_classify('twice', 'u', 'identifier');
SELECT sum(score) AS uniques FROM sdc_minimal_uniques('twice', '{v}', unit => '{u}');

-- The order of the records does not matter, nor the plan, nor little memory.
SELECT make(17);
CREATE TABLE measured AS SELECT k.*, l.*, ARRAY(SELECT to_jsonb(c) FROM sdc_unit_columns('drawn', '{u2,u1}') AS c) AS columns
FROM sdc_kanonymity('drawn', '{a,b}', '{u2,u1}') AS k, sdc_ldiversity('drawn', '{a,b}', '{s}', '{u2,u1}') AS l;
CREATE TABLE shuffled AS SELECT * FROM drawn ORDER BY helper.word(id, 99);
CREATE FUNCTION same(relation regclass) RETURNS boolean LANGUAGE sql AS $$
	SELECT (k.*, l.*, ARRAY(SELECT to_jsonb(c) FROM sdc_unit_columns(relation, '{u2,u1}') AS c)) = m
	FROM sdc_kanonymity(relation, '{a,b}', '{u2,u1}') AS k, sdc_ldiversity(relation, '{a,b}', '{s}', '{u2,u1}') AS l, measured AS m $$;
SELECT same('shuffled');
SET maintenance_work_mem = '1MB';
SET enable_hashagg = off;
SELECT same('shuffled');
RESET enable_hashagg;
SET parallel_setup_cost = 0;
SET min_parallel_table_scan_size = 0;
SET max_parallel_workers_per_gather = 2;
SELECT same('shuffled');
SET max_parallel_workers_per_gather = 0;
SET maintenance_work_mem = '64MB';

-- Columns that belong to units, and those of records: the icc is that of the one-way analysis of variance.
CREATE FUNCTION icc(relation regclass, attribute name) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
	icc float8;
BEGIN
	EXECUTE format($q$
		WITH v AS (SELECT u1, u2, %1$I::numeric AS x FROM %2$s WHERE %1$I IS NOT NULL), u AS (SELECT u1, u2, count(*) AS m, avg(x) AS mean FROM v GROUP BY u1, u2 HAVING count(*) > 1),
			k AS (SELECT v.*, u.m, u.mean FROM v JOIN u USING (u1, u2)), n AS (SELECT count(*)::numeric AS n, avg(x) AS mean FROM k),
			w AS (SELECT sum((x - mean) ^ 2) AS within FROM k), b AS (SELECT count(*) AS g, sum(u.m * (u.mean - n.mean) ^ 2) AS between, max(n.n) - sum(u.m ^ 2) / max(n.n) AS spread FROM u, n),
			q AS (SELECT between / nullif(g - 1, 0) AS msb, within / nullif(n - g, 0) AS msw, spread / nullif(g - 1, 0) AS m0 FROM w, b, n)
		SELECT (msb - msw) / nullif(msb + (m0 - 1) * msw, 0) FROM q$q$, attribute, relation) INTO icc;
	RETURN icc;
END
$$;
DO $$
BEGIN
	DELETE FROM compared;
	FOR seed IN 1..40 LOOP
		PERFORM make(seed);
		INSERT INTO compared SELECT seed, c.attribute FROM sdc_unit_columns('drawn', '{u1,u2}') AS c WHERE c.attribute <> 'b' AND c.level = 'row'
			AND (CASE WHEN abs(c.icc - icc('drawn', c.attribute)) > 1e-9 THEN true ELSE num_nulls(c.icc, icc('drawn', c.attribute)) = 1 END);
		INSERT INTO compared SELECT seed, 'differing' FROM sdc_unit_columns('drawn', '{u1,u2}') AS c,
			LATERAL (SELECT count(*) AS n FROM (SELECT FROM drawn AS d GROUP BY u1, u2 HAVING count(DISTINCT coalesce(to_jsonb(d) ->> c.attribute, '')) > 1) AS u) AS d
			WHERE c.units_differing <> d.n OR (c.level = 'unit') <> (d.n = 0) OR (c.level = 'unit' AND c.icc IS NOT NULL) OR (c.level = 'row' AND c.alone_percent IS NOT NULL);
		INSERT INTO compared SELECT seed, 'alone' FROM sdc_unit_columns('drawn', '{u1,u2}') AS c,
			LATERAL (SELECT 100.0 * count(*) FILTER (WHERE n = 1) / sum(n) AS p FROM (SELECT count(*) AS n FROM (SELECT DISTINCT u1, u2, to_jsonb(d) ->> c.attribute AS v FROM drawn AS d) AS x GROUP BY v) AS y) AS z
			WHERE c.level = 'unit' AND abs(c.alone_percent - z.p) > 1e-9;
	END LOOP;
END
$$;
SELECT count(*) AS differ, string_agg(concat_ws(' ', seed, what), ', ') FROM compared;
SELECT attribute, level, units_differing, round(icc::numeric, 6) AS icc, alone_percent FROM sdc_unit_columns('toy', '{u}');
SELECT attribute, level, units_differing, icc, round(alone_percent::numeric, 6) AS alone_percent FROM sdc_unit_columns('toy');
CREATE TABLE odd (u int, p point, j json, n float8, t text, e int);
INSERT INTO odd VALUES (1, '(1,1)', '{}', 'NaN', 'x', NULL), (1, '(1,1)', '{}', 1, 'x', NULL), (2, NULL, NULL, 1, NULL, NULL), (2, NULL, NULL, 2, NULL, NULL);
SELECT * FROM sdc_unit_columns('odd', '{u}');
CREATE TABLE nothing (u int, a int);
SELECT * FROM sdc_unit_columns('nothing', '{u}');
SELECT * FROM sdc_kanonymity('nothing', '{a}', '{u}');
SELECT * FROM sdc_ldiversity('odd', '{t}', '{e}', '{u}');
SELECT * FROM sdc_ldiversity('nothing', '{a}', '{u}');

-- A unit of 10,000 records in one table with units of one.
CREATE TABLE wide AS SELECT i AS id, CASE WHEN i > 10000 THEN i ELSE 0 END AS u, i % 3 AS a FROM generate_series(1, 10300) AS i;
SELECT k, groups, unique_records, k_rows, k_whole, whole_unique, round(share::numeric, 4) AS share FROM sdc_kanonymity('wide', '{a}', '{u}');

-- Who says nothing counts by what is classified, and whoever says '{}' counts records.
SELECT sdc_classify('toy', 'u', 'unit');
SELECT k, k_rows FROM sdc_kanonymity('toy', '{g}');
SELECT k, k_rows FROM sdc_kanonymity('toy', '{g}', '{}');
SELECT k, k_rows FROM sdc_kanonymity('toy', '{g}', '{id}');
SELECT attribute, level FROM sdc_unit_columns('toy');
CREATE VIEW toy_view AS SELECT g, u AS person, v FROM toy;
SELECT k, k_rows FROM sdc_kanonymity('toy_view', '{g}');
CREATE TABLE published AS SELECT dense_rank() OVER (ORDER BY u) AS sdc_unit, g, v FROM toy;
SELECT k, k_rows FROM sdc_kanonymity('published', '{g}');
SELECT records, k_map FROM sdc_attacker_risk('published', '{g}', 'toy');
SELECT sdc_assert_k('toy', '{g}', 2);
\set VERBOSITY terse
SELECT sdc_assert_k('toy', '{g}', 3);
SELECT sdc_assert_k('toy', '{g}', 3, '{}');
SELECT sdc_assert_k('toy', '{g}', 4, '{}');
SELECT sdc_assert_k('toy', '{g}', 2, k_whole => 1);
SELECT sdc_assert_k('toy', '{g}', 2, k_whole => 2);
SELECT sdc_assert_k('toy', '{g}', 1, k_whole => 0);

-- A release counts by what it has recorded, and its limits too.
SELECT make(17);
SELECT count(*) FROM sdc_rankswap('drawn', p => 50, columns => '{s}', keep => '{a,b,c}', unit => '{u2,u1}', target => 'swapped', seed => 'a');
SELECT r.unit, k.k > 1 AND k.k < k.k_rows AS in_units, k.k = s.k AS k, k.k_whole = s.k_whole AS k_whole, k.k_rows = s.k_rows AS k_rows
FROM sdc_releases AS r, sdc_kanonymity('swapped', '{c}') AS k, privacy('swapped', '{c}', 's', '{u1,u2}') AS s WHERE r.release = 'swapped'::regclass;
SELECT (e.measures #>> '{judged,k}')::int = s.k AS k, (e.measures #>> '{judged,k_whole}')::int = s.k_whole AS k_whole, e.measures #> '{judged,k_whole}' = e.measures #> '{groups,k_whole}' AS of_groups
FROM sdc_evaluate('swapped', known => '{c}') AS e, privacy('swapped', '{c}', 's', '{u1,u2}') AS s;
SELECT count(*) FROM sdc_rankswap('drawn', p => 50, columns => '{s}', keep => '{a,b,c}', unit => '{}', target => 'of_rows', seed => 'a');
SELECT k.k = s.k_rows AS of_records, (e.measures #>> '{judged,k}')::int = s.k_rows AS k, (e.measures #>> '{judged,k_whole}')::int = s.k_rows AS k_whole
FROM sdc_kanonymity('of_rows', '{c}') AS k, sdc_evaluate('of_rows', known => '{c}') AS e, privacy('swapped', '{c}', 's', '{u1,u2}') AS s;
SELECT count(*) FROM sdc_rankswap('drawn', p => 50, columns => '{s}', keep => '{a,b,c}', unit => '{u1,u2}', omit => '{u1}', target => 'without', seed => 'a');
SELECT helper.catch($$SELECT FROM sdc_kanonymity('without', '{c}')$$);
SELECT k = k_rows AS of_records FROM sdc_kanonymity('without', '{c}', '{}');
-- ... but an evaluation, which reads the source, knows them: groups are those of the release that has kept them
SELECT w.measures -> 'groups' = s.measures -> 'groups' AS groups, w.measures #> '{groups,k}' <> 'null' AS known, w.measures #> '{judged,k_whole}' = s.measures #> '{judged,k_whole}' AS judged
FROM sdc_evaluate('without', known => '{c,b}') AS w, sdc_evaluate('swapped', known => '{c,b}') AS s;
CREATE TABLE by_group AS SELECT id, u1, u2, a, b, c, helper.below(id, 3, 5) AS s FROM drawn;
ALTER TABLE by_group ADD PRIMARY KEY (id);
SELECT count(*) FROM sdc_permute('by_group', qi => '{c,b}', sensitive => '{s}', l => 2, keep => '{a}', unit => '{u1,u2}', target => 'permuted', seed => 'a');
SELECT count(*) FROM sdc_permute('by_group', qi => '{c,b}', sensitive => '{s}', l => 2, keep => '{a}', unit => '{u1,u2}', omit => '{u2}', target => 'permuted_without', seed => 'a');
SELECT w.measures -> 'groups' = s.measures -> 'groups' AS groups, (s.measures #>> '{groups,k}')::int = p.k AND (s.measures #>> '{groups,l}')::float8 = p.entropy_l AND (s.measures #>> '{groups,t}')::float8 = p.t AS same
FROM sdc_evaluate('permuted_without') AS w, sdc_evaluate('permuted') AS s, sdc_group_privacy('permuted', '{c,b}', '{s}') AS p;
SELECT r, substring(sdc_report(r) FROM 'The released quasi-identifiers[^<]*') LIKE format('%% make %s groups; the smallest has %s people, and %s people are alone.', k.groups, k.k, k.unique_records) AS people,
	substring(sdc_report(r) FROM 'The released quasi-identifiers[^<]*') LIKE format('%% make %s groups; the smallest has %s records, and %% records are alone.', k.groups, k.k_rows) AS records
FROM unnest('{permuted,permuted_without}'::regclass[]) AS r, sdc_kanonymity('permuted', '{c,b}') AS k;
-- ... as those of a policy: what one unit has alone is not published
CREATE FUNCTION set_policy(limits jsonb) RETURNS void LANGUAGE sql AS $$
	SELECT sdc_policy_set('whole', 'drawn', '[{"method": "rankswap", "p": 50, "columns": ["s"]}]', publish_as => 'units_privacy.public_drawn', keep => '{c}', omit => '{a,b}', known => '{c}', unit => '{u1,u2}',
		limits => limits, on_unchanged => 'publish') $$;
SELECT set_policy('{"k_whole": 1, "k": 2}');
CALL sdc_run('whole');
SELECT status FROM sdc_runs WHERE policy = 'whole' ORDER BY run;
SELECT g.measure, g.value = s.k_whole AS value, g.bound, g.kept FROM sdc_evaluate('swapped', known => '{c}') AS e, privacy('swapped', '{c}', 's', '{u1,u2}') AS s,
	sdc_private.gate(e.measures, '{"k_whole": 1000}') AS g;
SELECT helper.catch($$SELECT set_policy('{"k_whole": 0}')$$);
SELECT sdc_policy_drop('whole');

-- What is wrong.
SELECT call, helper.catch('SELECT FROM ' || call) FROM unnest(ARRAY[$$sdc_kanonymity('toy', '{g,u}')$$, $$sdc_kanonymity('toy', '{g}', '{g}')$$, $$sdc_kanonymity('toy', '{g}', '{nobody}')$$,
	$$sdc_kanonymity('toy', '{g}', '{ctid}')$$, $$sdc_kanonymity('toy', '{g}', '{NULL}')$$, $$sdc_kanonymity('toy', '{g}', '{v,v}')$$, $$sdc_ldiversity('toy', '{g}', '{u}')$$, $$sdc_ldiversity('toy', '{g}', '{v}', '{v}')$$,
	$$sdc_group_privacy('toy', '{g}', '{u}')$$, $$sdc_sample_risk('toy', '{u}', 0.1)$$, $$sdc_attacker_risk('toy', '{g}', 'twice', unit => '{u}')$$, $$sdc_attacker_risk('published', '{g}', 'toy', unit => '{u}')$$,
	$$sdc_minimal_uniques('toy', '{u,v}')$$, $$sdc_unit_columns('toy', '{nobody}')$$, $$sdc_unit_columns(NULL)$$, $$sdc_kanonymity('odd', '{u}', '{p}')$$]) AS call;
UPDATE toy SET u = NULL WHERE id IN (2, 5);
SELECT call, helper.catch('SELECT FROM ' || call) FROM unnest(ARRAY[$$sdc_kanonymity('toy', '{g}')$$, $$sdc_ldiversity('toy', '{g}', '{v}')$$, $$sdc_group_privacy('toy', '{g}', '{v}')$$, $$sdc_sample_risk('toy', '{g}', 0.1)$$,
	$$sdc_attacker_risk('published', '{g}', 'toy')$$, $$sdc_minimal_uniques('toy', '{v}')$$, $$sdc_unit_columns('toy')$$, $$sdc_assert_k('toy', '{g}', 1)$$]) AS call;
SELECT k FROM sdc_kanonymity('toy', '{g}', '{}');

-- Whoever may not read what names the units does not learn of them.
CREATE ROLE regress_sdc_units_reader;
GRANT USAGE ON SCHEMA units_privacy TO regress_sdc_units_reader;
GRANT SELECT (id, g, v) ON toy TO regress_sdc_units_reader;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA helper TO regress_sdc_units_reader;
GRANT USAGE ON SCHEMA helper TO regress_sdc_units_reader;
SET ROLE regress_sdc_units_reader;
SELECT helper.catch($$SELECT FROM sdc_kanonymity('toy', '{g}')$$), helper.catch($$SELECT FROM sdc_kanonymity('toy', '{g}', '{u}')$$), helper.catch($$SELECT FROM sdc_unit_columns('toy')$$);
SELECT k FROM sdc_kanonymity('toy', '{g}', '{}');
SELECT * FROM sdc_unit_columns('toy', '{}');
RESET ROLE;
DROP SCHEMA units_privacy CASCADE;
DROP OWNED BY regress_sdc_units_reader;
DROP ROLE regress_sdc_units_reader;
