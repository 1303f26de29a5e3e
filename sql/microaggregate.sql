--
-- microaggregate
--
-- Microaggregation beside plain SQL: the best runs of a column in exact arithmetic, groups of several columns, what every
-- type gets, records that miss something, who is found, units, strata, and what is refused.
--
\pset format unaligned
\pset footer off
CREATE SCHEMA microaggregate;
SET search_path = microaggregate, public;
SET TimeZone = 'Asia/Tokyo';

CREATE TYPE mood AS ENUM ('sad', 'so so', 'merry');
CREATE DOMAIN "odd name" AS float8;
CREATE DOMAIN rate AS numeric(8,3);
CREATE DOMAIN percentage AS rate CHECK (value BETWEEN 0 AND 100);
CREATE TABLE value (id int PRIMARY KEY, small int2, middle int4, large int8, single float4, double "odd name", decimal numeric, cents numeric(12,2),
	tens numeric(6,-1), cash money, day date, stamp timestamp, zoned timestamptz, mood mood, sex text);
INSERT INTO value SELECT i, helper.below(i, 1, 60) - 30, helper.below(i, 2, 2000) - 1000, (helper.word(i, 3) - 2147483648) * 400000000, helper.below(i, 4, 800) / 4::float4, helper.uniform(i, 5) ^ 3 * 100,
	round(helper.below(i, 6, 4000) * 0.0025, i % 4), (helper.below(i, 7, 9000) - 4500) * 0.05, helper.below(i, 8, 9000), helper.below(i, 9, 5000) * 0.05, date '1999-12-01' + helper.below(i, 10, 60), timestamp '1999-12-31' + helper.below(i, 11, 200000) * interval '1.7 s',
	timestamptz '2020-03-29 00:30Z' + helper.below(i, 12, 2000000) * interval '0.31 s', (ARRAY['sad', 'so so', 'merry'])[1 + helper.below(i, 13, 3)]::mood, (ARRAY['f', 'm'])[1 + helper.below(i, 14, 2)]
FROM generate_series(1, 240) AS i;

--
-- One column: the runs with the least squares within, found by their definition in exact arithmetic.
--
-- ends says where the runs end: cost(e) is the least cost(e - s) + within, s from k to 2 k - 1; of equal ones the shorter s.
CREATE FUNCTION ends(x numeric[], k int) RETURNS int[] LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
	n int := cardinality(x);
	cost numeric[];
	last int[];
	found int[] := '{}';
	sum numeric;
	squares numeric;
	within numeric;
	tie numeric := (SELECT 1e-12 * (sum((v - x[1]) ^ 2) - sum(v - x[1]) ^ 2 / n) FROM unnest(x) AS v);
BEGIN
	FOR e IN 1 .. n LOOP
		sum := 0;
		squares := 0;
		FOR s IN 1 .. least(2 * k - 1, e) LOOP
			sum := sum + x[e - s + 1] - x[1];
			squares := squares + (x[e - s + 1] - x[1]) ^ 2;
			CONTINUE WHEN s < k OR (e > s AND cost[e - s] IS NULL);
			within := CASE WHEN e > s THEN cost[e - s] ELSE 0 END + (squares - sum ^ 2 / s);
			CONTINUE WHEN cost[e] IS NOT NULL AND cost[e] - within <= tie;
			cost[e] := within;
			last[e] := s;
		END LOOP;
	END LOOP;
	WHILE n > 0 LOOP
		found := n || found;
		n := n - last[n];
	END LOOP;
	RETURN found;
END
$$;
-- in_numbers is a value as a number: days, and microseconds, from the server's origin.
CREATE FUNCTION in_numbers(name text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
	SELECT CASE name WHEN 'day' THEN 'day - date ''2000-01-01''' WHEN 'stamp' THEN 'extract(epoch FROM stamp - timestamp ''2000-01-01'') * 1000000' WHEN 'zoned' THEN 'extract(epoch FROM zoned - timestamptz ''2000-01-01 00:00Z'') * 1000000'
		WHEN 'mood' THEN 'array_position(enum_range(NULL::mood), mood)' WHEN 'cash' THEN 'cash::numeric * 100' ELSE name END
$$;
-- decimals is how many decimals a mean has.
CREATE FUNCTION decimals(name text, x numeric[]) RETURNS int LANGUAGE sql IMMUTABLE AS $$
	SELECT CASE name WHEN 'cents' THEN 2 WHEN 'tens' THEN -1 WHEN 'decimal' THEN (SELECT max(scale(v)) FROM unnest(x) AS v) ELSE 0 END
$$;
-- each_by_sql compares a released column with the runs of its source.
CREATE FUNCTION each_by_sql(name text, k int, centre text, OUT differing bigint, OUT runs bigint, OUT same_sse bool) LANGUAGE plpgsql AS $$
DECLARE
	floats bool := name IN ('single', 'double');
	sse float8;
	r record;
BEGIN
	SELECT groups, sse_percent INTO r FROM sdc_microaggregate('value'::regclass, k, ARRAY[name]::name[], centre => centre, target => 'microaggregate.of_one', replace => to_regclass('microaggregate.of_one') IS NOT NULL,
		omit => ARRAY(SELECT attname FROM pg_attribute WHERE attrelid = 'value'::regclass AND attnum > 1 AND attname <> name)) WHERE action = 'protected';
	EXECUTE format($f$
		WITH source AS (SELECT id, (%1$s)::numeric AS x, row_number() OVER (ORDER BY %2$I, id) AS place FROM value),
		ends AS (SELECT e, row_number() OVER (ORDER BY e) AS run FROM unnest(ends(ARRAY(SELECT x FROM source ORDER BY place), $2)) AS e),
		runs AS (SELECT s.*, (SELECT min(e) FROM ends WHERE e >= place) AS run FROM source AS s),
		centre AS (SELECT run, avg(x) AS mean, (array_agg(x ORDER BY place))[(count(*) + 1) / 2] AS median, decimals($1, array_agg(x)) AS decimals, sum(x) AS sum, count(*) AS records, var_pop(x) * count(*) AS within FROM runs GROUP BY run),
		released AS (SELECT id, (%1$s)::numeric AS y FROM of_one)
		SELECT count(*) FILTER (WHERE CASE WHEN $3 = 'median' OR $1 = 'mood' THEN y <> median WHEN $4 THEN abs(y - mean) > 1e-5 * (1 + abs(mean)) ELSE y <> round(sum / records, decimals) END),
			count(DISTINCT run), (SELECT 100 * sum(within) / (SELECT var_pop(x) * count(*) FROM source) FROM centre) FROM runs JOIN centre USING (run) JOIN released USING (id)
	$f$, in_numbers(name), name) INTO differing, runs, sse USING name, k, centre, floats;
	same_sse := abs(sse - r.sse_percent) < 1e-9 * (1 + sse);
	IF r.groups <> runs THEN
		runs := -r.groups;
	END IF;
END
$$;
CREATE TABLE of_each AS SELECT name, k, c.centre, e.* FROM unnest('{small,middle,large,single,double,decimal,cents,tens,cash,day,stamp,zoned,mood}'::text[]) WITH ORDINALITY AS n (name, place), LATERAL (VALUES (3, 'mean'), (5, 'median')) AS c (k, centre), LATERAL each_by_sql(name, k, c.centre) AS e ORDER BY place, k;
SELECT name, k, centre, differing, runs, same_sse FROM of_each;

--
-- Several columns: MDAV by its definition.
--
-- mdav returns the group of every record: rows are measured already.
CREATE FUNCTION mdav(rows float8[], m int, k int) RETURNS int[] LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
	n int := cardinality(rows) / m;
	left_ int[] := ARRAY(SELECT generate_series(1, n));
	grp int[] := array_fill(0, ARRAY[n]);
	groups int := 0;
	point float8[];
	r int;
	near int[];
BEGIN
	WHILE cardinality(left_) >= 2 * k LOOP
		FOR pass IN 1 .. CASE WHEN cardinality(left_) >= 3 * k THEN 2 ELSE 1 END LOOP
			IF pass = 1 THEN
				point := ARRAY(SELECT avg(rows[(i - 1) * m + j]) FROM generate_series(1, m) AS j, unnest(left_) AS i GROUP BY j ORDER BY j);
			END IF;
			SELECT i INTO r FROM unnest(left_) AS i ORDER BY (SELECT sum((rows[(i - 1) * m + j] - point[j]) ^ 2) FROM generate_series(1, m) AS j) DESC, i LIMIT 1;
			point := rows[(r - 1) * m + 1 : r * m];
			near := ARRAY(SELECT i FROM unnest(left_) AS i ORDER BY i <> r, (SELECT sum((rows[(i - 1) * m + j] - point[j]) ^ 2) FROM generate_series(1, m) AS j), i LIMIT k);
			groups := groups + 1;
			FOR i IN 1 .. k LOOP
				grp[near[i]] := groups;
			END LOOP;
			left_ := ARRAY(SELECT i FROM unnest(left_) AS i WHERE i <> ALL (near));
		END LOOP;
	END LOOP;
	RETURN grp;
END
$$;
SELECT attribute, changed, groups FROM sdc_microaggregate('value', 4, '{double,middle,day}', omit => '{small,large,single,decimal,cents,tens,cash,stamp,zoned,mood}', keep => '{sex}', target => 'microaggregate.joint') WHERE action = 'protected' ORDER BY attribute;
CREATE TABLE measured AS SELECT array_agg(v.x ORDER BY id, j) AS rows FROM value, (SELECT avg(double) AS d, stddev_samp(double) AS sd, avg(middle)::float8 AS m, stddev_samp(middle)::float8 AS sm, avg(day - date '2000-01-01')::float8 AS y, stddev_samp(day - date '2000-01-01')::float8 AS sy FROM value) AS s,
	LATERAL (VALUES (1, (double - d) / sd), (2, (middle - m) / sm), (3, (day - date '2000-01-01' - y) / sy)) AS v (j, x);
CREATE TABLE grouped AS SELECT id, grp[row_number() OVER (ORDER BY id)] AS g FROM value, (SELECT mdav(rows, 3, 4) AS grp FROM measured OFFSET 0) AS m;
SELECT count(*) FILTER (WHERE abs(r.double - mean) > 1e-9 OR r.middle <> rounded OR r.day <> day_of) AS differing, count(DISTINCT g) AS groups, min(of_group), max(of_group) FROM joint AS r JOIN grouped USING (id)
	JOIN (SELECT g, avg(double) AS mean, round(avg(middle)) AS rounded, date '2000-01-01' + round(avg(day - date '2000-01-01'))::int AS day_of, count(*) AS of_group FROM value JOIN grouped USING (id) GROUP BY g) AS c USING (g);
-- so many records are alike, whatever is rounded
SELECT min(n) >= 4 AS alike FROM (SELECT count(*) AS n FROM joint GROUP BY double, middle, day) AS g;
SELECT k FROM sdc_kanonymity('joint', '{double,middle,day}');
-- covariance(x) = covariance(y) + within, where means are not rounded
SELECT count(*) FROM sdc_microaggregate('value', 6, '{double,single}', omit => '{small,large,middle,day,decimal,cents,tens,cash,stamp,zoned,mood,sex}', target => 'microaggregate.exact');
WITH joined AS (SELECT v.double::float8 AS x, r.double::float8 AS y, v.single::float8 AS u, r.single::float8 AS w FROM value AS v JOIN exact AS r USING (id))
SELECT abs(covar_samp(x, x) - covar_samp(y, y) - covar_samp(x - y, x - y)) < 1e-9 * covar_samp(x, x) AS variance, abs(covar_samp(x, u) - covar_samp(y, w) - covar_samp(x - y, u - w)) < 1e-4 AS covariance, abs(sum(x - y)) < 1e-9 AS total FROM joined;
-- what is in the catalog
SELECT parameters - 'found'::text AS parameters, (parameters #> '{found,double}') - 'sse_percent'::text AS double, round((parameters #>> '{found,double,sse_percent}')::numeric, 3) AS sse FROM (SELECT parameters::jsonb FROM sdc_releases WHERE release = 'joint'::regclass) AS p;

--
-- Who is found, by the definition.
--
-- beside tells whether no other released value is between an original and a released one.
CREATE FUNCTION found_by_sql(release text, names text[], runs bool, stratum text DEFAULT 'true', OUT candidates numeric, OUT nearest numeric) LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format($f$
		WITH pair AS MATERIALIZED (SELECT s.id, r.id = s.id AS own, round((%2$s)::numeric, 9) AS distance FROM value AS s, %1$s AS r, (SELECT %3$s FROM value) AS d WHERE (%4$s) AND (%5$s)),
		best AS (SELECT *, rank() OVER (PARTITION BY id ORDER BY distance) = 1 AS first, count(*) OVER (PARTITION BY id) AS n FROM pair),
		of_record AS (SELECT 1.0 / max(n) AS by_chance, sum(CASE WHEN own AND first THEN 1.0 ELSE 0 END) / nullif(count(*) FILTER (WHERE first), 0) AS by_distance, bool_or(own) AS inside FROM best GROUP BY id)
		SELECT round(sum(CASE WHEN inside THEN by_chance ELSE 0 END), 6), round(sum(by_distance), 6) FROM of_record
	$f$, release, (SELECT string_agg(format('((s.%1$I - r.%1$I) / d.%1$I) ^ 2', n), '+') FROM unnest(names) AS n), (SELECT string_agg(format('stddev_samp(%1$I)::float8 AS %1$I', n), ', ') FROM unnest(names) AS n),
		CASE WHEN runs THEN (SELECT string_agg(format('NOT EXISTS (SELECT FROM %2$s AS o WHERE o.%1$I > least(s.%1$I, r.%1$I) AND o.%1$I < greatest(s.%1$I, r.%1$I) AND (%3$s))', n, release, replace(stratum, 's.', 'o.')), ' AND ') FROM unnest(names) AS n) ELSE 'true' END, stratum)
	INTO candidates, nearest;
END
$$;
SET client_min_messages = warning;
\set VERBOSITY terse
SELECT count(*) FROM sdc_microaggregate('value', 3, '{double,middle,cents}', 'each', omit => '{small,large,single,day,decimal,tens,cash,stamp,zoned,mood,sex}', target => 'microaggregate.each');
\set VERBOSITY default
RESET client_min_messages;
SELECT * FROM found_by_sql('each', '{middle}', true);
SELECT attack, round(found::numeric, 6) AS found FROM sdc_people_found('each', '{middle}') WHERE attack IN ('candidates', 'nearest');
SELECT * FROM found_by_sql('each', '{double,cents}', true);
SELECT attack, round(found::numeric, 6) AS found FROM sdc_people_found('each', '{double,cents}') WHERE attack IN ('candidates', 'nearest');
SELECT * FROM found_by_sql('joint', '{double,middle}', false);
SELECT attack, round(found::numeric, 6) AS found FROM sdc_people_found('joint', '{double,middle}') WHERE attack IN ('candidates', 'nearest');
SELECT * FROM found_by_sql('joint', '{double,middle}', false, 's.sex = r.sex');
SELECT attack, round(found::numeric, 6) AS found FROM sdc_people_found('joint', '{double,middle,sex}') WHERE attack IN ('candidates', 'nearest');
-- everybody else is known, too: nobody is ruled out by what is sound
SELECT attack, found > 0 AS some FROM sdc_people_found('each', '{middle}', everybody => true) WHERE attack = 'nearest';
SELECT links > 0 AS some FROM (SELECT count(*) AS links FROM sdc_record_risk('each') LIMIT 1) AS r;
SELECT sdc_information_loss('each') IS NOT NULL AS loss, (sdc_score('joint')).il > 0 AS il;

--
-- Strata: all is done in each of them.
--
SELECT attribute, groups FROM sdc_microaggregate('value', 3, '{middle}', strata => '{sex}', omit => '{small,large,single,double,day,decimal,cents,tens,cash,stamp,zoned,mood}', target => 'microaggregate.strata') WHERE action = 'protected';
SELECT count(*) FILTER (WHERE r.middle IS DISTINCT FROM round(mean)) AS differing FROM strata AS r JOIN (SELECT v.id, avg(v.middle) OVER (PARTITION BY sex, (SELECT min(e) FROM unnest(ends) AS e WHERE e >= place)) AS mean
	FROM (SELECT id, sex, middle, row_number() OVER (PARTITION BY sex ORDER BY middle, id) AS place FROM value) AS v JOIN (SELECT sex, ends(array_agg(middle::numeric ORDER BY middle), 3) AS ends FROM value GROUP BY sex) AS e USING (sex)) AS m USING (id);
SELECT * FROM found_by_sql('strata', '{middle}', true, 's.sex = r.sex');
SELECT attack, round(found::numeric, 6) AS found FROM sdc_people_found('strata', '{middle}') WHERE attack IN ('candidates', 'nearest');

--
-- Records that miss something: classes of their own.
--
CREATE TABLE gap (id int PRIMARY KEY, a int, b float8, c date);
INSERT INTO gap SELECT i, helper.below(i, 1, 50), CASE WHEN i <= 40 THEN helper.uniform(i, 2) WHEN i <= 44 THEN 'NaN' WHEN i <= 48 THEN 'Infinity' WHEN i <= 52 THEN '-Infinity' WHEN i <= 57 THEN -9 END, CASE WHEN i % 20 < 15 THEN date '2020-01-01' + helper.below(i, 3, 90) END FROM generate_series(1, 64) AS i;
UPDATE gap SET a = NULL, b = NULL, c = NULL WHERE id > 62;
SELECT helper.catch($$SELECT sdc_microaggregate('gap', 3, '{a,b}', omit => '{c}')$$);
SELECT helper.catch($$SELECT sdc_microaggregate('gap', 3, '{b}', omit => '{a,c}', missing => '{"b": [-9]}', small => 'hide')$$);
SELECT attribute, changed, missing, groups, suppressed FROM sdc_microaggregate('gap', 4, '{b,a}', omit => '{c}', missing => '{"b": [-9]}', small => 'suppress') WHERE action = 'protected' ORDER BY 1;
-- two have nothing, so the smallest class, who are NaN, joins them; all others keep what they miss
SELECT s.b IS NULL OR s.b IN ('NaN', 'Infinity', '-Infinity', -9) AS missing, s.id BETWEEN 41 AND 44 OR s.id > 62 AS lost, count(*), count(*) FILTER (WHERE r.a IS NULL AND r.b IS NULL) AS nothing, count(*) FILTER (WHERE r.b IS NOT DISTINCT FROM s.b) AS same_b, count(DISTINCT (r.a, r.b)) AS different
FROM gap AS s JOIN gap_microaggregate AS r USING (id) GROUP BY 1, 2 ORDER BY 1, 2;
SELECT min(n) FROM (SELECT count(*) AS n FROM gap_microaggregate GROUP BY a, b) AS g;
-- who has a value knows that no code, and nothing infinite, is his; an empty one can be anybody's
WITH kind AS (SELECT id, CASE WHEN b IN ('NaN', 'Infinity', '-Infinity', -9) THEN b::text WHEN b IS NOT NULL THEN 'value' END AS b, CASE WHEN a IS NOT NULL THEN 'value' END AS a FROM gap), released AS (SELECT id, CASE WHEN b IN ('NaN', 'Infinity', '-Infinity', -9) THEN b::text WHEN b IS NOT NULL THEN 'value' END AS b, CASE WHEN a IS NOT NULL THEN 'value' END AS a FROM gap_microaggregate)
SELECT round(sum(1.0 / n), 6) AS candidates FROM (SELECT count(*) AS n FROM kind AS s JOIN released AS r ON (r.b IS NULL OR r.b = s.b) AND (r.a IS NULL OR r.a = s.a) GROUP BY s.id) AS c;
SELECT round(found::numeric, 6) AS found FROM sdc_people_found('gap_microaggregate', '{a,b}') WHERE attack = 'candidates';
-- by itself: a class that is too small is refused, and its records lose what they have
SELECT helper.catch($$SELECT sdc_microaggregate('gap', 5, '{b}', 'each', omit => '{a,c}', missing => '{"b": [-9]}', target => 'microaggregate.small')$$);
SELECT changed, groups, suppressed, missing FROM sdc_microaggregate('gap', 5, '{b}', 'each', omit => '{a,c}', missing => '{"b": [-9]}', small => 'suppress', target => 'microaggregate.small') WHERE action = 'protected';
SELECT count(*) FILTER (WHERE b IS NULL) AS nothing, count(*) FILTER (WHERE b = -9) AS codes, count(*) FILTER (WHERE b > -9) AS numbers FROM small;
-- with codes that become values, as a view has NULL
CREATE VIEW without_codes AS SELECT id, a, nullif(b, -9) AS b FROM gap WHERE id <= 40 OR id BETWEEN 53 AND 57;
SELECT count(*) FROM sdc_microaggregate('without_codes', 4, '{b,a}', key => '{id}', target => 'microaggregate.of_view');
SELECT count(*) FILTER (WHERE v.a IS DISTINCT FROM r.a OR v.b IS DISTINCT FROM nullif(r.b, -9)) AS differing FROM of_view AS v JOIN (SELECT * FROM sdc_microaggregate(NULL::gap, 4, '{b,a}', keep => '{c}', missing => '{"b": [-9]}', small => 'suppress')) AS r USING (id);

-- rounded means, and medians, move the total of numbers; of dates there is none, and who has lost a value is not in it
CREATE TABLE moved AS SELECT 'by_mean' AS release, attribute::text, total_change FROM sdc_microaggregate('value', 4, '{middle,cents,small,day}', target => 'microaggregate.by_mean', omit => '{sex,large,single,double,decimal,tens,cash,stamp,zoned,mood}') WHERE action = 'protected'
	UNION ALL SELECT 'by_median', attribute, total_change FROM sdc_microaggregate('value', 4, '{middle,cents,small,day}', centre => 'median', target => 'microaggregate.by_median', omit => '{sex,large,single,double,decimal,tens,cash,stamp,zoned,mood}') WHERE action = 'protected';
WITH released AS (SELECT 'by_mean' AS release, id, middle, cents, small FROM by_mean UNION ALL SELECT 'by_median', id, middle, cents, small FROM by_median),
	sums AS (SELECT release, sum(r.middle - v.middle::numeric) AS middle, sum(r.cents - v.cents) AS cents, sum(r.small - v.small) AS small FROM released AS r JOIN value AS v USING (id) GROUP BY release)
SELECT m.release, attribute, total_change IS NOT NULL AS some, abs(total_change - (to_jsonb(s) ->> attribute)::numeric) < 1e-6 AS same, total_change <> 0 AS moved FROM moved AS m JOIN sums AS s USING (release) ORDER BY 1, 2;
CREATE TABLE moved_gap AS SELECT total_change, suppressed FROM sdc_microaggregate('gap', 4, '{b,a}', omit => '{c}', missing => '{"b": [-9]}', small => 'suppress', replace => true) WHERE attribute = 'a';
SELECT abs(total_change - (SELECT sum(s.a - g.a) FROM gap_microaggregate AS s JOIN gap AS g USING (id))) < 1e-9 AS same, suppressed FROM moved_gap;

--
-- Units: groups of k of them, and columns of one level.
--
CREATE TABLE visit AS SELECT i AS id, i / 3 AS person, 10 * ((i / 3) * 37 % 101) AS rent, helper.below(i / 3, 1, 90) AS age, helper.below(i, 2, 500) AS cost FROM generate_series(3, 182) AS i;
ALTER TABLE visit ADD PRIMARY KEY (id);
SELECT attribute, level, units, groups FROM sdc_microaggregate('visit', 4, '{rent,age}', unit => '{person}', omit => '{cost}') WHERE action = 'protected';
CREATE TABLE person AS SELECT DISTINCT ON (person) person AS id, rent, age FROM visit ORDER BY person, id;
SELECT count(*) FILTER (WHERE v.rent <> p.rent OR v.age <> p.age) AS differing FROM visit_microaggregate AS v JOIN (SELECT * FROM sdc_microaggregate(NULL::person, 4, '{rent,age}', key => '{id}')) AS p ON p.id = v.person;
SELECT attack, round(found::numeric, 6) AS found FROM sdc_people_found('visit_microaggregate', '{rent,age}') WHERE attack = 'nearest';
SELECT helper.catch($$SELECT sdc_microaggregate('visit', 4, '{rent,cost}', target => 'microaggregate.other', unit => '{person}', omit => '{age}')$$);
SELECT helper.catch($$SELECT sdc_microaggregate('visit', 4, '{rent}', target => 'microaggregate.other', unit => '{person}', omit => '{age,cost}', missing => '{"rent": [0]}')$$);
SELECT helper.catch($$SELECT sdc_microaggregate('visit', 61, '{rent}', target => 'microaggregate.other', unit => '{person}', omit => '{age,cost}')$$);
UPDATE visit SET age = NULL WHERE person = 7;
SELECT helper.catch($$SELECT sdc_microaggregate('visit', 4, '{rent,age}', target => 'microaggregate.other', unit => '{person}', omit => '{cost}')$$);
SET client_min_messages = warning;
SELECT attribute, level, groups FROM sdc_microaggregate('visit', 4, '{cost}', unit => '{person}', omit => '{age,rent}', target => 'microaggregate.by_rows') WHERE action = 'protected';
CREATE TABLE stay AS SELECT id, person, cost, helper.below(id, 3, 60) AS days FROM visit;
ALTER TABLE stay ADD PRIMARY KEY (id);
SELECT attribute, level, groups FROM sdc_microaggregate('stay', 8, '{cost,days}', unit => '{person}', target => 'microaggregate.together') WHERE action = 'protected';
SELECT count(*) FILTER (WHERE units < 8) AS few, count(*) AS groups FROM (SELECT count(DISTINCT v.person) AS units FROM stay AS v JOIN microaggregate.together AS t USING (id) GROUP BY t.cost, t.days) AS g;
RESET client_min_messages;

--
-- A step beside others; many values of k; edges.
--
SELECT attribute, method, groups FROM sdc_protect('value', '[{"method": "microaggregate", "k": 5, "columns": ["middle", "double"]}, {"method": "rankswap", "columns": ["small"], "p": 10}, {"method": "microaggregate", "k": 3, "columns": ["large"], "scheme": "each", "centre": "median"}]',
	omit => '{single,decimal,cents,tens,cash,day,stamp,zoned,mood,sex}', target => 'microaggregate.steps', seed => 1) WHERE action = 'protected' ORDER BY 1;
SELECT step->>'method' AS method, step->'k' AS k, step->>'scheme' AS scheme, step->>'centre' AS centre FROM sdc_releases, jsonb_array_elements(parameters::jsonb->'steps') AS step WHERE release = 'steps'::regclass;
SELECT count(*) FILTER (WHERE s.middle <> o.middle) AS differing FROM steps AS s JOIN sdc_microaggregate(NULL::value, 5, '{middle,double}', keep => '{sex,mood}', omit => '{small,large,single,day,decimal,cents,tens,cash,stamp,zoned}') AS o USING (id);
SELECT call, helper.catch(format('SELECT sdc_protect(''value'', %L, omit => ''{small,single,decimal,cents,tens,cash,day,stamp,zoned,mood,sex}'')', call)) FROM unnest(ARRAY[
	'[{"method": "microaggregate", "k": 5, "columns": ["middle", "double"]}, {"method": "generalize", "k": 5, "qi": ["large"]}]', '[{"method": "microaggregate", "k": 5, "columns": ["middle"]}, {"method": "rankswap", "p": 5, "columns": ["large"], "continued": true}]',
	'[{"method": "microaggregate", "columns": ["middle"]}]', '[{"method": "microaggregate", "k": 5, "columns": ["middle"], "continued": true}]', '[{"method": "microaggregate", "k": 5, "columns": ["middle"], "unit_size": "any"}]']) AS call;
SELECT parameter, people_found > 0 AS found, round(il::numeric, 6) > 0 AS lost FROM sdc_sweep('value', 'microaggregate', '{3,8}', columns => '{middle,double}', omit => '{single,decimal,cents,tens,cash,day,stamp,zoned,mood,sex,small,large}');
WITH s AS (SELECT parameter, people_found, il FROM sdc_sweep('value', 'microaggregate', '{9,4}', known => '{double,middle}', columns => '{double,middle,day}', omit => '{single,decimal,cents,tens,cash,stamp,zoned,mood,small,large}', keep => '{sex}'))
SELECT s.parameter, s.people_found = p.percent AS same_found, s.il = i.il AS same_loss FROM s, sdc_people_found('joint', '{double,middle}') AS p, sdc_information_loss('joint') AS i WHERE p.attack = 'any' AND parameter = 4;
SELECT parameter FROM sdc_sweep('visit', 'microaggregate', columns => '{cost}', omit => '{rent,age}', keep => '{person}', parameters => '{"scheme": "each", "centre": "median"}');
SELECT call, helper.catch('SELECT sdc_microaggregate(' || call || ')') FROM unnest(ARRAY[$$'value'$$, $$'value', 1$$, $$'value', 2, '{sex}'$$, $$'value', 241, '{middle}'$$, $$'value', 3, '{middle}', 'all'$$, $$'value', 3, '{middle}', NULL$$, $$'value', 3, '{middle}', centre => 'mode'$$, $$'value', 3, '{middle}', centre => NULL$$,
	$$'value', 3, '{nothing}'$$, $$'value', 3, '{middle,middle}'$$, $$'value', 3, '{id}'$$, $$'value', 3, '{}'$$]) AS call;
CREATE TABLE edge (id int PRIMARY KEY, "x y" numeric, n int);
SELECT count(*) FROM sdc_microaggregate('edge', 2, '{"x y",n}', target => 'microaggregate.none');
INSERT INTO edge VALUES (1, 0.5, 7);
SELECT helper.catch($$SELECT sdc_microaggregate('edge', 2, '{n}')$$);
INSERT INTO edge VALUES (2, 1.25, 7);
SELECT r.* FROM sdc_microaggregate(NULL::edge, 2, '{"x y",n}') AS r ORDER BY id;
UPDATE edge SET "x y" = NULL;
SELECT r.* FROM sdc_microaggregate(NULL::edge, 2, '{"x y"}', keep => '{n}') AS r ORDER BY id;
SELECT groups, sse_percent, suppressed FROM sdc_microaggregate('edge', 2, '{n}', keep => '{"x y"}', target => 'microaggregate.equal') WHERE action = 'protected';
UPDATE edge SET "x y" = CASE id WHEN 1 THEN 1e400 ELSE 1 END;
SELECT helper.catch($$SELECT sdc_microaggregate('edge', 2, '{"x y"}', keep => '{n}')$$);
CREATE TABLE large (id int PRIMARY KEY, x float8);
INSERT INTO large VALUES (1, 1e308), (2, 1.1e308), (3, 1.2e308), (4, -1e308), (5, -1.1e308), (6, -1.2e308);
SELECT helper.catch($$SELECT sdc_microaggregate('large', 3, '{x}')$$);
SELECT r.id, r.x FROM sdc_microaggregate(NULL::large, 3, '{x}', centre => 'median') AS r ORDER BY id;
-- domains: the decimals of the type below; with constraints, values that the column has
CREATE TABLE of_domain AS SELECT i AS id, (i * i / 7.0)::rate AS r, (i * 7 % 100)::percentage AS p FROM generate_series(1, 7) AS i;
SELECT d.id, d.r FROM sdc_microaggregate(NULL::of_domain, 3, '{r}', key => '{id}') AS d ORDER BY id;
SELECT helper.catch($$SELECT sdc_microaggregate('of_domain', 3, '{p}', key => '{id}')$$);
SELECT helper.catch($$SELECT sdc_microaggregate('of_domain', 3, '{p}', centre => 'median', small => 'suppress', key => '{id}')$$);
SELECT d.id, d.p FROM sdc_microaggregate(NULL::of_domain, 3, '{p}', centre => 'median', key => '{id}', keep => '{r}') AS d ORDER BY id;
-- all that are numbers, where no column is named
SELECT count(*) FILTER (WHERE action = 'protected') AS protected FROM sdc_microaggregate('edge', 2, omit => '{"x y"}', target => 'microaggregate.unnamed');

DROP SCHEMA microaggregate CASCADE;
