/* judge.h - placement=auto: measures what events cost while their producers analyse them, and
 * starts analysis threads where that is cheaper.
 *
 * Model:      all rings begin without an analysis thread.  What a producer measures is judged by
 *             rt/common/placement_cost.h, again and again, until it says that a thread is cheaper;
 *             then the ring gets one, for good, and so do later rings.  What an event then costs
 *             its producer is measured once, to compare it with the prediction.
 * Threads:    the ring's producer, not blind, no lock held.
 * Errors:     none; where no thread can be made, producers analyse as before.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_JUDGE_H
#define CAB_RT_JUDGE_H

#include <stdbool.h>
#include <stdint.h>

struct cab_ring;

/* What a ring's producer has measured since the last judgement; all zero to begin. */
struct cab_judge
{
  uint64_t since_ns;             /* when its last own analysis ended, or what it sends to a thread
				    was first measured; 0: never */
  uint64_t cpu_ns;               /* processor time of the process then, at the first one */
  uint64_t words, fill_ns, analysis_ns;
  uint32_t n;                    /* analyses that these are of, or pieces that were sent */
  bool is_served;                /* a thread analyses what it sends */
};

/* Take into account that RING's producer has analysed WORDS words from START_NS to END_NS,
   CLOCK_MONOTONIC; it may start an analysis thread. */
void cab_judge_analysed (struct cab_ring *ring, uint64_t words, uint64_t start_ns, uint64_t end_ns);
/* Take into account that RING's producer has sent WORDS more words to an analysis thread, and has
   room again. */
void cab_judge_served (struct cab_ring *ring, uint64_t words);

#endif
