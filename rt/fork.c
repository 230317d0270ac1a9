/* fork.c - see fork.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/fork.h"

#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "rt/base/fork_look.h"
#include "rt/engine/feed/access.h"
#include "rt/engine/ring/consumer.h"
#include "rt/engine/probe/control.h"
#include "rt/base/gate_stack.h"
#include "rt/modules/module.h"
#include "rt/engine/ring/ring.h"
#include "rt/engine/ring/ring_list.h"
#include "rt/base/rt.h"
#include "rt/base/say.h"
#include "rt/engine/ring/thread.h"
#include "rt/engine/ring/trace.h"

#ifndef MADV_WIPEONFORK
#define MADV_WIPEONFORK 18
#endif

/* Values of the word in the page: a copy has 0. */
enum { COPIED, OWNER, MOVING };

/* The fields of the child's header that come from its parent's. */
struct kept
{
  uint64_t start;
  uint32_t exe, cwd, cmdline, options, version_text, n_modules, n_functions;
};

/* Mask of the thread that forks; under the lock. */
static struct cab_blocked blocked;

/* Return these fields from a header that is still the parent's, too, which continues: the numbers
   are this process' own. */
static struct kept
keep (void)
{
  const struct cab_part_header *h = cab_rt.part.header;
  return (struct kept) { cab_rt.part.start, h->exe,	     h->cwd,	       h->cmdline,
			 h->options,	    h->version_text, cab_rt.n_modules, cab_rt.n_functions };
}

static void
restore (const struct kept *kept)
{
  struct cab_part_header *h = cab_rt.part.header;
  h->forked_from = kept->start;
  h->exe = kept->exe;
  h->cwd = kept->cwd;
  h->cmdline = kept->cmdline;
  h->options = kept->options;
  h->version_text = kept->version_text;
  h->n_modules = kept->n_modules;
  h->n_functions = kept->n_functions;
  cab_rt_note_rates ();
}

/* Give the process a new part.  ALL: see cab_thread_fork. */
static int
move_part (struct cab_rt_thread *self, bool all)
{
  const struct kept kept = keep ();
  int error = cab_part_create (&cab_rt.part);
  if (error == 0)
    error = cab_area_move (&cab_rt.strings, &cab_rt.part, 1);
  if (error == 0)
    error = cab_area_move (&cab_rt.modules, &cab_rt.part, 1);
  if (error == 0)
    error = cab_area_move (&cab_rt.functions, &cab_rt.part, 1);
  if (error == 0)
    error = cab_area_move (&cab_rt.threads, &cab_rt.part, 0);
  if (error == 0)
    error = cab_area_move (&cab_rt.control, &cab_rt.part, 1);
  if (error == 0)
    error = cab_thread_fork (self, all);
  if (error == 0)
    {
      restore (&kept);
      cab_control_fork ();
    }
  return error;
}

static void
forget (void *at, size_t bytes)
{
  mmap (at, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE,
	-1, 0);
}

/* Map memory of the child's own over the counters and the header, in whatever state they are. */
static void
leave_part (int error)
{
  cab_rt.state = CAB_RT_OFF;
  forget (cab_rt.part.header, cab_round_up (sizeof (struct cab_part_header), CAB_PAGE_BYTES));
  for (const struct cab_counts *c = cab_rt.counts; c; c = c->next)
    forget (c->area.base, c->area.reserve);
  cab_say (cab_rt.part.dir, "no part of the profile for a forked process", -error,
	   "it runs unprofiled");
}

/* Move to a new part.  COPIED: not by libc's fork.  If this thread was not attached then, another
   thread may have made the copy: which one is unknown, so all are kept. */
static void
move (bool copied)
{
  struct cab_rt_thread *self = cab_ctx_self ()->thread;
  if (self && !self->counts)
    self = NULL;   /* it was not attached, and stays so */
  bool all = copied && !self;
  cab_gate_fork ();
  cab_ring_fork (self, all);
  cab_consumer_fork ();
  int error = move_part (self, all);
  if (error < 0)
    leave_part (error);
  cab_trace_fork (copied);
}

/* Make the page, at AT if that is not null. */
static void
make_page (void *at)
{
  int flags = MAP_PRIVATE | MAP_ANONYMOUS | (at ? MAP_FIXED : 0);
  void *page = mmap (at, CAB_PAGE_BYTES, PROT_READ | PROT_WRITE, flags, -1, 0);
  if (page == MAP_FAILED)
    return;
  cab_fork_lacks = madvise (page, CAB_PAGE_BYTES, MADV_WIPEONFORK) < 0;
  if (!cab_fork_lacks || madvise (page, CAB_PAGE_BYTES, MADV_DONTFORK) == 0)
    cab_fork_word = page;
}

/* Store WORD in the page: this process has its part, or is about to get it. */
static void
own_page (uint32_t word)
{
  if (cab_fork_word && cab_fork_lacks)
    make_page ((void *) cab_fork_word);
  if (cab_fork_word)
    __atomic_store_n (cab_fork_word, word, __ATOMIC_RELEASE);
}

/* Give a copy its part.  The lock may be a copy that another thread of the parent's held; nobody in
   this process has it, as all enter here first.  Functions' records that such a thread was about to
   write are read again. */
static void
move_copy (void)
{
  uint32_t word = COPIED;
  if (cab_fork_lacks)
    own_page (COPIED);
  if (!__atomic_compare_exchange_n (cab_fork_word, &word, MOVING, false, __ATOMIC_ACQ_REL,
				    __ATOMIC_ACQUIRE))
    {
      while (__atomic_load_n (cab_fork_word, __ATOMIC_ACQUIRE) == MOVING)
	cab_sys_yield ();
      return;
    }
  bool was_held = cab_rt.lock != 0;
  cab_rt.lock = 0;
  cab_lock (&cab_rt.lock);
  if (was_held)
    cab_access_fork ();
  if (cab_rt_on ())
    move (true);
  cab_unlock (&cab_rt.lock);
  __atomic_store_n (cab_fork_word, OWNER, __ATOMIC_RELEASE);
  cab_control_started ();
}

static uint64_t
look (void *unused)
{
  (void) unused;
  cab_fork_look ();
  return 0;
}

void
cab_fork_look_from_outside (void)
{
  if (cab_fork_is_copy ())
    cab_gate_call (look, NULL);
}

static void
prepare (void)
{
  struct cab_blocked old;
  cab_sys_block (&old);
  cab_fork_look_from_outside ();
  cab_lock (&cab_rt.lock);
  blocked = old;
}

static void
resume (void)
{
  struct cab_blocked old = blocked;
  cab_unlock (&cab_rt.lock);
  cab_sys_unblock (&old);
}

static uint64_t
move_child (void *unused)
{
  (void) unused;
  move (false);
  return 0;
}

static void
child (void)
{
  own_page (OWNER);
  if (cab_rt_on ())
    cab_gate_call (move_child, NULL);
  resume ();
  cab_control_started ();
}

void
cab_fork_start (void)
{
  cab_fork_copied = move_copy;
  make_page (NULL);
  own_page (OWNER);
  /* Without these a child would count in its parent's part; there is no memory for the table of
     handlers, and so hardly any for other things. */
  if (pthread_atfork (prepare, resume, child) != 0)
    cab_say ("pthread_atfork", "no memory", 0,
	     "forked processes are counted in their parent's part");
}
