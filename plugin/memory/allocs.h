/* allocs.h - calls that allocate or release memory.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CABPROF_MEMORY_ALLOCS_H
#define CABPROF_MEMORY_ALLOCS_H

#include "plugin/memory/memory.h"

/* Read the user's table of allocators in PATH; what is wrong with it is a compile error. */
extern void cab_allocs_read (const char *path);
/* Find the calls of cfun that allocate or release; write their M lines; emit the probes, when those
   of accesses stand. */
extern void cab_allocs_find (struct cab_memory *m);
extern void cab_allocs_record (struct cab_memory *m);
extern void cab_allocs_emit (struct cab_memory *m);
/* Return how STMT allocates or releases; null if it does not. */
extern const struct cab_allocator *cab_allocator_of (gimple *stmt);
/* Return TYPE, MANY of it or one, as an M line has it; malloc'ed; null if it is unknown. */
extern char *cab_allocs_type_name (tree type, bool many);

#endif
