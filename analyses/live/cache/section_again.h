/* section_again.h - events of a section that come to the same lines as those before
 * (cache_section.h).
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      a loop that walks down a column of a matrix is followed by one down the next column,
 *             mostly in the same lines. Some items in a row that all found their lines in D1, and
 *             then come to the same lines in the same order once more, find them again, and leave
 *             each set in the order in which they found it: so they are counted, and not looked up.
 *             Only whole rounds of such items may be. A round begins with an event that is told
 *             with its passes; what the one before it was, and whether it missed anything, is
 *             remembered of the last few such events.
 * Units:      a round is so many items.
 * Threads:    as the section.
 */
#ifndef CAB_SECTION_AGAIN_H
#define CAB_SECTION_AGAIN_H

#include "analyses/live/cache/cache_section.h"

/* Do events of R with the words A and B come to the same lines in each of their accesses, as many
   as they are? */
bool cab_section_same_lines (const struct cab_region *r, const uint64_t *a, const uint64_t *b);

/* Nothing has been looked up. */
void cab_section_again_begin (struct cab_section_again *again);
/* How many items from AT on are a round that is the same as the one before, which missed nothing?
   0: that is not so.  MISS: where the next miss is noted. */
uint32_t cab_section_again (const struct cab_section_again *again,
			    const struct cab_section *section, uint32_t at,
			    const struct cab_section_miss *miss);
/* Item AT, an event, comes next. */
void cab_section_again_note (struct cab_section_again *again, const struct cab_section *section,
			     uint32_t at, const struct cab_section_miss *miss);

#endif
