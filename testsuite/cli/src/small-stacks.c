/* small-stacks.c - code with probes on stacks of any size. With HOST, the file is the part without
 * probes: main, and the code that changes stacks.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef HOST

static int table[64];
static long n;

#define F(k) \
  static __attribute__ ((noipa)) void f##k (int x) \
  { \
    for (int i = 0; i < x; i++) \
      table[(i + k) & 63] += k; \
    n += k; \
  }
F (1) F (2) F (3) F (4) F (5) F (6) F (7) F (8)

__attribute__ ((noipa)) static void
all (void)
{
  f1 (3), f2 (4), f3 (5), f4 (6), f5 (7), f6 (8), f7 (9), f8 (10);
}

void
body (void)
{
  for (int i = 0; i < 2000; i++)
    all ();
}

void
handler (int sig)
{
  (void) sig;
  body ();
}

/* Registers hold what the caller has left there. */
long
result (void)
{
  return n + table[5];
}

#else

#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <ucontext.h>

extern void body (void), handler (int);
extern long result (void);

static size_t bytes;

/* Return the end of BYTES of stack whose neighbours below are out of bounds. */
static char *
stack (void)
{
  size_t size = (bytes + 4095) / 4096 * 4096;
  char *p = mmap (0, size + 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mprotect (p, 4096, PROT_NONE);
  mprotect (p + 4096 + size, 4096, PROT_NONE);
  return p + 4096 + size;
}

static void
in_context (void)
{
  ucontext_t here, there;
  getcontext (&there);
  there.uc_stack.ss_sp = stack () - bytes;
  there.uc_stack.ss_size = bytes;
  there.uc_link = &here;
  makecontext (&there, body, 0);
  swapcontext (&here, &there);
}

/* Change the stack with as little code as possible. */
static void
in_coroutine (void)
{
  char *end = stack ();
  __asm__ volatile ("movq\t%%rsp, %%rbx\n\tmovq\t%0, %%rsp\n\tcall\tbody\n\tmovq\t%%rbx, %%rsp"
		    : : "r" (end) : "rbx", "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "xmm0", "xmm1", "xmm2", "xmm3", "memory", "cc");
}

static void
in_handler (void)
{
  stack_t s = { .ss_sp = stack () - bytes, .ss_size = bytes };
  struct sigaction a = { .sa_handler = handler, .sa_flags = SA_ONSTACK };
  sigaltstack (&s, 0);
  sigaction (SIGUSR1, &a, 0);
  raise (SIGUSR1);
}

static void *
run (void *how)
{
  switch (*(const char *) how)
    {
    case 'c': in_context (); break;
    case 'o': in_coroutine (); break;
    case 's': in_handler (); break;
    default: body ();
    }
  return NULL;
}

/* Arguments: HOW BYTES [thread]; +N bytes are added to what the kernel needs for a signal. */
int
main (int argc, char **argv)
{
  pthread_t t;
  bytes = strtoul (argv[2], NULL, 10) + (argv[2][0] == '+' ? getauxval (AT_MINSIGSTKSZ) : 0);
  if (argc < 4)
    run (argv[1]);
  else if (pthread_create (&t, NULL, run, argv[1]) || pthread_join (t, NULL))
    return 1;
  printf ("%ld\n", result ());
  return 0;
}

#endif
