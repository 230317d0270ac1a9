/* patch.h - directives for loops, as a unified diff of a source file.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Source:     POSIX, diff -u: "Diff -u or -U Output Format", so that patch(1) applies it.
 * Model:      an edit puts one directive right before a loop's keyword, on a line of its own. Where
 *             something else precedes the keyword on its line the line is split there; an unroll
 *             directive that is there already is replaced.
 * Ownership:  nothing is kept.
 */
#ifndef CAB_PATCH_H
#define CAB_PATCH_H

#include <stdio.h>
#include "loopfb/source/scan.h"

enum cab_language
{
  CAB_LANGUAGE_NONE,     /* not known */
  CAB_LANGUAGE_C,        /* or C++ */
  CAB_LANGUAGE_FORTRAN,
  CAB_LANGUAGE_FIXED     /* Fortran in fixed form */
};

struct cab_edit
{
  struct cab_place place;
  uint32_t unroll;
  const char *directive;   /* the directive's lines, without a line end at the last; null: to unroll
			      UNROLL times */
};

/* Return the language by the suffix of FILE's name, as GCC does. */
enum cab_language cab_patch_language (const char *file);

/* Write the diff of file NAME, whose contents are TEXT, to TO.  The N EDITS are sorted. */
void cab_patch_write (const char *name, enum cab_language language, const char *text, size_t length,
		      struct cab_edit *edits, size_t n, FILE *to);

#endif
