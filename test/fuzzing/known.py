"""What passes although it looks like a defect: the one place for it.

KNOWN has the defects that are known and not mended yet; an empty list is the aim.
SERVER has what the server itself raises, outside of the extension's code, when relations
or functions are dropped by another session while it reads a statement; only the storms
race.

An entry is (part, SQLSTATE, pattern of the message, pattern of the statement, what it
is).  In a storm the message ends with the file and line that raised it.  What matches is
counted and shown in the totals, but is no failure.
"""

import re

KNOWN = []

# Seen in backtraces: parse analysis and planning, before any code of the extension.
SERVER = [
    ("storm", "XX000", r"^could not open relation with OID .*relation\.c", r"NULL::[tv][0-9]|sdc_query_errors\('",
     "the server looks up a row type that was dropped since it read its name"),
    ("storm", "XX000", r"^cache lookup failed for function .*lsyscache\.c", r"NULL::[tv][0-9]|sdc_entropy\(",
     "the planner asks whether a function is parallel safe that was dropped since it was found"),
    ("storm", "XX000", r"^cache lookup failed for function .*parse_func\.c", r"sdc_",
     "the server looks up a function that was dropped since it read its name"),
    ("storm", "XX000", r"tuple (concurrently (updated|deleted)|already updated)|^cache lookup failed|^could not open relation with OID|^could not find tuple",
     r"^((?!sdc_).)*$", "two sessions change one object of the catalog, in statements that call nothing of the extension"),
]


def known(part, state, message, statement):
    """What is known of a finding, or None."""
    for entry in KNOWN + SERVER:
        if (entry[0] == part and entry[1] == state and re.search(entry[2], message)
                and re.search(entry[3], statement, re.DOTALL)):
            return entry[4]
    return None
