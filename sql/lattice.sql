--
-- lattice
--
-- Generalization by hierarchies beside plain SQL: the best node among all of them, who is suppressed, what is released of
-- every type, who is found, and what is refused.
--
\pset format unaligned
\pset footer off
CREATE SCHEMA lattice;
SET search_path = lattice, public;
SET DateStyle = 'ISO, DMY';
SET TimeZone = 'Asia/Tokyo';
CREATE TABLE survey (id int PRIMARY KEY, age int, sex text, region text, job text, income int, illness text);
INSERT INTO survey SELECT i, 17 + helper.below(i, 1, 60) + helper.below(i, 2, 19), (ARRAY['f', 'm'])[1 + helper.below(i, 3, 2)], (ARRAY['NA', 'NB', 'SA', 'SB', 'SC', 'SD'])[1 + helper.below(i, 4, 6)] || helper.below(i, 5, 2) || helper.below(i, 12, 2),
	'job ' || least(helper.below(i, 6, 18), helper.below(i, 7, 18)), CASE WHEN helper.below(i, 8, 9) = 0 THEN -9 WHEN helper.below(i, 8, 9) = 1 THEN NULL ELSE 100 * helper.below(i, 9, 50) END, 'ill ' || least(helper.below(i, 10, 6), helper.below(i, 11, 6))
FROM generate_series(1, 300) AS i;
CREATE TABLE job (job text, branch text, sector int);
INSERT INTO job SELECT 'job ' || j, 'branch ' || j / 2, j / 6 FROM generate_series(0, 17) AS j;
CREATE FUNCTION cell(x int, w int) RETURNS text LANGUAGE sql IMMUTABLE AS $$
	SELECT CASE WHEN x >= 80 THEN '[80,)' WHEN x < 20 THEN '(,20)' ELSE format('[%s,%s)', x / w * w, least(x / w * w + w, 80)) END
$$;
-- what SQL makes of every value, by level, and how many of the column's values that contains
CREATE TABLE leveled AS SELECT id, ARRAY[ARRAY[format('[%s,%s)', age, age + 1), cell(age, 5), cell(age, 10), cell(age, 20), '(,)'], ARRAY[sex, '*', NULL, NULL, NULL],
	ARRAY[region, left(region, 3) || '*', left(region, 2) || '*', left(region, 1) || '*', '*'], ARRAY[s.job, branch, sector::text, '*', NULL]] AS become, ARRAY[age::text, sex, region, s.job] AS own
FROM survey AS s JOIN job USING (job);
CREATE TABLE contained AS SELECT c, h, become[c][h + 1] AS become, count(DISTINCT own[c]) AS m, (SELECT count(DISTINCT own[c]) FROM leveled) AS j FROM leveled, generate_series(1, 4) AS c, generate_series(0, 4) AS h WHERE become[c][h + 1] IS NOT NULL GROUP BY c, h, 3;
CREATE TABLE lost AS SELECT id, ARRAY(SELECT ARRAY(SELECT (m - 1)::float8 / (j - 1) FROM generate_series(0, 4) AS h LEFT JOIN contained AS d ON d.c = c.c AND d.h = h.h AND d.become = l.become[c.c][h.h + 1] ORDER BY h.h) FROM generate_series(1, 4) AS c ORDER BY c) AS loss FROM leveled AS l;
CREATE TABLE node AS SELECT ARRAY[a, s, r, j] AS level FROM generate_series(0, 4) AS a, generate_series(0, 1) AS s, generate_series(0, 4) AS r, generate_series(0, 3) AS j;
-- nodes judges every node by the definition.
CREATE FUNCTION nodes(k int, percent float8, importance float8[]) RETURNS TABLE (level int[], suppressed bigint, loss float8) LANGUAGE plpgsql AS $$
DECLARE
	allowed CONSTANT int := floor(percent * (SELECT count(*) FROM survey) / 100);
	node int[];
BEGIN
	FOR node IN SELECT n.level FROM node AS n LOOP
		RETURN QUERY WITH record AS (SELECT l.id, ARRAY[become[1][node[1] + 1], become[2][node[2] + 1], become[3][node[3] + 1], become[4][node[4] + 1]] AS what, o.loss[1][node[1] + 1] AS a, o.loss[2][node[2] + 1] AS s, o.loss[3][node[3] + 1] AS r, o.loss[4][node[4] + 1] AS j FROM leveled AS l JOIN lost AS o USING (id)),
			grouped AS (SELECT count(*) AS size, min(record.id) AS first, sum(importance[1] * a + importance[2] * s + importance[3] * r + importance[4] * j) AS lost FROM record GROUP BY what),
			-- those that are too small, and then the smallest others, until they are k together
			ordered AS (SELECT size, lost, size < k AS small, sum(size) OVER (ORDER BY size >= k, size, first) - size AS before FROM grouped),
			ending AS (SELECT size, lost, small OR (before > 0 AND before < k) AS hidden FROM ordered)
		SELECT node, coalesce(sum(size) FILTER (WHERE hidden), 0)::bigint, (coalesce(sum(lost) FILTER (WHERE NOT hidden), 0) + coalesce(sum(size) FILTER (WHERE hidden), 0) * (SELECT sum(i) FROM unnest(importance) AS i)) / (SELECT sum(i) FROM unnest(importance) AS i) / sum(size)
		FROM ending HAVING coalesce(sum(size) FILTER (WHERE hidden), 0) <= allowed;
	END LOOP;
END
$$;
CREATE FUNCTION made(k int, percent float8, importance float8[]) RETURNS TABLE (level int[], suppressed bigint, loss float8) LANGUAGE sql AS $$
	SELECT array_agg(hierarchy_level ORDER BY attribute = 'age' DESC, attribute = 'sex' DESC, attribute = 'region' DESC), min(suppressed), sum(loss * importance[CASE attribute WHEN 'age' THEN 1 WHEN 'sex' THEN 2 WHEN 'region' THEN 3 ELSE 4 END]) / (SELECT sum(i) FROM unnest(importance) AS i)
	FROM sdc_generalize('survey', '{age,sex,region,job}', k => k, target => 'lattice.best', replace => to_regclass('lattice.best') IS NOT NULL, keep => '{illness}', omit => '{income}', scheme => 'lattice', suppress_percent => percent, importance => importance,
		hierarchies => '{"age": {"width": [5, 10, 20], "bottom": 20, "top": 80}, "region": {"prefix": [3, 2, 1]}, "job": {"table": "lattice.job"}}') WHERE hierarchy_level IS NOT NULL
$$;
SELECT k, percent, importance, m.level, m.suppressed, round(m.loss::numeric, 9) AS loss, n.level = m.level AND n.suppressed = m.suppressed AND abs(n.loss - m.loss) < 1e-12 AS best
FROM (VALUES (5, 0, '{1,1,1,1}'::float8[]), (5, 5, '{1,1,1,1}'), (5, 5, '{4,1,1,1}'), (10, 2, '{1,1,1,1}'), (2, 50, '{1,2,0.5,3}'), (7, 0.34, '{1,1,1,1}'), (300, 100, '{1,1,1,1}')) AS c (k, percent, importance), made(k, percent, importance) AS m,
	LATERAL (SELECT * FROM nodes(k, percent, importance) AS n ORDER BY round(n.loss::numeric, 12), n.suppressed, (SELECT sum(l) FROM unnest(n.level) AS l), n.level LIMIT 1) AS n;

--
-- Combinations: fewer than k records with the same values in a set of columns are suppressed, until nobody is left who is alike too few.
--
CREATE FUNCTION chosen(sets jsonb, percent float8) RETURNS TABLE (level int[], suppressed bigint, loss float8) LANGUAGE plpgsql AS $$
DECLARE
	allowed CONSTANT int := floor(percent * 300 / 100);
	-- by set, whether fewer than k of those who are left have the values of a record
	fails CONSTANT text := (SELECT string_agg(format('sum(size) FILTER (WHERE NOT hidden) OVER (PARTITION BY %s) < %s', (SELECT string_agg(format('what[%s]', array_position('{age,sex,region,job}'::text[], c)), ', ') FROM jsonb_array_elements_text(d -> 'columns') AS c), d -> 'k'), ' OR ') FROM jsonb_array_elements(sets) AS d);
	most CONSTANT int := (SELECT max((d -> 'k')::int) FROM jsonb_array_elements(sets) AS d);
	node int[]; out int; more int;
BEGIN
	CREATE TEMP TABLE judged (first int, size int, what text[], hidden bool);
	FOR node IN SELECT n.level FROM node AS n LOOP
		TRUNCATE judged;
		INSERT INTO judged SELECT min(id), count(*), ARRAY[become[1][node[1] + 1], become[2][node[2] + 1], become[3][node[3] + 1], become[4][node[4] + 1]] AS what, false FROM leveled GROUP BY 3;
		LOOP
			EXECUTE format('UPDATE judged AS j SET hidden = true FROM (SELECT first, NOT hidden AND (%s) AS fails FROM judged) AS f WHERE f.first = j.first AND f.fails', fails);
			GET DIAGNOSTICS more = ROW_COUNT;
			out := (SELECT coalesce(sum(size), 0) FROM judged AS j WHERE j.hidden);
			EXIT WHEN out > allowed OR (more = 0 AND (out = 0 OR out >= most));
			IF more = 0 THEN
				UPDATE judged AS j SET hidden = true WHERE j.first = (SELECT g.first FROM judged AS g WHERE NOT g.hidden ORDER BY size, g.first LIMIT 1);
			END IF;
		END LOOP;
		IF out <= allowed THEN
			RETURN QUERY SELECT node, out::bigint, sum(size * CASE WHEN hidden THEN 1 ELSE (o.loss[1][node[1] + 1] + o.loss[2][node[2] + 1] + o.loss[3][node[3] + 1] + o.loss[4][node[4] + 1]) / 4 END) / 300 FROM judged AS j JOIN lost AS o ON o.id = first;
		END IF;
	END LOOP;
	DROP TABLE judged;
END
$$;
CREATE FUNCTION combined(combinations jsonb, percent float8) RETURNS TABLE (level int[], suppressed bigint, loss float8) LANGUAGE sql AS $$
	SELECT array_agg(hierarchy_level ORDER BY attribute = 'age' DESC, attribute = 'sex' DESC, attribute = 'region' DESC), min(suppressed), avg(loss)
	FROM sdc_generalize('survey', '{age,sex,region,job}', k => 5, target => 'lattice.sets', replace => to_regclass('lattice.sets') IS NOT NULL, keep => '{illness}', omit => '{income}', scheme => 'lattice', suppress_percent => percent, combinations => combinations,
		hierarchies => '{"age": {"width": [5, 10, 20], "bottom": 20, "top": 80}, "region": {"prefix": [3, 2, 1]}, "job": {"table": "lattice.job"}}') WHERE hierarchy_level IS NOT NULL
$$;
SELECT combinations, percent, m.level, m.suppressed, round(m.loss::numeric, 9) AS loss, n.level = m.level AND n.suppressed = m.suppressed AND abs(n.loss - m.loss) < 1e-12 AS best
FROM (VALUES ('2', 2, '[{"columns": ["age", "sex"], "k": 5}, {"columns": ["age", "region"], "k": 5}, {"columns": ["age", "job"], "k": 5}, {"columns": ["sex", "region"], "k": 5}, {"columns": ["sex", "job"], "k": 5}, {"columns": ["region", "job"], "k": 5}]'::jsonb),
	('[{"columns": ["job", "age"], "k": 12}, {"columns": ["region", "sex", "age"]}, 1]', 4, '[{"columns": ["age", "job"], "k": 12}, {"columns": ["age", "sex", "region"], "k": 5}, {"columns": ["age"], "k": 5}, {"columns": ["sex"], "k": 5}, {"columns": ["region"], "k": 5}, {"columns": ["job"], "k": 5}]'))
	AS c (combinations, percent, sets), combined(combinations::jsonb, percent) AS m, LATERAL (SELECT * FROM chosen(sets, percent) AS n ORDER BY round(n.loss::numeric, 12), n.suppressed, (SELECT sum(l) FROM unnest(n.level) AS l), n.level LIMIT 1) AS n;
SELECT min(k) >= 5 AS three, (SELECT min(k) >= 12 FROM (SELECT count(*) AS k FROM sets GROUP BY job, age) AS g) AS two, (SELECT min(k) < 5 FROM (SELECT count(*) AS k FROM sets GROUP BY age, sex, region, job) AS g) AS not_all FROM (SELECT count(*) AS k FROM sets GROUP BY region, sex, age) AS g;
-- all columns together are what no combinations are; parameters have them, and what they make can be made again
SELECT a.level = b.level AND a.suppressed = b.suppressed AND a.loss = b.loss AS same, parameters -> 'combinations' AS combinations FROM combined('4', 5) AS a, made(5, 5, '{1,1,1,1}') AS b, sdc_releases WHERE release = 'sets'::regclass;
SELECT attribute, method, suppressed, hierarchy_level, loss > 0 AS lost, groups IS NULL AND total_change IS NULL AS others FROM sdc_protect('survey', '[{"method": "generalize", "qi": ["age", "job"], "k": 9, "scheme": "lattice", "combinations": {"size": 1}, "hierarchies": {"age": {"width": [5, 10, 20]}}}]', keep => '{illness}', omit => '{income,sex,region}', target => 'lattice.step') WHERE action = 'protected';
SELECT min(k) >= 9 AS k, (SELECT round(p.found::numeric, 6) = round((SELECT sum(1.0 / (SELECT count(*) FROM step AS y WHERE s.age <@ y.age AND y.job = CASE WHEN y.job = '*' THEN '*' ELSE s.job END)) FROM survey AS s), 6) FROM sdc_people_found('step', '{age,job}') AS p WHERE attack = 'candidates') AS found FROM (SELECT count(*) AS k FROM step GROUP BY age UNION ALL SELECT count(*) FROM step GROUP BY job) AS g;

--
-- What is released: what SQL makes of every value, or everything; groups of k, those who are suppressed included.
--
SELECT * FROM made(5, 5, '{1,1,1,1}');
SELECT parameters - 'tables' - 'hierarchies' - 'losses' - 'loss' AS parameters, jsonb_array_length(parameters #> '{tables,job}') AS rows, parameters #> '{tables,job,0}' AS first FROM sdc_releases WHERE release = 'best'::regclass;
CREATE TABLE how AS SELECT ARRAY[(parameters #>> '{levels,age}')::int, (parameters #>> '{levels,sex}')::int, (parameters #>> '{levels,region}')::int, (parameters #>> '{levels,job}')::int] AS level FROM sdc_releases WHERE release = 'best'::regclass;
SELECT count(*) FILTER (WHERE hidden) AS suppressed, count(*) FILTER (WHERE NOT hidden AND (replace(b.age::text, '(,2', '(,2'), b.sex, b.region, b.job) IS DISTINCT FROM (become[1][level[1] + 1], become[2][level[2] + 1], become[3][level[3] + 1], become[4][level[4] + 1])) AS differing
FROM best AS b JOIN leveled AS l USING (id), how, LATERAL (SELECT (b.age::text, b.sex, b.region, b.job) = ('(,)', '*', '*', '*') AS hidden) AS h;
SELECT k, groups = (SELECT count(DISTINCT group_id) FROM best) AS numbered FROM sdc_kanonymity('best', '{age,sex,region,job}');
-- l and t hold in every group, by the functions that measure them
SELECT DISTINCT suppressed FROM sdc_generalize('survey', '{age,sex,region,job}', sensitive => '{illness}', k => 3, l => 2, target => 'lattice.diverse', omit => '{income}', scheme => 'lattice', suppress_percent => 5, hierarchies => '{"age": {"width": [5, 10, 20]}, "region": {"prefix": [3, 2, 1]}, "job": {"table": "lattice.job"}}');
SELECT k >= 3 AS k, entropy_l >= 2 AS l FROM sdc_kanonymity('diverse', '{age,sex,region,job}'), sdc_ldiversity('diverse', '{age,sex,region,job}', '{illness}');
SELECT count(*) FROM sdc_generalize('survey', '{age,sex,region,job}', sensitive => '{illness}', t => 0.3, target => 'lattice.close', omit => '{income}', scheme => 'lattice', suppress_percent => 5, hierarchies => '{"age": {"width": [5, 10, 20]}, "region": {"prefix": [3, 2, 1]}, "job": {"table": "lattice.job"}}');
SELECT count(*) FROM sdc_generalize('survey', '{age,sex,region,job}', sensitive => '{illness}', k => 2, t => 0.15, t_distance => 'ordered', target => 'lattice.close_ordered', omit => '{income}', scheme => 'lattice', suppress_percent => 5, hierarchies => '{"age": {"width": [5, 10, 20]}, "region": {"prefix": [3, 2, 1]}, "job": {"table": "lattice.job"}}');
SELECT c.t <= 0.3 AS t, o.t_ordered <= 0.15 AS t_ordered, o.k >= 2 AS k FROM sdc_group_privacy('close', '{age,sex,region,job}', '{illness}') AS c, sdc_group_privacy('close_ordered', '{age,sex,region,job}', '{illness}') AS o;

--
-- Who is found: the candidates of everybody, counted by SQL.  What is everything contains all.
--
CREATE FUNCTION twin(known name[]) RETURNS TABLE (found numeric, certain bigint) LANGUAGE plpgsql AS $$
BEGIN
	RETURN QUERY EXECUTE format($q$ SELECT round(sum(1.0 / m), 6), count(*) FILTER (WHERE m = 1) FROM (SELECT i.id, (SELECT count(*) FROM best AS y WHERE %s) AS m FROM leveled AS i, how) AS c $q$,
		(SELECT string_agg(format('(y.%I::text IN (''*'', ''(,)'') OR y.%1$I::text = i.become[%2$s][how.level[%2$s] + 1])', k, array_position('{age,sex,region,job}'::name[], k)), ' AND ') FROM unnest(known) AS k));
END
$$;
SELECT known, attack, round(p.found::numeric, 6) AS found, round(p.found::numeric, 6) = t.found AS same, p.certain = t.certain AS same_certain
FROM (VALUES ('{age}'::name[]), ('{age,job}'), ('{region,sex}'), ('{age,sex,region,job}')) AS k (known), sdc_people_found('best', k.known) AS p, twin(k.known) AS t WHERE attack IN ('candidates', 'nearest') ORDER BY cardinality(known), known, attack;
SELECT round(e.people_found::numeric, 9) = round(p.percent::numeric, 9) AS same FROM sdc_evaluate('best', known => '{age,job}') AS e, sdc_people_found('best', '{age,job}') AS p WHERE p.attack = 'best';
SELECT matched FROM sdc_attribute_risk('best', '{age,sex}', '{illness}');
-- a value that is taken out later can be anything
UPDATE best SET region = NULL WHERE id % 7 = 0;
SELECT count(*), count(*) FILTER (WHERE candidates IS DISTINCT FROM (SELECT count(*) FROM best AS y WHERE (y.age::text = '(,)' OR y.age::text = become[1][level[1] + 1]) AND (y.region IS NULL OR y.region = '*' OR y.region = become[3][level[3] + 1]))) AS differing
FROM sdc_link_release('best', '{age,region}') AS l JOIN leveled AS b ON b.id::text = l.record, how;
-- a column that was given another type since tells nothing any more
ALTER TABLE best ALTER region TYPE varchar;
SELECT round(found::numeric, 6) AS found FROM sdc_people_found('best', '{region}') WHERE attack = 'candidates';

--
-- NULL and missing codes are values of their own at every level below everything; a code that a table has follows it.
--
CREATE TABLE gap (id int PRIMARY KEY, n numeric, x float8, d date, t text, b boolean, "Co lour" text);
INSERT INTO gap SELECT i, CASE i % 5 WHEN 0 THEN NULL WHEN 1 THEN -9 ELSE i % 7 * 1.5 END, CASE i % 6 WHEN 0 THEN float8 'NaN' WHEN 1 THEN float8 'inf' ELSE i % 4 END, date '2020-01-15' + i % 3 * 40, CASE i % 5 WHEN 0 THEN 'refused' WHEN 1 THEN NULL ELSE 'refined ' || i % 2 END, i % 2 = 0, (ARRAY['red', 'blue', '-'])[1 + i % 3] FROM generate_series(1, 120) AS i;
CREATE TABLE colour (colour text, kind text);
INSERT INTO colour VALUES ('red', 'warm'), ('blue', 'cold'), ('-', 'none');
CREATE FUNCTION shown(name name, hierarchies jsonb, k int, missing jsonb DEFAULT NULL) RETURNS TABLE (source text, released text, records bigint) LANGUAGE plpgsql AS $$
BEGIN
	PERFORM FROM sdc_generalize('gap', ARRAY[name], k => k, target => 'lattice.shown', replace => to_regclass('lattice.shown') IS NOT NULL, keep => '{}', omit => (SELECT array_agg(attname) FROM pg_attribute WHERE attrelid = 'gap'::regclass AND attnum > 1 AND attname <> name), scheme => 'lattice', hierarchies => hierarchies, missing => missing);
	RETURN QUERY EXECUTE format('SELECT s.%1$I::text, r.%1$I::text, count(*) FROM gap AS s JOIN shown AS r USING (id) GROUP BY s.%1$I, 2 ORDER BY s.%1$I, 2', name);
END
$$;
SELECT * FROM shown('n', '{"n": {"width": [3, 6]}}', 20);
SELECT * FROM shown('n', '{"n": {"width": [3, 6]}}', 20, '{"n": [-9]}');
SELECT DISTINCT released FROM shown('n', '{"n": {"width": [3, 6]}}', 25, '{"n": [-9]}');
SELECT * FROM shown('x', '{"x": {"width": [2]}}', 20);
SELECT * FROM shown('d', '{"d": {"trunc": ["month", "year"]}}', 41);
SELECT * FROM shown('t', '{"t": {"prefix": [3]}}', 24, '{"t": ["refused"]}');
SELECT * FROM shown('t', '{"t": {"prefix": [3]}}', 24);
SELECT * FROM shown('Co lour', '{"Co lour": {"table": "lattice.colour"}}', 40, '{"Co lour": ["-"]}');
SELECT * FROM shown('Co lour', '{"Co lour": {"table": "lattice.colour"}}', 41);
SELECT DISTINCT source, released FROM shown('b', NULL, 60) ORDER BY 1;
-- somebody without a value is one of those without one
SELECT FROM shown('n', '{"n": {"width": [3, 6]}}', 20, '{"n": [-9]}');
SELECT round(found::numeric, 9) AS found, (SELECT count(DISTINCT n::text || 'x') + 1 FROM shown) AS different FROM sdc_people_found('shown', '{n}') WHERE attack = 'nearest';

--
-- Cuts, and strata: what is released contains the value, and is the lowest node of the group; candidates by SQL.
--
CREATE FUNCTION any_level(release text, known name[]) RETURNS TABLE (found numeric, certain bigint) LANGUAGE plpgsql AS $$
BEGIN
	RETURN QUERY EXECUTE format($q$ SELECT round(sum(1.0 / m), 6), count(*) FILTER (WHERE m = 1) FROM (SELECT i.id, (SELECT count(*) FROM %I AS y WHERE %s) AS m FROM leveled AS i) AS c $q$, release,
		(SELECT string_agg(format('y.%I::text = ANY ((ARRAY(SELECT b FROM unnest(i.become) WITH ORDINALITY AS b (b, n) WHERE (n - 1) / 5 = %s)))', k, array_position('{age,sex,region,job}'::name[], k) - 1), ' AND ') FROM unnest(known) AS k));
END
$$;
SELECT attribute, suppressed, hierarchy_level, loss > 0 AND loss < 0.5 AS less FROM sdc_generalize('survey', '{age,sex,region,job}', k => 4, target => 'lattice.cut', keep => '{illness}', omit => '{income}', hierarchies => '{"age": {"width": [5, 10, 20], "bottom": 20, "top": 80}, "sex": {"prefix": [1]}, "region": {"prefix": [3, 2, 1]}, "job": {"table": "lattice.job"}}') WHERE action = 'protected';
SELECT k >= 4 AS k, groups > 30 AS many FROM sdc_kanonymity('cut', '{age,sex,region,job}');
-- the lowest node of a group: at no lower level its records agree
SELECT c, count(*) FILTER (WHERE released IS DISTINCT FROM lowest) AS differing, count(DISTINCT released) > 1 AS several FROM (SELECT group_id, c, min((ARRAY[y.age::text, y.sex, y.region, y.job])[c]) AS released, (SELECT min(l.become[c][h]) FROM generate_series(1, 5) AS h, cut AS o JOIN leveled AS l USING (id) WHERE o.group_id = y.group_id GROUP BY h HAVING min(l.become[c][h]) = max(l.become[c][h]) ORDER BY h LIMIT 1) AS lowest
	FROM cut AS y, generate_series(1, 4) AS c GROUP BY group_id, c) AS g GROUP BY c ORDER BY c;
SELECT known, round(p.found::numeric, 6) = t.found AS same, p.certain = t.certain AS same_certain FROM (VALUES ('{age}'::name[]), ('{age,job}'), ('{age,sex,region,job}')) AS k (known), sdc_people_found('cut', k.known) AS p, any_level('cut', k.known) AS t WHERE attack = 'candidates' ORDER BY cardinality(known);
-- a column without a hierarchy is cut at medians; l and t hold
SELECT attribute, hierarchy_level, loss IS NULL AS none FROM sdc_generalize('survey', '{age,region}', sensitive => '{illness}', k => 3, l => 2, t => 0.4, target => 'lattice.half', omit => '{sex,job,income}', hierarchies => '{"region": {"prefix": [3, 2, 1]}}') WHERE action = 'protected';
SELECT p.k >= 3 AS k, p.entropy_l >= 2 AS l, p.t <= 0.4 AS t, p.groups > 5 AS many FROM sdc_group_privacy('half', '{age,region}', '{illness}') AS p;
SELECT count(*) FILTER (WHERE NOT s.age <@ h.age) AS outside FROM half AS h JOIN survey AS s USING (id);
SELECT round(p.found::numeric, 6) AS found, round(p.found::numeric, 6) = (SELECT round(sum(1.0 / (SELECT count(*) FROM half AS y WHERE s.age <@ y.age AND y.region = ANY (ARRAY[s.region, left(s.region, 3) || '*', left(s.region, 2) || '*', left(s.region, 1) || '*', '*']))), 6) FROM survey AS s) AS same FROM sdc_people_found('half', '{age,region}') AS p WHERE attack = 'candidates';
-- strata have levels of their own
SELECT attribute, suppressed > 0 AS suppressed, hierarchy_level, loss > 0 AS lost FROM sdc_generalize('survey', '{age,region,job}', k => 5, target => 'lattice.apart', strata => '{sex}', keep => '{illness}', omit => '{income}', scheme => 'lattice', suppress_percent => 5, hierarchies => '{"age": {"width": [5, 10, 20], "bottom": 20, "top": 80}, "region": {"prefix": [3, 2, 1]}, "job": {"table": "lattice.job"}}') WHERE action = 'protected';
SELECT min(k) >= 5 AS k FROM (SELECT count(*) AS k FROM apart GROUP BY sex, age, region, job) AS g;
SELECT known, round(p.found::numeric, 6) = t.found AS same FROM (VALUES ('{age}'::name[]), ('{sex,age,job}'), ('{age,sex,region,job}')) AS k (known), sdc_people_found('apart', k.known) AS p, any_level('apart', k.known) AS t WHERE attack = 'candidates' ORDER BY cardinality(known);
-- NULL is with NULL, and with everything; what is taken out later can be anything
SELECT FROM sdc_generalize('gap', '{n,t}', k => 3, target => 'lattice.gaps', omit => '{x,d,b,"Co lour"}', hierarchies => '{"n": {"width": [3, 6]}, "t": {"prefix": [8, 4]}}');
CREATE FUNCTION among(later boolean) RETURNS numeric LANGUAGE sql AS $$
	SELECT round(sum(1.0 / (SELECT count(*) FROM gaps AS y WHERE (y.n::text = '(,)' OR CASE WHEN s.n IS NULL THEN y.n IS NULL ELSE s.n <@ y.n AND y.n::text <> '(,)' END) AND (y.t = '*' OR (later AND y.t IS NULL) OR CASE WHEN s.t IS NULL THEN y.t IS NULL ELSE y.t = ANY (ARRAY[s.t, left(s.t, 8) || CASE WHEN length(s.t) > 8 THEN '*' ELSE '' END, left(s.t, 4) || '*']) END))), 6) FROM gap AS s
$$;
SELECT round(found::numeric, 6) AS found, round(found::numeric, 6) = among(false) AS same FROM sdc_people_found('gaps', '{n,t}') WHERE attack = 'candidates';
UPDATE gaps SET t = NULL WHERE id % 10 = 3;
SELECT round(found::numeric, 6) AS found, round(found::numeric, 6) = among(true) AS same FROM sdc_people_found('gaps', '{n,t}') WHERE attack = 'candidates';
SELECT sdc_report('cut') IS NOT NULL AS report;

--
-- Steps, policies and sweeps.
--
SELECT method, attribute FROM sdc_protect('survey', '[{"method": "generalize", "qi": ["age", "region"], "k": 4, "scheme": "lattice", "suppress_percent": 5, "hierarchies": {"age": {"width": [10]}, "region": {"prefix": [2]}}, "importance": [2, 1]}, {"method": "rankswap", "columns": ["income"], "p": 20}]', target => 'lattice.steps', keep => '{illness}', omit => '{sex,job}', seed => 1) WHERE method IS NOT NULL;
SELECT (SELECT array_agg(s ->> 'method') FROM jsonb_array_elements(parameters -> 'steps') AS s) AS methods, parameters #> '{steps,0,levels}' AS levels, parameters #> '{steps,0,importance}' AS importance FROM sdc_releases WHERE release = 'steps'::regclass;
SELECT attack, found > 0 AS found FROM sdc_people_found('steps', '{age,region,income}') WHERE attack = 'candidates';
SELECT s.parameter, round(s.people_found::numeric, 9) = round(p.percent::numeric, 9) AS same FROM sdc_sweep('survey', 'generalize', qi => '{age,region}', parameters => '{"scheme": "lattice", "suppress_percent": 5, "hierarchies": {"age": {"width": [10]}, "region": {"prefix": [2]}}}', parameter_values => '{4,20}', known => '{age,region}', omit => '{sex,job,income,illness}') AS s,
	sdc_generalize('survey', '{age,region}', k => s.parameter::int, target => 'lattice.swept_' || s.parameter, scheme => 'lattice', suppress_percent => 5, hierarchies => '{"age": {"width": [10]}, "region": {"prefix": [2]}}', omit => '{sex,job,income,illness}') AS g, sdc_people_found(('swept_' || s.parameter)::regclass, '{age,region}') AS p WHERE g.attribute = 'age' AND p.attack = 'best' ORDER BY 1;
SELECT sdc_policy_set('leveled', 'survey', steps => '[{"method": "generalize", "qi": ["age", "sex", "job"], "k": 5, "scheme": "lattice", "suppress_percent": 3, "hierarchies": {"age": {"width": [10, 20]}, "job": {"table": "lattice.job"}}}]', publish_as => 'lattice.published', limits => '{"people_found": 50}', keep => '{}', omit => '{region,income,illness}');
CALL sdc_run('leveled');
SELECT min(n) >= 5 AS k, sum(n) AS records FROM (SELECT count(*) AS n FROM published GROUP BY age, sex, job) AS g;
SELECT sdc_withdraw('published', 'over');
SELECT sdc_policy_drop('leveled');
-- units that agree are counted once
CREATE TABLE member AS SELECT id, id / 3 AS hid, 10 * (id / 3 % 17) AS rent, age FROM survey;
ALTER TABLE member ADD PRIMARY KEY (id);
SELECT attribute, level, units, suppressed FROM sdc_generalize('member', '{rent}', k => 6, target => 'lattice.homes', omit => '{age}', unit => '{hid}', scheme => 'lattice', hierarchies => '{"rent": {"width": [20, 40]}}');
SELECT min(n) >= 6 AS k FROM (SELECT count(DISTINCT hid) AS n FROM homes JOIN member USING (id, hid) GROUP BY homes.rent) AS g;
SELECT helper.catch($$SELECT sdc_generalize('member', '{age}', k => 6, target => 'lattice.t', omit => '{rent}', unit => '{hid}', scheme => 'lattice', hierarchies => '{"age": {"width": [20]}}')$$);

--
-- Edges: no records, one, all equal, no values, k of all.
--
CREATE TABLE edge (id int PRIMARY KEY, a int, t text);
CREATE FUNCTION edge(k int) RETURNS TABLE (attribute name, hierarchy_level int, suppressed bigint, loss float8) LANGUAGE sql AS $$
	SELECT attribute, hierarchy_level, suppressed, loss FROM sdc_generalize('edge', '{a,t}', k => k, target => 'lattice.edged', replace => to_regclass('lattice.edged') IS NOT NULL, scheme => 'lattice', suppress_percent => 100, hierarchies => '{"a": {"width": [10, 20]}, "t": {"prefix": [2, 1]}}') WHERE action = 'protected'
$$;
SELECT * FROM edge(5);
SELECT attname, atttypid::regtype FROM pg_attribute WHERE attrelid = 'edged'::regclass AND attnum > 1 ORDER BY attnum;
INSERT INTO edge VALUES (1, 3, 'abc');
SELECT * FROM edge(1);
SELECT helper.catch('SELECT * FROM lattice.edge(2)');
INSERT INTO edge SELECT i, 3, 'abc' FROM generate_series(2, 9) AS i;
SELECT * FROM edge(9);
TABLE edged LIMIT 1;
UPDATE edge SET a = NULL, t = NULL;
SELECT * FROM edge(9);
TABLE edged LIMIT 1;
UPDATE edge SET a = id, t = id || 'x';
SELECT * FROM edge(9);
TABLE edged LIMIT 1;

--
-- A value that stays alone, at the ends of its type.
--
CREATE TABLE ends AS SELECT i AS id, (ARRAY[-2147483648, 7, 2147483647])[1 + i % 3] AS x FROM generate_series(0, 5) AS i;
\set call 'FROM sdc_generalize(''ends'', ''{x}'', k => 2, target => ''lattice.ended'', replace => to_regclass(''lattice.ended'') IS NOT NULL, key => ''{id}'', hierarchies => ''{"x": {"width": [5]}}'''
SELECT suppressed :call, scheme => 'lattice');
SELECT x, count(*) FROM ended GROUP BY x ORDER BY x;
SELECT suppressed :call);
SELECT x, count(*) FROM ended GROUP BY x ORDER BY x;
--
-- What is refused.
--
CREATE FUNCTION refused(arguments text) RETURNS text LANGUAGE sql AS $$ SELECT helper.catch('SELECT sdc_generalize(''survey'', ''{age,job}'', target => ''lattice.t'', replace => to_regclass(''lattice.t'') IS NOT NULL, keep => ''{illness}'', omit => ''{sex,region,income}'', ' || arguments || ')') $$;
CREATE TABLE mixed AS SELECT 'job ' || j AS job, CASE WHEN j < 9 THEN 'a' ELSE 'b' END AS label, 'a' AS above FROM generate_series(0, 17) AS j;
CREATE TABLE part (job text, label text, above text);
INSERT INTO part SELECT 'job ' || j, 'label ' || j % 3, 'above ' || j % 4 FROM generate_series(0, 15) AS j UNION ALL SELECT 'job 1', NULL, 'above';
SELECT a, refused(a) FROM unnest(ARRAY[$$k => 5, hierarchies => '{"age": {"width": [5]}}', suppress_percent => 1$$, $$k => 5, hierarchies => '{"age": {"width": [5]}}', importance => '{1,1}'$$, $$k => 5, hierarchies => '{"job": {"table": "lattice.mixed"}}'$$, $$k => 5, scheme => 'trees'$$, $$k => 5, suppress_percent => 1$$, $$k => 5, scheme => 'lattice', suppress_percent => 101$$,
	$$k => 5, scheme => 'lattice', suppress_percent => NULL$$, $$k => 5, t => 0.1$$, $$scheme => 'lattice'$$, $$t => 0.1, scheme => 'lattice'$$, $$t => 2, scheme => 'lattice'$$, $$t => 0.1, t_distance => NULL, scheme => 'lattice'$$, $$l => 2, scheme => 'lattice'$$, $$l => 20, sensitive => '{illness}', scheme => 'lattice'$$,
	$$k => 301, scheme => 'lattice'$$, $$k => 5, scheme => 'lattice', importance => '{1}'$$, $$k => 5, scheme => 'lattice', importance => '{1,0}'$$, $$k => 5, combinations => '2'$$, $$t => 0.5, sensitive => '{illness}', scheme => 'lattice', combinations => '2'$$,
	$$k => 5, scheme => 'lattice', combinations => '3'$$, $$k => 5, scheme => 'lattice', combinations => '[{"columns": ["sex"]}]'$$, $$k => 5, scheme => 'lattice', combinations => '{"size": 1, "k": 301}'$$,
	$$k => 5, scheme => 'lattice', hierarchies => '{"sex": {"prefix": [1]}}'$$, $$k => 5, scheme => 'lattice', hierarchies => '{"age": {"prefix": [1]}}'$$, $$k => 5, scheme => 'lattice', hierarchies => '{"age": {"widths": [5]}}'$$, $$k => 5, scheme => 'lattice', hierarchies => '{"job": {"table": "lattice.part"}}'$$,
	$$k => 5, scheme => 'lattice', hierarchies => '{"job": {"table": "lattice.nowhere"}}'$$]) AS a;
DO $$ BEGIN EXECUTE (SELECT 'CREATE TABLE wide AS SELECT 1 AS id, ' || string_agg('true AS c' || i, ', ') FROM generate_series(1, 20) AS i); END $$;
SELECT helper.catch($$SELECT sdc_generalize('wide', ARRAY(SELECT 'c' || i FROM generate_series(1, 20) AS i)::name[], k => 1, target => 'lattice.t', key => '{id}', scheme => 'lattice')$$);
DROP SCHEMA lattice CASCADE;
