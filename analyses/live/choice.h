/* choice.h - the analyses that a run is asked for, and their arguments, as text.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      NAME[,key=value]...+NAME...: neither names nor values hold + , or : .  An analysis
 *             gets its arguments as "key=value:key=value".
 * Threads:    no state.
 * Errors:     words in DIAG, which may be null.
 */
#ifndef CAB_CHOICE_H
#define CAB_CHOICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "cabprof/analysis.h"

#define CAB_CHOICE_BYTES 1024   /* of a whole list */
#define CAB_CHOICE_FULL_BYTES (CAB_CHOICE_BYTES + 4096)   /* of one with all arguments filled in */

struct cab_choice
{
  char name[256];
  char arguments[512];          /* "" or "key=value:..." */
};

/* The next one of *LIST, which moves on.  1; 0: there is none left; -1: it is too long. */
int cab_choice_next (const char **list, struct cab_choice *choice, struct cab_diag *diag);
/* Does ANALYSIS have a key for each argument of CHOICE?  0, or -1: the words say which there
   are. */
int cab_choice_check (const struct cab_analysis *analysis, const struct cab_choice *choice,
		      struct cab_diag *diag);
/* Of "key=value:...": the value of KEY, of *N bytes, or null. */
const char *cab_choice_value (const char *arguments, const char *key, size_t *n);
/* Store the number that KEY has in "key=value:...", if it is there, to *VALUE; false: what is there
   is no number from LEAST to MOST. */
bool cab_choice_number (const char *arguments, const char *key, uint64_t least, uint64_t most,
			uint64_t *value);
/* Append WORDS, N of them at most, to the text of BYTES bytes, behind AT: where it ends now. */
size_t cab_choice_append (char *text, size_t at, size_t bytes, const char *words, size_t n);

#endif
