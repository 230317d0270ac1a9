/* expand.c - see expand.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/expand.h"

bool
cab_expand_begin (struct cab_expand *e, const struct cab_regions *regions, uint32_t region, const uint64_t *words, unsigned n)
{
  if (region >= regions->n_regions)
    return false;
  const struct cab_region *r = cab_regions_at (regions, region);
  if (n != r->words)
    return false;
  for (unsigned i = 0; i < n; i++)
    e->words[i] = words[i];
  e->words[CAB_NO_WORD] = 0;
  e->accesses = cab_regions_accesses (regions) + r->first;
  e->n_accesses = r->shape.n;
  e->first_site = regions->first;
  e->next = e->part = 0;
  e->pass = 0;
  e->n_passes = 1;
  if (r->count != CAB_NO_WORD)
    {
      e->n_passes = e->words[r->count] >> 8;
      e->part = e->words[r->count] & 255;
    }
  if (e->n_passes == 0 && e->part == 0)
    e->n_accesses = 0;
  return e->n_passes <= CAB_REGION_PASSES_MAX;
}

/* N whole passes of access K, at rows that are a pass apart. */
static inline void
put_column (const struct cab_expand *e, uint32_t k, uint32_t n, struct cab_expand_rows *rows)
{
  const struct cab_region_access *a = e->accesses + k;
  uint64_t step = e->words[a->step_word] + a->step, bytes = e->words[a->bytes_word] + a->bytes;
  uint64_t address = e->words[a->word] + a->offset + e->pass * step;
  uint32_t site = e->first_site + a->number, stride = e->n_accesses;
  for (uint32_t i = 0, at = rows->n + k; i < n; i++, at += stride, address += step)
    {
      rows->address[at] = address;
      rows->bytes[at] = bytes;
      rows->site[at] = site;
      rows->form[at] = a->form;
    }
}

/* As many whole passes as fit; one does. */
static inline void
put_passes (struct cab_expand *e, struct cab_expand_rows *rows)
{
  uint64_t left = e->n_passes - e->pass;
  uint32_t n = 1;
  if (left > 1)
    {
      uint32_t fit = (CAB_BATCH_MAX - rows->n) / e->n_accesses;
      n = left < fit ? left : fit;
    }
  for (uint32_t k = 0; k < e->n_accesses; k++)
    put_column (e, k, n, rows);
  rows->n += n * e->n_accesses;
  e->pass += n;
}

/* The pass is over, or there is none: what is left? */
static inline void
settle (struct cab_expand *e)
{
  if (e->next == e->n_accesses)
    {
      e->next = 0;
      e->pass++;
    }
  if (e->next == 0 && e->pass >= e->n_passes && (e->pass > e->n_passes || e->part == 0))
    e->n_accesses = 0;
}

static inline void
put_one (struct cab_expand *e, struct cab_expand_rows *rows)
{
  const struct cab_region_access *a = e->accesses + e->next++;
  uint32_t at = rows->n;
  if (e->pass == e->n_passes && a->part >= e->part)
    return;
  rows->address[at] = e->words[a->word] + a->offset + e->pass * (e->words[a->step_word] + a->step);
  rows->bytes[at] = e->words[a->bytes_word] + a->bytes;
  rows->site[at] = e->first_site + a->number;
  rows->form[at] = a->form;
  rows->n = at + 1;
}

void
cab_expand_rows (struct cab_expand *e, struct cab_expand_rows *rows)
{
  while (e->n_accesses && rows->n < CAB_BATCH_MAX)
    {
      if (e->next == 0 && e->pass < e->n_passes && e->n_accesses <= CAB_BATCH_MAX - rows->n)
	put_passes (e, rows);
      else
	put_one (e, rows);
      settle (e);
    }
}
