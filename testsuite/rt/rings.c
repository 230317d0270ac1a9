/* rings.c - events pass exactly through rings of the fewest slots: all designs, both placements,
 * thread churn, random delays, one core; under TSan also delegates and serial states.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Each thread sends path and call events that it counts for itself; the analyses and the rings must
 * hold exactly these.
 */
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <unistd.h>

#include "cabprof/analysis.h"
#include "judge.h"
#include "probe.h"
#include "analyses/live/an_calls.h"
#include "analyses/live/an_tree.h"

ROW (traced_row, 10, 102, 0);
ROW (called_row, 4, 0, 7);
ROW (both_row, 14, 12, 1);

#ifdef CAB_TEST_TSAN
#define EVENTS 1000
#else
#define EVENTS 5000
#endif
#define THREADS 4
#define ROUNDS 8

static void (*enqueue) (uint64_t);

static void
delay (uint32_t *seed)
{
  *seed = *seed * 1664525 + 1013904223;
  if (*seed >> 20 == 0)
    usleep (300);
  else if (*seed >> 24 == 0)
    sched_yield ();
}

static void *
work (void *arg)
{
  uint32_t seed = (uintptr_t) arg;
  for (int i = 0; i < EVENTS; i++)
    {
      enqueue (probe_call (&both_row, 0, 0));
      enqueue (probe_path (&traced_row, i % 100));
      if (i % 2)
	enqueue (probe_call (&called_row, 1, i % 7 + 1));
      enqueue (probe_path (&both_row, i % 10));
      delay (&seed);
    }
  return NULL;
}

static void
enqueue_mixed (uint64_t event)
{
  static unsigned n;
  if (__atomic_fetch_add (&n, 1, __ATOMIC_RELAXED) / 1000 % 2)
    probe_enqueue (event);
  else
    probe_enqueue_cab (event);
}

static int
program (const char *kind)
{
  struct cab_row *const rows[] = { &traced_row, &called_row, &both_row };
  cpu_set_t one;
  CPU_ZERO (&one);
  CPU_SET (0, &one);
  enqueue = probe_ring (kind, rows, 3);
  if (strstr (kind, "mixed"))
    enqueue = enqueue_mixed;
  if (strstr (kind, "pinned"))
    sched_setaffinity (0, sizeof one, &one);
  for (int round = 0; round < ROUNDS; round++)
    {
      pthread_t threads[THREADS];
      for (uintptr_t k = 0; k < THREADS; k++)
	pthread_create (&threads[k], NULL, work, (void *) (round * THREADS + k));
      for (int k = 0; k < THREADS; k++)
	pthread_join (threads[k], NULL);
    }
  work ((void *) 99);
  return 0;
}

#define ALL ((uint64_t) EVENTS * (ROUNDS * THREADS + 1))

static void
check_trees (const struct judge_part *part, uint32_t both, uint32_t called)
{
  uint64_t n_both = 0, n_called = 0;
  for (uint32_t i = 0; i < part->header->n_rings; i++)
    {
      size_t used;
      unsigned char *arena = judge_arena (part, "tree", i, &used);
      struct cab_arena a = { .base = arena, .used = used, .cap = used };
      struct cab_diag diag;
      CHECK (arena && cab_tree.check (&a, &diag) == 0, "ring %u: %s", i, diag.text);
      for (uint32_t node = 1; node < cab_tree_n (&a); node++)
	{
	  const struct cab_tree_node *t = cab_tree_at (&a, node);
	  n_both += t->callee == both ? t->count : 0;
	  n_called += t->callee == called && cab_tree_at (&a, t->parent)->callee == both ? t->count
											 : 0;
	}
      free (arena);
    }
  CHECK (n_both == ALL, "%lu of %lu calls", n_both, ALL);
  CHECK (n_called == ALL / 2, "%lu of %lu calls", n_called, ALL / 2);
}

#ifdef CAB_TEST_TSAN
/* Calls, keyed by their sites, and calls of all threads. */
static struct cab_analysis keyed, serial;

/* Before that of probe.c, which is linked later. */
__attribute__ ((constructor (101))) static void
add_analyses (void)
{
  keyed = serial = cab_calls;
  keyed.name = "keyed";
  keyed.shard = CAB_SHARD_KEY;
  serial.name = "serial";
  serial.shard = CAB_SHARD_SERIAL;
  serial.carry = NULL;
  cab_analysis_add (&keyed);
  cab_analysis_add (&serial);
}

/* Check that the states of analysis NAME, at least LEAST and at most MOST of them, have had all
   calls. */
static void
check_calls (const struct judge_part *part, const char *name, uint64_t least, uint64_t most)
{
  size_t n;
  uint64_t applied = 0, parts = 0;
  char *strings = judge_area (part, CAB_EXT_STRINGS, 0, &n);
  for (uint32_t i = 0; i < part->header->n_arenas; i++)
    if (strcmp (strings + part->header->arenas[i].analysis, name) == 0)
      {
	unsigned char *bytes = judge_area (part, CAB_EXT_ARENA, i, &n);
	size_t used = part->header->arenas[i].used_bytes;
	struct cab_arena a = { .base = bytes, .used = used, .cap = n };
	struct cab_diag diag;
	CHECK (cab_calls.check (&a, &diag) == 0 && cab_calls.lost (&a) == 0, "%s", diag.text);
	applied += cab_calls.applied (&a);
	parts++;
	free (bytes);
      }
  free (strings);
  CHECK (parts >= least && parts <= most && applied == ALL + ALL / 2, "%s: %lu calls in %lu states",
	 name, applied, parts);
}
#else
static void
check_calls (const struct judge_part *part, const char *name, uint64_t least, uint64_t most)
{
  (void) part, (void) name, (void) least, (void) most;
}
#endif

static void
check_ledger (const struct judge_part *part)
{
  const struct cab_ledger *l = &part->header->ledger;
  uint64_t events = ALL * 3 + ALL / 2;
  CHECK (l->analysed == events, "%lu of %lu analysed", l->analysed, events);
  CHECK (l->enqueued == events, "%lu of %lu enqueued", l->enqueued, events);
  for (int i = 0; i < CAB_N_DROPS; i++)
    CHECK (l->dropped[i] == 0, "%lu dropped by cause %d", l->dropped[i], i);
}

static void
check_run (const char *options, const char *kind)
{
  static int run;
  char dir[512], parts[2][512];
  static const char *base;
  if (!base)
    base = judge_directory ();
  snprintf (dir, sizeof dir, "%s/data%d", base, run++);
  int status = judge_run (dir, options, kind, 0);
  CHECK (status == 0, "%s %s: status %x", options, kind, status);
  CHECK (judge_parts (dir, parts, 2) == 1, "one part");
  struct judge_part part = judge_open (parts[0]);
  uint32_t fn[3];   /* in the order of the first events: both, traced, called */
  for (int i = 0; i < 3; i++)
    fn[i] = i + 1;
  for (int i = 0; i < 100; i += 33)
    CHECK (judge_paths (&part, fn[1], i) == ALL / 100, "%s %s: path %d: %lu of %lu", options, kind,
	   i, judge_paths (&part, fn[1], i), ALL / 100);
  CHECK (judge_paths (&part, fn[0], 9) == ALL / 10, "%s %s: %lu of %lu", options, kind,
	 judge_paths (&part, fn[0], 9), ALL / 10);
  CHECK (part.header->state == CAB_PART_ENDED, "state %u", part.header->state);
  check_trees (&part, fn[0], fn[2]);
  check_ledger (&part);
  if (strstr (options, "keyed"))
    check_calls (&part, "keyed", 2, 1000);
  if (strstr (options, "serial"))
    check_calls (&part, "serial", 1, 1);
  judge_close (&part);
}

int
main (void)
{
  if (getenv ("CAB_TEST_RUN"))
    return program (getenv ("CAB_TEST_RUN"));
  check_run ("ring=512:chunk=64", "chunk");
  check_run ("ring=512:chunk=64:placement=inline", "chunk");
  check_run ("ring=4096:chunk=512:threads=3", "chunk");
  check_run ("ring=auto:chunk=64:threads=2", "chunk");
  check_run ("ring=512:chunk=64", "chunk pinned");
  check_run ("", "chunk");
  check_run ("ring=512:chunk=64", "cab");
  check_run ("ring=512:chunk=64:placement=inline", "cab");
  check_run ("ring=4096:chunk=512", "cab pinned");
  check_run ("", "cab");
  check_run ("ring=512:chunk=64", "pipa");
  check_run ("ring=512:chunk=64:placement=inline", "pipa");
  check_run ("ring=4096:chunk=512:threads=2", "pipa pinned");
  check_run ("", "pipa");
  check_run ("ring=512:chunk=64", "fastforward");
  check_run ("ring=512:chunk=64:placement=inline", "fastforward");
  check_run ("ring=4096:chunk=512:threads=2", "fastforward pinned");
  check_run ("", "fastforward");
  check_run ("ring=2048:chunk=128", "mixed");
  check_run ("ring=2048:chunk=128", "mixed pipa");
  check_run ("ring=2048:chunk=128", "mixed fastforward");
  check_run ("ring=64K:chunk=8K", "mixed");
#ifdef CAB_TEST_TSAN
  check_run ("analyses=tree+paths+keyed:delegates=3:ring=2048:chunk=128", "chunk");
  check_run ("analyses=tree+paths+keyed+serial:delegates=3:threads=2:ring=4096:chunk=512", "cab");
  check_run ("analyses=tree+paths+keyed+serial:delegates=3:ring=4096:chunk=512", "fastforward");
  check_run ("analyses=tree+paths+serial:threads=3:ring=2048:chunk=128", "chunk");
  check_run ("analyses=tree+paths+serial:placement=inline:ring=512:chunk=64", "chunk");
  check_run ("analyses=tree+paths+keyed:delegates=2:placement=inline:ring=512:chunk=64", "chunk");
#endif
  return 0;
}
