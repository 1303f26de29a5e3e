----------------------------------------------------------------------
-- Progress and version
----------------------------------------------------------------------

-- The state of sessions: PARALLEL RESTRICTED.
CREATE FUNCTION sdc_private.progress(OUT pid int, OUT userid oid, OUT source oid,
	OUT phase text, OUT records_done bigint, OUT records_total bigint,
	OUT attributes_done bigint, OUT attributes_total bigint, OUT statement_start timestamptz,
	OUT percent float8, OUT phase_start timestamptz, OUT remaining interval)
RETURNS SETOF record
AS 'MODULE_PATHNAME', 'sdc_private_progress' LANGUAGE C VOLATILE PARALLEL RESTRICTED COST 1000 ROWS 10;
COMMENT ON FUNCTION sdc_private.progress() IS
	'below the view sdc_progress';

CREATE VIEW sdc_progress WITH (security_invoker = true) AS
SELECT p.pid, pg_catalog.pg_get_userbyid(p.userid) AS usename, p.source::pg_catalog.regclass AS source,
	p.phase, p.records_done, p.records_total, p.attributes_done, p.attributes_total,
	p.statement_start, p.percent, p.phase_start, p.remaining
FROM sdc_private.progress() AS p;
COMMENT ON VIEW sdc_progress IS
	'which sessions of this database run a function of sdc, how far they are, and how long their phase will still take';

-- STABLE: another library may be loaded.
CREATE FUNCTION sdc_version()
RETURNS text
AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sdc_version() IS
	'the version of the loaded library';
