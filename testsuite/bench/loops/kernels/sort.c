/* sort.c - three ways to sort numbers: Shell's, heap sort, radix sort; then look-ups by bisection.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 200000 };
static unsigned data[N], work[N], other[N];

static void
shell_sort (unsigned *a, int n)
{
  int gap = 1;
  while (gap < n / 3)
    gap = 3 * gap + 1;
  for (; gap > 0; gap /= 3)
    for (int i = gap; i < n; i++)
      {
	unsigned key = a[i];
	int j = i;
	for (; j >= gap && a[j - gap] > key; j -= gap)
	  a[j] = a[j - gap];
	a[j] = key;
      }
}

static void
sift (unsigned *a, int root, int n)
{
  unsigned key = a[root];
  for (int child = 2 * root + 1; child < n; child = 2 * root + 1)
    {
      if (child + 1 < n && a[child + 1] > a[child])
	child++;
      if (a[child] <= key)
	break;
      a[root] = a[child];
      root = child;
    }
  a[root] = key;
}

static void
heap_sort (unsigned *a, int n)
{
  for (int i = n / 2 - 1; i >= 0; i--)
    sift (a, i, n);
  for (int i = n - 1; i > 0; i--)
    {
      unsigned t = a[0];
      a[0] = a[i];
      a[i] = t;
      sift (a, 0, i);
    }
}

static void
radix_sort (unsigned *a, int n)
{
  for (int shift = 0; shift < 32; shift += 8)
    {
      int count[257] = { 0 };
      for (int i = 0; i < n; i++)
	count[((a[i] >> shift) & 255) + 1]++;
      for (int k = 0; k < 256; k++)
	count[k + 1] += count[k];
      for (int i = 0; i < n; i++)
	other[count[(a[i] >> shift) & 255]++] = a[i];
      memcpy (a, other, n * sizeof *a);
    }
}

static int
find (const unsigned *a, int n, unsigned key)
{
  int low = 0, high = n;
  while (low < high)
    {
      int middle = (low + high) / 2;
      if (a[middle] < key)
	low = middle + 1;
      else
	high = middle;
    }
  return low;
}

int
main (int argc, char **argv)
{
  static void (*const sorts[]) (unsigned *, int) = { shell_sort, heap_sort, radix_sort };
  int rounds = argc > 1 ? atoi (argv[1]) : 1;
  unsigned state = 1, sum = 0;
  for (int r = 0; r < rounds; r++)
    {
      for (int i = 0; i < N; i++)
	data[i] = state = state * 1103515245u + 12345u;
      for (int s = 0; s < 3; s++)
	{
	  memcpy (work, data, sizeof work);
	  sorts[s] (work, N);
	  for (int i = 0; i < N; i++)
	    sum = sum * 31 + work[i];
	}
      for (int i = 0; i < N; i++)
	sum += find (work, N, data[i]);
    }
  printf ("%u\n", sum);
  return 0;
}
