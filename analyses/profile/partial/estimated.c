/* estimated.c - see estimated.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/profile/partial/estimated.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <libiberty/libiberty.h>
#include "analyses/base/table.h"

#define Z 1.96   /* normal quantile of 97.5 % */

/* What the processes did that read only some of their events. */
struct extent
{
  uint64_t words, read, overwritten, bursts, slowed, raised;
  uint64_t raw;   /* of `read', words that are no events, but belong to one */
  uint64_t least_rate, most_rate, least_burst, most_burst;
};

static struct extent
extent_of (const struct cab_model *model)
{
  struct extent e = { .least_rate = UINT64_MAX, .least_burst = UINT64_MAX };
  for (uint32_t i = 0; i < model->n_processes; i++)
    {
      const struct cab_ledger *l = &model->processes[i].ledger;
      const struct cab_part_share *s = &model->processes[i].share;
      if (!s->burst_bytes)
	continue;
      e.words += l->enqueued;
      e.read += l->enqueued - s->passed - s->overwritten;
      e.raw += l->raw_words;
      e.overwritten += s->overwritten;
      e.bursts += s->bursts;
      e.slowed += s->slowed;
      e.raised += s->raised;
      e.least_rate = s->rate < e.least_rate ? s->rate : e.least_rate;
      e.most_rate = s->rate > e.most_rate ? s->rate : e.most_rate;
      e.least_burst = s->burst_bytes < e.least_burst ? s->burst_bytes : e.least_burst;
      e.most_burst = s->burst_bytes > e.most_burst ? s->burst_bytes : e.most_burst;
    }
  return e;
}

bool
cab_model_is_unread (const struct cab_model *model)
{
  return cab_model_is_estimated (model) && !extent_of (model).bursts;
}

/* Return what has to be said of an analysis thread that fell behind, "" if it did not. */
static const char *
behind_text (struct cab_model *model, const struct extent *e)
{
  char lost[32], slowed[32], raised[32];
  const char *text = "";
  if (e->overwritten)
    text = cab_names_format (&model->names, "; %s were overwritten before they could be read",
			     cab_table_grouped (e->overwritten, lost));
  if (e->slowed)
    text = cab_names_format (&model->names,
			     "%s; the rate was halved %s times, as the analysis thread was behind "
			     "or above overhead=, and doubled again %s times",
			     text, cab_table_grouped (e->slowed, slowed),
			     cab_table_grouped (e->raised, raised));
  return text;
}

/* Return what `words' and `read' of E count: an event of accesses has several words. */
static const char *
unit_of (const struct extent *e)
{
  return e->raw ? "words of events" : "events";
}

const char *
cab_model_estimated_text (struct cab_model *model)
{
  char read[32], words[32], fewest[32];
  struct extent e = extent_of (model);
  if (!cab_model_is_estimated (model))
    return NULL;
  if (!e.bursts)
    return cab_names_format (&model->names,
			     "none of %s %s was read (sample=%g%%): %s",
			     cab_table_grouped (e.words, words), unit_of (&e), e.most_rate / 1e4,
			     e.most_rate ? "the run was too short: ask for a higher rate"
					 : "ask for a rate above 0 to have counts");
  return cab_names_format (&model->names,
			   "estimates from %s of %s %s (%.3g %%, sample=%g%%): 95 of 100 true "
			   "counts lie within what is given of the estimate; what happened fewer "
			   "than %s times may be missing%s",
			   cab_table_grouped (e.read, read), cab_table_grouped (e.words, words),
			   unit_of (&e), e.words ? 100. * e.read / e.words : 0, e.most_rate / 1e4,
			   cab_table_grouped (3 * (e.words / e.bursts), fewest),
			   behind_text (model, &e));
}

const char *
cab_model_needs_all (struct cab_model *model)
{
  return cab_model_is_estimated (model)
	 ? "only some events were read (sample=PERCENT), and this needs all of them: run without "
	   "sample=, or ask for methods, calls, paths, lines, accesses or annotate"
	 : NULL;
}

uint64_t
cab_estimate_within (double variance, uint64_t count)
{
  if (!(variance > 0) || !count || !isfinite (variance))
    return 0;
  /* The second term makes up for the skewness of small counts: the interval of a count of N bursts
     that stand for W each has its middle at N + Z^2 / 2, in units of W. */
  double within = Z * sqrt (variance) + Z * Z / 2 * variance / count;
  return within < 1e19 ? ceil (within) : UINT64_MAX;
}

uint64_t
cab_model_within (const struct cab_model *model, enum cab_estimate_of of, uint32_t a, uint32_t b,
		  uint64_t count)
{
  return cab_estimate_within (
    cab_estimates_variance (cab_model_state (model, &cab_estimates), of, a, b), count);
}

uint64_t *
cab_model_paths_within (const struct cab_model *model, const struct cab_function *function)
{
  uint32_t number = function->index + 1;
  if (!function->paths || !cab_model_estimates_paths (model, function))
    return NULL;
  const struct cab_arena *state = cab_model_state (model, &cab_estimates);
  if (!cab_estimates_variance (state, CAB_ESTIMATE_PATHS, number, 0))
    return NULL;
  uint64_t *within = XCNEWVEC (uint64_t, function->n_paths + 1);
  for (uint64_t p = 0; p < function->n_paths; p++)
    if (function->paths[p])
      within[p] = cab_estimate_within (
	cab_estimates_variance (state, CAB_ESTIMATE_PATH, number, p), function->paths[p]);
  return within;
}

uint64_t
cab_model_all_paths_within (const struct cab_model *model, const struct cab_function *function)
{
  uint64_t sum = 0;
  for (uint64_t p = 0; function->paths && p < function->n_paths; p++)
    sum += function->paths[p];
  return cab_model_within (model, CAB_ESTIMATE_PATHS, function->index + 1, 0, sum);
}

uint64_t
cab_model_calls_within (const struct cab_model *model, const struct cab_function *function)
{
  if (function->entries_known)
    return 0;
  if (!function->paths || !function->record)
    return cab_model_within (model, CAB_ESTIMATE_ENTRIES, function->index + 1, 0,
			     cab_model_calls (function));
  uint64_t *within = cab_model_paths_within (model, function);
  if (!within)
    return 0;
  struct cab_function slack = *function;
  slack.paths = within;
  uint64_t sum = cab_model_calls (&slack), all = cab_model_all_paths_within (model, function);
  free (within);
  return sum < all ? sum : all;
}
