/* tune_trips.c - count how often the tuned loops iterate, by one run of a build with loop probes,
 * which is not part of any comparison.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "loopfb/tune/tune_trips.h"
#include "loopfb/tune/tune_run.h"
#include "loopfb/tune/tune_budget.h"
#include "loopfb/tune/tune_variant.h"
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/report/loops/loop_counts.h"

static void
take (struct cab_tune *tune, const struct cab_loop_counts *counts)
{
  for (int i = 0; i < tune->n_loops; i++)
    {
      struct cab_tune_loop *loop = &tune->loops[i];
      const struct cab_loop_count *count = cab_loop_counts_find (
	counts, loop->function, loop->file, loop->line, loop->column, loop->ordinal);
      loop->has_trips = count && count->n_copies;
      if (!loop->has_trips)
	continue;
      loop->entries = count->entries / tune->repeat;
      loop->iterations = count->iterations / tune->repeat;
      loop->trips = count->finished ? cab_loop_mean (count) : 0;
    }
}

/* Read the profile that the run has left in DIR. */
static void
read_counts (struct cab_tune *tune, const char *dir)
{
  struct cab_model model;
  struct cab_diag diag;
  struct cab_loop_counts counts;
  if (cab_model_open (&model, dir, false, &diag) < 0)
    {
      tune->no_trips = xstrdup (diag.text);
      return;
    }
  cab_loop_counts_of (&model, &counts);
  take (tune, &counts);
  cab_loop_counts_fini (&counts);
  cab_model_close (&model);
}

int
cab_tune_trips (struct cab_tune *tune)
{
  char *dir = concat (tune->work, "/trips", NULL), *options = concat ("data=", dir, NULL);
  int result = 0;
  if (!tune->n_loops)
    tune->no_trips = xstrdup ("no loop was tuned by itself");
  else if (tune->options.rebuild)
    tune->no_trips = xstrdup ("--rebuild makes no build with probes");
  else if (strchr (dir, ':'))
    tune->no_trips = xstrdup ("the profile's path has a colon");
  else if (!cab_tune_room (tune))
    tune->no_trips = xstrdup ("the budget was spent");
  else
    {
      int v = cab_tune_variant_with (tune, "trips", "-fplugin-arg-cabprof-events=loops");
      setenv ("CABPROF_OPTIONS", options, 1);
      result = cab_tune_measure (tune, v, 0, "counting trips", 0, false) ? 0 : -1;
      unsetenv ("CABPROF_OPTIONS");
      if (!result)
	read_counts (tune, dir);
    }
  free (dir);
  free (options);
  return result;
}
