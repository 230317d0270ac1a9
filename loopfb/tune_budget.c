/* tune_budget.c - how much may still be measured.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "loopfb/tune.h"
#include <string.h>

#define MOST 100000

static int
default_runs (const struct cab_tune_options *options)
{
  return options->try && !strcmp (options->try, "all") ? CAB_TUNE_RUNS_ALL : CAB_TUNE_RUNS;
}

int
cab_tune_room (const struct cab_tune *tune)
{
  const struct cab_tune_options *options = &tune->options;
  double each = tune->next ? tune->spent_s / tune->next : 0;
  double runs = MOST, seconds = MOST;
  if (options->max_runs || options->budget_s <= 0)
    runs = (options->max_runs ? options->max_runs : default_runs (options)) - tune->next;
  if (options->budget_s > 0 && each > 0)
    seconds = (options->budget_s - tune->spent_s) / each;
  double least = runs < seconds ? runs : seconds;
  return least <= 0 ? 0 : least < MOST ? (int) least : MOST;
}
