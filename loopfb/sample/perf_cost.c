/* perf_cost.c - measure what a sample costs: a loop of fixed work with and without a source that
 * fires often.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "loopfb/sample/perf.h"
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define ROUNDS 7
#define WORK 4000000          /* steps: about 4 ms */
#define CLOCK_PERIOD 20000    /* ns */
#define EVENTS_PERIOD 50000

static uint64_t
cpu_ns (void)
{
  struct timespec t;
  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &t);
  return t.tv_sec * UINT64_C (1000000000) + t.tv_nsec;
}

static uint64_t
work (void)
{
  uint64_t before = cpu_ns ();
  for (int i = 0; i < WORK; i++)
    __asm__ volatile ("");
  return cpu_ns () - before;
}

/* Return what a sample costs, from the least time of several rounds, each with and without
   sampling: anything else that happens on the machine only adds time. */
static double
compare (int fd, uint64_t period)
{
  uint64_t plain = UINT64_MAX, sampled = UINT64_MAX;
  double n = 0;
  for (int i = 0; i < ROUNDS; i++)
    {
      uint64_t count = 0, after = 0, took = work ();
      if (took < plain)
	plain = took;
      if (read (fd, &count, sizeof count) < 0 || ioctl (fd, PERF_EVENT_IOC_ENABLE, 0) < 0)
	return -1;
      took = work ();
      if (ioctl (fd, PERF_EVENT_IOC_DISABLE, 0) < 0 || read (fd, &after, sizeof after) < 0)
	return -1;
      if (took < sampled)
	{
	  sampled = took;
	  n = (double) (after - count) / period;
	}
    }
  return n < 1 ? -1 : sampled > plain ? (sampled - plain) / n : 0;
}

double
cab_perf_cost (const struct cab_perf_event *event)
{
  struct perf_event_attr attr = event->attr;
  uint64_t period = event->unit_ns ? CLOCK_PERIOD : EVENTS_PERIOD;
  size_t bytes = 9 * sysconf (_SC_PAGESIZE);
  double cost = -1;
  attr.sample_period = period;
  attr.disabled = 1;
  attr.read_format = 0;
  attr.inherit = attr.enable_on_exec = attr.task = attr.comm = attr.comm_exec = attr.mmap
    = attr.mmap2 = attr.mmap_data = 0;
  int fd = cab_perf_event_open (&attr, 0, -1);
  if (fd < 0)
    return -1;
  /* Mapped for reading only, the ring overwrites itself: no reader is needed, and writing costs the
     same. */
  void *ring = mmap (NULL, bytes, PROT_READ, MAP_SHARED, fd, 0);
  if (ring != MAP_FAILED)
    {
      cost = compare (fd, period);
      munmap (ring, bytes);
    }
  close (fd);
  return cost;
}
