-- From a table to a proposal: what to do with each column, and that it keeps what it promises.
\pset format unaligned
\pset footer off
SET client_min_messages = error;
CREATE SCHEMA propose;
SET search_path = propose, public;

CREATE TABLE visit (id int PRIMARY KEY, patient int, insured text, ward text, age int, cost numeric(8,2), born date, flat text DEFAULT 'x', scan bytea, taxed numeric GENERATED ALWAYS AS (cost * 1.2) STORED);
INSERT INTO visit
SELECT i, 1 + i / 3, 'AB' || 7 * i, (ARRAY['north', 'south', 'west'])[1 + helper.below(i, 1, 3)], 20 + helper.below(i, 2, 60), helper.below(i, 3, 100000) / 100.0,
	date '1950-01-01' + helper.below(i, 4, 20000), 'x', '\x00'
FROM generate_series(1, 400) AS i;

CREATE TEMP TABLE proposed AS SELECT row_number() OVER () AS n, p.* FROM sdc_propose('visit', '{"people_found": 20}') AS p;
SELECT attribute, proposal, (parameters - 'people_found' - 'il') IS NOT NULL AS parameters, why, question FROM proposed WHERE attribute IS NOT NULL ORDER BY n;
SELECT proposal, (parameters ->> 'people_found')::float8 BETWEEN 0 AND 20 AS kept, (parameters ->> 'il')::float8 > 0 AS loss, why ~ '^At most [0-9.]+ percent of the people are found on eight fresh draws, and 20 are allowed\.$' AS why
FROM proposed WHERE attribute IS NULL;
-- the same again; nothing is left
SELECT count(*) FROM ((TABLE proposed EXCEPT SELECT row_number() OVER (), p.* FROM sdc_propose('visit', '{"people_found": 20}') AS p)) AS d;
SELECT count(*) FROM sdc_releases WHERE release::text LIKE 'visit%';
-- the statement does it, and the limit is kept on ten draws that it has not seen
SELECT statement FROM proposed WHERE attribute IS NULL \gset
SELECT substring(:'statement', '^SELECT sdc_policy_set\(policy => ''visit'', source => ''propose.visit''') IS NOT NULL AS statement;
:statement
CALL sdc_run('visit');
SELECT status, (SELECT array_agg(attname ORDER BY attnum) FROM pg_attribute WHERE attrelid = 'propose.visit_public'::regclass AND attnum > 0) AS columns FROM sdc_runs ORDER BY run DESC LIMIT 1;
DO $$
DECLARE
	step jsonb := (SELECT steps -> 0 FROM sdc_policies WHERE policy = 'visit');
	above int := 0;
BEGIN
	FOR draw IN 1 .. 10 LOOP
		PERFORM FROM sdc_protect('propose.visit', jsonb_build_array(step - 'continued'), 'propose.fresh', omit => '{insured,scan,taxed}', seed => draw);
		above := above + (SELECT (percent > 20)::int FROM sdc_people_found('propose.fresh') WHERE attack = 'any');
		DROP TABLE propose.fresh;
	END LOOP;
	RAISE INFO '% of 10 above the limit', above;
END $$;
-- roles, units
SELECT sdc_classify('visit', 'ward', 'identifier'), sdc_classify('visit', 'insured', 'sensitive'), sdc_classify('visit', 'age', 'sensitive');
SELECT attribute, proposal, why FROM sdc_propose('visit', '{"people_found": 60}', unit => '{patient}') WHERE attribute IN ('ward', 'insured', 'age', 'patient', 'id') ORDER BY attribute;
-- what cannot be had: the limit is below what a guess finds
CREATE TABLE few AS SELECT id, age FROM visit WHERE id < 6;
SELECT attribute, proposal, why FROM sdc_propose('few', '{"people_found": 1}', key => '{id}');
\set SHOW_CONTEXT never
SELECT sdc_propose(NULL, '{"people_found": 5}');
SELECT sdc_propose('visit', NULL);
SELECT sdc_propose('visit', '{}');
SELECT sdc_propose('visit', '{"people_found": 101}');
SELECT sdc_propose('visit', '[]');
SELECT sdc_propose('few', '{"people_found": 5}');
SELECT sdc_propose('visit', '{"people_found": 5}', workload => '{"age > 30"}');
SELECT sdc_propose('visit', '{"people_found": 5}', key => '{nobody}');

SELECT sdc_policy_drop('visit');
DROP SCHEMA propose CASCADE;
