/* graph.cc - prepares the function's graph for paths before anything is planned on it.
   SPDX-License-Identifier: GPL-3.0-or-later

   The stage and the splits are gcov's, so that its arcs can be compared with this graph edge by
   edge. */
#include "plugin/paths/graph.h"
#include "plugin/paths/body.h"
#include "plugin/paths/tails.h"

static bool
same_line (location_t a, location_t b)
{
  return LOCATION_FILE (a) == LOCATION_FILE (b) && LOCATION_LINE (a) == LOCATION_LINE (b);
}

/* Return the location of the last statement of BB that has one. */
static location_t
last_location (basic_block bb)
{
  for (gimple_stmt_iterator gsi = gsi_last_nondebug_bb (bb); !gsi_end_p (gsi);
       gsi_prev_nondebug (&gsi))
    if (!RESERVED_LOCATION_P (gimple_location (gsi_stmt (gsi))))
      return gimple_location (gsi_stmt (gsi));
  return UNKNOWN_LOCATION;
}

void
cab_graph_split_jumps (basic_block bb)
{
  edge e;
  edge_iterator ei;
  auto_vec<edge> split;
  location_t last = last_location (bb);
  if (last == UNKNOWN_LOCATION || single_succ_p (bb) || cab_call_must_jump (cab_last_stmt (bb)))
    return;
  FOR_EACH_EDGE (e, ei, bb->succs)
    if (!RESERVED_LOCATION_P (e->goto_locus) && !same_line (e->goto_locus, last)
	&& !(e->flags & EDGE_ABNORMAL))
      split.safe_push (e);
  for (edge jump : split)
    {
      location_t place = jump->goto_locus;
      single_succ_edge (split_edge (jump))->goto_locus = place;
    }
}

/* Split the jumps of all blocks.  Where paths are cut at calls this runs while the fake edges are
   there: a jump after a call is not a part of the call's block, unless the call must be a jump
   itself. */
static void
split_jumps_with_lines (void)
{
  basic_block bb;
  auto_vec<basic_block> blocks;
  FOR_EACH_BB_FN (bb, cfun)
    blocks.safe_push (bb);
  for (basic_block block : blocks)
    cab_graph_split_jumps (block);
}

/* Return true if BB ends in a computed goto: all edges out of its block are abnormal. */
static bool
jumps_anywhere (basic_block bb)
{
  gimple *last = cab_last_stmt (bb);
  return last && gimple_code (last) == GIMPLE_GOTO;
}

/* Make sure that the code after a call that may not return, which ends BB, is entered by one edge
   only, so that its executions are the returns. */
static void
give_own_destinations (struct cab_body *body, basic_block bb)
{
  edge e;
  edge_iterator ei;
  auto_vec<edge> split;
  FOR_EACH_EDGE (e, ei, bb->succs)
    if (!(e->flags & EDGE_ABNORMAL) && e->dest != EXIT_BLOCK_PTR_FOR_FN (cfun)
	&& !single_pred_p (e->dest))
      split.safe_push (e);
  unsigned i;
  FOR_EACH_VEC_ELT (split, i, e)
    bitmap_set_bit (body->made, split_edge (e)->index);
}

/* Return true if BB ends in a call that does not return, but may reach a landing of this function,
   so that no ordinary edge leads out. */
static bool
leaves_abnormally_only (basic_block bb)
{
  edge e;
  edge_iterator ei;
  FOR_EACH_EDGE (e, ei, bb->succs)
    if (!(e->flags & EDGE_ABNORMAL) || (e->flags & EDGE_EH))
      return false;
  gimple *last = cab_last_stmt (bb);
  return last && is_gimple_call (last) && !gimple_call_internal_p (last);
}

/* Let each call that must be a jump stand before the return again, in one block. */
static void
join_jumps (void)
{
  basic_block bb;
  auto_vec<basic_block> blocks;
  FOR_EACH_BB_FN (bb, cfun)
    if (cab_call_must_jump (cab_last_stmt (bb)) && single_succ_p (bb))
      blocks.safe_push (bb);
  for (basic_block jump : blocks)
    if (can_merge_blocks_p (jump, single_succ (jump)))
      merge_blocks (jump, single_succ (jump));
}

static void
cut_at_calls (struct cab_body *body)
{
  basic_block bb;
  edge e;
  edge_iterator ei;
  flow_call_edges_add (NULL);
  add_noreturn_fake_exit_edges ();
  FOR_EACH_EDGE (e, ei, EXIT_BLOCK_PTR_FOR_FN (cfun)->preds)
    if (e->flags & EDGE_FAKE && !cab_call_must_jump (cab_last_stmt (e->src)))
      bitmap_set_bit (body->cut, e->src->index);
  split_jumps_with_lines ();
  remove_fake_exit_edges ();
  join_jumps ();
  FOR_EACH_BB_FN (bb, cfun)
    if (leaves_abnormally_only (bb))
      bitmap_set_bit (body->cut, bb->index);
  auto_vec<basic_block> blocks;
  FOR_EACH_BB_FN (bb, cfun)
    if (bitmap_bit_p (body->cut, bb->index))
      blocks.safe_push (bb);
  unsigned i;
  FOR_EACH_VEC_ELT (blocks, i, bb)
    give_own_destinations (body, bb);
}

void
cab_graph_prepare (struct cab_body *body)
{
  basic_block bb;
  if (cab_opts.cut_at_calls)
    cut_at_calls (body);
  else
    split_jumps_with_lines ();
  FOR_EACH_BB_FN (bb, cfun)
    if (jumps_anywhere (bb))
      bitmap_set_bit (body->cut, bb->index);
}
