/* access_acyclic.cc - blocks whose accesses are sent together, by one event for the path that
   control has taken through them.
   SPDX-License-Identifier: GPL-3.0-or-later

   Source: numbers of paths as in Ball and Larus.

   An acyclic region begins where a block's last region would end with the block, and continues with
   blocks that are reached from it.  Where two acyclic regions meet they become one.  A path that
   comes in from elsewhere is one more, without accesses before; so an acyclic region may enter a
   loop, whose latch is elsewhere, as well as continue after one.  Each path through an acyclic
   region to one of its ends is a region of its own.

   A block's words have the same places in the event on each path, after those of the longest
   path to it, so only the number of the path must be found, and where paths of different
   lengths end in one place an event has words that mean nothing.  Until an end everything is in
   registers: code that may interrupt or leave finds the same state as in a block's region.  A
   base that was sent in a block that all paths to this one go through is not sent again. */
#include "plugin/memory/access_acyclic.h"
#include "plugin/emit/enqueue.h"
#include "plugin/emit/enqueue_words.h"
#include "plugin/loops/loops.h"
#include "plugin/memory/access.h"
#include "plugin/memory/plan.h"
#include "plugin/memory/access_acyclic_ends.h"

#define MOST_PATHS 16         /* paths to a block */
#define MOST_ROUNDS 40        /* of growing and pruning */
#define LEAST_PERCENT 2      /* the least likelihood, in percent, that an acyclic region continues
				where it may */
#define MOST_ENDS_MORE 3      /* enqueues that continuing at a branch may cost */
#define WORDS_OF_EVENT 6      /* this many words that mean nothing cost as much as an event */

/* An acyclic region that is open at the end of predecessors of a block, and how often control comes
   from there. */
struct before
{
  struct cab_acyclic *acyclic;
  double often;
  unsigned place;             /* in the order in which they were found */
};

bool
cab_access_acyclic_ends (gimple *stmt)
{
  gasm *text = dyn_cast<gasm *> (stmt);
  if (stmt_ends_bb_p (stmt) && gimple_code (stmt) != GIMPLE_COND
      && gimple_code (stmt) != GIMPLE_SWITCH)
    return true;
  return cab_access_region_ends (stmt)
      || (text && gimple_asm_volatile_p (text) && !cab_is_quiet_probe (text));
}

/* Set what is known of BB.  FIRST and LAST are its regions, or null. */
static void
look (struct cab_acyclic_finder *f, basic_block bb, struct cab_memory_region *first,
      struct cab_memory_region *last)
{
  struct cab_acyclic_seen *b = &f->blocks[bb->index];
  bool ended = false, head_over = false, tail_open = false;
  for (gimple_stmt_iterator gsi = gsi_start_nondebug_bb (bb); !gsi_end_p (gsi);
       gsi_next_nondebug (&gsi))
    {
      gimple *stmt = gsi_stmt (gsi);
      head_over |= !ended && first && first->before == stmt;
      if (cab_access_acyclic_ends (stmt))
	{
	  ended = true;
	  tail_open = false;
	}
      tail_open |= last && f->m->accesses[last->first].stmt == stmt;
    }
  bool open = !cab_has_complex (bb->succs);
  if (first && (head_over || (!ended && !first->before)))
    b->head = first;
  if (last && tail_open && open && !last->on)
    b->tail = last;
  b->joins = !cab_has_complex (bb->preds) && (b->head || (!ended && !first));
  b->passes = b->joins && !ended && open && first == last;
}

static void
look_at_all (struct cab_acyclic_finder *f)
{
  auto_vec<struct cab_memory_region *> first, last;
  f->blocks.safe_grow_cleared (last_basic_block_for_fn (cfun));
  first.safe_grow_cleared (last_basic_block_for_fn (cfun));
  last.safe_grow_cleared (last_basic_block_for_fn (cfun));
  for (struct cab_memory_region *region : f->m->regions)
    if (!region->loop)
      {
	if (!first[region->bb->index])
	  first[region->bb->index] = region;
	last[region->bb->index] = region;
      }
  int *order = XNEWVEC (int, n_basic_blocks_for_fn (cfun));
  int n = pre_and_rev_post_order_compute (NULL, order, false);
  for (int i = 0; i < n; i++)
    {
      basic_block bb = BASIC_BLOCK_FOR_FN (cfun, order[i]);
      f->order.safe_push (bb);
      f->blocks[bb->index].order = i;
      look (f, bb, first[bb->index], last[bb->index]);
    }
  free (order);
}

/* Find the place of WORD, of a region of BLOCK, in ACYCLIC's events: OFFSET after a word that is
   there already or, with a slot from NEXT on, a new word. */
static void
place_word (struct cab_acyclic *acyclic, struct cab_acyclic_block *block,
	    const struct cab_region_word *word, unsigned *next)
{
  struct cab_acyclic_place place = { *next, 0, true };
  for (int over = block->over; word->is == CAB_WORD_ADDRESS && place.is_new && over >= 0;
       over = acyclic->blocks[over]->over)
    {
      const struct cab_acyclic_block *other = acyclic->blocks[over];
      for (unsigned k = 0; place.is_new && k < other->places.length (); k++)
	if (other->places[k].is_new
	    && cab_access_word_offset (&other->region->words[k], &word->combination, &place.offset))
	  {
	    place.slot = other->places[k].slot;
	    place.is_new = false;
	  }
    }
  *next += place.is_new;
  block->places.safe_push (place);
}

/* Return how many words an event in BB may have, after paths that take up to BASE words. */
static unsigned
most_words (const struct cab_acyclic_finder *f, basic_block bb, unsigned base)
{
  return MIN (f->most_words, f->turned[bb->loop_father->num] || base > CAB_TRACT_WORDS
			       ? CAB_TURN_WORDS
			       : CAB_TRACT_WORDS);
}

/* Return a new block for BB, whose accesses in the acyclic region are those of REGION, after
   N_PATHS paths that take up to BASE words and all go through block OVER.  Return null if there are
   too many words or paths. */
static struct cab_acyclic_block *
try_block (const struct cab_acyclic_finder *f, struct cab_acyclic *acyclic, basic_block bb,
	   struct cab_memory_region *region, unsigned base, unsigned n_paths, int over)
{
  struct cab_acyclic_block *block = new cab_acyclic_block ();
  block->bb = bb;
  block->region = region;
  block->n_paths = n_paths;
  block->over = over;
  block->base = block->end = base;
  if (region)
    for (struct cab_region_word &word : region->words)
      place_word (acyclic, block, &word, &block->end);
  if (n_paths <= MOST_PATHS && block->end <= most_words (f, bb, base))
    return block;
  delete block;
  return NULL;
}

/* Return the acyclic region that may continue over E, or null. */
static struct cab_acyclic *
open_on (const struct cab_acyclic_finder *f, edge e)
{
  const struct cab_acyclic_seen *from = &f->blocks[e->src->index];
  class loop *loop = e->dest->loop_father;
  bool onwards = from->order < f->blocks[e->dest->index].order
	      && (flow_bb_inside_loop_p (loop, e->src) || f->entered[loop->num]);
  return onwards ? from->at_end : NULL;
}

static struct cab_acyclic_block *
source (const struct cab_acyclic_finder *f, edge e)
{
  const struct cab_acyclic_seen *from = &f->blocks[e->src->index];
  return from->at_end->blocks[from->index_at_end];
}

static struct before *
find_before (vec<struct before> &all, const struct cab_acyclic *acyclic)
{
  for (struct before &one : all)
    if (one.acyclic == acyclic)
      return &one;
  return NULL;
}

static int
by_often (const void *a, const void *b)
{
  const struct before *left = (const struct before *) a, *right = (const struct before *) b;
  return left->often != right->often ? (left->often < right->often ? 1 : -1)
       : left->place < right->place ? -1
       : left->place > right->place;
}

static double
often (edge e)
{
  profile_count count = e->count ();
  return count.initialized_p () ? (double) count.to_gcov_type () : 1;
}

/* Fill ALL with the acyclic regions that are open at the end of predecessors of BB, the one that
   control comes from most often first. */
static void
look_before (const struct cab_acyclic_finder *f, basic_block bb, vec<struct before> *all)
{
  edge e;
  edge_iterator ei;
  FOR_EACH_EDGE (e, ei, bb->preds)
    {
      struct before one = { open_on (f, e), 0, all->length () },
		    *known = find_before (*all, one.acyclic);
      if (!one.acyclic)
	continue;
      if (!known)
	known = all->safe_push (one);
      known->often += often (e);
    }
  all->qsort (by_often);
}

/* Return the last block that all paths to both A and B in ACYCLIC go through. */
static int
over_both (const struct cab_acyclic *acyclic, int a, int b)
{
  while (a != b)
    if (a > b)
      a = acyclic->blocks[a]->over;
    else
      b = acyclic->blocks[b]->over;
  return a;
}

/* Return true if the BASE words that events of BB have from before it, on each path, cost less than
   what ALL of these acyclic regions would send if they ended there. */
static bool
is_worth_words (const struct cab_acyclic_finder *f, basic_block bb, vec<struct before> &all,
		unsigned base)
{
  double events = 0, words = 0;
  edge e;
  edge_iterator ei;
  FOR_EACH_EDGE (e, ei, bb->preds)
    if (!find_before (all, open_on (f, e)))
      words += often (e) * base;
    else
      {
	events += often (e);
	words += often (e) * (base - source (f, e)->end);
      }
  return words <= events * WORDS_OF_EVENT;
}

/* Return BB as the block with which ALL of these acyclic regions continue, the paths from elsewhere
   being one more, or null if that is not possible. */
static struct cab_acyclic_block *
try_join (const struct cab_acyclic_finder *f, basic_block bb, vec<struct before> &all)
{
  const struct cab_acyclic_seen *b = &f->blocks[bb->index];
  struct cab_acyclic *first = all[0].acyclic;
  unsigned base = 0, n_paths = 0;
  int over = -1;
  bool elsewhere = false;
  edge e;
  edge_iterator ei;
  FOR_EACH_EDGE (e, ei, bb->preds)
    if (!find_before (all, open_on (f, e)))
      elsewhere = true;
    else
      {
	struct cab_acyclic_block *from = source (f, e);
	int at = f->blocks[e->src->index].index_at_end;
	if (all.length () == 1)
	  over = n_paths ? over_both (first, over, at) : at;
	base = MAX (base, from->end);
	n_paths += from->n_paths;
      }
  if ((elsewhere && !b->head) || !is_worth_words (f, bb, all, base))
    return NULL;
  return try_block (f, first, bb, b->head, base, n_paths + elsewhere, elsewhere ? -1 : over);
}

/* Move OTHER's blocks to ACYCLIC. */
static void
unite (struct cab_acyclic_finder *f, struct cab_acyclic *acyclic, struct cab_acyclic *other)
{
  unsigned behind = acyclic->blocks.length ();
  for (struct cab_acyclic_block *block : other->blocks)
    {
      struct cab_acyclic_seen *b = &f->blocks[block->bb->index];
      if (b->member == other && b->index == acyclic->blocks.length () - behind)
	{
	  b->member = acyclic;
	  b->index += behind;
	}
      if (b->at_end == other && b->index_at_end == acyclic->blocks.length () - behind)
	{
	  b->at_end = acyclic;
	  b->index_at_end += behind;
	}
      if (block->over >= 0)
	block->over += behind;
      acyclic->blocks.safe_push (block);
    }
  other->blocks.truncate (0);
}

static bool
join (struct cab_acyclic_finder *f, basic_block bb)
{
  struct cab_acyclic_seen *b = &f->blocks[bb->index];
  struct cab_acyclic_block *block = NULL;
  auto_vec<struct before> all;
  edge e;
  edge_iterator ei;
  if (!b->joins || b->refused)
    return false;
  look_before (f, bb, &all);
  for (; !all.is_empty () && !(block = try_join (f, bb, all)); all.pop ())
    ;
  if (!block)
    return false;
  FOR_EACH_EDGE (e, ei, bb->preds)
    if (find_before (all, open_on (f, e)))
      e->aux = f;
  struct cab_acyclic *acyclic = all[0].acyclic;
  for (unsigned i = 1; i < all.length (); i++)
    unite (f, acyclic, all[i].acyclic);
  b->member = acyclic;
  b->index = acyclic->blocks.length ();
  block->is_open = b->passes;
  acyclic->blocks.safe_push (block);
  if (b->passes)
    {
      b->at_end = acyclic;
      b->index_at_end = b->index;
    }
  return true;
}

static void
begin_acyclic (struct cab_acyclic_finder *f, basic_block bb)
{
  struct cab_acyclic_seen *b = &f->blocks[bb->index];
  struct cab_acyclic *acyclic = new cab_acyclic ();
  struct cab_acyclic_block *block = try_block (f, acyclic, bb, b->tail, 0, 1, -1);
  if (!block)
    {
      delete acyclic;
      return;
    }
  block->is_open = block->begins = true;
  acyclic->blocks.safe_push (block);
  f->acyclics.safe_push (acyclic);
  b->at_end = acyclic;
  b->index_at_end = 0;
}

static void
forget (struct cab_acyclic_finder *f)
{
  for (struct cab_acyclic *acyclic : f->acyclics)
    cab_acyclic_free (acyclic);
  f->acyclics.truncate (0);
  for (struct cab_acyclic_seen &b : f->blocks)
    b.member = b.at_end = NULL;
  clear_aux_for_edges ();
}

static void
grow_all (struct cab_acyclic_finder *f)
{
  for (basic_block bb : f->order)
    {
      struct cab_acyclic_seen *b = &f->blocks[bb->index];
      join (f, bb);
      if (!b->at_end && b->tail && !(b->member && b->tail == b->head))
	begin_acyclic (f, bb);
    }
}

/* Return true if it does not pay that an acyclic region continues after BLOCK. */
static bool
is_dear (const struct cab_acyclic_block *block)
{
  unsigned ends = 0, onwards = 0;
  uint64_t likely = 0;
  edge e;
  edge_iterator ei;
  FOR_EACH_EDGE (e, ei, block->bb->succs)
    if (!cab_acyclic_goes_on (e))
      ends++;
    else
      {
	onwards++;
	if (!flow_bb_inside_loop_p (e->src->loop_father, e->dest))
	  likely += REG_BR_PROB_BASE;
	else
	  likely += e->probability.initialized_p () ? e->probability.to_reg_br_prob_base ()
						    : REG_BR_PROB_BASE / 2;
      }
  return likely * 100 < (uint64_t) LEAST_PERCENT * REG_BR_PROB_BASE
      || ends > MOST_ENDS_MORE + (block->region != NULL) + onwards / 4;
}

/* Refuse the blocks that acyclic regions had better do without.  Return false if there is none. */
static bool
prune (struct cab_acyclic_finder *f)
{
  bool any = false;
  edge e;
  edge_iterator ei;
  for (struct cab_acyclic *acyclic : f->acyclics)
    for (unsigned i = acyclic->blocks.length (); i-- > 0;)
      {
	struct cab_acyclic_block *block = acyclic->blocks[i];
	struct cab_acyclic_seen *b = &f->blocks[block->bb->index];
	bool stays = false;
	FOR_EACH_EDGE (e, ei, block->bb->succs)
	  stays |= block->is_open && cab_acyclic_goes_on (e);
	if (!stays && !block->begins && !block->region)
	  any = b->refused = true;
	if (!stays || !is_dear (block))
	  continue;
	any = true;
	FOR_EACH_EDGE (e, ei, block->bb->succs)
	  f->blocks[e->dest->index].refused |= cab_acyclic_goes_on (e);
      }
  return any;
}

static void
grow (struct cab_acyclic_finder *f)
{
  grow_all (f);
  for (unsigned round = 0; round < MOST_ROUNDS && prune (f); round++)
    {
      forget (f);
      grow_all (f);
    }
}

/* For each block, by index: append to FIRSTS the index of the first block of the acyclic region
   that the block continues, or -1 if there is none. */
static void
note_firsts (const struct cab_acyclic_finder *f, vec<int> *firsts)
{
  for (const struct cab_acyclic_seen &b : f->blocks)
    firsts->safe_push (b.member ? b.member->blocks[0]->bb->index : -1);
}

/* Return the loop whose header BB is and that an acyclic region from before it enters, or null. */
static class loop *
entered_at (const struct cab_acyclic_finder *f, basic_block bb)
{
  class loop *loop = bb->loop_father;
  return loop->header == bb && f->entered[loop->num] && f->blocks[bb->index].member ? loop : NULL;
}

/* Exclude the loops that acyclic regions have entered, but in which they do not reach as far as the
   acyclic region that began there.  FIRSTS is from before acyclic regions could enter loops.
   Return false if there is none. */
static bool
keep_out (struct cab_acyclic_finder *f, const vec<int> &firsts)
{
  bool any = false;
  for (unsigned i = 0; i < firsts.length (); i++)
    {
      class loop *loop = firsts[i] < 0 ? NULL
				       : entered_at (f, BASIC_BLOCK_FOR_FN (cfun, firsts[i]));
      if (!loop || !flow_bb_inside_loop_p (loop, BASIC_BLOCK_FOR_FN (cfun, i))
	  || f->blocks[i].member == f->blocks[firsts[i]].member)
	continue;
      f->entered[loop->num] = false;
      any = true;
    }
  return any;
}

/* Let acyclic regions enter loops, too: each iteration then carries words of what came before, but
   short loops are sent by fewer events.  What was refused before may lead to a loop, so that is
   cleared. Sampled pieces begin with loops, so with sampling acyclic regions must not enter them.
   */
static void
enter_loops (struct cab_acyclic_finder *f)
{
  auto_vec<int> firsts;
  if (cab_opts.memory_sample)
    return;
  note_firsts (f, &firsts);
  CAB_EACH_LOOP (loop)
    f->entered[loop->num] = true;
  for (unsigned round = 0; !round || (round < MOST_ROUNDS && keep_out (f, firsts)); round++)
    {
      forget (f);
      for (struct cab_acyclic_seen &b : f->blocks)
	b.refused = false;
      grow (f);
    }
}

void
cab_acyclics_find (struct cab_memory *m)
{
  struct cab_acyclic_finder f;
  if (cfun->can_throw_non_call_exceptions)
    return;
  f.m = m;
  f.most_words = cab_most_words ();
  f.turned.safe_grow_cleared (number_of_loops (cfun));
  for (const class loop *loop : m->turned)
    f.turned[loop->num] = true;
  f.entered.safe_grow_cleared (number_of_loops (cfun));
  look_at_all (&f);
  grow (&f);
  enter_loops (&f);
  cab_acyclics_keep (&f);
  forget (&f);
}

void
cab_acyclic_free (struct cab_acyclic *acyclic)
{
  if (!acyclic)
    return;
  for (struct cab_acyclic_block *block : acyclic->blocks)
    {
      if (block->region && block->region->is_joined)
	delete block->region;
      delete block;
    }
  for (struct cab_acyclic_end *end : acyclic->ends)
    delete end;
  delete acyclic;
}
