/* sampler.c - see sampler.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/engine/probe/sampler.h"

#include <stdlib.h>

#include "cabprof/sampler.h"
#include "rt/base/fork_look.h"
#include "rt/engine/probe/gate.h"
#include "rt/base/gate_stack.h"
#include "rt/engine/ring/inside.h"
#include "rt/engine/ring/ring.h"
#include "rt/libc/symbols.h"
#include "rt/engine/ring/thread.h"

/* Enqueue the event at ARGUMENT as a probe in a signal handler would: after the event whose enqueue
   was interrupted, if that has marked the ring. */
static uint64_t
enqueue (void *argument)
{
  uint64_t event = *(const uint64_t *) argument;
  struct cab_ctx *ctx = cab_ctx_self ();
  struct cab_inside in;
  cab_fork_look ();
  const struct cab_rt_thread *t = ctx->thread;
  const struct cab_ring *ring = t ? t->ring : NULL;
  if (!ring)
    return 0;
  if (!cab_ring_is_cab (ring) && cab_ring_is_busy (ctx))
    cab_ring_stash (ctx, &event);
  else if (cab_inside_enter (&in))
    {
      (cab_ring_is_cab (ring) ? cab_ring_cab : cab_ring_full) (ctx, &event);
      cab_inside_leave (&in);
    }
  return 0;
}

#ifdef CAB_STATIC

static bool
is_own (uint64_t address)
{
  (void) address;
  return false;
}

#else

extern const unsigned char cab_gate_restore[] __attribute__ ((visibility ("hidden")));

/* The linker's names for the first byte of this library and for the end of its code. */
extern const char __ehdr_start[] __attribute__ ((visibility ("hidden"))),
  _etext[] __attribute__ ((visibility ("hidden")));

/* Return true if ADDRESS is where signals that have waited for the end of a gate arrive: in the
   front that each module has, whose last instructions are the runtime's (gate_front.h). */
static bool
is_end_of_gate (const unsigned char *address)
{
  enum { FEW = 12 };
  for (int i = 0; i < FEW; i++)
    if (address[i] != cab_gate_restore[i])
      return false;
  return true;
}

/* Return true if ADDRESS is in the runtime itself. */
static bool
is_own (uint64_t address)
{
  return (address >= (uintptr_t) __ehdr_start && address < (uintptr_t) _etext)
	 || is_end_of_gate ((const unsigned char *) address);
}

#endif

/* Record a sample.  Threads without a ring have sent nothing that it could belong to. */
static uint64_t
note (uint64_t address, uint64_t ns)
{
  const struct cab_rt_thread *t = cab_rt_on () ? cab_ctx_self ()->thread : NULL;
  uint64_t units = ns >> CAB_EV_UNIT_NS_SHIFT;
  if (!t || !t->ring)
    return 0;
  if (units > CAB_EV_UNITS_MAX)
    units = CAB_EV_UNITS_MAX;
  if (is_own (address))
    address = CAB_EV_ADDRESS_RUNTIME;
  uint64_t event = units << CAB_EV_UNITS_SHIFT
		 | (address & CAB_EV_ADDRESS_MASK) << CAB_EV_ADDRESS_SHIFT | CAB_EV_SAMPLE;
  cab_gate_call (enqueue, &event);
  return ns - (units << CAB_EV_UNIT_NS_SHIFT);
}

#ifdef CAB_STATIC

/* Nothing can be preloaded into a statically linked program. */
static struct cab_sampler *
find (void)
{
  return NULL;
}

#else

static struct cab_sampler *
find (void)
{
  struct cab_sampler *sampler = getenv (CAB_SAMPLER_VARIABLE) ? cab_symbol_find (CAB_SAMPLER_SYMBOL)
							      : NULL;
  return sampler && sampler->abi == CAB_SAMPLER_ABI && sampler->bytes == sizeof *sampler ? sampler
											 : NULL;
}

#endif

bool
cab_sampler_is_there (void)
{
  return find () != NULL;
}

void
cab_sampler_start (void)
{
  struct cab_sampler *sampler = find ();
  if (sampler)
    __atomic_store_n (&sampler->note, note, __ATOMIC_RELEASE);
}
