# single.py - one program of one file has the same behaviour with the plugin as without, edge counts
# equal to gcov's, one profile from counters and trace, and the tree of hooks.
# SPDX-License-Identifier: GPL-3.0-or-later

import glob
import os
import shutil

import lib
import gcovcheck
import trees

LEVELS = {"-O0": ["-O0"], "-O2": ["-O2"], "-O2 -flto": ["-O2", "-flto"]}


def behaviour(name, source, options, expected, cases):
    """EXPECTED is {level: standard output} of the program without the plugin, which ends with
    status 0.
    """
    for level, flags in LEVELS.items():
        words = lib.compile_to("ours", [source], flags + options
                               + lib.plugin_flags(events="paths+calls"))
        if words:
            cases.bad("%s %s: does not compile: %s" % (name, level, words[:2000]))
            continue
        outcome = lib.run(["./ours"], timeout=30)
        if outcome.status != 0 or outcome.stdout.decode(
                errors="replace") != expected[level] or outcome.stderr:
            cases.bad("%s %s: %s" % (name, level, outcome))
        else:
            cases.good()


def edges(name, source, options, level, cases, total):
    """TOTAL is a gcovcheck.Result to add to."""
    for place in ("gcov.d", "ours.d"):
        shutil.rmtree(place, ignore_errors=True)
        os.mkdir(place)
    # With -fprofile-arcs GCC splits no functions before it counts; without, it does, and the graph
    # would be another one.
    flags = [level, "-fno-partial-inlining"] + options
    if lib.compile_to("prog", [source], flags + ["-fprofile-arcs", "-ftest-coverage"],
                      cwd="gcov.d"):
        cases.passed_over("gcc -fprofile-arcs does not compile it")
        return
    if lib.run(["./prog"], cwd="gcov.d", timeout=30).status != 0 or not glob.glob("gcov.d/*.gcda"):
        cases.passed_over("no counts with -fprofile-arcs")
        return
    words = lib.compile_to("prog", [source], flags + lib.plugin_flags(cut_at_calls=True,
                                                                      events="paths+values"),
                           cwd="ours.d")
    if words or lib.run(["./prog"], cwd="ours.d", timeout=30).status != 0:
        cases.bad("%s %s cut-at-calls: %s" % (name, level, words or "does not run"))
        return
    try:
        result = gcovcheck.check("ours.d/cabprof.data", "gcov.d")
    except (RuntimeError, ValueError, KeyError) as error:
        cases.bad("%s %s: %s" % (name, level, error))
        return
    total.add(result)
    if result.wrong:
        cases.bad("%s %s: edges: %s" % (name, level, "; ".join(result.wrong[:5])))
    else:
        cases.good()
    for function, reason in result.unmatched:
        print("not matchable: %s %s: %s: %s" % (name, level, function, reason))


def traces(name, source, options, level, cases):
    """Check that paths counted in place and paths sent through the ring give one profile."""
    tables = []
    for mode in ("count", "trace"):
        place = mode + ".d"
        shutil.rmtree(place, ignore_errors=True)
        os.mkdir(place)
        words = lib.compile_to("prog", [source], [level] + options + lib.plugin_flags(paths=mode),
                               cwd=place)
        outcome = words or lib.run(["./prog"], cwd=place, timeout=30)
        if words or outcome.status != 0:
            cases.bad("%s %s paths=%s: %s" % (name, level, mode, outcome))
            return
        try:
            tables.append(sorted(tuple(row.values())
                                 for row in lib.table(place + "/cabprof.data", "paths",
                                                      "--limit=0")))
        except RuntimeError as error:
            if "no paths were recorded" not in str(error) and os.path.isdir(
                    place + "/cabprof.data"):
                cases.bad("%s %s paths=%s: %s" % (name, level, mode, error))
                return
            tables.append([])   # every function in it was skipped, or none was executed
    if tables[0] == tables[1]:
        cases.good()
    else:
        differences = sorted(set(tables[0]) ^ set(tables[1]))
        cases.bad("%s %s: count and trace differ: %s" % (name, level, differences[:4]))


# These flags, as in `tree', avoid calls that only one side has.
APART = ["-fno-inline", "-fno-ipa-icf", "-fno-ipa-pure-const", "-fno-ipa-modref",
         "-fdisable-tree-tailr1", "-fdisable-tree-tailr2"]


def build_hooks():
    """Make hooks.o and display, for `contexts', in the working directory."""
    place = os.path.join(lib.TOP, "testsuite", "oracle")
    include = ["-I" + os.path.join(lib.TOP, folder) for folder in ("", "include")]
    words = (lib.compile_to("hooks.o", [os.path.join(place, "hooks.c")], ["-O2", "-c"])
             or lib.compile_to("display",
                               [os.path.join(place, "display.c"),
                                os.path.join(lib.TOP, "analyses", "base", "names.c"), "-liberty"],
                                include))
    if words:
        raise RuntimeError(words)


def contexts(name, source, options, level, cases):
    """Check that the tree equals that of -finstrument-functions hooks, both without inlining;
    return how many contexts were compared.
    """
    flags = [level] + APART + options
    for old in glob.glob("hooks.[0-9]*"):
        os.remove(old)
    shutil.rmtree("tree.data", ignore_errors=True)
    words = (lib.compile_to("hooked", [source], flags + ["-finstrument-functions", "hooks.o"])
             or lib.compile_to("ours", [source], flags + lib.plugin_flags(events="calls")))
    outcomes = [] if words else [lib.run(["./hooked"], env={"CAB_HOOKS": "hooks"}, timeout=60),
                                 lib.run(["./ours"], env={"CABPROF_OPTIONS": "data=tree.data"},
                                         timeout=60)]
    if words or outcomes[0] != outcomes[1]:
        cases.bad("%s %s with hooks: %s" % (name, level, words or "%s and %s" % tuple(outcomes)))
        return 0
    n, words = trees.compare("tree.data", "hooked", "./display", source, glob.glob("hooks.[0-9]*"))
    if words:
        cases.bad("%s %s: contexts: %s" % (name, level, "; ".join(words[:5])))
    else:
        cases.good()
    return n


def judge(total, cases):
    """Return true if at most 2 % of the functions that were executed have graphs that do not match.
    """
    n = total.n_functions + len(total.unmatched)
    if n and len(total.unmatched) > 0.02 * n:
        cases.bad("%d of %d functions are not matchable" % (len(total.unmatched), n))
