--
-- compare
--
-- Counts with a condition on a release and on its source: what a condition can be, and what
-- it cannot.
--
\pset format unaligned
\pset footer off
CREATE SCHEMA query;
SET search_path = query, public;

-- Small enough to be counted by hand.
CREATE TABLE tiny (id int PRIMARY KEY, a int, b text, "Weird ""name""; --" int, hidden int, day date);
INSERT INTO tiny VALUES (1, 1, 'x', 1, 7, '2000-01-01'), (2, 2, 'x', 1, 7, NULL), (3, 3, 'y', 1, 7, '2000-01-03'), (4, 4, 'y', 2, 7, '2000-01-04'), (5, 5, NULL, 2, 7, '2000-01-05');
CREATE TABLE tiny_copy (day date, b text, a int, id int PRIMARY KEY, "Weird ""name""; --" int, extra int);
INSERT INTO tiny_copy SELECT day, b, 6 - a, id, "Weird ""name""; --", 1 FROM tiny WHERE id <> 4;
INSERT INTO tiny_copy VALUES ('2000-01-04', 'x', 1, 4, 2, 1);
SELECT sdc_register('tiny', 'tiny_copy', '{a,b}', '{id}');
SELECT * FROM sdc_compare('tiny_copy', condition => 'a >= 3');
SELECT * FROM sdc_compare('tiny_copy', condition => 'b = ''x''');
SELECT * FROM sdc_compare('tiny_copy', condition => 'a = 1');
SELECT * FROM sdc_compare('tiny_copy', condition => 'a = 4 AND b = ''y''');
-- without a condition all records
SELECT * FROM sdc_compare('tiny_copy');
SELECT * FROM sdc_compare(release => 'tiny_copy', condition => NULL);
-- an answer of 0
SELECT * FROM sdc_compare('tiny_copy', condition => 'a > 10');
SELECT * FROM sdc_compare('tiny_copy', condition => 'a = 1 AND day = ''2000-01-05''');

-- What a condition can be.
SELECT c, answer, estimate FROM unnest(ARRAY['true', 'false', 'NULL', $$'t'$$, 'a IS NULL', 'b IS NULL', 'NOT (a < 3)', 'a BETWEEN 2 AND 4', 'a IN (1, 2, 9)', 'a = ANY (ARRAY[1, 2])', $$b LIKE 'x%' OR b IS NULL$$,
	$$b COLLATE "C" > 'x'$$, '(a, id) < (3, 3)', 'CASE WHEN a > 3 THEN b = ''y'' ELSE a = 1 END', 'abs(a - 3) <= 1', $$a::text ~ '^[12]$'$$, $$day >= '2000-01-04'$$, 'extract(day FROM day) > 3',
	'day < now()', 'pg_catalog.upper(b) = $$X$$', '"Weird ""name""; --" = 2', 'release.a > 3', 'a > 3 -- the rest', E'a > 3 /* ; */', E'\n\ta\n>\n3\n', $$b = 'x'';--'$$, $$b = E'\'; x'$$, 'b = $x$;)$x$', 'a OPERATOR(pg_catalog.>) 3',
	'((a > 3))', 'a > 3 AND (b = ''x'' OR (b = ''y''))', 'coalesce(b, ''z'') = ''z''', 'a IS DISTINCT FROM id', 'row(a, b) IS NOT NULL', 'b = U&''\0078''', 'b = U&''!0078'' UESCAPE ''!''', 'current_user IS NOT NULL', 'a > 3 IS TRUE']) WITH ORDINALITY AS u (c, i),
	LATERAL sdc_compare('tiny_copy', condition => c) ORDER BY i;
-- as many as the server counts
SELECT helper.make_people('person', 400);
SELECT count(*) FROM sdc_rankswap('person', p => 5, columns => '{age,income}', omit => '{born}', seed => 1);
SELECT q.answer = (SELECT count(*) FROM person WHERE age > 40 AND sex = 'f' AND income < 5000) AS answer,
	q.estimate = (SELECT count(*) FROM person_rankswap WHERE age > 40 AND sex = 'f' AND income < 5000) AS estimate,
	q.relative_error = abs(q.answer - q.estimate)::float8 / q.answer AS relative_error
FROM sdc_compare('person_rankswap', condition => $$age > 40 AND sex = 'f' AND income < 5000$$) AS q;
-- a release without a key, a view as the source
CREATE TABLE keyless AS SELECT a, b FROM tiny;
SELECT count(*) FROM sdc_rankswap('keyless', p => 5, columns => '{a}', seed => 1);
SELECT answer FROM sdc_compare('keyless_rankswap', condition => 'a > 1');
CREATE VIEW tiny_view AS SELECT id, a, upper(b) AS b FROM tiny;
SELECT count(*) FROM sdc_rankswap('tiny_view', p => 5, columns => '{a}', key => '{id}', seed => 1);
SELECT answer, estimate FROM sdc_compare('tiny_view_rankswap', condition => $$b = 'X'$$);

\pset tuples_only on
-- What is not one condition.
SELECT c, helper.catch(format('SELECT FROM sdc_compare(''tiny_copy'', condition => %L)', c)) FROM unnest(ARRAY['', ' ', '-- nothing', 'true;', 'true; DROP TABLE tiny', 'true) OR (true', 'true) AS x WHERE (true', '(true', 'true)',
	'true -- )' || E'\n)', 'true /*', 'true */', $$b = 'x$$, $$b = $x$ x$$, 'b = "x', 'true, true', 'true AS x', 'true x', 'true FROM tiny', 'DISTINCT true', 'true WHERE true', 'true GROUP BY 1', 'true ORDER BY 1',
	'true LIMIT 1', 'true FOR UPDATE', 'true UNION SELECT true', 'SELECT true', 'TABLE tiny', 'VALUES (true)', 'DELETE FROM tiny', '*', 'a :=', E'true \\; true', 'WHERE true']) WITH ORDINALITY AS u (c, i) ORDER BY i;
-- What looks further than at the record, or is not determined by it.
SELECT c, helper.catch(format('SELECT FROM sdc_compare(''tiny_copy'', condition => %L)', c)) FROM unnest(ARRAY['(SELECT true)', 'EXISTS (SELECT FROM tiny)', 'a IN (SELECT a FROM tiny)', 'a = ANY (SELECT 1)', 'ARRAY(SELECT 1) IS NULL', 'a > (VALUES (1))',
	'a > $1', 'a > count(*)', 'a > max(a)', 'sum(a) OVER () > 1', 'row_number() OVER () > 1', 'generate_series(1, a) > 1', 'unnest(ARRAY[true])', 'grouping(a) = 0', 'random() < 2', 'a > random()', 'clock_timestamp() IS NULL', 'nextval(''x'') > 1',
	'set_config(''work_mem'', ''1MB'', false) IS NULL', 'pg_sleep(1) IS NULL', 'ctid IS NULL', 'release.xmin IS NULL', 'tableoid = 0', 'release IS NULL', 'release.* IS NULL', 'row(release.*) IS NULL', 'release.upper IS NULL', 'tiny.a > 1', 'query.tiny.a > 1', 'tiny_copy.a > 1',
	'no_such.a > 1', 'release.a.b > 1', 'release.nothing > 1', 'nothing > 1', 'hidden > 1', 'release.hidden > 1', 'extra > 1', 'A > 1 AND "A" > 1', 'DEFAULT', '1', 'a', 'b', $$'maybe'$$, 'NULL::int', 'a > day', 'no_such_function(a)', 'a !!! 1', 'a::no_such_type IS NULL', 'b COLLATE "no such" > b', 'a > 1 / 0']) WITH ORDINALITY AS u (c, i) ORDER BY i;
-- defaults of arguments count, and functions of operators
CREATE FUNCTION fixed(x int, y float8 DEFAULT random()) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN x > 1; END';
CREATE FUNCTION drawn(x int) RETURNS boolean LANGUAGE plpgsql VOLATILE AS 'BEGIN RETURN true; END';
CREATE OPERATOR query.?? (RIGHTARG = int, FUNCTION = drawn);
SELECT c, helper.catch(format('SELECT FROM sdc_compare(''tiny_copy'', condition => %L)', c)) FROM unnest(ARRAY['fixed(a)', 'fixed(a, 1)', '?? a', 'query.drawn(1)']) WITH ORDINALITY AS u (c, i) ORDER BY i;
-- a function that says it does not write does not
CREATE TABLE noted (x int);
CREATE FUNCTION sneaky(x int) RETURNS boolean LANGUAGE plpgsql STABLE AS 'BEGIN INSERT INTO query.noted VALUES (x); RETURN true; END';
CREATE FUNCTION sneaky_inside(x int) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$BEGIN EXECUTE 'DELETE FROM query.tiny'; RETURN true; END$$;
SELECT helper.catch($$SELECT FROM sdc_compare('tiny_copy', condition => 'sneaky(a)')$$);
SELECT helper.catch($$SELECT FROM sdc_compare('tiny_copy', condition => 'sneaky_inside(a)')$$);
-- the settings of strings are those of the caller
SET standard_conforming_strings = off;
SET escape_string_warning = off;
SELECT helper.catch(E'SELECT FROM sdc_compare(''tiny_copy'', condition => E''b = \\''x\\\\\\''; true'')');
SELECT answer FROM sdc_compare('tiny_copy', condition => E'b = ''\\x78''');
RESET escape_string_warning;
RESET standard_conforming_strings;
-- arguments
SELECT helper.catch($$SELECT FROM sdc_compare(NULL, condition => 'true')$$), helper.catch($$SELECT FROM sdc_compare('tiny_copy', condition => NULL)$$);
SELECT helper.catch($$SELECT FROM sdc_compare('tiny', condition => 'true')$$);
SELECT helper.catch($$SELECT FROM sdc_compare('tiny_copy_pkey', condition => 'true')$$);
SELECT helper.catch($$SELECT FROM sdc_compare(0, condition => 'true')$$), helper.catch($$SELECT FROM sdc_compare('no_such', condition => 'true')$$);
-- an error while records are counted tells the relation
\pset tuples_only off
SELECT * FROM sdc_compare('tiny_copy', condition => '1 / (a - id - 1) > 0');
SELECT * FROM sdc_compare('tiny_copy', condition => '1 / (a + id - 6) IS NULL');
SELECT * FROM sdc_compare('tiny_copy', condition => 'a > nothing');
SELECT * FROM sdc_compare('tiny_copy', condition => 'a > 1 / 0');

-- A release that has no values; sources that have changed or are gone.
CREATE TABLE ranges (id int PRIMARY KEY, a int);
INSERT INTO ranges SELECT id, a FROM tiny;
SELECT sdc_register('tiny', 'ranges', '{a}', '{id}', 'generalize');
SELECT helper.catch($$SELECT FROM sdc_compare('ranges', condition => 'a > 1')$$);
BEGIN;
DROP VIEW tiny_view;
ALTER TABLE tiny DROP b;
SELECT helper.catch($$SELECT FROM sdc_compare('tiny_copy', condition => 'a > 1')$$);
ROLLBACK;
BEGIN;
ALTER TABLE tiny RENAME hidden TO extra;
SELECT answer, estimate FROM sdc_compare('tiny_copy', condition => 'extra > 1');
ALTER TABLE tiny ALTER extra TYPE text;
SELECT helper.catch($$SELECT FROM sdc_compare('tiny_copy', condition => 'extra > 1')$$);
ROLLBACK;
BEGIN;
DROP VIEW tiny_view;
DROP TABLE tiny;
SELECT helper.catch($$SELECT FROM sdc_compare('tiny_copy', condition => 'a > 1')$$);
ROLLBACK;
-- in a transaction that only reads, and under one snapshot
BEGIN READ ONLY;
SELECT answer FROM sdc_compare('tiny_copy', condition => 'a > 1');
COMMIT;
WITH added AS (INSERT INTO tiny VALUES (6, 6, 'z', 1, 1, NULL) RETURNING id) SELECT answer FROM added, sdc_compare('tiny_copy', condition => 'a > 0');
DELETE FROM tiny WHERE id = 6;

-- Names and operators of others: a condition means what it means to the caller, what is around it
-- what it means to the server.
CREATE SCHEMA "Trap; x";
CREATE FUNCTION "Trap; x".boom() RETURNS bigint LANGUAGE plpgsql AS $$BEGIN RAISE 'trapped'; END$$;
CREATE FUNCTION "Trap; x".count() RETURNS bigint LANGUAGE sql AS $$SELECT "Trap; x".boom()$$;
CREATE FUNCTION "Trap; x".is_two(int, int) RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT $1 OPERATOR(pg_catalog.=) 2';
CREATE OPERATOR "Trap; x".= (LEFTARG = int, RIGHTARG = int, FUNCTION = "Trap; x".is_two);
CREATE TABLE "Trap; x"."release" AS SELECT 1 AS id, 2 AS release, 'x' AS "where";
CREATE TABLE "Trap; x"."a""b" AS TABLE "Trap; x"."release";
SELECT sdc_register('"Trap; x"."release"', '"Trap; x"."a""b"', '{release}', '{id}');
SET search_path = "Trap; x", pg_catalog, query, public;
SELECT answer, estimate FROM sdc_compare('tiny_copy', condition => 'a = 5');
SELECT answer, estimate FROM sdc_compare('"a""b"', condition => 'release = 5 AND "where" = ''x''');
SET search_path = '';
SELECT answer, estimate FROM public.sdc_compare('query.tiny_copy', condition => 'a = 5');
SET search_path = query, public;

-- Privileges: those of the caller, on both relations, also in the condition.
CREATE ROLE regress_sdc_asker;
CREATE ROLE regress_sdc_half;
GRANT USAGE ON SCHEMA query, helper TO regress_sdc_asker, regress_sdc_half;
GRANT SELECT ON tiny_copy TO regress_sdc_asker, regress_sdc_half;
GRANT SELECT ON person, person_rankswap TO regress_sdc_asker;
GRANT SELECT (id, a) ON tiny TO regress_sdc_asker;
CREATE POLICY north ON person FOR SELECT TO regress_sdc_asker USING (region = 'north');
ALTER TABLE person ENABLE ROW LEVEL SECURITY;
CREATE FUNCTION private(int) RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT true';
REVOKE ALL ON FUNCTION private FROM PUBLIC;
SET ROLE regress_sdc_half;
SELECT helper.catch($$SELECT FROM sdc_compare('tiny_copy', condition => 'a > 1')$$);
SET ROLE regress_sdc_asker;
SELECT answer, estimate FROM sdc_compare('tiny_copy', condition => 'a > 3 AND id > 1');
SELECT helper.catch($$SELECT FROM sdc_compare('tiny_copy', condition => 'b = ''x''')$$);
SELECT helper.catch($$SELECT FROM sdc_compare('tiny_copy', condition => 'private(a)')$$);
SELECT answer = (SELECT count(*) FROM person) AS own_rows, estimate FROM sdc_compare('person_rankswap', condition => 'true');
RESET ROLE;

RESET search_path;
DROP SCHEMA query CASCADE;
DROP SCHEMA "Trap; x" CASCADE;
DROP OWNED BY regress_sdc_asker, regress_sdc_half;
DROP ROLE regress_sdc_asker, regress_sdc_half;
