/* tune_state.c - keep what has been measured so far for `--resume'.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "loopfb/tune/tune_state.h"
#include "loopfb/tune/tune_json.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <libiberty/libiberty.h>
#include "analyses/profile/profile_json.h"
#include "analyses/base/say.h"
#include "cabprof/loops.h"

#define FORMAT "cabprof tune state"

/* Return what must be unchanged for the journal to keep its meaning. */
static json_t *
options_json (const struct cab_tune *tune)
{
  const struct cab_tune_options *o = &tune->options;
  return json_pack ("{s:s?, s:s?, s:s, s:s?, s:s?, s:s?, s:s, s:s, s:f, s:s}", "build", o->build,
		    "rebuild", o->rebuild, "run", o->run, "program", o->program, "check", o->check,
		    "source", o->source && strcmp (o->source, "auto") ? o->source : NULL, "try",
		    o->try, "method", o->method, "share", o->share, "cwd", tune->cwd);
}

static json_t *
run_json (const struct cab_tune *tune, const struct cab_tune_run *run)
{
  json_t *row = json_pack ("{s:s, s:s, s:i, s:i, s:f, s:f, s:f, s:I, s:I, s:f}", "variant",
			   run->variant, "stage", run->stage, "round", run->round, "place",
			   run->place, "cpu_s", run->cpu_s, "wall_s",
			   run->wall_s, "weight", run->weight, "samples", run->samples, "lost",
			   run->lost, "overhead", run->overhead);
  json_t *loops = run->loops ? json_array () : json_null ();
  for (int i = 0; i < tune->n_loops && run->loops; i++)
    json_array_append_new (loops, json_real (run->loops[i]));
  json_object_set_new (row, "loops", loops);
  return row;
}

int
cab_tune_state_save (const struct cab_tune *tune)
{
  char *path = concat (tune->work, "/state.json", NULL);
  json_t *root = json_pack (
    "{s:i, s:s, s:o, s:s, s:i, s:I, s:f, s:f}", "schema", CAB_TUNE_SCHEMA, "format", FORMAT,
    "options", options_json (tune), "hints", tune->options.hints, "repeat", tune->repeat, "period",
    (json_int_t) tune->period, "grain", tune->grain, "weight", tune->weight);
  json_t *loops = json_array (), *inner = json_array (), *runs = json_array ();
  for (int i = 0; i < tune->n_inner; i++)
    {
      json_t *row = cab_tune_loop_json (&tune->inner[i]);
      json_object_set_new (row, "owner", json_integer (tune->inner[i].owner));
      json_array_append_new (inner, row);
    }
  for (int i = 0; i < tune->n_loops; i++)
    {
      json_t *row = cab_tune_loop_json (&tune->loops[i]);
      json_object_set_new (row, "share", json_real (tune->loops[i].share));
      json_object_set_new (row, "around", json_integer (tune->loops[i].around));
      json_object_set_new (row, "outer", json_boolean (tune->loops[i].outer));
      json_array_append_new (loops, row);
    }
  for (int i = 0; i < tune->n_runs; i++)
    json_array_append_new (runs, run_json (tune, &tune->runs[i]));
  json_object_set_new (root, "loops", loops);
  json_object_set_new (root, "inner", inner);
  json_object_set_new (root, "runs", runs);
  if (tune->source)
    json_object_set (root, "sampled_by", tune->source);
  int result = cab_tune_json_write (root, path);
  free (path);
  return result;
}

static int
refuse (const char *path, const char *what, const char *advice)
{
  cab_say ("%s: %s: %s", path, what, advice);
  return -1;
}

static int
load_loop (struct cab_tune_loop **loops, int *n, json_t *row)
{
  const char *function, *name, *file, *checksum, *flags = "-";
  json_int_t line, column, ordinal;
  double share = 0;
  int owner = -1, around = -1, outer = 0;
  if (json_unpack (row, "{s:s, s:s, s:s, s:I, s:I, s:I, s:s, s?F, s?s, s?i, s?i, s?b}", "function",
		   &function, "name", &name, "file", &file, "line", &line, "column", &column,
		   "ordinal", &ordinal, "checksum", &checksum, "share", &share, "flags", &flags,
		   "owner", &owner, "around", &around, "outer", &outer))
    return -1;
  *loops = xrealloc (*loops, (*n + 1) * sizeof **loops);
  (*loops)[(*n)++] = (struct cab_tune_loop) { .function = xstrdup (function),
					      .name = xstrdup (name),
					      .file = xstrdup (file),
					      .flags = xstrdup (flags),
					      .line = line,
					      .column = column,
					      .ordinal = ordinal,
					      .checksum = strtoul (checksum, NULL, 16),
					      .key = cab_loop_key (function, file, line, column,
								   ordinal),
					      .share = share,
					      .skip = outer || strchr (flags, 'u') != NULL,
					      .outer = outer,
					      .owner = owner,
					      .around = around,
					      .leader = *n - 1 };
  return 0;
}

static int
load_run (struct cab_tune *tune, json_t *row)
{
  const char *variant, *stage;
  struct cab_tune_run run = { .round = 0 };
  json_t *loops;
  if (json_unpack (row, "{s:s, s:s, s:i, s:i, s:F, s:F, s:F, s:I, s:I, s:F, s:o}", "variant",
		   &variant, "stage", &stage, "round", &run.round, "place", &run.place,
		   "cpu_s", &run.cpu_s, "wall_s", &run.wall_s, "weight", &run.weight, "samples",
		   &run.samples, "lost", &run.lost, "overhead", &run.overhead, "loops", &loops)
      || (json_is_array (loops) && json_array_size (loops) != (size_t) tune->n_loops))
    return -1;
  run.variant = xstrdup (variant);
  run.stage = xstrdup (stage);
  if (json_is_array (loops))
    run.loops = xcalloc (tune->n_loops + 1, sizeof *run.loops);
  for (int i = 0; i < tune->n_loops && run.loops; i++)
    run.loops[i] = json_number_value (json_array_get (loops, i));
  tune->runs = xrealloc (tune->runs, (tune->n_runs + 1) * sizeof *tune->runs);
  tune->runs[tune->n_runs++] = run;
  return 0;
}

/* Return a text, or null. */
static const char *
text_of (json_t *options, const char *key)
{
  return json_string_value (json_object_get (options, key));
}

static void
take_text (const char **option, json_t *options, const char *key)
{
  if (!*option)
    *option = text_of (options, key);
}

/* Take the options of then that are not given now. */
static void
take_options (struct cab_tune_options *o, json_t *options)
{
  json_incref (options);   /* the texts are used until the process ends */
  take_text (&o->build, options, "build");
  take_text (&o->rebuild, options, "rebuild");
  take_text (&o->run, options, "run");
  take_text (&o->program, options, "program");
  take_text (&o->check, options, "check");
  take_text (&o->source, options, "source");
  take_text (&o->try, options, "try");
  take_text (&o->method, options, "method");
  if (o->share < 0 && json_is_number (json_object_get (options, "share")))
    o->share = json_number_value (json_object_get (options, "share"));
  cab_tune_defaults (o);
}

/* Return the option that differs between MINE and THEN, or null. */
static const char *
difference (json_t *mine, json_t *then)
{
  static const char *const names[][2] = {
    { "build", "--build" },	{ "rebuild", "--rebuild" }, { "run", "--run" },
    { "program", "--program" }, { "check", "--check" },	    { "source", "--sample" },
    { "try", "--try" },		{ "method", "--method" },   { "share", "--share" },
    { "cwd", "working directory" }
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!json_equal (json_object_get (mine, names[i][0]), json_object_get (then, names[i][0])))
      return names[i][1];
  return NULL;
}

/* Go on with OPTIONS, which are those of the state in PATH, unless others are requested now. */
static int
agree_on_options (struct cab_tune *tune, const char *path, json_t *options)
{
  char words[80];
  take_options (&tune->options, options);
  json_t *mine = options_json (tune);
  const char *other = difference (mine, options);
  json_decref (mine);
  if (!other)
    return 0;
  snprintf (words, sizeof words, "is of a tune with another %s", other);
  return refuse (path, words, "give the same, or start again, without --resume");
}

static int
load (struct cab_tune *tune, const char *path, json_t *root)
{
  json_t *options, *loops, *inner, *runs, *row, *source = NULL;
  const char *format;
  int schema, bad = 0;
  json_int_t period;
  size_t i;
  const char *hints;
  if (json_unpack (root, "{s:i, s:s, s:o, s:s, s:i, s:I, s:F, s:F, s:o, s:o, s:o, s?o}", "schema",
		   &schema, "format", &format, "options", &options, "hints", &hints, "repeat",
		   &tune->repeat, "period", &period, "grain", &tune->grain, "weight", &tune->weight,
		   "loops", &loops, "inner", &inner, "runs", &runs, "sampled_by", &source)
      || schema != CAB_TUNE_SCHEMA || strcmp (format, FORMAT))
    return refuse (path, "is not a state of this version", "start again, without --resume");
  if (agree_on_options (tune, path, options) < 0)
    return -1;
  if (!tune->options.hints)
    tune->options.hints = xstrdup (hints);
  tune->period = period;
  tune->source = json_incref (source);
  json_array_foreach (loops, i, row)
    bad |= load_loop (&tune->loops, &tune->n_loops, row);
  for (int k = 0; k < tune->n_loops; k++)
    bad |= tune->loops[k].around < -1 || tune->loops[k].around >= tune->n_loops;
  json_array_foreach (inner, i, row)
    bad |= load_loop (&tune->inner, &tune->n_inner, row);
  for (int k = 0; k < tune->n_inner; k++)
    bad |= tune->inner[k].owner < 0 || tune->inner[k].owner >= tune->n_loops;
  json_array_foreach (runs, i, row)
    bad |= load_run (tune, row);
  tune->n_journal = tune->n_runs;
  return bad ? refuse (path, "is damaged", "start again, without --resume") : 0;
}

int
cab_tune_state_load (struct cab_tune *tune)
{
  char *path = concat (tune->work, "/state.json", NULL);
  json_error_t error;
  const char *wrong;
  json_t *root = cab_profile_json_read (path, 0, &error, &wrong);
  int result = root ? load (tune, path, root)
		    : refuse (path,
			      !cab_profile_json_is_there (path) ? "there is nothing to go on with"
			      : wrong ? wrong
			      : error.text,
			      "start again, without --resume");
  json_decref (root);
  free (path);
  return result;
}
