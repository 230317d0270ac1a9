/* verdicts.c - loops in C of which it is known what keeps their iterations in order; see
 * testsuite/oracle/verdicts.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 64
#define FUNCTION __attribute__ ((noipa))
double a[N + 8], b[N + 8], c[N + 8], m[N][N];
int keys[N], bins[8], total, from[N], limit = N;
char text[N + 1] = "one two three four five six";
struct node { struct node *next; int value; } nodes[N], *head;
struct sums { double plain, decayed; };
static int (*hook) (int);

static int __attribute__ ((noinline)) triple (int x) { return 3 * x; }
static int __attribute__ ((noinline)) counted (int x) { static int n; return n += x; }
static int __attribute__ ((noinline)) told (int x) { if (x == N / 2) puts (""); return x; }
static inline void set (int *x) { *x = 1; }
FUNCTION void fill (double *p, int n) { for (int i = 0; i < 4; i++) p[i] = n + i; }

/* In parallel as they are. */
FUNCTION void scale (int n)
{
  for (int i = 0; i < n; i++) /* IS parallel */
    a[i] = b[i] * 2;
}
FUNCTION void neighbours (int n)
{
  for (int i = 0; i < n; i++) /* IS parallel */
    c[i] = b[i] + b[i + 1];
}
FUNCTION void inside (int n)
{
  for (int i = 0; i < n; i++) /* IS parallel */
    {
      double t = a[i], u[2] = { t, b[i] };
      c[i] = u[i & 1];
    }
}
FUNCTION void calls (int n)
{
  for (int i = 0; i < n; i++) /* IS parallel */
    keys[i] = triple (i) + abs (from[i]) + (int) sqrt (i);
}
FUNCTION void allocates (int n)
{
  for (int i = 0; i < n; i++) /* IS parallel: malloc allocates; free allocates */
    {
      int *p = malloc (sizeof *p * 4);
      memset (p, i, 4 * sizeof *p);
      keys[i] = p[i & 3];
      free (p);
    }
}
FUNCTION void checks (int n)
{
  for (int i = 0; i < n; i++) /* IS parallel */
    {
      if (from[i] < 0)
	abort ();
      keys[i] = from[i];
    }
}
FUNCTION void rows (int n)
{
  for (int i = 0; i < n; i++) /* IS parallel */
    {
      int j;
      for (int k = 0; k < 2; k++)
	for (j = 1; j < n; j++) /* IS carried, distance 1 */
	  m[i][j] = m[i][j - 1] + k;
    }
}

/* In parallel after something. */
FUNCTION double sum (int n)
{
  double s = 0, largest = 0;
  for (int i = 0; i < n; i++) /* IS parallel after: reduction of s (+); reduction of largest (max) */
    {
      s += b[i];
      if (b[i] > largest)
	largest = b[i];
    }
  return s + largest;
}
FUNCTION void to_total (int n)
{
  for (int i = 0; i < n; i++) /* IS parallel after: reduction of total (+) */
    total += keys[i];
}
FUNCTION void to_pointer (double *sum, int n)
{
  for (int i = 0; i < n; i++) /* IS parallel after: reduction of *sum (+) AT -O2 -flto: parallel after: reduction of sum_ (+) */
    *sum += b[i];
}
FUNCTION void histogram (int n)
{
  for (int i = 0; i < n; i++) /* IS parallel after: reduction of bins[] (+) */
    bins[keys[i] & 7]++;
}
FUNCTION void both (int n)
{
  for (int i = 0; i < n; i++) /* IS carried, distance 2 */
    if (i & 2)
      bins[i & 1] += 3;
    else
      bins[i & 1] ^= 3;
}
FUNCTION double temporary (int n)
{
  double t = 0;
  int last = -1;
  for (int i = 0; i < n; i++) /* IS parallel after: private t, last value; private last, value written last */
    {
      t = b[i] + 1;
      if (t > 9)
	last = i;
      c[i] = t * t;
    }
  return t + last;
}
FUNCTION void scratch (int n)
{
  double buf[4];
  for (int i = 0; i < n; i++) /* IS parallel after: privatise p[] */
    {
      fill (buf, i);
      c[i] = buf[i & 3];
    }
}
FUNCTION void overwritten (int n)
{
  for (int i = 0; i < n; i++) /* IS parallel after: copy of a[] */
    a[i] = a[i + 1];
}
FUNCTION void strided (int n)
{
  int k = 0;
  for (int i = 0; i < n / 2; i++) /* IS parallel after: k grows by 2 */
    {
      c[i] = b[k];
      k += 2;
    }
}
FUNCTION double members (int n)
{
  struct sums s = { 0, 0 };
  for (int i = 0; i < n; i++) /* IS parallel after: reduction of s.plain (+) */
    s.plain += b[i];
  return s.plain;
}

FUNCTION void eliminate (int n)
{
  for (int k = 0; k < 3; k++) /* IS carried, distance 1 */
    for (int i = k + 1; i < n; i++) /* IS parallel AT -O1: not serial */
      for (int j = k + 1; j < n; j++) /* IS parallel */
	m[i][j] -= m[i][k] * m[k][j];
}
FUNCTION void released (void)
{
  while (head) /* IS serial */
    {
      struct node *n = head;
      head = n->next;
      free (n);
    }
}
FUNCTION void once (int n)
{
  for (int t = 0; t < n; t++) /* IS unknown: no two iterations AT -O0: parallel */
    a[t] = b[t] + t;
}

/* Not in parallel. */
FUNCTION void previous (int n)
{
  for (int i = 1; i < n; i++) /* IS carried, distance 1 */
    a[i] = a[i - 1] / 2 + b[i];
}
FUNCTION void handed (int n)
{
  for (int i = 1; i < n; i++) /* IS pipeline, distance 1: a[] */
    {
      a[i] = b[i];
      c[i] = a[i - 1];
    }
}
FUNCTION void forward (int n)
{
  for (int i = 3; i < n; i++) /* IS pipeline, distance 3: a[] AT -O2: not parallel AT -O3: not parallel */
    {
      a[i] = b[i] + 1;
      c[i] = a[i - 3];
    }
}
FUNCTION void far (int n)
{
  for (int i = 8; i < n; i++) /* IS vector (distance >= 8) */
    a[i] = a[i - 8] + 1;
}
FUNCTION double decays (double x, int n)
{
  for (int i = 0; i < n; i++) /* IS carried, distance 1: x: each iteration needs the one before */
    x = x * 0.5 + b[i];
  return x;
}
FUNCTION double decaying (int n)
{
  struct sums s = { 0, 0 };
  for (int i = 0; i < n; i++) /* IS carried, distance 1: reduction of s.plain (+) */
    {
      s.plain += b[i];
      s.decayed = s.decayed * 0.5 + b[i];
    }
  return s.plain + s.decayed;
}
FUNCTION int escaped (int n)
{
  int x;
  set (&x);
  for (int i = 0; i < n; i++) /* IS carried, distance 1 */
    x = x * 2 + keys[i];
  return x;
}
FUNCTION double stored (double *sums, int n)
{
  struct sums s = { 0, 0 };
  for (int i = 0; i < n; i++) /* IS carried, distance 1: s.plain AT -O0: carried, distance 1: s.plain */
    {
      s.plain += b[i];
      sums[i] = s.plain;
    }
  return s.plain;
}
FUNCTION void truncates (int n)
{
  for (int i = 0; i < n; i++) /* IS carried, distance 1 */
    total += b[i];
}
FUNCTION void prefix (int n)
{
  int s = 0;
  for (int i = 0; i < n; i++) /* IS carried, distance 1: s: each iteration */
    keys[i] = s += from[i];
}
FUNCTION int pack (int n)
{
  int k = 0;
  for (int i = 0; i < n; i++) /* IS carried, distance 1: k: each iteration */
    if (from[i] & 1)
      keys[k++] = from[i];
  return k;
}
FUNCTION int find (int n, int x)
{
  for (int i = 0; i < n; i++) /* IS serial: may leave it */
    if (from[i] == x)
      return i;
  return -1;
}
FUNCTION int walk (void)
{
  int s = 0;
  for (struct node *p = nodes; p; p = p->next) /* IS serial: p: each iteration needs the one before */
    s += p->value;
  return s;
}
FUNCTION int words (void)
{
  int n = 0;
  for (char *p = text; *p; p++) /* IS serial */
    n += *p == ' ';
  return n;
}
FUNCTION void shrinks (int n)
{
  for (int i = 0; i < n; i++) /* IS serial: its bound changes in it */
    if (from[i] == 3)
      n--;
  total = n;
}
FUNCTION void to_limit (void)
{
  for (int i = 0; i < limit; i++) /* IS serial: its bound changes in it AT -O1: not parallel AT -O2: not parallel AT -O3: not parallel */
    if (from[i] == 3)
      limit--;
}
FUNCTION void up_to_limit (void)
{
  for (int i = 0; i < limit; i++) /* IS parallel */
    keys[i] = i;
}
FUNCTION void through_call (int n)
{
  for (int i = 0; i < n; i++) /* IS carried, distance 1: n: AT -O0: carried, distance 1 */
    keys[i] = counted (i);
}

/* Not known. */
FUNCTION void prints (int n)
{
  for (int i = 0; i < n; i += 32) /* IS unknown: input or output: printf reads or writes files */
    printf ("%d\n", keys[i]);
}
FUNCTION void prints_below (int n)
{
  for (int i = 0; i < n; i++) /* IS unknown: input or output: puts reads or writes files AT -O3: not parallel */
    keys[i] = told (i);
}
FUNCTION void random_numbers (int n)
{
  for (int i = 0; i < n; i++) /* IS unknown: state of a library: rand keeps a state */
    keys[i] = rand ();
}
FUNCTION void hooked (int n)
{
  for (int i = 0; i < n; i++) /* IS unknown: calls: a call through a pointer */
    keys[i] = hook (i);
}
FUNCTION int compare (const void *x, const void *y)
{
  return *(const int *) x - *(const int *) y;
}
FUNCTION void sorts (int n)
{
  for (int i = 0; i < n; i += 8) /* IS unknown: calls: qsort */
    qsort (keys + i, 8, sizeof *keys, compare);
}
FUNCTION void scans (int n)
{
  for (int i = 0; i < n; i++) /* IS unknown: accesses of a library: accesses of strtol */
    keys[i] = strtol ("7", NULL, 10);
}
FUNCTION void polls (volatile int *told, int n)
{
  for (int i = 0; i < n; i++) /* IS unknown: volatile or atomic: who else accesses *told */
    keys[i] = *told;
}
FUNCTION void counts (int n)
{
  for (int i = 0; i < n; i++) /* IS not parallel */
    __atomic_fetch_add (&total, i, __ATOMIC_RELAXED);
}
FUNCTION void fenced (int n)
{
  for (int i = 0; i < n; i++) /* IS unknown: calls: <asm> */
    {
      keys[i] = i;
      __asm__ volatile ("" : : : "memory");
    }
}
FUNCTION unsigned congruential (unsigned x, int n)
{
  for (int i = 0; i < n; i++) /* IS carried, distance 1: x */
    x = x * 1664525u + 1013904223u;
  return x;
}
FUNCTION unsigned mixed (unsigned x, int n)
{
  unsigned s = 0;
  for (int i = 0; i < n; i++) /* IS parallel after: reduction of s */
    s ^= i * x + 77u / (i + 1u);
  return s;
}

int main (void)
{
  double s = 0;
  hook = triple;
  for (int i = 0; i < N; i++)
    {
      b[i] = i % 9 + 0.5;
      from[i] = i * 7 % 16;
      keys[i] = i;
      nodes[i].value = i;
      nodes[i].next = i + 1 < N ? nodes + i + 1 : NULL;
    }
  scale (N); neighbours (N); inside (N); calls (N); allocates (N); checks (N); rows (N);
  s += sum (N); to_total (N); to_pointer (&s, N); histogram (N); both (N); s += temporary (N);
  scratch (N); overwritten (N); strided (N); s += members (N); previous (N); handed (N);
  forward (N); far (N); s += decays (1, N) + decaying (N) + escaped (N); truncates (N); prefix (N);
  s += stored (c, N); eliminate (N); once (1);
  for (int i = 0; i < 9; i++)
    {
      struct node *n = malloc (sizeof *n);
      n->next = head;
      head = n;
    }
  released ();
  s += pack (N) + find (N, 13) + walk () + words (); shrinks (N); to_limit (); up_to_limit ();
  through_call (N); prints (N);
  prints_below (N + 1); random_numbers (N); hooked (N); sorts (N); scans (N); fenced (N);
  polls (&limit, N); counts (N); s += congruential (7, N) + mixed (limit, N);
  for (int i = 0; i < N; i++)
    s += a[i] + 2 * b[i] + 3 * c[i] + keys[i] + m[i][i] + bins[i & 7];
  printf ("%.6g %d\n", s, total);
  return 0;
}
