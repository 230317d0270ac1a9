/* access_acyclic.h - what is shared by the files that find acyclic regions (access_acyclic.cc) and
 * number their paths (access_acyclic_ends.cc).
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CABPROF_ACCESS_TRACT_H
#define CABPROF_ACCESS_TRACT_H

#include "plugin/memory/plan.h"

/* What is known of a block by itself. */
struct cab_acyclic_seen
{
  struct cab_memory_region *head;    /* begins with the block, and may continue what came before; or
				 null */
  struct cab_memory_region *tail;    /* may continue after the block; or null */
  bool joins;                 /* it may be in the acyclic region of its predecessors: it has a head,
				 or nothing is sent in it */
  bool passes;                /* it joins, and the acyclic region may continue after it */
  bool refused;               /* adding it to an acyclic region did not pay */
  int order;
  struct cab_acyclic *member, *at_end;   /* the region that it is in, but not as the first block;
					    the one that is open at its end */
  unsigned index, index_at_end;        /* its index in these acyclic regions */
};

struct cab_acyclic_finder
{
  struct cab_memory *m;
  unsigned most_words;        /* the most words of an event for which there are registers */
  auto_vec<bool> turned;      /* by number: loops whose bodies were laid out several times */
  auto_vec<bool> entered;     /* by number: loops that acyclic regions may enter */
  auto_vec<struct cab_acyclic_seen> blocks;       /* by index */
  auto_vec<basic_block> order;
  auto_vec<struct cab_acyclic *> acyclics;
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

/* Return true if an acyclic region continues over E. */
static inline bool
cab_acyclic_goes_on (edge e)
{
  return e->aux != NULL;
}

/* Join the regions of blocks into acyclic regions where that pays. */
extern void cab_acyclics_find (struct cab_memory *m);
/* Free ACYCLIC, which may be null, with its blocks and ends. */
extern void cab_acyclic_free (struct cab_acyclic *acyclic);
/* Return true if an acyclic region ends before STMT, so that what precedes it must be sent there.
   */
extern bool cab_access_acyclic_ends (gimple *stmt);

#endif
