"""Runs the fuzzers: fuzz.py [args|tables|storm ...] [OPTION...].  See test/fuzz.

The server is that of PGHOST.  Prints TAP; the exit status is 1 if something was found.
"""

import argparse
import sys

from report import Report

# Calls of each part in the short run: with these every part meets all its functions.
SHORT = {"args": 840, "tables": 4, "storm": 2}
LONG = {"args": 100000, "tables": 1000, "storm": 300}


def fuzzer(part, report, options):
    """The fuzzer of a part."""
    if part == "args":
        from args import Args
        return Args(report, options)
    if part == "tables":
        from tables import Tables
        return Tables(report, options)
    from storm import Storm
    return Storm(report, options)


def main():
    """Reads the options and runs the parts."""
    parser = argparse.ArgumentParser(prog="test/fuzz")
    parser.add_argument("parts", nargs="*", choices=["args", "tables", "storm", []], metavar="PART")
    parser.add_argument("--calls", type=int)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--minutes", type=float)
    parser.add_argument("--only", type=int)
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--every", type=float, default=30)
    options = parser.parse_args()
    parts = options.parts or ["args", "tables", "storm"]
    asked, minutes = options.calls, options.minutes
    total = failed = 0
    for part in parts:
        options.calls = asked or (SHORT if options.short else LONG)[part]
        options.minutes = minutes / len(parts) if minutes else None
        report = Report(part, options)
        fuzzer(part, report, options).run()
        tests, bad = report.finish(total + 1)
        total += tests
        failed += bad
    print("1..%d" % total)
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
