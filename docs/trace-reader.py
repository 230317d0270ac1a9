#!/usr/bin/env python3
# trace-reader.py - every access that a packed trace tells: process.thread, what, address, bytes.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Made from docs/trace.md, docs/events.md and the comments of include/cabprof/info.h and profile.h alone, as an example of a reader that
# knows nothing of cabprof.  Of a compressed trace: zstd -dc TRACE | docs/trace-reader.py
import re, struct, sys
M, C1, C2 = 2**64 - 1, 0x9e3779b97f4a7c15, 0xff51afd7ed558ccd


class Predictor:
    """Predicted words: trace.md has the same names."""

    def __init__ (self):
        self.header, self.last, self.step, self.follower = [0] * 2**16, [0] * 2**14, [0] * 2**14, [0] * 2**17

    def hash (self, a, b, bits):
        return (((a * C1) ^ b) * C2 & M) >> 64 - bits

    def number (self):
        n = shift = 0
        while True:
            byte, self.at = self.data[self.at], self.at + 1
            n, shift = n | (byte & 127) << shift, shift + 7
            if byte < 128:
                return n

    def event (self, foreseen):
        how, known = 1, self.hash (*self.behind, 16)
        if not foreseen:
            how, self.at = self.data[self.at], self.at + 1
            if not how & 1:
                self.header[known], self.at = struct.unpack_from ("<Q", self.data, self.at)[0], self.at + 8
        word = self.header[known]
        self.behind = word, self.behind[0]
        n = min ((word >> 4 & 0xfff) if word & 15 in (4, 14) else 0, self.total - len (self.words) - 1)
        ways = [how >> 1 + 2 * i & 3 for i in range (3)]
        more = 0 if foreseen else n // 4
        for byte in self.data[self.at:self.at + more]:
            ways += [byte >> 2 * i & 3 for i in range (4)]
        self.at += more
        self.words.append (word)
        for i in range (n):
            slot = self.hash (word, i, 14)
            follower = self.hash (word + i & M, self.last[slot], 17)
            value = self.last[slot] + self.step[slot] & M
            if not foreseen and ways[i] == 1:
                value = self.follower[follower]
            elif not foreseen and ways[i] == 2:
                d = self.number ()
                value = value + (-(d + 1 >> 1) if d & 1 else d >> 1) & M
            self.follower[follower] = value
            self.step[slot], self.last[slot] = value - self.last[slot] & M, value
            self.words.append (value)

    def decode (self, data):
        self.data, self.at, self.words, self.behind = data, 8, [], (0, 0)
        self.total, = struct.unpack_from ("<Q", data)
        while True:
            for i in range (self.number ()):
                self.event (True)
            if len (self.words) == self.total:
                return self.words
            self.event (False)

# info.h, R, N and A lines: BASE[,STEP...]
def term (text, words, counters):
    base, *steps = text.split (",")
    value = lambda t: sum (int (sign + "1") * (words[int (n)] if w else int (n)) for sign, w, n in re.findall (r"([+-]?)(w?)(\d+)", t))
    return value (base) + sum (value (step) * n for step, n in zip (steps, counters))

def access (line, words, counters):
    flags, size, word, offset, step = line[4:9]
    base = 0 if word == "-" else words[int (word)]
    steps = "0" if step == "-" else "0," + step
    kind = "modify" if "r" in flags and "w" in flags else "read" if "r" in flags else "write"
    return kind, base + int (offset) + term (steps, words, counters) & M, words[int (size)] if "g" in flags else int (size)

def signed (value, bits):
    return value - (value >> bits - 1 << bits)

# A level of a nest: what stands behind its N line, so often, or if its condition holds.
def level (lines, number, words, counters):
    how, bits, left, right = next (line[4:] for line in lines if line[0] == "N" and line[2] == number)
    bits = int (bits)
    a = term (left, words, counters) % 2**bits
    passes = [counters]
    if how == "loop":
        passes = [counters + [i] for i in range (a + 1)]
    else:
        b = term (right, words, counters) % 2**bits
        if how[0] == "s":
            a, b = signed (a, bits), signed (b, bits)
        if not { "<": a < b, "<=": a <= b, "==": a == b, "!=": a != b }[how.lstrip ("s")]:
            return
    for counters in passes:
        for line in lines:
            if line[0] == "A" and line[9] == number:
                yield access (line, words, counters)
            elif line[0] == "N" and line[3] == number:
                yield from level (lines, line[2], words, counters)

# What REGION of a function's RECORD has accessed, by the raw WORDS of an event.
def region (record, number, words):
    lines = [line for line in record if line[0] in ("A", "N") and line[2 if line[0] == "A" else 1] == number]
    count, = (line[3] for line in record if line[0] == "R" and line[1] == number)
    if count == "nest":
        yield from level (lines, "0", words, [])
        return
    n, parts = divmod (words[int (count)], 256) if count != "-" else (0, 256)
    for i in range (n + 1):
        yield from (access (line, words, [i]) for line in lines if i < n or int (line[9]) < parts)

def told (record, word, raw):
    form = word >> 16 & 0xff
    if form == 0:
        return region (record, str (word >> 24 & 0xfffff), raw)
    return [("allocated", *raw) if form == 1 else ("released", *raw, 0) if form == 2 else ("moved", *raw[1:])]

data = sys.stdin.buffer.read ()
assert struct.unpack_from ("<8sII", data) == (b"CABTRAC\0", 1, 0x01020304)
functions, modules, predictor, place = {}, {}, Predictor (), 16
while place < len (data):
    mark, kind, method, process, table, owner, thread, at, stamp, n = struct.unpack_from ("<IHHIIIIQQQ", data, place)
    content, place = data[place + 48:place + 48 + n], place + 48 + n
    assert mark == 0x4d524643
    if kind == 2 and table == 3:
        for i in range (0, n, 40):
            functions[process, (at + i) // 40 + 1] = struct.unpack_from ("<II", content, i)
    elif kind == 3:
        modules[process, owner] = content
    elif kind == 4:
        words = predictor.decode (content) if method else struct.unpack ("<%dQ" % (n // 8), content)
        i = 0
        while i < len (words):
            word, raw = words[i], words[i + 1:i + 1 + (words[i] >> 4 & 0xfff)] if words[i] & 15 in (4, 14) else ()
            i += 1 + len (raw)
            if word & 15 == 4:
                module, begin = functions[process, word >> 44]
                record = modules[process, module][begin:].split (b"\0", 1)[0].decode ()
                for what, address, size in told ([line.split ("\t") for line in record.split ("\n")], word, raw):
                    print (f"{process}.{thread + 1} {what} {address:#x} {size}")
