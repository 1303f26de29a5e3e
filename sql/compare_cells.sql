--
-- compare_cells
--
-- Aggregates and groups of a query of one's own, on a release and on its source.
--
\pset format unaligned
\pset footer off
CREATE SCHEMA cells;
SET search_path = cells, public;
SELECT helper.make_people('person', 300);
SELECT count(*) FROM sdc_rankswap('person', p => 10, columns => '{age,income,savings}', omit => '{born}', seed => 1);

-- As the server answers, each by itself; workers that add up numbers make other last digits.
CREATE FUNCTION near(a float8, b float8) RETURNS boolean LANGUAGE sql AS $$SELECT CASE WHEN a IS NULL OR b IS NULL THEN a IS NULL AND b IS NULL ELSE abs(a - b) <= 1e-9 * abs(b) + 1e-12 END$$;
CREATE FUNCTION same(aggregate text, condition text, names text) RETURNS TABLE (cells bigint, wrong bigint, off bigint) LANGUAGE plpgsql AS $$
BEGIN
	RETURN QUERY EXECUTE format('WITH a AS (SELECT to_jsonb(array_remove(ARRAY[%2$s]::text[], ''no such'')) AS cell, (%1$s)::float8 AS x FROM person AS release WHERE %3$s %4$s),
		e AS (SELECT to_jsonb(array_remove(ARRAY[%2$s]::text[], ''no such'')) AS cell, (%1$s)::float8 AS x FROM person_rankswap AS release WHERE %3$s %4$s)
		SELECT count(*), count(*) FILTER (WHERE NOT near(c.answer, a.x) OR NOT near(c.estimate, e.x)),
			count(*) FILTER (WHERE NOT near(c.relative_error, CASE WHEN a.x = e.x THEN 0 WHEN a.x <> 0 THEN abs(a.x - e.x) / abs(a.x) END))
		FROM (SELECT *, to_jsonb(ARRAY[%5$s]::text[]) AS k FROM sdc_compare(''person_rankswap'', %6$L, %7$L, %8$L)) AS c
		FULL JOIN a ON a.cell = c.k FULL JOIN e ON e.cell = coalesce(c.k, a.cell)',
		aggregate, names, coalesce(condition, 'true'), CASE WHEN names <> '' THEN 'GROUP BY ' || names ELSE '' END,
		(SELECT coalesce(string_agg(format('cell->>%L', n), ','), '') FROM unnest(string_to_array(names, ',')) AS n), aggregate, condition, string_to_array(names, ','));
END $$;
SELECT q, sum(cells) AS cells, sum(wrong) AS wrong, sum(off) AS off FROM unnest(ARRAY['count(*)', 'count(income)', 'count(DISTINCT region)', 'sum(age)', 'avg(age)', 'min(income)', 'max(income)', 'stddev(age)', 'corr(age, income)', 'regr_slope(income, age)',
		'percentile_cont(0.5) WITHIN GROUP (ORDER BY income)', 'percentile_disc(0.9) WITHIN GROUP (ORDER BY age DESC)', 'mode() WITHIN GROUP (ORDER BY age)', '100.0 * count(*) FILTER (WHERE age > 40) / count(*)', 'sum(age * income) / sum(age)',
		'max(release.age)']) WITH ORDINALITY AS q (q, i),
	unnest(ARRAY['', 'region', 'region,sex', 'job,region']) WITH ORDINALITY AS b (b, j), unnest(ARRAY[NULL, $$age > 30 AND sex = 'f'$$]) WITH ORDINALITY AS w (w, k), LATERAL same(q, w, b) AS s GROUP BY i, q ORDER BY i;

-- Small enough to be counted by hand: a cell of NULL, a cell that one of them lacks.
CREATE TABLE tiny (id int PRIMARY KEY, a int, b text, day date, m money);
INSERT INTO tiny VALUES (1, 1, 'x', '2000-01-01', 1), (2, 2, 'x', '2000-01-01', 2), (3, 4, 'y', NULL, 4), (4, 8, NULL, NULL, 8);
CREATE TABLE tiny_copy AS SELECT * FROM tiny;
UPDATE tiny_copy SET a = 9, b = CASE id WHEN 3 THEN 'z' ELSE b END WHERE id > 2;
SELECT sdc_register('tiny', 'tiny_copy', '{a,b}', '{id}');
SELECT * FROM sdc_compare('tiny_copy', by => '{b}');
SELECT * FROM sdc_compare('tiny_copy', 'sum(a)', by => '{b}');
SELECT * FROM sdc_compare('tiny_copy', 'count(*) + 0 * min(length(b))', by => '{b}');
SELECT * FROM sdc_compare('tiny_copy', 'length(b) * count(*)', by => '{b}');
SELECT * FROM sdc_compare('tiny_copy', 'max(a)', by => '{day,b}');
SELECT * FROM sdc_compare('tiny_copy', 'sum(m::numeric)', by => '{}');
SELECT * FROM sdc_compare('tiny_copy', 'count(a)', by => '{b}');
SELECT * FROM sdc_compare('tiny_copy', 'avg(a) -- of all');
SELECT * FROM sdc_compare('tiny_copy', 'avg(a)', 'a > 100');
SELECT * FROM sdc_compare('tiny_copy', 'avg(a)', 'a > 100', '{b}');
SELECT * FROM sdc_compare('tiny_copy', $$max(a / 0.0::float8)$$, 'false');
SELECT * FROM sdc_compare('tiny_copy', $$max('Infinity'::float8)$$);
SELECT * FROM sdc_compare('tiny_copy', $$max('NaN'::float8)$$);
-- no records at all
CREATE TABLE nobody (id int PRIMARY KEY, a int);
CREATE TABLE nobody_copy (id int PRIMARY KEY, a int);
SELECT sdc_register('nobody', 'nobody_copy', '{a}', '{id}');
SELECT * FROM sdc_compare('nobody_copy');
SELECT * FROM sdc_compare('nobody_copy', 'avg(a)');
SELECT * FROM sdc_compare('nobody_copy', by => '{a}');
-- cells come in the order of their values
SELECT string_agg(cell->>'age', ' ' ORDER BY n) = (SELECT string_agg(age::text, ' ' ORDER BY age) FROM (SELECT age FROM person UNION SELECT age FROM person_rankswap) AS a) AS in_order
FROM sdc_compare('person_rankswap', by => '{age}') WITH ORDINALITY AS c (cell, answer, estimate, relative_error, n);

\pset tuples_only on
-- What is no aggregate.
SELECT c, helper.catch(format('SELECT FROM sdc_compare(''tiny_copy'', %L)', c)) FROM unnest(ARRAY['', 'a', '1', 'true', 'count(*), count(*)', 'count(*) AS n', 'count(*) FROM tiny', 'count(*);', '(SELECT count(*) FROM tiny)', 'count((SELECT 1))',
	'max(b)', 'max(day)', 'sum(m)', 'count(*) > 1', 'array_agg(a)', 'max(a) OVER ()', 'count(*) OVER ()', 'row_number() OVER ()', 'generate_series(1, count(*))', 'sum(generate_series(1, a))', 'max(random())', 'count(*) + random()', 'max(a) + a', 'b || max(a)', 'max(nothing)',
	'max(ctid::text::int)', 'count(release)', 'count(release.*)', 'count(DISTINCT *)', 'max(a) FILTER (WHERE random() < 1)', 'sum(a) FILTER (WHERE b = ''x'')', 'max($1)', 'max(count(*))', 'max(a) WITHIN GROUP (ORDER BY a)', 'no_such(a)', 'grouping(a)', 'percentile_cont(2) WITHIN GROUP (ORDER BY a)',
	'count(*)) AS x, (1', 'count(*)) FROM tiny AS release WHERE (true', '*']) WITH ORDINALITY AS u (c, i) ORDER BY i;
SELECT c, helper.catch(format('SELECT FROM sdc_compare(''tiny_copy'', %s)', c)) FROM unnest(ARRAY['NULL', $$'count(*)', '1'$$, $$'max(a) + a', by => '{a}'$$, $$'max(a) + a', by => '{b}'$$, $$by => '{nothing}'$$, $$by => '{b,b}'$$, $$by => '{NULL}'$$, $$by => '{ctid}'$$]) WITH ORDINALITY AS u (c, i) ORDER BY i;
-- columns that are not there as values
SET client_min_messages = warning;
SELECT count(*) FROM sdc_generalize('person', '{age,sex}', k => 5, target => 'ranges', omit => '{born}');
RESET client_min_messages;
SELECT c, helper.catch(format('SELECT FROM sdc_compare(''ranges'', %s)', c)) FROM unnest(ARRAY[$$'max(age)'$$, $$by => '{sex}'$$, $$condition => 'age > 1'$$, $$'max(group_id)'$$]) AS c;
SELECT sum(answer), sum(relative_error) FROM sdc_compare('ranges', by => '{region}');
-- names of others
CREATE SCHEMA trap;
CREATE FUNCTION trap.boom() RETURNS bigint LANGUAGE plpgsql IMMUTABLE AS $$BEGIN RAISE 'trapped'; END$$;
CREATE FUNCTION trap.count() RETURNS bigint LANGUAGE sql IMMUTABLE AS $$SELECT trap.boom()$$;
CREATE FUNCTION trap.max(int) RETURNS int LANGUAGE sql IMMUTABLE AS $$SELECT 1$$;
CREATE FUNCTION trap.max(bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$SELECT trap.boom()$$;
SET search_path = trap, pg_catalog, cells, public;
SELECT answer FROM sdc_compare('tiny_copy');
SELECT helper.catch($$SELECT FROM sdc_compare('tiny_copy', 'max(a)')$$);
SELECT answer FROM sdc_compare('tiny_copy', 'pg_catalog.max(a)');
RESET search_path;

DROP SCHEMA cells, trap CASCADE;
