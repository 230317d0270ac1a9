/* filters.c - see filters.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/filters/filters.h"

#include <linux/audit.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "rt/filters/bpf.h"
#include "rt/base/gate_stack.h"
#include "rt/libc/libc_system.h"
#include "rt/base/rt.h"

#define SIGNALS_BYTES 8
#define CLONE_OF_THREAD 0x3d0f00   /* the flags of pthread_create */

static struct filter
{
  const struct sock_filter *code;
  uint32_t n;
  uint32_t dropped;
} filters[CAB_FILTERS_MOST];

uint32_t cab_filters;

/* The filters of all threads that may make threads: a new thread may have them from the start. */
static uint64_t inherited;

static bool
allows (const struct filter *f, const struct seccomp_data *call)
{
  if (__atomic_load_n (&f->dropped, __ATOMIC_RELAXED))
    return true;
  uint32_t answer = f->code ? cab_bpf_run (f->code, f->n, call) & SECCOMP_RET_ACTION_FULL
			    : SECCOMP_RET_KILL_THREAD;
  return answer == SECCOMP_RET_ALLOW || answer == SECCOMP_RET_LOG;
}

static bool
all_allow (uint64_t bits, long number, const long *arguments)
{
  struct seccomp_data call = { .nr = number,
			       .arch = AUDIT_ARCH_X86_64,
			       .instruction_pointer = (uintptr_t) all_allow };
  for (int i = 0; i < 6; i++)
    call.args[i] = arguments[i];
  for (bits &= CAB_CONFINED_FILTERS; bits; bits &= bits - 1)
    if (!allows (&filters[__builtin_ctzll (bits)], &call))
      return false;
  return true;
}

bool
cab_filters_known (void)
{
  return cab_filters && cab_ctx_self ()->confined & CAB_CONFINED_FILTERS;
}

static enum cab_may_call
may_call (long number, const long *arguments)
{
  if (!cab_filters_known ())
    return CAB_CALL_UNKNOWN;
  return all_allow (cab_ctx_self ()->confined, number, arguments) ? CAB_CALL_ALLOWED
								  : CAB_CALL_FORBIDDEN;
}

/* Return true if a thread that obeys BITS may do what trampoline.S does.  HAS_STACK: it has its
   stack already. */
static bool
may_pass_gates (uint64_t bits, bool has_stack)
{
  static const uint64_t signals;
  const long block[6] = { SIG_SETMASK, (uintptr_t) &signals, (uintptr_t) &signals, SIGNALS_BYTES };
  const long stack[6] = { 0, CAB_STACK_BYTES + CAB_STACK_GUARD_BYTES, PROT_READ | PROT_WRITE,
			  CAB_MAP_OF_STACK, -1 };
  const long guard[6] = { 0, CAB_STACK_GUARD_BYTES };
  return all_allow (bits, SYS_rt_sigprocmask, block)
      && (has_stack
	  || (all_allow (bits, SYS_mmap, stack) && all_allow (bits, SYS_madvise, guard)
	      && all_allow (bits, SYS_mprotect, guard) && all_allow (bits, SYS_gettid, guard)));
}

static uint64_t
look (const struct cab_ctx *ctx, uint64_t bits)
{
  return CAB_CONFINED_LOOKED | bits
       | (may_pass_gates (bits, ctx->stack != 0) ? 0 : CAB_CONFINED_BLIND);
}

bool
cab_filters_blind (struct cab_ctx *ctx)
{
  if (!(ctx->confined & CAB_CONFINED_LOOKED))
    ctx->confined = look (ctx, ctx->thread ? 0 : __atomic_load_n (&inherited, __ATOMIC_ACQUIRE));
  return ctx->confined & CAB_CONFINED_BLIND;
}

uint64_t
cab_filters_add (const struct sock_filter *code, uint32_t n)
{
  const uint32_t last = CAB_FILTERS_MOST - 1;
  uint32_t i = cab_filters < last ? cab_filters : last;
  filters[i] = (struct filter) { i < last ? code : NULL, n, 0 };
  cab_libc_may_call = may_call;
  __atomic_store_n (&cab_filters, i + 1, __ATOMIC_RELEASE);
  return UINT64_C (1) << i;
}

void
cab_filters_drop (uint64_t bits)
{
  for (uint32_t i = 0; i < cab_filters; i++)
    if (bits >> i & 1)
      __atomic_store_n (&filters[i].dropped, 1, __ATOMIC_RELEASE);
}

void
cab_filters_inherit (uint64_t bits)
{
  __atomic_fetch_or (&inherited, bits, __ATOMIC_RELEASE);
}

void
cab_filters_obey (struct cab_ctx *ctx, uint64_t bits)
{
  static const long thread[6] = { CLONE_OF_THREAD };
  uint64_t all = (ctx->confined | bits) & CAB_CONFINED_FILTERS;
  if (all_allow (all, SYS_clone, thread) || all_allow (all, SYS_clone3, thread))
    cab_filters_inherit (all);
  __atomic_store_n (&ctx->confined, look (ctx, all), __ATOMIC_RELEASE);
}
