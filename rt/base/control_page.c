/* control_page.c - see control_page.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/base/control_page.h"

void
cab_control_wait_for_copy (struct cab_ring_header *h)
{
  struct cab_part_control *c = cab_control_page ();
  uint64_t end = 0;
  __atomic_store_n (&h->analysing, 1, __ATOMIC_SEQ_CST);
  for (uint32_t holder; (holder = __atomic_load_n (&c->hold, __ATOMIC_SEQ_CST));)
    {
      end = end ? end : cab_monotonic_ns () + CAB_CONTROL_HOLD_NS;
      __atomic_store_n (&h->analysing, 0, __ATOMIC_SEQ_CST);
      cab_futex_wait (&c->hold, holder, 1000000);
      if (cab_monotonic_ns () > end)
	__atomic_compare_exchange_n (&c->hold, &holder, 0, false, __ATOMIC_RELAXED,
				     __ATOMIC_RELAXED);
      __atomic_store_n (&h->analysing, 1, __ATOMIC_SEQ_CST);
    }
}
