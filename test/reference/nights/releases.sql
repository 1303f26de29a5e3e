-- releases.sql
--		What releases that repeat tell together, on Census and EIA.
--
-- A fifth of the file is held back at first; every night some leave, and as many come from those who are not in the table, under
-- new keys.  The expected figures are those of an independent implementation, 30 nights of one history; they differ by history, so
-- that the intervals are wide.  Everything is made with fixed seeds.

\ir ../lib/check.sql

SET maintenance_work_mem = '256MB';

CREATE TABLE sdc_check.member (night int, id bigint, key int);

-- history makes the source of each night: sdc_check.source_1, ...; a class of 20, which is copied, belongs to the person.
CREATE FUNCTION pg_temp.history(file text, nights int, churn float8, salt int)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	records int;
	moved int;
	latest int;
BEGIN
	DELETE FROM sdc_check.member;
	EXECUTE format('INSERT INTO sdc_check.member SELECT 1, id, row_number() OVER (ORDER BY pg_temp.uniform(%s, id))
		FROM (SELECT id FROM ref.%I ORDER BY pg_temp.uniform(%s, id) LIMIT (SELECT 4 * count(*) / 5 FROM ref.%I)) AS s', salt, file, salt + 1, file);
	SELECT count(*), round(churn * count(*) / 100) INTO records, moved FROM sdc_check.member;
	FOR t IN 2 .. nights LOOP
		latest := (SELECT max(key) FROM sdc_check.member);
		INSERT INTO sdc_check.member SELECT t, id, key FROM (SELECT *, row_number() OVER (ORDER BY pg_temp.uniform(salt + 10 * t, key)) AS place
			FROM sdc_check.member WHERE night = t - 1) AS s WHERE place > moved;
		EXECUTE format('INSERT INTO sdc_check.member SELECT %s, id, %s + row_number() OVER (ORDER BY pg_temp.uniform(%s, id)) FROM (SELECT id FROM ref.%I
			WHERE id NOT IN (SELECT id FROM sdc_check.member WHERE night = %s) ORDER BY pg_temp.uniform(%s, id) LIMIT %s) AS s',
			t, latest, salt + 10 * t + 2, file, t - 1, salt + 10 * t + 3, moved);
	END LOOP;
	FOR t IN 1 .. nights LOOP
		EXECUTE format('CREATE TABLE sdc_check.source_%s AS SELECT key, floor(20 * pg_temp.uniform(5, id))::int AS class, s.* FROM ref.%I AS s
			JOIN sdc_check.member USING (id) WHERE night = %s', t, file, t);
		EXECUTE format('ALTER TABLE sdc_check.source_%s DROP COLUMN id, ADD PRIMARY KEY (key)', t);
	END LOOP;
END
$$;

-- names are the tables of a kind, in the order of the nights.
CREATE FUNCTION pg_temp.names(kind text, nights int)
RETURNS regclass[] LANGUAGE sql AS $$
	SELECT array_agg(format('sdc_check.%s_%s', kind, t)::regclass ORDER BY t) FROM generate_series(1, nights) AS t
$$;

-- columns_of are the first columns of a file.
CREATE FUNCTION pg_temp.columns_of(file text, count int DEFAULT 1600)
RETURNS name[] LANGUAGE sql AS $$
	SELECT (array_agg(attname ORDER BY attnum))[:count] FROM pg_attribute
	WHERE attrelid = ('ref.' || file)::regclass AND attnum > 0 AND NOT attisdropped AND attname <> 'id'
$$;

-- release protects the source of every night: drawn anew, with one seed, or continued from the night before.
CREATE FUNCTION pg_temp.release(file text, mode text, nights int, p float8)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	IF mode = 'continued' THEN
		CREATE TABLE sdc_check.now (LIKE sdc_check.source_1 INCLUDING ALL);
	END IF;
	FOR t IN 1 .. nights LOOP
		IF mode = 'continued' THEN
			EXECUTE format('DELETE FROM sdc_check.now WHERE key NOT IN (SELECT key FROM sdc_check.source_%s)', t);
			EXECUTE format('INSERT INTO sdc_check.now SELECT * FROM sdc_check.source_%s WHERE key NOT IN (SELECT key FROM sdc_check.now)', t);
			EXECUTE format('SELECT FROM sdc_rankswap(''sdc_check.now'', %s, %L, target => ''sdc_check.tonight'', seed => 5, continued => true, replace => %L)',
				p, pg_temp.columns_of(file), t > 1);
			EXECUTE format('CREATE TABLE sdc_check.night_%s (LIKE sdc_check.tonight, PRIMARY KEY (key))', t);
			EXECUTE format('INSERT INTO sdc_check.night_%s SELECT * FROM sdc_check.tonight', t);
		ELSE
			EXECUTE format('SELECT FROM sdc_rankswap(''sdc_check.source_%s'', %s, %L, target => ''sdc_check.night_%s'', seed => %s)',
				t, p, pg_temp.columns_of(file), t, CASE mode WHEN 'seed' THEN 5 ELSE t END);
		END IF;
	END LOOP;
END
$$;

-- What a history tells: the attacks by some columns and by three, and the differences of successive nights, where alone is what
-- is exposed, and together the guess.
CREATE TABLE sdc_check.found (file text, p float8, mode text, measure text, alone float8, together float8);
CREATE FUNCTION pg_temp.attack(file text, mode text, nights int, p float8, columns int)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	night CONSTANT regclass[] := pg_temp.names('night', nights);
	source CONSTANT regclass[] := pg_temp.names('source', nights);
	last CONSTANT regclass := night[nights];
BEGIN
	INSERT INTO sdc_check.found
	SELECT file, p, mode, m.measure, (array_agg(m.value) FILTER (WHERE release = last))[1], (array_agg(m.value) FILTER (WHERE release IS NULL))[1]
	FROM sdc_link_releases(night, pg_temp.columns_of(file, columns), source, p),
		LATERAL (VALUES ('average', 'error', error), ('movement', 'exact', percent), ('movement', 'guess', guess)) AS m (attack, measure, value)
	WHERE m.attack = sdc_link_releases.attack GROUP BY m.measure
	UNION ALL SELECT file, p, mode, attack, (array_agg(percent) FILTER (WHERE release = last))[1], (array_agg(percent) FILTER (WHERE release IS NULL))[1]
	FROM sdc_link_releases(night, pg_temp.columns_of(file, 3), source, p, '{class}') WHERE attack IN ('average', 'composition') GROUP BY attack
	UNION ALL SELECT file, p, mode, 'new', 100 * sum(exposed) / sum(cells), 100 * sum(guess) / sum(cells)
	FROM generate_series(1, nights - 1) AS t, sdc_compare_releases(night[t], night[t + 1], pg_temp.columns_of(file), source[t:t + 1], p => p)
	WHERE side = 'newcomers' AND attribute IS NOT NULL;
	-- and without them
	FOR t IN 1 .. nights LOOP
		EXECUTE format('DROP TABLE sdc_check.night_%s', t);
	END LOOP;
	IF mode = 'continued' THEN
		DROP TABLE sdc_check.now, sdc_check.tonight;
	END IF;
END
$$;
CREATE FUNCTION pg_temp.forget(nights int)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	FOR t IN 1 .. nights LOOP
		EXECUTE format('DROP TABLE sdc_check.source_%s', t);
	END LOOP;
END
$$;

SELECT pg_temp.history('census', 30, 1, 1) \g /dev/null
SELECT pg_temp.release('census', mode, 30, p), pg_temp.attack('census', mode, 30, p, 13)
FROM (VALUES ('fresh', 5), ('seed', 5), ('fresh', 20), ('continued', 5), ('continued', 20)) AS r (mode, p) \g /dev/null
SELECT pg_temp.forget(30) \g /dev/null
SELECT pg_temp.history('eia', 30, 1, 2) \g /dev/null
SELECT pg_temp.release('eia', mode, 30, p), pg_temp.attack('eia', mode, 30, p, 4) FROM (VALUES ('fresh', 5), ('continued', 5)) AS r (mode, p) \g /dev/null
SELECT pg_temp.forget(30) \g /dev/null

-- expect tells whether a number is between two.
CREATE FUNCTION pg_temp.expect(history text, measure text, alone_low float8, alone_high float8, low float8, high float8)
RETURNS text LANGUAGE sql AS $$
	SELECT pg_temp.ok(alone BETWEEN alone_low AND alone_high AND together BETWEEN low AND high, format('%s, %s', history, expect.measure),
		format('%s, %s; expected %s to %s, %s to %s', alone, together, alone_low, alone_high, low, high))
	FROM (SELECT 1) AS one LEFT JOIN sdc_check.found ON format('%s %s %s', file, p, mode) = history AND found.measure = expect.measure
$$;
SELECT pg_temp.expect(history, measure, alone_low, alone_high, low, high) FROM (VALUES
	('census 5 fresh', 'error', 2.6, 3.0, 0.59, 0.72), ('census 5 fresh', 'average', 44, 66, 94, 100), ('census 5 fresh', 'exact', 0, 0.2, 32, 46),
	('census 5 fresh', 'guess', 1, 3, 47, 63), ('census 5 fresh', 'new', 37, 49, 62, 73), ('census 5 fresh', 'composition', 34, 54, 96, 100),
	('census 5 seed', 'error', 2.6, 3.0, 0.9, 1.2), ('census 5 seed', 'exact', 0, 0.2, 40, 75), ('census 5 seed', 'average', 44, 66, 90, 100),
	('census 20 fresh', 'error', 9.8, 10.9, 3.0, 3.7), ('census 20 fresh', 'average', 0.5, 5, 42, 62), ('census 20 fresh', 'exact', 0, 0.2, 5, 11),
	('census 20 fresh', 'new', 2, 6, 26, 36), ('eia 5 fresh', 'error', 2.6, 2.9, 0.58, 0.70), ('eia 5 fresh', 'average', 0.5, 5, 45, 66),
	('eia 5 fresh', 'exact', 0, 0.2, 3, 10), ('eia 5 fresh', 'new', 2, 6, 25, 36)) AS e (history, measure, alone_low, alone_high, low, high);

-- What continued releases promise, by the same attacks with the window of p.
SELECT pg_temp.ok(alone <= 1.15 * together, format('%s %s continued: the average is little better than a night', file, p), format('%s, %s', alone, together))
FROM sdc_check.found WHERE (mode, measure) = ('continued', 'error');
SELECT pg_temp.ok(together <= alone + 5, format('%s %s continued: hardly more links', file, p), format('%s, %s', alone, together))
FROM sdc_check.found WHERE (mode, measure) = ('continued', 'average');
SELECT pg_temp.ok(together <= 2, format('%s %s continued: movements expose next to nothing', file, p), together::text)
FROM sdc_check.found WHERE (mode, measure) = ('continued', 'exact');
SELECT pg_temp.ok(alone <= 1 AND together <= 1.25 * 100 / 11, format('%s %s continued: the difference of two nights exposes next to no newcomer', file, p),
	format('%s, %s', alone, together))
FROM sdc_check.found WHERE (mode, measure) = ('continued', 'new');

\ir ../lib/finish.sql
