# ring_sizes.py - CAB, Fig. 10 and 15: time, and time in which the program is blocked, by the size
# of the ring.
# SPDX-License-Identifier: GPL-3.0-or-later

import statistics

import draw
import lib
from lab import PLAIN, Case, ratio

TITLE = "The size of the ring"
FIELDS = ("program", "ring_bytes", "ratio", "least", "greatest", "blocked_share")
FLAGS = lib.plugin_flags(events="paths", paths="trace", ring="cab")
SIZES = [2 ** k for k in range(14, 26)]


def measure(lab):
    rows = []
    sizes = SIZES[::4] if lab.quick else SIZES
    for program in ("lua",) if lab.quick else ("bzip2", "lua", "sqlite3"):
        cases, blocked = {"plain": PLAIN}, {}
        for size in sizes:
            cases[size] = Case(FLAGS, "placement=thread:analyses=paths:ring=%d:chunk=%d"
                               % (size, min(size // 4, 128 * 1024)))

        def note(name, case):
            if name != "plain":
                blocked.setdefault(name, []).append(
                    lab.account(program, case).get("waits_ns", 0) / 1e9)
        times = lab.interleave("ring sizes", program, cases, note)
        for size in sizes:
            found = ratio(times, size)
            if found:
                share = statistics.median(blocked[size]) / statistics.median(times[size])
                rows.append((program, size, *found, share))
    return rows


def bytes_of(value):
    return "%dM" % (value // 2 ** 20) if value >= 2 ** 20 else "%dK" % (value // 1024)


def picture(rows, path):
    series = {}
    for row in rows:
        series.setdefault(row[0], []).append((row[1], *row[2:5]))
    draw.lines(path, "Paths traced: time as a multiple of plain, by the size of the ring", series,
               "bytes of the ring", "multiple of plain", x_name=lambda v: "%.0fK" % (v / 1024))


def table(rows):
    return ["program", "ring", "of plain", "least to greatest", "blocked"], [
        [row[0], bytes_of(row[1]), "%.2f" % row[2], "%.2f to %.2f" % row[3:5],
         "%.0f %%" % (100 * row[5])] for row in rows]
