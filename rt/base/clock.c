/* clock.c - see clock.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/base/clock.h"
#include <cpuid.h>
#include "rt/common/sys.h"
#include "rt/libc/libc_system.h"

#define TRIES 4   /* an interrupt between the two readings makes a pair less exact */

bool cab_clock_by_call;
static uint32_t busy;   /* a thread is in cab_clock_note */

/* Take a pair whose two clocks were read as close together as in any of a few tries. */
static struct cab_clock_pair
take (void)
{
  struct cab_clock_pair best = { 0 };
  if (cab_clock_by_call)
    best.clock = best.ns = cab_monotonic_ns ();
  uint64_t least = UINT64_MAX;
  for (int i = 0; i < TRIES && !cab_clock_by_call; i++)
    {
      uint64_t before = __builtin_ia32_rdtsc (), ns = cab_monotonic_ns (),
	       took = __builtin_ia32_rdtsc () - before;
      if (took < least)
	{
	  least = took;
	  best = (struct cab_clock_pair) { before + took / 2, ns };
	}
    }
  return best;
}

/* Store PAIR to AT, whose time is 0 meanwhile. */
static void
put (struct cab_clock_pair *at, struct cab_clock_pair pair)
{
  __atomic_store_n (&at->ns, 0, __ATOMIC_RELAXED);
  __atomic_store_n (&at->clock, pair.clock, __ATOMIC_RELEASE);
  __atomic_store_n (&at->ns, pair.ns, __ATOMIC_RELEASE);
}

/* Return true if the processor says that the counter runs at one rate whatever the processor's own
   is (CPUID 80000007h, EDX bit 8). */
static bool
is_steady (void)
{
  uint32_t a, b, c, d;
  return __get_cpuid (0x80000007, &a, &b, &c, &d) && d & 1u << 8;
}

void
cab_clock_choose (enum cab_clock_choice choice)
{
  cab_clock_by_call = choice == CAB_CLOCK_CALL || (choice == CAB_CLOCK_STEADY && !is_steady ());
}

void
cab_clock_begin (struct cab_ledger *ledger)
{
  for (int i = 1; i < CAB_CLOCK_PAIRS; i++)
    ledger->clocks[i] = (struct cab_clock_pair) { 0 };
  __atomic_store_n (&busy, 0, __ATOMIC_RELAXED);   /* as in a forked child whose parent was at it */
  ledger->clock_varies = cab_clock_by_call ? CAB_CLOCK_IS_CALL
			 : is_steady ()	   ? 0
					   : CAB_CLOCK_VARIES;
  put (&ledger->clocks[0], take ());
}

void
cab_clock_note (struct cab_ledger *ledger)
{
  struct cab_clock_pair *pairs = ledger->clocks;
  /* Where the strict mode of seccomp holds, reading the counter is a fault. */
  if (cab_libc_is_confined ())
    return;
  if (__atomic_exchange_n (&busy, 1, __ATOMIC_ACQUIRE))
    return;
  put (&pairs[pairs[1].ns > pairs[2].ns ? 2 : 1], take ());
  __atomic_store_n (&busy, 0, __ATOMIC_RELEASE);
}
