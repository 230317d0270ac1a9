/* export_speedscope.c - calling contexts in the JSON of speedscope: a profile for each measure.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/report/export.h"
#include <jansson.h>
#include "analyses/report/stacks/export_stacks.h"
#include "analyses/report/report.h"

static json_t *
text (const char *words)
{
  return cab_table_json_cell (&(union cab_cell) { .text = words }, CAB_TEXT);
}

/* Return a frame for each function, and a last one for contexts that were left out. */
static json_t *
frames_of (const struct cab_model *model)
{
  json_t *frames = json_array ();
  for (uint32_t i = 0; i < model->n_functions; i++)
    {
      const struct cab_function *f = model->functions[i];
      json_t *frame = json_pack ("{s:o}", "name", text (f->display));
      if (*f->file)
	json_object_set_new (frame, "file", text (f->file));
      if (f->line)
	json_object_set_new (frame, "line", json_integer (f->line));
      json_array_append_new (frames, frame);
    }
  json_array_append_new (frames, json_pack ("{s:s}", "name", CAB_STACKS_OTHERS));
  return frames;
}

/* Return the stack of NODE, the outermost function first. */
static json_t *
stack_of (const struct cab_stacks *stacks, uint32_t node)
{
  uint32_t n = cab_export_stacks_of (stacks, node);
  json_t *stack = json_array ();
  while (n-- > 0)
    json_array_append_new (stack, json_integer (stacks->stack[n]));
  return stack;
}

static json_t *
profile_of (const struct cab_stacks *stacks, int m)
{
  json_t *samples = json_array (), *weights = json_array ();
  const char *unit = m == CAB_MEASURE_TIME  ? "nanoseconds"
		   : m == CAB_MEASURE_BYTES ? "bytes"
					    : "none";
  for (uint32_t k = 0; k < stacks->n; k++)
    {
      uint64_t n = stacks->sums.self[m][stacks->nodes[k]];
      if (!n)
	continue;
      json_array_append_new (samples, stack_of (stacks, stacks->nodes[k]));
      json_array_append_new (weights, json_integer (n));
    }
  if (stacks->left_out[m])
    {
      json_array_append_new (samples, json_pack ("[i]", (int) stacks->model->n_functions));
      json_array_append_new (weights, json_integer (stacks->left_out[m]));
    }
  return json_pack ("{s:s, s:s, s:s, s:i, s:I, s:o, s:o}", "type", "sampled", "name",
		    cab_context_measures[m].title, "unit", unit, "startValue", 0, "endValue",
		    (json_int_t) stacks->sums.total[m], "samples", samples, "weights", weights);
}

int
cab_export_speedscope (struct cab_model *model, const struct cab_export_options *options, FILE *to,
		       struct cab_diag *diag)
{
  struct cab_stacks stacks;
  json_t *profiles = json_array ();
  (void) options;
  (void) diag;
  cab_export_stacks_open (&stacks, model);
  for (int m = 0; m < CAB_MEASURES; m++)
    if (stacks.sums.total[m])
      json_array_append_new (profiles, profile_of (&stacks, m));
  json_t *root = json_pack ("{s:s, s:s, s:o, s:{s:o}, s:o}", "$schema",
			    "https://www.speedscope.app/file-format-schema.json", "exporter",
			    "cabprof@" CABPROF_VERSION, "name", text (model->dir), "shared",
			    "frames", frames_of (model), "profiles", profiles);
  json_dumpf (root, to, JSON_COMPACT | JSON_PRESERVE_ORDER);
  putc ('\n', to);
  json_decref (root);
  cab_export_stacks_close (&stacks);
  return 0;
}
