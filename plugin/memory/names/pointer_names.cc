/* pointer_names.cc - where the program keeps a pointer that a call has returned.
   SPDX-License-Identifier: GPL-3.0-or-later

   Blocks of memory are named after the variable or member that their address is kept in.  The
   optimisers remove it: a vector's members live in registers, and a register that holds the result
   of a call has no variable.  So passes look for it while it is there (before structures are split
   into scalars; when bodies are inlined; when stores through known pointers have become stores to
   variables), and record it in the register's name: an identifier, which stays with the register as
   long as it lives, and which only code that prints registers reads.

   The address of an element, or of a part of one, is named in the same way: the optimisers turn it
   into a sum, from which the part cannot be recovered.

   Of several places the best counts: a variable of the function itself; where the pointer is
   stored; a variable of another function that is inlined here; one that may hold other pointers
   in its place.  Variables of system headers are not used. */
#include "plugin/memory/names/pointer_names.h"
#include "plugin/memory/names/pointer_names_lto.h"
#include "plugin/memory/names/access_name.h"
#include "plugin/memory/names/struct_record.h"
#include "plugin/memory/names/access_text.h"
#include "plugin/memory/names/access_origin.h"
#include "dwarf2out.h"
#include "internal-fn.h"

#define PREFIX "cabprof:"
#define MOST_COPIES 32   /* number of copies of a pointer in registers that are looked at */

/* The rank of a place; a greater one is better. */
enum rank { NOWHERE, MERGED, BEHIND, INLINED, STORED, OWN };

struct kept
{
  enum rank rank;
  tree in;           /* the variable, or what is stored to */
  basic_block bb;    /* the block of that store */
  bool torn;         /* another block stores to something else */
  unsigned copies;   /* number of copies that were looked at */
};

/* Return the serial number of UID, of a type or a declaration, in the order of the requests: GCC's
   own numbers differ with -g, and names get into what -fcompare-debug compares. */
static unsigned
serial_of (unsigned uid, bool is_type)
{
  static hash_map<int_hash<unsigned, ~0u>, unsigned> *serials;
  if (!serials)
    serials = new hash_map<int_hash<unsigned, ~0u>, unsigned>;
  bool existed;
  unsigned &serial = serials->get_or_insert (2 * uid + is_type, &existed);
  if (!existed)
    serial = serials->elements ();
  return serial;
}

static unsigned
function_number (void)
{
  return serial_of (DECL_UID (DECL_ORIGIN (current_function_decl)), false);
}

static bool
is_own (tree variable)
{
  return DECL_CONTEXT (DECL_ORIGIN (variable)) == DECL_ORIGIN (current_function_decl);
}

/* Return true if VARIABLE belongs to a system header's function, or is declared outside of
   functions in one.  Not all parameters of templates have a place of their own. */
static bool
is_systems (tree variable)
{
  tree function = DECL_CONTEXT (DECL_ORIGIN (variable));
  return DECL_IN_SYSTEM_HEADER (function && TREE_CODE (function) == FUNCTION_DECL ? function
										  : variable);
}

/* The name may be given in cfun or in a function that is inlined there. */
bool
cab_kept_is_users (tree variable)
{
  bool is_named = cab_name_of (variable) && !DECL_NAMELESS (variable) && !DECL_IGNORED_P (variable)
	       && !DECL_ARTIFICIAL (variable);
  return (is_named || cab_name_is_vla (variable)) && (is_own (variable) || !is_systems (variable));
}

/* Return the rank of VARIABLE, a register's or null, as a place. */
static enum rank
rank_of (tree variable)
{
  if (!variable || !DECL_P (variable))
    return NOWHERE;
  if (VAR_P (variable) && DECL_HAS_DEBUG_EXPR_P (variable))
    return STORED;
  return !cab_kept_is_users (variable) ? NOWHERE : is_own (variable) ? OWN : INLINED;
}

static void
consider (struct kept *best, enum rank rank, tree in, basic_block bb)
{
  if (rank == best->rank && rank == STORED && bb != best->bb && best->in
      && !operand_equal_p (in, best->in))
    best->torn = true;
  if (rank <= best->rank)
    return;
  best->rank = rank;
  best->in = in;
  best->bb = bb;
}

tree
cab_argument_returned (gcall *call)
{
  /* A pointer to an array that has attribute counted_by, as of GCC 15. */
  if (gimple_call_internal_p (call)
      && !strcmp (internal_fn_name (gimple_call_internal_fn (call)), "ACCESS_WITH_SIZE"))
    return gimple_call_arg (call, 0);
  int flags = gimple_call_return_flags (call);
  unsigned number = flags & ERF_RETURN_ARG_MASK;
  tree lhs = gimple_call_lhs (call);
  bool returns = flags & ERF_RETURNS_ARG && number < gimple_call_num_args (call) && lhs
	      && TREE_CODE (lhs) == SSA_NAME;
  return returns && POINTER_TYPE_P (TREE_TYPE (lhs)) ? gimple_call_arg (call, number) : NULL_TREE;
}

/* Return the highest rank of a place to which PHI passes POINTER, or NOWHERE if an argument before
   PLACE was POINTER already. */
static enum rank
merged_bound (gphi *phi, tree pointer, int place)
{
  enum rank bound = OWN;
  for (int i = 0; i < (int) gimple_phi_num_args (phi); i++)
    if (gimple_phi_arg_def (phi, i) != pointer)
      bound = integer_zerop (gimple_phi_arg_def (phi, i)) ? bound : MERGED;
    else if (i < place)
      return NOWHERE;
  return bound;
}

/* Return the register that POINTER's USE leaves it in, or null, and set BOUND to the highest rank
   of that: it is lower if POINTER is merged with other pointers than null, or is advanced by a
   constant, since the length of an array may stand before it. */
static tree
passed_to (use_operand_p use, tree pointer, enum rank *bound)
{
  gimple *stmt = USE_STMT (use);
  *bound = OWN;
  if (gphi *phi = dyn_cast<gphi *> (stmt))
    {
      *bound = merged_bound (phi, pointer, PHI_ARG_INDEX_FROM_USE (use));
      return *bound == NOWHERE ? NULL_TREE : gimple_phi_result (phi);
    }
  if (gcall *call = dyn_cast<gcall *> (stmt))
    return cab_argument_returned (call) == pointer ? gimple_call_lhs (call) : NULL_TREE;
  if (!is_gimple_assign (stmt) || gimple_assign_rhs1 (stmt) != pointer)
    return NULL_TREE;
  tree to = gimple_assign_lhs (stmt);
  if (TREE_CODE (to) != SSA_NAME || !POINTER_TYPE_P (TREE_TYPE (to)))
    return NULL_TREE;
  bool added = gimple_assign_rhs_code (stmt) == POINTER_PLUS_EXPR
	    && TREE_CODE (gimple_assign_rhs2 (stmt)) == INTEGER_CST;
  *bound = added ? BEHIND : OWN;
  return added || gimple_assign_ssa_name_copy_p (stmt) || gimple_assign_cast_p (stmt) ? to
										      : NULL_TREE;
}

/* Search for the best place that POINTER goes to, with ranks up to MOST.  If STORES, stores of it
   count, too. */
static void
search (tree pointer, enum rank most, bool stores, struct kept *best)
{
  use_operand_p use;
  imm_use_iterator it;
  FOR_EACH_IMM_USE_FAST (use, it, pointer)
    {
      enum rank bound;
      gimple *stmt = USE_STMT (use);
      if (gimple_assign_single_p (stmt) && gimple_store_p (stmt)
	  && gimple_assign_rhs1 (stmt) == pointer)
	{
	  if (stores)
	    consider (best, MIN (STORED, most), gimple_assign_lhs (stmt), gimple_bb (stmt));
	}
      else if (tree to = passed_to (use, pointer, &bound))
	{
	  bound = MIN (bound, most);
	  consider (best, MIN (rank_of (SSA_NAME_VAR (to)), bound), SSA_NAME_VAR (to), NULL);
	  if (best->copies++ < MOST_COPIES)
	    search (to, bound, stores, best);
	}
    }
}

/* Return the name that this file has given POINTER, after the prefix, or null. */
static const char *
our_name (tree pointer)
{
  tree name = SSA_NAME_IDENTIFIER (pointer);
  const char *text = name && !SSA_NAME_VAR (pointer) ? IDENTIFIER_POINTER (name) : "";
  return strncmp (text, PREFIX, strlen (PREFIX)) ? NULL : text + strlen (PREFIX);
}

/* Return the rank of POINTER's present name. */
static enum rank
present_rank (tree pointer)
{
  unsigned function;
  int rank;
  const char *name = our_name (pointer);
  if (!name || sscanf (name, "%u:%d:", &function, &rank) != 2)
    return NOWHERE;
  return function == function_number () ? (enum rank) rank : MIN ((enum rank) rank, INLINED);
}

/* Return what a pointer that lies in REF points to; null if the type says nothing.  Fortran's array
   descriptors know it where the pointer does not. */
static tree
type_behind (tree ref)
{
  struct array_descr_info array = {};
  tree type = TREE_TYPE (ref),
       whole = TREE_CODE (ref) == COMPONENT_REF ? TREE_TYPE (TREE_OPERAND (ref, 0)) : NULL_TREE;
  if (whole && TREE_CODE (whole) == RECORD_TYPE && lang_hooks.types.get_array_descr_info
      && lang_hooks.types.get_array_descr_info (whole, &array))
    return array.element_type;
  return POINTER_TYPE_P (type) && !VOID_TYPE_P (TREE_TYPE (type))
	 ? TYPE_MAIN_VARIANT (TREE_TYPE (type))
	 : NULL_TREE;
}

/* Name POINTER after PLACE.  The identifier keeps the type, which also distinguishes identifiers;
   not that of elements that begin after the pointer. */
static void
give_name (tree pointer, const struct kept *place)
{
  char head[64];
  struct cab_name name;
  bool is_whole;
  cab_name_begin (&name);
  struct cab_name_mark before = cab_name_mark (&name);
  if (cab_name_put_place (&name, place->in, &is_whole) && cab_name_is_users (&name, before))
    {
      tree type = place->rank == BEHIND ? NULL_TREE : type_behind (place->in);
      obstack_1grow (&name.text, 0);
      snprintf (head, sizeof head, PREFIX "%u:%d:%u:%c", function_number (), (int) place->rank,
		type ? serial_of (TYPE_UID (type), true) : 0, is_whole ? '[' : '*');
      char *text = concat (head, (char *) obstack_base (&name.text), NULL);
      tree identifier = get_identifier (text);
      TREE_TYPE (identifier) = type;
      SET_SSA_NAME_VAR_OR_IDENTIFIER (pointer, identifier);
      free (text);
    }
  cab_name_end (&name);
}

/* Name POINTER, the result of a call.  One that has a variable, even of an inlined function, keeps
   it, because warnings mention it; except for gfortran's names of its arrays on the stack. */
static void
name_result (tree pointer)
{
  tree variable = SSA_NAME_VAR (pointer);
  if (variable && !(cab_is_fortran () && DECL_NAMELESS (variable)))
    return;
  const struct kept present = { present_rank (pointer), NULL_TREE, NULL, false, 0 };
  struct kept best = present;
  search (pointer, OWN, true, &best);
  if (best.torn && best.rank == STORED)
    {
      best = present;
      search (pointer, OWN, false, &best);
    }
  if (best.in)
    give_name (pointer, &best);
}

void
cab_kept_name (function *fn)
{
  basic_block bb;
  cab_kept_read (fn);
  FOR_EACH_BB_FN (bb, fn)
    for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi); gsi_next (&gsi))
      {
	tree lhs = is_gimple_call (gsi_stmt (gsi)) ? gimple_call_lhs (gsi_stmt (gsi)) : NULL_TREE;
	if (lhs && TREE_CODE (lhs) == SSA_NAME && POINTER_TYPE_P (TREE_TYPE (lhs)))
	  name_result (lhs);
      }
}

/* Return REF without the registers in it, which may not live as long as it is used: indices become
   errors, the pointer null.  Return null if sizes vary. */
static tree
without_registers (tree ref)
{
  tree copy = unshare_expr (ref), at = copy;
  for (; handled_component_p (at); at = TREE_OPERAND (at, 0))
    switch (TREE_CODE (at))
      {
      case ARRAY_REF:
      case ARRAY_RANGE_REF:
	if (TREE_OPERAND (at, 2) || TREE_OPERAND (at, 3))
	  return NULL_TREE;
	if (TREE_CODE (TREE_OPERAND (at, 1)) != INTEGER_CST)
	  TREE_OPERAND (at, 1) = error_mark_node;
	break;
      case COMPONENT_REF:
	if (TREE_OPERAND (at, 2))
	  return NULL_TREE;
	break;
      default:
	break;
      }
  if (DECL_P (at))
    return copy;
  if (TREE_CODE (at) != MEM_REF
      || (TREE_CODE (TREE_OPERAND (at, 0)) != SSA_NAME
	  && !is_gimple_min_invariant (TREE_OPERAND (at, 0))))
    return NULL_TREE;
  if (TREE_CODE (TREE_OPERAND (at, 0)) == SSA_NAME)
    TREE_OPERAND (at, 0) = build_zero_cst (TREE_TYPE (TREE_OPERAND (at, 0)));
  return copy;
}

/* Name LHS, which is the address of REF, a part whose place is not constant.  Each has an
   identifier of its own, which keeps REF. */
static void
name_address (tree lhs, tree ref)
{
  static unsigned serial;
  char head[64];
  struct cab_name name;
  tree kept = without_registers (ref);
  cab_name_begin (&name);
  struct cab_name_mark before = cab_name_mark (&name);
  if (kept && cab_name_put_ref (&name, ref) && cab_name_is_users (&name, before))
    {
      obstack_1grow (&name.text, 0);
      snprintf (head, sizeof head, PREFIX "%u:%d:%u:=", function_number (), (int) NOWHERE,
		++serial);
      char *text = concat (head, (char *) obstack_base (&name.text), NULL);
      tree identifier = get_identifier (text);
      TREE_TYPE (identifier) = kept;
      SET_SSA_NAME_VAR_OR_IDENTIFIER (lhs, identifier);
      free (text);
    }
  cab_name_end (&name);
}

/* Name all such addresses in FN.  This runs before addresses become sums. */
static void
name_addresses (function *fn)
{
  basic_block bb;
  FOR_EACH_BB_FN (bb, fn)
    for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi); gsi_next (&gsi))
      {
	gimple *stmt = gsi_stmt (gsi);
	tree lhs = gimple_assign_single_p (stmt) && gimple_assign_rhs_code (stmt) == ADDR_EXPR
		   ? gimple_assign_lhs (stmt)
		   : NULL_TREE;
	if (lhs && TREE_CODE (lhs) == SSA_NAME && !SSA_NAME_VAR (lhs) && !our_name (lhs)
	    && !is_gimple_min_invariant (gimple_assign_rhs1 (stmt))
	    && handled_component_p (TREE_OPERAND (gimple_assign_rhs1 (stmt), 0)))
	  name_address (lhs, TREE_OPERAND (gimple_assign_rhs1 (stmt), 0));
      }
}

/* Return what follows the numbers of TEXT, which is a name after the prefix. */
static const char *
behind_numbers (const char *text)
{
  for (int i = 0; i < 3 && text; i++)
    {
      text = strchr (text, ':');
      text += text != NULL;
    }
  return text;
}

const char *
cab_kept_in (tree pointer)
{
  return behind_numbers (our_name (pointer));
}

const char *
cab_kept_behind (const char *identifier)
{
  return strncmp (identifier, PREFIX, strlen (PREFIX))
	 ? NULL
	 : behind_numbers (identifier + strlen (PREFIX));
}

/* Return what the name of POINTER keeps: for an address if IS_ADDRESS, else for the place of a
   call's result. */
static tree
kept_tree (tree pointer, bool is_address)
{
  const char *name = cab_kept_in (pointer);
  return name && (*name == '=') == is_address ? TREE_TYPE (SSA_NAME_IDENTIFIER (pointer))
					      : NULL_TREE;
}

tree
cab_kept_type (tree pointer)
{
  return kept_tree (pointer, false);
}

/* Return true if REF begins where the object that it is a part of does.  Then that has the same
   address, and GCC keeps one register for both. */
static bool
is_at_start (tree ref)
{
  if (TREE_CODE (ref) == COMPONENT_REF)
    return integer_zerop (DECL_FIELD_OFFSET (TREE_OPERAND (ref, 1)))
	&& integer_zerop (DECL_FIELD_BIT_OFFSET (TREE_OPERAND (ref, 1)));
  return !handled_component_p (ref) || integer_zerop (TREE_OPERAND (ref, 1));
}

tree
cab_kept_operand (tree pointer, unsigned HOST_WIDE_INT bytes)
{
  tree ref = kept_tree (pointer, true), size = ref ? TYPE_SIZE_UNIT (TREE_TYPE (ref)) : NULL_TREE;
  if (ref && TREE_CODE (ref) == COMPONENT_REF
      && TREE_CODE (TREE_TYPE (TREE_OPERAND (ref, 0))) != RECORD_TYPE)
    return NULL_TREE;   /* all members of a union have one address */
  bool fits = bytes && size && tree_fits_uhwi_p (size) && bytes <= tree_to_uhwi (size);
  return ref && (fits || !is_at_start (ref)) ? ref : NULL_TREE;
}

static const pass_data kept_pass_data =
{
  GIMPLE_PASS, "cabprof_kept", OPTGROUP_NONE, TV_NONE, PROP_cfg | PROP_ssa, 0, 0, 0, 0
};

/* A pass that lets the registers of a function learn something by NAME. */
class kept_pass : public gimple_opt_pass
{
public:
  kept_pass (void (*name) (function *)) : gimple_opt_pass (kept_pass_data, g), name_registers (name)
  {
  }
  bool gate (function *) final override { return !seen_error (); }
  unsigned int execute (function *fn) final override { name_registers (fn); return 0; }
private:
  void (*name_registers) (function *);
};

opt_pass *
cab_kept_pass (void)
{
  return new kept_pass (cab_kept_name);
}

opt_pass *
cab_addressed_pass (void)
{
  return new kept_pass (name_addresses);
}
