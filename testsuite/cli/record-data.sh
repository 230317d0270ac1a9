#!/bin/bash
# record-data.sh - cabprof record --data samples the addresses of data, and report addresses names
# their regions and variables: page faults, whose number is known, in static variables, the heap,
# stacks, files and mappings, with threads, children and without symbols.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/cli.sh"
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
are 130 variable=rows field='[].next' function=touch_rows
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
grep -q 'page-faults, by region: static' text &&
  grep -q '^static *rows *\[\].next *touch_rows' text ||
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

# Samples of loads of the processor, as `perf script' prints those of `perf mem record' elsewhere.
cat >loads.py <<'P'
import subprocess
BASE, PAGE = 0x555555554000, 4096
HIT, MEMORY = 0x100142, 0x801042      # of the first level; of memory, changed by another core


def output(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def record(words, pid=77):
    print("           touch %5d/%d   1.000001: PERF_RECORD_%s" % (pid, pid, words))


def mapping(start, end, offset, access, path):
    record("MMAP2 77/77: [%#x(%#x) @ %#x fe:01 9 8]: %s %s"
           % (start, end - start, offset, access, path))


def load(address, source, level, latency, pid=77):
    print("           touch %5d/%d [001]   1.100000:          9 mem-loads: %16x %16x |OP LOAD"
          "|LVL %s|SNP None|TLB L1 or L2 hit|LCK No|BLK  N/A %14d %16x"
          % (pid, pid, address, source, level, latency, BASE + symbols["touch_rows"]))


def whole(number):
    return (number + PAGE - 1) // PAGE * PAGE


symbols = {w[2]: int(w[0], 16) for w in map(str.split, output("nm", "touch").splitlines())
           if len(w) == 3}
record("COMM exec: touch:77/77")
for line in output("readelf", "-lW", "touch").splitlines():
    words = line.split()
    if words[:1] != ["LOAD"]:
        continue
    offset, address, size, memory = (int(words[i], 16) for i in (1, 2, 4, 5))
    first, last, end = address // PAGE * PAGE, whole(address + size), whole(address + memory)
    mapping(BASE + first, BASE + last, offset // PAGE * PAGE,
            "r-xp" if "E" in words[6:8] else "rw-p", "/elsewhere/touch")
    if end > last:
        mapping(BASE + last, BASE + end, 0, "rw-p", "//anon")
mapping(0x7ffffffde000, 0x7ffffffff000, 0, "rw-p", "[stack]")
for i in range(7):
    load(BASE + symbols["rows"] + PAGE * i, HIT, "L1 hit", 10)
for i in range(3):
    load(BASE + symbols["filled"] + i, MEMORY, "RAM hit", 12345)
load(0x7fffffff0000, HIT, "L1 hit", 4)
record("FORK(78:78):(77:77)")
load(BASE + symbols["rows"], HIT, "L1 hit", 30, 78)
print("           touch    77/77   1.300000: 1 mem-stores: 0 55555555")
print("a line that is nothing")
P
python3 loads.py >text || fail "no text of perf script"
"$CABPROF" record --data --samples=text --sample=mem-loads -d loads 2>words ||
  fail "samples of loads: $(cat words)"
"$CABPROF" report addresses --format=tsv --limit=0 -d loads >data.tsv
are 12
are 8 variable=rows field=[].key function=touch_rows beyond_l1=0 latency=12.500000 weight=72
are 3 variable=filled field=[] beyond_l1=3 memory=3 modified=3 latency=12345.000000 cycles=37035
are 1 region=stack latency=4.000000
"$CABPROF" report addresses -d loads | grep -q 'beyond_l1 *memory *modified *latency' ||
  fail "the text has no levels"

# refuses_text WORDS SED [OPTION]: check that the text as changed by SED is refused with WORDS.
refuses_text ()
{
  sed "$2" text >changed
  "$CABPROF" record --data --samples=changed -d bad ${3:-} 2>words && fail "$2: is taken"
  grep -q "$1" words && [ ! -e bad ] || fail "$2: $(cat words)"
}
refuses_text 'several events: mem-loads, mem-stores' ''
refuses_text 'no event cycles, but mem-loads' '' --sample=cycles
refuses_text 'what was mapped where' '/MMAP2/d; /stores/d'
refuses_text 'no sample with an address' '/mem-/d'
refuses_text 'without addresses of data' 's/mem-loads: *[0-9a-f]* /mem-loads: 0 /; /stores/d'
"$CABPROF" record --data --samples=none -d bad 2>words && fail "a file that is not there is taken"
grep -q 'none: No such file' words || fail "$(cat words)"
