/* dispatch.c - cabprof.so, which every GCC can load, because it refers to no symbol of GCC's.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      reads the version of the compiler that loads it, opens the module that was built for
 *             that version, cabprof/gcc-MAJOR.so beside this file, and passes everything on to it.
 * Errors:     a module is missing or cannot be loaded: one sentence on stderr, and the compiler
 *             gives up. */
#include <dirent.h>
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORTED __attribute__ ((visibility ("default")))

EXPORTED int plugin_is_GPL_compatible;

/* GCC's struct plugin_gcc_version, as far as it is read here; struct plugin_name_args is only
   passed on. */
struct compiler_version
{
  const char *basever;
};
typedef int init_function (void *plugin_info, struct compiler_version *version);
EXPORTED extern init_function plugin_init;

/* Put the directory of the modules into DIRECTORY (PATH_MAX bytes): it is beside this file, after
   links are followed. */
static int
find_modules (char *directory)
{
  Dl_info self;
  char path[PATH_MAX];
  if (!dladdr ((void *) find_modules, &self) || !realpath (self.dli_fname, path))
    return -1;
  char *slash = strrchr (path, '/');
  if (slash)
    *slash = 0;
  return snprintf (directory, PATH_MAX, "%s/cabprof", path) < PATH_MAX ? 0 : -1;
}

/* Write the names of the compilers that DIRECTORY has modules for into LIST. */
static void
list_modules (const char *directory, char *list, size_t bytes)
{
  size_t end = 0;
  list[0] = 0;
  DIR *dir = opendir (directory);
  if (!dir)
    return;
  for (struct dirent *entry; (entry = readdir (dir));)
    {
      unsigned major;
      int n = 0;
      if (sscanf (entry->d_name, "gcc-%u.so%n", &major, &n) == 1 && n && !entry->d_name[n]
	  && end < bytes)
	end += snprintf (list + end, bytes - end, "%sGCC %u", end ? ", " : "", major);
    }
  closedir (dir);
}

static int
say_unsupported (const char *version, int major, const char *directory)
{
  char list[256];
  list_modules (directory, list, sizeof list);
  fprintf (stderr,
	   "cabprof: GCC %s: this plugin was built for %s, not for this compiler: install "
	   "gcc-%d-plugin-dev and build cabprof "
	   "again, or use a compiler that it was built for\n",
	   version, *list ? list : "no compiler at all", major);
  return 1;
}

int
plugin_init (void *plugin_info, struct compiler_version *version)
{
  char directory[PATH_MAX], module[PATH_MAX + 32];
  int major = atoi (version->basever);
  if (find_modules (directory))
    {
      fprintf (stderr, "cabprof: cabprof.so: cannot find its own directory: give its path, as in "
		       "-fplugin=DIR/cabprof.so\n");
      return 1;
    }
  snprintf (module, sizeof module, "%s/gcc-%d.so", directory, major);
  void *handle = dlopen (module, RTLD_NOW | RTLD_LOCAL);
  const char *why = handle ? NULL : dlerror ();
  if (why && strstr (why, "No such file"))
    return say_unsupported (version->basever, major, directory);
  init_function *init = handle ? (init_function *) dlsym (handle, "plugin_init") : NULL;
  if (!init)
    {
      fprintf (
	stderr,
	"cabprof: %s: does not load into GCC %s: %s: build cabprof again with this compiler\n",
	module, version->basever, why ? why : "it has no plugin_init");
      return 1;
    }
  return init (plugin_info, version);
}
