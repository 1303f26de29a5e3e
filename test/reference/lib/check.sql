-- lib/check.sql
--		What the reference tests share: TAP lines and statistics.
--
-- To be included by \ir.  Everything is temporary but the schema sdc_check, where the
-- tests put their tables; finish.sql drops it.

\set QUIET on
\set ON_ERROR_STOP on
\pset format unaligned
\pset tuples_only on
\pset pager off
\pset null '[null]'

SET client_min_messages = error;	-- some attributes cannot change
SET extra_float_digits = 1;
SET jit = off;
DROP SCHEMA IF EXISTS sdc_check CASCADE;
CREATE SCHEMA sdc_check;

-- ok returns one TAP line, and what was found when the test failed.  A null
-- condition is a failure.
CREATE FUNCTION pg_temp.ok(condition boolean, name text, found text DEFAULT NULL)
RETURNS text LANGUAGE sql AS $$
	SELECT CASE WHEN condition IS TRUE THEN 'ok - ' || name
		ELSE 'not ok - ' || name || coalesce(E'\n#   found: ' || found, '') END
$$;

-- uniform is a number in [0, 1) that depends on nothing but its arguments, and
-- has nothing to do with the streams of the extension.
CREATE FUNCTION pg_temp.uniform(salt bigint, number bigint)
RETURNS float8 LANGUAGE sql IMMUTABLE AS $$
	SELECT (hashint8extended(number, salt) & 4503599627370495) / 4503599627370496.0::float8
$$;

-- normal_below is the probability that a standard normal is below z, |z| <= 5, by the
-- Taylor series of the error function.
CREATE FUNCTION pg_temp.normal_below(z float8)
RETURNS float8 LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
	x CONSTANT float8 := greatest(least(z, 5), -5) / sqrt(2::float8);
	term float8 := x;
	sum float8 := x;
BEGIN
	FOR k IN 1 .. 200 LOOP
		term := -term * x * x / k;
		sum := sum + term / (2 * k + 1);
		EXIT WHEN abs(term) < 1e-20;
	END LOOP;
	RETURN 0.5 + sum / sqrt(pi());
END
$$;

-- chi_square_limit is the value that a chi-square variable exceeds with
-- a probability of 1 in 10,000 (E. B. Wilson, M. M. Hilferty, 1931).
CREATE FUNCTION pg_temp.chi_square_limit(degrees int)
RETURNS float8 LANGUAGE sql IMMUTABLE AS $$
	SELECT CASE WHEN degrees = 0 THEN 1e-6	-- a single outcome
		ELSE degrees * (1 - 2 / (9.0 * degrees) + 3.719016 * sqrt(2 / (9.0 * degrees))) ^ 3 END
$$;

-- chi_square_ok compares counts with expected counts.  Cells that are expected
-- less than 5 times are put together.
CREATE FUNCTION pg_temp.chi_square_ok(observed float8[], expected float8[], name text)
RETURNS text LANGUAGE sql AS $$
	WITH cells AS (
		SELECT sum(o) AS o, sum(e) AS e
		FROM unnest(observed, expected) WITH ORDINALITY AS u (o, e, i)
		GROUP BY CASE WHEN e < 5 THEN 0 ELSE i END
	), total AS (
		SELECT sum((o - e) ^ 2 / nullif(e, 0)) AS chi_square, count(*)::int - 1 AS degrees,
			sum(o) AS o, sum(e) AS e, bool_or(e = 0 AND o > 0) AS impossible
		FROM cells
	)
	SELECT pg_temp.ok(NOT impossible AND abs(o - e) < 1e-6 * e
			AND chi_square < pg_temp.chi_square_limit(degrees),
		format('%s: chi-square below its 1 in 10,000 limit %s (%s degrees)', name,
			round(pg_temp.chi_square_limit(degrees)::numeric, 1), degrees),
		format('chi-square %s, observed %s, expected %s', chi_square, o, e))
	FROM total
$$;
