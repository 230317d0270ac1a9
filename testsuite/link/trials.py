#!/usr/bin/env python3
"""trials.py - compare the copies of a trials build with builds that have the same hints:
trials.py PLUGIN COMPILER FILE LEVEL NAMED [EVERY]

NAMED names all innermost loops of FILE.  For each loop of each tried function, and for every
EVERYth hint that is tried on it, FILE is compiled with that hint: what became of the loop in this
function must be what became of it in the copy.
SPDX-License-Identifier: GPL-3.0-or-later"""

import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from records import records, sections  # noqa: E402

NO_LOOP = "-"


def compile_with(arguments, option, path, output):
    plugin, compiler, file, level = arguments[:4]
    subprocess.run([compiler, "-fplugin=" + plugin, "-fplugin-arg-cabprof-" + option + "=" + path,
                    "-c", file, "-o", output, "-w"] + level.split(), check=True)


def outcomes(path):
    """Return the words by holder, copy (or None), and loop."""
    found = {}
    for record in records(path, "O"):
        lines = [line.split("\t") for line in record.split("\n")]
        copy = lines[0][2] if len(lines[0]) > 2 else None
        for line in lines:
            if line[0] == "o":
                file, at, column = line[2].split(":")
                found[lines[0][1], copy, (line[1], at, column, line[3])] = line[4]
    return found


def trials(path):
    """Yield for each function its name, its loops, and the lines of its copies."""
    with open(path, "rb") as file:
        texts = [text for name, contents in sections(file.read()) if name.startswith(".rodata")
                 for text in contents.split(b"\0") if text.startswith(b"f\t")]
    for text in texts:
        lines = [line.split("\t") for line in text.decode().rstrip("\n").split("\n")]
        yield (lines[0][1],
               [(line[1], line[3], line[4], line[5]) for line in lines if line[0] == "l"],
               [line for line in lines if line[0] == "v"])


def key(row):
    return row["function"], str(row["line"]), str(row["column"]), str(row["ordinal"])


def hints_for(named, loops, loop, copy):
    """Return the hints that COPY, with a hint for LOOP, stands for; heads of the others of LOOPS
    are aligned.
    """
    rows = []
    for row in named["loops"]:
        if key(row) == loop:
            row = dict(row, unroll=int(copy[2]), align=int(copy[4]), prefetch=int(copy[5]))
            if copy[3] != NO_LOOP:
                row["vectorize"] = copy[3] == "1"
            rows.append(row)
        elif key(row) in loops:
            rows.append(dict(row, align=64))
    return dict(named, loops=rows)


def check(arguments, named, every):
    compile_with(arguments, "trials", arguments[4], "trials.o")
    tried, n, bad = outcomes("trials.o"), 0, 0
    for function, loops, copies in trials("trials.o"):
        if ".loop" in function:
            continue   # its copies are side by side, in one function that has one record
        if (function, None) in {(holder, copy) for holder, copy, _ in tried}:
            print(f"{function}: the dispatcher has a record")
            bad += 1
        for number, copy in enumerate(copies):
            if copy[1] == NO_LOOP or number % every:
                continue
            loop = loops[int(copy[1])]
            with open("one.hints", "w") as file:
                json.dump(hints_for(named, loops, loop, copy), file)
            compile_with(arguments, "feedback", "one.hints", "hinted.o")
            built = outcomes("hinted.o").get((function, None, loop))
            if built != tried.get((function, str(number), loop)) or built != copy[8]:
                print(f"{function}, line {loop[1]}, {copy[2:6]}: {copy[8]}, not {built}")
                bad += 1
            n += 1
    print(n, "copies compared,", bad, "bad")
    return bad or not n


def main(arguments):
    with open(arguments[4]) as file:
        named = json.load(file)
    sys.exit(bool(check(arguments, named, int(arguments[5]) if len(arguments) > 5 else 1)))


main(sys.argv[1:])
