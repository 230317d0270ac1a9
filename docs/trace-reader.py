#!/usr/bin/env python3
# trace-reader.py - every access that a packed trace tells: process.thread, what, address, bytes.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Made from docs/trace.md, docs/events.md and the comments of include/cabprof/info.h and profile.h alone, as an example of a reader that
# knows nothing of cabprof.  Of a compressed trace: zstd -dc TRACE | docs/trace-reader.py
import re, struct, sys
M = 2**64 - 1


class Predictor:
    """Predicted words: trace.md has the same names."""

    def __init__ (self):
        self.header, self.next, self.slot, self.context = [0] * 2**13, [0] * 2**14, [(0, 0)] * 2**16, 0

    def data (self, n):
        self.at += n
        return int.from_bytes (self.chunk[self.at - n:self.at], "little")

    def difference (self, n):
        d = self.data (n)
        return -(d + 1 >> 1) if d & 1 else d >> 1

    def find_header (self, code):
        place = self.next[self.context]
        if code == 1:
            place = self.data (2)
        elif code:
            word = self.header[place] + self.difference (code - 1) & M
            place = (word * 0x9e3779b97f4a7c15 & M) >> 51
            self.header[place] = word
        self.next[self.context] = place
        self.context = (16 * self.context ^ 0x9e5 * place) % 2**14
        return place

    def find_raw (self, slot, code):
        last, step = self.slot[slot]
        if code:
            step = self.difference (code - 1) & M
        self.slot[slot] = last + step & M, step
        return last + step & M

    def decode (self, chunk):
        total, how = struct.unpack_from ("<QQ", chunk)
        self.chunk, self.at, words = chunk, 16 + how, []
        codes, i = [code for byte in chunk[16:16 + how] for code in (byte & 15, byte >> 4)], 0
        while len (words) < total:
            place = self.find_header (codes[i])
            word = self.header[place]
            n = min ((word >> 4 & 0xfff) if word & 15 in (4, 14) else 0, total - len (words) - 1)
            words.append (word)
            words += [self.find_raw ((8 * place + k) % 2**16, codes[i + 1 + k]) for k in range (n)]
            i += n // 2 * 2 + 2
        return words

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

# The A and N lines of region NUMBER; a P line stands for accesses of others, by number: 0-2,5.
def lines_of (record, number):
    for line in record:
        if line[0] in ("A", "N") and line[2 if line[0] == "A" else 1] == number:
            yield line
        elif line[0] == "P" and line[1] == number:
            for first, last in re.findall (r"(\d+)-?(\d*)", line[3]):
                yield from (next (a for a in record if a[0] == "A" and a[1] == str (k)) for k in range (int (first), int (last or first) + 1))

# What REGION of a function's RECORD has accessed, by the raw WORDS of an event.
def region (record, number, words):
    lines = [line for line in lines_of (record, number) if line[0] == "N" or set (line[4]) & set ("rw")]   # others are values, and no accesses
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
assert struct.unpack_from ("<8sII", data) == (b"CABTRAC\0", 2, 0x01020304)
functions, modules, predictors, place = {}, {}, {}, 16
while place < len (data):
    mark, kind, method, process, table, owner, thread, at, stamp, n = struct.unpack_from ("<IHHIIIIQQQ", data, place)
    content, place = data[place + 48:place + 48 + n], place + 48 + n
    assert mark == 0x4d524643
    if kind == 1:
        predictors[process] = Predictor ()
    elif kind == 2 and table == 3:
        for i in range (0, n, 40):
            functions[process, (at + i) // 40 + 1] = struct.unpack_from ("<II", content, i)
    elif kind == 3:
        modules[process, owner] = content
    elif kind == 4:
        words = predictors[process].decode (content) if method else struct.unpack ("<%dQ" % (n // 8), content)
        i = 0
        while i < len (words):
            word, raw = words[i], words[i + 1:i + 1 + (words[i] >> 4 & 0xfff)] if words[i] & 15 in (4, 14) else ()
            i += 1 + len (raw)
            if word & 15 == 4:
                module, begin = functions[process, word >> 44]
                record = modules[process, module][begin:].split (b"\0", 1)[0].decode ()
                for what, address, size in told ([line.split ("\t") for line in record.split ("\n")], word, raw):
                    print (f"{process}.{thread + 1} {what} {address:#x} {size}")
