--
-- privatestate
--
-- The private state of a continued release: its bytes are what SQL makes of the same values, values of all sorts come
-- back as they were, whatever is not what was written is an error, and nobody reads it.
--
CREATE SCHEMA privatestate;
SET search_path = privatestate, public;
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
CREATE FUNCTION le(bytes bytea) RETURNS bytea LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE
	size int := length(bytes);
	reversed bytea := bytes;
BEGIN
	FOR i IN 0 .. size - 1 LOOP
		reversed := set_byte(reversed, i, get_byte(bytes, size - 1 - i));
	END LOOP;
	RETURN reversed;
END
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
	SELECT contents FROM sdc_private.sdc_state_catalog AS s WHERE (s.release, s.stream, s.part) = ($1, $2, $3)
$$;

CREATE TYPE mood AS ENUM ('good', 'bad');
ALTER TYPE mood ADD VALUE 'middling' BEFORE 'bad';
SELECT helper.make_people('person', 301);
ALTER TABLE person ADD feeling mood, ADD place interval;
UPDATE person SET feeling = (enum_range(NULL::mood))[1 + id % 3], place = id * interval '1 month -3 days 00:00:00.7', job = 'Köchin' || id WHERE id % 5 > 0;
-- random anonymization has a state of values: the originals, the replacements, and which of them were drawn
SELECT count(*) FROM sdc_randomize('person', '{age,income,weight,savings,born,job,feeling,place}', omit => '{region,sex}', target => 'randomized', seed => 1, continued => true);
-- the streams of the columns begin at 8, 16 and so on; how SQL writes their values
CREATE TABLE way AS SELECT 8 * ordinality::int AS stream, split_part(way, ' ', 1) AS name, split_part(way, ' ', 2) AS bytes FROM unnest(ARRAY[
	'age le(int2send(v))', 'income sized(numeric_send(v))', 'weight le(float8send(v))', 'savings le(int8send(v))', 'born le(date_send(v))',
	'job sized(convert_to(v,''UTF8''))', 'feeling sized(convert_to(v::text,''UTF8''))', 'place sized(interval_send(v))']) WITH ORDINALITY AS u (way);
-- randomized_twin compares the streams of a column with what they should be of a source and its release
CREATE FUNCTION randomized_twin(name text, stream int, bytes text)
RETURNS TABLE (attribute text, originals boolean, replacements boolean, drawn boolean, probability boolean, moved boolean) LANGUAGE plpgsql AS $$
BEGIN
	RETURN QUERY EXECUTE format($q$
		SELECT %1$L, kept('randomized', %2$s) = whole(array_agg((SELECT %3$s FROM (SELECT s.%1$I AS v) AS x) ORDER BY id)),
			kept('randomized', %2$s + 1) = whole(array_agg(CASE WHEN drawn THEN (SELECT %3$s FROM (SELECT r.%1$I AS v) AS x) END ORDER BY id)),
			count(*) = length(kept('randomized', %2$s + 2)) AND bool_and(drawn OR s.%1$I IS NOT DISTINCT FROM r.%1$I),
			kept('randomized', %2$s + 3) = whole(ARRAY[le(float8send((SELECT parameters -> 'probabilities' ->> (%2$s / 8 - 1) FROM sdc_private.sdc_release_catalog WHERE release = 'randomized'::regclass)::float8))]),
			count(*) FILTER (WHERE drawn AND s.%1$I IS DISTINCT FROM r.%1$I) > 0
		FROM (SELECT *, get_byte(kept('randomized', %2$s + 2), (row_number() OVER (ORDER BY id))::int - 1) = 1 AS drawn FROM person) AS s JOIN randomized AS r USING (id)$q$, $1, $2, $3);
END
$$;
SELECT t.* FROM way AS w, randomized_twin(w.name, w.stream, w.bytes) AS t ORDER BY w.stream;
SELECT count(savings) < 301 AND count(job) < 301 AND count(feeling) < 301 AS there_are_nulls FROM person;
-- bytes have no head, and are 0 or 1: of every record one column was drawn
SELECT count(*) AS records, min(drawn), max(drawn), bool_and(plain) FROM (SELECT sum(get_byte(kept('randomized', stream + 2), i)) AS drawn, bool_and(get_byte(kept('randomized', stream + 2), i) < 2) AS plain
	FROM way, generate_series(0, 300) AS i GROUP BY i) AS d;
-- rank swapping has a state of words; there are no other values than the release has, as long as nobody waits or has lost his partner
SELECT count(*) FROM sdc_rankswap('person', p => 10, columns => '{age,income,weight,savings,born,job,feeling,place}', omit => '{region,sex}',
	target => 'swapped', seed => 1, continued => true, min_changes => 10);
SELECT array_agg(stream ORDER BY stream) FROM sdc_private.sdc_state_catalog WHERE release = 'swapped'::regclass;
-- words have no head, and as many bits as the largest number needs, but for the last four of 32 bits: the number of the partner's record, but not of
-- the upper record of a pair, which is that of one before it
CREATE FUNCTION words(contents bytea, bits int) RETURNS TABLE (i bigint, word bigint) LANGUAGE sql IMMUTABLE AS $$
	WITH k AS MATERIALIZED (SELECT contents || '\x00000000'::bytea AS c)
	SELECT i, CASE WHEN w > (1::bigint << bits) - 5 THEN w + 4294967296 - (1::bigint << bits) ELSE w END
	FROM k, generate_series(0, length(contents) * 8 / bits - 1) AS i, LATERAL (SELECT i * bits / 8 AS at) AS a, LATERAL (SELECT (get_byte(c, at) + 256 * get_byte(c, at + 1)
		+ 65536 * get_byte(c, at + 2) + 16777216 * get_byte(c, at + 3)::bigint + 4294967296 * get_byte(c, at + 4) >> i * bits % 8) & ((1::bigint << bits) - 1) AS w) AS b
$$;
CREATE FUNCTION words_of(release regclass, stream int, bits int) RETURNS bigint[] LANGUAGE sql STABLE AS $$
	SELECT array_agg(w.word ORDER BY s.part, w.i) FROM sdc_private.sdc_state_catalog AS s, words(s.contents, $3) AS w WHERE (s.release, s.stream) = ($1, $2)
$$;
-- placed has another word at a place
CREATE FUNCTION placed(contents bytea, i int, bits int, word bigint) RETURNS bytea LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
	FOR b IN 0 .. bits - 1 LOOP
		contents := set_bit(contents, i * bits + b, (word >> b & 1)::int);
	END LOOP;
	RETURN contents;
END
$$;
-- mates returns that of every record
CREATE FUNCTION mates(packed bigint[], records int) RETURNS TABLE (i bigint, word bigint) LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
	mate bigint[] := array_fill(NULL::bigint, ARRAY[records]);
	next int := 0;
BEGIN
	FOR r IN 1 .. records LOOP
		IF mate[r] IS NULL THEN
			next := next + 1;
			mate[r] := packed[next];
			IF mate[r] < 4294967293 THEN
				mate[mate[r] + 1] := r - 1;
			END IF;
		END IF;
	END LOOP;
	ASSERT next = cardinality(packed);
	RETURN QUERY SELECT ordinality - 1, m FROM unnest(mate) WITH ORDINALITY AS u (m);
END
$$;
CREATE TABLE mate AS SELECT stream, name, i AS n, word AS mate FROM way, mates(words_of('swapped', stream + 1, 9), 301);
-- swapped_mates tells of a column how many records there are, how many of them have no value and are alone, and where a pair is none
CREATE FUNCTION swapped_mates(name text) RETURNS TABLE (records bigint, missing bigint, alone bigint, one_sided bigint, elsewhere bigint) LANGUAGE plpgsql AS $$
BEGIN
	RETURN QUERY EXECUTE format($q$
		SELECT count(*), count(*) FILTER (WHERE r.%1$I IS NULL AND m.mate = 4294967295), count(*) FILTER (WHERE r.%1$I IS NOT NULL AND m.mate = 4294967295),
			count(*) FILTER (WHERE m.mate <> 4294967295 AND n.mate IS DISTINCT FROM m.n), count(*) FILTER (WHERE r.%1$I IS DISTINCT FROM s.%1$I)
		FROM mate AS m LEFT JOIN mate AS n ON n.name = m.name AND n.n = m.mate JOIN swapped AS r ON r.id = m.n + 1 JOIN person AS s ON s.id = coalesce(n.n, m.n) + 1 WHERE m.name = %1$L$q$, $1);
END
$$;
SELECT w.name, t.* FROM way AS w, swapped_mates(w.name) AS t ORDER BY w.stream;
-- The night after, some are gone, and some values are others, are there at last or are not any more: they are in the state, in the order of their records.
CREATE TABLE person_before AS TABLE person;
DELETE FROM person WHERE id % 50 = 7;
UPDATE person SET weight = weight + 1 WHERE id % 60 = 1;
UPDATE person SET born = NULL WHERE id IN (30, 31);
UPDATE person SET savings = 77 + id WHERE id IN (SELECT id FROM person WHERE savings IS NULL ORDER BY id LIMIT 3);
UPDATE person SET feeling = 'bad' WHERE id IN (SELECT id FROM person WHERE feeling IS NULL ORDER BY id LIMIT 4);
SELECT attribute, records, drawn, waiting, widows FROM sdc_rankswap('person', p => 10, columns => '{age,income,weight,savings,born,job,feeling,place}', omit => '{region,sex}',
	target => 'swapped', continued => true, replace => true, min_changes => 10) WHERE action = 'protected';
-- swapped_twin works out of the mates of the night before what there should be: the mates, the marks of widows (256) and of pairs that have changed (512), and the values of all who are pending or widows
CREATE FUNCTION swapped_twin(name text, stream int, bytes text)
RETURNS TABLE (attribute text, mates boolean, marks boolean, originals boolean, widows bigint, pending bigint, touched bigint) LANGUAGE plpgsql AS $$
BEGIN
	RETURN QUERY EXECUTE format($q$
		WITH b AS (SELECT row_number() OVER (ORDER BY id) - 1 AS n, id, %1$I AS v FROM person_before), a AS (SELECT row_number() OVER (ORDER BY id) - 1 AS n, id, %1$I AS v FROM person),
			m AS (SELECT b.id, b.v, m.mate, c.id AS mate_id FROM b JOIN mate AS m ON m.name = %1$L AND m.n = b.n LEFT JOIN b AS c ON c.n = m.mate),
			cell AS (SELECT a.n, a.v, CASE WHEN a.v IS NULL THEN 4294967295 WHEN m.v IS NULL THEN 4294967293 WHEN m.mate_id IS NULL THEN m.mate WHEN g.v IS NULL THEN 4294967294 ELSE g.n END AS mate,
				m.v <> a.v AND g.v IS NOT NULL AS touched FROM a JOIN m USING (id) LEFT JOIN a AS g ON g.id = m.mate_id)
		SELECT %1$L, words_of('swapped', %2$s + 1, 9) = array_agg(mate ORDER BY n) FILTER (WHERE mate > n),
			words_of('swapped', %2$s + 2, 11) IS NOT DISTINCT FROM (SELECT array_agg(w ORDER BY n, i) FROM cell, LATERAL (VALUES (1, n), (2, CASE WHEN touched THEN 512 ELSE 256 END)) AS v (i, w) WHERE touched OR mate = 4294967294),
			kept('swapped', %2$s) = whole(array_agg(%3$s ORDER BY n) FILTER (WHERE mate IN (4294967293, 4294967294))),
			count(*) FILTER (WHERE mate = 4294967294), count(*) FILTER (WHERE mate = 4294967293), count(*) FILTER (WHERE touched) FROM cell$q$, $1, $2, $3);
END
$$;
SELECT t.* FROM way AS w, swapped_twin(w.name, w.stream, w.bytes) AS t ORDER BY w.stream;
-- the replacements of the other release stay; its originals are as they are tonight
SELECT sum(drawn) AS drawn, min(records) FROM sdc_randomize('person', '{age,income,weight,savings,born,job,feeling,place}', omit => '{region,sex}', target => 'randomized', continued => true, replace => true)
WHERE action = 'protected';
SELECT t.* FROM way AS w, randomized_twin(w.name, w.stream, w.bytes) AS t ORDER BY w.stream;
-- what there is, and its digests
CREATE FUNCTION directory(release regclass) RETURNS TABLE (signed boolean, parts bigint, known bigint, closed boolean) LANGUAGE sql STABLE AS $$
	SELECT substr(d, 1, 12) = 'sdcstate' || le(int4send(5)) AND position(sized('UTF8') IN d) = 13, count(*), count(*) FILTER (WHERE position(sha256(s.contents) IN d) > 0),
		substr(d, length(d) - 31) = sha256(substr(d, 1, length(d) - 32))
	FROM (SELECT kept($1, 0)) AS k (d), sdc_private.sdc_state_catalog AS s WHERE s.release = $1 AND s.stream > 0 GROUP BY d
$$;
SELECT * FROM directory('swapped');
SELECT * FROM directory('randomized');

-- the hashes of original values are salted, for every release in another way, and nothing else depends on that; a night keeps the salt
SELECT count(*) FROM sdc_rankswap('person', p => 10, columns => '{age,born,job}', omit => '{region,sex}', target => 'salted', seed => 2, continued => true);
SELECT count(*) FROM sdc_rankswap('person', p => 10, columns => '{age,born,job}', omit => '{region,sex}', target => 'salted_too', seed => 2, continued => true);
SELECT kept('salted', 1) <> kept('salted_too', 1) AS hashes_differ, kept('salted', 9) = kept('salted_too', 9) AND kept('salted', 17) = kept('salted_too', 17)
	AND kept('salted', 25) = kept('salted_too', 25) AS mates_do_not;
SELECT count(*) FROM (TABLE salted EXCEPT ALL TABLE salted_too) AS d;
CREATE TABLE hashes AS SELECT kept('salted', 1) AS h;
BEGIN;
DELETE FROM person WHERE id = (SELECT max(id) FROM person);
SELECT DISTINCT records FROM sdc_rankswap('person', p => 10, columns => '{age,born,job}', omit => '{region,sex}', target => 'salted', replace => true, continued => true) WHERE action = 'protected';
SELECT substr(kept('salted', 1), 9) = substr(h, 9, length(h) - 16) AS same_hashes FROM hashes;
ROLLBACK;
DROP TABLE hashes, salted, salted_too;

-- many parts, none of which is larger than it should be, but for the value that is; nothing is compressed
CREATE TABLE many AS SELECT i AS id, helper.uniform(i, 1) AS a, repeat(md5(i::text), 1 + i % 3) AS b FROM generate_series(1, 70000) AS i;
ALTER TABLE many ADD PRIMARY KEY (id);
INSERT INTO many VALUES (0, 0.5, repeat('a long one', 40000));
SELECT count(*) FROM sdc_randomize('many', '{a,b}', draws => 1, target => 'many_randomized', seed => 1, continued => true);
SELECT count(*) FROM sdc_rankswap('many', p => 10, columns => '{a,b}', target => 'many_swapped', seed => 1, continued => true);
SELECT release, stream, count(*), max(length(contents)) <= 8109 AS fits_a_page, bool_and(pg_column_size(contents) >= length(contents)) AS plain
FROM sdc_private.sdc_state_catalog WHERE release IN ('many_randomized'::regclass, 'many_swapped'::regclass) GROUP BY release, stream ORDER BY release::text, stream;
-- parts puts those of a stream together, without what is before their values
CREATE FUNCTION parts(release regclass, stream int, head boolean) RETURNS bytea LANGUAGE sql STABLE AS $$
	SELECT string_agg(CASE WHEN NOT head THEN contents WHEN substr(contents, 5, 4) = '\x00000000' THEN substr(contents, 9)
		ELSE substr(contents, 9 + (get_byte(contents, 0) + 256 * get_byte(contents, 1) + 65536 * get_byte(contents, 2) + 7) / 8) END, '' ORDER BY part)
	FROM sdc_private.sdc_state_catalog AS s WHERE s.release = $1 AND s.stream = $2
$$;
-- bytes_of returns the bytes of a stream, with the numbers of their records
CREATE FUNCTION bytes_of(contents bytea) RETURNS TABLE (i int, byte int) LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
	RETURN QUERY SELECT n, get_byte(contents, n) FROM generate_series(0, length(contents) - 1) AS n;
END
$$;
WITH s AS (SELECT m.id, m.a, m.b, r.a AS new_a, r.b AS new_b, d.byte AS drawn_a, e.byte AS drawn_b FROM many AS m JOIN many_randomized AS r USING (id)
		JOIN bytes_of(parts('many_randomized', 10, false)) AS d ON d.i = m.id JOIN bytes_of(parts('many_randomized', 18, false)) AS e ON e.i = m.id)
SELECT parts('many_randomized', 8, true) = string_agg(le(float8send(a)), '' ORDER BY id) AS a,
	parts('many_randomized', 9, true) = string_agg(le(float8send(new_a)), '' ORDER BY id) FILTER (WHERE drawn_a = 1) AS new_a,
	parts('many_randomized', 16, true) = string_agg(sized(convert_to(b, 'UTF8')), '' ORDER BY id) AS b,
	parts('many_randomized', 17, true) = string_agg(sized(convert_to(new_b, 'UTF8')), '' ORDER BY id) FILTER (WHERE drawn_b = 1) AS new_b,
	count(*) FILTER (WHERE drawn_a + drawn_b <> 1 OR (drawn_a = 0 AND a <> new_a) OR (drawn_b = 0 AND b <> new_b)) AS wrong FROM s;
WITH w AS MATERIALIZED (SELECT * FROM mates(words_of('many_swapped', 9, 17), 70001)), x AS MATERIALIZED (SELECT * FROM mates(words_of('many_swapped', 17, 17), 70001))
SELECT count(*), count(*) FILTER (WHERE w.word <> 4294967295 AND v.word IS DISTINCT FROM w.i) AS one_sided, count(*) FILTER (WHERE r.a <> s.a) AS elsewhere,
	count(*) FILTER (WHERE x.word <> 4294967295 AND y.word IS DISTINCT FROM x.i) AS one_sided, count(*) FILTER (WHERE r.b <> t.b) AS elsewhere
FROM many_swapped AS r JOIN w ON w.i = r.id JOIN x ON x.i = r.id LEFT JOIN w AS v ON v.i = w.word LEFT JOIN x AS y ON y.i = x.word
	JOIN many AS s ON s.id = coalesce(v.i, r.id) JOIN many AS t ON t.id = coalesce(y.i, r.id);
SELECT * FROM directory('many_randomized');
SELECT * FROM directory('many_swapped');
CREATE TABLE many_before AS TABLE many_swapped;
CREATE TABLE many_randomized_before AS TABLE many_randomized;
DELETE FROM many WHERE id % 2000 = 1;
SELECT attribute, records, kept, drawn, waiting FROM sdc_rankswap('many', p => 10, columns => '{a,b}', target => 'many_swapped', replace => true, continued => true, min_changes => 200)
WHERE action = 'protected';
SELECT attribute, records, kept, drawn, waiting FROM sdc_randomize('many', '{a,b}', draws => 1, target => 'many_randomized', replace => true, continued => true) WHERE action = 'protected';
SELECT count(*) FROM (SELECT * FROM many_before WHERE id % 2000 <> 1 EXCEPT ALL TABLE many_swapped) AS d;
SELECT count(*) FROM (SELECT * FROM many_randomized_before WHERE id % 2000 <> 1 EXCEPT ALL TABLE many_randomized) AS d;
DROP TABLE many, many_before, many_swapped, many_randomized_before, many_randomized;

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
SELECT count(*) FROM sdc_randomize('sort', :'columns', draws => 12, key => '{k1,k2,k3}', target => 'drawn', seed => 7, continued => true);
SELECT count(*) FROM sdc_rankswap('sort', p => 10, columns => :'columns', key => '{k1,k2,k3}', target => 'sorted', seed => 7, continued => true, min_changes => 100);
SELECT release, count(DISTINCT stream) AS streams FROM sdc_private.sdc_state_catalog WHERE release IN ('drawn'::regclass, 'sorted'::regclass) GROUP BY release ORDER BY release::text;
CREATE TABLE before AS SELECT 'drawn' AS release, * FROM drawn UNION ALL SELECT 'sorted', * FROM sorted;
-- nights of both, as somebody has them whose session writes values in other ways
CREATE FUNCTION sort_nights(columns name[]) RETURNS TABLE (release text, records bigint, drawn numeric, gone_or_other numeric, waiting numeric, widows numeric) LANGUAGE sql AS $$
	SELECT 'drawn', max(records), sum(drawn), sum(records - kept), sum(waiting), sum(widows)
	FROM sdc_randomize('sort', columns, draws => 12, key => '{k1,k2,k3}', target => 'drawn', replace => true, continued => true) WHERE action = 'protected'
	UNION ALL SELECT 'sorted', max(records), sum(drawn), sum(records - kept), sum(waiting), sum(widows)
	FROM sdc_rankswap('sort', p => 10, columns => columns, key => '{k1,k2,k3}', target => 'sorted', replace => true, continued => true, min_changes => 100) WHERE action = 'protected'
$$;
SET datestyle = 'German'; SET intervalstyle = 'sql_standard'; SET extra_float_digits = -5; SET bytea_output = 'escape'; SET timezone = 'Asia/Tokyo'; SET client_encoding = 'latin1';
SELECT * FROM sort_nights(:'columns');
DELETE FROM sort WHERE k1[2] % 24 = 0;
SELECT * FROM sort_nights(:'columns');
-- what rank swapping has of values of all sorts now, it reads again; nobody's original value is another one than in the source
SELECT count(*) FROM sdc_private.sdc_state_catalog WHERE release = 'sorted'::regclass AND stream > 0 AND stream % 8 = 0;
SELECT * FROM sort_nights(:'columns');
SELECT sum(records) AS others FROM sdc_pending('drawn');
SELECT sum(records) FILTER (WHERE kind <> 'widows') AS others FROM sdc_pending('sorted');
DELETE FROM sort WHERE k1[2] % 24 = 1;
SELECT * FROM sort_nights(:'columns');
SELECT sum(records) FILTER (WHERE kind <> 'widows') AS others FROM sdc_pending('sorted');
RESET datestyle; RESET intervalstyle; RESET extra_float_digits; RESET bytea_output; RESET timezone; RESET client_encoding;
SELECT (SELECT count(*) FROM sorted), (SELECT count(*) FROM (SELECT b::text FROM before AS b WHERE k1[2] % 24 > 1 EXCEPT ALL SELECT s::text FROM
	(SELECT 'drawn' AS release, * FROM drawn UNION ALL SELECT 'sorted', * FROM sorted) AS s) AS d) AS differ;
-- a type whose input runs code of a role that is not trusted: nothing is read
CREATE SCHEMA AUTHORIZATION regress_sdc_owner;
SET ROLE regress_sdc_owner;
CREATE DOMAIN regress_sdc_owner.checked AS int CHECK (VALUE > 0);
CREATE TABLE regress_sdc_owner.own AS SELECT i AS id, ARRAY[i]::regress_sdc_owner.checked[] AS c FROM generate_series(1, 60) AS i;
ALTER TABLE regress_sdc_owner.own ADD PRIMARY KEY (id);
SELECT count(*) FROM sdc_rankswap('regress_sdc_owner.own', p => 50, columns => '{c}', target => 'regress_sdc_owner.own_swapped', seed => 1, continued => true);
SELECT count(*) FROM sdc_randomize('regress_sdc_owner.own', '{c}', draws => 1, target => 'regress_sdc_owner.own_drawn', seed => 1, continued => true);
RESET ROLE;
SELECT helper.catch($$SELECT FROM sdc_rankswap('regress_sdc_owner.own', p => 50, columns => '{c}', target => 'regress_sdc_owner.own_swapped', continued => true, replace => true)$$);
SELECT helper.catch($$SELECT FROM sdc_randomize('regress_sdc_owner.own', '{c}', draws => 1, target => 'regress_sdc_owner.own_drawn', continued => true, replace => true)$$);
DROP SCHEMA regress_sdc_owner CASCADE;
-- a label that has another name by now: the release is another one
ALTER TYPE mood RENAME VALUE 'bad' TO 'worse';
SELECT helper.catch(format('SELECT sort_nights(%L)', :'columns'));
SELECT helper.catch(format($$SELECT FROM sdc_rankswap('sort', p => 10, columns => %L, key => '{k1,k2,k3}', target => 'sorted', replace => true, continued => true, min_changes => 100)$$, :'columns'));
ALTER TYPE mood RENAME VALUE 'worse' TO 'bad';
DROP TABLE sort, drawn, sorted, before;
-- and where the release has it nowhere, it is none in the state
CREATE TYPE rare AS ENUM ('often', 'seldom', 'once');
CREATE TABLE rarely AS SELECT i AS id, (CASE WHEN i = 20 THEN 'once' WHEN i % 2 = 0 THEN 'often' ELSE 'seldom' END)::rare AS c FROM generate_series(1, 40) AS i;
ALTER TABLE rarely ADD PRIMARY KEY (id);
SELECT count(*) FROM sdc_randomize('rarely', '{c}', draws => 1, target => 'rarely_drawn', seed => 1, continued => true);
SELECT count(*) FROM rarely_drawn WHERE c = 'once';
ALTER TYPE rare RENAME VALUE 'once' TO 'never';
SELECT helper.catch($$SELECT FROM sdc_randomize('rarely', '{c}', draws => 1, target => 'rarely_drawn', continued => true, replace => true)$$);
ALTER TYPE rare RENAME VALUE 'never' TO 'once';
SELECT helper.catch($$SELECT FROM sdc_randomize('rarely', '{c}', draws => 1, target => 'rarely_drawn', continued => true, replace => true)$$);
DROP TABLE rarely, rarely_drawn;

--
-- What is not what was written
--
CREATE TABLE good AS SELECT * FROM sdc_private.sdc_state_catalog WHERE release IN ('swapped'::regclass, 'randomized'::regclass);
CREATE TABLE release_before AS SELECT 'swapped' AS release, * FROM swapped UNION ALL SELECT 'randomized', * FROM randomized;
CREATE FUNCTION night(release text DEFAULT 'swapped') RETURNS text LANGUAGE sql AS $$
	SELECT helper.catch(CASE release
		WHEN 'swapped' THEN $q$SELECT FROM sdc_rankswap('privatestate.person', p => 10, columns => '{age,income,weight,savings,born,job,feeling,place}', omit => '{region,sex}',
			target => 'privatestate.swapped', continued => true, replace => true, min_changes => 10)$q$
		ELSE $q$SELECT FROM sdc_randomize('privatestate.person', '{age,income,weight,savings,born,job,feeling,place}', omit => '{region,sex}',
			target => 'privatestate.randomized', continued => true, replace => true)$q$ END)
$$;
-- tampered does something to the state of a release, and mends it
CREATE FUNCTION tampered(release text, what text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	found text;
BEGIN
	EXECUTE what;
	found := night($1);
	DELETE FROM sdc_private.sdc_state_catalog AS s WHERE s.release = $1::regclass;
	INSERT INTO sdc_private.sdc_state_catalog SELECT * FROM good AS g WHERE g.release = $1::regclass;
	RETURN found;
END
$$;
-- signed changes the directory, and closes it with its digest
CREATE FUNCTION signed(release text, expression text) RETURNS text LANGUAGE sql IMMUTABLE RETURN format(
	$$UPDATE sdc_private.sdc_state_catalog SET contents = c || sha256(c) FROM (SELECT %1$s AS c FROM (SELECT substr(contents, 1, length(contents) - 32) AS d FROM good WHERE release = %2$L::regclass AND stream = 0) AS g) AS n
	WHERE release = %2$L::regclass AND stream = 0$$, expression, release);
SELECT night(), night('randomized');
SELECT tampered('swapped', $$DELETE FROM sdc_private.sdc_state_catalog WHERE release = 'swapped'::regclass$$);
SELECT tampered('randomized', $$DELETE FROM sdc_private.sdc_state_catalog WHERE release = 'randomized'::regclass$$);
SELECT tampered('swapped', $$DELETE FROM sdc_private.sdc_state_catalog WHERE release = 'swapped'::regclass AND stream = 0$$);
-- a part is missing, is too many, or is another one: of values, words and bytes
SELECT count(*) AS streams, release, found FROM (SELECT release, stream, replace(tampered(release::text,
	format('DELETE FROM sdc_private.sdc_state_catalog WHERE release = %L::regclass AND stream = %s', release, stream)), 'of stream ' || stream, 'of the stream') AS found FROM good WHERE stream > 0) AS f
GROUP BY release, found ORDER BY release::text, found COLLATE "C";
SELECT count(*) AS streams, release, found FROM (SELECT release, stream, replace(tampered(release::text,
	format('INSERT INTO sdc_private.sdc_state_catalog SELECT release, row_type, stream, 1, contents, ''-'' FROM good WHERE release = %L::regclass AND stream = %s', release, stream)), 'of stream ' || stream, 'of the stream') AS found
	FROM good WHERE stream > 0) AS f
GROUP BY release, found ORDER BY release::text, found COLLATE "C";
SELECT count(*) AS streams, release, found FROM (SELECT release, stream, replace(tampered(release::text,
	format('UPDATE sdc_private.sdc_state_catalog SET part = 7 WHERE release = %L::regclass AND stream = %s', release, stream)), 'of stream ' || stream, 'of the stream') AS found FROM good WHERE stream > 0) AS f
GROUP BY release, found ORDER BY release::text, found COLLATE "C";
SELECT count(*) AS streams, release, found FROM (SELECT release, stream, replace(tampered(release::text,
	format('UPDATE sdc_private.sdc_state_catalog SET contents = set_byte(contents, %3$s, 255 - get_byte(contents, %3$s)) WHERE release = %1$L::regclass AND stream = %2$s', release, stream, length(contents) / 2)),
	'of stream ' || stream, 'of the stream') AS found FROM good WHERE stream > 0) AS f
GROUP BY release, found ORDER BY release::text, found COLLATE "C";
SELECT count(*) AS streams, release, found FROM (SELECT release, stream, replace(tampered(release::text,
	format($$UPDATE sdc_private.sdc_state_catalog SET contents = contents || '\x00' WHERE release = %L::regclass AND stream = %s$$, release, stream)), 'of stream ' || stream, 'of the stream') AS found FROM good WHERE stream > 0) AS f
GROUP BY release, found ORDER BY release::text, found COLLATE "C";
-- those of two streams of one kind have changed places
SELECT tampered('swapped', $$UPDATE sdc_private.sdc_state_catalog AS s SET contents = g.contents FROM good AS g WHERE s.release = 'swapped'::regclass AND s.release = g.release AND (s.stream, g.stream) IN ((25, 33), (33, 25))$$);
SELECT tampered('swapped', $$UPDATE sdc_private.sdc_state_catalog AS s SET contents = g.contents FROM good AS g WHERE s.release = 'swapped'::regclass AND s.release = g.release AND (s.stream, g.stream) IN ((18, 26), (26, 18))$$);
SELECT tampered('randomized', $$UPDATE sdc_private.sdc_state_catalog AS s SET contents = g.contents FROM good AS g WHERE s.release = 'randomized'::regclass AND s.release = g.release AND (s.stream, g.stream) IN ((16, 17), (17, 16))$$);
SELECT tampered('randomized', $$UPDATE sdc_private.sdc_state_catalog AS s SET contents = g.contents FROM good AS g WHERE s.release = 'randomized'::regclass AND s.release = g.release AND (s.stream, g.stream) IN ((26, 34), (34, 26))$$);
SELECT tampered('swapped', $$UPDATE sdc_private.sdc_state_catalog SET contents = '' WHERE release = 'swapped'::regclass AND stream = 0$$);
SELECT tampered('swapped', $$UPDATE sdc_private.sdc_state_catalog SET contents = set_byte(contents, 30, 255 - get_byte(contents, 30)) WHERE release = 'swapped'::regclass AND stream = 0$$);
-- another version, with a digest that is right; and what somebody makes up who may write the table
SELECT tampered('swapped', signed('swapped', $$set_byte(d, 8, 6)$$));
SELECT tampered('swapped', signed('swapped', $$substr(d, 1, length(d) - 1)$$));
SELECT tampered('swapped', signed('swapped', $$d || '\x00'$$));
SELECT tampered('swapped', signed('swapped', $$substr(d, 1, 20) || '\xffffffff' || substr(d, 25)$$));
SELECT tampered('swapped', signed('swapped', $$overlay(d PLACING 'XXXX' FROM 17)$$));
-- forged gives a stream other contents, and a directory that fits
CREATE FUNCTION forged(release text, stream int, contents bytea) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	RETURN tampered($1, format('UPDATE sdc_private.sdc_state_catalog SET contents = %L WHERE release = %L::regclass AND stream = %s; ', $3, $1, $2) ||
		signed($1, format('overlay(d PLACING sha256(%L::bytea) FROM position((SELECT sha256(contents) FROM good WHERE release = %L::regclass AND stream = %s) IN d))', $3, $1, $2)));
END
$$;
-- what are no values, of originals and of replacements
SELECT count(*), found FROM (SELECT forged('randomized', f.stream, f.contents) AS found FROM (SELECT stream, contents AS c FROM good WHERE release = 'randomized'::regclass) AS g, LATERAL (VALUES
	(16, ''::bytea), (16, substr(c, 1, 8)), (16, substr(c, 1, 100)), (16, c || '\x00'), (16, overlay(c PLACING '\x00000000' FROM 1)), (16, overlay(c PLACING '\xffffffff' FROM 1)),
	(16, overlay(c PLACING '\xffffffff' FROM 5)), (16, overlay(c PLACING '\xffffff7f' FROM 9)), (16, overlay(c PLACING '\xffff' FROM 13)), (16, overlay(c PLACING '\x0f27' FROM 17)),
	(17, ''::bytea), (17, substr(c, 1, 8)), (17, substr(c, 1, 100)), (17, c || '\x00'), (17, overlay(c PLACING '\x00000000' FROM 1)), (17, overlay(c PLACING '\xffffffff' FROM 1)),
	(17, overlay(c PLACING '\x00000000' FROM 5)), (17, overlay(c PLACING '\xffffffff' FROM 5)), (17, overlay(c PLACING '\xffffff7f' FROM 46)), (17, overlay(c PLACING '\xffff' FROM 50)),
	(8, substr(c, 1, length(c) - 1)), (8, c || '\x0000'), (48, overlay(c PLACING '\xff' FROM 60)), (56, overlay(c PLACING 'xxx' FROM 60))) AS f (stream, contents)
	WHERE g.stream = f.stream) AS f GROUP BY found ORDER BY found COLLATE "C";
-- nor of those of pending cells and widows; and words and bytes that are too many or too few
SELECT count(*), found FROM (SELECT forged('swapped', f.stream, f.contents) AS found FROM (SELECT stream, contents AS c FROM good WHERE release = 'swapped'::regclass) AS g, LATERAL (VALUES
	(16, ''::bytea), (16, substr(c, 1, 8)), (16, substr(c, 1, 40)), (16, c || '\x00'), (16, overlay(c PLACING '\x00000000' FROM 1)), (16, overlay(c PLACING '\xffffffff' FROM 1)),
	(16, overlay(c PLACING '\xffffffff' FROM 5)), (16, overlay(c PLACING '\xffffff7f' FROM 9)), (16, overlay(c PLACING '\xffff' FROM 13)), (16, overlay(c PLACING '\x0f27' FROM 17)),
	(8, substr(c, 1, length(c) - 1)), (8, c || '\x0000'), (48, overlay(c PLACING '\xff' FROM 15)), (56, overlay(c PLACING 'xxx' FROM 13)),
	(25, substr(c, 1, length(c) - 4)), (25, c || '\x00000000'), (25, '\x'), (26, substr(c, 1, length(c) - 8)), (26, c || '\x0000000000000000'), (26, '\x')) AS f (stream, contents)
	WHERE g.stream = f.stream) AS f GROUP BY found ORDER BY found COLLATE "C";
SELECT count(*), found FROM (SELECT forged('randomized', f.stream, f.contents) AS found FROM (SELECT stream, contents AS c FROM good WHERE release = 'randomized'::regclass) AS g, LATERAL (VALUES
	(26, substr(c, 1, length(c) - 1)), (26, c || '\x00'), (26, '\x'), (35, substr(c, 1, 15)), (35, c || '\x00')) AS f (stream, contents)
	WHERE g.stream = f.stream) AS f GROUP BY found ORDER BY found COLLATE "C";
-- values of their type, and words and bytes, as many as there should be, that cannot be
SELECT f.what, forged(f.release, f.stream, f.contents) FROM (SELECT release::text, stream, contents AS c FROM good) AS g, LATERAL (VALUES
	('swapped', 25, 'nobody', placed(c, 0, 9, 400)), ('swapped', 25, 'oneself', placed(c, 0, 9, 0)), ('swapped', 25, 'a mark that is none', placed(c, 0, 9, 4294967292)),
	('swapped', 25, 'pending', placed(c, 0, 9, 4294967293)), ('swapped', 26, 'no record', placed(c, 0, 11, 1000)), ('swapped', 26, 'no flag', placed(c, 1, 11, 1024)),
	('swapped', 1, 'another hash', overlay(c PLACING '\x0000000000000000' FROM 9)), ('swapped', 1, 'one hash less', (SELECT string_agg(le(int8send(0)), '') FROM person WHERE id > 1)),
	('swapped', 8, 'one value less', whole((SELECT array_agg('\x1000'::bytea) FROM generate_series(2, get_byte(c, 0))))),
	('randomized', 16, 'one value less', whole((SELECT array_agg(sized(numeric_send(income))) FROM person WHERE id > 1))),
	('randomized', 17, 'one value less', whole((SELECT array_agg(NULL::bytea) FROM person WHERE id > 1))),
	('randomized', 17, 'no replacement', whole((SELECT array_agg(NULL::bytea) FROM person))),
	('randomized', 24, 'other originals', whole((SELECT array_agg(le(float8send(weight + 1)) ORDER BY id) FROM person))),
	('randomized', 26, 'all drawn', (SELECT string_agg('\x01'::bytea, '') FROM person)), ('randomized', 26, 'none drawn', (SELECT string_agg('\x00'::bytea, '') FROM person)),
	('randomized', 35, 'more than sure', whole(ARRAY[le(float8send(1.5))])), ('randomized', 35, 'less than never', whole(ARRAY[le(float8send(-0.5))])),
	('randomized', 35, 'not a number', whole(ARRAY[le(float8send('NaN'))])), ('randomized', 35, 'missing', whole(ARRAY[NULL::bytea])), ('randomized', 35, 'two', whole(ARRAY[le(float8send(0)), le(float8send(0))]))
	) AS f (release, stream, what, contents)
WHERE (g.release, g.stream) = (f.release, f.stream) ORDER BY f.release, f.stream, f.what;
-- nothing is lost by all that
SELECT night(), night('randomized');
SELECT count(*) FROM (TABLE release_before EXCEPT ALL (SELECT 'swapped', * FROM swapped UNION ALL SELECT 'randomized', * FROM randomized)) AS d;

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
SELECT count(*) FROM sdc_private.sdc_state_catalog WHERE release = 'swapped'::regclass;
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
	FROM (TABLE sdc_private.sdc_state_catalog UNION ALL TABLE sdc_private.sdc_temporary_states) AS s LEFT JOIN pg_class AS c ON c.oid = s.release WHERE s.stream = 0
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
SELECT count(*) > 0 AS apart, (SELECT count(*) FROM sdc_private.sdc_state_catalog WHERE release = 'fleeting_swapped'::regclass) FROM sdc_private.sdc_temporary_states;
SELECT count(*) FROM sdc_private.state_dump() WHERE release = 'fleeting_swapped'::regclass;
DROP TABLE fleeting_swapped;
SELECT count(*) FROM sdc_private.sdc_temporary_states;
-- the triggers are nobody's functions
SELECT helper.catch('SELECT sdc_private.sdc_state_dropped()');
CREATE TABLE other (LIKE sdc_private.sdc_state_catalog);
CREATE TRIGGER t BEFORE INSERT ON other FOR EACH ROW EXECUTE FUNCTION sdc_private.sdc_state_entered();
SELECT helper.catch('INSERT INTO other SELECT * FROM good');

--
-- Who reads it: nobody but who may read everything; who dumps it: the owner of the release besides
--
SELECT helper.make_people('regress_person', 100);
ALTER TABLE regress_person OWNER TO regress_sdc_owner;
SET ROLE regress_sdc_owner;
SELECT count(*) FROM sdc_rankswap('regress_person', p => 50, columns => '{age}', omit => '{region,sex}', target => 'owned', continued => true, seed => 3);
GRANT SELECT ON owned, regress_person TO PUBLIC;
SELECT helper.catch('SELECT FROM ' || name) FROM unnest('{sdc_private.sdc_state_catalog,sdc_private.sdc_temporary_states,sdc_private.sdc_state_dump}'::text[]) AS name;
SELECT helper.catch('SELECT FROM sdc_private.state_dump()');
RESET ROLE;
GRANT USAGE ON SCHEMA sdc_private TO regress_sdc_owner, regress_sdc_reader;
SET ROLE regress_sdc_owner;
SELECT helper.catch('SELECT FROM ' || name) FROM unnest('{sdc_private.sdc_state_catalog,sdc_private.sdc_temporary_states,sdc_private.sdc_state_dump}'::text[]) AS name;
SELECT helper.catch('SELECT FROM sdc_private.state_dump()');
RESET ROLE;
GRANT EXECUTE ON FUNCTION sdc_private.state_dump() TO regress_sdc_owner, regress_sdc_reader;
SET ROLE regress_sdc_owner;
SELECT string_agg(DISTINCT release::text, ' ') FROM sdc_private.state_dump();
SET ROLE regress_sdc_reader;
SELECT count(*) FROM sdc_private.state_dump();
RESET ROLE;
REVOKE EXECUTE ON FUNCTION sdc_private.state_dump() FROM regress_sdc_reader;
REVOKE USAGE ON SCHEMA sdc_private FROM regress_sdc_reader;
GRANT pg_read_all_data TO regress_sdc_reader;
SET ROLE regress_sdc_reader;
SELECT string_agg(DISTINCT release::text, ' ' ORDER BY release::text) FROM sdc_private.state_dump();
RESET ROLE;
-- what pg_dump asks is what is kept
SELECT extcondition[array_position(extconfig, 'sdc_private.sdc_state_dump'::regclass::oid)] AS condition FROM pg_extension WHERE extname = 'sdc' \gset
CREATE TABLE dumped AS SELECT * FROM sdc_private.sdc_state_dump :condition;
SELECT count(*) > 0 AS there, count(*) FILTER (WHERE k.contents IS DISTINCT FROM d.contents) AS differ
FROM dumped AS d FULL JOIN sdc_private.sdc_state_catalog AS k USING (release, stream, part);

--
-- Restored rows
--
SELECT sdc_forget('owned');
-- a dump that disables triggers restores none, and says so
BEGIN;
ALTER TABLE sdc_private.sdc_state_dump DISABLE TRIGGER ALL;
SELECT split_part(helper.catch($$INSERT INTO sdc_private.sdc_state_dump SELECT * FROM dumped WHERE release = 'owned'::regclass$$), E'\n', 1);
ROLLBACK;
INSERT INTO sdc_private.sdc_state_dump SELECT * FROM dumped WHERE release = 'owned'::regclass;
SELECT count(*) FROM sdc_private.sdc_state_dump;
SELECT count(*) = (SELECT count(*) FROM dumped WHERE release = 'owned'::regclass) AS there, bool_and(written_by::text = CURRENT_USER::regrole::text) AS noted
FROM sdc_private.sdc_state_catalog WHERE release = 'owned'::regclass;
SET ROLE regress_sdc_owner;
SELECT attribute, kept FROM sdc_rankswap('regress_person', p => 50, columns => '{age}', omit => '{region,sex}', target => 'owned', continued => true, replace => true) WHERE action = 'protected';
RESET ROLE;
SELECT helper.catch($$INSERT INTO sdc_private.sdc_state_dump SELECT * FROM dumped WHERE release = 'owned'::regclass$$);
-- of what is gone, nothing
INSERT INTO sdc_private.sdc_state_dump VALUES (0, 0, 0, 0, '', '-'), ('pg_class', 'int4', 0, 0, '', '-'), (4242424, 'pg_class', 0, 0, '', '-');
SELECT count(*) FROM sdc_private.sdc_state_catalog WHERE release NOT IN ('owned'::regclass, 'swapped'::regclass, 'randomized'::regclass);
-- by a role with the rights of the owner, and by one without
GRANT USAGE ON SCHEMA sdc_private TO regress_sdc_reader;
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
SELECT count(*) FROM sdc_private.state_dump() WHERE release = 'owned'::regclass;
SELECT helper.catch($$SELECT sdc_forget('owned')$$);
-- nor do they stand in the way of what the owner restores, or are too many beside it
INSERT INTO sdc_private.sdc_state_dump SELECT * FROM dumped WHERE release = 'owned'::regclass;
SELECT owned_night();
SET ROLE regress_sdc_reader;
INSERT INTO sdc_private.sdc_state_dump SELECT release, row_type, 99, 99, contents, '-' FROM dumped WHERE release = 'owned'::regclass AND stream = 0;
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
REVOKE EXECUTE ON FUNCTION sdc_private.state_dump() FROM regress_sdc_owner;

SET client_min_messages = warning;
DROP SCHEMA privatestate CASCADE;
SELECT count(*) FROM sdc_private.sdc_state_catalog;
REVOKE USAGE ON SCHEMA helper FROM regress_sdc_owner, regress_sdc_reader;
DROP ROLE regress_sdc_owner, regress_sdc_reader;
