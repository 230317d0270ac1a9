/* sample.cc - two copies of a function's code, with and without probes of accesses, between which
   the run alternates.
   SPDX-License-Identifier: GPL-3.0-or-later

   Source: ALITER's future work (sampling by switching between an instrumented and an untouched
   copy); Arnold and Ryder (PLDI 2001), who place the switch at entries and at back edges. A
   piece of an activation begins at its entry and at headers of loops, and lasts until the next one
   begins.  Each such place has a countdown of its own, so that rare ones are recorded, too.  A
   loop that is one event needs no switch: recording it costs nothing.

                        entry
                      due? /  \
       ,-> check <-. ,---'    '---. ,-> check
       |    /  \   | |            | |    / \
       |   /   header            header'   ...
       '-latch   ...              ...

   The whole body is copied.  The header of a loop, in either copy, is preceded by a check, whose
   PHIs join what both copies know; everything else that one copy computes and the other one needs
   is found when SSA form is updated.  Probes are inserted into the first copy only; allocations and
   releases are recorded in both, as they give names to what others access.

   Abnormal edges cannot be copied (setjmp, nonlocal and computed gotos).  Such code stays one
   copy, and branches skip its probes. */
#include "plugin/memory/sample.h"
#include "plugin/emit/build.h"
#include "plugin/emit/ctx.h"
#include "plugin/loops/loops.h"
#include "plugin/memory/access_unroll.h"
#include "plugin/memory/plan.h"
#include "cfgloopmanip.h"

#define LOOPS_MAX 1024

/* Return the share of pieces that are recorded, for the layout of the code: neither hot, nor so
   cold that the recorded copy is compiled for size. */
static profile_probability
is_recorded (void)
{
  return profile_probability::guessed_always ().apply_scale (1, 16);
}

/* Find the numbers of loops that are one event, and of those in them. */
static void
find_whole (struct cab_memory *m, bitmap whole)
{
  CAB_EACH_LOOP (loop)
    for (struct cab_memory_region *region : m->regions)
      if (region->loop && (region->loop == loop || flow_loop_nested_p (region->loop, loop)))
	bitmap_set_bit (whole, loop->num);
}

/* Find the numbers of loops in which something is accessed. */
static void
find_busy (struct cab_memory *m, bitmap busy)
{
  for (struct cab_memory_access &access : m->accesses)
    for (class loop *loop = gimple_bb (access.stmt)->loop_father; loop_outer (loop);
	 loop = loop_outer (loop))
      bitmap_set_bit (busy, loop->num);
}

static bool
has_complex_edges (basic_block header)
{
  edge e;
  edge_iterator ei;
  FOR_EACH_EDGE (e, ei, header->preds)
    if (e->flags & EDGE_COMPLEX)
      return true;
  return false;
}

static void
find_loops (struct cab_memory *m)
{
  auto_bitmap whole, busy;
  find_whole (m, whole);
  find_busy (m, busy);
  CAB_EACH_LOOP (loop)
    if (loop->header && bitmap_bit_p (busy, loop->num) && !bitmap_bit_p (whole, loop->num)
	&& m->sampling.loops.length () < LOOPS_MAX
	&& (m->sampling.single || !has_complex_edges (loop->header)))
      m->sampling.loops.safe_push (loop);
}

static basic_block *
all_blocks (unsigned *n)
{
  basic_block bb, *blocks = XNEWVEC (basic_block, n_basic_blocks_for_fn (cfun));
  *n = 0;
  FOR_EACH_BB_FN (bb, cfun)
    blocks[(*n)++] = bb;
  return blocks;
}

/* Return true if cfun contains assembly of the program's own, which may define names. */
static bool
has_assembly (void)
{
  basic_block bb;
  FOR_EACH_BB_FN (bb, cfun)
    for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi); gsi_next (&gsi))
      if (gasm *text = dyn_cast<gasm *> (gsi_stmt (gsi)))
	if (!strstr (gimple_asm_string (text), "__cab_"))
	  return true;
  return false;
}

/* Return why cfun's body cannot be copied, or null. */
static const char *
why_single (void)
{
  unsigned n;
  basic_block *blocks = all_blocks (&n);
  bool good = can_copy_bbs_p (blocks, n);
  free (blocks);
  if (!good)
    return "setjmp, a computed or nonlocal goto, or a transaction: its code cannot be copied";
  if (lookup_attribute ("noclone", DECL_ATTRIBUTES (cfun->decl)) && has_assembly ())
    return "attribute noclone, and assembly: its code must not be copied";
  CAB_EACH_LOOP (loop)
    if (loop->simduid)
      return "a loop of omp simd: its code cannot be copied";
  return NULL;
}

unsigned
cab_sample_plan (struct cab_memory *m)
{
  struct cab_sampling *s = &m->sampling;
  s->on = cab_opts.memory_sample && !m->accesses.is_empty ();
  if (!s->on)
    return 0;
  s->single = why_single ();
  if (s->single && cab_opts.verbose)
    inform (DECL_SOURCE_LOCATION (cfun->decl), "cabprof: %qD has one copy for sampling: %s",
	    cfun->decl, s->single);
  find_loops (m);
  return 2 * (1 + s->loops.length ());
}

/* End block AT, which has no successors yet, with a jump to RECORDED or to UNTOUCHED, as pair
   NUMBER decides. */
static void
decide (struct cab_sampling *s, basic_block at, unsigned number, basic_block recorded,
	basic_block untouched)
{
  gimple_seq first = NULL, second = NULL;
  basic_block due = create_empty_bb (at);
  add_bb_to_loop (due, at->loop_father);
  tree flag = cab_piece_is_due (&first, s->counters, number);
  gimple_seq_add_stmt (&first,
		       gimple_build_cond (NE_EXPR, flag, boolean_false_node, NULL_TREE, NULL_TREE));
  tree sample = cab_piece_begins (&second, s->counters, number);
  gimple_seq_add_stmt (&second,
		       gimple_build_cond (NE_EXPR, sample, cab_u64 (0), NULL_TREE, NULL_TREE));
  gimple_stmt_iterator gsi = gsi_last_bb (at);
  gsi_insert_seq_after (&gsi, first, GSI_CONTINUE_LINKING);
  gsi = gsi_last_bb (due);
  gsi_insert_seq_after (&gsi, second, GSI_CONTINUE_LINKING);
  make_edge (at, due, EDGE_TRUE_VALUE)->probability = is_recorded ();
  make_edge (at, untouched, EDGE_FALSE_VALUE)->probability = is_recorded ().invert ();
  make_edge (due, recorded, EDGE_TRUE_VALUE)->probability = profile_probability::very_likely ();
  make_edge (due, untouched, EDGE_FALSE_VALUE)->probability = profile_probability::very_unlikely ();
  due->count = at->count.apply_probability (is_recorded ());
}

/* Make a new first block of the function, which nothing jumps to, and set the counters in it. */
static basic_block
make_entry (struct cab_memory *m)
{
  struct cab_sampling *s = &m->sampling;
  basic_block entry = split_edge (single_succ_edge (ENTRY_BLOCK_PTR_FOR_FN (cfun)));
  gimple_stmt_iterator gsi = gsi_after_labels (entry);
  gimple *anchor = gimple_build_nop ();
  gsi_insert_before (&gsi, anchor, GSI_SAME_STMT);
  s->counters = create_tmp_reg (build_pointer_type (cab_counter_type ()), "cab_counters");
  cab_counters_emit (anchor, &m->row, s->counters);
  entry = gimple_bb (anchor);
  gsi = gsi_for_stmt (anchor);
  gsi_remove (&gsi, true);
  return entry;
}

static void
copy_loops (void)
{
  auto_vec<class loop *> outermost;
  for (class loop *loop = current_loops->tree_root->inner; loop; loop = loop->next)
    outermost.safe_push (loop);
  for (class loop *loop : outermost)
    duplicate_subloops (loop, duplicate_loop (loop, current_loops->tree_root));
}

static void
scale (basic_block *blocks, unsigned n, profile_probability probability)
{
  for (unsigned i = 0; i < n; i++)
    blocks[i]->count = blocks[i]->count.apply_probability (probability);
}

static struct cab_local *
copy_local (const struct cab_local *local, hash_map<gimple *, gimple *> *copy_of)
{
  struct cab_local *copy = new cab_local ();
  copy->decl = local->decl;
  copy->number = local->number;
  copy->begin = *copy_of->get (local->begin);
  for (gimple *end : local->ends)
    copy->ends.safe_push (*copy_of->get (end));
  return copy;
}

/* Note the copies, in the N COPIES, of the allocations, releases and local variables in BLOCKS. */
static void
copy_allocations (struct cab_memory *m, basic_block *blocks, basic_block *copies, unsigned n)
{
  hash_map<gimple *, gimple *> copy_of;
  for (unsigned i = 0; i < n; i++)
    {
      auto_vec<gimple *> from, to;
      cab_statements_copied (blocks[i], &from);
      cab_statements_copied (copies[i], &to);
      for (unsigned k = 0; k < from.length (); k++)
	copy_of.put (from[k], to[k]);
    }
  for (unsigned i = 0, had = m->allocations.length (); i < had; i++)
    {
      struct cab_allocation allocation = m->allocations[i];
      allocation.call = as_a<gcall *> (*copy_of.get (allocation.call));
      m->allocations.safe_push (allocation);
    }
  for (unsigned i = 0, had = m->locals.length (); i < had; i++)
    m->locals.safe_push (copy_local (m->locals[i], &copy_of));
}

/* Redirect all edges into BLOCK to CHECK, whose PHIs are in the order of BLOCK's. */
static void
redirect (basic_block block, basic_block check)
{
  while (EDGE_COUNT (block->preds))
    {
      edge e = redirect_edge_and_branch (EDGE_PRED (block, 0), check);
      flush_pending_stmts (e);
    }
}

/* Pass the results of CHECK's PHIs on to the PHIs of BLOCK. */
static void
hand_on (basic_block check, basic_block block)
{
  edge e;
  edge_iterator ei;
  FOR_EACH_EDGE (e, ei, block->preds)
    for (gphi_iterator from = gsi_start_phis (check), to = gsi_start_phis (block); !gsi_end_p (to);
	 gsi_next (&from), gsi_next (&to))
      add_phi_arg (to.phi (), gimple_phi_result (from.phi ()), e, UNKNOWN_LOCATION);
}

/* Insert a check before LOOP's header and that of its copy. */
static void
switch_loop (struct cab_sampling *s, class loop *loop, unsigned number)
{
  basic_block header = loop->header, copy = get_bb_copy (header);
  basic_block check = create_empty_bb (header->prev_bb);
  add_bb_to_loop (check, loop);
  check->count = header->count + copy->count;
  for (gphi_iterator gsi = gsi_start_phis (header); !gsi_end_p (gsi); gsi_next (&gsi))
    create_phi_node (copy_ssa_name (gimple_phi_result (gsi.phi ())), check);
  redirect (header, check);
  redirect (copy, check);
  decide (s, check, number, header, copy);
  hand_on (check, header);
  hand_on (check, copy);
  s->checks.safe_push (check);
  s->copies.safe_push (get_loop_copy (loop));
}

static void
make_two (struct cab_memory *m)
{
  struct cab_sampling *s = &m->sampling;
  unsigned n;
  free_dominance_info (CDI_DOMINATORS);
  free_dominance_info (CDI_POST_DOMINATORS);
  split_edge (single_succ_edge (ENTRY_BLOCK_PTR_FOR_FN (cfun)));
  basic_block *blocks = all_blocks (&n), *copies = XNEWVEC (basic_block, n);
  basic_block entry = make_entry (m);
  initialize_original_copy_tables ();
  copy_loops ();
  copy_bbs (blocks, n, copies, NULL, 0, NULL, current_loops->tree_root,
	    EXIT_BLOCK_PTR_FOR_FN (cfun)->prev_bb, false);
  add_phi_args_after_copy (copies, n, NULL);
  copy_allocations (m, blocks, copies, n);
  scale (blocks, n, is_recorded ());
  scale (copies, n, is_recorded ().invert ());
  for (unsigned i = 0; i < s->loops.length (); i++)
    switch_loop (s, s->loops[i], i + 1);
  basic_block first = single_succ (entry);
  remove_edge (single_succ_edge (entry));
  decide (s, entry, 0, first, get_bb_copy (first));
  free_original_copy_tables ();
  free (copies);
  free (blocks);
}

/* Insert the decision of pair NUMBER before GSI. */
static void
decide_here (struct cab_sampling *s, gimple_stmt_iterator gsi, unsigned number)
{
  gimple_seq seq = NULL;
  gimple_seq_add_stmt (
    &seq, gimple_build_assign (s->recorded, cab_piece_decides (&seq, s->counters, number)));
  gsi_insert_seq_before (&gsi, seq, GSI_SAME_STMT);
}

static void
keep_one (struct cab_memory *m)
{
  struct cab_sampling *s = &m->sampling;
  basic_block entry = make_entry (m);
  gimple *mark = gimple_build_nop ();
  gimple_stmt_iterator gsi = gsi_last_bb (entry);
  s->recorded = create_tmp_reg (cab_word_type (), "cab_recorded");
  gsi_insert_after (&gsi, mark, GSI_NEW_STMT);
  decide_here (s, gsi, 0);
  gsi_remove (&gsi, true);
  for (unsigned i = 0; i < s->loops.length (); i++)
    decide_here (s, gsi_after_labels (s->loops[i]->header), i + 1);
}

void
cab_sample_emit (struct cab_memory *m)
{
  if (!m->sampling.on)
    return;
  if (m->sampling.single)
    keep_one (m);
  else
    make_two (m);
}

static bool
sends_words (gimple *stmt)
{
  gasm *text = dyn_cast<gasm *> (stmt);
  return text && strstr (gimple_asm_string (text), "__cab_gate_words");
}

/* Return true if STMT computes VALUE for a single statement in its own block, and from nothing that
   could change in between. */
static bool
can_wait (gimple *stmt, tree value, basic_block bb)
{
  return is_gimple_assign (stmt) && gimple_bb (stmt) == bb && has_single_use (value)
      && !stmt_ends_bb_p (stmt) && (!gimple_vuse (stmt) || gimple_has_volatile_ops (stmt))
      && !gimple_store_p (stmt);
}

/* Move STMT to the front of SEQ, and before it the statements that are computed only for it. */
static void
take (gimple_seq *seq, gimple *stmt)
{
  basic_block bb = gimple_bb (stmt);
  gimple_stmt_iterator gsi = gsi_for_stmt (stmt), first;
  ssa_op_iter iterator;
  tree value;
  auto_vec<gimple *> before;
  FOR_EACH_SSA_TREE_OPERAND (value, stmt, iterator, SSA_OP_USE)
    if (TREE_CODE (value) == SSA_NAME && can_wait (SSA_NAME_DEF_STMT (value), value, bb))
      before.safe_push (SSA_NAME_DEF_STMT (value));
  gsi_remove (&gsi, false);
  first = gsi_start (*seq);
  gsi_insert_before_without_update (&first, stmt, GSI_NEW_STMT);
  for (gimple *other : before)
    take (seq, other);
}

/* Execute STMT, and what computes its operands, only if VARIABLE is not 0. */
static void
guard (gimple *stmt, tree variable)
{
  gimple_stmt_iterator gsi = gsi_for_stmt (stmt);
  gimple *mark = gimple_build_nop ();
  gimple_seq seq = NULL;
  gsi_insert_before (&gsi, mark, GSI_SAME_STMT);
  take (&seq, stmt);
  gsi = gsi_for_stmt (mark);
  cab_build_cold (&gsi, NE_EXPR, variable, cab_u64 (0), seq);
  gsi = gsi_for_stmt (mark);
  gsi_remove (&gsi, true);
}

void
cab_sample_guard (struct cab_memory *m)
{
  auto_vec<gimple *> found;
  basic_block bb;
  if (!m->sampling.on || !m->sampling.single)
    return;
  gsi_commit_edge_inserts ();
  FOR_EACH_BB_FN (bb, cfun)
    for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi); gsi_next (&gsi))
      if (sends_words (gsi_stmt (gsi)))
	found.safe_push (gsi_stmt (gsi));
  for (gimple *stmt : found)
    guard (stmt, m->sampling.recorded);
}

/* This comes last: code that works on loops that are one event must find its loops as they were. */
void
cab_sample_finish (struct cab_memory *m)
{
  struct cab_sampling *s = &m->sampling;
  for (unsigned i = 0; i < s->checks.length (); i++)
    {
      s->loops[i]->header = s->checks[i];
      s->loops[i]->latch = NULL;
      mark_loop_for_removal (s->copies[i]);
    }
}
