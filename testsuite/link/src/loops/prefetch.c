/* prefetch.c - loops that load indirectly; guarded.c calls them with arrays that end at pages that
 * cannot be read. */
#include <stddef.h>

long
gather (const int *b, const long *a, int n)
{
  long s = 0;
  for (int i = 0; i < n; i++)
    s += a[b[i]];
  return s;
}

void
count (const unsigned *key, unsigned *n_of, size_t n)
{
  for (size_t i = 0; i < n; i++)
    n_of[key[i]]++;
}

double
sparse (const int *column, const double *value, const double *x, int from, int to)
{
  double s = 0;
  for (int j = from; j < to; j++)
    s += value[j] * x[column[j]];
  return s;
}

unsigned
strided (const unsigned *a, int n)
{
  unsigned s = 0;
  for (int i = 0; i < n; i++)
    s ^= s * 3 + a[i * 37];
  return s;
}

long
chained (const int *c, const int *b, const long *a, long n)
{
  long s = 0;
  for (long i = n - 1; i >= 0; i--)
    s += a[b[c[i]]];
  return s;
}

/* The loads of b are not made in all iterations: they are prefetched themselves, as those of use,
 * but not made ahead. */
long
sometimes (const char *use, const int *b, const long *a, int n)
{
  long s = 0;
  for (int i = 0; i < n; i++)
    if (use[i])
      s += a[b[i]];
  return s;
}

/* b ends where a match is found, not at n. */
int
search (const int *b, const long *a, int n)
{
  for (int i = 0; i < n; i++)
    if (a[b[i]] == -1)
      return i;
  return -1;
}

/* What c says is stored to. */
long
changing (int *c, const int *b, const long *a, int n)
{
  long s = 0;
  for (int i = 0; i < n; i++)
    {
      s += a[b[c[i]]];
      if (i + 1 < n)
	c[i + 1] -= 100000000;
    }
  return s;
}
