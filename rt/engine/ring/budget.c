/* budget.c - see budget.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/engine/ring/budget.h"

#include <stdbool.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "rt/base/rt.h"
#include "rt/base/say.h"
#include "rt/engine/ring/consumer.h"

#define EVERY_NS 20000000u     /* of the process, between two judgements */
#define LEAST_NS 200000000u    /* of the process, before a target is refused */
#define SCRATCH_WORDS 512u
#define LAPS 64
#define TRIES 5

struct thread
{
  int tid;
  uint64_t cpu_ns;   /* at its last note */
};

static struct
{
  uint32_t lock;
  bool refused;
  bool has_room;                      /* by the last judgement */
  uint64_t begin_ns;                  /* processor time of the process at the first note */
  struct cab_overhead_terms all;      /* since then */
  struct cab_overhead_terms before;   /* `all' at the last judgement */
  struct thread threads[CAB_MAX_CONSUMERS];
} budget;

static uint64_t
cpu_ns (clockid_t clock)
{
  struct timespec t = { 0 };
  clock_gettime (clock, &t);
  return (uint64_t) t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Return the ps that storing a word takes, as the probe of a chunk ring does it but for its mark:
   the best of some tries, since anything may come in between. */
static uint32_t
measure_word_ps (void)
{
  static uint64_t scratch[SCRATCH_WORDS];
  static struct
  {
    uint64_t *volatile next, *volatile limit;
  } cursor;
  uint64_t best_ns = UINT64_MAX;
  for (int i = 0; i < TRIES; i++)
    {
      uint64_t since_ns = cpu_ns (CLOCK_THREAD_CPUTIME_ID);
      for (int lap = 0; lap < LAPS; lap++)
	{
	  cursor.next = scratch;
	  cursor.limit = scratch + SCRATCH_WORDS;
	  for (uint64_t *p; (p = cursor.next) < cursor.limit; cursor.next = p + 1)
	    *(volatile uint64_t *) p = lap;
	}
      uint64_t ns = cpu_ns (CLOCK_THREAD_CPUTIME_ID) - since_ns;
      best_ns = ns < best_ns ? ns : best_ns;
    }
  return best_ns * 1000 / (SCRATCH_WORDS * LAPS);
}

/* Add to the analysis what the calling thread has taken since its last note.  Return false if it is
   not the analysis thread of RING. */
static bool
add_analysis (uint32_t ring)
{
  struct thread *mine = &budget.threads[ring % cab_rt.options.n_threads];
  int tid = gettid ();
  uint64_t now_ns = cpu_ns (CLOCK_THREAD_CPUTIME_ID);
  if (mine->tid && mine->tid != tid)
    return false;
  if (mine->tid)
    budget.all.analysis_ns += now_ns - mine->cpu_ns;
  mine->tid = tid;
  mine->cpu_ns = now_ns;
  return true;
}

/* Say that the target cannot be met, and give it up. */
static void
give_up (void)
{
  char words[160];
  cab_overhead_words (words, sizeof words, &budget.all, cab_rt.options.overhead);
  cab_say ("overhead=", words, 0,
	   "ask for more, or compile for fewer events; the rate stays that of sample=");
  budget.refused = true;
}

/* Judge what has happened since the last judgement. */
static enum cab_overhead
judge (void)
{
  struct cab_overhead_terms *all = &budget.all, *before = &budget.before;
  uint32_t target = cab_rt.options.overhead;
  if (all->process_ns >= LEAST_NS && cab_overhead_judge (all, target) == CAB_OVERHEAD_FORBIDDEN)
    {
      give_up ();
      return CAB_OVERHEAD_ROOM;
    }
  const struct cab_overhead_terms since = { .process_ns = all->process_ns - before->process_ns,
					    .analysis_ns = all->analysis_ns - before->analysis_ns,
					    .words = all->words - before->words,
					    .word_ps = all->word_ps };
  enum cab_overhead how = cab_overhead_judge (&since, target);
  *before = *all;
  budget.has_room = how == CAB_OVERHEAD_ROOM;
  return how == CAB_OVERHEAD_FORBIDDEN ? CAB_OVERHEAD_OVER : how;
}

static enum cab_overhead
note (uint32_t ring, uint64_t words)
{
  if (!budget.begin_ns)
    {
      budget.all.word_ps = measure_word_ps ();
      budget.begin_ns = cpu_ns (CLOCK_PROCESS_CPUTIME_ID);
      words = 0;   /* they came before */
    }
  budget.all.words += words;
  if (!add_analysis (ring))
    return CAB_OVERHEAD_FULL;
  budget.all.process_ns = cpu_ns (CLOCK_PROCESS_CPUTIME_ID) - budget.begin_ns;
  return budget.all.process_ns - budget.before.process_ns >= EVERY_NS ? judge ()
	 : budget.has_room ? CAB_OVERHEAD_ROOM
	 : CAB_OVERHEAD_FULL;
}

enum cab_overhead
cab_budget_note (uint32_t ring, uint64_t words)
{
  if (!cab_rt.options.overhead || !cab_consumer_serves (ring)
      || __atomic_load_n (&budget.refused, __ATOMIC_RELAXED))
    return CAB_OVERHEAD_ROOM;
  cab_lock (&budget.lock);
  enum cab_overhead how = budget.refused ? CAB_OVERHEAD_ROOM : note (ring, words);
  cab_unlock (&budget.lock);
  return how;
}

void
cab_budget_fork (void)
{
  bool refused = budget.refused;
  memset (&budget, 0, sizeof budget);
  budget.refused = refused;
}
