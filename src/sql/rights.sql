----------------------------------------------------------------------
-- Rights
----------------------------------------------------------------------

-- Given when the owners are settled: what differs from what the server records here goes into dumps.

-- None but those below: default privileges may have given others, and what is new is for everybody to execute.
DO $rights$
DECLARE
	given record;
BEGIN
	FOR given IN
		SELECT DISTINCT CASE WHEN a.grantee OPERATOR(pg_catalog.=) 0 THEN 'PUBLIC'
			ELSE pg_catalog.quote_ident(pg_catalog.pg_get_userbyid(a.grantee)) END AS role
		FROM pg_catalog.pg_namespace AS n
		CROSS JOIN LATERAL (
			SELECT n.nspowner, n.nspacl
			UNION ALL
			SELECT c.relowner, c.relacl FROM pg_catalog.pg_class AS c WHERE c.relnamespace OPERATOR(pg_catalog.=) n.oid
			UNION ALL
			SELECT p.proowner, COALESCE(p.proacl, pg_catalog.acldefault('f', p.proowner))
			FROM pg_catalog.pg_proc AS p WHERE p.pronamespace OPERATOR(pg_catalog.=) n.oid
		) AS o (owner, acl)
		CROSS JOIN LATERAL pg_catalog.aclexplode(o.acl) AS a
		WHERE n.nspname OPERATOR(pg_catalog.=) 'sdc_private' AND a.grantee OPERATOR(pg_catalog.<>) o.owner
	LOOP
		EXECUTE pg_catalog.format('REVOKE ALL ON SCHEMA sdc_private FROM %s', given.role);
		EXECUTE pg_catalog.format('REVOKE ALL ON ALL TABLES IN SCHEMA sdc_private FROM %s', given.role);
		EXECUTE pg_catalog.format('REVOKE ALL ON ALL SEQUENCES IN SCHEMA sdc_private FROM %s', given.role);
		EXECUTE pg_catalog.format('REVOKE ALL ON ALL FUNCTIONS IN SCHEMA sdc_private FROM %s', given.role);
	END LOOP;
END
$rights$;

-- What dumps and restores need: COPY, both ways, and the private states for roles that may read all tables.  (Who has the extension
-- can be another one than who updates it.)
DO $given$
DECLARE
	owner pg_catalog.name := (SELECT pg_catalog.pg_get_userbyid(extowner) FROM pg_catalog.pg_extension WHERE extname OPERATOR(pg_catalog.=) 'sdc');
BEGIN
	EXECUTE pg_catalog.format('GRANT SELECT, INSERT ON sdc_private.sdc_release_catalog, sdc_private.sdc_policy_catalog, sdc_private.sdc_publication_catalog,
		sdc_private.sdc_evaluation_catalog, sdc_private.sdc_run_log, sdc_private.sdc_state_dump TO %I, pg_database_owner', owner);
	EXECUTE pg_catalog.format('GRANT USAGE ON SCHEMA sdc_private TO %I, pg_database_owner', owner);
	EXECUTE pg_catalog.format('GRANT EXECUTE ON FUNCTION sdc_private.state_dump() TO %I, pg_database_owner, pg_read_all_data', owner);
END
$given$;

-- What is below views is executed by their readers, who may not use the schema, and so cannot name it.
GRANT SELECT ON sdc_private.sdc_attributes, sdc_private.sdc_ru_map TO PUBLIC;
GRANT EXECUTE ON FUNCTION sdc_private.releases(), sdc_private.stored_score(regclass), sdc_private.stored_query_errors(regclass),
	sdc_private.stored_association_recall(regclass), sdc_private.policies(), sdc_private.publications(),
	sdc_private.runs(name, bigint), sdc_private.run_rows(name, bigint), sdc_private.progress(), sdc_private.roles(regclass) TO PUBLIC;

GRANT SELECT ON sdc_releases, sdc_attributes, sdc_scores, sdc_ru_map, sdc_query_errors, sdc_association_recall,
	sdc_progress, sdc_policies, sdc_publications, sdc_runs, sdc_policy_history, sdc_policy_status TO PUBLIC;
