/* heap.h - arenas on the heap, for the command and for tests.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ownership:  the caller owns the struct; cab_heap_fini frees its bytes.
 * Errors:     when the heap is exhausted, grow fails, as the contract of analyses says.
 */
#ifndef CAB_HEAP_H
#define CAB_HEAP_H

#include "cabprof/analysis.h"

/* Make ARENA an empty arena of ANALYSIS and open it. */
void cab_heap_open (struct cab_arena *arena, const struct cab_analysis *analysis);
/* Make ARENA an empty arena of ANALYSIS and open it with ARGUMENTS.  Return 0, or -1 if the
   analysis refuses them: DIAG, which may be null, then says why, and there is no arena. */
int cab_heap_open_with (struct cab_arena *arena, const struct cab_analysis *analysis,
			const char *arguments, struct cab_diag *diag);
/* Make ARENA hold the first USED of BYTES bytes of malloc'ed memory at BASE, which the arena owns
   from now on. */
void cab_heap_adopt (struct cab_arena *arena, void *base, size_t bytes, size_t used);
/* Free the bytes of ARENA. */
void cab_heap_fini (struct cab_arena *arena);

#endif
