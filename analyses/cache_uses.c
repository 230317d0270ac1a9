/* cache_uses.c - the front half: see cache_uses.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "cache_uses.h"
#include "live_lines.h"

bool
cab_cache_uses_begin (struct cab_cache_uses *uses, struct cab_arena *arena, struct cab_use_sink *sink)
{
  struct cab_simulating caches;
  if (!cab_cache_state (arena) || !cab_simulate_make (arena, CAB_CACHE_CACHES))
    return false;
  cab_simulate_begin (&caches, arena, CAB_CACHE_CACHES);
  if (!caches.live.usual || !caches.live.straight || caches.live.recent_mask >= CAB_USES_SETS)
    return false;
  uses->sink = sink;
  uses->usual = caches.live.usual;
  uses->walk = cab_walk_of (&caches.live);
  uses->quick = cab_walk_quick (caches.quick, uses->usual);
  uses->quick.recent = uses->recent;
  memcpy (uses->recent, caches.live.recent, (caches.live.recent_mask + 1) * sizeof *uses->recent);
  return true;
}

/* Room for entries that stand together. */
static inline struct cab_use *
room (struct cab_cache_uses *uses)
{
  if (__builtin_expect (uses->sink->end - uses->sink->at < CAB_USE_MOST, 0))
    uses->sink->full (uses->sink);
  return uses->sink->at;
}

/* The line at ADDRESS is what was used last in its set. */
static inline void
know (struct cab_cache_uses *uses, uint64_t address)
{
  uses->recent[address >> CAB_LIVE_USUAL_LOG2 & uses->quick.recent_mask] = address & -(UINT64_C (1) << CAB_LIVE_USUAL_LOG2);
}

/* Nothing is known of the set of LINE. */
static inline void
forget (struct cab_cache_uses *uses, uint64_t line)
{
  uint64_t i = line & uses->quick.recent_mask;
  uses->recent[i] = cab_live_unknown (i, CAB_LIVE_USUAL_LOG2);
}

static inline __attribute__ ((always_inline)) void
tell_use (void *host, const struct cab_region *r, uint64_t address, uint64_t last, uint64_t counted)
{
  struct cab_cache_uses *uses = host;
  struct cab_use *to = room (uses);
  (void) r;
  *to = (struct cab_use) { address, counted };
  uses->sink->at = to + 1;
  know (uses, address);
  if (__builtin_expect ((address ^ (address + last)) > uses->quick.line_mask, 0))
    know (uses, cab_simulate_last (address, last + 1));
}

static inline void
tell_event (struct cab_cache_uses *uses, const struct cab_region *r, uint64_t count)
{
  struct cab_use *to = room (uses);
  *to = (struct cab_use) { (uintptr_t) r, CAB_USE_EVENT | count };
  uses->sink->at = to + 1;
}

/* Of more lines than there are sets the last ones are those that were used last.  A row that the back half has no counters for yet may be lost: then it uses none. */
static void
know_lines (struct cab_cache_uses *uses, uint32_t number, uint64_t address, uint64_t bytes)
{
  bool counted = number < __atomic_load_n (&uses->n_tallies, __ATOMIC_ACQUIRE);
  uint64_t last = cab_simulate_last (address, bytes < CAB_CACHE_RANGE_MOST ? bytes : CAB_CACHE_RANGE_MOST);
  uint64_t to = last >> CAB_LIVE_USUAL_LOG2, line = address >> CAB_LIVE_USUAL_LOG2, most = uses->quick.recent_mask + 1;
  for (line = to - line < most ? line : to - most + 1; line <= to; line++)
    if (counted)
      know (uses, line << CAB_LIVE_USUAL_LOG2);
    else
      forget (uses, line);
}

static void
tell_row (struct cab_cache_uses *uses, uint32_t number, unsigned form, uint64_t address, uint64_t bytes)
{
  struct cab_use *to = room (uses);
  to[0] = (struct cab_use) { address, CAB_USE_ROW | (uint64_t) form << 32 | number };
  to[1] = (struct cab_use) { bytes, 0 };
  uses->sink->at = to + 2;
  if (form & (CAB_ROW_READ | CAB_ROW_WRITE) && bytes)
    know_lines (uses, number, address, bytes);
}

/* It is not known what it uses. */
static void
tell_whole (struct cab_cache_uses *uses, const struct cab_region *r, const uint64_t *words)
{
  struct cab_use *to = room (uses);
  *to = (struct cab_use) { (uintptr_t) r, CAB_USE_WHOLE | r->words };
  memcpy (to + 1, words, r->words * sizeof *words);
  uses->sink->at = to + 1 + (r->words + 1) / 2;
  for (uint64_t i = 0; i <= uses->quick.recent_mask; i++)
    forget (uses, i);
}

static void
tell_passes (struct cab_cache_uses *uses, const struct cab_region *r, const uint64_t *words, uint64_t passes, unsigned part)
{
  struct cab_passes e;
  const struct cab_live_quick quick = cab_walk_quick (uses->quick, uses->usual);
  const struct cab_walk w = uses->walk;
  tell_event (uses, r, passes * CAB_CACHE_PASS);
  cab_passes_begin (&e, r, words);
  cab_walk_passes (uses, tell_use, &w, &quick, r, &e, 0, passes);
  for (uint32_t k = 0; part && k < r->shape.n; k++)
    if (r->access[k].part < part)
      tell_row (uses, r->shape.site[k], r->access[k].form, e.access[k].address, r->access[k].bytes);
}

static void
tell_region (struct cab_cache_uses *uses, const struct cab_region *r, const uint64_t *words)
{
  uint32_t id = r->shape.id;
  unsigned how = id && id < CAB_USES_SHAPES ? __atomic_load_n (&uses->agreed[id], __ATOMIC_ACQUIRE) : CAB_CACHE_UNKNOWN;
  uint64_t count = cab_region_count (r, words);
  if (how < CAB_CACHE_BY_PASS || count >> 8 > CAB_USES_PASSES)
    tell_whole (uses, r, words);
  else
    tell_passes (uses, r, words, count >> 8, count & 255);
}

static void
tell_regions (struct cab_cache_uses *uses, const struct cab_batch *batch)
{
  const struct cab_live_quick quick = cab_walk_quick (uses->quick, uses->usual);
  for (uint32_t i = 0, n = batch->n; i < n; i++)
    {
      const struct cab_region *r = batch->region[i];
      const uint64_t *words = batch->words[i];
      uint32_t id = r->shape.id;
      if (__builtin_expect (!id || id >= CAB_USES_SHAPES || __atomic_load_n (&uses->agreed[id], __ATOMIC_ACQUIRE) != CAB_CACHE_BY_SPAN, 0))
	{
	  tell_region (uses, r, words);
	  continue;
	}
      tell_event (uses, r, CAB_CACHE_PASS);
      if (!cab_walk_is_recent (&quick, r, words))
	cab_walk_once (uses, tell_use, &quick, r, words, 0);
    }
}

void
cab_cache_uses_feed (struct cab_cache_uses *uses, const struct cab_batch *batch)
{
  if (batch->kind != CAB_EV_ACCESS)
    return;
  if (batch->region)
    tell_regions (uses, batch);
  else
    for (uint32_t i = 0; i < batch->n; i++)
      tell_row (uses, batch->site[i], batch->form[i], batch->address[i], batch->bytes[i]);
}
