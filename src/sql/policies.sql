----------------------------------------------------------------------
-- Release: policies
----------------------------------------------------------------------

-- The methods in the order of their table (src/relation/catalog/methods.c), and whether their values stay within windows.
CREATE FUNCTION sdc_private.methods()
RETURNS TABLE (method text, windows boolean)
AS 'MODULE_PATHNAME', 'sdc_private_methods' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 100 ROWS 8;
COMMENT ON FUNCTION sdc_private.methods() IS
	'below sdc_policy_set and reports: the methods, and whether their values stay within windows';

-- A policy says how a table is protected, what leaves, and which limits a release has to keep.
CREATE FUNCTION sdc_private.plan(source regclass, steps jsonb, key name[], strata name[], omit name[], keep name[],
	unit name[] DEFAULT NULL, totals jsonb DEFAULT NULL, totals_force boolean DEFAULT false, row_level name[] DEFAULT NULL,
	weight name DEFAULT NULL, weight_group int DEFAULT NULL, missing jsonb DEFAULT NULL)
RETURNS TABLE (attribute name, action text, method text)
AS 'MODULE_PATHNAME', 'sdc_private_plan' LANGUAGE C STABLE PARALLEL UNSAFE COST 10000 ROWS 20;
COMMENT ON FUNCTION sdc_private.plan(regclass, jsonb, name[], name[], name[], name[], name[], jsonb, boolean, name[], name, int, jsonb) IS
	'below sdc_policy_set: the action on every column';

CREATE FUNCTION sdc_private.workload_check(owner regrole, source regclass, workload text[])
RETURNS void
AS 'MODULE_PATHNAME', 'sdc_private_workload_check' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 10000;
COMMENT ON FUNCTION sdc_private.workload_check(regrole, regclass, text[]) IS
	'below sdc_policy_set and runs: checks the conditions of a policy with the rights of its owner';

CREATE FUNCTION sdc_private.policy_put(policy name, definition jsonb)
RETURNS void
AS 'MODULE_PATHNAME', 'sdc_private_policy_put' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 10000;
COMMENT ON FUNCTION sdc_private.policy_put(name, jsonb) IS
	'below sdc_policy_set: enters a policy of the caller';

-- What a release can be held to.  What is judged is the upper end where it is an interval.
CREATE FUNCTION sdc_private.limits()
RETURNS TABLE (measure text, lowest float8, highest float8, at_most boolean, meaning text)
LANGUAGE sql IMMUTABLE PARALLEL SAFE ROWS 13
SET search_path = pg_catalog, pg_temp
AS $limits$ VALUES
	('people_found', 0::float8, 100::float8, true, 'percent of the people that the attacks together find'),
	('certain_percent', 0, 100, true, 'percent of the people with one candidate only'),
	('il', 0, 1e308, true, 'information loss'),
	('score', 0, 1e308, true, 'mean of disclosure risk and information loss'),
	('k', 1, 1e9, false, 'records that are equal in all quasi-identifiers'),
	('k_whole', 1, 1e9, false, 'people with the same quasi-identifiers in all their records'),
	('l', 1, 1e9, false, 'entropy diversity of the sensitive column'),
	('t', 0, 1, true, 'distance of the sensitive column in a group from all'),
	('composed_people_found', 0, 100, true, 'percent of the people that all published releases together find'),
	('exposed', 0, 100, true, 'percent of the cells that several releases tell exactly'),
	('max_gone', 0, 100, true, 'percent of the records of the release before that are gone from the source'),
	('max_new', 0, 1e308, true, 'records of the source that the release before has not, in percent of that'),
	('workload_error', 0, 1e308, true, 'largest error of a count of the workload, in percent') $limits$;
COMMENT ON FUNCTION sdc_private.limits() IS
	'below sdc_policy_set: the limits of a policy';

-- check_limits raises an error for limits that are none.
CREATE FUNCTION sdc_private.check_limits(limits jsonb)
RETURNS void
LANGUAGE plpgsql STABLE PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $check$
DECLARE
	names CONSTANT text := (SELECT string_agg(l.measure, ', ') || ', min_interval' FROM sdc_private.limits() AS l);
	given record;
BEGIN
	IF limits IS NULL OR jsonb_typeof(limits) <> 'object' THEN
		RAISE EXCEPTION USING ERRCODE = 'invalid_parameter_value', MESSAGE = 'argument "limits" must be an object of limits',
			HINT = 'Such as: {"people_found": 5, "certain_percent": 1}. Possible are ' || names || '.';
	END IF;
	FOR given IN SELECT e.key, e.value, l.measure, l.lowest, l.highest
		FROM jsonb_each(limits - 'min_interval') AS e LEFT JOIN sdc_private.limits() AS l ON l.measure = e.key
	LOOP
		IF given.measure IS NULL THEN
			RAISE EXCEPTION USING ERRCODE = 'invalid_parameter_value', MESSAGE = format('argument "limits" has an unknown limit "%s"', given.key),
				HINT = 'Possible are ' || names || '.';
		ELSIF given.value = 'null' AND given.key IN ('max_gone', 'max_new') THEN
			CONTINUE;	-- switched off
		ELSIF jsonb_typeof(given.value) <> 'number' THEN
			RAISE EXCEPTION USING ERRCODE = 'invalid_parameter_value', MESSAGE = format('limit "%s" must be a number', given.key);
		ELSIF given.value::numeric NOT BETWEEN given.lowest::numeric AND given.highest::numeric THEN
			RAISE EXCEPTION USING ERRCODE = 'invalid_parameter_value', MESSAGE = format('limit "%s" is out of range', given.key),
				HINT = format('It is between %s and %s.', given.lowest, given.highest);
		END IF;
	END LOOP;
	BEGIN
		IF jsonb_typeof(limits -> 'min_interval') <> 'string' OR (limits ->> 'min_interval')::interval < interval '0' THEN
			RAISE datetime_field_overflow;
		END IF;
	EXCEPTION WHEN data_exception THEN
		RAISE EXCEPTION USING ERRCODE = 'invalid_parameter_value', MESSAGE = 'limit "min_interval" must be an interval',
			HINT = 'Such as: {"min_interval": "7 days"}, from what is published to the next that may be.';
	END;
	IF NOT limits ?| ARRAY['people_found', 'certain_percent', 'k', 'k_whole', 'l', 't'] THEN
		RAISE EXCEPTION USING ERRCODE = 'invalid_parameter_value', MESSAGE = 'argument "limits" has no limit of the risk',
			HINT = 'Such as: {"people_found": 5}, the percentage of people that may be found.';
	END IF;
END
$check$;
COMMENT ON FUNCTION sdc_private.check_limits(jsonb) IS
	'below sdc_policy_set: checks limits';

-- sdc_private.check_policy raises an error for a definition that cannot be run now, and returns the columns that leave.
CREATE FUNCTION sdc_private.check_policy(definition jsonb)
RETURNS name[]
LANGUAGE plpgsql STABLE PARALLEL UNSAFE COST 10000
SET search_path = pg_catalog, pg_temp
AS $check$
DECLARE
	source CONSTANT regclass := (definition ->> 'source')::regclass;
	key CONSTANT name[] := ARRAY(SELECT jsonb_array_elements_text(definition -> 'key'));
	strata CONSTANT name[] := ARRAY(SELECT jsonb_array_elements_text(definition -> 'strata'));
	keep CONSTANT name[] := ARRAY(SELECT jsonb_array_elements_text(definition -> 'keep'));
	omit CONSTANT name[] := ARRAY(SELECT jsonb_array_elements_text(definition -> 'omit'));
	unit CONSTANT name[] := sdc_private.names((definition -> 'unit')::jsonb);
	row_level CONSTANT name[] := sdc_private.names((definition -> 'row_level')::jsonb);
	totals CONSTANT jsonb := definition -> 'totals';
	weight CONSTANT name := definition ->> 'weight';
	weight_group CONSTANT int := definition ->> 'weight_group';
	missing CONSTANT jsonb := definition -> 'missing';
	place CONSTANT int := (SELECT min(s.n) - 1 FROM jsonb_array_elements(CASE jsonb_typeof(definition -> 'steps') WHEN 'array' THEN definition -> 'steps' END)
		WITH ORDINALITY AS s (step, n) WHERE jsonb_typeof(s.step) = 'object' AND NOT s.step ?| ARRAY['columns', 'qi', 'areas', 'recodes']);
	plan CONSTANT jsonb := (SELECT jsonb_object_agg(p.attribute, p.action) FROM sdc_private.plan(source, definition -> 'steps',
		CASE WHEN definition ? 'key' THEN key END, strata, omit, NULL, unit, totals, true, row_level, weight, weight_group, missing) AS p);
	unnamed CONSTANT text := (SELECT string_agg(quote_ident(p.key), ', ' ORDER BY p.key COLLATE "C") FROM jsonb_each_text(plan) AS p
		WHERE p.value = 'copied' AND p.key::name <> ALL (keep || strata || omit));
	windowed CONSTANT text[] := ARRAY(SELECT m.method FROM sdc_private.methods() AS m WHERE m.windows); -- which tell what releases tell together
	composed CONSTANT text := (SELECT min(l.name) FROM (VALUES ('composed_people_found'), ('exposed')) AS l (name)
		WHERE definition -> 'limits' ? l.name);
	parts CONSTANT text[] := parse_ident(definition ->> 'publish_as');
	stranger CONSTANT text := (SELECT COALESCE(g.role, 'NULL') FROM jsonb_array_elements_text(definition -> 'grant_to') AS g (role)
		WHERE g.role IS NULL OR g.role <> 'public' AND NOT EXISTS (SELECT FROM pg_roles AS r WHERE r.rolname = g.role) LIMIT 1);
	-- releases are where their source is
	denied CONSTANT regnamespace := (SELECT n.oid FROM pg_namespace AS n
		WHERE (n.oid = (SELECT c.relnamespace FROM pg_class AS c WHERE c.oid = source)
			OR n.nspname = ANY (ARRAY[parts[1], (parse_ident(definition ->> 'units_as'))[1]]))
			AND NOT (has_schema_privilege(sdc_private.caller(), n.oid, 'CREATE') AND has_schema_privilege(sdc_private.caller(), n.oid, 'USAGE')) ORDER BY n.nspname LIMIT 1);
	unbounded text;
BEGIN
	IF to_regnamespace(quote_ident(parts[1])) IS NULL THEN
		RAISE EXCEPTION USING ERRCODE = 'invalid_schema_name', MESSAGE = format('schema "%s" does not exist', parts[1]),
			HINT = 'A policy publishes in a schema that exists: argument "publish_as".';
	ELSIF denied IS NOT NULL THEN
		RAISE EXCEPTION USING ERRCODE = 'insufficient_privilege', MESSAGE = format('permission denied for schema %s', denied),
			DETAIL = 'A policy makes its releases in the schema of its source, and publishes in that of argument "publish_as".',
			HINT = format('GRANT USAGE, CREATE ON SCHEMA %s TO %I.', denied, sdc_private.caller());
	ELSIF stranger IS NOT NULL THEN
		RAISE EXCEPTION USING ERRCODE = 'undefined_object', MESSAGE = format('role "%s" does not exist', stranger),
			DETAIL = 'It is named in argument "grant_to".', HINT = 'Create the role, or name others.';
	END IF;
	-- with keep all else would be left out: this is about the names in it
	PERFORM FROM sdc_private.plan(source, definition -> 'steps', CASE WHEN definition ? 'key' THEN key END, strata, omit, keep, unit, totals, true, row_level, weight, weight_group, missing);
	IF place IS NOT NULL THEN
		RAISE EXCEPTION USING ERRCODE = 'invalid_parameter_value', MESSAGE = format('steps[%s] does not name its columns', place),
			HINT = 'A policy names every column that leaves, so that a new one of the source does not.';
	ELSIF unnamed IS NOT NULL THEN
		RAISE EXCEPTION USING ERRCODE = 'object_not_in_prerequisite_state',
			MESSAGE = format('the policy says nothing of columns of "%s": %s', source, unnamed),
			HINT = 'Name them in argument "keep" if they are to leave as they are, or in argument "omit".';
	END IF;
	IF composed IS NOT NULL AND cardinality(COALESCE(unit, ARRAY(SELECT r.attribute FROM sdc_private.roles(source) AS r WHERE r.role = 'unit'))) > 0 THEN
		RAISE EXCEPTION USING ERRCODE = 'feature_not_supported', MESSAGE = format('limit "%s" is not for units with several records', composed),
			DETAIL = 'What releases tell together is found by records, which is too little for somebody who has several.',
			HINT = 'Leave the limit out.';
	END IF;
	IF composed IS NOT NULL THEN
		unbounded := (SELECT string_agg(format('%I (%s)', p.attribute, p.method), ', ' ORDER BY p.attribute::text COLLATE "C")
			FROM sdc_private.plan(source, definition -> 'steps', CASE WHEN definition ? 'key' THEN key END, strata, omit, NULL, unit, totals, true, row_level, weight, weight_group, missing) AS p
			WHERE p.action = 'protected' AND p.method <> ALL (windowed)
				AND (NOT definition ? 'known' OR definition -> 'known' ? p.attribute::text));
	END IF;
	IF unbounded IS NOT NULL THEN
		RAISE EXCEPTION USING ERRCODE = 'invalid_parameter_value',
			MESSAGE = format('limit "%s" is not for columns whose values have no windows: %s', composed, unbounded),
			HINT = format('Methods with windows are %s and %s. Leave the limit out, or name columns of these in argument "known".',
				array_to_string(trim_array(windowed, 1), ', '), windowed[cardinality(windowed)]);
	END IF;
	RETURN ARRAY(SELECT p.key::name FROM jsonb_each_text(plan) AS p
		WHERE p.value IN ('protected', 'computed', 'grouped') OR (p.value = 'copied' AND p.key::name = ANY (keep)));
END
$check$;
COMMENT ON FUNCTION sdc_private.check_policy(jsonb) IS
	'below sdc_policy_set and runs: checks a policy against its source, and returns the columns that leave';

-- policy_enter checks a definition, and enters it as a policy of the caller.
CREATE FUNCTION sdc_private.policy_enter(policy name, definition jsonb)
RETURNS void
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 10000
SET search_path = pg_catalog, pg_temp
AS $enter$
DECLARE
	parts CONSTANT text[] := parse_ident(definition ->> 'publish_as');
	named CONSTANT text[] := ARRAY(SELECT jsonb_array_elements_text(definition -> 'approvers'));
	stranger CONSTANT text := (SELECT COALESCE(g.role, 'NULL') FROM unnest(named) AS g (role)
		WHERE g.role IS NULL OR NOT EXISTS (SELECT FROM pg_roles AS r WHERE r.rolname = g.role) LIMIT 1);
	leaves name[];
BEGIN
	IF cardinality(parts) <> 2 THEN
		RAISE EXCEPTION USING ERRCODE = 'invalid_parameter_value', MESSAGE = 'argument "publish_as" must be a schema and a name',
			HINT = 'Such as: public.census_public. A policy runs with whatever search path there is then.';
	ELSIF to_regclass(format('%I.%I', parts[1], parts[2])) = (definition ->> 'source')::regclass THEN
		RAISE EXCEPTION USING ERRCODE = 'invalid_parameter_value', MESSAGE = 'argument "publish_as" is the source';
	ELSIF cardinality(parse_ident(definition ->> 'units_as')) <> 2 THEN
		RAISE EXCEPTION USING ERRCODE = 'invalid_parameter_value', MESSAGE = 'argument "units_as" must be a schema and a name';
	ELSIF stranger IS NOT NULL THEN
		RAISE EXCEPTION USING ERRCODE = 'undefined_object', MESSAGE = format('role "%s" does not exist', stranger),
			DETAIL = 'It is named in argument "approvers".', HINT = 'Create the role, or name others.';
	ELSIF definition ->> 'mode' NOT IN ('exchange', 'rows') THEN
		RAISE EXCEPTION USING ERRCODE = 'invalid_parameter_value', MESSAGE = 'argument "mode" is unknown',
			HINT = 'It is exchange or rows.';
	ELSIF definition ->> 'on_unchanged' NOT IN ('skip', 'publish') THEN
		RAISE EXCEPTION USING ERRCODE = 'invalid_parameter_value', MESSAGE = 'argument "on_unchanged" is unknown',
			HINT = 'It is skip or publish.';
	ELSIF (definition ->> 'history')::int < 1 THEN
		RAISE EXCEPTION USING ERRCODE = 'invalid_parameter_value', MESSAGE = 'argument "history" is out of range',
			HINT = 'It is a number of published releases that are kept, at least 1.';
	ELSIF (definition ->> 'sample')::bigint < 1 THEN
		RAISE EXCEPTION USING ERRCODE = 'invalid_parameter_value', MESSAGE = 'argument "sample" is out of range',
			HINT = 'It is a number of records, at least 1; NULL measures all.';
	END IF;
	PERFORM sdc_private.check_limits(definition -> 'limits');
	IF definition -> 'limits' ? 'workload_error' AND COALESCE(jsonb_array_length(definition -> 'workload'), 0) = 0 THEN
		RAISE EXCEPTION USING ERRCODE = 'invalid_parameter_value', MESSAGE = 'limit "workload_error" needs argument "workload"',
			HINT = 'It has the conditions whose counts may be wrong by so much, such as: {age > 30}.';
	END IF;
	PERFORM sdc_private.workload_check((SELECT p.owner FROM sdc_private.policies() AS p WHERE p.policy = $1), (definition ->> 'source')::regclass,
		sdc_private.texts((definition -> 'workload')::jsonb));
	leaves := sdc_private.check_policy(definition);
	IF jsonb_array_length(definition -> 'known') = 0 THEN
		RAISE EXCEPTION USING ERRCODE = 'invalid_parameter_value', MESSAGE = 'argument "known" must not be empty',
			HINT = 'It has the columns that an intruder knows; NULL is all that leave.';
	ELSIF EXISTS (SELECT FROM jsonb_array_elements_text(definition -> 'known') AS k (name) WHERE k.name IS NULL OR k.name::name <> ALL (leaves)) THEN
		RAISE EXCEPTION USING ERRCODE = 'invalid_parameter_value', MESSAGE = 'argument "known" names columns that do not leave';
	END IF;
	PERFORM sdc_private.policy_put(policy, definition);
END
$enter$;
COMMENT ON FUNCTION sdc_private.policy_enter(name, jsonb) IS
	'below sdc_policy_set and sdc_policy_alter: checks a policy and enters it';

CREATE FUNCTION sdc_private.policy_set(policy name, source regclass, steps jsonb, publish_as text, key name[],
	strata name[], keep name[], limits jsonb, grant_to name[],
	approve boolean, known name[], omit name[],
	mode text, sample bigint, approvers name[],
	on_unchanged text, history int, unit name[], totals jsonb, totals_force boolean, row_level name[], keep_units boolean, units_as text,
	weight name, weight_group int, missing jsonb, workload text[])
RETURNS void
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 10000
SET search_path = pg_catalog, pg_temp
SET quote_all_identifiers = off
AS $set$
DECLARE
	-- a pause is ended by who says so, and not by other steps
	paused CONSTANT jsonb := COALESCE((SELECT '{"paused": true}'::jsonb FROM sdc_private.policies() AS p
		WHERE p.policy = $1 AND p.definition -> 'paused' = 'true'), '{}');
	unset CONSTANT text := (SELECT a.name FROM (VALUES ('policy', $1 IS NULL), ('source', $2 IS NULL), ('steps', $3 IS NULL),
		('publish_as', $4 IS NULL), ('approve', $10 IS NULL), ('mode', $13 IS NULL), ('on_unchanged', $16 IS NULL)) AS a (name, unset) WHERE a.unset LIMIT 1);
BEGIN
	IF unset IS NOT NULL THEN
		RAISE EXCEPTION USING ERRCODE = 'null_value_not_allowed', MESSAGE = format('argument "%s" must not be null', unset);
	ELSIF EXISTS (SELECT FROM sdc_private.policies() AS p WHERE p.policy = $1 AND p.owner = 0) THEN	-- whose owner does not exist
		PERFORM sdc_private.policy_remove($1);
	END IF;
	-- the name of the source as it is with nothing but this path: with its schema; a null in the limits switches one off
	PERFORM sdc_private.policy_enter($1, paused || jsonb_strip_nulls(jsonb_build_object('source', $2::text, 'steps', $3, 'publish_as', $4, 'key', $5,
		'strata', $6, 'keep', $7, 'grant_to', $9, 'approve', $10, 'known', $11, 'omit', $12, 'mode', $13, 'sample', $14,
		'approvers', $15, 'on_unchanged', $16, 'history', $17, 'unit', $18, 'totals', $19,
		'totals_force', CASE WHEN $20 THEN $20 END, 'row_level', $21, 'keep_units', CASE WHEN NOT $22 THEN $22 END, 'units_as', $23,
		'weight', $24, 'weight_group', $25, 'missing', $26, 'workload', $27)) || CASE WHEN $8 IS NULL THEN '{}' ELSE jsonb_build_object('limits', $8) END);
	IF paused <> '{}' THEN
		RAISE NOTICE USING MESSAGE = format('policy "%s" is paused, and stays so', $1),
			HINT = format('SELECT sdc_policy_alter(%L, paused => false) ends that.', $1);
	END IF;
END
$set$;
COMMENT ON FUNCTION sdc_private.policy_set(name, regclass, jsonb, text, name[], name[], name[], jsonb, name[], boolean, name[], name[], text, bigint, name[], text, int, name[], jsonb, boolean, name[], boolean, text, name, int, jsonb, text[]) IS
	'the body of sdc_policy_set';

-- What is null stays as it is, and so does a limit that is not named.
CREATE FUNCTION sdc_private.policy_alter(policy name, limits jsonb, paused boolean, source regclass, steps jsonb, publish_as text,
	key name[], strata name[], keep name[], grant_to name[], approve boolean, known name[], omit name[], mode text, sample bigint,
	approvers name[], on_unchanged text, history int, unit name[], totals jsonb, totals_force boolean, row_level name[], keep_units boolean,
	units_as text, weight name, weight_group int, missing jsonb, workload text[])
RETURNS void
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 10000
SET search_path = pg_catalog, pg_temp
SET quote_all_identifiers = off
AS $alter$
DECLARE
	old CONSTANT jsonb := (SELECT p.definition FROM sdc_private.policies() AS p WHERE p.policy = $1);
	given CONSTANT jsonb := jsonb_strip_nulls(jsonb_build_object('paused', $3, 'source', $4::text, 'steps', $5, 'publish_as', $6, 'key', $7,
		'strata', $8, 'keep', $9, 'grant_to', $10, 'approve', $11, 'known', $12, 'omit', $13, 'mode', $14, 'sample', $15,
		'approvers', $16, 'on_unchanged', $17, 'history', $18, 'unit', $19, 'totals', $20, 'totals_force', $21, 'row_level', $22,
		'keep_units', $23, 'units_as', $24, 'weight', $25, 'weight_group', $26, 'missing', $27, 'workload', $28));
BEGIN
	IF $1 IS NULL THEN
		RAISE EXCEPTION USING ERRCODE = 'null_value_not_allowed', MESSAGE = 'argument "policy" must not be null';
	ELSIF old IS NULL THEN
		RAISE EXCEPTION USING ERRCODE = 'undefined_object', MESSAGE = format('policy "%s" does not exist', $1),
			HINT = 'View sdc_policies lists the policies of roles whose rights you have.';
	ELSIF jsonb_typeof($2) <> 'object' THEN
		RAISE EXCEPTION USING ERRCODE = 'invalid_parameter_value', MESSAGE = 'argument "limits" must be an object of limits',
			HINT = 'Such as: {"people_found": 5}. A null takes a limit away.';
	END IF;
	-- a null takes a limit away, but for those that it switches off; it stays with a name that is unknown, which is refused
	PERFORM sdc_private.policy_enter($1, (old || given || CASE WHEN $2 IS NULL THEN '{}' ELSE jsonb_build_object('limits',
		(SELECT jsonb_object_agg(l.key, l.value) FROM jsonb_each((old -> 'limits') || $2) AS l
			WHERE l.value <> 'null' OR l.key <> ALL (ARRAY(SELECT m.measure FROM sdc_private.limits() AS m
				WHERE m.measure NOT IN ('max_gone', 'max_new')) || ARRAY['min_interval']))) END)
		-- a policy that is paused no more is the one that it was
		- ARRAY(SELECT 'paused' WHERE NOT $3));
END
$alter$;
COMMENT ON FUNCTION sdc_private.policy_alter(name, jsonb, boolean, regclass, jsonb, text, name[], name[], name[], name[], boolean, name[], name[], text, bigint, name[], text, int, name[], jsonb, boolean, name[], boolean, text, name, int, jsonb, text[]) IS
	'the body of sdc_policy_alter';

CREATE FUNCTION sdc_policy_set(policy name, source regclass, steps jsonb, publish_as text, key name[] DEFAULT NULL,
	strata name[] DEFAULT NULL, keep name[] DEFAULT NULL, limits jsonb DEFAULT NULL, grant_to name[] DEFAULT NULL,
	approve boolean DEFAULT false, known name[] DEFAULT NULL, omit name[] DEFAULT NULL,
	mode text DEFAULT 'exchange', sample bigint DEFAULT NULL, approvers name[] DEFAULT NULL,
	on_unchanged text DEFAULT 'skip', history int DEFAULT NULL, unit name[] DEFAULT NULL, totals jsonb DEFAULT NULL,
	totals_force boolean DEFAULT false, row_level name[] DEFAULT NULL, keep_units boolean DEFAULT true, units_as text DEFAULT NULL,
	weight name DEFAULT NULL, weight_group int DEFAULT NULL, missing jsonb DEFAULT NULL, workload text[] DEFAULT NULL)
RETURNS void
AS 'MODULE_PATHNAME', 'sdc_enter' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 10000;
COMMENT ON FUNCTION sdc_policy_set(name, regclass, jsonb, text, name[], name[], name[], jsonb, name[], boolean, name[], name[], text, bigint, name[], text, int, name[], jsonb, boolean, name[], boolean, text, name, int, jsonb, text[]) IS
	'sets a policy: how a table is protected, what leaves, and the limits that a release must keep (needs policy, source, steps, publish_as)';

CREATE FUNCTION sdc_policy_alter(policy name, limits jsonb DEFAULT NULL, paused boolean DEFAULT NULL, source regclass DEFAULT NULL,
	steps jsonb DEFAULT NULL, publish_as text DEFAULT NULL, key name[] DEFAULT NULL, strata name[] DEFAULT NULL, keep name[] DEFAULT NULL,
	grant_to name[] DEFAULT NULL, approve boolean DEFAULT NULL, known name[] DEFAULT NULL, omit name[] DEFAULT NULL, mode text DEFAULT NULL,
	sample bigint DEFAULT NULL, approvers name[] DEFAULT NULL, on_unchanged text DEFAULT NULL, history int DEFAULT NULL, unit name[] DEFAULT NULL,
	totals jsonb DEFAULT NULL, totals_force boolean DEFAULT NULL, row_level name[] DEFAULT NULL, keep_units boolean DEFAULT NULL,
	units_as text DEFAULT NULL, weight name DEFAULT NULL, weight_group int DEFAULT NULL, missing jsonb DEFAULT NULL, workload text[] DEFAULT NULL)
RETURNS void
AS 'MODULE_PATHNAME', 'sdc_enter' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 10000;
COMMENT ON FUNCTION sdc_policy_alter(name, jsonb, boolean, regclass, jsonb, text, name[], name[], name[], name[], boolean, name[], name[], text, bigint, name[], text, int, name[], jsonb, boolean, name[], boolean, text, name, int, jsonb, text[]) IS
	'changes the given arguments of a policy, such as one limit, or pauses it (needs policy)';

CREATE FUNCTION sdc_private.policy_remove(policy name)
RETURNS void
AS 'MODULE_PATHNAME', 'sdc_private_policy_remove' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 10000;
COMMENT ON FUNCTION sdc_private.policy_remove(name) IS
	'below sdc_policy_drop: takes a policy out of the catalog';

-- The releases of runs have the key and all records: they go, and what was published stays.
CREATE FUNCTION sdc_private.policy_drop(policy name)
RETURNS void
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 10000
SET search_path = pg_catalog, pg_temp
SET lock_timeout = '1s'
AS $drop$
DECLARE
	whose CONSTANT name := (SELECT pg_get_userbyid(NULLIF(p.owner, 0)) FROM sdc_private.policies() AS p WHERE p.policy = $1);
	ran record;
BEGIN
	PERFORM sdc_private.policy_remove($1);
	FOR ran IN SELECT min(l.run) AS run, r.release, bool_or(l.status = 'waiting') AS waits
		FROM sdc_private.runs($1, NULL) AS l JOIN sdc_private.releases() AS r ON r.release::oid::text = l.detail ->> 'release_oid'
		WHERE l.owner = whose AND l.status <> 'running' GROUP BY r.release
	LOOP
		IF ran.waits THEN
			RAISE WARNING USING MESSAGE = format('release "%s" of run %s stays, which waits', ran.release, ran.run),
				HINT = format('Reject it: SELECT sdc_reject(%s, ...).', ran.run);
			CONTINUE;
		END IF;
		BEGIN
			PERFORM sdc_private.drop_release(ran.release);
		EXCEPTION WHEN dependent_objects_still_exist OR lock_not_available OR insufficient_privilege THEN
			RAISE WARNING USING MESSAGE = format('release "%s" of run %s stays', ran.release, ran.run), DETAIL = SQLERRM;
		END;
	END LOOP;
END
$drop$;
COMMENT ON FUNCTION sdc_private.policy_drop(name) IS
	'the body of sdc_policy_drop';

CREATE FUNCTION sdc_policy_drop(policy name)
RETURNS void
AS 'MODULE_PATHNAME', 'sdc_enter' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 10000;
COMMENT ON FUNCTION sdc_policy_drop(name) IS
	'forgets a policy and drops the releases of its runs; its publications stay (needs policy)';

CREATE FUNCTION sdc_private.policies(OUT policy name, OUT owner regrole, OUT definition jsonb)
RETURNS SETOF record
AS 'MODULE_PATHNAME', 'sdc_private_policies' LANGUAGE C STABLE PARALLEL RESTRICTED COST 10000 ROWS 10;
COMMENT ON FUNCTION sdc_private.policies() IS
	'below the view sdc_policies';

CREATE VIEW sdc_policies WITH (security_invoker = true) AS
SELECT p.policy, p.owner, p.definition OPERATOR(pg_catalog.->>) 'source' AS source,
	p.definition OPERATOR(pg_catalog.->) 'steps' AS steps,
	p.definition OPERATOR(pg_catalog.->>) 'publish_as' AS publish_as,
	p.definition OPERATOR(pg_catalog.->) 'key' AS key, p.definition OPERATOR(pg_catalog.->) 'strata' AS strata,
	p.definition OPERATOR(pg_catalog.->) 'keep' AS keep, p.definition OPERATOR(pg_catalog.->) 'omit' AS omit,
	p.definition OPERATOR(pg_catalog.->) 'known' AS known, p.definition OPERATOR(pg_catalog.->) 'limits' AS limits,
	p.definition OPERATOR(pg_catalog.->) 'grant_to' AS grant_to,
	(p.definition OPERATOR(pg_catalog.->) 'approve') OPERATOR(pg_catalog.=) 'true'::pg_catalog.jsonb AS approve,
	p.definition OPERATOR(pg_catalog.->) 'approvers' AS approvers, p.definition OPERATOR(pg_catalog.->>) 'mode' AS mode,
	pg_catalog.jsonb_path_query_first(p.definition, '$.sample ? (@.type() == "number" && @ >= 0 && @ < 9e18)')::pg_catalog.int8 AS sample,
	p.definition OPERATOR(pg_catalog.->>) 'on_unchanged' AS on_unchanged,
	pg_catalog.jsonb_path_query_first(p.definition, '$.history ? (@.type() == "number" && @ >= 0 && @ < 2e9)')::pg_catalog.int4 AS history,
	(SELECT pg_catalog.format('SELECT sdc_policy_set(policy => %L%s);%s', p.policy, pg_catalog.string_agg(
		pg_catalog.format(', %I => %s', e.key, CASE WHEN pg_catalog.jsonb_typeof(e.value) OPERATOR(pg_catalog.=) 'array'
				AND e.key OPERATOR(pg_catalog.<>) 'steps'
			THEN pg_catalog.quote_literal(ARRAY(SELECT pg_catalog.jsonb_array_elements_text(e.value))::pg_catalog.text)
			ELSE pg_catalog.quote_literal(e.value OPERATOR(pg_catalog.#>>) '{}') END), ''
		ORDER BY pg_catalog.array_position(ARRAY['source', 'steps', 'publish_as', 'key', 'strata', 'keep', 'limits', 'grant_to',
			'approve', 'known', 'omit', 'mode', 'sample', 'approvers', 'on_unchanged', 'history', 'unit', 'totals', 'totals_force', 'row_level',
			'keep_units', 'units_as', 'weight', 'weight_group', 'missing', 'workload'], e.key)),
			CASE WHEN (p.definition OPERATOR(pg_catalog.->) 'paused') OPERATOR(pg_catalog.=) 'true'::pg_catalog.jsonb
				THEN pg_catalog.format(' SELECT sdc_policy_alter(policy => %L, paused => true);', p.policy) END)
		FROM pg_catalog.jsonb_each(p.definition OPERATOR(pg_catalog.-) 'paused') AS e) AS statement,
	COALESCE((p.definition OPERATOR(pg_catalog.->) 'paused') OPERATOR(pg_catalog.=) 'true'::pg_catalog.jsonb, false) AS paused,
	p.definition OPERATOR(pg_catalog.->) 'unit' AS unit, p.definition OPERATOR(pg_catalog.->) 'workload' AS workload
FROM sdc_private.policies() AS p;
COMMENT ON VIEW sdc_policies IS
	'the policies of the caller, and the statements that make them again';
