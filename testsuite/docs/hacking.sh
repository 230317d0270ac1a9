#!/bin/bash
# hacking.sh - following docs/hacking.md works: its analysis and its report are built and run.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/../lib.sh"
need_build
need gcc make python3

mkdir tree && cp -a "$TOP"/{Makefile,analyses,include,loopfb,plugin,rt} tree ||
  fail "no copy of the sources"

# A C block that follows a line with a file's name is that file.  No other file is changed.
python3 - "$TOP/docs/hacking.md" tree <<'end' || fail "docs/hacking.md does not have its files"
import re, sys
text, tree = open (sys.argv[1]).read (), sys.argv[2]
files = re.findall (r"^`([^`\n]+)`:\n\n```c\n(.*?)^```", text, re.M | re.S)
for name, body in files:
    open (f"{tree}/{name}", "w").write (body)
if len (files) != 2:
    sys.exit (f"{len (files)} files found, not 2")
end

# Files that are already built are used again, except for those that the new files affect.
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
"$new/bin/cabprof" report idle -d data --format=tsv >report || fail "no report idle"
[ "$(cut -f1 report)" = function ] || fail "functions that were entered are idle: $(cat report)"
"$new/bin/cabprof" report --help >help
for name in depths idle; do
  grep -q "^  $name " help || fail "--help does not list $name"
done

# A file that defines no analysis stops the build; a file that is gone is gone from the lists.
: >tree/analyses/live/an_none.c
make -C tree BUILD=build build/bin/cabprof >make.log 2>&1 && fail "an_none.c is no analysis"
grep -q "an_none.c: no line begins with 'const struct cab_analysis cab_NAME'" make.log ||
  fail "an_none.c: $(cat make.log)"
rm tree/analyses/live/an_{none,depths}.c tree/analyses/report/report_idle.c
make -j2 -C tree BUILD=build build/bin/cabprof >make.log 2>&1 || fail "$(tail -n 20 make.log)"
"$new/bin/cabprof" report --help >help
grep -E '^  (depths|idle) ' help && fail "what is gone is still listed"
exit 0
