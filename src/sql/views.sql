----------------------------------------------------------------------
-- Views over all releases
----------------------------------------------------------------------

-- What is kept of a release, or what is measured now where nothing is and it is small; a row with the reason for what
-- cannot be, no row for what the caller may not read.  PARALLEL RESTRICTED: temporary tables.
CREATE FUNCTION sdc_private.releases(OUT release regclass, OUT source regclass, OUT method text,
	OUT parameters jsonb, OUT columns name[], OUT key name[], OUT strata name[], OUT omitted name[],
	OUT qi name[], OUT sensitive name[], OUT records bigint, OUT seeded boolean, OUT created_by name,
	OUT created_at timestamptz, OUT stream_version int, OUT unit name[], OUT units bigint, OUT weight name,
	OUT missing jsonb)
RETURNS SETOF record
AS 'MODULE_PATHNAME', 'sdc_private_releases' LANGUAGE C STABLE PARALLEL RESTRICTED COST 10000 ROWS 100;
COMMENT ON FUNCTION sdc_private.releases() IS
	'below the view sdc_releases';

CREATE VIEW sdc_releases WITH (security_invoker = true) AS
SELECT r.release, r.source, r.method, r.parameters, r.columns, r.key, r.strata, r.omitted,
	r.qi, r.sensitive, r.records, r.seeded, r.created_by, r.created_at, r.stream_version, r.unit, r.units,
	r.weight, r.missing
FROM sdc_private.releases() AS r;
COMMENT ON VIEW sdc_releases IS
	'the releases of the relations that the caller may read';

CREATE FUNCTION sdc_private.stored_score(release regclass, OUT people_found float8,
	OUT certain_percent float8, OUT il float8, OUT dld float8,
	OUT pld float8, OUT rsld float8, OUT interval_disclosure float8, OUT dr float8, OUT dr_generic float8,
	OUT score float8, OUT score_generic float8, OUT problem text, OUT evaluated_at timestamptz)
RETURNS SETOF record
AS 'MODULE_PATHNAME', 'sdc_private_stored_score' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 1;
COMMENT ON FUNCTION sdc_private.stored_score(regclass) IS
	'below the view sdc_scores';

CREATE VIEW sdc_scores WITH (security_invoker = true) AS
SELECT r.release, r.source, r.method, r.parameters,
	pg_catalog.round(s.people_found::pg_catalog.numeric, 1) AS people_found,
	pg_catalog.round(s.certain_percent::pg_catalog.numeric, 1) AS certain_percent,
	pg_catalog.round(s.il::pg_catalog.numeric, 1) AS il,
	pg_catalog.round(s.dld::pg_catalog.numeric, 1) AS dld,
	pg_catalog.round(s.pld::pg_catalog.numeric, 1) AS pld,
	pg_catalog.round(s.rsld::pg_catalog.numeric, 1) AS rsld,
	pg_catalog.round(s.interval_disclosure::pg_catalog.numeric, 1) AS interval_disclosure,
	pg_catalog.round(s.dr::pg_catalog.numeric, 1) AS dr,
	pg_catalog.round(s.dr_generic::pg_catalog.numeric, 1) AS dr_generic,
	pg_catalog.round(s.score::pg_catalog.numeric, 1) AS score,
	pg_catalog.round(s.score_generic::pg_catalog.numeric, 1) AS score_generic, s.problem, s.evaluated_at
FROM sdc_private.releases() AS r
CROSS JOIN LATERAL sdc_private.stored_score(r.release) AS s;
COMMENT ON VIEW sdc_scores IS
	'the scores of all releases that the caller may read together with their source';

-- The frontier is that of the releases of one source which are what they were when they were evaluated.
CREATE VIEW sdc_private.sdc_ru_map WITH (security_invoker = true) AS
SELECT r.release, r.source, r.method, r.parameters, pg_catalog.round(s.people_found::pg_catalog.numeric, 1) AS people_found,
	pg_catalog.round(s.dr::pg_catalog.numeric, 1) AS dr, pg_catalog.round(s.il::pg_catalog.numeric, 1) AS loss,
	-- no release of less risk, or of the same, has less loss, and none of less has the same
	CASE WHEN s.problem IS NULL THEN s.il OPERATOR(pg_catalog.<=) pg_catalog.min(s.il) FILTER (WHERE s.problem IS NULL) OVER (PARTITION BY r.source
			ORDER BY s.people_found RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
		AND NOT COALESCE(s.il OPERATOR(pg_catalog.>=) pg_catalog.min(s.il) FILTER (WHERE s.problem IS NULL) OVER (PARTITION BY r.source
			ORDER BY s.people_found GROUPS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), false) END AS on_frontier,
	s.problem, s.evaluated_at
FROM sdc_private.releases() AS r
CROSS JOIN LATERAL sdc_private.stored_score(r.release) AS s
WHERE s.people_found IS NOT NULL AND s.il IS NOT NULL;
COMMENT ON VIEW sdc_private.sdc_ru_map IS
	'below the view sdc_ru_map';

CREATE VIEW sdc_ru_map WITH (security_invoker = true) AS
SELECT m.release, m.source, m.method, m.parameters, m.people_found, m.dr, m.loss, m.on_frontier, m.problem, m.evaluated_at
FROM sdc_private.sdc_ru_map AS m;
COMMENT ON VIEW sdc_ru_map IS
	'risk and loss of all releases that the caller may read, and which are on the frontier of their source';

CREATE FUNCTION sdc_private.stored_query_errors(release regclass, OUT attributes int, OUT queries int,
	OUT mean_error float8, OUT median_error float8, OUT p95_error float8, OUT redrawn bigint,
	OUT problem text, OUT evaluated_at timestamptz)
RETURNS SETOF record
AS 'MODULE_PATHNAME', 'sdc_private_stored_query_errors' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 10;
COMMENT ON FUNCTION sdc_private.stored_query_errors(regclass) IS
	'below the view sdc_query_errors';

CREATE VIEW sdc_query_errors WITH (security_invoker = true) AS
SELECT r.release, r.source, r.method, r.parameters, e.attributes, e.queries, pg_catalog.round(e.mean_error::pg_catalog.numeric, 4) AS mean_error,
	pg_catalog.round(e.median_error::pg_catalog.numeric, 4) AS median_error, pg_catalog.round(e.p95_error::pg_catalog.numeric, 4) AS p95_error, e.redrawn, e.problem, e.evaluated_at
FROM sdc_private.releases() AS r
CROSS JOIN LATERAL sdc_private.stored_query_errors(r.release) AS e;
COMMENT ON VIEW sdc_query_errors IS
	'relative errors of random count queries on all releases that the caller may read together with their source';

CREATE FUNCTION sdc_private.stored_association_recall(release regclass, OUT length int,
	OUT original bigint, OUT recovered bigint, OUT artificial bigint, OUT recall_percent float8,
	OUT artificial_percent float8, OUT problem text, OUT evaluated_at timestamptz, OUT min_support float8,
	OUT min_confidence float8)
RETURNS SETOF record
AS 'MODULE_PATHNAME', 'sdc_private_stored_association_recall' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 10;
COMMENT ON FUNCTION sdc_private.stored_association_recall(regclass) IS
	'below the view sdc_association_recall';

CREATE VIEW sdc_association_recall WITH (security_invoker = true) AS
SELECT r.release, r.source, r.method, r.parameters, a.length, a.original, a.recovered,
	a.artificial, pg_catalog.round(a.recall_percent::pg_catalog.numeric, 1) AS recall_percent,
	pg_catalog.round(a.artificial_percent::pg_catalog.numeric, 1) AS artificial_percent, a.problem,
	a.evaluated_at, a.min_support, a.min_confidence
FROM sdc_private.releases() AS r
CROSS JOIN LATERAL sdc_private.stored_association_recall(r.release) AS a;
COMMENT ON VIEW sdc_association_recall IS
	'recall of associations by all releases that the caller may read together with their source';
