/* gcov_tree.cc - see gcov_tree.h.
   SPDX-License-Identifier: GPL-3.0-or-later

   The tree is the same as GCC's if edges are taken in the same order and under the same rules, so
   each rule here is one of GCC's.  While the tree is made, `aux' of an edge holds its marks, and
   `aux' of a block leads towards the representative of its part of the tree. */
#include "plugin/paths/gcov_tree.h"
#include "plugin/paths/graph.h"

enum mark
{
  IGNORED = 1,   /* no counter, and not in the tree */
  ON_TREE = 2
};

static bool
has_mark (edge e, enum mark mark)
{
  return (uintptr_t) e->aux & mark;
}

static void
set_mark (edge e, enum mark mark)
{
  e->aux = (void *) ((uintptr_t) e->aux | mark);
}

static bool
is_abnormal (edge e)
{
  return e->flags & (EDGE_ABNORMAL | EDGE_ABNORMAL_CALL);
}

/* Return true if an edge of EDGES is abnormal and does not have the end OTHER, on the side of its
   source if FROM; *HAS_OTHER becomes true if one has that end. */
static bool
needs_fake (vec<edge, va_gc> *edges, bool from, basic_block other, bool *has_other)
{
  edge e;
  edge_iterator ei;
  bool needed = false;
  FOR_EACH_EDGE (e, ei, edges)
    {
      bool there = (from ? e->src : e->dest) == other;
      *has_other |= there;
      needed |= is_abnormal (e) && !there;
    }
  return needed;
}

/* Return true if no code may be put before STMT, the first of its block. */
static bool
must_be_first (gimple *stmt)
{
  return is_gimple_call (stmt)
      && (gimple_call_builtin_p (stmt, BUILT_IN_SETJMP_RECEIVER)
	  || (gimple_call_flags (stmt) & ECF_RETURNS_TWICE)
	  || gimple_call_internal_p (stmt, IFN_ABNORMAL_DISPATCHER));
}

/* Replace abnormal edges out of BB by a fake edge to EXIT, and those into it by one from ENTRY. */
static void
add_fake_edges (basic_block bb)
{
  basic_block entry = ENTRY_BLOCK_PTR_FOR_FN (cfun), exit = EXIT_BLOCK_PTR_FOR_FN (cfun);
  bool has_exit = false, has_entry = false;
  bool needs_exit = needs_fake (bb->succs, false, exit, &has_exit);
  bool needs_entry = needs_fake (bb->preds, true, entry, &has_entry);
  if (needs_exit && !has_exit)
    make_edge (bb, exit, EDGE_FAKE);
  if (!needs_entry || has_entry)
    return;
  make_edge (entry, bb, EDGE_FAKE);
  /* A block with both kinds is split: one of its fake edges would be off the tree, and fake edges
     have no counter. */
  if ((has_exit || needs_exit)
      && !must_be_first (gsi_stmt (gsi_start_nondebug_after_labels_bb (bb))))
    split_block_after_labels (bb);
}

static void
prepare (bool thunk)
{
  basic_block bb;
  flow_call_edges_add (NULL);
  add_noreturn_fake_exit_edges ();
  if (thunk)
    return;
  FOR_EACH_BB_FN (bb, cfun)
    {
      cab_graph_split_jumps (bb);
      add_fake_edges (bb);
    }
}

/* Order edges by falling frequency, critical edges counting double. */
static int
by_weight (const void *a, const void *b)
{
  const_edge x = *(const const_edge *) a, y = *(const const_edge *) b;
  int times_x = EDGE_CRITICAL_P (x) ? 2 : 1, times_y = EDGE_CRITICAL_P (y) ? 2 : 1;
  int weight_x = (EDGE_FREQUENCY (x) + 1) * times_x, weight_y = (EDGE_FREQUENCY (y) + 1) * times_y;
  if (weight_x != weight_y)
    return weight_y - weight_x;
  return x->src->index != y->src->index ? y->src->index - x->src->index
					: y->dest->index - x->dest->index;
}

/* Return the representative of the part of the tree that BB belongs to. */
static basic_block
part_of (basic_block bb)
{
  while (bb->aux != bb)
    {
      bb->aux = ((basic_block) bb->aux)->aux;
      bb = (basic_block) bb->aux;
    }
  return bb;
}

static void
join (basic_block a, basic_block b)
{
  part_of (a)->aux = part_of (b);
}

/* Put each edge of LIST that is PREFERRED, or any, on the tree unless it closes a circle. */
static void
grow (struct edge_list *list, bool preferred)
{
  for (int i = 0; i < NUM_EDGES (list); i++)
    {
      edge e = INDEX_EDGE (list, i);
      bool is_preferred = is_abnormal (e) || (e->flags & EDGE_FAKE)
		       || e->dest == EXIT_BLOCK_PTR_FOR_FN (cfun);
      if ((preferred && !is_preferred) || has_mark (e, IGNORED)
	  || part_of (e->src) == part_of (e->dest))
	continue;
      set_mark (e, ON_TREE);
      join (e->src, e->dest);
    }
}

static void
mark_tree (struct edge_list *list)
{
  basic_block bb;
  FOR_BB_BETWEEN (bb, ENTRY_BLOCK_PTR_FOR_FN (cfun), NULL, next_bb)
    bb->aux = bb;
  join (EXIT_BLOCK_PTR_FOR_FN (cfun), ENTRY_BLOCK_PTR_FOR_FN (cfun));
  grow (list, true);
  grow (list, false);
  clear_aux_for_blocks ();
}

/* Mark the edges of LIST that fake edges stand for, and in a THUNK all but those of the entry. */
static void
mark_ignored (struct edge_list *list, bool thunk)
{
  basic_block entry = ENTRY_BLOCK_PTR_FOR_FN (cfun), exit = EXIT_BLOCK_PTR_FOR_FN (cfun);
  for (int i = 0; i < NUM_EDGES (list); i++)
    {
      edge e = INDEX_EDGE (list, i);
      if (thunk ? e->src != entry : is_abnormal (e) && e->src != entry && e->dest != exit)
	set_mark (e, IGNORED);
    }
}

void
cab_gcov_tree (bool thunk, vec<edge> *counters)
{
  basic_block bb;
  edge e;
  edge_iterator ei;
  clear_aux_for_edges ();
  prepare (thunk);
  struct edge_list *list = create_edge_list ();
  qsort (list->index_to_edge, NUM_EDGES (list), sizeof (edge), by_weight);
  compact_blocks ();
  mark_ignored (list, thunk);
  if (!thunk)
    mark_tree (list);
  FOR_BB_BETWEEN (bb, ENTRY_BLOCK_PTR_FOR_FN (cfun), NULL, next_bb)
    FOR_EACH_EDGE (e, ei, bb->succs)
      if (!e->aux && !(e->flags & EDGE_FAKE))
	counters->safe_push (e);
  free_edge_list (list);
  clear_aux_for_edges ();
}
