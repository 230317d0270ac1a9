#!/bin/bash
# trace.sh - the readers that docs/trace.md shows, used as printed, find what `cabprof trace dump'
# finds: in plain traces, with predicted words, killed and forked processes, threads, and each
# encoding of accesses.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/../lib.sh"
need_build
need gcc python3 zstd

awk '/^```python/ { inside = 1; next } /^```/ { inside = 0 } inside' "$TOP/docs/trace.md" >rows.py
[ -s rows.py ] || fail "docs/trace.md shows no reader"

cat >prog.c <<'end'
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
struct item { struct item *next; int key; char name[20]; };
static double a[20][21], b[21][20];
static int pool[300];
static _Thread_local long sum;
static void
lists (int n_items)
{
  struct item *list = 0;
  for (int i = 0; i < n_items; i++)
    {
      struct item *n = malloc (sizeof *n);
      n->key = i * 7 % 31; n->next = list; memset (n->name, i, 1 + i % 19);
      list = n;
    }
  for (struct item *n = list; n; n = n->next)
    if (n->key & 1) sum += n->name[n->key % 20];
  char *text = malloc (10);
  text = realloc (text, 5000);
  text[n_items] = 1;
  free (text);
  while (list) { struct item *n = list->next; free (list); list = n; }
}
static void *
work (void *n_items)
{
  lists (*(int *) n_items);
  __atomic_fetch_add (&pool[9], 1, __ATOMIC_RELAXED);
  return 0;
}
static void
nest (int n)
{
  for (int i = 0; i < n; i++)
    {
      for (int j = 0; j < i; j++)
	a[i][j] += b[j][i] + sum;
      a[i][i] = 1;
    }
}
int
main (void)
{
  pthread_t thread;
  int n = 200, k = 0;
  pthread_create (&thread, 0, work, &n);
  lists (100);
  pthread_join (thread, 0);
  nest (20);
  while (k < 8 && pool[k] < 1 && pool[k + 1] < 1)
    k++;
  pid_t child = fork ();
  if (!child)
    {
      nest (15);
      lists (10);
      __builtin_trap ();
    }
  wait (0);
  return 0;
}
end

# alike WHAT LEAST: check that the lists `found' and `told' are the same, in the order of each
# thread, and have at least LEAST lines.
alike ()
{
  sort -s -k1,1 found >found.sorted
  sort -s -k1,1 told >told.sorted
  cmp -s found.sorted told.sorted || fail "$1: $(diff found.sorted told.sorted | head -n 5)"
  [ "$(wc -l <found)" -ge "$2" ] || fail "$1: $(wc -l <found) accesses only"
}

for encoding in access block chain default; do
  option=
  [ $encoding = default ] || option=-fplugin-arg-cabprof-memory-encoding=$encoding
  gcc -O2 -g -w "-fplugin=$PLUGIN" -fplugin-arg-cabprof-events=memory,calls $option prog.c -o prog \
    -lpthread || fail "$encoding: does not compile"
  for compress in none zstd; do
    rm -rf trace profile
    "$CABPROF" record -d profile --trace=trace --compress=$compress -- ./prog 2>errors ||
      fail "$encoding, $compress: $(cat errors)"
    "$CABPROF" trace dump --format=tsv trace >all || fail "$encoding, $compress: dump"
    awk -F'\t' \
      '$4 ~ /^(read|write|modify|allocated|released|moved)$/ { print $2 "." $3, $4, $5, $6 }' \
      all >told
    if [ $compress = zstd ]; then zstd -dc trace; else cat trace; fi |
      python3 "$TOP/docs/trace-reader.py" >found || fail "$encoding, $compress: the reader fails"
    alike "packed, $encoding, $compress" 2000
  done
  awk -F'\t' '$4 ~ /^(read|write|modify)$/ { print $2 "." $3, $4, $5, $6, $14, $11 ":" $12 }' \
    all >told
  "$CABPROF" trace filter -o rows trace || fail "$encoding: filter"
  python3 rows.py <rows >found || fail "$encoding: the reader of rows fails"
  alike "rows, $encoding" 2000
done
grep -q '^2\.1 ' found && grep -q '^1\.2 modify ' found ||
  fail "no child, or no atomic access: $(cut -d' ' -f1,2 found | sort | uniq -c)"
