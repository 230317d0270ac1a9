/* cmd_flags.c - cabprof --cflags and --libs: what to compile and to link with.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All paths are those of the installation, or of the build, that this program belongs to, so they
 * stay right if it is moved.
 */
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "analyses/command/command.h"

/* Put the directory above that of this program into PREFIX (PATH_MAX bytes).  Return its length, or
   -1 after a message. */
static int
find_prefix (char *prefix)
{
  ssize_t n = readlink ("/proc/self/exe", prefix, PATH_MAX - 1);
  if (n < 0)
    {
      cab_say ("/proc/self/exe: cannot be read: mount /proc");
      return -1;
    }
  prefix[n] = 0;
  for (int i = 0; i < 2 && strrchr (prefix, '/'); i++)
    *strrchr (prefix, '/') = 0;
  return strlen (prefix);
}

/* Put PREFIX/NAME or, in a build, PREFIX/BUILT into PATH (2 * PATH_MAX bytes), whichever can be
   read.  Return false if neither can. */
static bool
find_file (const char *prefix, const char *name, const char *built, char *path)
{
  snprintf (path, 2 * PATH_MAX, "%s/%s", prefix, name);
  if (!access (path, R_OK))
    return true;
  snprintf (path, 2 * PATH_MAX, "%s/%s", prefix, built);
  return !access (path, R_OK);
}

static int
refuse_incomplete (const char *file)
{
  cab_say ("%s: not found beside this program: build or install cabprof as a whole", file);
  return CAB_EXIT_FAILED;
}

/* Print BEFORE and TEXT as one word.  Refuse a TEXT with blanks, which make splits, and a shell in
   $(cabprof --cflags). */
static int
print_flag (const char *before, const char *text)
{
  if (strpbrk (text, " \t\n"))
    {
      cab_say ("%s: has a blank in its name, which build systems split: install cabprof elsewhere",
	       text);
      return CAB_EXIT_FAILED;
    }
  printf ("%s%s", before, text);
  return CAB_EXIT_GOOD;
}

int
cab_print_cflags (int n_options, char **options)
{
  char prefix[PATH_MAX], path[2 * PATH_MAX];
  if (find_prefix (prefix) < 0)
    return CAB_EXIT_FAILED;
  if (!find_file (prefix, "lib/cabprof.so", "cabprof.so", path))
    return refuse_incomplete ("cabprof.so");
  int status = print_flag ("-fplugin=", path);
  if (!status
      && find_file (prefix, "include/cabprof/cabprof.h", "../include/cabprof/cabprof.h", path))
    {
      for (int i = 0; i < 2; i++)
	*strrchr (path, '/') = 0;
      status = print_flag (" -I", path);
    }
  for (int i = 0; !status && i < n_options; i++)
    status = print_flag (" -fplugin-arg-cabprof-", options[i]);
  putchar ('\n');
  return status;
}

int
cab_print_libs (int n_options, char **options)
{
  char prefix[PATH_MAX], path[2 * PATH_MAX];
  if (n_options && (n_options > 1 || strcmp (*options, "--static")))
    {
      cab_say ("%s: no such option of --libs: give --static or none", *options);
      return CAB_EXIT_USAGE;
    }
  if (!n_options)
    return puts ("") == EOF;
  if (find_prefix (prefix) < 0)
    return CAB_EXIT_FAILED;
  if (!find_file (prefix, "lib/libcabprof.a", "lib/libcabprof.a", path))
    return refuse_incomplete ("libcabprof.a");
  int status = print_flag ("-Wl,-u,cabprof_attach,-u,cabprof_detach,-u,cab_gthreads ", path);
  puts (status ? "" : " -lpthread");
  return status;
}
