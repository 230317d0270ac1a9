/* counted.h - whether a loop, as it is written, is one that OpenMP can divide: it counts, and
 * control leaves it at its end only.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Source:     OpenMP 5.0, 2.9.1 "Canonical Loop Form".
 * Model:      pure: text in, answer out.  Types are not known: the caller must know whether the
 *             counter is an integer or a pointer.
 * Errors:     0, or -1 with the reason, a constant text.
 */
#ifndef CAB_COUNTED_H
#define CAB_COUNTED_H

#include "loopfb/source/scan.h"

#define CAB_COUNTED_NAME 64

struct cab_counted
{
  char variable[CAB_COUNTED_NAME];   /* the counter */
  bool declared;                     /* it is declared in the loop's head */
  uint32_t first_line, last_line;    /* of the loop's text; Fortran: of the DO only */
};

/* Look at the for at PLACE in TEXT, in C or C++. */
int cab_counted_c (const char *text, size_t length, const struct cab_place *place,
		   struct cab_counted *counted, const char **why);
/* Look at the DO at PLACE in TEXT. */
int cab_counted_fortran (const char *text, size_t length, const struct cab_place *place,
			 struct cab_counted *counted, const char **why);

/* Return true if a ; stands between the columns A and B of LINE in TEXT. */
bool cab_counted_divides (const char *text, size_t length, uint32_t line, uint32_t a, uint32_t b);

#endif
