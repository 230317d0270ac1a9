# subject.py - one program of bench-loops: build, check, tune and run its columns, in a directory
# that keeps what was done.
# SPDX-License-Identifier: GPL-3.0-or-later
#
#   DIR/reference, DIR/<column>    builds; the file `built' in each says from what
#   DIR/expected                   the hash of the output of the reference, a build with -O1
#   DIR/tune, DIR/loops.hints, DIR/tuned.json          cabprof's work, its result, its cost
#   DIR/tune-all, DIR/all.hints, DIR/tuned-all.json    the same with --try=all
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
REGISTERS, UNROLL, PROFILE = "-fweb -frename-registers", "-funroll-loops", "-fprofile-use"
FACTORS = {"factor %d" % n: n for n in (2, 4, 8, 16)}
TUNED, BOTH, ALL = "cabprof", "cabprof, -fprofile-use", "cabprof --try=all"
WITHOUT = [name.strip() for name in os.environ.get("WITHOUT", "").split(";")]
COLUMNS = [BASE] + [c for c in (AGAIN, REGISTERS, UNROLL, *FACTORS, PROFILE, TUNED, BOTH, ALL)
                    if c not in WITHOUT]
TUNINGS = {TUNED: ("tune", "loops.hints", "tuned.json", ()),
           ALL: ("tune-all", "all.hints", "tuned-all.json", ("--try=all",))}
LIMIT = 1800


class Trouble(Exception):
    """A program or an input is not available; the message says why."""


def processor_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def run(command, where, what, output=os.devnull):
    """Run COMMAND (words, or a line for the shell) in WHERE; return processor seconds, or raise
    Trouble about WHAT.
    """
    before = processor_seconds()
    log = os.path.join(where, "log")
    with open(output, "wb") as out, open(log, "wb") as words:
        try:
            status = subprocess.run(command, shell=isinstance(command, str), cwd=where,
                                    stdin=subprocess.DEVNULL, stdout=out, stderr=words,
                                    timeout=LIMIT, env=dict(os.environ, LC_ALL="C")).returncode
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
        for column, (_, _, cost, _) in TUNINGS.items():
            if os.path.exists(self.path(cost)):
                with open(self.path(cost)) as file:
                    self.figures.tunings[column] = json.load(file)
        self.columns = [c for c in COLUMNS
                        if os.path.exists(os.path.join(self.dir_of(BASE if c == AGAIN else c),
                                                       "built"))]
        self.find_same()

    def flags(self, column):
        feedback = "-fplugin=%s -fplugin-arg-cabprof-feedback=%%s" % lib.PLUGIN
        if column in FACTORS:
            return "-O3 -g " + feedback % self.every(FACTORS[column])
        if column in TUNINGS:
            return "-O3 -g " + feedback % self.path(TUNINGS[column][1])
        return {BASE: "-O3 -g", BOTH: "-O3 -g -fprofile-use " + feedback
                % self.path("loops.hints")}.get(column, "-O3 -g " + column)

    def every(self, factor):
        path = self.path("every-%d.hints" % factor)
        with open(path, "w") as file:
            json.dump({"schema": 1, "format": "cabprof hints", "cabprof": "0.1", "every": factor,
                       "loops": []}, file)
        return path

    def build(self, column):
        directory = self.dir_of(column)
        if column == PROFILE and not os.path.exists(os.path.join(directory, "built")):
            self.make(directory, "-O3 -g -fprofile-generate")
            run(self.line, directory, "training")
            run(["make", "clean"], directory, "make clean")
        if column == BOTH:
            if TUNED not in self.columns or PROFILE not in self.columns:
                raise Trouble("needs the columns %s and %s" % (TUNED, PROFILE))
            for name in os.listdir(self.dir_of(PROFILE)):
                if name.endswith(".gcda"):
                    os.makedirs(directory, exist_ok=True)
                    shutil.copy2(os.path.join(self.dir_of(PROFILE), name), directory)
        self.make(directory, self.flags(column))
        if self.output_of(directory, column) != self.expected:
            raise Trouble("its output is not that of the build with -O1")

    def make(self, directory, flags):
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
        if "generate" not in flags:
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
        run(self.line, directory, "run", out)
        recipe("check", self.name, self.size, out, where=self.place)
        result = hash_of(out)
        os.remove(out)
        with open(keep, "w") as file:
            json.dump([program, self.line, result], file)
        return result

    def tune(self, column):
        place, hints, cost, options = TUNINGS[column]
        directory, hints, cost = self.path(place), self.path(hints), self.path(cost)
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
            json.dump({"runs": measured["runs"], "builds": measured["builds"], "hints": rows,
                       "cpu_seconds": cpu_seconds,
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
                                    "run")
            self.figures.write(number, times, os.getloadavg()[0])
