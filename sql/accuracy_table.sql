--
-- accuracy_table
--
-- The table beside a publication: what it says, who reads it, and what somebody can estimate who has nothing else.
--
SET max_parallel_workers_per_gather = 0;	-- hundreds of small queries
CREATE SCHEMA exact;
SET search_path = exact, public;
SET maintenance_work_mem = '64MB';
SET client_min_messages = warning;
\pset format unaligned
\pset tuples_only on

SELECT helper.make_people('person', 3000);
SELECT sdc_classify('person', 'job', 'sensitive');
SELECT count(*) FROM sdc_randomize('person', '{sex,region,age,job}', keep => '{income,weight}', omit => '{born,savings}', target => 'random', seed => 1);
CREATE ROLE regress_sdc_analyst;
CREATE ROLE regress_sdc_other;
GRANT USAGE ON SCHEMA exact, helper TO regress_sdc_analyst, regress_sdc_other;
SELECT columns FROM sdc_publish('random', 'public_random', keep => '{income,weight}', grant_to => '{regress_sdc_analyst}', force => true);

--
-- What it says
--
SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute WHERE attrelid = 'public_random_accuracy'::regclass AND attnum > 0 ORDER BY attnum;
SELECT count(*) = count(DISTINCT (part, attribute, measure)) AS once, count(*) FILTER (WHERE value IS NULL AND part NOT IN ('method', 'associations')) AS withheld FROM public_random_accuracy;

-- the number of records, how every column was protected, and what estimators need
SELECT attribute, measure, value FROM public_random_accuracy WHERE part = 'release';
SELECT attribute, measure FROM public_random_accuracy WHERE part = 'method' AND value IS NULL;
SELECT attribute, measure, value FROM public_random_accuracy WHERE part = 'method' AND value IS NOT NULL;

-- nothing of columns that are not published
SELECT count(*) FROM public_random_accuracy WHERE concat_ws(' ', attribute, measure) ~ 'id|born|savings';

-- what the figures are is seen in accuracy_safe; here how many there are, with their roundings
SELECT part, attribute, string_agg(measure, ' ' ORDER BY measure) FROM public_random_accuracy WHERE part NOT IN ('release', 'method', 'associations') AND measure !~ '_rounding$' GROUP BY part, attribute ORDER BY part, attribute;
SELECT part, count(*) FILTER (WHERE measure ~ '_rounding$') = count(*) FILTER (WHERE measure !~ '_rounding$') AS with_roundings FROM public_random_accuracy WHERE part NOT IN ('release', 'method') GROUP BY part ORDER BY part;
-- of copied columns they are 0, and those of a drawn one near what other measures find exactly (Hellinger's distance where classes are values)
SELECT bool_and(value = 0) AS copied, count(*) FROM public_random_accuracy WHERE part = 'margins' AND attribute IN ('income', 'weight') AND measure !~ '_rounding$';
SELECT a.attribute, a.measure, abs(a.value - CASE WHEN e.statistic IN ('ks', 'hellinger') THEN e.protected ELSE e.relative_error END) <= 1.5 * r.value AS near
FROM public_random_accuracy AS a JOIN public_random_accuracy AS r ON r.part = 'margins' AND r.attribute = a.attribute AND r.measure = a.measure || '_rounding'
	JOIN sdc_statistic_errors('random') AS e ON e.attribute = a.attribute AND a.measure = e.statistic || CASE WHEN e.statistic IN ('mean', 'sd') THEN '_error' ELSE '' END
WHERE a.part = 'margins' AND a.attribute IN ('age', 'sex', 'region', 'job') AND (a.attribute <> 'age' OR a.measure <> 'hellinger') ORDER BY a.attribute, a.measure;

-- what sdc_evaluate has kept is taken instead, also of a large one
SELECT count(*) FROM sdc_evaluate('random');
SET sdc.accuracy_records = 1;
SELECT records FROM sdc_publish('random', 'public_kept', keep => '{income,weight}', max_people_found => 100);
RESET sdc.accuracy_records;
SELECT count(*) FROM ((TABLE public_kept_accuracy EXCEPT TABLE public_random_accuracy) UNION ALL (TABLE public_random_accuracy EXCEPT TABLE public_kept_accuracy)) AS d;
SELECT sdc_withdraw('public_kept', 'x');

-- a release that is its source: no error, all associations
CREATE TABLE same AS SELECT id, sex, region, age, job, income FROM person;
SELECT sdc_register('person', 'same', '{sex,region,age,job,income}', '{id}', qi => '{sex,region}', sensitive => '{job}');
SELECT records FROM sdc_publish('same', 'public_same', force => true);
SELECT part, count(value) > 0 AS some, min(value), max(value) FROM public_same_accuracy WHERE part NOT IN ('method', 'release') AND measure !~ '^kept|_rounding$' GROUP BY part ORDER BY part;
SELECT DISTINCT measure, value FROM public_same_accuracy WHERE measure ~ '^kept' AND measure !~ '_rounding$' OR part = 'method' ORDER BY measure;

-- rank swapping: the method, and how far ranks move, which estimators need; with strata, these; draws
SELECT count(*) FROM sdc_rankswap('person', p => 7.25, columns => '{age,income}', strata => '{region}', omit => '{sex,weight,savings,born,job}', target => 'swapped', seed => 1);
SELECT records FROM sdc_publish('swapped', 'public_swapped', keep => '{region}', force => true);
SELECT attribute, measure, value FROM public_swapped_accuracy WHERE part = 'method';
SELECT count(*) FROM sdc_randomize('person', '{sex,region,job}', draws => 2, keep => '{age}', omit => '{born,savings,income,weight}', target => 'drawn', seed => 1);
SELECT records FROM sdc_publish('drawn', 'public_drawn', keep => '{age}', force => true);
SELECT attribute, measure, value FROM public_drawn_accuracy WHERE part = 'method';
-- two steps of random anonymization: nothing undoes them, so nothing says how they were drawn
SELECT count(*) FROM sdc_protect('person', '[{"method": "randomize", "qi": ["sex", "region"]}, {"method": "randomize", "qi": ["age", "job"]}, {"method": "generalize", "qi": ["income"], "k": 5}]',
	omit => '{born,savings,weight}', target => 'twice', seed => 1);
SELECT records FROM sdc_publish('twice', 'public_twice', force => true);
SELECT attribute, measure, value FROM public_twice_accuracy WHERE part = 'method';

-- no record, and one: nothing is said of one person
CREATE TABLE none (id int PRIMARY KEY, a int, b text);
SELECT count(*) FROM sdc_randomize('none', '{a,b}', target => 'none_random', draws => 1, seed => 1);
SELECT records FROM sdc_publish('none_random', 'public_none', force => true);
SELECT part, attribute, measure, value FROM public_none_accuracy;
INSERT INTO none VALUES (1, 5, 'x');
SELECT count(*) FROM sdc_randomize('none', '{a,b}', target => 'none_random', draws => 1, seed => 1, replace => true);
SELECT records FROM sdc_publish('none_random', 'public_none', replace => true, force => true);
SELECT max(value) FROM public_none_accuracy WHERE part NOT IN ('method', 'release');

-- large ones are not measured, unless it is asked for; what cannot be measured is no reason not to publish
SET client_min_messages = notice;
SET sdc.accuracy_records = 2999;
SELECT records FROM sdc_publish('drawn', 'public_drawn', keep => '{age}', replace => true, force => true);
SELECT part, count(*) FROM public_drawn_accuracy GROUP BY part ORDER BY part;
SET sdc.accuracy_records = 0;
SELECT records FROM sdc_publish('drawn', 'public_drawn', keep => '{age}', replace => true, force => true);
RESET sdc.accuracy_records;
BEGIN;
UPDATE person SET age = age + 1 WHERE id = 5;
SELECT records FROM sdc_publish('drawn', 'public_drawn', keep => '{age}', replace => true, force => true);
ROLLBACK;
SET client_min_messages = warning;

--
-- Whose it is
--
SELECT c.relname, c.relowner::regrole = current_user::regrole AS own, has_table_privilege('regress_sdc_analyst', c.oid, 'SELECT') AS analyst, has_table_privilege('regress_sdc_other', c.oid, 'SELECT') AS other
FROM pg_class AS c WHERE c.oid IN ('public_random'::regclass, 'public_random_accuracy'::regclass) ORDER BY 1;
-- new contents: the same table, with its grants, indexes and policies; the rows are those of the other release
SELECT count(*) FROM sdc_randomize('person', '{sex,region,age,job}', draws => 1, keep => '{income,weight}', omit => '{born,savings}', target => 'other', seed => 2);
GRANT SELECT (part, measure) ON public_random_accuracy TO regress_sdc_other;
CREATE INDEX by_part ON public_random_accuracy (part);
CREATE TABLE looked AS SELECT oid, relacl, (SELECT string_agg(concat(attname, attacl), ' ' ORDER BY attnum) FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0) AS columns FROM pg_class AS c WHERE oid = 'public_random_accuracy'::regclass;
SELECT records FROM sdc_publish('other', 'public_random', keep => '{income,weight}', replace => true, force => true);
SELECT measure, value FROM public_random_accuracy WHERE part = 'method' AND value IS NOT NULL;
SELECT records FROM sdc_publish('random', 'public_random', keep => '{income,weight}', replace => true, mode => 'rows', force => true);
SELECT count(*) FROM public_random_accuracy WHERE part = 'method' AND measure = 'probability';
SET enable_seqscan = off;
SELECT count(*) FROM public_random_accuracy WHERE part = 'method';
RESET enable_seqscan;
SELECT c.relacl = l.relacl AS grants, (SELECT string_agg(concat(attname, attacl), ' ' ORDER BY attnum) FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0) = l.columns AS of_columns
FROM pg_class AS c JOIN looked AS l USING (oid);
-- triggers, rules and policies have no say
CREATE FUNCTION stop() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'stop'; END $$;
CREATE TRIGGER stop BEFORE INSERT OR DELETE ON public_random_accuracy FOR EACH ROW EXECUTE FUNCTION stop();
CREATE RULE never AS ON INSERT TO public_random_accuracy DO INSTEAD NOTHING;
SELECT records FROM sdc_publish('random', 'public_random', keep => '{income,weight}', replace => true, force => true);
SELECT count(*) FROM public_random_accuracy WHERE part = 'method' AND measure = 'probability';
DROP TRIGGER stop ON public_random_accuracy;
DROP RULE never ON public_random_accuracy;
-- one that was dropped comes back with owner and readers of the publication; one that was renamed is the same
ALTER TABLE public_random OWNER TO regress_sdc_other;
DROP TABLE public_random_accuracy;
GRANT CREATE ON SCHEMA exact TO regress_sdc_other;
SELECT records FROM sdc_publish('random', 'public_random', keep => '{income,weight}', replace => true, force => true);
SELECT relowner::regrole, has_table_privilege('regress_sdc_analyst', oid, 'SELECT') AS analyst FROM pg_class WHERE oid = 'public_random_accuracy'::regclass;
ALTER TABLE public_random_accuracy RENAME TO elsewhere;
SELECT records FROM sdc_publish('random', 'public_random', keep => '{income,weight}', replace => true, force => true);
SELECT to_regclass('public_random_accuracy') IS NULL AS none, count(*) > 0 AS some FROM elsewhere;
ALTER TABLE elsewhere RENAME TO public_random_accuracy;
-- it is no publication and no release; a relation of somebody's with that name is in the way, before any work
SELECT count(*) FROM sdc_publications WHERE publication::text LIKE '%accuracy';
SELECT helper.catch($$SELECT sdc_withdraw('public_random_accuracy', 'x')$$);
SELECT helper.catch($$SELECT * FROM sdc_publish('random', 'public_random_accuracy', keep => '{income,weight}', replace => true, force => true)$$);
SELECT helper.catch($$SELECT * FROM sdc_score('public_random_accuracy')$$);
CREATE VIEW taken_accuracy AS SELECT 1 AS part;
SELECT helper.catch($$SELECT * FROM sdc_publish('random', 'taken', keep => '{income,weight}', force => true)$$), to_regclass('taken') IS NULL AS nothing;
SELECT helper.catch($$SELECT * FROM sdc_publish('drawn', 'public_swapped_accuracy', keep => '{age}', force => true)$$);
ALTER TABLE public_drawn_accuracy ADD more int;
SELECT helper.catch($$SELECT * FROM sdc_publish('drawn', 'public_drawn', keep => '{age}', replace => true, force => true)$$);
ALTER TABLE public_drawn_accuracy DROP more;
SELECT helper.catch($$SELECT * FROM sdc_publish('drawn', 'public_drawn', keep => '{age}', replace => true, force => true)$$);
-- a long name is cut, and found again
SELECT records FROM sdc_publish('drawn', repeat('x', 60), keep => '{age}', grant_to => '{regress_sdc_analyst}', force => true);
SELECT estimate > 0 AS found FROM sdc_estimate(repeat('x', 60), conditions => '{"sex = ''f''"}');
-- withdrawn together; a view on it is named
CREATE VIEW ages AS SELECT value FROM public_swapped_accuracy;
SELECT helper.catch($$SELECT sdc_withdraw('public_swapped', 'x')$$);
DROP VIEW ages;
SELECT sdc_withdraw('public_swapped', 'x');
SELECT to_regclass('public_swapped') IS NULL AS table, to_regclass('public_swapped_accuracy') IS NULL AS accuracy;
-- one whose publication was dropped is taken over
DROP TABLE public_same;
SELECT records FROM sdc_publish('same', 'public_same', force => true);
SELECT count(*) > 0 AS there FROM public_same_accuracy;

--
-- Estimates of somebody who has the two tables only
--
SELECT sdc_withdraw('public_drawn', 'x');
SELECT records FROM sdc_publish('drawn', 'public_drawn', keep => '{age}', grant_to => '{regress_sdc_analyst}', force => true);
SET ROLE regress_sdc_analyst;
-- (the owner of a publication need not be trusted: the values are read with his rights)
SELECT estimate > 0 AS found FROM sdc_estimate('exact.public_random', conditions => '{"sex = ''f''","region = ''north''"}');
RESET ROLE;
ALTER TABLE public_random OWNER TO CURRENT_USER;
ALTER TABLE public_random_accuracy OWNER TO CURRENT_USER;
SET ROLE regress_sdc_analyst;
SELECT helper.catch('SELECT FROM exact.person'), helper.catch('SELECT FROM exact.random'), (SELECT count(*) FROM sdc_releases), (SELECT count(*) FROM sdc_publications);
-- two conditions on drawn columns: the shares, and what they have more or less together, over the chance that neither was drawn
WITH share AS (SELECT count(*) AS n, avg((sex = 'f')::int) AS a, avg((region = 'north')::int) AS b, avg((sex = 'f' AND region = 'north')::int) AS joint FROM public_random WHERE num_nulls(sex, region) = 0),
chance AS (SELECT 1 - sum(value) AS neither FROM public_random_accuracy WHERE measure = 'probability' AND attribute IN ('sex', 'region'))
SELECT abs(e.estimate - n * (a * b + (joint - a * b) / neither)) < 1e-9 * e.estimate AS same, e.raw = round(n * joint) AS raw, e.low < e.estimate AND e.estimate < e.high AS interval
FROM share, chance, sdc_estimate('public_random', conditions => '{"sex = ''f''","region = ''north''"}') AS e;
-- two of three are drawn in every record: one condition can be asked, and two tell nothing; the arguments are an alternative
SELECT abs(e.estimate - count(*)) < 1e-9 AS same FROM sdc_estimate('public_drawn', conditions => '{"sex = ''f''"}') AS e, public_drawn WHERE sex = 'f' GROUP BY e.estimate;
SELECT helper.catch($$SELECT * FROM sdc_estimate('exact.public_drawn', conditions => '{"sex = ''f''","region = ''north''"}')$$);
SELECT abs(a.estimate - b.estimate) <= 1e-6 * abs(a.estimate) AND abs(a.standard_error - b.standard_error) <= 1e-6 * a.standard_error AND a.raw = b.raw AS same
FROM sdc_estimate('public_random', conditions => '{"age < 40","region = ''north''"}', measure => 'income', by => '{sex}') AS a
JOIN sdc_estimate('public_random', '{sex,region,age,job}', '{"age < 40","region = ''north''"}', 'income', by => '{sex}', probabilities => (SELECT array_agg(value ORDER BY array_position('{sex,region,age,job}', attribute)) FROM public_random_accuracy WHERE measure = 'probability')) AS b USING (cell);
SELECT helper.catch($$SELECT * FROM sdc_estimate('exact.public_random', '{sex,region}', '{"sex = ''f''"}')$$);
RESET ROLE;
-- a role without the accuracy table has to be told, and a table that says nonsense, or is somebody else's, says nothing
GRANT SELECT ON public_random TO regress_sdc_other;
REVOKE ALL ON public_random_accuracy FROM regress_sdc_other;
SET ROLE regress_sdc_other;
SELECT helper.catch($$SELECT * FROM sdc_estimate('exact.public_random', conditions => '{"sex = ''f''"}')$$);
RESET ROLE;
SELECT helper.catch($$SELECT * FROM sdc_estimate('public_twice', conditions => '{"sex = ''f''"}')$$);
BEGIN;
UPDATE public_random_accuracy SET value = 1.5 WHERE measure = 'probability' AND attribute = 'sex';
SET ROLE regress_sdc_analyst;
SELECT helper.catch($$SELECT * FROM sdc_estimate('exact.public_random', conditions => '{"sex = ''f''"}')$$);
ROLLBACK;
CREATE TABLE copied AS TABLE public_random;
CREATE TABLE copied_accuracy AS TABLE public_random_accuracy;
SELECT e.estimate > 0 AS by_name FROM sdc_estimate('copied', conditions => '{"sex = ''f''"}') AS e;
ALTER TABLE copied_accuracy OWNER TO regress_sdc_other;
SELECT helper.catch($$SELECT * FROM sdc_estimate('copied', conditions => '{"sex = ''f''"}')$$);

-- the interval has the truth about as often as it says
CREATE TABLE small AS SELECT id, sex, region, job FROM person WHERE id <= 800 AND num_nulls(sex, region, job) = 0;
ALTER TABLE small ADD PRIMARY KEY (id);
GRANT CREATE ON SCHEMA exact TO regress_sdc_analyst;
SET sdc.accuracy_records = 0;
CREATE FUNCTION covered(seed int) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
	result boolean;
BEGIN
	PERFORM FROM public.sdc_randomize('small', '{sex,region,job}', probabilities => '{0.2,0.3,0.5}', target => 'small_random', seed => seed, replace => seed > 1);
	PERFORM FROM public.sdc_publish('small_random', 'small_public', grant_to => '{regress_sdc_analyst}', replace => seed > 1, force => true);
	SET LOCAL ROLE regress_sdc_analyst;
	SELECT e.low <= 86 AND e.high >= 86 INTO result FROM public.sdc_estimate('small_public', conditions => '{"sex = ''f''","region = ''north''"}') AS e;
	RESET ROLE;
	RETURN result;
END
$$;
SELECT count(*) FROM small WHERE sex = 'f' AND region = 'north';
SET sdc.accuracy_records = 0;	-- parameters only, which is all that is needed here
SET client_min_messages = error;
SELECT count(*) FILTER (WHERE covered(seed)) AS of_60 FROM generate_series(1, 60) AS seed;

DROP SCHEMA exact CASCADE;
REVOKE USAGE ON SCHEMA helper FROM regress_sdc_analyst, regress_sdc_other;
DROP ROLE regress_sdc_analyst, regress_sdc_other;
