# callgrind.py - compare `report calls` with callgrind's counts: callgrind.py PROFILE CALLGRIND-OUT...
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Source:  Valgrind's manual, "Callgrind Format Specification"; files written with --compress-strings=no --compress-pos=no.
# Model:   callgrind sees the C library too.  For each function that both know: the sums of calls must be equal; for each pair of
#          such functions ours may exceed callgrind's by calls that callgrind saw from foreign code (callbacks), and by no others.

import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import lib


def plain_name(name):
    """Without callgrind's mark of a recursion level and GCC's of a clone."""
    return re.sub(r"(\.(constprop|isra|part|cold|lto_priv)\.?\d*| \[clone [^]]*\])+$", "", re.sub(r"'\d+$", "", name))


def read(paths):
    """{(caller, callee): calls} over all files."""
    counts = {}
    for path in paths:
        function = callee = None
        with open(path, errors="replace") as file:
            for line in file:
                if line.startswith("fn="):
                    function = plain_name(line[3:].rstrip("\n"))
                elif line.startswith("cfn="):
                    callee = plain_name(line[4:].rstrip("\n"))
                elif line.startswith("calls="):
                    key = function, callee
                    counts[key] = counts.get(key, 0) + int(line[6:].split()[0])
    return counts


def main():
    theirs = read(sys.argv[2:])
    ours = {}
    for row in lib.table(sys.argv[1], "calls", "--limit=0"):
        key = row["caller"], row["callee"]
        ours[key] = ours.get(key, 0) + int(row["count"])
    known = {callee for _, callee in ours}
    words, n = [], 0
    for callee in sorted(known):
        mine = sum(c for (_, to), c in ours.items() if to == callee)
        other = sum(c for (_, to), c in theirs.items() if to == callee)
        n += 1
        if mine != other:
            words.append("%s: called %d times, callgrind %d" % (callee, mine, other))
            continue
        foreign = sum(c for (caller, to), c in theirs.items() if to == callee and caller not in known)
        excess = 0
        for caller in known | {"-"}:
            a, b = ours.get((caller, callee), 0), theirs.get((caller, callee), 0)
            n += a > 0
            excess += max(a - b, 0)
            if a < b:
                words.append("%s > %s: %d, callgrind %d" % (caller, callee, a, b))
        if excess > foreign:
            words.append("%s: %d calls more than callgrind saw from known callers, %d from foreign code" % (callee, excess, foreign))
    print("%d counts compared, %d wrong" % (n, len(words)))
    print("".join("FAILED: %s\n" % word for word in words[:30]), end="")
    return 1 if words or n < 2 else 0


sys.exit(main())
