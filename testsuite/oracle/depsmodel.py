# depsmodel.py - what `cabprof report deps' must say of a trace, by looking at pairs of accesses.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Each byte has a list of all accesses to it since it was allocated, and each access carries the
# loops around it, with the number of the iteration.  So there is neither a clock nor a shadow, and
# a dependence is found by going back through the list.

import collections
import csv

FAR = 256
Access = collections.namedtuple("Access", "site time loops")
Loop = collections.namedtuple("Loop", "key execution iteration")


def position(now, then):
    """Return (level, distance): the innermost loop of NOW, 1 being the outermost, that THEN was in
    the same execution of, and how many iterations before; 0: in the same."""
    level = 0
    for a, b in zip(now, then):
        if a.execution != b.execution:
            break
        level += 1
        if a.iteration != b.iteration:
            return level, min(a.iteration - b.iteration, FAR)
    return level, 0


class Model:
    """The dependences of one thread: PAIRS of those that a loop carries, by loop, kind, sites and
    distance; TOTALS by loop and name."""

    def __init__(self):
        self.time = self.executions = 0
        self.stack = []                 # [key, execution, iteration]
        self.bytes = collections.defaultdict(list)   # (Access, writes)
        self.blocks = {}
        self.pairs = collections.Counter()
        self.exposed = set()
        self.totals = collections.Counter()

    def loops(self):
        return tuple(Loop(*one) for one in self.stack)

    def mark(self, kind, key):
        self.time += 1
        found = None
        if kind != "begins":
            for i, one in enumerate(self.stack):
                if one[0] == key:
                    found = i
        if found is not None:
            del self.stack[found + (kind != "ends"):]
        elif kind != "ends":
            self.executions += 1
            self.stack.append([key, self.executions, 0])
            self.totals[key, "executions"] += 1
        if kind == "iterates":
            self.stack[-1][2] += 1
            self.totals[key, "iterations"] += 1

    def forget(self, start, end):
        for at in [at for at in self.bytes if start <= at < end]:
            del self.bytes[at]

    def free(self, start):
        size = self.blocks.pop(start, None)
        if size is not None:
            self.forget(start, start + max(size, 1))

    def add(self, kind, source, now, covered):
        """Count a dependence of NOW on SOURCE, which may be None for RAW."""
        level, distance = position(now.loops, source.loops) if source else (0, 0)
        for i, loop in enumerate(now.loops):
            if i + 1 == level and distance:
                self.pairs[loop.key, kind, source.site, now.site, distance] += 1
                self.totals[loop.key, kind] += 1
                if kind == "war" and covered < level:
                    self.exposed.add((loop.key, kind, source.site, now.site))
            elif kind == "raw":
                self.totals[loop.key, "before" if i + 1 > level else "within"] += 1

    def sources(self, at, writes, now):
        """Yield (kind, access, covered) for the byte AT."""
        history = self.bytes[at]
        last = next((i for i in reversed(range(len(history))) if history[i][1]), None)
        if not writes:
            yield "raw", history[last][0] if last is not None else None, 0
            return
        seen = set()
        if last is not None:
            yield "waw", history[last][0], 0
        for access, _ in reversed(history[last + 1 if last is not None else 0:]):
            level, distance = position(now.loops, access.loops)
            if (level, distance > 0) in seen:
                continue
            seen.add((level, distance > 0))
            covered, apart = position(access.loops, history[last][0].loops) \
                if last is not None else (0, 0)
            yield "war", access, covered - (apart > 0)

    def touch(self, site, start, size, writes):
        now = Access(site, self.time, self.loops())
        for line in range(start // 64, (start + size - 1) // 64 + 1):
            found = {}
            for at in range(max(start, line * 64), min(start + size, line * 64 + 64)):
                for kind, access, covered in self.sources(at, writes, now):
                    key = kind, access and (access.site, access.time)
                    old = found.get(key, (access, covered))
                    found[key] = access, min(covered, old[1])
            for (kind, _), (access, covered) in found.items():
                self.add(kind, access, now, covered)
            for at in range(max(start, line * 64), min(start + size, line * 64 + 64)):
                self.bytes[at].append((now, writes))

    def access(self, kind, site, start, size):
        for i, loop in enumerate(self.loops()):
            self.totals[loop.key, "accesses"] += loop.key not in [l.key for l in self.loops()[:i]]
        for writes in {"read": [False], "write": [True], "modify": [False, True]}[kind]:
            self.touch(site, start, size, writes)

    def allocated(self, start, size):
        if start:
            self.forget(start, start + size)
            self.blocks[start] = size

    def moved(self, site, old, new, size):
        had = self.blocks.get(old)
        if new == 0 or old == 0 or new == old:
            if new == old and had is not None:
                self.forget(new + min(had, size), new + max(had, size))
                self.blocks[new] = size
            elif old == 0:
                self.allocated(new, size)
            elif size == 0:
                self.free(old)
            return
        self.forget(new, new + size)
        if had is not None and min(had, size):
            self.touch(site, old, min(had, size), False)
            self.touch(site, new, min(had, size), True)
            self.free(old)
        self.blocks[new] = size


def read(path):
    """Return the models of the threads in PATH, a trace as `trace dump --format=tsv' prints it."""
    models = {}
    with open(path, errors="surrogateescape", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            model = models.setdefault((row["process"], row["thread"]), Model())
            site = row["name"], row["file"], row["line"], row["column"]
            address, size = int(row["address"], 16), int(row["bytes"])
            kind = row["kind"]
            if kind in ("begins", "iterates", "ends"):
                model.mark(kind, site[1:])
            elif kind == "allocated":
                model.allocated(address, size)
            elif kind == "released":
                model.free(address)
            elif kind == "moved":
                model.moved(site, int(row["other"], 16), address, size)
            elif kind in ("read", "write", "modify") and size:
                model.access(kind, site, address, size)
    return models
