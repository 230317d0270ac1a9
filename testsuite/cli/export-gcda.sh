#!/bin/bash
# export-gcda.sh - files for -fprofile-use: where they go, what is said when there can be none.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/../lib.sh"
need_build
cc=${GCC:-gcc}
probes="-fplugin=$PLUGIN -fplugin-arg-cabprof-cut-at-calls"

# refused WORDS COMMAND...: COMMAND fails with status 1 and one line that contains WORDS.
refused ()
{
  "${@:2}" >out 2>err
  [ $? = 1 ] && [ "$(wc -l <err)" = 1 ] && grep -qF -- "$1" err || fail "$*: $(cat err)"
}

mkdir -p sub/obj
cat >sub/one.c <<'END'
int two (int);
static int times (int n) { int s = 0; while (n-- > 0) s += n & 5; return s; }
int main (int argc, char **argv) { (void) argv; return two (times (argc * 100)) == 12345; }
END
echo 'int two (int n) { return n > 3 ? n * 2 : n; }' >sub/two.c
(cd sub && $cc -O2 $probes -c one.c -o obj/one.o && $cc -O2 $probes -c two.c -o "$PWD/obj/two.o" &&
  $cc $probes obj/one.o obj/two.o -o p) && CABPROF_OPTIONS=data=data sub/p || fail "no program"

# use WHAT OPTION: both sources compile with OPTION, and have a profile.
use ()
{
  (cd sub && $cc -O2 $2 -Werror -Wmissing-profile -c one.c -o obj/one.o &&
    $cc -O2 $2 -Werror -Wmissing-profile -c two.c -o "$PWD/obj/two.o") || fail "$1"
}
"$CABPROF" export gcda -d data >out || fail "no files beside the objects"
grep -q '^2 files for GCC [0-9.]* with the counts of 2 functions, 2 of which ran: ' out ||
  fail "said: $(cat out)"
[ -s sub/obj/one.gcda ] && [ -s sub/obj/two.gcda ] || fail "not beside the objects"
use "beside the objects" -fprofile-use
rm sub/obj/*.gcda
"$CABPROF" export gcda -d data -o new/dir >out || fail "no files in a directory"
use "in a directory" "-fprofile-use=$PWD/new/dir"
find new -name '*.gcda' | sort >files
[ "$(wc -l <files)" = 2 ] || fail "in a directory: $(cat files)"

# Nothing to write from.
$cc -O2 -fplugin="$PLUGIN" sub/one.c sub/two.c -o plain && CABPROF_OPTIONS=data=uncut ./plain
refused "-fplugin-arg-cabprof-cut-at-calls" "$CABPROF" export gcda -d uncut
$cc -O2 -fplugin="$PLUGIN" -fplugin-arg-cabprof-events=calls sub/one.c sub/two.c -o calls &&
  CABPROF_OPTIONS=data=calls.data ./calls
refused "-fplugin-arg-cabprof-events=paths" "$CABPROF" export gcda -d calls.data
refused "there is no profile" "$CABPROF" export gcda -d none
# Two builds under one name; the program is named.
(cd sub && sed -i 's/& 5/\& 1 ? n : 2/' one.c && $cc -O2 $probes -c one.c -o obj/one.o &&
  $cc -O2 $probes -c two.c -o "$PWD/obj/two.o" && $cc $probes obj/one.o obj/two.o -o q) &&
  CABPROF_OPTIONS=data=data sub/q
refused "the profile is of two builds of $PWD/sub/obj/one.gcda" "$CABPROF" export gcda -d data
"$CABPROF" export gcda -d data --program=q >out || fail "one program of two"
use "one program of two" -fprofile-use

# What cannot be written: nothing is lost, and nothing is left.
echo >file
refused "cannot write: Not a directory" "$CABPROF" export gcda -d data --program=q -o file/x
find sub new -type f | sort >was; cat new/dir/*one* | cksum >sum
(ulimit -f 0; trap '' XFSZ; "$CABPROF" export gcda -d data --program=p -o new/dir 2>&1) | cat >err
[ "${PIPESTATUS[0]}" = 1 ] || fail "no failure where files may not grow"
[ "$(wc -l <err)" = 1 ] && grep -q 'one.gcda: cannot write: File too large' err || fail "$(cat err)"
find sub new -type f | sort | diff was - || fail "something is left or lost"
cat new/dir/*one* | cksum | diff sum - || fail "the old file has changed"

# The source has changed since: a function that was edited goes without, others keep their counts
# though their lines have moved, and GCC is content.
mkdir stale && cat >stale/prog.c <<'END'
#include <stdlib.h>
static __attribute__ ((noinline)) int first (int n)
{
  int s = 0;
  while (n--)
    s += n & 3 ? n : 1;
  return s;
}
static __attribute__ ((noinline)) int edited (int n) { return n > 5 ? n : 3; }
static __attribute__ ((noinline)) int never (int n) { return n > 7 ? n : 4; }
int main (int argc, char **argv)
{
  int n = argc > 100 ? never (argc) : 0;
  for (int i = 0; i < 50; i++)
    n += first (i) + edited (i);
  return argc > 1 && n == atoi (argv[1]);
}
END
(cd stale && $cc -O2 $probes -c prog.c && $cc $probes prog.o -o prog && ./prog) ||
  fail "stale: no profile"
(cd stale && "$CABPROF" export gcda >/dev/null && ${cc/gcc/gcov-dump} -l prog.gcda >../was.dump)
sed -i 's/return n > 5/if (n == 17) return 1; return n > 5/; 1i// a line more' stale/prog.c
(cd stale && ! $cc -O2 -fprofile-use -c prog.c 2>../err) || fail "stale: GCC sees no change"
# An object that has only data has nothing to give.
echo 'const int table[] = { 1, 2, 3 };' >stale/table.c
(cd stale && $cc -O2 $probes -c prog.c table.c &&
  "$CABPROF" export gcda --stale=table.o --stale=prog.o >../out) ||
  fail "stale: no files"
grep -q '^1 of 4 functions have changed and go without: edited$' out || fail "stale: $(cat out)"
(cd stale && $cc -O2 -Wno-missing-profile -fprofile-correction -fprofile-use -c prog.c 2>../err) &&
  [ ! -s err ] ||
  fail "stale: GCC complains: $(cat err)"
(cd stale && $cc -O2 -Wmissing-profile -fprofile-use -c prog.c 2>../err)
grep 'warning:' err | grep -v edited && fail "stale: more than one function goes without"
(cd stale && ${cc/gcc/gcov-dump} -l prog.gcda >../is.dump)
counts ()
{
  grep -E '^[^:]*: {12,}[0-9]+: |COUNTERS' $1 | sed 's/.*COUNTERS/COUNTERS/; s/^[^:]*: *//' | sort
}
# Arcs of three functions, and which of the two that ran was the first.
counts was.dump >was.counts; counts is.dump >is.counts
[ "$(comm -13 was.counts is.counts | wc -l)" = 0 ] && [ "$(wc -l <is.counts)" = 10 ] ||
  fail "stale: other counts: $(cat is.counts)"
# Another program, other options, no probes.
$cc -O2 $probes -c sub/two.c -o other.o
refused "none of its functions is one of the profile" "$CABPROF" export gcda -d stale/cabprof.data \
  --stale=other.o
(cd stale && $cc -O0 $probes -c prog.c -o slow.o)
refused "with the same options" "$CABPROF" export gcda -d stale/cabprof.data --stale=stale/slow.o
(cd stale && $cc -O2 -c prog.c)
refused "prog.o: " "$CABPROF" export gcda -d stale/cabprof.data --stale=stale/prog.o

# Records that are damaged.
cp -r data damaged
for info in damaged/modules/*.info; do sed -i 's/^G\t[0-9a-f]*/G\tx/' "$info"; done
"$CABPROF" export gcda -d damaged --program=p >out 2>err && fail "damaged records: no failure"
grep -q 'no numbers' err || fail "damaged records: $(cat err)"
exit 0
