# loopcheck.py - compare the loops of a profile with the arcs that gcov counted in the same run of
# the same program.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# A loop of gcov's graph is an arc back to a block that dominates its source, and all that reaches
# it without that block; arcs back to one block are one loop. Its entries are the counts of the
# other arcs into that block, its ways back those of the arcs back. Blocks have other numbers on the
# two sides, so a function's loops are compared as a multiset.

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
sys.dont_write_bytecode = True
import lib
import gcovcheck
import gcovgraph


def dominators(function):
    """Return {block: set of the blocks that dominate it}, of the blocks that can be reached."""
    preds, order, seen = {}, [], set()
    work = [gcovgraph.ENTRY]
    while work:
        block = work.pop()
        if block in seen:
            continue
        seen.add(block)
        order.append(block)
        for arc in function.succs[block]:
            if not arc.fake:
                preds.setdefault(arc.dst, []).append(arc.src)
                work.append(arc.dst)
    dom = {block: set(order) for block in order}
    dom[gcovgraph.ENTRY] = {gcovgraph.ENTRY}
    changed = True
    while changed:
        changed = False
        for block in order[1:]:
            new = set.intersection(*(dom[p] for p in preds[block])) | {block}
            changed |= new != dom[block]
            dom[block] = new
    return dom


def natural_loops(function):
    """Return [(entries, ways back)] of the function's natural loops."""
    dom = dominators(function)
    back, entries = {}, {}
    for arc in function.arcs():
        if arc.fake or arc.src not in dom:
            continue
        into = back if arc.dst in dom[arc.src] else entries
        into[arc.dst] = into.get(arc.dst, 0) + arc.count
    return sorted((entries.get(head, 0), count) for head, count in back.items())


def our_loops(profile):
    """Return {function that holds them: [(entries, ways back, unfinished, skipped)]}."""
    loops = {}
    for row in lib.table(profile, "trips", "--copies", "--limit=0"):
        entries, unfinished = int(row["entries"]), int(row["not_left"])
        back = int(row["iterations"]) - (entries - unfinished if row["test"] == "end" else 0)
        loops.setdefault(row["holder"], []).append((entries, back, unfinished,
                                                    row["note"].startswith("not counted")))
    return loops


def compare(name, theirs, ours):
    """Return words about loops that differ. gcov also knows how far unfinished executions got;
    loops that are not counted may be any of its own.
    """
    rest, words = list(theirs), []
    for entries, back, unfinished, skipped in sorted(ours):
        if not unfinished and not skipped:
            if (entries, back) in rest:
                rest.remove((entries, back))
            else:
                words.append("%s: a loop with %d entries, %d ways back: gcov has %s"
                             % (name, entries, back, rest))
    for entries, back, unfinished, skipped in sorted(ours):
        fits = [r for r in rest if skipped or (r[0] == entries and r[1] >= back)]
        if (unfinished or skipped) and not fits:
            words.append("%s: a loop with %d entries, %d unfinished: gcov has %s"
                         % (name, entries, unfinished, rest))
        elif unfinished or skipped:
            rest.remove(fits[0])
    return words + ["%s: gcov has a loop more: %d entries, %d ways back" % (name, *r) for r in rest
                    if r[0]]


def main():
    """loopcheck.py PROFILE GCOV-DIRECTORY: print the result; exit status 1 if a count differs."""
    theirs, broken = gcovcheck.gcov_functions(sys.argv[2])
    ours = our_loops(sys.argv[1])
    words, n_functions, n_loops, n_missing = list(broken), 0, 0, 0
    for function in gcovcheck.merge(theirs):
        loops = natural_loops(function)
        if not any(entries for entries, back in loops):
            continue
        if function.name not in ours:
            n_missing += 1
            print("no loops known of %s: gcov has %s" % (function.name, loops))
            continue
        n_functions += 1
        n_loops += len(ours[function.name])
        words += compare(function.name, loops, ours[function.name])
    print("%d functions, %d loops compared, %d functions missing, %d wrong"
          % (n_functions, n_loops, n_missing, len(words)))
    print("".join("FAILED: %s\n" % word for word in words[:40]), end="")
    return 0 if n_loops and not words and not n_missing else 1


if __name__ == "__main__":
    sys.exit(main())
