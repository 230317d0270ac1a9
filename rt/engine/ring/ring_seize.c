/* ring_seize.c - see ring_seize.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/engine/ring/ring_seize.h"

#include <sys/mman.h>

#include "rt/engine/ring/thread.h"

/* Stands at the old address of a ring; the rest there is what an enqueue may write: a cursor and
   slots. */
struct cab_seizen
{
  struct cab_seizen *next;
  struct cab_cursor *cursor;   /* zero until the enqueue resumes */
};
_Static_assert (sizeof (struct cab_seizen) <= offsetof (struct cab_ring_header, cursor),
	       "no enqueue writes there");

/* Most moved rings of a process, since each takes addresses for good: further rings stay. */
#define MOST 512u
static uint32_t n_taken;

static void
lose_one (void)
{
  cab_ledger_add (&cab_ledger ()->dropped[CAB_DROP_NO_MEMORY], 1);
}

/* Switch R to the addresses at THERE, where its memory is mapped, too.  A reader of the file
   meanwhile finds no valid cursor. */
static void
use (struct cab_ring *r, unsigned char *there)
{
  struct cab_ring_header *h = (struct cab_ring_header *) there;
  uint64_t next = h->cursor.next;
  int64_t by = there - r->area.base;
  __atomic_store_n (&h->cursor.next, CAB_CURSOR_BUSY, __ATOMIC_RELEASE);
  __atomic_store_n (&h->slots_address, h->slots_address + by, __ATOMIC_RELEASE);
  __atomic_store_n (&h->cursor.next, ((next & ~CAB_CURSOR_BUSY) + by) | CAB_CURSOR_BUSY,
		    __ATOMIC_RELEASE);
  r->area.base = there;
  r->slots = (uint64_t *) (there + CAB_RING_HEADER_BYTES);
  r->chunk = (uint64_t *) ((uintptr_t) r->chunk + by);
  __atomic_store_n (&r->header, h, __ATOMIC_RELEASE);
}

/* Move T's ring away.  Return what is left at its old address, or null if it cannot move.  Nothing
   may fail once the ring has its new addresses: an enqueue would compare them with the old ones'
   limit.  Other threads may read `head' and `tail' at the old addresses: they find a ring without
   work. */
static struct cab_seizen *
move (struct cab_rt_thread *t)
{
  struct cab_ring *r = t->ring;
  unsigned char *here = r->area.base, *there;
  if (__atomic_add_fetch (&n_taken, 1, __ATOMIC_RELAXED) > MOST
      || (there = mremap (here, 0, r->area.bytes, MREMAP_MAYMOVE)) == MAP_FAILED)
    return NULL;
  if (mmap (here, r->area.bytes, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0)
      == MAP_FAILED)
    {
      munmap (there, r->area.bytes);
      return NULL;
    }
  use (r, there);
  t->ctx->cursor = &r->header->cursor;
  struct cab_seizen *left = (struct cab_seizen *) here;
  left->cursor = &((struct cab_ring_header *) here)->cursor;
  return left;
}

void
cab_ring_seize (struct cab_rt_thread *t)
{
  struct cab_ring *r = t->ring;
  if (!r || cab_ring_is_cab (r))
    return;
  cab_ring_count_seized (t);
  cab_lock (&r->lock);
  struct cab_seizen *left = move (t);
  cab_unlock (&r->lock);
  if (!left)
    {
      cab_ring_hide (t);
      lose_one ();
      return;
    }
  left->next = t->overtaken;
  __atomic_store_n (&t->overtaken, left, __ATOMIC_RELEASE);
}

void
cab_ring_count_seized (const struct cab_rt_thread *t)
{
  for (struct cab_seizen *left = __atomic_load_n (&t->overtaken, __ATOMIC_ACQUIRE); left;
       left = left->next)
    if (__atomic_exchange_n (&left->cursor->next, 0, __ATOMIC_RELAXED))
      lose_one ();
}
