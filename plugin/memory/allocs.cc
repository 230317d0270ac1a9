/* allocs.cc - calls that allocate, release and move memory, and the probes that record them.
   SPDX-License-Identifier: GPL-3.0-or-later

   A release is sent before the call, so that a call in tail position stays one; an allocation
   is sent right after the call, where control arrives if nothing was thrown.  Only probes of
   calls through pointers branch (allocator_pointers.cc): a call that failed is sent with address 0
   (event.h). */
#include "plugin/memory/allocs.h"
#include "plugin/emit/build.h"
#include "plugin/emit/ctx.h"
#include "plugin/emit/enqueue.h"
#include "plugin/emit/plugin.h"
#include "plugin/emit/record_text.h"
#include "plugin/emit/row.h"
#include "plugin/emit/enqueue_words.h"
#include "plugin/memory/access_strings.h"
#include "plugin/memory/allocators.h"
#include "plugin/memory/allocator_pointers.h"
#include "plugin/memory/place.h"
#include "plugin/memory/plan.h"
#include "plugin/memory/names/pointer_names.h"
#include "plugin/memory/names/access_name.h"
#include "plugin/memory/names/struct_record.h"

static struct cab_allocators table;

void
cab_allocs_read (const char *path)
{
  char text[CAB_ALLOCATORS_ERROR_BYTES];
  if (cab_allocators_read (&table, path, text))
    error ("%s", text);
  cab_opts.allocators_sum = cab_allocators_sum (&table);
}

static bool
is_word (tree type)
{
  return POINTER_TYPE_P (type) || (INTEGRAL_TYPE_P (type) && TYPE_PRECISION (type) <= 64);
}

/* Return true if CALL has the arguments and the result that HOW refers to. */
static bool
fits (gcall *call, const struct cab_allocator *how)
{
  const unsigned positions[] = { how->size, how->count, how->pointer, how->result };
  if (gimple_call_num_args (call) < cab_allocator_arguments (how))
    return false;
  for (unsigned position : positions)
    if (position && !is_word (TREE_TYPE (gimple_call_arg (call, position - 1))))
      return false;
  return how->kind == CAB_ALLOCATOR_RELEASES || is_word (gimple_call_return_type (call));
}

static const struct cab_allocator *
named (gimple *stmt)
{
  tree callee = is_gimple_call (stmt) ? gimple_call_fndecl (stmt) : NULL_TREE;
  if (!callee || !DECL_ASSEMBLER_NAME_SET_P (callee))
    return NULL;
  return cab_allocators_find (
    &table, targetm.strip_name_encoding (IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (callee))));
}

const struct cab_allocator *
cab_allocator_of (gimple *stmt)
{
  const char *known = cab_allocator_name (stmt);
  const struct cab_allocator *how = known ? cab_allocators_find (&table, known) : named (stmt);
  return how && fits (as_a<gcall *> (stmt), how) ? how : NULL;
}

void
cab_allocs_find (struct cab_memory *m)
{
  basic_block bb;
  FOR_EACH_BB_FN (bb, cfun)
    for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi); gsi_next (&gsi))
      if (const struct cab_allocator *how = cab_allocator_of (gsi_stmt (gsi)))
	{
	  struct cab_allocation allocation = { as_a<gcall *> (gsi_stmt (gsi)), how,
					       m->allocations.length () };
	  m->allocations.safe_push (allocation);
	}
      else if (named (gsi_stmt (gsi)))
	warning_at (gimple_location (gsi_stmt (gsi)), 0,
		    "cabprof: %qD: its arguments are not what the table of allocators says: the "
		    "call is not recorded",
		    gimple_call_fndecl (gsi_stmt (gsi)));
}

/* Return what a pointer of TYPE points to, or null if that says nothing. */
static tree
pointed (tree type)
{
  return POINTER_TYPE_P (type) && !VOID_TYPE_P (TREE_TYPE (type))
	 ? TYPE_MAIN_VARIANT (TREE_TYPE (type))
	 : NULL_TREE;
}

/* Return what USE reveals about the type that POINTER, an untyped pointer, points to, or null. */
static tree
told_by_use (gimple *use, tree pointer)
{
  if (gimple_assign_single_p (use) && gimple_assign_rhs1 (use) == pointer)
    return pointed (TREE_TYPE (gimple_assign_lhs (use)));
  if (gimple_assign_cast_p (use))
    return pointed (TREE_TYPE (gimple_assign_lhs (use)));
  if (gimple_assign_single_p (use))
    {
      tree base = get_base_address (gimple_store_p (use) ? gimple_assign_lhs (use)
							 : gimple_assign_rhs1 (use));
      tree type = base && TREE_CODE (base) == MEM_REF && TREE_OPERAND (base, 0) == pointer
		  ? TREE_TYPE (base)
		  : NULL_TREE;
      if (type && (RECORD_OR_UNION_TYPE_P (type) || TREE_CODE (type) == ARRAY_TYPE))
	return TYPE_MAIN_VARIANT (strip_array_types (type));
    }
  if (is_gimple_call (use) && gimple_call_num_args (use) && gimple_call_arg (use, 0) == pointer
      && gimple_call_fndecl (use)
      && TREE_CODE (TREE_TYPE (gimple_call_fndecl (use))) == METHOD_TYPE)
    return pointed (TREE_VALUE (TYPE_ARG_TYPES (TREE_TYPE (gimple_call_fndecl (use)))));
  return NULL_TREE;
}

static tree
argument (const struct cab_allocation *allocation, unsigned position)
{
  return gimple_call_arg (allocation->call, position - 1);
}

/* Return true if the allocation is as large as one TYPE. */
static bool
is_one (const struct cab_allocation *allocation, tree type)
{
  const struct cab_allocator *how = allocation->how;
  return how->size && !how->count && TYPE_SIZE_UNIT (type)
      && operand_equal_p (argument (allocation, how->size), TYPE_SIZE_UNIT (type), 0);
}

/* Return the type of what is allocated, from where the result goes; null if it is unknown.  One
   that is as large as the block is preferred to others, such as that of a base class or of a
   member. */
static tree
type_of (const struct cab_allocation *allocation)
{
  tree to = gimple_call_lhs (allocation->call);
  if (allocation->how->kind == CAB_ALLOCATOR_RELEASES)
    return pointed (TREE_TYPE (gimple_call_arg (allocation->call, allocation->how->pointer - 1)));
  if (allocation->how->result)
    {
      to = gimple_call_arg (allocation->call, allocation->how->result - 1);
      return TREE_CODE (to) == ADDR_EXPR ? pointed (TREE_TYPE (TREE_OPERAND (to, 0))) : NULL_TREE;
    }
  tree type = to ? pointed (TREE_TYPE (to)) : NULL_TREE;
  use_operand_p operand;
  imm_use_iterator uses;
  if (to && TREE_CODE (to) == SSA_NAME)
    FOR_EACH_IMM_USE_FAST (operand, uses, to)
      if (!is_gimple_debug (USE_STMT (operand)))
	{
	  tree told = told_by_use (USE_STMT (operand), to);
	  if (told && (!type || (is_one (allocation, told) && !is_one (allocation, type))))
	    type = told;
	}
  return type || !to || TREE_CODE (to) != SSA_NAME ? type : cab_kept_type (to);
}

char *
cab_allocs_type_name (tree type, bool many)
{
  tree inner = type;
  unsigned stars = 0;
  for (; inner && POINTER_TYPE_P (inner); inner = TREE_TYPE (inner))
    stars++;
  const char *name = inner ? cab_type_name (strip_array_types (inner)) : NULL;
  if (!name)
    return xstrdup ("?");
  char *text = xasprintf ("%s%s%.*s%s", name, stars ? " " : "", stars > 4 ? 4 : stars, "****",
			  many ? "[]" : "");
  char *escaped = cab_escaped (text);
  free (text);
  return escaped;
}

static char *
type_name (const struct cab_allocation *allocation)
{
  tree type = type_of (allocation);
  return cab_allocs_type_name (type, type && allocation->how->kind != CAB_ALLOCATOR_RELEASES
				       && !is_one (allocation, type));
}

/* Return the assembler name of what CALL calls, or the name it is recorded under; malloc'ed,
   escaped. */
static char *
callee_name (gcall *call)
{
  tree decl = gimple_call_fndecl (call);
  return cab_escaped (
    decl ? targetm.strip_name_encoding (IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (decl)))
	 : cab_allocator_name (call));
}

void
cab_allocs_record (struct cab_memory *m)
{
  for (unsigned i = 0; i < m->allocations.length (); i++)
    {
      const struct cab_allocation *allocation = &m->allocations[i];
      char structure[CAB_STRUCT_BYTES];
      char *name = callee_name (allocation->call), *type = type_name (allocation);
      cab_record_put (&m->lines, "M\t%u\t", i);
      cab_memory_put_place (m, cab_memory_place_of (allocation->call));
      cab_struct_of_type (type_of (allocation), structure);
      cab_record_put (&m->lines, "\t%s\t%s\t%s\n", name, type, structure);
      free (type);
      free (name);
    }
}

/* Return VALUE as a word: a constant, or a register. */
static tree
as_word (gimple_seq *seq, tree value)
{
  gimple_seq made = NULL;
  tree word = force_gimple_operand (fold_convert (cab_word_type (), value), &made, true, NULL_TREE);
  gimple_seq_add_seq (seq, made);
  return word;
}

/* Return YES if A CODE B, else NO. */
static tree
choose (gimple_seq *seq, enum tree_code code, tree a, tree b, tree yes, tree no)
{
  tree condition = make_ssa_name (boolean_type_node), result = make_ssa_name (TREE_TYPE (yes));
  gimple_seq_add_stmt (seq, gimple_build_assign (condition, code, a, b));
  gimple_seq_add_stmt (seq, gimple_build_assign (result, COND_EXPR, condition, yes, no));
  return result;
}

/* Return A * B, or the largest number, which no memory has, if that overflows. */
static tree
product (gimple_seq *seq, tree a, tree b)
{
  tree both = make_ssa_name (build_complex_type (cab_word_type ()));
  tree low = make_ssa_name (cab_word_type ()), high = make_ssa_name (cab_word_type ());
  gcall *multiply = gimple_build_call_internal (IFN_MUL_OVERFLOW, 2, a, b);
  gimple_call_set_lhs (multiply, both);
  gimple_seq_add_stmt (seq, multiply);
  gimple_seq_add_stmt (
    seq, gimple_build_assign (low, REALPART_EXPR, build1 (REALPART_EXPR, cab_word_type (), both)));
  gimple_seq_add_stmt (
    seq, gimple_build_assign (high, IMAGPART_EXPR, build1 (IMAGPART_EXPR, cab_word_type (), both)));
  return choose (seq, NE_EXPR, high, cab_u64 (0), cab_u64 (HOST_WIDE_INT_M1U), low);
}

/* Return the length of the string at ADDRESS, plus 1; ADDRESS may be null. */
static tree
string_bytes (gimple_seq *seq, tree address)
{
  tree empty = build_string_literal (1, "");
  gimple_seq made = NULL;
  tree literal = force_gimple_operand (fold_convert (cab_word_type (), empty), &made, true,
				       NULL_TREE);
  gimple_seq_add_seq (seq, made);
  tree there = choose (seq, NE_EXPR, address, cab_u64 (0), address, literal),
       pointer = make_ssa_name (const_ptr_type_node);
  gimple_seq_add_stmt (seq, gimple_build_assign (pointer, NOP_EXPR, there));
  return cab_build_op (seq, PLUS_EXPR, cab_string_length (seq, pointer, NULL_TREE), cab_u64 (1));
}

static tree
bytes_of (gimple_seq *seq, const struct cab_allocation *allocation, tree address)
{
  const struct cab_allocator *how = allocation->how;
  if (!how->size)
    return string_bytes (seq, address);
  tree size = as_word (seq, argument (allocation, how->size));
  return how->count ? product (seq, size, as_word (seq, argument (allocation, how->count))) : size;
}

/* Return the result of the call. */
static tree
result_of (gimple_seq *seq, const struct cab_allocation *allocation)
{
  tree lhs = gimple_call_lhs (allocation->call);
  return as_word (seq,
		  TREE_CODE (lhs) == SSA_NAME ? lhs : cab_build_load (seq, unshare_expr (lhs)));
}

/* Return the address of the new block, or 0. */
static tree
new_address (gimple_seq *seq, const struct cab_allocation *allocation)
{
  const struct cab_allocator *how = allocation->how;
  tree result = result_of (seq, allocation);
  if (how->fails_minus_one)
    return choose (seq, EQ_EXPR, result, cab_u64 (HOST_WIDE_INT_M1U), cab_u64 (0), result);
  if (!how->result)
    return result;
  /* a word that any type may alias */
  tree any = build_pointer_type_for_mode (cab_word_type (), VOIDmode, true);
  /* without a prototype the argument may be a number */
  gimple_seq made = NULL;
  tree pointer = force_gimple_operand (
    fold_convert (ptr_type_node, unshare_expr (argument (allocation, how->result))), &made, true,
    NULL_TREE);
  gimple_seq_add_seq (seq, made);
  tree there = cab_build_load (seq,
			       build2 (MEM_REF, cab_word_type (), pointer, build_int_cst (any, 0)));
  return choose (seq, EQ_EXPR, result, cab_u64 (0), there, cab_u64 (0));
}

static void
enqueue (gimple_seq *seq, struct cab_memory *m, unsigned number, enum cab_access_form form,
	 const vec<tree> &words)
{
  tree header = cab_access_header (seq, &m->row, number, form, words.length ());
  cab_enqueue_words (seq, header, words);
}

/* Insert SEQ, which records CALL, before *GSI. */
static void
insert_before (gimple_stmt_iterator *gsi, gcall *call, gimple_seq seq)
{
  if (cab_allocator_name (call))
    cab_allocator_tell (gsi, call, seq);
  else
    gsi_insert_seq_before (gsi, seq, GSI_SAME_STMT);
}

static void
emit_before (struct cab_memory *m, const struct cab_allocation *allocation)
{
  gimple_stmt_iterator gsi = gsi_for_stmt (allocation->call);
  gimple_seq seq = NULL;
  auto_vec<tree> words;
  words.safe_push (as_word (&seq, argument (allocation, allocation->how->pointer)));
  enqueue (&seq, m, allocation->number, CAB_ACCESS_RELEASED, words);
  insert_before (&gsi, allocation->call, seq);
}

/* Insert SEQ right after CALL, or on the edge that control takes when nothing was thrown. */
static void
insert_behind (gcall *call, gimple_seq seq)
{
  gimple_stmt_iterator gsi = gsi_for_stmt (call);
  gimple *anchor = gimple_build_nop ();
  edge behind = find_fallthru_edge (gimple_bb (call)->succs);
  if (!stmt_ends_bb_p (call))
    gsi_insert_after (&gsi, anchor, GSI_NEW_STMT);
  else if (!behind)
    return;
  else if (cab_allocator_name (call))
    {
      gsi = gsi_after_labels (split_edge (behind));
      gsi_insert_before (&gsi, anchor, GSI_NEW_STMT);
    }
  else
    {
      gsi_insert_seq_on_edge (behind, seq);
      return;
    }
  insert_before (&gsi, call, seq);
  gsi = gsi_for_stmt (anchor);
  gsi_remove (&gsi, true);
}

/* Return what the call moves, read before the call: a use of the pointer after it is to GCC one of
   released memory, and it warns of that (-Wuse-after-free). */
static tree
moved (const struct cab_allocation *allocation)
{
  gimple_stmt_iterator gsi = gsi_for_stmt (allocation->call);
  gimple_seq seq = NULL;
  tree word = as_word (&seq, argument (allocation, allocation->how->pointer));
  gsi_insert_seq_before (&gsi, seq, GSI_SAME_STMT);
  return word;
}

static void
emit_behind (struct cab_memory *m, const struct cab_allocation *allocation)
{
  gcall *call = allocation->call;
  bool moves = allocation->how->kind == CAB_ALLOCATOR_MOVES;
  gimple_seq seq = NULL;
  auto_vec<tree> words;
  if (gimple_call_noreturn_p (call) || gimple_call_must_tail_p (call))
    return;
  if (!gimple_call_lhs (call))
    {
      gimple_call_set_lhs (call, make_ssa_name (gimple_call_return_type (call), call));
      update_stmt (call);
    }
  tree address = new_address (&seq, allocation), bytes = bytes_of (&seq, allocation, address);
  if (moves)
    words.safe_push (moved (allocation));
  words.safe_push (address);
  words.safe_push (bytes);
  enqueue (&seq, m, allocation->number, moves ? CAB_ACCESS_MOVED : CAB_ACCESS_ALLOCATED, words);
  insert_behind (call, seq);
}

void
cab_allocs_emit (struct cab_memory *m)
{
  for (const struct cab_allocation &allocation : m->allocations)
    if (allocation.how->kind == CAB_ALLOCATOR_RELEASES)
      emit_before (m, &allocation);
    else
      emit_behind (m, &allocation);
}
