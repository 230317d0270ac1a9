# cabgraph.py - the flow graphs in the records of a profile (include/cabprof/info.h).
# SPDX-License-Identifier: GPL-3.0-or-later
#
# They are read from the contract, independently of the command, so that an error in the command's
# reader shows.

import glob
import os


class Edge:
    __slots__ = ("src", "dst", "flags", "value")

    def __init__(self, src, dst, flags, value):
        self.src, self.dst, self.flags, self.value = src, dst, "" if flags == "-" else flags, value


class Function:
    def __init__(self, assembler_name, source_name):
        self.assembler_name, self.source_name = assembler_name, source_name
        self.files, self.declared, self.checksum, self.flags = [], None, "", ""
        self.n_blocks = self.n_paths = 0
        self.edges, self.starts, self.calls, self.lines = [], [], [], {}

    def file(self):
        return self.files[self.declared[0]] if self.declared else ""


def unescape(text):
    out, at = [], 0
    while at < len(text):
        if text[at] == "\\" and at + 1 < len(text):
            out.append({"t": "\t", "n": "\n", "1": "\1", "\\": "\\"}[text[at + 1]])
            at += 2
        else:
            out.append(text[at])
            at += 1
    return "".join(out)


def parse_function(lines):
    head = lines[0].split("\t")
    function = Function(unescape(head[1]), unescape(head[2]))
    for line in lines[1:]:
        field = line.split("\t")
        if field[0] == "f":
            function.files.append(unescape(field[1]))
        elif field[0] == "D":
            function.declared = tuple(int(x) for x in field[1:5])
        elif field[0] == "C":
            function.checksum, function.flags = field[1], field[2]
        elif field[0] == "B":
            function.n_blocks, function.n_paths = int(field[1]), int(field[2])
        elif field[0] == "b":
            function.lines[int(field[1])] = field[2]
        elif field[0] == "e":
            value = int(field[4]) if len(field) > 4 and field[4] not in ("", "-") else 0
            function.edges.append(Edge(int(field[1]), int(field[2]), field[3], value))
        elif field[0] == "s":
            function.starts.append((int(field[1]), int(field[2])))
        elif field[0] == "k":
            function.calls.append(field[1:])
    return function


def read(profile):
    """Return (functions, skipped): all F records of the modules in the profile directory, equal
    ones once, and {assembler name: reason}.
    """
    functions, skipped = {}, {}
    for path in sorted(glob.glob(os.path.join(profile, "modules", "*.info"))):
        with open(path, "rb") as file:
            records = file.read().split(b"\0")
        for record in records:
            if record[:3] == b"\1F1":
                text = record.decode(errors="surrogateescape")
                function = parse_function(text.split("\n"))
                functions.setdefault((function.assembler_name, function.file(), function.checksum),
                                     function)
            elif record[:3] == b"\1S1":
                field = record.decode(errors="surrogateescape").rstrip("\n").split("\t")
                skipped[unescape(field[1])] = field[5]
    return list(functions.values()), skipped
