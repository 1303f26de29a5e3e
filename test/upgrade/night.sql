-- night.sql
--		What is done with the database of world.sql that was restored from a dump, and what it says: kept/VERSION.out has what VERSION itself said.
SET client_min_messages = error;

-- what is known of releases, publications, policies and runs
SELECT release, source, method, parameters, columns, key, strata, omitted, qi, sensitive, records, seeded, missing FROM sdc_releases WHERE source <> 'moving'::regclass ORDER BY release::text COLLATE "C";
SELECT * FROM sdc_attributes ORDER BY relation::text COLLATE "C", attribute COLLATE "C";
SELECT policy, run, status, records, source_records, target FROM sdc_runs ORDER BY run;
SELECT policy, source, steps, publish_as, limits, paused FROM sdc_policies ORDER BY policy;
SELECT publication, records, columns FROM sdc_publications WHERE publication = 'public_rankswapped'::regclass;
SELECT * FROM sdc_how_accurate('public_rankswapped', 'income < 1000');

-- releases are measured when their owner has said that the source is what it was, and made again by their seeds
SELECT bool_and(sdc_confirm_source(release)) FROM sdc_releases;
SELECT release, round(il::numeric, 6) AS il, round(dr::numeric, 6) AS dr, problem FROM sdc_scores WHERE source = 'person'::regclass ORDER BY release::text COLLATE "C";
SELECT FROM sdc_rankswap('person', 10, '{age,income}', strata => '{region}', keep => '{}', target => 'again', missing => '{"age": [20]}', seed => 1);
SELECT count(*) AS differ FROM (TABLE again EXCEPT TABLE rankswapped) AS d;

-- the next night: continued releases go on, what changes is published, what is too much is not
UPDATE moving SET income = income + 2, age = age + 1 WHERE id % 7 = 0;
DELETE FROM moving WHERE id IN (3, 4);
SELECT FROM sdc_rankswap('moving', 20, '{age,income}', keep => '{}', target => 'continued', continued => true, replace => true, seed => 2);
SELECT FROM sdc_randomize('moving', '{age,status}', keep => '{}', target => 'randomized_continued', continued => true, replace => true, seed => 2);
SELECT FROM sdc_noise('moving', 0.2, columns => '{income}', keep => '{}', target => 'noisy_continued', continued => true, replace => true, seed => 2);
SELECT 'rankswap' AS of, md5(string_agg(c::text, ' ' ORDER BY id)) FROM continued AS c
UNION ALL SELECT 'randomize', md5(string_agg(c::text, ' ' ORDER BY id)) FROM randomized_continued AS c
UNION ALL SELECT 'noise', md5(string_agg(round(income::numeric, 6)::text, ' ' ORDER BY id)) FROM noisy_continued;
CALL sdc_run('nightly');
\set ON_ERROR_STOP off
\set VERBOSITY sqlstate
CALL sdc_run('strict');
SELECT policy, run, status, records FROM sdc_runs ORDER BY run DESC LIMIT 2;
SELECT count(*), sum(age) FROM published;
SELECT sdc_withdraw('public_rankswapped', 'enough');
SELECT policy, failures, records FROM sdc_policy_status ORDER BY policy;
