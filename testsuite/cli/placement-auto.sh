#!/bin/bash
# placement-auto.sh - placement=auto starts an analysis thread where the model says that it is
# cheaper, and none on one processor or where lines are dear; counts are exact whatever it chooses,
# with both rings, in a forked child, and after kill -9.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/cli.sh"
need taskset

cat >sweep.c <<'C'
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#define PIECE 200000
__attribute__ ((noipa)) static int leaf (int n) { return n + 1; }
static int
threads (void)
{
  int n = 0;
  DIR *tasks = opendir ("/proc/self/task");
  for (struct dirent *task; (task = readdir (tasks));)
    n += task->d_name[0] != '.';
  closedir (tasks);
  return n;
}
/* Do more and more work between two calls of leaf until there is a second thread, or it is far more
   than an analysis takes.  Return how many calls there were. */
static long
sweep (long most)
{
  long calls = 0;
  volatile int work = 0;
  for (int n = 1, i; n <= most && threads () == 1; n += n / 4 + 1)
    for (i = 0; i < PIECE; i++, calls++)
      for (int k = leaf (0); k < n; k++)
	work += k;
  return calls;
}
int
main (int argc, char **argv)
{
  long calls = sweep (atol (argv[1])), threads_then = threads ();
  int status = 0;
  printf ("%ld %ld\n", calls, threads_then);
  fflush (stdout);
  if (argc > 2 && !strcmp (argv[2], "fork"))
    {
      if (!fork ())
	{
	  calls = sweep (atol (argv[1]));
	  printf ("%ld %d\n", calls, threads ());
	  return 0;
	}
      wait (&status);
    }
  if (argc > 2 && !strcmp (argv[2], "kill"))
    raise (SIGKILL);
  return status != 0;
}
C
compile ()
{
  ${GCC:-gcc} -O1 -fplugin="$PLUGIN" -fplugin-arg-cabprof-events=calls \
    -fplugin-arg-cabprof-functions=leaf "$@" || fail "sweep.c does not compile"
}
compile sweep.c -o sweep-chunk
compile -fplugin-arg-cabprof-ring=cab sweep.c -o sweep-cab

# value NAME: print what the last profile's account says of it.
value () { rows account -d data | awk -F'\t' -v name="$1" '$1 == name { print $2 }'; }

# run STATUS OPTIONS COMMAND...: leave what COMMAND prints in out.  Check that the profile has every
# call.
run ()
{
  local status=$1 options=$2
  shift 2
  rm -rf data
  CABPROF_OPTIONS=data=data:placement=auto:ring=16K:chunk=2K:analyses=calls+methods$options \
    expect "$status" "$@"
  is "calls of leaf" "$(rows methods -d data --function=leaf | awk -F'\t' '{ n += $4 } END { print n + 0 }')" \
    "$(awk '{ n += $1 } END { print n }' out)"
}

all=$(sed -n 's/^Cpus_allowed_list:\t//p' /proc/self/status)
first=${all%%[,-]*}
for ring in chunk cab; do
  # On one processor there is no thread, and the account says why.
  run 0 "" taskset -c "$first" "./sweep-$ring" 40
  is threads "$(cut -d ' ' -f 2 out)" 1
  is "processes inline" "$(value placed_inline)" 1
  is "processes with a thread" "$(value placed_thread)" 0
  "$CABPROF" report -d data >text || fail "report"
  grep -q 'analyse inline  *1  (the process has one processor)$' text || fail "$(cat text)"

  # Where a line takes 10 us, a thread never pays.
  [ "$(nproc)" = 1 ] || run 0 :line=10000 "./sweep-$ring" 40
  is threads "$(cut -d ' ' -f 2 out)" 1
done

if [ "$(nproc)" = 1 ]; then
  echo "no second processor: what a thread does was not tested"
else
  for ring in chunk cab; do
    for end in go fork kill; do
      run $([ $end = kill ] && echo 137 || echo 0) :line=1 "./sweep-$ring" 4000 $end
      is "threads in $end" "$(cut -d ' ' -f 2 out | sort -u)" 2
      is "processes with a thread" "$(value placed_thread)" "$([ $end = fork ] && echo 2 || echo 1)"
      # The terms make the predictions, and a thread is predicted to save a tenth.
      [ $end = fork ] || awk -v fill="$(value fill_ps)" -v analysis="$(value analysis_ps)" \
	-v crossing="$(value communication_ps)" -v here="$(value inline_ps)" \
	-v there="$(value thread_ps)" 'BEGIN { reader = analysis + crossing
	  exit !(here == fill + analysis && there == (reader > fill ? reader : fill) &&
	    there <= here - int(here / 10) && crossing == 125) }' || fail "$(rows account -d data)"
    done
  done
fi

# refuse OPTIONS WORDS: check that these options are refused with a line that has WORDS.
refuse ()
{
  CABPROF_OPTIONS=data=bad:$1 ./sweep-chunk 1 >out 2>err
  grep -q "^cabprof: .*$2" err || fail "$1: $(cat err)"
  [ ! -e bad ] || fail "$1 made a profile"
}
refuse placement=automatic "known are thread, inline, direct, auto"
refuse placement=auto:line=0 "from 1 to 10000"
refuse placement=auto:line=10001 "from 1 to 10000"
refuse placement=auto:line=20ns "from 1 to 10000"
refuse line=20 "leave out line="
refuse placement=inline:line=20 "leave out line="
refuse placement=auto:sample=5% "leave out placement=auto"
refuse placement=auto:delegates=2 "leave out placement=auto"
refuse placement=auto:check-serializer "leave out placement=auto"
