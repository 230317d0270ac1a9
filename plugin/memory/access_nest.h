/* access_nest.h - nests of loops whose accesses one event records.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CABPROF_MEMORY_ACCESS_NEST_H
#define CABPROF_MEMORY_ACCESS_NEST_H

#include "plugin/memory/plan.h"

/* Return the region of the nest whose outermost loop is LOOP and append its accesses to those of M,
   or return null if it cannot be sent at once.  Scalar evolutions, dominators and post-dominators
   must be known. */
extern struct cab_memory_region *cab_access_nest (struct cab_memory *m, class loop *loop,
					   hash_map<tree, name_expansion *> **expansions);
/* Append the blocks of LOOP to BLOCKS in program order; those of each inner loop are
   consecutive. */
extern void cab_access_nest_blocks (class loop *loop, vec<basic_block> *blocks);

#endif
