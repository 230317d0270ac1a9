/* hashjoin.c - probe a hash table of open addresses with keys at random.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>

enum { BITS = 21, SLOTS = 1 << BITS, KEYS = 1 << 20, PROBES = 1 << 21 };
struct slot { unsigned key, value; };
static struct slot table[SLOTS];
static unsigned probe[PROBES];

static unsigned
hash (unsigned key)
{
  return key * 2654435761u >> (32 - BITS);
}

static void
insert (unsigned key, unsigned value)
{
  unsigned at = hash (key);
  while (table[at].key)
    at = (at + 1) % SLOTS;
  table[at] = (struct slot) { key, value };
}

/* Add the values of those keys that are in their first slot. */
static unsigned
join (const unsigned *keys, int n)
{
  unsigned sum = 0;
  for (int i = 0; i < n; i++)
    {
      const struct slot *slot = &table[hash (keys[i])];
      if (slot->key == keys[i])
	sum += slot->value;
    }
  return sum;
}

int
main (int argc, char **argv)
{
  int rounds = argc > 1 ? atoi (argv[1]) : 1;
  unsigned x = 1, sum = 0;
  for (int i = 0; i < KEYS; i++)
    insert (i * 2 + 1, i);
  for (int r = 0; r < rounds; r++)
    {
      for (int i = 0; i < PROBES; i++)
	{
	  x = x * 1664525 + 1013904223;
	  probe[i] = (x >> 8) % (2 * KEYS) + 1;
	}
      sum = sum * 31 + join (probe, PROBES);
    }
  printf ("%u\n", sum);
  return 0;
}
