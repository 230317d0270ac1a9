/* build_args.c - find what a command of a build reads and writes.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "loopfb/formats/build_args.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>

static void
add (struct cab_named_list *list, int arg, size_t from, const char *text, size_t n)
{
  list->v = xrealloc (list->v, (list->n + 1) * sizeof *list->v);
  list->v[list->n++] = (struct cab_named) { arg, from, n, xstrndup (text, n) };
}

static void
add_rest (struct cab_named_list *list, int arg, const char *text, size_t from)
{
  add (list, arg, from, text + from, strlen (text + from));
}

static bool
is_one_of (const char *word, const char *const *words)
{
  while (*words && strcmp (word, *words))
    words++;
  return *words != NULL;
}

static bool
begins (const char *text, const char *head)
{
  return !strncmp (text, head, strlen (head));
}

/* Return the word that identifies a tool: x86_64-linux-gnu-gcc-12 -> gcc, ld.bfd -> ld. */
static char *
plain_name (const char *name)
{
  const char *slash = strrchr (name, '/');
  char *copy = xstrdup (slash ? slash + 1 : name), *dash, *result;
  char *dot = strchr (copy, '.');
  if (dot)
    *dot = 0;
  while ((dash = strrchr (copy, '-')) && dash[1 + strspn (dash + 1, "0123456789")] == 0)
    *dash = 0;
  dash = strrchr (copy, '-');
  result = xstrdup (dash ? dash + 1 : copy);
  free (copy);
  return result;
}

enum cab_tool
cab_args_tool (const char *name)
{
  static const struct { const char *name; enum cab_tool tool;
  } tools[] = { { "gcc", CAB_TOOL_GCC },	 { "cc", CAB_TOOL_GCC },
		{ "g++", CAB_TOOL_GCC },	 { "c++", CAB_TOOL_GCC },
		{ "gfortran", CAB_TOOL_GCC },	 { "ar", CAB_TOOL_AR },
		{ "ranlib", CAB_TOOL_RANLIB },	 { "strip", CAB_TOOL_STRIP },
		{ "objcopy", CAB_TOOL_OBJCOPY }, { "ld", CAB_TOOL_LD } };
  char *plain = plain_name (name);
  enum cab_tool tool = CAB_TOOL_NONE;
  for (size_t i = 0; i < sizeof tools / sizeof *tools; i++)
    if (!strcmp (plain, tools[i].name))
      tool = tools[i].tool;
  free (plain);
  return tool;
}

bool
cab_args_takes_value (enum cab_tool tool, const char *arg)
{
  static const char *const gcc[] = {
    "-o", "-x", "-I", "-L", "-l", "-D", "-U", "-A", "-J", "-B", "-T", "-u", "-z", "-e", "-include",
    "-imacros", "-isystem", "-iquote", "-idirafter", "-iprefix", "-iwithprefix",
    "-iwithprefixbefore", "-isysroot", "-imultilib", "-MF", "-MT", "-MQ", "-Xlinker", "-Xassembler",
    "-Xpreprocessor", "-aux-info", "--param", "-specs", "-wrapper", "-dumpbase", "-dumpbase-ext",
    "-dumpdir", "-fintrinsic-modules-path", NULL
  };
  static const char *const ld[] = {
    "-o", "--output", "-L", "-l", "-T", "-u", "-z", "-e", "--entry", "-m", "-h", "-soname",
    "--soname", "-rpath", "--rpath", "-rpath-link", "--rpath-link", "-dynamic-linker",
    "--dynamic-linker", "-I", "-Map", "-b", "-y", "-a", "-A", "-F", "-f", "-G", "-R", "-plugin",
    "-plugin-opt", "--version-script", "--dynamic-list", "--defsym", "-init", "-fini", NULL
  };
  static const char *const objcopy[] = {
    "-I", "-O", "-B", "-F", "-j", "-R", "-K", "-N", "-L", "-G", "-W", "-o", NULL
  };
  return is_one_of (arg, tool == CAB_TOOL_GCC ? gcc : tool == CAB_TOOL_LD ? ld : objcopy);
}

int
cab_args_side_file (const char *arg)
{
  static const char *const alone[] = { "-MD", "-MMD", "-MP", "-MG", NULL };
  static const char *const pairs[] = { "-MF", "-MT", "-MQ", "-aux-info", NULL };
  static const char *const heads[] = {
    "-MF", "-MT", "-MQ", "-Wp,-M", "-save-temps", "-fdump-", "-Wl,-Map", "-Wl,--dependency-file",
    "-fopt-info", NULL
  };
  if (is_one_of (arg, alone))
    return 1;
  if (is_one_of (arg, pairs))
    return 2;
  for (const char *const *head = heads; *head; head++)
    if (begins (arg, *head))
      return 1;
  return 0;
}

static bool
is_source (const char *path, const char *language)
{
  static const char *const suffixes[] = {
    "c", "i", "C", "cc", "cp", "cpp", "cxx", "c++", "CPP", "ii", "m", "mm", "s", "S", "sx", "f",
    "F", "for", "FOR", "ftn", "FTN", "fpp", "FPP", "f90", "F90", "f95", "F95", "f03", "F03", "f08",
    "F08", "d", "go", "adb", NULL
  };
  const char *dot = strrchr (path, '.');
  if (language)
    return true;
  return dot && !strchr (dot, '/') && is_one_of (dot + 1, suffixes);
}

/* Return the name of SOURCE's object or assembly file: the last part of its path with SUFFIX in
   place of its own.  The caller frees it. */
static char *
replace_suffix (const char *source, const char *suffix)
{
  const char *slash = strrchr (source, '/'), *base = slash ? slash + 1 : source,
	     *dot = strrchr (base, '.');
  char *stem = dot ? xstrndup (base, dot - base) : xstrdup (base);
  char *result = concat (stem, suffix, NULL);
  free (stem);
  return result;
}

/* Add the pieces of -Wl,A,B,C that name files, and the soname. */
static void
parse_linker_list (struct cab_args *args, int arg, const char *text)
{
  bool is_soname = false;
  for (size_t from = 4; text[from - 1];)
    {
      size_t n = strcspn (text + from, ",");
      const char *piece = text + from, *equals = memchr (piece, '=', n);
      bool names_soname = begins (piece, "-soname") || begins (piece, "--soname")
		       || (begins (piece, "-h") && n == 2);
      if (is_soname)
	add (&args->sonames, arg, from, piece, n);
      else if (names_soname && equals)
	add (&args->sonames, arg, equals + 1 - text, equals + 1, piece + n - equals - 1);
      else if (*piece != '-' && n)
	add (&args->inputs, arg, from, piece, n);
      is_soname = names_soname && !equals && !is_soname;
      from += n + 1;
    }
}

/* Parse the options that choose the kind of output; return true if ARG was one. */
static bool
parse_mode (struct cab_args *args, const char *arg, char *mode, bool *shown)
{
  static const char *const shows[] = {
    "-E",   "-M", "-MM", "-fsyntax-only", "--version", "-dumpversion", "-dumpmachine", "-dumpspecs",
    "-###", "-V", NULL
  };
  if (is_one_of (arg, shows) || begins (arg, "-print-") || begins (arg, "--print-")
      || begins (arg, "--help"))
    *shown = true;
  else if (!strcmp (arg, "-c") || !strcmp (arg, "-S"))
    *mode = arg[1];
  else if (!strcmp (arg, "-shared") || !strcmp (arg, "--shared") || !strcmp (arg, "-Bshareable"))
    args->shared = true;
  else if (!strcmp (arg, "-r") || !strcmp (arg, "-i") || !strcmp (arg, "--relocatable"))
    args->partial = true;
  else if (!strcmp (arg, "-static") || !strcmp (arg, "--static") || !strcmp (arg, "-static-pie"))
    args->is_static = true;
  else
    return false;
  return true;
}

/* Parse an option with its value in the same argument or the next; return true if ARGV[*I] was
   one. */
static bool
parse_valued (struct cab_args *args, char **argv, int argc, int *i, const char **language)
{
  static const struct { const char *name; bool joined; size_t list;
  } options[] = { { "-o", true, offsetof (struct cab_args, outputs) },
		  { "-L", true, offsetof (struct cab_args, dirs) },
		  { "-l", true, offsetof (struct cab_args, libs) },
		  { "-soname", false, offsetof (struct cab_args, sonames) },
		  { "--output", false, offsetof (struct cab_args, outputs) },
		  { "-h", false, offsetof (struct cab_args, sonames) } };
  const char *arg = argv[*i];
  for (size_t k = 0; k < sizeof options / sizeof *options; k++)
    {
      struct cab_named_list *list = (struct cab_named_list *) ((char *) args + options[k].list);
      size_t n = strlen (options[k].name);
      if (k > 2 && args->tool != CAB_TOOL_LD)
	continue;
      if (!strcmp (arg, options[k].name) && *i + 1 < argc)
	{
	  ++*i;
	  add_rest (list, *i, argv[*i], 0);
	  return true;
	}
      if (options[k].joined && begins (arg, options[k].name) && arg[n])
	{
	  add_rest (list, *i, arg, n);
	  return true;
	}
    }
  if (begins (arg, "-x") && args->tool == CAB_TOOL_GCC)
    {
      const char *value = arg[2] ? arg + 2 : *i + 1 < argc ? argv[++*i] : "none";
      *language = strcmp (value, "none") ? value : NULL;
      return true;
    }
  if (cab_args_takes_value (args->tool, arg))
    ++*i;
  return *arg == '-' && arg[1];
}

/* Add the outputs where none is named: a.out, or files named after each source. */
static void
add_implied_outputs (struct cab_args *args, char mode)
{
  if (args->outputs.n || args->step == CAB_STEP_NONE)
    return;
  if (args->step == CAB_STEP_LINK)
    add (&args->outputs, -1, 0, "a.out", 5);
  for (int i = 0; i < args->sources.n && args->step == CAB_STEP_COMPILE; i++)
    {
      char *name = replace_suffix (args->sources.v[i].path, mode == 'S' ? ".s" : ".o");
      add_rest (&args->outputs, -1, name, 0);
      free (name);
    }
}

static void
parse_compiler (struct cab_args *args, int argc, char **argv)
{
  const char *language = NULL;
  char mode = 'l';
  bool shown = false;
  for (int i = 1; i < argc; i++)
    {
      const char *arg = argv[i];
      if (parse_mode (args, arg, &mode, &shown))
	continue;
      if (begins (arg, "-Wl,"))
	parse_linker_list (args, i, arg);
      else if (!strcmp (arg, "-"))
	args->from_stdin = true;
      else if (!parse_valued (args, argv, argc, &i, &language))
	add_rest (args->tool == CAB_TOOL_GCC && is_source (arg, language) ? &args->sources
									  : &args->inputs,
		  i, arg, 0);
    }
  if (!shown && (args->sources.n || (mode == 'l' && args->inputs.n) || args->from_stdin))
    args->step = mode == 'l' ? CAB_STEP_LINK : CAB_STEP_COMPILE;
  add_implied_outputs (args, mode);
}

/* Parse ar [-]KEYS [POSITION] ARCHIVE MEMBER..., with long options before. */
static void
parse_ar (struct cab_args *args, int argc, char **argv)
{
  int i = 1;
  while (i < argc && (begins (argv[i], "--")))
    i += !strcmp (argv[i], "--plugin") || !strcmp (argv[i], "--target")
	  || !strcmp (argv[i], "--output")
	 ? 2
	 : 1;
  if (i + 1 >= argc)
    return;
  const char *keys = argv[i++];
  if (!strpbrk (keys, "rqsdm") || strpbrk (keys, "xtp"))
    return;
  while (i < argc && begins (argv[i], "--"))
    i += !strcmp (argv[i], "--plugin") ? 2 : 1;
  i += strpbrk (keys, "abi") ? 1 : 0;
  if (i >= argc)
    return;
  args->step = CAB_STEP_ARCHIVE;
  add_rest (&args->outputs, i, argv[i], 0);
  for (int k = i + 1; k < argc && strpbrk (keys, "rq"); k++)
    add_rest (&args->inputs, k, argv[k], 0);
}

/* Parse ranlib FILE..., strip [-o OUT] FILE..., or objcopy IN [OUT]. */
static void
parse_change (struct cab_args *args, int argc, char **argv)
{
  struct cab_named_list files = { NULL, 0 };
  for (int i = 1; i < argc; i++)
    if (args->tool == CAB_TOOL_STRIP && !strcmp (argv[i], "-o") && i + 1 < argc)
      i++, add_rest (&args->outputs, i, argv[i], 0);
    else if (*argv[i] != '-')
      add_rest (&files, i, argv[i], 0);
    else if (args->tool != CAB_TOOL_RANLIB && cab_args_takes_value (args->tool, argv[i]))
      i++;
  bool two = args->tool == CAB_TOOL_OBJCOPY && files.n == 2;
  for (int i = 0; i < files.n; i++)
    {
      if (two || args->outputs.n > i)
	add_rest (two && i ? &args->outputs : &args->inputs, files.v[i].arg, argv[files.v[i].arg],
		  0);
      else
	add_rest (&args->outputs, files.v[i].arg, argv[files.v[i].arg], 0);
      free (files.v[i].path);
    }
  free (files.v);
  args->step = args->outputs.n ? CAB_STEP_CHANGE : CAB_STEP_NONE;
}

void
cab_args_parse (struct cab_args *args, enum cab_tool tool, int argc, char **argv)
{
  memset (args, 0, sizeof *args);
  args->tool = tool;
  if (tool == CAB_TOOL_GCC || tool == CAB_TOOL_LD)
    parse_compiler (args, argc, argv);
  else if (tool == CAB_TOOL_AR)
    parse_ar (args, argc, argv);
  else if (tool != CAB_TOOL_NONE)
    parse_change (args, argc, argv);
}

static void
list_fini (struct cab_named_list *list)
{
  for (int i = 0; i < list->n; i++)
    free (list->v[i].path);
  free (list->v);
}

void
cab_args_fini (struct cab_args *args)
{
  struct cab_named_list *lists[] = { &args->sources, &args->inputs, &args->outputs,
				     &args->dirs,    &args->libs,   &args->sonames };
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
    list_fini (lists[i]);
  memset (args, 0, sizeof *args);
}
