/* depends.cc - files that the plugin reads are dependencies of what is compiled.
   SPDX-License-Identifier: GPL-3.0-or-later

   The preprocessors of C and Fortran write them (-MD and its like).  They are parts of only
   some of the compilers that load this module, so all their symbols are weak.  A cache that
   looks at the preprocessed text alone must not take two compilations for the same: its run of
   the preprocessor fails, and it compiles without caching. */
#include "plugin/emit/depends.h"
#include "loopfb/formats/ccache.h"

class mkdeps;
struct cpp_reader;
extern cpp_reader *parse_in __attribute__ ((weak));
extern class mkdeps *cpp_get_deps (cpp_reader *) __attribute__ ((weak));
extern void deps_add_dep (class mkdeps *, const char *) __attribute__ ((weak));
extern bool gfc_cpp_makedep (void) __attribute__ ((weak));
extern void gfc_cpp_add_dep (const char *name, bool system) __attribute__ ((weak));

static vec<char *> files;

void
cab_depends_on (const char *path)
{
  files.safe_push (xstrdup (path));
  /* the second generation is above the driver */
  if (flag_preprocess_only && !cab_ccache_knows (path) && cab_ccache_above (2))
    error (
      "cabprof: %s: %<ccache%> does not see what is in this file: name it in %<CCACHE_EXTRAFILES%>",
      path);
}

static void
tell (void *, void *)
{
  class mkdeps *deps = &parse_in && parse_in && cpp_get_deps && deps_add_dep
		       ? cpp_get_deps (parse_in)
		       : NULL;
  bool fortran = gfc_cpp_makedep && gfc_cpp_add_dep && gfc_cpp_makedep ();
  for (char *path : files)
    {
      if (deps)
	deps_add_dep (deps, path);
      if (fortran)
	gfc_cpp_add_dep (path, false);
    }
}

void
cab_depends_begin (const char *plugin)
{
  bool is_c = &parse_in != NULL;   /* true with -E as well, when the main file is known */
  register_callback (plugin, is_c ? PLUGIN_PRAGMAS : PLUGIN_START_UNIT, tell, NULL);
}
