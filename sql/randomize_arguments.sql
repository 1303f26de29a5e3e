--
-- randomize_arguments
--
-- What sdc_randomize refuses, by each of its forms, with nothing left behind.
--
CREATE SCHEMA randomized_arguments;
SET search_path = randomized_arguments, randomized, public;
SELECT helper.make_people('person', 50);
\pset format unaligned
\pset tuples_only on

-- qi
SELECT q, helper.catch(format('SELECT * FROM sdc_randomize(''person'', %s, seed => 1)', q)) FROM unnest(ARRAY[
	'NULL', $$'{}'$$, $$'{age,NULL}'$$, $$'{age,sex,age}'$$, $$'{{age,sex}}'$$, $$'{age,nothing}'$$, $$'{id}'$$, $$'{tableoid}'$$, $$'{AGE}'$$]) AS q;
SELECT helper.catch($$SELECT * FROM sdc_randomize('person')$$);
-- k
SELECT k, helper.catch(format('SELECT * FROM sdc_randomize(''person'', ''{age,sex,job}'', draws => %s, seed => 1)', k)) FROM unnest('{0,-1,4,2147483647}'::int[]) AS k;
SELECT helper.catch($$SELECT * FROM sdc_randomize('person', '{age,sex}', draws => 1, probabilities => '{0.5,0.5}', seed => 1)$$);
-- probabilities
SELECT p, helper.catch(format('SELECT * FROM sdc_randomize(''person'', ''{age,sex,job}'', probabilities => %s, seed => 1)', p)) FROM unnest(ARRAY[
	$$'{}'$$, $$'{1}'$$, $$'{0.5,0.5}'$$, $$'{0.25,0.25,0.25,0.25}'$$, $$'{{0.5,0.25,0.25}}'$$, $$'{0.5,0.5,0.5}'$$, $$'{0.3,0.3,0.3}'$$, $$'{0.5,0.5,0.00001}'$$, $$'{0,0,0}'$$,
	$$'{1.5,-0.5,0}'$$, $$'{2,0,0}'$$, $$'{0.5,0.5,NULL}'$$, $$'{0.5,0.5,NaN}'$$, $$'{Infinity,0,0}'$$, $$'{-1e-300,0.5,0.5}'$$, $$'{0.5,0.25,abc}'$$]) AS p;
-- of a length that fits, whatever its lower bound is
SELECT count(*) FROM sdc_randomize('person', '{age,sex}', probabilities => '[0:1]={0.5,0.5}', target => 'bounds', seed => 1);
DROP TABLE bounds;
-- the other arguments, as with every method
SELECT a, helper.catch(format('SELECT * FROM sdc_randomize(''person'', ''{age,sex}'', %s)', a)) FROM unnest(ARRAY[
	$$target => 'nowhere.t'$$, $$target => 'a.b.c.d'$$, $$target => ''$$, $$target => 'person'$$, $$target => 'person', replace => true$$, $$key => '{}'$$, $$key => '{nothing}'$$, $$key => '{sex}'$$, $$key => '{region}'$$, $$strata => '{age}'$$,
	$$strata => '{nothing}'$$, $$omit => '{sex}'$$, $$omit => '{id}'$$, $$seed => ''$$, $$seed => 1.5$$, $$seed => 'secret'::bytea$$, $$replace => NULL$$]) AS a;
SELECT helper.catch($$SELECT * FROM sdc_randomize(NULL::text, '{age}')$$), helper.catch($$SELECT * FROM sdc_randomize(NULL::regclass, '{age}')$$), helper.catch($$SELECT * FROM sdc_randomize('nothing', '{age}')$$);
SELECT helper.catch($$SELECT * FROM sdc_randomize('pg_class', '{relname}')$$), helper.catch($$SELECT * FROM sdc_randomize('person_pkey', '{age}')$$);
SELECT helper.catch($$SELECT * FROM sdc_randomize(0::regclass, '{age}')$$);

-- the row type form
SELECT helper.catch(q) FROM unnest(ARRAY[
	$$SELECT * FROM sdc_randomize(NULL::int, '{age}')$$,
	$$SELECT * FROM sdc_randomize(ROW(1)::person, '{age}')$$,
	$$SELECT * FROM sdc_randomize(NULL::person, NULL)$$,
	$$SELECT * FROM sdc_randomize(NULL::person, '{}')$$,
	$$SELECT * FROM sdc_randomize(NULL::person, '{nothing}')$$,
	$$SELECT * FROM sdc_randomize(NULL::person, '{age}', draws => 2)$$,
	$$SELECT * FROM sdc_randomize(NULL::person, '{age}', probabilities => '{0.5}')$$,
	$$SELECT * FROM sdc_randomize(NULL::person, '{age}', draws => 1, target => 'x')$$]) AS q;
-- no message tells a value or a seed
INSERT INTO person (id, region, job) VALUES (51, 'hidden', 'hidden');
SELECT helper.leaks($$SELECT * FROM sdc_randomize('person', '{age}', key => '{region}')$$, 'hidden'), helper.leaks($$SELECT * FROM sdc_randomize('person', '{age}', draws => 2, seed => 'hidden')$$, 'hidden'),
	helper.leaks($$SELECT * FROM sdc_randomize('person', '{region,job}', probabilities => '{0.125,0.5}')$$, '0.125');

-- nothing is left of all that
SELECT relname FROM pg_class WHERE relnamespace = 'randomized_arguments'::regnamespace ORDER BY relname COLLATE "C";
SELECT count(*) FROM sdc_releases WHERE source = 'person'::regclass;
SELECT count(*) FROM sdc_progress;
\pset format aligned
\pset tuples_only off
