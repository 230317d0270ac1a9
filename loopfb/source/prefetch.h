/* prefetch.h - write what a hint to prefetch asks for as lines of C or C++.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Source:     the rules of plugin/loops/loop_prefetch.h, as far as text can show that they hold.
 * Model:      pure: text in, lines out.  The loop is a for whose counter grows by one up to a bound
 *             that is a name or a number, and that can only be left at its end: no call, no break.
 *             What its body loads from an array in each iteration, a[i] or a[b[i]], gets a line
 *             `__builtin_prefetch (&a[b[n - i > 16 ? i + 16 : i]]);' at the beginning of the body:
 *             the index never is one that the loop does not have itself.  If there are loads of
 *             the second form, only these do.
 * Ownership:  the caller frees `lines'; reasons are constant texts.
 * Errors:     0, or -1 with the reason why there can be no lines.
 */
#ifndef CAB_PREFETCH_H
#define CAB_PREFETCH_H

#include "loopfb/source/scan.h"

struct cab_prefetch
{
  struct cab_place place;   /* of the body's first token: the lines go in front of it */
  char *lines;              /* without a line end at the last */
};

/* Look at the for at PLACE in TEXT, for prefetches DISTANCE iterations ahead. */
int cab_prefetch_c (const char *text, size_t length, const struct cab_place *place,
		    unsigned distance, struct cab_prefetch *prefetch, const char **why);

#endif
