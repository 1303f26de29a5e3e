--
-- Intervals of sdc_how_accurate for publications that were rank swapped: how many have the truth, over seeds and
-- queries (test/coverage).
--
CREATE TABLE sdc_check.swapped (id serial, source text, method text, p float8, keep name[], columns name[]);
INSERT INTO sdc_check.swapped (source, method, p, keep, columns) VALUES
	('census', 'rankswap', 5, '{}', '{afnlwgt,agi,fedtax,intval,wsalval}'),
	('census', 'rankswap', 20, '{}', '{afnlwgt,agi,fedtax,intval,wsalval}'),
	('census', 'rankswap_distribution', 10, '{}', '{afnlwgt,agi,fedtax,intval,wsalval}'),
	('eia', 'rankswap', 10, '{}', '{resrevenue,ressales,comrevenue,indsales}'),
	('eia', 'rankswap_buckets', 20, '{}', '{resrevenue,ressales,comrevenue,indsales}'),
	('made', 'rankswap', 5, '{c}', '{x,y,z}'),
	('made', 'rankswap', 20, '{c}', '{x,y,z}'),
	('adult', 'rankswap', 5, '{education,sex,salary}', '{age}'),
	('adult', 'rankswap', 20, '{education,sex,salary}', '{age}');

ALTER TABLE ref.census ADD IF NOT EXISTS id serial;
ALTER TABLE ref.eia ADD IF NOT EXISTS id serial;

-- a table of two correlated columns, one of few values with missing ones, and one that is copied
CREATE TABLE ref.made AS
SELECT i AS id, x, round((x + 30 * b)::numeric, 1) AS y, CASE WHEN i % 11 > 0 THEN round(x / 20 + c)::int END AS z,
	CASE WHEN x + 40 * c > 60 THEN 'a' ELSE 'b' END AS c
FROM (SELECT i, round((100 * (i * 0.6180339887498949 - floor(i * 0.6180339887498949)))::numeric, 2)::float8 AS x,
	i * 0.7548776662466927 - floor(i * 0.7548776662466927) AS b, i * 0.5698402909980532 - floor(i * 0.5698402909980532) AS c
	FROM generate_series(1, 3000) AS i) AS r;
ALTER TABLE ref.made ADD PRIMARY KEY (id);

CREATE TABLE sdc_check.questions (source text, condition text, cells name[]);
INSERT INTO sdc_check.questions VALUES
	('census', 'agi > 60000 AND fedtax < 5000', NULL), ('census', 'afnlwgt < 150000 AND agi < 30000', NULL),
	('census', 'wsalval > 40000 AND intval > 1000', NULL), ('census', 'agi BETWEEN 20000 AND 40000 AND wsalval > 25000', NULL),
	('census', 'agi > 50000 AND intval > 2000 AND afnlwgt > 150000', NULL), ('census', 'fedtax > 8000 AND wsalval < 30000', NULL),
	('eia', 'resrevenue > 5000 AND ressales < 60000', NULL), ('eia', 'comrevenue > 4000 AND indsales < 2000', NULL),
	('eia', 'resrevenue < 2000 AND indsales > 3000', NULL), ('eia', 'comrevenue BETWEEN 1000 AND 5000 AND ressales > 20000', NULL),
	('made', 'x > 50 AND y < 60', NULL), ('made', 'x < 20 AND z >= 3', NULL), ('made', 'y > 100 AND c = ''b''', NULL),
	('made', 'z IS NULL AND x > 70', NULL), ('made', 'x BETWEEN 30 AND 45 AND y > 55', NULL), ('made', 'x < 60', '{c}'),
	('made', 'x > 50 AND y < 80 AND z > 2', NULL),
	('adult', 'age < 30 AND salary = ''>50K''', '{sex}'), ('adult', 'age >= 60', '{sex}'), ('adult', 'age BETWEEN 35 AND 45', '{education}'),
	('adult', 'age > 50 AND education = ''Masters''', NULL), ('adult', 'age = 17 AND education <> ''11th''', NULL);

CREATE TABLE sdc_check.hits (release int, condition text, cell jsonb, seed int, truth float8, released float8, estimate float8,
	low float8, high float8, kind text);

-- Asks all questions of every release with some seeds.
CREATE PROCEDURE sdc_check.cover_swapped(first int, last int)
LANGUAGE plpgsql AS $$
DECLARE
	made record;
	asked record;
	target text;
	key name;
BEGIN
	SET LOCAL sdc.accuracy_records = 0;
	FOR made IN SELECT * FROM sdc_check.swapped ORDER BY id LOOP
		target := format('swapped_%s_%s', made.id, first);
		FOR seed IN first .. last LOOP
			EXECUTE format('SELECT count(*) FROM sdc_%s(%L, %s => %s, columns => $1, keep => $2, key => ''{id}'', target => %L, seed => $3, replace => $4)',
				made.method, 'ref.' || made.source, CASE made.method WHEN 'rankswap_buckets' THEN 'buckets' ELSE 'p' END, made.p, target)
				USING made.columns, made.keep, seed, seed > first;
			PERFORM sdc_publish(target, target || '_public', keep => made.keep, replace => seed > first, force => true);
			FOR asked IN SELECT * FROM sdc_check.questions WHERE source = made.source LOOP
				EXECUTE format('INSERT INTO sdc_check.hits SELECT $1, $2, a.cell, $3, t.count, a.released, a.estimate, a.low, a.high, a.kind
					FROM sdc_how_accurate(%L, $2, $4) AS a CROSS JOIN LATERAL (SELECT count(*) FROM ref.%I AS t WHERE (%s) AND to_jsonb(t) @> a.cell) AS t',
					target || '_public', made.source, asked.condition) USING made.id, asked.condition, seed, asked.cells;
			END LOOP;
		END LOOP;
	END LOOP;
END $$;
