#!/bin/bash
# gcda-cases.sh - files for -fprofile-use: threads, killed and several processes, functions of one
# name, COMDAT, shared libraries; compared with those of GCC's own runtime where it has them.
# SPDX-License-Identifier: GPL-3.0-or-later

. "$(dirname "$0")/../lib.sh"
need_build
cc=${GCC:-gcc} cxx=${cc/gcc/g++} tool=${cc/gcc/gcov-dump}
need $cc $cxx $tool python3
ours="-fplugin=$PLUGIN -fplugin-arg-cabprof-cut-at-calls"
theirs="-fprofile-generate -fprofile-update=atomic"
edges_only="-fno-vpt -fno-profile-values -fno-profile-reorder-functions"

# in_both COMMAND...: run COMMAND in the directories theirs and ours, with their flags in $flags.
in_both ()
{
  rm -rf theirs ours
  mkdir theirs ours
  (cd theirs && flags=$theirs && eval "$@") || fail "theirs: $*"
  (cd ours && flags=$ours && eval "$@" && "$CABPROF" export gcda >written) || fail "ours: $*"
}

# equal WHAT [sum]: the files in both are equal.
equal ()
{
  python3 "$TOP/testsuite/oracle/gcdacheck.py" $tool theirs ours ${2:-} >result ||
    fail "$1: $(cat result)"
  passed
}

# used FILE...: the files in ours are accepted by GCC, without a warning.
used ()
{
  local file compiler
  for file; do
    compiler=$cc
    case $file in *.cc) compiler=$cxx ;; esac
    (cd ours && $compiler -O2 -Werror -Wmissing-profile -fprofile-use -c ../$file) ||
      fail "$file: -fprofile-use fails"
  done
  passed
}

cat >threads.c <<'EOC'
#include <pthread.h>
static volatile int sum;
static void *work (void *n)
{
  for (long i = 0; i < (long) n; i++)
    if (i % 3)
      sum = i;
  return 0;
}
int main (void)
{
  pthread_t t[4];
  for (long i = 0; i < 4; i++)
    pthread_create (&t[i], 0, work, (void *) (10000 * i));
  for (int i = 0; i < 4; i++)
    pthread_join (t[i], 0);
  return 0;
}
EOC
in_both '$cc -O2 $flags -c ../threads.c && $cc $flags threads.o -o p -pthread && ./p'
equal "threads"
used threads.c

# The summary is over processes, each with its largest counter.
cat >runs.c <<'EOC'
#include <stdlib.h>
#include <unistd.h>
#include <sys/wait.h>
static volatile int sum;
static void count (int n) { for (int i = 0; i < n; i++) sum += i & 5 ? i : 1; }
int main (int argc, char **argv)
{
  int n = argc > 1 ? atoi (argv[1]) : 0;
  count (n);
  if (n == 100 && fork () == 0)
    {
      count (1000);
      exit (0);
    }
  wait (0);
#ifdef EXEC
  if (n == 30)
    execl (argv[0], argv[0], "31", (char *) 0);
#endif
  return 0;
}
EOC
in_both '$cc -O2 $flags -c ../runs.c && $cc $flags runs.o -o p &&
  for n in 7 30 100; do ./p $n; done'
equal "processes"
used runs.c

# A program that ends by exec: GCC takes execl to return, and counts that edge behind the call, so
# it has one less.
in_both '$cc -O2 -DEXEC $flags -c ../runs.c && $cc $flags runs.o -o p && ./p 30'
(cd ours && $cc -O2 -DEXEC -Werror -Wmissing-profile -fprofile-use -c ../runs.c) ||
  failed "exec: -fprofile-use fails"

# Two units have a static function of one header, and two folders files of one name.
mkdir -p a b
cat >both.h <<'EOC'
static __attribute__ ((noinline)) int both (int n) { int s = 0; while (n--) s += n & 3; return s; }
EOC
cat >a/util.c <<'EOC'
static __attribute__ ((noinline)) int init (int n) { return n > 2 ? n * 2 : 1; }
int start_DIR (void) { int s = 0; for (int i = 0; i < TIMES; i++) s += init (i); return s; }
EOC
sed 's/DIR/b/; s/TIMES/7/' a/util.c >b/util.c
sed -i 's/DIR/a/; s/TIMES/5/' a/util.c
cat >one.c <<'EOC'
#include "both.h"
int two (void), start_a (void), start_b (void);
volatile int v;
int main (void) { v = both (10) + two () + start_a () + start_b (); return 0; }
EOC
cat >two.c <<'EOC'
#include "both.h"
int two (void) { return both (1000); }
EOC
in_both 'mkdir a b; for d in a b; do (cd $d && $cc -O2 $flags -c ../../$d/util.c -o util.o); done &&
  $cc -O2 $flags -c ../one.c ../two.c && $cc $flags one.o two.o a/util.o b/util.o -o p && ./p'
equal "static functions of one name"
for d in a b; do
  mkdir -p $d.theirs $d.ours && mv theirs/$d/util.gcda $d.theirs && cp ours/$d/util.gcda $d.ours
  python3 "$TOP/testsuite/oracle/gcdacheck.py" $tool $d.theirs $d.ours >result ||
    failed "files of one name, $d: $(cat result)"
done
used one.c two.c

# COMDAT functions: each file has the sum.  A thunk is counted.  A library has a file, too.
cat >comdat.h <<'EOC'
struct a { virtual int get (int) { return 1; } virtual ~a () {} int pad = 0; };
struct b { virtual int other (int n) { return n > 3 ? n : 2; } virtual ~b () {} };
struct c : a, b { int other (int n) override { return n & 1 ? n : 4; } };
template <class T> __attribute__ ((noinline)) T most (T x, T y) { return x > y ? x : y; }
int far (b *, int);
EOC
cat >near.cc <<'EOC'
#include "comdat.h"
volatile int v;
int idle (int n) { return n ? most (n, 4) : 3; }
int main ()
{
  c object;
  for (int i = 0; i < 20; i++)
    v = v + far (&object, i) + most (i, 7);
  return 0;
}
EOC
cat >far.cc <<'EOC'
#include "comdat.h"
int far (b *p, int n) { c own; return p->other (n) + most (n, 3) + own.get (n); }
EOC
in_both '$cxx -O2 $flags -c ../near.cc ../far.cc && $cxx $flags near.o far.o -o p && ./p'
equal COMDAT sum
used near.cc far.cc
in_both '$cxx -O2 -fPIC $flags -shared ../far.cc -o libfar.so -dumpbase far -dumpdir ./ &&
  $cxx -O2 $flags -c ../near.cc && $cxx $flags near.o -L. -lfar -Wl,-rpath,$PWD -o p && ./p'
[ "$(cd theirs && echo *.gcda)" = "$(cd ours && echo *.gcda)" ] || failed "files of a library"

# Indirect calls, where calls are recorded, too: beside divisions; beside a remainder, whose values
# GCC counts in a way that leaves the function without; of virtual functions; under GCC's own
# transformations of values.
cat >calls.c <<'EOC'
typedef int (*function) (int);
static __attribute__ ((noinline)) int f (int n) { return n + 1; }
static __attribute__ ((noinline)) int g (int n) { return n * 3; }
int h (int n) { return n ^ 5; }
static function table[] = { f, f, f, g, h };
static __attribute__ ((noinline)) int apply (function p, function q, int n)
{
  int r = p (n) + q (n);
  return n > 5 ? r : p (r);
}
static __attribute__ ((noinline)) int divided (function p, int n, int m)
{
  return p (n / m) + n / (m + 1) + p (m);
}
static __attribute__ ((noinline)) unsigned rest (function p, unsigned n, unsigned m)
{
  return p (n % m) + n % 3;
}
int main (void)
{
  int s = 0;
  for (int i = 0; i < 1000; i++)
    s += apply (table[i % 5], table[i % 3], i) + divided (table[i % 4], i, 7)
	 + rest (table[i % 2], i, 8);
  return s == 12345;
}
EOC
ours="$ours -fplugin-arg-cabprof-events=paths+calls"
in_both '$cc -O2 $flags -c ../calls.c && $cc $flags calls.o -o p && ./p'
equal "indirect calls" calls
used calls.c
(cd ours && $cc -O2 -fprofile-use -fdump-ipa-profile-details -c ../calls.c &&
  grep -q 'Indirect call -> direct call' ./*.profile) ||
  failed "GCC makes nothing of indirect calls"
in_both '$cxx -O2 $flags ../near.cc ../far.cc -c && $cxx $flags near.o far.o -o p && ./p'
used near.cc far.cc
ours=${ours% *}

# Values: divisors, quotients, sizes, addresses; constants, frequent ones, many; signed, wide and
# narrow types; more values than GCC keeps.  Objects are the same with all of GCC's transformations.
cat >values.c <<'EOC'
#include <string.h>
static char to[4096] __attribute__ ((aligned (64))), from[4096] __attribute__ ((aligned (64)));
#define FAR __attribute__ ((noinline))
FAR static unsigned rest (unsigned n, unsigned m) { return n % m; }
FAR static unsigned long wide (unsigned long n, unsigned long m) { return n % m + n / 7; }
FAR static unsigned char narrow (unsigned char n, unsigned char m) { return n % m; }
FAR static int divide (int n, int m) { return n / m; }
FAR static long both (long n, long m) { return n % m + (n > 9 ? n / (m + 1) : 0); }
FAR static void copy (int at, unsigned long n) { memcpy (to + at, from, n); }
FAR static void set (char *p, unsigned long n) { memset (p, 1, n); memmove (p, p + 4, n); }
FAR static unsigned never (unsigned n, unsigned m) { return n % m; }
int main (int argc, char **argv)
{
  long s = argc > 50 ? never (argc, argv[0][0]) : 0;
  for (int i = 1; i < 1000; i++)
    {
      s += rest (i, i % 3 ? 8 : 7) + rest (7, 8) + divide (i, i % 9 ? 5 : -i) + narrow (i, 3);
      s += both (-i, i % 4 + 1) + both (i, i) + wide (-(unsigned long) i, i % 100 ? 3 : 1ul << 63);
      copy (16 * (i % 4), i % 5 ? 24 : i % 50);
      set (to + i % 8 * 8, i % 20 + 3);
    }
  return s == 3;
}
EOC
ours="$ours -fplugin-arg-cabprof-events=paths+values"
in_both '$cc -O2 $flags -c ../values.c && $cc $flags values.o -o p && ./p && ./p'
equal "values" addresses
for level in -O0 -O2 -O3; do
  in_both '$cc $level $flags -c ../values.c && $cc $flags values.o -o p && ./p'
  equal "values, $level" addresses
  for dir in ours theirs; do
    (cd $dir && $cc $level -Werror -Wmissing-profile -fprofile-use -c ../values.c) ||
      fail "values, $level: $dir"
  done
  cmp ours/values.o theirs/values.o || fail "values, $level: other objects"
  passed
done
(cd ours && CABPROF_OPTIONS=off ./p) || fail "values: does not run without a profile"
in_both '$cc -O2 -fPIC $flags -c ../values.c -Dmain=values_main &&
  echo "int values_main (int, char **); int main (int n, char **a) { return values_main (n, a); }" \
    >main.c && $cc $flags -shared values.o -o libvalues.so &&
  $cc -O2 $flags -c main.c && $cc $flags main.o -L. -lvalues -Wl,-rpath,$PWD -o p && ./p'
equal "values in a library" addresses
ours=${ours% *}

# The order of first calls, which is not that of the source: where no value is frequent GCC makes
# the same object of both files, and another one without the order.
cat >order.c <<'EOC'
static __attribute__ ((noinline)) int last (int n) { return n > 3 ? n * 5 : n; }
static __attribute__ ((noinline)) int never (int n) { return n > 8 ? n : 1; }
static __attribute__ ((noinline)) unsigned first (unsigned n, unsigned m) { return n % m + 1; }
static __attribute__ ((noinline)) int second (int n)
{
  return n & 1 ? n + first (n + 900, n + 9) : n;
}
int main (int argc, char **argv)
{
  int s = argc > 50 ? never (argc) : first (argc + 100, 7);
  (void) argv;
  for (int i = 0; i < 100; i += 3)
    s += i > 50 ? last (i) : second (i);
  return s == 12345;
}
EOC
in_both '$cc -O2 $flags -c ../order.c && $cc $flags order.o -o p && ./p'
equal "the order of first calls"
used order.c
for options in "" -fno-profile-reorder-functions; do
  for dir in ours theirs; do
    (cd $dir && $cc -O2 -fprofile-use $options -c ../order.c) || fail "order: $dir"
  done
  cmp ours/order.o theirs/order.o || fail "the order of first calls: other objects"
  cp ours/order.o order${options:+-not}.o
done
cmp -s order.o order-not.o && fail "GCC makes nothing of the order of first calls"
passed

# What first runs after a process has forbidden itself system calls has no number.
cat >filter.c <<'EOC'
#include <stdio.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
static __attribute__ ((noinline)) int after (int n) { return n > 3 ? n * 5 : n; }
static __attribute__ ((noinline)) int before (int n) { return n > 5 ? n * 4 : n; }
int main (int argc, char **argv)
{
  struct sock_filter code[] = { BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ALLOW) };
  struct sock_fprog program = { 1, code };
  int n = before (argc);
  (void) argv;
  if (prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0)
    prctl (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
  return after (n) == 12345;
}
EOC
in_both '$cc -O2 $flags -c ../filter.c && $cc $flags filter.o -o p && ./p'
python3 "$TOP/testsuite/oracle/gcdacheck.py" $tool theirs ours >result &&
  fail "a function has a number after a filter: $(cat result)"
grep -q 'order of first calls: \[\] instead of \[[^]]* 3)\]$' result &&
  grep -q ' 1 wrong$' result ||
  fail "after a filter: $(cat result)"
used filter.c

# A process that is killed, in loops of some threads and in a call of another, leaves a profile that
# GCC finds consistent, values included: at -O0, where the loop is entered, GCC derives one way from
# the other.
cat >killed.c <<'EOC'
#include <pthread.h>
#include <signal.h>
#include <unistd.h>
static volatile long n, stop;
static volatile unsigned divisor = 3;
static __attribute__ ((noinline)) int half (int k) { return k > 2 ? k / 2 : 0; }
static void *spin (void *p)
{
  if (p)
    goto entered;
  goto other;
again:
  if (stop > 5)
    return p;
  n += 1 + (unsigned) n % divisor;
  goto again;
other:
  if (n < 0)
    return 0;
  n += 3;
  goto again;
entered:
  n += 5;
  goto again;
}
static void wait_long (int k) { if (k) kill (getpid (), SIGKILL); else stop = 1; }
int main (void)
{
  pthread_t t[3];
  for (int i = 0; i < 3; i++)
    pthread_create (&t[i], 0, spin, (void *) &stop);
  if (half (1))
    return 1;
  while (n < 100000)
    ;
  for (int k = 0; k < 5; k++)
    wait_long (k == 3);
  return 0;
}
EOC
ours="$ours -fplugin-arg-cabprof-events=paths+values"
for level in -O0 -O1 -O2 -O3; do
  rm -rf ours
  mkdir ours
  (cd ours && $cc $level $ours -c ../killed.c && $cc killed.o $ours -o p -pthread) || fail "killed"
  bash -c 'cd ours && ./p' >/dev/null 2>&1
  (cd ours && "$CABPROF" export gcda >written) || fail "killed: $level"
  (cd ours && $cc $level -Werror -Wmissing-profile -fprofile-use -c ../killed.c) ||
    fail "killed, $level: GCC finds the counts inconsistent"
  passed
done
cases
