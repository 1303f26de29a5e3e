--
-- suppress
--
-- Local suppression beside plain SQL: what is demanded and kept, minimality, who is found by all ways to count, and what is refused.
--
\pset format unaligned
\pset footer off
CREATE SCHEMA suppress;
SET search_path = suppress, public;

-- low values are frequent; some have none
CREATE TABLE survey (id int PRIMARY KEY, sex char(1), "Re gion" text, job varchar(9), visits int, born date, income float8);
INSERT INTO survey SELECT i, (ARRAY['f', 'm'])[1 + helper.below(i, 1, 2)], (ARRAY['AAA', 'AAB', 'ABA', 'ABB', 'BAA', 'BAB', 'BBA', 'BBB'])[1 + least(helper.below(i, 2, 8), helper.below(i, 3, 8))],
	CASE WHEN helper.below(i, 4, 30) > 0 THEN 'job ' || least(helper.below(i, 5, 18), helper.below(i, 6, 18)) END, CASE WHEN helper.below(i, 7, 20) > 0 THEN least(helper.below(i, 8, 9), helper.below(i, 9, 9)) END,
	date '1930-01-01' + helper.below(i, 10, 25000), CASE WHEN helper.below(i, 11, 50) > 0 THEN round(5000 * helper.uniform(i, 12)) ELSE 'NaN' END FROM generate_series(1, 600) AS i;

-- looked_at tells by definition what is left in some columns: values that became others, the least number of records that are equal, that are what somebody
-- who knows the source is left with, and that are equal or missing; how many are found by that, and how many for sure.
CREATE FUNCTION looked_at(source text, release text, qi name[]) RETURNS TABLE (changed bigint, own bigint, candidates bigint, wild bigint, found numeric, certain bigint) LANGUAGE plpgsql AS $$
DECLARE
	same text := (SELECT string_agg(format('a.%1$I IS NOT DISTINCT FROM b.%1$I', c), ' AND ') FROM unnest(qi) AS c);
	possible text := (SELECT string_agg(format('(b.%1$I = x.%1$I OR b.%1$I IS NULL)', c), ' AND ') FROM unnest(qi) AS c);
	wild text := (SELECT string_agg(format('(a.%1$I = b.%1$I OR a.%1$I IS NULL OR b.%1$I IS NULL)', c), ' AND ') FROM unnest(qi) AS c);
	other text := (SELECT string_agg(format('a.%1$I IS NOT NULL AND a.%1$I IS DISTINCT FROM x.%1$I', c), ' OR ') FROM unnest(qi) AS c);
BEGIN
	RETURN QUERY EXECUTE format($q$
		WITH groups AS MATERIALIZED (SELECT count(*) AS n, %6$s FROM %2$s GROUP BY %6$s), known AS MATERIALIZED (SELECT count(*) AS n, %6$s FROM %1$s GROUP BY %6$s)
		SELECT (SELECT count(*) FROM %1$s AS x JOIN %2$s AS a USING (id) WHERE %7$s), (SELECT min(n) FROM groups), min(p.n)::bigint, (SELECT min((SELECT sum(b.n) FROM groups AS b WHERE %5$s))::bigint FROM groups AS a),
			round(sum(x.n / p.n), 6), coalesce(sum(x.n) FILTER (WHERE p.n = 1), 0)::bigint FROM known AS x, LATERAL (SELECT sum(b.n) AS n FROM groups AS b WHERE %4$s) AS p $q$,
		source, release, same, possible, wild, (SELECT string_agg(quote_ident(c), ', ') FROM unnest(qi) AS c), other);
END
$$;

-- left_over counts the values that could be given back, of records that are equal and had one value in a column, with k kept in all columns together.
CREATE FUNCTION left_over(source text, release text, qi name[], k int) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	left_over bigint := 0;
	found bigint;
	c name;
BEGIN
	FOREACH c IN ARRAY qi LOOP
		EXECUTE format($q$
			WITH now AS MATERIALIZED (SELECT to_jsonb(ARRAY[%3$s]) AS y, count(*) AS n FROM %2$s AS r GROUP BY 1),
				lost AS (SELECT to_jsonb(ARRAY[%3$s]) AS y, jsonb_set(to_jsonb(ARRAY[%3$s]), ARRAY[%5$s], to_jsonb(s.%4$I::text)) AS then, count(*) AS size
					FROM %1$s AS s JOIN %2$s AS r USING (id) WHERE s.%4$I IS NOT NULL AND r.%4$I IS NULL GROUP BY 1, 2)
			SELECT count(*) FROM lost JOIN now USING (y) LEFT JOIN now AS t ON t.y = lost.then, generate_series(1, lost.size) AS j
			WHERE (now.n - j = 0 OR now.n - j >= %6$s) AND coalesce(t.n, 0) + j >= %6$s $q$,
			source, release, (SELECT string_agg(format('r.%I::text', q), ', ') FROM unnest(qi) AS q), c, quote_literal(array_position(qi, c) - 1), k) INTO found;
		left_over := left_over + found;
	END LOOP;
	RETURN left_over;
END
$$;

--
-- One demand: all quasi-identifiers together.
--
SELECT attribute, action, method, records, changed, round(changed_percent::numeric, 4) AS percent, suppressed FROM sdc_suppress('survey', '{sex,"Re gion",visits}', 5, keep => '{born,job,income}');
SELECT columns, qi, parameters, seeded FROM sdc_releases WHERE release = 'survey_suppress'::regclass;
SELECT k.k = d.own AND d.own = 5 AS own, k.k_wild = d.wild AS wild, d.candidates BETWEEN d.own AND d.wild AS between, d.changed, round(p.found::numeric, 6) = d.found AS found, p.certain = d.certain AS certain, d.found <= 120 AND d.certain = 0 AS protected
FROM looked_at('survey', 'survey_suppress', '{sex,"Re gion",visits}') AS d, sdc_kanonymity('survey_suppress', '{sex,"Re gion",visits}') AS k, sdc_people_found('survey_suppress', '{sex,"Re gion",visits}') AS p WHERE p.attack = 'candidates';
SELECT left_over('survey', 'survey_suppress', '{sex,"Re gion",visits}', 5) AS left_over, left_over('survey', 'survey_suppress', '{sex,"Re gion",visits}', 4) > 0 AS would_be_seen;
-- what everybody knows of everybody else finds somebody for sure where nothing else does; it can be asked for, as all candidates are sound
SELECT attack, round(found::numeric, 4) AS found, single, certain FROM sdc_people_found('survey_suppress', '{sex,"Re gion",visits}', everybody => true);
-- of the source wild counts too: NULL is there
SELECT k.k = d.own AS own, k.k_wild = d.wild AS wild, k.k < k.k_wild AS more FROM looked_at('survey', 'survey', '{sex,job,visits}') AS d, sdc_kanonymity('survey', '{sex,job,visits}') AS k;
SELECT k, k_wild FROM sdc_kanonymity('survey', '{sex}'), (SELECT min(n) FROM (SELECT count(*) AS n FROM survey GROUP BY sex) AS g) AS by_sql WHERE k = k_wild AND k = min;
SELECT k_wild FROM sdc_kanonymity('survey', '{sex}', '{id}');
SELECT sdc_assert_k('survey_suppress', '{sex,"Re gion",visits}', 5);
SELECT helper.catch($$SELECT sdc_assert_k('survey_suppress', '{sex,"Re gion",visits}', 6)$$);
-- four columns; the report counts the NULLs that are new
CREATE TABLE four AS SELECT attribute, suppressed FROM sdc_suppress('survey', '{job,sex,visits,"Re gion"}', 3, keep => '{born,income}', replace => true);
SELECT suppressed = sum((to_jsonb(r) ->> attribute IS NULL AND to_jsonb(s) ->> attribute IS NOT NULL)::int) AS counted, attribute FROM four, survey AS s JOIN survey_suppress AS r USING (id) WHERE suppressed IS NOT NULL GROUP BY attribute, suppressed ORDER BY attribute;
SELECT k.k = d.own AND d.own >= 3 AS own, k.k_wild = d.wild AS wild, d.changed, round(p.found::numeric, 6) = d.found AS found, p.certain = d.certain AND d.certain = 0 AS certain
FROM looked_at('survey', 'survey_suppress', '{sex,job,"Re gion",visits}') AS d, sdc_kanonymity('survey_suppress', '{sex,"Re gion",visits,job}') AS k, sdc_people_found('survey_suppress', '{sex,job,"Re gion",visits}') AS p WHERE p.attack = 'candidates';
SELECT left_over('survey', 'survey_suppress', '{sex,job,"Re gion",visits}', 3) AS left_over;
-- a value costs at least what the records do that violate; a high number keeps a column
SELECT sum(suppressed) BETWEEN (SELECT sum(n) FROM (SELECT count(*) AS n FROM survey GROUP BY sex, job, "Re gion", visits HAVING count(*) < 3) AS v) AND 1.4 * (SELECT sum(n) FROM (SELECT count(*) AS n FROM survey GROUP BY sex, job, "Re gion", visits HAVING count(*) < 3) AS v) AS near FROM four;
SELECT i.suppressed < f.suppressed AS fewer, i.attribute FROM sdc_suppress('survey', '{job,sex,visits,"Re gion"}', 3, importance => '{10,1,1,1}', keep => '{born,income}', target => 'suppress.important') AS i JOIN four AS f USING (attribute) WHERE i.attribute = 'job';
SELECT left_over('survey', 'important', '{sex,job,"Re gion",visits}', 3) AS left_over, parameters FROM sdc_releases WHERE release = 'important'::regclass;

--
-- Several demands at once: pairs, singles, and some with a k of their own.
--
CREATE FUNCTION fewest(release text, qi name[]) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	fewest bigint;
BEGIN
	EXECUTE format('SELECT min(n) FROM (SELECT count(*) AS n FROM %s GROUP BY %s) AS g', release, (SELECT string_agg(quote_ident(c), ', ') FROM unnest(qi) AS c)) INTO fewest;
	RETURN fewest;
END
$$;
SELECT sum(suppressed) > 0 AS some FROM sdc_suppress('survey', '{sex,"Re gion",job,visits}', 5, combinations => '2', keep => '{born,income}', target => 'suppress.pairs');
SELECT count(*) AS pairs, min(fewest('survey', ARRAY[a, b])) < 5 AS before, min(fewest('pairs', ARRAY[a, b])) >= 5 AS after, fewest('pairs', '{sex,"Re gion",job,visits}') < 5 AS all_together
FROM unnest('{sex,"Re gion",job,visits}'::name[]) WITH ORDINALITY AS a (a, m), unnest('{sex,"Re gion",job,visits}'::name[]) WITH ORDINALITY AS b (b, n) WHERE m < n;
SELECT sum(suppressed) > 0 AS some FROM sdc_suppress('survey', '{sex,"Re gion",job,visits}', 2, combinations => '[1, {"size": 2, "k": 4}, {"columns": ["visits", "job", "sex"]}, {"columns": ["job"], "k": 15}]', keep => '{born,income}', target => 'suppress.several');
SELECT (SELECT min(fewest('several', ARRAY[a])) FROM unnest('{sex,"Re gion",job,visits}'::name[]) AS a) >= 2 AS singles, (SELECT min(fewest('several', ARRAY[a, b])) FROM unnest('{sex,"Re gion",job,visits}'::name[]) AS a, unnest('{sex,"Re gion",job,visits}'::name[]) AS b WHERE a < b) >= 4 AS pairs,
	fewest('several', '{job,sex,visits}') >= 2 AS three, fewest('several', '{job}') >= 15 AS job;
SELECT parameters FROM sdc_releases WHERE release = 'several'::regclass;
SELECT (SELECT jsonb_agg(a ORDER BY id) FROM pairs AS a) = (SELECT jsonb_agg(b ORDER BY id) FROM sdc_suppress(NULL::survey, '{sex,"Re gion",job,visits}', 5, combinations => '{"size": 2}', keep => '{born,income}') AS b) AS same;

--
-- Recode, then suppress: what is known of somebody is what the recoding has made of him, or nothing.
--
SELECT attribute, action, method, changed, suppressed FROM sdc_protect('survey', '[{"method": "recode", "recodes": {"born": {"trunc": "year", "as": "range"}, "Re gion": {"prefix": 2}, "visits": {"top": 4, "replace": "threshold"}}}, {"method": "suppress", "qi": ["Re gion", "visits", "born", "sex"], "k": 4, "importance": [2, 1, 1, 2]}]', keep => '{job,income}', target => 'suppress.joined');
SELECT columns, qi, parameters FROM sdc_releases WHERE release = 'joined'::regclass;
CREATE VIEW coarse AS SELECT id, sex, CASE WHEN length("Re gion") > 2 THEN left("Re gion", 2) || '*' ELSE "Re gion" END AS "Re gion", least(visits, CASE WHEN visits IS NULL THEN NULL ELSE 4 END) AS visits, daterange(date_trunc('year', born)::date, (date_trunc('year', born) + interval '1 year')::date) AS born FROM survey;
SELECT k.k = d.own AND d.own >= 4 AS own, k.k_wild = d.wild AS wild, d.changed, round(p.found::numeric, 6) = d.found AS found, p.certain = d.certain AND d.certain = 0 AS certain, left_over('coarse', 'joined', '{sex,born,"Re gion",visits}', 4) AS left_over
FROM looked_at('coarse', 'joined', '{sex,born,"Re gion",visits}') AS d, sdc_kanonymity('joined', '{sex,"Re gion",visits,born}') AS k, sdc_people_found('joined', '{sex,born,"Re gion",visits}') AS p WHERE p.attack = 'candidates';
SELECT count(*) FILTER (WHERE b.visits IS DISTINCT FROM s.visits) AS changed_visits FROM survey AS s JOIN joined AS b USING (id);
SELECT round(p.found::numeric, 6) = d.found AS alone FROM looked_at('coarse', 'joined', '{born,visits}') AS d, sdc_people_found('joined', '{born,visits}') AS p WHERE p.attack = 'candidates';
SELECT helper.catch(format('SELECT * FROM sdc_protect(''survey'', %L, keep => ''{income}'', target => ''suppress.no'')', steps)) FROM unnest(ARRAY[
	'[{"method": "suppress", "qi": ["born", "sex"], "k": 2}, {"method": "recode", "recodes": {"born": {"trunc": "year"}}}]',
	'[{"method": "recode", "recodes": {"born": {"trunc": "year"}}}, {"method": "suppress", "qi": ["born", "sex"], "k": 2}, {"method": "suppress", "qi": ["born", "job"], "k": 2}]',
	'[{"method": "rankswap", "columns": ["visits"], "p": 5}, {"method": "suppress", "qi": ["visits", "sex"], "k": 2}]',
	'[{"method": "rankswap", "columns": ["visits"], "p": 5, "continued": true}, {"method": "suppress", "qi": ["sex"], "k": 2}]',
	'[{"method": "suppress", "qi": ["sex"], "k": 2.5}]', '[{"method": "suppress", "qi": ["sex"]}]', '[{"method": "suppress", "k": 3}]', '[{"method": "suppress", "qi": ["sex"], "k": 3, "seed": 1}]',
	'[{"method": "suppress", "qi": ["sex"], "k": 3, "combinations": "x"}]', '[{"method": "suppress", "qi": ["sex"], "k": 3, "unit_size": "any"}]']) AS steps;
-- beside others: their columns are none of its own
SELECT attribute, method, suppressed FROM sdc_protect('survey', '[{"method": "rankswap", "columns": ["income"], "p": 5}, {"method": "suppress", "qi": ["sex", "job"], "k": 4}, {"method": "suppress", "qi": ["visits"], "k": 30, "combinations": null}]', keep => '{born,"Re gion"}', target => 'suppress.beside', seed => 1);
SELECT fewest('beside', '{sex,job}') >= 4 AS pair, fewest('beside', '{visits}') >= 30 AS one, (SELECT array_agg(income ORDER BY income) FROM beside) = (SELECT array_agg(income ORDER BY income) FROM survey) AS swapped;

-- five people by hand: with a missing value that is like every value one is enough, and whoever knows the widow has one candidate; three values are suppressed
CREATE TABLE five (id int PRIMARY KEY, area text, status text);
INSERT INTO five VALUES (1, 'A', 'single'), (2, 'A', 'married'), (3, 'A', 'married'), (4, 'A', 'single'), (5, 'A', 'widow');
SELECT attribute, suppressed FROM sdc_suppress('five', '{area,status}', 2, target => 'suppress.of_five') WHERE action = 'protected' ORDER BY 1;
SELECT k.k, k_wild, round(found::numeric, 9) AS found, certain FROM sdc_kanonymity('of_five', '{area,status}') AS k, sdc_people_found('of_five', '{area,status}') WHERE attack = 'candidates';
SELECT count(*) FROM sdc_suppress('five', '{area,status}', 1, target => 'suppress.of_widow');
UPDATE of_widow SET status = NULL WHERE id = 5;
SELECT k.k, k_wild, round(found::numeric, 9) AS found, certain FROM sdc_kanonymity('of_widow', '{area,status}') AS k, sdc_people_found('of_widow', '{area,status}') WHERE attack = 'candidates';

--
-- Strata, units, missing codes.
--
SELECT sum(suppressed) > 0 AS some FROM sdc_suppress('survey', '{job,visits}', 4, strata => '{sex}', keep => '{born,income}', omit => '{"Re gion"}', target => 'suppress.by_sex');
SELECT fewest('by_sex', '{sex,job,visits}') >= 4 AS by_stratum, round(p.found::numeric, 6) = d.found AS found FROM looked_at('survey', 'by_sex', '{sex,job,visits}') AS d, sdc_people_found('by_sex', '{sex,job,visits}') AS p WHERE p.attack = 'candidates';
CREATE VIEW women AS SELECT * FROM survey WHERE sex = 'f';
SELECT (SELECT jsonb_agg(jsonb_build_array(id, job, visits) ORDER BY id) FROM by_sex AS b WHERE sex = 'f') = (SELECT jsonb_agg(jsonb_build_array(id, job, visits) ORDER BY id) FROM sdc_suppress(NULL::women, '{job,visits}', 4, key => '{id}', keep => '{sex,born,income}', omit => '{"Re gion"}') AS a) AS each_alone;
CREATE TABLE home AS SELECT row_number() OVER (ORDER BY s.id, n) AS id, s.id AS hid, s.sex, s.job, s.visits, helper.below(10 * s.id + n, 13, 50) AS income FROM survey AS s, generate_series(1, 1 + s.id % 3) AS n WHERE s.id <= 300;
ALTER TABLE home ADD PRIMARY KEY (id);
SELECT attribute, level, units, suppressed > 0 AS some FROM sdc_suppress('home', '{sex,job,visits}', 3, unit => '{hid}', keep => '{income}', target => 'suppress.by_units');
SELECT sum(differing) AS units_differing, min(n) >= 3 AS own FROM (SELECT count(*) AS n, sum((differing > 1)::int) AS differing FROM (SELECT hid, count(*) AS size, count(DISTINCT (sex, job, visits)) AS differing, min(sex) AS sex, min(job) AS job, min(visits) AS visits FROM by_units GROUP BY hid) AS u GROUP BY size, sex, job, visits) AS g;
SELECT r.parameters, k.k >= 3 AS k, k.k_whole >= 3 AS k_whole, k.k_wild, p.certain FROM sdc_releases AS r, sdc_kanonymity('by_units', '{sex,job,visits}') AS k, sdc_people_found('by_units', '{sex,job,visits}') AS p WHERE r.release = 'by_units'::regclass AND p.attack = 'candidates';
SELECT helper.catch($$SELECT sdc_suppress('home', '{sex,income}', 3, unit => '{hid}', keep => '{job,visits}', target => 'suppress.no')$$), helper.catch($$SELECT sdc_suppress('home', '{income}', 3, unit => '{hid}', keep => '{sex,job,visits}', target => 'suppress.no')$$);
-- a missing code is a value like others, and can be taken out
CREATE TABLE coded AS SELECT id, sex, coalesce(visits, -9) AS visits, job FROM survey;
ALTER TABLE coded ADD PRIMARY KEY (id);
SELECT attribute, missing, suppressed > 0 AS some FROM sdc_suppress('coded', '{sex,visits,job}', 5, missing => '{"visits": [-9]}');
SELECT k.k = d.own AND d.own >= 5 AS own, d.changed, round(p.found::numeric, 6) = d.found AS found, (SELECT count(*) > 0 FROM coded_suppress WHERE visits = -9) AS stay, left_over('coded', 'coded_suppress', '{sex,visits,job}', 5) AS left_over
FROM looked_at('coded', 'coded_suppress', '{sex,visits,job}') AS d, sdc_kanonymity('coded_suppress', '{sex,visits,job}') AS k, sdc_people_found('coded_suppress', '{sex,visits,job}') AS p WHERE p.attack = 'candidates';

--
-- Forms, order, memory; what is measured; policies.
--
CREATE TABLE shuffled AS SELECT * FROM survey ORDER BY md5(id::text);
ALTER TABLE shuffled ADD PRIMARY KEY (id);
SET maintenance_work_mem = '1MB';
SELECT (SELECT jsonb_agg(a ORDER BY id) FROM sdc_suppress(NULL::shuffled, '{job,sex,visits,"Re gion"}', 3, keep => '{born,income}') AS a) = (SELECT jsonb_agg(b ORDER BY id) FROM survey_suppress AS b) AS same;
RESET maintenance_work_mem;
SELECT count(*) FROM sdc_protect('survey'::regclass, '[{"method": "suppress", "qi": ["job", "sex", "visits", "Re gion"], "k": 3}]', keep => '{born,income}', target => 'suppress.step');
SELECT count(*) AS differing FROM ((TABLE step EXCEPT TABLE survey_suppress) UNION ALL (TABLE survey_suppress EXCEPT TABLE step)) AS d;
-- values of k beside each other
SELECT s.parameter, round(s.people_found::numeric, 4) AS found, round(s.people_found::numeric, 6) = round(p.percent::numeric, 6) AS as_made, s.certain_percent FROM sdc_sweep('survey', 'suppress', '{2,3,4}', known => '{sex,"Re gion",job,visits}', qi => '{job,sex,visits,"Re gion"}', keep => '{born,income}') AS s
	LEFT JOIN sdc_people_found('survey_suppress', '{sex,"Re gion",job,visits}') AS p ON s.parameter = 3 AND p.attack = 'any' ORDER BY 1;
SELECT count(*) AS tried, max(parameter) AS largest FROM sdc_sweep('survey', 'suppress', known => '{sex,job}', qi => '{job,sex}', keep => '{born,income,visits,"Re gion"}', parameters => '{"combinations": [1, 2]}');
-- a value that is taken out is a lost one
SELECT l.lost = (SELECT count(*) FROM survey AS s JOIN important AS i USING (id) WHERE s.visits IS NOT NULL AND i.visits IS NULL) AS lost, l.il > 0 AS some FROM sdc_information_loss('important') AS l;
-- what is to be learned can be suppressed: then a NULL is no value, of whomever it is
SELECT a.matched, round(a.cap::numeric, 8) = c.cap AS cap, c.cap > 0 AS some FROM sdc_attribute_risk('important', '{sex,"Re gion"}', '{job}') AS a, (SELECT round(avg(n), 8) AS cap
	FROM (SELECT count(*) FILTER (WHERE r.job = s.job)::numeric / count(*) AS n FROM survey AS s JOIN important AS r ON (r.sex = s.sex OR r.sex IS NULL) AND (r."Re gion" = s."Re gion" OR r."Re gion" IS NULL) GROUP BY s.id) AS p) AS c;
SELECT k >= 3 AS k FROM sdc_evaluate('important') AS e, LATERAL (SELECT (e.measures #>> '{groups,k}')::bigint AS k) AS m;
-- what another tool has suppressed
CREATE TABLE elsewhere AS SELECT id, sex, job, visits FROM survey_suppress;
SELECT sdc_register('survey', 'elsewhere', steps => '[{"method": "suppress", "qi": ["sex", "job", "visits"], "k": 3}]', key => '{id}');
SELECT round(p.found::numeric, 6) = d.found AS found FROM looked_at('survey', 'elsewhere', '{sex,job,visits}') AS d, sdc_people_found('elsewhere', '{sex,job,visits}') AS p WHERE p.attack = 'candidates';
CREATE ROLE regress_sdc_suppressor;
GRANT CREATE, USAGE ON SCHEMA suppress TO regress_sdc_suppressor;
ALTER TABLE survey OWNER TO regress_sdc_suppressor;
SET ROLE regress_sdc_suppressor;
SELECT sdc_policy_set('suppressed', 'survey', steps => '[{"method": "recode", "recodes": {"born": {"trunc": "decade"}}}, {"method": "suppress", "qi": ["born", "sex", "job"], "k": 5}]', publish_as => 'suppress.published', limits => '{"k": 5, "people_found": 30}', keep => '{}', omit => '{income,visits,"Re gion"}');
CALL sdc_run('suppressed');
SELECT count(*), fewest('published', '{born,sex,job}') >= 5 AS k FROM published;
SELECT attribute, measure FROM published_accuracy WHERE part = 'method' ORDER BY 1, 2;
SELECT sdc_withdraw('published', 'over');
SELECT sdc_policy_drop('suppressed');
RESET ROLE;
ALTER TABLE survey OWNER TO CURRENT_USER;
DROP OWNED BY regress_sdc_suppressor;
DROP ROLE regress_sdc_suppressor;

-- a release of nothing but NULLs of the source: they contain everything, too
SELECT suppressed FROM sdc_suppress('survey', '{job}', 1, keep => '{sex}', omit => '{visits,born,income,"Re gion"}', target => 'suppress.untouched') WHERE attribute = 'job';
SELECT round(p.found::numeric, 6) = d.found AS found, d.found < (SELECT count(DISTINCT (sex, job)) FROM survey) AS fewer FROM looked_at('survey', 'untouched', '{sex,job}') AS d, sdc_people_found('untouched', '{sex,job}') AS p WHERE p.attack = 'candidates';

--
-- Edges: no records, one, all equal, no values, k = n, NaN and infinities, domains, partitions, views.
--
CREATE TABLE nobody (LIKE survey INCLUDING ALL);
SELECT attribute, changed, suppressed FROM sdc_suppress('nobody', '{sex,job}', 3, keep => '{"Re gion",visits,born,income}') WHERE suppressed IS NOT NULL;
CREATE DOMAIN plain AS text;
CREATE DOMAIN sure AS text NOT NULL;
CREATE TABLE edge (id int PRIMARY KEY, single float8, "all" int, nothing int, plain plain, sure sure, twice int GENERATED ALWAYS AS ("all" * 2) STORED) PARTITION BY RANGE (id);
CREATE TABLE edge_low PARTITION OF edge FOR VALUES FROM (1) TO (5);
CREATE TABLE edge_high PARTITION OF edge DEFAULT;
INSERT INTO edge (id, single, "all", plain, sure) VALUES (1, 'NaN', 7, 'a', 'x'), (2, 'inf', 7, 'a', 'x'), (3, 'NaN', 7, 'b', 'x'), (4, '-0', 7, 'b', 'x'), (5, '0', 7, NULL, 'x'), (6, '-inf', 7, NULL, 'x');
SELECT attribute, suppressed FROM sdc_suppress('edge', '{single,all,nothing,plain}', 2, keep => '{sure}', omit => '{twice}');
SELECT * FROM edge_suppress ORDER BY id;
SELECT attribute, suppressed FROM sdc_suppress('edge', '{single,all,nothing,plain}', 6, keep => '{sure}', omit => '{twice}', replace => true) WHERE suppressed > 0;
SELECT count(*) FROM sdc_suppress(NULL::edge, '{all,nothing}', 1, key => '{id}', keep => '{sure,single,plain}', omit => '{twice}');
CREATE TABLE alone AS SELECT 1 AS id, 2 AS a;
SELECT suppressed FROM sdc_suppress('alone', '{a}', 1, key => '{id}') WHERE attribute = 'a';

--
-- What is refused.
--
SELECT call, helper.catch('SELECT * FROM sdc_suppress(' || call || ')') FROM unnest(ARRAY[$$'survey', NULL, 3$$, $$'survey', '{}', 3$$, $$'survey', '{sex,sex}', 3$$, $$'survey', '{nothing}', 3$$, $$'survey', '{id}', 3$$, $$'survey', '{sex}'$$, $$'survey', '{sex}', 0$$,
	$$'survey', '{sex}', -1$$, $$'survey', '{sex}', 601, replace => true$$, $$'survey', '{job}', 400, strata => '{sex}', replace => true$$, $$'survey', '{sex,job}', 3, '{1}'$$, $$'survey', '{sex,job}', 3, '{1,0}'$$, $$'survey', '{sex,job}', 3, '{1,NaN}'$$, $$'survey', '{sex,job}', 3, '{1,NULL}'$$, $$'survey', '{sex,job}', 3, '{1,Infinity}'$$,
	$$'survey', '{sex,job}', 3, omit => '{job}'$$, $$'edge', '{sure}', 2$$, $$'edge', '{twice}', 2$$, $$'alone', '{a}', 2, key => '{id}', replace => true$$]) AS call;
SELECT sets, helper.catch(format('SELECT * FROM sdc_suppress(''survey'', ''{sex,job,visits}'', 3, combinations => %L, replace => true)', sets)) FROM unnest(ARRAY['0', '4', '1.5', '-1', '1e30', '[]', '{}', '"x"', 'null', 'true', '[[1]]', '[null]', '{"size": 2, "columns": ["sex"]}', '{"k": 5}', '{"size": 2, "k": 0}',
	'{"size": 2, "k": 601}', '{"size": 2, "k": null}', '{"size": "2"}', '{"columns": "sex"}', '{"columns": []}', '{"columns": [1]}', '{"columns": ["born"]}', '{"columns": ["sex", "sex"]}', '{"size": 1, "columm": 2}', '{"columns": ["sex"], "K": 2}']) AS sets;
DO $$ BEGIN EXECUTE format('CREATE TABLE wide AS SELECT 1 AS id, %s', (SELECT string_agg(format('%s AS c%s', i, i), ', ') FROM generate_series(1, 70) AS i)); END $$;
SELECT helper.catch(format('SELECT * FROM sdc_suppress(''wide'', %L, 1, combinations => %s, key => ''{id}'')', (SELECT array_agg('c' || i) FROM generate_series(1, n) AS i), sets)) FROM (VALUES (13, 'NULL'), (13, $$'[13]'$$), (70, $$'1'$$), (30, $$'4'$$)) AS w (n, sets);
DROP SCHEMA suppress CASCADE;
