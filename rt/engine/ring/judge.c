/* judge.c - see judge.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/engine/ring/judge.h"

#include <time.h>

#include "rt/base/control_page.h"
#include "rt/common/placement_cost.h"
#include "rt/engine/feed/feed.h"
#include "rt/engine/ring/consumer.h"
#include "rt/engine/ring/ring.h"
#include "rt/workers/place.h"

/* Least words and analyses of a judgement. */
#define WORDS 65536u
#define LEAST 4u

static bool
is_on (void)
{
  return cab_rt.options.placement == CAB_PLACE_AUTO;
}

static uint64_t
cpu_ns (void)
{
  struct timespec t;
  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &t);
  return (uint64_t) t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Begin to measure anew at NOW_NS. */
static void
begin (struct cab_judge *j, uint64_t now_ns)
{
  *j = (struct cab_judge) { .since_ns = now_ns, .cpu_ns = cpu_ns () };
}

/* Judge J, and put the outcome into the profile unless a thread was chosen before.  Return true if
   it is chosen now. */
static bool
judge (const struct cab_judge *j)
{
  struct cab_part_placement *p = &cab_control_page ()->placement;
  const struct cab_placement_terms terms = {
    .words = j->words,
    .fill_ns = j->fill_ns,
    .analysis_ns = j->analysis_ns,
    .cpu_ns = cpu_ns () - j->cpu_ns,
    .line_ps = (uint64_t) cab_rt.options.line_ns * 1000,
    .processors = cab_place_processors ()
  };
  cab_lock (&cab_rt.lock);
  bool is_open = p->how != CAB_PLACED_THREAD;
  if (is_open)
    {
      cab_placement_judge (p, &terms);
      p->judged++;
    }
  bool chosen = is_open && p->how == CAB_PLACED_THREAD;
  cab_unlock (&cab_rt.lock);
  return chosen;
}

/* The first analysis meets cold caches and states without pages, and is passed over. */
void
cab_judge_analysed (struct cab_ring *r, uint64_t words, uint64_t start_ns, uint64_t end_ns)
{
  struct cab_judge *j = &r->judge;
  if (!is_on ())
    return;
  if (cab_place_has_thread ())
    {
      cab_consumer_ensure (r->number);
      return;
    }
  if (!j->since_ns)
    {
      begin (j, end_ns);
      return;
    }
  j->fill_ns += start_ns - j->since_ns;
  j->analysis_ns += end_ns - start_ns;
  j->words += words;
  j->since_ns = end_ns;
  if (++j->n < LEAST || j->words < WORDS)
    return;
  if (judge (j))
    {
      cab_place_choose_thread ();
      cab_consumer_ensure (r->number);
      cab_feed_ensure ();
    }
  else
    begin (j, cab_monotonic_ns ());
}

/* The first words are those that the thread starts with, and are passed over. */
void
cab_judge_served (struct cab_ring *r, uint64_t words)
{
  struct cab_judge *j = &r->judge;
  struct cab_part_placement *p = &cab_control_page ()->placement;
  if (!is_on () || __atomic_load_n (&p->measured_words, __ATOMIC_RELAXED))
    return;
  if (!j->is_served)
    *j = (struct cab_judge) { .is_served = true };
  j->words += words;
  if (++j->n < LEAST || j->words < WORDS)
    return;
  uint64_t now_ns = cab_monotonic_ns ();
  if (j->since_ns)
    {
      cab_lock (&cab_rt.lock);
      p->measured_ps = (now_ns - j->since_ns) * 1000 / j->words;
      __atomic_store_n (&p->measured_words, j->words, __ATOMIC_RELAXED);
      cab_unlock (&cab_rt.lock);
    }
  *j = (struct cab_judge) { .since_ns = now_ns, .is_served = true };
}
