/* thread.h - the threads of the program: attached at their first slow path, released when they end.
 *
 * Model:      the destructor of a pthread key reports the end of a thread; it postpones itself to a
 *             late round, so that the destructors of the program are counted as well.  Counters of
 *             an ended thread keep their values and go to the next thread: they are sums.
 * Threads:    see the table.
 *   calls                                     | thread               | runtime's lock
 *   ------------------------------------------+----------------------+----------------
 *   start                                     | the first one        | not needed
 *   attach                                    | the thread itself    | held
 *   watch                                     | the thread itself    | not held
 *   grow_counts, make_sinks, spare_addresses  | any                  | held
 *   sink_offset                               | any                  | not needed
 *   fork                                      | the forked child's   | held
 * Errors:     a thread that cannot be attached runs unprofiled, at full speed: its counters are
 *             memory that nobody reads, and it has no ring; the ledger counts it.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_THREAD_H
#define CAB_RT_THREAD_H

#include <stdbool.h>
#include "rt/base/rt.h"

/* One counter area. */
struct cab_counts
{
  struct cab_counts *next;
  struct cab_area area;
  bool taken;
  bool has_sink;
};

struct cab_rt_thread
{
  struct cab_rt_thread *next;
  struct cab_ctx *ctx;
  struct cab_counts *counts;
  struct cab_ring *ring;
  uint32_t index;          /* in the part's THREADS */
  uint32_t set;            /* number of the set of regions that it is in (region_sets.h) */
  uint32_t n_rounds;       /* rounds of the key's destructor so far */
  bool watched;            /* its end will be reported, or cannot be */
  bool no_ring;            /* there was no room for one; it is not tried again */
  uint64_t *stash;         /* events of signal handlers that interrupted an enqueue */
  uint32_t n_stash;        /* words in it; the thread's own, signals blocked */
  bool resting;            /* paused: its cursor is `paused' (rest.h) */
  bool named;              /* named by the program (cabprof.h): the kernel's name for it is
			      ignored */
  uint64_t *sink;          /* where its events go while it rests */
  uint64_t announced;      /* bits of the filters that it is about to install (sandbox.c) */
  int announced_how;       /* how that call reports success */
  struct cab_seizen *overtaken;   /* enqueues that its ring was taken away from, newest first */
  struct cab_rt_thread *next_late;   /* next of those that were attached again after their end was
					reported */
  long tid;                          /* kernel id of such a thread, and its runtime stack */
  uint64_t stack;
};

/* Bytes at the end of each counter area that serve functions without counters of their own: what is
   counted there is lost. */
#define CAB_SINK_BYTES (cab_round_up ((CAB_MAX_COUNTERS + 2) * 8, CAB_PAGE_BYTES))

/* Prepare for threads; once, before the first of them.  Return 0 or -errno. */
int cab_thread_start (void);

/* Return this thread, attaching it if need be; one without counters and ring if that failed.  Null
   only where not even that can be had, at the start.  Under the lock. */
struct cab_rt_thread *cab_thread_attach (struct cab_ctx *ctx);

/* Have T's end reported, if that has not been arranged yet.  T may be null.  Not under the lock:
   the C library may allocate. */
void cab_thread_watch (struct cab_rt_thread *t);

/* Grow every thread's counters to at least BYTES.  Return 0 or -errno.  Under the lock. */
int cab_thread_grow_counts (uint64_t bytes);

/* Return the sink's offset in each counter area. */
uint64_t cab_thread_sink_offset (void);

/* Give back the addresses that counters reserve beyond BYTES, or beyond twice of what they use if
   that is more: functions for which these have no room are refused from then on.  Does nothing if
   functions have been refused, as those use the end of the reservations.  Under the lock. */
void cab_thread_spare_addresses (uint64_t bytes);

/* Give all counter areas their sinks, now and in the future, since a function is refused.  Return
   false if one has none.  Under the lock. */
bool cab_thread_make_sinks (void);

/* In a forked child that has its new part, keep SELF alone (it may be null), or all threads if ALL,
   as any of them may run on here; their counters get memory of the new part.  Return 0 or
   -errno. */
int cab_thread_fork (struct cab_rt_thread *self, bool all);

#endif
