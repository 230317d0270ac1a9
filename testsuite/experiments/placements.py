# placements.py - CAB, section 4: does the model choose the cheaper placement?
# SPDX-License-Identifier: GPL-3.0-or-later

import statistics

import chart
import lib
from lab import PLAIN, Case, ratio

TITLE = "Placement by the model"
FIELDS = ("program", "analysis", "thread", "inline", "auto", "auto_of_better", "placed",
          "predicted_of_measured")
CALLS = lib.plugin_flags(events="calls")
PATHS = lib.plugin_flags(events="paths", paths="trace")
MEMORY = lib.plugin_flags(events="memory")
ANALYSES = {"methods": CALLS, "tree": CALLS, "paths": PATHS, "accesses": MEMORY}
PLACEMENTS = ("thread", "inline", "auto")


def measure(lab):
    rows = []
    for program in ("lua",) if lab.quick else ("bzip2", "lua", "sqlite3", "nqueens"):
        for analysis, flags in ANALYSES.items():
            cases, said = {"plain": PLAIN}, []
            for placement in PLACEMENTS:
                cases[placement] = Case(flags, "placement=%s:analyses=%s" % (
                    placement, lab.entered if analysis == "methods" else analysis))

            def note(name, case):
                if name == "auto":
                    said.append(lab.account(program, case))
            times = lab.interleave("placements", program, cases, note)
            if not all(name in times for name in PLACEMENTS):
                continue
            middle = {name: ratio(times, name)[0] for name in PLACEMENTS}
            threads = statistics.median(account["placed_thread"] for account in said)
            exact = [account["thread_predicted_ps"] / account["thread_measured_ps"]
                     for account in said if account["thread_measured_ps"]]
            rows.append((program, analysis, *middle.values(),
                         middle["auto"] / min(middle["thread"], middle["inline"]),
                         "thread" if threads > 0 else "inline",
                         statistics.median(exact) if exact else ""))
    return rows


def picture(rows, path):
    found = {"%s, %s" % row[:2]: dict(zip(PLACEMENTS, row[2:5])) for row in rows}
    chart.write(path, list(found), PLACEMENTS, lambda name, one: (found[name][one],) * 3)


def table(rows):
    return ["program", "analysis", *PLACEMENTS, "auto of the better", "chosen",
            "predicted of measured"], [
        [row[0], row[1], *("%.2f" % value for value in row[2:6]), row[6],
         "" if row[7] == "" else "%.2f" % row[7]] for row in rows]
