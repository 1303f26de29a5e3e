"""Random tables: types, values, keys, strata, and the forms that a relation can have."""

from wire import identifier, quoted

# By type: what it is (number, time: both have distances; order; none), few values, and odd ones.
TYPES = {
    "smallint": ("number", ("1", "2", "3"), ("-32768", "32767", "0")),
    "integer": ("number", ("1", "2", "5", "7"), ("-2147483648", "2147483647", "0")),
    "bigint": ("number", ("1", "2", "5", "7"), ("-9223372036854775808", "9223372036854775807", "9007199254740993")),
    "real": ("number", ("0.5", "1", "2.25"), ("NaN", "Infinity", "-Infinity", "-0", "3.4e38", "1e-45")),
    "double precision": ("number", ("0.5", "1", "2.25"), ("NaN", "Infinity", "-Infinity", "-0", "1e308", "5e-324", "0.1")),
    "numeric": ("number", ("1", "1.0", "2.50", "3"), ("NaN", "Infinity", "1e300", "-1e-300", "0.00")),
    "numeric(8,2)": ("number", ("1", "2.5", "3"), ("NaN", "-999999.99", "0")),
    "money": ("number", ("1", "2.50", "-3"), ("92233720368547758.07", "-92233720368547758.08")),
    "date": ("time", ("2000-01-01", "1999-12-31", "2024-02-29"), ("infinity", "-infinity", "4713-01-01 BC", "5874897-12-31")),
    "time": ("time", ("00:00", "12:30", "23:59:59.999999"), ("24:00", "00:00")),
    "timestamp": ("time", ("2000-01-01", "2024-02-29 12:00"), ("infinity", "-infinity", "294276-12-31")),
    "timestamptz": ("time", ("2000-01-01", "2024-02-29 12:00+03"), ("infinity", "-infinity", "4713-01-02 BC")),
    "text": ("order", ("a", "b", "B", "ä"), ("", " ", "a ", "x" * 300, "\U0001d54f", "'\"\\")),
    'text COLLATE "C"': ("order", ("a", "b", "B", "ä"), ("", "a\tb", "Z")),
    "varchar(5)": ("order", ("a", "b", "ccccc"), ("", " ")),
    "char(4)": ("order", ("a", "b ", "cccc"), ("", " a")),
    "name": ("order", ("a", "b"), ("", "A")),
    "boolean": ("order", ("t", "f"), ("t",)),
    "interval": ("order", ("1 day", "24 hours", "1 month", "30 days"), ("-178000000 years", "0")),
    "uuid": ("order", ("00000000-0000-0000-0000-000000000001", "ffffffff-ffff-ffff-ffff-ffffffffffff"), ("00000000-0000-0000-0000-000000000000",)),
    "bytea": ("order", ("\\x00", "\\x01ff", "\\x"), ("\\x" + "ab" * 400,)),
    "mood": ("order", ("low", "middle", "high"), ("low",)),
    "positive": ("number", ("1", "2", "3"), ("2147483647",)),
    "label": ("order", ("a", "b", "c"), ("",)),
    "int4range": ("order", ("[1,3)", "empty", "(,5]"), ("(,)",)),
    "integer[]": ("order", ("{1,2}", "{}", "{NULL}"), ("{{1,2},{3,4}}", "[5:6]={1,2}")),
    "text[]": ("order", ("{a,b}", "{}"), ("{NULL,\"\"}",)),
    "inet": ("order", ("10.0.0.1", "::1", "10.0.0.0/8"), ("0.0.0.0/0",)),
    "macaddr": ("order", ("08:00:2b:01:02:03", "ff:ff:ff:ff:ff:ff"), ("00:00:00:00:00:00",)),
    "bit(3)": ("order", ("101", "000"), ("111",)),
    "bit varying": ("order", ("1", "01", ""), ("1" * 90,)),
    "time with time zone": ("order", ("12:00+00", "13:00+01"), ("24:00-12",)),
    "oid": ("order", ("1", "4294967295"), ("0",)),
    "pg_lsn": ("order", ("0/0", "F/1"), ("FFFFFFFF/FFFFFFFF",)),
    "jsonb": ("order", ('{"a": 1}', "[1, 2]", '"x"'), ("null", '{"a": 1.0}')),
    "tsvector": ("order", ("a b", "c"), ("",)),
    "duo": ("order", ("(1,a)", "(,)", "(2,)"), ("(1,b)",)),
    "json": ("none", ('{"a":1}', "[]"), ("null",)),
    "point": ("none", ("(0,0)", "(1,2)"), ("(NaN,Infinity)",)),
    "xml": ("none", ("<a/>", "b"), ("",)),
}
SETUP = """CREATE TYPE mood AS ENUM ('low', 'middle', 'high'); CREATE TYPE duo AS (a int, b text);
CREATE DOMAIN positive AS int CHECK (VALUE > 0); CREATE DOMAIN label AS text COLLATE "C" CHECK (length(VALUE) < 100)"""
WIDE = {
    "smallint": lambda r: str(r.randint(-30000, 30000)), "integer": lambda r: str(r.randint(-10 ** 9, 10 ** 9)),
    "bigint": lambda r: str(r.randint(-10 ** 17, 10 ** 17)), "real": lambda r: repr(r.gauss(0, 100)),
    "double precision": lambda r: repr(r.gauss(0, 1e6)), "numeric": lambda r: "%d.%d" % (r.randint(-10 ** 20, 10 ** 20), r.randint(0, 10 ** 9)),
    "numeric(8,2)": lambda r: "%.2f" % r.uniform(-9999, 9999), "date": lambda r: "%d-%02d-%02d" % (r.randint(1900, 2100), r.randint(1, 12), r.randint(1, 28)),
    "timestamp": lambda r: "%d-01-01 %02d:%02d" % (r.randint(1900, 2100), r.randint(0, 23), r.randint(0, 59)),
    "text": lambda r: "t%d" % r.randint(0, 10 ** 6), 'text COLLATE "C"': lambda r: "t%d" % r.randint(0, 10 ** 6),
    "uuid": lambda r: "%032x" % r.getrandbits(128), "positive": lambda r: str(r.randint(1, 10 ** 6)),
}
KEYS = {
    "integer": lambda i: str(3 * i - 50), "bigint": lambda i: str(10 ** 12 - i), "smallint": lambda i: str(i - 100),
    "text": lambda i: "k%d" % i, 'text COLLATE "C"': lambda i: "K %x" % i, "char(6)": lambda i: "c%d" % i,
    "date": lambda i: "%d-%02d-%02d" % (1990 + i // 336, 1 + i // 28 % 12, 1 + i % 28),
    "uuid": lambda i: "%032x" % (i * 2654435761 % 2 ** 32), "numeric": lambda i: "%d.5" % (i - 7),
}
NAMES = ("x", "y", "z", "a b", "Q\"uote", "é", "select", "c'c", "d.d", "UPPER")


class Column:
    """A column: its quoted name is what SQL takes."""

    def __init__(self, name, kind, values=None):
        self.name = name
        self.sql = identifier(name)
        self.type = kind
        self.ability = TYPES[kind][0] if kind in TYPES else "order"
        self.values = values
        self.generated = None

    @property
    def text(self):
        """Whether its values are ordered by code points in keys, strata and sets."""
        return self.type.startswith(("text", "varchar", "char", "label")) and not self.type.endswith("]")


class Table:
    """A random relation: statements that make it, its columns and its key."""

    def __init__(self, draw):
        self.count = draw.choice((0, 1, 2, 3, 7, 20, 50, 50, 90, 150, 250))
        self.key = self.draw_key(draw)
        self.columns = self.draw_columns(draw)
        self.form = draw.choice(("table", "table", "table", "table", "partitions", "view", "materialized"))
        if not self.key:
            self.form = "table"
        self.declared = bool(self.key) and self.form in ("table", "partitions") and draw.random() < 0.7
        self.name = draw.choice(("fuzz.source", 'fuzz."So urce"'))
        self.order = list(range(self.count))
        draw.shuffle(self.order)

    def draw_key(self, draw):
        """No key, or one of up to three columns whose values together are unique."""
        number = draw.choice((0, 1, 1, 1, 1, 2, 3))
        kinds = [draw.choice(list(KEYS)) for _ in range(number)]
        return [Column("id%d" % place, kind, [KEYS[kind](i // 7 ** place if place else i % 7 if number > 1 else i) for i in range(self.count)]
                       if place < number - 1 or number == 1 else [KEYS[kind](i // 7) for i in range(self.count)])
                for place, kind in enumerate(kinds)]

    def draw_columns(self, draw):
        """Columns with values: constant, few, many, odd ones, with or without NULLs; one may be computed."""
        found = []
        for name in draw.sample(NAMES, draw.randint(2, 7)):
            kind = draw.choice(list(TYPES) if draw.random() < 0.6 else ["integer", "double precision", "numeric", "text", "date"])
            pool = draw.choice(("constant", "few", "few", "wide", "wide", "odd"))
            column = Column(name, kind)
            few, odd = TYPES[kind][1:]
            fixed = draw.choice(few)
            share = draw.choice((0, 0, 0, 0.1, 0.5, 1 if draw.random() < 0.3 else 0))
            column.values = [None if draw.random() < share else self.draw_value(draw, kind, pool, fixed, few, odd) for _ in range(self.count)]
            found.append(column)
        plain = [c for c in found if c.type in ("integer", "double precision", "text")]
        if plain and draw.random() < 0.3:
            column = Column("computed", plain[0].type)
            column.generated = plain[0]
            found.append(column)
        return found

    @staticmethod
    def draw_value(draw, kind, pool, fixed, few, odd):
        """One value, by the pool of its column."""
        if pool == "constant":
            return fixed
        if pool == "wide" and kind in WIDE:
            return WIDE[kind](draw)
        if pool == "odd":
            return draw.choice(few + odd)
        return draw.choice(few)

    def make(self, draw):
        """The statements that make the relation."""
        parts = [c.sql + " " + c.type + (" GENERATED ALWAYS AS (%s) STORED" % c.generated.sql if c.generated else "") for c in self.key + self.columns]
        gone = draw.randint(0, 2)
        for place in range(gone):
            parts.insert(draw.randint(0, len(parts)), "gone%d int" % place)
        base = self.name if self.form in ("table", "partitions") else "fuzz.base"
        split = self.key[0] if self.form == "partitions" else None
        lines = ["CREATE %sTABLE %s (%s)%s" % (draw.choice(("", "", "UNLOGGED ")) if not split else "", base, ", ".join(parts),
                                               " PARTITION BY HASH (%s)" % split.sql if split else "")]
        lines += ["CREATE TABLE fuzz.part%d PARTITION OF %s FOR VALUES WITH (MODULUS 3, REMAINDER %d)" % (i, base, i) for i in range(3 if split else 0)]
        lines += ["ALTER TABLE %s DROP COLUMN gone%d" % (base, place) for place in range(gone)]
        given = [c for c in self.key + self.columns if not c.generated]
        rows = ["(%s)" % ", ".join("NULL" if c.values[i] is None else quoted(c.values[i]) for c in given) for i in self.order]
        if rows:
            lines.append("INSERT INTO %s (%s) VALUES %s" % (base, ", ".join(c.sql for c in given), ", ".join(rows)))
        if self.declared:
            lines.append("ALTER TABLE %s ADD PRIMARY KEY (%s)" % (base, ", ".join(c.sql for c in self.key)))
        if base != self.name:
            lines.append("CREATE %sVIEW %s AS SELECT * FROM %s" % ("MATERIALIZED " if self.form == "materialized" else "", self.name, base))
        return lines + ["ANALYZE " + base]

    def shuffled(self):
        """Statements that make a copy of a table with key, in another physical order."""
        order = ", ".join("md5(%s::text)" % c.sql for c in self.key)
        lines = ["CREATE TABLE fuzz.shuffled AS SELECT * FROM %s ORDER BY %s" % (self.name, order)]
        if self.declared:
            lines.append("ALTER TABLE fuzz.shuffled ADD PRIMARY KEY (%s)" % ", ".join(c.sql for c in self.key))
        return lines
