/* parts.h - which parts a profile consists of, by the names of its files.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_PARTS_H
#define CAB_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include "cabprof/analysis.h"

/* Return true if PATH is one part, not a directory of parts. */
bool cab_parts_is_one (const char *path);
/* Return the paths of the parts in directory PATH, sorted, or PATH itself if it is a part; their
   number goes into *N.  Return null, with words in DIAG, if there is none. */
char **cab_parts_list (const char *path, size_t *n, struct cab_diag *diag);
/* Free the LIST of N paths; it may be null. */
void cab_parts_forget (char **list, size_t n);

/* Return the process that left the file NAME because it ended before its part was complete, or 0 if
   NAME is no such file, or the process may still exist. */
pid_t cab_parts_unborn (const char *name);
/* Return true if DIR holds what `cabprof record' sampled or `cabprof tune' found.  That is a
   profile, too, whether or not there is a part. */
bool cab_parts_has_samples (const char *dir);

#endif
