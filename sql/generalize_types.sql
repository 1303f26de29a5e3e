--
-- generalize_types
--
-- The ranges and sets of values of every type, the ends of the types, missing values; and what
-- sdc_generalize refuses.
--
\pset format unaligned
\pset footer off
SET client_min_messages = warning;
\set VERBOSITY terse
CREATE SCHEMA generalized_types;
SET search_path = generalized_types, generalized, public;

-- Types with ranges, types with sets, domains of both.
CREATE TYPE mood AS ENUM ('good', 'bad', 'middling');
CREATE DOMAIN share AS numeric(6, 3) CHECK (VALUE BETWEEN 0 AND 100);
CREATE DOMAIN age_of AS int;
CREATE DOMAIN name_of AS text COLLATE "C";
CREATE TABLE typed AS
SELECT i AS id, (i * 7 % 40)::smallint AS i2, i * 11 % 97 AS i4, i * 5000000000 % 37 * 1000000007 AS i8, (i / 7.0)::real AS f4, sqrt(i) AS f8, (i * 13 % 50 / 8.0)::numeric(9, 3) AS n, (i % 30 * 1.25)::numeric::money AS m,
	date '2000-01-01' + i * 3 % 100 AS d, timestamp '2000-01-01 12:00' + i * interval '1 hour' AS ts, timestamptz '2000-01-01 00:00+00' + i * interval '1 day' AS tz,
	'word ' || i % 13 AS t, ('v' || i % 9)::varchar(5) AS v, ('c' || i % 6)::char(4) AS c, i % 2 = 0 AS b, (enum_range(NULL::mood))[1 + i % 3] AS e, md5((i % 10)::text)::uuid AS u,
	(i % 90 + 0.125)::share AS dn, (i % 33)::age_of AS di, ('n' || i % 7)::name_of AS dt, time '00:00' + i % 50 * interval '1 minute' AS tm, interval '1 day' * (i % 9) AS iv, ('10.0.0.' || i % 20)::inet AS ip, decode(md5((i % 4)::text), 'hex') AS y
FROM generate_series(1, 150) AS i;
ALTER TABLE typed ADD PRIMARY KEY (id);
SELECT count(*) FROM sdc_generalize('typed', (SELECT array_agg(attname ORDER BY attnum) FROM pg_attribute WHERE attrelid = 'typed'::regclass AND attnum > 1 AND attname <> 'm'), k => 6);
SELECT check_generalized('typed_generalize');
SELECT attname, atttypid::regtype AS type FROM pg_attribute WHERE attrelid = 'typed_generalize'::regclass AND attnum > 0 ORDER BY attnum;
-- money, whose text is not that of a number
SELECT count(*) FROM sdc_generalize('typed', '{m}', k => 6, target => 'by_money');
SELECT count(*) AS wrong FROM (SELECT group_id, numrange(min(s.m::numeric), max(s.m::numeric), '[]') AS m FROM typed AS s JOIN by_money AS r USING (id) GROUP BY 1) AS e JOIN by_money AS r USING (group_id) WHERE e.m <> r.m;
SELECT pg_typeof(m), count(DISTINCT m) FROM by_money GROUP BY 1;
-- every value is in its range or set
SELECT count(*) FROM typed AS s JOIN typed_generalize AS r USING (id)
WHERE s.i2::int <@ r.i2 AND s.i4 <@ r.i4 AND s.i8 <@ r.i8 AND s.f4::text::numeric <@ r.f4 AND s.f8::text::numeric <@ r.f8 AND s.n <@ r.n AND s.d <@ r.d AND s.ts <@ r.ts AND s.tz <@ r.tz AND s.dn::numeric <@ r.dn AND s.di::int <@ r.di
	AND s.t = ANY (r.t) AND s.v = ANY (r.v) AND s.c = ANY (r.c) AND s.b = ANY (r.b) AND s.e = ANY (r.e) AND s.u = ANY (r.u) AND s.dt = ANY (r.dt) AND s.tm = ANY (r.tm) AND s.iv = ANY (r.iv) AND s.ip = ANY (r.ip) AND s.y = ANY (r.y);

-- The ends of the types.
\pset tuples_only on
CREATE TABLE ends (id int PRIMARY KEY, i2 int2, i4 int4, i8 int8, f4 float4, f8 float8, n numeric, m money, d date, ts timestamp, tz timestamptz);
INSERT INTO ends VALUES (1, -32768, -2147483648, -9223372036854775808, '-Infinity', '-Infinity', '-Infinity', '-92233720368547758.08', '-infinity', '-infinity', '-infinity'),
	(2, -32767, -2147483647, -9223372036854775807, -3.4028235e38, -1.7976931348623157e308, -1e300, '-92233720368547758.07', '4713-01-01 BC', '4713-01-01 BC', '4713-01-01 00:00+00 BC'),
	(3, 0, 0, 0, -0.0, 1e-45, '-0.000', 0, '2000-01-01', '2000-01-01', '2000-01-01 00:00+00'),
	(4, 1, 1, 1, 1e-45, 5e-324, 1e-300, 1, '2000-01-02', '2000-01-02', '2000-01-02 00:00+00'),
	(5, 32766, 2147483646, 9223372036854775806, 0.1, 0.1, 1e300, '92233720368547758.06', '5874897-12-31', '294276-12-31 23:59:59.999999', '294276-12-31 23:59:59.999999+00'),
	(6, 32767, 2147483647, 9223372036854775807, 'Infinity', 'Infinity', 'Infinity', '92233720368547758.07', 'infinity', 'infinity', 'infinity'),
	(7, 32767, 2147483647, 9223372036854775807, 'NaN', 'NaN', 'NaN', '92233720368547758.07', 'infinity', 'infinity', 'infinity');
SET timezone = 'UTC';
SET datestyle = 'ISO';
CREATE FUNCTION ranges(k int) RETURNS TABLE (attribute name, released text) LANGUAGE plpgsql AS $$
BEGIN
	FOR attribute IN SELECT attname FROM pg_attribute WHERE attrelid = 'ends'::regclass AND attnum > 1 ORDER BY attnum LOOP
		PERFORM sdc_generalize('ends', ARRAY[attribute], k => k, target => 'end_' || k || attribute);
		EXECUTE format('SELECT string_agg(DISTINCT lpad(group_id::text, 2) || '': '' || CASE WHEN length(v) > 80 THEN left(v, 30) || ''...'' || right(v, 30) ELSE v END, '' '') FROM (SELECT group_id, %I::text AS v FROM %I) AS r', attribute, 'end_' || k || attribute) INTO released;
		RETURN NEXT;
	END LOOP;
END
$$;
SELECT * FROM ranges(1);
SELECT * FROM ranges(2);
SELECT * FROM ranges(7);
SELECT bool_and(s.i2::int <@ r.i2) FROM ends AS s JOIN end_7i2 AS r USING (id);
SELECT bool_and(s.i4 <@ r.i4) FROM ends AS s JOIN end_7i4 AS r USING (id);
SELECT bool_and(s.i8 <@ r.i8) FROM ends AS s JOIN end_7i8 AS r USING (id);
SELECT bool_and(s.n <@ r.n) FROM ends AS s JOIN end_7n AS r USING (id);
SELECT bool_and(s.d <@ r.d), bool_and(s.d <@ t.d) FROM ends AS s JOIN end_7d AS r USING (id) JOIN end_2d AS t USING (id);
-- the last day that a date can be ends no range of dates
SELECT count(*) FROM sdc_generalize('ends', '{d}', k => 5, target => 'end_5d');
SELECT DISTINCT d FROM end_5d;
CREATE TABLE last_days AS SELECT i AS id, date '5874897-12-31' - i AS d FROM generate_series(0, 3) AS i;
SELECT count(*) FROM sdc_generalize('last_days', '{d}', k => 2, key => '{id}');
SELECT DISTINCT group_id, d FROM last_days_generalize ORDER BY 1;
RESET timezone;
RESET datestyle;

-- Missing values: a group with one has no range, and NULL as the last element of its set.
CREATE TABLE gaps AS SELECT i AS id, CASE WHEN i <= 20 THEN i END AS a, CASE WHEN i % 4 > 0 THEN chr(96 + i % 4) COLLATE "C" END AS b, CASE WHEN i > 30 THEN NULL ELSE 's' || i % 3 END AS s, NULL::int AS none, NULL::text AS nothing
FROM generate_series(1, 40) AS i;
SELECT count(*) FROM sdc_generalize('gaps', '{a}', k => 8, key => '{id}', target => 'gaps_a');
SELECT group_id, a, count(*), array_agg(id ORDER BY id) FROM gaps_a GROUP BY 1, 2 ORDER BY 1;
SELECT count(*) FROM sdc_generalize('gaps', '{b,none,nothing}', k => 8, key => '{id}', target => 'gaps_b');
SELECT group_id, b, none, nothing, count(*) FROM gaps_b GROUP BY 1, 2, 3, 4 ORDER BY 1;
SELECT check_generalized('gaps_a'), check_generalized('gaps_b');
-- a missing sensitive value is a value: three and NULL have a diversity of up to 4
SELECT count(*) FROM sdc_generalize('gaps', '{b}', '{s}', l => 3.9, key => '{id}', target => 'gaps_s');
SELECT check_generalized('gaps_s'), count(*), min(n) FROM (SELECT group_id, count(DISTINCT coalesce(s, '')) AS n FROM gaps_s GROUP BY 1) AS g;

-- What is refused, before anything is written.
SELECT helper.make_people('person', 60);
CREATE TABLE odd AS SELECT i AS id, i % 7 AS a, ARRAY[i % 3] AS list, '{}'::json AS j, int4range(i, i + 1) AS r, i % 5 AS group_id FROM generate_series(1, 30) AS i;
CREATE FUNCTION refused(call text) RETURNS text LANGUAGE sql RETURN helper.catch('SELECT * FROM sdc_generalize(' || call || ')');
SELECT c, refused('''person'', ' || c) FROM unnest(ARRAY[$$'{age}'$$, $$'{age}', '{job}'$$, $$'{age}', l => 2$$, $$'{age}', '{job}', l => 0.5$$, $$'{age}', '{job}', l => 'NaN'$$, $$'{age}', '{job}', l => 'Infinity'$$, $$'{age}', '{job}', l => -1$$, $$'{age}', '{job}', l => 6.5$$,
	$$'{age}', '{job}', l => 1e300$$, $$'{age}', k => 0$$, $$'{age}', k => -5$$, $$'{age}', k => 61$$, $$'{age}', k => 2147483647$$, $$'{age,job}', '{job}', l => 2$$, $$'{age}', '{nothing}', l => 2$$, $$'{age,nothing}', k => 2$$, $$'{age,age}', k => 2$$, $$'{}', k => 2$$,
	$$NULL, k => 2$$, $$'{age,NULL}', k => 2$$, $$'{id}', k => 2$$, $$'{age}', '{id}', l => 2$$, $$'{age}', k => 2, strata => '{age}'$$, $$'{age}', '{job}', l => 2, omit => '{job}'$$, $$'{age}', k => 2, omit => '{age}'$$, $$'{age}', k => 2, target => 'person'$$,
	$$'{age}', k => 2, key => '{sex}'$$, $$'{ctid}', k => 2$$]) AS c;
SELECT refused($$'odd', '{a}', k => 2, key => '{id}'$$), refused($$'odd', '{list}', k => 2, key => '{id}', omit => '{group_id}'$$), refused($$'odd', '{j}', k => 2, key => '{id}', omit => '{group_id}'$$), refused($$'odd', '{a}', '{j}', l => 2, key => '{id}', omit => '{group_id}'$$);
-- a column that is left out is not in the way; sets of ranges are arrays of them
SELECT count(*) FROM sdc_generalize('odd', '{a,r}', k => 2, key => '{id}', omit => '{group_id}');
SELECT pg_typeof(r), r = ARRAY(SELECT DISTINCT o.r FROM odd AS o JOIN odd_generalize AS g USING (id) WHERE g.group_id = 1 ORDER BY o.r) AS sorted FROM odd_generalize WHERE group_id = 1 LIMIT 1;
SELECT refused($$'odd', '{group_id}', k => 2, key => '{id}', target => 'odd_2'$$);
SELECT refused($$NULL::person, '{age}', k => 2$$), refused($$NULL::regclass, '{age}', k => 2$$), refused($$'nothing'::text, '{age}', k => 2$$);
-- the sensitive column is one or none; nothing is drawn, so there is no seed
SELECT refused($$'person', '{age}', '{}', k => 2$$), refused($$'person', '{age}', '{job,sex}', l => 2$$), refused($$'person', '{age}', '{job,NULL}', k => 2$$);
SELECT refused($$'person', '{age}', k => 2, seed => 1$$) LIKE '42883: %';
SELECT sdc_classify('person', 'job', 'identifier');
SELECT refused($$'person', '{age}', '{job}', l => 2$$), refused($$'person', '{job}', k => 2$$);
-- no message tells a value
UPDATE person SET job = 'hidden' WHERE id <= 59;
SELECT helper.leaks($$SELECT * FROM sdc_generalize('person', '{age}', '{region}', l => 50)$$, 'north'), helper.leaks($$SELECT * FROM sdc_generalize('person', '{age}', '{job}', l => 5)$$, 'hidden');
SELECT relname FROM pg_class WHERE relnamespace = 'generalized_types'::regnamespace AND relname ~ 'person|odd' ORDER BY relname COLLATE "C";
\pset tuples_only off
