/* thread.h - the threads of the program: attached at their first slow path, let go when they end.
 *
 * Model:      the end is told by a pthread key's destructor, which puts itself off to a late round,
 *             so that the destructors of the program are counted as well.  Counters of an ended
 *             thread stay as they are and go to the next thread: they are sums.
 * Threads:    attach and end in the thread itself, under the runtime's lock where so said.
 * Errors:     a thread that cannot be attached runs unprofiled, at full speed: it counts where
 *             nobody reads, and has no ring; the ledger counts it.
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

#define CAB_NO_NUMBER UINT32_MAX

struct cab_thread
{
  struct cab_thread *next;
  struct cab_ctx *ctx;
  struct cab_counts *counts;
  struct cab_ring *ring;
  uint32_t index;          /* in the part's THREADS */
  uint32_t set;            /* of regions that it is in (region_sets.h) */
  uint32_t n_rounds;       /* of the key's destructor */
  bool watched;            /* its end will be noticed, or cannot be */
  bool no_ring;            /* there was no room for one: not tried again */
  uint64_t *stash;         /* events of signal handlers that met an enqueue in its midst */
  uint32_t n_stash;        /* words; the thread's own, signals blocked */
  bool resting;            /* paused: its cursor is the one for that (rest.h) */
  bool named;              /* by itself (cabprof.h): the kernel's name for it does not count */
  uint64_t *sink;          /* where its events go meanwhile */
  uint64_t announced;      /* the filters that it is about to install (sandbox.c) */
  int announced_how;       /* ... and what the call returns then */
  struct cab_overtaken *overtaken;   /* enqueues that its ring was taken from, the last one first */
  struct cab_thread *next_late;      /* of those that came back after their end was seen */
  long tid;                          /* of such a one, and its stack of the runtime's */
  uint64_t stack;
};

/* Bytes at the end of each counter area that stand for functions without counters of their own:
   what is written there is lost. */
#define CAB_SINK_BYTES (cab_round_up ((CAB_MAX_COUNTERS + 2) * 8, CAB_PAGE_BYTES))

/* Once, before the first thread. */
int cab_thread_start (void);

/* This thread, attached if it was not; one without counters and ring if that failed.  Null only
   where not even that can be had, at the start.  Under the lock. */
struct cab_thread *cab_thread_attach (struct cab_ctx *ctx);

/* Have T's end noticed, if that was not asked for yet.  Null is nothing.  Not under the lock: the C
   library may allocate. */
void cab_thread_watch (struct cab_thread *t);

/* Every thread's counters, to at least BYTES: 0, or -errno.  Under the lock. */
int cab_thread_grow_counts (uint64_t bytes);

/* The sink's offset in each area. */
uint64_t cab_thread_sink_offset (void);

/* A function is refused: all areas get their sinks, from now on; false if one has none.  Under the
   lock. */
bool cab_thread_make_sinks (void);

/* In a forked child that has its new part: SELF alone is left, or null; or ALL, as any of them may
   go on here: their counters get memory of the new part. */
int cab_thread_fork (struct cab_thread *self, bool all);

#endif
