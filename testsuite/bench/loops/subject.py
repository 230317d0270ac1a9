# subject.py - one program of bench-loops: build, check, tune and run its columns, in a directory
# that keeps what was done.
# SPDX-License-Identifier: GPL-3.0-or-later
#
#   DIR/reference, DIR/<column>    builds; the file `built' in each says from what
#   DIR/expected                   the hash of the output of the reference, a build with -O1
#   DIR/tune-X, DIR/X.hints, DIR/tuned-X.json          a tuning's work, its result, its cost; X is
#                                  the tuning's name (TUNINGS)
#   DIR/rounds.tsv                 times (figures.py)

import hashlib
import json
import os
import re
import resource
import shutil
import subprocess
import time

import lib
import figures
from figures import AGAIN, BASE

HERE = os.path.dirname(os.path.abspath(__file__))
UNROLL, PROFILE = "-funroll-loops", "-fprofile-use"
FACTORS = {"factor %d" % n: n for n in (2, 4, 8, 16)}
LOOPS, EXACT, ALL = "cabprof, loops", "cabprof, profile", "cabprof, all"
GENERATE, PROBES = "run for -fprofile-use", "run for cabprof's profile"
# These are measured only if WITH names them.
REGISTERS, TUNED, BOTH = "-fweb -frename-registers", "cabprof, factors", "cabprof, -fprofile-use"
EXTRA = (REGISTERS, *FACTORS, TUNED, BOTH)


def named_by(variable):
    return [name.strip() for name in os.environ.get(variable, "").split(";")]


COLUMNS = [BASE] + [c for c in (AGAIN, REGISTERS, UNROLL, *FACTORS, PROFILE, TUNED, LOOPS, BOTH,
                                EXACT, ALL, GENERATE, PROBES)
                    if c not in named_by("WITHOUT") and (c not in EXTRA or c in named_by("WITH"))]
# Columns that `cabprof tune' makes: the name in files, and the options.
TUNINGS = {TUNED: ("factors", ()), LOOPS: ("loops", ("--try=all",)),
           ALL: ("all", ("--try=all,profile",))}
PROBES_FLAGS = "-O3 -g -fplugin=%s -fplugin-arg-cabprof-cut-at-calls" % lib.PLUGIN
EXACT_FLAGS = "-O3 -g -fprofile-use=%s -Wno-missing-profile -fprofile-correction"
LIMIT = 1800


class Trouble(Exception):
    """A program or an input is not available; the message says why."""


def processor_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def run(command, where, what, output=os.devnull, environment=()):
    """Run COMMAND (words, or a line for the shell) in WHERE, with ENVIRONMENT besides its own;
    return processor seconds, or raise Trouble about WHAT.
    """
    before = processor_seconds()
    log = os.path.join(where, "log")
    with open(output, "wb") as out, open(log, "wb") as words:
        try:
            status = subprocess.run(command, shell=isinstance(command, str), cwd=where,
                                    stdin=subprocess.DEVNULL, stdout=out, stderr=words,
                                    timeout=LIMIT,
                                    env=dict(os.environ, LC_ALL="C",
                                             **dict(environment))).returncode
        except subprocess.TimeoutExpired:
            raise Trouble("%s: no end after %d s" % (what, LIMIT))
    if status != 0:
        with open(log, errors="replace") as words:
            raise Trouble("%s: exit status %d: %s" % (what, status, words.read().strip()[-400:]))
    return processor_seconds() - before


def recipe(*words, where):
    done = subprocess.run([os.path.join(HERE, "recipe"), *words], cwd=where, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT,
                          env=dict(os.environ, BUILD=lib.BUILD, TEST_DIR=where))
    text = done.stdout.decode(errors="replace").strip()
    if done.returncode != 0:
        raise Trouble(text[-400:])
    return text


def make_words(flags):
    other = {name: re.sub(r"gcc(?=[^/]*$)", name, lib.GCC) for name in ("g++", "gfortran")}
    return ["make", "-j%d" % (os.cpu_count() or 1), "CC=" + lib.GCC, "CXX=" + other["g++"],
            "FC=" + other["gfortran"], "CFLAGS=" + flags]


def hash_of(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


class Subject:
    def __init__(self, row, size, place, tune_options=()):
        self.name, self.kind, self.size, self.tune_options = row[0], row[1], size, tune_options
        self.place = os.path.join(place, self.name)
        os.makedirs(self.place, exist_ok=True)
        self.figures = figures.Program(self.name, self.kind, self.path("rounds.tsv"))
        self.figures.read()
        self.columns = []

    def path(self, *names):
        return os.path.join(self.place, *names)

    def dir_of(self, column):
        return self.path(re.sub(r"[^A-Za-z0-9]+", "-", column).strip("-"))

    def prepare(self):
        """Prepare the input, the command, and the reference's output. Raise Trouble if the program
        cannot be measured.
        """
        self.line = recipe("command", self.name, self.size, where=self.place)
        self.make("reference", "-O1")
        self.expected = self.output_of("reference", "reference")
        for column in COLUMNS:
            try:
                if column in TUNINGS:
                    self.tune(column)
                if column != AGAIN:
                    self.build(column)
                self.columns.append(column)
            except Trouble as trouble:
                self.figures.troubles.append((column, str(trouble)))
                if column == BASE:
                    raise
        self.find_same()

    def recall(self):
        """Read what an earlier call left, for a report without measuring."""
        for column in TUNINGS:
            if os.path.exists(self.cost_of(column)):
                with open(self.cost_of(column)) as file:
                    self.figures.tunings[column] = json.load(file)
        self.columns = [c for c in COLUMNS
                        if os.path.exists(os.path.join(self.dir_of(BASE if c == AGAIN else c),
                                                       "built"))]
        self.find_same()

    def work_of(self, column):
        return self.path("tune-" + TUNINGS[column][0])

    def hints_of(self, column):
        return self.path(TUNINGS[column][0] + ".hints")

    def cost_of(self, column):
        return self.path("tuned-%s.json" % TUNINGS[column][0])

    def flags(self, column):
        feedback = "-fplugin=%s -fplugin-arg-cabprof-feedback=%%s" % lib.PLUGIN
        if column in FACTORS:
            return "-O3 -g " + feedback % self.every(FACTORS[column])
        if column in TUNINGS:
            return "-O3 -g " + feedback % self.hints_of(column)
        return {BASE: "-O3 -g", GENERATE: "-O3 -g -fprofile-generate", PROBES: PROBES_FLAGS,
                EXACT: EXACT_FLAGS % self.path("gcda"),
                BOTH: "-O3 -g -fprofile-use " + feedback
                % self.hints_of(TUNED)}.get(column, "-O3 -g " + column)

    def environment(self, column):
        """Return the environment that a run of COLUMN needs besides its own."""
        if column != PROBES:
            return {}
        return {"CABPROF_OPTIONS": "data=%s" % self.path("data")}

    def every(self, factor):
        path = self.path("every-%d.hints" % factor)
        with open(path, "w") as file:
            json.dump({"schema": 1, "format": "cabprof hints", "cabprof": "0.1", "every": factor,
                       "loops": []}, file)
        return path

    def build(self, column):
        directory = self.dir_of(column)
        if column == PROFILE and not os.path.exists(os.path.join(directory, "built")):
            self.make(directory, self.flags(GENERATE), final=False)
            run(self.line, directory, "training")
            run(["make", "clean"], directory, "make clean")
        if column == EXACT and not os.path.exists(os.path.join(directory, "built")):
            self.make(directory, PROBES_FLAGS, final=False)
            shutil.rmtree(self.path("data"), ignore_errors=True)
            shutil.rmtree(self.path("gcda"), ignore_errors=True)
            run(self.line, directory, "profiling", environment=self.environment(PROBES))
            run([lib.CABPROF, "export", "gcda", "-d", self.path("data"), "-o", self.path("gcda")],
                directory, "cabprof export gcda")
            run(["make", "clean"], directory, "make clean")
        if column == ALL:
            return self.take_tuned(column)
        if column == BOTH:
            if TUNED not in self.columns or PROFILE not in self.columns:
                raise Trouble("needs the columns %s and %s" % (TUNED, PROFILE))
            for name in os.listdir(self.dir_of(PROFILE)):
                if name.endswith(".gcda"):
                    os.makedirs(directory, exist_ok=True)
                    shutil.copy2(os.path.join(self.dir_of(PROFILE), name), directory)
        self.make(directory, self.flags(column))
        self.check(column)

    def check(self, column):
        if self.output_of(self.dir_of(column), column) != self.expected:
            raise Trouble("its output is not that of the build with -O1")

    def take_tuned(self, column):
        """Take the program as the tuning has left it: profiles are for objects in its own tree."""
        directory, program = self.dir_of(column), os.path.join(self.work_of(column), self.name)
        os.makedirs(directory, exist_ok=True)
        shutil.copy2(program, directory)
        with open(os.path.join(directory, "built"), "w") as file:
            json.dump([hash_of(program)], file)
        self.check(column)

    def make(self, directory, flags, final=True):
        """Build in DIRECTORY with FLAGS, unless that was done; note it if the build is FINAL."""
        directory = self.path(directory)
        stamp = os.path.join(directory, "built")
        words = [flags] + [hash_of(file) for file in re.findall(r"feedback=(\S+)", flags)]
        if os.path.exists(stamp):
            with open(stamp) as file:
                if json.load(file) == words:
                    return
            os.remove(stamp)
        recipe("prepare", self.name, directory, where=self.place)
        run(["make", "clean"], directory, "make clean")
        run(make_words(flags), directory, "build")
        if final:
            with open(stamp, "w") as file:
                json.dump(words, file)

    def output_of(self, directory, what):
        """Return the hash of the output, which is kept as long as the program is the same."""
        directory = self.path(directory)
        keep, program = os.path.join(directory,
                                     "output"), hash_of(os.path.join(directory, self.name))
        if os.path.exists(keep):
            with open(keep) as file:
                known = json.load(file)
            if known[:2] == [program, self.line]:
                return known[2]
        out = os.path.join(directory, "out")
        run(self.line, directory, "run", out, self.environment(what))
        recipe("check", self.name, self.size, out, where=self.place)
        result = hash_of(out)
        os.remove(out)
        with open(keep, "w") as file:
            json.dump([program, self.line, result], file)
        return result

    def tune(self, column):
        directory, hints, cost = self.work_of(column), self.hints_of(column), self.cost_of(column)
        options = TUNINGS[column][1]
        if not os.path.exists(cost):
            shutil.rmtree(directory, ignore_errors=True)
            recipe("prepare", self.name, directory, where=self.place)
            start = time.monotonic()
            seconds = run([lib.CABPROF, "tune", "--build",
                           " ".join("'%s'" % word for word in make_words("-O3 -g")), "--run",
                           self.line,
                           "-o", hints, "-d", os.path.join(directory, "data"), *options,
                           *self.tune_options], directory, "cabprof tune",
                          os.path.join(directory, "summary"))
            self.keep_cost(cost, seconds, time.monotonic() - start,
                           os.path.join(directory, "data", "loops.json"), hints)
        with open(cost) as file:
            self.figures.tunings[column] = json.load(file)

    def keep_cost(self, path, cpu_seconds, wall_seconds, report, hints):
        with open(report) as file:
            measured = json.load(file)["measured_with"]
        with open(hints) as file:
            rows = len(json.load(file)["loops"])
        with open(path + ".new", "w") as file:
            json.dump({"runs": measured["measurements"], "builds": measured["builds"],
                       "hints": rows, "cpu_seconds": cpu_seconds,
                       "wall_seconds": wall_seconds}, file)
        os.rename(path + ".new", path)

    def find_same(self):
        first = {}
        for column in self.columns:
            if column == AGAIN:
                continue
            code = self.code_of(column)
            if code in first:
                self.figures.same[column] = first[code]
            else:
                first[code] = column

    def code_of(self, column):
        """Return the hash of all that is loaded of the program, without the linker's
        identification.
        """
        directory = self.dir_of(column)
        image = os.path.join(directory, "image")
        run(["objcopy", "-O", "binary", "-R", ".note.gnu.build-id", "-R", ".note.gnu.property",
             self.name, image], directory, "objcopy")
        self.figures.code_bytes[column] = os.path.getsize(image)
        result = hash_of(image)
        os.remove(image)
        return result

    def measure(self, rounds, say):
        """Measure the rounds that are missing, up to ROUNDS."""
        runs = [column for column in self.columns if column not in self.figures.same]
        missing = [n for n in range(rounds) if not set(runs) <= set(self.figures.rounds.get(n, ()))]
        for number in missing:
            say("round %d of %d" % (number + 1, rounds))
            times, first = {}, number % len(runs)
            for column in runs[first:] + runs[:first]:
                times[column] = run(self.line, self.dir_of(BASE if column == AGAIN else column),
                                    "run", environment=self.environment(column))
            self.figures.write(number, times, os.getloadavg()[0])
