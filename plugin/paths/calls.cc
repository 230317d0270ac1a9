/* calls.cc - the event at each entry, from which the consumer builds the calling-context tree.
   SPDX-License-Identifier: GPL-3.0-or-later

   Before a call the caller stores its own depth and the call site in the context's call word; the
   callee's event is that word and the callee's number.  A function that calls others restores the
   word that it found when it leaves, so that foreign code that called it may call the next one:
   callbacks are attached to the last instrumented caller.

   A call in tail position leaves the word as its function found it, with a mark, and stores the
   frame address and the site beside it.  The callee sees by the frame address and by the target
   whether it was jumped to (then it removes the mark, and is attached to the function that jumped),
   or called by foreign code that was jumped to (then it leaves the mark for the next one), or
   whether that code has returned since, and the mark is stale (then it is an ordinary call).  See
   event.h.

   In a function that realigns its stack GCC's frame address is not the canonical one, but a lower
   one, by no more than the alignment and the return address; the return address itself is right.
   So a frame address that is near also counts, if the return addresses agree.

   With times, each event has one, and each activation sends its end: before its return, or before
   the jump of a call in tail position.  What was left before it returned ends with the next event.

   With option context each activation sends its end, too.  One that was left before it returned
   could not restore the word: the activation that continues below it sees that by the word, and
   sends the end for all that are gone. */
#include "plugin/paths/calls.h"
#include "plugin/emit/build.h"
#include "plugin/emit/ctx.h"
#include "plugin/emit/enqueue_words.h"
#include "plugin/emit/options.h"
#include "plugin/emit/plugin.h"
#include "plugin/emit/row.h"
#include "plugin/emit/filter.h"
#include "plugin/paths/body.h"
#include "plugin/paths/loopprobes.h"

#define DEPTH_MASK (CAB_EV_ID_MASK << CAB_EV_DEPTH_SHIFT)
#define DEPTH_ONE (UINT64_C (1) << CAB_EV_DEPTH_SHIFT)
#define TAIL_BIT 3

static_assert (1 << TAIL_BIT == CAB_CALL_TAIL_MARK, "tail mark");

struct call_values
{
  tree found;   /* register variable: the word as this function found it */
  bool calls;   /* it calls others, and not only in tail position */
  tree own;     /* what it stores for its callees, except the site */
  tree deeper;  /* OWN without its range of sites: the depth alone */
};

static bool
is_timed (void)
{
  return cab_opts.events & CAB_EVENTS_TIME;
}

bool
cab_calls_tell_ends (void)
{
  return cab_opts.context || is_timed ();
}

/* Append the store of EVENT, with the time if that is recorded. */
static void
send (gimple_seq *seq, tree event)
{
  if (is_timed ())
    cab_enqueue_timed (seq, event);
  else
    cab_enqueue (seq, event);
}

/* Return VALUE, an address or a boolean, as a word. */
static tree
word_of (gimple_seq *seq, tree value)
{
  tree word = make_ssa_name (cab_word_type ());
  gimple_seq_add_stmt (seq, gimple_build_assign (word, NOP_EXPR, value));
  return word;
}

/* Append CALL, of a builtin, and return its result as a word. */
static tree
address_word (gimple_seq *seq, gcall *call)
{
  tree address = make_ssa_name (ptr_type_node);
  gimple_call_set_lhs (call, address);
  gimple_seq_add_stmt (seq, call);
  return word_of (seq, address);
}

static tree
frame_address (gimple_seq *seq)
{
  return address_word (seq, gimple_build_call (builtin_decl_explicit (BUILT_IN_DWARF_CFA), 0));
}

static tree
return_address (gimple_seq *seq)
{
  tree decl = builtin_decl_explicit (BUILT_IN_RETURN_ADDRESS);
  return address_word (seq, gimple_build_call (decl, 1, build_zero_cst (unsigned_type_node)));
}

/* Return true if the function DECL may be entered by its address, as signal handlers and callbacks
   are. */
static bool
has_address (tree decl)
{
  cgraph_node *node = cgraph_node::get (decl);
  return TREE_PUBLIC (decl) || (node && node->address_taken);
}

/* Return the target word of a jump to this function: its address, if others may enter it by that,
   such as a signal handler that ran before, else CAB_TAIL_PROBED. */
static tree
own_target (gimple_seq *seq)
{
  return has_address (cfun->decl) ? word_of (seq, build_fold_addr_expr (cfun->decl))
				  : cab_u64 (CAB_TAIL_PROBED);
}

static void
assign (gimple_seq *seq, tree variable, tree value)
{
  gimple_seq_add_stmt (seq, gimple_build_assign (variable, value));
}

/* Return the code that interprets a found word with the tail mark. */
static gimple_seq
marked_entry (tree word, tree found, tree event)
{
  gimple_seq seq = NULL;
  tree frame = frame_address (&seq), back = return_address (&seq), target = own_target (&seq), rest;
  assign (&seq, event, cab_gate_tail (&seq, word, target, back, frame, &rest));
  assign (&seq, found, rest);
  return seq;
}

/* Load the call slot into SLOT, by way of the gate if the function has no number yet. */
static void
load_call_slot (struct cab_body *body, gimple_stmt_iterator *gsi, tree slot)
{
  gimple_seq seq = NULL, cold = NULL;
  tree first = cab_build_load (&seq,
			       cab_row_slot (&body->row, offsetof (struct cab_row, call_slot)));
  assign (&seq, slot, first);
  gsi_insert_seq_before (gsi, seq, GSI_SAME_STMT);
  cab_gate_value (&cold, "id", build_fold_addr_expr (body->row.row));
  assign (&cold, slot,
	  cab_build_load (&cold, cab_row_slot (&body->row, offsetof (struct cab_row, call_slot))));
  cab_build_cold (gsi, EQ_EXPR, first, cab_u64 (0), cold);
}

/* Return the word that this function stores for its callees, except the site.  It is stored before
   the entry event: a signal handler that runs in between, or before the first call, is attached to
   this function and does not take its place. */
static tree
own_word (struct call_values *values, struct cab_body *body, gimple_seq *seq)
{
  tree depth = cab_build_op (seq, BIT_AND_EXPR, values->found, cab_u64 (DEPTH_MASK));
  values->deeper = cab_build_op (seq, PLUS_EXPR, depth, cab_u64 (DEPTH_ONE));
  cab_ctx_store (seq, offsetof (struct cab_ctx, call_word), values->deeper);
  tree sites = cab_build_load (seq,
			       cab_row_slot (&body->row, offsetof (struct cab_row, site_slot)));
  return cab_build_op (seq, PLUS_EXPR, values->deeper, sites);
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
  values->own = values->calls ? own_word (values, body, &seq) : NULL_TREE;
  send (&seq, cab_build_op (&seq, PLUS_EXPR, slot, event));
  gsi_insert_seq_before (&gsi, seq, GSI_SAME_STMT);
}

/* Return the word by which the target of CALL, a jump, recognises that it was meant: its address,
   if it has one that others may know as well. */
static tree
target_word (gimple_seq *seq, gcall *call)
{
  tree decl = gimple_call_fndecl (call), fn = gimple_call_fn (call);
  /* For a virtual call the method is an operand beside the pointer, which only calls may have. */
  if (!decl)
    return word_of (seq, TREE_CODE (fn) == OBJ_TYPE_REF ? OBJ_TYPE_REF_EXPR (fn) : fn);
  enum availability available = AVAIL_NOT_AVAILABLE;
  cgraph_node *node = cgraph_node::get (decl);
  node = node ? node->ultimate_alias_target (&available) : NULL;
  if (node && available > AVAIL_INTERPOSABLE && gimple_has_body_p (node->decl))
    {
      if (cab_skip_reason (DECL_STRUCT_FUNCTION (node->decl)))
	return cab_u64 (CAB_TAIL_FOREIGN);
      return has_address (node->decl) ? word_of (seq, build_fold_addr_expr (node->decl))
				      : cab_u64 (CAB_TAIL_PROBED);
    }
  return fndecl_built_in_p (decl) ? cab_u64 (CAB_TAIL_FOREIGN)
				  : word_of (seq, build_fold_addr_expr (decl));
}

/* Return code that sends the resumption of this activation if the word shows that activations above
   it were left before they returned. */
static gimple_seq
resume_code (struct call_values *values)
{
  gimple_seq seq = NULL;
  tree word = cab_ctx_load (&seq, offsetof (struct cab_ctx, call_word));
  tree differs = cab_build_op (&seq, BIT_XOR_EXPR, word, values->deeper);
  differs = cab_build_op (&seq, BIT_AND_EXPR, differs, cab_u64 (DEPTH_MASK | CAB_CALL_TAIL_MARK));
  cab_enqueue_if (&seq, cab_build_op (&seq, PLUS_EXPR, values->deeper, cab_u64 (CAB_EV_RESUME)),
		  differs);
  return seq;
}

/* Insert the resumption after CALL, for each way it returns except by an exception.  It is not
   placed in CALL's block if CALL is the last statement there, because paths that end at calls end
   before the last statement. */
static void
emit_resume_behind (struct call_values *values, gcall *call)
{
  gimple_stmt_iterator gsi = gsi_for_stmt (call), next = gsi;
  edge e;
  edge_iterator ei;
  if (gimple_call_noreturn_p (call))
    return;
  gsi_next_nondebug (&next);
  if (!gsi_end_p (next))
    gsi_insert_seq_after (&gsi, resume_code (values), GSI_NEW_STMT);
  else
    FOR_EACH_EDGE (e, ei, gimple_bb (call)->succs)
      if (!(e->flags & EDGE_COMPLEX))
	gsi_insert_seq_on_edge (e, resume_code (values));
}

/* Insert the resumption where exceptions land in BB, before what else is sent there, which is on
   the edges if paths or loops are sent. */
static void
emit_resume_landing (struct cab_body *body, struct call_values *values, basic_block bb)
{
  edge e;
  edge_iterator ei;
  bool lands = false;
  FOR_EACH_EDGE (e, ei, bb->preds)
    if (e->flags & EDGE_EH)
      {
	lands = true;
	if (body->traces || cab_loops_any (body))
	  gsi_insert_seq_on_edge (e, resume_code (values));
      }
  if (!lands || body->traces || cab_loops_any (body))
    return;
  gimple_stmt_iterator gsi = gsi_after_labels (bb);
  gsi_insert_seq_before (&gsi, resume_code (values), GSI_SAME_STMT);
}

/* Insert the resumption in BB if functions that are nested in this one jump to it. */
static void
emit_resume_receiver (struct call_values *values, basic_block bb)
{
  gimple *first = first_stmt (bb);
  glabel *label = first ? dyn_cast<glabel *> (first) : NULL;
  gimple_stmt_iterator gsi = gsi_after_labels (bb);
  if (label && DECL_NONLOCAL (gimple_label_label (label)))
    gsi_insert_seq_before (&gsi, resume_code (values), GSI_SAME_STMT);
  for (gsi = gsi_start_bb (bb); !gsi_end_p (gsi); gsi_next (&gsi))
    if (gimple_call_builtin_p (gsi_stmt (gsi), BUILT_IN_SETJMP_RECEIVER))
      gsi_insert_seq_after (&gsi, resume_code (values), GSI_CONTINUE_LINKING);
}

static void
emit_resumes (struct cab_body *body, struct call_values *values)
{
  basic_block bb;
  auto_vec<basic_block> blocks;
  unsigned i;
  for (i = 0; i < body->calls.length (); i++)
    if (!body->calls[i].tail)
      emit_resume_behind (values, body->calls[i].stmt);
  FOR_EACH_BB_FN (bb, cfun)
    blocks.safe_push (bb);
  FOR_EACH_VEC_ELT (blocks, i, bb)
    {
      emit_resume_landing (body, values, bb);
      emit_resume_receiver (values, bb);
    }
}

/* Append the event of the end of an activation of BODY that found the word FOUND.  With times it
   has the function's number. */
static void
tell_end (struct cab_body *body, gimple_seq *seq, tree found)
{
  tree mark = cab_build_op (seq, BIT_AND_EXPR, found, cab_u64 (CAB_CALL_TAIL_MARK));
  tree under = cab_build_op (seq, LSHIFT_EXPR, mark,
			     build_int_cst (integer_type_node, CAB_EV_DEPTH_SHIFT - TAIL_BIT));
  tree depth = cab_build_op (seq, BIT_AND_EXPR, found, cab_u64 (DEPTH_MASK));
  tree left = cab_build_op (seq, PLUS_EXPR, depth, under);
  unsigned kind = CAB_EV_RESUME;
  if (is_timed ())
    {
      tree slot = cab_build_load (seq,
				  cab_row_slot (&body->row, offsetof (struct cab_row, call_slot)));
      left = cab_build_op (seq, PLUS_EXPR, left, slot);
      kind -= CAB_EV_CALL;
    }
  send (seq, cab_build_op (seq, PLUS_EXPR, left, cab_u64 (kind)));
}

static void
emit_call (struct cab_body *body, struct call_values *values, unsigned index)
{
  gcall *call = body->calls[index].stmt;
  tree site = cab_u64 ((uint64_t) index << CAB_EV_SITE_SHIFT);
  gimple_seq seq = NULL;
  if (body->calls[index].tail)
    {
      if (is_timed ())
	tell_end (body, &seq, values->found);
      tree base = cab_build_load (&seq,
				  cab_row_slot (&body->row, offsetof (struct cab_row, site_slot)));
      cab_ctx_store (&seq, offsetof (struct cab_ctx, tail_site),
		     cab_build_op (&seq, PLUS_EXPR, base, site));
      cab_ctx_store (&seq, offsetof (struct cab_ctx, tail_cfa), frame_address (&seq));
      cab_ctx_store (&seq, offsetof (struct cab_ctx, tail_return), return_address (&seq));
      cab_ctx_store (&seq, offsetof (struct cab_ctx, tail_target), target_word (&seq, call));
      tree marked = cab_build_op (&seq, BIT_IOR_EXPR, values->found, cab_u64 (CAB_CALL_TAIL_MARK));
      cab_ctx_store (&seq, offsetof (struct cab_ctx, call_word), marked);
    }
  else
    cab_ctx_store (&seq, offsetof (struct cab_ctx, call_word),
		   cab_build_op (&seq, PLUS_EXPR, values->own, site));
  gimple_stmt_iterator gsi = gsi_for_stmt (call);
  gsi_insert_seq_before (&gsi, seq, GSI_SAME_STMT);
}

static void
emit_end (struct cab_body *body, struct cab_end *end)
{
  if (end->tail)
    return;
  gimple_seq seq = NULL;
  tree found = make_ssa_name (cab_word_type ());
  gimple_seq_add_stmt (&seq, gimple_build_assign (found, body->found));
  cab_ctx_store (&seq, offsetof (struct cab_ctx, call_word), found);
  if (cab_calls_tell_ends ())
    tell_end (body, &seq, found);
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
  struct call_values values = {};
  unsigned i;
  /* A signal handler may be called at any point, so where ends are sent every function counts as a
     caller. */
  values.calls = cab_calls_tell_ends ();
  for (i = 0; i < body->calls.length (); i++)
    values.calls |= !body->calls[i].tail;
  emit_entry (body, &values);
  for (i = 0; i < body->calls.length (); i++)
    emit_call (body, &values, i);
  if (cab_opts.context)
    emit_resumes (body, &values);
  if (values.calls)
    body->found = values.found;
}

void
cab_calls_prepare (struct cab_body *body)
{
  unsigned i;
  struct cab_end *end;
  FOR_EACH_VEC_ELT (body->ends, i, end)
    if (end->on)
      {
	basic_block bb = split_edge (end->on);
	gimple_stmt_iterator gsi = gsi_after_labels (bb);
	end->before = gimple_build_nop ();
	end->on = NULL;
	gsi_insert_before (&gsi, end->before, GSI_SAME_STMT);
      }
}

void
cab_calls_emit_ends (struct cab_body *body)
{
  unsigned i;
  struct cab_end *end;
  if (body->found)
    FOR_EACH_VEC_ELT (body->ends, i, end)
      emit_end (body, end);
}
