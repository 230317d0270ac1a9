/* samples_json.c - samples.json: written by a temporary name, read as hostile input.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "loopfb/sample/samples.h"
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <libiberty/libiberty.h>
#include "analyses/base/diag.h"
#include "analyses/profile/profile_json.h"
#include "loopfb/sample/data_rows_json.h"

#define FORMAT "cabprof samples"
#define MOST_COUNT (UINT64_C (1) << 53)

static const char *const kinds[] = {
  [CAB_SAMPLE_PERF] = "perf", [CAB_SAMPLE_TIMER] = "timer", [CAB_SAMPLE_SCRIPT] = "perf script"
};
static const char *const randomised[] = { [CAB_RANDOMISED_NO] = "no",
					  [CAB_RANDOMISED_WAKE_UP] = "per wake-up",
					  [CAB_RANDOMISED_EXPIRY] = "per expiry" };

/* Return TEXT as JSON, which must be UTF-8, while paths need not be. */
static json_t *
text_json (const char *text)
{
  json_t *string = json_string (text);
  return string ? string : json_string ("(not UTF-8)");
}

static json_t *
source_json (const struct cab_sample_source *s)
{
  json_t *root = json_object ();
  json_object_set_new (root, "name", text_json (s->name));
  json_object_set_new (root, "kind", json_string (kinds[s->kind]));
  json_object_set_new (root, "precise_ip", json_integer (s->precise_ip));
  json_object_set_new (root, "period", json_integer (s->period));
  json_object_set_new (root, "unit", json_string (s->unit_ns ? "ns" : "events"));
  json_object_set_new (root, "adaptive", json_boolean (s->adaptive));
  json_object_set_new (root, "randomised", json_string (randomised[s->randomised]));
  json_object_set_new (root, "user_only", json_boolean (s->user_only));
  json_object_set_new (root, "asked_rate", json_real (s->asked_rate));
  return root;
}

static json_t *
modules_json (const struct cab_samples *samples)
{
  json_t *list = json_array ();
  for (uint32_t i = 0; i < samples->n_modules; i++)
    {
      const struct cab_sample_module *m = &samples->modules[i];
      json_t *row = json_object ();
      json_object_set_new (row, "path", text_json (m->path));
      json_object_set_new (row, "build_id", json_string (m->build_id));
      json_object_set_new (row, "bias_of_link_address", json_integer ((json_int_t) m->bias));
      if (m->address_is_offset)
	json_object_set_new (row, "offsets", json_true ());
      json_array_append_new (list, row);
    }
  return list;
}

static json_t *
addresses_json (const struct cab_samples *samples)
{
  json_t *list = json_array ();
  for (uint32_t i = 0; i < samples->n_addresses; i++)
    {
      const struct cab_sample_address *a = &samples->addresses[i];
      json_array_append_new (list, json_pack ("[I, I, I, I]", (json_int_t) a->module,
					      (json_int_t) a->address, (json_int_t) a->n,
					      (json_int_t) a->weight));
    }
  return list;
}

static json_t *
heap_json (const struct cab_heap_sums *heap)
{
  return json_pack ("{s:I, s:I, s:I}", "lost", (json_int_t) heap->lost, "no_log",
		    (json_int_t) heap->no_log, "after_log", (json_int_t) heap->after_log);
}

static json_t *
samples_json (const struct cab_samples *s)
{
  json_t *root = json_object ();
  json_object_set_new (root, "schema", json_integer (CAB_SAMPLES_SCHEMA));
  json_object_set_new (root, "format", json_string (FORMAT));
  json_object_set_new (root, "source", source_json (&s->source));
  json_object_set_new (root, "n", json_integer (s->n));
  json_object_set_new (root, "lost", json_integer (s->lost));
  json_object_set_new (root, "weight", json_integer (s->weight));
  json_object_set_new (root, "unknown", json_integer (s->unknown));
  json_object_set_new (root, "unknown_weight", json_integer (s->unknown_weight));
  json_object_set_new (root, "kernel", json_integer (s->kernel));
  json_object_set_new (root, "kernel_weight", json_integer (s->kernel_weight));
  json_object_set_new (root, "overhead", s->overhead < 0 ? json_null () : json_real (s->overhead));
  json_object_set_new (root, "overhead_how", json_string (s->overhead_how));
  json_object_set_new (root, "modules", modules_json (s));
  json_object_set_new (root, "addresses", addresses_json (s));
  if (s->heap.recorded)
    json_object_set_new (root, "heap", heap_json (&s->heap));
  if (s->data.n)
    json_object_set_new (root, "data", cab_data_rows_json (&s->data));
  return root;
}

int
cab_samples_write (const struct cab_samples *samples, const char *path, struct cab_diag *diag)
{
  json_t *root = samples_json (samples);
  int result = 0;
  if (cab_profile_json_write (root, path, JSON_COMPACT) < 0)
    result = cab_refuse (path, diag, "%s: the samples are lost; check the disk", strerror (errno));
  json_decref (root);
  return result;
}

/* A reader that remembers the first error. */
struct reader
{
  const char *path;
  struct cab_diag *diag;
  bool bad;
};

static void
refuse (struct reader *r, const char *name, const char *what)
{
  if (!r->bad)
    cab_refuse (r->path, r->diag, "\"%s\" %s: the file is damaged, record again", name, what);
  r->bad = true;
}

static uint64_t
count_of (struct reader *r, const json_t *object, const char *name)
{
  const json_t *value = json_object_get (object, name);
  if (!json_is_integer (value) || json_integer_value (value) < 0
      || (uint64_t) json_integer_value (value) > MOST_COUNT)
    {
      refuse (r, name, "is no count");
      return 0;
    }
  return json_integer_value (value);
}

static const char *
text_of (struct reader *r, const json_t *object, const char *name)
{
  const char *text = json_string_value (json_object_get (object, name));
  if (!text)
    refuse (r, name, "is no text");
  return text ? text : "";
}

static unsigned
word_of (struct reader *r, const json_t *object, const char *name, const char *const *words,
	 unsigned n)
{
  const char *text = text_of (r, object, name);
  for (unsigned i = 0; i < n; i++)
    if (!strcmp (words[i], text))
      return i;
  refuse (r, name, "is no word that is known");
  return 0;
}

static void
read_source (struct reader *r, const json_t *root, struct cab_sample_source *source)
{
  const json_t *object = json_object_get (root, "source");
  if (!json_is_object (object))
    {
      refuse (r, "source", "is no object");
      return;
    }
  snprintf (source->name, sizeof source->name, "%s", text_of (r, object, "name"));
  source->kind = word_of (r, object, "kind", kinds, 3);
  source->randomised = word_of (r, object, "randomised", randomised, 3);
  source->period = count_of (r, object, "period");
  source->precise_ip = json_integer_value (json_object_get (object, "precise_ip"));
  source->unit_ns = !strcmp (text_of (r, object, "unit"), "ns");
  source->adaptive = json_is_true (json_object_get (object, "adaptive"));
  source->user_only = json_is_true (json_object_get (object, "user_only"));
  source->asked_rate = json_number_value (json_object_get (object, "asked_rate"));
}

static void
read_modules (struct reader *r, const json_t *root, struct cab_samples *samples)
{
  const json_t *list = json_object_get (root, "modules"), *row;
  size_t i;
  if (!json_is_array (list))
    refuse (r, "modules", "is no list");
  json_array_foreach (list, i, row)
    {
      uint32_t n = samples->n_modules,
	       number = cab_samples_module (samples, text_of (r, row, "path"));
      struct cab_sample_module *m = &samples->modules[number];
      if (number != n)
	refuse (r, "modules", "has a path twice");
      free (m->build_id);
      m->build_id = xstrdup (text_of (r, row, "build_id"));
      m->bias = json_integer_value (json_object_get (row, "bias_of_link_address"));
      m->address_is_offset = json_is_true (json_object_get (row, "offsets"));
    }
}

static void
read_address (struct reader *r, const json_t *row, struct cab_samples *samples)
{
  uint64_t value[4];
  for (int i = 0; i < 4; i++)
    {
      const json_t *cell = json_array_get (row, i);
      if (!json_is_integer (cell)
	  || (i != 1
	      && (json_integer_value (cell) < 0
		  || (uint64_t) json_integer_value (cell) > MOST_COUNT)))
	{
	  refuse (r, "addresses", "has a row that is not four numbers");
	  return;
	}
      value[i] = json_integer_value (cell);
    }
  if (value[0] >= samples->n_modules)
    refuse (r, "addresses", "names a module that is not there");
  else
    cab_samples_add (samples, value[0], value[1], value[2], value[3]);
}

static void
read_heap (struct reader *r, const json_t *root, struct cab_heap_sums *heap)
{
  const json_t *object = json_object_get (root, "heap");
  if (!object)
    return;
  heap->recorded = true;
  heap->lost = count_of (r, object, "lost");
  heap->no_log = count_of (r, object, "no_log");
  heap->after_log = count_of (r, object, "after_log");
}

static void
read_all (struct reader *r, const json_t *root, struct cab_samples *samples)
{
  const json_t *list = json_object_get (root, "addresses"), *row,
	       *overhead = json_object_get (root, "overhead");
  size_t i;
  read_source (r, root, &samples->source);
  read_modules (r, root, samples);
  if (!json_is_array (list))
    refuse (r, "addresses", "is no list");
  json_array_foreach (list, i, row)
    if (!r->bad)
      read_address (r, row, samples);
  list = json_object_get (root, "data");
  if (list && !r->bad && !cab_data_rows_read (&samples->data, list, samples->n_modules))
    refuse (r, "data", "has a row that cannot be one");
  read_heap (r, root, &samples->heap);
  uint64_t n = samples->n;
  samples->n = count_of (r, root, "n");
  samples->lost = count_of (r, root, "lost");
  samples->weight = count_of (r, root, "weight");
  samples->unknown = count_of (r, root, "unknown");
  samples->kernel = count_of (r, root, "kernel");
  samples->unknown_weight = count_of (r, root, "unknown_weight");
  samples->kernel_weight = count_of (r, root, "kernel_weight");
  samples->overhead = json_is_number (overhead) ? json_number_value (overhead) : -1;
  snprintf (samples->overhead_how, sizeof samples->overhead_how, "%s",
	    text_of (r, root, "overhead_how"));
  if (!r->bad && n + samples->unknown + samples->kernel != samples->n)
    refuse (r, "n", "is not the sum of its parts");
}

int
cab_samples_read (struct cab_samples *samples, const char *path, struct cab_diag *diag)
{
  struct reader r = { path, diag, false };
  json_error_t error;
  const char *wrong;
  json_t *root = cab_profile_json_read (path, JSON_REJECT_DUPLICATES, &error, &wrong);
  if (!root && wrong)
    return cab_refuse (path, diag, "%s: record%s", wrong,
		       cab_profile_json_is_there (path) ? " again" : " first");
  if (!root)
    return cab_refuse (path, diag, "line %d: %s: the file is damaged, record again", error.line,
		       error.text);
  const char *format = json_string_value (json_object_get (root, "format"));
  int schema = json_integer_value (json_object_get (root, "schema"));
  if (!format || strcmp (format, FORMAT))
    r.bad = cab_refuse (path, diag, "are no samples of cabprof: name another file") < 0;
  else if (schema != CAB_SAMPLES_SCHEMA)
    r.bad = cab_refuse (path, diag,
			"has schema %d, this cabprof reads %d: use the cabprof that wrote it",
			schema, CAB_SAMPLES_SCHEMA)
	  < 0;
  else
    read_all (&r, root, samples);
  json_decref (root);
  cab_samples_settle (samples);
  return r.bad ? -1 : 0;
}
