--
-- privatestate
--
-- The private state of a continued release: its bytes are what SQL makes of the same values, values of all sorts come
-- back as they were, whatever is not what was written is an error, and nobody reads it.
--
CREATE SCHEMA privatestate;
SET search_path = privatestate, public;
SET client_min_messages = error;
SET maintenance_work_mem = '64MB';
CREATE ROLE regress_sdc_owner;
CREATE ROLE regress_sdc_reader;
GRANT USAGE ON SCHEMA helper, privatestate TO regress_sdc_owner, regress_sdc_reader;
GRANT CREATE ON SCHEMA privatestate TO regress_sdc_owner;
\pset format unaligned
\pset tuples_only on

--
-- The bytes
--
-- le reverses bytes: SQL has the highest of a number first
CREATE FUNCTION le(bytes bytea) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$
	SELECT string_agg(substr(bytes, i, 1), '' ORDER BY i DESC) FROM generate_series(1, length(bytes)) AS i
$$;
-- sized puts the length of bytes before them
CREATE FUNCTION sized(bytes bytea) RETURNS bytea LANGUAGE sql IMMUTABLE RETURN le(int4send(length(bytes))) || bytes;
-- whole makes a part: of the bytes of all values, in order
CREATE FUNCTION whole(bytes bytea[]) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$
	WITH v AS (SELECT b, i - 1 AS i FROM unnest(bytes) WITH ORDINALITY AS u (b, i)),
		bits AS (SELECT i / 8 AS byte, sum(CASE WHEN b IS NULL THEN 1 << (i % 8)::int ELSE 0 END)::int AS bits FROM v GROUP BY i / 8)
	SELECT le(int4send(cardinality(bytes))) || le(int4send((SELECT count(*)::int FROM v WHERE b IS NULL)))
		|| CASE WHEN EXISTS (SELECT FROM v WHERE b IS NULL) THEN (SELECT string_agg(set_byte('\x00', 0, bits), '' ORDER BY byte) FROM bits) ELSE '' END
		|| (SELECT coalesce(string_agg(b, '' ORDER BY i), '') FROM v)
$$;
-- kept returns the contents of a part of a release
CREATE FUNCTION kept(release regclass, stream int, part int DEFAULT 0) RETURNS bytea LANGUAGE sql STABLE AS $$
	SELECT contents FROM public.sdc_state_catalog AS s WHERE (s.release, s.stream, s.part) = ($1, $2, $3)
$$;

CREATE TYPE mood AS ENUM ('good', 'bad');
ALTER TYPE mood ADD VALUE 'middling' BEFORE 'bad';
SELECT helper.make_people('person', 301);
ALTER TABLE person ADD feeling mood, ADD place interval;
UPDATE person SET feeling = (enum_range(NULL::mood))[1 + id % 3], place = id * interval '1 month -3 days 00:00:00.7', job = 'Köchin' || id WHERE id % 5 > 0;
SELECT count(*) FROM sdc_rankswap('person', p => 10, columns => '{age,income,weight,savings,born,job,feeling,place}', omit => '{region,sex}',
	target => 'swapped', seed => 1, continued => true);
-- the key is stream 1; the streams of the columns begin at 10, 18 and so on
SELECT kept('swapped', 1) = whole(array_agg(le(int4send(id)) ORDER BY id)) AS id,
	kept('swapped', 10) = whole(array_agg(le(int2send(age)) ORDER BY id)) AS age,
	kept('swapped', 18) = whole(array_agg(sized(numeric_send(income)) ORDER BY id)) AS income,
	kept('swapped', 26) = whole(array_agg(le(float8send(weight)) ORDER BY id)) AS weight,
	kept('swapped', 34) = whole(array_agg(le(int8send(savings)) ORDER BY id)) AS savings,
	kept('swapped', 42) = whole(array_agg(le(date_send(born)) ORDER BY id)) AS born,
	kept('swapped', 50) = whole(array_agg(sized(convert_to(job, 'UTF8')) ORDER BY id)) AS job,
	kept('swapped', 58) = whole(array_agg(sized(convert_to(feeling::text, 'UTF8')) ORDER BY id)) AS feeling,
	kept('swapped', 66) = whole(array_agg(sized(interval_send(place)) ORDER BY id)) AS place
FROM person;
SELECT count(savings) < 301 AND count(job) < 301 AND count(feeling) < 301 AS there_are_nulls FROM person;
-- words have no head: the number of the partner's record, and for the records of a pair each other's
SELECT length(kept('swapped', 27)), length(kept('swapped', 28)), length(kept('swapped', 29));
WITH mate AS (SELECT i, get_byte(b, 4 * i) + 256 * get_byte(b, 4 * i + 1) + 65536 * get_byte(b, 4 * i + 2) AS mate
		FROM (SELECT kept('swapped', 27)) AS k (b), generate_series(0, 300) AS i WHERE get_byte(b, 4 * i + 3) = 0)
SELECT count(*) + (301 % 2) AS paired, count(*) FILTER (WHERE m.mate <> n.i) AS one_sided, count(*) FILTER (WHERE r.weight <> s.weight) AS elsewhere
FROM mate AS m JOIN mate AS n ON n.mate = m.i JOIN swapped AS r ON r.id = m.i + 1 JOIN person AS s ON s.id = m.mate + 1;
-- what there is, and its digests
CREATE FUNCTION directory(release regclass) RETURNS TABLE (signed boolean, parts bigint, known bigint, closed boolean) LANGUAGE sql STABLE AS $$
	SELECT substr(d, 1, 12) = 'sdcstate' || le(int4send(1)) AND position(sized('UTF8') IN d) = 13, count(*), count(*) FILTER (WHERE position(sha256(s.contents) IN d) > 0),
		substr(d, length(d) - 31) = sha256(substr(d, 1, length(d) - 32))
	FROM (SELECT kept($1, 0)) AS k (d), public.sdc_state_catalog AS s WHERE s.release = $1 AND s.stream > 0 GROUP BY d
$$;
SELECT * FROM directory('swapped');

-- many parts, none of which is larger than it should be, but for the value that is; nothing is compressed
CREATE TABLE many AS SELECT i AS id, helper.uniform(i, 1) AS a, repeat(md5(i::text), 1 + i % 3) AS b FROM generate_series(1, 70000) AS i;
ALTER TABLE many ADD PRIMARY KEY (id);
INSERT INTO many VALUES (0, 0.5, repeat('a long one', 40000));
SELECT count(*) FROM sdc_rankswap('many', p => 10, columns => '{a,b}', target => 'many_swapped', seed => 1, continued => true);
SELECT stream, count(*), max(length(contents)) <= 256 * 1024 + 8 + 256 * 1024 / 4 / 8 AS small, bool_and(pg_column_size(contents) >= length(contents)) AS plain
FROM sdc_state_catalog WHERE release = 'many_swapped'::regclass GROUP BY stream ORDER BY stream;
SELECT (SELECT string_agg(substr(contents, 9), '' ORDER BY part) FROM sdc_state_catalog WHERE release = 'many_swapped'::regclass AND stream = 10)
	= string_agg(le(float8send(a)), '' ORDER BY id) AS a,
	(SELECT string_agg(substr(contents, 9), '' ORDER BY part) FROM sdc_state_catalog WHERE release = 'many_swapped'::regclass AND stream = 18)
	= string_agg(sized(convert_to(b, 'UTF8')), '' ORDER BY id) AS b FROM many;
SELECT * FROM directory('many_swapped');
CREATE TABLE many_before AS TABLE many_swapped;
DELETE FROM many WHERE id % 2000 = 1;
SELECT attribute, records, kept, drawn, waiting FROM sdc_rankswap('many', p => 10, columns => '{a,b}', target => 'many_swapped', replace => true, continued => true, min_changes => 200)
WHERE action = 'protected';
SELECT count(*) FROM (SELECT * FROM many_before WHERE id % 2000 <> 1 EXCEPT ALL TABLE many_swapped) AS d;
DROP TABLE many, many_before, many_swapped;

--
-- Values of all sorts
--
-- A night on an unchanged source changes nothing; when records are gone, all others stay as they were, in what is made
-- of the state anew.
CREATE DOMAIN amount AS numeric CHECK (VALUE > -1e40);
CREATE TABLE sort AS
SELECT ARRAY[i % 7, i] AS k1, md5(i::text)::uuid AS k2, ('käse ' || i)::varchar(20) AS k3,
	(i % 3 = 0) AS a_bool, i::int2 AS a_int2, i::oid AS a_oid, (i / 7.0)::float4 AS a_float4,
	CASE i % 5 WHEN 0 THEN 'NaN' WHEN 1 THEN '-0' WHEN 2 THEN '-Infinity' WHEN 3 THEN 1e-310 * i ELSE NULL END::float8 AS a_float8,
	CASE i % 5 WHEN 0 THEN 'NaN' WHEN 1 THEN 'Infinity' WHEN 2 THEN -i * 1e-40 WHEN 3 THEN i * 1.0000 ELSE NULL END::numeric AS a_numeric,
	(i * 1e30)::amount AS a_domain, i::money AS a_money, date '4713-01-01 BC' + i AS a_date, CASE WHEN i % 9 = 0 THEN 'infinity'::date END AS an_end,
	time '00:00:00.000001' + i * interval '1.000001 s' AS a_time, timetz '12:00:00.5+05:30:15' + i * interval '1 s' AS a_timetz,
	timestamp '2000-01-01 00:00:00.000001' + i * interval '1 day' AS a_timestamp, timestamptz '1900-01-01 00:00+00' + i * interval '1.5 s' AS a_timestamptz,
	CASE i % 3 WHEN 0 THEN interval '-178000000 years' WHEN 1 THEN i * interval '1 mon -1 day 0.000001 s' ELSE interval '0' END AS an_interval,
	repeat('ß', i % 4) AS a_text, repeat('x ', i % 4)::char(9) AS a_char, ('c' || i)::name AS a_name, CASE i % 2 WHEN 0 THEN 'q' END::"char" AS a_byte,
	decode(repeat('00ff', i % 5), 'hex') AS a_bytea, (enum_range(NULL::mood))[1 + i % 3] AS an_enum,
	ARRAY[NULL, 'a,"b\', i::text] AS an_array, ARRAY[sqrt(i)]::float8[] AS a_float_array, ARRAY[i, i * i, 7]::int[] AS an_int_array,
	int4range(i, 2 * i, '[]') AS a_range, row_to_json(row(i, 'é'))::jsonb AS a_jsonb, ('10.0.' || i % 200 || '.0/24')::cidr AS a_cidr,
	i::bit(13) AS a_bit, to_tsvector('simple', 'word ' || i) AS a_tsvector, row(i, 'x,y')::text AS a_row, NULL::int AS a_null
FROM generate_series(1, 240) AS i;
UPDATE sort SET an_int_array = ('[3:5]=' || an_int_array::text)::int[] WHERE a_bool;
SELECT array_agg(attname ORDER BY attnum) AS columns FROM pg_attribute WHERE attrelid = 'sort'::regclass AND attnum > 3 \gset
SET sdc.trusted_owners = '';
SELECT count(*) FROM sdc_rankswap('sort', p => 10, columns => :'columns', key => '{k1,k2,k3}', target => 'sorted', seed => 7, continued => true, min_changes => 100);
SELECT count(DISTINCT stream) AS streams FROM sdc_state_catalog WHERE release = 'sorted'::regclass;
CREATE TABLE before AS TABLE sorted;
-- as somebody reads it whose session writes values in other ways
SET datestyle = 'German'; SET intervalstyle = 'sql_standard'; SET extra_float_digits = -5; SET bytea_output = 'escape'; SET timezone = 'Asia/Tokyo'; SET client_encoding = 'latin1';
SELECT min(records) = 240 AND max(records) = 240 AS all_there, sum(drawn) AS drawn, sum(240 - kept) AS not_kept, sum(waiting) AS waiting
FROM sdc_rankswap('sort', p => 10, columns => :'columns', key => '{k1,k2,k3}', target => 'sorted', replace => true, continued => true, min_changes => 100)
WHERE action = 'protected';
DELETE FROM sort WHERE k1[2] % 24 = 0;
SELECT min(records) = 230 AND max(records) = 230 AS all_there, sum(drawn) AS drawn, sum(waiting) AS waiting
FROM sdc_rankswap('sort', p => 10, columns => :'columns', key => '{k1,k2,k3}', target => 'sorted', replace => true, continued => true, min_changes => 100)
WHERE action = 'protected';
RESET datestyle; RESET intervalstyle; RESET extra_float_digits; RESET bytea_output; RESET timezone; RESET client_encoding;
SELECT (SELECT count(*) FROM sorted), (SELECT count(*) FROM (SELECT b::text FROM before AS b WHERE k1[2] % 24 > 0 EXCEPT ALL SELECT s::text FROM sorted AS s) AS d) AS differ;
-- a type whose input runs code of a role that is not trusted: nothing is read
CREATE SCHEMA AUTHORIZATION regress_sdc_owner;
SET ROLE regress_sdc_owner;
CREATE DOMAIN regress_sdc_owner.checked AS int CHECK (VALUE > 0);
CREATE TABLE regress_sdc_owner.own AS SELECT i AS id, ARRAY[i]::regress_sdc_owner.checked[] AS c FROM generate_series(1, 60) AS i;
ALTER TABLE regress_sdc_owner.own ADD PRIMARY KEY (id);
SELECT count(*) FROM sdc_rankswap('regress_sdc_owner.own', p => 50, columns => '{c}', target => 'regress_sdc_owner.own_swapped', seed => 1, continued => true);
RESET ROLE;
SELECT helper.catch($$SELECT FROM sdc_rankswap('regress_sdc_owner.own', p => 50, columns => '{c}', target => 'regress_sdc_owner.own_swapped', continued => true, replace => true)$$);
DROP SCHEMA regress_sdc_owner CASCADE;
-- a label that has another name by now is none
ALTER TYPE mood RENAME VALUE 'bad' TO 'worse';
SELECT helper.catch(format($$SELECT FROM sdc_rankswap('sort', p => 10, columns => %L, key => '{k1,k2,k3}', target => 'sorted', replace => true, continued => true, min_changes => 100)$$, :'columns'));
ALTER TYPE mood RENAME VALUE 'worse' TO 'bad';
DROP TABLE sort, sorted, before;

--
-- What is not what was written
--
CREATE TABLE good AS SELECT * FROM sdc_state_catalog WHERE release = 'swapped'::regclass;
CREATE TABLE release_before AS TABLE swapped;
CREATE FUNCTION night() RETURNS text LANGUAGE sql AS $$
	SELECT helper.catch($q$SELECT FROM sdc_rankswap('privatestate.person', p => 10, columns => '{age,income,weight,savings,born,job,feeling,place}', omit => '{region,sex}',
		target => 'privatestate.swapped', continued => true, replace => true)$q$)
$$;
-- tampered does something to the state, and mends it
CREATE FUNCTION tampered(what text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	found text;
BEGIN
	EXECUTE what;
	found := night();
	DELETE FROM sdc_state_catalog WHERE release = 'swapped'::regclass;
	INSERT INTO sdc_state_catalog TABLE good;
	RETURN found;
END
$$;
-- signed changes the directory, and closes it with its digest
CREATE FUNCTION signed(expression text) RETURNS text LANGUAGE sql IMMUTABLE RETURN format(
	$$UPDATE sdc_state_catalog SET contents = c || sha256(c) FROM (SELECT %s AS c FROM (SELECT substr(contents, 1, length(contents) - 32) AS d FROM good WHERE stream = 0) AS g) AS n
	WHERE release = 'swapped'::regclass AND stream = 0$$, expression);
SELECT night();
SELECT tampered($$DELETE FROM sdc_state_catalog WHERE release = 'swapped'::regclass$$);
SELECT tampered($$DELETE FROM sdc_state_catalog WHERE release = 'swapped'::regclass AND stream = 0$$);
SELECT tampered($$DELETE FROM sdc_state_catalog WHERE release = 'swapped'::regclass AND stream = 18$$);
SELECT tampered($$INSERT INTO sdc_state_catalog SELECT release, row_type, stream, 1, contents, 0 FROM good WHERE stream = 18$$);
SELECT tampered($$UPDATE sdc_state_catalog SET part = 7 WHERE release = 'swapped'::regclass AND stream = 18$$);
SELECT tampered($$UPDATE sdc_state_catalog AS s SET contents = g.contents FROM good AS g WHERE s.release = g.release AND (s.stream, g.stream) IN ((27, 35), (35, 27))$$);
SELECT tampered($$UPDATE sdc_state_catalog SET contents = set_byte(contents, 40, 255 - get_byte(contents, 40)) WHERE release = 'swapped'::regclass AND stream = 27$$);
SELECT tampered($$UPDATE sdc_state_catalog SET contents = contents || '\x00' WHERE release = 'swapped'::regclass AND stream = 28$$);
SELECT tampered($$UPDATE sdc_state_catalog SET contents = '' WHERE release = 'swapped'::regclass AND stream = 0$$);
SELECT tampered($$UPDATE sdc_state_catalog SET contents = set_byte(contents, 30, 255 - get_byte(contents, 30)) WHERE release = 'swapped'::regclass AND stream = 0$$);
-- another version, with a digest that is right; and what somebody makes up who may write the table
SELECT tampered(signed($$set_byte(d, 8, 2)$$));
SELECT tampered(signed($$substr(d, 1, length(d) - 1)$$));
SELECT tampered(signed($$d || '\x00'$$));
SELECT tampered(signed($$substr(d, 1, 20) || '\xffffffff' || substr(d, 25)$$));
SELECT tampered(signed($$overlay(d PLACING 'XXXX' FROM 17)$$));
-- forged gives a stream other contents, and a directory that fits
CREATE FUNCTION forged(stream int, contents bytea) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	RETURN tampered(format('UPDATE sdc_state_catalog SET contents = %L WHERE release = %L::regclass AND stream = %s; ', contents, 'swapped', stream) ||
		signed(format('overlay(d PLACING sha256(%L::bytea) FROM position((SELECT sha256(contents) FROM good WHERE stream = %s) IN d))', contents, stream)));
END
$$;
SELECT count(*), found FROM (SELECT forged(f.stream, f.contents) AS found FROM (SELECT stream, contents AS c FROM good) AS g, LATERAL (VALUES
	(18, ''::bytea), (18, substr(c, 1, 8)), (18, substr(c, 1, 100)), (18, c || '\x00'), (18, overlay(c PLACING '\x00000000' FROM 1)), (18, overlay(c PLACING '\xffffffff' FROM 1)),
	(18, overlay(c PLACING '\xffffffff' FROM 5)), (18, overlay(c PLACING '\xffffff7f' FROM 9)), (18, overlay(c PLACING '\xffff' FROM 13)), (18, overlay(c PLACING '\x0f27' FROM 17)),
	(10, substr(c, 1, length(c) - 1)), (10, c || '\x0000'), (50, overlay(c PLACING '\xff' FROM 60)), (58, overlay(c PLACING 'xxx' FROM 60)),
	(27, substr(c, 1, length(c) - 4)), (27, c || '\x00000000'), (27, '\x')) AS f (stream, contents)
	WHERE g.stream = f.stream) AS f GROUP BY found ORDER BY found COLLATE "C";
-- nothing is lost by all that
SELECT night();
SELECT count(*) FROM (TABLE release_before EXCEPT ALL TABLE swapped) AS d;

--
-- sdc_forget
--
SELECT helper.catch('SELECT sdc_forget(NULL)');
SELECT helper.catch($$SELECT sdc_forget('person')$$);
SELECT helper.catch('SELECT sdc_forget(0)');
SELECT helper.catch($$SELECT sdc_forget('pg_class')$$);
GRANT SELECT ON swapped, person TO regress_sdc_reader;
SET ROLE regress_sdc_reader;
SELECT helper.catch($$SELECT sdc_forget('swapped')$$);
RESET ROLE;
BEGIN;
SET TRANSACTION READ ONLY;
SELECT helper.catch($$SELECT sdc_forget('swapped')$$);
ROLLBACK;
BEGIN;
SELECT sdc_forget('swapped');
SELECT count(*) FROM sdc_state_catalog WHERE release = 'swapped'::regclass;
SELECT helper.catch($$SELECT sdc_forget('swapped')$$);
SELECT night();
SELECT count(*) AS still_a_release FROM sdc_releases WHERE release = 'swapped'::regclass;
ROLLBACK;
SELECT night();

--
-- It goes with the release
--
-- left tells how many parts there are of what is there and of what is gone
CREATE FUNCTION left_over() RETURNS text LANGUAGE sql AS $$
	SELECT format('%s there, %s gone', count(*) FILTER (WHERE c.oid IS NOT NULL), count(*) FILTER (WHERE c.oid IS NULL))
	FROM (TABLE sdc_state_catalog UNION ALL TABLE sdc_temporary_states) AS s LEFT JOIN pg_class AS c ON c.oid = s.release WHERE s.stream = 0
$$;
CREATE FUNCTION again(target text) RETURNS bigint LANGUAGE sql AS $$
	SELECT count(*) FROM sdc_rankswap('person', p => 20, columns => '{age,income}', omit => '{region,sex}', target => target, seed => 2, continued => true)
$$;
SELECT again('second'), left_over();
BEGIN;
DROP TABLE second;
SELECT left_over();
ROLLBACK;
SELECT left_over();
DROP TABLE second;
SELECT left_over();
CREATE SCHEMA regress_sdc_gone;
SELECT again('regress_sdc_gone.second'), left_over();
DROP SCHEMA regress_sdc_gone CASCADE;
SELECT left_over();
SELECT again('second'), left_over();
SELECT sdc_unregister('second'), left_over();
DROP TABLE second;
-- made anew without going on
SELECT again('second'), left_over();
SELECT count(*), left_over() FROM sdc_rankswap('person', p => 20, columns => '{age,income}', omit => '{region,sex}', target => 'second', seed => 2, replace => true);
DROP TABLE second;
-- of a temporary release
CREATE TEMP TABLE fleeting AS TABLE person;
SELECT count(*) FROM sdc_rankswap('fleeting', p => 20, columns => '{age,income}', omit => '{region,sex}', target => 'pg_temp.fleeting_swapped', key => '{id}', seed => 2, continued => true);
SELECT count(*) > 0 AS apart, (SELECT count(*) FROM sdc_state_catalog WHERE release = 'fleeting_swapped'::regclass) FROM sdc_temporary_states;
SELECT count(*) FROM sdc_private.sdc_state_dump_internal() WHERE release = 'fleeting_swapped'::regclass;
DROP TABLE fleeting_swapped;
SELECT count(*) FROM sdc_temporary_states;
-- the triggers are nobody's functions
SELECT helper.catch('SELECT public.sdc_state_dropped()');
CREATE TABLE other (LIKE sdc_state_catalog);
CREATE TRIGGER t BEFORE INSERT ON other FOR EACH ROW EXECUTE FUNCTION public.sdc_state_entered();
SELECT helper.catch('INSERT INTO other SELECT * FROM good');

--
-- Who reads it: nobody but who may read everything; who dumps it: the owner of the release besides
--
SELECT helper.make_people('regress_person', 100);
ALTER TABLE regress_person OWNER TO regress_sdc_owner;
SET ROLE regress_sdc_owner;
SELECT count(*) FROM sdc_rankswap('regress_person', p => 50, columns => '{age}', omit => '{region,sex}', target => 'owned', continued => true, seed => 3);
GRANT SELECT ON owned, regress_person TO PUBLIC;
SELECT helper.catch('SELECT FROM ' || name) FROM unnest('{public.sdc_state_catalog,public.sdc_temporary_states,sdc_private.sdc_state_dump}'::text[]) AS name;
SELECT helper.catch('SELECT FROM sdc_private.sdc_state_dump_internal()');
RESET ROLE;
GRANT USAGE ON SCHEMA sdc_private TO regress_sdc_owner, regress_sdc_reader;
SET ROLE regress_sdc_owner;
SELECT string_agg(DISTINCT release::text, ' ') FROM sdc_private.sdc_state_dump_internal();
SET ROLE regress_sdc_reader;
SELECT count(*) FROM sdc_private.sdc_state_dump_internal();
RESET ROLE;
GRANT pg_read_all_data TO regress_sdc_reader;
SET ROLE regress_sdc_reader;
SELECT string_agg(DISTINCT release::text, ' ' ORDER BY release::text) FROM sdc_private.sdc_state_dump_internal();
RESET ROLE;
-- what pg_dump asks is what is kept
SELECT extcondition[array_position(extconfig, 'sdc_private.sdc_state_dump'::regclass::oid)] AS condition FROM pg_extension WHERE extname = 'sdc' \gset
CREATE TABLE dumped AS SELECT * FROM sdc_private.sdc_state_dump :condition;
SELECT count(*) > 0 AS there, count(*) FILTER (WHERE k.contents IS DISTINCT FROM d.contents) AS differ
FROM dumped AS d FULL JOIN sdc_state_catalog AS k USING (release, stream, part);

--
-- Restored rows
--
SELECT sdc_forget('owned');
INSERT INTO sdc_private.sdc_state_dump SELECT * FROM dumped WHERE release = 'owned'::regclass;
SELECT count(*) FROM sdc_private.sdc_state_dump;
SELECT count(*) = (SELECT count(*) FROM dumped WHERE release = 'owned'::regclass) AS there, bool_and(written_by = CURRENT_USER::regrole) AS noted
FROM sdc_state_catalog WHERE release = 'owned'::regclass;
SET ROLE regress_sdc_owner;
SELECT attribute, kept FROM sdc_rankswap('regress_person', p => 50, columns => '{age}', omit => '{region,sex}', target => 'owned', continued => true, replace => true) WHERE action = 'protected';
RESET ROLE;
SELECT helper.catch($$INSERT INTO sdc_private.sdc_state_dump SELECT * FROM dumped WHERE release = 'owned'::regclass$$);
-- of what is gone, nothing
INSERT INTO sdc_private.sdc_state_dump VALUES (0, 0, 0, 0, '', 0), ('pg_class', 'int4', 0, 0, '', 0), (4242424, 'pg_class', 0, 0, '', 0);
SELECT count(*) FROM sdc_state_catalog WHERE release NOT IN ('owned'::regclass, 'swapped'::regclass);
-- by a role with the rights of the owner, and by one without
GRANT INSERT ON sdc_private.sdc_state_dump TO regress_sdc_owner, regress_sdc_reader;
GRANT SELECT ON dumped TO regress_sdc_owner, regress_sdc_reader;
CREATE FUNCTION owned_night() RETURNS text LANGUAGE sql AS $$
	SELECT helper.catch($q$SELECT FROM sdc_rankswap('privatestate.regress_person', p => 50, columns => '{age}', omit => '{region,sex}', target => 'privatestate.owned', continued => true, replace => true)$q$)
$$;
SET ROLE regress_sdc_owner;
SELECT sdc_forget('owned');
INSERT INTO sdc_private.sdc_state_dump SELECT * FROM dumped WHERE release = 'owned'::regclass;
SELECT owned_night();
SELECT sdc_forget('owned');
SET ROLE regress_sdc_reader;
INSERT INTO sdc_private.sdc_state_dump SELECT * FROM dumped WHERE release = 'owned'::regclass;
SET ROLE regress_sdc_owner;
SELECT owned_night();
SELECT count(*) FROM sdc_private.sdc_state_dump_internal() WHERE release = 'owned'::regclass;
SELECT helper.catch($$SELECT sdc_forget('owned')$$);
-- nor do they stand in the way of what the owner restores, or are too many beside it
INSERT INTO sdc_private.sdc_state_dump SELECT * FROM dumped WHERE release = 'owned'::regclass;
SELECT owned_night();
SET ROLE regress_sdc_reader;
INSERT INTO sdc_private.sdc_state_dump SELECT release, row_type, 99, 99, contents, 0 FROM dumped WHERE release = 'owned'::regclass AND stream = 0;
SET ROLE regress_sdc_owner;
SELECT owned_night();
RESET ROLE;
-- no row stays in the table of the dump, even if its trigger is switched off
BEGIN;
ALTER TABLE sdc_private.sdc_state_dump DISABLE TRIGGER ALL;
SELECT left(helper.catch('INSERT INTO sdc_private.sdc_state_dump SELECT * FROM dumped'), 5);
ROLLBACK;
REVOKE ALL ON SCHEMA sdc_private FROM regress_sdc_owner, regress_sdc_reader;
REVOKE ALL ON sdc_private.sdc_state_dump FROM regress_sdc_owner, regress_sdc_reader;

SET client_min_messages = warning;
DROP SCHEMA privatestate CASCADE;
SELECT count(*) FROM sdc_state_catalog;
REVOKE USAGE ON SCHEMA helper FROM regress_sdc_owner, regress_sdc_reader;
DROP ROLE regress_sdc_owner, regress_sdc_reader;
