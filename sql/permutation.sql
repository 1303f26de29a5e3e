--
-- permutation
--
-- How far records were permuted, as the owner, a person and chance see it, against a look at all pairs in plain SQL.
--
\pset format unaligned
\pset footer off
CREATE SCHEMA permutation;
SET search_path = permutation, public;
SET maintenance_work_mem = '64MB';	-- whatever the server has
SET jit = off;		-- of the large queries below

-- gaps has the gap of every original and every released record in every column: positions between the values
-- equal to the one and those equal to the other, in the sorted released column.
CREATE TABLE gaps (i text, l text, attribute name, gap int, value float8, released text);
CREATE FUNCTION fill_gaps(source regclass, release regclass, columns name[], key name) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	c name;
BEGIN
	TRUNCATE gaps;
	FOREACH c IN ARRAY columns LOOP
		EXECUTE format($q$
			WITH x AS (SELECT %4$I::text AS k, %1$I AS v FROM %2$s), y AS (SELECT %4$I::text AS k, %1$I AS v FROM %3$s),
				px AS (SELECT k, v, (SELECT count(*) FROM y WHERE y.v < x.v) AS first, (SELECT count(*) FROM y WHERE y.v <= x.v) - 1 AS last FROM x),
				py AS (SELECT k, v, (SELECT count(*) FROM y AS o WHERE o.v < y.v) AS first, (SELECT count(*) FROM y AS o WHERE o.v <= y.v) - 1 AS last FROM y)
			INSERT INTO gaps SELECT px.k, py.k, %1$L, CASE WHEN num_nulls(px.v, py.v) = 2 THEN 0 WHEN num_nulls(px.v, py.v) = 0 THEN greatest(0, py.first - px.last, px.first - py.last) END,
				%5$s, py.v::text FROM px, py$q$, c, source, release, key,
			-- the number of a released value; texts have none
			(SELECT CASE WHEN format_type(atttypid, NULL) = 'date' THEN $v$(py.v - date '2000-01-01')::float8$v$ WHEN format_type(atttypid, NULL) IN ('text', 'character varying') THEN 'NULL::float8' ELSE 'py.v::float8' END
				FROM pg_attribute WHERE attrelid = source AND attname = c));
	END LOOP;
END
$$;
-- distances are d, how many are as near, and the shift; NULL is infinite.
CREATE VIEW distances AS
	WITH pair AS (SELECT i, l, CASE WHEN count(gap) = count(*) THEN max(gap) END AS gap FROM gaps GROUP BY i, l)
	SELECT i AS record, min(gap)::bigint AS distance, max(gap) FILTER (WHERE l = i)::bigint AS shift, coalesce(count(*) FILTER (WHERE gap = least), 0) AS ties
	FROM (SELECT *, min(gap) OVER (PARTITION BY i) AS least FROM pair) AS p GROUP BY i;
-- by_chance sums up what random permutations give: every record, every t.
CREATE FUNCTION by_chance(OUT null_distance float8, OUT near_percent float8) LANGUAGE sql
BEGIN ATOMIC
	WITH n AS (SELECT count(DISTINCT l) AS n FROM gaps),
		share AS (SELECT i, t, exp(sum(ln(nullif(within, 0) / n.n::float8))) * (min(within) > 0)::int AS s
			FROM (SELECT i, attribute, t, count(*) FILTER (WHERE gap <= t) AS within FROM gaps, n, generate_series(0, n.n - 1) AS t GROUP BY i, attribute, t) AS w, n GROUP BY i, t, n.n),
		none AS (SELECT i, t, CASE WHEN s >= 1 - 1e-12 THEN 0 ELSE (1 - coalesce(s, 0)) ^ n.n END AS p FROM share, n)
	SELECT sum(p) / (SELECT n FROM n), 100.0 * (SELECT count(*) FROM distances AS d JOIN none AS x ON x.i = d.record AND x.t = d.distance WHERE 1 - x.p <= 0.05) / (SELECT n FROM n) FROM none;
END;
CREATE FUNCTION near(a float8, b float8) RETURNS boolean LANGUAGE sql RETURN abs(a - b) <= 1e-9 * greatest(1, abs(b)) OR num_nulls(a, b) = 2;
-- compare says what of a release is not as by SQL.
CREATE FUNCTION compare(release regclass, columns name[], key name) RETURNS TABLE (records bigint, different bigint, summary text) LANGUAGE plpgsql AS $$
BEGIN
	PERFORM fill_gaps((SELECT r.source FROM sdc_releases AS r WHERE r.release = compare.release), release, columns, key);
	RETURN QUERY
		WITH found AS (SELECT count(*) AS n, min(distance) AS minimum, percentile_cont(0.5) WITHIN GROUP (ORDER BY distance) AS median, avg(distance)::float8 AS mean, coalesce(sum(1.0 / ties) FILTER (WHERE shift = distance), 0)::float8 AS own, count(*) - count(distance) AS infinite FROM distances)
		SELECT count(*), count(*) FILTER (WHERE (d.distance, d.shift, d.ties) IS DISTINCT FROM (s.distance, s.shift, s.ties)),
			(SELECT concat_ws(' ', CASE WHEN p.minimum IS DISTINCT FROM f.minimum THEN 'minimum' END, CASE WHEN NOT near(p.median, f.median) THEN 'median' END, CASE WHEN NOT near(p.mean, f.mean) THEN 'mean' END, CASE WHEN NOT near(p.own, f.own) THEN 'own' END,
				CASE WHEN NOT near(p.null_distance, c.null_distance) THEN 'null_distance' END, CASE WHEN NOT near(p.near_percent, c.near_percent) THEN 'near_percent' END, CASE WHEN (p.records, p.infinite) <> (f.n, f.infinite) THEN 'records' END)
			 FROM found AS f, sdc_permuted_privacy(release) AS p, by_chance() AS c)
		FROM sdc_permutation_distance(release) AS d FULL JOIN distances AS s USING (record);
END
$$;

-- Releases of several methods: with ties, NULLs, texts and dates.
SELECT helper.make_people('permutation.people', 60);
SELECT count(*) FROM sdc_rankswap('people', p => 10, columns => '{age,income,born}', keep => '{}', target => 'swapped', seed => 1);
SELECT count(*) FROM sdc_rankswap('people', p => 100, columns => '{age,savings,weight}', keep => '{}', target => 'mixed', seed => 2);
SELECT count(*) FROM sdc_rankswap_buckets('people', buckets => 5, columns => '{savings}', keep => '{}', target => 'bucketed', seed => 3);
SELECT count(*) FROM sdc_randomize('people', '{region,job,age}', keep => '{}', target => 'randomized', seed => 4);
SELECT count(*) FROM sdc_equiwidth_swap('people', intervals => 3, columns => '{age,income}', keep => '{}', target => 'binned', seed => 5);
SELECT release, c.* FROM (VALUES ('swapped'::regclass, '{age,income,born}'::name[]), ('mixed', '{age,savings,weight}'), ('bucketed', '{savings}'), ('randomized', '{region,job,age}'), ('binned', '{age,income}')) AS v (release, columns), LATERAL compare(release, columns, 'id') AS c;
-- identity: nobody is far from himself; a release with values that its source has not
CREATE TABLE same AS SELECT id, age, job, born FROM people;
SELECT sdc_register('people', 'same', '{age,job,born}', '{id}');
SELECT * FROM compare('same', '{age,job,born}', 'id');
SELECT DISTINCT distance, shift FROM sdc_permutation_distance('same');
CREATE TABLE moved AS SELECT id, (age + 7 * (id % 3))::smallint AS age, CASE WHEN id % 5 = 0 THEN NULL ELSE savings + 50 END AS savings FROM people;
SELECT sdc_register('people', 'moved', '{age,savings}', '{id}');
SELECT * FROM compare('moved', '{age,savings}', 'id');
CREATE TABLE filled AS SELECT id, age, coalesce(savings, 0) AS savings FROM people;
SELECT sdc_register('people', 'filled', '{age,savings}', '{id}');
SELECT c.*, p.infinite FROM compare('filled', '{age,savings}', 'id') AS c, sdc_permuted_privacy('filled') AS p;
SELECT count(*) FROM sdc_permutation_distance('filled') WHERE num_nulls(distance, shift) = 2 AND ties = 0;
-- one record, constants, no record
CREATE TABLE single AS SELECT 1 AS id, 5 AS x;
CREATE TABLE single_out AS TABLE single;
SELECT sdc_register('single', 'single_out', '{x}', '{id}');
SELECT * FROM sdc_permutation_distance('single_out');
SELECT * FROM sdc_permuted_privacy('single_out');
CREATE TABLE nobody (id int, x int);
CREATE TABLE nobody_out (id int, x int);
SELECT sdc_register('nobody', 'nobody_out', '{x}', '{id}');
SELECT * FROM sdc_permutation_distance('nobody_out');
SELECT * FROM sdc_permuted_privacy('nobody_out');
CREATE TABLE constant AS SELECT i AS id, 7 AS x, CASE WHEN i > 3 THEN 1 END AS y FROM generate_series(1, 6) AS i;
CREATE TABLE constant_out AS TABLE constant;
SELECT sdc_register('constant', 'constant_out', '{x,y}', '{id}');
SELECT * FROM sdc_permutation_distance('constant_out');
SELECT * FROM sdc_permuted_privacy('constant_out');
-- a shuffled source without a key, little memory
SET work_mem = '64kB'; SET maintenance_work_mem = '1MB';
SELECT * FROM compare('swapped', '{age,income,born}', 'id');
CREATE TABLE many AS SELECT i AS id, i % 777 AS a, (i * 37) % 1001 AS b FROM generate_series(1, 20000) AS i;
ALTER TABLE many ADD PRIMARY KEY (id);
SELECT count(*) FROM sdc_rankswap('many', p => 5, target => 'many_out', seed => 1);
CREATE TABLE little AS SELECT * FROM sdc_permuted_privacy('many_out');
RESET work_mem; SET maintenance_work_mem = '64MB';
SELECT count(*), max(distance) <= 1000 AS within FROM sdc_permutation_distance('many_out');
SELECT count(*) AS differ FROM (SELECT * FROM sdc_permuted_privacy('many_out') EXCEPT TABLE little) AS d;

-- Verification: the same distance from the release and the record alone; variance and frequency of what is around.
CREATE FUNCTION verify(release regclass, columns name[], OUT people bigint, OUT wrong bigint) LANGUAGE plpgsql AS $$
BEGIN
	PERFORM fill_gaps('people', release, columns, 'id');
	CREATE TEMP TABLE far ON COMMIT DROP AS SELECT record, distance FROM distances;
	CREATE TEMP TABLE around ON COMMIT DROP AS SELECT record, attribute, distance, var_pop(value) FILTER (WHERE gap <= distance) / nullif(var_pop(value), 0) AS variance,
			(SELECT max(n) / sum(n) FROM (SELECT count(*)::float8 AS n FROM unnest(array_agg(released) FILTER (WHERE gap <= distance AND released IS NOT NULL)) AS x GROUP BY x) AS c) AS frequency
		FROM gaps JOIN far ON i = record GROUP BY record, attribute, distance;
	EXECUTE format($q$
		SELECT count(DISTINCT p.id), count(*) FILTER (WHERE v.distance IS DISTINCT FROM a.distance OR num_nulls(p.own ->> v.attribute, a.frequency) NOT IN (0, 2) OR NOT near(v.frequency, CASE WHEN p.own ->> v.attribute IS NOT NULL THEN a.frequency END)
			OR NOT near(v.variance, CASE WHEN p.own ->> v.attribute IS NOT NULL THEN a.variance END))
		FROM (SELECT id, to_jsonb(r) AS own FROM people, LATERAL (SELECT %s) AS r) AS p, LATERAL sdc_verify_record(%L, p.own) AS v JOIN around AS a USING (attribute) WHERE a.record = p.id::text$q$,
		(SELECT string_agg(quote_ident(c), ', ') FROM unnest(columns) AS c), release) INTO people, wrong;
	DROP TABLE far, around;
END
$$;
SELECT release, v.* FROM (VALUES ('swapped'::regclass, '{age,income,born}'::name[]), ('mixed', '{weight,age}'), ('randomized', '{age,job,region}'), ('moved', '{savings,age}')) AS r (release, columns), LATERAL verify(release, columns) AS v;
-- by hand: 4 is between 3 and 5, one position from either; 9 is behind all
CREATE TABLE five (x int, t text COLLATE "C", "Odd name" float8);
INSERT INTO five VALUES (1, 'a', 1.5), (3, 'a', 1.5), (5, 'b', 2.5), (7, NULL, NULL), (7, 'c', 'Infinity');
SELECT * FROM sdc_verify_record('five', '{"x": 4}');
SELECT * FROM sdc_verify_record('five', '{"x": 9}');
SELECT * FROM sdc_verify_record('five', '{"x": 7}');
SELECT * FROM sdc_verify_record('five', '{"t": "b", "x": 1}');
SELECT * FROM sdc_verify_record('five', '{"t": null, "x": 1}');
SELECT * FROM sdc_verify_record('five', '{"x": null}');
SELECT * FROM sdc_verify_record('five', '{"Odd name": "2.5", "x": "6"}');
SELECT attribute, distance, frequency FROM sdc_verify_record('five', '{"t": "0"}') UNION ALL SELECT attribute, distance, frequency FROM sdc_verify_record('five', '{"t": "zz"}');
DELETE FROM five;
SELECT * FROM sdc_verify_record('five', '{"x": 4, "t": null}');

-- What is refused.
\pset tuples_only on
SELECT count(*) FROM sdc_generalize('people', '{age,region}', k => 5, keep => '{}', target => 'ranges');
SELECT c, helper.catch('SELECT * FROM ' || c) FROM unnest(ARRAY[$$sdc_permutation_distance(NULL)$$, $$sdc_permuted_privacy(NULL)$$, $$sdc_permutation_distance('people')$$, $$sdc_permuted_privacy('people')$$, $$sdc_permutation_distance('ranges')$$, $$sdc_permuted_privacy('ranges')$$,
	$$sdc_verify_record(NULL, '{"x": 1}')$$, $$sdc_verify_record('five', NULL)$$, $$sdc_verify_record('five', '{}')$$, $$sdc_verify_record('five', '[1]')$$, $$sdc_verify_record('five', '"x"')$$, $$sdc_verify_record('five', '{"y": 1}')$$, $$sdc_verify_record('five', '{"x": [1]}')$$, $$sdc_verify_record('five', '{"x": {"a": 1}}')$$,
	$$sdc_verify_record('five', '{"x": "one"}')$$, $$sdc_verify_record('five', '{"x": 1.5}')$$, $$sdc_verify_record('five', '{"ctid": "(0,1)"}')$$, $$sdc_verify_record('ranges', '{"age": "[1,2]"}')$$, $$sdc_verify_record('ranges', '{"region": "{a}"}')$$, $$sdc_verify_record('people_pkey', '{"id": 1}')$$]) AS c;
BEGIN;
UPDATE people SET age = age + 1 WHERE id = 1;
SELECT helper.catch($$SELECT * FROM sdc_permutation_distance('swapped')$$);
ROLLBACK;
\pset tuples_only off
-- Rights: a person needs the release only.
CREATE ROLE regress_sdc_person;
GRANT USAGE ON SCHEMA permutation, helper TO regress_sdc_person;
GRANT SELECT (age, income) ON swapped TO regress_sdc_person;
SET ROLE regress_sdc_person;
SELECT count(*) FROM sdc_verify_record('swapped', '{"age": 30, "income": 1000}');
SELECT helper.catch($$SELECT * FROM sdc_verify_record('swapped', '{"born": "1970-01-01"}')$$), helper.catch($$SELECT * FROM sdc_permutation_distance('swapped')$$), helper.catch($$SELECT * FROM sdc_permuted_privacy('swapped')$$);
RESET ROLE;

DROP SCHEMA permutation CASCADE;
DROP OWNED BY regress_sdc_person;
DROP ROLE regress_sdc_person;
