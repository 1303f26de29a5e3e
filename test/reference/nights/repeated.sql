-- repeated.sql
--		What many nights tell of random anonymization: drawn anew, and with a memory.
--
-- Adult, every 10th record, nine quasi-identifiers.  An intruder who sees every night takes the most frequent value of each
-- attribute; a record is known if all nine are right.  The figures for fresh draws are those of an independent
-- simulation; that of a continued release is the one of the first night.  Seeds are fixed.

\ir ../lib/check.sql

\set qi '''{education,race,sex,workclass,marital_status,age,relationship,native_country,salary}''::name[]'

CREATE TABLE sdc_check.tenth AS SELECT * FROM ref.adult WHERE id % 10 = 0;
ALTER TABLE sdc_check.tenth ADD PRIMARY KEY (id);
CREATE TEMP TABLE seen (how text, night int, id int, i int, value text);

-- cells are the values of a record.
CREATE FUNCTION pg_temp.cells(r jsonb)
RETURNS TABLE (i int, value text) LANGUAGE sql IMMUTABLE AS $$
	SELECT ordinality, r ->> name FROM unnest('{education,race,sex,workclass,marital_status,age,relationship,native_country,salary}'::text[])
		WITH ORDINALITY AS q (name, ordinality)
$$;

-- publish makes the releases of some nights, and notes what is seen.
CREATE PROCEDURE pg_temp.publish(how text, probabilities float8[], continued boolean, nights int)
LANGUAGE plpgsql AS $$
BEGIN
	FOR night IN 1 .. nights LOOP
		PERFORM FROM sdc_randomize('sdc_check.tenth', '{education,race,sex,workclass,marital_status,age,relationship,native_country,salary}',
			probabilities => probabilities, target => 'sdc_check.' || how, seed => CASE WHEN continued THEN 1 ELSE night END, replace => true, continued => continued);
		EXECUTE format('INSERT INTO seen SELECT %L, %s, id, i, value FROM sdc_check.%I AS r, pg_temp.cells(to_jsonb(r))', how, night, how);
	END LOOP;
END
$$;

-- known is the percentage of records of which the most frequent values are the right ones; of n equally frequent ones
-- each is taken with 1 / n.
CREATE FUNCTION pg_temp.known(how text, nights int)
RETURNS float8 LANGUAGE sql AS $$
	WITH counted AS (
		SELECT id, i, value, count(*) AS times FROM seen WHERE how = known.how AND night <= nights GROUP BY id, i, value),
	best AS (
		SELECT id, i, value, 1.0 / count(*) OVER (PARTITION BY id, i) AS share
		FROM (SELECT *, rank() OVER (PARTITION BY id, i ORDER BY times DESC) AS place FROM counted) AS c WHERE place = 1),
	right_ones AS (
		SELECT id, exp(sum(ln(b.share::float8))) AS share, count(*) AS attributes
		FROM best AS b JOIN LATERAL (SELECT o.* FROM sdc_check.tenth AS o WHERE o.id = b.id) AS o USING (id), pg_temp.cells(to_jsonb(o)) AS c
		WHERE (c.i, c.value) = (b.i, b.value) GROUP BY id)
	SELECT 100 * sum(share) / (SELECT count(*) FROM sdc_check.tenth) FROM right_ones WHERE attributes = 9
$$;

CALL pg_temp.publish('even', array_fill(1 / 9.0::float8, ARRAY[9]), false, 30);
CALL pg_temp.publish('optimal', NULL, false, 30);
CALL pg_temp.publish('even_continued', array_fill(1 / 9.0::float8, ARRAY[9]), true, 5);
CALL pg_temp.publish('optimal_continued', NULL, true, 5);
ANALYZE seen;

SELECT pg_temp.ok(abs(pg_temp.known(how, nights) - expected) <= 2.5, format('%s, %s nights, drawn anew: %s %% are known, within 2.5', how, nights, expected),
	pg_temp.known(how, nights)::text)
FROM (VALUES ('optimal', 1, 15.8), ('optimal', 3, 41.8), ('optimal', 5, 61.5), ('optimal', 10, 87.1), ('optimal', 30, 99.6),
	('even', 1, 47.9), ('even', 3, 89.6), ('even', 5, 98.4), ('even', 10, 99.9), ('even', 30, 100)) AS v (how, nights, expected);
SELECT pg_temp.ok(pg_temp.known(how || '_continued', 5) = pg_temp.known(how, 1), format('%s: continued, five nights tell what one tells', how),
	pg_temp.known(how || '_continued', 5)::text)
FROM (VALUES ('optimal'), ('even')) AS v (how);

\ir ../lib/finish.sql
