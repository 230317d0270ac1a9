# delegates.py - measure what routing rows to delegates and serving them takes, and compute from it
# how much faster `deps' and `values' are with 1 to 8 delegates (delegates.c).
# SPDX-License-Identifier: GPL-3.0-or-later

import os
import subprocess

import lib

DELEGATES = (1, 2, 3, 4, 8)
MESSAGES = (1, 8, 64)       # rows at once; beside them as many as there are
BUILDS = {"deps": "loops", "values": "values"}
HEAD = ("program\tanalysis\tdelegates\trows\trows_a_message\tdecode_ns\tfeed_ns\troute_ns\t"
        "serve_ns\tbusiest\ttimes_faster\n")


def record(place, program, argument, trace):
    """Record a trace of PROGRAM in PLACE; return true if there is one."""
    done = subprocess.run([lib.CABPROF, "record", "--quiet", "--sample=off", "-d", "profile",
                           "--trace=" + trace, "--options=analyses=methods", "--",
                           os.path.join(place, program), argument], cwd=place,
                          stdout=subprocess.DEVNULL)
    return done.returncode == 0 and os.path.exists(trace)


def measure(place, programs, tool):
    """Measure PROGRAMS, (name, argument), which are built below PLACE; write delegates.tsv."""
    with open(os.path.join(place, "delegates.tsv"), "w") as file:
        file.write(HEAD)
        for program, argument in programs:
            for analysis, build in BUILDS.items():
                where = os.path.join(place, program, build)
                trace = os.path.join(where, "delegates.trace")
                if not record(where, program, argument, trace):
                    print("%s, %s: no trace" % (program, analysis))
                    continue
                runs = [(n, 0) for n in DELEGATES]
                runs += [(4, rows) for rows in MESSAGES if analysis == "values"]
                for n, rows in runs:
                    done = subprocess.run([tool, trace, analysis, str(n), str(rows)],
                                          stdout=subprocess.PIPE)
                    if done.returncode:
                        print("%s, %s: delegates.c fails" % (program, analysis))
                    file.write("".join("%s\t%s" % (program, line)
                                       for line in done.stdout.decode().splitlines(True)))
                    file.flush()
                os.remove(trace)
