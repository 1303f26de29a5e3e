--
-- edge
--
-- Tables at the limits: no records, one, only NULLs, 1600 columns, dropped and generated
-- columns, huge values, and names that need quoting.
--
-- no records
\pset format unaligned
\pset footer off
SET client_min_messages = warning;
\set VERBOSITY terse
CREATE TABLE edge_empty (id int PRIMARY KEY, a int, b text);
SELECT attribute, action, records, changed FROM sdc_rankswap('edge_empty', p => 5, seed => 1);
SELECT attribute, action, records, changed FROM sdc_rankswap_distribution('edge_empty', p => 5, seed => 1);
SELECT attribute, action, records, changed FROM sdc_rankswap_buckets('edge_empty', buckets => 20, seed => 1);
SELECT helper.check_release('edge_empty_rankswap'), helper.check_release('edge_empty_rankswap_distribution'),
	helper.check_release('edge_empty_rankswap_buckets');
SELECT * FROM sdc_rankswap(NULL::edge_empty, p => 5, seed => 1);
SELECT count(*) FROM sdc_rankswap('edge_empty', p => 5, strata => '{b}', seed => 1, replace => true);
CREATE TABLE edge_empty_2 (a int, b text);
SELECT attribute, action, records FROM sdc_rankswap('edge_empty_2', p => 5, seed => 1);
SELECT * FROM edge_empty_2_rankswap;

-- one record, two records
CREATE TABLE edge_one AS SELECT 1 AS id, 5 AS a, 'x'::text AS b;
SELECT attribute, action, records, changed FROM sdc_rankswap('edge_one', p => 5, key => '{id}', columns => '{a,b}', seed => 1);
SELECT attribute, action, records, changed FROM sdc_rankswap_distribution('edge_one', p => 5, key => '{id}', columns => '{a,b}', seed => 1);
SELECT attribute, action, records, changed FROM sdc_rankswap_buckets('edge_one', key => '{id}', columns => '{a,b}', buckets => 1, seed => 1);
SELECT * FROM edge_one_rankswap;
CREATE TABLE edge_two (id int PRIMARY KEY, a int, b text);
INSERT INTO edge_two VALUES (1, 10, 'x'), (2, 20, NULL);
SELECT attribute, action, records, changed FROM sdc_rankswap('edge_two', p => 5, columns => '{a,b}', seed => 1);
SELECT * FROM edge_two_rankswap ORDER BY id;
SELECT * FROM sdc_rankswap_distribution(NULL::edge_two, p => 5, columns => '{a,b}', seed => 1) ORDER BY id;
SELECT * FROM sdc_rankswap_buckets(NULL::edge_two, columns => '{a,b}', buckets => 2, seed => 1) ORDER BY id;

-- a column of NULLs, a column of one value, a column with one value that is not NULL
CREATE TABLE edge_same (id int PRIMARY KEY, a int, b int, c int);
INSERT INTO edge_same SELECT i, NULL, 7, CASE WHEN i = 17 THEN 1 END FROM generate_series(1, 50) AS i;
SELECT attribute, action, records, changed FROM sdc_rankswap('edge_same', p => 5, seed => 1);
SELECT attribute, action, records, changed FROM sdc_rankswap_distribution('edge_same', p => 5, seed => 1);
SELECT attribute, action, records, changed FROM sdc_rankswap_buckets('edge_same', buckets => 20, seed => 1);
SELECT helper.check_release('edge_same_rankswap'), helper.check_release('edge_same_rankswap_distribution'),
	helper.check_release('edge_same_rankswap_buckets');
-- buckets are counted in values: a column with fewer values has fewer
SELECT attribute, changed FROM sdc_rankswap_buckets('edge_same', buckets => 50, seed => 1, replace => true);

-- 1600 columns are the most that a table can have
DO $$
BEGIN
	EXECUTE (SELECT format('CREATE TABLE edge_wide (%s)', string_agg(format('c%s smallint', i), ', ' ORDER BY i))
		FROM generate_series(1, 1600) AS i);
	EXECUTE (SELECT format('INSERT INTO edge_wide SELECT %s FROM generate_series(1, 30) AS i',
		string_agg(CASE WHEN c = 1 THEN 'i' ELSE format('i * 7 %% %s', c) END, ', ' ORDER BY c))
		FROM generate_series(1, 1600) AS c);
END
$$;
SELECT action, count(*), sum(records) FROM sdc_rankswap('edge_wide', p => 5, key => '{c1}', seed => 1) GROUP BY action ORDER BY action;
SELECT count(*) AS columns FROM pg_attribute WHERE attrelid = 'edge_wide_rankswap'::regclass AND attnum > 0;
SELECT helper.check_column('edge_wide_rankswap', 'c1', false, '{}'), helper.check_column('edge_wide_rankswap', 'c2', true, '{}'),
	helper.check_column('edge_wide_rankswap', 'c1000', true, '{}'), helper.check_column('edge_wide_rankswap', 'c1600', true, '{}');
SELECT count(*) FROM (SELECT r::text FROM sdc_rankswap(NULL::edge_wide, p => 5, key => '{c1}', seed => 1) AS r
	EXCEPT ALL SELECT r::text FROM edge_wide_rankswap AS r) AS d;
-- without a key there is no place for the column sdc_row
SET client_min_messages = error;
SELECT helper.catch($$SELECT * FROM sdc_rankswap('edge_wide', p => 5, target => 'edge_wide_2')$$);
SET client_min_messages = warning;
SELECT action, count(*) FROM sdc_rankswap('edge_wide', p => 5, omit => '{c1600}', target => 'edge_wide_2', seed => 1) GROUP BY action ORDER BY action;
SELECT count(*) FROM sdc_rankswap(NULL::edge_wide, p => 5, seed => 1);
DROP TABLE edge_wide, edge_wide_rankswap, edge_wide_2;

-- a table without columns, and one with only a key
CREATE TABLE edge_none ();
INSERT INTO edge_none DEFAULT VALUES;
SELECT helper.catch($$SELECT * FROM sdc_rankswap('edge_none', p => 5)$$);
CREATE TABLE edge_key (id int PRIMARY KEY);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('edge_key', p => 5)$$);

-- dropped columns
CREATE TABLE edge_dropped (x int, id int PRIMARY KEY, y text, a int, b float8, z int);
INSERT INTO edge_dropped SELECT i, i, i, i * 17 % 41, i / 3.0, i FROM generate_series(1, 40) AS i;
ALTER TABLE edge_dropped DROP x, DROP y, DROP z, ADD c text DEFAULT 'new';
SELECT attribute, action FROM sdc_rankswap('edge_dropped', p => 5, seed => 1);
SELECT helper.check_release('edge_dropped_rankswap');
SELECT helper.catch($$SELECT * FROM sdc_rankswap('edge_dropped', p => 5, columns => '{x}', target => 'edge_no')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('edge_dropped', p => 5, columns => '{........pg.dropped.1........}', target => 'edge_no')$$);
SELECT * FROM sdc_rankswap(NULL::edge_dropped, p => 5, seed => 1) ORDER BY id LIMIT 3;
SELECT count(*) FROM (SELECT id, a, b, c FROM sdc_rankswap(NULL::edge_dropped, p => 5, seed => 1)
	EXCEPT ALL SELECT id, a, b, c FROM edge_dropped_rankswap) AS d;
ALTER TABLE edge_dropped DROP CONSTRAINT edge_dropped_pkey, ADD PRIMARY KEY (b);
SELECT attribute, action FROM sdc_rankswap('edge_dropped', p => 5, seed => 1, target => 'edge_dropped_2');
SELECT helper.check_release('edge_dropped_2');
-- a release that lost a column is made anew
ALTER TABLE edge_dropped_2 DROP c;
SELECT attribute, action FROM sdc_rankswap('edge_dropped', p => 5, seed => 1, target => 'edge_dropped_2', keep => '{c}', replace => true);
SELECT helper.check_release('edge_dropped_2');

-- Generated columns: what is computed from a protected or omitted column would tell it.
CREATE TABLE edge_generated (
	id int PRIMARY KEY,
	a int,
	b int,
	name text,
	twice int GENERATED ALWAYS AS (a * 2) STORED,
	plus int GENERATED ALWAYS AS (a + b) STORED,
	length int GENERATED ALWAYS AS (length(name)) STORED,
	fixed int GENERATED ALWAYS AS (7) STORED,
	of_key int GENERATED ALWAYS AS (id % 5) STORED
);
INSERT INTO edge_generated (id, a, b, name) SELECT i, i * 7 % 31, i * 11 % 31, repeat('n', i % 9) FROM generate_series(1, 30) AS i;
SELECT attribute, action FROM sdc_rankswap('edge_generated', p => 5, seed => 1, columns => '{a}');
SELECT helper.check_release('edge_generated_rankswap');
SELECT attribute, action FROM sdc_rankswap('edge_generated', p => 5, seed => 1, columns => '{b}', target => 'edge_generated_2');
SELECT attribute, action FROM sdc_rankswap('edge_generated', p => 5, seed => 1, columns => '{b}', omit => '{name}', target => 'edge_generated_3');
SELECT attribute, action FROM sdc_rankswap('edge_generated', p => 5, seed => 1, omit => '{twice,plus}', target => 'edge_generated_4');
SELECT attname, attgenerated, attidentity, atthasdef, attnotnull FROM pg_attribute
WHERE attrelid = 'edge_generated_4'::regclass AND attnum > 0 ORDER BY attnum;
-- the row type form returns NULL there
SELECT id, a IS NULL AS a, twice, plus, length IS NULL AS length, of_key = id % 5 AS of_key
FROM sdc_rankswap(NULL::edge_generated, p => 5, seed => 1, columns => '{a}') ORDER BY id LIMIT 2;
-- a generated column may be the key or a stratum, as long as that tells nothing of what is protected
SELECT attribute, action FROM sdc_rankswap('edge_generated', p => 5, seed => 1, columns => '{a}', omit => '{twice,plus}', strata => '{of_key}',
	target => 'edge_generated_5');
SELECT helper.check_release('edge_generated_5');
SELECT helper.catch($$SELECT * FROM sdc_rankswap('edge_generated', p => 5, key => '{id,twice}', columns => '{a}', omit => '{plus}', target => 'edge_generated_6')$$)
	<> 'no error' AS refused;
SELECT attribute, action FROM sdc_rankswap('edge_generated', p => 5, seed => 1, columns => '{a}', strata => '{twice}', target => 'edge_generated_7')
WHERE action <> 'copied';

-- identity, serial, default, not null: the release has the values, not the machinery
CREATE TABLE edge_identity (
	id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	s serial,
	d int NOT NULL DEFAULT 5,
	u int UNIQUE,
	f int REFERENCES edge_two
);
INSERT INTO edge_identity (d, u, f) SELECT i, i, 1 + i % 2 FROM generate_series(1, 20) AS i;
SELECT attribute, action FROM sdc_rankswap('edge_identity', p => 5, seed => 1);
SELECT helper.check_release('edge_identity_rankswap');
SELECT attname, attidentity, atthasdef, attnotnull FROM pg_attribute
WHERE attrelid = 'edge_identity_rankswap'::regclass AND attnum > 0 ORDER BY attnum;
SELECT count(*) AS constraints FROM pg_constraint WHERE conrelid = 'edge_identity_rankswap'::regclass;

-- Values that are stored compressed and out of line are copied and protected.
CREATE TABLE edge_toast (id int PRIMARY KEY, compressed text, external text, plain text, a int, bytes bytea);
ALTER TABLE edge_toast ALTER external SET STORAGE EXTERNAL, ALTER plain SET STORAGE PLAIN;
INSERT INTO edge_toast
SELECT i, repeat('abc' || i, 20000), (SELECT string_agg(md5(i || ':' || j), '') FROM generate_series(1, 300) AS j), 'p' || i, i,
	decode(repeat(md5(i::text), 400), 'hex')
FROM generate_series(1, 40) AS i;
SELECT attribute, action FROM sdc_rankswap('edge_toast', p => 5, seed => 1);
SELECT helper.check_release('edge_toast_rankswap');
SELECT attribute, action, changed > 30 AS changed FROM sdc_rankswap('edge_toast', p => 5, seed => 1, columns => '{compressed,external,plain,bytes}', target => 'edge_toast_2');
SELECT helper.check_release('edge_toast_2');
SELECT bool_and(pg_column_size(compressed) < 20000) AS compressed, sum(length(compressed)) = (SELECT sum(length(compressed)) FROM edge_toast) AS whole
FROM edge_toast_2;
-- they outlive their source
DROP TABLE edge_toast;
SELECT sum(length(compressed)), sum(length(external)), sum(length(bytes)) FROM edge_toast_2;
CREATE TABLE edge_toast_key AS SELECT compressed AS id, id AS a FROM edge_toast_2;
SELECT attribute, action FROM sdc_rankswap('edge_toast_key', p => 5, key => '{id}', seed => 1);
SELECT helper.check_release('edge_toast_key_rankswap');

-- Names that need quoting.
CREATE SCHEMA "Weird ""; DROP SCHEMA helper; --";
CREATE TABLE "Weird ""; DROP SCHEMA helper; --"."T a'b\ {x,y}" (
	"Id" int PRIMARY KEY,
	"select" int,
	"a""b" float8,
	"c,d}" int,
	" space " int,
	"UPPER" int,
	"éü€漢字" int,
	"';--" text,
	"$1" int,
	"%s %n" int
);
INSERT INTO "Weird ""; DROP SCHEMA helper; --"."T a'b\ {x,y}"
SELECT i, i, i / 7.0, i, i, i, i, 'text', i, i FROM generate_series(1, 30) AS i;
SELECT attribute, action FROM sdc_rankswap('"Weird ""; DROP SCHEMA helper; --"."T a''b\ {x,y}"', p => 5, seed => 1);
SELECT release, columns FROM sdc_releases WHERE release::text LIKE '%Weird%';
SELECT helper.check_release(release) FROM sdc_releases WHERE release::text LIKE '%Weird%';
SELECT r.attribute, r.action
FROM pg_class AS c, LATERAL sdc_rankswap(c.oid::regclass, p => 5, seed => 1, target => '"Weird ""; DROP SCHEMA helper; --".second',
	columns => ARRAY['a"b', 'éü€漢字', '%s %n'], strata => ARRAY[''';--'], omit => ARRAY['select']) AS r
WHERE c.relname = 'T a''b\ {x,y}';
SELECT helper.check_release('"Weird ""; DROP SCHEMA helper; --".second');
SELECT count(*) FROM sdc_rankswap(NULL::"Weird ""; DROP SCHEMA helper; --"."T a'b\ {x,y}", p => 5, seed => 1) AS r;
\pset tuples_only on
SELECT helper.catch($$SELECT * FROM sdc_rankswap('"Weird ""; DROP SCHEMA helper; --"."T a''b\ {x,y}"', p => 5, columns => '{no}', target => 'edge_no')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('"Weird ""; DROP SCHEMA helper; --"."T a''b\ {x,y}"', p => 5, key => '{''''}', target => 'edge_no')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('"Weird ""; DROP SCHEMA helper; --"."T a''b\ {x,y}"', p => 5, key => ARRAY[''';--'], target => 'edge_no')$$);
\pset tuples_only off

-- Names of 63 bytes: the default name is cut so that the method stays.
CREATE TABLE edge_sixty_three_bytes_0123456789012345678901234567890123456789 (id int PRIMARY KEY,
	column_of_sixty_three_bytes_01234567890123456789012345678901234 int);
INSERT INTO edge_sixty_three_bytes_0123456789012345678901234567890123456789 SELECT i, i FROM generate_series(1, 20) AS i;
SELECT release, octet_length(release::text), attribute, action
FROM sdc_rankswap('edge_sixty_three_bytes_0123456789012345678901234567890123456789', p => 5, seed => 1);
SELECT release, octet_length(release::text), attribute, action
FROM sdc_rankswap_distribution('edge_sixty_three_bytes_0123456789012345678901234567890123456789', p => 5, seed => 1);
SELECT helper.check_release(release) FROM sdc_releases WHERE release::text LIKE 'edge_sixty%' ORDER BY release::text COLLATE "C";
CREATE TABLE "漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字" (id int PRIMARY KEY, a int);
INSERT INTO "漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字" SELECT i, i FROM generate_series(1, 20) AS i;
SELECT DISTINCT release, octet_length(release::text) FROM sdc_rankswap('漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字', p => 5, seed => 1);
-- two sources may come to the same name: an error, nothing is lost
CREATE TABLE "漢字漢字漢字漢字漢字漢字漢字漢字漢字漢" (id int PRIMARY KEY, a int);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('漢字漢字漢字漢字漢字漢字漢字漢字漢字漢', p => 5, replace => true)$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('漢字漢字漢字漢字漢字漢字漢字漢字漢字漢', p => 5)$$);

-- Columns named like the statement's own names, types and parameters.
CREATE TABLE source (id int PRIMARY KEY, source int, relation int, release int, dense_rank int, rankswap int, ctid_ int, "group" text);
INSERT INTO source SELECT i, i, i, i, i, i, i, 'g' || i % 2 FROM generate_series(1, 30) AS i;
SELECT attribute, action FROM sdc_rankswap('source', p => 5, strata => '{group}', seed => 1);
SELECT helper.check_release('source_rankswap');
SELECT attribute, action FROM sdc_rankswap('source', p => 5, key => '{dense_rank}', strata => '{group}', seed => 1, target => 'source_2');
SELECT helper.check_release('source_2');
SELECT attribute, action FROM sdc_rankswap('source', p => 5, key => '{source}', columns => '{id}', strata => '{dense_rank}', seed => 1, target => 'source_3');
SELECT helper.check_release('source_3');
CREATE TABLE p (p int PRIMARY KEY, columns int, target int, key int, strata int, omit int, seed int, replace int, attribute int, action int, records int);
INSERT INTO p SELECT i, i, i, i, i, i, i, i, i, i, i FROM generate_series(1, 30) AS i;
SELECT attribute, action FROM sdc_rankswap('p', p => 5, seed => 1);
SELECT helper.check_release('p_rankswap');

-- A column sdc_row in the way of our own.
CREATE TABLE edge_row (sdc_row int, a int);
INSERT INTO edge_row SELECT i, i FROM generate_series(1, 30) AS i;
SELECT helper.catch($$SELECT * FROM sdc_rankswap('edge_row', p => 5, seed => 1)$$);
SELECT attribute, action FROM sdc_rankswap('edge_row', p => 5, key => '{sdc_row}', seed => 1);
SELECT attribute, action FROM sdc_rankswap('edge_row', p => 5, omit => '{sdc_row}', seed => 1, target => 'edge_row_2');
SELECT count(*), count(DISTINCT sdc_row), max(sdc_row), pg_typeof(max(sdc_row)) FROM edge_row_2;
SELECT count(*) FROM sdc_rankswap(NULL::edge_row, p => 5, seed => 1);

-- The least p that there is: the mean of its normal distribution must not become 0.
SELECT attribute, changed > 0 AS swapped FROM sdc_rankswap_distribution('p', p => 5e-324, columns => '{columns}', seed => 1, target => 'p_least') WHERE action = 'protected';
SELECT max(abs(l.columns - p.columns)) AS furthest FROM p_least AS l JOIN p USING (p);
