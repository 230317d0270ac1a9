# lib.py - what the test programs in Python share; see lib.sh for those in bash.
# SPDX-License-Identifier: GPL-3.0-or-later

import os
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.append(os.path.join(TOP, "testsuite", "oracle"))
BUILD = os.path.join(TOP, os.environ.get("BUILD", "build"))
CABPROF = os.path.join(BUILD, "bin", "cabprof")
PLUGIN = os.path.join(BUILD, "cabprof.so")
GCC = os.environ.get("GCC", "gcc")
# This is the extent of the run (testsuite/run): "fast", "check" or "all".
EXTENT = os.environ.get("CAB_EXTENT", "check")


def scratch():
    """Return the directory to work in, which becomes the working directory."""
    place = os.environ.get("TEST_DIR")
    if not place:
        place = os.path.join(BUILD, "test",
                             "-".join(["by-hand", os.path.basename(sys.argv[0])] + sys.argv[1:]))
        shutil.rmtree(place, ignore_errors=True)
        os.makedirs(place)
    os.chdir(place)
    return place


def skip(reason):
    print(reason)
    sys.exit(77)


def need_build():
    if not (os.path.exists(CABPROF) and os.path.exists(PLUGIN)):
        print("FAILED: %s: no plugin or command there: run make first" % BUILD)
        sys.exit(1)


def need(*commands):
    for command in commands:
        if not shutil.which(command):
            skip("%s is not installed" % command)


def plugin_flags(**options):
    """Return -fplugin=... and its arguments; True makes an option without a value, _ stands for -.
    """
    flags = ["-fplugin=" + PLUGIN]
    for key, value in options.items():
        flag = "-fplugin-arg-cabprof-" + key.replace("_", "-")
        flags.append(flag if value is True else "%s=%s" % (flag, value))
    return flags


class Outcome:
    """How a process ended, and what it wrote."""

    def __init__(self, status, stdout, stderr):
        self.status, self.stdout, self.stderr = status, stdout, stderr

    def __eq__(self, other):
        return (self.status, self.stdout) == (other.status, other.stdout)

    def __str__(self):
        return "status %s, %d bytes of output%s" % (self.status, len(self.stdout),
                                                     "; "
                                                     + self.stderr.decode(errors="replace")[-300:]
                                                     if self.stderr else "")


def run(command, timeout=60, cwd=None, env=None, stdin=None):
    merged = dict(os.environ, LC_ALL="C", **(env or {}))
    try:
        done = subprocess.run(command, cwd=cwd, env=merged, stdin=stdin or subprocess.DEVNULL,
                              stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=timeout)
    except subprocess.TimeoutExpired as late:
        return Outcome("timeout", late.stdout or b"", late.stderr or b"")
    return Outcome(done.returncode, done.stdout, done.stderr)


def compile_to(output, sources, flags, cwd=None, compiler=None):
    """Compile and link; return None, or the compiler's words."""
    done = run([compiler or GCC, "-w", "-o", output] + flags + sources + ["-lm"], timeout=300,
               cwd=cwd)
    words = done.stderr.decode(errors="replace") or "status %s" % done.status
    return None if done.status == 0 else words


def table(profile, report, *arguments):
    """Return the rows of a report as dictionaries."""
    done = run([CABPROF, "report", report, "--format=tsv", "-d", profile, *arguments], timeout=120)
    if done.status != 0:
        raise RuntimeError("cabprof report %s: %s" % (report, done))
    lines = done.stdout.decode(errors="surrogateescape").split("\n")
    lines = lines[lines[0].startswith("#"):]   # a note
    names = lines[0].split("\t")
    return [dict(zip(names, line.split("\t"))) for line in lines[1:] if line]


class Cases:
    """Count passed, failed and skipped cases; `end' prints them for the runner and exits."""

    def __init__(self):
        self.passed = self.failed = self.skipped = 0
        self.reasons = {}

    def good(self):
        self.passed += 1

    def bad(self, words):
        self.failed += 1
        print("FAILED: " + words)
        sys.stdout.flush()

    def passed_over(self, reason):
        self.skipped += 1
        self.reasons[reason] = self.reasons.get(reason, 0) + 1

    def end(self, by_hand=False):
        """Without the runner, print words for the user."""
        for reason, n in sorted(self.reasons.items()):
            print("skipped %d: %s" % (n, reason))
        print(("%d passed, %d failed, %d skipped" if by_hand else "CASES %d %d %d")
              % (self.passed, self.failed, self.skipped))
        sys.exit(1 if self.failed else 0)
