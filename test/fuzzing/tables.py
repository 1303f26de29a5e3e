"""Fuzzes tables: random relations, every method, what releases keep, every measure.

Table number i is drawn from the seed and i alone.  Each method protects it with a seed;
the invariants of invariants.py are counted in SQL; the same seed must give the same
release again, with little memory, from a copy in another physical order and in the
form for a row type; every function that measures a release or a relation is called, in
a transaction that must not write, and some of them are compared with plain SQL.
"""

import random

import draw as drawing
import invariants
import shapes
import watch
from args import Database, wait_server
from wire import PARALLEL, Lost, Session, identifier, names, quoted

METHODS = ("rankswap", "rankswap_distribution", "rankswap_buckets", "equidepth_swap", "equiwidth_swap", "randomize", "generalize", "permute", "suppress",
           "microaggregate", "pram", "noise")
TABLES = 20                     # tables of a database, one after the other
OPTIONS = "-c statement_timeout=60s -c client_min_messages=warning -c sdc.query_workload=20 -c search_path=public,fuzz"
# What a method may say to a plausible call: a parameter that is not feasible for these
# data, a type without arrays, memory; noise that leaves the range of a type.
REFUSALS = ("22023", "0A000", "54000", "22003")
# Methods with arguments of their own; the others swap.
OWN = ("randomize", "generalize", "permute", "suppress", "microaggregate", "pram", "noise")
CONTEXTS = ("", "SET maintenance_work_mem = '1MB'", "SET work_mem = '64kB'", "SET %s = on" % PARALLEL, "SET enable_hashagg = off")


class Call:
    """A method with arguments that suit a table."""

    def __init__(self, draw, table, method):
        self.method = method
        self.table = table
        self.report = {}
        self.k = self.l = self.sensitive = self.widths = self.number = self.sizes = None
        self.force = self.entropy = self.lattice = False
        self.seed = draw.choice(("1", "'seed %d'" % draw.randint(1, 999), "-5::bigint"))
        self.grouped = method in ("generalize", "permute")
        distances = method in ("equidepth_swap", "equiwidth_swap")
        able = [c for c in table.columns if not c.generated and (c.ability in ("number", "time") if distances else c.ability != "none")
                and (method not in ("microaggregate", "noise") or c.type in invariants.NUMBERS)]
        draw.shuffle(able)
        self.columns = able[:draw.randint(1, 3)]
        rest = [c for c in table.columns if c not in self.columns and not c.generated and c.ability != "none"]
        self.strata = [rest.pop()] if rest and draw.random() < 0.35 else []
        self.omit = [rest.pop().name] if rest and draw.random() < 0.2 else []
        self.protected = [c.name for c in self.columns]
        self.plain = all(c.type in invariants.NUMBERS for c in self.columns)
        self.possible = bool(self.columns)
        self.words = ["columns => " + names(self.protected)]
        getattr(self, "draw_" + (method if method in OWN else "swap"))(draw, rest)

    def draw_swap(self, draw, _):
        """The parameter of rank swapping, or of joint swapping."""
        argument, choice = {
            "rankswap": ("p", (1, 5, 12.5, 50, 100)), "rankswap_distribution": ("p", (1, 5, 12.5, 100)), "rankswap_buckets": ("buckets", (1, 2, 5, 20)),
            "equidepth_swap": ("depth", (2, 3, 10)), "equiwidth_swap": ("intervals", (1, 2, 5, 9, 1000))}[self.method]
        self.number = draw.choice(choice)
        self.words.append("%s => %s" % (argument, self.number))
        if self.method == "equiwidth_swap" and draw.random() < 0.3:
            self.widths = [draw.choice((0.5, 1, 3, 1e6)) for _ in self.columns]
            self.words[-1] = "widths => ARRAY%s::float8[]" % self.widths

    def draw_randomize(self, draw, _):
        """Optimal probabilities, given ones, or several columns."""
        self.words = ["qi => " + names(self.protected)]
        kind = draw.randrange(3)
        if kind == 0:
            self.k = draw.randint(1, len(self.columns) or 1)
            self.words.append("draws => %d" % self.k)
        elif kind == 1:
            share = [draw.random() for _ in self.columns]
            self.words.append("probabilities => ARRAY%s::float8[]" % [s / sum(share) for s in share])

    def draw_generalize(self, draw, rest):
        """Groups of k records, diverse ones, or both."""
        self.words = ["qi => " + names(self.protected)]
        self.k = draw.choice((None, 1, 2, 5))
        if rest and (self.k is None or draw.random() < 0.5):
            self.sensitive, self.entropy, self.l = rest[0].name, True, draw.choice((1, 1.2, 2))
            self.words += ["sensitive => " + names([self.sensitive]), "l => %s" % self.l]
        self.k = self.k or (None if self.l else 2)
        if self.k:
            self.words.append("k => %d" % self.k)
        self.lattice = draw.random() < 0.3
        if self.lattice:
            self.words += ["scheme => 'lattice'", "suppress_percent => %d" % draw.choice((0, 5, 50))]

    def draw_microaggregate(self, draw, _):
        """Groups of all columns together, or of each."""
        self.number = draw.choice((2, 3, 5))
        self.entropy = draw.random() < 0.5
        self.words += ["k => %d" % self.number, "scheme => '%s'" % ("each" if self.entropy else "joint"), "centre => '%s'" % draw.choice(("mean", "median"))]

    def draw_pram(self, draw, _):
        """Values that stay, or come from the column."""
        self.words.append("retain => %s" % draw.choice((0.05, 0.5, 0.9)))

    def draw_noise(self, draw, _):
        """Every scheme; that which multiplies keeps signs."""
        self.sensitive = draw.choice(("additive", "correlated", "kim", "multiplicative"))
        self.words += ["amount => %s" % draw.choice((0.01, 0.3, 1)), "scheme => '%s'" % self.sensitive]

    def draw_suppress(self, draw, _):
        """All columns together, or sets of them; some matter more."""
        self.number = draw.choice((1, 2, 3, 5))
        self.words = ["qi => " + names(self.protected), "k => %d" % self.number]
        self.sizes = draw.choice((None, 1, 2)) if len(self.columns) > 1 else None
        if self.sizes:
            self.words.append("combinations => '%d'" % self.sizes)
        if draw.random() < 0.4:
            self.words.append("importance => ARRAY%s::float8[]" % [draw.choice((0.5, 1, 3)) for _ in self.columns])

    def draw_permute(self, draw, rest):
        """Anatomy or Mondrian."""
        self.possible = self.possible and bool(rest)
        self.sensitive = rest[0].name if rest else ""
        self.words = ["qi => " + names(self.protected), "sensitive => " + names([self.sensitive])]
        self.protected = [self.sensitive]
        self.entropy = draw.random() < 0.5
        self.force = draw.random() < 0.2
        self.l = draw.choice((1, 1.5, 2) if self.entropy else (1, 2, 3))
        self.words += ["l => %s" % self.l, "grouping_method => '%s'" % ("mondrian" if self.entropy else "anatomy"), "force => %s" % str(self.force).lower()]
        self.l = None if self.force else self.l

    def omitted(self, table):
        """Columns that the release does not have."""
        computed = [c.name for c in table.columns if c.generated and table.form in ("table", "partitions")
                    and c.generated.name in self.protected + self.omit]
        return self.omit + computed

    def sql(self, relation, target):
        """The call, for a relation by its name; without target for its row type."""
        words = list(self.words) + (["seed => " + self.seed] if self.method not in ("generalize", "suppress", "microaggregate") else [])
        if target:
            words.append("target => " + quoted(target))
        if self.table.key and not self.table.declared:
            words.append("key => " + names([c.name for c in self.table.key]))
        if self.strata:
            words.append("strata => " + names([c.name for c in self.strata]))
        if self.omit:
            words.append("omit => " + names(self.omit))
        return "SELECT * FROM sdc_%s(%s, %s)" % (self.method, relation, ", ".join(words))


class Tables:
    """The fuzzer of tables."""

    def __init__(self, report, options):
        self.report = report
        self.options = options
        self.log = watch.Log()
        self.session = None
        self.number = 0
        self.made = 0           # tables in the present database

    def found(self, test, text, statement=None, state="", message=None):
        """A finding about the present table."""
        self.report.found(test, "table %d: %s" % (self.number, text), self.number, statement, state, message)

    def run(self):
        """All tables, or the one that was asked for."""
        for method in METHODS:
            self.report.test("releases of " + method)
        for name in ("same seed, same release", "plausible calls succeed", "measures return or raise a proper error", "measures agree with plain SQL",
                     "the views", "crashes, leaks and lost sessions", "what is left in the database"):
            self.report.test(name)
        numbers = range(self.options.calls) if self.options.only is None else [self.options.only]
        for done, self.number in enumerate(numbers):
            if self.report.over():
                break
            try:
                self.table()
            except Lost as problem:
                self.found("crashes, leaks and lost sessions", str(problem), self.session.last)
                wait_server()
                self.made = 0
            for line in self.log.bad_lines():
                self.found("crashes, leaks and lost sessions", line)
            self.report.progress(done + 1, len(numbers))
        if self.options.only is None and not self.options.minutes:
            for method in METHODS:
                if not self.report.numbers.get(method):
                    self.report.found("releases of " + method, "none was made", 0)

    def table(self):
        """One table: all methods, all measures."""
        self.begin()
        draw = random.Random("%s tables %d" % (self.options.seed, self.number))
        table = shapes.Table(draw)
        for line in table.make(draw) + (table.shuffled() if table.key else []):
            self.rows(line)
        self.report.count("tables")
        before = watch.session_state(self.session)
        for method in METHODS:
            call = Call(draw, table, method)
            if call.possible:
                self.method(draw, table, call)
        self.measures(draw, table, None)
        for text in watch.still_state(self.session, before):
            self.found("what is left in the database", text)
        self.session.close()
        for text in watch.leftovers("fuzz_tables"):
            self.found("what is left in the database", text)

    def begin(self):
        """An empty schema; now and then, and at first, an empty database."""
        if not self.made:
            with Database("postgres") as session:
                session.rows("DROP DATABASE IF EXISTS fuzz_tables (FORCE)")
                session.rows("CREATE DATABASE fuzz_tables")
            with Database("fuzz_tables") as session:
                session.rows("CREATE EXTENSION sdc; " + shapes.SETUP)
        self.made = (self.made + 1) % TABLES
        self.session = Session("fuzz_tables", OPTIONS)
        self.rows("DROP SCHEMA IF EXISTS fuzz CASCADE")
        self.rows("CREATE SCHEMA fuzz")

    def rows(self, sql):
        """A statement of ours, which must succeed."""
        return self.session.rows(sql)

    def protect(self, call, relation, target, context=""):
        """Calls the method; the report by column, or None if the call was refused."""
        statement = call.sql(relation, target)
        if context:
            self.rows(context)
        answer = self.session.run(statement)
        if context:
            self.rows("RESET " + context.split()[1])
        if answer.error and (answer.state not in REFUSALS or watch.bad_state(answer.state)):
            self.found("plausible calls succeed", "%s %s (%s)" % (answer.state, answer.message, answer.where), statement, answer.state, answer.message)
        if answer.error:
            self.report.count("refused")
            return None
        return {row[1]: row for row in answer.rows} if target else {}

    def method(self, draw, table, call):
        """One release: its invariants, the same once more, and its measures."""
        release = "fuzz.out_" + call.method
        report = self.protect(call, quoted(table.name), release)
        if report is None:
            return
        call.report = report
        self.report.count("releases")
        self.report.count(call.method)
        for statement in invariants.pair(table, release, call):
            self.rows(statement)
        for name, query in invariants.checks(table, release, call):
            self.count_violations("releases of " + call.method, name, query, call.sql(quoted(table.name), release))
        self.again(draw, table, call, release)
        if call.method == "permute":
            self.permuted_views(table, call, release)
        self.measures(draw, table, release)

    def count_violations(self, test, name, query, statement):
        """Runs a query that counts violations."""
        answer = self.session.run(query)
        self.report.count("checks")
        if answer.state in ("22003", "22P02"):
            self.report.count("checks that plain SQL cannot compute")
        elif answer.error:
            raise RuntimeError("%s %s: %s\n%s" % (answer.state, answer.message, query, statement))
        elif answer.rows[0][0] not in ("0", None):
            self.found(test, "%s: %s violations" % (name, answer.rows[0][0]), statement)

    def again(self, draw, table, call, release):
        """The same seed gives the same release, whatever the memory, the plan and the order of rows."""
        relation = quoted(table.name)
        self.compare(table, call, release, relation, draw.choice(CONTEXTS))
        self.compare(table, call, release, relation, CONTEXTS[1])
        if table.key:
            self.compare(table, call, release, quoted("fuzz.shuffled"), "")
        if call.method != "generalize":
            statement = call.sql("NULL::" + table.name, None)
            kept = self.kept(table, call)
            answer = self.session.run("CREATE TABLE fuzz.again AS " + statement)
            if answer.error:
                self.found("plausible calls succeed", "%s %s (%s)" % (answer.state, answer.message, answer.where), statement, answer.state, answer.message)
                return
            self.same(kept, release, statement)

    @staticmethod
    def kept(table, call):
        """The columns that two releases have in common, as SQL."""
        return ", ".join(["t.%s" % c.sql for c in table.key + table.columns if c.name not in call.omitted(table)])

    def compare(self, table, call, release, relation, context):
        """Makes the release once more, and compares."""
        if self.protect(call, relation, "fuzz.again", context) is not None:
            self.same(self.kept(table, call) + (", t.group_id" if call.grouped else ""), release,
                      (context + "; " if context else "") + call.sql(relation, "fuzz.again"))

    def same(self, columns, release, statement):
        """Compares fuzz.again with a release, row by row, and drops it."""
        query = "SELECT ROW(%s)::text FROM %%s AS t" % columns
        self.count_violations("same seed, same release", "other rows", invariants.differ(query % release, query % "fuzz.again"), statement)
        self.rows("DROP TABLE fuzz.again CASCADE")

    def permuted_views(self, table, call, release):
        """The two views of a permutation have every record, by group."""
        sensitive = identifier(call.sensitive)
        self.count_violations("releases of permute", "the view of quasi-identifiers", invariants.differ(
            "SELECT group_id FROM " + release, "SELECT group_id FROM %s_qi" % release), call.sql(quoted(table.name), release))
        self.count_violations("releases of permute", "the view of sensitive values", "SELECT sum(abs(coalesce(a.n, 0) - coalesce(b.n, 0))) FROM"
                              " (SELECT group_id, %s::text AS v, count(*) AS n FROM %s GROUP BY 1, 2) AS a FULL JOIN"
                              " (SELECT group_id, %s::text AS v, sum(records) AS n FROM %s_sensitive GROUP BY 1, 2) AS b"
                              " ON ROW(a.group_id, a.v) IS NOT DISTINCT FROM ROW(b.group_id, b.v)".replace("FULL JOIN", "LEFT JOIN")
                              % (sensitive, release, sensitive, release), call.sql(quoted(table.name), release))

    def measures(self, draw, table, release):
        """Every function that measures, on a release or on the source, and plain SQL beside some."""
        world = drawing.World(self.session)
        source = self.rows("SELECT %s::regclass" % quoted(table.name))[0][0]
        release = release and self.rows("SELECT %s::regclass" % quoted(release))[0][0]
        for function in drawing.functions(self.session):
            about = [a[0] for a in function.arguments]
            if function.writes or not function.arguments or (release is None) == ("release" in about) or function.kind != "f":
                continue
            if function.arguments[0][1] != "regclass":
                continue
            subject = drawing.Subject(draw, world, None, source, release)
            subject.given = about
            self.measure("SELECT * FROM %s(%s)" % (function.call, drawing.arguments(draw, function, subject, 1)))
        if release:
            self.views(release)
        self.plain(draw, table, release)

    def measure(self, statement):
        """A function that measures: it returns, or raises an error that is none of ours."""
        self.rows("BEGIN READ ONLY")
        answer = self.session.run(statement)
        self.session.run("ROLLBACK")
        self.report.count("measures")
        self.report.count("measures that returned", answer.state == "00000")
        if answer.state == "57014":
            self.report.slow(self.number, statement)
        elif watch.bad_state(answer.state) or answer.state == "25006":
            self.found("measures return or raise a proper error", "%s %s (%s)" % (answer.state, answer.message, answer.where),
                       statement, answer.state, answer.message)

    def views(self, release):
        """A view says what is wrong in a column, and raises no error."""
        for view in ("sdc_releases", "sdc_scores", "sdc_ru_map", "sdc_query_errors", "sdc_association_recall"):
            statement = "SELECT * FROM %s WHERE release = %s::regclass" % (view, quoted(release))
            answer = self.session.run(statement)
            self.report.count("views")
            if answer.error:
                self.found("the views", "%s %s (%s)" % (answer.state, answer.message, answer.where), statement, answer.state, answer.message)

    def plain(self, draw, table, release):
        """Groups, diversity, entropy, itemsets and counts, also computed by GROUP BY."""
        able = [c for c in table.columns if c.ability != "none" and not c.generated]
        if release or not able:
            return
        chosen = draw.sample(able, min(len(able), 3))
        first, group, name = chosen[0].sql, ", ".join(c.sql for c in chosen[1:]) or "1::int", table.name
        qi = names([c.name for c in chosen[1:]])
        groups = "(SELECT %s AS v, count(*) AS n FROM %s GROUP BY %s)" % (first, name, first)
        pairs = [("entropy", "sdc_entropy(%s)" % first, "-sum(n / a * ln(n / a)) FROM (SELECT n::float8, (sum(n) OVER ())::float8 AS a FROM %s AS g"
                  " WHERE num_nulls(v) = 0) AS x" % groups)]
        queries = [("SELECT abs(a - b) > 1e-9 OR num_nulls(a, b) = 1 FROM (SELECT %s AS a FROM %s) AS x, (SELECT %s) AS y(b)" % (pairs[0][1], name, pairs[0][2]))]
        queries.append("SELECT s IS DISTINCT FROM p FROM (SELECT sum(records)::text || ' ' || count(*) FROM sdc_frequent_itemsets(%s, %s, 0, 1)) AS a(s),"
                       " (SELECT sum(n)::text || ' ' || count(*) FROM %s AS g WHERE num_nulls(v) = 0) AS b(p)" % (quoted(name), names([chosen[0].name]), groups))
        if len(chosen) > 1:
            queries.append("SELECT k IS DISTINCT FROM a OR groups <> b OR unique_records <> c FROM sdc_kanonymity(%s, %s), (SELECT min(n), count(*),"
                           " count(*) FILTER (WHERE n = 1) FROM (SELECT count(*) AS n FROM %s GROUP BY %s) AS x) AS y(a, b, c)" % (quoted(name), qi, name, group))
            queries.append("SELECT distinct_l IS DISTINCT FROM a OR abs(entropy_l - b) > 1e-9 * b FROM sdc_ldiversity(%s, %s, %s), (SELECT min(v),"
                           " min(exp(-e)) FROM (SELECT count(*) AS v, sum(n / t * ln(n / t)) AS e FROM (SELECT i, n::float8, (sum(n) OVER (PARTITION BY i))::float8 AS t"
                           " FROM (SELECT dense_rank() OVER (ORDER BY %s) AS i, n FROM (SELECT %s, count(*) AS n FROM %s GROUP BY %s, %s) AS a) AS b) AS c"
                           " GROUP BY i) AS d) AS e(a, b)" % (quoted(name), qi, names([chosen[0].name]), group, group, name, group, first))
        for query in queries:
            answer = self.session.run(query)
            self.report.count("comparisons with plain SQL")
            if answer.error and answer.state not in ("54000",):
                self.found("measures agree with plain SQL", "%s %s (%s)" % (answer.state, answer.message, answer.where), query, answer.state, answer.message)
            elif not answer.error and answer.rows[0][0] == "t":
                self.found("measures agree with plain SQL", "another result", query)
