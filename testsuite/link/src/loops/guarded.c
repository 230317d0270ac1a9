/* guarded.c - calls the loops of prefetch.c with arrays of each length up to 80 that begin or end
 * at pages that cannot be read, and prints a sum of all results. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGES 4

long gather (const int *, const long *, int);
void count (const unsigned *, unsigned *, size_t);
double sparse (const int *, const double *, const double *, int, int);
unsigned strided (const unsigned *, int);
long chained (const int *, const int *, const long *, long);
long sometimes (const char *, const int *, const long *, int);
int search (const int *, const long *, int);
long changing (int *, const int *, const long *, int);

static int at_end;

/* Return a copy of N bytes FROM that lies against a page that cannot be read. */
static void *
guarded (const void *from, size_t n)
{
  size_t page = sysconf (_SC_PAGESIZE);
  char *base = mmap (NULL, (PAGES + 2) * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (base == MAP_FAILED || mprotect (base + page, PAGES * page, PROT_READ | PROT_WRITE))
    abort ();
  char *to = base + page + (at_end ? PAGES * page - n : 0);
  memcpy (to, from, n);
  return to;
}

static long
all (int n)
{
  int b[81], c[81], few[81], shift[81];
  long a[81];
  double x[81];
  unsigned wide[81 * 37] = { 0 }, zero[81] = { 0 };
  char use[81];
  for (int i = 0; i < n; i++)
    {
      b[i] = (i * 31 + 7) % n;
      c[i] = (i * 17 + 3) % n;
      shift[i] = i ? c[i] + 100000000 : c[i];
      use[i] = i < n / 2;
      few[i] = i;
      a[i] = i * 3 + 1;
      x[i] = i * .5;
      wide[i * 37] = i * 5;
    }
  const int *gb = guarded (b, n * sizeof *b), *gc = guarded (c, n * sizeof *c);
  const long *ga = guarded (a, n * sizeof *a);
  const double *gx = guarded (x, n * sizeof *x), *gv = guarded (x, n * sizeof *x);
  unsigned *counts = guarded (zero, n * sizeof *zero);
  long s = gather (gb, ga, n) + sparse (gb, gv, gx, 0, n) + chained (gc, gb, ga, n);
  count ((const unsigned *) gb, counts, n);
  for (int i = 0; i < n; i++)
    s += counts[i] * i;
  s += strided (guarded (wide, n ? ((n - 1) * 37 + 1) * sizeof *wide : 0), n);
  s += changing (guarded (shift, n * sizeof *shift), gb, ga, n);
  s += sometimes (guarded (use, n), at_end ? guarded (b, n / 2 * sizeof *b) : gb, ga, n);
  a[n / 2] = -1;
  return n ? s + search (guarded (few, (n / 2 + 1) * sizeof *few), guarded (a, n * sizeof *a), 1000)
	   : s;
}

int
main (void)
{
  long s = 0;
  for (at_end = 0; at_end < 2; at_end++)
    for (int n = 0; n <= 80; n++)
      s = s * 7 + all (n);
  printf ("%ld\n", s);
  return 0;
}
