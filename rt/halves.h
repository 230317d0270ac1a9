/* halves.h - a ring's accesses to the analysis `cache' in two threads: one decodes them and finds those that matter, the other has the caches.
 *
 * Source:     analyses/cache_uses.h says why that comes to the same.
 * Model:      what the front half tells goes through blocks, in a ring of its own for one writer and one reader.
 * Threads:    under the ring's consumer lock; the front half runs in the helper (helper.h).
 * Progress:   a half whose other half does not get on looks for some 0.05 ms, then it sleeps until half of the blocks are
 *             told, or free, or all is told.
 * Errors:     no memory, or no helper: one thread does it all.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_HALVES_H
#define CAB_RT_HALVES_H

#include "rt/feed.h"

struct cab_halves;

/* For a feed that has a state of that analysis; null: there is no memory. */
struct cab_halves *cab_halves_make (void);
/* Feed S, whose arena is open, by FRONT (ARGUMENT), in the helper: what that has for S goes to cab_cache_uses_feed of S's `uses'.  MARK (ARGUMENT) is called here when S has
   had what lies before a mark.  False: nothing has happened. */
bool cab_halves_run (struct cab_halves *halves, struct cab_feed_state *s, void (*front) (void *argument), void (*mark) (void *argument), void *argument);
/* In FRONT. */
void cab_halves_mark (struct cab_halves *halves);

#endif
