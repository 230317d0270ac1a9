/* perf_ring.c - read records of the kernel's rings, and apply them in order of time.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "loopfb/sample/perf.h"
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <libiberty/libiberty.h>

#define MOST_BYTES 65536   /* of a record: its size has 16 bits */

/* A record, as far as it is used. */
struct cab_perf_record
{
  uint64_t time, order;    /* order: the order of reading, for equal times */
  uint32_t type, pid, other;
  bool flag;               /* of a sample: it is in the kernel; of comm: it is from an exec; of
			      mmap: it is no code */
  uint64_t address, bytes, offset;   /* of a sample: ip and period; of mmap: the mapping */
  struct cab_data_sample data;       /* of a sample that has an address of data */
  char *path;
};

/* A cursor over a record's bytes; what is beyond its end reads as 0. */
struct cursor
{
  const unsigned char *at, *end;
};

static uint64_t
take (struct cursor *c, size_t bytes)
{
  uint64_t value = 0;
  if ((size_t) (c->end - c->at) < bytes)
    {
      c->at = c->end;
      return 0;
    }
  memcpy (&value, c->at, bytes);
  c->at += bytes;
  return value;
}

static void
queue_record (struct cab_perf *perf, const struct cab_perf_record *record)
{
  if (perf->n_queued == perf->room_queued)
    perf->queue = XRESIZEVEC (struct cab_perf_record, perf->queue,
			      perf->room_queued = 2 * perf->room_queued + 256);
  perf->queue[perf->n_queued] = *record;
  perf->queue[perf->n_queued].order = perf->n_queued;
  perf->n_queued++;
  if (record->time > perf->last_time)
    perf->last_time = record->time;
}

/* Take what follows the period of a sample that has an address of data. */
static void
take_data (const struct cab_perf_event *event, struct cursor *c, struct cab_data_sample *data)
{
  if (take (c, 8) != PERF_SAMPLE_REGS_ABI_NONE)
    data->stack = take (c, 8);
  if (!(event->attr.sample_type & PERF_SAMPLE_DATA_SRC))
    return;
  data->latency = take (c, 8);
  data->source = take (c, 8);
}

/* Return the time at the end of all records except samples (sample_id: pid, tid, time, stream). */
static uint64_t
time_of (const unsigned char *bytes, size_t n)
{
  uint64_t time = 0;
  if (n >= sizeof (struct perf_event_header) + 16)
    memcpy (&time, bytes + n - 16, 8);
  return time;
}

static void
add_sample (struct cab_perf *perf, const struct cab_perf_ring *ring, struct cursor *c,
	    uint16_t misc)
{
  struct cab_perf_record r = { .type = PERF_RECORD_SAMPLE };
  r.address = take (c, 8);
  r.pid = take (c, 4);
  take (c, 4);
  r.time = take (c, 8);
  if (perf->event.data)
    r.data.address = take (c, 8);
  uint64_t stream = take (c, 8);
  r.bytes = take (c, 8);
  if (perf->event.unit_ns && stream == ring->id)
    r.bytes = r.time < ring->changed ? ring->before : ring->period;
  if (perf->event.data)
    take_data (&perf->event, c, &r.data);
  r.flag = (misc & PERF_RECORD_MISC_CPUMODE_MASK) != PERF_RECORD_MISC_USER;
  r.data.time = r.time;
  r.data.weight = r.bytes;
  r.data.ip = r.flag ? 0 : r.address;
  queue_record (perf, &r);
}

static void
add_mapping (struct cab_perf *perf, struct cursor *c, const struct perf_event_header *h,
	     uint64_t time)
{
  struct cab_perf_record r = { .type = PERF_RECORD_MMAP2, .time = time };
  r.pid = take (c, 4);
  take (c, 4);
  r.address = take (c, 8);
  r.bytes = take (c, 8);
  r.offset = take (c, 8);
  if (h->type == PERF_RECORD_MMAP2)
    c->at += (size_t) (c->end - c->at) < 32 ? c->end - c->at : 32;   /* device, inode, protection */
  r.flag = h->misc & PERF_RECORD_MISC_MMAP_DATA;
  r.path = xstrndup ((const char *) c->at, strnlen ((const char *) c->at, c->end - c->at));
  queue_record (perf, &r);
}

static void
add_task (struct cab_perf *perf, struct cursor *c, const struct perf_event_header *h, uint64_t time)
{
  struct cab_perf_record r = { .type = h->type, .time = time };
  r.pid = take (c, 4);
  if (h->type == PERF_RECORD_COMM)
    r.flag = h->misc & PERF_RECORD_MISC_COMM_EXEC;
  else
    r.other = take (c, 4);
  queue_record (perf, &r);
}

static bool
add_record (struct cab_perf *perf, const struct cab_perf_ring *ring, const unsigned char *bytes)
{
  struct perf_event_header h;
  memcpy (&h, bytes, sizeof h);
  struct cursor c = { bytes + sizeof h, bytes + h.size };
  switch (h.type)
    {
    case PERF_RECORD_SAMPLE: add_sample (perf, ring, &c, h.misc); break;
    case PERF_RECORD_MMAP:
    case PERF_RECORD_MMAP2: add_mapping (perf, &c, &h, time_of (bytes, h.size)); break;
    case PERF_RECORD_COMM:
    case PERF_RECORD_FORK: add_task (perf, &c, &h, time_of (bytes, h.size)); break;
    case PERF_RECORD_LOST: take (&c, 8); perf->lost += take (&c, 8); break;
    case PERF_RECORD_LOST_SAMPLES: perf->lost += take (&c, 8); break;
    }
  return h.type == PERF_RECORD_SAMPLE;
}

static void
copy_out (const struct cab_perf_ring *ring, uint64_t at, unsigned char *to, size_t n)
{
  const unsigned char *data = (const unsigned char *) ring->base + sysconf (_SC_PAGESIZE);
  size_t from = at % ring->data_bytes,
	 first = ring->data_bytes - from < n ? ring->data_bytes - from : n;
  memcpy (to, data + from, first);
  memcpy (to + first, data, n - first);
}

uint64_t
cab_perf_drain (struct cab_perf *perf, struct cab_perf_ring *ring)
{
  struct perf_event_mmap_page *control = ring->base;
  static unsigned char bytes[MOST_BYTES];
  struct perf_event_header h;
  /* Acquire: pairs with the kernel's barrier between the records and data_head. */
  uint64_t head = __atomic_load_n (&control->data_head, __ATOMIC_ACQUIRE),
	   tail = control->data_tail, n = 0;
  while (head - tail >= sizeof h)
    {
      copy_out (ring, tail, (unsigned char *) &h, sizeof h);
      if (h.size < sizeof h || h.size > head - tail)
	break;
      copy_out (ring, tail, bytes, h.size);
      n += add_record (perf, ring, bytes);
      tail += h.size;
    }
  /* Release: our reads are done before the kernel may write to that space. */
  __atomic_store_n (&control->data_tail, head, __ATOMIC_RELEASE);
  return n;
}

static int
by_time (const void *a, const void *b)
{
  const struct cab_perf_record *x = a, *y = b;
  if (x->time != y->time)
    return x->time < y->time ? -1 : 1;
  return x->order < y->order ? -1 : x->order > y->order;
}

/* Apply R to the maps of data, or add the data that it accessed. */
static void
apply_data (struct cab_collector *collector, const struct cab_perf_record *r)
{
  if (r->type == PERF_RECORD_SAMPLE)
    cab_collect_data (collector, r->pid, &r->data);
  else if (r->type == PERF_RECORD_MMAP2)
    cab_data_places_map (&collector->places, r->pid, r->address, r->bytes, r->offset, r->path);
}

static void
apply (struct cab_collector *collector, struct cab_perf_record *r, bool data)
{
  if (data)
    apply_data (collector, r);
  switch (r->type)
    {
    case PERF_RECORD_SAMPLE:
      if (r->flag)
	cab_collect_kernel (collector, 1, r->bytes);
      else
	cab_collect_sample (collector, r->pid, r->address, 1, r->bytes);
      break;
    case PERF_RECORD_MMAP2:
      if (!r->flag)
	cab_maps_add (&collector->maps, r->pid, r->address, r->bytes, r->offset, r->path);
      break;
    case PERF_RECORD_FORK: cab_collect_fork (collector, r->pid, r->other, r->time); break;
    case PERF_RECORD_COMM:
      if (r->flag)
	cab_collect_exec (collector, r->pid, r->time);
      break;
    }
  free (r->path);
}

void
cab_perf_apply (struct cab_perf *perf, struct cab_collector *collector, uint64_t border)
{
  size_t done = 0;
  if (perf->n_queued)
    qsort (perf->queue, perf->n_queued, sizeof *perf->queue, by_time);
  while (done < perf->n_queued && perf->queue[done].time <= border)
    apply (collector, &perf->queue[done++], perf->event.data);
  memmove (perf->queue, perf->queue + done, (perf->n_queued - done) * sizeof *perf->queue);
  perf->n_queued -= done;
  for (size_t i = 0; i < perf->n_queued; i++)
    perf->queue[i].order = i;
}
