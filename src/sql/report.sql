----------------------------------------------------------------------
-- Report: the page
----------------------------------------------------------------------

-- What was done.  Parameters are those of this list, so that nothing that somebody registered gets out; those that say how
-- far values move, and where records lie, are for inside.
CREATE FUNCTION sdc_private.report_done(release regclass, inside boolean)
RETURNS text
LANGUAGE plpgsql STABLE PARALLEL UNSAFE COST 10000
SET search_path = pg_catalog, pg_temp
AS $done$
DECLARE
	shown CONSTANT text[] := ARRAY['sensitive', 'probabilities', 'draws', 'retain', 'amount', 'k', 'l', 't', 'levels', 'suppress_percent', 'grouping_method']
		|| CASE WHEN $2 THEN ARRAY['p', 'buckets', 'depth', 'intervals', 'widths', 'complement', 'complement_columns', 'force', 'scheme', 'centre', 'small', 'bounds', 'laws',
			'matrices', 'hierarchies', 't_distance', 'combinations', 'importance', 'loss', 'losses', 'recodes', 'found', 'areas', 'risk', 'rate', 'similar', 'carry', 'continued']
			ELSE '{}'::text[] END;
	ours CONSTANT text[] := ARRAY(SELECT m.method FROM sdc_private.methods() AS m);
	made record;
	page text;
BEGIN
	SELECT r.* INTO made FROM sdc_private.releases() AS r WHERE r.release = $1;
	page := sdc_private.report_table('Steps'::text, ARRAY['step', 'method', 'parameters', 'columns']::text[], (
		SELECT string_agg(format('<tr><td>%s</td><th scope="row">%s</th><td>%s</td><td>%s</td></tr>', s.n,
			CASE WHEN $2 OR s.step ->> 'method' = ANY (ours) THEN sdc_private.report_text((s.step ->> 'method')::text) ELSE 'by another tool' END,
			COALESCE((SELECT string_agg(sdc_private.report_text(format('%s = %s', p.key, CASE WHEN length(p.value) > 300 THEN left(p.value, 297) || '...'
					WHEN $2 OR p.key <> 'probabilities' THEN p.value ELSE COALESCE(to_jsonb(sdc_private.accuracy_drawn($1, s.n::int))::text, 'withheld') END)), '<br>' ORDER BY p.key COLLATE "C")
				FROM jsonb_each_text(s.step) AS p WHERE p.key = ANY (shown)), '&ndash;'),
			COALESCE((SELECT CASE WHEN count(*) > 40 THEN count(*) || ' columns' ELSE string_agg(sdc_private.report_name(c.name::text), ', ' ORDER BY c.n) END
				FROM jsonb_array_elements_text(CASE WHEN jsonb_typeof(s.step -> 'columns') = 'array' THEN s.step -> 'columns'
					WHEN made.method = 'protect' THEN s.step -> 'qi' ELSE to_jsonb(made.columns) END) WITH ORDINALITY AS c (name, n)), '&ndash;')),
			E'\n' ORDER BY s.n)
		FROM jsonb_array_elements(CASE WHEN jsonb_typeof(made.parameters -> 'steps') = 'array' THEN made.parameters -> 'steps'
			ELSE jsonb_build_array(made.parameters || jsonb_build_object('method', made.method)) END) WITH ORDINALITY AS s (step, n)
		WHERE jsonb_typeof(s.step) = 'object'));
	-- many columns are told together that have the same fate
	page := page || sdc_private.report_table('Columns'::text, ARRAY['column', 'what happened to it', 'role']::text[], (
		SELECT string_agg(format('<tr><th scope="row">%s</th><td>%s</td><td>%s</td></tr>', t.names, t.action, sdc_private.report_text(t.role)), E'\n' ORDER BY t.place, t.names COLLATE "C")
		FROM (SELECT string_agg(sdc_private.report_name(c.name::text), ', ' ORDER BY c.place, c.name COLLATE "C") AS names, c.action, c.role, min(c.place) AS place
			FROM (SELECT c.*, COALESCE(a.role, '')::text AS role, CASE WHEN count(*) OVER () <= 40 THEN row_number() OVER () ELSE 0 END AS apart
				FROM (SELECT t.attname AS name, t.attnum::int AS place, CASE WHEN t.attname = ANY (made.columns) THEN 'protected'
						WHEN t.attname = ANY (made.key) THEN 'key' WHEN t.attname = ANY (made.strata) THEN 'copied; values change places within it'
						WHEN o.attname IS NULL THEN 'added' ELSE 'copied' END AS action
					FROM pg_attribute AS t LEFT JOIN pg_attribute AS o ON o.attrelid = made.source AND o.attname = t.attname AND NOT o.attisdropped AND o.attnum > 0
					WHERE t.attrelid = $1 AND t.attnum > 0 AND NOT t.attisdropped
					UNION ALL SELECT o.name, 10000, 'left out' FROM unnest(made.omitted) AS o (name)) AS c
				LEFT JOIN sdc_private.sdc_attributes AS a ON a.relation = made.source AND a.attribute = c.name
				WHERE $2 OR c.action NOT IN ('key', 'left out', 'added')) AS c
			GROUP BY c.apart, c.action, c.role) AS t));
	RETURN format(E'<p>%s records.%s</p>\n', made.records, CASE WHEN $2 THEN format(' Made from <bdi>%s</bdi> by <bdi>%s</bdi> on %s%s.',
			sdc_private.report_text(made.source::text), sdc_private.report_text(made.created_by::text),
			to_char(made.created_at, 'YYYY-MM-DD'), CASE WHEN made.seeded THEN ', with a seed, which is stored nowhere' ELSE '' END) ELSE '' END) || page;
END
$done$;
COMMENT ON FUNCTION sdc_private.report_done(regclass, boolean) IS
	'the methods of a release, for sdc_report';

-- What was done, by what the accuracy table of a publication says: for who may read these two and nothing else.
CREATE FUNCTION sdc_private.report_methods(accuracy jsonb)
RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
SET extra_float_digits = 1
AS $methods$
	SELECT sdc_private.report_table('Columns'::text, ARRAY['column', 'what happened to it']::text[], string_agg(format('<tr><th scope="row"><bdi>%s</bdi></th><td>%s</td></tr>',
		sdc_private.report_text(COALESCE(c.attribute, 'all')), c.told), E'\n' ORDER BY c.n))
	FROM (SELECT f.attribute, min(f.n) AS n, string_agg(sdc_private.report_text(f.measure) || CASE WHEN f.value IS NULL THEN '' ELSE ' = ' || sdc_private.report_number(f.value) END,
			', ' ORDER BY f.n) AS told
		FROM ROWS FROM (jsonb_to_recordset($1) AS (part text, attribute text, measure text, value float8)) WITH ORDINALITY AS f (part, attribute, measure, value, n)
		-- (the others are for intervals only)
		WHERE f.part = 'method' AND f.measure <> ALL (ARRAY['kept', 'whole', 'unit_class', 'codes', 'between', 'part']) GROUP BY f.attribute) AS c
$methods$;
COMMENT ON FUNCTION sdc_private.report_methods(jsonb) IS
	'the methods of a publication, for sdc_report';

-- A part of the page: what it says, or why it says nothing.  What was found before is in `found`: people, accuracy (outside), pictures
-- (inside), the runs of the policy and its queries.
CREATE FUNCTION sdc_private.report_part(release regclass, part text, found jsonb, inside boolean)
RETURNS text
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 1000000
SET search_path = pg_catalog, pg_temp
AS $part$
DECLARE
	page text;
BEGIN
	IF ($3 ->> 'large')::boolean AND $2 IN ('choices', 'known', 'learned', 'intervals', 'regression') THEN
		RETURN format(E'<p class="none">Left out: it is measured of at most %s records (setting sdc.view_records).</p>\n', current_setting('sdc.view_records'));
	ELSIF $4 AND $2 IN ('margins', 'pairs', 'correlations', 'regression') AND $3 ->> 'problem' IS NOT NULL THEN
		RETURN format(E'<p class="none">Left out: %s.</p>\n', sdc_private.report_text($3 ->> 'problem'));
	END IF;
	page := CASE WHEN NOT $4 AND $2 IN ('margins', 'correlations', 'counts', 'associations') THEN sdc_private.report_accuracy($3 -> 'accuracy', $2)
		WHEN $1 IS NULL THEN CASE $2 WHEN 'done' THEN sdc_private.report_methods($3 -> 'accuracy') END ELSE CASE $2
		WHEN 'done' THEN sdc_private.report_done($1, $4)
		WHEN 'singling' THEN sdc_private.report_singling($1, $3 -> 'people', $4)
		WHEN 'choices' THEN sdc_private.report_choices($1, ($3 ->> 'whom')::text)
		WHEN 'linking' THEN sdc_private.report_linking($3 -> 'people', $4)
		WHEN 'known' THEN sdc_private.report_known($1)
		WHEN 'learned' THEN sdc_private.report_learned($1, $4)
		WHEN 'intervals' THEN sdc_private.report_intervals($1, $3 -> 'pictures')
		WHEN 'history' THEN sdc_private.report_history($3 -> 'runs')
		WHEN 'map' THEN (SELECT sdc_private.report_ru(r.source, $1) FROM sdc_private.releases() AS r WHERE r.release = $1)
		WHEN 'margins' THEN sdc_private.report_margins($3 -> 'pictures')
		WHEN 'pairs' THEN sdc_private.report_pairs($3 -> 'pictures')
		WHEN 'correlations' THEN sdc_private.report_correlations($3 -> 'pictures')
		WHEN 'regression' THEN sdc_private.report_regression($1, $3 -> 'pictures')
		WHEN 'counts' THEN sdc_private.report_counts($1, NULLIF($3 -> 'counts', 'null'))
		WHEN 'workload' THEN sdc_private.report_workload($3 -> 'workload')
		WHEN 'associations' THEN sdc_private.report_associations($1, NULLIF($3 -> 'associations', 'null')) END END;
	RETURN COALESCE(NULLIF(page, ''), E'<p class="none">Left out: there is nothing of that kind in this release.</p>\n');
EXCEPTION WHEN OTHERS THEN
	IF NOT sdc_private.leaves_out(SQLSTATE) THEN
		RAISE;
	END IF;
	RETURN format(E'<p class="none">Left out: %s.</p>\n', CASE WHEN $4 THEN sdc_private.report_text(SQLERRM::text) ELSE 'it is not defined for this release' END);
END
$part$;
COMMENT ON FUNCTION sdc_private.report_part(regclass, text, jsonb, boolean) IS
	'a part of sdc_report';

CREATE FUNCTION sdc_private.report_style()
RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $style$
	SELECT $css$:root { color-scheme: light dark; --paper: #ffffff; --ink: #1b1b1b; --soft: #555555; --rule: #8a8a8a; --one: #0b5fa5; --two: #9a3f00; --three: #1b6e35 }
@media screen and (prefers-color-scheme: dark) { :root { --paper: #161616; --ink: #ececec; --soft: #b4b4b4; --rule: #8a8a8a; --one: #7ab8f5; --two: #f5a45d; --three: #7fd18b } }
body { font: 16px/1.5 sans-serif; color: var(--ink); background: var(--paper); max-width: 60rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: break-word } bdi, dd { overflow-wrap: anywhere }
h1, h2, h3 { line-height: 1.2 } h2 { border-bottom: 1px solid var(--rule); margin-top: 2.5rem }
table { border-collapse: collapse; margin: 1rem 0 } caption { text-align: left; font-weight: bold } .wide { overflow-x: auto }
th, td { border-bottom: 1px solid var(--rule); padding: 0.2rem 0.7rem; text-align: left; vertical-align: top; min-width: 2.5rem } .n { text-align: right; white-space: nowrap }
.none, .note { color: var(--soft) } .head { font-size: 1.4rem } svg { max-width: 100%; height: auto; color: var(--ink); display: block }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.2rem 1rem } dt { font-weight: bold } dd { margin: 0 }
.many { display: flex; flex-wrap: wrap; gap: 1rem } figure { margin: 0; max-width: 100% } figcaption { max-width: 15rem; min-height: 1.5em }
.s1 { fill: var(--one) } .s2 { fill: var(--two) } .grid { stroke: var(--rule); stroke-width: 0.5 } .ring, .frame { fill: none; stroke: var(--ink) }
.l1, .l2, .l3 { fill: none; stroke-width: 2.5 } .l1 { stroke: var(--one) } .l2 { stroke: var(--two); stroke-dasharray: 8 4 } .l3 { stroke: var(--three); stroke-dasharray: 2 3 }
.d1, .d2 { fill: none; stroke-width: 3; stroke-linecap: round } .d1 { stroke: var(--one) } .d2 { stroke: var(--two) } .many .l2 { stroke-width: 1.5; stroke-dasharray: 4 2 }
@page { size: A4; margin: 15mm }
@media (max-width: 40rem) { dl { grid-template-columns: 1fr } th, td { padding: 0.2rem 0.4rem } }
@media print { body { max-width: none; margin: 0; padding: 0; font-size: 9pt } table { font-size: 8pt; margin: 0.5rem 0 } th, td { padding: 0.1rem 0.4rem } h2 { margin-top: 1.2rem }
	svg, figure, tr { break-inside: avoid } h2, h3, caption, .note { break-after: avoid } .wide { overflow: visible } main > svg { max-width: 13cm } .many { gap: 0.4rem }
	.many svg { width: 4.2cm; height: auto } figcaption { max-width: 4.2cm } .s1, .s2 { print-color-adjust: exact } }$css$
$style$;
COMMENT ON FUNCTION sdc_private.report_style() IS
	'the style of sdc_report';

-- The words of the page; outside only those that are on it.
CREATE FUNCTION sdc_private.report_words(inside boolean)
RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $words$
	SELECT E'<h2>Words</h2>\n<dl class="words">\n' || string_agg(format('<dt>%s</dt><dd>%s</dd>', w.word, w.meaning), E'\n' ORDER BY lower(w.word) COLLATE "C") || E'\n</dl>\n'
	FROM (VALUES
		('association', false, 'a rule that holds often in the data: a record that has these values has that one, too'),
		('by chance', false, 'what somebody finds or guesses who has nothing but the number of records'),
		('candidate', true, 'a released record that can be that of a person, by all that the intruder knows'),
		('certain', true, 'of somebody who has one candidate: the intruder knows that he is right'),
		('count', false, 'how many records meet a condition; its error is relative to the count of the source'),
		('frontier', true, 'releases that no other one surpasses in both risk and loss'),
		('hellinger', false, 'how far two distributions are apart, value by value: 0 is not at all, 1 is as far as can be'),
		('information loss', true, 'how much the values have changed; 0 is not at all, 100 is much'),
		('intruder', false, 'who has the data, knows some columns of people in them, and wants to find these people'),
		('ks', false, 'the greatest difference of the shares of values up to any value: from 0 to 1'),
		('limit', false, 'what a release is held to before it is published'),
		('overlap', true, 'how much of the confidence intervals before and after is common to both; 100 is all, and below 0 they are apart'),
		('people found', false, 'the percentage of people whose record the intruder picks, by the attack that is best for each'),
		('release', true, 'the protected table, which stays inside; a publication is its copy that leaves'),
		('sd', true, 'standard deviation'),
		('sensitive', false, 'of a column: what nobody is to learn of a person'),
		('SHA-256', false, 'a number that only these contents have: with its salt it proves which table the page is about'),
		('source', false, 'the data that were protected'),
		('withheld', false, 'a figure that would tell of a single person')) AS w (word, only_inside, meaning)
	WHERE $1 OR NOT w.only_inside
$words$;
COMMENT ON FUNCTION sdc_private.report_words(boolean) IS
	'the glossary of sdc_report';

-- What a page is about: a release, the publication that was made of it, and the last run that made or published it.  A row of the log is
-- of no use to whom it hides.
CREATE FUNCTION sdc_private.report_subject(named regclass, run bigint)
RETURNS jsonb
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 10000
SET search_path = pg_catalog, pg_temp
SET quote_all_identifiers = off
AS $subject$
#variable_conflict use_column
DECLARE
	about regclass := $1;
	ran record;
	published record;
BEGIN
	IF $2 IS NOT NULL THEN
		SELECT r.* INTO ran FROM sdc_private.run_rows(NULL, $2) AS r;
		IF NOT FOUND THEN
			RAISE EXCEPTION USING ERRCODE = 'undefined_object', MESSAGE = format('run %s does not exist', $2),
				HINT = 'View sdc_runs lists the runs.';
		ELSIF to_regclass(ran.release) IS NULL THEN
			RAISE EXCEPTION USING ERRCODE = 'object_not_in_prerequisite_state', MESSAGE = format('the release of run %s is not there any more', $2),
				HINT = format('What was measured is in the log: SELECT sdc_release_record(%s).', $2);
		END IF;
		about := to_regclass(ran.release);
	END IF;
	SELECT p.* INTO published FROM sdc_private.publications() AS p WHERE p.publication = about OR p.release = about
		ORDER BY p.publication = about DESC, p.published_at DESC LIMIT 1;
	IF published.publication = about THEN
		about := published.release;
	END IF;
	IF $2 IS NULL THEN
		SELECT r.* INTO ran FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace,
			-- the name of a release of a run ends with its number
			LATERAL sdc_private.run_rows(NULL, substring(c.relname FROM '_run_([0-9]{1,18})$')::bigint) AS r
			WHERE c.oid = about AND c.relname ~ '_run_[0-9]{1,18}$' AND r.release = format('%I.%I', n.nspname, c.relname) AND r.policy IS NOT NULL;
	END IF;
	IF ran.run IS NULL AND published.publication IS NOT NULL THEN
		SELECT r.* INTO ran FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace, sdc_private.run_rows(NULL, NULL) AS r
			WHERE c.oid = published.publication AND r.status = 'published' AND r.target = format('%I.%I', n.nspname, c.relname)
				AND r.owner = pg_get_userbyid(c.relowner) AND r.sha256 = encode(published.sha256, 'hex') ORDER BY r.run DESC LIMIT 1;
	END IF;
	RETURN jsonb_build_object('release', about::oid, 'publication', published.publication::text, 'oid', published.publication::oid, 'day', to_char(published.published_at, 'YYYY-MM-DD'),
		'records', published.records, 'sha256', encode(published.sha256, 'hex'))
		|| CASE WHEN ran.run IS NULL THEN '{}' ELSE jsonb_build_object('run', ran.run, 'policy', ran.policy, 'owner', ran.owner, 'status', ran.status, 'started_by', ran.started_by,
			'approved_by', ran.approved_by, 'started', to_char(ran.started_at, 'YYYY-MM-DD'), 'limits', ran.limits, 'salt', ran.salt, 'workload', ran.measures -> 'workload',
			'salted', CASE WHEN ran.sha256 IS NULL OR ran.sha256 = encode(published.sha256, 'hex') THEN ran.salted END,
			'known', CASE WHEN ran.measures -> 'known_given' = 'true' THEN ran.measures -> 'known' END) END;
END
$subject$;
COMMENT ON FUNCTION sdc_private.report_subject(regclass, bigint) IS
	'the subject of a page, for sdc_report';

-- The runs of a policy that have measured something, the last 30.
CREATE FUNCTION sdc_private.report_runs(subject jsonb)
RETURNS jsonb
LANGUAGE sql VOLATILE PARALLEL UNSAFE COST 10000
SET search_path = pg_catalog, pg_temp
SET extra_float_digits = 1
AS $runs$
	SELECT jsonb_agg(to_jsonb(h) ORDER BY h.run) FROM (SELECT r.run, to_char(r.started_at, 'YYYY-MM-DD') AS day, r.status, r.records, j.judged -> 'people_found' AS people_found,
			j.judged -> 'composed_people_found' AS composed, j.judged -> 'exposed' AS exposed, j.judged -> 'il' AS il,
			jsonb_path_query_first(r.limits, '$[*] ? (@.measure == "people_found").bound') AS bound
		FROM sdc_private.run_rows(($1 ->> 'policy')::name, NULL) AS r, LATERAL (SELECT r.measures -> 'judged') AS j (judged)
		WHERE $1 ->> 'policy' IS NOT NULL AND r.owner = $1 ->> 'owner' AND j.judged IS NOT NULL ORDER BY r.run DESC LIMIT 30) AS h
$runs$;
COMMENT ON FUNCTION sdc_private.report_runs(jsonb) IS
	'the runs of a policy, for sdc_report';

-- The top of the page: which data these are, and whether they keep what they were held to.  Outside no limit that an intruder could use.
CREATE FUNCTION sdc_private.report_verdict(subject jsonb, people jsonb, whom text, inside boolean)
RETURNS text
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
SET extra_float_digits = 1
AS $verdict$
DECLARE
	held CONSTANT jsonb := COALESCE(jsonb_path_query_first($1, '$.limits[*] ? (@.measure == "people_found")'), '{}');
	bound CONSTANT float8 := (held ->> 'bound')::float8;
	most CONSTANT boolean := held ->> 'value' IS NOT NULL OR $2 #>> '{any,high}' IS NOT NULL;
	found CONSTANT float8 := COALESCE((held ->> 'value')::float8, ($2 #>> '{any,high}')::float8, ($2 #>> '{any,percent}')::float8);
	knows CONSTANT text := COALESCE((SELECT string_agg(sdc_private.report_name(k.name), ', ' ORDER BY k.n) FROM jsonb_array_elements_text(NULLIF($1 -> 'known', 'null'))
		WITH ORDINALITY AS k (name, n)), 'all that was not withheld from him');
	status CONSTANT text := CASE $1 ->> 'status' WHEN 'waiting' THEN 'Waiting for approval' ELSE upper(left($1 ->> 'status', 1)) || substr($1 ->> 'status', 2) END;
	page text := E'<h2>Verdict</h2>\n';
BEGIN
	IF found IS NULL THEN
		RETURN page || format(E'<p class="head">%s</p>\n', COALESCE('<strong>' || status || '.</strong>', 'How many people can be found is told by the publisher.'));
	END IF;
	page := page || format(E'<p class="head">%sAn intruder who knows %s finds %s<strong>%s %%</strong> of the %s%s; by chance %s %%. %s</p>\n',
		CASE WHEN bound IS NOT NULL THEN format('At most <strong>%s %%</strong> of the %s may be found. ', sdc_private.report_number(bound), $3) ELSE '' END,
		knows, CASE WHEN most THEN 'at most ' ELSE '' END, sdc_private.report_number(found), $3, CASE WHEN found > bound THEN ', which is more' ELSE '' END,
		sdc_private.report_number(($2 #>> '{chance,percent}')::float8),
		CASE WHEN bound IS NULL THEN 'No limit was set. ' ELSE '' END || COALESCE('<strong>' || status || '.</strong>', CASE WHEN $1 ->> 'publication' IS NULL THEN 'Not published.' ELSE 'Published.' END))
		|| COALESCE(sdc_private.report_crowd($3::text, found, bound, ($2 #>> '{chance,percent}')::float8), '');
	RETURN page || COALESCE(sdc_private.report_table('What was to be kept'::text, ARRAY['measure', 'found', 'allowed', 'kept']::text[], (
		SELECT string_agg(format('<tr><th scope="row">%s</th><td>%s</td><td>at %s %s</td><td>%s</td></tr>', l.meaning,
			sdc_private.report_number((g.held ->> 'value')::float8), CASE WHEN l.at_most THEN 'most' ELSE 'least' END,
			sdc_private.report_number((g.held ->> 'bound')::float8), CASE WHEN (g.held ->> 'kept')::boolean THEN 'yes' ELSE 'no' END),
			E'\n' ORDER BY g.held ->> 'measure')
		FROM jsonb_array_elements(NULLIF($1 -> 'limits', 'null')) AS g (held) JOIN sdc_private.limits() AS l ON l.measure = g.held ->> 'measure'
		WHERE g.held ->> 'bound' IS NOT NULL AND ($4 OR l.measure IN ('people_found', 'k', 'l', 't')))), '');
END
$verdict$;
COMMENT ON FUNCTION sdc_private.report_verdict(jsonb, jsonb, text, boolean) IS
	'the verdict of sdc_report';

-- What tells the page and the data from others.
CREATE FUNCTION sdc_private.report_facts(subject jsonb, inside boolean)
RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $facts$
	SELECT COALESCE(E'<dl class="facts">\n' || string_agg(format('<dt>%s</dt><dd>%s</dd>', f.name, f.value), E'\n' ORDER BY f.n) || E'\n</dl>\n', '')
	FROM (VALUES (1, 'Published', $1 ->> 'day'), (2, 'Records', $1 ->> 'records'),
		(3, 'SHA-256', CASE WHEN $2 OR $1 ->> 'salted' IS NULL THEN $1 ->> 'sha256' END),
		(4, 'SHA-256, salted', ($1 ->> 'salted') || CASE WHEN $2 AND $1 ->> 'salt' IS NOT NULL THEN ' (salt ' || sdc_private.report_text($1 ->> 'salt') || ')' ELSE '' END),
		(5, 'Run', CASE WHEN $2 THEN format('%s%s, started by <bdi>%s</bdi> on %s%s', $1 ->> 'run', COALESCE(' of policy <bdi>' || sdc_private.report_text($1 ->> 'policy') || '</bdi>', ' by hand'),
			sdc_private.report_text($1 ->> 'started_by'), $1 ->> 'started', COALESCE(', approved by <bdi>' || sdc_private.report_text($1 ->> 'approved_by') || '</bdi>', '')) ELSE $1 ->> 'run' END))
		AS f (n, name, value) WHERE f.value IS NOT NULL AND (f.n <> 5 OR $1 ->> 'run' IS NOT NULL)
$facts$;
COMMENT ON FUNCTION sdc_private.report_facts(jsonb, boolean) IS
	'the data of a page, for sdc_report';

-- What the parts of a page need of a release, found once.  NULL without rights on the source of a publication.
CREATE FUNCTION sdc_private.report_found(release regclass, subject jsonb, inside boolean)
RETURNS jsonb
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 1000000
SET search_path = pg_catalog, pg_temp
SET extra_float_digits = 1
AS $found$
#variable_conflict use_column
DECLARE
	kept CONSTANT jsonb := sdc_private.evaluation($1);
	large CONSTANT boolean := (SELECT r.records > current_setting('sdc.view_records')::bigint FROM sdc_private.releases() AS r WHERE r.release = $1);
	-- what is kept and still true need not be measured again, if it is about all that is known; of much a sample will do
	people jsonb := CASE WHEN kept -> 'known_given' = 'false' AND (kept -> 'sample' = 'null' OR large) THEN kept -> 'people' END;
	pictures jsonb;
	problem text;
BEGIN
	IF people IS NULL THEN
		people := (SELECT jsonb_object_agg(p.attack, to_jsonb(p)) FROM sdc_private.people_found($1, NULL::name[], false, NULL::bigint, NULL::text) AS p);
	END IF;
	IF NOT $3 THEN
		RETURN jsonb_build_object('people', people, 'whom', sdc_private.whom($1), 'large', large,
			'accuracy', (SELECT jsonb_agg(to_jsonb(a)) FROM sdc_private.accuracy($1, NULL::name[], NULL::bigint, NULL::bigint) AS a));
	END IF;
	BEGIN
		pictures := (SELECT jsonb_object_agg(p.what, p.marks) FROM (SELECT m.what, jsonb_agg(to_jsonb(m) ORDER BY m.n) AS marks
			FROM sdc_private.report_pictures($1) WITH ORDINALITY AS m (what, x, y, place, label, number, n) GROUP BY m.what) AS p);
	EXCEPTION WHEN OTHERS THEN
		IF NOT sdc_private.leaves_out(SQLSTATE) THEN
			RAISE;
		END IF;
		problem := SQLERRM;
	END;
	RETURN jsonb_build_object('people', people, 'whom', sdc_private.whom($1), 'large', large, 'problem', problem, 'counts', CASE
			WHEN (kept #>> '{query_errors,queries}')::float8 = current_setting('sdc.query_workload')::float8 THEN kept #> '{query_errors,rows}' END,
		'associations', CASE WHEN (kept #>> '{association_recall,min_support}')::float8 = current_setting('sdc.association_min_support')::float8
			AND (kept #>> '{association_recall,min_confidence}')::float8 = current_setting('sdc.association_min_confidence')::float8 THEN kept #> '{association_recall,rows}' END,
		'runs', sdc_private.report_runs($2), 'workload', NULLIF($2 -> 'workload', 'null'),
		'pictures', '{"bar": [], "bin": [], "before": [], "after": []}'::jsonb || COALESCE(pictures, '{}'));
EXCEPTION WHEN insufficient_privilege THEN
	IF $2 ->> 'publication' IS NULL THEN
		RAISE;
	END IF;
	RETURN NULL;
END
$found$;
COMMENT ON FUNCTION sdc_private.report_found(regclass, jsonb, boolean) IS
	'the findings that the parts of sdc_report need';

-- The headings of risk are those of Opinion 05/2014 of the Article 29 Working Party.
CREATE FUNCTION sdc_private.report(release regclass, audience text, run bigint)
RETURNS text
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 1000000
SET search_path = pg_catalog, pg_temp
SET extra_float_digits = 1
AS $report$
#variable_conflict use_column
<<report>>
DECLARE
	inside boolean := $2 = 'internal';
	release regclass;
	subject jsonb;
	found jsonb;
	title text;
	page text;
	part record;
BEGIN
	IF $2 IS NULL THEN
		RAISE EXCEPTION 'argument "audience" must not be null' USING ERRCODE = 'null_value_not_allowed';
	ELSIF $2 NOT IN ('internal', 'external') THEN
		RAISE EXCEPTION 'argument "audience" is not "internal" or "external"' USING ERRCODE = 'invalid_parameter_value',
			HINT = 'Choose "internal" for those who may see the source, "external" for those who get the release.';
	ELSIF ($1 IS NULL) = ($3 IS NULL) THEN
		RAISE EXCEPTION 'either argument "release" or argument "run" must be given' USING ERRCODE = 'null_value_not_allowed';
	END IF;
	subject := sdc_private.report_subject($1::regclass, $3::bigint);
	report.release := (subject ->> 'release')::oid;
	IF report.release IS NOT NULL THEN
		found := sdc_private.report_found(report.release, subject, inside);
	END IF;
	IF found IS NULL THEN
		-- who may read a publication, and not its source, gets what stands beside it
		inside := false;
		report.release := NULL;
		found := (SELECT jsonb_build_object('whom', 'people', 'accuracy', jsonb_agg(to_jsonb(a))) FROM sdc_private.report_published((subject ->> 'oid')::oid::regclass) AS a HAVING count(*) > 0);
		IF found IS NULL THEN
			RAISE EXCEPTION USING ERRCODE = 'insufficient_privilege', MESSAGE = format('there is nothing that a report on publication "%s" could be made from', subject ->> 'publication'),
				HINT = 'It needs the source and the release, or the accuracy table beside the publication. Who has published it can hand over what sdc_report makes with "external".';
		END IF;
	END IF;
	title := COALESCE(sdc_private.report_text(subject ->> 'publication'), CASE WHEN inside THEN 'Release ' || sdc_private.report_text(report.release::text) ELSE 'Protected data' END);
	page := format(E'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n'
		'<meta http-equiv="Content-Security-Policy" content="default-src ''none''; style-src ''unsafe-inline''">\n<title>%1$s</title>\n<style>\n%2$s\n</style>\n</head>\n<body>\n<main>\n<h1>%1$s</h1>\n'
		'%3$s<p class="note">%4$s Measured by sdc %5$s.</p>\n', title, sdc_private.report_style(), sdc_private.report_facts(subject, inside),
		CASE WHEN inside THEN 'For internal use: some figures would help an intruder.' ELSE 'Without figures about records, and without what helps an intruder.' END,
		sdc_private.version() || CASE WHEN found ->> 'whom' = 'records' THEN '. Each record is taken for a person: it says too little if somebody has several' ELSE '' END)
		|| sdc_private.report_verdict(subject, found -> 'people', (found ->> 'whom')::text, inside);
	FOR part IN SELECT * FROM (VALUES
		(2, 'done', 'all', 'What was done', ''),
		(2, '', 'measured', 'Risk', 'By the three questions of the European guidance on anonymisation (Article 29 Working Party, Opinion 05/2014).'),
		(3, 'singling', 'measured', 'Singling out', 'Can a person be told apart?'),
		(3, 'choices', 'inside', 'Choices that attacks leave', 'The best attack on a person leaves so many equally good records, one of which is right. An intruder does not know for whom all are wrong.'),
		(3, 'linking', 'measured', 'Linkability', 'Can a record be linked to what is known of a person from elsewhere?'),
		(3, 'known', 'inside', 'By number of known columns', ''),
		(3, 'learned', 'measured', 'Inference', 'Can a value be guessed? Some values can be guessed even for people who are not in the data. Only the excess over that share is a disclosure.'),
		(3, 'intervals', 'inside', 'Values near the original', ''),
		(3, 'history', 'runs', 'Releases over time', 'Each run of the policy, and what the releases tell that were published.'),
		(2, 'map', 'inside', 'Risk and loss', 'All releases of the same source that have both and have not changed since. Less of each is better: below and to the left.'),
		(2, '', 'all', 'Accuracy', ''),
		(3, 'margins', 'all', 'Values and margins', 'ks and hellinger: how far the distribution is from the original one; 0 is not at all, 1 is as far as can be.'),
		(3, 'pairs', 'inside', 'Pairs of columns', 'Some records: the pairs with the strongest correlations, and those whose correlation changed most.'),
		(3, 'correlations', 'all', 'Correlations', ''),
		(3, 'regression', 'inside', 'Regression', 'The column that has most in common with others, by up to five of these.'),
		(3, 'counts', 'all', 'Counts', ''),
		(3, 'workload', 'workload', 'Queries', 'The conditions that the policy asks for. True counts are for internal use: beside published ones their errors tell them.'),
		(3, 'associations', 'all', 'Associations', '')) AS t (level, name, who, heading, note)
		WHERE t.who = 'all' OR t.who = 'measured' AND report.release IS NOT NULL OR inside AND (t.who = 'inside' OR found ->> t.who IS NOT NULL)
	LOOP
		page := page || format(E'<h%1$s>%2$s</h%1$s>\n', part.level, part.heading)
			|| CASE part.note WHEN '' THEN '' ELSE format(E'<p class="note">%s</p>\n', part.note) END
			|| CASE part.name WHEN '' THEN '' ELSE sdc_private.report_part(report.release, part.name::text, found, inside) END;
	END LOOP;
	RETURN page || sdc_private.report_words(inside) || E'</main>\n</body>\n</html>';
END
$report$;
COMMENT ON FUNCTION sdc_private.report(regclass, text, bigint) IS
	'the body of sdc_report';

CREATE FUNCTION sdc_report(release regclass DEFAULT NULL, audience text DEFAULT 'internal', run bigint DEFAULT NULL)
RETURNS text
AS 'MODULE_PATHNAME', 'sdc_report_page' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000;
COMMENT ON FUNCTION sdc_report(regclass, text, bigint) IS
	'a page in HTML about a release, a publication, or the release of a run: verdict, methods, risk and accuracy (needs release or run)';

CREATE FUNCTION sdc_private.ru_map_svg(source regclass)
RETURNS text
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 1000000
SET search_path = pg_catalog, pg_temp
AS $svg$
DECLARE
	map text;
BEGIN
	IF $1 IS NULL THEN
		RAISE EXCEPTION 'argument "source" must not be null' USING ERRCODE = 'null_value_not_allowed';
	END IF;
	map := sdc_private.report_ru($1, NULL::regclass);
	IF map IS NULL THEN
		RAISE EXCEPTION 'relation "%" has no release with risk and loss', $1
			USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'The view sdc_scores has what there is, and why a release has no score.';
	END IF;
	RETURN replace(map, '<title id="ru-t">', E'<style>svg { color: #1b1b1b; background: #ffffff } .s1 { fill: #0b5fa5 } .s2 { fill: #9a3f00 }'
		' .grid { stroke: #767676; stroke-width: 0.5 } .ring { fill: none; stroke: #1b1b1b }</style>\n<title id="ru-t">');
END
$svg$;
COMMENT ON FUNCTION sdc_private.ru_map_svg(regclass) IS
	'the body of sdc_ru_map_svg';

CREATE FUNCTION sdc_ru_map_svg(source regclass)
RETURNS text
AS 'MODULE_PATHNAME', 'sdc_enter' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000;
COMMENT ON FUNCTION sdc_ru_map_svg(regclass) IS
	'the R-U map of the releases of a relation, as a picture in SVG (needs source)';
