/* allocator_pointers.cc - calls through pointers that may reach malloc, calloc, realloc or free:
   tables of hooks, as libraries have them.
   SPDX-License-Identifier: GPL-3.0-or-later

   A call of the right type is recorded if it reaches one of these, which is checked when it
   happens: the addresses are in a table that each module has (stub.cc), by weak references, so
   that a program without these functions links as before.  If the pointer leads to a function
   of the program's own, that records its calls itself. */
#include "plugin/memory/allocator_pointers.h"
#include "plugin/emit/build.h"
#include "plugin/emit/ctx.h"
#include "plugin/emit/plugin.h"
#include "plugin/emit/root.h"

enum known { MALLOC, CALLOC, REALLOC, FREE, N_KNOWN };

/* In the order of the table __cab_known. */
static const char *const names[N_KNOWN] = { "malloc", "calloc", "realloc", "free" };

static bool
is_pointer_to_void (tree type)
{
  return POINTER_TYPE_P (type) && VOID_TYPE_P (TREE_TYPE (type));
}

static bool
is_size (tree type)
{
  return TREE_CODE (type) == INTEGER_TYPE && TYPE_UNSIGNED (type)
      && TYPE_PRECISION (type) == TYPE_PRECISION (size_type_node);
}

/* Return which of these functions has the function type TYPE, or N_KNOWN. */
static enum known
of_type (tree type)
{
  tree first = TYPE_ARG_TYPES (type), second = first ? TREE_CHAIN (first) : NULL_TREE;
  if (TREE_CODE (type) != FUNCTION_TYPE || !second || stdarg_p (type))
    return N_KNOWN;
  bool none_behind = VOID_TYPE_P (TREE_VALUE (second));
  tree result = TREE_TYPE (type);
  if (none_behind)
    return is_pointer_to_void (result) && is_size (TREE_VALUE (first)) ? MALLOC
	   : VOID_TYPE_P (result) && is_pointer_to_void (TREE_VALUE (first)) ? FREE : N_KNOWN;
  tree third = TREE_CHAIN (second);
  if (!third || !VOID_TYPE_P (TREE_VALUE (third)) || !is_pointer_to_void (result)
      || !is_size (TREE_VALUE (second)))
    return N_KNOWN;
  return is_size (TREE_VALUE (first)) ? CALLOC
       : is_pointer_to_void (TREE_VALUE (first)) ? REALLOC
       : N_KNOWN;
}

static enum known
of_call (gimple *stmt)
{
  gcall *call = dyn_cast<gcall *> (stmt);
  if (!call || gimple_call_internal_p (call) || TREE_CODE (gimple_call_fn (call)) != SSA_NAME)
    return N_KNOWN;
  return of_type (gimple_call_fntype (call));
}

const char *
cab_allocator_name (gimple *stmt)
{
  enum known known = of_call (stmt);
  return known == N_KNOWN ? NULL : names[known];
}

/* Return a reference to the word of the table for KNOWN. */
static tree
address_of (enum known known)
{
  static tree table;
  if (!table)
    {
      table = build_decl (UNKNOWN_LOCATION, VAR_DECL, get_identifier ("__cab_known"),
			  build_array_type_nelts (cab_word_type (), N_KNOWN));
      TREE_PUBLIC (table) = DECL_EXTERNAL (table) = DECL_ARTIFICIAL (table) = DECL_IGNORED_P (table)
	= TREE_USED (table) = 1;
      TREE_ADDRESSABLE (table) = 1;
      DECL_VISIBILITY (table) = VISIBILITY_HIDDEN;
      DECL_VISIBILITY_SPECIFIED (table) = 1;
      table = cab_root (table);
    }
  return build4 (ARRAY_REF, cab_word_type (), table, size_int (known), NULL_TREE, NULL_TREE);
}

void
cab_allocator_tell (gimple_stmt_iterator *gsi, gcall *call, gimple_seq seq)
{
  gimple_seq before = NULL, made = NULL;
  tree there = cab_build_load (&before, address_of (of_call (call)));
  tree callee = force_gimple_operand (fold_convert (cab_word_type (), gimple_call_fn (call)), &made,
				      true, NULL_TREE);
  gimple_seq_add_seq (&before, made);
  gsi_insert_seq_before (gsi, before, GSI_SAME_STMT);
  cab_build_cold (gsi, EQ_EXPR, callee, there, seq);
}
