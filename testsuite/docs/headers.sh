#!/bin/bash
# headers.sh - a prototype lives in the header named after its source, or in that of its family,
# whose name is the beginning of the source's, cmd_ aside.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/../lib.sh"
need python3

cat >headers.py <<'end'
import glob, os, re, sys
os.chdir (sys.argv[1])

# Prototypes that stay elsewhere, and why.
exceptions = {
    ("analyses/command/command.h", "main.c"): "main.c is the command",
    ("analyses/live/an_values.h", "values_state.c"): "readers of a state look into its an_NAME.h",
    ("analyses/live/cache/cache_state.h", "an_cache.c"): "an_cache.h is for readers of the state",
    ("analyses/live/cache/cachesim_state.h", "cachesim_geometry.c"): "one function of the state",
    ("analyses/live/tree_state.h", "tree_check.c"): "one function of the state",
    ("analyses/live/user_analysis.h", "registry.c"): "one function on loaded analyses",
    ("analyses/profile/finish/finish_rest.h", "finish.c"): "finish.h is for other rooms",
    ("analyses/profile/model_adding.h", "model_arenas.c"): "a step of model_part.c",
    ("analyses/profile/model_adding.h", "model_counters.c"): "a step of model_part.c",
    ("analyses/profile/model_adding.h", "model_maps.c"): "a step of model_part.c",
    ("analyses/wire/regions_table.h", "regions.c"): "regions.h is for those who read the table",
    ("analyses/wire/regions_table.h", "regions_nest.c"): "one function of the table",
    ("rt/base/gate_stack.h", "gate.c"): "rooms below rt/engine/probe call these",
}

def statements (path):
    """Yield each declaration at the outer level of the file, and whether a body follows it."""
    text = open (path).read ()
    text = re.sub (r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.S)
    text = re.sub (r'"(\\.|[^"\\\n])*"|' r"'(\\.|[^'\\\n])*'", '""', text)
    text = re.sub (r"^[ \t]*#(.*\\\n)*.*\n", "", text, flags=re.M)
    text = re.sub (r'extern "" *\{', "", text)
    depth = start = 0
    for m in re.finditer (r"[{};]", text):
        if depth == 0 and m.group () != "}":
            yield text[start:m.start ()].strip (), m.group () == "{"
        depth = max (0, depth + {"{": 1, "}": -1, ";": 0}[m.group ()])
        if depth == 0:
            start = m.end ()

def function (declaration):
    """Return the name of the function that is declared, or None."""
    if re.match (r"(static|typedef)\b", declaration) or "=" in declaration:
        return None
    m = re.search (r"\b(?!__attribute__)(\w+) \(", declaration)
    return m.group (1) if m and m.start () else None

def files (ends, *tops):
    return [f for top in tops for f in sorted (glob.glob (top + "/**/*", recursive=True))
            if re.search (r"\.(%s)$" % ends, f)]

def may_declare (header, source):
    first, name = (os.path.splitext (os.path.basename (f))[0] for f in (header, source))
    if first == "command" and name.startswith ("cmd_") or header.startswith ("include/cabprof/"):
        return True
    names = name, name.removeprefix ("cmd_")
    return any (n == first or n.startswith (first + "_") for n in names)

where = {}
for source in files ("c|cc", "analyses", "loopfb", "plugin", "rt"):
    for declaration, has_body in statements (source):
        if has_body and function (declaration):
            where.setdefault (function (declaration), []).append (source)
wrong, used, n = [], set (), 0
for header in files ("h", "analyses", "include", "loopfb", "plugin", "rt"):
    for declaration, has_body in statements (header):
        sources = [] if has_body else where.get (function (declaration), [])
        n += bool (sources)
        if not sources or any (may_declare (header, source) for source in sources):
            continue
        found = {(header, os.path.basename (source)) for source in sources} & set (exceptions)
        used |= found
        if not found:
            wrong.append (f"{header}: {function (declaration)} is in {' '.join (sources)}:"
                          " declare it in the header named after that")
for header, source in sorted (set (exceptions) - used):
    wrong.append (f"{header}: declares nothing of {source}: it is no exception")
if n < 1000:
    wrong.append (f"only {n} prototypes found")
print ("\n".join (wrong))
sys.exit (bool (wrong))
end
python3 headers.py "$TOP" >said || fail "$(cat said)"

# The rule fails in a copy of the sources that breaks it.
mkdir copy && cp -a "$TOP"/{analyses,include,loopfb,plugin,rt} copy || fail "no copy of the sources"
breaks ()
{
  cp "copy/$1" kept
  echo "$2" >>"copy/$1"
  python3 headers.py copy >said && fail "$1: $2 was not noticed"
  grep -q "$3" said || fail "$1: $2: $(cat said)"
  cp kept "copy/$1"
}
breaks analyses/report/report.h 'const struct cab_access_ref *cab_model_access (int number);' \
  'report.h: cab_model_access is in analyses/profile/model'
breaks rt/base/say.h '__attribute__ ((cold)) const char *cab_error_words (int error);' \
  'say.h: cab_error_words is in rt/base/error_words.c'
sed -i '/cab_tree_check/d' copy/analyses/live/tree_state.h
python3 headers.py copy >said && fail "an exception that is none was not noticed"
grep -q 'tree_state.h: declares nothing of tree_check.c' said || fail "$(cat said)"
