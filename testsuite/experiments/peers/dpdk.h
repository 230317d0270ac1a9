/* dpdk.h - rte_ring of DPDK, one producer and one consumer.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The ring lies in memory of malloc and is made by rte_ring_init, which needs neither the
 * environment layer (EAL) nor huge pages nor any rights. */
#include <rte_ring.h>
#include <rte_ring_elem.h>

#define QUEUE_READ 1

static struct rte_ring *ring;

static bool
queue_begin (uint64_t n)
{
  ssize_t bytes = rte_ring_get_memsize_elem (sizeof (struct event), n);
  ring = bytes < 0 ? NULL : (struct rte_ring *) aligned_alloc (RTE_CACHE_LINE_SIZE, bytes);
  return ring && !rte_ring_init (ring, "events", n, RING_F_SP_ENQ | RING_F_SC_DEQ);
}

static inline void
queue_put (const struct event *event)
{
  if (!rte_ring_sp_enqueue_elem (ring, (void *) event, sizeof *event))
    return;
  QUEUE_WAIT (!rte_ring_sp_enqueue_elem (ring, (void *) event, sizeof *event));
}

static uint64_t
queue_take (uint64_t *sum)
{
  struct event events[TAKEN];
  unsigned n = rte_ring_sc_dequeue_burst_elem (ring, events, sizeof *events, TAKEN, NULL);
  *sum += queue_sum (events, n);
  return n;
}
