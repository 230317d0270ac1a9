#!/usr/bin/env bash
# queues.sh - the rings that cabprof's are compared with, N-way buffering and FastForward, give the
# chunk ring's results: programs, threads, forks, kill -9; and other names are refused.
# SPDX-License-Identifier: GPL-3.0-or-later
# timeout: 600

. "$(dirname "$0")/../lib.sh"
need_build
cd "$TEST_DIR" || exit 1
kernels=$TOP/testsuite/bench/kernels

# compile RING SOURCE PROGRAM: with calls and traced paths, for RING.
compile ()
{
  gcc -O2 -g -fplugin="$PLUGIN" -fplugin-arg-cabprof-events=paths,calls \
    -fplugin-arg-cabprof-paths=trace -fplugin-arg-cabprof-ring="$1" "$2" -o "$3" -lpthread ||
    fail "$2 does not compile for $1"
}

# record REPORTS WHAT OPTIONS STATUS COMMAND...: run it, with its profile in data, and write its
# reports to the file REPORTS.
record ()
{
  local reports=$1 what=$2 options=$3 wanted=$4 status
  shift 4
  rm -rf data
  { CABPROF_OPTIONS="data=data${options:+:$options}" timeout -k 1 120 "$@" >out 2>err; } 2>no
  status=$?
  [ $status = "$wanted" ] || fail "$what $options: exit status $status: $(cat err)"
  [ ! -s err ] || fail "$what $options: $(cat err)"
  for report in methods calls paths tree; do
    "$CABPROF" report $report -d data --format=tsv || fail "$what $options: report $report" >&2
  done >"$reports"
}

# same RING PROGRAM STATUS [ARGUMENT...]: compare its reports with the chunk ring's.
same ()
{
  local ring=$1 program=$2 status=$3
  shift 3
  for options in "" ring=512:chunk=64 ring=512:chunk=64:placement=inline \
    ring=8K:chunk=1K:threads=3; do
    record got "$program for $ring" "$options" "$status" "./$program-$ring" "$@"
    cmp -s got "$program.wanted" ||
      fail "$program for $ring, $options: $(diff "$program.wanted" got | head -5)"
  done
}

cat >threads.c <<'END'
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

__attribute__ ((noinline)) static int odd (int n) { return n % 2 ? n * 3 + 1 : n / 2; }

static void *
work (void *arg)
{
  int n = *(int *) arg;
  for (int i = 0; i < 30000; i++)
    n = odd (n + i) & 0xffff;
  *(int *) arg = n;
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
  for (int i = 0; child >= 0 && i < 5000; i++)
    n[0] = odd (n[0] + i) & 0xffff;
  if (child > 0)
    waitpid (child, &status, 0);
  else if (argc > 1 && !strcmp (argv[1], "kill"))
    raise (SIGKILL);
  return status != 0;
}
END

compile chunk threads.c threads-chunk
for program in fib nqueens lu; do
  compile chunk "$kernels/$program.c" $program-chunk
done
for ring in cab pipa fastforward; do
  compile $ring threads.c threads-$ring
  for program in fib nqueens lu; do
    compile $ring "$kernels/$program.c" $program-$ring
  done
done
for program in "fib 18" "nqueens 7" "lu 1"; do
  read -r name argument <<<"$program"
  record $name.wanted "$name for chunk" "" 0 ./$name-chunk "$argument"
  [ "$(grep -c . $name.wanted)" -gt 8 ] || fail "$name: empty reports"
  for ring in cab pipa fastforward; do
    same $ring $name 0 "$argument"
  done
done
for how in once fork; do
  record threads.wanted "threads for chunk" "" 0 ./threads-chunk $how
  for ring in cab pipa fastforward; do
    same $ring threads 0 $how
  done
done

# The threads have ended, so a ring with room for all has lost nothing, whenever main is killed.
record threads.wanted "threads for chunk" "" 137 ./threads-chunk kill
calls=$(awk -F'\t' '$1 == "odd" { print $4; exit }' threads.wanted)
[ "$calls" = 120000 ] || fail "odd was called 120000 times, the chunk ring says $calls"
for ring in pipa fastforward; do
  record got "threads for $ring" "" 137 ./threads-$ring kill
  cmp -s got threads.wanted || fail "killed, $ring: $(diff threads.wanted got | head -5)"
done

# refused RING EVENTS WORDS: the compiler ends with these words.
refused ()
{
  gcc -fplugin="$PLUGIN" -fplugin-arg-cabprof-events="$2" -fplugin-arg-cabprof-ring="$1" -c \
    threads.c -o no.o 2>err && fail "ring=$1 with $2 was accepted"
  grep -qF -- "$3" err || fail "ring=$1 with $2: $(cat err)"
}
known="not a value of this option: give chunk, cab, pipa, fastforward"
for name in "" fastforward:2 fastforwards nway PIPA; do
  refused "$name" calls "-fplugin-arg-cabprof-ring=$name: $known"
done
for ring in pipa fastforward; do
  refused $ring memory "ring=$ring: such a ring cannot carry addresses, as events=memory sends them"
  refused $ring calls,time "ring=$ring: such a ring cannot carry times, as events=time sends them"
done
