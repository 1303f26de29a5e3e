--
-- numeric
--
-- Ranges of binary numbers are asked without losing one: sdc_numeric, and what casts lose.
--
\pset format unaligned
\pset footer off

CREATE SCHEMA numbers;
SET search_path = numbers, public;
SET maintenance_work_mem = '64MB';	-- whatever the server has
SET client_min_messages = warning;

-- Numbers of all sizes, and some that stand next to each other.
CREATE TABLE drawn AS
SELECT i AS id, (helper.uniform(i, 61) - 0.5) * 10.0::float8 ^ (helper.below(i, 62, 40) - 20) AS x, (helper.uniform(i, 63) * 10.0::float8 ^ (helper.below(i, 64, 20) - 10))::real AS y
FROM generate_series(1, 5000) AS i;
INSERT INTO drawn SELECT 5000 + i, (1 + i * 2.0::float8 ^ -52) * 1000, (0.1::real + i * 2.0::float8 ^ -27)::real FROM generate_series(1, 100) AS i;
ALTER TABLE drawn ADD PRIMARY KEY (id);
SELECT count(DISTINCT x) > 5000 AS x, count(DISTINCT y) > 5000 AS y FROM drawn;

-- Groups of two records: every value is an end of a range.
SELECT attribute, action, records FROM sdc_generalize('drawn', '{x,y}', k => 2);
SELECT pg_typeof(x) AS x, pg_typeof(y) AS y FROM drawn_generalize LIMIT 1;

-- asked counts the records whose own range does not have their value.
CREATE FUNCTION asked(digits int, OUT missed_x bigint, OUT missed_y bigint, OUT missed_by_cast bigint, OUT missed_by_text bigint) LANGUAGE plpgsql AS $$
BEGIN
	PERFORM set_config('extra_float_digits', digits::text, true);
	EXECUTE 'SELECT count(*) FILTER (WHERE NOT r.x @> sdc_numeric(d.x)), count(*) FILTER (WHERE NOT r.y @> sdc_numeric(d.y)), count(*) FILTER (WHERE NOT r.x @> d.x::numeric), '
		'count(*) FILTER (WHERE NOT r.x @> d.x::text::numeric) FROM drawn AS d JOIN drawn_generalize AS r USING (id)'
	INTO missed_x, missed_y, missed_by_cast, missed_by_text;
END
$$;
SELECT digits, missed_x, missed_y, missed_by_cast > 1000 AS cast_misses, missed_by_text > 1000 AS text_misses, missed_by_text = 0 AS text_has_all
FROM (VALUES (-15), (-3), (0), (1), (3)) AS v (digits), LATERAL asked(digits) ORDER BY digits;
-- nor is one found in a group that does not have it: the ranges are as narrow as they can be
SELECT count(*) AS groups, bool_and(lower(r.x) = sdc_numeric(least) AND upper(r.x) = sdc_numeric(greatest) AND lower_inc(r.x) AND upper_inc(r.x)) AS ends,
	bool_and(lower(r.x)::float8 = least AND upper(r.x)::float8 = greatest) AS exact
FROM (SELECT group_id, min(d.x) AS least, max(d.x) AS greatest, (array_agg(r.x))[1] AS x FROM drawn AS d JOIN drawn_generalize AS r USING (id) GROUP BY group_id) AS r;

-- The number itself, and no shorter one: the text that the server writes with enough digits.
SET extra_float_digits = 1;
SELECT bool_and(sdc_numeric(x)::float8 = x) AS x, bool_and(sdc_numeric(y)::real = y) AS y, bool_and(sdc_numeric(x) = x::text::numeric) AS text_x, bool_and(sdc_numeric(y) = y::text::numeric) AS text_y FROM drawn;
SET extra_float_digits = 0;
SELECT bool_and(sdc_numeric(x)::float8 = x) AS x, bool_and(sdc_numeric(y)::real = y) AS y, bool_and(sdc_numeric(x) = x::text::numeric) AS text_x, bool_and(sdc_numeric(y) = y::text::numeric) AS text_y FROM drawn;
SELECT bool_and(sdc_numeric(a.x) < sdc_numeric(b.x)) AS in_order FROM (SELECT x, lead(x) OVER (ORDER BY x) AS next FROM (SELECT DISTINCT x FROM drawn) AS d) AS a, LATERAL (SELECT a.next AS x) AS b WHERE a.next IS NOT NULL;

-- By hand, and at the ends of the types.
SELECT sdc_numeric(0.1::float8) AS tenth, sdc_numeric(0.1::real) AS real_tenth, sdc_numeric(0.1::real::float8) AS widened, sdc_numeric(1 / 3.0::float8) AS third, sdc_numeric(-0.0::float8) AS zero, sdc_numeric(123456789012345678901234567890.5) AS same;
SELECT sdc_numeric('NaN'::float8) AS nan, sdc_numeric('-Infinity'::float8) AS infinity, sdc_numeric('NaN'::real) AS real_nan, sdc_numeric('Infinity'::real) AS real_infinity;
SELECT sdc_numeric('5e-324'::float8) = 5e-324 AS least, sdc_numeric('1.7976931348623157e308'::float8) = 1.7976931348623157e308 AS greatest, sdc_numeric('1e-45'::real) = 1e-45 AS real_least, sdc_numeric('3.4028235e38'::real) = 3.4028235e38 AS real_greatest;
SELECT sdc_numeric(NULL::float8) IS NULL AS null, sdc_numeric(NULL::real) IS NULL AS real_null, sdc_numeric(NULL::numeric) IS NULL AS numeric_null, sdc_numeric(7) AS integer;
SELECT helper.catch($$SELECT sdc_numeric('x'::text)$$);
SELECT helper.catch($$SELECT sdc_numeric(1.5::float8::numeric::money)$$);

DROP SCHEMA numbers CASCADE;
