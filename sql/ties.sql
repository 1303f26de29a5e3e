--
-- ties
--
-- How far apart what is tied may be: squares of distances by a relative 1e-9, weights by 1e-9.
--
\pset format unaligned
\pset footer off

CREATE SCHEMA ties;
SET search_path = ties, public;
SET client_min_messages = warning;

-- found links record 1, at 0, to records at 1 and, a little further, on the other side.
CREATE FUNCTION found(further float8) RETURNS text
LANGUAGE plpgsql AS $$
BEGIN
	DROP TABLE IF EXISTS source, release;
	CREATE TABLE source (id int PRIMARY KEY, x float8, y float8);
	INSERT INTO source VALUES (1, 0, 0), (2, 500, 0), (3, 600, 0), (4, 700, 0);
	CREATE TABLE release (id int PRIMARY KEY, x float8, y float8);
	INSERT INTO release VALUES (1, 1, 0), (2, -1 - further, 0), (3, 600, 0), (4, 700, 0);
	PERFORM sdc_register('source', 'release', '{x,y}', '{id}', 'rankswap', '{"p": 100}');
	RETURN (SELECT format('distance %s %s, ', linked, ties) FROM sdc_link_distance('release') WHERE record = '1') ||
		(SELECT format('first column %s %s, ', linked, ties) FROM sdc_link_distance('release', '{x}') WHERE record = '1') ||
		(SELECT format('manhattan %s %s, ', linked, ties) FROM sdc_link_distance('release', '{x,y}', 'manhattan') WHERE record = '1') ||
		(SELECT format('windows %s %s, ', linked, ties) FROM sdc_link_rankswap('release') WHERE record = '1') ||
		(SELECT format('union %s %s', linked, ties) FROM sdc_link_rankswap('release', NULL, '{x,y}', 'union') WHERE record = '1');
END
$$;
SELECT further, found(further) FROM (VALUES (0), (0.4e-9), (0.6e-9), (0.8e-9), (1.2e-9), (1e-6)) AS v (further);

-- Of the score: record 1 counts one half or one, 3 and 4 count one, of four.
SELECT found(0.4e-9) IS NOT NULL AS made;
SELECT round(dld::numeric, 3) AS dld FROM sdc_score('release', known_max => 1);
SELECT found(0.6e-9) IS NOT NULL AS made;
SELECT round(dld::numeric, 3) AS dld FROM sdc_score('release', known_max => 1);

DROP SCHEMA ties CASCADE;
