--
-- Objects and library of different versions.
--
\pset format unaligned
\pset footer off
\set VERBOSITY verbose

-- the version, the next one, one with two digits, and the next first number, which results have as words
SELECT sdc_version() AS this, format('%s.%s', n[1], n[2] + 1) AS next, format('%s.%s', n[1], n[2] + 10) AS tenth, format('%s.0', n[1] + 1) AS first
FROM (SELECT string_to_array(sdc_version(), '.')::int[]) AS v (n) \gset
CREATE FUNCTION pg_temp.caught(statement text) RETURNS text LANGUAGE sql
RETURN replace(replace(replace(replace(replace(helper.catch(statement), 'Restart the server, which has sdc in shared_preload_libraries', 'Reconnect'),
	:'tenth', 'TENTH'), :'next', 'NEXT'), :'first', 'FIRST'), :'this', 'THIS');

-- an argument that the objects do not declare is not read
CREATE FUNCTION pg_temp.histogram(regclass) RETURNS float8 AS '$libdir/sdc', 'sdc_histogram_error' LANGUAGE C;
SELECT pg_temp.caught($$SELECT pg_temp.histogram('pg_class')$$);
CREATE FUNCTION pg_temp.classify() RETURNS void AS '$libdir/sdc', 'sdc_classify' LANGUAGE C;
SELECT pg_temp.caught('SELECT pg_temp.classify()');

-- what was updated meanwhile: known functions, and one that the library does not have
SELECT sdc_numeric(1.5::float4);
CREATE TABLE api_thing (id int);
BEGIN;
CREATE FUNCTION pg_temp.later() RETURNS text AS '$libdir/sdc', 'sdc_version' LANGUAGE C;
UPDATE pg_proc SET prosrc = 'sdc_later' WHERE oid = 'pg_temp.later()'::regprocedure;
SELECT pg_temp.caught('SELECT pg_temp.later()') ~ 'could not find function "sdc_later"' AS unknown;
UPDATE pg_extension SET extversion = :'next' WHERE extname = 'sdc';
SELECT pg_temp.caught('SELECT sdc_numeric(1.5::float4)');
SELECT pg_temp.caught('SELECT sdc_numeric(1.5::float8)');
SELECT pg_temp.caught('SELECT pg_temp.later()');
SELECT pg_temp.caught('SELECT * FROM sdc_releases');
-- anything can still be dropped
DROP TABLE api_thing;
ROLLBACK;
-- every later version, whichever number has two digits
BEGIN;
UPDATE pg_extension SET extversion = :'tenth' WHERE extname = 'sdc';
SELECT pg_temp.caught('SELECT sdc_numeric(1.5::float8)');
UPDATE pg_extension SET extversion = :'first' WHERE extname = 'sdc';
SELECT pg_temp.caught('SELECT sdc_numeric(1.5::float8)');
-- and those from before 1.0
UPDATE pg_extension SET extversion = '0.9' WHERE extname = 'sdc';
SELECT pg_temp.caught('SELECT sdc_numeric(1.5::float8)');
-- a third number does not count
UPDATE pg_extension SET extversion = :'this' || '.3' WHERE extname = 'sdc';
SELECT sdc_numeric(1.5::float8);
ROLLBACK;
-- functions that are made by hand work without the extension too: there is nothing to compare
BEGIN;
UPDATE pg_extension SET extname = 'another' WHERE extname = 'sdc';
SELECT sdc_numeric(1.5::numeric);
ROLLBACK;
DROP TABLE api_thing;
