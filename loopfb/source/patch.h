/* patch.h - directives for loops, as a unified diff of a source file.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Source:     POSIX, diff -u: "Diff -u or -U Output Format", so that patch(1) applies it.
 * Model:      an edit puts one directive right before a loop's keyword, on a line of its own.
 *             Where something else stands before the keyword on its line the line is split there;
 *             where an unroll directive stands already, it is replaced.
 * Ownership:  nothing is kept.
 */
#ifndef CAB_PATCH_H
#define CAB_PATCH_H

#include <stdio.h>
#include "loopfb/source/scan.h"

enum cab_language
{
  CAB_LANGUAGE_NONE,     /* nothing that we know */
  CAB_LANGUAGE_C,        /* or C++ */
  CAB_LANGUAGE_FORTRAN,
  CAB_LANGUAGE_FIXED     /* Fortran in fixed form */
};

struct cab_edit
{
  struct cab_place place;
  uint32_t unroll;
};

/* By the ending of the file's name, as GCC does. */
enum cab_language cab_patch_language (const char *file);

/* The diff of file NAME, whose text is TEXT; EDITS are put in order. */
void cab_patch_write (const char *name, enum cab_language language, const char *text, size_t length,
		      struct cab_edit *edits, size_t n, FILE *to);

#endif
