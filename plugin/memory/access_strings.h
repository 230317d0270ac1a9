/* access_strings.h - how much calls of string functions copy.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      a statement of ours beside such a call measures a string; what the call has copied
 *             follows from that.
 */
#ifndef CABPROF_MEMORY_ACCESS_STRINGS_H
#define CABPROF_MEMORY_ACCESS_STRINGS_H

#include "plugin/emit/plugin.h"

/* What a call has copied; words are registers or null. */
struct cab_string_copy
{
  gcall *call;
  tree start;   /* the length of the string that CALL appends to; all there is to know of a measure
		   before the call */
  tree end;     /* the length of the string at CALL's first argument behind it */
  tree most;    /* bytes that it writes at most */
};

/* Insert code into FN, which is cfun, that measures what calls copy.  SSA form is right behind
   it. */
extern void cab_strings_tell (function *fn);
/* Append a call that measures the string at POINTER, of MOST bytes or null; return its length. */
extern tree cab_string_length (gimple_seq *seq, tree pointer, tree most);
/* Return true if STMT is such a measure. */
extern bool cab_string_is_measure (gimple *stmt);
/* Fill COPY with what MEASURE tells; return false if it tells nothing. */
extern bool cab_string_copied (gimple *measure, struct cab_string_copy *copy);
/* Return the name, which lasts, of the library's function whose accesses to memory STMT hides; null
   if there is none. */
extern const char *cab_strings_unseen (gimple *stmt);

#endif
