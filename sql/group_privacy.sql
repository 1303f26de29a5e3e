--
-- group_privacy
--
-- What groups keep to themselves about a sensitive column, against the definitions in plain SQL, value by value.
--
\pset format unaligned
\pset footer off
SET max_parallel_workers_per_gather = 0;	-- hundreds of small queries
CREATE SCHEMA group_privacy;
SET search_path = group_privacy, public;
SET maintenance_work_mem = '64MB';	-- whatever the server has
SELECT helper.make_people('group_privacy.people', 600);

-- By the definitions: every group with every value of the relation, whether the group has it or not.
CREATE FUNCTION by_sql(relation regclass, qi name[], sensitive name, l int)
RETURNS TABLE (groups bigint, k bigint, distinct_l bigint, entropy_l float8, alpha float8, c float8, t float8, t_ordered float8, beta float8, enhanced boolean, delta float8, absent bigint) LANGUAGE plpgsql AS $$
DECLARE
	names text := (SELECT string_agg(quote_ident(x), ', ') FROM unnest(qi) AS x);
BEGIN
	RETURN QUERY EXECUTE format($q$
		WITH record AS (SELECT dense_rank() OVER (ORDER BY %1$s) AS g, dense_rank() OVER (ORDER BY %2$I NULLS LAST) AS place FROM %3$s),
			value AS (SELECT place, count(*) / sum(count(*)) OVER () AS p FROM record GROUP BY place),
			grp AS (SELECT g, count(*)::float8 AS size FROM record GROUP BY g),
			cell AS (SELECT g, size, place, p::float8 AS p, coalesce(n, 0)::float8 AS n FROM grp CROSS JOIN value LEFT JOIN (SELECT g, place, count(*) AS n FROM record GROUP BY g, place) AS c USING (g, place)),
			share AS (SELECT *, n / size AS q, row_number() OVER (PARTITION BY g ORDER BY n DESC, place) AS rank, sum(n / size - p) OVER (PARTITION BY g ORDER BY place) AS up_to, count(*) OVER (PARTITION BY g) AS j FROM cell),
			measured AS (SELECT g, size, j, count(*) FILTER (WHERE n > 0) AS v, exp(-sum(CASE WHEN n > 0 THEN q * ln(q) END)) AS e, max(q) AS a, max(n) / nullif(sum(n) FILTER (WHERE rank >= %4$s), 0) AS c,
					sum(abs(q - p)) / 2 AS t, coalesce(sum(abs(up_to)) FILTER (WHERE place < j) / nullif(j - 1, 0), 0) AS o, max((q - p) / p) FILTER (WHERE n > 0) AS b,
					bool_and((q - p) / p <= -ln(p) + 1e-12) AS h, max(abs(CASE WHEN n > 0 THEN ln(q / p) END)) AS d
				FROM share GROUP BY g, size, j)
		SELECT count(*), min(size)::bigint, min(v), min(e), max(a), CASE WHEN min(v) >= %4$s THEN max(c) END, max(t), max(o), max(b), bool_and(h), max(d), count(*) FILTER (WHERE v < j) FROM measured$q$,
		names, sensitive, relation, l);
END
$$;
CREATE FUNCTION near(a float8, b float8) RETURNS boolean LANGUAGE sql RETURN abs(a - b) <= 1e-12 * greatest(1, abs(b)) OR (num_nulls(a, b) = 2);
CREATE FUNCTION differs(relation regclass, qi name[], sensitive name, l int) RETURNS text LANGUAGE sql
BEGIN ATOMIC
	SELECT concat_ws(' ', CASE WHEN g.groups <> s.groups THEN 'groups' END, CASE WHEN g.k <> s.k THEN 'k' END, CASE WHEN g.distinct_l <> s.distinct_l THEN 'distinct_l' END,
		CASE WHEN NOT near(g.entropy_l, s.entropy_l) THEN 'entropy_l' END, CASE WHEN NOT near(g.alpha, s.alpha) THEN 'alpha' END, CASE WHEN NOT near(g.c, s.c) THEN 'c' END, CASE WHEN NOT near(g.t, s.t) THEN 't' END,
		CASE WHEN NOT near(g.t_ordered, s.t_ordered) THEN 't_ordered' END, CASE WHEN NOT near(g.beta, s.beta) THEN 'beta' END, CASE WHEN g.enhanced <> s.enhanced THEN 'enhanced' END,
		CASE WHEN NOT near(g.delta, s.delta) THEN 'delta' END, CASE WHEN g.absent <> s.absent THEN 'absent' END)
	FROM sdc_group_privacy(relation, qi, ARRAY[sensitive], l) AS g, by_sql(relation, qi, sensitive, l) AS s;
END;
SELECT qi, sensitive, l, differs('people', qi, sensitive, l) AS differs, g.groups, g.k, g.distinct_l, g.absent, g.c IS NOT NULL AS has_c, g.enhanced
FROM (VALUES ('{region}'::name[], 'job'::name, 2), ('{region,sex}', 'job', 3), ('{sex,job}', 'region', 4), ('{job}', 'sex', 2), ('{age,region,sex}', 'job', 1), ('{born}', 'savings', 2), ('{id}', 'job', 1), ('{sex}', 'savings', 5),
		('{region}', 'income', 2), ('{region,job}', 'weight', 3), ('{sex}', 'age', 100), ('{sex}', 'born', 2)) AS v (qi, sensitive, l), LATERAL sdc_group_privacy('people', qi, ARRAY[sensitive], l) AS g;
-- what sdc_kanonymity and sdc_ldiversity say is said again
SELECT bool_and((k.k, k.groups, d.distinct_l) = (g.k, g.groups, g.distinct_l) AND near(d.entropy_l, g.entropy_l)) AS same
FROM unnest(ARRAY['{region}', '{sex,job}', '{savings}', '{age,sex}']) AS v, LATERAL (SELECT v::name[] AS qi) AS q,
	LATERAL sdc_kanonymity('people', qi) AS k, LATERAL sdc_ldiversity('people', qi, '{born}') AS d, LATERAL sdc_group_privacy('people', qi, '{born}') AS g;
-- many small tables with ties and NULLs
CREATE TABLE small (a int, b text COLLATE "C", s int);
CREATE FUNCTION small_tables(tables int) RETURNS TABLE (number int, why text) LANGUAGE plpgsql AS $$
BEGIN
	FOR number IN 1 .. tables LOOP
		TRUNCATE small;
		INSERT INTO small SELECT nullif(helper.below(i, number * 7, 1 + number % 4), 3), nullif('v' || helper.below(i, number * 7 + 1, 1 + number % 3), 'v2'), nullif(helper.below(i, number * 7 + 2, 1 + number % 6), 5)
		FROM generate_series(1, 1 + helper.below(number, 3, 40)) AS i;
		why := differs('small', CASE WHEN number % 3 = 0 THEN '{a}' ELSE '{a,b}' END::name[], 's', 1 + number % 4);
		IF why <> '' THEN
			RETURN NEXT;
		END IF;
	END LOOP;
END
$$;
SELECT * FROM small_tables(300);

-- By hand: two groups, of (a, a, b) and (b, c, NULL).
CREATE TABLE six (q int, s text);
INSERT INTO six VALUES (1, 'a'), (1, 'a'), (1, 'b'), (NULL, 'b'), (NULL, 'c'), (NULL, NULL);
SELECT groups, k, distinct_l, near(alpha, 2 / 3.0) AS alpha, near(c, 2) AS c, near(t, 1 / 3.0) AS t, near(t_ordered, (1 / 3.0 + 1 / 3.0 + 1 / 6.0) / 3) AS t_ordered, near(beta, 1) AS beta, enhanced, near(delta, ln(2::float8)) AS delta, absent FROM sdc_group_privacy('six', '{q}', '{s}');
SELECT l, c FROM generate_series(1, 4) AS l, sdc_group_privacy('six', '{q}', '{s}', l);
-- one group is the relation; a constant; one record; none
CREATE TABLE constant AS SELECT 1 AS one, i % 3 AS three FROM generate_series(1, 9) AS i;
SELECT groups, k, distinct_l, round(entropy_l::numeric, 9) AS entropy_l, alpha, c, t, t_ordered, beta, enhanced, delta, absent FROM sdc_group_privacy('constant', '{one}', '{three}');
SELECT * FROM sdc_group_privacy('constant', '{three}', '{one}', 1);
SELECT c FROM sdc_group_privacy('constant', '{three}', '{one}');
DELETE FROM six WHERE s IS NOT NULL;
SELECT * FROM sdc_group_privacy('six', '{q}', '{s}', 1);
DELETE FROM six;
SELECT * FROM sdc_group_privacy('six', '{q}', '{s}');
-- values that the type holds equal are one; a collation that does too
CREATE TABLE equals (q numeric, s text COLLATE "C");
INSERT INTO equals VALUES (1.0, 'x'), (1.00, 'x'), (1.000, 'y'), (2, 'x');
SELECT groups, k, distinct_l FROM sdc_group_privacy('equals', '{q}', '{s}');
SELECT groups, k, distinct_l FROM sdc_group_privacy('equals', '{s}', '{q}');
CREATE COLLATION folding (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
CREATE TABLE folded (q text COLLATE folding, s text COLLATE folding);
INSERT INTO folded VALUES ('a', 'x'), ('A', 'X'), ('a', 'y'), ('B', 'x'), ('b', 'Y');
SELECT groups, k, distinct_l, absent FROM sdc_group_privacy('folded', '{q}', '{s}');
-- any kind of relation, in any order of its rows, with little memory for the server
CREATE VIEW seen AS SELECT * FROM people WHERE age < 60;
CREATE TABLE parted (LIKE people) PARTITION BY LIST (region);
CREATE TABLE parted_north PARTITION OF parted FOR VALUES IN ('north');
CREATE TABLE parted_rest PARTITION OF parted DEFAULT;
INSERT INTO parted SELECT * FROM people ORDER BY md5(id::text);
SELECT differs('seen', '{region,sex}', 'job', 2) AS view, (SELECT g::text FROM sdc_group_privacy('parted', '{age,sex}', '{savings}', 3) AS g) = (SELECT g::text FROM sdc_group_privacy('people', '{age,sex}', '{savings}', 3) AS g) AS partitioned;
SET work_mem = '64kB'; SET maintenance_work_mem = '1MB';
SELECT (SELECT g::text FROM sdc_group_privacy('parted', '{age,sex}', '{savings}', 3) AS g) = (SELECT g::text FROM sdc_group_privacy('people', '{sex,age}', '{savings}', 3) AS g) AS little;
CREATE TABLE many AS SELECT i AS id, i % 1000 AS a, i % 7 AS s FROM generate_series(1, 100000) AS i;
SELECT groups, k FROM sdc_group_privacy('many', '{id}', '{s}', 1);
SELECT groups, k FROM sdc_group_privacy('many', '{a}', '{s}');
RESET work_mem; SET maintenance_work_mem = '64MB';
SELECT groups, k FROM sdc_group_privacy('many', '{id}', '{s}', 1);
-- releases by what is released alone: ranges, sets, group_id
SELECT count(*) FROM sdc_generalize('people', '{region,age,savings}', '{job}', l => 3.5, k => 12, omit => '{income,weight}', keep => '{sex,born,job}', target => 'ranges');
SELECT g::text = h::text AS same, g.k >= 12 AS k, g.entropy_l >= 3.5 - 1e-9 AS l FROM sdc_group_privacy('ranges', '{region,age,savings}', '{job}') AS g, sdc_group_privacy('ranges', '{group_id}', '{job}') AS h;
SELECT differs('ranges', '{group_id}', 'job', 3) AS differs;
-- ranges and arrays are sensitive values, in their order
SELECT differs('ranges', '{job}', 'age', 2) AS range, differs('ranges', '{job}', 'region', 2) AS sets;

-- What is refused.
\pset tuples_only on
CREATE TABLE orderless (q int, s text, x xid, j json);
SELECT c, helper.catch('SELECT * FROM sdc_group_privacy(' || c || ')') FROM unnest(ARRAY[$$NULL, '{q}', '{s}'$$, $$'six', NULL, '{s}'$$, $$'six', '{}', '{s}'$$, $$'six', '{nothing}', '{s}'$$, $$'six', '{q,q}', '{s}'$$, $$'six', '{q}', NULL$$, $$'six', '{q}', '{}'$$, $$'six', '{q}', '{q}'$$,
	$$'six', '{q}', '{s,q}'$$, $$'six', '{q}', '{nothing}'$$, $$'six', '{q}', '{s}', 0$$, $$'six', '{q}', '{s}', -2147483648$$, $$'six', '{q}', '{s}', NULL$$, $$'orderless', '{q}', '{x}'$$, $$'orderless', '{x}', '{s}'$$, $$'orderless', '{q}', '{j}'$$, $$'people_pkey', '{id}', '{id}'$$, $$'six', '{ctid}', '{s}'$$]) AS c;
SELECT count(*) FROM sdc_group_privacy('six', '{q}', '{s}', 2147483647);
\pset tuples_only off
-- Rights: SELECT on the columns, and the rows that the policies leave.
CREATE ROLE regress_sdc_grouper;
GRANT USAGE ON SCHEMA group_privacy, helper TO regress_sdc_grouper;
GRANT SELECT (region, job) ON people TO regress_sdc_grouper;
SET ROLE regress_sdc_grouper;
SELECT groups FROM sdc_group_privacy('people', '{region}', '{job}');
SELECT helper.catch($$SELECT * FROM sdc_group_privacy('people', '{region,sex}', '{job}')$$), helper.catch($$SELECT * FROM sdc_group_privacy('people', '{region}', '{sex}')$$);
RESET ROLE;
ALTER TABLE people ENABLE ROW LEVEL SECURITY;
CREATE POLICY half ON people FOR SELECT TO regress_sdc_grouper USING (id % 2 = 0);
GRANT SELECT ON people TO regress_sdc_grouper;
SET ROLE regress_sdc_grouper;
SELECT g::text = (SELECT s::text FROM sdc_group_privacy('people', '{region}', '{job}') AS s) AS same, g.groups FROM sdc_group_privacy('people', '{region}', '{job}') AS g;
RESET ROLE;
SELECT g.k < h.k AS half FROM (SELECT min(n) AS k FROM (SELECT count(*) AS n FROM people WHERE id % 2 = 0 GROUP BY region) AS x) AS g, sdc_group_privacy('people', '{region}', '{job}') AS h;

DROP SCHEMA group_privacy CASCADE;
DROP OWNED BY regress_sdc_grouper;
DROP ROLE regress_sdc_grouper;
