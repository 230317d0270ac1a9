/* cmd_export_gcda.h - cabprof export gcda: files for -fprofile-use.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_CMD_EXPORT_GCDA_H
#define CAB_CMD_EXPORT_GCDA_H

#include <stdbool.h>

struct cab_export_gcda
{
  const char *dir;       /* the profile */
  const char *to;        /* as the argument of -fprofile-use=; null: as without one */
  const char *program;   /* null: all programs */
  char **stale;          /* files of a new build, whose sources may have changed since; or null */
  int n_stale;
  bool quiet;            /* do not print what was written */
};

/* Write the files.  Return the exit status; what is wrong has been printed. */
int cab_export_gcda (const struct cab_export_gcda *request);

#endif
