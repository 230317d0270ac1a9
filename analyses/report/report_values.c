/* report_values.c - which values each access reads or writes.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/report/report.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <libiberty/libiberty.h>
#include "analyses/live/an_values.h"
#include "analyses/base/value_text.h"

static struct cab_column columns[] = {
  CAB_ACCESS_COLUMNS,
  { "kind", CAB_TEXT, 0 },
  { "type", CAB_TEXT, CAB_FORMAT_TSV | CAB_FORMAT_JSON },
  { "n", CAB_COUNT, 0 },
  { "zero", CAB_SHARE, 0 },
  { "same", CAB_SHARE, 0 },
  { "top", CAB_SHARE, 0 },
  { "covered", CAB_SHARE, 0 },
  { "strided", CAB_SHARE, 0 },
  { "stride", CAB_TEXT, 0 },
  { "least", CAB_TEXT, 0 },
  { "greatest", CAB_TEXT, 0 },
  { "distinct", CAB_TEXT, 0 },
  { "others", CAB_COUNT, CAB_FORMAT_TSV | CAB_FORMAT_JSON },
  { "counts", CAB_TEXT, CAB_FORMAT_TSV | CAB_FORMAT_JSON },
  { "values", CAB_TEXT, 0 }
};
enum
{
  VARIABLE,
  FUNCTION,
  FILE_,
  LINE,
  COLUMN,
  KIND,
  TYPE,
  EVENTS,
  ZERO,
  SAME,
  TOP,
  COVERED,
  STRIDED,
  STRIDE,
  LEAST,
  GREATEST,
  DISTINCT,
  OTHERS,
  COUNTS,
  VALUES,
  N
};

#define SHOWN 3   /* values in text; the other formats have all */
#define NOTE \
  "N+: at least N, and `top' at least that share: there were more values than places in the " \
  "table (analyses=values,places=N)"

/* All values: those of an access together, the most frequent first. */
struct values
{
  struct cab_values_value *value;
  size_t n;
};

/* The values of one access. */
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
  return "no values were counted: compile with -fplugin-arg-cabprof-events=memory+values, and run "
	 "with CABPROF_OPTIONS=analyses=values";
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
  for (uint64_t cursor = 0; state && cab_values_value_next (state, &cursor, &value);
       all.value[all.n++] = value)
    if (all.n == room)
      all.value = XRESIZEVEC (struct cab_values_value, all.value, room = 2 * room + 64);
  if (all.n)
    qsort (all.value, all.n, sizeof *all.value, compare);
  return all;
}

/* Return the values of ROW's access. */
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

/* Return values with their counts: "0:812 1:33+ 7:2 -:9".  A + marks lower bounds; "-" counts those
   that are not known individually or, in text, all that are not shown. */
static const char *
list (struct cab_model *model, const struct some *some, uint64_t events, enum cab_format format)
{
  size_t shown = format == CAB_FORMAT_TEXT && some->n > SHOWN ? SHOWN : some->n;
  char *text = XNEWVEC (char, (shown + 1) * (CAB_VALUE_BYTES + 24)), *end = text,
       value[CAB_VALUE_BYTES];
  for (size_t i = 0; i < shown; i++)
    {
      cab_value_text (value, some->value[i].value, some->value[i].type);
      end += sprintf (end, "%s%s:%" PRIu64 "%s", i ? " " : "", value, some->value[i].n,
		      some->value[i].lower ? "+" : "");
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

/* Return "+8", "-1", "several" or "". */
static const char *
stride (struct cab_model *model, const struct cab_values_row *row)
{
  if (row->has_stride == CAB_STRIDE_ONE)
    return cab_names_format (&model->names, "%+" PRId64, (int64_t) row->stride);
  return row->has_stride == CAB_STRIDE_SEVERAL ? "several" : "";
}

static const char *
type_name (uint8_t type)
{
  static const char *const names[] = {
    "", "unsigned", "signed", "float", "double", "bits", "", ""
  };
  return names[type & CAB_VALUE_TYPE];
}

static const char *
direction (const struct cab_access_place *access)
{
  switch (access->bare)
    {
    case 'i': return "argument";
    case 'o': return "returned";
    case 'n': return "variable";
    default: return !access->write ? "read" : access->read ? "modify" : "write";
    }
}

static void
add_row (struct cab_model *model, const struct cab_report_options *options, struct cab_table *table,
	 const struct cab_values_row *row, const struct values *all)
{
  struct cab_access_ref ref = cab_model_access (model, row->number);
  if (!row->type || !ref.access || !cab_report_wants (options, ref.function))
    return;
  union cab_cell *cell = cab_table_row (table);
  struct some some = values_of (all, row);
  uint64_t others = row->events > some.events ? row->events - some.events : 0;
  cab_report_access (model, options, &ref, cell);
  cell[KIND].text = direction (ref.access);
  cell[TYPE].text = type_name (row->type);
  cell[EVENTS].count = row->events;
  cell[ZERO].share = (double) row->zero / row->events;
  cell[SAME].share = (double) row->same / row->events;
  cell[TOP].share = some.n ? (double) some.value[0].n / row->events : NAN;
  cell[COVERED].share = (double) some.events / row->events;
  cell[STRIDED].share = (double) row->strides / row->events;
  cell[STRIDE].text = stride (model, row);
  cell[LEAST].text = bound (model, row, row->least);
  cell[GREATEST].text = bound (model, row, row->greatest);
  cell[DISTINCT].text = cab_names_format (&model->names, "%s%zu", row->lossy ? ">" : "", some.n);
  cell[OTHERS].count = others;
  cell[COUNTS].text = row->lossy ? "bounds" : "exact";
  cell[VALUES].text = list (model, &some, row->events, options->format);
  table->total += row->events;
}

/* Show the columns that say something in text, and a note on lower bounds if there are any. */
static void
show_columns (struct cab_table *table, enum cab_format format)
{
  bool lossy = false, strided = false;
  for (size_t i = 0; i < table->n_rows; i++)
    {
      const union cab_cell *cell = table->cells + i * N;
      lossy |= cell[DISTINCT].text[0] == '>';
      strided |= cell[STRIDED].share > 0;
    }
  cab_column_in_text (&columns[COVERED], lossy);
  cab_column_in_text (&columns[STRIDED], strided);
  cab_column_in_text (&columns[STRIDE], strided);
  if (lossy && format == CAB_FORMAT_TEXT)
    table->note = NOTE;
}

void
cab_report_values (struct cab_model *model, const struct cab_report_options *options,
		   struct cab_table *table)
{
  const struct cab_arena *state = cab_model_state (model, &cab_values);
  struct values all = all_values (state);
  struct cab_values_row row;
  cab_table_init (table, "values", "Values", columns, N);
  table->total_column = EVENTS;
  for (uint64_t cursor = 0; state && cab_values_next (state, &cursor, &row);)
    add_row (model, options, table, &row, &all);
  cab_table_sort (table, EVENTS);
  show_columns (table, options->format);
  free (all.value);
}

const struct cab_report cab_values_report = {
  .name = "values",
  .summary = "which values each access read or wrote",
  .subject = CAB_ABOUT_MEMORY,
  .of_accesses = true,
  .fill = cab_report_values,
  .lacks = cab_report_lacks_values
};
