/* choice.h - the analyses that a run is asked for, and their arguments, as text.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      NAME[,key=value]...+NAME...: neither names nor values hold + , or : .  A comma may
 *             stand for the +: NAME,NAME.  An analysis gets its arguments as "key=value:key=value".
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

/* One analysis of a list, with its arguments. */
struct cab_choice
{
  char name[256];
  char arguments[512];          /* "" or "key=value:..." */
};

/* Store the next analysis of *LIST to CHOICE, and advance *LIST past it.  Return 1, or 0 if there
   is none left, or -1 if its name or its arguments are too long. */
int cab_choice_next (const char **list, struct cab_choice *choice, struct cab_diag *diag);
/* Return 0 if ANALYSIS has a key for each argument of CHOICE, else -1; the words then say which
   keys there are. */
int cab_choice_check (const struct cab_analysis *analysis, const struct cab_choice *choice,
		      struct cab_diag *diag);
/* Return the value that KEY has in ARGUMENTS, "key=value:...", and store its length in bytes to *N;
   null if KEY is not there. */
const char *cab_choice_value (const char *arguments, const char *key, size_t *n);
/* Store the number that KEY has in ARGUMENTS, "key=value:...", to *VALUE; leave *VALUE as it is if
   KEY is not there.  Return false if the value is not a number from LEAST to MOST. */
bool cab_choice_number (const char *arguments, const char *key, uint64_t least, uint64_t most,
			uint64_t *value);
/* Append at most N bytes of WORDS to TEXT of BYTES bytes, which ends at AT.  Return where it ends
   now. */
size_t cab_choice_append (char *text, size_t at, size_t bytes, const char *words, size_t n);
/* Append N in decimal, likewise. */
size_t cab_choice_append_number (char *text, size_t at, size_t bytes, uint64_t n);

#endif
