#!/bin/bash
# delegates.sh - analyses that are sharded by key give bit for bit the same results with any number
# of delegates, in both placements, with small chunks, after kill -9, with forked children, regions
# and several threads, and replayed from a trace; keys of all sorts; full tables.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/cli.sh"
need gcc python3

# Each thread, and the child, makes the same accesses each time, at the same places of the program.
cat >work.c <<'C'
#include <string.h>
#include <cabprof/cabprof.h>
static int a[200], b[77], c[5000];
static char text[3][20000] __attribute__ ((aligned (4096)));
__attribute__ ((noipa)) static int
step (int r, int i)
{
  return (r * i) >> 3;
}
__attribute__ ((noipa)) void
go (int r)
{
  for (int i = 0; i < 200; i++)
    {
      a[i] = (a[i] + step (i, r)) & 255;
      b[i % 77] ^= a[(i * 7) % 200];
      c[b[i % 77] & 4095] += 3;
    }
  memcpy (text[0] + r % 100, text[1] + 4000, 9000 + r);
  text[2][4096 * (r % 4)] = r;
  memcpy (text[2] + 4090, &r, sizeof r);
}
void *
work (void *times)
{
  for (long r = 0; r < (long) times; r++)
    go (r);
  return times;
}
void region_begin (const char *name) { cabprof_region_begin (name); }
void region_end (const char *name) { cabprof_region_end (name); }
C
# Its stack, whose addresses differ from run to run, has no probes.
cat >main.c <<'C'
#include <pthread.h>
#include <signal.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>
void go (int);
void *work (void *);
void region_begin (const char *), region_end (const char *);
int
main (int n, char **arguments)
{
  pthread_t thread;
  work ((void *) 20L);
  for (int i = 0; i < 3; i++)
    {
      region_begin (i % 2 ? "odd" : "even");
      pthread_create (&thread, NULL, work, (void *) 7L);
      pthread_join (thread, NULL);
      go (i);
      region_end (i % 2 ? "odd" : "even");
      go (i + 10);
    }
  pid_t child = fork ();
  work ((void *) 5L);
  if (child == 0)
    return 0;
  waitpid (child, NULL, 0);
  if (n > 2)
    {
      close (creat (arguments[2], 0600));
      pause ();
    }
  if (n > 1)
    kill (getpid (), SIGKILL);
  return 0;
}
C
# The addresses of a static program's variables are the same each time.
gcc -O1 -fno-pie -c main.c && "$CGCC" -O1 -g -no-pie -fno-pie -I"$TOP/include" -pthread \
  -fplugin-arg-cabprof-context -fplugin-arg-cabprof-events=calls+memory+values+loops \
  work.c main.o -o work || fail "work.c"

# One analysis for each sort of key.  Each counts the rows by what it is keyed by, and how often the
# row before, of the same key, was another one: wrong unless rows of a key stay together, in order.
cat >keys.c <<'C'
#include <cabprof/analysis.h>
enum { KEYS = 2048 };
struct key { uint64_t key, last[2], n[2], bytes[2]; };
struct state { uint64_t mark, others; struct key key[KEYS]; };
#include "testsuite/cli/own_state.h"
static uint64_t
key_of (const struct cab_batch *b, uint32_t i)
{
#if KEY == 0
  return b->site[i];
#elif KEY == 1
  return cab_ev_callee (b->events[i]);
#elif KEY == 2
  return b->address[i] >> 12;
#elif KEY == 3
  return b->value && b->value_type[i] ? b->value[i] : 0;
#else
  uint64_t site = b->kind == CAB_EV_CALL ? cab_ev_site (b->events[i]) * 2 : b->site[i] * 2 + 1;
  return UINT64_MAX - 2 - site;
#endif
}
static uint64_t
what (const struct cab_batch *b, uint32_t i)
{
  return b->kind == CAB_EV_CALL ? b->events[i] : b->address[i] ^ (uint64_t) b->site[i] << 48;
}
static struct key *
find (struct cab_arena *a, uint64_t key)
{
  uint32_t at = key * 0x9e3779b97f4a7c15 >> 53;
  while (S (a)->key[at].key && S (a)->key[at].key != key + 1)
    at = (at + 1) % KEYS;
  S (a)->key[at].key = key + 1;
  return &S (a)->key[at];
}
static void
feed (struct cab_arena *a, const struct cab_batch *b, const struct cab_functions *f)
{
  (void) f;
  for (uint32_t i = 0; i < b->n; i++)
    {
      struct key *k = find (a, key_of (b, i));
      uint64_t t = k->n[0] + k->n[1];
      int same = k->last[t & 1] == what (b, i);
      k->last[(t + 1) & 1] = what (b, i);
      k->bytes[(t + 1) & 1] = k->bytes[t & 1] + (b->bytes ? b->bytes[i] : 0);
      ++*(volatile uint64_t *) &k->n[same];
    }
}
static uint64_t
applied (const struct cab_arena *a)
{
  uint64_t sum = 0;
  for (int i = 0; a->used && i < KEYS; i++)
    sum += S (a)->key[i].n[0] + S (a)->key[i].n[1];
  return sum;
}
static void
begin_thread (struct cab_arena *a, uint32_t thread)
{
  (void) thread;
  for (int i = 0; i < KEYS; i++)
    S (a)->key[i].last[0] = S (a)->key[i].last[1] = 0;
}
static void
carry (struct cab_arena *a, const struct cab_arena *from, uint32_t thread)
{
  (void) thread;
  for (int i = 0; i < KEYS; i++)
    if (S (from)->key[i].key)
      {
	const struct key *old = &S (from)->key[i];
	struct key *k = find (a, old->key - 1);
	k->last[(k->n[0] + k->n[1]) & 1] = old->last[(old->n[0] + old->n[1]) & 1];
      }
}
static int
merge (struct cab_arena *into, const struct cab_arena *from, const struct cab_idmap *map,
       struct cab_diag *diag)
{
  (void) map, (void) diag;
  for (int i = 0; from->used && i < KEYS; i++)
    if (S (from)->key[i].key)
      {
	const struct key *old = &S (from)->key[i];
	struct key *k = find (into, old->key - 1);
	uint64_t bytes = k->bytes[(k->n[0] + k->n[1]) & 1]
			 + old->bytes[(old->n[0] + old->n[1]) & 1];
	k->n[0] += old->n[0];
	k->n[1] += old->n[1];
	k->bytes[0] = k->bytes[1] = bytes;
      }
  return 0;
}
static void
report (const struct cab_arena *a, const struct cab_sheet *to)
{
  static const struct cab_sheet_column columns[] = { { "key", CAB_SHEET_NUMBER },
    { "other", CAB_SHEET_COUNT }, { "same", CAB_SHEET_COUNT }, { "bytes", CAB_SHEET_COUNT } };
  to->columns (to->host, columns, 4);
  for (int i = 0; i < KEYS; i++)
    if (S (a)->key[i].key)
      {
	const struct key *k = &S (a)->key[i];
	union cab_sheet_cell row[4] = { { .count = k->key - 1 }, { .count = k->n[0] },
	  { .count = k->n[1] }, { .count = k->bytes[(k->n[0] + k->n[1]) & 1] } };
	to->row (to->host, row);
      }
}
CAB_ANALYSIS_EXPORT = { CAB_ANALYSIS_HEAD, .name = NAME, .summary = "Rows by key", .kinds = KINDS,
  .shard = CAB_SHARD_KEY, .arena_bytes = sizeof (struct state), .open = open_it, .feed = feed,
  .applied = applied, .lost = lost, .check = check, .merge = merge, .report = report,
  .begin_thread = begin_thread, .carry = carry, .key = ASKED,
  .own_key = ASKED == CAB_KEY_OWN ? key_of : 0 };
C
# own NAME KEY ASKED KINDS: compile such an analysis.
own ()
{
  gcc -O1 -shared -fPIC -I"$TOP" -I"$TOP/include" -DNAME="\"$1\"" -DKEY=$2 -DASKED="CAB_KEY_$3" \
    -DKINDS="$4" keys.c -o $1.so || fail "keys.c"
}
calls='1u << CAB_EV_CALL' accesses='1u << CAB_EV_ACCESS'
own site 0 SITE "$accesses"
own target 1 TARGET "$calls"
own address 2 ADDRESS "$accesses"
own value 3 VALUE "$accesses"
own mine 4 OWN "$calls | $accesses"
export CABPROF_ANALYSES=$PWD
analyses=values+site+target+address+value+mine+accesses+deps
reports="values site target address value mine accesses"

# reports DIR [OPTION]: print all reports.
reports ()
{
  local report
  for report in $reports; do
    echo "== $report"
    "$CABPROF" report $report -d $1 --format=tsv ${2:-} | sort || fail "report $report"
  done
  # Dependences are not told apart by region.
  for report in ${2:-loop line}; do
    [ "${2:-}" ] || "$CABPROF" report deps -d $1 --format=tsv --by=$report | sort ||
      fail "report deps"
  done
}
# same NAME WHAT DIR [OPTION]: compare reports with the first ones of this sort.
same ()
{
  reports "${@:3}" 2>&1 | grep -v 'is still running: its counts' >got
  [ -e $2.first ] || cp got $2.first
  cmp $2.first got || fail "$1, $2: other results: $(diff $2.first got | head -20)"
}
# run NAME OPTIONS [ARGUMENT]: run it, and compare its reports with those of the first run.
run ()
{
  rm -rf data
  CABPROF_OPTIONS=data=data:analyses=$analyses:$2 timeout 60 setarch -R ./work ${3:-} 2>err
  local status=$?
  [ $status = $([ "${3:-}" ] && echo 137 || echo 0) ] && [ ! -s err ] ||
    fail "$1: $status: $(cat err)"
  same "$1" whole data
  same "$1" region data --region=odd
}
setarch -R true 2>/dev/null || skip "setarch cannot fix addresses"
run "one state" delegates=1
[ "$(grep -c '	raw	' whole.first)" -gt 6 ] && [ "$(wc -l <whole.first)" -gt 100 ] &&
  [ "$(wc -l <region.first)" -gt 50 ] ||
  fail "reports are empty: $(cat whole.first region.first)"
for n in 1 2 3 8; do
  run "$n delegates" delegates=$n
  run "$n, inline" delegates=$n:placement=inline:ring=32K:chunk=2K
  run "$n, killed" delegates=$n:ring=64K:chunk=8K killed
done
run "inline, killed" delegates=3:placement=inline killed
run "several analysis threads" delegates=3:threads=3:ring=32K:chunk=2K
for n in 1 3; do
  run "a trace" delegates=$n:trace=$n.trace
  rm -rf again
  for trace in $n.trace*; do
    rm -rf one
    "$CABPROF" trace replay --analyses=$analyses -d one $trace >out 2>err ||
      fail "replay: $(cat err)"
    mkdir -p again && cp -r one/. again
  done
  # Without regions, so tables of values are fewer, and fuller.
  same replayed replayed again
done

# A running process, which has done all that the others did.
trap 'kill -9 $waiting 2>/dev/null' EXIT
for n in 1 3; do
  rm -rf data here
  CABPROF_OPTIONS=data=data:analyses=$analyses:delegates=$n setarch -R ./work wait here 2>err &
  waiting=$!
  for i in $(seq 600); do
    [ -e here ] && break
    sleep 0.05
  done
  # What the analysis threads have not finished yet is not there, or is left out.
  for i in $(seq 100); do
    reports data >got 2>&1
    grep -v 'is still running: its counts' got | cmp -s whole.first - && break
    sleep 0.1
  done
  same "$n delegates, running" whole data
  kill -9 $waiting
  wait $waiting 2>/dev/null
  [ ! -s err ] || fail "running: $(cat err)"
done

# A state for all keys beside the parts: results are as ever, and right keys are not complained of.
run "checked" check-serializer
run "checked, 5 delegates" check-serializer:delegates=5:placement=inline:ring=32K:chunk=2K
run "checked, killed" check-serializer:delegates=2:ring=64K:chunk=8K killed

# Pages that are keyed by the site of the access.
own wrong 2 SITE "$accesses"
touch='rows with different keys touch the same state: .*"key=[0-9]+ other=.*share: [0-9]+, [0-9]'
for options in check-serializer check-serializer:delegates=2:placement=inline; do
  for more in '' killed; do
    rm -rf data
    CABPROF_OPTIONS=data=data:analyses=wrong+site:$options ./work $more 2>err
    "$CABPROF" report site -d data >out 2>err || fail "$options $more: site: $(cat err)"
    "$CABPROF" report wrong -d data >out 2>err
    [ $? = 1 ] && [ "$(wc -l <err)" = 1 ] && grep -Eq "^cabprof: analysis wrong: $touch" err ||
      fail "$options $more: a wrong key is not found: $(cat err)"
  done
done

# More delegates than make sense, and none.
run "64 delegates" delegates=64
for n in 0 65 -1 2K; do
  rm -rf data
  CABPROF_OPTIONS=data=data:analyses=values:delegates=$n ./work 2>err || fail "delegates=$n: $?"
  [ ! -e data ] && [ "$(wc -l <err)" = 1 ] && grep -q "delegates.*$n.*from 1 to 64" err ||
    fail "delegates=$n: $(cat err)"
done

# Where some parts of a state have no room, the others are as ever, and the account tells.
for more in '' killed; do
  rm -rf data
  CABPROF_OPTIONS=data=data:analyses=site:delegates=3:most=states/2 setarch -R ./work $more 2>err
  [ "$(grep -v Killed err | wc -l)" = 1 ] && grep -q 'a table of it is full' err ||
    fail "states/2: $(cat err)"
  "$CABPROF" report site -d data --format=tsv >few 2>err || fail "states/2: $(cat err)"
  "$CABPROF" report account -d data --format=tsv >account || fail "states/2: account"
  awk -F'\t' '$1 == "dropped_no_memory" { exit !$2 }' account || fail "states/2: $(cat account)"
  awk -F'\t' '/^==/ { want = $0 == "== site"; next } FNR == NR { if (want) n[$1] = $2 + $3; next }
    FNR > 1 { rows++; if ($2 + $3 > n[$1]) exit 1 } END { exit !rows }' whole.first few ||
    fail "states/2: $(cat few)"
done
exit 0
