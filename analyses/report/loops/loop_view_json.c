/* loop_view_json.c - read loops.json, which `cabprof tune' writes, into a view.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/report/loops/loop_view.h"
#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <libiberty/libiberty.h>
#include "analyses/profile/profile_json.h"

#define MOST_BYTES (INT64_C (256) << 20)
#define MOST_COLUMNS 256
#define REPAIR "make it again with `cabprof tune'"

struct reader
{
  struct cab_loop_view *view;
  const char *path;
  struct cab_diag *diag;
  char where[64];        /* "loops[3]", or "" */
  bool bad;              /* set by the first complaint, which is the one that is kept */
};

static void __attribute__ ((format (printf, 2, 3)))
refuse (struct reader *r, const char *format, ...)
{
  char what[200];
  va_list ap;
  if (r->bad)
    return;
  va_start (ap, format);
  vsnprintf (what, sizeof what, format, ap);
  va_end (ap);
  snprintf (r->diag->text, sizeof r->diag->text, "%.180s: %s%s%s: " REPAIR, r->path, r->where,
	    *r->where ? ": " : "", what);
  r->bad = true;
}

static json_t *
member (struct reader *r, json_t *object, const char *name, json_type type, bool must)
{
  json_t *value = json_object_get (object, name);
  if (!value || json_is_null (value))
    {
      if (must)
	refuse (r, "\"%s\" is missing", name);
      return NULL;
    }
  bool fits = json_typeof (value) == type || (type == JSON_REAL && json_is_integer (value))
	   || (type == JSON_TRUE && json_is_false (value));
  if (!fits)
    refuse (r, "\"%s\" is of another type than it should be", name);
  return fits ? value : NULL;
}

static const char *
text_of (struct reader *r, json_t *object, const char *name, bool must)
{
  json_t *value = member (r, object, name, JSON_STRING, must);
  return value
	 ? cab_names_copy (&r->view->names, json_string_value (value), json_string_length (value))
	 : "";
}

static double
real_of (struct reader *r, json_t *object, const char *name)
{
  json_t *value = member (r, object, name, JSON_REAL, false);
  return value ? json_number_value (value) : NAN;
}

static int64_t
integer_of (struct reader *r, json_t *object, const char *name, int64_t least, int64_t most,
	    int64_t otherwise)
{
  json_t *value = member (r, object, name, JSON_INTEGER, false);
  int64_t n = value ? json_integer_value (value) : otherwise;
  if (value && (n < least || n > most))
    {
      refuse (r, "\"%s\" is out of its range", name);
      return otherwise;
    }
  return n;
}

static int
vectorize_of (struct reader *r, json_t *object)
{
  json_t *value = member (r, object, "vectorize", JSON_TRUE, false);
  return value ? json_is_true (value) : -1;
}

/* Return the hint in OBJECT, whose factor is member UNROLL. */
static struct cab_view_hint
hint_of (struct reader *r, json_t *object, const char *unroll)
{
  return (struct cab_view_hint) {
    integer_of (r, object, unroll, 0, 65535, -1), vectorize_of (r, object),
    json_is_true (member (r, object, "registers", JSON_TRUE, false)),
    integer_of (r, object, "align", 0, 65535, 0),
    integer_of (r, object, "prefetch", 0, 65535, 0)
  };
}

static struct cab_view_figure
figure_of (struct reader *r, json_t *object, const char *mean)
{
  struct cab_view_figure figure = { NAN, NAN, NAN, 0 };
  if (object)
    figure = (struct cab_view_figure) { real_of (r, object, mean), real_of (r, object, "low"),
					real_of (r, object, "high"),
					integer_of (r, object, "n", 0, UINT32_MAX, 0) };
  return figure;
}

static void
read_columns (struct reader *r, json_t *root)
{
  struct cab_loop_view *v = r->view;
  json_t *columns = member (r, root, "columns", JSON_ARRAY, true);
  size_t n = json_array_size (columns);
  if (columns && (n == 0 || n > MOST_COLUMNS))
    refuse (r, "\"columns\" has %zu elements", n);
  if (r->bad)
    return;
  v->n_columns = n;
  v->columns = cab_names_zero (&v->names, n, sizeof *v->columns);
  for (size_t j = 0; j < n; j++)
    {
      json_t *column = json_array_get (columns, j);
      snprintf (r->where, sizeof r->where, "columns[%zu]", j);
      v->columns[j].name = text_of (r, column, "name", true);
      v->columns[j].hint = hint_of (r, column, "unroll");
    }
}

/* Return the array NAME of OBJECT, which must have one element for each column; null if it is
   missing or wrong. */
static json_t *
per_column (struct reader *r, json_t *object, const char *name)
{
  json_t *array = member (r, object, name, JSON_ARRAY, false);
  if (!array || json_array_size (array) == r->view->n_columns)
    return array;
  refuse (r, "\"%s\" has %zu elements for %u columns", name, json_array_size (array),
	  r->view->n_columns);
  return NULL;
}

static void
read_stalls (struct reader *r, json_t *object, struct cab_view_loop *loop)
{
  json_t *stalls = per_column (r, object, "stalls"), *outcome = per_column (r, object, "outcome");
  uint32_t n = r->view->n_columns;
  if (stalls)
    loop->stalls = cab_names_zero (&r->view->names, n, sizeof *loop->stalls);
  if (outcome)
    loop->outcomes = cab_names_zero (&r->view->names, n, sizeof *loop->outcomes);
  for (uint32_t j = 0; j < n; j++)
    {
      json_t *cell = stalls ? json_array_get (stalls, j) : NULL;
      if (stalls)
	loop->stalls[j] = figure_of (r, json_is_object (cell) ? cell : NULL, "mean");
      const char *words = outcome ? json_string_value (json_array_get (outcome, j)) : NULL;
      if (words)
	loop->outcomes[j] = cab_names_copy (&r->view->names, words, strlen (words));
    }
  loop->outcome = loop->outcomes ? loop->outcomes[0] : NULL;
}

static void
read_key (struct reader *r, json_t *object, struct cab_view_loop *loop)
{
  const char *name = text_of (r, object, "name", false);
  loop->function = text_of (r, object, "function", true);
  loop->file = text_of (r, object, "file", true);
  loop->line = integer_of (r, object, "line", 0, UINT32_MAX, 0);
  loop->column = integer_of (r, object, "column", 0, UINT32_MAX, 0);
  loop->ordinal = integer_of (r, object, "ordinal", 0, UINT32_MAX, 0);
  loop->checksum = strtoul (text_of (r, object, "checksum", false), NULL, 16);
  loop->flags = text_of (r, object, "flags", false);
  loop->display = cab_names_display (&r->view->names, loop->function, name, loop->file);
}

static void
read_loop (struct reader *r, json_t *object)
{
  struct cab_view_loop *loop = cab_loop_view_add (r->view);
  read_key (r, object, loop);
  loop->share = loop->share_all = real_of (r, object, "share");
  json_t *trip = member (r, object, "trip", JSON_OBJECT, false);
  if (trip)
    {
      loop->entries = real_of (r, trip, "entries");
      loop->iterations = real_of (r, trip, "iterations");
      loop->mean = real_of (r, trip, "mean");
    }
  read_stalls (r, object, loop);
  loop->hint = hint_of (r, object, "choice");
  loop->reason = text_of (r, object, "reason", false);
  loop->predicted = real_of (r, object, "predicted");
  loop->measured = real_of (r, object, "measured");
}

static void
read_loops (struct reader *r, json_t *root)
{
  json_t *loops = member (r, root, "loops", JSON_ARRAY, true);
  for (size_t i = 0; i < json_array_size (loops) && !r->bad; i++)
    {
      snprintf (r->where, sizeof r->where, "loops[%zu]", i);
      if (json_is_object (json_array_get (loops, i)))
	read_loop (r, json_array_get (loops, i));
      else
	refuse (r, "is no object");
    }
}

static struct cab_view_heuristic
heuristic_of (struct reader *r, json_t *application, const char *name)
{
  json_t *object = application ? member (r, application, name, JSON_OBJECT, false) : NULL;
  struct cab_view_heuristic h = { "", NAN, { NAN, NAN, NAN, 0 } };
  if (!object)
    return h;
  h.name = text_of (r, object, "name", false);
  h.predicted = real_of (r, object, "predicted");
  h.measured = figure_of (r, object, "measured");
  int64_t unroll = integer_of (r, object, "unroll", 0, 65535, -1);
  if (!*h.name && unroll >= 0)
    h.name = cab_names_format (&r->view->names, "%d", (int) unroll);
  return h;
}

static void
read_application (struct reader *r, json_t *root)
{
  struct cab_loop_view *v = r->view;
  json_t *application = member (r, root, "application", JSON_OBJECT, false);
  json_t *sums = application ? per_column (r, application, "S") : NULL;
  snprintf (r->where, sizeof r->where, "application");
  v->best_factor = heuristic_of (r, application, "best_factor");
  v->per_loop = heuristic_of (r, application, "per_loop");
  v->sum_best = application ? real_of (r, application, "S_opt") : NAN;
  if (!sums)
    return;
  v->sums = cab_names_zero (&v->names, v->n_columns, sizeof *v->sums);
  for (uint32_t j = 0; j < v->n_columns; j++)
    v->sums[j] = json_is_number (json_array_get (sums, j))
		 ? json_number_value (json_array_get (sums, j))
		 : NAN;
}

static void
read_races (struct reader *r, json_t *root)
{
  struct cab_loop_view *v = r->view;
  json_t *races = member (r, root, "races", JSON_ARRAY, false);
  v->races = cab_names_zero (&v->names, json_array_size (races) + 1, sizeof *v->races);
  for (size_t i = 0; i < json_array_size (races); i++)
    {
      json_t *race = json_array_get (races, i);
      snprintf (r->where, sizeof r->where, "races[%zu]", i);
      struct cab_view_race *to = &v->races[v->n_races++];
      to->name = text_of (r, race, "name", true);
      to->ratio = figure_of (r, race, "ratio");
      to->kept = json_is_true (json_object_get (race, "kept"));
      to->reason = text_of (r, race, "reason", false);
    }
}

/* Return NAME as people write it: "seconds spent" for "seconds_spent". */
static const char *
words_of (struct reader *r, const char *name)
{
  char *copy = cab_names_copy (&r->view->names, name, strlen (name));
  for (char *p = copy; *p; p++)
    *p = *p == '_' ? ' ' : *p;
  return copy;
}

static void
add_fact (struct reader *r, const char *prefix, const char *key, json_t *value, int depth)
{
  const char *name = words_of (
	       r, *prefix ? cab_names_format (&r->view->names, "%s, %s", prefix, key) : key),
	     *k;
  json_t *v;
  if (json_is_string (value))
    cab_loop_view_fact (r->view, name, "%s", json_string_value (value));
  else if (json_is_integer (value))
    cab_loop_view_fact (r->view, name, "%jd", (intmax_t) json_integer_value (value));
  else if (json_is_real (value))
    cab_loop_view_fact (r->view, name, "%.4g", json_real_value (value));
  else if (json_is_boolean (value))
    cab_loop_view_fact (r->view, name, "%s", json_is_true (value) ? "yes" : "no");
  else if (json_is_object (value) && depth < 4)
    json_object_foreach (value, k, v)
      add_fact (r, strcmp (key, "source") ? name : "", !strcmp (k, "name") ? key : k, v, depth + 1);
}

static void
read_facts (struct reader *r, json_t *root)
{
  json_t *facts = member (r, root, "measured_with", JSON_OBJECT, false), *value;
  const char *key;
  if (facts)
    json_object_foreach (facts, key, value)
      add_fact (r, "", key, value, 0);
}

static void
read_root (struct reader *r, json_t *root)
{
  if (!json_is_object (root) || strcmp (text_of (r, root, "format", false), CAB_TUNED_FORMAT))
    refuse (r, "is not a result of tune");
  else if (integer_of (r, root, "schema", INT64_MIN, INT64_MAX, -1) != CAB_TUNED_SCHEMA)
    refuse (r, "has a schema that this version does not know");
  if (r->bad)
    return;
  r->view->program = text_of (r, root, "program", false);
  r->view->run = text_of (r, root, "run", false);
  read_columns (r, root);
  *r->where = 0;
  if (!r->bad)
    read_loops (r, root);
  *r->where = 0;
  read_application (r, root);
  *r->where = 0;
  read_races (r, root);
  *r->where = 0;
  read_facts (r, root);
}

int
cab_loop_view_tuned (struct cab_loop_view *view, const char *path, struct cab_diag *diag)
{
  struct reader r = { .view = view, .path = path, .diag = diag };
  json_error_t error;
  struct stat st;
  const char *wrong = NULL;
  if (lstat (path, &st) == 0 && st.st_size > MOST_BYTES)
    refuse (&r, "is larger than any such file");
  json_t *root = r.bad ? NULL : cab_profile_json_read (path, 0, &error, &wrong);
  if (wrong)
    refuse (&r, "%s", wrong);
  else if (!root && !r.bad && error.line > 0)
    refuse (&r, "line %d, column %d: %s", error.line, error.column, error.text);
  else if (!root && !r.bad)
    refuse (&r, "%s", error.text);
  if (root)
    read_root (&r, root);
  json_decref (root);
  view->has_matrix = !r.bad;
  return r.bad ? -1 : 0;
}
