# trees.py - compare `report tree` with the trees that hooks.c wrote: trees.py PROFILE PROGRAM
# DISPLAY SOURCE HOOKS...
# Contexts are chains of function names; nodes of one name under one parent (several call sites) are
# one context. Symbols of PROGRAM, the file with the hooks, get the names that reports show by
# DISPLAY (display.c), SOURCE being one of its sources.
# SPDX-License-Identifier: GPL-3.0-or-later

import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import lib
from callgrind import plain_symbol


def contexts(nodes):
    """NODES is {id: (parent id, name, calls)}; return {number of the context: ...} as nested
    dictionaries {name: [calls, children]}.
    """
    root = {}
    children = {}
    for node, (parent, name, calls) in nodes.items():
        children.setdefault(parent if parent in nodes else None, []).append((node, name, calls))
    work = [(None, root)]
    while work:
        node, place = work.pop()
        for child, name, calls in children.get(node, []):
            entry = place.setdefault(name, [0, {}])
            entry[0] += calls
            work.append((child, entry[1]))
    return root


def differences(ours, theirs):
    """Return (contexts compared, words)."""
    words, n, work = [], 0, [((), ours, theirs)]
    while work:
        chain, a, b = work.pop()
        for name in set(a) | set(b):
            n += 1
            mine, other = a.get(name, [0, {}]), b.get(name, [0, {}])
            if mine[0] != other[0]:
                words.append("%s: ours %d, hooks %d" % (" > ".join(chain[-8:] + (name,)), mine[0],
                                                        other[0]))
            work.append((chain + (name,), mine[1], other[1]))
    return n, words


def symbols(program, display, source):
    """Return {address: name} of the functions in PROGRAM, as reports show them."""
    symbol = {}
    for line in subprocess.run(["nm", program], stdout=subprocess.PIPE,
                               check=True).stdout.decode().splitlines():
        field = line.split(" ", 2)
        if len(field) == 3 and field[0] and field[1] in "tTwW":
            symbol[int(field[0], 16)] = plain_symbol(field[2])
    lines = subprocess.run([display, source],
                           input="".join(s + "\n" for s in sorted(set(symbol.values()))),
                           stdout=subprocess.PIPE,
                           check=True, text=True).stdout
    names = dict(line.split("\t") for line in lines.splitlines())
    return {address: names[s] for address, s in symbol.items()}


def compare(profile, program, display, source, hooks):
    """Return (contexts compared, words about those that differ), for the profile's and those of the
    files HOOKS.
    """
    names = symbols(program, display, source)
    theirs = {}
    for path in hooks:
        with open(path) as file:
            for line in file:
                node, parent, address, calls = line.split("\t")
                theirs[path, node] = ((path, parent), names.get(int(address, 16), address),
                                      int(calls))
    ours = {row["id"]: (row["parent"], row["function"], int(row["calls"]))
            for row in lib.table(profile, "tree", "--limit=0")}
    return differences(contexts(ours), contexts(theirs))


def main():
    profile, program, display, source = sys.argv[1:5]
    n, words = compare(profile, program, display, source, sys.argv[5:])
    print("%d contexts compared, %d wrong" % (n, len(words)))
    print("".join("FAILED: %s\n" % word for word in sorted(words)[:30]), end="")
    return 1 if words or n < 2 else 0


if __name__ == "__main__":
    sys.exit(main())
