# callgrind.py - compare `report calls' with callgrind's counts: callgrind.py PROFILE PROGRAM
# DISPLAY SOURCE CALLGRIND-OUT...
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Source:  Valgrind's manual, "Callgrind Format Specification"; files written with --demangle=no
#          --compress-strings=no --compress-pos=no.
# Model:   callgrind sees the C library too. Symbols of PROGRAM, the file that ran under callgrind,
#          get the names that reports show (by DISPLAY, see display.c); functions that share a name
#          (constructors, a local function of each of two files) are one, on both sides. For each
#          function that both have, the sums of calls must be equal; for each pair of such functions
#          cabprof's count may exceed callgrind's by calls that callgrind saw from foreign code
#          (callbacks), and by no others.

import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import lib


def plain_symbol(symbol):
    """Return the name without callgrind's mark of a recursion level and GCC's of a clone."""
    return re.sub(r"(\.(constprop|isra|part|cold|lto_priv)\.?\d*| \[clone [^]]*\])+$", "",
                  re.sub(r"'\d+$", "", symbol))


def read(paths):
    """Return {((object, symbol) of the caller, of the callee): calls} over all files."""
    counts = {}
    for path in paths:
        place = function = callee = called = None
        with open(path, errors="replace") as file:
            for line in file:
                key, _, value = line.rstrip("\n").partition("=")
                if key == "ob":
                    place = called = value
                elif key == "cob":
                    called = value
                elif key == "fn":
                    function = place, plain_symbol(value)
                elif key == "cfn":
                    callee = called, plain_symbol(value)
                elif key == "calls":
                    counts[function, callee] = counts.get((function, callee),
                                                          0) + int(value.split()[0])
                    called = place
    return counts


def displayed(counts, program, display, source):
    """Return COUNTS with the names that reports show; a function outside of PROGRAM has a name that
    no report shows.
    """
    symbols = sorted({symbol for pair in counts for place, symbol in pair if place == program})
    lines = subprocess.run([display, source],
                           input="".join(s + "\n" for s in symbols), stdout=subprocess.PIPE,
                           check=True, text=True).stdout
    names = dict(line.split("\t") for line in lines.splitlines())
    sums = {}
    for pair, calls in counts.items():
        key = tuple(names[symbol] if place == program else "\t" + symbol for place, symbol in pair)
        sums[key] = sums.get(key, 0) + calls
    return sums


def main():
    profile, program, display, source = sys.argv[1:5]
    theirs = displayed(read(sys.argv[5:]), os.path.realpath(program), display, source)
    ours = {}
    for row in lib.table(profile, "calls", "--limit=0"):
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
        foreign = sum(c for (caller, to), c in theirs.items() if to == callee
                      and caller not in known)
        excess = 0
        for caller in known | {"-"}:
            a, b = ours.get((caller, callee), 0), theirs.get((caller, callee), 0)
            n += a > 0
            excess += max(a - b, 0)
            if a < b:
                words.append("%s > %s: %d, callgrind %d" % (caller, callee, a, b))
        if excess > foreign:
            words.append(
                "%s: %d calls more than callgrind saw from known callers, %d from foreign code"
                % (callee, excess, foreign))
    print("%d counts compared, %d wrong" % (n, len(words)))
    print("".join("FAILED: %s\n" % word for word in words[:30]), end="")
    return 1 if words or n < 2 else 0


if __name__ == "__main__":
    sys.exit(main())
