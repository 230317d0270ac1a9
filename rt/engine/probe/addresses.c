/* addresses.c - see addresses.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/engine/probe/addresses.h"

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "rt/base/fork_look.h"
#include "rt/base/gate_stack.h"
#include "rt/engine/feed/feed_keyed.h"
#include "rt/engine/feed/feed_serial.h"
#include "rt/engine/feed/feed_sets.h"
#include "rt/engine/probe/sandbox.h"
#include "rt/engine/ring/inside.h"
#include "rt/engine/ring/named.h"
#include "rt/engine/ring/ring_list.h"
#include "rt/filters/filters.h"

#define COUNTS_PART 128u   /* of a limit: for the counters of a thread, as at the start */
#define COUNTS_LOCKED_BYTES (UINT64_C (8) << 20)   /* for them in a process that locks its memory */

/* What a call leaves to the process. */
struct plan
{
  uint64_t limit;          /* its addresses, or RLIM_INFINITY */
  uint64_t counts_bytes;   /* those for the counters of a thread */
};

/* Fill *P for a call that sets the limits of RESOURCE to those at NEW.  Return true if addresses
   become fewer, or more. */
static bool
plan_limit (struct plan *p, uint64_t resource, uint64_t new)
{
  struct rlimit limit;
  if ((int) resource != RLIMIT_AS || !new
      || !cab_sys_read_memory (&limit, (const void *) new, sizeof limit))
    return false;
  p->limit = limit.rlim_cur;
  p->counts_bytes = limit.rlim_cur / COUNTS_PART;
  return true;
}

static bool
plan_prlimit (struct plan *p, const uint64_t *argument)
{
  return ((int) argument[0] == 0 || (int) argument[0] == getpid ())
      && plan_limit (p, argument[1], argument[2]);
}

static bool
plan_lock (struct plan *p)
{
  *p = (struct plan) { .limit = RLIM_INFINITY, .counts_bytes = COUNTS_LOCKED_BYTES };
  return true;
}

/* Fill *P, and return true if CALL must be prepared for.  *MEANT: it is one of these calls. */
static bool
make_plan (struct plan *p, const struct cab_confine *call, bool *meant)
{
  uint64_t kind = call->call;
  const uint64_t *argument = call->argument;
  if (kind == CAB_CONFINE_SYSCALL)
    {
      uint64_t number = *argument++;
      kind = number == SYS_setrlimit ? CAB_CONFINE_SETRLIMIT
	   : number == SYS_prlimit64 ? CAB_CONFINE_PRLIMIT
	   : number == SYS_mlockall ? CAB_CONFINE_MLOCKALL
	   : kind;
    }
  *meant = true;
  switch (kind)
    {
    case CAB_CONFINE_SETRLIMIT: return plan_limit (p, argument[0], argument[1]);
    case CAB_CONFINE_PRLIMIT: return plan_prlimit (p, argument);
    case CAB_CONFINE_MLOCKALL: return plan_lock (p);
    default: *meant = false; return false;
    }
}

static void
spare_of_rings (void)
{
  for (struct cab_ring *r = cab_ring_first (); r; r = r->next)
    {
      cab_lock (&r->lock);
      cab_lock (&cab_rt.lock);
      cab_feed_sets_spare_addresses (&r->feed);
      cab_unlock (&cab_rt.lock);
      cab_unlock (&r->lock);
    }
}

static void
spare_of_process (const struct plan *p)
{
  struct cab_area *const tables[] = { &cab_rt.strings, &cab_rt.modules, &cab_rt.functions,
				      &cab_rt.threads };
  cab_lock (&cab_rt.lock);
  for (unsigned i = 0; i < sizeof tables / sizeof *tables; i++)
    cab_area_trim (tables[i], 0);
  cab_feed_keyed_spare_addresses ();
  cab_feed_serial_spare_addresses ();
  cab_named_spare_addresses ();
  cab_thread_spare_addresses (p->counts_bytes);
  cab_area_limit (p->limit);
  cab_unlock (&cab_rt.lock);
}

/* Give back what is not used, for the plan ARGUMENT.  On the runtime's stack. */
static uint64_t
spare (void *argument)
{
  struct cab_inside in;
  cab_fork_look ();
  if (cab_is_blind (cab_ctx_self ()) || cab_sandbox_is_guest (cab_ctx_self ())
      || !cab_inside_enter (&in))
    return 0;
  spare_of_rings ();
  spare_of_process (argument);
  cab_inside_leave (&in);
  return 0;
}

bool
cab_addresses_begin (const struct cab_confine *call)
{
  struct plan plan;
  bool meant;
  if (make_plan (&plan, call, &meant) && cab_rt_on ())
    cab_gate_call (spare, &plan);
  return meant;
}
