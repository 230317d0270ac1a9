/* calls.cc - an event at each entry, from which the consumer builds the calling-context tree.
   SPDX-License-Identifier: GPL-3.0-or-later

   Before a call the caller leaves its own depth and the call site in the context's call word; the callee's event is that word and
   the callee's number.  A function that calls others puts the word back as it found it when it leaves, so that foreign code that
   called it may call the next one: callbacks hang below the last instrumented caller.

   A call in tail position leaves the word as its function found it, with a mark, and aside of it the frame address and the site.
   The callee sees by the frame address whether it was jumped to (then it takes the mark off, and hangs below the function that
   jumped) or called by foreign code that was jumped to (then it leaves the mark on for the next).  See event.h.  */
#include "probe.h"

#define DEPTH_MASK (CAB_EV_ID_MASK << CAB_EV_DEPTH_SHIFT)
#define DEPTH_ONE (UINT64_C (1) << CAB_EV_DEPTH_SHIFT)
#define TAIL_BIT 3

static_assert (1 << TAIL_BIT == CAB_CALL_TAIL_MARK, "tail mark");
static_assert (CAB_EV_CALL + 8 == CAB_EV_TAIL && CAB_EV_CALL + 10 == CAB_EV_UNDER, "kinds are sums");

struct call_values
{
  tree found;   /* register variable: the word as this function found it */
  tree own;     /* what it leaves to its callees, but for the site; null if it calls nothing */
};

static tree
frame_address (gimple_seq *seq)
{
  tree address = make_ssa_name (ptr_type_node);
  gcall *call = gimple_build_call (builtin_decl_explicit (BUILT_IN_DWARF_CFA), 0);
  gimple_call_set_lhs (call, address);
  gimple_seq_add_stmt (seq, call);
  tree word = make_ssa_name (cab_word_type ());
  gimple_seq_add_stmt (seq, gimple_build_assign (word, NOP_EXPR, address));
  return word;
}

static void
assign (gimple_seq *seq, tree variable, tree value)
{
  gimple_seq_add_stmt (seq, gimple_build_assign (variable, value));
}

/* The word that was found bears the tail mark: was this function jumped to?  */
static gimple_seq
marked_entry (tree word, tree found, tree event)
{
  gimple_seq seq = NULL;
  tree cfa = frame_address (&seq);
  tree jumper = cab_ctx_load (&seq, offsetof (struct cab_ctx, tail_cfa));
  tree site = cab_ctx_load (&seq, offsetof (struct cab_ctx, tail_site));
  tree equal = make_ssa_name (boolean_type_node);
  gimple_seq_add_stmt (&seq, gimple_build_assign (equal, EQ_EXPR, cfa, jumper));
  tree direct = make_ssa_name (cab_word_type ());
  gimple_seq_add_stmt (&seq, gimple_build_assign (direct, NOP_EXPR, equal));

  tree mark = cab_build_op (&seq, LSHIFT_EXPR, direct, build_int_cst (integer_type_node, TAIL_BIT));
  tree rest = cab_build_op (&seq, MINUS_EXPR, word, mark);
  cab_ctx_store (&seq, offsetof (struct cab_ctx, call_word), rest);
  assign (&seq, found, rest);

  tree depth = cab_build_op (&seq, BIT_AND_EXPR, word, cab_u64 (DEPTH_MASK));
  tree twice = cab_build_op (&seq, LSHIFT_EXPR, direct, integer_one_node);
  tree kind = cab_build_op (&seq, MINUS_EXPR, cab_u64 (CAB_EV_UNDER - CAB_EV_CALL), twice);
  tree sum = cab_build_op (&seq, PLUS_EXPR, depth, site);
  assign (&seq, event, cab_build_op (&seq, PLUS_EXPR, sum, kind));
  return seq;
}

/* The call slot into SLOT, by way of the gate if the function has no number yet.  */
static void
load_call_slot (struct cab_body *body, gimple_stmt_iterator *gsi, tree slot)
{
  gimple_seq seq = NULL, cold = NULL;
  tree first = cab_build_load (&seq, cab_row_slot (&body->row, offsetof (struct cab_row, call_slot)));
  assign (&seq, slot, first);
  gsi_insert_seq_before (gsi, seq, GSI_SAME_STMT);
  cab_gate_value (&cold, "id", build_fold_addr_expr (body->row.row));
  assign (&cold, slot, cab_build_load (&cold, cab_row_slot (&body->row, offsetof (struct cab_row, call_slot))));
  cab_build_cold (gsi, EQ_EXPR, first, cab_u64 (0), cold);
}

static void
emit_entry (struct cab_body *body, struct call_values *values)
{
  gimple_stmt_iterator gsi = gsi_for_stmt (body->anchor);
  tree slot = create_tmp_reg (cab_word_type (), "cab_slot");
  tree event = create_tmp_reg (cab_word_type (), "cab_event");
  values->found = create_tmp_reg (cab_word_type (), "cab_found");

  load_call_slot (body, &gsi, slot);
  gimple_seq seq = NULL;
  tree word = cab_ctx_load (&seq, offsetof (struct cab_ctx, call_word));
  assign (&seq, values->found, word);
  assign (&seq, event, word);
  tree mark = cab_build_op (&seq, BIT_AND_EXPR, word, cab_u64 (CAB_CALL_TAIL_MARK));
  gsi_insert_seq_before (&gsi, seq, GSI_SAME_STMT);
  cab_build_cold (&gsi, NE_EXPR, mark, cab_u64 (0), marked_entry (word, values->found, event));

  seq = NULL;
  cab_enqueue (&seq, cab_build_op (&seq, PLUS_EXPR, slot, event));
  values->own = NULL_TREE;
  if (!body->calls.is_empty ())
    {
      tree depth = cab_build_op (&seq, BIT_AND_EXPR, values->found, cab_u64 (DEPTH_MASK));
      tree sites = cab_build_load (&seq, cab_row_slot (&body->row, offsetof (struct cab_row, site_slot)));
      tree deeper = cab_build_op (&seq, PLUS_EXPR, depth, cab_u64 (DEPTH_ONE));
      values->own = cab_build_op (&seq, PLUS_EXPR, deeper, sites);
    }
  gsi_insert_seq_before (&gsi, seq, GSI_SAME_STMT);
}

static void
emit_call (struct cab_body *body, struct call_values *values, unsigned index)
{
  gcall *call = body->calls[index].stmt;
  tree site = cab_u64 ((uint64_t) index << CAB_EV_SITE_SHIFT);
  gimple_seq seq = NULL;
  if (body->calls[index].tail)
    {
      tree base = cab_build_load (&seq, cab_row_slot (&body->row, offsetof (struct cab_row, site_slot)));
      cab_ctx_store (&seq, offsetof (struct cab_ctx, tail_site), cab_build_op (&seq, PLUS_EXPR, base, site));
      cab_ctx_store (&seq, offsetof (struct cab_ctx, tail_cfa), frame_address (&seq));
      tree marked = cab_build_op (&seq, BIT_IOR_EXPR, values->found, cab_u64 (CAB_CALL_TAIL_MARK));
      cab_ctx_store (&seq, offsetof (struct cab_ctx, call_word), marked);
    }
  else
    cab_ctx_store (&seq, offsetof (struct cab_ctx, call_word), cab_build_op (&seq, PLUS_EXPR, values->own, site));
  gimple_stmt_iterator gsi = gsi_for_stmt (call);
  gsi_insert_seq_before (&gsi, seq, GSI_SAME_STMT);
}

static void
emit_end (struct call_values *values, struct cab_end *end)
{
  if (end->tail)
    return;
  gimple_seq seq = NULL;
  tree found = make_ssa_name (cab_word_type ());
  gimple_seq_add_stmt (&seq, gimple_build_assign (found, values->found));
  cab_ctx_store (&seq, offsetof (struct cab_ctx, call_word), found);
  if (end->on)
    gsi_insert_seq_on_edge (end->on, seq);
  else
    {
      gimple_stmt_iterator gsi = gsi_for_stmt (end->before);
      gsi_insert_seq_before (&gsi, seq, GSI_SAME_STMT);
    }
}

void
cab_calls_emit (struct cab_body *body)
{
  struct call_values values;
  emit_entry (body, &values);
  bool leaves_word = false;
  for (unsigned i = 0; i < body->calls.length (); i++)
    {
      emit_call (body, &values, i);
      leaves_word |= !body->calls[i].tail;
    }
  unsigned i;
  struct cab_end *end;
  if (leaves_word)
    FOR_EACH_VEC_ELT (body->ends, i, end)
      emit_end (&values, end);
}
