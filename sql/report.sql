-- sdc_report and sdc_ru_map_svg: the parts of the page, what stands in them, who sees what.
\pset format unaligned
\pset footer off
SET max_parallel_workers_per_gather = 0;	-- many reports, which are not about plans
SET max_parallel_maintenance_workers = 0;
SELECT helper.make_people('staff', 300);
SELECT count(*) FROM sdc_rankswap('staff', p => 10, columns => '{income,weight,age}', keep => '{region,sex}', omit => '{born}', target => 'staff_a', seed => 'secret seed');
SELECT count(*) FROM sdc_rankswap('staff', p => 40, columns => '{income,weight,age}', keep => '{region,sex,job,savings}', omit => '{born}', target => 'staff_b', seed => 'secret seed');
SELECT count(*) FROM sdc_generalize('staff', '{age,sex}', '{job}', l => 2, k => 10, keep => '{region}', target => 'staff_g');
SELECT sdc_classify('staff', 'job', 'sensitive');

-- well-formed, apart from what HTML writes otherwise than XML
CREATE FUNCTION parsed(page text) RETURNS xml LANGUAGE sql AS $$
	SELECT xmlparse(CONTENT regexp_replace(replace(replace(replace(replace(regexp_replace(page, '^<!DOCTYPE html>', ''), '&ndash;', '-'), '&rarr;', '>'), '&infin;', 'inf'),
		'<br>', '<br/>'), '(<meta [^>]*)>', '\1/>', 'g'))
$$;
-- headings, each with whether something is below it
CREATE FUNCTION outline(page text) RETURNS TABLE (n bigint, heading text, pictures int, tables int, left_out text) LANGUAGE sql AS $$
	SELECT n, (regexp_match(part, '^>(.*?)</h\d>'))[1], regexp_count(part, '<svg '), regexp_count(part, '<table>'), (regexp_match(part, 'Left out: (.*?)</p>'))[1]
	FROM regexp_split_to_table(page, '<h[23]') WITH ORDINALITY AS s (part, n) WHERE n > 1 ORDER BY n
$$;
CREATE TABLE page AS
SELECT r AS release, a AS audience, sdc_report(r::regclass, a) AS page
FROM unnest(ARRAY['staff_a', 'staff_b', 'staff_g']) AS r, unnest(ARRAY['internal', 'external']) AS a;
SELECT release, audience, xml_is_well_formed_document(parsed(page)::text) AS well_formed,
	page !~* '<script|javascript:|\son[a-z]+=|https?://(?!www.w3.org/2000/svg)|url\(|@import|<link|<img' AS self_contained,
	regexp_count(page, '<svg ') = regexp_count(page, 'role="img" aria-labelledby') AND regexp_count(page, '<svg ') = regexp_count(page, '<desc id=') AS told
FROM page ORDER BY 1, 2 DESC;
SELECT o.* FROM page, outline(page) AS o WHERE release = 'staff_b' AND audience = 'internal';
SELECT o.* FROM page, outline(page) AS o WHERE release = 'staff_b' AND audience = 'external';
SELECT o.* FROM page, outline(page) AS o WHERE release = 'staff_g' AND audience = 'internal';

-- the figures are those of the functions, rounded to three digits
CREATE FUNCTION three(x float8) RETURNS text LANGUAGE sql AS $$
	SELECT CASE WHEN x = 0 THEN '0' ELSE trim_scale(round(x::numeric, 2 - floor(log(abs(x)))::int))::text END
$$;
WITH p AS (SELECT * FROM sdc_people_found('staff_b')), wanted (what, html) AS (
	SELECT 'headline', '<strong>' || three(percent) || ' %</strong> of the records' FROM p WHERE attack = 'any'
	UNION ALL SELECT 'one candidate ' || attack, '<th scope="row">' || attack || '</th><td class="n">' || single || '</td><td class="n">' || certain || '</td>'
		FROM p WHERE single IS NOT NULL AND certain IS NOT NULL
	UNION ALL SELECT 'attack ' || attack, CASE attack WHEN 'any' THEN 'by any attack' WHEN 'best' THEN 'by the best attack' WHEN 'chance' THEN 'by chance' ELSE attack END
		|| ': ' || three(percent) || ' percent' FROM p WHERE percent IS NOT NULL
	UNION ALL SELECT 'known ' || attack, 'attack ' || attack || ' - ' || string_agg(known || ': ' || three(percent), ', ' ORDER BY known) FROM sdc_disclosure_risk('staff_b') GROUP BY attack
	UNION ALL SELECT 'learned', '<bdi>job</bdi></th><td class="n">' || three(found_percent) || '</td><td class="n">' || three(found_without_percent) || '</td><td class="n">'
		|| three(baseline_percent) || '</td><td class="n">' || disclosed || '</td>' FROM sdc_attribute_risk('staff_b', sensitive => '{job}')
	UNION ALL SELECT 'near ' || attribute, attribute || ': ' || three(percent) || ' percent' FROM sdc_interval_disclosure('staff_b')
	UNION ALL SELECT 'map', release || ': ' || people_found || ' percent of people found, loss ' || loss || CASE WHEN on_frontier THEN ', on the frontier' ELSE '' END
		FROM (SELECT (SELECT nspname || '.' || relname FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = relnamespace WHERE c.oid = release) AS release, people_found, loss, on_frontier
			FROM sdc_ru_map WHERE source = 'staff'::regclass) AS m
	UNION ALL SELECT 'counts ' || attributes, '<th scope="row">' || attributes || '</th><td class="n">' || three(100 * mean_error) || '</td><td class="n">' || three(100 * median_error)
		|| '</td><td class="n">' || three(100 * p95_error) || '</td>' FROM sdc_query_errors('staff_b', seed => 'sdc_query_errors')
	UNION ALL SELECT 'associations', '<th scope="row">' || coalesce(length::text, 'all') || '</th><td class="n">' || original || '</td><td class="n">' || recovered
		|| '</td>' FROM sdc_association_recall('staff_b')
	UNION ALL SELECT 'correlation', 'differ by ' || three(bias) || ' on average' FROM sdc_correlation_bias('staff_b')
	UNION ALL SELECT 'pair', '<bdi>age</bdi></th><td><bdi>income</bdi></td><td class="n">' || round(corr(o.age, o.income)::numeric, 3) || '</td><td class="n">'
		|| round(corr(r.age, r.income)::numeric, 3) || '</td>' FROM staff AS o JOIN staff_b AS r USING (id))
SELECT w.what, w.html FROM wanted AS w, page AS p WHERE p.release = 'staff_b' AND p.audience = 'internal' AND strpos(p.page, w.html) = 0;

-- of groups it says how much of its column each has
SELECT p.audience, s.attribute, strpos(p.page, '<bdi>' || s.attribute || '</bdi></th><td class="n">' || s.percent || '</td>') > 0 AS told
FROM page AS p, sdc_private.group_spans('staff_g') AS s WHERE p.release = 'staff_g' ORDER BY 1, 2;

-- the correlations are those of SQL, missing values or not
WITH own AS (SELECT x, y, corr((to_jsonb(o) ->> x)::float8, (to_jsonb(o) ->> y)::float8) FILTER (WHERE both_there) AS original,
		corr((to_jsonb(r) ->> x)::float8, (to_jsonb(r) ->> y)::float8) FILTER (WHERE both_there) AS protected
	FROM staff AS o JOIN staff_b AS r USING (id), unnest('{age,income,savings,weight}'::text[]) AS x, unnest('{age,income,savings,weight}'::text[]) AS y,
		LATERAL (SELECT to_jsonb(o) ->> x IS NOT NULL AND to_jsonb(o) ->> y IS NOT NULL AND to_jsonb(r) ->> x IS NOT NULL AND to_jsonb(r) ->> y IS NOT NULL AS both_there) AS b
	WHERE x < y GROUP BY x, y)
SELECT c.x, c.y, abs(c.original - own.original) < 1e-12 AND abs(c.protected - own.protected) < 1e-12 AS right
FROM (SELECT x::text, y::text, number[1], number[2] FROM sdc_private.report_pictures('staff_b') WHERE what = 'pair') AS c (x, y, original, protected) FULL JOIN own ON own.x = least(c.x, c.y) AND own.y = greatest(c.x, c.y) ORDER BY 1, 2;

-- nothing of this leaves the house: seeds anywhere; outside no name of table, key or what was left out, no parameter of the windows, no record counts
SELECT release, audience, word FROM page, unnest(ARRAY['secret seed', 'staff', 'born', 'regress_sdc', 'p = ', 'candidate', 'certain', 'by the best attack',
	'columns known', 'of the ranks', 'frontier', 'p75', 'circle', '>id<']) AS word
WHERE strpos(page, word) > 0 AND audience = 'external' OR strpos(page, word) > 0 AND word = 'secret seed' ORDER BY 1, 2, 3;
SELECT release, audience, array_agg(word ORDER BY word) FROM page, unnest(ARRAY['born', 'p = 40', '>id<', 'candidate', 'columns known', 'l = 2']) AS word
WHERE strpos(page, word) > 0 GROUP BY 1, 2 ORDER BY 1, 2 DESC;
-- what somebody registered is not shown unless it is known to be harmless
CREATE TABLE staff_x AS SELECT id, income + 1 AS income, weight FROM staff;
ALTER TABLE staff_x ADD PRIMARY KEY (id);
SELECT sdc_register('staff', 'staff_x', method => 'noise <b>7</b>', parameters => '{"seed": "registered seed", "k": "<script>9</script>", "p": 4}');
SELECT a, r ~ 'registered seed' AS seed, r ~ 'noise &lt;b&gt;7' AS method, r ~ 'k = &lt;script&gt;9' AS k, r ~ 'p = 4' AS p, r ~ '<script|<b>' AS tag
FROM unnest(ARRAY['internal', 'external']) AS a, sdc_report('staff_x', a) AS r;

-- names are text
CREATE TABLE "s<script>alert(1)</script>""]]>'&" AS
SELECT id, income AS "i<script>alert(2)</script>", weight AS "w""]]>'&amp;", age AS "a--><!--", job AS "</title><h2>" FROM staff;
ALTER TABLE "s<script>alert(1)</script>""]]>'&" ADD PRIMARY KEY (id);
SELECT sdc_classify('"s<script>alert(1)</script>""]]>''&"', '</title><h2>', 'sensitive');
SELECT count(*) FROM sdc_rankswap('"s<script>alert(1)</script>""]]>''&"'::regclass, p => 10, keep => '{</title><h2>}', target => '"r</svg><script>alert(3)</script>"', seed => 1);
SELECT xml_is_well_formed_document(parsed(r)::text) AS well_formed, r ~* '<script' AS script, regexp_count(r, '<h2') AS h2, regexp_count(r, '<title') AS titles,
	r ~ '<title>Release public.&quot;r&lt;/svg&gt;&lt;script&gt;alert\(3\)&lt;/script&gt;&quot;</title>' AS name,
	strpos(r, '<bdi>w&quot;]]&gt;&#39;&amp;amp;</bdi>') > 0 AS attribute
FROM sdc_report('"r</svg><script>alert(3)</script>"') AS r;
SELECT xml_is_well_formed_document(m) AS well_formed, m ~* '<script' AS script FROM sdc_ru_map_svg('"s<script>alert(1)</script>""]]>''&"') AS m;
SELECT xml_is_well_formed_document(m) AS well_formed, m ~ 'role="img"' AS picture, regexp_count(m, '<rect|<circle') AS releases,
	(SELECT count(*) FROM sdc_ru_map WHERE source = 'staff'::regclass) AS wanted FROM sdc_ru_map_svg('staff') AS m;

-- numbers
SELECT x, sdc_private.report_number(x) FROM unnest(ARRAY[0, 1, 100, 99.96, 12345.678, -0.123456, 0.00001234, 1e20, 'NaN', 'Infinity', '-Infinity', NULL]::float8[]) AS x;

-- a loss beyond all numbers is drawn at the edge; means and deviations of very large and very small numbers are those of numeric
CREATE TABLE vast AS SELECT i AS id, (ARRAY['-Infinity', '1e308', '1', 'Infinity', '-1e300'])[1 + i % 5]::float8 AS v, 1e200 * (i % 7) AS w, 1e-200 * (i % 7) AS x
FROM generate_series(1, 60) AS i;
ALTER TABLE vast ALTER w TYPE float8, ALTER x TYPE float8, ADD PRIMARY KEY (id);
SELECT count(*) FROM sdc_rankswap('vast', p => 30, columns => '{v,w,x}', target => 'vast_out', seed => 1);
SELECT il > 1e307 AS beyond FROM sdc_score('vast_out');
SELECT xml_is_well_formed_document(sdc_ru_map_svg('vast')) AS map, xml_is_well_formed_document(parsed(sdc_report('vast_out'))::text) AS report;
SELECT s.attribute, abs(s.original / d.mean - 1) < 1e-14 AND s.protected = s.original AS mean, abs(s.standard_error / d.deviation * sqrt(60) - 1) < 1e-14 AS error
FROM sdc_statistic_errors('vast_out') AS s, (SELECT avg(w::numeric)::float8, stddev(w::numeric)::float8, 'w' FROM vast
	UNION ALL SELECT avg(x::numeric)::float8, stddev(x::numeric)::float8, 'x' FROM vast) AS d (mean, deviation, attribute)
WHERE s.statistic = 'mean' AND d.attribute = s.attribute ORDER BY s.attribute;
DROP TABLE vast, vast_out;

-- of many columns only short associations are looked for: 2^16 - 1 sets of 16 columns are fewer than 100,000, and of 20 there are 60,459 of
-- up to six columns and 137,979 of up to seven
SELECT columns, sdc_private.association_length(columns) FROM unnest('{NULL,0,1,15,16,17,20,60,446,447,1600,2147483647}'::int[]) AS columns;
DO $$
BEGIN
	EXECUTE format('CREATE TABLE broad AS SELECT i AS id, %s, i %% 3 AS s FROM generate_series(1, 60) AS i',
		(SELECT string_agg(format('(abs(hashint8extended(i, %s)) %% %s)::int AS c%1$s', c, c % 3 + 2), ', ') FROM generate_series(1, 20) AS c));
END
$$;
ALTER TABLE broad ADD PRIMARY KEY (id);
SELECT sdc_classify('broad', 's', 'sensitive');
SELECT count(*) FROM sdc_rankswap('broad', p => 10, columns => (SELECT array_agg('c' || c ORDER BY c)::name[] FROM generate_series(1, 20) AS c), target => 'broad_20', seed => 1);
SELECT count(*) FROM sdc_rankswap('broad', p => 10, columns => (SELECT array_agg('c' || c ORDER BY c)::name[] FROM generate_series(1, 16) AS c), target => 'broad_16', seed => 1);
SELECT sdc_evaluate('broad_20') IS NOT NULL AS evaluated;
SELECT release, substring(sdc_report(release::regclass), 'Left out: associations[^<]*') AS note, (SELECT array_agg(m[1] ORDER BY n) =
		(SELECT array_agg(a.original || ',' || a.recovered || ',' || a.artificial ORDER BY a.length NULLS LAST) FROM sdc_association_recall(release::regclass, max_length => longest) AS a)
	FROM (SELECT ARRAY[concat_ws(',', m[1], m[2], m[3])], n FROM regexp_matches(substring(sdc_report(release::regclass), '<caption>Associations of .*?</table>'),
		'</th><td class="n">([0-9]+)</td><td class="n">([0-9]+)</td><td class="n">[^<]*</td><td class="n">([0-9]+)</td>', 'g') WITH ORDINALITY AS u (m, n)) AS row (m, n)) AS same
FROM (VALUES ('broad_16', NULL), ('broad_20', 6)) AS v (release, longest);
SELECT max(length) AS longest, bool_and(original = (SELECT a.original FROM sdc_association_recall('broad_20', max_length => 6) AS a WHERE a.length IS NOT DISTINCT FROM v.length)) AS same
FROM sdc_association_recall AS v WHERE release = 'broad_20'::regclass;
-- every column has its margins, in the order of the table
SELECT array_agg(m[1] ORDER BY n) = (SELECT array_agg('c' || c ORDER BY c) || 's'::text FROM generate_series(1, 20) AS c) AS in_order
FROM regexp_matches(substring(sdc_report('broad_20'), '<caption>Values and margins.*?</table>'), '<tr><th scope="row"><bdi>([^<]*)</bdi>', 'g') WITH ORDINALITY AS u (m, n);
DROP TABLE broad, broad_16, broad_20;

-- wrong arguments, rights
SELECT sdc_report('staff');
SELECT sdc_report(NULL);
SELECT sdc_report('staff_a', 'everybody');
SELECT sdc_report('staff_a', NULL);
SELECT sdc_ru_map_svg(NULL);
SELECT sdc_ru_map_svg('page');
CREATE ROLE regress_sdc_report_reader;
GRANT SELECT ON staff_a TO regress_sdc_report_reader;
SET ROLE regress_sdc_report_reader;
SELECT sdc_report('staff_a', 'external');
SELECT sdc_ru_map_svg('staff');
RESET ROLE;
GRANT SELECT ON staff TO regress_sdc_report_reader;
SET ROLE regress_sdc_report_reader;
-- other releases, which she may not read, are not in her map
SELECT regexp_count(sdc_report('staff_a'), '<circle[^>]*class="ring"') AS own, sdc_report('staff_a') ~ 'staff_b' AS others;
RESET ROLE;
UPDATE page SET page = sdc_report(release::regclass, audience);
-- a function of somebody else's in the schema of the extension is not nearer to a call, nor would one of a superuser's be in that of the plumbing
CREATE FUNCTION trap_for(schema text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('CREATE FUNCTION %I.report_number(value numeric) RETURNS text LANGUAGE sql AS $f$ SELECT ''trapped'' $f$;
		CREATE FUNCTION %1$I.report_text(value name) RETURNS text LANGUAGE sql AS $f$ SELECT ''trapped'' $f$;
		CREATE FUNCTION %1$I.people_found(release regclass, known text[], everybody boolean, sample int, seed varchar) RETURNS TABLE (attack text, percent float8) LANGUAGE sql AS $f$ SELECT ''any'', 7 $f$;
		CREATE FUNCTION %1$I.report_part(release regclass, part varchar, people jsonb, inside boolean) RETURNS text LANGUAGE sql AS $f$ SELECT ''trapped'' $f$;
		CREATE FUNCTION %1$I.report_table(caption varchar, head name[], rows text) RETURNS text LANGUAGE sql AS $f$ SELECT ''trapped'' $f$;
		CREATE FUNCTION %1$I.attribute_risk(release regclass, known name[], sensitive name[]) RETURNS TABLE (found_percent float8) LANGUAGE sql AS $f$ SELECT 7 $f$;
		CREATE FUNCTION %1$I.association_recall(release regclass) RETURNS TABLE (length int) LANGUAGE sql AS $f$ SELECT 7 $f$', schema);
END
$$;
SELECT trap_for('public'), trap_for('sdc_private');
CREATE FUNCTION report(release regclass, audience text, run bigint) RETURNS text LANGUAGE sql AS $$ SELECT 'trapped' $$;
CREATE FUNCTION sdc_report(release regclass, audience varchar, run int) RETURNS text LANGUAGE sql AS $$ SELECT 'trapped' $$;
CREATE FUNCTION sdc_attribute_risk(release regclass, known name[], sensitive name[]) RETURNS TABLE (found_percent float8) LANGUAGE sql AS $$ SELECT 7 $$;
CREATE FUNCTION sdc_association_recall(release regclass) RETURNS TABLE (length int) LANGUAGE sql AS $$ SELECT 7 $$;
SELECT release, audience, sdc_report(release::regclass, audience) = page AS same FROM page ORDER BY 1, 2;
DO $$
DECLARE
	schema text;
BEGIN
	FOREACH schema IN ARRAY '{public,sdc_private}'::text[] LOOP
		EXECUTE format('DROP FUNCTION %I.report_number(numeric), %1$I.report_text(name), %1$I.people_found(regclass, text[], boolean, int, varchar),
			%1$I.report_part(regclass, varchar, jsonb, boolean), %1$I.report_table(varchar, name[], text), %1$I.attribute_risk(regclass, name[], name[]),
			%1$I.association_recall(regclass)', schema);
	END LOOP;
END
$$;
DROP FUNCTION trap_for(text), report(regclass, text, bigint), sdc_report(regclass, varchar, int), sdc_attribute_risk(regclass, name[], name[]), sdc_association_recall(regclass);

-- a source that has changed has no report
UPDATE staff SET income = income + 1 WHERE id = 1;
SELECT sdc_report('staff_a');
DROP FUNCTION three(float8), parsed(text), outline(text);
DROP TABLE page, staff, "s<script>alert(1)</script>""]]>'&" CASCADE;
DROP TABLE IF EXISTS staff_a, staff_b, staff_g, staff_x, "r</svg><script>alert(3)</script>";
DROP ROLE regress_sdc_report_reader;
