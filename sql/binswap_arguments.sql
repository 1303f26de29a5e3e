--
-- binswap_arguments
--
-- What equi-depth and equi-width swapping refuse, by each of their forms, with nothing left behind.
--
CREATE SCHEMA binned_arguments;
SET search_path = binned_arguments, binned, public;
SELECT helper.make_people('binned_arguments.person', 50);
ALTER TABLE person ADD flag boolean, ADD tags int[], ADD long interval, ADD data jsonb;
\pset format unaligned
\pset tuples_only on

-- k
SELECT d, helper.catch(format('SELECT * FROM sdc_equidepth_swap(''person'', depth => %s, columns => ''{age,income}'', seed => 1)', d)) FROM unnest(ARRAY['NULL', '-2147483648', '-1', '0', '1', '51', '2147483647']) AS d;
SELECT helper.catch($$SELECT * FROM sdc_equidepth_swap('person', depth => 2.5)$$), helper.catch($$SELECT * FROM sdc_equidepth_swap('person', depth => 4294967298)$$);
SELECT helper.catch($$SELECT * FROM sdc_equidepth_swap('person'::regclass, depth => 1)$$), helper.catch($$SELECT * FROM sdc_equidepth_swap(NULL::person, depth => 51)$$), helper.catch($$SELECT * FROM sdc_equidepth_swap(NULL::person, depth => NULL)$$);
-- as many as there are is one bin; strata may be smaller
SELECT bins, single_bins FROM sdc_equidepth_swap('person', depth => 50, columns => '{age,income}', strata => '{region}', target => 'most', seed => 1) WHERE attribute = 'age';
DROP TABLE most;
-- intervals
SELECT m, helper.catch(format('SELECT * FROM sdc_equiwidth_swap(''person'', intervals => %s, columns => ''{age,income}'', seed => 1)', m)) FROM unnest(ARRAY['NULL', '0', '-1', '-2147483648']) AS m;
SELECT helper.catch($$SELECT * FROM sdc_equiwidth_swap('person'::regclass, intervals => 0)$$), helper.catch($$SELECT * FROM sdc_equiwidth_swap(NULL::person, intervals => 0)$$), helper.catch($$SELECT * FROM sdc_equiwidth_swap('person', intervals => 2147483648)$$);
SELECT helper.catch($$SELECT * FROM sdc_equiwidth_swap('person', intervals => 0, widths => '{1}', columns => '{age}', seed => 1)$$);
-- widths
SELECT w, helper.catch(format('SELECT * FROM sdc_equiwidth_swap(''person'', widths => %L, columns => ''{age,income}'', seed => 1)', w)) FROM unnest(ARRAY['{}', '{1}', '{1,2,3}', '{{1,2}}', '{0,1}', '{1,-0.0}', '{-5,1}', '{1,NULL}', '{1,NaN}',
	'{Infinity,1}', '{1,-Infinity}', '{1,abc}', '1']) AS w;
SELECT helper.catch($$SELECT * FROM sdc_equiwidth_swap('person', widths => '{1,1,1,1}')$$), helper.catch($$SELECT * FROM sdc_equiwidth_swap(NULL::person, widths => '{0}', columns => '{age}')$$), helper.catch($$SELECT * FROM sdc_equiwidth_swap('person'::regclass, widths => '{1}')$$);
SELECT count(*) FROM sdc_equiwidth_swap('person', widths => '[0:1]={10,5000}', columns => '[5:6]={age,income}', target => 'bounds', seed => 1);
DROP TABLE bounds;
-- left out, or more than is needed
SELECT helper.catch(q) FROM unnest(ARRAY[
	$$SELECT * FROM sdc_equidepth_swap('person', columns => '{nothing}')$$, $$SELECT * FROM sdc_equidepth_swap(NULL::person)$$,
	$$SELECT * FROM sdc_equiwidth_swap('person', columns => '{nothing}')$$, $$SELECT * FROM sdc_equiwidth_swap(NULL::person, columns => '{age}', complement => 'swap')$$,
	$$SELECT * FROM sdc_equiwidth_swap('person', columns => '{age}', widths => '{5}', complement => 'swap')$$,
	$$SELECT * FROM sdc_equiwidth_swap('person', 4, '{5}', columns => '{age}')$$,
	$$SELECT * FROM sdc_expected_correlation_bias('person', '{nothing}')$$, $$SELECT * FROM sdc_expected_correlation_bias('person', '{nothing}', 'equiwidth_swap')$$,
	$$SELECT * FROM sdc_expected_correlation_bias('person', '{age}', 'equiwidth_swap', intervals => 4, widths => '{5}')$$]) AS q;
-- complement
SELECT m, c, helper.catch(format('SELECT * FROM sdc_%s_swap(''person'', 10, complement => %s, columns => ''{age}'', seed => 1)', m, c)) FROM unnest('{equidepth,equiwidth}'::text[]) AS m, unnest(ARRAY['NULL', '''''', '''keep''', '''Swap''', '''swap ''']) AS c;
-- columns: without numbers, not there, of the key, twice
SELECT c, helper.catch(format('SELECT * FROM sdc_%s_swap(''person'', 10, columns => %L, seed => 1)', m, c)) FROM unnest(ARRAY['{region}', '{age,sex}', '{age,job}', '{flag}', '{tags}', '{long}', '{data,age}', '{nothing}', '{age,AGE}', '{id}', '{id,age}', '{age,income,age}', '{age,NULL}', '{{age,income}}', '{tableoid}', '{ctid}', '{}']) WITH ORDINALITY AS c (c, i),
	unnest('{equidepth,equiwidth}'::text[]) AS m WHERE i % 2 = (m = 'equidepth')::int ORDER BY i;
SELECT helper.catch($$SELECT * FROM sdc_equidepth_swap(NULL::person, depth => 10, columns => '{region}')$$), helper.catch($$SELECT * FROM sdc_equiwidth_swap(NULL::person, intervals => 10, columns => '{nothing}')$$), helper.catch($$SELECT * FROM sdc_equiwidth_swap(NULL::person, columns => '{region,age}', widths => '{1,1}')$$);
-- there is no column to protect by default
CREATE TABLE words (id int PRIMARY KEY, word text, born date);
INSERT INTO words SELECT i, 'w' || i, date '2000-01-01' + i FROM generate_series(1, 20) AS i;
SELECT helper.catch($$SELECT * FROM sdc_equidepth_swap('words', depth => 10, seed => 1)$$), helper.catch($$SELECT * FROM sdc_equiwidth_swap(NULL::words, intervals => 10, seed => 1)$$);
SELECT helper.catch($$SELECT * FROM sdc_equidepth_swap('words', depth => 10, complement => 'swap', target => 'words_swap', seed => 1)$$), (SELECT count(*) FROM sdc_equiwidth_swap('words', complement => 'swap', columns => '{born}', target => 'words_born', intervals => 2, seed => 1));
DROP TABLE IF EXISTS words_swap, words_born;
-- the other arguments, as with every method
SELECT a, helper.catch(format('SELECT * FROM sdc_%s_swap(''person'', 10, columns => ''{age,income}'', %s)', m, a)) FROM unnest(ARRAY[
	$$target => 'nowhere.t'$$, $$target => ''$$, $$target => 'person'$$, $$target => 'person', replace => true$$, $$key => '{}'$$, $$key => '{nothing}'$$, $$key => '{sex}'$$, $$key => '{age}'$$, $$key => '{savings}'$$, $$strata => '{age}'$$,
	$$strata => '{nothing}'$$, $$omit => '{age}'$$, $$omit => '{id}'$$, $$seed => ''$$, $$seed => 1.5$$, $$seed => 'secret'::bytea$$, $$replace => NULL$$]) WITH ORDINALITY AS a (a, i), unnest('{equidepth,equiwidth}'::text[]) AS m WHERE i % 2 = (m = 'equidepth')::int ORDER BY i;
SELECT helper.catch(q) FROM unnest(ARRAY[
	$$SELECT * FROM sdc_equidepth_swap(NULL::text, depth => 10)$$, $$SELECT * FROM sdc_equiwidth_swap(NULL::regclass, intervals => 10)$$, $$SELECT * FROM sdc_equidepth_swap('nothing', depth => 10)$$, $$SELECT * FROM sdc_equiwidth_swap('person_pkey', intervals => 10)$$, $$SELECT * FROM sdc_equidepth_swap(0::regclass, depth => 10)$$,
	$$SELECT * FROM sdc_equidepth_swap(ROW(1)::person, depth => 10)$$, $$SELECT * FROM sdc_equiwidth_swap(NULL::person, intervals => 10, target => 'x')$$, $$SELECT * FROM sdc_equidepth_swap('pg_class', depth => 10, columns => '{relpages}')$$]) AS q;
-- more than fits into memory is in temporary files: the numbers of 20,000 records
BEGIN;
CREATE VIEW many AS SELECT i AS id, i % 1000 AS a, i % 999 AS b, i % 998 AS c FROM generate_series(1, 20000) AS i;
SELECT count(*) FROM sdc_equidepth_swap('many', depth => 10, key => '{id}', seed => 1, target => 'depth_much'), sdc_equiwidth_swap('many', intervals => 10, key => '{id}', seed => 1, target => 'width_much');
SET LOCAL maintenance_work_mem = '1MB';
SELECT count(*) FROM sdc_equidepth_swap('many', depth => 10, key => '{id}', seed => 1, target => 'depth_little'), sdc_equiwidth_swap('many', intervals => 10, key => '{id}', seed => 1, target => 'width_little');
SELECT (SELECT count(*) FROM (TABLE depth_much EXCEPT TABLE depth_little) AS d) AS depth, (SELECT count(*) FROM (TABLE width_much EXCEPT TABLE width_little) AS d) AS width,
	(SELECT count(*) > 10000 FROM (TABLE depth_much EXCEPT TABLE many) AS d) AS moved;
ROLLBACK;
-- no message tells a value or a seed
INSERT INTO person (id, region, job) VALUES (51, 'hidden', 'hidden');
SELECT helper.leaks($$SELECT * FROM sdc_equidepth_swap('person', depth => 10, columns => '{age}', key => '{region}')$$, 'hidden'), helper.leaks($$SELECT * FROM sdc_equiwidth_swap('person', intervals => 10, columns => '{region}', seed => 'hidden')$$, 'hidden'),
	helper.leaks($$SELECT * FROM sdc_equiwidth_swap('person', widths => '{-0.125}', columns => '{age}')$$, '0.125');

-- nothing is left of all that
SELECT relname FROM pg_class WHERE relnamespace = 'binned_arguments'::regnamespace ORDER BY relname COLLATE "C";
SELECT count(*) FROM sdc_releases WHERE source = 'person'::regclass;
SELECT count(*) FROM sdc_progress;
\pset format aligned
\pset tuples_only off
