# gcovcheck.py - compare the edge counts of a profile with the arcs that gcov counted in the same
# run of the same program.
# SPDX-License-Identifier: GPL-3.0-or-later

import collections
import glob
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
sys.dont_write_bytecode = True
import lib
import cabgraph
import flowmatch
import gcovgraph


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
    """Return {(assembler name, file): {(from block, to block): count}}, from JSON, which keeps
    functions of one name apart.
    """
    done = lib.run([lib.CABPROF, "report", "edges", "--format=json", "-d", profile], timeout=120)
    if done.status != 0:
        raise RuntimeError("cabprof report edges: %s" % done)
    counts = {}
    for row in json.loads(done.stdout)["rows"]:
        counts.setdefault((row["symbol"], row["file"]), {})[row["from_block"],
                                                            row["to_block"]] = row["count"]
    return counts


def gcov_functions(directory):
    """Return all functions of the units in DIRECTORY that were linked and run: a .gcno without its
    .gcda was not.
    """
    functions, broken = [], []
    for gcno in sorted(glob.glob(os.path.join(directory, "**", "*.gcno"), recursive=True)):
        gcda = gcno[:-5] + ".gcda"
        try:
            functions += gcovgraph.read(gcno, gcda if os.path.exists(gcda) else None)
        except gcovgraph.Broken as error:
            broken.append(str(error))
    return functions, broken


def merge(functions):
    """Merge the copies of one COMDAT function in several units: counts are their sums."""
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
        here = [c for c in candidates
                if os.path.basename(c.file()) == os.path.basename(function.file)]
        executed = any(arc.count for arc in function.arcs())
        if function.checks == (0, 0) and candidates:
            check_thunk(function, candidates, counts, result)
        elif here or candidates:
            check_one(function, here or candidates, counts, executed, result)
        elif executed:
            result.unmatched.append((function.name, "no record: "
                                     + skipped.get(function.name, "not in the program")))
    return result


def check_thunk(function, candidates, counts, result):
    """Compare the calls of a thunk, which are all that gcov counts of it."""
    entries = sum(count for record in candidates
                  for (source, _), count in counts.get((record.assembler_name, record.file()),
                                                       {}).items() if source == 0)
    wanted = [arc.count for arc in function.arcs()]
    result.n_functions += 1
    result.n_edges += 1
    if [entries] != wanted:
        result.wrong.append("%s: %d calls of the thunk, not %s" % (function.name, entries, wanted))


def check_one(function, candidates, counts, executed, result):
    reason = None
    for record in candidates:
        mine = counts.get((record.assembler_name, record.file()), {})
        try:
            n_edges, words = flowmatch.compare(flowmatch.from_gcov(function),
                                               flowmatch.from_record(record, mine))
        except flowmatch.Unmatchable as error:
            reason = str(error)
            continue
        result.n_functions += 1
        result.n_edges += n_edges
        result.wrong += ["%s: %s" % (function.name, w) for w in words]
        return
    if executed:
        result.unmatched.append((function.name, reason))


def gcov_lines(directory):
    """Return {(file, line): count} as gcov itself prints them: where a line belongs to several
    functions, their counts are added up.
    """
    counts = {}
    for gcda in sorted(glob.glob(os.path.join(directory, "**", "*.gcda"), recursive=True)):
        text = subprocess.run(["gcov", "--json-format", "--stdout", os.path.basename(gcda)],
                              cwd=os.path.dirname(gcda), stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, check=True).stdout
        for document in text.splitlines():
            for file in json.loads(document)["files"]:
                for line in file["lines"]:
                    key = os.path.basename(file["file"]), line["line_number"]
                    counts[key] = counts.get(key, 0) + line["count"]
    return counts


def lines_in_part(directory):
    """Return the (file, line) of which gcov leaves out the blocks of some functions: those that own
    none of the line's blocks, where another function owns one. Such are lines of always_inline
    functions, which are in several functions even at -O0.
    """
    owners, mentions = collections.Counter(), collections.Counter()
    for gcno in glob.glob(os.path.join(directory, "**", "*.gcno"), recursive=True):
        for function in gcovgraph.read_notes(gcno)[1]:
            owners.update(function.owned_lines())
            mentions.update({line for lines in function.lines.values() for line in lines})
    return {(os.path.basename(file), line) for (file, line), n in mentions.items()
            if 0 < owners[file, line] < n}


def check_lines(profile, directory):
    """Return (number of lines compared, words about lines whose counts differ). Lines that only one
    side has, or that gcov counts in part, are not compared.
    """
    theirs = gcov_lines(directory)
    for key in lines_in_part(directory):
        theirs.pop(key, None)
    words, n_lines = [], 0
    for row in lib.table(profile, "lines", "--limit=0"):
        key = os.path.basename(row["file"]), int(row["line"])
        if key not in theirs:
            continue
        n_lines += 1
        if theirs[key] != int(row["count"]):
            words.append("%s:%d: gcov %d, ours %s" % (*key, theirs[key], row["count"]))
    return n_lines, words


def main():
    """gcovcheck.py edges|lines PROFILE GCOV-DIRECTORY: print the result; exit status 1 if a count
    differs or cannot be compared.
    """
    what, profile, directory = sys.argv[1:4]
    if what == "lines":
        n_lines, words = check_lines(profile, directory)
        print("%d lines compared, %d wrong" % (n_lines, len(words)))
        good = n_lines > 0
    else:
        result = check(profile, directory)
        for function, reason in result.unmatched:
            print("not matchable: %s: %s" % (function, reason))
        print(result)
        words = result.wrong
        good = result.n_functions > 0 and not result.unmatched
    print("".join("FAILED: %s\n" % word for word in words[:40]), end="")
    return 0 if good and not words else 1


if __name__ == "__main__":
    sys.exit(main())
