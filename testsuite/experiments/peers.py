# peers.py - what an event costs its producer beside other work: cabprof's rings, queues that Debian
# packages, and two limits.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Method:  peers/loop.c, once for each queue. The cost is the difference to the same loop without a
#          queue in the same round. A peer's ring has 2 MB, as cabprof's has, or 64 KB.

import os
import shutil
import statistics
import subprocess

import draw
import lib

TITLE = "What an event costs its producer"
PICTURES = ("peers", "peers-three")
FIELDS = ("words", "queue", "ring_bytes", "work_ns", "between_ns", "added_ns", "least", "greatest",
          "waiting_ns", "missed_percent")
HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "peers")
WORK = (0, 2, 5, 10, 20, 50, 100)        # ns
LARGE, SMALL = 2 << 20, 64 << 10         # bytes of a ring
MOST_EVENTS = 8000000                    # of a run; 30 times the slots of a ring
STREAM, STORES = "one-way stream", "store stream"
SLOT = {1: 8, 3: 32}   # bytes, for the number of slots, which is a power of two
PATHS = dict(events="paths", paths="trace", functions="leaf")
MEMORY = dict(events="memory", functions="leaf")
RINGS = {1: {"chunk": PATHS, **{ring: dict(PATHS, ring=ring)
                                for ring in ("cab", "pipa", "fastforward")}},
         3: {"chunk": MEMORY}}           # the other rings carry single words
LIMITS = {STORES: "stores.h", STREAM: "stream.h"}


class Peer:
    """A queue of a Debian package: its header here and in the PACKAGE, and how to compile it."""

    def __init__(self, header, needs, package, compiler=(), libraries=(), pkg_config=None):
        self.header, self.needs, self.package, self.compiler = header, needs, package, compiler
        self.libraries, self.pkg_config = libraries, pkg_config

    def flags(self):
        """Return flags for the compiler, or None if the package is not installed."""
        flags = [*self.compiler, "-D_GNU_SOURCE"]
        if self.pkg_config and shutil.which("pkg-config"):
            flags += lib.run(["pkg-config", "--cflags", self.pkg_config]).stdout.decode().split()
        found = lib.run([lib.GCC, *flags, "-include", self.needs, "-E", "-o", "/dev/null",
                         *([] if self.compiler else ["-xc"]), "/dev/null"])
        return flags if found.status == 0 else None


PEERS = {
    "ck_ring": Peer("ck.h", "ck_ring.h", "libck-dev"),
    "rte_ring": Peer("dpdk.h", "rte_ring.h", "libdpdk-dev and pkg-config",
                     libraries=("-lrte_ring",), pkg_config="libdpdk"),
    "wfcqueue": Peer("urcu.h", "urcu/wfcqueue.h", "liburcu-dev", libraries=("-lurcu-common",)),
    "spsc_queue": Peer("boost.h", "boost/lockfree/spsc_queue.hpp", "libboost-dev and g++",
                       compiler=("-xc++",), libraries=("-lstdc++",)),
}


def processors():
    """Return the processors of the producer and the consumer: two that are no threads of one core
    if there are such; -1 each where there is only one.
    """
    mine = sorted(os.sched_getaffinity(0))
    if len(mine) < 2:
        print("peers: one processor: threads take turns, and the figures will be no good")
        return -1, -1
    siblings = "/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list" % mine[0]
    core = {mine[0]}
    if os.path.exists(siblings):
        with open(siblings) as file:
            for part in file.read().strip().split(","):
                ends = [int(end) for end in part.split("-")]
                core |= set(range(ends[0], ends[-1] + 1))
    return mine[0], next((cpu for cpu in mine if cpu not in core), mine[1])


class Bench:
    """Builds the programs below the LAB's place, and runs them."""

    def __init__(self, lab):
        self.place = os.path.join(lab.place, "peers")
        os.makedirs(self.place, exist_ok=True)
        self.lab, self.cpus = lab, processors()
        self.ns = 0.03e9 if lab.quick else 0.12e9   # of a run
        self.links = {}                            # by the ns of other work

    def compile(self, name, words, header, flags=(), libraries=()):
        """Return whether the program NAME, which has the queue of HEADER, was built."""
        done = lib.run([lib.GCC, "-O2", "-DWORDS=%d" % words, '-DQUEUE="%s"' % header, *flags,
                        "-o", os.path.join(self.place, "%s-%d" % (name, words)),
                        os.path.join(HERE, "loop.c"), "-lpthread", *libraries], timeout=120)
        if done.status:
            print("peers: %s does not build, and is left out: %s" % (name, done))
        return done.status == 0

    def build(self, words):
        """Return {queue: sizes of its ring in bytes} of what was built."""
        found = {}
        if not self.compile("plain", words, "none.h", ["-D_GNU_SOURCE"]):
            return found
        for ring, options in RINGS[words].items():
            if self.compile(ring, words, "none.h", ["-D_GNU_SOURCE", *lib.plugin_flags(**options)]):
                found[ring] = (LARGE,)
        for name, peer in PEERS.items():
            flags = peer.flags()
            if flags is None:
                print("peers: %s is left out: install %s" % (name, peer.package))
            elif self.compile(name, words, peer.header, flags, peer.libraries):
                found[name] = (LARGE,) if self.lab.quick else (LARGE, SMALL)
        for name, header in LIMITS.items():
            if self.compile(name, words, header, ["-D_GNU_SOURCE"]):
                found[name] = (LARGE,)
        return found

    def run(self, name, words, size, events, links):
        """Return (ns for each event, ns of them waiting, percent of events missed) of a run. Raise
        RuntimeError if not every word arrived.
        """
        data = os.path.join(self.place, "profile")
        shutil.rmtree(data, ignore_errors=True)
        done = lib.run([os.path.join(self.place, "%s-%d" % (name, words)), str(events), str(links),
                        str(size // SLOT[words]), *map(str, self.cpus)], timeout=100,
                       env={"CABPROF_OPTIONS": "placement=thread:analyses=%s:data=%s"
                                               % (self.lab.sum, data)})
        if done.status or done.stderr:
            raise RuntimeError("peers: %s: %s" % (name, done))
        sent, ns, waiting, missed, total = done.stdout.split()
        if name in RINGS[words]:
            self.check(name, words, data, int(sent), int(total))
            waiting = sum(int(row["count"]) for row in lib.table(data, "account")
                          if row["item"] == "waits_ns") / int(sent)
        return float(ns), float(waiting), float(missed)

    def check(self, name, words, data, sent, total):
        """Check what the analysis added up: SENT events, whose words are TOTAL."""
        row, = lib.table(data, self.lab.sum)
        row = {key: int(value) for key, value in row.items()}
        if words == 1:   # all events are one word, the end of a path
            good = (row["words"] == sent and row["first"] & 7 == 2
                    and row["sum"] == row["first"] * sent % 2**64)
        else:            # the first word of each event is its header, the others are addresses
            good = (row["words"] == 2 * sent
                    and row["sum"] == (total - sent * (sent + 1) // 2) % 2**64)
        if not good:
            raise RuntimeError("peers: %s: not every word arrived: %d events, %s" % (name, sent,
                                                                                   row))

    def calibrate(self, works):
        """Find how many links of the chain take each of WORKS."""
        def best(links):
            return min(self.run("plain", 1, LARGE, int(self.ns / (links + 3)), links)[0]
                       for _ in range(5))
        none, few, many = best(0), best(32), best(288)
        link = max((many - few) / 256, 0.05)
        call = few - 32 * link - none
        for work in works:
            self.links[work] = min(max(round((work - call) / link), 1), 4096) if work else 0


def rounds(bench, queues, works, n):
    """Return {(words, work): [ns of an iteration without a queue]} and {(words, queue, size, work):
    [(ns added, ns of them waiting, percent missed)]}.
    """
    alone, added = {}, {}
    for number in range(n):
        for words, found in queues.items():
            for work in works:
                print("\rpeers: round %d of %d, %d words, %3d ns " % (number + 1, n, words, work),
                      end="", flush=True)
                how = min(int(bench.ns / (work + 5)), MOST_EVENTS), bench.links[work]
                plain = bench.run("plain", words, LARGE, *how)[0]
                alone.setdefault((words, work), []).append(plain)
                for queue, sizes in found.items():
                    for size in sizes:
                        ns, *others = bench.run(queue, words, size, *how)
                        added.setdefault((words, queue, size, work),
                                         []).append((ns - plain, *others))
    print()
    return alone, added


def measure(lab):
    bench = Bench(lab)
    queues = {words: bench.build(words) for words in RINGS}
    if not all(queues.values()):
        return []
    works = (0, 10) if lab.quick else WORK
    try:
        bench.calibrate(works)
        alone, added = rounds(bench, queues, works, lab.rounds)
    except RuntimeError as wrong:
        print("\n%s" % wrong)
        return []
    rows = []
    for (words, queue, size, work), figures in added.items():
        ns, *others = zip(*figures)
        rows.append((words, queue, size, work, statistics.median(alone[words, work]),
                     statistics.median(ns), min(ns), max(ns), *map(statistics.median, others)))
    return rows


def better(rows, words):
    """Return {queue: {work: row}} of events of WORDS words, with the better ring of each peer."""
    found = {}
    for row in rows:
        if row[0] == words:
            of_queue = found.setdefault(row[1], {})
            if row[3] not in of_queue or row[5] < of_queue[row[3]][5]:
                of_queue[row[3]] = row
    return found


def picture(rows, path):
    for words, name in zip(RINGS, PICTURES):
        # The axis is logarithmic, and what other work hides costs nothing or less.
        series = {queue: [(row[4], *(max(value, 0.1) for value in row[5:8]))
                          for row in sorted(found.values(), key=lambda row: row[4])]
                  for queue, found in better(rows, words).items()}
        draw.lines(os.path.join(os.path.dirname(path), name + ".svg"),
                   "ns that an event of %s adds; less than 0.1 is drawn there"
                   % ("one word" if words == 1 else "three words"), series,
                   "ns between two events in the loop without a queue", "ns added")


def ratios(words, found, works):
    """Return lines that compare chunk with the best peer and with the one-way stream."""
    lines = []
    peers = [queue for queue in PEERS if queue in found]
    for name, over, under in (("best peer, of chunk", peers, ["chunk"]),
                              ("chunk, of %s" % STREAM, ["chunk"], [STREAM])):
        cells = []
        for work in works:
            top, bottom = (min((found[queue][work][5] for queue in some if queue in found),
                               default=0) for some in (over, under))
            cells.append("%.2f" % (top / bottom) if top > 0 and bottom > 0 else "")
        lines.append([str(words), name, *cells])
    return lines


def table(rows):
    works = sorted({row[3] for row in rows})
    lines = []
    for words in RINGS:
        found = better(rows, words)
        between = next(iter(found.values()))
        lines.append([str(words), "between two events",
                      *("%.2f" % between[work][4] for work in works)])
        lines += [[str(words), queue, *("%.2f" % of_queue[work][5] for work in works)]
                  for queue, of_queue in found.items()]
        lines += ratios(words, found, works)
    return ["words", "queue", *("%d ns" % work for work in works)], lines
