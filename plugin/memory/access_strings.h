/* access_strings.h - how much calls of string functions copy.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      an inserted statement beside such a call measures a string; what the call has copied
 *             follows from its length.
 */
#ifndef CABPROF_MEMORY_ACCESS_STRINGS_H
#define CABPROF_MEMORY_ACCESS_STRINGS_H

#include "plugin/emit/plugin.h"

/* What a call has copied; words are registers or null. */
struct cab_string_copy
{
  gcall *call;
  tree start;   /* the length of the string that CALL appends to; for a measure before the call, all
		   that is known */
  tree end;     /* the length of the string at CALL's first argument after it */
  tree most;    /* the most bytes that it writes */
};

/* Insert code into FN, which is cfun, that measures what calls copy.  SSA form is up to date after
   it. */
extern void cab_strings_tell (function *fn);
/* Append the measurement of the string at POINTER, of MOST bytes or of any length if that is null;
   return its length. */
extern tree cab_string_length (gimple_seq *seq, tree pointer, tree most);
/* Return true if STMT is such a measurement. */
extern bool cab_string_is_measure (gimple *stmt);
/* Fill in COPY from MEASURE; return false if it measures no copy. */
extern bool cab_string_copied (gimple *measure, struct cab_string_copy *copy);
/* Return the name of the library's function whose accesses to memory STMT hides, or null if there
   is none.  The name is permanent. */
extern const char *cab_strings_unseen (gimple *stmt);

#endif
