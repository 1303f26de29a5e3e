"""Defects that are known and not mended yet: the one place that lets them pass.

Each entry is (part, SQLSTATE, pattern of the message, pattern of the statement, what it
is).  An entry that matches is counted and shown in the totals, but is no failure.  Mend
the defect, take the entry out; an empty list is the aim.
"""

import re

KNOWN = [
]


def known(part, state, message, statement):
    """What is known of a finding, or None."""
    for entry in KNOWN:
        if (entry[0] == part and entry[1] == state and re.search(entry[2], message)
                and re.search(entry[3], statement)):
            return entry[4]
    return None
