--
-- arguments
--
-- Every bad argument is refused before a row is read, with a code, a message
-- that names the argument, and a hint that lists what is possible.  No error is
-- internal (XX000), and none tells a value or a seed.
--
\pset format unaligned
\pset tuples_only on
SELECT helper.make_people('arg', 40);
CREATE TABLE arg_nokey AS SELECT * FROM arg;
CREATE TABLE arg_more (
	id int PRIMARY KEY,
	a int,
	b float8,
	twice int GENERATED ALWAYS AS (a * 2) STORED,
	place point,
	"Ünit; --" text,
	"group" int
);
INSERT INTO arg_more (id, a, b, place, "group")
SELECT i, i, i / 7.0, point(i, i), i % 3 FROM generate_series(1, 20) AS i;

-- p
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 0)$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => -5)$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 100.0001)$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 'NaN')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 'Infinity')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => '-Infinity')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => NULL)$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg'::regclass, p => 0)$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap(NULL::arg, p => 0)$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap_distribution('arg', p => 0)$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap_distribution('arg', p => 'NaN')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap_distribution(NULL::arg, p => NULL)$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 'five')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', q => 5)$$) LIKE '42883: function sdc_rankswap(%) does not exist%';
-- the smallest p and the largest
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 1e-300, target => 'arg_1')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap_distribution('arg', p => 1e-300, target => 'arg_2')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 100, target => 'arg_3')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap_distribution('arg', p => 100, target => 'arg_4')$$);

-- buckets
SELECT helper.catch($$SELECT * FROM sdc_rankswap_buckets('arg', buckets => 0)$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap_buckets('arg', buckets => -1)$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap_buckets('arg', buckets => NULL)$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap_buckets('arg', buckets => 41)$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap_buckets('arg', buckets => 2147483647)$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap_buckets('arg', buckets => 2147483648)$$) LIKE '42883:%';
SELECT helper.catch($$SELECT * FROM sdc_rankswap_buckets('arg', buckets => 2.5)$$) LIKE '42883:%';
SELECT helper.catch($$SELECT * FROM sdc_rankswap_buckets(NULL::arg, buckets => 41)$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap_buckets('arg', buckets => 40, target => 'arg_5')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap_buckets('arg', buckets => 1, target => 'arg_6')$$);

-- columns
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, columns => '{}')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, columns => '{incone}')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, columns => '{income,weight,income}')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, columns => '{income,NULL}')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, columns => '{{income},{weight}}')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, columns => '{id}')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, columns => '{ctid}')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, columns => '{tableoid}')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, columns => '{Income}')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, columns => '{""}')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, columns => 'income')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg_more', p => 5, columns => '{twice}')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg_more', p => 5, columns => '{a,place}')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, columns => '{income}', omit => '{income}')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, columns => '{income}', strata => '{income}')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap(NULL::arg, p => 5, columns => '{nothing}')$$);
-- an array with other bounds is an array
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, columns => '[5:6]={income,weight}', target => 'arg_7')$$);
-- text[] is what people have
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, columns => ARRAY['income','weight'], target => 'arg_8')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, columns => ARRAY['income','weight']::text[], target => 'arg_9')$$);
-- a name is cut at 63 bytes as everywhere
SELECT helper.catch(format($$SELECT * FROM sdc_rankswap('arg', p => 5, columns => '{%s}')$$, repeat('x', 100)));

-- key
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, key => '{}')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, key => '{idd}')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, key => '{id,id}')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, key => '{NULL}')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, key => '{{id}}')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, key => '{{id},{age}}')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, key => '{ctid}')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, key => '{region}')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, key => '{region,sex}')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, key => '{savings}')$$) ~ '^235(02|05): the key [(]savings[)] of relation "arg" (contains nulls|is not unique)';
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, key => '{id,savings}')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg_more', p => 5, key => '{place}')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, key => '{id}', omit => '{id}')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap(NULL::arg, p => 5, key => '{region}')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, key => '{id,age,income,weight,savings}')$$);

-- strata
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, strata => '{religion}')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, strata => '{region,region}')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, strata => '{region,NULL}')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, strata => '{{region}}')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, strata => '{xmin}')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg_more', p => 5, strata => '{place}')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, strata => '{age,income,weight,savings}')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, strata => '{}', target => 'arg_10')$$);

-- omit
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, omit => '{boss}')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, omit => '{born,born}')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, omit => '{NULL}')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, omit => '{id}')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, omit => '{age,income,weight,savings}')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, omit => '{}', target => 'arg_11')$$);

-- target
CREATE SCHEMA arg_schema;
CREATE VIEW arg_view AS SELECT * FROM arg;
CREATE MATERIALIZED VIEW arg_matview AS SELECT * FROM arg;
CREATE SEQUENCE arg_sequence;
CREATE INDEX arg_index ON arg (age);
CREATE TYPE arg_type AS (a int, b int);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, target => 'arg_1')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, target => 'arg_nokey')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, target => 'arg')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, target => 'arg_view')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, target => 'arg_index')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, target => 'arg_type')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, target => 'no_schema.arg')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, target => 'a.b.c.d')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, target => 'other_database.public.x')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, target => '')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, target => '""')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, target => 'x y')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, target => 'x;')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, target => '"x')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, target => 'pg_catalog.x')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, target => 'arg_schema.x')$$);
SELECT helper.check_release('arg_schema.x');
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, target => 'ARG_Upper')$$);
SELECT helper.check_release('arg_upper');
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, target => 'arg_temp.x')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, target => 'pg_temp.arg_temp')$$);
SELECT helper.check_release('pg_temp.arg_temp');

-- replace
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, replace => NULL)$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, target => 'arg_nokey', replace => true)$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, target => 'arg_view', replace => true)$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, target => 'arg_matview', replace => true)$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, target => 'arg_sequence', replace => true)$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, target => 'arg_index', replace => true)$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, target => 'arg', replace => true)$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg_1', p => 5, target => 'arg_1', replace => true)$$);
SELECT sdc_register('arg', 'arg_nokey', '{age}', '{id}');
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, target => 'arg_nokey', replace => true)$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, target => 'pg_catalog.pg_class', replace => true)$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, target => 'arg_12', replace => true)$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, target => 'arg_12', replace => true)$$);

-- the relation
SELECT helper.catch($$SELECT * FROM sdc_rankswap('no_table', p => 5)$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('no_schema.arg', p => 5)$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('a.b.c.d', p => 5)$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('', p => 5)$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg; DROP TABLE arg', p => 5)$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap(NULL::text, p => 5)$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap(NULL::regclass, p => 5)$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap(NULL, p => 5)$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap(4000000000::oid::regclass, p => 5)$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg_sequence', p => 5)$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg_index', p => 5)$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg_type', p => 5)$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg_sequence'::regclass, p => 5)$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg_index'::regclass, p => 5)$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg_type'::regclass, p => 5)$$);

-- the row type form
SELECT helper.catch($$SELECT * FROM sdc_rankswap(NULL::arg_type, p => 5)$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap(NULL::int, p => 5)$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap(42, p => 5)$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap(NULL::int[], p => 5)$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap(NULL::arg[], p => 5)$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap(NULL::arg_sequence, p => 5)$$);
SELECT helper.catch($$SELECT sdc_rankswap(a, p => 5) FROM arg AS a$$);
SELECT helper.catch($$SELECT sdc_rankswap(ROW(1, 2), p => 5)$$);
SELECT helper.catch($$SELECT sdc_rankswap(NULL::record, p => 5)$$);

-- seeds
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, seed => 4.2, target => 'arg_13')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, seed => 42::float8, target => 'arg_13')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, seed => true, target => 'arg_13')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, seed => now(), target => 'arg_13')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, seed => ARRAY[1], target => 'arg_13')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, seed => '\x00'::bytea, target => 'arg_13')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, seed => ROW(1, 2), target => 'arg_13')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, seed => '', target => 'arg_13')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, seed => ''::text, target => 'arg_13')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap(NULL::arg, p => 5, seed => '')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, seed => ' ', target => 'arg_13')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg', p => 5, seed => repeat('long', 100000), target => 'arg_14')$$);

-- Functions that classify and register
SELECT helper.catch($$SELECT sdc_classify(NULL, 'a', 'public')$$);
SELECT helper.catch($$SELECT sdc_classify('arg', NULL, 'public')$$);
SELECT helper.catch($$SELECT sdc_classify('arg', 'height', 'public')$$);
SELECT helper.catch($$SELECT sdc_classify('arg', 'ctid', 'public')$$);
SELECT helper.catch($$SELECT sdc_classify('arg', 'age', 'secret')$$);
SELECT helper.catch($$SELECT sdc_classify('arg', 'age', '')$$);
SELECT helper.catch($$SELECT sdc_classify('arg', 'age', 'Public')$$);
SELECT helper.catch($$SELECT sdc_classify('arg_sequence', 'last_value', 'public')$$);
SELECT helper.catch($$SELECT sdc_classify('arg_type', 'a', 'public')$$);
SELECT helper.catch($$SELECT sdc_classify('no_table', 'a', 'public')$$);
SELECT helper.catch($$SELECT sdc_unregister('arg')$$);
SELECT helper.catch($$SELECT sdc_unregister(NULL)$$);
SELECT helper.catch($$SELECT sdc_unregister('no_table')$$);

-- What decides how much is protected has no default: left out it is an error before anything is looked at.
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('arg'::regclass, columns => '{nothing}')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap(NULL::arg, columns => '{nothing}')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap_distribution('arg', columns => '{nothing}')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap_buckets('arg', columns => '{nothing}')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap_buckets(NULL::arg, columns => '{nothing}')$$);

-- An error tells neither a value nor the seed nor a key.
CREATE TABLE arg_secret (id text, a int, b text, c point, d int);
INSERT INTO arg_secret SELECT 'id-7419', 7419, 'name-7419', point(7419, 7419), i FROM generate_series(1, 2) AS i;
SELECT helper.leaks($$SELECT * FROM sdc_rankswap('arg_secret', p => 5, key => '{id}', seed => 'my own')$$, '7419');
SELECT helper.leaks($$SELECT * FROM sdc_rankswap('arg_secret', p => 5, key => '{a}', seed => 'my own')$$, '7419');
SELECT helper.leaks($$SELECT * FROM sdc_rankswap('arg_secret', p => 5, key => '{id,a,b}', seed => 'my own')$$, '7419');
SELECT helper.leaks($$SELECT * FROM sdc_rankswap(NULL::arg_secret, p => 5, key => '{id}', seed => 'my own')$$, '7419');
SELECT helper.leaks($$SELECT * FROM sdc_rankswap('arg_secret', p => 5, columns => '{c}', seed => 'my own')$$, '7419');
SELECT helper.leaks($$SELECT * FROM sdc_rankswap_buckets('arg_secret', buckets => 3, seed => 'my own')$$, '7419');
SELECT helper.leaks($$SELECT sdc_rankswap(s, p => 5) FROM arg_secret AS s$$, '7419');
SELECT helper.leaks($$SELECT * FROM sdc_rankswap('arg_secret', p => 5, key => '{id}', seed => 'seed-5521')$$, '5521');
SELECT helper.leaks($$SELECT * FROM sdc_rankswap('arg_secret', p => 0, seed => 'seed-5521')$$, '5521');
SELECT helper.leaks($$SELECT * FROM sdc_rankswap('arg_secret', p => 5, columns => '{c}', seed => 5521)$$, '5521');
SELECT helper.leaks($$SELECT * FROM sdc_rankswap('arg', p => 5, target => 'arg_1', seed => 5521)$$, '5521');
SELECT helper.leaks($$SELECT * FROM sdc_rankswap('arg', p => 5, seed => 5521.0)$$, '5521');
SELECT helper.leaks($$SELECT sdc_rankswap_over(a, 0, 'seed-5521') OVER () FROM arg_secret$$, '5521');
SELECT helper.leaks($$SELECT sdc_rankswap_over(c, 5, 'seed-5521') OVER () FROM arg_secret$$, '7419');
UPDATE arg_secret SET id = NULL;
SELECT helper.leaks($$SELECT * FROM sdc_rankswap('arg_secret', p => 5, key => '{a,b,id}', seed => 'my own')$$, '7419');
-- nor does the catalog keep it
SELECT count(*) FROM sdc_rankswap('arg', p => 5, target => 'arg_seeded', seed => 'seed-5521');
SELECT count(*) FROM sdc_releases AS r WHERE (to_jsonb(r) - 'created_at')::text ~ 'seed-5521|\m5521\M';
SELECT count(*) FROM sdc_private.sdc_release_catalog AS r WHERE (to_jsonb(r) - '{checksum,seed,created_at}'::text[])::text ~ 'seed-5521|\m5521\M'
	OR position('seed-5521'::bytea IN checksum) > 0 OR position('seed-5521'::bytea IN seed) > 0;

-- What was refused has left nothing: the releases are those of the calls without an error.
SELECT release FROM sdc_releases WHERE release::text LIKE 'arg%' ORDER BY release::text COLLATE "C";
SELECT relname FROM pg_class WHERE relname LIKE 'arg%' AND relkind = 'r' ORDER BY relname COLLATE "C";
