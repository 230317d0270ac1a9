#!/bin/bash
# sharing.sh - lines that threads share are classified right: truly, falsely, only read, not at all,
# reused after a release, or used by one thread after the other; in C, C++ and with OpenMP.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/cli.sh"
memory=(-g "-fplugin=$PLUGIN" -fplugin-arg-cabprof-events=memory)
LINE='__attribute__ ((aligned (64)))'

# run PROGRAM: write what its threads share to `table'.
run ()
{
  rm -rf profile
  CABPROF_OPTIONS=data=profile:analyses=sharing "./$1" >output 2>errors ||
    fail "$1 fails: $(cat errors)"
  [ ! -s errors ] || fail "$1: $(cat errors)"
  "$CABPROF" report sharing --by=line -d profile --format=tsv >table || fail "$1: no report"
}
# rows VARIABLE: print kind, uniform, bytes, reads, writes and padding of each side that accessed
# it, in order.
rows ()
{
  awk -F'\t' -v v="$1" 'NR > 1 && index (" " $10 " ", " " v " ") { print $2, $3, $6, $7, $8, $9 }' \
    table | sort
}
expect_rows ()
{
  local got
  got=$(rows "$1")
  [ "$got" = "$2" ] || fail "$what: $1: '$got' instead of '$2': $(cat table)"
}

cat >threads.c <<END
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
struct pair { volatile long a, b, rest[6]; } pair $LINE;
static struct { long *volatile p, *rest[7]; } half $LINE;
volatile long counter $LINE, rare $LINE, late $LINE, alone $LINE;
volatile long table[8] $LINE = { 1, 2, 3 };
static pthread_barrier_t both, done, begun;   /* begun: threads are numbered by their first
                                                 events */
END
cat >>threads.c <<'END'
static void *work (void *arg)
{
  long me = (long) arg;
  long *volatile own = malloc (256);
  pthread_barrier_wait (&begun);
  pthread_barrier_wait (&both);
  for (int i = 0; i < 1000; i++)
    {
      if (me) pair.b++; else pair.a++;
      __atomic_fetch_add (&counter, table[i & 7], __ATOMIC_RELAXED);
      own[i & 31] = i;
    }
  for (int i = 0; i < (me ? 100 : 10); i++)
    rare++;
  half.p[me] = me;
  if (me)
    alone = own[3];
  pthread_barrier_wait (&done);
  free (own);
  return NULL;
}
static void *after (void *arg) { late = late + (long) arg; return NULL; }
int main (void)
{
  pthread_t t[2];
  pthread_barrier_init (&both, NULL, 2);
  pthread_barrier_init (&done, NULL, 2);
  pthread_barrier_init (&begun, NULL, 2);
  half.p = aligned_alloc (64, 64);
  for (long i = 0; i < 2; i++)
    {
      pthread_create (&t[i], NULL, work, (void *) i);
      pthread_barrier_wait (&begun);
    }
  for (int i = 0; i < 2; i++)
    pthread_join (t[i], NULL);
  for (long i = 0; i < 2; i++)
    {
      pthread_create (&t[0], NULL, after, (void *) i);
      pthread_join (t[0], NULL);
    }
  return 0;
}
END
what=threads.c
gcc -O1 "${memory[@]}" -pthread threads.c -o threads || fail "threads.c does not compile"
run threads
expect_rows pair.a "false yes 0-7 1000 1000 56"
expect_rows pair.b "false yes 8-15 1000 1000 56"
expect_rows counter "true yes 0-7 0 1000 -
true yes 0-7 0 1000 -"
expect_rows rare "true no 0-7 10 10 -
true no 0-7 100 100 -"
expect_rows 'table[]' "read yes 0-63 1000 0 -
read yes 0-63 1000 0 -"
expect_rows late ""
expect_rows alone ""
[ "$(awk -F'\t' 'NR > 1 && $2 == "false" { n++ } END { print n }' table)" = 4 ] ||
  fail "not two lines of two sides falsely shared: $(cat table)"
grep -q 'threads.c:1[0-9]' table || fail "no places: $(cat table)"
cut -f12 table | tail -n +2 | grep . && fail "what is no block was allocated: $(cat table)"
# Lines that nobody wrote come last; filters and formats work.
tail -n 1 table | grep -q '	read	' || fail "order: $(cat table)"
"$CABPROF" report sharing --by=line -d profile --function=after --format=tsv | [ "$(wc -l)" = 1 ] ||
  fail "--function=after"
"$CABPROF" report sharing --by=line -d profile --function=work | grep -q 'pair.a' ||
  fail "--function=work"
"$CABPROF" report sharing --by=line -d profile --format=json | grep -q '"kind": *"false"' ||
  fail "JSON"
# By variable, the same holds for symbols, with a remedy that would separate them.
variables ()
{
  "$CABPROF" report sharing -d "${1:-profile}" --format=tsv >table 2>err ||
    fail "no variables: $(cat err)"
  quiet
}
# expect_variable NAME ROWS: check kind, uniform, thread, reads, writes, padding, with, remedy.
expect_variable ()
{
  local got
  got=$(awk -F'\t' -v v="$1" \
    'NR > 1 && $1 == v { print $3 "," $4 "," $6 "," $7 "," $8 "," $11 "," $12 "," $17 }' table |
    sort)
  [ "$got" = "$2" ] || fail "$what: $1: '$got' instead of '$2': $(cat table)"
}
# The overview begins with the analysis that was chosen.
"$CABPROF" report -d profile |
  grep -m 2 -E '^(Variables that threads share|Functions entered most often)' | head -n 1 |
  grep -q '^Variables' || fail "the overview does not begin with what threads share"
what="variables of threads.c"
variables
expect_variable pair \
  "false,yes,2,1000,1000,-,,align to 64, keep what different threads access 64 apart
false,yes,3,1000,1000,-,,align to 64, keep what different threads access 64 apart"
expect_variable counter "true,yes,2,0,1000,-,,
true,yes,3,0,1000,-,,"
expect_variable rare "true,no,2,10,10,-,,
true,no,3,100,100,-,,"
expect_variable table "read,yes,2,1000,0,-,,
read,yes,3,1000,0,-,,"
expect_variable half "true,yes,1,0,1,-,,
true,yes,2,1,0,-,,
true,yes,3,1,0,-,,"
expect_variable late ""
expect_variable alone ""
declared=$(awk -F'\t' '$1 == "pair" && $5 { print $15 ":" $16 }' table | sort -u)
case $declared in *threads.c:4) ;; *) fail "pair is declared at $declared" ;; esac
"$CABPROF" report sharing -d profile --function=after --format=tsv | [ "$(wc -l)" = 1 ] ||
  fail "--by=variable --function=after"
"$CABPROF" report sharing -d profile --function=work | grep -q '^counter ' ||
  fail "--by=variable --function=work"
"$CABPROF" report sharing --by=variable -d profile >by-variable && "$CABPROF" report sharing \
  -d profile | diff - by-variable || fail "--by=variable is not the default"
expect 2 "$CABPROF" report sharing --by=function -d profile
grep -q 'line or variable' err || fail "--by=function: $(cat err)"

# Two processes share nothing.
CABPROF_OPTIONS=data=profile:analyses=sharing ./threads
"$CABPROF" report sharing --by=line -d profile --format=tsv >table
[ "$(rows pair.a | wc -l)" = 2 ] && [ "$(rows pair.a | uniq)" = "false yes 0-7 1000 1000 56" ] ||
  fail "two processes: $(cat table)"
variables
[ "$(grep -c '^counter	' table)" = 4 ] || fail "variables of two processes: $(cat table)"
for options in placement=inline threads=2 ring=4K:chunk=512; do
  rm -rf profile
  CABPROF_OPTIONS=data=profile:analyses=sharing:$options ./threads || fail "$options: threads fails"
  "$CABPROF" report sharing --by=line -d profile --format=tsv >table
  what=$options
  expect_rows pair.b "false yes 8-15 1000 1000 56"
  expect_rows late ""
done

# Blocks are named by their allocation: one of two is lengthened elsewhere; the one that its thread
# never accesses is unknown.
cat >heap.c <<'END'
#include <pthread.h>
#include <stdlib.h>
struct slot { volatile long hits, misses; };
static struct slot *slots;
static volatile long *sums, *blind;
static pthread_barrier_t both;
static void *work (void *arg)
{
  long me = (long) arg;
  pthread_barrier_wait (&both);
  for (int i = 0; i < 100; i++)
    slots[me].hits++, sums[me]++, blind[me]++;
  pthread_barrier_wait (&both);
  return arg;
}
int main (void)
{
  pthread_t t[2];
  pthread_barrier_init (&both, NULL, 2);
  slots = aligned_alloc (64, 64); /* line 20 */
  sums = malloc (8);
  sums[0] = 1;
  sums = realloc ((void *) sums, 4096); /* line 23 */
  sums = (long *) (((unsigned long) sums + 63) & -64ul);
  blind = aligned_alloc (64, 64);
  for (long i = 0; i < 2; i++)
    pthread_create (&t[i], NULL, work, (void *) i);
  for (int i = 0; i < 2; i++)
    pthread_join (t[i], NULL);
  return slots[1].hits - slots[0].hits + sums[0] < 0;
}
END
what=heap.c
gcc -O1 "${memory[@]}" -pthread heap.c -o heap || fail "heap.c does not compile"
# expect_allocated COLUMN NAME COLUMN-OF-ALLOCATIONS WHERE: check where the block was allocated.
expect_allocated ()
{
  local got
  got=$(awk -F'\t' -v c="$1" -v v="$2" -v a="$3" \
    'NR > 1 && index (" " $c " ", " " v " ") { print $a }' table | sort -u)
  [ "$got" = "$4" ] || fail "$what: $2 comes from '$got' instead of '$4': $(cat table)"
}
for options in placement=thread placement=inline threads=2 again; do
  what="heap.c $options"
  [ $options = again ] || rm -rf profile
  CABPROF_OPTIONS=data=profile:analyses=sharing:${options/again/placement=thread} ./heap ||
    fail "$what fails"
  "$CABPROF" report sharing --by=line -d profile --format=tsv >table
  expect_allocated 10 slot.hits 12 heap.c:20
  expect_allocated 10 'sums[]' 12 heap.c:23
  expect_allocated 10 'blind[]' 12 ''
  variables
  expect_allocated 1 slot.hits 14 heap.c:20
  expect_allocated 1 'sums[]' 14 heap.c:23
  expect_allocated 1 blind 14 ''
done
"$CABPROF" report sharing --by=line -d profile | grep -q '^address.* allocated$' ||
  fail "not in the text"

# Memory that one thread released and another allocated again is not shared; memory that was handed
# over is, and so is reused memory without recorded allocations.
cat >again.c <<'END'
#include <pthread.h>
static long room[64] __attribute__ ((aligned (64)));
static struct { long *volatile p, *rest[7]; } given __attribute__ ((aligned (64)));
__attribute__ ((noipa)) void *pool_get (unsigned long size) { return size ? room : 0; }
__attribute__ ((noipa)) void pool_put (void *block) { __asm__ volatile ("" : : "r" (block)); }
static void *work (void *arg)
{
  volatile long *again = pool_get (sizeof room);
  for (int i = 0; i < 64; i++)
    again[i] = i;
  *given.p = *given.p + 1;
  pool_put ((void *) again);
  return arg;
}
int main (void)
{
  pthread_t t;
  static long over __attribute__ ((aligned (64)));
  volatile long *block = pool_get (sizeof room);
  for (int i = 0; i < 64; i++)
    block[i] = i;
  over = 3;
  given.p = &over;
  pool_put ((void *) block);
  pthread_create (&t, NULL, work, NULL);
  pthread_join (t, NULL);
  return over != 4;
}
END
what=again.c
printf 'pool_get allocates size=1\npool_put releases pointer=1\n' >pools
gcc -O1 "${memory[@]}" -fplugin-arg-cabprof-allocators=pools -pthread again.c -o again ||
  fail "again.c does not compile"
run again
expect_rows 'block[]' ""
expect_rows 'again[]' ""
grep -q '	true	.*given' table || fail "handed over: $(cat table)"
gcc -O1 "${memory[@]}" -pthread again.c -o unknown || fail "again.c does not compile"
run unknown
[ "$(rows 'block[]' | uniq -c | awk '{ print $1, $2 }')" = "8 true" ] ||
  fail "one memory without allocations: $(cat table)"

cat >threads.cc <<END
#include <pthread.h>
#include <thread>
#include <vector>
struct Slot { volatile int n; };
Slot slots[2] $LINE;
int main ()
{
  std::vector<std::thread> all;
  // Neither thread may end before the other one has begun: they would use the slots one after the other.
  pthread_barrier_t both;
  pthread_barrier_init (&both, NULL, 2);
  for (int i = 0; i < 2; i++)
    all.emplace_back ([i, &both] { pthread_barrier_wait (&both); for (int k = 0; k < 50; k++) slots[i].n++; pthread_barrier_wait (&both); });
  for (auto &t : all)
    t.join ();
}
END
what=threads.cc
g++ -O1 "${memory[@]}" -pthread threads.cc -o cxx || fail "threads.cc does not compile"
run cxx
expect_rows 'slots[].n' "false yes 0-3 50 50 60
false yes 4-7 50 50 60"
variables
expect_variable slots "false,yes,2,50,50,60,,align to 64, pad each element of 4 to 64
false,yes,3,50,50,60,,align to 64, pad each element of 4 to 64"

cat >omp.c <<END
#include <omp.h>
volatile long sums[2] $LINE;
int main (void)
{
#pragma omp parallel num_threads (2)
  {
#pragma omp barrier
    for (int i = 0; i < 30; i++)
      sums[omp_get_thread_num ()] += i;
  }
  return 0;
}
END
what=omp.c
gcc -O1 "${memory[@]}" -fopenmp omp.c -o omp || fail "omp.c does not compile"
run omp
expect_rows 'sums[]' "false yes 0-7 30 30 56
false yes 8-15 30 30 56"
variables
expect_variable sums "false,yes,1,30,30,56,,align to 64, pad each element of 8 to 64
false,yes,2,30,30,56,,align to 64, pad each element of 8 to 64"

# Memory is shared truly and falsely at once: the bytes that each thread has for itself, and how
# often it uses them, decide; a single sum at the end does not make it true.
cat >mixed.c <<END
#include <pthread.h>
static struct { volatile long all, each[2], rest[5]; } mixed $LINE;
static struct { volatile long stop, done, rest[6]; } watched $LINE;
static struct { volatile long lock, note, rest[6]; } locked $LINE;
static volatile long slots[8] $LINE, begun $LINE;   /* begun: threads are numbered by their first
                                                       events */
static pthread_barrier_t begin, end;
static void *work (void *arg)
{
  long me = (long) arg;
  pthread_barrier_wait (&begin);
  for (int i = 0; i < 1000; i++)
    {
      mixed.each[me]++;
      if (i % 10 == 0)
	__atomic_fetch_add (&mixed.all, 1, __ATOMIC_RELAXED);
      if (me)
	__atomic_fetch_add (&watched.done, 1, __ATOMIC_RELAXED);
      else
	while (i < watched.stop)
	  ;
      __atomic_fetch_add (&locked.lock, 1, __ATOMIC_RELAXED);
      if (me)
	locked.note;
      __atomic_fetch_sub (&locked.lock, 1, __ATOMIC_RELAXED);
      slots[me]++;
    }
  if (me)
    watched.stop = 0;
  pthread_barrier_wait (&end);
  if (!me)
    for (int i = 0; i < 8; i++)
      mixed.rest[0] += slots[i];
  return arg;
}
int main (void)
{
  pthread_t t;
  pthread_barrier_init (&begin, NULL, 2);
  pthread_barrier_init (&end, NULL, 2);
  begun = 1;
  pthread_create (&t, NULL, work, (void *) 1);
  work (0);
  return pthread_join (t, NULL);
}
END
what=mixed.c
gcc -O1 "${memory[@]}" -pthread mixed.c -o mixed || fail "mixed.c does not compile"
run mixed
expect_rows mixed.all "both yes 0-15,24-31 1008 1108 40
both yes 0-7,16-23 1000 1100 56"
expect_rows watched.stop "both yes 0-15 0 1001 56
both yes 0-7 1000 0 56"
expect_rows locked.lock "true yes 0-15 1000 2000 -
true yes 0-7 0 2000 -"
expect_rows 'slots[]' "both yes 0-63 1008 1000 0
both yes 8-15 1000 1000 56"
variables
apart="align to 64, keep what different threads access 64 apart"
expect_variable mixed "both,yes,1,1008,1108,-,,$apart
both,yes,2,1000,1100,-,,$apart"
expect_variable watched "both,yes,1,1000,0,-,,$apart
both,yes,2,0,1001,-,,$apart"
expect_variable locked "true,yes,1,0,2000,-,,
true,yes,2,1000,2000,-,,"
expect_variable slots "both,yes,1,1008,1000,56,,align to 64, pad each element of 8 to 64
both,yes,2,1000,1000,56,,align to 64, pad each element of 8 to 64"

# A large array is not padded: divided into chunks, it is shared only at their borders; divided by
# element, threads should get whole lines.
cat >chunks.c <<END
#include <stdlib.h>
#define N 20000
static volatile double a[N + 4] $LINE, b[N] $LINE;
int main (void)
{
  volatile double *heap = aligned_alloc (64, (N + 4) * sizeof *heap);
#pragma omp parallel num_threads (2)
  {
#pragma omp barrier
#pragma omp for schedule (static)
    for (int i = 0; i < N + 4; i++)
      {
	a[i] = i;
	heap[i] = i;
      }
#pragma omp for schedule (static, 1)
    for (int i = 0; i < N; i++)
      b[i] = i;
  }
  return 0;
}
END
what=chunks.c
gcc -O1 "${memory[@]}" -fopenmp chunks.c -o chunks || fail "chunks.c does not compile"
run chunks
variables
for array in a 'heap[]'; do
  expect_variable "$array" "false,no,1,0,2,-,,none is worth it: at most 4 of 20004 accesses suffer
false,no,2,0,6,-,,none is worth it: at most 4 of 20004 accesses suffer"
done
whole="align to 64, let each thread's elements begin at a multiple of 8 of them (each padded to 64: 8 times the memory)"
expect_variable b "false,yes,1,0,10000,-,,$whole
false,yes,2,0,10000,-,,$whole"

CABPROF_OPTIONS=data=without ./omp
expect 1 "$CABPROF" report sharing --by=line -d without
grep -q 'analyses=sharing' out err || fail "the message does not name analyses=sharing"

# A variable and a line whose names are parts of other names are listed beside those.
cat >parts.c <<'END'
#include <pthread.h>
struct { volatile long ab, ab2, rest[6]; } s __attribute__ ((aligned (64))); __attribute__ ((noipa)) static void first (void) { s.ab = 1; }







static pthread_barrier_t both;






__attribute__ ((noipa)) static void second (void)
{ s.ab2 = 1; }
static void *work (void *arg) { second (); first (); pthread_barrier_wait (&both); return arg; }
int main (void)
{
  pthread_t t;
  pthread_barrier_init (&both, 0, 2);
  pthread_create (&t, 0, work, 0);
  work (0);
  return pthread_join (t, 0);
}
END
what=parts.c
gcc -O1 -pthread "${memory[@]}" parts.c -o parts || fail "parts.c does not compile"
run parts
grep -c $'\ts.ab2 s.ab\tparts.c:18 parts.c:2	$' table >lines; [ "$(cat lines)" = 2 ] ||
  fail "$what: $(cat table)"
# A program with one thread shares nothing, and the report says so.
echo 'int n; int main (void) { n++; return 0; }' >lone.c
gcc "${memory[@]}" lone.c -o lone || fail "lone.c does not compile"
run lone
"$CABPROF" report sharing --by=line -d profile | tail -n 1 | grep -qx '(none)' ||
  fail "lone.c: no word of nothing"

# Variables lie beside each other and are accessed through one function, in static and other memory.
# For a thread that has used more addresses than there are rows (CAB_SHARING_FIRST) it is unknown
# which of them it accessed, and the report says so.
cat >beside.c <<'END'
#include <pthread.h>
#include <stdlib.h>
int first __attribute__ ((aligned (64))) = 1;
int second = 1;
int rest[14] = { 1 };
static char many[MANY];
static struct task { long jobs, failed; } *tasks;
static pthread_barrier_t both, begun;
__attribute__ ((noipa)) static void bump (volatile int *n) { ++*n; }
__attribute__ ((noipa)) static void fail_one (struct task *t) { t->failed++; }
static void *work (void *arg)
{
  void *volatile mine = malloc (8);
  pthread_barrier_wait (&begun);
  free (mine);
  if (!arg)
    for (volatile char *c = many; c < many + sizeof many; c++)
      *c = 1;
  bump (&second);
  if (!arg)
    bump (&first);
  fail_one (&tasks[arg != NULL]);
  pthread_barrier_wait (&both);
  return arg;
}
int main (void)
{
  pthread_t t[2];
  pthread_barrier_init (&both, NULL, 2);
  pthread_barrier_init (&begun, NULL, 2);
  tasks = aligned_alloc (64, 2 * sizeof *tasks);
  for (long i = 0; i < 2; i++)
    {
      pthread_create (&t[i], NULL, work, (void *) i);
      pthread_barrier_wait (&begun);
    }
  for (int i = 0; i < 2; i++)
    pthread_join (t[i], NULL);
  return 0;
}
END
for many in 400 40000; do
  what="beside.c, $many"
  gcc -O1 -no-pie -fno-toplevel-reorder -DMANY=$many "${memory[@]}" -pthread beside.c -o beside ||
    fail "beside.c does not compile"
  run beside
  variables
  expect_variable task.failed "false,yes,2,1,1,48,,align to 64, pad each element of 16 to 64
false,yes,3,1,1,48,,align to 64, pad each element of 16 to 64"
  if [ $many = 400 ]; then
    expect_variable first "false,no,2,1,1,60,second,align to 64, pad from 4 to 64"
    expect_variable second "both,yes,2,1,1,60,first,align to 64, pad from 4 to 64
both,yes,3,1,1,60,first,align to 64, pad from 4 to 64"
  else
    expect_variable 'first|second' "true,no,2,2,2,-,second,"
    expect_variable second "true,no,3,1,1,-,first|second,"
  fi
done

# For a program that was rebuilt since, symbols are useless: variables are called as the accesses to
# them.
cp beside beside.old
gcc -O2 -no-pie -fno-toplevel-reorder -DMANY=1 "${memory[@]}" -pthread beside.c -o beside ||
  fail "beside.c does not compile"
expect 1 "$CABPROF" report sharing -d profile --format=tsv
grep -q 'beside: it is not what ran' err ||
  fail "the message does not name another program: $(cat err)"
grep -q '^\*n	' out || fail "not by the accesses' names: $(cat out)"
mv beside.old beside
variables

# A state in the format of older versions is refused.
python3 - profile/*.part <<'END' || fail "no state to make old"
import sys
changed = False
for name in sys.argv[1:]:
    data = open (name, 'rb').read ()
    old = data.replace ((0x73686133).to_bytes (4, 'little'), (0x73686132).to_bytes (4, 'little'))
    changed |= old != data
    open (name, 'wb').write (old)
sys.exit (not changed)
END
expect 1 "$CABPROF" report sharing --by=line -d profile
grep -q 'analysis sharing: the state has a foreign mark' err || fail "an old state: $(cat out err)"
