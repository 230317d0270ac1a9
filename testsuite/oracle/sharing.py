#!/usr/bin/env python3
"""sharing.py PROGRAM BIAS DUMP TABLE - check that TABLE is what the accesses in DUMP give.

TABLE is from `cabprof report sharing --by=variable --format=tsv', DUMP from `cabprof trace dump
--format=tsv'. Variables lie where nm says, plus BIAS (hex). All threads count as having met.

It works byte by byte: for each line, thread and variable there are the sets of bytes that were read
and written, in memory that the thread had allocated itself, and in other memory. Two threads share
truly the bytes that both accessed and one wrote. They share the rest of the line falsely if both
accessed some of it and one wrote some; or if accesses to the rest meet the other thread's more
often than those to truly shared bytes meet each other, and with one in a hundred of their accesses.
SPDX-License-Identifier: GPL-3.0-or-later
"""
import bisect
import collections
import csv
import os
import subprocess
import sys

LINE = 64


def symbols(program, bias):
    """Return variables by address: (start, bytes, name); of several at one address the first global
    one.
    """
    found = {}
    for text in subprocess.run(["nm", "-SC", program], capture_output=True, text=True,
                               check=True).stdout.splitlines():
        fields = text.split(None, 3)
        if len(fields) != 4 or len(fields[2]) != 1 or fields[2] not in "bBdDrRuVvGgSs":
            continue
        start, size, kind, name = int(fields[0], 16) + bias, int(fields[1],
                                                                 16), fields[2], fields[3]
        if start not in found or (kind.isupper() and not found[start][3]):
            found[start] = (start, size, name, kind.isupper())
    return sorted(found.values())


class Owned:
    """Blocks that one thread allocated and has not released; a new one ends those in its way."""

    def __init__(self):
        self.blocks = {}

    def allocate(self, start, size):
        end = start + max(size, 1)
        for other, other_end in list(self.blocks.items()):
            if start <= other < end or (other < start < other_end < end):
                del self.blocks[other]
        self.blocks[start] = end

    def release(self, start):
        end = self.blocks.pop(start, None)
        if end is not None:
            for other in [o for o in self.blocks if start <= o < end]:
                del self.blocks[other]

    def has(self, address):
        return any(start <= address < end for start, end in self.blocks.items())


class Part:
    """What one thread did to one variable in one line."""

    def __init__(self):
        self.read = (set(), set())      # [own]
        self.written = (set(), set())
        self.reads = self.writes = 0
        self.places = set()
        # bytes, accesses and writes, by whether it is own, place, and address if it is not own
        self.accesses = collections.defaultdict(lambda: [set(), 0, 0])


def collect(dump, table):
    """Return lines[line][(variable, thread)]; variable: (start, name), start 0: by its name."""
    lines = collections.defaultdict(lambda: collections.defaultdict(Part))
    owned = collections.defaultdict(Owned)
    starts = [s[0] for s in table]
    for row in csv.DictReader(dump, delimiter="\t", quoting=csv.QUOTE_NONE):
        thread, kind = int(row["thread"]), row["kind"]
        address, size = int(row["address"] or "0", 16), int(row["bytes"] or 0)
        mine = owned[thread]
        if kind == "released":
            mine.release(address)
        elif kind == "moved" and int(row["other"], 0) and (address or not size):
            mine.release(int(row["other"], 0))
        if kind in ("allocated", "moved") and address:
            mine.allocate(address, size)
        if kind not in ("read", "write", "modify") or not size:
            continue
        own, last = mine.has(address), address + size - 1
        for line in range(address // LINE, last // LINE + 1):
            first = max(address, line * LINE)
            at = bisect.bisect_right(starts, first) - 1
            is_symbol = not own and at >= 0 and first < table[at][0] + table[at][1]
            part = lines[line][(table[at][0], table[at][2]) if is_symbol else (0, row["name"]),
                               thread]
            span = range(first, min(last, line * LINE + LINE - 1) + 1)
            if kind != "write":
                part.read[own].update(span)
            if kind != "read":
                part.written[own].update(span)
            part.places.add(os.path.basename(row["file"])
                            + (":" + row["line"] if row["line"] != "0" else ""))
            access = part.accesses[own, row["function"], row["file"], row["line"], row["column"],
                                   row["name"], kind, None if own else first]
            access[0].update(span)
            access[1] += line == last // LINE
            access[2] += line == last // LINE and kind != "read"
            if line == last // LINE:
                part.reads += kind == "read"
                part.writes += kind != "read"
    return lines


def together(a, b):
    """Return the own and other memory that two parts share; own bytes of both were released in
    between.
    """
    for x in (0, 1):
        for y in (0, 1):
            all_a, all_b = a.read[x] | a.written[x], b.read[y] | b.written[y]
            if all_a and all_b and a.written[x] | b.written[y] and not (x and y and all_a & all_b):
                yield x, y, all_a, all_b


def split(part, own, truly):
    """Return (accesses, writes) to truly shared bytes, and to others; in own memory each byte of an
    access in the code has the same number.
    """
    common, apart = [0, 0], [0, 0]
    for key, (span, *counts) in part.accesses.items():
        if key[0] != own:
            continue
        rest = len(span - truly)
        if not own and rest < len(span):
            rest = 0
        for k in (0, 1):
            there = counts[k] * rest // len(span)
            apart[k] += there
            common[k] += counts[k] - there
    return common, apart


def meetings(a, b):
    """Count one meeting per write with an access of the other thread."""
    return max(min(a[1], b[0]), min(b[1], a[0]))


def share(a, b):
    """Return how two parts share a line: the kinds, and whether they share it at all if both are of
    one variable.
    """
    truly = set()
    for x, y, all_a, all_b in together(a, b):
        truly |= a.written[x] & all_b | b.written[y] & all_a
    kinds = {"true"} if truly else set()
    meet_truly = meet_apart = 0
    for x, y, all_a, all_b in together(a, b):
        if all_a - truly and all_b - truly and (a.written[x] | b.written[y]) - truly:
            kinds.add("false")
        (common_a, apart_a), (common_b, apart_b) = split(a, x, truly), split(b, y, truly)
        meet_truly = max(meet_truly, meetings(common_a, common_b))
        meet_apart = max(meet_apart, meetings(apart_a, [p + q for p, q in zip(apart_b, common_b)]),
                         meetings(apart_b, [p + q for p, q in zip(apart_a, common_a)]))
    if meet_apart > meet_truly and 100 * meet_apart >= a.reads + a.writes + b.reads + b.writes:
        kinds.add("false")
    return kinds, bool(a.read[0] or a.written[0] or b.read[0] or b.written[0])


def variables(lines):
    kinds, partners = collections.defaultdict(set), collections.defaultdict(set)
    sides = collections.defaultdict(lambda: collections.defaultdict(lambda: [0, 0, set()]))
    for parts in lines.values():
        shared = set()
        for v, s in parts:
            for w, t in parts:
                if s >= t:
                    continue
                kind, beside = share(parts[v, s], parts[w, t])
                if not kind and (v != w or not beside):
                    continue
                shared |= {v, w}
                kinds[v] |= kind
                kinds[w] |= kind
                if v != w:
                    partners[v].add(w[1])
                    partners[w].add(v[1])
        for (v, thread), part in parts.items():
            if v in shared:
                side = sides[v][thread]
                side[0] += part.reads
                side[1] += part.writes
                side[2] |= part.places
    return kinds, partners, sides


def expected(lines, table):
    sizes = {(s[0], s[2]): "%#x %d" % s[:2] for s in table}
    kinds, partners, sides = variables(lines)
    rows = []
    for v, threads in sides.items():
        counts = sorted((reads + writes for reads, writes, _ in threads.values()), reverse=True)
        uniform = len(counts) > 1 and counts[0] < 2 * counts[1]
        kind = "both" if len(kinds[v]) == 2 else min(kinds[v], default="read")
        for thread, (reads, writes, places) in threads.items():
            rows.append((v[1], kind, "yes" if uniform else "no", str(thread), str(reads),
                         str(writes), sizes.get(v, ""), " ".join(sorted(partners[v])),
                         " ".join(sorted(places))))
    return sorted(rows)


def told(report):
    rows = []
    for row in csv.DictReader((text for text in report if not text.startswith("#")), delimiter="\t",
                              quoting=csv.QUOTE_NONE):
        size = row["address"] + " " + row["size"] if row["address"] else ""
        rows.append((row["variable"], row["kind"], row["evenly_shared"], row["thread"],
                     row["reads"], row["writes"], size,
                     " ".join(sorted(row["conflicts_with"].split())),
                     " ".join(sorted(row["places"].split()))))
    return sorted(rows)


def main():
    program, bias, dump, report = sys.argv[1:]
    table = symbols(program, int(bias, 16))
    with open(dump, newline="") as file:
        want = expected(collect(file, table), table)
    with open(report, newline="") as file:
        got = told(file)
    for sign, rows in (("missing", set(want) - set(got)), ("wrong", set(got) - set(want))):
        for row in sorted(rows):
            print(sign + ":", "\t".join(row))
    print(len(want), "rows,", len({row[0] for row in want}), "variables,",
          " ".join(sorted({row[1] for row in want})))
    return want != got or not want


sys.exit(main())
