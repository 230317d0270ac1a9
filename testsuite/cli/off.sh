#!/bin/bash
# off.sh - a program that runs unprofiled behaves as without probes, and its events seldom take the
# slow path.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/../lib.sh"
need_build

cat >work.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
struct node { struct node *next; int value; };
static long sum (const struct node *n) { long s = 0; for (; n; n = n->next) s += n->value; return s; }
static struct node *
make (int n)
{
  struct node *list = NULL;
  for (int i = 0; i < n; i++)
    {
      struct node *node = malloc (sizeof *node);
      *node = (struct node) { list, i };
      list = node;
    }
  return list;
}
static sigjmp_buf out;
static volatile long left;
static void handler (int number) { (void) number; left += sum (make (2)); siglongjmp (out, 1); }
static void *
thread (void *list)
{
  long s = 0;
  for (int i = 0; i < 200; i++)
    s += sum (list);
  return (void *) s;
}
int
main (int argc, char **argv)
{
  int n_jumps = argc > 1 ? atoi (argv[1]) : 100;
  struct node *list = make (500);
  pthread_t threads[100];
  long s = 0;
  for (int i = 0; i < 100; i++)
    if (pthread_create (&threads[i], NULL, thread, list))
      return 2;
  for (int i = 0; i < 100; i++)
    {
      void *result;
      pthread_join (threads[i], &result);
      s += (long) result;
    }
  signal (SIGALRM, handler);
  for (int i = 0; i < n_jumps; i++)
    if (!sigsetjmp (out, 1))
      {
	ualarm (200, 0);
	for (;;)
	  left += sum (list) & 0;
      }
  if (fork () == 0)
    _exit (sum (list) == 124750 ? 0 : 1);
  int status;
  wait (&status);
  void *library = dlopen ("./library.so", RTLD_NOW);
  long (*twice) (long *, int) = (long (*) (long *, int)) dlsym (library, "twice");
  long numbers[10] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 };
  printf ("%ld %ld %d %ld\n", s, left, status, twice (numbers, 10));
  return 0;
}
C
echo 'long twice (long *p, int n) { long s = 0; for (int i = 0; i < n; i++) if (p[i] & 1) s += p[i] *= 2; return s; }' >library.c

# slow FILE: print how often callgrind saw the gates of events called.
slow ()
{
  awk '/^c?fn=/ { split ($0, part, /[()]/); if (part[3] != "") name[part[2]] = substr (part[3], 2);
                     at = name[part[2]]; is_call = /^cfn/ }
       /^calls=/ && is_call && at ~ /^__cab_gate_(words|event)/ { split ($1, part, "="); n += part[2] } END { print n + 0 }' "$1"
}

# A handler's event comes after each instruction of a thread's first event in turn.
cat >steps.c <<'C'
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <ucontext.h>
static volatile int steps, last;
__attribute__ ((noipa)) int told (int n) { return n + 1; }
static void
step (int number, siginfo_t *info, void *context)
{
  (void) number, (void) info;
  if (++steps < last)
    return;
  told (steps);
  ((ucontext_t *) context)->uc_mcontext.gregs[REG_EFL] &= ~0x100;
}
static void *
begins (void *unused)
{
  steps = 0;
  __asm__ volatile ("pushfq\n\torq $0x100, (%%rsp)\n\tpopfq" ::: "memory", "cc");
  told (1);
  __asm__ volatile ("pushfq\n\tandq $~0x100, (%%rsp)\n\tpopfq" ::: "memory", "cc");
  return unused;
}
int
main (void)
{
  struct sigaction action = { .sa_sigaction = step, .sa_flags = SA_SIGINFO };
  sigaction (SIGTRAP, &action, NULL);
  for (last = 1; last < 200; last++)
    {
      pthread_t id;
      if (pthread_create (&id, NULL, begins, NULL) || pthread_join (id, NULL))
	return 2;
    }
  return 0;
}
C
gcc -O1 "-fplugin=$PLUGIN" -fplugin-arg-cabprof-events=calls \
  -fplugin-arg-cabprof-exclude=begins,step,main steps.c -o steps -lpthread ||
  fail "steps.c does not compile"
CABPROF_OPTIONS=off timeout 60 ./steps || fail "stepped: status $?"
# While the program is profiled, no trap may come in the slow paths, which block it.
CABPROF_OPTIONS=data=stepped:placement=inline timeout 60 ./steps ||
  fail "stepped and profiled: status $?"
rm -rf stepped

gcc -O2 -shared -fPIC library.c -o library.so && gcc -O2 work.c -o plain -ldl -lpthread ||
  fail "work.c does not compile"
./plain >want || fail "the plain program: $?"
for events in memory calls,paths,memory,loops,context; do
  flags=("-fplugin=$PLUGIN" "-fplugin-arg-cabprof-events=${events%,context}" \
    "-fplugin-arg-cabprof-paths=trace")
  [ "$events" = memory ] || flags+=(-fplugin-arg-cabprof-context)
  gcc -O2 "${flags[@]}" -shared -fPIC library.c -o library.so && gcc -O2 "${flags[@]}" work.c \
    -o work -ldl -lpthread || fail "$events: does not compile"
  CABPROF_OPTIONS=off timeout 120 ./work >got || fail "$events: status $?"
  cmp -s want got || fail "$events: $(cat got) instead of $(cat want)"
  CABPROF_OPTIONS=placement=nowhere timeout 120 ./work >got 2>err ||
    fail "$events: an option that is refused: status $?"
  cmp -s want got || fail "$events: refused: $(cat got) instead of $(cat want)"
  [ ! -e cabprof.data ] || fail "$events: a process that runs unprofiled wrote a profile"
  CABPROF_OPTIONS=off valgrind --tool=callgrind --callgrind-out-file=calls.out ./work 0 >/dev/null \
    2>&1 || fail "$events: under callgrind"
  n=$(slow calls.out)
  # 20,000 sums of 500 nodes give at least 10 million events, or 1,250,000 that stand for eight
  # iterations each; 100 threads start.
  [ "$n" -gt 100 ] && [ "$n" -lt 40000 ] || fail "$events: $n events took the slow path"
done
