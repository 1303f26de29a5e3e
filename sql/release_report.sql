--
-- release_report
--
-- What happens to every column: the rows that a protecting function returns, the argument keep, and
-- what the caller is told of columns that are copied or hardly change.
--
\pset format unaligned
\pset footer off
SET client_min_messages = notice;
CREATE TABLE report (id int PRIMARY KEY, region text, job text, age int, income int, note text);
INSERT INTO report SELECT i, 'r' || i % 4, 'j' || i % 7, i * 37 % 41, i * 7919 % 59, 'n' || i % 3 FROM generate_series(1, 100) AS i;

-- Without keep every other column is copied, and a notice names those that no argument names.
SELECT attribute, action, method, records, changed > 0 AS changed, changed_percent > 0 AS percent FROM sdc_rankswap('report', p => 20, seed => 1);
SELECT attribute, action FROM sdc_rankswap('report', p => 20, omit => '{note}', strata => '{job}', seed => 1, target => 'report_2');
SELECT attribute, action FROM sdc_rankswap('report', p => 20, omit => '{note,region,job}', seed => 1, target => 'report_3');
SELECT helper.check_release('report_rankswap'), helper.check_release('report_2'), helper.check_release('report_3');

-- With keep what is neither protected nor key nor stratum nor kept is left out.
SELECT attribute, action FROM sdc_rankswap('report', p => 20, keep => '{region}', seed => 1, target => 'report_4');
SELECT attribute, action FROM sdc_rankswap('report', p => 20, keep => '{}', seed => 1, target => 'report_5');
SELECT attribute, action FROM sdc_rankswap('report'::regclass, p => 20, keep => '{note}', strata => '{region}', seed => 1, target => 'report_6');
SELECT release, omitted FROM sdc_releases WHERE source = 'report'::regclass ORDER BY release::text COLLATE "C";
SELECT helper.check_release('report_4'), helper.check_release('report_5'), helper.check_release('report_6');
-- what is protected does not depend on it, unless it names a column that would be protected otherwise
SELECT count(*) FROM (SELECT id, age, income FROM report_rankswap EXCEPT ALL SELECT id, age, income FROM report_4) AS d;
SELECT attribute, action FROM sdc_rankswap('report', p => 20, keep => '{age}', seed => 1, target => 'report_7');
SELECT attribute, action FROM sdc_equidepth_swap('report', depth => 5, columns => '{age}', complement => 'swap', keep => '{income,note}', seed => 1);
-- a stratum may be named too, and one that is left out is not kept by forming the strata
SELECT attribute, action FROM sdc_rankswap('report', p => 20, keep => '{region}', strata => '{region}', seed => 1, target => 'report_8');
SELECT attribute, action FROM sdc_rankswap('report', p => 20, keep => '{note}', strata => '{region}', omit => '{region}', seed => 1, target => 'report_9');
-- in the row type form a column that is left out is null
SELECT count(region), count(note), count(job), count(age), count(DISTINCT id) FROM sdc_rankswap(NULL::report, p => 20, keep => '{note}', seed => 1);
SELECT count(region), count(note), count(job), count(age), count(DISTINCT id) FROM sdc_rankswap(NULL::report, p => 20, seed => 1);
-- quasi-identifiers of a permutation and the sensitive attribute of a generalization are taken by the method
SELECT attribute, action FROM sdc_permute('report', qi => '{region,age}', sensitive => '{job}', l => 2, keep => '{}', seed => 1);
SELECT column_name FROM information_schema.columns WHERE table_name = 'report_permute_qi' ORDER BY ordinal_position;
SELECT attribute, action FROM sdc_generalize('report', qi => '{age}', sensitive => '{job}', l => 2, keep => '{note}');
SELECT attribute, action FROM sdc_generalize('report', qi => '{age}', k => 5, keep => '{note}', target => 'report_10');
SELECT attribute, action FROM sdc_randomize('report', qi => '{age,job}', draws => 2, keep => '{note}', seed => 1);
SELECT attribute, action FROM sdc_equiwidth_swap('report', intervals => 4, columns => '{income}', keep => '{}', seed => 1) WHERE action <> 'omitted';

-- Errors, before any work.
\pset tuples_only on
SELECT helper.catch($$SELECT * FROM sdc_rankswap('report', p => 20, keep => '{nothing}')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('report', p => 20, keep => '{ctid}')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('report', p => 20, keep => '{note,note}')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('report', p => 20, keep => ARRAY['note', NULL]::name[])$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('report', p => 20, columns => '{age}', keep => '{note,age}')$$);
SELECT helper.catch($$SELECT * FROM sdc_randomize('report', qi => '{age,job}', keep => '{job}')$$);
SELECT helper.catch($$SELECT * FROM sdc_permute('report', qi => '{age}', sensitive => '{job}', l => 2, keep => '{job}')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('report', p => 20, omit => '{note}', keep => '{note}')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('report', p => 20, keep => '{id}')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('report', p => 20, key => '{id}', keep => '{id}')$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap(NULL::report, p => 20, keep => '{nothing}')$$);
SELECT sdc_classify('report', 'note', 'identifier');
SELECT helper.catch($$SELECT * FROM sdc_rankswap('report', p => 20, keep => '{note}')$$);
SELECT sdc_classify('report', 'note', NULL);
-- one that is computed from what is protected or left out would tell the original value
CREATE TABLE report_generated (id int PRIMARY KEY, a int, b int, c int GENERATED ALWAYS AS (a + 1) STORED, d int GENERATED ALWAYS AS (b + 1) STORED);
INSERT INTO report_generated (id, a, b) SELECT i, i % 7, i % 5 FROM generate_series(1, 30) AS i;
SELECT helper.catch($$SELECT * FROM sdc_rankswap('report_generated', p => 50, columns => '{a}', keep => '{c}', seed => 1)$$);
SELECT helper.catch($$SELECT * FROM sdc_rankswap('report_generated', p => 50, columns => '{a}', keep => '{d}', seed => 1)$$);
\pset tuples_only off
SELECT attribute, action FROM sdc_rankswap('report_generated', p => 50, columns => '{a}', keep => '{b,d}', seed => 1);

-- The release's own columns are in the report too, in the order that the release has them.
CREATE TABLE report_nokey AS SELECT region, job, age FROM report;
SELECT attribute, action, method, records, changed, changed_percent FROM sdc_rankswap('report_nokey', p => 100, keep => '{}', seed => 1) WHERE action <> 'protected';
SELECT * FROM sdc_equidepth_swap('report_nokey', depth => 20, keep => '{}', seed => 1) WHERE action <> 'protected';
SELECT attribute, action, method FROM sdc_generalize('report_nokey', qi => '{age}', k => 5, keep => '{job}');
SELECT attribute, action, method FROM sdc_permute('report_nokey', qi => '{age}', sensitive => '{job}', l => 2, keep => '{}', seed => 1);
CREATE FUNCTION report_order(release regclass) RETURNS text LANGUAGE sql
RETURN (SELECT string_agg(attname, ' ' ORDER BY attnum) FROM pg_attribute WHERE attrelid = release AND attnum > 0 AND NOT attisdropped);
SELECT report_order('report_nokey_rankswap'), report_order('report_nokey_generalize'), report_order('report_nokey_permute');
SELECT string_agg(attribute, ' ') FROM sdc_generalize('report_nokey', qi => '{age}', k => 5, keep => '{job}', replace => true) WHERE action <> 'omitted';
-- the catalog has the columns of the source only
SELECT columns, key, omitted FROM sdc_releases WHERE release = 'report_nokey_permute'::regclass;
-- no records: nothing changed
CREATE TABLE report_empty (LIKE report_nokey);
SELECT attribute, action, method, records, changed, changed_percent FROM sdc_rankswap('report_empty', p => 20, seed => 1);

-- A copied column whose values are nearly all different is named, with the share.
CREATE TABLE distinct_values (id int PRIMARY KEY, a int, all_different text, ninety text, below text, equal text, missing text);
INSERT INTO distinct_values SELECT i, i % 10, 'x' || i, 'x' || least(i, 90), 'x' || least(i, 89), 'x', NULL FROM generate_series(1, 100) AS i;
SELECT count(*) FROM sdc_rankswap('distinct_values', p => 20, columns => '{a}', seed => 1);
-- also where it is kept on purpose, or forms the strata; not when it is left out
SELECT count(*) FROM sdc_rankswap('distinct_values', p => 20, columns => '{a}', keep => '{all_different,below}', seed => 1, target => 'distinct_2');
SELECT count(*) FROM sdc_rankswap('distinct_values', p => 20, columns => '{a}', strata => '{ninety}', keep => '{}', seed => 1, target => 'distinct_3');
SELECT count(*) FROM sdc_rankswap('distinct_values', p => 20, columns => '{a}', omit => '{all_different,ninety}', seed => 1, target => 'distinct_4');
SELECT sdc_classify('distinct_values', 'all_different', 'identifier');
SELECT count(*) FROM sdc_rankswap('distinct_values', p => 20, columns => '{a}', omit => '{ninety}', seed => 1, target => 'distinct_5');
SELECT sdc_classify('distinct_values', 'all_different', NULL);
-- in the row type form, and by every method
SELECT count(*) FROM sdc_rankswap(NULL::distinct_values, p => 20, columns => '{a}', keep => '{ninety}', seed => 1);
SELECT count(*) FROM sdc_generalize('distinct_values', qi => '{a}', k => 5, keep => '{ninety}');
SELECT count(*) FROM sdc_equidepth_swap('distinct_values', columns => '{a}', depth => 10, keep => '{ninety}', seed => 1);
-- quasi-identifiers are published by a permutation as they are: that is the method
SELECT count(*) FROM sdc_permute('distinct_values', qi => '{ninety}', sensitive => '{a}', l => 2, keep => '{}', seed => 1);
-- a column with a unique index is named for that, unless the index has a condition
CREATE UNIQUE INDEX distinct_unique ON distinct_values (all_different);
SELECT count(*) FROM sdc_rankswap('distinct_values', p => 20, columns => '{a}', keep => '{all_different,ninety}', seed => 1, target => 'distinct_6');
DROP INDEX distinct_unique;
CREATE UNIQUE INDEX distinct_partial ON distinct_values (all_different) WHERE a = 3;
SELECT count(*) FROM sdc_rankswap('distinct_values', p => 20, columns => '{a}', keep => '{all_different}', seed => 1, target => 'distinct_7');
DROP INDEX distinct_partial;

-- Small tables: from 20 values on that are not missing.
CREATE VIEW distinct_0 AS SELECT id, a, all_different FROM distinct_values WHERE id <= 0;
CREATE VIEW distinct_1 AS SELECT id, a, all_different FROM distinct_values WHERE id <= 1;
CREATE VIEW distinct_19 AS SELECT id, a, all_different FROM distinct_values WHERE id <= 19;
CREATE VIEW distinct_20 AS SELECT id, a, all_different FROM distinct_values WHERE id <= 20;
CREATE VIEW distinct_nulls AS SELECT id, a, CASE WHEN id <= 19 THEN all_different END AS nineteen,
	CASE WHEN id > 80 THEN all_different END AS twenty, CASE WHEN id > 80 THEN left(all_different, 2) END AS few FROM distinct_values;
SELECT count(*) FROM sdc_rankswap('distinct_0', p => 20, key => '{id}', columns => '{a}', keep => '{all_different}', seed => 1);
SELECT count(*) FROM sdc_rankswap(NULL::distinct_1, p => 20, key => '{id}', columns => '{a}', keep => '{all_different}', seed => 1);
SELECT count(*) FROM sdc_rankswap('distinct_19', p => 100, key => '{id}', columns => '{a}', keep => '{all_different}', seed => 1);
SELECT count(*) FROM sdc_rankswap('distinct_20', p => 100, key => '{id}', columns => '{a}', keep => '{all_different}', seed => 1);
SELECT count(*) FROM sdc_rankswap('distinct_nulls', p => 20, key => '{id}', columns => '{a}', seed => 1);

-- Values of all kinds: where a type has so many, 40 different ones, and then each twice.
CREATE DOMAIN distinct_domain AS varchar(10) CHECK (VALUE <> '');
CREATE TYPE distinct_pair AS (x int, y text);
CREATE TYPE distinct_mood AS ENUM ('good', 'bad');
CREATE TABLE distinct_types (id int PRIMARY KEY, a int, b boolean, i2 smallint, i8 bigint, f4 real, f8 float8, n numeric, d date, t timestamptz, iv interval,
	u uuid, nm name, c char(8), ch "char", ba bytea, js jsonb, ar int[], dm distinct_domain, pr distinct_pair, md distinct_mood, rg int4range, ip inet, lt text);
INSERT INTO distinct_types SELECT i, i % 10, j > 5, j, j, j, j, j, date '2000-01-01' + j, timestamptz '2000-01-01 UTC' + j * interval '1 second', j * interval '1 hour',
	md5(j::text)::uuid, 'n' || j, 'c' || j, chr(64 + j % 20)::"char", ('\x' || md5(j::text))::bytea, jsonb_build_object('a', j), ARRAY[j, 1], 'd' || j,
	ROW(j, 'y')::distinct_pair, (ARRAY['good', 'bad'])[1 + j % 2]::distinct_mood, int4range(j, j + 2), ('10.0.0.' || j)::inet, repeat('long ' || j, 1000)
FROM generate_series(1, 40) AS i, LATERAL (SELECT i AS j) AS k;
SELECT count(*) FROM sdc_rankswap('distinct_types', p => 50, columns => '{a}', seed => 1);
UPDATE distinct_types SET (b, i2, i8, f4, f8, n, d, t, iv, u, nm, c, ba, js, ar, dm, pr, rg, ip, lt) =
	(SELECT b, i2, i8, f4, f8, n, d, t, iv, u, nm, c, ba, js, ar, dm, pr, rg, ip, lt FROM distinct_types AS o WHERE o.id = distinct_types.id - 20) WHERE id > 20;
SELECT count(*) FROM sdc_rankswap('distinct_types', p => 50, columns => '{a}', seed => 1, target => 'distinct_types_2');

-- The same long values, compressed and not, in the row and beside it: 50 percent are different.
CREATE TABLE distinct_long (id int PRIMARY KEY, a int, v text);
INSERT INTO distinct_long SELECT i, i % 10, repeat('value ' || i, 500) FROM generate_series(1, 30) AS i;
ALTER TABLE distinct_long ALTER v SET STORAGE EXTERNAL;
INSERT INTO distinct_long SELECT 30 + i, i % 10, repeat('value ' || i, 500) FROM generate_series(1, 30) AS i;
SELECT count(DISTINCT pg_column_size(v)) > 1 AS stored_differently, count(DISTINCT v) FROM distinct_long WHERE id IN (10, 40);
SELECT count(*) FROM sdc_rankswap('distinct_long', p => 50, keep => '{v}', seed => 1);
UPDATE distinct_long SET v = repeat('another ' || id, 500) WHERE id > 30;
SELECT count(*) FROM sdc_rankswap('distinct_long', p => 50, keep => '{v}', seed => 1, target => 'distinct_long_2');

-- More values than are counted one by one: all different, each twice, 95 percent, 67 percent.
CREATE TABLE distinct_many (id int PRIMARY KEY, a int, once text, twice text, numbers float8, most int, one_third int);
INSERT INTO distinct_many SELECT i, i % 10, 'value ' || i, 'value ' || i / 2, i, CASE WHEN i % 20 = 0 THEN 0 ELSE i END, CASE WHEN i % 3 = 0 THEN 0 ELSE i END
FROM generate_series(1, 80000) AS i;
SELECT count(*) FROM sdc_rankswap('distinct_many', p => 20, columns => '{a}', keep => '{once,twice,numbers,one_third}', seed => 1);
-- (how many percent it is in a case like the next depends on the memory, as does that of the tests)
\set VERBOSITY sqlstate
SELECT count(*) FROM sdc_rankswap('distinct_many', p => 20, columns => '{a}', keep => '{most}', seed => 1, target => 'distinct_many_2');
\set VERBOSITY default
-- it does not depend on how the records lie
CREATE VIEW distinct_reversed AS SELECT 80001 - id AS id, a, once, twice, numbers, one_third FROM distinct_many;
SELECT count(*) FROM sdc_rankswap('distinct_reversed', p => 20, key => '{id}', columns => '{a}', keep => '{once,twice,numbers,one_third}', seed => 1);
-- a partitioned table is one table
CREATE TABLE distinct_parted (id int PRIMARY KEY, a int, email text) PARTITION BY RANGE (id);
CREATE TABLE distinct_parted_1 PARTITION OF distinct_parted FOR VALUES FROM (MINVALUE) TO (20);
CREATE TABLE distinct_parted_2 PARTITION OF distinct_parted FOR VALUES FROM (20) TO (MAXVALUE);
INSERT INTO distinct_parted SELECT i, i % 10, 'e' || i FROM generate_series(1, 30) AS i;
SELECT count(*) FROM sdc_rankswap('distinct_parted', p => 50, columns => '{a}', keep => '{email}', seed => 1);

-- A protected column that keeps more than half of its values is named, with the share that changed.
CREATE TABLE changes (id int PRIMARY KEY, half int, hardly int, same int, sparse int, missing int);
INSERT INTO changes SELECT i, i % 2, CASE WHEN i <= 2 THEN i ELSE 7 END, 7, CASE WHEN i % 5 = 0 THEN i END, NULL FROM generate_series(1, 1000) AS i;
SELECT attribute, round(changed_percent) AS percent FROM sdc_rankswap('changes', p => 100, columns => '{hardly,same}', keep => '{}', seed => 1) WHERE action = 'protected';
SELECT attribute, changed FROM sdc_rankswap('changes', p => 100, columns => '{same}', keep => '{}', seed => 1, target => 'changes_2') WHERE action = 'protected';
-- a missing value is none: of the others nearly all changed
SELECT attribute, round(changed_percent) < 50 AS few_of_all FROM sdc_rankswap('changes', p => 50, columns => '{sparse,missing}', keep => '{}', seed => 1, target => 'changes_3') WHERE action = 'protected';
SELECT count(*) FROM sdc_equidepth_swap('changes', depth => 10, columns => '{same}', keep => '{}', seed => 1);
SELECT count(*) FROM sdc_rankswap(NULL::changes, p => 100, columns => '{same}', keep => '{}', seed => 1);
-- no record, one, two
CREATE VIEW changes_none AS SELECT id, half FROM changes WHERE id < 1;
CREATE VIEW changes_one AS SELECT id, half FROM changes WHERE id = 1;
CREATE VIEW changes_two AS SELECT id, half FROM changes WHERE id <= 2;
SELECT attribute, records, changed FROM sdc_rankswap('changes_none', p => 100, key => '{id}', seed => 1) WHERE action = 'protected';
SELECT attribute, records, changed FROM sdc_rankswap('changes_one', p => 100, key => '{id}', seed => 1) WHERE action = 'protected';
SELECT attribute, records, changed FROM sdc_rankswap('changes_two', p => 100, key => '{id}', seed => 1) WHERE action = 'protected';
-- random anonymization changes few values by design: a notice; none at all is a warning where no probability says so
SELECT count(*) FROM sdc_randomize('report', qi => '{region,age}', probabilities => '{0,1}', keep => '{}', seed => 1, target => 'changes_random');
SELECT count(*) FROM sdc_randomize('report', qi => '{region,age,job,income}', draws => 1, keep => '{}', seed => 1, target => 'changes_random_2');
SELECT count(*) FROM sdc_randomize('changes', qi => '{same,half}', draws => 2, keep => '{}', seed => 1, target => 'changes_random_3');
-- a permutation is protected by its groups, a generalization not by changing values
CREATE VIEW changes_same AS SELECT id, same, half, id % 50 / 49 AS rare FROM changes;
SELECT count(*) FROM sdc_permute('changes_same', key => '{id}', qi => '{half}', sensitive => '{rare}', l => 1, grouping_method => 'mondrian', keep => '{}', seed => 1);
SELECT count(*) FROM sdc_permute('changes_same', key => '{id}', qi => '{half}', sensitive => '{same}', l => 1, grouping_method => 'mondrian', keep => '{}', seed => 1, target => 'changes_permuted');
SELECT attribute, changed FROM sdc_generalize('changes_same', key => '{id}', qi => '{same}', k => 5, keep => '{}') WHERE action = 'protected';

-- Names are quoted as in a statement; nobody sees a value; warnings have the class of warnings.
CREATE TABLE "report "";" (id int PRIMARY KEY, "a "";" int, "e "";" text);
INSERT INTO "report "";" SELECT i, 1, 'secret' || i FROM generate_series(1, 20) AS i;
SELECT count(*) FROM sdc_rankswap('"report "";"', p => 20, seed => 1);
\set VERBOSITY sqlstate
SELECT count(*) FROM sdc_rankswap(NULL::"report "";", p => 20, seed => 1);
\set VERBOSITY default
SET client_min_messages = error;
SELECT count(*) FROM sdc_rankswap(NULL::"report "";", p => 20, seed => 1);
SET client_min_messages = notice;
