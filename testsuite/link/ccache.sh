#!/bin/bash
# ccache.sh - a compilation depends on all that it reads: its dependencies name each file, and no
# cache gives an object of other options, tables or hints.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/../lib.sh"
need_build
need gcc g++ gfortran ccache
export CCACHE_DIR=$PWD/cache CCACHE_LOGFILE=$PWD/log
unset CCACHE_DISABLE CCACHE_EXTRAFILES CABPROF_PLUGIN_ARGS CABPROF_FEEDBACK CABPROF_DISABLE

cat >a.c <<'end'
#include <stdlib.h>
__attribute__ ((noinline)) void *mine (unsigned long n) { return malloc (n); }
int main (void) { return !mine (4); }
end
cp a.c a.cc
printf 'program p\n  print *, 1\nend program\n' >a.F90
plain="-O2 -g -fplugin=$PLUGIN -fplugin-arg-cabprof-events=memory -fplugin-arg-cabprof-allocators=al"
echo 'free ignored' >al

# names WHAT FILE: check that the dependencies in FILE have the table, after the source.
names ()
{
  tr '\\\n' '  ' <"$2" | grep -qE '(a\.[a-zF0-9]+|\.mod) .*\bal\b' ||
    fail "$1: al is not in the dependencies: $(cat "$2")"
}
# shellcheck disable=SC2086
{
gcc $plain -MD -c a.c && names "-MD" a.d
gcc $plain -MMD -MF other.d -c a.c && names "-MMD -MF" other.d
gcc $plain -M a.c >m.d && names -M m.d
g++ $plain -MMD -MP -c a.cc -o a2.o && names "g++ -MMD" a2.d && grep -q '^al:' a2.d ||
  fail "-MP: no rule for al: $(cat a2.d)"
gfortran $plain -cpp -MMD -c a.F90 -o a3.o && names "gfortran -MMD" a3.d
gfortran $plain -cpp -M a.F90 >m3.d && names "gfortran -M" m3.d
gfortran $plain -MD -MP -MT other.o -c a.F90 -o a3.o && names "gfortran -MD" a3.d &&
  grep -q '^al:' a3.d || fail "gfortran -MP: no rule for al: $(cat a3.d)"
}
cat >loop.c <<'end'
static unsigned char a[8192], b[8192];
int main (void) { unsigned n = 0; for (int r = 0; r < 90; r++) for (int i = 0; i < 4096; i++) n += a[i] == b[i + r]; return n & 1; }
end
hints ()
{
  echo "{ \"format\": \"cabprof hints\", \"schema\": 2, \"every\": $1, \"loops\": [] }" >loops.hints
}
hints 2
gcc -O2 "-fplugin=$PLUGIN" -fplugin-arg-cabprof-feedback -MD -c loop.c ||
  fail "feedback: does not compile"
grep -q 'loops\.hints' loop.d ||
  fail "feedback: loops.hints is not in the dependencies: $(cat loop.d)"
gfortran -O2 "-fplugin=$PLUGIN" -fplugin-arg-cabprof-feedback -cpp -MD -c a.F90 -o a3.o ||
  fail "feedback: a.F90 does not compile"
grep -q 'loops\.hints' a3.d ||
  fail "gfortran, feedback: loops.hints is not in the dependencies: $(cat a3.d)"

# same WHAT A B, differ WHAT A B: compare two objects.
same () { cmp -s "$2" "$3" || fail "$1: the objects differ"; }
differ ()
{
  [ -s "$2" ] && [ -s "$3" ] || fail "$1: no object"
  ! cmp -s "$2" "$3" || fail "$1: the objects are the same"
}
hit () { grep -q 'Result: .*_cache_hit' log; local found=$?; rm -f log; return $found; }

# If ccache calls the wrapper, nothing is kept, whatever the environment says.
CABPROF_PLUGIN_ARGS=events=paths ccache "$CGCC" -O2 -c a.c -o 1.o
CABPROF_PLUGIN_ARGS=events=calls ccache "$CGCC" -O2 -c a.c -o 2.o
CABPROF_DISABLE=1 ccache "$CGCC" -O2 -c a.c -o 3.o
differ "ccache cabprof-gcc, CABPROF_PLUGIN_ARGS" 1.o 2.o
differ "ccache cabprof-gcc, CABPROF_DISABLE" 1.o 3.o
gcc -O2 -c a.c -o 4.o && same "ccache cabprof-gcc, CABPROF_DISABLE" 3.o 4.o
hit && fail "ccache cabprof-gcc: from the cache"
CCACHE_DEPEND=1 ccache "$CGCC" -O2 -MD -c a.c -o 5.o 2>words &&
  fail "ccache in the mode \"depend\": not refused"
[ "$(wc -l <words)" = 1 ] && grep -q '^cabprof-gcc: ccache: .*CABPROF_CCACHE=ccache$' words ||
  fail "ccache in the mode \"depend\": $(cat words)"

# The wrapper calls ccache, by its name or through a link in PATH before the compiler.
mkdir masks && ln -s "$(command -v ccache)" masks/gcc
rm -f log
for way in CABPROF_CCACHE=ccache "PATH=$PWD/masks:$PATH"; do
  rm -rf cache
  env "$way" CABPROF_PLUGIN_ARGS=events=paths "$CGCC" -O2 -c a.c -o 1.o
  env "$way" CABPROF_PLUGIN_ARGS=events=calls "$CGCC" -O2 -c a.c -o 2.o
  env "$way" CABPROF_DISABLE=1 "$CGCC" -O2 -c a.c -o 3.o
  hit && fail "$way: from the cache"
  env "$way" CABPROF_PLUGIN_ARGS=events=paths "$CGCC" -O2 -c a.c -o 4.o
  hit || fail "$way: not from the cache"
  differ "$way" 1.o 2.o && differ "$way" 1.o 3.o && same "$way" 1.o 4.o
  for table in 'free ignored' 'mine allocates size=1' 'free ignored'; do
    echo "$table" >al
    sleep 0.01
    env "$way" CABPROF_PLUGIN_ARGS="events=memory allocators=al" "$CGCC" -O2 -c a.c \
      -o "${table%% *}.o"
  done
  hit || fail "$way, allocators=: not from the cache"
  differ "$way, allocators=" free.o mine.o
  for factor in 2 8 2; do
    hints $factor
    sleep 0.01
    env "$way" CABPROF_FEEDBACK=loops.hints "$CGCC" -O2 -c loop.c -o $factor.o
  done
  hit || fail "$way, CABPROF_FEEDBACK: not from the cache"
  differ "$way, CABPROF_FEEDBACK" 2.o 8.o
done

# If ccache calls the compiler, a table that it does not know keeps objects out of the cache; one
# that it knows does not.
rm -rf cache
# shellcheck disable=SC2086
for files in "" al; do
  export CCACHE_EXTRAFILES=$files
  echo 'free ignored' >al && ccache gcc $plain -c a.c -o 1.o
  echo 'mine allocates size=1' >al && ccache gcc $plain -c a.c -o 2.o
  differ "ccache gcc, allocators=" 1.o 2.o
  hit && fail "ccache gcc: from the cache"
  echo 'free ignored' >al && ccache gcc $plain -c a.c -o 3.o
  same "ccache gcc" 1.o 3.o
  if [ -n "$files" ]; then hit || fail "ccache gcc, CCACHE_EXTRAFILES: not from the cache"; fi
done
exit 0
