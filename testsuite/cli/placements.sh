#!/bin/bash
# placements.sh - every analysis of accesses gives the same reports, to the byte, whether it runs in
# a thread of the runtime, in the program's own threads, in what placement=auto chooses, or over a
# recorded trace; user analyses too.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/cli.sh"
need gcc setarch
export CABPROF_ANALYSES=$PWD
caches=D1=2K/2/64,LL=16K/4/64
# At most eight analyses run at once.
first=tree+accesses+blocks+reuse+cache,$caches+offenders,$caches+sharing+contexts
second=calls+accesses+cache,D1=1K/4/32,L2=4K/4/32,LL=16K/4/32,model=inclusive
second+=+reuse,depth=128,line=32+strides,near=100
reports="accesses:blocks:layout:reuse:reuse --curve:cache:offenders:spread:sharing:sharing --by=variable:contexts:offenders --level=LL"
for by in variable line function loop loop-variable context block; do
  reports+=":offenders --by=$by"
done

cp "$SRC/pooled.c" .
printf 'pool_get allocates size=2\npool_put releases pointer=2\n' >pools
${GCC:-gcc} -g -O1 -fplugin="$PLUGIN" -fplugin-arg-cabprof-events=memory,calls \
  -fplugin-arg-cabprof-context -fplugin-arg-cabprof-allocators=pools \
  -pthread pooled.c -o pooled >build.log 2>&1 || fail "pooled.c does not compile: $(cat build.log)"
sed -n '/^```c$/,/^```$/{/^```$/q;/^```/d;p}' "$TOP/docs/own-analysis.md" >strides.c
gcc -O2 -shared -fPIC -I"$TOP/include" strides.c -o strides.so || fail "strides.c does not compile"

# report DIR REPORT: write it to the file DIR.REPORT; an empty report would prove nothing, so it
# fails.
report ()
{
  "$CABPROF" report $2 -d $1 --format=tsv >"$1.$2" 2>err || fail "$2 of $1: $(cat err)"
  [ "$(wc -l <"$1.$2")" -gt 1 ] || fail "$2 of $1 is empty"
}

# comparable REPORT FILE [runs]: print the report; for two runs leave out numbers of processes and
# of contexts.
comparable ()
{
  case ${3-}-$1 in
  runs-sharing | "runs-sharing --by=variable") cut -f 1-4,6- "$2" ;;
  runs-contexts) cut -f 1-7,9- "$2" | sort ;;
  *) cat "$2" ;;
  esac
}

# same A B REPORTS [runs]: check that two profiles have the same reports.
same ()
{
  local list one
  IFS=: read -ra list <<<"$3"
  for one in "${list[@]}"; do
    report $1 "$one"
    report $2 "$one"
    diff <(comparable "$one" "$1.$one" ${4-}) <(comparable "$one" "$2.$one" ${4-}) >differ ||
      fail "$one: $1 (<) and $2 (>) differ: $(head -n 20 differ)"
  done
}

# run NAME ANALYSES REPORTS: use small rings and chunks, so that states are fed in many pieces.
# Options have equal lengths, so the stack begins at the same place.
run ()
{
  local placement options
  for placement in thread inline any; do
    options=${placement/any/auto:line=20}:ring=16K:chunk=2K:analyses=$2
    options=data=$1-$placement:placement=$options
    CABPROF_OPTIONS=$options:trace=$1-$placement.trace setarch -R ./pooled 3 2>err ||
      fail "$1, $placement: $?"
    quiet
    expect 0 "$CABPROF" trace replay -d $1-$placement-again $1-$placement.trace; quiet
    same $1-$placement $1-$placement-again "$3"
  done
  same $1-thread $1-inline "$3" runs
  same $1-thread $1-any "$3" runs
}

# No report tells which of two threads comes first: contexts get the same numbers.
cat >turns.c <<'EOF'
#include <pthread.h>
#include <stdlib.h>
static long table[64];
static pthread_barrier_t turn;
__attribute__ ((noipa)) static void step (long i) { table[i % 64] += i; }
__attribute__ ((noipa)) static void many (long n) { for (long i = 0; i < n; i++) step (i); }
static void *other (void *first)
{
  if (!first)
    pthread_barrier_wait (&turn);
  many (3000);
  if (first)
    pthread_barrier_wait (&turn);
  return NULL;
}
int main (int argc, char **argv)
{
  long other_first = argc > 1 && atoi (argv[1]);
  pthread_t thread;
  pthread_barrier_init (&turn, NULL, 2);
  pthread_create (&thread, NULL, other, (void *) other_first);
  if (other_first)
    pthread_barrier_wait (&turn);
  many (4000);
  if (!other_first)
    pthread_barrier_wait (&turn);
  return pthread_join (thread, NULL);
}
EOF
${GCC:-gcc} -g -O1 -fplugin="$PLUGIN" -fplugin-arg-cabprof-events=memory,calls \
  -fplugin-arg-cabprof-context -pthread turns.c -o turns >build.log 2>&1 ||
  fail "turns.c does not compile: $(cat build.log)"
for other in 0 1; do
  CABPROF_OPTIONS=data=turn-$other:placement=inline:ring=16K:chunk=2K:analyses=contexts ./turns \
    $other 2>err || fail "turns: $?"
  "$CABPROF" report contexts -d turn-$other --format=tsv --function=step |
    cut -f 1-6,8- >turn-$other.contexts || fail "contexts of turns"
done
[ "$(wc -l <turn-0.contexts)" -eq 5 ] && cmp turn-0.contexts turn-1.contexts ||
  fail "contexts by whose turn it was: $(cat turn-*.contexts)"

run first "$first" "$reports"
run second "$second" "accesses:cache:reuse:reuse --curve:strides:layout"
"$CABPROF" report blocks -d first-thread --format=tsv | cut -f 1,5-9 |
  grep -q '^make	pool_get	item	384	384	24576$' ||
  fail "not the blocks that the source makes"
for placement in thread inline; do
  "$CABPROF" layout -d first-$placement >$placement.layout || fail "layout"
  "$CABPROF" data --format=tsv first-$placement.trace >$placement.data || fail "data"
done
cmp thread.layout inline.layout && cmp thread.data inline.data ||
  fail "layout or data of the two placements differ"

# Analyses that were not chosen at run time give on replay what they would have given live.
expect 0 "$CABPROF" trace replay -d late --analyses="$first" second-thread.trace; quiet
same first-thread late "$reports" runs
exit 0
