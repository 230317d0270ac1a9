/* tune_hints.c - write hints files.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "loopfb/tune/tune_hints.h"
#include "loopfb/tune/tune_json.h"
#include "loopfb/tune/tune_reason.h"
#include "loopfb/tune/tune_report.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/profile/info.h"
#include "loopfb/formats/hints.h"

/* Return the major version of the GCC that wrote RECORD, of loops (info.h, L1); 0 if it does not
   say. */
static unsigned
version_in (const char *record)
{
  const char *line = strstr (record, "\ng\t");
  return line ? strtoul (line + 3, NULL, 10) : 0;
}

/* Return the major version of the GCC that compiled the program; 0 if it is not known, or if there
   are several. */
static unsigned
gcc_of (const struct cab_tune *tune)
{
  struct cab_info info;
  struct cab_diag diag;
  uint64_t offset = 0, at;
  unsigned gcc = 0;
  bool several = false;
  if (!tune->program || cab_info_open_elf (&info, tune->program, &diag) < 0)
    return 0;
  for (char kind; (kind = cab_info_next (&info, &offset, &at));)
    if (kind == 'L')
      {
	unsigned version = version_in (info.text + at);
	several |= gcc && version != gcc;
	gcc = version;
      }
  cab_info_close (&info);
  return several ? 0 : gcc;
}

static json_t *
row (const struct cab_tune *tune, int i, struct cab_tune_request request, bool with_reasons)
{
  char text[CAB_TUNE_REASON_BYTES];
  json_t *object = cab_tune_loop_json (&tune->loops[i]);
  cab_tune_request_json (object, request);
  if (with_reasons)
    {
      json_t *why = json_pack ("{s:f, s:s}", "share", tune->loops[i].share, "reason",
			       cab_tune_reason (tune, i, text, sizeof text));
      const struct cab_tune_trial *trial = &tune->loops[i].trial;
      const struct cab_loop_choice *choice = cab_tune_is_known (tune, i)
					     ? &tune->decision.loops[tune->loops[i].leader]
					     : NULL;
      if (trial->tried == CAB_TUNE_DECIDED && trial->ratio.n)
	json_object_set_new (why, "predicted", cab_tune_ratio_json (&trial->ratio));
      else if (choice && choice->best)
	json_object_set_new (why, "predicted", cab_tune_ratio_json (&choice->ratio));
      json_object_set_new (object, "why", why);
    }
  return object;
}

/* Add the loops inside loop I, which get its hint: they have no figures of their own. */
static void
put_inner (json_t *loops, const struct cab_tune *tune, int i, struct cab_tune_request request)
{
  for (int k = 0; k < tune->n_inner && !request.alone; k++)
    if (tune->inner[k].owner == i)
      {
	json_t *object = cab_tune_loop_json (&tune->inner[k]);
	cab_tune_request_json (object, request);
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
  unsigned gcc = v ? gcc_of (tune) : 0;
  if (gcc)
    json_object_set_new (root, "gcc", json_integer (gcc));
  if (v && v->every)
    json_object_set_new (root, "every", json_integer (v->every));
  for (int i = 0; v && v->requests && i < tune->n_loops; i++)
    if (v->requests[i].unroll != CAB_TUNE_NO_ROW)
      {
	json_array_append_new (loops, row (tune, i, v->requests[i], with_reasons));
	put_inner (loops, tune, i, v->requests[i]);
      }
  json_object_set_new (root, "loops", loops);
  if (with_reasons)
    json_object_set_new (root, "tried", cab_tune_races_json (tune));
  return cab_tune_json_write (root, path);
}
