#!/usr/bin/env python3
# signatures.py
#		Writes the signatures of the reference anew from the declarations beside it.
#
# "make reference" runs it: every signature in a block of doc/reference-*.md that belongs to a function of the same name
# and first argument becomes what src/sql/*.sql declares, and the labels behind "Determinism" those of its declaration.
# What is not declared by CREATE FUNCTION (aggregates, types) stays as it is.  A signature of names alone stays one: the
# lists of its entry have the types, arguments and columns that doc/reference.md lists as <name> get that name, and it
# begins with "relation | row_type" if there is a form by row type that differs as that page says.  The test "catalog"
# compares the result with the catalog of a server.
import glob
import os
import re

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
WIDTH = 152
LABELS = r"(?:VOLATILE|STABLE|IMMUTABLE), PARALLEL (?:UNSAFE|RESTRICTED|SAFE)"


def closing(text, start):
    """the place of the parenthesis that closes the one before start"""
    depth, quoted = 1, False
    for place in range(start, len(text)):
        if text[place] == "'":
            quoted = not quoted
        elif not quoted and text[place] in "()":
            depth += 1 if text[place] == "(" else -1
            if depth == 0:
                return place
    raise ValueError("a parenthesis is not closed")


def split(arguments):
    """a list at its commas, outside of quotes and brackets"""
    found, depth, quoted, current = [], 0, False, ""
    for letter in arguments:
        quoted ^= letter == "'"
        depth += 0 if quoted else (letter in "([") - (letter in ")]")
        if letter == "," and depth == 0 and not quoted:
            found.append(current.strip())
            current = ""
        else:
            current += letter
    return found + ([current.strip()] if current.strip() else [])


def lists():
    """the lists of all pages, longest first: (part, name, items as a signature has them); and what no form by row type has"""
    text = "\n".join(open(path).read() for path in sorted(glob.glob(TOP + "/doc/reference*.md")))
    found = []
    for start in re.finditer(r"^- \*\*(Arguments|Returns)\*\* `(<[a-z]+>)`.*\n((?: .*\n)+)", text, re.M):
        items = []
        for names, kind, given in re.findall(r"^  - ((?:`\w+`(?:, )?)+) \(([^,;)]+)(?:, ([^;)]+))?", start.group(3), re.M):
            default = " = " + (given or "NULL").replace("default ", "") if start.group(1) == "Arguments" else ""
            items += [name + " " + kind + default for name in re.findall(r"\w+", names)]
        found.append((start.group(1), start.group(2), items))
    writing = re.search(r"^- \*\*Not by row type\*\*(.*\n(?: .*\n)*)", text, re.M)
    return sorted(found, key=lambda one: -len(one[2])), re.findall(r"`(\w+)`", writing.group(1)) if writing else []


def folded(items, part, known):
    """the items, those of a list by its name"""
    result = []
    while items:
        name, length = next(((name, len(these)) for of, name, these in known if of == part and items[:len(these)] == these),
                            (items[0], 1))
        result.append(name)
        items = items[length:]
    return result


def words(text):
    return re.sub(r"\s+", " ", text).strip()


def declared():
    """the functions, by name: arguments, result and labels of each declaration"""
    functions = {}
    sql = "".join(open(name).read() for name in sorted(glob.glob(TOP + "/src/sql/*.sql")))
    for name, text in re.findall(r"^-- @let (\w+) (.*)", sql, re.M):
        sql = re.sub(r"@" + name + r"\b", lambda _: text, sql)
    for start in re.finditer(r"CREATE FUNCTION (sdc_\w+)\(", sql):
        end = closing(sql, start.end())
        rest = re.match(r"\s*RETURNS (.*?)\n((?:AS|LANGUAGE)\b.*?);\n", sql[end + 1:], re.S)
        body = re.sub(r"\$\$.*", "", rest.group(2), flags=re.S)
        volatility = re.search(r"\b(STABLE|IMMUTABLE)\b", body)
        parallel = re.search(r"PARALLEL (\w+)", body)
        labels = "%s, PARALLEL %s" % (volatility.group(1) if volatility else "VOLATILE", parallel.group(1) if parallel else "UNSAFE")
        # names that are words of SQL are quoted there
        arguments = [re.sub(r'^"(\w+)"', r"\1", re.sub(r" DEFAULT ", " = ", words(one))).replace("@item", "text | regclass")
                     for one in split(sql[start.end():end])]
        functions.setdefault(start.group(1), []).append((arguments, words(rest.group(1)), labels))
    return functions


def wrap(head, items, tail, indent):
    lines, current = [], head
    for number, item in enumerate(items):
        piece = item + (", " if number < len(items) - 1 else tail)
        if len((current + piece).rstrip()) > WIDTH:
            lines.append(current.rstrip())
            current = indent
        current += piece
    return lines + [(current if items else current + tail).rstrip()]


def named(part):
    """whether a signature of the reference has names alone"""
    given = split(part[part.index("(") + 1:closing(part, part.index("(") + 1)])
    return not any(" " in one for one in given if one != "relation | row_type")


def has_row_form(functions, name, arguments, writing):
    """whether a function has a form by row type with the arguments of this one"""
    return any(one[0] == ["row_type anyelement"] + [this for this in arguments[1:] if this.split()[0] not in writing]
               for one in functions[name])


def signature(name, arguments, result, known, short, by_row):
    """a signature; short: names alone; by_row: with a form by row type"""
    def shown(items, part):
        return [one.split()[0] for one in folded(items, part, known)] if short else items

    args = shown(arguments, "Arguments")
    lines = wrap(name + "(", ["relation | row_type"] + args[1:] if by_row else args, ")", " " * (len(name) + 1))
    table = re.match(r"TABLE \((.*)\)$", result)
    if table:
        lines += wrap("    RETURNS TABLE (", shown(split(table.group(1)), "Returns"), ")", " " * 19)
    elif len(lines) == 1 and len(lines[0]) + len(" RETURNS " + result) <= WIDTH:
        lines = [lines[0] + " RETURNS " + result]
    else:
        lines.append("    RETURNS " + result)
    return "\n".join(lines)


def declaration(functions, text):
    """the one that a signature of the reference belongs to, or None"""
    head = re.match(r"(sdc_\w+)\(\s*(\S*)", text)
    if head is None or " -- " in text:
        return None
    first = re.sub(r"[,)].*", "", head.group(2))
    same = [one for one in functions.get(head.group(1), []) if (one[0][0].split()[0] if one[0] else "") == first]
    return same[0] if len(same) == 1 else None


def main():
    functions = declared()
    known, writing = lists()

    def block(match):
        parts = match.group(1).rstrip("\n").split("\n\n")
        for number, part in enumerate(parts):
            found = declaration(functions, part)
            if found is not None:
                name = part[:part.index("(")]
                by_row = named(part) and has_row_form(functions, name, found[0], writing)
                new = signature(name, found[0], found[1], known, named(part), by_row)
                if words(new).replace(" ", "") != words(part).replace(" ", ""):
                    parts[number] = new
        return "```\n" + "\n\n".join(parts) + "\n```"

    def labelled(text, entry):
        """a text with the labels of an entry as its determinism"""
        first = re.search(r"```\n(.*?)```", entry, re.S)
        found = declaration(functions, first.group(1)) if first else None
        return text if found is None else re.sub(r"(\*\*Determinism\*\*: )" + LABELS, r"\g<1>" + found[2], text)

    def section(match):
        """a section: its head has the labels of the first entry that has none"""
        head, *entries = re.split(r"(?m)^(?=### )", match.group(0))
        without = [one for one in entries if "**Determinism**" not in one]
        return "".join([labelled(head, without[0]) if without else head] + [labelled(one, one) for one in entries])

    for name in sorted(glob.glob(TOP + "/doc/reference-*.md")):
        old = open(name).read()
        new = re.sub(r"```\n(sdc_.*?)```", block, old, flags=re.S)
        new = re.sub(r"(?ms)^## .*?(?=^## |\Z)", section, new)
        if new != old:
            open(name, "w").write(new)
            print(os.path.relpath(name, TOP))


main()
