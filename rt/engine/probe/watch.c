/* watch.c - see watch.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/engine/probe/watch.h"

#ifdef CAB_STATIC

bool
cab_watch (void)
{
  return false;
}

void
cab_watch_new (void)
{
}

#else

#include <linux/prctl.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "rt/base/rt.h"
#include "rt/engine/probe/sandbox.h"
#include "rt/libc/slots.h"
#include "rt/libc/symbols.h"

#define HIDDEN __attribute__ ((visibility ("hidden")))
#define TEXT_OF(number) TEXT_OF_ (number)
#define TEXT_OF_(number) #number

/* What the program's calls reach. */
HIDDEN long (*cab_watched_prctl) (long option, ...);
HIDDEN long (*cab_watched_syscall) (long number, ...);

/* Where the program's calls arrive. */
HIDDEN void cab_watch_prctl (void);
HIDDEN void cab_watch_syscall (void);

__asm__ (".text\n"
	 ".globl cab_watch_prctl, cab_watch_syscall\n"
	 ".hidden cab_watch_prctl, cab_watch_syscall\n"
	 ".type cab_watch_prctl, @function\n"
	 ".p2align 4\n"
	 "cab_watch_prctl:\n"
	 ".cfi_startproc\n"
	 "endbr64\n"
	 "cmpl $" TEXT_OF (PR_SET_SECCOMP) ", %edi\n"
	 "je cab_watch_prctl_filter\n"
	 "jmp *cab_watched_prctl(%rip)\n"
	 ".cfi_endproc\n"
	 ".size cab_watch_prctl, .-cab_watch_prctl\n"
	 ".type cab_watch_syscall, @function\n"
	 ".p2align 4\n"
	 "cab_watch_syscall:\n"
	 ".cfi_startproc\n"
	 "endbr64\n"
	 "cmpq $" TEXT_OF (__NR_seccomp) ", %rdi\n"
	 "je cab_watch_syscall_filter\n"
	 "cmpq $" TEXT_OF (__NR_setrlimit) ", %rdi\n"
	 "je cab_watch_syscall_filter\n"
	 "cmpq $" TEXT_OF (__NR_prlimit64) ", %rdi\n"
	 "je cab_watch_syscall_filter\n"
	 "cmpq $" TEXT_OF (__NR_mlockall) ", %rdi\n"
	 "je cab_watch_syscall_filter\n"
	 "cmpq $" TEXT_OF (__NR_prctl) ", %rdi\n"
	 "jne 1f\n"
	 "cmpl $" TEXT_OF (PR_SET_SECCOMP) ", %esi\n"
	 "je cab_watch_syscall_filter\n"
	 "1: jmp *cab_watched_syscall(%rip)\n"
	 ".cfi_endproc\n"
	 ".size cab_watch_syscall, .-cab_watch_syscall\n");

HIDDEN long cab_watch_prctl_filter (long option, long a, long b, long c, long d);
HIDDEN long cab_watch_syscall_filter (long number, long a, long b, long c, long d, long e, long f);

long
cab_watch_prctl_filter (long option, long a, long b, long c, long d)
{
  const struct cab_confine call = { CAB_CONFINE_PRCTL, { (int) option, a, b, c } };
  bool told = cab_sandbox_begin_watched (&call);
  long result = cab_watched_prctl (option, a, b, c, d);
  if (told)
    cab_sandbox_end ((int) result);
  return result;
}

/* F is where the caller of syscall puts a seventh argument; what is there otherwise is as
   unimportant here as it is in the C library's function. */
long
cab_watch_syscall_filter (long number, long a, long b, long c, long d, long e, long f)
{
  const struct cab_confine call = { CAB_CONFINE_SYSCALL, { number, a, b, c } };
  bool told = cab_sandbox_begin_watched (&call);
  long result = cab_watched_syscall (number, a, b, c, d, e, f);
  if (told)
    cab_sandbox_end (result);
  return result;
}

/* The C library's functions of two names are one each. */
static int (*watched_setrlimit) (int resource, const struct rlimit *limit);
static int (*watched_prlimit) (int pid, int resource, const struct rlimit *new, struct rlimit *old);
static int (*watched_mlockall) (int flags);

static int
watch_setrlimit (int resource, const struct rlimit *limit)
{
  const struct cab_confine call = { CAB_CONFINE_SETRLIMIT, { resource, (uintptr_t) limit } };
  cab_sandbox_begin_watched (&call);
  return watched_setrlimit (resource, limit);
}

static int
watch_prlimit (int pid, int resource, const struct rlimit *new, struct rlimit *old)
{
  const struct cab_confine call = { CAB_CONFINE_PRLIMIT, { pid, resource, (uintptr_t) new } };
  cab_sandbox_begin_watched (&call);
  return watched_prlimit (pid, resource, new, old);
}

static int
watch_mlockall (int flags)
{
  const struct cab_confine call = { CAB_CONFINE_MLOCKALL, { flags } };
  cab_sandbox_begin_watched (&call);
  return watched_mlockall (flags);
}

/* Name, what the program's calls reach, and where they are to arrive. */
static const struct
{
  const char *name;
  void *reached;
  uintptr_t to;
} watched[] = {
  { "prctl", &cab_watched_prctl, (uintptr_t) cab_watch_prctl },
  { "syscall", &cab_watched_syscall, (uintptr_t) cab_watch_syscall },
  { "setrlimit", &watched_setrlimit, (uintptr_t) watch_setrlimit },
  { "setrlimit64", &watched_setrlimit, (uintptr_t) watch_setrlimit },
  { "prlimit", &watched_prlimit, (uintptr_t) watch_prlimit },
  { "prlimit64", &watched_prlimit, (uintptr_t) watch_prlimit },
  { "mlockall", &watched_mlockall, (uintptr_t) watch_mlockall }
};
#define N (sizeof watched / sizeof *watched)

bool
cab_watch (void)
{
  struct cab_redirection r[N];
  unsigned n = 0;
  for (unsigned i = 0; i < N; i++)
    {
      void **reached = watched[i].reached;
      if (!*reached)
	*reached = cab_symbol_of_program (watched[i].name);
      if (*reached)
	r[n++] = (struct cab_redirection) { watched[i].name, (uintptr_t) *reached, watched[i].to };
    }
  return cab_watched_prctl && cab_watched_syscall && cab_slots_redirect (r, n) == 0;
}

void
cab_watch_new (void)
{
  if (cab_slots_are_new ())
    cab_watch ();
}

#endif
