/* configure_test.c - recognises the small programs that configure scripts compile and run.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "plugin/stub/configure_test.h"
#include <fnmatch.h>
#include <string.h>

/* Patterns of file names, without their directories. */
static const char *const names[] = {
  "conftest", "conftest.*", "conftest[0-9]*.*",    /* Autoconf */
  "conftest_*.*",                                  /* SCons */
  "_configtest.*",                                 /* distutils */
  "ztest[0-9]*.*",                                 /* zlib */
  "qemu-conf.*"                                    /* QEMU */
};

/* Patterns of directory names, anywhere above the file. */
static const char *const directories[] = {
  /* CMake */
  "CMakeTmp",	       "CMakeScratch",	    "CompilerIdC",   "CompilerIdCXX",
  "CompilerIdFortran", "FortranCInterface", "meson-private", /* Meson */
  ".sconf_temp", /* SCons */
  ".conf_check_*", /* Waf */
  "config.tests",      "config-temp", /* qmake, QEMU */
  "ffconf.*" /* FFmpeg */
};

static bool
matches (const char *name, size_t n, const char *const *patterns, size_t n_patterns)
{
  char text[256];
  if (n >= sizeof text)
    return false;
  memcpy (text, name, n);
  text[n] = 0;
  for (size_t i = 0; i < n_patterns; i++)
    if (!fnmatch (patterns[i], text, 0))
      return true;
  return false;
}

/* Return true if PATH contains a known directory.  Its last component counts as one only if ALL is
   true. */
static bool
is_in_known_directory (const char *path, bool all)
{
  while (*path)
    {
      size_t n = strcspn (path, "/");
      if ((path[n] || all)
	  && matches (path, n, directories, sizeof directories / sizeof *directories))
	return true;
      path += n + (path[n] == '/');
    }
  return false;
}

bool
cab_is_configure_test (const char *directory, const char *file)
{
  const char *slash = strrchr (file, '/');
  const char *name = slash ? slash + 1 : file;
  return matches (name, strlen (name), names, sizeof names / sizeof *names)
	 || is_in_known_directory (file, false)
	 || (*file != '/' && is_in_known_directory (directory, true));
}
