/* gcda_values.c - what GCC counts beside edges: the order of first calls, indirect calls, values.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * GCC either finds no counter of these kinds in a function's record, or takes each kind that is
 * missing for zeros; GCC 12 crashes where a missing kind has several statements.  So all kinds are
 * written, or none.
 */
#include "analyses/report/gcda/gcda.h"
#include <stdlib.h>
#include <sys/param.h>
#include <libiberty/libiberty.h>

#define TAG_INTERVAL 0x01a30000u
#define TAG_POWER 0x01a50000u
#define TAG_TOPN 0x01a70000u
#define TAG_INDIRECT 0x01a90000u
#define TAG_FIRST 0x01af0000u
#define MOST_TARGETS 32u           /* as many as GCC's own runtime keeps */
#define LONG_WORDS 2

void
cab_gcda_values_set (struct cab_gcda *gcda, struct cab_gcda_function *f,
		     const struct cab_record *record)
{
  uint32_t n = record->n_remainders;
  f->values = (struct cab_gcda_values) {
    .known = record->has_values, .n_topn = record->n_topn, .n_calls = record->n_calls,
    .n_remainders = n, .remainders = cab_names_zero (&gcda->names, n, sizeof *record->remainders)
  };
  for (uint32_t i = 0; i < n; i++)
    f->values.remainders[i] = record->remainders[i];
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

/* Write counters of F's remainders.  GCC refuses counters whose sum is not how often the statement
   was executed.  The values are not known, so all are counted as those of which GCC makes nothing:
   quotients of 2 and more, divisors that are no powers of two. */
static void
put_remainders (const struct cab_gcda_unit *unit, FILE *to, const struct cab_gcda_function *f)
{
  uint32_t n = f->values.n_remainders;
  cab_gcda_put_tag (unit, to, TAG_INTERVAL, 4 * LONG_WORDS * n);
  for (uint32_t i = 0; i < n; i++)
    {
      put_long (to, 0);   /* quotients of 0, and of 1 */
      put_long (to, 0);
      put_long (to, f->blocks[f->values.remainders[i]]);
      put_long (to, 0);   /* negative ones */
    }
  cab_gcda_put_tag (unit, to, TAG_POWER, 2 * LONG_WORDS * n);
  for (uint32_t i = 0; i < n; i++)
    {
      put_long (to, f->blocks[f->values.remainders[i]]);
      put_long (to, 0);   /* powers of two */
    }
}

void
cab_gcda_values_write (const struct cab_gcda_unit *unit, const struct cab_gcda_function *f,
		       FILE *to)
{
  if (!f->values.known || !f->blocks || (!f->first && !f->sites))
    return;
  if (f->values.n_remainders)
    put_remainders (unit, to, f);
  if (f->values.n_topn)
    cab_gcda_put_tag (unit, to, TAG_TOPN, -2 * LONG_WORDS * (int32_t) f->values.n_topn);
  if (f->values.n_calls)
    put_targets (unit, to, f);
  cab_gcda_put_tag (unit, to, TAG_FIRST, f->first ? LONG_WORDS : -LONG_WORDS);
  if (f->first)
    put_long (to, f->first);
}
