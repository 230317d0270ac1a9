/* filter.cc - decides which functions get probes, and why the others do not.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Safety comes first: some functions run where a probe cannot (before there is thread-local
 * storage, without a frame).  The attributes in the source come second: cabprof_never,
 * cabprof_always.  The command line comes last; cabprof_always overrides it. */
#include "plugin/emit/options.h"
#include "plugin/emit/filter.h"
#include <libiberty/demangle.h>

/* Functions that run while the program is being relocated: ifunc resolvers, and the functions that
   they call in this unit. */
static hash_set<tree> *early_functions;

static void
add_early (cgraph_node *node)
{
  if (early_functions->add (node->decl))
    return;
  for (cgraph_edge *e = node->callees; e; e = e->next_callee)
    add_early (e->callee->ultimate_alias_target ());
}

static void
find_early_functions (void)
{
  cgraph_node *node;
  early_functions = new hash_set<tree>;
  FOR_EACH_FUNCTION (node)
    {
      bool resolved = node->ifunc_resolver
		   || lookup_attribute ("ifunc", DECL_ATTRIBUTES (node->decl));
      if (resolved && node->alias && node->analyzed)
	add_early (node->ultimate_alias_target ());
    }
}

static bool
target_can (void)
{
  if (!TARGET_64BIT || TARGET_X32)
    {
      error (
	"cabprof: %s: probes exist for 64-bit x86-64 only: compile this unit without the plugin",
	TARGET_64BIT ? "-mx32" : "-m32");
      return false;
    }
  if (ix86_cmodel == CM_LARGE || ix86_cmodel == CM_LARGE_PIC || ix86_cmodel == CM_KERNEL)
    {
      error ("cabprof: %s: probes need the small or medium code model: compile this unit without "
	     "the plugin",
	     ix86_cmodel == CM_KERNEL ? "-mcmodel=kernel" : "-mcmodel=large");
      return false;
    }
  return true;
}

bool
cab_filter_begin (void)
{
  if (!target_can ())
    return false;
  find_early_functions ();
  return true;
}

static bool
has_attribute (tree fndecl, const char *name)
{
  return lookup_attribute (name, DECL_ATTRIBUTES (fndecl))
      || lookup_attribute (name, TYPE_ATTRIBUTES (TREE_TYPE (fndecl)));
}

/* Return why a probe would break FNDECL, or null. */
static const char *
unsafe_reason (tree fndecl)
{
  if (cab_is_assumption (DECL_STRUCT_FUNCTION (fndecl)))
    return "what [[assume]] says: it is not executed";
  if (flag_tm)
    return "-fgnu-tm: a probe cannot be taken back with a transaction";
  if (has_attribute (fndecl, "naked"))
    return "attribute naked: no frame for a probe";
  if (has_attribute (fndecl, "interrupt"))
    return "attribute interrupt: runs outside of any thread";
  if (early_functions && early_functions->contains (fndecl))
    return "ifunc resolver, or called by one: runs before there is thread-local storage";
  const char *name = targetm.strip_name_encoding (
    IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (fndecl)));
  if (!strncmp (name, "__cab_", 6))
    return "its name is reserved for the profiler";
  return NULL;
}

/* Return the name, without parameters, by which reports show the function ASSEMBLER, malloc'ed;
   null if it is the source's name. */
static char *
reported_name (const char *assembler)
{
  const char *module_end = strstr (assembler, "_MOD_");
  if (!strncmp (assembler, "_Z", 2))
    return cplus_demangle (assembler, DMGL_ANSI | DMGL_GNU_V3);
  if (!strncmp (assembler, "__", 2) && module_end)
    return xasprintf ("%.*s::%s", (int) (module_end - assembler - 2), assembler + 2,
		      module_end + 5);
  return NULL;
}

/* Return true if a pattern of GLOBS matches a name of FNDECL: the linker's, the source's, or that
   of reports.  With -flto GCC prints C's and Fortran's functions by their linker's names. */
static bool
matches_name (const struct cab_globs *globs, tree fndecl)
{
  if (!globs->n)
    return false;
  const char *assembler = targetm.strip_name_encoding (
    IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (fndecl)));
  if (cab_globs_match (globs, assembler)
      || cab_globs_match (globs, lang_hooks.decl_printable_name (fndecl, 1)))
    return true;
  bool mangled = !strncmp (assembler, "_Z", 2);
  if (!mangled && DECL_NAME (fndecl)
      && cab_globs_match (globs, IDENTIFIER_POINTER (DECL_NAME (fndecl))))
    return true;
  char *reported = reported_name (assembler);
  bool matches = reported && cab_globs_match (globs, reported);
  free (reported);
  return matches;
}

/* Return why the user's options exclude FNDECL, or null. */
static const char *
unwanted_reason (tree fndecl)
{
  const char *file = DECL_SOURCE_FILE (fndecl);
  if (matches_name (&cab_opts.exclude, fndecl))
    return "excluded by exclude=";
  if (cab_opts.functions.n && !matches_name (&cab_opts.functions, fndecl))
    return "not among functions=";
  if (cab_opts.files.n && !(file && cab_globs_match_file (&cab_opts.files, file)))
    return "not in one of files=";
  return NULL;
}

const char *
cab_skip_reason (function *fn)
{
  tree fndecl = fn->decl;
  if (const char *reason = unsafe_reason (fndecl))
    return reason;
  /* The module's file has a common block in place of the module's word, which the assembler does
     not accept beside the stub's. */
  if (!strncmp (IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (fndecl)), "__cabprof_MOD_", 14))
    return "part of cabprof's own module";
  if (has_attribute (fndecl, "no_instrument_function"))
    return "attribute no_instrument_function";
  if (has_attribute (fndecl, "no_profile_instrument_function"))
    return "attribute no_profile_instrument_function";
  if (has_attribute (fndecl, "cabprof_never"))
    return "attribute cabprof_never";
  return has_attribute (fndecl, "cabprof_always") ? NULL : unwanted_reason (fndecl);
}

/* Check an attribute of functions without arguments; on anything else it is ignored with a warning,
   as GCC's own are. */
static tree
handle_attribute (tree *node, tree name, tree, int, bool *no_add)
{
  if (TREE_CODE (*node) != FUNCTION_DECL)
    {
      warning (OPT_Wattributes, "%qE attribute ignored: it is for functions", name);
      *no_add = true;
    }
  return NULL_TREE;
}

static const struct attribute_spec cab_attributes[] =
{
  { "cabprof_always", 0, 0, true, false, false, false, handle_attribute, NULL },
  { "cabprof_never", 0, 0, true, false, false, false, handle_attribute, NULL },
};

void
cab_filter_register_attributes (void *, void *)
{
  for (const struct attribute_spec &spec : cab_attributes)
    register_attribute (&spec);
}
