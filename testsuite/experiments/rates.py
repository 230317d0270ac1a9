# rates.py - CAB, Fig. 11: what reading a share of the events costs, and how wrong it is.
# SPDX-License-Identifier: GPL-3.0-or-later

import statistics

import draw
import lib
from lab import PLAIN, Case, ratio

TITLE = "Reading a share of the events"
PICTURES = ("rates", "rates-error")
FIELDS = ("program", "analysis", "rate_percent", "ratio", "least", "greatest", "read_percent",
          "error", "overlap")
ANALYSES = {"calls": lib.plugin_flags(events="calls", ring="cab"),
            "paths": lib.plugin_flags(events="paths", paths="trace", ring="cab")}
RATES = (0, 0.1, 0.5, 1, 5, 10, 20, 50, 100)
NAMES = {"calls": ("caller", "callee", "file", "line"), "paths": ("function", "path")}


def counts(lab, program, case, analysis):
    """Return {key: count} of the last run."""
    found = {}
    for row in lib.table(lab.profile(program, case), analysis):
        key = tuple(row.get(name, "") for name in NAMES[analysis])
        found[key] = found.get(key, 0) + int(row["count"])
    return found


def error(true, estimated):
    """Return the paper's error: the mean over all keys of the relative error of each."""
    wrong = [abs(n - estimated.get(key, 0)) / n for key, n in true.items() if n]
    return sum(wrong) / len(wrong) if wrong else 0


def overlap(true, estimated):
    """Return the weighted overlap: the sum over all keys of the smaller of both shares."""
    n, m = sum(true.values()), sum(estimated.values())
    return sum(min(c / n, estimated.get(key, 0) / m) for key, c in true.items()) if n and m else 0


def measure(lab):
    rows = []
    for program in ("lua",) if lab.quick else ("bzip2", "lua", "sqlite3"):
        for analysis, flags in ANALYSES.items():
            cases = {"plain": PLAIN, "all": Case(flags, "analyses=" + analysis)}
            for rate in (0, 1, 20) if lab.quick else RATES:
                cases[rate] = Case(flags, "sample=%g%%:analyses=%s" % (rate, analysis))
            seen, read = {}, {}

            def note(name, case):
                if name not in ("plain", 0):
                    seen.setdefault(name, []).append(counts(lab, program, case, analysis))
                    account = lab.account(program, case)
                    read.setdefault(name, []).append(
                        100 * account["events_analysed"] / account["events_sent"])
            times = lab.interleave("rates", program, cases, note)
            for name in list(cases)[1:]:
                found = ratio(times, name)
                if not found or "all" not in seen:
                    continue
                true = seen["all"][0]
                some = seen.get(name, [])
                middle = lambda of: statistics.median(of(true, s) for s in some) if some else ""
                rows.append((program, analysis, name, *found,
                             statistics.median(read[name]) if some else 0,
                             middle(error), middle(overlap)))
    return rows


def picture(rows, path):
    costs, errors = {}, {}
    for row in rows:
        if row[2] not in ("all", 0):
            costs.setdefault("%s, %s" % row[:2], []).append((row[2], *row[3:6]))
            errors.setdefault("%s, %s" % row[:2], []).append((row[2], *(100 * row[7],) * 3))
    draw.lines(path, "Time as a multiple of plain, by the share of the events that is asked for",
               costs, "% of the events", "multiple of plain")
    draw.lines(path.replace(".svg", "-error.svg"), "Error of the counts, by the same", errors,
               "% of the events", "% of the true count, mean", linear_y=True)


def table(rows):
    def percent(value):
        return "" if value == "" else "%.1f %%" % (100 * value)
    return ["program", "analysis", "asked for", "read", "of plain", "least to greatest",
            "error", "overlap"], [
        [row[0], row[1], "all, none lost" if row[2] == "all" else "%g %%" % row[2],
         "%.3g %%" % row[6], "%.2f" % row[3], "%.2f to %.2f" % row[4:6], percent(row[7]),
         percent(row[8])] for row in rows]
