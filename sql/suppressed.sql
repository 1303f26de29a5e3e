--
-- suppressed
--
-- Values that were taken out of a release after it was made, by its owner or by another tool: whatever the method, they
-- can be any value.  What holds is counted in plain SQL.
--
\pset format unaligned
\pset footer off
CREATE SCHEMA suppressed;
SET search_path = suppressed, public;

--
-- In the place of a range or of an array
--
-- Twelve people in groups of three; the last group is NULL.  Sets and ranges of the same values find as many.
CREATE TABLE person AS SELECT i AS id, i AS num, 'v' || i AS word, (i || ' days')::interval AS span, CASE WHEN i % 5 > 0 THEN ('00000000-0000-0000-0000-0000000000' || lpad('' || i, 2, '0'))::uuid END AS code,
	i % 2 = 0 AS flag, date '2000-01-01' + i AS day, i % 4 > 0 AS ill FROM generate_series(1, 12) AS i;
ALTER TABLE person ADD PRIMARY KEY (id);
-- sets of every type: the arrays of what a group has, of which one element is NULL
CREATE TABLE sets AS SELECT p.id, int4range(min(q.num), max(q.num), '[]') AS num, array_agg(DISTINCT q.word) AS word, array_agg(DISTINCT q.span) AS span, array_agg(DISTINCT q.code) AS code, array_agg(DISTINCT q.flag) AS flag,
	daterange(min(q.day), max(q.day), '[]') AS day, p.ill FROM person AS p JOIN person AS q ON (q.id - 1) / 3 = (p.id - 1) / 3 GROUP BY p.id;
SELECT sdc_register('person', 'sets', key => '{id}', steps => '[{"method": "generalize", "qi": ["num","word","span","code","flag","day"], "k": 3}]');

-- contains_sql is the definition: NULL contains everything, an element that is NULL is one like others.
CREATE FUNCTION contains_sql(release regclass, c name) RETURNS text LANGUAGE sql
RETURN (SELECT CASE WHEN typcategory = 'A' THEN format('(r.%1$I IS NULL OR EXISTS (SELECT FROM unnest(r.%1$I) AS x WHERE x IS NOT DISTINCT FROM o.%1$I))', c) ELSE format('(r.%1$I IS NULL OR coalesce(r.%1$I @> o.%1$I, false))', c) END
	FROM pg_attribute JOIN pg_type ON pg_type.oid = atttypid WHERE attrelid = release AND attname = c);
-- check_sets compares all functions with it: the candidates of everybody, and what they tell of ill.
CREATE FUNCTION check_sets(known name[], OUT candidates text, OUT same boolean) LANGUAGE plpgsql AS $$
DECLARE
	pair text := (SELECT string_agg(contains_sql('sets', c), ' AND ') FROM unnest(known) AS c);
BEGIN
	EXECUTE format($q$
		WITH pair AS MATERIALIZED (SELECT o.id AS i, r.id AS l, o.ill AS truth, r.ill AS shown FROM person AS o, sets AS r WHERE %s),
		b AS (SELECT i, count(*) AS candidates, avg((truth = shown)::int) AS cap FROM pair GROUP BY i)
		SELECT string_agg(l.candidates::text, ' ' ORDER BY p.id),
			bool_and(l.candidates = coalesce(b.candidates, 0) AND l.correct AND l.certain = (b.candidates = 1) AND k.candidates = b.candidates AND k.attacks = '{nearest}' AND k.certain = l.certain)
			AND abs(max(f.found) - sum(1.0::float8 / b.candidates)) < 1e-9 AND max(f.certain) = count(*) FILTER (WHERE b.candidates = 1)
			AND abs(max(e.people_found) - max(f.percent)) < 1e-9 AND abs(max(a.cap) - avg(b.cap)) < 1e-9 AND max(a.matched) = 12 AND max(w.single) >= max(f.single)
		FROM person AS p LEFT JOIN b ON b.i = p.id JOIN sdc_link_release('sets', $1) AS l ON l.record = p.id::text JOIN sdc_record_risk('sets', $1) AS k ON k.record = l.record,
			sdc_people_found('sets', $1) AS f, sdc_people_found('sets', $1, true) AS w, sdc_evaluate('sets', $1) AS e, sdc_attribute_risk('sets', $1, '{ill}') AS a WHERE f.attack = 'any' AND w.attack = 'any'$q$, pair) INTO candidates, same USING known;
END
$$;
CREATE VIEW checks AS SELECT known, c.* FROM (VALUES (1, '{num}'::name[]), (2, '{word}'), (3, '{span}'), (4, '{code}'), (5, '{flag}'), (6, '{day}'), (7, '{num,word}'), (8, '{code,flag,day}'), (9, '{word,span,code,flag}')) AS k (n, known), LATERAL check_sets(known) AS c ORDER BY n;
SELECT * FROM checks;
-- the last group
UPDATE sets SET num = NULL, word = NULL, span = NULL, code = NULL, flag = NULL, day = NULL WHERE id > 9;
SELECT * FROM checks;
-- single cells of single records, after that
UPDATE sets SET word = NULL WHERE id IN (1, 4);
UPDATE sets SET num = NULL, code = NULL WHERE id = 2;
UPDATE sets SET flag = NULL, word = NULL WHERE id = 7;
SELECT * FROM checks;
-- one of nothing but NULL
UPDATE sets SET code = '{NULL}' WHERE id = 6;
SELECT string_agg(candidates::text, ' ' ORDER BY record::int) = (SELECT string_agg(n::text, ' ' ORDER BY id) FROM (SELECT o.id, count(*) AS n FROM person AS o, sets AS r WHERE r.code IS NULL OR EXISTS (SELECT FROM unnest(r.code) AS x WHERE x IS NOT DISTINCT FROM o.code) GROUP BY o.id) AS s) AS same
FROM sdc_link_release('sets', '{code}') WHERE candidates > 0;
-- what is empty was suppressed as well: it finds what NULL in its place does
CREATE TABLE nulls AS TABLE sets;
CREATE TABLE nothing AS TABLE sets;
UPDATE nulls SET num = NULL, word = NULL, span = NULL, code = NULL, flag = NULL, day = NULL WHERE id IN (3, 5);
UPDATE nothing SET num = 'empty', word = '{}', span = '{}', code = '{}', flag = '{}', day = 'empty' WHERE id IN (3, 5);
SELECT sdc_register('person', r, key => '{id}', steps => '[{"method": "generalize", "qi": ["num","word","span","code","flag","day"], "k": 3}]') FROM unnest('{nulls,nothing}'::regclass[]) AS r;
SELECT known, (SELECT count(*) FROM sdc_link_release('nothing', known) WHERE candidates = 0) AS nobody, (SELECT candidates > 2 FROM sdc_link_release('nothing', known) WHERE record = '3') AS third,
	(SELECT jsonb_agg(l ORDER BY l.record) FROM sdc_link_release('nothing', known) AS l) = (SELECT jsonb_agg(l ORDER BY l.record) FROM sdc_link_release('nulls', known) AS l) AS candidates,
	(SELECT jsonb_agg(f ORDER BY f.attack) FROM sdc_people_found('nothing', known) AS f) = (SELECT jsonb_agg(f ORDER BY f.attack) FROM sdc_people_found('nulls', known) AS f) AS people,
	(SELECT jsonb_agg(f) FROM sdc_record_risk('nothing', known) AS f) = (SELECT jsonb_agg(f) FROM sdc_record_risk('nulls', known) AS f) AS records,
	(SELECT to_jsonb(f) FROM sdc_attribute_risk('nothing', known, '{ill}') AS f) = (SELECT to_jsonb(f) FROM sdc_attribute_risk('nulls', known, '{ill}') AS f) AS attribute,
	(SELECT k_map FROM sdc_attacker_risk('nothing', known, 'person')) = (SELECT k_map FROM sdc_attacker_risk('nulls', known, 'person')) AS attacker
FROM unnest(ARRAY['{num}', '{word}', '{span}', '{code}', '{flag}', '{day}', '{num,word}', '{code,flag,day}']) AS k (names), LATERAL CAST(k.names AS name[]) AS known;
-- everything
UPDATE sets SET num = NULL, word = NULL, span = NULL, code = NULL, flag = NULL, day = NULL;
SELECT DISTINCT candidates, same FROM checks;

-- A rare one that its owner has suppressed is the only one that the person can be.
CREATE TABLE rare AS SELECT i AS id, CASE WHEN i < 9 THEN 'v' || i % 2 ELSE 'rare' END AS word FROM generate_series(1, 9) AS i;
ALTER TABLE rare ADD PRIMARY KEY (id);
SELECT count(*) FROM sdc_generalize('rare', '{word}', k => 1, keep => '{}', target => 'rare_groups');
UPDATE rare_groups SET word = NULL WHERE id = 9;
SELECT candidates, correct, certain FROM sdc_link_release('rare_groups', '{word}') WHERE record = '9';
SELECT attacks, candidates, certain FROM sdc_record_risk('rare_groups', '{word}') WHERE record = '9';
SELECT round(found::numeric, 6) AS found, certain FROM sdc_people_found('rare_groups', '{word}') WHERE attack = 'any';

--
-- In the place of a value
--
-- Forty people in three towns and a rare one, half of them without an age.
CREATE TABLE people AS SELECT i AS id, CASE WHEN i = 40 THEN 'rare' ELSE 'v' || i % 3 END AS town, i * 10 AS income, i % 2 AS sex, CASE WHEN i % 2 = 0 THEN i / 4 END AS age FROM generate_series(1, 40) AS i;
ALTER TABLE people ADD PRIMARY KEY (id);
SELECT count(*) FROM sdc_rankswap('people', p => 10, columns => '{income}', keep => '{town,sex,age}', seed => 's', target => 'swapped');
-- without blanks NULL agrees with NULL only
SELECT candidates, count(*) FROM sdc_link_release('swapped', '{age}') GROUP BY candidates ORDER BY candidates;
-- a copied value: everybody sees that the blank is the rare town
UPDATE swapped SET town = NULL WHERE id = 40;
SELECT record, candidates, correct, certain FROM sdc_link_release('swapped', '{town,sex}') WHERE record = '40';
SELECT candidates, count(*) FROM sdc_link_release('swapped', '{town}') GROUP BY candidates ORDER BY candidates;
SELECT people_found > 0 AS people, certain_percent FROM sdc_evaluate('swapped', known => '{town,sex}');
SELECT certain FROM sdc_people_found('swapped', '{town,sex}', true) WHERE attack = 'any';
-- a swapped one
UPDATE swapped SET income = NULL WHERE id = 40;
SELECT record, candidates, correct, certain FROM sdc_link_release('swapped', '{town,income}') WHERE record = '40';
-- with one blank, every NULL of the column is one
UPDATE swapped SET age = NULL WHERE id = 2;
SELECT candidates, count(*) FROM sdc_link_release('swapped', '{age}') GROUP BY candidates ORDER BY candidates;
-- windows are those of the source's 40 values, whatever is left: 4 positions of the values that are there
UPDATE swapped SET income = NULL WHERE id % 4 < 3;
SELECT bool_and(l.candidates = 30 + (SELECT count(*) FROM swapped AS r WHERE r.income IS NOT NULL AND CASE
	WHEN r.income > o.income THEN (SELECT count(*) FILTER (WHERE g.income < r.income) + 1 - count(*) FILTER (WHERE g.income <= o.income) FROM swapped AS g)
	WHEN r.income < o.income THEN (SELECT count(*) FILTER (WHERE g.income < o.income) + 1 - count(*) FILTER (WHERE g.income <= r.income) FROM swapped AS g) ELSE 0 END <= 4)) AS same
FROM sdc_link_release('swapped', '{income}') AS l JOIN people AS o ON o.id::text = l.record;
-- all of it: nobody can be told from the others by what is not there
UPDATE swapped SET income = NULL, town = NULL, age = NULL;
SELECT min(candidates), max(candidates) FROM sdc_link_release('swapped', '{town,income,age}');
SELECT attack, round(found::numeric, 6) AS found, certain FROM sdc_people_found('swapped', '{town,income,age}') WHERE attack <> 'agreement';
SELECT round(found::numeric, 6) AS found FROM sdc_people_found('swapped', '{town,income,age}', true) WHERE attack = 'candidates';

-- Strata: who lacks the known stratum can be in any; so can who lacks all values that were swapped within them.
CREATE TABLE halves AS SELECT i AS id, i % 2 AS half, i AS x FROM generate_series(1, 20) AS i;
ALTER TABLE halves ADD PRIMARY KEY (id);
SELECT count(*) FROM sdc_rankswap('halves', p => 10, columns => '{x}', strata => '{half}', seed => 1, target => 'strata');
SELECT max(candidates) <= 3 AS narrow FROM sdc_link_release('strata', '{half,x}');
CREATE TEMP TABLE before AS SELECT record, candidates FROM sdc_link_release('strata', '{half,x}');
UPDATE strata SET half = NULL WHERE id = 1;
SELECT l.record::int % 2 AS half, count(*) FILTER (WHERE l.candidates > b.candidates) > 0 AS more FROM sdc_link_release('strata', '{half,x}') AS l JOIN before AS b USING (record) GROUP BY half ORDER BY half;
UPDATE strata SET x = NULL WHERE id = 1;
SELECT DISTINCT l.candidates - b.candidates AS more FROM sdc_link_release('strata', '{half,x}') AS l JOIN before AS b USING (record) WHERE l.record::int NOT BETWEEN 1 AND 3;

-- Bins: of two columns that were swapped together one blank leaves the other; a group of permutation that lacks a value can have any.
CREATE TABLE deep AS SELECT i AS id, helper.uniform(i, 71) AS x, helper.uniform(i, 72) AS y, i % 7 AS z FROM generate_series(1, 60) AS i;
ALTER TABLE deep ADD PRIMARY KEY (id);
SELECT count(*) FROM sdc_equidepth_swap('deep', depth => 6, columns => '{x,y}', keep => '{z}', target => 'bins', seed => 1);
SELECT count(DISTINCT candidates) AS sizes, max(candidates) < 15 AS small FROM sdc_link_release('bins', '{x,y}');
CREATE TEMP TABLE bins_before AS SELECT record, candidates FROM sdc_link_release('bins', '{x,y}');
UPDATE bins SET y = NULL WHERE id = 1;
-- x and y are different for everybody: they tell the bin, and x alone does
SELECT bool_and(l.candidates = b.candidates) AS as_many, bool_and(correct) AS correct FROM sdc_link_release('bins', '{x,y}') AS l JOIN bins_before AS b USING (record);
UPDATE bins SET x = NULL WHERE id = 1;
SELECT l.candidates - b.candidates AS more, count(*) > 40 AS many FROM sdc_link_release('bins', '{x,y}') AS l JOIN bins_before AS b USING (record) GROUP BY more ORDER BY more DESC LIMIT 1;
SELECT count(*) FROM sdc_permute('deep', '{x}', '{z}', l => 3, keep => '{y}', target => 'permuted', seed => 1);
CREATE FUNCTION permuted_twin(OUT same boolean, OUT own boolean) LANGUAGE sql
RETURN (SELECT (bool_and(l.candidates = (SELECT count(*) FROM permuted AS r WHERE EXISTS (SELECT FROM permuted AS g WHERE g.group_id = r.group_id AND (g.z IS NULL OR g.z = o.z)))), bool_and(l.correct))
	FROM sdc_link_release('permuted', '{z}') AS l JOIN deep AS o ON o.id::text = l.record);
SELECT * FROM permuted_twin();
UPDATE permuted SET z = NULL WHERE id IN (1, 30);
SELECT * FROM permuted_twin();

-- A release of another tool: columns that it does not name are copied.
CREATE TABLE other AS SELECT id, CASE WHEN id <> 40 THEN town END AS town, income + id % 3 AS income, sex FROM people;
SELECT sdc_register('people', 'other', '{income}', '{id}');
SELECT candidates, certain FROM sdc_link_release('other', '{town}') WHERE record = '40';

-- Evaluations and limits are of what the release has by now.
SELECT count(*) FROM sdc_rankswap('people', p => 10, columns => '{income}', keep => '{town,sex,age}', seed => 's', target => 'leaves');
UPDATE leaves SET town = NULL WHERE id = 40;
CREATE TEMP TABLE evaluated AS SELECT people_found FROM sdc_evaluate('leaves', known => '{town,sex}');
SELECT abs(e.people_found - f.percent) < 1e-9 AS same FROM evaluated AS e, sdc_people_found('leaves', '{town,sex}') AS f WHERE attack = 'any';
SELECT sdc_assert_risk('leaves', 100);
SELECT left(helper.catch(format($$SELECT sdc_assert_risk('leaves', %s)$$, percent - 0.001)), 5) AS refused FROM sdc_people_found('leaves') WHERE attack = 'any';

--
-- Changed, and not blanked
--
UPDATE leaves SET town = 'elsewhere' WHERE id < 3;
SELECT helper.catch($$SELECT FROM sdc_people_found('leaves')$$);
SELECT helper.catch($$SELECT FROM sdc_attribute_risk('leaves', '{sex}', '{town}')$$);
SELECT helper.catch($$SELECT FROM sdc_cell_errors('leaves', '{town}')$$);
SELECT helper.catch($$SELECT FROM sdc_query_errors('leaves', seed => 1, qi => '{town,sex}', sensitive => '{age}')$$);
-- who does not know it can be asked for all the same
SELECT count(*) > 0 AS measured FROM sdc_people_found('leaves', '{sex,income}');
-- the hint: blanks; or another tool's release
BEGIN;
UPDATE leaves SET town = NULL WHERE id < 3;
SELECT count(*) > 0 AS measured FROM sdc_people_found('leaves');
ROLLBACK;
SELECT sdc_unregister('leaves');
SELECT sdc_register('people', 'leaves', key => '{id}');
SELECT count(*) > 0 AS measured FROM sdc_people_found('leaves');

--
-- What is learned
--
-- The guess where nobody else is a candidate: the most frequent value of the others.
CREATE TABLE guessed (id int PRIMARY KEY, q int, r int, s text);
CREATE FUNCTION without() RETURNS TABLE (found float8) LANGUAGE sql AS $$
	SELECT 100 * avg(CASE WHEN right_one THEN 1.0::float8 / ties ELSE 0 END) FROM (
		SELECT o.id, (SELECT count(*) FROM (SELECT rank() OVER (ORDER BY count(*) DESC) AS rank FROM guessed AS r WHERE r.id <> o.id GROUP BY r.s) AS a WHERE rank = 1) AS ties,
			EXISTS (SELECT FROM (SELECT r.s, rank() OVER (ORDER BY count(*) DESC) AS rank FROM guessed AS r WHERE r.id <> o.id GROUP BY r.s) AS a WHERE rank = 1 AND a.s IS NOT DISTINCT FROM o.s) AS right_one
		FROM guessed AS o) AS g
$$;
CREATE FUNCTION check_without(sensitive text[], OUT generalized float8, OUT copied float8, OUT swapped float8, OUT drawn float8, OUT same boolean) LANGUAGE plpgsql AS $$
BEGIN
	TRUNCATE guessed;
	INSERT INTO guessed SELECT i, i, i, sensitive[i] FROM generate_subscripts(sensitive, 1) AS i;
	PERFORM sdc_generalize('guessed', '{q}', k => 1, keep => '{r,s}', target => 'suppressed.of_groups', replace => true);
	PERFORM sdc_rankswap('guessed', p => 1, columns => '{q}', keep => '{r,s}', target => 'suppressed.of_windows', seed => 1, replace => true);
	PERFORM sdc_randomize('guessed', '{q,r}', probabilities => '{1,0}', keep => '{s}', target => 'suppressed.of_draws', seed => 1, replace => true);
	SELECT found_without_percent INTO generalized FROM sdc_attribute_risk('of_groups', '{q}', '{s}');
	SELECT found_without_percent INTO copied FROM sdc_attribute_risk('of_groups', '{r}', '{s}');
	SELECT found_without_percent INTO swapped FROM sdc_attribute_risk('of_windows', '{r,q}', '{s}');
	SELECT found_without_percent INTO drawn FROM sdc_attribute_risk('of_draws', '{r}', '{s}');
	SELECT bool_and(abs(x - w.found) < 1e-9) INTO same FROM without() AS w, unnest(ARRAY[generalized, copied, swapped, drawn]) AS x;
END
$$;
SELECT sensitive, round(c.copied::numeric, 4) AS copied, c.same FROM (VALUES (1, '{v1,v2}'::text[]), (2, '{v2,v2,v3,v4,v5}'), (3, '{a,a}'), (4, '{a}'), (5, '{a,a,b,b,c}'), (6, '{a,a,a,b,b,c,c}'), (7, '{NULL,NULL,a,b}'), (8, '{NULL,a}'), (9, '{NULL,NULL,a,a,b}'), (10, '{a,b,b,c,c,c}')) AS s (n, sensitive), LATERAL check_without(sensitive) AS c ORDER BY n;

-- A sensitive value that is blanked is none: it is not guessed, and hides that the others agree.
CREATE TABLE told AS SELECT i AS id, (i - 1) / 4 AS block, CASE WHEN i <= 4 THEN 'a' WHEN i <= 8 THEN 'b' ELSE 'c' || i % 2 END AS s FROM generate_series(1, 12) AS i;
ALTER TABLE told ADD PRIMARY KEY (id);
SELECT count(*) FROM sdc_generalize('told', '{block}', k => 4, keep => '{s}', target => 'tells');
SELECT round(cap::numeric, 4) AS cap, round(found_percent::numeric, 4) AS found, round(found_without_percent::numeric, 4) AS without, round(baseline_percent::numeric, 4) AS baseline, disclosed, of_group FROM sdc_attribute_risk('tells', '{block}', '{s}');
-- three of four a are blanks: a is still guessed in its block, and nobody is sure; 9 of 12 show a value
UPDATE tells SET s = NULL WHERE id <= 3;
SELECT abs(cap - (4 * 0.25 + 4 * 1 + 4 * 0.5) / 12.0::float8) < 1e-9 AS cap, abs(found_percent - 100 * (4 + 4 + 4 * 0.5) / 12.0::float8) < 1e-9 AS found, abs(baseline_percent - 100 * 4 / 12.0::float8) < 1e-9 AS baseline, disclosed, of_group FROM sdc_attribute_risk('tells', '{block}', '{s}');
-- nobody shows anything in the block: the most frequent value of all others, b
UPDATE tells SET s = NULL WHERE id <= 4;
SELECT abs(found_percent - 100 * (0 + 4 + 4 * 0.5) / 12.0::float8) < 1e-9 AS found, matched, disclosed FROM sdc_attribute_risk('tells', '{block}', '{s}');
UPDATE tells SET s = NULL;
SELECT matched, cap, found_percent, found_without_percent, baseline_percent, disclosed, tcap FROM sdc_attribute_risk('tells', '{block}', '{s}');
--
-- By NaN and infinity
--
-- What has no number stands in the place of a value that was taken out, whatever the method: attacks find what they find of NULL.
CREATE TABLE numbers AS SELECT i AS id, (i * 7919 % 101)::float8 AS x, (i * 104729 % 97)::float4 AS y, i % 5 AS g, i % 3 = 0 AS ill FROM generate_series(1, 60) AS i;
ALTER TABLE numbers ADD PRIMARY KEY (id);
-- found is what attacks find of a release, the order of records and measures aside
CREATE FUNCTION found(release regclass) RETURNS jsonb LANGUAGE sql
RETURN jsonb_build_array((SELECT jsonb_agg(l ORDER BY l.record) FROM sdc_link_release(release, '{x,y}') AS l), (SELECT jsonb_agg(f ORDER BY f.attack) FROM sdc_people_found(release, '{x,y}') AS f),
	(SELECT jsonb_agg(k ORDER BY k.record) FROM sdc_record_risk(release, '{x,y}') AS k), (SELECT to_jsonb(a) FROM sdc_attribute_risk(release, '{x,y}', '{ill}') AS a), (SELECT to_jsonb(a) FROM sdc_attribute_risk(release, '{y,g}', '{x}') AS a));
CREATE FUNCTION by_nan(method text, arguments text, OUT nulls_found int, OUT nan boolean, OUT infinity boolean, OUT changed boolean) LANGUAGE plpgsql AS $$
DECLARE
	as_made jsonb;
	as_nulls jsonb;
BEGIN
	EXECUTE format('SELECT count(*) FROM sdc_%s(''numbers'', %s, target => ''numbers_r'', replace => true)', method, arguments);
	as_made := found('numbers_r');
	CREATE TABLE kept_r AS TABLE numbers_r;
	UPDATE numbers_r SET x = NULL, y = CASE WHEN id > 5 THEN y END WHERE id <= 8;
	as_nulls := found('numbers_r');
	nulls_found := (SELECT count(*) FROM jsonb_array_elements(as_nulls -> 0) AS l WHERE (l ->> 'candidates')::int > 0);
	changed := as_nulls IS DISTINCT FROM as_made;
	UPDATE numbers_r AS r SET x = 'NaN', y = CASE WHEN r.id > 5 THEN k.y ELSE 'NaN' END FROM kept_r AS k WHERE k.id = r.id AND r.id <= 8;
	nan := found('numbers_r') = as_nulls;
	UPDATE numbers_r AS r SET x = CASE WHEN r.id % 2 = 0 THEN '-Infinity' ELSE 'Infinity' END::float8, y = CASE WHEN r.id > 5 THEN k.y ELSE 'Infinity' END FROM kept_r AS k WHERE k.id = r.id AND r.id <= 8;
	infinity := found('numbers_r') = as_nulls;
	DROP TABLE kept_r;
END
$$;
CREATE TABLE methods (n int, method text, arguments text);
INSERT INTO methods VALUES (1, 'rankswap', $$p => 20, columns => '{x,y}', seed => 1$$), (2, 'rankswap_distribution', $$p => 20, columns => '{x,y}', seed => 1$$), (3, 'rankswap_buckets', $$buckets => 6, columns => '{x,y}', seed => 1$$),
	(4, 'equidepth_swap', $$depth => 5, columns => '{x,y}', seed => 1$$), (5, 'equiwidth_swap', $$intervals => 4, columns => '{x,y}', seed => 1$$), (6, 'randomize', $$qi => '{x,y}', draws => 1, seed => 1$$),
	(7, 'permute', $$qi => '{g}', sensitive => '{x}', l => 3, seed => 1$$);
SELECT method, b.* FROM (SELECT * FROM methods ORDER BY n) AS m, LATERAL by_nan(method, arguments) AS b;
-- A NaN of the source that was swapped is a value, as long as the release has no more of them: two people without a number are
-- swapped with each other.  With a third one any of the three may be the one that was put there.
UPDATE numbers SET x = 'NaN' WHERE id IN (20, 40);
SELECT count(*) FROM sdc_equidepth_swap('numbers', depth => 5, columns => '{x}', keep => '{g}', omit => '{y,ill}', seed => 1, target => 'bins_r');
SELECT record, candidates, correct FROM sdc_link_release('bins_r', '{x}') WHERE record IN ('20', '40');
UPDATE bins_r SET x = 'NaN' WHERE id = 1;
SELECT record, candidates, correct FROM sdc_link_release('bins_r', '{x}') WHERE record IN ('20', '40');
SELECT count(*) AS people FROM sdc_link_release('bins_r', '{x}') WHERE candidates >= 3 AND correct;

DROP SCHEMA suppressed CASCADE;
