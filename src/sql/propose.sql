----------------------------------------------------------------------
-- From a table to a proposal
----------------------------------------------------------------------

CREATE FUNCTION sdc_private.sweep(relation regclass, method text, parameter_values float8[], known name[], limit_people_found float8,
	limit_certain_percent float8, columns name[], qi name[], sensitive name[], parameters jsonb, key name[], strata name[], omit name[],
	keep name[], known_max int, sample bigint, seed_text text, search int, unit name[], totals jsonb, totals_force boolean, row_level name[],
	weight name, missing jsonb)
RETURNS TABLE (parameter float8, people_found float8, certain_percent float8, il float8, score float8, on_frontier boolean, chosen boolean)
AS 'MODULE_PATHNAME', 'sdc_private_sweep' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 10000000 ROWS 10;
COMMENT ON FUNCTION sdc_private.sweep(regclass, text, float8[], name[], float8, float8, name[], name[], name[], jsonb, name[], name[], name[],
	name[], int, bigint, text, int, name[], jsonb, boolean, name[], name, jsonb) IS
	'sdc_sweep, with the rights of the caller';

-- The columns of a relation with what tells what to do with them.  Values are counted by what measures groups: nothing else reads the relation.
CREATE FUNCTION sdc_private.propose_columns(relation regclass, key name[], unit name[])
RETURNS TABLE (attribute name, number int, what text, role text, records bigint, different bigint)
LANGUAGE plpgsql STABLE PARALLEL UNSAFE COST 1000000 ROWS 20
SET search_path = pg_catalog, pg_temp
AS $columns$
DECLARE
	generated boolean;
BEGIN
	SELECT a.groups INTO records FROM sdc_private.kanonymity($1, $2, '{}'::name[]) AS a;
	FOR attribute, number, generated, what, role IN
		SELECT c.attname, c.attnum, c.attgenerated <> '', CASE WHEN t.typcategory IN ('N', 'D', 'T') THEN 'number' WHEN t.typcategory IN ('S', 'E', 'B') THEN 'category' END, r.role
		FROM pg_attribute AS c JOIN pg_type AS t ON t.oid = c.atttypid
			LEFT JOIN sdc_private.sdc_attributes AS r ON r.relation = $1 AND r.attribute = c.attname
		WHERE c.attrelid = $1 AND c.attnum > 0 AND NOT c.attisdropped ORDER BY c.attnum
	LOOP
		different := NULL;
		IF attribute = ANY ($2) THEN
			what := 'key';
		ELSIF attribute = ANY ($3) THEN
			what := 'unit';
		ELSIF generated THEN
			what := 'generated';
		ELSIF what IS NOT NULL AND role IS DISTINCT FROM 'identifier' THEN
			SELECT a.groups INTO different FROM sdc_private.kanonymity($1, ARRAY[attribute]::name[], '{}'::name[]) AS a;
		END IF;
		RETURN NEXT;
	END LOOP;
END
$columns$;
COMMENT ON FUNCTION sdc_private.propose_columns(regclass, name[], name[]) IS
	'what is below sdc_propose: what the columns are';

-- What is done with one column unless the people who are found ask for more.
CREATE FUNCTION sdc_private.propose_column(what text, role text, records bigint, different bigint, whole boolean, OUT proposal text, OUT why text,
	OUT question text)
LANGUAGE sql IMMUTABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $column$
	SELECT w.proposal, w.why, w.question FROM (SELECT
		$3 > 10 AND $4 * 10 > $3 AS many) AS m, LATERAL (SELECT
		$1 = 'number' AND $5 AND $4 = $3 AND $3 > 10 AS numbered) AS n, LATERAL (VALUES
		($1 = 'key', 'key', 'It names the records, and does not leave.', NULL),
		($1 = 'unit', 'unit', 'It names the people, and does not leave.', NULL),
		($2 = 'identifier', 'omit', 'It is classified as identifier.', NULL),
		($2 IN ('sensitive', 'public', 'weight') AND $4 * 2 <= $3, 'keep', format('It is classified as %s.', $2), NULL),
		($1 = 'generated', 'omit', 'It is computed from other columns, whose true values it would tell.', NULL),
		($1 IS NULL, 'omit', 'Its type has no values that could be swapped.', 'Does anybody need it? Then publish what is computed from it.'),
		($4 <= 1, 'keep', 'All records have the same value.', NULL),
		(n.numbered, 'omit', format('Each of the %s records has a number of its own.', $3), 'Is it a quantity? Then classify it as quasi-identifier, and it is swapped.'),
		($5 AND $4 * 5 > $3 AND $4 * 3 < $3 * 2, 'swap', format('It has %s different values in %s records.', $4, $3),
			'Does it name somebody with several records? Then name it in argument "unit".'),
		($1 = 'number' OR $2 = 'quasi-identifier', 'swap', format('It has %s different values, which somebody may know.', $4), NULL),
		(m.many, 'omit', format('It has %s different values in %s records: they identify people.', $4, $3), 'Can its values be made coarser? Then recode them in a view first.'),
		(true, 'keep', format('It has %s different values.', $4), 'Would it harm a person if others learned this value? Then classify it as sensitive.')
	) AS w (holds, proposal, why, question) WHERE w.holds LIMIT 1
$column$;
COMMENT ON FUNCTION sdc_private.propose_column(text, text, bigint, bigint, boolean) IS
	'what is below sdc_propose: what to do with a column';

-- People found by a value of the parameter on fresh draws: what one draw in a thousand comes to, if they are about normal.
CREATE FUNCTION sdc_private.propose_confirm(relation regclass, step jsonb, columns name[], key name[], omit name[], keep name[], unit name[],
	sample bigint, OUT high float8, OUT il float8)
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 10000000
SET search_path = pg_catalog, pg_temp
AS $confirm$
BEGIN
	SELECT greatest(max(s.people_found), avg(s.people_found) + 3 * COALESCE(stddev_samp(s.people_found), 0)), avg(s.il) INTO high, il
	FROM generate_series(1, 8) AS d (draw), LATERAL sdc_private.sweep($1, step ->> 'method', ARRAY[(step ->> 'value')::float8], NULL::name[], NULL::float8,
		NULL::float8, CASE WHEN step ->> 'method' <> 'randomize' THEN $3 END, CASE WHEN step ->> 'method' = 'randomize' THEN $3 END, NULL::name[],
		NULL::jsonb, $4, NULL::name[], $5, $6, NULL::int, $8, format('sdc_propose, fresh draw %s', d.draw), 0, $7, NULL::jsonb, false, NULL::name[],
		NULL::name, NULL::jsonb) AS s;
END
$confirm$;
COMMENT ON FUNCTION sdc_private.propose_confirm(regclass, jsonb, name[], name[], name[], name[], name[], bigint) IS
	'what is below sdc_propose: whom a method shows on fresh draws';

-- The step with the least loss that keeps the limit, for some columns; NULL if none does.
CREATE FUNCTION sdc_private.propose_step(relation regclass, bound float8, columns name[], key name[], omit name[], keep name[], unit name[], sample bigint)
RETURNS jsonb
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 10000000
SET search_path = pg_catalog, pg_temp
AS $step$
DECLARE
	method record;
	tried float8;
	step jsonb;
	high float8;
	loss float8;
	best jsonb;
BEGIN
	-- stronger: what a value that shows too many people is multiplied with
	FOR method IN SELECT * FROM (VALUES ('rankswap', 'p', 1.15, 100), ('rankswap_distribution', 'p', 1.15, 100), ('rankswap_buckets', 'buckets', 0.85, 1),
		('equidepth_swap', 'depth', 1.3, 1e6), ('randomize', 'draws', 2, 100)) AS m (name, parameter, stronger, last)
	LOOP
		BEGIN
			SELECT s.parameter INTO tried FROM sdc_private.sweep($1, method.name::text, NULL::float8[], NULL::name[], $2, NULL::float8,
				CASE WHEN method.name <> 'randomize' THEN $3 END, CASE WHEN method.name = 'randomize' THEN $3 END, NULL::name[], NULL::jsonb, $4, NULL::name[],
				$5, $6, NULL::int, $8, 'sdc_propose'::text, 5, $7, NULL::jsonb, false, NULL::name[], NULL::name, NULL::jsonb) AS s WHERE s.chosen;
			WHILE tried IS NOT NULL LOOP
				step := jsonb_build_object('method', method.name, 'parameter', method.parameter, 'value', tried);
				SELECT c.high, c.il INTO high, loss FROM sdc_private.propose_confirm($1, step, $3, $4, $5, $6, $7, $8) AS c;
				EXIT WHEN high <= $2;
				tried := CASE WHEN method.parameter = 'p' THEN round((tried * method.stronger)::numeric, 2)
					WHEN method.stronger > 1 THEN ceil(tried * method.stronger) ELSE floor(tried * method.stronger) END;
				IF method.stronger > 1 AND tried > method.last OR method.stronger < 1 AND tried < method.last THEN
					tried := NULL;
				END IF;
			END LOOP;
		EXCEPTION WHEN invalid_parameter_value OR feature_not_supported OR datatype_mismatch OR null_value_not_allowed THEN
			tried := NULL;	-- the method is not for these columns
		END;
		IF tried IS NOT NULL AND (best IS NULL OR loss < (best ->> 'il')::float8) THEN
			best := step || jsonb_build_object('people_found', high, 'il', loss);
		END IF;
	END LOOP;
	RETURN best;
END
$step$;
COMMENT ON FUNCTION sdc_private.propose_step(regclass, float8, name[], name[], name[], name[], name[], bigint) IS
	'what is below sdc_propose: the method and its parameter';

-- What is wrong with what is asked for.
CREATE FUNCTION sdc_private.propose_refuse(relation regclass, limits jsonb, key name[], unit name[])
RETURNS void
LANGUAGE plpgsql STABLE PARALLEL UNSAFE COST 1000
SET search_path = pg_catalog, pg_temp
AS $refuse$
BEGIN
	IF $1 IS NULL THEN
		RAISE EXCEPTION USING ERRCODE = 'null_value_not_allowed', MESSAGE = 'argument "relation" must not be null';
	ELSIF $2 IS NULL THEN
		RAISE EXCEPTION USING ERRCODE = 'null_value_not_allowed', MESSAGE = 'argument "limits" must not be null',
			HINT = 'Such as: {"people_found": 5}.';
	ELSIF jsonb_typeof($2) <> 'object' OR jsonb_typeof($2 -> 'people_found') IS DISTINCT FROM 'number' OR NOT ($2 ->> 'people_found')::numeric BETWEEN 0 AND 100 THEN
		RAISE EXCEPTION USING ERRCODE = 'invalid_parameter_value', MESSAGE = 'argument "limits" must have the member "people_found", a number from 0 to 100',
			HINT = 'It is the percentage of the people who may be found, such as: {"people_found": 5}.';
	ELSIF $3 IS NULL OR cardinality($3) = 0 THEN
		RAISE EXCEPTION USING ERRCODE = 'invalid_parameter_value', MESSAGE = format('relation "%s" has no primary key', $1),
			HINT = 'Name the columns that tell its records apart in argument "key".';
	ELSIF EXISTS (SELECT FROM unnest($3 || $4) AS n (name) WHERE NOT EXISTS (SELECT FROM pg_attribute AS a WHERE a.attrelid = $1 AND a.attnum > 0
			AND NOT a.attisdropped AND a.attname = n.name)) THEN
		RAISE EXCEPTION USING ERRCODE = 'undefined_column', MESSAGE = format('a column in argument "key" or "unit" is not in relation "%s"', $1),
			HINT = (SELECT format('Its columns are %s.', string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum)) FROM pg_attribute AS a
				WHERE a.attrelid = $1 AND a.attnum > 0 AND NOT a.attisdropped);
	END IF;
END
$refuse$;
COMMENT ON FUNCTION sdc_private.propose_refuse(regclass, jsonb, name[], name[]) IS
	'what is below sdc_propose: refuses what it cannot work with';

CREATE FUNCTION sdc_private.propose(relation regclass, limits jsonb, workload text[], unit name[], key name[], publish_as text)
RETURNS TABLE (attribute name, proposal text, parameters jsonb, why text, question text, statement text)
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 10000000 ROWS 20
SET search_path = pg_catalog, pg_temp
SET client_min_messages = error
AS $propose$
#variable_conflict use_column
DECLARE
	keys CONSTANT name[] := COALESCE($5, (SELECT array_agg(c.attname ORDER BY c.attnum) FROM pg_index AS i JOIN pg_attribute AS c ON c.attrelid = i.indrelid AND c.attnum = ANY (i.indkey)
		WHERE i.indrelid = $1 AND i.indisprimary));
	units CONSTANT name[] := COALESCE($4, (SELECT array_agg(r.attribute) FROM sdc_private.sdc_attributes AS r WHERE r.relation = $1 AND r.role = 'unit'));
	named CONSTANT text := COALESCE($6, (SELECT format('%I.%I', n.nspname, c.relname || '_public') FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace WHERE c.oid = $1));
	plan jsonb;		-- by column: proposal, why, question, different
	swapped name[];
	kept name[];
	omitted name[];
	sample bigint;
	step jsonb;
	next name;
BEGIN
	PERFORM sdc_private.propose_refuse($1, $2, keys, units);
	IF $3 IS NOT NULL THEN
		RAISE EXCEPTION USING ERRCODE = 'feature_not_supported', MESSAGE = 'a workload is not measured before there is a release',
			HINT = 'Set the policy, and compare its release by sdc_compare or sdc_query_errors.';
	END IF;
	SELECT jsonb_object_agg(c.attribute, to_jsonb(p) || jsonb_build_object('different', c.different, 'number', c.number)),
		CASE WHEN max(c.records) > 5000 THEN 2000 END INTO plan, sample
	FROM sdc_private.propose_columns($1, keys, COALESCE(units, '{}')) AS c JOIN pg_attribute AS a ON a.attrelid = $1 AND a.attname = c.attribute,
		sdc_private.propose_column(c.what, c.role, c.records, c.different, a.atttypid IN ('int2'::regtype, 'int4'::regtype, 'int8'::regtype)) AS p;
	LOOP
		SELECT array_agg(e.key::name ORDER BY e.key COLLATE "C") FILTER (WHERE e.value ->> 'proposal' = 'swap'), COALESCE(array_agg(e.key::name) FILTER (WHERE e.value ->> 'proposal' = 'keep'), '{}'),
			COALESCE(array_agg(e.key::name) FILTER (WHERE e.value ->> 'proposal' = 'omit'), '{}')
		INTO swapped, kept, omitted FROM jsonb_each(plan) AS e;
		IF swapped IS NOT NULL THEN
			step := sdc_private.propose_step($1, ($2 ->> 'people_found')::float8, swapped, keys, omitted, kept, units, sample);
		END IF;
		EXIT WHEN step IS NOT NULL;
		-- the kept column with the most values is swapped too; when all are, the swapped text with the most values is left out
		SELECT e.key INTO next FROM jsonb_each(plan) AS e WHERE (e.value ->> 'proposal' = 'keep' AND e.value ->> 'different' IS NOT NULL AND (e.value ->> 'different')::bigint > 1)
			OR (kept = '{}' AND e.value ->> 'proposal' = 'swap')
		ORDER BY e.value ->> 'proposal' = 'keep' DESC, (e.value ->> 'different')::bigint DESC, e.key COLLATE "C" LIMIT 1;
		EXIT WHEN next IS NULL;
		plan := jsonb_set(plan, ARRAY[next::text], (plan -> next::text) || CASE WHEN plan -> next::text ->> 'proposal' = 'keep'
			THEN '{"proposal": "swap", "why": "With its true values too many people are found.", "question": null}'
			ELSE '{"proposal": "omit", "why": "Even swapped, it shows too many people.", "question": null}'::jsonb END);
	END LOOP;
	RETURN QUERY SELECT e.key::name, e.value ->> 'proposal', CASE WHEN e.value ->> 'proposal' = 'swap' THEN jsonb_build_object('method', step -> 'method', step ->> 'parameter', step -> 'value') END,
		e.value ->> 'why', e.value ->> 'question', NULL::text
	FROM jsonb_each(plan) AS e ORDER BY (e.value ->> 'number')::int;
	RETURN QUERY SELECT NULL::name, CASE WHEN step IS NULL THEN 'nothing' ELSE 'policy' END, step,
		CASE WHEN step IS NULL THEN 'No method keeps the limit for what could leave.'
			ELSE format('At most %s percent of the people are found on eight fresh draws, and %s are allowed.', round((step ->> 'people_found')::numeric, 2), $2 ->> 'people_found') END,
		NULL::text,
		CASE WHEN step IS NOT NULL THEN format('SELECT sdc_policy_set(policy => %L, source => %L, steps => %L, publish_as => %L, key => %L, keep => %L, omit => %L, limits => %L%s);',
			(SELECT c.relname FROM pg_class AS c WHERE c.oid = $1), $1::text, jsonb_build_array(jsonb_strip_nulls(jsonb_build_object('method', step -> 'method', CASE step ->> 'method' WHEN 'randomize' THEN 'qi' ELSE 'columns' END, to_jsonb(swapped),
				step ->> 'parameter', step -> 'value', 'continued', CASE WHEN step ->> 'method' <> 'equidepth_swap' THEN true END))), named, keys, kept, omitted, $2,
			CASE WHEN units IS NOT NULL THEN format(', unit => %L', units) END) END;
END
$propose$;
COMMENT ON FUNCTION sdc_private.propose(regclass, jsonb, text[], name[], name[], text) IS
	'what sdc_propose does';

CREATE FUNCTION sdc_propose(relation regclass, limits jsonb, workload text[] DEFAULT NULL, unit name[] DEFAULT NULL, key name[] DEFAULT NULL,
	publish_as text DEFAULT NULL)
RETURNS TABLE (attribute name, proposal text, parameters jsonb, why text, question text, statement text)
AS 'MODULE_PATHNAME', 'sdc_enter' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 10000000 ROWS 20;
COMMENT ON FUNCTION sdc_propose(regclass, jsonb, text[], name[], name[], text) IS
	'what to do with each column of a table so that few people are found, and the statement that does it; changes nothing (needs relation, limits)';
