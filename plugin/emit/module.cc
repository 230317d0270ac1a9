/* module.cc - where the running module is.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/emit/module.h"
#include "plugin/emit/plugin.h"
#include <dlfcn.h>
#include <limits.h>

static char directory[PATH_MAX];

const char *
cab_module_directory (void)
{
  return directory;
}

int
cab_module_locate (void)
{
  Dl_info self;
  if (!dladdr (directory, &self) || !realpath (self.dli_fname, directory))
    {
      error (
	"cabprof: %s: cannot find the directory of the plugin: give the path of %<cabprof.so%>",
	"-fplugin");
      return 1;
    }
  char *slash = strrchr (directory, '/');
  *slash = 0;
  return 0;
}
