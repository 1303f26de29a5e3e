/*
 * export.sql
 *		After the job "export" of the guide: the files hold what the guide says.
 */
CREATE TEMP TABLE exported (region text, age int, income numeric, rent numeric);
\copy exported FROM 'person.csv' (FORMAT csv, HEADER MATCH)
SELECT CASE WHEN NOT EXISTS ((SELECT income FROM person EXCEPT ALL SELECT income FROM exported)
							 UNION ALL
							 (SELECT income FROM exported EXCEPT ALL SELECT income FROM person))
				 AND (SELECT count(*) FROM exported) = (SELECT count(*) FROM person)
			THEN 'ok' ELSE 'not ok' END || ' - export: the file has every income once';

-- In key order the regions repeat with a period of four.
SELECT CASE WHEN count(*) FILTER (WHERE region = before) < 0.9 * count(*)
			THEN 'ok' ELSE 'not ok' END || ' - export: the order of the rows is gone'
FROM (SELECT region, lag(region, 4) OVER (ORDER BY ctid) AS before FROM exported) AS t;

SELECT CASE WHEN NOT EXISTS ((SELECT region, age, income, rent FROM person_for_export EXCEPT ALL SELECT region, age, income, rent FROM exported)
							 UNION ALL
							 (SELECT region, age, income, rent FROM exported EXCEPT ALL SELECT region, age, income, rent FROM person_for_export))
			THEN 'ok' ELSE 'not ok' END || ' - export: the file has the records that were attacked';

\getenv directory EXPORT_DIR
\set file :directory '/person-server.csv'
CREATE TEMP TABLE exported_by_server (LIKE exported);
COPY exported_by_server FROM :'file' (FORMAT csv, HEADER MATCH);
SELECT CASE WHEN count(*) = (SELECT count(*) FROM person) THEN 'ok' ELSE 'not ok' END
	   || ' - export: the server''s file has all rows'
FROM exported_by_server;

CREATE TEMP TABLE labelled (age text, region text, rent text);
\copy labelled FROM 'person-groups.csv' (FORMAT csv, HEADER MATCH)
SELECT CASE WHEN count(*) = (SELECT count(*) FROM person) AND bool_and(age ~ '^\d+( to \d+)?$' AND region ~ '^[a-z]+(, [a-z]+)*( or [a-z]+)?$')
			THEN 'ok' ELSE 'not ok' END || ' - export: ranges and sets are words and numbers'
FROM labelled;
