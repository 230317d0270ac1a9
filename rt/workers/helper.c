/* helper.c - see helper.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/workers/helper.h"

#include <string.h>

#include "rt/common/sys.h"
#include "rt/workers/last.h"
#include "rt/workers/worker.h"

#define SLEEP_NS 1000000000u
#define LOOKS 4000u

enum { IDLE, OFFERING, OFFERED, TAKEN };

static struct helper
{
  uint32_t made, present;
  uint32_t state;
  uint32_t futex, sleeping;
  void (*work) (void *argument);
  void *argument;                     /* changes only while an offer is being made */
} helper;

/* Do what is offered.  Return false if nothing is. */
static bool
work (void)
{
  uint32_t state = OFFERED;
  if (!__atomic_compare_exchange_n (&helper.state, &state, TAKEN, false, __ATOMIC_ACQ_REL,
				    __ATOMIC_RELAXED))
    return false;
  helper.work (__atomic_load_n (&helper.argument, __ATOMIC_RELAXED));
  __atomic_store_n (&helper.state, IDLE, __ATOMIC_RELEASE);
  return true;
}

/* Return true if something is offered within some time of polling. */
static bool
is_offered (void)
{
  for (uint32_t i = 0; i < LOOKS; i++)
    {
      if (__atomic_load_n (&helper.state, __ATOMIC_ACQUIRE) == OFFERED)
	return true;
      cab_pause_or_yield (i);
    }
  return false;
}

static void *
help (void *argument)
{
  (void) argument;
  for (;;)
    {
      if (work () || is_offered ())
	continue;
      uint64_t timeout_ns = SLEEP_NS;
      uint32_t seen = __atomic_load_n (&helper.futex, __ATOMIC_ACQUIRE);
      if (cab_last_is_gone (&timeout_ns))
	return NULL;
      /* Pairs with cab_helper_offer: either we see its offer, or it sees that we sleep. */
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
cab_helper_offer (void (*work) (void *argument), void *argument)
{
  uint32_t state = __atomic_load_n (&helper.state, __ATOMIC_ACQUIRE);
  if (!cab_helper_threads ())
    return false;
  if (state != IDLE
      || !__atomic_compare_exchange_n (&helper.state, &state, OFFERING, false, __ATOMIC_ACQ_REL,
				       __ATOMIC_RELAXED))
    return __atomic_load_n (&helper.argument, __ATOMIC_RELAXED) == argument;
  helper.work = work;
  __atomic_store_n (&helper.argument, argument, __ATOMIC_RELAXED);
  __atomic_exchange_n (&helper.state, OFFERED, __ATOMIC_ACQ_REL);
  if (__atomic_fetch_add (&helper.sleeping, 0, __ATOMIC_ACQ_REL))
    cab_helper_wake ();
  return true;
}

void
cab_helper_ensure (void)
{
  uint32_t made = 0;
  if (__atomic_compare_exchange_n (&helper.made, &made, 1, false, __ATOMIC_ACQ_REL,
				   __ATOMIC_RELAXED)
      && cab_worker_start (help, NULL) == 0)
    __atomic_store_n (&helper.present, 1, __ATOMIC_RELEASE);
}

void
cab_helper_stop (void)
{
  __atomic_store_n (&helper.made, 1, __ATOMIC_RELAXED);
  __atomic_store_n (&helper.present, 0, __ATOMIC_RELEASE);
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
