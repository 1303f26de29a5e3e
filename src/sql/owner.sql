----------------------------------------------------------------------
-- Owner
----------------------------------------------------------------------

-- Installed by an ordinary role the objects belong to the bootstrap superuser already; installed by
-- another superuser they would belong to somebody who can lose that status.
DO $owner$
DECLARE
	owner pg_catalog.name := (SELECT rolname FROM pg_catalog.pg_authid WHERE oid OPERATOR(pg_catalog.=) 10);
	object record;
BEGIN
	IF CURRENT_USER OPERATOR(pg_catalog.=) owner THEN
		RETURN;
	END IF;
	FOR object IN
		SELECT i.type, i.identity
		FROM pg_catalog.pg_depend AS d
		JOIN pg_catalog.pg_extension AS e ON e.oid OPERATOR(pg_catalog.=) d.refobjid
		CROSS JOIN LATERAL pg_catalog.pg_identify_object(d.classid, d.objid, 0) AS i
		WHERE d.refclassid OPERATOR(pg_catalog.=) 'pg_catalog.pg_extension'::pg_catalog.regclass
			AND d.deptype OPERATOR(pg_catalog.=) 'e' AND e.extname OPERATOR(pg_catalog.=) 'sdc'
			AND i.type OPERATOR(pg_catalog.=) ANY (ARRAY['schema', 'event trigger', 'table', 'view', 'function', 'procedure', 'aggregate', 'sequence', 'type'])
			-- types of rows and arrays, which are members from PostgreSQL 17 on, go with what they belong to
			AND (i.type OPERATOR(pg_catalog.<>) 'type' OR d.objid OPERATOR(pg_catalog.=) ANY (
				SELECT c.reltype FROM pg_catalog.pg_class AS c WHERE c.relkind OPERATOR(pg_catalog.=) 'c'
				UNION ALL
				SELECT t.oid FROM pg_catalog.pg_type AS t WHERE t.typtype OPERATOR(pg_catalog.=) 'b' AND t.typelem OPERATOR(pg_catalog.=) 0))
	LOOP
		EXECUTE pg_catalog.format('ALTER %s %s OWNER TO %I', object.type, object.identity, owner);
	END LOOP;
END
$owner$;
