/* graphwalk.c - walk a graph of edges at random by breadth: who was not yet visited is next.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NODES = 1 << 19, EACH = 8 };
static int edge[NODES * EACH], level[NODES], now[NODES], next[NODES];

static int
visit (const int *nodes, int n, int depth)
{
  int n_next = 0;
  for (int i = 0; i < n; i++)
    {
      const int *edges = &edge[nodes[i] * EACH];
      for (int j = 0; j < EACH; j++)
	if (!level[edges[j]])
	  {
	    level[edges[j]] = depth;
	    next[n_next++] = edges[j];
	  }
    }
  return n_next;
}

int
main (int argc, char **argv)
{
  int rounds = argc > 1 ? atoi (argv[1]) : 1;
  unsigned x = 1, sum = 0;
  for (int i = 0; i < NODES * EACH; i++)
    {
      x = x * 1664525 + 1013904223;
      edge[i] = (x >> 8) % NODES;
    }
  for (int r = 0; r < rounds; r++)
    {
      memset (level, 0, sizeof level);
      now[0] = r % NODES;
      for (int n = 1, depth = 1; n; depth++)
	{
	  n = visit (now, n, depth);
	  memcpy (now, next, n * sizeof *now);
	  sum = sum * 31 + n;
	}
    }
  printf ("%u\n", sum);
  return 0;
}
