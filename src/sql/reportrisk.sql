----------------------------------------------------------------------
-- Report: risk
----------------------------------------------------------------------

-- Circles and, in another colour and form, squares on the frontier.  A release in `chosen` has its name beside it.
CREATE FUNCTION sdc_private.report_ru(source regclass, chosen regclass)
RETURNS text
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 1000000
SET search_path = pg_catalog, pg_temp
AS $ru$
#variable_conflict use_column
DECLARE
	map CONSTANT jsonb := (SELECT jsonb_agg(jsonb_build_object('name', sdc_private.report_text(m.release::text), 'risk', m.people_found, 'loss', least(m.loss, 1e300::numeric),
			'frontier', m.on_frontier, 'chosen', m.release = $2) ORDER BY m.people_found, m.loss, m.release::text COLLATE "C")
		FROM sdc_private.sdc_ru_map AS m WHERE m.source = $1 AND m.problem IS NULL);
	across CONSTANT float8[] := (SELECT sdc_private.report_ticks(max((p ->> 'loss')::float8), false) FROM jsonb_array_elements(map) AS p);
	upwards CONSTANT float8[] := (SELECT sdc_private.report_ticks(max((p ->> 'risk')::float8), false) FROM jsonb_array_elements(map) AS p);
BEGIN
	RETURN (WITH point AS (SELECT p ->> 'name' AS name, p ->> 'risk' AS risk, p ->> 'loss' AS loss, COALESCE((p ->> 'frontier')::boolean, false) AS frontier,
			COALESCE((p ->> 'chosen')::boolean, false) AS chosen, n,
			round((60 + 560 * ((p ->> 'loss')::float8 / across[cardinality(across)]))::numeric, 1) AS x,
			round((280 - 260 * ((p ->> 'risk')::float8 / upwards[cardinality(upwards)]))::numeric, 1) AS y
		FROM jsonb_array_elements(map) WITH ORDINALITY AS u (p, n))
	SELECT sdc_private.report_figure('ru'::text, 'Risk and loss of the releases of '::text || sdc_private.report_text($1::text),
		string_agg(format('%s: %s percent of people found, loss %s%s', name, risk, loss, CASE WHEN frontier THEN ', on the frontier' ELSE '' END), '; ' ORDER BY n),
		640, 340 + 18 * count(*)::int, sdc_private.report_axes('information loss (squares: on the frontier)'::text, across, 'people found, percent'::text, upwards) || E'\n'
		|| string_agg(CASE WHEN frontier THEN format('<rect x="%s" y="%s" width="10" height="10" class="s2"><title>%s</title></rect>', x - 5, y - 5, name)
			ELSE format('<circle cx="%s" cy="%s" r="5" class="s1"><title>%s</title></circle>', x, y, name) END
			|| CASE WHEN chosen THEN format('<circle cx="%s" cy="%s" r="10" class="ring"/>', x, y) ELSE '' END
			|| format('<text x="%s" y="%s" text-anchor="%s">%s</text>', CASE WHEN x > 400 THEN x - 14 ELSE x + 14 END, y + 4, CASE WHEN x > 400 THEN 'end' ELSE 'start' END,
				n || CASE WHEN chosen THEN ': this release' ELSE '' END)
			|| format('<text x="60" y="%s">%s: %s</text>', 326 + 18 * n, n, name), E'\n' ORDER BY n))
	FROM point HAVING count(*) > 0);
END
$ru$;
COMMENT ON FUNCTION sdc_private.report_ru(regclass, regclass) IS
	'the R-U map of sdc_report and sdc_ru_map_svg';

-- People who can be told apart: those with one candidate, and the groups of the quasi-identifiers.
CREATE FUNCTION sdc_private.report_singling(release regclass, people jsonb, inside boolean)
RETURNS text
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 1000000
SET search_path = pg_catalog, pg_temp
AS $singling$
DECLARE
	qi CONSTANT name[] := (SELECT r.qi FROM sdc_private.releases() AS r WHERE r.release = $1 AND r.method IN ('generalize', 'permute', 'suppress'));
	-- what names the units can have been left out: then records are counted
	unit CONSTANT name[] := (SELECT r.unit FROM sdc_private.releases() AS r WHERE r.release = $1 AND NOT EXISTS (SELECT FROM unnest(r.unit) AS u (name)
		WHERE NOT EXISTS (SELECT FROM pg_attribute AS a WHERE a.attrelid = $1 AND a.attname = u.name AND NOT a.attisdropped)));
	whom CONSTANT text := CASE WHEN unit <> '{}' THEN 'people' ELSE 'records' END;
	page text := '';
BEGIN
	IF $3 THEN
		page := sdc_private.report_table('People who have one candidate in the release'::text, ARRAY['attack', 'one candidate', 'and it is right']::text[], (
			SELECT string_agg(sdc_private.report_row(sdc_private.report_text(p.key), ARRAY[p.value ->> 'single', p.value ->> 'certain']), E'\n' ORDER BY p.key COLLATE "C")
			FROM jsonb_each($2) AS p WHERE p.value ->> 'single' IS NOT NULL));
	END IF;
	IF qi <> '{}'::name[] THEN
		page := page || (SELECT format(E'<p>The released quasi-identifiers make %s groups; the smallest has %s %s%s.</p>\n', g.groups, g.k, whom,
			CASE WHEN $3 THEN format(', and %s %s are alone', g.unique_records, whom) ELSE '' END) FROM sdc_private.kanonymity($1, qi, COALESCE(unit, '{}')) AS g);
	END IF;
	page := page || COALESCE((SELECT sdc_private.report_table('What a group has on average of the values of a column, percent'::text,
			ARRAY['generalized column', 'percent']::text[], string_agg(sdc_private.report_row(sdc_private.report_name(s.attribute::text), ARRAY[s.percent::text]), E'\n' ORDER BY s.n))
		FROM sdc_private.group_spans($1) WITH ORDINALITY AS s (attribute, percent, n) HAVING count(*) > 0), '');
	RETURN COALESCE(NULLIF(page, ''), E'<p class="none">Left out: it is about records, and for internal use.</p>\n');
END
$singling$;
COMMENT ON FUNCTION sdc_private.report_singling(regclass, jsonb, boolean) IS
	'singling out, for sdc_report';

-- How many records there are to choose from for each person whom an attack links.
CREATE FUNCTION sdc_private.report_candidates(release regclass)
RETURNS bigint[]
AS 'MODULE_PATHNAME', 'sdc_private_report_candidates' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000;
COMMENT ON FUNCTION sdc_private.report_candidates(regclass) IS
	'people by the number of their candidates, for sdc_report';

CREATE FUNCTION sdc_private.report_choices(release regclass, whom text)
RETURNS text
LANGUAGE sql VOLATILE PARALLEL UNSAFE COST 1000000
SET search_path = pg_catalog, pg_temp
AS $choices$
	SELECT sdc_private.report_bars('choices'::text, format('Equally good records that the best attack leaves, percent of the %s', $2), array_agg(l.label ORDER BY l.n),
		array_agg(100::float8 * c.number / NULLIF(c.total, 0) ORDER BY l.n))
	FROM (SELECT u.number, u.n, sum(u.number) OVER () AS total FROM unnest(sdc_private.report_candidates($1)) WITH ORDINALITY AS u (number, n)) AS c
	JOIN unnest(ARRAY['1', '2', '3 to 5', '6 to 10', '11 to 100', 'more than 100', 'all are wrong']) WITH ORDINALITY AS l (label, n) USING (n)
$choices$;
COMMENT ON FUNCTION sdc_private.report_choices(regclass, text) IS
	'how many candidates people have, for sdc_report';

-- Records linked to what is known from elsewhere, by attack; what each of them does.  Those outside are not told which finds most.
CREATE FUNCTION sdc_private.report_linking(people jsonb, inside boolean)
RETURNS text
LANGUAGE plpgsql STABLE PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $linking$
BEGIN
	RETURN (WITH said (attack, n, label, meaning) AS (VALUES
			('any', 1, 'by any attack', 'by at least one of the attacks, each of which knows the method and all that was not withheld'),
			('best', 2, 'by the best attack', 'by that one attack which finds most'),
			('candidates', 3, 'candidates', 'guesses among all records that the person can have become, by what the method leaves of every known value'),
			('nearest', 4, 'nearest', 'takes the most likely of these records, and among equals the nearest'),
			('distance', 5, 'distance', 'takes the record whose known values are nearest, whatever the method'),
			('wide', 6, 'wide', 'takes the nearest record within windows of twice the width'),
			('narrow', 7, 'narrow', 'takes the nearest record within the windows of one night'),
			('agreement', 8, 'agreement', 'takes the record that agrees in the values that say most'),
			('chance', 9, 'by chance', 'picks a record blindly: what is found without the data')),
		rate AS (SELECT s.*, r.percent, r.low, r.high FROM said AS s, jsonb_to_record($1 -> s.attack) AS r (percent float8, low float8, high float8)
			WHERE r.percent IS NOT NULL AND ($2 OR s.attack IN ('any', 'chance')))
		SELECT sdc_private.report_bars('people'::text, 'People found, percent of all'::text, array_agg(label ORDER BY n), array_agg(percent ORDER BY n))
			|| sdc_private.report_table('What each finds'::text, ARRAY['attack', 'found, percent', 'interval', 'what it does']::text[],
				string_agg(format('<tr><th scope="row">%s</th><td class="n">%s</td><td class="n">%s</td><td>%s</td></tr>', label, sdc_private.report_number(percent),
					CASE WHEN high IS NULL THEN '&ndash;' ELSE format('%s to %s', sdc_private.report_number(low), sdc_private.report_number(high)) END, meaning), E'\n' ORDER BY n))
			|| CASE WHEN bool_and(high IS NULL) THEN E'<p class="note">Everybody was looked for: there is no interval.</p>\n'
				ELSE E'<p class="note">A sample was looked for: the interval has the true percentage with 95 percent.</p>\n' END
		FROM rate HAVING count(*) > 0);
END
$linking$;
COMMENT ON FUNCTION sdc_private.report_linking(jsonb, boolean) IS
	'people found, for sdc_report';

CREATE FUNCTION sdc_private.report_known(release regclass)
RETURNS text
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 1000000
SET search_path = pg_catalog, pg_temp
SET extra_float_digits = 1
AS $known$
DECLARE
	risk CONSTANT jsonb := (SELECT jsonb_agg(to_jsonb(k)) FROM sdc_private.disclosure_risk($1, NULL::name[], NULL::int, NULL::bigint, NULL::text, NULL::float8) AS k
		WHERE k.percent IS NOT NULL);
BEGIN
	RETURN (SELECT sdc_private.report_lines('known'::text, 'People linked by protected columns, by number of known columns'::text, 'columns known, in the order of the table'::text,
			sdc_private.report_ticks((SELECT max((k ->> 'known')::float8) FROM jsonb_array_elements(risk) AS k), true), 'people linked, percent'::text,
			jsonb_agg(l.line ORDER BY l.line ->> 'name' COLLATE "C"))
		FROM (SELECT jsonb_build_object('name', 'attack ' || sdc_private.report_text(k ->> 'attack'), 'points', jsonb_agg(jsonb_build_array(k -> 'known', k -> 'percent') ORDER BY (k ->> 'known')::int))
			FROM jsonb_array_elements(risk) AS k GROUP BY k ->> 'attack') AS l (line) HAVING count(*) > 0);
END
$known$;
COMMENT ON FUNCTION sdc_private.report_known(regclass) IS
	'people linked by number of known columns, for sdc_report';

-- Values learned of each sensitive column.
CREATE FUNCTION sdc_private.report_learned(release regclass, inside boolean)
RETURNS text
LANGUAGE plpgsql STABLE PARALLEL UNSAFE COST 1000000
SET search_path = pg_catalog, pg_temp
AS $learned$
DECLARE
	learned name;
	page text := '';
BEGIN
	FOR learned IN SELECT a.attribute FROM sdc_private.sdc_attributes AS a JOIN sdc_private.releases() AS r ON a.relation = r.source
		WHERE r.release = $1 AND a.role = 'sensitive' AND a.attribute <> ALL (r.omitted) ORDER BY a.attribute COLLATE "C"
	LOOP
		BEGIN
			page := page || (SELECT sdc_private.report_row(sdc_private.report_name(learned::text), ARRAY[sdc_private.report_number(v.found_percent), sdc_private.report_number(v.found_without_percent),
				sdc_private.report_number(v.baseline_percent)] || CASE WHEN $2 THEN ARRAY[v.disclosed::text] ELSE '{}' END)
				FROM sdc_private.attribute_risk($1, NULL::name[], ARRAY[learned]::name[], 1::float8) AS v);
		EXCEPTION WHEN OTHERS THEN
			IF NOT sdc_private.leaves_out(SQLSTATE) THEN
				RAISE;
			END IF;
			page := page || format('<tr><th scope="row">%s</th><td colspan="4">is not defined for this column</td></tr>', sdc_private.report_name(learned::text));
		END;
	END LOOP;
	IF page = '' THEN
		RETURN E'<p class="none">Left out: no released column is classified as sensitive.</p>\n';
	END IF;
	RETURN sdc_private.report_table('Values guessed right, percent of all people'::text, ARRAY['sensitive column', 'with the release', 'if a person takes no part', 'blindly']::text[]
		|| CASE WHEN $2 THEN ARRAY['people whose value is certain'] ELSE '{}'::text[] END, page);
END
$learned$;
COMMENT ON FUNCTION sdc_private.report_learned(regclass, boolean) IS
	'values learned of sensitive columns, for sdc_report';

-- How often the released value tells where the original one lies.  In a column where one value has a tenth of the records everything is near.
CREATE FUNCTION sdc_private.report_intervals(release regclass, pictures jsonb)
RETURNS text
LANGUAGE sql STABLE PARALLEL UNSAFE COST 1000000
SET search_path = pg_catalog, pg_temp
AS $intervals$
	WITH near AS (SELECT i.attribute, i.percent, COALESCE(c.most, 0) < 0.1 AS told FROM sdc_private.interval_disclosure($1) AS i
		LEFT JOIN (SELECT (m ->> 'x')::name AS attribute, (m #>> '{number,1}')::float8 AS most FROM jsonb_array_elements($2 -> 'column') AS m) AS c USING (attribute)),
	shown AS (SELECT n.*, row_number() OVER (ORDER BY n.percent DESC, n.attribute COLLATE "C") AS rank FROM near AS n WHERE n.told)
	SELECT COALESCE((SELECT sdc_private.report_bars('intervals'::text, 'Originals near the released value (up to 1 to 10 percent of the ranks), percent'::text,
				array_agg(attribute::text ORDER BY rank) FILTER (WHERE rank <= 20), array_agg(percent ORDER BY rank) FILTER (WHERE rank <= 20))
			|| CASE WHEN count(*) > 20 THEN format(E'<p class="note">Of %s other columns at most %s percent.</p>\n', count(*) - 20,
				sdc_private.report_number(max(percent) FILTER (WHERE rank > 20))) ELSE '' END FROM shown), '')
		|| COALESCE((SELECT E'<p class="note">Left out, as one value has a tenth of the records or more, and nearness says nothing: '
			|| string_agg(sdc_private.report_name(attribute::text), ', ' ORDER BY attribute COLLATE "C") || E'.</p>\n' FROM near WHERE NOT told), '')
$intervals$;
COMMENT ON FUNCTION sdc_private.report_intervals(regclass, jsonb) IS
	'interval disclosure, for sdc_report';

-- What a policy has published so far, and what its releases tell together: `runs` are those of its log that measured something.
CREATE FUNCTION sdc_private.report_history(runs jsonb)
RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
SET extra_float_digits = 1
AS $history$
	WITH run AS (SELECT r.*, row_number() OVER (ORDER BY r.run) AS n FROM jsonb_to_recordset($1) AS r (run bigint, day text, status text, records bigint, people_found float8, bound float8,
			composed float8, exposed float8, il float8)),
	line AS (SELECT 1 AS n, 'people found' AS name, jsonb_agg(jsonb_build_array(n, people_found) ORDER BY n) AS points FROM run WHERE people_found IS NOT NULL
		UNION ALL SELECT 2, 'limit', jsonb_agg(jsonb_build_array(n, bound) ORDER BY n) FROM run WHERE bound IS NOT NULL
		UNION ALL SELECT 3, 'found by all releases together', jsonb_agg(jsonb_build_array(n, composed) ORDER BY n) FROM run WHERE composed IS NOT NULL)
	SELECT COALESCE((SELECT sdc_private.report_lines('history'::text, 'People found, run by run'::text, 'runs, in their order'::text,
			sdc_private.report_ticks((SELECT max(n)::float8 FROM run), true), 'people, percent'::text, jsonb_agg(jsonb_build_object('name', name, 'points', points) ORDER BY n))
			FROM line WHERE jsonb_array_length(points) > 1 HAVING count(*) > 0), '')
		|| sdc_private.report_table('Runs'::text, ARRAY['run', 'date', 'status', 'records', 'found, percent', 'by all releases together, percent', 'cells told exactly, percent', 'information loss']::text[],
			string_agg(format('<tr><th scope="row">%s</th><td>%s</td><td>%s</td><td class="n">%s</td><td class="n">%s</td><td class="n">%s</td><td class="n">%s</td><td class="n">%s</td></tr>',
				run, day, sdc_private.report_text(status), COALESCE(records::text, '&ndash;'), sdc_private.report_number(people_found), sdc_private.report_number(composed),
				sdc_private.report_number(exposed), sdc_private.report_number(il)), E'\n' ORDER BY run))
	FROM run HAVING count(*) > 0
$history$;
COMMENT ON FUNCTION sdc_private.report_history(jsonb) IS
	'the runs of a policy, for sdc_report';
