#!/bin/bash
# hints-prefetch.sh - hints to prefetch become lines of C in the patch, where the text shows that
# they are safe; the patched program does what it did, beside pages that cannot be read.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/cli.sh"
need gcc patch python3 objdump

cat >loops.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

double gather (const double *value, const int *at, int n)
{
  double sum = 0;
  for (int i = 0; i < n; i++)
    {
      sum += value[at[i]] * 2;
    }
  return sum;
}
void count (int *number, const int *key, long n)
{
  for (long i = 0; i < n; ++i) { number[key[i]]++; }
}
int plain (const int *x, int n)
{
  int sum = 0;
  for (int i = 0; i < n; i++) {
    sum += x[i];
  }
  return sum;
}
int chained (const int *a, const int *b, const int *c, int n)
{
  int sum = 0;
  for (int i = 0; i < n; i++)
    {
      sum += c[i] + a[b[c[i]]];
    }
  return sum;
}
int maybe (const int *a, const int *b, int n)
{
  int sum = 0;
  for (int i = 0; i < n; i++)
    {
      if (b[i] & 1)
	sum += a[b[i]];
    }
  return sum;
}
int stored (int *b, const int *a, int n)
{
  int sum = 0;
  for (int i = 0; i < n; i++)
    {
      sum += a[b[i]];
      b[i] = 0;
    }
  return sum;
}
int bare (const int *x, const int *at, int n)
{
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += x[at[i]];
  return sum;
}
int leaves (const int *x, const int *at, int n)
{
  int sum = 0;
  for (int i = 0; i < n; i++)
    {
      sum += x[at[i]];
      if (sum > 100000000)
	break;
    }
  return sum;
}
int calls (const int *x, const int *at, int n)
{
  int sum = 0;
  for (int i = 0; i < n; i++)
    {
      sum += abs (x[at[i]]);
    }
  return sum;
}
int moves (const int *x, const int *at, int n)
{
  int sum = 0;
  for (int i = 0; i < n; i++)
    {
      sum += x[at[i]];
      n -= sum & 1;
    }
  return sum;
}
int local (const int *x, const int *at, int n)
{
  int sum = 0;
  for (int i = 0; i < n; i++)
    {
      int here = x[i] & 3;
      sum += at[here + i];
    }
  return sum;
}

/* Return room for N elements of SIZE bytes that ends where nothing can be read. */
static void *
room (size_t n, size_t size)
{
  size_t bytes = (n * size + 4095) / 4096 * 4096;
  char *at = mmap (NULL, bytes + 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mprotect (at + bytes, 4096, PROT_NONE);
  return at + bytes - n * size;
}

int
main (void)
{
  for (int n = 1; n < 100; n += 7)
    {
      double *value = room (n, sizeof *value);
      int *at = room (n, sizeof *at), *x = room (n, sizeof *x);
      for (int i = 0; i < n; i++)
	value[i] = i, at[i] = (i * 7 + 3) % n, x[i] = i * i;
      int sum = plain (x, n) + maybe (x, at, n) + bare (x, at, n) + leaves (x, at, n);
      sum += calls (x, at, n);
      count (x, at, n);
      printf ("%g %d %d\n", gather (value, at, n), sum, x[n - 1]);
    }
  return 0;
}
END
gcc -fplugin="$PLUGIN" -fplugin-arg-cabprof-events=none -O2 -c loops.c -o tables.o ||
  fail "does not compile"
python3 "$(dirname "$0")/hints_of.py" 0 tables.o >all.hints && python3 - <<'PY'
import json
hints = json.load (open ("all.hints"))
hints["schema"] = 4
hints["loops"] = [dict (row, prefetch=16) for row in hints["loops"]
                  if row["function"] not in ("main", "room")]
json.dump (hints, open ("loops.hints", "w"))
PY
expect 0 "$CABPROF" hints --patch
cp out all.patch
cp err listed
mkdir new && cp loops.c new && (cd new && patch -s -p1 <../all.patch) ||
  fail "patch does not take the patch: $(cat all.patch)"
diff loops.c new/loops.c | sed -n 's/^> *//p' >added
diff - added <<'END' || fail "other lines are added"
__builtin_prefetch (&value[at[(n - i > 16 ? i + 16 : i)]]);
for (long i = 0; i < n; ++i) {
__builtin_prefetch (&number[key[(n - i > 16 ? i + 16 : i)]]);
number[key[i]]++; }
__builtin_prefetch (&x[(n - i > 16 ? i + 16 : i)]);
__builtin_prefetch (&b[c[(n - i > 16 ? i + 16 : i)]]);
__builtin_prefetch (&b[(n - i > 16 ? i + 16 : i)]);
__builtin_prefetch (&x[(n - i > 16 ? i + 16 : i)]);
END
while read -r function words; do
  grep -q "prefetch 16 ahead for $function: $words: not in the patch" listed ||
    fail "not listed: $function: $words: $(cat listed)"
done <<'END'
maybe no load of an array that each iteration makes is known from the text
bare its body has no braces, in which a line could be added
leaves a break may leave it
calls it calls something
moves its bound is changed in its body
END
[ "$(wc -l <listed)" = 5 ] || fail "more is listed: $(cat listed)"

gcc -O2 loops.c -o was && ./was >expected && gcc -O2 -Wall -Werror new/loops.c -o is &&
  ./is >got && diff expected got || fail "the patched program does something else"
[ "$(objdump -d is | grep -c prefetcht0)" -ge 4 ] || fail "there are no prefetches"
# In the patched source nothing is left to add.
cd new && gcc -fplugin="$PLUGIN" -fplugin-arg-cabprof-events=none -O2 -c loops.c -o tables.o &&
  python3 "$(dirname "$0")/hints_of.py" 0 tables.o >all.hints && python3 - <<'PY'
import json
hints = json.load (open ("all.hints"))
hints["schema"] = 4
hints["loops"] = [dict (row, prefetch=16) for row in hints["loops"] if row["function"] == "gather"]
json.dump (hints, open ("loops.hints", "w"))
PY
expect 0 "$CABPROF" hints --patch
[ ! -s out ] || fail "patched again: $(cat out)"
says "for gather: it has prefetches already: not in the patch"
exit 0
