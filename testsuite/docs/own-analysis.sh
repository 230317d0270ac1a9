#!/bin/bash
# own-analysis.sh - following docs/own-analysis.md works word for word, and mistakes in a user's
# analysis are reported.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/../lib.sh"
need_build
need gcc python3
page=$TOP/docs/own-analysis.md

# As after installation, the header is in GCC's path, and the plugin and the command are found by
# name.
mkdir -p bin inc && ln -s "$TOP/include/cabprof" inc/cabprof && ln -s "$CABPROF" bin/cabprof
cat >bin/gcc <<end
#!/bin/bash
exec $(command -v gcc) "\${@/%-fplugin=cabprof/-fplugin=$PLUGIN}"
end
chmod +x bin/gcc
export PATH=$PWD/bin:$PATH C_INCLUDE_PATH=$PWD/inc

for name in strides sets where; do
  sed -n "/^\`$name.c\`:\$/,/^\`\`\`\$/{/^\`/d;p}" "$page" >$name.c
done
sed -n '/^```sh$/,/^```$/{/^```/d;p}' "$page" >commands
[ "$(wc -l <commands)" = 3 ] || fail "not the three commands that this test knows"
cat >walk.c <<'end'
long row[1000], table[100][1024];
int main (void)
{
  long sum = 0;
  for (int i = 0; i < 1000; i++)
    sum += row[i];
  for (int i = 0; i < 100; i++)
    sum += table[i][0];
  for (int i = 0; i < 500; i++)
    { __asm__ volatile ("" : "+r" (sum) : : "memory"); sum += row[7]; }
  return sum != 0;
}
end
bash -e commands >output 2>errors || fail "the commands fail: $(cat output errors)"
[ ! -s errors ] || fail "words on standard error: $(cat errors)"
grep -q '^Steps between accesses$' output || fail "no report: $(cat output)"

# row LINE: print the numbers of the access on LINE; those expected are worked out by hand.
row ()
{
  cabprof report ./strides.so --format=tsv |
    awk -F'\t' -v line="$1" 'NR > 1 && $2 == line { print $3, $4, $5, $6 }'
}
expect ()
{
  local got
  got=$(row "$1")
  [ "$got" = "$2" ] || fail "walk.c:$1: '$got' instead of '$2': $(cabprof report ./strides.so)"
}
expect 6 "1 999 0 0"
expect 8 "1 0 0 99"
expect 10 "500 0 0 0"
cabprof report ./strides.so --format=json | python3 -c '
import json, sys
rows = json.load (sys.stdin)["rows"]
assert len (rows) == 3 and rows[0]["name"] and sum (r["same"] + r["near"] + r["page"] + r["far"] for r in rows) == 1600, rows' || fail "JSON"
cabprof report ./strides.so --sort=far --limit=1 --format=tsv |
  grep -q "	8	1	0	0	99" || fail "--sort"

# The analysis is found by name in a directory, beside other reports; profiles are merged; it runs
# in the program's own thread, and with small chunks.
mkdir lib && mv strides.so lib
export CABPROF_ANALYSES=$PWD/none:$PWD/lib
for options in placement=thread placement=inline ring=4K:chunk=512; do
  rm -rf two
  for i in 1 2; do
    CABPROF_OPTIONS=data=two:$options:analyses=accesses+strides,near=4096 ./walk ||
      fail "$options: walk fails"
  done
  cabprof report strides -d two --format=tsv >table || fail "$options: no report by name"
  grep -q "	6	2	1998	0	0" table &&
    grep -q "	8	2	0	0	198" table || fail "$options: $(cat table)"
  cabprof report accesses -d two >output 2>errors && [ ! -s errors ] ||
    fail "$options: report accesses: $(cat errors)"
done

# The page's analysis with a key of its own says the same with any number of delegates.
gcc -O2 -shared -fPIC sets.c -o sets.so || fail "sets.c does not compile"
for n in 1 2 5; do
  rm -rf sets.data
  CABPROF_OPTIONS=data=sets.data:analyses=./sets.so:delegates=$n setarch -R ./walk &&
    cabprof report ./sets.so -d sets.data --format=tsv >sets.$n || fail "sets: $n delegates"
  awk 'NR > 1 { sum += $2 + $3 } END { exit sum != 1600 }' sets.$n && cmp sets.1 sets.$n ||
    fail "sets, $n delegates: $(cat sets.$n)"
done

# refused STATUS WORDS COMMAND...: check the exit status and that the message has WORDS.
refused ()
{
  local status=$1 words=$2
  shift 2
  "$@" >output 2>errors
  [ $? = "$status" ] && grep -q "$words" errors && [ "$(wc -l <errors)" = 1 ] ||
    fail "$*: $(cat output errors)"
}
unprofiled ()
{
  rm -rf none.data
  refused 0 "$2.*running unprofiled" env CABPROF_OPTIONS="data=none.data:analyses=$1" ./walk
  [ ! -e none.data ] || ! ls none.data/*.part 2>/dev/null || fail "$1: a profile"
}
make_other () { sed "$1" strides.c >other.c && gcc -shared -fPIC other.c -o "$2"; }
unprofiled ./no-such.so "no-such.so: cannot open shared object file.*gcc -shared -fPIC"
unprofiled no-such "analysis 'no-such' is not known"
unprofiled strides,far=3 "no such argument 'far=3': there are near=BYTES"
unprofiled ./bin/gcc "the analysis cannot be loaded"
make_other 's/CAB_ANALYSIS_EXPORT/static const struct cab_analysis a/' nothing.so &&
  unprofiled ./nothing.so "it exports no cab_own_analysis"
make_other 's/CAB_ANALYSIS_HEAD/.abi = 9, .bytes = 1000/' strides.so && unprofiled ./strides.so \
  "another version of cabprof.*compile it again"
refused 1 "another version of cabprof" cabprof report ./strides.so -d two
before='.abi = CAB_ANALYSIS_ABI - 1, .bytes = sizeof (struct cab_analysis)'
make_other "s/CAB_ANALYSIS_HEAD/$before/" strides.so
unprofiled ./strides.so "another version of cabprof"
for own in .wants=CAB_GIVES_NODE '.with_samples="samples"' \
  '.sectioned=(const struct cab_sectioned *) feed'; do
  make_other "s/CAB_ANALYSIS_HEAD/&, $own/" strides.so
  unprofiled ./strides.so "those of an analysis of cabprof's own"
done
make_other '' renamed.so && unprofiled ./renamed.so "another name than the file"
make_other 's/"strides"/"tree"/' tree.so && unprofiled ./tree.so "another analysis has this name"
make_other 's/\.merge = merge,//' strides.so && unprofiled ./strides.so "one of its functions"
make_other 's/\.report = report,//' strides.so && refused 1 "has no report" cabprof report \
  ./strides.so -d two

make_other "s/CAB_ANALYSIS_HEAD,/& .shard = (enum cab_shard) 3, /" strides.so
unprofiled ./strides.so "its .shard. does not exist.*leave .shard"
for wrong in '.shard = CAB_SHARD_KEY, .key = CAB_KEY_TARGET, ' '.key = CAB_KEY_VALUE, ' \
  '.shard = CAB_SHARD_KEY, .key = CAB_KEY_OWN, ' '.shard = CAB_SHARD_KEY, .key_log2 = 3, '; do
  make_other "s/\.arena_bytes = 65536,/&/; s/CAB_ANALYSIS_HEAD,/& $wrong/" strides.so
  unprofiled ./strides.so "its .key\|it has a key"
done

# A merge opens INTO with an argument, which must be there; a process with another argument is left
# out, in one line, and so are states that merge refuses.
sed 's/^  S (a)->near = \*arguments ?/  if (!*arguments) return -1; S (a)->near = *arguments ?/' \
  strides.c >other.c
gcc -shared -fPIC other.c -o strides.so
rm -rf given
CABPROF_OPTIONS=data=given:analyses=./strides.so,near=65 ./walk || fail "an argument that is needed"
cabprof report ./strides.so -d given --format=tsv >table 2>errors && [ ! -s errors ] &&
  grep -q "	6	1	999	0	0" table ||
  fail "INTO without its arguments: $(cat table errors)"
CABPROF_OPTIONS=data=given:analyses=./strides.so,near=9 ./walk
cabprof report ./strides.so -d given --format=tsv >table 2>errors &&
  fail "differing arguments: exit status 0"
[ "$(wc -l <errors)" = 1 ] &&
  grep -q 'ran with "near=[0-9]*" here, and with "near=[0-9]*" in another process' errors &&
  grep -q "	6	1	999	" table ||
  fail "differing arguments: $(cat table errors)"
cat >threads.c <<'end'
#include <pthread.h>
static long row[100];
static pthread_barrier_t all;
static void *work (void *a) { pthread_barrier_wait (&all); for (int i = 0; i < 100; i++) row[i]++; pthread_barrier_wait (&all); return a; }
int main (void)
{
  pthread_t t[4];
  pthread_barrier_init (&all, 0, 4);
  for (int i = 0; i < 4; i++) pthread_create (&t[i], 0, work, 0);
  for (int i = 0; i < 4; i++) pthread_join (t[i], 0);
}
end
gcc -O1 -g -fplugin=cabprof -fplugin-arg-cabprof-events=memory threads.c -o threads -pthread
make_other 's/\.merge = merge,/.merge = refuse,/
  s/^CAB_ANALYSIS_EXPORT/static int refuse (struct cab_arena *into, const struct cab_arena *from,\
    const struct cab_idmap *map, struct cab_diag *diag) { return -1; }\n&/' strides.so ||
  fail "an analysis that refuses to merge"
CABPROF_OPTIONS=data=refused:analyses=./strides.so ./threads
refused 1 "analysis strides refuses to merge a state" cabprof report ./strides.so -d refused

# The page's second analysis says what `report contexts' says, and what the source says.
cat >calls.c <<'end'
long row[1000];
__attribute__ ((noipa)) long sum (int n)
{
  long s = 0;
  for (int i = 0; i < n; i++)
    s += row[i];
  return s;
}
__attribute__ ((noipa)) long twice (int n)
{
  return sum (n)
	 + sum (n + 1);
}
int main (void)
{
  return sum (10)
	 + twice (100) != 0;
}
end
gcc -O2 -shared -fPIC where.c -o where.so || fail "where.c does not compile"
gcc -O1 -g -fplugin=cabprof -fplugin-arg-cabprof-events=calls+memory -fplugin-arg-cabprof-context \
  calls.c -o calls || fail "calls.c does not compile"
for placement in thread inline; do
  rm -rf where.data
  CABPROF_OPTIONS=data=where.data:placement=$placement:analyses=./where.so+contexts ./calls ||
    fail "calls fails"
  cabprof report ./where.so -d where.data --format=tsv >where || fail "no contexts"
  sed 1d where | cut -f2,3 | sort -n >numbers
  diff - numbers <<'end' || fail "$placement: not what calls.c does: $(cat where)"
11	100
12	101
16	10
end
  grep -q "^sum < twice:11 < main:17	11	100$" where ||
    fail "no context in words: $(cat where)"
  cabprof report contexts -d where.data --format=tsv 2>/dev/null |
    awk -F'\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
      { print $at["context"] "\t" $at["count"] }' | sort >contexts
  sed 1d where | cut -f1,3 | sort | diff - contexts || fail "$placement: report contexts differs"
done

# The analysis is written in C++.
if command -v g++ >/dev/null; then
  printf '#include <cabprof/analysis.h>\nCAB_ANALYSIS_EXPORT = { CAB_ANALYSIS_HEAD };\n' >plus.cc
  g++ -Iinc -shared -fPIC plus.cc -o plus.so && nm -D plus.so | grep -q ' R cab_own_analysis$' ||
    fail "C++: cab_own_analysis is not exported"
fi

# Without its file, the profile still shows the other analyses; a file that the profile names is
# never loaded.
unset CABPROF_ANALYSES
refused 1 'analysis "strides" that this cabprof does not have.*CABPROF_ANALYSES' cabprof report \
  methods -d cabprof.data
cabprof report accesses -d two 2>/dev/null | grep -q 'row\[\]' || fail "the other report is gone"
refused 2 "no such report" cabprof report strides -d two

# The analysis' check refuses a state; a process was killed.
make_other 's/return a->used \&\&/return 1 ||/' lib/strides.so
cabprof report ./lib/strides.so -d cabprof.data 2>errors && fail "a refused state: exit status 0"
grep -q 'the state of "strides" does not pass its check' errors ||
  fail "a refused state: $(cat errors)"
make_other '' lib/strides.so
sed 's/return sum != 0;/__builtin_trap ();/' walk.c >killed.c
gcc -O2 -g -fplugin=cabprof -fplugin-arg-cabprof-events=memory killed.c -o killed
CABPROF_OPTIONS=data=killed.data:analyses=./lib/strides.so ./killed 2>/dev/null
cabprof report ./lib/strides.so -d killed.data --format=tsv |
  grep -q "	6	1	999	0	0" ||
  fail "killed: $(cabprof report ./lib/strides.so -d killed.data)"

# An analysis that was itself compiled with the plugin runs without probes.
gcc -O2 -shared -fPIC -fplugin=cabprof -fplugin-arg-cabprof-events=memory strides.c -o strides.so
CABPROF_OPTIONS=data=probed:analyses=./strides.so timeout 20 ./walk ||
  fail "an analysis with probes"
cabprof report ./strides.so -d probed --format=tsv |
  grep -q "	6	1	999	0	0" || fail "an analysis with probes: another table"

# Statically linked programs have no loader.
if "$CGCC" -static -O2 -fplugin-arg-cabprof-events=memory walk.c -o fixed 2>static.log; then
  CABPROF_OPTIONS=data=none.data:analyses=./strides.so ./fixed 2>errors
  grep -q 'a statically linked program cannot load an analysis.*running unprofiled' errors ||
    fail "static: $(cat errors)"
fi
