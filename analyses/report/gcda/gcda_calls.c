/* gcda_calls.c - the targets of indirect calls, from call events.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/report/gcda/gcda.h"
#include <stdlib.h>
#include <libiberty/libiberty.h>
#include "analyses/live/an_calls.h"

/* Count N calls of the function IDENT at SITE. */
static void
add_target (struct cab_gcda_site *site, uint32_t ident, uint64_t n)
{
  for (uint32_t i = 0; i < site->n; i++)
    if (site->targets[i].ident == ident)
      {
	site->targets[i].count += n;
	return;
      }
  site->targets = XRESIZEVEC (struct cab_gcda_target, site->targets, site->n + 1);
  site->targets[site->n++] = (struct cab_gcda_target) { ident, n };
}

static int
by_count (const void *a, const void *b)
{
  const struct cab_gcda_target *x = a, *y = b;
  if (x->count != y->count)
    return x->count < y->count ? 1 : -1;
  return x->ident < y->ident ? -1 : x->ident > y->ident;
}

/* Return the index in R's indirect calls of its site SITE, or n_indirect. */
static uint32_t
index_of (const struct cab_record *r, uint32_t site)
{
  uint32_t i = 0;
  while (i < r->n_indirect && r->indirect[i] != site)
    i++;
  return i;
}

void
cab_gcda_calls_add (struct cab_gcda_function *f, struct cab_model *model,
		    const struct cab_function *function)
{
  const struct cab_record *r = function->record;
  struct cab_calls_row row;
  if (!r->n_indirect || r->n_indirect != f->values.n_calls || !model->has_calls)
    return;
  if (!f->sites)
    f->sites = XCNEWVEC (struct cab_gcda_site, f->values.n_calls);
  for (uint64_t cursor = 0; cab_calls_next (&model->calls, &cursor, &row);)
    {
      uint32_t site = row.site - function->first_site, i = r->n_indirect;
      if (row.site >= function->first_site && site < function->n_sites)
	i = index_of (r, site);
      const struct cab_record *callee = row.callee && row.callee <= model->n_functions
					? model->functions[row.callee - 1]->record
					: NULL;
      if (i < r->n_indirect && callee && callee->gcov.known)
	add_target (&f->sites[i], callee->gcov.ident, row.count);
    }
  for (uint32_t i = 0; i < r->n_indirect; i++)
    if (f->sites[i].n)
      qsort (f->sites[i].targets, f->sites[i].n, sizeof *f->sites[i].targets, by_count);
}

void
cab_gcda_calls_fini (struct cab_gcda_function *f)
{
  for (uint32_t i = 0; i < f->values.n_calls && f->sites; i++)
    free (f->sites[i].targets);
  free (f->sites);
}
