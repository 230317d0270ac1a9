/* unwind.c - unwind to main at each instruction of code with probes. With HOST, the file is the
 * part without probes: main, and the unwinding.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef HOST

#include <stdlib.h>
#include <string.h>

static int table[64];
static long sum;

__attribute__ ((noipa)) static long
ends (long x)
{
  return x + table[x & 63];
}

/* The last call is a jump. */
__attribute__ ((noipa)) static long
jumps (long x)
{
  table[x & 63]++;
  return ends (x + 1);
}

__attribute__ ((noipa)) static long
loops (int n, const int *p)
{
  long s = 0;
  for (int i = 0; i < n; i++)
    if (p[i] & 1)
      s += p[i];
    else
      table[i] ^= i;
  return s;
}

/* The length of the frame is computed when it is made, and the stack is aligned. */
__attribute__ ((noipa)) static long
grows (int n)
{
  _Alignas (64) int aligned[16] = { n };
  int v[n];
  memset (v, n, sizeof v);
  return loops (n, v) + loops (16, aligned);
}

void
work (void)
{
  int *p = malloc (20 * sizeof *p);
  for (int i = 0; i < 20; i++)
    p[i] = i * 3;
  for (int i = 0; i < 3; i++)
    sum += loops (20, p) + jumps (i) + grows (7 + i);
  free (p);
}

#else

#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unwind.h>

#define WANTED 300   /* samples */
#define TRAP_FLAG 0x100

extern void work (void);
int main (int argc, char **argv);

static volatile long n, n_lost;
static volatile int stepping;
static unsigned long lost[20];

static _Unwind_Reason_Code
look (struct _Unwind_Context *context, void *data)
{
  if (_Unwind_FindEnclosingFunction ((char *) _Unwind_GetIP (context)) == (void *) main)
    *(int *) data = 1;
  return _URC_NO_REASON;
}

static void
on_signal (int sig, siginfo_t *info, void *context)
{
  greg_t *registers = ((ucontext_t *) context)->uc_mcontext.gregs;
  int way = 0;
  _Unwind_Backtrace (look, &way);
  n++;
  if (!way)
    lost[n_lost++ % 20] = registers[REG_RIP];
  /* A gate clears the flag while signals are blocked, and so it stays clear. */
  if (sig == SIGTRAP && info->si_code == SI_TKILL)
    registers[REG_EFL] |= TRAP_FLAG;
  else if (sig == SIGTRAP && !stepping)
    registers[REG_EFL] &= ~(greg_t) TRAP_FLAG;
}

/* With the argument step, unwind at each instruction; otherwise at random moments. */
int
main (int argc, char **argv)
{
  struct sigaction action = { .sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_RESTART };
  struct itimerval often = { { 0, 200 }, { 0, 200 } }, never = { { 0, 0 }, { 0, 0 } };
  int way = 0;
  /* The unwinder's first run looks up what it needs. */
  _Unwind_Backtrace (look, &way);
  sigaction (SIGTRAP, &action, NULL);
  sigaction (SIGALRM, &action, NULL);
  if (argc > 1 && !strcmp (argv[1], "step"))
    {
      stepping = 1;
      raise (SIGTRAP);
      for (int i = 0; i < 8; i++)
	work ();
      stepping = 0;
    }
  else
    {
      setitimer (ITIMER_REAL, &often, NULL);
      while (n < WANTED)
	work ();
      setitimer (ITIMER_REAL, &never, NULL);
    }
  for (int i = 0; i < n_lost && i < 20; i++)
    printf ("lost at main + %#lx\n", lost[i] - (unsigned long) main);
  printf ("%ld lost, %s\n", n_lost, n >= WANTED ? "looked often" : "not looked");
  return n_lost != 0;
}

#endif
