/* wrapper.c - cabprof-gcc, cabprof-g++, cabprof-gfortran: the compiler with the plugin, in place of
 * the compiler.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      one program under three names.  It finds the real compiler in PATH, puts -fplugin=...
 *             before the user's arguments and, where a static program is linked, the runtime's
 *             archive after them, and becomes that compiler.  Everything else passes through as it
 *             is, including response files: they are read only to find out what is requested.
 *             While `cabprof tune' records a build, the program is also in PATH, before all others,
 *             under the names of compilers and of ar, ranlib and their kin: then it runs the next
 *             program of the same name there, records the command, and waits for its end. */
#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <libiberty/libiberty.h>
#include "loopfb/formats/build_record.h"
#include "loopfb/formats/ccache.h"
#include "loopfb/formats/hints.h"
#include "loopfb/formats/build_log.h"

static const char help_text[]
  = "Usage: cabprof-gcc [ARGUMENTS OF GCC]      (likewise cabprof-g++, cabprof-gfortran)\n"
    "Compiles as gcc does, with probes for cabprof.  A static link (-static, -static-pie) gets the "
    "runtime as well.\n"
    "\n"
    "Environment:\n"
    "  CABPROF_PLUGIN_ARGS   options of the plugin, separated by blanks, as in "
    "\"events=paths+calls verbose\"\n"
    "  CABPROF_GCC           the compiler, if it is not gcc in PATH: a name or a path, as in "
    "gcc-11; its g++ and gfortran are\n"
    "                        found by putting these in the place of the last gcc in the name\n"
    "  CABPROF_FEEDBACK      a file of hints to apply, as by the plugin's option feedback=\n"
    "  CABPROF_CCACHE        ccache, a name or a path: run the compiler by it\n"
    "  CABPROF_DISABLE=1     be the plain compiler, as for configure\n"
    "\n"
    "The plugin's options are listed in cabprof-plugin (7), and by  cabprof-gcc -v --help\n";

static const char *my_name;

static void __attribute__ ((noreturn))
give_up (const char *what, const char *problem, const char *advice)
{
  fprintf (stderr, "%s: %s: %s: %s\n", my_name, what, problem, advice);
  exit (1);
}

static bool
ends_with (const char *text, const char *tail)
{
  size_t n = strlen (text), m = strlen (tail);
  return n >= m && !strcmp (text + n - m, tail);
}

/* Return true if NAME is that of a tool that is not a compiler. */
static bool
is_tool (const char *name)
{
  enum cab_tool tool = cab_args_tool (name);
  return strncmp (name, "cabprof-", 8) && tool != CAB_TOOL_NONE && tool != CAB_TOOL_GCC;
}

/* Return the compiler that NAME stands for: GCC's, with the last "gcc" of CABPROF_GCC replaced; or
   NAME itself, where this program takes another's place while a build is recorded. */
static char *
compiler_name (const char *name)
{
  const char *gcc = getenv ("CABPROF_GCC");
  if (is_tool (name) || (getenv (CAB_BUILD_LOG) && strncmp (name, "cabprof-", 8)))
    return xstrdup (name);
  const char *language = ends_with (name, "++") ? "g++"
		       : ends_with (name, "gfortran") ? "gfortran"
		       : "gcc";
  if (!gcc || !*gcc)
    return xstrdup (language);
  const char *at = NULL;
  for (const char *s = gcc; (s = strstr (s, "gcc")); s++)
    at = s;
  if (!at)
    {
      if (strcmp (language, "gcc"))
	give_up (gcc, "CABPROF_GCC has no \"gcc\" in it to put g++ or gfortran in its place",
		 "name GCC's C compiler there");
      return xstrdup (gcc);
    }
  char *head = xstrndup (gcc, at - gcc);
  char *result = concat (head, language, at + 3, NULL);
  free (head);
  return result;
}

/* Return true if PATH is a program, and not this one under another name. */
static bool
is_other_program (const char *path)
{
  struct stat me, it;
  return !stat (path, &it) && S_ISREG (it.st_mode) && !access (path, X_OK)
      && !stat ("/proc/self/exe", &me) && (me.st_dev != it.st_dev || me.st_ino != it.st_ino);
}

static char *
find_compiler (const char *name)
{
  if (strchr (name, '/'))
    {
      if (is_other_program (name))
	return xstrdup (name);
    }
  else
    for (const char *dir = getenv ("PATH"); dir && *dir; dir += *dir == ':')
      {
	size_t n = strcspn (dir, ":");
	char *path = xmalloc (n + strlen (name) + 3);
	sprintf (path, "%.*s/%s", n ? (int) n : 1, n ? dir : ".", name);
	if (is_other_program (path))
	  return path;
	free (path);
	dir += n;
      }
  give_up (name, "not found, or this wrapper itself",
	   "install it, or name a compiler in CABPROF_GCC");
}

/* Return the path of the file INSTALLED, or else BUILT, relative to the directory above this
   program's.  Links are not followed, because the plugin's name is part of its options. */
static char *
own_file (const char *installed, const char *built)
{
  char path[PATH_MAX];
  ssize_t n = readlink ("/proc/self/exe", path, sizeof path - 1);
  if (n < 0)
    give_up ("/proc/self/exe", strerror (errno), "mount /proc");
  path[n] = 0;
  *strrchr (path, '/') = 0;
  char *slash = strrchr (path, '/');
  *(slash ? slash : path) = 0;
  const char *tails[] = { installed, built };
  for (int i = 0; i < 2; i++)
    {
      char *candidate = concat (path, "/", tails[i], NULL);
      if (!access (candidate, R_OK))
	return candidate;
      free (candidate);
    }
  give_up (built, "not found beside this program", "build or install cabprof as a whole");
}

/* What the arguments ask for. */
struct request
{
  bool has_plugin;                   /* the user names the plugin */
  bool is_static, no_link, no_libs;
};

static bool
is_one_of (const char *argument, const char *const *words)
{
  while (*words && strcmp (argument, *words))
    words++;
  return *words != NULL;
}

static struct request
look_at (int argc, char **argv)
{
  static const char *const statics[] = { "-static", "--static", "-static-pie", NULL };
  static const char *const no_links[] = {
    "-c", "-S", "-E", "-M", "-MM", "-fsyntax-only", "-r", "-shared", "--version", NULL
  };
  static const char *const no_libs[] = { "-nostdlib", "-nodefaultlibs", "-nolibc", NULL };
  struct request request = { false, false, false, false };
  char **copy = dupargv (argv);
  expandargv (&argc, &copy);
  bool has_input = false;
  for (int i = 1; i < argc; i++)
    {
      const char *a = copy[i];
      if (!strncmp (a, "-fplugin=", 9) && (ends_with (a, "cabprof") || ends_with (a, "cabprof.so")))
	request.has_plugin = true;
      request.is_static |= is_one_of (a, statics);
      request.no_link |= is_one_of (a, no_links) || !strncmp (a, "-print-", 7)
		      || !strncmp (a, "-dump", 5) || !strncmp (a, "--help", 6);
      request.no_libs |= is_one_of (a, no_libs);
      has_input |= *a != '-' && (i == 1 || strcmp (copy[i - 1], "-o"));
    }
  request.no_link |= !has_input;
  freeargv (copy);
  return request;
}

/* Arguments being collected; ends with a null pointer. */
struct arguments
{
  char **v;
  int n;
};

static void
add (struct arguments *arguments, char *argument)
{
  arguments->v = xrealloc (arguments->v, (arguments->n + 2) * sizeof *arguments->v);
  arguments->v[arguments->n++] = argument;
  arguments->v[arguments->n] = NULL;
}

/* Make ccache hash the modules of the plugin that PATH dispatches to: other modules make other
   code. */
static void
tell_modules (const char *path)
{
  glob_t found;
  char *pattern = xstrndup (path, strlen (path) - 3);   /* ".so" */
  pattern = concat (pattern, "/gcc-*.so", NULL);
  if (!glob (pattern, 0, NULL, &found))
    {
      for (size_t i = 0; i < found.gl_pathc; i++)
	cab_ccache_tell (found.gl_pathv[i]);
      globfree (&found);
    }
}

/* Make ccache hash the file that ARGUMENT makes the plugin read. */
static void
tell_file (const char *argument)
{
  static const char prefix[] = "-fplugin-arg-cabprof-", *const names[] = { "allocators=",
									   "feedback=" };
  if (strncmp (argument, prefix, sizeof prefix - 1))
    return;
  argument += sizeof prefix - 1;
  for (int i = 0; i < 2; i++)
    if (!strncmp (argument, names[i], strlen (names[i])))
      cab_ccache_tell (argument + strlen (names[i]));
  char *hints = strcmp (argument, "feedback") ? NULL : cab_hints_search (getpwd ());
  if (hints)
    cab_ccache_tell (hints);
}

static void
add_plugin (struct arguments *arguments)
{
  char *plugin = own_file ("lib/cabprof.so", "cabprof.so");
  add (arguments, concat ("-fplugin=", plugin, NULL));
  tell_modules (plugin);
  const char *options = getenv ("CABPROF_PLUGIN_ARGS");
  if (!options)
    return;
  char *copy = xstrdup (options), *rest = copy;
  for (char *option; (option = strsep (&rest, " \t\n"));)
    if (*option)
      add (arguments, concat ("-fplugin-arg-cabprof-", option, NULL));
  free (copy);
}

static void
add_runtime (struct arguments *arguments)
{
  add (arguments, xstrdup ("-x"));
  add (arguments, xstrdup ("none"));
  add (arguments, xstrdup ("-Wl,-u,cabprof_attach,-u,cabprof_detach,-u,cab_gthreads"));
  add (arguments, own_file ("lib/libcabprof.a", "lib/libcabprof.a"));
  add (arguments, xstrdup ("-lpthread"));
}

/* Turn the environment's choice of hints into an option. */
static void
add_feedback (struct arguments *arguments)
{
  const char *file = getenv ("CABPROF_FEEDBACK");
  if (file && *file)
    add (arguments, concat ("-fplugin-arg-cabprof-feedback=", file, NULL));
}

/* Refuse to be run by ccache, which does not see cabprof's variables and might keep the result of
   another compilation.  If its run of the preprocessor fails, it runs this program without a
   cache. */
static void
refuse_ccache (int argc, char **argv)
{
  for (int i = 1; i < argc; i++)
    if (!strcmp (argv[i], "-E"))
      exit (1);
  give_up ("ccache", "it does not see cabprof's environment variables",
	   "let cabprof-gcc call it: CABPROF_CCACHE=ccache");
}

/* Become the compiler by way of ccache, if that is wanted. */
static void
become_cached (struct arguments *compile)
{
  const char *ccache = getenv ("CABPROF_CCACHE");
  if (!ccache || !*ccache || cab_build_recording ())
    return;
  struct arguments arguments = { NULL, 0 };
  add (&arguments, xstrdup (ccache));
  for (int i = 0; i < compile->n; i++)
    add (&arguments, compile->v[i]);
  execvp (ccache, arguments.v);
  give_up (ccache, strerror (errno), "install it, or name another program in CABPROF_CCACHE");
}

static void __attribute__ ((noreturn))
become (const char *program, enum cab_tool tool, int argc, char **argv)
{
  if (cab_build_recording ())
    cab_build_record (program, tool, argc, argv);
  else
    execv (program, argv);
  give_up (program, strerror (errno), "repair it, or name another compiler in CABPROF_GCC");
}

int
main (int argc, char **argv)
{
  const char *slash = strrchr (argv[0], '/');
  const char *disable = getenv ("CABPROF_DISABLE");
  my_name = slash ? slash + 1 : argv[0];
  if (argc == 2 && !strcmp (argv[1], "--cabprof-help"))
    return fputs (help_text, stdout) == EOF;

  char *name = compiler_name (my_name);
  char *compiler = find_compiler (name);
  if (is_tool (my_name))
    become (compiler, cab_args_tool (my_name), argc, argv);
  if (cab_ccache_above (1))
    refuse_ccache (argc, argv);
  struct arguments arguments = { NULL, 0 };
  /* The compiler is run by its path: by a bare name GCC would look for itself in PATH, might find
     this program, and then its parts beside this program. */
  add (&arguments, compiler);
  struct request request = look_at (argc, argv);
  bool plain = disable && *disable && strcmp (disable, "0");
  if (!plain && !request.has_plugin)
    add_plugin (&arguments);
  for (int i = 1; i < argc; i++)
    add (&arguments, argv[i]);
  if (!plain && request.is_static && !request.no_link && !request.no_libs)
    add_runtime (&arguments);
  if (!plain)
    add_feedback (&arguments);
  for (int i = 1; i < arguments.n; i++)
    tell_file (arguments.v[i]);
  become_cached (&arguments);
  become (compiler, CAB_TOOL_GCC, arguments.n, arguments.v);
}
