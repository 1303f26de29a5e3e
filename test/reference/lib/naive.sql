-- lib/naive.sql
--		The three methods written down a second time, as plainly as they are defined.
--
-- draw is the distribution of one draw; exact_swaps all outcomes of a small file with
-- their probabilities; simulate one outcome of a large one.  Positions count from 1,
-- partner[l] is 0 as long as position l is unswapped, and l itself if it stays.

-- draw returns the candidates of position i with their probabilities; none if i stays.
-- parameter is the window, 0.5 p n / 100, or the number of buckets.
CREATE FUNCTION pg_temp.draw(method text, parameter float8, partner int[], i int)
RETURNS TABLE (l int, probability float8) LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
	n CONSTANT int := cardinality(partner);
BEGIN
	IF method = 'rankswap' THEN
		RETURN QUERY
		SELECT c, 1 / (count(*) OVER ())::float8
		FROM generate_series(i + 1, least(i + parameter::int, n)) AS c
		WHERE partner[c] = 0;
	ELSIF method = 'rankswap_distribution' THEN
		RETURN QUERY
		WITH distance AS (
			SELECT r, pg_temp.normal_below((r + 0.5 - parameter) / parameter) -
				pg_temp.normal_below((r - 0.5 - parameter) / parameter) AS weight
			FROM generate_series(1, n - i) AS r
		)
		SELECT near.c, sum(weight) / (SELECT sum(weight) FROM distance)
		FROM distance, LATERAL (SELECT c FROM generate_series(i + 1, n) AS c
			WHERE partner[c] = 0 ORDER BY abs(c - i - r), c LIMIT 1) AS near
		GROUP BY near.c;
	ELSE
		RETURN QUERY
		WITH candidate AS (
			SELECT c, floor((c - 1) * parameter / n)::int - floor((i - 1) * parameter / n)::int AS step
			FROM generate_series(i + 1, n) AS c
			WHERE partner[c] = 0
		), bucket AS (
			SELECT step, 2::float8 ^ -(step + 1) AS weight, count(*) AS members
			FROM candidate GROUP BY step
		)
		SELECT c, weight / members / (SELECT sum(weight) FROM bucket)
		FROM candidate JOIN bucket USING (step);
	END IF;
END
$$;

-- exact_swaps returns every possible outcome for n positions: their partners, 0 if that
-- is open yet after the turns of the first positions.
CREATE FUNCTION pg_temp.exact_swaps(method text, parameter float8, n int, turns int DEFAULT 1600)
RETURNS TABLE (partner int[], probability float8) LANGUAGE sql AS $$
	WITH RECURSIVE walk (i, partner, probability) AS (
		SELECT 1, array_fill(0, ARRAY[n]), 1::float8
		UNION ALL
		SELECT i + 1,
			CASE WHEN partner[i] > 0 THEN partner
				WHEN l IS NULL THEN partner[:i - 1] || i || partner[i + 1:]
				ELSE partner[:i - 1] || l || partner[i + 1:l - 1] || i || partner[l + 1:] END,
			walk.probability * coalesce(draw.probability, 1)
		FROM walk LEFT JOIN LATERAL pg_temp.draw(method, parameter, partner, i) AS draw
			ON partner[i] = 0
		WHERE i <= least(n, turns)
	)
	SELECT partner, sum(probability) FROM walk WHERE i > least(n, turns) GROUP BY partner
$$;

-- simulate draws one outcome for n positions, by rejection: a position, or a bucket,
-- is drawn again until it fits.
CREATE FUNCTION pg_temp.simulate(method text, parameter float8, n int, salt bigint)
RETURNS int[] LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
	partner int[] := array_fill(0, ARRAY[n]);
	drawn bigint := 0;
	window_end int;
	tries int;
	l int;
	own int;
	bucket int;
	first int;
	last int;
	up int;
	down int;
BEGIN
	FOR i IN 1 .. n - 1 LOOP
		CONTINUE WHEN partner[i] > 0;
		l := 0;
		IF method = 'rankswap' THEN
			window_end := least(i + parameter::int, n);
			tries := 0;
			LOOP
				tries := tries + 1;
				drawn := drawn + 1;
				l := i + 1 + floor(pg_temp.uniform(salt, drawn) * (window_end - i))::int;
				EXIT WHEN partner[l] = 0;
				IF tries = 1000 THEN	-- next to nothing is free: list it
					SELECT c INTO l FROM generate_series(i + 1, window_end) AS c
					WHERE partner[c] = 0 ORDER BY pg_temp.uniform(salt + c, drawn) LIMIT 1;
					EXIT;
				END IF;
			END LOOP;
			IF l IS NULL THEN
				partner[i] := i;
				CONTINUE;
			END IF;
		ELSIF method = 'rankswap_distribution' THEN
			LOOP	-- by Box and Muller
				drawn := drawn + 2;
				l := i + round(parameter + parameter *
					sqrt(-2 * ln(1 - pg_temp.uniform(salt, drawn))) *
					cos(2 * pi() * pg_temp.uniform(salt, drawn + 1)))::int;
				EXIT WHEN l > i AND l <= n;
			END LOOP;
			up := l;
			down := l;
			WHILE up <= n AND partner[up] > 0 LOOP
				up := up + 1;
			END LOOP;
			WHILE down > i AND partner[down] > 0 LOOP
				down := down - 1;
			END LOOP;
			IF down > i AND (up > n OR l - down <= up - l) THEN
				l := down;
			ELSIF up <= n THEN
				l := up;
			ELSE
				partner[i] := i;
				CONTINUE;
			END IF;
		ELSE
			own := floor((i - 1) * parameter / n)::int;
			tries := 0;
			LOOP
				tries := tries + 1;
				IF tries > 20000 THEN	-- only i is left
					EXIT;
				END IF;
				drawn := drawn + 2;
				bucket := own + floor(-log(2, (1 - pg_temp.uniform(salt, drawn))::numeric))::int;
				CONTINUE WHEN bucket >= parameter;
				first := greatest(i, ceil(bucket * n / parameter)::int) + 1;
				last := ceil((bucket + 1) * n / parameter)::int;
				CONTINUE WHEN first > last;
				-- one try in a bucket that has a free place would favour full
				-- ones too little, so the bucket is kept until one is found
				up := first;
				WHILE up <= last AND partner[up] > 0 LOOP
					up := up + 1;
				END LOOP;
				CONTINUE WHEN up > last;
				LOOP
					drawn := drawn + 2;
					l := first + floor(pg_temp.uniform(salt, drawn) * (last - first + 1))::int;
					EXIT WHEN partner[l] = 0;
				END LOOP;
				EXIT;
			END LOOP;
			IF l = 0 THEN
				partner[i] := i;
				CONTINUE;
			END IF;
		END IF;
		partner[i] := l;
		partner[l] := i;
	END LOOP;
	IF partner[n] = 0 THEN
		partner[n] := n;
	END IF;
	RETURN partner;
END
$$;
