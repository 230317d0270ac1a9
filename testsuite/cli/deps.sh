#!/bin/bash
# deps.sh - dependences are the same in each placement, replayed, of a killed process and in two
# threads; what was not looked at is said, and so is what is wrong.  testsuite/oracle/deps holds the
# dependences themselves to models.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/cli.sh"
loops=(-O1 -g "-fplugin=$PLUGIN" -fplugin-arg-cabprof-events=memory+loops)

cat >prog.c <<'EOF'
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#define N 3000
int keys[N], count[64], from[N], to[N];
static void *work (void *p)
{
  int *mine = calloc (N, sizeof *mine), *own = calloc (64, sizeof *own);
  for (int t = 0; t < 3; t++)
    for (int i = 1; i < N; i++)
      if (keys[i] & 1)
	own[keys[i] & 63] += mine[i - 1];
      else
	mine[i] = own[keys[i] & 63];
  free (mine);
  free (own);
  return p;
}
int main (int argc, char **argv)
{
  for (int i = 0; i < N; i++)
    keys[i] = i * 2654435761u >> 7;
  for (int i = 0; i < N; i++)
    count[keys[i] & 63]++;
  for (int i = 5; i < N; i++)
    to[i] = from[i] + to[i - 5 - (keys[i] & 1)];
  pthread_t one;
  if (argc > 1 && *argv[1] == 't')
    pthread_create (&one, NULL, work, NULL), pthread_join (one, NULL);
  work (NULL);
  if (argc > 1 && *argv[1] == 'k')
    raise (SIGKILL);
  return 0;
}
EOF
gcc "${loops[@]}" prog.c -o prog -pthread || fail "prog.c does not compile"

# tables DIR: print all that the reports say.
tables () { for by in loop variable line; do rows deps -d "$1" --by=$by | LC_ALL=C sort; done; }

# run NAME OPTIONS ARGUMENT: profile prog.
run () { CABPROF_OPTIONS="data=$1:analyses=deps$2" ./prog ${3:-} 2>err; }
run thread '' x || fail "$(cat err)"
tables thread >want
grep -q "^main	.*	23	.*	parallel after	.*	reduction of count\[\] (+)$" want || fail "$(cat want)"
grep -q "^main	.*	25	.*	vector (distance >= 5)	" want || fail "$(cat want)"
grep -q "^work	.*	10	.*	carried, distance 1	" want || fail "$(cat want)"
run inline :placement=inline x && tables inline | cmp - want || fail "inline: another result"
run small :ring=64K:chunk=4K x && tables small | cmp - want || fail "small rings: another result"
run killed "" k 2>/dev/null
tables killed | cmp - want || fail "killed: another result"
"$CABPROF" record --quiet -d recorded --trace=trace --options=analyses=deps ./prog x ||
  fail "cannot record"
"$CABPROF" trace replay -d replayed --analyses=deps trace && tables replayed | cmp - want ||
  fail "replayed: another result"

# Two threads do the same in memory of their own: the loops of `work' have twice the dependences.
run threads '' t
twice ()
{
  rows deps -d "$1" --by=line |
    awk -F'\t' -v k="$2" '$1 == "work" { n += $15 } END { print n * k }'
}
is "two threads" "$(twice threads 1)" "$(twice thread 2)"
is "other threads" "$(rows deps -d threads | cut -f20 | sort -u)" "other threads"

# A nest that is one event stays one where its inner loops are counted: what is added are the events
# of loops.
cat >nest.c <<'EOF'
double a[50][50], b[50][50];
static __attribute__ ((noinline)) void step (int n)
{
  for (int i = 1; i < n; i++)
    {
      for (int j = i; j < n; j++)
	a[i][j] += b[i][j] / a[i][i];
      for (int j = 0; j < n; j++)
	b[j][i] = a[i][j];
    }
}
int main (int argc, char **argv)
{
  for (int k = 0; k < 7; k++)
    step (50 - argc);
}
EOF
# events OF ANALYSIS: print how many events nest.c sends if it is compiled for OF.
events ()
{
  gcc -O2 "-fplugin=$PLUGIN" "-fplugin-arg-cabprof-events=$1" nest.c -o nest || fail "nest.c"
  CABPROF_OPTIONS="data=nest-$1:analyses=$2" ./nest
  "$CABPROF" report -d "nest-$1" | awk '/events sent through rings/ { gsub (",", ""); print $NF }'
}
is "events of a nest" "$(events memory accesses)" 7
# The loop around the nests has marks: one before each nest, and one at its end.
is "events of a nest with those of its loops" "$(events memory+loops accesses)" \
  "$((7 + 8 + $(events loops loops)))"

# The source with its dependences in the margin, and the graph of a loop.
"$CABPROF" annotate --deps main -d thread >text || fail "no annotation"
grep -q '^vector (distance >= 5)  *25  ' text || fail "no verdict: $(cat text)"
grep -q '^to\[\]> 26 +5-6; to\[\]< 26 +5-6  *26  ' text || fail "no dependence: $(cat text)"
"$CABPROF" annotate --deps work -d thread --format=tsv >text || fail "no TSV"
grep -q '^prog.c	10	carried' text ||
  fail "no TSV: $(cat text)"
"$CABPROF" deps --graph=prog.c:10 -d thread >graph || fail "no graph"
grep -q 'n[0-9] \[label="14: mine\[\]"\]' graph && grep -q 'label="raw 1 (2775)"' graph ||
  fail "$(cat graph)"
"$CABPROF" deps --graph=prog.c:10 --form=svg -d thread -o graph.svg &&
  python3 -c 'import sys, xml.dom.minidom as m; m.parse (sys.argv[1])' graph.svg || fail "bad SVG"
expect 1 "$CABPROF" deps --graph=prog.c:11 -d thread
grep -q 'no loop, or several, there' err || fail "$(cat err)"
expect 2 "$CABPROF" deps --graph=prog.c:10 --patch -d thread

# A limit that is too small is told, and no verdict is sure.
run limited ,memory=65536
"$CABPROF" report deps -d limited >text || fail "no report"
grep -q 'found no room' text || fail "the note says nothing of the limit: $(cat text)"
grep -q 'parallel' text && fail "a verdict is too sure: $(cat text)"
run bad ,memory=3
grep -q 'memory= is in bytes, from 65536.*running unprofiled' err || fail "memory=3: $(cat err)"

gcc -O1 -g "-fplugin=$PLUGIN" -fplugin-arg-cabprof-events=memory prog.c -o prog -pthread
run unmarked ''
expect 1 "$CABPROF" report deps -d unmarked
grep -q 'no iteration of a loop was recorded: compile with.*memory+loops' err ||
  fail "without loops: $(cat err)"
expect 2 "$CABPROF" report deps -d thread --by=function
grep -q 'by loop, variable and line only' err || fail "--by=function: $(cat err)"

# Damaged records of loops: the reports neither crash nor call a loop parallel that has no record.
for change in 's/\nH\t\d/\nH\t9/g' 's/\nU\t\d+\t/\nU\t99999\t/g' \
  's/(\nH\t[^\n]*)\t[^\t\n]*\n/$1\n/g' \
  's/\nd\t[^\n]*\n/\nd\t\n/g' 's/\nk\t-\t[^\n]*\n/\nk\t-\n/g' 's/\tcarried\t/\tstrange\t/g' \
  's/\nc\t\d[^\n]*//g'; do
  rm -rf bad && cp -r thread bad
  for file in bad/modules/*.info; do
    perl -0777 -pi -e "$change" "$file"
  done
  for by in loop line variable; do
    "$CABPROF" report deps -d bad --by=$by --format=tsv >out 2>err
    [ $? -lt 2 ] || fail "$change: $(cat err)"
  done
  "$CABPROF" deps --patch -d bad --share=0 >out 2>err
  [ $? -lt 2 ] || fail "$change: patch: $(cat err)"
done
rows deps -d bad >out
grep -q parallel out && fail "a loop without a record is parallel: $(cat out)"
grep -q 'unknown: scalars' out || fail "$(cat out)"

# Ten variables in the way of a loop, and its counter: text has eight of these, other formats and
# --function have all.
{
  for k in 0 1 2 3 4 5 6 7 8 9; do printf 'int v%s[9];\n' $k; done
  printf 'int main (void)\n{\n  for (volatile int i = 1; i < 9; i++)\n    {\n'
  for k in 0 1 2 3 4 5 6 7 8 9; do printf '      v%s[i] = v%s[i - 1] + i;\n' $k $k; done
  printf '    }\n}\n'
} >many.c
gcc "${loops[@]}" -O0 many.c -o many && CABPROF_OPTIONS=data=many.data:analyses=deps ./many
text () { "$CABPROF" report deps -d many.data "$@" | tr -s '\n ' ' '; }
ways () { grep -o ': [0-9]* writes' | wc -l; }
[ "$(text | ways)" = 8 ] || fail "not eight of what is in the way: $(text)"
grep -q '; and 4 more' <<<"$(text)" || fail "text does not say how many more: $(text)"
[ "$(text --function=main | ways)" = 11 ] || fail "--function: $(text --function=main)"
[ "$(text --format=tsv | ways)" = 11 ] || fail "tsv: $(text --format=tsv)"
