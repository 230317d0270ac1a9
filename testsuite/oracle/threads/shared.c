/* shared.c - for oracle/sharing: two threads and the one that made them share variables of all
 * sorts, while all of them run.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define ROUNDS 40

static volatile int left, right;                          /* side by side, through one function */
volatile long total __attribute__ ((aligned (64)));
static volatile long mostly;                              /* one thread has more than twice the other's */
static volatile char flags[100] __attribute__ ((aligned (64)));   /* elements of both, in two lines */
static volatile long parts[32] __attribute__ ((aligned (64)));    /* each has a line of it; one they share */
static const int table[32] = { 3, 1, 4, 1, 5, 9, 2, 6 };
struct account { volatile long in, out; volatile int n; };
static struct account accounts[3];
struct pair { volatile short a, b; };
static struct { char before[60]; struct __attribute__ ((packed)) { volatile long across; } odd; } crossing __attribute__ ((aligned (64)));
static char from[200], to[200];
struct node { struct node *next; volatile long hits, misses; };
static struct node *list;
/* Memory is shared truly and falsely at once: beside a counter of both, beside a flag that the
   other thread reads, and beside a lock, which is shared only truly. */
static struct { volatile long all, each[2], rest[5]; } mixed __attribute__ ((aligned (64)));
static struct { volatile long stop, done, rest[6]; } watched __attribute__ ((aligned (64)));
static struct { volatile long lock, note, rest[6]; } locked __attribute__ ((aligned (64)));
static struct { volatile long all, each[2], rest[5]; } *block;      /* of its own to main, one of whose accesses goes to what others count in as well */
static struct pair *pairs;
static struct quiet { volatile long one, other; } *quiet;          /* in one line, which nobody writes: not shared */
static pthread_barrier_t begin, made, done;

__attribute__ ((noipa)) static void
bump (volatile int *counter)
{
  ++*counter;
}

static void *
work (void *arg)
{
  long me = (long) arg;
  volatile long *own = malloc (300);
  long sum = 0;
  pthread_barrier_wait (&begin);
  pthread_barrier_wait (&made);
  for (int i = 0; i < ROUNDS; i++)
    {
      bump (me ? &right : &left);
      __atomic_fetch_add (&total, table[i & 31], __ATOMIC_RELAXED);
      if (me || i % 3 == 0)
	mostly = mostly + 1;
      flags[2 * i + me] = i;
      parts[i % 9 ? 8 * me + i % 8 : 24] = i;
      accounts[i % 2 + me].in += i;
      if (i == 7)
	accounts[me].n++;
      crossing.odd.across += me;
      mixed.each[me]++;
      block->each[me]++;
      if (i % 9 == 0)
	{
	  mixed.all = mixed.all + 1;
	  block->all = block->all + 1;
	}
      if (me)
	watched.done++;
      else
	sum += watched.stop;
      locked.lock++;
      if (me)
	sum += locked.note;
      locked.lock--;
      own[i % 30] = accounts[0].out;
      sum += own[i % 30];
      for (struct node *n = list; n; n = n->next)
	if ((n->hits + i) % 2 == me)
	  n->misses++;
      pairs[me].a += i;
    }
  memcpy (me ? to : to + 100, me ? from : from + 80, 100);
  if (me)
    watched.stop = 1;
  if (me)
    list->hits = sum + quiet->one;
  else
    sum += quiet->other;
  pthread_barrier_wait (&done);
  free ((void *) own);
  return arg;
}

int
main (void)
{
  pthread_t t[2];
  pthread_barrier_init (&begin, NULL, 3);
  pthread_barrier_init (&made, NULL, 3);
  pthread_barrier_init (&done, NULL, 3);
  for (long i = 0; i < 2; i++)
    pthread_create (&t[i], NULL, work, (void *) i);
  pthread_barrier_wait (&begin);
  for (int i = 0; i < 5; i++)
    {
      struct node *n = malloc (sizeof *n);
      *n = (struct node) { list, i, 0 };
      list = n;
    }
  pairs = calloc (2, sizeof *pairs);
  quiet = aligned_alloc (64, 64);
  block = aligned_alloc (64, 64);
  memset (from, 7, sizeof from);
  pthread_barrier_wait (&made);
  left = 1;
  for (int i = 0; i < ROUNDS; i++)
    (&block->all)[i % 6]++;
  pthread_barrier_wait (&done);
  for (int i = 0; i < 2; i++)
    pthread_join (t[i], NULL);
  printf ("%p\n", (void *) &total);
  return 0;
}
