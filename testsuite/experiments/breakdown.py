# breakdown.py - CAB, Fig. 8: five analyses, and of what their cost consists.
# SPDX-License-Identifier: GPL-3.0-or-later

import os

import chart
import lib
from lab import HERE, PLAIN, Case, ratio

TITLE = "Five analyses, and what they cost"
FIELDS = ("program", "analysis", "bar", "ratio", "least", "greatest")
BARS = ("instrumentation", "enqueue", "communication", "concurrent", "sequential")
CALLS = lib.plugin_flags(events="calls", ring="cab")
PATHS = lib.plugin_flags(events="paths", paths="trace", ring="cab")
MEMORY = lib.plugin_flags(events="memory", memory_encoding="access")
# Without a queue there is no sentinel to test.
DIRECT = {"methods": lib.plugin_flags(events="calls"), "calls": lib.plugin_flags(events="calls"),
          "tree": lib.plugin_flags(events="calls"),
          "paths": lib.plugin_flags(events="paths", paths="trace"), "cache": MEMORY}
ANALYSES = {"methods": CALLS, "calls": CALLS, "tree": CALLS, "paths": PATHS, "cache": MEMORY}


def cases(lab, analysis):
    flags = ANALYSES[analysis]
    chosen = "analyses=" + analysis
    return {
        "plain": PLAIN,
        "instrumentation": Case([*flags, "-wrapper", os.path.join(HERE, "one_word")], "sample=0%"),
        "enqueue": Case(flags, "sample=0%"),
        "communication": Case(flags, "placement=thread:analyses=" + lab.sum),
        "concurrent": Case(flags, "placement=thread:" + chosen),
        "sequential": Case(DIRECT[analysis], "placement=direct:analyses=" + analysis)
    }


def measure(lab):
    rows = []
    for program in ("lua",) if lab.quick else ("bzip2", "lua", "sqlite3", "nqueens"):
        for analysis in ANALYSES:
            times = lab.interleave("breakdown", program, cases(lab, analysis))
            for bar in BARS:
                found = ratio(times, bar)
                if found:
                    rows.append((program, analysis, bar, *found))
    return rows


def picture(rows, path):
    found = {("%s, %s" % row[:2], row[2]): row[3:] for row in rows}
    names = list(dict.fromkeys(name for name, _ in found))
    chart.write(path, names, BARS, lambda name, bar: found.get((name, bar)))


def table(rows):
    found = {(row[0], row[1], row[2]): row[3] for row in rows}
    keys = list(dict.fromkeys(row[:2] for row in rows))
    return ["program", "analysis", *BARS], [
        [program, analysis, *("%.2f" % found[program, analysis, bar]
                              if (program, analysis, bar) in found else "" for bar in BARS)]
        for program, analysis in keys]
