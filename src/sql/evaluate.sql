----------------------------------------------------------------------
-- Summary and evaluation
----------------------------------------------------------------------

-- Rounded, in words, the people first.  A part that is not defined for a release is left out.
-- What sdc_summary calls is found by name when it runs: no function that somebody else puts into the schema may be nearer
-- to the call than ours, as one with a seed of type text would be to sdc_query_errors.
CREATE FUNCTION sdc_private.whom(release regclass)
RETURNS text
LANGUAGE sql STABLE PARALLEL RESTRICTED COST 10000
SET search_path = pg_catalog, pg_temp
AS $whom$
	SELECT CASE WHEN EXISTS (SELECT FROM sdc_private.releases() AS r WHERE r.release = $1 AND r.unit <> '{}') THEN 'people' ELSE 'records' END
$whom$;
COMMENT ON FUNCTION sdc_private.whom(regclass) IS
	'the thing that the figures of a release count: records, or people where a unit is named';

-- Other errors than these are about more than one part, or about a right that is missing.
CREATE FUNCTION sdc_private.leaves_out(state text)
RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $out$
	SELECT $1 IN ('0A000', '22023', '42703', '42804', '54000', '55000')
$out$;
COMMENT ON FUNCTION sdc_private.leaves_out(text) IS
	'whether an error leaves out a part of a summary or report: the part is not defined for the release';

CREATE FUNCTION sdc_private.summary_counts(release regclass)
RETURNS TABLE (attributes int, queries int, mean_error float8, median_error float8, p95_error float8, redrawn bigint,
	p05_error float8, p25_error float8, p75_error float8)
AS 'MODULE_PATHNAME', 'sdc_private_summary_counts' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 10;
COMMENT ON FUNCTION sdc_private.summary_counts(regclass) IS
	'below the counts of sdc_summary';

CREATE FUNCTION sdc_private.summary(release regclass, known name[])
RETURNS TABLE (part text, measure text, value numeric, unit text, meaning text)
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 20
SET search_path = pg_catalog, pg_temp
SET extra_float_digits = 1
AS $summary$
#variable_conflict use_column
DECLARE
	-- what is kept and still true, if it is about what is asked and about all people, need not be measured again
	kept CONSTANT jsonb := (SELECT e.measures FROM sdc_private.evaluation($1) AS e (measures)
		WHERE e.measures #> '{arguments,known}' = COALESCE(to_jsonb($2), 'null') AND e.measures #> '{arguments,sample}' = 'null');
	people CONSTANT jsonb := COALESCE(kept -> 'people',
		(SELECT jsonb_object_agg(p.attack, to_jsonb(p)) FROM sdc_private.people_found($1, $2, false, NULL::bigint, NULL::text) AS p));
	-- the score is always about all that is known
	score CONSTANT jsonb := CASE WHEN $2 IS NULL AND kept #> '{problems,score}' IS NULL THEN kept -> 'score' END;
	best CONSTANT text := (SELECT p.key FROM jsonb_each(people) AS p WHERE p.key NOT IN ('any', 'best', 'chance')
		ORDER BY (p.value ->> 'found')::float8 DESC,
			array_position(ARRAY['candidates', 'nearest', 'distance', 'wide', 'narrow', 'agreement'], p.key) LIMIT 1);
	whom CONSTANT text := sdc_private.whom($1);
	learned name;
BEGIN
	RETURN QUERY SELECT 'people', l.measure, round((people #>> l.path)::numeric, l.digits), l.unit, l.meaning
	FROM (VALUES
		('people found', ARRAY['any', 'percent'], 1, 'percent', format('of all %s, by at least one attack on all that leaves', whom)),
		('people found', ARRAY['any', 'found'], 0, whom, 'how many that are'),
		('found for certain', ARRAY['any', 'certain'], 0, whom, 'they have one candidate only, and it is the right one'),
		('found by the best attack', ARRAY['best', 'percent'], 1, 'percent', format('of all %s, by attack %s', whom, best)),
		('found by chance', ARRAY['chance', 'percent'], 3, 'percent', format('of all %s, by a blind guess', whom))
	) AS l (measure, path, digits, unit, meaning) WHERE people #>> l.path IS NOT NULL;
	FOR learned IN SELECT a.attribute FROM sdc_private.sdc_attributes AS a JOIN sdc_private.releases() AS r ON a.relation = r.source
		WHERE r.release = $1 AND a.role = 'sensitive' AND a.attribute <> ALL (COALESCE($2, '{}')) ORDER BY a.attribute COLLATE "C"
	LOOP
		BEGIN
			RETURN QUERY SELECT 'values', l.measure, round((to_jsonb(v) ->> l.path)::numeric, l.digits), l.unit, format(l.meaning, learned)
			FROM sdc_private.attribute_risk($1, $2, ARRAY[learned], 1::float8) AS v, (VALUES
				('values guessed', 'found_percent', 1, 'percent', 'of all records, whose %s an intruder guesses right'),
				('values guessed without', 'found_without_percent', 1, 'percent', 'of all records, whose %s is guessed right if they take no part'),
				('values guessed blindly', 'baseline_percent', 1, 'percent', 'of all records, which have the most frequent %s'),
				('values known', 'disclosed', 0, 'records', 'all their candidates have the same %s, and it is right')
			) AS l (measure, path, digits, unit, meaning) WHERE to_jsonb(v) ->> l.path IS NOT NULL;
		EXCEPTION WHEN OTHERS THEN
			IF NOT sdc_private.leaves_out(SQLSTATE) THEN
				RAISE;
			END IF;
		END;
	END LOOP;
	BEGIN
		RETURN QUERY SELECT 'score', l.measure, round((s.found ->> l.path)::numeric, 1), l.unit, l.meaning
		FROM (SELECT COALESCE(score, (SELECT to_jsonb(m) FROM sdc_private.score($1, NULL::name[], NULL::int, NULL::bigint, NULL::text, NULL::float8) AS m))) AS s (found), (VALUES
			('disclosure risk', 'dr', 'percent', 'mean of attacks on the protected columns: it hides people'),
			('information loss', 'il', 'points', '0 is no loss; 100 is much'),
			('score', 'score', 'points', 'mean of both, as published')
		) AS l (measure, path, unit, meaning) WHERE s.found ->> l.path IS NOT NULL;
		RETURN QUERY SELECT 'score', 'values lost', s.lost::numeric, 'values', 'numbers that the release lacks: the loss takes each for the worst that it can be'
		FROM (SELECT COALESCE(CASE WHEN score IS NOT NULL THEN (kept ->> 'lost')::bigint END, (SELECT l.lost FROM sdc_private.information_loss($1) AS l))) AS s (lost) WHERE s.lost > 0;
	EXCEPTION WHEN OTHERS THEN
		IF NOT sdc_private.leaves_out(SQLSTATE) THEN
			RAISE;
		END IF;
	END;
	BEGIN
		RETURN QUERY SELECT 'counts', CASE e.attributes WHEN 1 THEN 'counts by one column' ELSE format('counts by %s columns', e.attributes) END,
			round((100 * e.mean_error)::numeric, 1), 'percent', 'mean relative error of random counts'
		FROM sdc_private.summary_counts($1) AS e WHERE e.mean_error IS NOT NULL;
	EXCEPTION WHEN OTHERS THEN
		IF NOT sdc_private.leaves_out(SQLSTATE) THEN
			RAISE;
		END IF;
	END;
	BEGIN
		RETURN QUERY SELECT 'model', l.measure, round((100 * (to_jsonb(d) ->> l.path)::float8)::numeric, 1), 'percent', l.meaning
		FROM sdc_private.distinguishability($1, NULL::name[], true) AS d, (VALUES
			('told apart', 'r2', 'how well a linear model tells the release from its source: 0 is not at all'),
			('told apart by chance', 'chance', 'the same if it tossed coins')
		) AS l (measure, path, meaning) WHERE to_jsonb(d) ->> l.path IS NOT NULL;
	EXCEPTION WHEN OTHERS THEN
		IF NOT sdc_private.leaves_out(SQLSTATE) THEN
			RAISE;
		END IF;
	END;
END
$summary$;
COMMENT ON FUNCTION sdc_private.summary(regclass, name[]) IS
	'the body of sdc_summary';

CREATE FUNCTION sdc_summary(release regclass, known name[] DEFAULT NULL)
RETURNS TABLE (part text, measure text, value numeric, unit text, meaning text)
AS 'MODULE_PATHNAME', 'sdc_enter' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 20;
COMMENT ON FUNCTION sdc_summary(regclass, name[]) IS
	'the figures to look at first: people found, values learned, score and accuracy of a release, rounded and in words (needs release)';

-- VOLATILE: it writes, and may draw a sample.
CREATE FUNCTION sdc_evaluate(release regclass, known name[] DEFAULT NULL, sample bigint DEFAULT NULL,
	seed "any" DEFAULT NULL, force boolean DEFAULT false)
RETURNS TABLE (release regclass, evaluated_at timestamptz, people_found float8, people_found_high float8,
	certain_percent float8, certain_percent_high float8, il float8, dr float8, score float8, score_high float8,
	measures jsonb)
AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 1;
COMMENT ON FUNCTION sdc_evaluate(regclass, name[], bigint, "any", boolean) IS
	'measures all that is measured of a release, and keeps it for the views and for sdc_publish (needs release)';

-- The same with a type for every argument, for what finds it by name.
CREATE FUNCTION sdc_private.evaluate(release regclass, known name[], sample bigint, seed_text text, force boolean)
RETURNS TABLE (release regclass, evaluated_at timestamptz, people_found float8, people_found_high float8,
	certain_percent float8, certain_percent_high float8, il float8, dr float8, score float8, score_high float8,
	measures jsonb)
AS 'MODULE_PATHNAME', 'sdc_private_evaluate' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 1;
COMMENT ON FUNCTION sdc_private.evaluate(regclass, name[], bigint, text, boolean) IS
	'below runs of policies: sdc_evaluate';

CREATE FUNCTION sdc_private.evaluation(release regclass)
RETURNS jsonb
AS 'MODULE_PATHNAME', 'sdc_private_evaluation' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000;
COMMENT ON FUNCTION sdc_private.evaluation(regclass) IS
	'the kept evaluation of a release, if release and source have not changed since';

CREATE FUNCTION sdc_private.evaluation_release(release regclass)
RETURNS jsonb
AS 'MODULE_PATHNAME', 'sdc_private_evaluation_release' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000;
COMMENT ON FUNCTION sdc_private.evaluation_release(regclass) IS
	'the kept evaluation of a release that has not changed since, whether or not its source has';

CREATE FUNCTION sdc_private.evaluation_mark(release regclass)
RETURNS text
AS 'MODULE_PATHNAME', 'sdc_private_evaluation_mark' LANGUAGE C STABLE PARALLEL UNSAFE COST 10000;
COMMENT ON FUNCTION sdc_private.evaluation_mark(regclass) IS
	'the mark of the kept evaluation of a release';
