"""What the fuzzers found: tests in TAP, totals, and how to see a finding again."""

import sys
import time

from known import known

SHOWN = 20                      # findings that are printed for a test


class Report:
    """Collects the tests of a part.  A test with a finding has failed."""

    def __init__(self, part, options):
        self.part = part
        self.options = options
        self.findings = {}
        self.known = {}
        self.numbers = {}
        self.begin = time.monotonic()
        self.told = self.begin

    def test(self, name):
        """Announces a test: it is in the plan, and good unless something is found."""
        self.findings.setdefault(name, [])

    def count(self, what, number=1):
        """Adds to the totals."""
        self.numbers[what] = self.numbers.get(what, 0) + number

    def found(self, test, text, number, statement=None, state="", message=None):
        """A finding of a test, unless it is known; number is what --only takes."""
        reason = known(self.part, state, message if message is not None else text, statement or "")
        if reason:
            self.known[reason] = self.known.get(reason, 0) + 1
            return
        self.test(test)
        self.findings[test].append(text)
        lines = ["found: " + text, "again: test/fuzz %s --seed %s --only %s" % (self.part, self.options.seed, number)]
        if statement:
            lines.append("statement: " + statement)
        if len(self.findings[test]) <= SHOWN:
            print("\n".join("# " + line for text in lines for line in text.splitlines()), flush=True)

    def slow(self, number, statement):
        """A statement that took too long, and was ended: no failure, as machines differ."""
        self.count("too slow")
        if self.numbers["too slow"] <= 5:
            print("# too slow: %s call %d: %s" % (self.part, number, statement[:300]), flush=True)

    def progress(self, done, planned):
        """A line every few seconds, in a long run."""
        now = time.monotonic()
        if now - self.told >= self.options.every:
            self.told = now
            print("# %s: %d of %d, %d s, %d findings" % (
                self.part, done, planned, now - self.begin, sum(map(len, self.findings.values()))), flush=True)

    def over(self):
        """Whether the time of this part is over."""
        return self.options.minutes and time.monotonic() - self.begin > 60 * self.options.minutes

    def finish(self, first):
        """Prints the tests, numbered from first on, and the totals; returns how many and how many failed."""
        failed = 0
        for number, (name, findings) in enumerate(self.findings.items(), first):
            failed += findings != []
            print("%s %d - %s: %s" % ("not ok" if findings else "ok", number, self.part, name))
            for text in findings[:SHOWN]:
                print("#   " + text.replace("\n", "\n#   "))
        for reason, times in self.known.items():
            print("# %s: known, %d times: %s" % (self.part, times, reason))
        print("# %s: %s; %d s, seed %s" % (
            self.part, ", ".join("%d %s" % (n, what) for what, n in self.numbers.items()),
            time.monotonic() - self.begin, self.options.seed))
        sys.stdout.flush()
        return len(self.findings), failed
