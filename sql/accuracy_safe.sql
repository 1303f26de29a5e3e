--
-- accuracy_safe
--
-- The figures beside a publication show no record of the source: by their definition, in plain SQL; by brute force, for
-- every method; and by attacks of somebody who knows all other records, and many publications.
--
SET max_parallel_workers_per_gather = 0;	-- hundreds of small queries
CREATE SCHEMA safe;
SET search_path = safe, public;
SET maintenance_work_mem = '64MB';
\pset format unaligned
\pset tuples_only on

--
-- The definition
--
-- files below 60,000 records have a grain of 5; a rounding is the least of 1, 2, 5 times a power of ten
CREATE FUNCTION ladder(at_least float8) RETURNS float8 LANGUAGE sql AS $$
	SELECT min(r * p) FROM unnest('{1,2,5}'::numeric[]) AS r, (SELECT 10 ^ e::numeric FROM generate_series(-3, 3) AS e) AS t (p) WHERE r * p >= greatest(at_least, 0.001) - 1e-10 $$;
CREATE FUNCTION nearest(x float8, step float8) RETURNS float8 LANGUAGE sql AS $$ SELECT floor(x / step + 0.5) * step $$;
CREATE FUNCTION told(value float8, move float8, OUT rounding float8, OUT figure float8) LANGUAGE sql AS $$
	SELECT g, CASE WHEN g <= 0.1 THEN floor(value / g + 0.5) * g END FROM ladder(move) AS g $$;
CREATE FUNCTION near(a float8, b float8) RETURNS boolean LANGUAGE sql AS $$ SELECT coalesce(abs(a - b) < 1e-9, a IS NULL AND b IS NULL) $$;
-- the values of a column of two tables, as numbers
CREATE FUNCTION numbers(source text, release text, col text, OUT original float8[], OUT released float8[]) LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('SELECT array_agg((s.%1$s)::float8 ORDER BY id), array_agg((r.%1$s)::float8 ORDER BY id) FROM %2$s AS s JOIN %3$s AS r USING (id)',
		CASE col WHEN 'born' THEN 'born - date ''2000-01-01''' ELSE quote_ident(col) END, source, release) INTO original, released;
END $$;

-- mean and deviation: sums over the places between the ends, which are those of the release, rounded outwards
CREATE FUNCTION spread(original float8[], released float8[]) RETURNS TABLE (measure text, rounding float8, figure float8) LANGUAGE sql AS $$
	WITH range AS (SELECT min(x) AS a, max(x) AS b FROM unnest(released) AS x),
	unit AS (SELECT a, b, 2::float8 ^ floor(log(2::numeric, ((b - a) / 4)::numeric)) AS u FROM range),
	ends AS (SELECT floor(a / u) * u AS low, ceil(b / u) * u AS high FROM (SELECT a, b, CASE WHEN u >= (b - a) / 4 THEN u / 2 ELSE u END AS u FROM unit) AS t),
	places AS (SELECT f, 2 * (least(greatest(x, low), high) - low) / (high - low) - 1 AS u FROM ends, (SELECT 0 AS f, x FROM unnest(original) AS x UNION ALL SELECT 1, x FROM unnest(released) AS x) AS v WHERE x IS NOT NULL),
	sums AS (SELECT f, nearest(sum(u), 10) AS su, nearest(count(*), 5) AS n, nearest(sum(u * u), 5) AS suu FROM places GROUP BY f),
	exact AS (SELECT avg(u) AS m, stddev_pop(u) AS d FROM places WHERE f = 1),
	moved AS (SELECT o.su + 10 * i AS su, o.n + 5 * j AS n, o.suu + 5 * k AS suu, i = 0 AND j = 0 AND k = 0 AS here, k = 0 AS flat
		FROM sums AS o, generate_series(-1, 1) AS i, generate_series(-1, 1) AS j, generate_series(-1, 1) AS k WHERE o.f = 0),
	error AS (SELECT here, flat, abs(m.su / m.n - r.su / r.n) / abs(e.m + (low + high) / (high - low)) AS mean,
			abs(sqrt(greatest(m.suu / m.n - (m.su / m.n) ^ 2, 0)) - sqrt(greatest(r.suu / r.n - (r.su / r.n) ^ 2, 0))) / e.d AS sd
		FROM moved AS m, sums AS r, exact AS e, ends WHERE r.f = 1)
	SELECT v.measure, t.rounding, t.figure FROM (SELECT max(mean) FILTER (WHERE here) AS m, max(sd) FILTER (WHERE here) AS s FROM error) AS h,
		LATERAL (SELECT max(abs(mean - h.m)) FILTER (WHERE flat) AS m, max(abs(sd - h.s)) AS s FROM error) AS move,
		LATERAL (VALUES ('mean_error', h.m, move.m), ('sd_error', h.s, move.s)) AS v (measure, value, move), LATERAL told(v.value, v.move) AS t
$$;

-- classes of numbers: where an interval has more than a 16th of the records, a cut at its roundest number
CREATE FUNCTION roundest(low float8, high float8) RETURNS float8 LANGUAGE plpgsql AS $$
BEGIN
	FOR e IN REVERSE 60 .. -60 LOOP
		IF floor(high / 2::float8 ^ e) * 2::float8 ^ e > low THEN
			RETURN floor(high / 2::float8 ^ e) * 2::float8 ^ e;
		END IF;
	END LOOP;
END $$;
CREATE FUNCTION cuts(sorted float8[], smallest int, wanted int) RETURNS float8[] LANGUAGE plpgsql AS $$
DECLARE
	n int := coalesce(cardinality(sorted), 0);
	cut float8;
	below int;
BEGIN
	IF n <= wanted OR sorted[1] = sorted[n] THEN
		RETURN '{}';
	END IF;
	cut := roundest(sorted[1], sorted[n]);
	below := (SELECT count(*) FROM unnest(sorted) AS x WHERE x < cut);
	RETURN CASE WHEN below < smallest THEN cuts(sorted[below + 1:], smallest, wanted) WHEN n - below < smallest THEN cuts(sorted[:below], smallest, wanted)
		ELSE cuts(sorted[:below], smallest, wanted) || cut || cuts(sorted[below + 1:], smallest, wanted) END;
END $$;
CREATE FUNCTION classes_of(released float8[], all_of int) RETURNS float8[] LANGUAGE sql AS $$
	SELECT cuts(array_agg(x ORDER BY x), greatest(20, all_of / 63 + 1), all_of / 16) FROM unnest(released) AS x WHERE x IS NOT NULL $$;
-- distances: of the numbers of records in the classes; NULL is in a class of its own, if it is frequent in the release
CREATE FUNCTION distances(original int[], released int[]) RETURNS TABLE (measure text, rounding float8, figure float8) LANGUAGE sql AS $$
	WITH c AS (SELECT k, count(*) FILTER (WHERE f = 0) AS o, count(*) FILTER (WHERE f = 1) AS r FROM (SELECT 0 AS f, k FROM unnest(original) AS k UNION ALL SELECT 1, k FROM unnest(released) AS k) AS u GROUP BY k),
	n AS (SELECT cardinality(original)::float8 AS n),
	f AS (SELECT nearest(sum(o) OVER w, 5) AS o, nearest(sum(r) OVER w, 5) AS r FROM c WINDOW w AS (ORDER BY k)),
	t AS (SELECT k, (sqrt(nearest(o, 5) / n) - sqrt(nearest(r, 5) / n)) ^ 2 / 2 AS t, (sqrt((nearest(o, 5) + 5) / n) - sqrt(nearest(r, 5) / n)) ^ 2 / 2 AS up,
		(sqrt(greatest(nearest(o, 5) - 5, 0) / n) - sqrt(nearest(r, 5) / n)) ^ 2 / 2 AS down FROM c, n),
	h AS (SELECT sum(t) AS square FROM t),
	more AS (SELECT (SELECT sum(d) FROM (SELECT greatest(up - t, down - t, 0) AS d FROM t ORDER BY 1 DESC LIMIT 2) AS x) AS more,
		(SELECT sum(d) FROM (SELECT greatest(t - up, t - down, 0) AS d FROM t ORDER BY 1 DESC LIMIT 2) AS x) AS less)
	SELECT 'ks', t.* FROM n, (SELECT max(abs(o - r)) AS d FROM f) AS f, LATERAL told(f.d / n, 5 / n) AS t
	UNION ALL SELECT 'hellinger', t.* FROM h, more, LATERAL told(sqrt(square), greatest(sqrt(square + more) - sqrt(square), sqrt(square) - sqrt(greatest(square - less, 0)))) AS t
$$;
CREATE FUNCTION class_numbers(x float8[], cut float8[], missing int) RETURNS int[] LANGUAGE sql AS $$
	SELECT array_agg(CASE WHEN v IS NULL THEN missing ELSE (SELECT count(*) FROM unnest(cut) AS c WHERE v >= c) END ORDER BY n) FROM unnest(x) WITH ORDINALITY AS u (v, n) $$;
-- correlations: of the numbers of the classes, from -1 to 1, a missing one being 0
CREATE FUNCTION scores(x float8[], cut float8[]) RETURNS float8[] LANGUAGE sql AS $$
	SELECT array_agg(CASE WHEN v IS NULL THEN 0 ELSE 2.0 * (SELECT count(*) FROM unnest(cut) AS c WHERE v >= c) / cardinality(cut) - 1 END ORDER BY n) FROM unnest(x) WITH ORDINALITY AS u (v, n) $$;
CREATE FUNCTION correlation(n float8, x float8, y float8, xx float8, yy float8, xy float8) RETURNS float8 LANGUAGE sql AS $$
	SELECT least(greatest((xy - x * y / n) / sqrt((xx - x * x / n) * (yy - y * y / n)), -1), 1) $$;
CREATE FUNCTION change(x0 float8[], x1 float8[], y0 float8[], y1 float8[], OUT change float8, OUT move float8) LANGUAGE sql AS $$
	WITH s AS (SELECT f, nearest(sum(x), 10) AS x, nearest(sum(y), 10) AS y, nearest(sum(x * x), 5) AS xx, nearest(sum(y * y), 5) AS yy, nearest(sum(x * y), 10) AS xy
		FROM (SELECT 0 AS f, u.* FROM unnest(x0, y0) AS u (x, y) UNION ALL SELECT 1, u.* FROM unnest(x1, y1) AS u (x, y)) AS v GROUP BY f),
	n AS (SELECT cardinality(x0)::float8 AS n),
	r AS (SELECT correlation(n, x, y, xx, yy, xy) AS rho FROM s, n WHERE f = 1),
	m AS (SELECT abs(correlation(n, x + 10 * a, y + 10 * b, xx + 5 * c, yy + 5 * d, xy + 10 * e) - rho) AS v, a = 0 AND b = 0 AND c = 0 AND d = 0 AND e = 0 AS here
		FROM s, n, r, generate_series(-1, 1) AS a, generate_series(-1, 1) AS b, generate_series(-1, 1) AS c, generate_series(-1, 1) AS d, generate_series(-1, 1) AS e WHERE f = 0)
	SELECT max(v) FILTER (WHERE here), (SELECT max(abs(m.v - h.v)) FROM m, (SELECT v FROM m WHERE here) AS h) FROM m $$;

SELECT helper.make_people('person', 3000);
SELECT sdc_classify('person', 'job', 'sensitive');
SELECT count(*) FROM sdc_randomize('person', '{sex,region,age,savings}', keep => '{income,job,born}', omit => '{weight}', target => 'random', seed => 1);
SELECT records FROM sdc_publish('random', 'public_random', keep => '{income,job,born}', force => true);
-- every figure has a rounding behind it, and a value that is a multiple of it; or none, and the rounding is too coarse
SELECT count(*) > 30 AS some, bool_and(f.value IS NULL AND (r.value > 0.1 OR r.value IS NULL) OR r.value <= 0.1 AND abs(f.value / r.value - round(f.value / r.value)) < 1e-6) AS multiples, count(f.value) > 20 AS told
FROM public_random_accuracy AS f LEFT JOIN public_random_accuracy AS r ON r.part = f.part AND r.attribute IS NOT DISTINCT FROM f.attribute AND r.measure = f.measure || '_rounding'
WHERE f.part NOT IN ('release', 'method') AND f.measure !~ '_rounding$';
-- what each is, by the definition
CREATE TABLE wanted AS
SELECT attribute, w.* FROM unnest('{age,savings,income,born}'::text[]) AS attribute, LATERAL numbers('person', 'random', attribute) AS v,
	LATERAL spread(v.original, v.released) AS w WHERE attribute <> 'born' OR w.measure <> 'mean_error'
UNION ALL SELECT attribute, w.* FROM unnest('{age,savings,income,born}'::text[]) AS attribute, LATERAL numbers('person', 'random', attribute) AS v,
	LATERAL (SELECT classes_of(v.released, 3000) AS cut) AS c, LATERAL (SELECT CASE WHEN (SELECT count(*) FROM unnest(v.released) AS x WHERE x IS NULL) >= 48 THEN 1 ELSE 0 END + cardinality(c.cut) AS last) AS m,
	LATERAL distances(class_numbers(v.original, c.cut, m.last), class_numbers(v.released, c.cut, m.last)) AS w
UNION ALL SELECT 'region', w.* FROM (SELECT array_agg(ascii(s.region) ORDER BY id) AS original, array_agg(ascii(r.region) ORDER BY id) AS released FROM person AS s JOIN random AS r USING (id)) AS v,
	LATERAL (SELECT array_agg(coalesce(x, 0)) AS original FROM unnest(v.original) AS x) AS o, LATERAL (SELECT array_agg(coalesce(x, 0)) AS released FROM unnest(v.released) AS x) AS r, LATERAL distances(o.original, r.released) AS w;
SELECT w.attribute, w.measure, w.figure > 0 AS some, near(w.figure, a.value) AS same, near(w.rounding, r.value) AS same_rounding
FROM wanted AS w LEFT JOIN public_random_accuracy AS a ON a.part = 'margins' AND a.attribute = w.attribute AND a.measure = w.measure
	LEFT JOIN public_random_accuracy AS r ON r.part = 'margins' AND r.attribute = w.attribute AND r.measure = w.measure || '_rounding' ORDER BY 1, 2;
CREATE TABLE pair AS
SELECT x, y, c.* FROM unnest('{age,savings,income,born}'::text[]) WITH ORDINALITY AS a (x, i) JOIN unnest('{age,savings,income,born}'::text[]) WITH ORDINALITY AS b (y, j) ON i < j,
	LATERAL numbers('person', 'random', x) AS v, LATERAL numbers('person', 'random', y) AS w, LATERAL (SELECT classes_of(v.released, 3000) AS cv, classes_of(w.released, 3000) AS cw) AS cut,
	LATERAL change(scores(v.original, cv), scores(v.released, cv), scores(w.original, cw), scores(w.released, cw)) AS c;
SELECT w.attribute, w.measure, w.figure > 0 AS some, near(w.figure, a.value) AS same, near(w.rounding, r.value) AS same_rounding
FROM (SELECT NULL AS attribute, 'mean_change' AS measure, t.* FROM (SELECT avg(change) AS c, avg(move) AS m FROM pair) AS p, LATERAL told(c, m) AS t
	UNION ALL SELECT NULL, 'largest_change', t.* FROM (SELECT max(change) AS c, max(move) AS m FROM pair) AS p, LATERAL told(c, m) AS t
	UNION ALL SELECT name, 'mean_change', t.* FROM (SELECT name, avg(change) AS c, avg(move) AS m FROM pair, LATERAL (VALUES (x), (y)) AS e (name) GROUP BY name) AS p, LATERAL told(c, m) AS t) AS w
	LEFT JOIN public_random_accuracy AS a ON a.part = 'correlations' AND a.attribute IS NOT DISTINCT FROM w.attribute AND a.measure = w.measure
	LEFT JOIN public_random_accuracy AS r ON r.part = 'correlations' AND r.attribute IS NOT DISTINCT FROM w.attribute AND r.measure = w.measure || '_rounding' ORDER BY 1, 2;

-- associations: those of the rounded counts; sdc_associations, with tests of its own, has the exact ones of both
CREATE TABLE rule AS SELECT coalesce(s.antecedent, r.antecedent) AS antecedent, coalesce(s.consequent, r.consequent) AS consequent, coalesce(s.length, r.length) AS length,
	nearest(s.antecedent_records, 5) AS a, nearest(s.both_records, 5) AS b, r.antecedent_records >= 240 AND r.both_records >= 0.15 * r.antecedent_records AS released
FROM sdc_associations('person', '{sex,region,age,savings}', '{job}', 0.05, 0.01) AS s FULL JOIN sdc_associations('random', '{sex,region,age,savings}', '{job}', 0.05, 0.01) AS r USING (antecedent, consequent);
CREATE TABLE share AS
SELECT n.length, t.measure, t.value, t.move FROM (SELECT length, count(*) FILTER (WHERE a >= 240 AND b >= 0.15 * a) AS n, count(*) FILTER (WHERE a >= 240 AND b >= 0.15 * a AND released) AS kept,
		count(*) FILTER (WHERE released AND NOT coalesce(a >= 240 AND b >= 0.15 * a, false)) AS new, count(*) FILTER (WHERE a - 5 >= 240 AND b - 5 >= 0.15 * (a + 5)) AS firm,
		count(*) FILTER (WHERE a + 5 >= 240 AND b + 5 >= 0.15 * (a - 5)) AS loose FROM rule GROUP BY ROLLUP (length)) AS n,
	LATERAL (VALUES ('kept', n.kept / n.n::float8, (n.loose - n.firm) / n.firm::float8), ('new', n.new / n.n::float8, (n.loose - n.firm) / n.firm::float8 * (1 + n.new / n.n::float8))) AS t (measure, value, move) WHERE n.n > 0;
SELECT count(*) > 3 AS some, bool_and(near(t.figure, a.value)) AS same, bool_and(near(t.rounding, r.value)) AS same_rounding FROM share AS s, LATERAL told(s.value, s.move) AS t
	LEFT JOIN LATERAL (SELECT value FROM public_random_accuracy WHERE part = 'associations' AND measure = s.measure || coalesce('_' || s.length, '')) AS a ON true
	LEFT JOIN LATERAL (SELECT value FROM public_random_accuracy WHERE part = 'associations' AND measure = s.measure || coalesce('_' || s.length, '') || '_rounding') AS r ON true;

-- what sdc_evaluate has kept is the same, to the last row
SELECT count(*) FROM sdc_evaluate('random');
SELECT records FROM sdc_publish('random', 'public_kept', keep => '{income,job,born}', max_people_found => 100);
SELECT count(*) FROM ((TABLE public_kept_accuracy EXCEPT TABLE public_random_accuracy) UNION ALL (TABLE public_random_accuracy EXCEPT TABLE public_kept_accuracy)) AS d;
-- and so is what others are told in a report
SELECT count(*) > 10 AS some, bool_and(strpos(p.page, '>' || a.measure || '<') > 0 AND strpos(p.page, format('<td class="n">%s (', CASE WHEN a.value IS NULL THEN 'withheld' WHEN a.value = 0 THEN '0' ELSE trim_scale(a.value::numeric)::text END)) > 0) AS there
FROM public_random_accuracy AS a, sdc_report('random', 'external') AS p (page) WHERE a.part NOT IN ('method', 'release') AND a.measure !~ '_rounding$';
SELECT p.page ~ ('probabilities = \[' || (SELECT string_agg(a.value::text, ', ' ORDER BY array_position('{region,sex,age,savings}', a.attribute)) FROM public_random_accuracy AS a WHERE a.measure = 'probability') || '\]') AS rounded,
	p.page ~ (r.parameters -> 'probabilities' ->> 0) AS exact FROM sdc_report('random', 'external') AS p (page), sdc_releases AS r WHERE r.release = 'random'::regclass;

-- probabilities: those that were computed are rounded, and sum to 1; those that somebody has chosen are as they are
SELECT sum(a.value), bool_and(abs(a.value - (r.parameters -> 'probabilities' ->> array_position(r.qi, a.attribute) - 1)::float8) < g.value) AS near, min(g.value) AS rounding,
	min(g.value) BETWEEN 2 * (1 + ln(3000)) / 3000 * max(p.p * (1 - p.p)) AND 0.001 AS coarse
FROM public_random_accuracy AS a, sdc_releases AS r, public_random_accuracy AS g, LATERAL (SELECT (r.parameters -> 'probabilities' ->> array_position(r.qi, a.attribute) - 1)::float8) AS p (p)
WHERE a.measure = 'probability' AND g.measure = 'probability_rounding' AND r.release = 'random'::regclass;
SELECT count(*) FROM sdc_randomize('person', '{sex,region,age}', probabilities => '{0.123,0.2,0.677}', keep => '{job}', omit => '{weight,income,born,savings}', target => 'chosen', seed => 1);
SELECT records FROM sdc_publish('chosen', 'public_chosen', keep => '{job}', force => true);
SELECT attribute, measure, value FROM public_chosen_accuracy WHERE measure ~ 'probability';
-- of a few records nothing can be told, and so nothing estimated
CREATE TABLE few AS SELECT id, sex, region, age FROM person WHERE id <= 15;
ALTER TABLE few ADD PRIMARY KEY (id);
SELECT count(*) FROM sdc_randomize('few', '{sex,region,age}', target => 'few_random', seed => 1);
SELECT records FROM sdc_publish('few_random', 'public_few', force => true);
SELECT measure, count(*), count(value) FROM public_few_accuracy WHERE measure ~ 'probability' GROUP BY measure ORDER BY measure;
SELECT count(value) FROM public_few_accuracy WHERE part NOT IN ('release', 'method') AND measure !~ '_rounding$';
CREATE ROLE regress_sdc_outside;
GRANT USAGE ON SCHEMA safe, helper TO regress_sdc_outside;
GRANT SELECT ON public_few, public_few_accuracy TO regress_sdc_outside;
SET ROLE regress_sdc_outside;
SELECT helper.catch($$SELECT * FROM sdc_estimate('safe.public_few', conditions => '{"sex = ''f''"}')$$);
RESET ROLE;

--
-- Brute force: for every method one record after the other is replaced, by the ends, by what is beyond them, and by others
--
CREATE TABLE own AS SELECT i AS id, (20000 + (i * 7919) % 40009)::int AS income, ((i * 104729) % 2003 - 1001) / 10.0 AS gain, 18 + (i * 37) % 71 AS age, (i % 9 = 4)::int AS ill,
	CASE WHEN i % 13 > 0 THEN (ARRAY['n', 'e', 's', 'w'])[1 + (i * i) % 4] END AS region, date '1990-01-01' + (i * 31) % 900 AS born FROM generate_series(1, 600) AS i;
ALTER TABLE own ADD PRIMARY KEY (id);
CREATE TABLE made (method text PRIMARY KEY, release text);
CREATE FUNCTION copy(method text, query text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('CREATE TABLE %I AS %s', 'by_' || method, query);
	EXECUTE format('ALTER TABLE %I ADD PRIMARY KEY (id)', 'by_' || method);
	INSERT INTO made VALUES (method, 'safe.by_' || method);
END $$;
SELECT FROM sdc_rankswap('own', p => 20, columns => '{income,gain,age,born}', target => 'm_rankswap', seed => 1);
SELECT FROM sdc_rankswap_distribution('own', p => 20, columns => '{income,gain,age,born}', target => 'm_distribution', seed => 1);
SELECT FROM sdc_rankswap_buckets('own', buckets => 6, columns => '{income,gain,age,born}', target => 'm_buckets', seed => 1);
SELECT FROM sdc_equidepth_swap('own', depth => 20, columns => '{income,age}', target => 'm_equidepth', seed => 1);
SELECT FROM sdc_equiwidth_swap('own', intervals => 4, columns => '{income,age}', target => 'm_equiwidth', seed => 1);
SELECT FROM sdc_randomize('own', '{income,gain,age,ill,region,born}', target => 'm_randomize', seed => 1);
SELECT FROM sdc_randomize('own', '{income,gain,age,ill,region,born}', draws => 4, target => 'm_draws', seed => 1);
SELECT copy(method, format('SELECT id, income, gain, age, ill, region, born FROM m_%s', method)) FROM unnest('{rankswap,distribution,buckets,equidepth,equiwidth,randomize,draws}'::text[]) AS method;
SELECT copy('rounded', 'SELECT id, round(income, -3)::int AS income, round(gain) AS gain, age / 10 * 10 AS age, ill, region, born FROM own');
SELECT copy('suppressed', $$SELECT id, CASE WHEN id % 7 > 1 THEN income END AS income, gain, CASE WHEN age < 80 THEN age END AS age, ill, CASE WHEN id % 5 > 0 THEN region END AS region, born FROM own$$);
SELECT copy('imputed', $$SELECT id, income, gain + id % 3 AS gain, age, ill, coalesce(region, 'n') AS region, born FROM own$$);

CREATE FUNCTION figures(release text) RETURNS TABLE (key text, value float8, rounding float8) LANGUAGE plpgsql AS $$
BEGIN
	PERFORM sdc_register('own', release::regclass, '{income,gain,age,ill,region,born}', '{id}', sensitive => '{region}');
	RETURN QUERY SELECT concat_ws(' ', a.part, a.attribute, a.measure), a.value, a.next FROM (SELECT a.*, lead(a.value) OVER (ORDER BY n) AS next
		FROM sdc_private.accuracy(release::regclass, NULL, NULL, NULL) WITH ORDINALITY AS a (part, attribute, measure, value, n)) AS a WHERE a.measure !~ '_rounding$';
END $$;
SET sdc.association_min_support = 0.06;
CREATE TABLE before AS SELECT m.method, f.* FROM made AS m, figures(m.release) AS f;
CREATE TABLE after (method text, record int, way text, key text, value float8, rounding float8);
DO $$
DECLARE
	m record;
	w record;
	i int;
BEGIN
	FOR m IN TABLE made LOOP
		FOR i IN SELECT generate_series(1 + length(m.method) % 7, 600, 101) LOOP
			FOR w IN SELECT * FROM (VALUES ('least', 'income = 20000, gain = -100.1, age = 18, ill = 0, region = ''e'', born = ''1990-01-01'''),
				('greatest', 'income = 60008, gain = 100.1, age = 88, ill = 1, region = ''w'', born = ''1992-06-18'''), ('beyond', 'income = 31415926, gain = 1e9, age = -5000, ill = 999, region = ''x'', born = ''4000-01-01'''),
				('missing', 'income = NULL, gain = NULL, age = NULL, ill = NULL, region = NULL, born = NULL'),
				('another', format('(income, gain, age, ill, region, born) = (SELECT income, gain, age, ill, region, born FROM own WHERE id = %s)', 1 + (i * 53) % 600))) AS v (name, set)
			LOOP
				BEGIN
					EXECUTE format('UPDATE own SET %s WHERE id = %s', w.set, i);
					INSERT INTO after SELECT m.method, i, w.name, f.* FROM figures(m.release) AS f;
					RAISE EXCEPTION 'undo' USING ERRCODE = 'SD999', DETAIL = (SELECT jsonb_agg(a) FROM after AS a WHERE a.method = m.method AND a.record = i AND a.way = w.name);
				EXCEPTION WHEN SQLSTATE 'SD999' THEN
					DECLARE
						kept text;
					BEGIN
						GET STACKED DIAGNOSTICS kept = PG_EXCEPTION_DETAIL;
						INSERT INTO after SELECT (jsonb_populate_recordset(NULL::after, kept::jsonb)).*;
					END;
				END;
			END LOOP;
		END LOOP;
	END LOOP;
END $$;
-- what moves by more than the coarser of the two roundings: nothing; what moves at all: little
SELECT a.method, a.record, a.way, a.key, b.value, a.value, b.rounding, a.rounding FROM after AS a JOIN before AS b USING (method, key) WHERE abs(a.value - b.value) > greatest(a.rounding, b.rounding) + 1e-9;
SELECT b.method, count(*) > 300 AS told, count(*) FILTER (WHERE a.value <> b.value) < count(*) / 4 AS moved FROM after AS a JOIN before AS b USING (method, key) WHERE a.value IS NOT NULL AND b.value IS NOT NULL GROUP BY b.method ORDER BY b.method;
SELECT split_part(key, ' ', 1) AS part, count(*) > 100 AS told, bool_or(a.value <> b.value) AS some_move FROM after AS a JOIN before AS b USING (method, key) WHERE a.value IS NOT NULL AND b.value IS NOT NULL GROUP BY 1 ORDER BY 1;
RESET sdc.association_min_support;

--
-- Attacks
--
-- an outlier that is not in the publication: its size makes no difference at all to what is published
CREATE FUNCTION outlier(size int) RETURNS TABLE (measure text, value float8) LANGUAGE plpgsql AS $$
BEGIN
	UPDATE own SET income = size WHERE id = 1;
	PERFORM sdc_register('own', 'by_randomize', '{income,gain,age,ill,region,born}', '{id}');
	PERFORM FROM sdc_publish('by_randomize', 'safe.public_outlier', force => true, replace => to_regclass('safe.public_outlier') IS NOT NULL);
	RETURN QUERY SELECT a.measure, a.value FROM public_outlier_accuracy AS a WHERE a.attribute = 'income';
END $$;
SELECT max(income) < 65536 AS without FROM by_randomize;
CREATE TABLE sizes AS SELECT size, o.* FROM unnest('{65536,100000,1000000,31415926,2000000000}'::int[]) AS size, outlier(size) AS o;
SELECT measure, count(DISTINCT coalesce(value, -1)) AS different FROM sizes GROUP BY measure ORDER BY measure;
-- a signed column whose mean is near 0: nothing is told of the mean, which is what the others and the mean tell a value by
SELECT measure, value IS NULL AS withheld FROM public_outlier_accuracy WHERE attribute = 'gain' AND measure = 'mean_error';
-- a rare 0/1 column: its count is not told; of one that is not so rare it is told to five records
CREATE TABLE sick AS SELECT i AS id, (i <= 3)::int AS rare, (i % 3 = 0)::int AS common, i % 20 AS age FROM generate_series(1, 1000) AS i;
ALTER TABLE sick ADD PRIMARY KEY (id);
CREATE TABLE sick_release AS TABLE sick;
ALTER TABLE sick_release ADD PRIMARY KEY (id);
CREATE FUNCTION ones(col text, n int) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	EXECUTE format('UPDATE sick SET %I = (id <= %s)::int', col, n);
	PERFORM sdc_register('sick', 'sick_release', '{rare,common,age}', '{id}');
	SELECT string_agg(coalesce(a.value::text, '-'), ' ' ORDER BY a.measure) INTO result FROM sdc_private.accuracy('sick_release', NULL, NULL, NULL) AS a WHERE a.attribute = col AND a.part = 'margins' AND a.measure !~ 'rounding';
	RETURN result;
END $$;
SELECT DISTINCT ones('rare', n) FROM generate_series(0, 20) AS n;
SELECT count(DISTINCT told) AS told, count(*) AS counts, min(c) AS least FROM (SELECT told, count(*) AS c FROM (SELECT ones('common', n) AS told FROM generate_series(293, 372) AS n) AS t GROUP BY told) AS g;

-- nights: two sources that differ in one record, and many releases of both; they are told apart only if their rounded sums are others
CREATE TABLE night AS SELECT i AS id, 20000 + (i * 7919) % 40009 AS income, (i * 37) % 20 AS age FROM generate_series(1, 500) AS i;
ALTER TABLE night ADD PRIMARY KEY (id);
CREATE FUNCTION rounded_sums() RETURNS text LANGUAGE sql AS $$
	SELECT concat(nearest(sum(u), 10), ' ', nearest(sum(u * u), 5)) FROM (SELECT 2 * (income - 16384) / 49152.0 - 1 AS u FROM safe.night) AS p $$;
CREATE FUNCTION nights(record int, other int, OUT same boolean, OUT told_apart boolean) LANGUAGE plpgsql AS $$
DECLARE
	own int := (SELECT income FROM night WHERE id = record);
	sums text[];
	told text[];
BEGIN
	told_apart := false;
	FOR draw IN 1 .. 3 LOOP
		PERFORM FROM sdc_randomize('night', '{income,age}', draws => 1, target => 'drawn', seed => draw);
		-- the ends are those of every draw
		UPDATE drawn SET income = CASE id WHEN 1 THEN 20000 WHEN 2 THEN 60008 ELSE income END WHERE id <= 2;
		PERFORM sdc_unregister('drawn');
		FOR s IN 0 .. 1 LOOP
			UPDATE night SET income = CASE s WHEN 0 THEN own ELSE other END WHERE id = record;
			PERFORM sdc_register('night', 'drawn', '{income,age}', '{id}');
			told[s] := (SELECT string_agg(a::text, ',') FROM sdc_private.accuracy('drawn', NULL, NULL, NULL) AS a WHERE a.attribute = 'income' AND a.measure ~ 'mean_error|sd_error');
			sums[s] := rounded_sums();
		END LOOP;
		UPDATE night SET income = own WHERE id = record;
		DROP TABLE drawn;
		told_apart := told_apart OR told[0] <> told[1];
	END LOOP;
	same := sums[0] = sums[1];
END $$;
CREATE TABLE nightly (same boolean, told_apart boolean);
DO $$
BEGIN
	FOR shift IN 0 .. 11 LOOP
		INSERT INTO nightly SELECT n.* FROM unnest('{7,100}'::int[]) AS record, nights(record, 60000) AS n;
		-- another source, with other sums
		UPDATE night SET income = 20000 + (income - 20000) * 29 / 30 WHERE id > 100;
	END LOOP;
END $$;
SELECT same, count(*) > 2 AS some, bool_or(told_apart) AS told_apart FROM nightly GROUP BY same ORDER BY same DESC;
SELECT count(*) FILTER (WHERE told_apart) < count(*) / 3 AS few FROM nightly;

DROP OWNED BY regress_sdc_outside;
DROP ROLE regress_sdc_outside;
DROP SCHEMA safe CASCADE;
