/* loopemit.cc - the code of loop probes.
   SPDX-License-Identifier: GPL-3.0-or-later

   Iterations are counted in a register of the function; where the compiler can compute their
   number, no counting is left in the loop.  The code for entry and exit is in blocks of its own
   on the edges. */
#include "plugin/paths/loopemit.h"
#include "plugin/emit/build.h"
#include "plugin/emit/ctx.h"
#include "plugin/emit/enqueue.h"
#include "plugin/emit/options.h"
#include "plugin/emit/plugin.h"
#include "plugin/emit/row.h"
#include "plugin/paths/body.h"
#include "plugin/paths/loopprobes.h"

static_assert (CAB_EV_LOOP - CAB_EV_PATH == 1, "a loop event is the path slot and something");
static_assert (offsetof (struct cab_row, short_loops) == 60, "the last word of the row");

#define SHORT_BITS 32

static void
assign (gimple_seq *seq, tree variable, tree value)
{
  gimple_seq_add_stmt (seq, gimple_build_assign (variable, value));
}

/* Return a reference to the row's word of short loops, for loads and stores. */
static tree
short_loops (struct cab_body *body)
{
  tree type = build_qualified_type (unsigned_type_node, TYPE_QUAL_VOLATILE);
  tree offset = build_int_cst (build_pointer_type (type), offsetof (struct cab_row, short_loops));
  tree word = build2 (MEM_REF, type, build_fold_addr_expr (body->row.row), offset);
  TREE_THIS_VOLATILE (word) = 1;
  TREE_SIDE_EFFECTS (word) = 1;
  return word;
}

static unsigned
bit_of (struct cab_loop_probe *probe)
{
  return 1u << probe->number % SHORT_BITS;
}

/* Return 0 if the last execution of the loop was long, else its bit. */
static tree
was_short (struct cab_body *body, struct cab_loop_probe *probe, gimple_seq *seq)
{
  tree word = cab_build_load (seq, short_loops (body));
  return cab_build_op (seq, BIT_AND_EXPR, word, build_int_cst (unsigned_type_node, bit_of (probe)));
}

/* Return an event of FORM, except for the function and N. */
static uint64_t
constant_part (struct cab_loop_probe *probe, enum cab_loop_form form)
{
  return (uint64_t) probe->number << CAB_EV_LOOP_SHIFT | (uint64_t) form << CAB_EV_LOOP_FORM_SHIFT
       | (CAB_EV_LOOP - CAB_EV_PATH);
}

static void
send (struct cab_body *body, struct cab_loop_probe *probe, gimple_seq *seq, enum cab_loop_form form,
      tree n)
{
  tree slot = cab_build_load (seq, cab_row_slot (&body->row, offsetof (struct cab_row, path_slot)));
  tree word = cab_build_op (seq, PLUS_EXPR, slot, cab_u64 (constant_part (probe, form)));
  if (n)
    word = cab_build_op (
      seq, PLUS_EXPR, word,
      cab_build_op (seq, LSHIFT_EXPR, n, build_int_cst (integer_type_node, CAB_EV_LOOP_N_SHIFT)));
  cab_enqueue_loop (seq, word);
}

/* Send N in FORM, before *GSI; what exceeds the field is sent before it, in FORM + 1. */
static void
send_number (struct cab_body *body, struct cab_loop_probe *probe, gimple_stmt_iterator *gsi,
	     enum cab_loop_form form, tree n)
{
  gimple_seq seq = NULL, cold = NULL;
  tree high = cab_build_op (&seq, RSHIFT_EXPR, n,
			    build_int_cst (integer_type_node, CAB_EV_LOOP_N_BITS));
  gsi_insert_seq_before (gsi, seq, GSI_SAME_STMT);
  send (body, probe, &cold, (enum cab_loop_form) (form + 1), high);
  cab_build_cold (gsi, NE_EXPR, high, cab_u64 (0), cold);
  seq = NULL;
  send (body, probe, &seq, form,
	cab_build_op (&seq, BIT_AND_EXPR, n, cab_u64 (CAB_EV_LOOP_N_MASK)));
  gsi_insert_seq_before (gsi, seq, GSI_SAME_STMT);
}

/* Insert code before *GSI that sends the time since START if START is not 0. */
static void
send_time (struct cab_body *body, struct cab_loop_probe *probe, gimple_stmt_iterator *gsi,
	   tree start)
{
  gimple_seq seq = NULL;
  tree cycles = cab_build_op (&seq, MINUS_EXPR, cab_clock (&seq), start);
  gimple *mark = gimple_build_nop ();
  gimple_seq_add_stmt (&seq, mark);
  cab_build_cold (gsi, NE_EXPR, start, cab_u64 (0), seq);
  gimple_stmt_iterator inside = gsi_for_stmt (mark);
  send_number (body, probe, &inside, CAB_LOOP_CYCLES, cycles);
  gsi_remove (&inside, true);
}

/* Insert code before *GSI that notes whether this execution was short, if that differs from the
   last one.  Threads may do so at once, because it is only a hint. */
static void
judge_length (struct cab_body *body, struct cab_loop_probe *probe, gimple_stmt_iterator *gsi,
	      tree n)
{
  gimple_seq seq = NULL, cold = NULL;
  tree before = was_short (body, probe, &seq);
  tree is_short = make_ssa_name (boolean_type_node);
  gimple_seq_add_stmt (&seq,
		       gimple_build_assign (is_short, LT_EXPR, n, cab_u64 (probe->long_from)));
  tree now = make_ssa_name (unsigned_type_node);
  gimple_seq_add_stmt (&seq, gimple_build_assign (now, NOP_EXPR, is_short));
  now = cab_build_op (&seq, LSHIFT_EXPR, now,
		      build_int_cst (integer_type_node, probe->number % SHORT_BITS));
  gsi_insert_seq_before (gsi, seq, GSI_SAME_STMT);

  tree word = cab_build_load (&cold, short_loops (body));
  tree others = cab_build_op (&cold, BIT_AND_EXPR, word,
			      build_int_cst (unsigned_type_node, ~bit_of (probe)));
  assign (&cold, short_loops (body), cab_build_op (&cold, BIT_IOR_EXPR, others, now));
  cab_build_cold (gsi, NE_EXPR, before, now, cold);
}

/* Return VALUE as one of which the compiler knows nothing.  If it knew on which paths no clock was
   read, it would copy the conditions of the program that are on them, and a nest of loops whose
   accesses depend on one condition each would not be seen as such. */
static tree
hidden (gimple_seq *seq, tree value)
{
  tree result = make_ssa_name (cab_word_type ());
  vec<tree, va_gc> *outputs = NULL, *inputs = NULL;
  vec_safe_push (outputs, cab_asm_operand ("=r", result));
  vec_safe_push (inputs, cab_asm_operand ("0", value));
  cab_asm_add (seq, "", outputs, inputs, false);
  return result;
}

static void
emit_leave (struct cab_body *body, struct cab_loop_probe *probe, gimple_stmt_iterator *gsi)
{
  gimple_seq seq = NULL;
  tree n = cab_build_load (&seq, probe->counter);
  tree start = probe->timed ? cab_build_load (&seq, probe->start) : NULL_TREE;
  if (start && cab_opts.events & CAB_EVENTS_MEMORY)
    start = hidden (&seq, start);
  gsi_insert_seq_before (gsi, seq, GSI_SAME_STMT);
  if (probe->timed)
    {
      send_time (body, probe, gsi, start);
      judge_length (body, probe, gsi, n);
    }
  send_number (body, probe, gsi, CAB_LOOP_LEFT, n);
}

static void
emit_enter (struct cab_body *body, struct cab_loop_probe *probe, gimple_stmt_iterator *gsi)
{
  gimple_seq seq = NULL, cold = NULL;
  if (probe->may_stay)
    send (body, probe, &seq, CAB_LOOP_ENTER, NULL_TREE);
  assign (&seq, probe->counter, cab_u64 (probe->at_end));
  if (!probe->timed)
    {
      gsi_insert_seq_before (gsi, seq, GSI_SAME_STMT);
      return;
    }
  assign (&seq, probe->start, cab_u64 (0));
  tree skip = was_short (body, probe, &seq);
  gsi_insert_seq_before (gsi, seq, GSI_SAME_STMT);
  assign (&cold, probe->start, cab_clock (&cold));
  cab_build_cold (gsi, EQ_EXPR, skip, build_zero_cst (unsigned_type_node), cold);
}

static void
emit_again (struct cab_loop_probe *probe, edge e)
{
  gimple_seq seq = NULL;
  tree n = cab_build_load (&seq, probe->counter);
  assign (&seq, probe->counter, cab_build_op (&seq, PLUS_EXPR, n, cab_u64 (1)));
  gsi_insert_seq_on_edge (e, seq);
}

/* Return a position in a new block on E that holds only a statement that does nothing (and the
   label of an exception's landing). */
static gimple_stmt_iterator
block_on (edge e)
{
  gimple *nop = gimple_build_nop ();
  gimple_stmt_iterator gsi = gsi_after_labels (split_edge (e));
  gsi_insert_before (&gsi, nop, GSI_SAME_STMT);
  return gsi_for_stmt (nop);
}

/* Emit the steps of one edge, from STEPS[FIRST] on; return the index of the next edge's first
   step. */
static unsigned
emit_steps (struct cab_body *body, auto_vec<struct cab_loop_step> *steps, unsigned first)
{
  edge e = (*steps)[first].on;
  unsigned end = first;
  gimple_stmt_iterator gsi = {};
  for (; end < steps->length () && (*steps)[end].on == e; end++)
    {
      struct cab_loop_step *step = &(*steps)[end];
      if (step->action == CAB_LOOP_ACTION_AGAIN)
	continue;
      if (!gsi.bb)
	gsi = block_on (e);
      if (step->action == CAB_LOOP_ACTION_LEAVE)
	emit_leave (body, step->probe, &gsi);
      else
	emit_enter (body, step->probe, &gsi);
    }
  if (gsi.bb)
    gsi_remove (&gsi, true);
  for (unsigned i = first; i < end; i++)
    if ((*steps)[i].action == CAB_LOOP_ACTION_AGAIN)
      emit_again ((*steps)[i].probe, e);
  return end;
}

void
cab_loops_emit (struct cab_body *body)
{
  auto_vec<struct cab_loop_step> steps;
  unsigned i;
  struct cab_loop_probe *probe;
  cab_loops_steps (body, &steps);
  gimple_stmt_iterator entry = gsi_for_stmt (body->anchor);
  cab_number_ensure (&entry, &body->row);
  FOR_EACH_VEC_ELT (body->loops, i, probe)
    if (!probe->skipped)
      {
	probe->counter = create_tmp_reg (cab_word_type (), "cab_iterations");
	probe->start = create_tmp_reg (cab_word_type (), "cab_start");
      }
  for (i = 0; i < steps.length ();)
    i = emit_steps (body, &steps, i);
}
