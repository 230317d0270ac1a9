/* place.cc - where accesses and allocations are in the user's source.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include "plugin/memory/place.h"
#include "plugin/emit/record_text.h"

#define NEAR 100   /* number of statements that are searched */

static bool
is_known (location_t where)
{
  return LOCATION_LOCUS (where) > BUILTINS_LOCATION;
}

static bool
is_users (location_t where)
{
  return is_known (where)
      && !in_system_header_at (
	   linemap_resolve_location (line_table, where, LRK_MACRO_EXPANSION_POINT, NULL));
}

/* Return WHERE or, if that is in a system header, the innermost call that was inlined there and is
   not in one, if there is one. */
static location_t
users_place (location_t where)
{
  if (is_users (where))
    return where;
  for (tree block = LOCATION_BLOCK (where); block && TREE_CODE (block) == BLOCK;
       block = BLOCK_SUPERCONTEXT (block))
    if (inlined_function_outer_scope_p (block) && is_users (BLOCK_SOURCE_LOCATION (block)))
      return BLOCK_SOURCE_LOCATION (block);
  return where;
}

static bool
has_place (gimple *stmt)
{
  return stmt && is_known (gimple_location (stmt));
}

/* Return the nearest statement in STMT's block, in the direction of STEP, that has a place; null if
   none of those nearby has one. */
static gimple *
place_in (gimple *stmt, void (*step) (gimple_stmt_iterator *))
{
  unsigned n = NEAR;
  for (gimple_stmt_iterator at = gsi_for_stmt (stmt); n && !gsi_end_p (at); step (&at))
    if (!is_gimple_debug (gsi_stmt (at)))   /* the result must be the same without -g */
      {
	if (has_place (gsi_stmt (at)))
	  return gsi_stmt (at);
	n--;
      }
  return NULL;
}

/* Return a statement that uses VALUE, also through PHIs, and has a place.  *LEFT is the number of
   uses that may still be looked at. */
static gimple *
user_with_place (tree value, unsigned *left)
{
  use_operand_p use;
  imm_use_iterator it;
  gimple *found = NULL;
  if (TREE_CODE (value) != SSA_NAME)
    return NULL;
  FOR_EACH_IMM_USE_FAST (use, it, value)
    {
      gimple *stmt = USE_STMT (use);
      if (is_gimple_debug (stmt))
	continue;
      if (found || !*left)
	break;
      --*left;
      if (gphi *phi = dyn_cast<gphi *> (stmt))
	found = user_with_place (gimple_phi_result (phi), left);
      else if (has_place (stmt))
	found = stmt;
    }
  return found;
}

/* Return the statement that has computed VALUE, also through PHIs, if it has a place.  *LEFT is the
   number of values that may still be looked at. */
static gimple *
origin_with_place (tree value, unsigned *left)
{
  if (TREE_CODE (value) != SSA_NAME || !*left)
    return NULL;
  --*left;
  gimple *found = NULL, *def = SSA_NAME_DEF_STMT (value);
  gphi *phi = dyn_cast<gphi *> (def);
  for (unsigned i = 0; phi && !found && i < gimple_phi_num_args (phi); i++)
    found = origin_with_place (gimple_phi_arg_def (phi, i), left);
  return phi ? found : has_place (def) ? def : NULL;
}

/* Return a statement with a place that uses what STMT writes, or has computed what it reads, or
   precedes it in its block, or follows it; null if none has a place. */
static gimple *
neighbour_with_place (gimple *stmt)
{
  tree to = gimple_get_lhs (stmt),
       from = gimple_assign_single_p (stmt) ? gimple_assign_rhs1 (stmt) : NULL_TREE;
  unsigned left = NEAR;
  gimple *found = to ? user_with_place (to, &left) : NULL;
  found = found || !from ? found : origin_with_place (from, &left);
  found = found ? found : place_in (stmt, gsi_prev);
  return found ? found : place_in (stmt, gsi_next);
}

location_t
cab_memory_place_of (gimple *stmt)
{
  if (!has_place (stmt))
    if (gimple *neighbour = neighbour_with_place (stmt))
      stmt = neighbour;
  return users_place (gimple_location (stmt));
}

void
cab_memory_put_place (struct cab_memory *m, location_t where)
{
  expanded_location x = expand_location (where);
  cab_record_put (&m->lines, "%u:%d:%d", x.file ? cab_record_file (&m->files, x.file) : 0, x.line,
		  x.column);
}
