#!/usr/bin/env python3
"""hints_of.py - write a hints file for all loops of some objects: hints_of.py FACTOR OBJECT... [--
WITHOUT]

WITHOUT is a file with the output of `cabprof hints --patch'; loops that it lists get no hint.
SPDX-License-Identifier: GPL-3.0-or-later"""

import json
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../link"))
from records import records  # noqa: E402


def loops(path):
    for record in records(path, "L"):
        lines = [line.split("\t") for line in record.split("\n")]
        files = [line[1] for line in lines if line[0] == "f"]
        for line in (line for line in lines if line[0] == "l"):
            file, at, column = line[1].split(":")
            yield {"function": lines[0][1], "name": lines[0][2], "file": files[int(file)],
                   "line": int(at), "column": int(column),
                   "ordinal": int(line[2]), "checksum": line[4], "flags": line[7]}


def main(arguments):
    listed = set()
    if "--" in arguments:
        with open(arguments.pop()) as file:
            listed = {match.groups()
                      for match in map(re.compile(r"cabprof: (\S+):(\d+): unroll ").match, file)
                      if match}
        arguments.pop()
    rows = [row for path in arguments[1:] for row in loops(path)
            if (row["file"], str(row["line"])) not in listed]
    for row in rows:
        row["unroll"] = int(arguments[0])
    json.dump({"schema": 1, "format": "cabprof hints", "cabprof": "0.1", "loops": rows}, sys.stdout,
              indent=1)


main(sys.argv[1:])
