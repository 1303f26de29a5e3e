----------------------------------------------------------------------
-- Catalog
----------------------------------------------------------------------

-- A role, in a dump by its name: another cluster has other OIDs.  Not regrole, for which a name that does not exist is an error.
CREATE TYPE sdc_private.role_name;

CREATE FUNCTION sdc_private.role_name_in(cstring)
RETURNS sdc_private.role_name
AS 'MODULE_PATHNAME', 'sdc_private_role_name_in' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sdc_private.role_name_in(cstring) IS
	'finds the role of a name';

CREATE FUNCTION sdc_private.role_name_out(sdc_private.role_name)
RETURNS cstring
AS 'MODULE_PATHNAME', 'sdc_private_role_name_out' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sdc_private.role_name_out(sdc_private.role_name) IS
	'the name of a role';

CREATE TYPE sdc_private.role_name (INPUT = sdc_private.role_name_in, OUTPUT = sdc_private.role_name_out, LIKE = oid);
COMMENT ON TYPE sdc_private.role_name IS
	'a role, by its name in dumps: - is none, ? one that does not exist here';

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
	written_by sdc_private.role_name NOT NULL,	-- none: by a function of the extension, else the role that restored it
	draw bigint NOT NULL DEFAULT 0,	-- releases of one draw have the same number; 0: it is not known
	named name[] NOT NULL DEFAULT '{}',	-- by number of the source's columns: their names in the release, '' of others
	unit name[] NOT NULL DEFAULT '{}',	-- columns of the source that name the unit of a record; none: each record is one
	units bigint NOT NULL DEFAULT 0,	-- how many there are
	weight name NOT NULL DEFAULT '',	-- the column of the source that says how many a record stands for; '': none
	missing jsonb NOT NULL DEFAULT '{}'	-- its missing codes, by column
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
	written_by sdc_private.role_name NOT NULL,
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
	written_by sdc_private.role_name NOT NULL	-- none: by a function of the extension, else the role that restored it
) USING heap;
COMMENT ON TABLE sdc_private.sdc_evaluation_catalog IS
	'measures of releases; read it through the views, such as sdc_scores';

CREATE TABLE sdc_private.sdc_temporary_evaluations (LIKE sdc_private.sdc_evaluation_catalog INCLUDING INDEXES) USING heap;
COMMENT ON TABLE sdc_private.sdc_temporary_evaluations IS
	'measures of temporary releases; not dumped';

-- What continued releases were made from, and how, in parts: who reads it can undo them.  Nobody has a right on it.
CREATE TABLE sdc_private.sdc_state_catalog (
	release regclass NOT NULL,
	row_type regtype NOT NULL,
	stream int NOT NULL,	-- 0: what there is
	part int NOT NULL,
	contents bytea NOT NULL,
	written_by sdc_private.role_name NOT NULL,	-- none: by a function of the extension, else the role that restored it
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

-- Policies: names in the place of OIDs, so that a dump restores them.
CREATE TABLE sdc_private.sdc_policy_catalog (
	policy name PRIMARY KEY,
	owner sdc_private.role_name NOT NULL,
	definition jsonb NOT NULL,
	written_by sdc_private.role_name NOT NULL	-- none: by a function of the extension, else the role that restored it
) USING heap;
COMMENT ON TABLE sdc_private.sdc_policy_catalog IS
	'the policies; read it through the view sdc_policies';

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
	written_by sdc_private.role_name NOT NULL	-- none: by a function of the extension, else the role that restored it
) USING heap;
CREATE INDEX sdc_run_log_policy ON sdc_private.sdc_run_log (policy);
COMMENT ON TABLE sdc_private.sdc_run_log IS
	'the log of runs; read it through the view sdc_runs';

-- Not dumped: numbers that are taken are passed by.
CREATE SEQUENCE sdc_private.sdc_run_number;
COMMENT ON SEQUENCE sdc_private.sdc_run_number IS
	'numbers of runs';

-- Who restores a dump adds rows, which are read as what he could have registered himself.
CREATE FUNCTION sdc_private.sdc_catalog_entered()
RETURNS trigger
AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION sdc_private.sdc_catalog_entered() IS
	'trigger of the tables of the extension: notes who restores a row';

-- @each sdc_release_catalog, sdc_policy_catalog, sdc_publication_catalog, sdc_run_log, sdc_evaluation_catalog
CREATE TRIGGER sdc_entered BEFORE INSERT ON sdc_private.@item
	FOR EACH ROW EXECUTE FUNCTION sdc_private.sdc_catalog_entered();
COMMENT ON TRIGGER sdc_entered ON sdc_private.@item IS
	'notes who restores a row';
ALTER TABLE sdc_private.@item ENABLE ALWAYS TRIGGER sdc_entered;

-- @end
-- A dump of the whole database has private states, as it has the sources.  A smaller one has not, unless it names this table:
-- pg_dump takes tables of an extension along with a schema that it dumps by itself, but not where the schema belongs to the
-- extension.  What is dumped of this table is the part of the others that the dumping role may read, and what is restored goes there.  It
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
RETURNS TABLE (release regclass, row_type regtype, stream int, part int, contents bytea, written_by sdc_private.role_name)
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
