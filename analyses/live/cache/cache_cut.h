/* cache_cut.h - cut what would be fed to the analysis `cache' into sections.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      cache_section.h, as are ownership and threads.
 */
#ifndef CAB_CACHE_CUT_H
#define CAB_CACHE_CUT_H

#include "analyses/live/cache/cache_section.h"

/* Cuts sections.  `full' replaces `section' with another one, which is empty. */
struct cab_section_cutter
{
  struct cab_section *section;
  const uint64_t *made, *made_end;   /* words in this range do not stay */
  uint64_t most;                     /* accesses of a section; 0: CAB_SECTION_ACCESSES */
  void (*full) (struct cab_section_cutter *cutter);
};

/* Make SECTION empty. */
void cab_section_clear (struct cab_section *section);

/* Adapt the size of the next sections to SECTION, which was looked up: fewer accesses if there was
   no room for its misses, more if there was. */
void cab_section_learn (struct cab_section_cutter *cutter, const struct cab_section *section);

/* Return where the events of the next batch may be put, so that they need not be copied: *N of
   them, which stand for about *ACCESSES accesses together, and for no more than CAB_SECTION_PIECE
   each; their words must stay. */
struct cab_region_event *cab_section_place (struct cab_section_cutter *cutter, uint32_t *n,
					    uint64_t *accesses);

/* Cut BATCH into sections.  To be called instead of cab_cache_feed. */
void cab_section_cut (struct cab_section_cutter *cutter, const struct cab_batch *batch);

#endif
