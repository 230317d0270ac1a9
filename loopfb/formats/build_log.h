/* build_log.h - what the wrappers record of a build, so that `cabprof tune' can run its commands
 * again.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      a file to which each command of the build appends one record, by one write, when it
 *             has ended.  A record is a run of NUL-terminated strings; the first is CAB_BUILD_MARK,
 *             the last CAB_BUILD_END.  Between them the first character of each says what follows:
 *               p path          the program that was run (absolute)
 *               n tool          enum cab_tool, as a digit
 *               d directory     the working directory
 *               s number        status, as waitpid gives it
 *               a argument      each, in order, from argv[0] on; response files are expanded, and
 *                               the plugin is included
 *               e NAME=VALUE    environment that matters to compilers; e NAME: it was not set
 *               i path \t hash  a file read: sources, objects, archives and shared libraries, also
 *                               those that -l found.  The hash is the SHA-1 in hex before the
 *                               command ran, empty if the file could not be read
 *               o path \t hash  a file written; its hash afterwards, empty if it is missing
 *             Strings with other letters are skipped.  Paths are absolute, by the working
 *             directory, but otherwise as given.
 * Threads:    any number of processes append at once; records are written whole, in the order in
 *             which the commands end.
 * Ownership:  cab_build_log_fini frees all.
 * Errors:     a torn record (the build was killed) ends the log; the records before it are good.
 */
#ifndef CAB_BUILD_LOG_H
#define CAB_BUILD_LOG_H

#include "cabprof/analysis.h"
#include "loopfb/formats/build_args.h"

#define CAB_BUILD_MARK "cabprof build 1"
#define CAB_BUILD_END "."
#define CAB_BUILD_LOG "CABPROF_BUILD_LOG"   /* environment variable: the file to append to */
#define CAB_FEEDBACK "CABPROF_FEEDBACK"

/* The environment that matters to compilers and linkers; ends with a null pointer. */
#define CAB_BUILD_ENVIRONMENT \
  "PATH", "CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "OBJC_INCLUDE_PATH", "LIBRARY_PATH", \
    "LD_RUN_PATH", "COMPILER_PATH", "GCC_EXEC_PREFIX", "LD_LIBRARY_PATH", "TMPDIR", "LANG", \
    "LC_ALL", "LC_CTYPE", "LC_MESSAGES", "SOURCE_DATE_EPOCH", "GNUTARGET", "LDEMULATION", \
    "CABPROF_PLUGIN_ARGS", NULL

struct cab_file
{
  char *path, *hash;
};

struct cab_build_command
{
  char *program, *cwd;
  enum cab_tool tool;
  int status;
  char **argv;                         /* ends with a null pointer */
  int argc;
  char **env;                          /* NAME=VALUE or NAME */
  int n_env;
  struct cab_file *inputs, *outputs;
  int n_inputs, n_outputs;
  struct cab_args args;                /* ARGV, parsed */
};

struct cab_build_log
{
  struct cab_build_command *v;
  int n;
  char *text;                          /* memory of all strings of the log */
};

/* Read the log at PATH into LOG.  Return 0, or negative with words.  A log that does not exist is
   an empty one. */
int cab_build_log_read (struct cab_build_log *log, const char *path, struct cab_diag *diag);
/* Free all that LOG holds. */
void cab_build_log_fini (struct cab_build_log *log);

#endif
