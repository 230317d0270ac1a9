# recording.py - ALITER, Tables 1 and 2: what recording every address costs, by encoding, with the
# growth of the code, and the points in it that record.
# SPDX-License-Identifier: GPL-3.0-or-later

import os
import sys

import chart
import lib
from lab import HERE, PLAIN, Case, ratio

sys.path.append(os.path.join(HERE, "..", "link"))
from records import records  # noqa: E402

TITLE = "Recording every access, by encoding"
FIELDS = ("kernel", "encoding", "ratio", "least", "greatest", "code_ratio", "words_per_access",
          "regions", "accesses_per_region", "points_per_region", "most_points")
ENCODINGS = ("access", "block", "chain", "loop", "path")
KERNELS = ("2mm", "jacobi", "lu", "sort", "nqueens")


def points(program):
    """Return what the records of PROGRAM say of its regions, of which each is an event: how many
    there are, accesses in the mean one, words in the mean one, and words in the largest one.
    """
    accesses, words = 0, []
    for record in records(program, "F"):
        for line in record.split("\n"):
            fields = line.split("\t")
            accesses += fields[0] == "A"
            if fields[0] == "R":
                words.append(int(fields[2]))
    n = len(words) or 1
    return len(words), accesses / n, sum(words) / n, max(words, default=0)


def measure(lab):
    rows = []
    for program in ("jacobi", "sort") if lab.quick else KERNELS:
        cases, words = {"plain": PLAIN}, {}
        counted = Case(lib.plugin_flags(events="memory"), "analyses=accesses")
        if lab.seconds(program, counted) is None:
            continue
        accesses = lab.account(program, counted)["accesses_told"]
        for encoding in ENCODINGS:
            cases[encoding] = Case(lib.plugin_flags(events="memory", memory_encoding=encoding),
                                   "placement=thread:analyses=methods")

        def note(name, case):
            if name != "plain" and name not in words:
                words[name] = lab.account(program, case)["words_sent"] / accesses
        times = lab.interleave("encodings", program, cases, note)
        for encoding in ENCODINGS:
            found = ratio(times, encoding)
            if found:
                rows.append((program, encoding, *found,
                             lab.code_bytes(program, cases[encoding])
                             / lab.code_bytes(program, PLAIN), words[encoding],
                             *points(os.path.join(lab.folder(program, cases[encoding]),
                                                  program))))
    return rows


def picture(rows, path):
    found = {row[:2]: row[2:5] for row in rows}
    chart.write(path, list(dict.fromkeys(row[0] for row in rows)), ENCODINGS,
                lambda name, encoding: found.get((name, encoding)), low=0.5)


def table(rows):
    return ["kernel", "encoding", "of plain", "least to greatest", "code", "words an access",
            "blocks", "accesses a block", "points a block", "most"], [
        [row[0], row[1], "%.2f" % row[2], "%.2f to %.2f" % row[3:5], "%.2f" % row[5],
         "%.3g" % row[6], "%d" % row[7], "%.2f" % row[8], "%.2f" % row[9], "%d" % row[10]]
        for row in rows]
