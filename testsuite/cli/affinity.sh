#!/bin/bash
# affinity.sh - analysis threads run on the processors that affinity= asks for, also where a thread
# of the program has pinned itself and under taskset; what cannot be had is refused, or said.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/cli.sh"
need taskset

cat >pin.c <<'C'
#define _GNU_SOURCE
#include <dirent.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
__attribute__ ((noinline)) static int leaf (int n) { return n + 1; }
/* Print the list of processors of each thread whose name is cabprof.  Return how many there are. */
static int
show (void)
{
  int n = 0;
  char path[300], line[1000];
  DIR *tasks = opendir ("/proc/self/task");
  for (struct dirent *task; (task = readdir (tasks));)
    {
      int is_ours = 0;
      snprintf (path, sizeof path, "/proc/self/task/%s/status", task->d_name);
      FILE *status = task->d_name[0] == '.' ? NULL : fopen (path, "r");
      while (status && fgets (line, sizeof line, status))
	{
	  is_ours |= !strcmp (line, "Name:\tcabprof\n");
	  if (is_ours && !strncmp (line, "Cpus_allowed_list:\t", 19))
	    n += fputs (line + 19, stdout) >= 0;
	}
      if (status)
	fclose (status);
    }
  closedir (tasks);
  return n;
}
int
main (int argc, char **argv)
{
  cpu_set_t set;
  int sum = 0;
  CPU_ZERO (&set);
  if (argc > 1)
    {
      CPU_SET (atoi (argv[1]), &set);
      if (sched_setaffinity (0, sizeof set, &set))
	return 2;
    }
  for (int i = 0; i < 1000000; i++)
    sum += leaf (i) & 1;
  /* A new thread has no name yet.  Without a second argument there is one. */
  while (!show () && argc < 3)
    usleep (1000);
  return sum != 500000;
}
C
${GCC:-gcc} -O1 -fplugin="$PLUGIN" -fplugin-arg-cabprof-events=calls \
  -fplugin-arg-cabprof-functions=leaf pin.c -o pin || fail "pin.c"

# on OPTIONS COMMAND...: run COMMAND; put the analysis thread's processors into out.
on ()
{
  local options=$1
  shift
  rm -rf data
  CABPROF_OPTIONS=data=data:$options expect 0 "$@"
}

# is LIST [MESSAGE]: check what the last run printed and said.
is ()
{
  [ "$(cat out)" = "$1" ] || fail "the analysis thread has processors '$(cat out)' instead of '$1'"
  if [ $# -gt 1 ]; then
    says "$2"
    [ "$(wc -l <err)" = 1 ] || fail "more than a line: $(cat err)"
  else
    quiet
  fi
}

# counted: check that the run was profiled as ever.
counted ()
{
  "$CABPROF" report methods -d data --format=tsv --function=leaf >table || fail "no report"
  [ "$(cut -f 4 table | tail -n 1)" = 1000000 ] || fail "leaf: $(cat table)"
}

# The processors that this test may use, one a line.
all=$(sed -n 's/^Cpus_allowed_list:\t//p' /proc/self/status)
for part in ${all//,/ }; do
  seq "${part%-*}" "${part#*-}"
done >cpus
first=$(head -n 1 cpus)
last=$(tail -n 1 cpus)

on affinity=none ./pin; is "$all"; counted
on affinity=$last ./pin; is "$last"; counted
on affinity=$all ./pin; is "$all"; counted
# A pinned thread hands its mask down, except where affinity= says otherwise.
on affinity=none ./pin "$first"; is "$first"
on affinity=$last ./pin "$first"; is "$last"; counted
on affinity=$last:placement=inline ./pin "$first" none; is ""; counted

# More threads than processors, several analysis threads: each is placed, and nothing is lost.
cat >many.c <<'C'
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
__attribute__ ((noinline)) static int leaf (int n) { return n + 1; }
static pthread_barrier_t done;
static void *
work (void *unused)
{
  long sum = 0;
  for (int i = 0; i < 50000; i++)
    sum += leaf (i);
  pthread_barrier_wait (&done);
  pthread_barrier_wait (&done);
  return unused ? &done : (void *) sum;
}
int
main (void)
{
  pthread_t thread[20];
  pthread_barrier_init (&done, NULL, 21);
  for (int k = 0; k < 20; k++)
    pthread_create (&thread[k], NULL, work, NULL);
  pthread_barrier_wait (&done);
  puts ("working");
  fflush (stdout);
  getchar ();
  pthread_barrier_wait (&done);
  for (int k = 0; k < 20; k++)
    pthread_join (thread[k], NULL);
}
C
${GCC:-gcc} -O1 -fplugin="$PLUGIN" -fplugin-arg-cabprof-events=calls -pthread \
  -fplugin-arg-cabprof-functions=leaf many.c -o many || fail "many.c"
rm -rf data
mkfifo go
CABPROF_OPTIONS=data=data:affinity=$last:threads=3 ./many <go >out 2>err &
exec 3>go
# placed: print the processors of each analysis thread, one a line.
placed ()
{
  local task
  for task in /proc/$!/task/*; do
    grep -qx cabprof "$task/comm" && sed -n 's/^Cpus_allowed_list:\t//p' "$task/status"
  done
}
tries=0
until grep -q working out && [ "$(placed | wc -l)" = 3 ]; do
  [ $((tries += 1)) -lt 3000 ] || fail "there are not three analysis threads: $(placed)"
  sleep 0.01
done
[ "$(placed | sort -u)" = "$last" ] || fail "of three threads some are elsewhere: $(placed)"
echo >&3
exec 3>&-
wait $! || fail "many ended with $?"
quiet; counted

# One processor is no choice, and says so once.
one='affinity=: the process may run on one processor only: there is nothing to choose'
on affinity=near taskset -c "$last" ./pin; is "$last" "$one"; counted
on affinity=far taskset -c "$last" ./pin; is "$last" "$one"; counted
on affinity=$last taskset -c "$last" ./pin; is "$last"; counted

# Of this machine's caches only this much is sure: the choice is one that the process has, and
# never the producer's own processor; or there is none, and one line says so.
for how in near far; do
  on affinity=$how ./pin "$first"
  counted
  if [ -s err ]; then
    says 'there is nothing to choose'
    [ "$(cat out)" = "$first" ] || fail "$how: not chosen, but placed on $(cat out)"
  else
    for part in $(sed 's/,/ /g' out); do
      seq "${part%-*}" "${part#*-}"
    done >chosen
    ! grep -qx "$first" chosen || fail "$how: on the producer's processor: $(cat out)"
    [ -z "$(sort chosen | comm -23 - <(sort cpus))" ] || fail "$how: outside of $all: $(cat out)"
  fi
done

# What is not there or not allowed is refused, with what is; the program runs all the same.
wrong='may not run on all of these processors: choose from'
on affinity=4095 ./pin "$first" none; is "" "affinity=4095: the process $wrong $all"
[ ! -e data ] || fail "a refused run left a profile"
if [ "$first" != "$last" ]; then
  on affinity="$first,$last" taskset -c "$last" ./pin "$last" none; is "" "$wrong $last"
fi
on affinity=4096 ./pin "$first" none; is "" "bad affinity '4096': write near, far, none, or numbers of processors"
on affinity=nearest ./pin "$first" none; is "" "bad affinity 'nearest'"

# The doctor says what there is to choose.
"$CABPROF" doctor >out 2>err
prints '^(ok|-)  *affinity=near  *(from processor [0-9]+: [0-9]|nothing to choose: )'
prints '^(ok|-)  *affinity=far  *(from processor [0-9]+: [0-9]|nothing to choose: )'
taskset -c "$last" "$CABPROF" doctor >out 2>err
prints '^-  *affinity=near  *nothing to choose: this process may run on one processor only$'

# The command refuses before it runs anything.
CABPROF_OPTIONS=affinity=4095 expect 2 "$CABPROF" record -d recorded ./pin
says "affinity=4095: the process $wrong $all"
[ ! -s out ] && [ ! -e recorded ] || fail "the program ran all the same"
