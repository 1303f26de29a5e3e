--
-- Units: persons with several records, households.
--
CREATE SCHEMA units;
SET search_path = units, public;
-- 300 patients with 1 to 8 visits; what is theirs (age, sex, region), and what is a visit's (cost, days, ward).
CREATE TABLE visits AS
SELECT row_number() OVER (ORDER BY (v * 7919 + p * 104729) % 1009, p, v)::int AS id, (p * 7) % 1000 AS patient,
	(p * 7919) % 90 + 10 AS age, (p * 31) % 2 AS sex, p % 3 AS region,
	CASE WHEN (p + v) % 11 <> 0 THEN ((p * p * 13 + v * 977) % 5000)::numeric END AS cost, ((p + v * 3) % 17)::int AS days,
	'ward ' || ((p * v) % 5) AS ward
FROM generate_series(1, 300) AS p, generate_series(1, 1 + p % 8) AS v;
ALTER TABLE visits ADD PRIMARY KEY (id);


SELECT attribute, action, records, units, level, alone, within_unit
FROM sdc_rankswap('visits', p => 10, columns => '{age, cost, days, ward}', keep => '{sex, region}', unit => '{patient}',
	target => 'whole', seed => 'a');
SELECT unit, units, parameters FROM sdc_releases WHERE release = 'whole'::regclass;

-- All records of a unit have one age, and the margins of units and of records are those of the source.
SELECT count(*) FROM (SELECT FROM whole GROUP BY patient HAVING count(DISTINCT age) <> 1) AS u;
SELECT count(*) FROM (SELECT age, count(*) FROM whole GROUP BY age EXCEPT ALL SELECT age, count(*) FROM visits GROUP BY age) AS d;
SELECT count(*) FROM (SELECT age, count(DISTINCT patient) FROM whole GROUP BY age
	EXCEPT ALL SELECT age, count(DISTINCT patient) FROM visits GROUP BY age) AS d;

-- With the columns of units only, the release is that of the table of units, in strata of their sizes.
CREATE TABLE patients AS SELECT patient, min(age) AS age, region, 8 - count(*) AS class FROM visits GROUP BY patient, region;
ALTER TABLE patients ADD PRIMARY KEY (patient);
SELECT count(*) FROM sdc_rankswap('patients', p => 10, columns => '{age}', keep => '{region}', strata => '{class}', target => 'by_table', seed => 'a');
SELECT count(*) AS records, count(*) FILTER (WHERE w.age = t.age) AS same, count(*) FILTER (WHERE w.age <> v.age) > 0 AS changed
FROM whole AS w JOIN by_table AS t USING (patient) JOIN visits AS v USING (id);
SELECT count(*) FROM sdc_rankswap('patients', p => 10, columns => '{age}', keep => '{class}', strata => '{region}', target => 'any_table', seed => 'a');
SELECT count(*) FROM sdc_rankswap('visits', p => 10, columns => '{age}', keep => '{sex, cost, days, ward}', strata => '{region}', unit => '{patient}',
	unit_size => 'any', target => 'any_size', seed => 'a');
SELECT count(*) AS records, count(*) FILTER (WHERE a.age = t.age) AS same FROM any_size AS a JOIN any_table AS t USING (patient);

-- Whole columns: the values of a unit are those of one unit of the source, with as many; missing ones stay.
CREATE FUNCTION pg_temp.sets(relation regclass, attribute text) RETURNS TABLE (patient int, set text) LANGUAGE plpgsql AS $$
BEGIN
	RETURN QUERY EXECUTE format('SELECT patient, array_agg(%1$I ORDER BY %1$I) FILTER (WHERE %1$I IS NOT NULL)::text FROM %2$s GROUP BY patient',
		attribute, relation);
END $$;
SELECT a, (SELECT count(*) FROM (SELECT set FROM pg_temp.sets('whole', a) EXCEPT ALL SELECT set FROM pg_temp.sets('visits', a)) AS d) AS foreign_sets,
	(SELECT count(*) FROM pg_temp.sets('whole', a) AS w JOIN pg_temp.sets('visits', a) AS v USING (patient) WHERE w.set <> v.set) > 20 AS moved
FROM unnest('{cost, days, ward}'::text[]) AS a;
SELECT count(*) FROM whole AS w JOIN visits AS v USING (id) WHERE (w.cost IS NULL) <> (v.cost IS NULL);
-- ... the order inside a unit stays, and the sums are ranked within 10 percent of those of units with as many values
SELECT count(*) FROM (SELECT v.cost AS before, lead(v.cost) OVER u AS next, w.cost AS now, lead(w.cost) OVER u AS next_now
	FROM whole AS w JOIN visits AS v USING (id) WHERE v.cost IS NOT NULL WINDOW u AS (PARTITION BY v.patient ORDER BY v.cost, id)) AS s
WHERE before < next AND now > next_now;
WITH sums AS (SELECT v.patient, count(v.cost) AS m, sum(v.cost) AS before, sum(w.cost) AS now FROM visits AS v JOIN whole AS w USING (id)
		GROUP BY v.patient HAVING count(v.cost) > 0),
	ranks AS (SELECT *, count(*) OVER (PARTITION BY m) AS n, rank() OVER (PARTITION BY m ORDER BY before) AS first,
		count(*) OVER (PARTITION BY m ORDER BY before) AS last FROM sums)
SELECT count(*) FILTER (WHERE distance > greatest(1, round(0.1 * n))) AS beyond, count(*) AS units
FROM (SELECT r.n, (SELECT min(greatest(0, o.first - r.last, r.first - o.last)) FROM ranks AS o WHERE o.m = r.m AND o.before = r.now) AS distance FROM ranks AS r) AS d;

-- Record by record, a row-level column is what it is without units.
SELECT attribute, level, alone, within_unit > 0 AS some_within, within_unit <= (SELECT count(*) FROM visits AS v WHERE EXISTS (SELECT FROM visits AS o
	WHERE o.patient = v.patient AND o.id <> v.id AND o.cost IS NOT NULL)) AS at_most FROM sdc_rankswap('visits', p => 10, columns => '{cost, days}', keep => '{age, sex, region, ward}', unit => '{patient}',
	unit_rows => 'each', target => 'each', seed => 'a') WHERE attribute = 'cost';
SELECT count(*) FROM sdc_rankswap('visits', p => 10, columns => '{cost, days}', keep => '{patient, age, sex, region, ward}', target => 'rows', seed => 'a');
SELECT count(*) AS different FROM each AS e JOIN rows AS r USING (id) WHERE (e.cost, e.days) IS DISTINCT FROM (r.cost, r.days);
SELECT unit, units, parameters FROM sdc_releases WHERE release = 'rows'::regclass;

-- A unit can be the key, and then all is as without.
SELECT count(*) FROM sdc_rankswap('patients', p => 10, columns => '{age}', keep => '{region, class}', unit => '{patient}', target => 'unit_key', seed => 'a');
SELECT count(*) FROM sdc_rankswap('patients', p => 10, columns => '{age}', keep => '{region, class}', target => 'no_unit', seed => 'a');
SELECT count(*) AS different FROM unit_key AS u JOIN no_unit AS n USING (patient) WHERE u.age <> n.age;

-- Two columns name the unit; the order of rows, memory and workers do not matter.
CREATE TABLE shuffled AS SELECT id, patient % 10 AS part, patient / 10 AS number, age, cost, days FROM visits ORDER BY md5(id::text);
ALTER TABLE shuffled ADD PRIMARY KEY (id);
SELECT count(*) FROM sdc_rankswap('shuffled', p => 10, columns => '{age, cost, days}', unit => '{number, part}', target => 'two_columns', seed => 'a');
SELECT count(*) AS different FROM two_columns AS t JOIN whole AS w USING (id) WHERE (t.age, t.cost, t.days) IS DISTINCT FROM (w.age, w.cost, w.days);

-- The role names the unit, an argument overrides it, and {} says that records are meant.
SELECT sdc_classify('visits', 'patient', 'unit');
SELECT attribute, action, units, level FROM sdc_rankswap('visits', p => 10, columns => '{age}', keep => '{sex, region, cost, days, ward}', target => 'by_role', seed => 'a');
SELECT attribute, action, units, level FROM sdc_rankswap('visits', p => 10, columns => '{age}', keep => '{sex, region, cost, days, ward}', unit => '{}', target => 'on_purpose', seed => 'a');
SELECT sdc_classify('visits', 'patient', NULL);

-- A column that one record breaks is a column of records, and one can be said to be.
UPDATE visits SET age = age + 1 WHERE id = 1;
SELECT attribute, level FROM sdc_rankswap('visits', p => 10, columns => '{age, cost}', keep => '{sex, region, days, ward}', unit => '{patient}', target => 'broken', seed => 'a')
WHERE action = 'protected';
UPDATE visits SET age = age - 1 WHERE id = 1;
SELECT attribute, level FROM sdc_rankswap('visits', p => 10, columns => '{age, cost}', keep => '{sex, region, days, ward}', unit => '{patient}', row_level => '{age}', target => 'said', seed => 'a')
WHERE action = 'protected';
SELECT parameters FROM sdc_releases WHERE release = 'said'::regclass;

-- Other methods, each for columns of one level.
SELECT attribute, level, bins FROM sdc_equidepth_swap('visits', depth => 5, columns => '{age, region}', keep => '{sex, cost, days, ward}', unit => '{patient}', target => 'depth', seed => 'a')
WHERE action = 'protected';
SELECT count(*) FROM (SELECT FROM depth GROUP BY patient HAVING count(DISTINCT (age, region)) <> 1) AS u;
SELECT attribute, level FROM sdc_randomize('visits', qi => '{age, sex, region}', keep => '{cost, days, ward}', unit => '{patient}', target => 'drawn', seed => 'a')
WHERE action = 'protected';
SELECT count(*) AS units, count(*) FILTER (WHERE changed <> 1) AS several
FROM (SELECT patient, max((d.age <> v.age)::int) + max((d.sex <> v.sex)::int) + max((d.region <> v.region)::int) AS changed
	FROM drawn AS d JOIN visits AS v USING (id, patient) GROUP BY patient) AS u WHERE changed > 0;
SELECT attribute, level FROM sdc_generalize('visits', qi => '{age, sex}', k => 5, keep => '{region, cost, days, ward}', unit => '{patient}', target => 'ranges')
WHERE action = 'protected';
SELECT min(units) >= 5 AS k_units FROM (SELECT count(DISTINCT patient) AS units FROM ranges GROUP BY age, sex) AS g;
-- ... of columns of records as well, k is of units
SELECT attribute, level FROM sdc_generalize('visits', qi => '{cost, days}', k => 20, keep => '{age, sex, region, ward}', unit => '{patient}', target => 'row_ranges')
WHERE action = 'protected';
SELECT min(units) AS k, count(*) > 10 AS many FROM (SELECT count(DISTINCT patient) AS units FROM row_ranges GROUP BY group_id) AS g;
SELECT count(*) FROM sdc_protect('visits', '[{"method": "rankswap", "columns": ["age"], "p": 10, "unit_size": "any"},
	{"method": "rankswap", "columns": ["cost"], "p": 5, "unit_rows": "each"}, {"method": "randomize", "qi": ["sex", "region"]}]',
	unit => '{patient}', keep => '{days, ward}', target => 'steps', seed => 'a');
SELECT parameters FROM sdc_releases WHERE release = 'steps'::regclass;

-- The release is the same whether its records come unit by unit, and whatever the types of the units and of the values.
CREATE TABLE in_order AS SELECT row_number() OVER (ORDER BY patient, id)::int AS nr, patient, age, cost, days FROM visits;
ALTER TABLE in_order ADD PRIMARY KEY (nr);
CREATE TABLE retyped AS SELECT nr, to_char(patient, 'FM0000') AS patient, age::text AS age, cost::float8 AS cost, days::numeric AS days FROM in_order;
ALTER TABLE retyped ADD PRIMARY KEY (nr);
SELECT count(*) FROM sdc_rankswap('in_order', p => 10, columns => '{cost, days}', keep => '{age}', unit => '{patient}', target => 'ordered', seed => 'a');
SELECT count(*) FROM sdc_rankswap('retyped', p => 10, columns => '{cost, days}', keep => '{age}', unit => '{patient}', target => 'of_texts', seed => 'a');
SELECT count(*) AS records, count(*) FILTER (WHERE (o.cost, o.days) IS DISTINCT FROM (t.cost::numeric, t.days::int)) AS different,
	count(*) FILTER (WHERE o.days <> i.days) > 0 AS changed
FROM ordered AS o JOIN of_texts AS t USING (nr) JOIN in_order AS i USING (nr);

-- The row type form.
SELECT count(*) AS different FROM sdc_rankswap(NULL::visits, p => 10, columns => '{age, cost, days, ward}', keep => '{sex, region}', unit => '{patient}', seed => 'a') AS r
JOIN whole AS w USING (id) WHERE (r.age, r.cost, r.days, r.ward) IS DISTINCT FROM (w.age, w.cost, w.days, w.ward);

-- One unit, and no record.
CREATE TABLE one AS SELECT * FROM visits WHERE patient = 7 * 7;
SELECT attribute, changed, units, alone FROM sdc_rankswap('one', p => 10, columns => '{age, cost}', key => '{id}', unit => '{patient}', keep => '{sex, region, days, ward}', seed => 'a')
WHERE action = 'protected';
SET client_min_messages = warning;
SELECT count(*) FROM sdc_rankswap('one', p => 10, columns => '{cost}', key => '{id}', unit => '{patient}', keep => '{age, sex, region, days, ward}', target => 'one_whole');
SELECT count(*) FROM sdc_rankswap('one', p => 10, columns => '{cost}', key => '{id}', unit => '{patient}', unit_rows => 'each', keep => '{age, sex, region, days, ward}', target => 'one_each');
RESET client_min_messages;
CREATE VIEW nobody AS SELECT * FROM visits WHERE false;
SELECT attribute, changed, units FROM sdc_rankswap('nobody', p => 10, columns => '{age, cost}', key => '{id}', unit => '{patient}', keep => '{sex, region, days, ward}', seed => 'a')
WHERE action = 'protected';

-- What is wrong.
SELECT FROM sdc_rankswap('visits', p => 10, columns => '{patient}', unit => '{patient}');
SELECT FROM sdc_rankswap('visits', p => 10, columns => '{age}', keep => '{patient}', unit => '{patient}');
SELECT FROM sdc_rankswap('visits', p => 10, columns => '{age}', unit => '{nobody}');
SELECT FROM sdc_rankswap('visits', p => 10, columns => '{age}', row_level => '{age}');
SELECT FROM sdc_rankswap('visits', p => 10, columns => '{age}', unit => '{patient}', strata => '{ward}');
SELECT FROM sdc_rankswap('visits', p => 10, columns => '{age}', unit => '{patient}', unit_size => 'all');
SELECT FROM sdc_equidepth_swap('visits', depth => 5, columns => '{age, days}', unit => '{patient}');
SELECT FROM sdc_equidepth_swap('visits', depth => 5, columns => '{days}', unit => '{patient}', unit_rows => 'whole');
SELECT FROM sdc_generalize('visits', qi => '{days}', k => 301, unit => '{patient}');
SELECT FROM sdc_generalize('visits', qi => '{days}', sensitive => '{ward}', l => 2, unit => '{patient}');
CREATE VIEW nulls AS SELECT nullif(patient, 7) AS patient, id, age FROM visits;
SELECT FROM sdc_rankswap('nulls', p => 10, columns => '{age}', key => '{id}', unit => '{patient}');

-- Totals of every type that has numbers: those of the released values; a person of whom all values are missing has none, and a wrong total is refused.
CREATE TABLE many_totals AS
SELECT (row_number() OVER ())::int AS id, p, v.v::smallint AS a, v.v::int AS b, v.v::bigint AS c, (v.v / 4.0)::real AS d, v.v / 8.0::float8 AS e, v.v / 10.0 AS f, v.v::numeric::money AS g
FROM generate_series(1, 60) AS p, generate_series(1, 3) AS n, LATERAL (SELECT CASE WHEN p % 20 > 0 AND (p + n) % 7 > 0 THEN (p * 37 + n * 11) % 101 END) AS v (v);
ALTER TABLE many_totals ADD PRIMARY KEY (id);
DO $$ DECLARE c record; BEGIN
	FOR c IN SELECT attname, format_type(atttypid, atttypmod) AS type FROM pg_attribute WHERE attrelid = 'many_totals'::regclass AND attname BETWEEN 'a' AND 'g' AND length(attname) = 1 AND attnum > 0 LOOP
		EXECUTE format('ALTER TABLE many_totals ADD COLUMN total_%s %s', c.attname, c.type);
		EXECUTE format('UPDATE many_totals AS t SET total_%1$s = s FROM (SELECT p, sum(%1$s) AS s FROM many_totals GROUP BY p) AS u WHERE u.p = t.p', c.attname);
	END LOOP;
END $$;
SELECT count(*) FROM sdc_rankswap('many_totals', 30, '{a,b,c,d,e,f,g}', unit => '{p}', totals => '{"total_a": "a", "total_b": "b", "total_c": "c", "total_d": "d", "total_e": "e", "total_f": "f", "total_g": "g"}',
	target => 'summed', seed => 1);
SELECT count(*) AS people, count(*) FILTER (WHERE a IS DISTINCT FROM total_a OR b IS DISTINCT FROM total_b OR c IS DISTINCT FROM total_c OR abs(d - total_d) > 1e-4 OR abs(e - total_e) > 1e-9 OR f IS DISTINCT FROM total_f OR g IS DISTINCT FROM total_g) AS wrong,
	count(*) FILTER (WHERE total_d IS NULL) AS without, count(*) FILTER (WHERE (d IS NULL) <> (total_d IS NULL) OR (e IS NULL) <> (total_e IS NULL)) AS half
FROM (SELECT p, sum(a) AS a, sum(b) AS b, sum(c) AS c, sum(d) AS d, sum(e) AS e, sum(f) AS f, sum(g) AS g, min(total_a) AS total_a, min(total_b) AS total_b, min(total_c) AS total_c, min(total_d) AS total_d,
	min(total_e) AS total_e, min(total_f) AS total_f, min(total_g) AS total_g FROM summed GROUP BY p) AS u;
SELECT count(DISTINCT (t.total_e, s.total_e)) > 10 AS moved FROM many_totals AS t JOIN summed AS s USING (id) WHERE t.total_e <> s.total_e;
SELECT c, helper.catch(format($$UPDATE many_totals SET total_%1$s = total_%1$s + 1::%2$s WHERE id = 7; SELECT FROM sdc_rankswap('many_totals', 30, '{%1$s}', unit => '{p}', totals => '{"total_%1$s": "%1$s"}', omit => '{%3$s}', target => 'wrong', seed => 1)$$,
	c, CASE c WHEN 'g' THEN 'numeric::money' WHEN 'd' THEN 'real' WHEN 'a' THEN 'smallint' ELSE 'int' END,
	(SELECT string_agg(attname, ',') FROM pg_attribute WHERE attrelid = 'many_totals'::regclass AND attnum > 2 AND attname NOT IN (c, 'total_' || c)))) AS refused
FROM unnest('{a,d,e,g}'::text[]) AS c;
