// merge.cc - records are sorted by merging and by quick sort, made unique and joined.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

struct Record
{
  std::uint32_t key, value;
  bool operator< (const Record &o) const { return key < o.key; }
};

template <typename T>
static void
merge (const std::vector<T> &from, std::vector<T> &into, std::size_t low, std::size_t middle, std::size_t high)
{
  std::size_t a = low, b = middle;
  for (std::size_t k = low; k < high; k++)
    if (a < middle && (b >= high || !(from[b] < from[a])))
      into[k] = from[a++];
    else
      into[k] = from[b++];
}

template <typename T>
static void
merge_sort (std::vector<T> &data)
{
  std::vector<T> work (data.size ());
  for (std::size_t width = 1; width < data.size (); width *= 2)
    {
      for (std::size_t low = 0; low < data.size (); low += 2 * width)
	merge (data, work, low, std::min (low + width, data.size ()), std::min (low + 2 * width, data.size ()));
      data.swap (work);
    }
}

template <typename T>
static void
insertion_sort (T *first, T *last)
{
  for (T *i = first + 1; i < last; i++)
    {
      T key = *i;
      T *j = i;
      for (; j > first && key < j[-1]; j--)
	*j = j[-1];
      *j = key;
    }
}

template <typename T>
static void
quick_sort (T *first, T *last)
{
  while (last - first > 24)
    {
      T pivot = first[(last - first) / 2], *i = first, *j = last - 1;
      for (;;)
	{
	  while (*i < pivot)
	    i++;
	  while (pivot < *j)
	    j--;
	  if (i >= j)
	    break;
	  std::swap (*i++, *j--);
	}
      if (i - first < last - i)
	{
	  quick_sort (first, i);
	  first = i;
	}
      else
	{
	  quick_sort (i, last);
	  last = i;
	}
    }
  if (last - first > 1)
    insertion_sort (first, last);
}

static std::uint32_t
join (const std::vector<Record> &a, const std::vector<Record> &b)
{
  std::uint32_t sum = 0;
  std::size_t i = 0, j = 0;
  while (i < a.size () && j < b.size ())
    if (a[i] < b[j])
      i++;
    else if (b[j] < a[i])
      j++;
    else
      sum += a[i++].value ^ b[j].key;
  return sum;
}

int
main (int argc, char **argv)
{
  const int rounds = argc > 1 ? std::atoi (argv[1]) : 1;
  const std::size_t n = 250000;
  std::uint32_t state = 99, sum = 0;
  for (int r = 0; r < rounds; r++)
    {
      std::vector<Record> a (n), b (n);
      for (std::size_t i = 0; i < n; i++)
	{
	  state = state * 1664525u + 1013904223u;
	  a[i] = { state >> 12, std::uint32_t (i) };
	  b[i] = { (state ^ 0x5bd1e995u) >> 12, std::uint32_t (i) };
	}
      merge_sort (a);
      quick_sort (b.data (), b.data () + n);
      sum += join (a, b);
    }
  std::printf ("%u\n", sum);
}
