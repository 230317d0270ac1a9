# driver.py - build and run the annotated sources of testsuite/compile/src, and those of
# testsuite/programs and oracle/src.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Each source is built at every level, plain and with each set of events, and run. Output and exit
# status must be the plain program's, the profile of counters in place that of the trace, byte for
# byte, the profile of an analysis thread that of placement inline, and the expectations in comments
# must hold. `make check' does so with all sets of events at -O0 and -O2, and with one set, by
# turns, at each other level; `make check-all' with all sets at each level; `make check-fast' with
# paths and calls at -O2.
# The comments are these; several in one comment are separated by ";":
#   line = N               this line's count in `report lines', at -O0, where no path is unfinished
#   calls = N              activations of the function declared on this line, or: calls NAME = N
#   unfinished = N         those of them that never ended, or: unfinished NAME = N
#   edge A > B = N         sum of the call graph's counts from A to B ("-" is the outermost caller)
#   tree A > B > ... = N   calls in that context, counted from an outermost frame
#   paths NAME = N         different paths of the function that were executed, at -O0
#   varies                 runs differ, so the profiles of two runs are not compared
# The head of the file may have: flags: FLAGS   status: N   stack: unlimited   levels: -O0 -O2 ...

import os
import re
import resource
import shutil
import subprocess

import lib

LEVELS = ["-O0", "-O1", "-O2", "-O3", "-Os", "-O2 -flto"]
COMPILERS = {".c": "gcc", ".cc": "g++", ".f90": "gfortran"}
FORCED = ["-fchecking", "--param", "ggc-min-expand=0", "--param", "ggc-min-heapsize=0"]


class Source:
    def __init__(self, path):
        self.path, self.name = path, os.path.basename(path)
        self.compiler = lib.GCC.replace("gcc", COMPILERS[os.path.splitext(path)[1]])
        self.flags, self.status, self.unlimited = [], 0, False
        self.levels, self.varies = LEVELS, False
        self.lines, self.calls, self.unfinished = {}, {}, {}
        self.edges, self.trees, self.paths = {}, {}, {}
        self.declared_calls, self.declared_unfinished = {}, {}
        with open(path) as file:
            self.text = file.read()
        for number, line in enumerate(self.text.split("\n"), 1):
            self.head(line)
            comment = re.search(r"(?:/\*|//|!) *(.*=.*?|varies)\s*(?:\*/)?$", line)
            for item in comment[1].split(";") if comment else []:
                self.expect(number, item.strip())

    def head(self, line):
        for key, value in re.findall(r"^[ !/*]*(flags|status|stack|levels): (.*?)\s*$", line):
            if key == "flags":
                self.flags = value.split()
            elif key == "status":
                self.status = int(value)
            elif key == "stack":
                self.unlimited = True
            elif key == "levels":
                self.levels = [level for level in LEVELS if level.split()[0] in value.split()]

    def expect(self, number, item):
        if item == "varies":
            self.varies = True
            return
        match = re.fullmatch(r"(line|calls|unfinished|edge|tree|paths)(?: (.*))? = (\d+)", item)
        if not match:
            return
        key, what, count = match[1], match[2], int(match[3])
        chain = tuple(what.split(" > ")) if what else None
        if key == "line":
            self.lines[number] = count
        elif key in ("calls", "unfinished"):
            place = {"calls": (self.calls, self.declared_calls),
                     "unfinished": (self.unfinished, self.declared_unfinished)}[key]
            place[0 if what else 1][what or number] = count
        elif key == "edge":
            self.edges[chain] = count
        elif key == "tree":
            self.trees[chain] = count
        else:
            self.paths[what] = count


def compile_flags(source, level):
    flags = level.split() + source.flags
    if level.split()[0] in ("-O2", "-O3", "-Os"):
        flags.append("-DSIBCALLS")
    return flags


def unlimited():
    hard = resource.getrlimit(resource.RLIMIT_STACK)[1]
    resource.setrlimit(resource.RLIMIT_STACK, (hard, hard))


def execute(source, program, options):
    env = dict(os.environ, LC_ALL="C")
    env.pop("CABPROF_OPTIONS", None)
    if options:
        env["CABPROF_OPTIONS"] = options
    try:
        done = subprocess.run([program], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=120, env=env,
                              preexec_fn=unlimited if source.unlimited else None)
    except subprocess.TimeoutExpired:
        return "timeout", b"", b""
    return done.returncode, done.stdout, done.stderr


def report(profile, name, *arguments):
    done = lib.run([lib.CABPROF, "report", name, "--format=tsv", "--limit=0", "-d", profile,
                    *arguments], timeout=120)
    if done.status != 0:
        raise RuntimeError("report %s: %s" % (name, done))
    return done.stdout


def rows(text):
    lines = text.decode(errors="surrogateescape").split("\n")
    names = lines[0].split("\t")
    return [dict(zip(names, line.split("\t"))) for line in lines[1:] if line]


def named(name, wanted):
    return name == wanted or name.split("(")[0] == wanted or name.split(" [")[0] == wanted


def check_methods(source, with_paths, tables, words):
    methods = rows(tables["methods"])
    for column, by_name, by_line in (("calls", source.calls, source.declared_calls),
                                     ("not_returned", source.unfinished,
                                      source.declared_unfinished)):
        wanted = [(lambda r, n=name: named(r["function"], n), name, count)
                  for name, count in by_name.items()]
        # A GNU declaration spans lines: the name may stand one line below the type, so the line
        # given is that of the name.  Thunks, which count where paths are cut at calls, have it too.
        wanted += [(lambda r, n=line: int(r["line"] or 0) == n and "thunk to " not in r["function"]
                    and os.path.basename(r["file"]) == source.name, "line %d" % line, count)
                   for line, count in by_line.items()]
        for matches, where, count in wanted:
            found = [r for r in methods if matches(r)]
            if column == "not_returned" and not with_paths:
                continue
            total = sum(int(r[column]) for r in found)
            if total != count:
                words.append("%s of %s: %d, not %d" % (column, where, total, count))


def check_calls(source, tables, words):
    for (caller, callee), count in source.edges.items():
        total = sum(int(r["count"]) for r in rows(tables["calls"]) if named(r["caller"], caller)
                    and named(r["callee"], callee))
        if total != count:
            words.append("calls %s > %s: %d, not %d" % (caller, callee, total, count))
    nodes = {r["id"]: r for r in rows(tables["tree"])} if source.trees else {}

    def ends_in(node, wanted):
        """Return true if NODE's context is the chain WANTED. Compare from its end, since contexts
        may be very deep.
        """
        for name in reversed(wanted):
            if not node or not named(node["function"], name):
                return False
            node = nodes.get(node["parent"])
        return node is None

    for wanted, count in source.trees.items():
        total = sum(int(node["calls"]) for node in nodes.values() if ends_in(node, wanted))
        if total != count:
            words.append("tree %s: %d, not %d" % (" > ".join(wanted), total, count))


def check_paths(source, level, cut, tables, words):
    if level != "-O0":
        return
    # An unfinished path counts for no line, unless paths are cut at calls.
    finished = cut or all(r["not_returned"] == "0" for r in rows(tables["methods"]))
    counts = {int(r["line"]): int(r["count"]) for r in rows(tables["lines"])
              if os.path.basename(r["file"]) == source.name}
    for line, count in source.lines.items():
        if finished and counts.get(line) != count:
            words.append("line %d: %s, not %d" % (line, counts.get(line), count))
    for name, count in source.paths.items():
        found = sum(named(r["function"], name) and int(r["count"]) > 0
                    for r in rows(tables["paths"]))
        if found != count and not cut:
            words.append("paths of %s: %d, not %d" % (name, found, count))


PATH_REPORTS = ("methods", "paths", "edges", "lines")
CALL_REPORTS = ("methods", "calls", "tree")
# name: (options of the plugin, reports, environment of each run)
VARIANTS = {
    "count": ({"events": "paths"}, PATH_REPORTS, [""]),
    "cut": ({"events": "paths", "cut_at_calls": True}, PATH_REPORTS, [""]),
    "trace": ({"events": "paths", "paths": "trace"}, PATH_REPORTS,
              ["placement=thread", "placement=inline"]),
    "calls": ({"events": "calls"}, CALL_REPORTS, ["placement=thread", "placement=inline"]),
    "both": ({"events": "paths+calls"}, CALL_REPORTS + PATH_REPORTS[1:], ["placement=thread"]),
}


def run_variant(source, level, name, plain):
    """Build and run one variant; return (words, tables of the first run)."""
    options, reports, environments = VARIANTS[name]
    words, first = [], None
    trouble = lib.compile_to("ours", [source.path], compile_flags(source, level)
                             + lib.plugin_flags(**options), compiler=source.compiler)
    if trouble:
        return ["does not compile: " + trouble[:3000]], None
    for environment in environments:
        shutil.rmtree("data", ignore_errors=True)
        status, output, errors = execute(source, "./ours",
                                         (environment + ":" if environment else "") + "data=data")
        if (status, output) != plain:
            words.append("%s: status %s, output differs: %s"
                         % (environment, status, errors.decode(errors="replace")[-300:]))
            continue
        if errors:
            words.append("%s: on stderr: %s"
                         % (environment, errors.decode(errors="replace")[-300:]))
        try:
            tables = {r: report("data", r) for r in reports}
            check_methods(source, "paths" in options["events"] and "cut_at_calls" not in options,
                          tables, words)
            if "calls" in tables:
                check_calls(source, tables, words)
            if "paths" in tables:
                check_paths(source, level, "cut_at_calls" in options, tables, words)
        except (RuntimeError, ValueError, KeyError) as error:
            words.append("%s: %r" % (environment, error))
            continue
        if first is None:
            first = tables
        elif not source.varies:
            words += ["%s: report %s differs from that of %s" % (environment, r, environments[0])
                      for r in reports if tables[r] != first[r]]
    return words, first


def variants_of(source, level):
    """Return the names of the VARIANTS to run: each pair of a level and a variant comes with some
    of the sources.
    """
    names = list(VARIANTS)
    if lib.EXTENT == "fast":
        names = ["both"] if level == "-O2" else []
    elif lib.EXTENT == "check" and level not in ("-O0", "-O2"):
        turn = sum(source.name.encode()) + LEVELS.index(level)
        names = names[turn % len(names):][:1]
    # Where paths are cut at calls, code follows each call, so no call stays a jump.
    return [name for name in names if name != "cut" or "SIBCALLS" not in source.text]


def run_source(source, cases):
    for level in source.levels:
        if not variants_of(source, level):
            continue
        words = lib.compile_to("plain", [source.path], compile_flags(source, level),
                               compiler=source.compiler)
        if words:
            cases.bad("%s %s: does not compile without the plugin: %s"
                      % (source.name, level, words))
            continue
        plain = execute(source, "./plain", None)[:2]
        if plain[0] != source.status:
            cases.bad("%s %s: without the plugin: status %s" % (source.name, level, plain[0]))
            continue
        tables = {}
        for name in variants_of(source, level):
            words, tables[name] = run_variant(source, level, name, plain)
            if name == "trace" and tables.get("count") and tables["trace"] and not source.varies:
                words += ["report %s of paths=trace differs from that of paths=count" % r
                          for r in PATH_REPORTS
                          if tables["count"][r] != tables["trace"][r]]
            if words:
                cases.bad("%s %s %s: %s" % (source.name, level, name, "; ".join(words)))
            else:
                cases.good()


def run_forced(source, cases):
    """Compile a small source with the collector running as often as it can, and GCC's own checks.
    """
    # The headers of the C++ library alone would take minutes.
    if lib.EXTENT == "fast":
        return
    headers = set(re.findall(r"#include <(.*)>", source.text)) if source.path.endswith(
        ".cc") else set()
    if len(source.text) > 4000 or source.name == "switch.c" or headers - {"cstdio", "cstdlib",
                                                                          "unistd.h"}:
        return
    for options in ({"events": "paths+calls"}, {"events": "paths+calls", "paths": "trace"},
                    {"cut_at_calls": True}):
        words = lib.compile_to("forced.o", [source.path], ["-c", "-O2"] + source.flags + FORCED
                               + lib.plugin_flags(**options),
                               compiler=source.compiler)
        if words:
            cases.bad("%s, collector forced, %s: %s" % (source.name, options, words[:3000]))
        else:
            cases.good()


def is_meant(name, words):
    """Return the sources that WORDS mean: c, cc or f90 for all sources in that language, a-c.c for
    those whose names begin with a to c, or names of sources.
    """
    suffix = os.path.splitext(name)[1]
    for word in words:
        part = re.fullmatch(r"([a-z])-([a-z])(\.\w+)", word)
        if word in (name,
                    suffix[1:]) or part and part[3] == suffix and part[1] <= name[0] <= part[2]:
            return True
    return False


def main(words):
    """Check the sources that WORDS mean, as for is_meant."""
    lib.need_build()
    lib.scratch()
    places = [os.path.join(lib.TOP, "testsuite", *folder)
              for folder in (("compile", "src"), ("programs",), ("oracle", "src"))]
    cases = lib.Cases()
    for path in [os.path.join(place, name) for place in places
                 for name in sorted(os.listdir(place))]:
        name = os.path.basename(path)
        if os.path.splitext(name)[1] not in COMPILERS or not is_meant(name, words):
            continue
        source = Source(path)
        if not shutil.which(source.compiler):
            cases.passed_over(source.compiler + " is not installed")
            continue
        run_source(source, cases)
        run_forced(source, cases)
    cases.end()
