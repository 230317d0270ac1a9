#!/bin/bash
# hotcontexts.sh - samples of the timer find their nodes of the calling-context tree through
# inlining, recursion, library code, threads, children and kill -9, with both rings and both
# placements; a report without contexts says so.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/../lib.sh"
need_build

cat >prog.c <<'C'
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#define FAR __attribute__ ((noinline, noclone))
static volatile unsigned sink;
static char *block;
/* N steps take the same time in every function: each waits for the product before it, in a
   register, and nothing depends on how a processor forwards stores or aligns a loop. */
#define N 80000000L
#define STEPS(n) { unsigned x = n; while (n--) x = x * x + n; sink = x; }
FAR void work (long n) { STEPS (n) }
FAR void once (void) { work (N); sink++; }
FAR void thrice (void) { work (3 * N); sink++; }
/* Its callee has returned, so the time that follows is its own. */
static inline __attribute__ ((always_inline)) void inlined (long n) { STEPS (n) }
FAR void after (void) { work (1); inlined (2 * N); }
FAR void deep (int n) { if (n) deep (n - 1); else work (2 * N); sink++; }
FAR void library (void) { for (int i = 0; i < 40; i++) memset (block, i, 64 << 20); sink++; }
static void *thread (void *unused) { thrice (); return unused; }
int
main (int argc, char **argv)
{
  const char *what = argc > 1 ? argv[1] : "";
  pthread_t id;
  if (!strcmp (what, "library"))
    {
      block = malloc (64 << 20);
      library ();
      return 3;
    }
  if (!strcmp (what, "thread"))
    pthread_create (&id, NULL, thread, NULL);
  if (!strcmp (what, "child") && fork () == 0)
    {
      thrice ();
      exit (0);
    }
  once ();
  if (!strcmp (what, "thread"))
    pthread_join (id, NULL);
  else if (!strcmp (what, "child"))
    wait (NULL);
  else
    thrice ();
  after ();
  deep (5);
  if (!strcmp (what, "kill"))
    raise (SIGKILL);
  return 3;
}
C

# compile OPTION...: build ./prog from prog.c and lib.c with these options.
compile ()
{
  "$BUILD/bin/cabprof-gcc" -O2 -g -fplugin-arg-cabprof-events=calls "$@" prog.c -o prog -pthread ||
    fail "compile $*"
}

# recorded STATUS ARGUMENT...: record a run, and write its rows to `rows': the share, and the
# functions of the context.
recorded ()
{
  local want=$1; shift
  timeout 120 "$CABPROF" record "${options[@]}" ./prog "$@" >out 2>err; local status=$?
  [ $status = "$want" ] || { cat err; fail "$*: status $status"; }
  "$CABPROF" report hotcontexts --format=tsv >table 2>err || { cat err; fail "$*: no report"; }
  awk -F'\t' \
    'NR > 1 { gsub (/:[0-9]+/, "", $10); share[$10] += $4 } END { for (c in share) printf "%d\t%s\n", 100 * share[c] + .5, c }' table >rows
}

# near PERCENT CONTEXT: check its share of the time in work, with a tolerance for few samples and a
# busy machine.
near ()
{
  local found
  found=$(awk -F'\t' -v c="$2" \
    '/^[0-9]+\twork < / { all += $1 } $2 == c { one = $1 } END { printf "%d", all ? 100 * one / all : 0 }' rows)
  [ $((found - $1)) -le 18 ] && [ $(($1 - found)) -le 18 ] ||
    { cat rows; fail "$2: $found % of the time in work, not about $1"; }
}

# samples NAME COLUMN: sum COLUMN over the rows of `table' whose function is NAME or ends with it.
samples ()
{
  awk -F'\t' -v f="$1" -v c="$2" '$1 ~ "^(" f ")$" { n += $c } END { print n + 0 }' table
}

# all_of_it: check the six parts that work does in three contexts, and by function what addresses
# alone give.
all_of_it ()
{
  near 17 "work < once < main"; near 50 "work < thrice${1- < main}"
  near 33 "work < deep < deep < deep < deep < deep < deep < main"
  local work after; work=$(samples work 6) after=$(samples after 6)
  "$CABPROF" report time --format=tsv >table || fail "report time"
  work=$((work - $(samples work 7))) after=$((after - $(samples 'after|inlined' 7)))
  [ ${work#-} -le 2 ] && [ ${after#-} -le 2 ] ||
    { cat rows table; fail "work has $work samples more than by address, after $after"; }
}

options=()
compile
recorded 3
grep -q "$(printf 'after\tprog.c')" table || fail "no place of the function"

all_of_it

# The tree has the sums, and the overview has the table.
"$CABPROF" report tree --format=tsv >tree || fail "tree"
awk -F'\t' 'NR == 1 { exit $6 != "ns" || $7 != "self_ns" }' tree ||
  fail "columns of the tree: $(head -n 1 tree)"
awk -F'\t' 'NR > 1 { self += $7; if ($4 == "main") all = $6 } END { exit self != all || !all }' \
  tree || fail "times of the tree do not add up: $(cat tree)"
"$CABPROF" report >overview || fail "overview"
grep -q '^Self time by calling context' overview && grep -q 'work < thrice:[0-9]* < main:[0-9]*' \
  overview || fail "the overview has no contexts"
"$CABPROF" report tree --sort=time --format=tsv | awk -F'\t' '$2 == 1 { print $4 }' |
  head -n 1 >first
[ "$(cat first)" = thrice ] || fail "by time, $(cat first) comes first"

recorded 137 kill; all_of_it
recorded 3 thread; all_of_it " < thread"
recorded 3 child; all_of_it ""   # the child does not know what its parent was in

options=(--options=placement=inline:ring=64K:chunk=4K)
compile -fplugin-arg-cabprof-ring=cab; recorded 3; all_of_it
compile -fplugin-arg-cabprof-context; recorded 3; all_of_it
compile -O1 -g0; recorded 137 kill; all_of_it
options=(--options=analyses=tree+contexts+paths)
compile -fplugin-arg-cabprof-events=paths+calls -fplugin-arg-cabprof-paths=trace; recorded 3
all_of_it

# The time of a library is its caller's, and is marked as a guess.
options=()
compile; recorded 3 library
grep -qE "^(9.|100).library < main" rows || { cat rows; fail "library has not its memset"; }
"$CABPROF" report |
  grep -q ' samples are of code without probes, taken for calls of the function entered last' ||
  fail "the guess is not reported"

# Time that a thread spends in the runtime, where signals wait, is the runtime's in every report,
# and is shown below the table.
cat >swept.c <<'C'
double table[1 << 20];
int main (void) { double s = 0; for (int k = 0; k < 12; k++) for (int i = 0; i < 1 << 20; i++) s += table[i * 17 & ((1 << 20) - 1)] += k; return s < 0; }
C
# own REPORT DIRECTORY: check that the runtime's share is shown below the table, is most of the
# time, and is in no row.
own ()
{
  "$CABPROF" report "$1" -d "$2" --format=tsv >table || fail "no report $1 of $2"
  awk -F'\t' \
    'NR == 1 { own = $0 ~ /^# / ? $0 : "no note"; sub (/.* samples?, /, "", own)
      sub (/ .*/, "", own) }
    NR == 2 { for (i = 1; i <= NF; i++) at[$i] = i } NR > 2 { rows++; share = at["share"] ? $at["share"] : 0; s += share; if ($1 == "syscall") call = share }
    END { exit !(own > 50 && rows && s < 1.001 && call < 0.5) }' table && ! grep -q 'cab_' table ||
      fail "$1 of $2: the runtime's time is another's: $(cat table)"
}
for how in "" -static; do
  "$BUILD/bin/cabprof-gcc" $how -O1 -g -fplugin-arg-cabprof-events=calls+memory swept.c \
    -o swept$how || fail "swept.c $how"
  timeout 120 "$CABPROF" record -d swept$how.data --options=analyses=tree+cache:placement=inline \
    ./swept$how >out 2>err || fail "swept $how: $(cat err)"
  own time swept$how.data; own hotlines swept$how.data
done
own hotcontexts swept.data; own tree swept.data
# In text, shares of few samples are marked and have no decimals.
"$CABPROF" report hotlines -d swept.data --format=tsv >table && "$CABPROF" report hotlines \
  -d swept.data >text || fail "hotlines of swept"
[ "$(awk -F'\t' 'NR > 2 { n += $5 } END { print n + 0 }' table)" -ge 30 ] ||
  grep -qE ' ~[0-9]+%|<1%' text && ! grep -E '[~<][0-9]+\.' text ||
  fail "shares of few samples: $(cat text)"

# Samples are among the words of a trace.
timeout 120 "$CABPROF" record --trace=all.trace ./prog library >out 2>err; [ $? = 3 ] ||
  fail "trace: $(cat err)"
"$CABPROF" trace filter --kind=sample all.trace | "$CABPROF" trace dump - >dump || fail "dump"
[ "$(wc -l <dump)" -gt 5 ] && grep -qE '^1\.1 sample 0x[0-9a-f]+ [0-9]+ ns' dump ||
  fail "no samples in the trace: $(head -n 3 dump)"

# The binary has changed since, or samples came from another source.
recorded 3
compile -O1; "$CABPROF" report hotcontexts >out 2>err
grep -q 'it was rebuilt since it was sampled' err out ||
  fail "a rebuilt binary is not reported: $(cat err)"
compile
timeout 120 "$CABPROF" record --sample=cpu-clock ./prog >out 2>err
"$CABPROF" report hotcontexts >out 2>err && fail "contexts of perf's samples"
grep -q 'no sample knows its calling context: compile with' err || fail "$(cat err)"
