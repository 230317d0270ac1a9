#!/bin/bash
# hacking.sh - following docs/hacking.md works: its analysis and its report are built and run.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/../lib.sh"
need_build
need gcc make python3

mkdir tree && cp -a "$TOP"/{Makefile,analyses,include,loopfb,plugin,rt} tree ||
  fail "no copy of the sources"

# A C block that follows a line with a file's name is that file; each @@ of a diff block has the
# lines around a change, and the + lines in it.
python3 - "$TOP/docs/hacking.md" tree <<'end' || fail "docs/hacking.md does not fit the sources"
import re, sys
text, tree = open (sys.argv[1]).read (), sys.argv[2]
files = re.findall (r"^`([^`\n]+)`:\n\n```c\n(.*?)^```", text, re.M | re.S)
for name, body in files:
    open (f"{tree}/{name}", "w").write (body)
changes = re.findall (r"^\+\+\+ b/(\S+)\n@@\n((?:[ +].*\n)+)", text, re.M)
for name, lines in changes:
    path = f"{tree}/{name}"
    source = open (path).read ()
    lines = [line for line in lines.splitlines (True) if not line.startswith ("+++")]
    before = "".join (line[1:] for line in lines if line[0] == " ")
    if source.count (before) != 1:
        sys.exit (f"{name}: the lines that docs/hacking.md shows stand there {source.count (before)} times, not once:\n{before}")
    open (path, "w").write (source.replace (before, "".join (line[1:] for line in lines)))
if len (files) != 3 or len (changes) != 2:
    sys.exit (f"{len (files)} files and {len (changes)} changes found, not 3 and 2")
end

# Files that are already built are used again, except for those that the changes above affect.
new=$TEST_DIR/tree/build
mkdir "$new" && cp -a "$BUILD"/{command,rt} "$new" &&
  find "$new" -name '*.d' -exec sed -i "s,^${BUILD#"$TOP"/}/,build/," {} + ||
  fail "no copy of the build"
unset MAKEFLAGS MAKELEVEL
make -j2 -C tree BUILD=build build/bin/cabprof build/lib/libcabprof.so.1 >make.log 2>&1 ||
  fail "it does not build: $(tail -n 20 make.log)"
grep -i warning make.log && fail "warnings"

cat >prog.c <<'end'
#include <stdio.h>
static int __attribute__ ((noinline))
down (int n)
{
  return n ? 1 + down (n - 1) + (n & 1) : 0;
}
int main (void) { return down (18) != 27; }
end
gcc -fplugin="$PLUGIN" -fplugin-arg-cabprof-events=calls -O0 prog.c -o prog ||
  fail "prog.c does not compile"
LD_PRELOAD=$new/lib/libcabprof.so.1 CABPROF_OPTIONS=analyses=depths+tree:data=data ./prog ||
  fail "exit status $?"
"$new/bin/cabprof" report depths -d data >report || fail "no report"

sed -n '/^\$ cabprof report depths/,/^```/{/^[$`]/d;p}' "$TOP/docs/hacking.md" >expected
diff expected report || fail "the report (>) is not what docs/hacking.md shows (<)"
