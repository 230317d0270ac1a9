#!/bin/bash
# trace-special.sh - trace= with the name of an existing device or named pipe writes to it as it is,
# prints one message if that fails, and lets the program go on.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/cli.sh"
need gcc

cat >prog.c <<'END'
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
long all[1000];
__attribute__ ((noipa)) static void fill (int n)
{
  for (int i = 0; i < n; i++)
    all[rand () % 1000] = i;
}
int main (int argc, char **argv)
{
  int status = 0;
  for (int i = 0; i < 50; i++)
    fill (1000);
  for (; argc > 2; argc--)
    if (fork () == 0)
      {
	if (argv[2][0] == 'x')
	  execl ("./prog", "prog", NULL);
	fill (1000);
	exit (0);
      }
  while (wait (&status) > 0)
    ;
  /* The runtime neither blocks nor handles SIGPIPE. */
  sigset_t blocked;
  sigprocmask (SIG_BLOCK, NULL, &blocked);
  return status || sigismember (&blocked, SIGPIPE);
}
END
probed memory prog.c prog -O2

# run TARGET PLACEMENT [ARGUMENT...]: run the program with its trace to TARGET.
run ()
{
  CABPROF_OPTIONS=data=profile:trace=$1:chunk=1K:ring=16K:placement=$2 timeout 60 ./prog \
    "${@:3}" >out 2>err || fail "$1: exit status $?: $(cat err)"
}

# piped PLACEMENT [ARGUMENT...]: write the trace to a pipe that is read.
piped ()
{
  "$CABPROF" trace stat --format=tsv pipe >table 2>words &
  run pipe "$@"
  wait $! || fail "pipe, $*: $(cat words)"
  [ ! -s words ] || fail "pipe, $*: $(cat words)"
  prints '^1	1	write	50001	400004$' table
}

mkfifo pipe
for placement in thread inline; do
  run /dev/full $placement
  says '/dev/full: cannot write the trace: No space left on device; it ends here'
  run /dev/null $placement; quiet
  piped $placement; quiet
  # Neither a child nor another program may write to its parent's pipe.
  piped $placement 1 fork
  says 'pipe: cannot write the trace: Device or resource busy; it ends here'
  piped $placement 1 x; says 'pipe: cannot write the trace: Device or resource busy; it ends here'
  head -c 5000 pipe >beginning &
  run pipe $placement; says 'pipe: cannot write the trace: Broken pipe; it ends here'
  wait
  [ "$(stat -c %s beginning)" = 5000 ] || fail "the pipe's reader got $(stat -c %s beginning) bytes"
done
CABPROF_OPTIONS=data=profile:trace=/dev/stdout ./prog | "$CABPROF" trace stat --format=tsv >out ||
  fail "/dev/stdout"
prints '^1	1	write	50001	400004$'
[ -p pipe ] && [ -z "$(ls /dev/full?* /dev/null?* pipe?* 2>/dev/null)" ] ||
  fail "files beside: $(ls /dev/full* /dev/null* pipe*)"
# A profile needs a directory.
CABPROF_OPTIONS=data=/dev/full ./prog 2>err || fail "data=/dev/full: $?"
says '/dev/full: is no directory; remove it, or name another directory in CABPROF_OPTIONS: data=DIR; running unprofiled'
