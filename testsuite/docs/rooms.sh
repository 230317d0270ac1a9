#!/bin/bash
# rooms.sh - includes follow the table in docs/architecture.md, no circle of files runs over two
# folders, no tag names two structs, and ELF is read in one room.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/../lib.sh"
need python3

cat >rooms.py <<'end'
import glob, os, re, sys
top = sys.argv[1]
os.chdir (top)
wrong = []
rooms = {}
for line in open ("docs/architecture.md"):
    m = re.match (r"\| `([a-z/]+)` \|.*\| ([^|]*) \|$", line.rstrip ())
    m = m or re.match (r"\| `([a-z/]+)` \|.*\|( )\|$", line.rstrip ())
    if m:
        rooms[m.group (1)] = (m.group (2), set (re.findall (r"`([a-z/]+)`", m.group (2))))

def room_of (path):
    folder = os.path.dirname (path)
    while folder and folder not in rooms:
        folder = os.path.dirname (folder)
    return folder

def may_use (room, other):
    words, named = rooms[room]
    if room == other or other in named or words == "all":
        return True
    return any (words.startswith (f"all of `{name}`") and room_of (other + "/x").startswith (name) for name in named)

files = [f for top in ("analyses", "loopfb", "plugin", "rt") for f in glob.glob (top + "/**/*", recursive=True)
         if re.search (r"\.(c|cc|h|S)$", f)]
edges = {}
for f in files:
    if not room_of (f):
        wrong.append (f"{f}: docs/architecture.md has no such room")
        continue
    for n, line in enumerate (open (f), 1):
        # What runs in other people's processes has no libelf, and reads what it must by itself.
        if re.match (r"\s*#\s*include\s+<(elf|gelf|libelf)\.h>", line) and not re.match (
                "analyses/binary/|rt/|loopfb/preload/|plugin/stub/", f):
            wrong.append (f"{f}:{n}: reads ELF: that is for analyses/binary")
        m = re.match (r'\s*#\s*include\s+"([^"]+)"', line)
        if not m or not os.path.exists (m.group (1)):
            continue
        g = m.group (1)
        edges.setdefault (os.path.splitext (f)[0], set ()).add (os.path.splitext (g)[0])
        if g != "plugin/gcc-common.h" and not may_use (room_of (f), room_of (g)):
            wrong.append (f"{f}:{n}: includes {g}: {room_of (f)} does not use {room_of (g)}")
        if room_of (f).startswith ("rt") and re.search (r"/an_\w+\.h$", g):
            wrong.append (f"{f}:{n}: includes {g}: the runtime knows no analysis by name")
analyses = [name for f in files if re.search (r"/an_\w+\.c$", f)
            for name in re.findall (r"^const struct cab_analysis cab_(\w+)", open (f).read (), re.M)]
if len (analyses) < 10:
    wrong.append ("analyses/live: only %d analyses found" % len (analyses))
named = rf'\bcab_({"|".join (analyses)})(_\w+ \(|\b(?!_))|"({"|".join (analyses)})"'
for f in files:
    for n, line in enumerate (open (f), 1):
        if f.startswith ("rt/") and re.search (named, line):
            wrong.append (f"{f}:{n}: the runtime knows no analysis by name")

# A tag of all names one struct; what begins without cab_ is a source's own.
tags = {}
for f in files + glob.glob ("include/cabprof/*.h"):
    text = re.sub (r"/\*.*?\*/", "", open (f).read (), flags=re.S)
    for tag in re.findall (r"\b(?:struct|union|enum)\s+(cab_\w+)\s*\{", text):
        if tags.setdefault (tag, f) != f:
            wrong.append (f"{f}: {tag} is also defined in {tags[tag]}")
if len (tags) < 300:
    wrong.append (f"only {len (tags)} tags found")
for room in rooms:
    if not glob.glob (room + "/*"):
        wrong.append (f"docs/architecture.md: {room}: no such folder")
for folder in {os.path.dirname (f) for f in files}:
    n = len ([f for f in files if os.path.dirname (f) == folder])
    if n > 50:
        wrong.append (f"{folder}: {n} files: divide it")

# Circles, by Tarjan's algorithm: a source and its header are one node.
sys.setrecursionlimit (10000)
index, low, stack, circles = {}, {}, [], []
def visit (v):
    index[v] = low[v] = len (index)
    stack.append (v)
    for w in sorted (edges.get (v, ())):
        if w not in index:
            visit (w)
            low[v] = min (low[v], low[w])
        elif w in stack:
            low[v] = min (low[v], index[w])
    if low[v] == index[v]:
        circle = stack[stack.index (v):]
        del stack[stack.index (v):]
        if len ({os.path.dirname (w) for w in circle}) > 1:
            wrong.append ("a circle over folders: " + " ".join (sorted (circle)))
for v in sorted (edges):
    if v not in index:
        visit (v)
if len (rooms) < 30:
    wrong.append (f"docs/architecture.md: only {len (rooms)} rooms found")
print ("\n".join (wrong))
sys.exit (bool (wrong))
end
python3 rooms.py "$TOP" >said || fail "$(cat said)"

# Each rule fails in a copy of the sources that breaks it.
mkdir copy && cp -a "$TOP"/{analyses,docs,include,loopfb,plugin,rt} copy ||
  fail "no copy of the sources"
breaks ()
{
  cp "copy/$1" kept
  echo "$2" >>"copy/$1"
  python3 rooms.py copy >said && fail "$1: $2 was not noticed"
  grep -q "$3" said || fail "$1: $2: $(cat said)"
  cp kept "copy/$1"
}
breaks analyses/base/table.c '#include "analyses/report/report.h"' \
  'analyses/base/table.c:[0-9]*: includes'
breaks rt/engine/ring/ring.c '#include "analyses/profile/part.h"' \
  'rt/engine/ring does not use analyses/profile'
breaks rt/engine/feed/feed.c '#include "analyses/live/an_tree.h"' 'feed.c:[0-9]*: includes'
breaks rt/engine/feed/feed.c '#include "rt/engine/probe/gate.h"' \
  'rt/engine/feed does not use rt/engine/probe'
breaks rt/engine/feed/feed.c 'if (a == &cab_tree)' \
  'feed.c:[0-9]*: the runtime knows no analysis'
breaks rt/engine/feed/feed.c 'cab_cache_ahead_end (arena);' \
  'feed.c:[0-9]*: the runtime knows no analysis'
breaks rt/base/part.h 'struct cab_part { int n; };' 'cab_part is also defined'
breaks analyses/base/table.h '#include "analyses/report/report.h"' 'a circle over folders'
breaks plugin/memory/names/access_name.h '#include "plugin/memory/access_find.h"' \
  'a circle over folders'
breaks analyses/base/table.c '#include <elf.h>' 'analyses/base/table.c:[0-9]*: reads ELF'
touch copy/analyses/stray.c
python3 rooms.py copy >said && fail "a file in no room was not noticed"
grep -q 'analyses/stray.c: ' said || fail "$(cat said)"
