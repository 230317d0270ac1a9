/* sections.h - a ring's accesses to the analysis `cache' by sections: who drains the ring cuts
 * them, that thread or a helper looks them up, and who drains has them take effect.
 *
 * Source:     analyses/live/cache/cache_section.h says why that comes to the same.
 * Model:      sections stand in a circle of slots.  Who cuts looks one up itself when no slot is
 *             free, so that a helper that gets no processor delays little.
 * Threads:    under the ring's consumer lock; the other thread is the helper (helper.h).
 * Progress:   who drains waits only for a section that the helper is looking up, when there is
 *             nothing else to do: it looks for some 0.05 ms, then it sleeps.
 * Errors:     no memory: nothing is fed by sections, or no round is left out.  No helper: one
 *             thread does it all, a section after the other.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_SECTIONS_H
#define CAB_RT_SECTIONS_H

#include "rt/engine/feed/feed.h"

struct cab_sections;

/* For a feed that has a state of that analysis; null: there is no memory. */
struct cab_sections *cab_sections_make (void);
/* Feed S, whose arena is open, by FRONT (ARGUMENT): what that has for S goes to cab_section_cut of
   S's `cutter'; of words from MADE to MADE_END only copies.  MARK (ARGUMENT) is called when S has
   had what lies before a mark.  HELPED: by two threads.  False: nothing has happened. */
bool cab_sections_run (struct cab_sections *sections, struct cab_feed_state *s,
		       const uint64_t *made, const uint64_t *made_end,
		       void (*front) (void *argument), void (*mark) (void *argument),
		       void *argument, bool helped);
/* In FRONT. */
void cab_sections_mark (struct cab_sections *sections);
/* ... which has no more for now: have the oldest section take effect; false: all has. */
bool cab_sections_get_on (struct cab_sections *sections);

/* In FRONT: rounds that are all the same (cache_rounds.h), of two sorts, which may lie in each
   other.  All that was cut takes effect first.  So many are to be fed at most; 0: none may be left
   out. */
enum cab_sections_round { CAB_ROUND_OF_WORDS, CAB_ROUND_OF_NEST, CAB_ROUNDS_KINDS };
unsigned cab_sections_rounds_fed (struct cab_sections *sections);
/* One begins; false: none may be left out. */
bool cab_sections_begin_round (struct cab_sections *sections, enum cab_sections_round kind);
/* It has ended, the TIMES-th of equal ones in a row. */
enum cab_sections_rounds
{
  CAB_ROUNDS_NEVER /* leave none out */,
  CAB_ROUNDS_MORE /* one more is to be fed */,
  CAB_ROUNDS_ENOUGH
};
enum cab_sections_rounds cab_sections_end_round (struct cab_sections *sections,
						 enum cab_sections_round kind, unsigned times);
/* N more of what has ended, before anything else.  Of words: then the first AHEAD words of the room
   that there is for a round, which tell so many ROWS. */
void cab_sections_repeat (struct cab_sections *sections, enum cab_sections_round kind, uint64_t n,
			  uint64_t ahead, uint64_t rows);
/* Room for N words of a round, while none are ahead; null: there is none. */
uint64_t *cab_sections_room (struct cab_sections *sections, uint64_t n);
/* What was ahead has been fed. */
void cab_sections_caught_up (struct cab_sections *sections);

#endif
