--
-- PUBLISH_LIMIT
--
-- sdc_publish publishes what keeps its limit, and by force what does not, which it tells. Of six records in two groups of three
-- equal ones, released as they are, everybody is one of three: a third of the people, 33.3333333333333 percent, is found.
--
\pset format unaligned
\pset footer off
SET client_min_messages = notice;
CREATE SCHEMA lim;
SET search_path = lim, public;
CREATE ROLE "regress_sdc_l r";
CREATE TABLE six AS SELECT i AS id, i / 3 AS x, 'all' AS note FROM generate_series(0, 5) AS i;
ALTER TABLE six ADD PRIMARY KEY (id);
CREATE TABLE shown AS SELECT id, x, note FROM six;
SELECT sdc_register('six', 'shown', '{x}', '{id}');
CREATE TABLE alone AS SELECT i AS id, i AS x FROM generate_series(1, 5) AS i;
ALTER TABLE alone ADD PRIMARY KEY (id);
CREATE TABLE alone_shown AS TABLE alone;
SELECT sdc_register('alone', 'alone_shown', '{x}', '{id}');
CREATE TABLE nobody AS TABLE alone WITH NO DATA;
ALTER TABLE nobody ADD PRIMARY KEY (id);
CREATE TABLE nobody_shown AS TABLE nobody;
SELECT sdc_register('nobody', 'nobody_shown', '{x}', '{id}');
\pset tuples_only on

-- what was never evaluated has no number
SELECT helper.catch($$SELECT FROM sdc_publish('shown', 'p', '{note}')$$), helper.catch($$SELECT FROM sdc_publish('shown', 'p', '{note}', max_people_found => 100)$$);
SELECT r, abs(people_found - found) < 1e-12 AS as_computed FROM (VALUES ('shown'::regclass, 100 / 3.0::float8), ('alone_shown', 100)) AS v (r, found), sdc_evaluate(r);
SELECT people_found FROM sdc_evaluate('nobody_shown');

-- without a limit the error has the number, and the statement to write, which works
SELECT helper.catch($$SELECT FROM sdc_publish('shown', 'p', '{note}')$$);
SELECT helper.catch($$SELECT FROM sdc_publish('shown', 'Lim.o''p', '{note}', '{"regress_sdc_l r",public}', 'rows', true)$$);
SELECT helper.catch($$SELECT FROM sdc_publish('alone_shown', 'q')$$);
SELECT to_regclass('lim.p') IS NULL AS nothing, (SELECT count(*) FROM sdc_runs WHERE target LIKE 'lim.%') AS logged;
SELECT publication, records FROM sdc_publish('lim.shown', 'p', keep => '{note}', max_people_found => 34);

-- with one, what is beyond it is refused; a part in 1e9 is not beyond it, one in 1e6 is, and the message tells the two apart
SELECT l, helper.catch(format($$SELECT FROM sdc_publish('shown', 'p', '{note}', replace => true, max_people_found => %s)$$, l)) FROM unnest('{0,20,33,33.3,33.33333,33.33333332,33.33333333,34,100}'::float8[]) AS l;
SELECT l, helper.catch(format($$SELECT FROM sdc_publish('alone_shown', 'q', replace => to_regclass('q') IS NOT NULL, max_people_found => %s)$$, l)) FROM unnest('{99.99999,100}'::float8[]) AS l;
-- out of range
SELECT l, helper.catch(format($$SELECT FROM sdc_publish('shown', 'p', '{note}', replace => true, force => %L, max_people_found => %L)$$, f, l)) FROM unnest('{-1e-9,100.0000001,Infinity,-Infinity,NaN}'::float8[]) AS l, unnest('{f,t}'::bool[]) AS f ORDER BY f, l;
-- what is not defined keeps none
SELECT helper.catch($$SELECT FROM sdc_publish('nobody_shown', 'n')$$), helper.catch($$SELECT FROM sdc_publish('nobody_shown', 'n', max_people_found => 100)$$);
-- of a sample the upper end counts
SELECT count(*) FROM sdc_evaluate('shown', sample => 3, seed => 1);
SELECT high > 33.4 AS wide, helper.catch(format($$SELECT FROM sdc_publish('shown', 'p', '{note}', replace => true, max_people_found => %s)$$, high - 0.001)) LIKE 'SD001: %' AS below,
	helper.catch(format($$SELECT FROM sdc_publish('shown', 'p', '{note}', replace => true, max_people_found => %s)$$, high)) AS at_it
FROM (SELECT (sdc_private.evaluation('shown') #>> '{judged,people_found}')::float8 AS high) AS e;
SELECT count(*) FROM sdc_evaluate('shown');

-- intruders know what is published: an evaluation for those who know less does not count, whatever it found.  All six records
-- have the same note, so that who knows that alone guesses one of six: 16.7 percent
SELECT round(people_found::numeric, 1) FROM sdc_evaluate('shown', known => '{note}');
SELECT k, helper.catch(format($$SELECT FROM sdc_publish('shown', 'p', %L, replace => true, max_people_found => 20)$$, k)) FROM unnest('{"{note}","{x,note}"}'::text[]) AS k;
SELECT split_part(helper.catch($$SELECT FROM sdc_publish('shown', 'p', '{note}', replace => true)$$), E'\n', 1);
SELECT records FROM sdc_publish('shown', 'p', '{note}', replace => true, force => true, max_people_found => 20);
-- more than that may be known, and what is not published need not be
SELECT count(*) FROM sdc_evaluate('shown', known => '{x}');
SELECT split_part(helper.catch($$SELECT FROM sdc_publish('shown', 'p', '{note}', replace => true, max_people_found => 34)$$), E'\n', 1);
SELECT count(*) FROM sdc_evaluate('shown', known => '{x,note}');
SELECT helper.catch($$SELECT FROM sdc_publish('shown', 'p', '{note}', replace => true, max_people_found => 34)$$);
-- what is classified as sensitive is known to nobody who is not said to
SELECT sdc_classify('six', 'note', 'sensitive');
SELECT count(*) FROM sdc_evaluate('shown', known => '{x}');
SELECT helper.catch($$SELECT FROM sdc_publish('shown', 'p', '{note}', replace => true, max_people_found => 34)$$);
SELECT sdc_classify('six', 'note', NULL);
SELECT count(*) FROM sdc_evaluate('shown');

-- by force: a warning that says in spite of what, and the log
SELECT records FROM sdc_publish('shown', 'p', '{note}', replace => true, force => true);
SELECT records FROM sdc_publish('shown', 'p', '{note}', '{public}', replace => true, force => true, max_people_found => 5);
SELECT records FROM sdc_publish('shown', 'p', '{note}', replace => true, force => true, max_people_found => 40);
SELECT records FROM sdc_publish('nobody_shown', 'n', force => true, max_people_found => 40);
UPDATE alone_shown SET x = 1;
SELECT records FROM sdc_publish('alone_shown', 'q', replace => true, force => true, max_people_found => 40);
SELECT helper.catch($$SELECT FROM sdc_publish('alone_shown', 'q', replace => true, max_people_found => 40)$$);
UPDATE six SET x = 1;
SELECT records FROM sdc_publish('shown', 'p', '{note}', replace => true, force => true, max_people_found => 40);
SELECT helper.catch($$SELECT FROM sdc_publish('shown', 'p', '{note}', replace => true, max_people_found => 40)$$);
SELECT status, reason, l ->> 'bound' AS bound, round((l ->> 'value')::numeric, 6) AS value, l ->> 'kept' AS kept, started_by = session_user AS mine FROM sdc_runs, jsonb_array_elements(limits) AS l WHERE target LIKE 'lim.%' ORDER BY run;
SELECT publication, forced FROM sdc_publications WHERE publication::text IN ('n', 'p', 'q') ORDER BY publication::text COLLATE "C";
-- who may not read the source is not told what was measured of it
GRANT USAGE, CREATE ON SCHEMA lim TO "regress_sdc_l r";
GRANT USAGE ON SCHEMA helper TO "regress_sdc_l r";
ALTER TABLE shown OWNER TO "regress_sdc_l r";
SET SESSION AUTHORIZATION "regress_sdc_l r";
SELECT split_part(helper.catch(format($$SELECT FROM sdc_publish('shown', 'r', '{note}', max_people_found => %s)$$, l)), E'\n', 1) FROM unnest('{"NULL",1}'::text[]) AS l;
SELECT records FROM sdc_publish('shown', 'r', '{note}', force => true);
SELECT reason, limits, owner FROM sdc_runs WHERE reason LIKE '% may not %';
RESET SESSION AUTHORIZATION;

-- the same comparison for all limits: what is not defined keeps none
SELECT sdc_private.keeps(v, b, true) AS at_most, sdc_private.keeps(v, b, false) AS at_least FROM (VALUES (20::float8, 20::float8), (20 + 1e-8, 20), (20 + 3e-8, 20), (20 - 1e-8, 20), (20 - 3e-8, 20), (0, 0), (1e-300, 0), ('NaN', 20), (NULL, 20), (20, 'Infinity'), (-20.00000001, -20)) AS t (v, b);
SELECT sdc_private.told_apart(v, b, 1) FROM (VALUES (25.123::float8, 20::float8), (20.04, 20), (20.04, 20.01), (20.06, 20.01), (19.96, 20), (100, 99.99999), ('Infinity', 20)) AS t (v, b);
SET client_min_messages = warning;
DROP SCHEMA lim CASCADE;
REVOKE USAGE ON SCHEMA helper FROM "regress_sdc_l r";
DROP ROLE "regress_sdc_l r";
