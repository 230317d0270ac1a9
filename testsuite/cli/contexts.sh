#!/bin/bash
# contexts.sh - accesses, loops and traced paths are told apart by calling context over threads, a
# fork and a longjmp, for every ring, placement and kind of link, and in Fortran. The expected
# numbers are counted by hand from the source.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/cli.sh"
need gcc gfortran

cat >c.c <<'end'
#include <pthread.h>
#include <setjmp.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile int hits[4];
static jmp_buf back;
__attribute__ ((noipa)) static void touch (int i, int n) { for (int k = 0; k < n; k++) hits[i] = k; }
__attribute__ ((noipa)) static void left (int n) { touch (0, 2); for (int i = 0; i < n; i++) touch (i & 3, 3); }
__attribute__ ((noipa)) static void right (int n) { if (n) right (n - 1); touch (1, 1); }
__attribute__ ((noipa)) static void leave (int n) { touch (2, n); longjmp (back, 1); }
static void *work (void *arg) { left (10); right (2); return arg; }
int main (void)
{
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create (&t[i], 0, work, 0);
  for (int i = 0; i < 2; i++) pthread_join (t[i], 0);
  pid_t pid = fork ();
  if (!pid) { right (1); _exit (0); }
  waitpid (pid, 0, 0);
  if (!setjmp (back)) leave (5);
  left (1);
  touch (3, 7);
  return 0;
}
end

# The file lists the contexts of touch: how many calls each has, and how many writes in all.
cat >wanted <<'end'
1 1 touch < right
1 1 touch < right < right
1 2 touch < left < main
1 3 touch < left < main
1 5 touch < leave < main
1 7 touch < main
2 2 touch < right < right < right < work
2 2 touch < right < right < work
2 2 touch < right < work
2 4 touch < left < work
20 60 touch < left < work
end

# contexts EVENT COLUMN...: print these columns of the rows of EVENT in touch.
contexts ()
{
  "$CABPROF" report contexts -d data --format=tsv >report || fail "$how: no report"
  "$CABPROF" report -d data >overview
  ! grep dropped overview || fail "$how: events were dropped"
  cells report event "$1" function "${function:-touch}" "${@:2}" | sed 's/:[0-9]*//g'
}

# built OPTIONS...: compile the program with OPTIONS.
built ()
{
  gcc -g -pthread -fplugin="$PLUGIN" -fplugin-arg-cabprof-context "$@" c.c -o c ||
    fail "$*: does not compile"
}

# run OPTIONS: make one profile of two processes, the parent and the child.
run ()
{
  rm -rf data
  CABPROF_OPTIONS=analyses=contexts:data=data$1 ./c || fail "$how: exit status $?"
}

sort wanted >loops
awk '{ n = $2; $1 = $2 = ""; sum[$0] += n } END { for (c in sum) print sum[c] c }' wanted |
  tr -s ' ' | sort >writes
for how in -O2 "-O2 -flto" "-O1 -fPIC -pie"; do
  built $how -fplugin-arg-cabprof-events=calls+memory
  for placement in thread inline; do
    run ":placement=$placement"
    contexts write count context |
      awk '{ n = $1; $1 = ""; sum[$0] += n } END { for (c in sum) print sum[c] c }' | sort |
      diff writes - || fail "$how $placement: writes differ"
  done
done
for how in chunk cab; do
  built -O2 -fplugin-arg-cabprof-events=calls+loops+paths -fplugin-arg-cabprof-paths=trace \
    -fplugin-arg-cabprof-ring=$how
  for placement in thread inline; do
    run ":placement=$placement"
    contexts loop count sum context | sort | diff loops - || fail "$how $placement: loops differ"
    # Each context has a path to the loop, one around it and one out of it.
    contexts path count context |
      awk '{ n = $1; $1 = ""; sum[$0] += n } END { for (c in sum) print sum[c] c }' | sort >got
    awk '{ n = 2 * $1 + $2; $1 = $2 = ""; sum[$0] += n } END { for (c in sum) print sum[c] c }' \
      wanted | tr -s ' ' | sort |
      diff - got || fail "$how $placement: paths differ"
  done
done

cat >f.f90 <<'end'
program f
  implicit none
  integer, allocatable :: hits(:)
  allocate (hits(8))
  call outer (3)
  call touch (hits, 2)
  if (sum (hits(1:3)) /= 6) stop 1
contains
  subroutine outer (n)
    integer, intent (in) :: n
    integer :: i
    do i = 1, n
      call touch (hits, i)
    end do
  end subroutine
  subroutine touch (a, n)
    integer, intent (inout) :: a(:)
    integer, intent (in) :: n
    integer :: i
    do i = 1, n
      a(i) = i
    end do
  end subroutine
end program
end
gfortran -O1 -fno-inline -g -fplugin="$PLUGIN" -fplugin-arg-cabprof-events=calls+memory \
  -fplugin-arg-cabprof-context f.f90 -o c || fail "f.f90 does not compile"
how=Fortran function=touch.0
run ""
contexts write count context | sort >got
printf '%s\n' '2 touch.0 < main program < main' '6 touch.0 < outer.1 < main program < main' |
  diff - got || fail "Fortran: writes differ"
