#!/bin/bash
# trace-closed.sh - nothing is missing from a trace, written to a file or to the recorder, if
# another thread of the program closes unknown descriptors meanwhile. A tracer plays that thread: it
# closes the descriptor at chosen calls, before them or after a part was written.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/cli.sh"

cat >close.c <<'END'
/* close - run a program; at chosen calls of writev and sendmsg, all of which its runtime makes,
   close their descriptor as another thread would. CLOSE_EVERY: each N-th call; CLOSE_AT: this one.
   Their number goes to the file CLOSE_COUNT. Of such calls of writev, every other one has written a
   part. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

static int
next_stop (pid_t pid, int *status)
{
  return ptrace (PTRACE_SYSCALL, pid, 0, 0) < 0 || waitpid (pid, status, 0) != pid || WIFEXITED (*status) || WIFSIGNALED (*status);
}

/* PID is about to make the call in REGISTERS: make call NUMBER instead; PID is after it then. */
static long
call (pid_t pid, const struct user_regs_struct *registers, int again, long number, long a, long b, long c)
{
  struct user_regs_struct r = *registers;
  int status;
  r.rdi = a, r.rsi = b, r.rdx = c;
  if (again)
    {
      r.rip -= 2;
      r.rax = number;
      ptrace (PTRACE_SETREGS, pid, 0, &r);
      next_stop (pid, &status);
    }
  else
    {
      r.orig_rax = number;
      ptrace (PTRACE_SETREGS, pid, 0, &r);
    }
  next_stop (pid, &status);
  ptrace (PTRACE_GETREGS, pid, 0, &r);
  return r.rax;
}

/* Close the descriptor of the call in REGISTERS, then let PID make it, or return with the part that
   was written. */
static void
close_in (pid_t pid, struct user_regs_struct *registers, int with_part)
{
  long done = 0, fd = registers->rdi;
  if (with_part && registers->orig_rax == SYS_writev)
    {
      long base = ptrace (PTRACE_PEEKDATA, pid, registers->rsi, 0), bytes = ptrace (PTRACE_PEEKDATA, pid, registers->rsi + 8, 0);
      done = call (pid, registers, 0, SYS_write, fd, base, bytes < 9 ? bytes : 9);
    }
  call (pid, registers, done > 0, SYS_close, fd, 0, 0);
  if (done > 0)
    registers->rax = done;
  else
    {
      int status;
      registers->rip -= 2;
      registers->rax = registers->orig_rax;
      ptrace (PTRACE_SETREGS, pid, 0, registers);
      next_stop (pid, &status);   /* it makes the call: this entry has been seen */
      return;
    }
  ptrace (PTRACE_SETREGS, pid, 0, registers);
}

int
main (int argc, char **argv)
{
  const char *every = getenv ("CLOSE_EVERY"), *at = getenv ("CLOSE_AT"), *count = getenv ("CLOSE_COUNT");
  int status, n = 0, entered = 0;
  pid_t pid = fork ();
  (void) argc;
  if (!pid)
    {
      if (ptrace (PTRACE_TRACEME, 0, 0, 0) < 0)
	_exit (99);
      execv (argv[1], argv + 1);
      _exit (127);
    }
  waitpid (pid, &status, 0);
  if (!WIFSTOPPED (status))
    return 77;
  ptrace (PTRACE_SETOPTIONS, pid, 0, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL);
  while (!next_stop (pid, &status))
    {
      struct user_regs_struct r;
      if (!WIFSTOPPED (status) || WSTOPSIG (status) != (SIGTRAP | 0x80))
	continue;
      entered = !entered;
      ptrace (PTRACE_GETREGS, pid, 0, &r);
      if (!entered || (r.orig_rax != SYS_writev && r.orig_rax != SYS_sendmsg) || r.rdi <= 2)
	continue;
      n++;
      if ((every && n % atoi (every) == 0) || (at && n == atoi (at)))
	{
	  int done = n % 2 && r.orig_rax == SYS_writev;
	  close_in (pid, &r, n % 2);
	  entered = !done;
	}
    }
  FILE *file = count ? fopen (count, "w") : NULL;
  if (file)
    fprintf (file, "%d\n", n);
  return WIFEXITED (status) ? WEXITSTATUS (status) : 1;
}
END
cat >prog.c <<'END'
static volatile int table[1000];
__attribute__ ((noipa)) static void put (int i) { table[i * 7 % 1000] = i; }
int main (void)
{
  for (int round = 0; round < 100; round++)
    for (int i = 0; i < 1000; i++)
      put (i);
}
END
gcc -include signal.h close.c -o close || fail "close.c does not compile"
./close /bin/true; [ $? = 77 ] && skip "ptrace is forbidden"
probed memory prog.c prog -O1
options=data=profile:placement=inline:chunk=4K:ring=64K

# whole WHAT: check that the trace is complete, and that nothing was printed.
whole ()
{
  [ ! -s words ] || fail "$1: $(cat words)"
  expect 0 "$CABPROF" trace stat --format=tsv trace
  quiet
  grep -qP '^1\t1\twrite\t100000\t400000$' out || fail "$1: $(cat out)"
  "$CABPROF" trace dump trace | cut -d' ' -f 2,4- >dump
  cmp plain dump || fail "$1: another trace"
}

CABPROF_OPTIONS=$options:trace=trace ./prog || fail "prog fails"
"$CABPROF" trace dump trace | cut -d' ' -f 2,4- >plain
for every in 2 3 5; do
  rm -rf trace profile
  env CABPROF_OPTIONS=$options:trace=trace CLOSE_EVERY=$every ./close ./prog 2>words ||
    fail "closed every $every: $(cat words)"
  whole "closed every $every"
done

# What is written at the end is complete, too: the last sends, each closed once.
record ()
{
  rm -rf trace profile
  "$CABPROF" record --quiet --sample=off --options=placement=inline:chunk=4K:ring=64K \
    --trace=trace -d profile -- env "$@" ./close ./prog 2>words || fail "$*: $(cat words)"
}
record CLOSE_COUNT=count
whole "recorded"
n=$(cat count)
[ "$n" -gt 20 ] || fail "only $n sends"
for at in 3 $((n / 2)) $((n - 2)) $((n - 1)) $n; do
  record CLOSE_AT=$at
  whole "closed at $at of $n"
done
