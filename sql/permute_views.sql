--
-- permute_views
--
-- The views of a permuted release: what they show, how they stay and go with it, and names in
-- their way; and what sdc_permute refuses.
--
\pset format unaligned
\pset footer off
SET client_min_messages = warning;
\set VERBOSITY terse
CREATE SCHEMA permuted_views;
SET search_path = permuted_views, permuted, public;
SELECT helper.make_people('person', 200);
CREATE FUNCTION columns_of(relation text) RETURNS text LANGUAGE sql
RETURN (SELECT string_agg(format('%s %s', attname, atttypid::regtype), ', ' ORDER BY attnum) FROM pg_attribute WHERE attrelid = relation::regclass AND attnum > 0 AND NOT attisdropped);

-- The views: group_id and the quasi-identifiers in the order of the call; group_id, value and count.
SELECT count(*) FROM sdc_permute('person', '{sex,age,region}', '{job}', l => 3, omit => '{born}', seed => 1);
SELECT columns_of('person_permute_qi') AS qi, columns_of('person_permute_sensitive') AS sensitive;
SELECT count(*) AS wrong FROM (SELECT group_id, sex, age, region FROM person_permute EXCEPT ALL TABLE person_permute_qi) AS d;
SELECT count(*) AS wrong FROM (SELECT group_id, job, count(*) FROM person_permute GROUP BY 1, 2 EXCEPT ALL TABLE person_permute_sensitive) AS d;
SELECT (SELECT count(*) FROM person_permute_qi) AS records, (SELECT sum(records) FROM person_permute_sensitive) AS sensitive_records, max(records) AS most FROM person_permute_sensitive;
-- joined by group_id every record has every value of its group
SELECT count(*) = (SELECT sum(n * n) FROM (SELECT count(*) AS n FROM person_permute GROUP BY group_id) AS g) AS all_pairs FROM person_permute_qi AS q JOIN person_permute_sensitive AS s USING (group_id), generate_series(1, s.records);
SELECT relname, relkind, pg_get_userbyid(relowner) = current_user AS own, coalesce(obj_description(oid), '') AS comment FROM pg_class WHERE relnamespace = 'permuted_views'::regnamespace AND relkind IN ('r', 'v') ORDER BY relname COLLATE "C";

-- Replaced with the same columns: table and views stay, with their grants.
CREATE ROLE regress_sdc_permute_reader;
GRANT USAGE ON SCHEMA permuted_views TO regress_sdc_permute_reader;
GRANT SELECT ON person_permute_qi, person_permute_sensitive TO regress_sdc_permute_reader;
CREATE VIEW on_top AS SELECT sex, count(*) AS n FROM person_permute_qi GROUP BY sex;
CREATE FUNCTION may_read() RETURNS text LANGUAGE sql
RETURN (SELECT string_agg(relname || ' ' || has_table_privilege('regress_sdc_permute_reader', oid, 'SELECT'), ', ' ORDER BY relname COLLATE "C") FROM pg_class WHERE relnamespace = 'permuted_views'::regnamespace AND relname ~ '^person_permute(_qi|_sensitive)?$');
CREATE TEMP TABLE before AS SELECT relname, oid FROM pg_class WHERE relnamespace = 'permuted_views'::regnamespace;
CREATE FUNCTION stayed() RETURNS text LANGUAGE sql
RETURN (SELECT string_agg(b.relname || ' ' || (b.oid IS NOT DISTINCT FROM to_regclass(b.relname)::oid), ', ' ORDER BY b.relname COLLATE "C") FROM pg_temp.before AS b WHERE relname ~ '^person_permute(_qi|_sensitive)?$');
SELECT count(*) FROM sdc_permute('person', '{sex,age,region}', '{job}', l => 4, omit => '{born}', seed => 2, replace => true);
SELECT may_read(), stayed();
SELECT check_permuted('person_permute'), groups, fewest FROM group_diversity('person_permute', 'job');
SET ROLE regress_sdc_permute_reader;
SELECT count(*) > 10 AS readable FROM permuted_views.person_permute_qi;
RESET ROLE;
SELECT sum(n) FROM on_top;
-- with other quasi-identifiers the views are made anew; what is built on them is in the way
SELECT helper.catch($$SELECT * FROM sdc_permute('person', '{sex,age}', '{job}', l => 3, omit => '{born}', seed => 1, replace => true)$$);
SELECT may_read(), columns_of('person_permute_qi');
DROP VIEW on_top;
SELECT count(*) FROM sdc_permute('person', '{sex,age}', '{job}', l => 3, omit => '{born}', seed => 1, replace => true);
SELECT may_read(), stayed(), columns_of('person_permute_qi') AS qi, columns_of('person_permute_sensitive') AS sensitive;
-- the same names in another order are another view, another sensitive column too
SELECT count(*) FROM sdc_permute('person', '{age,sex}', '{job}', l => 3, omit => '{born}', seed => 1, replace => true);
SELECT columns_of('person_permute_qi') AS qi;
SELECT count(*) FROM sdc_permute('person', '{age,sex}', '{region}', l => 2, omit => '{born}', seed => 1, replace => true);
SELECT columns_of('person_permute_sensitive') AS sensitive, (SELECT sensitive FROM sdc_releases WHERE release = 'person_permute'::regclass) AS entry;
-- other columns of the table: it is made anew, and the views with it
SELECT count(*) FROM sdc_permute('person', '{age,sex}', '{region}', l => 2, omit => '{born,weight}', seed => 1, replace => true);
SELECT stayed(), columns_of('person_permute') AS release;
SELECT check_permuted('person_permute'), (SELECT count(*) FROM person_permute_qi);
-- views that are gone are made again
DROP VIEW person_permute_qi;
SELECT count(*) FROM sdc_permute('person', '{age,sex}', '{region}', l => 2, omit => '{born,weight}', seed => 1, replace => true);
SELECT columns_of('person_permute_qi') AS qi;
-- another method does not know them, so that they are in its way as any view is
SELECT helper.catch($$SELECT * FROM sdc_rankswap('person', p => 5, target => 'person_permute', keep => '{region,sex,born,job}', replace => true)$$);
DROP VIEW person_permute_qi, person_permute_sensitive;
SELECT count(*) FROM sdc_rankswap('person', p => 5, target => 'person_permute', keep => '{region,sex,born,job}', replace => true);
SELECT to_regclass('person_permute_qi') AS qi, to_regclass('person_permute_sensitive') AS sensitive, helper.check_release('person_permute');
-- and they come back
SELECT count(*) FROM sdc_permute('person', '{age,sex}', '{region}', l => 2, seed => 1, replace => true);
SELECT columns_of('person_permute_qi') AS qi, columns_of('person_permute_sensitive') AS sensitive;

-- Something else of a view's name is an error before any work, and stays.
CREATE TABLE other_qi (x int);
CREATE VIEW third_sensitive AS SELECT 1 AS x;
CREATE SEQUENCE fourth_qi;
SELECT helper.catch(format('SELECT * FROM sdc_permute(''person'', ''{age,sex}'', ''{job}'', l => 1000, force => true, target => %L)', t)) FROM unnest('{other,third,fourth}'::text[]) AS t;
SELECT helper.catch($$SELECT * FROM sdc_permute('person', '{age,sex}', '{job}', l => 2, target => 'other', replace => true)$$);
DROP VIEW person_permute_sensitive;
CREATE VIEW person_permute_sensitive AS SELECT * FROM person;
SELECT helper.catch($$SELECT * FROM sdc_permute('person', '{age,sex}', '{region}', l => 2, seed => 1, replace => true)$$);
DROP VIEW person_permute_sensitive;
-- a target whose own name is that of a view
SELECT count(*) FROM sdc_permute('person', '{age,sex}', '{job}', l => 2, target => 'ends_qi', seed => 1);
SELECT to_regclass('ends_qi_qi'), to_regclass('ends_qi_sensitive');
SELECT helper.catch($$SELECT * FROM sdc_permute('person', '{age,sex}', '{job}', l => 2, target => 'ends', seed => 1)$$);
SELECT relname FROM pg_class WHERE relnamespace = 'permuted_views'::regnamespace AND relname ~ '^(other|third|fourth|ends)' AND relkind <> 'i' ORDER BY relname COLLATE "C";

-- Names that must be quoted, that are long, or that the views have themselves.
CREATE SCHEMA "Per ""mute";
CREATE TABLE "Per ""mute"."T able""; --" ("k""ey" int PRIMARY KEY, "q' i" int, "records" text, "count" text, "select" int);
INSERT INTO "Per ""mute"."T able""; --" SELECT i, i % 9, 'r' || i % 5, 'c' || i % 4, i % 3 FROM generate_series(1, 60) AS i;
SELECT count(*) FROM sdc_permute('"Per ""mute"."T able""; --"', ARRAY['q'' i', 'select', 'count']::name[], '{records}', l => 3, seed => 1);
SELECT relname, relkind FROM pg_class WHERE relnamespace = '"Per ""mute"'::regnamespace AND relkind IN ('r', 'v') ORDER BY relname COLLATE "C";
SELECT columns_of('"Per ""mute"."T able""; --_permute_qi"') AS qi, columns_of('"Per ""mute"."T able""; --_permute_sensitive"') AS sensitive;
SELECT sum(count) FROM "Per ""mute"."T able""; --_permute_sensitive";
SELECT count(*) FROM sdc_permute('"Per ""mute"."T able""; --"', ARRAY['q'' i', 'records']::name[], '{count}', l => 3, seed => 1, target => '"Per ""mute".counted');
SELECT columns_of('"Per ""mute".counted_qi') AS qi, columns_of('"Per ""mute".counted_sensitive') AS sensitive;
-- 63 bytes, of which the views keep as many as there is room for
SELECT count(*) FROM sdc_permute('person', '{age,sex}', '{job}', l => 2, seed => 1, target => repeat('a', 63));
SELECT count(*) FROM sdc_permute('person', '{age,sex}', '{job}', l => 2, seed => 1, target => '"' || repeat('Ö', 31) || '"');
SELECT relname, relkind, octet_length(relname) FROM pg_class WHERE relnamespace = 'permuted_views'::regnamespace AND relname ~ '^(aaaa|Ö)' AND relkind IN ('r', 'v') ORDER BY relname COLLATE "C";
SELECT helper.catch(format('SELECT * FROM sdc_permute(''person'', ''{age,sex}'', ''{job}'', l => 2, seed => 1, target => %L)', repeat('a', 62)));
SELECT helper.catch(format('SELECT * FROM sdc_permute(''person'', ''{age,sex}'', ''{job}'', l => 2, seed => 1, target => %L)', repeat('a', 62) || 'b'));
SELECT count(*) FROM sdc_permute('person', '{age,sex}', '{job}', l => 3, seed => 1, target => repeat('a', 63), replace => true);

-- Dropping the release takes the views along only when asked to.
SELECT helper.catch('DROP TABLE ends_qi');
DROP TABLE ends_qi CASCADE;
SELECT to_regclass('ends_qi_sensitive');

-- What is refused.
\pset tuples_only on
CREATE FUNCTION refused(call text) RETURNS text LANGUAGE sql RETURN helper.catch('SELECT * FROM sdc_permute(' || call || ')');
CREATE TABLE odd AS SELECT i AS id, i % 5 AS q, i % 7 AS s, '{}'::json AS j, i AS group_id FROM generate_series(1, 35) AS i;
SELECT c, refused('''person'', ' || c || ', target => ''refused''') FROM unnest(ARRAY[$$'{age}', NULL, 5$$, $$'{age}', '{nothing}', 5$$, $$'{age}', '{age}', 5$$, $$'{age,job}', '{job}', 5$$, $$'{}', '{job}', 5$$, $$NULL, '{job}', 5$$, $$'{nothing}', '{job}', 5$$, $$'{age,age}', '{job}', 5$$, $$'{id}', '{job}', 5$$, $$'{age}', '{id}', 5$$,
	$$'{age}', '{job}', l => NULL$$, $$'{age}', '{job}', l => 0$$, $$'{age}', '{job}', l => 'NaN'$$, $$'{age}', '{job}', l => 'Infinity'$$, $$'{age}', '{job}', l => 2.5$$, $$'{age}', '{job}', l => 3e9$$, $$'{age}', '{job}', l => 3e9, force => true$$, $$'{age}', '{job}', l => 3e9, grouping_method => 'mondrian'$$,
	$$'{age}', '{job}', l => 1000$$, $$'{age}', '{job}', l => 5, grouping_method => 'other'$$, $$'{age}', '{job}', l => 5, grouping_method => 'Anatomy'$$, $$'{age}', '{job}', l => 5, grouping_method => NULL$$, $$'{age}', '{job}', l => 5, force => NULL$$, $$'{age}', '{job}', l => 2, strata => '{job}'$$,
	$$'{age}', '{job}', l => 2, strata => '{age}'$$, $$'{age}', '{job}', l => 2, omit => '{age}'$$, $$'{age}', '{job}', l => 2, omit => '{job}'$$, $$'{age}', '{job}', l => 2, seed => ''$$, $$'{age}', '{job}', l => 2, key => '{sex}'$$]) AS c;
SELECT refused($$'odd', '{q}', '{s}', l => 2, key => '{id}'$$), refused($$'odd', '{q}', '{j}', l => 2, key => '{id}', omit => '{group_id}'$$), refused($$'odd', '{q,j}', '{s}', l => 2, key => '{id}', omit => '{group_id}'$$);
SELECT refused($$NULL::person, '{age}', '{job}', l => 20$$), refused($$NULL::person, '{age}', '{age}', 5$$), refused($$NULL::person, '{age}', NULL, 5$$), refused($$NULL::regclass, '{age}', '{job}', 5$$);
-- the sensitive column is one, l and the way of grouping are needed
SELECT refused($$'person', '{age}', '{job}'$$), refused($$NULL::person, '{age}', '{job}'$$), refused($$'person', '{age}', '{}', 2$$), refused($$'person', '{age}', '{job,sex}', 2$$),
	refused($$'person', '{age}', '{NULL}', 2$$);
-- rows have no group_id, so the column is not in the way of them
SELECT count(*), count(group_id) FROM sdc_permute(NULL::odd, '{q}', '{s}', l => 2, key => '{id}', seed => 1);
SELECT count(*) FROM pg_class WHERE relname ~ '^refused';
\pset tuples_only off
DROP SCHEMA "Per ""mute" CASCADE;
DROP OWNED BY regress_sdc_permute_reader;
DROP ROLE regress_sdc_permute_reader;
