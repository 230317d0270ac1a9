#!/bin/bash
# diff.sh - changes are ranked; moved lines, other directories and several builds make no
# difference; the gate fails only on growth above it.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/cli.sh"
tally before
tally after 80

# row KIND FUNCTION BEFORE AFTER CHANGE: check that this row is in out (TSV).
row ()
{
  awk -F'\t' -v kind="$1" -v f="$2" -v a="$3" -v b="$4" -v c="$5" \
    '$1 == kind && $2 == f && $8 == a && $9 == b && $10 == c { found = 1 } END { exit !found }' \
    out || fail "no row $*: $(cat out)"
}

expect 0 "$CABPROF" diff before after; quiet
prints '^Functions by how much'; prints '^kind .* 60 +80 +\+20 +\+33.3%'
expect 0 "$CABPROF" diff before after --format=tsv; quiet
[ "$(head -n 1 \
  out)" = $'kind\tfunction\tcaller\tvariable\tfile\tline\tlines\tbefore\tafter\tchange\trelative\tnote' ] ||
  fail "columns: $(head -n 1 out)"
row methods kind 60 80 20; row calls kind 60 80 20; row lines kind 60 80 20; row lines kind 20 27 7
! grep -q factorial out || fail "unchanged rows are listed: $(cat out)"
expect 0 "$CABPROF" diff after before --format=tsv --only=methods; quiet
[ "$(wc -l <out)" = 2 ] || fail "--only: $(cat out)"
row methods kind 80 60 -20
expect 0 "$CABPROF" diff before before; quiet; [ "$(grep -c ': none did$' out)" = 4 ] ||
  fail "a profile differs from itself: $(cat out)"
expect 0 "$CABPROF" diff before after --format=json --only=paths --limit=1
python3 -c '
import json
d = json.load (open ("out"))
assert len (d["rows"]) == 1 and d["rows_hidden"] > 0 and d["rows"][0]["change"] == 20, d' ||
  fail "JSON: $(cat out)"
expect 0 "$CABPROF" diff before after --function=main --format=tsv; quiet
! cut -f 2 out | grep -q kind || fail "--function: $(cat out)"

# If lines moved and the file is in another directory, only the counts are compared.
mkdir elsewhere && (echo; echo '/* two lines more */'; cat tally.c) >elsewhere/tally.c
build elsewhere/tally elsewhere/tally.c -O0; profile moved elsewhere/tally 60
expect 0 "$CABPROF" diff before moved --format=tsv; quiet
[ "$(wc -l <out)" = 1 ] || fail "lines that moved count as changes: $(cat out)"
profile moved80 elsewhere/tally 80
expect 0 "$CABPROF" diff before moved80 --format=tsv; quiet
row lines kind 60 80 20
! cut -f 12 out | grep -q 'shape\|only' || fail "notes: $(cat out)"

# One function has another shape, one is new, one is gone.
sed -e 's/kind (i);/kind (i) + extra (i);/; /return i < 0/i if (i == 7) return 7;' \
  -e '/^static int order/i static int extra (int x) { return -x; }' tally.c >other.c
mkdir other && mv other.c other/tally.c && (cd other && build tally tally.c -O0) &&
  profile other.data other/tally 60
expect 0 "$CABPROF" diff before other.data --format=tsv; quiet
row methods extra 0 60 60
prints $'^methods\textra\t.*\tinf\tonly after$'
prints $'^lines\tkind\t.*\tall lines\t.*\tchanged shape$'
expect 0 "$CABPROF" diff other.data before; quiet; prints 'extra .*-100.0% +only before'

# The same function is in a file of another name.
cp tally.c renamed.c && build renamed renamed.c -O0 && profile renamed.data ./renamed 60
expect 0 "$CABPROF" diff before renamed.data; quiet
expect 0 "$CABPROF" diff after renamed.data; quiet; prints 'was in tally.c'

# Static functions of one name in two files are two functions.
mkdir x y
for d in x y; do
  echo 'static __attribute__ ((noinline)) int step (int n) { return n + 1; }' >$d/part.c
  echo "int run_$d (int n) { int s = 0; while (n--) s += step (n); return s; }" >>$d/part.c
done
echo 'int run_x (int), run_y (int); int main (int c, char **v) { return run_x (c) + run_y (10 * c) < 0 || !v; }' >m.c
${GCC:-gcc} -g -O0 -fplugin="$PLUGIN" -fplugin-arg-cabprof-events=paths,calls m.c x/part.c \
  y/part.c -o parts || fail "parts"
profile p1 ./parts; profile p2 ./parts 2
expect 0 "$CABPROF" diff p1 p2 --only=methods --format=tsv; quiet
row methods step 1 2 1; row methods step 10 20 10

# Two builds in one profile are added up, and the report says so.
cp -r before both && cp other.data/*.part both/ && cp other.data/modules/* both/modules/
expect 0 "$CABPROF" diff before both --program=all --format=tsv; quiet
row methods kind 60 120 60
prints $'^methods\tkind\t.*\t1 and 2 builds, added up$'

# Growth above the gate fails; smaller growth and shrinking do not.
expect 0 "$CABPROF" diff before after --gate=40; quiet
expect 1 "$CABPROF" diff before after --gate=33; says 'grew by more than 33 %'
expect 0 "$CABPROF" diff after before --gate=0; quiet
expect 1 "$CABPROF" diff before other.data --gate=1000 --only=methods; says 'extra, from 0 to 60'
expect 1 "$CABPROF" diff before after --gate=1 --limit=1 --only=lines --format=json; says 'grew'
tally ninety 90
expect 0 "$CABPROF" diff before ninety --gate=50 --only=methods
quiet   # growth by exactly 50 % is not more than 50 %
expect 1 "$CABPROF" diff before ninety --gate=49.9 --only=methods; says 'kind, from 60 to 90'

# If several grew, the one that grew most is named, wherever it is in the ranking.
cat >grown.c <<'END'
#define COLD __attribute__ ((noinline, noipa))
COLD int few (int n) { return n; }
COLD int many (int n) { return n + 1; }
COLD int some (int n) { return n + 2; }
int main (int c, char **v) { int i, s = !v; for (i = 0; i < 1000 * c; i++) s += many (i); for (i = 0; i < c * c * c; i++) s += few (i);
  for (i = 0; i < c * c; i++) s += some (i); return s == 0; }
END
build grown grown.c -O0; profile g1 ./grown; profile g2 ./grown x
expect 1 "$CABPROF" diff g1 g2 --gate=10 --only=methods; says 'few, from 1 to 8'; says '3 counts'

# Events that only one side recorded cannot be compared.
${GCC:-gcc} -g -O0 -fplugin="$PLUGIN" tally.c -o only && profile paths ./only
expect 1 "$CABPROF" diff before paths; says 'no calls were recorded there: calls are not compared'
expect 1 "$CABPROF" diff nowhere before; says 'nowhere: there is no profile'

# Accesses and misses are compared by variable; a function that records both paths and accesses is
# one build for each, and its paths are compared one by one.
cat >walk.c <<'END'
#ifndef STEP
#define STEP 1
#endif
int table[4096], other[64];
__attribute__ ((noipa)) int walk (int n)
{
  int s = 0;
  for (int i = 0; i < n; i++)
    s += table[i * STEP % 4096] + other[0];
  return s;
}
int main (int c, char **v) { int s = !v; for (int i = 0; i < 10 * c; i++) s += walk (1024); return s < 0; }
END
memory_of ()
{
  CABPROF_OPTIONS=data=$1:analyses=accesses+cache,D1=$2,LL=64K/8/64 "./$3" ${4:-} || fail "$3"
}
for step in 1 16; do
  ${GCC:-gcc} -g -O1 -fplugin="$PLUGIN" -fplugin-arg-cabprof-events=paths,calls,memory \
    -DSTEP=$step walk.c -o walk$step || fail "walk.c"
  memory_of w$step 4K/4/64 walk$step
done
memory_of w1.twice 4K/4/64 walk1 x
memory_of w1.large 32K/4/64 walk1
expect 0 "$CABPROF" diff w1 w16 --format=tsv --only=accesses,D1-misses; quiet
[ "$(wc -l <out)" = 2 ] || fail "accesses changed, though only the misses did: $(cat out)"
awk -F'\t' \
  '$1 == "D1-misses" && $2 == "walk" && $4 == "table[]" && $9 == 10240 && $8 < 1000 { f = 1 } END { exit !f }' out || fail "misses of table: $(cat out)"
expect 0 "$CABPROF" diff w1 w1.twice --format=tsv; quiet
prints $'^accesses\twalk\t\ttable\\[\\]\t.*\t10240\t20480\t10240\t'
prints $'^accesses\twalk\t\tother\\[\\]\t'
! grep -q 'builds' out || fail "accesses are taken for a build of their own: $(cat out)"
! grep -q 'all paths' out || fail "paths beside accesses are not compared one by one: $(cat out)"
expect 0 "$CABPROF" diff w1 w1.twice --only=accesses; quiet
prints '^Variables by how much the accesses to them changed: 10,250 before, 20,500 after'
expect 1 "$CABPROF" diff w1 w1.large; says 'D1-misses are not compared: the simulated caches differ'
[ "$(wc -l <err)" = 1 ] || fail "more than one message: $(cat err)"
expect 1 "$CABPROF" diff w1 w1.large --only=LL-misses; says 'LL-misses are not compared'
expect 1 "$CABPROF" diff w1 before --only=accesses
says 'before: no accesses were recorded there: accesses are not compared'
expect 1 "$CABPROF" diff before after --only=accesses
says 'neither has counts of what is to be compared'
expect 1 "$CABPROF" diff w1 w1.twice --only=D1-misses,accesses --gate=50
says 'grew by more than 50 %'
exit 0
