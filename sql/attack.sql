--
-- attack
--
-- The attacks on a release: who is linked, by how many known attributes, and which values are
-- disclosed.
--
\pset format unaligned
\pset footer off
CREATE SCHEMA attack;
SET search_path = attack, public;

-- Small enough to be checked by hand: two attributes with a step of one standard
-- deviation / 1.58; in the release two neighbours have exchanged a, two others b.
CREATE TABLE tiny (id int PRIMARY KEY, a int, b int);
INSERT INTO tiny VALUES (1, 1, 10), (2, 2, 20), (3, 3, 30), (4, 4, 40), (5, 5, 50);
CREATE TABLE tiny_swapped (id int PRIMARY KEY, a int, b int);
INSERT INTO tiny_swapped VALUES (5, 5, 50), (4, 4, 30), (3, 3, 40), (2, 1, 20), (1, 2, 10);
SELECT sdc_register('tiny', 'tiny_swapped', '{a,b}', '{id}', 'rankswap', '{"p": 20}');

SELECT record, linked, round(distance::numeric, 6) AS distance, round((distance * distance * 2.5)::numeric, 6) AS steps, ties, correct FROM sdc_link_distance('tiny_swapped');
SELECT record, linked, round((distance * distance * 2.5)::numeric, 6) AS steps, ties, correct FROM sdc_link_distance('tiny_swapped', '{a}');
SELECT record, linked, round(distance::numeric, 6) AS distance, ties, correct FROM sdc_link_distance('tiny_swapped', metric => 'gower');
SELECT record, linked, round((distance * sqrt(2.5))::numeric, 6) AS steps, ties, correct FROM sdc_link_distance('tiny_swapped', metric => 'manhattan');
-- windows of one position: the value itself and its neighbours
SELECT record, candidates, linked, correct, ties, round((distance * distance * 2.5)::numeric, 6) AS steps, windows FROM sdc_link_rankswap('tiny_swapped');
SELECT record, candidates, linked, correct, ties, windows FROM sdc_link_rankswap('tiny_swapped', known => '{b}');
SELECT record, candidates, linked, correct, ties, windows FROM sdc_link_rankswap('tiny_swapped', mode => 'union');
SELECT record, candidates, linked, correct, ties, windows FROM sdc_link_rankswap('tiny_swapped', p => 100);
-- nobody agrees in one attribute only by chance, so agreement in both weighs most
SELECT record, linked, correct, ties FROM sdc_link_probabilistic('tiny_swapped');
SELECT record, linked, correct, ties FROM sdc_link_probabilistic('tiny_swapped', '{b}', 'nearest');
SELECT count(*), count(DISTINCT linked), count(*) FILTER (WHERE correct) >= 1 AS some_correct, max(ties) FROM sdc_link_probabilistic('tiny_swapped', assignment => 'one-to-one');
SELECT attack, known, round(linked::numeric, 6) AS linked, round(percent::numeric, 6) AS percent, low, high FROM sdc_disclosure_risk('tiny_swapped');
SELECT attack, known, round(linked::numeric, 6) AS linked FROM sdc_disclosure_risk('tiny_swapped', known_max => 1);
SELECT * FROM sdc_record_risk('tiny_swapped');
-- no other value is within 10 percent of five positions
SELECT * FROM sdc_interval_disclosure('tiny_swapped');

-- Known attributes: in any order.
SELECT count(*) FILTER (WHERE d IS DISTINCT FROM e) AS different
FROM sdc_link_distance('tiny_swapped', '{b,a}') AS d JOIN sdc_link_distance('tiny_swapped', '{a,b}') AS e USING (record);

-- Arguments.
\pset tuples_only on
CREATE TABLE other (id int, a int);
CREATE VIEW tiny_view AS SELECT * FROM tiny_swapped;
SELECT string_agg(replace(f, 'sdc_', ''), ' ' ORDER BY i), a, helper.catch(format('SELECT FROM %s(%s)', f, a))
FROM unnest('{sdc_link_distance,sdc_link_probabilistic,sdc_link_rankswap,sdc_interval_disclosure,sdc_disclosure_risk,sdc_record_risk}'::text[]) WITH ORDINALITY AS u (f, i),
	unnest(ARRAY['NULL', $$'other'$$, $$'tiny'$$, '0']) WITH ORDINALITY AS v (a, j)
GROUP BY j, a, 3 ORDER BY j;
SELECT helper.catch($$SELECT FROM sdc_link_distance('nowhere')$$);
SELECT helper.catch($$SELECT FROM sdc_link_distance('tiny_view')$$);
SELECT a || E'\n  ' || helper.catch(format('SELECT FROM sdc_link_distance(%L, %s)', 'tiny_swapped', a)) FROM unnest(ARRAY[$$metric => 'Euclidean'$$, $$metric => ''$$,
	$$metric => NULL$$, $$known => '{c}'$$, $$known => '{id}'$$, $$known => '{}'$$, $$known => '{A}'$$, $$known => ARRAY[NULL]::name[]$$, $$known => '{a,a}'$$, $$known => '{{a,b}}'$$,
	$$sample => 0$$, $$sample => -1$$, $$sample => NULL$$, $$seed => ARRAY[1]$$, $$sample => 3, seed => NULL$$]) WITH ORDINALITY AS u (a, i) ORDER BY i;
SELECT a || E'\n  ' || helper.catch(format('SELECT FROM sdc_link_probabilistic(%L, %s)', 'tiny_swapped', a)) FROM unnest(ARRAY[$$assignment => 'one'$$, $$assignment => NULL$$,
	$$known => '{}'$$, $$known => '{nothing}'$$, $$sample => 0$$, $$sample => 2, assignment => 'one-to-one'$$, $$sample => 5, assignment => 'one-to-one'$$]) WITH ORDINALITY AS u (a, i) ORDER BY i;
SELECT a || E'\n  ' || helper.catch(format('SELECT FROM sdc_link_rankswap(%L, %s)', 'tiny_swapped', a)) FROM unnest(ARRAY[$$mode => 'both'$$, $$mode => NULL$$, $$p => 0$$, $$p => -1$$, $$p => 100.5$$,
	$$p => 'NaN'$$, $$p => 'Infinity'$$, $$p => 1e-300$$, $$p => NULL$$, $$known => '{}'$$, $$known => '{a,nothing}'$$, $$sample => 0$$]) WITH ORDINALITY AS u (a, i) ORDER BY i;
SELECT a || E'\n  ' || helper.catch(format('SELECT FROM sdc_disclosure_risk(%L, %s)', 'tiny_swapped', a)) FROM unnest(ARRAY['known_max => 0', 'known_max => 3', 'known_max => -1', 'known_max => 2147483647', 'known_max => NULL', $$sample => 0$$]) WITH ORDINALITY AS u (a, i) ORDER BY i;
SELECT helper.catch($$SELECT FROM sdc_record_risk('tiny_swapped', sample => 0)$$);
-- a name longer than names can be is cut, as everywhere
SELECT helper.catch(format($$SELECT FROM sdc_link_distance('tiny_swapped', ARRAY[%L])$$, repeat('x', 100)));
\pset tuples_only off

-- A release of another tool: without a reach of its method, p has to be given.
CREATE TABLE tiny_external AS SELECT * FROM tiny_swapped;
SELECT sdc_register('tiny', 'tiny_external', '{a,b}', '{id}');
SELECT helper.catch($$SELECT FROM sdc_link_rankswap('tiny_external')$$);
SELECT record, candidates, linked, correct FROM sdc_link_rankswap('tiny_external', 20);
SELECT attack, count(*) FROM sdc_disclosure_risk('tiny_external') GROUP BY attack ORDER BY attack;
SELECT record, attacks, candidates, certain FROM sdc_record_risk('tiny_external');
-- nor has one whose parameters make no sense for the method
CREATE FUNCTION attack.reach(method text, parameters jsonb) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	PERFORM sdc_unregister('tiny_external');
	PERFORM sdc_register('tiny', 'tiny_external', '{a,b}', '{id}', method, parameters);
	RETURN helper.catch($c$SELECT FROM sdc_link_rankswap('attack.tiny_external')$c$);
END
$$;
\pset tuples_only on
SELECT method, parameters, split_part(attack.reach(method, parameters), E'\n', 1) FROM (VALUES ('rankswap', '{}'::jsonb), ('rankswap', '{"p": "20"}'), ('rankswap', '{"p": 0}'),
	('rankswap', '{"p": 101}'), ('rankswap', '{"p": null}'), ('rankswap', '{"p": 1e30}'), ('rankswap', '{"p": [5]}'), ('rankswap', '{"buckets": 5}'), ('rankswap', '{"p": 20}'), ('rankswap_distribution', '{"p": 0.5}'),
	('rankswap_buckets', '{"p": 5}'), ('rankswap_buckets', '{"buckets": 0}'), ('rankswap_buckets', '{"buckets": 5}'), ('rankswap_buckets', '{"buckets": 1e30}'),
	('Rankswap', '{"p": 5}')) AS v (method, parameters);
\pset tuples_only off

-- Keys as text: of one column, of several as those of a row, and numbers without a key.
CREATE TABLE keyed (t text COLLATE "C", n numeric, x int, PRIMARY KEY (t, n));
INSERT INTO keyed VALUES ('a', 1, 10), ('', 2, 20), ('q"uote', 3, 30), ('back\slash', 4.50, 40), ('com,ma', 5, 50), ('(p)', 6, 60), (' space ', 7, 70), (E'new\nline', 8, 80), ('ümläut', 9, 90), ('null', 10, 100);
SELECT attribute, action FROM sdc_rankswap('keyed', p => 10, seed => 1);
SELECT count(*) AS records, count(*) FILTER (WHERE record = ROW(t, n)::text) AS as_row
FROM keyed LEFT JOIN sdc_link_distance('keyed_rankswap') ON record = ROW(t, n)::text;
SELECT count(*) FILTER (WHERE record = ROW(t, n)::text) AS as_row FROM keyed LEFT JOIN sdc_record_risk('keyed_rankswap') ON record = ROW(t, n)::text;
CREATE TABLE single (t text COLLATE "C" PRIMARY KEY, x int);
INSERT INTO single SELECT t, x FROM keyed;
SELECT count(*) FROM sdc_rankswap('single', p => 10, seed => 1);
SELECT count(*) FILTER (WHERE record = t) AS as_text FROM single LEFT JOIN sdc_link_rankswap('single_rankswap') ON record = t;
CREATE TABLE keyless AS SELECT x, -x AS y FROM generate_series(1, 30) AS x;
SELECT count(*) FROM sdc_rankswap('keyless', p => 10, seed => 1);
SELECT count(*), min(record::int), max(record::int), bool_and(linked::int BETWEEN 1 AND 30) FROM sdc_link_distance('keyless_rankswap');
SELECT record FROM sdc_record_risk('keyless_rankswap') LIMIT 3;
-- the numbers are those of the column sdc_row
SELECT count(*) AS same_place
FROM (SELECT x, row_number() OVER (ORDER BY ctid) AS n FROM keyless) AS k
JOIN keyless_rankswap AS r ON r.sdc_row = n
JOIN sdc_link_distance('keyless_rankswap', '{x}') AS l ON l.record::bigint = n
JOIN keyless_rankswap AS t ON t.sdc_row = l.linked::bigint
WHERE t.x = k.x AND l.distance = 0;

-- Hostile names.
CREATE SCHEMA "sch ""x"";";
CREATE TABLE "sch ""x"";"."tab'le $1" ("key ""k""" int PRIMARY KEY, "a""; DROP TABLE tiny; --" int, "ü%s" float8, "WHERE" date);
INSERT INTO "sch ""x"";"."tab'le $1" SELECT i, i * 7 % 20, i * 3 % 20, date '2000-01-01' + i FROM generate_series(1, 20) AS i;
SELECT attribute, action FROM sdc_rankswap('"sch ""x"";"."tab''le $1"', p => 5, columns => ARRAY['a"; DROP TABLE tiny; --', 'ü%s', 'WHERE'], target => '"sch ""x"";"."re''lease"', seed => 1);
SELECT count(*) FROM sdc_link_distance('"sch ""x"";"."re''lease"', ARRAY['ü%s', 'a"; DROP TABLE tiny; --']);
SELECT helper.catch($$SELECT FROM sdc_link_distance('"sch ""x"";"."re''lease"', ARRAY['a"; DROP'])$$);
SELECT attribute, percent FROM sdc_interval_disclosure('"sch ""x"";"."re''lease"');
SELECT count(*) FROM sdc_record_risk('"sch ""x"";"."re''lease"');

-- Attributes of all kinds: text, boolean and uuid are the same or not, dates and times have distances.
CREATE TABLE kinds (id int PRIMARY KEY, t text COLLATE "C", u uuid, f boolean, d date, ts timestamp, tz timestamptz, tm time, n numeric(38,20), r real, s smallint, i interval);
INSERT INTO kinds SELECT i, 'word ' || i % 7, md5((i % 11)::text)::uuid, i % 3 = 0, date '2020-01-01' + i % 50, timestamp '2020-01-01' + i * interval '1 hour',
	timestamptz '2020-01-01 00:00+00' + i * i * interval '1 minute', time '00:00' + i * interval '5 minutes', 123456789012345678.12345678901234567890::numeric(38,20) + i / 1e20::numeric, i / 3.0, i % 5, (i % 9) * interval '1 day'
FROM generate_series(1, 60) AS i;
SELECT attribute, action FROM sdc_rankswap('kinds', p => 10, columns => '{t,u,f,d,ts,tz,tm,n,r,s,i}', seed => 1);
SELECT metric, count(*), count(linked) AS linked, bool_and(distance >= 0 AND ties > 0) AS sound FROM unnest('{euclidean,manhattan,gower}'::text[]) AS metric, LATERAL sdc_link_distance('kinds_rankswap', metric => metric) GROUP BY metric ORDER BY metric;
-- values that differ in the twentieth digit only have windows of their own, and no distance
SELECT min(candidates), max(candidates), bool_and(ties = candidates AND distance = 0) AS all_tied FROM sdc_link_rankswap('kinds_rankswap', 1e-10, '{n}');
-- as a nominal attribute: the distance is 0 or 1
SELECT DISTINCT distance FROM sdc_link_distance('kinds_rankswap', '{u}');
SELECT DISTINCT distance FROM sdc_link_distance('kinds_rankswap', '{f}', 'gower');
\pset tuples_only on
SELECT c, helper.catch(format($$SELECT FROM sdc_link_distance('kinds_rankswap', '{%s}', 'mahalanobis')$$, c)) FROM unnest('{t,u,f,d,ts,tz,tm,n,r,s,i}'::text[]) AS c;
\pset tuples_only off
SELECT count(*), count(DISTINCT attack) FROM sdc_disclosure_risk('kinds_rankswap');
SELECT attribute, percent BETWEEN 0 AND 100 AS percent FROM sdc_interval_disclosure('kinds_rankswap');

-- NULL, NaN and infinity: missing values have no window and agree with nothing; NaN and
-- infinity have ranks and agree, but no distance: all in their window are as good.
CREATE TABLE odd (id int PRIMARY KEY, x float8, y float8);
INSERT INTO odd VALUES (1, 1, 1), (2, 2, NULL), (3, 'NaN', 3), (4, 'Infinity', 4), (5, '-Infinity', 5), (6, NULL, NULL), (7, 7, 'NaN');
CREATE TABLE odd_copy AS TABLE odd;
SELECT sdc_register('odd', 'odd_copy', '{x,y}', '{id}', 'rankswap', '{"p": 1}');
SELECT record, linked, distance, ties, correct FROM sdc_link_distance('odd_copy');
SELECT record, linked, distance, ties, correct FROM sdc_link_distance('odd_copy', '{x}');
SELECT record, candidates, linked, correct, ties, distance, windows FROM sdc_link_rankswap('odd_copy', known => '{x}');
SELECT record, candidates, linked, correct, ties, distance, windows FROM sdc_link_rankswap('odd_copy');
SELECT record, candidates, linked, correct, ties, distance, windows FROM sdc_link_rankswap('odd_copy', mode => 'union');
SELECT record, correct, ties FROM sdc_link_probabilistic('odd_copy', '{x}');
SELECT record, linked, round(distance::numeric, 6) AS distance, ties, correct FROM sdc_link_distance('odd_copy', metric => 'mahalanobis');
SELECT attribute, percent FROM sdc_interval_disclosure('odd_copy');
SELECT * FROM sdc_record_risk('odd_copy');

-- Constant columns tell nobody apart.
CREATE TABLE constant AS SELECT i AS id, 5 AS c, i % 2 AS b, 'same'::text AS t, NULL::int AS n FROM generate_series(1, 6) AS i;
CREATE TABLE constant_copy AS TABLE constant;
SELECT sdc_register('constant', 'constant_copy', '{c,t,b,n}', '{id}', 'rankswap', '{"p": 10}');
SELECT record, linked, distance, ties, correct FROM sdc_link_distance('constant_copy', '{c,t}');
SELECT record, linked, round(distance::numeric, 6) AS distance, ties, correct FROM sdc_link_distance('constant_copy', '{c,b}');
SELECT record, linked, distance, ties, correct FROM sdc_link_distance('constant_copy', '{n}') LIMIT 2;
SELECT record, linked, distance, ties FROM sdc_link_distance('constant_copy', '{c}', 'mahalanobis') LIMIT 2;
SELECT record, candidates, linked, ties FROM sdc_link_rankswap('constant_copy', known => '{c,t}') LIMIT 2;
SELECT record, candidates, linked, ties FROM sdc_link_rankswap('constant_copy', known => '{n}') LIMIT 2;
SELECT record, linked, ties FROM sdc_link_probabilistic('constant_copy', '{n}') LIMIT 2;
SELECT attack, known, round(linked::numeric, 6) AS linked FROM sdc_disclosure_risk('constant_copy');
SELECT * FROM sdc_interval_disclosure('constant_copy');

-- No record, one, two.
CREATE TABLE few (id int PRIMARY KEY, x int, t text COLLATE "C");
CREATE TABLE few_copy (id int PRIMARY KEY, x int, t text COLLATE "C");
CREATE FUNCTION attack.register_few(n int) RETURNS void LANGUAGE sql AS $$
	SELECT sdc_unregister(release) FROM sdc_releases WHERE release = 'attack.few_copy'::regclass;
	TRUNCATE attack.few, attack.few_copy;
	INSERT INTO attack.few SELECT i, i, 't' || i FROM generate_series(1, n) AS i;
	INSERT INTO attack.few_copy SELECT i, n + 1 - i, 't' || i FROM generate_series(1, n) AS i;
	SELECT sdc_register('attack.few', 'attack.few_copy', '{x,t}', '{id}', 'rankswap', '{"p": 50}');
$$;
SELECT attack.register_few(0);
SELECT * FROM sdc_link_distance('few_copy');
SELECT * FROM sdc_link_probabilistic('few_copy');
SELECT * FROM sdc_link_probabilistic('few_copy', assignment => 'one-to-one');
SELECT * FROM sdc_link_rankswap('few_copy');
SELECT * FROM sdc_disclosure_risk('few_copy', sample => 5);
SELECT * FROM sdc_record_risk('few_copy');
SELECT * FROM sdc_interval_disclosure('few_copy');
SELECT attack.register_few(1);
SELECT * FROM sdc_link_distance('few_copy');
SELECT record, linked, correct, ties FROM sdc_link_probabilistic('few_copy');
SELECT record, linked, correct, ties FROM sdc_link_probabilistic('few_copy', assignment => 'one-to-one');
SELECT * FROM sdc_link_rankswap('few_copy');
SELECT * FROM sdc_disclosure_risk('few_copy');
SELECT * FROM sdc_record_risk('few_copy');
SELECT * FROM sdc_interval_disclosure('few_copy');
SELECT attack.register_few(2);
SELECT record, linked, round(distance::numeric, 6) AS distance, ties, correct FROM sdc_link_distance('few_copy', '{x}');
SELECT record, linked, correct, ties FROM sdc_link_probabilistic('few_copy', '{t}');
SELECT record, candidates, linked, correct FROM sdc_link_rankswap('few_copy');
SELECT attack, known, linked, percent FROM sdc_disclosure_risk('few_copy') ORDER BY attack, known;

-- All records equal.
CREATE TABLE equal AS SELECT i AS id, 1 AS x, 'a'::text AS t FROM generate_series(1, 40) AS i;
CREATE TABLE equal_copy AS TABLE equal;
SELECT sdc_register('equal', 'equal_copy', '{x,t}', '{id}', 'rankswap', '{"p": 10}');
SELECT DISTINCT linked, distance, ties, correct FROM sdc_link_distance('equal_copy');
SELECT DISTINCT linked, correct, ties FROM sdc_link_probabilistic('equal_copy');
SELECT count(DISTINCT linked), bool_and(ties = 1) FROM sdc_link_probabilistic('equal_copy', assignment => 'one-to-one');
SELECT DISTINCT candidates, linked, correct, ties, windows FROM sdc_link_rankswap('equal_copy');
SELECT DISTINCT attacks, candidates, certain FROM sdc_record_risk('equal_copy');
SELECT attack, known, round(linked::numeric, 6) AS linked, round(percent::numeric, 6) AS percent FROM sdc_disclosure_risk('equal_copy');

-- Samples.
SELECT helper.make_people('person', 300);
SELECT count(*) FROM sdc_rankswap('person', columns => '{age,income,weight,savings,born,job}', p => 5, seed => 1);
SELECT count(*), count(DISTINCT record) FROM sdc_link_distance('person_rankswap', sample => 50);
-- the same seed draws the same records, whatever the function; numbers and texts are the same seed
SELECT count(*) AS same FROM sdc_link_distance('person_rankswap', sample => 50, seed => 7) AS a
JOIN sdc_link_distance('person_rankswap', sample => 50, seed => '7') AS b ON a = b;
SELECT count(*) AS same FROM sdc_link_distance('person_rankswap', sample => 50, seed => 7) AS a
JOIN sdc_link_rankswap('person_rankswap', sample => 50, seed => 7) AS b USING (record)
JOIN sdc_link_probabilistic('person_rankswap', sample => 50, seed => 7) AS c USING (record)
JOIN sdc_record_risk('person_rankswap', sample => 50, seed => 7) AS d USING (record);
SELECT count(*) < 50 AS other FROM sdc_link_distance('person_rankswap', sample => 50, seed => 7) AS a
JOIN sdc_link_distance('person_rankswap', sample => 50, seed => 8) AS b USING (record);
SELECT count(*) < 50 AS other FROM sdc_link_distance('person_rankswap', sample => 50) AS a
JOIN sdc_link_distance('person_rankswap', sample => 50) AS b USING (record);
-- a record of a sample is linked as among all
SELECT count(*) FILTER (WHERE a = b) AS distance FROM sdc_link_distance('person_rankswap', sample => 50, seed => 7) AS a JOIN sdc_link_distance('person_rankswap') AS b USING (record);
SELECT count(*) FILTER (WHERE a = b) AS rankswap FROM sdc_link_rankswap('person_rankswap', sample => 50, seed => 7) AS a JOIN sdc_link_rankswap('person_rankswap') AS b USING (record);
SELECT count(*) FILTER (WHERE a = b) AS probabilistic FROM sdc_link_probabilistic('person_rankswap', sample => 50, seed => 7) AS a JOIN sdc_link_probabilistic('person_rankswap') AS b USING (record);
SELECT count(*) FILTER (WHERE a = b) AS record FROM sdc_record_risk('person_rankswap', sample => 50, seed => 7) AS a JOIN sdc_record_risk('person_rankswap') AS b USING (record);
-- a sample of all, or more, is all: no interval
SELECT count(*) FILTER (WHERE a = b) AS same, count(a.low) AS intervals FROM sdc_disclosure_risk('person_rankswap', sample => 300) AS a JOIN sdc_disclosure_risk('person_rankswap') AS b USING (attack, known);
SELECT count(a.low) AS intervals FROM sdc_disclosure_risk('person_rankswap', sample => 9223372036854775807) AS a;
SELECT count(*) AS rows, count(*) FILTER (WHERE a.low <= b.percent AND b.percent <= a.high) > 0.8 * count(*) AS contain, bool_and(a.low <= a.percent AND a.percent <= a.high AND a.low >= 0 AND a.high <= 100) AS sound
FROM sdc_disclosure_risk('person_rankswap', sample => 150, seed => 3) AS a JOIN sdc_disclosure_risk('person_rankswap') AS b USING (attack, known);
SELECT count(*) FROM sdc_link_distance('person_rankswap', sample => 1);

-- In a query: for several releases, in a subtransaction, read only; the settings of the session do not matter.
SELECT count(*) FROM sdc_rankswap_buckets('person', columns => '{age,income,weight}', buckets => 15, seed => 1);
SELECT release, count(*) FROM (VALUES ('person_rankswap'::regclass), ('person_rankswap_buckets'), ('tiny_swapped')) AS v (release), LATERAL sdc_link_rankswap(release) GROUP BY release ORDER BY release::text;
BEGIN;
SET LOCAL extra_float_digits = -15;
SET LOCAL DateStyle = 'German';
SET LOCAL work_mem = '64kB';
SELECT count(*) FILTER (WHERE correct) > 0 AS found FROM sdc_link_distance('person_rankswap');
SAVEPOINT s;
SELECT FROM sdc_link_distance('person_rankswap', '{nothing}');
ROLLBACK TO s;
SELECT count(*) FILTER (WHERE correct) > 0 AS found FROM sdc_link_distance('person_rankswap');
COMMIT;
BEGIN READ ONLY;
SELECT count(*) FROM sdc_record_risk('person_rankswap');
COMMIT;

-- More than 16 columns known, so that nearly every pair of records agrees in a set of columns of its own: what all
-- numbers of known columns tell is what each of them tells alone, and does not depend on the order of the records.
DO $$
BEGIN
	EXECUTE format('CREATE TABLE broad AS SELECT i AS id, %s FROM generate_series(1, 60) AS i',
		(SELECT string_agg(format('NULLIF(abs(hashint8extended(i, %s)) %% %s, 5)::int AS c%1$s', c, c % 6 + 2), ', ') FROM generate_series(1, 24) AS c));
END
$$;
ALTER TABLE broad ADD PRIMARY KEY (id);
SELECT count(*) FROM sdc_rankswap('broad', p => 40, seed => 1);
CREATE TABLE broad_shuffled AS SELECT * FROM broad_rankswap ORDER BY hashint8extended(id, 99);
SELECT sdc_register('broad', 'broad_shuffled', (SELECT array_agg('c' || c ORDER BY c)::name[] FROM generate_series(1, 24) AS c), '{id}');
CREATE TEMP TABLE told AS SELECT known, percent FROM sdc_disclosure_risk('broad_rankswap') WHERE attack = 'probabilistic';
SELECT count(*), count(*) FILTER (WHERE abs(t.percent - a.percent) < 1e-9) AS same, min(t.percent) < max(t.percent) AS more_with_more
FROM told AS t, LATERAL (SELECT 100 * sum(l.correct::int / l.ties::float8) / 60 FROM sdc_link_probabilistic('broad_rankswap',
	(SELECT array_agg('c' || c ORDER BY c)::name[] FROM generate_series(1, t.known) AS c)) AS l) AS a (percent);
SELECT count(*) AS different FROM (SELECT known, round(percent::numeric, 9) FROM told
	EXCEPT SELECT known, round(percent::numeric, 9) FROM sdc_disclosure_risk('broad_shuffled') WHERE attack = 'probabilistic') AS t;
SELECT count(*), count(*) FILTER (WHERE a.correct = b.correct AND a.ties = b.ties AND abs(a.weight - b.weight) < 1e-9 AND (a.ties > 1 OR a.linked = b.linked)) AS same
FROM sdc_link_probabilistic('broad_rankswap') AS a JOIN sdc_link_probabilistic('broad_shuffled') AS b USING (record);

RESET search_path;
