#!/usr/bin/env python3
"""Computes the golden values of the kernel tests without the kernels.

Prints golden.h.  Everything is written from stream.h, rankswap.h, checksum.h
and the published definitions: HMAC and SHA-256 are Python's, ChaCha20 is
written out below and checked against the test vectors of RFC 8439, the
normal quantile is that of Python's statistics module, the swaps are found by
listing candidates; suppresstwin.py suppresses.  Run "make golden" to compare.
"""

import hashlib
import hmac
import math
import statistics
import struct
import sys

sys.dont_write_bytecode = True
import suppresstwin

MASK32 = 0xFFFFFFFF
MASK64 = 0xFFFFFFFFFFFFFFFF


# ---- ChaCha20, RFC 8439 section 2.3

def quarter_round(s, a, b, c, d):
    for x, y, z, bits in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
        s[x] = (s[x] + s[y]) & MASK32
        s[z] ^= s[x]
        s[z] = (s[z] << bits | s[z] >> (32 - bits)) & MASK32


def chacha20_block(key, counter, nonce):
    start = (list(struct.unpack("<4I", b"expand 32-byte k")) +
             list(struct.unpack("<8I", key)) + [counter] +
             list(struct.unpack("<3I", nonce)))
    s = list(start)
    for _ in range(10):
        quarter_round(s, 0, 4, 8, 12)
        quarter_round(s, 1, 5, 9, 13)
        quarter_round(s, 2, 6, 10, 14)
        quarter_round(s, 3, 7, 11, 15)
        quarter_round(s, 0, 5, 10, 15)
        quarter_round(s, 1, 6, 11, 12)
        quarter_round(s, 2, 7, 8, 13)
        quarter_round(s, 3, 4, 9, 14)
    return struct.pack("<16I", *[(x + y) & MASK32 for x, y in zip(s, start)])


def check_rfc8439():
    # section 2.3.2
    block = chacha20_block(bytes(range(32)), 1,
                           bytes.fromhex("000000090000004a00000000"))
    assert block == bytes.fromhex(
        "10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c068030422aa9ac3d46c4e"
        "d2826446079faa0914c2d705d98b02a2b5129cd1de164eb9cbd083e8a2503c4e")
    # appendix A.1, test vectors 1 and 2
    block = chacha20_block(bytes(32), 0, bytes(12))
    assert block == bytes.fromhex(
        "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7"
        "da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586")
    block = chacha20_block(bytes(32), 1, bytes(12))
    assert block.hex().startswith("9f07e7be5551387a98ba977c732d080d")


# ---- the streams, stream.h

def master_from_seed(seed):
    return hashlib.sha256(b"sdc-seed-1\0" + seed).digest()


class Stream:
    def __init__(self, seed, method, attribute, purpose, stratum, publication=None):
        name = (b"sdc-stream-1\0" + method + b"\0" + attribute + b"\0" +
                purpose + b"\0" + struct.pack("<Q", stratum))
        if publication is not None:
            name += struct.pack("<Q", publication)
        self.key = hmac.new(master_from_seed(seed), name, hashlib.sha256).digest()
        self.position = 0
        self.block = -1

    def word(self, position):
        if position // 16 != self.block:
            self.block = position // 16
            self.words = struct.unpack(
                "<16I", chacha20_block(self.key, self.block, bytes(12)))
        return self.words[position % 16]

    def next32(self):
        self.position += 1
        return self.word(self.position - 1)

    def next64(self):
        low = self.next32()
        return self.next32() << 32 | low

    def below(self, bound):
        while True:
            product = self.next32() * bound
            if product % 2 ** 32 >= 2 ** 32 % bound:
                return product >> 32

    def uniform(self):
        while True:
            bits = self.next64() >> 11
            if bits:
                return bits / 2 ** 53


# ---- rank swapping, rankswap.h: the draws of each kernel as described there

def draw_between(stream, left, start, end):
    """Uniform among those left in [start, end): 32 trials if long, then by number."""
    if end - start > 64:
        for _ in range(32):
            j = start + stream.below(end - start)
            if j in left:
                return j
    candidates = sorted(j for j in left if start <= j < end)
    return candidates[stream.below(len(candidates))] if candidates else None


def swap_standard(stream, n, window):
    left = set(range(n))
    pairs = []
    for i in range(n):
        if i not in left:
            continue
        left.remove(i)
        j = draw_between(stream, left, i + 1, min(i + window + 1, n))
        if j is not None:
            left.remove(j)
            pairs.append((i, j))
    return pairs


def swap_distribution(stream, n, mu, sigma):
    normal = statistics.NormalDist()
    left = set(range(n))
    pairs = []
    for i in range(n):
        if i not in left:
            continue
        left.remove(i)
        above = [j for j in left if j > i]
        if not above:
            continue
        low = 0.5 * math.erfc(-(0.5 - mu) / sigma / math.sqrt(2))
        high = 0.5 * math.erfc(-(n - 1 - i + 0.5 - mu) / sigma / math.sqrt(2))
        u = low + (high - low) * stream.uniform()
        r = math.floor(mu + sigma * normal.inv_cdf(u) + 0.5)
        target = i + min(max(r, 1), n - 1 - i)
        j = min(above, key=lambda j: (abs(j - target), j))
        left.remove(j)
        pairs.append((i, j))
    return pairs


def swap_buckets(stream, n, buckets, draws=8):
    weight = [2.0 ** -(d + 1) for d in range(63)]
    left = set(range(n))
    pairs = []

    def draw(choices):
        x = stream.uniform() * sum(weight[d] for d in choices)
        for d in choices:
            x -= weight[d]
            if x < 0:
                return d
        return choices[-1]

    for i in range(n):
        if i not in left:
            continue
        left.remove(i)
        own = i * buckets // n
        present = {}
        for j in sorted(left):
            if j > i:
                present.setdefault(j * buckets // n - own, []).append(j)
        if not present:
            continue
        reach = min(buckets - own, len(weight))
        for _ in range(draws):
            d = draw(range(reach))
            if d in present:
                break
        else:
            near = sorted(d for d in present if d < reach)
            d = draw(near) if near else min(present)
        start = -(-(own + d) * n // buckets)
        end = -(-(own + d + 1) * n // buckets)
        j = draw_between(stream, left, max(start, i + 1), end)
        left.remove(j)
        pairs.append((i, j))
    return pairs


# ---- the checksum, checksum.h; that of a table as in types.c and reader.c

CHECKSUM_INIT = 0x9E3779B97F4A7C15


def checksum_word(state, word):
    mixed = ((state ^ word) * 0xD6E8FEB86659FD93) & MASK64
    return ((mixed ^ mixed >> 32) + 0x632BE59BD9B4E019) & MASK64


def checksum_bytes(state, data):
    state = checksum_word(state, len(data))
    for i in range(0, len(data), 8):
        state = checksum_word(state, int.from_bytes(data[i:i + 8], "little"))
    return state


def checksum_column(values):
    state = CHECKSUM_INIT
    for value in values:
        if value is None:
            state = checksum_word(state, 0x4E554C4C4E554C4C)
            state = checksum_word(state, 0x6E756C6C6E756C6C)
        elif isinstance(value, int):
            state = checksum_word(state, value & MASK64)
        else:
            state = checksum_bytes(state, value)
    return state


def checksum_table(records, columns):
    state = checksum_word(CHECKSUM_INIT, records)
    for name, values in columns:
        state = checksum_bytes(state, name)
        state = checksum_word(state, checksum_column(values))
    return state


# ---- printing

def print_array(ctype, name, items, per_line):
    print("static const %s %s[] = {" % (ctype, name))
    for i in range(0, len(items), per_line):
        print("\t" + ", ".join(items[i:i + per_line]) +
              ("," if i + per_line < len(items) else ""))
    print("};\n")


def hex32(words):
    return ["0x%08X" % word for word in words]


def print_pairs(name, pairs):
    print_array("uint32", name, ["%d, %d" % pair for pair in pairs], 8)


SEED = b"golden"
NAME = (b"rank-swap", b"income", b"draw", 7)


def main():
    check_rfc8439()
    print("/* golden.h: made by golden.py, do not edit. */\n")
    print_array("uint8", "golden_master",
                ["0x%02X" % byte for byte in master_from_seed(SEED)], 8)

    s = Stream(SEED, *NAME)
    print_array("uint32", "golden_first", hex32(s.word(i) for i in range(40)), 6)
    # around the ends of refills of 128, 256, ... 4096 bytes, and far out
    places = [31, 32, 95, 96, 223, 224, 2015, 2016, 3039, 3040, 99999, 300000]
    print_array("uint32", "golden_place", [str(i) for i in places], 10)
    print_array("uint32", "golden_at_place", hex32(s.word(i) for i in places), 6)

    s = Stream(SEED, *NAME)
    s.next32()
    print_array("uint64", "golden_odd64",
                ["UINT64_C(0x%016X)" % s.next64() for _ in range(20)], 2)

    s = Stream(b"", b"", "gr\u00f6\u00dfe".encode(), b"x", MASK64)
    print_array("uint32", "golden_other", hex32(s.word(i) for i in range(6)), 6)

    s = Stream(SEED, *NAME, publication=2 ** 40 + 3)
    print_array("uint32", "golden_again", hex32(s.word(i) for i in range(6)), 6)

    # bounds that are rejected half of the time, a quarter of the time, never
    bounds = [2 ** 31 + 1, 3 * 2 ** 30, 1, 2, 3, 1000, 2 ** 31, MASK32] * 4
    s = Stream(SEED, *NAME)
    print_array("uint32", "golden_bound", ["%dU" % b for b in bounds], 6)
    print_array("uint32", "golden_below", ["%dU" % s.below(b) for b in bounds], 6)
    s = Stream(SEED, *NAME)
    print_array("double", "golden_uniform",
                [s.uniform().hex() for _ in range(8)], 3)

    print_pairs("golden_standard",
                swap_standard(Stream(SEED, *NAME), 60, 7))
    print_pairs("golden_long_standard",
                swap_standard(Stream(SEED, *NAME), 400, 150))
    print_pairs("golden_distribution",
                swap_distribution(Stream(SEED, *NAME), 61, 6.0, 6.0))
    print_pairs("golden_buckets", swap_buckets(Stream(SEED, *NAME), 61, 9))
    print_pairs("golden_long_buckets", swap_buckets(Stream(SEED, *NAME), 400, 3))
    print_pairs("golden_single_buckets",
                swap_buckets(Stream(SEED, *NAME), 40, 40))

    state = CHECKSUM_INIT
    sums = [state]
    for data in (b"", b"a", b"abcdefgh", b"abcdefghijklmno", bytes(range(256))):
        state = checksum_bytes(state, data)
        sums.append(state)
    print_array("uint64", "golden_checksum",
                ["UINT64_C(0x%016X)" % s for s in sums], 2)

    table = [(b"id", [1, 2, 3, 4, 5]), (b"a", [10, -20, None, 40, 0]),
             ("gr\u00f6\u00dfe".encode(), [b"ant", b"", None, b"a longer text",
                                          b"abcdefgh"])]
    sums = [checksum_table(5, table), checksum_table(5, table[:2]),
            checksum_table(5, [table[0], (b"b", table[1][1])]),
            checksum_table(0, [(name, []) for name, _ in table])]
    print_array("uint64", "golden_checksum_table",
                ["UINT64_C(0x%016X)" % s for s in sums], 2)

    for number, bits in enumerate(suppresstwin.results()):
        print_array("uint8", "golden_suppress%d" % number, [str(b) for b in bits], 24)


main()
