/* urcu.h - wfcqueue of liburcu, a linked queue without a bound.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Nodes come from a pool that is used in turn, as long as the rings of the others, so nothing is
 * allocated for an event. The queue is first in, first out: the consumer says by a counter how many
 * nodes it has done with, and the producer reads it when the nodes that it knows of are used up. */
#define _LGPL_SOURCE   /* inline functions instead of calls */
#include <urcu/wfcqueue.h>

#define QUEUE_READ 1

struct node
{
  struct cds_wfcq_node link;
  struct event event;
};

static struct cds_wfcq_head head __attribute__ ((aligned (64)));
static struct cds_wfcq_tail tail __attribute__ ((aligned (64)));
static struct node *nodes;
static uint64_t n_nodes, n_put, known_free;
static uint64_t n_done __attribute__ ((aligned (64)));   /* written by the consumer */
static uint64_t not_the_consumers __attribute__ ((aligned (64), unused));

static bool
queue_begin (uint64_t n)
{
  nodes = (struct node *) calloc (n, sizeof *nodes);
  n_nodes = known_free = n;
  cds_wfcq_init (&head, &tail);
  return nodes;
}

/* Read how many nodes are free. Return whether there is one. */
static inline bool
read_free (void)
{
  known_free = __atomic_load_n (&n_done, __ATOMIC_ACQUIRE) + n_nodes;
  return known_free != n_put;
}

static inline void
queue_put (const struct event *event)
{
  if (known_free == n_put && !read_free ())
    QUEUE_WAIT (read_free ());
  struct node *node = &nodes[n_put++ & (n_nodes - 1)];
  node->event = *event;
  cds_wfcq_node_init (&node->link);
  cds_wfcq_enqueue (&head, &tail, &node->link);
}

static uint64_t
queue_take (uint64_t *sum)
{
  struct cds_wfcq_head some;
  struct cds_wfcq_tail last;
  struct cds_wfcq_node *node, *next;
  uint64_t n = 0;
  cds_wfcq_init (&some, &last);
  if (__cds_wfcq_splice_blocking (&some, &last, &head, &tail) == CDS_WFCQ_RET_SRC_EMPTY)
    return 0;
  __cds_wfcq_for_each_blocking_safe (&some, &last, node, next)
    {
      *sum += queue_sum (&((struct node *) node)->event, 1);
      n++;
      if (n % TAKEN == 0)
	__atomic_store_n (&n_done, n_done + TAKEN, __ATOMIC_RELEASE);
    }
  __atomic_store_n (&n_done, n_done + n % TAKEN, __ATOMIC_RELEASE);
  return n;
}
