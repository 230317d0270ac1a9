/* paths.cc - path probes: the plan on the function's graph, and the code.
   SPDX-License-Identifier: GPL-3.0-or-later

   A path that has an edge of its own is counted there, at a constant address.  The others add
   up their number in a register, and are counted, or enqueued, where they end. */
#include "plugin/paths/paths.h"
#include "plugin/emit/build.h"
#include "plugin/emit/ctx.h"
#include "plugin/emit/enqueue.h"
#include "plugin/emit/options.h"
#include "plugin/emit/plugin.h"
#include "plugin/emit/row.h"
#include "plugin/paths/body.h"
#include "plugin/paths/path_packing.h"
#include "plugin/paths/pathnum.h"
#include "plugin/paths/returns.h"
#include "plugin/paths/path_runs.h"
#include "plugin/paths/tails.h"

/* The registers of a function's code while it is emitted. */
struct path_values
{
  tree reg;        /* register variable: the path register, in counts or in event units */
  tree slot;       /* the row's path slot (trace) */
};

edge
cab_graph_edge (struct cab_body *body, unsigned index)
{
  struct cab_pn_edge *e = &body->graph.edge[index];
  edge cfg;
  edge_iterator ei;
  FOR_EACH_EDGE (cfg, ei, BASIC_BLOCK_FOR_FN (cfun, e->src)->succs)
    if ((unsigned) (uintptr_t) cfg->aux == index + 1)
      return cfg;
  return NULL;
}

static struct cab_pn_edge *
plan_of (struct cab_body *body, edge e)
{
  return &body->graph.edge[(uintptr_t) e->aux - 1];
}

/* Return true if paths through BB end before its last statement. */
static bool
ends_inside (struct cab_body *body, basic_block bb)
{
  return bitmap_bit_p (body->cut, bb->index);
}

static uint64_t
frequency (edge e)
{
  profile_count count = e->count ();
  uint64_t freq = count.initialized_p () ? count.to_frequency (cfun) : 1;
  return freq + 1;
}

static void
add_edge (struct cab_pathnum *g, unsigned src, unsigned dst, unsigned flags, uint64_t freq)
{
  struct cab_pn_edge *e = &g->edge[g->n_edges++];
  memset (e, 0, sizeof *e);
  e->src = src;
  e->dst = dst;
  e->flags = flags;
  e->freq = freq;
}

static bool
is_ordinary (edge e)
{
  return !(e->flags & EDGE_COMPLEX & ~EDGE_EH);
}

static bool
leaves_without_return (edge e)
{
  gimple *last = e->dest == EXIT_BLOCK_PTR_FOR_FN (cfun) ? cab_last_stmt (e->src) : NULL;
  return e->dest == EXIT_BLOCK_PTR_FOR_FN (cfun) && !(last && gimple_code (last) == GIMPLE_RETURN);
}

static void
add_block_edges (struct cab_body *body, basic_block bb)
{
  edge e;
  edge_iterator ei;
  struct cab_pathnum *g = &body->graph;
  bool inside = ends_inside (body, bb);
  if (inside)
    add_edge (g, bb->index, EXIT_BLOCK, 0, 1);
  else if (!EDGE_COUNT (bb->succs))
    add_edge (g, bb->index, EXIT_BLOCK, CAB_PN_NO_COUNT, 1);
  FOR_EACH_EDGE (e, ei, bb->succs)
    {
      unsigned flags = inside || !is_ordinary (e) ? CAB_PN_ABNORMAL
		     : leaves_without_return (e) ? CAB_PN_NO_COUNT
		     : 0;
      add_edge (g, bb->index, e->dest->index, flags, frequency (e));
      e->aux = (void *) (uintptr_t) g->n_edges;
    }
}

/* Return true if control arrives at BB also over abnormal edges: each edge into it ends its paths,
   and paths start in it. */
static bool
is_receiver (basic_block bb)
{
  edge e;
  edge_iterator ei;
  FOR_EACH_EDGE (e, ei, bb->preds)
    if (!is_ordinary (e))
      return true;
  return false;
}

/* Return true if something in BB may end the activation other than by BB's edges, before the end of
   its paths there. */
static bool
may_leave (struct cab_body *body, basic_block bb)
{
  if (cab_opts.cut_at_calls)
    return false;
  for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi); gsi_next (&gsi))
    {
      gimple *stmt = gsi_stmt (gsi);
      if (cab_may_leave (stmt) && !cab_is_tail (body, stmt))
	return true;
    }
  return false;
}

static void
set_block_flags (struct cab_body *body)
{
  basic_block bb;
  FOR_EACH_BB_FN (bb, cfun)
    body->graph.block[bb->index].flags = (is_receiver (bb) ? CAB_PN_FORCED_START : 0)
				       | (may_leave (body, bb) ? CAB_PN_MAY_LEAVE : 0);
}

static void
build_graph (struct cab_body *body)
{
  basic_block bb;
  struct cab_pathnum *g = &body->graph;
  unsigned n_edges = n_edges_for_fn (cfun) + 2 * last_basic_block_for_fn (cfun);
  memset (g, 0, sizeof *g);
  g->n_blocks = last_basic_block_for_fn (cfun);
  g->edge = XNEWVEC (struct cab_pn_edge, n_edges);
  g->block = XCNEWVEC (struct cab_pn_block, g->n_blocks);
  g->max_paths = CAB_MAX_COUNTERS - CAB_COUNTER_PATHS;
  g->cut_loop_entries = true;
  g->plain_registers = body->traces;
  FOR_BB_BETWEEN (bb, ENTRY_BLOCK_PTR_FOR_FN (cfun), EXIT_BLOCK_PTR_FOR_FN (cfun), next_bb)
    add_block_edges (body, bb);
  set_block_flags (body);
}

bool
cab_paths_plan (struct cab_body *body, const char **reason)
{
  build_graph (body);
  body->has_graph = true;
  int error = cab_pathnum_run (&body->graph);
  if (error)
    *reason = cab_pathnum_error (error);
  /* accesses are sent between the paths of iterations */
  else if (body->traces && !(cab_opts.events & CAB_EVENTS_MEMORY))
    {
      cab_path_runs_find (body);
      if (!(cab_opts.events & CAB_EVENTS_LOOPS))   /* the ends of loops are sent between them,
						      too */
	cab_path_packing_find (body);
    }
  return !error;
}

/* Return a reference to counter INDEX (a constant), or to counter INDEX + VARIABLE. */
static tree
counter_reference (struct cab_body *body, gimple_seq *seq, uint64_t index, tree variable)
{
  tree type = cab_counter_type ();
  tree base = body->counters;
  if (variable)
    {
      tree bytes = cab_build_op (seq, LSHIFT_EXPR, variable, build_int_cst (integer_type_node, 3));
      base = make_ssa_name (TREE_TYPE (body->counters));
      gimple_seq_add_stmt (seq,
			   gimple_build_assign (base, POINTER_PLUS_EXPR, body->counters, bytes));
    }
  tree reference = build2 (MEM_REF, type, base,
			   build_int_cst (build_pointer_type (type), index * 8));
  TREE_THIS_NOTRAP (reference) = 1;
  return reference;
}

static void
add_to_counter (struct cab_body *body, gimple_seq *seq, uint64_t index, tree variable,
		tree_code code)
{
  tree reference = counter_reference (body, seq, index, variable);
  tree value = make_ssa_name (cab_word_type ());
  gimple_seq_add_stmt (seq, gimple_build_assign (value, reference));
  tree sum = cab_build_op (seq, code, value, cab_u64 (1));
  gimple_seq_add_stmt (seq, gimple_build_assign (unshare_expr (reference), sum));
}

/* Return true if the path register holds an event in BLOCK, rather than a number. */
static bool
holds_event (struct cab_body *body, unsigned block)
{
  return body->traces && !cab_path_packing_inside (body, block);
}

/* Return NUMBER in the unit that the path register has in BLOCK. */
static uint64_t
scaled (struct cab_body *body, unsigned block, uint64_t number)
{
  return holds_event (body, block) ? number << CAB_EV_PATH_SHIFT : number;
}

#define LAST_BIT (CAB_EV_PATH_LAST - CAB_EV_PATH)

static void
send_path (gimple_seq *seq, tree event, uint64_t number, bool last)
{
  cab_enqueue (seq, cab_build_op (seq, PLUS_EXPR, event,
				  cab_u64 ((number << CAB_EV_PATH_SHIFT) + (last ? LAST_BIT : 0))));
}

/* Return the event for NUMBER, which the register would hold outside of loops whose paths are
   packed. */
static tree
as_event (struct path_values *v, gimple_seq *seq, tree number)
{
  tree scaled = cab_build_op (seq, LSHIFT_EXPR, number,
			      build_int_cst (integer_type_node, CAB_EV_PATH_SHIFT));
  return cab_build_op (seq, PLUS_EXPR, scaled, cab_build_load (seq, v->slot));
}

/* Return NUMBER plus the value of the register REG, which may hold an EVENT. */
static tree
number_of (struct path_values *v, gimple_seq *seq, tree reg, uint64_t number, bool event)
{
  if (!reg)
    return cab_u64 (number);
  if (event)
    {
      tree part = cab_build_op (seq, MINUS_EXPR, reg, cab_build_load (seq, v->slot));
      reg = cab_build_op (seq, RSHIFT_EXPR, part,
			  build_int_cst (integer_type_node, CAB_EV_PATH_SHIFT));
    }
  return cab_build_op (seq, PLUS_EXPR, reg, cab_u64 (number));
}

/* Append the code for a path that ends on E. */
static void
count_path (struct cab_body *body, struct path_values *v, gimple_seq *seq, struct cab_pn_edge *e)
{
  bool last = e->dst == EXIT_BLOCK && !bitmap_bit_p (body->cut, e->src),
       event = holds_event (body, e->src);
  tree reg = e->has_number ? NULL_TREE : cab_build_load (seq, v->reg);
  uint64_t number = e->has_number ? e->number : e->end_add;
  if (body->counts)
    add_to_counter (body, seq, CAB_COUNTER_PATHS + number, reg, PLUS_EXPR);
  else if (!cab_path_packing_inside (body, e->dst))
    send_path (seq, !reg ? v->slot : event ? reg : as_event (v, seq, reg), number, last);
  else
    cab_path_packing_add (body, v->slot, number_of (v, seq, reg, number, event), seq);
}

static void
start_register (struct cab_body *body, struct path_values *v, gimple_seq *seq, unsigned block)
{
  struct cab_pn_block *b = &body->graph.block[block];
  if (!b->use_reg)
    return;
  tree value = cab_u64 (scaled (body, block, b->start_reg));
  if (holds_event (body, block))
    value = cab_build_op (seq, PLUS_EXPR, v->slot, value);
  gimple_seq_add_stmt (seq, gimple_build_assign (v->reg, value));
}

/* Append the code for a path that continues over E. */
static void
go_on (struct cab_body *body, struct path_values *v, gimple_seq *seq, struct cab_pn_edge *e)
{
  bool becomes_event = holds_event (body, e->dst) && !holds_event (body, e->src);
  if (!e->inc && !becomes_event)
    return;
  tree reg = cab_build_load (seq, v->reg);
  if (e->inc)
    reg = cab_build_op (seq, PLUS_EXPR, reg, cab_u64 (scaled (body, e->src, e->inc)));
  if (becomes_event)
    reg = as_event (v, seq, reg);
  gimple_seq_add_stmt (seq, gimple_build_assign (v->reg, reg));
}

/* Append the code for control that passes over E. */
static void
pass_over (struct cab_body *body, struct path_values *v, gimple_seq *seq, struct cab_pn_edge *e)
{
  unsigned index = e - body->graph.edge;
  bool inside = cab_path_packing_inside (body, e->src);
  /* The pack is sent before a run that ends here, and before anything else that is sent when
     control leaves. */
  if (inside && (!cab_path_packing_inside (body, e->dst) || cab_path_runs_end (body, index)))
    cab_path_packing_send (body, v->slot, seq);
  if (cab_path_runs_pass_over (body, index, v->slot, seq))
    return;
  if (e->has_number || e->end_reg)
    count_path (body, v, seq, e);
  if (e->live && !e->ending)
    go_on (body, v, seq, e);
}

/* Insert SEQ at the first place in BB where code runs however control arrived: after the labels,
   and after a call that returns twice, which control may leave a second time.  If that call ends
   BB, SEQ is inserted on the edge out of BB. */
static void
insert_at_arrival (basic_block bb, gimple_seq seq)
{
  gimple_stmt_iterator gsi = gsi_after_labels (bb);
  while (!gsi_end_p (gsi) && is_gimple_debug (gsi_stmt (gsi)))
    gsi_next (&gsi);
  gimple *first = gsi_end_p (gsi) ? NULL : gsi_stmt (gsi);
  /* A call that returns twice begins a block, but by now the probe of the call may precede it. */
  gimple *last = cab_last_stmt (bb);
  if (last && is_gimple_call (last) && gimple_call_flags (last) & ECF_RETURNS_TWICE)
    first = last;
  gcall *call = first ? dyn_cast<gcall *> (first) : NULL;
  bool behind = call
	     && (gimple_call_builtin_p (call, BUILT_IN_SETJMP_RECEIVER)
		 || (gimple_call_flags (call) & ECF_RETURNS_TWICE));
  if (!behind)
    {
      gsi = gsi_after_labels (bb);
      gsi_insert_seq_before (&gsi, seq, GSI_SAME_STMT);
    }
  else if (!stmt_ends_bb_p (call))
    gsi_insert_seq_after (&gsi, seq, GSI_SAME_STMT);
  else
    {
      edge e;
      edge_iterator ei;
      FOR_EACH_EDGE (e, ei, bb->succs)
	if (!(e->flags & EDGE_COMPLEX))
	  {
	    gsi_insert_seq_on_edge (e, seq);
	    return;
	  }
    }
}

static bool
is_dispatcher (basic_block bb)
{
  gimple *last = cab_last_stmt (bb);
  return last && gimple_call_internal_p (last, IFN_ABNORMAL_DISPATCHER);
}

/* Return true if control arrives at BB from a call that was left before it returned, rather than by
   a computed goto only. */
static bool
is_landing (basic_block bb)
{
  edge e;
  edge_iterator ei;
  FOR_EACH_EDGE (e, ei, bb->preds)
    if (!is_ordinary (e)
	&& !(cab_last_stmt (e->src) && gimple_code (cab_last_stmt (e->src)) == GIMPLE_GOTO))
      return !is_dispatcher (bb);
  return false;
}

bool
cab_has_landings (void)
{
  basic_block bb;
  FOR_EACH_BB_FN (bb, cfun)
    if (is_landing (bb))
      return true;
  return false;
}

static bool
is_head_start (struct cab_body *body, basic_block bb)
{
  return bb != EXIT_BLOCK_PTR_FOR_FN (cfun) && body->graph.block[bb->index].head_start;
}

/* Emit the code at the heads of blocks that control reaches abnormally.  Arrivals are counted as
   executions of the block less those by its ordinary edges, which emit_edge subtracts. */
static void
emit_receivers (struct cab_body *body, struct path_values *v)
{
  basic_block bb;
  FOR_EACH_BB_FN (bb, cfun)
    if (bb->index < (int) body->graph.n_blocks && is_head_start (body, bb) && !is_dispatcher (bb))
      {
	gimple_seq seq = NULL;
	if (body->arrivals && is_landing (bb))
	  add_to_counter (body, &seq, CAB_COUNTER_ARRIVALS, NULL_TREE, PLUS_EXPR);
	start_register (body, v, &seq, bb->index);
	if (seq)
	  insert_at_arrival (bb, seq);
      }
}

static void
emit_inside_end (struct cab_body *body, struct path_values *v, basic_block bb)
{
  gimple_seq seq = NULL;
  for (unsigned i = 0; i < body->graph.n_edges; i++)
    {
      struct cab_pn_edge *e = &body->graph.edge[i];
      if (e->src == (unsigned) bb->index)
	{
	  pass_over (body, v, &seq, e);
	  break;
	}
    }
  if (!seq)
    return;
  gimple_stmt_iterator gsi = gsi_last_nondebug_bb (bb);
  if (gsi_end_p (gsi) || gimple_code (gsi_stmt (gsi)) == GIMPLE_LABEL)
    {
      gsi = gsi_after_labels (bb);
      gsi_insert_seq_before (&gsi, seq, GSI_NEW_STMT);
    }
  else
    gsi_insert_seq_before (&gsi, seq, GSI_SAME_STMT);
}

/* Emit the code of CFG edge E, unless another function emits it because of where E leads to or
   comes from. */
static void
emit_edge (struct cab_body *body, struct path_values *v, edge e)
{
  struct cab_pn_edge *plan = plan_of (body, e);
  gimple_seq seq = NULL;
  if (e->dest == EXIT_BLOCK_PTR_FOR_FN (cfun) || !is_ordinary (e))
    return;
  /* Not e->dest: the anchor's block is between ENTRY and the first block. */
  basic_block dest = BASIC_BLOCK_FOR_FN (cfun, plan->dst);
  if (!(plan->flags & CAB_PN_ABNORMAL))
    pass_over (body, v, &seq, plan);
  if (body->arrivals && is_landing (dest))
    add_to_counter (body, &seq, CAB_COUNTER_ARRIVALS, NULL_TREE, MINUS_EXPR);
  if (plan->cut && !is_head_start (body, dest))
    start_register (body, v, &seq, dest->index);
  if (!seq)
    return;
  if (e->src != ENTRY_BLOCK_PTR_FOR_FN (cfun))
    gsi_insert_seq_on_edge (e, seq);
  else
    {
      gimple_stmt_iterator gsi = gsi_for_stmt (body->anchor);
      gsi_insert_seq_before (&gsi, seq, GSI_SAME_STMT);
    }
}

static bool
written_with_end (struct cab_body *body, edge e)
{
  unsigned i;
  struct cab_end *end;
  FOR_EACH_VEC_ELT (body->ends, i, end)
    if (end->in == e)
      return true;
  return false;
}

static void
emit_ends (struct cab_body *body, struct path_values *v)
{
  unsigned i;
  struct cab_end *end;
  FOR_EACH_VEC_ELT (body->ends, i, end)
    {
      gimple_seq seq = NULL;
      if (end->in)
	{
	  pass_over (body, v, &seq, plan_of (body, end->in));
	  if (plan_of (body, end->in)->cut)
	    start_register (body, v, &seq, end->in->dest->index);
	}
      pass_over (body, v, &seq, plan_of (body, end->out));
      if (!seq)
	continue;
      if (end->on)
	gsi_insert_seq_on_edge (end->on, seq);
      else
	{
	  gimple_stmt_iterator gsi = gsi_for_stmt (end->before);
	  gsi_insert_seq_before (&gsi, seq, GSI_SAME_STMT);
	}
    }
}

static void
emit_edges (struct cab_body *body, struct path_values *v)
{
  basic_block bb;
  edge e;
  edge_iterator ei;
  auto_vec<edge> edges;
  FOR_BB_BETWEEN (bb, ENTRY_BLOCK_PTR_FOR_FN (cfun), EXIT_BLOCK_PTR_FOR_FN (cfun), next_bb)
    FOR_EACH_EDGE (e, ei, bb->succs)
      if (e->aux && !written_with_end (body, e))
	edges.safe_push (e);
  unsigned i;
  FOR_EACH_VEC_ELT (edges, i, e)
    emit_edge (body, v, e);
  FOR_EACH_BB_FN (bb, cfun)
    if (bb->index < (int) body->graph.n_blocks && ends_inside (body, bb))
      emit_inside_end (body, v, bb);
}

static void
emit_counters (struct cab_body *body)
{
  body->counters = create_tmp_reg (build_pointer_type (cab_counter_type ()), "cab_counters");
  cab_counters_emit (body->anchor, &body->row, body->counters);
}

/* Load the row's path slot, by way of the gate if the function has no number yet. */
static void
emit_slot (struct cab_body *body, struct path_values *v)
{
  gimple_stmt_iterator gsi = gsi_for_stmt (body->anchor);
  v->slot = create_tmp_reg (cab_word_type (), "cab_path_slot");
  gimple_seq seq = NULL, cold = NULL;
  tree first = cab_build_load (&seq,
			       cab_row_slot (&body->row, offsetof (struct cab_row, path_slot)));
  gimple_seq_add_stmt (&seq, gimple_build_assign (v->slot, first));
  gsi_insert_seq_before (&gsi, seq, GSI_SAME_STMT);
  cab_gate_value (&cold, "id", build_fold_addr_expr (body->row.row));
  tree again = cab_build_load (&cold,
			       cab_row_slot (&body->row, offsetof (struct cab_row, path_slot)));
  gimple_seq_add_stmt (&cold, gimple_build_assign (v->slot, again));
  cab_build_cold (&gsi, EQ_EXPR, first, cab_u64 (0), cold);
}

void
cab_paths_emit (struct cab_body *body)
{
  struct path_values v;
  memset (&v, 0, sizeof v);
  v.reg = create_tmp_reg (cab_word_type (), "cab_path");
  if (body->counts || body->entries || body->arrivals)
    emit_counters (body);
  if (body->traces)
    emit_slot (body, &v);

  gimple_seq seq = NULL;
  if (body->entries)
    add_to_counter (body, &seq, CAB_COUNTER_ENTRIES, NULL_TREE, PLUS_EXPR);
  if (!bitmap_empty_p (body->packed))   /* even where it is not in use, it is turned into an
					   event */
    gimple_seq_add_stmt (&seq, gimple_build_assign (v.reg, cab_u64 (0)));
  start_register (body, &v, &seq, ENTRY_BLOCK);
  cab_path_runs_start (body, &seq);
  cab_path_packing_start (body, &seq);
  gimple_stmt_iterator gsi = gsi_for_stmt (body->anchor);
  gsi_insert_seq_before (&gsi, seq, GSI_SAME_STMT);

  emit_ends (body, &v);
  emit_receivers (body, &v);
  emit_edges (body, &v);
}
