/* thread.c - see thread.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/engine/ring/thread.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "rt/base/fork_look.h"
#include "rt/base/hide.h"
#include "rt/engine/ring/consumer.h"
#include "rt/filters/filters.h"
#include "rt/base/gate_stack.h"
#include "rt/engine/ring/named.h"
#include "rt/base/pool.h"
#include "rt/engine/ring/ring.h"

#define FIRST_COUNTS_BYTES 65536
#define LEAST_RESERVE (CAB_SINK_BYTES + 12 * FIRST_COUNTS_BYTES)
#define FEW_COUNTS 16u   /* areas that take no more of the file than they use; later ones */
#define ROOM 4u          /* take this many times as much of it, without blocks on the medium */

static pthread_key_t key;

static struct cab_part_thread *
row_of (const struct cab_rt_thread *t)
{
  return (struct cab_part_thread *) cab_rt.threads.base + t->index;
}

uint64_t
cab_thread_sink_offset (void)
{
  return cab_rt.counts_reserve - CAB_SINK_BYTES;
}

/* True once all areas have their sinks: none needs one before a function is refused. */
static bool has_sinks;

static int
map_sink (struct cab_counts *counts)
{
  int error = counts->has_sink ? 0 : cab_area_map_end (&counts->area, CAB_SINK_BYTES);
  counts->has_sink |= error == 0;
  return error;
}

bool
cab_thread_make_sinks (void)
{
  struct cab_counts *counts = has_sinks ? NULL : cab_rt.counts;
  while (counts && map_sink (counts) == 0)
    counts = counts->next;
  has_sinks |= !counts;
  return has_sinks;
}

/* Open the area of COUNTS.  Where there are many areas each has room in the file for more than it
   uses, so that all of them grow without another mapping. */
static int
open_counts (struct cab_counts *counts)
{
  uint64_t used = cab_rt.part.header->counts_bytes;
  used = used ? used : FIRST_COUNTS_BYTES;
  uint64_t bytes = cab_rt.n_counts < FEW_COUNTS ? used : ROOM * used,
	   most = cab_thread_sink_offset ();
  int error = cab_area_open_sparse (&counts->area, &cab_rt.part, CAB_EXT_COUNTS, cab_rt.n_counts,
				    cab_rt.counts_reserve, bytes < most ? bytes : most, used);
  if (error == 0 && has_sinks && (error = map_sink (counts)) < 0)
    cab_area_close (&counts->area);
  return error;
}

static struct cab_counts *
new_counts (void)
{
  struct cab_counts *counts = cab_pool_alloc (sizeof *counts);
  if (!counts)
    return NULL;
  int error = open_counts (counts);
  if (error < 0)
    {
      cab_rt_no_room (error);
      return NULL;
    }
  if (cab_rt.part.header->counts_bytes == 0)
    cab_rt.part.header->counts_bytes = counts->area.backed;
  counts->next = cab_rt.counts;
  cab_rt.counts = counts;
  __atomic_store_n (&cab_rt.part.header->n_counts, ++cab_rt.n_counts, __ATOMIC_RELEASE);
  return counts;
}

/* Number of areas that no thread has: with thousands of threads, the list is only searched if there
   is one. */
static uint32_t n_free;

static struct cab_counts *
take_counts (void)
{
  struct cab_counts *counts = n_free ? cab_rt.counts : NULL;
  while (counts && counts->taken)
    counts = counts->next;
  if (counts)
    n_free--;
  else
    counts = new_counts ();
  if (counts)
    counts->taken = true;
  return counts;
}

static void
give_counts (struct cab_counts *counts)
{
  counts->taken = false;
  n_free++;
}

int
cab_thread_grow_counts (uint64_t bytes)
{
  uint64_t least = UINT64_MAX;
  if (bytes > cab_thread_sink_offset ())
    return cab_rt.counts_reserve < UINT64_C (8) * CAB_COUNTERS_MOST ? -ENOMEM : -EOVERFLOW;
  for (struct cab_counts *c = cab_rt.counts; c; c = c->next)
    {
      int error = cab_area_grow (&c->area, &cab_rt.part, bytes);
      if (error < 0)
	return error;
      least = c->area.backed < least ? c->area.backed : least;
    }
  if (cab_rt.counts)
    cab_rt.part.header->counts_bytes = least;
  return 0;
}

static int
add_row (struct cab_rt_thread *t)
{
  struct cab_part_header *h = cab_rt.part.header;
  int error = h->n_threads >= cab_rt.options.most[CAB_BOUND_THREADS]
	      ? -EOVERFLOW
	      : cab_area_grow (&cab_rt.threads, &cab_rt.part,
			       (h->n_threads + UINT64_C (1)) * sizeof (struct cab_part_thread));
  if (error < 0)
    {
      cab_rt_no_room (error);
      return error;
    }
  t->index = h->n_threads;
  struct cab_part_thread *row = row_of (t);
  memset (row, 0, sizeof *row);
  row->tid = syscall (SYS_gettid);
  row->start_realtime_ns = cab_realtime_ns ();
  row->counts = t->counts->area.owner;
  row->ring = CAB_NO_NUMBER;
  prctl (PR_GET_NAME, row->name);
  __atomic_store_n (&h->n_threads, t->index + 1, __ATOMIC_RELEASE);
  return 0;
}

static int64_t
count_base (const void *counters)
{
  return (int64_t) ((uintptr_t) counters ^ UINT64_C (1) << 63);
}

static struct cab_rt_thread *
take_memory (void)
{
  struct cab_rt_thread *t = cab_rt.spare;
  if (!t)
    return cab_pool_alloc (sizeof *t);
  cab_rt.spare = t->next;
  uint64_t *stash = t->stash, *sink = t->sink;
  memset (t, 0, sizeof *t);
  t->stash = stash;
  t->sink = sink;
  return t;
}

/* Stands for every thread that could not be attached. */
static struct cab_rt_thread unattached = { .no_ring = true };

/* Addresses for the counters of all these threads, reserved at the start, when there is room; what
   is counted there means nothing. */
static void *nowhere;

/* Return the least reservation of at least BYTES that serves every counter area. */
static uint64_t
least_reserve (uint64_t bytes)
{
  bytes = bytes > LEAST_RESERVE ? bytes : LEAST_RESERVE;
  uint64_t twice = 2 * cab_rt.counts_used + CAB_SINK_BYTES;
  bytes = bytes > twice ? bytes : twice;
  for (const struct cab_counts *c = cab_rt.counts; c; c = c->next)
    bytes = bytes > c->area.bytes + CAB_SINK_BYTES ? bytes : c->area.bytes + CAB_SINK_BYTES;
  return cab_round_up (bytes, CAB_PAGE_BYTES);
}

void
cab_thread_spare_addresses (uint64_t bytes)
{
  bytes = least_reserve (bytes);
  if (has_sinks || bytes >= cab_rt.counts_reserve)
    return;
  for (struct cab_counts *c = cab_rt.counts; c; c = c->next)
    {
      c->has_sink = false;
      cab_area_trim (&c->area, bytes);
    }
  if (nowhere)
    munmap ((char *) nowhere + bytes, cab_rt.counts_reserve - bytes);
  cab_rt.counts_reserve = bytes;
}

static struct cab_rt_thread *
fail (struct cab_rt_thread *t, struct cab_ctx *ctx)
{
  cab_ledger_add (&cab_ledger ()->n_attach_failures, 1);
  if (t && t->counts)
    give_counts (t->counts);
  if (t)
    {
      t->next = cab_rt.spare;
      cab_rt.spare = t;
    }
  if (!nowhere || !cab_rt_on ()
      || mprotect (nowhere, cab_rt.counts_reserve, PROT_READ | PROT_WRITE) < 0)
    return NULL;
  ctx->thread = &unattached;
  ctx->count_base = count_base (nowhere);
  return &unattached;
}

struct cab_rt_thread *
cab_thread_attach (struct cab_ctx *ctx)
{
  struct cab_rt_thread *t = ctx->thread;
  if (t)
    return t;
  t = take_memory ();
  if (!t || !(t->counts = take_counts ()) || add_row (t) < 0)
    return fail (t, ctx);
  t->ctx = ctx;
  t->next = cab_rt.live;
  cab_rt.live = t;
  ctx->thread = t;
  ctx->sample = cab_rt.options.sample;
  /* From here on the fast path works. */
  ctx->count_base = count_base (t->counts->area.base);
  return t;
}

static void
unlink_live (struct cab_rt_thread *t)
{
  struct cab_rt_thread **p = &cab_rt.live;
  while (*p != t)
    p = &(*p)->next;
  *p = t->next;
}

/* Give what T had to the next thread; T sends nothing any more.  What is left in its ring may be
   analysed here. */
static void
give_back (struct cab_rt_thread *t)
{
  struct cab_ctx *ctx = t->ctx;
  cab_ring_end (t);
  cab_lock (&cab_rt.lock);
  cab_named_end_thread (t);
  row_of (t)->end_realtime_ns = cab_realtime_ns ();
  if (!t->named && !t->tid)
    prctl (PR_GET_NAME, row_of (t)->name);
  *ctx = (struct cab_ctx) { .stack = ctx->stack, .ended = 1, .confined = ctx->confined };
  give_counts (t->counts);
  unlink_live (t);
  t->next = cab_rt.spare;
  cab_rt.spare = t;
  cab_unlock (&cab_rt.lock);
}

/* Threads that were attached again after their end was seen, as all threads are in a program whose
   own `free' has probes: nothing reports when they are gone for good.  Under the lock. */
static struct cab_rt_thread *late;

/* Remove a thread that the kernel no longer knows from the list and return it, or null.  If a new
   thread has got its number, it is found later. */
static struct cab_rt_thread *
take_gone (void)
{
  cpu_set_t set;
  struct cab_rt_thread **p = &late;
  while (*p && !(sched_getaffinity ((*p)->tid, sizeof set, &set) < 0 && errno == ESRCH))
    p = &(*p)->next_late;
  struct cab_rt_thread *t = *p;
  if (t)
    *p = t->next_late;
  return t;
}

/* Give back T, whose context vanished with its thread-local memory: another one replaces it. */
static void
give_back_gone (struct cab_rt_thread *t)
{
  struct cab_ctx gone = { .thread = t, .stack = t->stack };
  t->ctx = &gone;
  give_back (t);
  cab_gate_leave_stack (&gone);
}

static void
look_for_gone (void)
{
  struct cab_rt_thread *t;
  do
    {
      cab_lock (&cab_rt.lock);
      t = take_gone ();
      cab_unlock (&cab_rt.lock);
      if (t)
	give_back_gone (t);
    }
  while (t);
}

static void
add_late (struct cab_rt_thread *t)
{
  cab_lock (&cab_rt.lock);
  t->tid = syscall (SYS_gettid);
  t->stack = t->ctx->stack;
  t->next_late = late;
  late = t;
  cab_unlock (&cab_rt.lock);
}

/* If even the key's value cannot be kept, the thread's end stays unknown: its counters are right,
   and stay taken. */
void
cab_thread_watch (struct cab_rt_thread *t)
{
  struct cab_hidden hidden;
  if (!t || !t->counts || t->watched)
    return;
  t->watched = true;
  if (__atomic_load_n (&late, __ATOMIC_RELAXED))
    look_for_gone ();
  if (t->ctx->ended)
    {
      add_late (t);
      return;
    }
  cab_hide (&hidden);
  pthread_setspecific (key, t);
  cab_hide_end (&hidden);
}

/* Release thread ARGUMENT; a probe that still runs in this thread attaches it again.  On the
   runtime's stack. */
static uint64_t
end_thread (void *argument)
{
  cab_fork_look ();
  give_back (argument);
  if (syscall (SYS_gettid) == getpid ())
    cab_consumer_watch ();
  return 0;
}

/* Leave the runtime with signals blocked: no handler may send anything to a ring that ends, nor
   need the stack. */
static void
leave (struct cab_rt_thread *t)
{
  struct cab_ctx *ctx = t->ctx;
  struct cab_blocked blocked;
  cab_sys_block (&blocked);
  cab_gate_call (end_thread, t);
  cab_gate_leave_stack (ctx);
  cab_sys_unblock (&blocked);
}

/* The last round but one: in the last one sanitizers take down what their threads need.  A thread
   that sends events after that is attached again, and found gone when another thread is
   attached. */
#define LAST_ROUND (PTHREAD_DESTRUCTOR_ITERATIONS - 1)

static void
key_destructor (void *value)
{
  struct cab_rt_thread *t = value;
  if (t != cab_ctx_self ()->thread || !cab_rt_on ())
    return;
  if (cab_is_blind (t->ctx))
    {
      /* It stays attached.  The first thread was the first to be attached. */
      if (t->index == 0)
	cab_consumer_watch ();
    }
  else
    {
      if (++t->n_rounds < LAST_ROUND)
	pthread_setspecific (key, t);
      else
	leave (t);
    }
}

int
cab_thread_start (void)
{
  /* Reserve as many addresses for counters as are certainly available, including the sink: every
     area has as many, and never moves. */
  const size_t least = LEAST_RESERVE;
  size_t *bytes = &cab_rt.counts_reserve;
  *bytes = *bytes > least ? *bytes : least;
  while (!(nowhere = cab_sys_reserve (*bytes)) && *bytes > least)
    *bytes = *bytes / 2 > least ? cab_round_up (*bytes / 2, CAB_PAGE_BYTES) : least;
  return -pthread_key_create (&key, key_destructor);
}

/* Move the counters to the new part: one area, or several. */
static int
move_counts (void)
{
  struct cab_part_header *h = cab_rt.part.header;
  uint64_t least = UINT64_MAX;
  cab_rt.n_counts = 0;
  for (struct cab_counts *c = cab_rt.counts; c; c = c->next)
    {
      c->area.owner = cab_rt.n_counts++;
      int error = cab_area_move (&c->area, &cab_rt.part, 0);
      if (error < 0)
	return error;
      least = c->area.backed < least ? c->area.backed : least;
    }
  h->counts_bytes = cab_rt.counts ? least : 0;
  h->n_counts = cab_rt.n_counts;
  return 0;
}

static void
leave_others (struct cab_rt_thread *self)
{
  for (struct cab_counts *c = cab_rt.counts; c; c = c->next)
    if (!self || c != self->counts)
      cab_area_close (&c->area);
  cab_rt.counts = self ? self->counts : NULL;
  n_free = 0;
  cab_rt.live = self;
  if (self)
    self->next = NULL;
  if (self)
    self->counts->next = NULL;
}

int
cab_thread_fork (struct cab_rt_thread *self, bool all)
{
  if (!all)
    leave_others (self);
  late = NULL;
  int error = move_counts ();
  for (struct cab_rt_thread *t = cab_rt.live; t && error == 0; t = t->next)
    error = add_row (t);
  return error;
}
