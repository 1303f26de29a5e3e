-- binswap_univariate.sql
--		What section 2 of the paper on multivariate equi-width swapping cites: univariate swapping by halves (Carlson and
--		Salabasis 2002), and data shuffling (Muralidhar and Sarathy 2006), beside MEDS.
--
-- The first two columns of Abalone and of MAGIC are swapped.  Halves: the records are divided at random into two halves, for each
-- column anew; the values of the records that have the same rank in their halves are exchanged.  Shuffling: the two columns and all others are
-- taken as normal scores; the two are drawn from their conditional normal distribution given the others; a record gets the
-- original value whose rank is that of what was drawn.  The bias is the mean of |r - r'| over all pairs of columns; who is
-- linked is found at the least distance by the two columns alone, in percent; MEDS has 81 and 327 bins.  SEEDS draws.
--
-- verdict: holds: swapping by halves keeps correlations well
-- verdict: holds: swapping by halves provides practically no protection (more are linked than after MEDS)
-- verdict: holds: shuffling minimizes the risk (fewer are linked than after MEDS)

CREATE TABLE paper.run (source text, method text, seed int, bias float8, inside float8, linked float8, moved float8);
CREATE FUNCTION paper.names(source text) RETURNS name[] LANGUAGE sql AS $$
	SELECT array_agg(attname ORDER BY attnum) FROM pg_attribute WHERE attrelid = source::regclass AND attnum > 0 AND NOT attisdropped AND attname <> 'id'
$$;

-- halves makes a release; an odd record keeps its value.
CREATE PROCEDURE paper.halves(source text, names name[], seed int) LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE (SELECT format('CREATE TABLE paper.made AS SELECT t.id, %s FROM %s AS t %s',
		string_agg(CASE WHEN n <= 2 THEN format('h%s.value AS %I', n, c) ELSE format('t.%I', c) END, ', '), source,
		string_agg(format('JOIN (WITH half AS (SELECT id, %1$I AS value, ntile(2) OVER (ORDER BY paper.uniform(id, %2$s)) AS half FROM %3$s),
			ranked AS (SELECT *, row_number() OVER (PARTITION BY half ORDER BY value, paper.uniform(id, %2$s + 1)) AS rank FROM half)
			SELECT a.id, coalesce(b.value, a.value) AS value FROM ranked AS a LEFT JOIN ranked AS b ON b.rank = a.rank AND b.half <> a.half) AS h%4$s USING (id)', c, 1000 * seed + 10 * n, source, n), ' ') FILTER (WHERE n <= 2))
		FROM unnest(names) WITH ORDINALITY AS u (c, n));
END
$$;

-- solve solves a system of linear equations by elimination; the matrix is that of a covariance.
CREATE FUNCTION paper.solve(matrix float8[], side float8[]) RETURNS float8[] LANGUAGE plpgsql AS $$
DECLARE
	n CONSTANT int := array_length(side, 1);
	factor float8;
BEGIN
	FOR i IN 1 .. n LOOP
		FOR j IN 1 .. n LOOP
			CONTINUE WHEN j = i;
			factor := matrix[j][i] / matrix[i][i];
			FOR k IN i .. n LOOP
				matrix[j][k] := matrix[j][k] - factor * matrix[i][k];
			END LOOP;
			side[j] := side[j] - factor * side[i];
		END LOOP;
	END LOOP;
	RETURN ARRAY(SELECT side[i] / matrix[i][i] FROM generate_series(1, n) AS i);
END
$$;
-- quantile is the inverse of the normal distribution: Abramowitz and Stegun 26.2.23, off by less than 0.00045.
CREATE FUNCTION paper.quantile(p float8) RETURNS float8 LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
	t CONSTANT float8 := sqrt(-2 * ln(least(p, 1 - p)));
BEGIN
	RETURN sign(p - 0.5) * (t - (2.515517 + 0.802853 * t + 0.010328 * t * t) / (1 + 1.432788 * t + 0.189269 * t * t + 0.001308 * t * t * t));
END
$$;
-- scores makes normal scores of all columns.
CREATE PROCEDURE paper.scores(source text, names name[]) LANGUAGE plpgsql AS $$
BEGIN
	DROP TABLE IF EXISTS paper.score;
	EXECUTE (SELECT format('CREATE TABLE paper.score AS SELECT id, %s FROM %s', string_agg(format('paper.quantile(((rank() OVER (ORDER BY %1$I) + count(*) OVER (PARTITION BY %1$I) / 2.0 - 0.5) / (count(*) OVER () + 1))::float8) AS %1$I', c), ', '), source) FROM unnest(names) AS c);
END
$$;
-- correlation is that of two columns of the scores.
CREATE FUNCTION paper.correlation(a name, b name) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
	result float8;
BEGIN
	EXECUTE format('SELECT corr(%I, %I) FROM paper.score', a, b) INTO result;
	RETURN result;
END
$$;
-- shuffle makes a release from paper.score.
CREATE PROCEDURE paper.shuffle(source text, names name[], seed int) LANGUAGE plpgsql AS $$
DECLARE
	others CONSTANT name[] := names[3:];
	matrix CONSTANT float8[] := ARRAY(SELECT ARRAY(SELECT paper.correlation(a, b) FROM unnest(others) AS b) FROM unnest(others) AS a);
	side1 CONSTANT float8[] := ARRAY(SELECT paper.correlation(names[1], b) FROM unnest(others) AS b);
	side2 CONSTANT float8[] := ARRAY(SELECT paper.correlation(names[2], b) FROM unnest(others) AS b);
	slope1 CONSTANT float8[] := paper.solve(matrix, side1);
	slope2 CONSTANT float8[] := paper.solve(matrix, side2);
	v11 CONSTANT float8 := 1 - (SELECT sum(a * b) FROM unnest(slope1, side1) AS u (a, b));
	v22 CONSTANT float8 := 1 - (SELECT sum(a * b) FROM unnest(slope2, side2) AS u (a, b));
	v12 CONSTANT float8 := paper.correlation(names[1], names[2]) - (SELECT sum(a * b) FROM unnest(slope1, side2) AS u (a, b));
BEGIN
	EXECUTE (SELECT format('CREATE TABLE paper.made AS WITH drawn AS (SELECT id, %1$s + %3$s * e1 AS y1, %2$s + %4$s * e1 + %5$s * e2 AS y2
			FROM (SELECT *, paper.normal(id, %6$s) AS e1, paper.normal(id, %6$s + 1) AS e2 FROM paper.score) AS s),
		ranked AS (SELECT id, row_number() OVER (ORDER BY y1) AS r1, row_number() OVER (ORDER BY y2) AS r2 FROM drawn)
		SELECT t.id, x.value AS %7$I, y.value AS %8$I, %9$s FROM %10$s AS t JOIN ranked USING (id)
		JOIN (SELECT %7$I AS value, row_number() OVER (ORDER BY %7$I) AS r1 FROM %10$s) AS x USING (r1) JOIN (SELECT %8$I AS value, row_number() OVER (ORDER BY %8$I) AS r2 FROM %10$s) AS y USING (r2)',
		string_agg(format('%L::float8 * %I', slope1[n], c), ' + '), string_agg(format('%L::float8 * %I', slope2[n], c), ' + '), sqrt(v11), v12 / sqrt(v11), sqrt(v22 - v12 ^ 2 / v11), 500 + 2 * seed,
		names[1], names[2], string_agg(format('t.%I', c), ', '), source) FROM unnest(others) WITH ORDINALITY AS u (c, n));
END
$$;
-- compare measures paper.made.
CREATE PROCEDURE paper.compare(source text, method text, names name[], seed int) LANGUAGE plpgsql AS $$
DECLARE
	pairs CONSTANT int := cardinality(names) * (cardinality(names) - 1) / 2;
BEGIN
	ALTER TABLE paper.made ADD PRIMARY KEY (id);
	PERFORM sdc_register(source::regclass, 'paper.made', names[:2], '{id}');
	EXECUTE format('INSERT INTO paper.run SELECT %L, %L, %s, (SELECT bias FROM sdc_correlation_bias(''paper.made'')), abs(corr(s.%5$I, s.%6$I) - corr(r.%5$I, r.%6$I)),
		(SELECT 100 * avg(CASE WHEN correct THEN 1.0 / ties ELSE 0 END) FROM sdc_link_distance(''paper.made'', %7$L)), 100 * avg(abs(p - q)) / count(*)
		FROM %4$I AS s JOIN paper.made AS r USING (id) JOIN (SELECT id, rank() OVER (ORDER BY %5$I) AS p FROM %4$I) AS a USING (id) JOIN (SELECT id, rank() OVER (ORDER BY %5$I) AS q FROM paper.made) AS b USING (id)',
		source, method, seed, source, names[1], names[2], names[:2]);
	DROP TABLE paper.made;
	COMMIT;
END
$$;
CREATE PROCEDURE paper.measure_all(seeds int) LANGUAGE plpgsql AS $$
DECLARE
	source text;
	names name[];
BEGIN
	FOREACH source IN ARRAY '{abalone,magic}'::text[] LOOP
		names := paper.names(source);
		CALL paper.scores(source, names);
		FOR seed IN 1 .. seeds LOOP
			CALL paper.halves(source, names, seed);
			CALL paper.compare(source, 'halves', names, seed);
			CALL paper.shuffle(source, names, seed);
			CALL paper.compare(source, 'shuffling', names, seed);
			EXECUTE format('CREATE TABLE paper.made AS SELECT * FROM sdc_equidepth_swap(NULL::%I, %s, columns => %L, seed => %s)', source, CASE source WHEN 'abalone' THEN 51 ELSE 58 END, names[:2], seed);
			CALL paper.compare(source, 'MEDS', names, seed);
		END LOOP;
	END LOOP;
END
$$;
CALL paper.measure_all(:seeds);

CREATE VIEW paper.result AS SELECT source, method, avg(bias) AS bias, avg(inside) AS inside, avg(linked) AS linked, stddev_samp(linked) AS spread, avg(moved) AS moved FROM paper.run GROUP BY source, method;
\echo 'Bias, change of the correlation inside the set, percent linked by the two columns, mean move in percent of the ranks'
SELECT format('%s, %s: %s, %s, %s +- %s, %s', source, method, round(bias::numeric, 4), round(inside::numeric, 3), round(linked::numeric, 1), round(spread::numeric, 1), round(moved::numeric, 1)) FROM paper.result ORDER BY source, method;
-- of an independent implementation, whose draws of halves differ by 2.3 and 3.6 from one another, and whose scores are its own
SELECT paper.near(format('%s, %s: linked', source, method), linked, expected, tolerance) FROM paper.result JOIN (VALUES ('abalone', 'halves', 5.5, 2.3), ('abalone', 'MEDS', 1.8, 0.3), ('abalone', 'shuffling', 0.2, 0.15), ('magic', 'halves', 9.1, 10.8)) AS e (source, method, expected, tolerance) USING (source, method) ORDER BY source, method;
SELECT paper.near(format('%s, %s: bias times 10,000', source, method), 1e4 * bias, expected, tolerance) FROM paper.result JOIN (VALUES ('abalone', 'halves', 7, 3), ('abalone', 'MEDS', 11, 3), ('abalone', 'shuffling', 13, 6), ('magic', 'shuffling', 240, 100)) AS e (source, method, expected, tolerance) USING (source, method) ORDER BY source, method;

SELECT paper.claim('swapping by halves keeps correlations well', bool_and(bias < 0.002 AND inside < 0.01)) FROM paper.result WHERE method = 'halves';
SELECT paper.claim('swapping by halves provides practically no protection (more are linked than after MEDS)', bool_and(h.linked > d.linked)) FROM paper.result AS h JOIN paper.result AS d USING (source) WHERE (h.method, d.method) = ('halves', 'MEDS');
SELECT paper.claim('shuffling minimizes the risk (fewer are linked than after MEDS)', bool_and(s.linked < d.linked)) FROM paper.result AS s JOIN paper.result AS d USING (source) WHERE (s.method, d.method) = ('shuffling', 'MEDS');
