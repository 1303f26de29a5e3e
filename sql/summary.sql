-- sdc_summary: what the measures say, rounded.
\pset format unaligned
\pset footer off
SET max_parallel_workers_per_gather = 0;	-- many measures, which are not about plans
SET max_parallel_maintenance_workers = 0;
SELECT helper.make_people('sum', 300);
SELECT count(*) FROM sdc_rankswap('sum', p => 10, columns => '{income,weight}', keep => '{region,sex,age,job}', seed => 1);
SELECT sdc_classify('sum', 'job', 'sensitive');
SELECT part, measure, unit, meaning, value IS NOT NULL AS known FROM sdc_summary('sum_rankswap');

-- the same as of the functions themselves, for what is known by default and for some columns
CREATE FUNCTION differs(known name[])
RETURNS SETOF text LANGUAGE sql AS $$
	WITH p AS (SELECT * FROM sdc_people_found('sum_rankswap', known)),
	wanted (measure, unit, value) AS (
		SELECT 'people found', 'percent', round(percent::numeric, 1) FROM p WHERE attack = 'any'
		UNION ALL SELECT 'people found', 'records', round(found::numeric) FROM p WHERE attack = 'any'
		UNION ALL SELECT 'found for certain', 'records', certain FROM p WHERE attack = 'any'
		UNION ALL SELECT 'found by the best attack', 'percent', round(percent::numeric, 1) FROM p WHERE attack = 'best'
		UNION ALL SELECT 'found by chance', 'percent', round(percent::numeric, 3) FROM p WHERE attack = 'chance'
		UNION ALL SELECT 'disclosure risk', 'percent', round(dr::numeric, 1) FROM sdc_score('sum_rankswap')
		UNION ALL SELECT 'information loss', 'points', round(il::numeric, 1) FROM sdc_score('sum_rankswap')
		UNION ALL SELECT 'score', 'points', round(score::numeric, 1) FROM sdc_score('sum_rankswap')
		UNION ALL SELECT v.* FROM sdc_attribute_risk('sum_rankswap', known, '{job}'), LATERAL (VALUES ('values guessed', 'percent', round(found_percent::numeric, 1)),
			('values guessed without', 'percent', round(found_without_percent::numeric, 1)), ('values guessed blindly', 'percent', round(baseline_percent::numeric, 1)),
			('values known', 'records', disclosed)) AS v
		UNION ALL SELECT v.* FROM sdc_distinguishability('sum_rankswap'), LATERAL (VALUES ('told apart', 'percent', round(100 * r2::numeric, 1)),
			('told apart by chance', 'percent', round(100 * chance::numeric, 1))) AS v
		UNION ALL SELECT 'counts by one column', 'percent', round(100 * mean_error::numeric, 1)
			FROM sdc_query_errors('sum_rankswap', seed => 'sdc_query_errors') WHERE attributes = 1),
	told AS (SELECT measure, unit, value FROM sdc_summary('sum_rankswap', known) WHERE measure !~ 'columns$')
	(SELECT 'wanted ' || w::text FROM wanted AS w WHERE w.value IS NOT NULL EXCEPT SELECT 'wanted ' || t::text FROM told AS t)
	UNION ALL (SELECT 'told ' || t::text FROM told AS t EXCEPT SELECT 'told ' || w::text FROM wanted AS w)
$$;
SELECT differs(NULL);
SELECT differs('{income,sex}');

-- in which words the server says where an error came from depends on its version
\set SHOW_CONTEXT never
-- a part that is not defined is left out; what is wrong with the release as a whole is an error
SELECT count(*) FROM sdc_generalize('sum', '{age,sex}', k => 20, keep => '{region}');
SELECT DISTINCT part FROM sdc_summary('sum_generalize') ORDER BY part;
-- more columns than attacks by agreement can use have no score
DO $$
BEGIN
	EXECUTE format('CREATE TABLE broad AS SELECT i AS id, %s FROM generate_series(1, 30) AS i', (SELECT string_agg(format('i * %s %% 7 AS c%1$s', c), ', ') FROM generate_series(1, 65) AS c));
END
$$;
ALTER TABLE broad ADD PRIMARY KEY (id);
SELECT count(*) FROM sdc_rankswap('broad', p => 20, seed => 1);
SELECT DISTINCT part FROM sdc_summary('broad_rankswap') ORDER BY part;
DROP TABLE broad, broad_rankswap;
-- of ranges and sets alone, of every type, empty or of a single person; of a table that somebody else generalized
CREATE TABLE every AS SELECT id, age, income, savings, weight, born, job, region, seen FROM (SELECT *, timestamp '2020-01-01' + age * interval '1 day' AS seen FROM sum) AS s;
ALTER TABLE every ADD PRIMARY KEY (id);
CREATE TABLE nobody (LIKE every INCLUDING ALL);
CREATE TABLE somebody (LIKE every INCLUDING ALL);
INSERT INTO somebody SELECT * FROM every WHERE id = 1;
CREATE TABLE whole (name text);
INSERT INTO whole SELECT 'every_' || name FROM unnest('{age,income,savings,weight,born,job,region,seen}'::text[]) AS name;
INSERT INTO whole VALUES ('every_some'), ('nobody_some'), ('somebody_some'), ('every_foreign');
SELECT count(r.*) FROM unnest('{age,income,savings,weight,born,job,region,seen}'::name[]) AS name,
	sdc_generalize('every', ARRAY[name], k => 10, keep => '{}', target => 'every_' || name) AS r;
SELECT count(r.*) FROM unnest('{every,nobody,somebody}'::text[]) AS name,
	sdc_generalize(name::regclass, '{age,job,born}', k => CASE name WHEN 'every' THEN 10 ELSE 1 END, keep => '{}', target => name || '_some') AS r;
CREATE TABLE every_foreign AS SELECT id, age, job FROM every_some;
SELECT sdc_register('every', 'every_foreign', steps => '[{"method": "generalize", "qi": ["age", "job"], "k": 10}]');
SELECT name, parts, told.r2, (SELECT count(*) FROM sdc_statistic_errors(name::regclass)) AS statistics, length(sdc_report(name::regclass)) > 1000 AS report
FROM whole, LATERAL (SELECT string_agg(DISTINCT part, ' ' ORDER BY part) AS parts FROM sdc_summary(name::regclass)) AS s, sdc_distinguishability(name::regclass) AS told;
SELECT helper.catch(format('SELECT sdc_histogram_error(%L)', name)) FROM unnest('{every_age,every_job}'::text[]) AS name;
CREATE TABLE words AS SELECT id, job, region FROM sum;
ALTER TABLE words ADD PRIMARY KEY (id);
SELECT count(*) FROM sdc_rankswap('words', p => 20, columns => '{job}');
SELECT helper.catch($$SELECT sdc_histogram_error('words_rankswap')$$);
SELECT string_agg(DISTINCT part, ' ' ORDER BY part) FROM sdc_summary('words_rankswap');
DROP TABLE every, nobody, somebody, whole, words CASCADE;

SELECT sdc_summary('sum');
SELECT sdc_summary(NULL);
SELECT sdc_summary('sum_rankswap', '{nothing}');
UPDATE sum SET income = income + 1 WHERE id = 1;
SELECT sdc_summary('sum_rankswap');

-- nothing of the caller's path is run
CREATE SCHEMA trap;
CREATE FUNCTION trap.round(numeric, int) RETURNS numeric LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''trapped''; END';
SET search_path = trap, public, pg_catalog;
SELECT count(*) FROM sdc_summary('sum_generalize');
RESET search_path;
DROP SCHEMA trap CASCADE;
DROP FUNCTION differs(name[]);
DROP TABLE sum CASCADE;
