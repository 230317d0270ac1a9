/* live_rings.c - see live_rings.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/profile/finish/live_rings.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <libiberty/libiberty.h>
#include "analyses/profile/finish/finish.h"

#define LOOKS 8              /* how often rings are looked at while a consumer drains them */
#define WAIT_NS 4000000L     /* how long to wait between looks */

struct cab_live_ring
{
  uint32_t number;
  int fd;
  uint64_t file_offset;
  struct cab_ring_header header;
};

struct cab_live_rings
{
  uint32_t n;
  struct cab_live_ring *rings;
};

/* Read RING's header into H.  The cursor is read before the words that it vouches for, which are
   read later. */
static bool
read_header (const struct cab_live_ring *ring, struct cab_ring_header *h)
{
  return pread (ring->fd, h, sizeof *h, ring->file_offset) == sizeof *h;
}

/* Return true if H's consumer has nothing to do.  The header of a CAB ring does not show what the
   ring keeps for its producer to fill up, and of a sampled ring nothing is read here. */
static bool
is_drained (const struct cab_ring_header *h)
{
  return h->type != CAB_RING_CHUNK || h->head == h->tail;
}

static bool
all_drained (const struct cab_live_rings *rings)
{
  for (uint32_t i = 0; i < rings->n; i++)
    if (!is_drained (&rings->rings[i].header))
      return false;
  return true;
}

static void
add (struct cab_live_rings *rings, const struct cab_part *part, const struct cab_extent *e)
{
  struct cab_live_ring one = { .number = e->owner, .fd = part->fd, .file_offset = e->file_offset };
  if (e->bytes < CAB_RING_HEADER_BYTES)
    return;
  rings->rings = XRESIZEVEC (struct cab_live_ring, rings->rings, rings->n + 1);
  rings->rings[rings->n++] = one;
}

struct cab_live_rings *
cab_live_rings_new (const struct cab_part *part)
{
  struct cab_live_rings *rings = XCNEW (struct cab_live_rings);
  const struct timespec wait = { 0, WAIT_NS };
  for (uint32_t i = 0; i < part->header->n_extents; i++)
    if (part->header->extents[i].kind == CAB_EXT_RING && !part->header->extents[i].area_offset)
      add (rings, part, &part->header->extents[i]);
  for (int look = 0; look < LOOKS; look++)
    {
      if (look)
	nanosleep (&wait, NULL);
      for (uint32_t i = 0; i < rings->n; i++)
	if (!read_header (&rings->rings[i], &rings->rings[i].header))
	  memset (&rings->rings[i].header, 0, sizeof rings->rings[i].header);
      if (all_drained (rings))
	break;
    }
  return rings;
}

void
cab_live_rings_free (struct cab_live_rings *rings)
{
  if (rings)
    free (rings->rings);
  free (rings);
}

struct cab_live_ring *
cab_live_ring_of (struct cab_live_rings *rings, uint32_t number)
{
  for (uint32_t i = 0; i < rings->n; i++)
    if (rings->rings[i].number == number)
      return &rings->rings[i];
  return NULL;
}

/* Return true if the consumer of CAB ring H, whose slots are at SLOTS, leaves them to the producer
   for now: it takes a chunk once the second one after it has been begun. */
static bool
is_left (const struct cab_ring_header *h, const uint64_t *slots)
{
  uint64_t n = (uint64_t) h->n_chunks * h->chunk_slots;
  return slots[(h->tail + 2 * (uint64_t) h->chunk_slots) % n] == CAB_EV_CLEAR;
}

bool
cab_live_ring_holds (const struct cab_live_ring *ring, void *copy, uint64_t bytes)
{
  const struct cab_ring_header *before = &ring->header;
  struct cab_ring_header after;
  if (!cab_finish_sound (before, bytes) || !is_drained (before) || !read_header (ring, &after)
      || after.type != before->type || after.tail != before->tail || after.head != before->head
      || after.entered != before->entered || after.n_switches != before->n_switches)
    return false;
  if (before->type == CAB_RING_CAB
      && !is_left (before, (const uint64_t *) ((const char *) copy + CAB_RING_HEADER_BYTES)))
    return false;
  memcpy (copy, before, sizeof *before);
  return true;
}
