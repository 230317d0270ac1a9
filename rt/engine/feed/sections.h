/* sections.h - feeds a ring's accesses to an analysis by sections: the draining thread
 * cuts them, that thread or a helper looks them up, and the draining thread commits them.
 *
 * Source:     analyses/live/cache/cache_section.h says why that is equivalent.
 * Model:      sections stand in a circle of slots.  The draining thread looks one up itself when no
 *             slot is free, so that a helper that gets no processor delays little.
 * Threads:    under the ring's consumer lock; the other thread is the helper (helper.h).
 * Progress:   the draining thread waits only for a section that the helper is looking up, when
 *             there is nothing else to do: it polls for some 0.05 ms, then sleeps.
 * Errors:     without memory nothing is fed by sections, or no round is left out.  Without a helper
 *             one thread does all the work, one section after the other.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_SECTIONS_H
#define CAB_RT_SECTIONS_H

#include "rt/engine/feed/feed.h"

struct cab_sections;

/* Return sections for a feed that has a state of the analysis whose calls BY are; null if there is
   no memory. */
struct cab_sections *cab_sections_make (const struct cab_sectioned *by);
/* Feed S, whose arena is open, by FRONT (ARGUMENT), which passes what is for S to cab_section_cut
   of S's `cutter'; words from MADE to MADE_END do not stay valid, and are copied.  MARK (ARGUMENT)
   is called when S has had what lies before a mark.  HELPED: a second thread may work too.  Return
   false if nothing has happened. */
bool cab_sections_run (struct cab_sections *sections, struct cab_feed_state *s,
		       const uint64_t *made, const uint64_t *made_end,
		       void (*front) (void *argument), void (*mark) (void *argument),
		       void *argument, bool helped);
/* In FRONT: set a mark after what has been cut. */
void cab_sections_mark (struct cab_sections *sections);
/* In FRONT, when there are no more words for now: commit the oldest section.  Return false if all
   are committed. */
bool cab_sections_get_on (struct cab_sections *sections);

/* Rounds that are all the same (cache_rounds.h), of two sorts, which may be nested. */
enum cab_sections_round { CAB_ROUND_OF_WORDS, CAB_ROUND_OF_NEST, CAB_ROUNDS_KINDS };
/* In FRONT: return how many equal rounds are to be fed at most; 0: none may be left out. */
unsigned cab_sections_rounds_fed (struct cab_sections *sections);
/* In FRONT: begin a round of KIND, after all that was cut is committed.  Return false if none may
   be left out. */
bool cab_sections_begin_round (struct cab_sections *sections, enum cab_sections_round kind);
/* What follows after a round has ended. */
enum cab_sections_rounds
{
  CAB_ROUNDS_NEVER /* leave none out */,
  CAB_ROUNDS_MORE /* one more is to be fed */,
  CAB_ROUNDS_ENOUGH
};
/* In FRONT: end a round of KIND, the TIMES-th of equal ones in a row, after all that was cut is
   committed. */
enum cab_sections_rounds cab_sections_end_round (struct cab_sections *sections,
						 enum cab_sections_round kind, unsigned times);
/* In FRONT: commit all that was cut, and repeat the round of KIND that has ended N more times,
   before anything else is fed.  Of words: after that come the first AHEAD words of the room for a
   round, which stand for ROWS rows. */
void cab_sections_repeat (struct cab_sections *sections, enum cab_sections_round kind, uint64_t n,
			  uint64_t ahead, uint64_t rows);
/* In FRONT: commit all that was cut, and return room for N words of a round, while none are ahead;
   null if there is none. */
uint64_t *cab_sections_room (struct cab_sections *sections, uint64_t n);
/* In FRONT: commit all that was cut, and record that the words ahead have been fed. */
void cab_sections_caught_up (struct cab_sections *sections);

#endif
