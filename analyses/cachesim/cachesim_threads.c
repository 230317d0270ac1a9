/* cachesim_threads.c - feeds simulated caches from several threads.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "analyses/cachesim/cachesim_threads.h"
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct worker
{
  pthread_t id;
  struct cab_cachesim_threads *threads;
  unsigned part;
};

struct cab_cachesim_threads
{
  struct cab_cachesim *sim;
  unsigned n;
  /* Under the lock: the batch's number, how many threads have not finished it, and whether the
     threads are to end. */
  pthread_mutex_t lock;
  pthread_cond_t begin, end;
  uint64_t batch;
  unsigned n_busy;
  bool over;
  pthread_barrier_t phase;      /* of the n threads among themselves */
  const struct cab_access *accesses;
  size_t n_accesses;
  uint8_t *marks;
  struct worker worker[CAB_CACHESIM_PARTS_MAX];
};

/* Wait for a batch after SEEN.  Return false if there will be none. */
static bool
next_batch (struct cab_cachesim_threads *threads, uint64_t seen)
{
  pthread_mutex_lock (&threads->lock);
  while (threads->batch == seen && !threads->over)
    pthread_cond_wait (&threads->begin, &threads->lock);
  bool there = threads->batch != seen;
  pthread_mutex_unlock (&threads->lock);
  return there;
}

static void *
work (void *argument)
{
  struct worker *worker = argument;
  struct cab_cachesim_threads *threads = worker->threads;
  unsigned n_phases = cab_cachesim_phases (threads->sim);
  for (uint64_t seen = 0; next_batch (threads, seen); seen++)
    {
      for (unsigned phase = 0; phase < n_phases; phase++)
	{
	  if (phase)
	    pthread_barrier_wait (&threads->phase);
	  cab_cachesim_feed_part (threads->sim, phase, worker->part, threads->n, threads->accesses,
				  threads->n_accesses, threads->marks);
	}
      pthread_mutex_lock (&threads->lock);
      if (--threads->n_busy == 0)
	pthread_cond_signal (&threads->end);
      pthread_mutex_unlock (&threads->lock);
    }
  return NULL;
}

/* End the first N threads, and free everything. */
static void
finish (struct cab_cachesim_threads *threads, unsigned n)
{
  pthread_mutex_lock (&threads->lock);
  threads->over = true;
  pthread_cond_broadcast (&threads->begin);
  pthread_mutex_unlock (&threads->lock);
  for (unsigned i = 0; i < n; i++)
    pthread_join (threads->worker[i].id, NULL);
  pthread_barrier_destroy (&threads->phase);
  pthread_cond_destroy (&threads->begin);
  pthread_cond_destroy (&threads->end);
  pthread_mutex_destroy (&threads->lock);
  free (threads->marks);
  free (threads);
}

struct cab_cachesim_threads *
cab_cachesim_threads_new (struct cab_cachesim *sim, unsigned n, size_t room)
{
  struct cab_cachesim_threads *threads = calloc (1, sizeof *threads);
  uint8_t *marks = malloc (room);
  if (!threads || !marks || pthread_barrier_init (&threads->phase, NULL, n))
    {
      free (threads);
      free (marks);
      return NULL;
    }
  threads->sim = sim;
  threads->n = n;
  threads->marks = marks;
  pthread_mutex_init (&threads->lock, NULL);
  pthread_cond_init (&threads->begin, NULL);
  pthread_cond_init (&threads->end, NULL);
  for (unsigned i = 0; i < n; i++)
    {
      threads->worker[i].threads = threads;
      threads->worker[i].part = i;
      if (pthread_create (&threads->worker[i].id, NULL, work, &threads->worker[i]))
	{
	  finish (threads, i);
	  return NULL;
	}
    }
  return threads;
}

/* Wait until all is simulated. */
static void
drain (struct cab_cachesim_threads *threads)
{
  pthread_mutex_lock (&threads->lock);
  while (threads->n_busy)
    pthread_cond_wait (&threads->end, &threads->lock);
  pthread_mutex_unlock (&threads->lock);
}

void
cab_cachesim_threads_feed (struct cab_cachesim_threads *threads, const struct cab_access *accesses,
			   size_t n)
{
  drain (threads);
  memset (threads->marks, 0, n);
  pthread_mutex_lock (&threads->lock);
  threads->accesses = accesses;
  threads->n_accesses = n;
  threads->n_busy = threads->n;
  threads->batch++;
  pthread_cond_broadcast (&threads->begin);
  pthread_mutex_unlock (&threads->lock);
}

void
cab_cachesim_threads_free (struct cab_cachesim_threads *threads)
{
  drain (threads);
  finish (threads, threads->n);
}
