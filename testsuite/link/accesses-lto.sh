#!/bin/bash
# accesses-lto.sh - if a program that records accesses is compiled with -flto and linked without the
# plugin, the report says so and what to do, and doing that works.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/../lib.sh"
need_build
need gcc

cat >prog.c <<'end'
static int all[100];
__attribute__ ((noipa)) int sum (int n) { int s = 0; for (int i = 0; i < n; i++) s += all[i]++; return s; }
int main (void) { return sum (50); }
end
flags=("-fplugin=$PLUGIN" -fplugin-arg-cabprof-events=memory)
gcc -O2 -flto "${flags[@]}" -c prog.c -o prog.o || fail "does not compile"
# run FLAGS...: link the program with FLAGS, and run it.
run ()
{
  gcc -O2 -flto "$@" prog.o -o prog || fail "does not link: $*"
  rm -rf cabprof.data
  ./prog || fail "fails"
  "$CABPROF" report >overview || fail "no report"
  "$CABPROF" report accesses >accesses 2>words
}
run && fail "accesses were counted"
grep -q \
  'compiled with events=memory and -flto, but linked without the plugin: link with cabprof-gcc, or give -fplugin=' words || fail "$(cat words)"
grep -q '^  link with cabprof-gcc, or give -fplugin=' overview || fail "$(cat overview)"
run "${flags[@]}" || fail "$(cat words)"
! grep -q 'link with cabprof-gcc' overview || fail "$(cat overview)"
grep -q ' 50 ' accesses || fail "$(cat accesses)"
# The program was linked right, but accesses were not chosen at run time: the message says that, and
# nothing of the link.
rm -rf cabprof.data
CABPROF_OPTIONS=analyses=methods ./prog || fail "fails"
! "$CABPROF" report accesses 2>words || fail "accesses that were not analysed"
grep -q 'run with CABPROF_OPTIONS=analyses=accesses' words || fail "$(cat words)"

# The link compares classes of system headers with virtual functions by their mangled names.
cat >virtual.cc <<'end'
#include <iostream>
#include <memory>
struct point { int x, y; };
int main () { auto p = std::make_shared<point> (); p->x = 3; std::cout << p->x << '\n'; return p->y; }
end
for level in -O0 -O2; do
  g++ $level -flto "${flags[@]}" virtual.cc -o virtual || fail "virtual.cc $level"
  rm -rf cabprof.data
  [ "$(./virtual)" = 3 ] || fail "virtual.cc $level: fails"
  "$CABPROF" report accesses >accesses 2>words && grep -q '^point[.]x ' accesses ||
    fail "virtual.cc $level: $(cat accesses words)"
done
