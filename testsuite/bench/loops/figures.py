# figures.py - what bench-loops measured, and what follows: ratios with intervals, geomeans, goals.
# It reads and writes only the files of rounds.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Ratio:   within a round, a column's time over the base column's; the median of all rounds, and the
#          interval that holds the true median with a probability of 95 % (from the order of the
#          values: no distribution is assumed). With fewer than 6 rounds: least to greatest.
# Same code: a column whose program is byte for byte that of an earlier column is not run again; it
# has that column's times.

import math
import os
import statistics

BASE = "-O3"
AGAIN = "-O3 again"


def interval(values):
    """Return (median, low, high)."""
    values = sorted(values)
    n, skip, tail = len(values), 0, 0.5 ** len(values)
    while 2 * (tail + math.comb(n, skip + 1) * 0.5 ** n) <= 0.05:
        skip += 1
        tail += math.comb(n, skip) * 0.5 ** n
    return statistics.median(values), values[skip], values[-1 - skip]


def geomean(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else None


class Program:
    """The times of one program, appended to FILE as they are measured."""

    def __init__(self, name, kind, file):
        self.name, self.kind, self.file = name, kind, file
        self.rounds = {}      # number: {column: seconds}
        self.same = {}        # column: the earlier column of the same code
        # column of cabprof's: {"runs" (measurements), "builds", "hints", "cpu_seconds",
        # "wall_seconds"}
        self.tunings = {}
        self.code_bytes = {}
        self.troubles = []    # (column, words)

    def read(self):
        if os.path.exists(self.file):
            with open(self.file) as file:
                for line in file:
                    words = line.rstrip("\n").split("\t")
                    if len(words) == 4 and words[0].isdigit():
                        self.rounds.setdefault(int(words[0]), {})[words[1]] = float(words[2])

    def write(self, number, times, load):
        """Write a round as a whole, so that none is found in part."""
        self.rounds[number] = times
        with open(self.file, "a") as file:
            file.write("".join("%d\t%s\t%.6f\t%.2f\n" % (number, column, seconds, load)
                               for column, seconds in times.items()))

    def column(self, column):
        """Return the column that was run in the place of COLUMN."""
        return self.same.get(column, column)

    def round_ratios(self, column):
        """Return {round: ratio}."""
        run = self.column(column)
        return {n: times[run] / times[BASE] for n, times in self.rounds.items() if run in times
                and BASE in times}

    def ratio(self, column):
        ratios = list(self.round_ratios(column).values())
        return interval(ratios) if ratios else None

    def seconds(self, column):
        times = [times[self.column(column)] for times in self.rounds.values()
                 if self.column(column) in times]
        return statistics.median(times) if times else None

    def is_slower(self, column):
        """Return true if the gain is beyond the noise: the interval is above 1, and the median is
        outside that of the same program measured twice.
        """
        ratio, again = self.ratio(column), self.ratio(AGAIN)
        if not ratio or self.column(column) == BASE:
            return False
        return ratio[1] > 1 and (not again or ratio[0] > again[2])


def mean_of(programs, column, reference=None):
    """Return (geomean, low, high, n) of COLUMN over the programs that have it (and REFERENCE): of
    the medians, and from round to round.
    """
    have = [p for p in programs if p.ratio(column) and (not reference or p.ratio(reference))]
    if not have:
        return None
    by_round = [p.round_ratios(column) for p in have]
    common = set.intersection(*[set(ratios) for ratios in by_round])
    spread = interval([geomean([ratios[n] for ratios in by_round])
                       for n in common]) if common else (0, 0, 0)
    return geomean([p.ratio(column)[0] for p in have]), spread[1], spread[2], len(have)


def goal(words, value, limit, n, of):
    if value is None:
        return "  not measured   %s" % words
    over = "" if n == of else " over only %d of %d programs" % (n, of)
    return "  %-14s %s: %.3f%s (goal: <= %.3f)" % ("met" if value <= limit else "MISSED", words,
                                                   value, over, limit)


def goals(programs, columns):
    """Return lines of text.  COLUMNS are those of cabprof with everything, of GCC's profile, and of
    the runs for both kinds of profiles: (all, profile, generate, probes).
    """
    tuned, profile, generate, probes = columns
    lines = []
    for kind, words, limit in (("real", "real programs", 0.94), ("kernel", "kernels", 0.94),
                               ("irregular", "irregular kernels", 0.80)):
        mine = [p for p in programs if p.kind == kind]
        mean = mean_of(mine, tuned) or (None, 0, 0, 0)
        lines.append(goal(words + ", all over -O3, geomean", mean[0], limit, mean[3], len(mine)))
    mine = [p for p in programs if p.kind == "real"]
    lines.append(over(mine, tuned, profile, "real programs, all over -fprofile-use, geomean",
                      0.985))
    lines.append(over(programs, probes, generate,
                      "a run for cabprof's profile over one for GCC's, geomean", 0.95))
    have = [p for p in programs if p.ratio(tuned)]
    slower = [p for p in have if p.is_slower(tuned)]
    if have:
        lines.append("  %-14s no program slower than -O3 beyond noise: %s of %d%s" % (
            "MISSED" if slower else "met", len(slower) or "none", len(have),
            "".join("; %s %.3f (%.3f-%.3f)" % (p.name, *p.ratio(tuned)) for p in slower)))
    return lines + goals_of_cost(programs, tuned)


def over(programs, column, reference, words, limit):
    """Return a line: the geomean of COLUMN over that of REFERENCE."""
    mine, other = mean_of(programs, column, reference), mean_of(programs, reference, column)
    value = mine[0] / other[0] if mine and other else None
    return goal(words, value, limit, mine[3] if mine else 0, len(programs))


def goals_of_cost(programs, column):
    tuned = [p.tunings[column] for p in programs if column in p.tunings]
    if not tuned:
        return ["  not measured   cost of tuning"]
    shares = [p.tunings[column]["cpu_seconds"] / p.seconds(BASE)
              for p in programs if column in p.tunings and p.seconds(BASE)]
    lines = [goal("cost of tuning, median of %s" % what,
                  float(statistics.median(t[what] for t in tuned)), limit, len(tuned),
                  len(programs)) for what, limit in (("runs", 25.0), ("builds", 8.0))]
    if shares:
        lines.append("  cost of tuning with its builds, processor time over that of a run: median "
                     "%.0f, most %.0f" % (statistics.median(shares), max(shares)))
    return lines
