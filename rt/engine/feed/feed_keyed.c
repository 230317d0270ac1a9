/* feed_keyed.c - see feed_keyed.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/engine/feed/feed_keyed.h"

#include <string.h>

#include "analyses/wire/keyed.h"
#include "rt/base/rt.h"
#include "rt/engine/feed/delegates.h"
#include "rt/engine/feed/feed_arenas.h"

static struct cab_area table;   /* struct cab_part_arena_part[] */

bool
cab_feed_is_keyed (const struct cab_analysis *analysis)
{
  return analysis->shard == CAB_SHARD_KEY
      && (cab_rt.options.n_delegates > 1 || cab_keyed_cuts (analysis));
}

static uint32_t
n_states (void)
{
  return cab_rt.options.n_delegates + !!cab_rt.options.check_serializer;
}

size_t
cab_feed_keyed_bytes (void)
{
  return sizeof (struct cab_feed_keyed) + n_states () * sizeof (struct cab_feed_state);
}

void
cab_feed_keyed_begin (struct cab_feed_keyed *keyed, const struct cab_feed_state *s,
		      struct cab_delegates *delegates)
{
  keyed->delegates = delegates;
  keyed->n = n_states ();
  for (uint32_t k = 0; k < keyed->n; k++)
    keyed->part[k] = (struct cab_feed_state) { .analysis = s->analysis,
					       .arguments = s->arguments,
					       .part = k,
					       .n_parts = cab_rt.options.n_delegates };
}

int
cab_feed_keyed_ready (struct cab_feed_state *s, uint32_t k, uint32_t ring, uint32_t thread)
{
  struct cab_feed_state *part = &s->keyed->part[k];
  if (part->ready == thread + 1)
    return 1;
  if (!part->arena.base)
    part->set = s->set;
  if (!cab_feed_ready (part, ring, thread))
    return 0;
  part->ready = thread + 1;
  return 1;
}

/* A batch that is being split. */
struct splitting
{
  struct cab_feed_state *s;
  uint32_t ring;
  bool failed;
};

static struct cab_keyed_rows *
room (void *host, uint32_t k, const struct cab_batch *batch, uint32_t n)
{
  struct splitting *p = host;
  struct cab_feed_keyed *keyed = p->s->keyed;
  if (cab_feed_keyed_ready (p->s, k, p->ring, batch->thread))
    return cab_delegates_room (keyed->delegates, k, &keyed->part[k], batch, n);
  p->failed = true;
  return NULL;
}

/* Return room in the state for all keys, which the first delegate feeds. */
static struct cab_keyed_rows *
room_for_all (void *host, uint32_t k, const struct cab_batch *batch, uint32_t n)
{
  struct splitting *p = host;
  struct cab_feed_keyed *keyed = p->s->keyed;
  uint32_t all = cab_rt.options.n_delegates;
  if (cab_feed_keyed_ready (p->s, all, p->ring, batch->thread))
    return cab_delegates_room (keyed->delegates, k, &keyed->part[all], batch, n);
  p->failed = true;
  return NULL;
}

int
cab_feed_keyed_rows (struct cab_feed_state *s, uint32_t ring, const struct cab_batch *batch)
{
  struct splitting p = { s, ring, false };
  const struct cab_keyed_host host = { &p, room }, for_all = { &p, room_for_all };
  struct cab_keyed_split *split = cab_delegates_split (s->keyed->delegates);
  cab_keyed_rows (split, s->analysis, batch, cab_rt.options.n_delegates, &host);
  if (cab_rt.options.check_serializer)
    cab_keyed_rows (split, s->analysis, batch, 1, &for_all);
  return p.failed ? -1 : 1;
}

void
cab_feed_keyed_note (const struct cab_feed_state *s, unsigned bank)
{
  for (uint32_t k = 0; k < s->keyed->n; k++)
    if (s->keyed->part[k].row)
      s->keyed->part[k].row->fed[bank & 1] = s->keyed->part[k].fed;
}

void
cab_feed_keyed_carry (struct cab_feed_state *to, struct cab_feed_state *from, uint32_t ring,
		      uint32_t thread)
{
  for (uint32_t k = 0; k < from->keyed->n; k++)
    {
      struct cab_feed_state *old = &from->keyed->part[k], *new = &to->keyed->part[k];
      bool is_open = old->arena.base && cab_feed_keyed_ready (from, k, ring, thread);
      if (!(is_open || new->arena.base) || !cab_feed_keyed_ready (to, k, ring, thread))
	continue;
      if (is_open)
	new->analysis->carry (&new->arena, &old->arena, thread);
      cab_feed_publish (new);
      new->row->fed[0] = new->row->fed[1] = new->fed;
    }
}

int
cab_feed_keyed_record (struct cab_feed_state *s)
{
  size_t each = sizeof *s->row;
  int error = cab_area_reach (&table, &cab_rt.part, CAB_EXT_ARENA_PARTS, CAB_PART_ARENAS * each,
			      (s->index + UINT64_C (1)) * each);
  if (error < 0)
    return error;
  s->row = (struct cab_part_arena_part *) table.base + s->index;
  *s->row = (struct cab_part_arena_part) { .part = s->part, .n_parts = s->n_parts };
  return 0;
}

void
cab_feed_keyed_spare_addresses (void)
{
  if (table.base)
    cab_area_trim (&table, 0);
}

void
cab_feed_keyed_fork (void)
{
  if (table.base)
    cab_area_close (&table);
  memset (&table, 0, sizeof table);
}
