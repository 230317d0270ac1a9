/* sandbox.c - see sandbox.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/engine/probe/sandbox.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/prctl.h>
#include <linux/seccomp.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cabprof/event.h"
#include "rt/engine/probe/addresses.h"
#include "rt/base/fork_look.h"
#include "rt/engine/feed/access.h"
#include "rt/engine/ring/consumer.h"
#include "rt/engine/ring/inside.h"
#include "rt/filters/filters.h"
#include "rt/engine/probe/gate.h"
#include "rt/base/gate_stack.h"
#include "rt/modules/module.h"
#include "rt/engine/probe/off.h"
#include "rt/engine/probe/register.h"
#include "rt/engine/ring/ring.h"
#include "rt/base/pool.h"
#include "rt/base/rt.h"
#include "rt/engine/ring/thread.h"
#include "rt/engine/probe/watch.h"

#define EVENTS \
  (CAB_ROW_PATHS_TRACE | CAB_ROW_CALLS | CAB_ROW_LOOPS | CAB_ROW_MEMORY | CAB_ROW_CONTEXT)
#define POOL_BYTES (UINT64_C (16) << 20)   /* addresses for records of accesses, of which the used
					      ones become memory */
#define QUIET_NS UINT64_C (1000000000)     /* longest wait for other threads to leave the runtime */
#define QUIET_LOOKS 3u

/* What an announced call does. */
struct plan
{
  bool watched;                 /* watch.h has noticed it */
  bool filters;                 /* it installs a filter */
  bool everyone;                /* for all threads */
  int how;                      /* how it reports success: an enum below */
  const struct sock_fprog *program;   /* in the program's memory; null: nothing is known about the
					 filter */
};
enum { IF_ZERO, IF_NOT_NEGATIVE };

static bool
plan_prctl (struct plan *p, const uint64_t *argument)
{
  if ((int) argument[0] != PR_SET_SECCOMP || (argument[1] == SECCOMP_MODE_FILTER && !argument[2]))
    return false;
  p->filters = true;
  p->program = argument[1] == SECCOMP_MODE_FILTER ? (const void *) argument[2] : NULL;
  return true;
}

static bool
plan_seccomp (struct plan *p, const uint64_t *argument)
{
  uint64_t flags = argument[1];
  bool refused = argument[0] == SECCOMP_SET_MODE_FILTER ? !argument[2] : flags || argument[2];
  if (argument[0] > SECCOMP_SET_MODE_FILTER || refused)
    return false;
  p->filters = true;
  p->everyone = argument[0] == SECCOMP_SET_MODE_FILTER && flags & SECCOMP_FILTER_FLAG_TSYNC;
  p->how = flags & SECCOMP_FILTER_FLAG_NEW_LISTENER ? IF_NOT_NEGATIVE : IF_ZERO;
  p->program = argument[0] == SECCOMP_SET_MODE_FILTER ? (const void *) argument[2] : NULL;
  return true;
}

/* Return true if system call NUMBER takes files out of reach. */
static bool
hides_files (uint64_t number)
{
  static const uint16_t numbers[] = {
    SYS_chroot,	  SYS_pivot_root, SYS_setuid,	 SYS_setgid,
    SYS_setreuid, SYS_setregid,	  SYS_setresuid, SYS_setresgid,
    SYS_setfsuid, SYS_unshare,	  SYS_setns,	 446 /* landlock_restrict_self */
  };
  for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++)
    if (numbers[i] == number)
      return true;
  return false;
}

/* Fill *P, and return true if CALL must be prepared for. */
static bool
make_plan (struct plan *p, const struct cab_confine *call)
{
  *p = (struct plan) { .how = IF_ZERO };
  switch (call->call)
    {
    case CAB_CONFINE_PRCTL:
      return plan_prctl (p, call->argument);
    case CAB_CONFINE_SYSCALL:
      return call->argument[0] == SYS_prctl ? plan_prctl (p, call->argument + 1)
	   : call->argument[0] == SYS_seccomp ? plan_seccomp (p, call->argument + 1)
	   : hides_files (call->argument[0]);
    case CAB_CONFINE_FILES:
      return true;
    case CAB_CONFINE_LOADED:
      cab_watch ();
      return false;
    default:
      /* Where the library's own call will be seen, it says more. */
      p->filters = p->everyone = !cab_watch ();
      return true;
    }
}

/* Return the kinds of events that functions with FLAGS send; kinds that accompany others, such as
   allocations, are left out. */
static uint32_t
kinds_of (unsigned flags)
{
  return (flags & CAB_ROW_CALLS ? 1u << CAB_EV_CALL : 0)
       | (flags & CAB_ROW_PATHS_TRACE ? 1u << CAB_EV_PATH : 0)
       | (flags & CAB_ROW_LOOPS ? 1u << CAB_EV_LOOP : 0)
       | (flags & CAB_ROW_MEMORY ? 1u << CAB_EV_ACCESS : 0);
}

/* Prepare all that may be needed later.  Return this thread, or null where it cannot be
   attached. */
static struct cab_rt_thread *
prepare (struct cab_ctx *ctx)
{
  cab_lock (&cab_rt.lock);
  struct cab_rt_thread *t = cab_thread_attach (ctx);
  unsigned flags = cab_register_all ();
  if (flags & CAB_ROW_MEMORY)
    cab_access_prepare ();
  if (flags & EVENTS)
    cab_pool_prepare (POOL_BYTES);
  cab_unlock (&cab_rt.lock);
  if (!t || !t->counts)
    return NULL;
  if (flags & EVENTS && cab_ring_make (t, cab_ring_design_of (flags)))
    {
      cab_ring_prepare (t, kinds_of (flags));
      cab_ring_analyse_all ();
    }
  return t;
}

/* Record the filter of P as known from now on.  Return its bit.  Under the lock. */
static uint64_t
add_filter (const struct plan *p)
{
  struct sock_fprog program = { 0 };
  struct sock_filter *code = NULL;
  if (p->program && cab_sys_read_memory (&program, p->program, sizeof program) && program.len)
    code = cab_pool_alloc (program.len * sizeof *code);
  if (code && !cab_sys_read_memory (code, program.filter, program.len * sizeof *code))
    code = NULL;
  return cab_filters_add (code, program.len);
}

/* Return true if a thread other than SELF is in a gate. */
static bool
others_inside (const struct cab_rt_thread *self)
{
  bool inside = false;
  cab_lock (&cab_rt.lock);
  for (const struct cab_rt_thread *t = cab_rt.live; t; t = t->next)
    {
      const struct cab_stack_head *head = (const struct cab_stack_head *) t->ctx->stack;
      inside |= t != self && t->ctx->stack > CAB_NO_STACK
	     && __atomic_load_n (&head->taken, __ATOMIC_ACQUIRE);
    }
  cab_unlock (&cab_rt.lock);
  return inside;
}

/* Let all threads obey the filter of BITS: those that are in a gate make their last system call
   there before it is installed. */
static void
confine_others (const struct cab_rt_thread *self, uint64_t bits)
{
  cab_consumer_stop ();
  cab_lock (&cab_rt.lock);
  cab_filters_inherit (bits);
  for (struct cab_rt_thread *t = cab_rt.live; t; t = t->next)
    if (t != self)
      cab_filters_obey (t->ctx, bits);
  cab_unlock (&cab_rt.lock);
  uint64_t end = cab_monotonic_ns () + QUIET_NS;
  for (unsigned quiet = 0; quiet < QUIET_LOOKS && cab_monotonic_ns () < end; quiet++)
    {
      quiet = others_inside (self) ? 0 : quiet;
      cab_sys_yield ();
    }
}

bool
cab_sandbox_is_guest (const struct cab_ctx *ctx)
{
  const struct cab_stack_head *head = (const struct cab_stack_head *) ctx->stack;
  return ctx->stack > CAB_NO_STACK && head->tid != (uint32_t) gettid ();
}

static void
confine (struct cab_ctx *ctx, struct cab_rt_thread *t, const struct plan *p)
{
  cab_lock (&cab_rt.lock);
  uint64_t bits = add_filter (p);
  for (struct cab_rt_module *m = cab_rt.loaded; m; m = m->next)
    if (m->module)
      cab_gate_fill ((struct cab_module *) m->module);
  cab_unlock (&cab_rt.lock);
  if (t)
    {
      t->announced = bits;
      t->announced_how = p->how;
    }
  if (p->everyone)
    confine_others (t, bits);
  cab_filters_obey (ctx, bits);
}

/* Return true if T is about to make the call of P, and has announced it before. */
static bool
is_announced (const struct cab_rt_thread *t, const struct plan *p)
{
  return p->watched && t && t->announced;
}

/* Prepare for the call of the plan ARGUMENT.  Return nonzero if its result is of interest. */
static uint64_t
begin (void *argument)
{
  const struct plan *p = argument;
  struct cab_inside in;
  cab_fork_look ();
  if (cab_is_blind (cab_ctx_self ()) || is_announced (cab_ctx_self ()->thread, p)
      || !cab_inside_enter (&in))
    return 0;
  struct cab_rt_thread *t = prepare (in.ctx);
  cab_thread_watch (t);
  bool confined = p->filters && !cab_sandbox_is_guest (in.ctx);
  if (confined)
    confine (in.ctx, t, p);
  cab_inside_leave (&in);
  return confined && t;
}

/* Let all threads of an unprofiled process be blind from now on, which takes nothing from them. */
static uint64_t
begin_unprofiled (void *unused)
{
  static uint64_t bits;
  (void) unused;
  cab_lock (&cab_rt.lock);
  if (!bits)
    {
      bits = cab_filters_add (NULL, 0);
      cab_filters_inherit (bits);
      for (struct cab_rt_module *m = cab_rt.loaded; m; m = m->next)
	if (m->module)
	  cab_off_fill ((struct cab_module *) m->module);
    }
  cab_filters_obey (cab_ctx_self (), bits);
  cab_unlock (&cab_rt.lock);
  return 0;
}

static bool
begin_call (const struct cab_confine *call, bool watched)
{
  struct plan plan;
  if (cab_addresses_begin (call) || !make_plan (&plan, call))
    return false;
  plan.watched = watched;
  if (cab_rt_on ())
    return cab_gate_call (begin, &plan) != 0;
  if (plan.filters)
    cab_gate_call (begin_unprofiled, NULL);
  return false;
}

int
cab_sandbox_begin (const struct cab_confine *call)
{
  begin_call (call, false);
  return 0;
}

bool
cab_sandbox_begin_watched (const struct cab_confine *call)
{
  return begin_call (call, true);
}

/* Examine the filters of all threads again. */
static uint64_t
look_again (void *unused)
{
  (void) unused;
  cab_lock (&cab_rt.lock);
  for (struct cab_rt_thread *t = cab_rt.live; t; t = t->next)
    cab_filters_obey (t->ctx, 0);
  cab_unlock (&cab_rt.lock);
  return 0;
}

int
cab_sandbox_end (int64_t result)
{
  struct cab_ctx *ctx = cab_ctx_self ();
  struct cab_rt_thread *t = cab_rt_on () ? ctx->thread : NULL;
  uint64_t bits = t ? t->announced : 0;
  if (!bits)
    return 0;
  t->announced = 0;
  if (t->announced_how == IF_NOT_NEGATIVE ? result >= 0 : result == 0)
    return 0;
  cab_filters_drop (bits);
  cab_filters_obey (ctx, 0);
  if (!cab_is_blind (ctx))
    cab_gate_call (look_again, NULL);
  return 0;
}
