/* helper.c - see helper.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/helper.h"

#include <string.h>

#include "rt/consumer.h"
#include "rt/sys.h"
#include "rt/worker.h"

#define SLEEP_NS 1000000000u
#define LOOKS 4000u
/* Until the helper, which may have slept, has what is offered. */
#define MOST_LOOKS 40000u
#define LEAST_LOOKS 64u

enum { IDLE, OFFERED, TAKEN };

static struct helper
{
  uint32_t lock;                      /* of who gives work */
  uint32_t made, present;
  uint32_t state;                     /* a futex of who waits for its end */
  uint32_t waiting;                   /* he sleeps, or is about to */
  uint32_t futex, sleeping;           /* of the helper */
  uint32_t looks;                     /* how long to wait until it has work; 0: not yet said */
  void (*work) (void *argument);
  void *argument;
} helper;

/* Do what is offered; false: nothing is. */
static bool
work (void)
{
  uint32_t state = OFFERED;
  if (!__atomic_compare_exchange_n (&helper.state, &state, TAKEN, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
    return false;
  helper.work (helper.argument);
  /* Pairs with cab_helper_end: whichever comes second sees what stood before the first. */
  __atomic_exchange_n (&helper.state, IDLE, __ATOMIC_ACQ_REL);
  if (__atomic_fetch_add (&helper.waiting, 0, __ATOMIC_ACQ_REL))
    cab_futex_wake (&helper.state, 1);
  return true;
}

/* Does the state become other than STATE in so many LOOKS? */
static bool
changes (uint32_t state, uint32_t looks)
{
  for (uint32_t i = 0; i < looks; i++)
    {
      if (__atomic_load_n (&helper.state, __ATOMIC_ACQUIRE) != state)
	return true;
      cab_pause ();
    }
  return false;
}

static void *
help (void *argument)
{
  (void) argument;
  for (;;)
    {
      if (work () || changes (IDLE, LOOKS))
	continue;
      uint64_t timeout_ns = SLEEP_NS;
      uint32_t seen = __atomic_load_n (&helper.futex, __ATOMIC_ACQUIRE);
      if (cab_consumer_is_over (&timeout_ns))
	return NULL;
      /* Pairs with cab_helper_begin: either we see its offer, or it sees that we sleep. */
      __atomic_exchange_n (&helper.sleeping, 1, __ATOMIC_ACQ_REL);
      if (__atomic_load_n (&helper.state, __ATOMIC_ACQUIRE) != OFFERED)
	cab_futex_wait (&helper.futex, seen, timeout_ns);
      __atomic_store_n (&helper.sleeping, 0, __ATOMIC_RELAXED);
    }
}

void
cab_helper_wake (void)
{
  __atomic_fetch_add (&helper.futex, 1, __ATOMIC_RELEASE);
  cab_futex_wake (&helper.futex, 1);
}

bool
cab_helper_begin (void (*work) (void *argument), void *argument)
{
  if (!cab_helper_threads () || !cab_trylock (&helper.lock))
    return false;
  uint32_t looks = helper.looks ? helper.looks : MOST_LOOKS, state = OFFERED;
  helper.work = work;
  helper.argument = argument;
  __atomic_exchange_n (&helper.state, OFFERED, __ATOMIC_ACQ_REL);
  if (__atomic_fetch_add (&helper.sleeping, 0, __ATOMIC_ACQ_REL))
    cab_helper_wake ();
  if (changes (OFFERED, looks) || !__atomic_compare_exchange_n (&helper.state, &state, IDLE, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
    {
      helper.looks = MOST_LOOKS;
      return true;
    }
  helper.looks = looks / 2 > LEAST_LOOKS ? looks / 2 : LEAST_LOOKS;
  cab_unlock (&helper.lock);
  return false;
}

void
cab_helper_end (void)
{
  if (!changes (TAKEN, LOOKS))
    {
      __atomic_exchange_n (&helper.waiting, 1, __ATOMIC_ACQ_REL);
      while (__atomic_load_n (&helper.state, __ATOMIC_ACQUIRE) == TAKEN)
	cab_futex_wait (&helper.state, TAKEN, SLEEP_NS);
      __atomic_store_n (&helper.waiting, 0, __ATOMIC_RELAXED);
    }
  cab_unlock (&helper.lock);
}

void
cab_helper_ensure (void)
{
  uint32_t made = 0;
  if (__atomic_compare_exchange_n (&helper.made, &made, 1, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED) && cab_worker_start (help, NULL) == 0)
    __atomic_store_n (&helper.present, 1, __ATOMIC_RELEASE);
}

uint32_t
cab_helper_threads (void)
{
  return __atomic_load_n (&helper.present, __ATOMIC_ACQUIRE);
}

void
cab_helper_fork (void)
{
  memset (&helper, 0, sizeof helper);
}
