/* consumer.c - see consumer.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/consumer.h"

#include <string.h>
#include <sys/stat.h>

#include "rt/helper.h"
#include "rt/ring.h"
#include "rt/rt.h"
#include "rt/worker.h"

#define SLEEP_NS 1000000000u
#define CAB_SLEEP_NS 500000u   /* CAB's producer cannot wake */
#define PEEK_NS 4000000u       /* without a chunk: then what is in the one that is being written may be as much work as many; twice as long each time that it is not, */
#define PEEK_MOST_LOG2 8u      /* ... up to about a second */

enum { ABSENT, STARTING, PRESENT };

static struct consumer
{
  uint32_t state;
  uint32_t futex;
  uint32_t sleeping;
} consumers[CAB_MAX_CONSUMERS];

#define WATCH_NS 20000000u   /* between looks for the program's last thread */
static uint32_t watching;

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
	  *timeout_ns = r->design->type == CAB_RING_CAB ? CAB_SLEEP_NS : cab_feed_peeks () && *timeout_ns > PEEK_NS ? PEEK_NS : *timeout_ns;
      }
  return worked;
}

/* Nothing has come for a while: look into chunks that are being written. */
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

/* How long to look before going to sleep: to wake it takes the producer longer than to fill a chunk.  As long as that finds something, some 0.1 ms; where
   it does not, as where the program's threads take all processors, ever shorter, and long only now and then.  On one processor nothing comes while it looks. */
#define MOST_LOOKS 4000u
#define LEAST_LOOKS 64u
#define AGAIN 16u

struct patience
{
  bool alone;   /* on the one processor that there is for it */
  uint32_t looks, sleeps;
  uint32_t peeks;   /* in vain, in a row */
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

/* Are the analysis threads all that is left, but for the first thread, which stays in the kernel's count until the process ends?  The
   kernel gives a process' task directory two links and one for each thread. */
static bool
left_alone (void)
{
  struct stat task;
  uint32_t n = 1 + cab_helper_threads ();
  for (uint32_t i = 0; i < CAB_MAX_CONSUMERS; i++)
    n += __atomic_load_n (&consumers[i].state, __ATOMIC_ACQUIRE) == PRESENT;
  return stat ("/proc/self/task", &task) == 0 && task.st_nlink <= n + 2;
}

bool
cab_consumer_is_over (uint64_t *timeout_ns)
{
  if (!__atomic_load_n (&watching, __ATOMIC_ACQUIRE))
    return false;
  *timeout_ns = *timeout_ns < WATCH_NS ? *timeout_ns : WATCH_NS;
  return left_alone ();
}

/* A thread that finds nothing to do ends where nobody is left who could give it any; with the last one libc ends the process. */
static void *
consume (void *arg)
{
  struct consumer *c = arg;
  uint32_t k = c - consumers;
  uint64_t timeout_ns;
  struct patience patience = { .alone = cab_sys_processors () == 1, .looks = MOST_LOOKS, .sleeps = 1 };
  for (;;)
    {
      if (serve (k, &timeout_ns) || ready_soon (k, &patience))
	continue;
      uint32_t seen = __atomic_load_n (&c->futex, __ATOMIC_ACQUIRE);
      timeout_ns = timeout_ns == PEEK_NS ? timeout_ns << patience.peeks : timeout_ns;
      if (cab_consumer_is_over (&timeout_ns))
	return NULL;
      /* Pairs with the read-modify-write in cab_consumer_wake: whichever comes second sees what stood before the first, so either we see
	 its head, or it sees that we sleep. */
      __atomic_exchange_n (&c->sleeping, 1, __ATOMIC_ACQ_REL);
      if (!any_ready (k))
	cab_futex_wait (&c->futex, seen, timeout_ns);
      __atomic_store_n (&c->sleeping, 0, __ATOMIC_RELAXED);
      bool waited = cab_feed_peeks () && !any_ready (k);
      patience.peeks = waited && !peek (k) ? patience.peeks + (patience.peeks < PEEK_MOST_LOG2) : 0;
    }
}

void
cab_consumer_watch (void)
{
  __atomic_store_n (&watching, 1, __ATOMIC_RELEASE);
  for (uint32_t i = 0; i < CAB_MAX_CONSUMERS; i++)
    {
      __atomic_fetch_add (&consumers[i].futex, 1, __ATOMIC_RELEASE);
      cab_futex_wake (&consumers[i].futex, 1);
    }
  cab_helper_wake ();
}

void
cab_consumer_wake (uint32_t ring)
{
  struct consumer *c = &consumers[number_for (ring)];
  /* Pairs with consume.  A plain load might pass the store of the head. */
  if (!__atomic_fetch_add (&c->sleeping, 0, __ATOMIC_ACQ_REL))
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
  if (cab_rt.options.placement != CAB_PLACE_THREAD
      || !__atomic_compare_exchange_n (&c->state, &expected, STARTING, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
    return;
  /* After a failure it stays at STARTING: nobody tries again, and producers drain for themselves. */
  if (cab_worker_start (consume, c) == 0)
    __atomic_store_n (&c->state, PRESENT, __ATOMIC_RELEASE);
}

void
cab_consumer_fork (void)
{
  memset (consumers, 0, sizeof consumers);
  watching = 0;
  cab_helper_fork ();
}
