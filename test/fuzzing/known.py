"""What passes although it looks like a defect: the one place for it.

KNOWN has the defects that are known and not mended yet; an empty list is the aim.
SERVER has what the server itself raises when relations, types or functions are dropped
by another session while it reads a statement, before it calls a function: every
extension has that, and only the storms race.

An entry is (part, SQLSTATE, pattern of the message, pattern of the statement, what it
is).  What matches is counted and shown in the totals, but is no failure.
"""

import re

KNOWN = [
]

# Where these are raised was seen in backtraces: parse analysis (the row type of an
# argument or result), and the look-up of the function that is about to be called.
SERVER = [
    ("storm", "XX000", r"^could not open relation with OID", r"NULL::t[0-9]|sdc_query_errors|sdc_scores|sdc_ru_map|sdc_association_recall|sdc_releases",
     "the server looks up a row type or view that was dropped since it read its name"),
    ("storm", "XX000", r"^cache lookup failed for (function|type) ", r"sdc_",
     "the server looks up a function or type that was dropped since it read its name"),
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
