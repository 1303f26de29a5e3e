"""Storms: sessions that protect, score and look, among others that take everything away.

Every round is a database of its own with some tables.  Each session has a list of
statements that is drawn from the seed, the round and its number; all run at the same
time, and at drawn points one of them is cancelled or terminated.  What comes out
differs from run to run, as the sessions race; what must not happen does not: internal
errors in the functions of the extension, crashes, sessions that hang, and anything
that is left when all are gone.

Some sessions are those of ordinary roles: an owner and a clerk who set and run policies
and publish, an officer who approves.  What the log says of them must be what they have
done, as far as the extension was there all the time.
"""

import random
import select
import time

import watch
from args import Database, wait_server
from wire import PATIENCE, Lost, Session

STATEMENTS = 40                 # of each session in a round
TABLES = ("t0", "t1", "t2", "t3")
OPTIONS = "-c lock_timeout=3s -c search_path=storm,public -c client_min_messages=error -c sdc.query_workload=20"

SETUP = """
CREATE SCHEMA storm; CREATE EXTENSION sdc SCHEMA public;
CREATE FUNCTION storm.make(name text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('CREATE TABLE IF NOT EXISTS storm.%I (id int PRIMARY KEY, x int, y float8, z numeric, t text)', name);
	EXECUTE format('INSERT INTO storm.%I SELECT i, hashint4(i) %% 20, hashint4(i + 1), hashint4(i + 2), ''t'' || abs(hashint4(i + 3)) %% 5
		FROM generate_series(1, 300) AS i ON CONFLICT DO NOTHING', name);
END
$$;
SELECT storm.make('t' || i) FROM generate_series(0, 3) AS i;
CREATE VIEW storm.v0 AS SELECT * FROM storm.t0;
-- What reads this takes its time, so that others get in between.
CREATE FUNCTION storm.nap(id int) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
	IF id % 15 = 0 THEN
		PERFORM pg_sleep(0.001);
	END IF;
	RETURN true;
END
$$;
CREATE VIEW storm.v1 AS SELECT * FROM storm.t1 WHERE storm.nap(id);
-- Those who publish, each in a schema of his own; the clerk has the owner's rights.
DO $$
BEGIN
	CREATE ROLE storm_owner LOGIN;
	CREATE ROLE storm_clerk LOGIN IN ROLE storm_owner;
	CREATE ROLE storm_officer LOGIN;
EXCEPTION WHEN duplicate_object THEN
	NULL;
END
$$;
GRANT USAGE ON SCHEMA storm TO PUBLIC;
CREATE SCHEMA storm_owner AUTHORIZATION storm_owner;
CREATE SCHEMA storm_clerk AUTHORIZATION storm_clerk;
SELECT storm.make('p' || i) FROM generate_series(0, 1) AS i;
ALTER TABLE storm.p0 OWNER TO storm_owner;
ALTER TABLE storm.p1 OWNER TO storm_owner;
GRANT ALL ON SCHEMA storm TO storm_owner;
"""

# What must hold when all are gone: an array of texts, one for each row of the log or of the publications that is wrong.
JOURNAL = (
    ("a run is at work, and nobody runs", "SELECT run FROM sdc_runs WHERE status = 'running'"),
    ("a run was approved by who has started it", "SELECT run FROM sdc_runs WHERE status = 'published' AND approved_by = started_by"),
    ("a run was approved by who is no approver", "SELECT run FROM sdc_runs WHERE status = 'published' AND approved_by NOT IN ('storm_officer', 'storm_owner', 'storm_clerk')"),
    ("a run was started by who has called nothing", "SELECT run FROM sdc_runs WHERE started_by NOT IN ('storm_owner', 'storm_clerk', 'postgres')"),
    ("a policy has two runs that wait", "SELECT policy FROM sdc_runs WHERE status = 'waiting' GROUP BY policy HAVING count(*) > 1"),
    ("a run has ended, and it is not said when",
     "SELECT run FROM sdc_runs WHERE status <> 'running' AND finished_at IS NULL AND reason !~ 'the session or the server'"),
    ("a publication is not what the last row of the log about it says",
     """SELECT p.publication FROM sdc_publications AS p WHERE p.publication::text !~ 'last_published' AND 1 <> (SELECT count(*) FROM sdc_runs AS r
        WHERE r.status = 'published' AND r.target::regclass = p.publication AND r.owner = p.published_by AND r.sha256 = encode(p.sha256, 'hex')
        AND r.run = (SELECT max(l.run) FROM sdc_runs AS l WHERE l.status = 'published' AND to_regclass(l.target) = p.publication))"""),
    ("a lock is left", "SELECT locktype || ' ' || mode FROM pg_locks WHERE pid IS DISTINCT FROM pg_backend_pid() AND locktype IN ('object', 'advisory')"),
)


def protecting(draw, table):
    """A method on a table."""
    method = draw.choice(("rankswap", "rankswap_distribution", "rankswap_buckets", "equidepth_swap", "equiwidth_swap", "randomize", "generalize", "permute"))
    words = {"randomize": "qi => '{x,t}'", "generalize": "qi => '{x,y}', k => 4", "permute": "qi => '{x,y}', sensitive => '{t}', l => 2",
             "rankswap_buckets": "buckets => 20, columns => '{x,y}'", "equidepth_swap": "depth => 10, columns => '{x,y}'",
             "equiwidth_swap": "intervals => 10, columns => '{x,y}'"}.get(method, "p => 5, columns => '{x,y}'")
    seed = draw.choice(("", ", seed => %d" % draw.randint(1, 9)))
    seed = ("" if method == "generalize" else seed) + (", key => '{id}'" if table[0] == "v" else "")
    if draw.random() < 0.15 and method != "generalize":
        return "SELECT count(*) FROM sdc_%s(NULL::%s, %s%s)" % (method, table, words, seed)
    target = draw.choice(("out0", "out1", "out2", "out3", "pg_temp.mine"))
    return "SELECT * FROM sdc_%s('%s', %s, target => '%s', replace => %s%s)" % (
        method, table, words, target, draw.choice(("true", "true", "false")), seed)


def protector(draw):
    """Protects, replaces, sometimes in a transaction."""
    statement = protecting(draw, draw.choice(TABLES + ("v0", "v1", "v1")))
    kind = draw.randrange(6)
    if kind == 0:
        return "BEGIN; %s; SELECT pg_sleep(0.01); COMMIT" % statement
    if kind == 1:
        return "BEGIN; SAVEPOINT a; %s; ROLLBACK TO a; %s; %s" % (statement, protecting(draw, draw.choice(TABLES)), draw.choice(("COMMIT", "ROLLBACK")))
    if kind == 2:
        return "SET statement_timeout = %d; %s; RESET statement_timeout" % (draw.randint(1, 30), statement)
    return statement


def measurer(draw):
    """Scores and measures."""
    release, table = draw.choice(("out0", "out1", "out2", "out3")), draw.choice(TABLES + ("v1", "v1"))
    return draw.choice((
        "SELECT * FROM sdc_score('%s')" % release, "SELECT * FROM sdc_information_loss('%s'::regclass)" % release,
        "SELECT count(*) FROM sdc_link_distance('%s')" % release, "SELECT count(*) FROM sdc_record_risk('%s')" % release,
        "SELECT * FROM sdc_query_errors('%s', 20, 1, '{x}', '{t}')" % release, "SELECT * FROM sdc_compare('%s', condition => 'x > 0')" % release,
        "SELECT * FROM sdc_correlation_bias('%s')" % release, "SELECT sdc_histogram_error('%s')" % release,
        "SELECT * FROM sdc_association_recall('%s', qi => '{x}', sensitive => '{t}')" % release,
        "SELECT * FROM sdc_association_changes('%s', qi => '{x}', sensitive => '{t}')" % release, "SELECT * FROM sdc_statistic_errors('%s')" % release,
        "SELECT * FROM sdc_cell_errors('%s', '{t}', 'x')" % release, "SELECT * FROM sdc_distinguishability('%s')" % release,
        "SELECT * FROM sdc_estimate('%s', '{x,t}', '{x > 0}', draws => 1, by => '{t}')" % table,
        "SELECT * FROM sdc_kanonymity('%s', '{x,t}')" % table, "SELECT count(*) FROM sdc_frequent_itemsets('%s', '{x,t}')" % table,
        "SELECT * FROM sdc_swap_privacy('%s', '{x,y}')" % table, "SELECT * FROM sdc_chi_square('%s', '{x,t}')" % table,
        "SELECT * FROM sdc_baseline('%s', seed => 1)" % release, "SELECT sdc_entropy(t) FROM %s" % table))


def viewer(draw):
    """Looks at the views."""
    return draw.choice((
        "SELECT * FROM sdc_scores", "SELECT * FROM sdc_ru_map", "SELECT * FROM sdc_query_errors", "SELECT * FROM sdc_association_recall",
        "SELECT * FROM sdc_releases", "SELECT * FROM sdc_progress", "SELECT * FROM sdc_attributes",
        "BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM sdc_releases; SELECT * FROM sdc_scores; COMMIT",
        "BEGIN; DECLARE c CURSOR FOR SELECT * FROM sdc_scores; FETCH 1 FROM c; SELECT count(*) FROM sdc_progress; COMMIT"))


def registrar(draw):
    """Registers, unregisters and classifies."""
    table, release = draw.choice(TABLES), draw.choice(TABLES + ("out0", "out1"))
    return draw.choice((
        "SELECT sdc_register('%s', '%s', '{x,y}', '{id}')" % (table, release), "SELECT sdc_unregister('%s')" % release,
        "SELECT sdc_classify('%s', '%s', %s)" % (table, draw.choice("xyzt"), draw.choice(("'sensitive'", "'identifier'", "'public'", "NULL"))),
        "BEGIN; SELECT sdc_register('%s', '%s', '{x}', '{id}'); %s; ROLLBACK" % (table, release, protecting(draw, table))))


def wrecker(draw):
    """Takes relations away, and puts them back."""
    table, release = draw.choice(TABLES), draw.choice(("out0", "out1", "out2", "out3"))
    return draw.choice((
        "DROP TABLE IF EXISTS %s CASCADE" % release, "DROP TABLE IF EXISTS %s CASCADE; SELECT storm.make('%s')" % (table, table),
        "SELECT storm.make('%s')" % table, "ALTER TABLE %s RENAME TO renamed; ALTER TABLE renamed RENAME TO %s" % (table, table),
        "ALTER TABLE IF EXISTS %s RENAME COLUMN x TO x2; ALTER TABLE IF EXISTS %s RENAME COLUMN x2 TO x" % (table, table),
        "ALTER TABLE %s ALTER y TYPE numeric; ALTER TABLE %s ALTER y TYPE float8" % (table, table),
        "ALTER TABLE %s DROP COLUMN z; ALTER TABLE %s ADD z numeric" % (table, table), "TRUNCATE %s; SELECT storm.make('%s')" % (table, table),
        "UPDATE %s SET x = x + 1 WHERE id < %d" % (table, draw.randint(1, 300)), "DELETE FROM %s WHERE id = %d" % (table, draw.randint(1, 300)),
        "ALTER TABLE %s RENAME TO swapped; ALTER TABLE %s RENAME TO %s; ALTER TABLE swapped RENAME TO %s" % (table, release, table, release),
        "VACUUM FULL %s" % table, "CLUSTER %s USING %s_pkey" % (table, table), "CREATE OR REPLACE VIEW v0 AS SELECT * FROM %s" % table,
        "CREATE OR REPLACE VIEW v1 AS SELECT * FROM %s WHERE storm.nap(id)" % table,
        "CREATE INDEX ON %s (x)" % table, "ALTER TABLE %s DROP CONSTRAINT %s_pkey; ALTER TABLE %s ADD PRIMARY KEY (id)" % (table, table, table),
        "COMMENT ON TABLE %s IS 'a release'" % release, "BEGIN; LOCK TABLE %s; SELECT pg_sleep(0.005); ROLLBACK" % table))


def remover(draw):
    """Removes the extension, and creates it again."""
    return draw.choice(("DROP EXTENSION IF EXISTS sdc CASCADE; CREATE EXTENSION sdc SCHEMA public",
                        "BEGIN; DROP EXTENSION IF EXISTS sdc CASCADE; SELECT pg_sleep(0.005); ROLLBACK", "CREATE EXTENSION IF NOT EXISTS sdc SCHEMA public",
                        "SELECT pg_sleep(0.05)", "SELECT pg_sleep(0.1)", "DISCARD ALL", "VACUUM pg_class"))


def policy(draw, name):
    """Sets a policy."""
    method = draw.choice(("rankswap", "rankswap", "randomize"))
    step = {"rankswap": '{"method": "rankswap", "columns": ["x", "y"], "p": %d, "continued": %s}' % (draw.randint(5, 30), draw.choice(("true", "false"))),
            "randomize": '{"method": "randomize", "qi": ["x", "y"]}'}[method]
    limits = draw.choice(('{"people_found": 100}', '{"people_found": 100}', '{"people_found": 100}', '{"people_found": 100}', '{"people_found": 0}', '{"people_found": 100, "min_interval": "1 hour"}',
                          '{"people_found": 100, "composed_people_found": 100}' if method == "rankswap" else '{"certain_percent": 100}'))
    return ("SELECT sdc_policy_set('%s', 'storm.p%d', '[%s]', 'storm_owner.of_%s', '{id}', keep => '{t}', omit => '{z}', limits => '%s', approve => %s,"
            " approvers => '{storm_officer}', on_unchanged => '%s', mode => '%s', history => %s, grant_to => %s)") % (
                name, draw.randrange(2), step, name, limits, draw.choice(("true", "false")), draw.choice(("publish", "publish", "skip")),
                draw.choice(("exchange", "rows")), draw.choice(("NULL", "2")), draw.choice(("NULL", "'{storm_officer}'")))


def runner(draw):
    """Sets policies, runs them, withdraws what they have published."""
    name = draw.choice(("n0", "n1", "n2"))
    kind = draw.randrange(12)
    if kind < 2:
        return policy(draw, name)
    if kind < 9:
        return "CALL sdc_run('%s')" % name
    return draw.choice((
        "SELECT sdc_policy_drop('%s')" % name, "SELECT sdc_withdraw('storm_owner.of_%s', 'old')" % name,
        "SELECT sdc_reject((SELECT min(run) FROM sdc_runs WHERE status = 'waiting' AND policy = '%s'), 'not this one')" % name,
        "SELECT sdc_approve((SELECT min(run) FROM sdc_runs WHERE status = 'waiting' AND policy = '%s'))" % name,
        "SELECT * FROM sdc_check('%s')" % name, "SET statement_timeout = %d; CALL sdc_run('%s'); RESET statement_timeout" % (draw.randint(1, 40), name),
        "BEGIN; %s; SELECT pg_sleep(0.01); %s" % (policy(draw, name), draw.choice(("COMMIT", "ROLLBACK"))),
        "DO $$ BEGIN CALL sdc_run('%s'); END $$" % name))


def officer(draw):
    """Approves and rejects what waits."""
    waiting = "(SELECT %s(run) FROM sdc_runs WHERE status = 'waiting')" % draw.choice(("min", "max"))
    return draw.choice((
        "SELECT sdc_approve(%s)" % waiting, "SELECT sdc_approve(%s)" % waiting, "SELECT sdc_approve(%s)" % waiting,
        "SELECT pg_sleep(0.03)", "SELECT pg_sleep(0.03)", "SELECT pg_sleep(0.03)",
        "SELECT sdc_reject(%s, 'no')" % waiting, "SELECT sdc_release_record(%s)" % waiting, "SELECT count(*) FROM sdc_runs",
        "BEGIN; SELECT sdc_approve(%s); SELECT pg_sleep(0.01); %s" % (waiting, draw.choice(("COMMIT", "ROLLBACK")))))


def publisher(draw):
    """Protects, measures, publishes and withdraws by hand."""
    release = draw.choice(("r0", "r1"))
    return draw.choice((
        ("SELECT count(*) FROM sdc_rankswap('storm.p%d', p => %d, columns => '{x,y}', key => '{id}', keep => '{t}', target => 'storm_clerk.%s',"
         " replace => true)") % (draw.randrange(2), draw.randint(5, 30), release),
        "SELECT count(*) FROM sdc_evaluate('storm_clerk.%s')" % release,
        PUBLISH % (release, draw.choice(("a", "b")), draw.choice(("exchange", "rows"))), PUBLISH % (release, draw.choice(("a", "b")), "exchange"),
        PUBLISH % (release, draw.choice(("a", "b")), "rows"),
        "SELECT sdc_withdraw('storm_clerk.%s', 'old')" % draw.choice("ab"), "SELECT length(sdc_report('storm_clerk.%s'))" % release,
        "BEGIN; %s; ROLLBACK" % (PUBLISH % (release, "a", "exchange"))))


PUBLISH = "SELECT count(*) FROM sdc_publish('storm_clerk.%s', 'storm_clerk.%s', keep => '{t}', force => true, replace => true, mode => '%s')"


def source(draw):
    """Changes the sources of policies."""
    table = draw.choice(("p0", "p1"))
    return draw.choice((
        "UPDATE %s SET x = x + 1 WHERE id < %d" % (table, draw.randint(1, 300)), "DELETE FROM %s WHERE id = %d" % (table, draw.randint(1, 300)),
        "SELECT storm.make('%s')" % table, "VACUUM FULL %s" % table, "BEGIN; LOCK TABLE %s; SELECT pg_sleep(0.005); ROLLBACK" % table,
        "DELETE FROM storm_owner.of_n0 WHERE ctid = '(0,1)'", "DROP TABLE IF EXISTS storm_clerk.r0", "SELECT count(*) FROM sdc_runs",
        "SELECT * FROM sdc_publications"))


ROLES = (protector, protector, measurer, viewer, registrar, wrecker, runner, runner, officer, publisher, source, remover)
USERS = {runner: ("storm_owner", "storm_clerk"), officer: ("storm_officer",), publisher: ("storm_clerk",)}


class Player:
    """One session of a round, with what it still has to do."""

    def __init__(self, draw, role, database):
        self.role = role
        self.user = draw.choice(USERS.get(role, ("postgres",)))
        self.database = database
        self.todo = [role(draw) for _ in range(STATEMENTS)]
        self.session = None
        self.busy = False
        self.doomed = False     # we have terminated it
        self.begin = 0


class Storm:
    """The fuzzer of concurrent sessions."""

    def __init__(self, report, options):
        self.report = report
        self.options = options
        self.log = watch.Log()
        self.round = 0
        self.published = self.unknown = 0   # statements that publish by hand: succeeded, and lost with their session

    def found(self, test, text, statement=None, state="", message=None):
        """A finding of the present round."""
        self.report.found(test, "round %d: %s" % (self.round, text), self.round, statement, state, message)

    def run(self):
        """All rounds, or the one that was asked for."""
        for name in ("internal errors", "sessions end when they are told to, and do not hang", "crashes, leaks and lost sessions",
                     "what is left in the database", "what the log says"):
            self.report.test(name)
        numbers = range(self.options.calls) if self.options.only is None else [self.options.only]
        for done, self.round in enumerate(numbers):
            if self.report.over():
                break
            with Database("postgres") as session:
                session.rows("DROP DATABASE IF EXISTS fuzz_storm (FORCE)")
                session.rows("CREATE DATABASE fuzz_storm")
                session.rows("ALTER DATABASE fuzz_storm SET deadlock_timeout = '20ms'")
            with Database("fuzz_storm") as session:
                session.rows(SETUP)
            try:
                self.storm()
                self.calm()
            except (Lost, OSError) as problem:
                self.found("crashes, leaks and lost sessions", str(problem))
                wait_server()
            self.look_log()
            self.report.count("rounds")
            self.report.progress(done + 1, len(numbers))

    def look_log(self):
        """Findings of the server's log."""
        for line in self.log.bad_lines():
            self.found("crashes, leaks and lost sessions", line)

    def storm(self):
        """Runs all sessions of a round at the same time."""
        draw = random.Random("%s storm %d" % (self.options.seed, self.round))
        self.published = self.unknown = 0
        # Every second round leaves the extension alone, so that the others get further.
        roles = ROLES if self.round % 2 else ROLES[:-1]
        players = [Player(draw, role, "fuzz_storm") for role in roles]
        points = {draw.randrange(len(players) * STATEMENTS): (draw.choice(("cancel", "cancel", "terminate")), draw.randrange(len(players)))
                  for _ in range(len(players) * 4)}
        killer = Session("fuzz_storm")
        begun = 0
        while any(p.busy or p.todo for p in players):
            for player in players:
                if not player.busy and player.todo:
                    self.next(player)
                    if begun in points:
                        self.strike(killer, points[begun], players)
                    begun += 1
            self.collect(players)
        killer.close()
        for player in players:
            player.session.close()

    def next(self, player):
        """Begins the next statement of a session, which may have to connect first."""
        if player.session is None or player.session.lost is not None:
            player.session = Session(player.database, OPTIONS, player.user)
            player.doomed = False
        player.session.send(player.todo.pop(0))
        player.busy = True
        player.begin = time.monotonic()
        self.report.count("statements")

    def strike(self, killer, point, players):
        """Cancels or terminates a session."""
        what, victim = point[0], players[point[1]]
        if victim.session is None or victim.session.lost is not None:
            return
        self.report.count(what + "s")
        if what == "terminate":
            victim.doomed = True
        killer.rows("SELECT pg_%s_backend(%d)" % (what, victim.session.pid))

    def collect(self, players):
        """Waits until a statement ends, and judges what came out."""
        busy = [p for p in players if p.busy]
        lost = [p for p in busy if p.session.lost is not None]
        ready = lost or select.select([p.session for p in busy], [], [], 5)[0]
        for player in busy:
            if player in lost or player.session in ready:
                answer = player.session.poll()
                if answer is not None:
                    player.busy = False
                    self.judge(player, answer)
            elif time.monotonic() - player.begin > PATIENCE:
                self.found("sessions end when they are told to, and do not hang", "a session hangs", player.session.last)
                player.busy = False
                player.session.end("it hangs")

    def judge(self, player, answer):
        """Looks at what came out of a statement."""
        session = player.session
        if session.lost is None and not player.doomed:
            player.todo[:0] = ["ROLLBACK"] if session.last.startswith("BEGIN") and answer.error else []
        if session.lost is not None and not player.doomed:
            self.found("crashes, leaks and lost sessions", "a session was lost: %s" % session.lost, session.last)
            self.look_log()
            wait_server()
        self.report.count("succeeded", answer.state == "00000")
        if session.last.startswith(PUBLISH[:40]):
            self.published += session.lost is None and answer.state == "00000"
            self.unknown += session.lost is not None
        if session.last.startswith("CALL") and answer.state == "00000":
            self.report.count("runs")
        if session.last.startswith("SELECT sdc_approve") and answer.state == "00000":
            self.report.count("approvals")
        if watch.bad_state(answer.state):
            message = "%s (%s)" % (answer.message, answer.where)
            self.found("internal errors", "%s %s" % (answer.state, message), session.last, answer.state, message)

    def look_journal(self):
        """What the log says when all are gone: who publishes has a row for every time."""
        with Database("fuzz_storm") as session:
            if not session.rows("SELECT FROM pg_extension WHERE extname = 'sdc'"):
                return
            for what, query in JOURNAL:
                for row in session.rows(query):
                    self.found("what the log says", "%s: %s" % (what, row[0]))
            rows = int(session.value("SELECT count(*) FROM sdc_runs WHERE policy IS NULL AND status = 'published' AND started_by = 'storm_clerk'"))
            self.report.count("publications", self.published)
            if self.round % 2 == 0 and not self.published <= rows <= self.published + self.unknown:
                self.found("what the log says", "%d were published by hand, %d perhaps, and the log has %d" % (self.published, self.unknown, rows))

    def calm(self):
        """When all are gone: nothing is left, and the extension works and forgets what is gone."""
        for text in watch.leftovers("fuzz_storm"):
            self.found("what is left in the database", text)
        self.look_journal()
        with Database("fuzz_storm") as session:
            session.rows("CREATE EXTENSION IF NOT EXISTS sdc SCHEMA public")
            session.rows("SELECT storm.make('last')")
            for text in ("sdc_rankswap('storm.last', p => 5, columns => '{x,y}', keep => '{}', target => 'storm.last_out', seed => 1)",
                         "sdc_evaluate('storm.last_out')", "sdc_publish('storm.last_out', 'storm.last_published', force => true)"):
                answer = session.run("SELECT count(*) FROM " + text)
                if answer.error:
                    self.found("internal errors", "after the storm: %s %s (%s)" % (answer.state, answer.message, answer.where), session.last)
            for text in watch.stale_relations(session):
                self.found("what is left in the database", text)
