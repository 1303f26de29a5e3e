--
-- parameters_shown
--
-- The parameters of releases: in full where they are kept, rounded where they are looked at.
--
\pset format unaligned
\pset footer off

CREATE SCHEMA parameters_shown;
SET search_path = parameters_shown, public;

SELECT helper.make_people('people', 60);

-- significant counts the digits of the longest number with a fraction, without zeros in front.
CREATE FUNCTION significant(parameters jsonb) RETURNS int LANGUAGE sql IMMUTABLE
RETURN (SELECT max(length(replace(ltrim(n[1], '-0.'), '.', ''))) FROM regexp_matches(parameters::text, '-?\d+\.\d+', 'g') AS n);

-- Probabilities by default, given ones, parameters of one's own and some that are no parameters of sdc.
SELECT count(*) FROM sdc_randomize('people', '{region,sex,age,savings,job}', target => 'optimal', seed => 1);
SELECT count(*) FROM sdc_randomize('people', '{region,sex,age,savings,job}', probabilities => '{0.1,0.2,0.3,0.2,0.2}', target => 'given', seed => 1);
SELECT count(*) FROM sdc_randomize('people', '{region,sex,age}', probabilities => array_fill(1 / 3.0::float8, '{3}'), target => 'thirds', seed => 1);
SELECT count(*) FROM sdc_rankswap('people', p => 100 / 3.0::float8, columns => '{age}', target => 'third', seed => 1);
SELECT count(*) FROM sdc_equiwidth_swap('people', widths => '{12345.678901,7}', columns => '{income,age}', target => 'wide', seed => 1);
CREATE TABLE other AS SELECT * FROM people;
SELECT sdc_register('people', 'other', '{age}', '{id}', parameters => '{"whole": 123456789012, "wide": 1234567.891, "ninth": -0.1234567891, "little": 0.000012345678901, "last": 0.99999999,
	"zero": 0.00000000, "given": 2.500, "list": [0.11111111111, {"in": [10.000000001, null, true]}], "text": "0.123456789012", "0.123456789012": 7, "empty": [{}, []]}');
SELECT release, parameters FROM sdc_releases WHERE source = 'people'::regclass AND release <> 'optimal'::regclass ORDER BY release::text COLLATE "C";
-- what is too little for the server to round stays as it is
SELECT sdc_unregister('other');
SELECT sdc_register('people', 'other', '{age}', '{id}', parameters => '{"less": 1.23456789e-3000}');
SELECT parameters = '{"less": 1.23456789e-3000}' AS kept FROM sdc_releases WHERE release = 'other'::regclass;

-- What is kept does not depend on how the session shows numbers: a continued release goes on under another setting.
SET extra_float_digits = -9;
SELECT count(*) FROM sdc_rankswap('people', p => 100 / 3.0::float8, columns => '{age}', target => 'third_short', seed => 1, continued => true);
SELECT count(*) FROM sdc_randomize('people', '{region,sex,age}', probabilities => array_fill(1 / 3.0::float8, '{3}'), target => 'thirds_short', seed => 1);
SELECT count(*) FROM sdc_equiwidth_swap('people', widths => '{12345.678901,7}', columns => '{income,age}', target => 'wide_short', seed => 1);
RESET extra_float_digits;
SELECT kept FROM sdc_rankswap('people', p => 100 / 3.0::float8, columns => '{age}', target => 'third_short', seed => 1, continued => true) WHERE action = 'protected';
SELECT a.release, a.parameters @> b.parameters AS the_same
FROM (VALUES ('third_short', 'third'), ('thirds_short', 'thirds'), ('wide_short', 'wide')) AS pair (short, long)
	JOIN sdc_private.sdc_release_catalog AS a ON a.release = short::regclass JOIN sdc_private.sdc_release_catalog AS b ON b.release = long::regclass ORDER BY short;

-- Nor do names of types that are kept depend on how the session quotes names.
CREATE TABLE dated AS SELECT i AS id, date '2000-01-01' + i * 7 % 101 AS day FROM generate_series(1, 100) AS i;
ALTER TABLE dated ADD PRIMARY KEY (id);
CREATE TABLE states AS SELECT sdc_entropy_state(day) AS state FROM dated;
SELECT count(*) FROM sdc_rankswap('dated', p => 10, columns => '{day}', continued => true);
SELECT count(*) FROM sdc_evaluate('dated_rankswap', sample => 10, seed => 1);
SET quote_all_identifiers = on;
INSERT INTO states SELECT sdc_entropy_state(day) FROM dated;
SELECT count(DISTINCT state) AS states, round(sdc_entropy_merge(state)::numeric, 4) AS entropy FROM states;
SELECT problem FROM sdc_scores WHERE release = 'dated_rankswap'::regclass;
SELECT kept FROM sdc_rankswap('dated', p => 10, columns => '{day}', continued => true) WHERE action = 'protected';
RESET quote_all_identifiers;

-- In no view has a number more than seven digits; in the catalog it has what the method took.
SELECT significant(c.parameters) > 14 AS kept, significant(r.parameters) AS shown, significant(s.parameters) AS in_scores, significant(m.parameters) AS in_map
FROM sdc_private.sdc_release_catalog AS c JOIN sdc_releases AS r USING (release)
	LEFT JOIN LATERAL (SELECT * FROM sdc_scores AS s WHERE s.release = c.release OFFSET 0) AS s ON true
	LEFT JOIN LATERAL (SELECT * FROM sdc_ru_map AS m WHERE m.source = c.source AND m.release = c.release OFFSET 0) AS m ON true
WHERE c.release IN ('optimal'::regclass, 'third'::regclass) ORDER BY c.release::text COLLATE "C";
SELECT max(significant(e.parameters)) AS in_query_errors FROM sdc_query_errors AS e WHERE release = 'optimal'::regclass;
SELECT max(significant(a.parameters)) AS in_association_recall FROM sdc_association_recall AS a WHERE release = 'optimal'::regclass;
SELECT bool_and(abs(shown::float8 / kept::float8 - 1) < 5.1e-7) AS near, abs(sum(shown::float8) - 1) < 5e-7 AS sum
FROM sdc_releases AS r JOIN sdc_private.sdc_release_catalog AS c USING (release), jsonb_array_elements_text(r.parameters -> 'probabilities') WITH ORDINALITY AS s (shown, i)
	JOIN jsonb_array_elements_text(c.parameters -> 'probabilities') WITH ORDINALITY AS k (kept, i) USING (i) WHERE release = 'optimal'::regclass;

-- What is shown can be given again, of however many columns.
CREATE TABLE many AS SELECT i AS id, i AS a, i / 2 AS b, i / 3 AS c, i / 5 AS d, i / 7 AS e, i % 11 AS f, i % 13 AS g, i % 17 AS h, i % 3 AS j, i % 2 AS k, i % 29 AS l, i % 31 AS m FROM generate_series(1, 1000) AS i;
ALTER TABLE many ADD PRIMARY KEY (id);
SELECT count(*) FROM sdc_randomize('many', '{a,b,c,d,e,f,g,h,j,k,l,m}', seed => 1);
SELECT count(*) FROM sdc_randomize('many', '{a,b,c,d,e,f,g,h,j,k,l,m}', target => 'again', seed => 1, probabilities =>
	(SELECT array_agg(p::float8 ORDER BY i) FROM sdc_releases, jsonb_array_elements_text(parameters -> 'probabilities') WITH ORDINALITY AS e (p, i) WHERE release = 'many_randomize'::regclass));
SELECT count(*) AS differ FROM many_randomize AS x JOIN again AS y USING (id) WHERE (x.*) IS DISTINCT FROM (y.*);

-- Measures read what is in the catalog.
CREATE TABLE twin AS SELECT * FROM optimal;
CREATE FUNCTION risk_with(parameters jsonb) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	PERFORM sdc_register('people', 'twin', '{region,sex,age,savings,job}', '{id}', 'randomize', parameters);
	RETURN (SELECT r FROM sdc_inference_risk('twin') AS r);
END
$$;
CREATE TABLE risk AS SELECT r::text AS own, risk_with(c.parameters) AS kept, risk_with(s.parameters) AS shown
FROM sdc_private.sdc_release_catalog AS c JOIN sdc_releases AS s USING (release), LATERAL sdc_inference_risk(release) AS r WHERE release = 'optimal'::regclass;
SELECT own = kept AS kept, own = shown AS shown FROM risk;

DROP SCHEMA parameters_shown CASCADE;
