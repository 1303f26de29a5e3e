/* sdc: statistical disclosure control inside the database */

\echo Use "CREATE EXTENSION sdc" to load this file. \quit

-- Names are compared as texts, and settings of functions are written down.
SET LOCAL quote_all_identifiers = off;

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
