/*
 * catalog.sql
 *		What the installed extension says about itself, and what the reference says.
 *
 * Prints TAP.  Wants the extension in the database, and on its standard input what
 * reference.awk prints about doc/reference*.md; the kinds of facts are listed there.
 *
 * What is in schema sdc_private is not for users and needs a comment but no entry; its
 * tables have one, for what is dumped, and what is kept of whom, is in them.
 */
SET client_min_messages = warning;

CREATE TEMP TABLE fact (kind text, entry text, part text, number int, name text,
						type text, given text, place text,
						line bigint GENERATED ALWAYS AS IDENTITY);
\copy fact (kind, entry, part, number, name, type, given, place) FROM pstdin

CREATE TEMP VIEW member AS
	SELECT d.classid, d.objid, d.classid::regclass::text AS catalog,
		   pg_describe_object(d.classid, d.objid, 0) AS description,
		   (pg_identify_object(d.classid, d.objid, 0)).schema = 'sdc_private' AS private
	FROM pg_depend d
	WHERE d.refclassid = 'pg_extension'::regclass
	  AND d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'sdc')
	  AND d.deptype = 'e';

/*
 * What there is
 */
-- What users call.
CREATE TEMP TABLE called AS
	SELECT p.*
	FROM member m JOIN pg_proc p ON m.catalog = 'pg_proc' AND p.oid = m.objid
	WHERE NOT m.private;

CREATE TEMP VIEW called_argument AS
	SELECT c.oid, c.proname, a.position, c.proargnames[a.position] AS name, a.type,
		   -- 'x'::text is x for the reader
		   regexp_replace(pg_get_function_arg_default(c.oid, a.position::int), '::[a-z"][^'']*$', '') AS given
	FROM called c, unnest(c.proargtypes) WITH ORDINALITY AS a (type, position);

CREATE TEMP VIEW called_result AS
	SELECT c.oid, c.proname, row_number() OVER (PARTITION BY c.oid ORDER BY a.position) AS position,
		   a.name, a.type
	FROM called c, unnest(c.proallargtypes, c.proargmodes, c.proargnames)
		WITH ORDINALITY AS a (type, mode, name, position)
	WHERE a.mode = 't';

-- Views, tables and composite types; and the tables of the schema that is not for users.
CREATE TEMP VIEW related AS
	SELECT c.oid, c.relname AS name
	FROM member m JOIN pg_class c ON m.catalog = 'pg_class' AND c.oid = m.objid
	WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND (NOT m.private OR c.relkind = 'r')
	UNION ALL
	SELECT t.typrelid, t.typname
	FROM member m JOIN pg_type t ON m.catalog = 'pg_type' AND t.oid = m.objid
	WHERE t.typtype = 'c';

/*
 * What is said
 */
CREATE TEMP VIEW signature AS
	SELECT f.entry, f.place, f.number, f.name AS kind, f.type AS result,
		   (SELECT COALESCE(array_agg(to_regtype(a.type)::oid ORDER BY a.part::int), '{}'::oid[])
			FROM fact a
			WHERE a.kind = 'argument' AND a.place = f.place AND a.number = f.number) AS types
	FROM fact f WHERE f.kind = 'signature';

-- Every signature with its function, and what one of them does not have.
CREATE TEMP VIEW matched AS
	SELECT COALESCE(s.entry, c.proname) AS entry, s.place, s.number, s.kind, s.result, c.oid
	FROM signature s
	FULL JOIN called c ON c.proname = s.entry AND ARRAY(SELECT unnest(c.proargtypes)) = s.types;

CREATE TEMP VIEW described AS
	SELECT f.entry, f.place, bool_or(f.kind = 'signature') AS is_function
	FROM fact f WHERE f.kind IN ('entry', 'signature')
	GROUP BY f.entry, f.place;

-- What lists explain, at their own place or at the one that they point to.
CREATE TEMP TABLE explained AS
	WITH RECURSIVE reached AS (
		SELECT place, part, name, type, given FROM fact WHERE kind = 'item'
		UNION
		SELECT s.place, s.part, r.name, r.type, r.given
		FROM fact s JOIN reached r ON r.place = s.type AND r.part = s.part AND s.name IN (r.name, '*')
		WHERE s.kind = 'shared')
	SELECT * FROM reached;

-- same_type tells whether one of the types "a or b" of a list is that type.
CREATE FUNCTION pg_temp.same_type(said text, type oid) RETURNS boolean
LANGUAGE sql AS $$
	SELECT bool_or(to_regtype(word)::oid = type) FROM regexp_split_to_table(said, ' or ') AS word
$$;

-- accepts_role tells whether a column can have a role.
CREATE TEMP TABLE classified (a int);
CREATE FUNCTION pg_temp.accepts_role(role text) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
	PERFORM sdc_classify('classified', 'a', role);
	RETURN true;
EXCEPTION WHEN invalid_parameter_value THEN
	RETURN false;
END
$$;
SELECT sdc_version() IS NULL AS loaded \gset

CREATE TEMP VIEW finding AS
	SELECT 1 AS test, extname::text AS what
	FROM pg_extension
	WHERE extname = 'sdc' AND obj_description(oid, 'pg_extension') IS NULL
	UNION ALL
	SELECT 2, m.description
	FROM member m
	WHERE m.catalog = 'pg_proc' AND obj_description(m.objid, 'pg_proc') IS NULL
	UNION ALL
	SELECT 3, m.description
	FROM member m JOIN pg_class c ON m.catalog = 'pg_class' AND c.oid = m.objid
	WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f')
	  AND obj_description(c.oid, 'pg_class') IS NULL
	UNION ALL
	SELECT 4, m.description
	FROM member m
	LEFT JOIN pg_proc p ON m.catalog = 'pg_proc' AND p.oid = m.objid
	LEFT JOIN pg_class c ON m.catalog = 'pg_class' AND c.oid = m.objid
	WHERE COALESCE(p.proname, c.relname) !~ '^sdc_' AND NOT m.private
	UNION ALL
	SELECT 5, m.description
	FROM member m JOIN pg_proc p ON m.catalog = 'pg_proc' AND p.oid = m.objid
	WHERE p.prosecdef
	UNION ALL
	SELECT 6, m.description
	FROM member m JOIN pg_class c ON m.catalog = 'pg_class' AND c.oid = m.objid
	WHERE c.relkind = 'v'
	  AND NOT COALESCE(c.reloptions, '{}') && '{security_invoker=true,security_invoker=on,security_invoker=1}'
	UNION ALL
	SELECT 7, COALESCE(NULLIF(entry, '') || ': ', '') || name || ' (' || place || ')'
	FROM fact WHERE kind = 'problem'
	UNION ALL
	-- entries and objects
	SELECT 8, 'no entry: ' || oid::regprocedure
	FROM called WHERE proname NOT IN (SELECT entry FROM described WHERE is_function)
	UNION ALL
	SELECT 8, 'no entry: ' || name
	FROM related WHERE name NOT IN (SELECT entry FROM described WHERE NOT is_function)
	UNION ALL
	SELECT 8, 'no such object: ' || place
	FROM described
	WHERE entry NOT IN (SELECT proname FROM called WHERE is_function
						UNION ALL SELECT name FROM related WHERE NOT is_function)
	UNION ALL
	SELECT 8, 'two entries: ' || entry
	FROM described GROUP BY entry, is_function HAVING count(*) > 1
	UNION ALL
	-- signatures
	SELECT 9, 'no such function: signature ' || number || ' of ' || place
	FROM matched WHERE oid IS NULL
	UNION ALL
	SELECT 9, 'no signature: ' || entry || '(' || pg_get_function_arguments(oid) || ')'
	FROM matched WHERE place IS NULL
	UNION ALL
	SELECT 9, m.place || ': argument ' || a.position || ' of ' || a.proname || ' is ' || a.name
			  || COALESCE(' = ' || a.given, '')
	FROM matched m
	JOIN called_argument a ON a.oid = m.oid
	JOIN fact f ON f.kind = 'argument' AND f.place = m.place AND f.number = m.number
		AND f.part = a.position::text
	WHERE (f.name, f.given) IS DISTINCT FROM (a.name, CASE f.given WHEN '?' THEN '?' ELSE COALESCE(a.given, '') END)
	UNION ALL
	SELECT 9, m.place || ': it is ' || CASE c.prokind WHEN 'a' THEN 'an aggregate' WHEN 'w' THEN
			  'a window function' WHEN 'p' THEN 'a procedure' ELSE 'a function' END
	FROM matched m JOIN called c USING (oid)
	WHERE m.kind <> CASE c.prokind WHEN 'a' THEN 'aggregate' WHEN 'w' THEN 'window' WHEN 'p' THEN 'procedure' ELSE 'function' END
	UNION ALL
	SELECT 9, m.place || ': its result is ' || pg_get_function_result(c.oid)
	FROM matched m JOIN called c USING (oid)
	WHERE m.result IS NOT NULL
	  AND CASE WHEN m.result = 'TABLE' THEN
			(SELECT array_agg((f.name, to_regtype(f.type)::oid)::text ORDER BY f.part::int)
			 FROM fact f
			 WHERE f.kind = 'result' AND f.place = m.place AND f.number = m.number)
			IS DISTINCT FROM
			(SELECT array_agg((r.name, r.type)::text ORDER BY r.position)
			 FROM called_result r WHERE r.oid = c.oid)
		ELSE (to_regtype(regexp_replace(m.result, '^SETOF ', ''))::oid, m.result ~ '^SETOF ')
			IS DISTINCT FROM (c.prorettype, c.proretset)
			OR EXISTS (SELECT FROM called_result r WHERE r.oid = c.oid)
		END
	UNION ALL
	-- lists
	SELECT DISTINCT 10, m.place || ': argument ' || a.name || ' is not explained as ' || format_type(a.type, NULL)
			  || COALESCE(', default ' || NULLIF(a.given, 'NULL'), '')
	FROM matched m JOIN called_argument a USING (oid)
	WHERE m.place IS NOT NULL
	  AND NOT EXISTS (SELECT FROM explained e
					  WHERE e.place = m.place AND e.part = 'Arguments' AND e.name = a.name
						AND pg_temp.same_type(e.type, a.type)
						AND (e.given = COALESCE(a.given, '!')
							 OR e.given = '!' AND a.given = 'NULL'))
	UNION ALL
	SELECT DISTINCT 10, m.place || ': column ' || r.name || ' is not explained as ' || format_type(r.type, NULL)
	FROM matched m JOIN called_result r USING (oid)
	WHERE m.place IS NOT NULL
	  AND NOT EXISTS (SELECT FROM explained e
					  WHERE e.place = m.place AND e.part = 'Returns' AND e.name = r.name
						AND pg_temp.same_type(e.type, r.type))
	UNION ALL
	SELECT DISTINCT 10, f.place || ': there is no ' || CASE f.part WHEN 'Arguments' THEN 'argument ' ELSE 'column ' END || f.name
	FROM fact f JOIN described d USING (place)
	WHERE d.is_function AND f.kind IN ('item', 'shared') AND f.name <> '*'
	  AND f.name NOT IN (SELECT a.name FROM called_argument a WHERE a.proname = d.entry AND f.part = 'Arguments'
						 UNION ALL
						 SELECT r.name FROM called_result r WHERE r.proname = d.entry AND f.part = 'Returns')
	UNION ALL
	SELECT 10, f.place || ': no function has ' || CASE f.part WHEN 'Arguments' THEN 'argument ' ELSE 'column ' END || f.name
	FROM fact f
	WHERE f.kind = 'item' AND f.part IN ('Arguments', 'Returns') AND f.place NOT IN (SELECT d.place FROM described d)
	  AND f.name NOT IN (SELECT a.name FROM called_argument a WHERE f.part = 'Arguments'
						 UNION ALL
						 SELECT r.name FROM called_result r WHERE f.part = 'Returns')
	UNION ALL
	-- views, tables and types
	SELECT 11, r.name || ': column ' || a.attname || ' is not explained as ' || format_type(a.atttypid, a.atttypmod)
	FROM related r
	JOIN pg_attribute a ON a.attrelid = r.oid AND a.attnum > 0 AND NOT a.attisdropped
	JOIN described d ON d.entry = r.name AND NOT d.is_function
	WHERE NOT EXISTS (SELECT FROM explained e
					  WHERE e.place = d.place AND e.part = 'Columns' AND e.name = a.attname
						AND pg_temp.same_type(e.type, a.atttypid))
	UNION ALL
	SELECT 11, r.name || ': there is no column ' || f.name
	FROM related r
	JOIN described d ON d.entry = r.name AND NOT d.is_function
	JOIN fact f ON f.place = d.place AND f.kind IN ('item', 'shared') AND f.name <> '*'
	WHERE NOT EXISTS (SELECT FROM pg_attribute a
					  WHERE a.attrelid = r.oid AND a.attname = f.name AND a.attnum > 0 AND NOT a.attisdropped)
	UNION ALL
	-- settings (sdc.test_... are in test builds only) and roles
	SELECT 12, COALESCE(s.name, f.name)
			   || COALESCE(' is ' || s.vartype || ', default ' || COALESCE(NULLIF(s.boot_val, ''), ''''''), ' does not exist')
	FROM (SELECT * FROM pg_settings WHERE name ~ '^sdc[.]' AND name !~ '^sdc[.]test_') s
	FULL JOIN (SELECT * FROM fact WHERE kind = 'item' AND part = 'Settings') f USING (name)
	WHERE (s.vartype, COALESCE(NULLIF(s.boot_val, ''), '''''')) IS DISTINCT FROM (f.type, f.given)
	UNION ALL
	SELECT 12, 'role ' || name || ' is not one'
	FROM fact WHERE kind = 'item' AND part = 'Roles' AND NOT pg_temp.accepts_role(name)
	UNION ALL
	-- labels
	SELECT 13, m.place || ': ' || l.label || ' is not said of ' || m.oid::regprocedure
	FROM matched m
	JOIN called c USING (oid)
	CROSS JOIN LATERAL (SELECT CASE c.provolatile WHEN 'i' THEN 'IMMUTABLE' WHEN 's' THEN 'STABLE' ELSE 'VOLATILE' END
		|| ', PARALLEL ' || CASE c.proparallel WHEN 's' THEN 'SAFE' WHEN 'r' THEN 'RESTRICTED' ELSE 'UNSAFE' END) AS l (label)
	LEFT JOIN fact f ON f.kind = 'words' AND f.place = m.place
	WHERE m.place IS NOT NULL AND strpos(COALESCE(f.type, ''), l.label) = 0
	UNION ALL
	-- order
	SELECT 14, entry || ' comes before ' || before || ' in the extension'
	FROM (SELECT c.proname AS entry, c.first, lag(c.proname) OVER w AS before, lag(c.first) OVER w AS first_before
		  FROM (SELECT proname, min(oid) AS first FROM called GROUP BY proname) c
		  JOIN (SELECT f.entry, min(f.line) AS line
				FROM fact f
				WHERE f.kind = 'signature' GROUP BY f.entry) d ON d.entry = c.proname
		  WINDOW w AS (ORDER BY d.line)) o
	WHERE first < first_before;

-- One line a test; findings follow as diagnostics.
CREATE TEMP TABLE title AS
	SELECT * FROM (VALUES
		(1, 'the extension has a comment'),
		(2, 'every function and aggregate has a comment'),
		(3, 'every table and view has a comment'),
		(4, 'every function and relation for users has the prefix sdc_'),
		(5, 'no function runs with the rights of its owner'),
		(6, 'every view runs with the rights of its user'),
		(7, 'every entry of the reference has all parts in their order, and no line is too long'),
		(8, 'every public function, view, table and type has an entry in the reference, and every entry is one of them'),
		(9, 'signatures in the reference are those of the catalog'),
		(10, 'the reference explains all arguments and columns of functions, and no others'),
		(11, 'the reference explains all columns of views, tables and types, and no others'),
		(12, 'settings and roles of columns in the reference are those that exist'),
		(13, 'the reference says how volatile and how parallel safe a function is'),
		(14, 'entries of the reference are in the order of the extension')) AS t (test, title);

SELECT CASE WHEN count(f.what) = 0 THEN 'ok ' ELSE 'not ok ' END || t.test || ' - ' || t.title
	   || COALESCE(string_agg(E'\n#   ' || f.what, '' ORDER BY f.what COLLATE "C"), '')
FROM title t LEFT JOIN finding f USING (test)
GROUP BY t.test, t.title
ORDER BY t.test;
SELECT '1..' || count(*) FROM title;
