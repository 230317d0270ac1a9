/* section_again.h - events of a section that use the same lines as those before
 * (cache_section.h).
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      a loop that walks down a column of a matrix is followed by one down the next column,
 *             mostly in the same lines. Consecutive items that all found their lines in D1, and
 *             then use the same lines in the same order once more, find them again, and leave each
 *             set in the order in which they found it: so they are counted, and not looked up. Only
 *             whole rounds of such items are. A round begins with an event that stands with its
 *             passes; what the one before it was, and whether it missed anything, is remembered of
 *             the last few such events.
 * Units:      the length of a round is in items.
 * Threads:    as the section.
 */
#ifndef CAB_SECTION_AGAIN_H
#define CAB_SECTION_AGAIN_H

#include "analyses/live/cache/cache_section.h"

/* Begin a section, of which nothing has been looked up. */
void cab_section_again_begin (struct cab_section_again *again);
/* Return how many items from AT on are a round that equals the one before, which missed nothing; 0
   if there is no such round.  MISS is where the next miss is noted. */
uint32_t cab_section_again (const struct cab_section_again *again,
			    const struct cab_section *section, uint32_t at,
			    const struct cab_section_miss *miss);
/* Note item AT, an event that is looked up next. */
void cab_section_again_note (struct cab_section_again *again, const struct cab_section *section,
			     uint32_t at, const struct cab_section_miss *miss);

#endif
