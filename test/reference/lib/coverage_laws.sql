--
-- Intervals and bounds of sdc_how_accurate for publications of all other methods, of units, and of continued releases:
-- how many have the truth, over seeds and questions (test/coverage).  Needs coverage_swapped.sql.
--
-- People with several visits, half of whose columns are the person's: made ones, and Adult in households of one to four.
CREATE TABLE ref.visits AS
SELECT (row_number() OVER (ORDER BY p, v))::int AS id, p AS person, 1930 + p * 7907 % 83 AS born,
	(ARRAY['surgery', 'heart', 'children'])[1 + (p * 31 + v * 7) % 3] AS ward, 1 + (p * 13 + v * 29) % 17 + (p * 7907 % 83) / 20 AS days, 't' || p % 3 AS town
FROM generate_series(1, 1500) AS p, generate_series(1, 1 + p * 7919 % 4) AS v;
ALTER TABLE ref.visits ADD PRIMARY KEY (id);
CREATE TABLE ref.households AS
SELECT a.id, h.household AS person, first_value(a.age) OVER w AS age, first_value(a.education) OVER w AS education, a.hours, a.occupation, a.sex
FROM (SELECT id, age, education, occupation, sex, 20 + age % 40 AS hours, row_number() OVER (ORDER BY id) AS n FROM ref.adult) AS a
JOIN (SELECT n, sum(n % 7 IN (0, 1, 4)::int) OVER (ORDER BY n) AS household FROM generate_series(1, 6000) AS n) AS h USING (n)
WINDOW w AS (PARTITION BY h.household ORDER BY a.id);
ALTER TABLE ref.households ADD PRIMARY KEY (id);

-- How each release is made: %1$L the source, %2$L the release, %3$s the seed, %4$s whether it replaces one.
CREATE TABLE sdc_check.laws (id serial, source text, law text, made text, keep name[], nights int, measured boolean);
INSERT INTO sdc_check.laws (source, law, made, keep, nights, measured) VALUES
	('eia', 'noise', 'sdc_noise(%1$L, 0.3, columns => ''{resrevenue,ressales,comrevenue,indsales}''', '{}', 0, true),
	('adult', 'noise', 'sdc_noise(%1$L, 0.2, columns => ''{age}''', '{education,sex,salary}', 0, true),
	('made', 'noise kim', 'sdc_noise(%1$L, 0.4, ''kim'', columns => ''{x,y}''', '{c}', 0, true),
	('eia', 'noise multiplicative', 'sdc_noise(%1$L, 0.2, ''multiplicative'', columns => ''{resrevenue,ressales,comrevenue,indsales}''', '{}', 0, false),
	('adult', 'pram', 'sdc_pram(%1$L, matrices => ''{"sex": {"values": ["Female", "Male"], "p": [[0.8, 0.2], [0.1, 0.9]]}, "salary": {"values": ["<=50K", ">50K"], "p": [[0.9, 0.1], [0.3, 0.7]]}}''', '{age,education}', 0, false),
	('made', 'pram', 'sdc_pram(%1$L, matrices => ''{"c": {"values": ["a", "b"], "p": [[0.8, 0.2], [0.1, 0.9]]}, "z": {"values": [0, 1, 2, 3, 4, 5, 6], "p": [[0.7, 0.3, 0, 0, 0, 0, 0], [0.1, 0.8, 0.1, 0, 0, 0, 0], [0, 0.1, 0.8, 0.1, 0, 0, 0], [0, 0, 0.1, 0.8, 0.1, 0, 0], [0, 0, 0, 0.1, 0.8, 0.1, 0], [0, 0, 0, 0, 0.1, 0.8, 0.1], [0, 0, 0, 0, 0, 0.4, 0.6]]}}''', '{x,y}', 0, false),
	('census', 'microaggregate each', 'sdc_microaggregate(%1$L, 5, columns => ''{agi}''', '{fedtax,afnlwgt}', 0, false),
	('eia', 'microaggregate each', 'sdc_microaggregate(%1$L, 7, columns => ''{resrevenue,ressales,comrevenue,indsales}'', scheme => ''each''', '{}', 0, false),
	('census', 'microaggregate joint', 'sdc_microaggregate(%1$L, 5, columns => ''{afnlwgt,agi,fedtax,intval,wsalval}''', '{}', 0, true),
	('eia', 'microaggregate joint', 'sdc_microaggregate(%1$L, 3, columns => ''{resrevenue,ressales,comrevenue,indsales}''', '{}', 0, true),
	('adult', 'suppress', 'sdc_suppress(%1$L, ''{age,sex,salary}'', 20', '{education}', 0, false),
	('made', 'suppress', 'sdc_suppress(%1$L, ''{z,c}'', 500', '{x,y}', 0, false),
	('adult', 'generalize', 'sdc_generalize(%1$L, ''{age,education}'', k => 50', '{sex,salary}', 0, false),
	('made', 'generalize', 'sdc_generalize(%1$L, ''{x,y,z}'', k => 10', '{c}', 0, false),
	('adult', 'recode', 'sdc_recode(%1$L, ''{"age": {"width": 10}, "education": {"prefix": 2}}''', '{sex,salary}', 0, false),
	('census', 'recode', 'sdc_recode(%1$L, ''{"agi": {"top_percent": 10, "replace": "mean"}, "afnlwgt": {"width": 50000}}''', '{}', 0, true),
	('census', 'equidepth_swap', 'sdc_equidepth_swap(%1$L, 5, columns => ''{afnlwgt,agi,fedtax}''', '{}', 0, false),
	('made', 'equidepth_swap', 'sdc_equidepth_swap(%1$L, 5, columns => ''{x,y,z}''', '{c}', 0, false),
	('visits', 'units', 'sdc_rankswap(%1$L, p => 10, columns => ''{born,days,ward}'', unit => ''{person}''', '{town}', 0, true),
	('visits', 'units each', 'sdc_rankswap(%1$L, p => 20, columns => ''{born,days,ward}'', unit => ''{person}'', unit_rows => ''each''', '{town}', 0, true),
	('households', 'units', 'sdc_rankswap(%1$L, p => 10, columns => ''{age,hours}'', unit => ''{person}''', '{education,occupation,sex}', 0, true),
	('households', 'units each', 'sdc_rankswap_distribution(%1$L, p => 20, columns => ''{age,hours}'', unit => ''{person}'', unit_rows => ''each''', '{education,occupation,sex}', 0, true),
	('visits', 'units noise', 'sdc_noise(%1$L, 0.3, columns => ''{born}'', unit => ''{person}''', '{town,days,ward}', 0, true),
	('visits', 'units pram', 'sdc_pram(%1$L, matrices => ''{"town": {"values": ["t0", "t1", "t2"], "p": [[0.8, 0.1, 0.1], [0.1, 0.8, 0.1], [0.1, 0.1, 0.8]]}}'', unit => ''{person}''', '{born,days,ward}', 0, false),
	('census', 'continued', 'sdc_rankswap(%1$L, p => 10, columns => ''{afnlwgt,agi,fedtax,intval,wsalval}'', continued => true', '{}', 8, true),
	('made', 'continued', 'sdc_rankswap_distribution(%1$L, p => 20, columns => ''{x,y,z}'', continued => true', '{c}', 8, true),
	('visits', 'continued units', 'sdc_rankswap_distribution(%1$L, p => 30, columns => ''{born,days,ward}'', unit => ''{person}'', continued => true', '{town}', 8, true);

-- What is asked of the publication, and what is true if it is not the same condition on the source.
CREATE TABLE sdc_check.law_questions (source text, law text, condition text, cells name[], truth text);
INSERT INTO sdc_check.law_questions VALUES
	('eia', 'noise', 'resrevenue > 5000', NULL, NULL), ('eia', 'noise', 'ressales < 20000', NULL, NULL), ('eia', 'noise', 'comrevenue BETWEEN 1000 AND 5000', NULL, NULL),
	('eia', 'noise', 'resrevenue > 5000 AND ressales < 60000', NULL, NULL), ('eia', 'noise', 'comrevenue > 4000 AND indsales < 2000', NULL, NULL),
	('adult', 'noise', 'age < 30', NULL, NULL), ('adult', 'noise', 'age >= 60', '{sex}', NULL), ('adult', 'noise', 'age BETWEEN 35 AND 45', '{education}', NULL),
	('adult', 'noise', 'age > 50 AND education = ''Masters''', NULL, NULL),
	('made', 'noise', 'x > 50', NULL, NULL), ('made', 'noise', 'x > 50 AND y < 60', NULL, NULL), ('made', 'noise', 'x < 60', '{c}', NULL), ('made', 'noise', 'x BETWEEN 30 AND 45', NULL, NULL),
	('adult', 'pram', 'sex = ''Female''', NULL, NULL), ('adult', 'pram', 'sex = ''Female'' AND salary = ''>50K''', NULL, NULL), ('adult', 'pram', 'salary = ''>50K'' AND age < 30', NULL, NULL),
	('adult', 'pram', 'salary = ''>50K''', '{education}', NULL),
	('made', 'pram', 'c = ''a'' AND z > 2', NULL, NULL), ('made', 'pram', 'z IN (1, 3, 5)', NULL, NULL), ('made', 'pram', 'z = 4 AND x > 80', NULL, NULL), ('made', 'pram', 'z IS NULL AND c = ''b''', NULL, NULL),
	('census', 'microaggregate', 'agi > 60000', NULL, NULL), ('census', 'microaggregate', 'agi BETWEEN 20000 AND 22000', NULL, NULL), ('census', 'microaggregate', 'agi < 40000 AND fedtax > 3000', NULL, NULL),
	('census', 'microaggregate', 'agi > 50000 AND afnlwgt > 150000', NULL, NULL), ('census', 'microaggregate', 'fedtax > 8000', NULL, NULL),
	('eia', 'microaggregate', 'resrevenue > 5000 AND ressales < 60000', NULL, NULL), ('eia', 'microaggregate', 'comrevenue > 4000', NULL, NULL), ('eia', 'microaggregate', 'indsales BETWEEN 2000 AND 2500', NULL, NULL),
	('adult', 'suppress', 'age < 30 AND salary = ''>50K''', '{education}', NULL), ('adult', 'suppress', 'age > 70', NULL, NULL), ('adult', 'suppress', 'age IS NULL', NULL, NULL),
	('made', 'suppress', 'z >= 3', NULL, NULL), ('made', 'suppress', 'z = 2 AND c = ''a''', NULL, NULL), ('made', 'suppress', 'z IS NULL', NULL, NULL), ('made', 'suppress', 'c = ''b'' AND x < 30', NULL, NULL),
	('adult', 'generalize', 'age <@ ''[30,50)''', '{sex}', 'age >= 30 AND age < 50'), ('adult', 'generalize', 'age && ''[25,28)'' AND salary = ''>50K''', NULL, 'age >= 25 AND age < 28 AND salary = ''>50K'''),
	('adult', 'generalize', 'education <@ ''{Masters,Doctorate,Bachelors}''', NULL, 'education IN (''Masters'', ''Doctorate'', ''Bachelors'')'),
	('made', 'generalize', 'x <@ ''[20,70)'' AND y <@ ''[30,)''', NULL, 'x >= 20 AND x < 70 AND y >= 30'), ('made', 'generalize', 'z && ''[2,4)'' AND c = ''a''', NULL, 'z >= 2 AND z < 4 AND c = ''a'''),
	('adult', 'recode', 'age <@ ''[30,50)''', '{sex}', 'age >= 30 AND age < 50'), ('adult', 'recode', 'age <@ ''[25,47)''', NULL, 'age >= 25 AND age < 47'), ('adult', 'recode', 'education = ''Ba*''', NULL, 'education LIKE ''Ba%'''),
	('adult', 'recode', 'age = ''[40,50)'' AND education IN (''Ma*'', ''Do*'')', NULL, 'age >= 40 AND age < 50 AND (education LIKE ''Ma%'' OR education LIKE ''Do%'')'),
	('census', 'recode', 'agi > 40000', NULL, NULL), ('census', 'recode', 'afnlwgt <@ ''[100000,200000)''', NULL, 'afnlwgt >= 100000 AND afnlwgt < 200000'),
	('census', 'equidepth_swap', 'agi > 60000', NULL, NULL), ('census', 'equidepth_swap', 'agi > 60000 AND fedtax < 9000', NULL, NULL), ('census', 'equidepth_swap', 'afnlwgt > 10000 AND agi > 2000', NULL, NULL),
	('made', 'equidepth_swap', 'x > 20 AND y > 20', NULL, NULL), ('made', 'equidepth_swap', 'x > 90 AND c = ''b''', NULL, NULL), ('made', 'equidepth_swap', 'z >= 1', '{c}', NULL),
	('visits', 'units', 'born < 1950', NULL, NULL), ('visits', 'units', 'days > 10', NULL, NULL), ('visits', 'units', 'days > 10 AND born < 1950', NULL, NULL), ('visits', 'units', 'ward = ''heart''', NULL, NULL),
	('visits', 'units', 'born BETWEEN 1960 AND 1980 AND town = ''t1''', NULL, NULL), ('visits', 'units', 'days < 5', '{town}', NULL), ('visits', 'units', 'days > 6 AND ward = ''surgery''', NULL, NULL),
	('visits', 'units pram', 'town = ''t1''', NULL, NULL), ('visits', 'units pram', 'town = ''t2'' AND born < 1960', NULL, NULL), ('visits', 'units pram', 'town <> ''t2'' AND ward = ''heart''', NULL, NULL),
	('households', 'units', 'age < 30', NULL, NULL), ('households', 'units', 'hours > 50', NULL, NULL), ('households', 'units', 'age >= 40 AND hours < 40', NULL, NULL),
	('households', 'units', 'age < 35', '{sex}', NULL), ('households', 'units', 'hours > 40 AND education = ''HS-grad''', NULL, NULL), ('households', 'units', 'age > 30 AND hours > 30 AND sex = ''Male''', NULL, NULL),
	('census', 'continued', 'agi > 60000', NULL, NULL), ('census', 'continued', 'agi > 60000 AND fedtax < 9000', NULL, NULL), ('census', 'continued', 'agi BETWEEN 20000 AND 40000', NULL, NULL),
	('census', 'continued', 'wsalval > 40000 AND intval > 1000', NULL, NULL), ('census', 'continued', 'afnlwgt < 150000 AND agi < 30000', NULL, NULL),
	('made', 'continued', 'x > 50', NULL, NULL), ('made', 'continued', 'x > 50 AND y < 60', NULL, NULL), ('made', 'continued', 'x < 60', '{c}', NULL), ('made', 'continued', 'x < 20 AND z >= 1', NULL, NULL),
	('visits', 'continued', 'born < 1950', NULL, NULL), ('visits', 'continued', 'days > 10 AND born < 1950', NULL, NULL), ('visits', 'continued', 'days < 5', '{town}', NULL),
	('visits', 'continued', 'born > 1970 AND town = ''t1''', NULL, NULL), ('visits', 'continued', 'days > 6 AND ward = ''surgery''', NULL, NULL);

CREATE TABLE sdc_check.law_hits (law int, condition text, cell jsonb, seed int, truth float8, released float8, estimate float8,
	low float8, high float8, kind text);

-- Makes a release of a seed; a continued one of so many nights, with three of a hundred going, coming and changing in each.
CREATE PROCEDURE sdc_check.make_law(INOUT of text, made sdc_check.laws, target text, seed int, again boolean)
LANGUAGE plpgsql AS $$
DECLARE
	nightly text := target || '_source';
	unit text := CASE made.source WHEN 'visits' THEN 'person' ELSE 'id' END;
BEGIN
	IF made.nights = 0 THEN
		EXECUTE 'SELECT count(*) FROM ' || format(made.made || ', keep => %5$L, key => ''{id}'', target => %2$L, replace => %4$L'
			|| CASE WHEN made.made ~ 'sdc_(microaggregate|suppress|generalize|recode)' THEN '' ELSE ', seed => %3$s' END || ')', of, target, seed, again, made.keep);
		RETURN;
	END IF;
	EXECUTE format('DROP TABLE IF EXISTS %s', target);
	EXECUTE format('DROP TABLE IF EXISTS %s', nightly);
	EXECUTE format('CREATE TABLE %s AS SELECT * FROM %s WHERE hashint8(%I * 7919 + %s) %% 4 <> 0', nightly, of, unit, seed);
	EXECUTE format('ALTER TABLE %s ADD PRIMARY KEY (id)', nightly);
	FOR night IN 1 .. made.nights LOOP
		EXECUTE format('DELETE FROM %s WHERE hashint8(%I * 7919 + %s) %% 31 = 0', nightly, unit, 100 * seed + night);
		EXECUTE format('INSERT INTO %s SELECT * FROM %s AS s WHERE hashint8(%I * 104729 + %s) %% 8 = 0 AND NOT EXISTS (SELECT FROM %1$s AS n WHERE n.%3$I = s.%3$I)', nightly, of, unit, 100 * seed + night);
		EXECUTE 'SELECT count(*) FROM ' || format(made.made || ', keep => %5$L, key => ''{id}'', target => %2$L, replace => %4$L, seed => %3$s)', nightly, target, seed, night > 1, made.keep);
	END LOOP;
	of := nightly;
END $$;

-- Asks all questions of every release with some seeds.
CREATE PROCEDURE sdc_check.cover_laws(first int, last int, which text DEFAULT '')
LANGUAGE plpgsql AS $$
DECLARE
	made sdc_check.laws;
	asked record;
	target text;
	of text;
BEGIN
	FOR made IN SELECT * FROM sdc_check.laws AS l WHERE l.law LIKE which || '%' ORDER BY id LOOP
		PERFORM set_config('sdc.accuracy_records', CASE WHEN made.measured THEN '100000' ELSE '0' END, false);
		target := format('sdc_check.law_%s_%s', made.id, first);
		FOR seed IN first .. CASE WHEN made.made ~ 'sdc_(microaggregate|suppress|generalize|recode)' THEN least(first, last) ELSE last END LOOP
			of := 'ref.' || made.source;
			CALL sdc_check.make_law(of, made, target, seed, seed > first);
			PERFORM sdc_publish(target, target || '_public', keep => made.keep, replace => seed > first AND made.nights = 0, force => true);
			FOR asked IN SELECT * FROM sdc_check.law_questions AS q WHERE q.source = made.source AND made.law LIKE '%' || q.law || '%' LOOP
				IF made.law ~ 'pram' AND asked.law !~ 'pram' THEN
					CONTINUE;
				END IF;
				EXECUTE format('INSERT INTO sdc_check.law_hits SELECT $1, $2, a.cell, $3, t.count, a.released, a.estimate, a.low, a.high, a.kind
					FROM sdc_how_accurate(%L, $2, $4) AS a CROSS JOIN LATERAL (SELECT count(*) FROM %s AS t
						WHERE (%s) AND to_jsonb(t) @> a.cell AND id IN (SELECT id FROM %s)) AS t',
					target || '_public', of, coalesce(asked.truth, asked.condition), target) USING made.id, asked.condition, seed, asked.cells;
			END LOOP;
			IF made.nights > 0 THEN
				PERFORM sdc_withdraw(target || '_public', 'the next seed');
			END IF;
		END LOOP;
		COMMIT;
	END LOOP;
END $$;
