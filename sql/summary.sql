-- sdc_summary: what the measures say, rounded.
SET client_min_messages = error;
SELECT helper.make_people('sum', 300);
SELECT FROM sdc_rankswap('sum', p => 10, columns => '{income,weight}', keep => '{region,sex,age,job}', seed => 1);
SELECT sdc_classify('sum', 'job', 'sensitive');
SELECT part, measure, unit, meaning, value IS NOT NULL AS known FROM sdc_summary('sum_rankswap');

-- the same as of the functions themselves, for what is known by default and for some columns
CREATE FUNCTION differs(known name[])
RETURNS SETOF text LANGUAGE sql AS $$
	WITH p AS (SELECT * FROM sdc_people_found('sum_rankswap', known)),
	wanted (measure, unit, value) AS (
		SELECT 'people found', 'percent', round(percent::numeric, 1) FROM p WHERE attack = 'any'
		UNION ALL SELECT 'people found', 'people', round(found::numeric) FROM p WHERE attack = 'any'
		UNION ALL SELECT 'found for certain', 'people', certain FROM p WHERE attack = 'any'
		UNION ALL SELECT 'found by the best attack', 'percent', round(percent::numeric, 1) FROM p WHERE attack = 'best'
		UNION ALL SELECT 'found by chance', 'percent', round(percent::numeric, 3) FROM p WHERE attack = 'chance'
		UNION ALL SELECT 'disclosure risk', 'percent', round(dr::numeric, 1) FROM sdc_score('sum_rankswap')
		UNION ALL SELECT 'information loss', 'points', round(il::numeric, 1) FROM sdc_score('sum_rankswap')
		UNION ALL SELECT 'score', 'points', round(score::numeric, 1) FROM sdc_score('sum_rankswap')
		UNION ALL SELECT v.* FROM sdc_attribute_risk('sum_rankswap', known, '{job}'), LATERAL (VALUES ('values guessed', 'percent', round(found_percent::numeric, 1)),
			('values guessed without', 'percent', round(found_without_percent::numeric, 1)), ('values guessed blindly', 'percent', round(baseline_percent::numeric, 1)),
			('values known', 'people', disclosed)) AS v
		UNION ALL SELECT v.* FROM sdc_distinguishability('sum_rankswap'), LATERAL (VALUES ('told apart', 'percent', round(100 * r2::numeric, 1)),
			('told apart by chance', 'percent', round(100 * chance::numeric, 1))) AS v
		UNION ALL SELECT 'counts by one column', 'percent', round(100 * mean_error::numeric, 1)
			FROM sdc_query_errors('sum_rankswap', seed => 'summary') WHERE attributes = 1),
	told AS (SELECT measure, unit, value FROM sdc_summary('sum_rankswap', known) WHERE measure !~ 'columns$')
	(SELECT 'wanted ' || w::text FROM wanted AS w WHERE w.value IS NOT NULL EXCEPT SELECT 'wanted ' || t::text FROM told AS t)
	UNION ALL (SELECT 'told ' || t::text FROM told AS t EXCEPT SELECT 'told ' || w::text FROM wanted AS w)
$$;
SELECT differs(NULL);
SELECT differs('{income,sex}');

-- in which words the server says where an error came from depends on its version
\set SHOW_CONTEXT never
-- a part that is not defined is left out; what is wrong with the release as a whole is an error
SELECT FROM sdc_generalize('sum', '{age,sex}', k => 20, keep => '{region}');
SELECT DISTINCT part FROM sdc_summary('sum_generalize') ORDER BY part;
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
