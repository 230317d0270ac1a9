/* tune_reason.c - say why a loop has its hint, or none.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "loopfb/tune/tune_reason.h"
#include "loopfb/tune/tune_luck.h"
#include "loopfb/tune/tune_tried.h"
#include "loopfb/tune/tune_variant.h"
#include <stdio.h>
#include <string.h>

#define PLACE_MATTERS 0.1   /* a spread of times over places that is worth telling */

bool
cab_tune_is_known (const struct cab_tune *tune, int loop)
{
  return tune->has_decision && loop < tune->decision.n_loops;
}

struct cab_tune_request
cab_tune_kept_request (const struct cab_tune *tune, int loop)
{
  return tune->kept && tune->variants[tune->kept].requests
	 ? tune->variants[tune->kept].requests[loop]
	 : CAB_TUNE_NO_WISH;
}

/* Return the name of column J: "factor 4", or the variant's name if it is no factor. */
static const char *
column_words (const struct cab_tune *tune, int j, char *text, size_t bytes)
{
  const char *name = tune->variants[tune->columns[j]].name;
  snprintf (text, bytes, "%s%s", name[0] >= '0' && name[0] <= '9' ? "factor " : "", name);
  return text;
}

/* Write into TEXT, in words, what became of the choice for LOOP, whose kept request is REQUEST. */
static void
add_outcome (const struct cab_tune *tune, int loop, const struct cab_loop_choice *choice,
	     struct cab_tune_request request, char *text, size_t bytes)
{
  bool kept = request.unroll != CAB_TUNE_NO_ROW;
  const struct cab_tune_variant *best = &tune->variants[tune->columns[choice->best]];
  if (kept && choice->best && cab_tune_request_same (request, best->requests[loop]))
    snprintf (text, bytes, "kept");
  else if (kept && request.unroll > 0)
    snprintf (text, bytes, "%suses the program-wide factor %d",
	      choice->best && !choice->gains ? "no significant difference; " : "", request.unroll);
  else if (kept)
    snprintf (text, bytes, "%suses the program-wide choice",
	      choice->best && !choice->gains ? "no significant difference; " : "");
  else
    snprintf (text, bytes, "%s",
	      !choice->best ? ""
	      : !choice->gains ? "no significant difference"
	      : tune->kept ? "not part of what was kept"
	      : "taken back, as the program was not significantly faster");
}

/* Return the text for LOOP whose hint was taken back because it was slower with it; NEST comes
   first. */
static const char *
slower_words (const struct cab_tune_loop *loop, const char *nest, char *text, size_t bytes)
{
  snprintf (text, bytes, "%sits hint made it slower, %.3f of its time (%.3f to %.3f): taken back",
	    nest, loop->slower.mean, loop->slower.low, loop->slower.high);
  return text;
}

/* Return the column of the compiler's default, or 0 if there is none of its own. */
static int
default_column (const struct cab_tune *tune)
{
  for (int j = 1; j < tune->matrix.n_columns; j++)
    if (!tune->columns[j])
      return j;
  return 0;
}

/* Write into TEXT what the matrix says of a loop for which nothing is better than an aligned head;
   NEST comes first, and OUTCOME last. */
static void
nothing_better (const struct cab_tune *tune, int loop, const char *nest, const char *outcome,
		char *text, size_t bytes)
{
  int leader = tune->loops[loop].leader, j = default_column (tune);
  const struct cab_matrix_cell *row = &tune->matrix.cells[leader * tune->matrix.n_columns];
  struct cab_tune_request request = cab_tune_kept_request (tune, loop);
  bool aligned = request.unroll != CAB_TUNE_NO_ROW && request.align
	      && cab_tune_request_same (request, tune->variants[tune->columns[0]].requests[loop]);
  struct cab_ratio ratio = cab_ratio_of (&row[j], &row[0], tune->matrix.noise[leader],
					 tune->matrix.df);
  if (j && aligned)
    snprintf (text, bytes,
	      "%sthe aligned head took %.3f of the default (%.3f to %.3f), and nothing else is "
	      "better: kept",
	      nest, ratio.mean, ratio.low, ratio.high);
  else
    snprintf (text, bytes, "%snothing is better than the default with an aligned head%s%s", nest,
	      *outcome ? "; " : "", outcome);
}

/* Write into TEXT what the matrix says of LOOP. */
static const char *
by_builds (const struct cab_tune *tune, int loop, char *text, size_t bytes)
{
  const struct cab_tune_loop *self = &tune->loops[loop];
  const struct cab_loop_choice *choice = &tune->decision.loops[self->leader];
  char words[32], nest[64] = "", outcome[80];
  add_outcome (tune, loop, choice, cab_tune_kept_request (tune, loop), outcome, sizeof outcome);
  if (self->leader != loop)
    snprintf (nest, sizeof nest, "as one nest with line %u: ", tune->loops[self->leader].line);
  if (self->slower.n)
    slower_words (self, nest, text, bytes);
  else if (!choice->best)
    nothing_better (tune, loop, nest, outcome, text, bytes);
  else
    snprintf (text, bytes, "%s%s took %.3f of the time, heads aligned alike (%.3f to %.3f): %s",
	      nest, column_words (tune, choice->best, words, sizeof words), choice->ratio.mean,
	      choice->ratio.low, choice->ratio.high, outcome);
  return text;
}

/* Write into TEXT what trials say of LOOP, and what became of that. */
static const char *
by_trials (const struct cab_tune *tune, int loop, char *text, size_t bytes)
{
  const struct cab_tune_loop *self = &tune->loops[loop];
  struct cab_tune_request chosen = self->trial.request, kept = cab_tune_kept_request (tune, loop);
  char words[256];
  cab_tune_tried_words (self, words, sizeof words);
  if (self->slower.n)
    return slower_words (self, "", text, bytes);
  bool wants = chosen.unroll != CAB_TUNE_NO_ROW, has = kept.unroll != CAB_TUNE_NO_ROW;
  bool same = wants && has && kept.unroll == chosen.unroll && kept.vectorize == chosen.vectorize
	   && kept.prefetch == chosen.prefetch;
  snprintf (text, bytes, "%s%s", words,
	    same ? kept.align == chosen.align ? ": kept" : ": kept, without alignment"
	    : has ? "; kept as part of its function"
	    : !wants ? ""
	    : tune->kept ? ": not part of what was kept"
	    : ": taken back, as the program was not significantly faster");
  return text;
}

/* Return why LOOP has its hint, or none; in TEXT, or a constant. */
static const char *
why (const struct cab_tune *tune, int loop, char *text, size_t bytes)
{
  const struct cab_tune_loop *self = &tune->loops[loop];
  char words[256], builds[256];
  if (self->skip)
    return "cannot be distinguished from another loop: never hinted";
  if (tune->by_trials && self->trial.tried == CAB_TUNE_DECIDED)
    return by_trials (tune, loop, text, bytes);
  if (tune->by_trials && self->trial.idle)
    return cab_tune_tried_words (self, text, bytes);
  if (!cab_tune_is_known (tune, loop) && !tune->by_trials)
    return "not measured";
  if (!tune->by_trials)
    return by_builds (tune, loop, text, bytes);
  snprintf (text, bytes, "%s; %s", cab_tune_tried_words (self, words, sizeof words),
	    cab_tune_is_known (tune, loop)
	      ? by_builds (tune, loop, builds, sizeof builds)
	      : "left alone: what trials leave open takes too little of the time, or there is no "
		"budget for separate builds");
  return text;
}

const char *
cab_tune_reason (const struct cab_tune *tune, int loop, char *text, size_t bytes)
{
  char words[CAB_TUNE_REASON_BYTES];
  struct cab_tune_luck luck = cab_tune_luck_of (tune, loop);
  snprintf (text, bytes, "%s", why (tune, loop, words, sizeof words));
  size_t n = strlen (text);
  if (luck.n && luck.high - luck.low > PLACE_MATTERS)
    snprintf (text + n, bytes - n, "; by its place it takes %.2f to %.2f of its time", luck.low,
	      luck.high);
  return text;
}
