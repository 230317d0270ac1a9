/* report_values.c - which values does each access read or write?
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "report.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <libiberty/libiberty.h>
#include "analyses/states.h"
#include "analyses/value_text.h"

static const struct cab_column columns[] = {
  CAB_ACCESS_COLUMNS,
  { "access", CAB_TEXT, CAB_FORMAT_TSV | CAB_FORMAT_JSON },
  { "type", CAB_TEXT, CAB_FORMAT_TSV | CAB_FORMAT_JSON },
  { "n", CAB_COUNT, 0 },
  { "zero", CAB_SHARE, 0 },
  { "same", CAB_SHARE, 0 },
  { "top", CAB_SHARE, 0 },
  { "least", CAB_TEXT, 0 },
  { "greatest", CAB_TEXT, 0 },
  { "distinct", CAB_TEXT, 0 },
  { "others", CAB_COUNT, CAB_FORMAT_TSV | CAB_FORMAT_JSON },
  { "values", CAB_TEXT, 0 }
};
enum { VARIABLE, FUNCTION, FILE_, LINE, COLUMN, ACCESS, TYPE, EVENTS, ZERO, SAME, TOP, LEAST, GREATEST, DISTINCT, OTHERS, VALUES, N };

#define SHOWN 3   /* values in text; the other formats have all */

/* All values, those of an access together, the most frequent first. */
struct values
{
  struct cab_values_value *value;
  size_t n;
};

/* Those of one access. */
struct some
{
  const struct cab_values_value *value;
  size_t n;
  uint64_t events;
};

const char *
cab_report_lacks_values (const struct cab_model *model)
{
  const struct cab_arena *state = cab_model_state (model, &cab_values);
  struct cab_values_row row;
  for (uint64_t cursor = 0; state && cab_values_next (state, &cursor, &row);)
    if (row.type)
      return NULL;
  return "no values were counted: compile with -fplugin-arg-cabprof-events=memory+values, and run with CABPROF_OPTIONS=analyses=values";
}

static int
by_access (const struct cab_values_value *x, const struct cab_values_value *y)
{
  return x->number != y->number ? (x->number < y->number ? -1 : 1) : x->type - y->type;
}

static int
compare (const void *a, const void *b)
{
  const struct cab_values_value *x = a, *y = b;
  int access = by_access (x, y);
  if (access)
    return access;
  return x->n != y->n ? (x->n > y->n ? -1 : 1) : x->value < y->value ? -1 : x->value > y->value;
}

static struct values
all_values (const struct cab_arena *state)
{
  struct values all = { NULL, 0 };
  struct cab_values_value value;
  size_t room = 0;
  for (uint64_t cursor = 0; state && cab_values_value_next (state, &cursor, &value); all.value[all.n++] = value)
    if (all.n == room)
      all.value = XRESIZEVEC (struct cab_values_value, all.value, room = 2 * room + 64);
  if (all.n)
    qsort (all.value, all.n, sizeof *all.value, compare);
  return all;
}

/* Those of ROW's access. */
static struct some
values_of (const struct values *all, const struct cab_values_row *row)
{
  struct cab_values_value key = { .number = row->number, .type = row->type };
  size_t low = 0, high = all->n;
  while (low < high)
    {
      size_t middle = (low + high) / 2;
      if (by_access (&all->value[middle], &key) < 0)
	low = middle + 1;
      else
	high = middle;
    }
  struct some some = { all->value + low, 0, 0 };
  for (; low + some.n < all->n && !by_access (&some.value[some.n], &key); some.n++)
    some.events += some.value[some.n].n;
  return some;
}

/* "0:812 1:33 7:2", and "-:9" for those that are not known by themselves, or in text for all that are not shown. */
static const char *
list (struct cab_model *model, const struct some *some, uint64_t events, enum cab_format format)
{
  size_t shown = format == CAB_FORMAT_TEXT && some->n > SHOWN ? SHOWN : some->n;
  char *text = XNEWVEC (char, (shown + 1) * (CAB_VALUE_BYTES + 24)), *end = text, value[CAB_VALUE_BYTES];
  for (size_t i = 0; i < shown; i++)
    {
      cab_value_text (value, some->value[i].value, some->value[i].type);
      end += sprintf (end, "%s%s:%" PRIu64, i ? " " : "", value, some->value[i].n);
      events -= some->value[i].n;
    }
  if (events)
    end += sprintf (end, "%s-:%" PRIu64, shown ? " " : "", events);
  const char *copy = cab_names_copy (&model->names, text, end - text);
  free (text);
  return copy;
}

static const char *
bound (struct cab_model *model, const struct cab_values_row *row, uint64_t value)
{
  char text[CAB_VALUE_BYTES];
  cab_value_text (text, value, row->type);
  return row->ordered ? cab_names_format (&model->names, "%s", text) : "-";
}

static const char *
type_name (uint8_t type)
{
  static const char *const names[] = { "", "unsigned", "signed", "float", "double", "bits", "", "" };
  return names[type & CAB_VALUE_TYPE];
}

static const char *
direction (const struct cab_access_place *access)
{
  return !access->write ? "read" : access->read ? "modify" : "write";
}

static void
add_row (struct cab_model *model, const struct cab_report_options *options, struct cab_table *table, const struct cab_values_row *row,
	 const struct values *all)
{
  struct cab_access_ref ref = cab_model_access (model, row->number);
  if (!row->type || !ref.access || !cab_report_wants (options, ref.function))
    return;
  union cab_cell *cell = cab_table_row (table);
  struct some some = values_of (all, row);
  uint64_t others = row->events > some.events ? row->events - some.events : 0;
  cab_report_access (model, options, &ref, cell);
  cell[ACCESS].text = direction (ref.access);
  cell[TYPE].text = type_name (row->type);
  cell[EVENTS].count = row->events;
  cell[ZERO].share = (double) row->zero / row->events;
  cell[SAME].share = (double) row->same / row->events;
  cell[TOP].share = some.n ? (double) some.value[0].n / row->events : NAN;
  cell[LEAST].text = bound (model, row, row->least);
  cell[GREATEST].text = bound (model, row, row->greatest);
  cell[DISTINCT].text = cab_names_format (&model->names, "%s%zu", others ? ">" : "", some.n);
  cell[OTHERS].count = others;
  cell[VALUES].text = list (model, &some, row->events, options->format);
  table->total += row->events;
}

void
cab_report_values (struct cab_model *model, const struct cab_report_options *options, struct cab_table *table)
{
  const struct cab_arena *state = cab_model_state (model, &cab_values);
  struct values all = all_values (state);
  struct cab_values_row row;
  cab_table_init (table, "values", "Values read and written", columns, N);
  table->total_column = EVENTS;
  for (uint64_t cursor = 0; state && cab_values_next (state, &cursor, &row);)
    add_row (model, options, table, &row, &all);
  cab_table_sort (table, EVENTS);
  free (all.value);
}
