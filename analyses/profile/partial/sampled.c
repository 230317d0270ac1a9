/* sampled.c - how much of the accesses was recorded of a program with a sampling switch.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/profile/partial/sampled.h"
#include <inttypes.h>
#include <stdio.h>
#include "analyses/base/table.h"

/* Find the least and the greatest rate of the model's processes. */
static void
find_rates (const struct cab_model *model, struct cab_sampled *sampled)
{
  sampled->least = UINT64_MAX;
  sampled->most = 0;
  for (uint32_t i = 0; i < model->n_processes; i++)
    {
      uint64_t every = model->processes[i].ledger.sample;
      sampled->least = every < sampled->least ? every : sampled->least;
      sampled->most = every > sampled->most ? every : sampled->most;
    }
}

bool
cab_model_sampled (const struct cab_model *model, struct cab_sampled *sampled)
{
  sampled->pieces = sampled->recorded = 0;
  for (uint32_t i = 0; i < model->n_functions; i++)
    {
      sampled->pieces += model->functions[i]->pieces;
      sampled->recorded += model->functions[i]->recorded;
    }
  find_rates (model, sampled);
  return sampled->pieces != sampled->recorded;
}

/* Return the number of functions with accesses that have no switch, so that the rate does not apply
   to them. */
static uint32_t
count_whole (const struct cab_model *model)
{
  uint32_t n = 0;
  for (uint32_t i = 0; i < model->n_functions; i++)
    {
      const struct cab_function *f = model->functions[i];
      n += (f->flags & CAB_ROW_MEMORY) && !(f->flags & CAB_ROW_SAMPLED) && f->n_accesses;
    }
  return n;
}

const char *
cab_model_sampled_text (struct cab_model *model)
{
  struct cab_sampled s;
  char pieces[32], recorded[32], rate[64] = "none";
  const char *whole = "";
  bool sampled = cab_model_sampled (model, &s);
  uint32_t n_whole = count_whole (model);
  /* Profiles that are older than rates have 0. */
  if (!sampled && !(n_whole && s.most > 1))
    return NULL;
  if (!sampled)
    return "a rate was asked for by sample=, but nothing was compiled with memory-sample: all "
	   "accesses were recorded";
  if (s.least == s.most && s.most)
    snprintf (rate, sizeof rate, "one piece in %" PRIu64, s.most);
  else if (s.most)
    snprintf (rate, sizeof rate, "one piece in %" PRIu64 " to %" PRIu64, s.least, s.most);
  if (n_whole)
    whole = cab_names_format (&model->names,
			      "; %" PRIu32 " function%s without the switch recorded whole", n_whole,
			      n_whole == 1 ? "" : "s");
  return cab_names_format (&model->names,
			   "sampled: %s of the activations was recorded, %s of %s; accesses are "
			   "counted as recorded, not scaled%s",
			   rate, cab_table_grouped (s.recorded, recorded),
			   cab_table_grouped (s.pieces, pieces), whole);
}
