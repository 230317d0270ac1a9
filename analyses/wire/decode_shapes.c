/* decode_shapes.c - see decode_shapes.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "analyses/wire/decode_shapes.h"

#include "analyses/wire/decode_access.h"
#include "analyses/wire/decode_regions.h"

/* Add a row for PASSES passes through SHAPE.  Return false if the batch is full. */
static inline bool
add_row (struct cab_decode *d, const struct cab_shape *shape, uint64_t passes)
{
  uint32_t at = d->shapes.n;
  if (at > CAB_BATCH_MAX - CAB_EXPAND_ROWS)
    return false;
  d->shape[at] = shape;
  d->passes[at] = passes;
  d->shapes.n = at + 1;
  return true;
}

/* Add a row for what C will count.  Return false if the batch is full. */
static bool __attribute__ ((noinline))
begin_row (struct cab_decode *d, const struct cab_decode_counted *c)
{
  uint32_t place = c - d->counted, row = d->shapes.n;
  if (!add_row (d, d->counted_shape[place], 0))
    return false;
  d->used[d->n_used++] = (struct cab_decode_used) { place, row };
  return true;
}

/* Return where events with KEY, each of which is passes through SHAPE, are counted; null if other
   keys of this batch have both its entries.  So which keys are counted, and in which rows, depends
   on the words of the batch alone, and not on what earlier batches left in the table. */
static struct cab_decode_counted *
counted_of (struct cab_decode *d, uint64_t key, const struct cab_shape *shape)
{
  uint32_t place = cab_decode_place_in (CAB_DECODE_COUNTED, key);
  struct cab_decode_counted *c = &d->counted[place], *other = &d->counted[place ^ 1];
  if (c->key == key || other->key == key)
    return c->key == key ? c : other;
  if (c->passes && other->passes)
    return NULL;
  c = c->passes ? other : c;
  c->key = key;
  d->counted_shape[c - d->counted] = shape;
  return c;
}

/* Count PASSES more through SHAPE by events with KEY.  Return false if the batch is full. */
static bool
count_passes (struct cab_decode *d, uint64_t key, const struct cab_shape *shape, uint64_t passes)
{
  struct cab_decode_counted *c = counted_of (d, key, shape);
  if (!c)
    return add_row (d, shape, passes);
  if (!c->passes && !begin_row (d, c))
    return false;
  c->passes += passes;
  return true;
}

/* Return the key of events of R: their header where they are a pass each, and nothing else.
   Otherwise their raw words are needed, and the key has a form that no header has, so that the
   header alone does not find it. */
static inline uint64_t
key_of (uint64_t header, const struct cab_region *r)
{
  return r->shape.id && r->count == CAB_NO_WORD
	 ? header
	 : header ^ UINT64_C (0xff) << CAB_EV_ACCESS_FORM_SHIFT;
}

/* Count one pass through R, a region with ranges, with the event at WORDS: the ranges one by one,
   and the other accesses as a shape.  Return false if the batch is full. */
static bool
count_ranged (struct cab_decode *d, const uint64_t *words, const struct cab_region *r)
{
  if (r->shape.n - r->fixed.n > CAB_BATCH_MAX - d->rows.n
      || (r->fixed.id && !count_passes (d, key_of (words[0], r), &r->fixed, 1)))
    return false;
  cab_expand_ranges (r, words + 1, &d->rows);
  return true;
}

/* Count the event at WORDS of R, which has a shape and a count, and add the parts of its last pass
   one by one.  Return false if it stands for too much, or nothing, or the batch is full. */
static bool
count_loop (struct cab_decode *d, const uint64_t *words, const struct cab_region *r)
{
  uint64_t count = words[1 + r->count], passes = count >> 8;
  bool has_part = count & 255;
  if (!count || passes > CAB_REGION_PASSES_MAX
      || (has_part && r->shape.n > CAB_BATCH_MAX - d->rows.n)
      || (passes && !count_passes (d, key_of (words[0], r), &r->shape, passes)))
    return false;
  if (has_part)
    cab_expand_last_part (r, words + 1, &d->rows);
  return true;
}

/* Count the event at WORDS, if it is of a region with a shape, or one pass through a region with
   ranges.  Return false if it is not, or the batch is full. */
static bool __attribute__ ((noinline))
count_slowly (struct cab_decode *d, const uint64_t *words, size_t n)
{
  uint64_t header = words[0];
  const struct cab_region *r = cab_ev_kind (header) == CAB_EV_ACCESS
			       ? cab_decode_told_region (d, words, n)
			       : NULL;
  if (!r)
    return false;
  if (r->ranged == (header & CAB_DECODE_LOW_BITS))
    return count_ranged (d, words, r);
  return r->count == CAB_NO_WORD ? count_passes (d, header, &r->shape, 1)
				 : count_loop (d, words, r);
}

/* Return the offset in bytes of the first entry where KEY may be counted. */
static inline size_t
offset_of (uint64_t key)
{
  unsigned log = __builtin_ctz (sizeof (struct cab_decode_counted));
  return key * CAB_DECODE_SPREAD >> (64 - __builtin_ctz (CAB_DECODE_COUNTED) - log)
       & -sizeof (struct cab_decode_counted);
}

/* Count those events of WORDS, up to END, that are a pass each through known regions, and whose
   counters are in the table.  Add their number to *EVENTS, and return where they end. */
static inline const uint64_t *
count_known (struct cab_decode *d, const uint64_t *words, const uint64_t *end, size_t *events)
{
  char *counted = (char *) d->counted;
  size_t n = 0;
  for (; words < end; n++)
    {
      uint64_t header = *words;
      const uint64_t *next = cab_decode_behind (words);
      size_t offset = offset_of (header);
      struct cab_decode_counted *c = (struct cab_decode_counted *) (counted + offset);
      size_t other = c->key != header;   /* no branch: which of its two entries a header has is
					    unpredictable */
      __asm__ ("" : "+r" (other));
      c = (struct cab_decode_counted *) (counted + (offset ^ other * sizeof *c));
      if (__builtin_expect (c->key != header, 0))
	break;
      __builtin_prefetch (words + CAB_DECODE_AHEAD);
      if (__builtin_expect (!c->passes, 0) && !begin_row (d, c))
	break;
      c->passes++;
      words = next;
    }
  *events += n;
  return words;
}

size_t
cab_decode_take_shapes (struct cab_decode *d, const uint64_t *words, size_t n)
{
  const uint64_t *at = words, *end = words + n,
		 *sure = n > CAB_ACCESS_WORDS ? end - CAB_ACCESS_WORDS : words;
  size_t events = 0;
  for (;;)
    {
      at = count_known (d, at, sure, &events);
      if (at >= end || !count_slowly (d, at, end - at))
	break;
      at += 1 + cab_ev_words (*at);
      events++;
    }
  d->n_accesses += events;
  d->n_raw += at - words - events;
  return at - words;
}

void
cab_decode_add_shape (struct cab_decode *d, uint64_t header, const struct cab_region *r)
{
  if (d->expand.n_passes)
    count_passes (d, key_of (header, r), &r->shape, d->expand.n_passes);
  cab_expand_last (&d->expand);
}

void
cab_decode_add_nest (struct cab_decode *d, const struct cab_region *r)
{
  uint64_t times[CAB_EXPAND_ROWS];
  const struct cab_nest_op *op = d->expand.ops;
  if (r->n_rows > CAB_EXPAND_ROWS || !cab_expand_count (&d->expand, times))
    return;
  for (uint32_t row = 0; row < r->n_rows; op++)
    if (op->what == CAB_NEST_ROWS && times[row++])
      {
	d->passes[d->shapes.n] = times[row - 1];
	d->shape[d->shapes.n++] = &op->shape;
      }
  d->expand.n_accesses = 0;
}
