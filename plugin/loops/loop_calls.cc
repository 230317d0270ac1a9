/* loop_calls.cc - the calls of a loop by what is known of the callee; see loop_calls.h.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include "plugin/loops/loop_calls.h"
#include "plugin/emit/filter.h"
#include "plugin/emit/record_text.h"
#include "plugin/emit/row.h"
#include "plugin/emit/library.h"

/* A callee, by its assembler name, or "*". */
struct callee
{
  const char *name, *is;
  int line;                    /* of the first call */
  char flags[4];               /* of the k line */
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

/* Return the name of the function whose body a call of FNDECL executes, as far as is known. */
static const char *
name_of_body (tree fndecl)
{
  cgraph_node *node = cgraph_node::get (fndecl);
  return assembler_name (node && node->definition ? node->ultimate_alias_target ()->decl : fndecl);
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

static bool
takes_address (gcall *call)
{
  for (unsigned i = 0; i < gimple_call_num_args (call); i++)
    if (POINTER_TYPE_P (TREE_TYPE (gimple_call_arg (call, i))))
      return true;
  return false;
}

/* Write the flags of CALL's k line to TO. */
static void
set_flags (gcall *call, char to[4])
{
  tree fndecl = gimple_call_fndecl (call);
  int flags = gimple_call_flags (call);
  char *end = to;
  if (flags & ECF_NORETURN)
    *end++ = 'n';
  if (!(flags & ECF_CONST) && ((flags & ECF_PURE) || takes_address (call)))
    *end++ = fndecl && fndecl_built_in_p (fndecl) ? 'b' : 'p';
  if (end == to)
    *end++ = '-';
  *end = 0;
}

static void
add (vec<struct callee> *callees, const struct callee &one)
{
  for (struct callee &callee : *callees)
    if (!strcmp (callee.name, one.name) && !strcmp (callee.is, one.is)
	&& !strcmp (callee.flags, one.flags))
      return;
  callees->safe_push (one);
}

/* Note what STMT calls, or an asm statement that may access any memory. */
static void
note (vec<struct callee> *callees, gimple *stmt)
{
  struct callee one = { "<asm>", "unknown", expand_location (gimple_location (stmt)).line, "-" };
  if (gcall *call = dyn_cast<gcall *> (stmt))
    {
      tree fndecl = gimple_call_fndecl (call);
      one.is = class_of (call);
      one.name = fndecl ? name_of_body (fndecl) : "*";
      set_flags (call, one.flags);
      if (one.is)
	add (callees, one);
    }
  else if (gasm *code = dyn_cast<gasm *> (stmt))
    if (gimple_asm_clobbers_memory_p (code))
      add (callees, one);
}

static int
compare (const void *a, const void *b)
{
  const struct callee *x = (const struct callee *) a, *y = (const struct callee *) b;
  int order = x->line != y->line ? x->line - y->line : strcmp (x->name, y->name);
  return order ? order : strcmp (x->flags, y->flags);
}

/* Append the k lines of what CALLEES holds to OB; NUMBER is their second field. */
static void
put_callees (struct obstack *ob, vec<struct callee> *callees, const char *number)
{
  callees->qsort (compare);
  for (const struct callee &callee : *callees)
    {
      char *name = cab_escaped (callee.name);
      cab_record_put (ob, "k\t%s\t%s\t%s\t%d\t%s\n", number, callee.is, name, callee.line,
		      callee.flags);
      free (name);
    }
}

void
cab_loop_calls (struct obstack *ob, class loop *loop, unsigned number)
{
  auto_vec<struct callee> callees;
  char digits[16];
  basic_block *body = get_loop_body (loop);
  for (unsigned i = 0; i < loop->num_nodes; i++)
    if (body[i]->loop_father == loop)
      for (gimple_stmt_iterator gsi = gsi_start_bb (body[i]); !gsi_end_p (gsi); gsi_next (&gsi))
	note (&callees, gsi_stmt (gsi));
  free (body);
  sprintf (digits, "%u", number);
  put_callees (ob, &callees, digits);
}

void
cab_function_calls (struct obstack *ob)
{
  auto_vec<struct callee> callees;
  basic_block bb;
  FOR_EACH_BB_FN (bb, cfun)
    if (!loop_depth (bb->loop_father))
      for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi); gsi_next (&gsi))
	note (&callees, gsi_stmt (gsi));
  put_callees (ob, &callees, "-");
}
