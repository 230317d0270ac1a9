/* section_states.c - see section_states.h.  SPDX-License-Identifier: GPL-3.0-or-later */
#include "testsuite/unit/section_states.h"
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/live/cache/cache_state.h"
#include "analyses/live/cache/live_lines.h"
#include "analyses/live/cache/an_cache.h"

struct cab_regions *
table_of (const char *text, const char *end)
{
  size_t length = end - text + 1;
  struct cab_regions *table = xmalloc (cab_regions_bytes (text, length));
  if (cab_regions_parse (table, text, length, 1) < 0)
    abort ();
  return table;
}

bool
same (const struct cab_arena *a, const struct cab_arena *b)
{
  struct cab_cache_row x, y;
  uint64_t i = 0, k = 0;
  bool more, good = true;
  while ((more = cab_cache_next (a, &i, &x)) == cab_cache_next (b, &k, &y) && more && good)
    good = x.number == y.number && x.rows == y.rows
	&& !memcmp (x.accesses, y.accesses, sizeof x.accesses)
	&& !memcmp (x.missed, y.missed, sizeof x.missed);
  return good && !more && cab_cache.applied (a) == cab_cache.applied (b)
      && cab_cache.lost (a) == cab_cache.lost (b);
}

/* Return the tag of the way of SET that was used last but POS. */
static uint64_t
tag_at (const struct cab_live_level *l, uint64_t set, unsigned pos)
{
  return l->tags[set * l->cache.assoc + (cab_live_order (&l->sets[set], l->fresh) >> 4 * pos & 15)];
}

bool
same_caches (struct cab_arena *a, struct cab_arena *b)
{
  struct cab_simulating x, y;
  uint64_t n_others = 0;
  cab_simulate_begin (&x, a, CAB_CACHE_CACHES);
  cab_simulate_begin (&y, b, CAB_CACHE_CACHES);
  for (unsigned i = 0; x.state && y.state && i < x.live.n_levels; i++)
    {
      const struct cab_live_level *k = &x.live.level[i], *l = &y.live.level[i];
      for (uint64_t set = 0; set < k->cache.n_sets; set++)
	for (unsigned pos = 0; pos < k->cache.assoc; pos++)
	  n_others += tag_at (k, set, pos) != tag_at (l, set, pos);
    }
  return !x.state == !y.state && !n_others;
}
