/* control.c - see control.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/engine/probe/control.h"

#include <errno.h>
#include <string.h>

#include "rt/base/control_page.h"
#include "rt/base/fork_look.h"
#include "rt/engine/ring/inside.h"
#include "rt/filters/filters.h"
#include "rt/engine/probe/gate.h"
#include "rt/base/gate_stack.h"
#include "rt/common/pauses.h"
#include "rt/engine/ring/named.h"
#include "rt/engine/ring/rest.h"
#include "rt/engine/probe/sandbox.h"
#include "rt/engine/ring/ring.h"
#include "rt/engine/ring/ring_list.h"
#include "rt/base/say.h"
#include "rt/common/snapshot.h"
#include "rt/engine/ring/thread.h"
#include "rt/workers/last.h"
#include "rt/workers/worker.h"

#define NAME_BYTES 256u
#define DELAY_LOOK_NS UINT64_C (100000000)

static uint32_t n_waiting, sleeper;

void
cab_control_start (void)
{
  struct cab_part_control *c = cab_control_page ();
  c->version = CAB_CONTROL_VERSION;
  c->placement.is_auto = cab_rt.options.placement == CAB_PLACE_AUTO;
  if (!cab_rt.options.paused)
    return;
  c->pause = CAB_CONTROL_PAUSED;
  c->n_pauses = 1;
  c->since_ns = cab_realtime_ns ();
  c->resume_ns = cab_rt.options.delay_ns ? cab_monotonic_ns () + cab_rt.options.delay_ns : 0;
}

void
cab_control_fork (void)
{
  struct cab_part_control *c = cab_control_page ();
  bool paused = c->pause & CAB_CONTROL_PAUSED;
  cab_named_fork ();
  c->pause = paused ? CAB_CONTROL_PAUSED : 0;
  c->n_pauses = paused;
  c->paused_ns = c->flush = 0;
  c->lock = c->hold = 0;
  c->placement = (struct cab_part_placement) {
    .is_auto = c->placement.is_auto, .how = c->placement.is_auto ? 0 : c->placement.how
  };
  n_waiting = 0;
}

/* Return the next counter area, for pauses.h. */
static const uint64_t *
next_counts (void *host, void **cursor, uint32_t *number)
{
  struct cab_counts *counts = *cursor ? ((struct cab_counts *) *cursor)->next : cab_rt.counts;
  (void) host;
  if (!counts)
    return NULL;
  *cursor = counts;
  *number = counts->area.owner;
  return (const uint64_t *) counts->area.base;
}

static struct cab_pauses
pauses (void)
{
  return (struct cab_pauses) { cab_control_page (),    cab_rt.part.path, cab_rt.n_counts,
			       cab_rt.counts_used / 8, next_counts,	 NULL };
}

/* Make all threads check the control page at their next event. */
static void
call_all (void)
{
  for (struct cab_ring *r = cab_ring_first (); r; r = r->next)
    if (__atomic_load_n (&r->state, __ATOMIC_ACQUIRE) != CAB_RING_RETIRED)
      cab_control_call (r->header);
}

/* Pause or resume, and have all threads obey.  Under both locks. */
static int
change (bool pause)
{
  const struct cab_pauses p = pauses ();
  int error = cab_sys_may_reach (sizeof (struct cab_paused_header) + p.n_areas * p.n_words * 8);
  if (error == 0)
    error = cab_pauses_change (&p, pause);
  if (error == 0)
    call_all ();
  return error < 0 ? error : 0;
}

static int
name_thread (struct cab_rt_thread *t, const char *name)
{
  struct cab_part_thread *row = (struct cab_part_thread *) cab_rt.threads.base + t->index;
  size_t n = strlen (name);
  n = n < sizeof row->name - 1 ? n : sizeof row->name - 1;
  memset (row->name, 0, sizeof row->name);
  memcpy (row->name, name, n);
  t->named = true;
  return 0;
}

/* Make T, the caller, obey at once if its ring is a CAB ring, which has no limit. */
static void
obey (struct cab_rt_thread *t, bool pause)
{
  if (!t->ring || !cab_ring_is_cab (t->ring))
    return;
  if (pause)
    cab_rest_begin (t);
  else
    cab_rest_end (t);
}

/* Pause (PAUSE) or resume, on behalf of T, which obeys at once.  Under both locks. */
static int
change_as (struct cab_rt_thread *t, bool pause)
{
  int error = change (pause);
  if (error == 0)
    obey (t, pause);
  return error;
}

/* Do REQUEST for T.  Under both locks. */
static int
do_locked (struct cab_rt_thread *t, unsigned request, const char *name)
{
  switch (request)
    {
    case CAB_REQUEST_PAUSE: return change_as (t, true);
    case CAB_REQUEST_RESUME: return change_as (t, false);
    case CAB_REQUEST_SNAPSHOT:
      return cab_snapshot_take (cab_rt.part.path, cab_control_pause (), name);
    case CAB_REQUEST_REGION_BEGIN: return cab_named_begin (t, name);
    case CAB_REQUEST_REGION_END: return cab_named_end (t, name);
    case CAB_REQUEST_THREAD_NAME: return name_thread (t, name);
    default: return -ENOSYS;
    }
}

static bool
is_name (const char *name)
{
  size_t n = 0;
  while (name && n < NAME_BYTES && name[n])
    n++;
  return n > 0 && n < NAME_BYTES;
}

static struct cab_rt_thread *
attach (struct cab_ctx *ctx)
{
  cab_lock (&cab_rt.lock);
  struct cab_rt_thread *t = cab_thread_attach (ctx);
  cab_unlock (&cab_rt.lock);
  return t;
}

/* Grant REQUEST.  The thread of CTX is inside. */
static int
grant (struct cab_ctx *ctx, unsigned request, const char *name)
{
  if (request >= CAB_REQUEST_SNAPSHOT && !is_name (name))
    return -EINVAL;
  if (request == CAB_REQUEST_FLUSH || request == CAB_REQUEST_SNAPSHOT)
    cab_ring_analyse_all ();
  if (request == CAB_REQUEST_FLUSH)
    return 0;
  bool of_region = request == CAB_REQUEST_REGION_BEGIN || request == CAB_REQUEST_REGION_END;
  struct cab_rt_thread *t = attach (ctx);
  int error = !t || !t->counts ? -ENOMEM : of_region ? cab_ring_settle (t) : 0;
  if (error < 0)
    return error;
  struct cab_ring *locked = request == CAB_REQUEST_SNAPSHOT ? cab_ring_lock_all () : NULL;
  cab_lock (&cab_rt.lock);
  error = cab_pauses_take (cab_control_page ());
  if (error == 0)
    {
      error = do_locked (t, request, name);
      cab_pauses_let_go (cab_control_page ());
    }
  cab_unlock (&cab_rt.lock);
  cab_ring_unlock_all (locked);
  if (of_region && error == 0)
    cab_ring_enter_set (t);
  return error;
}

struct request
{
  unsigned request;
  const char *name;
};

static uint64_t
grant_inside (void *argument)
{
  const struct request *w = argument;
  struct cab_inside in;
  cab_fork_look ();
  if (cab_is_blind (cab_ctx_self ()))
    return -EPERM;
  if (!cab_inside_enter (&in))
    return cab_rt_on () ? -EBUSY : -ENOSYS;
  int error = grant (in.ctx, w->request, w->name);
  cab_inside_leave (&in);
  return error;
}

int
cab_control (unsigned request, const char *name)
{
  if (request == CAB_REQUEST_CONFINE || request == CAB_REQUEST_CONFINED)
    return request == CAB_REQUEST_CONFINE ? cab_sandbox_begin ((const struct cab_confine *) name)
				    : cab_sandbox_end ((intptr_t) name);
  return cab_gate_call (grant_inside, &(struct request) { request, name });
}

/* Sleep until the pause that the options asked for is due to end, and end it; return early if
   something else has ended it, or the program has ended. */
static void *
wait_for_end (void *argument)
{
  struct cab_part_control *c = cab_control_page ();
  (void) argument;
  for (uint64_t due, now;
       (due = __atomic_load_n (&c->resume_ns, __ATOMIC_RELAXED)) > (now = cab_monotonic_ns ());)
    {
      uint64_t left = due - now < DELAY_LOOK_NS ? due - now : DELAY_LOOK_NS;
      if (cab_last_is_gone (&left))
	return NULL;
      cab_futex_wait (&sleeper, 0, left);
    }
  cab_lock (&cab_rt.lock);
  if (c->resume_ns && cab_pauses_take (c) == 0)
    {
      change (false);
      cab_pauses_let_go (c);
    }
  cab_unlock (&cab_rt.lock);
  __atomic_store_n (&n_waiting, 0, __ATOMIC_RELAXED);
  cab_worker_leave ();
  return NULL;
}

static uint64_t
start_waiting (void *unused)
{
  struct cab_inside in;
  (void) unused;
  if (!cab_inside_enter (&in))
    return 0;
  n_waiting = 1;
  if (cab_worker_start (wait_for_end, NULL) < 0)
    {
      n_waiting = 0;
      cab_say ("CABPROF_OPTIONS", "no thread to end the delay", 0,
	       "the program stays paused until it or `cabprof ctl' resumes it");
    }
  cab_inside_leave (&in);
  return 0;
}

void
cab_control_started (void)
{
  if (cab_rt_on () && cab_control_page ()->resume_ns && !n_waiting)
    cab_gate_call (start_waiting, NULL);
}
