/* tune.c - what a tune holds, see tune.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "loopfb/tune/tune.h"
#include <stdlib.h>
#include <string.h>

bool
cab_tune_tries (const char *try, const char *what)
{
  size_t n = strlen (what);
  for (try = try ? try : CAB_TUNE_TRY; *try; try += strcspn (try, ","), try += *try == ',')
    if (strcspn (try, ",") == n && !strncmp (try, what, n))
      return true;
  return false;
}

void
cab_tune_defaults (struct cab_tune_options *options)
{
  options->try = options->try ? options->try : CAB_TUNE_TRY;
  options->method = options->method ? options->method : CAB_TUNE_METHOD;
  options->share = options->share < 0 ? CAB_TUNE_SHARE : options->share;
}

static void
free_variant (struct cab_tune_variant *variant)
{
  free (variant->name);
  free (variant->dir);
  free (variant->hints);
  free (variant->requests);
}

void
cab_tune_fini (struct cab_tune *tune)
{
  for (int i = 0; i < tune->n_loops + tune->n_inner; i++)
    {
      struct cab_tune_loop *loop = i < tune->n_loops ? &tune->loops[i]
						     : &tune->inner[i - tune->n_loops];
      free (loop->function), free (loop->name), free (loop->file), free (loop->flags);
    }
  for (int i = 0; i < tune->n_variants; i++)
    free_variant (&tune->variants[i]);
  for (int i = 0; i < tune->n_runs; i++)
    free (tune->runs[i].variant), free (tune->runs[i].stage), free (tune->runs[i].loops);
  for (int i = 0; i < tune->n_races; i++)
    free (tune->races[i].name), free (tune->races[i].reason);
  if (tune->has_decision)
    {
      cab_matrix_fini (&tune->matrix);
      cab_decision_fini (&tune->decision);
    }
  if (tune->graph.log)
    cab_graph_fini (&tune->graph);
  cab_build_log_fini (&tune->log);
  json_decref (tune->source);
  void *rest[] = { tune->work,	tune->own_path,	      tune->cwd,     tune->program,  tune->hot,
		   tune->need,	tune->loops,	      tune->inner,   tune->variants, tune->runs,
		   tune->races, tune->source_problem, tune->no_trips,
		   tune->all,	tune->no_places,      tune->profile,	      tune->no_profile,
		   tune->no_trials, tune->trials_flags[0], tune->trials_flags[1] };
  for (size_t i = 0; i < sizeof rest / sizeof *rest; i++)
    free (rest[i]);
}
