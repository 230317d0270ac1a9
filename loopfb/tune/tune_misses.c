/* tune_misses.c - see tune_misses.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "loopfb/tune/tune_misses.h"
#include <stdlib.h>
#include <libiberty/libiberty.h>
#include "analyses/live/cache/an_cache.h"
#include "analyses/profile/model.h"
#include "analyses/report/report.h"
#include "cabprof/loops.h"
#include "loopfb/tune/tune_say.h"

#define MISSES 0.01   /* part of a loop's loads that miss, at least, where prefetches are tried */

/* Return the number of the tuned loop that the access of REF is in, loops in between not counted;
   -1 if there is none. */
static int
loop_of (const struct cab_tune *tune, const struct cab_access_ref *ref)
{
  const struct cab_record *r = ref->access ? ref->function->record : NULL;
  if (!r || ref->access->loop >= r->n_access_loops || !r->access_loops[ref->access->loop].origin)
    return -1;
  const struct cab_access_loop *l = &r->access_loops[ref->access->loop];
  uint64_t key = cab_loop_key (l->origin, r->files[l->file], l->line, l->column, l->ordinal);
  for (int i = 0; i < tune->n_loops; i++)
    if (tune->loops[i].key == key)
      return i;
  return -1;
}

void
cab_tune_misses (struct cab_tune *tune)
{
  struct cab_model model;
  struct cab_diag diag;
  struct cab_cache_row row;
  if (cab_model_open (&model, tune->options.dir, false, &diag) < 0)
    return;
  uint64_t *loads = xcalloc (2 * tune->n_loops + 1, sizeof *loads), *missed = loads + tune->n_loops;
  for (uint64_t cursor = 0; cab_report_misses_next (&model, &cursor, &row);)
    {
      struct cab_access_ref ref = cab_model_access (&model, row.number);
      int i = loop_of (tune, &ref);
      if (i < 0)
	continue;
      loads[i] += row.accesses[0];
      missed[i] += row.missed[0][0];
    }
  int n = 0;
  for (int i = 0; i < tune->n_loops; i++)
    {
      tune->has_misses |= loads[i] > 0;
      tune->loops[i].misses = loads[i] && missed[i] >= MISSES * loads[i];
      n += tune->loops[i].misses;
    }
  if (tune->has_misses)
    cab_tune_say ("by the profile in %s the loads of %d loop%s miss: only these get prefetches",
		  tune->options.dir, n, n == 1 ? "" : "s");
  free (loads);
  cab_model_close (&model);
}
