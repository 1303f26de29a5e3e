"""What must be true after any statements at all: nothing is left behind, nothing broke.

The server's log, a session, and a database that nobody uses are looked at.  Every
function returns a list of findings, empty if all is well.
"""

import os
import re
import time

from wire import PATIENCE, Session

# What the log must not have.  Leaks are noticed by the server when a transaction ends.
BAD_LOG = re.compile(
    r"PANIC|TRAP:|terminated by signal|was terminated|server process .* exited with exit code"
    r"|reference leak|refcount leak|leaked|leak:|not closed|non-empty SPI|problem in alloc set"
    r"|write past chunk|bogus|could not unlink|could not remove|orphan|missing chunk"
    r"|transaction commit while .* in progress|AbortTransaction while|exceeded maxAllocatedDescs")

# States of errors that no argument and no neighbour may cause: internal errors, damaged
# files, memory or files exhausted, a crash of another session.
BAD_STATES = ("XX", "58", "53", "F0")
LIMIT_STATES = ("53400",)       # a limit that was set: temp_file_limit


def bad_state(state):
    """Whether an SQLSTATE tells of a defect."""
    return (state[:2] in BAD_STATES or state == "57P02") and state not in LIMIT_STATES


class Log:
    """The server's log from now on."""

    def __init__(self):
        self.name = os.path.join(os.environ["PGHOST"], "log")
        self.place = os.path.getsize(self.name)

    def bad_lines(self):
        """Lines that tell of a crash or a leak, since the last call."""
        with open(self.name, "rb") as log:
            log.seek(self.place)
            lines = log.read().decode(errors="replace").splitlines()
            self.place = log.tell()
        return [line for line in lines
                if BAD_LOG.search(line) and not re.search("STATEMENT:|DETAIL:|CONTEXT:|QUERY:", line)]


def session_state(session):
    """What a session has changed or holds, as text, outside of a transaction."""
    return session.rows("""
        SELECT 'setting ' || name || ' = ' || setting FROM pg_settings
            WHERE source = 'session' AND name !~ '^(transaction|application_name$)'
        UNION ALL SELECT 'cursor ' || name FROM pg_cursors WHERE name <> ''
        UNION ALL SELECT 'prepared statement ' || name FROM pg_prepared_statements
        UNION ALL SELECT 'role ' || current_user WHERE current_user <> session_user
        UNION ALL SELECT 'lock ' || locktype || ' ' || mode || ' ' || coalesce(relation::regclass::text, '')
            FROM pg_locks WHERE pid = pg_backend_pid() AND locktype <> 'virtualxid'
            AND relation IS DISTINCT FROM 'pg_locks'::regclass
            AND coalesce(relation::regclass::text, '') !~ '^pg_(class|authid|roles|database)'
        ORDER BY 1""")


def still_state(session, before):
    """What a session holds that it did not hold before."""
    return ["the session keeps a %s" % row for row in session_state(session) if row not in before]


def memory(session):
    """Bytes in use in a session, by whether they are caches of the catalog.

    A context has the name of its parent up to PostgreSQL 17, and from 18 on a path of numbers, its own the last.
    """
    session.run("SELECT 1")
    row = session.rows("""
        WITH c AS MATERIALIZED (SELECT name, used_bytes, to_jsonb(m) AS told FROM pg_backend_memory_contexts AS m),
        kind AS (SELECT used_bytes, name = 'CacheMemoryContext' OR coalesce(told ->> 'parent' = 'CacheMemoryContext',
            told -> 'path' -> -2 = (SELECT told -> 'path' -> -1 FROM c WHERE name = 'CacheMemoryContext'), false) AS cache
            FROM c)
        SELECT sum(used_bytes) FILTER (WHERE NOT cache), sum(used_bytes) FILTER (WHERE cache), count(*) FROM kind""")[0]
    return tuple(int(value) for value in row)


def alone(session):
    """Waits until no other session of the database is left, and returns those that stay."""
    begin = time.monotonic()
    while True:
        others = session.rows("""SELECT pid, backend_type, query FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid()
            AND backend_type IN ('client backend', 'parallel worker')""")
        if not others or time.monotonic() - begin > PATIENCE:
            return ["session %s (%s) stays: %s" % row for row in others]
        time.sleep(0.01)


# What must not be in the catalog of a database that nobody uses.
ORPHANS = {
    "temporary relation":
        "SELECT oid::regclass FROM pg_class WHERE relpersistence = 't'",
    "transient relation":
        "SELECT oid::regclass FROM pg_class WHERE relname ~ '^pg_temp_[0-9]'",
    "columns of no relation":
        "SELECT attrelid FROM pg_attribute WHERE attrelid NOT IN (SELECT oid FROM pg_class)",
    "row type of no relation":
        "SELECT typname FROM pg_type WHERE typrelid <> 0 AND typrelid NOT IN (SELECT oid FROM pg_class)",
    "index of no relation":
        "SELECT indexrelid FROM pg_index WHERE indrelid NOT IN (SELECT oid FROM pg_class)",
    "relation of no schema":
        "SELECT relname FROM pg_class WHERE relnamespace NOT IN (SELECT oid FROM pg_namespace)",
    "label of no relation":
        "SELECT objoid FROM pg_seclabel WHERE classoid = 'pg_class'::regclass"
        " AND objoid NOT IN (SELECT oid FROM pg_class)",
    "dependency of no relation":
        "SELECT objid FROM pg_depend WHERE classid = 'pg_class'::regclass"
        " AND objid NOT IN (SELECT oid FROM pg_class)",
    "dependency on no relation":
        "SELECT refobjid FROM pg_depend WHERE refclassid = 'pg_class'::regclass"
        " AND refobjid NOT IN (SELECT oid FROM pg_class)",
    "prepared transaction": "SELECT gid FROM pg_prepared_xacts",
    "advisory lock": "SELECT pid FROM pg_locks WHERE locktype = 'advisory'",
}


def orphans(session):
    """Rows of the catalog that nothing refers to, and sessions in sdc_progress."""
    found = ["%s: %s" % (what, row[0]) for what, query in ORPHANS.items() for row in session.rows(query)]
    schema = session.rows("""SELECT quote_ident(nspname) FROM pg_extension
        JOIN pg_namespace ON pg_namespace.oid = extnamespace WHERE extname = 'sdc'""")
    if schema:
        found += ["progress of session %s" % row[0]
                  for row in session.rows("SELECT pid FROM %s.sdc_progress" % schema[0])]
    return found


def stale_relations(session):
    """Rows of the extension's tables about releases and publications that are gone; after upkeep only.

    Whose row it is says the first column of the primary key.  A publication outlives its release.
    """
    found = []
    for table, column, typed in session.rows("""
            SELECT c.oid::regclass, a.attname, EXISTS (SELECT FROM pg_attribute WHERE attrelid = c.oid AND attname = 'row_type')
            FROM pg_depend d
            JOIN pg_extension e ON d.refclassid = 'pg_extension'::regclass AND d.refobjid = e.oid
            JOIN pg_class c ON d.classid = 'pg_class'::regclass AND d.objid = c.oid AND c.relkind = 'r'
            JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary
            JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0] AND a.attname IN ('release', 'publication')
            WHERE e.extname = 'sdc' AND d.deptype = 'e'"""):
        found += ["%s has a row of relation %s, which is gone" % (table, row[0]) for row in session.rows(
            "SELECT %s::oid FROM %s WHERE NOT EXISTS (SELECT FROM pg_class WHERE oid = %s%s)"
            % (column, table, column, " AND reltype = row_type" if typed == "t" else ""))]
    return found


def stray_files(session):
    """Files of the database that belong to no relation, and temporary files."""
    session.rows("CHECKPOINT")
    base = os.path.join(session.value("SHOW data_directory"), "base")
    number = session.value("SELECT oid FROM pg_database WHERE datname = current_database()")
    known = {row[0] for row in session.rows(
        "SELECT pg_relation_filenode(oid) FROM pg_class WHERE pg_relation_filenode(oid) IS NOT NULL")}
    found = ["file %s of no relation" % name for name in sorted(os.listdir(os.path.join(base, number)))
             if re.match("t?[0-9]", name) and re.split("[._]", name)[0] not in known]
    temporary = os.path.join(base, "pgsql_tmp")
    if os.path.isdir(temporary):
        found += ["temporary file %s" % name for name in sorted(os.listdir(temporary))]
    return found


def leftovers(database, crashed=False):
    """All that is left in a database that nobody uses any more.  A crash leaves files."""
    session = Session(database)
    try:
        return alone(session) + orphans(session) + ([] if crashed else stray_files(session))
    finally:
        session.close()
