/* value_rows.c - see analysis_events.h: the rows of `values', and those that events must give.
   SPDX-License-Identifier: GPL-3.0-or-later */
#include "testsuite/unit/analysis_events.h"
#include "analyses/live/an_values.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>

/* Add what `values' has of an access: each number is a row. */
void
add_values (struct rows *rows, const struct cab_values_row *row)
{
  uint64_t key = mix (row->number, row->type, 96);
  add (rows, mix (key, 1, 0), row->events);
  add (rows, mix (key, 2, 0), row->type ? row->zero : 0);
  add (rows, mix (key, 3, 0), row->type ? row->same : 0);
  add (rows, mix (key, 4, 0), row->ordered ? row->least + 1 : 0);
  add (rows, mix (key, 5, 0), row->ordered ? row->greatest + 1 : 0);
  add (rows, mix (key, 6, 0), row->strides);
  add (rows, mix (key, 7, 0),
       row->has_stride == CAB_STRIDE_SEVERAL ? 1
       : row->has_stride ? row->stride + 2
       : 0);
  add (rows, mix (key, 8, 0), row->lossy);
}

void
add_value (struct rows *rows, const struct cab_values_value *value)
{
  add (rows, mix (mix (value->number, value->type, 97), value->value, value->lower), value->n);
}

/* Return true if A's value is below B's, by C's rules for numbers of this type. */
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

/* What the model has of an access: its row, and its table. */
struct model
{
  struct cab_values_row row;
  uint64_t last, step;
  bool has_step;
  struct cab_values_value place[VALUE_PLACES];
  unsigned used;
  uint64_t due;
};

static uint64_t
interval (const struct model *m)
{
  uint64_t least = m->place[0].n;
  for (unsigned k = 1; k < VALUE_PLACES / 2; k++)
    least = m->place[k].n < least ? m->place[k].n : least;
  return least >= VALUE_CLEAR ? least + 1 : VALUE_CLEAR;
}

/* Keep the more frequent half: one after the other the most frequent one that is left, the first
   such. */
static void
clear (struct model *m)
{
  struct cab_values_value kept[VALUE_PLACES / 2];
  for (unsigned n = 0; n < VALUE_PLACES / 2; n++)
    {
      unsigned most = 0;
      for (unsigned k = 1; k < m->used; k++)
	most = m->place[k].n > m->place[most].n ? k : most;
      kept[n] = m->place[most];
      m->place[most].n = 0;
    }
  memcpy (m->place, kept, sizeof kept);
  m->used = VALUE_PLACES / 2;
  m->due = m->row.events + interval (m);
}

static void
take_step (struct model *m, uint64_t value, unsigned type)
{
  uint64_t step = value - m->last;
  if (!m->row.events || (type != CAB_VALUE_SIGNED && type != CAB_VALUE_UNSIGNED))
    return;
  if (m->has_step && step == m->step && step)
    {
      m->row.has_stride = !m->row.strides++
			   || (m->row.has_stride == CAB_STRIDE_ONE && m->row.stride == step)
			  ? CAB_STRIDE_ONE
			  : CAB_STRIDE_SEVERAL;
      m->row.stride = step;
    }
  m->has_step = true;
  m->step = step;
}

/* Put VALUE into the table; the row has not counted it yet. */
static void
take_place (struct model *m, uint64_t value)
{
  unsigned at = 0;
  if (m->row.lossy && m->row.events >= m->due)
    clear (m);
  while (at < m->used && m->place[at].value != value)
    at++;
  if (at < m->used)
    {
      m->place[at].n++;
      return;
    }
  bool lower = m->row.lossy;
  if (m->used < VALUE_PLACES)
    at = m->used++;
  else
    {
      at = VALUE_PLACES / 2;
      for (unsigned k = at; k < VALUE_PLACES; k++)
	at = m->place[k].n <= m->place[at].n ? k : at;
      m->due = m->row.lossy ? m->due : m->row.events + 1 + interval (m);
      m->row.lossy = 1;
    }
  m->place[at] = (struct cab_values_value) { .value = value, .n = 1, .lower = lower };
}

/* Add an event that has VALUE of TYPE, after those before it, one after the other. */
static void
take_value (struct model *m, uint64_t value, unsigned type)
{
  struct cab_values_row *row = &m->row;
  take_step (m, value, type);
  take_place (m, value);
  row->same += row->events++ && m->last == value;
  m->last = value;
  row->zero += is_zero (value, type);
  if (!is_number (value, type))
    return;
  row->least = !row->ordered || is_less (value, row->least, type) ? value : row->least;
  row->greatest = !row->ordered || is_less (row->greatest, value, type) ? value : row->greatest;
  row->ordered = true;
}

void
expect_values (struct rows *rows, const struct events *e, size_t to)
{
  enum { TYPES = 16, KEYS = N_SITE * TYPES };
  struct model *model = XCNEWVEC (struct model, KEYS);
  for (size_t i = 0; i < to; i++)
    {
      struct model *m = &model[e->site[i] * TYPES + e->value_type[i]];
      m->row.number = e->site[i];
      m->row.type = e->value_type[i];
      if (e->value_type[i])
	take_value (m, e->value[i], e->value_type[i]);
      else
	m->row.events++;
    }
  for (unsigned k = 0; k < KEYS; k++)
    {
      add_values (rows, &model[k].row);
      for (unsigned p = 0; p < model[k].used; p++)
	{
	  model[k].place[p].number = model[k].row.number;
	  model[k].place[p].type = model[k].row.type;
	  add_value (rows, &model[k].place[p]);
	}
    }
  free (model);
}
