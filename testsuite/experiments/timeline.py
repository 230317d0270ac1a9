# timeline.py - what the time of each entry and end of a function costs, beside reading the counter
# alone and beside uftrace.
# SPDX-License-Identifier: GPL-3.0-or-later

import os
import shutil
import statistics
import subprocess

import chart
import lib
from lab import PLAIN, Case, ratio

TITLE = "A timeline of calls"
FIELDS = ("program", "case", "ratio", "least", "greatest", "ns_per_event", "ns_above_counter")
FLAGS = lib.plugin_flags(events="calls+time")
CASES = {
    "timeline": Case(FLAGS, "placement=thread:analyses=timeline"),
    "the last 64 MB": Case(FLAGS, "analyses=timeline,keep=64M"),
    "uftrace": Case(["-pg"], None, ["uftrace", "record", "--no-libcall", "--no-pager", "-d",
                                    "uftrace.data"]),
}


def counter_ns(lab):
    """Return the median ns of reading the counter."""
    done = subprocess.run([lab.tool("counter")], check=True, stdout=subprocess.PIPE)
    return statistics.median(float(line) for line in done.stdout.split())


def events(lab, program):
    """Return how many functions were entered and left in a run."""
    case = Case(FLAGS, "analyses=methods")
    if lab.seconds(program, case) is None:
        return 0
    return 2 * sum(int(row["calls"]) for row in lib.table(lab.profile(program, case), "methods"))


def measure(lab):
    rows, counter = [], counter_ns(lab)
    cases = {name: case for name, case in CASES.items()
             if name != "uftrace" or shutil.which("uftrace")}
    for program in ("lua",) if lab.quick else ("bzip2", "lua", "sqlite3", "fib", "nqueens"):
        number = events(lab, program)
        times = lab.interleave("timeline", program, {"plain": PLAIN, **cases},
                               lambda name, case: shutil.rmtree(
                                   os.path.join(lab.folder(program, case), "uftrace.data"),
                                   ignore_errors=True))
        for name in cases:
            found = ratio(times, name)
            if found and number:
                added = 1e9 * (statistics.median(times[name])
                               - statistics.median(times["plain"])) / number
                rows.append((program, name, *found, added, added - counter))
    return rows


def picture(rows, path):
    found = {row[:2]: row[2:5] for row in rows}
    chart.write(path, list(dict.fromkeys(row[0] for row in rows)),
                [name for name in CASES if any(row[1] == name for row in rows)],
                lambda program, name: found.get((program, name)))


def table(rows):
    return ["program", "", "of plain", "least to greatest", "ns an event",
            "above reading the counter"], [
        [row[0], row[1], "%.2f" % row[2], "%.2f to %.2f" % row[3:5], "%.1f" % row[5],
         "%.1f" % row[6]] for row in rows]
