/* fill.c - chunks are filled as far as suits the producer's pace: less where it is slow, all of them where it is quick; nothing is lost on the way.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <sched.h>
#include <string.h>
#include <unistd.h>

#include "judge.h"
#include "probe.h"

ROW (row, 14, 12, 1);

#define WORDS (256u << 10) / 8   /* of a chunk */
#define LEAST (32u << 10) / 8    /* ... that are filled where the producer is slow */
#define MOST_CHUNKS 100000u
#define SLOW_US 300u

static uint64_t sent;

static void
send (void)
{
  probe_enqueue (probe_path (&row, 0));
  sent++;
}

/* How many words there were of a chunk when its first event had come. */
static uint64_t
fill (void)
{
  return __cab_ctx.ring_lim - __cab_ctx.ring_p + 1;
}

/* Send until another chunk has its first event, WAIT_US longer than that takes. */
static void
next_chunk (unsigned wait_us)
{
  const uint64_t *limit = __cab_ctx.ring_lim;
  if (wait_us)
    usleep (wait_us);
  while (__cab_ctx.ring_lim == limit)
    send ();
}

static int
program (const char *where)
{
  uint64_t at_first[6], at_last = 0;
  cpu_set_t one;
  CPU_ZERO (&one);
  CPU_SET (0, &one);
  if (strcmp (where, "one processor") == 0)
    sched_setaffinity (0, sizeof one, &one);   /* then most chunks are there for long before they are analysed */
  send ();
  for (int i = 0; i < 6; i++, next_chunk (SLOW_US))
    at_first[i] = fill ();
  for (unsigned i = 0; at_last != WORDS && i < MOST_CHUNKS; i++, next_chunk (0))
    at_last = fill ();
  for (int i = 0; i < 20; i++)
    next_chunk (0);
  fprintf (stderr, "%lu %lu %lu %lu %lu %lu %lu %lu\n", sent, at_first[0], at_first[1], at_first[2], at_first[3], at_first[4], at_first[5], at_last);
  return 0;
}

static void
check (const char *base, const char *options, const char *where)
{
  char dir[512], err[520], part_path[1][512];
  uint64_t n, at[7];
  static int run;
  snprintf (dir, sizeof dir, "%s/data%d", base, run++);
  CHECK (judge_run (dir, options, where, 0) == 0, "%s: it fails", options);
  snprintf (err, sizeof err, "%s-err", dir);
  FILE *file = fopen (err, "r");
  CHECK (file && fscanf (file, "%lu %lu %lu %lu %lu %lu %lu %lu", &n, &at[0], &at[1], &at[2], &at[3], &at[4], &at[5], &at[6]) == 8, "%s: no numbers", options);
  fclose (file);
  uint64_t expected = WORDS;
  for (int i = 0; i < 6; i++, expected = expected / 2 > LEAST ? expected / 2 : LEAST)
    CHECK (at[i] == expected, "%s: chunk %d has %lu words, not %lu", options, i, at[i], expected);
  CHECK (at[6] == WORDS, "%s: no chunk is filled again; the last one has %lu words", options, at[6]);
  CHECK (judge_parts (dir, part_path, 1) == 1, "%s: one part", options);
  struct judge_part part = judge_open (part_path[0]);
  CHECK (judge_paths (&part, 1, 0) == n, "%s: %lu of %lu events", options, judge_paths (&part, 1, 0), n);
  judge_close (&part);
}

int
main (void)
{
  if (getenv ("CAB_TEST_RUN"))
    return program (getenv ("CAB_TEST_RUN"));
  const char *base = judge_directory ();
  check (base, "", "any processor");
  check (base, "placement=inline", "any processor");
  for (int i = 0; i < 20; i++)
    check (base, "", "one processor");
  return 0;
}
