----------------------------------------------------------------------
-- Report: pictures and tables
----------------------------------------------------------------------

-- How a report writes and draws.  All that is text of somebody's (names, values, problems) goes through sdc_private.report_text.
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

-- At most three significant digits; NULL and NaN are a dash.
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
			FROM (SELECT round($1::numeric, 2 - floor(log(abs($1)))::int)::text) AS t (r)) END
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

-- A row of numbers behind a heading: all is HTML already.
CREATE FUNCTION sdc_private.report_row(head text, numbers text[])
RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $row$
	SELECT format('<tr><th scope="row">%s</th>%s</tr>', $1, (SELECT string_agg(format('<td class="n">%s</td>', COALESCE(c.number, '&ndash;')), '' ORDER BY c.n)
		FROM unnest($2) WITH ORDINALITY AS c (number, n)))
$row$;
COMMENT ON FUNCTION sdc_private.report_row(text, text[]) IS
	'a row of a table of sdc_report';

-- Names of somebody's, set apart from what is around them.
CREATE FUNCTION sdc_private.report_name(name text)
RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $name$
	SELECT '<bdi>' || sdc_private.report_text($1) || '</bdi>'
$name$;
COMMENT ON FUNCTION sdc_private.report_name(text) IS
	'a name as sdc_report writes it';

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

-- Horizontal bars of percentages; the longest is that of 100, or of the largest one beyond.  What is long is cut in the picture, and whole in its
-- description.
CREATE FUNCTION sdc_private.report_bars(mark text, title text, names text[], percents float8[])
RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $bars$
	SELECT sdc_private.report_figure($1, $2, string_agg(format('%s: %s percent', sdc_private.report_text(b.name), b.shown), '; ' ORDER BY b.n),
		640, 12 + 26 * count(*)::int, string_agg(format('<text x="170" y="%s" text-anchor="end">%s</text><rect x="180" y="%s" width="%s" height="16" class="s1"/>'
			'<text x="%s" y="%s">%s %%</text>', b.n * 26 - 3,
			sdc_private.report_text(CASE WHEN length(b.name) > 20 THEN left(b.name, 17) || '...' ELSE b.name END), b.n * 26 - 15, b.wide, 186 + b.wide, b.n * 26 - 3, b.shown), E'\n' ORDER BY b.n))
	FROM (SELECT row_number() OVER (ORDER BY u.n) AS n, u.name, sdc_private.report_number(u.percent) AS shown,
			round(greatest(0.5, 390 * u.percent / greatest(max(u.percent) OVER (), 100))::numeric, 1) AS wide
		FROM unnest($3, $4) WITH ORDINALITY AS u (name, percent, n) WHERE u.percent BETWEEN 0 AND 1e300) AS b
	HAVING count(*) > 0
$bars$;
COMMENT ON FUNCTION sdc_private.report_bars(text, text, text[], float8[]) IS
	'bars of percentages of sdc_report';

-- Where an axis from 0 to at least `high` has marks: up to six of them, at whole numbers if it counts.
CREATE FUNCTION sdc_private.report_ticks(high float8, whole boolean)
RETURNS float8[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $ticks$
	SELECT ARRAY(SELECT n * s.step FROM generate_series(0, ceil(t.most / s.step - 1e-9)::int) AS n ORDER BY n)
	FROM (SELECT greatest($1, CASE WHEN $2 THEN 1 ELSE 1e-9 END)) AS t (most),
		LATERAL (SELECT min(m * 10::float8 ^ e) AS step FROM unnest('{1,2,2.5,5,10}'::float8[]) AS m, floor(log(t.most / 5)) AS e
			WHERE m * 10::float8 ^ e >= t.most / 5 * (1 - 1e-9) AND (NOT $2 OR m * 10::float8 ^ e = floor(m * 10::float8 ^ e))) AS s
$ticks$;
COMMENT ON FUNCTION sdc_private.report_ticks(float8, boolean) IS
	'the marks of an axis of sdc_report';

-- The frame of a plot of 640 x 340: the plane is x 60 to 620, y 20 to 280, and goes from the first to the last marks.
CREATE FUNCTION sdc_private.report_axes(x_title text, x_ticks float8[], y_title text, y_ticks float8[])
RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $axes$
	SELECT (SELECT string_agg(format('<line x1="60" x2="620" y1="%1$s" y2="%1$s" class="grid"/><text x="52" y="%2$s" text-anchor="end">%3$s</text>',
			at.y, at.y + 4, sdc_private.report_number(t.tick)), E'\n' ORDER BY t.n)
		FROM unnest($4) WITH ORDINALITY AS t (tick, n), LATERAL (SELECT round((280 - 260 * (t.tick / $4[cardinality($4)]))::numeric, 1) AS y) AS at)
		|| (SELECT string_agg(format('<text x="%s" y="298" text-anchor="middle">%s</text>',
				round((60 + 560 * ((t.tick - $2[1]) / ($2[cardinality($2)] - $2[1])))::numeric, 1), sdc_private.report_number(t.tick)), E'\n' ORDER BY t.n)
			FROM unnest($2) WITH ORDINALITY AS t (tick, n))
		|| format(E'\n<text x="340" y="316" text-anchor="middle">%s</text><text x="60" y="12">%s</text>', $1, $3)
$axes$;
COMMENT ON FUNCTION sdc_private.report_axes(text, float8[], text, float8[]) IS
	'the axes of a plot of sdc_report';

-- Lines over a plane.  `lines` is a list of {"name": HTML, "points": [[x, y], ...]}, each with a form of its own.
CREATE FUNCTION sdc_private.report_lines(mark text, title text, x_title text, x_ticks float8[], y_title text, lines jsonb)
RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
SET extra_float_digits = 1
AS $lines$
	WITH point AS (SELECT l.n, l.line ->> 'name' AS name, (p.at ->> 0)::float8 AS x, (p.at ->> 1)::float8 AS y
		FROM jsonb_array_elements($6) WITH ORDINALITY AS l (line, n), jsonb_array_elements(l.line -> 'points') AS p (at)),
	plane AS (SELECT sdc_private.report_ticks(max(y), false) AS ticks FROM point),
	line AS (SELECT n, name, string_agg(format('%s,%s', round((60 + 560 * ((x - $4[1]) / ($4[cardinality($4)] - $4[1])))::numeric, 1),
			round((280 - 260 * (y / ticks[cardinality(ticks)]))::numeric, 1)), ' ' ORDER BY x) AS points,
		string_agg(format('%s: %s', sdc_private.report_number(x), sdc_private.report_number(y)), ', ' ORDER BY x) AS told
		FROM point, plane GROUP BY n, name)
	SELECT sdc_private.report_figure($1, $2, format('%s, by %s. %s', $5, $3, string_agg(name || ' - ' || told, '; ' ORDER BY n)), 640, 340 + 18 * count(*)::int,
		sdc_private.report_axes($3, $4, $5, (SELECT ticks FROM plane)) || E'\n'
		|| string_agg(format('<polyline points="%1$s" class="l%2$s"/><line x1="60" x2="100" y1="%3$s" y2="%3$s" class="l%2$s"/><text x="108" y="%4$s">%5$s</text>',
			points, 1 + (n - 1) % 3, 336 + 18 * (n - 1), 340 + 18 * (n - 1), name), E'\n' ORDER BY n))
	FROM line HAVING count(*) > 0
$lines$;
COMMENT ON FUNCTION sdc_private.report_lines(text, text, text, float8[], text, jsonb) IS
	'lines over a plane, for sdc_report';

-- Small pictures of one size beside each other.  `panels` is a list of {"title": HTML, "told": HTML, "body": SVG}.
CREATE FUNCTION sdc_private.report_many(mark text, across int, down int, panels jsonb)
RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $many$
	SELECT format(E'<div class="many">\n%s</div>\n', string_agg(format(E'<figure><figcaption>%s</figcaption>\n%s</figure>\n', p.panel ->> 'title',
		sdc_private.report_figure($1 || p.n, p.panel ->> 'title', p.panel ->> 'told', $2, $3, p.panel ->> 'body')), '' ORDER BY p.n))
	FROM jsonb_array_elements($4) WITH ORDINALITY AS p (panel, n) HAVING count(*) > 0
$many$;
COMMENT ON FUNCTION sdc_private.report_many(text, int, int, jsonb) IS
	'small pictures beside each other, for sdc_report';

-- The histogram of a column, of 220 x 132: `marks` are its bars or bins, as sdc_private.report_pictures has them.
CREATE FUNCTION sdc_private.report_histogram(name text, marks jsonb)
RETURNS jsonb
LANGUAGE sql IMMUTABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
SET extra_float_digits = 1
AS $histogram$
	WITH mark AS (SELECT m ->> 'what' AS what, (m ->> 'place')::int AS place, (m #>> '{number,0}')::float8 AS low, (m #>> '{number,1}')::float8 AS high,
			greatest((m #>> ARRAY['number', CASE m ->> 'what' WHEN 'bin' THEN '2' ELSE '1' END])::float8, 0) AS before,
			greatest((m #>> ARRAY['number', CASE m ->> 'what' WHEN 'bin' THEN '3' ELSE '2' END])::float8, 0) AS after,
			COALESCE(m -> 'label' ->> $1, CASE WHEN (m ->> 'place')::int = 8 THEN 'others' ELSE sdc_private.report_number((m #>> '{number,0}')::float8) END) AS value
		FROM jsonb_array_elements($2) AS m WHERE m ->> 'what' IN ('bar', 'bin')),
	scaled AS (SELECT m.*, round((m.before / s.most)::numeric, 4) AS b, round((m.after / s.most)::numeric, 4) AS a,
			sdc_private.report_text(CASE WHEN length(m.value) > 12 THEN left(m.value, 10) || '...' WHEN m.value ~ '^&' THEN 'other' ELSE m.value END) AS shown
		FROM mark AS m, (SELECT NULLIF(greatest(max(before), max(after)), 0) AS most FROM mark) AS s)
	SELECT jsonb_build_object('title', sdc_private.report_name($1),
		'told', 'records before and after: ' || string_agg(format('%s: %s and %s', CASE what WHEN 'bin' THEN format('from %s', sdc_private.report_number(low)) ELSE
			sdc_private.report_text(value) END, sdc_private.report_number(before), sdc_private.report_number(after)), '; ' ORDER BY place),
		'body', CASE min(what) WHEN 'bin' THEN
			string_agg(format('<rect x="%s" y="%s" width="10" height="%s" class="s1"/>', 10 + 10 * place, 110 - round(100 * b, 1), round(100 * b, 1)), '' ORDER BY place)
			|| format('<polyline points="%s" class="l2"/><line x1="10" x2="210" y1="110" y2="110" class="grid"/>',
				string_agg(format('%s,%s %s,%s', 10 + 10 * place, 110 - round(100 * a, 1), 20 + 10 * place, 110 - round(100 * a, 1)), ' ' ORDER BY place))
			|| format('<text x="10" y="126">%s</text><text x="210" y="126" text-anchor="end">%s</text>', sdc_private.report_number(min(low)), sdc_private.report_number(max(high)))
		ELSE string_agg(format('<text x="82" y="%s" text-anchor="end" font-size="11">%s</text><rect x="88" y="%s" width="%s" height="5" class="s1"/>'
			'<rect x="88" y="%s" width="%s" height="5" class="s2"/>', 11 + 14 * row, shown, 1 + 14 * row, round(130 * b, 1), 7 + 14 * row, round(130 * a, 1)), '' ORDER BY row) END)
	FROM (SELECT s.*, row_number() OVER (ORDER BY place) - 1 AS row FROM scaled AS s WHERE s.b IS NOT NULL) AS s HAVING count(*) > 0
$histogram$;
COMMENT ON FUNCTION sdc_private.report_histogram(text, jsonb) IS
	'the histogram of a column before and after, for sdc_report';

-- The points of two columns in one of the files, of 220 x 220; the ends of the plane are those of both files.
CREATE FUNCTION sdc_private.report_scatter(x text, y text, file text, points jsonb)
RETURNS jsonb
LANGUAGE sql IMMUTABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
SET extra_float_digits = 1
AS $scatter$
	WITH point AS (SELECT p ->> 'what' AS what, (p #>> '{number,0}')::float8 AS x, (p #>> '{number,1}')::float8 AS y, (p ->> 'place')::int AS place
		FROM jsonb_array_elements($4) AS p),
	plane AS MATERIALIZED (SELECT min(x) AS left, NULLIF(max(x) - min(x), 0) AS wide, max(x) AS right, min(y) AS low, NULLIF(max(y) - min(y), 0) AS tall, max(y) AS high FROM point)
	SELECT jsonb_build_object('title', format('<bdi>%s</bdi> and <bdi>%s</bdi>, %s', sdc_private.report_text($1), sdc_private.report_text($2), $3),
		'told', format('%s records: %s from %s to %s across, %s from %s to %s upwards', count(*), sdc_private.report_text($1), sdc_private.report_number(min(x)),
			sdc_private.report_number(max(x)), sdc_private.report_text($2), sdc_private.report_number(min(y)), sdc_private.report_number(max(y))),
		'body', format('<path d="%s" class="%s"/><path d="M10 8V200H212" class="frame"/><text x="10" y="216">%s</text><text x="212" y="216" text-anchor="end">%s</text>'
			'<text x="14" y="18">%s</text>', string_agg(format('M%s %sh0', round((14 + 194 * COALESCE((x - plane.left) / wide, 0.5))::numeric, 1),
				round((196 - 184 * COALESCE((y - low) / tall, 0.5))::numeric, 1)), '' ORDER BY place), CASE $3 WHEN 'before' THEN 'd1' ELSE 'd2' END,
			sdc_private.report_number(min(plane.left)), sdc_private.report_number(max(plane.right)), sdc_private.report_number(max(plane.high))))
	FROM point, plane WHERE what = $3 HAVING count(*) > 0
$scatter$;
COMMENT ON FUNCTION sdc_private.report_scatter(text, text, text, jsonb) IS
	'points of two columns, for sdc_report';

-- A square of correlations, of 240 x 240.  `cells` is a list of [row, column, number from -1 to 1].
CREATE FUNCTION sdc_private.report_heat(title text, columns int, cells jsonb)
RETURNS jsonb
LANGUAGE sql IMMUTABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
SET extra_float_digits = 1
AS $heat$
	SELECT jsonb_build_object('title', $1, 'told', 'columns by number: ' || string_agg(format('%s and %s %s', r, c, sdc_private.report_number(v)), '; ' ORDER BY r, c),
		'body', string_agg(format('<rect x="%s" y="%s" width="%s" height="%4$s" class="%5$s" fill-opacity="%6$s"/>', round(22 + (c - 1) * z, 1), round(2 + (r - 1) * z, 1),
				round(z - 1, 1), round(z - 1, 1), CASE WHEN v < 0 THEN 's2' ELSE 's1' END, round(0.02 + 0.73 * least(abs(v), 1)::numeric, 2))
			|| CASE WHEN $2 <= 7 THEN format('<text x="%s" y="%s" text-anchor="middle" font-size="10">%s</text>', round(22 + (c - 0.5) * z, 1), round(6 + (r - 0.5) * z, 1),
				round(v::numeric, 2)) ELSE '' END, '' ORDER BY r, c)
			|| (SELECT string_agg(format('<text x="18" y="%s" text-anchor="end" font-size="10">%s</text><text x="%s" y="236" text-anchor="middle" font-size="10">%2$s</text>',
				round(6 + (n - 0.5) * (218.0 / $2), 1), n, round(22 + (n - 0.5) * (218.0 / $2), 1)), '' ORDER BY n) FROM generate_series(1, least($2, 100)) AS n))
	FROM (SELECT (e ->> 0)::int AS r, (e ->> 1)::int AS c, (e ->> 2)::float8 AS v, 218.0 / $2 AS z FROM jsonb_array_elements($3) AS e) AS cell HAVING count(*) > 0
$heat$;
COMMENT ON FUNCTION sdc_private.report_heat(text, int, jsonb) IS
	'a square of correlations, for sdc_report';

-- Boxes of errors in percent: `boxes` is a list of {"n", "p05", "p25", "median", "p75", "p95"}.
CREATE FUNCTION sdc_private.report_boxes(mark text, title text, x_title text, boxes jsonb)
RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
SET extra_float_digits = 1
AS $boxes$
	WITH box AS (SELECT b.* FROM jsonb_to_recordset($4) AS b (n int, p05 float8, p25 float8, median float8, p75 float8, p95 float8) WHERE b.p95 IS NOT NULL AND b.p25 IS NOT NULL),
	plane AS (SELECT ticks, ticks[cardinality(ticks)] AS top, wide FROM (SELECT sdc_private.report_ticks(max(p95), false) AS ticks,
		ARRAY(SELECT t::float8 FROM generate_series(0, max(n) + 1) AS t) AS wide FROM box) AS p),
	drawn AS (SELECT box.*, round((60 + 560.0 * n / (cardinality(wide) - 1))::numeric, 1) AS x, round((280 - 260 * p05 / top)::numeric, 1) AS y05, round((280 - 260 * p25 / top)::numeric, 1) AS y25,
		round((280 - 260 * median / top)::numeric, 1) AS y50, round((280 - 260 * p75 / top)::numeric, 1) AS y75, round((280 - 260 * p95 / top)::numeric, 1) AS y95 FROM box, plane)
	SELECT sdc_private.report_figure($1, $2, string_agg(format('%s: from %s to %s, half of them from %s to %s, median %s percent', n, sdc_private.report_number(p05),
			sdc_private.report_number(p95), sdc_private.report_number(p25), sdc_private.report_number(p75), sdc_private.report_number(median)), '; ' ORDER BY n), 640, 324,
		sdc_private.report_axes($3, (SELECT wide FROM plane), 'error, percent'::text, (SELECT ticks FROM plane))
		|| string_agg(format(E'\n<path d="M%1$s %2$sV%3$sM%1$s %4$sV%5$s" class="l1"/><rect x="%6$s" y="%4$s" width="36" height="%7$s" class="s1"/><path d="M%6$s %8$sh36" class="l2"/>',
			x, y95, y75, y75, y05, x - 18, greatest(y25 - y75, 1), y50), '' ORDER BY n))
	FROM drawn HAVING count(*) > 0
$boxes$;
COMMENT ON FUNCTION sdc_private.report_boxes(text, text, text, jsonb) IS
	'errors as boxes, for sdc_report';

-- What part of the people is found: a hundred of them, and a line from nobody to the limit and beyond.
CREATE FUNCTION sdc_private.report_crowd(whom text, found float8, bound float8, chance float8)
RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
SET extra_float_digits = 1
AS $crowd$
	SELECT sdc_private.report_figure('crowd'::text, format('Of 100 %s', $1), format('%s of 100 are coloured', round($2)), 640, 128,
			string_agg(format('<path d="M%s %s a4 4 0 1 1 0.1 0 z m-5 14 v-8 a5 5 0 0 1 10 0 v8 z" class="%s"/>', 26 + 24.5 * ((n - 1) / 4), 14 + 30 * ((n - 1) % 4),
				CASE WHEN n <= round($2) THEN 's2' ELSE 'ring' END), E'\n' ORDER BY n))
		|| sdc_private.report_figure('scale'::text, 'Found, and what may be'::text, format('%s percent are found, by chance %s percent%s', sdc_private.report_number($2), sdc_private.report_number($4),
				CASE WHEN $3 IS NOT NULL THEN format('; the limit is %s percent', sdc_private.report_number($3)) ELSE '' END), 640, 84,
			format('<rect x="20" y="34" width="%s" height="14" class="%s"/><path d="M20 30V52H620V30" class="frame"/>', greatest(round((600 * $2 / e.wide)::numeric, 1), 1),
				CASE WHEN $2 > $3 THEN 's2' ELSE 's1' END)
			|| format('<text x="%s" y="24" text-anchor="%s">found: %s %%</text>', 20 + round((600 * $2 / e.wide)::numeric, 1),
				CASE WHEN $2 < 0.2 * e.wide THEN 'start' WHEN $2 > 0.8 * e.wide THEN 'end' ELSE 'middle' END, sdc_private.report_number($2))
			|| CASE WHEN $3 IS NOT NULL THEN format('<path d="M%1$s 26V58" class="l2"/><text x="%1$s" y="74" text-anchor="%2$s">limit: %3$s %%</text>', 20 + round((600 * $3 / e.wide)::numeric, 1),
				CASE WHEN $3 < 0.2 * e.wide THEN 'start' WHEN $3 > 0.8 * e.wide THEN 'end' ELSE 'middle' END, sdc_private.report_number($3)) ELSE '' END
			|| format('<text x="620" y="74" text-anchor="end">%s</text>', CASE WHEN $3 > 0.75 * e.wide THEN '' ELSE sdc_private.report_number(e.wide) || ' %' END))
	FROM generate_series(1, 100) AS n, (SELECT ticks[cardinality(ticks)] AS wide FROM sdc_private.report_ticks(least(greatest($2, $3, $4, 1), 100), false) AS ticks) AS e
	WHERE $2 BETWEEN 0 AND 100 GROUP BY e.wide
$crowd$;
COMMENT ON FUNCTION sdc_private.report_crowd(text, float8, float8, float8) IS
	'how many people are found, and how many may be, for sdc_report';
