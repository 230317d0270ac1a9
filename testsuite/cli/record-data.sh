#!/bin/bash
# record-data.sh - cabprof record --data samples the addresses of data, and report addresses names
# their regions and variables: page faults, whose number is known, in static variables, the heap,
# stacks, files and mappings, with threads, children and without symbols.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/../lib.sh"
need_build
"$CABPROF" record --data --sample=page-faults -d probe -- true >/dev/null 2>refusal ||
  skip "page faults cannot be sampled here: $(tail -n 1 refusal)"

cat >touch.c <<'C'
#define _GNU_SOURCE
#include <alloca.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#define PAGE 4096
struct row { long key, next; };
volatile struct row __attribute__ ((aligned (PAGE))) rows[100 * PAGE / sizeof (struct row)];
char filled[10 * PAGE] __attribute__ ((aligned (PAGE))) = { 1 };
static void __attribute__ ((noinline)) touch_rows (int pages)
{
  for (int i = 0; i < pages; i++)
    rows[i * (PAGE / sizeof *rows)].next = i;
}
static void __attribute__ ((noinline)) touch (volatile char *at, int pages)
{
  for (int i = 0; i < pages; i++)
    at[i * PAGE] = i;
}
static void __attribute__ ((noinline)) touch_down (volatile char *at, int pages)
{
  for (int i = pages; i-- > 0;)
    at[i * PAGE] = i;
}
static void __attribute__ ((noinline)) on_stack (int pages)
{
  touch_down (alloca (pages * PAGE), pages);
}
static char *mapped;
static void *thread (void *unused)
{
  on_stack (50);
  touch (mapped + 80 * PAGE, 20);
  return unused;
}
int
main (void)
{
  pthread_t id;
  char *heap = sbrk (70 * PAGE), *file;
  int number = open ("numbers", O_RDWR);
  touch_rows (100);
  touch (filled, 10);
  touch (heap + PAGE, 60);
  mapped = mmap (NULL, 100 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  madvise (mapped, 100 * PAGE, MADV_NOHUGEPAGE);
  touch (mapped, 80);
  file = mmap (NULL, 8 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE, number, 0);
  touch (file, 8);
  on_stack (200);
  pthread_create (&id, NULL, thread, NULL);
  pthread_join (id, NULL);
  if (fork () == 0)
    {
      touch_rows (30);
      _exit (0);
    }
  wait (NULL);
  return 0;
}
C
gcc -O1 -g -fno-optimize-sibling-calls -pthread -o touch touch.c || fail "touch.c does not compile"
head -c 32768 /dev/zero >numbers

# sum COLUMN=VALUE...: print the samples of the rows of data.tsv that have these values.
sum ()
{
  python3 - "$@" <<'P'
import csv, sys
rows = csv.DictReader((l for l in open("data.tsv") if not l.startswith("#")), delimiter="\t")
want = [w.split("=", 1) for w in sys.argv[1:]]
print(sum(int(r["samples"]) for r in rows if all(r[k] == v for k, v in want)))
P
}

# are NUMBER COLUMN=VALUE...: check that the rows with these values have NUMBER samples.
are ()
{
  local n=$1
  shift
  [ "$(sum "$@")" = "$n" ] || { cat data.tsv; fail "$*: $(sum "$@") samples, not $n"; }
}

# least NUMBER COLUMN=VALUE...: the same for at least NUMBER.
least ()
{
  local n=$1
  shift
  [ "$(sum "$@")" -ge "$n" ] || { cat data.tsv; fail "$*: $(sum "$@") samples, less than $n"; }
}

run ()
{
  "$CABPROF" record --data --sample=page-faults -d "$1" -- ./touch 2>words ||
    { cat words; fail "record"; }
  "$CABPROF" report addresses --format=tsv --limit=0 -d "$1" >data.tsv || fail "report of $1"
}

run one
# A child copies the pages that it writes to.
are 130 variable=rows function=touch_rows
are 10 variable=filled function=touch file=touch.c
least 60 region=heap function=touch
are 100 region=mapped function=touch
are 8 region=file variable=numbers function=touch
least 230 region=stack function=touch_down
[ "$(sum region=static variable=rows)" = 130 ] || fail "the variable is not static"
line=$(grep -n 'next = i' touch.c | cut -d: -f1)
are 130 line="$line" file=touch.c
all=$(sum)

for by in variable line function; do
  "$CABPROF" report addresses --by=$by --format=tsv --limit=0 -d one >data.tsv || fail "--by=$by"
  are "$all"
done
"$CABPROF" report addresses --by=variable --format=tsv --limit=0 -d one >data.tsv
are 130 variable=rows
are 130 variable=rows function= line=0
"$CABPROF" report addresses --by=loop -d one 2>words && fail "--by=loop is taken"
grep -q 'site, variable, line or function' words || fail "$(cat words)"
"$CABPROF" report addresses -d one >text || fail "no text"
grep -q 'page-faults, by region: static' text && grep -q '^static *rows *touch_rows' text ||
  { cat text; fail "the text says something else"; }
"$CABPROF" report addresses --function=touch_rows --format=json -d one >json &&
  python3 -c 'import json
assert [r["samples"] for r in json.load (open ("json"))["rows"]] == [130]' ||
  fail "JSON, or the filter"

# Runs add up; other builds of the program do not.
run two
"$CABPROF" merge -o both one two >/dev/null 2>words || fail "merge: $(cat words)"
"$CABPROF" report addresses --format=tsv --limit=0 -d both >data.tsv
are 260 variable=rows

# Without symbols the section has its samples; a file that has changed is not read.
cp -r one stripped
cp touch whole && strip touch
run stripped
least 130 "variable=[touch .bss]" "function=[touch]" region=static
cp whole touch
printf 'int rows[9]; int main (void) { return rows[0]; }\n' >other.c
gcc -g -o touch other.c
"$CABPROF" report addresses --format=tsv -d one >data.tsv 2>words
grep -q 'rebuilt' words data.tsv || fail "a program that was rebuilt is taken for the old one"
least 140 "variable=[touch]" "function=[touch]" region=static
cp whole touch

# Bad input: one sentence, and nothing is run.
refuses ()
{
  local words=$1
  shift
  "$CABPROF" record -d bad "$@" -- sh -c 'echo ran >ran' 2>words && fail "$* is taken"
  grep -q "$words" words && [ "$(wc -l <words)" -le 2 ] || fail "$*: $(cat words)"
  [ ! -e ran ] && [ ! -e bad ] || fail "$*: something was run"
}
refuses 'a clock has no addresses' --data --sample=cpu-clock
refuses 'timer has no addresses' --data --sample=timer
refuses 'needs samples' --data --sample=off
"$CABPROF" record --data --samples=text 2>words && fail "--data with --samples is taken"
"$CABPROF" record --rate=20000 -d plain -- ./touch 2>/dev/null
"$CABPROF" report addresses -d plain >text 2>&1
grep -q 'no addresses of data were sampled' text || fail "$(cat text)"

# Damaged rows are refused with a sentence.
for damage in '[[9' '[["x"' '[["'; do
  rm -rf hurt && cp -r one hurt
  sed -i "s/\"data\":\[\[0/\"data\":$damage/" hurt/samples.json
  cmp -s one/samples.json hurt/samples.json && fail "$damage changes nothing"
  "$CABPROF" report addresses -d hurt >text 2>&1
  grep -q 'record again\|damaged' text || { cat text; fail "$damage"; }
done
