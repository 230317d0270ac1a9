#!/bin/bash
# estimates.sh - with sample=PERCENT only a share of the events is read: the intervals hold the
# exact counts of the same program, reports say what they are, all that needs each event refuses,
# and nothing is lost where the events are overwritten, at 0 and at 100 %, after fork and kill -9.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/cli.sh"

cat >work.c <<'C'
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static unsigned state = 1, hits[3];
__attribute__ ((noipa)) static unsigned
draw (unsigned n) { return (state = state * 1664525 + 1013904223) / 65536 % n; }
#define F(name) __attribute__ ((noipa)) static int name (int n) { return n % 3 ? n + 1 : n * 2; }
F (often) F (usual) F (seldom) F (rare)
__attribute__ ((noipa)) static int
step (int i)
{
  int n = often (i);
  hits[0]++;
  if (draw (4) == 0)
    n += usual (i), hits[1]++;
  if (draw (30) == 0)
    n -= seldom (n), hits[2]++;
  if (draw (400) == 0)
    n ^= rare (n);
  return n;
}
static void *
work (void *arg)
{
  long n = (long) arg, sum = 0;
  for (int i = 0; i < n; i++)
    sum += step (i);
  return (void *) sum;
}
int
main (int n_arguments, char **arguments)
{
  long n = atol (arguments[1]);
  pthread_t thread;
  work ((void *) n);
  if (n_arguments > 2 && *arguments[2] == 't')
    {
      pthread_create (&thread, NULL, work, (void *) n);
      pthread_join (thread, NULL);
      if (fork () == 0)
	return work ((void *) n) == NULL;
      wait (NULL);
    }
  for (int i = 0; n_arguments > 2 && *arguments[2] == 'k' && i < 20; i++)
    work (usleep (10000) ? NULL : (void *) n);
  if (n_arguments > 2 && *arguments[2] == 'k')
    kill (getpid (), SIGKILL);
  return 0;
}
C

# compile FLAG...: compile work.c for traced paths and calls.
compile ()
{
  build work work.c -O1 -pthread -fplugin-arg-cabprof-paths=trace "$@"
}

# sampled DIR OPTIONS ARGUMENT...: run work with OPTIONS.
sampled ()
{
  local dir=$1 options=$2
  shift 2
  rm -rf "$dir"
  { CABPROF_OPTIONS=data=$PWD/$dir:$options ./work "$@" >run.out 2>run.err; } 2>/dev/null
  [ $? = 0 ] || [ "${*: -1}" = k ] || fail "$options: $(cat run.err)"
  [ ! -s run.err ] || fail "$options: $(cat run.err)"
}

# account DIR ITEM: print an item of the account.
account ()
{
  "$CABPROF" report account -d "$1" --format=tsv | awk -F'\t' -v item="$2" '$1 == item { print $2 }'
}

# holds REPORT EXACT ESTIMATED LEAST: each count of the report in EXACT that is at least LEAST is
# held by the interval in ESTIMATED, but for one in ten; one count may have no interval, as entries
# that are counted in place (step's) are exact.
holds ()
{
  for dir in "$2" "$3"; do
    "$CABPROF" report "$1" -d "$dir" --format=tsv >"$dir.$1" || fail "report $1 -d $dir"
  done
  head -1 "$3.$1" | grep -Eq '^# estimates from [0-9,]+ of [0-9,]+ (words of )?events' ||
    fail "$1: the first line is $(head -1 "$3.$1")"
  awk -F'\t' -v least="$4" '
    /^#/ { next }
    { key = "" }
    $1 == "function" || $1 == "caller" || $1 == "file" || $1 == "variable" {
      for (i = 1; i <= NF; i++) at[$i] = i
      count = at["count"] ? at["count"] : at["calls"] ? at["calls"] : at["accesses"]
      last = at["reads"] ? at["reads"] : count
      next
    }
    { for (i = 1; i < last; i++) key = key FS $i }
    FNR == NR { true[key] = $count; next }
    { est[key] = $count; within[key] = $at["within"] }
    END {
      for (key in true)
	if (true[key] >= least) {
	  n++
	  off = est[key] - true[key]
	  held += (off < 0 ? -off : off) <= within[key]
	  wide += within[key] > 0
	  if ((off < 0 ? -off : off) > within[key])
	    printf "%s: %d, estimated %d within %d\n", key, true[key], est[key], within[key]
	}
      exit !(n >= 4 && wide >= n - 1 && held >= 0.9 * n)
    }' "$2.$1" "$3.$1" >misses || fail "$1: $(cat misses)"
}

compile -fplugin-arg-cabprof-ring=cab
sampled exact "analyses=calls+paths" 40000 t
# The ring holds all events, so nothing is overwritten, and the result is the same each time.
for rate in 2% 20%; do
  sampled some "sample=$rate:ring=64M" 40000 t
  holds paths exact some 500
  holds lines exact some 500
  holds methods exact some 500
  [ "$(account some events_overwritten)" = 0 ] || fail "events were overwritten in a large ring"
  sent=$(account exact events_sent)
  [ "$(account some events_sent)" = "$sent" ] ||
    fail "$rate: $(account some events_sent) of $sent sent"
  [ $(($(account some events_passed) + $(account some events_analysed))) = "$sent" ] ||
    fail "$rate: passed and read are not all"
  "$CABPROF" report paths -d some >first
  sampled again "sample=$rate:ring=64M" 40000 t
  "$CABPROF" report paths -d again >second
  cmp -s first second || fail "$rate: a second run gives other estimates"
done
# Annotated source has the counts and intervals of `lines'; its margins need all events.
expect 0 "$CABPROF" annotate -d some work.c
head -1 out | grep -q '^Counts: estimates from' || fail "annotate: $(head -1 out)"
prints '^ +count +within +share +line'
expect 0 "$CABPROF" annotate -d some work.c --format=tsv
awk -F'\t' '$2 ~ /^[0-9]+$/ && $3 { print $2, $4, $NF }' out | sort >annotated
awk -F'\t' '$1 ~ /work.c$/ { print $2, $3, $NF }' some.lines | sort >lines
[ -s lines ] && cmp -s lines annotated || fail "annotate and lines differ: $(diff lines annotated)"
expect 1 "$CABPROF" annotate -d some --loops work.c; says "this needs all of them"
expect 1 "$CABPROF" annotate -d some --deps work.c; says "this needs all of them"

build work work.c -O1 -pthread -fplugin-arg-cabprof-events=calls -fplugin-arg-cabprof-ring=cab
sampled exactcalls "analyses=calls" 40000 t
sampled somecalls "sample=5%:ring=64M:burst=128:analyses=methods+calls" 40000 t
holds calls exactcalls somecalls 500
holds methods exactcalls somecalls 500
expect 0 "$CABPROF" report methods -d somecalls
prints '^Functions by how often they were entered: estimates from [0-9,]+ of [0-9,]+ events \([45]'
prints '^function .* calls +within '
expect 0 "$CABPROF" report -d somecalls
head -1 out | grep -q '^Counts: estimates from' || fail "overview: $(head -1 out)"
expect 0 "$CABPROF" report calls -d somecalls --format=json
python3 -c 'import json
d = json.load (open ("out"))
assert "estimates" in d["note"] and all ("within" in r for r in d["rows"])' ||
  fail "JSON: $(cat out)"
expect 0 "$CABPROF" report estimates -d somecalls --format=tsv
prints '^call	often	'

# 100 % reads all that was not overwritten, and says that it is exact; 0 % reads nothing.
sampled whole "sample=100%:ring=64M:analyses=calls" 40000 t
for dir in exactcalls whole; do
  "$CABPROF" report calls -d $dir --format=tsv | grep -v '^#' | cut -f1-5 >$dir.rows
done
cmp -s exactcalls.rows whole.rows || fail "100 %: $(diff exactcalls.rows whole.rows)"
"$CABPROF" report calls -d whole --format=tsv |
  awk -F'\t' 'NR > 2 && $NF != 0 { bad = 1 } END { exit bad }' ||
  fail "100 %: an exact count has an interval"
sampled none "sample=0%" 40000 t
[ "$(account none events_passed)" = "$(account exactcalls events_sent)" ] ||
  fail "0 %: $(account none events_passed) passed of $(account exactcalls events_sent)"
expect 1 "$CABPROF" report calls -d none
says "none of"
expect 0 "$CABPROF" report -d none
[ "$(head -1 out | cut -c1-14)" = "Counts: none o" ] || fail "0 %: $(head -1 out)"

# In a small ring events are overwritten; each is read, passed or overwritten.
sampled laps "sample=50%:ring=4096:chunk=512" 200000
sum=0
for item in events_passed events_overwritten events_analysed; do
  sum=$((sum + $(account laps $item)))
done
# An event may be missing where the consumer cleared its slot as it was written.
sent=$(account laps events_sent)
[ $sum -le "$sent" ] && [ $sum -ge $((sent * 99 / 100)) ] || fail "laps: $sum of $sent events"
# The first lap that nobody read halves the rate, and the first line says so.
if [ "$(account laps events_overwritten)" != 0 ]; then
  [ "$(account laps rate_halved)" -gt 0 ] || fail "laps: the rate stayed"
  "$CABPROF" report calls -d laps | head -1 |
    grep -Eq 'overwritten.*the rate was halved [0-9]+ times.*doubled again [0-9]+ times' ||
    fail "laps: $("$CABPROF" report calls -d laps | head -1)"
fi

# A killed process has what was read; its parent or children do not matter.
sampled killed "sample=20%:ring=4096:chunk=512" 40000 k
expect 0 "$CABPROF" report calls -d killed
prints '^Calls by call site: estimates from'

# Programs with the default ring: a burst is a chunk.
build work work.c -O1 -pthread -fplugin-arg-cabprof-events=calls
sampled chunks "sample=25%:ring=64K:chunk=512" 40000 t
holds calls exactcalls chunks 20000
# Accesses have several words, so a burst is a chunk there, too.
build work work.c -O1 -pthread -fplugin-arg-cabprof-events=memory
sampled exactmem "analyses=accesses" 40000 t
sampled mem "sample=25%:ring=64K:chunk=512" 40000 t
holds accesses exactmem mem 20000
head -1 mem.accesses | grep -q 'words of events' || fail "memory: $(head -1 mem.accesses)"
expect 0 "$CABPROF" report accesses --by=variable -d mem --format=tsv
prints '^state	'
expect 1 "$CABPROF" layout -d mem; says "this needs all of them"
expect 1 "$CABPROF" report sizes -d mem; says "this needs all of them"
sampled wholemem "sample=100%:ring=16M:chunk=64K" 40000
sampled oncemem "analyses=accesses" 40000
for dir in wholemem oncemem; do
  "$CABPROF" report accesses -d $dir --format=tsv | grep -v '^#' | cut -f1-9 >$dir.rows
done
cmp -s wholemem.rows oncemem.rows || fail "memory, 100 %: $(diff wholemem.rows oncemem.rows)"
# Times are left out, and the calls that have them are counted; `timeline' needs all of them.
build work work.c -O1 -pthread -fplugin-arg-cabprof-events=calls+time
sampled times "sample=25%:ring=64K:chunk=512" 40000 t
holds calls exactcalls times 20000
expect 1 "$CABPROF" report timeline -d times; says "this needs all of them"
# Where there are no events, all is counted in place, and exact.
build work work.c -O1 -pthread -fplugin-arg-cabprof-events=paths
sampled inplace "sample=5%" 40000
expect 0 "$CABPROF" report paths -d inplace
! grep -q estimates out || fail "counts in place are called estimates"

# What needs all events says so.
for report in tree edges sizes trips contexts check; do
  "$CABPROF" report --help | grep -q "^  $report " || continue
  expect 1 "$CABPROF" report $report -d somecalls
  says "this needs all of them"
done
expect 1 "$CABPROF" diff exactcalls somecalls; says "this needs all of them"
expect 1 "$CABPROF" diff somecalls exactcalls; says "this needs all of them"
expect 1 "$CABPROF" export folded -d somecalls; says "this needs all of them"
expect 1 "$CABPROF" report -d somecalls --html; says "this needs all of them"

# refuses OPTIONS WORDS: the program runs unprofiled and says WORDS; so does `record', before it.
refuses ()
{
  CABPROF_OPTIONS=data=$PWD/refused:$1 ./work 10 >run.out 2>err || fail "$1: the program failed"
  [ "$(wc -l <err)" = 1 ] && grep -Fq -- "$2" err || fail "$1: $(cat err)"
  [ ! -e refused ] || fail "$1: it was profiled"
  CABPROF_OPTIONS=$1 "$CABPROF" record -d refused -- ./work 10 >run.out 2>err &&
    fail "record takes $1"
  grep -Fq -- "$2" err || fail "record, $1: $(cat err)"
}
refuses sample=200% "from 0.0001% to 100%"
refuses sample=% "from 0.0001% to 100%"
refuses sample=5.00001% "from 0.0001% to 100%"
refuses sample=0.00001% "from 0.0001% to 100%"
refuses sample=5%:burst=100 "whole cache lines of 64"
refuses sample=5%:burst=0 "from 64"
refuses sample=5%:chunk=1024:burst=2048 "from 64 to 1024"
refuses burst=64 "add sample=PERCENT"
refuses sample=5%:placement=inline "leave out placement=inline"
refuses sample=5%:trace=t "leave out sample=PERCENT"
refuses sample=5%:check-serializer "check-serializer needs all events"
for analysis in tree cache deps loops timeline blocks levels join; do
  refuses sample=5%:analyses=$analysis "analysis '$analysis' needs all events"
done
grep -q "accesses, calls, estimates, methods, paths" err || fail "which analyses can: $(cat err)"
