/* cache_commit.h - apply a section that was looked up to the state of `cache'.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      cache_section.h.
 * Threads:    those of the state: one at a time.
 */
#ifndef CAB_CACHE_COMMIT_H
#define CAB_CACHE_COMMIT_H

#include "analyses/live/cache/cache_section.h"

/* Begin the commit of SECTION, which was looked up.  All but its last store: without that, it would
   be taken back. */
bool cab_cache_begin_commit (struct cab_arena *arena, struct cab_section_worker *worker,
			     const struct cab_section *section);

/* Look SECTION up from its beginning, and commit or feed all of it. */
void cab_cache_take_section (struct cab_arena *arena, struct cab_section_worker *worker,
			     const struct cab_section_caches *caches, struct cab_section *section);

#endif
