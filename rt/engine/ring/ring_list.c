/* ring_list.c - all rings of the process: see ring_list.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/engine/ring/ring_list.h"

#include <sys/mman.h>

#include "rt/base/pool.h"
#include "rt/engine/feed/feed_keyed.h"
#include "rt/engine/feed/feed_serial.h"
#include "rt/engine/feed/feed_sets.h"
#include "rt/engine/ring/thread.h"

#define MANY_PENDING 8u
#define WHOLE_RINGS 64u        /* fully backed; threads of later rings mostly send little */
#define FIRST_BYTES (136u << 10)

static struct cab_ring *first;
static uint32_t n_rings;
static uint32_t n_free, n_pending;   /* counts of such rings; at 0 no list is searched */

struct cab_ring *
cab_ring_first (void)
{
  return __atomic_load_n (&first, __ATOMIC_ACQUIRE);
}

/* Make rings small where the process has few addresses, unless a size was asked for. */
static void
fit_ring (void)
{
  struct cab_rt_options *o = &cab_rt.options;
  uint64_t most = cab_rt_reserve_bytes (o->ring_bytes, 512);
  if (o->ring_most_bytes > o->ring_bytes)
    {
      uint64_t grown = cab_rt_reserve_bytes (o->ring_most_bytes, 512) / o->chunk_bytes
		       * o->chunk_bytes;
      o->ring_most_bytes = grown > o->ring_bytes ? grown : o->ring_bytes;
    }
  if (o->ring_bytes == CAB_RING_USUAL_BYTES && most < o->ring_bytes)
    {
      o->chunk_bytes = most / CAB_RING_MIN_CHUNKS / CAB_PAGE_BYTES * CAB_PAGE_BYTES;
      o->chunk_bytes = o->chunk_bytes > CAB_PAGE_BYTES ? o->chunk_bytes : CAB_PAGE_BYTES;
      if (o->bursts)
	o->chunk_bytes = o->chunk_bytes > o->burst_bytes
			 ? o->chunk_bytes / o->burst_bytes * o->burst_bytes
			 : o->burst_bytes;
      o->ring_bytes = o->ring_most_bytes = CAB_RING_MIN_CHUNKS * o->chunk_bytes;
    }
}

/* Map a new ring; under the lock. */
static struct cab_ring *
make_ring (const struct cab_ring_design *design)
{
  struct cab_ring *r = cab_pool_alloc (sizeof *r);
  const struct cab_rt_options *o = &cab_rt.options;
  fit_ring ();
  uint32_t chunk_slots = o->chunk_bytes / 8, n_chunks = o->ring_bytes / o->chunk_bytes;
  bool grows = design->type == CAB_RING_CHUNK && !design->is_fixed;
  if (design->by_event)
    {
      n_chunks *= chunk_slots;
      chunk_slots = 1;
    }
  uint32_t most_chunks = grows ? o->ring_most_bytes / o->chunk_bytes : n_chunks;
  size_t bytes = CAB_RING_HEADER_BYTES + design->slots (most_chunks, chunk_slots) * 8,
	 usual = CAB_RING_HEADER_BYTES + design->slots (n_chunks, chunk_slots) * 8;
  if (!r)
    return NULL;
  bool is_whole = n_rings < WHOLE_RINGS || !design->prepare || usual < FIRST_BYTES;
  size_t backed = cab_round_up (is_whole ? usual : FIRST_BYTES, CAB_PAGE_BYTES);
  int error = cab_area_open_sparse (&r->area, &cab_rt.part, CAB_EXT_RING, n_rings, bytes, bytes,
				    backed);
  if (error < 0)
    {
      cab_rt_no_room (error);
      return NULL;
    }
  r->design = design;
  r->backed = backed < bytes ? backed : r->area.bytes;
  r->number = n_rings++;
  r->header = (struct cab_ring_header *) r->area.base;
  r->slots = (uint64_t *) (r->area.base + CAB_RING_HEADER_BYTES);
  r->header->type = design->type;
  r->header->slots_address = (uintptr_t) r->slots;
  r->n_chunks = r->header->n_chunks = n_chunks;
  r->most_chunks = most_chunks;
  r->chunk_slots = r->header->chunk_slots = chunk_slots;
  r->state = CAB_RING_TAKEN;
  r->next = first;
  __atomic_store_n (&first, r, __ATOMIC_RELEASE);
  __atomic_store_n (&cab_rt.part.header->n_rings, n_rings, __ATOMIC_RELEASE);
  return r;
}

static struct cab_ring *
find_free (const struct cab_ring_design *design)
{
  struct cab_ring *from = __atomic_load_n (&n_free, __ATOMIC_RELAXED) ? first : NULL;
  for (struct cab_ring *r = from; r; r = r->next)
    if (r->design == design && __atomic_load_n (&r->state, __ATOMIC_ACQUIRE) == CAB_RING_FREE)
      {
	__atomic_fetch_sub (&n_free, 1, __ATOMIC_RELAXED);
	__atomic_store_n (&r->state, CAB_RING_TAKEN, __ATOMIC_RELAXED);
	return r;
      }
  return NULL;
}

struct cab_ring *
cab_ring_list_take (const struct cab_ring_design *design)
{
  struct cab_ring *r = find_free (design);
  r = r ? r : make_ring (design);
  if (r)
    r->is_new = true;
  return r;
}

void
cab_ring_list_free (struct cab_ring *r)
{
  __atomic_fetch_add (&n_free, 1, __ATOMIC_RELAXED);
  __atomic_store_n (&r->state, CAB_RING_FREE, __ATOMIC_RELEASE);
}

void
cab_ring_list_leave (struct cab_ring *r)
{
  __atomic_fetch_add (&n_pending, 1, __ATOMIC_RELAXED);
  __atomic_store_n (&r->state, CAB_RING_PENDING, __ATOMIC_RELEASE);
}

void
cab_ring_list_drained (struct cab_ring *r)
{
  __atomic_fetch_sub (&n_pending, 1, __ATOMIC_RELAXED);
  cab_ring_list_free (r);
}

void
cab_ring_list_help (void)
{
  uint32_t n = 0;
  bool are_many = __atomic_load_n (&n_pending, __ATOMIC_RELAXED) > MANY_PENDING;
  for (struct cab_ring *r = are_many ? cab_ring_first () : NULL; r; r = r->next)
    if (__atomic_load_n (&r->state, __ATOMIC_ACQUIRE) == CAB_RING_PENDING && ++n > MANY_PENDING)
      {
	cab_ring_drain (r);
	return;
      }
}

/* No deadlock: no other thread waits for one of them while it holds another. */
struct cab_ring *
cab_ring_lock_all (void)
{
  struct cab_ring *newest = cab_ring_first ();
  for (struct cab_ring *r = newest; r; r = r->next)
    cab_lock (&r->lock);
  cab_direct_stop ();
  return newest;
}

void
cab_ring_unlock_all (struct cab_ring *newest)
{
  for (struct cab_ring *r = newest; r; r = r->next)
    cab_unlock (&r->lock);
}

bool
cab_ring_finish (void)
{
  bool complete = true;
  for (struct cab_ring *r = cab_ring_first (); r; r = r->next)
    {
      cab_ring_drain (r);
      complete &= __atomic_load_n (&r->state, __ATOMIC_ACQUIRE) == CAB_RING_FREE;
    }
  return complete;
}

/* Retire R.  Return false if a thread has taken it meanwhile. */
static bool
retire (struct cab_ring *r)
{
  cab_lock (&r->lock);
  cab_lock (&cab_rt.lock);
  bool gone = r->state == CAB_RING_FREE;
  if (gone)
    {
      /* It stays in the list; tail and head are zero from now on, so it seems empty. */
      __atomic_store_n (&r->ended_at, 0, __ATOMIC_RELEASE);
      __atomic_fetch_sub (&n_free, 1, __ATOMIC_RELAXED);
      __atomic_store_n (&r->state, CAB_RING_RETIRED, __ATOMIC_RELEASE);
      cab_part_release (&cab_rt.part, CAB_EXT_RING, r->number);
    }
  cab_unlock (&cab_rt.lock);
  cab_unlock (&r->lock);
  return gone;
}

bool
cab_ring_retire (void)
{
  bool all = true;
  for (struct cab_ring *r = cab_ring_first (); r; r = r->next)
    all &= retire (r);
  return all;
}

static void
forget_ring (struct cab_rt_thread *t)
{
  t->ring = NULL;
  t->resting = false;
  t->no_ring = false;
  t->n_stash = 0;   /* the parent has these events, too, and puts them */
  t->set = 0;
  t->overtaken = NULL;
  t->ctx->sample = cab_rt.options.sample;
  t->ctx->cursor = NULL;
}

void
cab_ring_fork (struct cab_rt_thread *self, bool all)
{
  for (struct cab_ring *r = first; r; r = r->next)
    {
      /* Interrupted enqueues, and those of other threads of the copy, still write to slots. */
      if (all || (self && r == self->ring))
	mmap (r->area.base, r->area.reserve, PROT_READ | PROT_WRITE,
	      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
      else
	cab_area_close (&r->area);
      cab_feed_sets_close (&r->feed);
    }
  first = NULL;
  n_rings = n_free = n_pending = 0;
  cab_feed_keyed_fork ();
  cab_feed_serial_fork ();
  cab_area_fork ();
  for (struct cab_rt_thread *t = cab_rt.live; t; t = t->next)
    if (all || t == self)
      forget_ring (t);
}
