/* consumer.c - see consumer.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/engine/ring/consumer.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rt/filters/filters.h"
#include "rt/workers/helper.h"
#include "rt/engine/feed/delegates.h"
#include "rt/engine/ring/budget.h"
#include "rt/engine/ring/ring.h"
#include "rt/engine/ring/ring_list.h"
#include "rt/base/rt.h"
#include "rt/workers/last.h"
#include "rt/workers/place.h"
#include "rt/workers/worker.h"

#define SLEEP_NS 1000000000u
#define CAB_SLEEP_NS 500000u   /* CAB's producer cannot wake a consumer */
#define PEEK_NS 4000000u       /* without a chunk, after which the chunk that is being written may
				  hold as much work as many chunks; doubled each time that it does
				  not */
#define PEEK_MOST_LOG2 8u      /* doublings, up to about a second */
#define NAPS 7u                /* in a row, each twice as long as the one before: some 16 ms in
				  all */
#define NAP_NS (PEEK_NS / 31 + 1)  /* PEEK_NS after the fifth nap */

enum { ABSENT, STARTING, PRESENT };
enum { AWAKE, NAPPING, ASLEEP };

static struct consumer
{
  uint32_t state;
  uint32_t futex;
  uint32_t sleeping;   /* NAPPING: it wakes soon by itself, or earlier if a ring fills up */
} consumers[CAB_MAX_CONSUMERS];

static uint32_t
number_for (uint32_t ring)
{
  return ring % cab_rt.options.n_threads;
}

static int
serve (uint32_t k, uint64_t *timeout_ns)
{
  int worked = 0;
  *timeout_ns = SLEEP_NS;
  for (struct cab_ring *r = cab_ring_first (); r; r = r->next)
    if (number_for (r->number) == k)
      {
	worked |= cab_ring_drain (r);
	if (__atomic_load_n (&r->state, __ATOMIC_RELAXED) == CAB_RING_TAKEN)
	  *timeout_ns = cab_ring_is_cab (r)			   ? CAB_SLEEP_NS
		      : cab_feed_peeks () && *timeout_ns > PEEK_NS ? PEEK_NS
		      : *timeout_ns;
      }
  return worked;
}

/* Look into chunks that are being written, since nothing has been published for a while. */
static int
peek (uint32_t k)
{
  int worked = 0;
  for (struct cab_ring *r = cab_ring_first (); r; r = r->next)
    if (number_for (r->number) == k)
      worked |= cab_ring_peek (r);
  return worked;
}

static bool
any_ready (uint32_t k)
{
  for (const struct cab_ring *r = cab_ring_first (); r; r = r->next)
    if (number_for (r->number) == k && cab_ring_has_work (r))
      return true;
  return false;
}

/* Bounds of polling before a sleep, since waking a consumer costs the producer more than filling a
   chunk.  While polling finds something it takes some 0.1 ms; where it does not, as where the
   program's threads take all processors, it gets ever shorter, with a long one now and then.  On a
   single processor nothing comes while it polls. */
#define MOST_LOOKS 4000u
#define LEAST_LOOKS 64u
#define AGAIN 16u

struct patience
{
  bool alone;   /* only one processor is available to it */
  uint32_t looks, sleeps;
  uint32_t naps;      /* since something came */
  uint64_t idle_ns;   /* slept since something came, or was seen in a chunk that is being written */
  uint32_t peeks;     /* peeks in a row that found nothing */
};

static bool
ready_soon (uint32_t k, struct patience *p)
{
  uint32_t looks = p->sleeps % AGAIN ? p->looks : MOST_LOOKS;
  if (p->alone)
    return false;
  for (uint32_t i = 0; i < looks; i++)
    {
      if (any_ready (k))
	{
	  p->looks = MOST_LOOKS;
	  return true;
	}
      cab_pause_or_yield (i);
    }
  p->looks = p->looks / 8 * 7 > LEAST_LOOKS ? p->looks / 8 * 7 : LEAST_LOOKS;
  p->sleeps++;
  return false;
}

/* Sleep until something comes, for TIMEOUT_NS at most; while it naps half of the rings' chunks may
   fill before it is woken.  Return false if no thread is left that could send anything. */
static bool
rest (struct consumer *c, struct patience *p, uint64_t timeout_ns)
{
  uint32_t k = c - consumers, how = p->naps < NAPS ? NAPPING : ASLEEP;
  uint32_t seen = __atomic_load_n (&c->futex, __ATOMIC_ACQUIRE);
  uint64_t nap_ns = (uint64_t) NAP_NS << p->naps;
  if (how == NAPPING && timeout_ns > nap_ns)
    timeout_ns = nap_ns;
  if (cab_last_is_gone (&timeout_ns))
    return false;
  /* Pairs with the read-modify-write in cab_consumer_wake: whichever comes second sees what stood
     before the first, so either we see its head, or it sees that we sleep. */
  __atomic_exchange_n (&c->sleeping, how, __ATOMIC_ACQ_REL);
  if (!any_ready (k))
    cab_futex_wait (&c->futex, seen, timeout_ns);
  __atomic_store_n (&c->sleeping, AWAKE, __ATOMIC_RELAXED);
  p->naps += how == NAPPING;
  p->idle_ns += timeout_ns;
  return true;
}

/* Run consumer ARG.  A thread that finds nothing to do ends once no thread is left that could give
   it work; with the last one libc ends the process. */
static void *
consume (void *arg)
{
  struct consumer *c = arg;
  uint32_t k = c - consumers;
  uint64_t timeout_ns;
  struct patience patience = { .alone = cab_place_is_alone (),
			       .looks = MOST_LOOKS,
			       .sleeps = 1 };
  for (;;)
    {
      if (serve (k, &timeout_ns))
	{
	  patience.naps = patience.peeks = 0;
	  patience.idle_ns = 0;
	}
      else if (ready_soon (k, &patience))
	continue;
      else if (!rest (c, &patience,
		      timeout_ns == PEEK_NS ? timeout_ns << patience.peeks : timeout_ns))
	{
	  cab_last_end ();
	  return NULL;
	}
      else if (cab_feed_peeks () && patience.idle_ns >= (uint64_t) PEEK_NS << patience.peeks
	       && !any_ready (k))
	{
	  patience.peeks = peek (k) ? 0 : patience.peeks + (patience.peeks < PEEK_MOST_LOG2);
	  patience.idle_ns = 0;
	  patience.naps = patience.peeks ? patience.naps : 0;
	}
    }
}

static void
wake_all (void)
{
  for (uint32_t i = 0; i < CAB_MAX_CONSUMERS; i++)
    {
      __atomic_fetch_add (&consumers[i].futex, 1, __ATOMIC_RELEASE);
      cab_futex_wake (&consumers[i].futex, 1);
    }
  cab_helper_wake ();
  cab_delegates_wake ();
}

void
cab_consumer_watch (void)
{
  cab_last_watch ();
  wake_all ();
}

void
cab_consumer_stop (void)
{
  cab_last_stop ();
  for (uint32_t i = 0; i < CAB_MAX_CONSUMERS; i++)
    __atomic_store_n (&consumers[i].state, STARTING, __ATOMIC_RELEASE);
  cab_helper_stop ();
  wake_all ();
  cab_worker_wait ();
}

void
cab_consumer_wake (uint32_t ring, bool soon)
{
  struct consumer *c = &consumers[number_for (ring)];
  /* Pairs with rest.  A plain load might pass the store of the head. */
  uint32_t sleeping = __atomic_fetch_add (&c->sleeping, 0, __ATOMIC_ACQ_REL);
  if (sleeping == AWAKE || (sleeping == NAPPING && soon))
    return;
  __atomic_fetch_add (&c->futex, 1, __ATOMIC_RELEASE);
  cab_futex_wake (&c->futex, 1);
}

bool
cab_consumer_serves (uint32_t ring)
{
  return __atomic_load_n (&consumers[number_for (ring)].state, __ATOMIC_ACQUIRE) == PRESENT;
}

void
cab_consumer_ensure (uint32_t ring)
{
  struct consumer *c = &consumers[number_for (ring)];
  uint32_t expected = ABSENT;
  if (!cab_place_has_thread ()
      || (cab_rt.options.bursts && !cab_rt.options.rate)
      || !__atomic_compare_exchange_n (&c->state, &expected, STARTING, 0, __ATOMIC_ACQ_REL,
				       __ATOMIC_RELAXED))
    return;
  /* After a failure the state stays STARTING: nobody tries again, and producers drain for
     themselves. */
  if (cab_worker_start (consume, c) == 0)
    __atomic_store_n (&c->state, PRESENT, __ATOMIC_RELEASE);
}

void
cab_consumer_fork (void)
{
  memset (consumers, 0, sizeof consumers);
  cab_last_fork ();
  cab_budget_fork ();
  cab_place_fork ();
  cab_worker_fork ();
  cab_helper_fork ();
  cab_delegates_fork ();
}
