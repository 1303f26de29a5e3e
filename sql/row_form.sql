--
-- row_form
--
-- sdc_rankswap(NULL::table, p => 5) returns the protected rows and stores nothing: for views, COPY
-- and joins.
--
\pset format unaligned
\pset footer off
SELECT helper.make_people('rows', 80);

-- The row type, expanded by SELECT *; in the order of the key.
SELECT id, region, sex, age, job FROM sdc_rankswap(NULL::rows, p => 5, seed => 1) ORDER BY id LIMIT 3;
SELECT pg_typeof(r), count(*) FROM sdc_rankswap(NULL::rows, p => 5, seed => 1) AS r GROUP BY 1;
SELECT (r).* FROM (SELECT r FROM sdc_rankswap(NULL::rows, p => 5, seed => 1) AS r) AS x WHERE (r).id = 1;
CREATE TEMP TABLE rows_in_order AS SELECT id, row_number() OVER () AS n FROM sdc_rankswap(NULL::rows, p => 5, seed => 1);
SELECT count(*) FROM rows_in_order WHERE id <> n;

-- The same rows as the table form with the same seed, for every method.
SELECT count(*) FROM sdc_rankswap('rows', p => 5, seed => 1);
SELECT count(*) FROM sdc_rankswap_distribution('rows', seed => 1, p => 12.5, strata => '{sex}');
SELECT count(*) FROM sdc_rankswap_buckets('rows', seed => 1, buckets => 7, columns => '{income,job}');
SELECT helper.check_release('rows_rankswap'), helper.check_release('rows_rankswap_distribution'), helper.check_release('rows_rankswap_buckets');
SELECT count(*) FROM (SELECT * FROM sdc_rankswap(NULL::rows, p => 5, seed => 1) EXCEPT ALL SELECT * FROM rows_rankswap) AS d;
SELECT count(*) FROM (SELECT * FROM sdc_rankswap_distribution(NULL::rows, seed => 1, p => 12.5, strata => '{sex}')
	EXCEPT ALL SELECT * FROM rows_rankswap_distribution) AS d;
SELECT count(*) FROM (SELECT * FROM sdc_rankswap_buckets(NULL::rows, seed => 1, buckets => 7, columns => '{income,job}')
	EXCEPT ALL SELECT * FROM rows_rankswap_buckets) AS d;

-- Nothing is stored: these are the three releases above.
SELECT count(*) FROM sdc_releases WHERE source = 'rows'::regclass;

-- What is left out is NULL: argument omit, and what is classified as identifier.
SELECT count(born), count(region), count(DISTINCT id), count(age) FROM sdc_rankswap(NULL::rows, p => 5, seed => 1, omit => '{born,region}');
SELECT sdc_classify('rows', 'region', 'identifier');
SELECT count(born), count(region), count(DISTINCT id), count(age) FROM sdc_rankswap(NULL::rows, p => 5, seed => 1);
SELECT sdc_classify('rows', 'region', NULL);
-- a column that is left out may still form the strata
SELECT count(region), count(*) = (SELECT count(*) FROM rows) AS all_rows
FROM sdc_rankswap(NULL::rows, p => 5, seed => 1, strata => '{region}', omit => '{region}');

-- Without a key the rows come in physical order, and nobody numbers them.
CREATE TABLE rows_nokey AS SELECT id, age, weight FROM rows ORDER BY id DESC;
SELECT count(*), count(DISTINCT weight) FROM sdc_rankswap(NULL::rows_nokey, p => 5, seed => 1);
SELECT id, age FROM sdc_rankswap(NULL::rows_nokey, p => 5, columns => '{weight}', seed => 1) LIMIT 3;

-- In a view: it is read anew every time, as whoever reads it.
CREATE VIEW rows_view AS SELECT id, age, income, job FROM sdc_rankswap(NULL::rows, p => 10, seed => 1);
SELECT count(*), sum(age) = (SELECT sum(age) FROM rows) AS same_sum FROM rows_view;
SELECT count(*) AS differ FROM (TABLE rows_view EXCEPT ALL TABLE rows_view) AS d;
INSERT INTO rows (id, age, income) VALUES (1000, 99, 1);
SELECT count(*) FROM rows_view;
DELETE FROM rows WHERE id = 1000;
-- a view without a seed differs every time
CREATE VIEW rows_fresh AS SELECT id, weight FROM sdc_rankswap(NULL::rows, p => 5);
SELECT count(*) > 50 AS differ FROM (TABLE rows_fresh EXCEPT ALL TABLE rows_fresh) AS d;
-- and depends on the table: a column can be added, the table not dropped
ALTER TABLE rows ADD extra int;
SELECT count(*) FROM rows_view;
SELECT count(*) - count(extra) AS nulls FROM sdc_rankswap(NULL::rows, p => 5, seed => 1);
ALTER TABLE rows DROP extra;
SELECT count(*) FROM rows_view;
DROP TABLE rows;
CREATE MATERIALIZED VIEW rows_matview AS SELECT * FROM rows_view;
REFRESH MATERIALIZED VIEW rows_matview;
SELECT count(*) FROM rows_matview;

-- In COPY, CREATE TABLE AS, INSERT, a cursor, a function.
COPY (SELECT id, sex, age FROM sdc_rankswap(NULL::rows, columns => '{sex}', p => 100, seed => 1) WHERE id <= 3 ORDER BY id) TO STDOUT (FORMAT csv, HEADER);
CREATE TABLE rows_made AS SELECT * FROM sdc_rankswap(NULL::rows, p => 5, seed => 1);
SELECT count(*) FROM (TABLE rows_made EXCEPT ALL TABLE rows_rankswap) AS d;
INSERT INTO rows_made SELECT * FROM sdc_rankswap(NULL::rows, p => 5, seed => 2) WHERE id <= 10;
SELECT count(*) FROM rows_made;
CREATE FUNCTION rows_of(seed text) RETURNS SETOF rows LANGUAGE sql AS $$SELECT * FROM sdc_rankswap(NULL::rows, p => 5, seed => seed)$$;
SELECT count(*) FROM (SELECT * FROM rows_of('1') EXCEPT ALL TABLE rows_rankswap) AS d;
BEGIN;
DECLARE reading SCROLL CURSOR FOR SELECT id FROM sdc_rankswap(NULL::rows, p => 5, seed => 1);
FETCH 2 FROM reading;
FETCH LAST FROM reading;
FETCH PRIOR FROM reading;
COMMIT;
DECLARE kept CURSOR WITH HOLD FOR SELECT id FROM sdc_rankswap(NULL::rows, p => 5, seed => 1);
FETCH 1 FROM kept;
CLOSE kept;

-- Joins, subqueries, LATERAL, aggregates, LIMIT, two of them in one statement, the select list.
SELECT count(*) FROM sdc_rankswap(NULL::rows, p => 5, seed => 1) AS a JOIN sdc_rankswap(NULL::rows, p => 5, seed => 1) AS b USING (id, age, weight);
SELECT count(*) < 20 AS few FROM sdc_rankswap(NULL::rows, p => 5, seed => 1) AS a JOIN sdc_rankswap(NULL::rows, p => 5, seed => 2) AS b USING (id, weight);
SELECT s.seed, count(*), sum(r.age) FROM generate_series(1, 2) AS s (seed), LATERAL sdc_rankswap(NULL::rows, p => 5, seed => s.seed) AS r
GROUP BY s.seed ORDER BY s.seed;
SELECT count(*) FROM (SELECT sdc_rankswap(NULL::rows, p => 5, seed => 1)) AS x;
SELECT (sdc_rankswap(NULL::rows, p => 5, seed => 1)).id LIMIT 2;
SELECT count(*) FROM (SELECT * FROM sdc_rankswap(NULL::rows, p => 5, seed => 1) LIMIT 5) AS x;
SELECT id FROM sdc_rankswap(NULL::rows, p => 5, seed => 1) WITH ORDINALITY AS r (id, region, sex, age, income, weight, savings, born, job, n)
WHERE n <> id;
SELECT count(*) FROM ROWS FROM (sdc_rankswap(NULL::rows, p => 5, seed => 1), generate_series(1, 100)) AS r;
SELECT EXISTS (SELECT FROM sdc_rankswap(NULL::rows, p => 5, seed => 1) WHERE age > 200);

-- One expression that draws many rows reads the table as of its own snapshot.
WITH added AS (INSERT INTO rows (id, age) VALUES (1001, 50) RETURNING id)
SELECT count(*), (SELECT count(*) FROM added) AS added FROM sdc_rankswap(NULL::rows, p => 5, seed => 1);
SELECT count(*) FROM sdc_rankswap(NULL::rows, p => 5, seed => 1);
DELETE FROM rows WHERE id = 1001;

-- Dropped columns, columns that were added, generated ones.
CREATE TABLE rows_dropped (a int, id int PRIMARY KEY, b int, c text, d float8);
INSERT INTO rows_dropped SELECT i, i, i, 'c' || i, i / 2.0 FROM generate_series(1, 20) AS i;
ALTER TABLE rows_dropped DROP a, DROP c, ADD e text DEFAULT 'e', ADD f int GENERATED ALWAYS AS (b + 1) STORED,
	ADD g int GENERATED ALWAYS AS (id + 1) STORED;
SELECT id, b IS NULL AS b, d, e, f, g FROM sdc_rankswap(NULL::rows_dropped, p => 5, columns => '{b}', seed => 1) ORDER BY id LIMIT 3;
SELECT count(*) FROM sdc_rankswap(NULL::rows_dropped, p => 5, columns => '{b,d,e}', seed => 1) AS r WHERE r.e IS NOT NULL;
SELECT r FROM sdc_rankswap(NULL::rows_dropped, p => 5, columns => '{d}', seed => 1) AS r WHERE r.id = 20;

-- A domain over the row type is not a row type; a composite column is.
CREATE TABLE rows_nested (id int PRIMARY KEY, r rows_dropped, a int);
INSERT INTO rows_nested SELECT i, (SELECT r FROM rows_dropped AS r WHERE r.id = i), i FROM generate_series(1, 10) AS i;
SELECT count(*), count(r) FROM sdc_rankswap(NULL::rows_nested, p => 5, seed => 1);
CREATE DOMAIN rows_domain AS rows_dropped;
SELECT helper.catch($$SELECT * FROM sdc_rankswap(NULL::rows_domain, p => 5, seed => 1)$$);

-- It is no write: it works in a read-only transaction, where the table form does not.
BEGIN READ ONLY;
SELECT count(*) FROM sdc_rankswap(NULL::rows, p => 5, seed => 1);
SELECT count(*) FROM sdc_rankswap_buckets(NULL::rows, buckets => 20, seed => 1);
SELECT * FROM sdc_rankswap('rows', p => 5, seed => 1);
ROLLBACK;
