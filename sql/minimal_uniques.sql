--
-- minimal_uniques
--
-- The smallest sets of columns that make records unique, against a GROUP BY of every set.
--
\pset format unaligned
\pset footer off
CREATE SCHEMA minimal_uniques;
SET search_path = minimal_uniques, public;
SET maintenance_work_mem = '64MB';	-- whatever the server has
SELECT helper.make_people('minimal_uniques.people', 300);

-- By the definitions: what every set makes unique, and of these what no part of the set does.
CREATE TABLE made (id text, mask int);
CREATE FUNCTION by_sql(relation regclass, columns name[], max_size int)
RETURNS TABLE (record text, sizes bigint[], score bigint, column_scores bigint[]) LANGUAGE plpgsql AS $$
DECLARE
	m int := cardinality(columns);
	names text;
	filled text;
BEGIN
	TRUNCATE made;
	FOR mask IN 1 .. (1 << m) - 1 LOOP
		SELECT string_agg(quote_ident(c), ', '), string_agg(format('%I IS NOT NULL', c), ' AND ') INTO names, filled FROM unnest(columns) WITH ORDINALITY AS u (c, i) WHERE mask >> (i - 1)::int & 1 = 1;
		EXECUTE format('INSERT INTO made SELECT id, %s FROM (SELECT id, count(*) OVER (PARTITION BY %s) AS n, %s AS filled FROM %s) AS g WHERE n = 1 AND filled', mask, names, filled, relation);
	END LOOP;
	RETURN QUERY EXECUTE format($q$
		WITH minimal AS (SELECT a.id, a.mask, length(replace(a.mask::bit(16)::text, '0', '')) AS s FROM made AS a WHERE NOT EXISTS (SELECT FROM made AS b WHERE b.id = a.id AND b.mask <> a.mask AND b.mask & a.mask = b.mask))
		SELECT r.id::text, (SELECT array_agg((SELECT count(*) FROM minimal AS x WHERE x.id = r.id::text AND x.s = i) ORDER BY i) FROM generate_series(1, least(%1$s, %2$s)) AS i),
			coalesce((SELECT sum(factorial(%1$s - s)) FROM minimal AS x WHERE x.id = r.id::text AND s <= %2$s), 0)::bigint,
			(SELECT array_agg(coalesce((SELECT sum(factorial(%1$s - s)) FROM minimal AS x WHERE x.id = r.id::text AND s <= %2$s AND mask >> (j - 1) & 1 = 1), 0)::bigint ORDER BY j) FROM generate_series(1, %1$s) AS j)
		FROM %3$s AS r$q$, m, max_size, relation);
END
$$;
-- differs counts the records of which something else is said.
CREATE FUNCTION differs(relation regclass, columns name[], max_size int) RETURNS bigint LANGUAGE sql
BEGIN ATOMIC
	SELECT count(*) FROM sdc_minimal_uniques(relation, columns, max_size, key => '{id}') AS u FULL JOIN by_sql(relation, columns, max_size) AS s USING (record)
	WHERE (u.sizes::bigint[], u.score, u.column_scores) IS DISTINCT FROM (s.sizes, s.score, s.column_scores);
END;
SELECT columns, max_size, differs('people', columns, max_size) AS differs, array_agg(n ORDER BY i) AS sizes
FROM (VALUES ('{region,sex,age}'::name[], 3), ('{region,sex,age,job,savings}', 5), ('{region,sex,age,job,savings}', 2), ('{job}', 1), ('{id,sex}', 2), ('{born,age,region}', 7)) AS v (columns, max_size),
	LATERAL (SELECT i, sum(n) AS n FROM sdc_minimal_uniques('people', columns, max_size), unnest(sizes) WITH ORDINALITY AS s (n, i) GROUP BY i) AS t GROUP BY columns, max_size ORDER BY columns, max_size;
-- many small tables with ties, NULLs and constants
CREATE TABLE small (id int, a int, b text COLLATE "C", c int, d boolean);
CREATE FUNCTION small_tables(tables int) RETURNS TABLE (number int, why bigint) LANGUAGE plpgsql AS $$
BEGIN
	FOR number IN 1 .. tables LOOP
		TRUNCATE small;
		INSERT INTO small SELECT i, nullif(helper.below(i, number * 5, 1 + number % 5), 4), nullif('v' || helper.below(i, number * 5 + 1, 1 + number % 3), 'v2'), helper.below(i, number * 5 + 2, 1 + number % 7), (ARRAY[true, false, NULL])[1 + helper.below(i, number * 5 + 3, 1 + number % 3)]
		FROM generate_series(1, 1 + helper.below(number, 3, 20)) AS i;
		why := differs('small', '{a,b,c,d}', 1 + number % 4);
		IF why <> 0 THEN
			RETURN NEXT;
		END IF;
	END LOOP;
END
$$;
SELECT * FROM small_tables(60);

-- By hand.  The columns share 50, 37.5 and 37.5 percent of the scores.
CREATE TABLE toy (a int, b int, c int);
INSERT INTO toy VALUES (2, 0, 0), (1, 3, 6), (1, 0, 0);
SELECT * FROM sdc_minimal_uniques('toy', '{a,b,c}');
SELECT j, 100 * sum(part) / sum(DISTINCT total) AS contribution FROM (SELECT sum(score) OVER () AS total, column_scores FROM sdc_minimal_uniques('toy', '{a,b,c}')) AS u, unnest(column_scores) WITH ORDINALITY AS p (part, j) GROUP BY j ORDER BY j;
SELECT record, sizes, score FROM sdc_minimal_uniques('toy', '{c,b,a}', 1);
-- dis scores: three uniques and no pair; two uniques and a pair: U / dis - U = 2 (1 - 0.25) / 0.25
SELECT record, dis_score FROM sdc_minimal_uniques('toy', '{a,b,c}', fraction => 0.01);
INSERT INTO toy VALUES (1, 0, 0);
SELECT record, score, round(dis_score::numeric, 9) AS dis_score, round((1 / (1 + 2 * 0.75 / 0.25 / (score ^ q * (SELECT sum(score ^ -q) FROM unnest(ARRAY[2, 4]) AS score))))::numeric, 9) AS expected FROM sdc_minimal_uniques('toy', '{a,b,c}', 3, 0.25), LATERAL (SELECT 1 + (8 - 3) / 20.0::float8 AS q) AS x WHERE score > 0;
-- two equal records with the rest, a constant, one record, none
SELECT * FROM sdc_minimal_uniques('toy', '{c}', fraction => 1);
CREATE TABLE constant AS SELECT 1 AS one, NULL::text AS nothing FROM generate_series(1, 3);
SELECT DISTINCT sizes, score, column_scores FROM sdc_minimal_uniques('constant', '{one,nothing}');
DELETE FROM toy WHERE a = 1;
SELECT * FROM sdc_minimal_uniques('toy', '{a,b}', fraction => 0.5);
DELETE FROM toy;
SELECT * FROM sdc_minimal_uniques('toy', '{a,b}');
-- values that the type holds equal
CREATE TABLE equals (id int PRIMARY KEY, q numeric, x float8);
INSERT INTO equals VALUES (1, 1.0, 0), (2, 1.00, '-0'), (3, 2, 'NaN'), (4, 3, 'NaN');
SELECT * FROM sdc_minimal_uniques('equals', '{q,x}');

-- Keys: the primary one, another, several columns, none; a column of the key can be among the columns.
CREATE TABLE twofold (part text, number int, x int, PRIMARY KEY (part, number));
INSERT INTO twofold VALUES ('b "c"', 2, 1), ('a', 1, 1), ('a', 3, 2);
SELECT record, score FROM sdc_minimal_uniques('twofold', '{x,part}');
SELECT record, score FROM sdc_minimal_uniques('twofold', '{x}', key => '{number}');
CREATE VIEW seen AS SELECT * FROM twofold;
SELECT record, score FROM sdc_minimal_uniques('seen', '{x,number}', key => '{number}');
-- in any order of the rows, with little memory
CREATE TABLE shuffled AS SELECT * FROM people ORDER BY md5(id::text);
SELECT count(*) FILTER (WHERE p::text = s::text) AS same FROM sdc_minimal_uniques('people', '{age,sex,job}', 3, 0.1) AS p JOIN sdc_minimal_uniques('shuffled', '{age,sex,job}', 3, 0.1, '{id}') AS s USING (record);
SET work_mem = '64kB'; SET maintenance_work_mem = '1MB';
SELECT differs('people', '{region,sex,age}', 3) AS differs;
CREATE TABLE many AS SELECT i AS id, i % 100 AS a, i % 7 AS b FROM generate_series(1, 20000) AS i;
SELECT count(*), max(score) FROM sdc_minimal_uniques('many', '{a,b,id}');
RESET work_mem; SET maintenance_work_mem = '64MB';
SELECT count(*), max(score) FROM sdc_minimal_uniques('many', '{a,b,id}');

-- What is refused, before a row is read.
\pset tuples_only on
CREATE TABLE wide AS SELECT 1 AS c1, 2 AS c2, 3 AS c3, 4 AS c4, 5 AS c5, 6 AS c6, 7 AS c7, 8 AS c8, 9 AS c9, 10 AS c10, 11 AS c11, 12 AS c12, 13 AS c13, 14 AS c14, 15 AS c15, 16 AS c16, 17 AS c17;
CREATE TABLE odd (id int, j json, x xid);
SELECT c, helper.catch('SELECT * FROM sdc_minimal_uniques(' || c || ')') FROM unnest(ARRAY[$$NULL, '{a}'$$, $$'toy', NULL$$, $$'toy', '{}'$$, $$'toy', '{z}'$$, $$'toy', '{a,a}'$$, $$'toy', '{a}', 0$$, $$'toy', '{a}', NULL$$, $$'toy', '{a}', 1, 0$$, $$'toy', '{a}', 1, 1.5$$, $$'toy', '{a}', 1, 'NaN'$$,
	$$'toy', '{a}', key => '{}'$$, $$'toy', '{a}', key => '{z}'$$, $$'seen', '{x}'$$, $$'twofold', '{x}', key => '{x}'$$, $$'odd', '{j}'$$, $$'odd', '{x}'$$, $$'people_pkey', '{id}'$$, $$'wide', '{c1,c2,c3,c4,c5,c6,c7,c8,c9,c10,c11,c12,c13,c14,c15,c16,c17}'$$]) AS c;
SELECT sizes, score FROM sdc_minimal_uniques('wide', '{c1,c2,c3,c4,c5,c6,c7,c8,c9,c10,c11,c12,c13,c14,c15,c16}', 2147483647);
\pset tuples_only off
-- Rights: SELECT on the columns and the key.
CREATE ROLE regress_sdc_uniques;
GRANT USAGE ON SCHEMA minimal_uniques, helper TO regress_sdc_uniques;
GRANT SELECT (id, age) ON people TO regress_sdc_uniques;
SET ROLE regress_sdc_uniques;
SELECT count(*) FROM sdc_minimal_uniques('people', '{age}');
SELECT helper.catch($$SELECT * FROM sdc_minimal_uniques('people', '{age,sex}')$$), helper.catch($$SELECT * FROM sdc_minimal_uniques('people', '{age}', key => '{sex}')$$), helper.catch($$SELECT * FROM sdc_minimal_uniques('seen', '{x}', key => '{number}')$$);
RESET ROLE;

DROP SCHEMA minimal_uniques CASCADE;
DROP OWNED BY regress_sdc_uniques;
DROP ROLE regress_sdc_uniques;
