# flowmatch.py - compare the edge counts of two graphs of one function, where one may be split in
# places the other is not.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Source:  gcc/profile.cc: before it counts, GCC splits edges that carry a location of their own,
#          adds an edge from ENTRY to each block that an abnormal edge enters and from each call to
#          EXIT, and ignores the abnormal edges themselves.
# Model:   both graphs are reduced: a block with one edge in and one out that is no root becomes
#          part of a chain, an edge with a list of counts. Reduced graphs are walked in parallel
#          from their roots, chains in the order of successors. Two chains agree if first and last
#          counts do and the shorter list occurs in the longer, in order. A block of one graph may
#          be two in the other, the second one entered from the first only: the plugin ends blocks
#          after calls of functions that GCC takes for pure, hence sure to return, since none is
#          pure once it has probes. Then all that the first part counts has to reach the second.
# A graph: {"roots": [blocks], "succs": {block: [(dst, count)]}}, real edges only; block 0 is ENTRY,
# the first root, and 1 EXIT.

EXIT = 1


class Unmatchable(Exception):
    pass


def reduce(graph):
    """Return {block: [(dst, [counts])]} over the blocks that stay."""
    succs = graph["succs"]
    n_preds = {}
    reached, work = set(graph["roots"]), list(graph["roots"])
    while work:
        block = work.pop()
        for dst, _ in succs.get(block, []):
            n_preds[dst] = n_preds.get(dst, 0) + 1
            if dst not in reached:
                reached.add(dst)
                work.append(dst)
    roots = set(graph["roots"])

    def passes(block):
        return block not in roots and block != EXIT and n_preds.get(block) == 1 and len(
            succs.get(block, [])) == 1

    reduced = {}
    for block in reached:
        if passes(block):
            continue
        out = reduced[block] = []
        for dst, count in succs.get(block, []):
            counts = [count]
            while passes(dst):
                dst, count = succs[dst][0]
                counts.append(count)
            out.append((dst, counts))
    return reduced


def agree(one, other):
    if one[0] != other[0] or one[-1] != other[-1]:
        return False
    short, long = sorted((one, other), key=len)
    rest = iter(long)
    return all(count in rest for count in short)


def behind(graph, block, other):
    """Return (the block where BLOCK of the reduced GRAPH ends, the edges to it), where OTHER are
    the edges that the other graph has there.
    """
    passed = []
    while len(other) > 1 and len(graph[block]) == 1:
        dst, counts = graph[block][0]
        if dst in (block, EXIT) or sum(d == dst for out in graph.values() for d, _ in out) != 1:
            break
        passed.append(counts)
        block = dst
    return block, passed


def pair(a, b, x, y):
    """Return the parts of X in graph A and of Y in graph B that have ways out to compare, and words
    if one loses counts before them.
    """
    end_x, passed_x = behind(a, x, b[y])
    end_y, passed_y = behind(b, y, a[x])
    leaving = sum(counts[0] for _, counts in a[end_x])
    words = ["%d, ours %d: %s inside, %d leave" % (x, y, counts, leaving) for counts in passed_x
             + passed_y if set(counts) != {leaving}]
    return end_x, end_y, words


def compare(theirs, ours):
    """Return (number of edges compared, list of words about differing ones); raise Unmatchable if
    the graphs have different shapes.
    """
    if len(theirs["roots"]) != len(ours["roots"]):
        raise Unmatchable("%d roots against %d" % (len(theirs["roots"]), len(ours["roots"])))
    a, b = reduce(theirs), reduce(ours)
    partner, work = {}, list(zip(theirs["roots"], ours["roots"]))
    n_edges, words = 0, []
    while work:
        x, y = work.pop()
        if x in partner:
            if partner[x] != y:
                raise Unmatchable("block %d meets both %d and %d" % (x, partner[x], y))
            continue
        partner[x] = y
        x, y, lost = pair(a, b, x, y)
        words += lost
        if len(a[x]) != len(b[y]):
            raise Unmatchable("block %d has %d ways out, %d has %d" % (x, len(a[x]), y, len(b[y])))
        for (dst_x, counts_x), (dst_y, counts_y) in zip(a[x], b[y]):
            n_edges += 1
            if not agree(counts_x, counts_y):
                words.append("%d->%d %s, ours %d->%d %s" % (x, dst_x, counts_x, y, dst_y, counts_y))
            work.append((dst_x, dst_y))
    if len(set(partner.values())) != len(partner):
        raise Unmatchable("two blocks meet the same one")
    return n_edges, words


def make_graph(succs):
    """The roots are ENTRY, and the blocks that no real edge enters (abnormal ones do)."""
    entered = {dst for out in succs.values() for dst, _ in out}
    return {"roots": [0] + sorted(block for block in succs if block != 0 and block not in entered),
            "succs": succs}


def from_gcov(function):
    succs = {}
    for block in range(function.n_blocks):
        for arc in function.succs[block]:
            if not arc.fake:
                succs.setdefault(block, []).append((arc.dst, arc.count))
    return make_graph(succs)


def from_record(function, counts):
    """COUNTS has {(from block, to block): count} of `cabprof report edges'."""
    succs = {}
    at_calls = {edge.src for edge in function.edges if "k" in edge.flags}
    for edge in function.edges:
        # After a call at which paths are cut, the real edges are those with a kind of their own;
        # others are abnormal.
        abnormal = "x" in edge.flags and not (edge.src in at_calls
                                              and set(edge.flags) & set("htfF"))
        if not (abnormal or "k" in edge.flags or "w" in edge.flags):
            succs.setdefault(edge.src, []).append((edge.dst, counts.get((edge.src, edge.dst), 0)))
    return make_graph(succs)
