--
-- policies
--
-- Policies are checked whole before they are kept, shown as the statement that makes them again, and belong to who sets them.
-- What a release is held to is what the measures themselves say of it.
--
\pset format unaligned
\pset footer off
CREATE SCHEMA policies;
SET search_path = policies, public;
CREATE TABLE person AS
SELECT i AS id, 20 + i % 50 AS age, abs(hashint4(i)) % 1000 AS income, i % 5 AS region, 'n' || i AS name, i % 3 AS sick FROM generate_series(1, 300) AS i;
ALTER TABLE person ADD PRIMARY KEY (id);

-- refused calls sdc_policy_set with some other arguments, and says what is wrong with them
CREATE FUNCTION refused(policy name DEFAULT 'p', source regclass DEFAULT 'person', steps jsonb DEFAULT '[{"method": "rankswap", "columns": ["income"], "p": 10}]',
	publish_as text DEFAULT 'policies.public_person', key name[] DEFAULT NULL, strata name[] DEFAULT NULL, keep name[] DEFAULT '{region}',
	limits jsonb DEFAULT '{"people_found": 20}', grant_to name[] DEFAULT NULL, approve boolean DEFAULT false, known name[] DEFAULT NULL,
	omit name[] DEFAULT '{age,name,sick}')
RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	state text;
	message text;
	detail text;
	hint text;
BEGIN
	PERFORM sdc_policy_set($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12);
	PERFORM sdc_policy_drop($1);
	RETURN 'accepted';
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
	RETURN concat_ws(E'\n  ', state || ': ' || message, nullif(detail, ''), nullif(hint, ''));
END
$$;
SELECT refused();
SELECT refused(policy => NULL);
SELECT refused(source => NULL);
SELECT refused(steps => NULL);
SELECT refused(publish_as => NULL);
SELECT refused(approve => NULL);
SELECT refused(keep => NULL);
SELECT refused(omit => '{age}');
SELECT refused(keep => '{income}');
SELECT refused(keep => '{nothing}');
SELECT refused(steps => '[{"method": "rankswap", "p": 10}]');
SELECT refused(steps => '{"method": "rankswap", "p": 10}');
SELECT refused(steps => '[{"method": "rankswap", "columns": ["income"], "p": 1000}]');
SELECT refused(steps => '[{"method": "rankswap", "columns": ["income"]}, 7]');
SELECT refused(publish_as => 'person_public');
SELECT refused(publish_as => 'no_such_schema.person');
SELECT refused(publish_as => 'policies.person');
SELECT refused(limits => NULL);
SELECT refused(limits => '{}');
SELECT refused(limits => '[1]');
SELECT refused(limits => '{"people_fond": 1}');
SELECT refused(limits => '{"people_found": "NaN"}');
SELECT refused(limits => '{"people_found": null}');
SELECT refused(limits => '{"people_found": -1}');
SELECT refused(limits => '{"people_found": 1e400}');
SELECT refused(limits => '{"il": 30}');
SELECT refused(grant_to => '{no_such_role}');
SELECT refused(known => '{age}');
SELECT refused(known => '{income,region}');

-- limits of several releases are for columns with windows, of all that the intruder knows
SELECT refused(limits => l.limits, steps => s.steps, known => k.known, keep => '{}', omit => '{age,name}')
FROM (VALUES (1, '{"people_found": 20, "composed_people_found": 5}'::jsonb), (2, '{"people_found": 20, "exposed": 5}'), (3, '{"people_found": 20}')) AS l (l, limits),
	(VALUES (1, '[{"method": "rankswap_buckets", "columns": ["income", "region", "sick"], "buckets": 10}]'::jsonb),
		(2, '[{"method": "randomize", "qi": ["income", "region", "sick"]}]'),
		(3, '[{"method": "rankswap", "columns": ["income"], "p": 10}, {"method": "randomize", "qi": ["region", "sick"]}]'),
		(4, '[{"method": "rankswap_distribution", "columns": ["income"], "p": 10}, {"method": "equidepth_swap", "columns": ["region", "sick"], "depth": 10}]'),
		(5, '[{"method": "generalize", "qi": ["income", "region", "sick"], "k": 10}]')) AS s (s, steps),
	(VALUES (1, NULL::name[]), (2, '{income}')) AS k (k, known)
ORDER BY s, l, k;

-- the statement of a policy makes the same policy
SELECT sdc_policy_set('it''s "one"', 'person', '[{"method": "rankswap", "columns": ["income"], "p": 10}, {"method": "randomize", "qi": ["region", "sick"]}]',
	'policies."Public ""person"""', '{id}', '{age}', '{}', '{"people_found": 20, "certain_percent": 0.5}', '{public}', true, '{income}', '{name}');
SELECT policy, owner = current_user::regrole AS own, source, publish_as, key, strata, keep, omit, known, limits, grant_to, approve FROM sdc_policies;
SELECT statement FROM sdc_policies
\gset
CREATE TEMP TABLE before AS SELECT * FROM sdc_policies;
SELECT sdc_policy_drop('it''s "one"');
:statement
SELECT count(*) = 1 AS same FROM (SELECT * FROM before INTERSECT SELECT * FROM sdc_policies) AS s;

-- a column that is new in the source stops it
ALTER TABLE person ADD fresh int;
SELECT sdc_private.check_policy(definition) FROM sdc_private.policies();
ALTER TABLE person DROP fresh;
SELECT sdc_private.check_policy(definition) FROM sdc_private.policies();

-- it belongs to who has set it
CREATE ROLE regress_policies;
GRANT USAGE ON SCHEMA policies TO regress_policies;
SET ROLE regress_policies;
SELECT count(*) FROM sdc_policies;
SELECT sdc_policy_drop('it''s "one"');
SELECT sdc_private.policy_put('it''s "one"', '{}');
SELECT refused();
TABLE sdc_private.sdc_policy_catalog;
RESET ROLE;
-- and who is given the use of the schema, and the function, gets no further
GRANT USAGE ON SCHEMA sdc_private TO regress_policies;
GRANT EXECUTE ON FUNCTION sdc_private.policy_put(name, jsonb) TO regress_policies;
SET ROLE regress_policies;
SELECT sdc_private.policy_put('it''s "one"', '{}');
TABLE sdc_private.sdc_policy_catalog;
RESET ROLE;
REVOKE USAGE ON SCHEMA sdc_private FROM regress_policies;
REVOKE EXECUTE ON FUNCTION sdc_private.policy_put(name, jsonb) FROM regress_policies;
SELECT sdc_policy_drop('it''s "one"');
SELECT sdc_policy_drop('it''s "one"');
SELECT sdc_policy_drop(NULL);

-- limits: what the measures say
SELECT count(*) FROM sdc_rankswap('person', p => 30, columns => '{income,age}', keep => '{region}', seed => 1);
SELECT count(*) FROM sdc_generalize('person', '{age,region}', sensitive => '{sick}', k => 10, omit => '{income,name}', target => 'person_groups');
SELECT g.measure, g.bound, g.kept, g.value IS NOT DISTINCT FROM m.value AS same
FROM sdc_evaluate('person_rankswap') AS e, sdc_private.gate(e.measures, '{"people_found": 5, "il": 50, "certain_percent": 1, "score": 40, "k": 2}') AS g
LEFT JOIN (SELECT 'people_found', percent FROM sdc_people_found('person_rankswap') WHERE attack = 'any'
	UNION ALL SELECT 'certain_percent', certain / 3.0 FROM sdc_people_found('person_rankswap') WHERE attack = 'any'
	UNION ALL SELECT v.* FROM sdc_score('person_rankswap'), LATERAL (VALUES ('il', il), ('score', score)) AS v) AS m (measure, value) USING (measure)
ORDER BY 1;
SELECT g.measure, g.bound, g.kept, g.value IS NOT DISTINCT FROM m.value AS same
FROM sdc_evaluate('person_groups') AS e, sdc_private.gate(e.measures, '{"k": 10, "l": 2.9, "t": 0.01, "il": 10}') AS g
LEFT JOIN (SELECT v.* FROM sdc_group_privacy('person_groups', '{age,region}', '{sick}') AS p, LATERAL (VALUES ('k', p.k::float8), ('l', entropy_l), ('t', t)) AS v) AS m (measure, value) ON m.measure = g.measure
ORDER BY 1;
SELECT sdc_assert_risk('person_rankswap', 100);
SELECT sdc_assert_risk('person_rankswap', 0);
SELECT sdc_assert_risk('person_rankswap', NULL);
SELECT sdc_assert_risk('person_rankswap', 'NaN');
SELECT sdc_assert_k('person_groups', '{age,region}', 10);
SELECT sdc_assert_k('person_groups', '{age,region}', 1000);
SELECT sdc_assert_k('person_groups', '{age,region}', 0);
SELECT sdc_assert_k('person_groups', '{age,region}', NULL);

DROP SCHEMA policies CASCADE;
DROP ROLE regress_policies;
