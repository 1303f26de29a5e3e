-- lib/attack.sql
--		The attacks and measures written down a second time, as plainly as they are defined.
--
-- Everything looks at all pairs of an original and a protected record, so the tables
-- have to be small.  Keys are a column id; names are those of the known attributes.

-- kind_of returns number, time or nominal.
CREATE FUNCTION pg_temp.kind_of(relation regclass, name name)
RETURNS text LANGUAGE sql AS $$
	SELECT CASE WHEN typcategory = 'N' THEN 'number' WHEN typcategory = 'D' THEN 'time' ELSE 'nominal' END
	FROM pg_attribute JOIN pg_type ON pg_type.oid = atttypid
	WHERE attrelid = relation AND attname = name
$$;

-- number_of returns an expression for the number of a value of alias a.  Seconds are numbers, and days.
CREATE FUNCTION pg_temp.number_of(relation regclass, name name, a text)
RETURNS text LANGUAGE sql AS $$
	SELECT CASE WHEN pg_temp.kind_of(relation, name) = 'time' THEN format('extract(epoch FROM %s.%I)::float8', a, name)
		ELSE format('nullif(nullif(nullif(%s.%I::float8, ''NaN''), ''Infinity''), ''-Infinity'')', a, name) END
$$;

-- measure_of returns an expression for the measure of the pair of records s and r: the sum of
-- what the dimensions contribute, over those that both have; null where there is none.
CREATE FUNCTION pg_temp.measure_of(source regclass, names name[], metric text)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	name name;
	scale float8;
	parts text[] := '{}';
BEGIN
	FOREACH name IN ARRAY names LOOP
		IF pg_temp.kind_of(source, name) = 'nominal' THEN
			EXECUTE format('SELECT count(DISTINCT %I) FROM %s', name, source) INTO scale;
			CONTINUE WHEN scale < 2;
			parts := parts || format('(s.%1$I <> r.%1$I)::int', name);
		ELSE
			EXECUTE format(CASE metric WHEN 'gower' THEN 'SELECT max(x) - min(x) FROM (SELECT %s AS x FROM %s AS s) AS n'
				ELSE 'SELECT stddev_samp(x) FROM (SELECT %s AS x FROM %s AS s) AS n' END,
				pg_temp.number_of(source, name, 's'), source) INTO scale;
			CONTINUE WHEN coalesce(scale, 0) = 0;
			parts := parts || format(CASE metric WHEN 'euclidean' THEN '((%s - %s) / %L::float8) ^ 2' ELSE 'abs(%s - %s) / %L::float8' END,
				pg_temp.number_of(source, name, 's'), pg_temp.number_of(source, name, 'r'), scale);
		END IF;
	END LOOP;
	IF parts = '{}' THEN
		RETURN '0::float8';
	END IF;
	RETURN format('((%s)::float8 * %s / nullif(num_nonnulls(%s), 0))',
		(SELECT string_agg(format('coalesce(%s, 0)', p), ' + ') FROM unnest(parts) AS p), cardinality(parts), array_to_string(parts, ', '));
END
$$;

-- inverse returns the inverse of a matrix, by Gauss and Jordan with pivots.
CREATE FUNCTION pg_temp.inverse(matrix float8[], n int)
RETURNS float8[] LANGUAGE plpgsql AS $$
DECLARE
	m float8[] := matrix;
	inv float8[] := array_fill(0::float8, ARRAY[n, n]);
	pivot int;
	factor float8;
	t float8;
BEGIN
	FOR i IN 1 .. n LOOP
		inv[i][i] := 1;
	END LOOP;
	FOR c IN 1 .. n LOOP
		pivot := c;
		FOR i IN c + 1 .. n LOOP
			IF abs(m[i][c]) > abs(m[pivot][c]) THEN
				pivot := i;
			END IF;
		END LOOP;
		FOR j IN 1 .. n LOOP
			t := m[c][j]; m[c][j] := m[pivot][j]; m[pivot][j] := t;
			t := inv[c][j]; inv[c][j] := inv[pivot][j]; inv[pivot][j] := t;
		END LOOP;
		factor := m[c][c];
		FOR j IN 1 .. n LOOP
			m[c][j] := m[c][j] / factor;
			inv[c][j] := inv[c][j] / factor;
		END LOOP;
		FOR i IN 1 .. n LOOP
			CONTINUE WHEN i = c;
			factor := m[i][c];
			FOR j IN 1 .. n LOOP
				m[i][j] := m[i][j] - factor * m[c][j];
				inv[i][j] := inv[i][j] - factor * inv[c][j];
			END LOOP;
		END LOOP;
	END LOOP;
	RETURN inv;
END
$$;

-- mahalanobis_of returns the expression for d' C^-1 d, C the covariances of the complete
-- original records.
CREATE FUNCTION pg_temp.mahalanobis_of(source regclass, names name[])
RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	n CONSTANT int := cardinality(names);
	matrix float8[] := array_fill(0::float8, ARRAY[n, n]);
	value float8;
	parts text[] := '{}';
BEGIN
	FOR i IN 1 .. n LOOP
		FOR j IN 1 .. n LOOP
			EXECUTE format('SELECT covar_samp(%s, %s) FROM %s AS s WHERE num_nulls(%s) = 0',
				pg_temp.number_of(source, names[i], 's'), pg_temp.number_of(source, names[j], 's'), source,
				(SELECT string_agg(quote_ident(u), ', ') FROM unnest(names) AS u)) INTO value;
			matrix[i][j] := value;
		END LOOP;
	END LOOP;
	matrix := pg_temp.inverse(matrix, n);
	FOR i IN 1 .. n LOOP
		FOR j IN 1 .. n LOOP
			parts := parts || format('(%s - %s) * (%s - %s) * %L::float8',
				pg_temp.number_of(source, names[i], 's'), pg_temp.number_of(source, names[i], 'r'),
				pg_temp.number_of(source, names[j], 's'), pg_temp.number_of(source, names[j], 'r'), matrix[i][j]);
		END LOOP;
	END LOOP;
	RETURN '(' || array_to_string(parts, ' + ') || ')';
END
$$;

-- naive_distance is sdc_link_distance.
CREATE FUNCTION pg_temp.naive_distance(source regclass, release regclass, names name[], metric text)
RETURNS TABLE (record text, linked text, distance float8, ties bigint, correct boolean) LANGUAGE plpgsql AS $$
DECLARE
	measure CONSTANT text := CASE metric WHEN 'mahalanobis' THEN pg_temp.mahalanobis_of(source, names)
		ELSE pg_temp.measure_of(source, names, metric) END;
	dimensions int;
BEGIN
	-- a mean of the dimensions that tell records apart
	EXECUTE format('SELECT %s FROM %s', (SELECT string_agg(format('(count(DISTINCT %I) > 1)::int', u), ' + ') FROM unnest(names) AS u), source)
		INTO dimensions;
	RETURN QUERY EXECUTE format($sql$
		WITH pair AS MATERIALIZED (SELECT s.id AS s, r.id AS r, %1$s AS measure FROM %2$s AS s CROSS JOIN %3$s AS r),
		best AS (SELECT s, min(measure) AS least FROM pair GROUP BY s),
		tied AS (SELECT s, min(r) AS linked, count(*) AS ties, bool_or(s = r) AS correct
			FROM pair JOIN best USING (s) WHERE measure <= least * (1 + 1e-9) GROUP BY s)
		SELECT s::text, linked::text, %4$s, coalesce(ties, 0), coalesce(correct, false) FROM best LEFT JOIN tied USING (s)
	$sql$, measure, source, release, CASE WHEN metric IN ('euclidean', 'mahalanobis') THEN 'sqrt(abs(least))'
		WHEN metric = 'gower' THEN format('least / %s', greatest(dimensions, 1)) ELSE 'least' END);
END
$$;

-- window_width is how many positions a method moves one of some values.
CREATE FUNCTION pg_temp.window_width(p float8, buckets int, count bigint)
RETURNS bigint LANGUAGE sql AS $$
	SELECT CASE WHEN buckets IS NOT NULL THEN least(count, 2 * ceil(count / buckets::float8))
		ELSE least(greatest(floor(p * count / 100 + 0.5), 1), greatest(count, 1)) END::bigint
$$;

-- naive_rankswap is sdc_link_rankswap.
CREATE FUNCTION pg_temp.naive_rankswap(source regclass, release regclass, names name[], mode text, p float8, buckets int DEFAULT NULL)
RETURNS TABLE (record text, candidates bigint, linked text, correct boolean, ties bigint, distance float8, windows int)
LANGUAGE plpgsql AS $$
DECLARE
	inside text;
BEGIN
	-- positions count from 1; first > last: a value that the protected column does not have
	EXECUTE format('CREATE TEMP TABLE naive_s ON COMMIT DROP AS SELECT s.*, %s FROM %s AS s',
		(SELECT string_agg(format($x$(SELECT int8range(1 + count(*) FILTER (WHERE r.%1$I < s.%1$I) - w, count(*) FILTER (WHERE r.%1$I <= s.%1$I) + w, '[]')
				FROM %2$s AS r, (SELECT pg_temp.window_width(%3$s, %4$s, count(%1$I)) AS w FROM %6$s) AS w
				WHERE s.%1$I IS NOT NULL AND r.%1$I IS NOT NULL GROUP BY w) AS "w %5$s"$x$,
			u, release, coalesce(p::text, 'NULL'), coalesce(buckets::text, 'NULL'), i, source), ', ') FROM unnest(names) WITH ORDINALITY AS u (u, i)), source);
	EXECUTE format('CREATE TEMP TABLE naive_r ON COMMIT DROP AS SELECT r.*, %s FROM %s AS r',
		(SELECT string_agg(format($x$CASE WHEN %1$I IS NOT NULL THEN int8range(rank() OVER (ORDER BY %1$I),
				rank() OVER (ORDER BY %1$I) + count(*) OVER (PARTITION BY %1$I) - 1, '[]') END AS "g %2$s"$x$, u, i), ', ')
			FROM unnest(names) WITH ORDINALITY AS u (u, i)), release);
	inside := (SELECT string_agg(format('coalesce("w %1$s" && "g %1$s", false)::int', i), ' + ') FROM generate_subscripts(names, 1) AS i);
	RETURN QUERY EXECUTE format($sql$
		WITH pair AS MATERIALIZED (SELECT s.id AS s, r.id AS r, %1$s AS inside, %2$s AS measure FROM naive_s AS s CROSS JOIN naive_r AS r),
		most AS (SELECT s, max(inside) AS inside FROM pair GROUP BY s),
		candidate AS MATERIALIZED (SELECT pair.* FROM pair JOIN most USING (s, inside)
			WHERE inside > 0 AND (%3$L = 'union' OR inside = %4$s)),
		best AS (SELECT s, min(measure) AS least, count(*) AS candidates, max(inside) AS inside FROM candidate GROUP BY s),
		tied AS (SELECT s, min(r) AS linked, count(*) AS ties, bool_or(s = r) AS correct
			FROM candidate JOIN best USING (s) WHERE measure <= least * (1 + 1e-9) GROUP BY s)
		SELECT id::text, coalesce(candidates, 0), linked::text, coalesce(correct, false), coalesce(ties, 0), sqrt(least),
			coalesce(best.inside, 0)
		FROM naive_s LEFT JOIN best ON s = id LEFT JOIN tied USING (s)
	$sql$, inside, pg_temp.measure_of(source, names, 'euclidean'), mode, cardinality(names));
	DROP TABLE naive_s, naive_r;
END
$$;

-- naive_model estimates by EM from all pairs: m, u, prior and rounds.
CREATE FUNCTION pg_temp.naive_model(source regclass, release regclass, names name[],
	OUT m float8[], OUT u float8[], OUT prior float8, OUT rounds int) LANGUAGE plpgsql AS $$
DECLARE
	k CONSTANT int := cardinality(names);
	agree boolean[];
	weight float8[];
	share float8;
	pm float8;
	pu float8;
	sum_m float8;
	total float8;
	agree_m float8[];
	agree_u float8[];
	new float8;
	change float8;
	n float8;
BEGIN
	EXECUTE format('SELECT count(*) FROM %s', source) INTO n;
	EXECUTE format('SELECT array_agg(p), array_agg(c) FROM (SELECT ARRAY[%s] AS p, count(*)::float8 AS c FROM %s AS s CROSS JOIN %s AS r GROUP BY 1) AS g',
		(SELECT string_agg(format('coalesce(s.%1$I = r.%1$I, false)', x), ', ') FROM unnest(names) AS x), source, release) INTO agree, weight;
	m := array_fill(0.9::float8, ARRAY[k]);
	u := array_fill(0.1::float8, ARRAY[k]);
	prior := least(greatest(1 / n, 1e-6), 1 - 1e-6);
	FOR round IN 1 .. 2000 LOOP
		rounds := round;
		sum_m := 0;
		total := 0;
		agree_m := array_fill(0::float8, ARRAY[k]);
		agree_u := array_fill(0::float8, ARRAY[k]);
		FOR i IN 1 .. cardinality(weight) LOOP
			pm := prior;
			pu := 1 - prior;
			FOR j IN 1 .. k LOOP
				pm := pm * CASE WHEN agree[i][j] THEN m[j] ELSE 1 - m[j] END;
				pu := pu * CASE WHEN agree[i][j] THEN u[j] ELSE 1 - u[j] END;
			END LOOP;
			share := weight[i] * pm / (pm + pu);
			sum_m := sum_m + share;
			total := total + weight[i];
			FOR j IN 1 .. k LOOP
				IF agree[i][j] THEN
					agree_m[j] := agree_m[j] + share;
					agree_u[j] := agree_u[j] + weight[i] - share;
				END IF;
			END LOOP;
		END LOOP;
		change := 0;
		FOR j IN 1 .. k LOOP
			new := least(greatest(agree_m[j] / sum_m, 1e-6), 1 - 1e-6);
			change := greatest(change, abs(new - m[j]));
			m[j] := new;
			new := least(greatest(agree_u[j] / (total - sum_m), 1e-6), 1 - 1e-6);
			change := greatest(change, abs(new - u[j]));
			u[j] := new;
		END LOOP;
		new := least(greatest(sum_m / total, 1e-6), 1 - 1e-6);
		change := greatest(change, abs(new - prior));
		prior := new;
		EXIT WHEN change < 1e-10;
	END LOOP;
END
$$;

-- naive_probabilistic is sdc_link_probabilistic, nearest.
CREATE FUNCTION pg_temp.naive_probabilistic(source regclass, release regclass, names name[])
RETURNS TABLE (record text, linked text, weight float8, correct boolean, ties bigint) LANGUAGE plpgsql AS $$
DECLARE
	model record;
BEGIN
	model := pg_temp.naive_model(source, release, names);
	RETURN QUERY EXECUTE format($sql$
		WITH pair AS MATERIALIZED (SELECT s.id AS s, r.id AS r, %1$s AS weight FROM %2$s AS s CROSS JOIN %3$s AS r),
		best AS (SELECT s, max(weight) AS most FROM pair GROUP BY s)
		SELECT s::text, min(r)::text, min(most), bool_or(s = r), count(*)
		FROM pair JOIN best USING (s) WHERE most - weight <= 1e-9 * greatest(1, abs(most)) GROUP BY s
	$sql$, (SELECT string_agg(format('CASE WHEN s.%1$I = r.%1$I THEN %2$L::float8 ELSE %3$L::float8 END', x,
			ln(model.m[i] / model.u[i]) / ln(2), ln((1 - model.m[i]) / (1 - model.u[i])) / ln(2)), ' + ')
		FROM unnest(names) WITH ORDINALITY AS n (x, i)), source, release);
END
$$;

-- naive_interval is the interval disclosure of one attribute, or null without a cell.
CREATE FUNCTION pg_temp.naive_interval(source regclass, release regclass, name name)
RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
	result float8;
BEGIN
	EXECUTE format($sql$
		WITH cell AS (SELECT s.%1$I AS x, r.%1$I AS y FROM %2$s AS s JOIN %3$s AS r USING (id)),
		value AS (SELECT x AS v FROM cell UNION SELECT y FROM cell),
		place AS (SELECT v, count(*) FILTER (WHERE x < v) + 1 AS first, count(*) FILTER (WHERE x <= v) AS last
			FROM value, cell WHERE v IS NOT NULL GROUP BY v)
		SELECT 10 * sum((SELECT count(*) FROM generate_series(1, 10) AS p
				WHERE greatest(b.first - a.last, a.first - b.last, 0) * 100 <= p * n AND a.v <> b.v OR a.v = b.v))::float8 / count(*)
		FROM cell JOIN place AS a ON a.v = x JOIN place AS b ON b.v = y, (SELECT count(x) AS n FROM cell) AS c
	$sql$, name, source, release) INTO result;
	RETURN result;
END
$$;

-- naive_loss is sdc_information_loss without the probabilistic part, of numeric attributes.
CREATE FUNCTION pg_temp.naive_loss(source regclass, release regclass, names name[])
RETURNS TABLE (il1 float8, il2 float8, il3 float8, il4 float8, il5 float8, il float8, il1s float8,
	il1_left_out bigint, il2_left_out bigint, il3_left_out bigint, il4_left_out bigint, il5_left_out bigint, il1s_left_out bigint)
LANGUAGE plpgsql AS $$
DECLARE
	cells text := '';
	means text := '';
	pairs text := '';
	x text;
	y text;
BEGIN
	FOR i IN 1 .. cardinality(names) LOOP
		x := pg_temp.number_of(source, names[i], 's');
		y := pg_temp.number_of(source, names[i], 'r');
		cells := cells || format(' UNION ALL SELECT abs(%1$s - %2$s) / nullif(abs(%1$s), 0), abs(%1$s - %2$s) / sqrt(2) / nullif((SELECT stddev_samp(%1$s) FROM %3$s AS s), 0) '
			'FROM %3$s AS s JOIN %4$s AS r USING (id) WHERE num_nulls(%1$s, %2$s) = 0', x, y, source, release);
		means := means || format(' UNION ALL SELECT abs((avg(%1$s) - avg(%2$s)) / nullif(avg(%1$s), 0)), '
			'abs((var_samp(%1$s) - var_samp(%2$s)) / nullif(var_samp(%1$s), 0)) FROM %3$s AS s JOIN %4$s AS r USING (id)', x, y, source, release);
		FOR j IN i .. cardinality(names) LOOP
			pairs := pairs || format(' UNION ALL SELECT abs((covar_samp(%1$s, %2$s) - covar_samp(%3$s, %4$s)) / nullif(covar_samp(%1$s, %2$s), 0)), '
				'abs(corr(%1$s, %2$s) - corr(%3$s, %4$s)), %5$L::boolean FROM %6$s AS s JOIN %7$s AS r USING (id)',
				x, pg_temp.number_of(source, names[j], 's'), y, pg_temp.number_of(source, names[j], 'r'), i < j, source, release);
		END LOOP;
	END LOOP;
	RETURN QUERY EXECUTE format($sql$
		WITH cell (a, b) AS (SELECT 0::float8, 0::float8 WHERE false%s), mean (a, b) AS (SELECT 0::float8, 0::float8 WHERE false%s),
		pair (a, b, c) AS (SELECT 0::float8, 0::float8, false WHERE false%s),
		one AS (SELECT coalesce(avg(a), 0) AS il1, coalesce(avg(b), 0) AS il1s, count(*) - count(a) AS il1_left_out, count(*) - count(b) AS il1s_left_out FROM cell),
		two AS (SELECT coalesce(avg(a), 0) AS il2, coalesce(avg(b), 0) AS il4, count(*) - count(a) AS il2_left_out, count(*) - count(b) AS il4_left_out FROM mean),
		three AS (SELECT coalesce(avg(a), 0) AS il3, coalesce(avg(b) FILTER (WHERE c), 0) AS il5, count(*) - count(a) AS il3_left_out,
			count(*) FILTER (WHERE c) - count(b) FILTER (WHERE c) AS il5_left_out FROM pair)
		SELECT il1, il2, il3, il4, il5, 20 * (il1 + il2 + il3 + il4 + il5), il1s, il1_left_out, il2_left_out, il3_left_out, il4_left_out,
			il5_left_out, il1s_left_out
		FROM one, two, three
	$sql$, cells, means, pairs);
END
$$;

-- within is the probability that a standard normal is between -z and z, by the Taylor series of
-- the error function or, where that cancels, by the continued fraction of its complement.
CREATE FUNCTION pg_temp.within(z float8)
RETURNS float8 LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
	x CONSTANT float8 := z / sqrt(2::float8);
	fraction float8;
BEGIN
	IF z < 3 THEN
		RETURN 2 * pg_temp.normal_below(z) - 1;
	ELSIF z > 30 THEN
		RETURN 1;
	END IF;
	fraction := x;
	FOR k IN REVERSE 200 .. 1 LOOP
		fraction := x + k / 2.0 / fraction;
	END LOOP;
	RETURN 1 - exp(-x * x) / sqrt(pi()) / fraction;
END
$$;

-- naive_pil is the probabilistic part of sdc_information_loss, of attributes without nulls.  Variances
-- and covariances are those of samples (n - 1); their own variance is from central moments (n).
CREATE FUNCTION pg_temp.naive_pil(source regclass, release regclass, names name[])
RETURNS TABLE (pil_mean float8, pil_variance float8, pil_covariance float8, pil_correlation float8, pil_quantile float8)
LANGUAGE plpgsql AS $$
DECLARE
	ones text := '';
	twos text := '';
	quantiles text := '';
BEGIN
	FOR i IN 1 .. cardinality(names) LOOP
		ones := ones || format(' UNION ALL SELECT abs(my - mx) / sqrt(x2 / n), abs(y2 - x2) * n / (n - 1) / sqrt((x4 - x2 ^ 2) / n) '
			'FROM (SELECT avg((x - mx) ^ 2) AS x2, avg((x - mx) ^ 4) AS x4, avg((y - my) ^ 2) AS y2, min(mx) AS mx, min(my) AS my, count(*) AS n '
			'FROM (SELECT s.%1$I::float8 AS x, r.%1$I::float8 AS y, avg(s.%1$I::float8) OVER () AS mx, avg(r.%1$I::float8) OVER () AS my '
			'FROM %2$s AS s JOIN %3$s AS r USING (id)) AS d) AS m', names[i], source, release);
		quantiles := quantiles || format(' UNION ALL SELECT abs(b - a) / (sqrt(p * (1 - p) / n) / '
			'(SELECT avg(exp(greatest(-0.5 * ((a - %1$I::float8) / h) ^ 2, -700))) / h / sqrt(2 * pi()) FROM %2$s)) '
			'FROM (SELECT p, percentile_cont(p) WITHIN GROUP (ORDER BY %1$I::float8) AS a FROM %2$s, generate_series(1, 19) AS g, LATERAL (SELECT g / 20.0::float8) AS f (p) GROUP BY p) AS qa '
			'JOIN (SELECT p, percentile_cont(p) WITHIN GROUP (ORDER BY %1$I::float8) AS b FROM %3$s, generate_series(1, 19) AS g, LATERAL (SELECT g / 20.0::float8) AS f (p) GROUP BY p) AS qb USING (p), '
			'(SELECT count(*) AS n, 0.9 * least(stddev_samp(%1$I::float8), (percentile_cont(0.75) WITHIN GROUP (ORDER BY %1$I::float8) '
			'- percentile_cont(0.25) WITHIN GROUP (ORDER BY %1$I::float8)) / 1.34) * count(*) ^ -0.2::float8 AS h FROM %2$s) AS w', names[i], source, release);
		FOR j IN i + 1 .. cardinality(names) LOOP
			twos := twos || format(' UNION ALL SELECT abs(c - m11) * n / (n - 1) / sqrt((m22 - m11 ^ 2) / n), '
				'abs(r2 - m11 / sqrt(m20 * m02)) / sqrt(m11 ^ 2 / (m20 * m02) / n * (m22 / m11 ^ 2 + (m40 / m20 ^ 2 + m04 / m02 ^ 2 + 2 * m22 / (m20 * m02)) / 4 - m31 / (m11 * m20) - m13 / (m11 * m02))) '
				'FROM (SELECT avg(x * y) AS m11, avg(x ^ 2) AS m20, avg(y ^ 2) AS m02, avg(x ^ 4) AS m40, avg(y ^ 4) AS m04, avg(x ^ 2 * y ^ 2) AS m22, avg(x ^ 3 * y) AS m31, avg(x * y ^ 3) AS m13, count(*) AS n '
				'FROM (SELECT %1$I - avg(%1$I::float8) OVER () AS x, %2$I - avg(%2$I::float8) OVER () AS y FROM %3$s) AS d) AS m, '
				'(SELECT covar_pop(%1$I, %2$I) AS c, corr(%1$I, %2$I) AS r2 FROM %4$s) AS o', names[i], names[j], source, release);
		END LOOP;
	END LOOP;
	RETURN QUERY EXECUTE format($sql$
		WITH one (a, b) AS (SELECT 0::float8, 0::float8 WHERE false%s), two (a, b) AS (SELECT 0::float8, 0::float8 WHERE false%s),
		three (a) AS (SELECT 0::float8 WHERE false%s)
		SELECT (SELECT 100 * avg(pg_temp.within(a)) FROM one), (SELECT 100 * avg(pg_temp.within(b)) FROM one),
			(SELECT 100 * avg(pg_temp.within(a)) FROM two), (SELECT 100 * avg(pg_temp.within(b)) FROM two),
			(SELECT 100 * avg(pg_temp.within(a)) FROM three)
	$sql$, ones, twos, quantiles);
END
$$;
