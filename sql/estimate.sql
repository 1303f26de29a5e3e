--
-- estimate
--
-- Estimates from randomized tables: as the definition says in plain SQL, consistent with each other, and for somebody
-- who has nothing but the table.
--
\pset format unaligned
\pset footer off
SET max_parallel_workers_per_gather = 0;	-- hundreds of small queries
CREATE SCHEMA guess;
SET search_path = guess, public;
SET maintenance_work_mem = '64MB';	-- whatever the server has

-- 600 records with values missing, by no order and by no chance; size is not randomized.
CREATE TABLE person AS
SELECT i AS id, chr(97 + (i * i / 7) % 4) AS region, CASE WHEN i % 11 > 0 THEN chr(109 + (i / 3) % 2) END AS sex, CASE WHEN (i * 7) % 13 > 1 THEN 20 + (i * i) % 9 END AS age,
	CASE WHEN i % 17 > 0 THEN chr(120 + i % 3) END AS job, CASE WHEN i % 19 > 0 THEN (i * 31) % 50 - 10 END AS size, (i * 5 / 3) % 3 AS ward
FROM generate_series(1, 600) AS i;
ALTER TABLE person ADD PRIMARY KEY (id);
SELECT count(*) FROM sdc_randomize('person', '{region,sex,age,job}', probabilities => '{0.1,0.2,0.3,0.4}', keep => '{size,ward}', target => 'one', seed => 1);
SELECT count(*) FROM sdc_randomize('person', '{region,sex,age,job}', draws => 2, keep => '{size,ward}', target => 'two', seed => 2);

-- The definition, for counts and for sums of a copied column, without cells and strata.
CREATE FUNCTION shift(f float8[], a float8[], lambda float8[]) RETURNS float8[] LANGUAGE plpgsql AS $$
DECLARE
	bit int; u float8; v float8;
BEGIN
	FOR j IN 1 .. array_length(a, 1) LOOP
		bit := 1 << (j - 1);
		FOR s IN 0 .. (1 << array_length(a, 1)) - 1 LOOP
			CONTINUE WHEN s & bit > 0;
			u := f[s + 1]; v := f[(s | bit) + 1];
			f[s + 1] := (1 - a[j]) * u + a[j] * v; f[(s | bit) + 1] := v - u;
		END LOOP;
	END LOOP;
	FOR s IN 1 .. 1 << array_length(a, 1) LOOP f[s] := f[s] * lambda[s]; END LOOP;
	FOR j IN 1 .. array_length(a, 1) LOOP
		bit := 1 << (j - 1);
		FOR s IN 0 .. (1 << array_length(a, 1)) - 1 LOOP
			CONTINUE WHEN s & bit > 0;
			u := f[s + 1]; v := f[(s | bit) + 1];
			f[s + 1] := u - a[j] * v; f[(s | bit) + 1] := u + (1 - a[j]) * v;
		END LOOP;
	END LOOP;
	RETURN f;
END $$;
CREATE FUNCTION times(f float8[], g float8[]) RETURNS float8[] LANGUAGE sql AS $$ SELECT array_agg(x * y ORDER BY i) FROM unnest(f, g) WITH ORDINALITY AS u (x, y, i) $$;
CREATE FUNCTION less(f float8[], g float8[]) RETURNS float8[] LANGUAGE sql AS $$ SELECT array_agg(x - y ORDER BY i) FROM unnest(f, g) WITH ORDINALITY AS u (x, y, i) $$;
CREATE FUNCTION dot(f float8[], g float8[]) RETURNS float8 LANGUAGE sql AS $$ SELECT sum(x * y) FROM unnest(f, g) AS u (x, y) $$;
CREATE FUNCTION twin(relation text, conditions text[], columns text[], lambda float8[], w text, OUT estimate float8, OUT standard_error float8, OUT raw float8) LANGUAGE plpgsql AS $$
DECLARE
	c int := array_length(conditions, 1); all_of int := (1 << c) - 1; bits text; filled text;
	a float8[]; n float8[]; ns float8[]; ws float8[]; qs float8[]; m float8[]; d float8[]; h float8[]; ghat float8[]; phi float8[]; inverse float8[]; var float8 := 0;
	value float8; weight float8; own float8; u float8; share float8; other float8[];
BEGIN
	SELECT string_agg(format('CASE WHEN (%s) THEN %s ELSE 0 END', q, 1 << (i - 1)::int), ' + ') INTO bits FROM unnest(conditions) WITH ORDINALITY AS x (q, i);
	SELECT string_agg(format('%I IS NOT NULL', q), ' AND ') INTO filled FROM unnest(columns) AS x (q);
	IF w <> '1' THEN filled := filled || format(' AND %I IS NOT NULL', w); END IF;
	EXECUTE format('SELECT array_agg(coalesce(x, 0) ORDER BY s), array_agg(coalesce(y, 0) ORDER BY s), array_agg(coalesce(z, 0) ORDER BY s) FROM generate_series(0, %s) AS s LEFT JOIN
		(SELECT %s AS b, count(*)::float8 AS x, sum(%s)::float8 AS y, sum(%3$s * %3$s)::float8 AS z FROM %s WHERE %s GROUP BY 1) AS g ON b = s', all_of, bits, w, relation, filled) INTO ns, ws, qs;
	FOR j IN 1 .. c LOOP
		EXECUTE format('SELECT count(*)::float8, avg(CASE WHEN %s THEN 1.0 ELSE 0 END)::float8 FROM %s WHERE %I IS NOT NULL', conditions[j], relation, columns[j]) INTO weight, share;
		n[j] := weight; a[j] := share;
	END LOOP;
	SELECT array_agg(1 / x ORDER BY i) INTO inverse FROM unnest(lambda) WITH ORDINALITY AS l (x, i);
	ghat := shift(array_fill(0::float8, ARRAY[all_of]) || 1::float8, a, inverse);
	estimate := dot(ws, ghat); raw := ws[all_of + 1];
	-- M(A), D_j, h
	FOR s IN 0 .. all_of LOOP
		m[s + 1] := 0;
		FOR t IN 0 .. all_of LOOP
			value := ws[t + 1];
			FOR j IN 1 .. c LOOP
				IF s >> (j - 1) & 1 = 1 THEN value := value * ((t >> (j - 1) & 1) - a[j]); END IF;
			END LOOP;
			m[s + 1] := m[s + 1] + value;
		END LOOP;
	END LOOP;
	FOR j IN 1 .. c LOOP
		d[j] := 0;
		FOR s IN 0 .. all_of LOOP
			CONTINUE WHEN s >> (j - 1) & 1 = 1;
			value := (inverse[s + 1] - inverse[(s | (1 << (j - 1))) + 1]) * m[s + 1];
			FOR i IN 1 .. c LOOP
				IF i <> j AND s >> (i - 1) & 1 = 0 THEN value := value * a[i]; END IF;
			END LOOP;
			d[j] := d[j] + value;
		END LOOP;
	END LOOP;
	FOR s IN 0 .. all_of LOOP
		h[s + 1] := 0;
		FOR j IN 1 .. c LOOP h[s + 1] := h[s + 1] + d[j] * ((s >> (j - 1) & 1) - a[j]) / n[j]; END LOOP;
	END LOOP;
	IF w = '1' THEN
		phi := less(ghat, (SELECT array_agg(-x ORDER BY i) FROM unnest(h) WITH ORDINALITY AS u (x, i)));
		var := dot(ns, less(times(phi, phi), shift(times(shift(phi, a, lambda), shift(phi, a, lambda)), a, inverse)));
	ELSE
		var := dot(qs, less(times(ghat, ghat), shift(times(shift(ghat, a, lambda), shift(ghat, a, lambda)), a, inverse)))
			+ 2 * dot(ws, less(times(ghat, h), shift(times(shift(ghat, a, lambda), shift(h, a, lambda)), a, inverse)))
			+ dot(ns, less(times(h, h), shift(times(shift(h, a, lambda), shift(h, a, lambda)), a, inverse)));
	END IF;
	-- records that lack some other value
	FOR j IN 1 .. c LOOP
		FOR b IN 0 .. 1 LOOP
			EXECUTE format('SELECT count(*)::float8 FROM %s WHERE %I IS NOT NULL AND NOT (%s) AND (CASE WHEN %s THEN 1 ELSE 0 END) = %s', relation, columns[j], filled, conditions[j], b) INTO weight;
			own := lambda[(1 << (j - 1)) + 1];
			u := b - a[j];
			other := shift(ARRAY[(own * -a[j]) ^ 2, (own * (1 - a[j])) ^ 2], ARRAY[a[j]], ARRAY[1, 1 / own]);
			var := var + weight * (d[j] / n[j]) ^ 2 * (u * u - other[b + 1]);
		END LOOP;
	END LOOP;
	standard_error := sqrt(greatest(var, 0));
END $$;
-- lambda of all sets of conditions
CREATE FUNCTION single(p float8[]) RETURNS float8[] LANGUAGE sql AS $$
	SELECT array_agg(1 - (SELECT coalesce(sum(p[j]), 0) FROM generate_subscripts(p, 1) AS j WHERE s >> (j - 1) & 1 = 1) ORDER BY s) FROM generate_series(0, (1 << array_length(p, 1)) - 1) AS s $$;
CREATE FUNCTION choose(n int, k int) RETURNS float8 LANGUAGE sql AS $$ SELECT CASE WHEN k < 0 OR k > n THEN 0 ELSE round(exp(coalesce((SELECT sum(ln((n - k + i)::float8 / i)) FROM generate_series(1, k) AS i), 0))) END $$;
CREATE FUNCTION several(drawn int[], m int, k int) RETURNS float8[] LANGUAGE sql AS $$
	SELECT array_agg(choose(m - x, k) / choose(m, k) ORDER BY s) FROM generate_series(0, (1 << array_length(drawn, 1)) - 1) AS s, LATERAL (SELECT coalesce(sum(drawn[j]), 0)::int FROM generate_subscripts(drawn, 1) AS j WHERE s >> (j - 1) & 1 = 1) AS n (x) $$;
CREATE FUNCTION near(a float8, b float8) RETURNS boolean LANGUAGE sql AS $$ SELECT coalesce(abs(a - b) <= 1e-9 * (abs(b) + 1), a IS NULL AND b IS NULL) $$;

CREATE TABLE asked (i int, conditions text[], columns text[], p float8[], drawn int[]);
INSERT INTO asked VALUES (1, '{region = ''a''}', '{region}', '{0.1}', '{1}'), (2, '{"region IN (''a'', ''b'')", "age < 25"}', '{region,age}', '{0.1,0.3}', '{1,1}'), (3, '{"age % 2 = 0", "sex = ''m''", "region <> ''c''"}', '{age,sex,region}', '{0.3,0.2,0.1}', NULL),
	(4, '{"size > 7", "age >= 23"}', '{size,age}', '{0,0.3}', '{0,1}'), (5, '{"size > 7", "ward = 1", "sex = ''n''", "job = ''x''"}', '{size,ward,sex,job}', '{0,0,0.2,0.4}', '{0,0,1,1}'), (6, '{"ward = 1"}', '{ward}', '{0}', '{0}'), (7, '{"age = 99", "sex = ''m''"}', '{age,sex}', '{0.3,0.2}', '{1,1}'), (8, '{"age IS NOT NULL"}', '{age}', '{0.3}', '{1}'), (9, '{"size IS NULL"}', '{size}', '{0}', '{0}');
SELECT 'RA 1' AS method, i, w, near(e.estimate, t.estimate) AS estimate, near(e.standard_error, t.standard_error) AS error, near(e.raw, t.raw) AS raw, near(e.high - e.low, 2 * 1.959964 * t.standard_error) AS interval
FROM asked, unnest('{1,size}'::text[]) AS w, sdc_estimate('one', '{job,region,age,sex}', conditions, nullif(w, '1'), probabilities => '{0.4,0.1,0.3,0.2}') AS e, twin('one'::text, conditions, columns, single(p), w) AS t
UNION ALL
SELECT 'RA 2', i, w, near(e.estimate, t.estimate), near(e.standard_error, t.standard_error), near(e.raw, t.raw), near(e.high - e.low, 2 * 1.959964 * t.standard_error)
FROM asked, unnest('{1,size}'::text[]) AS w, sdc_estimate('two', '{job,region,age,sex}', conditions, nullif(w, '1'), draws => 2) AS e, twin('two'::text, conditions, columns, several(drawn, 4, 2), w) AS t WHERE drawn IS NOT NULL
ORDER BY 1, 2, 3;

-- Cells are conditions, a sum of a randomized column is one over its values, an average is a quotient; in tables with probabilities and with draws.
CREATE FUNCTION ask(t text, conditions text[], measure name DEFAULT NULL, statistic text DEFAULT NULL, by name[] DEFAULT NULL, strata name[] DEFAULT NULL) RETURNS TABLE (cell jsonb, estimate float8, standard_error float8, raw float8) LANGUAGE sql AS $$
	SELECT cell, estimate, standard_error, raw FROM sdc_estimate(t, '{region,sex,age,job}', conditions, measure, statistic, CASE WHEN t <> 'two' THEN '{0.1,0.2,0.3,0.4}'::float8[] END, CASE t WHEN 'two' THEN 2 END, by, strata) $$;
SELECT t, c, count(*) AS cells, count(*) FILTER (WHERE NOT near(g.estimate, e.estimate) OR NOT near(g.standard_error, e.standard_error) OR NOT near(g.raw, e.raw)) AS wrong
FROM unnest('{one,two}'::text[]) AS t, (VALUES (1, ARRAY['size > 7'], '{region}'::name[], NULL::name), (2, ARRAY['age > 23'], '{sex,ward}', NULL), (3, '{}', '{ward}', 'size'), (4, ARRAY['age > 22'], '{age}', 'size'), (5, ARRAY['ward = 1'], '{region,age}', 'age')) AS v (c, conditions, by, measure),
	LATERAL ask(t, conditions, measure, NULL, by) AS g, LATERAL (SELECT array_agg(format(CASE WHEN value IS NULL THEN '%I IS NULL' ELSE '%I = %L' END, key, value)) AS more, bool_and(value IS NOT NULL) AS known FROM jsonb_each_text(g.cell)) AS m,
	LATERAL ask(t, conditions || more, measure) AS e WHERE known GROUP BY t, c ORDER BY t, c;
SELECT t, near(s.estimate, v.total) AS sum, near(s.raw, v.raw) AS raw, near(a.estimate, s.estimate / n.estimate) AS avg
FROM unnest('{one,two}'::text[]) AS t, LATERAL ask(t, '{ward = 1, sex = ''m''}', 'age') AS s, LATERAL (SELECT sum((cell->>'age')::int * estimate) AS total, sum((cell->>'age')::int * raw) AS raw FROM ask(t, '{ward = 1, sex = ''m''}', by => '{age}') WHERE cell->>'age' <> '') AS v,
	LATERAL ask(t, '{ward = 1, sex = ''m''}', 'age', 'avg') AS a, LATERAL ask(t, '{ward = 1, sex = ''m''}', 'age', 'count') AS n;
-- the error of an average is that of the sum of what its values are above it
SELECT estimate AS average FROM ask('one', '{sex = ''m''}', 'size', 'avg') \gset
CREATE TEMP TABLE above AS SELECT region, sex, age, job, size - :average::float8 AS above FROM one;
SELECT near(a.standard_error, s.standard_error / abs(n.estimate)) AS error
FROM ask('one', '{sex = ''m''}', 'size', 'avg') AS a, ask('pg_temp.above', '{sex = ''m''}', 'above') AS s, ask('one', '{sex = ''m''}', 'size', 'count') AS n;
-- strata add up, also where they are those of cells
CREATE TEMP TABLE ward_0 AS SELECT * FROM one WHERE ward = 0;
CREATE TEMP TABLE ward_1 AS SELECT * FROM one WHERE ward = 1;
CREATE TEMP TABLE ward_2 AS SELECT * FROM one WHERE ward = 2;
SELECT near(e.estimate, s.estimate) AS estimate, near(e.standard_error, s.standard_error) AS error, near(e.raw, s.raw) AS raw
FROM ask('one', '{age < 25, sex = ''m''}', 'size', strata => '{ward}') AS e, (SELECT sum(a.estimate) AS estimate, sqrt(sum(a.standard_error ^ 2)) AS standard_error, sum(a.raw) AS raw
	FROM unnest('{0,1,2}'::int[]) AS w, ask('pg_temp.ward_' || w, '{age < 25, sex = ''m''}', 'size') AS a) AS s;
SELECT count(*) AS cells, count(*) FILTER (WHERE NOT near(c.estimate, a.estimate) OR NOT near(c.standard_error, a.standard_error)) AS wrong
FROM ask('one', '{age < 25, sex = ''m''}', by => '{ward}', strata => '{ward}') AS c, LATERAL ask('pg_temp.ward_' || (cell->>'ward'), '{age < 25, sex = ''m''}') AS a;
-- missing values: cells of their own, which are known
SELECT cell, estimate, standard_error, raw FROM ask('one', NULL, by => '{sex}') WHERE cell->>'sex' IS NULL;
SELECT count(*) AS cells, near(sum(estimate), 600) AS all_records FROM ask('one', NULL, by => '{sex,size}');
SELECT cell, estimate, standard_error, raw FROM ask('one', '{"age > 20"}', by => '{age}') WHERE cell->>'age' IS NULL;
SELECT cell, estimate, standard_error, raw FROM ask('one', NULL, 'age', 'avg', '{age}') WHERE cell->>'age' IS NULL;
-- nothing is clipped
SELECT bool_or(estimate < 0) AS negative FROM ask('one', '{size > 30}', by => '{region,age,job}') UNION ALL SELECT bool_or(low < 0) FROM sdc_estimate('one', '{region,sex,age,job}', '{size > 38}', draws => 2, by => '{age}');
-- two conditions on one column are one; the order of conditions, columns and probabilities does not matter
SELECT near(a.estimate, b.estimate) AND near(a.standard_error, b.standard_error) AS same FROM ask('one', '{age > 22, sex = ''m'', age < 27}') AS a, ask('one', '{sex = ''m'', (age < 27) AND age > 22 -- between}') AS b;
-- everybody, nobody, one, constants, numbers that are none
SELECT * FROM ask('one', NULL) UNION ALL SELECT * FROM ask('one', '{}', 'size', 'count');
SELECT * FROM ask('one', '{size > 1000}') UNION ALL SELECT * FROM ask('one', '{size > 1000}', 'size', 'avg');
CREATE TABLE few (region text, sex text, age float8, job text, size numeric);
SELECT * FROM ask('few', '{sex = ''m''}', 'size') UNION ALL SELECT * FROM ask('few', NULL, 'age', 'avg') UNION ALL SELECT * FROM ask('few', NULL, by => '{sex}');
INSERT INTO few VALUES ('a', 'm', 'NaN', 'x', 'NaN');
SELECT * FROM ask('few', '{sex = ''m''}') UNION ALL SELECT * FROM ask('few', '{sex = ''m''}', 'size') UNION ALL SELECT * FROM ask('few', NULL, 'age', 'avg') UNION ALL SELECT * FROM ask('few', NULL, by => '{age,size}');
INSERT INTO few SELECT 'a', 'm', 1, 'x', 7 FROM generate_series(1, 9);
SELECT * FROM ask('few', '{sex = ''m'', job = ''x''}', 'size') UNION ALL SELECT * FROM ask('few', '{sex = ''n''}', 'age', 'avg') UNION ALL SELECT * FROM ask('few', NULL, 'age', 'avg', '{sex}');

-- The catalog knows the parameters, for whom may read the source; in the order of the columns.
SELECT a.estimate = b.estimate AND a.standard_error = b.standard_error AS same FROM sdc_estimate('one', conditions => '{age < 25, job = ''x''}') AS a, ask('one', '{age < 25, job = ''x''}') AS b
UNION ALL SELECT a.estimate = b.estimate FROM sdc_estimate('two'::regclass, '{sex,region,job,age}', '{age < 25, job = ''x''}') AS a, ask('two', '{age < 25, job = ''x''}') AS b;
SELECT count(*) FROM sdc_randomize('person', '{age,sex}', probabilities => '{0.8,0.2}', strata => '{ward}', keep => '{region,job,size}', target => 'stratified', seed => 1);
SELECT a.estimate = b.estimate AND a.standard_error = b.standard_error AS same, a.estimate <> c.estimate AS other FROM sdc_estimate('stratified', conditions => '{age < 25}') AS a, sdc_estimate('stratified', '{age,sex}', '{age < 25}', probabilities => '{0.8,0.2}', strata => '{ward}') AS b, sdc_estimate('stratified', conditions => '{age < 25}', strata => '{}') AS c;
CREATE ROLE regress_sdc_analyst;
GRANT USAGE ON SCHEMA guess, helper TO regress_sdc_analyst;
GRANT SELECT ON one, few TO regress_sdc_analyst;
GRANT SELECT (age, sex) ON two TO regress_sdc_analyst;
SET ROLE regress_sdc_analyst;
SELECT raw FROM sdc_estimate('one', '{region,sex,age,job}', '{age < 25}', probabilities => '{0.1,0.2,0.3,0.4}');
\pset tuples_only on
SELECT helper.catch($$SELECT FROM sdc_estimate('one', '{region,sex,age,job}', '{age < 25}')$$);
SELECT helper.catch($$SELECT FROM sdc_estimate('one', conditions => '{age < 25}')$$);
SELECT helper.catch($$SELECT FROM sdc_estimate('few', conditions => '{age < 25}')$$);
SELECT helper.catch($$SELECT FROM sdc_estimate('two', '{region,sex,age,job}', '{age < 25}', draws => 2)$$);
SELECT c, helper.catch(format($$SELECT FROM sdc_estimate('two', '{region,sex,age,job}', %s, draws => 2)$$, c)) FROM unnest(ARRAY[$$'{job = ''x''}'$$, $$by => '{job}'$$, $$measure => 'size'$$, $$strata => '{ward}'$$]) AS c;
SELECT helper.catch($$SELECT FROM sdc_estimate('person', '{sex}', '{age < 25}', draws => 1)$$);
RESET ROLE;
GRANT SELECT (id) ON person TO regress_sdc_analyst;
SET ROLE regress_sdc_analyst;
SELECT helper.catch($$SELECT FROM sdc_estimate('one', conditions => '{age < 25}')$$);
RESET ROLE;
ALTER TABLE person ENABLE ROW LEVEL SECURITY;
SET ROLE regress_sdc_analyst;
SELECT helper.catch($$SELECT FROM sdc_estimate('one', conditions => '{age < 25}')$$);
RESET ROLE;

-- What is refused.
SELECT count(*) FROM sdc_rankswap('few', p => 10, columns => '{age}', keep => '{region,sex,job,size}', target => 'swapped', seed => 1);
SELECT c, helper.catch('SELECT FROM sdc_estimate(' || c || ')') FROM unnest(ARRAY['NULL::text', 'NULL::regclass', $$'nothing'$$, '0::regclass', $$'person_pkey'$$, $$'few'$$, $$'few', '{age}'$$, $$'swapped'$$, $$'one', '{region,sex}'$$, $$'one', '{}', draws => 1$$, $$'one', NULL, draws => 1$$, $$'one', '{age,age}', draws => 1$$, $$'one', '{nothing}', draws => 1$$,
	$$'one', '{age}', draws => 0$$, $$'one', '{age}', draws => 2$$, $$'one', '{age,sex}', probabilities => '{1}'$$, $$'one', '{age,sex}', probabilities => '{0.5,0.6}'$$, $$'one', '{age,sex}', probabilities => '{0.5,NULL}'$$, $$'one', '{age,sex}', probabilities => '{0.5,0.5}', draws => 1$$,
	$$'one', measure => 'nothing'$$, $$'one', measure => 'sex'$$, $$'one', statistic => 'median'$$, $$'one', statistic => 'sum'$$, $$'one', statistic => 'avg'$$, $$'one', by => '{nothing}'$$, $$'one', by => '{age,age}'$$, $$'one', by => '{ctid}'$$, $$'one', strata => '{nothing}'$$, $$'one', strata => '{age}'$$, $$'one', by => '{NULL}'$$,
	$$'one', conditions => '{NULL}'$$, $$'one', conditions => '{{age > 1},{sex = 1}}'$$, $$'one', conditions => '{}', by => '{}'$$]) WITH ORDINALITY AS u (c, i) ORDER BY i;
SELECT c, helper.catch(format('SELECT FROM sdc_estimate(''one'', conditions => ARRAY[%L])', c)) FROM unnest(ARRAY['', 'true', 'age', 'age > 25;', 'age > size', 'age IN (SELECT 1)', 'random() < age', 'age > 1) OR (age < 1', 'max(age) > 1', 'release.sex = ''m''', 'one.sex = ''m''', 'nothing > 1', 'ctid IS NULL', 'release IS NULL', 'age > 1 / 0', 'age / (age - age) > 1']) WITH ORDINALITY AS u (c, i) ORDER BY i;
-- not identifiable: one of the columns was certainly drawn
SELECT c, helper.catch('SELECT FROM sdc_estimate(' || c || ')') FROM unnest(ARRAY[$$'one', '{age,sex}', '{age > 25, sex = ''m''}', probabilities => '{0.4,0.6}'$$, $$'one', '{age,sex}', '{age > 25}', probabilities => '{0.4,0.6}'$$, $$'one', '{age,sex}', '{age > 25}', probabilities => '{0.4,0.6}', by => '{sex}'$$, $$'one', '{age,sex}', '{sex = ''m''}', 'age', probabilities => '{0.4,0.6}'$$, $$'one', '{age,sex}', '{sex = ''m''}', 'age', 'count', '{0.4,0.6}'$$,
	$$'one', '{age}', '{age > 25}', draws => 1$$, $$'one', '{age,sex,job}', '{age > 25, sex = ''m''}', draws => 2$$, $$'one', '{age,sex,job}', '{age > 25}', draws => 2$$, $$'one', '{age,sex}', '{size > 25, ward = 1}', probabilities => '{0.4,0.6}'$$]) WITH ORDINALITY AS u (c, i) ORDER BY i;
-- too much
CREATE TABLE wide AS SELECT array_fill(1, ARRAY[1]) AS none;
SELECT format('ALTER TABLE wide %s', string_agg(format('ADD c%s int DEFAULT 1', i), ', ')) FROM generate_series(1, 40) AS i \gexec
SELECT helper.catch(format('SELECT FROM sdc_estimate(''wide'', %L, %L, draws => 1)', array_agg('c' || i), array_agg(format('c%s = 1', i)) FILTER (WHERE i <= n))) FROM generate_series(1, 40) AS i, unnest('{16,17,33}'::int[]) AS n GROUP BY n ORDER BY n;
SELECT helper.catch(format('SELECT FROM sdc_estimate(''wide'', %L, %L, draws => 1)', '{c40}', array_agg(format('c%s = 1', i)))) FROM generate_series(1, 30) AS i;
SELECT helper.catch($$SELECT FROM sdc_estimate('wide', '{c1}', by => '{none}', draws => 1)$$);
SET maintenance_work_mem = '1MB';
CREATE TABLE many AS SELECT i AS a, i AS b, 1 AS c FROM generate_series(1, 30000) AS i;
SELECT count(*), sum(estimate) FROM sdc_estimate('many', '{c}', by => '{a,b}', draws => 1);
SET work_mem = '64MB'; SET temp_file_limit = '100kB';
SELECT left(helper.catch($$SELECT FROM sdc_estimate('many', '{c}', by => '{a,b}', draws => 1)$$), 5);
SET maintenance_work_mem = '64MB';
SELECT helper.catch($$SELECT FROM sdc_estimate('many', '{c}', by => '{a,b}', draws => 1)$$);
RESET work_mem; RESET temp_file_limit;
-- a function that says it does not write does not; names of others
CREATE FUNCTION sneaky(x int) RETURNS boolean LANGUAGE plpgsql STABLE AS 'BEGIN DELETE FROM guess.few; RETURN true; END';
SELECT helper.catch($$SELECT FROM sdc_estimate('one', conditions => '{sneaky(age)}')$$);
CREATE SCHEMA trap;
CREATE FUNCTION trap.boom(anyelement) RETURNS bigint LANGUAGE plpgsql AS $$BEGIN RAISE 'trapped'; END$$;
CREATE AGGREGATE trap.avg(int) (SFUNC = int4pl, STYPE = int);
CREATE FUNCTION trap.count() RETURNS bigint LANGUAGE plpgsql AS $$BEGIN RAISE 'trapped'; END$$;
CREATE FUNCTION trap.is_two(int, int) RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT $1 OPERATOR(pg_catalog.=) 21';
CREATE OPERATOR trap.= (LEFTARG = int, RIGHTARG = int, FUNCTION = trap.is_two);
CREATE TABLE trap."T"";--" AS SELECT 21 AS "a""; x", 1 AS b FROM generate_series(1, 3);
SET search_path = trap, pg_catalog, guess, public;
SELECT guess.near(raw, (SELECT sum(age) FROM one WHERE age OPERATOR(pg_catalog.=) 21)) FROM sdc_estimate('one', conditions => '{age = 5}', measure => 'age');
SELECT cell, raw FROM sdc_estimate('"T"";--"', ARRAY['b'], ARRAY['"a""; x" = 7'], draws => 1, by => ARRAY['a"; x']);
SET search_path = guess, public;

RESET search_path;
DROP SCHEMA guess, trap CASCADE;
DROP OWNED BY regress_sdc_analyst;
DROP ROLE regress_sdc_analyst;
