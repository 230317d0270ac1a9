# accessproof.py - compare, access by access, the two encodings of the accesses of a program that
# was compiled with "memory-proof".
# SPDX-License-Identifier: GPL-3.0-or-later
#
# A handler's events come before those of the region that it interrupts, in one encoding sooner than
# in the other: so the functions of each handler, known by their names, form a sequence of their
# own.

import os

import lib
import accesslog

COMPILERS = {".c": "gcc", ".cc": "g++", ".f90": "gfortran"}


def compiler_of(path):
    return lib.GCC.replace("gcc", COMPILERS[os.path.splitext(path)[1]])


def build_log():
    """Make accesslog.o in the working directory; return the compiler's words, or None."""
    return lib.compile_to("accesslog.o", [os.path.join(lib.TOP, "testsuite/oracle/accesslog.c")],
                          ["-c", "-O1", "-D_GNU_SOURCE", "-mgeneral-regs-only",
                           "-I" + os.path.join(lib.TOP, "include")])


def sequences(threads, apart):
    """Return {(thread, prefix of the names in APART or None): (dense accesses, single ones)}."""
    found = {}
    for thread, events in threads.items():
        for function, region, raw in events:
            group = next((prefix for prefix in apart if function.name.startswith(prefix)), None)
            dense, single = found.setdefault((thread, group), ([], []))
            half = function.n_told // 2
            for number, address, size in accesslog.generate(function, region, raw):
                (dense if number < half else single).append((function, number % half, address,
                                                             size))
    return found


def difference(dense, single, whole):
    """Return how the two differ, in words, or None."""
    for i, (one, other) in enumerate(zip(dense, single)):
        if one != other:
            (f, k, a, s), (f2, k2, a2, s2) = one, other
            return "access %d: %s %d %x %d instead of %s %d %x %d" % (i, f.name, k, a, s, f2.name,
                                                                      k2, a2, s2)
    if whole and len(dense) != len(single):
        return "%d accesses instead of %d" % (len(dense), len(single))
    return None


def compare(name, path, flags, encoding, cases, expected=None, apart=(), most=accesslog.MOST_WORDS,
            sample=None):
    """Build and run PATH plainly (unless its behaviour is EXPECTED) and with probes in ENCODING
    (None: the default); return how many accesses were compared. SAMPLE: with the sampling switch,
    and that rate.
    """
    compiler = compiler_of(path)
    options = {"memory_encoding": encoding} if encoding else {}
    ours = lib.plugin_flags(events="memory", memory_proof=True,
                            **(dict(options, memory_sample=True) if sample else options))
    words = None if expected else lib.compile_to("plain", [path], flags, compiler=compiler)
    words = words or lib.compile_to("ours", [path, "accesslog.o"], flags + ours, compiler=compiler)
    if words:
        cases.bad("%s: %s" % (name, words[:2000]))
        return 0
    expected, got = expected or lib.run(["./plain"]), lib.run(["./ours"],
                                                              env={"ACCESSLOG": "log",
                                                                   "ACCESSLOG_SAMPLE": str(
                                                                       sample or 1)})
    if expected != got:
        cases.bad("%s: %s instead of %s" % (name, got, expected))
        return 0
    threads, whole = accesslog.read("log", "ours", most)
    n = 0
    for (thread, group), (dense, single) in sequences(threads, apart).items():
        words = difference(dense, single, whole and got.status == 0)
        if words:
            cases.bad("%s: %s%s" % (name, "in %s*: " % group if group else "", words))
            return n
        n += min(len(dense), len(single))
    cases.good()
    return n
