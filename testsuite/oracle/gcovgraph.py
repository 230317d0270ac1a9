# gcovgraph.py - flow graphs with exact counts from GCC's .gcno and .gcda files.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Source:  the description of the format at the head of gcc/gcov-io.h (GCC 12: lengths are in bytes;
#          GCC 11: in words).
# Model:   GCC counts only the arcs off a spanning tree; the others follow from the law that what
#          enters a block leaves it. `read' solves for them, and raises Broken where the files do
#          not determine every arc.

import struct

TAG_FUNCTION, TAG_BLOCKS, TAG_ARCS, TAG_LINES = 0x01000000, 0x01410000, 0x01430000, 0x01450000
TAG_ARC_COUNTS = 0x01a10000
ON_TREE, FAKE, FALLTHROUGH = 1, 2, 4
ENTRY, EXIT = 0, 1


class Broken(Exception):
    pass


class Arc:
    __slots__ = ("src", "dst", "fake", "on_tree", "fallthrough", "count")

    def __init__(self, src, dst, flags):
        self.src, self.dst = src, dst
        self.fake, self.on_tree, self.fallthrough = bool(flags & FAKE), bool(flags & ON_TREE), bool(
            flags & FALLTHROUGH)
        self.count = None


class Function:
    def __init__(self, ident, checks, name, file, line, artificial):
        self.ident, self.checks, self.name = ident, checks, name
        self.file, self.line, self.artificial = file, line, artificial
        self.n_blocks = 0
        self.succs = []
        self.lines = {}

    def owned_lines(self):
        """Return the (file, line) that gcov counts by the arcs into blocks: a block is one of the
        greatest line that it has of a file.
        """
        greatest = set()
        for block, lines in self.lines.items():
            if block not in (0, self.n_blocks - 1):
                greatest.update({file: (file, line) for file, line in sorted(lines)}.values())
        return greatest

    def arcs(self):
        return [arc for succs in self.succs for arc in succs]


class Stream:
    """The words and strings of one file."""

    def __init__(self, path, magic):
        with open(path, "rb") as file:
            self.data = file.read()
        self.path, self.at = path, 0
        if self.word() != magic:
            raise Broken("%s: not a gcov file" % path)
        version = self.word()
        # "B22*" is GCC 12.2: major is 10 * (letter - 'A') + digit.
        major = ((version >> 24 & 255) - ord("A")) * 10 + (version >> 16 & 255) - ord("0")
        self.unit = 1 if major >= 12 else 4
        self.stamp = self.word()

    def more(self):
        return self.at + 8 <= len(self.data)

    def word(self):
        if self.at + 4 > len(self.data):
            raise Broken("%s: ends at byte %d" % (self.path, self.at))
        value, = struct.unpack_from("<I", self.data, self.at)
        self.at += 4
        return value

    def string(self):
        length = self.word() * self.unit
        text = self.data[self.at:self.at + length].rstrip(b"\0").decode(errors="replace")
        self.at += length
        return text


def read_notes(path):
    stream = Stream(path, 0x67636e6f)
    if stream.unit == 1:
        stream.word()  # checksum
    stream.string()    # working directory
    stream.word()
    functions, function = [], None
    while stream.more():
        tag, length = stream.word(), stream.word()
        if tag == 0:
            break
        length *= stream.unit
        end = stream.at + length
        if tag == TAG_FUNCTION:
            ident, checks = stream.word(), (stream.word(), stream.word())
            name, artificial = stream.string(), stream.word()
            file, line = stream.string(), stream.word()
            function = Function(ident, checks, name, file, line, artificial)
            functions.append(function)
        elif tag == TAG_BLOCKS:
            function.n_blocks = stream.word()
            function.succs = [[] for _ in range(function.n_blocks)]
        elif tag == TAG_ARCS:
            src = stream.word()
            while stream.at < end:
                dst, flags = stream.word(), stream.word()
                function.succs[src].append(Arc(src, dst, flags))
        elif tag == TAG_LINES:
            read_lines(stream, function)
        stream.at = end
    return stream, functions


def read_lines(stream, function):
    block, file = stream.word(), ""
    while True:
        line = stream.word()
        if line:
            function.lines.setdefault(block, []).append((file, line))
            continue
        file = stream.string()
        if not file:
            return


def read_counts(path, notes, functions):
    stream = Stream(path, 0x67636461)
    if stream.stamp != notes.stamp:
        raise Broken("%s: does not belong to its .gcno" % path)
    if stream.unit == 1:
        stream.word()  # checksum
    by_ident = {function.ident: function for function in functions}
    function = None
    while stream.more():
        tag, length = stream.word(), stream.word()
        if tag == 0:
            break
        # A negative length stands for that many bytes of zeros, which the file leaves out.
        signed = struct.unpack("<i", struct.pack("<I", length))[0]
        end = stream.at + max(signed, 0) * stream.unit
        if tag == TAG_FUNCTION and length:
            function = by_ident.get(stream.word())
            if function and (stream.word(), stream.word()) != function.checks:
                raise Broken("%s: %s: other checksums than in the .gcno" % (path, function.name))
        elif tag == TAG_ARC_COUNTS and function:
            for arc in function.arcs():
                if not arc.on_tree:
                    arc.count = (stream.word() | stream.word() << 32) if signed > 0 else 0
        stream.at = end


def solve(function):
    """Find the counts of the arcs on the tree: if a block has one arc left without a count, the
    others determine it.
    """
    preds = [[] for _ in range(function.n_blocks)]
    for arc in function.arcs():
        if not arc.on_tree and arc.count is None:
            arc.count = 0
        preds[arc.dst].append(arc)
    # ENTRY and EXIT are not balanced by themselves, so they determine nothing.
    work = list(range(2, function.n_blocks))
    while work:
        block = work.pop()
        unknown = [arc for arc in preds[block] + function.succs[block] if arc.count is None]
        if len(unknown) != 1:
            continue
        arc = unknown[0]
        into = sum(a.count for a in preds[block] if a.count is not None)
        out = sum(a.count for a in function.succs[block] if a.count is not None)
        arc.count = into - out if arc.src == block else out - into
        work += [end for end in (arc.src, arc.dst) if end not in (ENTRY, EXIT)]
    left = sum(arc.count is None for arc in function.arcs())
    if left:
        raise Broken("%s: %d arcs are not determined" % (function.name, left))


def read(gcno, gcda):
    """Return the functions of one unit, all arcs with counts. GCDA may be absent (nothing was
    executed): None.
    """
    notes, functions = read_notes(gcno)
    if gcda:
        read_counts(gcda, notes, functions)
    for function in functions:
        solve(function)
    return functions
