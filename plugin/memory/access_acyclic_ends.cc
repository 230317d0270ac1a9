/* access_acyclic_ends.cc - ways out of acyclic regions, and the regions of the paths to them.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include "plugin/memory/access_acyclic_ends.h"
#include "plugin/memory/plan.h"

#define MOST_COPIES (CAB_ROW_ACCESSES_MAX / 2)   /* accesses that are on several paths, in a
						    function: half of what a row can number */

/* Add a way out of ACYCLIC after BLOCK, over ON if that is not null.  Ways to one block are joined,
   where that is possible. */
static void
add_end (struct cab_acyclic_finder *f, struct cab_acyclic *acyclic, unsigned block, edge on)
{
  struct cab_acyclic_way way = { block, 0, on };
  unsigned words = acyclic->blocks[block]->end;
  bool meets = on && on->dest != EXIT_BLOCK_PTR_FOR_FN (cfun) && !cab_has_complex (on->dest->preds)
	    && on->dest->loop_father == on->src->loop_father
	    && f->blocks[on->dest->index].order > f->blocks[on->src->index].order;
  for (struct cab_acyclic_end *end : acyclic->ends)
    if (meets && end->meets && end->ways[0].on->dest == on->dest)
      {
	end->ways.safe_push (way);
	end->n_words = MAX (end->n_words, words);
	return;
      }
  struct cab_acyclic_end *end = new cab_acyclic_end ();
  end->ways.safe_push (way);
  end->n_words = words;
  end->meets = meets;
  acyclic->ends.safe_push (end);
}

static void
find_ends (struct cab_acyclic_finder *f, struct cab_acyclic *acyclic)
{
  edge e;
  edge_iterator ei;
  for (unsigned i = 0; i < acyclic->blocks.length (); i++)
    {
      struct cab_acyclic_block *block = acyclic->blocks[i];
      bool stays = false;
      FOR_EACH_EDGE (e, ei, block->bb->succs)
	stays |= block->is_open && cab_acyclic_goes_on (e);
      if (!stays)
	add_end (f, acyclic, i,
		 block->is_open && single_succ_p (block->bb) ? single_succ_edge (block->bb) : NULL);
      else
	FOR_EACH_EDGE (e, ei, block->bb->succs)
	  if (!cab_acyclic_goes_on (e))
	    add_end (f, acyclic, i, e);
    }
}

/* Set the edges into each block and the number from which the paths over each are numbered; those
   from elsewhere come last. */
static void
link_blocks (struct cab_acyclic_finder *f, struct cab_acyclic *acyclic)
{
  edge e;
  edge_iterator ei;
  for (struct cab_acyclic_block *block : acyclic->blocks)
    {
      unsigned first = 0;
      if (block->begins)
	continue;
      FOR_EACH_EDGE (e, ei, block->bb->preds)
	if (cab_acyclic_goes_on (e))
	  {
	    struct cab_acyclic_link from
	      = { e, (int) f->blocks[e->src->index].index_at_end, first };
	    block->from.safe_push (from);
	    first += acyclic->blocks[from.block]->n_paths;
	  }
      FOR_EACH_EDGE (e, ei, block->bb->preds)
	if (!cab_acyclic_goes_on (e))
	  {
	    struct cab_acyclic_link from = { e, -1, first };
	    block->from.safe_push (from);
	  }
    }
}

/* Append the accesses on path PATH to the end of BLOCK to TO. */
static void
put_accesses (const struct cab_acyclic *acyclic, unsigned block, unsigned path, vec<unsigned> *to)
{
  const struct cab_acyclic_block *b = acyclic->blocks[block];
  unsigned k = b->from.length ();
  while (k-- > 0)
    if (path >= b->from[k].first)
      {
	if (b->from[k].block >= 0)
	  put_accesses (acyclic, b->from[k].block, path - b->from[k].first, to);
	break;
      }
  for (unsigned i = 0; b->region && i < b->region->n; i++)
    to->safe_push (b->region->first + i);
}

/* Make as many regions for each way out as there are paths to it. */
static void
number_ends (struct cab_memory *m, struct cab_acyclic *acyclic)
{
  for (struct cab_acyclic_end *end : acyclic->ends)
    for (struct cab_acyclic_way &way : end->ways)
      {
	way.first = m->regions.length ();
	for (unsigned path = 0; path < acyclic->blocks[way.block]->n_paths; path++)
	  {
	    struct cab_memory_region *region = new cab_memory_region ();
	    region->words.safe_grow_cleared (end->n_words);
	    put_accesses (acyclic, way.block, path, &region->path);
	    m->regions.safe_push (region);
	  }
      }
}

/* Turn the words of accesses into those of the acyclic region's events. */
static void
settle_words (struct cab_memory *m, struct cab_acyclic *acyclic)
{
  for (struct cab_acyclic_block *block : acyclic->blocks)
    for (unsigned i = 0; block->region && i < block->region->n; i++)
      {
	struct cab_memory_access *access = &m->accesses[block->region->first + i];
	if (access->mark)
	  continue;
	const struct cab_acyclic_place *place = &block->places[access->word];
	access->word = place->slot;
	access->offset += place->offset;
	if (access->length_word >= 0)
	  access->length_word = block->places[access->length_word].slot;
      }
}

static void
drop_regions (struct cab_memory *m)
{
  unsigned n = 0;
  for (struct cab_memory_region *region : m->regions)
    if (!region->is_joined)
      m->regions[n++] = region;
  m->regions.truncate (n);
}

/* Return the number of accesses on all paths that lead to an end. */
static uint64_t
accesses_of_paths (const struct cab_acyclic *acyclic)
{
  auto_vec<uint64_t> to;
  uint64_t all = 0;
  for (const struct cab_acyclic_block *block : acyclic->blocks)
    {
      uint64_t n = block->region ? (uint64_t) block->n_paths * block->region->n : 0;
      for (const struct cab_acyclic_link &from : block->from)
	n += from.block < 0 ? 0 : to[from.block];
      to.safe_push (n);
    }
  for (const struct cab_acyclic_end *end : acyclic->ends)
    for (const struct cab_acyclic_way &way : end->ways)
      all += to[way.block];
  return all;
}

void
cab_acyclics_keep (struct cab_acyclic_finder *f)
{
  uint64_t left = MOST_COPIES;
  for (struct cab_acyclic *&acyclic : f->acyclics)
    if (acyclic->blocks.length () > 1)
      {
	link_blocks (f, acyclic);
	find_ends (f, acyclic);
	uint64_t more = accesses_of_paths (acyclic);
	if (more > left)
	  continue;
	left -= more;
	settle_words (f->m, acyclic);
	for (struct cab_acyclic_block *block : acyclic->blocks)
	  if (block->region)
	    block->region->is_joined = true;
	f->m->acyclics.safe_push (acyclic);
	acyclic = NULL;
      }
  drop_regions (f->m);
  for (struct cab_acyclic *acyclic : f->m->acyclics)
    number_ends (f->m, acyclic);
}
