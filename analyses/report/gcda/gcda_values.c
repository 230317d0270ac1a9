/* gcda_values.c - what GCC counts beside edges: the order of first calls, indirect calls, values.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * GCC either finds no counter of these kinds in a function's record, or takes each kind that is
 * missing for zeros; GCC 12 crashes where a missing kind has several statements.  So all kinds are
 * written, or none.
 */
#include "analyses/report/gcda/gcda.h"
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>
#include <libiberty/libiberty.h>
#include "analyses/profile/value_cells.h"
#include "cabprof/info.h"

#define TAG_INTERVAL 0x01a30000u
#define TAG_POWER 0x01a50000u
#define TAG_TOPN 0x01a70000u
#define TAG_INDIRECT 0x01a90000u
#define TAG_AVERAGE 0x01ab0000u
#define TAG_OR 0x01ad0000u
#define TAG_FIRST 0x01af0000u
#define MOST_TARGETS 32u           /* as many as GCC's own runtime keeps */
#define LONG_WORDS 2

static uint32_t *
copy (struct cab_names *names, const uint32_t *list, uint32_t n)
{
  uint32_t *to = cab_names_zero (names, n, sizeof *to);
  for (uint32_t i = 0; i < n; i++)
    to[i] = list[i];
  return to;
}

void
cab_gcda_values_set (struct cab_gcda *gcda, struct cab_gcda_function *f,
		     const struct cab_record *record)
{
  struct cab_names *names = &gcda->names;
  f->values = (struct cab_gcda_values) {
    .known = record->has_values, .n_topn = record->n_topn, .n_calls = record->n_calls,
    .n_remainders = record->n_remainders, .n_cells = record->n_cells,
    .remainders = copy (names, record->remainders, record->n_remainders),
    .cell_blocks = copy (names, record->cell_blocks, record->n_cells),
    .letters = cab_names_copy (names, record->values, strlen (record->values))
  };
}

void
cab_gcda_values_add (struct cab_gcda *gcda, struct cab_gcda_function *f,
		     const struct cab_function *function)
{
  size_t n = (size_t) f->values.n_cells * CAB_CELL_WORDS;
  if (!function->cells || strcmp (f->values.letters, function->record->values))
    return;
  if (!f->cells)
    f->cells = cab_names_zero (&gcda->names, n, sizeof *f->cells);
  for (size_t i = 0; i < n; i += CAB_CELL_WORDS)
    cab_value_cell_add (f->cells + i, function->cells + i);
}

static int
by_order (const void *a, const void *b)
{
  const struct cab_gcda_function *const *x = a, *const *y = b;
  return ((*x)->order > (*y)->order) - ((*x)->order < (*y)->order);
}

void
cab_gcda_first_add (struct cab_gcda *gcda, const struct cab_gcda_module *module)
{
  struct cab_gcda_function **ran = XNEWVEC (struct cab_gcda_function *, gcda->n_functions + 1);
  uint32_t n = 0, number = 0;
  for (uint32_t i = 0; i < module->n_units; i++)
    {
      const struct cab_gcda_unit *unit = &gcda->units[module->units[i]];
      for (uint32_t k = 0; k < unit->n_functions; k++)
	{
	  struct cab_gcda_function *f = unit->functions[k];
	  if (f->part == gcda->n_parts && f->order && f->gcov.n_counters)
	    ran[n++] = f;
	}
    }
  qsort (ran, n, sizeof *ran, by_order);
  for (uint32_t i = 0; i < n; i++)
    {
      number += !i || ran[i] != ran[i - 1];   /* several units may have it */
      ran[i]->first = ran[i]->first ? MIN (ran[i]->first, number) : number;
    }
  free (ran);
}

static void
put_long (FILE *to, uint64_t n)
{
  fwrite (&n, sizeof n, 1, to);
}

/* Write the targets of F's indirect calls: of each call, how often it went to these, how many they
   are, and each with its count. */
static void
put_targets (const struct cab_gcda_unit *unit, FILE *to, const struct cab_gcda_function *f)
{
  uint32_t n_pairs = 0, n_sites = f->values.n_calls;
  for (uint32_t i = 0; i < n_sites && f->sites; i++)
    n_pairs += MIN (f->sites[i].n, MOST_TARGETS);
  int32_t n_words = 2 * LONG_WORDS * (n_sites + n_pairs);
  cab_gcda_put_tag (unit, to, TAG_INDIRECT, n_pairs ? n_words : -n_words);
  for (uint32_t i = 0; i < n_sites && n_pairs; i++)
    {
      const struct cab_gcda_site *site = &f->sites[i];
      uint64_t n = 0;
      for (uint32_t k = 0; k < site->n; k++)
	n += site->targets[k].count;
      put_long (to, n);
      put_long (to, MIN (site->n, MOST_TARGETS));
      for (uint32_t k = 0; k < MIN (site->n, MOST_TARGETS); k++)
	{
	  put_long (to, site->targets[k].ident);
	  put_long (to, site->targets[k].count);
	}
    }
}

/* Write what makes GCC do without F's values: no frequent ones, quotients of 2 and more, divisors
   that are no powers of two.  GCC refuses counters of the latter whose sum is not how often the
   statement was executed. */
static void
put_no_values (const struct cab_gcda_unit *unit, FILE *to, const struct cab_gcda_function *f)
{
  uint32_t n = f->values.n_remainders;
  if (n)
    cab_gcda_put_tag (unit, to, TAG_INTERVAL, 4 * LONG_WORDS * n);
  for (uint32_t i = 0; i < n; i++)
    {
      put_long (to, 0);   /* quotients of 0, and of 1 */
      put_long (to, 0);
      put_long (to, f->blocks[f->values.remainders[i]]);
      put_long (to, 0);   /* negative ones */
    }
  if (n)
    cab_gcda_put_tag (unit, to, TAG_POWER, 2 * LONG_WORDS * n);
  for (uint32_t i = 0; i < n; i++)
    {
      put_long (to, f->blocks[f->values.remainders[i]]);
      put_long (to, 0);   /* powers of two */
    }
  if (f->values.n_topn)
    cab_gcda_put_tag (unit, to, TAG_TOPN, -2 * LONG_WORDS * (int32_t) f->values.n_topn);
}

/* Set OUT to what GCC has for a value of kind LETTER that CELL has counted; return how many numbers
   these are. */
static uint32_t
counters_of (const uint64_t *cell, char letter, uint64_t out[CAB_CELL_WORDS])
{
  uint64_t total = cell[CAB_CELL_TOTAL], few = cell[CAB_CELL_ZEROS] + cell[CAB_CELL_ONES];
  switch (letter)
    {
    case CAB_INFO_VALUE_TOPN:
      out[0] = total;
      out[1] = cell[CAB_CELL_N];
      memcpy (out + 2, cell + CAB_CELL_TABLE, 2 * cell[CAB_CELL_N] * sizeof *out);
      return 2 + 2 * cell[CAB_CELL_N];
    case CAB_INFO_VALUE_POWER:
      out[0] = total - cell[CAB_CELL_POWERS];
      out[1] = cell[CAB_CELL_POWERS];
      return 2;
    case CAB_INFO_VALUE_INTERVAL:
      out[0] = cell[CAB_CELL_ZEROS];
      out[1] = cell[CAB_CELL_ONES];
      out[2] = total - few - cell[CAB_CELL_NEGATIVES];
      out[3] = cell[CAB_CELL_NEGATIVES];
      return 4;
    case CAB_INFO_VALUE_AVERAGE:
      out[0] = cell[CAB_CELL_SUM];
      out[1] = total;
      return 2;
    default:
      out[0] = cell[CAB_CELL_OR];
      return 1;
    }
}

static bool
has_cell (char letter)
{
  return letter != CAB_INFO_VALUE_POWER && letter != CAB_INFO_VALUE_AVERAGE;
}

/* Write what GCC has for F's values of kind LETTER, unless TO is null; return how many numbers
   these are. */
static uint32_t
put_kind (FILE *to, const struct cab_gcda_function *f, char letter)
{
  uint64_t out[CAB_CELL_WORDS];
  uint32_t n = 0, n_cells = 0;
  for (const char *p = f->values.letters; *p; p++)
    {
      n_cells += has_cell (*p);
      if (*p != letter)
	continue;
      uint32_t k = counters_of (f->cells + (size_t) (n_cells - 1) * CAB_CELL_WORDS, letter, out);
      if (to)
	fwrite (out, sizeof *out, k, to);
      n += k;
    }
  return n;
}

static void
put_values (const struct cab_gcda_unit *unit, FILE *to, const struct cab_gcda_function *f,
	    uint32_t tag, char letter)
{
  uint32_t n = put_kind (NULL, f, letter);
  if (!n)
    return;
  cab_gcda_put_tag (unit, to, tag, LONG_WORDS * n);
  put_kind (to, f, letter);
}

/* Return true if F's values are known, and each was counted whenever its statement was executed,
   which GCC insists on.  A process that is killed may have counted one of the two. */
static bool
has_values (const struct cab_gcda_function *f)
{
  for (uint32_t i = 0; i < f->values.n_cells && f->cells; i++)
    {
      const uint64_t *cell = f->cells + (size_t) i * CAB_CELL_WORDS;
      if (cell[CAB_CELL_TOTAL] != f->blocks[f->values.cell_blocks[i]])
	return false;
    }
  return f->cells != NULL;
}

void
cab_gcda_values_write (const struct cab_gcda_unit *unit, const struct cab_gcda_function *f,
		       FILE *to)
{
  if (!f->values.known || !f->blocks || (!f->first && !f->sites))
    return;
  bool all = has_values (f);
  if (all)
    {
      put_values (unit, to, f, TAG_INTERVAL, CAB_INFO_VALUE_INTERVAL);
      put_values (unit, to, f, TAG_POWER, CAB_INFO_VALUE_POWER);
      put_values (unit, to, f, TAG_TOPN, CAB_INFO_VALUE_TOPN);
    }
  else
    put_no_values (unit, to, f);
  if (f->values.n_calls)
    put_targets (unit, to, f);
  if (all)
    {
      put_values (unit, to, f, TAG_AVERAGE, CAB_INFO_VALUE_AVERAGE);
      put_values (unit, to, f, TAG_OR, CAB_INFO_VALUE_OR);
    }
  cab_gcda_put_tag (unit, to, TAG_FIRST, f->first ? LONG_WORDS : -LONG_WORDS);
  if (f->first)
    put_long (to, f->first);
}
