--
-- view_roles
--
-- A column of a view has the role of the column that it shows, through whatever leads to that, unless it has one of its own.
--
\pset format unaligned
\pset footer off
CREATE SCHEMA view_roles;
SET search_path = view_roles, public;
CREATE TABLE person (id int PRIMARY KEY, gone int, name text, zip varchar(5), income int, age int, note text);
ALTER TABLE person DROP gone;
INSERT INTO person SELECT i, 'Person ' || i % 9, i % 7, i * 10, i, 'note ' || i % 5 FROM generate_series(1, 60) AS i;
CREATE TABLE visit (id int, name text, ward text);
INSERT INTO visit SELECT i, 'Person ' || i % 9, 'ward ' || i % 3 FROM generate_series(1, 60) AS i;
SELECT sdc_classify('person', 'name', 'identifier'), sdc_classify('person', 'zip', 'quasi-identifier'),
	sdc_classify('person', 'income', 'sensitive'), sdc_classify('person', 'age', 'public');

-- roles lists the columns of a relation with their roles, in their order.
CREATE FUNCTION roles(relation regclass) RETURNS text LANGUAGE sql
RETURN (SELECT string_agg(a.attname || coalesce(' ' || r.role, ''), ', ' ORDER BY a.attnum)
	FROM pg_attribute AS a LEFT JOIN sdc_attributes AS r ON r.relation = a.attrelid AND r.attribute = a.attname
	WHERE a.attrelid = $1 AND a.attnum > 0 AND NOT a.attisdropped);

-- The column itself: by its name, by another one, in another place, under another type or collation, through views.
CREATE VIEW plain AS SELECT * FROM person;
CREATE VIEW renamed (a, b, c, d, e, f) AS SELECT age, income, zip, name, id, note FROM person;
CREATE VIEW nested AS SELECT d AS who, c || '' AS computed, b + 0 AS more FROM (SELECT * FROM renamed WHERE e > 0) AS r ORDER BY b LIMIT 50;
CREATE VIEW casts AS SELECT id, name::varchar(3) AS shorter, name COLLATE "C" AS c, name::bytea AS bytes, zip::int AS number, income::numeric(12,2) AS exact, age::text AS text FROM person;
CREATE DOMAIN label AS text CHECK (VALUE <> '');
CREATE VIEW domains AS SELECT id, name::label AS name, ARRAY[name] AS names FROM person;
SELECT roles('plain') AS plain;
SELECT roles('renamed') AS renamed;
SELECT roles('nested') AS nested;
SELECT roles('casts') AS casts;
SELECT roles('domains') AS domains;

-- Joins, subqueries, WITH, groups: what leads to the column does not matter.  What is computed from it has no role.
CREATE VIEW joined AS SELECT * FROM person JOIN visit USING (id, name);
CREATE VIEW full_join AS SELECT * FROM visit FULL JOIN person USING (id, name);
CREATE VIEW alias AS SELECT j.* FROM (person AS p LEFT JOIN visit AS v ON p.id = v.id) AS j (k, n, z, i, a, t);
CREATE VIEW with_name AS WITH first AS (SELECT name AS n, zip FROM person), second AS (SELECT * FROM first) SELECT s.n, (SELECT max(zip) FROM first) AS largest FROM second AS s;
CREATE VIEW scalar AS SELECT v.id, (SELECT p.name FROM person AS p WHERE p.id = v.id) AS who, (SELECT count(*) FROM person) AS people FROM visit AS v;
CREATE VIEW lateral_join AS SELECT v.id, l.copy FROM visit AS v, LATERAL (SELECT p.name AS copy, v.ward FROM person AS p WHERE p.id = v.id) AS l;
CREATE VIEW grouped AS SELECT name, zip, count(*) AS people, max(name) AS last, upper(name) AS loud FROM person GROUP BY name, zip;
CREATE VIEW different AS SELECT DISTINCT ON (name) name, coalesce(zip, note) AS place, coalesce(age::text, note) AS other FROM person;
CREATE VIEW ranked AS SELECT name, rank() OVER (ORDER BY name) FROM person;
CREATE VIEW whole AS SELECT p.id, p AS person, v AS visit FROM person AS p JOIN visit AS v ON p.id = v.id;
SELECT view, roles(view::regclass) FROM unnest('{joined,full_join,alias,with_name,scalar,lateral_join,grouped,different,ranked,whole}'::text[]) AS view;

-- UNION and its like: what is strict in a part is so in the whole, and public is what is public everywhere.
CREATE VIEW parts AS SELECT name, zip, age FROM person UNION ALL SELECT ward, ward, id FROM visit;
CREATE VIEW parts_again AS (SELECT ward AS x, id AS y FROM visit INTERSECT SELECT note, age FROM person) EXCEPT SELECT name, age FROM person;
CREATE VIEW all_public AS SELECT age FROM person UNION SELECT age FROM plain;
CREATE RECURSIVE VIEW counted (who, n) AS SELECT name, 1 FROM person UNION ALL SELECT who, n + 1 FROM counted WHERE n < 2;
SELECT view, roles(view::regclass) FROM unnest('{parts,parts_again,all_public,counted}'::text[]) AS view;

-- Materialized views, and views of them; partitions and children, from above and from below.
CREATE MATERIALIZED VIEW stored AS SELECT name AS who, zip, income FROM plain;
CREATE VIEW of_stored AS SELECT who FROM stored;
CREATE TABLE whole_year (id int, name text, mail text) PARTITION BY RANGE (id);
CREATE TABLE spring PARTITION OF whole_year FOR VALUES FROM (1) TO (100);
CREATE TABLE child (more text) INHERITS (person);
SELECT sdc_classify('whole_year', 'name', 'identifier'), sdc_classify('spring', 'mail', 'identifier'), sdc_classify('child', 'more', 'identifier');
CREATE VIEW of_year AS SELECT * FROM whole_year;
CREATE VIEW of_spring AS SELECT id, name AS n, mail AS m FROM spring;
CREATE VIEW of_child AS SELECT * FROM child;
SELECT view, roles(view::regclass) FROM unnest('{stored,of_stored,of_year,of_spring,of_child}'::text[]) AS view;

-- A role of the view's own counts, in the views of it as well, and can be taken back.
SELECT sdc_classify('renamed', 'd', 'public'), sdc_classify('renamed', 'f', 'identifier');
SELECT roles('renamed') AS renamed, roles('nested') AS nested;
SELECT sdc_classify('renamed', 'd', NULL), sdc_classify('renamed', 'f', NULL);
SELECT roles('renamed') AS renamed, roles('nested') AS nested;
-- a role follows its column
ALTER TABLE person RENAME name TO full_name;
SELECT sdc_classify('person', 'zip', NULL);
SELECT roles('plain') AS plain, roles('stored') AS stored;
ALTER TABLE person RENAME full_name TO name;
SELECT sdc_classify('person', 'zip', 'quasi-identifier');

-- Views that lead to each other cannot be read; that they have columns without a role is found out.
CREATE VIEW one AS SELECT name FROM person;
CREATE VIEW two AS SELECT name FROM one;
CREATE OR REPLACE VIEW one AS SELECT name FROM two;
SELECT roles('one') AS one, roles('two') AS two;
-- and many ways that lead to one column are gone once: 2^60 of them take no longer
DO $$
BEGIN
	CREATE VIEW ways_0 AS SELECT name FROM person;
	FOR i IN 1 .. 60 LOOP
		EXECUTE format('CREATE VIEW ways_%s AS SELECT coalesce(a.name, b.name) AS name FROM ways_%s AS a, ways_%2$s AS b', i, i - 1);
	END LOOP;
END
$$;
SELECT roles('ways_60') AS ways;

-- What reads roles reads these: every method leaves the identifier out, whatever the view calls it.
\pset tuples_only on
SELECT string_agg(attribute || ' ' || action, ', ') FROM sdc_rankswap('renamed', p => 10, columns => '{b,c}', key => '{e}', omit => '{a}', seed => 1);
SELECT string_agg(attribute || ' ' || action, ', ') FROM sdc_rankswap('plain', p => 10, columns => '{zip}', key => '{id}', keep => '{note}', seed => 1);
SELECT string_agg(attribute || ' ' || action, ', ')
FROM sdc_protect('renamed', '[{"method": "rankswap_distribution", "columns": ["b"], "p": 10}]', key => '{e}', keep => '{f}', target => 'protected', seed => 1);
SELECT string_agg(attribute || ' ' || action, ', ') FROM sdc_randomize('renamed', '{c}', key => '{e}', keep => '{}', target => 'randomized', seed => 1);
SELECT string_agg(attribute || ' ' || action, ', ') FROM sdc_generalize('renamed', '{a,c}', k => 3, key => '{e}', omit => '{b}', target => 'general');
SELECT string_agg(attribute || ' ' || action, ', ') FROM sdc_permute('renamed', '{c}', '{b}', l => 3, key => '{e}', omit => '{a}', target => 'permuted', seed => 1);
SELECT c IS NULL AS c, d IS NULL AS d, f FROM sdc_rankswap(NULL::renamed, p => 10, columns => '{b,c}', key => '{e}', omit => '{a}', seed => 1) ORDER BY e LIMIT 1;
SELECT helper.catch($$SELECT sdc_rankswap('renamed', p => 10, columns => '{b}', key => '{e}', keep => '{d}', target => 'kept')$$);
SELECT qi, sensitive, omitted FROM sdc_releases WHERE release = 'renamed_rankswap'::regclass;
-- so do registrations and searches
CREATE TABLE elsewhere AS TABLE plain;
SELECT sdc_register('plain', 'elsewhere', key => '{id}');
SELECT columns FROM sdc_releases WHERE release = 'elsewhere'::regclass;
SELECT string_agg(DISTINCT k, ', ' ORDER BY k) FROM sdc_frequent_itemsets('plain', min_support => 0.01, max_length => 1), jsonb_object_keys(itemset) AS k;
-- a change of the table's roles is one of the view
SELECT count(*) FROM sdc_evaluate('renamed_rankswap');
SELECT problem IS NULL FROM sdc_scores WHERE release = 'renamed_rankswap'::regclass;
SELECT sdc_classify('person', 'note', 'public');
SELECT problem FROM sdc_scores WHERE release = 'renamed_rankswap'::regclass;
DROP SCHEMA view_roles CASCADE;
