-- world.sql
--		Relations of every kind, for the fuzzer of arguments: some are plausible, some hostile.
--
-- All in one transaction; the numbers come from hashes.  The roles exist already.

CREATE EXTENSION sdc;
CREATE EXTENSION file_fdw;
CREATE SCHEMA world;
GRANT USAGE ON SCHEMA world TO PUBLIC;
SET LOCAL search_path = world, public;
SET LOCAL client_min_messages = error;

CREATE TYPE mood AS ENUM ('low', 'middle', 'high');
CREATE TYPE pair AS (a int, b text);
CREATE DOMAIN positive AS int CHECK (VALUE > 0);
CREATE DOMAIN strange AS text CHECK (VALUE <> 'forbidden') NOT NULL;

-- Plausible ones.
CREATE TABLE people (id int PRIMARY KEY, age int, income numeric(10, 2), weight float8, sex text,
	city text COLLATE "C", born date, seen timestamptz, state mood, illness text);
INSERT INTO people
SELECT i, 20 + abs(hashint4(i)) % 60, abs(hashint4(i + 1)) % 100000 / 7.0, hashint4(i + 2) / 1e7,
	CASE hashint4(i + 3) % 2 WHEN 0 THEN 'f' ELSE 'm' END, 'city ' || abs(hashint4(i + 4)) % 9,
	'1950-01-01'::date + abs(hashint4(i + 5)) % 20000, '2020-01-01'::timestamptz + hashint4(i + 6) % 1000000 * interval '1 s',
	(enum_range(NULL::mood))[1 + abs(hashint4(i + 7)) % 3], 'illness ' || abs(hashint4(i + 8)) % 7
FROM generate_series(1, 120) AS i;
CREATE TABLE small AS SELECT id, age, income, sex, illness FROM people WHERE id <= 12;
ALTER TABLE small ADD PRIMARY KEY (id);
CREATE TABLE keys (a int, b text, c date, x float8, y int, z text, PRIMARY KEY (c, a, b));
INSERT INTO keys SELECT i % 5, 'k' || i / 25, '2000-01-01'::date + i / 5 % 5, hashint4(i), i % 11, 'z' || i % 3
FROM generate_series(0, 99) AS i;
CREATE TABLE nokey (x int, y float8, z text);
INSERT INTO nokey SELECT hashint4(i) % 50, hashint4(i), 'z' || i % 4 FROM generate_series(1, 60) AS i;
CREATE TABLE gaps (id int PRIMARY KEY, x int, y float8, z numeric, t text);
INSERT INTO gaps SELECT i, nullif(i % 4, 0), (ARRAY['NaN', 'Infinity', '-Infinity', '-0', '0', '1e308', '-1e308', '5e-324', NULL]::float8[])[1 + i % 9],
	(ARRAY['NaN', 'Infinity', '-Infinity', '1e1000', '-1e-1000', '0.00', NULL]::numeric[])[1 + i % 7], nullif('t' || i % 3, 't0')
FROM generate_series(1, 80) AS i;
CREATE TABLE parted (id int, part int, x int, y float8, z text, PRIMARY KEY (id, part)) PARTITION BY LIST (part);
CREATE TABLE parted_0 PARTITION OF parted FOR VALUES IN (0);
CREATE TABLE parted_1 (z text, y float8, gone int, x int, part int NOT NULL, id int NOT NULL);
ALTER TABLE parted_1 DROP COLUMN gone;
ALTER TABLE parted ATTACH PARTITION parted_1 FOR VALUES IN (1);
CREATE TABLE parted_2 PARTITION OF parted DEFAULT PARTITION BY HASH (id);
CREATE TABLE parted_2a PARTITION OF parted_2 FOR VALUES WITH (MODULUS 1, REMAINDER 0);
INSERT INTO parted SELECT i, i % 3, hashint4(i) % 100, hashint4(i + 1), 'z' || i % 5 FROM generate_series(1, 90) AS i;
CREATE TABLE dropped (gone1 int, id int PRIMARY KEY, gone2 text, x int, y float8, gone3 mood, twice int GENERATED ALWAYS AS (x * 2) STORED,
	fixed int GENERATED ALWAYS AS (id * 2) STORED, number int GENERATED ALWAYS AS IDENTITY);
INSERT INTO dropped (id, x, y) SELECT i, hashint4(i) % 20, hashint4(i) FROM generate_series(1, 40) AS i;
ALTER TABLE dropped DROP COLUMN gone1, DROP COLUMN gone2, DROP COLUMN gone3;
CREATE UNLOGGED TABLE unlogged AS SELECT * FROM people;
ALTER TABLE unlogged ADD PRIMARY KEY (id);
CREATE VIEW seen AS SELECT * FROM people WHERE age > 30;
CREATE MATERIALIZED VIEW stored AS SELECT * FROM people;
CREATE FOREIGN DATA WRAPPER nothing;
CREATE SERVER nowhere FOREIGN DATA WRAPPER nothing;
CREATE FOREIGN TABLE unreachable (id int, x int) SERVER nowhere;
DO $$
BEGIN
	EXECUTE format('COPY (SELECT id, age, city FROM world.people) TO %L', current_setting('data_directory') || '/people.copy');
	CREATE SERVER files FOREIGN DATA WRAPPER file_fdw;
	EXECUTE format('CREATE FOREIGN TABLE world.elsewhere (id int, age int, city text) SERVER files OPTIONS (filename %L)',
		current_setting('data_directory') || '/people.copy');
END
$$;

-- Hostile ones.
CREATE TABLE empty (id int PRIMARY KEY, x int, y float8, z text);
CREATE TABLE one (id int PRIMARY KEY, x int, y float8, z text);
INSERT INTO one VALUES (1, 2, 3, 'z');
CREATE TABLE constant (id int PRIMARY KEY, x int, y float8, z text);
INSERT INTO constant SELECT i, 1, 1, 'z' FROM generate_series(1, 30) AS i;
CREATE TABLE missing (id int PRIMARY KEY, x int, y float8, z text);
INSERT INTO missing (id) SELECT i FROM generate_series(1, 30) AS i;
CREATE TABLE nothing ();
INSERT INTO nothing SELECT FROM generate_series(1, 5);
CREATE TABLE extremes (id bigint PRIMARY KEY, i2 smallint, i4 int, i8 bigint, r real, n numeric, m money, d date, ts timestamp, tz timestamptz,
	t time, iv interval);
INSERT INTO extremes
SELECT i, (ARRAY[-32768, 32767, 0])[1 + i % 3], (ARRAY[-2147483648, 2147483647, 0])[1 + i % 3],
	(ARRAY['-9223372036854775808', '9223372036854775807', '0'])[1 + i % 3]::bigint,
	(ARRAY['1e-45', '3.4e38', '-3.4e38', 'NaN'])[1 + i % 4]::real, (ARRAY['1e-16383', '9e131071', '-9e131071'])[1 + i % 3]::numeric,
	(ARRAY['-92233720368547758.08', '92233720368547758.07', '0'])[1 + i % 3]::money,
	(ARRAY['infinity', '-infinity', '4713-01-01 BC', '5874897-12-31'])[1 + i % 4]::date,
	(ARRAY['infinity', '-infinity', '4713-01-01 BC', '294276-12-31'])[1 + i % 4]::timestamp,
	(ARRAY['infinity', '-infinity', '4713-01-02 BC', '294276-12-30'])[1 + i % 4]::timestamptz,
	(ARRAY['00:00', '24:00', '12:00'])[1 + i % 3]::time, (ARRAY['178000000 years', '-178000000 years', '1 day -24 hours'])[1 + i % 3]::interval
FROM generate_series(1, 40) AS i;
CREATE TABLE odd (id int PRIMARY KEY, u uuid, b bytea, bo bool, a int[], ta text[], j jsonb, js json, p point, x xml, inet inet, c char(5),
	bi bit(3), vb varbit, r int4range, mr int4multirange, ts tsvector, d positive, s strange DEFAULT 'x', co pair, o oid, cl regclass, n name, l pg_lsn);
INSERT INTO odd
SELECT i, md5((i % 5)::text)::uuid, decode(md5(i::text), 'hex'), i % 2 = 0, ARRAY[i % 3, NULL], ARRAY['a', NULL, ''], jsonb_build_object('a', i % 3),
	'[1]', point(i, i), '<a/>', ('10.0.0.' || i % 9)::inet, 'c' || i % 3, (i % 8)::bit(3), '101', int4range(i % 4, i % 4 + 3),
	int4multirange(int4range(1, 2)), 'a b', 1 + i % 4, 's' || i % 2, ROW(i % 3, 'b')::pair, i % 3, 'pg_class', 'n' || i % 3, ('0/' || i % 9)::pg_lsn
FROM generate_series(1, 30) AS i;
CREATE TABLE long (id int PRIMARY KEY, t text, b bytea, x int);
INSERT INTO long SELECT i, repeat('long ' || i % 4, 20000), decode(repeat('00ff', 5000), 'hex'), i FROM generate_series(1, 12) AS i;
CREATE TABLE twins (id int, x int, y float8);
INSERT INTO twins SELECT i / 2, i, i FROM generate_series(1, 30) AS i;
CREATE TABLE nullkey (id int UNIQUE, x int, y float8);
INSERT INTO nullkey SELECT nullif(i, 7), i, i FROM generate_series(1, 30) AS i;
CREATE TABLE late (id int PRIMARY KEY DEFERRABLE INITIALLY DEFERRED, x int, y float8);
INSERT INTO late SELECT i, i, i FROM generate_series(1, 30) AS i;
CREATE TABLE "select ""From"" 'x'; -- " ("ID " int PRIMARY KEY, "a""b" int, "$1" float8, "é" text, "ctid " int, "sdc_row" int, "group_id" int);
INSERT INTO "select ""From"" 'x'; -- " SELECT i, i % 7, i, 'é' || i % 3, i, i, i FROM generate_series(1, 30) AS i;
CREATE TABLE abcdefghijklmnopqrstuvwxyz_abcdefghijklmnopqrstuvwxyz_123456789 (
	abcdefghijklmnopqrstuvwxyz_abcdefghijklmnopqrstuvwxyz_123456789 int PRIMARY KEY,
	abcdefghijklmnopqrstuvwxyz_abcdefghijklmnopqrstuvwxyz_12345678x int, x int);
INSERT INTO abcdefghijklmnopqrstuvwxyz_abcdefghijklmnopqrstuvwxyz_123456789 SELECT i, i % 9, i FROM generate_series(1, 30) AS i;
CREATE TABLE guarded (id int PRIMARY KEY, x int, y float8, owner name);
INSERT INTO guarded SELECT i, i % 9, i, CASE i % 2 WHEN 0 THEN 'fuzz_user' ELSE 'postgres' END FROM generate_series(1, 40) AS i;
ALTER TABLE guarded ENABLE ROW LEVEL SECURITY;
CREATE POLICY mine ON guarded USING (owner = current_user);
CREATE TABLE secret (id int PRIMARY KEY, x int, y float8);
INSERT INTO secret SELECT i, i, i FROM generate_series(1, 30) AS i;
CREATE TABLE child (extra int) INHERITS (people);
INSERT INTO child (id, age, income) SELECT i, i % 7, i FROM generate_series(1000, 1010) AS i;
CREATE TABLE typed OF pair (PRIMARY KEY (a));
INSERT INTO typed SELECT i, 'b' || i % 3 FROM generate_series(1, 20) AS i;
CREATE VIEW fails AS SELECT id, 100 / (id - 7) AS x, y FROM one UNION ALL SELECT id, 100 / (id - 7), y FROM late;
CREATE VIEW dice AS SELECT id, x + floor(random() * 10)::int AS x, y FROM late;
CREATE VIEW seen_again AS SELECT id, age, count(*) OVER () AS n FROM seen;
CREATE VIEW releases AS SELECT row_number() OVER () AS id, records AS x, method FROM sdc_releases;
CREATE MATERIALIZED VIEW unfilled AS SELECT * FROM people WITH NO DATA;
CREATE SEQUENCE numbers;
CREATE INDEX people_age ON people (age);
CREATE TABLE doomed (id int PRIMARY KEY, x int);
INSERT INTO doomed VALUES (1, 1);
DO $$
BEGIN
	EXECUTE (SELECT 'CREATE TABLE wide (id int PRIMARY KEY, ' || string_agg('c' || i || ' int', ', ') || ')' FROM generate_series(1, 150) AS i);
	EXECUTE (SELECT 'INSERT INTO wide SELECT i, ' || string_agg('i % ' || i, ', ' ORDER BY i) || ' FROM generate_series(1, 20) AS i'
		FROM generate_series(1, 150) AS i);
END
$$;
GRANT SELECT ON ALL TABLES IN SCHEMA world TO fuzz_user;
REVOKE ALL ON secret FROM fuzz_user;
GRANT SELECT (id, x) ON secret TO fuzz_user;
GRANT CREATE ON SCHEMA world TO fuzz_user;
ALTER TABLE small OWNER TO fuzz_user;

-- Releases of every method, one that is continued, one that was registered, and those whose source has changed or is gone.
CREATE TABLE given AS SELECT * FROM people;
ALTER TABLE given ADD PRIMARY KEY (id);
SELECT sdc_classify('people', 'sex', 'quasi-identifier'), sdc_classify('people', 'illness', 'sensitive');
SELECT count(*) FROM sdc_rankswap('people', p => 5, seed => 1);
SELECT count(*) FROM sdc_rankswap('people', p => 5, target => 'people_continued', continued => true, seed => 1);
SELECT count(*) FROM sdc_rankswap('keys', p => 5, target => 'keys_out', seed => 1);
SELECT count(*) FROM sdc_rankswap('nokey', p => 5, target => 'nokey_out', seed => 1);
SELECT count(*) FROM sdc_rankswap('gaps', p => 5, columns => '{x,y,z,t}', target => 'gaps_out', seed => 1);
SELECT count(*) FROM sdc_rankswap('empty', p => 5, target => 'empty_out', seed => 1);
SELECT count(*) FROM sdc_rankswap('one', p => 5, target => 'one_out', seed => 1);
SELECT count(*) FROM sdc_rankswap('extremes', p => 5, target => 'extremes_out', seed => 1);
SELECT count(*) FROM sdc_rankswap('doomed', p => 5, target => 'doomed_out', seed => 1);
SELECT count(*) FROM sdc_rankswap_distribution('late', p => 5, target => 'late_out', seed => 1);
SELECT count(*) FROM sdc_rankswap_distribution('people', p => 5, strata => '{sex}', seed => 1);
SELECT count(*) FROM sdc_rankswap_buckets('people', buckets => 20, seed => 1);
SELECT count(*) FROM sdc_equidepth_swap('people', depth => 10, columns => '{age,income,weight}', seed => 1);
SELECT count(*) FROM sdc_equiwidth_swap('people', intervals => 3, columns => '{age,income}', complement => 'swap', seed => 1);
SELECT count(*) FROM sdc_randomize('people', '{age,sex,city}', seed => 1);
SELECT count(*) FROM sdc_generalize('people', '{age,sex,city}', k => 5);
SELECT count(*) FROM sdc_permute('people', '{age,sex,city}', '{illness}', 3, seed => 1);
SELECT count(*) FROM sdc_permute('people', '{age,sex}', '{illness}', 2, grouping_method => 'mondrian', target => 'people_mondrian', seed => 1);
SELECT sdc_register('people', 'given', '{age,income}', '{id}');
UPDATE late SET x = x + 1 WHERE id = 3;
DROP TABLE doomed;
