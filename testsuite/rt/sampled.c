/* sampled.c - a process that reads only some of its events: what is read is whole and in order,
 * what is not is counted exactly, also where the producer comes by again and again; threads, fork,
 * kill.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Each thread takes the paths of one function in turn, so that the events of a burst must be
 * consecutive.  Under TSan an analysis of the test's own checks that.
 */
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cabprof/analysis.h"
#include "cabprof/control.h"
#include "judge.h"
#include "probe.h"
#include "analyses/live/an_paths.h"

#define PATHS 30000
ROW (row, 10, 30002, 0);

#ifdef CAB_TEST_TSAN
#define EVENTS 60000
#else
#define EVENTS 600000
#endif
#define THREADS 3

static void (*enqueue) (uint64_t);

static void *
work (void *arg)
{
  for (int i = 0; i < EVENTS; i++)
    enqueue (probe_path (&row, i % PATHS));
  return arg;
}

static int
program (const char *kind)
{
  pthread_t threads[THREADS];
  enqueue = strstr (kind, "cab") ? probe_enqueue_cab : probe_enqueue;
  if (strstr (kind, "killed"))
    {
      work (NULL);
      kill (getpid (), SIGKILL);
    }
  bool in_turn = strstr (kind, "turn");
  for (int k = 0; k < THREADS; k++)
    {
      pthread_create (&threads[k], NULL, work, NULL);
      if (in_turn)
	pthread_join (threads[k], NULL), usleep (100000);
    }
  for (int k = 0; k < THREADS && !in_turn; k++)
    pthread_join (threads[k], NULL);
  if (strstr (kind, "fork"))
    {
      pid_t child = fork ();
      work (NULL);
      if (child == 0)
	return 0;
      waitpid (child, NULL, 0);
    }
  return 0;
}

#ifdef CAB_TEST_TSAN
/* Bursts whose events are not consecutive, in the first word of a state; then all events, by
   weight. */
static void
check_feed (struct cab_arena *arena, const struct cab_batch *batch,
	    const struct cab_functions *functions)
{
  uint64_t *sums = (uint64_t *) arena->base;
  uint32_t i = 0;
  (void) functions;
  for (uint32_t k = 0; k < batch->n_bursts; k++)
    for (uint32_t first = i; i < batch->burst[k].end; i++)
      {
	sums[0] += i > first
		   && cab_ev_path (batch->events[i])
			!= (cab_ev_path (batch->events[i - 1]) + 1) % PATHS;
	sums[1] += batch->burst[k].weight;
      }
}

static int
check_open (struct cab_arena *arena, const char *arguments, struct cab_diag *diag)
{
  (void) arguments, (void) diag;
  arena->used = 16;
  return 0;
}

static uint64_t
check_applied (const struct cab_arena *arena)
{
  return ((const uint64_t *) arena->base)[1];
}

static uint64_t
check_lost (const struct cab_arena *arena)
{
  (void) arena;
  return 0;
}

static struct cab_analysis checks = { .abi = CAB_ANALYSIS_ABI,
				      .name = "checks",
				      .summary = "bursts are whole",
				      .kinds = 1u << CAB_EV_PATH,
				      .wants = CAB_TAKES_BURSTS,
				      .shard = CAB_SHARD_THREAD,
				      .arena_bytes = 4096,
				      .open = check_open,
				      .feed = check_feed,
				      .applied = check_applied,
				      .lost = check_lost,
				      .carry = cab_carry_nothing };
#define ANALYSES "analyses=checks+paths:"

/* Before that of probe.c, which is linked later. */
__attribute__ ((constructor (101))) static void
add_analysis (void)
{
  cab_analysis_add (&checks);
}

static void
check_whole (const struct judge_part *part, const char *options)
{
  for (uint32_t i = 0; i < part->header->n_rings; i++)
    {
      size_t used;
      uint64_t *sums = judge_arena (part, "checks", i, &used);
      CHECK (!sums || sums[0] == 0, "%s: ring %u: %lu events follow a wrong one", options, i,
	     sums[0]);
      free (sums);
    }
}
#else
#define ANALYSES "analyses=paths:"

static void
check_whole (const struct judge_part *part, const char *options)
{
  (void) part, (void) options;
}
#endif

/* Return the sum of all paths that the part estimates. */
static uint64_t
estimated (const struct judge_part *part)
{
  uint64_t sum = 0;
  for (uint32_t i = 0; i < part->header->n_rings; i++)
    {
      size_t used;
      unsigned char *bytes = judge_arena (part, "paths", i, &used);
      struct cab_arena a = { .base = bytes, .used = used, .cap = used };
      for (uint64_t p = 0; bytes && p < cab_paths_n (&a); p++)
	sum += cab_paths_counter (&a, p);
      free (bytes);
    }
  return sum;
}

enum { WHOLE = 1, NONE = 2 };

/* Check a part whose process sent N events.  HOW: WHOLE, all must have been read; NONE, none may
   have been. */
static void
check_part (const char *path, const char *options, uint64_t n, int how)
{
  struct judge_part part = judge_open (path);
  const struct cab_ledger *l = &part.header->ledger;
  size_t n_control;
  struct cab_part_control *control = judge_area (&part, CAB_EXT_CONTROL, 0, &n_control);
  const struct cab_part_share *s = &control->share;
  uint64_t read = l->analysed + l->raw_words, sum = estimated (&part);
  for (int i = 0; i < CAB_N_DROPS; i++)
    CHECK (l->dropped[i] == 0, "%s: %lu dropped by cause %d", options, l->dropped[i], i);
  CHECK (l->enqueued == n, "%s: %lu of %lu events", options, l->enqueued, n);
  CHECK (read + s->passed + s->overwritten == n, "%s: %lu read, %lu passed, %lu overwritten of %lu",
	 options, read, s->passed, s->overwritten, n);
  CHECK (how != WHOLE || (l->analysed == n && sum == n), "%s: read %lu, estimated %lu of %lu",
	 options, l->analysed, sum, n);
  CHECK (how != NONE || (s->passed == n && sum == 0), "%s: passed %lu of %lu", options, s->passed,
	 n);
  CHECK (how || read < n, "%s: read %lu of %lu", options, read, n);
  /* Where the producer came by again and again, hardly anything may have been read. */
  CHECK (how || s->overwritten > n / 8 || (sum >= n / 2 && sum <= 3 * n / 2),
	 "%s: read %lu, overwritten %lu, estimated %lu of %lu", options, read, s->overwritten, sum,
	 n);
  check_whole (&part, options);
  free (control);
  judge_close (&part);
}

static const char *base;

static int
run (const char *options, const char *kind, char parts[][512])
{
  static int number;
  char dir[512], all[512];
  snprintf (dir, sizeof dir, "%s/data%d", base, number++);
  snprintf (all, sizeof all, ANALYSES "%s", options);
  int status = judge_run (dir, all, kind, 0);
  CHECK (strstr (kind, "killed") ? WIFSIGNALED (status) : status == 0, "%s %s: status %x", options,
	 kind, status);
  return judge_parts (dir, parts, 2);
}

static void
check_run (const char *options, const char *kind, int how)
{
  char parts[2][512];
  CHECK (run (options, kind, parts) == 1, "one part");
  check_part (parts[0], options, (uint64_t) EVENTS * THREADS, how);
}

/* A killed process says exactly what it had read and passed up to the tails of its rings. */
static void
check_kill (const char *options, const char *kind)
{
  char parts[2][512];
  CHECK (run (options, kind, parts) == 1, "one part");
  struct judge_part part = judge_open (parts[0]);
  const struct cab_ledger *l = &part.header->ledger;
  size_t n;
  struct cab_ring_header *h = judge_area (&part, CAB_EXT_RING, 0, &n);
  CHECK (h && h->type == CAB_RING_SAMPLED, "no ring");
  uint64_t slots = (uint64_t) h->n_chunks * h->chunk_slots,
	   sent = h->head * slots + (h->cursor.next - h->slots_address) / 8;
  CHECK (sent == EVENTS, "the ring says %lu of %d", sent, EVENTS);
  CHECK (h->tail <= sent && l->enqueued <= sent, "tail %lu, enqueued %lu", h->tail, l->enqueued);
  free (h);
  judge_close (&part);
}

int
main (void)
{
  if (getenv ("CAB_TEST_RUN"))
    return program (getenv ("CAB_TEST_RUN"));
  base = judge_directory ();
  check_run ("sample=5%", "cab", 0);
  check_run ("sample=5%:ring=4096:chunk=512", "cab", 0);
  check_run ("sample=50%:ring=2048:chunk=128:burst=128:threads=2", "cab", 0);
  check_run ("sample=75%:ring=64K:chunk=4K:burst=256", "cab", 0);
  check_run ("sample=100%:ring=16M", "cab", WHOLE);
  /* A thread goes on with the ring of one that has ended within a chunk, once that is drained. */
  check_run ("sample=100%:ring=16M", "cab in turn", WHOLE);
  check_run ("sample=0%:ring=4096:chunk=512", "cab", NONE);
  check_run ("sample=20%:ring=4096:chunk=512", "chunk", 0);
  check_run ("sample=60%:ring=64K:chunk=1K", "chunk", 0);
  check_run ("sample=0%", "chunk", NONE);
#ifndef CAB_TEST_TSAN   /* whose children of processes with threads can have none */
  char parts[2][512];
  CHECK (run ("sample=100%:ring=16M", "cab fork", parts) == 2, "two parts");
  for (int i = 0; i < 2; i++)
    {
      struct judge_part part = judge_open (parts[i]);
      bool is_child = part.header->forked_from;
      judge_close (&part);
      check_part (parts[i], "fork", (uint64_t) EVENTS * (is_child ? 1 : THREADS + 1), WHOLE);
    }
#endif
  check_kill ("sample=5%:ring=4096:chunk=512", "cab killed");
  check_kill ("sample=0%", "cab killed");
  return 0;
}
