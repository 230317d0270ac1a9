# gcdacheck.py - compare the counters of .gcda files, as gcov-dump prints them.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# gcdacheck.py TOOL THEIRS OURS [sum]: each file of THEIRS has its like in OURS, with the same
# summary, functions and arc counters.  With "sum" the counters of a function that several files
# have are compared as sums, since GCC counts a COMDAT function in the unit whose copy was linked.

import glob
import os
import re
import subprocess
import sys


class File:
    def __init__(self, tool, path):
        self.name = os.path.basename(path)
        self.summary, self.functions = None, {}
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
                zeros = "all zero" in line
                counters = self.functions[key] = [0] * abs(int(kind.group(2))) if zeros else []
            elif kind:
                counters = None
            elif values and counters is not None:
                counters += map(int, values.group(1).split())


def by_name(tool, directory):
    return {os.path.basename(path): File(tool, path)
            for path in glob.glob(os.path.join(directory, "*.gcda"))}


def sums(files):
    total = {}
    for file in files.values():
        for key, counters in file.functions.items():
            known = total.setdefault(key, [0] * len(counters))
            total[key] = [a + b for a, b in zip(known, counters)]
    return total


def main(tool, theirs, ours, how=None):
    theirs, ours = by_name(tool, theirs), by_name(tool, ours)
    total = sums(theirs) if how == "sum" else {}
    wrong, n = [], 0
    if not theirs or set(theirs) != set(ours):
        wrong.append("files %s instead of %s" % (sorted(ours), sorted(theirs)))
    for name in set(theirs) & set(ours):
        mine, other = ours[name], theirs[name]
        if mine.summary != other.summary:
            wrong.append("%s: summary %s instead of %s" % (name, mine.summary, other.summary))
        if set(mine.functions) != set(other.functions):
            wrong.append("%s: functions %s instead of %s"
                         % (name, sorted(mine.functions), sorted(other.functions)))
        for key, counters in mine.functions.items():
            wanted = total.get(key, other.functions.get(key))
            n += len(counters)
            if counters != wanted:
                wrong.append("%s: %s: %s instead of %s" % (name, key, counters, wanted))
    print("%d files, %d counters, %d wrong" % (len(ours), n, len(wrong)))
    print("\n".join(wrong[:20])[:4000])
    return 1 if wrong or not n else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
