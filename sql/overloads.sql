--
-- overloads
--
-- The first argument is a table's name, a regclass, or a row type; the seed is text or
-- an integer; arguments go by name or by place.  Whatever the form, the same call
-- gives the same release.
--
\pset format unaligned
\pset footer off
SELECT helper.make_people('form', 60);

-- made runs a call that writes a release, and returns what it wrote.
CREATE FUNCTION helper.made(call text) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
	name regclass;
	result text;
BEGIN
	EXECUTE 'SELECT DISTINCT release FROM ' || call INTO STRICT name;
	result := helper.fingerprint(name);
	EXECUTE 'DROP TABLE ' || name;
	RETURN result;
END
$$;
SELECT helper.made($$sdc_rankswap('form', p => 5, seed => 42)$$) AS want \gset

-- The relation: a literal, text, varchar, name, a regclass, an OID, a cast.
CREATE TABLE form_result (call text, same boolean);
INSERT INTO form_result SELECT call, helper.made(call) = :'want'
FROM unnest(ARRAY[
	$$sdc_rankswap('form', p => 5, seed => 42)$$,
	$$sdc_rankswap('form'::text, p => 5, seed => 42)$$,
	$$sdc_rankswap('form'::varchar, p => 5, seed => 42)$$,
	$$sdc_rankswap('form'::regclass, p => 5, seed => 42)$$,
	$$sdc_rankswap('form'::regclass::oid::regclass, p => 5, seed => 42)$$,
	$$sdc_rankswap('FORM', p => 5, seed => 42)$$,
	$$sdc_rankswap('"form"', p => 5, seed => 42)$$,
	$$sdc_rankswap(' form ', p => 5, seed => 42)$$,
	$$sdc_rankswap('public.form', p => 5, seed => 42)$$,
	$$sdc_rankswap((SELECT relname::text FROM pg_class WHERE oid = 'form'::regclass), p => 5, seed => 42)$$,
	$$sdc_rankswap((SELECT oid::regclass FROM pg_class WHERE oid = 'form'::regclass), p => 5, seed => 42)$$,
	$$sdc_rankswap(relation => 'form', p => 5, seed => 42)$$,
	$$sdc_rankswap(seed => 42, p => 5, relation => 'form'::regclass)$$
]) AS call;
SELECT call, same FROM form_result ORDER BY call COLLATE "C";
TRUNCATE form_result;

-- The seed: 42 and '42' are the same, and so is what a char(n) adds to it.
INSERT INTO form_result SELECT call, helper.made(call) = :'want'
FROM unnest(ARRAY[
	$$sdc_rankswap('form', p => 5, seed => '42')$$,
	$$sdc_rankswap('form', p => 5, seed => 42::smallint)$$,
	$$sdc_rankswap('form', p => 5, seed => 42::bigint)$$,
	$$sdc_rankswap('form', p => 5, seed => '42'::text)$$,
	$$sdc_rankswap('form', p => 5, seed => '42'::varchar(5))$$,
	$$sdc_rankswap('form', p => 5, seed => '42'::name)$$,
	$$sdc_rankswap('form', p => 5, seed => '42'::char(3))$$,
	$$sdc_rankswap('form', p => 5, seed => (SELECT 42))$$,
	$$sdc_rankswap('form', p => 5, seed => (SELECT '42'))$$,
	$$sdc_rankswap('form', p => 5, seed => 40 + 2)$$,
	$$sdc_rankswap('form', 5, NULL, NULL, NULL, NULL, NULL, NULL, 42)$$,
	$$sdc_rankswap('form', 5, NULL, NULL, NULL, NULL, NULL, NULL, '42', false)$$,
	$$sdc_rankswap('form'::regclass, 5, NULL, NULL, NULL, NULL, NULL, NULL, 42)$$,
	$$sdc_rankswap('form', 5::int, seed => 42)$$,
	$$sdc_rankswap('form', 5.0, seed => 42)$$,
	$$sdc_rankswap('form', p => 5::smallint, seed => 42)$$,
	$$sdc_rankswap('form', p => '5', seed => 42)$$,
	$$sdc_rankswap('form', p => 5, seed => 42, target => 'somewhere')$$,
	$$sdc_rankswap('form', p => 5, seed => 42, columns => '{age,income,weight,savings}')$$,
	$$sdc_rankswap('form', p => 5, seed => 42, key => '{id}')$$
]) AS call;
SELECT call, same FROM form_result ORDER BY call COLLATE "C";
TRUNCATE form_result;

-- Another seed, method or parameter gives another release.  042 as text is not 42, nor is 42 and a blank.
INSERT INTO form_result SELECT call, helper.made(call) = :'want'
FROM unnest(ARRAY[
	$$sdc_rankswap('form', p => 5, seed => 43)$$,
	$$sdc_rankswap('form', p => 5, seed => -42)$$,
	$$sdc_rankswap('form', p => 5, seed => '042')$$,
	$$sdc_rankswap('form', p => 5, seed => ' 42')$$,
	$$sdc_rankswap('form', p => 5, seed => '42 ')$$,
	$$sdc_rankswap('form', p => 6, seed => 42)$$,
	$$sdc_rankswap('form', p => 5)$$,
	$$sdc_rankswap('form', p => 5, seed => NULL)$$,
	$$sdc_rankswap('form', p => 5, seed => NULL::int)$$,
	$$sdc_rankswap_distribution('form', p => 5, seed => 42)$$,
	$$sdc_rankswap_buckets('form', buckets => 20, seed => 42)$$
]) AS call;
SELECT call, same FROM form_result ORDER BY call COLLATE "C";
DROP TABLE form_result;

-- The other methods have the same forms.
SELECT helper.made($$sdc_rankswap_distribution('form', 5, seed => 42)$$)
	= helper.made($$sdc_rankswap_distribution(p => 5, relation => 'form'::regclass, seed => '42')$$) AS same;
SELECT helper.made($$sdc_rankswap_buckets('form', 20, seed => 42)$$)
	= helper.made($$sdc_rankswap_buckets(buckets => 20, relation => 'form'::regclass, seed => '42')$$) AS same;

-- The row type form, by name and by place.
SELECT count(*) FROM sdc_rankswap(NULL::form, 5, NULL, NULL, NULL, NULL, NULL, 42);
SELECT count(*) FROM sdc_rankswap(p => 5, row_type => NULL::form, seed => '42');
SELECT count(*) FROM (
	SELECT * FROM sdc_rankswap(NULL::form, p => 5, seed => 42)
	EXCEPT ALL SELECT * FROM sdc_rankswap(CAST(NULL AS form), 5, seed => 42::bigint)) AS d;
SELECT count(*) FROM sdc_rankswap_distribution(NULL::form, p => 5, seed => 42);
SELECT count(*) FROM sdc_rankswap_buckets(NULL::form, buckets => 10, seed => 42);

-- The row type form knows neither target nor replace.
SELECT helper.catch($$SELECT * FROM sdc_rankswap(NULL::form, p => 5, target => 'x')$$) LIKE '42883: %' AS refused;

-- Prepared statements: a parameter without a type is text, and so is its seed.
PREPARE by_text(text, text) AS SELECT attribute, action FROM sdc_rankswap($1, p => 5, seed => $2);
EXECUTE by_text('form', '42');
SELECT helper.fingerprint('form_rankswap') = :'want' AS same;
DROP TABLE form_rankswap;
PREPARE by_number(regclass, float8, bigint) AS
	SELECT count(*) FROM sdc_rankswap($1, p => $2, seed => $3, replace => true);
EXECUTE by_number('form', 5, 42);
SELECT helper.fingerprint('form_rankswap') = :'want' AS same;
EXECUTE by_number('form', 5, 43);
SELECT helper.fingerprint('form_rankswap') = :'want' AS same;
-- seven times: the plan becomes generic
EXECUTE by_number('form', 5, 1);
EXECUTE by_number('form', 5, 2);
EXECUTE by_number('form', 5, 3);
EXECUTE by_number('form', 5, 4);
EXECUTE by_number('form', 5, 42);
SELECT helper.fingerprint('form_rankswap') = :'want' AS same;
-- the type of the seed is not known from its place
PREPARE by_unknown AS SELECT count(*) FROM sdc_rankswap($1, p => 5, seed => $2, replace => true);
SELECT name, parameter_types FROM pg_prepared_statements ORDER BY name COLLATE "C";
DEALLOCATE ALL;
PREPARE rows(int) AS SELECT count(*), sum(age) FROM sdc_rankswap(NULL::form, p => 5, seed => $1);
EXECUTE rows(42);
-- a prepared statement sees a changed table
INSERT INTO form (id, age) VALUES (1000, 1000);
EXECUTE rows(42);
ALTER TABLE form ADD extra int DEFAULT 7;
EXECUTE rows(42);
DEALLOCATE rows;

-- LATERAL: several calls in one statement, each with its own target.
SELECT r.release, r.attribute, r.action
FROM (VALUES (1, 'form_a'), (2, 'form_b')) AS t (seed, target),
	LATERAL sdc_rankswap('form', p => 5, seed => t.seed, target => t.target, columns => '{age}') AS r
WHERE r.action = 'protected'
ORDER BY r.release::text COLLATE "C";
SELECT helper.check_release('form_a'), helper.check_release('form_b'),
	helper.fingerprint('form_a') <> helper.fingerprint('form_b') AS differ;

-- In the select list, and with columns picked.
SELECT (sdc_rankswap('form', p => 5, seed => 42, target => 'form_c', columns => '{age}')).attribute;
SELECT helper.check_release('form_c');
SELECT (sdc_rankswap('form', p => 5, seed => 42, target => 'form_d', columns => '{age}')).*;
