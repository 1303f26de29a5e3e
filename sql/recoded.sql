--
-- recoded
--
-- Columns that are recoded before another step: the release, and who is found, are those of a table that has the recoded
-- values; candidates by their definition in plain SQL; losses are of the values of the source; what leaves.
--
\pset format unaligned
\pset footer off
CREATE SCHEMA recoded;
SET search_path = recoded, public;
SET jit = off;
CREATE TABLE person AS SELECT id, (id + 2) / 3 AS home, (ARRAY['n','s'])[1 + (id + 2) / 3 % 2] AS area, nullif(17 + helper.below(id, 1, 79), 40) AS age, chr(65 + helper.below((id + 2) / 3, 2, 2)) || chr(65 + helper.below((id + 2) / 3, 3, 3)) || helper.below(id, 4, 4) AS "Re gion",
	CASE WHEN id % 17 = 0 THEN -9 WHEN id % 19 = 0 THEN NULL ELSE round((500 * exp(2 * helper.uniform(id, 5)))::numeric, 2) END::numeric(8,2) AS income, round(exp(8 + 3 * helper.uniform(id, 6))) AS wealth, date '1930-01-01' + helper.below(id, 7, 25000) AS born, 1.0 + id % 4 AS w, (ARRAY['cook','clerk','nurse','refused'])[1 + helper.below(id, 8, 4)] AS job FROM generate_series(1, 210) AS id;
ALTER TABLE person ADD PRIMARY KEY (id);
CREATE TABLE labels (job text, branch text);
INSERT INTO labels VALUES ('cook', 'food'), ('clerk', 'office'), ('nurse', 'care');
\set recodes '{"age": {"width": 5, "as": "lower"}, "Re gion": {"prefix": 2}, "income": {"top": 2500, "replace": "threshold"}, "wealth": {"top_percent": 10, "replace": "mean"}, "born": {"trunc": "year"}, "job": {"table": "labels", "level": 1}}'
\set ranges '{"age": {"width": 5}, "Re gion": {"prefix": 2}, "income": {"top": 2500, "replace": "threshold"}, "wealth": {"top_percent": 10, "replace": "mean"}, "born": {"trunc": "year", "as": "range"}, "job": {"table": "labels", "level": 1}}'

--
-- The same by hand.
--
CREATE TABLE by_hand AS SELECT id, home, area, floor(age / 5.0)::int * 5 AS age, left("Re gion", 2) || '*' AS "Re gion", least(income, CASE WHEN income IS NOT NULL THEN 2500 END)::numeric(8,2) AS income,
	CASE WHEN wealth > threshold THEN (SELECT avg(o.wealth::numeric)::float8 FROM person AS o WHERE o.wealth > threshold) ELSE wealth END AS wealth, date_trunc('year', born)::date AS born, w, coalesce(branch, p.job) AS job
FROM (SELECT percentile_disc(0.9) WITHIN GROUP (ORDER BY wealth) AS threshold FROM person) AS t, person AS p LEFT JOIN labels USING (job);
ALTER TABLE by_hand ADD PRIMARY KEY (id);
CREATE TABLE in_ranges AS SELECT id, home, area, int4range(age, age + 5) AS age, "Re gion", income, wealth, daterange(born, (born + interval '1 year')::date) AS born, w, job FROM by_hand;
UPDATE in_ranges SET age = NULL WHERE id IN (SELECT id FROM person WHERE age IS NULL);
ALTER TABLE in_ranges ADD PRIMARY KEY (id);
-- found tells who is found in a release by some columns, and how they are linked.
CREATE FUNCTION found(release regclass, known name[]) RETURNS text LANGUAGE sql AS $$
	SELECT string_agg(concat_ws(' ', p.attack, p.found, p.single, p.certain), ', ') || (SELECT string_agg(format('%s', d), ', ' ORDER BY d) FROM sdc_record_risk(release, known) AS d) FROM sdc_people_found(release, known) AS p
$$;
-- links are those by distance, by agreement and by rank, of values that have numbers.
CREATE FUNCTION links(release regclass, known name[]) RETURNS text LANGUAGE sql AS $$
	SELECT string_agg(concat_ws(' ', d.attack, d.known, d.linked), ', ' ORDER BY d.attack, d.known) FROM sdc_disclosure_risk(release, known) AS d
$$;
-- twin compares a release of a recoding and a step with that of the step by hand.
CREATE FUNCTION twin(hand text, recodes text, step text, arguments text, OUT differing bigint, OUT people text, OUT links text) LANGUAGE plpgsql AS $$
DECLARE
	known name[] := ARRAY(SELECT c FROM unnest('{age,Re gion,income,wealth,born,job}'::name[]) AS c WHERE strpos(step, '"' || c || '"') > 0 ORDER BY c);
	all_of text := ', target => %L, seed => 7, keep => %L, missing => ''{"income": [-9], "job": ["refused"]}''';
	errors text;
BEGIN
	DROP TABLE IF EXISTS one, other CASCADE;
	people := helper.catch(format('SELECT sdc_protect(''person'', %L' || all_of || '%s)', jsonb_build_array(jsonb_build_object('method', 'recode', 'recodes', recodes::jsonb), step::jsonb), 'recoded.one', '{}', arguments));
	errors := helper.catch(format('SELECT sdc_protect(%L, %L' || all_of || '%s)', hand, jsonb_build_array(step::jsonb), 'recoded.other', ARRAY(SELECT c FROM jsonb_object_keys(recodes::jsonb) AS c WHERE c <> ALL (known)), arguments));
	IF people <> 'no error' OR errors <> 'no error' THEN
		links := CASE WHEN replace(people, 'steps[1]', 'steps[0]') = errors THEN 'the same error' ELSE errors END;
		RETURN;
	END IF;
	SELECT count(*) INTO differing FROM (SELECT to_jsonb(o) AS r FROM one AS o) AS o FULL JOIN (SELECT to_jsonb(o) AS r FROM other AS o) AS t USING (r) WHERE o.r IS NULL OR t.r IS NULL;
	people := (found('one', known) = found('other', known))::text;
	known := array(SELECT c FROM unnest(known) AS c WHERE c IN ('age', 'income', 'wealth', 'born') AND hand <> 'in_ranges');
	links := CASE WHEN known <> '{}' AND step !~ 'permute|generalize|record_swap' THEN (links('one', known) = links('other', known))::text END;
END
$$;
CREATE TABLE step AS SELECT s->>'method' AS method, s FROM jsonb_array_elements('[{"method": "rankswap", "columns": ["age", "income", "wealth"], "p": 8}, {"method": "rankswap", "columns": ["Re gion", "born", "job"], "p": 15}, {"method": "rankswap_distribution", "columns": ["age", "income"], "p": 8}, {"method": "rankswap_buckets", "columns": ["age", "wealth"], "buckets": 20},
	{"method": "equidepth_swap", "columns": ["age", "income"], "depth": 10}, {"method": "equiwidth_swap", "columns": ["age", "wealth"], "intervals": 10}, {"method": "randomize", "qi": ["age", "Re gion", "job"], "draws": 1}, {"method": "pram", "columns": ["age", "job"], "retain": 0.7},
	{"method": "pram", "columns": ["job"], "matrices": {"job": {"values": ["care", "food", "office"], "p": [[0.6, 0.3, 0.1], [0.2, 0.7, 0.1], [0, 0.1, 0.9]]}}}, {"method": "noise", "columns": ["income", "wealth"], "amount": 0.3}, {"method": "noise", "columns": ["income", "wealth"], "amount": 0.3, "scheme": "multiplicative"},
	{"method": "microaggregate", "columns": ["wealth", "born"], "k": 5}, {"method": "microaggregate", "columns": ["wealth"], "k": 3}, {"method": "generalize", "qi": ["age", "wealth"], "k": 5}, {"method": "generalize", "qi": ["age", "Re gion"], "sensitive": ["job"], "l": 2},
	{"method": "generalize", "qi": ["age", "Re gion"], "k": 5, "hierarchies": {"Re gion": {"prefix": [1]}}}, {"method": "generalize", "qi": ["job", "Re gion"], "k": 5, "scheme": "lattice", "hierarchies": {"Re gion": {"prefix": [1]}}}, {"method": "permute", "qi": ["age"], "sensitive": ["job"], "l": 2, "force": true},
	{"method": "permutation_swap", "columns": ["Re gion", "age"], "rate": 50}, {"method": "record_swap", "areas": ["Re gion"], "risk": ["age"], "k": 3, "rate": 5}, {"method": "suppress", "qi": ["age", "Re gion"], "k": 3}]') AS s;
SELECT method, t.* FROM step, twin('by_hand', :'recodes', s::text, '') AS t;
SELECT method, t.* FROM step, twin('in_ranges', :'ranges', s::text, '') AS t;
-- by strata
SELECT method, t.* FROM step, twin('by_hand', :'recodes', s::text, ', strata => ''{area}''') AS t;
-- by units, some of whose columns have one value when they are recoded
SELECT method, t.* FROM step, twin('by_hand', :'recodes', s::text, ', unit => ''{home}''') AS t;
SELECT count(*) FILTER (WHERE before > 1) > 0 AS several_before, max(after) AS after FROM (SELECT count(DISTINCT p."Re gion") AS before, count(DISTINCT h."Re gion") AS after FROM person AS p JOIN by_hand AS h USING (id) GROUP BY p.home) AS u;
SELECT attribute, level FROM sdc_protect('person', jsonb_build_array(jsonb_build_object('method', 'recode', 'recodes', '{"Re gion": {"prefix": 2}}'::jsonb), '{"method": "pram", "columns": ["Re gion"], "retain": 0.6}'::jsonb), unit => '{home}', keep => '{}', target => 'recoded.units', seed => 1) WHERE action = 'protected';
SELECT max(n) FROM (SELECT count(DISTINCT u."Re gion") AS n FROM units AS u JOIN person AS p USING (id) GROUP BY p.home) AS u;
-- with weights: totals are compared with those of the source
SELECT method, t.* FROM step, twin('by_hand', :'recodes', s::text, ', weight => ''w''') AS t WHERE method IN ('rankswap', 'noise');
CREATE TABLE report AS SELECT * FROM sdc_protect('person', '[{"method": "recode", "recodes": {"income": {"top": 1000, "replace": "threshold"}}}, {"method": "noise", "columns": ["income"], "amount": 0.2}]', weight => 'w', keep => '{}', missing => '{"income": [-9]}', target => 'recoded.weighted', seed => 3);
SELECT abs(weighted_change_percent - (SELECT 100 * (sum(p.w * r.income) / sum(p.w * p.income) - 1) FROM person AS p JOIN weighted AS r USING (id) WHERE p.income > 0)) < 1e-6 AS weighted, changed = (SELECT count(*) FROM person AS p JOIN weighted AS r USING (id) WHERE p.income <> r.income) AS changed, missing FROM report WHERE attribute = 'income';

--
-- Who is found, by the definition: the law of the second step at what the recoding has made of a record.
--
-- made makes a release of the income, recoded, and a step.
CREATE FUNCTION made(step text) RETURNS regclass LANGUAGE plpgsql AS $$
BEGIN
	DROP TABLE IF EXISTS one CASCADE;
	PERFORM sdc_protect('person', jsonb_build_array('{"method": "recode", "recodes": {"income": {"top": 2500, "replace": "threshold"}, "age": {"width": 5, "as": "lower"}}}'::jsonb, step::jsonb), target => 'recoded.one', seed => 7, keep => '{}', omit => '{job,born,w,home,area,"Re gion",wealth}');
	RETURN 'recoded.one'::regclass;
END
$$;
-- defined counts by a law, NULL where a record is no candidate: x is a record with recoded values, y a released one, n the records with a value.
CREATE FUNCTION defined(law text, OUT candidates numeric, OUT certain bigint, OUT nearest numeric) LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format($f$
		WITH n AS (SELECT count(income) AS n FROM by_hand), share AS (SELECT income, count(*)::float8 / sum(count(*)) OVER () AS p FROM by_hand WHERE income IS NOT NULL GROUP BY 1), aged AS (SELECT age, count(*)::float8 / sum(count(*)) OVER () AS q FROM by_hand WHERE age IS NOT NULL GROUP BY 1),
			place AS (SELECT income, min(r) AS first, max(r) AS last FROM (SELECT income, row_number() OVER (ORDER BY income) AS r FROM one WHERE income IS NOT NULL) AS r GROUP BY 1),
			pair AS (SELECT x.id, y.id AS other, %s AS law FROM n, by_hand AS x JOIN one AS y ON (x.income IS NULL) = (y.income IS NULL) LEFT JOIN share AS s ON s.income = y.income LEFT JOIN aged AS a ON a.age = y.age),
			best AS (SELECT id, max(law) AS best, count(law) AS candidates FROM pair GROUP BY 1)
		SELECT round(sum(1.0 / candidates), 6), count(*) FILTER (WHERE candidates = 1), (SELECT round(sum(share), 6) FROM (SELECT max((p.id = other)::int)::numeric / count(*) AS share FROM pair AS p JOIN best AS b USING (id) WHERE law >= best - 1e-9 GROUP BY p.id) AS t) FROM best
	$f$, law) INTO candidates, certain, nearest;
END
$$;
CREATE FUNCTION told(known name[], OUT candidates numeric, OUT certain bigint, OUT nearest numeric) LANGUAGE sql AS $$
	SELECT round(min(p.found) FILTER (WHERE attack = 'candidates')::numeric, 6), min(p.certain) FILTER (WHERE attack = 'candidates'), round(min(p.found) FILTER (WHERE attack = 'nearest')::numeric, 6) FROM sdc_people_found('one', known) AS p
$$;
-- known: also who has which age, as it was copied or recoded
SELECT made('{"method": "rankswap", "columns": ["income"], "p": 10}');
SELECT t, t.candidates = d.candidates AND t.certain = d.certain AS same FROM told('{income,age}') AS t, defined('CASE WHEN x.age IS NOT DISTINCT FROM y.age AND (x.income IS NULL OR CASE WHEN x.income = y.income THEN 0 WHEN y.income > x.income THEN (SELECT min(first) FROM place WHERE place.income >= y.income) - (SELECT coalesce(max(last), 0) FROM place WHERE place.income <= x.income) ELSE (SELECT coalesce(min(first), (SELECT max(last) FROM place) + 1) FROM place WHERE place.income >= x.income) - (SELECT max(last) FROM place WHERE place.income <= y.income) END <= greatest(1, floor(n * 0.1 + 0.5))) THEN 0 END') AS d;
SELECT made('{"method": "noise", "columns": ["income"], "amount": 0.4}');
SELECT t, t = d AS same FROM told('{income}') AS t, defined('coalesce(-abs(y.income - x.income), 0)') AS d;
SELECT made('{"method": "pram", "columns": ["income"], "retain": 0.6}');
SELECT t, t = d AS same FROM told('{income,age}') AS t, defined('CASE WHEN x.age IS NOT DISTINCT FROM y.age THEN coalesce(ln(0.6 * (x.income = y.income)::int + 0.4 * p), 0) END') AS d;
SELECT made('{"method": "randomize", "qi": ["income", "age"], "draws": 1}');
SELECT t, t.nearest = d.nearest AS same FROM told('{income,age}') AS t, defined('CASE WHEN (x.age IS NULL) = (y.age IS NULL) AND coalesce((x.age IS NOT DISTINCT FROM y.age)::int * p, 0) + coalesce((x.income IS NOT DISTINCT FROM y.income)::int * q, 0) > 0 THEN ln((x.age IS NOT DISTINCT FROM y.age)::int * coalesce(p, 1) + (x.income IS NOT DISTINCT FROM y.income)::int * coalesce(q, 1)) END') AS d;
SELECT made('{"method": "microaggregate", "columns": ["income"], "k": 4}');
SELECT t, t.candidates = d.candidates AND t.certain = d.certain AS same FROM told('{income}') AS t, defined('CASE WHEN NOT EXISTS (SELECT FROM place WHERE income > least(x.income, y.income) AND income < greatest(x.income, y.income)) THEN 0 END') AS d;
-- its groups are those of recoded values: own and candidates of a table
SELECT k, (SELECT min(count) FROM (SELECT count(*) FROM one GROUP BY income) AS g) = k AS own FROM sdc_kanonymity('one', '{income}');

--
-- Losses are of the values of the source.  What somebody wants to learn is one of them, too.
--
SELECT count(*) FROM sdc_protect('person', '[{"method": "recode", "recodes": {"income": {"top": 2500, "replace": "threshold"}, "wealth": {"top_percent": 10, "replace": "mean"}, "age": {"width": 5}}}, {"method": "microaggregate", "columns": ["wealth", "income"], "k": 4}, {"method": "pram", "columns": ["age"], "retain": 0.8}]', keep => '{job}', target => 'recoded.lossy', seed => 1);
CREATE TABLE elsewhere AS SELECT * FROM lossy;
SELECT sdc_register('person', 'elsewhere', '{wealth,income}', '{id}');
SELECT to_jsonb(a) = to_jsonb(b) AS loss FROM sdc_information_loss('lossy'::regclass) AS a, sdc_information_loss('elsewhere'::regclass) AS b;
SELECT to_jsonb(a) = to_jsonb(b) AS statistics FROM (SELECT jsonb_agg(s ORDER BY s) FROM sdc_statistic_errors('lossy') AS s) AS a, (SELECT jsonb_agg(s ORDER BY s) FROM sdc_statistic_errors('elsewhere') AS s) AS b;
SELECT a.il = b.il AS il, a.interval_disclosure = b.interval_disclosure AS intervals, a.dld > b.dld AS closer FROM sdc_score('lossy') AS a, sdc_score('elsewhere') AS b;
SELECT measures #>> '{score,il}' = (SELECT il::text FROM sdc_score('lossy')) AS il, measures #>> '{people,best,found}' = (SELECT found::text FROM sdc_people_found('lossy') WHERE attack = 'best') AS found, (measures #>> '{score,dld}')::float8 = (SELECT dld FROM sdc_score('lossy')) AS dld FROM sdc_evaluate('lossy');
SELECT made('{"method": "pram", "columns": ["income"], "retain": 0.6}');
-- the age tells a group of records, and of these the income
SELECT a.matched, abs(a.cap - d.cap) < 1e-9 AS cap FROM sdc_attribute_risk('one', '{age}', '{income}') AS a, (SELECT avg(n) AS cap FROM (SELECT (SELECT count(*) FILTER (WHERE y.income IS NOT DISTINCT FROM s.income)::float8 / count(*) FROM one AS y WHERE y.age IS NOT DISTINCT FROM x.age) AS n FROM by_hand AS x JOIN person AS s USING (id)) AS c) AS d;
-- ranges that were made of recoded values need have none of the source
SELECT count(*) FROM sdc_protect('person', '[{"method": "recode", "recodes": {"wealth": {"top_percent": 30, "replace": "mean"}, "age": {"width": 20, "origin": 3, "as": "lower"}}}, {"method": "generalize", "qi": ["wealth", "age"], "k": 10}]', keep => '{job}', target => 'recoded.ranges');
SELECT attributes, mean_error BETWEEN 0 AND 10 AS error FROM sdc_query_errors('ranges', 50, 1, '{wealth,age}', '{job}');
SELECT count(*) FROM sdc_evaluate('ranges');

--
-- A sweep with a recoding first: each row is what the release with the same seed scores.
--
CREATE FUNCTION swept(method text, parameter text, list float8[], recodes jsonb, fixed jsonb, arguments text, OUT tried int, OUT people int, OUT losses int, OUT scores int, OUT differ int) LANGUAGE plpgsql AS $$
DECLARE
	t record;
	e record;
	of_qi boolean := method IN ('randomize', 'suppress', 'generalize');
	named text := ', ' || CASE WHEN of_qi THEN 'qi' ELSE 'columns' END || ' => %L, ';
	columns name[] := ARRAY(SELECT jsonb_array_elements_text(fixed -> CASE WHEN of_qi THEN 'qi' ELSE 'columns' END));
	every text := ', omit => ''{area,w}'', keep => ''{}'', seed => 11, missing => ''{"income": [-9], "job": ["refused"]}''' || arguments;
BEGIN
	tried := 0; people := 0; losses := 0; scores := 0; differ := 0;
	FOR t IN EXECUTE format('SELECT * FROM sdc_sweep(''person'', %L, %L' || named || 'parameters => %L, recodes => %L' || every || ')', method, list, columns, fixed - 'qi' - 'columns', recodes)
	LOOP
		EXECUTE format('SELECT count(*) FROM sdc_protect(''person'', %L, target => ''recoded.made''' || every || ')', jsonb_build_array(jsonb_build_object('method', 'recode', 'recodes', recodes), fixed || jsonb_build_object('method', method, parameter, t.parameter)));
		SELECT s.people_found, s.certain_percent, s.il, s.score INTO e FROM sdc_score('recoded.made') AS s;
		tried := tried + 1;
		people := people + (t.people_found > 0)::int;
		losses := losses + (t.il > 0)::int;
		scores := scores + (t.score > 0)::int;
		differ := differ + ((t.people_found, t.certain_percent, t.il, t.score) IS DISTINCT FROM (e.people_found, e.certain_percent, e.il, e.score))::int;
		DROP TABLE made CASCADE;
	END LOOP;
END
$$;
SELECT s.n, s.method, t.* FROM (VALUES (1, 'rankswap', 'p', '{4,15}', :'recodes', '{"columns": ["age", "income", "wealth"]}', ''), (2, 'rankswap', 'p', '{4,15}', :'ranges', '{"columns": ["age", "born", "job"]}', ', strata => ''{home}'''),
	(3, 'rankswap_buckets', 'buckets', '{20,6}', :'recodes', '{"columns": ["income", "job"]}', ''), (4, 'equidepth_swap', 'depth', '{4,12}', :'recodes', '{"columns": ["age", "wealth"]}', ''),
	(5, 'noise', 'amount', '{0.1,0.5}', :'recodes', '{"columns": ["income", "wealth"]}', ''), (6, 'microaggregate', 'k', '{3,8}', :'recodes', '{"columns": ["income", "wealth"], "small": "suppress"}', ''), (7, 'pram', 'retain', '{0.9,0.4}', :'ranges', '{"columns": ["age", "job", "income"]}', ''),
	(8, 'randomize', 'draws', '{1,2}', :'ranges', '{"qi": ["age", "Re gion"]}', ''), (9, 'suppress', 'k', '{2,4}', :'recodes', '{"qi": ["age", "Re gion"]}', ''), (10, 'generalize', 'k', '{3,8}', :'recodes', '{"qi": ["age", "wealth"]}', ''),
	(11, 'rankswap', 'p', '{5,20}', :'recodes', '{"columns": ["wealth"]}', ', unit => ''{home}'''), (12, 'rankswap', 'p', '{5,20}', '{"age": {"width": 20}}', '{"columns": ["wealth"]}', ''), (13, 'noise', 'amount', '{0.2}', '{"age": {"width": 5, "as": "lower"}}', '{"columns": ["age"]}', '')) AS s (n, method, parameter, list, recodes, fixed, arguments), swept(s.method, s.parameter, s.list::float8[], s.recodes::jsonb, s.fixed::jsonb, s.arguments) AS t ORDER BY s.n;
-- weights that stay
SELECT count(*), count(*) FILTER (WHERE il > 0) AS lost FROM sdc_sweep('person', 'rankswap', '{5,20}', columns => '{income}', omit => '{area,job,"Re gion",born,age,wealth,home}', keep => '{}', seed => 1, weight => 'w', recodes => '{"income": {"top": 2500, "replace": "threshold"}}');
SELECT helper.catch(format('SELECT * FROM sdc_sweep(''person'', ''rankswap'', ''{5}'', columns => ''{income}'', recodes => %L)', r)) FROM unnest(ARRAY['{}', '{"income": {"top": 1}}', '{"nobody": {"width": 1}}', '[]']) AS r;

--
-- What leaves: a policy, the accuracy table, comments, estimates.
--
CREATE ROLE regress_sdc_recoder;
GRANT CREATE, USAGE ON SCHEMA recoded TO regress_sdc_recoder;
ALTER TABLE person OWNER TO regress_sdc_recoder;
ALTER TABLE by_hand OWNER TO regress_sdc_recoder;
ALTER TABLE labels OWNER TO regress_sdc_recoder;
SET ROLE regress_sdc_recoder;
SELECT sdc_policy_set('recoder', 'person', '[{"method": "recode", "recodes": {"job": {"table": "recoded.labels", "level": 1}, "income": {"top": 2500, "replace": "threshold"}, "age": {"width": 5, "as": "lower"}}}, {"method": "pram", "columns": ["job"], "retain": 0.7}, {"method": "rankswap", "columns": ["income"], "p": 10}]', 'recoded.published', keep => '{}', omit => '{home,area,"Re gion",wealth,born,w}', missing => '{"job": ["refused"]}', limits => '{"people_found": 100}');
CALL sdc_run('recoder');
SELECT attribute, measure FROM published_accuracy WHERE part = 'method' ORDER BY 1, 2;
SELECT attname, left(col_description(attrelid, attnum), 110) AS comment FROM pg_attribute WHERE attrelid = 'published'::regclass AND attnum > 0 ORDER BY attname;
-- an estimate is of what was recoded: 0.7 of a label stays, and 0.3 of all are drawn
SELECT e.cell, abs(e.estimate - (count(*) FILTER (WHERE p.job = e.cell->>'job') - 0.3 * m.share * m.n) / 0.7) < 1e-6 AS estimate FROM published AS p, sdc_estimate('published'::regclass, by => '{job}') AS e, LATERAL (SELECT count(*) AS n, avg((q.job = e.cell->>'job')::int) AS share FROM published AS q) AS m GROUP BY e.cell, e.estimate, m.share, m.n ORDER BY 1;
-- between which numbers a count of the source is, nobody can say of what was recoded before it was swapped
SELECT kind, low, high FROM sdc_how_accurate('published', 'income > 2600');
SELECT sdc_withdraw('published', 'over');
SELECT sdc_policy_drop('recoder');
RESET ROLE;
ALTER TABLE person OWNER TO CURRENT_USER;
ALTER TABLE by_hand OWNER TO CURRENT_USER;
ALTER TABLE labels OWNER TO CURRENT_USER;
DROP OWNED BY regress_sdc_recoder;
DROP ROLE regress_sdc_recoder;

--
-- What cannot be: one error, before any work.
--
SELECT helper.catch(format('SELECT * FROM sdc_protect(''person'', %L, keep => ''{}'', target => ''recoded.no'')', steps)) FROM unnest(ARRAY['[{"method": "rankswap", "columns": ["age"], "p": 5}, {"method": "recode", "recodes": {"age": {"width": 5}}}]', '[{"method": "recode", "recodes": {"age": {"width": 5}}}, {"method": "recode", "recodes": {"age": {"top": 80, "replace": "threshold"}}}]',
	'[{"method": "recode", "recodes": {"age": {"width": 5}}}, {"method": "noise", "columns": ["age"], "amount": 0.1}]', '[{"method": "recode", "recodes": {"job": {"table": "labels", "level": 1}}}, {"method": "microaggregate", "columns": ["job", "age"], "k": 3}]',
	'[{"method": "recode", "recodes": {"age": {"width": 5, "as": "lower"}}}, {"method": "pram", "columns": ["age"], "retain": 0.5}, {"method": "suppress", "qi": ["age"], "k": 3}]']) AS steps;
SELECT helper.catch('SELECT count(*) FROM sdc_protect(NULL::person, ''[{"method": "recode", "recodes": {"age": {"width": 5}}}, {"method": "pram", "columns": ["age"], "retain": 0.5}]'', keep => ''{}'')');
-- rows that keep their type
SELECT count(*), max(income) FROM sdc_protect(NULL::person, '[{"method": "recode", "recodes": {"income": {"top": 1000, "replace": "threshold"}}}, {"method": "rankswap", "columns": ["income"], "p": 5}]', keep => '{}', seed => 1);
-- rounded rounds the numbers of a row: in which order records are added up is not said.
CREATE FUNCTION rounded(r jsonb) RETURNS jsonb LANGUAGE sql AS $$
	SELECT jsonb_object_agg(key, CASE jsonb_typeof(value) WHEN 'number' THEN to_jsonb(round((value #>> '{}')::numeric, 6)) ELSE value END) FROM jsonb_each(r)
$$;
-- who has several releases reckons with what values were recoded to, if all releases have one rule; of a column that is recoded and nothing else nothing more is known
CREATE TABLE by_one_rule AS SELECT id, least(income, CASE WHEN income IS NOT NULL THEN 1000 END)::numeric(8,2) AS income, int4range(age / 5 * 5, age / 5 * 5 + 5) AS age, area FROM person;
UPDATE by_one_rule SET age = NULL WHERE id IN (SELECT id FROM person WHERE age IS NULL);
ALTER TABLE by_one_rule ADD PRIMARY KEY (id);
CREATE FUNCTION drawn(release text, recodes text) RETURNS SETOF bigint LANGUAGE sql AS $$
	SELECT count(*) FROM sdc_protect('person', jsonb_build_array(jsonb_build_object('method', 'recode', 'recodes', recodes::jsonb), '{"method": "rankswap", "columns": ["income"], "p": 5}'::jsonb), keep => '{area}', omit => '{job,born,w,home,"Re gion",wealth}', target => 'recoded.' || release, seed => release)
$$;
\set one_rule '{"income": {"top": 1000, "replace": "threshold"}, "age": {"width": 5}}'
SELECT drawn('first', :'one_rule'), drawn('second', :'one_rule'), drawn('third', '{"income": {"top": 1100, "replace": "threshold"}, "age": {"width": 5}}');
SELECT count(*) FROM unnest('{first,second}'::text[]) AS release, sdc_protect('by_one_rule', '[{"method": "rankswap", "columns": ["income"], "p": 5}]', keep => '{age,area}', target => 'recoded.hand_' || release, seed => release);
SELECT known, (SELECT jsonb_agg(rounded(to_jsonb(l) - 'release') ORDER BY l.release::text, attack) FROM sdc_link_releases('{first,second}', known, sensitive => '{area}') AS l) = (SELECT jsonb_agg(rounded(to_jsonb(l) - 'release') ORDER BY l.release::text, attack) FROM sdc_link_releases('{hand_first,hand_second}', known, sensitive => '{area}') AS l) AS linked,
	(SELECT jsonb_agg(rounded(to_jsonb(c)) ORDER BY attribute, side) FROM sdc_compare_releases('first', 'second', known) AS c) = (SELECT jsonb_agg(rounded(to_jsonb(c)) ORDER BY attribute, side) FROM sdc_compare_releases('hand_first', 'hand_second', known) AS c) AS compared,
	(SELECT rounded(to_jsonb(c)) FROM sdc_private.composition('{first,second}', known, NULL, NULL) AS c) = (SELECT rounded(to_jsonb(c)) FROM sdc_private.composition('{hand_first,hand_second}', known, NULL, NULL) AS c) AS composed
FROM (VALUES ('{income}'::name[]), ('{income,age}')) AS k (known);
SELECT attack, percent > 0 AS some FROM sdc_link_releases('{first,second}', '{income,age}') WHERE release IS NULL AND attack IN ('average', 'windows', 'movement') ORDER BY 1;
SELECT helper.catch($$SELECT * FROM sdc_link_releases('{first,third}', '{income}')$$);
SELECT count(*) FROM sdc_link_releases('{first,third}', '{income}', p => 10);

-- ranges and labels that another step has protected are linked as such: those of a table that has them
CREATE TABLE pair (no int, recodes text, step text);
INSERT INTO pair VALUES (1, '{"age": {"width": 5}, "born": {"trunc": "year", "as": "range"}}', '{"method": "rankswap", "columns": ["age", "born"], "p": 10}'), (2, '{"age": {"width": 5}, "job": {"table": "labels", "level": 1}}', '{"method": "pram", "columns": ["age", "job"], "retain": 0.6}'),
	(3, '{"born": {"trunc": "year", "as": "range"}, "Re gion": {"prefix": 2}}', '{"method": "randomize", "qi": ["born", "Re gion"], "draws": 1}');
CREATE FUNCTION linked(pair pair) RETURNS TABLE (no int, rates boolean, same boolean, dld boolean, il boolean, evaluated boolean, baseline boolean) LANGUAGE plpgsql AS $$
BEGIN
	DROP TABLE IF EXISTS one, other CASCADE;
	PERFORM sdc_protect('person', jsonb_build_array(jsonb_build_object('method', 'recode', 'recodes', pair.recodes::jsonb), pair.step::jsonb), target => 'recoded.one', seed => 7, keep => '{}', missing => '{"job": ["refused"]}');
	PERFORM sdc_protect('in_ranges', jsonb_build_array(pair.step::jsonb), target => 'recoded.other', seed => 7, keep => '{}', missing => '{"job": ["refused"]}');
	RETURN QUERY SELECT pair.no, count(*) > 3 AND max(percent) > 0, jsonb_agg(to_jsonb(r) ORDER BY attack, known) = (SELECT jsonb_agg(to_jsonb(r) ORDER BY attack, known) FROM sdc_disclosure_risk('other') AS r), (s.dld, s.pld, s.rsld) IS NOT DISTINCT FROM (t.dld, t.pld, t.rsld), s.il IS NULL AND (s.interval_disclosure = 0), (e.measures #>> '{score,dld}')::float8 = s.dld, (b.dld, b.pld) IS NOT DISTINCT FROM (c.dld, c.pld)
		FROM sdc_disclosure_risk('one') AS r, sdc_score('one') AS s, sdc_score('other') AS t, sdc_evaluate('one') AS e, sdc_baseline('one', seed => 1) AS b, sdc_baseline('other', seed => 1) AS c GROUP BY s.dld, s.pld, s.rsld, t.dld, t.pld, t.rsld, s.il, s.interval_disclosure, e.measures, b.dld, b.pld, c.dld, c.pld;
END
$$;
SELECT l.* FROM pair, linked(pair) AS l;
SELECT attribute, known FROM sdc_interval_disclosure('one') AS d (attribute, known);

-- no records, one, nobody with a value
CREATE TABLE nobody (LIKE person INCLUDING ALL);
SELECT attribute, method, changed FROM sdc_protect('nobody', '[{"method": "recode", "recodes": {"income": {"top_percent": 10, "replace": "mean"}, "job": {"prefix": 1}}}, {"method": "rankswap", "columns": ["income"], "p": 5}, {"method": "pram", "columns": ["job"], "retain": 0.5}]', keep => '{}', target => 'recoded.of_nobody') WHERE action = 'protected';
INSERT INTO nobody (id, job) VALUES (1, 'cook');
SELECT attribute, method, changed FROM sdc_protect('nobody', '[{"method": "recode", "recodes": {"income": {"top_percent": 10, "replace": "mean"}, "job": {"prefix": 1}}}, {"method": "rankswap", "columns": ["income"], "p": 5}, {"method": "pram", "columns": ["job"], "retain": 0.5}]', keep => '{}', target => 'recoded.of_one') WHERE action = 'protected';
SELECT * FROM sdc_people_found('of_one');
DROP SCHEMA recoded CASCADE;
