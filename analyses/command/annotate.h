/* annotate.h - annotated source as a table, and functions that write it for people.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shapes:     one row per source line, with the columns below.
 */
#ifndef CAB_ANNOTATE_H
#define CAB_ANNOTATE_H

#include "analyses/profile/model.h"
#include "analyses/base/table.h"

/* The columns of the table. */
enum
{
  CAB_ANNOTATE_FILE,
  CAB_ANNOTATE_LINE,
  CAB_ANNOTATE_EXECUTABLE,   /* 1 if there is code on the line */
  CAB_ANNOTATE_COUNT,
  CAB_ANNOTATE_SHARE,
  CAB_ANNOTATE_HOTTEST,      /* 1 if the line is on a hottest path */
  CAB_ANNOTATE_SOURCE,
  CAB_ANNOTATE_UNFINISHED,   /* as in lines.h: where it is not 0, the count is a lower bound */
  CAB_ANNOTATE_WITHIN,       /* as in lines.h; shown where counts are estimates */
  CAB_ANNOTATE_N
};

/* Return the count of FUNCTION's hottest path and set *PATH to that path.  Return 0 if no path was
   executed. */
uint64_t cab_annotate_hottest (const struct cab_function *function, uint64_t *path);

/* Write TEXT to standard output, at most ROOM columns of it (0: no limit), with tabs as spaces and
   without what a terminal would take for commands. */
void cab_annotate_source (const char *text, int room);

/* Run `cabprof annotate --loops' (cmd_annotate_loops.c) and return the exit status.  GLOB is null,
   or matches a file or a function. */
int cab_cmd_annotate_loops (struct cab_model *model, const char *glob, char *const *dirs,
			    int n_dirs, enum cab_format format);

/* Run `cabprof annotate --deps' (cmd_annotate_deps.c); likewise. */
int cab_cmd_annotate_deps (struct cab_model *model, const char *glob, char *const *dirs, int n_dirs,
			   enum cab_format format);

/* Write TABLE to standard output.  Each file begins with the hottest paths of those of the N
   FUNCTIONS that lie in it. */
void cab_annotate_text (struct cab_model *model, const struct cab_table *table,
			struct cab_function *const *functions, uint32_t n);

#endif
