/* fork.c - see fork.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/fork.h"

#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "rt/consumer.h"
#include "rt/control.h"
#include "rt/gate_stack.h"
#include "rt/module.h"
#include "rt/ring.h"
#include "rt/rt.h"
#include "rt/say.h"
#include "rt/thread.h"
#include "rt/trace.h"

/* What the child's header keeps of its parent's. */
struct kept
{
  uint64_t start;
  uint32_t exe, cwd, cmdline, options, version_text, n_modules, n_functions;
};

/* Of the fork that is under way; under the lock. */
static struct cab_blocked blocked;   /* of the thread that forks */
static struct kept kept;    /* as before the fork: behind it the parent goes on, in a header that is still the child's too */

static struct kept
keep (void)
{
  const struct cab_part_header *h = cab_rt.part.header;
  return (struct kept) {
    cab_rt.part.start, h->exe, h->cwd, h->cmdline, h->options, h->version_text, h->n_modules, h->n_functions
  };
}

static void
prepare (void)
{
  struct cab_blocked old;
  cab_sys_block (&old);
  cab_lock (&cab_rt.lock);
  blocked = old;
  if (cab_rt_on ())
    kept = keep ();
}

static void
resume (void)
{
  struct cab_blocked old = blocked;
  cab_unlock (&cab_rt.lock);
  cab_sys_unblock (&old);
}

static void
restore (void)
{
  struct cab_part_header *h = cab_rt.part.header;
  h->forked_from = kept.start;
  h->exe = kept.exe;
  h->cwd = kept.cwd;
  h->cmdline = kept.cmdline;
  h->options = kept.options;
  h->version_text = kept.version_text;
  h->n_modules = kept.n_modules;
  h->n_functions = kept.n_functions;
  h->ledger.sample = cab_rt.options.sample;
}

static int
move_part (struct cab_thread *self)
{
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
    error = cab_thread_fork (self);
  if (error == 0)
    {
      restore ();
      cab_control_fork ();
    }
  return error;
}

/* Memory of the child's own over SELF's counters and the header, whatever they are by now. */
static void
leave_part (struct cab_thread *self, int error)
{
  int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE;
  size_t header_bytes = cab_round_up (sizeof (struct cab_part_header), CAB_PAGE_BYTES);
  cab_rt.state = CAB_RT_OFF;
  mmap (cab_rt.part.header, header_bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
  if (self)
    mmap (self->counts->area.base, self->counts->area.reserve, PROT_READ | PROT_WRITE, flags, -1, 0);
  cab_say (cab_rt.part.dir, "no part of the profile for a forked process", -error, "it runs unprofiled");
}

static uint64_t
move (void *unused)
{
  struct cab_thread *self = cab_ctx_self ()->thread;
  (void) unused;
  if (self && !self->counts)
    self = NULL;   /* it was not attached, and stays so */
  cab_gate_fork ();
  cab_ring_fork (self);
  cab_consumer_fork ();
  int error = move_part (self);
  if (error < 0)
    leave_part (self, error);
  cab_trace_fork ();
  return 0;
}

static void
child (void)
{
  if (cab_rt_on ())
    cab_gate_call (move, NULL);
  resume ();
  cab_control_started ();
}

void
cab_fork_start (void)
{
  /* Without these a child would count in its parent's part; there is no memory for the table of handlers, and so for little else. */
  if (pthread_atfork (prepare, resume, child) != 0)
    cab_say ("pthread_atfork", "no memory", 0, "forked processes are counted in their parent's part");
}
