/* tune_budget.c - how much may still be measured.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "loopfb/tune.h"

#define MOST 100000

int
cab_tune_room (const struct cab_tune *tune)
{
  const struct cab_tune_options *options = &tune->options;
  double each = tune->next ? tune->spent_s / tune->next : 0;
  double runs = MOST, seconds = MOST;
  if (options->max_runs || options->budget_s <= 0)
    runs = (options->max_runs ? options->max_runs : CAB_TUNE_RUNS) - tune->next;
  if (options->budget_s > 0 && each > 0)
    seconds = (options->budget_s - tune->spent_s) / each;
  double least = runs < seconds ? runs : seconds;
  return least <= 0 ? 0 : least < MOST ? (int) least : MOST;
}
