--
-- report_page
--
-- What a report shows is what plain SQL says of the tables; its verdict is that of the run; a publication leads to the release that it
-- was made of, and who may read nothing else gets what stands beside it.
--
\pset format unaligned
\pset footer off
CREATE SCHEMA report_page;
SET search_path = report_page, public;
SET max_parallel_workers_per_gather = 0;	-- many reports, which are not about plans
CREATE TABLE person AS
SELECT i AS id, 20 + abs(hashint4(i)) % 50 AS age, abs(hashint4(i + 1000)) % 900 + 5 * (abs(hashint4(i)) % 50) AS income, NULLIF(i % 7, 3) AS town, (ARRAY['flu', 'none', 'gout'])[1 + abs(hashint4(i * 3)) % 3] AS sick,
	abs(hashint4(i * 5)) % 2 AS married, 'w' || i % 11 AS ward
FROM generate_series(1, 400) AS i;
ALTER TABLE person ADD PRIMARY KEY (id);
CREATE TABLE moved AS SELECT id, least(age + id % 3, 69) AS age, income + 40 * (id % 4) AS income, town, sick, CASE WHEN id % 5 = 0 THEN 1 - married ELSE married END AS married,
	CASE WHEN id % 10 = 0 THEN 'w0' ELSE ward END AS ward FROM person;
ALTER TABLE moved ADD PRIMARY KEY (id);
SELECT sdc_classify('person', 'sick', 'sensitive');
SELECT sdc_register('person', 'moved', columns => '{age,income,married,ward}', method => 'noise');
CREATE TEMP TABLE picture AS SELECT * FROM sdc_private.report_pictures('moved');
SELECT what, count(DISTINCT (x, y)) AS pictures, count(*) AS marks FROM picture GROUP BY what ORDER BY what;

-- bars: as many records as have the value, up to eight values, or the seven most frequent ones and all others
WITH cell AS (SELECT c.x, c.v, count(*) FILTER (WHERE f = 0) AS before, count(*) FILTER (WHERE f = 1) AS after
	FROM (SELECT 0 AS f, to_jsonb(p) AS r FROM person AS p UNION ALL SELECT 1, to_jsonb(m) FROM moved AS m) AS t,
		LATERAL (SELECT x, t.r ->> x FROM unnest('{town,sick,married,ward}'::text[]) AS x) AS c (x, v) WHERE c.v IS NOT NULL GROUP BY c.x, c.v),
bar AS (SELECT x::text, coalesce(label ->> x, number[1]::text) AS v, number[2] AS before, number[3] AS after, place FROM picture WHERE what = 'bar')
SELECT b.x, count(*) AS bars, count(*) FILTER (WHERE b.before = c.before AND b.after = c.after) AS right, max(place) = 8 AS others,
	sum(b.before) = (SELECT sum(before) FROM cell WHERE cell.x = b.x) AND sum(b.after) = (SELECT sum(after) FROM cell WHERE cell.x = b.x) AS all
FROM bar AS b LEFT JOIN cell AS c USING (x, v) GROUP BY b.x ORDER BY b.x;
-- bins: twenty of one width, which have all records; those beyond are in the last ones
SELECT b.x, count(*) AS bins, max(b.number[2] - b.number[1]) - min(b.number[2] - b.number[1]) < 1e-9 AS one_width,
	bool_and(b.number[3] = s.before AND b.number[4] = s.after) AS right, sum(b.number[3]) AS before, sum(b.number[4]) AS after
FROM picture AS b, LATERAL (SELECT count(*) FILTER (WHERE f = 0) AS before, count(*) FILTER (WHERE f = 1) AS after
	FROM (SELECT 0 AS f, (to_jsonb(p) ->> b.x)::float8 AS v FROM person AS p UNION ALL SELECT 1, (to_jsonb(m) ->> b.x)::float8 FROM moved AS m) AS t
	WHERE (t.v >= b.number[1] - 1e-9 OR b.place = 0) AND (t.v < b.number[2] - 1e-9 OR b.place = 19)) AS s
WHERE b.what = 'bin' GROUP BY b.x ORDER BY b.x;
-- what a column is like: different values, the share of the most frequent one, shares of missing ones
SELECT p.x, p.number[1] = count(DISTINCT c.v) AS different, abs(p.number[2] - max(c.most) / 400.0) < 1e-12 AS most, p.number[3] AS missing
FROM picture AS p, LATERAL (SELECT to_jsonb(o) ->> p.x AS v, count(*) OVER (PARTITION BY to_jsonb(o) ->> p.x) * (to_jsonb(o) ->> p.x IS NOT NULL)::int AS most FROM person AS o) AS c
WHERE p.what = 'column' GROUP BY p.x, p.number ORDER BY p.x;
-- points are records, the same ones before and after; of columns with few values there are none
SELECT p.x, p.y, count(*) AS points, count(*) FILTER (WHERE o.id IS NOT NULL) AS right
FROM picture AS p JOIN picture AS q ON q.what = 'after' AND q.x = p.x AND q.y = p.y AND q.place = p.place
LEFT JOIN LATERAL (SELECT o.id FROM person AS o JOIN moved AS m USING (id) WHERE (to_jsonb(o) ->> p.x)::float8 = p.number[1] AND (to_jsonb(o) ->> p.y)::float8 = p.number[2]
	AND (to_jsonb(m) ->> p.x)::float8 = q.number[1] AND (to_jsonb(m) ->> p.y)::float8 = q.number[2] LIMIT 1) AS o ON true
WHERE p.what = 'before' GROUP BY p.x, p.y ORDER BY 1, 2;
-- statistics are those of sdc_statistic_errors
SELECT count(*) AS statistics, count(*) FILTER (WHERE p.number[1] IS NOT DISTINCT FROM s.original AND p.number[2] IS NOT DISTINCT FROM s.protected) AS same
FROM picture AS p FULL JOIN sdc_statistic_errors('moved') AS s ON s.attribute = p.x AND s.statistic = p.y WHERE coalesce(p.what, 'statistic') = 'statistic';

-- and so it stands in the page
CREATE FUNCTION three(x float8) RETURNS text LANGUAGE sql AS $$
	SELECT CASE WHEN x = 0 THEN '0' ELSE trim_scale(round(x::numeric, 2 - floor(log(abs(x)))::int))::text END
$$;
CREATE TEMP TABLE page AS SELECT sdc_report('moved') AS page;
WITH wanted (what, html) AS (
	SELECT 'mean', '<bdi>income</bdi></th><td class="n">' || round(o.a, -(floor(log(o.a))::int - 2)) || ' &rarr; ' || round(r.a, -(floor(log(r.a))::int - 2)) || '</td>'
		FROM (SELECT avg(income) FROM person) AS o (a), (SELECT avg(income) FROM moved) AS r (a)
	UNION ALL SELECT 'bar', 'gout: ' || count(*) || ' and ' || count(*) FROM person WHERE sick = 'gout'
	UNION ALL SELECT 'distributions', '<p>2 of 6 columns have the distribution of the source exactly.</p>'
	UNION ALL SELECT 'regression', (SELECT string_agg('<tr><th scope="row"><bdi>' || r.term || '</bdi></th><td class="n">' || three(r.original) || '</td><td class="n">' || three(r.original_error)
			|| '</td><td class="n">' || three(r.protected) || '</td><td class="n">' || three(r.protected_error) || '</td><td class="n">' || three(100 * r.overlap) || '</td></tr>', E'\n')
		FROM page, LATERAL (SELECT substring(page, 'Linear regression of .*?</table>') AS part) AS t,
			-- the column that has most in common with the others, by these
			LATERAL sdc_regression_errors('moved', substring(part, '<bdi>([a-z]+)')::name, ARRAY(SELECT m[1]::name FROM regexp_matches(part, 'row"><bdi>([a-z]+)', 'g') AS m)) AS r)
	UNION ALL SELECT 'candidates', string_agg(label || ': ' || round(100.0 * n / 400, 2 - greatest(floor(log(nullif(n, 0) / 4.0))::int, 0))::float8 || ' percent', '; ' ORDER BY k)
		FROM (SELECT l.label, l.k, count(r.record) AS n FROM (VALUES ('1', 1, 1, 1), ('2', 2, 2, 2), ('3 to 5', 3, 3, 5)) AS l (label, k, low, high)
			LEFT JOIN sdc_record_risk('moved') AS r ON r.candidates BETWEEN l.low AND l.high GROUP BY l.label, l.k HAVING count(r.record) > 0) AS c WHERE k = 1
	UNION ALL SELECT 'no nearness of two values', 'nearness says nothing: <bdi>married</bdi>'
	UNION ALL SELECT 'verdict', 'No limit was set. Not published.')
SELECT w.what, w.html FROM wanted AS w, page AS p WHERE strpos(p.page, w.html) = 0;
-- a picture for each: a hundred people, of whom as many are coloured as are found
SELECT regexp_count(crowd, 'class="(s2|ring)"') AS people, regexp_count(crowd, 'class="s2"') = round(f.percent) AS found
FROM page, LATERAL (SELECT substring(page, '<title id="crowd-t">.*?</svg>') AS crowd) AS c, sdc_people_found('moved') AS f WHERE f.attack = 'any';

-- the axis of a picture goes on to the next round number, in a few steps; what is counted has whole ones
SELECT high, whole, sdc_private.report_ticks(high, whole) AS ticks FROM (VALUES (3::float8, true), (13, true), (0.4, true), (3, false), (98.9, false), (0.0123, false), (0, false), (1e300, false)) AS v (high, whole);

-- a publication: its report is that of the release; its verdict that of the run, and outside only what may be told
CREATE ROLE regress_report_page_reader;
CREATE ROLE regress_report_page_stranger;
GRANT USAGE ON SCHEMA report_page TO regress_report_page_reader, regress_report_page_stranger;
SELECT sdc_policy_set('paging', 'person', '[{"method": "rankswap", "columns": ["income", "age"], "p": 40}]', 'report_page.public_person', keep => '{sick,married}',
	limits => '{"people_found": 60, "certain_percent": 50}', omit => '{town,ward}', grant_to => '{regress_report_page_reader}', on_unchanged => 'publish');
CALL sdc_run('paging');
CALL sdc_run('paging');
SELECT max(run) AS run FROM sdc_runs WHERE policy = 'paging'
\gset
SELECT release FROM sdc_runs WHERE run = :run
\gset
SELECT a, sdc_report('public_person', a) = sdc_report(:'release', a) AS release, sdc_report('public_person', a) = sdc_report(run => :run, audience => a) AS run FROM unnest('{internal,external}'::text[]) AS a;
CREATE TEMP TABLE public_page AS SELECT a AS audience, sdc_report('public_person', a) AS page FROM unnest('{internal,external}'::text[]) AS a;
SELECT p.audience, w.what, strpos(p.page, w.html) > 0 AS there
FROM public_page AS p, sdc_runs AS r, sdc_publications AS u, LATERAL (SELECT three(v.value) FROM (SELECT (jsonb_path_query_first(r.limits, '$[*] ? (@.measure == "people_found").value'))::float8) AS v (value)) AS f (found),
	LATERAL (VALUES (1, 'title', '<h1>report_page.public_person</h1>'), (2, 'verdict', 'At most <strong>60 %</strong> of the records may be found. An intruder who knows all that was not withheld from him finds at most <strong>'
			|| f.found || ' %</strong> of the records; by chance 0.25 %. <strong>Published.</strong>'), (3, 'limit', 'the limit is 60 percent'), (4, 'date', '<dt>Published</dt><dd>' || to_char(u.published_at, 'YYYY-MM-DD')),
		(5, 'records', '<dt>Records</dt><dd>400</dd>'), (6, 'SHA-256', '<dd>' || encode(u.sha256, 'hex') || '</dd>'),
		(7, 'salted', '<dd>' || (sdc_release_record(r.run) ->> 'sha256_salted')), (8, 'salt', r.salt), (9, 'run', '<dt>Run</dt><dd>' || r.run), (10, 'policy', 'paging'),
		(11, 'other limit', 'percent of the people with one candidate only'), (12, 'source', 'report_page.person'), (13, 'history', 'People found, run by run'), (14, 'release', 'paging_run')) AS w (n, what, html)
WHERE r.run = :run AND u.publication = 'public_person'::regclass ORDER BY p.audience DESC, w.n;

-- who may read it and nothing else: what was done and how exact it is, by the table beside it, whatever she asks for
SET ROLE regress_report_page_reader;
CREATE TEMP TABLE her_page AS SELECT sdc_report('public_person') AS page;
SELECT h[1] AS heading FROM her_page, regexp_matches(page, '<h[123]>(.*?)</h[123]>', 'g') AS h;
SELECT sdc_report('public_person', 'external') = page AS same, strpos(page, sha.sha) > 0 AS sha256, page ~ 'paging|report_page\.person|town|percent of the people' AS more, page ~ '<bdi>income</bdi></th><td>rankswap, p = 40</td>' AS method FROM her_page,
	(SELECT encode(sha256, 'hex') FROM sdc_publications WHERE publication = 'public_person'::regclass) AS sha (sha);
SELECT count(*) AS figures, count(*) FILTER (WHERE strpos(p.page, coalesce(trim_scale(a.value::numeric)::text, 'withheld') || ' (' || coalesce(trim_scale(r.value::numeric)::text, '&ndash;') || ')') > 0) AS told
FROM her_page AS p, public_person_accuracy AS a JOIN public_person_accuracy AS r ON r.part = a.part AND r.attribute IS NOT DISTINCT FROM a.attribute AND r.measure = a.measure || '_rounding';
DROP TABLE her_page;
RESET ROLE;
GRANT SELECT ON public_person TO regress_report_page_stranger;
SET ROLE regress_report_page_stranger;
SELECT sdc_report('public_person');
RESET ROLE;
-- and so of one whose release is gone
DROP TABLE :release;
SELECT sdc_report('public_person') ~ '<h2>Risk</h2>' AS risk, sdc_report('public_person') ~ 'rankswap, p = 40' AS method;

-- of what was published by hand the verdict is that of the log
SELECT count(*) FROM sdc_rankswap('person', p => 30, columns => '{income,age}', keep => '{sick,ward,married}', target => 'by_hand', seed => 1);
SELECT FROM sdc_evaluate('by_hand');
SELECT columns FROM sdc_publish('by_hand', 'public_by_hand', keep => '{sick,ward,married}', max_people_found => 100);
SELECT a, r ~ 'At most <strong>100 %</strong> of the records may be found' AS limited, r ~ '<strong>Published.</strong>' AS published, r ~ ' by hand, started by' AS by_hand
FROM unnest('{internal,external}'::text[]) AS a, sdc_report('public_by_hand', a) AS r;

-- parameters that are for outside, and those that are not
SELECT count(*) FROM sdc_noise('person', 0.3, columns => '{income}', keep => '{}', target => 'noisy', seed => 1);
SELECT count(*) FROM sdc_pram('person', '{sick}', retain => 0.8, keep => '{}', target => 'prammed', seed => 1);
SELECT count(*) FROM sdc_generalize('person', '{age,married}', k => 5, hierarchies => '{"age": {"width": [10, 20]}}', scheme => 'lattice', suppress_percent => 2, keep => '{}', target => 'lattice');
SELECT r AS release, a AS audience, array_agg(w ORDER BY w COLLATE "C") FILTER (WHERE strpos(p, w) > 0) AS told
FROM unnest('{noisy,prammed,lattice}'::text[]) AS r, unnest('{internal,external}'::text[]) AS a, LATERAL (SELECT sdc_private.report_done(r::regclass, a = 'internal')) AS d (p),
	unnest('{amount = 0.3,laws = ,retain = 0.8,levels = ,hierarchies = ,suppress_percent = 2,losses = }'::text[]) AS w GROUP BY r, a ORDER BY r, a DESC;
-- what is measured of few records only
SET sdc.view_records = 100;
SELECT o[1] AS left_out FROM sdc_report('noisy') AS page, regexp_matches(page, '<h3>([A-Za-z ]*)</h3>\s(?:<p class="note">[^<]*</p>\s)?<p class="none">Left out: it is measured of at most 100 records', 'g') AS o;
RESET sdc.view_records;

SELECT sdc_policy_drop('paging');
SET client_min_messages = warning;
DROP SCHEMA report_page CASCADE;
DROP ROLE regress_report_page_reader, regress_report_page_stranger;
