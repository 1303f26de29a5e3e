"""Fuzzes arguments: every function and view of the extension, called in many ways.

Calls are made in batches, each in a fresh copy of the world and in one session.  Call
number i is drawn from the seed and i alone, so it can be made again by itself.  What
fails is an internal error, a crash, what a session keeps after a call, memory that
grows when the same call is made again and again, and what is left in the database.
"""

import os
import random
import time

import draw as drawing
import watch
from wire import PARALLEL, Lost, Session, identifier

BATCH = 300                     # calls in a session and database
SENSIBLE = 60                   # more calls of a function that has not returned
LOOK = 20                       # calls after which the session is looked at
REPEATED = 5                    # calls of a batch that are made again, for their memory
WARM, ROUNDS = 5, 20            # how often, before and between the measures
MEASURES = 4                    # as many have to show growth
# Bytes that a call may leave: by its new relations in the caches of the catalog (with the
# views of a permutation, and TOAST), and elsewhere.
CACHE_GROWTH, GROWTH = 8000, 20

# Settings of every session: a call that takes longer than this is ended, and counted.
OPTIONS = "-c statement_timeout=5s -c lock_timeout=20s -c search_path=world,public -c client_min_messages=notice"
SETTINGS = ("maintenance_work_mem = '1MB'", "work_mem = '64kB'", PARALLEL + " = on", "search_path = ''", "row_security = off",
            "enable_hashagg = off", "enable_sort = off", "statement_timeout = 3", "statement_timeout = 30", "DateStyle = 'German'",
            "TimeZone = 'Asia/Kathmandu'", "default_transaction_isolation = 'serializable'", "bytea_output = 'escape'",
            "extra_float_digits = -15", "plan_cache_mode = force_generic_plan", "default_tablespace = ''", "temp_file_limit = 0",
            "sdc.query_workload = 7", "sdc.association_min_support = 0", "check_function_bodies = off", "IntervalStyle = 'sql_standard'",
            "standard_conforming_strings = off", "transform_null_equals = on", "max_parallel_workers_per_gather = 0", "session_replication_role = replica")


class Args:
    """The fuzzer of arguments."""

    def __init__(self, report, options):
        self.report = report
        self.options = options
        self.log = watch.Log()
        self.outcome = {}       # by signature: calls that returned, calls
        self.session = None
        self.before = []
        self.repeatable = []

    def prepare(self):
        """Makes the world, and reads what can be called."""
        with Database("postgres") as session:
            session.run("CREATE ROLE fuzz_user")
            for name in ("fuzz_args", "fuzz_world"):
                session.rows("DROP DATABASE IF EXISTS %s (FORCE)" % name)
            session.rows("CREATE DATABASE fuzz_world")
        with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "world.sql"), encoding="utf-8") as file:
            text = file.read()
        with Database("fuzz_world") as session:
            session.rows(text)
            session.rows("ANALYZE")
            self.world = drawing.World(session)
            self.functions = drawing.functions(session)
            self.views = [row[0] for row in session.rows("""
                SELECT d.objid::regclass FROM pg_depend d
                JOIN pg_extension e ON d.refclassid = 'pg_extension'::regclass AND d.refobjid = e.oid AND e.extname = 'sdc'
                JOIN pg_class c ON d.classid = 'pg_class'::regclass AND d.objid = c.oid AND c.relkind IN ('r', 'v')
                WHERE d.deptype = 'e' ORDER BY 1""")]
        for function in self.functions:
            self.outcome[function.signature] = [0, 0]
        for view in self.views:
            self.outcome[view] = [0, 0]

    def begin_batch(self):
        """A fresh copy of the world and a session in it."""
        with Database("postgres") as session:
            session.rows("DROP DATABASE IF EXISTS fuzz_args (FORCE)")
            session.rows("CREATE DATABASE fuzz_args TEMPLATE fuzz_world")
        self.crashed = False
        self.connect()

    def connect(self):
        """A session; what it has at its beginning is no leftover."""
        self.session = Session("fuzz_args", OPTIONS)
        self.session.rows("SELECT sdc_version()")
        self.before = watch.session_state(self.session)
        self.repeatable = []

    def run(self):
        """All calls, or the one that was asked for."""
        for name in ("internal errors", "crashes, leaks and lost sessions", "what a session keeps", "memory of the same call again",
                     "what is left in the database", "every function has returned something"):
            self.report.test(name)
        self.prepare()
        numbers = range(self.options.calls) if self.options.only is None else [self.options.only]
        done = 0
        for number in numbers:
            if done % BATCH == 0:
                if self.report.over():
                    break
                self.end_batch(number)
                self.begin_batch()
            self.call(number)
            done += 1
            self.report.progress(done, len(numbers))
        self.end_batch(numbers[-1])
        if self.options.only is None and not self.options.minutes:
            self.returned()

    def end_batch(self, number):
        """Memory and leftovers of the batch, and of the database."""
        if self.session is None:
            return
        self.repeat()
        self.session.close()
        for text in watch.leftovers("fuzz_args", self.crashed):
            self.report.found("what is left in the database", "%s, after call %d" % (text, number), number)
        with Database("fuzz_args") as session:
            for text in ("sdc_rankswap('world.people', p => 5, keep => '{}', target => 'world.last', seed => 1)",
                         "sdc_publish('world.last', 'world.last_published', force => true)"):
                upkeep = session.run("SELECT count(*) FROM " + text)
                if upkeep.error:
                    self.report.found("internal errors", "after call %d: %s %s" % (number, upkeep.state, upkeep.message), number)
            for text in watch.stale_relations(session):
                self.report.found("what is left in the database", "%s, after call %d" % (text, number), number)
        self.look_log(number, "")

    def look_log(self, number, statement):
        """Findings of the server's log."""
        for line in self.log.bad_lines():
            self.report.found("crashes, leaks and lost sessions", line, number, statement)

    def call(self, number):
        """Makes one call."""
        random_numbers = random.Random("%s args %d" % (self.options.seed, number))
        which = number % (len(self.functions) + len(self.views))
        if which < len(self.functions):
            function = self.functions[which]
            subject = drawing.Subject(random_numbers, self.world, function)
            name, statement = function.signature, call_statement(random_numbers, function, subject)
        else:
            name = self.views[which - len(self.functions)]
            statement = view_statement(random_numbers, name)
        whole = wrapped(random_numbers, statement)
        answer = self.ask(number, whole)
        if answer is None:
            return
        self.judge(number, name, whole, answer)
        if answer.state == "00000" or (answer.state[:2] in ("22", "54", "55") and number % 3 == 0):
            self.repeatable.append((number, statement))
        if number % LOOK == LOOK - 1 or self.options.only is not None:
            for text in watch.still_state(self.session, self.before):
                self.report.found("what a session keeps", "%s, after call %d" % (text, number), number, whole)
                self.before = watch.session_state(self.session)

    def ask(self, number, statement):
        """Runs a statement, and ends its transaction; None if the session was lost."""
        try:
            answer = self.session.run(statement)
            self.session.run("ROLLBACK")
            if statement.startswith("PREPARE"):
                self.session.run("DEALLOCATE ALL")
            return answer
        except Lost as problem:
            self.report.found("crashes, leaks and lost sessions", "call %d lost its session: %s" % (number, problem), number, statement)
            self.look_log(number, statement)
            wait_server()
            self.crashed = True
            self.connect()
            return None

    def judge(self, number, name, statement, answer):
        """Counts the outcome of a call, and looks at its SQLSTATE."""
        outcome = self.outcome[name]
        outcome[1] += 1
        self.report.count("calls")
        if answer.state == "00000":
            outcome[0] += 1
            self.report.count("returned")
        elif answer.state == "57014":
            self.report.count("timed out")
            if "statement_timeout" not in statement:
                self.report.slow(number, statement)
        elif answer.state[:2] == "42" and answer.state in ("42883", "42725", "42804", "42601", "42P18", "42846"):
            self.report.count("refused by the parser or for their types")
        if watch.bad_state(answer.state):
            self.report.found("internal errors", "call %d: %s %s (%s)" % (number, answer.state, answer.message, answer.where),
                              number, statement, answer.state, answer.message)

    def repeat(self):
        """Makes some calls of the batch many times, and measures the memory of the session."""
        chosen = random.Random("%s memory %d" % (self.options.seed, len(self.repeatable)))
        calls = chosen.sample(self.repeatable, min(REPEATED, len(self.repeatable)))
        self.session.close()
        for number, statement in calls:
            self.session = Session("fuzz_args", OPTIONS)
            try:
                growth = self.growth(statement)
            except Lost as problem:
                self.report.found("crashes, leaks and lost sessions", "call %d, again: %s" % (number, problem), number, statement)
                wait_server()
                self.crashed = True
                continue
            self.session.close()
            if self.grows(growth):
                self.report.found("memory of the same call again", "call %d leaves %d bytes, %d in caches, %.1f contexts a call"
                                  % ((number,) + growth), number, statement)

    def growth(self, statement):
        """Bytes, bytes in caches and contexts that are left by one call of many: the least of some
        measures, as caches are also emptied and filled again by what others do."""
        self.again(statement, WARM)
        watch.memory(self.session)
        before = watch.memory(self.session)
        least = None
        for _ in range(MEASURES):
            self.again(statement, ROUNDS)
            after = watch.memory(self.session)
            growth = tuple((a - b) / ROUNDS for a, b in zip(after, before))
            least = growth if least is None else tuple(map(min, least, growth))
            if not self.grows(least):
                break
            before = after
        return least

    def again(self, statement, times):
        """Makes a call again and again, and takes it back each time."""
        for _ in range(times):
            self.session.run("BEGIN")
            self.session.run(statement)
            self.session.run("ROLLBACK")
        self.report.count("calls made again", times)

    @staticmethod
    def grows(growth):
        """Whether a call leaves more than it may."""
        return growth[0] > GROWTH or growth[1] > CACHE_GROWTH or growth[2] >= 0.5

    def returned(self):
        """A function that never returned was not reached: sensible calls, until one does."""
        self.begin_batch()
        for function in self.functions:
            name = function.signature
            for attempt in range(SENSIBLE):
                if self.outcome[name][0] or not function.callable or function.follows:
                    break
                draw = random.Random("%s sensible %s %d" % (self.options.seed, name, attempt))
                statement = call_statement(draw, function, drawing.Subject(draw, self.world, function), 1)
                answer = self.ask(-1, statement)
                if answer is not None:
                    self.judge(-1, name, statement, answer)
            else:
                self.report.found("every function has returned something", name + " never did: its arguments are not known", -1)
        self.session.close()


class Database:
    """A session for one purpose, closed at the end."""

    def __init__(self, name):
        self.session = Session(name)

    def __enter__(self):
        """The session."""
        return self.session

    def __exit__(self, *_):
        """Its end."""
        self.session.close()


def wait_server():
    """Waits until the server takes connections again, after a crash."""
    begin = time.monotonic()
    while True:
        try:
            Session("postgres").close()
            return
        except (OSError, Lost):
            if time.monotonic() - begin > 120:
                raise
            time.sleep(0.1)


def call_statement(draw, function, subject, sense=None):
    """A query that calls a function."""
    sense = sense or draw.choice((1, 1, 1, 0.97, 0.9, 0.75, 0.4))
    arguments = drawing.arguments(draw, function, subject, sense)
    if function.kind == "a":
        return aggregate_statement(draw, function, subject, sense, arguments)
    if function.kind == "w":
        columns = subject.source.columns or [("x", "int", True)]
        parts = [identifier(draw.choice(columns)[0]) if draw.random() < sense else draw.choice(drawing.ROWS)]
        rest = [drawing.value(draw, a[0], a[1], a[2], subject, subject.source, sense, function.name) for a in function.arguments[1:]]
        parts += rest[:draw.randint(1, len(rest))] if rest else []
        window = draw.choice(("", "ORDER BY 1", "PARTITION BY %s ORDER BY %s" % ((identifier(draw.choice(columns)[0]),) * 2),
                              "ORDER BY %s ROWS BETWEEN 2 PRECEDING AND CURRENT ROW" % identifier(draw.choice(columns)[0])))
        return "SELECT %s(%s) OVER (%s) FROM %s" % (function.call, ", ".join(parts), window, subject.source.name)
    if function.set and draw.random() < 0.9:
        return "SELECT * FROM %s(%s)" % (function.call, arguments) + draw.choice(("", "", "", " LIMIT 1", " WITH ORDINALITY"))
    return "SELECT %s(%s)" % (function.call, arguments)


def aggregate_statement(draw, function, subject, sense, arguments):
    """A query that calls an aggregate, over columns of a relation or other values."""
    columns = subject.source.columns or [("x", "int", True)]
    numbers = [c[0] for c in columns if c[2]] or [columns[0][0]]
    parts = []
    for argument, kind, default in function.arguments:
        if kind == '"any"' and draw.random() < sense:
            parts.append(identifier(draw.choice(columns)[0]))
        elif kind == "double precision[]" and draw.random() < sense:
            parts.append("ARRAY[%s]::float8[]" % ", ".join(identifier(draw.choice(numbers)) for _ in range(subject.width)))
        else:
            parts.append(drawing.value(draw, argument, kind, default, subject, subject.source, sense, function.name))
    name = identifier(draw.choice(columns)[0])
    modifier = draw.choice(("", "", "DISTINCT ", "ALL ")) if len(parts) == 1 else ""
    tail = draw.choice(("", "", " FILTER (WHERE random() < 2)", " OVER (ORDER BY %s ROWS 3 PRECEDING)" % name, " OVER (PARTITION BY %s)" % name))
    tail = tail if not modifier or "OVER" not in tail else ""
    group = draw.choice(("", "", " GROUP BY %s" % name, " GROUP BY GROUPING SETS ((), (%s))" % name)) if "OVER" not in tail else ""
    return "SELECT %s(%s%s)%s FROM %s%s" % (function.call, modifier, ", ".join(parts), tail, subject.source.name, group)


def view_statement(draw, view):
    """A query of a view or table of the extension."""
    condition = draw.choice(("", "", " WHERE v::text IS NULL", " WHERE v::text ~ 'people_(rank|gen)'", " LIMIT 1", " ORDER BY v::text COLLATE \"C\""))
    return "SELECT * FROM %s AS v%s" % (view, condition)


def wrapped(draw, statement):
    """What happens around a call: transactions, cursors, settings, roles."""
    kind = draw.randrange(14)
    if kind == 0:
        return "BEGIN; DECLARE c CURSOR FOR %s; FETCH 2 FROM c; COMMIT" % statement
    if kind == 1:
        return "BEGIN; DECLARE c NO SCROLL CURSOR WITH HOLD FOR %s; COMMIT; FETCH 1 FROM c; CLOSE c" % statement
    if kind == 2:
        return ("DO $fuzz$ BEGIN FOR i IN 1 .. 2 LOOP BEGIN PERFORM 1 FROM (%s) AS x; EXCEPTION WHEN OTHERS THEN"
                " IF SQLSTATE LIKE 'XX%%' OR i = 2 THEN RAISE; END IF; END; END LOOP; END $fuzz$" % statement)
    if kind == 3:
        return "BEGIN READ ONLY; %s; COMMIT" % statement
    if kind in (4, 5, 6):
        chosen = "; ".join("SET LOCAL " + s for s in draw.sample(SETTINGS, draw.randint(1, 3)))
        return "BEGIN; %s; %s; COMMIT" % (chosen, statement)
    if kind == 7:
        return "BEGIN; SET LOCAL ROLE fuzz_user; %s; COMMIT" % statement
    if kind == 8:
        return "BEGIN; SAVEPOINT s; %s; ROLLBACK TO s; %s; COMMIT" % (statement, statement)
    if kind == 9:
        return "(%s) UNION ALL (%s)" % (statement, statement)
    if kind == 10:
        return "EXPLAIN (ANALYZE, VERBOSE, COSTS OFF, TIMING OFF, SUMMARY OFF) " + statement
    if kind == 11:
        return "PREPARE p AS %s; EXECUTE p; EXECUTE p; DEALLOCATE p" % statement
    return statement
