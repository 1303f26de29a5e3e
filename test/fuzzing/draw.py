"""Draws arguments for functions: plausible ones by their names, hostile ones by their types.

What is drawn depends on the seed and on the catalog of the database, never on what
other calls did.  A function that is new is called too: an argument whose name is not
known here takes values by its type, and what the function itself has as default.
"""

import json
import random
import re

from wire import identifier, names, quoted

# Words that mean something somewhere, by the name of an argument.
WORDS = {
    "complement": ("copy", "swap"),
    "grouping_method": ("anatomy", "mondrian"), "scheme": ("cuts", "lattice"), "t_distance": ("equal", "ordered"),
    "metric": ("euclidean", "mahalanobis", "manhattan", "gower"),
    "assignment": ("nearest", "one-to-one"),
    "mode": ("intersection", "union"),
    "method": ("equiwidth_swap", "equidepth_swap", "equiwidth_swap", "equidepth_swap", "external", "rankswap", "randomize"),
    "grid": ("intervals", "continuous"),
    "reading": ("antecedent", "rule", "any"),
    "role": ("identifier", "quasi-identifier", "sensitive", "public"),
    "audience": ("internal", "external"),
    "aggregate": ("count(*)", "avg(x)", "sum(x) / nullif(count(*), 0)", "max(age)", "corr(x, y)", "count(DISTINCT id)"),
    "statistic": ("count", "sum", "avg"),
    "condition": ("age > 40", "x = 1 OR y IS NULL", "true", "sex = 'f' AND income > 1000", "id % 2 = 0"),
}

# Numbers that mean something, by the name of an argument: least and largest.
RANGES = {
    "p": (0.5, 100), "buckets": (1, 12), "depth": (2, 9), "draws": (1, 9), "k": (1, 9), "l": (1, 4), "intervals": (1, 9), "bound": (0.02, 1),
    "smallest": (0.01, 0.05), "sample": (1, 60), "known_max": (1, 3), "queries": (1, 40), "min_support": (0.05, 1),
    "min_confidence": (0, 1), "max_length": (1, 4), "rate": (1, 60), "retain": (0.05, 0.95), "amount": (0.05, 2),
    "diagonal": (0.2, 1), "least": (0.2, 1), "suppress_percent": (0, 60), "t": (0, 1),
    "confidence": (0.01, 0.99), "records": (10, 100), "level": (0, 2), "step": (1.1, 2), "trial": (1, 3),
}

TEXTS = (
    "", " ", "x", "people", "world.people", "PEOPLE", '"people"', "world.nothing", "a.b.c.d", ".", '"', '""', "'", ";", "\\", "pg_class",
    "pg_catalog.pg_class", "information_schema.tables", "world.numbers", "world.people_age", "pg_temp.t", "1", "-1", "NaN", "null",
    "people; DROP TABLE people", "x' OR '1'='1", "$1", "$$", "%s%n%d", "a\nb", "é", "\U0001d54f", "x" * 63, "x" * 64, "x" * 5000, "é" * 40,
    "(SELECT 1)", "1 = 1", "true; SELECT 1", "1/0 = 1", "release", "release.*", "ctid IS NULL", "random() < 0.5", "pg_sleep(0) IS NULL",
    "age::text::xml IS NULL", "count(*) > 1", "(" * 2000, "sdc_version() IS NULL", "true --", "/* ", "x = ANY(ARRAY[1])", "pg_catalog.now() IS NULL",
)

# The methods of steps: the argument that names columns, whether these are numbers, parameters.
STEPS = {
    "rankswap": ("columns", True, lambda draw: {"p": draw.randint(1, 100)}),
    "rankswap_distribution": ("columns", True, lambda draw: {"p": draw.randint(1, 100)}),
    "rankswap_buckets": ("columns", True, lambda draw: {"buckets": draw.randint(1, 12)}),
    "equidepth_swap": ("columns", True, lambda draw: {"depth": draw.randint(2, 9)}),
    "equiwidth_swap": ("columns", True, lambda draw: {"intervals": draw.randint(1, 9)}),
    "randomize": ("qi", False, lambda draw: {"draws": 1}),
    "generalize": ("qi", False, lambda draw: dict({"k": draw.randint(1, 9)}, **draw.choice(({}, {"scheme": "lattice", "suppress_percent": draw.randint(0, 50)})))),
    "recode": ("recodes", False, lambda draw: {}),
    "suppress": ("qi", False, lambda draw: {"k": draw.randint(1, 6), "combinations": draw.choice(COMBINATIONS)}),
    "microaggregate": ("columns", True, lambda draw: {"k": draw.randint(2, 9), "scheme": draw.choice(("joint", "each")), "centre": draw.choice(("mean", "median")),
                                                      **draw.choice(({}, {"small": "suppress"}))}),
    "pram": ("columns", False, lambda draw: {"retain": draw.randint(1, 9) / 10}),
    "noise": ("columns", True, lambda draw: {"amount": draw.randint(1, 20) / 10, "scheme": draw.choice(("additive", "correlated", "kim", "multiplicative"))}),
}

# Sets of quasi-identifiers of sdc_suppress.
COMBINATIONS = (None, 1, 2, [1, 2], {"size": 1, "k": 2}, [{"size": 1}, 2])

# Rules of sdc_recode and of hierarchies.
RULES = (
    lambda draw: {"width": draw.choice((1, 5, 0.1, 2.5, 1e6)), "origin": draw.randint(-3, 3)},
    lambda draw: {"width": draw.randint(1, 9), "top": draw.randint(1, 90), "as": draw.choice(("range", "lower"))},
    lambda draw: {"width": draw.randint(1, 20), "bottom": draw.randint(-9, 9), "top": draw.randint(10, 90)},
    lambda draw: {"prefix": draw.randint(1, 9)},
    lambda draw: {"trunc": draw.choice(("day", "week", "month", "quarter", "year", "decade")), "as": draw.choice(("range", "lower"))},
    lambda draw: {"trunc": "month", "timezone": draw.choice(("UTC", "Europe/Berlin", "Nowhere"))},
    lambda draw: {draw.choice(("top_percent", "bottom_percent")): draw.randint(1, 60), "replace": draw.choice(("threshold", "mean", "median"))},
    lambda draw: {"top": draw.randint(-9, 90), "replace": draw.choice(("threshold", "mean", "median"))},
    lambda draw: {"table": draw.choice(("world.people", "world.gaps", "world.empty", "world.nothing")), "level": draw.randint(1, 3)},
)
# Those that keep types, which rows of a row type must.
KEEPING = (
    lambda draw: {"width": draw.randint(1, 9), "as": "lower"},
    lambda draw: {"top_percent": draw.randint(1, 60), "replace": draw.choice(("threshold", "median"))},
)
LEVELS = (
    lambda draw: {"width": [draw.randint(1, 5), 30 * draw.randint(2, 4), 360]},
    lambda draw: {"prefix": [draw.randint(3, 9), draw.randint(1, 2)]},
    lambda draw: {"trunc": ["month", "year", "decade"]},
    lambda draw: {"table": draw.choice(("world.people", "world.gaps", "world.empty", "world.nothing"))},
)

# What has no default but NULL, which is an error: it is left out less often.
NEEDED = ("p", "buckets", "depth", "intervals", "l", "rate", "recodes", "retain", "amount", "diagonal")

# By type: expressions that nobody who is right in the head would write.
HOSTILE = {
    "integer": ("0", "1", "-1", "2", "2147483647", "-2147483648", "1000000", "NULL", "NULL::int", "(SELECT 3 WHERE false)", "5::smallint"),
    "bigint": ("0", "-1", "1", "9223372036854775807", "(-9223372036854775808)", "4294967296", "2147483648", "NULL", "NULL::bigint"),
    "double precision": ("0", "'-0'::float8", "1", "-1", "'NaN'::float8", "'Infinity'::float8", "'-Infinity'::float8", "1e308", "-1e308", "5e-324",
                         "100", "100.0000000001", "1e-300", "99.999", "NULL", "NULL::float8", "2147483648.5", "0.1::real", "1::numeric"),
    "boolean": ("true", "false", "NULL", "NULL::boolean"),
    "name": ("''", "'x'", "'id'", "'ctid'", "'tableoid'", "'nothing'", "NULL", "NULL::name", "'sdc_row'", "'group_id'", "'\"x\"'", "'x y'", "'*'",
             "repeat('x', 100)::name", "'é'"),
    "name[]": ("'{}'", "NULL", "NULL::name[]", "ARRAY[NULL]::name[]", "'{x,x}'", "'{x,NULL}'", "'{{x,y},{y,x}}'", "'[5:6]={x,y}'::name[]",
               "'[-3:-3]={x}'::name[]", "'{ctid}'", "'{id}'", "'{x,id}'", "'{nothing}'", "'{\"\"}'", "'{sdc_row}'", "'{group_id}'", "'{*}'", "'{{{x}}}'",
               "array_fill('x'::name, ARRAY[2000])", "(SELECT array_agg(('x' || i)::name) FROM generate_series(1, 1700) AS i)", "ARRAY['X', 'x']::name[]"),
    "double precision[]": ("'{}'", "NULL", "NULL::float8[]", "'{NULL}'", "'{0}'", "'{1}'", "'{0.5,0.5}'", "'{-0.5,1.5}'", "'{NaN,1}'", "'{Infinity,1}'",
                           "'{{0.5,0.5},{0.5,0.5}}'", "'[3:4]={0.5,0.5}'::float8[]", "'{1e308,1e308}'", "'{5e-324,1}'", "'{0.3,0.3,0.4}'", "'{0.5,NULL}'",
                           "array_fill(0.001::float8, ARRAY[1000])", "'{-1,0,1}'", "'{1e-320}'"),
    "text[]": ("'{}'", "NULL", "NULL::text[]", "'{NULL}'", "'{true}'", "'{\"x > 1\",\"x < 5\"}'", "'{{\"x = 1\"},{\"y = 1\"}}'", "'{\"x = y\"}'", "'{\"\"}'", "ARRAY['x > 1 --']",
               "ARRAY['x) OR (y']", "ARRAY['(SELECT true)']", "ARRAY['count(x) > 1']", "ARRAY['random() < x']", "ARRAY['1 / x = 1']", "array_fill('x = 1'::text, ARRAY[40])"),
    "jsonb": ("'{}'", "'[{}]'", "'[{\"method\": \"rankswap\"}]'", "'[{\"method\": \"rankswap\", \"p\": 5}, {\"method\": \"rankswap\", \"p\": 5}]'",
              "'[{\"method\": \"permute\", \"sensitive\": [\"x\"], \"l\": 2}]'", "NULL", "NULL::jsonb", "'null'", "'[]'", "'1'", "'\"x\"'", "'{\"x\": null}'", "'{\"x\": [1]}'", "'{\"x\": {\"y\": 1}}'", "'{\"x\": 1e400}'",
              "'{\"draws\": 1}'", "'{\"p\": 5}'", "'{\"p\": \"NaN\"}'", "'{\"p\": -1}'", "'{\"buckets\": 0}'", "'{\"buckets\": 1e30}'", "'{\"depth\": 1.5}'",
              "'{\"intervals\": 0}'", "'{\"intervals\": 3}'", "'{\"widths\": {\"x\": 0}}'", "'{\"widths\": []}'", "'{\"probabilities\": [1]}'",
              "'{\"probabilities\": [0.5, 0.5]}'", "'{\"probabilities\": \"x\"}'", "'{\"probabilities\": [null]}'", "'{\"x\": true}'", "'{\"\": 1}'",
              "'{\"age\": 30, \"sex\": \"f\"}'", "'{\"x\": \"not a number\"}'", "'{\"x\": 99999999999999999999}'", "'{\"depth\": 9223372036854775808}'",
              "('{\"x\":' || repeat('[', 500) || repeat(']', 500) || '}')::jsonb", "'{\"complement\": \"swap\", \"depth\": 3}'", "'{\"grouping_method\": 7}'",
              "(SELECT jsonb_object_agg('c' || i, i) FROM generate_series(1, 100) AS i)"),
    "bytea": ("''", "NULL", "NULL::bytea", "'\\x00'", "'\\xff'", "decode(repeat('00', 64), 'hex')", "decode(repeat('ff', 300), 'hex')",
              "decode(repeat('0100000000000000', 100), 'hex')"),
    "regclass[]": ("'{}'", "NULL", "NULL::regclass[]", "'{NULL}'", "'{world.people,world.people}'", "'{world.people_rankswap,world.people_rankswap}'",
                   "'{{world.people_rankswap},{world.people}}'", "'[5:5]={world.people_rankswap}'::regclass[]", "'{0}'", "'{4294967295}'", "'{world.numbers}'",
                   "'{world.nothing,world.empty}'", "'{world.nokey_out}'", "'{world.people_rankswap,world.one_out}'", "'{pg_class}'",
                   "array_fill('world.people_rankswap'::regclass, ARRAY[2000])", "array_fill(0::regclass, ARRAY[20000])"),
    "regclass": ("NULL", "NULL::regclass", "0", "1", "4294967295::oid", "'pg_class'", "'pg_catalog.pg_attribute'::regclass", "'world.numbers'", "'world.people_age'",
                 "'world.nothing'", "'world.empty'", "'world.one'", "'world.unreachable'", "'world.elsewhere'", "'world.fails'", "'world.dice'",
                 "'world.unfilled'", "'sdc_private.sdc_release_catalog'", "'sdc_releases'", "'sdc_scores'", "'information_schema.columns'", "'pg_toast.pg_toast_1255'",
                 "'no such'", "''", "'world.wide'", "'world.odd'", "'world.extremes'", "'pg_stat_activity'", "'pg_settings'", "'world.releases'",
                 "(SELECT reltype FROM pg_class WHERE oid = 'world.people'::regclass)", "'pg_locks'"),
}
SEEDS = ("1", "'x'", "42::bigint", "'42'::text", "7::smallint", "'v'::varchar(3)", "'c'::char(8)", "'n'::name", "NULL", "NULL::text", "''", "''::text",
         "1.5", "1e300::float8", "true", "ARRAY[1]", "now()", "'{}'::jsonb", "ROW(1, 2)", "'\\x00'::bytea", "repeat('x', 100000)", "-1",
         "(-9223372036854775808)", "'1 day'::interval", "NULL::world.people", "'low'::world.mood", "3::world.positive", "'pg_class'::regclass",
         "'x'::unknown", "(SELECT 5)", "' '::text", "'  '::char(2)", "'a  '::char(5)")
ROWS = ("NULL::record", "ROW(1, 2)", "NULL::int", "1", "NULL::text", "'x'", "NULL", "NULL::world.pair", "ROW(1, 'b')::world.pair", "NULL::world.mood",
        "NULL::pg_class", "NULL::world.nothing", "NULL::world.empty", "NULL::world.releases", "NULL::world.people[]", "ARRAY[1]", "NULL::world.positive",
        "NULL::world.numbers", "NULL::world.fails", "NULL::world.unfilled", "NULL::world.unreachable", "NULL::sdc_releases", "NULL::sdc_loss",
        "(SELECT p FROM world.people p LIMIT 1)", "NULL::world.wide", "NULL::information_schema.tables", "NULL::world.typed")


# The method of the releases that a function is about.
METHOD = {"sdc_inference_risk": "randomize", "sdc_link_rankswap": "rankswap", "sdc_link_releases": "rankswap", "sdc_compare_releases": "rankswap",
          "sdc_private.composition": "rankswap", "sdc_pending": "continued", "sdc_forget": "continued"}

# Arguments that are about the source of a release.
OF_A_RELEASE = ("release", "releases", "after")


class Relation:
    """A relation of the world, with its columns and key."""

    def __init__(self, name, typename, columns, key):
        self.name = name                # as regclass writes it
        self.type = typename
        self.columns = columns          # (name, type, whether it is a number, date or time)
        self.key = key

    def pick(self, draw, least, most, numbers=False, without=()):
        """Names of some columns that are not of the key, in any order."""
        choice = [c[0] for c in self.columns if c[0] not in self.key and c[0] not in without and (c[2] or not numbers)]
        choice = choice or [c[0] for c in self.columns] or ["x"]
        return draw.sample(choice, min(len(choice), draw.randint(least, most)))


class World:
    """What can be an argument: relations, releases with their sources, functions."""

    def __init__(self, session):
        self.relations = self.read_relations(session)
        rows = [row for row in session.rows("""
                SELECT release, source, CASE WHEN parameters ? 'continued' THEN 'continued' ELSE method END FROM sdc_releases ORDER BY 1""")
                if row[0] in self.relations and row[1] in self.relations]
        self.releases = {row[0]: row[1] for row in rows}
        self.methods = {row[0]: row[2] for row in rows}
        self.sources = [name for name in self.relations if name not in self.releases]

    @staticmethod
    def read_relations(session):
        """The relations outside of the system's schemas."""
        rows = session.rows("""
            SELECT c.oid::regclass, c.reltype::regtype, a.attname, a.atttypid::regtype,
                t.typcategory IN ('N', 'D') AND t.typname NOT IN ('oid', 'regclass', 'timetz'),
                coalesce(a.attnum = ANY (i.indkey), false)
            FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
            LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
            LEFT JOIN pg_type t ON t.oid = a.atttypid
            LEFT JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary
            WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND n.nspname !~ '^pg_|^information_schema' AND c.relname !~ '^sdc_'
            ORDER BY c.relname, n.nspname, a.attnum""")
        found = {}
        for name, typename, column, kind, number, key in rows:
            relation = found.setdefault(name, Relation(name, typename, [], []))
            if column is not None:
                relation.columns.append((column, kind, number == "t"))
                if key == "t":
                    relation.key.append(column)
        return found


class Subject:
    """The relations that one call is about, so that its arguments fit together."""

    def __init__(self, draw, world, function=None, source=None, release=None):
        given = [a[0] for a in function.arguments] if function else []
        if release is None and world.releases:
            wanted = METHOD.get(function.name) if function and draw.random() < 0.5 else None
            release = draw.choice([r for r, m in world.methods.items() if wanted in (None, m)] or list(world.methods))
        if source is None:
            source = draw.choice(world.sources)
        if "source" in given and "release" in given:
            alike = [r for r in world.sources if r != source and world.relations[r].columns == world.relations[source].columns]
            release = draw.choice(alike or [source])
        self.given = given
        self.taken = []            # columns that arguments of the call name already
        self.source = world.relations[source]
        self.release = release
        self.origin = world.relations[world.releases[release]] if release in world.releases else self.source
        self.earlier = [r for r in world.releases if r != release and world.releases[r] == world.releases.get(release)
                        and world.methods[r] in ("rankswap", "continued")]
        self.width = draw.randint(1, 3)
        self.fresh = "made_%d" % draw.randint(1, 10 ** 6)


def some_columns(draw, argument, relation, subject):
    """Names for an argument of type name[]."""
    if argument == "key":
        return names(relation.key) if draw.random() < 0.5 and relation.key else "NULL"
    least, most, numbers = 1, 3, draw.random() < 0.8
    if argument == "qi":
        least = most = subject.width
        numbers = False
    elif argument in ("strata", "omit", "sensitive"):
        most = 1 + (argument != "sensitive" and draw.random() < 0.2)
        numbers = False
    if draw.random() < {"strata": 0.7, "omit": 0.7, "columns": 0.2, "known": 0.2, "by": 0.4, "unit": 0.7, "row_level": 0.9, "similar": 0.6, "carry": 0.8}.get(argument, 0):
        return "NULL"
    chosen = relation.pick(draw, least, most, numbers, subject.taken)
    subject.taken += chosen
    return names(chosen)


def some_text(draw, argument, subject):
    """A text that means something."""
    if argument in ("relation", "source"):
        return quoted(subject.source.name)
    if argument == "target":
        return quoted("world." + subject.fresh) if draw.random() < 0.7 else "NULL"
    if argument == "seed":
        return quoted("seed %d" % draw.randint(1, 99))
    return quoted(draw.choice(WORDS[argument])) if argument in WORDS else None


def some_steps(draw, relation, subject):
    """Steps of sdc_protect, each with columns of its own."""
    steps = []
    for method in draw.sample(sorted(STEPS), draw.randint(1, 3)):
        argument, numbers, parameters = STEPS[method]
        free = [c[0] for c in relation.columns if c[0] not in relation.key + subject.taken and (c[2] or not numbers)]
        if not free:
            continue
        chosen = draw.sample(free, min(len(free), draw.randint(1, 2)))
        subject.taken += chosen
        if argument == "recodes":
            chosen = {name: draw.choice(RULES)(draw) for name in chosen}
        elif draw.random() < 0.2:
            steps.append({"method": "recode", "recodes": {name: draw.choice(RULES)(draw) for name in chosen}})
        steps.append(dict(parameters(draw), method=method, **{argument: chosen}))
    return quoted(json.dumps(steps)) + "::jsonb"


def some_trials(draw, relation, subject):
    """Steps that are tried one after the other, for the same columns."""
    chosen = relation.pick(draw, 1, 2, True, subject.taken)
    subject.taken += chosen
    return quoted(json.dumps([[{"method": "rankswap", "columns": chosen, "p": p}] for p in (5, 20, 60)])) + "::jsonb"


def some_plan(draw, relation):
    """What sdc_propose has found out about columns."""
    return quoted(json.dumps({c[0]: {"number": i, "what": "number" if c[2] else "category", "different": draw.randint(1, 50),
                                     "proposal": draw.choice(("swap", "keep", "omit"))}
                              for i, c in enumerate(relation.columns, 1) if c[0] not in relation.key})) + "::jsonb"


def some_codes(draw, relation):
    """Missing codes of some columns, which can be no values of their types."""
    if draw.random() < 0.5:
        return "NULL"
    return quoted(json.dumps({name: draw.sample([0, 1, 2, 7, 40, "f", "m", -9], draw.randint(0, 2)) for name in relation.pick(draw, 1, 2, True)})) + "::jsonb"


def some_rules(draw, relation, subject, rules):
    """Rules by column, that make values coarser."""
    named = subject.taken if rules is LEVELS and subject.taken and draw.random() < 0.7 else []
    chosen = draw.sample(named, min(len(named), draw.randint(1, 2))) or relation.pick(draw, 1, 2)
    subject.taken += chosen
    return quoted(json.dumps({name: draw.choice(rules)(draw) for name in chosen})) + "::jsonb"


def some_matrices(draw, relation):
    """Matrices of some columns, whose values can be others."""
    values = [draw.sample(["f", "m", "0", "1", "2", "7"], draw.randint(1, 3)) for _ in range(2)]
    return quoted(json.dumps({name: {"values": chosen, "p": [[1.0 if i == j else 0.0 for j in range(len(chosen))] if i else
                  [1.0 / len(chosen)] * len(chosen) for i in range(len(chosen))]} for name, chosen in zip(relation.pick(draw, 1, 2), values)})) + "::jsonb"


def some_relations(draw, argument, subject):
    """Releases of one table, one after the other, or what they come from."""
    if argument == "sources":
        return "ARRAY[%s]::regclass[]" % quoted(subject.origin.name) if draw.random() < 0.5 else "NULL"
    chosen = draw.sample(subject.earlier, min(len(subject.earlier), draw.randint(0, 2))) + [subject.release or subject.source.name]
    return "ARRAY[%s]::regclass[]" % ", ".join(quoted(name) for name in chosen)


def plausible(draw, argument, kind, subject, about):
    """A value that the function may take, or None if nothing is known of the argument."""
    if argument == "steps":
        return some_steps(draw, about, subject)
    if argument == "combinations":
        return quoted(json.dumps(draw.choice(COMBINATIONS[1:]))) + "::jsonb" if draw.random() < 0.7 else "NULL"
    if argument == "missing":
        return some_codes(draw, about)
    if argument in ("recodes", "hierarchies"):
        rules = KEEPING if "row_type" in subject.given and draw.random() < 0.7 else RULES
        return some_rules(draw, about, subject, rules if argument == "recodes" else LEVELS)
    if argument == "limits":
        return quoted(json.dumps({"people_found": draw.choice((100, 100, 50))})) + "::jsonb"
    if argument == "trials":
        return some_trials(draw, about, subject)
    if argument == "plan":
        return some_plan(draw, about)
    if argument == "seeds":
        return "ARRAY['one', 'two']"
    if argument.startswith("limit_") or argument == "loss":
        return draw.choice(("NULL", "100"))
    if argument == "step" and kind == "jsonb":
        return quoted(json.dumps({"method": "rankswap", "parameter": "p", "value": draw.randint(1, 60)})) + "::jsonb"
    if argument == "matrices":
        return "NULL" if subject.given and "retain" in subject.given else some_matrices(draw, about)
    if argument == "workload" and draw.random() < 0.5:
        return "NULL"
    if kind == "regclass[]":
        return some_relations(draw, argument, subject)
    if argument == "before":
        return quoted((subject.earlier or [subject.source.name])[0]) + "::regclass"
    if kind == "regclass":
        if argument in OF_A_RELEASE:
            return quoted(subject.release or subject.source.name) + "::regclass"
        return quoted(subject.source.name) + "::regclass"
    if kind == "text":
        return some_text(draw, argument, subject)
    if kind == "name[]":
        return some_columns(draw, argument, about, subject)
    if kind == "text[]":
        chosen = about.pick(draw, 1, 3)
        return "ARRAY[%s]" % ", ".join(quoted("%s::text %s '3'" % ('"' + name.replace('"', '""') + '"', draw.choice(("<", ">=", "<>")))) for name in chosen)
    if kind == "name":
        chosen = about.pick(draw, 1, 1, without=subject.taken)
        subject.taken += chosen
        return quoted(chosen[0])
    if kind == "double precision[]":
        return "array_fill(%s::float8, ARRAY[%d])" % (1.0 / subject.width, subject.width) if draw.random() < 0.5 else "NULL"
    if kind == "boolean":
        return draw.choice(("true", "false"))
    if argument == "seed":
        return draw.choice(("1", "'seed'", "NULL"))
    if argument == "combination":
        column = (subject.taken or about.pick(draw, 1, 1))[0]
        return "jsonb_build_object(%s, %d)" % (quoted(column), draw.randint(1, 3))
    if argument in RANGES:
        low, high = RANGES[argument]
        if "probabilities" in subject.given:
            high = min(high, subject.width)
        if argument == "l" and draw.random() < 0.7:
            return draw.choice(("1", "2"))
        if kind == "double precision":
            return "%.4g" % draw.uniform(low, high)
        return str(draw.randint(int(low), int(high)))
    return None


def states(draw, function):
    """A state of an aggregate as bytea: a true one, or one with some bytes changed."""
    state = draw.choice(("(SELECT sdc_entropy_state(age) FROM world.people)", "(SELECT sdc_entropy_state(city) FROM world.people)",
                         "(SELECT sdc_entropy_state(y) FROM world.gaps)", "(SELECT sdc_entropy_state(x) FROM world.empty)",
                         "(SELECT sdc_information_loss_state(ARRAY[age, weight], ARRAY[weight, age]) FROM world.people)",
                         "(SELECT sdc_information_loss_state(ARRAY[y], ARRAY[x]) FROM world.gaps)"))
    if draw.random() < 0.7:
        family = "information_loss" if "information_loss" in function else "entropy"
        while family not in state:
            state = states(random.Random(draw.random()), function)
        return state
    if draw.random() < 0.5:
        return "substr(%s, 1, %d)" % (state, draw.randint(0, 200))
    return "set_byte(%s, %d, %d)" % (state, draw.choice((0, 1, 3, 4, 7, 8, 12, 16, 20, 24, 30)), draw.choice((0, 1, 127, 128, 255)))


def value(draw, argument, kind, default, subject, about, sense, function):
    """An expression for an argument; sense is how often it is plausible."""
    if draw.random() < sense:
        if kind == "bytea":
            return states(draw, function)
        found = plausible(draw, argument, kind, subject, about)
        if found is not None:
            return found
        if default is not None:
            return default
    if kind == "text":
        if draw.random() < 0.1:
            return "NULL"
        return quoted(draw.choice(TEXTS)) + draw.choice(("", "::text"))
    if kind == '"any"':
        return draw.choice(SEEDS)
    if kind == "anyelement":
        return draw.choice(ROWS)
    return draw.choice(HOSTILE.get(kind, ("NULL", "''", "'x'", "0", "NULL::" + kind)))


def arguments(draw, function, subject, sense):
    """The arguments of a call, positional first, then by name, some left to their defaults."""
    about = subject.origin if any(a[0] in OF_A_RELEASE for a in function.arguments) else subject.source
    parts = []
    named = draw.random() < 0.5
    switch = draw.randint(0, len(function.arguments)) if named else len(function.arguments)
    for place, (argument, kind, default) in enumerate(function.arguments):
        if default is not None and draw.random() < (0.1 if argument in NEEDED or not named else 0.55):
            if place >= switch:
                continue
            if not named:
                break
        if kind == "anyelement" and argument == "row_type" and draw.random() < sense:
            text = "NULL::" + subject.source.type
        else:
            text = value(draw, argument, kind, default, subject, about, sense, function.name)
        if place >= switch and argument:
            text = identifier(argument) + " => " + text
        parts.append(text)
    return ", ".join(parts)


class Function:
    """A function of the extension."""

    def __init__(self, row):
        self.oid, schema, name, self.kind, self.set, self.signature = row[:6]
        self.set = self.set == "t"
        self.result = row[9]
        self.arguments = []             # (name, type, default)
        self.call = identifier(schema) + "." + identifier(name)
        # what is not for users is called too, as a superuser can
        self.name = "sdc_private." + name if schema == "sdc_private" else name

    @property
    def writes(self):
        """Whether it makes, registers, confirms, evaluates or publishes releases, or classifies."""
        return (self.name.startswith(("sdc_evaluate", "sdc_private.evaluate")) or self.kind == "w" or self.result in ("void", "boolean") or any(a[0] in ("target", "replace", "row_type", "role") for a in self.arguments)
                or not self.callable)

    @property
    def follows(self):
        """Whether it returns only after something else was done: a policy set, a run begun and old, a release evaluated.
        That is what test/tap does; here its arguments are wrong."""
        return re.match(r"sdc_(private\.)?(policy_set|policy_alter|policy_enter|policy_drop|policy_remove|run_|run$|approve|reject|check|log_prune|release_record|publish$|"
                        r"drop_publication|withdraw|accuracy_part$|report_subject$|how_accurate$|accuracy_drawn$|private\.sweep$)",
                        self.name) is not None

    @property
    def callable(self):
        """Whether a query can call it at all."""
        return self.result not in ("trigger", "event_trigger", "internal") and all(a[1] != "internal" for a in self.arguments)


def functions(session):
    """All functions of the extension, found by their dependency on it; but for what drops any table, and so the world."""
    rows = session.rows("""
        SELECT p.oid, n.nspname, p.proname, p.prokind, p.proretset, p.oid::regprocedure,
            coalesce(p.proargnames[a.i], ''), format_type(a.type, NULL), pg_get_function_arg_default(p.oid, a.i::int),
            p.prorettype::regtype
        FROM pg_depend d
        JOIN pg_extension e ON d.refclassid = 'pg_extension'::regclass AND d.refobjid = e.oid AND e.extname = 'sdc'
        JOIN pg_proc p ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid
        JOIN pg_namespace n ON n.oid = p.pronamespace
        LEFT JOIN LATERAL unnest(coalesce(p.proallargtypes, p.proargtypes::oid[])) WITH ORDINALITY AS a (type, i)
            ON coalesce(p.proargmodes[a.i], 'i') IN ('i', 'b', 'v')
        WHERE d.deptype = 'e' AND p.oid::regprocedure::text <> 'sdc_private.drop_release(regclass)'
        ORDER BY p.oid::regprocedure::text, a.i""")
    found = {}
    for row in rows:
        function = found.setdefault(row[0], Function(row))
        if row[7] is not None:
            function.arguments.append((row[6], row[7], row[8]))
    return list(found.values())
