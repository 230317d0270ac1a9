/* build_args.h - what a command of a build reads and writes, derived from its arguments.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      GCC's drivers, ar, ranlib, strip, objcopy and ld, as builds call them.  Pure: no file
 *             is looked at.  Only what `cabprof tune` follows is known: sources, objects, archives,
 *             shared libraries, programs.  Libraries named by -l are found by the caller, with the
 *             directories that are listed here.
 * Shapes:     arguments count from 0, which is the command's name; response files are already
 *             expanded.
 * Ownership:  cab_args_fini frees what cab_args_parse made; paths are copies.
 */
#ifndef CAB_BUILD_ARGS_H
#define CAB_BUILD_ARGS_H

#include <stdbool.h>
#include <stddef.h>

enum cab_tool
{
  CAB_TOOL_NONE,
  CAB_TOOL_GCC,       /* any driver: gcc, cc, g++, c++, gfortran */
  CAB_TOOL_AR,
  CAB_TOOL_RANLIB,
  CAB_TOOL_STRIP,
  CAB_TOOL_OBJCOPY,
  CAB_TOOL_LD
};

enum cab_step
{
  CAB_STEP_NONE,      /* nothing that is followed: -E, -M, --version, ar t */
  CAB_STEP_COMPILE,   /* one output for each source: -c, -S */
  CAB_STEP_LINK,      /* one output; may compile sources on the way */
  CAB_STEP_ARCHIVE,   /* ar: the archive is input and output */
  CAB_STEP_CHANGE     /* ranlib, strip, objcopy: a file is changed, or copied with a change */
};

/* A file that an argument names: N bytes of argument ARG, starting at FROM.  ARG is -1 if no
   argument names the file, since its name follows from others. */
struct cab_named
{
  int arg;
  size_t from, n;
  char *path;
};

struct cab_named_list
{
  struct cab_named *v;
  int n;
};

struct cab_args
{
  enum cab_tool tool;
  enum cab_step step;
  bool shared, partial, is_static;     /* properties of a link */
  bool from_stdin;                     /* a source is read from standard input: the command cannot
					  be run again */
  struct cab_named_list sources;       /* files to compile */
  struct cab_named_list inputs;        /* objects, archives, libraries, programs */
  struct cab_named_list outputs;
  struct cab_named_list dirs, libs;    /* -L and -l; `path' is the directory, or the name after
					  -l */
  struct cab_named_list sonames;
};

/* Return the tool that NAME, a path or the name of a link, stands for: gcc-12,
   x86_64-linux-gnu-g++, cc, gcc-ar, and so on. */
enum cab_tool cab_args_tool (const char *name);

/* Parse the ARGC arguments ARGV of a command of TOOL into ARGS. */
void cab_args_parse (struct cab_args *args, enum cab_tool tool, int argc, char **argv);
/* Free what ARGS holds. */
void cab_args_fini (struct cab_args *args);

/* Return the number of arguments, ARG included, of the option ARG if that asks a compiler for
   dependencies, a map, or another file beside its output; 0 if it does not. */
int cab_args_side_file (const char *arg);

/* Return true if ARG, an option of the compiler or linker TOOL, takes the next argument as its
   value. */
bool cab_args_takes_value (enum cab_tool tool, const char *arg);

#endif
