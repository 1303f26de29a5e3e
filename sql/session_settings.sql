--
-- session_settings
--
-- What is measured, reported and published does not depend on how the session shows numbers, quotes names or reads text.
--
\pset format unaligned
\pset footer off

CREATE SCHEMA session_settings;
SET search_path = session_settings, public;

SELECT helper.make_people('people', 60);
SELECT sdc_classify('people', 'job', 'sensitive');
SELECT count(*) FROM sdc_rankswap('people', p => 7, columns => '{age,income,weight}', target => 'swapped', seed => 1, keep => '{job}');

-- all_that_is_shown returns what becomes text on its way, under the setting of the caller.
CREATE FUNCTION all_that_is_shown(OUT summary text, OUT report text, OUT outside text, OUT map text, OUT accuracy text, OUT judged jsonb, OUT reason text)
LANGUAGE plpgsql AS $$
DECLARE
	known jsonb := '{"release": "session_settings.swapped", "definition": {"limits": {"composed_people_found": 0.125, "people_found": 0.125}}}';
BEGIN
	summary := (SELECT string_agg(s::text, E'\n') FROM sdc_summary('swapped') AS s);
	report := sdc_report('swapped');
	outside := sdc_report('swapped', 'external');
	map := sdc_ru_map_svg('people');
	accuracy := (SELECT string_agg(format('%s %s %s %s', a.part, a.attribute, a.measure, a.value::numeric), E'\n')
		FROM sdc_private.accuracy('swapped', '{age,income,weight}', 1000000, 1000000) AS a);
	known := sdc_private.run_measure('none', 1, known);
	judged := known #> '{measures,judged}';
	reason := known ->> 'reason';
	DELETE FROM sdc_private.sdc_evaluation_catalog WHERE release = 'swapped'::regclass;
END
$$;

CREATE TABLE shown AS SELECT 'none' AS setting, s.* FROM all_that_is_shown() AS s;
-- they say something, and the limits are about numbers that a single digit does not give
SELECT summary ~ 'people found' AS summary, report ~ '<strong>\d+(\.\d+)? %' AS report, accuracy ~ 'mean_error' AS accuracy,
	judged ->> 'composed_people_found' ~ '\.\d\d' AS composed, reason ~ 'at most 0.125 is allowed' AS reason FROM shown;

SET extra_float_digits = -15;
CREATE TEMP TABLE got AS SELECT * FROM all_that_is_shown();
RESET extra_float_digits;
INSERT INTO shown SELECT 'extra_float_digits', * FROM got;
DROP TABLE got;
SET escape_string_warning = off;
SET standard_conforming_strings = off;
INSERT INTO shown SELECT 'standard_conforming_strings', * FROM all_that_is_shown();
RESET standard_conforming_strings;
RESET escape_string_warning;
SELECT s.setting, s.summary = n.summary AS summary, s.report = n.report AS report, s.outside = n.outside AS outside, s.map = n.map AS map,
	s.accuracy = n.accuracy AS accuracy, s.judged = n.judged AS judged, s.reason = n.reason AS reason
FROM shown AS s JOIN shown AS n ON n.setting = 'none' WHERE s.setting <> 'none' ORDER BY s.setting;

-- The policy that is set again is the same one: its next run has nothing to do.
SELECT sdc_policy_set('settings', 'people', '[{"method": "rankswap", "p": 7, "columns": ["income"]}]', 'session_settings.public', omit => '{region,sex,age,weight,savings,born,job}',
	limits => '{"people_found": 100}');
CREATE TABLE policy AS SELECT source, statement FROM sdc_policies WHERE policy = 'settings';
SET quote_all_identifiers = on;
SELECT sdc_policy_set('settings', 'people', '[{"method": "rankswap", "p": 7, "columns": ["income"]}]', 'session_settings.public', omit => '{region,sex,age,weight,savings,born,job}',
	limits => '{"people_found": 100}');
RESET quote_all_identifiers;
SELECT source, statement = (SELECT statement FROM policy) AS the_same FROM sdc_policies WHERE policy = 'settings';
SELECT sdc_policy_drop('settings');

DROP SCHEMA session_settings CASCADE;
