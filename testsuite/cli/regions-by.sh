#!/bin/bash
# regions-by.sh - contexts, layout, sharing and samples by region; a program that is killed while it
# changes regions; a user's analysis that does not tell them apart, and one that keeps nodes.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/../lib.sh"
need_build
include=-I$TOP/include

rows () { "$CABPROF" report "$@" --format=tsv 2>words | grep -v '^#' | tail -n +2; }
is () { [ "$2" = "$3" ] || fail "$1: $2 instead of $3: $(cat words)"; }

# sum REPORT KEY-COLUMN KEY COLUMN ARGUMENT...: the sum of COLUMN over the rows of KEY.
sum ()
{
  local report=$1 of=$2 key=$3 column=$4
  shift 4
  rows "$report" "$@" |
    awk -F'\t' -v of="$of" -v key="$key" -v c="$column" '$of == key { n += $c } END { print n + 0 }'
}

build () { "$CGCC" -O1 -g -pthread $include "-fplugin-arg-cabprof-events=$1" $2.c -o $2; }

# Two threads that use neighbouring variables at the same time, others in the region than outside;
# and a structure.
cat >share.c <<'C'
#include <cabprof/cabprof.h>
#include <pthread.h>
struct pair { long one, two; };
static struct pair hot __attribute__ ((aligned (64))), cold __attribute__ ((aligned (64)));
static pthread_barrier_t all;
static void __attribute__ ((noinline))
first (volatile struct pair *p, int n) { for (int i = 0; i < n; i++) ++p->one; }
static void __attribute__ ((noinline))
second (volatile struct pair *p, int n) { for (int i = 0; i < n; i++) ++p->two; }
static void __attribute__ ((noinline))
work (void *is_second, struct pair *p, int n) { if (is_second) second (p, n); else first (p, n); }
static void *
run (void *is_second)
{
  pthread_barrier_wait (&all);
  work (is_second, &cold, 1000);
  int errors = cabprof_region_begin ("hot");
  work (is_second, &hot, 500);
  errors |= cabprof_region_end ("hot");
  work (is_second, &cold, 1000);
  pthread_barrier_wait (&all);
  return errors ? NULL : &all;
}
int
main (void)
{
  pthread_t t[2];
  void *good[2];
  pthread_barrier_init (&all, NULL, 2);
  for (int i = 0; i < 2; i++)
    pthread_create (&t[i], NULL, run, i ? &all : NULL);
  for (int i = 0; i < 2; i++)
    pthread_join (t[i], &good[i]);
  return !good[0] || !good[1];
}
C
build calls+memory share || fail "share.c"
for placement in thread inline; do
  rm -rf cabprof.data
  CABPROF_OPTIONS=placement=$placement:analyses=sharing+contexts+tree+accesses ./share ||
    fail "share"
  for one in :2500 --region=hot:500; do
    region=${one%:*} n=${one#*:}
    is "contexts $region" "$(rows contexts $region | awk -F'\t' '
      $1 == "read" && $3 ~ /^(first|second)$/ && $9 ~ /^(first|second) < work:[0-9]+ < run:/ {
	n += $6
      }
      END { print n }')" \
      $((2 * n))
    is "layout $region" "$(sum layout 6 two 9 $region)" $n
    is "sharing of hot $region" "$(sum sharing 1 hot 8 $region)" 1000
    is "sharing of cold $region" "$(sum sharing 1 cold 8 $region)" $((2 * n - 1000))
  done
done

# Samples.
cat >spin.c <<'C'
#include <cabprof/cabprof.h>
static volatile unsigned long sink;
#define N 90000000l
static void __attribute__ ((noinline)) warm (void) { for (long i = 0; i < N; i++) sink += i; }
static void __attribute__ ((noinline)) cool (void) { for (long i = 0; i < N; i++) sink ^= i; }
int
main (void)
{
  cool ();
  int errors = cabprof_region_begin ("warm");
  warm ();
  errors |= cabprof_region_end ("warm");
  cool ();
  return errors;
}
C
build paths+calls spin || fail "spin.c"
rm -rf cabprof.data
CABPROF_OPTIONS=analyses=tree+samples "$CABPROF" record -d cabprof.data --sample=timer ./spin \
  >/dev/null 2>err || fail "spin: $(cat err)"
warm=$(sum hotcontexts 1 warm 6)
[ "$warm" -gt 0 ] && [ "$(sum hotcontexts 1 cool 6)" -gt 0 ] ||
  fail "no samples: $(rows hotcontexts)"
is "samples in the region" "$(sum hotcontexts 1 warm 6 --region=warm)" "$warm"
is "samples of others in the region" "$(sum hotcontexts 1 cool 6 --region=warm)" 0

# A program that does nearly nothing but begin and end a region, and is killed.  It says itself what
# it has done, in a file that it maps: the profile has just that, or one call more.
cat >switch.c <<'C'
#include <cabprof/cabprof.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
static volatile long *done;   /* calls in the region, and outside */
static int __attribute__ ((noinline)) leaf (volatile int *p) { return ++*p; }
CABPROF_NEVER static void *
kill_later (void *us)
{
  while (done[0] < 20)
    usleep (100);
  usleep (*(int *) us);
  kill (getpid (), SIGKILL);
  return us;
}
CABPROF_NEVER int
main (int argc, char **argv)
{
  int fd = open ("done", O_RDWR | O_CREAT | O_TRUNC, 0600), us = atoi (argv[argc - 1]);
  volatile int n = 0;
  pthread_t t;
  if (ftruncate (fd, 4096) < 0)
    return 1;
  done = mmap (NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  pthread_create (&t, NULL, kill_later, &us);
  for (;;)
    {
      if (cabprof_region_begin ("a"))
	return 1;
      leaf (&n);
      done[0]++;
      if (cabprof_region_end ("a"))
	return 1;
      leaf (&n);
      done[1]++;
    }
}
C
build paths+calls switch || fail "switch.c"
# holds WHAT FOUND DONE
holds () { [ "$2" = "$3" ] || [ "$2" = $(($3 + 1)) ] || fail "$placement, $us us: $1: $2, not $3"; }
for placement in thread inline; do
  for us in 0 7 60 230 400 900; do
    rm -rf cabprof.data
    { CABPROF_OPTIONS=placement=$placement:analyses=calls+tree ./switch $us; } 2>err
    [ $? = 137 ] || fail "switch is not killed: $(cat err)"
    read -r inside outside <<<"$(od -An -t d8 -N 16 done)"
    for one in calls:2:5 tree:4:5 methods:1:4; do
      IFS=: read -r report of column <<<"$one"
      holds "$report in the region" "$(sum $report $of leaf $column --region=a)" "$inside"
      holds "all $report" "$(sum $report $of leaf $column)" $((inside + outside))
    done
  done
done

# A user's analysis without `carry'.
cat >own.c <<'C'
#include <cabprof/analysis.h>
#define N(arena) (*(uint64_t *) (arena)->base)
static int
begin (struct cab_arena *a, const char *arguments, struct cab_diag *diag)
{
  (void) arguments, (void) diag;
  a->used = 8;
  return 0;
}
static void
feed (struct cab_arena *a, const struct cab_batch *b, const struct cab_functions *f)
{
  (void) f;
  N (a) += b->n;
}
static uint64_t applied (const struct cab_arena *a) { return a->used ? N (a) : 0; }
static uint64_t lost (const struct cab_arena *a) { (void) a; return 0; }
static int
check (const struct cab_arena *a, struct cab_diag *diag)
{
  (void) diag;
  return a->used > 8 ? -1 : 0;
}
static int
merge (struct cab_arena *into, const struct cab_arena *from, const struct cab_idmap *map,
       struct cab_diag *diag)
{
  (void) map, (void) diag;
  N (into) += applied (from);
  return 0;
}
static void
report (const struct cab_arena *a, const struct cab_sheet *to)
{
  static const struct cab_sheet_column column = { "n", CAB_SHEET_COUNT };
  to->columns (to->host, &column, 1);
  to->row (to->host, &(const union cab_sheet_cell) { .count = N (a) });
}
CAB_ANALYSIS_EXPORT = { CAB_ANALYSIS_HEAD, .name = "own", .summary = "n", .arena_bytes = 4096,
  .kinds = 1u << CAB_EV_ACCESS, .open = begin, .feed = feed, .applied = applied, .lost = lost,
  .check = check, .merge = merge, .report = report };
C
gcc -O1 -fPIC -shared $include own.c -o own.so || fail "own.c"
rm -rf cabprof.data
CABPROF_OPTIONS=analyses=./own.so+accesses ./share || fail "with a user's analysis"
[ "$(rows ./own.so)" -ge 10000 ] || fail "own: $(rows ./own.so)"
"$CABPROF" report ./own.so --region=hot >out 2>words && fail "own was told by region: $(cat out)"
[ "$(wc -l <words)" = 1 ] && [ ! -s out ] && grep -q 'do not distinguish regions.*own' words ||
  fail "own: $(cat words out)"
is "beside own" "$(sum accesses 2 first 6 --region=hot)" 500

# A user's analysis that keeps a node from one region to the next: it counts accesses by the context
# of the access before.
cat >keeps.c <<'C'
#include <cabprof/analysis.h>
enum { MOST = 64 };
struct state { uint64_t last, n[MOST]; };
#define S(arena) ((struct state *) (arena)->base)
static int
begin (struct cab_arena *a, const char *arguments, struct cab_diag *diag)
{
  (void) arguments, (void) diag;
  a->used = sizeof (struct state);
  S (a)->last = 0;
  return 0;
}
static void
feed (struct cab_arena *a, const struct cab_batch *b, const struct cab_functions *f)
{
  (void) f;
  for (uint32_t i = 0; i < b->n; i++)
    {
      S (a)->n[S (a)->last]++;
      S (a)->last = b->node[i] % MOST;
    }
}
static uint64_t
applied (const struct cab_arena *a)
{
  uint64_t sum = 0;
  for (int i = 0; a->used && i < MOST; i++)
    sum += S (a)->n[i];
  return sum;
}
static uint64_t lost (const struct cab_arena *a) { (void) a; return 0; }
static int
check (const struct cab_arena *a, struct cab_diag *diag)
{
  (void) diag;
  return a->used && a->used != sizeof (struct state) ? -1 : 0;
}
static int
merge (struct cab_arena *into, const struct cab_arena *from, const struct cab_idmap *map,
       struct cab_diag *diag)
{
  (void) diag;
  for (uint32_t i = 0; from->used && i < MOST; i++)
    S (into)->n[i < map->n_node ? map->node[i] % MOST : 0] += S (from)->n[i];
  return 0;
}
static void
carry (struct cab_arena *a, const struct cab_arena *from, uint32_t thread)
{
  (void) thread;
  S (a)->last = S (from)->last;
}
static void
report (const struct cab_arena *a, const struct cab_sheet *to)
{
  static const struct cab_sheet_column columns[]
    = { { "context", CAB_SHEET_TEXT }, { "n", CAB_SHEET_COUNT } };
  struct cab_sheet_place place;
  to->columns (to->host, columns, 2);
  for (uint32_t i = 1; i < MOST; i++)
    if (S (a)->n[i] && to->node (to->host, i, &place, 0, 0))
      to->row (to->host, (const union cab_sheet_cell[]) { { .text = place.name },
							  { .count = S (a)->n[i] } });
}
CAB_ANALYSIS_EXPORT = { CAB_ANALYSIS_HEAD, .name = "keeps", .summary = "n", .arena_bytes = 4096,
  .kinds = 1u << CAB_EV_ACCESS, .wants = CAB_WANTS_NODE | CAB_KEEPS_NODES, .open = begin,
  .feed = feed, .applied = applied, .lost = lost, .check = check, .merge = merge, .report = report,
  .carry = carry };
C
cat >hop.c <<'C'
#include <cabprof/cabprof.h>
static void __attribute__ ((noipa)) put (volatile int *p) { *p = 1; }
static void __attribute__ ((noipa)) one (volatile int *p) { put (p); __asm__ volatile (""); }
static void __attribute__ ((noipa)) two (volatile int *p) { put (p); __asm__ volatile (""); }
static int x;
int
main (void)
{
  int errors = 0;
  one (&x);
  two (&x);
  errors |= cabprof_region_begin ("a");
  one (&x);
  put (&x);
  errors |= cabprof_region_end ("a");
  two (&x);
  errors |= cabprof_region_begin ("b");
  put (&x);
  return errors;
}
C
gcc -O1 -fPIC -shared $include keeps.c -o keeps.so || fail "keeps.c"
"$CGCC" -O1 -g $include -fplugin-arg-cabprof-events=calls+memory \
  -fplugin-arg-cabprof-context hop.c -o hop || fail "hop.c"
for one in "a:one=1 two=1" "b:two=1" ":one=2 put=1 two=2"; do
  rm -rf cabprof.data
  CABPROF_OPTIONS=analyses=./keeps.so+tree ./hop || fail "with keeps.so"
  region=${one%%:*}
  is "keeps $region" "$(rows ./keeps.so ${region:+--region=$region} | awk -F'\t' '
    { split ($1, f, " < "); sub (/:.*/, "", f[2]); n[f[2] == "main" ? f[1] : f[2]] += $2 }
    END { for (i in n) print i "=" n[i] }' | sort | tr '\n' ' ')" "${one#*:} "
done
exit 0
