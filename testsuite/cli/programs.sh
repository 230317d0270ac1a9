#!/bin/bash
# programs.sh - for a profile of several programs, reports show the one that did most, or the one
# that is named.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/../lib.sh"
need_build

compile ()
{
  "$CGCC" -O1 -g -fplugin-arg-cabprof-events=paths+calls "$1.c" -o "$2" || fail "compile $1.c"
}

cat >work.c <<'C'
__attribute__ ((noinline, noclone)) static int step (int i) { return i & 1 ? i : -i; }
int main (void) { int n = 0; for (int i = 0; i < 500; i++) n += step (i); return n == 1; }
C
cat >probe.c <<'C'
__attribute__ ((noinline, noclone)) static int ask (int i) { return i + 1; }
int main (void) { return ask (-1); }
C
compile work work
compile probe probe
mkdir sub && compile probe sub/work

# names WORD...: print the functions that a report shows, sorted by name.
names ()
{
  "$CABPROF" report methods --format=tsv "$@" 2>err | awk 'NR > 1 { print $1 }' | sort | tr '\n' ' '
}

# shows EXPECTED WORD...: check that the report shows these functions.
shows ()
{
  local expected=$1 got
  shift
  got=$(names "$@")
  [ "$got" = "$expected" ] || { cat err; fail "report methods $*: shows $got, not $expected"; }
}

./probe; ./probe; ./work; ./probe
shows "main step "
grep -qx \
  "cabprof: cabprof.data: this is $PWD/work, the program that did most; also there: probe (3 processes): give --program=NAME, or --program=all" err \
  || fail "unexpected message: $(cat err)"
for name in probe "$PWD/probe" 'pro*' "${PWD##*/}/probe" '/^pr[no]be$/' '/\/probe$/' \
  '/^\/.*be$/'; do
  shows "ask main " --program="$name"
  [ ! -s err ] || fail "--program=$name: $(cat err)"
done
shows "ask main main step " --program=all
[ ! -s err ] || fail "--program=all: $(cat err)"
for command in report annotate 'export folded' layout 'diff cabprof.data cabprof.data'; do
  "$CABPROF" $command '--program=/pro(/' >out 2>err
  [ $? = 2 ] && grep -q 'bad regular expression' err || fail "$command --program=/pro(/: $(cat err)"
done
"$CABPROF" report --program=nothing >out 2>err && fail "a program that is not there is taken"
grep -qx \
  "cabprof: nothing: no process of this program is in the profile: it has probe (3 processes), work" err || fail "unexpected message: $(cat err)"

# Two programs of one name differ by their paths.
sub/work
shows "main step "
grep -q "also there: probe (3 processes), $PWD/sub/work: give" err ||
  fail "two programs of one name: $(cat err)"
shows "ask main " --program=sub/work

# Other commands choose in the same way; coverage is of all programs.
"$CABPROF" annotate 2>err | grep -q 'return ask' && fail "annotate shows another program"
"$CABPROF" annotate --program=probe | grep -q 'return ask' ||
  fail "annotate does not show the program that is named"
"$CABPROF" export folded 2>err | grep -q ask && fail "export folded shows another program"
"$CABPROF" export lcov 2>err | grep -q ',ask$' || fail "export lcov lacks a program"
[ ! -s err ] || fail "export lcov: $(cat err)"
cp -r cabprof.data before
rm -rf cabprof.data
./work
"$CABPROF" diff before cabprof.data --format=tsv --gate=0 >out 2>err ||
  fail "the same program differs: $(cat out err)"
"$CABPROF" merge -o merged before cabprof.data 2>err || fail "merge: $(cat err)"
[ "$("$CABPROF" report methods -d merged --program=all --format=tsv |
  awk -F'\t' '$1 == "step" { print $4 }')" = 1000 ] || fail "a merged profile lacks a program"
exit 0
