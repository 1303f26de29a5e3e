--
-- types
--
-- Every type with a btree order can be protected, and keeps its typmod, its collation and
-- its bits.  A type without one is refused by the name of the column.
--
\pset format unaligned
\pset footer off
SET client_min_messages = warning;
\set VERBOSITY terse
SET timezone = 'UTC';
CREATE TYPE kind_mood AS ENUM ('sad', 'so-so', 'happy', 'wild');
CREATE TYPE kind_pair AS (a int, b text);
CREATE DOMAIN kind_amount AS numeric(8,1) CHECK (VALUE >= 0);
CREATE DOMAIN kind_amount_2 AS kind_amount NOT NULL;
CREATE DOMAIN kind_word AS text COLLATE "C" CHECK (length(VALUE) < 20);
CREATE DOMAIN kind_list AS int[];
-- Without ICU the tests run with another collation: their results are the same.
DO $$
BEGIN
	CREATE COLLATION kind_icu (provider = icu, locale = 'und-u-kn');
	CREATE COLLATION kind_nocase (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
EXCEPTION WHEN feature_not_supported OR invalid_parameter_value OR undefined_object THEN
	CREATE COLLATION kind_icu FROM "C";
	CREATE COLLATION kind_nocase FROM "C";
END
$$;

CREATE TABLE kind (
	id int PRIMARY KEY,
	c_smallint smallint,
	c_int int,
	c_bigint bigint,
	c_numeric numeric,
	c_numeric_10_2 numeric(10,2),
	c_float4 real,
	c_float8 float8,
	c_money money,
	c_boolean boolean,
	c_char "char",
	c_date date,
	c_time time,
	c_time_2 time(2),
	c_timetz timetz,
	c_timestamp timestamp,
	c_timestamp_3 timestamp(3),
	c_timestamptz timestamptz,
	c_interval interval,
	c_interval_day interval day,
	c_text text,
	c_text_c text COLLATE "C",
	c_text_icu text COLLATE kind_icu,
	c_text_nocase text COLLATE kind_nocase,
	c_varchar varchar(9) COLLATE "POSIX",
	c_bpchar char(7),
	c_name name,
	c_bytea bytea,
	c_uuid uuid,
	c_enum kind_mood,
	c_amount kind_amount,
	c_amount_2 kind_amount_2,
	c_word kind_word,
	c_list kind_list,
	c_ints int[],
	c_texts text[],
	c_matrix numeric[][],
	c_moods kind_mood[],
	c_pair kind_pair,
	c_pairs kind_pair[],
	c_inet inet,
	c_cidr cidr,
	c_macaddr macaddr,
	c_macaddr8 macaddr8,
	c_bit bit(5),
	c_varbit varbit(7),
	c_oid oid,
	c_regclass regclass,
	c_xid8 xid8,
	c_pg_lsn pg_lsn,
	c_tid tid,
	c_jsonb jsonb,
	c_tsvector tsvector,
	c_tsquery tsquery,
	c_int4range int4range,
	c_tstzrange tstzrange,
	c_multirange nummultirange
);
-- n has ties, w has none
INSERT INTO kind
SELECT i, n, n - 5, n * 10000000000, n / 3.0, n * 1.25, n / 3.0::real, w / 7.0::float8, (n * 1.1)::numeric::money,
	n % 2 = 0, chr(65 + n), date '2000-01-01' + w, time '08:00' + n * interval '13 min', time '08:00:00.125' + n * interval '1 s',
	(time '08:00' + n * interval '1 min')::text::timetz, timestamp '1999-12-31 23:59:59.999999' + w * interval '1 us',
	timestamp '1999-12-31' + w * interval '1 ms', timestamptz '2020-03-29 01:00+00' + w * interval '1 h',
	n * interval '1 mon 3 days 7 s', n * interval '1 day',
	'value ' || w, chr(65 + n % 26) || w, chr(97 + n % 26) || w, CASE WHEN w % 2 = 0 THEN 'Ab' ELSE 'aB' END || n, 'v' || n, 'c' || n,
	('n' || n)::name, decode(md5(w::text), 'hex'), md5(w::text)::uuid,
	(ARRAY['sad', 'so-so', 'happy', 'wild']::kind_mood[])[1 + n % 4], n / 3.0, w / 3.0, 'w' || n, ARRAY[n, w], ARRAY[n % 3, w, NULL],
	ARRAY['t' || n, NULL], ARRAY[[n, 1], [w, 2]], ARRAY['sad', 'wild']::kind_mood[], ROW(n, 'p' || w)::kind_pair,
	ARRAY[ROW(n, 'p' || w)::kind_pair, NULL], ('10.0.' || n || '.1')::inet, ('10.' || n || '.0.0/16')::cidr,
	('08:00:2b:01:02:' || lpad(to_hex(n), 2, '0'))::macaddr, ('08:00:2b:01:02:03:04:' || lpad(to_hex(n), 2, '0'))::macaddr8,
	n::bit(5), n::bit(7)::varbit(7), w, (ARRAY['pg_class', 'pg_proc', 'pg_type']::regclass[])[1 + n % 3], w::text::xid8, ('0/' || to_hex(w))::pg_lsn,
	format('(%s,1)', n)::tid, jsonb_build_object('n', n, 'w', w), ('word' || n)::tsvector, ('word' || n)::tsquery,
	int4range(n, n + 5), tstzrange(timestamptz '2020-01-01 00:00+00' + n * interval '1 day', NULL),
	nummultirange(numrange(n, n + 1), numrange(n + 2, NULL))
FROM (SELECT i, helper.below(i, 50, 25) AS n, i * 37 % 101 AS w FROM generate_series(1, 100) AS i) AS g;
SELECT count(*) FROM kind;
-- every column gets some NULLs, at its own places, but the one that may not
DO $$
DECLARE
	att record;
BEGIN
	FOR att IN SELECT attname, attnum FROM pg_attribute
		WHERE attrelid = 'kind'::regclass AND attnum > 1 AND attname <> 'c_amount_2'
	LOOP
		EXECUTE format('UPDATE kind SET %I = NULL WHERE helper.below(id, %s, 6) = 0', att.attname, 100 + att.attnum);
	END LOOP;
END
$$;
-- the values that are hard to order
UPDATE kind SET c_float4 = 'NaN', c_float8 = 'NaN', c_numeric = 'NaN' WHERE id IN (1, 2);
UPDATE kind SET c_float4 = 'Infinity', c_float8 = 'Infinity', c_numeric = 'Infinity', c_date = 'infinity',
	c_timestamp = 'infinity', c_timestamptz = 'infinity' WHERE id IN (3, 4);
UPDATE kind SET c_float4 = '-Infinity', c_float8 = '-Infinity', c_numeric = '-Infinity', c_date = '-infinity',
	c_timestamp = '-infinity', c_timestamptz = '-infinity' WHERE id IN (5, 6);
UPDATE kind SET c_float4 = '-0', c_float8 = '-0', c_text = '', c_bytea = '', c_ints = '{}', c_int4range = 'empty' WHERE id IN (7, 8);
UPDATE kind SET c_float4 = '0', c_float8 = '0', c_numeric = '0.000', c_text = repeat('long ', 3000), c_bytea = decode(repeat('00', 9000), 'hex')
WHERE id IN (9, 10);
UPDATE kind SET c_smallint = -32768, c_int = -2147483648, c_bigint = -9223372036854775808, c_numeric = -1e130 WHERE id = 11;
UPDATE kind SET c_smallint = 32767, c_int = 2147483647, c_bigint = 9223372036854775807, c_numeric = 1e130 WHERE id = 12;
UPDATE kind SET c_float8 = 5e-324, c_float4 = 1e-45, c_date = '4713-01-01 BC' WHERE id = 13;
UPDATE kind SET c_float8 = 1.7976931348623157e308, c_float4 = 3.4028235e38, c_date = '5874897-12-31' WHERE id = 14;
UPDATE kind SET c_time = '24:00', c_interval = '-178000000 years', c_pair = ROW(NULL, NULL), c_money = '-92233720368547758.08' WHERE id = 15;

SELECT array_agg(attname) AS all_columns
FROM pg_attribute WHERE attrelid = 'kind'::regclass AND attnum > 1 \gset

-- By default the numeric columns, and the domains over them, are protected.
SELECT attribute, action FROM sdc_rankswap('kind', p => 5, seed => 1, target => 'kind_default') WHERE action <> 'copied';
SELECT helper.check_release('kind_default');
-- All of them, by every method, with and without strata.
SELECT action, count(*) FROM sdc_rankswap('kind', p => 5, columns => :'all_columns', seed => 1, target => 'kind_1') GROUP BY action ORDER BY action;
SELECT action, count(*) FROM sdc_rankswap_distribution('kind', p => 5, columns => :'all_columns', seed => 1, target => 'kind_2') GROUP BY action ORDER BY action;
SELECT action, count(*) FROM sdc_rankswap_buckets('kind', buckets => 20, columns => :'all_columns', seed => 1, target => 'kind_3') GROUP BY action ORDER BY action;
SELECT helper.check_release('kind_1');
SELECT helper.check_release('kind_2');
SELECT helper.check_release('kind_3');
-- what is not found to move: nothing but what has hardly any values
SELECT attname FROM pg_attribute
WHERE attrelid = 'kind'::regclass AND attnum > 1 AND helper.count_of(format(
	'SELECT count(*) FROM kind AS s JOIN kind_1 AS r USING (id) WHERE s.%1$I::text <> r.%1$I::text', attname)) < 5
ORDER BY attnum;
-- The window holds in the order of every type.
SELECT attname, helper.furthest('kind_1', attname) AS furthest
FROM pg_attribute
WHERE attrelid = 'kind'::regclass AND attnum > 1
	AND helper.furthest('kind_1', attname) > floor(0.05 * helper.count_of(format('SELECT count(%I) FROM kind', attname)) + 0.5)
ORDER BY attnum;
-- Types, typmods and collations are the source's.
SELECT count(*) AS columns, count(*) FILTER (WHERE (s.atttypid, s.atttypmod, s.attcollation)
	IS DISTINCT FROM (r.atttypid, r.atttypmod, r.attcollation)) AS differ
FROM pg_attribute AS s
FULL JOIN pg_attribute AS r ON r.attrelid = 'kind_1'::regclass AND r.attname = s.attname
WHERE s.attrelid = 'kind'::regclass AND s.attnum > 0;
SELECT attname, format_type(atttypid, atttypmod) AS type, collname
FROM pg_attribute LEFT JOIN pg_collation AS c ON c.oid = attcollation
WHERE attrelid = 'kind_1'::regclass
	AND attname IN ('c_numeric_10_2', 'c_timestamp_3', 'c_interval_day', 'c_text_icu', 'c_varchar', 'c_bpchar', 'c_varbit', 'c_amount_2', 'c_word')
ORDER BY attnum;

-- NaN is above everything, -0 equals 0, and both are written as 0.
SELECT c_float8, count(*) FROM kind_1 WHERE c_float8 IN ('NaN', 'Infinity', '-Infinity', 0)
GROUP BY c_float8, c_float8::text ORDER BY c_float8, c_float8::text COLLATE "C";
CREATE TABLE kind_float AS
SELECT i AS id, CASE i % 3 WHEN 0 THEN 'NaN'::float8 WHEN 1 THEN 0 ELSE '-0' END AS f8,
	CASE i % 3 WHEN 0 THEN 'NaN'::real WHEN 1 THEN 0 ELSE '-0' END AS f4, i % 2 AS g
FROM generate_series(1, 60) AS i;
SELECT attribute, action, changed > 0 AS changed FROM sdc_rankswap('kind_float', p => 100, key => '{id}', columns => '{f8,f4}', seed => 2);
SELECT helper.check_release('kind_float_rankswap');
-- equal values are not a change
SELECT attribute, changed FROM sdc_rankswap('kind_float', p => 1, key => '{id}', columns => '{f8,f4}', seed => 2, target => 'kind_float_2')
WHERE action = 'protected' AND changed > 4;

-- A collation without case: equal values form one group, one stratum, one key.
CREATE TABLE kind_case (id text COLLATE kind_nocase, g text COLLATE kind_nocase, a int);
INSERT INTO kind_case SELECT 'k' || i, CASE WHEN i % 2 = 0 THEN 'North' ELSE 'NORTH' END, i FROM generate_series(1, 40) AS i;
SELECT attribute, action FROM sdc_rankswap('kind_case', p => 100, key => '{id}', strata => '{g}', seed => 3);
SELECT count(*) FILTER (WHERE s.g <> partner.g COLLATE "C") > 0 OR (SELECT collisdeterministic FROM pg_collation
	WHERE collname = 'kind_nocase') AS one_stratum
FROM kind_case AS s JOIN kind_case_rankswap AS r ON r.id = s.id COLLATE "C" JOIN kind_case AS partner ON partner.a = r.a;
INSERT INTO kind_case VALUES ('K1', 'South', 41);
SELECT (SELECT collisdeterministic FROM pg_collation WHERE collname = 'kind_nocase')
	OR helper.catch($$SELECT * FROM sdc_rankswap('kind_case', p => 5, key => '{id}', target => 'kind_case_2')$$) LIKE '23505: the key (id)%' AS not_unique;
-- the order of the values is that of the column's collation
CREATE TABLE kind_order (id int PRIMARY KEY, t text COLLATE kind_icu);
INSERT INTO kind_order SELECT i, 'n' || i * 37 % 101 FROM generate_series(1, 100) AS i;
SELECT attribute, action FROM sdc_rankswap('kind_order', p => 1, columns => '{t}', seed => 4);
SELECT helper.furthest('kind_order_rankswap', 't');
SELECT max(abs(substr(s.t, 2)::int - substr(r.t, 2)::int)) = 1 OR NOT EXISTS (
	SELECT FROM pg_collation WHERE collname = 'kind_icu' AND collprovider = 'i') AS numbers
FROM kind_order AS s JOIN kind_order_rankswap AS r USING (id);

-- Keys and strata of every type.
CREATE FUNCTION helper.as_key(name name) RETURNS text
LANGUAGE plpgsql AS $$
BEGIN
	DROP TABLE IF EXISTS kind_by_rankswap, kind_by;
	EXECUTE format('CREATE TABLE kind_by AS SELECT DISTINCT ON (%1$I) %1$I AS k, id AS a FROM kind WHERE %1$I IS NOT NULL ORDER BY %1$I, id', name);
	PERFORM sdc_rankswap('kind_by', p => 5, key => '{k}', columns => '{a}', seed => 1);
	RETURN helper.check_release('kind_by_rankswap');
END
$$;
CREATE FUNCTION helper.as_stratum(name name) RETURNS text
LANGUAGE plpgsql AS $$
BEGIN
	DROP TABLE IF EXISTS kind_in_rankswap, kind_in;
	EXECUTE format('CREATE TABLE kind_in AS SELECT id, %1$I AS g, id AS a FROM kind', name);
	PERFORM sdc_rankswap('kind_in', p => 5, key => '{id}', columns => '{a}', strata => '{g}', seed => 1);
	RETURN helper.check_release('kind_in_rankswap');
END
$$;
CREATE FUNCTION helper.as_both() RETURNS TABLE (name name, as_key text, as_stratum text)
LANGUAGE plpgsql AS $$
BEGIN
	FOR name IN SELECT attname FROM pg_attribute WHERE attrelid = 'kind'::regclass AND attnum > 1 ORDER BY attnum
	LOOP
		as_key := helper.as_key(name);
		as_stratum := helper.as_stratum(name);
		RETURN NEXT;
	END LOOP;
END
$$;
SELECT as_key, as_stratum, count(*) FROM helper.as_both() GROUP BY 1, 2 ORDER BY 1, 2;

-- Types without an order can be copied, but not protected.
CREATE DOMAIN kind_spot AS point;
CREATE TYPE kind_thing AS (a int, b point);
CREATE TABLE kind_other (id int PRIMARY KEY, a int, c_point point, c_json json, c_box box, c_path path, c_circle circle,
	c_line line, c_xid xid, c_spot kind_spot, c_points point[], c_thing kind_thing, c_aclitem aclitem[]);
INSERT INTO kind_other SELECT i, i, point(i, 1), '{"a": 1}', box(point(i, 1), point(0, 0)), '((1,2),(3,4))', '<(1,2),3>',
	'{1,2,3}', i::text::xid, point(1, i), ARRAY[point(1, i)], ROW(i, point(i, i))::kind_thing, NULL FROM generate_series(1, 20) AS i;
SELECT attribute, action FROM sdc_rankswap('kind_other', p => 5, seed => 5);
SELECT helper.check_release('kind_other_rankswap');
\pset tuples_only on
SELECT helper.catch(format('SELECT * FROM sdc_rankswap(''kind_other'', p => 5, columns => ''{%I}'', target => ''kind_no'')', attname))
FROM pg_attribute WHERE attrelid = 'kind_other'::regclass AND attnum > 2 ORDER BY attnum;
-- xml is another one, where the server has it
DO $$
BEGIN
	ALTER TABLE kind_other ADD c_xml xml DEFAULT '<a/>';
EXCEPTION WHEN feature_not_supported THEN
	ALTER TABLE kind_other ADD c_xml json;
END
$$;
SELECT helper.catch('SELECT * FROM sdc_rankswap(''kind_other'', p => 5, columns => ''{c_xml}'', target => ''kind_no'')')
	LIKE '0A000: column "c_xml" of relation "kind_other" cannot be protected%';
SELECT helper.catch('SELECT * FROM sdc_rankswap(''kind_other'', p => 5, key => ''{c_json}'', target => ''kind_no'')');
SELECT helper.catch('SELECT * FROM sdc_rankswap(''kind_other'', p => 5, strata => ''{c_json}'', target => ''kind_no'')');
-- the advice of the hint: a view casts it
CREATE VIEW kind_cast AS SELECT id, c_json::text COLLATE "C" AS c_json, c_point::text COLLATE "C" AS c_point FROM kind_other;
SELECT count(*) FROM sdc_rankswap('kind_cast', p => 5, key => '{id}', columns => '{c_json,c_point}', seed => 6);
SELECT helper.check_release('kind_cast_rankswap');
