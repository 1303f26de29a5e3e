----------------------------------------------------------------------
-- Release: limits
----------------------------------------------------------------------

-- What is beyond its limit by a part in 1e9 keeps it: sums of shares are rounded.
CREATE FUNCTION sdc_private.keeps(value float8, bound float8, at_most boolean)
RETURNS boolean
AS 'MODULE_PATHNAME', 'sdc_private_keeps' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 100;
COMMENT ON FUNCTION sdc_private.keeps(float8, float8, boolean) IS
	'whether a measure keeps its limit; one that is not defined does not';

-- As many digits as tell a measure from its limit, at least so many.
CREATE FUNCTION sdc_private.told_apart(value float8, bound float8, digits int)
RETURNS text
AS 'MODULE_PATHNAME', 'sdc_private_told_apart' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 100;
COMMENT ON FUNCTION sdc_private.told_apart(float8, float8, int) IS
	'a measure as a message shows it beside its limit';

-- The measures are those of sdc_evaluate.  One that is not defined for the release is NULL, and its limit is not kept.
CREATE FUNCTION sdc_private.gate(measures jsonb, limits jsonb)
RETURNS TABLE (measure text, value float8, bound float8, kept boolean)
LANGUAGE sql IMMUTABLE PARALLEL SAFE ROWS 3
SET search_path = pg_catalog, pg_temp
AS $gate$
	SELECT g.measure, g.value, g.bound, sdc_private.keeps(g.value, g.bound, g.at_most)
	FROM (SELECT e.key AS measure, ($1 #>> ARRAY['judged', e.key])::float8 AS value, e.value::text::float8 AS bound, l.at_most
		FROM jsonb_each($2 - 'min_interval') AS e LEFT JOIN sdc_private.limits() AS l ON l.measure = e.key WHERE e.value <> 'null') AS g
$gate$;
COMMENT ON FUNCTION sdc_private.gate(jsonb, jsonb) IS
	'below the limits: the measures of a release, and whether it keeps them';

CREATE FUNCTION sdc_private.assert_risk(release regclass, max_people_found float8)
RETURNS void
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 1000000
SET search_path = pg_catalog, pg_temp
SET extra_float_digits = 1
AS $assert$
DECLARE
	found float8;
BEGIN
	IF max_people_found IS NULL THEN
		RAISE EXCEPTION USING ERRCODE = 'null_value_not_allowed', MESSAGE = 'argument "max_people_found" must not be null';
	ELSIF NOT max_people_found BETWEEN 0 AND 100 THEN
		RAISE EXCEPTION USING ERRCODE = 'invalid_parameter_value', MESSAGE = 'argument "max_people_found" is out of range',
			HINT = 'It is a percentage of the people: 0 to 100.';
	END IF;
	-- what is kept and still true need not be measured again, if it is about all that is known, and about all people
	found := COALESCE((SELECT (e.measures #>> '{people,any,percent}')::float8 FROM sdc_private.evaluation($1::regclass) AS e (measures)
			WHERE e.measures -> 'known_given' = 'false' AND e.measures -> 'sample' = 'null'),
		(SELECT COALESCE(p.high, p.percent) FROM sdc_private.people_found($1::regclass, NULL::name[], false::boolean, NULL::bigint, NULL::text) AS p
			WHERE p.attack = 'any'));
	IF NOT sdc_private.keeps(COALESCE(found, 0), max_people_found, true) THEN
		RAISE EXCEPTION USING ERRCODE = 'SD001',
			MESSAGE = format('in release "%s" %s percent of the %s are found, and %s are allowed', $1, sdc_private.told_apart(found, $2, 1),
				sdc_private.whom($1::regclass), $2);
	END IF;
END
$assert$;
COMMENT ON FUNCTION sdc_private.assert_risk(regclass, float8) IS
	'the body of sdc_assert_risk';

CREATE FUNCTION sdc_assert_risk(release regclass, max_people_found float8)
RETURNS void
AS 'MODULE_PATHNAME', 'sdc_enter' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000;
COMMENT ON FUNCTION sdc_assert_risk(regclass, float8) IS
	'raises SD001 if more people are found in a release than are allowed (needs release, max_people_found)';

CREATE FUNCTION sdc_private.assert_k(relation regclass, qi name[], k int, unit name[], k_whole int)
RETURNS void
LANGUAGE plpgsql STABLE PARALLEL UNSAFE COST 1000000
SET search_path = pg_catalog, pg_temp
AS $assert$
DECLARE
	found record;
	whom text;
BEGIN
	IF $3 IS NULL THEN
		RAISE EXCEPTION USING ERRCODE = 'null_value_not_allowed', MESSAGE = 'argument "k" must not be null';
	ELSIF $3 < 1 THEN
		RAISE EXCEPTION USING ERRCODE = 'invalid_parameter_value', MESSAGE = 'argument "k" is out of range',
			HINT = 'It is how many records, or units, are equal in all of qi: at least 1.';
	ELSIF $5 < 1 THEN
		RAISE EXCEPTION USING ERRCODE = 'invalid_parameter_value', MESSAGE = 'argument "k_whole" is out of range',
			HINT = 'It is how many units have the same records in all of qi: at least 1.';
	END IF;
	SELECT * INTO found FROM sdc_private.kanonymity($1, $2, $4) AS a;
	-- who counts records finds no other numbers
	whom := CASE WHEN found.k = found.k_rows AND found.k = found.k_whole THEN 'records' ELSE 'people' END;
	IF found.k < $3 THEN
		RAISE EXCEPTION USING ERRCODE = 'SD001',
			MESSAGE = format('relation "%s" has a group of %s %s, and %s are the least that is allowed', $1, found.k, whom, $3);
	ELSIF found.k_whole < $5 THEN
		RAISE EXCEPTION USING ERRCODE = 'SD001',
			MESSAGE = format('in relation "%s" as few as %s %s have the same records, and %s are the least that is allowed',
				$1, found.k_whole, whom, $5);
	END IF;
END
$assert$;
COMMENT ON FUNCTION sdc_private.assert_k(regclass, name[], int, name[], int) IS
	'the body of sdc_assert_k';

CREATE FUNCTION sdc_assert_k(relation regclass, qi name[], k int, unit name[] DEFAULT NULL,
	k_whole int DEFAULT NULL)
RETURNS void
AS 'MODULE_PATHNAME', 'sdc_enter' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000;
COMMENT ON FUNCTION sdc_assert_k(regclass, name[], int, name[], int) IS
	'raises SD001 if a group of records that are equal in some columns is too small, or too few units have the same records (needs relation, qi, k)';
