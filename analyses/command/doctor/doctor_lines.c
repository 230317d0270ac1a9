/* doctor_lines.c - see doctor_lines.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/command/doctor/doctor_lines.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>

#include "rt/common/sys.h"

#define WORDS 8192u
#define LINES (WORDS / 8)
#define ROUNDS 200u

struct block
{
  _Alignas (64) uint64_t words[WORDS];
  _Alignas (64) uint32_t turn;   /* 2 * round: to be written; + 1: to be read */
  _Alignas (64) int to;          /* the reader's processor */
  int error;
  uint64_t least_ns, sum;        /* of the reader */
};

static int
pin (int cpu)
{
  cpu_set_t set;
  CPU_ZERO (&set);
  CPU_SET (cpu, &set);
  return sched_setaffinity (0, sizeof set, &set) < 0 ? -errno : 0;
}

static void
wait_for (const uint32_t *turn, uint32_t wanted)
{
  for (uint32_t i = 0; __atomic_load_n (turn, __ATOMIC_ACQUIRE) != wanted; i++)
    cab_pause_or_yield (i);
}

/* Read all words and return the ns that took.  Add them to *SUM, so that they are read. */
static uint64_t
time_read (const uint64_t *words, uint64_t *sum)
{
  uint64_t start = cab_monotonic_ns ();
  for (uint32_t i = 0; i < WORDS; i++)
    *sum += __atomic_load_n (&words[i], __ATOMIC_RELAXED);
  return cab_monotonic_ns () - start;
}

static void *
read_rounds (void *argument)
{
  struct block *b = argument;
  b->error = pin (b->to);
  b->least_ns = UINT64_MAX;
  for (uint32_t round = 0; round < ROUNDS; round++)
    {
      wait_for (&b->turn, 2 * round + 1);
      uint64_t ns = time_read (b->words, &b->sum);
      b->least_ns = ns < b->least_ns ? ns : b->least_ns;
      __atomic_store_n (&b->turn, 2 * round + 2, __ATOMIC_RELEASE);
    }
  return NULL;
}

static void
write_words (uint64_t *words, uint32_t round)
{
  for (uint32_t i = 0; i < WORDS; i++)
    __atomic_store_n (&words[i], i + round, __ATOMIC_RELAXED);
}

/* Write blocks for the reader of B, and then for this thread.  Return the least ns in which this
   thread reads one. */
static uint64_t
write_rounds (struct block *b)
{
  uint64_t least_ns = UINT64_MAX, sum = 0;
  for (uint32_t round = 0; round < ROUNDS; round++)
    {
      wait_for (&b->turn, 2 * round);
      write_words (b->words, round);
      __atomic_store_n (&b->turn, 2 * round + 1, __ATOMIC_RELEASE);
    }
  wait_for (&b->turn, 2 * ROUNDS);
  for (uint32_t round = 0; round < ROUNDS; round++)
    {
      write_words (b->words, round);
      uint64_t ns = time_read (b->words, &sum);
      least_ns = ns < least_ns ? ns : least_ns;
    }
  return least_ns;
}

int
cab_doctor_line (int from, int to, uint64_t *line_ps)
{
  static struct block block;
  cpu_set_t before;
  pthread_t thread;
  block.to = to;
  block.turn = 0;
  if (sched_getaffinity (0, sizeof before, &before) < 0)
    return -errno;
  int error = pin (from);
  if (error == 0)
    error = -pthread_create (&thread, NULL, read_rounds, &block);
  if (error == 0)
    {
      uint64_t own_ns = write_rounds (&block);
      pthread_join (thread, NULL);
      error = block.error;
      *line_ps = block.least_ns > own_ns ? (block.least_ns - own_ns) * 1000 / LINES : 0;
    }
  sched_setaffinity (0, sizeof before, &before);
  return error;
}
