/* returns.cc - which calls are sure to return.
   SPDX-License-Identifier: GPL-3.0-or-later

   A call may leave its caller's activation before it returns: by exit, longjmp or an exception
   somewhere below.  Where none of these can be below, because all functions that are called
   have their bodies here, the caller need not count its activations, and its paths may be
   counted before the call.  A function that only a signal can end is taken to return. */
#include "plugin/paths/returns.h"

static hash_set<cgraph_node *> *leaving;

/* GCC knows these, but not that they return only if they fail. */
bool
cab_call_execs (gcall *call)
{
  tree decl = gimple_call_fndecl (call);
  if (!decl || !fndecl_built_in_p (decl, BUILT_IN_NORMAL))
    return false;
  switch (DECL_FUNCTION_CODE (decl))
    {
    case BUILT_IN_EXECL:
    case BUILT_IN_EXECLE:
    case BUILT_IN_EXECLP:
    case BUILT_IN_EXECV:
    case BUILT_IN_EXECVE:
    case BUILT_IN_EXECVP:
      return true;
    default:
      return false;
    }
}

/* Return true if CALL of DECL goes to a function of the C library that returns, as far as GCC knows
   these; the program's own functions in their place are included (allocators). */
static bool
is_builtin_that_returns (gcall *call, tree decl)
{
  int flags = gimple_call_flags (call);
  return fndecl_built_in_p (decl, BUILT_IN_NORMAL) && (flags & ECF_LEAF) && (flags & ECF_NOTHROW)
	 && !(flags & (ECF_NORETURN | ECF_RETURNS_TWICE)) && !cab_call_execs (call);
}

/* Return the function that CALL enters, if it is certainly this one: its body is here and nothing
   can take its place. */
static cgraph_node *
known_callee (gcall *call)
{
  tree decl = gimple_call_fndecl (call);
  cgraph_node *node = decl ? cgraph_node::get (decl) : NULL;
  if (!node)
    return NULL;
  enum availability available;
  node = node->ultimate_alias_target (&available);
  return node && available > AVAIL_INTERPOSABLE && gimple_has_body_p (node->decl) ? node : NULL;
}

/* Return true if STMT of FN can leave, apart from what the functions do that it calls by name and
   that have bodies here. */
static bool
leaves_by_itself (function *fn, gimple *stmt)
{
  if (stmt_can_throw_external (fn, stmt))
    return true;
  gcall *call = dyn_cast<gcall *> (stmt);
  if (!call || gimple_call_internal_p (call))
    return false;
  if (gimple_call_flags (call) & (ECF_NORETURN | ECF_RETURNS_TWICE))
    return true;
  tree decl = gimple_call_fndecl (call);
  return !decl || !(known_callee (call) || is_builtin_that_returns (call, decl));
}

static bool
function_leaves (cgraph_node *node, function *fn)
{
  basic_block bb;
  FOR_EACH_BB_FN (bb, fn)
    for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi); gsi_next (&gsi))
      if (leaves_by_itself (fn, gsi_stmt (gsi)))
	return true;
  return node->thunk;
}

/* Add the functions that call a leaving function by name, because these leave too. */
static void
add_callers (auto_vec<cgraph_node *> *work)
{
  while (!work->is_empty ())
    {
      cgraph_node *node = work->pop ();
      ipa_ref *ref;
      for (cgraph_edge *e = node->callers; e; e = e->next_caller)
	if (!leaving->add (e->caller))
	  work->safe_push (e->caller);
      FOR_EACH_ALIAS (node, ref)
	if (cgraph_node *alias = dyn_cast<cgraph_node *> (ref->referring))
	  if (!leaving->add (alias))
	    work->safe_push (alias);
    }
}

void
cab_returns_begin (void)
{
  cgraph_node *node;
  auto_vec<cgraph_node *> work;
  leaving = new hash_set<cgraph_node *>;
  FOR_EACH_FUNCTION (node)
    {
      function *fn = DECL_STRUCT_FUNCTION (node->decl);
      bool here = !node->alias && gimple_has_body_p (node->decl) && fn && fn->cfg;
      if (here ? function_leaves (node, fn) : !node->alias)
	if (!leaving->add (node))
	  work.safe_push (node);
    }
  add_callers (&work);
}

void
cab_returns_end (void)
{
  delete leaving;
  leaving = NULL;
}

bool
cab_may_leave (gimple *stmt)
{
  if (leaves_by_itself (cfun, stmt))
    return true;
  gcall *call = dyn_cast<gcall *> (stmt);
  cgraph_node *callee = call && !gimple_call_internal_p (call) ? known_callee (call) : NULL;
  return callee && leaving->contains (callee);
}
