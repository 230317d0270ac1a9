# queues.py - CAB, Fig. 7: queues side by side, for calls and for paths.
# SPDX-License-Identifier: GPL-3.0-or-later

import chart
import lib
from lab import PLAIN, Case, ratio

TITLE = "Queues between the program and its analysis"
FIELDS = ("program", "analysis", "queue", "ratio", "least", "greatest", "ratio_to_cab")
QUEUES = ("chunk", "cab", "pipa", "fastforward", "sequential")
EVENTS = {"calls": dict(events="calls"), "paths": dict(events="paths", paths="trace")}


def measure(lab):
    rows = []
    for program in ("lua",) if lab.quick else ("bzip2", "lua", "sqlite3", "fib", "nqueens"):
        for analysis, options in EVENTS.items():
            cases = {"plain": PLAIN}
            for queue in QUEUES[:-1]:
                cases[queue] = Case(lib.plugin_flags(ring=queue, **options),
                                    "placement=thread:analyses=" + analysis)
            # No queue: each event is analysed where it happens.
            cases["sequential"] = Case(lib.plugin_flags(**options),
                                       "placement=direct:analyses=" + analysis)
            times = lab.interleave("queues", program, cases)
            for queue in QUEUES:
                found = ratio(times, queue)
                if found and "cab" in times:
                    rows.append((program, analysis, queue, *found,
                                 ratio(times, queue, of="cab")[0]))
    return rows


def picture(rows, path):
    found = {("%s, %s" % row[:2], row[2]): row[3:6] for row in rows}
    names = list(dict.fromkeys(name for name, _ in found))
    chart.write(path, names, QUEUES, lambda name, queue: found.get((name, queue)))


def table(rows):
    return ["program", "analysis", "queue", "of plain", "least to greatest", "of cab"], [
        [row[0], row[1], row[2], "%.2f" % row[3], "%.2f to %.2f" % row[4:6], "%.2f" % row[6]]
        for row in rows]
