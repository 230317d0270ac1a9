# figures.py - keep the measurements of `make bench-memory' in files, and print them as tables.
# SPDX-License-Identifier: GPL-3.0-or-later

import math
import os
import statistics
import time

# Measured once, over the small input unless it says otherwise.
SMALL, LARGE = ", small", ", large"
HEAVY = ("valgrind none", "lackey", "cachegrind", "cachegrind" + LARGE)


class Figures:
    def __init__(self):
        # (program, column): [seconds]; program: accesses of a run
        self.times, self.accesses = {}, {}
        # program: words of events, and bytes of a stored trace, per access
        self.words, self.stored = {}, {}

    def add(self, program, column, seconds, load):
        """Return the time rounded to the microsecond, as in the file."""
        self.times.setdefault((program, column), []).append((round(seconds, 6), load, time.time()))

    def forget(self, program):
        """Return all columns except those of valgrind's tools."""
        for key in [key for key in self.times if key[0] == program and key[1] not in HEAVY]:
            del self.times[key]
        self.words.pop(program, None)
        self.stored.pop(program, None)

    def seconds(self, program, column):
        return [time[0] for time in self.times.get((program, column), ())]

    def ratio(self, program, column):
        """Return (median, least, greatest) over the plain program's median, or None."""
        mine = self.seconds(program, column)
        base = self.seconds(program, "plain" + SMALL
                            if (column in HEAVY and not column.endswith(LARGE))
                            or column.endswith(SMALL) else "plain")
        if not mine or not base:
            return None
        base = statistics.median(base)
        return statistics.median(mine) / base, min(mine) / base, max(mine) / base


def write_tsv(place, table, columns, figures):
    with open(os.path.join(place, "memory.tsv"), "w") as file:
        file.write(
            "program\tkind\tcolumn\tratio\tleast\tgreatest\tmedian_seconds\twords_per_access\t"
            "stored_bytes_per_access\n")
        for program, kind, _, _ in table:
            for column in columns + [c + SMALL for c in columns if c not in HEAVY]:
                ratio = figures.ratio(program, column)
                if ratio:
                    file.write("%s\t%s\t%s\t%.3f\t%.3f\t%.3f\t%.4f\t%s\t%s\n" % (
                        program, kind, column, *ratio,
                        statistics.median(figures.seconds(program, column)),
                        *("%.3g" % per_access[program] if program in per_access else ""
                          for per_access in (figures.words, figures.stored))))


def write_rounds(place, figures):
    with open(os.path.join(place, "rounds.tsv"), "w") as file:
        file.write("program\tcolumn\tround\tseconds\tload\tat\n")
        for (program, column), times in figures.times.items():
            for number, (seconds, load, at) in enumerate(times):
                file.write("%s\t%s\t%d\t%.6f\t%.2f\t%.0f\n"
                           % (program, column, number, seconds, load, at))


def rows_of(place, name):
    """Return the rows of a file of an earlier measurement, by the names of its columns."""
    try:
        with open(os.path.join(place, name)) as file:
            head, *rows = [line.rstrip("\n").split("\t") for line in file]
    except (OSError, ValueError):
        return []
    return [dict(zip(head, row)) for row in rows if len(row) == len(head)]


def earlier(place, built):
    """Read what an earlier measurement has left; rounds from before the time BUILT do not count."""
    figures, old = Figures(), set()
    rounds = [row for row in rows_of(place, "rounds.tsv") if "at" in row]
    for row in rounds:
        figures.times.setdefault((row["program"], row["column"]),
                                 []).append((float(row["seconds"]), float(row["load"]),
                                             float(row["at"])))
        if row["column"] not in HEAVY and float(row["at"]) < built:
            old.add(row["program"])
    for row in rows_of(place, "memory.tsv"):
        for name, into in (("words_per_access", figures.words),
                           ("stored_bytes_per_access", figures.stored)):
            if row.get(name):
                into[row["program"]] = float(row[name])
    for program in old:
        figures.forget(program)
    return figures


def geomean(values):
    values = [v for v in values if v]
    return math.exp(sum(map(math.log, values)) / len(values)) if values else None


def print_table(table, columns, figures):
    print("\nratio to plain gcc -O2: median (least-greatest)\n%-12s%9s%9s" % ("", "words", "bytes")
          + "".join("%17s" % c for c in columns[1:]))
    for program, _, _, _ in table:
        cells = [figures.ratio(program, c) for c in columns[1:]]
        print("%-12s" % program
              + "".join("%9s" % ("%.3g" % per_access[program] if program in per_access else "-")
                                          for per_access in (figures.words, figures.stored))
              + "".join("%17s" % ("%.2f (%.2f-%.2f)" % r if r else "-") for r in cells))


def goal(words, value, limit, least=False):
    good = value is not None and (value >= limit if least else value <= limit)
    print("  %-14s %s%s" % ("not measured" if value is None else "met" if good else "MISSED", words,
                            "" if value is None else ": %.3g (goal: %s %g)"
                            % (value, ">=" if least else "<=", limit)))


def print_goals(table, figures):
    ratios = {p[0]: figures.ratio(p[0], "counted") for p in table}
    ratios = {name: ratio[0] for name, ratio in ratios.items() if ratio}
    print("\ngoals")
    goal("every access counted on the other core, geomean", geomean(ratios.values()), 1.3)
    goal("the same, affine kernels",
         geomean([ratios[p[0]] for p in table if p[1] == "affine" and p[0] in ratios]), 1.05)
    goal("the same, worst program (%s)" % max(ratios, key=ratios.get, default="none"),
         max(ratios.values(), default=None), 2.0)
    bytes_of = {kind: [figures.stored[p[0]] for p in table if p[0] in figures.stored
                       and kind in (p[1], "all")] for kind in ("all", "affine")}
    goal("a stored trace, bytes an access, geomean", geomean(bytes_of["all"]), 1)
    goal("the same, affine kernels", geomean(bytes_of["affine"]), 0.01)
    goal("the same, time, geomean",
         geomean([(figures.ratio(p[0], "stored") or [None])[0] for p in table]), 3)
    ahead = [(figures.ratio(p[0], "cachegrind"), figures.ratio(p[0], "cache" + SMALL))
             for p in table]
    goal("caches simulated: ahead of cachegrind, geomean",
         geomean([a[0] / b[0] for a, b in ahead if a and b]), 10, least=True)
    ahead = [(figures.ratio(p[0], "cachegrind" + LARGE), figures.ratio(p[0], "cache"))
             for p in table]
    goal("the same, over large inputs", geomean([a[0] / b[0] for a, b in ahead if a and b]), 10,
         least=True)
