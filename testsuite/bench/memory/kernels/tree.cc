/* tree.cc - a search tree of the library's: insertions, look-ups, a walk in order, removals.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <cstdio>
#include <cstdlib>
#include <map>

static unsigned state = 1;

static unsigned
draw ()
{
  state = state * 1664525u + 1013904223u;
  return state >> 12;
}

int
main (int argc, char **argv)
{
  int rounds = argc > 1 ? atoi (argv[1]) : 1;
  std::map<unsigned, unsigned> tree;
  unsigned long sum = 0;
  for (int k = 0; k < rounds; k++)
    {
      for (int i = 0; i < 20000; i++)
	tree[draw ()] += i;
      for (int i = 0; i < 60000; i++)
	{
	  auto found = tree.lower_bound (draw ());
	  sum += found == tree.end () ? 0 : found->second;
	}
      for (const auto &entry : tree)
	sum += entry.first ^ entry.second;
      while (tree.size () > 40000)
	tree.erase (tree.begin ());
    }
  std::printf ("%zu %lu\n", tree.size (), sum);
  return 0;
}
