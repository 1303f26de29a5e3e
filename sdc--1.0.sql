/* sdc--1.0.sql: statistical disclosure control inside the database */

\echo Use "CREATE EXTENSION sdc" to load this file. \quit

----------------------------------------------------------------------
-- Plumbing
----------------------------------------------------------------------

-- What is no public interface is in a schema of its own, which belongs to the bootstrap superuser: nobody without his rights
-- can rename it, or add anything to it.  The schema that the extension is created in can be renamed by its owner, and another
-- one take its name, so nothing is ever looked up in that one by name: bodies of functions name pg_catalog and this schema,
-- and views know what they use by its OID.  Only what is below views can be executed by everybody, and nobody but
-- superusers can name it.  Functions in PL/pgSQL work with the rights of the bootstrap superuser, so that they may: they
-- look at no relation but the server's catalogs, and what they call in C works with the rights of the caller (sql/plumbing.c).
DO $schema$
BEGIN
	IF EXISTS (SELECT FROM pg_catalog.pg_namespace WHERE nspname OPERATOR(pg_catalog.=) 'sdc_private') THEN
		RAISE EXCEPTION USING ERRCODE = 'duplicate_schema', MESSAGE = 'schema "sdc_private" exists already',
			DETAIL = 'The extension makes a schema of this name for what is not for use, and takes none that somebody else has made.',
			HINT = 'Rename or drop it: ALTER SCHEMA sdc_private RENAME TO ..., as its owner or a superuser.';
	END IF;
END
$schema$;

CREATE SCHEMA sdc_private;
COMMENT ON SCHEMA sdc_private IS
	'tables and functions of extension sdc that are not for use';

----------------------------------------------------------------------
-- Catalog
----------------------------------------------------------------------

-- The tables belong to the bootstrap superuser, whoever creates the extension, so that nobody
-- else can put an index, a trigger, statistics, a rule, a policy or a column on them.  The functions
-- of the extension read and write them without SQL, after they have checked what the caller
-- may do; readers look at the view sdc_releases.
CREATE TABLE sdc_private.sdc_release_catalog (
	release regclass PRIMARY KEY,
	row_type regtype NOT NULL,	-- a later relation with the same OID has another
	source regclass NOT NULL,
	source_row_type regtype NOT NULL,
	method text NOT NULL,
	parameters jsonb NOT NULL,
	columns name[] NOT NULL,
	key name[] NOT NULL,
	strata name[] NOT NULL,
	omitted name[] NOT NULL,
	qi name[] NOT NULL,
	sensitive name[] NOT NULL,
	records bigint NOT NULL,
	checksum bytea NOT NULL,	-- keyed by the secret, of no use without
	made boolean NOT NULL,
	seeded boolean NOT NULL,
	stream_version int NOT NULL,
	draws int NOT NULL,	-- of the source that were known when this one was made, of mostly the same records
	seed bytea NOT NULL,	-- it and what else decides a draw, sealed as the checksum is; empty where nothing does
	created_by name NOT NULL,
	created_at timestamptz NOT NULL,
	written_by oid NOT NULL,	-- 0: by a function of the extension, else the role that restored it
	draw bigint NOT NULL DEFAULT 0,	-- releases of one draw have the same number; 0: it is not known
	named name[] NOT NULL DEFAULT '{}'	-- by number of the source's columns: their names in the release, '' of others
) USING heap;
COMMENT ON TABLE sdc_private.sdc_release_catalog IS
	'releases and how they were made; read it through the view sdc_releases';

-- Rows about temporary tables: a restore would not find these.
CREATE TABLE sdc_private.sdc_temporary_catalog (LIKE sdc_private.sdc_release_catalog INCLUDING INDEXES) USING heap;
COMMENT ON TABLE sdc_private.sdc_temporary_catalog IS
	'releases that are temporary or of temporary tables; not dumped';

-- What was published, of which release.
CREATE TABLE sdc_private.sdc_publication_catalog (
	publication regclass PRIMARY KEY,
	row_type regtype NOT NULL,
	release regclass NOT NULL,	-- 0: it is temporary, or was gone when a dump was made
	release_row_type regtype NOT NULL,
	mode text NOT NULL,
	columns name[] NOT NULL,
	kept name[] NOT NULL,
	records bigint NOT NULL,
	sha256 bytea NOT NULL,
	pages bytea NOT NULL,	-- what they were when they had this SHA-256, keyed, or empty
	forced boolean NOT NULL,
	published_by name NOT NULL,
	published_at timestamptz NOT NULL,
	written_by oid NOT NULL,
	source regclass NOT NULL DEFAULT 0::oid,	-- of the release, which may be gone; 0: it is not known
	source_row_type regtype NOT NULL DEFAULT 0::oid,
	draw bigint NOT NULL DEFAULT 0	-- that of the release when it was published
) USING heap;
COMMENT ON TABLE sdc_private.sdc_publication_catalog IS
	'tables that releases were published as; read it through the view sdc_publications';

-- What was measured of a release, the last time.
CREATE TABLE sdc_private.sdc_evaluation_catalog (
	release regclass PRIMARY KEY,
	row_type regtype NOT NULL,
	evaluated_at timestamptz NOT NULL,
	evaluated_by name NOT NULL,
	version text NOT NULL,	-- of the definitions
	known name[] NOT NULL,
	sample bigint NOT NULL,	-- 0: all records were attacked
	source_columns name[] NOT NULL,	-- that the states are of
	release_columns name[] NOT NULL,
	source_state bytea NOT NULL,	-- keyed by the secret, of no use without
	release_state bytea NOT NULL,
	source_pages bytea NOT NULL,	-- the same by their pages, or empty
	release_pages bytea NOT NULL,
	measures jsonb NOT NULL,
	written_by oid NOT NULL	-- 0: by a function of the extension, else the role that restored it
) USING heap;
COMMENT ON TABLE sdc_private.sdc_evaluation_catalog IS
	'what was measured of releases; read it through the views, such as sdc_scores';

CREATE TABLE sdc_private.sdc_temporary_evaluations (LIKE sdc_private.sdc_evaluation_catalog INCLUDING INDEXES) USING heap;
COMMENT ON TABLE sdc_private.sdc_temporary_evaluations IS
	'what was measured of temporary releases; not dumped';

-- What continued releases were made from, and how, in parts: who reads it can undo them.  Nobody has a right on it.
CREATE TABLE sdc_private.sdc_state_catalog (
	release regclass NOT NULL,
	row_type regtype NOT NULL,
	stream int NOT NULL,	-- 0: what there is
	part int NOT NULL,
	contents bytea NOT NULL,
	written_by oid NOT NULL,	-- 0: by a function of the extension, else the role that restored it
	PRIMARY KEY (release, stream, part)
) USING heap WITH (toast_tuple_target = 8160);	-- a part fills a page
ALTER TABLE sdc_private.sdc_state_catalog ALTER COLUMN contents SET STORAGE EXTERNAL;
COMMENT ON TABLE sdc_private.sdc_state_catalog IS
	'private states of continued releases: as secret as their sources';

CREATE TABLE sdc_private.sdc_temporary_states (LIKE sdc_private.sdc_state_catalog INCLUDING INDEXES INCLUDING STORAGE) USING heap
	WITH (toast_tuple_target = 8160);
COMMENT ON TABLE sdc_private.sdc_temporary_states IS
	'private states of temporary releases; not dumped';

-- The key of the checksums.  It is not dumped, and nobody has a right on it.
CREATE TABLE sdc_private.sdc_secret (secret bytea NOT NULL) USING heap;
COMMENT ON TABLE sdc_private.sdc_secret IS
	'key of the checksums in the catalog; not dumped, and of no use to anybody else';

INSERT INTO sdc_private.sdc_secret
SELECT pg_catalog.decode(pg_catalog.replace(pg_catalog.gen_random_uuid()::pg_catalog.text, '-', '')
	OPERATOR(pg_catalog.||) pg_catalog.replace(pg_catalog.gen_random_uuid()::pg_catalog.text, '-', ''), 'hex');

-- Who restores a dump adds rows, which are read as what he could have registered himself.
CREATE FUNCTION sdc_private.sdc_catalog_entered()
RETURNS trigger
AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION sdc_private.sdc_catalog_entered() IS
	'trigger of the tables of the extension: notes who restores a row';

CREATE TRIGGER sdc_entered BEFORE INSERT ON sdc_private.sdc_release_catalog
	FOR EACH ROW EXECUTE FUNCTION sdc_private.sdc_catalog_entered();
COMMENT ON TRIGGER sdc_entered ON sdc_private.sdc_release_catalog IS
	'notes who restores a row';

ALTER TABLE sdc_private.sdc_release_catalog ENABLE ALWAYS TRIGGER sdc_entered;

-- Policies: names in the place of OIDs, so that a dump restores them.
CREATE TABLE sdc_private.sdc_policy_catalog (
	policy name PRIMARY KEY,
	owner regrole NOT NULL,
	definition jsonb NOT NULL,
	written_by oid NOT NULL	-- 0: by a function of the extension, else the role that restored it
) USING heap;
COMMENT ON TABLE sdc_private.sdc_policy_catalog IS
	'how releases are made and published; read it through the view sdc_policies';

CREATE TRIGGER sdc_entered BEFORE INSERT ON sdc_private.sdc_policy_catalog
	FOR EACH ROW EXECUTE FUNCTION sdc_private.sdc_catalog_entered();
COMMENT ON TRIGGER sdc_entered ON sdc_private.sdc_policy_catalog IS
	'notes who restores a row';

ALTER TABLE sdc_private.sdc_policy_catalog ENABLE ALWAYS TRIGGER sdc_entered;

CREATE TRIGGER sdc_entered BEFORE INSERT ON sdc_private.sdc_publication_catalog
	FOR EACH ROW EXECUTE FUNCTION sdc_private.sdc_catalog_entered();
COMMENT ON TRIGGER sdc_entered ON sdc_private.sdc_publication_catalog IS
	'notes who restores a row';

ALTER TABLE sdc_private.sdc_publication_catalog ENABLE ALWAYS TRIGGER sdc_entered;

-- What has become of every run, and of what was published by hand.
CREATE TABLE sdc_private.sdc_run_log (
	run bigint PRIMARY KEY,
	policy name,
	owner name NOT NULL,	-- who may see it: the role of this name
	started_by name NOT NULL,
	started_at timestamptz NOT NULL,
	finished_at timestamptz,
	status text NOT NULL,
	reason text,
	approvers name[],	-- who may see it as well
	detail jsonb NOT NULL,
	written_by oid NOT NULL	-- 0: by a function of the extension, else the role that restored it
) USING heap;
CREATE INDEX sdc_run_log_policy ON sdc_private.sdc_run_log (policy);
COMMENT ON TABLE sdc_private.sdc_run_log IS
	'what was published, rejected and withdrawn; read it through the view sdc_runs';

CREATE TRIGGER sdc_entered BEFORE INSERT ON sdc_private.sdc_run_log
	FOR EACH ROW EXECUTE FUNCTION sdc_private.sdc_catalog_entered();
COMMENT ON TRIGGER sdc_entered ON sdc_private.sdc_run_log IS
	'notes who restores a row';

ALTER TABLE sdc_private.sdc_run_log ENABLE ALWAYS TRIGGER sdc_entered;

-- Not dumped: numbers that are taken are passed by.
CREATE SEQUENCE sdc_private.sdc_run_number;
COMMENT ON SEQUENCE sdc_private.sdc_run_number IS
	'numbers of runs';

CREATE TRIGGER sdc_entered BEFORE INSERT ON sdc_private.sdc_evaluation_catalog
	FOR EACH ROW EXECUTE FUNCTION sdc_private.sdc_catalog_entered();
COMMENT ON TRIGGER sdc_entered ON sdc_private.sdc_evaluation_catalog IS
	'notes who restores a row';

ALTER TABLE sdc_private.sdc_evaluation_catalog ENABLE ALWAYS TRIGGER sdc_entered;

-- A dump of the whole database has private states, as it has the sources.  A smaller one has not, unless it names this table:
-- pg_dump takes tables of an extension along with a schema that it dumps by itself, but not where the schema belongs to the
-- extension.  What is dumped of this table is what whoever dumps may read of the others, and what is restored goes there.  It
-- is always empty.  Who has a right on it has none on private states.
CREATE TABLE sdc_private.sdc_state_dump (LIKE sdc_private.sdc_state_catalog, CONSTRAINT sdc_entered_is_disabled CHECK (false)) USING heap;
COMMENT ON TABLE sdc_private.sdc_state_dump IS
	'private states of releases in a dump; always empty';

CREATE FUNCTION sdc_private.sdc_state_entered()
RETURNS trigger
AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION sdc_private.sdc_state_entered() IS
	'trigger of the table by which private states are restored: has a row go where they are kept';

CREATE TRIGGER sdc_entered BEFORE INSERT ON sdc_private.sdc_state_dump
	FOR EACH ROW EXECUTE FUNCTION sdc_private.sdc_state_entered();
COMMENT ON TRIGGER sdc_entered ON sdc_private.sdc_state_dump IS
	'has a row go where private states are kept';

ALTER TABLE sdc_private.sdc_state_dump ENABLE ALWAYS TRIGGER sdc_entered;

-- What was secret goes with the release, and not only when the next one is made.
CREATE FUNCTION sdc_private.sdc_state_dropped()
RETURNS event_trigger
AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION sdc_private.sdc_state_dropped() IS
	'event trigger: has private states go with the releases that were dropped';

CREATE EVENT TRIGGER sdc_state_dropped ON sql_drop
	EXECUTE FUNCTION sdc_private.sdc_state_dropped();
ALTER EVENT TRIGGER sdc_state_dropped ENABLE ALWAYS;
COMMENT ON EVENT TRIGGER sdc_state_dropped IS
	'has private states go with the releases that were dropped';

-- In this schema too: nobody can add a function to it that would be taken for this one.
CREATE FUNCTION sdc_private.state_dump()
RETURNS TABLE (release regclass, row_type regtype, stream int, part int, contents bytea, written_by oid)
AS 'MODULE_PATHNAME', 'sdc_private_state_dump' LANGUAGE C STABLE PARALLEL RESTRICTED COST 10000 ROWS 1000;
COMMENT ON FUNCTION sdc_private.state_dump() IS
	'the private states of releases whose owner''s rights the caller has, or of all for who may read all tables, for pg_dump';

SELECT pg_catalog.pg_extension_config_dump('sdc_private.sdc_state_dump',
	'WHERE false UNION ALL SELECT s.* FROM sdc_private.state_dump() AS s');

-- Without a filter: with one, pg_dump would have the server plan a SELECT.
SELECT pg_catalog.pg_extension_config_dump('sdc_private.sdc_policy_catalog', '');
SELECT pg_catalog.pg_extension_config_dump('sdc_private.sdc_run_log', '');
SELECT pg_catalog.pg_extension_config_dump('sdc_private.sdc_release_catalog', '');
SELECT pg_catalog.pg_extension_config_dump('sdc_private.sdc_publication_catalog', '');
SELECT pg_catalog.pg_extension_config_dump('sdc_private.sdc_evaluation_catalog', '');

----------------------------------------------------------------------
-- Protect
----------------------------------------------------------------------

-- Every method has a form for a table's name and one for its OID, which write a release and return what
-- happened to every column; and where the types stay, one for its row type, which returns the protected
-- rows and stores nothing.  All are VOLATILE, as they write or draw fresh randomness, and PARALLEL UNSAFE,
-- as they read and write tables.  A parameter that decides how much is protected has no default: its
-- DEFAULT NULL is an error that says how to choose.
--
-- COST 1000000, here and below, is about the reading of a table of some thousand records: a plan should
-- filter and join first.  What is called for every row has a COST that was measured, in additions of integers.
-- ROWS is the size of a report, or 10000 where there is a row for every record.
CREATE FUNCTION sdc_rankswap(relation text, p float8 DEFAULT NULL,
	columns name[] DEFAULT NULL, target text DEFAULT NULL, key name[] DEFAULT NULL,
	strata name[] DEFAULT NULL, omit name[] DEFAULT NULL, keep name[] DEFAULT NULL, seed "any" DEFAULT NULL,
	replace boolean DEFAULT false,
	continued boolean DEFAULT false, min_changes int DEFAULT NULL, min_departures int DEFAULT NULL,
	erase_within interval DEFAULT NULL)
RETURNS TABLE (release regclass, attribute name, action text, method text,
	records bigint, changed bigint, changed_percent float8, kept bigint, drawn bigint,
	waiting bigint, widows bigint, beyond float8, largest float8)
AS 'MODULE_PATHNAME', 'sdc_rankswap_text'
LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 20;
COMMENT ON FUNCTION sdc_rankswap(text, float8, name[], text, name[], name[], name[], name[], "any", boolean, boolean, int, int, interval) IS
	'protects a table by rank swapping: every value changes places with one that is at most p percent of the ranks away; writes a release (needs relation, p)';

CREATE FUNCTION sdc_rankswap(relation regclass, p float8 DEFAULT NULL,
	columns name[] DEFAULT NULL, target text DEFAULT NULL, key name[] DEFAULT NULL,
	strata name[] DEFAULT NULL, omit name[] DEFAULT NULL, keep name[] DEFAULT NULL, seed "any" DEFAULT NULL,
	replace boolean DEFAULT false,
	continued boolean DEFAULT false, min_changes int DEFAULT NULL, min_departures int DEFAULT NULL,
	erase_within interval DEFAULT NULL)
RETURNS TABLE (release regclass, attribute name, action text, method text,
	records bigint, changed bigint, changed_percent float8, kept bigint, drawn bigint,
	waiting bigint, widows bigint, beyond float8, largest float8)
AS 'MODULE_PATHNAME', 'sdc_rankswap_regclass'
LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 20;
COMMENT ON FUNCTION sdc_rankswap(regclass, float8, name[], text, name[], name[], name[], name[], "any", boolean, boolean, int, int, interval) IS
	'protects a table by rank swapping: every value changes places with one that is at most p percent of the ranks away; writes a release (needs relation, p)';

CREATE FUNCTION sdc_rankswap(row_type anyelement, p float8 DEFAULT NULL,
	columns name[] DEFAULT NULL, key name[] DEFAULT NULL,
	strata name[] DEFAULT NULL, omit name[] DEFAULT NULL, keep name[] DEFAULT NULL, seed "any" DEFAULT NULL)
RETURNS SETOF anyelement
AS 'MODULE_PATHNAME', 'sdc_rankswap_rows'
LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 10000;
COMMENT ON FUNCTION sdc_rankswap(anyelement, float8, name[], name[], name[], name[], name[], "any") IS
	'the rows of a table, protected by rank swapping; stores nothing (needs row_type, p)';

CREATE FUNCTION sdc_rankswap_distribution(relation text, p float8 DEFAULT NULL,
	columns name[] DEFAULT NULL, target text DEFAULT NULL, key name[] DEFAULT NULL,
	strata name[] DEFAULT NULL, omit name[] DEFAULT NULL, keep name[] DEFAULT NULL, seed "any" DEFAULT NULL,
	replace boolean DEFAULT false,
	continued boolean DEFAULT false, min_changes int DEFAULT NULL, min_departures int DEFAULT NULL,
	erase_within interval DEFAULT NULL)
RETURNS TABLE (release regclass, attribute name, action text, method text,
	records bigint, changed bigint, changed_percent float8, kept bigint, drawn bigint,
	waiting bigint, widows bigint, beyond float8, largest float8)
AS 'MODULE_PATHNAME', 'sdc_rankswap_distribution_text'
LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 20;
COMMENT ON FUNCTION sdc_rankswap_distribution(text, float8, name[], text, name[], name[], name[], name[], "any", boolean, boolean, int, int, interval) IS
	'protects a table by rank swapping p-distribution: how far a value moves in the ranks is normally distributed; writes a release (needs relation, p)';

CREATE FUNCTION sdc_rankswap_distribution(relation regclass, p float8 DEFAULT NULL,
	columns name[] DEFAULT NULL, target text DEFAULT NULL, key name[] DEFAULT NULL,
	strata name[] DEFAULT NULL, omit name[] DEFAULT NULL, keep name[] DEFAULT NULL, seed "any" DEFAULT NULL,
	replace boolean DEFAULT false,
	continued boolean DEFAULT false, min_changes int DEFAULT NULL, min_departures int DEFAULT NULL,
	erase_within interval DEFAULT NULL)
RETURNS TABLE (release regclass, attribute name, action text, method text,
	records bigint, changed bigint, changed_percent float8, kept bigint, drawn bigint,
	waiting bigint, widows bigint, beyond float8, largest float8)
AS 'MODULE_PATHNAME', 'sdc_rankswap_distribution_regclass'
LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 20;
COMMENT ON FUNCTION sdc_rankswap_distribution(regclass, float8, name[], text, name[], name[], name[], name[], "any", boolean, boolean, int, int, interval) IS
	'protects a table by rank swapping p-distribution: how far a value moves in the ranks is normally distributed; writes a release (needs relation, p)';

CREATE FUNCTION sdc_rankswap_distribution(row_type anyelement, p float8 DEFAULT NULL,
	columns name[] DEFAULT NULL, key name[] DEFAULT NULL,
	strata name[] DEFAULT NULL, omit name[] DEFAULT NULL, keep name[] DEFAULT NULL, seed "any" DEFAULT NULL)
RETURNS SETOF anyelement
AS 'MODULE_PATHNAME', 'sdc_rankswap_distribution_rows'
LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 10000;
COMMENT ON FUNCTION sdc_rankswap_distribution(anyelement, float8, name[], name[], name[], name[], name[], "any") IS
	'the rows of a table, protected by rank swapping p-distribution; stores nothing (needs row_type, p)';

CREATE FUNCTION sdc_rankswap_buckets(relation text, buckets int DEFAULT NULL,
	columns name[] DEFAULT NULL, target text DEFAULT NULL, key name[] DEFAULT NULL,
	strata name[] DEFAULT NULL, omit name[] DEFAULT NULL, keep name[] DEFAULT NULL, seed "any" DEFAULT NULL,
	replace boolean DEFAULT false,
	continued boolean DEFAULT false, min_changes int DEFAULT NULL, min_departures int DEFAULT NULL,
	erase_within interval DEFAULT NULL)
RETURNS TABLE (release regclass, attribute name, action text, method text,
	records bigint, changed bigint, changed_percent float8, kept bigint, drawn bigint,
	waiting bigint, widows bigint, beyond float8, largest float8)
AS 'MODULE_PATHNAME', 'sdc_rankswap_buckets_text'
LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 20;
COMMENT ON FUNCTION sdc_rankswap_buckets(text, int, name[], text, name[], name[], name[], name[], "any", boolean, boolean, int, int, interval) IS
	'protects a table by rank swapping p-buckets: the ranks are cut into buckets, and values change places within their bucket or with another one; writes a release (needs relation, buckets)';

CREATE FUNCTION sdc_rankswap_buckets(relation regclass, buckets int DEFAULT NULL,
	columns name[] DEFAULT NULL, target text DEFAULT NULL, key name[] DEFAULT NULL,
	strata name[] DEFAULT NULL, omit name[] DEFAULT NULL, keep name[] DEFAULT NULL, seed "any" DEFAULT NULL,
	replace boolean DEFAULT false,
	continued boolean DEFAULT false, min_changes int DEFAULT NULL, min_departures int DEFAULT NULL,
	erase_within interval DEFAULT NULL)
RETURNS TABLE (release regclass, attribute name, action text, method text,
	records bigint, changed bigint, changed_percent float8, kept bigint, drawn bigint,
	waiting bigint, widows bigint, beyond float8, largest float8)
AS 'MODULE_PATHNAME', 'sdc_rankswap_buckets_regclass'
LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 20;
COMMENT ON FUNCTION sdc_rankswap_buckets(regclass, int, name[], text, name[], name[], name[], name[], "any", boolean, boolean, int, int, interval) IS
	'protects a table by rank swapping p-buckets: the ranks are cut into buckets, and values change places within their bucket or with another one; writes a release (needs relation, buckets)';

CREATE FUNCTION sdc_rankswap_buckets(row_type anyelement, buckets int DEFAULT NULL,
	columns name[] DEFAULT NULL, key name[] DEFAULT NULL,
	strata name[] DEFAULT NULL, omit name[] DEFAULT NULL, keep name[] DEFAULT NULL, seed "any" DEFAULT NULL)
RETURNS SETOF anyelement
AS 'MODULE_PATHNAME', 'sdc_rankswap_buckets_rows'
LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 10000;
COMMENT ON FUNCTION sdc_rankswap_buckets(anyelement, int, name[], name[], name[], name[], name[], "any") IS
	'the rows of a table, protected by rank swapping p-buckets; stores nothing (needs row_type, buckets)';

CREATE FUNCTION sdc_equidepth_swap(relation text, depth int DEFAULT NULL, complement text DEFAULT 'copy',
	columns name[] DEFAULT NULL,
	target text DEFAULT NULL, key name[] DEFAULT NULL, strata name[] DEFAULT NULL,
	omit name[] DEFAULT NULL, keep name[] DEFAULT NULL, seed "any" DEFAULT NULL, replace boolean DEFAULT false)
RETURNS TABLE (release regclass, attribute name, action text, method text,
	records bigint, changed bigint, changed_percent float8, bins bigint, single_bins bigint)
AS 'MODULE_PATHNAME', 'sdc_equidepth_swap_text'
LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 20;
COMMENT ON FUNCTION sdc_equidepth_swap(text, int, text, name[], text, name[], name[], name[], name[], "any", boolean) IS
	'protects a table by multivariate equi-depth swapping: columns move jointly, in bins of at least depth near records; writes a release (needs relation, depth)';

CREATE FUNCTION sdc_equidepth_swap(relation regclass, depth int DEFAULT NULL, complement text DEFAULT 'copy',
	columns name[] DEFAULT NULL,
	target text DEFAULT NULL, key name[] DEFAULT NULL, strata name[] DEFAULT NULL,
	omit name[] DEFAULT NULL, keep name[] DEFAULT NULL, seed "any" DEFAULT NULL, replace boolean DEFAULT false)
RETURNS TABLE (release regclass, attribute name, action text, method text,
	records bigint, changed bigint, changed_percent float8, bins bigint, single_bins bigint)
AS 'MODULE_PATHNAME', 'sdc_equidepth_swap_regclass'
LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 20;
COMMENT ON FUNCTION sdc_equidepth_swap(regclass, int, text, name[], text, name[], name[], name[], name[], "any", boolean) IS
	'protects a table by multivariate equi-depth swapping: columns move jointly, in bins of at least depth near records; writes a release (needs relation, depth)';

CREATE FUNCTION sdc_equidepth_swap(row_type anyelement, depth int DEFAULT NULL, complement text DEFAULT 'copy',
	columns name[] DEFAULT NULL,
	key name[] DEFAULT NULL, strata name[] DEFAULT NULL, omit name[] DEFAULT NULL, keep name[] DEFAULT NULL,
	seed "any" DEFAULT NULL)
RETURNS SETOF anyelement
AS 'MODULE_PATHNAME', 'sdc_equidepth_swap_rows'
LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 10000;
COMMENT ON FUNCTION sdc_equidepth_swap(anyelement, int, text, name[], name[], name[], name[], name[], "any") IS
	'the rows of a table, protected by multivariate equi-depth swapping; stores nothing (needs row_type, depth)';

CREATE FUNCTION sdc_equiwidth_swap(relation text, intervals int DEFAULT NULL,
	widths float8[] DEFAULT NULL, complement text DEFAULT 'copy',
	columns name[] DEFAULT NULL,
	target text DEFAULT NULL, key name[] DEFAULT NULL, strata name[] DEFAULT NULL,
	omit name[] DEFAULT NULL, keep name[] DEFAULT NULL, seed "any" DEFAULT NULL, replace boolean DEFAULT false)
RETURNS TABLE (release regclass, attribute name, action text, method text,
	records bigint, changed bigint, changed_percent float8, bins bigint, single_bins bigint)
AS 'MODULE_PATHNAME', 'sdc_equiwidth_swap_text'
LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 20;
COMMENT ON FUNCTION sdc_equiwidth_swap(text, int, float8[], text, name[], text, name[], name[], name[], name[], "any", boolean) IS
	'protects a table by multivariate equi-width swapping: columns move jointly, in the boxes of a grid; writes a release (needs relation, and intervals or widths)';

CREATE FUNCTION sdc_equiwidth_swap(relation regclass, intervals int DEFAULT NULL,
	widths float8[] DEFAULT NULL, complement text DEFAULT 'copy',
	columns name[] DEFAULT NULL,
	target text DEFAULT NULL, key name[] DEFAULT NULL, strata name[] DEFAULT NULL,
	omit name[] DEFAULT NULL, keep name[] DEFAULT NULL, seed "any" DEFAULT NULL, replace boolean DEFAULT false)
RETURNS TABLE (release regclass, attribute name, action text, method text,
	records bigint, changed bigint, changed_percent float8, bins bigint, single_bins bigint)
AS 'MODULE_PATHNAME', 'sdc_equiwidth_swap_regclass'
LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 20;
COMMENT ON FUNCTION sdc_equiwidth_swap(regclass, int, float8[], text, name[], text, name[], name[], name[], name[], "any", boolean) IS
	'protects a table by multivariate equi-width swapping: columns move jointly, in the boxes of a grid; writes a release (needs relation, and intervals or widths)';

CREATE FUNCTION sdc_equiwidth_swap(row_type anyelement, intervals int DEFAULT NULL,
	widths float8[] DEFAULT NULL, complement text DEFAULT 'copy',
	columns name[] DEFAULT NULL,
	key name[] DEFAULT NULL, strata name[] DEFAULT NULL, omit name[] DEFAULT NULL, keep name[] DEFAULT NULL,
	seed "any" DEFAULT NULL)
RETURNS SETOF anyelement
AS 'MODULE_PATHNAME', 'sdc_equiwidth_swap_rows'
LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 10000;
COMMENT ON FUNCTION sdc_equiwidth_swap(anyelement, int, float8[], text, name[], name[], name[], name[], name[], "any") IS
	'the rows of a table, protected by multivariate equi-width swapping; stores nothing (needs row_type, and intervals or widths)';

CREATE FUNCTION sdc_randomize(relation text, qi name[], draws int DEFAULT NULL,
	probabilities float8[] DEFAULT NULL,
	target text DEFAULT NULL, key name[] DEFAULT NULL,
	strata name[] DEFAULT NULL, omit name[] DEFAULT NULL, keep name[] DEFAULT NULL, seed "any" DEFAULT NULL,
	replace boolean DEFAULT false, continued boolean DEFAULT false)
RETURNS TABLE (release regclass, attribute name, action text, method text,
	records bigint, changed bigint, changed_percent float8, kept bigint, drawn bigint,
	waiting bigint, widows bigint, beyond float8, largest float8)
AS 'MODULE_PATHNAME', 'sdc_randomize_text'
LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 20;
COMMENT ON FUNCTION sdc_randomize(text, name[], int, float8[], text, name[], name[], name[], name[], "any", boolean, boolean) IS
	'protects a table by random anonymization: in every record one quasi-identifier (RA 1), or as many as draws says (RA 2), gets a value drawn from the distribution of the column; writes a release (needs relation, qi)';

CREATE FUNCTION sdc_randomize(relation regclass, qi name[], draws int DEFAULT NULL,
	probabilities float8[] DEFAULT NULL,
	target text DEFAULT NULL, key name[] DEFAULT NULL,
	strata name[] DEFAULT NULL, omit name[] DEFAULT NULL, keep name[] DEFAULT NULL, seed "any" DEFAULT NULL,
	replace boolean DEFAULT false, continued boolean DEFAULT false)
RETURNS TABLE (release regclass, attribute name, action text, method text,
	records bigint, changed bigint, changed_percent float8, kept bigint, drawn bigint,
	waiting bigint, widows bigint, beyond float8, largest float8)
AS 'MODULE_PATHNAME', 'sdc_randomize_regclass'
LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 20;
COMMENT ON FUNCTION sdc_randomize(regclass, name[], int, float8[], text, name[], name[], name[], name[], "any", boolean, boolean) IS
	'protects a table by random anonymization: in every record one quasi-identifier (RA 1), or as many as draws says (RA 2), gets a value drawn from the distribution of the column; writes a release (needs relation, qi)';

CREATE FUNCTION sdc_randomize(row_type anyelement, qi name[], draws int DEFAULT NULL,
	probabilities float8[] DEFAULT NULL,
	key name[] DEFAULT NULL,
	strata name[] DEFAULT NULL, omit name[] DEFAULT NULL, keep name[] DEFAULT NULL, seed "any" DEFAULT NULL)
RETURNS SETOF anyelement
AS 'MODULE_PATHNAME', 'sdc_randomize_rows'
LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 10000;
COMMENT ON FUNCTION sdc_randomize(anyelement, name[], int, float8[], name[], name[], name[], name[], "any") IS
	'the rows of a table, protected by random anonymization; stores nothing (needs row_type, qi)';

CREATE FUNCTION sdc_permute(relation text, qi name[], sensitive name[], l float8 DEFAULT NULL,
	grouping_method text DEFAULT 'anatomy', force boolean DEFAULT false,
	target text DEFAULT NULL, key name[] DEFAULT NULL,
	strata name[] DEFAULT NULL, omit name[] DEFAULT NULL, keep name[] DEFAULT NULL, seed "any" DEFAULT NULL,
	replace boolean DEFAULT false)
RETURNS TABLE (release regclass, attribute name, action text, method text,
	records bigint, changed bigint, changed_percent float8)
AS 'MODULE_PATHNAME', 'sdc_permute_text'
LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 20;
COMMENT ON FUNCTION sdc_permute(text, name[], name[], float8, text, boolean, text, name[], name[], name[], name[], "any", boolean) IS
	'protects a table by permutation: the values of the sensitive column change places within diverse groups, by Anatomy or Mondrian; writes a release and two views (needs relation, qi, sensitive, l)';

CREATE FUNCTION sdc_permute(relation regclass, qi name[], sensitive name[], l float8 DEFAULT NULL,
	grouping_method text DEFAULT 'anatomy', force boolean DEFAULT false,
	target text DEFAULT NULL, key name[] DEFAULT NULL,
	strata name[] DEFAULT NULL, omit name[] DEFAULT NULL, keep name[] DEFAULT NULL, seed "any" DEFAULT NULL,
	replace boolean DEFAULT false)
RETURNS TABLE (release regclass, attribute name, action text, method text,
	records bigint, changed bigint, changed_percent float8)
AS 'MODULE_PATHNAME', 'sdc_permute_regclass'
LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 20;
COMMENT ON FUNCTION sdc_permute(regclass, name[], name[], float8, text, boolean, text, name[], name[], name[], name[], "any", boolean) IS
	'protects a table by permutation: the values of the sensitive column change places within diverse groups, by Anatomy or Mondrian; writes a release and two views (needs relation, qi, sensitive, l)';

CREATE FUNCTION sdc_permute(row_type anyelement, qi name[], sensitive name[], l float8 DEFAULT NULL,
	grouping_method text DEFAULT 'anatomy', force boolean DEFAULT false,
	key name[] DEFAULT NULL,
	strata name[] DEFAULT NULL, omit name[] DEFAULT NULL, keep name[] DEFAULT NULL, seed "any" DEFAULT NULL)
RETURNS SETOF anyelement
AS 'MODULE_PATHNAME', 'sdc_permute_rows'
LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 10000;
COMMENT ON FUNCTION sdc_permute(anyelement, name[], name[], float8, text, boolean, name[], name[], name[], name[], "any") IS
	'the rows of a table, with the sensitive column permuted within diverse groups; stores nothing (needs row_type, qi, sensitive, l)';

-- The types change, so there is no form for the row type; nothing is drawn, so there is no seed.
CREATE FUNCTION sdc_generalize(relation text, qi name[], sensitive name[] DEFAULT NULL,
	l float8 DEFAULT NULL, k int DEFAULT NULL,
	target text DEFAULT NULL, key name[] DEFAULT NULL,
	strata name[] DEFAULT NULL, omit name[] DEFAULT NULL, keep name[] DEFAULT NULL, replace boolean DEFAULT false)
RETURNS TABLE (release regclass, attribute name, action text, method text,
	records bigint, changed bigint, changed_percent float8)
AS 'MODULE_PATHNAME', 'sdc_generalize_text'
LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 20;
COMMENT ON FUNCTION sdc_generalize(text, name[], name[], float8, int, text, name[], name[], name[], name[], boolean) IS
	'protects a table by generalization: Mondrian makes groups that have k records or are l-diverse, and gives each of them ranges and sets of values; writes a release (needs relation, qi, and k, or sensitive and l)';

CREATE FUNCTION sdc_generalize(relation regclass, qi name[], sensitive name[] DEFAULT NULL,
	l float8 DEFAULT NULL, k int DEFAULT NULL,
	target text DEFAULT NULL, key name[] DEFAULT NULL,
	strata name[] DEFAULT NULL, omit name[] DEFAULT NULL, keep name[] DEFAULT NULL, replace boolean DEFAULT false)
RETURNS TABLE (release regclass, attribute name, action text, method text,
	records bigint, changed bigint, changed_percent float8)
AS 'MODULE_PATHNAME', 'sdc_generalize_regclass'
LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 20;
COMMENT ON FUNCTION sdc_generalize(regclass, name[], name[], float8, int, text, name[], name[], name[], name[], boolean) IS
	'protects a table by generalization: Mondrian makes groups that have k records or are l-diverse, and gives each of them ranges and sets of values; writes a release (needs relation, qi, and k, or sensitive and l)';

-- What a range of a generalized column is compared with.
CREATE FUNCTION sdc_numeric(value float4)
RETURNS numeric
AS 'MODULE_PATHNAME', 'sdc_numeric_float4' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sdc_numeric(float4) IS
	'a value as the ranges of a generalized column have it: the shortest decimal number that stands for it (needs value)';

CREATE FUNCTION sdc_numeric(value float8)
RETURNS numeric
AS 'MODULE_PATHNAME', 'sdc_numeric_float8' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sdc_numeric(float8) IS
	'a value as the ranges of a generalized column have it: the shortest decimal number that stands for it (needs value)';

-- A numeric is not made a float8 first.
CREATE FUNCTION sdc_numeric(value numeric)
RETURNS numeric
AS 'MODULE_PATHNAME', 'sdc_numeric_same' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sdc_numeric(numeric) IS
	'a value as the ranges of a generalized column have it: the value itself (needs value)';

-- What a generalized column has, as a person would write it.  Dates and times are written as the settings say.
CREATE FUNCTION sdc_label(value anyrange, separator text DEFAULT NULL)
RETURNS text
AS 'MODULE_PATHNAME', 'sdc_label_range' LANGUAGE C STABLE PARALLEL SAFE;
COMMENT ON FUNCTION sdc_label(anyrange, text) IS
	'a range as a person would write it, for files (needs value)';

CREATE FUNCTION sdc_label(value anyarray, separator text DEFAULT NULL)
RETURNS text
AS 'MODULE_PATHNAME', 'sdc_label_array' LANGUAGE C STABLE PARALLEL SAFE;
COMMENT ON FUNCTION sdc_label(anyarray, text) IS
	'a set of values as a person would write it, for files (needs value)';

CREATE FUNCTION sdc_label(value text)
RETURNS text
AS 'MODULE_PATHNAME', 'sdc_label_text' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sdc_label(text) IS
	'a text that no spreadsheet takes for a formula, for files (needs value)';

CREATE FUNCTION sdc_protect(relation text, steps jsonb,
	target text DEFAULT NULL, key name[] DEFAULT NULL,
	strata name[] DEFAULT NULL, omit name[] DEFAULT NULL, keep name[] DEFAULT NULL, seed "any" DEFAULT NULL,
	replace boolean DEFAULT false)
RETURNS TABLE (release regclass, attribute name, action text, method text,
	records bigint, changed bigint, changed_percent float8, bins bigint, single_bins bigint, kept bigint, drawn bigint,
	waiting bigint, widows bigint, beyond float8, largest float8)
AS 'MODULE_PATHNAME', 'sdc_protect_text'
LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 20;
COMMENT ON FUNCTION sdc_protect(text, jsonb, text, name[], name[], name[], name[], "any", boolean) IS
	'protects a table by several methods, each for its columns; writes a release (needs relation, steps)';

CREATE FUNCTION sdc_protect(relation regclass, steps jsonb,
	target text DEFAULT NULL, key name[] DEFAULT NULL,
	strata name[] DEFAULT NULL, omit name[] DEFAULT NULL, keep name[] DEFAULT NULL, seed "any" DEFAULT NULL,
	replace boolean DEFAULT false)
RETURNS TABLE (release regclass, attribute name, action text, method text,
	records bigint, changed bigint, changed_percent float8, bins bigint, single_bins bigint, kept bigint, drawn bigint,
	waiting bigint, widows bigint, beyond float8, largest float8)
AS 'MODULE_PATHNAME', 'sdc_protect_regclass'
LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 20;
COMMENT ON FUNCTION sdc_protect(regclass, jsonb, text, name[], name[], name[], name[], "any", boolean) IS
	'protects a table by several methods, each for its columns; writes a release (needs relation, steps)';

CREATE FUNCTION sdc_protect(row_type anyelement, steps jsonb, key name[] DEFAULT NULL,
	strata name[] DEFAULT NULL, omit name[] DEFAULT NULL, keep name[] DEFAULT NULL, seed "any" DEFAULT NULL)
RETURNS SETOF anyelement
AS 'MODULE_PATHNAME', 'sdc_protect_rows'
LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 10000;
COMMENT ON FUNCTION sdc_protect(anyelement, jsonb, name[], name[], name[], name[], "any") IS
	'the rows of a table, protected by several methods, each for its columns; stores nothing (needs row_type, steps)';

----------------------------------------------------------------------
-- Protect: releases that are continued
----------------------------------------------------------------------

CREATE FUNCTION sdc_pending(release regclass)
RETURNS TABLE (kind text, attribute name, records bigint, since timestamptz)
AS 'MODULE_PATHNAME'
LANGUAGE C STABLE PARALLEL UNSAFE COST 10000 ROWS 10;
COMMENT ON FUNCTION sdc_pending(regclass) IS
	'what waits in a release that is continued: newcomers, changed values, cells without a partner, and since when (needs release)';

----------------------------------------------------------------------
-- Protect: window functions
----------------------------------------------------------------------

-- VOLATILE: without a seed every call draws anew.
CREATE FUNCTION sdc_rankswap_over(value anyelement, p float8, seed "any" DEFAULT NULL)
RETURNS anyelement
AS 'MODULE_PATHNAME' LANGUAGE C WINDOW VOLATILE PARALLEL SAFE COST 25;
COMMENT ON FUNCTION sdc_rankswap_over(anyelement, float8, "any") IS
	'window function: the values of the partition, rank swapped (needs value, p)';

CREATE FUNCTION sdc_rankswap_distribution_over(value anyelement, p float8, seed "any" DEFAULT NULL)
RETURNS anyelement
AS 'MODULE_PATHNAME' LANGUAGE C WINDOW VOLATILE PARALLEL SAFE COST 25;
COMMENT ON FUNCTION sdc_rankswap_distribution_over(anyelement, float8, "any") IS
	'window function: the values of the partition, rank swapped by p-distribution (needs value, p)';

CREATE FUNCTION sdc_rankswap_buckets_over(value anyelement, buckets int, seed "any" DEFAULT NULL)
RETURNS anyelement
AS 'MODULE_PATHNAME' LANGUAGE C WINDOW VOLATILE PARALLEL SAFE COST 25;
COMMENT ON FUNCTION sdc_rankswap_buckets_over(anyelement, int, "any") IS
	'window function: the values of the partition, rank swapped by p-buckets (needs value, buckets)';

----------------------------------------------------------------------
-- Classify and register
----------------------------------------------------------------------

CREATE FUNCTION sdc_classify(relation regclass, attribute name, role text)
RETURNS void
AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 10000;
COMMENT ON FUNCTION sdc_classify(regclass, name, text) IS
	'classifies a column as identifier, quasi-identifier, sensitive or public; a null role takes it back (needs relation, attribute, role)';

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
	'what is below the view sdc_attributes';

CREATE VIEW sdc_attributes WITH (security_invoker = true) AS
SELECT a.relation, a.attribute, a.role FROM sdc_private.sdc_attributes AS a;
COMMENT ON VIEW sdc_attributes IS
	'the columns with a role, their own or that of the column they come from, of the relations that the caller may read';

CREATE FUNCTION sdc_register(source regclass, release regclass, columns name[] DEFAULT NULL,
	key name[] DEFAULT NULL, method text DEFAULT 'external', parameters jsonb DEFAULT '{}',
	qi name[] DEFAULT NULL, sensitive name[] DEFAULT NULL, steps jsonb DEFAULT NULL)
RETURNS void
AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000;
COMMENT ON FUNCTION sdc_register(regclass, regclass, name[], name[], text, jsonb, name[], name[], jsonb) IS
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

----------------------------------------------------------------------
-- Risk
----------------------------------------------------------------------

-- What may draw a sample is VOLATILE, the rest STABLE.  All that read tables are PARALLEL UNSAFE, as they
-- change settings while they do.
CREATE FUNCTION sdc_people_found(release regclass, known name[] DEFAULT NULL,
	everybody boolean DEFAULT false, sample bigint DEFAULT NULL, seed "any" DEFAULT NULL)
RETURNS TABLE (attack text, found float8, percent float8, low float8, high float8,
	single bigint, certain bigint)
AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 8;
COMMENT ON FUNCTION sdc_people_found(regclass, name[], boolean, bigint, "any") IS
	'how many people an intruder finds by all columns of a release, and how many for certain (needs release)';

CREATE FUNCTION sdc_link_release(release regclass, known name[] DEFAULT NULL,
	everybody boolean DEFAULT false, sample bigint DEFAULT NULL, seed "any" DEFAULT NULL)
RETURNS TABLE (record text, candidates bigint, linked text, ties bigint, correct boolean,
	certain boolean)
AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 10000;
COMMENT ON FUNCTION sdc_link_release(regclass, name[], boolean, bigint, "any") IS
	'links every original record to the nearest of those that it can have become, by all columns of a release (needs release)';

CREATE FUNCTION sdc_link_distance(release regclass, known name[] DEFAULT NULL,
	metric text DEFAULT 'euclidean', sample bigint DEFAULT NULL, seed "any" DEFAULT NULL)
RETURNS TABLE (record text, linked text, correct boolean, ties bigint, distance float8)
AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 10000;
COMMENT ON FUNCTION sdc_link_distance(regclass, name[], text, bigint, "any") IS
	'distance based record linkage: links every original record to the nearest protected one (needs release)';

CREATE FUNCTION sdc_link_probabilistic(release regclass, known name[] DEFAULT NULL,
	assignment text DEFAULT 'nearest', sample bigint DEFAULT NULL, seed "any" DEFAULT NULL)
RETURNS TABLE (record text, linked text, correct boolean, ties bigint, weight float8)
AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 10000;
COMMENT ON FUNCTION sdc_link_probabilistic(regclass, name[], text, bigint, "any") IS
	'probabilistic record linkage: links every original record by the agreement of its values (needs release)';

CREATE FUNCTION sdc_link_rankswap(release regclass, p float8 DEFAULT NULL,
	known name[] DEFAULT NULL, mode text DEFAULT 'intersection',
	sample bigint DEFAULT NULL, seed "any" DEFAULT NULL)
RETURNS TABLE (record text, linked text, correct boolean, ties bigint, candidates bigint,
	distance float8, windows int)
AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 10000;
COMMENT ON FUNCTION sdc_link_rankswap(regclass, float8, name[], text, bigint, "any") IS
	'rank swapping record linkage: links every original record by the windows of ranks that rank swapping leaves (needs release)';

CREATE FUNCTION sdc_link_releases(releases regclass[], known name[] DEFAULT NULL,
	sources regclass[] DEFAULT NULL, p float8 DEFAULT NULL, sensitive name[] DEFAULT NULL)
RETURNS TABLE (attack text, release regclass, targets bigint, percent float8, candidates float8,
	inside float8, guess float8, error float8, wrong float8)
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 100;
COMMENT ON FUNCTION sdc_link_releases(regclass[], name[], regclass[], float8, name[]) IS
	'what several releases of a table tell together, and each alone: averages, windows, movements and what candidates have in common (needs releases)';

CREATE FUNCTION sdc_compare_releases(before regclass, after regclass, known name[] DEFAULT NULL,
	sources regclass[] DEFAULT NULL, linkable boolean DEFAULT true, p float8 DEFAULT NULL)
RETURNS TABLE (attribute name, side text, appeared bigint, vanished bigint, cells bigint,
	exposed bigint, guess float8, holders bigint, partners_exposed bigint, partners_guess float8)
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 20;
COMMENT ON FUNCTION sdc_compare_releases(regclass, regclass, name[], regclass[], boolean, float8) IS
	'what the difference of two releases tells of those who came, those who went and their partners (needs before, after)';

CREATE FUNCTION sdc_private.composition(releases regclass[], known name[], sample bigint, seed_text text)
RETURNS TABLE (composed_people_found float8, exposed float8)
AS 'MODULE_PATHNAME', 'sdc_private_composition' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 1;
COMMENT ON FUNCTION sdc_private.composition(regclass[], name[], bigint, text) IS
	'what is below limits: what a release tells together with those before it, in two numbers';

CREATE FUNCTION sdc_disclosure_risk(release regclass, known name[] DEFAULT NULL,
	known_max int DEFAULT NULL, sample bigint DEFAULT NULL, seed "any" DEFAULT NULL)
RETURNS TABLE (attack text, known int, linked float8, percent float8, low float8, high float8)
AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 30;
COMMENT ON FUNCTION sdc_disclosure_risk(regclass, name[], int, bigint, "any") IS
	'the correct links of every attack, by the number of attributes that the intruder knows (needs release)';

CREATE FUNCTION sdc_interval_disclosure(release regclass)
RETURNS TABLE (attribute name, percent float8)
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 10;
COMMENT ON FUNCTION sdc_interval_disclosure(regclass) IS
	'interval disclosure: how often a protected value tells the original one up to a few ranks (needs release)';

CREATE FUNCTION sdc_record_risk(release regclass, known name[] DEFAULT NULL,
	sample bigint DEFAULT NULL, seed "any" DEFAULT NULL)
RETURNS TABLE (record text, attacks text[], candidates bigint, certain boolean)
AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 10000;
COMMENT ON FUNCTION sdc_record_risk(regclass, name[], bigint, "any") IS
	'for every record the attacks that link it, and the candidates that they leave (needs release)';

CREATE FUNCTION sdc_attribute_risk(release regclass, known name[] DEFAULT NULL,
	sensitive name[] DEFAULT NULL, tau float8 DEFAULT 1)
RETURNS TABLE (matched bigint, cap float8, cap_matched float8, cap_base float8, found_percent float8,
	found_without_percent float8, baseline_percent float8, disclosed bigint, of_group bigint,
	tcap float8, tcap_all float8)
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 1;
COMMENT ON FUNCTION sdc_attribute_risk(regclass, name[], name[], float8) IS
	'what an intruder learns about a sensitive value, also of people who are not found (needs release)';

CREATE FUNCTION sdc_inference_risk(release regclass)
RETURNS TABLE (mean float8, maximum float8, bound float8, hit_percent float8,
	unchanged_percent float8, bound_mean float8, amplification_mean float8,
	amplification_maximum float8, impossible bigint)
AS 'MODULE_PATHNAME', 'sdc_inference_risk_release'
LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 1;
COMMENT ON FUNCTION sdc_inference_risk(regclass) IS
	'what an intruder who knows the original frequencies infers from a release of random anonymization (needs release)';

CREATE FUNCTION sdc_kanonymity(relation regclass, qi name[])
RETURNS TABLE (k bigint, groups bigint, unique_records bigint)
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 1;
COMMENT ON FUNCTION sdc_kanonymity(regclass, name[]) IS
	'k-anonymity: the size of the smallest group of records that the quasi-identifiers do not tell apart (needs relation, qi)';

CREATE FUNCTION sdc_ldiversity(relation regclass, qi name[], sensitive name[])
RETURNS TABLE (distinct_l bigint, entropy_l float8)
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 1;
COMMENT ON FUNCTION sdc_ldiversity(regclass, name[], name[]) IS
	'l-diversity: the least diversity of the sensitive column in the groups that the quasi-identifiers do not tell apart (needs relation, qi, sensitive)';

CREATE FUNCTION sdc_group_privacy(relation regclass, qi name[], sensitive name[], l int DEFAULT 2)
RETURNS TABLE (groups bigint, k bigint, distinct_l bigint, entropy_l float8, alpha float8, c float8,
	t float8, t_ordered float8, beta float8, enhanced boolean, delta float8, absent bigint)
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 1;
COMMENT ON FUNCTION sdc_group_privacy(regclass, name[], name[], int) IS
	'what the groups that the quasi-identifiers do not tell apart keep to themselves about the sensitive column: k, l, alpha, c, t, beta and delta of the worst (needs relation, qi, sensitive)';

CREATE FUNCTION sdc_private.group_spans(release regclass)
RETURNS TABLE (attribute name, percent int)
AS 'MODULE_PATHNAME', 'sdc_private_group_spans' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 10;
COMMENT ON FUNCTION sdc_private.group_spans(regclass) IS
	'how many of the values of each generalized column a group has on average, for sdc_report';

CREATE FUNCTION sdc_attacker_risk(relation regclass, qi name[], population regclass,
	threshold float8 DEFAULT 0.2)
RETURNS TABLE (records bigint, classes bigint, prosecutor_max float8, prosecutor_mean float8,
	prosecutor_at_risk float8, journalist_max float8, journalist_at_risk float8, k_map bigint,
	marketer float8, delta_min float8, delta_max float8, population_uniques bigint, absent bigint,
	inconsistent bigint)
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 1;
COMMENT ON FUNCTION sdc_attacker_risk(regclass, name[], regclass, float8) IS
	'what an attacker finds who has a table of the population: as prosecutor, journalist and marketer, and whose presence it shows (needs relation, qi, population)';

CREATE FUNCTION sdc_sample_risk(relation regclass, qi name[], fraction float8)
RETURNS TABLE (uniques bigint, pairs bigint, match float8, population_uniques float8)
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 1;
COMMENT ON FUNCTION sdc_sample_risk(regclass, name[], float8) IS
	'what a simple random sample tells of the population: how often a match of its uniques is right, and how many people are unique by a model (needs relation, qi, fraction)';

CREATE FUNCTION sdc_minimal_uniques(relation regclass, columns name[], max_size int DEFAULT 4,
	fraction float8 DEFAULT NULL, key name[] DEFAULT NULL)
RETURNS TABLE (record text, sizes int[], score bigint, dis_score float8, column_scores bigint[])
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 10000;
COMMENT ON FUNCTION sdc_minimal_uniques(regclass, name[], int, float8, name[]) IS
	'for every record how many smallest sets of columns make it unique, and scores of them: who is special before protection (needs relation, columns)';

CREATE FUNCTION sdc_permutation_distance(release regclass)
RETURNS TABLE (record text, distance bigint, shift bigint, ties bigint)
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 10000;
COMMENT ON FUNCTION sdc_permutation_distance(regclass) IS
	'for every record how many ranks the nearest protected one is away, and its own (needs release)';

CREATE FUNCTION sdc_permuted_privacy(release regclass)
RETURNS TABLE (minimum bigint, median float8, mean float8, null_distance float8, near_percent float8,
	own float8, records bigint, infinite bigint)
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 1;
COMMENT ON FUNCTION sdc_permuted_privacy(regclass) IS
	'the permutation distances of a release, and what random permutations would give (needs release)';

CREATE FUNCTION sdc_verify_record(relation regclass, record jsonb)
RETURNS TABLE (attribute name, distance bigint, variance float8, frequency float8)
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 10;
COMMENT ON FUNCTION sdc_verify_record(regclass, jsonb) IS
	'what somebody can verify of his protection who has a release and his own record (needs relation, record)';

----------------------------------------------------------------------
-- Loss and accuracy
----------------------------------------------------------------------

CREATE TYPE sdc_loss AS (records bigint, attributes int, il1 float8, il2 float8, il3 float8,
	il4 float8, il5 float8, il float8, il1s float8, pil float8, pil_mean float8,
	pil_variance float8, pil_covariance float8, pil_correlation float8, pil_quantile float8,
	il1_left_out bigint, il2_left_out bigint, il3_left_out bigint, il4_left_out bigint,
	il5_left_out bigint, il1s_left_out bigint, pil_left_out bigint, lost bigint);
COMMENT ON TYPE sdc_loss IS
	'measures of information loss, and how many terms each leaves out';

CREATE FUNCTION sdc_information_loss(release regclass)
RETURNS TABLE (il1 float8, il2 float8, il3 float8, il4 float8, il5 float8, il float8,
	il1s float8, pil float8, pil_mean float8, pil_variance float8, pil_covariance float8,
	pil_correlation float8, pil_quantile float8, il1_left_out bigint, il2_left_out bigint,
	il3_left_out bigint, il4_left_out bigint, il5_left_out bigint, il1s_left_out bigint,
	pil_left_out bigint, lost bigint)
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 1;
COMMENT ON FUNCTION sdc_information_loss(regclass) IS
	'the information loss of a release: relative changes of values, means, variances, covariances and correlations (needs release)';

-- The transition value of ten attributes has the size that is named here.
CREATE FUNCTION sdc_private.information_loss_trans(state bytea, original float8[], protected float8[])
RETURNS bytea
AS 'MODULE_PATHNAME', 'sdc_information_loss_trans' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 100;
COMMENT ON FUNCTION sdc_private.information_loss_trans(bytea, float8[], float8[]) IS
	'transition of sdc_information_loss';

CREATE FUNCTION sdc_private.information_loss_combine(state bytea, other bytea)
RETURNS bytea
AS 'MODULE_PATHNAME', 'sdc_information_loss_combine' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION sdc_private.information_loss_combine(bytea, bytea) IS
	'merges two states of sdc_information_loss';

CREATE FUNCTION sdc_private.information_loss_final(state bytea)
RETURNS sdc_loss
AS 'MODULE_PATHNAME', 'sdc_information_loss_final' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION sdc_private.information_loss_final(bytea) IS
	'the measures of a state of sdc_information_loss';

CREATE FUNCTION sdc_private.information_loss_state_final(state bytea)
RETURNS bytea
AS 'MODULE_PATHNAME', 'sdc_information_loss_state_final' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300;
COMMENT ON FUNCTION sdc_private.information_loss_state_final(bytea) IS
	'a state of sdc_information_loss without the last values in it';

CREATE AGGREGATE sdc_information_loss(original float8[], protected float8[]) (
	SFUNC = sdc_private.information_loss_trans,
	STYPE = bytea,
	SSPACE = 19000,
	FINALFUNC = sdc_private.information_loss_final,
	COMBINEFUNC = sdc_private.information_loss_combine,
	PARALLEL = SAFE
);
COMMENT ON AGGREGATE sdc_information_loss(float8[], float8[]) IS
	'the information loss between the original and the protected values of the rows';

CREATE AGGREGATE sdc_information_loss_state(original float8[], protected float8[]) (
	SFUNC = sdc_private.information_loss_trans,
	STYPE = bytea,
	SSPACE = 19000,
	FINALFUNC = sdc_private.information_loss_state_final,
	COMBINEFUNC = sdc_private.information_loss_combine,
	PARALLEL = SAFE
);
COMMENT ON AGGREGATE sdc_information_loss_state(float8[], float8[]) IS
	'a state of the information loss, for sdc_information_loss_merge';

CREATE AGGREGATE sdc_information_loss_merge(state bytea) (
	SFUNC = sdc_private.information_loss_combine,
	STYPE = bytea,
	SSPACE = 19000,
	FINALFUNC = sdc_private.information_loss_final,
	COMBINEFUNC = sdc_private.information_loss_combine,
	PARALLEL = SAFE
);
COMMENT ON AGGREGATE sdc_information_loss_merge(bytea) IS
	'the information loss of the rows of all states of sdc_information_loss_state';

CREATE FUNCTION sdc_score(release regclass, known name[] DEFAULT NULL,
	known_max int DEFAULT NULL, sample bigint DEFAULT NULL, seed "any" DEFAULT NULL)
RETURNS TABLE (people_found float8, certain_percent float8, il float8, dld float8, pld float8, rsld float8, interval_disclosure float8, dr float8,
	dr_generic float8, score float8, score_generic float8, dr_low float8, dr_high float8,
	dld_low float8, dld_high float8, pld_low float8, pld_high float8, rsld_low float8, rsld_high float8)
AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 1;
COMMENT ON FUNCTION sdc_score(regclass, name[], int, bigint, "any") IS
	'the score of a release: the mean of information loss and disclosure risk (needs release)';

CREATE FUNCTION sdc_baseline(release regclass, known name[] DEFAULT NULL,
	known_max int DEFAULT NULL, sample bigint DEFAULT NULL, seed "any" DEFAULT NULL)
RETURNS TABLE (people_found float8, certain_percent float8, il float8, dld float8, pld float8, rsld float8, interval_disclosure float8, dr float8,
	dr_generic float8, score float8, score_generic float8, dr_low float8, dr_high float8,
	dld_low float8, dld_high float8, pld_low float8, pld_high float8, rsld_low float8, rsld_high float8)
AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 1;
COMMENT ON FUNCTION sdc_baseline(regclass, name[], int, bigint, "any") IS
	'the score that a random permutation of every protected column would have (needs release)';

CREATE FUNCTION sdc_sweep(relation regclass, method text, parameter_values float8[] DEFAULT NULL,
	known name[] DEFAULT NULL, limit_people_found float8 DEFAULT NULL, limit_certain_percent float8 DEFAULT NULL,
	columns name[] DEFAULT NULL, qi name[] DEFAULT NULL, sensitive name[] DEFAULT NULL,
	parameters jsonb DEFAULT NULL, key name[] DEFAULT NULL, strata name[] DEFAULT NULL, omit name[] DEFAULT NULL,
	keep name[] DEFAULT NULL, known_max int DEFAULT NULL, sample bigint DEFAULT NULL, seed "any" DEFAULT NULL,
	search int DEFAULT 5)
RETURNS TABLE (parameter float8, people_found float8, certain_percent float8, il float8, score float8,
	on_frontier boolean, chosen boolean)
AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 10000000 ROWS 10;
COMMENT ON FUNCTION sdc_sweep(regclass, text, float8[], name[], float8, float8, name[], name[], name[], jsonb, name[],
	name[], name[], name[], int, bigint, "any", int) IS
	'what a method would do to a table with many values of its parameter: people found and loss of each, which are on the frontier, and which has the least loss under limits; stores nothing (needs relation, method)';

CREATE FUNCTION sdc_correlation_bias(release regclass)
RETURNS TABLE (bias float8, expected float8, deviation float8)
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 1;
COMMENT ON FUNCTION sdc_correlation_bias(regclass) IS
	'how much the correlations of a release differ from those of its source, and what was to be expected (needs release)';

CREATE FUNCTION sdc_expected_correlation_bias(relation regclass, columns name[],
	method text DEFAULT 'equidepth_swap', depth int DEFAULT NULL, intervals int DEFAULT NULL,
	widths float8[] DEFAULT NULL, key name[] DEFAULT NULL, strata name[] DEFAULT NULL)
RETURNS TABLE (expected float8, deviation float8, bins bigint, single_bins bigint)
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 1;
COMMENT ON FUNCTION sdc_expected_correlation_bias(regclass, name[], text, int, int, float8[], name[], name[]) IS
	'how much swapping in bins is expected to change correlations, before anything is released (needs relation, columns; and depth for equidepth_swap, intervals or widths for equiwidth_swap)';

CREATE FUNCTION sdc_swap_candidates(relation regclass, columns name[], bound float8 DEFAULT NULL,
	grid text DEFAULT 'intervals', smallest float8 DEFAULT NULL)
RETURNS TABLE (width_share float8, degree bigint, minimal_depth bigint, representative boolean)
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 1000;
COMMENT ON FUNCTION sdc_swap_candidates(regclass, name[], float8, text, float8) IS
	'the widths for equi-width swapping, and which of them represent those that are alike (needs relation, columns)';

CREATE FUNCTION sdc_swap_privacy(relation regclass, columns name[],
	method text DEFAULT 'equiwidth_swap', bound float8 DEFAULT NULL, grid text DEFAULT 'intervals',
	smallest float8 DEFAULT NULL)
RETURNS TABLE (candidates bigint, p_tuple float8, p_mdb float8, p_closed float8)
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 1;
COMMENT ON FUNCTION sdc_swap_privacy(regclass, name[], text, float8, text, float8) IS
	'the privacy of equi-width or equi-depth swapping: the probability to guess a record (needs relation, columns)';

CREATE FUNCTION sdc_histogram_error(release regclass, columns name[] DEFAULT NULL,
	intervals int DEFAULT 10)
RETURNS float8
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000;
COMMENT ON FUNCTION sdc_histogram_error(regclass, name[], int) IS
	'the total variation between the joint histograms of a release and its source (needs release)';

CREATE TYPE sdc_query_error_summary AS (attributes int, queries int, mean_error float8,
	median_error float8, p95_error float8, redrawn bigint);
COMMENT ON TYPE sdc_query_error_summary IS
	'relative errors of random count queries with a number of attributes';

-- VOLATILE: without a seed the queries are new ones in every call.
CREATE FUNCTION sdc_query_errors(release regclass, queries int DEFAULT NULL,
	seed "any" DEFAULT NULL, qi name[] DEFAULT NULL, sensitive name[] DEFAULT NULL)
RETURNS SETOF sdc_query_error_summary
AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 10;
COMMENT ON FUNCTION sdc_query_errors(regclass, int, "any", name[], name[]) IS
	'relative errors of random count queries on a release, by their number of attributes (needs release)';

CREATE FUNCTION sdc_compare(release regclass, aggregate text DEFAULT 'count(*)',
	condition text DEFAULT NULL, by name[] DEFAULT NULL)
RETURNS TABLE (cell jsonb, answer float8, estimate float8, relative_error float8)
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 10;
COMMENT ON FUNCTION sdc_compare(regclass, text, text, name[]) IS
	'a query of your own on a release and on its source, and the relative error; a count of all records where nothing else is said (needs release)';

CREATE FUNCTION sdc_estimate(relation text, qi name[] DEFAULT NULL, conditions text[] DEFAULT NULL,
	measure name DEFAULT NULL, statistic text DEFAULT NULL, probabilities float8[] DEFAULT NULL,
	draws int DEFAULT NULL, by name[] DEFAULT NULL, strata name[] DEFAULT NULL)
RETURNS TABLE (cell jsonb, estimate float8, standard_error float8, low float8, high float8, raw float8)
AS 'MODULE_PATHNAME', 'sdc_estimate_name' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 10;
COMMENT ON FUNCTION sdc_estimate(text, name[], text[], name, text, float8[], int, name[], name[]) IS
	'a count, sum or average of the source of a randomized table, estimated from that table alone, with its standard error (needs relation; and qi with probabilities or draws, unless the caller may read the source)';

CREATE FUNCTION sdc_estimate(relation regclass, qi name[] DEFAULT NULL, conditions text[] DEFAULT NULL,
	measure name DEFAULT NULL, statistic text DEFAULT NULL, probabilities float8[] DEFAULT NULL,
	draws int DEFAULT NULL, by name[] DEFAULT NULL, strata name[] DEFAULT NULL)
RETURNS TABLE (cell jsonb, estimate float8, standard_error float8, low float8, high float8, raw float8)
AS 'MODULE_PATHNAME', 'sdc_estimate_relation' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 10;
COMMENT ON FUNCTION sdc_estimate(regclass, name[], text[], name, text, float8[], int, name[], name[]) IS
	'a count, sum or average of the source of a randomized table, estimated from that table alone, with its standard error (needs relation; and qi with probabilities or draws, unless the caller may read the source)';

CREATE FUNCTION sdc_statistic_errors(release regclass)
RETURNS TABLE (attribute name, statistic text, original float8, protected float8,
	relative_error float8, standard_error float8)
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 100;
COMMENT ON FUNCTION sdc_statistic_errors(regclass) IS
	'mean, standard deviation, quantiles and distribution of every column of a release, beside those of its source (needs release)';

CREATE FUNCTION sdc_cell_errors(release regclass, by name[], measure name DEFAULT NULL)
RETURNS TABLE (cell jsonb, statistic text, original float8, protected float8,
	relative_error float8, overlap float8, state text)
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 1000;
COMMENT ON FUNCTION sdc_cell_errors(regclass, name[], name) IS
	'counts, sums and averages of a release in the cells of a GROUP BY, beside those of its source (needs release, by)';

CREATE FUNCTION sdc_regression_errors(release regclass, y name, x name[])
RETURNS TABLE (term text, original float8, original_error float8, protected float8,
	protected_error float8, relative_error float8, overlap float8)
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 10;
COMMENT ON FUNCTION sdc_regression_errors(regclass, name, name[]) IS
	'a linear regression on a release, beside that on its source (needs release, y, x)';

CREATE FUNCTION sdc_distinguishability(release regclass, columns name[] DEFAULT NULL,
	pairs boolean DEFAULT true)
RETURNS TABLE (r2 float8, pmse float8, rank int, chance float8)
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 1;
COMMENT ON FUNCTION sdc_distinguishability(regclass, name[], boolean) IS
	'how well a linear model tells the records of a release from those of its source (needs release)';

CREATE FUNCTION sdc_probabilistic_anonymity(relation regclass, qi name[],
	probabilities float8[] DEFAULT NULL)
RETURNS float8
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000;
COMMENT ON FUNCTION sdc_probabilistic_anonymity(regclass, name[], float8[]) IS
	'probabilistic anonymity of random anonymization, with given or optimal probabilities (needs relation, qi)';

CREATE FUNCTION sdc_support_bias(relation regclass, qi name[], combination jsonb,
	probabilities float8[] DEFAULT NULL, draws int DEFAULT NULL)
RETURNS TABLE (records bigint, support float8, expected_support float8, relative_bias float8,
	variance float8, lift jsonb)
AS 'MODULE_PATHNAME', 'sdc_support_bias_relation'
LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 1;
COMMENT ON FUNCTION sdc_support_bias(regclass, name[], jsonb, float8[], int) IS
	'expectation, relative bias and variance of the support of a combination of values under random anonymization (needs relation, qi, combination)';

CREATE FUNCTION sdc_chi_square(relation regclass, columns name[])
RETURNS TABLE (first_attribute name, second_attribute name, records bigint, chi_square float8,
	chi_square_n float8, cramers_v float8)
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 30;
COMMENT ON FUNCTION sdc_chi_square(regclass, name[]) IS
	'chi-square of all pairs of columns: how much they tell of each other (needs relation, columns)';

-- "any", as in count: a literal of unknown type has a value too.  VARIADIC is nothing for it.  The transition value
-- of 20 numbers, or as many short strings, has about the size that is named here.
CREATE FUNCTION sdc_private.entropy_trans(state bytea, value "any")
RETURNS bytea
AS 'MODULE_PATHNAME', 'sdc_entropy_trans' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 20;
COMMENT ON FUNCTION sdc_private.entropy_trans(bytea, "any") IS
	'transition of sdc_entropy';

CREATE FUNCTION sdc_private.entropy_combine(state bytea, other bytea)
RETURNS bytea
AS 'MODULE_PATHNAME', 'sdc_entropy_combine' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 100;
COMMENT ON FUNCTION sdc_private.entropy_combine(bytea, bytea) IS
	'merges two states of sdc_entropy';

CREATE FUNCTION sdc_private.entropy_final(state bytea)
RETURNS float8
AS 'MODULE_PATHNAME', 'sdc_entropy_final' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 200;
COMMENT ON FUNCTION sdc_private.entropy_final(bytea) IS
	'the entropy of a state of sdc_entropy';

CREATE FUNCTION sdc_private.diversity_final(state bytea)
RETURNS float8
AS 'MODULE_PATHNAME', 'sdc_diversity_final' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 200;
COMMENT ON FUNCTION sdc_private.diversity_final(bytea) IS
	'the diversity of a state of sdc_entropy';

CREATE FUNCTION sdc_private.entropy_state_final(state bytea)
RETURNS bytea
AS 'MODULE_PATHNAME', 'sdc_entropy_state_final' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 200;
COMMENT ON FUNCTION sdc_private.entropy_state_final(bytea) IS
	'a state of sdc_entropy in its packed form';

CREATE AGGREGATE sdc_entropy(value "any") (
	SFUNC = sdc_private.entropy_trans,
	STYPE = bytea,
	SSPACE = 1000,
	FINALFUNC = sdc_private.entropy_final,
	COMBINEFUNC = sdc_private.entropy_combine,
	PARALLEL = SAFE
);
COMMENT ON AGGREGATE sdc_entropy("any") IS
	'the entropy of the values of the rows: -sum P ln P over their shares P';

-- The same for the types of most columns: Citus has its workers aggregate only what is declared with the type of the
-- values.  A type that could be cast to one of these without saying so has a form of its own, or counts as that: timestamp,
-- oid, "char".
CREATE AGGREGATE sdc_entropy(value boolean) (
	SFUNC = sdc_private.entropy_trans, STYPE = bytea, SSPACE = 1000, FINALFUNC = sdc_private.entropy_final,
	COMBINEFUNC = sdc_private.entropy_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE sdc_entropy(boolean) IS
	'the entropy of the values of the rows: -sum P ln P over their shares P';
CREATE AGGREGATE sdc_entropy(value smallint) (
	SFUNC = sdc_private.entropy_trans, STYPE = bytea, SSPACE = 1000, FINALFUNC = sdc_private.entropy_final,
	COMBINEFUNC = sdc_private.entropy_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE sdc_entropy(smallint) IS
	'the entropy of the values of the rows: -sum P ln P over their shares P';
CREATE AGGREGATE sdc_entropy(value int) (
	SFUNC = sdc_private.entropy_trans, STYPE = bytea, SSPACE = 1000, FINALFUNC = sdc_private.entropy_final,
	COMBINEFUNC = sdc_private.entropy_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE sdc_entropy(int) IS
	'the entropy of the values of the rows: -sum P ln P over their shares P';
CREATE AGGREGATE sdc_entropy(value bigint) (
	SFUNC = sdc_private.entropy_trans, STYPE = bytea, SSPACE = 1000, FINALFUNC = sdc_private.entropy_final,
	COMBINEFUNC = sdc_private.entropy_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE sdc_entropy(bigint) IS
	'the entropy of the values of the rows: -sum P ln P over their shares P';
CREATE AGGREGATE sdc_entropy(value real) (
	SFUNC = sdc_private.entropy_trans, STYPE = bytea, SSPACE = 1000, FINALFUNC = sdc_private.entropy_final,
	COMBINEFUNC = sdc_private.entropy_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE sdc_entropy(real) IS
	'the entropy of the values of the rows: -sum P ln P over their shares P';
CREATE AGGREGATE sdc_entropy(value float8) (
	SFUNC = sdc_private.entropy_trans, STYPE = bytea, SSPACE = 1000, FINALFUNC = sdc_private.entropy_final,
	COMBINEFUNC = sdc_private.entropy_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE sdc_entropy(float8) IS
	'the entropy of the values of the rows: -sum P ln P over their shares P';
CREATE AGGREGATE sdc_entropy(value numeric) (
	SFUNC = sdc_private.entropy_trans, STYPE = bytea, SSPACE = 1000, FINALFUNC = sdc_private.entropy_final,
	COMBINEFUNC = sdc_private.entropy_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE sdc_entropy(numeric) IS
	'the entropy of the values of the rows: -sum P ln P over their shares P';
CREATE AGGREGATE sdc_entropy(value oid) (
	SFUNC = sdc_private.entropy_trans, STYPE = bytea, SSPACE = 1000, FINALFUNC = sdc_private.entropy_final,
	COMBINEFUNC = sdc_private.entropy_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE sdc_entropy(oid) IS
	'the entropy of the values of the rows: -sum P ln P over their shares P';
CREATE AGGREGATE sdc_entropy(value text) (
	SFUNC = sdc_private.entropy_trans, STYPE = bytea, SSPACE = 1000, FINALFUNC = sdc_private.entropy_final,
	COMBINEFUNC = sdc_private.entropy_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE sdc_entropy(text) IS
	'the entropy of the values of the rows: -sum P ln P over their shares P';
CREATE AGGREGATE sdc_entropy(value varchar) (
	SFUNC = sdc_private.entropy_trans, STYPE = bytea, SSPACE = 1000, FINALFUNC = sdc_private.entropy_final,
	COMBINEFUNC = sdc_private.entropy_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE sdc_entropy(varchar) IS
	'the entropy of the values of the rows: -sum P ln P over their shares P';
CREATE AGGREGATE sdc_entropy(value char) (
	SFUNC = sdc_private.entropy_trans, STYPE = bytea, SSPACE = 1000, FINALFUNC = sdc_private.entropy_final,
	COMBINEFUNC = sdc_private.entropy_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE sdc_entropy(char) IS
	'the entropy of the values of the rows: -sum P ln P over their shares P';
CREATE AGGREGATE sdc_entropy(value "char") (
	SFUNC = sdc_private.entropy_trans, STYPE = bytea, SSPACE = 1000, FINALFUNC = sdc_private.entropy_final,
	COMBINEFUNC = sdc_private.entropy_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE sdc_entropy("char") IS
	'the entropy of the values of the rows: -sum P ln P over their shares P';
CREATE AGGREGATE sdc_entropy(value date) (
	SFUNC = sdc_private.entropy_trans, STYPE = bytea, SSPACE = 1000, FINALFUNC = sdc_private.entropy_final,
	COMBINEFUNC = sdc_private.entropy_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE sdc_entropy(date) IS
	'the entropy of the values of the rows: -sum P ln P over their shares P';
CREATE AGGREGATE sdc_entropy(value timestamp) (
	SFUNC = sdc_private.entropy_trans, STYPE = bytea, SSPACE = 1000, FINALFUNC = sdc_private.entropy_final,
	COMBINEFUNC = sdc_private.entropy_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE sdc_entropy(timestamp) IS
	'the entropy of the values of the rows: -sum P ln P over their shares P';
CREATE AGGREGATE sdc_entropy(value timestamptz) (
	SFUNC = sdc_private.entropy_trans, STYPE = bytea, SSPACE = 1000, FINALFUNC = sdc_private.entropy_final,
	COMBINEFUNC = sdc_private.entropy_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE sdc_entropy(timestamptz) IS
	'the entropy of the values of the rows: -sum P ln P over their shares P';
CREATE AGGREGATE sdc_entropy(value uuid) (
	SFUNC = sdc_private.entropy_trans, STYPE = bytea, SSPACE = 1000, FINALFUNC = sdc_private.entropy_final,
	COMBINEFUNC = sdc_private.entropy_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE sdc_entropy(uuid) IS
	'the entropy of the values of the rows: -sum P ln P over their shares P';

CREATE AGGREGATE sdc_diversity(value "any") (
	SFUNC = sdc_private.entropy_trans,
	STYPE = bytea,
	SSPACE = 1000,
	FINALFUNC = sdc_private.diversity_final,
	COMBINEFUNC = sdc_private.entropy_combine,
	PARALLEL = SAFE
);
COMMENT ON AGGREGATE sdc_diversity("any") IS
	'the diversity of the values of the rows: how many equally frequent values have their entropy';

-- The same by types, as of sdc_entropy.
CREATE AGGREGATE sdc_diversity(value boolean) (
	SFUNC = sdc_private.entropy_trans, STYPE = bytea, SSPACE = 1000, FINALFUNC = sdc_private.diversity_final,
	COMBINEFUNC = sdc_private.entropy_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE sdc_diversity(boolean) IS
	'the diversity of the values of the rows: how many equally frequent values have their entropy';
CREATE AGGREGATE sdc_diversity(value smallint) (
	SFUNC = sdc_private.entropy_trans, STYPE = bytea, SSPACE = 1000, FINALFUNC = sdc_private.diversity_final,
	COMBINEFUNC = sdc_private.entropy_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE sdc_diversity(smallint) IS
	'the diversity of the values of the rows: how many equally frequent values have their entropy';
CREATE AGGREGATE sdc_diversity(value int) (
	SFUNC = sdc_private.entropy_trans, STYPE = bytea, SSPACE = 1000, FINALFUNC = sdc_private.diversity_final,
	COMBINEFUNC = sdc_private.entropy_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE sdc_diversity(int) IS
	'the diversity of the values of the rows: how many equally frequent values have their entropy';
CREATE AGGREGATE sdc_diversity(value bigint) (
	SFUNC = sdc_private.entropy_trans, STYPE = bytea, SSPACE = 1000, FINALFUNC = sdc_private.diversity_final,
	COMBINEFUNC = sdc_private.entropy_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE sdc_diversity(bigint) IS
	'the diversity of the values of the rows: how many equally frequent values have their entropy';
CREATE AGGREGATE sdc_diversity(value real) (
	SFUNC = sdc_private.entropy_trans, STYPE = bytea, SSPACE = 1000, FINALFUNC = sdc_private.diversity_final,
	COMBINEFUNC = sdc_private.entropy_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE sdc_diversity(real) IS
	'the diversity of the values of the rows: how many equally frequent values have their entropy';
CREATE AGGREGATE sdc_diversity(value float8) (
	SFUNC = sdc_private.entropy_trans, STYPE = bytea, SSPACE = 1000, FINALFUNC = sdc_private.diversity_final,
	COMBINEFUNC = sdc_private.entropy_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE sdc_diversity(float8) IS
	'the diversity of the values of the rows: how many equally frequent values have their entropy';
CREATE AGGREGATE sdc_diversity(value numeric) (
	SFUNC = sdc_private.entropy_trans, STYPE = bytea, SSPACE = 1000, FINALFUNC = sdc_private.diversity_final,
	COMBINEFUNC = sdc_private.entropy_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE sdc_diversity(numeric) IS
	'the diversity of the values of the rows: how many equally frequent values have their entropy';
CREATE AGGREGATE sdc_diversity(value oid) (
	SFUNC = sdc_private.entropy_trans, STYPE = bytea, SSPACE = 1000, FINALFUNC = sdc_private.diversity_final,
	COMBINEFUNC = sdc_private.entropy_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE sdc_diversity(oid) IS
	'the diversity of the values of the rows: how many equally frequent values have their entropy';
CREATE AGGREGATE sdc_diversity(value text) (
	SFUNC = sdc_private.entropy_trans, STYPE = bytea, SSPACE = 1000, FINALFUNC = sdc_private.diversity_final,
	COMBINEFUNC = sdc_private.entropy_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE sdc_diversity(text) IS
	'the diversity of the values of the rows: how many equally frequent values have their entropy';
CREATE AGGREGATE sdc_diversity(value varchar) (
	SFUNC = sdc_private.entropy_trans, STYPE = bytea, SSPACE = 1000, FINALFUNC = sdc_private.diversity_final,
	COMBINEFUNC = sdc_private.entropy_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE sdc_diversity(varchar) IS
	'the diversity of the values of the rows: how many equally frequent values have their entropy';
CREATE AGGREGATE sdc_diversity(value char) (
	SFUNC = sdc_private.entropy_trans, STYPE = bytea, SSPACE = 1000, FINALFUNC = sdc_private.diversity_final,
	COMBINEFUNC = sdc_private.entropy_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE sdc_diversity(char) IS
	'the diversity of the values of the rows: how many equally frequent values have their entropy';
CREATE AGGREGATE sdc_diversity(value "char") (
	SFUNC = sdc_private.entropy_trans, STYPE = bytea, SSPACE = 1000, FINALFUNC = sdc_private.diversity_final,
	COMBINEFUNC = sdc_private.entropy_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE sdc_diversity("char") IS
	'the diversity of the values of the rows: how many equally frequent values have their entropy';
CREATE AGGREGATE sdc_diversity(value date) (
	SFUNC = sdc_private.entropy_trans, STYPE = bytea, SSPACE = 1000, FINALFUNC = sdc_private.diversity_final,
	COMBINEFUNC = sdc_private.entropy_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE sdc_diversity(date) IS
	'the diversity of the values of the rows: how many equally frequent values have their entropy';
CREATE AGGREGATE sdc_diversity(value timestamp) (
	SFUNC = sdc_private.entropy_trans, STYPE = bytea, SSPACE = 1000, FINALFUNC = sdc_private.diversity_final,
	COMBINEFUNC = sdc_private.entropy_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE sdc_diversity(timestamp) IS
	'the diversity of the values of the rows: how many equally frequent values have their entropy';
CREATE AGGREGATE sdc_diversity(value timestamptz) (
	SFUNC = sdc_private.entropy_trans, STYPE = bytea, SSPACE = 1000, FINALFUNC = sdc_private.diversity_final,
	COMBINEFUNC = sdc_private.entropy_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE sdc_diversity(timestamptz) IS
	'the diversity of the values of the rows: how many equally frequent values have their entropy';
CREATE AGGREGATE sdc_diversity(value uuid) (
	SFUNC = sdc_private.entropy_trans, STYPE = bytea, SSPACE = 1000, FINALFUNC = sdc_private.diversity_final,
	COMBINEFUNC = sdc_private.entropy_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE sdc_diversity(uuid) IS
	'the diversity of the values of the rows: how many equally frequent values have their entropy';

CREATE AGGREGATE sdc_entropy_state(value "any") (
	SFUNC = sdc_private.entropy_trans,
	STYPE = bytea,
	SSPACE = 1000,
	FINALFUNC = sdc_private.entropy_state_final,
	COMBINEFUNC = sdc_private.entropy_combine,
	PARALLEL = SAFE
);
COMMENT ON AGGREGATE sdc_entropy_state("any") IS
	'a state of the entropy, for sdc_entropy_merge and sdc_diversity_merge';

-- The same by types, as of sdc_entropy.
CREATE AGGREGATE sdc_entropy_state(value boolean) (
	SFUNC = sdc_private.entropy_trans, STYPE = bytea, SSPACE = 1000, FINALFUNC = sdc_private.entropy_state_final,
	COMBINEFUNC = sdc_private.entropy_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE sdc_entropy_state(boolean) IS
	'a state of the entropy, for sdc_entropy_merge and sdc_diversity_merge';
CREATE AGGREGATE sdc_entropy_state(value smallint) (
	SFUNC = sdc_private.entropy_trans, STYPE = bytea, SSPACE = 1000, FINALFUNC = sdc_private.entropy_state_final,
	COMBINEFUNC = sdc_private.entropy_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE sdc_entropy_state(smallint) IS
	'a state of the entropy, for sdc_entropy_merge and sdc_diversity_merge';
CREATE AGGREGATE sdc_entropy_state(value int) (
	SFUNC = sdc_private.entropy_trans, STYPE = bytea, SSPACE = 1000, FINALFUNC = sdc_private.entropy_state_final,
	COMBINEFUNC = sdc_private.entropy_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE sdc_entropy_state(int) IS
	'a state of the entropy, for sdc_entropy_merge and sdc_diversity_merge';
CREATE AGGREGATE sdc_entropy_state(value bigint) (
	SFUNC = sdc_private.entropy_trans, STYPE = bytea, SSPACE = 1000, FINALFUNC = sdc_private.entropy_state_final,
	COMBINEFUNC = sdc_private.entropy_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE sdc_entropy_state(bigint) IS
	'a state of the entropy, for sdc_entropy_merge and sdc_diversity_merge';
CREATE AGGREGATE sdc_entropy_state(value real) (
	SFUNC = sdc_private.entropy_trans, STYPE = bytea, SSPACE = 1000, FINALFUNC = sdc_private.entropy_state_final,
	COMBINEFUNC = sdc_private.entropy_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE sdc_entropy_state(real) IS
	'a state of the entropy, for sdc_entropy_merge and sdc_diversity_merge';
CREATE AGGREGATE sdc_entropy_state(value float8) (
	SFUNC = sdc_private.entropy_trans, STYPE = bytea, SSPACE = 1000, FINALFUNC = sdc_private.entropy_state_final,
	COMBINEFUNC = sdc_private.entropy_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE sdc_entropy_state(float8) IS
	'a state of the entropy, for sdc_entropy_merge and sdc_diversity_merge';
CREATE AGGREGATE sdc_entropy_state(value numeric) (
	SFUNC = sdc_private.entropy_trans, STYPE = bytea, SSPACE = 1000, FINALFUNC = sdc_private.entropy_state_final,
	COMBINEFUNC = sdc_private.entropy_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE sdc_entropy_state(numeric) IS
	'a state of the entropy, for sdc_entropy_merge and sdc_diversity_merge';
CREATE AGGREGATE sdc_entropy_state(value oid) (
	SFUNC = sdc_private.entropy_trans, STYPE = bytea, SSPACE = 1000, FINALFUNC = sdc_private.entropy_state_final,
	COMBINEFUNC = sdc_private.entropy_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE sdc_entropy_state(oid) IS
	'a state of the entropy, for sdc_entropy_merge and sdc_diversity_merge';
CREATE AGGREGATE sdc_entropy_state(value text) (
	SFUNC = sdc_private.entropy_trans, STYPE = bytea, SSPACE = 1000, FINALFUNC = sdc_private.entropy_state_final,
	COMBINEFUNC = sdc_private.entropy_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE sdc_entropy_state(text) IS
	'a state of the entropy, for sdc_entropy_merge and sdc_diversity_merge';
CREATE AGGREGATE sdc_entropy_state(value varchar) (
	SFUNC = sdc_private.entropy_trans, STYPE = bytea, SSPACE = 1000, FINALFUNC = sdc_private.entropy_state_final,
	COMBINEFUNC = sdc_private.entropy_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE sdc_entropy_state(varchar) IS
	'a state of the entropy, for sdc_entropy_merge and sdc_diversity_merge';
CREATE AGGREGATE sdc_entropy_state(value char) (
	SFUNC = sdc_private.entropy_trans, STYPE = bytea, SSPACE = 1000, FINALFUNC = sdc_private.entropy_state_final,
	COMBINEFUNC = sdc_private.entropy_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE sdc_entropy_state(char) IS
	'a state of the entropy, for sdc_entropy_merge and sdc_diversity_merge';
CREATE AGGREGATE sdc_entropy_state(value "char") (
	SFUNC = sdc_private.entropy_trans, STYPE = bytea, SSPACE = 1000, FINALFUNC = sdc_private.entropy_state_final,
	COMBINEFUNC = sdc_private.entropy_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE sdc_entropy_state("char") IS
	'a state of the entropy, for sdc_entropy_merge and sdc_diversity_merge';
CREATE AGGREGATE sdc_entropy_state(value date) (
	SFUNC = sdc_private.entropy_trans, STYPE = bytea, SSPACE = 1000, FINALFUNC = sdc_private.entropy_state_final,
	COMBINEFUNC = sdc_private.entropy_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE sdc_entropy_state(date) IS
	'a state of the entropy, for sdc_entropy_merge and sdc_diversity_merge';
CREATE AGGREGATE sdc_entropy_state(value timestamp) (
	SFUNC = sdc_private.entropy_trans, STYPE = bytea, SSPACE = 1000, FINALFUNC = sdc_private.entropy_state_final,
	COMBINEFUNC = sdc_private.entropy_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE sdc_entropy_state(timestamp) IS
	'a state of the entropy, for sdc_entropy_merge and sdc_diversity_merge';
CREATE AGGREGATE sdc_entropy_state(value timestamptz) (
	SFUNC = sdc_private.entropy_trans, STYPE = bytea, SSPACE = 1000, FINALFUNC = sdc_private.entropy_state_final,
	COMBINEFUNC = sdc_private.entropy_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE sdc_entropy_state(timestamptz) IS
	'a state of the entropy, for sdc_entropy_merge and sdc_diversity_merge';
CREATE AGGREGATE sdc_entropy_state(value uuid) (
	SFUNC = sdc_private.entropy_trans, STYPE = bytea, SSPACE = 1000, FINALFUNC = sdc_private.entropy_state_final,
	COMBINEFUNC = sdc_private.entropy_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE sdc_entropy_state(uuid) IS
	'a state of the entropy, for sdc_entropy_merge and sdc_diversity_merge';

CREATE AGGREGATE sdc_entropy_merge(state bytea) (
	SFUNC = sdc_private.entropy_combine,
	STYPE = bytea,
	SSPACE = 1000,
	FINALFUNC = sdc_private.entropy_final,
	COMBINEFUNC = sdc_private.entropy_combine,
	PARALLEL = SAFE
);
COMMENT ON AGGREGATE sdc_entropy_merge(bytea) IS
	'the entropy of the values of all states of sdc_entropy_state';

CREATE AGGREGATE sdc_diversity_merge(state bytea) (
	SFUNC = sdc_private.entropy_combine,
	STYPE = bytea,
	SSPACE = 1000,
	FINALFUNC = sdc_private.diversity_final,
	COMBINEFUNC = sdc_private.entropy_combine,
	PARALLEL = SAFE
);
COMMENT ON AGGREGATE sdc_diversity_merge(bytea) IS
	'the diversity of the values of all states of sdc_entropy_state';

CREATE FUNCTION sdc_frequent_itemsets(relation regclass, columns name[] DEFAULT NULL,
	min_support float8 DEFAULT NULL, max_length int DEFAULT NULL)
RETURNS TABLE (itemset jsonb, length int, records bigint, support float8)
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 1000;
COMMENT ON FUNCTION sdc_frequent_itemsets(regclass, name[], float8, int) IS
	'the combinations of values that many records have (needs relation)';

CREATE FUNCTION sdc_associations(relation regclass, qi name[], sensitive name[],
	min_support float8 DEFAULT NULL, min_confidence float8 DEFAULT NULL,
	max_length int DEFAULT NULL, reading text DEFAULT 'antecedent')
RETURNS TABLE (antecedent jsonb, consequent jsonb, length int, records bigint, support float8,
	confidence float8, lift float8, antecedent_records bigint, consequent_records bigint,
	both_records bigint)
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 1000;
COMMENT ON FUNCTION sdc_associations(regclass, name[], name[], float8, float8, int, text) IS
	'associations between combinations of values and sensitive values (needs relation, qi, sensitive)';

CREATE FUNCTION sdc_association_recall(release regclass, min_support float8 DEFAULT NULL,
	min_confidence float8 DEFAULT NULL, reading text DEFAULT 'antecedent', max_length int DEFAULT NULL,
	qi name[] DEFAULT NULL, sensitive name[] DEFAULT NULL)
RETURNS TABLE (length int, original bigint, recovered bigint, artificial bigint,
	recall_percent float8, artificial_percent float8)
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 10;
COMMENT ON FUNCTION sdc_association_recall(regclass, float8, float8, text, int, name[], name[]) IS
	'how many associations of the source are found in a release, and how many that are not in the source (needs release)';

CREATE FUNCTION sdc_association_changes(release regclass, min_support float8 DEFAULT NULL,
	min_confidence float8 DEFAULT NULL, reading text DEFAULT 'antecedent', max_length int DEFAULT NULL,
	qi name[] DEFAULT NULL, sensitive name[] DEFAULT NULL)
RETURNS TABLE (change text, antecedent jsonb, consequent jsonb, length int, original_support float8,
	original_confidence float8, protected_support float8, protected_confidence float8)
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 1000;
COMMENT ON FUNCTION sdc_association_changes(regclass, float8, float8, text, int, name[], name[]) IS
	'the associations that a release keeps, loses and makes up (needs release)';

-- Rounded, in words, the people first.  A part that is not defined for a release is left out.
-- What sdc_summary calls is found by name when it runs: no function that somebody else puts into the schema may be nearer
-- to the call than ours, as one with a seed of type text would be to sdc_query_errors.
CREATE FUNCTION sdc_private.summary_counts(release regclass)
RETURNS SETOF sdc_query_error_summary
AS 'MODULE_PATHNAME', 'sdc_private_summary_counts' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 10;
COMMENT ON FUNCTION sdc_private.summary_counts(regclass) IS
	'what is below the counts of sdc_summary';

CREATE FUNCTION sdc_private.summary(release regclass, known name[])
RETURNS TABLE (part text, measure text, value numeric, unit text, meaning text)
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 20
SET search_path = pg_catalog, pg_temp
SET extra_float_digits = 1
AS $summary$
#variable_conflict use_column
DECLARE
	-- what is kept and still true, if it is about what is asked and about all people, need not be measured again
	kept CONSTANT jsonb := (SELECT e.measures FROM sdc_private.evaluation($1) AS e (measures)
		WHERE e.measures #> '{arguments,known}' = COALESCE(to_jsonb($2), 'null') AND e.measures #> '{arguments,sample}' = 'null');
	people CONSTANT jsonb := COALESCE(kept -> 'people',
		(SELECT jsonb_object_agg(p.attack, to_jsonb(p)) FROM sdc_private.people_found($1, $2, false, NULL::bigint, NULL::text) AS p));
	-- the score is always about all that is known
	score CONSTANT jsonb := CASE WHEN $2 IS NULL AND kept #> '{problems,score}' IS NULL THEN kept -> 'score' END;
	best CONSTANT text := (SELECT p.key FROM jsonb_each(people) AS p WHERE p.key NOT IN ('any', 'best', 'chance')
		ORDER BY (p.value ->> 'found')::float8 DESC,
			array_position(ARRAY['candidates', 'nearest', 'distance', 'wide', 'narrow', 'agreement'], p.key) LIMIT 1);
	learned name;
BEGIN
	RETURN QUERY SELECT 'people', l.measure, round((people #>> l.path)::numeric, l.digits), l.unit, l.meaning
	FROM (VALUES
		('people found', ARRAY['any', 'percent'], 1, 'percent', 'of all people, by at least one attack on all that leaves'),
		('people found', ARRAY['any', 'found'], 0, 'people', 'how many that are'),
		('found for certain', ARRAY['any', 'certain'], 0, 'people', 'they have one candidate only, and it is the right one'),
		('found by the best attack', ARRAY['best', 'percent'], 1, 'percent', 'of all people, by attack ' || best),
		('found by chance', ARRAY['chance', 'percent'], 3, 'percent', 'of all people, by a blind guess')
	) AS l (measure, path, digits, unit, meaning) WHERE people #>> l.path IS NOT NULL;
	FOR learned IN SELECT a.attribute FROM sdc_private.sdc_attributes AS a JOIN sdc_private.releases() AS r ON a.relation = r.source
		WHERE r.release = $1 AND a.role = 'sensitive' AND a.attribute <> ALL (COALESCE($2, '{}')) ORDER BY a.attribute COLLATE "C"
	LOOP
		BEGIN
			RETURN QUERY SELECT 'values', l.measure, round((to_jsonb(v) ->> l.path)::numeric, l.digits), l.unit, format(l.meaning, learned)
			FROM sdc_private.attribute_risk($1, $2, ARRAY[learned], 1::float8) AS v, (VALUES
				('values guessed', 'found_percent', 1, 'percent', 'of all people, whose %s an intruder guesses right'),
				('values guessed without', 'found_without_percent', 1, 'percent', 'of all people, whose %s is guessed right if they take no part'),
				('values guessed blindly', 'baseline_percent', 1, 'percent', 'of all people, who have the most frequent %s'),
				('values known', 'disclosed', 0, 'people', 'all their candidates have the same %s, and it is right')
			) AS l (measure, path, digits, unit, meaning) WHERE to_jsonb(v) ->> l.path IS NOT NULL;
		EXCEPTION WHEN feature_not_supported OR object_not_in_prerequisite_state OR undefined_column OR datatype_mismatch THEN
			NULL;
		END;
	END LOOP;
	BEGIN
		RETURN QUERY SELECT 'score', l.measure, round((s.found ->> l.path)::numeric, 1), l.unit, l.meaning
		FROM (SELECT COALESCE(score, (SELECT to_jsonb(m) FROM sdc_private.score($1, NULL::name[], NULL::int, NULL::bigint, NULL::text) AS m))) AS s (found), (VALUES
			('disclosure risk', 'dr', 'percent', 'mean of attacks on the protected columns: it hides people'),
			('information loss', 'il', 'points', '0 is no loss; 100 is much'),
			('score', 'score', 'points', 'mean of both, as published')
		) AS l (measure, path, unit, meaning) WHERE s.found ->> l.path IS NOT NULL;
		RETURN QUERY SELECT 'score', 'values lost', s.lost::numeric, 'values', 'numbers that the release lacks: the loss takes each for the worst that it can be'
		FROM (SELECT COALESCE(CASE WHEN score IS NOT NULL THEN (kept ->> 'lost')::bigint END, (SELECT l.lost FROM sdc_private.information_loss($1) AS l))) AS s (lost) WHERE s.lost > 0;
	EXCEPTION WHEN feature_not_supported OR object_not_in_prerequisite_state OR program_limit_exceeded THEN
		NULL;
	END;
	BEGIN
		RETURN QUERY SELECT 'counts', CASE e.attributes WHEN 1 THEN 'counts by one column' ELSE format('counts by %s columns', e.attributes) END,
			round((100 * e.mean_error)::numeric, 1), 'percent', 'mean relative error of random counts'
		FROM sdc_private.summary_counts($1) AS e WHERE e.mean_error IS NOT NULL;
	EXCEPTION WHEN feature_not_supported OR object_not_in_prerequisite_state THEN
		NULL;
	END;
	BEGIN
		RETURN QUERY SELECT 'model', l.measure, round((100 * (to_jsonb(d) ->> l.path)::float8)::numeric, 1), 'percent', l.meaning
		FROM sdc_private.distinguishability($1, NULL::name[], true) AS d, (VALUES
			('told apart', 'r2', 'how well a linear model tells the release from its source: 0 is not at all'),
			('told apart by chance', 'chance', 'the same if it tossed coins')
		) AS l (measure, path, meaning) WHERE to_jsonb(d) ->> l.path IS NOT NULL;
	EXCEPTION WHEN feature_not_supported OR object_not_in_prerequisite_state OR program_limit_exceeded THEN
		NULL;
	END;
END
$summary$;
COMMENT ON FUNCTION sdc_private.summary(regclass, name[]) IS
	'what sdc_summary does';

CREATE FUNCTION sdc_summary(release regclass, known name[] DEFAULT NULL)
RETURNS TABLE (part text, measure text, value numeric, unit text, meaning text)
AS 'MODULE_PATHNAME', 'sdc_enter' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 20;
COMMENT ON FUNCTION sdc_summary(regclass, name[]) IS
	'what to look at first: people found, values learned, score and accuracy of a release, rounded and in words (needs release)';

-- VOLATILE: it writes, and may draw a sample.
CREATE FUNCTION sdc_evaluate(release regclass, known name[] DEFAULT NULL, sample bigint DEFAULT NULL,
	seed "any" DEFAULT NULL, force boolean DEFAULT false)
RETURNS TABLE (release regclass, evaluated_at timestamptz, people_found float8, people_found_high float8,
	certain_percent float8, certain_percent_high float8, il float8, dr float8, score float8, score_high float8,
	measures jsonb)
AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 1;
COMMENT ON FUNCTION sdc_evaluate(regclass, name[], bigint, "any", boolean) IS
	'measures all that is measured of a release, and keeps it for the views and for sdc_publish (needs release)';

-- The same with a type for every argument, for what finds it by name.
CREATE FUNCTION sdc_private.evaluate(release regclass, known name[], sample bigint, seed_text text, force boolean)
RETURNS TABLE (release regclass, evaluated_at timestamptz, people_found float8, people_found_high float8,
	certain_percent float8, certain_percent_high float8, il float8, dr float8, score float8, score_high float8,
	measures jsonb)
AS 'MODULE_PATHNAME', 'sdc_private_evaluate' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 1;
COMMENT ON FUNCTION sdc_private.evaluate(regclass, name[], bigint, text, boolean) IS
	'what is below runs of policies: sdc_evaluate';

CREATE FUNCTION sdc_private.evaluation(release regclass)
RETURNS jsonb
AS 'MODULE_PATHNAME', 'sdc_private_evaluation' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000;
COMMENT ON FUNCTION sdc_private.evaluation(regclass) IS
	'what is kept of a release, if neither it nor its source has changed since';

CREATE FUNCTION sdc_private.evaluation_release(release regclass)
RETURNS jsonb
AS 'MODULE_PATHNAME', 'sdc_private_evaluation_release' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000;
COMMENT ON FUNCTION sdc_private.evaluation_release(regclass) IS
	'what is kept of a release, if it has not changed since: whatever its source is by now';

CREATE FUNCTION sdc_private.evaluation_mark(release regclass)
RETURNS text
AS 'MODULE_PATHNAME', 'sdc_private_evaluation_mark' LANGUAGE C STABLE PARALLEL UNSAFE COST 10000;
COMMENT ON FUNCTION sdc_private.evaluation_mark(regclass) IS
	'what tells the evaluation that is kept of a release from any other';

----------------------------------------------------------------------
-- Plumbing: what functions in PL/pgSQL call
----------------------------------------------------------------------

-- Functions of the interface, under names that nobody else can take, with the rights of the caller.
CREATE FUNCTION sdc_private.people_found(release regclass, known name[],
	everybody boolean, sample bigint, seed_text text)
RETURNS TABLE (attack text, found float8, percent float8, low float8, high float8,
	single bigint, certain bigint)
AS 'MODULE_PATHNAME', 'sdc_private_people_found' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 8;
COMMENT ON FUNCTION sdc_private.people_found(regclass, name[], boolean, bigint, text) IS
	'sdc_people_found, with the rights of the caller';

CREATE FUNCTION sdc_private.disclosure_risk(release regclass, known name[],
	known_max int, sample bigint, seed_text text)
RETURNS TABLE (attack text, known int, linked float8, percent float8, low float8, high float8)
AS 'MODULE_PATHNAME', 'sdc_private_disclosure_risk' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 30;
COMMENT ON FUNCTION sdc_private.disclosure_risk(regclass, name[], int, bigint, text) IS
	'sdc_disclosure_risk, with the rights of the caller';

CREATE FUNCTION sdc_private.attribute_risk(release regclass, known name[],
	sensitive name[], tau float8)
RETURNS TABLE (matched bigint, cap float8, cap_matched float8, cap_base float8, found_percent float8,
	found_without_percent float8, baseline_percent float8, disclosed bigint, of_group bigint,
	tcap float8, tcap_all float8)
AS 'MODULE_PATHNAME', 'sdc_private_attribute_risk' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 1;
COMMENT ON FUNCTION sdc_private.attribute_risk(regclass, name[], name[], float8) IS
	'sdc_attribute_risk, with the rights of the caller';

CREATE FUNCTION sdc_private.kanonymity(relation regclass, qi name[])
RETURNS TABLE (k bigint, groups bigint, unique_records bigint)
AS 'MODULE_PATHNAME', 'sdc_private_kanonymity' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 1;
COMMENT ON FUNCTION sdc_private.kanonymity(regclass, name[]) IS
	'sdc_kanonymity, with the rights of the caller';

CREATE FUNCTION sdc_private.interval_disclosure(release regclass)
RETURNS TABLE (attribute name, percent float8)
AS 'MODULE_PATHNAME', 'sdc_private_interval_disclosure' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 10;
COMMENT ON FUNCTION sdc_private.interval_disclosure(regclass) IS
	'sdc_interval_disclosure, with the rights of the caller';

CREATE FUNCTION sdc_private.information_loss(release regclass)
RETURNS TABLE (il1 float8, il2 float8, il3 float8, il4 float8, il5 float8, il float8,
	il1s float8, pil float8, pil_mean float8, pil_variance float8, pil_covariance float8,
	pil_correlation float8, pil_quantile float8, il1_left_out bigint, il2_left_out bigint,
	il3_left_out bigint, il4_left_out bigint, il5_left_out bigint, il1s_left_out bigint,
	pil_left_out bigint, lost bigint)
AS 'MODULE_PATHNAME', 'sdc_private_information_loss' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 1;
COMMENT ON FUNCTION sdc_private.information_loss(regclass) IS
	'sdc_information_loss, with the rights of the caller';

CREATE FUNCTION sdc_private.score(release regclass, known name[],
	known_max int, sample bigint, seed_text text)
RETURNS TABLE (people_found float8, certain_percent float8, il float8, dld float8, pld float8, rsld float8, interval_disclosure float8, dr float8,
	dr_generic float8, score float8, score_generic float8, dr_low float8, dr_high float8,
	dld_low float8, dld_high float8, pld_low float8, pld_high float8, rsld_low float8, rsld_high float8)
AS 'MODULE_PATHNAME', 'sdc_private_score' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 1;
COMMENT ON FUNCTION sdc_private.score(regclass, name[], int, bigint, text) IS
	'sdc_score, with the rights of the caller';

CREATE FUNCTION sdc_private.distinguishability(release regclass, columns name[],
	pairs boolean)
RETURNS TABLE (r2 float8, pmse float8, rank int, chance float8)
AS 'MODULE_PATHNAME', 'sdc_private_distinguishability' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 1;
COMMENT ON FUNCTION sdc_private.distinguishability(regclass, name[], boolean) IS
	'sdc_distinguishability, with the rights of the caller';

CREATE FUNCTION sdc_private.statistic_errors(release regclass)
RETURNS TABLE (attribute name, statistic text, original float8, protected float8,
	relative_error float8, standard_error float8)
AS 'MODULE_PATHNAME', 'sdc_private_statistic_errors' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 100;
COMMENT ON FUNCTION sdc_private.statistic_errors(regclass) IS
	'sdc_statistic_errors, with the rights of the caller';

CREATE FUNCTION sdc_private.association_recall(release regclass, min_support float8,
	min_confidence float8, reading text, max_length int,
	qi name[], sensitive name[])
RETURNS TABLE (length int, original bigint, recovered bigint, artificial bigint,
	recall_percent float8, artificial_percent float8)
AS 'MODULE_PATHNAME', 'sdc_private_association_recall' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 10;
COMMENT ON FUNCTION sdc_private.association_recall(regclass, float8, float8, text, int, name[], name[]) IS
	'sdc_association_recall, with the rights of the caller';

CREATE FUNCTION sdc_private.publish(release regclass, target text, keep name[],
	grant_to name[], mode text, replace boolean,
	approved boolean, evaluation text)
RETURNS TABLE (publication regclass, records bigint, columns name[], sha256 bytea, locked_ms float8)
AS 'MODULE_PATHNAME', 'sdc_private_publish' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 1;
COMMENT ON FUNCTION sdc_private.publish(regclass, text, name[], name[], text, boolean, boolean, text) IS
	'what is below runs: sdc_publish, of what the run has evaluated';

CREATE FUNCTION sdc_private.version()
RETURNS text
AS 'MODULE_PATHNAME', 'sdc_private_version' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sdc_private.version() IS
	'sdc_version, with the rights of the caller';

-- Who has called the function of the interface that is at work: in plumbing, current_user is the bootstrap superuser.
CREATE FUNCTION sdc_private.caller()
RETURNS name
AS 'MODULE_PATHNAME', 'sdc_private_caller' LANGUAGE C STABLE PARALLEL RESTRICTED;
COMMENT ON FUNCTION sdc_private.caller() IS
	'the role whose function of the interface is at work';

CREATE FUNCTION sdc_private.drop_release(release regclass)
RETURNS void
AS 'MODULE_PATHNAME', 'sdc_private_drop_release' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 10000;
COMMENT ON FUNCTION sdc_private.drop_release(regclass) IS
	'drops a release, with the rights of the caller';

----------------------------------------------------------------------
-- Views over all releases
----------------------------------------------------------------------

-- What is kept of a release, or what is measured now where nothing is and it is small; a row with the reason for what
-- cannot be, no row for what the caller may not read.  PARALLEL RESTRICTED: temporary tables.
CREATE FUNCTION sdc_private.releases(OUT release regclass, OUT source regclass, OUT method text,
	OUT parameters jsonb, OUT columns name[], OUT key name[], OUT strata name[], OUT omitted name[],
	OUT qi name[], OUT sensitive name[], OUT records bigint, OUT seeded boolean, OUT created_by name,
	OUT created_at timestamptz, OUT stream_version int)
RETURNS SETOF record
AS 'MODULE_PATHNAME', 'sdc_private_releases' LANGUAGE C STABLE PARALLEL RESTRICTED COST 10000 ROWS 100;
COMMENT ON FUNCTION sdc_private.releases() IS
	'what is below the view sdc_releases';

CREATE VIEW sdc_releases WITH (security_invoker = true) AS
SELECT r.release, r.source, r.method, r.parameters, r.columns, r.key, r.strata, r.omitted,
	r.qi, r.sensitive, r.records, r.seeded, r.created_by, r.created_at, r.stream_version
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
	'what is below the view sdc_scores';

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
	'what is below the view sdc_ru_map';

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
	'what is below the view sdc_query_errors';

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
	'what is below the view sdc_association_recall';

CREATE VIEW sdc_association_recall WITH (security_invoker = true) AS
SELECT r.release, r.source, r.method, r.parameters, a.length, a.original, a.recovered,
	a.artificial, pg_catalog.round(a.recall_percent::pg_catalog.numeric, 1) AS recall_percent,
	pg_catalog.round(a.artificial_percent::pg_catalog.numeric, 1) AS artificial_percent, a.problem,
	a.evaluated_at, a.min_support, a.min_confidence
FROM sdc_private.releases() AS r
CROSS JOIN LATERAL sdc_private.stored_association_recall(r.release) AS a;
COMMENT ON VIEW sdc_association_recall IS
	'recall of associations by all releases that the caller may read together with their source';

----------------------------------------------------------------------
-- Release: policies
----------------------------------------------------------------------

-- The methods in the order of their table (src/relation/methods.c), and whether their values stay within windows.
CREATE FUNCTION sdc_private.methods()
RETURNS TABLE (method text, windows boolean)
AS 'MODULE_PATHNAME', 'sdc_private_methods' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 100 ROWS 8;
COMMENT ON FUNCTION sdc_private.methods() IS
	'what is below sdc_policy_set and reports: the methods, and whether their values stay within windows';

-- A policy says how a table is protected, what leaves, and which limits a release has to keep.
CREATE FUNCTION sdc_private.plan(source regclass, steps jsonb, key name[], strata name[], omit name[], keep name[])
RETURNS TABLE (attribute name, action text, method text)
AS 'MODULE_PATHNAME', 'sdc_private_plan' LANGUAGE C STABLE PARALLEL UNSAFE COST 10000 ROWS 20;
COMMENT ON FUNCTION sdc_private.plan(regclass, jsonb, name[], name[], name[], name[]) IS
	'what is below sdc_policy_set: what would happen to every column';

CREATE FUNCTION sdc_private.policy_put(policy name, definition jsonb)
RETURNS void
AS 'MODULE_PATHNAME', 'sdc_private_policy_put' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 10000;
COMMENT ON FUNCTION sdc_private.policy_put(name, jsonb) IS
	'what is below sdc_policy_set: enters a policy of the caller';

-- What a release can be held to.  What is judged is the upper end where it is an interval.
CREATE FUNCTION sdc_private.limits()
RETURNS TABLE (measure text, lowest float8, highest float8, at_most boolean, meaning text)
LANGUAGE sql IMMUTABLE PARALLEL SAFE ROWS 11
SET search_path = pg_catalog, pg_temp
AS $limits$ VALUES
	('people_found', 0::float8, 100::float8, true, 'percent of the people that the attacks together find'),
	('certain_percent', 0, 100, true, 'percent of the people with one candidate only'),
	('il', 0, 1e308, true, 'information loss'),
	('score', 0, 1e308, true, 'mean of disclosure risk and information loss'),
	('k', 1, 1e9, false, 'records that are equal in all quasi-identifiers'),
	('l', 1, 1e9, false, 'entropy diversity of the sensitive column'),
	('t', 0, 1, true, 'distance of the sensitive column in a group from all'),
	('composed_people_found', 0, 100, true, 'percent of the people that all published releases together find'),
	('exposed', 0, 100, true, 'percent of the cells that several releases tell exactly'),
	('max_gone', 0, 100, true, 'percent of the records of the release before that are gone from the source'),
	('max_new', 0, 1e308, true, 'records of the source that the release before has not, in percent of that') $limits$;
COMMENT ON FUNCTION sdc_private.limits() IS
	'what is below sdc_policy_set: the limits of a policy';

-- check_limits raises an error for limits that are none.
CREATE FUNCTION sdc_private.check_limits(limits jsonb)
RETURNS void
LANGUAGE plpgsql STABLE PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $check$
DECLARE
	names CONSTANT text := (SELECT string_agg(l.measure, ', ') || ', min_interval' FROM sdc_private.limits() AS l);
	given record;
BEGIN
	IF limits IS NULL OR jsonb_typeof(limits) <> 'object' THEN
		RAISE EXCEPTION USING ERRCODE = 'invalid_parameter_value', MESSAGE = 'argument "limits" must be an object of limits',
			HINT = 'Such as: {"people_found": 5, "certain_percent": 1}. Possible are ' || names || '.';
	END IF;
	FOR given IN SELECT e.key, e.value, l.measure, l.lowest, l.highest
		FROM jsonb_each(limits - 'min_interval') AS e LEFT JOIN sdc_private.limits() AS l ON l.measure = e.key
	LOOP
		IF given.measure IS NULL THEN
			RAISE EXCEPTION USING ERRCODE = 'invalid_parameter_value', MESSAGE = format('argument "limits" has an unknown limit "%s"', given.key),
				HINT = 'Possible are ' || names || '.';
		ELSIF given.value = 'null' AND given.key IN ('max_gone', 'max_new') THEN
			CONTINUE;	-- switched off
		ELSIF jsonb_typeof(given.value) <> 'number' THEN
			RAISE EXCEPTION USING ERRCODE = 'invalid_parameter_value', MESSAGE = format('limit "%s" must be a number', given.key);
		ELSIF given.value::numeric NOT BETWEEN given.lowest::numeric AND given.highest::numeric THEN
			RAISE EXCEPTION USING ERRCODE = 'invalid_parameter_value', MESSAGE = format('limit "%s" is out of range', given.key),
				HINT = format('It is between %s and %s.', given.lowest, given.highest);
		END IF;
	END LOOP;
	BEGIN
		IF jsonb_typeof(limits -> 'min_interval') <> 'string' OR (limits ->> 'min_interval')::interval < interval '0' THEN
			RAISE datetime_field_overflow;
		END IF;
	EXCEPTION WHEN data_exception THEN
		RAISE EXCEPTION USING ERRCODE = 'invalid_parameter_value', MESSAGE = 'limit "min_interval" must be an interval',
			HINT = 'Such as: {"min_interval": "7 days"}, from what is published to the next that may be.';
	END;
	IF NOT limits ?| ARRAY['people_found', 'certain_percent', 'k', 'l', 't'] THEN
		RAISE EXCEPTION USING ERRCODE = 'invalid_parameter_value', MESSAGE = 'argument "limits" has no limit of the risk',
			HINT = 'Such as: {"people_found": 5}, the percentage of people that may be found.';
	END IF;
END
$check$;
COMMENT ON FUNCTION sdc_private.check_limits(jsonb) IS
	'what is below sdc_policy_set: checks limits';

-- sdc_private.check_policy raises an error for a definition that cannot be run now, and returns the columns that leave.
CREATE FUNCTION sdc_private.check_policy(definition jsonb)
RETURNS name[]
LANGUAGE plpgsql STABLE PARALLEL UNSAFE COST 10000
SET search_path = pg_catalog, pg_temp
AS $check$
DECLARE
	source CONSTANT regclass := (definition ->> 'source')::regclass;
	key CONSTANT name[] := ARRAY(SELECT jsonb_array_elements_text(definition -> 'key'));
	strata CONSTANT name[] := ARRAY(SELECT jsonb_array_elements_text(definition -> 'strata'));
	keep CONSTANT name[] := ARRAY(SELECT jsonb_array_elements_text(definition -> 'keep'));
	omit CONSTANT name[] := ARRAY(SELECT jsonb_array_elements_text(definition -> 'omit'));
	place CONSTANT int := (SELECT min(s.n) - 1 FROM jsonb_array_elements(definition -> 'steps') WITH ORDINALITY AS s (step, n)
		WHERE jsonb_typeof(s.step) = 'object' AND NOT s.step ?| ARRAY['columns', 'qi']);
	plan CONSTANT jsonb := (SELECT jsonb_object_agg(p.attribute, p.action) FROM sdc_private.plan(source, definition -> 'steps',
		CASE WHEN definition ? 'key' THEN key END, strata, omit, NULL) AS p);
	unnamed CONSTANT text := (SELECT string_agg(quote_ident(p.key), ', ' ORDER BY p.key COLLATE "C") FROM jsonb_each_text(plan) AS p
		WHERE p.value = 'copied' AND p.key::name <> ALL (keep || strata || omit));
	windowed CONSTANT text[] := ARRAY(SELECT m.method FROM sdc_private.methods() AS m WHERE m.windows); -- which tell what releases tell together
	composed CONSTANT text := (SELECT min(l.name) FROM (VALUES ('composed_people_found'), ('exposed')) AS l (name)
		WHERE definition -> 'limits' ? l.name);
	unbounded text;
BEGIN
	-- with keep all else would be left out: this is about the names in it
	PERFORM FROM sdc_private.plan(source, definition -> 'steps', CASE WHEN definition ? 'key' THEN key END, strata, omit, keep);
	IF place IS NOT NULL THEN
		RAISE EXCEPTION USING ERRCODE = 'invalid_parameter_value', MESSAGE = format('steps[%s] does not name its columns', place),
			HINT = 'A policy names every column that leaves, so that a new one of the source does not.';
	ELSIF unnamed IS NOT NULL THEN
		RAISE EXCEPTION USING ERRCODE = 'object_not_in_prerequisite_state',
			MESSAGE = format('the policy says nothing of columns of "%s": %s', source, unnamed),
			HINT = 'Name them in argument "keep" if they are to leave as they are, or in argument "omit".';
	END IF;
	IF composed IS NOT NULL THEN
		unbounded := (SELECT string_agg(format('%I (%s)', p.attribute, p.method), ', ' ORDER BY p.attribute::text COLLATE "C")
			FROM sdc_private.plan(source, definition -> 'steps', CASE WHEN definition ? 'key' THEN key END, strata, omit, NULL) AS p
			WHERE p.action = 'protected' AND p.method <> ALL (windowed)
				AND (NOT definition ? 'known' OR definition -> 'known' ? p.attribute::text));
	END IF;
	IF unbounded IS NOT NULL THEN
		RAISE EXCEPTION USING ERRCODE = 'invalid_parameter_value',
			MESSAGE = format('limit "%s" is not for columns whose values have no windows: %s', composed, unbounded),
			HINT = format('Methods with windows are %s and %s. Leave the limit out, or name columns of these in argument "known".',
				array_to_string(trim_array(windowed, 1), ', '), windowed[cardinality(windowed)]);
	END IF;
	RETURN ARRAY(SELECT p.key::name FROM jsonb_each_text(plan) AS p
		WHERE p.value = 'protected' OR (p.value = 'copied' AND p.key::name = ANY (keep)));
END
$check$;
COMMENT ON FUNCTION sdc_private.check_policy(jsonb) IS
	'what is below sdc_policy_set and runs: checks a policy against its source, and returns the columns that leave';

-- policy_enter checks a definition, and enters it as a policy of the caller.
CREATE FUNCTION sdc_private.policy_enter(policy name, definition jsonb)
RETURNS void
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 10000
SET search_path = pg_catalog, pg_temp
AS $enter$
DECLARE
	parts CONSTANT text[] := parse_ident(definition ->> 'publish_as');
	named CONSTANT text[] := ARRAY(SELECT jsonb_array_elements_text(definition -> 'approvers'));
	stranger CONSTANT text := (SELECT g.role FROM unnest(ARRAY(SELECT jsonb_array_elements_text(definition -> 'grant_to')) || named) AS g (role)
		WHERE g.role IS NULL OR NOT EXISTS (SELECT FROM pg_roles AS r WHERE r.rolname = g.role) AND (g.role <> 'public' OR g.role = ANY (named)) LIMIT 1);
	leaves name[];
BEGIN
	IF cardinality(parts) <> 2 THEN
		RAISE EXCEPTION USING ERRCODE = 'invalid_parameter_value', MESSAGE = 'argument "publish_as" must be a schema and a name',
			HINT = 'Such as: public.census_public. A policy runs with whatever search path there is then.';
	ELSIF to_regnamespace(quote_ident(parts[1])) IS NULL THEN
		RAISE EXCEPTION USING ERRCODE = 'invalid_schema_name', MESSAGE = format('schema "%s" does not exist', parts[1]);
	ELSIF to_regclass(format('%I.%I', parts[1], parts[2])) = (definition ->> 'source')::regclass THEN
		RAISE EXCEPTION USING ERRCODE = 'invalid_parameter_value', MESSAGE = 'argument "publish_as" is the source';
	ELSIF stranger IS NOT NULL OR array_position(named, NULL) IS NOT NULL THEN
		RAISE EXCEPTION USING ERRCODE = 'undefined_object', MESSAGE = format('role "%s" does not exist', stranger),
			DETAIL = 'It is named in argument "grant_to" or "approvers".';
	ELSIF definition ->> 'mode' NOT IN ('exchange', 'rows') THEN
		RAISE EXCEPTION USING ERRCODE = 'invalid_parameter_value', MESSAGE = 'argument "mode" is unknown',
			HINT = 'It is exchange or rows.';
	ELSIF definition ->> 'on_unchanged' NOT IN ('skip', 'publish') THEN
		RAISE EXCEPTION USING ERRCODE = 'invalid_parameter_value', MESSAGE = 'argument "on_unchanged" is unknown',
			HINT = 'It is skip or publish.';
	ELSIF (definition ->> 'history')::int < 1 THEN
		RAISE EXCEPTION USING ERRCODE = 'invalid_parameter_value', MESSAGE = 'argument "history" is out of range',
			HINT = 'It is a number of published releases that are kept, at least 1.';
	ELSIF (definition ->> 'sample')::bigint < 1 THEN
		RAISE EXCEPTION USING ERRCODE = 'invalid_parameter_value', MESSAGE = 'argument "sample" is out of range',
			HINT = 'It is a number of records, at least 1; NULL measures all.';
	END IF;
	PERFORM sdc_private.check_limits(definition -> 'limits');
	leaves := sdc_private.check_policy(definition);
	IF EXISTS (SELECT FROM jsonb_array_elements_text(definition -> 'known') AS k (name) WHERE k.name IS NULL OR k.name::name <> ALL (leaves)) THEN
		RAISE EXCEPTION USING ERRCODE = 'invalid_parameter_value', MESSAGE = 'argument "known" names columns that do not leave';
	END IF;
	PERFORM sdc_private.policy_put(policy, definition);
END
$enter$;
COMMENT ON FUNCTION sdc_private.policy_enter(name, jsonb) IS
	'what is below sdc_policy_set and sdc_policy_alter: checks a policy and enters it';

CREATE FUNCTION sdc_private.policy_set(policy name, source regclass, steps jsonb, publish_as text, key name[],
	strata name[], keep name[], limits jsonb, grant_to name[],
	approve boolean, known name[], omit name[],
	mode text, sample bigint, approvers name[],
	on_unchanged text, history int)
RETURNS void
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 10000
SET search_path = pg_catalog, pg_temp
SET quote_all_identifiers = off
AS $set$
DECLARE
	missing CONSTANT text := (SELECT a.name FROM (VALUES ('policy', $1 IS NULL), ('source', $2 IS NULL), ('steps', $3 IS NULL),
		('publish_as', $4 IS NULL), ('approve', $10 IS NULL), ('mode', $13 IS NULL), ('on_unchanged', $16 IS NULL)) AS a (name, missing) WHERE a.missing LIMIT 1);
BEGIN
	IF missing IS NOT NULL THEN
		RAISE EXCEPTION USING ERRCODE = 'null_value_not_allowed', MESSAGE = format('argument "%s" must not be null', missing);
	END IF;
	-- the name of the source as it is with nothing but this path: with its schema; a null in the limits switches one off
	PERFORM sdc_private.policy_enter($1, jsonb_strip_nulls(jsonb_build_object('source', $2::text, 'steps', $3, 'publish_as', $4, 'key', $5,
		'strata', $6, 'keep', $7, 'grant_to', $9, 'approve', $10, 'known', $11, 'omit', $12, 'mode', $13, 'sample', $14,
		'approvers', $15, 'on_unchanged', $16, 'history', $17)) || CASE WHEN $8 IS NULL THEN '{}' ELSE jsonb_build_object('limits', $8) END);
END
$set$;
COMMENT ON FUNCTION sdc_private.policy_set(name, regclass, jsonb, text, name[], name[], name[], jsonb, name[], boolean, name[], name[], text, bigint, name[], text, int) IS
	'what sdc_policy_set does';

-- What is null stays as it is, and so does a limit that is not named.
CREATE FUNCTION sdc_private.policy_alter(policy name, limits jsonb, paused boolean, source regclass, steps jsonb, publish_as text,
	key name[], strata name[], keep name[], grant_to name[], approve boolean, known name[], omit name[], mode text, sample bigint,
	approvers name[], on_unchanged text, history int)
RETURNS void
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 10000
SET search_path = pg_catalog, pg_temp
SET quote_all_identifiers = off
AS $alter$
DECLARE
	old CONSTANT jsonb := (SELECT p.definition FROM sdc_private.policies() AS p WHERE p.policy = $1);
	given CONSTANT jsonb := jsonb_strip_nulls(jsonb_build_object('paused', $3, 'source', $4::text, 'steps', $5, 'publish_as', $6, 'key', $7,
		'strata', $8, 'keep', $9, 'grant_to', $10, 'approve', $11, 'known', $12, 'omit', $13, 'mode', $14, 'sample', $15,
		'approvers', $16, 'on_unchanged', $17, 'history', $18));
BEGIN
	IF $1 IS NULL THEN
		RAISE EXCEPTION USING ERRCODE = 'null_value_not_allowed', MESSAGE = 'argument "policy" must not be null';
	ELSIF old IS NULL THEN
		RAISE EXCEPTION USING ERRCODE = 'undefined_object', MESSAGE = format('policy "%s" does not exist', $1),
			HINT = 'View sdc_policies lists the policies of roles whose rights you have.';
	ELSIF jsonb_typeof($2) <> 'object' THEN
		RAISE EXCEPTION USING ERRCODE = 'invalid_parameter_value', MESSAGE = 'argument "limits" must be an object of limits',
			HINT = 'Such as: {"people_found": 5}. A null takes a limit away.';
	END IF;
	PERFORM sdc_private.policy_enter($1, old || given || CASE WHEN $2 IS NULL THEN '{}' ELSE jsonb_build_object('limits',
		(SELECT jsonb_object_agg(l.key, l.value) FROM jsonb_each((old -> 'limits') || $2) AS l
			WHERE l.value <> 'null' OR l.key IN ('max_gone', 'max_new'))) END);
END
$alter$;
COMMENT ON FUNCTION sdc_private.policy_alter(name, jsonb, boolean, regclass, jsonb, text, name[], name[], name[], name[], boolean, name[], name[], text, bigint, name[], text, int) IS
	'what sdc_policy_alter does';

CREATE FUNCTION sdc_policy_set(policy name, source regclass, steps jsonb, publish_as text, key name[] DEFAULT NULL,
	strata name[] DEFAULT NULL, keep name[] DEFAULT NULL, limits jsonb DEFAULT NULL, grant_to name[] DEFAULT NULL,
	approve boolean DEFAULT false, known name[] DEFAULT NULL, omit name[] DEFAULT NULL,
	mode text DEFAULT 'exchange', sample bigint DEFAULT NULL, approvers name[] DEFAULT NULL,
	on_unchanged text DEFAULT 'skip', history int DEFAULT NULL)
RETURNS void
AS 'MODULE_PATHNAME', 'sdc_enter' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 10000;
COMMENT ON FUNCTION sdc_policy_set(name, regclass, jsonb, text, name[], name[], name[], jsonb, name[], boolean, name[], name[], text, bigint, name[], text, int) IS
	'sets a policy: how a table is protected, what leaves, and the limits that a release must keep (needs policy, source, steps, publish_as)';

CREATE FUNCTION sdc_policy_alter(policy name, limits jsonb DEFAULT NULL, paused boolean DEFAULT NULL, source regclass DEFAULT NULL,
	steps jsonb DEFAULT NULL, publish_as text DEFAULT NULL, key name[] DEFAULT NULL, strata name[] DEFAULT NULL, keep name[] DEFAULT NULL,
	grant_to name[] DEFAULT NULL, approve boolean DEFAULT NULL, known name[] DEFAULT NULL, omit name[] DEFAULT NULL, mode text DEFAULT NULL,
	sample bigint DEFAULT NULL, approvers name[] DEFAULT NULL, on_unchanged text DEFAULT NULL, history int DEFAULT NULL)
RETURNS void
AS 'MODULE_PATHNAME', 'sdc_enter' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 10000;
COMMENT ON FUNCTION sdc_policy_alter(name, jsonb, boolean, regclass, jsonb, text, name[], name[], name[], name[], boolean, name[], name[], text, bigint, name[], text, int) IS
	'changes what is given of a policy, such as one limit, or pauses it (needs policy)';

CREATE FUNCTION sdc_private.policy_remove(policy name)
RETURNS void
AS 'MODULE_PATHNAME', 'sdc_private_policy_remove' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 10000;
COMMENT ON FUNCTION sdc_private.policy_remove(name) IS
	'what is below sdc_policy_drop: takes a policy out of the catalog';

-- The releases of runs have the key and all records: they go, and what was published stays.
CREATE FUNCTION sdc_private.policy_drop(policy name)
RETURNS void
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 10000
SET search_path = pg_catalog, pg_temp
SET lock_timeout = '1s'
AS $drop$
DECLARE
	whose CONSTANT name := (SELECT pg_get_userbyid(p.owner) FROM sdc_private.policies() AS p WHERE p.policy = $1);
	ran record;
BEGIN
	PERFORM sdc_private.policy_remove($1);
	FOR ran IN SELECT min(l.run) AS run, r.release, bool_or(l.status = 'waiting') AS waits
		FROM sdc_private.runs($1, NULL) AS l JOIN sdc_private.releases() AS r ON r.release::oid::text = l.detail ->> 'release_oid'
		WHERE l.owner = whose AND l.status <> 'running' GROUP BY r.release
	LOOP
		IF ran.waits THEN
			RAISE WARNING USING MESSAGE = format('release "%s" of run %s stays, which waits', ran.release, ran.run),
				HINT = format('Reject it: SELECT sdc_reject(%s, ...).', ran.run);
			CONTINUE;
		END IF;
		BEGIN
			PERFORM sdc_private.drop_release(ran.release);
		EXCEPTION WHEN dependent_objects_still_exist OR lock_not_available OR insufficient_privilege THEN
			RAISE WARNING USING MESSAGE = format('release "%s" of run %s stays', ran.release, ran.run), DETAIL = SQLERRM;
		END;
	END LOOP;
END
$drop$;
COMMENT ON FUNCTION sdc_private.policy_drop(name) IS
	'what sdc_policy_drop does';

CREATE FUNCTION sdc_policy_drop(policy name)
RETURNS void
AS 'MODULE_PATHNAME', 'sdc_enter' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 10000;
COMMENT ON FUNCTION sdc_policy_drop(name) IS
	'forgets a policy and drops the releases of its runs; what it has published stays (needs policy)';

CREATE FUNCTION sdc_private.policies(OUT policy name, OUT owner regrole, OUT definition jsonb)
RETURNS SETOF record
AS 'MODULE_PATHNAME', 'sdc_private_policies' LANGUAGE C STABLE PARALLEL RESTRICTED COST 10000 ROWS 10;
COMMENT ON FUNCTION sdc_private.policies() IS
	'what is below the view sdc_policies';

CREATE VIEW sdc_policies WITH (security_invoker = true) AS
SELECT p.policy, p.owner, p.definition OPERATOR(pg_catalog.->>) 'source' AS source,
	p.definition OPERATOR(pg_catalog.->) 'steps' AS steps,
	p.definition OPERATOR(pg_catalog.->>) 'publish_as' AS publish_as,
	p.definition OPERATOR(pg_catalog.->) 'key' AS key, p.definition OPERATOR(pg_catalog.->) 'strata' AS strata,
	p.definition OPERATOR(pg_catalog.->) 'keep' AS keep, p.definition OPERATOR(pg_catalog.->) 'omit' AS omit,
	p.definition OPERATOR(pg_catalog.->) 'known' AS known, p.definition OPERATOR(pg_catalog.->) 'limits' AS limits,
	p.definition OPERATOR(pg_catalog.->) 'grant_to' AS grant_to,
	(p.definition OPERATOR(pg_catalog.->) 'approve') OPERATOR(pg_catalog.=) 'true'::pg_catalog.jsonb AS approve,
	p.definition OPERATOR(pg_catalog.->) 'approvers' AS approvers, p.definition OPERATOR(pg_catalog.->>) 'mode' AS mode,
	pg_catalog.jsonb_path_query_first(p.definition, '$.sample ? (@.type() == "number" && @ >= 0 && @ < 9e18)')::pg_catalog.int8 AS sample,
	p.definition OPERATOR(pg_catalog.->>) 'on_unchanged' AS on_unchanged,
	pg_catalog.jsonb_path_query_first(p.definition, '$.history ? (@.type() == "number" && @ >= 0 && @ < 2e9)')::pg_catalog.int4 AS history,
	(SELECT pg_catalog.format('SELECT sdc_policy_set(policy => %L%s);', p.policy, pg_catalog.string_agg(
		pg_catalog.format(', %I => %s', e.key, CASE WHEN pg_catalog.jsonb_typeof(e.value) OPERATOR(pg_catalog.=) 'array'
				AND e.key OPERATOR(pg_catalog.<>) 'steps'
			THEN pg_catalog.quote_literal(ARRAY(SELECT pg_catalog.jsonb_array_elements_text(e.value))::pg_catalog.text)
			ELSE pg_catalog.quote_literal(e.value OPERATOR(pg_catalog.#>>) '{}') END), ''
		ORDER BY pg_catalog.array_position(ARRAY['source', 'steps', 'publish_as', 'key', 'strata', 'keep', 'limits', 'grant_to',
			'approve', 'known', 'omit', 'mode', 'sample', 'approvers', 'on_unchanged', 'history'], e.key)))
		FROM pg_catalog.jsonb_each(p.definition OPERATOR(pg_catalog.-) 'paused') AS e) AS statement,
	COALESCE((p.definition OPERATOR(pg_catalog.->) 'paused') OPERATOR(pg_catalog.=) 'true'::pg_catalog.jsonb, false) AS paused
FROM sdc_private.policies() AS p;
COMMENT ON VIEW sdc_policies IS
	'the policies of the caller, and the statements that make them again';

----------------------------------------------------------------------
-- Release: limits
----------------------------------------------------------------------

-- What is beyond its limit by a part in 1e9 keeps it: sums of shares are rounded.
CREATE FUNCTION sdc_private.keeps(value float8, bound float8, at_most boolean)
RETURNS boolean
AS 'MODULE_PATHNAME', 'sdc_private_keeps' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 100;
COMMENT ON FUNCTION sdc_private.keeps(float8, float8, boolean) IS
	'whether a measure keeps its limit; one that is not defined does not';

-- As many digits as tell a measure from its limit, at least so many.
CREATE FUNCTION sdc_private.told_apart(value float8, bound float8, digits int)
RETURNS text
AS 'MODULE_PATHNAME', 'sdc_private_told_apart' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 100;
COMMENT ON FUNCTION sdc_private.told_apart(float8, float8, int) IS
	'a measure as a message shows it beside its limit';

-- The measures are those of sdc_evaluate.  One that is not defined for the release is NULL, and its limit is not kept.
CREATE FUNCTION sdc_private.gate(measures jsonb, limits jsonb)
RETURNS TABLE (measure text, value float8, bound float8, kept boolean)
LANGUAGE sql IMMUTABLE PARALLEL SAFE ROWS 3
SET search_path = pg_catalog, pg_temp
AS $gate$
	SELECT g.measure, g.value, g.bound, sdc_private.keeps(g.value, g.bound, g.at_most)
	FROM (SELECT e.key AS measure, ($1 #>> ARRAY['judged', e.key])::float8 AS value, e.value::text::float8 AS bound, l.at_most
		FROM jsonb_each($2 - 'min_interval') AS e LEFT JOIN sdc_private.limits() AS l ON l.measure = e.key WHERE e.value <> 'null') AS g
$gate$;
COMMENT ON FUNCTION sdc_private.gate(jsonb, jsonb) IS
	'what is below the limits: what a release was measured to be, and whether it keeps them';

CREATE FUNCTION sdc_private.assert_risk(release regclass, max_people_found float8)
RETURNS void
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 1000000
SET search_path = pg_catalog, pg_temp
SET extra_float_digits = 1
AS $assert$
DECLARE
	found float8;
BEGIN
	IF max_people_found IS NULL THEN
		RAISE EXCEPTION USING ERRCODE = 'null_value_not_allowed', MESSAGE = 'argument "max_people_found" must not be null';
	ELSIF NOT max_people_found BETWEEN 0 AND 100 THEN
		RAISE EXCEPTION USING ERRCODE = 'invalid_parameter_value', MESSAGE = 'argument "max_people_found" is out of range',
			HINT = 'It is a percentage of the people: 0 to 100.';
	END IF;
	-- what is kept and still true need not be measured again, if it is about all that is known, and about all people
	found := COALESCE((SELECT (e.measures #>> '{people,any,percent}')::float8 FROM sdc_private.evaluation($1::regclass) AS e (measures)
			WHERE e.measures -> 'known_given' = 'false' AND e.measures -> 'sample' = 'null'),
		(SELECT COALESCE(p.high, p.percent) FROM sdc_private.people_found($1::regclass, NULL::name[], false::boolean, NULL::bigint, NULL::text) AS p
			WHERE p.attack = 'any'));
	IF NOT sdc_private.keeps(COALESCE(found, 0), max_people_found, true) THEN
		RAISE EXCEPTION USING ERRCODE = 'SD001',
			MESSAGE = format('in release "%s" %s percent of the people are found, and %s are allowed', $1, sdc_private.told_apart(found, $2, 1), $2);
	END IF;
END
$assert$;
COMMENT ON FUNCTION sdc_private.assert_risk(regclass, float8) IS
	'what sdc_assert_risk does';

CREATE FUNCTION sdc_assert_risk(release regclass, max_people_found float8)
RETURNS void
AS 'MODULE_PATHNAME', 'sdc_enter' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000;
COMMENT ON FUNCTION sdc_assert_risk(regclass, float8) IS
	'raises SD001 if more people are found in a release than are allowed (needs release, max_people_found)';

CREATE FUNCTION sdc_private.assert_k(relation regclass, qi name[], k int)
RETURNS void
LANGUAGE plpgsql STABLE PARALLEL UNSAFE COST 1000000
SET search_path = pg_catalog, pg_temp
AS $assert$
DECLARE
	found bigint;
BEGIN
	IF $3 IS NULL THEN
		RAISE EXCEPTION USING ERRCODE = 'null_value_not_allowed', MESSAGE = 'argument "k" must not be null';
	ELSIF $3 < 1 THEN
		RAISE EXCEPTION USING ERRCODE = 'invalid_parameter_value', MESSAGE = 'argument "k" is out of range',
			HINT = 'It is how many records are equal in all of qi: at least 1.';
	END IF;
	found := (SELECT a.k FROM sdc_private.kanonymity($1, $2) AS a);
	IF found < $3 THEN
		RAISE EXCEPTION USING ERRCODE = 'SD001',
			MESSAGE = format('relation "%s" has a group of %s records, and %s are the least that is allowed', $1, found, $3);
	END IF;
END
$assert$;
COMMENT ON FUNCTION sdc_private.assert_k(regclass, name[], int) IS
	'what sdc_assert_k does';

CREATE FUNCTION sdc_assert_k(relation regclass, qi name[], k int)
RETURNS void
AS 'MODULE_PATHNAME', 'sdc_enter' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000;
COMMENT ON FUNCTION sdc_assert_k(regclass, name[], int) IS
	'raises SD001 if a group of records that are equal in some columns is too small (needs relation, qi, k)';

----------------------------------------------------------------------
-- Publish
----------------------------------------------------------------------

-- What the table beside a publication says.  Without columns it says that of all, and without a number measures any.
CREATE FUNCTION sdc_private.accuracy(release regclass, columns name[], records bigint, most bigint)
RETURNS TABLE (part text, attribute name, measure text, value float8)
AS 'MODULE_PATHNAME', 'sdc_private_accuracy' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 50;
COMMENT ON FUNCTION sdc_private.accuracy(regclass, name[], bigint, bigint) IS
	'what is measured of a publication, for sdc_publish';

CREATE FUNCTION sdc_private.accuracy_drawn(release regclass, step int)
RETURNS float8[]
AS 'MODULE_PATHNAME', 'sdc_private_accuracy_drawn' LANGUAGE C STABLE PARALLEL UNSAFE COST 100;
COMMENT ON FUNCTION sdc_private.accuracy_drawn(regclass, int) IS
	'the probabilities of a step as they may be published, for sdc_report';

CREATE FUNCTION sdc_publish(release regclass, target text, keep name[] DEFAULT NULL,
	grant_to name[] DEFAULT NULL, mode text DEFAULT 'exchange', replace boolean DEFAULT false,
	force boolean DEFAULT false, max_people_found float8 DEFAULT NULL)
RETURNS TABLE (publication regclass, records bigint, columns name[], sha256 bytea, locked_ms float8)
AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 1;
COMMENT ON FUNCTION sdc_publish(regclass, text, name[], name[], text, boolean, boolean, float8) IS
	'makes the public copy of a release: without key, in random order, only protected columns and those that keep names (needs release, target, max_people_found)';

CREATE FUNCTION sdc_withdraw(target regclass, why text)
RETURNS void
AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 10000;
COMMENT ON FUNCTION sdc_withdraw(regclass, text) IS
	'drops a publication, and says why in the log of the server (needs target, why)';

CREATE FUNCTION sdc_private.publications(OUT publication regclass, OUT release regclass, OUT mode text,
	OUT columns name[], OUT kept name[], OUT records bigint, OUT sha256 bytea, OUT forced boolean,
	OUT published_by name, OUT published_at timestamptz)
RETURNS SETOF record
AS 'MODULE_PATHNAME', 'sdc_private_publications' LANGUAGE C STABLE PARALLEL RESTRICTED COST 10000 ROWS 100;
COMMENT ON FUNCTION sdc_private.publications() IS
	'what is below the view sdc_publications';

-- The readers are names of roles, and public.  In a table that has other columns no new records can be written.
CREATE FUNCTION sdc_private.publication_problem(publication regclass, owner name, readers name[])
RETURNS TABLE (problem text, other_columns boolean)
AS 'MODULE_PATHNAME', 'sdc_private_publication_problem' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 1;
COMMENT ON FUNCTION sdc_private.publication_problem(regclass, name, name[]) IS
	'what of a publication is not as it was published; no row: nothing';

CREATE FUNCTION sdc_private.drop_publication(publication regclass)
RETURNS void
AS 'MODULE_PATHNAME', 'sdc_private_drop_publication' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 10000;
COMMENT ON FUNCTION sdc_private.drop_publication(regclass) IS
	'drops a publication and its accuracy table, with the rights of the caller';

CREATE VIEW sdc_publications WITH (security_invoker = true) AS
SELECT p.publication, p.release, p.mode, p.columns, p.kept, p.records, p.sha256, p.forced,
	p.published_by, p.published_at
FROM sdc_private.publications() AS p;
COMMENT ON VIEW sdc_publications IS
	'what was published of the releases that the caller may know of';

----------------------------------------------------------------------
-- Release: runs
----------------------------------------------------------------------

CREATE FUNCTION sdc_private.names(list jsonb)
RETURNS name[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $names$
	SELECT CASE WHEN $1 IS NOT NULL THEN ARRAY(SELECT e.name::name FROM jsonb_array_elements_text($1) WITH ORDINALITY AS e (name, place) ORDER BY e.place) END
$names$;
COMMENT ON FUNCTION sdc_private.names(jsonb) IS
	'what is below runs: a list of names in a definition';

-- The release of a run has a name of its own, in the schema of the source.  It begins with so much of the policy's that the
-- number is in it, whatever a character takes.
CREATE FUNCTION sdc_private.run_release(policy name, run bigint, known jsonb)
RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
SET quote_all_identifiers = off
AS $release$
	SELECT format('%I.%I', n.nspname, left($1::text, (SELECT max(l)::int FROM generate_series(1, 32) AS l WHERE octet_length(left($1::text, l)) <= 32))
		|| '_run_' || $2)
	FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
	WHERE c.oid = ($3 -> 'definition' ->> 'source')::regclass
$release$;
COMMENT ON FUNCTION sdc_private.run_release(name, bigint, jsonb) IS
	'what is below runs: the name of the release that a run makes';

CREATE FUNCTION sdc_private.protect_again(source regclass, steps jsonb, target text, key name[], strata name[],
	omit name[], keep name[], before regclass, skip boolean)
RETURNS TABLE (release regclass, records bigint, unchanged boolean, before_records bigint, gone bigint, arrived bigint)
AS 'MODULE_PATHNAME', 'sdc_private_protect_again' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 1;
COMMENT ON FUNCTION sdc_private.protect_again(regclass, jsonb, text, name[], name[], name[], name[], regclass, boolean) IS
	'what is below runs: protects the source, and continues the release of an earlier run';

-- What a policy has published and still has: the releases of its runs, in their order.  Their names are those in the log:
-- the policy may have another source by now.  What a run has published is intact if it is there, and nothing has come after it.
CREATE FUNCTION sdc_private.run_history(policy name)
RETURNS TABLE (run bigint, release regclass, intact boolean, finished_at timestamptz, detail jsonb)
LANGUAGE sql STABLE PARALLEL UNSAFE COST 10000 ROWS 10
SET search_path = pg_catalog, pg_temp
AS $history$
	SELECT l.run, to_regclass(l.detail ->> 'release'), l.status = 'published' AND EXISTS (SELECT FROM sdc_private.publications() AS p
			WHERE p.publication = to_regclass(l.detail ->> 'target') AND p.sha256 = decode(l.detail ->> 'sha256', 'hex')),
		l.finished_at, l.detail
	FROM sdc_private.runs($1, NULL) AS l
	WHERE l.owner = sdc_private.caller() AND l.status IN ('published', 'withdrawn') ORDER BY l.run
$history$;
COMMENT ON FUNCTION sdc_private.run_history(name) IS
	'what is below runs: the runs of a policy that have published';

-- What a run has to do: a status and a reason where there is nothing, else what was found damaged, if anything.
-- A run that has ended in the future says nothing about the time since.
CREATE FUNCTION sdc_private.run_idle(policy name, known jsonb)
RETURNS jsonb
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 1000000
SET search_path = pg_catalog, pg_temp
AS $idle$
DECLARE
	definition CONSTANT jsonb := $2 -> 'definition';
	apart CONSTANT interval := (definition -> 'limits' ->> 'min_interval')::interval;
	last record;
	damage text;
	other_columns boolean;
BEGIN
	SELECT h.* INTO last FROM sdc_private.run_history($1::name) AS h ORDER BY h.run DESC LIMIT 1;
	IF (definition ->> 'paused')::boolean THEN
		RETURN jsonb_build_object('status', 'skipped', 'reason', 'the policy is paused');
	ELSIF last.run IS NULL THEN
		RETURN '{}';
	ELSIF last.finished_at <= now() AND last.finished_at + apart > now() THEN
		RETURN jsonb_build_object('status', 'rejected', 'reason', format('run %s has published within min_interval, %s', last.run, apart));
	ELSIF last.intact THEN
		SELECT p.problem, p.other_columns INTO damage, other_columns FROM sdc_private.publication_problem(to_regclass(last.detail ->> 'target'),
			(last.detail ->> 'publication_owner')::name, sdc_private.names((last.detail #> '{definition,grant_to}')::jsonb)) AS p;
	END IF;
	IF damage IS NOT NULL THEN
		RAISE WARNING USING MESSAGE = format('what run %s has published was changed: %s', last.run, damage),
			DETAIL = 'This run publishes anew.';
		RETURN jsonb_build_object('damage', format('what run %s has published was changed: %s', last.run, damage),
			'other_columns', other_columns);
	ELSIF COALESCE(definition ->> 'on_unchanged', 'skip') = 'skip' AND last.intact AND last.release IS NOT NULL
			AND last.detail -> 'definition' = definition AND sdc_private.evaluation(last.release::regclass) IS NOT NULL THEN
		RETURN jsonb_build_object('status', 'skipped', 'reason', format('nothing has changed since run %s', last.run));
	END IF;
	RETURN '{}';
END
$idle$;
COMMENT ON FUNCTION sdc_private.run_idle(name, jsonb) IS
	'what is below runs: whether a run of a policy has anything to do, and what was damaged';

CREATE FUNCTION sdc_private.run_stage(policy name, run bigint, known jsonb)
RETURNS jsonb
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 1000000
SET search_path = pg_catalog, pg_temp
SET quote_all_identifiers = off
AS $stage$
DECLARE
	definition CONSTANT jsonb := $3 -> 'definition';
	source CONSTANT regclass := (definition ->> 'source')::regclass;
	keep CONSTANT name[] := COALESCE(sdc_private.names((definition -> 'keep')::jsonb), '{}');
	-- a column of the strata leaves if it is kept, and is not in the release otherwise
	omit CONSTANT name[] := ARRAY(SELECT jsonb_array_elements_text(definition -> 'omit')
		UNION SELECT s.name FROM jsonb_array_elements_text(definition -> 'strata') AS s (name) WHERE s.name::name <> ALL (keep));
	-- a release that is gone was dropped to begin anew
	before CONSTANT regclass := (SELECT h.release FROM sdc_private.run_history($1::name) AS h
		WHERE h.release IS NOT NULL ORDER BY h.run DESC LIMIT 1);
	-- another policy publishes what is the same in another way, and what is gone, or is of a release that is gone, has to be
	-- published again
	aside CONSTANT text[] := '{omit,approvers,history,paused}';
	skip CONSTANT boolean := NOT $3 ? 'damage' AND COALESCE(definition ->> 'on_unchanged', 'skip') = 'skip' AND COALESCE((
		SELECT h.intact AND h.release IS NOT NULL AND (h.detail -> 'definition') - aside = definition - aside
		FROM sdc_private.run_history($1::name) AS h
		ORDER BY h.run DESC LIMIT 1), false);
	-- what readers have is of another policy or owner, was published by hand, or has another name than the log says
	other CONSTANT regclass := (SELECT r.release FROM sdc_private.publications() AS p JOIN sdc_private.releases() AS r ON r.release = p.release
		WHERE p.publication = to_regclass(definition ->> 'publish_as') AND r.source = (definition ->> 'source')::regclass);
	-- a source that was loaded in part, or twice, is not published unless that is said to be right
	limits CONSTANT jsonb := '{"max_gone": 20, "max_new": 100}'::jsonb || COALESCE(definition -> 'limits', '{}');
	staged record;
	turnover jsonb;
	missed text;
BEGIN
	PERFORM sdc_private.check_policy(definition::jsonb);
	IF other <> before OR before IS NULL AND other IS NOT NULL THEN
		RAISE WARNING USING MESSAGE = format('release "%s", of which "%s" was made, is not continued', other, definition ->> 'publish_as'),
			DETAIL = 'The new release is of the same records, and both tell more together than one.',
			HINT = 'A policy goes on with what it has published last for its owner, while that has its name.';
	END IF;
	SELECT p.* INTO STRICT staged
	FROM sdc_private.protect_again(source::regclass, (definition -> 'steps')::jsonb,
		sdc_private.run_release($1::name, $2::bigint, $3::jsonb)::text,
		sdc_private.names((definition -> 'key')::jsonb)::name[],
		sdc_private.names((definition -> 'strata')::jsonb)::name[],
		omit::name[], keep::name[], before::regclass, skip::boolean) AS p;
	IF staged.unchanged THEN
		RETURN $3 || jsonb_build_object('status', 'skipped', 'reason', format('release "%s" would be the same', before));
	END IF;
	IF staged.before_records > 0 THEN
		turnover := jsonb_build_object('before', staged.before_records, 'gone', staged.gone, 'new', staged.arrived,
			'max_gone', 100.0 * staged.gone / staged.before_records, 'max_new', 100.0 * staged.arrived / staged.before_records);
		missed := (SELECT string_agg(format('%s: %s records are %s, release "%s" has %s, and at most %s percent is allowed', l.name,
				turnover ->> l.what, l.what, before, staged.before_records, limits ->> l.name), '; ')
			FROM (VALUES ('max_gone', 'gone'), ('max_new', 'new')) AS l (name, what)
			WHERE limits -> l.name <> 'null' AND NOT sdc_private.keeps((turnover ->> l.name)::float8, (limits ->> l.name)::float8, true));
	END IF;
	RETURN $3 || jsonb_strip_nulls(jsonb_build_object('release', staged.release::text, 'release_oid', staged.release::oid::text,
		'source_records', staged.records, 'turnover', turnover, 'reason', missed));
END
$stage$;
COMMENT ON FUNCTION sdc_private.run_stage(name, bigint, jsonb) IS
	'what is below runs: protects the source';

CREATE FUNCTION sdc_private.run_measure(policy name, run bigint, known jsonb)
RETURNS jsonb
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 1000000
SET search_path = pg_catalog, pg_temp
SET extra_float_digits = 1
AS $measure$
DECLARE
	definition CONSTANT jsonb := $3 -> 'definition';
	-- the first release has none before it
	limits CONSTANT jsonb := COALESCE(definition -> 'limits', '{}') - CASE WHEN $3 ? 'turnover' THEN '{}' ELSE ARRAY['max_gone', 'max_new'] END;
	release CONSTANT regclass := ($3 ->> 'release')::regclass;
	measures jsonb;
	mark text;
	composed jsonb;
	missed text;
	judged jsonb;
BEGIN
	PERFORM sdc_private.check_limits(COALESCE(definition -> 'limits', '{}'));
	measures := (SELECT e.measures FROM sdc_private.evaluate(release::regclass,
		sdc_private.names((definition -> 'known')::jsonb)::name[], (definition ->> 'sample')::bigint, NULL::text, true) AS e);
	measures := jsonb_set(measures, '{judged}', (measures -> 'judged') || COALESCE($3 -> 'turnover', '{}') - ARRAY['before', 'gone', 'new']);
	-- before code of the owner's runs again, which can evaluate something else
	mark := sdc_private.evaluation_mark(release::regclass);
	-- what it tells together with those that were published before
	IF limits ?| ARRAY['composed_people_found', 'exposed'] THEN
		composed := (SELECT to_jsonb(c) FROM sdc_private.composition(
			ARRAY(SELECT h.release FROM sdc_private.run_history($1::name) AS h WHERE h.release IS NOT NULL ORDER BY h.run) || release,
			sdc_private.names((definition -> 'known')::jsonb)::name[], (definition ->> 'sample')::bigint, NULL::text) AS c);
		measures := jsonb_set(measures, '{judged}', (measures -> 'judged') || composed);
	END IF;
	SELECT jsonb_agg(to_jsonb(g) ORDER BY g.measure), string_agg(format('%s is %s, and at %s %s is allowed', g.measure,
			COALESCE(sdc_private.told_apart(g.value, g.bound, 4), 'not defined'), CASE WHEN l.at_most THEN 'most' ELSE 'least' END, g.bound),
			'; ' ORDER BY g.measure) FILTER (WHERE NOT g.kept)
		INTO judged, missed
	FROM sdc_private.gate(measures::jsonb, limits::jsonb) AS g
	JOIN sdc_private.limits() AS l ON l.measure = g.measure;
	RETURN $3 || jsonb_build_object('measures', measures, 'limits', judged, 'evaluation', mark) || CASE WHEN missed IS NOT NULL
		THEN jsonb_build_object('reason', missed) ELSE '{}' END;
END
$measure$;
COMMENT ON FUNCTION sdc_private.run_measure(name, bigint, jsonb) IS
	'what is below runs: measures a release, and holds it to the limits';

CREATE FUNCTION sdc_private.run_publish(policy name, run bigint, known jsonb)
RETURNS jsonb
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 1000000
SET search_path = pg_catalog, pg_temp
SET quote_all_identifiers = off
AS $publish$
DECLARE
	definition CONSTANT jsonb := $3 -> 'definition';
	release CONSTANT regclass := to_regclass($3 ->> 'release');
	published jsonb;
BEGIN
	IF release IS NULL THEN
		RAISE EXCEPTION USING ERRCODE = 'object_not_in_prerequisite_state',
			MESSAGE = format('release "%s" does not exist any more', $3 ->> 'release'),
			HINT = format('Reject it, and run the policy again: SELECT sdc_reject(%s, ...).', $2);
	END IF;
	IF ($3 ->> 'other_columns')::boolean THEN
		PERFORM sdc_private.drop_publication(to_regclass(definition ->> 'publish_as'));
	END IF;
	SELECT jsonb_build_object('target', p.publication::text, 'records', p.records, 'columns', p.columns,
		'sha256', encode(p.sha256, 'hex'), 'salt', gen_random_uuid()::text,
		'publication_owner', (SELECT pg_get_userbyid(c.relowner) FROM pg_class AS c WHERE c.oid = p.publication)) INTO STRICT published
	FROM sdc_private.publish(release::regclass, (definition ->> 'publish_as')::text,
		sdc_private.names((definition -> 'keep')::jsonb)::name[],
		sdc_private.names((definition -> 'grant_to')::jsonb)::name[],
		-- who approves it approves what was measured, of a source that may have changed since
		COALESCE(definition ->> 'mode', 'exchange')::text, true::boolean, ($3 ? 'approver')::boolean,
		($3 ->> 'evaluation')::text) AS p;
	RETURN $3 || published;
END
$publish$;
COMMENT ON FUNCTION sdc_private.run_publish(name, bigint, jsonb) IS
	'what is below runs: publishes a release that keeps the limits';

CREATE FUNCTION sdc_private.run_drop(policy name, run bigint, known jsonb)
RETURNS jsonb
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 10000
SET search_path = pg_catalog, pg_temp
AS $drop$
DECLARE
	-- somebody may have dropped it, and given its name to something else
	release CONSTANT regclass := (SELECT r.release FROM sdc_private.releases() AS r WHERE r.release = to_regclass($3 ->> 'release'));
BEGIN
	IF release IS NOT NULL THEN
		PERFORM sdc_private.drop_release(release);
	END IF;
	RETURN $3 - 'release';
END
$drop$;
COMMENT ON FUNCTION sdc_private.run_drop(name, bigint, jsonb) IS
	'what is below runs: drops a release that is not published';

-- One transaction, and so one snapshot: what is measured is what was protected.
CREATE FUNCTION sdc_private.run_work(policy name, run bigint, known jsonb)
RETURNS jsonb
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 1000000
SET search_path = pg_catalog, pg_temp
AS $work$
DECLARE
	done jsonb;
	status text;
	times timestamptz[] := ARRAY[clock_timestamp()];
BEGIN
	done := $3 || sdc_private.run_idle($1::name, $3::jsonb);
	IF done ? 'status' THEN
		RETURN done;
	END IF;
	done := sdc_private.run_stage($1::name, $2::bigint, done::jsonb);
	IF done ? 'status' THEN
		RETURN done;
	END IF;
	times := times || clock_timestamp();
	IF NOT done ? 'reason' THEN
		done := sdc_private.run_measure($1::name, $2::bigint, done::jsonb);
	END IF;
	times := times || clock_timestamp();
	IF done ? 'reason' THEN
		status := 'rejected';
		done := sdc_private.run_drop($1::name, $2::bigint, done::jsonb);
	ELSIF ($3 -> 'definition' ->> 'approve')::boolean THEN
		status := 'waiting';
	ELSE
		status := 'published';
		done := sdc_private.run_publish($1::name, $2::bigint, done::jsonb);
		done := done || CASE WHEN done ? 'damage' THEN jsonb_build_object('reason', done -> 'damage') ELSE '{}' END;
	END IF;
	done := CASE status WHEN 'waiting' THEN done ELSE done - ARRAY['damage', 'other_columns'] END;
	times := times || clock_timestamp();
	RETURN done || jsonb_build_object('status', status, 'seconds', jsonb_build_object('stage', extract(epoch FROM times[2] - times[1]),
		'measure', extract(epoch FROM times[3] - times[2]), 'publish', extract(epoch FROM times[4] - times[3])));
END
$work$;
COMMENT ON FUNCTION sdc_private.run_work(name, bigint, jsonb) IS
	'what is below sdc_run: stage, measure, gate, publish';

-- Releases of earlier runs but that of what is published; one that somebody uses or has built upon stays until a later run.
-- A run that has left no release has none to be dropped, whatever has the name.
CREATE FUNCTION sdc_private.run_clean_up(policy name, run bigint, known jsonb)
RETURNS jsonb
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 10000
SET search_path = pg_catalog, pg_temp
SET lock_timeout = '1s'
AS $clean$
DECLARE
	definition CONSTANT jsonb := $3 -> 'definition';
	-- releases that were published are kept where they are judged together with the next one
	kept CONSTANT int := COALESCE((definition ->> 'history')::int,
		CASE WHEN definition -> 'limits' ?| ARRAY['composed_people_found', 'exposed'] THEN 30 ELSE 1 END);
	old regclass;
BEGIN
	FOR old IN SELECT DISTINCT r.release
		FROM sdc_private.runs($1, NULL) AS l
		JOIN sdc_private.releases() AS r ON r.release = to_regclass(l.detail ->> 'release')
		WHERE l.owner = sdc_private.caller() AND l.status NOT IN ('waiting', 'running')
			AND l.run NOT IN (SELECT h.run FROM sdc_private.run_history($1::name) AS h ORDER BY h.run DESC LIMIT kept)
	LOOP
		BEGIN
			PERFORM sdc_private.drop_release(old);
		EXCEPTION WHEN dependent_objects_still_exist OR lock_not_available THEN
			RAISE WARNING USING MESSAGE = format('release "%s" of an earlier run stays', old), DETAIL = SQLERRM;
		END;
	END LOOP;
	RETURN $3;
END
$clean$;
COMMENT ON FUNCTION sdc_private.run_clean_up(name, bigint, jsonb) IS
	'what is below sdc_run: drops the releases of earlier runs';

-- In C: it ends transactions, so nothing of it can run with other rights than the caller's, who may name no plumbing.
CREATE PROCEDURE sdc_run(policy name)
AS 'MODULE_PATHNAME' LANGUAGE C;
COMMENT ON PROCEDURE sdc_run(name) IS
	'runs a policy: protects, measures, and publishes what keeps the limits; raises SD001 if it does not (needs policy)';

CREATE FUNCTION sdc_approve(run bigint)
RETURNS void
AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000;
COMMENT ON FUNCTION sdc_approve(bigint) IS
	'publishes the release of a run that waits; another role than the one that started it (needs run)';

CREATE FUNCTION sdc_reject(run bigint, why text)
RETURNS void
AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 10000;
COMMENT ON FUNCTION sdc_reject(bigint, text) IS
	'rejects the release of a run that waits (needs run, why)';

CREATE FUNCTION sdc_private.runs(policy name, run bigint)
RETURNS TABLE (run bigint, policy name, owner name, started_by name, started_at timestamptz, finished_at timestamptz,
	status text, reason text, detail jsonb, own boolean)
AS 'MODULE_PATHNAME', 'sdc_private_runs' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 10000 ROWS 1000;
COMMENT ON FUNCTION sdc_private.runs(name, bigint) IS
	'the runs that the caller may know of: all, those of a policy, or one';

-- What its body uses is known by its OID.
CREATE FUNCTION sdc_private.run_rows(policy name, run bigint)
RETURNS TABLE (run bigint, policy name, started_at timestamptz, finished_at timestamptz, status text, reason text, owner name,
	started_by name, approved_by text, source text, source_records bigint, steps jsonb, measures jsonb, limits jsonb, release text,
	target text, records bigint, columns jsonb, sha256 text, seconds jsonb, salt text, detail text, hint text, warnings text[],
	salted text, told boolean)
LANGUAGE sql STABLE PARALLEL UNSAFE COST 10000 ROWS 1000
BEGIN ATOMIC
	SELECT r.run, r.policy, r.started_at, r.finished_at, r.status, r.reason, r.owner, r.started_by,
		r.detail OPERATOR(pg_catalog.->>) 'approver',
		r.detail OPERATOR(pg_catalog.#>>) '{definition,source}',
		pg_catalog.jsonb_path_query_first(r.detail, '$.source_records ? (@.type() == "number" && @ >= 0 && @ < 9e18)')::pg_catalog.int8,
		r.detail OPERATOR(pg_catalog.#>) '{definition,steps}',
		r.detail OPERATOR(pg_catalog.->) 'measures',
		r.detail OPERATOR(pg_catalog.->) 'limits',
		r.detail OPERATOR(pg_catalog.->>) 'release',
		r.detail OPERATOR(pg_catalog.->>) 'target',
		pg_catalog.jsonb_path_query_first(r.detail, '$.records ? (@.type() == "number" && @ >= 0 && @ < 9e18)')::pg_catalog.int8,
		r.detail OPERATOR(pg_catalog.->) 'columns',
		CASE WHEN r.own THEN r.detail OPERATOR(pg_catalog.->>) 'sha256' END,
		r.detail OPERATOR(pg_catalog.->) 'seconds',
		CASE WHEN r.own THEN r.detail OPERATOR(pg_catalog.->>) 'salt' END,
		r.detail OPERATOR(pg_catalog.->>) 'detail',
		r.detail OPERATOR(pg_catalog.->>) 'hint',
		(SELECT pg_catalog.array_agg(w.text OPERATOR(pg_catalog.#>>) '{}' ORDER BY w.part, w.n)
			FROM (SELECT 1, q.text, q.n FROM pg_catalog.jsonb_path_query(r.detail, '$.warnings[*] ? (@.type() == "string")') WITH ORDINALITY AS q (text, n)
				UNION ALL SELECT 2, q.text, q.n FROM pg_catalog.jsonb_path_query(r.detail, '$.approval_warnings[*] ? (@.type() == "string")') WITH ORDINALITY AS q (text, n))
			AS w (part, text, n)),
		pg_catalog.encode(pg_catalog.sha256(pg_catalog.convert_to((r.detail OPERATOR(pg_catalog.->>) 'salt')
			OPERATOR(pg_catalog.||) (r.detail OPERATOR(pg_catalog.->>) 'sha256'), 'UTF8')), 'hex'),
		r.status OPERATOR(pg_catalog.<>) 'failed' OR r.detail OPERATOR(pg_catalog.?) 'ours'
	FROM sdc_private.runs($1, $2) AS r;
END;
COMMENT ON FUNCTION sdc_private.run_rows(name, bigint) IS
	'what is below the view sdc_runs: the same with what is in its details as columns';

CREATE VIEW sdc_runs WITH (security_invoker = true) AS
SELECT r.run, r.policy, r.started_at, r.finished_at, r.status, r.reason, r.owner, r.started_by, r.approved_by, r.source,
	r.source_records, r.steps, r.measures, r.limits, r.release, r.target, r.records, r.columns, r.sha256, r.seconds,
	r.salt, r.detail, r.hint, r.warnings
FROM sdc_private.run_rows(NULL, NULL) AS r;
COMMENT ON VIEW sdc_runs IS
	'the log: what was published, rejected and withdrawn, by whom and why';

CREATE FUNCTION sdc_private.run_remove(run bigint)
RETURNS boolean
AS 'MODULE_PATHNAME', 'sdc_private_run_remove' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000;
COMMENT ON FUNCTION sdc_private.run_remove(bigint) IS
	'removes a run of a role whose rights the caller has from the log, and tells whether it was there';

-- What tells of something that is there stays: runs that wait or are at work, releases and publications that still are what a
-- run has left, and the last publication of each policy, which the next run goes on with.
CREATE FUNCTION sdc_private.log_prune(before timestamptz, policy name)
RETURNS bigint
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 100000
SET search_path = pg_catalog, pg_temp
AS $prune$
DECLARE
	number bigint;
	pruned bigint := 0;
BEGIN
	IF $1 IS NULL THEN
		RAISE EXCEPTION USING ERRCODE = 'null_value_not_allowed', MESSAGE = 'argument "before" must not be null';
	END IF;
	FOR number IN SELECT l.run
		FROM sdc_private.runs($2, NULL) AS l
		WHERE l.own AND l.finished_at < $1 AND l.status NOT IN ('running', 'waiting')
			AND NOT EXISTS (SELECT FROM sdc_private.releases() AS r
				WHERE l.status IN ('published', 'failed') AND r.release::oid::text = l.detail ->> 'release_oid')
			AND NOT EXISTS (SELECT FROM sdc_private.publications() AS p
				WHERE l.status = 'published' AND encode(p.sha256, 'hex') = l.detail ->> 'sha256')
			AND NOT (l.policy IS NOT NULL AND l.status IN ('published', 'withdrawn') AND l.run = (SELECT max(m.run)
				FROM sdc_private.runs(l.policy, NULL) AS m WHERE m.owner = l.owner AND m.status IN ('published', 'withdrawn')))
		ORDER BY l.run
	LOOP
		pruned := pruned + sdc_private.run_remove(number)::int;
	END LOOP;
	RETURN pruned;
END
$prune$;
COMMENT ON FUNCTION sdc_private.log_prune(timestamptz, name) IS
	'what sdc_log_prune does';

CREATE FUNCTION sdc_private.release_record(run bigint)
RETURNS jsonb
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 10000
SET search_path = pg_catalog, pg_temp
AS $record$
DECLARE
	r record;
BEGIN
	IF $1 IS NULL THEN
		RAISE EXCEPTION USING ERRCODE = 'null_value_not_allowed', MESSAGE = 'argument "run" must not be null';
	END IF;
	SELECT l.* INTO r FROM sdc_private.run_rows(NULL, $1) AS l;
	IF NOT FOUND THEN
		RAISE EXCEPTION USING ERRCODE = 'undefined_object', MESSAGE = format('run %s does not exist', $1),
			HINT = 'View sdc_runs lists the runs.';
	END IF;
	-- an error can be the message of somebody's function, and tell of data
	RETURN jsonb_strip_nulls(jsonb_build_object('run', r.run, 'policy', r.policy, 'status', r.status,
		'reason', CASE WHEN r.told THEN r.reason END, 'detail', CASE WHEN r.told THEN r.detail END, 'warnings', r.warnings, 'started_at', r.started_at, 'finished_at', r.finished_at,
		'owner', r.owner, 'started_by', r.started_by, 'approved_by', r.approved_by, 'source', r.source, 'source_records', r.source_records,
		'steps', r.steps, 'measures', r.measures, 'limits', r.limits, 'target', r.target, 'records', r.records, 'columns', r.columns,
		'sha256_salted', r.salted, 'seconds', r.seconds, 'sdc', sdc_private.version(),
		'meanings', (SELECT jsonb_object_agg(m.measure, m.meaning) FROM sdc_private.limits() AS m)));
END
$record$;
COMMENT ON FUNCTION sdc_private.release_record(bigint) IS
	'what sdc_release_record does';

CREATE FUNCTION sdc_release_record(run bigint)
RETURNS jsonb
AS 'MODULE_PATHNAME', 'sdc_enter' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 10000;
COMMENT ON FUNCTION sdc_release_record(bigint) IS
	'all that the log says of a run, with what its measures mean, to be handed over with the data (needs run)';

CREATE FUNCTION sdc_private.check_one(policy name)
RETURNS TABLE (problem text, measure text, value float8, bound float8)
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 100000 ROWS 1
SET search_path = pg_catalog, pg_temp
AS $one$
DECLARE
	definition CONSTANT jsonb := (SELECT p.definition FROM sdc_private.policies() AS p WHERE p.policy = $1);
	-- a row of the log that another role restored is about a policy of its own
	whose CONSTANT name := (SELECT pg_get_userbyid(p.owner) FROM sdc_private.policies() AS p WHERE p.policy = $1);
	last record;
	live record;
BEGIN
	IF (definition ->> 'paused')::boolean THEN
		problem := 'it is paused';
		RETURN NEXT;
	END IF;
	BEGIN
		PERFORM sdc_private.check_policy(definition::jsonb);
		PERFORM sdc_private.check_limits((definition -> 'limits')::jsonb);
	EXCEPTION WHEN OTHERS THEN
		problem := 'it cannot run: ' || SQLERRM;
		RETURN NEXT;
	END;
	SELECT l.* INTO last FROM sdc_private.run_rows($1, NULL) AS l WHERE l.owner = whose AND l.status <> 'running' ORDER BY l.run DESC LIMIT 1;
	SELECT l.* INTO live FROM sdc_private.run_rows($1, NULL) AS l WHERE l.owner = whose AND l.status IN ('published', 'withdrawn') ORDER BY l.run DESC LIMIT 1;
	IF last.run IS NULL THEN
		problem := 'it never ran';
		RETURN NEXT;
	ELSIF last.status NOT IN ('published', 'skipped') THEN
		problem := format('run %s is %s%s%s', last.run, last.status, ': ' || last.reason, ' (' || last.detail || ')');
		RETURN NEXT;
	END IF;
	FOREACH problem IN ARRAY COALESCE(last.warnings, '{}') LOOP
		problem := format('run %s has warned: %s', last.run, problem);
		RETURN NEXT;
	END LOOP;
	IF live.status = 'published' AND NOT EXISTS (SELECT FROM sdc_private.publications() AS p
			WHERE p.publication = to_regclass(live.target) AND p.sha256 = decode(live.sha256, 'hex')) THEN
		problem := format('what run %s has published is not there any more', live.run);
		RETURN NEXT;
	END IF;
	RETURN QUERY SELECT format('what run %s has published was changed: %s', live.run, p.problem), NULL::text, NULL::float8, NULL::float8
		FROM sdc_private.runs(NULL, live.run) AS l, LATERAL sdc_private.publication_problem(to_regclass(live.target),
			(l.detail ->> 'publication_owner')::name, sdc_private.names((l.detail #> '{definition,grant_to}')::jsonb)) AS p
		WHERE live.status = 'published' AND to_regclass(live.target) IS NOT NULL;
	RETURN QUERY SELECT format('what run %s has published misses a limit', live.run), g.measure, g.value, g.bound
		FROM sdc_private.gate(live.measures::jsonb, (definition -> 'limits')::jsonb) AS g
		WHERE live.status = 'published' AND NOT g.kept;
END
$one$;
COMMENT ON FUNCTION sdc_private.check_one(name) IS
	'what is below sdc_check: what is wrong with one policy';

-- Of all policies, and of what policies that were dropped have left, without one.
CREATE FUNCTION sdc_private.check(policy name)
RETURNS TABLE (problem text, measure text, value float8, bound float8, checked name)
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 100000 ROWS 1
SET search_path = pg_catalog, pg_temp
AS $check$
#variable_conflict use_column
BEGIN
	IF NOT EXISTS (SELECT FROM sdc_private.policies() AS p WHERE p.policy = $1) AND $1 IS NOT NULL THEN
		RAISE EXCEPTION USING ERRCODE = 'undefined_object', MESSAGE = format('policy "%s" does not exist', $1),
			HINT = 'View sdc_policies lists the policies of roles whose rights you have.';
	END IF;
	FOR checked IN SELECT p.policy FROM sdc_private.policies() AS p WHERE $1 IS NULL OR p.policy = $1 ORDER BY p.policy COLLATE "C" LOOP
		RETURN QUERY SELECT c.problem, c.measure, c.value, c.bound, checked FROM sdc_private.check_one(checked) AS c;
	END LOOP;
	RETURN QUERY SELECT format('release "%s" of run %s is left of a policy that was dropped', r.release, l.run), NULL::text, NULL::float8,
			NULL::float8, l.policy
		FROM sdc_private.runs(NULL, NULL) AS l JOIN sdc_private.releases() AS r ON r.release::oid::text = l.detail ->> 'release_oid'
		WHERE $1 IS NULL AND l.own AND l.policy IS NOT NULL AND NOT EXISTS (SELECT FROM sdc_private.policies() AS p WHERE p.policy = l.policy)
		ORDER BY l.run;
END
$check$;
COMMENT ON FUNCTION sdc_private.check(name) IS
	'what sdc_check does';

CREATE FUNCTION sdc_check(policy name DEFAULT NULL)
RETURNS TABLE (problem text, measure text, value float8, bound float8, checked name)
AS 'MODULE_PATHNAME', 'sdc_enter' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 100000 ROWS 1;
COMMENT ON FUNCTION sdc_check(name) IS
	'what is wrong with a policy, or with all, their last runs and what they have published; no row: nothing';

CREATE FUNCTION sdc_log_prune(before timestamptz, policy name DEFAULT NULL)
RETURNS bigint
AS 'MODULE_PATHNAME', 'sdc_enter' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 100000;
COMMENT ON FUNCTION sdc_log_prune(timestamptz, name) IS
	'removes old runs from the log, but for those of what is still there; returns how many (needs before)';

CREATE VIEW sdc_policy_history WITH (security_invoker = true) AS
SELECT r.policy, r.run, r.finished_at, r.status,
	pg_catalog.jsonb_path_query_first(r.measures, '$.judged.people_found ? (@.type() == "number")')::pg_catalog.numeric AS people_found,
	pg_catalog.jsonb_path_query_first(r.measures, '$.judged.certain_percent ? (@.type() == "number")')::pg_catalog.numeric AS certain_percent,
	pg_catalog.jsonb_path_query_first(r.measures, '$.judged.il ? (@.type() == "number")')::pg_catalog.numeric AS il,
	pg_catalog.jsonb_path_query_first(r.measures, '$.judged.score ? (@.type() == "number")')::pg_catalog.numeric AS score,
	r.source_records, r.records
FROM sdc_private.run_rows(NULL, NULL) AS r
WHERE r.policy IS NOT NULL AND r.measures IS NOT NULL;
COMMENT ON VIEW sdc_policy_history IS
	'risk and loss of each policy''s runs over time';

----------------------------------------------------------------------
-- Report
----------------------------------------------------------------------

-- A function for every part of the page.  All that is text of somebody's (names, methods, problems) goes through
-- sdc_private.report_text.
CREATE FUNCTION sdc_private.correlations(release regclass)
RETURNS TABLE (x name, y name, original float8, protected float8)
AS 'MODULE_PATHNAME', 'sdc_private_correlations' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 100;
COMMENT ON FUNCTION sdc_private.correlations(regclass) IS
	'correlations of the numeric columns of a source and its release, for sdc_report';

CREATE FUNCTION sdc_private.report_text(value text)
RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $text$
	SELECT replace(replace(replace(replace(replace(regexp_replace($1, '[[:cntrl:]]', ' ', 'g'),
		'&', '&amp;'), '<', '&lt;'), '>', '&gt;'), '"', '&quot;'), '''', '&#39;')
$text$;
COMMENT ON FUNCTION sdc_private.report_text(text) IS
	'text as HTML shows it';

-- Three significant digits; NULL and NaN are a dash.
CREATE FUNCTION sdc_private.report_number(value float8)
RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $number$
	SELECT CASE WHEN $1 IS NULL OR $1 = 'NaN'::float8 THEN '&ndash;'
		WHEN abs($1) = 'Infinity'::float8 THEN CASE WHEN $1 < 0 THEN '-' ELSE '' END || '&infin;'
		WHEN $1 = 0 THEN '0'
		WHEN abs($1) >= 1e15 OR abs($1) < 1e-4 THEN trim(to_char($1, '9.99EEEE'))
		ELSE (SELECT CASE WHEN strpos(r, '.') > 0 THEN rtrim(rtrim(r, '0'), '.') ELSE r END
			FROM (SELECT round($1::numeric, greatest(0, 2 - floor(log(abs($1)))::int))::text) AS t (r)) END
$number$;
COMMENT ON FUNCTION sdc_private.report_number(float8) IS
	'a number as sdc_report writes it';

-- `rows` is HTML already.
CREATE FUNCTION sdc_private.report_table(caption text, head text[], rows text)
RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $table$
	SELECT CASE WHEN $3 IS NULL THEN '' ELSE format(E'<div class="wide"><table><caption>%s</caption><thead><tr>%s</tr></thead><tbody>\n%s\n</tbody></table></div>\n',
		$1, (SELECT string_agg(format('<th scope="col">%s</th>', h), '' ORDER BY n) FROM unnest($2) WITH ORDINALITY AS u (h, n)), $3) END
$table$;
COMMENT ON FUNCTION sdc_private.report_table(text, text[], text) IS
	'a table of sdc_report';

-- `body` is SVG already, `mark` is unique in the page.
CREATE FUNCTION sdc_private.report_figure(mark text, title text, description text, across int, down int, body text)
RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $figure$
	SELECT format(E'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %4$s %5$s" width="%4$s" height="%5$s" role="img" aria-labelledby="%1$s-t %1$s-d"'
		' font-family="sans-serif" font-size="12" fill="currentColor">\n<title id="%1$s-t">%2$s</title>\n<desc id="%1$s-d">%3$s</desc>\n%6$s\n</svg>\n',
		$1, $2, $3, $4, $5, $6)
$figure$;
COMMENT ON FUNCTION sdc_private.report_figure(text, text, text, int, int, text) IS
	'a picture of sdc_report, with a text in its place';

-- Horizontal bars of percentages.  What is long is cut in the picture, and whole in its description.
CREATE FUNCTION sdc_private.report_bars(mark text, title text, names text[], percents float8[])
RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $bars$
	SELECT sdc_private.report_figure($1, $2, string_agg(format('%s: %s percent', sdc_private.report_text(b.name), b.shown), '; ' ORDER BY b.n),
		640, 12 + 26 * count(*)::int, string_agg(format('<text x="170" y="%s" text-anchor="end">%s</text><rect x="180" y="%s" width="%s" height="16" class="s1"/>'
			'<text x="%s" y="%s">%s %%</text>', b.n * 26 - 3,
			sdc_private.report_text(CASE WHEN length(b.name) > 20 THEN left(b.name, 17) || '...' ELSE b.name END), b.n * 26 - 15, b.wide, 186 + b.wide, b.n * 26 - 3, b.shown), E'\n' ORDER BY b.n))
	FROM (SELECT u.n, u.name, sdc_private.report_number(u.percent) AS shown, round(greatest(0.5, 3.9 * u.percent)::numeric, 1) AS wide
		FROM unnest($3, $4) WITH ORDINALITY AS u (name, percent, n) WHERE u.percent BETWEEN 0 AND 100) AS b
	HAVING count(*) > 0
$bars$;
COMMENT ON FUNCTION sdc_private.report_bars(text, text, text[], float8[]) IS
	'bars of percentages of sdc_report';

-- The frame of a plot of 640 x 340: the plane is x 60 to 620, y 20 to 280; ends are those of the axes.
CREATE FUNCTION sdc_private.report_axes(x_title text, x_end float8, y_title text, y_end float8)
RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $axes$
	SELECT string_agg(format('<line x1="60" x2="620" y1="%1$s" y2="%1$s" class="grid"/><text x="52" y="%2$s" text-anchor="end">%3$s</text>'
			'<text x="%4$s" y="298" text-anchor="middle">%5$s</text>', 280 - 65 * i, 284 - 65 * i,
			sdc_private.report_number(($4 * i / 4)::float8), 60 + 140 * i, sdc_private.report_number(($2 * i / 4)::float8)), E'\n' ORDER BY i)
		|| format(E'\n<text x="340" y="316" text-anchor="middle">%s</text><text x="60" y="12">%s</text>', $1, $3)
	FROM generate_series(0, 4) AS i
$axes$;
COMMENT ON FUNCTION sdc_private.report_axes(text, float8, text, float8) IS
	'the axes of a plot of sdc_report';

-- Circles and, in another colour and form, squares on the frontier.  A release in `chosen` has its name beside it.
CREATE FUNCTION sdc_private.report_ru(source regclass, chosen regclass)
RETURNS text
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 1000000
SET search_path = pg_catalog, pg_temp
AS $ru$
#variable_conflict use_column
DECLARE
	map CONSTANT jsonb := (SELECT jsonb_agg(jsonb_build_object('name', sdc_private.report_text(m.release::text), 'risk', m.people_found, 'loss', least(m.loss, 1e300::numeric),
			'frontier', m.on_frontier, 'chosen', m.release = $2) ORDER BY m.people_found, m.loss, m.release::text COLLATE "C")
		FROM sdc_private.sdc_ru_map AS m WHERE m.source = $1 AND m.problem IS NULL);
	farthest CONSTANT float8 := (SELECT 4 * ceil(greatest(max((p ->> 'loss')::float8), 4::float8) / 4) FROM jsonb_array_elements(map) AS p);
BEGIN
	RETURN (WITH point AS (SELECT p ->> 'name' AS name, p ->> 'risk' AS risk, p ->> 'loss' AS loss, COALESCE((p ->> 'frontier')::boolean, false) AS frontier,
			COALESCE((p ->> 'chosen')::boolean, false) AS chosen, n,
			round((60 + 560 * (p ->> 'loss')::float8 / farthest)::numeric, 1) AS x, round((280 - 2.6 * (p ->> 'risk')::float8)::numeric, 1) AS y
		FROM jsonb_array_elements(map) WITH ORDINALITY AS u (p, n))
	SELECT sdc_private.report_figure('ru'::text, 'Risk and loss of the releases of '::text || sdc_private.report_text($1::text),
		string_agg(format('%s: %s percent of people found, loss %s%s', name, risk, loss, CASE WHEN frontier THEN ', on the frontier' ELSE '' END), '; ' ORDER BY n),
		640, 340 + 18 * count(*)::int, sdc_private.report_axes('information loss (squares: on the frontier)'::text, farthest, 'people found, percent'::text, 100::float8) || E'\n'
		|| string_agg(CASE WHEN frontier THEN format('<rect x="%s" y="%s" width="10" height="10" class="s2"><title>%s</title></rect>', x - 5, y - 5, name)
			ELSE format('<circle cx="%s" cy="%s" r="5" class="s1"><title>%s</title></circle>', x, y, name) END
			|| CASE WHEN chosen THEN format('<circle cx="%s" cy="%s" r="10" class="ring"/>', x, y) ELSE '' END
			|| format('<text x="%s" y="%s" text-anchor="%s">%s</text>', CASE WHEN x > 400 THEN x - 14 ELSE x + 14 END, y + 4, CASE WHEN x > 400 THEN 'end' ELSE 'start' END,
				n || CASE WHEN chosen THEN ': this release' ELSE '' END)
			|| format('<text x="60" y="%s">%s: %s</text>', 326 + 18 * n, n, name), E'\n' ORDER BY n))
	FROM point HAVING count(*) > 0);
END
$ru$;
COMMENT ON FUNCTION sdc_private.report_ru(regclass, regclass) IS
	'the R-U map of sdc_report and sdc_ru_map_svg';

-- What was done.  Parameters are those of this list, so that nothing that somebody registered gets out; those that say how
-- far values move, and where records lie, are for inside.
CREATE FUNCTION sdc_private.report_done(release regclass, inside boolean)
RETURNS text
LANGUAGE plpgsql STABLE PARALLEL UNSAFE COST 10000
SET search_path = pg_catalog, pg_temp
AS $done$
DECLARE
	shown CONSTANT text[] := ARRAY['sensitive', 'probabilities', 'draws', 'k', 'l', 'grouping_method']
		|| CASE WHEN $2 THEN ARRAY['p', 'buckets', 'depth', 'intervals', 'widths', 'complement', 'complement_columns', 'force'] ELSE '{}'::text[] END;
	ours CONSTANT text[] := ARRAY(SELECT m.method FROM sdc_private.methods() AS m);
	made record;
	page text;
BEGIN
	SELECT r.* INTO made FROM sdc_private.releases() AS r WHERE r.release = $1;
	page := sdc_private.report_table('Steps'::text, ARRAY['step', 'method', 'parameters', 'columns']::text[], (
		SELECT string_agg(format('<tr><td>%s</td><th scope="row">%s</th><td>%s</td><td>%s</td></tr>', s.n,
			CASE WHEN $2 OR s.step ->> 'method' = ANY (ours) THEN sdc_private.report_text((s.step ->> 'method')::text) ELSE 'by another tool' END,
			COALESCE((SELECT string_agg(sdc_private.report_text(format('%s = %s', p.key, CASE WHEN $2 OR p.key <> 'probabilities' THEN p.value
					ELSE COALESCE(to_jsonb(sdc_private.accuracy_drawn($1, s.n::int))::text, 'withheld') END)), '<br>' ORDER BY p.key COLLATE "C")
				FROM jsonb_each_text(s.step) AS p WHERE p.key = ANY (shown)), '&ndash;'),
			COALESCE((SELECT string_agg('<bdi>' || sdc_private.report_text(c.name::text) || '</bdi>', ', ' ORDER BY c.n)
				FROM jsonb_array_elements_text(CASE WHEN jsonb_typeof(s.step -> 'columns') = 'array' THEN s.step -> 'columns'
					WHEN made.method = 'protect' THEN s.step -> 'qi' ELSE to_jsonb(made.columns) END) WITH ORDINALITY AS c (name, n)), '&ndash;')),
			E'\n' ORDER BY s.n)
		FROM jsonb_array_elements(CASE WHEN jsonb_typeof(made.parameters -> 'steps') = 'array' THEN made.parameters -> 'steps'
			ELSE jsonb_build_array(made.parameters || jsonb_build_object('method', made.method)) END) WITH ORDINALITY AS s (step, n)
		WHERE jsonb_typeof(s.step) = 'object'));
	page := page || sdc_private.report_table('Columns'::text, ARRAY['column', 'what happened to it', 'role']::text[], (
		SELECT string_agg(format('<tr><th scope="row"><bdi>%s</bdi></th><td>%s</td><td>%s</td></tr>', sdc_private.report_text(c.name::text),
			c.action, sdc_private.report_text(COALESCE(a.role, '')::text)), E'\n' ORDER BY c.place, c.name COLLATE "C")
		FROM (SELECT t.attname AS name, t.attnum::int AS place, CASE WHEN t.attname = ANY (made.columns) THEN 'protected'
				WHEN t.attname = ANY (made.key) THEN 'key' WHEN t.attname = ANY (made.strata) THEN 'copied; values change places within it'
				WHEN o.attname IS NULL THEN 'added' ELSE 'copied' END AS action
			FROM pg_attribute AS t LEFT JOIN pg_attribute AS o ON o.attrelid = made.source AND o.attname = t.attname AND NOT o.attisdropped AND o.attnum > 0
			WHERE t.attrelid = $1 AND t.attnum > 0 AND NOT t.attisdropped
			UNION ALL SELECT o.name, 10000, 'left out' FROM unnest(made.omitted) AS o (name)) AS c
		LEFT JOIN sdc_private.sdc_attributes AS a ON a.relation = made.source AND a.attribute = c.name
		WHERE $2 OR c.action NOT IN ('key', 'left out', 'added')));
	RETURN format(E'<p>%s records.%s</p>\n', made.records, CASE WHEN $2 THEN format(' Made from <bdi>%s</bdi> by <bdi>%s</bdi> on %s%s.',
			sdc_private.report_text(made.source::text), sdc_private.report_text(made.created_by::text),
			to_char(made.created_at, 'YYYY-MM-DD'), CASE WHEN made.seeded THEN ', with a seed, which is stored nowhere' ELSE '' END) ELSE '' END) || page;
END
$done$;
COMMENT ON FUNCTION sdc_private.report_done(regclass, boolean) IS
	'what was done, for sdc_report';

-- People who can be told apart: those with one candidate, and the groups of the quasi-identifiers.
CREATE FUNCTION sdc_private.report_singling(release regclass, people jsonb, inside boolean)
RETURNS text
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 1000000
SET search_path = pg_catalog, pg_temp
AS $singling$
DECLARE
	qi CONSTANT name[] := (SELECT r.qi FROM sdc_private.releases() AS r WHERE r.release = $1 AND r.method IN ('generalize', 'permute'));
	page text := '';
BEGIN
	IF $3 THEN
		page := sdc_private.report_table('People who have one candidate in the release'::text, ARRAY['attack', 'one candidate', 'and it is right']::text[], (
			SELECT string_agg(format('<tr><th scope="row">%s</th><td class="n">%s</td><td class="n">%s</td></tr>', sdc_private.report_text(p.key),
				p.value ->> 'single', COALESCE(p.value ->> 'certain', '&ndash;')), E'\n' ORDER BY p.key COLLATE "C")
			FROM jsonb_each($2) AS p WHERE p.value ->> 'single' IS NOT NULL));
	END IF;
	IF qi <> '{}'::name[] THEN
		page := page || (SELECT format(E'<p>The released quasi-identifiers make %s groups; the smallest has %s records%s.</p>\n', g.groups, g.k,
			CASE WHEN $3 THEN format(', and %s records are alone', g.unique_records) ELSE '' END) FROM sdc_private.kanonymity($1, qi) AS g);
	END IF;
	page := page || COALESCE((SELECT sdc_private.report_table('What a group has on average of the values of a column, percent'::text,
			ARRAY['generalized column', 'percent']::text[], string_agg(format('<tr><th scope="row"><bdi>%s</bdi></th><td class="n">%s</td></tr>',
			sdc_private.report_text(s.attribute::text), s.percent), E'\n' ORDER BY s.n))
		FROM sdc_private.group_spans($1) WITH ORDINALITY AS s (attribute, percent, n) HAVING count(*) > 0), '');
	RETURN COALESCE(NULLIF(page, ''), E'<p class="none">Left out: it is about records, and for internal use.</p>\n');
END
$singling$;
COMMENT ON FUNCTION sdc_private.report_singling(regclass, jsonb, boolean) IS
	'singling out, for sdc_report';

-- Records linked to what is known from elsewhere: by attack, and by the number of known columns.
CREATE FUNCTION sdc_private.report_linking(people jsonb, inside boolean)
RETURNS text
LANGUAGE plpgsql STABLE PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $linking$
BEGIN
	RETURN (SELECT sdc_private.report_bars('people'::text, 'People found, percent of all'::text, array_agg(b.label ORDER BY b.n), array_agg(b.percent ORDER BY b.n))
		FROM (SELECT CASE p.key WHEN 'any' THEN 'by any attack' WHEN 'best' THEN 'by the best attack' WHEN 'chance' THEN 'by chance'
					ELSE p.key END AS label, (p.value ->> 'percent')::float8 AS percent,
				row_number() OVER (ORDER BY p.key <> 'any', p.key = 'chance', p.key <> 'best', p.key COLLATE "C") AS n
			FROM jsonb_each($1) AS p WHERE p.value ->> 'percent' IS NOT NULL AND ($2 OR p.key IN ('any', 'chance'))) AS b);
END
$linking$;
COMMENT ON FUNCTION sdc_private.report_linking(jsonb, boolean) IS
	'people found, for sdc_report';

CREATE FUNCTION sdc_private.report_known(release regclass)
RETURNS text
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 1000000
SET search_path = pg_catalog, pg_temp
SET extra_float_digits = 1
AS $known$
DECLARE
	risk CONSTANT jsonb := (SELECT jsonb_agg(to_jsonb(k)) FROM sdc_private.disclosure_risk($1, NULL::name[], NULL::int, NULL::bigint, NULL::text) AS k
		WHERE k.percent IS NOT NULL);
	last CONSTANT float8 := (SELECT 4 * ceil(max((k ->> 'known')::float8) / 4) FROM jsonb_array_elements(risk) AS k);
BEGIN
	RETURN (WITH line AS (SELECT attack, row_number() OVER (ORDER BY attack COLLATE "C") AS n,
			string_agg(format('%s,%s', round((60 + 560 * (k ->> 'known')::float8 / last)::numeric, 1), round((280 - 2.6 * (k ->> 'percent')::float8)::numeric, 1)),
				' ' ORDER BY (k ->> 'known')::int) AS points,
			string_agg(format('%s known: %s percent', k ->> 'known', sdc_private.report_number((k ->> 'percent')::float8)), ', ' ORDER BY (k ->> 'known')::int) AS told
		FROM (SELECT j.k, j.k ->> 'attack' AS attack FROM jsonb_array_elements(risk) AS j (k)) AS each GROUP BY attack)
	SELECT sdc_private.report_figure('known'::text, 'People linked by protected columns, by number of known columns'::text,
		string_agg(format('attack %s: %s', sdc_private.report_text(attack), told), '; ' ORDER BY n), 640, 340 + 18 * count(*)::int,
		sdc_private.report_axes('columns known, in the order of the table'::text, last, 'people linked, percent'::text, 100::float8) || E'\n'
		|| string_agg(format('<polyline points="%1$s" class="l%2$s"/><line x1="60" x2="100" y1="%3$s" y2="%3$s" class="l%2$s"/><text x="108" y="%4$s">%5$s</text>',
			points, 1 + (n - 1) % 3, 336 + 18 * (n - 1), 340 + 18 * (n - 1), sdc_private.report_text(attack)), E'\n' ORDER BY n))
	FROM line HAVING count(*) > 0);
END
$known$;
COMMENT ON FUNCTION sdc_private.report_known(regclass) IS
	'people linked by number of known columns, for sdc_report';

-- Values learned of each sensitive column.
CREATE FUNCTION sdc_private.report_learned(release regclass, inside boolean)
RETURNS text
LANGUAGE plpgsql STABLE PARALLEL UNSAFE COST 1000000
SET search_path = pg_catalog, pg_temp
AS $learned$
DECLARE
	learned name;
	page text := '';
BEGIN
	FOR learned IN SELECT a.attribute FROM sdc_private.sdc_attributes AS a JOIN sdc_private.releases() AS r ON a.relation = r.source
		WHERE r.release = $1 AND a.role = 'sensitive' AND a.attribute <> ALL (r.omitted) ORDER BY a.attribute COLLATE "C"
	LOOP
		BEGIN
			page := page || (SELECT format('<tr><th scope="row"><bdi>%s</bdi></th><td class="n">%s</td><td class="n">%s</td><td class="n">%s</td>%s</tr>',
				sdc_private.report_text(learned::text), sdc_private.report_number(v.found_percent), sdc_private.report_number(v.found_without_percent),
				sdc_private.report_number(v.baseline_percent), CASE WHEN $2 THEN format('<td class="n">%s</td>', v.disclosed) ELSE '' END)
				FROM sdc_private.attribute_risk($1, NULL::name[], ARRAY[learned]::name[], 1::float8) AS v);
		EXCEPTION WHEN feature_not_supported OR object_not_in_prerequisite_state OR undefined_column OR datatype_mismatch THEN
			page := page || format('<tr><th scope="row"><bdi>%s</bdi></th><td colspan="4">is not defined for this column</td></tr>', sdc_private.report_text(learned::text));
		END;
	END LOOP;
	IF page = '' THEN
		RETURN E'<p class="none">Left out: no released column is classified as sensitive.</p>\n';
	END IF;
	RETURN sdc_private.report_table('Values guessed right, percent of all people'::text, ARRAY['sensitive column', 'with the release', 'if a person takes no part', 'blindly']::text[]
		|| CASE WHEN $2 THEN ARRAY['people whose value is certain'] ELSE '{}'::text[] END, page);
END
$learned$;
COMMENT ON FUNCTION sdc_private.report_learned(regclass, boolean) IS
	'values learned of sensitive columns, for sdc_report';

-- How often the released value tells where the original one lies.
CREATE FUNCTION sdc_private.report_intervals(release regclass)
RETURNS text
LANGUAGE sql STABLE PARALLEL UNSAFE COST 1000000
SET search_path = pg_catalog, pg_temp
AS $intervals$
	SELECT sdc_private.report_bars('intervals'::text, 'Originals near the released value (up to 1 to 10 percent of the ranks), percent'::text,
		array_agg(i.attribute::text ORDER BY i.percent DESC, i.attribute COLLATE "C"), array_agg(i.percent ORDER BY i.percent DESC, i.attribute COLLATE "C"))
	FROM sdc_private.interval_disclosure($1) AS i
$intervals$;
COMMENT ON FUNCTION sdc_private.report_intervals(regclass) IS
	'interval disclosure, for sdc_report';

-- Mean and quantiles before and after, and how far the distributions are apart.
CREATE FUNCTION sdc_private.report_margins(release regclass)
RETURNS text
LANGUAGE plpgsql STABLE PARALLEL UNSAFE COST 1000000
SET search_path = pg_catalog, pg_temp
SET extra_float_digits = 1
AS $margins$
DECLARE
	statistics CONSTANT jsonb := (SELECT jsonb_agg(to_jsonb(s)) FROM sdc_private.statistic_errors($1) AS s);
	kept CONSTANT text[] := ARRAY['mean', 'sd', 'p05', 'p25', 'median', 'p75', 'p95', 'ks', 'hellinger'];
BEGIN
	RETURN (SELECT sdc_private.report_table('Values and margins (before &rarr; after, where they differ)'::text, 'column'::text || kept,
			string_agg(format('<tr><th scope="row"><bdi>%s</bdi></th>%s</tr>', sdc_private.report_text(l.attribute),
				(SELECT string_agg(format('<td class="n">%s</td>', CASE WHEN k.statistic IN ('ks', 'hellinger') THEN sdc_private.report_number(c.protected)
						ELSE sdc_private.report_number(c.original) || CASE WHEN c.original IS DISTINCT FROM c.protected
							THEN ' &rarr; ' || sdc_private.report_number(c.protected) ELSE '' END END), '' ORDER BY k.n)
					FROM unnest(kept) WITH ORDINALITY AS k (statistic, n),
						LATERAL (SELECT (l.of #>> ARRAY[k.statistic, 'original'])::float8, (l.of #>> ARRAY[k.statistic, 'protected'])::float8) AS c (original, protected))),
				E'\n' ORDER BY l.place))
		FROM (SELECT s ->> 'attribute', min(u.place), jsonb_object_agg(s ->> 'statistic', s)
			FROM jsonb_array_elements(statistics) WITH ORDINALITY AS u (s, place) WHERE s ->> 'statistic' = ANY (kept)
			GROUP BY s ->> 'attribute') AS l (attribute, place, of));
END
$margins$;
COMMENT ON FUNCTION sdc_private.report_margins(regclass) IS
	'values and margins, for sdc_report';

CREATE FUNCTION sdc_private.report_counts(release regclass)
RETURNS text
LANGUAGE sql STABLE PARALLEL UNSAFE COST 1000000
SET search_path = pg_catalog, pg_temp
AS $counts$
	SELECT sdc_private.report_table('Relative errors of random counts, percent'::text, ARRAY['columns in the condition', 'mean', 'median', '95 %']::text[],
		string_agg(format('<tr><th scope="row">%s</th><td class="n">%s</td><td class="n">%s</td><td class="n">%s</td></tr>', e.attributes,
			sdc_private.report_number((100 * e.mean_error)::float8), sdc_private.report_number((100 * e.median_error)::float8),
			sdc_private.report_number((100 * e.p95_error)::float8)), E'\n' ORDER BY e.attributes))
	FROM sdc_private.summary_counts($1) AS e
$counts$;
COMMENT ON FUNCTION sdc_private.report_counts(regclass) IS
	'errors of random counts, for sdc_report';

CREATE FUNCTION sdc_private.association_length(columns int)
RETURNS int
AS 'MODULE_PATHNAME', 'sdc_private_association_length' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION sdc_private.association_length(int) IS
	'how long associations of so many columns may be where nobody says it';

-- Of many columns only short ones, and how many columns that are.
CREATE FUNCTION sdc_private.report_associations(release regclass)
RETURNS text
LANGUAGE sql STABLE PARALLEL UNSAFE COST 1000000
SET search_path = pg_catalog, pg_temp
SET extra_float_digits = 1
AS $associations$
	SELECT sdc_private.report_table('Associations of the source that are kept, and those that are new'::text,
		ARRAY['columns', 'in the source', 'kept', 'kept, percent', 'new']::text[],
		string_agg(format('<tr><th scope="row">%s</th><td class="n">%s</td><td class="n">%s</td><td class="n">%s</td><td class="n">%s</td></tr>', COALESCE(a.length::text, 'all'),
			a.original, a.recovered, sdc_private.report_number(a.recall_percent), a.artificial), E'\n' ORDER BY a.length NULLS LAST))
		|| CASE WHEN l.most < l.columns THEN format(E'<p class="note">Left out: associations of more than %s of the %s columns.</p>\n', l.most, l.columns) ELSE '' END
	FROM (SELECT c.columns, sdc_private.association_length(c.columns)
		FROM (SELECT cardinality(COALESCE(NULLIF(r.qi, '{}'::name[]), r.columns)) FROM sdc_private.releases() AS r WHERE r.release = $1) AS c (columns)) AS l (columns, most)
	-- what is kept and still true, by the settings of now, need not be measured again
	CROSS JOIN (SELECT (SELECT e.measures #> '{association_recall,rows}' FROM sdc_private.evaluation($1) AS e (measures)
			WHERE (e.measures #>> '{association_recall,min_support}')::float8 = current_setting('sdc.association_min_support')::float8
				AND (e.measures #>> '{association_recall,min_confidence}')::float8 = current_setting('sdc.association_min_confidence')::float8)) AS k (kept)
	CROSS JOIN LATERAL jsonb_to_recordset(COALESCE(k.kept,
		(SELECT jsonb_agg(to_jsonb(m)) FROM sdc_private.association_recall($1, NULL::float8, NULL::float8, 'antecedent'::text, l.most, NULL::name[], NULL::name[]) AS m)))
		AS a (length int, original bigint, recovered bigint, recall_percent float8, artificial bigint)
	GROUP BY l.columns, l.most, k.kept
$associations$;
COMMENT ON FUNCTION sdc_private.report_associations(regclass) IS
	'associations kept, for sdc_report';

-- Correlations of columns, the ten that changed most.
CREATE FUNCTION sdc_private.report_correlations(release regclass)
RETURNS text
LANGUAGE sql STABLE PARALLEL UNSAFE COST 1000000
SET search_path = pg_catalog, pg_temp
AS $correlations$
	WITH pair AS MATERIALIZED (SELECT c.x, c.y, c.original, c.protected, abs(c.protected - c.original) AS change FROM sdc_private.correlations($1) AS c),
	most AS (SELECT * FROM pair ORDER BY change DESC, x COLLATE "C", y COLLATE "C" LIMIT 10)
	SELECT format(E'<p>The correlations of %s pairs of numeric columns differ by %s on average.</p>\n', count(*), sdc_private.report_number(avg(change)::float8))
		|| (SELECT sdc_private.report_table('Those that differ most'::text, ARRAY['column', 'column', 'before', 'after']::text[],
			string_agg(format('<tr><th scope="row"><bdi>%s</bdi></th><td><bdi>%s</bdi></td><td class="n">%s</td><td class="n">%s</td></tr>', sdc_private.report_text(x::text),
				sdc_private.report_text(y::text), round(original::numeric, 3), round(protected::numeric, 3)), E'\n' ORDER BY change DESC, x COLLATE "C", y COLLATE "C")) FROM most)
	FROM pair HAVING count(*) > 0
$correlations$;
COMMENT ON FUNCTION sdc_private.report_correlations(regclass) IS
	'correlations before and after, for sdc_report';

-- Outside accuracy is what stands in the table beside a publication: each figure with the row behind it, its rounding.
CREATE FUNCTION sdc_private.report_accuracy(accuracy jsonb, part text)
RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $accuracy$
	SELECT sdc_private.report_table('Differences from the source, rounded so that no person shows'::text, ARRAY['column', 'measure', 'value', 'rounded to']::text[],
		string_agg(format('<tr><th scope="row"><bdi>%s</bdi></th><td>%s</td><td class="n">%s</td><td class="n">%s</td></tr>', sdc_private.report_text(COALESCE(r.attribute, 'all')::text),
			sdc_private.report_text(r.measure::text), CASE WHEN r.value IS NULL THEN 'withheld' ELSE sdc_private.report_number(r.value::float8) END,
			sdc_private.report_number(r.rounding::float8)), E'\n' ORDER BY r.n))
	FROM (SELECT f.n, f.part, f.attribute, f.measure, f.value, lead(f.value) OVER (ORDER BY f.n) AS rounding
		FROM ROWS FROM (jsonb_to_recordset($1) AS (part text, attribute text, measure text, value float8)) WITH ORDINALITY AS f (part, attribute, measure, value, n)) AS r
	WHERE r.part = $2 AND r.measure !~ '_rounding$'
$accuracy$;
COMMENT ON FUNCTION sdc_private.report_accuracy(jsonb, text) IS
	'accuracy for those who get the release, for sdc_report';

-- A part of the page: what it says, or why it says nothing.  Inside it is measured, but for the people that were found; outside
-- accuracy is found, too.
CREATE FUNCTION sdc_private.report_part(release regclass, part text, found jsonb, inside boolean)
RETURNS text
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 1000000
SET search_path = pg_catalog, pg_temp
AS $part$
DECLARE
	page text;
BEGIN
	page := CASE WHEN NOT $4 AND $2 IN ('margins', 'correlations', 'counts', 'associations') THEN sdc_private.report_accuracy($3, $2) ELSE CASE $2
		WHEN 'done' THEN sdc_private.report_done($1, $4)
		WHEN 'singling' THEN sdc_private.report_singling($1, $3, $4)
		WHEN 'linking' THEN sdc_private.report_linking($3, $4)
		WHEN 'known' THEN sdc_private.report_known($1)
		WHEN 'learned' THEN sdc_private.report_learned($1, $4)
		WHEN 'intervals' THEN sdc_private.report_intervals($1)
		WHEN 'map' THEN (SELECT sdc_private.report_ru(r.source, $1) FROM sdc_private.releases() AS r WHERE r.release = $1)
		WHEN 'margins' THEN sdc_private.report_margins($1)
		WHEN 'correlations' THEN sdc_private.report_correlations($1)
		WHEN 'counts' THEN sdc_private.report_counts($1)
		WHEN 'associations' THEN sdc_private.report_associations($1) END END;
	RETURN COALESCE(NULLIF(page, ''), E'<p class="none">Left out: there is nothing of that kind in this release.</p>\n');
EXCEPTION WHEN feature_not_supported OR object_not_in_prerequisite_state OR program_limit_exceeded OR datatype_mismatch OR undefined_column OR invalid_parameter_value THEN
	RETURN format(E'<p class="none">Left out: %s.</p>\n', CASE WHEN $4 THEN sdc_private.report_text(SQLERRM::text) ELSE 'it is not defined for this release' END);
END
$part$;
COMMENT ON FUNCTION sdc_private.report_part(regclass, text, jsonb, boolean) IS
	'a part of sdc_report';

CREATE FUNCTION sdc_private.report_style()
RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $style$
	SELECT $css$:root { color-scheme: light dark; --paper: #ffffff; --ink: #1b1b1b; --soft: #555555; --rule: #8a8a8a; --one: #0b5fa5; --two: #9a3f00; --three: #1b6e35 }
@media screen and (prefers-color-scheme: dark) { :root { --paper: #161616; --ink: #ececec; --soft: #b4b4b4; --rule: #8a8a8a; --one: #7ab8f5; --two: #f5a45d; --three: #7fd18b } }
body { font: 16px/1.5 sans-serif; color: var(--ink); background: var(--paper); max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
h1, h2, h3 { line-height: 1.2 } h2 { border-bottom: 1px solid var(--rule); margin-top: 2.5rem }
table { border-collapse: collapse; margin: 1rem 0 } caption { text-align: left; font-weight: bold } .wide { overflow-x: auto }
th, td { border-bottom: 1px solid var(--rule); padding: 0.2rem 0.7rem; text-align: left; vertical-align: top } .n { text-align: right; white-space: nowrap }
.none, .note { color: var(--soft) } .head { font-size: 1.5rem } svg { max-width: 100%; height: auto; color: var(--ink) }
.s1 { fill: var(--one) } .s2 { fill: var(--two) } .grid { stroke: var(--rule); stroke-width: 0.5 } .ring { fill: none; stroke: var(--ink) }
.l1, .l2, .l3 { fill: none; stroke-width: 2.5 } .l1 { stroke: var(--one) } .l2 { stroke: var(--two); stroke-dasharray: 8 4 } .l3 { stroke: var(--three); stroke-dasharray: 2 3 }
@media print { body { max-width: none; margin: 0; font-size: 10pt } svg, tr { break-inside: avoid } h2, h3, caption { break-after: avoid } .wide { overflow: visible } }$css$
$style$;
COMMENT ON FUNCTION sdc_private.report_style() IS
	'the style of sdc_report';

-- The headings of risk are those of Opinion 05/2014 of the Article 29 Working Party.
-- What a run was held to, and what came of it: the last run that made the release.  A row of the log is of no use to whom it hides.
CREATE FUNCTION sdc_private.report_verdict(release regclass, inside boolean)
RETURNS text
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 10000
SET search_path = pg_catalog, pg_temp
SET quote_all_identifiers = off
AS $verdict$
DECLARE
	ran record;
BEGIN
	SELECT r.* INTO ran FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace,
		-- the name of a release of a run ends with its number
		LATERAL sdc_private.run_rows(NULL, substring(c.relname FROM '_run_([0-9]{1,18})$')::bigint) AS r
		WHERE c.oid = $1 AND c.relname ~ '_run_[0-9]{1,18}$' AND r.release = format('%I.%I', n.nspname, c.relname) AND r.policy IS NOT NULL;
	IF NOT FOUND THEN
		RETURN '';
	END IF;
	RETURN format(E'<h2>Verdict</h2>\n<p><strong>%s</strong>%s</p>\n', upper(left(ran.status, 1)) || substr(ran.status, 2),
			CASE WHEN $2 THEN format(': run %s of policy <bdi>%s</bdi>, started by <bdi>%s</bdi>%s on %s.', ran.run, sdc_private.report_text(ran.policy::text),
				sdc_private.report_text(ran.started_by::text), COALESCE(', approved by <bdi>' || sdc_private.report_text(ran.approved_by::text) || '</bdi>', ''),
				to_char(ran.started_at, 'YYYY-MM-DD')) ELSE '' END)
		|| sdc_private.report_table('What was to be kept'::text, ARRAY['measure', 'found', 'allowed', 'kept']::text[], (
			SELECT string_agg(format('<tr><th scope="row">%s</th><td>%s</td><td>at %s %s</td><td>%s</td></tr>', l.meaning,
				sdc_private.report_number((g.held ->> 'value')::float8), CASE WHEN l.at_most THEN 'most' ELSE 'least' END,
				sdc_private.report_number((g.held ->> 'bound')::float8), CASE WHEN (g.held ->> 'kept')::boolean THEN 'yes' ELSE 'no' END),
				E'\n' ORDER BY g.held ->> 'measure')
			FROM jsonb_array_elements(ran.limits) AS g (held) JOIN sdc_private.limits() AS l ON l.measure = g.held ->> 'measure'));
END
$verdict$;
COMMENT ON FUNCTION sdc_private.report_verdict(regclass, boolean) IS
	'what a run was held to, for sdc_report';

-- The release of a run, as long as it is there.
CREATE FUNCTION sdc_private.report_release(run bigint)
RETURNS regclass
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 10000
SET search_path = pg_catalog, pg_temp
AS $release$
DECLARE
	ran record;
BEGIN
	SELECT r.* INTO ran FROM sdc_private.run_rows(NULL, $1) AS r;
	IF NOT FOUND THEN
		RAISE EXCEPTION USING ERRCODE = 'undefined_object', MESSAGE = format('run %s does not exist', $1),
			HINT = 'View sdc_runs lists the runs.';
	ELSIF to_regclass(ran.release) IS NULL THEN
		RAISE EXCEPTION USING ERRCODE = 'object_not_in_prerequisite_state', MESSAGE = format('the release of run %s is not there any more', $1),
			HINT = format('What was measured is in the log: SELECT sdc_release_record(%s).', $1);
	END IF;
	RETURN to_regclass(ran.release);
END
$release$;
COMMENT ON FUNCTION sdc_private.report_release(bigint) IS
	'the release of a run, for sdc_report';

CREATE FUNCTION sdc_private.report(release regclass, audience text, run bigint)
RETURNS text
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 1000000
SET search_path = pg_catalog, pg_temp
SET extra_float_digits = 1
AS $report$
#variable_conflict use_column
<<report>>
DECLARE
	inside CONSTANT boolean := $2 = 'internal';
	release regclass := $1;
	title text;
	people jsonb;
	accuracy jsonb;
	page text;
	part record;
BEGIN
	IF $2 IS NULL THEN
		RAISE EXCEPTION 'argument "audience" must not be null' USING ERRCODE = 'null_value_not_allowed';
	ELSIF $2 NOT IN ('internal', 'external') THEN
		RAISE EXCEPTION 'argument "audience" is not "internal" or "external"' USING ERRCODE = 'invalid_parameter_value',
			HINT = 'Choose "internal" for those who may see the source, "external" for those who get the release.';
	ELSIF ($1 IS NULL) = ($3 IS NULL) THEN
		RAISE EXCEPTION 'either argument "release" or argument "run" must be given' USING ERRCODE = 'null_value_not_allowed';
	ELSIF $3 IS NOT NULL THEN
		report.release := sdc_private.report_release($3::bigint);
	END IF;
	-- what is kept and still true need not be measured again, if it is about all that is known, and about all people
	people := (SELECT e.measures -> 'people' FROM sdc_private.evaluation(report.release) AS e (measures)
		WHERE e.measures -> 'known_given' = 'false' AND e.measures -> 'sample' = 'null');
	IF people IS NULL THEN
		people := (SELECT jsonb_object_agg(p.attack, to_jsonb(p)) FROM sdc_private.people_found(report.release, NULL::name[], false, NULL::bigint, NULL::text) AS p);
	END IF;
	IF NOT inside THEN
		accuracy := (SELECT jsonb_agg(to_jsonb(a)) FROM sdc_private.accuracy(report.release, NULL::name[], NULL::bigint, NULL::bigint) AS a);
	END IF;
	title := CASE WHEN inside THEN 'Release ' || sdc_private.report_text(report.release::text) ELSE 'Protected data' END;
	page := format(E'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n'
		'<meta http-equiv="Content-Security-Policy" content="default-src ''none''; style-src ''unsafe-inline''">\n<title>%1$s</title>\n<style>\n%2$s\n</style>\n</head>\n<body>\n<main>\n<h1>%1$s</h1>\n'
		'<p class="head">An intruder who knows all that was not withheld from him finds <strong>%3$s %%</strong> of the people; by chance %4$s %%.</p>\n'
		'<p class="note">%5$s Measured by sdc %6$s.</p>\n', title, sdc_private.report_style(),
		sdc_private.report_number((people #>> '{any,percent}')::float8), sdc_private.report_number((people #>> '{chance,percent}')::float8),
		CASE WHEN inside THEN 'For internal use: some figures would help an intruder.' ELSE 'Without figures about records, and without what helps an intruder.' END,
		sdc_private.version()) || sdc_private.report_verdict(report.release, inside);
	FOR part IN SELECT * FROM (VALUES
		(2, 'done', true, 'What was done', ''),
		(2, '', true, 'Risk', 'By the three questions of the European guidance on anonymisation (Article 29 Working Party, Opinion 05/2014).'),
		(3, 'singling', true, 'Singling out', 'Can a person be told apart?'),
		(3, 'linking', true, 'Linkability', 'Can a record be linked to what is known of a person from elsewhere?'),
		(3, 'known', false, 'By number of known columns', ''),
		(3, 'learned', true, 'Inference', 'Can a value be guessed? What is guessed too of people who take no part is what the data teach about everybody.'),
		(3, 'intervals', false, 'Values near the original', ''),
		(2, 'map', false, 'Risk and loss', 'All releases of the same source that have both and have not changed since. Less of each is better: below and to the left.'),
		(2, '', true, 'Accuracy', ''),
		(3, 'margins', true, 'Values and margins', 'ks and hellinger: how far the distribution is from the original one; 0 is not at all, 1 is as far as can be.'),
		(3, 'correlations', true, 'Correlations', ''),
		(3, 'counts', true, 'Counts', ''),
		(3, 'associations', true, 'Associations', '')) AS t (level, name, outside, heading, note) WHERE inside OR t.outside
	LOOP
		page := page || format(E'<h%1$s>%2$s</h%1$s>\n', part.level, part.heading)
			|| CASE part.note WHEN '' THEN '' ELSE format(E'<p class="note">%s</p>\n', part.note) END
			|| CASE part.name WHEN '' THEN '' ELSE sdc_private.report_part(report.release, part.name::text,
				CASE WHEN inside OR part.name IN ('singling', 'linking') THEN people ELSE accuracy END, inside) END;
	END LOOP;
	RETURN page || E'</main>\n</body>\n</html>';
END
$report$;
COMMENT ON FUNCTION sdc_private.report(regclass, text, bigint) IS
	'what sdc_report does';

CREATE FUNCTION sdc_report(release regclass DEFAULT NULL, audience text DEFAULT 'internal', run bigint DEFAULT NULL)
RETURNS text
AS 'MODULE_PATHNAME', 'sdc_report_page' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000;
COMMENT ON FUNCTION sdc_report(regclass, text, bigint) IS
	'a page in HTML about a release, or that of a run: verdict, what was done, risk and accuracy (needs release or run)';

CREATE FUNCTION sdc_private.ru_map_svg(source regclass)
RETURNS text
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 1000000
SET search_path = pg_catalog, pg_temp
AS $svg$
DECLARE
	map text;
BEGIN
	IF $1 IS NULL THEN
		RAISE EXCEPTION 'argument "source" must not be null' USING ERRCODE = 'null_value_not_allowed';
	END IF;
	map := sdc_private.report_ru($1, NULL::regclass);
	IF map IS NULL THEN
		RAISE EXCEPTION 'relation "%" has no release with risk and loss', $1
			USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'The view sdc_scores has what there is, and why a release has no score.';
	END IF;
	RETURN replace(map, '<title id="ru-t">', E'<style>svg { color: #1b1b1b; background: #ffffff } .s1 { fill: #0b5fa5 } .s2 { fill: #9a3f00 }'
		' .grid { stroke: #767676; stroke-width: 0.5 } .ring { fill: none; stroke: #1b1b1b }</style>\n<title id="ru-t">');
END
$svg$;
COMMENT ON FUNCTION sdc_private.ru_map_svg(regclass) IS
	'what sdc_ru_map_svg does';

CREATE FUNCTION sdc_ru_map_svg(source regclass)
RETURNS text
AS 'MODULE_PATHNAME', 'sdc_enter' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000;
COMMENT ON FUNCTION sdc_ru_map_svg(regclass) IS
	'the R-U map of the releases of a relation, as a picture in SVG (needs source)';

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
	'what is below the view sdc_progress';

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
				SELECT c.reltype FROM pg_catalog.pg_class AS c WHERE c.relkind OPERATOR(pg_catalog.=) 'c'))
	LOOP
		EXECUTE pg_catalog.format('ALTER %s %s OWNER TO %I', object.type, object.identity, owner);
	END LOOP;
END
$owner$;

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

-- What dumps and restores need: COPY, both ways, and the private states for whoever may read all tables.
GRANT SELECT, INSERT ON sdc_private.sdc_release_catalog, sdc_private.sdc_policy_catalog, sdc_private.sdc_publication_catalog,
	sdc_private.sdc_evaluation_catalog, sdc_private.sdc_run_log, sdc_private.sdc_state_dump TO @extowner@, pg_database_owner;
GRANT USAGE ON SCHEMA sdc_private TO @extowner@, pg_database_owner;
GRANT EXECUTE ON FUNCTION sdc_private.state_dump() TO @extowner@, pg_database_owner, pg_read_all_data;

-- What is below views is executed by whoever reads them, who may not use the schema, and so cannot name it.
GRANT SELECT ON sdc_private.sdc_attributes, sdc_private.sdc_ru_map TO PUBLIC;
GRANT EXECUTE ON FUNCTION sdc_private.releases(), sdc_private.stored_score(regclass), sdc_private.stored_query_errors(regclass),
	sdc_private.stored_association_recall(regclass), sdc_private.policies(), sdc_private.publications(),
	sdc_private.runs(name, bigint), sdc_private.run_rows(name, bigint), sdc_private.progress(), sdc_private.roles(regclass) TO PUBLIC;

GRANT SELECT ON sdc_releases, sdc_attributes, sdc_scores, sdc_ru_map, sdc_query_errors, sdc_association_recall,
	sdc_progress, sdc_policies, sdc_publications, sdc_runs, sdc_policy_history TO PUBLIC;
