/* heap_blocks.c - see heap_blocks.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "loopfb/sample/heap_blocks.h"
#include <stdlib.h>
#include <libiberty/libiberty.h>

/* An address that is asked for. */
struct place
{
  uint64_t address;
  const struct cab_block_event *block;   /* that holds it now, or null */
};

struct places
{
  size_t n;
  struct place *place;                   /* ascending, each address once */
};

static int
by_time (const void *a, const void *b)
{
  const struct cab_block_event *x = a, *y = b;
  if (x->time != y->time)
    return x->time < y->time ? -1 : 1;
  return (x->order > y->order) - (x->order < y->order);
}

static int
by_address (const void *a, const void *b)
{
  const struct place *x = a, *y = b;
  return (x->address > y->address) - (x->address < y->address);
}

static struct places
places_of (const struct cab_block_question *asked, size_t n)
{
  struct places places = { .place = XCNEWVEC (struct place, n + 1) };
  for (size_t i = 0; i < n; i++)
    places.place[i].address = asked[i].address;
  if (n)
    qsort (places.place, n, sizeof *places.place, by_address);
  for (size_t i = 0; i < n; i++)
    if (!places.n || places.place[places.n - 1].address != places.place[i].address)
      places.place[places.n++] = places.place[i];
  return places;
}

/* Return the index of the first of PLACES that is not below ADDRESS. */
static size_t
first_from (const struct places *places, uint64_t address)
{
  size_t low = 0, high = places->n;
  while (low < high)
    {
      size_t middle = low + (high - low) / 2;
      if (places->place[middle].address < address)
	low = middle + 1;
      else
	high = middle;
    }
  return low;
}

static bool
holds (const struct cab_block_event *block, uint64_t address)
{
  return address >= block->address && address - block->address < block->bytes;
}

static void
apply (struct places *places, const struct cab_block_event *event)
{
  for (size_t i = first_from (places, event->address); i < places->n; i++)
    {
      struct place *p = &places->place[i];
      if (!event->released && holds (event, p->address))
	p->block = event;
      /* Between the beginning and the end of a move another thread may have got the old bytes. */
      else if (event->released && p->block && p->block->address == event->address)
	p->block = p->block->time <= event->began ? NULL : p->block;
      else
	break;
    }
}

static void
answer (struct cab_block_question *asked, const struct cab_block_event *block)
{
  asked->site = block->site;
  asked->bytes = block->bytes;
  asked->offset = asked->address - block->address;
  asked->age = asked->time > block->time ? asked->time - block->time : 0;
}

/* Answer those of the N questions before ASKED whose time is within the call that made BLOCK. */
static void
answer_during (struct cab_block_question *asked, size_t n, const struct cab_block_event *block)
{
  while (n-- && (--asked)->time >= block->began)
    if (!asked->bytes && holds (block, asked->address))
      answer (asked, block);
}

void
cab_blocks_answer (struct cab_block_event *events, size_t n, struct cab_block_question *asked,
		   size_t n_asked)
{
  struct places places = places_of (asked, n_asked);
  size_t at = 0;
  if (n)
    qsort (events, n, sizeof *events, by_time);
  for (size_t i = 0; i <= n_asked; i++)
    {
      for (; at < n && (i == n_asked || events[at].time <= asked[i].time); at++)
	{
	  apply (&places, &events[at]);
	  if (!events[at].released)
	    answer_during (asked + i, i, &events[at]);
	}
      if (i == n_asked)
	break;
      asked[i].bytes = asked[i].site = asked[i].offset = asked[i].age = 0;
      const struct place *p = &places.place[first_from (&places, asked[i].address)];
      if (p->block)
	answer (&asked[i], p->block);
    }
  free (places.place);
}
