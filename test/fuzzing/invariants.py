"""What every release keeps, as queries that count violations.

The queries read the temporary table pair: a row for every record of the source and its
record in the release, with the columns rec (its number in the order of the key),
stratum, s1, s2, ... (source), r1, r2, ... (release) and group_id.  Values are compared
as text where they must be the same to the letter; s has equal values as the release
writes them.  The definitions are those of doc/methods.md and doc/reference.md, computed
without the extension.
"""

import itertools

from wire import quoted

# Places in a row of the report: release, attribute, action, method, records, ...
METHOD, RECORDS, CHANGED, PERCENT, BINS = 3, 4, 5, 6, 7

NUMBERS = ("smallint", "integer", "bigint", "real", "double precision", "numeric", "numeric(8,2)", "positive")
RANGES = {"smallint": "int", "integer": "int", "bigint": "int", "positive": "int", "real": "num", "double precision": "num", "numeric": "num",
          "numeric(8,2)": "num", "money": "num", "date": "date", "timestamp": "ts", "timestamptz": "ts"}


def order_of(column, side):
    """A column as keys and strata are ordered."""
    return "%s.%s%s" % (side, column.sql, ' COLLATE "C"' if column.text else "")


def pair(table, release, call):
    """The statements that make the table pair."""
    columns = [c for c in table.columns if c.name not in call.omitted(table)]
    if table.key:
        source, match = table.name + " AS s", " AND ".join("s.%s = r.%s" % (c.sql, c.sql) for c in table.key)
        number = "row_number() OVER (ORDER BY %s)" % ", ".join(order_of(c, "s") for c in table.key)
    else:
        source = "(SELECT *, row_number() OVER (ORDER BY ctid) AS sdc_row FROM %s) AS s" % table.name
        match, number = "s.sdc_row = r.sdc_row", "s.sdc_row"
    stratum = "dense_rank() OVER (ORDER BY %s)" % ", ".join(order_of(c, "s") for c in call.strata) if call.strata else "1"
    fields = ["%s AS rec" % number, "%s AS stratum" % stratum]
    for place, c in enumerate(table.key + columns, 1):
        fields += ["s.%s AS s%d" % (c.sql, place), "r.%s AS r%d" % (c.sql, place)]
    if call.grouped:
        fields.append("r.group_id")
    respell = ["UPDATE pair SET s%d = w.v FROM (SELECT DISTINCT r%d AS v FROM pair WHERE num_nulls(r%d) = 0) AS w WHERE s%d = w.v" % (place, place, place, place)
               for place, c in enumerate(columns, len(table.key) + 1) if c.ability != "none" and not (call.method == "generalize" and c.name in call.protected)]
    return ["DROP TABLE IF EXISTS pair", "CREATE TEMP TABLE pair AS SELECT %s FROM %s JOIN %s AS r ON %s" % (", ".join(fields), source, release, match)] + respell


def differ(left, right):
    """Violations: rows that one query has and the other has not."""
    return "SELECT (SELECT count(*) FROM ((%s) EXCEPT ALL (%s)) x) + (SELECT count(*) FROM ((%s) EXCEPT ALL (%s)) x)" % (left, right, right, left)


def general(table, call, places):
    """Every method: all records, one spelling of equal values, and what is not protected is as it was, as are NULLs of what keeps them."""
    yield "number of records", "SELECT abs(count(*) - %d) FROM pair" % table.count
    for column in (c for c in table.columns if c.name in places and c.ability != "none"):
        yield "one spelling of %s" % column.name, "SELECT count(DISTINCT r{0}::text) - count(DISTINCT r{0}) FROM pair".format(places[column.name])
    for column, place in places.items():
        if column not in call.protected:
            yield "%s is copied" % column, "SELECT count(*) FROM pair WHERE s%d::text IS DISTINCT FROM r%d::text" % (place, place)
        elif call.method not in ("generalize", "permute", "suppress"):
            yield "NULLs of %s stay" % column, "SELECT count(*) FROM pair WHERE num_nulls(s%d) <> num_nulls(r%d)" % (place, place)
        if column in call.protected and call.method not in ("generalize", "randomize", "suppress", "microaggregate", "pram", "noise"):
            yield "values of %s are kept by stratum" % column, differ(
                "SELECT stratum, s%d::text FROM pair" % place, "SELECT stratum, r%d::text FROM pair" % place)


def rankswap(call, place):
    """Swaps come in pairs; those of the standard method keep within their window."""
    yield "swaps come in pairs", differ("SELECT stratum, s%d::text, r%d::text FROM pair" % (place, place),
                                        "SELECT stratum, r%d::text, s%d::text FROM pair" % (place, place))
    if call.method == "rankswap":
        yield "rank distance", """
            WITH place AS (SELECT stratum, s{0} AS v, row_number() OVER (PARTITION BY stratum ORDER BY s{0}) AS i,
                    count(*) OVER (PARTITION BY stratum) AS n FROM pair WHERE num_nulls(s{0}) = 0),
                span AS (SELECT stratum, v, min(i) AS low, max(i) AS high, max(n) AS n FROM place GROUP BY stratum, v)
            SELECT (SELECT count(*) FROM pair WHERE num_nulls(s{0}) = 0) - count(*) FILTER (WHERE greatest(b.low - a.high, a.low - b.high)
                <= least(greatest(floor({1}::float8 * a.n / 100 + 0.5), 1), a.n))
            FROM pair JOIN span a ON a.stratum = pair.stratum AND a.v = s{0} JOIN span b ON b.stratum = pair.stratum AND b.v = r{0}
            """.format(place, call.number)


def joint(call, places):
    """The columns of a swapping set move together."""
    columns = [places[c] for c in call.protected]
    yield "combinations are kept", differ(
        "SELECT stratum, ROW(%s)::text FROM pair" % ", ".join("s%d" % p for p in columns),
        "SELECT stratum, ROW(%s)::text FROM pair" % ", ".join("r%d" % p for p in columns))
    if call.report and call.plain:
        bins, single = call.report[call.protected[0]][BINS:BINS + 2]
        finite = " AND ".join("(s{0} IS NOT NULL AND s{0}::float8 NOT IN ('NaN', 'Infinity', '-Infinity'))".format(p) for p in columns)
        # Where a value is missing or not finite, bins are by the pattern of these: not counted here.
        skip = "SELECT CASE WHEN EXISTS (SELECT FROM pair WHERE NOT (%s)) THEN 0 ELSE " % finite
        if call.method == "equidepth_swap":
            yield "number of bins", skip + """abs(%s - coalesce(sum(greatest(1, n / %d)), 0))
                + abs(%s - coalesce(sum((n = 1)::int), 0)) END
                FROM (SELECT count(*) AS n FROM pair GROUP BY stratum) AS x""" % (bins, call.number, single)
        elif call.widths is None:
            yield from boxes(call, columns, skip, bins, single)
        if call.method == "equidepth_swap" and len(columns) == 1:
            yield "runs of so many records", skip + """count(*) END FROM (SELECT stratum, least((row_number() OVER (PARTITION BY stratum ORDER BY s{0}::float8, rec) - 1) / {1},
                    greatest(count(*) OVER (PARTITION BY stratum) / {1}, 1) - 1) AS run, s{0}::float8 AS s, r{0}::float8 AS r FROM pair) AS x
                JOIN LATERAL (SELECT min(s) AS low, max(s) AS high FROM (SELECT stratum, least((row_number() OVER (PARTITION BY stratum
                    ORDER BY s{0}::float8, rec) - 1) / {1}, greatest(count(*) OVER (PARTITION BY stratum) / {1}, 1) - 1) AS run, s{0}::float8 AS s FROM pair) AS y
                    WHERE y.stratum = x.stratum AND y.run = x.run) AS z ON r < low OR r > high""".format(columns[0], call.number)


def boxes(call, columns, skip, bins, single):
    """The grid of equi-width swapping: its boxes are counted, and no record leaves its box."""
    def box(side):
        """The intervals of a record, by its values in the source (s) or the release (r)."""
        return ", ".join("""CASE WHEN max(s{0}::float8) OVER w = min(s{0}::float8) OVER w THEN 0 ELSE least(floor(({1}{0}::float8 - min(s{0}::float8) OVER w)
            * {2} / (max(s{0}::float8) OVER w - min(s{0}::float8) OVER w)), {2} - 1) END""".format(p, side, call.number) for p in columns)
    grid = "(SELECT stratum, ROW(%s)::text AS s, ROW(%s)::text AS r FROM pair WINDOW w AS (PARTITION BY stratum))" % (box("s"), box("r"))
    yield "number of boxes", skip + "abs(%s - count(*)) + abs(%s - count(*) FILTER (WHERE n = 1)) END FROM (SELECT count(*) AS n FROM %s AS g GROUP BY stratum, s) AS x" % (
        bins, single, grid)
    yield "boxes are kept", skip + "count(*) END FROM %s AS g WHERE s <> r" % grid


def groups(call, places):
    """Groups: within a stratum, numbered by their first record, of k records and entropy ln l at least."""
    yield "groups are of one stratum", "SELECT count(*) FROM (SELECT FROM pair GROUP BY group_id HAVING count(DISTINCT stratum) > 1) AS x"
    yield "groups are numbered by their first records", """SELECT count(*) FROM (SELECT group_id, row_number() OVER (ORDER BY min(rec)) AS i
        FROM pair GROUP BY group_id) AS x WHERE i <> group_id"""
    if call.k:
        yield "groups have k records", "SELECT count(*) FROM (SELECT FROM pair GROUP BY group_id HAVING count(*) < %d) AS x" % call.k
    if call.l and call.entropy:
        yield "groups are diverse", """SELECT count(*) FROM (SELECT FROM (SELECT group_id, n, sum(n) OVER (PARTITION BY group_id) AS all_n
                FROM (SELECT group_id, count(*) AS n FROM pair GROUP BY group_id, s%d) AS a) AS b
            GROUP BY group_id HAVING -sum(n / all_n * ln(n / all_n)) < ln(%s::numeric) - 1e-9) AS c""" % (places[call.sensitive], call.l)


def permute(call, places):
    """The sensitive values of a group stay in it; Anatomy has none twice."""
    place = places[call.sensitive]
    yield "groups keep their values", differ("SELECT group_id, s%d::text FROM pair" % place, "SELECT group_id, r%d::text FROM pair" % place)
    if not call.entropy and not call.force:
        yield "no value twice in a group", "SELECT count(*) FROM (SELECT FROM pair GROUP BY group_id, s%d HAVING count(*) > 1) AS x" % place
        yield "groups have l records", "SELECT count(*) FROM (SELECT FROM pair GROUP BY group_id HAVING count(*) < %s) AS x" % call.l


def generalize(call, places, types):
    """Ranges and sets are those of the values of the group, and the same for all its records."""
    for column in call.protected:
        place, kind = places[column], RANGES.get(types[column])
        yield "one %s for a group" % column, "SELECT count(*) FROM (SELECT FROM pair GROUP BY group_id HAVING count(DISTINCT coalesce(r%d::text, '-')) > 1) AS x" % place
        if call.lattice:
            yield "%s is the value, or everything" % column, """SELECT count(*) FROM (SELECT FROM pair GROUP BY group_id
                HAVING count(DISTINCT coalesce(s{0}::text, '-')) > 1 AND max(r{0}::text) IS DISTINCT FROM '{1}') AS x""".format(place, "*" if kind is None else "(,)")
            continue
        if kind is None:
            yield "%s is the set of the group" % column, """SELECT count(*) FROM pair JOIN (SELECT group_id AS g, count(DISTINCT s{0}) + bool_or(num_nulls(s{0}) = 1)::int AS n
                FROM pair GROUP BY 1) AS x ON g = group_id WHERE cardinality(r{0}) <> n OR array_position(r{0}, s{0}) IS NULL""".format(place)
            continue
        yield "%s is missing where a value is" % column, """SELECT count(*) FROM (SELECT group_id FROM pair GROUP BY group_id
            HAVING bool_or(s%d IS NULL) <> bool_or(r%d IS NULL)) AS x""" % (place, place)
        if kind == "num":
            test = "min(lower(r{0}))::{1} <> min(s{0})::{1} OR max(upper(r{0}))::{1} <> max(s{0})::{1} OR NOT bool_and(lower_inc(r{0}) AND upper_inc(r{0}))"
            test = test.format(place, "numeric" if types[column] == "money" else types[column])
        elif kind == "int":
            test = "min(lower(r{0})) <> min(s{0}) OR max(upper(r{0}))::numeric - 1 <> max(s{0}) OR NOT bool_and(r{0} @> s{0}::{1})".format(
                place, "bigint" if types[column] == "bigint" else "int")
        else:
            test = "NOT bool_and(r{0} @> s{0})".format(place)
        yield "%s has the range of the group" % column, "SELECT count(*) FROM (SELECT FROM pair GROUP BY group_id HAVING bool_and(s%d IS NOT NULL) AND (%s)) AS x" % (place, test)


def randomize(call, places):
    """Values come from the column, of the same stratum, and no more of a record change than are drawn."""
    for column in call.protected:
        yield "values of %s are of its stratum" % column, """SELECT count(*) FROM (SELECT stratum, r{0}::text FROM pair
            EXCEPT SELECT stratum, s{0}::text FROM pair) AS x""".format(places[column])
    yield "records change in few columns", "SELECT count(*) FROM pair WHERE %s > %d" % (
        " + ".join("(s%d::text IS DISTINCT FROM r%d::text)::int" % (places[c], places[c]) for c in call.protected), call.k or 1)


def pram(call, places):
    """Values come from the column, of the same stratum."""
    for column in call.protected:
        yield "values of %s are of its stratum" % column, """SELECT count(*) FROM (SELECT stratum, r{0}::text FROM pair
            EXCEPT SELECT stratum, s{0}::text FROM pair) AS x""".format(places[column])


def microaggregate(call, places, types):
    """Every record of a stratum has k alike, in each column or in all; whole numbers keep their sum, but for rounding, with means."""
    for some in [[c] for c in call.protected] + ([] if call.entropy else [call.protected]):
        yield "records are alike in %s" % ", ".join(some), "SELECT count(*) FROM (SELECT FROM pair GROUP BY stratum, %s HAVING count(*) < %d) AS x" % (
            ", ".join("r%d" % places[c] for c in some), call.number)
    for column in call.protected:
        yield "%s is within its values" % column, """SELECT count(*) FROM pair JOIN (SELECT stratum AS t, min(s{0}) AS low, max(s{0}) AS high FROM pair GROUP BY 1) AS x
            ON t = stratum WHERE r{0} < low OR r{0} > high""".format(places[column])
        if types[column] in ("smallint", "integer", "bigint") and "centre => 'mean'" in call.words:
            yield "the sum of %s is kept" % column, "SELECT count(*) FROM (SELECT FROM pair HAVING abs(sum(r{0}::numeric - s{0}::numeric)) > 0.5 * count(s{0})) AS x".format(places[column])


def noise(call, places):
    """What is no number stays; noise that multiplies keeps 0 and signs."""
    for column in call.protected:
        special = "s%d::numeric IN ('NaN', 'Infinity', '-Infinity')" % places[column]
        yield "what is no number in %s stays" % column, "SELECT count(*) FROM pair WHERE %s AND s%d::text IS DISTINCT FROM r%d::text" % (
            special, places[column], places[column])
        if call.sensitive == "multiplicative":
            yield "signs of %s stay" % column, "SELECT count(*) FROM pair WHERE NOT %s AND sign(r%d::numeric) NOT IN (0, sign(s%d::numeric))" % (
                special, places[column], places[column])


def suppress(call, places):
    """Values are those of the source or NULL, and every record of a stratum has as many alike as are demanded in every set of columns."""
    for column in call.protected:
        yield "%s has the value of the source, or none" % column, "SELECT count(*) FROM pair WHERE num_nulls(r{0}) = 0 AND s{0} IS DISTINCT FROM r{0}".format(places[column])
    for some in itertools.combinations(call.protected, call.sizes or len(call.protected)):
        yield "records are alike in %s" % ", ".join(some), "SELECT count(*) FROM (SELECT FROM pair GROUP BY stratum, %s HAVING count(*) < %d) AS x" % (
            ", ".join("r%d" % places[c] for c in some), call.number)


def changed(call, places):
    """The report counts the records whose value is another one, in numbers and percent, and names the method."""
    for column, row in call.report.items():
        wanted = column in call.protected and row[RECORDS] != "0"
        yield "method and percent of %s" % column, "SELECT count(*) FROM (VALUES (%s, %s)) AS x (method, percent) WHERE %s" % (
            "NULL::text" if row[METHOD] is None else quoted(row[METHOD]), "NULL::float8" if row[PERCENT] is None else row[PERCENT],
            "method IS DISTINCT FROM %s OR (abs(percent - 100 * %s::float8 / %s) < 1e-9) IS NOT TRUE" % (quoted(call.method), row[CHANGED], row[RECORDS])
            if wanted else "num_nonnulls(%spercent) > 0" % ("" if column in call.protected else "method, "))
    for column in call.protected:
        if call.method != "generalize" and column in call.report:
            yield "changed records of %s" % column, "SELECT abs(count(*) - %s) FROM pair WHERE s%d IS DISTINCT FROM r%d" % (
                call.report[column][CHANGED], places[column], places[column])


def types_kept(table, release, call):
    """Columns of the release: names, types, modifiers, collations and order of the source."""
    query = """SELECT attname, atttypid, atttypmod, attcollation, row_number() OVER (ORDER BY attnum) FROM pg_attribute
        WHERE attrelid = %s::regclass AND attnum > 0 AND NOT attisdropped AND attname <> ALL ('{group_id,sdc_row}')
        AND attname <> ALL (ARRAY[%s]::name[])"""
    gone = ", ".join(quoted(c) for c in call.omitted(table)) or "''"
    return "types are kept", differ(query % (quoted(table.name), gone), query % (quoted(release), gone))


def checks(table, release, call):
    """All checks of a release: (name, query that counts violations)."""
    columns = [c for c in table.columns if c.name not in call.omitted(table)]
    places = {c.name: place for place, c in enumerate(table.key + columns, 1)}
    types = {c.name: c.type for c in table.columns}
    yield from general(table, call, places)
    if call.method != "generalize":
        yield types_kept(table, release, call)
    if call.method.startswith("rankswap"):
        for column in call.protected:
            yield from rankswap(call, places[column])
    elif call.method in ("equidepth_swap", "equiwidth_swap"):
        yield from joint(call, places)
    elif call.method == "randomize":
        yield from randomize(call, places)
    elif call.method == "suppress":
        yield from suppress(call, places)
    elif call.method == "microaggregate":
        yield from microaggregate(call, places, types)
    elif call.method in ("pram", "noise"):
        yield from {"pram": pram, "noise": noise}[call.method](call, places)
    if call.grouped:
        yield from groups(call, places)
    if call.method == "permute":
        yield from permute(call, places)
    if call.method == "generalize":
        yield from generalize(call, places, types)
    yield from changed(call, places)
