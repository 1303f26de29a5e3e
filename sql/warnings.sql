--
-- warnings
--
-- What a release still tells, and what the caller is told of it.
--
-- A copied column with a unique index identifies records as well as a key does.
\pset format unaligned
\pset footer off
SET client_min_messages = notice;
CREATE TABLE warn (id int PRIMARY KEY, email text UNIQUE, phone text, badge int UNIQUE, a int, b int, c int, lower_name text);
INSERT INTO warn SELECT i, 'e' || i, 'p' || i, i, i, i * 3 % 50, i % 5, 'N' || i FROM generate_series(1, 50) AS i;
SELECT attribute, action FROM sdc_rankswap('warn', p => 5, columns => '{a,b}', seed => 1);
-- it is not named when it is protected, left out, or classified as identifier
SELECT attribute, action FROM sdc_rankswap('warn', p => 5, columns => '{a,badge}', omit => '{email}', seed => 1, target => 'warn_2');
SELECT sdc_classify('warn', 'email', 'identifier');
SELECT attribute, action FROM sdc_rankswap('warn', p => 5, columns => '{a,badge}', seed => 1, target => 'warn_3') WHERE action <> 'copied';
-- unique indexes of several columns, of expressions, partial ones, and not unique ones
CREATE UNIQUE INDEX warn_two ON warn (c, phone);
SELECT count(*) FROM sdc_rankswap('warn', p => 5, columns => '{a,badge}', seed => 1, target => 'warn_4');
SELECT count(*) FROM sdc_rankswap('warn', p => 5, columns => '{a,badge,c}', seed => 1, target => 'warn_5');
CREATE UNIQUE INDEX warn_expression ON warn (lower(lower_name));
SELECT count(*) FROM sdc_rankswap('warn', p => 5, columns => '{a,badge,c}', seed => 1, target => 'warn_6');
DROP INDEX warn_expression;
CREATE UNIQUE INDEX warn_partial ON warn (lower_name) WHERE a > 3;
SELECT count(*) FROM sdc_rankswap('warn', p => 5, columns => '{a,badge,c}', seed => 1, target => 'warn_7');
DROP INDEX warn_partial;
CREATE INDEX warn_plain ON warn (lower_name);
SELECT count(*) FROM sdc_rankswap('warn', p => 5, columns => '{a,badge,c}', seed => 1, target => 'warn_8');
-- an included column is not part of what is unique
CREATE UNIQUE INDEX warn_include ON warn (badge) INCLUDE (lower_name);
SELECT count(*) FROM sdc_rankswap('warn', p => 5, columns => '{a,badge,c}', seed => 1, target => 'warn_9');
-- another key: the primary key is then a copied unique column
SELECT attribute, action FROM sdc_rankswap('warn', p => 5, key => '{badge}', columns => '{a,c}', seed => 1, target => 'warn_10');
SELECT attribute, action FROM sdc_rankswap('warn', p => 5, key => '{badge}', columns => '{a,c,id}', seed => 1, target => 'warn_11') WHERE action = 'protected';
-- the row type form warns as well, once
SELECT count(*) FROM sdc_rankswap(NULL::warn, p => 5, columns => '{a}', seed => 1);

-- A quasi-identifier that is copied is not protected.
CREATE TABLE warn_qi (id int PRIMARY KEY, zip text, age int, sex text);
INSERT INTO warn_qi SELECT i, 'z' || i % 7, i % 31, 's' FROM generate_series(1, 50) AS i;
SELECT sdc_classify('warn_qi', 'zip', 'quasi-identifier'), sdc_classify('warn_qi', 'age', 'quasi-identifier'), sdc_classify('warn_qi', 'sex', 'quasi-identifier');
SELECT attribute, action FROM sdc_rankswap('warn_qi', p => 5, seed => 1);
SELECT attribute, action FROM sdc_rankswap('warn_qi', p => 5, columns => '{age,zip}', seed => 1, target => 'warn_qi_2');
SELECT attribute, action FROM sdc_rankswap('warn_qi', p => 5, columns => '{age,zip}', omit => '{sex}', seed => 1, target => 'warn_qi_3');
SELECT attribute, action FROM sdc_rankswap('warn_qi', p => 5, columns => '{age}', strata => '{zip,sex}', seed => 1, target => 'warn_qi_4');

-- Generated columns that would tell are left out, with a notice.
CREATE TABLE warn_generated (id int PRIMARY KEY, a int, b int, g1 int GENERATED ALWAYS AS (a + 1) STORED, "G 2" int GENERATED ALWAYS AS (a + b) STORED,
	g3 int GENERATED ALWAYS AS (b) STORED);
INSERT INTO warn_generated (id, a, b) SELECT i, i, i FROM generate_series(1, 30) AS i;
SELECT attribute, action FROM sdc_rankswap('warn_generated', p => 5, columns => '{b}', seed => 1);
SELECT attribute, action FROM sdc_rankswap('warn_generated', p => 5, columns => '{a,b}', seed => 1, target => 'warn_generated_2');
-- one that is named in omit is no surprise
SELECT attribute, action FROM sdc_rankswap('warn_generated', p => 5, columns => '{a}', omit => '{g1,"G 2"}', seed => 1, target => 'warn_generated_3');

-- A protected column of which no value changed is named.
CREATE TABLE warn_same (id int PRIMARY KEY, a int, b int, g int);
INSERT INTO warn_same SELECT i, i, 7, i / 2 FROM generate_series(1, 30) AS i;
SELECT attribute, action, changed FROM sdc_rankswap('warn_same', p => 5, columns => '{b}', seed => 1);
SELECT attribute, action, changed FROM sdc_rankswap('warn_same', p => 5, columns => '{a}', strata => '{id}', seed => 1, target => 'warn_same_2');
SELECT attribute, action, changed > 0 AS changed FROM sdc_rankswap('warn_same', p => 5, columns => '{a}', strata => '{g}', seed => 1, target => 'warn_same_3');
-- an empty table has nothing to change
TRUNCATE warn_same;
SELECT attribute, action, changed FROM sdc_rankswap('warn_same', p => 5, columns => '{a,b}', seed => 1, target => 'warn_same_4');

-- A replacement that cannot keep the table says so.
SELECT count(*) FROM sdc_rankswap('warn_qi', p => 5, columns => '{age,zip,sex}', seed => 1, replace => true);
SELECT count(*) FROM sdc_rankswap('warn_qi', p => 5, columns => '{age,zip}', omit => '{sex}', seed => 1, replace => true);

-- Names in messages are quoted as in a statement; nothing tells a value.
CREATE TABLE "warn ""; x" (id int PRIMARY KEY, "e""; mail" text UNIQUE, a int);
INSERT INTO "warn ""; x" SELECT i, 'secret' || i, i FROM generate_series(1, 20) AS i;
SELECT attribute, action FROM sdc_rankswap('"warn ""; x"', p => 5, seed => 1);
-- they can be switched off as all warnings can
SET client_min_messages = error;
SELECT attribute, action FROM sdc_rankswap('"warn ""; x"', p => 5, seed => 1, replace => true);
SET client_min_messages = notice;
-- or made visible as codes
\set VERBOSITY sqlstate
SELECT count(*) FROM sdc_rankswap('"warn ""; x"', p => 5, seed => 1, replace => true);
SELECT count(*) FROM sdc_rankswap('warn_generated', p => 5, columns => '{b}', seed => 1, replace => true);
\set VERBOSITY default
