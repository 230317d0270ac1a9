# accesslog.py - read what accesslog.c wrote, and regenerate the accesses from it and from the
# program's records, as info.h describes them.
# SPDX-License-Identifier: GPL-3.0-or-later

import array
import copy
import os
import re

import lib

MOST_WORDS = 4000000    # words of a log that are read
FIRST = 2               # word of the first entry
ESCAPES = {"t": "\t", "n": "\n", "1": "\1", "\\": "\\"}


class Access:
    def __init__(self, fields):
        (self.number, self.region, self.place, self.flags, self.bytes, self.word, self.offset,
         self.step, self.part, self.loop, self.name,
         self.structure) = fields[:12]
        self.steps = [] if self.step == "-" else self.step.split(",")
        self.number, self.region, self.bytes, self.offset, self.part = (
            int(x) for x in (self.number, self.region, self.bytes, self.offset, self.part))
        self.word = None if self.word == "-" else int(self.word)
        self.is_range = "g" in self.flags
        # Another path, or a copy of the loop's body, has the same access under that number.
        self.told_as = int(fields[12]) if len(fields) > 12 else self.number


class Level:
    """A level of a nest, with what belongs to it."""
    def __init__(self, fields):
        self.number, self.parent, self.how, self.bits, self.left, self.right = fields
        self.bits, self.content = int(self.bits), []


class Nest:
    """Yield the accesses of an event in their order: levels inside each other, walked as they
    stand.
    """
    def __init__(self):
        self.levels = {}

    def add_level(self, level):
        self.levels[level.number] = level
        if level.parent != "-":
            self.levels[level.parent].content.append(level)

    def add_access(self, access):
        self.levels[str(access.part)].content.append(access)

    @staticmethod
    def base(text, words):
        match = re.fullmatch(r"(?:w(\d+))?([+-]?\d+)?", text)
        return (words[int(match[1])] if match[1] else 0) + int(match[2] or 0)

    def term(self, text, words, counters):
        base, *steps = text.split(",")
        return self.base(base, words) + sum(self.base(step, words) * n
                                            for step, n in zip(steps, counters))

    def operand(self, level, text, words, counters):
        value = self.term(text, words, counters) % 2 ** level.bits
        return value - 2 ** level.bits if level.how[0] == "s" and value >> level.bits - 1 else value

    def walk(self, level, words, counters):
        if level.how == "loop":
            last = self.operand(level, level.left, words, counters)
            assert last < MOST_WORDS, "a loop of %d iterations: no program of these has one" % (
                last + 1)
            for i in range(last + 1):
                yield from self.content(level, words, counters + [i])
            return
        left, right = (self.operand(level, text, words, counters)
                       for text in (level.left, level.right))
        if {"<": left < right, "<=": left <= right, "==": left == right,
            "!=": left != right}[level.how.lstrip("s")]:
            yield from self.content(level, words, counters)

    def content(self, level, words, counters):
        for item in level.content:
            if isinstance(item, Level):
                yield from self.walk(item, words, counters)
            else:
                base = item.offset + (0 if item.word is None else words[item.word])
                address = base + sum(self.base(step, words) * n
                                     for step, n in zip(item.steps, counters))
                yield item.told_as, address & (2 ** 64 - 1), item.bytes

    def generate(self, words):
        yield from self.walk(self.levels["0"], words, [])


class Function:
    def __init__(self, text):
        lines = [line.split("\t") for line in text.split("\n")]
        assert lines[0][0] == "F1", text[:100]
        self.name = lines[0][1]
        self.regions, self.accesses, self.loops, told = {}, [], [], {}
        for line in lines[1:]:
            if line[0] == "R":
                how = Nest() if line[3] == "nest" else None if line[3] == "-" else int(line[3])
                self.regions[int(line[1])] = (int(line[2]), how, [])
            elif line[0] == "N":
                self.regions[int(line[1])][1].add_level(Level(line[2:]))
            elif line[0] == "A":
                access = told[int(line[1])] = Access(line[1:])
                self.accesses.append(access)
                how = self.regions[access.region][1]
                self.regions[access.region][2].append(access)
                if isinstance(how, Nest):
                    how.add_access(access)
            elif line[0] == "P":
                number = int(line[2])
                for run in line[3].split(","):
                    first, _, last = run.partition("-")
                    for of in range(int(first), int(last or first) + 1):
                        access = copy.copy(told[of])
                        access.number, access.region, number = number, int(line[1]), number + 1
                        self.accesses.append(access)
                        self.regions[access.region][2].append(access)
            elif line[0] == "T":
                self.loops.append(line[1:])
        self.accesses.sort(key=lambda access: access.number)
        assert [access.number for access in self.accesses] == list(range(len(self.accesses)))
        self.n_told = len(told)


def generate(function, region, words):
    """Yield what an event of REGION with raw WORDS stands for: (number of the access, address,
    bytes), in order.
    """
    n_words, count, accesses = function.regions[region]
    assert n_words == len(words), "region %d of %s: %d words" % (region, function.name, len(words))
    if isinstance(count, Nest):
        yield from count.generate(words)
        return
    whole, parts = (words[count] >> 8, words[count] & 255) if count is not None else (1, 0)
    for i in range(whole + (parts > 0)):
        for a in accesses:
            if i == whole and a.part >= parts:
                continue
            step = 0 if a.step == "-" else words[int(a.step[1:])] if a.step[0] == "w" else int(
                a.step)
            address = (0 if a.word is None else words[a.word]) + a.offset + i * step
            yield a.told_as, address & (2 ** 64 - 1), words[a.bytes] if a.is_range else a.bytes


def records(program):
    """Return section .cabprof_info of PROGRAM."""
    lib.run(["objcopy", "--dump-section", ".cabprof_info=records", program, "/dev/null"])
    with open("records", "rb") as file:
        data = file.read()
    os.unlink("records")
    return data


def read(log, program, most=MOST_WORDS):
    """Return ({thread: [(function, region, words)]}, all of the log was read); at most MOST words
    of it are read.
    """
    with open(log, "rb") as file:
        head = array.array("Q", file.read(8))
        file.seek(8 * FIRST)
        words = array.array("Q", file.read(8 * (min(head[0], most) - FIRST)))
    data, functions, recorded, threads, at = records(program), {}, {}, {}, 0
    while at < len(words):
        kind, n = words[at] >> 8 & 255, words[at] & 255
        entry = words[at + 1:at + 1 + n]
        if len(entry) < n or not words[at]:
            break
        if kind == 2:
            offset = entry[2] & 0xffffffff
            assert data[offset] == 1
            # Threads that reach a function at the same moment give it a number each.
            if offset not in recorded:
                recorded[offset] = Function(data[offset + 1:data.index(0, offset)].decode())
            functions[entry[0]] = recorded[offset]
        elif kind == 1 and entry[0] >> 16 & 255 == 0:
            threads.setdefault(words[at] >> 16, []).append((functions[entry[0] >> 44],
                                                            entry[0] >> 24 & 0xfffff, entry[1:]))
        at += 1 + n
    return threads, at == len(words) and head[0] <= most
