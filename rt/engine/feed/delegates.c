/* delegates.c - see delegates.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/engine/feed/delegates.h"

#include <string.h>

#include "analyses/live/user_analysis.h"
#include "rt/base/hide.h"
#include "rt/base/rt.h"
#include "rt/workers/place.h"
#include "rt/engine/feed/feed_arenas.h"
#include "rt/workers/last.h"
#include "rt/workers/worker.h"

#define SLOTS 4u
#define LOOKS 4000u
#define SLEEP_NS 1000000000u
#define WAIT_NS 50000u    /* of the draining thread between looks, after LOOKS of them */

/* Rows for state S. */
struct slot
{
  struct cab_feed_state *s;
  struct cab_keyed_rows rows;
};

struct queue
{
  /* of the draining thread */
  uint32_t head __attribute__ ((aligned (64)));   /* slots ever put */
  bool is_open;                                   /* slot HEAD is being filled */
  uint64_t n_rows;                                /* rows ever put */
  /* of the thread that serves it */
  uint32_t tail __attribute__ ((aligned (64)));   /* slots ever fed */
  uint32_t busy;                                  /* a thread serves it */
  uint64_t n_fed;                                 /* rows ever fed */
  struct slot slot[SLOTS];
};

struct cab_delegates
{
  struct cab_delegates *next;
  const struct cab_functions *functions;
  struct cab_keyed_split split;
  struct queue queue[];
};

static struct cab_delegates *first;   /* the queues of all feeds */
static struct cab_area table;         /* struct cab_part_delegate[] */
static struct cab_part_delegate *rows;   /* the same, once it is open; delegates read it */

static struct delegate
{
  uint32_t futex, sleeping;
} delegates[CAB_MAX_DELEGATES];
static uint32_t made;

size_t
cab_delegates_bytes (void)
{
  return sizeof (struct cab_delegates) + cab_rt.options.n_delegates * sizeof (struct queue);
}

/* Open the table of what delegates have done.  Without room there is none. */
static void
open_table (void)
{
  size_t bytes = CAB_MAX_DELEGATES * sizeof (struct cab_part_delegate);
  cab_lock (&cab_rt.lock);
  if (!rows && cab_area_reach (&table, &cab_rt.part, CAB_EXT_DELEGATES, bytes, bytes) == 0)
    {
      struct cab_part_delegate *first_row = (struct cab_part_delegate *) table.base;
      for (uint32_t k = 0; k < cab_rt.options.n_delegates; k++)
	first_row[k].exists = 1;
      __atomic_store_n (&rows, first_row, __ATOMIC_RELEASE);
    }
  cab_unlock (&cab_rt.lock);
}

/* Return the row of delegate K, or null. */
static struct cab_part_delegate *
row_of (uint32_t k)
{
  struct cab_part_delegate *first_row = __atomic_load_n (&rows, __ATOMIC_ACQUIRE);
  return first_row ? first_row + k : NULL;
}

void
cab_delegates_begin (struct cab_delegates *d, const struct cab_functions *functions)
{
  open_table ();
  d->functions = functions;
  d->next = __atomic_load_n (&first, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n (&first, &d->next, d, false, __ATOMIC_ACQ_REL,
				       __ATOMIC_RELAXED))
    ;
}

struct cab_keyed_split *
cab_delegates_split (struct cab_delegates *d)
{
  return &d->split;
}

/* Feed the rows of SLOT. */
static void
feed (const struct cab_delegates *d, struct slot *slot)
{
  struct cab_feed_state *s = slot->s;
  struct cab_hidden hidden;
  bool is_own = cab_user_is (s->analysis);
  if (is_own)
    cab_hide (&hidden);
  s->analysis->feed (&s->arena, &slot->rows.batch, d->functions);
  if (s->arena.used != cab_feed_row (s)->used_bytes)
    cab_feed_publish (s);
  if (is_own)
    cab_hide_end (&hidden);
}

/* Feed all that is in queue K of D.  Return how many rows that were; 0 also if another thread
   serves it. */
static uint64_t
serve (struct cab_delegates *d, uint32_t k)
{
  struct queue *q = &d->queue[k];
  uint64_t n = 0;
  if (__atomic_load_n (&q->tail, __ATOMIC_RELAXED) == __atomic_load_n (&q->head, __ATOMIC_ACQUIRE)
      || __atomic_exchange_n (&q->busy, 1, __ATOMIC_ACQUIRE))
    return 0;
  while (q->tail != __atomic_load_n (&q->head, __ATOMIC_ACQUIRE))
    {
      struct slot *slot = &q->slot[q->tail % SLOTS];
      feed (d, slot);
      n += slot->rows.batch.n;
      __atomic_store_n (&q->n_fed, q->n_fed + slot->rows.batch.n, __ATOMIC_RELAXED);
      __atomic_store_n (&q->tail, q->tail + 1, __ATOMIC_RELEASE);
    }
  __atomic_store_n (&q->busy, 0, __ATOMIC_RELEASE);
  return n;
}

/* Serve queue K of D in the draining thread, or let some time pass; I counts these calls in a
   row. */
static void
help (struct cab_delegates *d, uint32_t k, uint32_t i)
{
  struct cab_part_delegate *row = row_of (k);
  uint64_t n = serve (d, k);
  if (n && row)
    cab_ledger_add (&row->helped, n);
  else if (!n && i < LOOKS)
    cab_pause_or_yield (i);
  else if (!n)
    cab_futex_wait (&d->queue[k].busy, 1, WAIT_NS);
}

static void
wake (struct delegate *one)
{
  __atomic_fetch_add (&one->futex, 1, __ATOMIC_ACQ_REL);
  cab_futex_wake (&one->futex, 1);
}

/* Put the slot of queue K that is being filled, if there is one. */
static void
put (struct cab_delegates *d, uint32_t k)
{
  struct queue *q = &d->queue[k];
  struct slot *slot = &q->slot[q->head % SLOTS];
  struct cab_part_delegate *row = row_of (k);
  if (!q->is_open)
    return;
  q->is_open = false;
  q->n_rows += slot->rows.batch.n;
  slot->s->fed += cab_batch_events (&slot->rows.batch);
  uint64_t waiting = q->n_rows - __atomic_load_n (&q->n_fed, __ATOMIC_RELAXED);
  if (row)
    cab_ledger_add (&row->rows, slot->rows.batch.n);
  if (row && waiting > __atomic_load_n (&row->longest, __ATOMIC_RELAXED))
    __atomic_store_n (&row->longest, waiting, __ATOMIC_RELAXED);
  /* Pairs with rest: either the delegate sees the slot, or we see that it sleeps. */
  __atomic_store_n (&q->head, q->head + 1, __ATOMIC_RELEASE);
  if (__atomic_fetch_add (&delegates[k].sleeping, 0, __ATOMIC_ACQ_REL))
    wake (&delegates[k]);
}

struct cab_keyed_rows *
cab_delegates_room (struct cab_delegates *d, uint32_t part, struct cab_feed_state *s,
		    const struct cab_batch *batch, uint32_t n)
{
  struct queue *q = &d->queue[part];
  struct slot *slot = &q->slot[q->head % SLOTS];
  if (q->is_open && slot->s == s && cab_keyed_fits (&slot->rows, batch, n))
    return &slot->rows;
  put (d, part);
  for (uint32_t i = 0; q->head - __atomic_load_n (&q->tail, __ATOMIC_ACQUIRE) == SLOTS; i++)
    help (d, part, i);
  slot = &q->slot[q->head % SLOTS];
  slot->s = s;
  cab_keyed_begin (&slot->rows, batch);
  q->is_open = true;
  return &slot->rows;
}

void
cab_delegates_flush (struct cab_delegates *d)
{
  uint32_t n = cab_rt.options.n_delegates;
  for (uint32_t k = 0; k < n; k++)
    put (d, k);
  for (uint32_t k = 0; k < n; k++)
    for (uint32_t i = 0;
	 d->queue[k].head != __atomic_load_n (&d->queue[k].tail, __ATOMIC_ACQUIRE); i++)
      help (d, k, i);
}

/* Serve queue K of all feeds.  Return false if there was nothing to do. */
static bool
serve_all (uint32_t k)
{
  bool worked = false;
  for (struct cab_delegates *d = __atomic_load_n (&first, __ATOMIC_ACQUIRE); d; d = d->next)
    worked |= serve (d, k) != 0;
  return worked;
}

static bool
is_any (uint32_t k)
{
  for (struct cab_delegates *d = __atomic_load_n (&first, __ATOMIC_ACQUIRE); d; d = d->next)
    if (__atomic_load_n (&d->queue[k].head, __ATOMIC_ACQUIRE)
	!= __atomic_load_n (&d->queue[k].tail, __ATOMIC_RELAXED))
      return true;
  return false;
}

/* Serve queue K of all feeds while there is something in them, and for some time after it. */
static void
serve_for_a_while (uint32_t k)
{
  struct cab_part_delegate *row = row_of (k);
  for (uint32_t i = 0; i < LOOKS; i++)
    {
      uint64_t since = row && is_any (k) ? cab_monotonic_ns () : 0;
      if (!serve_all (k))
	cab_pause_or_yield (i);
      else
	{
	  i = 0;
	  if (since)
	    cab_ledger_add (&row->busy_ns, cab_monotonic_ns () - since);
	}
    }
}

static void *
delegate (void *argument)
{
  struct delegate *one = argument;
  uint32_t k = one - delegates;
  for (;;)
    {
      uint64_t timeout_ns = SLEEP_NS;
      serve_for_a_while (k);
      uint32_t seen = __atomic_load_n (&one->futex, __ATOMIC_ACQUIRE);
      if (cab_last_is_gone (&timeout_ns))
	return NULL;
      /* Pairs with put. */
      __atomic_exchange_n (&one->sleeping, 1, __ATOMIC_ACQ_REL);
      if (!is_any (k))
	cab_futex_wait (&one->futex, seen, timeout_ns);
      __atomic_store_n (&one->sleeping, 0, __ATOMIC_RELAXED);
    }
}

void
cab_delegates_ensure (void)
{
  uint32_t none = 0, n = cab_rt.options.n_delegates;
  if (n == 1 || !cab_place_has_thread ()
      || !__atomic_compare_exchange_n (&made, &none, 1, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
    return;
  for (uint32_t k = 0; k < n; k++)
    if (cab_worker_start (delegate, &delegates[k]) < 0)
      return;
}

void
cab_delegates_wake (void)
{
  for (uint32_t k = 0; k < cab_rt.options.n_delegates; k++)
    wake (&delegates[k]);
}

void
cab_delegates_fork (void)
{
  first = NULL;
  made = 0;
  memset (delegates, 0, sizeof delegates);
  if (table.base)
    cab_area_close (&table);
  memset (&table, 0, sizeof table);
  rows = NULL;
}
