"""lines.py SOURCES LIST LEAST DIRECTORY...: adds up what gcov finds in directories of objects (see test/lines)."""
import collections
import json
import os
import pathlib
import subprocess
import sys

sources, listed, least, directories = pathlib.Path(sys.argv[1]), sys.argv[2], float(sys.argv[3]), sys.argv[4:]
lines = collections.defaultdict(collections.Counter)        # of a file: how often each line has run
branches = collections.defaultdict(dict)                    # of a file: of each line, how often each branch was taken


def read(data):
    """read adds what gcov says of one object."""
    said = subprocess.run(["gcov", "--json-format", "--stdout", "--branch-probabilities", data.name], cwd=data.parent, check=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    for document in said.splitlines():
        for file in json.loads(document)["files"]:
            name = file["file"]
            at = name.rfind("src/")
            if at < 0 or not (sources / name[at:]).exists():
                continue
            # one function of a header is in many objects, and a line in several functions
            there = collections.defaultdict(list)
            for line in file["lines"]:
                lines[name[at:]][line["line_number"]] += line["count"]
                there[line["line_number"]] += [branch["count"] for branch in line["branches"]]
            known = branches[name[at:]]
            for number, counts in there.items():
                before = known.get(number, [])
                # compiled with other macros a line can have other branches: those of which more were taken count
                known[number] = ([a + b for a, b in zip(before, counts)] if len(before) == len(counts) else
                                 max(before, counts, key=lambda some: (sum(c > 0 for c in some), len(some))))


def share(part, whole):
    """share prints a percentage."""
    return f"{100 * part / whole:6.1f}" if whole else "     -"


def ranges(numbers):
    """ranges prints numbers of lines, those that follow one another as one."""
    said = []
    for number in numbers:
        if said and said[-1][1] == number - 1:
            said[-1][1] = number
        else:
            said.append([number, number])
    return " ".join(str(a) if a == b else f"{a}-{b}" for a, b in said)


# objects that nothing has run count as well
for directory in directories:
    for notes in sorted(pathlib.Path(directory).rglob("*.gcno")):
        read(notes)
folders = collections.defaultdict(lambda: [0, 0, 0, 0])
files = []
for name in sorted(lines):
    taken = [count > 0 for counts in branches[name].values() for count in counts]
    found = [sum(count > 0 for count in lines[name].values()), len(lines[name]), sum(taken), len(taken)]
    files.append((name, found, ranges(sorted(n for n, count in lines[name].items() if count == 0))))
    for folder in (os.path.dirname(name), "src"):
        folders[folder] = [a + b for a, b in zip(folders[folder], found)]
print(f"{'folder':28} {'lines':>8} {'run %':>6} {'branches':>8} {'taken %':>7}")
for folder, (run, count, taken, ways) in sorted(folders.items()):
    print(f"{folder:28} {count:8} {share(run, count)} {ways:8} {share(taken, ways):>7}")
reasons = (sources / "test/lib/analyze/lines").read_text().splitlines()
judged = {line for line in reasons if not line.startswith("#")}
below = [(name, found, missed) for name, found, missed in files if 100 * found[0] < least * found[1]]
print(f"# of these files less than {least:g} percent of the lines are run; test/lib/analyze/lines has reasons for those with *")
for name, (run, count, _, _), missed in below:
    print(f"{'*' if name in judged else ' '} {name}: {share(run, count).strip()}: {missed}")
if listed:
    pathlib.Path(listed).write_text("".join(f"{name} {' '.join(map(str, found))} {missed}\n" for name, found, missed in files))
run, count, taken, ways = folders["src"]
unjudged = [name for name, _, _ in below if name not in judged]
print(f"{share(run, count).strip()} percent of the lines, {share(taken, ways).strip()} of the branches; {len(below)} files below {least:g}, {len(unjudged)} without a reason")
sys.exit(bool(unjudged) or 100 * run < least * count)
