----------------------------------------------------------------------
-- Release: runs
----------------------------------------------------------------------

CREATE FUNCTION sdc_private.names(list jsonb)
RETURNS name[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $names$
	SELECT CASE WHEN $1 IS NOT NULL THEN ARRAY(SELECT e.name::name FROM jsonb_array_elements_text($1) WITH ORDINALITY AS e (name, place) ORDER BY e.place) END
$names$;
COMMENT ON FUNCTION sdc_private.names(jsonb) IS
	'below runs: a list of names in a definition';

CREATE FUNCTION sdc_private.texts(list jsonb)
RETURNS text[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $texts$
	SELECT ARRAY(SELECT e.text FROM jsonb_array_elements_text($1) WITH ORDINALITY AS e (text, place) ORDER BY e.place)
$texts$;
COMMENT ON FUNCTION sdc_private.texts(jsonb) IS
	'below policies and runs: a list of texts in a definition; NULL has none';

-- The release of a run has a name of its own, in the schema of the source.  It begins with so much of the policy's that the
-- number is in it, whatever a character takes.
CREATE FUNCTION sdc_private.run_release(policy name, run bigint, known jsonb)
RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
SET quote_all_identifiers = off
AS $release$
	SELECT format('%I.%I', n.nspname, left($1::text, (SELECT max(l)::int FROM generate_series(1, 32) AS l WHERE octet_length(left($1::text, l)) <= 32))
		|| '_run_' || $2)
	FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
	WHERE c.oid = ($3 -> 'definition' ->> 'source')::regclass
$release$;
COMMENT ON FUNCTION sdc_private.run_release(name, bigint, jsonb) IS
	'below runs: the name of the release that a run makes';

CREATE FUNCTION sdc_private.protect_again(source regclass, steps jsonb, target text, key name[], strata name[],
	omit name[], keep name[], before regclass, skip boolean,
	unit name[] DEFAULT NULL, totals jsonb DEFAULT NULL, totals_force boolean DEFAULT false, row_level name[] DEFAULT NULL,
	weight name DEFAULT NULL, weight_group int DEFAULT NULL, missing jsonb DEFAULT NULL)
RETURNS TABLE (release regclass, records bigint, unchanged boolean, before_records bigint, gone bigint, arrived bigint)
AS 'MODULE_PATHNAME', 'sdc_private_protect_again' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 1;
COMMENT ON FUNCTION sdc_private.protect_again(regclass, jsonb, text, name[], name[], name[], name[], regclass, boolean, name[], jsonb, boolean, name[], name, int, jsonb) IS
	'below runs: protects the source, and continues the release of an earlier run';

-- What a policy has published and still has: the releases of its runs, in their order.  Their names are those in the log:
-- the policy may have another source by now.  What a run has published is intact if it is there, and nothing has come after it.
CREATE FUNCTION sdc_private.run_history(policy name)
RETURNS TABLE (run bigint, release regclass, intact boolean, finished_at timestamptz, detail jsonb)
LANGUAGE sql STABLE PARALLEL UNSAFE COST 10000 ROWS 10
SET search_path = pg_catalog, pg_temp
AS $history$
	SELECT l.run, to_regclass(l.detail ->> 'release'), l.status = 'published' AND EXISTS (SELECT FROM sdc_private.publications() AS p
			WHERE p.publication = to_regclass(l.detail ->> 'target') AND p.sha256 = decode(l.detail ->> 'sha256', 'hex')),
		l.finished_at, l.detail
	FROM sdc_private.runs($1, NULL) AS l
	WHERE l.owner = sdc_private.caller() AND l.status IN ('published', 'withdrawn') ORDER BY l.run
$history$;
COMMENT ON FUNCTION sdc_private.run_history(name) IS
	'below runs: the runs of a policy that have published';

-- What a run has to do: a status and a reason where there is nothing, else what was found damaged, if anything.
-- A run that has ended in the future says nothing about the time since.
CREATE FUNCTION sdc_private.run_idle(policy name, known jsonb)
RETURNS jsonb
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 1000000
SET search_path = pg_catalog, pg_temp
AS $idle$
DECLARE
	definition CONSTANT jsonb := $2 -> 'definition';
	apart CONSTANT interval := (definition -> 'limits' ->> 'min_interval')::interval;
	last record;
	damage text;
	other_columns boolean;
BEGIN
	SELECT h.* INTO last FROM sdc_private.run_history($1::name) AS h ORDER BY h.run DESC LIMIT 1;
	IF (definition ->> 'paused')::boolean THEN
		RETURN jsonb_build_object('status', 'skipped', 'reason', 'the policy is paused');
	ELSIF last.run IS NULL THEN
		RETURN '{}';
	ELSIF last.finished_at <= now() AND last.finished_at + apart > now() THEN
		RETURN jsonb_build_object('status', 'rejected', 'reason', format('run %s has published within min_interval, %s', last.run, apart));
	ELSIF last.intact THEN
		SELECT p.problem, p.other_columns INTO damage, other_columns FROM sdc_private.publication_problem(to_regclass(last.detail ->> 'target'),
			(last.detail ->> 'publication_owner')::name, sdc_private.names((last.detail #> '{definition,grant_to}')::jsonb)) AS p;
	END IF;
	IF damage IS NOT NULL THEN
		RAISE WARNING USING MESSAGE = format('what run %s has published was changed: %s', last.run, damage),
			DETAIL = 'This run publishes anew.';
		RETURN jsonb_build_object('damage', format('what run %s has published was changed: %s', last.run, damage),
			'other_columns', other_columns);
	ELSIF COALESCE(definition ->> 'on_unchanged', 'skip') = 'skip' AND last.intact AND last.release IS NOT NULL
			AND last.detail -> 'definition' = definition AND sdc_private.evaluation(last.release::regclass) IS NOT NULL
			AND to_regclass(definition ->> 'source') = (SELECT r.source FROM sdc_private.releases() AS r WHERE r.release = last.release) THEN
		RETURN jsonb_build_object('status', 'skipped', 'reason', format('nothing has changed since run %s', last.run));
	END IF;
	RETURN '{}';
END
$idle$;
COMMENT ON FUNCTION sdc_private.run_idle(name, jsonb) IS
	'below runs: whether a run of a policy has anything to do, and what was damaged';

-- A source that was loaded in part, or twice, is not published unless that is said to be right: a limit that is null is off.
CREATE FUNCTION sdc_private.run_limits(definition jsonb)
RETURNS jsonb
LANGUAGE sql IMMUTABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $limits$
	SELECT '{"max_gone": 20, "max_new": 100}'::jsonb || COALESCE($1 -> 'limits', '{}')
$limits$;
COMMENT ON FUNCTION sdc_private.run_limits(jsonb) IS
	'below runs: the limits of a policy with those that have a default';

-- How many records have come and gone, in percent of those before, and the reason not to publish them, if there is one.  Where
-- no release is there whose keys could be compared, the number that was published last, under the same name or of this source by
-- the policy, tells how many have come or gone at least.  Runs of other policies are not looked at: they can be many.
CREATE FUNCTION sdc_private.run_turnover(policy name, definition jsonb, before regclass, records bigint, before_records bigint,
	gone bigint, arrived bigint)
RETURNS jsonb
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 10000
SET search_path = pg_catalog, pg_temp
SET quote_all_identifiers = off
SET extra_float_digits = 1
AS $turnover$
DECLARE
	limits CONSTANT jsonb := sdc_private.run_limits($2::jsonb);
	target CONSTANT text[] := parse_ident($2 ->> 'publish_as');
	prefix text := '';
	compared text := format('release "%s" has %s', $3, $5);
	own record;
	turnover jsonb;
	judged jsonb;
	missed text;
	change text;
BEGIN
	IF $5 IS NULL THEN
		SELECT r.run, r.detail ->> 'sha256' AS sha256,
			COALESCE(jsonb_path_query_first(r.detail, '$.source_records ? (@.type() == "number" && @ >= 0 && @ < 9e18)'),
				jsonb_path_query_first(r.detail, '$.records ? (@.type() == "number" && @ >= 0 && @ < 9e18)'))::bigint AS number INTO own
		FROM sdc_private.runs($1, NULL) AS r
		WHERE r.own AND r.status = 'published' AND (r.detail ->> 'target' = format('%I.%I', target[1], target[2])
			OR r.owner = sdc_private.caller() AND r.detail #>> '{definition,source}' = $2 ->> 'source')
		ORDER BY r.run DESC LIMIT 1;
		SELECT format('publication "%s" has %s', p.publication, p.records), p.records INTO compared, before_records
		FROM sdc_private.publications() AS p
		WHERE p.publication = to_regclass($2 ->> 'publish_as') AND encode(p.sha256, 'hex') IS DISTINCT FROM own.sha256;
		IF NOT FOUND THEN
			compared := format('run %s has published %s', own.run, own.number);
			before_records := own.number;
		END IF;
		prefix := 'at least ';
		compared := compared || ', whose keys cannot be compared';
		gone := greatest(before_records - $4, 0);
		arrived := greatest($4 - before_records, 0);
	END IF;
	IF before_records IS NULL OR before_records = 0 THEN
		RETURN '{}';
	END IF;
	turnover := jsonb_build_object('before', before_records, 'gone', gone, 'new', arrived,
		'max_gone', 100.0 * gone / before_records, 'max_new', 100.0 * arrived / before_records);
	SELECT jsonb_agg(to_jsonb(g) ORDER BY g.measure), string_agg(format('%s: %s%s records are %s, %s, and at most %s percent is allowed', g.measure,
			prefix, turnover ->> l.what, l.what, compared, limits ->> g.measure), '; ' ORDER BY g.measure) FILTER (WHERE NOT g.kept),
			string_agg(format('"%s": ...', g.measure), ', ' ORDER BY g.measure) FILTER (WHERE NOT g.kept)
		INTO judged, missed, change
	FROM (VALUES ('max_gone', 'gone'), ('max_new', 'new')) AS l (name, what)
	JOIN sdc_private.gate(jsonb_build_object('judged', turnover)::jsonb, limits::jsonb) AS g ON g.measure = l.name;
	RETURN jsonb_strip_nulls(jsonb_build_object('turnover', turnover, 'limits', judged, 'reason', missed, 'hint',
		'Nothing was published. If it is intended: SELECT sdc_policy_alter(' || quote_literal($1) || ', limits => ' || quote_literal('{' || change || '}') || ').'));
END
$turnover$;
COMMENT ON FUNCTION sdc_private.run_turnover(name, jsonb, regclass, bigint, bigint, bigint, bigint) IS
	'below runs: how many records have come and gone, held to the limits';

CREATE FUNCTION sdc_private.run_stage(policy name, run bigint, known jsonb)
RETURNS jsonb
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 1000000
SET search_path = pg_catalog, pg_temp
SET quote_all_identifiers = off
AS $stage$
DECLARE
	definition CONSTANT jsonb := $3 -> 'definition';
	source CONSTANT regclass := (definition ->> 'source')::regclass;
	keep CONSTANT name[] := COALESCE(sdc_private.names((definition -> 'keep')::jsonb), '{}');
	-- a column of the strata leaves if it is kept, and is not in the release otherwise
	omit CONSTANT name[] := ARRAY(SELECT jsonb_array_elements_text(definition -> 'omit')
		UNION SELECT s.name FROM jsonb_array_elements_text(definition -> 'strata') AS s (name) WHERE s.name::name <> ALL (keep));
	-- a release that is gone was dropped to begin anew
	before CONSTANT regclass := (SELECT h.release FROM sdc_private.run_history($1::name) AS h
		WHERE h.release IS NOT NULL ORDER BY h.run DESC LIMIT 1);
	-- another policy publishes what is the same in another way, and what is gone, or is of a release that is gone, has to be
	-- published again
	aside CONSTANT text[] := '{omit,approvers,history,paused}';
	skip CONSTANT boolean := NOT $3 ? 'damage' AND COALESCE(definition ->> 'on_unchanged', 'skip') = 'skip' AND COALESCE((
		SELECT h.intact AND h.release IS NOT NULL AND (h.detail -> 'definition') - aside = definition - aside
		FROM sdc_private.run_history($1::name) AS h
		ORDER BY h.run DESC LIMIT 1), false);
	-- what readers have is of another policy or owner, was published by hand, or has another name than the log says
	lost CONSTANT bigint := (SELECT max(h.run) FROM sdc_private.run_history($1::name) AS h WHERE before IS NULL AND definition -> 'steps' @> '[{"continued": true}]');
	other CONSTANT regclass := (SELECT r.release FROM sdc_private.publications() AS p JOIN sdc_private.releases() AS r ON r.release = p.release
		WHERE p.publication = to_regclass(definition ->> 'publish_as') AND r.source = (definition ->> 'source')::regclass);
	staged record;
BEGIN
	PERFORM sdc_private.check_policy(definition::jsonb);
	PERFORM sdc_private.workload_check(NULL::regrole, source::regclass, sdc_private.texts((definition -> 'workload')::jsonb));
	IF other <> before OR before IS NULL AND other IS NOT NULL THEN
		RAISE WARNING USING MESSAGE = format('release "%s", of which "%s" was made, is not continued', other, definition ->> 'publish_as'),
			DETAIL = 'The new release is of the same records, and both tell more together than one.',
			HINT = 'A policy goes on with what it has published last for its owner, while that has its name.';
	ELSIF lost IS NOT NULL THEN
		RAISE WARNING USING MESSAGE = format('no release is left to be continued, as that of run %s is gone', lost),
			DETAIL = 'This run begins anew, and both releases tell more together than one.',
			HINT = 'Drop releases of a policy only to begin anew.';
	END IF;
	SELECT p.* INTO STRICT staged
	FROM sdc_private.protect_again(source::regclass, (definition -> 'steps')::jsonb,
		sdc_private.run_release($1::name, $2::bigint, $3::jsonb)::text,
		sdc_private.names((definition -> 'key')::jsonb)::name[],
		sdc_private.names((definition -> 'strata')::jsonb)::name[],
		omit::name[], keep::name[], before::regclass, skip::boolean,
		sdc_private.names((definition -> 'unit')::jsonb)::name[], (definition -> 'totals')::jsonb,
		COALESCE((definition ->> 'totals_force')::boolean, false), sdc_private.names((definition -> 'row_level')::jsonb)::name[],
		(definition ->> 'weight')::name, (definition ->> 'weight_group')::int, (definition -> 'missing')::jsonb) AS p;
	IF staged.unchanged THEN
		RETURN $3 || jsonb_build_object('status', 'skipped', 'reason', format('release "%s" would be the same', before));
	END IF;
	RETURN $3 || jsonb_build_object('release', staged.release::text, 'release_oid', staged.release::oid::text, 'source_records', staged.records)
		|| sdc_private.run_turnover($1::name, definition::jsonb, before::regclass, staged.records::bigint, staged.before_records::bigint,
			staged.gone::bigint, staged.arrived::bigint);
END
$stage$;
COMMENT ON FUNCTION sdc_private.run_stage(name, bigint, jsonb) IS
	'below runs: protects the source';

CREATE FUNCTION sdc_private.workload_counts(release regclass, columns name[], workload text[])
RETURNS TABLE (query int, condition text, answer bigint, released bigint, problem text)
AS 'MODULE_PATHNAME', 'sdc_private_workload_counts' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 20;
COMMENT ON FUNCTION sdc_private.workload_counts(regclass, name[], text[]) IS
	'below runs: how many records of a source and of its release satisfy conditions';

-- What a release and its source answer to the queries of a policy, with the largest error.  A query that the release does not answer, and one that it
-- answers although nothing in the source satisfies it, count as wrong by 100 percent.
CREATE FUNCTION sdc_private.run_workload(release regclass, columns name[], workload text[])
RETURNS jsonb
LANGUAGE sql VOLATILE PARALLEL UNSAFE COST 1000000
SET search_path = pg_catalog, pg_temp
SET extra_float_digits = 1
AS $workload$
	SELECT jsonb_build_object('workload', jsonb_agg(jsonb_build_object('condition', c.condition, 'answer', c.answer, 'released', c.released, 'error', e.error, 'problem', c.problem)
			ORDER BY c.query), 'workload_error', max(COALESCE(e.error, 100)))
	FROM sdc_private.workload_counts($1, $2, $3) AS c,
		LATERAL (SELECT CASE WHEN c.answer = c.released THEN 0 ELSE 100 * abs(c.released - c.answer) / NULLIF(c.answer, 0)::float8 END) AS e (error)
$workload$;
COMMENT ON FUNCTION sdc_private.run_workload(regclass, name[], text[]) IS
	'below runs: the queries of a policy, counted in a release and its source';

CREATE FUNCTION sdc_private.run_measure(policy name, run bigint, known jsonb)
RETURNS jsonb
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 1000000
SET search_path = pg_catalog, pg_temp
SET extra_float_digits = 1
AS $measure$
DECLARE
	definition CONSTANT jsonb := $3 -> 'definition';
	-- the first release has none before it
	limits CONSTANT jsonb := sdc_private.run_limits(definition::jsonb) - CASE WHEN $3 ? 'turnover' THEN '{}' ELSE ARRAY['max_gone', 'max_new'] END;
	release CONSTANT regclass := ($3 ->> 'release')::regclass;
	measures jsonb;
	mark text;
	composed jsonb;
	asked jsonb;
	missed text;
	judged jsonb;
BEGIN
	PERFORM sdc_private.check_limits(COALESCE(definition -> 'limits', '{}'));
	measures := (SELECT e.measures FROM sdc_private.evaluate(release::regclass,
		sdc_private.names((definition -> 'known')::jsonb)::name[], (definition ->> 'sample')::bigint, NULL::text, true) AS e);
	measures := jsonb_set(measures, '{judged}', (measures -> 'judged') || COALESCE($3 -> 'turnover', '{}') - ARRAY['before', 'gone', 'new']);
	-- before code of the owner's runs again, which can evaluate something else
	mark := sdc_private.evaluation_mark(release::regclass);
	-- what it tells together with those that were published before
	IF limits ?| ARRAY['composed_people_found', 'exposed'] THEN
		composed := (SELECT to_jsonb(c) FROM sdc_private.composition(
			ARRAY(SELECT h.release FROM sdc_private.run_history($1::name) AS h WHERE h.release IS NOT NULL ORDER BY h.run) || release,
			sdc_private.names((definition -> 'known')::jsonb)::name[], (definition ->> 'sample')::bigint, NULL::text) AS c);
		measures := jsonb_set(measures, '{judged}', (measures -> 'judged') || composed);
	END IF;
	IF definition ? 'workload' THEN
		asked := sdc_private.run_workload(release::regclass, sdc_private.check_policy(definition::jsonb), sdc_private.texts((definition -> 'workload')::jsonb));
		measures := jsonb_set(measures || (asked - 'workload_error'), '{judged}', (measures -> 'judged') || (asked - 'workload'));
	END IF;
	SELECT jsonb_agg(to_jsonb(g) ORDER BY g.measure), string_agg(format('%s is %s, and at %s %s is allowed', g.measure,
			COALESCE(sdc_private.told_apart(g.value, g.bound, 4), 'not defined'), CASE WHEN l.at_most THEN 'most' ELSE 'least' END, g.bound),
			'; ' ORDER BY g.measure) FILTER (WHERE NOT g.kept)
		INTO judged, missed
	FROM sdc_private.gate(measures::jsonb, limits::jsonb) AS g
	JOIN sdc_private.limits() AS l ON l.measure = g.measure;
	RETURN $3 || jsonb_build_object('measures', measures, 'limits', judged, 'evaluation', mark) || CASE WHEN missed IS NOT NULL
		THEN jsonb_build_object('reason', missed) ELSE '{}' END;
END
$measure$;
COMMENT ON FUNCTION sdc_private.run_measure(name, bigint, jsonb) IS
	'below runs: measures a release, and holds it to the limits';

CREATE FUNCTION sdc_private.run_publish(policy name, run bigint, known jsonb)
RETURNS jsonb
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 1000000
SET search_path = pg_catalog, pg_temp
SET quote_all_identifiers = off
AS $publish$
DECLARE
	definition CONSTANT jsonb := $3 -> 'definition';
	release CONSTANT regclass := to_regclass($3 ->> 'release');
	published jsonb;
BEGIN
	IF release IS NULL THEN
		RAISE EXCEPTION USING ERRCODE = 'object_not_in_prerequisite_state',
			MESSAGE = format('release "%s" does not exist any more', $3 ->> 'release'),
			HINT = format('Reject it, and run the policy again: SELECT sdc_reject(%s, ...).', $2);
	END IF;
	IF ($3 ->> 'other_columns')::boolean THEN
		PERFORM sdc_private.drop_publication(to_regclass(definition ->> 'publish_as'));
	END IF;
	SELECT jsonb_build_object('target', p.publication::text, 'records', p.records, 'columns', p.columns,
		'sha256', encode(p.sha256, 'hex'), 'salt', gen_random_uuid()::text,
		'publication_owner', (SELECT pg_get_userbyid(c.relowner) FROM pg_class AS c WHERE c.oid = p.publication)) INTO STRICT published
	FROM sdc_private.publish(release::regclass, (definition ->> 'publish_as')::text,
		sdc_private.names((definition -> 'keep')::jsonb)::name[],
		sdc_private.names((definition -> 'grant_to')::jsonb)::name[],
		-- who approves it approves what was measured, of a source that may have changed since
		COALESCE(definition ->> 'mode', 'exchange')::text, true::boolean, ($3 ? 'approver')::boolean,
		($3 ->> 'evaluation')::text, COALESCE((definition ->> 'keep_units')::boolean, true), (definition ->> 'units_as')::text) AS p
	-- the table of the units is the second one
	LIMIT 1;
	RETURN $3 || published;
END
$publish$;
COMMENT ON FUNCTION sdc_private.run_publish(name, bigint, jsonb) IS
	'below runs: publishes a release that keeps the limits';

CREATE FUNCTION sdc_private.run_drop(policy name, run bigint, known jsonb)
RETURNS jsonb
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 10000
SET search_path = pg_catalog, pg_temp
AS $drop$
DECLARE
	-- somebody may have dropped it, and given its name to something else
	release CONSTANT regclass := (SELECT r.release FROM sdc_private.releases() AS r WHERE r.release = to_regclass($3 ->> 'release'));
BEGIN
	IF release IS NOT NULL THEN
		PERFORM sdc_private.drop_release(release);
	END IF;
	RETURN $3 - 'release';
END
$drop$;
COMMENT ON FUNCTION sdc_private.run_drop(name, bigint, jsonb) IS
	'below runs: drops a release that is not published';

-- One transaction, and so one snapshot: what is measured is what was protected.
CREATE FUNCTION sdc_private.run_work(policy name, run bigint, known jsonb)
RETURNS jsonb
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 1000000
SET search_path = pg_catalog, pg_temp
AS $work$
DECLARE
	done jsonb;
	status text;
	times timestamptz[] := ARRAY[clock_timestamp()];
BEGIN
	done := $3 || sdc_private.run_idle($1::name, $3::jsonb);
	IF done ? 'status' THEN
		RETURN done;
	END IF;
	done := sdc_private.run_stage($1::name, $2::bigint, done::jsonb);
	IF done ? 'status' THEN
		RETURN done;
	END IF;
	times := times || clock_timestamp();
	IF NOT done ? 'reason' THEN
		done := sdc_private.run_measure($1::name, $2::bigint, done::jsonb);
	END IF;
	times := times || clock_timestamp();
	IF done ? 'reason' THEN
		status := 'rejected';
		done := sdc_private.run_drop($1::name, $2::bigint, done::jsonb);
	ELSIF ($3 -> 'definition' ->> 'approve')::boolean THEN
		status := 'waiting';
	ELSE
		status := 'published';
		done := sdc_private.run_publish($1::name, $2::bigint, done::jsonb);
		done := done || CASE WHEN done ? 'damage' THEN jsonb_build_object('reason', done -> 'damage') ELSE '{}' END;
	END IF;
	done := CASE status WHEN 'waiting' THEN done ELSE done - ARRAY['damage', 'other_columns'] END;
	times := times || clock_timestamp();
	RETURN done || jsonb_build_object('status', status, 'seconds', jsonb_build_object('stage', extract(epoch FROM times[2] - times[1]),
		'measure', extract(epoch FROM times[3] - times[2]), 'publish', extract(epoch FROM times[4] - times[3])));
END
$work$;
COMMENT ON FUNCTION sdc_private.run_work(name, bigint, jsonb) IS
	'below sdc_run: stage, measure, gate, publish';

-- Releases of earlier runs but that of what is published; one that somebody uses or has built upon stays until a later run.
-- A run that has left no release has none to be dropped, whatever has the name.
CREATE FUNCTION sdc_private.run_clean_up(policy name, run bigint, known jsonb)
RETURNS jsonb
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 10000
SET search_path = pg_catalog, pg_temp
SET lock_timeout = '1s'
AS $clean$
DECLARE
	definition CONSTANT jsonb := $3 -> 'definition';
	-- releases that were published are kept where they are judged together with the next one
	kept CONSTANT int := COALESCE((definition ->> 'history')::int,
		CASE WHEN definition -> 'limits' ?| ARRAY['composed_people_found', 'exposed'] THEN 30 ELSE 1 END);
	old regclass;
BEGIN
	FOR old IN SELECT DISTINCT r.release
		FROM sdc_private.runs($1, NULL) AS l
		JOIN sdc_private.releases() AS r ON r.release = to_regclass(l.detail ->> 'release')
		WHERE l.owner = sdc_private.caller() AND l.status NOT IN ('waiting', 'running')
			AND l.run NOT IN (SELECT h.run FROM sdc_private.run_history($1::name) AS h ORDER BY h.run DESC LIMIT kept)
	LOOP
		BEGIN
			PERFORM sdc_private.drop_release(old);
		EXCEPTION WHEN dependent_objects_still_exist OR lock_not_available THEN
			RAISE WARNING USING MESSAGE = format('release "%s" of an earlier run stays', old), DETAIL = SQLERRM;
		END;
	END LOOP;
	RETURN $3;
END
$clean$;
COMMENT ON FUNCTION sdc_private.run_clean_up(name, bigint, jsonb) IS
	'below sdc_run: drops the releases of earlier runs';

-- In C: it ends transactions, so nothing of it can run with other rights than the caller's, who may name no plumbing.
CREATE PROCEDURE sdc_run(policy name)
AS 'MODULE_PATHNAME' LANGUAGE C;
COMMENT ON PROCEDURE sdc_run(name) IS
	'runs a policy: protects, measures, and publishes what keeps the limits; raises SD001 if it does not (needs policy)';

CREATE FUNCTION sdc_approve(run bigint)
RETURNS void
AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000;
COMMENT ON FUNCTION sdc_approve(bigint) IS
	'publishes the release of a run that waits; another role than the one that started it (needs run)';

CREATE FUNCTION sdc_reject(run bigint, why text)
RETURNS void
AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 10000;
COMMENT ON FUNCTION sdc_reject(bigint, text) IS
	'rejects the release of a run that waits (needs run, why)';

CREATE FUNCTION sdc_private.runs(policy name, run bigint)
RETURNS TABLE (run bigint, policy name, owner name, started_by name, started_at timestamptz, finished_at timestamptz,
	status text, reason text, detail jsonb, own boolean)
AS 'MODULE_PATHNAME', 'sdc_private_runs' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 10000 ROWS 1000;
COMMENT ON FUNCTION sdc_private.runs(name, bigint) IS
	'the runs that the caller may know of: all, those of a policy, or one';

-- What its body uses is known by its OID.
CREATE FUNCTION sdc_private.run_rows(policy name, run bigint)
RETURNS TABLE (run bigint, policy name, started_at timestamptz, finished_at timestamptz, status text, reason text, owner name,
	started_by name, approved_by text, source text, source_records bigint, steps jsonb, measures jsonb, limits jsonb, release text,
	target text, records bigint, columns jsonb, sha256 text, seconds jsonb, salt text, detail text, hint text, warnings text[],
	salted text, told boolean)
LANGUAGE sql STABLE PARALLEL UNSAFE COST 10000 ROWS 1000
BEGIN ATOMIC
	SELECT r.run, r.policy, r.started_at, r.finished_at, r.status, r.reason, r.owner, r.started_by,
		r.detail OPERATOR(pg_catalog.->>) 'approver',
		r.detail OPERATOR(pg_catalog.#>>) '{definition,source}',
		pg_catalog.jsonb_path_query_first(r.detail, '$.source_records ? (@.type() == "number" && @ >= 0 && @ < 9e18)')::pg_catalog.int8,
		r.detail OPERATOR(pg_catalog.#>) '{definition,steps}',
		r.detail OPERATOR(pg_catalog.->) 'measures',
		r.detail OPERATOR(pg_catalog.->) 'limits',
		r.detail OPERATOR(pg_catalog.->>) 'release',
		r.detail OPERATOR(pg_catalog.->>) 'target',
		pg_catalog.jsonb_path_query_first(r.detail, '$.records ? (@.type() == "number" && @ >= 0 && @ < 9e18)')::pg_catalog.int8,
		r.detail OPERATOR(pg_catalog.->) 'columns',
		CASE WHEN r.own THEN r.detail OPERATOR(pg_catalog.->>) 'sha256' END,
		r.detail OPERATOR(pg_catalog.->) 'seconds',
		CASE WHEN r.own THEN r.detail OPERATOR(pg_catalog.->>) 'salt' END,
		r.detail OPERATOR(pg_catalog.->>) 'detail',
		r.detail OPERATOR(pg_catalog.->>) 'hint',
		(SELECT pg_catalog.array_agg(w.text OPERATOR(pg_catalog.#>>) '{}' ORDER BY w.part, w.n)
			FROM (SELECT 1, q.text, q.n FROM pg_catalog.jsonb_path_query(r.detail, '$.warnings[*] ? (@.type() == "string")') WITH ORDINALITY AS q (text, n)
				UNION ALL SELECT 2, q.text, q.n FROM pg_catalog.jsonb_path_query(r.detail, '$.approval_warnings[*] ? (@.type() == "string")') WITH ORDINALITY AS q (text, n))
			AS w (part, text, n)),
		pg_catalog.encode(pg_catalog.sha256(pg_catalog.convert_to((r.detail OPERATOR(pg_catalog.->>) 'salt')
			OPERATOR(pg_catalog.||) (r.detail OPERATOR(pg_catalog.->>) 'sha256'), 'UTF8')), 'hex'),
		r.status OPERATOR(pg_catalog.<>) 'failed' OR r.detail OPERATOR(pg_catalog.?) 'ours'
	FROM sdc_private.runs($1, $2) AS r;
END;
COMMENT ON FUNCTION sdc_private.run_rows(name, bigint) IS
	'below the view sdc_runs: its rows, with the details as columns';

CREATE VIEW sdc_runs WITH (security_invoker = true) AS
SELECT r.run, r.policy, r.started_at, r.finished_at, r.status, r.reason, r.owner, r.started_by, r.approved_by, r.source,
	r.source_records, r.steps, r.measures, r.limits, r.release, r.target, r.records, r.columns, r.sha256, r.seconds,
	r.salt, r.detail, r.hint, r.warnings
FROM sdc_private.run_rows(NULL, NULL) AS r;
COMMENT ON VIEW sdc_runs IS
	'the log: publications, rejections and withdrawals, with roles and reasons';

CREATE FUNCTION sdc_private.run_remove(run bigint)
RETURNS boolean
AS 'MODULE_PATHNAME', 'sdc_private_run_remove' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000;
COMMENT ON FUNCTION sdc_private.run_remove(bigint) IS
	'removes a run of a role whose rights the caller has from the log, and tells whether it was there';

-- What tells of something that is there stays: runs that wait or are at work, releases and publications that still are what a
-- run has left, and the last publication of each policy, which the next run goes on with.
CREATE FUNCTION sdc_private.log_prune(before timestamptz, policy name)
RETURNS bigint
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 100000
SET search_path = pg_catalog, pg_temp
AS $prune$
DECLARE
	number bigint;
	pruned bigint := 0;
BEGIN
	IF $1 IS NULL THEN
		RAISE EXCEPTION USING ERRCODE = 'null_value_not_allowed', MESSAGE = 'argument "before" must not be null';
	END IF;
	FOR number IN SELECT l.run
		FROM sdc_private.runs($2, NULL) AS l
		WHERE l.own AND l.finished_at < $1 AND l.status NOT IN ('running', 'waiting')
			AND NOT EXISTS (SELECT FROM sdc_private.releases() AS r
				WHERE l.status IN ('published', 'failed') AND r.release::oid::text = l.detail ->> 'release_oid')
			AND NOT EXISTS (SELECT FROM sdc_private.publications() AS p
				WHERE l.status = 'published' AND encode(p.sha256, 'hex') = l.detail ->> 'sha256')
			AND NOT (l.policy IS NOT NULL AND l.status IN ('published', 'withdrawn') AND l.run = (SELECT max(m.run)
				FROM sdc_private.runs(l.policy, NULL) AS m WHERE m.owner = l.owner AND m.status IN ('published', 'withdrawn')))
			-- what left by hand, perhaps by force, was held to no policy: there is no other trace of it
			AND NOT (l.policy IS NULL AND l.status IN ('published', 'withdrawn') AND l.finished_at > now() - interval '1 year')
		ORDER BY l.run
	LOOP
		pruned := pruned + sdc_private.run_remove(number)::int;
	END LOOP;
	RETURN pruned;
END
$prune$;
COMMENT ON FUNCTION sdc_private.log_prune(timestamptz, name) IS
	'the body of sdc_log_prune';

CREATE FUNCTION sdc_private.release_record(run bigint)
RETURNS jsonb
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 10000
SET search_path = pg_catalog, pg_temp
AS $record$
DECLARE
	r record;
BEGIN
	IF $1 IS NULL THEN
		RAISE EXCEPTION USING ERRCODE = 'null_value_not_allowed', MESSAGE = 'argument "run" must not be null';
	END IF;
	SELECT l.* INTO r FROM sdc_private.run_rows(NULL, $1) AS l;
	IF NOT FOUND THEN
		RAISE EXCEPTION USING ERRCODE = 'undefined_object', MESSAGE = format('run %s does not exist', $1),
			HINT = 'View sdc_runs lists the runs.';
	END IF;
	-- an error can be the message of somebody's function, and tell of data; true counts, and their errors beside published ones, do
	RETURN jsonb_strip_nulls(jsonb_build_object('run', r.run, 'policy', r.policy, 'status', r.status,
		'reason', CASE WHEN r.told THEN r.reason END, 'detail', CASE WHEN r.told THEN r.detail END, 'warnings', r.warnings, 'started_at', r.started_at, 'finished_at', r.finished_at,
		'owner', r.owner, 'started_by', r.started_by, 'approved_by', r.approved_by, 'source', r.source, 'source_records', r.source_records,
		'steps', r.steps, 'measures', CASE jsonb_typeof(r.measures) WHEN 'object' THEN (r.measures - 'workload') #- '{judged,workload_error}' END,
		'limits', jsonb_path_query_array(r.limits, '$[*] ? (!(@.measure == "workload_error"))'), 'target', r.target, 'records', r.records, 'columns', r.columns,
		'sha256_salted', r.salted, 'seconds', r.seconds, 'sdc', sdc_private.version(),
		'meanings', (SELECT jsonb_object_agg(m.measure, m.meaning) FROM sdc_private.limits() AS m)));
END
$record$;
COMMENT ON FUNCTION sdc_private.release_record(bigint) IS
	'the body of sdc_release_record';

CREATE FUNCTION sdc_release_record(run bigint)
RETURNS jsonb
AS 'MODULE_PATHNAME', 'sdc_enter' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 10000;
COMMENT ON FUNCTION sdc_release_record(bigint) IS
	'the record of a run in the log, with the meanings of its measures, to be handed over with the data (needs run)';

CREATE FUNCTION sdc_private.check_one(policy name)
RETURNS TABLE (problem text, measure text, value float8, bound float8)
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 100000 ROWS 1
SET search_path = pg_catalog, pg_temp
AS $one$
DECLARE
	definition CONSTANT jsonb := (SELECT p.definition FROM sdc_private.policies() AS p WHERE p.policy = $1);
	-- a row of the log that another role restored is about a policy of its own
	whose CONSTANT name := (SELECT pg_get_userbyid(NULLIF(p.owner, 0)) FROM sdc_private.policies() AS p WHERE p.policy = $1);
	last record;
	live record;
BEGIN
	IF (definition ->> 'paused')::boolean THEN
		problem := 'it is paused';
		RETURN NEXT;
	END IF;
	BEGIN
		PERFORM sdc_private.check_policy(definition::jsonb);
		PERFORM sdc_private.workload_check((SELECT p.owner FROM sdc_private.policies() AS p WHERE p.policy = $1), (definition ->> 'source')::regclass,
			sdc_private.texts((definition -> 'workload')::jsonb));
		PERFORM sdc_private.check_limits((definition -> 'limits')::jsonb);
	EXCEPTION WHEN OTHERS THEN
		problem := 'it cannot run: ' || SQLERRM;
		RETURN NEXT;
	END;
	-- one that was skipped as the policy was paused tells nothing, and one for another reason that all is well but for the warnings
	-- (the last one to end: of several at once one has worked, and the others have failed before it ended)
	SELECT l.* INTO last FROM sdc_private.run_rows(NULL, COALESCE((SELECT r.run FROM sdc_private.runs($1, NULL) AS r
		WHERE r.owner = whose AND r.status <> 'running' AND NOT (r.status = 'skipped' AND r.detail @> '{"definition": {"paused": true}}')
		ORDER BY COALESCE(r.finished_at, 'infinity') DESC, r.run DESC LIMIT 1), 0)) AS l;
	SELECT l.* INTO live FROM sdc_private.run_rows($1, NULL) AS l WHERE l.owner = whose AND l.status IN ('published', 'withdrawn') ORDER BY l.run DESC LIMIT 1;
	IF last.run IS NULL THEN
		problem := 'it never ran';
		RETURN NEXT;
	ELSIF last.status NOT IN ('published', 'skipped') THEN
		problem := format('run %s is %s%s%s', last.run, last.status, ': ' || last.reason, ' (' || last.detail || ')');
		RETURN NEXT;
	END IF;
	RETURN QUERY SELECT format('run %s has warned: %s', w.run, w.text), NULL::text, NULL::float8, NULL::float8
		FROM (SELECT last.run, unnest(last.warnings) UNION ALL
			SELECT live.run, unnest(live.warnings) WHERE live.status = 'published' AND live.run <> last.run) AS w (run, text);
	IF live.status = 'published' AND NOT EXISTS (SELECT FROM sdc_private.publications() AS p
			WHERE p.publication = to_regclass(live.target) AND p.sha256 = decode(live.sha256, 'hex')) THEN
		problem := format('what run %s has published is not there any more', live.run);
		RETURN NEXT;
	END IF;
	BEGIN
		RETURN QUERY SELECT format('what run %s has published was changed: %s', live.run, p.problem), NULL::text, NULL::float8, NULL::float8
			FROM sdc_private.runs(NULL, live.run) AS l, LATERAL sdc_private.publication_problem(to_regclass(live.target),
				(l.detail ->> 'publication_owner')::name, sdc_private.names((l.detail #> '{definition,grant_to}')::jsonb)) AS p
			WHERE live.status = 'published' AND to_regclass(live.target) IS NOT NULL;
	EXCEPTION WHEN OTHERS THEN	-- policies of others are told all the same
		problem := format('it cannot be told whether what run %s has published was changed: %s', live.run, SQLERRM);
		RETURN NEXT;
	END;
	-- what has come and gone until then was judged then
	RETURN QUERY SELECT format('what run %s has published misses a limit', live.run), g.measure, g.value, g.bound
		FROM sdc_private.gate(live.measures::jsonb, ((definition -> 'limits') - ARRAY['max_gone', 'max_new'])::jsonb) AS g
		WHERE live.status = 'published' AND NOT g.kept;
END
$one$;
COMMENT ON FUNCTION sdc_private.check_one(name) IS
	'below sdc_check: the problems of one policy';

-- Of all policies, and of what policies that were dropped have left, without one.
CREATE FUNCTION sdc_private.check(policy name)
RETURNS TABLE (problem text, measure text, value float8, bound float8, checked name)
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 100000 ROWS 1
SET search_path = pg_catalog, pg_temp
AS $check$
#variable_conflict use_column
BEGIN
	IF NOT EXISTS (SELECT FROM sdc_private.policies() AS p WHERE p.policy = $1) AND $1 IS NOT NULL THEN
		RAISE EXCEPTION USING ERRCODE = 'undefined_object', MESSAGE = format('policy "%s" does not exist', $1),
			HINT = 'View sdc_policies lists the policies of roles whose rights you have.';
	END IF;
	FOR checked IN SELECT p.policy FROM sdc_private.policies() AS p WHERE $1 IS NULL OR p.policy = $1 ORDER BY p.policy COLLATE "C" LOOP
		RETURN QUERY SELECT c.problem, c.measure, c.value, c.bound, checked FROM sdc_private.check_one(checked) AS c;
	END LOOP;
	RETURN QUERY SELECT format('release "%s" of run %s is left of a policy that was dropped', r.release, l.run), NULL::text, NULL::float8,
			NULL::float8, l.policy
		FROM sdc_private.runs(NULL, NULL) AS l JOIN sdc_private.releases() AS r ON r.release::oid::text = l.detail ->> 'release_oid'
		WHERE $1 IS NULL AND l.own AND l.policy IS NOT NULL AND NOT EXISTS (SELECT FROM sdc_private.policies() AS p WHERE p.policy = l.policy)
		ORDER BY l.run;
END
$check$;
COMMENT ON FUNCTION sdc_private.check(name) IS
	'the body of sdc_check';

CREATE FUNCTION sdc_check(policy name DEFAULT NULL)
RETURNS TABLE (problem text, measure text, value float8, bound float8, checked name)
AS 'MODULE_PATHNAME', 'sdc_enter' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 100000 ROWS 1;
COMMENT ON FUNCTION sdc_check(name) IS
	'the problems of a policy, or of all, of their last runs and their publications; no row: none';

CREATE FUNCTION sdc_log_prune(before timestamptz, policy name DEFAULT NULL)
RETURNS bigint
AS 'MODULE_PATHNAME', 'sdc_enter' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 100000;
COMMENT ON FUNCTION sdc_log_prune(timestamptz, name) IS
	'removes old runs from the log, except those of existing releases and publications; returns their number (needs before)';

CREATE VIEW sdc_policy_status WITH (security_invoker = true) AS
SELECT p.policy, p.paused, n.last AS run, l.status,
	pg_catalog.date_part('epoch', pg_catalog.now() OPERATOR(pg_catalog.-) w.finished_at) AS success_age,
	n.failures,
	pg_catalog.date_part('epoch', pg_catalog.now() OPERATOR(pg_catalog.-) d.finished_at) AS publication_age,
	pg_catalog.date_part('epoch', d.finished_at OPERATOR(pg_catalog.-) d.started_at) AS duration,
	d.records,
	pg_catalog.jsonb_path_query_first(d.measures, '$.judged.people_found ? (@.type() == "number")')::pg_catalog.float8 AS people_found,
	pg_catalog.jsonb_path_query_first(d.limits, '$[*] ? (@.measure == "people_found").bound ? (@.type() == "number")')::pg_catalog.float8 AS limit_people_found
FROM sdc_policies AS p
CROSS JOIN LATERAL (
	-- the last one to end is the last one: of several at once one has worked, and the others have failed before it ended
	SELECT (pg_catalog.array_agg(m.run ORDER BY m.finished_at DESC NULLS FIRST, m.run DESC))[1] AS last, pg_catalog.max(m.well) AS well, pg_catalog.max(m.run) FILTER (WHERE m.published) AS published,
		pg_catalog.count(*) FILTER (WHERE m.failed AND (m.well_at IS NULL OR m.finished_at OPERATOR(pg_catalog.>) m.well_at)) AS failures
	FROM (SELECT r.run, r.finished_at, pg_catalog.max(r.finished_at) FILTER (WHERE r.status OPERATOR(pg_catalog.=) 'published' OR (r.status OPERATOR(pg_catalog.=) 'skipped'
				AND r.reason OPERATOR(pg_catalog.<>) 'the policy is paused')) OVER () AS well_at, r.status OPERATOR(pg_catalog.=) 'published' AS published,
			r.status OPERATOR(pg_catalog.=) ANY (ARRAY['failed', 'rejected']) AS failed,
			pg_catalog.max(r.run) FILTER (WHERE r.status OPERATOR(pg_catalog.=) 'published' OR (r.status OPERATOR(pg_catalog.=) 'skipped'
				AND r.reason OPERATOR(pg_catalog.<>) 'the policy is paused')) OVER () AS well
		FROM sdc_private.run_rows(p.policy, NULL) AS r) AS m) AS n
LEFT JOIN LATERAL sdc_private.run_rows(p.policy, n.last) AS l ON true
LEFT JOIN LATERAL sdc_private.run_rows(p.policy, n.well) AS w ON n.well IS NOT NULL
LEFT JOIN LATERAL sdc_private.run_rows(p.policy, n.published) AS d ON n.published IS NOT NULL;
COMMENT ON VIEW sdc_policy_status IS
	'the state of each policy, as numbers for a monitor';

CREATE VIEW sdc_policy_history WITH (security_invoker = true) AS
SELECT r.policy, r.run, r.finished_at, r.status,
	pg_catalog.jsonb_path_query_first(r.measures, '$.judged.people_found ? (@.type() == "number")')::pg_catalog.numeric AS people_found,
	pg_catalog.jsonb_path_query_first(r.measures, '$.judged.certain_percent ? (@.type() == "number")')::pg_catalog.numeric AS certain_percent,
	pg_catalog.jsonb_path_query_first(r.measures, '$.judged.il ? (@.type() == "number")')::pg_catalog.numeric AS il,
	pg_catalog.jsonb_path_query_first(r.measures, '$.judged.score ? (@.type() == "number")')::pg_catalog.numeric AS score,
	r.source_records, r.records
FROM sdc_private.run_rows(NULL, NULL) AS r
WHERE r.policy IS NOT NULL AND r.measures IS NOT NULL;
COMMENT ON VIEW sdc_policy_history IS
	'risk and loss of each policy''s runs over time';
