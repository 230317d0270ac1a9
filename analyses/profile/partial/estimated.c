/* estimated.c - see estimated.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/profile/partial/estimated.h"
#include <math.h>
#include <stdio.h>
#include "analyses/base/table.h"

#define Z 1.96   /* normal quantile of 97.5 % */

/* What the processes did that read only some of their events. */
struct extent
{
  uint64_t words, read, overwritten, bursts, slowed;
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
      e.overwritten += s->overwritten;
      e.bursts += s->bursts;
      e.slowed += s->slowed;
      e.least_rate = s->rate < e.least_rate ? s->rate : e.least_rate;
      e.most_rate = s->rate > e.most_rate ? s->rate : e.most_rate;
      e.least_burst = s->burst_bytes < e.least_burst ? s->burst_bytes : e.least_burst;
      e.most_burst = s->burst_bytes > e.most_burst ? s->burst_bytes : e.most_burst;
    }
  return e;
}

bool
cab_model_is_estimated (const struct cab_model *model)
{
  for (uint32_t i = 0; i < model->n_processes; i++)
    if (model->processes[i].share.burst_bytes && model->processes[i].ledger.enqueued)
      return true;
  return false;
}

bool
cab_model_is_unread (const struct cab_model *model)
{
  return cab_model_is_estimated (model) && !extent_of (model).bursts;
}

/* Return what has to be said about events that were overwritten, "" if nothing. */
static const char *
lost_text (struct cab_model *model, const struct extent *e)
{
  char lost[32], slowed[32];
  if (!e->overwritten && !e->slowed)
    return "";
  return cab_names_format (&model->names,
			   "; %s were overwritten before they could be read, and the rate was "
			   "halved %s times",
			   cab_table_grouped (e->overwritten, lost),
			   cab_table_grouped (e->slowed, slowed));
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
			     "none of %s events was read (sample=%g%%): %s",
			     cab_table_grouped (e.words, words), e.most_rate / 1e4,
			     e.most_rate ? "the run was too short: ask for a higher rate"
					 : "ask for a rate above 0 to have counts");
  return cab_names_format (&model->names,
			   "estimates from %s of %s events (%.3g %%, sample=%g%%): 95 of 100 true "
			   "counts lie within what is given of the estimate; what happened fewer "
			   "than %s times may be missing%s",
			   cab_table_grouped (e.read, read), cab_table_grouped (e.words, words),
			   e.words ? 100. * e.read / e.words : 0, e.most_rate / 1e4,
			   cab_table_grouped (3 * (e.words / e.bursts), fewest),
			   lost_text (model, &e));
}

const char *
cab_model_needs_all (struct cab_model *model)
{
  return cab_model_is_estimated (model)
	 ? "only some events were read (sample=PERCENT), and this needs all of them: run without "
	   "sample=, or ask for the reports methods, calls or paths"
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
