# gcdacheck.py - compare the counters of .gcda files, as gcov-dump prints them.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# gcdacheck.py TOOL THEIRS OURS [sum|calls]: each file of THEIRS has its like in OURS, with the same
# summary, functions, arc counters and numbers in the order of first calls.  With "calls" counters
# of indirect calls are compared, too.  With "sum" the counters of a function that several files
# have are compared as sums, since GCC counts a COMDAT function in the unit whose copy was linked.

import glob
import os
import re
import subprocess
import sys


class File:
    def __init__(self, tool, path):
        self.name = os.path.basename(path)
        self.summary, self.functions, self.calls, self.first = None, {}, {}, {}
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
            elif kind and kind.group(1) == "indirect_call":
                counters = self.calls[key] = []
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


def compare_calls(mine, other, wrong):
    n = 0
    for key, counters in other.calls.items():
        wanted = sites(counters)
        n += len(wanted)
        found = sites(mine.calls.get(key, []))
        if any(calls for calls, _ in found + wanted) and found != wanted:
            wrong.append("%s: %s: indirect calls %s instead of %s"
                         % (mine.name, key, mine.calls.get(key), counters))
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
    wrong, n, n_calls, n_firsts = [], 0, 0, 0
    if not theirs or set(theirs) != set(ours):
        wrong.append("files %s instead of %s" % (sorted(ours), sorted(theirs)))
    for name in set(theirs) & set(ours):
        mine, other = ours[name], theirs[name]
        if mine.summary != other.summary:
            wrong.append("%s: summary %s instead of %s" % (name, mine.summary, other.summary))
        if set(mine.functions) != set(other.functions):
            wrong.append("%s: functions %s instead of %s"
                         % (name, sorted(mine.functions), sorted(other.functions)))
        if how == "calls":
            n_calls += compare_calls(mine, other, wrong)
        if how != "sum":
            n_firsts += compare_firsts(name, firsts([mine]), firsts([other]), wrong)
        for key, counters in mine.functions.items():
            wanted = total.get(key, other.functions.get(key))
            n += len(counters)
            if counters != wanted:
                wrong.append("%s: %s: %s instead of %s" % (name, key, counters, wanted))
    if how == "sum":
        n_firsts = compare_firsts("all", firsts(ours.values()), firsts(theirs.values()), wrong)
    print("%d files, %d counters, %d functions that ran, %d indirect calls, %d wrong"
          % (len(ours), n, n_firsts, n_calls, len(wrong)))
    print("\n".join(wrong[:20])[:4000])
    nothing = not n or (how == "calls" and not n_calls) or not n_firsts
    return 1 if wrong or nothing else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
