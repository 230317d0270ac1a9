/* blocks_join.h - whose blocks were it that threads accessed and released, and had not allocated
 * themselves?
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      the state of `blocks', merged over threads and processes.  What a thread did to 16
 *             bytes without a block of its own there belongs to the allocation (in its context)
 *             that other threads of the process had blocks of there, if it is one.  If several
 *             allocations (or one in several contexts) had, at whatever time, it is not known to
 *             whose blocks it was done; if none had, it was done to no block.
 * Ownership:  all memory is the join's, until cab_blocks_join_fini.
 */
#ifndef CAB_BLOCKS_JOIN_H
#define CAB_BLOCKS_JOIN_H

#include <stddef.h>
#include "analyses/live/an_blocks.h"

struct cab_blocks_join
{
  size_t n;
  struct cab_blocks_row *rows;       /* what is to be added: reads, writes, updates, released; by
					ascending key, of node 0 if not by context */
  struct cab_blocks_sums several;    /* of blocks of one of several allocations */
  struct cab_blocks_sums taken;      /* all of these: what site 0 has less */
};

void cab_blocks_join_init (struct cab_blocks_join *join, const struct cab_arena *state,
			   bool by_context);
void cab_blocks_join_fini (struct cab_blocks_join *join);
/* ROW with what other threads did; it is the one of its key. */
void cab_blocks_join_row (const struct cab_blocks_join *join, struct cab_blocks_row *row);

#endif
