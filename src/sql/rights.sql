----------------------------------------------------------------------
-- Rights
----------------------------------------------------------------------

-- Given when the owners are settled: what differs from what the server records here goes into dumps.  Only to roles that nobody can
-- drop, since the record would name one that is gone; and only on what this script has made, since on older objects somebody may
-- have given or taken rights, which stay.  The row of the extension and those of its new members have one transaction.
--
-- Nobody else has a right, whatever default privileges there are: of private functions, which are for everybody to execute when they are
-- new, of the schema, and of all tables and views.
DO $rights$
DECLARE
	made record;
BEGIN
	FOR made IN
		SELECT o.kind, o.name, g.rights, g.roles, (
			SELECT pg_catalog.string_agg(DISTINCT CASE WHEN a.grantee OPERATOR(pg_catalog.=) 0 THEN 'PUBLIC'
				ELSE pg_catalog.quote_ident(pg_catalog.pg_get_userbyid(a.grantee)) END, ', ')
			FROM pg_catalog.aclexplode(o.acl) AS a WHERE a.grantee OPERATOR(pg_catalog.<>) o.owner
		) AS others
		FROM pg_catalog.pg_extension AS e
		JOIN pg_catalog.pg_depend AS d ON d.refclassid OPERATOR(pg_catalog.=) e.tableoid AND d.refobjid OPERATOR(pg_catalog.=) e.oid
			AND d.deptype OPERATOR(pg_catalog.=) 'e' AND d.xmin OPERATOR(pg_catalog.=) e.xmin
		JOIN (
			SELECT n.tableoid, n.oid, 'SCHEMA', n.nspname::pg_catalog.text, n.nspowner, n.nspacl FROM pg_catalog.pg_namespace AS n
			UNION ALL
			SELECT c.tableoid, c.oid, 'TABLE', c.oid::pg_catalog.regclass::pg_catalog.text, c.relowner, c.relacl
			FROM pg_catalog.pg_class AS c WHERE c.relkind OPERATOR(pg_catalog.<>) 'c'
			UNION ALL
			SELECT p.tableoid, p.oid, 'ROUTINE', p.oid::pg_catalog.regprocedure::pg_catalog.text, p.proowner,
				COALESCE(p.proacl, pg_catalog.acldefault('f', p.proowner))
			FROM pg_catalog.pg_proc AS p WHERE p.pronamespace OPERATOR(pg_catalog.=) 'sdc_private'::pg_catalog.regnamespace
		) AS o (class, oid, kind, name, owner, acl) ON o.class OPERATOR(pg_catalog.=) d.classid AND o.oid OPERATOR(pg_catalog.=) d.objid
		LEFT JOIN (VALUES
			-- What dumps and restores need: COPY, both ways, and the private states for roles that may read all tables.
			('USAGE', 'pg_database_owner', ARRAY['sdc_private']),
			('SELECT, INSERT', 'pg_database_owner', ARRAY['sdc_private.sdc_release_catalog', 'sdc_private.sdc_policy_catalog',
				'sdc_private.sdc_publication_catalog', 'sdc_private.sdc_evaluation_catalog', 'sdc_private.sdc_run_log', 'sdc_private.sdc_state_dump']),
			('EXECUTE', 'pg_database_owner, pg_read_all_data', ARRAY['sdc_private.state_dump()']),
			-- What is below views is executed by their readers, who may not use the schema, and so cannot name it.
			('EXECUTE', 'PUBLIC', ARRAY['sdc_private.releases()', 'sdc_private.stored_score(regclass)', 'sdc_private.stored_query_errors(regclass)',
				'sdc_private.stored_association_recall(regclass)', 'sdc_private.policies()', 'sdc_private.publications()',
				'sdc_private.runs(name,bigint)', 'sdc_private.run_rows(name,bigint)', 'sdc_private.progress()', 'sdc_private.roles(regclass)']),
			('SELECT', 'PUBLIC', ARRAY['sdc_private.sdc_attributes', 'sdc_private.sdc_ru_map',
				'sdc_releases', 'sdc_attributes', 'sdc_scores', 'sdc_ru_map', 'sdc_query_errors', 'sdc_association_recall',
				'sdc_progress', 'sdc_policies', 'sdc_publications', 'sdc_runs', 'sdc_policy_history', 'sdc_policy_status'])
		) AS g (rights, roles, names) ON o.name OPERATOR(pg_catalog.=) ANY (g.names)
		WHERE e.extname OPERATOR(pg_catalog.=) 'sdc'
	LOOP
		IF made.others IS NOT NULL THEN
			EXECUTE pg_catalog.format('REVOKE ALL ON %s %s FROM %s', made.kind, made.name, made.others);
		END IF;
		IF made.rights IS NOT NULL THEN
			EXECUTE pg_catalog.format('GRANT %s ON %s %s TO %s', made.rights, made.kind, made.name, made.roles);
		END IF;
	END LOOP;
END
$rights$;
