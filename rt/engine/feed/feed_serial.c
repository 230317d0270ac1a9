/* feed_serial.c - see feed_serial.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/engine/feed/feed_serial.h"

#include "cabprof/control.h"
#include "rt/base/rt.h"
#include "rt/engine/feed/region_sets.h"

static struct cab_feed_state states[CAB_SELECTION_MOST];
static uint32_t n_states, lock;

/* Make S an unopened state. */
static void
begin (struct cab_feed_state *s, const struct cab_analysis *analysis, const char *arguments)
{
  *s = (struct cab_feed_state) { .analysis = analysis,
				 .arguments = arguments,
				 .n_parts = CAB_PART_SERIAL };
}

void
cab_feed_serial_choose (const struct cab_selection *chosen)
{
  n_states = 0;
  for (uint32_t i = 0; i < chosen->n; i++)
    if (chosen->v[i].analysis->shard == CAB_SHARD_SERIAL)
      begin (&states[n_states++], chosen->v[i].analysis, chosen->v[i].arguments);
}

bool
cab_feed_serial_any (void)
{
  return n_states;
}

struct cab_feed_state *
cab_feed_serial_state (const struct cab_analysis *analysis)
{
  for (uint32_t i = 0; i < n_states; i++)
    if (states[i].analysis == analysis)
      return &states[i];
  return NULL;
}

void
cab_feed_serial_lock (void)
{
  if (n_states)
    cab_lock (&lock);
}

void
cab_feed_serial_begin (uint32_t ring, unsigned bank)
{
  cab_feed_serial_lock ();
  cab_feed_serial_note (bank);
  for (uint32_t i = 0; i < n_states; i++)
    {
      states[i].part = ring;
      if (states[i].row)
	__atomic_store_n (&states[i].row->part, ring, __ATOMIC_RELEASE);
    }
}

void
cab_feed_serial_note (unsigned bank)
{
  for (uint32_t i = 0; i < n_states; i++)
    if (states[i].row)
      __atomic_store_n (&states[i].row->fed[bank & 1], states[i].fed, __ATOMIC_RELAXED);
}

void
cab_feed_serial_end (void)
{
  if (n_states)
    cab_unlock (&lock);
}

void
cab_feed_serial_unsplit (struct cab_feed_state *s)
{
  cab_lock (&lock);
  s->set = CAB_SET_ANY;
  if (s->arena.base)
    {
      cab_lock (&cab_rt.lock);
      cab_region_set_of_arena (s->index, CAB_SET_ANY);
      cab_unlock (&cab_rt.lock);
    }
  cab_unlock (&lock);
}

void
cab_feed_serial_spare_addresses (void)
{
  for (uint32_t i = 0; i < n_states; i++)
    if (states[i].area.base)
      cab_area_trim (&states[i].area, 0);
}

void
cab_feed_serial_fork (void)
{
  lock = 0;
  for (uint32_t i = 0; i < n_states; i++)
    {
      if (states[i].area.base)
	cab_area_close (&states[i].area);
      begin (&states[i], states[i].analysis, states[i].arguments);
    }
}
