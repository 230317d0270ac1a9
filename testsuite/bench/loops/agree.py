# agree.py - are trials' decisions those of separate builds?  `PROGRAMS=agree make bench-loops',
# after bench-loops has tuned the kernels.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Method:  of each kernel that is tuned, the loops that take a tenth of the time and that trials
#          have decided. A loop with a hint is built with that; one without is built with the
#          factors 2, 4, 8 and 16. Each is compared with the same build without that hint, all named
#          loops aligned alike, at PLACES places: padding in front of the code, drawn anew. A round
#          runs all builds at one place. What a build takes more or less is counted for the loop
#          alone. A hint agrees if its loop takes at most 1 % more than without it. No hint agrees
#          if no factor makes the loop faster by more than 3 %, at all places but one.
# Output:  agree.tsv; on the terminal how many agree, and how many of the loops of all tuned
#          programs trials can measure.

import glob
import json
import os
import random
import resource
import statistics
import subprocess

import lib
from subject import recipe

HERE = os.path.dirname(os.path.abspath(__file__))
PLACES = 9
SHARE = 0.1
FACTORS = (2, 4, 8, 16)
COMPILERS = {".c": "gcc", ".cc": "g++", ".f90": "gfortran"}
KEY = ("function", "name", "file", "line", "column", "ordinal", "checksum")


def tuned(place):
    """Yield (program, its report) of each program below PLACE that was tuned; of several tunes of
    one program, the first one by name.
    """
    paths = glob.glob(os.path.join(place, "*", "tune-*", "data", "loops.json"))
    of = {path.split(os.sep)[-4]: path for path in sorted(paths, reverse=True)}
    for program, path in sorted(of.items()):
        with open(path) as file:
            yield program, json.load(file)


def hint_of(trial):
    return {name: trial[name] for name in ("unroll", "vectorize", "align", "prefetch")
            if name in trial}


class Kernel:
    def __init__(self, name, size, place):
        self.source, = glob.glob(os.path.join(HERE, "kernels", name + ".*"))
        self.name, self.place = name, os.path.join(place, name)
        os.makedirs(self.place, exist_ok=True)
        self.compiler = lib.GCC.replace("gcc", COMPILERS[os.path.splitext(self.source)[1]])
        self.command = recipe("command", name, size, where=self.place)

    def compile(self, rows, label):
        """Compile with hints ROWS; return the object."""
        hints = os.path.join(self.place, label + ".hints")
        with open(hints, "w") as file:
            json.dump({"schema": 4, "format": "cabprof hints", "loops": rows}, file)
        output = os.path.join(self.place, label + ".o")
        modules = ["-J", self.place] if "fortran" in self.compiler else []
        subprocess.run([self.compiler, "-w", "-O3", "-g", *lib.plugin_flags(feedback=hints),
                        *modules, "-c", self.source, "-o", output], check=True)
        return output

    def link(self, output, pad):
        """Link the object OUTPUT behind PAD bytes of code; return the directory of the program."""
        folder = output[:-2]
        os.makedirs(folder, exist_ok=True)
        text = "\t.text\n\t.skip %d, 0x90\n\t.section .note.GNU-stack,\"\",@progbits\n" % pad
        subprocess.run([lib.GCC, "-x", "assembler", "-", "-c", "-o", folder + "/pad.o"],
                       input=text.encode(), check=True)
        subprocess.run([self.compiler, folder + "/pad.o", output, "-o",
                        os.path.join(folder, self.name), "-lm"], check=True)
        return folder

    def seconds(self, folder):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(self.command, shell=True, cwd=folder, stdout=subprocess.DEVNULL, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def judge(kernel, loops, loop, draw):
    """Return the hint of LOOP in words, what the loop takes with each alternative as a share of
    what it takes without, and whether the decision agrees.
    """
    key = {name: loop[name] for name in KEY}
    others = [dict({name: l[name] for name in KEY}, unroll=0, align=64) for l in loops
              if l is not loop]
    base = dict(key, unroll=0, align=64)
    hint = hint_of(loop["trial"])
    chosen = [hint] if hint else [{"unroll": factor, "align": 64} for factor in FACTORS]
    objects = [kernel.compile(others + [dict(key, **one)], "build-%d" % n)
               for n, one in enumerate([base, *chosen])]
    ratios = [[] for _ in chosen]
    for _ in range(PLACES):
        pad = 16 * draw.randrange(256)
        times = [min(kernel.seconds(folder) for _ in range(2))
                 for folder in [kernel.link(output, pad) for output in objects]]
        for n, time in enumerate(times[1:]):
            ratios[n].append(1 + (time / times[0] - 1) / loop["share"])
    medians = [statistics.median(of) for of in ratios]
    if hint:
        agrees = medians[0] <= 1.01
    else:
        agrees = not any(median < 0.97 and sum(r < 1 for r in of) >= PLACES - 1
                         for median, of in zip(medians, ratios))
    words = ", ".join("%s %s" % pair for pair in hint.items()) if hint else "none"
    return words, medians, agrees


def measure(place, sizes):
    """Compare the decisions of the kernels among SIZES, {program: size}, tuned below PLACE."""
    n = agreed = loops_seen = decided = 0
    draw = random.Random(1)
    os.makedirs(os.path.join(place, "agree"), exist_ok=True)
    with open(os.path.join(place, "agree", "agree.tsv"), "w") as tsv:
        tsv.write("kernel\tline\tshare\thint\tpredicted\tmeasured\tagrees\n")
        for name, report in tuned(place):
            tried = [l for l in report["loops"] if l.get("trial")]
            loops_seen += len(tried)
            decided += sum(l["trial"]["decided"] for l in tried)
            known = [l for l in tried if l["trial"]["decided"]]
            if not glob.glob(os.path.join(HERE, "kernels", name + ".*")) or name not in sizes:
                continue
            kernel = Kernel(name, sizes[name], os.path.join(place, "agree"))
            for loop in [l for l in known if l["share"] >= SHARE]:
                words, medians, agrees = judge(kernel, known, loop, draw)
                n, agreed = n + 1, agreed + agrees
                ratio = loop["trial"]["ratio"]
                tsv.write("%s\t%d\t%.2f\t%s\t%s\t%s\t%s\n" % (
                    name, loop["line"], loop["share"], words,
                    "%.3f" % ratio["ratio"] if ratio else "",
                    " ".join("%.3f" % median for median in medians), "yes" if agrees else "no"))
                tsv.flush()
    print("of %d loops that were tried, trials decided %d; of %d hot ones of kernels, separate "
          "builds at %d places agree with %d" % (loops_seen, decided, n, PLACES, agreed))
    print("%s: agree.tsv" % os.path.join(place, "agree"))
