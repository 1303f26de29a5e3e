--
-- recode
--
-- Recoding and hierarchies beside plain SQL: what every rule makes of a value, thresholds, tables with labels and what is
-- wrong with them, who is found, and what is refused.
--
\pset format unaligned
\pset footer off
CREATE SCHEMA recode;
SET search_path = recode, public;
SET TimeZone = 'Asia/Tokyo';
SET extra_float_digits = 1;
SET DateStyle = 'ISO, DMY';

CREATE DOMAIN "odd name" AS float8;
CREATE DOMAIN positive AS int CHECK (value > 0);
CREATE TABLE value (id int PRIMARY KEY, small int2, middle int4, large int8, single float4, double float8, "Dou ble" "odd name",
	decimal numeric, cents numeric(12,2), cash money, day date, stamp timestamp, zoned timestamptz, word text, name varchar(8), blank char(6));
INSERT INTO value SELECT i, helper.below(i, 1, 400) - 200, helper.below(i, 2, 2000000) - 1000000, (helper.word(i, 3) - 2147483648) * 4000000000, (helper.below(i, 4, 2000) - 1000)::float4 / 10,
	(helper.below(i, 5, 4000) - 2000) * 0.1::float8, helper.below(i, 6, 400) * 0.1::float8 + helper.below(i, 7, 3) * 0.2::float8, (helper.below(i, 8, 400000) - 200000) * 0.0025, (helper.below(i, 9, 20000) - 10000) * 0.05,
	helper.below(i, 10, 5000) * 0.05, date '0001-03-01' + (helper.below(i, 11, 1500000) - 500000), timestamp '1999-12-31 23:59' + (helper.word(i, 12) - 2147483648) * interval '9.7 s', timestamptz '2020-03-29 00:30Z' + (helper.word(i, 13) - 2147483648) * interval '0.31 s',
	substr('äöüßabcdefgh', 1 + helper.below(i, 14, 4), helper.below(i, 15, 9)), substr('zyxwvutsr', 1 + helper.below(i, 16, 3), 1 + helper.below(i, 17, 7)), substr('abcdef', 1, 1 + helper.below(i, 18, 6))
FROM generate_series(1, 1500) AS i;
INSERT INTO value (id, small, middle, large, single, double, decimal, day, stamp, zoned) VALUES (2001, 32767, 2147483647, 9223372036854775807, 'inf', 'inf', 'inf', 'infinity', 'infinity', 'infinity'),
	(2002, -32768, -2147483648, -9223372036854775808, '-inf', '-inf', '-inf', '-infinity', '-infinity', '-infinity'), (2003, 0, 0, 0, 'NaN', 'NaN', 'NaN', '4714-11-24 BC', '4714-11-24 BC', '4713-01-01 BC'),
	(2004, NULL, NULL, NULL, '-0', '-0', '0.000', '5874897-12-31', '294276-12-31', '294276-12-30'), (2005, -1, -1, -1, 1e-30, 0.1::float8 + 0.2::float8, 1e-30, '0001-12-31 BC', '0010-01-01 BC', '0001-01-01 BC'),
	(2006, NULL, NULL, NULL, NULL, 1e300, 1e100, '0001-01-01', '0011-06-01 BC', NULL);

-- recoded makes a release of one column, and tells what is in it beside the source, as text.
CREATE FUNCTION recoded(name text, rule jsonb) RETURNS TABLE (id int, source text, released text) LANGUAGE plpgsql AS $$
BEGIN
	PERFORM sdc_recode('value'::regclass, jsonb_build_object(name, rule), target => 'recode.recoded', replace => to_regclass('recode.recoded') IS NOT NULL, keep => '{}', omit => ARRAY(SELECT attname FROM pg_attribute WHERE attrelid = 'value'::regclass AND attnum > 0 AND attname NOT IN ('id', name)));
	RETURN QUERY EXECUTE format('SELECT s.id, s.%1$I::text, r.%1$I::text FROM value AS s LEFT JOIN recoded AS r USING (id)', name);
END
$$;

--
-- Numbers: the range of a width by its definition, in exact arithmetic; random widths and origins, with bottoms and tops.
--
CREATE FUNCTION cell(x numeric, w numeric, o numeric, bottom numeric, top numeric) RETURNS numrange LANGUAGE sql IMMUTABLE AS $$
	SELECT CASE WHEN x IS NULL THEN NULL WHEN x IN ('NaN', 'Infinity', '-Infinity') THEN numrange(x, x, '[]') WHEN x >= top THEN numrange(top, NULL) WHEN x < bottom THEN numrange(NULL, bottom)
		ELSE numrange(greatest(o + b * w, bottom), least(o + (b + 1) * w, top)) END
	FROM (SELECT div(x - o, w) - CASE WHEN div(x - o, w) * w > x - o THEN 1 ELSE 0 END AS b) AS f
$$;
-- whole is the range of whole numbers that has the same ones, within those of a type.
CREATE FUNCTION whole(r numrange, smallest numeric, largest numeric) RETURNS text LANGUAGE sql IMMUTABLE AS $$
	SELECT format('[%s,%s)', CASE WHEN ceil(lower(r)) >= smallest THEN ceil(lower(r)) END, CASE WHEN ceil(upper(r)) <= largest THEN ceil(upper(r)) END)
$$;
CREATE FUNCTION differing(name text, smallest numeric, largest numeric, w numeric, o numeric, bottom numeric, top numeric, as_lower boolean) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	rule jsonb := jsonb_strip_nulls(jsonb_build_object('width', w, 'origin', o, 'bottom', bottom, 'top', top, 'as', CASE WHEN as_lower THEN 'lower' END));
	differing bigint;
BEGIN
	SELECT count(*) INTO differing FROM recoded(name, rule) AS r, LATERAL (SELECT CASE WHEN name = 'cash' THEN r.source::money::numeric ELSE r.source::numeric END AS x) AS x, cell(x, w, o, bottom, top) AS c
	WHERE CASE WHEN as_lower THEN CASE WHEN name = 'single' THEN r.released::float4 IS DISTINCT FROM lower(c)::float4 ELSE r.released::float8 IS DISTINCT FROM lower(c)::float8 END
		WHEN smallest IS NOT NULL THEN replace(r.released, '(,', '[,') IS DISTINCT FROM CASE WHEN x IS NOT NULL THEN whole(c, smallest, largest) END
		ELSE r.released::numrange IS DISTINCT FROM c END;
	RETURN differing;
END
$$;
CREATE TABLE number_of (name text, smallest numeric, largest numeric, step numeric, spread numeric);
INSERT INTO number_of VALUES ('small', -2147483648, 2147483647, 1, 200), ('middle', -2147483648, 2147483647, 1, 1000000), ('large', -9223372036854775808, 9223372036854775807, 1, 4000000000000000000),
	('single', NULL, NULL, 0.1, 100), ('double', NULL, NULL, 0.1, 200), ('Dou ble', NULL, NULL, 0.1, 40), ('decimal', NULL, NULL, 0.01, 500), ('cents', NULL, NULL, 0.05, 500);
SELECT name, count(*) AS rules, sum(differing(name, smallest, largest, CASE WHEN i % 3 = 0 THEN step * round(1 + 10.0 ^ (i % 5)) WHEN i % 3 = 1 THEN round(spread / (2 + i), 2) + step ELSE step * (1 + i % 7) / 4 END, step * (helper.below(i, 21, 100) - 50) / CASE WHEN i % 4 = 0 THEN 8 ELSE 1 END,
	CASE WHEN i % 5 < 2 THEN -round(spread / 2) - step * (i % 9) END, CASE WHEN i % 5 > 0 THEN round(spread / 3) + step * (i % 9) / 2 END, false)) AS differing
FROM number_of, generate_series(1, 7) AS i GROUP BY name ORDER BY name;
SELECT name, sum(differing(name, NULL, NULL, step * (1 + i % 4), step * (i - 3), NULL::numeric, CASE WHEN i > 3 THEN round(spread / 3) END, true)) AS differing FROM number_of, generate_series(1, 6) AS i
WHERE name NOT IN ('small', 'middle', 'large') GROUP BY name ORDER BY name;
-- cents, whose lower ends are exact, and whole numbers
SELECT count(*), count(*) FILTER (WHERE r.released::numeric IS DISTINCT FROM lower(cell(r.source::numeric, 0.25, 0.1, NULL, 100))) AS differing FROM recoded('cents', '{"width": 0.25, "origin": 0.1, "top": 100, "as": "lower"}') AS r;
SELECT count(*), count(*) FILTER (WHERE r.released::numeric IS DISTINCT FROM lower(cell(r.source::numeric, 7, -32768, NULL, NULL))) AS differing FROM recoded('small', '{"width": 7, "origin": -32768, "as": "lower"}') AS r;
SELECT count(*), count(*) FILTER (WHERE r.released::numrange IS DISTINCT FROM cell(r.source::money::numeric, 0.3, 0, NULL, 100)) AS differing FROM recoded('cash', '{"width": 0.3, "top": 100}') AS r;
-- by hand
SELECT name, r.id, r.source, r.released FROM (VALUES ('double', '{"width": 0.1}'::jsonb), ('large', '{"width": 10}'), ('middle', '{"width": 2.5, "origin": 0.5}'), ('decimal', '{"width": 5, "bottom": -100, "top": 100}')) AS n (name, rule), recoded(name, rule) AS r WHERE r.id > 2000 ORDER BY 1, 2;

--
-- Dates and times: the start of a unit is date_trunc, whatever the settings; the end is one unit later.
--
-- the first day that there is has no start of a month: it is left out where the type stays
DELETE FROM value WHERE id = 2003;
SELECT unit, count(*), count(*) FILTER (WHERE CASE WHEN d.id <= 2000 OR d.id IN (2001, 2002, 2005, 2006) THEN d.released::date IS DISTINCT FROM date_trunc(unit, d.source::timestamp)::date END) AS differing
FROM unnest('{week,month,quarter,year,decade}'::text[]) AS unit, recoded('day', jsonb_build_object('trunc', unit)) AS d GROUP BY unit ORDER BY unit;
SELECT unit, count(*), count(*) FILTER (WHERE d.released::daterange IS DISTINCT FROM daterange(date_trunc(unit, d.source::timestamp)::date, (date_trunc(unit, d.source::timestamp) + CASE unit WHEN 'quarter' THEN interval '3 months' ELSE ('1 ' || unit)::interval END)::date)) AS differing
FROM unnest('{week,month,quarter,year,decade}'::text[]) AS unit, recoded('day', jsonb_build_object('trunc', unit, 'as', 'range')) AS d WHERE d.id <= 2000 OR d.id = 2005 GROUP BY unit ORDER BY unit;
SELECT unit, count(*), count(*) FILTER (WHERE d.released::tsrange IS DISTINCT FROM tsrange(date_trunc(unit, d.source::timestamp), date_trunc(unit, d.source::timestamp) + CASE unit WHEN 'quarter' THEN interval '3 months' ELSE ('1 ' || unit)::interval END)) AS differing
FROM unnest('{day,week,month,quarter,year,decade}'::text[]) AS unit, recoded('stamp', jsonb_build_object('trunc', unit, 'as', 'range')) AS d WHERE d.id <= 2000 OR d.id IN (2005, 2006) GROUP BY unit ORDER BY unit;
SELECT unit, zone, count(*), count(*) FILTER (WHERE d.released::tstzrange IS DISTINCT FROM tstzrange(date_trunc(unit, d.source::timestamptz, zone), (date_trunc(unit, d.source::timestamptz AT TIME ZONE zone) + CASE unit WHEN 'quarter' THEN interval '3 months' ELSE ('1 ' || unit)::interval END) AT TIME ZONE zone)) AS differing
FROM unnest('{day,week,month,quarter,year,decade}'::text[]) AS unit, unnest('{Europe/Berlin,America/New_York}'::text[]) AS zone, recoded('zoned', jsonb_build_object('trunc', unit, 'as', 'range', 'timezone', zone)) AS d WHERE d.id <= 2000 OR d.id = 2005 GROUP BY unit, zone ORDER BY unit, zone;
-- at the ends of the types, and what is no time
SELECT r.id, r.source, r.released FROM recoded('day', '{"trunc": "year", "as": "range"}') AS r WHERE r.id > 2000 ORDER BY 1;
SELECT r.id, r.source, r.released FROM recoded('stamp', '{"trunc": "decade", "as": "range"}') AS r WHERE r.id > 2000 ORDER BY 1;

--
-- Texts
--
SELECT name, c, count(*), count(*) FILTER (WHERE r.released IS DISTINCT FROM CASE WHEN length(rtrim(r.source)) > c THEN left(r.source, c) || '*' ELSE rtrim(r.source) END) AS differing, count(DISTINCT r.released) AS labels
FROM unnest('{word,name,blank}'::text[]) AS name, unnest('{1,3,6}'::int[]) AS c, recoded(name, jsonb_build_object('prefix', c)) AS r GROUP BY name, c ORDER BY name, c;

--
-- Top and bottom codes: thresholds, the coded, and what they become, by their definitions.
--
CREATE FUNCTION coded(name text, type text, top_percent numeric, bottom_percent numeric, how text) RETURNS TABLE (n bigint, differing bigint, coded bigint) LANGUAGE plpgsql AS $$
DECLARE
	q text := 'SELECT v FROM (SELECT v, rank() OVER (ORDER BY v %1$s) - 1 AS beyond, count(*) OVER () AS n FROM plain) AS r WHERE beyond <= floor(%3$s * n / 100) ORDER BY v %2$s LIMIT 1';
	mean text := CASE type WHEN 'date' THEN $m$ date '2000-01-01' + round(avg(p.v - date '2000-01-01'))::int $m$ WHEN 'timestamp' THEN $m$ timestamp '2000-01-01' + make_interval(secs => div(m, 1000000)::float8) + make_interval(secs => mod(m, 1000000)::float8 / 1000000) FROM (SELECT round(avg((extract(epoch FROM p.v) - 946684800) * 1000000)) AS m $m$
		WHEN 'numeric' THEN $m$ round(avg(p.v), (SELECT max(scale(p.v)) FROM plain AS p, %1$s AS t WHERE p.v %2$s t.v)) $m$ WHEN 'float4' THEN 'avg(p.v::numeric)' WHEN 'float8' THEN 'avg(p.v::numeric)' ELSE 'round(avg(p.v::numeric))' END;
	becomes text := CASE how WHEN 'threshold' THEN '(SELECT v FROM %s)' WHEN 'median' THEN '(SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY p.v) FROM plain AS p, %1$s AS t WHERE p.v %2$s t.v)'
		ELSE '(SELECT ' || mean || ' FROM plain AS p, %1$s AS t WHERE p.v %2$s t.v)' || CASE WHEN type = 'timestamp' THEN ' AS m)' ELSE '' END END;
BEGIN
	PERFORM * FROM recoded(name, jsonb_strip_nulls(jsonb_build_object('top_percent', top_percent, 'bottom_percent', bottom_percent, 'replace', how)));
	RETURN QUERY EXECUTE format($q$
		WITH plain AS MATERIALIZED (SELECT %1$I AS v FROM value WHERE %1$I::text NOT IN ('NaN', 'Infinity', '-Infinity', 'infinity', '-infinity')),
			top AS (%2$s), bottom AS (%3$s), high AS (SELECT %4$s AS v), low AS (SELECT %5$s AS v)
		SELECT count(*), count(*) FILTER (WHERE CASE WHEN %6$s AND p.plain THEN abs(r.%1$I::text::float8 - e.v::text::float8) > 1e-9 * abs(e.v::text::float8) ELSE r.%1$I IS DISTINCT FROM e.v::%7$s END), count(*) FILTER (WHERE e.beyond)
		FROM value AS s JOIN recoded AS r USING (id) LEFT JOIN top ON true LEFT JOIN bottom ON true, LATERAL (SELECT coalesce(s.%1$I::text NOT IN ('NaN', 'Infinity', '-Infinity', 'infinity', '-infinity'), false) AS plain) AS p,
			LATERAL (SELECT CASE WHEN NOT plain THEN s.%1$I::%7$s WHEN s.%1$I > top.v THEN (SELECT v FROM high)::%7$s WHEN s.%1$I < bottom.v THEN (SELECT v FROM low)::%7$s ELSE s.%1$I::%7$s END AS v, plain AND (s.%1$I > top.v OR s.%1$I < bottom.v) AS beyond) AS e $q$,
		name, CASE WHEN top_percent IS NULL THEN 'SELECT v FROM plain WHERE false' ELSE format(q, 'DESC', 'ASC', top_percent) END, CASE WHEN bottom_percent IS NULL THEN 'SELECT v FROM plain WHERE false' ELSE format(q, 'ASC', 'DESC', bottom_percent) END,
		format(becomes, 'top', '>'), format(becomes, 'bottom', '<'), CASE WHEN type ~ 'float' AND how = 'mean' THEN 'true' ELSE 'false' END, type);
END
$$;
SELECT name, how, top_percent, bottom_percent, c.* FROM (VALUES ('small', 'int'), ('large', 'int8'), ('double', 'float8'), ('single', 'float4'), ('decimal', 'numeric'), ('cents', 'numeric'), ('day', 'date')) AS n (name, type), unnest('{threshold,mean,median}'::text[]) AS how,
	(VALUES (3, NULL), (1, 10), (NULL, 33.3), (40, 40)) AS p (top_percent, bottom_percent), coded(name, type, top_percent, bottom_percent, how) AS c ORDER BY name, how, top_percent, bottom_percent;
SELECT name, how, c.* FROM (VALUES ('stamp', 'timestamp'), ('zoned', 'timestamptz')) AS n (name, type), unnest('{threshold,median,mean}'::text[]) AS how, coded(name, type, 2, 3, how) AS c WHERE (type, how) <> ('timestamptz', 'mean') ORDER BY 1, 2;

--
-- Labels of a table, joined; and every defect, counted.
--
CREATE TABLE job (job text, branch varchar(20), sector int, note text);
INSERT INTO job SELECT 'job ' || i, 'branch ' || i / 3, i / 9, NULL FROM generate_series(1, 26) AS i;
CREATE TABLE worker AS SELECT i AS id, 'job ' || 1 + helper.below(i, 31, 26) AS job, helper.below(i, 32, 26) AS number, (ARRAY['f', 'm', NULL])[1 + helper.below(i, 33, 3)] AS "S ex", 18 + helper.below(i, 34, 70) AS age, date '1930-01-01' + helper.below(i, 35, 25000) AS born
FROM generate_series(1, 600) AS i;
ALTER TABLE worker ADD PRIMARY KEY (id);
UPDATE worker SET job = NULL WHERE id % 50 = 0;
SELECT * FROM sdc_hierarchy_check('worker', '{"job": {"table": "recode.job", "levels": ["branch", "sector"]}, "age": {"width": [5, 10, 20], "bottom": 20, "top": 80}, "born": {"trunc": ["month", "year", "decade"]}, "S ex": {"prefix": 1}}');
SELECT count(DISTINCT branch) AS branches, count(DISTINCT sector) AS sectors FROM worker JOIN job USING (job);
SELECT count(DISTINCT CASE WHEN age >= 80 THEN 80 WHEN age < 20 THEN 0 ELSE age / 5 * 5 END) AS fives, count(DISTINCT date_trunc('month', born)) AS months, count(DISTINCT date_trunc('decade', born)) AS decades FROM worker;
SELECT attribute, action, method, records, changed FROM sdc_recode('worker', '{"job": {"table": "recode.job", "levels": ["branch", "sector"], "level": 2}}', target => 'recode.by_sector', keep => '{number,"S ex",age,born}') WHERE action = 'protected';
SELECT count(*), count(*) FILTER (WHERE r.job IS DISTINCT FROM j.sector::text) AS differing FROM worker AS w JOIN by_sector AS r USING (id) LEFT JOIN job AS j ON j.job = w.job;
SELECT parameters - 'tables' AS parameters, jsonb_array_length(parameters #> '{tables,job}') AS rows FROM sdc_releases WHERE release = 'by_sector'::regclass;
-- defects: a value in two rows, labels missing, two parents, a label on two levels
CREATE TABLE faulty (value int8, fine text, rough text);
INSERT INTO faulty SELECT i, 'f' || i / 4, 'r' || i / 8 FROM generate_series(0, 23) AS i WHERE i NOT IN (3, 17);
INSERT INTO faulty VALUES (5, 'f1', 'r0'), (5, 'f1', 'r0'), (6, 'f7', 'r0'), (99, NULL, 'r9'), (98, 'f24', NULL), (NULL, 'f1', 'r1'), (97, 'both', 'r12'), (96, 'f24', 'both'), (95, 'f5', 'r9');
SELECT * FROM sdc_hierarchy_check('worker', '{"number": {"table": "recode.faulty"}}');
SELECT count(DISTINCT number) AS values_without, count(*) AS records_without FROM worker WHERE number NOT IN (SELECT value FROM faulty WHERE value IS NOT NULL);
SELECT (SELECT count(*) FROM (SELECT value FROM faulty GROUP BY value HAVING count(*) > 1) AS t) AS twice, count(*) FILTER (WHERE value IS NOT NULL AND fine IS NULL) AS fine_nulls, count(*) FILTER (WHERE value IS NOT NULL AND rough IS NULL) AS rough_nulls,
	(SELECT count(*) FROM (SELECT fine FROM faulty WHERE value IS NOT NULL GROUP BY fine HAVING count(DISTINCT rough) > 1 AND fine IS NOT NULL) AS p) AS parents FROM faulty;
SELECT helper.catch($$SELECT sdc_recode('worker', '{"number": {"table": "recode.faulty", "level": "fine"}}', target => 'recode.t', keep => '{job,"S ex",age,born}')$$);
INSERT INTO faulty VALUES (94, '*', 'r1');
SELECT helper.catch($$SELECT sdc_recode('worker', '{"number": {"table": "recode.faulty", "level": 1}}', target => 'recode.t', keep => '{job,"S ex",age,born}')$$);
CREATE TABLE starred AS SELECT i AS id, CASE WHEN i % 4 = 0 THEN '*' ELSE 'text' END AS t FROM generate_series(1, 10) AS i;
SELECT helper.catch($$SELECT sdc_recode('starred', '{"t": {"prefix": 2}}', target => 'recode.t', key => '{id}')$$);

--
-- Who is found: as many as there are different records in the release, as everybody is one of those who have become the
-- same; beside the candidates of every record, counted by SQL.
--
SELECT attribute, action FROM sdc_recode('worker', '{"age": {"width": 5, "bottom": 20, "top": 80}, "job": {"table": "recode.job", "levels": ["branch"], "level": 1}, "born": {"trunc": "year"}, "number": {"top_percent": 10, "replace": "mean"}}', target => 'recode.coarse', keep => '{"S ex"}');
CREATE FUNCTION twin(known name[]) RETURNS TABLE (found numeric, certain bigint) LANGUAGE plpgsql AS $$
BEGIN
	RETURN QUERY EXECUTE format($q$ SELECT round(sum(1.0 / m), 6), count(*) FILTER (WHERE m = 1) FROM (SELECT i.id, (SELECT count(*) FROM worker AS l JOIN coarse AS y USING (id) WHERE %s) AS m FROM become AS i) AS c $q$,
		(SELECT string_agg(format('y.%I::text IS NOT DISTINCT FROM i.%1$I::text', k), ' AND ') FROM unnest(known) AS k));
END
$$;
-- become is what SQL makes of the source
CREATE TABLE become AS SELECT id, CASE WHEN age >= 80 THEN int4range(80, NULL) WHEN age < 20 THEN int4range(NULL, 20) ELSE int4range(age / 5 * 5, age / 5 * 5 + 5) END AS age, branch AS job, date_trunc('year', born)::date AS born, "S ex",
	CASE WHEN number > t THEN (SELECT round(avg(number)) FROM worker WHERE number > t)::int ELSE number END AS number
FROM worker LEFT JOIN job USING (job), (SELECT v AS t FROM worker AS s (id, j, v) WHERE (SELECT count(*) FROM worker WHERE number > v) <= 60 ORDER BY v LIMIT 1) AS t;
SELECT known, attack, round(p.found::numeric, 6) = t.found AS same, round(p.found::numeric, 6) AS found, p.certain = t.certain AS same_certain, p.certain
FROM (VALUES ('{age}'::name[]), ('{age,job}'), ('{age,job,born}'), ('{number,"S ex"}'), ('{age,job,born,number,"S ex"}')) AS k (known), sdc_people_found('coarse', k.known) AS p, twin(k.known) AS t WHERE attack = 'nearest' ORDER BY cardinality(known), known;
SELECT count(*), count(*) FILTER (WHERE candidates IS DISTINCT FROM (SELECT count(*) FROM coarse AS y WHERE (y.age, y.job) IS NOT DISTINCT FROM (b.age, b.job))) AS differing FROM sdc_link_release('coarse', '{age,job}') AS l JOIN become AS b ON b.id::text = l.record;
-- the same of a release that is read once for all measures
SELECT e.people_found = p.percent AS same FROM sdc_evaluate('coarse', known => '{age,job}') AS e, sdc_people_found('coarse', '{age,job}') AS p WHERE p.attack = 'best';
-- a policy that recodes: its table has a schema, as its path has nothing
CREATE ROLE regress_sdc_recoder;
GRANT USAGE, CREATE ON SCHEMA recode TO regress_sdc_recoder;
GRANT USAGE ON SCHEMA helper TO regress_sdc_recoder;
CREATE TABLE hired AS SELECT * FROM worker;
ALTER TABLE hired ADD PRIMARY KEY (id), OWNER TO regress_sdc_recoder;
SET ROLE regress_sdc_recoder;
SELECT helper.catch($$SELECT sdc_policy_set('recoded', 'hired', steps => '[{"method": "recode", "recodes": {"job": {"table": "recode.job", "levels": ["branch", "sector"], "level": "sector"}, "age": {"width": 20}}}]', publish_as => 'recode.published', limits => '{"people_found": 50}', keep => '{}', omit => '{born,number,"S ex"}')$$);
RESET ROLE;
GRANT SELECT ON job TO regress_sdc_recoder;
SET ROLE regress_sdc_recoder;
SELECT sdc_policy_set('recoded', 'hired', steps => '[{"method": "recode", "recodes": {"job": {"table": "recode.job", "levels": ["branch", "sector"], "level": "sector"}, "age": {"width": 20}}}]', publish_as => 'recode.published', limits => '{"people_found": 50}', keep => '{}', omit => '{born,number,"S ex"}');
CALL sdc_run('recoded');
WITH made AS (SELECT job, age::text, count(*) FROM published GROUP BY 1, 2),
	wanted AS (SELECT sector::text, format('[%s,%s)', age / 20 * 20, age / 20 * 20 + 20), count(*) FROM hired LEFT JOIN job USING (job) GROUP BY 1, 2)
SELECT (SELECT count(*) FROM published) AS records, (SELECT count(DISTINCT (job, age)) FROM published) AS different, count(*) AS differing FROM ((TABLE made EXCEPT TABLE wanted) UNION ALL (TABLE wanted EXCEPT TABLE made)) AS d;
SELECT sdc_withdraw('published', 'over');
SELECT sdc_policy_drop('recoded');
RESET ROLE;
DROP OWNED BY regress_sdc_recoder;
DROP ROLE regress_sdc_recoder;
-- what is taken out of the release afterwards can be anything
UPDATE coarse SET age = NULL WHERE id % 7 = 0;
SELECT count(*), count(*) FILTER (WHERE candidates IS DISTINCT FROM (SELECT count(*) FROM coarse AS y WHERE (y.age = b.age OR y.age IS NULL) AND y.job IS NOT DISTINCT FROM b.job)) AS differing FROM sdc_link_release('coarse', '{age,job}') AS l JOIN become AS b ON b.id::text = l.record;

--
-- Missing codes stay what they are, unless a table lists them, and are no part of thresholds and means.
--
CREATE TABLE refusal (id int PRIMARY KEY, n int, x numeric(8,2), d date, t text, j text, top int, bottom int);
INSERT INTO refusal SELECT i, CASE helper.below(i, 61, 8) WHEN 0 THEN -9 WHEN 1 THEN 3 WHEN 2 THEN NULL ELSE helper.below(i, 62, 40) - 5 END, CASE helper.below(i, 63, 6) WHEN 0 THEN 999 ELSE helper.below(i, 64, 3000) * 0.05 END,
	CASE helper.below(i, 65, 7) WHEN 0 THEN date 'infinity' WHEN 1 THEN date '9999-12-31' ELSE date '1990-05-01' + helper.below(i, 66, 4000) END, (ARRAY['refused', 'refund', 'n/a', 'nation', NULL])[1 + helper.below(i, 67, 5)],
	CASE helper.below(i, 68, 9) WHEN 0 THEN 'none' WHEN 1 THEN 'lost' ELSE 'job ' || 1 + helper.below(i, 69, 25) END, CASE helper.below(i, 70, 5) WHEN 0 THEN 500 WHEN 1 THEN 77 ELSE helper.below(i, 71, 200) END, CASE helper.below(i, 72, 5) WHEN 0 THEN -1 ELSE helper.below(i, 73, 200) END
FROM generate_series(1, 400) AS i;
CREATE TABLE job_listed AS SELECT job, branch FROM job UNION ALL SELECT 'lost', 'no branch';
SELECT attribute, missing, changed FROM sdc_recode('refusal', '{"n": {"width": 5}, "x": {"width": 10, "as": "lower"}, "d": {"trunc": "year", "as": "range"}, "t": {"prefix": 3}, "j": {"table": "recode.job_listed", "level": "branch"}, "top": {"top_percent": 10, "replace": "mean"}, "bottom": {"bottom_percent": 5, "replace": "median"}}',
	missing => '{"n": [3, -9], "x": [999], "d": ["9999-12-31"], "t": ["refused", "n/a"], "j": ["none", "lost"], "top": [500, 77], "bottom": [-1]}', target => 'recode.refused') WHERE action = 'protected';
CREATE TABLE told AS SELECT id, CASE WHEN n IN (3, -9) THEN int4range(n, n, '[]') WHEN n IS NOT NULL THEN int4range(floor(n / 5.0)::int * 5, floor(n / 5.0)::int * 5 + 5) END AS n, CASE WHEN x = 999 THEN x ELSE floor(x / 10) * 10 END AS x,
	CASE WHEN d IN ('infinity', '9999-12-31') THEN daterange(d, d, '[]') ELSE daterange(date_trunc('year', d)::date, (date_trunc('year', d) + interval '1 year')::date) END AS d, CASE WHEN t IN ('refused', 'n/a') OR length(t) <= 3 THEN t ELSE left(t, 3) || '*' END AS t, CASE WHEN j = 'none' THEN j ELSE branch END AS j,
	CASE WHEN top NOT IN (500, 77) AND top > high THEN (SELECT round(avg(top)) FROM refusal WHERE top NOT IN (500, 77) AND top > high)::int ELSE top END AS top, CASE WHEN bottom <> -1 AND bottom < low THEN (SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY bottom) FROM refusal WHERE bottom <> -1 AND bottom < low) ELSE bottom END AS bottom
FROM refusal LEFT JOIN job_listed ON job = j, (SELECT (SELECT min(v) FROM (SELECT top AS v, rank() OVER (ORDER BY top DESC) - 1 AS above, count(*) OVER () AS n FROM refusal WHERE top NOT IN (500, 77)) AS r WHERE above <= floor(0.1 * n)) AS high,
	(SELECT max(v) FROM (SELECT bottom AS v, rank() OVER (ORDER BY bottom) - 1 AS below, count(*) OVER () AS n FROM refusal WHERE bottom <> -1) AS r WHERE below <= floor(0.05 * n)) AS low) AS cut;
SELECT count(*), count(*) FILTER (WHERE r.n IS DISTINCT FROM t.n) AS n, count(*) FILTER (WHERE r.x IS DISTINCT FROM t.x) AS x, count(*) FILTER (WHERE r.d IS DISTINCT FROM t.d) AS d, count(*) FILTER (WHERE r.t IS DISTINCT FROM t.t) AS t, count(*) FILTER (WHERE r.j IS DISTINCT FROM t.j) AS j,
	count(*) FILTER (WHERE r.top IS DISTINCT FROM t.top) AS top, count(*) FILTER (WHERE r.bottom IS DISTINCT FROM t.bottom) AS bottom, count(*) FILTER (WHERE r.top <> s.top OR r.bottom <> s.bottom) > 20 AS coded FROM refused AS r JOIN told AS t USING (id) JOIN refusal AS s USING (id);
SELECT known, round(p.found::numeric, 6) AS found, (SELECT round(sum(1.0 / (SELECT count(*) FROM refused AS y WHERE ('n' <> ALL (known) OR y.n IS NOT DISTINCT FROM t.n) AND ('x' <> ALL (known) OR y.x IS NOT DISTINCT FROM t.x) AND ('d' <> ALL (known) OR y.d IS NOT DISTINCT FROM t.d) AND ('t' <> ALL (known) OR y.t IS NOT DISTINCT FROM t.t)
	AND ('j' <> ALL (known) OR y.j IS NOT DISTINCT FROM t.j) AND ('top' <> ALL (known) OR y.top IS NOT DISTINCT FROM t.top))), 6) FROM told AS t) AS by_sql FROM unnest(ARRAY['n', 'n,t,j', 'x,d', 'top,n,j']) AS n, LATERAL (SELECT string_to_array(n, ',')::name[] AS known) AS k, sdc_people_found('refused', known) AS p WHERE attack = 'nearest';
-- a recoded column with codes is suppressed: a code that was taken out can be any value, as every NULL of the release
SELECT attribute, missing, suppressed > 0 AS some FROM sdc_protect('refusal', '[{"method": "recode", "recodes": {"n": {"width": 10}, "j": {"table": "recode.job_listed", "level": "branch"}}}, {"method": "suppress", "qi": ["n", "j"], "k": 12}]', missing => '{"n": [3, -9], "j": ["none"]}', omit => '{x,d,t,top,bottom}', target => 'recode.refused_few') WHERE action = 'protected';
SELECT min(count) >= 12 AS k FROM (SELECT count(*) FROM refused_few GROUP BY n, j) AS g;
SELECT round(p.found::numeric, 6) = (SELECT round(sum(1.0 / (SELECT count(*) FROM refused_few AS y WHERE (y.n IS NULL OR y.n = w.n) AND (y.j IS NULL OR y.j = w.j))), 6)
	FROM (SELECT id, CASE WHEN n IN (3, -9) THEN int4range(n, n, '[]') WHEN n IS NOT NULL THEN int4range(floor(n / 10.0)::int * 10, floor(n / 10.0)::int * 10 + 10) END AS n, CASE WHEN j = 'none' THEN j ELSE branch END AS j FROM refusal LEFT JOIN job_listed ON job = j) AS w) AS same FROM sdc_people_found('refused_few', '{n,j}') AS p WHERE attack = 'candidates';
-- numbers are measured without the codes, as in a view that has NULL in their place
CREATE VIEW unrefused AS SELECT id, CASE WHEN x < 999 THEN x END AS x, CASE WHEN top NOT IN (500, 77) THEN top END AS top FROM refusal;
SELECT FROM sdc_recode('refusal', '{"x": {"width": 10, "as": "lower"}, "top": {"top": 150, "replace": "mean"}}', missing => '{"x": [999], "top": [500, 77]}', omit => '{n,d,t,j,bottom}', target => 'recode.lossy');
SELECT FROM sdc_recode('unrefused', '{"x": {"width": 10, "as": "lower"}, "top": {"top": 150, "replace": "mean"}}', key => '{id}', target => 'recode.lossy_view');
SELECT a.il = b.il AS same, a.il > 0 AS lost FROM sdc_information_loss('lossy') AS a, sdc_information_loss('lossy_view') AS b;

--
-- Other forms, steps, units, and what is measured of a release.
--
CREATE TABLE household AS SELECT id, id / 3 AS hid, 10 * (id / 3 % 17) AS rent, age, born, job FROM worker;
ALTER TABLE household ADD PRIMARY KEY (id);
-- the rows keep their types, and no seed changes what comes
SELECT count(*), count(*) FILTER (WHERE r.age <> CASE WHEN h.age > 70 THEN 70 ELSE h.age END OR r.born <> date_trunc('month', h.born) OR r.rent <> h.rent / 20 * 20) AS differing
FROM sdc_recode(NULL::household, '{"age": {"top": 70, "replace": "threshold"}, "born": {"trunc": "month"}, "rent": {"width": 20, "as": "lower"}}', keep => '{job,hid}') AS r JOIN household AS h USING (id);
SELECT helper.catch($$SELECT sdc_recode(NULL::household, '{"age": {"width": 10}}', keep => '{job,hid,rent,born}')$$);
SELECT helper.catch($$SELECT sdc_protect(NULL::household, '[{"method": "recode", "recodes": {"job": {"prefix": 4}}}]', keep => '{age,hid,rent,born}')$$);
-- a step beside others; a unit that agrees still does
SELECT attribute, action, method, records, changed, level, units FROM sdc_protect('household', '[{"method": "recode", "recodes": {"age": {"width": 10}, "rent": {"bottom_percent": 20, "replace": "median"}}}, {"method": "rankswap", "columns": ["born"], "p": 10}]',
	target => 'recode.steps', unit => '{hid}', keep => '{job}', seed => 1);
SELECT (SELECT count(*) FROM (SELECT hid FROM steps GROUP BY hid HAVING count(DISTINCT rent) > 1) AS u) AS units_differing, count(*) FILTER (WHERE s.age IS DISTINCT FROM int4range(h.age / 10 * 10, h.age / 10 * 10 + 10)) AS differing FROM household AS h JOIN steps AS s USING (id);
SELECT method, columns, parameters FROM sdc_releases WHERE release = 'steps'::regclass;
SELECT attack, round(found::numeric, 6) AS found, (SELECT count(DISTINCT (age, rent)) FROM steps) AS by_sql FROM sdc_people_found('steps', '{age,rent}', unit => '{}') WHERE attack IN ('nearest', 'candidates');
-- losses are of the columns with values; what has labels is left out
SELECT count(*) FROM sdc_recode('worker', '{"born": {"trunc": "year"}, "number": {"top_percent": 10, "replace": "mean"}}', target => 'recode.of_values', keep => '{"S ex"}', omit => '{age,job}');
SELECT i = v AS same, i.lost, v.il > 0 AS some FROM sdc_information_loss('coarse') AS i, sdc_information_loss('of_values') AS v;
SELECT c FROM sdc_compare('coarse', 'avg(number)') AS c;
SELECT avg(w.number), avg(r.number) FROM worker AS w, (SELECT avg(number) AS number FROM become) AS r GROUP BY r.number;
SELECT call, helper.catch('SELECT * FROM ' || call) FROM unnest(ARRAY[$$sdc_query_errors('coarse', 10, 1, '{age}', '{"S ex"}')$$, $$sdc_query_errors('coarse', 10, 1, '{"S ex"}', '{job}')$$, $$sdc_compare('coarse', condition => 'age > 5')$$, $$sdc_information_loss('by_sector')$$, $$sdc_attribute_risk('coarse', '{born}', '{age}')$$]) AS call;
SELECT sum(queries) > 0 AS asked FROM sdc_query_errors('coarse', 10, 1, sensitive => '{"S ex"}');
-- what somebody learns of a coded value is the value that is released
SELECT r.matched, w.matched FROM sdc_attribute_risk('coarse', '{born}', '{number}') AS r,
	(SELECT count(*) AS matched FROM worker AS w JOIN become AS b USING (id) WHERE EXISTS (SELECT FROM become AS o WHERE o.born = b.born)) AS w;
-- the same release again is no other draw of it
SET client_min_messages = warning;
SELECT count(*) FROM sdc_recode('worker', '{"age": {"width": 5}}', target => 'recode.once', keep => '{job,"S ex",number}', omit => '{born}');
SELECT count(*) FROM sdc_recode('worker', '{"age": {"width": 5}}', target => 'recode.again', keep => '{job,"S ex",number}', omit => '{born}');
SELECT count(*) FROM sdc_recode('worker', '{"age": {"width": 5}}', target => 'recode.again', keep => '{job,"S ex",number}', omit => '{born}', replace => true);
RESET client_min_messages;
-- a table made elsewhere, with labels
CREATE TABLE elsewhere AS SELECT id, left(job, 3) || '*' AS job, age FROM household;
SELECT sdc_register('household', 'elsewhere', steps => '[{"method": "recode", "recodes": {"job": {"prefix": 3}}}]', key => '{id}');
SELECT round(found::numeric, 6) AS found FROM sdc_people_found('elsewhere', '{job}') WHERE attack = 'nearest';
-- a column that was given another type since tells nothing any more, whatever its labels look like
CREATE TABLE branch (job text, part text);
INSERT INTO branch SELECT DISTINCT job, '[' || ascii(job) || ',)' FROM household;
SELECT FROM sdc_recode('household', '{"job": {"table": "recode.branch", "level": "part"}}', target => 'recode.parted', keep => '{age}', omit => '{hid,rent,born}');
SELECT round(found::numeric, 6) AS found, (SELECT round(sum(1.0 / n), 6) FROM (SELECT count(*) OVER (PARTITION BY part) AS n FROM household LEFT JOIN branch USING (job)) AS s) AS by_sql FROM sdc_people_found('parted', '{job}') WHERE attack = 'candidates';
ALTER TABLE parted ALTER job TYPE numrange USING job::numrange;
SELECT round(found::numeric, 6) AS found FROM sdc_people_found('parted', '{job}') WHERE attack = 'candidates';
ALTER TABLE parted ALTER job TYPE jsonb USING to_jsonb(job::text);
SELECT round(found::numeric, 6) AS found FROM sdc_people_found('parted', '{job}') WHERE attack = 'candidates';

--
-- Edges: no records, one, all equal, no values; nothing that is coded; what is told of it.
--
CREATE TABLE edge (id int PRIMARY KEY, x int, t text);
SELECT attribute, records, changed FROM sdc_recode('edge', '{"x": {"top_percent": 10, "replace": "mean"}, "t": {"prefix": 1}}', target => 'recode.t') WHERE action = 'protected';
INSERT INTO edge VALUES (1, NULL, NULL);
SELECT attribute, records, changed FROM sdc_recode('edge', '{"x": {"top_percent": 10, "replace": "mean"}, "t": {"prefix": 1}}', target => 'recode.t', replace => true) WHERE action = 'protected';
SELECT * FROM t;
SELECT parameters FROM sdc_releases WHERE release = 't'::regclass;
SELECT attack, found FROM sdc_people_found('t', '{x,t}');
INSERT INTO edge SELECT i, 5, 'a' FROM generate_series(2, 30) AS i;
SET client_min_messages = notice;
SELECT attribute, records, changed FROM sdc_recode('edge', '{"x": {"top_percent": 10, "bottom_percent": 3.3, "replace": "mean"}}', target => 'recode.t', omit => '{t}', replace => true) WHERE action = 'protected';
RESET client_min_messages;
SELECT parameters FROM sdc_releases WHERE release = 't'::regclass;
UPDATE edge SET x = 90 + id WHERE id > 28;
SELECT helper.catch($$SELECT sdc_recode('edge', '{"x": {"top": 50, "replace": "mean"}}', target => 'recode.t', omit => '{t}', replace => true)$$);
SELECT helper.catch($$SELECT sdc_recode('edge', '{"x": {"top": 50, "replace": "mean"}}', target => 'recode.t', omit => '{t}', replace => true, missing => '{"x": [119]}')$$);
SELECT attribute, changed FROM sdc_recode('edge', '{"x": {"top": 50, "replace": "median"}}', target => 'recode.t', omit => '{t}', replace => true) AS r WHERE action = 'protected';
SELECT x, count(*) FROM t GROUP BY x ORDER BY x;

--
-- What is refused.
--
CREATE TABLE strict (id int PRIMARY KEY, p positive, x int, n numeric(6,1), d date, z timestamptz, t text, j json);
INSERT INTO strict VALUES (1, 1, 1, 1, '2000-01-01', '2000-01-01', 'a', '1');
SELECT rule, helper.catch(format('SELECT sdc_recode(%L, %L, target => %L, keep => %L)', 'strict', rule, 'recode.r', '{}')) FROM unnest(ARRAY[NULL, '5', '{}', '{"x": 5}', '{"x": {}}', '{"nobody": {"width": 5}}', '{"x": {"width": 0}}', '{"x": {"width": "5"}}', '{"x": {"width": [5, 10]}}', '{"x": {"width": null}}', '{"x": {"width": 5, "wide": 1}}',
	'{"x": {"width": 5, "as": "upper"}}', '{"x": {"width": 2.5, "as": "lower"}}', '{"n": {"width": 0.25, "as": "lower"}}', '{"x": {"width": 5, "bottom": 3, "as": "lower"}}', '{"x": {"width": 5, "bottom": 30, "top": 30}}', '{"t": {"width": 5}}', '{"x": {"prefix": 5}}', '{"t": {"prefix": 0}}', '{"t": {"prefix": 1.5}}', '{"x": {"trunc": "month"}}', '{"d": {"trunc": "minute"}}',
	'{"d": {"trunc": "day"}}', '{"d": {"trunc": "month", "timezone": "UTC"}}', '{"z": {"trunc": "month"}}', '{"z": {"trunc": "month", "timezone": "Nowhere"}}', '{"z": {"trunc": "month", "timezone": "IST"}}', '{"x": {"top": 5}}', '{"x": {"top": 5, "replace": null}}', '{"x": {"top": 5, "replace": "mode"}}', '{"x": {"top": 5, "top_percent": 5, "replace": "mean"}}', '{"x": {"top_percent": 100, "replace": "mean"}}', '{"x": {"top_percent": 0, "replace": "mean"}}',
	'{"x": {"top": 5, "bottom": 6, "replace": "threshold"}}', '{"d": {"top": "infinity", "replace": "threshold"}}', '{"t": {"top": "b", "replace": "threshold"}}', '{"p": {"width": 5, "as": "lower"}}', '{"p": {"bottom": 5, "replace": "threshold"}}', '{"j": {"table": "recode.job", "level": 1}}', '{"t": {"table": "recode.job"}}', '{"t": {"table": "recode.job", "level": 9}}', '{"t": {"table": "recode.job", "level": "none"}}',
	'{"t": {"table": "recode.nowhere", "level": 1}}', '{"d": {"table": "recode.job", "level": 1}}', '{"t": {"table": "recode.job", "level": "job", "levels": ["job"]}}', '{"t": {"table": "recode.value", "value": "word", "levels": ["day"], "level": 1}}', '{"t": {"table": "recode.job", "value": "no", "level": 1}}', '{"id": {"width": 5}}']) WITH ORDINALITY AS r (rule, i) ORDER BY i;
SELECT rule, helper.catch(format('SELECT sdc_hierarchy_check(%L, %L)', 'strict', rule)) FROM unnest(ARRAY['{"x": {"width": [5, 12]}}', '{"x": {"width": [5, 5]}}', '{"x": {"width": []}}', '{"x": {"top": 5, "replace": "mean"}}', '{"x": {"width": [5], "as": "range"}}', '{"d": {"trunc": ["year", "month"]}}', '{"d": {"trunc": ["week", "year"]}}', '{"t": {"prefix": [3, 4]}}', '{"t": {"table": "recode.job", "level": 1}}', '{"t": {"table": "recode.job", "levels": "branch"}}']) WITH ORDINALITY AS r (rule, i) ORDER BY i;
SELECT attribute, level, labels FROM sdc_hierarchy_check('strict', '{"p": {"width": [1, 2]}, "d": {"trunc": ["week"]}, "z": {"trunc": ["day"], "timezone": "UTC"}}');
SELECT steps, helper.catch(format('SELECT sdc_protect(%L, %L, target => %L, keep => %L)', 'worker', steps, 'recode.r', '{}')) FROM unnest(ARRAY['[{"method": "rankswap", "columns": ["age"], "p": 5}, {"method": "recode", "recodes": {"age": {"width": 5}}}]', '[{"method": "recode", "recodes": {"age": {"width": 5}}, "unit_size": "any"}]', '[{"method": "recode", "recodes": [1]}]', '[{"method": "recode"}]',
	'[{"method": "recode", "recodes": {"age": {"width": 5}}, "continued": "yes"}]']) WITH ORDINALITY AS r (steps, i) ORDER BY i;
