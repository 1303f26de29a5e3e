"""
Local suppression as it is defined, for golden.py: slow, with whole tuples of values, and without anything of the kernel's.
"""

import itertools
from collections import Counter, defaultdict

MASK64 = 2 ** 64 - 1


class Random:
    """The generator of random.h."""

    def __init__(self, state):
        self.state = state

    def pick(self, bound):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK64
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK64
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK64
        return (((z ^ (z >> 31)) >> 32) * bound) >> 32


def table(seed, records, values, missing):
    """A table: the lesser of two draws, so that low values are frequent; one value of so many is missing."""
    random = Random(seed)
    rows = [[None] * len(values) for _ in range(records)]
    for j, bound in enumerate(values):
        for row in rows:
            value = min(random.pick(bound), random.pick(bound))
            row[j] = None if missing and random.pick(missing) == 0 else value
    return rows


class Suppression:
    def __init__(self, rows, cost, demands):
        self.x, self.y = rows, [list(row) for row in rows]
        self.cost, self.demands = cost, demands

    def key(self, i, columns, without=()):
        return tuple(None if j in without else self.y[i][j] for j in columns)

    def counts(self, columns):
        return Counter(self.key(i, columns) for i in range(len(self.y)))

    def violating(self, columns, k):
        counts = self.counts(columns)
        return [i for i in range(len(self.y)) if counts[self.key(i, columns)] < k]

    def price(self, i, columns):
        return sum(self.cost[j] for j in columns if self.y[i][j] is not None)

    def take(self, i, columns):
        for j in columns:
            self.y[i][j] = None

    def patterns(self, columns):
        found = [p for size in range(len(columns) + 1) for p in itertools.combinations(columns, size)]
        return sorted(found, key=lambda p: (sum(self.cost[j] for j in p), sum(2 ** j for j in p)))

    def choices(self, left, columns, k):
        """What can be done for the first record that is left: cost, and which records lose what."""
        first, groups = left[0], defaultdict(list)
        for i in range(len(self.y)):
            groups[self.key(i, columns)].append(i)
        # in the order in which they have been there first, which the kernel's counts have
        satisfied = [(key, groups[key]) for key in self.order[columns] if len(groups.get(key, ())) >= k]
        for pattern in self.patterns(columns):
            target = self.key(first, columns, pattern)
            lacking = [j for j, value in zip(columns, target) if value is None]
            like = [i for i in left if self.key(i, columns, pattern) == target]
            losses = [(i, pattern) for i in like]
            missing = 0 if len(groups.get(target, ())) >= k else max(k - len(like), 0)
            fitting = [(key, members) for key, members in satisfied
                       if all(t is None or t == value for t, value in zip(target, key))]
            if missing > 0:
                spare = sum(len(members) - k for _, members in fitting)
                if spare >= missing:
                    for _, members in sorted(fitting, key=lambda group: -len(group[1])):
                        some = members[:min(len(members) - k, missing)]
                        missing -= len(some)
                        losses += [(i, lacking) for i in some]
                elif fitting:
                    losses += [(i, lacking) for i in min(fitting, key=lambda group: len(group[1]))[1]]
                else:
                    continue
            yield sum(self.price(i, columns) for i, columns in losses), losses

    def note(self):
        """The order in which combinations have been there first, by demand."""
        for columns, _ in self.demands:
            seen = self.order[columns]
            for i in range(len(self.y)):
                seen.setdefault(self.key(i, columns), None)

    def satisfy(self, columns, k):
        left = self.violating(columns, k)
        for pattern in self.patterns(columns)[1:]:
            satisfied = {key for key, count in self.counts(columns).items() if count >= k}
            like = Counter(self.key(i, columns, pattern) for i in left)
            for i in left:
                key = self.key(i, columns, pattern)
                if like[key] >= k or key in satisfied:
                    self.take(i, pattern)
                    self.note_one(i)
            left = self.violating(columns, k)
        while left:
            for i, lost in min(self.choices(left, columns, k), key=lambda choice: choice[0])[1]:
                self.take(i, lost)
                self.note_one(i)
            left = self.violating(columns, k)

    def note_one(self, i):
        for columns, _ in self.demands:
            self.order[columns].setdefault(self.key(i, columns), None)

    def holds(self):
        return all(not self.violating(columns, k) for columns, k in self.demands)

    def give_back(self, j):
        """As many as all demands allow, tried one number after the other."""
        changed, groups = False, defaultdict(list)
        for i, (x, y) in enumerate(zip(self.x, self.y)):
            if y[j] is None and x[j] is not None:
                groups[tuple(y), x[j]].append(i)
        for members in groups.values():
            for count in range(len(members), 0, -1):
                for i in members[:count]:
                    self.y[i][j] = self.x[i][j]
                if self.holds():
                    changed = True
                    break
                for i in members[:count]:
                    self.y[i][j] = None
        return changed

    def run(self):
        self.order = {columns: {} for columns, _ in self.demands}
        self.note()
        while not self.holds():
            for columns, k in self.demands:
                self.satisfy(columns, k)
        most_important = sorted(range(len(self.cost)), key=lambda j: -self.cost[j])
        while any([self.give_back(j) for j in most_important]):
            pass
        return [sum(2 ** j for j in range(len(x)) if x[j] is not None and y[j] is None)
                for x, y in zip(self.x, self.y)]


# What test_suppress.c makes as well: seed, records, values of the columns, one of so many missing, costs, demands.
CASES = (
    (11, 200, (2, 12, 8), 0, (1, 1, 1), [((0, 1, 2), 5)]),
    (12, 160, (2, 12, 18, 8), 12, (1, 3, 2, 1.5), [((0, 1, 2, 3), 3)]),
    (13, 160, (2, 12, 18, 8), 0, (1, 1, 1, 1), [(pair, 5) for pair in itertools.combinations(range(4), 2)]),
    (14, 90, (3, 5, 4), 6, (2, 1, 1), [((0, 1), 4), ((1, 2), 3), ((0, 1, 2), 2)]),
)


def results():
    """By case, the bits of the columns that every record loses."""
    return [Suppression(table(seed, records, values, missing), cost, demands).run()
            for seed, records, values, missing, cost, demands in CASES]
