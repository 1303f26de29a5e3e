#!/usr/bin/env python3
# signatures.py
#		Writes the signatures of the reference anew from the declarations beside it.
#
# "make reference" runs it: every signature in a block of doc/reference-*.md that belongs to a function of the same name
# and first argument becomes what src/sql/*.sql declares, and the labels behind "Determinism" those of its declaration.
# What is not declared by CREATE FUNCTION (aggregates, types) stays as it is.  The test "catalog" compares the result
# with the catalog of a server.
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


def words(text):
    return re.sub(r"\s+", " ", text).strip()


def declared():
    """the functions, by name: arguments, result and labels of each declaration"""
    functions = {}
    sql = "".join(open(name).read() for name in sorted(glob.glob(TOP + "/src/sql/*.sql")))
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


def signature(name, arguments, result):
    lines = wrap(name + "(", arguments, ")", " " * (len(name) + 1))
    table = re.match(r"TABLE \((.*)\)$", result)
    return "\n".join(lines + (wrap("    RETURNS TABLE (", split(table.group(1)), ")", " " * 19) if table else
                              ["    RETURNS " + result]))


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

    def block(match):
        parts = match.group(1).rstrip("\n").split("\n\n")
        for number, part in enumerate(parts):
            found = declaration(functions, part)
            if found is not None:
                new = signature(part[:part.index("(")], found[0], found[1])
                if words(new).replace(" ", "") != words(part).replace(" ", ""):
                    parts[number] = new
        return "```\n" + "\n\n".join(parts) + "\n```"

    def entry(match):
        first = re.search(r"```\n(.*?)```", match.group(0), re.S)
        found = declaration(functions, first.group(1)) if first else None
        return match.group(0) if found is None else re.sub(r"(\*\*Determinism\*\*: )" + LABELS, r"\g<1>" + found[2], match.group(0))

    for name in sorted(glob.glob(TOP + "/doc/reference-*.md")):
        old = open(name).read()
        new = re.sub(r"```\n(sdc_.*?)```", block, old, flags=re.S)
        new = re.sub(r"(?ms)^### .*?(?=^### |\Z)", entry, new)
        if new != old:
            open(name, "w").write(new)
            print(os.path.relpath(name, TOP))


main()
