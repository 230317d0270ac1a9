/* tune_hints.c - write hints files.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "loopfb/tune/tune.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/profile/profile_json.h"
#include "analyses/base/say.h"
#include "loopfb/formats/hints.h"

int
cab_tune_json_write (json_t *root, const char *path)
{
  int result = cab_profile_json_write (root, path, JSON_INDENT (1) | JSON_REAL_PRECISION (8));
  if (result < 0)
    cab_say ("%s: %s: check the disk and its permissions", path, strerror (errno));
  json_decref (root);
  return result;
}

/* Return X as a number, or null where JSON has no number for it. */
static json_t *
number (double x)
{
  return isfinite (x) ? json_real (x) : json_null ();
}

json_t *
cab_tune_ratio_json (const struct cab_ratio *ratio)
{
  return json_pack ("{s:o, s:o, s:o, s:i}", "ratio", number (ratio->mean), "low",
		    number (ratio->low), "high", number (ratio->high), "n", ratio->n);
}

json_t *
cab_tune_loop_json (const struct cab_tune_loop *loop)
{
  char sum[16];
  snprintf (sum, sizeof sum, "%x", loop->checksum);
  json_t *row = json_pack ("{s:s, s:s, s:s, s:I, s:I, s:I, s:s}", "function", loop->function,
			   "name", loop->name, "file", loop->file, "line", (json_int_t) loop->line,
			   "column", (json_int_t) loop->column, "ordinal",
			   (json_int_t) loop->ordinal, "checksum", sum);
  if (strcmp (loop->flags, "-"))
    json_object_set_new (row, "flags", json_string (loop->flags));
  return row;
}

void
cab_tune_wish_json (json_t *object, struct cab_tune_wish wish)
{
  json_object_set_new (object, "unroll", json_integer (wish.unroll));
  if (wish.vectorize != CAB_VECTORIZE_AS_IS)
    json_object_set_new (object, "vectorize", json_boolean (wish.vectorize == CAB_VECTORIZE_YES));
  if (wish.registers)
    json_object_set_new (object, "registers", json_true ());
}

static json_t *
row (const struct cab_tune *tune, int i, struct cab_tune_wish wish, bool with_reasons)
{
  char text[256];
  json_t *object = cab_tune_loop_json (&tune->loops[i]);
  cab_tune_wish_json (object, wish);
  if (with_reasons)
    {
      json_t *why = json_pack ("{s:f, s:s}", "share", tune->loops[i].share, "reason",
			       cab_tune_reason (tune, i, text, sizeof text));
      const struct cab_loop_choice *choice = tune->has_decision
					     ? &tune->decision.loops[tune->loops[i].leader]
					     : NULL;
      if (choice && choice->best)
	json_object_set_new (why, "predicted", cab_tune_ratio_json (&choice->ratio));
      json_object_set_new (object, "why", why);
    }
  return object;
}

/* Add the loops inside loop I, which get its hint: they have no figures of their own. */
static void
put_inner (json_t *loops, const struct cab_tune *tune, int i, struct cab_tune_wish wish)
{
  for (int k = 0; k < tune->n_inner; k++)
    if (tune->inner[k].owner == i)
      {
	json_t *object = cab_tune_loop_json (&tune->inner[k]);
	cab_tune_wish_json (object, wish);
	json_array_append_new (loops, object);
      }
}

int
cab_tune_hints_write (const struct cab_tune *tune, int variant, const char *path, bool with_reasons)
{
  json_t *root = json_pack ("{s:i, s:s, s:s}", "schema", CAB_HINTS_SCHEMA, "format",
			    CAB_HINTS_FORMAT, "cabprof", CABPROF_VERSION);
  json_t *loops = json_array ();
  const struct cab_tune_variant *v = variant >= 0 ? &tune->variants[variant] : NULL;
  if (v && v->every)
    json_object_set_new (root, "every", json_integer (v->every));
  for (int i = 0; v && v->wishes && i < tune->n_loops; i++)
    if (v->wishes[i].unroll != CAB_TUNE_NO_ROW)
      {
	json_array_append_new (loops, row (tune, i, v->wishes[i], with_reasons));
	put_inner (loops, tune, i, v->wishes[i]);
      }
  json_object_set_new (root, "loops", loops);
  if (with_reasons)
    json_object_set_new (root, "tried", cab_tune_races_json (tune));
  return cab_tune_json_write (root, path);
}
