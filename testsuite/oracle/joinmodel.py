#!/usr/bin/env python3
# joinmodel.py - join the rows of a dumped trace by a plain model of caches, blocks, calls and
# paths, and compare with `cabprof report join'.
# SPDX-License-Identifier: GPL-3.0-or-later
"""Usage: joinmodel.py CABPROF SOURCE DUMP PROFILE GEOMETRY BY...
GEOMETRY is the argument of the analysis `levels'.  The source's functions with accesses are neither
inlined nor recursive, so that the stack at an access ends at the function that makes it."""
import bisect
import collections
import csv
import io
import re
import subprocess
import sys

COUNTS = ["reads", "writes", "bytes", "d1_misses", "l2_misses", "ll_misses"]
COLUMNS = {"variable": ["variable"], "line": ["function", "file", "line"], "loop": ["loop"],
           "level": ["level"], "block": ["block"], "thread": ["tid"], "context": ["context"],
           "path": ["path_function", "path"]}


class Cache:
    """Sets of lines, the last used one last."""
    def __init__(self, text):
        size, self.ways, self.line = (int(n[:-1]) * 1024 if n[-1] == "K" else int(n)
                                      for n in text.split("/"))
        self.sets = [[] for _ in range(size // self.ways // self.line)]

    def finds(self, line):
        lines = self.sets[line % len(self.sets)]
        found = line in lines
        if found:
            lines.remove(line)
        elif len(lines) == self.ways:
            del lines[0]
        lines.append(line)
        return found

    def hits(self, first, last):
        """Use all lines from FIRST to LAST; did all of them hit?"""
        return all([self.finds(line)
                    for line in range(first // self.line, last // self.line + 1)])


class Thread:
    def __init__(self, geometry):
        caches = dict(part.split("=") for part in geometry.split(","))
        self.levels = [(name, Cache(caches[name])) for name in ("D1", "L2", "LL") if name in caches]
        self.is_whole = "L2" not in caches    # cachegrind's model
        self.blocks = {}                      # start: (end, allocation)
        self.starts = []                      # those of the blocks, in order
        self.stack = []                       # (function, line of the call, depth, facts of
                                              # accesses whose path has not ended)

    def level(self, first, last):
        """Return how many caches miss the access."""
        if self.is_whole:
            ranges = [(first, last)]
        else:    # each line of D1 by itself
            line = self.levels[0][1].line
            ranges = [(max(first, at), min(last, at + line - 1))
                      for at in range(first // line * line, last + 1, line)]
        missed = 0
        for one in ranges:
            here = 0
            while here < len(self.levels) and not self.levels[here][1].hits(*one):
                here += 1
            missed = max(missed, here)
        return missed

    def block(self, address):
        at = bisect.bisect(self.starts, address) - 1
        end, allocation = self.blocks[self.starts[at]] if at >= 0 else (0, None)
        return allocation if address < end else "(no block)"

    def remove(self, start):
        if self.blocks.pop(start, None):
            self.starts.remove(start)

    def call(self, row):
        depth = int(row["depth"])
        while self.stack and self.stack[-1][2] >= depth + (row["kind"] == "tail"):
            self.stack.pop()
        self.stack.append((row["function"], row["line"], depth, []))

    def top(self, function):
        """Leave what is above FUNCTION, and return the facts that it holds."""
        while self.stack[-1][0] != function:
            self.stack.pop()
        return self.stack[-1][3]

    def end_path(self, row):
        held = self.top(row["function"])
        for facts in held:
            facts.update(path_function=row["function"], path=str(int(row["other"], 0)))
        held.clear()

    def context(self, function):
        self.top(function)
        text = function
        for (_, line, _, _), (caller, _, _, _) in zip(self.stack[:0:-1], self.stack[-2::-1]):
            text += " < %s:%s" % (caller, line)
        return text

    def allocate(self, row):
        old, start, n = (int(row[k], 0) for k in ("other", "address", "bytes"))
        if row["kind"] == "released":
            self.remove(start)
            return
        if row["kind"] == "moved":
            self.remove(old)
        if start:
            self.remove(start)
            bisect.insort(self.starts, start)
            self.blocks[start] = (start + max(n, 1), "%s, %s:%s" % (
                row["name"], row["file"], row["line"]))


class Source:
    """What the source says about its lines."""
    def __init__(self, path):
        self.lines = [""] + open(path).read().split("\n")
        self.loops = {}

    def is_range(self, row):
        return re.search(r"\bmem(cpy|move|set) ", self.lines[int(row["line"])])

    def loop(self, row):
        key = row["file"], row["line"], row["function"]
        if key not in self.loops:
            self.loops[key] = self.find_loop(row)
        return self.loops[key]

    def find_loop(self, row):
        """The innermost loop around a line, by indentation; its own head if it has one."""
        at = line = int(row["line"])
        indent = len(self.lines[line]) - len(self.lines[line].lstrip())
        if not re.match(r" *(for|while) ", self.lines[line]):
            while self.lines[at].rstrip() != "{":
                at -= 1
                own = len(self.lines[at]) - len(self.lines[at].lstrip())
                if own < indent and re.match(r" *(for|while) ", self.lines[at]):
                    break
                indent = min(indent, own) if self.lines[at].strip() else indent
            else:
                return ""
        return "%s:%d (%s)" % (row["file"], at, row["function"])


def pieces(first, n, line, is_range):
    """Cut ranges, and what is longer than an operand, at lines."""
    if n <= 16 and not is_range or first // line == (first + n - 1) // line:
        return [(first, first + n - 1)]
    return [(max(first, at), min(first + n - 1, at + line - 1))
            for at in range(first // line * line, first + n, line)]


def model(source, dump, geometry):
    """Return [facts, counts] of each access."""
    accesses = []
    threads = collections.defaultdict(lambda: Thread(geometry))
    for row in csv.DictReader(open(dump), delimiter="\t", quoting=csv.QUOTE_NONE):
        thread = threads[row["process"], row["thread"]]
        if row["kind"] in ("call", "tail"):
            thread.call(row)
        elif row["kind"] in ("path", "last"):
            thread.end_path(row)
        elif row["kind"] in ("allocated", "released", "moved"):
            thread.allocate(row)
        elif row["kind"] in ("read", "write", "modify") and int(row["bytes"]):
            for first, last in pieces(int(row["address"], 0), int(row["bytes"]),
                                      thread.levels[0][1].line, source.is_range(row)):
                names = [name for name, _ in thread.levels]
                level = thread.level(first, last)
                counts = dict.fromkeys(COUNTS, 0)
                counts["writes" if row["kind"] == "write" else "reads"] = 1
                counts["bytes"] = last - first + 1
                for name in names[:level]:
                    counts[name.lower() + "_misses"] = 1
                facts = {"variable": row["name"], "function": row["function"], "file": row["file"],
                         "line": row["line"], "loop": source.loop(row),
                         "level": (names + ["memory"])[level], "block": thread.block(first),
                         "tid": row["process"] + "." + row["thread"],
                         "context": thread.context(row["function"]),
                         "path_function": "(path not known)", "path": "0"}
                thread.top(row["function"]).append(facts)
                accesses.append((facts, counts))
    return accesses


def folded(rows):
    """Add up the counts of equal facts."""
    sums = {}
    for facts, counts in rows:
        had = sums.setdefault(tuple(facts.values()), (facts, collections.Counter()))
        had[1].update(counts)
    return list(sums.values())


def joined(rows, by):
    """Add up ROWS by the columns of BY."""
    columns = [column for word in by for column in COLUMNS[word]]
    sums = collections.defaultdict(lambda: [0] * len(COUNTS))
    for facts, counts in rows:
        total = sums[tuple(facts[column] for column in columns)]
        for i, name in enumerate(COUNTS):
            total[i] += counts[name]
    return dict(sums)


def reported(cabprof, profile, by):
    text = subprocess.run([cabprof, "report", "join", "-d", profile, "--by=" + ",".join(by),
                           "--format=tsv"], stdout=subprocess.PIPE, check=True).stdout.decode()
    lines = [line for line in text.split("\n") if not line.startswith("#")]
    for row in csv.DictReader(io.StringIO("\n".join(lines)), delimiter="\t",
                              quoting=csv.QUOTE_NONE):
        row["block"] = re.sub("^.* by ", "", row["block"])    # without the type
        yield row, {name: int(row[name]) if row[name] != "-" else 0 for name in COUNTS}


def by_share(rows):
    """Number the threads of ROWS by what they did, which differs."""
    sums = joined(rows, ["thread"])
    assert len(set(map(tuple, sums.values()))) == len(sums), "threads that did the same"
    return {key[0]: i for i, key in enumerate(sorted(sums, key=sums.get))}


def main():
    cabprof, path, dump, profile, geometry = sys.argv[1:6]
    wanted = folded(model(Source(path), dump, geometry))
    assert sum(n["reads"] for _, n in wanted) > 5000, "few accesses"
    numbers = by_share(wanted)
    theirs = by_share(list(reported(cabprof, profile, ["thread"])))
    for facts, _ in wanted:
        facts["tid"] = numbers[facts["tid"]]
    for text in sys.argv[6:]:
        by = text.split(",")
        rows = list(reported(cabprof, profile, by))
        for facts, _ in rows:
            facts["tid"] = theirs[facts["tid"]] if "thread" in by else facts["tid"]
        want, got = joined(wanted, by), joined(rows, by)
        if want != got:
            for key in sorted(set(want) | set(got), key=str):
                if want.get(key) != got.get(key):
                    print("--by=%s: %s: model %s, report %s" % (text, key, want.get(key),
                                                                got.get(key)))
            sys.exit(1)
        assert len(want) > 1, "--by=%s: one row" % text


main()
