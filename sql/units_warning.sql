--
-- units_warning
--
-- The warning about people who have several records, where each record counts as somebody else.
--
\pset format unaligned
\pset footer off
\set VERBOSITY terse
CREATE SCHEMA units_warning;
SET search_path = units_warning, public;
-- 40 patients with 1 to 4 visits; a name is missing in some records, and a card is each patient's own.
CREATE TABLE visit AS
SELECT row_number() OVER (ORDER BY p, v)::int AS id, p AS patient, CASE WHEN (p + v) % 7 > 0 THEN 'name ' || p END AS name, p * 7 + v AS card, (p * 31) % 17 AS age, (p * v) % 11 AS cost
FROM generate_series(1, 40) AS p, generate_series(1, 1 + p % 4) AS v;
ALTER TABLE visit ADD PRIMARY KEY (id);
SELECT count(*), count(DISTINCT patient) AS patients, count(name) AS with_name, count(DISTINCT name) AS names, count(DISTINCT card) AS cards FROM visit;
-- warned makes a call, whose warnings are shown
CREATE FUNCTION warned(call text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE 'SELECT count(*) FROM ' || call;
END
$$;
SET client_min_messages = warning;

-- Nothing is classified: nobody knows.  What does not repeat says nothing.
SELECT warned($$sdc_kanonymity('visit', '{age}')$$);
SELECT sdc_classify('visit', 'id', 'identifier'), sdc_classify('visit', 'card', 'identifier');
SELECT warned($$sdc_kanonymity('visit', '{age}')$$);

-- Identifiers that repeat: rows and values without NULL.
\set VERBOSITY default
SELECT sdc_classify('visit', 'patient', 'identifier'), sdc_classify('visit', 'name', 'identifier');
SELECT count(*) FROM sdc_kanonymity('visit', '{age}');
\set VERBOSITY terse
SELECT sdc_classify('visit', 'name', NULL);

-- All that counts records in groups warns, unless a unit is named.
SELECT call, warned(call) FROM unnest(ARRAY[$$sdc_kanonymity('visit', '{age}', '{}')$$]) AS call;
SELECT call, warned(call) FROM unnest(ARRAY[$$sdc_ldiversity('visit', '{age}', '{cost}')$$]) AS call;
SELECT call, warned(call) FROM unnest(ARRAY[$$sdc_group_privacy('visit', '{age}', '{cost}')$$]) AS call;
SELECT call, warned(call) FROM unnest(ARRAY[$$sdc_sample_risk('visit', '{age}', 0.1)$$]) AS call;
SELECT call, warned(call) FROM unnest(ARRAY[$$sdc_minimal_uniques('visit', '{age}')$$]) AS call;
SELECT call, warned(call) FROM unnest(ARRAY[$$sdc_attacker_risk('visit', '{age}', 'visit')$$]) AS call;
SELECT call, warned(call) FROM unnest(ARRAY[$$sdc_assert_k('visit', '{age}', 1)$$]) AS call;
SELECT call, warned(call) FROM unnest(ARRAY[$$sdc_kanonymity('visit', '{age}', '{patient}')$$, $$sdc_ldiversity('visit', '{age}', '{cost}', '{patient}')$$, $$sdc_group_privacy('visit', '{age}', '{cost}', unit => '{patient}')$$,
	$$sdc_sample_risk('visit', '{age}', 0.1, '{patient}')$$, $$sdc_minimal_uniques('visit', '{age}', unit => '{patient}')$$, $$sdc_attacker_risk('visit', '{age}', 'visit', unit => '{patient}')$$,
	$$sdc_assert_k('visit', '{age}', 1, '{patient}')$$]) AS call;

-- All that protects, and all that measures such a release, or publishes it.
SELECT count(*) FROM sdc_rankswap('visit', p => 10, columns => '{cost}', keep => '{age}', omit => '{name}', target => 'swapped', seed => 'a');
SELECT count(*) FROM sdc_protect('visit', '[{"method": "rankswap", "p": 10, "columns": ["cost"]}]', keep => '{age}', omit => '{name}', unit => '{}', target => 'protected', seed => 'a');
SELECT count(*) FROM sdc_sweep('visit', 'rankswap', '{5,20}', columns => '{cost}', keep => '{age}', omit => '{name}', seed => 'a');
SELECT count(*) FROM sdc_rankswap('visit', p => 10, columns => '{cost}', keep => '{age}', omit => '{name}', unit => '{patient}', unit_rows => 'each', target => 'of_units', seed => 'a');
SELECT call, warned(call) FROM unnest(ARRAY[$$sdc_people_found('swapped')$$]) AS call;
SELECT call, warned(call) FROM unnest(ARRAY[$$sdc_people_found('swapped', unit => '{patient}')$$]) AS call;
SELECT call, warned(call) FROM unnest(ARRAY[$$sdc_link_distance('swapped')$$]) AS call;
SELECT call, warned(call) FROM unnest(ARRAY[$$sdc_record_risk('swapped')$$]) AS call;
SELECT call, warned(call) FROM unnest(ARRAY[$$sdc_disclosure_risk('swapped')$$]) AS call;
SELECT call, warned(call) FROM unnest(ARRAY[$$sdc_score('swapped')$$]) AS call;
SELECT call, warned(call) FROM unnest(ARRAY[$$sdc_evaluate('swapped', force => true)$$]) AS call;
SELECT call, warned(call) FROM unnest(ARRAY[$$sdc_link_releases('{swapped,protected}')$$]) AS call;
SELECT call, warned(call) FROM unnest(ARRAY[$$sdc_kanonymity('swapped', '{age}')$$]) AS call;
SELECT call, warned(call) FROM unnest(ARRAY[$$sdc_publish('swapped', 'units_warning.public_visit', keep => '{age}', max_people_found => 100)$$]) AS call;
SELECT call, warned(call) FROM unnest(ARRAY[$$sdc_people_found('of_units')$$, $$sdc_evaluate('of_units', force => true)$$]) AS call;

-- What is classified as unit is the unit; whoever counts records on purpose hears that it repeats.
SELECT sdc_classify('visit', 'patient', 'unit');
SELECT warned($$sdc_kanonymity('visit', '{age}')$$);
SELECT warned($$sdc_kanonymity('visit', '{age}', '{}')$$);
SELECT sdc_classify('visit', 'patient', 'identifier');

-- Once in a statement, of each relation.
CREATE TABLE other AS TABLE visit;
SELECT sdc_classify('other', 'patient', 'identifier');
SELECT count(*) FROM generate_series(1, 3), LATERAL sdc_kanonymity('visit', '{age}') AS a, LATERAL sdc_kanonymity('other', '{age}') AS b;
SELECT count(*) FROM sdc_kanonymity('other', '{age}');

-- A run of a policy says it once, and its log keeps it; another run of the same statement does too.
SELECT sdc_policy_set('visits', 'visit', '[{"method": "rankswap", "p": 10, "columns": ["cost"]}]', 'units_warning.released', keep => '{age}', omit => '{name,card,patient}', limits => '{"people_found": 100}',
	on_unchanged => 'publish');
SET client_min_messages = error;	-- what else it warns of depends on the draw
CALL sdc_run('visits');
DO $$
BEGIN
	CALL sdc_run('visits');
	CALL sdc_run('visits');
END
$$;
SET client_min_messages = warning;
SELECT status, (SELECT count(*) FROM unnest(warnings) AS w WHERE w LIKE '%somebody else%') AS warnings, (SELECT w FROM unnest(warnings) AS w WHERE w LIKE '%somebody else%' LIMIT 1) AS warning
FROM sdc_runs WHERE policy = 'visits' ORDER BY run;
SELECT sdc_policy_drop('visits');

-- What the caller may not read, what has no order, and what cannot be read, is passed over.
CREATE ROLE regress_sdc_units_clerk;
GRANT USAGE ON SCHEMA units_warning TO regress_sdc_units_clerk;
GRANT SELECT (id, age) ON visit TO regress_sdc_units_clerk;
GRANT EXECUTE ON FUNCTION warned TO regress_sdc_units_clerk;
SET ROLE regress_sdc_units_clerk;
SELECT warned($$sdc_kanonymity('visit', '{age}')$$);
RESET ROLE;
GRANT SELECT (patient) ON visit TO regress_sdc_units_clerk;
SET ROLE regress_sdc_units_clerk;
SELECT warned($$sdc_kanonymity('visit', '{age}')$$);
RESET ROLE;
CREATE VIEW failing AS SELECT id, age, cost, 1 / (id - 7) AS person, point(1, 1) AS place, patient AS who FROM other;
SELECT sdc_classify('failing', 'person', 'identifier'), sdc_classify('failing', 'place', 'identifier');
SELECT warned($$sdc_kanonymity('failing', '{age}')$$);
SELECT count(*) FROM sdc_rankswap('failing', p => 10, columns => '{cost}', keep => '{age}', omit => '{who}', key => '{id}', target => 'from_failing', seed => 'a');
CREATE VIEW working AS SELECT id, age, place, who FROM failing;
SELECT warned($$sdc_kanonymity('working', '{age}')$$);

-- A unique index keeps a column from repeating, but one of a parent is not about its children.
CREATE TABLE parent (id int PRIMARY KEY, a int);
INSERT INTO parent VALUES (1, 1), (2, 1);
CREATE TABLE child () INHERITS (parent);
SELECT sdc_classify('parent', 'id', 'identifier');
SELECT warned($$sdc_kanonymity('parent', '{a}')$$);
INSERT INTO child VALUES (1, 1);
SELECT warned($$sdc_kanonymity('parent', '{a}')$$);
CREATE TABLE partly (id int, a int);
CREATE UNIQUE INDEX ON partly (id) WHERE a > 1;
INSERT INTO partly VALUES (1, 1), (1, 1);
SELECT sdc_classify('partly', 'id', 'identifier');
SELECT warned($$sdc_kanonymity('partly', '{a}')$$);
RESET client_min_messages;
DROP SCHEMA units_warning CASCADE;
DROP OWNED BY regress_sdc_units_clerk;
DROP ROLE regress_sdc_units_clerk;
