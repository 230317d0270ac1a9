/* fill.c - chunks are filled less where the producer is slow, and more where it is quick; nothing
 * is lost.
 * SPDX-License-Identifier: GPL-3.0-or-later
 * Which of its chunks are quick depends on the machine: the program looks at the clock before and
 * after each one, and those that were surely quick must be followed by longer ones.
 */
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "judge.h"
#include "probe.h"

ROW (row, 14, 12, 1);

#define WORDS (256u << 10) / 8   /* words of a chunk */
#define FIRST (128u << 10) / 8   /* words that are filled at first */
#define LEAST (32u << 10) / 8    /* words that are filled for a slow producer */
#define QUICK_CHUNKS 2000u
#define SLOW_US 300u
#define QUICK_NS 30000u

static uint64_t sent;

static void
send (void)
{
  probe_enqueue (probe_path (&row, 0));
  sent++;
}

/* Return how many words a chunk had when its first event had come. */
static uint64_t
fill (void)
{
  return (__cab_ctx.cursor->limit - __cab_ctx.cursor->next) / 8 + 1;
}

/* Send until another chunk has its first event, WAIT_US longer than that takes. */
static void
next_chunk (unsigned wait_us)
{
  uint64_t limit = __cab_ctx.cursor->limit;
  if (wait_us)
    usleep (wait_us);
  while (__cab_ctx.cursor->limit == limit)
    send ();
}

/* With this wait most chunks are complete long before they are analysed. */
static void
stay_here (void)
{
  cpu_set_t one;
  CPU_ZERO (&one);
  CPU_SET (0, &one);
  sched_setaffinity (0, sizeof one, &one);
}

static uint64_t
now_ns (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return t.tv_sec * UINT64_C (1000000000) + t.tv_nsec;
}

/* Send chunks as quickly as possible; return how many of those that surely were quick are not
   followed by one of the right length. */
static unsigned
quick_chunks (unsigned n)
{
  unsigned wrong = 0;
  for (uint64_t begun = 0; n--;)
    {
      uint64_t words = fill (), before;
      while (__cab_ctx.cursor->next < __cab_ctx.cursor->limit)
	send ();
      before = now_ns ();
      send ();   /* it goes to the next chunk */
      bool quick = now_ns () - begun < QUICK_NS;
      wrong += quick && fill () != (2 * words < WORDS ? 2 * words : WORDS);
      begun = before;
    }
  return wrong;
}

/* Send chunks slowly, then quickly. */
static void
both_paces (void)
{
  uint64_t at_first[6];
  for (int i = 0; i < 6; i++, next_chunk (SLOW_US))
    at_first[i] = fill ();
  for (int i = 0; i < 6; i++)
    fprintf (stderr, "%lu ", at_first[i]);
  fprintf (stderr, "%u ", quick_chunks (QUICK_CHUNKS));
}

static int
program (const char *what)
{
  if (strstr (what, "one processor"))
    stay_here ();
  send ();
  if (strstr (what, "both paces"))
    both_paces ();
  for (int i = 0; i < 20; i++)
    next_chunk (0);
  fprintf (stderr, "%lu\n", sent);
  if (strstr (what, "killed"))
    raise (SIGKILL);
  return 0;
}

/* Check the figures of both_paces. */
static void
check_fills (FILE *file, const char *options)
{
  uint64_t words, expected = FIRST;
  for (int i = 0; i < 6; i++, expected = expected / 2 > LEAST ? expected / 2 : LEAST)
    CHECK (fscanf (file, "%lu", &words) == 1 && words == expected,
	   "%s: chunk %d has %lu words, not %lu", options, i, words, expected);
  CHECK (fscanf (file, "%lu", &words) == 1 && words == 0,
	 "%s: behind %lu chunks that were quick come others than those of twice the words", options,
	 words);
}

static void
check (const char *base, const char *options, const char *what)
{
  static int run;
  char dir[512], err[520], part_path[1][512];
  uint64_t n;
  snprintf (dir, sizeof dir, "%s/data%d", base, run++);
  CHECK (judge_run (dir, options, what, 0) == 0, "%s: it fails", options);
  snprintf (err, sizeof err, "%s-err", dir);
  FILE *file = fopen (err, "r");
  CHECK (file != NULL, "%s: it says nothing", options);
  if (strstr (what, "both paces"))
    check_fills (file, options);
  CHECK (fscanf (file, "%lu", &n) == 1, "%s: no number", options);
  fclose (file);
  CHECK (judge_parts (dir, part_path, 1) == 1, "%s: one part", options);
  struct judge_part part = judge_open (part_path[0]);
  CHECK (judge_paths (&part, 1, 0) == n, "%s, %s: %lu of %lu events", options, what,
	 judge_paths (&part, 1, 0), n);
  judge_close (&part);
}

/* Without a thread for it, the producer analyses each chunk as soon as it is full. */
static void
check_inline (const char *base)
{
  char dir[512], part_path[1][512];
  size_t n;
  snprintf (dir, sizeof dir, "%s/killed", base);
  int status = judge_run (dir, "placement=inline", "killed", 0);
  CHECK (WIFSIGNALED (status) && WTERMSIG (status) == SIGKILL, "status %x", status);
  CHECK (judge_parts (dir, part_path, 1) == 1, "one part");
  struct judge_part part = judge_open (part_path[0]);
  struct cab_ring_header *ring = judge_area (&part, CAB_EXT_RING, 0, &n);
  CHECK (ring && ring->head >= 20 && ring->tail == ring->head, "%lu chunks are analysed of %lu",
	 ring ? ring->tail : 0, ring ? ring->head : 0);
  free (ring);
  judge_close (&part);
}

int
main (void)
{
  if (getenv ("CAB_TEST_RUN"))
    return program (getenv ("CAB_TEST_RUN"));
  const char *base = judge_directory ();
  check (base, "", "both paces");
  check (base, "placement=inline", "both paces");
  check_inline (base);
  for (int i = 0; i < 20; i++)
    {
      check (base, "", "both paces, one processor");
      /* all chunks are filled, from the first on */
      check (base, "ring=256K:chunk=32K", "one processor");
    }
  return 0;
}
