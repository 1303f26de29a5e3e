----------------------------------------------------------------------
-- Report
----------------------------------------------------------------------

-- A function for every part of the page.  All that is text of somebody's (names, methods, problems) goes through
-- sdc_private.report_text.
CREATE FUNCTION sdc_private.correlations(release regclass)
RETURNS TABLE (x name, y name, original float8, protected float8)
AS 'MODULE_PATHNAME', 'sdc_private_correlations' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 100;
COMMENT ON FUNCTION sdc_private.correlations(regclass) IS
	'correlations of the numeric columns of a source and its release, for sdc_report';

CREATE FUNCTION sdc_private.report_text(value text)
RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $text$
	SELECT replace(replace(replace(replace(replace(regexp_replace($1, '[[:cntrl:]]', ' ', 'g'),
		'&', '&amp;'), '<', '&lt;'), '>', '&gt;'), '"', '&quot;'), '''', '&#39;')
$text$;
COMMENT ON FUNCTION sdc_private.report_text(text) IS
	'text as HTML shows it';

-- Three significant digits; NULL and NaN are a dash.
CREATE FUNCTION sdc_private.report_number(value float8)
RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $number$
	SELECT CASE WHEN $1 IS NULL OR $1 = 'NaN'::float8 THEN '&ndash;'
		WHEN abs($1) = 'Infinity'::float8 THEN CASE WHEN $1 < 0 THEN '-' ELSE '' END || '&infin;'
		WHEN $1 = 0 THEN '0'
		WHEN abs($1) >= 1e15 OR abs($1) < 1e-4 THEN trim(to_char($1, '9.99EEEE'))
		ELSE (SELECT CASE WHEN strpos(r, '.') > 0 THEN rtrim(rtrim(r, '0'), '.') ELSE r END
			FROM (SELECT round($1::numeric, greatest(0, 2 - floor(log(abs($1)))::int))::text) AS t (r)) END
$number$;
COMMENT ON FUNCTION sdc_private.report_number(float8) IS
	'a number as sdc_report writes it';

-- `rows` is HTML already.
CREATE FUNCTION sdc_private.report_table(caption text, head text[], rows text)
RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $table$
	SELECT CASE WHEN $3 IS NULL THEN '' ELSE format(E'<div class="wide"><table><caption>%s</caption><thead><tr>%s</tr></thead><tbody>\n%s\n</tbody></table></div>\n',
		$1, (SELECT string_agg(format('<th scope="col">%s</th>', h), '' ORDER BY n) FROM unnest($2) WITH ORDINALITY AS u (h, n)), $3) END
$table$;
COMMENT ON FUNCTION sdc_private.report_table(text, text[], text) IS
	'a table of sdc_report';

-- `body` is SVG already, `mark` is unique in the page.
CREATE FUNCTION sdc_private.report_figure(mark text, title text, description text, across int, down int, body text)
RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $figure$
	SELECT format(E'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %4$s %5$s" width="%4$s" height="%5$s" role="img" aria-labelledby="%1$s-t %1$s-d"'
		' font-family="sans-serif" font-size="12" fill="currentColor">\n<title id="%1$s-t">%2$s</title>\n<desc id="%1$s-d">%3$s</desc>\n%6$s\n</svg>\n',
		$1, $2, $3, $4, $5, $6)
$figure$;
COMMENT ON FUNCTION sdc_private.report_figure(text, text, text, int, int, text) IS
	'a picture of sdc_report, with a text in its place';

-- Horizontal bars of percentages.  What is long is cut in the picture, and whole in its description.
CREATE FUNCTION sdc_private.report_bars(mark text, title text, names text[], percents float8[])
RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $bars$
	SELECT sdc_private.report_figure($1, $2, string_agg(format('%s: %s percent', sdc_private.report_text(b.name), b.shown), '; ' ORDER BY b.n),
		640, 12 + 26 * count(*)::int, string_agg(format('<text x="170" y="%s" text-anchor="end">%s</text><rect x="180" y="%s" width="%s" height="16" class="s1"/>'
			'<text x="%s" y="%s">%s %%</text>', b.n * 26 - 3,
			sdc_private.report_text(CASE WHEN length(b.name) > 20 THEN left(b.name, 17) || '...' ELSE b.name END), b.n * 26 - 15, b.wide, 186 + b.wide, b.n * 26 - 3, b.shown), E'\n' ORDER BY b.n))
	FROM (SELECT u.n, u.name, sdc_private.report_number(u.percent) AS shown, round(greatest(0.5, 3.9 * u.percent)::numeric, 1) AS wide
		FROM unnest($3, $4) WITH ORDINALITY AS u (name, percent, n) WHERE u.percent BETWEEN 0 AND 100) AS b
	HAVING count(*) > 0
$bars$;
COMMENT ON FUNCTION sdc_private.report_bars(text, text, text[], float8[]) IS
	'bars of percentages of sdc_report';

-- The frame of a plot of 640 x 340: the plane is x 60 to 620, y 20 to 280; ends are those of the axes.
CREATE FUNCTION sdc_private.report_axes(x_title text, x_end float8, y_title text, y_end float8)
RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $axes$
	SELECT string_agg(format('<line x1="60" x2="620" y1="%1$s" y2="%1$s" class="grid"/><text x="52" y="%2$s" text-anchor="end">%3$s</text>'
			'<text x="%4$s" y="298" text-anchor="middle">%5$s</text>', 280 - 65 * i, 284 - 65 * i,
			sdc_private.report_number(($4 * i / 4)::float8), 60 + 140 * i, sdc_private.report_number(($2 * i / 4)::float8)), E'\n' ORDER BY i)
		|| format(E'\n<text x="340" y="316" text-anchor="middle">%s</text><text x="60" y="12">%s</text>', $1, $3)
	FROM generate_series(0, 4) AS i
$axes$;
COMMENT ON FUNCTION sdc_private.report_axes(text, float8, text, float8) IS
	'the axes of a plot of sdc_report';

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
	farthest CONSTANT float8 := (SELECT 4 * ceil(greatest(max((p ->> 'loss')::float8), 4::float8) / 4) FROM jsonb_array_elements(map) AS p);
BEGIN
	RETURN (WITH point AS (SELECT p ->> 'name' AS name, p ->> 'risk' AS risk, p ->> 'loss' AS loss, COALESCE((p ->> 'frontier')::boolean, false) AS frontier,
			COALESCE((p ->> 'chosen')::boolean, false) AS chosen, n,
			round((60 + 560 * (p ->> 'loss')::float8 / farthest)::numeric, 1) AS x, round((280 - 2.6 * (p ->> 'risk')::float8)::numeric, 1) AS y
		FROM jsonb_array_elements(map) WITH ORDINALITY AS u (p, n))
	SELECT sdc_private.report_figure('ru'::text, 'Risk and loss of the releases of '::text || sdc_private.report_text($1::text),
		string_agg(format('%s: %s percent of people found, loss %s%s', name, risk, loss, CASE WHEN frontier THEN ', on the frontier' ELSE '' END), '; ' ORDER BY n),
		640, 340 + 18 * count(*)::int, sdc_private.report_axes('information loss (squares: on the frontier)'::text, farthest, 'people found, percent'::text, 100::float8) || E'\n'
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

-- What was done.  Parameters are those of this list, so that nothing that somebody registered gets out; those that say how
-- far values move, and where records lie, are for inside.
CREATE FUNCTION sdc_private.report_done(release regclass, inside boolean)
RETURNS text
LANGUAGE plpgsql STABLE PARALLEL UNSAFE COST 10000
SET search_path = pg_catalog, pg_temp
AS $done$
DECLARE
	shown CONSTANT text[] := ARRAY['sensitive', 'probabilities', 'draws', 'k', 'l', 'grouping_method']
		|| CASE WHEN $2 THEN ARRAY['p', 'buckets', 'depth', 'intervals', 'widths', 'complement', 'complement_columns', 'force'] ELSE '{}'::text[] END;
	ours CONSTANT text[] := ARRAY(SELECT m.method FROM sdc_private.methods() AS m);
	made record;
	page text;
BEGIN
	SELECT r.* INTO made FROM sdc_private.releases() AS r WHERE r.release = $1;
	page := sdc_private.report_table('Steps'::text, ARRAY['step', 'method', 'parameters', 'columns']::text[], (
		SELECT string_agg(format('<tr><td>%s</td><th scope="row">%s</th><td>%s</td><td>%s</td></tr>', s.n,
			CASE WHEN $2 OR s.step ->> 'method' = ANY (ours) THEN sdc_private.report_text((s.step ->> 'method')::text) ELSE 'by another tool' END,
			COALESCE((SELECT string_agg(sdc_private.report_text(format('%s = %s', p.key, CASE WHEN $2 OR p.key <> 'probabilities' THEN p.value
					ELSE COALESCE(to_jsonb(sdc_private.accuracy_drawn($1, s.n::int))::text, 'withheld') END)), '<br>' ORDER BY p.key COLLATE "C")
				FROM jsonb_each_text(s.step) AS p WHERE p.key = ANY (shown)), '&ndash;'),
			COALESCE((SELECT string_agg('<bdi>' || sdc_private.report_text(c.name::text) || '</bdi>', ', ' ORDER BY c.n)
				FROM jsonb_array_elements_text(CASE WHEN jsonb_typeof(s.step -> 'columns') = 'array' THEN s.step -> 'columns'
					WHEN made.method = 'protect' THEN s.step -> 'qi' ELSE to_jsonb(made.columns) END) WITH ORDINALITY AS c (name, n)), '&ndash;')),
			E'\n' ORDER BY s.n)
		FROM jsonb_array_elements(CASE WHEN jsonb_typeof(made.parameters -> 'steps') = 'array' THEN made.parameters -> 'steps'
			ELSE jsonb_build_array(made.parameters || jsonb_build_object('method', made.method)) END) WITH ORDINALITY AS s (step, n)
		WHERE jsonb_typeof(s.step) = 'object'));
	page := page || sdc_private.report_table('Columns'::text, ARRAY['column', 'what happened to it', 'role']::text[], (
		SELECT string_agg(format('<tr><th scope="row"><bdi>%s</bdi></th><td>%s</td><td>%s</td></tr>', sdc_private.report_text(c.name::text),
			c.action, sdc_private.report_text(COALESCE(a.role, '')::text)), E'\n' ORDER BY c.place, c.name COLLATE "C")
		FROM (SELECT t.attname AS name, t.attnum::int AS place, CASE WHEN t.attname = ANY (made.columns) THEN 'protected'
				WHEN t.attname = ANY (made.key) THEN 'key' WHEN t.attname = ANY (made.strata) THEN 'copied; values change places within it'
				WHEN o.attname IS NULL THEN 'added' ELSE 'copied' END AS action
			FROM pg_attribute AS t LEFT JOIN pg_attribute AS o ON o.attrelid = made.source AND o.attname = t.attname AND NOT o.attisdropped AND o.attnum > 0
			WHERE t.attrelid = $1 AND t.attnum > 0 AND NOT t.attisdropped
			UNION ALL SELECT o.name, 10000, 'left out' FROM unnest(made.omitted) AS o (name)) AS c
		LEFT JOIN sdc_private.sdc_attributes AS a ON a.relation = made.source AND a.attribute = c.name
		WHERE $2 OR c.action NOT IN ('key', 'left out', 'added')));
	RETURN format(E'<p>%s records.%s</p>\n', made.records, CASE WHEN $2 THEN format(' Made from <bdi>%s</bdi> by <bdi>%s</bdi> on %s%s.',
			sdc_private.report_text(made.source::text), sdc_private.report_text(made.created_by::text),
			to_char(made.created_at, 'YYYY-MM-DD'), CASE WHEN made.seeded THEN ', with a seed, which is stored nowhere' ELSE '' END) ELSE '' END) || page;
END
$done$;
COMMENT ON FUNCTION sdc_private.report_done(regclass, boolean) IS
	'what was done, for sdc_report';

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
			SELECT string_agg(format('<tr><th scope="row">%s</th><td class="n">%s</td><td class="n">%s</td></tr>', sdc_private.report_text(p.key),
				p.value ->> 'single', COALESCE(p.value ->> 'certain', '&ndash;')), E'\n' ORDER BY p.key COLLATE "C")
			FROM jsonb_each($2) AS p WHERE p.value ->> 'single' IS NOT NULL));
	END IF;
	IF qi <> '{}'::name[] THEN
		page := page || (SELECT format(E'<p>The released quasi-identifiers make %s groups; the smallest has %s %s%s.</p>\n', g.groups, g.k, whom,
			CASE WHEN $3 THEN format(', and %s %s are alone', g.unique_records, whom) ELSE '' END) FROM sdc_private.kanonymity($1, qi, COALESCE(unit, '{}')) AS g);
	END IF;
	page := page || COALESCE((SELECT sdc_private.report_table('What a group has on average of the values of a column, percent'::text,
			ARRAY['generalized column', 'percent']::text[], string_agg(format('<tr><th scope="row"><bdi>%s</bdi></th><td class="n">%s</td></tr>',
			sdc_private.report_text(s.attribute::text), s.percent), E'\n' ORDER BY s.n))
		FROM sdc_private.group_spans($1) WITH ORDINALITY AS s (attribute, percent, n) HAVING count(*) > 0), '');
	RETURN COALESCE(NULLIF(page, ''), E'<p class="none">Left out: it is about records, and for internal use.</p>\n');
END
$singling$;
COMMENT ON FUNCTION sdc_private.report_singling(regclass, jsonb, boolean) IS
	'singling out, for sdc_report';

-- Records linked to what is known from elsewhere: by attack, and by the number of known columns.
CREATE FUNCTION sdc_private.report_linking(people jsonb, inside boolean)
RETURNS text
LANGUAGE plpgsql STABLE PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $linking$
BEGIN
	RETURN (SELECT sdc_private.report_bars('people'::text, 'People found, percent of all'::text, array_agg(b.label ORDER BY b.n), array_agg(b.percent ORDER BY b.n))
		FROM (SELECT CASE p.key WHEN 'any' THEN 'by any attack' WHEN 'best' THEN 'by the best attack' WHEN 'chance' THEN 'by chance'
					ELSE p.key END AS label, (p.value ->> 'percent')::float8 AS percent,
				row_number() OVER (ORDER BY p.key <> 'any', p.key = 'chance', p.key <> 'best', p.key COLLATE "C") AS n
			FROM jsonb_each($1) AS p WHERE p.value ->> 'percent' IS NOT NULL AND ($2 OR p.key IN ('any', 'chance'))) AS b);
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
	last CONSTANT float8 := (SELECT 4 * ceil(max((k ->> 'known')::float8) / 4) FROM jsonb_array_elements(risk) AS k);
BEGIN
	RETURN (WITH line AS (SELECT attack, row_number() OVER (ORDER BY attack COLLATE "C") AS n,
			string_agg(format('%s,%s', round((60 + 560 * (k ->> 'known')::float8 / last)::numeric, 1), round((280 - 2.6 * (k ->> 'percent')::float8)::numeric, 1)),
				' ' ORDER BY (k ->> 'known')::int) AS points,
			string_agg(format('%s known: %s percent', k ->> 'known', sdc_private.report_number((k ->> 'percent')::float8)), ', ' ORDER BY (k ->> 'known')::int) AS told
		FROM (SELECT j.k, j.k ->> 'attack' AS attack FROM jsonb_array_elements(risk) AS j (k)) AS each GROUP BY attack)
	SELECT sdc_private.report_figure('known'::text, 'People linked by protected columns, by number of known columns'::text,
		string_agg(format('attack %s: %s', sdc_private.report_text(attack), told), '; ' ORDER BY n), 640, 340 + 18 * count(*)::int,
		sdc_private.report_axes('columns known, in the order of the table'::text, last, 'people linked, percent'::text, 100::float8) || E'\n'
		|| string_agg(format('<polyline points="%1$s" class="l%2$s"/><line x1="60" x2="100" y1="%3$s" y2="%3$s" class="l%2$s"/><text x="108" y="%4$s">%5$s</text>',
			points, 1 + (n - 1) % 3, 336 + 18 * (n - 1), 340 + 18 * (n - 1), sdc_private.report_text(attack)), E'\n' ORDER BY n))
	FROM line HAVING count(*) > 0);
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
			page := page || (SELECT format('<tr><th scope="row"><bdi>%s</bdi></th><td class="n">%s</td><td class="n">%s</td><td class="n">%s</td>%s</tr>',
				sdc_private.report_text(learned::text), sdc_private.report_number(v.found_percent), sdc_private.report_number(v.found_without_percent),
				sdc_private.report_number(v.baseline_percent), CASE WHEN $2 THEN format('<td class="n">%s</td>', v.disclosed) ELSE '' END)
				FROM sdc_private.attribute_risk($1, NULL::name[], ARRAY[learned]::name[], 1::float8) AS v);
		EXCEPTION WHEN feature_not_supported OR object_not_in_prerequisite_state OR undefined_column OR datatype_mismatch THEN
			page := page || format('<tr><th scope="row"><bdi>%s</bdi></th><td colspan="4">is not defined for this column</td></tr>', sdc_private.report_text(learned::text));
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

-- How often the released value tells where the original one lies.
CREATE FUNCTION sdc_private.report_intervals(release regclass)
RETURNS text
LANGUAGE sql STABLE PARALLEL UNSAFE COST 1000000
SET search_path = pg_catalog, pg_temp
AS $intervals$
	SELECT sdc_private.report_bars('intervals'::text, 'Originals near the released value (up to 1 to 10 percent of the ranks), percent'::text,
		array_agg(i.attribute::text ORDER BY i.percent DESC, i.attribute COLLATE "C"), array_agg(i.percent ORDER BY i.percent DESC, i.attribute COLLATE "C"))
	FROM sdc_private.interval_disclosure($1) AS i
$intervals$;
COMMENT ON FUNCTION sdc_private.report_intervals(regclass) IS
	'interval disclosure, for sdc_report';

-- Mean and quantiles before and after, and how far the distributions are apart.
CREATE FUNCTION sdc_private.report_margins(release regclass)
RETURNS text
LANGUAGE plpgsql STABLE PARALLEL UNSAFE COST 1000000
SET search_path = pg_catalog, pg_temp
SET extra_float_digits = 1
AS $margins$
DECLARE
	statistics CONSTANT jsonb := (SELECT jsonb_agg(to_jsonb(s)) FROM sdc_private.statistic_errors($1) AS s);
	kept CONSTANT text[] := ARRAY['mean', 'sd', 'p05', 'p25', 'median', 'p75', 'p95', 'ks', 'hellinger'];
BEGIN
	RETURN (SELECT sdc_private.report_table('Values and margins (before &rarr; after, where they differ)'::text, 'column'::text || kept,
			string_agg(format('<tr><th scope="row"><bdi>%s</bdi></th>%s</tr>', sdc_private.report_text(l.attribute),
				(SELECT string_agg(format('<td class="n">%s</td>', CASE WHEN k.statistic IN ('ks', 'hellinger') THEN sdc_private.report_number(c.protected)
						ELSE sdc_private.report_number(c.original) || CASE WHEN c.original IS DISTINCT FROM c.protected
							THEN ' &rarr; ' || sdc_private.report_number(c.protected) ELSE '' END END), '' ORDER BY k.n)
					FROM unnest(kept) WITH ORDINALITY AS k (statistic, n),
						LATERAL (SELECT (l.of #>> ARRAY[k.statistic, 'original'])::float8, (l.of #>> ARRAY[k.statistic, 'protected'])::float8) AS c (original, protected))),
				E'\n' ORDER BY l.place))
		FROM (SELECT s ->> 'attribute', min(u.place), jsonb_object_agg(s ->> 'statistic', s)
			FROM jsonb_array_elements(statistics) WITH ORDINALITY AS u (s, place) WHERE s ->> 'statistic' = ANY (kept)
			GROUP BY s ->> 'attribute') AS l (attribute, place, of));
END
$margins$;
COMMENT ON FUNCTION sdc_private.report_margins(regclass) IS
	'values and margins, for sdc_report';

CREATE FUNCTION sdc_private.report_counts(release regclass)
RETURNS text
LANGUAGE sql STABLE PARALLEL UNSAFE COST 1000000
SET search_path = pg_catalog, pg_temp
AS $counts$
	SELECT sdc_private.report_table('Relative errors of random counts, percent'::text, ARRAY['columns in the condition', 'mean', 'median', '95 %']::text[],
		string_agg(format('<tr><th scope="row">%s</th><td class="n">%s</td><td class="n">%s</td><td class="n">%s</td></tr>', e.attributes,
			sdc_private.report_number((100 * e.mean_error)::float8), sdc_private.report_number((100 * e.median_error)::float8),
			sdc_private.report_number((100 * e.p95_error)::float8)), E'\n' ORDER BY e.attributes))
	FROM sdc_private.summary_counts($1) AS e
$counts$;
COMMENT ON FUNCTION sdc_private.report_counts(regclass) IS
	'errors of random counts, for sdc_report';

CREATE FUNCTION sdc_private.association_length(columns int)
RETURNS int
AS 'MODULE_PATHNAME', 'sdc_private_association_length' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION sdc_private.association_length(int) IS
	'how long associations of so many columns may be where nobody says it';

-- Of many columns only short ones, and how many columns that are.
CREATE FUNCTION sdc_private.report_associations(release regclass)
RETURNS text
LANGUAGE sql STABLE PARALLEL UNSAFE COST 1000000
SET search_path = pg_catalog, pg_temp
SET extra_float_digits = 1
AS $associations$
	SELECT sdc_private.report_table('Associations of the source that are kept, and those that are new'::text,
		ARRAY['columns', 'in the source', 'kept', 'kept, percent', 'new']::text[],
		string_agg(format('<tr><th scope="row">%s</th><td class="n">%s</td><td class="n">%s</td><td class="n">%s</td><td class="n">%s</td></tr>', COALESCE(a.length::text, 'all'),
			a.original, a.recovered, sdc_private.report_number(a.recall_percent), a.artificial), E'\n' ORDER BY a.length NULLS LAST))
		|| CASE WHEN l.most < l.columns THEN format(E'<p class="note">Left out: associations of more than %s of the %s columns.</p>\n', l.most, l.columns) ELSE '' END
	FROM (SELECT c.columns, sdc_private.association_length(c.columns)
		FROM (SELECT cardinality(COALESCE(NULLIF(r.qi, '{}'::name[]), r.columns)) FROM sdc_private.releases() AS r WHERE r.release = $1) AS c (columns)) AS l (columns, most)
	-- what is kept and still true, by the settings of now, need not be measured again
	CROSS JOIN (SELECT (SELECT e.measures #> '{association_recall,rows}' FROM sdc_private.evaluation($1) AS e (measures)
			WHERE (e.measures #>> '{association_recall,min_support}')::float8 = current_setting('sdc.association_min_support')::float8
				AND (e.measures #>> '{association_recall,min_confidence}')::float8 = current_setting('sdc.association_min_confidence')::float8)) AS k (kept)
	CROSS JOIN LATERAL jsonb_to_recordset(COALESCE(k.kept,
		(SELECT jsonb_agg(to_jsonb(m)) FROM sdc_private.association_recall($1, NULL::float8, NULL::float8, 'antecedent'::text, l.most, NULL::name[], NULL::name[]) AS m)))
		AS a (length int, original bigint, recovered bigint, recall_percent float8, artificial bigint)
	GROUP BY l.columns, l.most, k.kept
$associations$;
COMMENT ON FUNCTION sdc_private.report_associations(regclass) IS
	'associations kept, for sdc_report';

-- Correlations of columns, the ten that changed most.
CREATE FUNCTION sdc_private.report_correlations(release regclass)
RETURNS text
LANGUAGE sql STABLE PARALLEL UNSAFE COST 1000000
SET search_path = pg_catalog, pg_temp
AS $correlations$
	WITH pair AS MATERIALIZED (SELECT c.x, c.y, c.original, c.protected, abs(c.protected - c.original) AS change FROM sdc_private.correlations($1) AS c),
	most AS (SELECT * FROM pair ORDER BY change DESC, x COLLATE "C", y COLLATE "C" LIMIT 10)
	SELECT format(E'<p>The correlations of %s pairs of numeric columns differ by %s on average.</p>\n', count(*), sdc_private.report_number(avg(change)::float8))
		|| (SELECT sdc_private.report_table('Those that differ most'::text, ARRAY['column', 'column', 'before', 'after']::text[],
			string_agg(format('<tr><th scope="row"><bdi>%s</bdi></th><td><bdi>%s</bdi></td><td class="n">%s</td><td class="n">%s</td></tr>', sdc_private.report_text(x::text),
				sdc_private.report_text(y::text), round(original::numeric, 3), round(protected::numeric, 3)), E'\n' ORDER BY change DESC, x COLLATE "C", y COLLATE "C")) FROM most)
	FROM pair HAVING count(*) > 0
$correlations$;
COMMENT ON FUNCTION sdc_private.report_correlations(regclass) IS
	'correlations before and after, for sdc_report';

-- Outside accuracy is what stands in the table beside a publication: each figure with the row behind it, its rounding.
CREATE FUNCTION sdc_private.report_accuracy(accuracy jsonb, part text)
RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $accuracy$
	SELECT sdc_private.report_table('Differences from the source, rounded so that no person shows'::text, ARRAY['column', 'measure', 'value', 'rounded to']::text[],
		string_agg(format('<tr><th scope="row"><bdi>%s</bdi></th><td>%s</td><td class="n">%s</td><td class="n">%s</td></tr>', sdc_private.report_text(COALESCE(r.attribute, 'all')::text),
			sdc_private.report_text((CASE WHEN r.part = $2 THEN '' ELSE 'of units: ' END || r.measure)::text), CASE WHEN r.value IS NULL THEN 'withheld' ELSE sdc_private.report_number(r.value::float8) END,
			sdc_private.report_number(r.rounding::float8)), E'\n' ORDER BY r.n))
	FROM (SELECT f.n, f.part, f.attribute, f.measure, f.value, lead(f.value) OVER (ORDER BY f.n) AS rounding
		FROM ROWS FROM (jsonb_to_recordset($1) AS (part text, attribute text, measure text, value float8)) WITH ORDINALITY AS f (part, attribute, measure, value, n)) AS r
	WHERE r.part IN ($2, 'unit_' || $2) AND r.measure !~ '_rounding$'
$accuracy$;
COMMENT ON FUNCTION sdc_private.report_accuracy(jsonb, text) IS
	'accuracy for those who get the release, for sdc_report';

-- A part of the page: what it says, or why it says nothing.  Inside it is measured, but for the people that were found; outside
-- accuracy is found, too.
CREATE FUNCTION sdc_private.report_part(release regclass, part text, found jsonb, inside boolean)
RETURNS text
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 1000000
SET search_path = pg_catalog, pg_temp
AS $part$
DECLARE
	page text;
BEGIN
	page := CASE WHEN NOT $4 AND $2 IN ('margins', 'correlations', 'counts', 'associations') THEN sdc_private.report_accuracy($3, $2) ELSE CASE $2
		WHEN 'done' THEN sdc_private.report_done($1, $4)
		WHEN 'singling' THEN sdc_private.report_singling($1, $3, $4)
		WHEN 'linking' THEN sdc_private.report_linking($3, $4)
		WHEN 'known' THEN sdc_private.report_known($1)
		WHEN 'learned' THEN sdc_private.report_learned($1, $4)
		WHEN 'intervals' THEN sdc_private.report_intervals($1)
		WHEN 'map' THEN (SELECT sdc_private.report_ru(r.source, $1) FROM sdc_private.releases() AS r WHERE r.release = $1)
		WHEN 'margins' THEN sdc_private.report_margins($1)
		WHEN 'correlations' THEN sdc_private.report_correlations($1)
		WHEN 'counts' THEN sdc_private.report_counts($1)
		WHEN 'associations' THEN sdc_private.report_associations($1) END END;
	RETURN COALESCE(NULLIF(page, ''), E'<p class="none">Left out: there is nothing of that kind in this release.</p>\n');
EXCEPTION WHEN feature_not_supported OR object_not_in_prerequisite_state OR program_limit_exceeded OR datatype_mismatch OR undefined_column OR invalid_parameter_value THEN
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
body { font: 16px/1.5 sans-serif; color: var(--ink); background: var(--paper); max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
h1, h2, h3 { line-height: 1.2 } h2 { border-bottom: 1px solid var(--rule); margin-top: 2.5rem }
table { border-collapse: collapse; margin: 1rem 0 } caption { text-align: left; font-weight: bold } .wide { overflow-x: auto }
th, td { border-bottom: 1px solid var(--rule); padding: 0.2rem 0.7rem; text-align: left; vertical-align: top } .n { text-align: right; white-space: nowrap }
.none, .note { color: var(--soft) } .head { font-size: 1.5rem } svg { max-width: 100%; height: auto; color: var(--ink) }
.s1 { fill: var(--one) } .s2 { fill: var(--two) } .grid { stroke: var(--rule); stroke-width: 0.5 } .ring { fill: none; stroke: var(--ink) }
.l1, .l2, .l3 { fill: none; stroke-width: 2.5 } .l1 { stroke: var(--one) } .l2 { stroke: var(--two); stroke-dasharray: 8 4 } .l3 { stroke: var(--three); stroke-dasharray: 2 3 }
@media print { body { max-width: none; margin: 0; font-size: 10pt } svg, tr { break-inside: avoid } h2, h3, caption { break-after: avoid } .wide { overflow: visible } }$css$
$style$;
COMMENT ON FUNCTION sdc_private.report_style() IS
	'the style of sdc_report';

-- The headings of risk are those of Opinion 05/2014 of the Article 29 Working Party.
-- What a run was held to, and what came of it: the last run that made the release.  A row of the log is of no use to whom it hides.
CREATE FUNCTION sdc_private.report_verdict(release regclass, inside boolean)
RETURNS text
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 10000
SET search_path = pg_catalog, pg_temp
SET quote_all_identifiers = off
AS $verdict$
DECLARE
	ran record;
BEGIN
	SELECT r.* INTO ran FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace,
		-- the name of a release of a run ends with its number
		LATERAL sdc_private.run_rows(NULL, substring(c.relname FROM '_run_([0-9]{1,18})$')::bigint) AS r
		WHERE c.oid = $1 AND c.relname ~ '_run_[0-9]{1,18}$' AND r.release = format('%I.%I', n.nspname, c.relname) AND r.policy IS NOT NULL;
	IF NOT FOUND THEN
		RETURN '';
	END IF;
	RETURN format(E'<h2>Verdict</h2>\n<p><strong>%s</strong>%s</p>\n', upper(left(ran.status, 1)) || substr(ran.status, 2),
			CASE WHEN $2 THEN format(': run %s of policy <bdi>%s</bdi>, started by <bdi>%s</bdi>%s on %s.', ran.run, sdc_private.report_text(ran.policy::text),
				sdc_private.report_text(ran.started_by::text), COALESCE(', approved by <bdi>' || sdc_private.report_text(ran.approved_by::text) || '</bdi>', ''),
				to_char(ran.started_at, 'YYYY-MM-DD')) ELSE '' END)
		|| sdc_private.report_table('What was to be kept'::text, ARRAY['measure', 'found', 'allowed', 'kept']::text[], (
			SELECT string_agg(format('<tr><th scope="row">%s</th><td>%s</td><td>at %s %s</td><td>%s</td></tr>', l.meaning,
				sdc_private.report_number((g.held ->> 'value')::float8), CASE WHEN l.at_most THEN 'most' ELSE 'least' END,
				sdc_private.report_number((g.held ->> 'bound')::float8), CASE WHEN (g.held ->> 'kept')::boolean THEN 'yes' ELSE 'no' END),
				E'\n' ORDER BY g.held ->> 'measure')
			FROM jsonb_array_elements(ran.limits) AS g (held) JOIN sdc_private.limits() AS l ON l.measure = g.held ->> 'measure'));
END
$verdict$;
COMMENT ON FUNCTION sdc_private.report_verdict(regclass, boolean) IS
	'what a run was held to, for sdc_report';

-- The release of a run, as long as it is there.
CREATE FUNCTION sdc_private.report_release(run bigint)
RETURNS regclass
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 10000
SET search_path = pg_catalog, pg_temp
AS $release$
DECLARE
	ran record;
BEGIN
	SELECT r.* INTO ran FROM sdc_private.run_rows(NULL, $1) AS r;
	IF NOT FOUND THEN
		RAISE EXCEPTION USING ERRCODE = 'undefined_object', MESSAGE = format('run %s does not exist', $1),
			HINT = 'View sdc_runs lists the runs.';
	ELSIF to_regclass(ran.release) IS NULL THEN
		RAISE EXCEPTION USING ERRCODE = 'object_not_in_prerequisite_state', MESSAGE = format('the release of run %s is not there any more', $1),
			HINT = format('What was measured is in the log: SELECT sdc_release_record(%s).', $1);
	END IF;
	RETURN to_regclass(ran.release);
END
$release$;
COMMENT ON FUNCTION sdc_private.report_release(bigint) IS
	'the release of a run, for sdc_report';

CREATE FUNCTION sdc_private.report(release regclass, audience text, run bigint)
RETURNS text
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 1000000
SET search_path = pg_catalog, pg_temp
SET extra_float_digits = 1
AS $report$
#variable_conflict use_column
<<report>>
DECLARE
	inside CONSTANT boolean := $2 = 'internal';
	release regclass := $1;
	whom text;
	title text;
	people jsonb;
	accuracy jsonb;
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
	ELSIF $3 IS NOT NULL THEN
		report.release := sdc_private.report_release($3::bigint);
	END IF;
	whom := sdc_private.whom(report.release);
	-- what is kept and still true need not be measured again, if it is about all that is known, and about all people
	people := (SELECT e.measures -> 'people' FROM sdc_private.evaluation(report.release) AS e (measures)
		WHERE e.measures -> 'known_given' = 'false' AND e.measures -> 'sample' = 'null');
	IF people IS NULL THEN
		people := (SELECT jsonb_object_agg(p.attack, to_jsonb(p)) FROM sdc_private.people_found(report.release, NULL::name[], false, NULL::bigint, NULL::text) AS p);
	END IF;
	IF NOT inside THEN
		accuracy := (SELECT jsonb_agg(to_jsonb(a)) FROM sdc_private.accuracy(report.release, NULL::name[], NULL::bigint, NULL::bigint) AS a);
	END IF;
	title := CASE WHEN inside THEN 'Release ' || sdc_private.report_text(report.release::text) ELSE 'Protected data' END;
	page := format(E'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n'
		'<meta http-equiv="Content-Security-Policy" content="default-src ''none''; style-src ''unsafe-inline''">\n<title>%1$s</title>\n<style>\n%2$s\n</style>\n</head>\n<body>\n<main>\n<h1>%1$s</h1>\n'
		'<p class="head">An intruder who knows all that was not withheld from him finds <strong>%3$s %%</strong> of the %7$s; by chance %4$s %%.</p>\n'
		'<p class="note">%5$s Measured by sdc %6$s.</p>\n', title, sdc_private.report_style(),
		sdc_private.report_number((people #>> '{any,percent}')::float8), sdc_private.report_number((people #>> '{chance,percent}')::float8),
		CASE WHEN inside THEN 'For internal use: some figures would help an intruder.' ELSE 'Without figures about records, and without what helps an intruder.' END,
		sdc_private.version() || CASE WHEN whom = 'records' THEN '. Each record is taken for a person: it says too little if somebody has several' ELSE '' END, whom)
		|| sdc_private.report_verdict(report.release, inside);
	FOR part IN SELECT * FROM (VALUES
		(2, 'done', true, 'What was done', ''),
		(2, '', true, 'Risk', 'By the three questions of the European guidance on anonymisation (Article 29 Working Party, Opinion 05/2014).'),
		(3, 'singling', true, 'Singling out', 'Can a person be told apart?'),
		(3, 'linking', true, 'Linkability', 'Can a record be linked to what is known of a person from elsewhere?'),
		(3, 'known', false, 'By number of known columns', ''),
		(3, 'learned', true, 'Inference', 'Can a value be guessed? What is guessed too of people who take no part is what the data teach about everybody.'),
		(3, 'intervals', false, 'Values near the original', ''),
		(2, 'map', false, 'Risk and loss', 'All releases of the same source that have both and have not changed since. Less of each is better: below and to the left.'),
		(2, '', true, 'Accuracy', ''),
		(3, 'margins', true, 'Values and margins', 'ks and hellinger: how far the distribution is from the original one; 0 is not at all, 1 is as far as can be.'),
		(3, 'correlations', true, 'Correlations', ''),
		(3, 'counts', true, 'Counts', ''),
		(3, 'associations', true, 'Associations', '')) AS t (level, name, outside, heading, note) WHERE inside OR t.outside
	LOOP
		page := page || format(E'<h%1$s>%2$s</h%1$s>\n', part.level, part.heading)
			|| CASE part.note WHEN '' THEN '' ELSE format(E'<p class="note">%s</p>\n', part.note) END
			|| CASE part.name WHEN '' THEN '' ELSE sdc_private.report_part(report.release, part.name::text,
				CASE WHEN inside OR part.name IN ('singling', 'linking') THEN people ELSE accuracy END, inside) END;
	END LOOP;
	RETURN page || E'</main>\n</body>\n</html>';
END
$report$;
COMMENT ON FUNCTION sdc_private.report(regclass, text, bigint) IS
	'what sdc_report does';

CREATE FUNCTION sdc_report(release regclass DEFAULT NULL, audience text DEFAULT 'internal', run bigint DEFAULT NULL)
RETURNS text
AS 'MODULE_PATHNAME', 'sdc_report_page' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000;
COMMENT ON FUNCTION sdc_report(regclass, text, bigint) IS
	'a page in HTML about a release, or that of a run: verdict, what was done, risk and accuracy (needs release or run)';

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
	'what sdc_ru_map_svg does';

CREATE FUNCTION sdc_ru_map_svg(source regclass)
RETURNS text
AS 'MODULE_PATHNAME', 'sdc_enter' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000;
COMMENT ON FUNCTION sdc_ru_map_svg(regclass) IS
	'the R-U map of the releases of a relation, as a picture in SVG (needs source)';
