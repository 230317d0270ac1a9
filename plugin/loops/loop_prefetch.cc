/* loop_prefetch.cc - see loop_prefetch.h.
   SPDX-License-Identifier: GPL-3.0-or-later

   The pass runs right before "ivopts": all passes that copy, vectorise or remove loops have run,
   counters are still what scalar evolution knows, and what is added is optimised with the rest. */
#include "plugin/loops/loop_prefetch.h"
#include "plugin/emit/module.h"
#include "plugin/loops/loops_find.h"
#include "plugin/loops/outcome_words.h"
#include "plugin/loops/prefetch_chain.h"
#include "plugin/loops/trials.h"
#include "tree-ssa-loop.h"
#include "tree-ssa-loop-niter.h"
#include "tree-ssa-loop-manip.h"
#include "tree-scalar-evolution.h"
#include "tree-chrec.h"

#define LINE_BITS 512

/* Where prefetches go. */
struct place
{
  basic_block bb;     /* at its beginning */
  basic_block sure;   /* as struct cab_ahead has it */
  bool is_late;       /* the exit's test has been made: the last iteration does not get here */
};

/* A load that gets a prefetch. */
struct target
{
  gimple *stmt;
  bool is_indirect;
  tree base, offset;        /* of its address, and what is added to them */
  poly_int64 bits;
};

/* Return true if STMT may end or suspend the program, or wait for another thread. */
static bool
may_leave (gimple *stmt)
{
  if (gimple_code (stmt) == GIMPLE_ASM || gimple_has_volatile_ops (stmt)
      || stmt_could_throw_p (cfun, stmt))
    return true;
  if (!is_gimple_call (stmt))
    return false;
  int flags = gimple_call_flags (stmt);
  return !(flags & (ECF_CONST | ECF_PURE)) || (flags & ECF_LOOPING_CONST_OR_PURE);
}

/* Return the reason why an iteration of LOOP that has begun may not reach the next one, or null. */
static const char *
why_stops (class loop *loop)
{
  const char *why = NULL;
  basic_block *body = get_loop_body (loop);
  for (unsigned i = 0; i < loop->num_nodes && !why; i++)
    {
      if (body[i]->flags & BB_IRREDUCIBLE_LOOP)
	why = "shape";
      for (gimple_stmt_iterator gsi = gsi_start_bb (body[i]); !gsi_end_p (gsi) && !why;
	   gsi_next (&gsi))
	if (may_leave (gsi_stmt (gsi)))
	  why = "calls";
      class loop *inner = body[i]->loop_father;
      if (inner != loop && inner->header == body[i] && !finite_loop_p (inner))
	why = "inner";
    }
  free (body);
  return why;
}

/* Find the place for LOOP's prefetches: the beginning of an iteration, if the exit's test is at its
   end, or else after that test.  Return false if there is none. */
static bool
find_place (class loop *loop, struct place *place)
{
  basic_block test = single_exit (loop)->src;
  edge stay = NULL, e;
  edge_iterator ei;
  FOR_EACH_EDGE (e, ei, test->succs)
    if (flow_bb_inside_loop_p (loop, e->dest))
      stay = e;
  if (stay && stay->dest == loop->latch && empty_block_p (loop->latch))
    *place = { loop->header, test, false };
  else if (stay && single_pred_p (stay->dest) && stay->dest->loop_father == loop)
    *place = { stay->dest, loop->latch, true };
  else
    return false;
  return true;
}

/* Return why LOOP can have no prefetches, or null with the PLACE for them. */
static const char *
why_not (class loop *loop, const struct cab_became *became, struct place *place)
{
  if (!targetm.have_prefetch ())
    return "target";
  if (optimize_loop_for_size_p (loop))
    return "size";
  if (became->vector_bytes)
    return "vector";
  if (cfun->can_throw_non_call_exceptions)
    return "throws";
  if (!single_exit (loop))
    return "exits";
  if (const char *why = why_stops (loop))
    return why;
  if (chrec_contains_undetermined (number_of_latch_executions (loop)))
    return "iterations";
  return find_place (loop, place) ? NULL : "shape";
}

/* Split T's address into base, offset and a constant. */
static void
split_address (struct target *t)
{
  poly_int64 size;
  machine_mode mode;
  int is_unsigned, is_reversed, is_volatile;
  t->base = get_inner_reference (gimple_assign_rhs1 (t->stmt), &size, &t->bits, &t->offset, &mode,
				 &is_unsigned, &is_reversed, &is_volatile);
  if (TREE_CODE (t->base) != MEM_REF)
    return;
  t->bits += mem_ref_offset (t->base).force_shwi () * BITS_PER_UNIT;
  t->base = TREE_OPERAND (t->base, 0);
}

static bool
is_near (const struct target *a, const struct target *b)
{
  poly_int64 apart = a->bits - b->bits;
  bool same_offset = a->offset && b->offset ? operand_equal_p (a->offset, b->offset, 0)
					    : !a->offset && !b->offset;
  return same_offset && operand_equal_p (a->base, b->base, 0)
      && maybe_lt (apart, LINE_BITS) && maybe_gt (apart, -LINE_BITS);
}

static void
add_target (vec<struct target> *targets, gimple *stmt, bool is_indirect)
{
  struct target fresh = { stmt, is_indirect, NULL_TREE, NULL_TREE, 0 };
  split_address (&fresh);
  for (const struct target &known : *targets)
    if (is_near (&known, &fresh))
      return;
  targets->safe_push (fresh);
}

/* Find what AHEAD's loop is to prefetch: its indirect loads, or without any its affine ones. */
static void
find_targets (const struct cab_ahead *ahead, vec<struct target> *targets)
{
  bool has_indirect = false;
  basic_block *body = get_loop_body_in_dom_order (ahead->loop);
  for (unsigned i = 0; i < ahead->loop->num_nodes; i++)
    for (gimple_stmt_iterator gsi = gsi_start_bb (body[i]); !gsi_end_p (gsi); gsi_next (&gsi))
      {
	unsigned n_loads;
	bool changes;
	if (body[i]->loop_father != ahead->loop || !gimple_assign_load_p (gsi_stmt (gsi))
	    || !cab_ahead_can (ahead, gsi_stmt (gsi), &n_loads, &changes) || !changes)
	  continue;
	add_target (targets, gsi_stmt (gsi), n_loads);
	has_indirect |= n_loads > 0;
      }
  for (unsigned i = targets->length (); has_indirect && i-- > 0;)
    if (!(*targets)[i].is_indirect)
      targets->ordered_remove (i);
  free (body);
}

/* Let AHEAD look DISTANCE iterations ahead, but not beyond the last one. */
static void
look_ahead (struct cab_ahead *ahead, bool is_late, unsigned distance)
{
  class loop *loop = ahead->loop;
  gimple_seq seq = NULL;
  gimple_stmt_iterator gsi;
  bool after;
  tree left, last = unshare_expr (number_of_latch_executions (loop));
  last = force_gimple_operand (fold_convert (sizetype, last), &seq, true, NULL_TREE);
  if (seq)
    gsi_insert_seq_on_edge_immediate (loop_preheader_edge (loop), seq);
  standard_iv_increment_position (loop, &gsi, &after);
  cab_create_iv (last, build_minus_one_cst (sizetype), loop, &gsi, after, &left);
  if (is_late)
    left = fold_build2 (MINUS_EXPR, sizetype, left, size_one_node);
  seq = NULL;
  left = fold_build2 (MIN_EXPR, sizetype, left, size_int (distance));
  ahead->left = force_gimple_operand (left, &seq, true, NULL_TREE);
  gimple_seq_add_seq (&ahead->made, seq);
}

/* Return the declaration of __builtin_prefetch, which Fortran's front end does not make. */
static tree
prefetch_decl (void)
{
  if (!builtin_decl_explicit (BUILT_IN_PREFETCH))
    {
      tree type = build_function_type (void_type_node, NULL_TREE);
      tree decl = add_builtin_function ("__builtin_prefetch", type, BUILT_IN_PREFETCH,
					BUILT_IN_NORMAL, NULL, NULL_TREE);
      DECL_IS_NOVOPS (decl) = true;
      set_builtin_decl (BUILT_IN_PREFETCH, decl, false);
    }
  return builtin_decl_explicit (BUILT_IN_PREFETCH);
}

/* Add prefetches of TARGETS at PLACE. */
static void
add_prefetches (struct cab_ahead *ahead, const struct place *place,
		const vec<struct target> &targets, unsigned distance)
{
  hash_map<tree, tree> copy;
  ahead->copy = &copy;
  look_ahead (ahead, place->is_late, distance);
  for (const struct target &target : targets)
    {
      tree address = cab_ahead_make (ahead, target.stmt);
      gimple *call = gimple_build_call (prefetch_decl (), 3, address, integer_zero_node,
					build_int_cst (integer_type_node, 3));
      gimple_set_location (call, gimple_location (target.stmt));
      gimple_seq_add_stmt (&ahead->made, call);
    }
  gimple_stmt_iterator gsi = gsi_after_labels (place->bb);
  gsi_insert_seq_before (&gsi, ahead->made, GSI_NEW_STMT);
}

/* Do what a hint asks for LOOP.  Return true if something has changed. */
static bool
do_loop (class loop *loop)
{
  struct place place;
  auto_vec<struct target> targets;
  cab_loop_source source = cab_loops_identify (loop);
  unsigned distance = source.loops ? cab_trial_prefetch_of (loop, &source) : 0;
  if (!distance)
    return false;
  struct cab_became *became = cab_became_of (&source);
  const char *why = why_not (loop, became, &place);
  struct cab_ahead ahead = {};
  ahead.loop = loop;
  if (!why)
    {
      ahead.sure = place.sure;
      find_targets (&ahead, &targets);
      if (targets.is_empty ())
	why = "addresses";
    }
  if (why)
    {
      became->no_prefetch = became->no_prefetch ? became->no_prefetch : why;
      return false;
    }
  add_prefetches (&ahead, &place, targets, distance);
  became->prefetched += targets.length ();
  return true;
}

static unsigned
prefetch (void)
{
  bool changed = false;
  unsigned n = number_of_loops (cfun);
  for (unsigned i = 1; i < n; i++)
    if (class loop *loop = get_loop (cfun, i))
      changed |= do_loop (loop);
  return changed ? TODO_update_ssa_only_virtuals : 0;
}

static const pass_data prefetch_data =
{
  GIMPLE_PASS, "cabprof_prefetch", OPTGROUP_LOOP, TV_NONE, PROP_cfg | PROP_ssa, 0, 0, 0, 0
};

class prefetch_pass : public gimple_opt_pass
{
public:
  prefetch_pass () : gimple_opt_pass (prefetch_data, g) {}
  bool gate (function *) final override
  {
    return cab_became_marked (CAB_SOURCE_PREFETCH) || cab_trial_prefetches ();
  }
  unsigned int execute (function *) final override { return prefetch (); }
};

void
cab_prefetch_begin (const char *plugin)
{
  cab_add_pass (plugin, new prefetch_pass, "ivopts", PASS_POS_INSERT_BEFORE);
}
