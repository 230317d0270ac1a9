/* access_value.cc - the value that an access reads or writes, where the compiler has it in a
   register or knows it.
   SPDX-License-Identifier: GPL-3.0-or-later

   Recorded are values that the statement itself names: the constant or register that it stores,
   the register that it loads into, operands and results of atomic builtins.  To find out what
   it does not name (copies of aggregates, ranges, memory operands of asm statements) would take
   another access. */
#include "plugin/memory/access_value.h"
#include "plugin/emit/ctx.h"
#include "plugin/memory/access.h"
#include "plugin/memory/plan.h"

/* Where an atomic builtin has the value: in an argument that it stores, in its result, or always
   0. */
enum source
{
  NOWHERE,
  ARGUMENT,
  RESULT,
  RESULT_BEFORE,   /* the result is what was there before */
  ZERO
};

static enum source
source_of (enum built_in_function code)
{
#define FAMILY(name, source) \
  case BUILT_IN_##name##_1: \
  case BUILT_IN_##name##_2: \
  case BUILT_IN_##name##_4: \
  case BUILT_IN_##name##_8: \
  case BUILT_IN_##name##_16: \
    return source;
  switch (code)
    {
    FAMILY (ATOMIC_LOAD, RESULT)
    FAMILY (ATOMIC_STORE, ARGUMENT)
    FAMILY (ATOMIC_EXCHANGE, ARGUMENT)
    FAMILY (ATOMIC_ADD_FETCH, RESULT)
    FAMILY (ATOMIC_SUB_FETCH, RESULT)
    FAMILY (ATOMIC_AND_FETCH, RESULT)
    FAMILY (ATOMIC_NAND_FETCH, RESULT)
    FAMILY (ATOMIC_XOR_FETCH, RESULT)
    FAMILY (ATOMIC_OR_FETCH, RESULT)
    FAMILY (ATOMIC_FETCH_ADD, RESULT_BEFORE)
    FAMILY (ATOMIC_FETCH_SUB, RESULT_BEFORE)
    FAMILY (ATOMIC_FETCH_AND, RESULT_BEFORE)
    FAMILY (ATOMIC_FETCH_NAND, RESULT_BEFORE)
    FAMILY (ATOMIC_FETCH_XOR, RESULT_BEFORE)
    FAMILY (ATOMIC_FETCH_OR, RESULT_BEFORE)
    FAMILY (SYNC_FETCH_AND_ADD, RESULT_BEFORE)
    FAMILY (SYNC_FETCH_AND_SUB, RESULT_BEFORE)
    FAMILY (SYNC_FETCH_AND_OR, RESULT_BEFORE)
    FAMILY (SYNC_FETCH_AND_AND, RESULT_BEFORE)
    FAMILY (SYNC_FETCH_AND_XOR, RESULT_BEFORE)
    FAMILY (SYNC_FETCH_AND_NAND, RESULT_BEFORE)
    FAMILY (SYNC_ADD_AND_FETCH, RESULT)
    FAMILY (SYNC_SUB_AND_FETCH, RESULT)
    FAMILY (SYNC_OR_AND_FETCH, RESULT)
    FAMILY (SYNC_AND_AND_FETCH, RESULT)
    FAMILY (SYNC_XOR_AND_FETCH, RESULT)
    FAMILY (SYNC_NAND_AND_FETCH, RESULT)
    FAMILY (SYNC_VAL_COMPARE_AND_SWAP, RESULT_BEFORE)
    FAMILY (SYNC_LOCK_TEST_AND_SET, ARGUMENT)
    FAMILY (SYNC_LOCK_RELEASE, ZERO)
    case BUILT_IN_ATOMIC_TEST_AND_SET: return RESULT_BEFORE;
    case BUILT_IN_ATOMIC_CLEAR: return ZERO;
    default: return NOWHERE;
    }
#undef FAMILY
}

/* Return the register with the result of CALL, which is added if the result was unused. */
static tree
result_of (gcall *call)
{
  tree lhs = gimple_call_lhs (call);
  if (!lhs)
    {
      lhs = make_ssa_name (gimple_call_return_type (call), call);
      gimple_call_set_lhs (call, lhs);
      update_stmt (call);
    }
  return TREE_CODE (lhs) == SSA_NAME ? lhs : NULL_TREE;
}

static void
of_atomic (struct cab_memory_access *access, gcall *call)
{
  enum source source = source_of (DECL_FUNCTION_CODE (gimple_call_fndecl (call)));
  bool result = source == RESULT || source == RESULT_BEFORE;
  if (result && stmt_ends_bb_p (call))
    return;
  access->value = result ? result_of (call)
		: source == ARGUMENT ? gimple_call_arg (call, 1)
		: source == ZERO ? size_zero_node
		: NULL_TREE;
  access->value_after = result;
  access->value_before = source == RESULT_BEFORE;
}

/* The value of a compare-exchange is what was there before. */
static void
of_exchange (struct cab_memory_access *access, gcall *call)
{
  tree lhs = gimple_call_lhs (call);
  if (!lhs || TREE_CODE (lhs) != SSA_NAME || stmt_ends_bb_p (call))
    return;
  access->value = build1 (REALPART_EXPR, TREE_TYPE (TREE_TYPE (lhs)), lhs);
  access->value_after = access->value_before = true;
}

static void
of_assign (struct cab_memory_access *access, gimple *stmt)
{
  tree lhs = gimple_assign_lhs (stmt), rhs = gimple_assign_rhs1 (stmt);
  if (access->ref == lhs && is_gimple_val (rhs) && is_gimple_reg_type (TREE_TYPE (rhs)))
    access->value = rhs;
  else if (access->ref == rhs && TREE_CODE (lhs) == SSA_NAME && !stmt_ends_bb_p (stmt))
    {
      access->value = lhs;
      access->value_after = true;
    }
}

/* Return the type of the scalar that stands for VALUE, which is the real part of a complex
   number. */
static tree
scalar_type (tree value)
{
  tree type = TREE_TYPE (value);
  return TREE_CODE (type) == COMPLEX_TYPE ? TREE_TYPE (type) : type;
}

static HOST_WIDE_INT
bytes_of (tree type)
{
  return tree_fits_shwi_p (TYPE_SIZE_UNIT (type)) ? tree_to_shwi (TYPE_SIZE_UNIT (type)) : 0;
}

static bool
is_decimal (tree type)
{
  return DECIMAL_FLOAT_MODE_P (TYPE_MODE (type));
}

/* Return the V line's letter for a value of TYPE, or 0 if such values are not recorded. */
static char
letter_of (tree type)
{
  HOST_WIDE_INT bytes = bytes_of (type);
  bool whole = bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
  /* a large _BitInt */
  if (INTEGRAL_TYPE_P (type) && TYPE_MODE (type) == BLKmode)
    return 0;
  if (INTEGRAL_TYPE_P (type) || POINTER_TYPE_P (type) || TREE_CODE (type) == OFFSET_TYPE)
    return TYPE_UNSIGNED (type) || POINTER_TYPE_P (type) ? 'u' : 's';
  if (TREE_CODE (type) == REAL_TYPE && !is_decimal (type) && bytes >= 4)
    return bytes == 4 ? 'f' : 'd';
  if (TREE_CODE (type) == REAL_TYPE)
    return whole ? 'b' : 0;
  if (TREE_CODE (type) == VECTOR_TYPE && !VECTOR_BOOLEAN_TYPE_P (type))
    return whole || (VECTOR_MODE_P (TYPE_MODE (type)) && bytes > 8 && bytes % 8 == 0) ? 'b' : 0;
  return 0;
}

bool
cab_value_is_told (tree type)
{
  return letter_of (type);
}

void
cab_value_find (struct cab_memory_access *access)
{
  gimple *stmt = access->stmt;
  gcall *call = dyn_cast<gcall *> (stmt);
  if (call && gimple_call_internal_p (call, IFN_ATOMIC_COMPARE_EXCHANGE))
    of_exchange (access, call);
  else if (call && gimple_call_builtin_p (call, BUILT_IN_NORMAL))
    of_atomic (access, call);
  else if (access->ref && gimple_assign_single_p (stmt))
    of_assign (access, stmt);
  if (access->value && !letter_of (scalar_type (access->value)))
    access->value = NULL_TREE;
}

void
cab_value_letters (const struct cab_memory_access *access, char to[4])
{
  tree type = TREE_TYPE (access->value);
  *to++ = letter_of (scalar_type (access->value));
  if (TREE_CODE (type) == COMPLEX_TYPE || bytes_of (type) > 8)
    *to++ = 'w';
  if (access->value_before)
    *to++ = 'o';
  *to = 0;
}

/* Return the bits of VALUE, of BYTES bytes, as a number; only those of the first 8 bytes if there
   are more.  Statements that are needed for that are added to SEQ: GCC takes a part only of a
   value as it is, not of one seen as another type. */
static tree
bits_of (gimple_seq *seq, tree value, HOST_WIDE_INT bytes)
{
  tree word = cab_word_type ();
  if (bytes <= 8)
    return build1 (VIEW_CONVERT_EXPR, build_nonstandard_integer_type (bytes * BITS_PER_UNIT, true),
		   value);
  tree words = build_vector_type (word, bytes / 8);
  tree seen = cab_access_value (seq, build1 (VIEW_CONVERT_EXPR, words, value));
  return build3 (BIT_FIELD_REF, word, seen, bitsize_int (64), bitsize_int (0));
}

/* The word is a copy, because the register that VALUE is in may be assigned again before it is
   sent. */
tree
cab_value_word (gimple_seq *seq, tree value)
{
  tree word = cab_word_type (), type = scalar_type (value);
  if (TREE_CODE (TREE_TYPE (value)) == COMPLEX_TYPE)
    value = cab_access_value (seq, fold_build1 (REALPART_EXPR, type, value));
  char letter = letter_of (type);
  if (letter == 'd' && bytes_of (type) > 8)
    {
      value = cab_access_value (seq, fold_convert (double_type_node, value));
      type = double_type_node;
    }
  if (letter == 'u' || letter == 's')
    value = fold_convert (word, value);
  else
    value = fold_convert (word, cab_access_value (seq, bits_of (seq, value, bytes_of (type))));
  tree copy = make_ssa_name (word);
  gimple_seq_add_stmt (seq, gimple_build_assign (copy, cab_access_value (seq, value)));
  return copy;
}
