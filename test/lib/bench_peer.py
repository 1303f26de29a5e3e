#!/usr/bin/env python3
"""Links a release to its source with scipy's cKDTree: the peer of sdc_link_distance.

Usage: bench_peer.py PSQL SOURCE RELEASE ATTRIBUTES VARIANT

Both tables come from the server in one COPY each, in the binary format, which numpy
takes as it is: the fastest reading that we found.  One process, one thread.  Prints
the milliseconds of reading, pairing, standardising, building and asking for the nearest
neighbour of every record, the number of correct links, and the sum of the
distances.  Connecting and the start of the interpreter are not counted.

VARIANT 0 splits at the middle of a node with 32 records in a leaf, which
builds fastest and was mostly the faster one; 1 is the default.
"""

import os

os.environ["OMP_NUM_THREADS"] = "1"

import subprocess
import sys
import time

import numpy
from scipy.spatial import cKDTree

HEADER = 19     # signature, flags, length of the extension
TRAILER = 2     # a number of fields of -1
VARIANTS = ({"balanced_tree": False, "leafsize": 32}, {})


def copy_statement(table, attributes):
    names = ", ".join("c%d" % j for j in range(1, attributes + 1))
    return "COPY %s (id, %s) TO STDOUT (FORMAT binary);\n" % (table, names)


def matrix(records, attributes):
    """The attributes of the records, in the order of the key."""
    result = numpy.empty((len(records), attributes))
    for j in range(attributes):
        result[:, j] = records["c%d" % j]
    key = records["id"].astype(numpy.int64)
    if numpy.any(key[1:] < key[:-1]):
        order = numpy.argsort(key)
        return key[order], result[order]
    return key, result


def read_tables(psql, source, release, attributes):
    """Asks for both tables over a connection that stands, and takes them apart."""
    psql.stdin.write((copy_statement(source, attributes) +
                      copy_statement(release, attributes)).encode())
    psql.stdin.close()
    data = psql.stdout.read()
    fields = [("n", ">i2"), ("l", ">i4"), ("id", ">i8")]
    for j in range(attributes):
        fields += [("l%d" % j, ">i4"), ("c%d" % j, ">f8")]
    record = numpy.dtype(fields)
    count, rest = divmod(len(data) // 2 - HEADER - TRAILER, record.itemsize)
    if rest or len(data) % 2:
        sys.exit("the tables do not have the same records, or have nulls")
    half = len(data) // 2
    return [matrix(numpy.frombuffer(data, record, count, start), attributes)
            for start in (HEADER, half + HEADER)]


def main():
    program, source, release, attributes, variant = sys.argv[1:6]
    attributes = int(attributes)
    psql = subprocess.Popen([program, "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1"],
                            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    psql.stdin.write(b"SELECT 'ready';\n")
    psql.stdin.flush()
    psql.stdout.readline()

    start = time.perf_counter()
    (key, original), (other, protected) = read_tables(psql, source, release, attributes)
    if not numpy.array_equal(key, other):
        sys.exit("the tables do not have the same keys")
    deviation = original.std(axis=0, ddof=1)
    original /= deviation
    protected /= deviation
    tree = cKDTree(protected, **VARIANTS[int(variant)])
    distance, index = tree.query(original, k=1, workers=1)
    correct = int((index == numpy.arange(len(index))).sum())
    total = float(distance.sum())
    print("%.3f %d %.17g" % (1000 * (time.perf_counter() - start), correct, total))


main()
