# rates.py - CAB, Fig. 11: what reading a share of the events costs, and how wrong it is.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Beside the errors of what was read are those of bursts, and of single events, that are drawn at
# random from all events (drawn.c), as large and as many as those that were read.

import statistics

import draw
import lib
from lab import PLAIN, Case, ratio

TITLE = "Reading a share of the events"
PICTURES = ("rates", "rates-error")
FIELDS = ("program", "analysis", "rate_percent", "ratio", "least", "greatest", "read_percent",
          "error", "overlap", "random_error", "random_overlap", "single_error",
          "single_overlap")
ANALYSES = {"calls": lib.plugin_flags(events="calls", ring="cab"),
            "paths": lib.plugin_flags(events="paths", paths="trace", ring="cab")}
RATES = (0, 0.1, 0.5, 1, 5, 10, 20, 50, 100)
NAMES = {"calls": ("caller", "callee", "line"), "paths": ("function", "path")}
DRAWN_NAMES = {"calls": ("function", "callee", "line"), "paths": ("function", "path")}
BURST_WORDS = 8
AT_ONCE = 3    # rates that drawn.c takes


def sums(rows, names, column):
    """Return {key: sum of COLUMN}; a key is what the columns NAMES have."""
    found = {}
    for row in rows:
        key = tuple(row.get(name, "") for name in names)
        found[key] = found.get(key, 0) + float(row[column])
    return found


def counts(lab, program, case, analysis):
    """Return {key: count} of the last run."""
    return sums(lib.table(lab.profile(program, case), analysis), NAMES[analysis], "count")


def error(true, estimated):
    """Return the paper's error: the mean over all keys of the relative error of each."""
    wrong = [abs(n - estimated.get(key, 0)) / n for key, n in true.items() if n]
    return sum(wrong) / len(wrong) if wrong else 0


def overlap(true, estimated):
    """Return the weighted overlap: the sum over all keys of the smaller of both shares."""
    n, m = sum(true.values()), sum(estimated.values())
    return sum(min(c / n, estimated.get(key, 0) / m) for key, c in true.items()) if n and m else 0


def drawn(lab, program, flags, analysis, rates, words):
    """Draw at RATES, in percent, from all events of a run that sends WORDS; return for each rate
    the mean errors and overlaps: (of bursts, of bursts, of single events, of single events).
    """
    def run(burst, millionths):
        case = Case(flags, "analyses=%s,burst=%d,rates=%s" % (
            lab.drawn, burst, "/".join("%d" % rate for rate in millionths)))
        if lab.seconds(program, case) is None:
            return []
        return lib.table(lab.profile(program, case), "drawn")

    if len(rates) > AT_ONCE:
        return {**drawn(lab, program, flags, analysis, rates[:AT_ONCE], words),
                **drawn(lab, program, flags, analysis, rates[AT_ONCE:], words)}
    all_rows = sum(int(row["rows"]) for row in run(BURST_WORDS, [1]))
    table = run(max(BURST_WORDS, round(BURST_WORDS * all_rows / max(words, 1))),
                [max(1, 1e4 * rate) for rate in rates])
    if not table:
        return {}
    names, answer = DRAWN_NAMES[analysis], {}
    true = sums(table, names, "count")
    for number, rate in enumerate(rates):
        answer[rate] = []
        for kind in "bursts", "events":
            tried = [sums(table, names, name) for name in table[0]
                     if name.startswith("%s_%d_" % (kind, number))]
            answer[rate] += [statistics.mean(of(true, one) for one in tried)
                             for of in (error, overlap)]
    return answer


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
            if "all" not in seen:
                continue
            lab.seconds(program, cases["all"])
            words = lab.account(program, cases["all"])["words_sent"]
            some_read = {name: statistics.median(read[name]) for name in read if name != "all"}
            random = drawn(lab, program, flags, analysis, list(some_read.values()), words)
            for name in list(cases)[1:]:
                found = ratio(times, name)
                if not found:
                    continue
                true = seen["all"][0]
                some = seen.get(name, [])
                middle = lambda of: statistics.median(of(true, s) for s in some) if some else ""
                rows.append((program, analysis, name, *found,
                             statistics.median(read[name]) if some else 0,
                             middle(error), middle(overlap),
                             *random.get(some_read.get(name), ("",) * 4)))
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
            "error", "overlap", "random bursts: error", "overlap", "single events: error",
            "overlap"], [
        [row[0], row[1], "all, none lost" if row[2] == "all" else "%g %%" % row[2],
         "%.3g %%" % row[6], "%.2f" % row[3], "%.2f to %.2f" % row[4:6],
         *(percent(value) for value in row[7:])] for row in rows]
