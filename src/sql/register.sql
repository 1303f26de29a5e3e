----------------------------------------------------------------------
-- Classify and register
----------------------------------------------------------------------

CREATE FUNCTION sdc_classify(relation regclass, attribute name, role text)
RETURNS void
AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 10000;
COMMENT ON FUNCTION sdc_classify(regclass, name, text) IS
	'classifies a column as identifier, quasi-identifier, sensitive, public, unit or weight; a null role takes it back (needs relation, attribute, role)';

-- A classification is a security label of the column.
CREATE FUNCTION sdc_private.roles(relation regclass, OUT attribute name, OUT role text)
RETURNS SETOF record
AS 'MODULE_PATHNAME', 'sdc_private_roles' LANGUAGE C STABLE PARALLEL RESTRICTED COST 10000 ROWS 10;
COMMENT ON FUNCTION sdc_private.roles(regclass) IS
	'the columns of a relation that have a role, for sdc_attributes';

CREATE VIEW sdc_private.sdc_attributes WITH (security_invoker = true) AS
SELECT c.oid::pg_catalog.regclass AS relation, r.attribute, r.role
FROM pg_catalog.pg_class AS c CROSS JOIN LATERAL sdc_private.roles(c.oid::pg_catalog.regclass) AS r
WHERE c.oid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
	AND c.relkind OPERATOR(pg_catalog.=) ANY ('{r,p,v,m,f}'::pg_catalog."char"[])
	AND pg_catalog.has_any_column_privilege(c.oid, 'SELECT');
COMMENT ON VIEW sdc_private.sdc_attributes IS
	'below the view sdc_attributes';

CREATE VIEW sdc_attributes WITH (security_invoker = true) AS
SELECT a.relation, a.attribute, a.role FROM sdc_private.sdc_attributes AS a;
COMMENT ON VIEW sdc_attributes IS
	'the columns with a role, their own or that of the column they come from, of the relations that the caller may read';

CREATE FUNCTION sdc_register(source regclass, release regclass, columns name[] DEFAULT NULL,
	key name[] DEFAULT NULL, method text DEFAULT 'external', parameters jsonb DEFAULT '{}',
	qi name[] DEFAULT NULL, sensitive name[] DEFAULT NULL, steps jsonb DEFAULT NULL, unit name[] DEFAULT NULL,
	weight name DEFAULT NULL, missing jsonb DEFAULT NULL)
RETURNS void
AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000;
COMMENT ON FUNCTION sdc_register(regclass, regclass, name[], name[], text, jsonb, name[], name[], jsonb, name[], name, jsonb) IS
	'registers a table that another tool protected as a release of its source (needs source, release)';

CREATE FUNCTION sdc_unregister(release regclass)
RETURNS void
AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 10000;
COMMENT ON FUNCTION sdc_unregister(regclass) IS
	'forgets a release; its table stays (needs release)';

CREATE FUNCTION sdc_forget(release regclass)
RETURNS void
AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 10000;
COMMENT ON FUNCTION sdc_forget(regclass) IS
	'deletes the private state of a continued release, which cannot go on then; the release stays (needs release)';

CREATE FUNCTION sdc_confirm_source(release regclass)
RETURNS boolean
AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000;
COMMENT ON FUNCTION sdc_confirm_source(regclass) IS
	'takes the checksum of the source of a restored release again: its owner says that it is what the release was made from (needs release)';
