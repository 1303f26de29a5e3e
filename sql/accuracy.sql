--
-- accuracy
--
-- Statistics, cells, regressions and how well records can be told apart, of a release and its source: as plain SQL says.
--
\pset format unaligned
\pset footer off
CREATE SCHEMA exact;
SET search_path = exact, public;
SET maintenance_work_mem = '64MB';	-- whatever the server has

-- 300 records by no chance, with ties and missing values; a release that another tool made.
CREATE TABLE person AS
SELECT i AS id, chr(97 + (i * i / 7) % 4) AS region, CASE WHEN i % 11 > 0 THEN chr(109 + (i / 3) % 2) END AS sex, CASE WHEN (i * 7) % 13 > 1 THEN 20 + (i * i) % 29 END AS age,
	((i * 31) % 97)::numeric / 4 AS income, CASE WHEN i % 9 = 0 THEN 'NaN'::float8 ELSE (i * 17) % 40 - 20 END AS gain, date '2000-01-01' + (i * 11) % 60 AS day, 7 AS constant, i % 5 AS ward, json_build_object() AS note
FROM generate_series(1, 300) AS i;
ALTER TABLE person ADD PRIMARY KEY (id);
CREATE TABLE other AS
SELECT id, CASE WHEN id % 10 = 0 THEN 'e' ELSE region END AS region, CASE WHEN id % 7 = 0 THEN 'm' WHEN id % 50 = 1 THEN NULL ELSE sex END AS sex, CASE WHEN id % 6 <> 0 THEN age + id % 3 END AS age, income * (1 + (id % 4) / 10.0) AS income, gain + id % 2 AS gain, day + id % 4 AS day, constant, ward, note
FROM person;
ALTER TABLE other ADD PRIMARY KEY (id);
SELECT sdc_register('person', 'other', '{region,sex,age,income,gain,day,constant}', '{id}');
CREATE FUNCTION near(a float8, b float8) RETURNS boolean LANGUAGE sql AS $$ SELECT coalesce(abs(a - b) <= 1e-9 * (abs(b) + 1), a IS NULL AND b IS NULL) $$;
CREATE FUNCTION error(a float8, b float8) RETURNS float8 LANGUAGE sql AS $$ SELECT abs(a - b) / nullif(abs(a), 0) $$;

--
-- Statistics
--
CREATE VIEW both_files AS SELECT 0 AS file, p.* FROM person AS p UNION ALL SELECT 1, o.* FROM other AS o;
CREATE FUNCTION numbers(col name) RETURNS TABLE (file int, x float8) LANGUAGE plpgsql AS $$
BEGIN
	RETURN QUERY EXECUTE format('SELECT file, nullif((%s)::float8, ''NaN'') FROM exact.both_files', CASE col WHEN 'day' THEN 'day - date ''2000-01-01''' ELSE quote_ident(col) END);
END $$;
CREATE FUNCTION described(col name) RETURNS TABLE (statistic text, original float8, protected float8) LANGUAGE sql AS $$
	WITH d AS (SELECT file, v.* FROM (SELECT file, avg(x) AS mean, stddev(x) AS sd, count(x) AS n, percentile_cont('{0.05,0.25,0.5,0.75,0.95}'::float8[]) WITHIN GROUP (ORDER BY x) AS p FROM numbers(col) GROUP BY file) AS s,
		LATERAL (VALUES ('mean', mean), ('sd', sd), ('p05', p[1]), ('p25', p[2]), ('median', p[3]), ('p75', p[4]), ('p95', p[5])) AS v (statistic, value))
	SELECT a.statistic, a.value, b.value FROM d AS a JOIN d AS b USING (statistic) WHERE a.file = 0 AND b.file = 1 $$;
CREATE FUNCTION apart(col name) RETURNS TABLE (ks float8, hellinger float8) LANGUAGE plpgsql AS $$
BEGIN
	RETURN QUERY EXECUTE format('WITH c AS (SELECT %1$I AS v, count(*) FILTER (WHERE file = 0) / 300.0 AS p, count(*) FILTER (WHERE file = 1) / 300.0 AS q FROM exact.both_files GROUP BY 1)
		SELECT (SELECT max(abs(d)) FROM (SELECT sum(p - q) OVER (ORDER BY v) AS d FROM c) AS f)::float8, sqrt(greatest(1 - (SELECT sum(sqrt(p * q)) FROM c), 0))::float8', col);
END $$;
SELECT attribute, count(*), bool_and(near(s.original, d.original)) AS original, bool_and(near(s.protected, d.protected)) AS protected,
	bool_and(near(s.relative_error, CASE WHEN attribute <> 'day' OR s.statistic = 'sd' THEN error(d.original, d.protected) END)) AS error,
	bool_and(near(s.standard_error, CASE s.statistic WHEN 'mean' THEN (SELECT stddev(x) / sqrt(count(x)) FROM numbers(attribute) WHERE file = 0) END)) AS standard_error
FROM sdc_statistic_errors('other') AS s, LATERAL described(attribute) AS d WHERE attribute NOT IN ('region', 'sex') AND d.statistic = s.statistic GROUP BY attribute ORDER BY attribute;
SELECT attribute, bool_and(s.original = 0 AND abs(s.protected - CASE s.statistic WHEN 'ks' THEN a.ks ELSE a.hellinger END) < 1e-7 AND relative_error IS NULL AND standard_error IS NULL) AS as_counted, count(*)
FROM sdc_statistic_errors('other') AS s, LATERAL apart(attribute) AS a WHERE s.statistic IN ('ks', 'hellinger') GROUP BY attribute ORDER BY attribute;
SELECT string_agg(DISTINCT attribute, ' ' ORDER BY attribute) AS attributes, count(*) FROM sdc_statistic_errors('other');
-- a swap keeps everything, copied columns are compared too
SELECT count(*) FROM sdc_rankswap('person', p => 10, columns => '{age,income,gain}', omit => '{note,day}', target => 'swapped', seed => 1);
SELECT statistic, count(*), max(relative_error), bool_and(original IS NOT DISTINCT FROM protected) AS same FROM sdc_statistic_errors('swapped') GROUP BY statistic ORDER BY statistic;

--
-- Cells
--
CREATE FUNCTION cells(names text, m text) RETURNS TABLE (cell jsonb, statistic text, original float8, protected float8, overlap float8, state text) LANGUAGE plpgsql AS $$
BEGIN
	RETURN QUERY EXECUTE format($q$
		WITH g AS (SELECT file, jsonb_object(%1$L::text[], ARRAY[%2$s]) AS cell, count(*) AS n, count(nullif(%3$s::float8, 'NaN')) AS k, coalesce(sum(nullif(%3$s::float8, 'NaN')), 0) AS s, avg(nullif(%3$s::float8, 'NaN')) AS m, stddev(nullif(%3$s::float8, 'NaN')) AS d FROM exact.both_files GROUP BY file, 2),
		j AS (SELECT coalesce(a.cell, b.cell) AS cell, CASE WHEN a.cell IS NULL THEN 'artificial' WHEN b.cell IS NULL THEN 'lost' ELSE 'both' END AS state, coalesce(a.n, 0) AS n, coalesce(b.n, 0) AS n_, coalesce(a.s, 0) AS s, coalesce(b.s, 0) AS s_, a.m, b.m AS m_,
			1.959964 * a.d / sqrt(nullif(a.k, 0)) AS w, 1.959964 * b.d / sqrt(nullif(b.k, 0)) AS w_ FROM (SELECT * FROM g WHERE file = 0) AS a FULL JOIN (SELECT * FROM g WHERE file = 1) AS b ON a.cell = b.cell)
		SELECT cell, v.s, v.o, v.p, v.l, state FROM j, LATERAL (VALUES ('count', n::float8, n_::float8, NULL::float8), ('sum', j.s, s_, NULL), ('avg', m, m_, CASE WHEN w = 0 AND w_ = 0 AND m = m_ THEN 1 WHEN w > 0 AND w_ > 0 THEN (least(m + w, m_ + w_) - greatest(m - w, m_ - w_)) * (1 / w + 1 / w_) / 4 END)) AS v (s, o, p, l)$q$,
		string_to_array(names, ','), (SELECT string_agg(n || '::text', ',') FROM unnest(string_to_array(names, ',')) AS n), m);
END $$;
SELECT b, m, count(*) AS rows, count(*) FILTER (WHERE c.state = 'lost') AS lost, count(*) FILTER (WHERE c.state = 'artificial') AS artificial, count(*) FILTER (WHERE c.state IS DISTINCT FROM e.state OR NOT near(c.original, e.original) OR NOT near(c.protected, e.protected) OR NOT near(c.overlap, e.overlap) OR NOT near(c.relative_error, error(e.original, e.protected))) AS wrong
FROM (VALUES ('region', 'income'), ('sex,region', 'gain'), ('age', 'income'), ('ward', 'ward'), ('sex,ward,age', 'age'), ('constant', 'constant')) AS v (b, m),
	LATERAL sdc_cell_errors('other', string_to_array(b, ',')::name[], m::name) AS c FULL JOIN LATERAL cells(b, m) AS e USING (cell, statistic) GROUP BY b, m ORDER BY b, m;
SELECT cell, original, protected, relative_error, state FROM sdc_cell_errors('other', '{region}');
SELECT count(*) AS cells, bool_and(statistic = 'count') AS counts FROM sdc_cell_errors('other', '{day,sex}');
-- cells come in their order, missing values last
SELECT string_agg(coalesce(cell->>'age', '-'), ' ' ORDER BY n) = (SELECT string_agg(coalesce(age::text, '-'), ' ' ORDER BY age) FROM (SELECT DISTINCT age FROM both_files) AS a) AS in_order FROM sdc_cell_errors('other', '{age}') WITH ORDINALITY AS c (cell, statistic, original, protected, relative_error, overlap, state, n);

--
-- Regression
--
-- y on a and b in closed form, of the records with all values
CREATE FUNCTION plane(f int, y text, a text, b text) RETURNS TABLE (term text, estimate float8, standard_error float8) LANGUAGE plpgsql AS $$
BEGIN
	RETURN QUERY EXECUTE format($q$
		WITH r AS (SELECT nullif(%1$s::float8, 'NaN') AS y, nullif(%2$s::float8, 'NaN') AS a, nullif(%3$s::float8, 'NaN') AS b FROM exact.both_files WHERE file = %4$s), c AS (SELECT * FROM r WHERE y IS NOT NULL AND a IS NOT NULL AND b IS NOT NULL),
		s AS (SELECT count(*) AS n, avg(y) AS my, avg(a) AS ma, avg(b) AS mb, regr_sxx(y, a) AS aa, regr_sxx(y, b) AS bb, regr_sxy(a, b) AS ab, regr_sxy(y, a) AS ya, regr_sxy(y, b) AS yb, regr_syy(y, a) AS yy FROM c),
		k AS (SELECT *, (ya * bb - yb * ab) / (aa * bb - ab * ab) AS ka, (yb * aa - ya * ab) / (aa * bb - ab * ab) AS kb FROM s), e AS (SELECT *, (yy - ka * ya - kb * yb) / (n - 3) AS v, aa * bb - ab * ab AS det FROM k)
		SELECT t.* FROM e, LATERAL (VALUES ('(intercept)', my - ka * ma - kb * mb, sqrt(v * (1.0 / n + (ma * ma * bb - 2 * ma * mb * ab + mb * mb * aa) / det))), (%5$L, ka, sqrt(v * bb / det)), (%6$L, kb, sqrt(v * aa / det))) AS t$q$, y, a, b, f, a, b);
END $$;
SELECT v.y, v.a, v.b, bool_and(near(r.original, o.estimate) AND near(r.original_error, o.standard_error)) AS original, bool_and(near(r.protected, p.estimate) AND near(r.protected_error, p.standard_error)) AS protected, bool_and(near(r.relative_error, error(o.estimate, p.estimate))) AS error,
	bool_and(near(r.overlap, (least(o.estimate + 1.959964 * o.standard_error, p.estimate + 1.959964 * p.standard_error) - greatest(o.estimate - 1.959964 * o.standard_error, p.estimate - 1.959964 * p.standard_error)) * (1 / o.standard_error + 1 / p.standard_error) / (4 * 1.959964))) AS overlap, string_agg(r.term, ' ' ORDER BY i) AS terms
FROM (VALUES ('income', 'age', 'gain'), ('gain', 'income', 'ward'), ('age', 'gain', 'income')) AS v (y, a, b), LATERAL sdc_regression_errors('other', v.y::name, ARRAY[v.a, v.b]::name[]) WITH ORDINALITY AS r (term, original, original_error, protected, protected_error, relative_error, overlap, i),
	LATERAL plane(0, v.y, v.a, v.b) AS o, LATERAL plane(1, v.y, v.a, v.b) AS p WHERE o.term = r.term AND p.term = r.term GROUP BY v.y, v.a, v.b ORDER BY v.y;
SELECT term, near(original, CASE term WHEN 'day' THEN slope ELSE cut END) AS as_sql FROM sdc_regression_errors('other', 'income', '{day}'), (SELECT regr_slope(income, day - date '2000-01-01') AS slope, regr_intercept(income, day - date '2000-01-01') AS cut FROM person) AS s;
-- columns that depend on those before are left out, constants too
SELECT term, original IS NULL AS o, original_error IS NULL AS oe, protected IS NULL AS p, overlap IS NULL AS l FROM sdc_regression_errors('other', 'gain', '{constant,ward}');

--
-- Distinguishability
--
-- of nominal columns with their pairs: the shares of released records among those that agree; of one column of numbers: the correlation
CREATE FUNCTION shares(names text) RETURNS TABLE (r2 float8, cells bigint) LANGUAGE plpgsql AS $$
BEGIN
	RETURN QUERY EXECUTE format('SELECT (sum(n * (z - 0.5) ^ 2) / (600 * 0.25))::float8, count(*) FROM (SELECT count(*) AS n, avg(file) AS z FROM exact.both_files GROUP BY %s) AS g', names);
END $$;
SELECT c, near(d.r2, s.r2) AS r2, near(d.pmse, s.r2 / 4) AS pmse, d.rank = s.cells - 1 AS rank, near(d.chance, (s.cells - 1) / 599.0) AS chance
FROM unnest('{"region","sex","sex,region","region,sex"}'::text[]) AS c, LATERAL sdc_distinguishability('other', string_to_array(c, ',')::name[]) AS d, LATERAL shares(c) AS s;
SELECT c, near(d.r2, r) AS r2, d.rank FROM unnest('{income,day,ward}'::name[]) AS c, LATERAL sdc_distinguishability('other', ARRAY[c]) AS d, LATERAL (SELECT coalesce(corr(x, file) ^ 2, 0) FROM numbers(c)) AS s (r);
-- a missing number is 0 and has an indicator; two columns of numbers
SELECT near(d.r2, (ra * ra + rb * rb - 2 * ra * rb * ab) / (1 - ab * ab)) AS r2, d.rank
FROM sdc_distinguishability('other', '{age}') AS d, LATERAL (SELECT corr(file, coalesce(x - m, 0)) AS ra, corr(file, (x IS NULL)::int) AS rb, corr(coalesce(x - m, 0), (x IS NULL)::int) AS ab FROM numbers('age'), (SELECT avg(x) AS m FROM numbers('age')) AS a) AS s
UNION ALL SELECT near(d.r2, (ra * ra + rb * rb - 2 * ra * rb * ab) / (1 - ab * ab)), d.rank FROM sdc_distinguishability('other', '{income,ward}', false) AS d, (SELECT corr(file, income) AS ra, corr(file, ward) AS rb, corr(income, ward) AS ab FROM both_files) AS s;
-- swaps keep main effects, and not pairs; a copy cannot be told
SELECT a.r2 < 1e-12 AS main, b.r2 > 0.001 AS pairs, b.rank, b.r2 < 2 * b.chance AS chance FROM sdc_distinguishability('swapped', pairs => false) AS a, sdc_distinguishability('swapped') AS b;
CREATE TABLE same AS TABLE person;
ALTER TABLE same ADD PRIMARY KEY (id);
SELECT sdc_register('person', 'same', '{region,age,income}', '{id}');
SELECT r2 < 1e-12 AS r2, pmse < 1e-12 AS pmse, rank FROM sdc_distinguishability('same', '{region,age,income,gain}');
SELECT max(relative_error), min(overlap), max(overlap) FROM sdc_regression_errors('same', 'income', '{age,gain}');
SELECT max(relative_error), bool_and(overlap = 1) FROM sdc_cell_errors('same', '{region,sex}', 'income');

-- One record, none.
CREATE TABLE one (id int PRIMARY KEY, a float8, b text, c int);
CREATE TABLE one_copy (LIKE one INCLUDING ALL);
SELECT sdc_register('one', 'one_copy', '{a,b}', '{id}');
SELECT * FROM sdc_statistic_errors('one_copy') WHERE attribute <> 'c';
SELECT * FROM sdc_cell_errors('one_copy', '{b}', 'a');
SELECT * FROM sdc_regression_errors('one_copy', 'a', '{c}');
SELECT * FROM sdc_distinguishability('one_copy');
INSERT INTO one VALUES (1, 2, 'x', NULL);
INSERT INTO one_copy VALUES (1, 3, NULL, NULL);
SELECT sdc_register('one', 'one_copy', '{a,b}', '{id}');
SELECT * FROM sdc_statistic_errors('one_copy');
SELECT * FROM sdc_cell_errors('one_copy', '{b}', 'a');
SELECT * FROM sdc_cell_errors('one_copy', '{c}', 'c');
SELECT * FROM sdc_regression_errors('one_copy', 'a', '{c}');
SELECT r2, pmse, rank, chance FROM sdc_distinguishability('one_copy');

-- Generalized columns have no values, the others are compared.
SELECT count(*) FROM sdc_generalize('person', '{age,region}', k => 20, omit => '{note,day}', target => 'ranges');
SELECT string_agg(DISTINCT attribute, ' ' ORDER BY attribute) AS attributes, max(relative_error) FROM sdc_statistic_errors('ranges');
SELECT sum(original) FROM sdc_cell_errors('ranges', '{sex}', 'income') WHERE statistic = 'count';

\pset tuples_only on
-- What is refused.
SELECT c, helper.catch('SELECT FROM sdc_' || c) FROM unnest(ARRAY[$$statistic_errors(NULL)$$, $$statistic_errors('person')$$, $$statistic_errors(0)$$, $$cell_errors(NULL, '{sex}')$$, $$cell_errors('other', NULL)$$, $$cell_errors('other', '{}')$$, $$cell_errors('other', '{nothing}')$$, $$cell_errors('other', '{id}')$$, $$cell_errors('other', '{sex,sex}')$$, $$cell_errors('other', '{note}')$$, $$cell_errors('other', '{sex}', 'region')$$, $$cell_errors('other', '{sex}', 'day')$$, $$cell_errors('other', '{sex}', 'nothing')$$, $$cell_errors('other', '{sex}', 'id')$$, $$cell_errors('ranges', '{age}')$$, $$cell_errors('ranges', '{sex}', 'age')$$, $$cell_errors('swapped', '{day}')$$,
	$$regression_errors('other', NULL, '{age}')$$, $$regression_errors('other', 'age', NULL)$$, $$regression_errors('other', 'age', '{}')$$, $$regression_errors('other', 'age', '{age}')$$, $$regression_errors('other', 'sex', '{age}')$$, $$regression_errors('other', 'age', '{sex}')$$, $$regression_errors('other', 'nothing', '{age}')$$, $$regression_errors('other', 'age', '{nothing}')$$, $$regression_errors('other', 'age', '{ctid}')$$,
	$$distinguishability('other', '{}')$$, $$distinguishability('other', pairs => NULL)$$, $$distinguishability('other', '{id}')$$, $$distinguishability('other', '{nothing}')$$]) WITH ORDINALITY AS u (c, i) ORDER BY i;
CREATE TABLE wide AS SELECT i AS id, 'value ' || i AS a, 'value ' || i % 50 AS b, 'value ' || i % 49 AS c FROM generate_series(1, 30000) AS i;
ALTER TABLE wide ADD PRIMARY KEY (id);
CREATE TABLE wide_copy AS TABLE wide;
SELECT sdc_register('wide', 'wide_copy', '{a}', '{id}');
SELECT c, helper.catch(format('SELECT FROM sdc_distinguishability(''wide_copy'', %s)', c)) FROM unnest(ARRAY[$$'{a}'$$, $$'{b,c}'$$, $$'{b,c}', false$$]) AS c;
-- what does not fit into memory is in temporary files
CREATE TABLE much AS SELECT c, md5(query_to_xml('SELECT * FROM sdc_' || c, true, true, '')::text) AS found FROM unnest(ARRAY[$$statistic_errors('wide_copy')$$, $$cell_errors('wide_copy', '{a,b,c}')$$, $$distinguishability('wide_copy', '{b,c}', false)$$]) AS c;
SET maintenance_work_mem = '1MB';
SELECT c, found = md5(query_to_xml('SELECT * FROM sdc_' || c, true, true, '')::text) AS same FROM much ORDER BY c COLLATE "C";
SET maintenance_work_mem = '64MB';
-- a source that has changed, also in a column that was copied
BEGIN;
UPDATE person SET ward = 9 WHERE id = 7;
SELECT helper.catch($$SELECT FROM sdc_cell_errors('swapped', '{ward}')$$);
SELECT helper.catch($$SELECT FROM sdc_cell_errors('swapped', '{sex}')$$);
UPDATE person SET age = 99 WHERE id = 7;
SELECT helper.catch($$SELECT FROM sdc_cell_errors('swapped', '{sex}')$$);
ROLLBACK;
-- both must be readable
CREATE ROLE regress_sdc_reader;
GRANT USAGE ON SCHEMA exact, helper TO regress_sdc_reader;
GRANT SELECT ON other TO regress_sdc_reader;
SET ROLE regress_sdc_reader;
SELECT c, helper.catch('SELECT FROM sdc_' || c) FROM unnest(ARRAY[$$statistic_errors('other')$$, $$cell_errors('other', '{sex}')$$, $$regression_errors('other', 'age', '{income}')$$, $$distinguishability('other')$$]) AS c;
RESET ROLE;
GRANT SELECT (id, region, sex, age, income, gain, day, constant) ON person TO regress_sdc_reader;
SET ROLE regress_sdc_reader;
SELECT c, helper.catch('SELECT FROM sdc_' || c) FROM unnest(ARRAY[$$statistic_errors('other')$$, $$cell_errors('other', '{sex}')$$, $$cell_errors('other', '{ward}')$$, $$regression_errors('other', 'age', '{income}')$$, $$distinguishability('other', '{age,sex}')$$]) AS c;
RESET ROLE;

RESET search_path;
DROP SCHEMA exact CASCADE;
DROP OWNED BY regress_sdc_reader;
DROP ROLE regress_sdc_reader;
