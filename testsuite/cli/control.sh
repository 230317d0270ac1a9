#!/bin/bash
# control.sh - pause, resume, flush, snapshots, regions and names of threads work by
# cabprof/cabprof.h and by the options of the runtime.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/../lib.sh"
need_build
include=-I$TOP/include

# calls FUNCTION ARGUMENT...: print how often FUNCTION was called, by the report of methods.
calls ()
{
  local function=$1
  shift
  rows methods "$@" | awk -F'\t' -v f="$function" \
    '$1 == f || index ($1, f "(") == 1 { n = $4 } END { print n + 0 }'
}

cat >control.c <<'C'
#include <cabprof/cabprof.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
struct node { long value; };
static int __attribute__ ((noinline)) leaf (struct node *p) { return ++p->value; }
static void __attribute__ ((noinline)) work (struct node *p, int n) { for (int i = 0; i < n; i++) leaf (p); }
static void *
thread (void *p)
{
  int errors = cabprof_thread_name ("a worker of ours");
  errors |= cabprof_region_begin ("outer") | cabprof_region_begin ("inner");
  work (p, 50);
  errors |= cabprof_region_end ("inner");
  work (p, 7);
  return errors ? NULL : p;   /* the end of the thread ends the region `outer' */
}
int
main (int argc, char **argv)
{
  struct node n = { 0 }, m = { 0 };
  pthread_t t;
  void *result;
  int errors = 0;
  work (&n, 100);
  errors |= cabprof_pause () | cabprof_pause ();
  work (&n, 1000);
  for (int i = 0; i < 5000; i++)
    work (&n, 1);
  errors |= cabprof_resume () | cabprof_resume ();
  work (&n, 10);
  errors |= cabprof_snapshot ("a") | cabprof_region_begin ("main-part");
  work (&n, 3);
  errors |= cabprof_region_begin ("main-part");
  work (&n, 4);
  errors |= cabprof_region_end ("main-part");
  errors |= cabprof_pause ();
  work (&n, 900);
  errors |= cabprof_resume ();
  pthread_create (&t, NULL, thread, &m);
  pthread_join (t, &result);
  errors |= cabprof_region_end ("main-part");
  work (&n, 10000);
  errors |= cabprof_flush () | cabprof_snapshot ("b");
  work (&n, 2);
  /* GCC removes calls whose results nobody reads. */
  if (errors || n.value != 17019 || !result || cabprof_region_end ("main-part") >= 0 || cabprof_snapshot ("../a") >= 0 || cabprof_snapshot ("") >= 0 || cabprof_region_begin (NULL) >= 0)
    return 1;
  puts ("done");
  fflush (stdout);
  if (argc > 1 && !strcmp (argv[1], "wait"))
    pause ();
  return 0;
}
C

# judge WHAT: check the profile of ./control.
judge ()
{
  is "$1: calls of leaf" "$(calls leaf)" 10176
  is "$1: of work" "$(calls work)" 8
  is "$1: in the region" "$(calls leaf --region="main-part")" 7
  is "$1: in the inner region" "$(calls leaf --region=inner)" 50
  is "$1: in the region of a thread that ended" "$(calls leaf --region=outer)" 57
  is "$1: snapshot a" "$(calls leaf --snapshot=a)" 110
  is "$1: snapshot b" "$(calls leaf --snapshot=b)" 10174
  is "$1: regions" "$(rows regions | cut -f1-3 | sort | xargs)" 'inner 1 0 main-part 1 0 outer 1 0'
}

# judge_events WHAT REPORT: check the same for events; REPORT is calls or accesses.
judge_events ()
{
  local report=$2 column filter
  case $2 in
    calls) column=5 filter='$2 == "leaf"' ;;
    accesses) column=7 filter='$2 ~ /^leaf/' ;;
  esac
  for one in ":$3" "--snapshot=a:110" "--snapshot=b:10174"; do
    is "$1: $report ${one%%:*}" \
      "$(rows "$report" ${one%%:*} | awk -F'\t' "$filter { n += \$$column } END { print n + 0 }")" \
      "${one##*:}"
  done
}

# Plain compilers without the plugin and the library accept the header.
printf '#include <cabprof/cabprof.h>\nint main () { return !(cabprof_pause () == CABPROF_ABSENT && cabprof_region_begin ("x") < 0); }\n' >plain.c
for compile in gcc 'gcc -O2 -no-pie' 'gcc -static' 'gcc -std=c89 -pedantic -Wall -Wextra -Werror' \
  'gcc -masm=intel' 'g++ -x c++ -std=c++98 -pedantic -Wall -Wextra -Werror' clang; do
  command -v ${compile%% *} >/dev/null || continue
  $compile $include plain.c -o plain && ./plain || fail "$compile: without the plugin"
done
[ ! -e cabprof.data ] || fail "a program without probes left a profile"

for ring in chunk cab; do
  "$CGCC" -O1 -g -pthread $include -fplugin-arg-cabprof-ring=$ring \
    -fplugin-arg-cabprof-events=paths+calls control.c -o control || fail "compile"
  for placement in thread inline direct; do
    rm -rf cabprof.data
    CABPROF_OPTIONS=placement=$placement:analyses=calls+tree ./control >out ||
      fail "$ring $placement: the program reports an error"
    judge "$ring $placement"
    judge_events "$ring $placement" calls 10176
    is "the tree's path" "$(rows tree | awk -F'\t' '$4 == "work" { print $3, $5 }' | xargs)" \
      '1 6 1 2'
  done
done

# A process that is killed after all this has the same profile as one that ended, without what main
# had not finished.
rm -rf cabprof.data out
mkfifo out
./control wait >out &
pid=$!
read -r _ <out
judge running
kill -9 $pid
wait $pid 2>/dev/null
judge killed
"$CABPROF" report tree --threads | grep -q 'a worker of our' ||
  fail "the thread has no name: $("$CABPROF" report tree --threads)"
"$CABPROF" info >told || fail "info of a profile with snapshots"
grep -q '^snapshots  .*\ba\b.*\bb\b' told && grep -q '^regions  .*main-part' told ||
  fail "info names no snapshots and regions: $(tail -n 3 told)"
"$CABPROF" diff cabprof.data/snapshots/a cabprof.data/snapshots/b --format=tsv >difference ||
  fail "diff of snapshots"
grep -q leaf difference || fail "diff of snapshots: $(cat difference)"
"$CABPROF" merge -o merged cabprof.data || fail "merge"
is "merged" "$("$CABPROF" report methods -d merged --format=tsv |
  awk -F'\t' '$1 == "leaf" { print $4 }')" 10176
"$CABPROF" report --region=none 2>words && fail "a region that is not there was taken"
grep -q "no region none" words || fail "$(cat words)"
"$CABPROF" report --snapshot=none 2>words && fail "a snapshot that is not there was taken"
grep -q "no snapshot none: there are a, b" words || fail "$(cat words)"

# If the table of pauses is cut off, missing or malformed, it is named and no counts are shown.
table=$(ls cabprof.data/*.paused)
cp "$table" table
for damage in 'truncate -s 40 "$table"' 'printf X | dd of="$table" conv=notrunc status=none' \
  'rm "$table"'; do
  cp table "$table"
  eval "$damage"
  "$CABPROF" report methods >rest 2>words && fail "damaged by $damage: no error"
  grep -q 'missing or damaged' words || fail "damaged by $damage: $(cat words)"
done

# The same holds for accesses, for all events at once, for C++, and after a fork in a pause.
rm -f out
"$CGCC" -O1 -g -pthread $include -fplugin-arg-cabprof-events=memory control.c -o control ||
  fail "compile"
rm -rf cabprof.data
CABPROF_OPTIONS=analyses=accesses+cache+sharing ./control >out ||
  fail "accesses: the program reports an error"
judge_events accesses accesses 10176

# What the header itself reads is not the program's: no report names it.
for report in accesses sharing "sharing --by=line"; do
  "$CABPROF" report $report --format=tsv >said 2>words || fail "$report: $(cat words)"
  [ "$(wc -l <said)" -gt 1 ] || fail "$report: nothing is reported"
  grep -E '__cab_module|cabprof_|cabprof[.]h' said && fail "$report names the header's own memory"
done

"$CGXX" -O1 -g -pthread $include -fplugin-arg-cabprof-events=paths+calls+memory+loops -x c++ \
  -fpermissive -w control.c -o control || fail "compile"
rm -rf cabprof.data
CABPROF_OPTIONS=analyses=calls+tree+accesses+loops ./control >out ||
  fail "all: the program reports an error"
judge all
judge_events all accesses 10176

cat >fork.c <<'C'
#include <cabprof/cabprof.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile int n;
void __attribute__ ((noinline)) child (void) { n++; }
void __attribute__ ((noinline)) parent (void) { n++; }
int
main (void)
{
  parent ();
  cabprof_pause ();
  parent ();
  if (fork () == 0)
    {
      child ();
      cabprof_resume ();
      for (int i = 0; i < 3; i++)
	child ();
      _exit (0);
    }
  wait (NULL);
  cabprof_resume ();
  parent ();
  return 0;
}
C
"$CGCC" -O1 -g $include -fplugin-arg-cabprof-events=paths+calls fork.c -o fork || fail "compile"
rm -rf cabprof.data
./fork || fail "fork"
is "fork: parent" "$(calls parent)" 2
is "fork: child" "$(calls child)" 3
is "fork: events" \
  "$(rows calls | awk -F'\t' '$2 == "child" || $2 == "parent" { n += $5 } END { print n }')" 5

# The options start=paused and delay= begin the counting late.
cat >start.c <<'C'
#include <cabprof/cabprof.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
volatile int n;
void __attribute__ ((noinline)) early (void) { n++; }
void __attribute__ ((noinline)) late (void) { n++; }
int
main (int argc, char **argv)
{
  early ();
  if (argc > 1)
    cabprof_resume ();
  else
    sleep (1);
  late ();
  return 0;
}
C
"$CGCC" -O1 -g $include -fplugin-arg-cabprof-events=paths+calls start.c -o start || fail "compile"
for options in start=paused delay=100; do
  rm -rf cabprof.data
  CABPROF_OPTIONS=$options ./start resume || fail "$options"
  is "$options: early" "$(calls early)" 0
  is "$options: late" "$(calls late)" 1
  is "$options: events" "$(rows calls | cut -f2 | xargs)" late
done
rm -rf cabprof.data
CABPROF_OPTIONS=delay=0.2 ./start || fail "delay"
is "delay: early and late" "$(calls early) $(calls late)" '0 1'
rm -rf cabprof.data
CABPROF_OPTIONS=start=paused ./start || fail "paused"
is "always paused" "$(calls early) $(calls late)" '0 0'

# A forked child waits for the same moment as its parent; a program that a child executes starts
# from the beginning, with the same options.
cat >children.c <<'C'
#include <sys/wait.h>
#include <unistd.h>
volatile int n;
void __attribute__ ((noinline)) early (void) { n++; }
void __attribute__ ((noinline)) late (void) { n++; }
void __attribute__ ((noinline)) anew (void) { n++; }
int
main (int argc, char **argv)
{
  if (argc > 1)
    {
      anew ();
      return 0;
    }
  early ();
  pid_t pid = fork ();
  early ();
  sleep (3);
  late ();
  if (!pid)
    execl ("./children", "children", "anew", (char *) 0);
  int status = 1;
  return wait (&status) != pid || status;
}
C
"$CGCC" -O1 -g -fplugin-arg-cabprof-events=paths+calls children.c -o children || fail "compile"
for placement in thread inline direct; do
  rm -rf cabprof.data
  CABPROF_OPTIONS=placement=$placement:delay=1.5 ./children ||
    fail "$placement, delay: a child fails"
  is "$placement, delay, children" "$(calls early) $(calls late) $(calls anew)" '0 2 0'
  is "$placement, delay, children: events" "$(rows calls | cut -f2,5 | xargs)" 'late 2'
done
rm -rf cabprof.data
CABPROF_OPTIONS=start=paused ./children || fail "paused: a child fails"
is "start=paused, children" "$(calls early) $(calls late) $(calls anew)" '0 0 0'
CABPROF_OPTIONS=delay=x ./start 2>words
grep -q "bad delay 'x'" words || fail "$(cat words)"

# A Fortran module is compiled with the program, with the plugin or without.
cat >solve.f90 <<'F'
program main
  use cabprof
  implicit none
  integer :: e(6), s
  s = 0
  call cabprof_thread_name ("solver", e(6))
  call work (s, 10)
  call cabprof_pause (e(1))
  call work (s, 1000)
  call cabprof_resume (e(2))
  call cabprof_region_begin ("solve", e(3))
  call work (s, 5)
  call cabprof_region_end ("solve", e(4))
  call cabprof_snapshot ("all", e(5))
  if (s /= 1015 .or. any (e /= 0) .and. any (e /= cabprof_absent)) stop 1
contains
  subroutine work (s, n)
    integer, intent (inout) :: s
    integer, intent (in) :: n
    integer :: i
    do i = 1, n
      call leaf (s)
    end do
  end subroutine
  subroutine leaf (s)
    integer, intent (inout) :: s
    s = s + 1
  end subroutine
end program
F
module=$TOP/include/cabprof/cabprof.f90
rm -rf cabprof.data
gfortran -Wall -Werror -O2 "$module" solve.f90 -o solve && ./solve ||
  fail "Fortran without the plugin"
[ ! -e cabprof.data ] || fail "a Fortran program without probes left a profile"
gfortran -O1 -c "$module" -o module.o || fail "compile"
for with in "$module" module.o; do
  rm -rf cabprof.data
  "$CGFORTRAN" -O1 -g -fno-inline -fplugin-arg-cabprof-events=paths+calls "$with" solve.f90 \
    -o solve 2>words && ./solve || fail "Fortran: $(cat words)"
  is "Fortran: words of the linker" "$(cat words)" ''
  is "Fortran: all" "$(calls leaf.0)" 15
  is "Fortran: region" "$(calls leaf.0 --region=solve)" 5
  is "Fortran: snapshot" "$(calls leaf.0 --snapshot=all)" 15
  is "Fortran: functions of the module" "$(rows methods | grep -c cabprof_)" 0
done
