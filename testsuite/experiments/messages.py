# messages.py - serialization sets, Table 4: what a message to a delegate costs its sender, by its
# size.
# SPDX-License-Identifier: GPL-3.0-or-later

import os
import shutil
import statistics
import subprocess

import draw

TITLE = "What a message to a delegate costs"
FIELDS = ("bytes", "to", "cycles", "least", "greatest", "ns", "by_delegate_percent")
PAPER = {4: (45, 49), 64: (45, 243)}   # cycles: on one chip, between chips


def measure(lab):
    blocks, data = {}, os.path.join(lab.place, "messages.profile")
    for number in range(lab.rounds):
        print("\rmessages: round %d of %d" % (number + 1, lab.rounds), end="", flush=True)
        shutil.rmtree(data, ignore_errors=True)
        done = subprocess.run([lab.tool("message")], check=True, stdout=subprocess.PIPE,
                              env=dict(os.environ, CAB_TEST_RUN="1", CABPROF_OPTIONS="data=%s:"
                                       "placement=thread:delegates=2" % data))
        for line in done.stdout.decode().splitlines():
            size, to, *values = line.split("\t")
            blocks.setdefault((int(size), to), []).append([float(value) for value in values])
    print()
    rows = []
    for (size, to), found in blocks.items():
        cycles, ns, share = zip(*found)
        rows.append((size, to, statistics.median(cycles), min(cycles), max(cycles),
                     statistics.median(ns), statistics.median(share)))
    return rows


def picture(rows, path):
    series = {}
    for row in rows:
        series.setdefault(row[1], []).append((row[0], *row[2:5]))
    draw.lines(path, "Cycles of the time stamp counter for a message, by its bytes", series,
               "bytes", "cycles", linear_y=True)


def table(rows):
    return ["bytes", "to", "cycles", "least to greatest", "ns", "taken out by the delegate",
            "the paper's cycles: one chip, between chips"], [
        [str(row[0]), row[1], "%.1f" % row[2], "%.1f to %.1f" % row[3:5], "%.1f" % row[5],
         "%.0f %%" % row[6],
         "%d, %d" % PAPER[row[0]] if row[1] == "delegate" and row[0] in PAPER else ""]
        for row in rows]
