/* access_find.cc - which memory a statement accesses.
   SPDX-License-Identifier: GPL-3.0-or-later

   Recorded are the operands in memory of assignments, atomic builtins and asm statements,
   results of calls that the caller stores, and what those functions of the C library touch
   whose range the call gives exactly.  Aggregates that calls take and return by value are not
   recorded: their place is a matter between the caller and the callee. */
#include "plugin/memory/access_find.h"
#include "plugin/emit/ctx.h"
#include "plugin/emit/options.h"
#include "plugin/memory/access_address.h"
#include "plugin/memory/access_filter.h"
#include "plugin/memory/access_strings.h"
#include "plugin/memory/access_value.h"
#include "plugin/memory/plan.h"
#include "plugin/memory/names/access_name.h"
#include "plugin/paths/tails.h"

#define MOST_STEPS 4   /* from a load to what is computed from it */

static void
add (vec<struct cab_memory_access> *found, struct cab_memory_access access)
{
  if (access.bytes || access.length)
    found->safe_push (access);
  else
    free (access.name);
}

static tree
plus (tree a, tree b)
{
  return fold_build2 (PLUS_EXPR, cab_word_type (), a, fold_convert (cab_word_type (), b));
}

/* Return true if DECL is in registers.  That includes what a function returns in them, even where
   the front end has taken its address (coroutines). */
static bool
is_register (tree decl)
{
  return is_gimple_reg (decl) || (VAR_P (decl) && DECL_HARD_REGISTER (decl))
	 || (TREE_CODE (decl) == RESULT_DECL && !aggregate_value_p (decl, cfun->decl));
}

/* Return the address of BASE, which is not a component of anything, or null if it is not in
   memory. */
static tree
base_address (tree base)
{
  if (TREE_CODE (base) == MEM_REF)
    {
      tree pointer = TREE_OPERAND (base, 0),
	   address = fold_convert (cab_word_type (), unshare_expr (pointer));
      if (TREE_CODE (pointer) == ADDR_EXPR && DECL_P (TREE_OPERAND (pointer, 0))
	  && is_register (TREE_OPERAND (pointer, 0)))
	return NULL_TREE;
      return integer_zerop (TREE_OPERAND (base, 1)) ? address
						    : plus (address, TREE_OPERAND (base, 1));
    }
  if (TREE_CODE (base) == TARGET_MEM_REF)
    return fold_convert (cab_word_type (), build_fold_addr_expr (unshare_expr (base)));
  if (TREE_CODE (base) == RESULT_DECL || TREE_CODE (base) == PARM_DECL || VAR_P (base))
    {
      if (is_register (base))
	return NULL_TREE;
      return fold_convert (cab_word_type (), cab_access_address (base));
    }
  if (TREE_CODE (base) == STRING_CST || TREE_CODE (base) == CONST_DECL)
    return fold_convert (cab_word_type (), build_fold_addr_expr (base));
  return NULL_TREE;
}

/* Return what is accessed for REF: a bit-field is accessed by way of the bytes that the compiler
   has set aside for it and its neighbours. */
static tree
whole_field (tree ref)
{
  if (TREE_CODE (ref) != COMPONENT_REF || !DECL_BIT_FIELD (TREE_OPERAND (ref, 1)))
    return ref;
  tree representative = DECL_BIT_FIELD_REPRESENTATIVE (TREE_OPERAND (ref, 1));
  return representative ? build3 (COMPONENT_REF, TREE_TYPE (representative), TREE_OPERAND (ref, 0),
				  representative, NULL_TREE)
			: ref;
}

/* Return true if REF, whose base is BASE, is the profiler's own memory. */
static bool
is_ours (tree ref, tree base)
{
  if (TREE_TYPE (ref) == cab_counter_type ())
    return true;
  if (TREE_CODE (base) == MEM_REF && TREE_CODE (TREE_OPERAND (base, 0)) == ADDR_EXPR)
    base = TREE_OPERAND (TREE_OPERAND (base, 0), 0);
  return VAR_P (base) && DECL_ARTIFICIAL (base) && DECL_NAME (base)
      && !strncmp (IDENTIFIER_POINTER (DECL_NAME (base)), "__cab_", 6);
}

/* Return FLAGS with the additions that REF makes.  A store to a part of WHOLE, the bytes around a
   bit-field, reads these first. */
static const char *
flags_of (tree ref, tree whole, const char *flags)
{
  bool reads = *flags == 'r'
	    || (ref != whole
		&& !operand_equal_p (TYPE_SIZE (TREE_TYPE (whole)),
				     DECL_SIZE (TREE_OPERAND (ref, 1)), 0));
  if (TREE_THIS_VOLATILE (ref))
    return *flags == 'r' ? "rv" : reads ? "rwv" : "wv";
  return *flags == 'w' && reads ? "rw" : flags;
}

/* Add the access to REF, which is read or written as FLAGS say. */
static void
add_ref (vec<struct cab_memory_access> *found, gimple *stmt, tree ref, const char *flags,
	 bool after)
{
  poly_int64 bits, position;
  tree offset;
  machine_mode mode;
  int unsigned_p, reversed_p, volatile_p;
  tree whole = whole_field (ref);
  tree base = get_inner_reference (whole, &bits, &position, &offset, &mode, &unsigned_p,
				   &reversed_p, &volatile_p);
  tree address = base_address (base);
  HOST_WIDE_INT n_bits, at;
  if (!address || is_ours (ref, base) || !bits.is_constant (&n_bits) || !position.is_constant (&at)
      || n_bits <= 0)
    return;
  if (offset)
    address = plus (address, unshare_expr (offset));
  HOST_WIDE_INT bytes = at >> LOG2_BITS_PER_UNIT, rest = at - (bytes << LOG2_BITS_PER_UNIT);
  if (bytes)
    address = plus (address, size_int (bytes));
  struct cab_memory_access access = {};
  access.stmt = stmt;
  access.ref = ref;
  access.address = address;
  access.bytes = CEIL (rest + n_bits, BITS_PER_UNIT);
  access.flags = flags_of (ref, whole, flags);
  access.after = after;
  access.name = cab_access_name (ref, false, access.bytes);
  add (found, access);
}

/* Add the access to LENGTH bytes from POINTER on. */
static void
add_range (vec<struct cab_memory_access> *found, gimple *stmt, tree pointer, tree length,
	   const char *flags, bool after)
{
  struct cab_memory_access access = {};
  access.stmt = stmt;
  access.pointer = pointer;
  access.address = fold_convert (cab_word_type (), unshare_expr (pointer));
  if (tree_fits_uhwi_p (length))
    access.bytes = tree_to_uhwi (length);
  else
    access.length = fold_convert (cab_word_type (), length);
  access.flags = flags;
  access.after = after;
  access.name = cab_access_name (pointer, true, access.bytes);
  add (found, access);
}

/* Set *BYTES to the size of the atomic builtin CODE and *FLAGS to how it accesses what its first
   argument points to.  Return false if CODE is none. */
static bool
atomic_access (enum built_in_function code, unsigned *bytes, const char **flags)
{
#define FAMILY(name, how) \
  case BUILT_IN_##name##_1: \
  case BUILT_IN_##name##_2: \
  case BUILT_IN_##name##_4: \
  case BUILT_IN_##name##_8: \
  case BUILT_IN_##name##_16: \
    *bytes = code == BUILT_IN_##name##_1 ? 1 \
	   : code == BUILT_IN_##name##_2 ? 2 \
	   : code == BUILT_IN_##name##_4 ? 4 \
	   : code == BUILT_IN_##name##_8 ? 8 \
	   : 16; \
    *flags = how; \
    return true;
  switch (code)
    {
    FAMILY (ATOMIC_LOAD, "rt")
    FAMILY (ATOMIC_STORE, "wt")
    FAMILY (ATOMIC_EXCHANGE, "rwt")
    FAMILY (ATOMIC_COMPARE_EXCHANGE, "rwt")
    FAMILY (ATOMIC_ADD_FETCH, "rwt")
    FAMILY (ATOMIC_SUB_FETCH, "rwt")
    FAMILY (ATOMIC_AND_FETCH, "rwt")
    FAMILY (ATOMIC_NAND_FETCH, "rwt")
    FAMILY (ATOMIC_XOR_FETCH, "rwt")
    FAMILY (ATOMIC_OR_FETCH, "rwt")
    FAMILY (ATOMIC_FETCH_ADD, "rwt")
    FAMILY (ATOMIC_FETCH_SUB, "rwt")
    FAMILY (ATOMIC_FETCH_AND, "rwt")
    FAMILY (ATOMIC_FETCH_NAND, "rwt")
    FAMILY (ATOMIC_FETCH_XOR, "rwt")
    FAMILY (ATOMIC_FETCH_OR, "rwt")
    FAMILY (SYNC_FETCH_AND_ADD, "rwt")
    FAMILY (SYNC_FETCH_AND_SUB, "rwt")
    FAMILY (SYNC_FETCH_AND_OR, "rwt")
    FAMILY (SYNC_FETCH_AND_AND, "rwt")
    FAMILY (SYNC_FETCH_AND_XOR, "rwt")
    FAMILY (SYNC_FETCH_AND_NAND, "rwt")
    FAMILY (SYNC_ADD_AND_FETCH, "rwt")
    FAMILY (SYNC_SUB_AND_FETCH, "rwt")
    FAMILY (SYNC_OR_AND_FETCH, "rwt")
    FAMILY (SYNC_AND_AND_FETCH, "rwt")
    FAMILY (SYNC_XOR_AND_FETCH, "rwt")
    FAMILY (SYNC_NAND_AND_FETCH, "rwt")
    FAMILY (SYNC_BOOL_COMPARE_AND_SWAP, "rwt")
    FAMILY (SYNC_VAL_COMPARE_AND_SWAP, "rwt")
    FAMILY (SYNC_LOCK_TEST_AND_SET, "rwt")
    FAMILY (SYNC_LOCK_RELEASE, "wt")
    case BUILT_IN_ATOMIC_TEST_AND_SET:
      *bytes = 1, *flags = "rwt";
      return true;
    case BUILT_IN_ATOMIC_CLEAR:
      *bytes = 1, *flags = "wt";
      return true;
    default:
      return false;
    }
#undef FAMILY
}

static void
add_string_length (vec<struct cab_memory_access> *found, gcall *call)
{
  tree length = gimple_call_lhs (call);
  if (length && TREE_CODE (length) == SSA_NAME)
    add_range (found, call, gimple_call_arg (call, 0),
	       plus (fold_convert (cab_word_type (), length), size_one_node), "r", true);
}

/* Return the number of bytes of a string that was copied to TO, where the copy ends at END,
   including the terminator. */
static tree
bytes_copied (tree end, tree to)
{
  return plus (fold_build2 (MINUS_EXPR, cab_word_type (), fold_convert (cab_word_type (), end),
			    fold_convert (cab_word_type (), to)),
	       size_one_node);
}

/* Add the accesses of stpcpy, which returns where the string that it has copied ends. */
static void
add_string_copy (vec<struct cab_memory_access> *found, gcall *call)
{
  tree end = gimple_call_lhs (call), to = gimple_call_arg (call, 0);
  if (!end || TREE_CODE (end) != SSA_NAME)
    return;
  tree length = bytes_copied (end, to);
  add_range (found, call, gimple_call_arg (call, 1), length, "r", true);
  add_range (found, call, to, length, "w", true);
}

/* Add the accesses of stpncpy, which writes as many bytes as its third argument says, and reads at
   most that many, up to the end of the string, which it returns. */
static void
add_bounded_copy (vec<struct cab_memory_access> *found, gcall *call)
{
  tree end = gimple_call_lhs (call), to = gimple_call_arg (call, 0),
       most = gimple_call_arg (call, 2);
  if (end && TREE_CODE (end) == SSA_NAME)
    {
      tree length = fold_build2 (MIN_EXPR, cab_word_type (), bytes_copied (end, to),
				 fold_convert (cab_word_type (), most));
      add_range (found, call, gimple_call_arg (call, 1), length, "r", true);
    }
  add_range (found, call, to, most, "w", end != NULL_TREE);
}

/* Add the accesses of a copy of a string that MEASURE, beside the call, has measured. */
static void
of_measure (vec<struct cab_memory_access> *found, gasm *measure)
{
  struct cab_string_copy copy;
  if (!cab_string_copied (measure, &copy))
    return;
  tree to = gimple_call_arg (copy.call, 0), from = gimple_call_arg (copy.call, 1);
  if (!copy.end)
    {
      add_range (found, measure, to, plus (copy.start, size_one_node), "r", true);
      return;
    }
  tree bytes = plus (copy.start ? fold_build2 (MINUS_EXPR, cab_word_type (), copy.end, copy.start)
				: copy.end,
		     size_one_node);
  if (copy.most)
    bytes = fold_build2 (MIN_EXPR, cab_word_type (), bytes,
			 fold_convert (cab_word_type (), copy.most));
  add_range (found, measure, from, bytes, "r", true);
  add_range (found, measure, to, copy.most ? copy.most : bytes, "w", true);
  if (copy.start && !found->is_empty ())
    found->last ().address = plus (found->last ().address, copy.start);
}

static void
of_builtin (vec<struct cab_memory_access> *found, gcall *call)
{
  enum built_in_function code = DECL_FUNCTION_CODE (gimple_call_fndecl (call));
  unsigned bytes;
  const char *flags;
  if (atomic_access (code, &bytes, &flags))
    {
      add_range (found, call, gimple_call_arg (call, 0), size_int (bytes), flags, false);
      return;
    }
  switch (code)
    {
    case BUILT_IN_MEMCPY:
    case BUILT_IN_MEMMOVE:
    case BUILT_IN_MEMPCPY:
    case BUILT_IN_MEMCPY_CHK:
    case BUILT_IN_MEMMOVE_CHK:
    case BUILT_IN_MEMPCPY_CHK:
      add_range (found, call, gimple_call_arg (call, 1), gimple_call_arg (call, 2), "r", false);
      add_range (found, call, gimple_call_arg (call, 0), gimple_call_arg (call, 2), "w", false);
      break;
    case BUILT_IN_MEMSET:
    case BUILT_IN_MEMSET_CHK:
      add_range (found, call, gimple_call_arg (call, 0), gimple_call_arg (call, 2), "w", false);
      break;
    case BUILT_IN_MEMCMP:
    case BUILT_IN_MEMCMP_EQ:
      add_range (found, call, gimple_call_arg (call, 0), gimple_call_arg (call, 2), "r", false);
      add_range (found, call, gimple_call_arg (call, 1), gimple_call_arg (call, 2), "r", false);
      break;
    case BUILT_IN_STRLEN:
      add_string_length (found, call);
      break;
    case BUILT_IN_STPCPY:
    case BUILT_IN_STPCPY_CHK:
      add_string_copy (found, call);
      break;
    case BUILT_IN_STPNCPY:
    case BUILT_IN_STPNCPY_CHK:
      add_bounded_copy (found, call);
      break;
    default:
      break;
    }
}

static void
of_call (vec<struct cab_memory_access> *found, gcall *call)
{
  tree lhs = gimple_call_lhs (call);
  if (gimple_call_internal_p (call, IFN_ATOMIC_COMPARE_EXCHANGE))
    add_range (found, call, gimple_call_arg (call, 0),
	       size_int (tree_to_uhwi (gimple_call_arg (call, 3)) & 255), "rwt", false);
  else if (gimple_call_builtin_p (call, BUILT_IN_NORMAL))
    of_builtin (found, call);
  bool by_caller = lhs && TREE_CODE (lhs) != SSA_NAME && !gimple_call_internal_p (call)
		&& !gimple_call_noreturn_p (call) && !cab_call_must_jump (call)
		&& !aggregate_value_p (TREE_TYPE (lhs), gimple_call_fntype (call));
  if (by_caller)
    add_ref (found, call, lhs, "w", true);
}

/* Return true if the value that STMT assigns is not used.  The register allocator leaves such a
   statement out, even where nothing is optimised. */
static bool
is_for_nothing (gimple *stmt, unsigned steps)
{
  tree lhs = gimple_get_lhs (stmt);
  use_operand_p use;
  imm_use_iterator it;
  if (!steps || !is_gimple_assign (stmt) || TREE_CODE (lhs) != SSA_NAME
      || gimple_has_volatile_ops (stmt) || !use_register_for_decl (lhs)
      || stmt_can_throw_internal (cfun, stmt))
    return false;
  FOR_EACH_IMM_USE_FAST (use, it, lhs)
    if (!is_gimple_debug (USE_STMT (use)) && !is_for_nothing (USE_STMT (use), steps - 1))
      return false;
  return true;
}

static void
of_assign (vec<struct cab_memory_access> *found, gimple *stmt)
{
  if (gimple_clobber_p (stmt) || is_for_nothing (stmt, MOST_STEPS))
    return;
  if (gimple_assign_single_p (stmt) && TREE_CODE (gimple_assign_rhs1 (stmt)) != SSA_NAME
      && REFERENCE_CLASS_P (gimple_assign_rhs1 (stmt)))
    add_ref (found, stmt, gimple_assign_rhs1 (stmt), "r", false);
  else if (gimple_assign_single_p (stmt) && DECL_P (gimple_assign_rhs1 (stmt)))
    add_ref (found, stmt, gimple_assign_rhs1 (stmt), "r", false);
  if (TREE_CODE (gimple_assign_lhs (stmt)) != SSA_NAME)
    add_ref (found, stmt, gimple_assign_lhs (stmt), "w", false);
}

/* Operands that the compiler may keep in a register are in one: others would have been loaded and
   stored by statements of their own. */
static void
of_asm (vec<struct cab_memory_access> *found, gasm *stmt)
{
  if (cab_string_is_measure (stmt))
    {
      of_measure (found, stmt);
      return;
    }
  for (unsigned i = 0; i < gimple_asm_ninputs (stmt); i++)
    if (TREE_CODE (TREE_VALUE (gimple_asm_input_op (stmt, i))) != SSA_NAME)
      add_ref (found, stmt, TREE_VALUE (gimple_asm_input_op (stmt, i)), "ra", false);
  for (unsigned i = 0; i < gimple_asm_noutputs (stmt); i++)
    if (TREE_CODE (TREE_VALUE (gimple_asm_output_op (stmt, i))) != SSA_NAME)
      add_ref (found, stmt, TREE_VALUE (gimple_asm_output_op (stmt, i)), "wa", false);
}

void
cab_access_all_of (gimple *stmt, vec<struct cab_memory_access> *found)
{
  switch (gimple_code (stmt))
    {
    case GIMPLE_ASSIGN: of_assign (found, stmt); break;
    case GIMPLE_CALL: of_call (found, as_a<gcall *> (stmt)); break;
    case GIMPLE_ASM: of_asm (found, as_a<gasm *> (stmt)); break;
    default: break;
    }
}

/* Give ACCESS, of a copy of a statement, the name of ORIGINAL, the same access of that
   statement. */
static void
take_name (struct cab_memory_access *access, const struct cab_memory_access *original)
{
  free (access->name);
  access->name = xstrdup (original->name);
}

void
cab_access_of (gimple *stmt, gimple *original, vec<struct cab_memory_access> *found)
{
  auto_vec<struct cab_memory_access> all, originals;
  cab_access_all_of (stmt, &all);
  if (original != stmt)
    cab_access_all_of (original, &originals);
  bool is_copy = original != stmt && originals.length () == all.length ();
  for (unsigned i = 0; i < all.length (); i++)
    {
      struct cab_memory_access *access = &all[i];
      if (is_copy)
	take_name (access, &originals[i]);
      if (cab_access_unwanted (is_copy ? &originals[i] : access))
	{
	  free (access->name);
	  continue;
	}
      if (cab_opts.events & CAB_EVENTS_VALUES)
	cab_value_find (access);
      found->safe_push (*access);
    }
  for (struct cab_memory_access &access : originals)
    free (access.name);
}
