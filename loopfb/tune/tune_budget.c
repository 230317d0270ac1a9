/* tune_budget.c - compute how much may still be measured.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "loopfb/tune/tune_stage.h"
#include "loopfb/tune/tune_budget.h"
#include "loopfb/tune/tune_say.h"
#include <string.h>
#include "analyses/base/say.h"

#define MOST 100000

/* Return true if trials are wanted with OPTIONS, and may be possible. */
static bool
may_try (const struct cab_tune_options *options)
{
  return (!options->method || strcmp (options->method, "builds")) && !options->rebuild
      && !(options->source && !strcmp (options->source, "off"));
}

/* Return how many measurements there are without a limit.  Trials come in front of those that
   separate builds have. */
static int
default_runs (const struct cab_tune *tune)
{
  const struct cab_tune_options *options = &tune->options;
  return (cab_tune_tries (options->try, "all") ? CAB_TUNE_RUNS_ALL : CAB_TUNE_RUNS)
	 + (cab_tune_tries (options->try, "profile") ? CAB_TUNE_RUNS_PROFILE : 0)
	 + (tune->by_trials || (may_try (options) && !tune->no_trials) ? CAB_TUNE_TRIALS_MOST : 0);
}

/* Return the wall seconds of one measurement, or 0 if none was made.  The first one runs the
   program only once, so it is left out as soon as there are others. */
static double
each_s (const struct cab_tune *tune)
{
  bool more = tune->next > 1 && tune->n_runs > 1;
  return more ? (tune->spent_s - tune->runs[0].wall_s) / (tune->next - 1)
	      : tune->spent_s / (tune->next ? tune->next : 1);
}

int
cab_tune_least_matrix (const char *try, bool has_loops)
{
  return CAB_TUNE_ROUNDS
	 * (cab_tune_tries (try, "all") && has_loops ? CAB_TUNE_COLUMNS : CAB_TUNE_FACTORS);
}

int
cab_tune_least (const struct cab_tune_options *options, bool has_loops)
{
  return CAB_TUNE_DEFAULTS
	 + (may_try (options) && has_loops ? CAB_TUNE_TRIALS_LEAST
					   : cab_tune_least_matrix (options->try, has_loops))
	 + 2 * CAB_TUNE_PAIRS;
}

int
cab_tune_announce (const struct cab_tune *tune)
{
  double each = each_s (tune), budget = tune->options.budget_s;
  int least = cab_tune_least (&tune->options, tune->n_loops > 0);
  double least_s = tune->spent_s + (least - tune->next) * each,
	 most_s = tune->spent_s + cab_tune_left_s (tune);
  if (budget > 0 && least_s > budget && tune->n_journal < least)
    {
      cab_say ("--budget=%g: a measurement takes %.3g s and at least %d are needed, %.0f s in all: "
	       "give --budget=%.0f, or a shorter run",
	       budget, each, least, least_s, 1.1 * least_s + 1);
      return -1;
    }
  cab_tune_say ("a measurement takes %.3g s: at least %d of them, %.0f s, and at most %.0f s; "
		"builds are not counted",
		each, least, least_s, most_s > least_s ? most_s : least_s);
  return 0;
}

double
cab_tune_left_s (const struct cab_tune *tune)
{
  return tune->next ? cab_tune_room (tune) * each_s (tune) : -1;
}

int
cab_tune_room (const struct cab_tune *tune)
{
  const struct cab_tune_options *options = &tune->options;
  double each = each_s (tune);
  double runs = MOST, seconds = MOST;
  if (options->max_runs || options->budget_s <= 0)
    runs = (options->max_runs ? options->max_runs : default_runs (tune)) - tune->next;
  if (options->budget_s > 0 && each > 0)
    seconds = (options->budget_s - tune->spent_s) / each;
  double least = runs < seconds ? runs : seconds;
  return least <= 0 ? 0 : least < MOST ? (int) least : MOST;
}
