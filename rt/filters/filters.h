/* filters.h - the filters of system calls (seccomp) that threads of the program have, if they were
 * announced.
 *
 * Model:      a filter is known from before the program installs it (sandbox.h): the runtime then
 *             asks the filter, not the kernel, whether it may make a system call.  A call that is
 *             not allowed returns -EPERM and is never made. ctx->confined has a bit for each filter
 *             that the thread obeys, and two more.  A thread that has not been examined yet may
 *             have filters of the thread that made it: it obeys those of every thread that may make
 *             threads.
 * Blind:      a thread whose filters forbid what a gate needs.  Its signals stay unblocked in
 *             gates, where no lock is taken and the kernel is not asked for anything: its counters
 *             continue, its ring is filled, and what needs more is dropped.
 * Registers:  this file uses general registers only, as trampoline.S calls it before it saves the
 *             others.
 * Threads:    cab_filters_add under the runtime's lock; the others in any thread.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_FILTERS_H
#define CAB_RT_FILTERS_H

#include <stdbool.h>
#include <stdint.h>
#include "cabprof/abi.h"

struct sock_filter;

#define CAB_CONFINED_LOOKED (1u << 31)
#define CAB_CONFINED_BLIND (1u << 30)
#define CAB_CONFINED_FILTERS (CAB_CONFINED_BLIND - 1)
#define CAB_FILTERS_MOST 30u

/* The number of filters that have been announced; 0: no thread is confined. */
extern uint32_t cab_filters __attribute__ ((visibility ("hidden")));

/* Record a new filter of N instructions at CODE, which stay where they are, and return its bit;
   null CODE: one that allows nothing.  When there are CAB_FILTERS_MOST, the last one stands for all
   later ones, and allows nothing. */
uint64_t cab_filters_add (const struct sock_filter *code, uint32_t n);

/* Let the filters of BITS allow everything, since they were not installed. */
void cab_filters_drop (uint64_t bits);

/* Let threads that are examined from now on for the first time obey the filters of BITS. */
void cab_filters_inherit (uint64_t bits);

/* Let CTX's thread obey the filters of BITS from now on, besides those that it obeyed before. */
void cab_filters_obey (struct cab_ctx *ctx, uint64_t bits);

/* Return true if the calling thread has filters that are known. */
bool cab_filters_known (void) __attribute__ ((visibility ("hidden")));

/* Return true if CTX's thread, the calling one, is blind. */
bool cab_filters_blind (struct cab_ctx *ctx) __attribute__ ((visibility ("hidden")));

static inline bool
cab_is_blind (struct cab_ctx *ctx)
{
  return __builtin_expect (__atomic_load_n (&cab_filters, __ATOMIC_RELAXED) != 0, 0)
      && cab_filters_blind (ctx);
}

#endif
