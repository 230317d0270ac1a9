/* user_analysis.h - analyses that users bring: NAME.so, loaded into the program that runs and into
 * the command that reports.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      The analysis NAME is in a file NAME.so, which is given by its path (with a slash), or
 *             is the first one in the directories of CABPROF_ANALYSES (separated by colons).  What
 *             is loaded stays: its code may be in use until the process ends.  A profile names
 *             analyses, and never files: a report loads only files that the user who asks for the
 *             report has named.
 * Threads:    one at a time.
 * Errors:     null, with words "FILE: what is wrong: what to do".  Statically linked programs
 *             cannot load any.
 */
#ifndef CAB_USER_ANALYSIS_H
#define CAB_USER_ANALYSIS_H

#include <stdbool.h>
#include "cabprof/analysis.h"

#define CAB_OWN_NAME_BYTES 40

/* Store to NAME the name of the analysis that ITEM, a name or a file, stands for:
   "./dir/strides.so" is strides. */
void cab_user_name (const char *item, char name[CAB_OWN_NAME_BYTES]);
/* Load ITEM, a name or a file; from then on cab_analysis_find knows it.  Return the analysis, or
   null.  If DIAG has no words then, ITEM is a name that no directory has. */
const struct cab_analysis *cab_user_load (const char *item, struct cab_diag *diag);
/* Return the analysis called NAME, loading it if need be.  NAME may come from a profile, so it is
   never taken as the path of a file. */
const struct cab_analysis *cab_user_find (const char *name, struct cab_diag *diag);
/* If not null, this is called with each file that has been loaded. */
extern void (*cab_user_watch) (const char *file);
/* Return nonzero while a file is being loaded: its constructors run then, and may not use the
   runtime. */
int cab_user_loading (void);
/* Return true if ANALYSIS is one that was loaded, not one that comes with cabprof. */
bool cab_user_is (const struct cab_analysis *analysis);

#endif
