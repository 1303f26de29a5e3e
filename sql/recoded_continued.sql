--
-- recoded_continued
--
-- Columns that are recoded beside and before a continued step, night after night: release, report, people found and what
-- several nights tell are those of a table that has the recoded values.  The rule stays that of the first night.
--
\pset format unaligned
\pset footer off
CREATE SCHEMA recoded_continued;
SET search_path = recoded_continued, public;
SET client_min_messages = error;
SET jit = off;

-- Who is there on a night, from 1 on, and how often a value has changed by then.
CREATE FUNCTION lives(id int, night int) RETURNS boolean LANGUAGE sql IMMUTABLE
RETURN (helper.below(id, 1, 100) < 75) <> (night > 1 AND helper.below(id + 1000 * ((night + id) / 4), 2, 100) < 20);
CREATE FUNCTION version(id int, night int, attribute int) RETURNS int LANGUAGE sql IMMUTABLE
RETURN id + 1000 * (SELECT count(*) FROM generate_series(2, night) AS n WHERE helper.below(id + 1000 * n, 10 + attribute, 100) < 6)::int;
CREATE FUNCTION source_of(night int) RETURNS TABLE (id int, home int, area text, age int, "Re gion" text, income numeric(8,2), wealth float8, born date, job text) LANGUAGE sql IMMUTABLE
BEGIN ATOMIC
	SELECT i, (i + 2) / 3, (ARRAY['n', 's'])[1 + (i + 2) / 3 % 2], nullif(17 + helper.below(version(i, night, 1), 21, 79), 40), chr(65 + helper.below(version(i, night, 2), 22, 2)) || chr(65 + helper.below(version(i, night, 2), 23, 3)) || helper.below(i + night, 24, 4),
		CASE WHEN version(i, night, 3) % 17 = 0 THEN -9 WHEN version(i, night, 3) % 19 = 0 THEN NULL ELSE round((500 * exp(2 * helper.uniform(version(i, night, 3), 25)))::numeric, 2) END, round(exp(8 + 3 * helper.uniform(version(i, night, 4), 26))), date '1930-01-01' + helper.below(version(i, night, 5), 27, 25000), (ARRAY['cook', 'clerk', 'nurse'])[1 + helper.below(version(i, night, 6), 28, 3)]
	FROM generate_series(1, 160) AS i WHERE lives(i, night);
END;
CREATE TABLE person (id int PRIMARY KEY, home int, area text, age int, "Re gion" text, income numeric(8,2), wealth float8, born date, job text);
CREATE TABLE labels (job text, branch text);
\set recodes '{"age": {"width": 5, "as": "lower"}, "Re gion": {"prefix": 2}, "income": {"top": 2000, "replace": "threshold"}, "wealth": {"top_percent": 10, "replace": "mean"}, "born": {"trunc": "year"}, "job": {"table": "labels", "level": 1}}'
\set ranges '{"age": {"width": 5}, "Re gion": {"prefix": 2}, "income": {"top": 2000, "replace": "threshold"}, "wealth": {"top_percent": 10, "replace": "mean"}, "born": {"trunc": "year", "as": "range"}, "job": {"table": "labels", "level": 1}}'

-- The same by hand.  Threshold and mean are those of the first night, and so are labels, whatever their table has by then.
CREATE TABLE by_hand (id int PRIMARY KEY, home int, area text, age int, "Re gion" text, income numeric(8,2), wealth float8, born date, job text);
CREATE TABLE in_ranges (id int PRIMARY KEY, home int, area text, age int4range, "Re gion" text, income numeric(8,2), wealth float8, born daterange, job text);
CREATE TABLE coded AS SELECT threshold, (SELECT avg(wealth::numeric)::float8 FROM source_of(1) WHERE wealth > threshold) AS mean FROM (SELECT percentile_disc(0.9) WITHIN GROUP (ORDER BY wealth) AS threshold FROM source_of(1)) AS t;
CREATE PROCEDURE begin(night int) LANGUAGE sql AS $$
	TRUNCATE person, by_hand, in_ranges, labels;
	INSERT INTO person SELECT * FROM source_of(night);
	INSERT INTO labels VALUES ('cook', CASE WHEN night = 1 THEN 'food' ELSE 'others' END), ('clerk', 'office'), ('nurse', 'care');
	INSERT INTO by_hand SELECT id, home, area, floor(age / 5.0)::int * 5, left("Re gion", 2) || '*', CASE WHEN income > 2000 THEN 2000 ELSE income END, CASE WHEN wealth > threshold THEN mean ELSE wealth END, date_trunc('year', born), CASE job WHEN 'cook' THEN 'food' WHEN 'clerk' THEN 'office' ELSE 'care' END FROM person, coded;
	INSERT INTO in_ranges SELECT id, home, area, CASE WHEN age IS NOT NULL THEN int4range(age, age + 5) END, "Re gion", income, wealth, daterange(born, (born + interval '1 year')::date), job FROM by_hand;
$$;
-- rounded rounds the numbers of a row: in which order records are added up is not said.
CREATE FUNCTION rounded(r jsonb) RETURNS jsonb LANGUAGE sql AS $$
	SELECT jsonb_object_agg(key, CASE jsonb_typeof(value) WHEN 'number' THEN to_jsonb(round((value #>> '{}')::numeric, 6)) ELSE value END) FROM jsonb_each(r)
$$;
-- found tells who is found in a release by some columns; joint what copies of its nights tell together.
CREATE FUNCTION found(release regclass, known name[]) RETURNS text LANGUAGE sql AS $$
	SELECT string_agg(concat_ws(' ', p.attack, p.found, p.single, p.certain), ', ') || (SELECT string_agg(format('%s', d), ', ' ORDER BY d) FROM sdc_record_risk(release, known) AS d) FROM sdc_people_found(release, known) AS p
$$;
CREATE FUNCTION joint(releases regclass[], source regclass, known name[], swapped boolean) RETURNS text LANGUAGE sql AS $$
	SELECT CASE WHEN swapped THEN (SELECT rounded(to_jsonb(c))::text FROM sdc_private.composition(releases, known, NULL, NULL) AS c) ELSE '' END || (SELECT string_agg(rounded(to_jsonb(l) - 'release')::text, ', ' ORDER BY array_position(releases, l.release), attack) FROM sdc_link_releases(releases, known, ARRAY[source], 12, '{area}') AS l)
		|| (SELECT string_agg(rounded(to_jsonb(c))::text, ', ' ORDER BY attribute, side) FROM sdc_compare_releases(releases[1], releases[3], known, ARRAY[source], true, 12) AS c)
$$;
-- twin runs nights of both: how many records differ, what the reports say, who is found, and what is found of the first, a middle and the last night together.
CREATE PROCEDURE twin(hand text, recodes jsonb, step jsonb, nights int, arguments text, INOUT differing bigint, INOUT reports boolean, INOUT kept bigint, INOUT people boolean, INOUT links boolean, INOUT history boolean) LANGUAGE plpgsql AS $$
DECLARE
	known name[] := ARRAY(SELECT c FROM unnest('{age,Re gion,income,wealth,born,job}'::name[]) AS c WHERE strpos(step::text, '"' || c || '"') > 0 ORDER BY c);
	-- missing codes stay where they are: no window is known of their column
	ranked name[] := array_remove(known, 'income');
	call text := 'SELECT jsonb_agg(to_jsonb(r) - ''release'' - ''changed'' - ''changed_percent'' ORDER BY attribute) FROM sdc_protect(%L, %L, target => %L, seed => 7, keep => %L, missing => ''{"income": [-9]}''%s) AS r WHERE attribute = ANY (%L)';
	beside name[] := ARRAY(SELECT c FROM jsonb_object_keys(recodes) AS c WHERE c <> ALL (known));
	kept_columns name[] := CASE WHEN arguments ~ 'home' THEN '{area}' ELSE '{home,area}' END::name[];
	one jsonb;
	other jsonb;
	n bigint;
BEGIN
	DROP TABLE IF EXISTS one, other, one_1, one_2, other_1, other_2 CASCADE;
	differing := 0; reports := true; kept := 0; people := true; links := true;
	FOR night IN 1 .. nights LOOP
		CALL begin(night);
		EXECUTE format(call, 'person', jsonb_build_array(jsonb_build_object('method', 'recode', 'recodes', recodes), step), 'recoded_continued.one', kept_columns, arguments, known) INTO one;
		EXECUTE format(call, hand, jsonb_build_array(step), 'recoded_continued.other', kept_columns || beside, arguments, known) INTO other;
		reports := reports AND one = other;
		kept := kept + (one #>> '{0,kept}')::bigint;
		SELECT count(*) INTO n FROM (SELECT to_jsonb(o) AS r FROM one AS o) AS o FULL JOIN (SELECT to_jsonb(o) AS r FROM other AS o) AS t USING (r) WHERE o.r IS NULL OR t.r IS NULL;
		differing := differing + n;
		people := people AND found('one', known) = found('other', known);
		IF night IN (1, nights / 2) THEN
			EXECUTE format('CREATE TABLE %1$I AS TABLE one; CREATE TABLE %2$I AS TABLE other; ALTER TABLE %1$I ADD PRIMARY KEY (id); ALTER TABLE %2$I ADD PRIMARY KEY (id)', 'one_' || least(night, 2), 'other_' || least(night, 2));
		END IF;
	END LOOP;
	links := (SELECT jsonb_agg(to_jsonb(d) ORDER BY d.attack, d.known) FROM sdc_disclosure_risk('one', known) AS d) = (SELECT jsonb_agg(to_jsonb(d) ORDER BY d.attack, d.known) FROM sdc_disclosure_risk('other', known) AS d);
	history := joint('{one_1,one_2,one}', 'person', ranked, step ->> 'method' ~ 'rankswap' AND arguments !~ 'home') = joint('{other_1,other_2,other}', hand::regclass, ranked, step ->> 'method' ~ 'rankswap' AND arguments !~ 'home');
END
$$;
CREATE TABLE result (no int GENERATED ALWAYS AS IDENTITY, hand text, arguments text, step jsonb, differing bigint, reports boolean, kept bigint, people boolean, links boolean, history boolean);
CREATE PROCEDURE twins(hand text, recodes jsonb, steps jsonb, nights int, arguments text) LANGUAGE plpgsql AS $$
DECLARE
	step jsonb;
	r result;
BEGIN
	FOR step IN SELECT s FROM jsonb_array_elements(steps) AS s LOOP
		CALL twin(hand, recodes, step || '{"continued": true}', nights, arguments, r.differing, r.reports, r.kept, r.people, r.links, r.history);
		INSERT INTO result (hand, arguments, step, differing, reports, kept, people, links, history) VALUES (hand, arguments, step, r.differing, r.reports, r.kept, r.people, r.links, r.history);
	END LOOP;
END
$$;
\set steps '[{"method": "rankswap", "columns": ["age", "income", "wealth"], "p": 12, "min_changes": 4, "min_departures": 6}, {"method": "rankswap_distribution", "columns": ["age", "born"], "p": 12, "min_changes": 3, "min_departures": 3}, {"method": "rankswap_buckets", "columns": ["wealth", "job"], "buckets": 12, "min_changes": 4, "min_departures": 5}, {"method": "randomize", "qi": ["age", "Re gion", "job"], "draws": 1}, {"method": "pram", "columns": ["age", "job"], "retain": 0.7}, {"method": "pram", "columns": ["job"], "matrices": {"job": {"values": ["care", "food", "office"], "p": [[0.6, 0.3, 0.1], [0.2, 0.7, 0.1], [0, 0.1, 0.9]]}}}, {"method": "noise", "columns": ["income", "wealth"], "amount": 0.3}, {"method": "noise", "columns": ["income", "wealth"], "amount": 0.3, "scheme": "multiplicative"}]'
CALL twins('by_hand', :'recodes', :'steps', 6, '');
CALL twins('in_ranges', :'ranges', jsonb_path_query_array(:'steps', '$[0 to 5]'), 4, '');
CALL twins('by_hand', :'recodes', jsonb_path_query_array(:'steps', '$[0, 4]'), 4, ', strata => ''{area}''');
CALL twins('by_hand', :'recodes', jsonb_path_query_array(:'steps', '$[0, 1, 3, 4]'), 5, ', unit => ''{home}''');
SELECT no, hand, arguments, step ->> 'method' AS method, differing, reports, kept, people, links, history FROM result ORDER BY no;

--
-- A recoding alone draws nothing, and keeps its rule all the same: as a function, as a step, and with units.
--
CREATE PROCEDURE alone(recodes jsonb, nights int, OUT differing bigint, OUT steps bigint, OUT units bigint) LANGUAGE plpgsql AS $$
DECLARE
	n bigint[];
BEGIN
	differing := 0; steps := 0; units := 0;
	FOR night IN 1 .. nights LOOP
		CALL begin(night);
		PERFORM sdc_recode('person', recodes, target => 'recoded_continued.alone', keep => '{home,area}', replace => night > 1, continued => true);
		PERFORM sdc_protect('person', jsonb_build_array(jsonb_build_object('method', 'recode', 'recodes', recodes, 'continued', true)), 'recoded_continued.alone_step', keep => '{home,area}', replace => night > 1);
		PERFORM sdc_recode('person', recodes, target => 'recoded_continued.alone_units', keep => '{area}', replace => night > 1, continued => true, unit => '{home}');
		SELECT array_agg(d.n ORDER BY d.o) INTO n FROM (SELECT 1 AS o, count(*) AS n FROM (TABLE by_hand EXCEPT TABLE alone) AS e UNION ALL SELECT 2, count(*) FROM (TABLE by_hand EXCEPT TABLE alone_step) AS e
			UNION ALL SELECT 3, count(*) FROM by_hand AS h FULL JOIN alone_units AS u USING (id) WHERE to_jsonb(h) - '{home}'::text[] IS DISTINCT FROM to_jsonb(u) - '{home}'::text[]) AS d;
		differing := differing + n[1]; steps := steps + n[2]; units := units + n[3];
	END LOOP;
END
$$;
CALL alone(:'recodes', 6, NULL, NULL, NULL);
SELECT count(*) AS records, count(*) FILTER (WHERE wealth = mean) > 0 AS coded, max(wealth) = max(mean) AS mean FROM alone, coded;
-- without it the mean is that of the night
SELECT count(*) FROM sdc_recode('person', :'recodes', target => 'recoded_continued.once', keep => '{home,area}');
SELECT count(*) > 0 AS differ FROM once AS o JOIN alone AS a USING (id) WHERE o.wealth <> a.wealth;
SELECT helper.catch(format('SELECT sdc_recode(''person'', %L, target => ''recoded_continued.alone'', keep => ''{home,area}'', replace => true, continued => true)', jsonb_set(:'recodes', '{age,width}', '10')));
SELECT helper.catch(format('SELECT sdc_recode(''person'', %L, target => ''recoded_continued.once'', keep => ''{home,area}'', replace => true, continued => true)', :'recodes'));
SELECT helper.catch(format('SELECT sdc_recode(''person'', %L, target => ''recoded_continued.never'', continued => NULL)', :'recodes'));
DROP TABLE alone, alone_step, alone_units, once;

--
-- The rule is that of the first night, whatever the source and the table with labels have by now.
--
CREATE FUNCTION night(recodes jsonb, step jsonb) RETURNS SETOF jsonb LANGUAGE sql AS $$
	SELECT to_jsonb(r) FROM sdc_protect('person', jsonb_build_array(jsonb_build_object('method', 'recode', 'recodes', recodes), step || '{"continued": true}'), target => 'recoded_continued.nightly', keep => '{}', omit => '{home,area,born,"Re gion"}', seed => 7) AS r WHERE r.action = 'protected'
$$;
\set coded '{"wealth": {"top_percent": 10, "replace": "mean"}, "job": {"table": "labels", "level": 1}, "age": {"width": 5}}'
\set swap '{"method": "rankswap", "columns": ["wealth", "income"], "p": 12, "min_changes": 4, "min_departures": 6}'
CALL begin(1);
SELECT count(*) FROM night(:'coded', :'swap');
-- nothing has changed: the release is not written, though values beyond the threshold are others, and so is the table
SELECT pg_relation_filenode('nightly') AS node, (SELECT parameters #> '{steps,0}' FROM sdc_releases WHERE release = 'nightly'::regclass) AS law \gset
UPDATE person SET wealth = wealth + 1 WHERE wealth > (SELECT threshold FROM coded);
TRUNCATE labels;
INSERT INTO labels VALUES ('cook', 'none'), ('clerk', 'none'), ('nurse', 'none');
SELECT count(*) FROM night(:'coded', :'swap');
SELECT pg_relation_filenode('nightly') = :node AS not_written, (SELECT parameters #> '{steps,0}' FROM sdc_releases WHERE release = 'nightly'::regclass) = :'law' AS law;
SELECT count(*) > 0 AS measured FROM sdc_people_found('nightly');
-- a column that is recoded and nothing else follows the source at once, and is what its rule says
UPDATE person SET job = 'nurse' WHERE id < 20;
UPDATE person SET age = age + 10 WHERE id < 20;
DELETE FROM person WHERE id = 30;
INSERT INTO person SELECT 900, home, area, age, "Re gion", income, wealth, born, job FROM person WHERE id = 33;
CREATE TABLE reported AS SELECT j ->> 'attribute' AS attribute, (j ->> 'changed')::bigint AS changed, (j ->> 'records')::bigint AS records FROM night(:'coded', :'swap') AS j;
SELECT count(*) AS other FROM nightly AS n JOIN person AS p USING (id) WHERE n.job <> CASE p.job WHEN 'cook' THEN 'food' WHEN 'clerk' THEN 'office' ELSE 'care' END OR n.age <> int4range(p.age / 5 * 5, p.age / 5 * 5 + 5);
-- who waits is not counted
SELECT attribute, changed = CASE attribute WHEN 'age' THEN (SELECT count(age) FROM person WHERE id < 900) WHEN 'job' THEN (SELECT count(*) FROM person WHERE id < 900) ELSE (SELECT count(*) FROM nightly AS n JOIN person AS p USING (id) WHERE CASE attribute WHEN 'wealth' THEN n.wealth <> p.wealth ELSE n.income <> p.income END) END AS changed, records = (SELECT count(*) - 1 FROM person) AS records FROM reported ORDER BY 1;
-- another rule, one rule more or less, another type: one error, before any work
UPDATE person SET job = 'cook' WHERE id = 1;
SELECT r, helper.catch(format('SELECT night(%L, %L)', r, s)) FROM unnest(ARRAY[jsonb_set(:'coded', '{wealth,top_percent}', '11'), jsonb_set(:'coded', '{age,width}', '10'), :'coded'::jsonb - 'age', :'coded'::jsonb - 'wealth', :'coded'::jsonb || '{"income": {"top": 5000, "replace": "threshold"}}']) AS r, (SELECT :'swap' AS s) AS s;
ALTER TABLE person ALTER age TYPE bigint;
SELECT helper.catch(format('SELECT night(%L, %L)', :'coded', :'swap'));
ALTER TABLE person ALTER age TYPE int;
-- a value that had no label on the first night
UPDATE person SET job = 'smith' WHERE id = 1;
INSERT INTO labels VALUES ('smith', 'none');
\set VERBOSITY default
SELECT count(*) FROM night(:'coded', :'swap');
\set VERBOSITY terse
UPDATE person SET job = 'cook' WHERE id = 1;
-- columns of other names are the same ones
ALTER TABLE person RENAME job TO profession;
ALTER TABLE person RENAME wealth TO riches;
SELECT count(*) FROM night(replace(replace(:'coded', '"job"', '"profession"'), '"wealth"', '"riches"')::jsonb, replace(:'swap', '"wealth"', '"riches"')::jsonb);
SELECT count(*) FROM night(replace(replace(:'coded', '"job"', '"profession"'), '"wealth"', '"riches"')::jsonb, replace(:'swap', '"wealth"', '"riches"')::jsonb);
SELECT parameters #> '{steps,0,found,riches}' = :'law'::jsonb #> '{found,wealth}' AS found, parameters #> '{steps,0,tables,profession}' = :'law'::jsonb #> '{tables,job}' AS labels FROM sdc_releases WHERE release = 'nightly'::regclass;
ALTER TABLE person RENAME profession TO job;
ALTER TABLE person RENAME riches TO wealth;
-- a threshold of a percentage needs values on the first night; groups of averages and suppressed values cannot be continued
DROP TABLE nightly;
TRUNCATE person;
SELECT helper.catch(format('SELECT night(%L, %L)', :'coded', :'swap'));
SELECT helper.catch($$SELECT * FROM sdc_protect('person', '[{"method": "recode", "recodes": {"age": {"width": 5}}}, {"method": "rankswap", "columns": ["wealth"], "p": 5, "continued": true}, {"method": "suppress", "qi": ["age"], "k": 3}]', target => 'recoded_continued.no')$$);

-- weighted totals are compared with those of the source, for who is shown
CREATE TABLE weighed AS SELECT id, income, age, 1.0 + id % 4 AS w FROM source_of(1) WHERE id < 140;
ALTER TABLE weighed ADD PRIMARY KEY (id);
CREATE FUNCTION weigh() RETURNS TABLE (attribute name, weighted boolean) LANGUAGE plpgsql AS $$
BEGIN
	CREATE TEMP TABLE told ON COMMIT DROP AS SELECT t.attribute, t.weighted_change_percent FROM sdc_protect('weighed', '[{"method": "recode", "recodes": {"income": {"top": 1000, "replace": "threshold"}, "age": {"width": 5, "as": "lower"}}}, {"method": "noise", "columns": ["income"], "amount": 0.2, "continued": true}]', weight => 'w', missing => '{"income": [-9]}', target => 'recoded_continued.weighed_public', seed => 3) AS t WHERE t.attribute IN ('age', 'income');
	RETURN QUERY SELECT r.attribute, abs(weighted_change_percent - (SELECT 100 * (sum(s.w * CASE r.attribute WHEN 'age' THEN o.age ELSE o.income END) / sum(s.w * CASE r.attribute WHEN 'age' THEN s.age ELSE s.income END) - 1) FROM weighed AS s JOIN weighed_public AS o USING (id) WHERE r.attribute = 'age' OR s.income > 0)) < 1e-6 FROM told AS r ORDER BY 1;
END
$$;
SELECT * FROM weigh();
INSERT INTO weighed SELECT id, income, age, 7 FROM source_of(1) WHERE id >= 140;
UPDATE weighed SET income = 5000 WHERE id < 30;
SELECT * FROM weigh();

--
-- A policy: what its nights tell together is judged by what values were recoded to.
--
CALL begin(1);
SELECT sdc_policy_set('recoding', 'person', '[{"method": "recode", "recodes": {"age": {"width": 5, "as": "lower"}, "wealth": {"top_percent": 10, "replace": "mean"}}}, {"method": "rankswap", "columns": ["age", "wealth"], "p": 12, "continued": true, "min_changes": 4, "min_departures": 6}]', 'recoded_continued.public_one',
	keep => '{}', omit => '{home,area,born,"Re gion",job,income}', limits => '{"people_found": 100, "composed_people_found": 100, "exposed": 100}', history => 3);
CALL sdc_run('recoding');
CALL begin(2);
CALL sdc_run('recoding');
CALL begin(3);
CALL sdc_run('recoding');
SELECT status, reason, (measures #>> '{judged,composed_people_found}')::float8 > 0 AS composed FROM sdc_runs WHERE policy = 'recoding' ORDER BY run;
SELECT count(*) AS shown, count(*) FILTER (WHERE p.age % 5 <> 0 OR p.wealth > coded.mean) AS finer FROM public_one AS p, coded;
SELECT sdc_withdraw('public_one', 'over');
SELECT sdc_policy_drop('recoding');
-- and a policy that only recodes
CALL begin(1);
SELECT sdc_policy_set('coarser', 'person', '[{"method": "recode", "recodes": {"age": {"width": 5, "as": "lower"}, "wealth": {"top_percent": 10, "replace": "mean"}}, "continued": true}]', 'recoded_continued.public_two',
	keep => '{}', omit => '{home,area,born,"Re gion",job,income}', limits => '{"people_found": 100}');
CALL sdc_run('coarser');
CALL begin(2);
CALL sdc_run('coarser');
SELECT status, reason FROM sdc_runs WHERE policy = 'coarser' ORDER BY run;
SELECT count(*) AS shown, max(p.wealth) = max(coded.mean) AS first_mean FROM public_two AS p, coded;
SELECT sdc_withdraw('public_two', 'over');
SELECT sdc_policy_drop('coarser');
DROP SCHEMA recoded_continued CASCADE;
