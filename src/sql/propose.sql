----------------------------------------------------------------------
-- From a table to a proposal
----------------------------------------------------------------------

-- Releases that are made on trial.  Trials are arrays of steps for the same columns, weak ones first; with a limit the first one that keeps it is
-- found by bisection, otherwise all are made with all seeds.
CREATE FUNCTION sdc_private.trials(relation regclass, trials jsonb, seeds text[], key name[], omit name[], keep name[], unit name[], sample bigint,
	limit_people_found float8, limit_certain_percent float8, loss float8, known name[], known_max int)
RETURNS TABLE (trial int, draw int, people_found float8, certain_percent float8, il float8, score float8, count_error float8)
AS 'MODULE_PATHNAME', 'sdc_private_trials' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 10000000 ROWS 8;
COMMENT ON FUNCTION sdc_private.trials(regclass, jsonb, text[], name[], name[], name[], name[], bigint, float8, float8, float8, name[], int) IS
	'below sdc_propose: the measures of steps on trial';

CREATE FUNCTION sdc_private.trial_counts(relation regclass, steps jsonb, seeds text[], key name[], omit name[], keep name[], unit name[], workload text[])
RETURNS TABLE (query int, draw int, answer bigint, estimate bigint)
AS 'MODULE_PATHNAME', 'sdc_private_trial_counts' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 10000000 ROWS 20;
COMMENT ON FUNCTION sdc_private.trial_counts(regclass, jsonb, text[], name[], name[], name[], name[], text[]) IS
	'below sdc_propose: how many records satisfy conditions in a table, and in releases of it on trial';

CREATE FUNCTION sdc_private.column_facts(relation regclass, columns name[])
RETURNS TABLE (attribute name, records bigint, different bigint, single bigint, many boolean, prefix int, prefixes bigint, length float8, apart bigint,
	follows name)
AS 'MODULE_PATHNAME', 'sdc_private_column_facts' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 20;
COMMENT ON FUNCTION sdc_private.column_facts(regclass, name[]) IS
	'below sdc_propose: values, rare ones, first characters, lengths, numbers far from others, and columns that tell others';

-- The columns of a relation with what tells what to do with them.
CREATE FUNCTION sdc_private.propose_columns(relation regclass, key name[], unit name[])
RETURNS TABLE (attribute name, number int, what text, whole boolean, role text, records bigint, different bigint, many boolean, prefix int, prefixes bigint,
	length float8, apart bigint, follows name)
LANGUAGE sql STABLE PARALLEL UNSAFE COST 1000000 ROWS 20
SET search_path = pg_catalog, pg_temp
AS $columns$
	WITH c AS MATERIALIZED (
		SELECT c.attname, c.attnum::int, CASE WHEN c.attname = ANY ($2) THEN 'key' WHEN c.attname = ANY ($3) THEN 'unit' WHEN c.attgenerated <> '' THEN 'generated'
				WHEN t.typcategory IN ('N', 'D', 'T') THEN 'number' WHEN t.typcategory IN ('S', 'E', 'B') THEN 'category' END AS what,
			COALESCE(NULLIF(t.typbasetype, 0), t.oid) IN ('int2'::regtype, 'int4'::regtype, 'int8'::regtype) AS whole, r.role
		FROM pg_attribute AS c JOIN pg_type AS t ON t.oid = c.atttypid LEFT JOIN sdc_private.sdc_attributes AS r ON r.relation = $1 AND r.attribute = c.attname
		WHERE c.attrelid = $1 AND c.attnum > 0 AND NOT c.attisdropped),
	f AS MATERIALIZED (SELECT * FROM sdc_private.column_facts($1,
		ARRAY(SELECT c.attname FROM c WHERE c.what IN ('number', 'category') AND c.role IS DISTINCT FROM 'identifier' ORDER BY c.attnum)))
	SELECT c.attname, c.attnum, c.what, c.whole, c.role, f.records, f.different, f.many, f.prefix, f.prefixes, f.length, f.apart, f.follows
	FROM c LEFT JOIN f ON f.attribute = c.attname ORDER BY c.attnum
$columns$;
COMMENT ON FUNCTION sdc_private.propose_columns(regclass, name[], name[]) IS
	'below sdc_propose: the columns of a relation and their kinds';

-- What is done with one column unless the people who are found ask for more.  Text of 40 characters in the mean is written by people; so is one of which
-- nearly every tenth record has a value, or every twentieth one that no other has, but for codes that can be cut.
CREATE FUNCTION sdc_private.propose_column(what text, role text, records bigint, different bigint, whole boolean, many boolean, prefix int, length float8,
	apart bigint, follows name, OUT proposal text, OUT why text, OUT question text)
LANGUAGE sql IMMUTABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $column$
	SELECT w.proposal, w.why, w.question FROM (SELECT
		$1 = 'number' AND $5 AND $4 * 20 >= $3 * 19 AND $4 > 1 AS numbered) AS n, LATERAL (VALUES
		($1 = 'key', 'key', 'It names the records, and does not leave.', NULL),
		($1 = 'unit', 'unit', 'It names the people, and does not leave.', NULL),
		($2 = 'identifier', 'omit', 'It is classified as identifier.', NULL),
		($2 IN ('sensitive', 'public', 'weight') AND NOT ($4 > 1 AND $4 * 2 > $3), 'keep', format('It is classified as %s.', $2), NULL),
		($1 = 'generated', 'omit', 'It is computed from other columns, whose true values it would tell.', NULL),
		($1 IS NULL, 'omit', 'Its type has no values that could be swapped.', 'Does anybody need it? Then publish what is computed from it.'),
		($4 <= 1, 'keep', 'All records have the same value.', NULL),
		(n.numbered AND $2 IS DISTINCT FROM 'quasi-identifier', 'omit', format('Nearly each of the %s records has a number of its own.', $3),
			'Is it a quantity? Then classify it as quasi-identifier, and it is swapped.'),
		($1 = 'number' AND $8 IS NULL AND $9 > 0, 'swap', format('It has %s different values, which somebody may know.', $4),
			format('%s records have a number far from all others. Does it mean that the value is missing? Then name it in argument "missing" of the policy.', $9)),
		($5 AND $4 * 5 > $3 AND $4 * 3 < $3 * 2, 'swap', format('It has %s different values in %s records.', $4, $3),
			'Does it name somebody with several records? Then name it in argument "unit".'),
		($1 = 'number' OR $2 = 'quasi-identifier', 'swap', format('It has %s different values, which somebody may know.', $4), NULL),
		($7 IS NOT NULL, 'recode', format('It has %s different values in %s records: they identify people. Cut behind character %s they are few.', $4, $3, $7),
			format('Does what is left up to character %s name a larger class or area? If not, leave it out.', $7)),
		($6, 'omit', format('It has %s different values in %s records: they identify people.', $4, $3), 'Can its values be made coarser? Step recode does that.'),
		($8 >= 40, 'omit', format('It has texts of %s characters in the mean, which may tell who people are.', round($8::numeric)),
			'Is it a list of fixed terms? Then classify it as quasi-identifier, and it is protected.'),
		(true, 'keep', format('It has %s different values.', $4), COALESCE('Column ' || quote_ident($10) || ' tells its values. Does anybody need both?',
			'Would it harm a person if others learned this value? Then classify it as sensitive.'))
	) AS w (holds, proposal, why, question) WHERE w.holds LIMIT 1
$column$;
COMMENT ON FUNCTION sdc_private.propose_column(text, text, bigint, bigint, boolean, boolean, int, float8, bigint, name) IS
	'below sdc_propose: the proposal for a column';

-- The methods, and mixtures of two, with all that is tried of their parameters, weak ones first; step: each value by the one before it.  A joint swap leaves
-- the records of its columns whole, so it is only for a table of which as many others leave.
CREATE FUNCTION sdc_private.propose_shapes(numbers name[], categories name[], others boolean, records bigint, step float8)
RETURNS TABLE (number int, mixed boolean, trials jsonb)
LANGUAGE sql IMMUTABLE PARALLEL SAFE ROWS 16
SET search_path = pg_catalog, pg_temp
AS $shapes$
	WITH grid (parameter, value) AS (
		SELECT 'p', least(round((0.5 * $5 ^ i)::numeric, 2), 100) FROM generate_series(0, ceil(ln(200) / ln($5))::int) AS i
		UNION SELECT 'buckets', least(200, $4 / 2) - i FROM generate_series(0, least(200, $4 / 2) - 1) AS i
		UNION SELECT g.parameter, ceil(2 * ($5 * $5) ^ i)::bigint FROM (VALUES ('depth', 1), ('k', 50)) AS g (parameter, part),
			generate_series(0, floor(ln(greatest($4 / (2.0 * part), 1)) / ln($5 * $5))::int) AS i
		UNION SELECT 'draws', i FROM generate_series(1, cardinality($1 || $2)) AS i
		UNION SELECT 'amount', round((0.02 * $5 ^ i)::numeric, 3) FROM generate_series(0, ceil(ln(200) / ln($5))::int) AS i
		UNION SELECT 'retain', round((1 - 0.01 * $5 ^ i)::numeric, 3) FROM generate_series(0, floor(ln(99) / ln($5))::int) AS i),
	method (number, method, parameter, more, of_numbers, of_both, of_categories) AS (VALUES
		(1, 'rankswap', 'p', '{}'::jsonb, true, true, true), (2, 'rankswap_distribution', 'p', '{}', true, true, true), (3, 'microaggregate', 'k', '{}', true, false, false),
		(4, 'rankswap_buckets', 'buckets', '{}', true, true, true), (5, 'equidepth_swap', 'depth', '{}', $3, $3, $3), (6, 'pram', 'retain', '{}', true, true, true),
		(7, 'randomize', 'draws', '{}', true, true, true), (8, 'suppress', 'k', '{}', false, false, true), (9, 'noise', 'amount', '{"scheme": "kim"}', true, false, false),
		(10, 'noise', 'amount', '{}', true, false, false)),
	rising AS (SELECT g.parameter, to_jsonb(g.value) AS value, row_number() OVER (PARTITION BY g.parameter ORDER BY g.value * CASE WHEN g.parameter IN ('buckets', 'retain') THEN -1 ELSE 1 END) AS n
		FROM grid AS g WHERE g.value > 0 AND (g.parameter <> 'p' OR g.value >= 1)),
	step AS (SELECT m.*, CASE WHEN m.method IN ('randomize', 'suppress') THEN 'qi' ELSE 'columns' END AS argument, r.value, r.n
		FROM method AS m JOIN rising AS r USING (parameter))
	SELECT s.number, false, jsonb_agg(jsonb_build_array(s.more || jsonb_build_object('method', s.method, s.argument, to_jsonb($1 || $2), s.parameter, s.value)) ORDER BY s.n)
	FROM step AS s WHERE CASE WHEN $1 || $2 = '{}' THEN false WHEN $2 = '{}' THEN s.of_numbers WHEN $1 = '{}' THEN s.of_categories ELSE s.of_both END
	GROUP BY s.number
	UNION ALL
	SELECT 0, false, '[[]]' WHERE $1 || $2 = '{}'
	UNION ALL
	SELECT 10 * n.number + s.number, true, jsonb_agg(jsonb_build_array(jsonb_build_object('method', n.method, 'columns', to_jsonb($1), n.parameter, n.value),
		s.more || jsonb_build_object('method', s.method, s.argument, to_jsonb($2), s.parameter, s.value)) ORDER BY s.n)
	FROM step AS s, (VALUES (1, 'rankswap', 'p', 15), (2, 'rankswap', 'p', 5), (3, 'rankswap', 'p', 40), (4, 'microaggregate', 'k', 5)) AS n (number, method, parameter, value)
	WHERE $1 <> '{}' AND $2 <> '{}' AND (s.method = 'pram' OR s.method = 'randomize' AND s.value::int <= cardinality($2) AND n.method = 'rankswap')
	GROUP BY n.number, s.number
$shapes$;
COMMENT ON FUNCTION sdc_private.propose_shapes(name[], name[], boolean, bigint, float8) IS
	'below sdc_propose: methods, mixtures of them, and their parameters';

-- Trials whose steps draw for columns of one level each: those of units apart from those of their records.  Recodings come first; a trial without other
-- steps is one alone.
CREATE FUNCTION sdc_private.propose_apart(trials jsonb, plan jsonb, recodes jsonb)
RETURNS jsonb
LANGUAGE sql IMMUTABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $apart$
	SELECT COALESCE(jsonb_agg(CASE WHEN $3 IS NOT NULL THEN jsonb_build_array(jsonb_build_object('method', 'recode', 'recodes', $3)) ELSE '[]' END || t.steps ORDER BY t.n),
		jsonb_build_array(jsonb_build_array(jsonb_build_object('method', 'recode', 'recodes', $3))))
	FROM (SELECT p.n, jsonb_agg(p.step ORDER BY p.m, p.level) AS steps
		FROM (SELECT c.n, c.m, c.level, c.step || jsonb_build_object('columns', jsonb_agg(c.name ORDER BY c.number)) AS step
			FROM (SELECT t.n, s.m, s.step, e.name, e.number, CASE WHEN s.step ->> 'method' IN ('pram', 'noise', 'equidepth_swap') THEN $2 #>> ARRAY[e.name, 'level'] END AS level
				FROM jsonb_array_elements($1) WITH ORDINALITY AS t (trial, n), jsonb_array_elements(t.trial) WITH ORDINALITY AS s (step, m),
					jsonb_array_elements_text(s.step -> 'columns') WITH ORDINALITY AS e (name, number)) AS c
			GROUP BY c.n, c.m, c.level, c.step
			UNION ALL
			SELECT t.n, s.m, NULL, s.step FROM jsonb_array_elements($1) WITH ORDINALITY AS t (trial, n), jsonb_array_elements(t.trial) WITH ORDINALITY AS s (step, m)
			WHERE NOT s.step ? 'columns') AS p
		GROUP BY p.n) AS t
$apart$;
COMMENT ON FUNCTION sdc_private.propose_apart(jsonb, jsonb, jsonb) IS
	'below sdc_propose: recodings, and steps for columns of units, and for those of their records';

-- The columns of a level.  Level n protects the first n columns of ordered besides those of plan; a level behind that leaves out the columns with the most
-- values.
CREATE FUNCTION sdc_private.propose_level(plan jsonb, ordered name[], level int, OUT numbers name[], OUT categories name[], OUT keep name[], OUT omit name[],
	OUT recodes jsonb)
LANGUAGE sql IMMUTABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $level$
	SELECT COALESCE(array_agg(p.name ORDER BY p.number) FILTER (WHERE p.proposal = 'swap' AND p.what = 'number'), '{}'),
		COALESCE(array_agg(p.name ORDER BY p.number) FILTER (WHERE p.proposal = 'swap' AND p.what <> 'number'), '{}'),
		COALESCE(array_agg(p.name ORDER BY p.number) FILTER (WHERE p.proposal = 'keep'), '{}'),
		COALESCE(array_agg(p.name ORDER BY p.number) FILTER (WHERE p.proposal = 'omit'), '{}'),
		jsonb_object_agg(p.name, jsonb_build_object('prefix', p.prefix)) FILTER (WHERE p.recoded AND p.proposal <> 'omit')
	FROM (SELECT q.name, q.number, q.what, q.recoded, q.prefix, CASE WHEN q.changed = 'swap' AND row_number() OVER (PARTITION BY q.changed ORDER BY q.different DESC, q.number) <= $3 - cardinality($2)
			THEN 'omit' ELSE q.changed END AS proposal
		FROM (SELECT e.key::name AS name, (e.value ->> 'number')::int AS number, e.value ->> 'what' AS what, (e.value ->> 'different')::bigint AS different,
			e.value ->> 'proposal' = 'recode' AS recoded, e.value -> 'prefix' AS prefix, CASE WHEN e.key::name = ANY ($2[:$3]) THEN 'swap' ELSE e.value ->> 'proposal' END AS changed FROM jsonb_each($1) AS e) AS q) AS p
$level$;
COMMENT ON FUNCTION sdc_private.propose_level(jsonb, name[], int) IS
	'below sdc_propose: the columns that are protected, kept and left out';

-- The first level that keeps the limits when its columns are protected as much as they can be; NULL if none does.
CREATE FUNCTION sdc_private.propose_least(relation regclass, limits jsonb, plan jsonb, ordered name[], key name[], unit name[], sample bigint)
RETURNS int
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 10000000
SET search_path = pg_catalog, pg_temp
AS $least$
DECLARE
	beyond int := -1;
	kept int := cardinality($4) + (SELECT count(*) FROM jsonb_each($3) AS e WHERE e.value ->> 'proposal' = 'swap' OR e.key::name = ANY ($4));
	last CONSTANT int := kept;		-- leaves all out
	level int := least(cardinality($4), kept - 1);
	c record;
	found boolean;
BEGIN
	WHILE kept - beyond > 1 LOOP
		c := sdc_private.propose_level($3, $4, level);
		found := false;
		IF cardinality(c.numbers || c.categories) > 0 OR c.recodes IS NOT NULL THEN
			SELECT count(*) > 0 INTO found FROM sdc_private.trials($1, sdc_private.propose_apart(jsonb_build_array(COALESCE(
					CASE WHEN c.numbers <> '{}' THEN jsonb_build_array(jsonb_build_object('method', 'rankswap', 'columns', to_jsonb(c.numbers), 'p', 100)) END, '[]')
				|| COALESCE(CASE WHEN c.categories <> '{}' THEN jsonb_build_array(jsonb_build_object('method', 'pram', 'columns', to_jsonb(c.categories), 'retain', 0.01)) END, '[]')), $3, c.recodes),
				'{sdc_propose}'::text[], $5, c.omit, c.keep, $6, $7, ($2 ->> 'people_found')::float8, ($2 ->> 'certain_percent')::float8, NULL::float8, NULL::name[], CASE WHEN cardinality(c.numbers || c.categories) > 64 THEN 64 END) AS t;
		END IF;
		IF found THEN
			kept := level;
		ELSE
			beyond := level;
		END IF;
		level := (beyond + kept) / 2;
	END LOOP;
	RETURN NULLIF(kept, last);
END
$least$;
COMMENT ON FUNCTION sdc_private.propose_least(regclass, jsonb, jsonb, name[], name[], name[], bigint) IS
	'below sdc_propose: how many columns must be protected';

-- The mean error of a workload, in percent, with an error of at most 100 for each query; of a query on what is left out 100.
CREATE FUNCTION sdc_private.propose_errors(relation regclass, steps jsonb, seeds text[], key name[], omit name[], keep name[], unit name[], workload text[])
RETURNS TABLE (query int, answer bigint, estimate float8, error float8)
LANGUAGE sql VOLATILE PARALLEL UNSAFE COST 10000000 ROWS 20
SET search_path = pg_catalog, pg_temp
AS $errors$
	SELECT c.query, min(c.answer), avg(c.estimate), avg(CASE WHEN c.answer = c.estimate THEN 0 ELSE COALESCE(least(100 * abs(c.estimate - c.answer) / NULLIF(c.answer, 0)::float8, 100), 100) END)
	FROM sdc_private.trial_counts($1, $2, $3, $4, $5, $6, $7, $8) AS c GROUP BY c.query ORDER BY c.query
$errors$;
COMMENT ON FUNCTION sdc_private.propose_errors(regclass, jsonb, text[], name[], name[], name[], name[], text[]) IS
	'below sdc_propose: the errors of the caller''s queries';

-- What the methods come to on a level with one draw: each with the weakest parameter that keeps the limits.
CREATE FUNCTION sdc_private.propose_candidates(relation regclass, limits jsonb, workload text[], plan jsonb, ordered name[], level int,
	key name[], unit name[], records bigint, sample bigint, step float8, mixtures boolean, loss float8)
RETURNS TABLE (mixed boolean, trials jsonb, trial int, il float8, count_error float8, workload_error float8)
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 10000000 ROWS 16
SET search_path = pg_catalog, pg_temp
AS $candidates$
DECLARE
	c CONSTANT record := sdc_private.propose_level($4, $5, $6);
	others CONSTANT boolean := (SELECT count(*) FROM unnest(c.keep) AS k (name) WHERE ($4 -> k.name::text ->> 'different')::bigint > 1) >= cardinality(c.numbers || c.categories);
	bound float8 := $13;
	shape record;
BEGIN
	FOR shape IN SELECT * FROM sdc_private.propose_shapes(c.numbers, c.categories, others, $9, $11) AS s
		WHERE $12 IS NULL OR s.mixed = $12 ORDER BY s.number
	LOOP
		BEGIN
			mixed := shape.mixed;
			trials := sdc_private.propose_apart(shape.trials, $4, c.recodes);
			FOR trial, il, count_error IN SELECT t.trial, t.il, t.count_error FROM sdc_private.trials($1, trials, '{sdc_propose}'::text[], $7, c.omit, c.keep, $8, $10,
				($2 ->> 'people_found')::float8, ($2 ->> 'certain_percent')::float8, bound, NULL::name[],
				CASE WHEN cardinality(c.numbers || c.categories) > 64 THEN 64 END) AS t
			LOOP
				-- with a workload other losses decide
				IF $3 IS NULL THEN
					bound := least(bound, il);
				ELSE
					workload_error := (SELECT avg(e.error) FROM sdc_private.propose_errors($1, trials -> trial - 1, '{sdc_propose}'::text[], $7, c.omit, c.keep, $8, $3) AS e);
					bound := least(bound, 2 * il);
				END IF;
				RETURN NEXT;
			END LOOP;
		EXCEPTION WHEN data_exception OR invalid_parameter_value OR feature_not_supported OR datatype_mismatch OR null_value_not_allowed OR program_limit_exceeded THEN
			NULL;	-- the method is not for these columns
		END;
	END LOOP;
END
$candidates$;
COMMENT ON FUNCTION sdc_private.propose_candidates(regclass, jsonb, text[], jsonb, name[], int, name[], name[], bigint, bigint, float8, boolean, float8) IS
	'below sdc_propose: methods that keep the limits';

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
	PERFORM sdc_private.check_limits($2);
END
$refuse$;
COMMENT ON FUNCTION sdc_private.propose_refuse(regclass, jsonb, name[], name[]) IS
	'below sdc_propose: refuses impossible arguments';

-- What a candidate comes to on fresh draws: of people what one draw in a thousand comes to, if they are about normal.  Where that is beyond the limits, the
-- next parameters are tried, in longer and longer strides; no row: none keeps them.
CREATE FUNCTION sdc_private.propose_confirm(relation regclass, limits jsonb, workload text[], plan jsonb, ordered name[], level int, trials jsonb, trial int,
	key name[], unit name[], sample bigint)
RETURNS TABLE (steps jsonb, people_found float8, il float8, count_error float8, workload_error float8, queries jsonb)
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 10000000 ROWS 1
SET search_path = pg_catalog, pg_temp
AS $confirm$
DECLARE
	c CONSTANT record := sdc_private.propose_level($4, $5, $6);
	seeds CONSTANT text[] := ARRAY(SELECT format('sdc_propose, fresh draw %s', d) FROM generate_series(1, 8) AS d);
	number int := $8;
	stride int := 1;
	kept boolean;
BEGIN
	WHILE number <= jsonb_array_length($7) LOOP
		steps := $7 -> number - 1;
		SELECT m.high, m.il, m.count_error, m.high <= ($2 ->> 'people_found')::float8 AND COALESCE(m.certain <= ($2 ->> 'certain_percent')::float8, true)
				AND ($2 -> 'il' IS NULL OR COALESCE(m.il <= ($2 ->> 'il')::float8, false)) AND ($2 -> 'score' IS NULL OR COALESCE(m.score <= ($2 ->> 'score')::float8, false))
			INTO people_found, il, count_error, kept
		FROM (SELECT greatest(max(t.people_found), avg(t.people_found) + 3 * COALESCE(stddev_samp(t.people_found), 0)) AS high, max(t.certain_percent) AS certain,
				avg(t.il) AS il, max(t.score) AS score, avg(t.count_error) AS count_error
			FROM sdc_private.trials($1, jsonb_build_array(steps), seeds, $9, c.omit, c.keep, $10, $11, NULL::float8, NULL::float8, NULL::float8, NULL::name[],
				CASE WHEN cardinality(c.numbers || c.categories) > 64 THEN 64 END) AS t) AS m;
		IF kept THEN
			IF $3 IS NOT NULL THEN
				SELECT avg(e.error), jsonb_agg(to_jsonb(e) ORDER BY e.query) INTO workload_error, queries
				FROM sdc_private.propose_errors($1, steps, seeds, $9, c.omit, c.keep, $10, $3) AS e;
			END IF;
			RETURN NEXT;
		END IF;
		EXIT WHEN kept;
		number := number + stride;
		stride := stride + 1;
	END LOOP;
END
$confirm$;
COMMENT ON FUNCTION sdc_private.propose_confirm(regclass, jsonb, text[], jsonb, name[], int, jsonb, int, name[], name[], bigint) IS
	'below sdc_propose: the measures of a method on fresh draws';

-- What decides between proposals that keep the limits: the workload's error, else the information loss, else the error of counts.  Of a mixture, and of more
-- columns than must be protected, it is the product of both losses.
CREATE FUNCTION sdc_private.propose_loss(plain boolean, il float8, count_error float8, workload_error float8)
RETURNS float8
LANGUAGE sql IMMUTABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $loss$
	SELECT COALESCE($4, CASE WHEN $2 IS NULL THEN $3 WHEN $1 THEN $2 ELSE $2 * (1 + $3) END, 0)
$loss$;
COMMENT ON FUNCTION sdc_private.propose_loss(boolean, float8, float8, float8) IS
	'below sdc_propose: the loss that decides between two proposals';

-- The best proposal on fresh draws: the method alone with the least loss on the fewest columns, unless another one loses less in both measures, or has the
-- smaller error of the workload.
CREATE FUNCTION sdc_private.propose_best(relation regclass, limits jsonb, workload text[], plan jsonb, ordered name[], key name[], unit name[], records bigint)
RETURNS jsonb
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 10000000
SET search_path = pg_catalog, pg_temp
AS $best$
DECLARE
	sample CONSTANT bigint := CASE WHEN $8 > 5000 THEN 2000 END;
	step CONSTANT float8 := CASE WHEN $8 * (SELECT count(*) FROM jsonb_object_keys($4)) > 50000 THEN 1.2 ELSE 1.06 END;
	most CONSTANT int := cardinality($5);
	last CONSTANT int := most + (SELECT count(*) FROM jsonb_each($4) AS e WHERE e.value ->> 'proposal' = 'swap' OR e.key::name = ANY ($5));	-- leaves all out
	least int := sdc_private.propose_least($1, $2, $4, $5, $6, $7, sample);
	plain boolean;
	candidate record;
	found record;
	best jsonb;			-- of both groups, plain ones first
	tried int;
BEGIN
	WHILE best IS NULL AND least < last LOOP
		FOREACH plain IN ARRAY ARRAY[true, false] LOOP
			tried := 0;
			FOR candidate IN SELECT levels.l, c.*, sdc_private.propose_loss(plain, c.il, c.count_error, c.workload_error) AS loss
				FROM (SELECT DISTINCT l FROM unnest(ARRAY[least, most]) AS l WHERE l >= least) AS levels (l),
					LATERAL sdc_private.propose_candidates($1, $2, $3, $4, $5, levels.l, $6, $7, $8, sample, step,
						CASE WHEN levels.l = least THEN NOT plain END, CASE WHEN $3 IS NULL THEN (best ->> 'il')::float8 END) AS c
				WHERE NOT plain OR levels.l = least ORDER BY loss, levels.l, c.trials::text COLLATE "C"
			LOOP
				CONTINUE WHEN best IS NOT NULL AND (CASE WHEN (best ->> 'plain')::boolean = plain OR $3 IS NOT NULL THEN candidate.loss >= (best ->> 'loss')::float8
					ELSE COALESCE(candidate.il > (best ->> 'il')::float8, false) OR candidate.count_error > (best ->> 'count_error')::float8 END);
				tried := tried + 1;
				EXIT WHEN tried > 4;
				SELECT c.*, sdc_private.propose_loss(plain, c.il, c.count_error, c.workload_error) AS loss INTO found
				FROM sdc_private.propose_confirm($1, $2, $3, $4, $5, candidate.l, candidate.trials, candidate.trial, $6, $7, sample) AS c;
				IF found.steps IS NOT NULL AND (best IS NULL OR CASE WHEN (best ->> 'plain')::boolean = plain OR $3 IS NOT NULL THEN found.loss < (best ->> 'loss')::float8
						ELSE COALESCE(found.il <= (best ->> 'il')::float8, true) AND found.count_error < (best ->> 'count_error')::float8 END) THEN
					best := to_jsonb(found) || jsonb_build_object('plain', plain, 'level', candidate.l);
				END IF;
			END LOOP;
		END LOOP;
		-- what is kept in one draw may not be in eight
		least := least + 1;
	END LOOP;
	RETURN best;
END
$best$;
COMMENT ON FUNCTION sdc_private.propose_best(regclass, jsonb, text[], jsonb, name[], name[], name[], bigint) IS
	'below sdc_propose: the steps with the least loss within the limits';

-- The call that sets the policy.  Steps whose methods can be are continued.
CREATE FUNCTION sdc_private.propose_statement(relation regclass, limits jsonb, steps jsonb, key name[], unit name[], keep name[], omit name[], publish_as text,
	workload text[])
RETURNS text
LANGUAGE sql STABLE PARALLEL UNSAFE COST 1000
SET search_path = pg_catalog, pg_temp
AS $statement$
	SELECT format('SELECT sdc_policy_set(policy => %L, source => %L, steps => %L, publish_as => %L, key => %L, keep => %L, omit => %L, limits => %L%s%s);', c.relname, $1::text,
		CASE WHEN sdc_private.propose_continues($3) THEN (SELECT jsonb_agg(s.step || '{"continued": true}' ORDER BY s.n) FROM jsonb_array_elements($3) WITH ORDINALITY AS s (step, n)) ELSE $3 END,
		COALESCE($8, format('%I.%I', n.nspname, c.relname || '_public')), $4, $6, $7, $2, CASE WHEN $5 IS NOT NULL THEN format(', unit => %L', $5) END,
		CASE WHEN $9 IS NOT NULL THEN format(', workload => %L', $9) END)
	FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace WHERE c.oid = $1
$statement$;
COMMENT ON FUNCTION sdc_private.propose_statement(regclass, jsonb, jsonb, name[], name[], name[], name[], text, text[]) IS
	'below sdc_propose: the call of sdc_policy_set';

CREATE FUNCTION sdc_private.propose_continues(steps jsonb)
RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $continues$
	SELECT bool_and(s.step ->> 'method' IN ('rankswap', 'rankswap_distribution', 'rankswap_buckets', 'randomize', 'pram', 'noise', 'recode') AND s.step ->> 'scheme' IS DISTINCT FROM 'kim')
	FROM jsonb_array_elements($1) AS s (step)
$continues$;
COMMENT ON FUNCTION sdc_private.propose_continues(jsonb) IS
	'below sdc_propose: whether steps can be continued';

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
	plan jsonb;			-- by column: proposal, why, question, different, number, what
	ordered name[];		-- those that are kept, or recoded alone, unless more must be protected
	records bigint;
	best jsonb;
	c record;
BEGIN
	PERFORM sdc_private.propose_refuse($1, $2, keys, units);
	IF $3 IS NOT NULL THEN
		PERFORM sdc_private.trial_counts($1, NULL::jsonb, '{}'::text[], keys, NULL::name[], NULL::name[], units, $3);
	END IF;
	-- whether the records of a unit have the same first characters is not known where they have not the same value
	SELECT jsonb_object_agg(f.attribute, to_jsonb(p) || jsonb_build_object('different', COALESCE(x.prefixes, f.different), 'number', f.number, 'what', f.what, 'prefix', x.prefix,
		'open', f.different > 1 AND COALESCE(f.role, '') NOT IN ('sensitive', 'public', 'weight'), 'level', u.level)), COALESCE(max(f.records), 0)
	INTO plan, records
	FROM sdc_private.propose_columns($1, keys, COALESCE(units, '{}')) AS f
		LEFT JOIN (SELECT c.attribute, c.level FROM sdc_private.unit_columns($1, units) AS c WHERE cardinality(units) > 0) AS u ON u.attribute = f.attribute
		LEFT JOIN LATERAL (SELECT f.prefix, f.prefixes WHERE u.level = 'unit' OR COALESCE(cardinality(units), 0) = 0) AS x ON true,
		sdc_private.propose_column(f.what, f.role, f.records, f.different, f.whole, f.many, x.prefix, f.length, f.apart, f.follows) AS p;
	ordered := ARRAY(SELECT e.key FROM jsonb_each(plan) AS e WHERE e.value ->> 'proposal' IN ('keep', 'recode') AND (e.value ->> 'open')::boolean
		ORDER BY (e.value ->> 'different')::bigint DESC, (e.value ->> 'number')::int);
	best := sdc_private.propose_best($1, $2, $3, plan, ordered, keys, units, records);
	c := sdc_private.propose_level(plan, ordered, COALESCE((best ->> 'level')::int, 2147483647));
	RETURN QUERY SELECT e.key::name, COALESCE(CASE s.step ->> 'method' WHEN 'rankswap' THEN 'swap' WHEN 'rankswap_distribution' THEN 'swap' WHEN 'rankswap_buckets' THEN 'swap'
			WHEN 'equidepth_swap' THEN 'joint swap' ELSE s.step ->> 'method' END, CASE WHEN e.key::name = ANY (c.omit) THEN 'omit' END, e.value ->> 'proposal'),
		CASE WHEN s.step ? 'recodes' THEN jsonb_set(s.step, '{recodes}', jsonb_build_object(e.key, s.step -> 'recodes' -> e.key)) ELSE s.step - '{columns,qi}'::text[] END,
		CASE WHEN e.key::name = ANY (c.omit) AND e.value ->> 'proposal' <> 'omit' THEN 'Even protected, it shows too many people.'
			WHEN e.value ->> 'proposal' IN ('keep', 'recode') AND s.step ->> 'method' <> 'recode' THEN 'With its true values too many people are found, or more is lost in other columns.' ELSE e.value ->> 'why' END,
		CASE WHEN e.value ->> 'proposal' <> 'recode' OR s.step ->> 'method' = 'recode' THEN e.value ->> 'question' END, NULL::text
	FROM jsonb_each(plan) AS e LEFT JOIN jsonb_array_elements(best -> 'steps') WITH ORDINALITY AS s (step, n) ON COALESCE(s.step -> 'columns', s.step -> 'qi', s.step -> 'recodes') ? e.key
	ORDER BY (e.value ->> 'number')::int, s.n;
	IF best IS NULL THEN
		RETURN QUERY SELECT NULL::name, 'nothing', NULL::jsonb, CASE WHEN records = 0 THEN 'The table has no records.'
			WHEN EXISTS (SELECT FROM jsonb_each(plan) AS e WHERE e.value ->> 'proposal' IN ('keep', 'recode', 'swap')) THEN 'No method keeps the limit for what could leave.' ELSE 'No column could leave.' END, NULL::text, NULL::text;
		RETURN;
	END IF;
	RETURN QUERY SELECT NULL::name, 'query', jsonb_build_object('query', e.query, 'condition', ($3)[e.query], 'answer', e.answer, 'estimate', round(e.estimate::numeric, 1), 'error', round(e.error::numeric, 2)),
		CASE WHEN e.estimate IS NULL THEN 'It asks for a column that is left out.'
			ELSE format('On eight fresh draws its count is wrong by %s percent in the mean.', round(e.error::numeric, 1)) END, NULL::text, NULL::text
	FROM jsonb_to_recordset(NULLIF(best -> 'queries', 'null')) AS e (query int, answer bigint, estimate float8, error float8) ORDER BY e.query;
	RETURN QUERY SELECT NULL::name, 'policy', best - '{plain,level,loss,queries}'::text[],
		format('At most %s percent of the people are found on eight fresh draws, and %s are allowed.', round((best ->> 'people_found')::numeric, 2), $2 ->> 'people_found'),
		concat_ws(' ', CASE WHEN NOT sdc_private.propose_continues(best -> 'steps') THEN 'Will it run more than once? Each run draws anew, and several releases tell more than one.' END,
			(SELECT format('The limits %s were not tried here. Does a run keep them?', string_agg(l, ', ' ORDER BY l COLLATE "C")) FROM jsonb_object_keys($2) AS l
				WHERE l NOT IN ('people_found', 'certain_percent', 'il', 'score') HAVING count(*) > 0)),
		sdc_private.propose_statement($1, $2, best -> 'steps', keys, units, c.keep, c.omit, $6, $3);
END
$propose$;
COMMENT ON FUNCTION sdc_private.propose(regclass, jsonb, text[], name[], name[], text) IS
	'the body of sdc_propose';

CREATE FUNCTION sdc_propose(relation regclass, limits jsonb, workload text[] DEFAULT NULL, unit name[] DEFAULT NULL, key name[] DEFAULT NULL,
	publish_as text DEFAULT NULL)
RETURNS TABLE (attribute name, proposal text, parameters jsonb, why text, question text, statement text)
AS 'MODULE_PATHNAME', 'sdc_enter' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 10000000 ROWS 20;
COMMENT ON FUNCTION sdc_propose(regclass, jsonb, text[], name[], name[], text) IS
	'a proposal for each column of a table, so that few people are found, and the statement for it; changes nothing (needs relation, limits)';
