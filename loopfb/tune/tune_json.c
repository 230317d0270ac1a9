/* tune_json.c - values of a tune as JSON, for its journal, its hints and its report.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "loopfb/tune/tune_json.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "analyses/base/say.h"
#include "analyses/profile/profile_json.h"

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
cab_tune_request_json (json_t *object, struct cab_tune_request request)
{
  json_object_set_new (object, "unroll", json_integer (request.unroll));
  if (request.vectorize != CAB_VECTORIZE_AS_IS)
    json_object_set_new (object, "vectorize",
			 json_boolean (request.vectorize == CAB_VECTORIZE_YES));
  if (request.registers)
    json_object_set_new (object, "registers", json_true ());
  if (request.align)
    json_object_set_new (object, "align", json_integer (request.align));
  if (request.prefetch)
    json_object_set_new (object, "prefetch", json_integer (request.prefetch));
}
