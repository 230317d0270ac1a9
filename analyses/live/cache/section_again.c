/* section_again.c - see section_again.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "analyses/live/cache/section_again.h"

#define ROUND_MOST 16u   /* items */
#define LINE (UINT64_C (1) << CAB_LIVE_USUAL_LOG2)

static inline uint64_t
word (const uint64_t *words, unsigned i)
{
  return i == CAB_NO_WORD ? 0 : words[i];
}

/* Return true if the bytes at A and B are in the same line, and so are those LAST bytes after
   them. */
static inline bool
is_same_line (uint64_t a, uint64_t b, uint64_t last)
{
  return (a ^ b) < LINE && ((a + last) ^ (b + last)) < LINE;
}

/* Return true if events of R with the words A and B use the same lines in each of their accesses,
   and have equally many. */
static bool
same_lines (const struct cab_region *r, const uint64_t *a, const uint64_t *b)
{
  uint64_t count = cab_region_count (r, a);
  if (count != cab_region_count (r, b) || count & 255)
    return false;
  for (uint32_t k = 0; k < r->shape.n; k++)
    {
      const struct cab_region_access *access = r->access + k;
      uint64_t step = r->count == CAB_NO_WORD ? 0 : word (a, access->step_word) + access->step,
	       from = word (a, access->word) + access->offset,
	       to = word (b, access->word) + access->offset;
      if (r->count != CAB_NO_WORD && word (a, access->step_word) != word (b, access->step_word))
	return false;
      if (from != to && (step % LINE || !is_same_line (from, to, r->shape.bytes[k] - 1)))
	return false;
    }
  return true;
}

void
cab_section_again_begin (struct cab_section_again *again)
{
  memset (again, 0, sizeof *again);
}

/* Return true if item I of S is an event of passes that are counted as such, and of no other
   accesses. */
static inline bool
is_event (const struct cab_section *s, uint32_t i)
{
  return !(s->item[i].a & CAB_SECTION_KIND) && s->item[i].event.region->shape.id;
}

static inline bool
is_same (const struct cab_section *s, uint32_t i, uint32_t before)
{
  const struct cab_region_event *a = &s->item[before].event, *b = &s->item[i].event;
  return is_event (s, before) && is_event (s, i) && a->region == b->region
      && same_lines (a->region, a->words, b->words);
}

uint32_t
cab_section_again (const struct cab_section_again *again, const struct cab_section *s, uint32_t at,
		   const struct cab_section_miss *miss)
{
  const struct cab_section_begun *last = NULL;
  if (!is_event (s, at))
    return 0;
  for (unsigned i = 0; i < CAB_SECTION_BEGUN; i++)
    {
      const struct cab_section_begun *b = &again->begun[i];
      if (b->region == s->item[at].event.region && (!last || b->item > last->item))
	last = b;
    }
  uint32_t n = last ? at - last->item : 0;
  if (!n || n > ROUND_MOST || last->miss != miss || n > s->n_items - at)
    return 0;
  for (uint32_t i = 0; i < n; i++)
    if (!is_same (s, at + i, at + i - n))
      return 0;
  return n;
}

void
cab_section_again_note (struct cab_section_again *again, const struct cab_section *s, uint32_t at,
			const struct cab_section_miss *miss)
{
  if (is_event (s, at))
    again->begun[again->n++ % CAB_SECTION_BEGUN] = (struct cab_section_begun) {
      s->item[at].event.region, miss, at
    };
}
