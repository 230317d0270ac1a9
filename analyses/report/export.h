/* export.h - a profile in the formats of other programs.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      a format is one file, export_NAME.c, and one line in cmd_export.c's table.
 *     lcov       a tracefile: functions, lines and branches.  A branch is an edge out of a block
 *     with several; exceptions and abnormal edges
 *                are none.  Functions carry their assembler names (genhtml --demangle-cpp).
 *     callgrind  lines with two events: Executions, and Calls at the function's first line.  A
 *     call's inclusive counts are of the
 *                calling-context tree: Calls are exact; Executions take each function's mean per
 *                call, since lines are not counted by context.  A call of a function that is active
 *                already carries none: they are within the outer one's.
 *     folded     a stack and its count per line, frames separated by semicolons; [f] stands for
 *     uninstrumented code that was
 *                called by the name of f and called back.
 * Errors:     0, or -1 with words; what cannot be written sticks to the stream.
 */
#ifndef CAB_EXPORT_H
#define CAB_EXPORT_H

#include <stdio.h>
#include "analyses/profile/model.h"

struct cab_export_options
{
  char **dirs;           /* where sources may be */
  int n_dirs;
  bool fold_recursion;   /* stacks: take a function below itself for its outer activation */
};

/* TEXT, in one line whatever it holds. */
void cab_export_text (const char *text, FILE *to);

int cab_export_lcov (struct cab_model *model, const struct cab_export_options *options, FILE *to,
		     struct cab_diag *diag);
int cab_export_callgrind (struct cab_model *model, const struct cab_export_options *options,
			  FILE *to, struct cab_diag *diag);
int cab_export_folded (struct cab_model *model, const struct cab_export_options *options, FILE *to,
		       struct cab_diag *diag);

#endif
