/* blocks_join.h - the owners of blocks that threads accessed or released without having allocated
 * them.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      the state of `blocks', merged over threads and processes.  What a thread did to 16
 *             bytes in which it has no block of its own belongs to the allocation (in its context)
 *             that other threads of the process had blocks of there, if there is exactly one.  If
 *             several allocations (or one in several contexts) had blocks there, at any time, the
 *             owner is not known; if none had, it belongs to no block.
 * Ownership:  all memory is the join's, until cab_blocks_join_fini.
 */
#ifndef CAB_BLOCKS_JOIN_H
#define CAB_BLOCKS_JOIN_H

#include <stddef.h>
#include "analyses/live/an_blocks.h"

/* What to add to the rows of `blocks'. */
struct cab_blocks_join
{
  size_t n;
  struct cab_blocks_row *rows;       /* sums to add (reads, writes, updates, released), by ascending
					key; of node 0 if not by context */
  struct cab_blocks_sums several;    /* sums of blocks whose owner is one of several allocations */
  struct cab_blocks_sums taken;      /* all of these, which the row of site 0 loses */
};

/* Fill JOIN from STATE; with BY_CONTEXT, keep contexts of an allocation apart. */
void cab_blocks_join_init (struct cab_blocks_join *join, const struct cab_arena *state,
			   bool by_context);
/* Free the rows of JOIN. */
void cab_blocks_join_fini (struct cab_blocks_join *join);
/* Add to ROW, the only one of its key, what other threads did to its blocks. */
void cab_blocks_join_row (const struct cab_blocks_join *join, struct cab_blocks_row *row);

#endif
