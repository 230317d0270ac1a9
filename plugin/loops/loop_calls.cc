/* loop_calls.cc - the calls of a loop by what is known of the callee; see loop_calls.h.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include "plugin/loops/loop_calls.h"
#include "plugin/emit/filter.h"
#include "plugin/emit/record_text.h"
#include "plugin/emit/row.h"
#include "plugin/loops/library.h"

/* A callee, by its assembler name, or "*". */
struct callee
{
  const char *name, *is;
  int line;                    /* of the first call */
};

static const char *
assembler_name (tree fndecl)
{
  return targetm.strip_name_encoding (IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (fndecl)));
}

/* Return true if the unit has a body of FNDECL that gets probes. */
static bool
has_probes (tree fndecl)
{
  cgraph_node *node = cgraph_node::get (fndecl);
  if (!node || !node->definition)
    return false;
  node = node->ultimate_alias_target ();
  function *fn = DECL_STRUCT_FUNCTION (node->decl);
  return fn && !DECL_EXTERNAL (node->decl) && !cab_skip_reason (fn);
}

/* Return the class of CALL, or null if it is none in the source. */
static const char *
class_of (gcall *call)
{
  tree fndecl = gimple_call_fndecl (call);
  if (gimple_call_internal_p (call))
    return NULL;
  int flags = gimple_call_flags (call);
  bool is_pure = (flags & (ECF_CONST | ECF_PURE)) && !(flags & ECF_LOOPING_CONST_OR_PURE);
  bool is_builtin = fndecl && fndecl_built_in_p (fndecl);
  if (is_builtin && !strncmp (IDENTIFIER_POINTER (DECL_NAME (fndecl)), "__builtin_", 10)
      && (is_pure || gimple_call_builtin_p (call, BUILT_IN_NORMAL)))
    {
      const char *is = cab_library_class (assembler_name (fndecl));
      return is && strcmp (is, "known") ? is : NULL;
    }
  if (is_pure)
    return "pure";
  if (!fndecl)
    return "unknown";
  if (has_probes (fndecl))
    return "probed";
  const char *is = cab_library_class (assembler_name (fndecl));
  return is ? is : is_builtin ? "known" : "unknown";
}

static void
note (vec<struct callee> *callees, gcall *call)
{
  const char *is = class_of (call);
  if (!is)
    return;
  tree fndecl = gimple_call_fndecl (call);
  const char *name = fndecl ? assembler_name (fndecl) : "*";
  for (struct callee &callee : *callees)
    if (!strcmp (callee.name, name) && !strcmp (callee.is, is))
      return;
  callees->safe_push ({ name, is, expand_location (gimple_location (call)).line });
}

static int
compare (const void *a, const void *b)
{
  const struct callee *x = (const struct callee *) a, *y = (const struct callee *) b;
  return x->line != y->line ? x->line - y->line : strcmp (x->name, y->name);
}

void
cab_loop_calls (struct obstack *ob, class loop *loop, unsigned number)
{
  auto_vec<struct callee> callees;
  basic_block *body = get_loop_body (loop);
  for (unsigned i = 0; i < loop->num_nodes; i++)
    if (body[i]->loop_father == loop)
      for (gimple_stmt_iterator gsi = gsi_start_bb (body[i]); !gsi_end_p (gsi); gsi_next (&gsi))
	if (gcall *call = dyn_cast<gcall *> (gsi_stmt (gsi)))
	  note (&callees, call);
  free (body);
  callees.qsort (compare);
  for (const struct callee &callee : callees)
    {
      char *name = cab_escaped (callee.name);
      cab_record_put (ob, "k\t%u\t%s\t%s\t%d\n", number, callee.is, name, callee.line);
      free (name);
    }
}
