/* access_acyclic.h - what is shared by the files that find tracts (access_acyclic.cc) and number
 * their paths (access_acyclic_ends.cc).
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CABPROF_ACCESS_TRACT_H
#define CABPROF_ACCESS_TRACT_H

#include "plugin/memory/plan.h"

/* What is known of a block by itself. */
struct cab_tract_seen
{
  struct cab_memory_region *head;    /* begins with the block, and may continue what came before; or
				 null */
  struct cab_memory_region *tail;    /* may continue after the block; or null */
  bool joins;                 /* it may be in the tract of its predecessors: it has a head, or
				 nothing is sent in it */
  bool passes;                /* it joins, and the tract may continue after it */
  bool refused;               /* adding it to a tract did not pay */
  int order;
  struct cab_tract *member, *at_end;   /* the tract that it is in, but not as the first block; the
					  tract that is open at its end */
  unsigned index, index_at_end;        /* its index in these tracts */
};

struct cab_tract_finder
{
  struct cab_memory *m;
  unsigned most_words;        /* the most words of an event for which there are registers */
  auto_vec<bool> turned;      /* by number: loops whose bodies were laid out several times */
  auto_vec<bool> entered;     /* by number: loops that tracts may enter */
  auto_vec<struct cab_tract_seen> blocks;       /* by index */
  auto_vec<basic_block> order;
  auto_vec<struct cab_tract *> tracts;
};

/* Return true if one of EDGES, the predecessors or successors of a block, cannot be split. */
static inline bool
cab_has_complex (vec<edge, va_gc> *edges)
{
  edge e;
  edge_iterator ei;
  FOR_EACH_EDGE (e, ei, edges)
    if (e->flags & EDGE_COMPLEX)
      return true;
  return false;
}

/* Return true if a tract continues over E. */
static inline bool
cab_tract_goes_on (edge e)
{
  return e->aux != NULL;
}

/* Join the regions of blocks into tracts where that pays. */
extern void cab_tracts_find (struct cab_memory *m);
/* Free TRACT, which may be null, with its blocks and ends. */
extern void cab_tract_free (struct cab_tract *tract);
/* Return true if a tract ends before STMT, so that what precedes it must be sent there. */
extern bool cab_access_tract_ends (gimple *stmt);

#endif
