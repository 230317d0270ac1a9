/* access_unroll.h - lay loop bodies out several times, so that one event records several
 * iterations.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CABPROF_MEMORY_ACCESS_TURNS_H
#define CABPROF_MEMORY_ACCESS_TURNS_H

#include "plugin/memory/plan.h"

/* Lay out the loops where that pays, except those in WHOLE, which are regions: m->turned.  If there
   are any, all that is known of cfun must be found again.  Dominators and loops must be known, and
   stay known. */
extern void cab_turns_lay_out (struct cab_memory *m, const vec<class loop *> &whole);
/* Find which accesses from index FROM on belong to copies: set their `of'. */
extern void cab_turns_number (struct cab_memory *m, unsigned from);
/* Return the statement that STMT is or is a copy of. */
extern gimple *cab_turns_original (const struct cab_memory *m, gimple *stmt);
/* Append to FOUND the statements of BB that its copy has, too: no labels and no debug
   statements. */
extern void cab_statements_copied (basic_block bb, vec<gimple *> *found);

#endif
