/* scan.h - find the statement in a source file that a loop was made of.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Source:     GCC's manual, "Loop-Specific Pragmas", and "UNROLL directive" of GNU Fortran's: what
 *             the directive must precede.
 * Model:      the compiler says where a loop's header is.  With a condition that is the condition's
 *             line and column; without one, and for do-while, it is the first statement of the
 *             body; in Fortran it is the line of DO.  Pure: text in, place out.
 * Units:      lines and columns from 1, columns in bytes; column 0 is not known.
 * Ownership:  reasons are constant texts.
 * Errors:     0, or -1 with the reason why no directive can be put there.
 */
#ifndef CAB_SCAN_H
#define CAB_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cab_place
{
  uint32_t line, column;      /* of the keyword: for, while, do */
  bool first;                 /* only blanks and whole comments precede it on its line */
  uint32_t replaces;          /* line of an unroll directive that is there already; 0 if none */
  uint32_t present;           /* factor of that directive */
};

struct cab_scan
{
  const char *text;           /* contains no NUL */
  size_t length;
  uint32_t line, column;      /* of the loop's header */
  uint32_t ordinal;           /* among the loops that are said to be there */
  bool is_template;           /* the loop is of an instance of a C++ template */
  bool plain;                 /* only the place is wanted: do not ask whether the compiler would
				 take a directive to unroll there */
};

/* Find the for, while or do statement that SCAN describes. */
int cab_scan_c (const struct cab_scan *scan, struct cab_place *place, const char **why);
/* Find the DO statement that SCAN describes.  FIXED says that columns 1 to 6 have a meaning of
   their own. */
int cab_scan_fortran (const struct cab_scan *scan, bool fixed, struct cab_place *place,
		      const char **why);

#endif
