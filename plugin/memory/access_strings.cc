/* access_strings.cc - calls of the C library that copy strings, and how much they copied; and
   calls whose accesses are not visible.
   SPDX-License-Identifier: GPL-3.0-or-later

   The calls stay what they are: a program may define stpcpy, or any function that GCC would not
   call in its place.  stpcpy and stpncpy return where the copy ends.  After the others, and
   before strcat, inserted assembly measures the string that is there; the accesses belong to
   that assembly. */
#include "plugin/memory/access_strings.h"
#include "plugin/emit/ctx.h"
#include "plugin/memory/access_find.h"
#include "plugin/memory/plan.h"
#include "plugin/paths/tails.h"
#include "cabprof/info.h"

#define MARK "#string"

static bool
is_defined_here (tree fndecl)
{
  struct cgraph_node *node = cgraph_node::get (fndecl);
  return node && node->definition;
}

/* Return the builtin that STMT, a call with at least ARGUMENTS arguments, goes to; END_BUILTINS if
   there is none, or the program defines the function. */
static enum built_in_function
library_call (gimple *stmt, unsigned arguments)
{
  if (!gimple_call_builtin_p (stmt, BUILT_IN_NORMAL) || gimple_call_num_args (stmt) < arguments
      || is_defined_here (gimple_call_fndecl (stmt)))
    return END_BUILTINS;
  return DECL_FUNCTION_CODE (gimple_call_fndecl (stmt));
}

/* Return true if the length of a copy by CODE is known from the string that is there after it. */
static bool
is_measured (enum built_in_function code)
{
  switch (code)
    {
    case BUILT_IN_STRCPY:
    case BUILT_IN_STRCPY_CHK:
    case BUILT_IN_STRCAT:
    case BUILT_IN_STRCAT_CHK:
    case BUILT_IN_STRNCPY:
    case BUILT_IN_STRNCPY_CHK:
      return true;
    default:
      return false;
    }
}

static bool
is_bounded (enum built_in_function code)
{
  return code == BUILT_IN_STRNCPY || code == BUILT_IN_STRNCPY_CHK;
}

static bool
appends (enum built_in_function code)
{
  return code == BUILT_IN_STRCAT || code == BUILT_IN_STRCAT_CHK;
}

static bool
returns_end (enum built_in_function code)
{
  return code == BUILT_IN_STPCPY || code == BUILT_IN_STPCPY_CHK || code == BUILT_IN_STPNCPY
      || code == BUILT_IN_STPNCPY_CHK;
}

/* Return a reference to the characters from POINTER on, with no known bound. */
static tree
characters (tree pointer)
{
  tree type = build_array_type (char_type_node, NULL_TREE);
  return build2 (MEM_REF, type, pointer, build_int_cst (build_pointer_type (type), 0));
}

tree
cab_string_length (gimple_seq *seq, tree pointer, tree most)
{
  static const char text[] = MARK
    "\n\txorl\t@%k0, @%k0\n1:\tcmpb\t$0, (@%1,@%0)\n\tje\t2f\n\taddq\t$1, @%0\n\tjmp\t1b\n2:";
  static const char bounded[] = MARK
    "\n\txorl\t@%k0, @%k0\n1:\tcmpq\t@%3, @%0\n\tje\t2f\n\tcmpb\t$0, "
    "(@%1,@%0)\n\tje\t2f\n\taddq\t$1, @%0\n\t"
    "jmp\t1b\n2:";
  tree length = make_ssa_name (cab_word_type ());
  vec<tree, va_gc> *outputs = NULL, *inputs = NULL;
  vec_safe_push (outputs, cab_asm_operand ("=&r", length));
  vec_safe_push (inputs, cab_asm_operand ("r", pointer));
  vec_safe_push (inputs, cab_asm_operand ("m", characters (pointer)));
  if (most)
    vec_safe_push (inputs, cab_asm_operand ("r", most));
  cab_asm_add (seq, most ? bounded : text, outputs, inputs, false);
  return length;
}

bool
cab_string_is_measure (gimple *stmt)
{
  gasm *text = stmt ? dyn_cast<gasm *> (stmt) : NULL;
  return text && !strncmp (gimple_asm_string (text), MARK, strlen (MARK));
}

/* Return the statement before or after STMT in its block, as STEP goes, or null. */
static gimple *
neighbour (gimple *stmt, void (*step) (gimple_stmt_iterator *))
{
  gimple_stmt_iterator gsi = gsi_for_stmt (stmt);
  step (&gsi);
  return gsi_end_p (gsi) ? NULL : gsi_stmt (gsi);
}

static tree
length_of (gimple *measure)
{
  return TREE_VALUE (gimple_asm_output_op (as_a<gasm *> (measure), 0));
}

bool
cab_string_copied (gimple *measure, struct cab_string_copy *copy)
{
  gimple *stmt = neighbour (measure, gsi_prev_nondebug),
	 *next = neighbour (measure, gsi_next_nondebug);
  *copy = {};
  if (next && appends (library_call (next, 2)))
    {
      copy->call = as_a<gcall *> (next);
      copy->start = length_of (measure);
      return true;
    }
  if (!stmt || !is_measured (library_call (stmt, 2)))
    return false;
  enum built_in_function code = library_call (stmt, 2);
  copy->call = as_a<gcall *> (stmt);
  copy->end = length_of (measure);
  copy->most = is_bounded (code) ? gimple_call_arg (stmt, 2) : NULL_TREE;
  copy->start = appends (code) ? length_of (neighbour (stmt, gsi_prev_nondebug)) : NULL_TREE;
  return true;
}

/* Insert a measurement of the string at CALL's first argument, of MOST bytes, after *GSI or before
   it. */
static void
measure (gimple_stmt_iterator *gsi, gcall *call, tree most, bool behind)
{
  gimple_seq seq = NULL;
  tree word = most ? fold_convert (cab_word_type (), most) : NULL_TREE;
  if (word)
    word = force_gimple_operand (word, &seq, true, NULL_TREE);
  if (seq)
    gsi_insert_seq_before (gsi, seq, GSI_SAME_STMT);
  seq = NULL;
  cab_string_length (&seq, gimple_call_arg (call, 0), word);
  gimple_set_location (gimple_seq_first_stmt (seq), gimple_location (call));
  if (behind)
    gsi_insert_seq_after (gsi, seq, GSI_NEW_STMT);
  else
    gsi_insert_seq_before (gsi, seq, GSI_SAME_STMT);
}

/* Return the statement that is executed right after STMT, or null, as GCC looks for it. */
static gimple *
following (gimple *stmt)
{
  gimple *next = neighbour (stmt, gsi_next_nondebug);
  if (next || !single_succ_p (gimple_bb (stmt)))
    return next;
  gimple_stmt_iterator gsi = gsi_start_nondebug_after_labels_bb (single_succ (gimple_bb (stmt)));
  return gsi_end_p (gsi) ? NULL : gsi_stmt (gsi);
}

/* Return the variable or pointer that REF, an address or a place in memory, is a part of. */
static tree
base_of (tree ref)
{
  tree base = get_base_address (TREE_CODE (ref) == ADDR_EXPR ? TREE_OPERAND (ref, 0) : ref);
  return base && TREE_CODE (base) == MEM_REF ? TREE_OPERAND (base, 0) : base ? base : ref;
}

/* Suppress a warning that GCC would not give without a measurement: it does not warn of a CALL of
   strncpy that may leave no terminator if a store to what it wrote comes next, and it would not see
   that store. */
static void
keep_warning (gcall *call)
{
  gimple *next = following (call);
  if (next && gimple_store_p (next)
      && operand_equal_p (base_of (gimple_get_lhs (next)), base_of (gimple_call_arg (call, 0)), 0))
    cab_suppress_warning (call, OPT_Wstringop_truncation);
}

/* Make the length of STMT's copy of a string known.  Return false if there is nothing to do, or it
   is not possible. */
static bool
tell_length (gimple_stmt_iterator *gsi, gimple *stmt)
{
  enum built_in_function code = library_call (stmt, 2);
  bool end = returns_end (code) && !gimple_call_lhs (stmt);
  if ((!end && !is_measured (code)) || stmt_ends_bb_p (stmt) || cab_call_must_jump (stmt)
      || !POINTER_TYPE_P (TREE_TYPE (gimple_call_arg (stmt, 0))))
    return false;
  gcall *call = as_a<gcall *> (stmt);
  if (end)
    {
      gimple_call_set_lhs (call, make_ssa_name (gimple_call_return_type (call)));
      update_stmt (call);
      return true;
    }
  if (appends (code))
    measure (gsi, call, NULL_TREE, false);
  if (is_bounded (code))
    keep_warning (call);
  measure (gsi, call, is_bounded (code) ? gimple_call_arg (call, 2) : NULL_TREE, true);
  return true;
}

void
cab_strings_tell (function *fn)
{
  bool any = false;
  basic_block bb;
  FOR_EACH_BB_FN (bb, fn)
    for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi); gsi_next (&gsi))
      any |= tell_length (&gsi, gsi_stmt (gsi));
  if (any)
    update_ssa (TODO_update_ssa);
}

/* Return true if CALL goes to a function of a library that gets an address to read or write at. */
static bool
takes_address (gcall *call)
{
  tree fndecl = gimple_call_fndecl (call);
  const char *name = IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (fndecl));
  if (!strncmp (name + (*name == '*'), "__builtin_", 10) || is_defined_here (fndecl))
    return false;
  for (unsigned i = 0; i < gimple_call_num_args (call); i++)
    if (POINTER_TYPE_P (TREE_TYPE (gimple_call_arg (call, i))))
      return !(gimple_call_flags (call) & ECF_CONST);
  return false;
}

const char *
cab_strings_unseen (gimple *stmt)
{
  if (!gimple_call_builtin_p (stmt, BUILT_IN_NORMAL) || !takes_address (as_a<gcall *> (stmt)))
    return NULL;
  switch (DECL_FUNCTION_CODE (gimple_call_fndecl (stmt)))
    {
    case BUILT_IN_FREE:
    case BUILT_IN_REALLOC:
      return NULL;
    default:
      break;
    }
  gimple *next = neighbour (stmt, gsi_next_nondebug);
  if (is_measured (library_call (stmt, 2)) && cab_string_is_measure (next))
    return NULL;
  auto_vec<struct cab_memory_access> found;
  cab_access_all_of (stmt, &found);
  for (struct cab_memory_access &access : found)
    free (access.name);
  return found.is_empty () ? IDENTIFIER_POINTER (DECL_NAME (gimple_call_fndecl (stmt))) : NULL;
}
