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

# Records that are damaged.
cp -r data damaged
for info in damaged/modules/*.info; do sed -i 's/^G\t[0-9a-f]*/G\tx/' "$info"; done
"$CABPROF" export gcda -d damaged --program=p >out 2>err && fail "damaged records: no failure"
grep -q 'no numbers' err || fail "damaged records: $(cat err)"
exit 0
