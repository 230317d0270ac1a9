/* heap.h - arenas in the heap of the command and of tests.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ownership:  the caller owns the struct; cab_heap_fini frees its bytes.
 * Errors:     a heap that is exhausted makes grow fail, as the contract of analyses says.
 */
#ifndef CAB_HEAP_H
#define CAB_HEAP_H

#include "cabprof/analysis.h"

/* An empty arena for ANALYSIS, opened. */
void cab_heap_open (struct cab_arena *arena, const struct cab_analysis *analysis);
/* The same with ARGUMENTS, as the analysis' open takes them.  0, or -1 with words in DIAG, which
   may be null: it does not, and there is no arena. */
int cab_heap_open_with (struct cab_arena *arena, const struct cab_analysis *analysis,
			const char *arguments, struct cab_diag *diag);
/* An arena that holds BYTES bytes of malloc'ed memory BASE, which is the arena's from now on. */
void cab_heap_adopt (struct cab_arena *arena, void *base, size_t bytes, size_t used);
void cab_heap_fini (struct cab_arena *arena);

#endif
