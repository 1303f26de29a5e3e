--
-- randomize_continued
--
-- Random anonymization that is continued: what was drawn for a record stays as long as its original does.
--
-- Twenty nights of a table in which people come, go, come back and change.  All values of a and b are different, so that it
-- shows which cells were drawn; c has ties and NULLs.  What must hold is asked in SQL, of what was seen of source and release.
--
\pset format unaligned
\pset footer off
CREATE SCHEMA again;
SET search_path = again, public;

-- Who is there on a night, from 1 on: a function of the id and the night, and so are the values.
CREATE FUNCTION lives(id int, night int) RETURNS boolean LANGUAGE sql IMMUTABLE
RETURN (helper.below(id, 1, 100) < 70) <> (helper.below(id + 1000 * ((night + id) / 7), 2, 100) < 15);
CREATE FUNCTION version(id int, night int, attribute int) RETURNS int LANGUAGE sql IMMUTABLE
RETURN (SELECT count(*) FROM generate_series(2, night) AS n WHERE helper.below(id + 1000 * n, 10 + attribute, 100) < 5);
CREATE FUNCTION source_of(night int) RETURNS TABLE (id int, region text, a int, b text, c int) LANGUAGE sql IMMUTABLE
BEGIN ATOMIC
	SELECT i, (ARRAY['north', 'south'])[1 + i % 2], 1000 * i + version(i, night, 1), format('%s-%s', i, version(i, night, 2)),
		CASE WHEN helper.below(i + 1000 * version(i, night, 3), 4, 6) > 0 THEN helper.below(i + 1000 * version(i, night, 3), 5, 4) END
	FROM generate_series(1, 120) AS i WHERE lives(i, night);
END;
CREATE TABLE people (id int PRIMARY KEY, region text, a int, b text, c int);

CREATE TABLE seen (history text, night int, id int, region text, attribute text, original text, released text);
CREATE TABLE report (history text, night int, attribute text, records bigint, changed bigint, kept bigint, drawn bigint, waiting bigint,
	widows bigint, beyond float8, largest float8);

-- see notes source and release of a night.
CREATE PROCEDURE see(history text, night int) LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('INSERT INTO seen SELECT %L, %s, s.id, s.region, c.attribute, c.original, c.released
		FROM people AS s JOIN %I AS r USING (id), LATERAL (VALUES (''a'', s.a::text, r.a::text), (''b'', s.b, r.b), (''c'', s.c::text, r.c::text))
			AS c (attribute, original, released)', history, night, history);
	IF helper.count_of(format('SELECT count(*) FROM people FULL JOIN %I AS r USING (id) WHERE num_nulls(people.id, r.id) > 0', history)) > 0 THEN
		RAISE 'night %: other records', night;
	END IF;
END
$$;

-- run runs the nights of a history: what is asked for besides, and the order of the rows.
CREATE PROCEDURE run(history text, arguments text, nights int, ordering text) LANGUAGE plpgsql AS $$
BEGIN
	FOR night IN 1 .. nights LOOP
		TRUNCATE people;
		EXECUTE format('INSERT INTO people SELECT * FROM source_of(%s) ORDER BY %s', night, ordering);
		EXECUTE format('INSERT INTO report SELECT %L, %s, attribute, records, changed, kept, drawn, waiting, widows, beyond, largest
			FROM sdc_randomize(''people'', ''{a,b,c}'', %s, target => %L, seed => 7, continued => true) WHERE action = ''protected''', history, night, arguments, history);
		CALL see(history, night);
	END LOOP;
END
$$;
CALL run('one', 'probabilities => ''{0.3,0.3,0.4}''', 20, 'id');
CALL run('two', 'draws => 2', 20, 'id');
CALL run('all_drawn', 'draws => 3', 20, 'id');
CALL run('strata', 'draws => 2, strata => ''{region}''', 20, 'id');
CALL run('shuffled', 'draws => 2', 20, 'md5(id::text)');

-- Enough happens: nights on which somebody comes, goes, comes back after having gone, and changes.
SELECT count(DISTINCT night) FILTER (WHERE before IS NULL) AS come, count(DISTINCT night) FILTER (WHERE before < night - 1) AS come_back,
	count(DISTINCT night) FILTER (WHERE before = night - 1 AND original IS DISTINCT FROM original_before) AS change
FROM (SELECT *, lag(night) OVER w AS before, lag(original) OVER w AS original_before FROM seen WHERE history = 'one' WINDOW w AS (PARTITION BY id, attribute ORDER BY night)) AS s
WHERE night > 1;
-- stay numbers the times that somebody is there: who comes back is a newcomer.
CREATE VIEW stay AS
SELECT *, count(*) FILTER (WHERE before IS DISTINCT FROM night - 1) OVER w AS stay
FROM (SELECT *, lag(night) OVER w AS before, lag(original) OVER w AS original_before, lag(released) OVER w AS released_before
	FROM seen WINDOW w AS (PARTITION BY history, id, attribute ORDER BY night)) AS s
WINDOW w AS (PARTITION BY history, id, attribute ORDER BY night);
-- What is released of who stays is the same as long as the original is.
SELECT history, count(*) > 1000 AS cells, count(*) FILTER (WHERE released IS DISTINCT FROM released_before) AS others
FROM stay WHERE before = night - 1 AND original IS NOT DISTINCT FROM original_before GROUP BY history ORDER BY history;
-- NULLs stay, and what is released is of the same night, of the same stratum, where it is new.
SELECT history, count(*) FILTER (WHERE num_nulls(original, released) = 1) AS nulls,
	count(*) FILTER (WHERE released IS NOT NULL AND NOT EXISTS (SELECT FROM seen AS o WHERE (o.history, o.night, o.attribute, o.original) = (s.history, s.night, s.attribute, s.released)
		AND (s.history <> 'strata' OR o.region = s.region))) AS of_nobody
FROM stay AS s WHERE before IS DISTINCT FROM night - 1 OR original IS DISTINCT FROM original_before GROUP BY history ORDER BY history;
-- Of one stay never more attributes than asked for are other values, over all nights; of all_drawn nearly all are.
SELECT history, min(others) AS least, max(others) AS most, round(avg(others), 1) AS mean
FROM (SELECT history, id, stay, count(DISTINCT attribute) FILTER (WHERE released <> original) AS others FROM stay GROUP BY history, id, stay) AS s
GROUP BY history ORDER BY history;
-- Who comes back draws again: the attributes of two stays are others for some, the same for some (RA 1).
SELECT count(*) FILTER (WHERE attributes = attributes_before) > 0 AS same, count(*) FILTER (WHERE attributes <> attributes_before) > 0 AS others
FROM (SELECT id, stay, attributes, lag(attributes) OVER (PARTITION BY id ORDER BY stay) AS attributes_before
	FROM (SELECT id, stay, array_agg(DISTINCT attribute) AS attributes FROM stay WHERE history = 'one' AND released <> original AND attribute <> 'c' GROUP BY id, stay) AS s) AS s;
-- The order in which rows come does not matter.
SELECT count(*) AS cells, count(*) FILTER (WHERE s.released IS DISTINCT FROM t.released) AS others
FROM seen AS s JOIN seen AS t USING (night, id, attribute) WHERE (s.history, t.history) = ('shuffled', 'two');
-- The report: kept and changed are counted in what was seen; where all is drawn, so is drawn.
WITH counted AS (
	SELECT history, night, attribute, count(*) AS records, count(*) FILTER (WHERE released IS DISTINCT FROM original) AS changed,
		count(*) FILTER (WHERE before = night - 1 AND released IS NOT DISTINCT FROM released_before) AS kept,
		count(*) FILTER (WHERE original IS NOT NULL AND (before IS DISTINCT FROM night - 1 OR original IS DISTINCT FROM original_before)) AS drawn
	FROM stay GROUP BY history, night, attribute)
SELECT history, count(*) AS rows, bool_and((r.records, r.changed, r.kept) = (c.records, c.changed, c.kept)) AS counts, bool_and(r.drawn = c.drawn) AS all_drawn,
	bool_and(r.drawn <= c.drawn) AS not_more, bool_and(r.waiting = 0) AS nobody_waits, count(*) FILTER (WHERE num_nonnulls(widows, beyond, largest) > 0) AS pairs
FROM report AS r JOIN counted AS c USING (history, night, attribute) GROUP BY history ORDER BY history;

-- The first night is what the method makes without being continued.
TRUNCATE people;
INSERT INTO people SELECT * FROM source_of(1);
SELECT count(*) FROM sdc_randomize('people', '{a,b,c}', draws => 2, target => 'plain', seed => 7);
SELECT count(*) FILTER (WHERE p.a::text = s.released) AS same, count(*) AS records FROM plain AS p JOIN seen AS s USING (id) WHERE (history, night, attribute) = ('two', 1, 'a');
SELECT count(*) FILTER (WHERE p.c::text IS NOT DISTINCT FROM s.released) AS same, count(*) AS records FROM plain AS p JOIN seen AS s USING (id) WHERE (history, night, attribute) = ('two', 1, 'c');

-- The same source again: nothing is drawn, and the table is not written.
TRUNCATE people;
INSERT INTO people SELECT * FROM source_of(20) ORDER BY md5(id::text);
CREATE TABLE file AS SELECT oid, relfilenode FROM pg_class WHERE oid = 'two'::regclass;
SELECT attribute, kept = records AS kept, drawn FROM sdc_randomize('people', '{a,b,c}', draws => 2, target => 'two', seed => 7, continued => true) WHERE action = 'protected';
SELECT attribute, kept = records AS kept, drawn FROM sdc_randomize('people', '{a,b,c}', draws => 2, target => 'two', seed => 'another', continued => true) WHERE action = 'protected';
SELECT count(*) AS same FROM pg_class JOIN file USING (oid, relfilenode);
-- with another copied column it is, though nothing is drawn; a renamed column is the same one
UPDATE people SET region = 'west' WHERE id % 10 = 0;
ALTER TABLE people RENAME a TO aa;
SELECT attribute, kept = records AS kept, drawn FROM sdc_randomize('people', '{aa,b,c}', draws => 2, target => 'two', continued => true) WHERE action = 'protected';
ALTER TABLE people RENAME aa TO a;
SELECT count(*) AS same FROM pg_class JOIN file USING (oid, relfilenode);
SELECT count(*) FILTER (WHERE t.region = 'west') = count(*) FILTER (WHERE id % 10 = 0) AS copied, count(*) FILTER (WHERE t.aa::text <> s.released) AS others
FROM two AS t JOIN seen AS s USING (id) WHERE (history, night, attribute) = ('two', 20, 'a');

-- The order of qi does not matter, nor a column that is new; the type of one does.
SELECT count(*) FROM sdc_randomize('people', '{a,c}', probabilities => '{0.3,0.7}', target => 'ordered', omit => '{b}', seed => 1, continued => true);
ALTER TABLE people ADD extra int DEFAULT 5;
SELECT attribute, kept = records AS kept, drawn FROM sdc_randomize('people', '{c,a}', probabilities => '{0.7,0.3}', target => 'ordered', omit => '{b}', keep => '{extra}', continued => true)
WHERE action = 'protected';
ALTER TABLE people DROP extra, ALTER c TYPE bigint;
SELECT helper.catch($$SELECT * FROM sdc_randomize('people', '{a,c}', probabilities => '{0.3,0.7}', target => 'ordered', omit => '{b,region}', continued => true)$$);
ALTER TABLE people ALTER c TYPE int;

-- Probabilities stay those of the first night, whatever the values become; the catalog says so.
SELECT count(*) FROM sdc_randomize('people', '{region,c}', target => 'optimal', seed => 1, continued => true);
CREATE TABLE first_night AS SELECT parameters FROM sdc_releases WHERE release = 'optimal'::regclass;
UPDATE people SET region = format('region %s', id % 9);
INSERT INTO people SELECT id + 1000, region, a + 1000, b, c FROM people;
SELECT count(*) FROM sdc_randomize('people', '{region,c}', target => 'optimal', seed => 1, continued => true);
SELECT parameters = (SELECT parameters FROM first_night) AS same, parameters ->> 'continued' AS continued, jsonb_array_length(parameters -> 'probabilities') AS probabilities
FROM sdc_releases WHERE release = 'optimal'::regclass;
SELECT count(*) FROM sdc_randomize('people', '{region,c}', target => 'fresh', seed => 1);
SELECT parameters -> 'probabilities' = (SELECT parameters -> 'probabilities' FROM first_night) AS same, parameters ? 'continued' AS continued FROM sdc_releases WHERE release = 'fresh'::regclass;

-- Beside a step that waits for lots nothing is shown early: three changes and three newcomers wait, four of each do not.
CREATE TABLE mixed (id int PRIMARY KEY, n int, word text, city text);
INSERT INTO mixed SELECT i, i, 'w' || i, 'c' || i % 5 FROM generate_series(1, 60) AS i;
CREATE FUNCTION steps() RETURNS jsonb LANGUAGE sql IMMUTABLE
RETURN '[{"method": "rankswap", "p": 20, "columns": ["n"], "continued": true, "min_changes": 4}, {"method": "randomize", "qi": ["word", "city"], "draws": 1, "continued": true}]'::jsonb;
SELECT attribute, method, kept, drawn, waiting, widows, largest > 0 AS largest FROM sdc_protect('mixed', steps(), target => 'shown', seed => 2) WHERE action = 'protected';
CREATE TABLE shown_first AS TABLE shown;
UPDATE mixed SET word = 'new' || id WHERE id <= 3;
INSERT INTO mixed SELECT i, i, 'w' || i, 'c' || i % 5 FROM generate_series(61, 63) AS i;
SELECT attribute, kept, drawn, waiting FROM sdc_protect('mixed', steps(), target => 'shown', seed => 2) WHERE action = 'protected';
SELECT count(*) FROM (TABLE shown EXCEPT TABLE shown_first) AS s;
UPDATE mixed SET word = 'new' || id WHERE id = 4;
INSERT INTO mixed VALUES (64, 64, 'w64', 'c4');
SELECT attribute, kept, waiting FROM sdc_protect('mixed', steps(), target => 'shown', seed => 2) WHERE action = 'protected';
SELECT count(*) FILTER (WHERE id > 60) AS new, count(*) FILTER (WHERE id <= 4 AND s.word = 'new' || id) > 0 AS changed, count(*) FILTER (WHERE id BETWEEN 5 AND 60 AND f.word <> s.word) AS others
FROM shown AS s LEFT JOIN shown_first AS f USING (id);

-- No records, one record, and nothing but NULLs.
CREATE TABLE few (id int PRIMARY KEY, a text, b int);
SELECT attribute, records, kept, drawn FROM sdc_randomize('few', '{a,b}', draws => 1, seed => 1, continued => true) WHERE action = 'protected';
INSERT INTO few VALUES (1, 'x', NULL);
SELECT attribute, records, changed, kept FROM sdc_randomize('few', '{a,b}', draws => 1, seed => 1, continued => true) WHERE action = 'protected';
UPDATE few SET a = NULL;
SELECT attribute, records, changed, drawn FROM sdc_randomize('few', '{a,b}', draws => 1, seed => 1, continued => true) WHERE action = 'protected';
DELETE FROM few;
SELECT attribute, records, changed, drawn FROM sdc_randomize('few', '{a,b}', draws => 1, seed => 1, continued => true) WHERE action = 'protected';
TABLE few_randomize;

-- What is not the same release, or not what its state says, is refused, and nothing changes.
\pset tuples_only on
CREATE TABLE before AS TABLE strata;
TRUNCATE people;
INSERT INTO people SELECT * FROM source_of(19);
SELECT a, helper.catch(format('SELECT * FROM sdc_randomize(''people'', %s, target => ''strata'', continued => true)', a)) FROM unnest(ARRAY[
	$$'{a,b,c}', draws => 1, strata => '{region}'$$, $$'{a,b,c}', strata => '{region}'$$, $$'{a,b}', draws => 2, strata => '{region}'$$,
	$$'{a,b,c}', probabilities => '{0.2,0.3,0.5}', strata => '{region}'$$]) AS a;
SELECT helper.catch($$SELECT * FROM sdc_rankswap('people', 5, '{a}', target => 'strata', continued => true)$$);
SELECT helper.catch($$SELECT * FROM sdc_randomize('people', '{a,b,c}', draws => 2, target => 'plain', continued => true)$$);
SELECT helper.catch($$SELECT * FROM sdc_randomize('people', '{a,b,c}', draws => 2, continued => NULL)$$);
SELECT helper.catch($$SELECT * FROM sdc_protect('people', '[{"method": "randomize", "qi": ["a", "b"], "continued": true, "min_changes": 5}]')$$);
BEGIN;
UPDATE strata SET b = 'mine' WHERE id = (SELECT min(id) FROM strata);
SELECT helper.catch($$SELECT * FROM sdc_randomize('people', '{a,b,c}', draws => 2, strata => '{region}', target => 'strata', continued => true)$$);
ROLLBACK;
BEGIN;
DELETE FROM strata WHERE id = (SELECT min(id) FROM strata);
SELECT helper.catch($$SELECT * FROM sdc_randomize('people', '{a,b,c}', draws => 2, strata => '{region}', target => 'strata', continued => true)$$);
ROLLBACK;
SELECT count(*) FROM (TABLE before EXCEPT TABLE strata) AS lost;
SELECT count(*) FROM sdc_randomize('people', '{a,b,c}', draws => 2, strata => '{region}', target => 'strata', continued => true);
\pset tuples_only off
DROP SCHEMA again CASCADE;
