/* prefetch_chain.h - addresses that a loop will load from some iterations later.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Source:     Ainsworth and Jones, Software Prefetching for Indirect Memory Accesses, CGO 2017:
 *             which loads may be made ahead.
 * Model:      the chain of a load is what computes its address in one iteration: arithmetic, other
 *             loads, counters of the loop.  A copy of the chain in which each counter has the value
 *             of a later iteration computes the address of that iteration.  The copy's own loads
 *             read only what the program reads later on:
 *             - the later iteration is one that the loop reaches, which the caller ensures;
 *             - each load of the chain is made in every iteration;
 *             - what a load's own address depends on is not stored to in the loop.
 *             The last address of the chain is only prefetched, so it may be wrong.
 */
#ifndef CABPROF_PREFETCH_CHAIN_H
#define CABPROF_PREFETCH_CHAIN_H

#include "plugin/loops/loops.h"

struct cab_ahead
{
  class loop *loop;
  basic_block sure;            /* what dominates it runs in every iteration that is looked ahead
				  to */
  tree left;                   /* how many iterations later, a sizetype */
  gimple_seq made;             /* the copies */
  hash_map<tree, tree> *copy;  /* of a name, the name of its copy */
};

/* Return true if the address of the load STMT, in AHEAD's loop and in none inside, can be computed
   ahead.  Set *N_LOADS to the number of loads in its chain whose address changes, and *CHANGES to
   whether its own address does.  `left', `made' and `copy' are not used. */
extern bool cab_ahead_can (const struct cab_ahead *ahead, gimple *stmt, unsigned *n_loads,
			   bool *changes);
/* Append to AHEAD's `made' what computes the address of the load STMT ahead.  Return that address.
   cab_ahead_can must have agreed. */
extern tree cab_ahead_make (struct cab_ahead *ahead, gimple *stmt);

#endif
