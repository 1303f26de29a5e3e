--
-- damaged_rows
--
-- Rows of the extension's tables that name a column twice, no column, or more columns than a table can have, as a dump that was changed may
-- have them: such rows are not taken, and where they are there, a name counts once.
--
\pset format unaligned
\pset footer off
CREATE SCHEMA damaged_rows;
SET search_path = damaged_rows, public;
SET client_min_messages = error;

-- Releases of several kinds.
CREATE TABLE t AS SELECT id, id / 2 AS who, (id * 7 % 23)::int AS age, (id * 11 % 59)::float8 AS income, id % 3 AS region, id % 2 AS sex FROM generate_series(1, 60) AS id;
ALTER TABLE t ADD PRIMARY KEY (id);
SELECT count(*) FROM sdc_rankswap('t', p => 10, columns => '{age,income}', omit => '{who,region,sex}', target => 'other', seed => 2);
SELECT count(*) FROM sdc_rankswap('t', p => 10, columns => '{age,income}', strata => '{sex}', omit => '{who,region}', target => 'swapped', seed => 1);
SELECT count(*) FROM sdc_rankswap('t', p => 10, columns => '{age,income}', unit => '{who}', omit => '{region,sex}', target => 'of_units', seed => 1);
SELECT count(*) FROM sdc_permute('t', qi => '{age,sex}', sensitive => '{income}', l => 2, target => 'permuted', seed => 1);
SELECT count(*) FROM sdc_randomize('t', qi => '{region,sex}', target => 'randomized', seed => 1);
SELECT count(*) FROM sdc_protect('t', '[{"method": "randomize", "qi": ["region", "sex"]}, {"method": "permute", "qi": ["age"], "sensitive": ["income"], "l": 2}]', target => 'in_steps', seed => 1);
CREATE TABLE release (name text);
INSERT INTO release VALUES ('swapped'), ('of_units'), ('permuted'), ('randomized'), ('in_steps');
SELECT name, rows FROM release, LATERAL helper.rows(format('SELECT sdc_evaluate(%L)', name)) AS rows;
SELECT records FROM sdc_publish('swapped', 'p', keep => '{sex}', max_people_found => 100);

-- What a name[] can be that no function would take, made of one.
CREATE FUNCTION wrong(names name[]) RETURNS TABLE (what text, made name[]) LANGUAGE sql AS $$
	VALUES ('each twice', names || names), ('many times', array_fill('age'::name, ARRAY[5000])), ('a null', names || NULL::name),
		('two dimensions', ARRAY[ARRAY['age'::name, 'income'], ARRAY['sex', 'region']]), ('nothing twice', '{"",""}'),
		('too many', names || ARRAY(SELECT ('c' || i)::name FROM generate_series(1, 2000) AS i))
$$;
CREATE VIEW arrays AS
SELECT c.oid::regclass AS catalog, a.attname::text, a.attnum, CASE first.atttypid WHEN 'regclass'::regtype
		THEN format('%I IN (SELECT oid FROM pg_class WHERE relnamespace = ''damaged_rows''::regnamespace)', first.attname) ELSE 'true' END AS of_here
FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid JOIN pg_attribute AS first ON first.attrelid = c.oid AND first.attnum = 1
WHERE c.relnamespace = 'sdc_private'::regnamespace AND c.relkind = 'r' AND a.atttypid = 'name[]'::regtype AND c.relname !~ 'temporary';

-- entered adds a copy of the first row of a table with another array, as a restore does, and tells whether it is there then.
CREATE FUNCTION entered(catalog regclass, of_here text, attribute text, made name[]) RETURNS bool LANGUAGE plpgsql AS $$
DECLARE
	found bool;
BEGIN
	EXECUTE format('CREATE TEMP TABLE one AS SELECT * FROM %s WHERE %s ORDER BY 1 LIMIT 1; DELETE FROM %1$s', catalog, of_here);
	EXECUTE format('UPDATE one SET %I = $1', attribute) USING made;
	EXECUTE format('INSERT INTO %s TABLE one; ', catalog);
	EXECUTE format('SELECT EXISTS (SELECT FROM %s)', catalog) INTO found;
	RAISE EXCEPTION USING ERRCODE = 'T0001', MESSAGE = found;
EXCEPTION WHEN SQLSTATE 'T0001' THEN
	RETURN SQLERRM;
END
$$;
SELECT catalog, attname, entered(catalog, of_here, attname, '{age,income}') AS as_it_should_be,
	(SELECT string_agg(what, ', ' ORDER BY what COLLATE "C") FROM wrong('{age,income}') WHERE entered(catalog, of_here, attname, made)) AS taken_besides
FROM arrays ORDER BY catalog::text COLLATE "C", attnum;

-- What reads them, and what it says of rows that are as they should be.
CREATE TABLE call (number int GENERATED ALWAYS AS IDENTITY, query text);
INSERT INTO call (query)
SELECT format(query, name) FROM release, unnest(ARRAY['sdc_score(%L)', 'sdc_people_found(%L)', 'sdc_attribute_risk(%L, sensitive => ''{income}'')', 'sdc_association_recall(%L)',
	'sdc_link_releases(ARRAY[''other'', %L]::regclass[])', 'sdc_estimate(%L, ''{region,sex}'')', 'sdc_confirm_source(%L)']) AS query;
CREATE TABLE repeatable AS TABLE call;
INSERT INTO call (query) VALUES ('sdc_query_errors(''permuted'')'), ('sdc_evaluate(''of_units'', force => true)'), ('sdc_evaluate(''in_steps'', force => true)'), ('sdc_releases'), ('sdc_publications'),
	('sdc_private.stored_score(''swapped'')'), ('sdc_runs'), ('sdc_check()'), ('sdc_withdraw(''p'', ''x'')'), ('sdc_publish(''swapped'', ''p'', keep => ''{sex}'', replace => true, max_people_found => 100)'),
	('sdc_rankswap(''t'', p => 10, target => ''of_units'', replace => true)');

-- heard makes the calls after rows were changed, and returns the SQLSTATE of each and a digest of its rows, or the error.
CREATE FUNCTION heard(change text) RETURNS TABLE (number int, state text, said text) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
	each call;
	answer text;
BEGIN
	EXECUTE change;
	-- a row that was changed is one of its source still
	FOR each IN SELECT 0, format('sdc_confirm_source(%L)', name) FROM release LOOP
		BEGIN
			EXECUTE 'SELECT ' || each.query;
		EXCEPTION WHEN OTHERS THEN
			NULL;
		END;
	END LOOP;
	FOR each IN SELECT * FROM call ORDER BY number LOOP
		BEGIN
			EXECUTE format('SELECT count(*) || '' '' || md5(string_agg(q::text, chr(10) ORDER BY q::text COLLATE "C")) FROM %s AS q', each.query) INTO answer;
			RAISE EXCEPTION USING ERRCODE = 'T0000', MESSAGE = answer;
		EXCEPTION WHEN OTHERS THEN
			number := each.number;
			state := SQLSTATE;
			said := SQLERRM;
			RETURN NEXT;
		END;
	END LOOP;
	RAISE EXCEPTION USING ERRCODE = 'T0001';
EXCEPTION WHEN SQLSTATE 'T0001' THEN
	RETURN;
END
$$;
CREATE TABLE undamaged AS SELECT * FROM heard('SELECT 1');
SELECT state, count(*) FROM undamaged GROUP BY state ORDER BY state;

-- Arrays of all rows damaged in several ways, once those of releases one by one: no call has an error of the server, and what is named twice is named.
CREATE TABLE change AS
SELECT row_number() OVER () AS id, catalog, what, arrays, format('UPDATE %s AS c SET %s WHERE %s', catalog, set_to, of_here) AS statement
FROM (SELECT catalog, of_here, what, CASE WHEN what = 'many times' AND catalog = 'sdc_private.sdc_release_catalog'::regclass THEN attname ELSE 'all' END AS arrays,
		string_agg(format('%I = (SELECT made FROM damaged_rows.wrong(c.%1$I) WHERE what = %L)', attname, what), ', ') AS set_to
	FROM arrays, wrong('{}') WHERE what IN ('each twice', 'many times', 'too many') GROUP BY 1, 2, 3, 4) AS s;
-- and what is right by itself, but not together, and steps in JSON
INSERT INTO change SELECT 100 + row_number() OVER (), 'sdc_private.sdc_release_catalog', 'of two kinds', arrays, format('UPDATE sdc_private.sdc_release_catalog SET %s WHERE %s', set_to, of_here)
FROM (SELECT DISTINCT of_here FROM arrays WHERE catalog = 'sdc_private.sdc_release_catalog'::regclass) AS a,
	(VALUES ('columns', 'columns = key || columns'), ('key', 'key = columns'), ('strata', 'strata = key || columns'), ('omitted', 'omitted = key || columns'), ('qi sensitive', 'qi = columns, sensitive = columns'), ('unit', 'unit = key || columns'),
	('named', $$named = '{income,age,who,id,sex,region}'$$)) AS v (arrays, set_to);
INSERT INTO change SELECT 200 + row_number() OVER (), 'sdc_private.sdc_release_catalog', 'steps in JSON', 'none', format('UPDATE sdc_private.sdc_release_catalog SET parameters = (%s) WHERE method = ''protect'' AND %s', made, of_here)
FROM (SELECT DISTINCT of_here FROM arrays WHERE catalog = 'sdc_private.sdc_release_catalog'::regclass) AS a,
	(VALUES ($$jsonb_build_object('steps', (parameters -> 'steps') || (parameters -> 'steps'))$$), ($$replace(parameters::text, '"age"', '"age"' || repeat(', "age"', 3000))::jsonb$$),
	($$replace(parameters::text, '"sex"', '"sex", "sex", "region", null, 7')::jsonb$$), ($$replace(parameters::text, '"sex"', (SELECT '"sex"' || string_agg(', "c' || i || '"', '') FROM generate_series(1, 5000) AS i))::jsonb$$)) AS v (made);
CREATE TABLE damaged AS SELECT id, h.* FROM change, LATERAL heard(statement) AS h;
SELECT what, catalog, string_agg(DISTINCT arrays, ' ' ORDER BY arrays) AS arrays, count(*) = count(DISTINCT id) * (SELECT count(*) FROM call) AS all_calls,
	count(*) FILTER (WHERE state ~ '^(XX|57|58)') AS of_the_server
FROM damaged JOIN change USING (id) GROUP BY 1, 2 ORDER BY 1, catalog::text COLLATE "C";
SELECT query, d.said, u.said AS undamaged FROM damaged AS d JOIN change USING (id) JOIN undamaged AS u USING (number) JOIN repeatable USING (number)
WHERE what = 'each twice' AND (d.state, d.said) <> (u.state, u.said) ORDER BY id, number;

DROP SCHEMA damaged_rows CASCADE;
