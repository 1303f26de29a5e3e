-- people.sql
--		People found, and what is learned about a value: the figures of an independent implementation.
--
-- Of Census and EIA all columns are known, of Adult nine, and occupation is the sensitive one.  Figures of files that were drawn are
-- means over seeds; what depends on nothing drawn is exact.

\ir lib/check.sql

SET maintenance_work_mem = '512MB';
\set nine '''{age,workclass,education,marital_status,relationship,race,sex,native_country,salary}''::name[]'
\set qi '''{education,race,sex,workclass,marital_status,age,relationship,native_country,salary}''::name[]'

-- found has a row for every attack on every release, with everybody else known under the name of the release and "all".
CREATE TABLE sdc_check.found (release text, seed int, attack text, found float8, single bigint, certain bigint);

-- attack makes a release by a call and attacks it.
CREATE FUNCTION pg_temp.attack(release text, seed int, call text, known name[] DEFAULT NULL, everybody boolean DEFAULT false)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	DROP TABLE IF EXISTS sdc_check.release;
	EXECUTE format('SELECT FROM %s, target => ''sdc_check.release'', seed => %s)', call, seed);
	INSERT INTO sdc_check.found SELECT attack.release, attack.seed, f.attack, f.found, f.single, f.certain FROM sdc_people_found('sdc_check.release', known) AS f;
	IF everybody THEN
		INSERT INTO sdc_check.found SELECT attack.release || ' all', attack.seed, f.attack, f.found, f.single, f.certain FROM sdc_people_found('sdc_check.release', known, true) AS f;
	END IF;
END
$$;

-- union_of is the sum over the records of the greatest share of candidates, nearest and distance.
CREATE FUNCTION pg_temp.union_of() RETURNS float8 LANGUAGE plpgsql AS $$
BEGIN
	RETURN (SELECT sum(greatest(1.0 / l.candidates, CASE WHEN l.correct THEN 1.0 / l.ties END, CASE WHEN d.correct THEN 1.0 / d.ties END))
		FROM sdc_link_release('sdc_check.release') AS l JOIN sdc_link_distance('sdc_check.release') AS d USING (record));
END
$$;

-- Census and EIA
DO $$
BEGIN
	FOR seed IN 1..3 LOOP
		FOR p IN CASE WHEN seed = 1 THEN 1 ELSE 3 END..5 LOOP
			PERFORM pg_temp.attack('census ' || (ARRAY[2, 5, 10, 20, 30])[p], seed, format('sdc_rankswap(''ref.census'', %s', (ARRAY[2, 5, 10, 20, 30])[p]), everybody => p > 2);
			INSERT INTO sdc_check.found VALUES ('census ' || (ARRAY[2, 5, 10, 20, 30])[p], seed, 'union', pg_temp.union_of(), 0, 0);
		END LOOP;
		PERFORM pg_temp.attack('census d10', seed, 'sdc_rankswap_distribution(''ref.census'', 10');
		PERFORM pg_temp.attack('census b20', seed, 'sdc_rankswap_buckets(''ref.census'', 20');
	END LOOP;
	PERFORM pg_temp.attack('eia 10', 1, 'sdc_rankswap(''ref.eia'', 10', everybody => true);
END
$$;

-- Adult: what was drawn
SELECT FROM (VALUES (5), (20), (50), (100)) AS v (p), LATERAL (VALUES (1)) AS s (seed),
	LATERAL pg_temp.attack('adult ' || p, seed, format('sdc_rankswap(''ref.adult'', %s, columns => ''{age}''', p), :nine, p IN (20, 50) AND seed = 1) AS made;
SELECT FROM pg_temp.attack('uniform', 1, format('sdc_randomize(''ref.adult'', %L, probabilities => array_fill(1 / 9.0::float8, ARRAY[9])', :qi), :nine);
SELECT FROM pg_temp.attack('optimal', 1, format('sdc_randomize(''ref.adult'', %L', :qi), :nine) AS made;

-- What is expected, and how far the mean may be off: three times the deviation of a seed where that is known.
CREATE TEMP TABLE expected (release text, attack text, found float8, within float8, certain float8, certain_within float8);
INSERT INTO expected VALUES
	('census 10', 'candidates', 1066, 6, 1051, 12), ('census 20', 'candidates', 751, 20, 554, 27), ('census 30', 'candidates', 246, 20, 72, 15),
	('census 10 all', 'candidates', NULL, NULL, 1080, 6), ('census 20 all', 'candidates', NULL, NULL, 937, 42), ('census 30 all', 'candidates', NULL, NULL, 282, 30),
	('census 20', 'nearest', 702, 40, 554, 27),
	('census 2', 'union', 1080, 0.5, NULL, NULL), ('census 5', 'union', 1080, 1, NULL, NULL), ('census 10', 'union', 1071, 9, NULL, NULL), ('census 20', 'union', 835, 24, NULL, NULL), ('census 30', 'union', 321, 30, NULL, NULL),
	('census d10', 'candidates', 127, 40, NULL, NULL), ('census d10', 'distance', 524, 35, NULL, NULL), ('census d10', 'wide', 781, 30, NULL, NULL), ('census d10', 'best', 781, 30, NULL, NULL),
	('census b20', 'candidates', 101, 25, NULL, NULL), ('census b20', 'distance', 513, 35, NULL, NULL), ('census b20', 'wide', 533, 30, NULL, NULL), ('census b20', 'best', 533, 30, NULL, NULL),
	('eia 10', 'best', 703, 50, 85, 30), ('eia 10 all', 'candidates', NULL, NULL, 659, 70),
	('adult 5', 'nearest', 8483, 85, 5501, 55), ('adult 5', 'candidates', 8155, 82, NULL, NULL),
	('adult 20', 'best', 5720, 57, 3676, 60), ('adult 50', 'best', 4761, 48, 2985, 60), ('adult 100', 'best', 4461, 45, 2783, 1),
	('adult 20 all', 'candidates', NULL, NULL, 4158, 83), ('adult 50 all', 'candidates', NULL, NULL, 3196, 64),
	('uniform', 'nearest', 8729, 175, 1630, 60), ('uniform', 'candidates', 3080, 62, NULL, NULL),
	('optimal', 'nearest', 4421, 133, 1594, 60), ('optimal', 'candidates', 3045, 62, NULL, NULL);
SELECT pg_temp.ok(count(f.*) > 0 AND coalesce(abs(avg(f.found) - e.found) <= within, true) AND coalesce(abs(avg(f.certain) - e.certain) <= certain_within, true),
	format('%s, %s: %s people found, %s for certain', release, attack, coalesce(e.found::text, 'some'), coalesce(e.certain::text, 'some')),
	format('%s, %s', avg(f.found), avg(f.certain)))
FROM expected AS e LEFT JOIN sdc_check.found AS f USING (release, attack)
GROUP BY release, attack, e.found, within, e.certain, certain_within ORDER BY release, attack;
SELECT pg_temp.ok(bool_and(f.single = f.certain), 'sound windows leave the right record: who has one candidate knows that he is right')
FROM sdc_check.found AS f WHERE attack = 'candidates' AND release !~ '[db]';
SELECT pg_temp.ok(bool_and(a.found >= b.found - 1e-9 AND a.certain >= b.certain), 'everybody else known never finds fewer')
FROM sdc_check.found AS a JOIN sdc_check.found AS b ON a.release = b.release || ' all' AND a.seed = b.seed AND a.attack = b.attack WHERE a.attack = 'candidates';
SELECT pg_temp.ok(bool_and(y.found >= a.found - 1e-9) AND count(*) > 100, 'any attack finds at least what each does') FROM sdc_check.found AS a JOIN sdc_check.found AS y USING (release, seed) WHERE y.attack = 'any' AND a.attack <> 'any';

-- Adult: what is exact
CREATE TABLE sdc_check.same AS SELECT * FROM ref.adult;
ALTER TABLE sdc_check.same ADD PRIMARY KEY (id);
SELECT FROM sdc_register('ref.adult', 'sdc_check.same', '{occupation}', '{id}');
SELECT FROM (VALUES (5), (8), (10)) AS v (l), LATERAL sdc_generalize('ref.adult', :qi, '{occupation}', l => l, target => 'sdc_check.groups_' || l) AS made;
SELECT FROM sdc_permute('ref.adult', :qi, '{occupation}', l => 5, target => 'sdc_check.permuted', seed => 1);
SELECT pg_temp.ok(abs(found - expected) < 1e-6 AND certain = sure AND single = sure, format('%s, %s: %s people found, %s for certain', release, attack, expected, sure), format('%s, %s', found, certain))
FROM (VALUES ('same', 14211, 10553), ('groups_5', 1128, 0), ('groups_8', 156, 0), ('groups_10', 6, 0)) AS v (release, expected, sure),
	LATERAL sdc_people_found(('sdc_check.' || release)::regclass, :nine) WHERE attack IN ('nearest', 'candidates') ORDER BY release, attack;
SELECT pg_temp.ok(matched = 30162 AND abs(cap - share) < 5e-5 AND abs(found_percent - found) < 0.005 AND abs(found_without_percent - without) <= near AND disclosed = d AND of_group = g
		AND abs(cap_base - 0.1054) < 5e-5 AND abs(baseline_percent - 13.39) < 0.005,
	format('%s: the share of the true value is %s', release, share), a::text)
FROM (VALUES ('same', 0.5821, 63.70, 23.28, 0.005, 11758, 1205), ('groups_5', 0.2061, 32.09, 25.82, 0.005, 0, 0),
	-- which value is the own one in the release is drawn
	('permuted', 0.2000, 20.00, 19.92, 0.3, 0, 0)) AS v (release, share, found, without, near, d, g),
	LATERAL sdc_attribute_risk(('sdc_check.' || release)::regclass, :nine, '{occupation}') AS a ORDER BY release;
SELECT pg_temp.ok(tcap = 1 AND tcap_all = 1, 'same: released values are those of their keys', a::text) FROM sdc_attribute_risk('sdc_check.same', :nine, '{occupation}') AS a;
CREATE TABLE sdc_check.tcap (tcap float8, tcap_all float8);
DO $$
BEGIN
	FOR seed IN 3..4 LOOP
		DROP TABLE IF EXISTS sdc_check.release;
		PERFORM FROM sdc_randomize('ref.adult', '{education,race,sex,workclass,marital_status,age,relationship,native_country,salary}', probabilities => array_fill(1 / 9.0::float8, ARRAY[9]), target => 'sdc_check.release', seed => seed);
		INSERT INTO sdc_check.tcap SELECT a.tcap, a.tcap_all FROM sdc_attribute_risk('sdc_check.release', '{age,workclass,education,marital_status,relationship,race,sex,native_country,salary}', '{occupation}') AS a;
	END LOOP;
END
$$;
SELECT pg_temp.ok(abs(avg(tcap) - 0.842) < 0.01 AND abs(avg(tcap_all) - 0.343) < 0.01, 'uniform: of the records that look sure, most are right where the key is there', array_agg(tcap)::text)
FROM sdc_check.tcap;

\ir lib/finish.sql
