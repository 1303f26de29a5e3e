-- rankswap_figures.sql
--		Published and recomputed figures for rank swapping.
--
-- The figures are those that an independent implementation of J. Nin, J. Herranz,
-- V. Torra, "Rethinking rank swapping to decrease disclosure risk" (2008) gives on
-- Census and EIA, as means over seeds.  Loss and attacks are computed here in plain SQL, so
-- that only the protection is under test.  Fixed seeds 1, 2, ...

\ir lib/check.sql

CREATE FUNCTION pg_temp.columns_of(relation text, count int DEFAULT 1600)
RETURNS name[] LANGUAGE sql AS $$
	SELECT (array_agg(attname ORDER BY attnum))[:count] FROM pg_attribute
	WHERE attrelid = relation::regclass AND attnum > 0 AND NOT attisdropped AND attname <> 'id'
$$;

-- protect makes one release.
CREATE FUNCTION pg_temp.protect(source text, method text, parameter text, seed int)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('SELECT FROM sdc_%s(%L, %s, target => ''sdc_check.release'', seed => %s, replace => true)',
		method, source, parameter, seed);
END
$$;

-- information_loss is IL = 20 (IL1 + ... + IL5) of that release.
CREATE FUNCTION pg_temp.information_loss(source text)
RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
	result float8;
BEGIN
	EXECUTE format($sql$
		CREATE TEMP TABLE cell ON COMMIT DROP AS
		SELECT s.id, j, x, y FROM %s AS s JOIN sdc_check.release AS p USING (id),
			unnest(ARRAY[%s]::float8[], ARRAY[%s]::float8[]) WITH ORDINALITY AS c (x, y, j)
	$sql$, source,
		(SELECT string_agg('s.' || quote_ident(c), ', ') FROM unnest(pg_temp.columns_of(source)) AS c),
		(SELECT string_agg('p.' || quote_ident(c), ', ') FROM unnest(pg_temp.columns_of(source)) AS c));
	WITH pair AS (
		SELECT a.j AS i, b.j, covar_samp(a.x, b.x) AS v, covar_samp(a.y, b.y) AS w,
			corr(a.x, b.x) AS r, corr(a.y, b.y) AS q
		FROM cell AS a JOIN cell AS b ON a.id = b.id AND a.j <= b.j
		GROUP BY a.j, b.j
	), mean AS (
		SELECT avg(x) AS m, avg(y) AS k, var_samp(x) AS v, var_samp(y) AS w FROM cell GROUP BY j
	)
	SELECT 20 * ((SELECT avg(abs(x - y) / abs(x)) FROM cell WHERE x <> 0) +
		(SELECT avg(abs(m - k) / abs(m)) + avg(abs(v - w) / v) FROM mean) +
		(SELECT avg(abs(v - w) / abs(v)) + avg(abs(r - q)) FILTER (WHERE i < j) FROM pair))
	INTO result;
	DROP TABLE cell;
	RETURN result;
END
$$;

-- links counts the correct links of the rank swapping attack by whoever knows the
-- first attributes: the nearest, by standardised Euclidean distance, of the records whose
-- protected values all lie within reach positions of the tie groups of the known ones.
-- Without reach it is the distance attack.  Only every step-th record is attacked.
CREATE FUNCTION pg_temp.links(source text, known int, reach int, step int DEFAULT 1)
RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
	names CONSTANT name[] := pg_temp.columns_of(source, known);
	variance float8;
	distance text := '0.0::float8';
	inside text := '';
	result float8;
BEGIN
	EXECUTE format('CREATE TEMP TABLE bounds ON COMMIT DROP AS SELECT id FROM %s WHERE id %% %s = 0', source, step);
	FOR j IN 1 .. known LOOP
		EXECUTE format('ALTER TABLE bounds ADD x%1$s float8, ADD low%1$s float8, ADD high%1$s float8', j);
		EXECUTE format($sql$
			WITH place AS MATERIALIZED (
				SELECT id, %1$I::float8 AS x, rank() OVER same AS first,
					rank() OVER same + count(*) OVER (PARTITION BY %1$I) - 1 AS last
				FROM %2$s WINDOW same AS (ORDER BY %1$I)
			), sorted AS MATERIALIZED (
				SELECT array_agg(x ORDER BY x) AS v, count(*) AS n FROM place
			)
			UPDATE bounds AS b SET x%4$s = x, low%4$s = v[greatest(1, first - %3$s)],
				high%4$s = v[least(n, last + %3$s)]
			FROM place, sorted
			WHERE b.id = place.id
		$sql$, names[j], source, coalesce(reach, 0), j);
		EXECUTE format('SELECT var_samp(%I::float8) FROM %s', names[j], source) INTO variance;
		distance := distance || format(' + (b.x%1$s - r.y%1$s) * (b.x%1$s - r.y%1$s) / %2$L::float8', j, variance);
		CONTINUE WHEN reach IS NULL;
		inside := inside || format(' AND y%1$s BETWEEN low%1$s AND high%1$s', j);
	END LOOP;
	EXECUTE format('CREATE TEMP TABLE released ON COMMIT DROP AS SELECT id, %s FROM sdc_check.release',
		(SELECT string_agg(format('%I::float8 AS y%s', c, j), ', ') FROM unnest(names) WITH ORDINALITY AS u (c, j)));
	ANALYZE bounds, released;
	EXECUTE format($sql$
		SELECT coalesce(sum(1.0 / ties), 0)
		FROM (SELECT b.*, %1$s AS own FROM bounds AS b JOIN released AS r USING (id)
			WHERE true%2$s OFFSET 0) AS b,
			LATERAL (SELECT min(%1$s) AS least FROM released AS r WHERE true%2$s) AS nearest,
			LATERAL (SELECT count(*) AS ties FROM released AS r
				WHERE own <= least * (1 + 1e-9) AND %1$s <= least * (1 + 1e-9)%2$s) AS tied
		WHERE own <= least * (1 + 1e-9)
	$sql$, distance, inside) INTO result;
	DROP TABLE bounds, released;
	RETURN result;
END
$$;

-- attack protects a file and returns the percentage of links.
CREATE FUNCTION pg_temp.attack(source text, method text, parameter text, known int, reach int,
	step int DEFAULT 1)
RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
	records bigint;
BEGIN
	PERFORM pg_temp.protect(source, method, parameter, 1);
	SELECT count(*) INTO records FROM sdc_check.release WHERE id % step = 0;
	RETURN 100 * pg_temp.links(source, known, reach, step) / records;
END
$$;

-- near_ok compares a figure.
CREATE FUNCTION pg_temp.near_ok(found float8, expected float8, tolerance float8, name text)
RETURNS text LANGUAGE sql AS $$
	SELECT pg_temp.ok(abs(found - expected) <= tolerance,
		format('%s: %s within %s', name, expected, tolerance), found::text)
$$;

--
-- Information loss, mean of three seeds (the deviation between seeds is 0.5)
--
CREATE FUNCTION pg_temp.loss(source text, method text, parameter text, seed int)
RETURNS float8 LANGUAGE plpgsql AS $$
BEGIN
	PERFORM pg_temp.protect(source, method, parameter, seed);
	RETURN pg_temp.information_loss(source);
END
$$;
SELECT pg_temp.near_ok(avg(pg_temp.loss('ref.eia', method, parameter, seed)), expected, 1,
	format('information loss of EIA, %s %s', method, parameter))
FROM (VALUES ('rankswap', 'p => 8', 18.6), ('rankswap_distribution', 'p => 8', 20.2),
	('rankswap_buckets', 'buckets => 30', 15.9)) AS v (method, parameter, expected),
	generate_series(1, 3) AS seed
GROUP BY method, parameter, expected
ORDER BY method;

--
-- Links, one seed (the deviation between seeds is about 1.1 points)
--
SELECT pg_temp.near_ok(pg_temp.attack('ref.census', 'rankswap', 'p => ' || p, 7, round(10.8 * p)::int),
	expected, least(4.5, 0.5 + (100 - expected)),
	format('percent of Census linked by the rank swapping attack, standard p = %s, 7 known', p))
FROM (VALUES (2, 100), (4, 98.9), (6, 93.8), (8, 83.7), (10, 69.3)) AS v (p, expected);

SELECT pg_temp.near_ok(pg_temp.attack('ref.census', 'rankswap', 'p => 20', 13, 216), 64, 4.5,
	'percent of Census linked by the rank swapping attack, standard p = 20, 13 known');

SELECT pg_temp.near_ok(pg_temp.attack('ref.census', 'rankswap_distribution', 'p => 2', known, 22), expected, 4.5,
	format('percent of Census linked by the rank swapping attack, distribution p = 2, %s known', known))
FROM (VALUES (3, 56.3), (4, 48.7), (5, 41.1)) AS v (known, expected);

SELECT pg_temp.near_ok(pg_temp.attack('ref.census', 'rankswap_buckets', 'buckets => 75', known, 30), expected, 4.5,
	format('percent of Census linked by the rank swapping attack, 75 buckets, %s known', known))
FROM (VALUES (3, 49.1), (13, 9.2)) AS v (known, expected);

-- every third record is attacked: four deviations, those of the choice included
SELECT pg_temp.near_ok(40.92 * pg_temp.attack('ref.eia', 'rankswap_distribution', 'p => ' || p, 5, NULL, 3),
	expected, tolerance,
	format('links by distance of EIA, distribution p = %s, 5 known', p))
FROM (VALUES (2, 1263, 170), (4, 350, 130)) AS v (p, expected, tolerance);

\ir lib/finish.sql
