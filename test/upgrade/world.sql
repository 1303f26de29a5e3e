-- world.sql
--		What a kept dump has: a small database with something of everything that is stored.
--
-- Its numbers are made by a rule, and everything that it can have a seed for has one.  night.sql is the night after the dump.

SET client_min_messages = error;
CREATE EXTENSION sdc;
CREATE TABLE person AS SELECT i AS id, 20 + i * 7919 % 61 AS age, (i * 104729 % 9973)::float8 / 4 AS income, i % 3 AS region, i / 2 AS household,
	(ARRAY['single', 'married', 'widowed', NULL])[1 + i * 31 % 4] AS status, 'no. ' || i AS name FROM generate_series(1, 50) AS i;
ALTER TABLE person ADD PRIMARY KEY (id);
SELECT sdc_classify('person', 'name', 'identifier'), sdc_classify('person', 'age', 'quasi-identifier'), sdc_classify('person', 'income', 'sensitive'),
	sdc_classify('person', 'status', 'quasi-identifier');

-- a release of every method, and one of somebody else's
SELECT FROM sdc_rankswap('person', 10, '{age,income}', strata => '{region}', keep => '{}', target => 'rankswapped', missing => '{"age": [20]}', seed => 1);
SELECT FROM sdc_equidepth_swap('person', 4, columns => '{age,income}', keep => '{}', target => 'equidepth', seed => 1);
SELECT FROM sdc_randomize('person', '{age,status}', keep => '{}', target => 'randomized', seed => 1);
SELECT FROM sdc_pram('person', '{status}', 0.7, keep => '{}', target => 'prammed', seed => 1);
SELECT FROM sdc_noise('person', 0.2, columns => '{income}', keep => '{}', target => 'noisy', seed => 1);
SELECT FROM sdc_generalize('person', '{age}', '{income}', 2, keep => '{}', target => 'generalized');
SELECT FROM sdc_permute('person', '{age,region}', '{income}', 2, keep => '{}', target => 'permuted', seed => 1);
SELECT FROM sdc_microaggregate('person', 4, '{income}', keep => '{}', target => 'aggregated');
SELECT FROM sdc_suppress('person', '{age,status}', 2, keep => '{}', target => 'suppressed');
SELECT FROM sdc_recode('person', '{"income": {"top": 1000, "replace": "threshold"}}', keep => '{}', target => 'recoded');
CREATE TABLE elsewhere AS SELECT id, -age AS age FROM person;
SELECT sdc_register('person', 'elsewhere', '{age}', NULL, 'noise', '{"sigma": 1}');

-- a publication with its accuracy table
SELECT FROM sdc_evaluate('rankswapped', seed => 1);
SELECT FROM sdc_publish('rankswapped', 'public_rankswapped', keep => '{region}', max_people_found => 100);

-- two nights of continued releases, whose private states are kept
CREATE TABLE moving AS TABLE person;
ALTER TABLE moving ADD PRIMARY KEY (id);
SELECT FROM sdc_rankswap('moving', 20, '{age,income}', keep => '{}', target => 'continued', continued => true, seed => 1);
SELECT FROM sdc_randomize('moving', '{age,status}', keep => '{}', target => 'randomized_continued', continued => true, seed => 1);
SELECT FROM sdc_noise('moving', 0.2, columns => '{income}', keep => '{}', target => 'noisy_continued', continued => true, seed => 1);
UPDATE moving SET income = income + 1 WHERE id % 9 = 0;
SELECT FROM sdc_rankswap('moving', 20, '{age,income}', keep => '{}', target => 'continued', continued => true, replace => true, seed => 2);
SELECT FROM sdc_randomize('moving', '{age,status}', keep => '{}', target => 'randomized_continued', continued => true, replace => true, seed => 2);
SELECT FROM sdc_noise('moving', 0.2, columns => '{income}', keep => '{}', target => 'noisy_continued', continued => true, replace => true, seed => 2);

-- policies with their log: what was published, and what was rejected
SELECT sdc_policy_set('nightly', 'moving', '[{"method": "rankswap", "columns": ["age", "income"], "p": 30, "continued": true}]', 'public.published', keep => '{region}', omit => '{name,status,household}',
	limits => '{"people_found": 100, "composed_people_found": 100}');
SELECT sdc_policy_set('strict', 'moving', '[{"method": "rankswap", "columns": ["age", "income"], "p": 1}]', 'public.never', keep => '{region}', omit => '{name,status,household}',
	limits => '{"people_found": 0}');
CALL sdc_run('nightly');
\set ON_ERROR_STOP off
CALL sdc_run('strict');
\set ON_ERROR_STOP on
