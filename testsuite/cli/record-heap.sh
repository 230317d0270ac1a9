#!/bin/bash
# record-heap.sh - cabprof record --data finds the block of each address of the heap: page faults,
# whose number is known, by the calls that allocated the blocks, in C and C++, with threads and
# children; blocks that are released, used again and moved; programs whose allocator is not seen.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/cli.sh"
need_build
"$CABPROF" record --data --sample=page-faults -d probe -- true >/dev/null 2>refusal ||
  skip "page faults cannot be sampled here: $(tail -n 1 refusal)"

cat >touch.h <<'C'
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>
#define PAGE 4096
#define SITE __attribute__ ((noinline))
/* malloc itself touches the first page of a fresh block, where it writes the size. */
static SITE void touch (volatile void *block, int pages)
{
  for (int i = 0; i < pages; i++)
    ((volatile char *) block)[i * PAGE + 64] = i;
}
static void begin (void)
{
  prctl (PR_SET_THP_DISABLE, 1, 0, 0, 0);
}
C
cat >blocks.c <<'C'
#define _GNU_SOURCE
#include <malloc.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include "touch.h"
static SITE void *by_malloc (void) { return malloc (101 * PAGE); }
static SITE void *by_malloc_again (void) { return malloc (101 * PAGE); }
static SITE void *by_calloc (void) { return calloc (111, PAGE); }
static SITE void *by_posix (void)
{
  void *block;
  return posix_memalign (&block, PAGE, 40 * PAGE) ? NULL : block;
}
static SITE void *by_aligned (void) { return aligned_alloc (PAGE, 41 * PAGE); }
static SITE void *by_memalign (void) { return memalign (PAGE, 42 * PAGE); }
static SITE void *by_valloc (void) { return valloc (43 * PAGE); }
static SITE void *by_realloc (void *block) { return realloc (block, 201 * PAGE); }
static SITE void *by_reallocarray (void) { return reallocarray (NULL, 51, PAGE); }
static SITE void *by_thread (void) { return malloc (61 * PAGE); }
static SITE void *by_child (void) { return malloc (71 * PAGE); }
/* Touch each third page of many small blocks.  What malloc itself has written there is lost. */
static SITE void small (void)
{
  static char *block[20000];
  for (int i = 0; i < 20000; i++)
    block[i] = malloc (40);
  char *from = (char *) (((size_t) block[256] + PAGE - 1) & -PAGE);
  madvise (from, (block[19999] - from) & -PAGE, MADV_DONTNEED);
  for (int i = 1024; i < 19000; i += 256)
    *(volatile int *) (block[i] + 24) = i;
}
static pthread_barrier_t both;
static void *thread (void *old)
{
  void *block = by_thread ();
  touch (block, 61);
  free (old);
  pthread_barrier_wait (&both);
  pthread_barrier_wait (&both);
  return block;
}
int
main (void)
{
  pthread_t id;
  void *block, *kept;
  begin ();
  /* Each block of this size is a mapping of its own. */
  mallopt (M_MMAP_THRESHOLD, 30 * PAGE);
  block = by_malloc ();
  touch (block, 101);
  free (block);
  kept = by_malloc_again ();
  touch (kept, 101);
  touch (by_calloc (), 111);
  touch (by_posix (), 40);
  touch (by_aligned (), 41);
  touch (by_memalign (), 42);
  touch (by_valloc (), 43);
  touch (by_realloc (kept), 201);
  touch (by_reallocarray (), 51);
  block = by_malloc ();
  pthread_barrier_init (&both, NULL, 2);
  pthread_create (&id, NULL, thread, block);
  pthread_barrier_wait (&both);
  kept = by_malloc ();
  touch (kept, 101);
  pthread_barrier_wait (&both);
  pthread_join (id, NULL);
  if (fork () == 0)
    {
      touch (kept, 30);
      touch (by_child (), 71);
      execl ("./after", "after", NULL);
    }
  wait (NULL);
  small ();
  _exit (0);
}
C
cat >after.c <<'C'
#include "touch.h"
int main (void) { begin (); touch (malloc (81 * PAGE), 81); return 0; }
C
cat >new.cc <<'C'
#include <cstdint>
#include <malloc.h>
#include <new>
#include <vector>
#include "touch.h"
struct alignas (PAGE) page { char byte[PAGE]; };
SITE static void *by_new () { return new char[40 * PAGE + 1]; }
SITE static void *by_nothrow () { return operator new (41 * PAGE, std::nothrow); }
SITE static void *by_alignment () { return new page[42]; }
SITE static void *by_plain () { return ::operator new (43 * PAGE); }
int
main ()
{
  begin ();
  mallopt (M_MMAP_THRESHOLD, 30 * PAGE);
  for (int i = 0; i < 2; i++)
    {
      char *block = static_cast<char *> (by_new ());
      touch (block, 40);
      delete[] block;
    }
  void *other[] = { by_nothrow (), by_alignment (), by_plain () };
  touch (other[0], 41);
  touch (other[1], 42);
  touch (other[2], 43);
  ::operator delete (other[0], std::nothrow);
  delete[] static_cast<page *> (other[1]);
  ::operator delete (other[2]);
  try
    {
      by_new ();
      std::vector<char> none (PTRDIFF_MAX);
    }
  catch (std::bad_alloc &)
    {
    }
  touch (malloc (51 * PAGE), 51);
  return 0;
}
C
cat >own.c <<'C'
#include "touch.h"
void *malloc (size_t bytes) { return sbrk ((bytes + 15) & -16); }
void *calloc (size_t n, size_t each) { return malloc (n * each); }
void *realloc (void *old, size_t bytes) { (void) old; return malloc (bytes); }
void free (void *block) { (void) block; }
int main (void) { begin (); touch (malloc (100 * PAGE), 100); return 0; }
C
cat >many.c <<'C'
#include "touch.h"
int main (void)
{
  begin ();
  touch (malloc (41 * PAGE), 41);
  for (int i = 0; i < 2800000; i++)
    free (malloc (16));
  touch (malloc (42 * PAGE), 42);
  touch (sbrk (20 * PAGE), 20);
  return 0;
}
C
for source in blocks after own many; do
  gcc -O1 -g -fno-builtin -fno-optimize-sibling-calls -pthread -o $source $source.c ||
    fail "$source.c does not compile"
done
g++ -O1 -g -fno-builtin -fno-optimize-sibling-calls -std=gnu++17 -o new new.cc ||
  fail "new.cc does not compile"
gcc -O1 -g -fno-builtin -static -o static after.c || fail "after.c does not link statically"

# run PROGRAM: record it, and write data.tsv by variable and place.
run ()
{
  "$CABPROF" record --data --sample=page-faults -d "$1.data" -- "./$1" 2>words ||
    { cat words; fail "record $1"; }
  [ -z "$(ls "$1.data" | grep -v json)" ] || fail "$1: a log is left: $(ls "$1.data")"
  "$CABPROF" report addresses --format=tsv --limit=0 -d "$1.data" >data.tsv ||
    fail "report of $1"
  grep -q libcabprof-heap data.tsv && fail "$1: the report has the recorder's own data"
}

run blocks
# Three blocks by one call, two of them after a release; the child copies 30 pages of the last one.
# malloc has touched the first page where it is not aligned.
are 230 allocated_in=by_malloc function=touch block_bytes=413696
are 100 allocated_in=by_malloc_again function=touch block_bytes=413696
are 110 allocated_in=by_calloc block_bytes=454656 function=touch
are 40 allocated_in=by_posix
are 41 allocated_in=by_aligned
are 42 allocated_in=by_memalign
are 43 allocated_in=by_valloc
# The moved block keeps its first 101 pages.
are 100 allocated_in=by_realloc function=touch
are 50 allocated_in=by_reallocarray
are 60 allocated_in=by_thread function=touch
are 70 allocated_in=by_child function=touch
line=$(grep -n 'by_malloc_again (void)' blocks.c | cut -d: -f1)
are 100 "allocated_at=blocks.c:$line"
# What the child executes has a log of its own.
are 80 allocated_in=main function=touch block_bytes=331776
are 71 allocated_in=small block_bytes=40 function=small field=+24
python3 - <<'P' || fail "ages or regions"
import csv
rows = [r for r in csv.DictReader((l for l in open("data.tsv") if not l.startswith("#")),
                                  delimiter="\t")]
blocks = [r for r in rows if r["allocated_in"]]
assert all(r["region"] == "heap" and float(r["age_ms"]) >= 0 for r in blocks)
assert all(r["age_ms"] == r["block_bytes"] == "-" for r in rows if not r["allocated_in"])
P
"$CABPROF" report addresses --by=variable --format=tsv --limit=0 -d blocks.data >data.tsv
are 230 allocated_in=by_malloc function=
"$CABPROF" report addresses --by=line --format=tsv --limit=0 -d blocks.data >data.tsv
are 0 allocated_in=by_malloc
"$CABPROF" report addresses -d blocks.data >text || fail "no text"
grep -q 'allocated_in *allocated_at' text || fail "the text does not name sites: $(cat text)"

# Runs add up.
cp -r blocks.data copy.data
"$CABPROF" merge -o both blocks.data copy.data >/dev/null 2>words || fail "merge: $(cat words)"
"$CABPROF" report addresses --format=tsv --limit=0 -d both >data.tsv
are 460 allocated_in=by_malloc function=touch

# Damaged rows are refused.
for damage in 's/,413696,0,[0-9]*,/,413696,413696,0,/' 's/,413696,0,/,-1,0,/' \
  's/,413696,0,\([0-9]*\),[0-9]*,/,413696,0,\1,99,/' 's/"no_log":0/"no_log":-1/'; do
  rm -rf hurt && cp -r blocks.data hurt
  sed -i "$damage" hurt/samples.json
  cmp -s blocks.data/samples.json hurt/samples.json && fail "$damage changes nothing"
  "$CABPROF" report addresses -d hurt >text 2>&1
  grep -q 'record again\|damaged' text || { cat text; fail "$damage"; }
done

run new
are 78 allocated_in=by_new
are 40 allocated_in=by_nothrow
are 42 allocated_in=by_alignment
are 42 allocated_in=by_plain
are 50 allocated_in=main

# has_note PROGRAM WORDS: check that the report says WORDS, and that no block of it has a site.
has_note ()
{
  run "$1"
  grep -q "^# .*$2" data.tsv || fail "$1: $(head -n 1 data.tsv)"
  are "$(sum)" allocated_in=
}
has_note static '[1-9][0-9]* of the heap in programs that are static or have an allocator'
has_note own '1[0-9][0-9] of the heap in programs that are static or have an allocator'

# 5,592,064 events have room.
run many
are 40 allocated_in=main
grep -q '^# .*log of allocations was full: 7[0-9][0-9][0-9] allocations and releases' data.tsv &&
  grep -q 'and [2-9][0-9] later samples of the heap' data.tsv || fail "$(head -n 1 data.tsv)"

# Without --data nothing is recorded.
LD_DEBUG=files "$CABPROF" record -d plain -- ./after 2>words
grep -q libcabprof-heap words && fail "the library is loaded without --data"
exit 0
