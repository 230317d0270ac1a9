/* regions_shape.c - what a decoder needs of a region at once: columns, shapes, spans; see
 * regions_table.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "analyses/wire/regions_shape.h"
#include "cabprof/analysis.h"

#define SPANS_MOST 64   /* accesses of a region that has spans, at most: they are sorted by
			   insertion */

/* Return where the spans are, with room for as many as there are accesses. */
static struct cab_span *
spans_of (const struct cab_regions *to)
{
  return (struct cab_span *) (cab_regions_accesses (to) + to->n_accesses);
}

struct cab_region_columns
cab_region_columns (const struct cab_regions *to)
{
  size_t n = to->n_accesses + CAB_REGION_SLACK;
  struct cab_region_columns c = {
    .brief = (struct cab_region_brief *) (cab_regions_parts (to)
					  + (to->n_levels ? to->n_accesses : 0))
  };
  c.bytes = (uint64_t *) (c.brief + n);
  c.offset = c.bytes + n;
  c.site = (uint32_t *) (c.offset + n);
  c.line = c.site + n;
  c.form = (uint8_t *) (c.line + n);
  c.word = c.form + n;
  return c;
}

/* Return the bytes of an access. */
static struct cab_span
span_of (const struct cab_region_access *a)
{
  return (struct cab_span) { a->offset,
			     a->bytes > UINT32_MAX ? UINT32_MAX : a->bytes - (a->bytes > 0),
			     a->word };
}

/* Return true if A comes after B, by word and offset. */
static bool
is_behind (const struct cab_span *a, const struct cab_span *b)
{
  return a->word != b->word ? a->word > b->word : (int64_t) a->offset > (int64_t) b->offset;
}

/* Make SPAN longer, so that it includes NEXT, which does not begin before it.  Return false if it
   would be too long. */
static bool
takes_in (struct cab_span *span, const struct cab_span *next)
{
  uint64_t distance = next->offset - span->offset;
  if (span->word != next->word || distance >= CAB_SPAN_BYTES
      || next->last >= CAB_SPAN_BYTES - distance)
    return false;
  span->last = span->last > distance + next->last ? span->last : distance + next->last;
  return true;
}

static bool
is_short (const struct cab_region *region)
{
  bool good = region->shape.id && region->count == CAB_NO_WORD && region->n_spans;
  for (uint32_t k = 0; good && k < region->shape.n; k++)
    good = region->access[k].bytes - 1 < CAB_SPAN_BYTES;
  for (uint32_t k = 0; good && k < region->n_spans; k++)
    good = region->span[k].last < CAB_SPAN_BYTES && region->span[k].word != CAB_NO_WORD;
  return good;
}

/* Store the accesses of REGION as briefs, if it is short. */
static void
put_brief (const struct cab_regions *to, struct cab_region *region)
{
  struct cab_region_brief *brief = cab_region_columns (to).brief + region->first;
  region->short_id = is_short (region) ? region->shape.id : 0;
  region->brief = brief;
  for (uint32_t k = 0; k < region->shape.n && region->short_id; k++)
    {
      const struct cab_region_access *a = region->access + k;
      bool is_write = (a->form & (CAB_ROW_READ | CAB_ROW_WRITE)) == CAB_ROW_WRITE;
      brief[k] = (struct cab_region_brief) { a->offset, region->shape.site[k],
					     a->word,	a->bytes - 1,
					     is_write,	0 };
    }
}

void
cab_region_span (const struct cab_regions *to, struct cab_region *region)
{
  struct cab_span *span = spans_of (to) + region->first;
  uint32_t n = region->shape.n, last = 0;
  region->span = span;
  if (n == 0 || n > SPANS_MOST)
    return;
  for (uint32_t k = 0; k < n; k++)
    {
      struct cab_span next = span_of (region->access + k);
      uint32_t at = k;
      for (; at > 0 && is_behind (span + at - 1, &next); at--)
	span[at] = span[at - 1];
      span[at] = next;
    }
  for (uint32_t k = 1; k < n; k++)
    if (!takes_in (span + last, span + k))
      span[++last] = span[k];
  region->n_spans = last + 1;
  put_brief (to, region);
}

static bool
is_range (const struct cab_region_access *a)
{
  return a->form & CAB_ROW_RANGE;
}

static bool
is_twin (const struct cab_region_access *a, const struct cab_region_access *b)
{
  return a->word == b->word && a->offset == b->offset && a->step_word == b->step_word
      && a->step == b->step && a->bytes == b->bytes && !is_range (a) && !is_range (b);
}

void
cab_region_twins (struct cab_region_access *access, uint32_t n)
{
  for (uint32_t k = 0; k < n; k++)
    {
      uint32_t before = 1, most = k < SPANS_MOST ? k : SPANS_MOST;
      while (before <= most && !is_twin (access + k, access + k - before))
	before++;
      access[k].twin = before <= most ? before : 0;
    }
}

/* Store access A as row AT of the columns. */
static void
put_column (const struct cab_regions *to, const struct cab_region_access *a, uint32_t at)
{
  struct cab_region_columns c = cab_region_columns (to);
  c.bytes[at] = is_range (a) ? a->bytes_word : a->bytes;
  c.offset[at] = a->offset;
  c.site[at] = to->first + a->number;
  c.form[at] = a->form;
  c.word[at] = a->word;
}

/* Store the columns of REGION, ranges last.  Return how many accesses are no ranges. */
static uint32_t
put_columns (const struct cab_regions *to, const struct cab_region *region)
{
  uint32_t at = region->first, n_fixed;
  for (uint32_t k = 0; k < region->shape.n; k++)
    if (!is_range (region->access + k))
      put_column (to, region->access + k, at++);
  n_fixed = at - region->first;
  for (uint32_t k = 0; k < region->shape.n; k++)
    if (is_range (region->access + k))
      put_column (to, region->access + k, at++);
  return n_fixed;
}

static bool
has_words (const struct cab_region *region)
{
  bool all = true;
  for (uint32_t k = 0; k < region->shape.n; k++)
    all &= region->access[k].word != CAB_NO_WORD;
  return all;
}

static bool
has_marks (const struct cab_region *region)
{
  bool some = false;
  for (uint32_t k = 0; k < region->shape.n; k++)
    some |= region->access[k].form & CAB_ROW_LOOP;
  return some;
}

void
cab_region_shape (const struct cab_regions *to, struct cab_region *region)
{
  struct cab_region_columns c = cab_region_columns (to);
  uint32_t at = region->first, n = region->shape.n;
  uint32_t header = (uint32_t) region->words << CAB_EV_WORDS_SHIFT
		  | CAB_ACCESS_REGION << CAB_EV_ACCESS_FORM_SHIFT | CAB_EV_ACCESS;
  region->access = cab_regions_accesses (to) + at;
  uint32_t n_fixed = put_columns (to, region);
  region->is_bare = n && region->access->form & CAB_ROW_BARE;
  region->is_marked = has_marks (region);
  bool single = region->count == CAB_NO_WORD && !region->is_marked,
       has_shape = n && n_fixed == n && !region->is_nest && !region->is_bare && !region->is_marked;
  region->shape = (struct cab_shape) { has_shape ? region->id : 0, n, c.site + at, c.form + at,
				       c.bytes + at };
  region->fixed = region->shape;
  region->fixed.id = n_fixed && !region->is_bare && !region->is_marked ? region->id : 0;
  region->fixed.n = n_fixed;
  region->offset = c.offset + at;
  region->word = c.word + at;
  region->told = has_shape ? header : UINT32_MAX;
  region->ranged = n_fixed < n && single && !region->is_nest ? header : UINT32_MAX;
  region->header = single && has_words (region) ? region->told : UINT32_MAX;
  cab_region_span (to, region);
  cab_region_twins ((struct cab_region_access *) region->access, n);
}
