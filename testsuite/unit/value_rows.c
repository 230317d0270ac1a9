/* value_rows.c - see analysis_events.h: the rows of `values', and those that events must give.  SPDX-License-Identifier: GPL-3.0-or-later */
#include "testsuite/unit/analysis_events.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>

/* What `values' has of an access: each number is a row. */
void
add_values (struct rows *rows, const struct cab_values_row *row)
{
  uint64_t key = mix (row->number, row->type, 96);
  add (rows, mix (key, 1, 0), row->events);
  add (rows, mix (key, 2, 0), row->type ? row->zero : 0);
  add (rows, mix (key, 3, 0), row->type ? row->same : 0);
  add (rows, mix (key, 4, 0), row->ordered ? row->least + 1 : 0);
  add (rows, mix (key, 5, 0), row->ordered ? row->greatest + 1 : 0);
}

void
add_value (struct rows *rows, const struct cab_values_value *value)
{
  add (rows, mix (mix (value->number, value->type, 97), value->value, 0), value->n);
}

/* Is A's value below B's, by what C says of numbers of this type? */
static bool
is_less (uint64_t a, uint64_t b, unsigned type)
{
  float x, y;
  double v, w;
  memcpy (&x, &a, sizeof x);
  memcpy (&y, &b, sizeof y);
  memcpy (&v, &a, sizeof v);
  memcpy (&w, &b, sizeof w);
  switch (type & CAB_VALUE_TYPE)
    {
    case CAB_VALUE_SIGNED: return (int64_t) a < (int64_t) b;
    case CAB_VALUE_FLOAT: return x < y || (x == y && !!signbit (x) > !!signbit (y));
    case CAB_VALUE_DOUBLE: return v < w || (v == w && !!signbit (v) > !!signbit (w));
    default: return a < b;
    }
}

static bool
is_number (uint64_t value, unsigned type)
{
  float x;
  double v;
  memcpy (&x, &value, sizeof x);
  memcpy (&v, &value, sizeof v);
  switch (type)
    {
    case CAB_VALUE_UNSIGNED: case CAB_VALUE_SIGNED: return true;
    case CAB_VALUE_FLOAT: case CAB_VALUE_FLOAT | CAB_VALUE_PART: return !isnan (x);
    case CAB_VALUE_DOUBLE: case CAB_VALUE_DOUBLE | CAB_VALUE_PART: return !isnan (v);
    default: return false;
    }
}

static bool
is_zero (uint64_t value, unsigned type)
{
  float x;
  double v;
  memcpy (&x, &value, sizeof x);
  memcpy (&v, &value, sizeof v);
  type &= CAB_VALUE_TYPE;
  return type == CAB_VALUE_FLOAT ? x == 0 : type == CAB_VALUE_DOUBLE ? v == 0 : !value;
}

/* Event I, by those before it, one after the other. */
static void
take_value (struct rows *rows, const struct events *e, size_t i, struct cab_values_row *row, struct cab_values_value *kept, unsigned *n_kept, uint64_t *last)
{
  unsigned type = e->value_type[i], k = 0;
  uint64_t value = e->value[i];
  row->number = e->site[i];
  row->type = type;
  row->same += row->events++ && *last == value;
  if (!type)
    return;
  *last = value;
  row->zero += is_zero (value, type);
  if (is_number (value, type))
    {
      row->least = !row->ordered || is_less (value, row->least, type) ? value : row->least;
      row->greatest = !row->ordered || is_less (row->greatest, value, type) ? value : row->greatest;
      row->ordered = true;
    }
  while (k < *n_kept && kept[k].value != value)
    k++;
  if (k == CAB_VALUES_KEPT)
    return;
  *n_kept += k == *n_kept;
  kept[k] = (struct cab_values_value) { e->site[i], type, value, 1 };
  add_value (rows, &kept[k]);
}

void
expect_values (struct rows *rows, const struct events *e, size_t to)
{
  enum { TYPES = 16, KEYS = N_SITE * TYPES };
  struct cab_values_row *row = XCNEWVEC (struct cab_values_row, KEYS);
  struct cab_values_value *kept = XNEWVEC (struct cab_values_value, KEYS * CAB_VALUES_KEPT);
  unsigned *n_kept = XCNEWVEC (unsigned, KEYS);
  uint64_t *last = XCNEWVEC (uint64_t, KEYS);
  for (size_t i = 0; i < to; i++)
    {
      unsigned k = e->site[i] * TYPES + e->value_type[i];
      take_value (rows, e, i, &row[k], kept + k * CAB_VALUES_KEPT, &n_kept[k], &last[k]);
    }
  for (unsigned k = 0; k < KEYS; k++)
    add_values (rows, &row[k]);
  free (row);
  free (kept);
  free (n_kept);
  free (last);
}
