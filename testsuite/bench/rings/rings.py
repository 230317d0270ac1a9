# rings.py - measure what an enqueue costs the program, with other work in between, for each ring.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Method:  ../kernels/ring.c, plain and with probes: a path event for each call of `leaf', and
#          nothing else; or each call. The consumer has the other core and adds the words up
#          (sum.c). The figure is the difference between a run and the plain run beside it, divided
#          by the number of calls.

import os
import re
import shutil
import statistics
import subprocess
import time

import lib

HERE = os.path.dirname(os.path.abspath(__file__))
RINGS = {
    "chunk": dict(events="paths", paths="trace", functions="leaf"),
    "cab": dict(events="paths", paths="trace", functions="leaf", ring="cab"),
    "pipa": dict(events="paths", paths="trace", functions="leaf", ring="pipa"),
    "fastforward": dict(events="paths", paths="trace", functions="leaf", ring="fastforward"),
    "calls": dict(events="calls"),           # chunk; main's own comes on top
}
WORK = (0, 1, 3, 7)                          # multiplications between two events
GOALS = {"chunk": 0.5, "cab": 0.7, "calls": 1}   # ns; rings: the prototypes' figures; the rings
                                                 # that these are compared with have none


def compile_all(place):
    """Return words about what went wrong, or None."""
    os.makedirs(place, exist_ok=True)
    source = os.path.join(HERE, "..", "kernels", "ring.c")
    lines = [["gcc", "-O2", "-shared", "-fPIC", "-I", os.path.join(lib.TOP, "include"),
              os.path.join(HERE, "sum.c"), "-o", "sum.so"],
             ["gcc", "-O2", source, "-o", "plain"]]
    for ring, options in RINGS.items():
        lines.append(["gcc", "-O2", *lib.plugin_flags(**options), source, "-o", ring])
    for line in lines:
        done = subprocess.run(line, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=place)
        if done.returncode:
            return done.stdout.decode(errors="replace")[-300:]
    return None


def seconds_of(place, name, millions, work):
    """Return (seconds, seconds of them that the thread waited for room), or None."""
    data = os.path.join(place, "profile")
    shutil.rmtree(data, ignore_errors=True)
    env = dict(os.environ, CABPROF_OPTIONS="placement=thread:analyses=./sum.so:data=" + data)
    start = time.monotonic()
    done = subprocess.run(["./" + name, str(millions), str(work)], stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, cwd=place, env=env)
    end = time.monotonic()
    if done.returncode or done.stderr:
        print("  ring %s: %s" % (name, done.stderr.decode(errors="replace").strip()[-300:]))
        return None
    if name == "plain":
        return end - start, 0
    report = subprocess.run([lib.CABPROF, "report", "-d", data], stdout=subprocess.PIPE,
                            stderr=subprocess.DEVNULL, cwd=place).stdout.decode()
    sent = re.search(r"events sent through rings +([0-9,]+)", report)
    if not sent or int(sent.group(1).replace(",", "")) - (name == "calls") != millions * 1000000:
        print("  ring %s: not all events were sent" % name)
        return None
    waited = re.search(r"waited for room.*\(([0-9.]+) s\)", report)
    return end - start, float(waited.group(1)) if waited else 0


def measure(place, rounds, millions):
    """Return {(ring, work): [(ns added, ns of them waiting)]}, and {work: [ns of an iteration
    without events]}.
    """
    added, alone = {}, {}
    place = os.path.abspath(place)
    words = compile_all(place)
    if words:
        print("  rings: %s" % words)
        return added, alone
    for number in range(rounds):
        print("\rrings: round %d of %d " % (number + 1, rounds), end="", flush=True)
        for work in WORK:
            plain = seconds_of(place, "plain", millions, work)
            alone.setdefault(work, []).append(plain[0] * 1e3 / millions)
            for ring in RINGS:
                mine = seconds_of(place, ring, millions, work)
                if mine:
                    added.setdefault((ring, work),
                                     []).append(((mine[0] - plain[0]) * 1e3 / millions,
                                                 mine[1] * 1e3 / millions))
    print()
    return added, alone


def write(path, added, alone):
    with open(path, "w") as file:
        file.write("ring\tmultiplications\tns_between\tadded_ns\tleast\tgreatest\twaiting_ns\n")
        for (ring, work), figures in added.items():
            ns = [f[0] for f in figures]
            file.write("%s\t%d\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\n"
                       % (ring, work, statistics.median(alone[work]), statistics.median(ns),
                          min(ns), max(ns),
                                                               statistics.median(f[1]
                                                                                 for f in figures)))


def show(added, alone):
    print("\nns that an event adds: median (least to greatest); of these waiting for the consumer")
    for (ring, work), figures in added.items():
        ns = [f[0] for f in figures]
        print("  %-11s %d multiplications, %.2f ns between events: %.2f (%.2f to %.2f); "
              "waiting %.2f"
              % (ring, work, statistics.median(alone[work]), statistics.median(ns), min(ns),
                 max(ns), statistics.median(f[1] for f in figures)))


def medians(added, ring):
    """Of each amount of work but none."""
    return [statistics.median(f[0] for f in figures) for (name, work), figures in added.items()
            if name == ring and work]
