/* gcda_stale.h - a profile for a build of sources that have changed since.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      records of the new build, which has not run, tell what GCC will look for: names,
 *             identifiers, checksums.  A function is the same if name, file, unit and the edges of
 *             its graph are, and the same of them have counters; its lines may have moved.  Others
 *             go without counts, so GCC guesses their branches as it does without a profile.
 */
#ifndef CAB_GCDA_STALE_H
#define CAB_GCDA_STALE_H

#include "analyses/report/gcda/gcda.h"

struct cab_gcda_stale
{
  uint32_t n_same, n_changed;
  const char *changed;      /* the name of a function that changed, or null */
};

/* Remember all functions of the module FILE by what they look like. */
void cab_gcda_stale_index (struct cab_gcda *gcda, struct cab_info *file);
/* Add the units of the file PATH, of the new build, to FRESH, with the counts that OLD has of the
   same functions; an object without code has none.  Return 0, or negative with words in DIAG. */
int cab_gcda_stale_add (struct cab_gcda *fresh, struct cab_gcda *old, const char *path,
			struct cab_gcda_stale *stale, struct cab_diag *diag);

#endif
