# gcdacheck.py - compare the counters of .gcda files, as gcov-dump prints them.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# gcdacheck.py TOOL THEIRS OURS [sum|calls|values|addresses]: each file of THEIRS has its like in
# OURS, with the same summary, functions, arc counters and numbers in the order of first calls.
# With "calls" counters of indirect calls are compared, too.  With "values" these and all others
# are, but of addresses only whether there are any, as they differ from run to run; with "addresses"
# also their lowest bit, which is what GCC looks at.  With "sum" the counters of a function that
# several files have are compared as sums, since GCC counts a COMDAT function in the unit whose copy
# was linked.

import glob
import os
import re
import subprocess
import sys


TABLES = ["indirect_call", "topn"]
MOST = 32
KINDS = TABLES + ["interval", "pow2", "average", "ior"]


class File:
    def __init__(self, tool, path):
        self.name = os.path.basename(path)
        self.summary, self.functions, self.first = None, {}, {}
        self.values = {kind: {} for kind in KINDS}
        counters = None
        for line in subprocess.run([tool, "-l", path], stdout=subprocess.PIPE, text=True,
                                   check=True).stdout.splitlines():
            summary = re.search(r"OBJECT_SUMMARY (.*)", line)
            function = re.search(
                r"FUNCTION ident=(\d+), lineno_checksum=(0x\w+), cfg_checksum=(0x\w+)", line)
            kind = re.search(r"COUNTERS (\w+) (-?\d+) counts", line)
            values = re.match(r"^[^:]*:\s+\d+: ((?:\d+ ?)+)$", line)
            if summary:
                self.summary = summary.group(1)
            elif function:
                key = function.groups()
            elif kind and kind.group(1) == "arcs":
                counters = self.functions[key] = []
            elif kind and kind.group(1) in KINDS:
                counters = self.values[kind.group(1)][key] = []
            elif kind and kind.group(1) == "time_profiler":
                counters = self.first[key] = []
            elif kind:
                counters = None
            elif values and counters is not None:
                counters += map(int, values.group(1).split())


def sites(counters):
    """Return a list of (calls, {target: calls}), of each indirect call of a function."""
    result = []
    while counters:
        n, pairs = counters[1], counters[2:2 + 2 * counters[1]]
        result.append((counters[0], dict(zip(pairs[::2], pairs[1::2]))))
        counters = counters[2 + 2 * n:]
    return result


def parsed(kind, counters, lowest):
    """Return what COUNTERS say, the same for zeros and for no counters; of addresses their lowest
    bit if LOWEST."""
    if kind in TABLES:
        result = sites(counters)
        # GCC keeps some of the targets where there are more, and cabprof the most frequent ones.
        result = [(n, len(table) if kind == "indirect_call" and len(table) >= MOST else table)
                  for n, table in result]
        return result if any(n for n, _ in result) else []
    if kind == "ior":
        counters = [n & -n if lowest else bool(n) for n in counters]
    return counters if any(counters) else []


def compare_values(kind, mine, other, lowest, wrong):
    """Compare counters of KIND; return how many functions have any."""
    n = 0
    for key in set(other.values[kind]) | set(mine.values[kind]):
        wanted = parsed(kind, other.values[kind].get(key, []), lowest)
        found = parsed(kind, mine.values[kind].get(key, []), lowest)
        n += bool(wanted)
        if found != wanted:
            wrong.append("%s: %s: %s: %s instead of %s" % (mine.name, key, kind, found, wanted))
    return n


def by_name(tool, directory):
    return {os.path.basename(path): File(tool, path)
            for path in glob.glob(os.path.join(directory, "*.gcda"))}


def sums(files):
    total = {}
    for file in files.values():
        for key, counters in file.functions.items():
            known = total.setdefault(key, [0] * len(counters))
            assert len(known) == len(counters)
            total[key] = [a + b for a, b in zip(known, counters)]
    return total


def firsts(files):
    """Return the number of each function of FILES that ran."""
    return {key: counters[0] for file in files for key, counters in file.first.items()
            if counters and counters[0]}


def compare_firsts(name, mine, other, wrong):
    if mine != other:
        wrong.append("%s: the order of first calls: %s instead of %s" % (
            name, sorted(set(mine.items()) - set(other.items())),
            sorted(set(other.items()) - set(mine.items()))))
    return len(other)


def main(tool, theirs, ours, how=None):
    theirs, ours = by_name(tool, theirs), by_name(tool, ours)
    total = sums(theirs) if how == "sum" else {}
    wrong, n, n_firsts, n_values = [], 0, 0, dict.fromkeys(KINDS, 0)
    if not theirs or set(theirs) != set(ours):
        wrong.append("files %s instead of %s" % (sorted(ours), sorted(theirs)))
    for name in set(theirs) & set(ours):
        mine, other = ours[name], theirs[name]
        if mine.summary != other.summary:
            wrong.append("%s: summary %s instead of %s" % (name, mine.summary, other.summary))
        if set(mine.functions) != set(other.functions):
            wrong.append("%s: functions %s instead of %s"
                         % (name, sorted(mine.functions), sorted(other.functions)))
        for kind in {"calls": TABLES[:1], "values": KINDS, "addresses": KINDS}.get(how, []):
            n_values[kind] += compare_values(kind, mine, other, how == "addresses", wrong)
        if how != "sum":
            n_firsts += compare_firsts(name, firsts([mine]), firsts([other]), wrong)
        for key, counters in mine.functions.items():
            wanted = total.get(key, other.functions.get(key))
            n += len(counters)
            if counters != wanted:
                wrong.append("%s: %s: %s instead of %s" % (name, key, counters, wanted))
    if how == "sum":
        n_firsts = compare_firsts("all", firsts(ours.values()), firsts(theirs.values()), wrong)
    print("%d files, %d counters, %d functions that ran, %s, %d wrong"
          % (len(ours), n, n_firsts,
             ", ".join("%d with %s" % (n_values[kind], kind) for kind in KINDS), len(wrong)))
    print("\n".join(wrong[:20])[:4000])
    nothing = not n or not n_firsts or (how == "calls" and not n_values["indirect_call"])
    return 1 if wrong or nothing else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
