# gcovcheck.py - hold the edge counts of a profile against the arcs that gcov counted in the same run of the same program.
# SPDX-License-Identifier: GPL-3.0-or-later

import glob
import os

import cabgraph
import flowmatch
import gcovgraph
import lib


class Result:
    def __init__(self):
        self.n_functions = self.n_edges = 0
        self.wrong = []       # words
        self.unmatched = []   # (function, reason)

    def add(self, other):
        self.n_functions += other.n_functions
        self.n_edges += other.n_edges
        self.wrong += other.wrong
        self.unmatched += other.unmatched

    def __str__(self):
        return "%d functions, %d edges compared, %d not matchable, %d wrong" % (
            self.n_functions, self.n_edges, len(self.unmatched), len(self.wrong))


def edge_counts(profile):
    """{(function as the report names it, file): {(from block, to block): count}}; asks once a file where names are not unique."""
    counts = {}
    for row in lib.table(profile, "edges", "--limit=0"):
        counts.setdefault(row["function"], []).append(((int(row["from_block"]), int(row["to_block"])), int(row["count"])))
    return counts


def gcov_functions(directory):
    """All functions of the units in DIRECTORY that were linked and run: a .gcno without its .gcda was not."""
    functions, broken = [], []
    for gcno in sorted(glob.glob(os.path.join(directory, "**", "*.gcno"), recursive=True)):
        gcda = gcno[:-5] + ".gcda"
        try:
            functions += gcovgraph.read(gcno, gcda if os.path.exists(gcda) else None)
        except gcovgraph.Broken as error:
            broken.append(str(error))
    return functions, broken


def merge(functions):
    """Copies of one COMDAT function in several units: counts are their sums."""
    by_name = {}
    for function in functions:
        key = function.name, function.file
        if key not in by_name:
            by_name[key] = function
            continue
        known = by_name[key].arcs()
        if len(known) == len(function.arcs()):
            for mine, other in zip(known, function.arcs()):
                mine.count += other.count
    return list(by_name.values())


def check(profile, directory):
    result = Result()
    theirs, broken = gcov_functions(directory)
    theirs = merge(theirs)
    result.unmatched += [("(unit)", words) for words in broken]
    records, skipped = cabgraph.read(profile)
    ours = {}
    for record in records:
        ours.setdefault(record.assembler_name, []).append(record)
    counts = edge_counts(profile)
    for function in theirs:
        if function.artificial and function.name not in ours:
            continue
        candidates = ours.get(function.name, [])
        if len(candidates) > 1:
            candidates = [c for c in candidates if c.declared and c.declared[1] == function.line] or candidates
        if not candidates:
            result.unmatched.append((function.name, "no record: " + skipped.get(function.name, "not in the program")))
            continue
        check_one(function, candidates, counts, result)
    return result


def check_one(function, candidates, counts, result):
    reason = None
    for record in candidates:
        rows = counts.get(record.source_name) or counts.get(record.assembler_name) or []
        merged = {}
        for edge, count in rows:
            merged[edge] = merged.get(edge, 0) + count
        try:
            n_edges, words = flowmatch.compare(flowmatch.from_gcov(function), flowmatch.from_record(record, merged))
        except flowmatch.Unmatchable as error:
            reason = str(error)
            continue
        result.n_functions += 1
        result.n_edges += n_edges
        result.wrong += ["%s: %s" % (function.name, w) for w in words]
        return
    result.unmatched.append((function.name, reason))
