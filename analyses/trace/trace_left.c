/* trace_left.c - see trace_left.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/profile/part_control.h"
#include "analyses/trace/trace_left.h"
#include <stdlib.h>
#include <time.h>
#include "analyses/profile/finish/finish.h"
#include "analyses/profile/info.h"

struct left
{
  struct cab_trace_out *out;
  const struct cab_part *part;
  uint32_t process;
  const struct cab_trace_came *came;
};

static struct cab_trace_frame
frame (const struct left *left, enum cab_trace_kind kind, uint64_t bytes)
{
  return (struct cab_trace_frame) {
    .mark = CAB_TRACE_MARK, .kind = kind, .process = left->process, .bytes = bytes
  };
}

static void
put_table (const struct left *left, enum cab_extent_kind table, uint32_t owner, const void *bytes,
	   uint64_t n)
{
  struct cab_trace_frame f = frame (left, CAB_TRACE_TABLE, n);
  f.table = table;
  f.owner = owner;
  if (bytes && n)
    cab_trace_out_put (left->out, &f, bytes);
}

static void
put_tables (const struct left *left)
{
  const struct cab_part *part = left->part;
  const struct cab_part_header *h = part->header;
  put_table (left, CAB_EXT_STRINGS, 0, part->strings, part->strings_bytes);
  put_table (left, CAB_EXT_MODULES, 0, part->modules, h->n_modules * sizeof *part->modules);
  put_table (left, CAB_EXT_FUNCTIONS, 0, part->functions, h->n_functions * sizeof *part->functions);
  put_table (left, CAB_EXT_THREADS, 0, part->threads, h->n_threads * sizeof *part->threads);
}

static bool
has_come (const struct left *left, uint32_t module)
{
  for (uint32_t i = 0; i < left->came->n_records; i++)
    if (left->came->records[i] == module)
      return true;
  return false;
}

/* Put the records that the process did not send in time.  It has reported those that the profile
   lacks, too. */
static void
put_records (const struct left *left)
{
  for (uint32_t i = 0; i < left->part->header->n_modules; i++)
    {
      struct cab_info info = { .path = NULL };
      struct cab_diag diag;
      if (has_come (left, i) || cab_info_open_module (&info, left->part, i, &diag) < 0)
	continue;
      struct cab_trace_frame f = frame (left, CAB_TRACE_RECORDS, info.bytes);
      f.owner = i;
      cab_trace_out_put (left->out, &f, info.text);
      cab_info_close (&info);
    }
}

static void
put_counts (const struct left *left)
{
  uint32_t cursor = 0;
  struct cab_diag diag;
  for (int64_t owner; (owner = cab_part_next_owner (left->part, CAB_EXT_COUNTS, &cursor)) >= 0;)
    {
      uint64_t bytes, valid = left->part->header->counts_bytes;
      void *area = cab_part_counts (left->part, owner, &bytes, &diag);
      put_table (left, CAB_EXT_COUNTS, owner, area, bytes < valid ? bytes : valid);
      free (area);
    }
}

static void
put_words (const struct left *left, const struct cab_ring_header *h, uint32_t ring, uint64_t at,
	   uint64_t stamp, const uint64_t *words, uint64_t n)
{
  struct cab_trace_frame f = frame (left, CAB_TRACE_CHUNK, n * sizeof *words);
  f.owner = ring;
  f.thread = h->thread;
  f.at = at;
  f.stamp = stamp;
  if (n)
    cab_trace_out_put (left->out, &f, words);
}

/* Return the time now, which is the latest at which words that were not published can have been
   written, since their time is not known. */
static uint64_t
now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return t.tv_sec * UINT64_C (1000000000) + t.tv_nsec;
}

static void
put_chunks (const struct left *left, const struct cab_ring_header *h, uint32_t ring, uint64_t next)
{
  const uint64_t *slots = (const uint64_t *) ((const char *) h + CAB_RING_HEADER_BYTES);
  uint64_t stride = h->chunk_slots + CAB_RING_RED_SLOTS;
  for (uint64_t c = h->tail > next ? h->tail : next; c < h->head; c++)
    {
      uint32_t used = h->used[c % h->n_chunks];
      put_words (left, h, ring, c, h->stamp[c % h->n_chunks], slots + c % h->n_chunks * stride,
		 used < stride ? used : 0);
    }
  if (h->head >= next)
    put_words (left, h, ring, h->head, now (), slots + h->head % h->n_chunks * stride,
	       cab_ring_open_words (h, h->head));
}

static void
put_cab (const struct left *left, const struct cab_ring_header *h, uint32_t ring, uint64_t next)
{
  const uint64_t *slots = (const uint64_t *) ((const char *) h + CAB_RING_HEADER_BYTES);
  uint64_t n_slots = (uint64_t) h->n_chunks * h->chunk_slots,
	   begin = h->tail > next ? h->tail : next;
  uint64_t from = begin % n_slots, n = cab_finish_written (slots + from, n_slots - from);
  put_words (left, h, ring, begin, now (), slots + from, n);
  if (from + n == n_slots)
    put_words (left, h, ring, begin + n, now (), slots, cab_finish_written (slots, from));
}

static void
put_rings (const struct left *left)
{
  uint32_t cursor = 0;
  struct cab_diag diag;
  for (int64_t ring; (ring = cab_part_next_owner (left->part, CAB_EXT_RING, &cursor)) >= 0;)
    {
      uint64_t bytes, next = 0;
      struct cab_ring_header *h = cab_part_area (left->part, CAB_EXT_RING, ring, &bytes, &diag);
      const struct cab_trace_seen *seen = left->came->seen;
      for (uint32_t i = 0; h && i < left->came->n_seen; i++)
	if (seen[i].ring == ring)
	  next = seen[i].at + (h->type == CAB_RING_CHUNK ? 1 : seen[i].words);
      if (h && cab_finish_sound (h, bytes) && h->thread < left->part->header->n_threads)
	(h->type == CAB_RING_CHUNK ? put_chunks : put_cab) (left, h, ring, next);
      free (h);
    }
}

void
cab_trace_left_put (struct cab_trace_out *out, const struct cab_part *part, uint32_t process,
		    const struct cab_trace_came *came)
{
  struct left left = { out, part, process, came };
  struct cab_trace_frame end = frame (&left, CAB_TRACE_HEADER, CAB_TRACE_HEADER_BYTES);
  put_tables (&left);
  put_records (&left);
  put_counts (&left);
  put_rings (&left);
  end.owner = 1;
  cab_trace_out_put (out, &end, part->header);
}
