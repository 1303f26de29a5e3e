----------------------------------------------------------------------
-- Report: accuracy
----------------------------------------------------------------------

-- What is drawn of a release and its source, and their statistics: they are read once for all parts.
CREATE FUNCTION sdc_private.report_pictures(release regclass)
RETURNS TABLE (what text, x name, y name, place int, label jsonb, number float8[])
AS 'MODULE_PATHNAME', 'sdc_private_report_pictures' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 1000;
COMMENT ON FUNCTION sdc_private.report_pictures(regclass) IS
	'the marks of the pictures of sdc_report';

CREATE FUNCTION sdc_private.report_published(publication regclass)
RETURNS TABLE (part text, attribute name, measure text, value float8)
AS 'MODULE_PATHNAME', 'sdc_private_report_published' LANGUAGE C STABLE PARALLEL UNSAFE COST 10000 ROWS 50;
COMMENT ON FUNCTION sdc_private.report_published(regclass) IS
	'the accuracy table of a publication that the caller may read, for sdc_report';

-- Histograms, mean and quantiles before and after, and how far the distributions are apart.  Of many columns those that differ most.
CREATE FUNCTION sdc_private.report_margins(pictures jsonb)
RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
SET extra_float_digits = 1
AS $margins$
	WITH kept (statistic, n) AS (SELECT * FROM unnest(ARRAY['mean', 'sd', 'p05', 'p25', 'median', 'p75', 'p95', 'ks', 'hellinger']) WITH ORDINALITY),
	statistic AS (SELECT m ->> 'x' AS attribute, min(u.place) AS place, jsonb_object_agg(m ->> 'y', m -> 'number') AS of
		FROM jsonb_array_elements($1 -> 'statistic') WITH ORDINALITY AS u (m, place) GROUP BY m ->> 'x'),
	ranked AS (SELECT s.*, (s.of #>> '{hellinger,1}')::float8 AS apart, row_number() OVER (ORDER BY (s.of #>> '{hellinger,1}')::float8 DESC NULLS LAST, s.place) AS rank,
		count(*) OVER () AS columns FROM statistic AS s),
	mark AS (SELECT m ->> 'x' AS attribute, jsonb_agg(m) AS marks FROM jsonb_array_elements(($1 -> 'bar') || ($1 -> 'bin')) AS m GROUP BY m ->> 'x')
	SELECT format(E'<p>%s of %s columns have the distribution of the source exactly.%s</p>\n', count(*) FILTER (WHERE apart = 0), count(*),
			CASE WHEN count(*) > 40 THEN format(' Shown are those that differ most; the others have a hellinger of at most %s.',
				sdc_private.report_number(max(apart) FILTER (WHERE rank > 40))) ELSE '' END)
		|| COALESCE((SELECT E'<p class="note">Blue: the source. Dashed line, or lower bar: the release.</p>\n'
				|| sdc_private.report_many('margin'::text, 220, 132, jsonb_agg(h.panel ORDER BY r.place))
			FROM ranked AS r JOIN mark USING (attribute), LATERAL (SELECT sdc_private.report_histogram(r.attribute, mark.marks)) AS h (panel) WHERE r.rank <= 20 AND h.panel IS NOT NULL), '')
		|| sdc_private.report_table('Values and margins (before &rarr; after, where they differ)'::text, 'column'::text || ARRAY(SELECT k.statistic FROM kept AS k ORDER BY k.n),
			string_agg(sdc_private.report_row(sdc_private.report_name(r.attribute),
				(SELECT array_agg(CASE WHEN k.statistic IN ('ks', 'hellinger') THEN sdc_private.report_number(c.protected)
						ELSE sdc_private.report_number(c.original) || CASE WHEN c.original IS DISTINCT FROM c.protected
							THEN ' &rarr; ' || sdc_private.report_number(c.protected) ELSE '' END END ORDER BY k.n)
					FROM kept AS k, LATERAL (SELECT (r.of #>> ARRAY[k.statistic, '0'])::float8, (r.of #>> ARRAY[k.statistic, '1'])::float8) AS c (original, protected))),
				E'\n' ORDER BY r.place) FILTER (WHERE r.rank <= 40))
	FROM ranked AS r HAVING count(*) > 0
$margins$;
COMMENT ON FUNCTION sdc_private.report_margins(jsonb) IS
	'values and margins, for sdc_report';

-- Some records of a few pairs of columns, before and after.
CREATE FUNCTION sdc_private.report_pairs(pictures jsonb)
RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $pairs$
	WITH pair AS (SELECT m ->> 'x' AS x, m ->> 'y' AS y, jsonb_agg(m) AS points, min(u.n) AS n
		FROM jsonb_array_elements(($1 -> 'before') || ($1 -> 'after')) WITH ORDINALITY AS u (m, n) GROUP BY m ->> 'x', m ->> 'y')
	SELECT sdc_private.report_many('pair'::text, 220, 224, jsonb_agg(s.panel ORDER BY p.n, f.n))
	FROM pair AS p, (VALUES ('before', 1), ('after', 2)) AS f (file, n), LATERAL (SELECT sdc_private.report_scatter(p.x, p.y, f.file, p.points)) AS s (panel)
	WHERE s.panel IS NOT NULL
$pairs$;
COMMENT ON FUNCTION sdc_private.report_pairs(jsonb) IS
	'pairs of columns before and after, for sdc_report';

-- Correlations of columns: as squares, and the ten that changed most.  Of many columns those whose correlations changed most.
CREATE FUNCTION sdc_private.report_correlations(pictures jsonb)
RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
SET extra_float_digits = 1
AS $correlations$
	WITH pair AS MATERIALIZED (SELECT m ->> 'x' AS x, m ->> 'y' AS y, (m #>> '{number,0}')::float8 AS original, (m #>> '{number,1}')::float8 AS protected,
			abs((m #>> '{number,1}')::float8 - (m #>> '{number,0}')::float8) AS change, n FROM jsonb_array_elements($1 -> 'pair') WITH ORDINALITY AS u (m, n)),
	most AS (SELECT * FROM pair ORDER BY change DESC, x COLLATE "C", y COLLATE "C" LIMIT 10),
	side AS (SELECT c.name, min(c.n) AS n, max(c.change) AS change FROM (SELECT x AS name, n, change FROM pair UNION ALL SELECT y, n, change FROM pair) AS c GROUP BY c.name),
	-- in the order of the table: the first column is in no pair before another one
	shown AS (SELECT name, row_number() OVER (ORDER BY n, EXISTS (SELECT FROM pair WHERE pair.n = s.n AND pair.y = s.name))::int AS place
		FROM (SELECT * FROM side ORDER BY change DESC, n LIMIT 16) AS s),
	cell AS (SELECT greatest(a.place, b.place) AS r, least(a.place, b.place) AS c, p.original, p.protected FROM pair AS p JOIN shown AS a ON a.name = p.x JOIN shown AS b ON b.name = p.y
		UNION ALL SELECT place, place, 1, 1 FROM shown)
	SELECT format(E'<p>The correlations of %s pairs of numeric columns differ by %s on average.</p>\n', count(*), sdc_private.report_number(avg(change)::float8))
		|| (SELECT format(E'<p class="note">Blue: rise together; orange: one falls where the other rises. %s%s.</p>\n', CASE WHEN (SELECT count(*) FROM side) > 16
				THEN 'Shown are the columns whose correlations changed most: ' ELSE '' END,
			string_agg(format('%s <bdi>%s</bdi>', place, sdc_private.report_text(name)), ', ' ORDER BY place)) FROM shown)
		|| (SELECT sdc_private.report_many('heat'::text, 240, 240, jsonb_agg(sdc_private.report_heat(f.title, (SELECT count(*)::int FROM shown), f.cells) ORDER BY f.n))
			FROM (SELECT 1, 'before', jsonb_agg(jsonb_build_array(r, c, original)) FROM cell UNION ALL SELECT 2, 'after', jsonb_agg(jsonb_build_array(r, c, protected)) FROM cell
				UNION ALL SELECT 3, 'difference', jsonb_agg(jsonb_build_array(r, c, protected - original)) FROM cell) AS f (n, title, cells))
		|| (SELECT sdc_private.report_table('Those that differ most'::text, ARRAY['column', 'column', 'before', 'after']::text[],
			string_agg(format('<tr><th scope="row"><bdi>%s</bdi></th><td><bdi>%s</bdi></td><td class="n">%s</td><td class="n">%s</td></tr>', sdc_private.report_text(x),
				sdc_private.report_text(y), round(original::numeric, 3), round(protected::numeric, 3)), E'\n' ORDER BY change DESC, x COLLATE "C", y COLLATE "C")) FROM most)
	FROM pair HAVING count(*) > 0
$correlations$;
COMMENT ON FUNCTION sdc_private.report_correlations(jsonb) IS
	'correlations before and after, for sdc_report';

-- A regression on the columns with which a column has most in common, before and after.
CREATE FUNCTION sdc_private.report_regression(release regclass, pictures jsonb)
RETURNS text
LANGUAGE plpgsql STABLE PARALLEL UNSAFE COST 1000000
SET search_path = pg_catalog, pg_temp
SET extra_float_digits = 1
AS $regression$
DECLARE
	outcome CONSTANT name := (SELECT c.name FROM jsonb_array_elements($2 -> 'pair') WITH ORDINALITY AS u (m, n), LATERAL (VALUES (m ->> 'x', 2), (m ->> 'y', 1)) AS c (name, side)
		GROUP BY c.name ORDER BY sum(abs((m #>> '{number,0}')::float8)) DESC, min(u.n), min(c.side) LIMIT 1);
	terms CONSTANT name[] := ARRAY(SELECT c.name FROM jsonb_array_elements($2 -> 'pair') WITH ORDINALITY AS u (m, n), LATERAL (SELECT CASE m ->> 'x' WHEN outcome THEN m ->> 'y' ELSE m ->> 'x' END) AS c (name)
		WHERE outcome IN (m ->> 'x', m ->> 'y') ORDER BY abs((m #>> '{number,0}')::float8) DESC, u.n LIMIT 5);
BEGIN
	IF outcome IS NULL THEN
		RETURN '';
	END IF;
	RETURN (SELECT sdc_private.report_table(format('Linear regression of <bdi>%s</bdi>', sdc_private.report_text(outcome::text)),
			ARRAY['term', 'before', 'standard error', 'after', 'standard error', 'overlap of the intervals, percent']::text[],
			string_agg(sdc_private.report_row(sdc_private.report_name(r.term), ARRAY(SELECT sdc_private.report_number(u.number)
				FROM unnest(ARRAY[r.original, r.original_error, r.protected, r.protected_error, 100 * r.overlap]) AS u (number))), E'\n' ORDER BY r.n))
		FROM sdc_private.regression_errors($1, outcome, terms) WITH ORDINALITY AS r (term, original, original_error, protected, protected_error, relative_error, overlap, n));
END
$regression$;
COMMENT ON FUNCTION sdc_private.report_regression(regclass, jsonb) IS
	'a regression before and after, for sdc_report';

-- kept: the rows of an evaluation that is still true, by the settings of now; NULL: there is none.
CREATE FUNCTION sdc_private.report_counts(release regclass, kept jsonb)
RETURNS text
LANGUAGE sql STABLE PARALLEL UNSAFE COST 1000000
SET search_path = pg_catalog, pg_temp
SET extra_float_digits = 1
AS $counts$
	WITH error AS (SELECT e.attributes AS n, 100 * e.mean_error AS mean, 100 * e.median_error AS median, 100 * e.p95_error AS p95, 100 * e.p05_error AS p05, 100 * e.p25_error AS p25,
		100 * e.p75_error AS p75 FROM jsonb_to_recordset(COALESCE($2, (SELECT jsonb_agg(to_jsonb(m)) FROM sdc_private.summary_counts($1) AS m)))
			AS e (attributes int, mean_error float8, median_error float8, p95_error float8, p05_error float8, p25_error float8, p75_error float8))
	SELECT COALESCE(sdc_private.report_boxes('counts'::text, 'Relative errors of random counts'::text, 'columns in the condition'::text, jsonb_agg(to_jsonb(e)) FILTER (WHERE n <= 12)), '')
		|| sdc_private.report_table('Relative errors of random counts, percent'::text, ARRAY['columns in the condition', 'mean', 'median', '95 %']::text[],
			string_agg(sdc_private.report_row(n::text, ARRAY[sdc_private.report_number(mean), sdc_private.report_number(median), sdc_private.report_number(p95)]),
				E'\n' ORDER BY n) FILTER (WHERE n <= 12))
		|| CASE WHEN max(n) > 12 THEN E'<p class="note">Left out: conditions on more than 12 columns.</p>\n' ELSE '' END
	FROM error AS e
$counts$;
COMMENT ON FUNCTION sdc_private.report_counts(regclass, jsonb) IS
	'errors of random counts, for sdc_report';

-- The queries of a policy one by one, as its run has counted them.  Of many those that are wrong most.
CREATE FUNCTION sdc_private.report_workload(workload jsonb)
RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
SET extra_float_digits = 1
AS $workload$
	WITH query AS MATERIALIZED (SELECT u.n, u.q ->> 'condition' AS condition, jsonb_path_query_first(u.q, '$.problem ? (@.type() == "string")') #>> '{}' AS problem,
			jsonb_path_query_first(u.q, '$.answer ? (@.type() == "number")') AS answer, jsonb_path_query_first(u.q, '$.released ? (@.type() == "number")') AS released,
			jsonb_path_query_first(u.q, '$.error ? (@.type() == "number" && @ < 1e300)')::float8 AS error
		FROM jsonb_path_query($1, '$[*] ? (@.condition.type() == "string")') WITH ORDINALITY AS u (q, n)),
	ranked AS (SELECT q.*, row_number() OVER (ORDER BY q.error DESC NULLS FIRST, q.n) AS rank, count(*) OVER () AS queries FROM query AS q)
	SELECT CASE WHEN min(queries) > 100 THEN format(E'<p class="note">Shown are the 100 of %s queries that are wrong most.</p>\n', min(queries)) ELSE '' END
		|| COALESCE(sdc_private.report_bars('workload'::text, 'Relative errors of the queries, percent'::text, array_agg(n || ': ' || condition ORDER BY n) FILTER (WHERE rank <= 20),
			array_agg(error ORDER BY n) FILTER (WHERE rank <= 20)), '')
		|| sdc_private.report_table('Queries'::text, ARRAY['query', 'records that satisfy', 'in the source', 'in the release', 'error, percent']::text[],
			string_agg(format('<tr><td>%s</td><th scope="row"><bdi>%s</bdi></th><td class="n">%s</td><td class="n">%s</td>%s</tr>', n, sdc_private.report_text(condition),
				COALESCE(answer::text, '&ndash;'), COALESCE(released::text, '&ndash;'), CASE WHEN problem IS NULL THEN format('<td class="n">%s</td>', sdc_private.report_number(error))
					ELSE format('<td>%s</td>', sdc_private.report_text(problem)) END), E'\n' ORDER BY n) FILTER (WHERE rank <= 100))
	FROM ranked HAVING count(*) > 0
$workload$;
COMMENT ON FUNCTION sdc_private.report_workload(jsonb) IS
	'the queries of a policy, for sdc_report';

CREATE FUNCTION sdc_private.association_length(columns int)
RETURNS int
AS 'MODULE_PATHNAME', 'sdc_private_association_length' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION sdc_private.association_length(int) IS
	'the greatest length of associations of so many columns by default';

-- Of many columns only short ones, and how many columns that are.  kept: as for counts.
CREATE FUNCTION sdc_private.report_associations(release regclass, kept jsonb)
RETURNS text
LANGUAGE sql STABLE PARALLEL UNSAFE COST 1000000
SET search_path = pg_catalog, pg_temp
SET extra_float_digits = 1
AS $associations$
	SELECT sdc_private.report_table('Associations of the source that are kept, and those that are new'::text,
		ARRAY['columns', 'in the source', 'kept', 'kept, percent', 'new']::text[],
		string_agg(sdc_private.report_row(COALESCE(a.length::text, 'all'), ARRAY[a.original::text, a.recovered::text, sdc_private.report_number(a.recall_percent), a.artificial::text]),
			E'\n' ORDER BY a.length NULLS LAST))
		|| CASE WHEN l.most < l.columns THEN format(E'<p class="note">Left out: associations of more than %s of the %s columns.</p>\n', l.most, l.columns) ELSE '' END
	FROM (SELECT c.columns, sdc_private.association_length(c.columns)
		FROM (SELECT cardinality(COALESCE(NULLIF(r.qi, '{}'::name[]), r.columns)) FROM sdc_private.releases() AS r WHERE r.release = $1) AS c (columns)) AS l (columns, most)
	CROSS JOIN LATERAL jsonb_to_recordset(COALESCE($2,
		(SELECT jsonb_agg(to_jsonb(m)) FROM sdc_private.association_recall($1, NULL::float8, NULL::float8, 'antecedent'::text, l.most, NULL::name[], NULL::name[]) AS m)))
		AS a (length int, original bigint, recovered bigint, recall_percent float8, artificial bigint)
	GROUP BY l.columns, l.most
$associations$;
COMMENT ON FUNCTION sdc_private.report_associations(regclass, jsonb) IS
	'associations kept, for sdc_report';

-- Outside accuracy is what stands in the table beside a publication: each figure with what it is rounded to.
CREATE FUNCTION sdc_private.report_accuracy(accuracy jsonb, part text)
RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
SET extra_float_digits = 1
AS $accuracy$
	WITH own AS MATERIALIZED (SELECT f.n, f.part, f.attribute, f.measure, f.value FROM ROWS FROM (jsonb_to_recordset($1) AS (part text, attribute text, measure text, value float8))
		WITH ORDINALITY AS f (part, attribute, measure, value, n) WHERE f.part IN ($2, 'unit_' || $2)),
	figure AS (SELECT f.n, f.attribute, CASE WHEN f.part = $2 THEN '' ELSE 'of units: ' END || f.measure AS measure, format('%s (%s)', CASE WHEN f.value IS NULL THEN 'withheld'
			ELSE sdc_private.report_number(f.value) END, sdc_private.report_number(r.value)) AS told
		FROM own AS f LEFT JOIN own AS r ON r.part = f.part AND r.attribute IS NOT DISTINCT FROM f.attribute AND r.measure = f.measure || '_rounding' WHERE f.measure !~ '_rounding$'),
	measure AS (SELECT measure, row_number() OVER (ORDER BY min(n)) AS n FROM figure GROUP BY measure)
	SELECT CASE WHEN bool_and(f.attribute IS NULL) THEN
		sdc_private.report_table('Differences from the source (in brackets: what they are rounded to, so that no person shows)'::text, ARRAY['measure', 'value']::text[],
			string_agg(format('<tr><th scope="row">%s</th><td class="n">%s</td></tr>', sdc_private.report_text(f.measure), f.told), E'\n' ORDER BY f.n))
		ELSE (SELECT sdc_private.report_table('Differences from the source (in brackets: what they are rounded to, so that no person shows)'::text,
				'column'::text || ARRAY(SELECT sdc_private.report_text(m.measure) FROM measure AS m ORDER BY m.n),
				string_agg(format('<tr><th scope="row"><bdi>%s</bdi></th>%s</tr>', sdc_private.report_text(COALESCE(c.attribute, 'all')),
					(SELECT string_agg(format('<td class="n">%s</td>', COALESCE((SELECT g.told FROM figure AS g WHERE g.attribute IS NOT DISTINCT FROM c.attribute AND g.measure = m.measure LIMIT 1), '&ndash;')),
						'' ORDER BY m.n) FROM measure AS m)), E'\n' ORDER BY c.n))
			FROM (SELECT attribute, min(n) AS n FROM figure GROUP BY attribute) AS c) END
	FROM figure AS f HAVING count(*) > 0
$accuracy$;
COMMENT ON FUNCTION sdc_private.report_accuracy(jsonb, text) IS
	'accuracy for those who get the release, for sdc_report';
