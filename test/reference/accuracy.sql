-- accuracy.sql
--		Accuracy for the analyst on Census and Adult: regressions, cells, distinguishability, statistics.
--
-- The coefficients are exact.  The errors after rank swapping and random anonymization are compared with the
-- means of an independent implementation, of three seeds or of one file, within tolerances that are stated: they
-- differ between seeds.  Plain SQL is the other witness.

\ir lib/check.sql

CREATE FUNCTION pg_temp.near_ok(found float8, expected float8, tolerance float8, name text)
RETURNS text LANGUAGE sql AS $$
	SELECT pg_temp.ok(abs(found - expected) <= tolerance, format('%s: %s within %s', name, expected, tolerance), found::text)
$$;

\set explained '''{agi,emcontrb,statetax,intval}''::name[]'
\set qi '''{education,race,sex,workclass,marital_status,age,relationship,native_country,salary}''::name[]'

-- p = 100: the windows reach everywhere
CREATE TABLE sdc_check.setting (p float8 PRIMARY KEY, error float8, error_off float8, overlap float8, overlap_off float8, r2 float8, r2_off float8);
INSERT INTO sdc_check.setting VALUES (1, 0.05, 0.04, 0.89, 0.10, 0.010, 0.003), (2, 0.05, 0.04, 0.92, 0.15, NULL, NULL), (5, 0.13, 0.08, 0.52, 0.25, 0.024, 0.005), (10, 0.34, 0.15, -0.40, 0.50, 0.034, 0.006),
	(20, 0.67, 0.25, -2.27, 0.70, 0.054, 0.010), (50, 1.26, 0.35, -6.88, 1.00, 0.244, 0.025), (100, NULL, NULL, NULL, NULL, 0.397, 0.025);
CREATE TABLE sdc_check.swapped (p float8, seed int, release regclass);
DO $$
DECLARE
	s int;
	width float8;
BEGIN
	FOR s IN 1 .. 3 LOOP
		FOR width IN SELECT p FROM sdc_check.setting LOOP
			PERFORM sdc_rankswap('ref.census', p => width, target => format('sdc_check.c_%s_%s', width, s), seed => s);
			INSERT INTO sdc_check.swapped VALUES (width, s, format('sdc_check.c_%s_%s', width, s));
		END LOOP;
	END LOOP;
END $$;

--
-- Regression of fedtax
--
CREATE TABLE sdc_check.fitted AS SELECT s.p, s.seed, r.* FROM sdc_check.swapped AS s, LATERAL sdc_regression_errors(s.release, 'fedtax', :explained) AS r;
SELECT pg_temp.ok(count(*) = 21 AND bool_and(abs(f.original / e.estimate - 1) < 2e-8 AND abs(f.original_error / e.error - 1) < 2e-8), format('regression: %s is %s with a standard error of %s', e.term, e.estimate, e.error), min(f.original)::text || ' ' || min(f.original_error))
FROM (VALUES ('(intercept)', -2364.01295, 125.788687), ('agi', 0.176185191, 0.00321436912), ('emcontrb', -0.275692764, 0.0373198265), ('statetax', 0.282750868, 0.0393667543), ('intval', 0.100960440, 0.0122874316)) AS e (term, estimate, error)
JOIN sdc_check.fitted AS f USING (term) GROUP BY e.term, e.estimate, e.error;
SELECT pg_temp.near_ok(avg(f.relative_error), s.error, s.error_off, format('regression, p = %s: mean relative error of the coefficients', p))
FROM sdc_check.fitted AS f JOIN sdc_check.setting AS s USING (p) WHERE s.error IS NOT NULL GROUP BY p, s.error, s.error_off ORDER BY p;
SELECT pg_temp.near_ok(avg(f.overlap), s.overlap, s.overlap_off, format('regression, p = %s: overlap of agi', p))
FROM sdc_check.fitted AS f JOIN sdc_check.setting AS s USING (p) WHERE s.overlap IS NOT NULL AND term = 'agi' GROUP BY p, s.overlap, s.overlap_off ORDER BY p;
-- what is left explains nothing: the residuals of the release add up to 0 with every column
SELECT pg_temp.ok(bool_and(abs(dot) < 1e-7 * size), 'regression: residuals of the release are orthogonal to its columns', max(abs(dot) / size)::text)
FROM (SELECT r.v, sum(e.rest * r.x) AS dot, sqrt(sum(e.rest ^ 2) * sum(r.x ^ 2)) AS size
	FROM (SELECT max(protected) FILTER (WHERE term = '(intercept)') AS c, max(protected) FILTER (WHERE term = 'agi') AS a, max(protected) FILTER (WHERE term = 'emcontrb') AS e, max(protected) FILTER (WHERE term = 'statetax') AS s, max(protected) FILTER (WHERE term = 'intval') AS i FROM sdc_check.fitted WHERE p = 10 AND seed = 1) AS k,
	sdc_check.c_10_1 AS t, LATERAL (SELECT t.fedtax - k.c - k.a * t.agi - k.e * t.emcontrb - k.s * t.statetax - k.i * t.intval) AS e (rest), LATERAL (VALUES (0, 1::float8), (1, t.agi), (2, t.emcontrb), (3, t.statetax), (4, t.intval)) AS r (v, x) GROUP BY r.v) AS d;

--
-- Cells of Adult, age by education
--
CREATE TABLE sdc_check.cells AS
SELECT 0::float8 AS p, 0 AS seed, NULL::text AS statistic, NULL::float8 AS relative_error, NULL::float8 AS overlap WHERE false;
DO $$
DECLARE
	s int;
	width float8;
BEGIN
	FOR s IN 1 .. 3 LOOP
		FOREACH width IN ARRAY '{5,20,100}'::float8[] LOOP
			PERFORM sdc_rankswap('ref.adult', p => width, columns => '{age}', target => 'sdc_check.aged', seed => s, replace => width > 5 OR s > 1);
			INSERT INTO sdc_check.cells SELECT width, s, c.statistic, c.relative_error, c.overlap FROM sdc_cell_errors('sdc_check.aged', '{education}', 'age') AS c;
		END LOOP;
	END LOOP;
END $$;
SELECT pg_temp.near_ok(avg(c.relative_error), e.error, e.error_off, format('cells, p = %s: mean relative error of the average age by education', p)) || E'\n' || pg_temp.near_ok(avg(c.overlap), e.overlap, e.overlap_off, format('cells, p = %s: mean overlap', p))
FROM sdc_check.cells AS c JOIN (VALUES (5::float8, 0.0045, 0.002, 0.93, 0.04), (20, 0.0156, 0.004, 0.70, 0.08), (100, 0.0999, 0.01, -0.93, 0.25)) AS e (p, error, error_off, overlap, overlap_off) USING (p)
WHERE statistic = 'avg' GROUP BY p, e.error, e.error_off, e.overlap, e.overlap_off ORDER BY p;
SELECT pg_temp.ok(count(*) = 144 AND max(relative_error) = 0, 'cells: counts of copied columns are as they were', count(*)::text) FROM sdc_check.cells WHERE statistic = 'count';
WITH o AS (SELECT education, marital_status, count(*) AS n, sum(age)::float8 AS s, avg(age)::float8 AS m, stddev(age)::float8 AS d FROM ref.adult GROUP BY 1, 2), r AS (SELECT education, marital_status, count(*) AS n, sum(age)::float8 AS s, avg(age)::float8 AS m, stddev(age)::float8 AS d FROM sdc_check.aged GROUP BY 1, 2),
	w AS (SELECT education, marital_status, o.n, r.n AS n_, o.s, r.s AS s_, o.m, r.m AS m_, 1.959964 * o.d / sqrt(o.n) AS w, 1.959964 * r.d / sqrt(r.n) AS w_ FROM o JOIN r USING (education, marital_status))
SELECT pg_temp.ok(count(*) = (SELECT 3 * count(*) FROM w) AND bool_and(c.state = 'both' AND abs(c.original - v.a) <= 1e-9 * v.a AND abs(c.protected - v.b) <= 1e-9 * v.b AND coalesce(abs(c.relative_error - abs(v.a - v.b) / v.a) < 1e-9, false)
	AND CASE WHEN c.statistic = 'avg' AND w > 0 AND w_ > 0 THEN abs(c.overlap - (least(m + w, m_ + w_) - greatest(m - w, m_ - w_)) * (1 / w + 1 / w_) / 4) < 1e-9 ELSE c.statistic = 'avg' OR c.overlap IS NULL END), 'cells: as in plain SQL', count(*)::text)
FROM w, LATERAL (VALUES ('count', n::float8, n_::float8), ('sum', s, s_), ('avg', m, m_)) AS v (statistic, a, b) JOIN sdc_cell_errors('sdc_check.aged', '{education,marital_status}', 'age') AS c ON c.statistic = v.statistic WHERE c.cell = jsonb_build_object('education', education, 'marital_status', marital_status);

--
-- Distinguishability
--
CREATE TABLE sdc_check.told AS SELECT s.p, s.seed, d.*, m.r2 AS main FROM sdc_check.swapped AS s, LATERAL sdc_distinguishability(s.release) AS d, LATERAL sdc_distinguishability(s.release, pairs => false) AS m;
SELECT pg_temp.near_ok(avg(t.r2), s.r2, s.r2_off, format('distinguishability, p = %s: R2', p)) FROM sdc_check.told AS t JOIN sdc_check.setting AS s USING (p) WHERE s.r2 IS NOT NULL GROUP BY p, s.r2, s.r2_off ORDER BY p;
SELECT pg_temp.ok(bool_and(abs(chance - 0.042) < 0.0005 AND rank = 91 AND abs(pmse - r2 / 4) < 1e-15), 'distinguishability of 13 columns: 91 features, by chance 0.042', max(chance)::text || ' ' || max(rank)) FROM sdc_check.told;
SELECT pg_temp.ok(max(main) < 1e-12, 'distinguishability: main effects of a swap tell nothing', max(main)::text) FROM sdc_check.told;
SELECT count(*) FROM sdc_randomize('ref.adult', :qi, target => 'sdc_check.optimal', seed => 1)
\gset none_
SELECT count(*) FROM sdc_randomize('ref.adult', :qi, probabilities => array_fill(1 / 9.0::float8, ARRAY[9]), target => 'sdc_check.uniform', seed => 1)
\gset none_
SELECT count(*) FROM sdc_randomize('ref.adult', :qi, draws => 5, target => 'sdc_check.five', seed => 1)
\gset none_
SELECT pg_temp.near_ok(d.r2, e.r2, e.off, format('distinguishability, Adult, %s', release)) || E'\n' || pg_temp.near_ok(d.chance, 0.002, 0.0005, format('distinguishability, Adult, %s: by chance', release))
FROM (VALUES ('sdc_check.optimal'::regclass, 0.00825, 0.001), ('sdc_check.uniform', 0.0261, 0.002), ('sdc_check.five', 0.148, 0.006)) AS e (release, r2, off), LATERAL sdc_distinguishability(release, '{sex,salary,race,workclass,relationship}') AS d;
-- two columns with pairs: the share of released records among those that agree
SELECT pg_temp.ok(abs(d.r2 - s.r2) < 1e-9 AND d.rank = s.cells - 1, 'distinguishability of two columns: as in plain SQL', d.r2::text || ' ' || s.r2)
FROM sdc_distinguishability('sdc_check.five', '{sex,race}') AS d, (SELECT sum(n * (z - 0.5) ^ 2) / (60324 * 0.25) AS r2, count(*) AS cells FROM (SELECT count(*) AS n, avg(file)::float8 AS z FROM (SELECT 0 AS file, sex, race FROM ref.adult UNION ALL SELECT 1, sex, race FROM sdc_check.five) AS f GROUP BY sex, race) AS g) AS s;

--
-- Statistics
--
SELECT pg_temp.ok(count(*) = 13 * 9 AND bool_and(CASE WHEN statistic IN ('ks', 'hellinger') THEN protected = 0 ELSE relative_error < 1e-12 END), 'statistics: a swap keeps all of them', count(*)::text) FROM sdc_statistic_errors('sdc_check.c_20_1');
SELECT pg_temp.ok(count(*) = 8 AND bool_and(abs(s.protected - v.x) <= 1e-9 * v.x), 'statistics of a randomized column: as in plain SQL', string_agg(s.statistic || ' ' || s.protected || ' ' || v.x, ', '))
FROM (SELECT avg(age) AS m, stddev(age) AS d, percentile_cont('{0.05,0.25,0.5,0.75,0.95}'::float8[]) WITHIN GROUP (ORDER BY age) AS q FROM sdc_check.five) AS p, (SELECT max(abs(d)) AS ks FROM (SELECT sum(n) OVER (ORDER BY age) / 30162.0 AS d FROM (SELECT age, sum(n) AS n FROM (SELECT age, 1 AS n FROM ref.adult UNION ALL SELECT age, -1 FROM sdc_check.five) AS f GROUP BY age) AS g) AS h) AS k,
	LATERAL (VALUES ('mean', m::float8), ('sd', d::float8), ('p05', q[1]), ('p25', q[2]), ('median', q[3]), ('p75', q[4]), ('p95', q[5]), ('ks', ks::float8)) AS v (statistic, x) JOIN sdc_statistic_errors('sdc_check.five') AS s ON s.statistic = v.statistic WHERE s.attribute = 'age';

\ir lib/finish.sql
