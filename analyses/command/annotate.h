/* annotate.h - annotated source as a table, and the way to write it for people.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shapes:     a row per source line; columns as below.
 */
#ifndef CAB_ANNOTATE_H
#define CAB_ANNOTATE_H

#include "analyses/profile/model.h"
#include "analyses/base/table.h"

enum
{
  CAB_ANNOTATE_FILE,
  CAB_ANNOTATE_LINE,
  CAB_ANNOTATE_EXECUTABLE,   /* is there code on the line? */
  CAB_ANNOTATE_COUNT,
  CAB_ANNOTATE_SHARE,
  CAB_ANNOTATE_HOTTEST,      /* is it on a hottest path? */
  CAB_ANNOTATE_SOURCE,
  CAB_ANNOTATE_UNFINISHED,   /* as in lines.h: where it is not 0 the count is the least there can
				be */
  CAB_ANNOTATE_N
};

/* The count of FUNCTION's hottest path, which is *PATH; 0: none was executed. */
uint64_t cab_annotate_hottest (const struct cab_function *function, uint64_t *path);

/* TEXT on standard output with tabs as spaces, without what a terminal would take for commands, at
   most ROOM columns (0: no limit). */
void cab_annotate_source (const char *text, int room);

/* `cabprof annotate --loops': the exit status (cmd_annotate_loops.c).  GLOB: null, or file or
   function. */
int cab_cmd_annotate_loops (struct cab_model *model, const char *glob, char *const *dirs,
			    int n_dirs, enum cab_format format);

/* TABLE on standard output; each file begins with the hottest paths of those of the N FUNCTIONS
   that lie in it. */
void cab_annotate_text (struct cab_model *model, const struct cab_table *table,
			struct cab_function *const *functions, uint32_t n);

#endif
