/* perf.c - sample by the kernel: opening, periods, rounds.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "loopfb/sample/perf.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>
#include <libiberty/libiberty.h>

#define EVENTS_PER_SECOND 1e9   /* a first guess for events such as cycles; the period adapts from
				   there */
#define LEAST_CLOCK_NS 20000
#define LEAST_EVENTS 1000
#define RING_PAGES 64           /* 256 KB: about 5,000 samples between two rounds of 100 ms */
#define SAMPLES_PER_DRAW 16     /* samples before the period is drawn again: a new period drops what
				   has been counted towards the next sample */

static uint64_t
now_ns (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return t.tv_sec * UINT64_C (1000000000) + t.tv_nsec;
}

uint64_t
cab_perf_first_period (const struct cab_perf_event *event, double rate)
{
  double period = (event->unit_ns ? 1e9 : EVENTS_PER_SECOND) / (rate > 0 ? rate : CAB_SAMPLE_RATE);
  uint64_t least = event->unit_ns ? LEAST_CLOCK_NS : LEAST_EVENTS;
  return period < least ? least : (uint64_t) period;
}

/* Map the ring, with fewer pages where locked memory is scarce. */
static int
map_ring (struct cab_perf_ring *ring)
{
  size_t page = sysconf (_SC_PAGESIZE);
  for (size_t pages = RING_PAGES; pages >= 1; pages /= 2)
    {
      ring->data_bytes = pages * page;
      ring->base = mmap (NULL, page + ring->data_bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
			 ring->fd, 0);
      if (ring->base != MAP_FAILED)
	return 0;
    }
  ring->base = NULL;
  return -1;
}

/* Open the event on core CPU.  A core that is off is skipped.  Linux before 6.0 does not report
   lost samples by `read'. */
static int
open_core (struct cab_perf *perf, pid_t pid, int cpu)
{
  struct perf_event_attr *a = &perf->event.attr;
  struct cab_perf_ring ring = { .cpu = cpu, .fd = cab_perf_event_open (a, pid, cpu) };
  if (ring.fd < 0 && errno == EINVAL && a->read_format)
    {
      a->read_format = 0;
      ring.fd = cab_perf_event_open (a, pid, cpu);
    }
  if (ring.fd < 0)
    return errno == ENODEV ? 0 : -1;
  if (map_ring (&ring) < 0)
    {
      int error = errno;
      close (ring.fd);
      errno = error;
      return -1;
    }
  ring.period = ring.before = perf->event.attr.sample_period;
  ioctl (ring.fd, PERF_EVENT_IOC_ID, &ring.id);
  perf->rings[perf->n_rings++] = ring;
  return 0;
}

static void
set_attributes (struct perf_event_attr *a, uint64_t period)
{
  a->sample_period = period;
  a->inherit = 1;
  a->enable_on_exec = 1;
  a->mmap = a->mmap2 = 1;
  a->comm = a->comm_exec = 1;
  a->task = 1;
  a->sample_id_all = 1;
  a->watermark = 1;
  a->wakeup_watermark = RING_PAGES * 4096 / 4;
  a->read_format = PERF_FORMAT_LOST;
}

static void
set_period (struct cab_perf *perf, const struct cab_sample_options *options,
	    struct cab_sample_source *source)
{
  /* Faults of pages are few: all are taken, unless a rate is wanted. */
  bool all = perf->event.attr.type == PERF_TYPE_SOFTWARE && !perf->event.unit_ns
	  && !(options->rate > 0);
  uint64_t fixed = options->period ? options->period : all;
  double rate = fixed ? 0 : options->rate > 0 ? options->rate : CAB_SAMPLE_RATE;
  uint64_t base = fixed ? fixed : cab_perf_first_period (&perf->event, rate);
  /* A clock's first period already gives the rate on one busy core: it is only made longer, where
     there are several.  A shorter one would mean more samples in a second of work, just because the
     program waits. */
  uint64_t least = perf->event.unit_ns || fixed ? base : LEAST_EVENTS;
  uint64_t now = now_ns ();
  cab_period_init (&perf->period, base, least, base > UINT64_MAX >> 20 ? base : base << 10, rate,
		   options->seed ? options->seed : now, now);
  source->period = perf->period.base;
  source->asked_rate = rate;
  source->adaptive = rate > 0;
}

int
cab_perf_open (struct cab_perf *perf, pid_t pid, const char *name,
	       const struct cab_sample_options *options, struct cab_sample_source *source,
	       struct cab_diag *diag)
{
  int n_cores = sysconf (_SC_NPROCESSORS_CONF);
  *perf = (struct cab_perf) { .n_rings = 0 };
  if (cab_perf_event_find (&perf->event, name, options->data, diag) < 0
      || cab_perf_event_grant (&perf->event, name, 1000000, diag) < 0)
    return -1;
  *source = (struct cab_sample_source) { .kind = CAB_SAMPLE_PERF,
					 .unit_ns = perf->event.unit_ns,
					 .precise_ip = perf->event.attr.precise_ip,
					 .user_only = perf->event.attr.exclude_kernel,
					 .randomised = CAB_RANDOMISED_WAKE_UP };
  snprintf (source->name, sizeof source->name, "%s", name);
  set_period (perf, options, source);
  set_attributes (&perf->event.attr, cab_period_draw (&perf->period));
  perf->rings = xcalloc (n_cores, sizeof *perf->rings);
  for (int cpu = 0; cpu < n_cores; cpu++)
    if (open_core (perf, pid, cpu) < 0)
      {
	snprintf (diag->text, sizeof diag->text, "event %s, core %d: %s", name, cpu,
		  strerror (errno));
	cab_perf_close (perf);
	return -1;
      }
  return 0;
}

/* Change the base where the rate asks for it, and the low bits if enough samples came since. */
static void
change_period (struct cab_perf *perf)
{
  uint64_t now = now_ns ();
  bool adapted = cab_period_adapt (&perf->period, now);
  if (!adapted && perf->since_drawn < SAMPLES_PER_DRAW)
    return;
  uint64_t period = cab_period_draw (&perf->period);
  for (uint32_t i = 0; i < perf->n_rings; i++)
    if (ioctl (perf->rings[i].fd, PERF_EVENT_IOC_PERIOD, &period) == 0)
      {
	perf->rings[i].before = perf->rings[i].period;
	perf->rings[i].period = period;
	perf->rings[i].changed = now_ns ();
      }
  perf->since_drawn = 0;
}

/* Count what was lost.  The kernel writes the number of dropped records before the next one that
   has room, so the last ones, before the program's end, are only in the count of the event. */
static void
count_lost (struct cab_perf *perf)
{
  struct { uint64_t value, lost; } counts;
  uint64_t lost = 0;
  for (uint32_t i = 0; i < perf->n_rings; i++)
    if (perf->event.attr.read_format
	&& read (perf->rings[i].fd, &counts, sizeof counts) == sizeof counts)
      lost += counts.lost;
  perf->lost = lost > perf->lost ? lost : perf->lost;
}

void
cab_perf_read (struct cab_perf *perf, struct cab_collector *collector, bool last)
{
  uint64_t border = perf->last_time, n = 0;
  for (uint32_t i = 0; i < perf->n_rings; i++)
    n += cab_perf_drain (perf, &perf->rings[i]);
  cab_perf_apply (perf, collector, last ? UINT64_MAX : border);
  perf->since_drawn += n;
  cab_period_count (&perf->period, now_ns (), n);
  if (last)
    count_lost (perf);
  else
    change_period (perf);
  collector->samples->lost = perf->lost;
  collector->samples->source.period = perf->period.base;
}

void
cab_perf_close (struct cab_perf *perf)
{
  size_t page = sysconf (_SC_PAGESIZE);
  for (uint32_t i = 0; i < perf->n_rings; i++)
    {
      munmap (perf->rings[i].base, page + perf->rings[i].data_bytes);
      close (perf->rings[i].fd);
    }
  free (perf->rings);
  free (perf->queue);
  *perf = (struct cab_perf) { .n_rings = 0 };
}
