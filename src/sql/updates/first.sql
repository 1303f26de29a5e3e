\echo Use "ALTER EXTENSION sdc UPDATE" to load this file. \quit

-- As in a new installation.
SET LOCAL quote_all_identifiers = off;

-- The version of the extension is the new one already: the library of before, which knows none of the functions that follow,
-- says so when it is called.
SELECT sdc_version();

