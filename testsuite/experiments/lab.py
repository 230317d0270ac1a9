# lab.py - build and time the programs of the experiments.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Method:  the programs and inputs of ../bench/programs at quick scale. Cases are interleaved: each
#          once, then each again. Times are the clock's. A case may be repeated within a round where
#          it is short.

import os
import shutil
import statistics
import subprocess

import lib

HERE = os.path.dirname(os.path.abspath(__file__))
BENCH = os.path.join(lib.TOP, "testsuite", "bench")


def arguments(table="programs"):
    """Return {program: argument at quick scale} of a TABLE of the benchmarks."""
    found = {}
    with open(os.path.join(BENCH, table)) as file:
        for line in file:
            words = line.split("#")[0].split()
            if words:
                found[words[0]] = words[3]
    return found


class Case:
    """How a program is built and run: FLAGS of the compiler, CABPROF_OPTIONS (None: plain), and a
    command in FRONT.
    """

    def __init__(self, flags=(), options=None, front=()):
        self.flags, self.options, self.front = tuple(flags), options, tuple(front)


PLAIN = Case()


class Lab:
    """Programs are built below PLACE, once for each set of flags, with the arguments of TABLE."""

    def __init__(self, place, rounds, quick, table="programs"):
        self.place, self.rounds, self.quick = place, rounds, quick
        self.sizes = {}      # (program, flags): bytes of code
        self.folders = {}    # (program, flags): folder, or None if it does not build
        self.arguments = arguments(table)
        os.makedirs(place, exist_ok=True)
        os.environ["CABPROF_ANALYSES"] = place   # reports find the analyses that are compiled here
        self.sum = self.analysis(os.path.join(BENCH, "rings", "sum.c"))
        self.entered = self.analysis(os.path.join(HERE, "entered.c"))
        self.drawn = self.analysis(os.path.join(HERE, "drawn.c"))

    def analysis(self, source):
        """Compile an analysis of our own, and return its name for analyses=."""
        name = os.path.splitext(os.path.basename(source))[0] + ".so"
        path = os.path.join(self.place, name)
        subprocess.run(["gcc", "-O2", "-shared", "-fPIC", "-I", os.path.join(lib.TOP, "include"),
                        source, "-o", path, "-lm"], check=True)
        return path

    def tool(self, name):
        """Return the path of a program of experiments.mk."""
        return os.path.join(os.path.abspath(lib.BUILD), "experiments", "bin", name)

    def recipe(self, *words, env=None):
        done = subprocess.run([os.path.join(BENCH, "recipe"), *words], cwd=self.place,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              env=dict(os.environ, BUILD=lib.BUILD, TEST_DIR=self.place,
                                       **(env or {})))
        if done.returncode:
            said = (done.stdout + done.stderr).decode(errors="replace").strip()
            print("\n  %s: %s" % (" ".join(words[:2]), said[-300:]))
            return None
        return done.stdout.decode().split()

    def folder(self, program, case):
        """Return where PROGRAM lies, built as CASE says, or None."""
        key = program, case.flags
        if key not in self.folders:
            folder = os.path.join(self.place, program, str(len(self.folders)))
            answer = self.recipe("build", program, folder, "-O2", *case.flags)
            self.folders[key] = folder if answer else None
            self.sizes[key] = int(answer[1]) if answer else 0
        return self.folders[key]

    def code_bytes(self, program, case):
        return self.sizes[program, case.flags] if self.folder(program, case) else None

    def profile(self, program, case):
        return os.path.join(self.folder(program, case), "profile")

    def seconds(self, program, case):
        """Run once. Return seconds, or None."""
        folder = self.folder(program, case)
        if not folder:
            return None
        data = os.path.join(folder, "profile")
        shutil.rmtree(data, ignore_errors=True)
        env = {} if case.options is None else {
            "CABPROF_OPTIONS": "data=%s%s" % (data, case.options and ":" + case.options)}
        answer = self.recipe("run", program, folder, self.arguments[program], *case.front, env=env)
        return int(answer[0]) / 1e6 if answer else None

    def account(self, program, case):
        """Return {item: count} of the last run."""
        rows = lib.table(self.profile(program, case), "account")
        return {row["item"]: int(row["count"]) for row in rows if not row["cause"]}

    def interleave(self, words, program, cases, note=None):
        """CASES is {name: Case}. Return {name: [seconds]}. Call NOTE (name, case) after a run."""
        times = {}
        for number in range(self.rounds):
            for name, case in cases.items():
                print("\r%s: %s, round %d of %d, %-24s" % (words, program, number + 1, self.rounds,
                                                           name), end="", flush=True)
                seconds = self.seconds(program, case)
                if seconds is not None:
                    times.setdefault(name, []).append(seconds)
                    if note:
                        note(name, case)
        print()
        return times


def ratio(times, name, of="plain"):
    """Return (median, least, greatest) of NAME over the median of OF, or None."""
    if name not in times or of not in times:
        return None
    base = statistics.median(times[of])
    mine = times[name]
    return statistics.median(mine) / base, min(mine) / base, max(mine) / base
