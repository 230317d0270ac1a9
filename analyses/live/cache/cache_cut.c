/* cache_cut.c - cut batches into sections: see cache_section.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "analyses/live/cache/cache_cut.h"

#define LEAST 64u   /* items that a place must have room for */

void
cab_section_clear (struct cab_section *section)
{
  section->n_items = section->n_words = section->n_marks = 0;
  section->accesses = 0;
  section->from = (struct cab_section_place) { 0 };
}

static inline uint64_t
most_of (const struct cab_section_cutter *cutter)
{
  return cutter->most ? cutter->most : CAB_SECTION_ACCESSES;
}

void
cab_section_learn (struct cab_section_cutter *cutter, const struct cab_section *s)
{
  uint64_t most = most_of (cutter);
  if (s->to.item < s->n_items && most > CAB_SECTION_FEW)
    cutter->most = most / 2;
  else if (s->to.item == s->n_items && s->n_misses < CAB_SECTION_MISSES / 8
	   && most < CAB_SECTION_ACCESSES)
    cutter->most = most * 2;
}

/* Return a section with room for two items, and their words. */
static inline struct cab_section *
room (struct cab_section_cutter *cutter)
{
  const struct cab_section *s = cutter->section;
  if (__builtin_expect (s->n_items + 2 > CAB_SECTION_ITEMS
			  || s->n_words + CAB_ACCESS_WORDS > CAB_SECTION_WORDS
			  || s->accesses >= most_of (cutter),
			0))
    cutter->full (cutter);
  return cutter->section;
}

static inline void
put (struct cab_section *s, uint64_t a, uint64_t b)
{
  s->item[s->n_items++] = (struct cab_section_item) { .a = a, .b = b };
}

/* Return the WORDS of R, copied if they would not stay. */
static inline const uint64_t *
keep (const struct cab_section_cutter *cutter, struct cab_section *s, const struct cab_region *r,
      const uint64_t *words)
{
  if (__builtin_expect (words < cutter->made || words >= cutter->made_end, 1))
    return words;
  uint64_t *copy = s->word + s->n_words;
  for (unsigned i = 0; i < r->words; i++)
    copy[i] = words[i];
  s->n_words += r->words;
  return copy;
}

/* Cut an event of so many passes that it becomes several items. */
static void
cut_parts (struct cab_section_cutter *cutter, const struct cab_region *r, const uint64_t *words,
	   uint64_t count)
{
  uint64_t passes = count >> 8, piece = CAB_SECTION_PIECE / r->shape.n;
  for (uint64_t first = 0; first < passes; first += piece)
    {
      struct cab_section *s = room (cutter);
      uint64_t n = passes - first < piece ? passes - first : piece;
      put (s, (uintptr_t) r | CAB_SECTION_PART, (uintptr_t) keep (cutter, s, r, words));
      put (s, first, n << 8 | (first + n == passes ? count & 255 : 0));
      s->accesses += n * r->shape.n;
    }
}

static void
cut_regions (struct cab_section_cutter *cutter, const struct cab_batch *batch)
{
  for (uint32_t i = 0, n = batch->n; i < n; i++)
    {
      const struct cab_region *r = batch->region[i].region;
      const uint64_t *words = batch->region[i].words;
      uint64_t count = cab_region_count (r, words);
      if (__builtin_expect (count >> 8 > 1 && r->shape.n <= CAB_SECTION_PIECE
			      && (count >> 8) * r->shape.n > CAB_SECTION_PIECE,
			    0))
	{
	  cut_parts (cutter, r, words, count);
	  continue;
	}
      struct cab_section *s = room (cutter);
      put (s, (uintptr_t) r | CAB_SECTION_EVENT, (uintptr_t) keep (cutter, s, r, words));
      s->accesses += (count >> 8) * r->shape.n;
    }
}

static void
cut_rows (struct cab_section_cutter *cutter, const struct cab_batch *batch)
{
  for (uint32_t i = 0; i < batch->n; i++)
    {
      struct cab_section *s = room (cutter);
      put (s, (uint64_t) batch->site[i] << 32 | (uint64_t) batch->form[i] << 8 | CAB_SECTION_ROW,
	   batch->address[i]);
      put (s, batch->bytes[i], 0);
      s->accesses++;
    }
}

struct cab_region_event *
cab_section_place (struct cab_section_cutter *cutter, uint32_t *n, uint64_t *accesses)
{
  if (cutter->section->n_items + LEAST > CAB_SECTION_ITEMS)
    cutter->full (cutter);
  struct cab_section *s = room (cutter);
  *n = CAB_SECTION_ITEMS - s->n_items;
  *accesses = most_of (cutter) - s->accesses;
  return &s->item[s->n_items].event;
}

/* Return true if the events of BATCH are where its items belong. */
static inline bool
is_placed (const struct cab_section *s, const struct cab_batch *batch)
{
  return batch->region == &s->item[s->n_items].event;
}

void
cab_section_cut (struct cab_section_cutter *cutter, const struct cab_batch *batch)
{
  struct cab_section *s = cutter->section;
  if (batch->kind != CAB_EV_ACCESS)
    return;
  if (batch->region && is_placed (s, batch))
    {
      s->n_items += batch->n;
      s->accesses += batch->accesses;
    }
  else if (batch->region)
    cut_regions (cutter, batch);
  else
    cut_rows (cutter, batch);
}
