/* pooled.c - two threads make, walk and release lists, ROUNDS times, in memory that has the same
 * addresses in every run.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The blocks come from an allocator of the program's own: pool_get allocates size=2, pool_put
 * releases pointer=2.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#define ITEMS 64
struct item { struct item *next; long value, tags[3]; char name[24]; };
struct pool { struct item room[2 * ITEMS], *released[2 * ITEMS]; unsigned first, last; } pools[2];
struct { long made[2], rest[6]; } counters __attribute__ ((aligned (64)));
static struct item *lists[2];
static long table[512];
static pthread_barrier_t both;

/* The block that was released first is given out first, so blocks soon lie where others lay. */
__attribute__ ((noipa)) struct item *
pool_get (struct pool *pool, size_t size)
{
  return size ? pool->released[pool->first++ % (2 * ITEMS)] : NULL;
}

__attribute__ ((noipa)) void
pool_put (struct pool *pool, struct item *item)
{
  pool->released[pool->last++ % (2 * ITEMS)] = item;
}

__attribute__ ((noipa)) static void
make (long me)
{
  for (int i = 0; i < ITEMS; i++)
    {
      struct item *item = pool_get (&pools[me], sizeof *item);
      memset (item->name, 0, sizeof item->name);
      item->value = i;
      item->next = lists[me];
      lists[me] = item;
      counters.made[me]++;
    }
}

__attribute__ ((noipa)) static long
walk (struct item *item)
{
  long sum = 0;
  for (; item; item = item->next)
    sum += item->value++;
  return sum;
}

__attribute__ ((noipa)) static long
look_up (long seed)
{
  long sum = 0;
  for (int i = 0; i < 200; i++)
    {
      seed = (seed * 1103515245 + 12345) & 0x7fffffff;
      sum += table[seed / 65536 % 512];
    }
  return sum;
}

__attribute__ ((noipa)) static void
drop (long me)
{
  while (lists[me])
    {
      struct item *item = lists[me];
      lists[me] = item->next;
      pool_put (&pools[me], item);
    }
}

static long rounds;

static void *
work (void *arg)
{
  long me = (long) arg, sum = 0;
  for (int i = 0; i < 2 * ITEMS; i++)
    pools[me].released[i] = &pools[me].room[i];
  pools[me].last = 2 * ITEMS;
  pthread_barrier_wait (&both);
  for (long r = 0; r < rounds; r++)
    {
      make (me);
      for (int k = 0; k < 8; k++)
	sum += walk (lists[me]) + look_up (k);
      drop (me);
    }
  pthread_barrier_wait (&both);
  return (void *) sum;
}

int
main (int argc, char **argv)
{
  pthread_t thread;
  void *other;
  rounds = argc > 1 ? atol (argv[1]) : 10;
  pthread_barrier_init (&both, NULL, 2);
  pthread_create (&thread, NULL, work, (void *) 1);
  void *mine = work (NULL);
  pthread_join (thread, &other);
  return mine != other;
}
