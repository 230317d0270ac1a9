#!/bin/bash
# accesses.sh - each access is counted once, as the source says, however the program ends and
# whatever the size of its rings.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/../lib.sh"
need_build
need gcc

# Lengths of 0 give raw words that look like the end of a chunk.
cat >prog.c <<'END'
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#define N 3000
struct item { long key; short flags[4]; struct item *next; };
static struct item items[64];
static char text[256];
__attribute__ ((noipa)) static void
fill (size_t n)
{
  memset (text, 7, n);
}
__attribute__ ((noipa)) static long
look (struct item *i)
{
  return i->flags[2] + i->next->key;
}
static void *
work (void *arg)
{
  long sum = 0;
  for (int i = 0; i < 64; i++)
    items[i].next = &items[(i + 1) % 64];
  for (int i = 0; i < N; i++)
    {
      fill (i % 3);
      sum += look (&items[i % 64]);
    }
  return sum ? arg : NULL;
}
int
main (int argc, char **argv)
{
  pthread_t thread;
  work (NULL);
  pthread_create (&thread, NULL, work, NULL);
  pthread_join (thread, NULL);
  if (argc > 1)
    kill (getpid (), atoi (argv[1]));
  return 0;
}
END
probed memory prog.c prog -O2 -pthread

# wanted VARIABLE READS WRITES BYTES: each of two threads does this N times.
cat >wanted <<'END'
item.flags[]	6000	0	12000
item.key	6000	0	48000
item.next	6000	0	48000
text	0	6000	6000
END

# counts DIR: print the rows of the functions whose number of calls is known.
counts () {
  "$CABPROF" report accesses -d "$1" --format=tsv |
    awk -F '\t' '$2 == "look" || $2 == "fill" { print $1 "\t" $6 "\t" $7 "\t" $8 }' | sort
}

for options in placement=thread placement=inline ring=4K:chunk=512 \
  ring=512:chunk=64:placement=inline ring=64M:chunk=8M; do
  # With an analysis that takes accesses one by one, events are decoded twice.
  for signal in "" 9 " " " 9"; do
    analyses=accesses
    case $signal in " "*) analyses=accesses+blocks ;; esac
    signal=${signal# }
    CABPROF_OPTIONS=analyses=$analyses:data=data:$options \
      bash -c "exec ./prog $signal" 2>/dev/null || [ -n "$signal" ] ||
      fail "$options: the program fails"
    counts data >got
    "$CABPROF" report -d data >account
    sent=$(sed -n 's/^  events sent through rings *//p' account) \
      analysed=$(sed -n 's/^  events analysed *//p' account)
    if diff wanted got && [ -n "$sent" ] && [ "$sent" = "$analysed" ] &&
      ! grep dropped account; then
      passed
    else
      failed "$options, $analyses, signal ${signal:-none}: $sent sent, $analysed analysed"
    fi
    rm -rf data
  done
done

CABPROF_OPTIONS=analyses=tree:data=data ./prog
"$CABPROF" report accesses -d data >out 2>&1 && fail "report accesses finds what was not counted"
grep -q "analyses=accesses" out || fail "the message does not say how to count accesses: $(cat out)"

# Paths and accesses of a function have a row each, but count as one function.
gcc -O2 -pthread -fplugin="$PLUGIN" -fplugin-arg-cabprof-events=paths+memory prog.c -o both ||
  fail "does not compile"
CABPROF_OPTIONS=data=both.data ./both
"$CABPROF" report methods -d both.data >out
! grep build out || fail "a function with two rows is taken for two builds: $(cat out)"
n=$(grep -c '^[a-z].*prog\.c' out)
"$CABPROF" report -d both.data | grep -q "^  functions executed  *$n  (" ||
  fail "not $n functions: $("$CABPROF" report -d both.data)"

# So is an inline function that the program and a library have, each its own copy.
cat >inline.h <<'END'
extern volatile int sink;
inline __attribute__ ((noinline)) int add (int x) { return sink += x; }
int in_library (int);
END
printf '#include "inline.h"\nvolatile int sink;\nint in_library (int x) { return add (x) + sink; }\n' >lib.cc
printf '#include "inline.h"\nint main () { return add (1) + in_library (2) + sink == 0; }\n' >prog.cc
for events in paths memory; do
  plugin="-fplugin=$PLUGIN -fplugin-arg-cabprof-events=$events"
  g++ -O2 -fPIC -shared -fvisibility-inlines-hidden $plugin lib.cc -o libin.so &&
    g++ -O2 $plugin prog.cc -L. -lin -Wl,-rpath,"$PWD" -o two || fail "does not compile"
  CABPROF_OPTIONS=data=$events.two ./two || fail "two: exit status $?"
  "$CABPROF" report -d $events.two >out
  grep -q ", 3 functions executed" out && grep -q "^  functions executed  *3  (" out ||
    fail "events=$events: not 3 functions: $(cat out)"
done

# So is a function of which only a clone is left: its accesses have a row by the clone's name.
cat >clone.c <<'END'
struct pair { int a, b; };
int sum;
static __attribute__ ((noinline)) void add (struct pair *p, int unused) { sum += p->a; }
int main (int argc, char **argv)
{
  struct pair p = { argc, 2 };
  add (&p, 1), add (&p, 2);
  return sum == 0;
}
END
gcc -O2 -fplugin="$PLUGIN" -fplugin-arg-cabprof-events=memory+calls clone.c -o clone &&
  nm clone | grep -q ' add\.' || fail "there is no clone"
CABPROF_OPTIONS=data=clone.data ./clone || fail "clone: exit status $?"
"$CABPROF" report -d clone.data >out
grep -q ", 2 functions executed" out && grep -q "^  functions executed  *2  (" out ||
  fail "a clone is another function: $(cat out)"

# The counts of the account stand below each other.
printf '#include <stdio.h>\nint main (void) { char b[9]; return sprintf (b, "%%d", 1) == 2; }\n' >unseen.c
gcc -O2 -fplugin="$PLUGIN" -fplugin-arg-cabprof-events=paths+memory unseen.c -o unseen &&
  CABPROF_OPTIONS=data=unseen.data ./unseen && "$CABPROF" report -d unseen.data >out
ends=$(sed -n '/^Account/,/^$/ s/^\(  [^(]*[0-9]\)\(  (.*\)*$/\1/p' out |
  awk '{ print length }' | sort -u)
grep -q "^  library call sites  *1 " out && [ "$(wc -w <<<"$ends")" = 1 ] ||
  fail "the account's counts end in columns $ends: $(cat out)"

# Sums by kind and size equal those of the trace, counted one by one; ranges have all sizes.
cat >sizes.c <<'END'
#include <string.h>
static char bytes[100];
static short words[40];
static double numbers[30];
static long shared;
struct whole { long a[5]; } from, to;
__attribute__ ((noipa)) static void fill (char *p, unsigned long n) { memset (p, 1, n); }
int main (int argc, char **argv)
{
  (void) argv;
  for (int i = 0; i < 40; i++)
    words[i] = bytes[i] + argc;
  for (int i = 1; i < 30; i++)
    numbers[i] = numbers[i - 1] + words[i];
  for (int i = 0; i < 7; i++)
    __atomic_fetch_add (&shared, i, __ATOMIC_RELAXED);
  for (unsigned long i = 0; i < 9; i++)
    fill (bytes, 10 * i);
  to = from;
  return 0;
}
END
gcc -O1 -fplugin="$PLUGIN" -fplugin-arg-cabprof-events=memory sizes.c -o sizes ||
  fail "sizes.c does not compile"
CABPROF_OPTIONS=data=sizes.data:trace=sizes.trace ./sizes || fail "sizes fails"
"$CABPROF" report sizes -d sizes.data --format=tsv >out || fail "no report of sizes"
"$CABPROF" trace dump --format=tsv sizes.trace | awk -F '\t' '
  NR > 1 && $4 != "read" && $4 != "write" && $4 != "modify" { next }
  NR > 1 { size = $10 == "fill" ? "-" : $6; n[$4 "\t" size]++; sum[$4 "\t" size] += $6 }
  END { for (k in n) print k "\t" sum[k] "\t" n[k] }' | sort >wanted
tail -n +2 out | sort | cmp - wanted ||
  fail "not the sizes of the trace: $(cat out) instead of $(cat wanted)"
grep -q '^modify	8	56	7$' out && grep -q '^write	-	360	9$' out &&
  grep -q '^write	40	40	1$' out || fail "wrong sizes: $(cat out)"
n_passed=$((n_passed + 3))
cases
