# delegates.py - serialization sets, Fig. 9 and 10: speed-up of values and deps by the number of
# delegates, measured with as many as this machine has processors for, simulated beyond.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Model of the simulation: a processor for each thread. The program sends words at the rate at which
# it does when nobody reads them, and is RING chunks ahead at most. The draining thread decodes and
# sorts a chunk in the measured time, waits where QUEUE slots of a delegate are full, and for all
# delegates at the end of the chunk. A delegate feeds slots one by one, in the measured time.

import os
import statistics
import subprocess

import draw
import lib
from lab import Case, Lab

TITLE = "Speed-up by delegates"
PICTURES = ("delegates-values", "delegates-deps")
FIELDS = ("program", "analysis", "delegates", "how", "speed_up", "least", "greatest")
ANALYSES = {"values": lib.plugin_flags(events="memory+values"),
            "deps": lib.plugin_flags(events="memory+loops")}
SIMULATED = (1, 2, 3, 4, 6, 8)
MEASURED = {"inline": "placement=inline:analyses=%s",
            1: "placement=thread:analyses=%s",
            2: "placement=thread:analyses=%s:delegates=2"}
QUEUE = 4   # slots of a queue: SLOTS in rt/engine/feed/delegates.c
RING = 4    # chunks of a ring
TRACE = "delegates.trace"


def served(lab, analysis, delegates, trace):
    """Run serving. Return chunks: (words, ns of routing, [(part, put ns, serve ns)])."""
    done = subprocess.run([lab.tool("serving"), analysis, str(delegates), trace], check=True,
                          stdout=subprocess.PIPE)
    chunks, slots = [], []
    for line in done.stdout.decode().splitlines():
        what, part, n, put, serve = line.split("\t")
        if what == "slot":
            slots.append((int(put), int(part), int(serve)))
        else:
            chunks.append((int(n), int(put), sorted(slots)))
            slots = []
    return chunks


def drain(chunk, start, delegates):
    """Return when CHUNK, begun at START, is over: all in ns."""
    words, routing, slots = chunk
    if delegates == 1:
        return start + routing + sum(serve for _, _, serve in slots)
    now, before, ends = start, 0, [[] for _ in range(delegates)]
    for put, part, serve in slots:
        now, before = now + put - before, put
        mine = ends[part]
        if len(mine) >= QUEUE:
            now = max(now, mine[-QUEUE])
        mine.append(max([now] + mine[-1:]) + serve)
    return max([now + routing - before] + [mine[-1] for mine in ends if mine])


def simulate(chunks, delegates, program_ns):
    """Return the time of a run whose program alone takes PROGRAM_NS."""
    total = sum(words for words, _, _ in chunks)
    came, over = 0, []
    for chunk in chunks:
        came += program_ns * chunk[0] / total
        if len(over) >= RING:
            came = max(came, over[-RING])
        over.append(drain(chunk, max([came] + over[-1:]), delegates))
    return over[-1]


def in_line(chunks, program_ns):
    return program_ns + sum(routing + sum(serve for _, _, serve in slots)
                            for _, routing, slots in chunks)


def trace_of(lab, program, flags):
    """Record a trace of PROGRAM. Return its path, or None."""
    case = Case(flags, None, [lib.CABPROF, "record", "-d", "profile", "--sample=off", "--quiet",
                              "--options=analyses=methods", "--trace=" + TRACE, "--"])
    path = os.path.join(lab.folder(program, case) or "", TRACE)
    return path if lab.seconds(program, case) is not None else None


def simulated(lab, program, analysis, seconds):
    """Return {delegates: speed-up over the analysis in the program's own thread}."""
    trace, found = trace_of(lab, program, ANALYSES[analysis]), {}
    if not trace:
        return found
    # One delegate is the draining thread itself: rows are not sorted.
    whole = served(lab, analysis, 0, trace)
    for delegates in SIMULATED:
        print("\rdelegates: %s, %s, simulation of %d delegates  "
              % (program, analysis, delegates), end="", flush=True)
        parts = served(lab, analysis, delegates, trace) if delegates > 1 else whole
        found[delegates] = (in_line(whole, 1e9 * seconds)
                            / simulate(parts, delegates, 1e9 * seconds))
    print()
    os.remove(trace)
    return found


def middle(values):
    return statistics.median(values), min(values), max(values)


def measure(lab):
    rows = []
    small = Lab(os.path.join(lab.place, "delegates"), lab.rounds, lab.quick,
                os.path.join("memory", "programs"))
    for program in ("lua",) if lab.quick else ("bzip2", "minigzip", "lua", "sqlite3", "sort"):
        for analysis, flags in ANALYSES.items():
            cases = {name: Case(flags, options % analysis) for name, options in MEASURED.items()}
            cases["not read"] = Case(flags, "sample=0%:analyses=accesses")
            times = small.interleave("delegates", program, cases)
            if set(times) != set(cases):
                continue
            base = statistics.median(times["inline"])
            for delegates in (1, 2):
                rows.append((program, analysis, delegates, "measured",
                             *middle([base / t for t in times[delegates]])))
            for delegates, found in simulated(small, program, analysis,
                                              statistics.median(times["not read"])).items():
                rows.append((program, analysis, delegates, "simulated", found, found, found))
    return rows


def picture(rows, path):
    for analysis in ANALYSES:
        series = {}
        for row in rows:
            if row[1] == analysis and row[3] == "simulated":
                series.setdefault(row[0], []).append((row[2], *row[4:7]))
        draw.lines(path.replace(".svg", "-%s.svg" % analysis),
                   "Speed-up of %s over the analysis in the program's own thread, simulated"
                   % analysis, series, "delegates", "times as fast", linear_x=True, linear_y=True)


def table(rows):
    found = {row[:4]: "%.2f" % row[4] for row in rows}
    shown = (1, 2, 4, 8)
    return ["program", "analysis", "measured, 1", "2", *("simulated, %d" % shown[0],),
            *map(str, shown[1:])], [
        [program, analysis,
         *(found.get((program, analysis, n, "measured"), "") for n in (1, 2)),
         *(found.get((program, analysis, n, "simulated"), "") for n in shown)]
        for program, analysis in dict.fromkeys(row[:2] for row in rows)]
