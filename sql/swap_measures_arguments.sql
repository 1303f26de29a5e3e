--
-- swap_measures_arguments
--
-- What the measures of swapping in bins refuse, and whose rights they have.
--
\pset format unaligned
\pset footer off
CREATE SCHEMA binned_refused;
SET search_path = binned_refused, binned, public;
SELECT helper.make_people('binned_refused.person', 60);
SELECT count(*) FROM sdc_equidepth_swap('person', depth => 10, columns => '{age,income}', seed => 1);
\pset tuples_only on

-- the swapping set
SELECT c, helper.catch(format('SELECT * FROM sdc_swap_candidates(''person'', %s)', c)) FROM unnest(ARRAY['NULL', '''{}''', '''{nothing}''', '''{region}''', '''{age,sex}''', '''{age,age}''', '''{age,NULL}''', '''{{age,income}}''', '''{ctid}''']) AS c;
SELECT helper.catch($$SELECT * FROM sdc_swap_privacy('person', '{job}')$$), helper.catch($$SELECT * FROM sdc_swap_privacy('person', '{job}', 'equidepth_swap')$$), helper.catch($$SELECT * FROM sdc_expected_correlation_bias('person', '{job}', depth => 10)$$), helper.catch($$SELECT * FROM sdc_expected_correlation_bias('person', NULL, depth => 10)$$);
SELECT helper.catch($$SELECT * FROM sdc_expected_correlation_bias('person', '{age}', 'equiwidth_swap', intervals => 10, key => '{age}')$$), helper.catch($$SELECT * FROM sdc_expected_correlation_bias('person', '{age}', depth => 10, strata => '{age}')$$), helper.catch($$SELECT * FROM sdc_expected_correlation_bias('person', '{age}', depth => 10, key => '{region}')$$);
-- the bounds of the widths
SELECT b, helper.catch(format('SELECT * FROM sdc_swap_candidates(''person'', ''{age}'', %s)', b)) FROM unnest(ARRAY['0', '-0.1', '1.0000001', '''NaN''', '''Infinity''', '''-Infinity''', '0.2, smallest => 0', '0.2, smallest => -1', '0.2, smallest => ''NaN''', '0.2, smallest => 0.3', 'smallest => 0.5',
	'1e-7', '0.2, smallest => 9e-7', '0.2, NULL', '0.2, ''''', '0.2, ''Intervals''', '0.2, ''naive''']) AS b;
SELECT b, helper.catch(format('SELECT * FROM sdc_swap_privacy(''person'', ''{age}'', ''equiwidth_swap'', %s)', b)) FROM unnest(ARRAY['0', '2', '''NaN''', '0.1, ''none''', '0.1, smallest => 0.11']) AS b;
SELECT count(*) FROM sdc_swap_candidates('person', '{age}', bound => 0.25, smallest => 0.25);
SELECT count(*) FROM sdc_swap_candidates('person', '{age}', bound => 0.0005);
-- a bound of equi-depth swapping is the largest depth
SELECT b, helper.catch(format('SELECT * FROM sdc_swap_privacy(''person'', ''{age}'', ''equidepth_swap'', %s)', b)) FROM unnest(ARRAY['0', '1', '2.5', '-3', '61', '1e10', '''NaN''', '''Infinity''']) AS b;
SELECT helper.catch($$SELECT * FROM sdc_swap_privacy('person', '{age}', NULL)$$), helper.catch($$SELECT * FROM sdc_swap_privacy('person', '{age}', 'rankswap')$$), helper.catch($$SELECT * FROM sdc_swap_privacy('person', '{age}', '')$$);
-- depth, intervals and widths, as far as the method has them
SELECT e, helper.catch(format('SELECT bins FROM sdc_expected_correlation_bias(''person'', ''{age,income}'', %s)', e)) FROM unnest(ARRAY['NULL', '''depth''', '''equidepth_swap'', 1', '''equidepth_swap'', NULL', '''equiwidth_swap'', intervals => 0', '''equiwidth_swap'', intervals => NULL', '''equiwidth_swap'', widths => ''{1}''', '''equiwidth_swap'', widths => ''{1,0}''',
	'''equiwidth_swap'', widths => ''{1,NaN}''', '''equiwidth_swap'', widths => ''{NULL,1}''', '''equidepth_swap'', 10, intervals => 0', '''equiwidth_swap'', depth => 0, intervals => 10']) AS e;
SELECT helper.catch($$SELECT * FROM sdc_expected_correlation_bias('person', '{age}', depth => 61)$$);
SELECT h, helper.catch(format('SELECT sdc_histogram_error(''person_equidepth_swap'', %s)', h)) FROM unnest(ARRAY['''{nothing}''', '''{region}''', '''{id}''', '''{age,age}''', '''{age,NULL}''', '''{age}'', 0', '''{age}'', -1', '''{age}'', NULL']) AS h;
-- relations and releases
SELECT helper.catch(q) FROM unnest(ARRAY[
	$$SELECT * FROM sdc_swap_candidates(NULL, '{age}')$$, $$SELECT * FROM sdc_swap_candidates(0, '{age}')$$, $$SELECT * FROM sdc_swap_candidates('person_pkey', '{age}')$$, $$SELECT * FROM sdc_swap_privacy('nothing', '{age}')$$, $$SELECT * FROM sdc_expected_correlation_bias(NULL, '{age}', depth => 10)$$,
	$$SELECT * FROM sdc_correlation_bias(NULL)$$, $$SELECT * FROM sdc_correlation_bias('person')$$, $$SELECT * FROM sdc_correlation_bias('nothing')$$, $$SELECT sdc_histogram_error(NULL)$$, $$SELECT sdc_histogram_error('person')$$, $$SELECT sdc_histogram_error(0)$$]) AS q;
-- memory
BEGIN;
CREATE TABLE many AS SELECT i AS id, i * 7 % 999 AS a, i * 11 % 997 AS b, i * 13 % 995 AS c FROM generate_series(1, 50000) AS i;
CREATE TABLE much AS SELECT * FROM sdc_expected_correlation_bias('many', '{a}', depth => 10);
SET LOCAL maintenance_work_mem = '1MB';
SELECT count(*) > 0 AS found FROM sdc_swap_candidates('many', '{a,b,c}', bound => 0.4, smallest => 0.25);
SELECT count(*) AS differ FROM (TABLE much EXCEPT SELECT * FROM sdc_expected_correlation_bias('many', '{a}', depth => 10)) AS d;
SELECT helper.catch($$SELECT count(*) FROM sdc_swap_candidates('person', '{age}', smallest => 1e-6)$$);
ROLLBACK;
-- a release of other types has no numbers to compare
BEGIN;
SELECT count(*) FROM sdc_generalize('person', '{age,income}', k => 5);
SELECT helper.catch($$SELECT * FROM sdc_correlation_bias('person_generalize')$$), helper.catch($$SELECT sdc_histogram_error('person_generalize')$$);
ROLLBACK;
\pset tuples_only off

-- A source or a release that has changed since is refused.
BEGIN;
UPDATE person SET income = income + 1 WHERE id = 3;
SELECT helper.catch($$SELECT * FROM sdc_correlation_bias('person_equidepth_swap')$$);
SELECT helper.catch($$SELECT sdc_histogram_error('person_equidepth_swap')$$);
ROLLBACK;
BEGIN;
DELETE FROM person WHERE id = 3;
SELECT helper.catch($$SELECT * FROM sdc_correlation_bias('person_equidepth_swap')$$);
SELECT helper.catch($$SELECT sdc_histogram_error('person_equidepth_swap')$$);
ROLLBACK;
BEGIN;
DELETE FROM person_equidepth_swap WHERE id = 3;
SELECT helper.catch($$SELECT * FROM sdc_correlation_bias('person_equidepth_swap')$$);
ROLLBACK;
BEGIN;
ALTER TABLE person RENAME income TO earned;
SELECT helper.catch($$SELECT * FROM sdc_correlation_bias('person_equidepth_swap')$$);
ROLLBACK;

-- The rights are those of the caller: the columns that are read, of both relations.
CREATE ROLE regress_sdc_measurer;
GRANT USAGE ON SCHEMA binned_refused, helper TO regress_sdc_measurer;
SET ROLE regress_sdc_measurer;
SELECT f, helper.catch('SELECT FROM ' || f) FROM unnest(ARRAY[$$sdc_swap_candidates('person', '{age}')$$, $$sdc_swap_privacy('person', '{age}')$$, $$sdc_expected_correlation_bias('person', '{age}', depth => 10)$$, $$sdc_correlation_bias('person_equidepth_swap')$$, $$sdc_histogram_error('person_equidepth_swap')$$]) AS f;
RESET ROLE;
GRANT SELECT (id, age, income) ON person TO regress_sdc_measurer;
SET ROLE regress_sdc_measurer;
SELECT f, helper.catch('SELECT FROM ' || f) FROM unnest(ARRAY[$$sdc_swap_candidates('person', '{age,income}')$$, $$sdc_swap_candidates('person', '{weight}')$$, $$sdc_swap_privacy('person', '{age}')$$, $$sdc_expected_correlation_bias('person', '{age}', depth => 10)$$, $$sdc_correlation_bias('person_equidepth_swap')$$]) AS f;
-- what is expected of correlations is for those who may read all columns of numbers
SELECT width_share, degree > 1 AS several, expected_bias FROM sdc_swap_candidates('person', '{age,income}', 0.5, smallest => 0.4);
RESET ROLE;
GRANT SELECT ON person_equidepth_swap TO regress_sdc_measurer;
SET ROLE regress_sdc_measurer;
SELECT f, helper.catch('SELECT FROM ' || f) FROM unnest(ARRAY[$$sdc_correlation_bias('person_equidepth_swap')$$, $$sdc_histogram_error('person_equidepth_swap', '{age}')$$]) AS f;
RESET ROLE;
GRANT SELECT ON person TO regress_sdc_measurer;
SET ROLE regress_sdc_measurer;
SELECT bias > 0 AS measured, expected > 0 AS expected FROM sdc_correlation_bias('person_equidepth_swap');
SELECT sdc_histogram_error('person_equidepth_swap', '{age}', 5) < 0.2 AS measured, (SELECT bins FROM sdc_expected_correlation_bias('person', '{age,income}', depth => 10)) AS bins;
RESET ROLE;
-- row security: what is seen is not what was released
CREATE POLICY women ON person FOR SELECT TO regress_sdc_measurer USING (sex = 'f');
ALTER TABLE person ENABLE ROW LEVEL SECURITY;
SET ROLE regress_sdc_measurer;
SELECT helper.catch($$SELECT * FROM sdc_correlation_bias('person_equidepth_swap')$$), helper.catch($$SELECT sdc_histogram_error('person_equidepth_swap')$$);
SELECT (SELECT minimal_depth FROM sdc_swap_candidates('person', '{age}', 1, smallest => 1)) = count(*) AS of_those_seen FROM person;
RESET ROLE;

-- nothing is left of all that
SELECT relname FROM pg_class WHERE relnamespace = 'binned_refused'::regnamespace ORDER BY relname COLLATE "C";
SELECT count(*) FROM sdc_progress;
DROP OWNED BY regress_sdc_measurer;
DROP ROLE regress_sdc_measurer;
