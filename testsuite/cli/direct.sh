#!/bin/bash
# direct.sh - placement=direct gives the reports of the other placements: programs in C, C++ and
# Fortran, threads, forks, longjmp out of handlers, handlers that fork, cancelled threads, regions,
# kill -9; with restartable sequences and, where GLIBC_TUNABLES takes these away, without them.
# SPDX-License-Identifier: GPL-3.0-or-later
# timeout: 300
. "$(dirname "$0")/cli.sh"
need gcc g++ gfortran python3

analyses=methods+calls+tree+paths+cache
without=GLIBC_TUNABLES=glibc.pthread.rseq=0

# built SOURCE PROGRAM COMPILER [OPTION...]: compile it with all that these analyses take.
built ()
{
  "$3" -g -O2 -fplugin="$PLUGIN" -fplugin-arg-cabprof-events=paths+calls+memory \
    -fplugin-arg-cabprof-paths=trace "${@:4}" "$1" -o "$2" -pthread || fail "$1 does not compile"
}

# record STATUS OPTIONS COMMAND...: run it.
record ()
{
  local wanted=$1 options=$2 status=0
  shift 2
  rm -rf data
  {
    CABPROF_OPTIONS=data=data:analyses=$analyses:$options timeout -k 1 100 "$@" >said 2>err ||
      status=$?
  } 2>no
  [ $status = "$wanted" ] || fail "$options $*: exit status $status: $(cat err)"
  [ ! -s err ] || fail "$options $*: $(cat err)"
}

# reports DIRECTORY: print all that does not depend on addresses, which differ from run to run.
reports ()
{
  for report in methods calls tree paths; do
    rows $report -d "$1" || fail "no report $report"
  done
  "$CABPROF" report cache -d "$1" --format=tsv | grep "D1" | cut -f6-8
  "$CABPROF" report account -d "$1" --format=tsv |
    grep -E '^(events_sent|events_analysed|accesses|words_sent|dropped|lost)'
}

# same STATUS PROGRAM [ARGUMENT...]: compare the placements.
same ()
{
  local status=$1
  shift
  record "$status" placement=inline "./$@"
  reports data >wanted
  mv said wanted.said
  for options in placement=thread placement=direct without; do
    if [ $options = without ]; then
      record "$status" placement=direct env $without "./$@"
    else
      record "$status" $options "./$@"
    fi
    reports data >got
    cmp -s wanted.said said || fail "$options: $* says $(cat said), not $(cat wanted.said)"
    cmp -s wanted got || fail "$options: $*: $(diff wanted got | head -8)"
  done
}

# replayed COMMAND...: the five analyses find in a trace of the same run what they found in place.
replayed ()
{
  rm -rf trace again
  record 0 placement=direct:trace=trace "$@"
  expect 0 "$CABPROF" trace replay -d again trace
  for profile in data again; do
    { reports $profile; rows cache -d $profile; rows offenders -d $profile; } >$profile.rows
  done
  cmp data.rows again.rows || fail "$*: $(diff data.rows again.rows | head -8)"
  awk -F'\t' '$2 == "D1" && $9 > 0 { found = 1 } END { exit !found }' data.rows ||
    fail "$*: no miss: $(cat data.rows)"
}

cat >threads.c <<'END'
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int table[4][64];
__attribute__ ((noipa)) static int odd (int n) { return n % 2 ? n * 3 + 1 : n / 2; }
__attribute__ ((noipa)) static void leave (jmp_buf to, int n) { if (n) leave (to, n - 1); longjmp (to, 1); }
static int compare (const void *a, const void *b) { return odd (*(const int *) a) - odd (*(const int *) b); }

static void *
work (void *arg)
{
  int k = *(int *) arg, n = k, sorted[200];
  jmp_buf back;
  for (int i = 0; i < 6000; i++)
    {
      n = odd (n + i) & 0xffff;
      table[k % 4][n % 64] += n;
      sorted[i % 200] = n;
    }
  qsort (sorted, 200, sizeof *sorted, compare);
  for (volatile int i = 0; i < 20; i++)
    if (!setjmp (back))
      leave (back, i);
  char *block = malloc (n + 100);
  memset (block, k, n + 100);
  free (block);
  return NULL;
}

int
main (int argc, char **argv)
{
  int n[4] = { 1, 2, 3, 4 }, status = 0;
  pthread_t thread[4];
  for (int i = 0; i < 4; i++)
    pthread_create (&thread[i], NULL, work, &n[i]);
  for (int i = 0; i < 4; i++)
    pthread_join (thread[i], NULL);
  pid_t child = argc > 1 && !strcmp (argv[1], "fork") ? fork () : -1;
  for (int i = 0; child && i < 5000; i++)
    n[0] = odd (n[0] + i) & 0xffff;
  if (child == 0)
    work (&n[1]);
  else if (child > 0)
    waitpid (child, &status, 0);
  else if (argc > 1)
    kill (getpid (), SIGKILL);
  return status != 0;
}
END
built threads.c threads gcc
same 0 threads
same 0 threads fork
same 137 threads kill
record 137 placement=direct:ring=512:chunk=64 ./threads kill
reports data >got
cmp -s wanted got || fail "short chunks: $(diff wanted got | head -8)"
replayed ./threads
for program in containers exceptions; do
  built "$TOP/testsuite/programs/$program.cc" $program g++
  same 0 $program
done
built "$TOP/testsuite/programs/stencil.f90" stencil gfortran
same 0 stencil
replayed ./stencil

# Handlers interrupt the program wherever it is.  Some return, some leave, some fork a child, which
# returns from the handler and ends.  The program counts its own calls.
cat >handlers.c <<'END'
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile long worked, handled, child;
static volatile int in_loop, what;
static sigjmp_buf back;
__attribute__ ((noipa)) static void work (void) { worked++; }
__attribute__ ((noipa)) static void in_handler (void) { handled++; }

static void
handler (int number)
{
  in_handler ();
  in_handler ();
  if (what == 'f' && !child && handled % 20 == 0 && fork () == 0)
    child = 1;
  if (what == 'l' && in_loop && handled % 4 == 0)
    siglongjmp (back, number);
}

int
main (int argc, char **argv)
{
  long n = atol (argv[2]);
  struct itimerval often = { { 0, 100 }, { 0, 100 } }, never = { { 0, 0 }, { 0, 0 } };
  what = *argv[1];
  signal (SIGALRM, handler);
  setitimer (ITIMER_REAL, &often, NULL);
  sigsetjmp (back, 1);
  in_loop = 1;
  while (handled < n && !child)
    work ();
  in_loop = 0;
  if (child)
    _exit (0);
  setitimer (ITIMER_REAL, &never, NULL);
  while (wait (NULL) > 0)
    ;
  printf ("%ld %ld\n", worked, handled);
  return 0;
}
END
built handlers.c handlers gcc

# handled WAY OPTIONS COMMAND...: the counts of the profile are those of the program.  A handler
# that leaves may do so while one of them has been stored and the other has not.
handled ()
{
  local way=$1 options=$2
  shift 2
  record 0 placement=direct:$options "$@" ./handlers $way 3000
  read -r worked done_in_handler <said
  rows methods -d data >methods
  rows account -d data >account
  is "$way $options: in_handler" "$(awk -F'\t' '$1 == "in_handler" { print $4 }' methods)" \
    $done_in_handler
  awk -F'\t' -v n="$worked" -v ways="$way" '$1 == "work" { found = $4 }
    END { exit !(ways == "r" ? found == n : found >= n - 750 && found <= n + 750) }' methods ||
    fail "$way $options: work $(grep ^work methods), and not $worked"
  ! awk -F'\t' '$1 ~ /^(dropped|lost)_/ && $2 > 0' account | grep . || fail "$way $options: drops"
}
handled r ""
handled r "" env $without
handled l ""
handled l ring=512:chunk=64
record 0 placement=direct ./handlers f 2000
read -r worked done_in_handler <said
"$CABPROF" report -d data >overview || fail "children of handlers: no overview"
! grep -i damaged overview || fail "children of handlers: $(cat overview)"

# Threads that are cancelled at any instruction.
sed -n "/^cat >prog.c/,/^C\$/p" "$TOP/testsuite/cli/cancel.sh" | sed '1d;$d' >cancelled.c
built cancelled.c cancelled gcc
record 3 placement=direct ./cancelled
rows methods -d data | grep -q '^called' || fail "cancelled threads: no counts"
cases
