#!/bin/bash
# sampling.sh - cabprof record samples by the kernel's events and by timers, with threads, children,
# signals and kill -9, and attributes the time to the right functions.
# SPDX-License-Identifier: GPL-3.0-or-later
# each: auto timer input
. "$(dirname "$0")/../lib.sh"
need_build
how=$1
record () { "$CABPROF" record --sample="$how" "$@"; }

cat >work.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
static volatile unsigned sink;
static inline __attribute__ ((always_inline)) void inner (long n) { for (long i = 0; i < n; i++) sink += i * i; }
void __attribute__ ((noinline)) often (long n) { inner (n); }
void __attribute__ ((noinline)) seldom (long n) { for (long i = 0; i < n; i++) sink += i ^ n; }
void __attribute__ ((noinline)) in_thread (long n) { for (long i = 0; i < n; i++) sink += i | n; }
void __attribute__ ((noinline)) in_child (long n) { for (long i = 0; i < n; i++) sink += i & n; }
#define N 40000000L
void __attribute__ ((noinline)) brief (long n) { for (long i = 0; i < n; i++) sink += i - n; }
static void *brief_thread (void *unused) { brief (400000); return unused; }
static void *thread (void *unused) { in_thread (3 * N); return unused; }
static volatile int n_own;
static void own (int number) { (void) number; n_own++; }
int
main (int argc, char **argv)
{
  const char *what = argc > 1 ? argv[1] : "";
  sigset_t all;
  pthread_t id;
  sigfillset (&all);
  for (int i = 0; i < 1000 && !strcmp (what, "brief"); i++)
    if (pthread_create (&id, NULL, brief_thread, NULL) || pthread_join (id, NULL))
      return 1;
  if (!strcmp (what, "brief"))
    return 3;
  if (!strcmp (what, "blocked"))
    sigprocmask (SIG_BLOCK, &all, NULL);
  if (!strcmp (what, "own"))
    {
      signal (SIGRTMAX - 1, own);
      raise (SIGRTMAX - 1);
    }
  if (!strcmp (what, "thread"))
    pthread_create (&id, NULL, thread, NULL);
  if (!strcmp (what, "child") && fork () == 0)
    {
      in_child (3 * N);
      _exit (0);
    }
  if (!strcmp (what, "library"))
    {
      void *handle = dlopen ("./libwork.so", RTLD_NOW);
      ((void (*) (long)) dlsym (handle, "in_library")) (2 * N);
    }
  do
    often (4 * N);
  while (!strcmp (what, "long") && clock () < 4 * CLOCKS_PER_SEC);
  seldom (N);
  if (!strcmp (what, "thread"))
    pthread_join (id, NULL);
  if (!strcmp (what, "child"))
    wait (NULL);
  if (!strcmp (what, "kill"))
    raise (SIGKILL);
  if (!strcmp (what, "own"))
    return n_own == 1 ? 4 : 5;
  return 3;
}
C
echo 'static volatile unsigned sink; void in_library (long n) { for (long i = 0; i < n; i++) sink += i + n; }' >libwork.c
gcc -O1 -g work.c -o work -ldl -lpthread && gcc -O1 -g -shared -fPIC libwork.c -o libwork.so ||
  fail "compile"

# share FUNCTION [OPTION...]: print its percentage of the time, or 0 if it has none.
share ()
{
  local function=$1; shift
  "$CABPROF" report time --format=tsv "$@" 2>report.err | awk -F'\t' -v f="$function" \
    '$1 == f { s += $5 } END { printf "%d\n", 100 * s }'
}

# between LEAST VALUE MOST WORDS: check that VALUE is in the range.
between () { [ "$2" -ge "$1" ] && [ "$2" -le "$3" ] || fail "$4: $2 % of the time, not $1 to $3"; }

# expect STATUS ERRORS COMMAND...: check the exit status, and that standard error contains ERRORS
# (or is empty if that is "").
expect ()
{
  local want=$1 words=$2; shift 2
  "$@" >out 2>err; local status=$?
  sed -i "/, recorded in /d" err
  [ $status = "$want" ] || { cat out err; fail "$*: status $status instead of $want"; }
  if [ -n "$words" ]; then grep -qF -- "$words" err || { cat err; fail "$*: does not say: $words"; }
  else [ ! -s err ] || { cat err; fail "$*: prints an unexpected message"; }; fi
}

check_input ()
{
  expect 3 "" "$CABPROF" record ./work
  [ -e cabprof.data/samples.json ] || fail "record does not sample by itself"
  before=$(ls -i -d cabprof.data)
  expect 1 "event no-such-event" "$CABPROF" record --sample=no-such-event ./work
  expect 2 "is not a number of samples" "$CABPROF" record --rate=often ./work
  expect 1 "name a file that \`perf script' wrote" "$CABPROF" record --samples=nowhere ./work
  [ "$before" = "$(ls -i -d cabprof.data)" ] || fail "what cannot be sampled moved the profile"
  expect 3 "no process wrote a profile: " "$CABPROF" record --sample=off ./work
  [ ! -e cabprof.data/samples.json ] || fail "--sample=off samples"
  expect 1 "holds no part of a profile" "$CABPROF" report time

  # perf script's text was recorded elsewhere, for a program at fixed addresses, whose name is
  # enough to find it here.
  gcc -O1 -g -no-pie -fno-pie work.c -o fixed -ldl -lpthread || fail "compile -no-pie"
  local at; at=$(nm fixed | awk '$3 == "seldom" { print $1 }')
  for i in 0 1 2 3; do printf 'fixed 7 1.%d: 100 stalls:u: %x seldom+0x%x (/elsewhere/fixed)\n' $i \
    $((0x$at + i)) $i; done >two.script
  sed 's/stalls:u/cycles/; s/: 100/: 50/' two.script | head -n 2 >>two.script
  expect 1 "has several events: stalls:u, cycles: name the one to take" "$CABPROF" record \
    --samples=two.script
  expect 0 "" "$CABPROF" record --samples=two.script --sample=stalls
  between 100 "$(share seldom)" 100 "seldom of the text"
  "$CABPROF" report | grep -q '4 samples of stalls:u, by perf script' ||
    fail "the overview does not say what was sampled"

  # Samples in the runtime are in no row, whatever its functions are called; a line says how many
  # there are.
  cp two.script three.script
  cp "$BUILD/lib/libcabprof.so.1" . || fail "no runtime"
  nm libcabprof.so.1 | awk '$2 == "t" && $3 ~ /^cab_/ && n++ < 3 { print $3, $1 }' |
    while read -r name at; do
    printf 'fixed 7 2.0: 100 stalls:u: %x %s+0x0 (/elsewhere/lib/libcabprof.so.1)\n' \
      $((0x7f0000000000 + 0x$at)) "$name"
  done >>three.script
  expect 0 "" "$CABPROF" record -d probed --samples=three.script --sample=stalls
  "$CABPROF" report time -d probed --format=tsv | cut -f 1,7,8 >rows
  printf '%s\n' "# besides these, cabprof's runtime has 3 samples, about 43 % of all" \
    $'function\tsamples\tweight' $'seldom\t4\t400' | diff - rows || fail "the runtime is in a row"

  # Samples of the same event and build add up; others do not.
  expect 0 "" "$CABPROF" record -d first --samples=two.script --sample=stalls
  expect 0 "" "$CABPROF" merge -o both first cabprof.data
  [ "$("$CABPROF" report time -d both --format=tsv |
    awk -F'\t' '$1 == "seldom" { print $7, $8 }')" = "8 800" ] || fail "the sum of two profiles"
  expect 0 "" "$CABPROF" record -d second --samples=two.script --sample=cycles
  expect 1 "samples of stalls:u and of cycles cannot be added" "$CABPROF" merge -o none first second
  [ ! -e none ] || fail "a merge that failed leaves something"

  # With another build, a stripped one or none at all, what is known is still reported.
  expect 3 "" "$CABPROF" record ./work
  cp work work.good
  strip -o work.bare work && cp work.bare work
  between 90 "$(share '[work]')" 100 "the stripped program as a whole"
  gcc -O1 -g -DOTHER work.c libwork.c -o work -ldl -lpthread
  between 90 "$(share '[work]')" 100 "another build as a whole"
  grep -q 'was rebuilt since it was sampled' report.err || fail "another build is not reported"
  rm work
  between 90 "$(share '[work]')" 100 "a program that is gone as a whole"
  mv work.good work
  between 50 "$(share inner)" 95 "inner"
  echo '{"schema": 1, "format": "cabprof samples"' >cabprof.data/samples.json
  expect 1 "samples.json: line 2: " "$CABPROF" report time
}

check_source ()
{
  expect 3 "" record ./work
  between 50 "$(share inner)" 95 "inner, which is inlined"
  between 5 "$(share seldom)" 45 "seldom"
  between 50 "$("$CABPROF" report hotlines --format=tsv |
    awk -F'\t' '$2 == 10 { s += $4 } END { printf "%d", 100 * s }')" 95 "line 10"
  "$CABPROF" report | grep -q '^Time by function' || fail "no times in the overview"
  grep -q '"randomised":"per ' cabprof.data/samples.json ||
    fail "samples.json does not say how the period is randomised"
  # The kernel does change the period: the samples' periods do not sum to a multiple of one length.
  python3 \
    -c 'import json, sys; s = json.load (open ("cabprof.data/samples.json")); sys.exit (s["weight"] == s["n"] * s["source"]["period"])' ||
    fail "all periods are the same"
  expect 3 "" record ./work thread
  between 20 "$(share in_thread)" 70 "the thread"
  expect 3 "" record ./work child
  between 20 "$(share in_child)" 70 "the child"
  expect 3 "" record ./work library
  between 10 "$(share in_library)" 60 "the library that is loaded late"
  expect 0 "" record sh -c './work & ./work; wait'
  between 50 "$(share inner)" 95 "inner of two processes"
  expect 137 "" "$CABPROF" record --sample="$how" ./work kill
  between 50 "$(share inner)" 95 "inner of a process that was killed"
  expect 3 "" record ./work blocked
  between 50 "$(share inner)" 95 "inner with all signals blocked"
  # A program that wants the timer's signal gets it, and is not sampled from then on.
  if [ "$how" = timer ]; then
    expect 4 "no process wrote a profile" record ./work own
  else
    expect 4 "" record ./work own
  fi
}

# While the reader is stopped the rings overflow: the kernel's dropped samples are counted, and with
# them all of the time is there.
check_lost ()
{
  local reader command=
  "$CABPROF" record --sample="$how" --rate=10000 ./work long >/dev/null 2>err & reader=$!
  until [[ "$(readlink "/proc/$command/exe" 2>/dev/null)" == */work ]]; do
    kill -0 $reader 2>/dev/null || fail "record ended before it was stopped"
    command=$(cat /proc/$reader/task/$reader/children 2>/dev/null)
    command=${command%% *}
  done
  kill -STOP $reader
  until [ "$(awk '{ print $3 }' "/proc/$command/stat")" = Z ]; do sleep 0.1; done
  kill -CONT $reader
  wait $reader
  python3 - <<'PY' || \
    fail "lost samples: $(grep -o '"n":[^,]*,"lost":[^,]*,"weight":[^,]*' cabprof.data/samples.json)"
import json, re, sys
s = json.load (open ("cabprof.data/samples.json"))
cpu = float (re.search (r"over ([0-9.]+) s of CPU time", json.dumps (s))[1])
stands_for = s["weight"] / s["n"] * (s["n"] + s["lost"]) / 1e9
sys.exit (not (s["lost"] > 100 and s["weight"] < 0.5e9 * cpu and 0.5 * cpu < stands_for < 1.5 * cpu))
PY
  "$CABPROF" report | grep -q ', [0-9]* lost' ||
    fail "the overview does not say how many samples were lost"
}

# Where perf events are forbidden, the timer is used instead without an option.
check_forbidden ()
{
  cat >forbid.c <<'C'
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
int
main (int argc, char **argv)
{
  struct sock_filter code[] = { BPF_STMT (BPF_LD | BPF_W | BPF_ABS, offsetof (struct seccomp_data, nr)),
				BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 0, 1),
				BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM), BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ALLOW) };
  struct sock_fprog program = { sizeof code / sizeof *code, code };
  if (argc < 2 || prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
    return 125;
  execvp (argv[1], argv + 1);
  return 126;
}
C
  gcc forbid.c -o forbid || fail "compile forbid.c"
  ./forbid true; [ $? = 125 ] && return
  expect 3 "" ./forbid "$CABPROF" record ./work
  grep -q '"kind":"timer"' cabprof.data/samples.json || fail "without perf events there is no timer"
  between 50 "$(share inner)" 95 "inner without perf events"
  expect 1 "the kernel forbids it" ./forbid "$CABPROF" record --sample=cpu-clock ./work
}

case $how in
  input) check_input ;;
  timer) check_source; check_forbidden ;;
  *)
    check_source
    if grep -q '"name":"cpu-clock","kind":"perf"' cabprof.data/samples.json; then
      check_lost
      # Threads that end before the period is over have no sample, and a message says so; a higher
      # rate samples them.
      expect 3 \
        "of CPU time has no sample: threads and processes that end before the period (2 ms) have none: --rate=20000" record ./work brief
      expect 3 "" record --rate=20000 ./work brief
      between 20 "$(share brief)" 100 "threads of some tenths of a millisecond"
    fi ;;
esac
exit 0
