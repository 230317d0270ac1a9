#!/bin/bash
# profile.sh - the reader that docs/profile.md shows reads a profile, and finds what `cabprof
# report' finds.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/../lib.sh"
need_build
need gcc python3

awk '/^```python/ { inside = 1; next } /^```/ { inside = 0 } inside' \
  "$TOP/docs/profile.md" >reader.py
[ -s reader.py ] || fail "docs/profile.md shows no reader"

cat >prog.c <<'end'
#include <pthread.h>
#include <stdio.h>
static unsigned seed = 1;
static unsigned
next (unsigned *x)
{
  *x = *x * 1103515245 + 12345;
  return *x >> 16;
}
static int
sort (int *v, int n)
{
  int swaps = 0;
  for (int i = 1; i < n; i++)
    for (int k = i; k > 0 && v[k - 1] > v[k]; k--)
      {
	int t = v[k];
	v[k] = v[k - 1];
	v[k - 1] = t;
	swaps++;
      }
  return swaps;
}
static void *
work (void *start)
{
  unsigned x = *(unsigned *) start;
  int v[100];
  for (int i = 0; i < 100; i++)
    switch (next (&x) % 5)
      {
      case 0: v[i] = 3; break;
      case 1: v[i] = i; break;
      case 2: v[i] = -i; break;
      default: v[i] = x & 255;
      }
  return sort (v, 100) ? start : NULL;
}
int
main (void)
{
  pthread_t t;
  pthread_create (&t, NULL, work, &seed);
  work (&seed);
  pthread_join (t, NULL);
  return 0;
}
end
for level in 0 2; do
  rm -rf data
  gcc -fplugin="$PLUGIN" -O$level -g prog.c -o prog || fail "prog.c does not compile"
  CABPROF_OPTIONS=data=data ./prog || fail "exit status $?"
  "$CABPROF" report paths -d data --format=tsv | tail -n +2 | cut -f 1,4,5 | sort >expected
  python3 reader.py data >found || fail "the reader fails"
  cut -f 1-3 found | sort | diff expected - ||
    fail "-O$level: the reader (>) finds other counts than cabprof report (<)"
  # Each path begins at its block and passes others.
  grep -q "$(printf '^sort\t[0-9]*\t[0-9]*\t[0-9]*\t[0-9]')" found ||
    fail "-O$level: no path of sort has two blocks"
done
