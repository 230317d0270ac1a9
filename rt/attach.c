/* attach.c - the runtime's two entry points, and the end of the process.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include <stdbool.h>
#include <string.h>

#include "analyses/live/user_analysis.h"
#include "rt/base/fork_look.h"
#include "rt/engine/probe/control.h"
#include "rt/base/clock.h"
#include "rt/base/ctx.h"
#include "rt/engine/ring/inside.h"
#include "rt/filters/filters.h"
#include "rt/fork.h"
#include "rt/engine/probe/gate.h"
#include "rt/engine/ring/direct.h"
#include "rt/libc/libc_found.h"
#include "rt/base/gate_stack.h"
#include "rt/libc/libc_system.h"
#include "rt/modules/module.h"
#include "rt/engine/probe/off.h"
#include "rt/engine/ring/ring_seize.h"
#include "rt/modules/records.h"
#include "rt/engine/ring/ring.h"
#include "rt/engine/ring/ring_list.h"
#include "rt/base/pool.h"
#include "rt/base/rt.h"
#include "rt/base/say.h"
#include "rt/common/text.h"
#include "rt/engine/ring/thread.h"
#include "rt/engine/ring/trace.h"
#include "rt/engine/probe/watch.h"
#include "rt/start.h"

#define EXPORT __attribute__ ((visibility ("default")))

/* Return 0, or -1 after one line about a module of another version: its functions run unprofiled,
   the others do not. */
static int
check_abi (const struct cab_module *m)
{
  if (m->abi == CAB_ABI_VERSION && m->bytes >= CAB_MODULE_BYTES_LEAST)
    return 0;
  char line[128];
  struct cab_text t = CAB_TEXT (line);
  cab_text_add (&t, "it was compiled by a cabprof with ABI version ");
  cab_text_number (&t, m->abi, 10);
  cab_text_add (&t, ", the runtime has ");
  cab_text_number (&t, CAB_ABI_VERSION, 10);
  cab_say ("module", line, 0, "it runs unprofiled: compile it again");
  return -1;
}

/* Start everything for the first module.  Return 0 or -1. */
static int
start (void)
{
  cab_gate_start ();
  if (cab_rt_start () < 0)
    return -1;
  if (cab_thread_start () < 0)
    cab_say ("pthread_key_create", "no key is left to see threads end", 0,
	     "their rings are not flushed");
  /* Make the first counters, so that a full disk is met now, and not while the program runs. */
  if (!cab_thread_attach (cab_ctx_self ()))
    {
      cab_rt_abandon ();
      return -1;
    }
  cab_direct_start ();
  cab_libc_watch_sandbox ();
  __atomic_store_n (&cab_rt.state, CAB_RT_ON, __ATOMIC_RELEASE);
  return 0;
}

/* Add M, which was FOUND, to the loaded modules.  Return its record, or null. */
static struct cab_rt_module *
list_module (struct cab_module *m, const struct cab_rt_module *found)
{
  struct cab_rt_module *l = cab_rt.loaded;
  while (l && l->module != m && l->module)
    l = l->next;
  if (!l)
    {
      l = cab_pool_alloc (sizeof *l);
      if (!l)
	return NULL;
      l->next = cab_rt.loaded;
      cab_rt.loaded = l;
    }
  struct cab_rt_module *next = l->next;
  *l = *found;
  l->next = next;
  l->module = m;
  if (m->bytes >= offsetof (struct cab_module, early))
    m->control = cab_control;
  return l;
}

/* Take M, which was FOUND.  Return 0, or CAB_RECORDS_REFUSED. */
static int
take_module (struct cab_module *m, const struct cab_rt_module *found)
{
  struct cab_rt_module *l = list_module (m, found);
  if (!l)
    return 0;
  m->ctx_offset = cab_rt.ctx_offset;
  m->generation = ++cab_rt.generation;
  cab_gate_fill (m);
  if (m->bytes >= offsetof (struct cab_module, front))
    {
      cab_ledger_add (&cab_ledger ()->early, m->early[0] > m->early[1] ? m->early[0] : m->early[1]);
      m->early[0] = m->early[1] = 0;
    }
  return cab_module_use (l) == CAB_RECORDS_REFUSED ? CAB_RECORDS_REFUSED : 0;
}

/* Let M, which was FOUND, run unprofiled.  It is listed, as its gates change when the program
   confines itself. */
static void
take_unprofiled (struct cab_module *m, const struct cab_rt_module *found)
{
  list_module (m, found);
  cab_off_module (m);
}

static int
attach (struct cab_module *m, const struct cab_rt_module *found, int64_t ctx_offset)
{
  static bool never_on;
  cab_rt.ctx_offset = ctx_offset;
  cab_libc_errno_at = ctx_offset + offsetof (struct cab_ctx, error);
  if (cab_rt.state == CAB_RT_NEW)
    never_on = start () < 0;
  if (never_on)
    take_unprofiled (m, found);
  if (cab_rt.state != CAB_RT_ON)
    return -1;
  if (take_module (m, found) == 0)
    return 0;
  cab_rt_abandon ();
  never_on = true;
  cab_off_module (m);
  return -1;
}

EXPORT int
cabprof_attach (struct cab_module *m)
{
  /* Static since it is large; the loader runs constructors one at a time. */
  static struct cab_rt_module found;
  static int forks;
  struct cab_blocked blocked;
  if (!cab_libc_find ())
    {
      cab_say ("C library", "not all functions of threads are there", 0, "running unprofiled");
      return -1;
    }
  int64_t ctx_offset = cab_module_ctx_offset ();
  /* A user's analysis that was itself compiled with the plugin: the runtime's own start is under
     way. */
  if (cab_user_loading ())
    return -1;
  if (ctx_offset == 0)
    ctx_offset = cab_ctx_fallback ();
  if (check_abi (m) < 0 || !cab_module_find (&found, m))
    return -1;
  if (!forks)
    cab_fork_start ();
  forks = 1;
  cab_sys_block (&blocked);
  if (cab_rt_on ())
    cab_fork_look_from_outside ();
  cab_lock (&cab_rt.lock);
  int result = attach (m, &found, ctx_offset);
  cab_unlock (&cab_rt.lock);
  if (result == 0)
    cab_thread_watch (cab_ctx_self ()->thread);
  cab_sys_unblock (&blocked);
  cab_control_started ();
  cab_watch_new ();
  return result;
}

/* Forget where M is loaded, since its rows are about to vanish; their counts stay.  The record is
   kept for the next module; its address never becomes null in between. */
EXPORT void
cabprof_detach (struct cab_module *m)
{
  struct cab_blocked blocked;
  cab_sys_block (&blocked);
  if (cab_rt_on ())
    cab_fork_look_from_outside ();
  cab_lock (&cab_rt.lock);
  for (struct cab_rt_module *l = cab_rt.loaded; l; l = l->next)
    if (l->module == m)
      {
	l->module = NULL;
	l->low = l->high = 0;
      }
  cab_unlock (&cab_rt.lock);
  cab_sys_unblock (&blocked);
}

/* Flush this thread's ring and drain all rings, at exit (3) or return from main.  Whatever still
   runs (other destructors, other threads) continues as before: its counters are mapped, and its
   events stay in a ring for the reader, which looks there unless the state is ENDED. */
static void
finish (void)
{
  struct cab_rt_thread *self = cab_ctx_self ()->thread;
  if (self)
    cab_ring_end (self);
  cab_lock (&cab_rt.lock);
  for (const struct cab_rt_thread *t = cab_rt.live; t; t = t->next)
    cab_ring_count_seized (t);
  cab_unlock (&cab_rt.lock);
  /* A sandbox leaves no room for the states of analyses: the reader of the part finishes the
     rings. */
  bool complete = !(cab_ring_first () && cab_libc_is_confined ()) && cab_ring_finish ()
	       && cab_ring_retire ();
  cab_rt.part.header->end_realtime_ns = cab_realtime_ns ();
  cab_clock_note (cab_ledger ());
  if (complete)
    __atomic_store_n (&cab_rt.part.header->state, CAB_PART_ENDED, __ATOMIC_RELEASE);
  cab_trace_end ();
}

static uint64_t
end (void *unused)
{
  struct cab_inside in;
  (void) unused;
  if (cab_inside_enter (&in))
    {
      finish ();
      cab_inside_leave (&in);
    }
  return 0;
}

__attribute__ ((destructor)) static void
end_of_process (void)
{
  /* What a copy without a part of its own has counted belongs to its parent, which drains the
     rings.  For a blind thread's process the reader drains them. */
  if (cab_rt_on () && !cab_fork_is_copy () && !cab_is_blind (cab_ctx_self ()))
    cab_gate_call (end, NULL);
}
