/* loop.c - measure a loop that does other work and sends an event of WORDS words in each iteration.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Usage:   loop EVENTS LINKS SLOTS PRODUCER CONSUMER
 *          EVENTS is rounded up to chunks; LINKS dependent multiplications are the other work of an
 *          iteration; the queue has SLOTS places; the threads have the processors PRODUCER and
 *          CONSUMER, or any if negative.
 * Build:   C or C++, with WORDS, and with QUEUE, the queue's header. An event is sent in `leaf': by
 *          the queue, by cabprof's probes, or not at all.
 * Output:  events in all, with those before the clock starts, which use each slot once; nanoseconds
 *          for each of the others, and of these those that the producer waited; how many events
 *          the consumer of the one-way stream has missed, in percent of all; the sum of all words.
 * Errors:  status 1 if the sum of what arrived is another one.
 */
#include <dirent.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "queue.h"
#include QUEUE

#if WORDS == 3
#define PLACES 1024
static uint64_t one[PLACES], other[PLACES];   /* an event has an address in each */
#endif
static uint64_t n_all, arrived;

/* A chain of multiplications that is entered as far from its end as it shall be long. */
#define MOST_LINKS 4096
#define LINK_BYTES 4
#define STRING_(x) #x
#define STRING(x) STRING_ (x)
__asm__ (".text\n\t.p2align 6\n"
	 "\t.rept " STRING (MOST_LINKS) "\n\timul %rdi, %rdi\n\t.endr\n"
	 "chain_end:\n\tmov %rdi, %rax\n\tret\n");
typedef uint64_t chain (uint64_t x);
extern chain end_of_chain __asm__ ("chain_end");

/* Send event I; X is what the iteration computes. */
#if WORDS == 1
static uint64_t __attribute__ ((noipa))
leaf (uint64_t x, uint64_t i)
{
  struct event event = { { i + 1 } };
  queue_put (&event);
  return x + 1;
}
#else
static uint64_t __attribute__ ((noipa))
leaf (uint64_t x, uint64_t i, const uint64_t *p, const uint64_t *q)
{
  x += *p + *q;
  struct event event = { { i + 1, (uintptr_t) p, (uintptr_t) q } };
  queue_put (&event);
  return x + 1;
}
#endif

static uint64_t
queue_expected (uint64_t first, uint64_t n)
{
  uint64_t sum = n * first + n / 2 * (n + 1);   /* of first + 1 to first + n; n is even */
#if WORDS == 3
  for (int k = 0; k < PLACES; k++)
    sum += n / PLACES * ((uintptr_t) &one[k] + (uintptr_t) &other[k]);
#endif
  return sum;
}

static inline __attribute__ ((always_inline)) uint64_t
run (uint64_t from, uint64_t to, uint64_t x, bool works, chain *work)
{
  for (uint64_t i = from; i < to; i++)
    {
      if (works)
	x = work (x);
#if WORDS == 1
      x = leaf (x, i);
#else
      x = leaf (x, i, &one[i % PLACES], &other[i % PLACES]);
#endif
    }
  return x;
}

/* Run iterations FROM to TO, which have LINKS links of other work. */
static uint64_t
run_links (uint64_t from, uint64_t to, uint64_t x, unsigned links)
{
  chain *work = (chain *) ((uintptr_t) end_of_chain - LINK_BYTES * links);
  return links ? run (from, to, x, true, work) : run (from, to, x, false, work);
}

/* Have the calling thread run on processor PRODUCER, and all others on CONSUMER: that of the queue,
   or the runtime's analysis thread. */
static void
pin (int producer, int consumer)
{
  DIR *threads = opendir ("/proc/self/task");
  int self = syscall (SYS_gettid);
  for (struct dirent *entry; threads && (entry = readdir (threads));)
    {
      int thread = atoi (entry->d_name), cpu = thread == self ? producer : consumer;
      cpu_set_t set;
      CPU_ZERO (&set);
      if (thread > 0 && cpu >= 0)
	{
	  CPU_SET (cpu, &set);
	  sched_setaffinity (thread, sizeof set, &set);
	}
    }
  if (threads)
    closedir (threads);
}

static void *
consume (void *unused)
{
  for (uint64_t n = 0; n < n_all;)
    {
      uint64_t some = queue_take (&arrived);
      if (!some)
	__builtin_ia32_pause ();
      n += some;
    }
  return unused;
}

static double
now_ns (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e9 + t.tv_nsec;
}

static int
measure (uint64_t n, uint64_t slots, unsigned links, int producer, int consumer)
{
  pthread_t thread;
  n = (n + CHUNK - 1) / CHUNK * CHUNK;
  uint64_t before = (slots + CHUNK - 1) / CHUNK * CHUNK + CHUNK;   /* each slot was used once */
  n_all = before + n;
  if (!queue_begin (slots) || (QUEUE_READ && pthread_create (&thread, NULL, consume, NULL)))
    {
      fprintf (stderr, "loop: no room for the queue, or no thread\n");
      return 1;
    }
  uint64_t x = run_links (0, before, 3, links), waited = waiting, ticks = __builtin_ia32_rdtsc ();
  pin (producer, consumer);
  double since = now_ns ();
  x = run_links (before, n_all, x, links);
  double ns = now_ns () - since;
  waited = waiting - waited;
  ticks = __builtin_ia32_rdtsc () - ticks;
  if (QUEUE_READ)
    pthread_join (thread, NULL);
  uint64_t expected = queue_expected (0, n_all);
  if (QUEUE_READ && arrived != expected)
    {
      fprintf (stderr, "loop: the words that arrived add up to %lu, not %lu (%lu)\n",
	       (unsigned long) arrived, (unsigned long) expected, (unsigned long) x);
      return 1;
    }
  printf ("%lu\t%.4f\t%.4f\t%.2f\t%lu\n", (unsigned long) n_all, ns / n,
	  ns / n * waited / ticks, missed * 100. / n_all, (unsigned long) expected);
  return 0;
}

int
main (int argc, char **argv)
{
  unsigned links = argc > 2 ? atoi (argv[2]) : 0;
  uint64_t slots = argc > 3 ? strtoull (argv[3], NULL, 10) : 0;
  if (argc != 6 || links > MOST_LINKS || slots & (slots - 1) || slots < 2)
    {
      fprintf (stderr, "usage: loop EVENTS LINKS SLOTS PRODUCER CONSUMER: LINKS are at most %d, and"
		       " SLOTS a power of two\n", MOST_LINKS);
      return 2;
    }
  return measure (strtoull (argv[1], NULL, 10), slots, links, atoi (argv[4]), atoi (argv[5]));
}
