# known.py - do tunes beside a busy core come out right?  `PROGRAMS=known make bench-loops'.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Method:  small kernels are built with each hint that a tune may choose, a factor, an aligned head,
#          both, or none, and run in turn; the least time of each says what is right on this
#          machine. Then each kernel is tuned TUNES times (20; QUICK=1: 3), while another process
#          keeps a core busy, and the tuned program is timed beside the best build and the default.
#          A tune is right if its program takes at most 3 % more than the best one, which is what a
#          tune can tell apart, and not more than the default.
# Output:  known.tsv; a line for each kernel on the terminal.

import json
import os
import resource
import shutil
import subprocess
import sys

import lib

HERE = os.path.dirname(os.path.abspath(__file__))
KERNELS = (("line", "-O2 -g -fno-align-loops"), ("dot", "-O2 -g -DREPEAT=200000"),
           ("dot", "-O3 -g -DREPEAT=700000"))
HINTS = [(factor, align) for align in (0, 64) for factor in (0, 1, 2, 4, 8, 16)]
NEAR = 1.03
RUNS = 7


def seconds(program):
    """Return the processor time of one run of PROGRAM."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run([program], stdout=subprocess.DEVNULL, check=True)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def least(programs, runs=RUNS):
    """Return the least time of each of PROGRAMS, which run in turn."""
    times = [[seconds(program) for program in programs] for _ in range(runs)]
    return [min(column) for column in zip(*times)]


def words(hint):
    factor, align = hint
    return ", ".join(["factor %d" % factor] * (factor > 0) + ["aligned"] * (align > 0)) or "none"


def compile_with(source, flags, hints, output):
    """Compile SOURCE to OUTPUT; HINTS are rows for its loops, or null."""
    more = []
    if hints is not None:
        with open(output + ".hints", "w") as file:
            json.dump({"schema": 4, "format": "cabprof hints", "loops": hints}, file)
        more = lib.plugin_flags(feedback=output + ".hints")
    subprocess.run([lib.GCC, *flags.split(), *more, source, "-o", output], check=True)


def builds(name, flags, place):
    """Build the kernel NAME with each of HINTS; return the programs."""
    source = os.path.join(HERE, "known", name + ".c")
    named = os.path.join(place, "named.json")
    subprocess.run([lib.GCC, *flags.split(), *lib.plugin_flags(events="none"), source, "-o",
                    os.path.join(place, "tables")], check=True)
    subprocess.run([lib.CABPROF, "trials", "--name=" + os.path.join(place, "tables"),
                    "--function=" + name, "-o", named], check=True)
    with open(named) as file:
        rows = json.load(file)["loops"]
    programs = []
    for factor, align in HINTS:
        programs.append(os.path.join(place, "factor-%d-%d" % (factor, align)))
        hints = [dict(row, unroll=factor, align=align) for row in rows]
        compile_with(source, flags, hints if factor or align else None, programs[-1])
    return programs


def tune(name, flags, place):
    """Tune the kernel NAME in the new directory PLACE; return the program, and its hint."""
    shutil.rmtree(place, ignore_errors=True)
    os.makedirs(place)
    shutil.copy(os.path.join(HERE, "known", name + ".c"), place)
    build = "%s %s -c %s.c && %s %s.o -o %s" % (lib.GCC, flags, name, lib.GCC, name, name)
    done = subprocess.run([lib.CABPROF, "tune", "--build", build, "--run", "./" + name], cwd=place,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode:
        raise SystemExit(done.stdout.decode(errors="replace"))
    with open(os.path.join(place, "loops.hints")) as file:
        hints = [(row["unroll"], row.get("align", 0)) for row in json.load(file)["loops"]
                 if row["function"] == name]
    return os.path.join(place, name), hints[0] if hints else (0, 0)


def check(name, flags, place, tunes, tsv):
    """Tune a kernel TUNES times, and print how often that was right."""
    level = flags.split()[0]
    os.makedirs(place, exist_ok=True)
    programs = builds(name, flags, place)
    times = least(programs)
    default, best = programs[0], min(range(len(HINTS)), key=lambda i: times[i])
    fine = [words(hint) for hint, time in zip(HINTS, times) if time <= times[best] * NEAR]
    right, seen = 0, {}
    for n in range(tunes):
        program, hint = tune(name, flags, os.path.join(place, "tune"))
        plain, fastest, tuned = least([default, programs[best], program])
        good = tuned <= fastest * NEAR and tuned <= plain * NEAR
        right += good
        seen[words(hint)] = seen.get(words(hint), 0) + 1
        tsv.write("%s\t%s\t%d\t%s\t%.4f\t%.4f\t%s\n" % (name, level, n, words(hint),
                                                         tuned / plain, fastest / plain,
                                                         "yes" if good else "no"))
        tsv.flush()
    print("%s %s: %d of %d tunes right; the best build takes %.3f of the default; right here: %s; "
          "chosen: %s" % (name, level, right, tunes, times[best] / times[0], "; ".join(fine),
                          "; ".join("%s %d times" % pair for pair in seen.items())), flush=True)


def measure(place):
    """Measure all kernels below PLACE."""
    quick = os.environ.get("QUICK", "") not in ("", "0")
    tunes = int(os.environ.get("TUNES", 3 if quick else 20))
    os.makedirs(place, exist_ok=True)
    busy = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        with open(os.path.join(place, "known.tsv"), "w") as tsv:
            tsv.write("kernel\tlevel\ttune\thint\ttuned\tbest\tright\n")
            for name, flags in KERNELS:
                check(name, flags, os.path.join(place, name + flags.split()[0]), tunes, tsv)
    finally:
        busy.kill()
        busy.wait()
    print("%s: known.tsv" % place)
