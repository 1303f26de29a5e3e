/*
 * catalog.sql
 *		What the installed extension says about itself.
 *
 * Prints TAP.  Wants the extension in the database, and in the psql variable
 * "documented" the names that have an entry "### sdc_name" in the reference.
 *
 * A function that only serves an aggregate, or whose name ends in _internal, is
 * not for users and needs a comment but no entry.
 */
CREATE TEMP VIEW member AS
	SELECT d.classid, d.objid, d.classid::regclass::text AS catalog,
		   pg_describe_object(d.classid, d.objid, 0) AS description
	FROM pg_depend d
	WHERE d.refclassid = 'pg_extension'::regclass
	  AND d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'sdc')
	  AND d.deptype = 'e';

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
	SELECT DISTINCT 4, p.proname
	FROM member m JOIN pg_proc p ON m.catalog = 'pg_proc' AND p.oid = m.objid
	WHERE p.proname ~ '^sdc_' AND p.proname !~ '_internal$'
	  AND NOT EXISTS (SELECT FROM pg_aggregate a
					  WHERE p.oid IN (a.aggtransfn, a.aggfinalfn, a.aggcombinefn,
									  a.aggserialfn, a.aggdeserialfn, a.aggmtransfn,
									  a.aggminvtransfn, a.aggmfinalfn))
	  AND p.prorettype <> 'trigger'::regtype
	  AND NOT p.proname = ANY (string_to_array(:'documented', ' '))
	UNION ALL
	SELECT 5, name
	FROM unnest(string_to_array(NULLIF(:'documented', ''), ' ')) AS name
	WHERE NOT EXISTS (SELECT FROM member m JOIN pg_proc p
					  ON m.catalog = 'pg_proc' AND p.oid = m.objid AND p.proname = name)
	  AND NOT EXISTS (SELECT FROM member m JOIN pg_class c
					  ON m.catalog = 'pg_class' AND c.oid = m.objid AND c.relname = name)
	UNION ALL
	SELECT 6, m.description
	FROM member m
	LEFT JOIN pg_proc p ON m.catalog = 'pg_proc' AND p.oid = m.objid
	LEFT JOIN pg_class c ON m.catalog = 'pg_class' AND c.oid = m.objid
	WHERE COALESCE(p.proname, c.relname) !~ '^sdc_'
	UNION ALL
	SELECT 7, m.description
	FROM member m JOIN pg_proc p ON m.catalog = 'pg_proc' AND p.oid = m.objid
	WHERE p.prosecdef
	UNION ALL
	SELECT 8, m.description
	FROM member m JOIN pg_class c ON m.catalog = 'pg_class' AND c.oid = m.objid
	WHERE c.relkind = 'v'
	  AND NOT COALESCE(c.reloptions, '{}') && '{security_invoker=true,security_invoker=on,security_invoker=1}';

-- One line a test; findings follow as diagnostics.
CREATE TEMP TABLE title AS
	SELECT * FROM (VALUES
		(1, 'the extension has a comment'),
		(2, 'every function and aggregate has a comment'),
		(3, 'every table and view has a comment'),
		(4, 'every public function has an entry in the reference'),
		(5, 'every entry of the reference is an object of the extension'),
		(6, 'every function and relation has the prefix sdc_'),
		(7, 'no function runs with the rights of its owner'),
		(8, 'every view runs with the rights of its user')) AS t (test, title);

SELECT CASE WHEN count(f.what) = 0 THEN 'ok ' ELSE 'not ok ' END || t.test || ' - ' || t.title
	   || COALESCE(string_agg(E'\n#   ' || f.what, '' ORDER BY f.what COLLATE "C"), '')
FROM title t LEFT JOIN finding f USING (test)
GROUP BY t.test, t.title
ORDER BY t.test;
SELECT '1..' || count(*) FROM title;
