/* allocs.h - calls that allocate or release memory.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CABPROF_MEMORY_ALLOCS_H
#define CABPROF_MEMORY_ALLOCS_H

#include "plugin/memory/plan.h"

/* Read the user's table of allocators in PATH; an error in it is a compile error. */
extern void cab_allocs_read (const char *path);
/* Find the calls of cfun that allocate or release. */
extern void cab_allocs_find (struct cab_memory *m);
/* Write the M lines of these calls. */
extern void cab_allocs_record (struct cab_memory *m);
/* Emit the probes of these calls, after those of accesses. */
extern void cab_allocs_emit (struct cab_memory *m);
/* Return how STMT allocates or releases, or null if it does not. */
extern const struct cab_allocator *cab_allocator_of (gimple *stmt);
/* Return the name of TYPE, or of an array of it if MANY, in the form of an M line; "?" if TYPE is
   null or has no name.  Malloc'ed. */
extern char *cab_allocs_type_name (tree type, bool many);

#endif
