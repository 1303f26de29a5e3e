----------------------------------------------------------------------
-- Publish
----------------------------------------------------------------------

-- What the table beside a publication says.  Without columns it says that of all, and without a number measures any.
CREATE FUNCTION sdc_private.accuracy(release regclass, columns name[], records bigint, most bigint)
RETURNS TABLE (part text, attribute name, measure text, value float8)
AS 'MODULE_PATHNAME', 'sdc_private_accuracy' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 50;
COMMENT ON FUNCTION sdc_private.accuracy(regclass, name[], bigint, bigint) IS
	'the measures of a publication, for sdc_publish';

CREATE FUNCTION sdc_private.accuracy_drawn(release regclass, step int)
RETURNS float8[]
AS 'MODULE_PATHNAME', 'sdc_private_accuracy_drawn' LANGUAGE C STABLE PARALLEL UNSAFE COST 100;
COMMENT ON FUNCTION sdc_private.accuracy_drawn(regclass, int) IS
	'the probabilities of a step as they may be published, for sdc_report';

CREATE FUNCTION sdc_publish(release regclass, target text, keep name[] DEFAULT NULL,
	grant_to name[] DEFAULT NULL, mode text DEFAULT 'exchange', replace boolean DEFAULT false,
	force boolean DEFAULT false, max_people_found float8 DEFAULT NULL, keep_units boolean DEFAULT true,
	units_as text DEFAULT NULL)
RETURNS TABLE (publication regclass, records bigint, columns name[], sha256 bytea, locked_ms float8)
AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 2;
COMMENT ON FUNCTION sdc_publish(regclass, text, name[], name[], text, boolean, boolean, float8, boolean, text) IS
	'makes the public copy of a release: without key, in random order, only protected columns and those that keep names (needs release, target, max_people_found)';

CREATE FUNCTION sdc_withdraw(target regclass, why text)
RETURNS void
AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 10000;
COMMENT ON FUNCTION sdc_withdraw(regclass, text) IS
	'drops a publication, and says why in the log of the server (needs target, why)';

CREATE FUNCTION sdc_private.publications(OUT publication regclass, OUT release regclass, OUT mode text,
	OUT columns name[], OUT kept name[], OUT records bigint, OUT sha256 bytea, OUT forced boolean,
	OUT published_by name, OUT published_at timestamptz, OUT accuracy regclass)
RETURNS SETOF record
AS 'MODULE_PATHNAME', 'sdc_private_publications' LANGUAGE C STABLE PARALLEL RESTRICTED COST 10000 ROWS 100;
COMMENT ON FUNCTION sdc_private.publications() IS
	'below the view sdc_publications';

-- The readers are names of roles, and public.  In a table that has other columns no new records can be written.
CREATE FUNCTION sdc_private.publication_problem(publication regclass, owner name, readers name[])
RETURNS TABLE (problem text, other_columns boolean)
AS 'MODULE_PATHNAME', 'sdc_private_publication_problem' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 1;
COMMENT ON FUNCTION sdc_private.publication_problem(regclass, name, name[]) IS
	'the changes of a publication since it was published; no row: none';

CREATE FUNCTION sdc_private.drop_publication(publication regclass)
RETURNS void
AS 'MODULE_PATHNAME', 'sdc_private_drop_publication' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 10000;
COMMENT ON FUNCTION sdc_private.drop_publication(regclass) IS
	'drops a publication and its accuracy table, with the rights of the caller';

CREATE VIEW sdc_publications WITH (security_invoker = true) AS
SELECT p.publication, p.release, p.mode, p.columns, p.kept, p.records, p.sha256, p.forced,
	p.published_by, p.published_at, p.accuracy
FROM sdc_private.publications() AS p;
COMMENT ON VIEW sdc_publications IS
	'the publications that the caller may read, or made of releases that he may know of';
