/* access_tract.h - what those share that find tracts (access_tract.cc) and number their paths
 * (access_tract_ends.cc).
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CABPROF_ACCESS_TRACT_H
#define CABPROF_ACCESS_TRACT_H

#include "plugin/memory/memory.h"

/* What is known of a block by itself.  */
struct cab_tract_seen
{
  struct cab_region *head;    /* begins with the block, and may go on what came before; or null */
  struct cab_region *tail;    /* may go on behind the block; or null */
  bool joins;                 /* it may be in the tract of those before it: it has a head, or
				 nothing is sent in it */
  bool passes;                /* ... and control goes on in that */
  bool refused;               /* it did not pay */
  int order;
  struct cab_tract *member, *at_end;   /* it is in that, not as its first; that one is open at its
					  end */
  unsigned index, index_at_end;        /* its place there */
};

struct cab_tract_finder
{
  struct cab_memory *m;
  unsigned most_words;        /* of an event, as far as registers go */
  auto_vec<bool> turned;      /* loops whose bodies were laid out several times, by number */
  auto_vec<bool> entered;     /* loops that tracts may go into, by number */
  auto_vec<struct cab_tract_seen> blocks;       /* by index */
  auto_vec<basic_block> order;
  auto_vec<struct cab_tract *> tracts;
};

/* Does control come there, or leave, in a way that no edge can be split on?  */
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

/* Does a tract go on over E?  */
static inline bool
cab_tract_goes_on (edge e)
{
  return e->aux != NULL;
}

/* Tracts of more than one block become M's, as long as there are numbers for the accesses of their
   paths: their words are settled, their ends and paths have regions. */
extern void cab_tracts_keep (struct cab_tract_finder *f);

/* Make the regions of blocks those of tracts, where that pays. */
extern void cab_tracts_find (struct cab_memory *m);
extern void cab_tract_free (struct cab_tract *tract);
/* Return true if a tract ends in front of STMT: what came before it must be told there. */
extern bool cab_access_tract_ends (gimple *stmt);

#endif
