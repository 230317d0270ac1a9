/* own.h - analyses that users bring: NAME.so, loaded into the program that runs and into the
 * command that reports.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      the analysis NAME is in a file NAME.so, which is named by its path (with a slash), or
 *             is the first one in the directories of CABPROF_ANALYSES (separated by colons).  What
 *             is loaded stays: its code may be in use until the process ends.  A profile names
 *             analyses, and never files: what a report loads, the user who asks for the report has
 *             named.
 * Threads:    one at a time.
 * Errors:     null, with words "FILE: what is wrong: what to do".  Statically linked programs
 *             cannot load any.
 */
#ifndef CAB_OWN_H
#define CAB_OWN_H

#include <stdbool.h>
#include "cabprof/analysis.h"

#define CAB_OWN_NAME_BYTES 40

/* The name of the analysis that ITEM is, a name or a file: "./dir/strides.so" is strides. */
void cab_own_name (const char *item, char name[CAB_OWN_NAME_BYTES]);
/* Load ITEM, a name or a file; cab_analysis_find knows it from now on.  Null with empty words: a
   name, and no directory has it. */
const struct cab_analysis *cab_own_load (const char *item, struct cab_diag *diag);
/* The analysis called NAME, loaded if need be, but never a file that NAME, which may come from a
   profile, points to. */
const struct cab_analysis *cab_own_find (const char *name, struct cab_diag *diag);
/* Called with each file that has been loaded, where it is set. */
extern void (*cab_own_watch) (const char *file);
/* Is a file being loaded?  Then its constructors run, and may not want anything of the runtime. */
int cab_own_loading (void);
/* Return true if ANALYSIS was loaded, and did not come with cabprof. */
bool cab_own_is (const struct cab_analysis *analysis);

#endif
