/* feed_sets.c - see feed_sets.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/engine/feed/feed_sets.h"
#include "rt/base/hide.h"
#include "rt/engine/feed/feed_arenas.h"
#include "rt/engine/feed/feed_keyed.h"
#include "rt/engine/feed/feed_serial.h"

#include <errno.h>
#include <string.h>

#include "analyses/live/user_analysis.h"
#include "cabprof/control.h"
#include "analyses/live/context.h"
#include "rt/engine/feed/region_sets.h"
#include "rt/base/rt.h"

struct cab_feed_set
{
  struct cab_feed_set *next;
  uint32_t set;
  /* States that are laid aside; their arenas' host is the feed's state. */
  struct cab_feed_state states[CAB_SELECTION_MOST];
};

/* Add one set, empty.  Return null if there is no memory. */
static struct cab_feed_set *
add (struct cab_feed *feed, uint32_t set)
{
  struct cab_feed_set *s = cab_sys_map (sizeof *s);
  if (!s)
    return NULL;
  s->set = set;
  s->next = feed->sets;
  return feed->sets = s;
}

static struct cab_feed_set *
find (const struct cab_feed *feed, uint32_t set)
{
  struct cab_feed_set *s = feed->sets;
  while (s && s->set != set)
    s = s->next;
  return s;
}

/* Make sure that TO, the states of another set, has parts where FEED's states have them.  Return
   false if there is no memory. */
static bool
have_parts (const struct cab_feed *feed, struct cab_feed_set *to)
{
  for (uint32_t i = 0; i < feed->n; i++)
    {
      const struct cab_feed_state *s = &feed->states[i];
      if (!s->keyed || to->states[i].keyed)
	continue;
      struct cab_feed_keyed *keyed = cab_sys_map (cab_feed_keyed_bytes ());
      if (!keyed)
	return false;
      cab_feed_keyed_begin (keyed, s, s->keyed->delegates);
      to->states[i].keyed = keyed;
    }
  return true;
}

/* The same for all sets but FEED's own. */
static bool
all_have_parts (const struct cab_feed *feed)
{
  bool have = true;
  for (struct cab_feed_set *s = feed->sets; s; s = s->next)
    have &= s->set == feed->set || have_parts (feed, s);
  return have;
}

int
cab_feed_sets_prepare (struct cab_feed *feed)
{
  bool has_own = find (feed, feed->set) || add (feed, feed->set);
  bool has_spare = find (feed, CAB_SET_ANY) || add (feed, CAB_SET_ANY);
  return has_own && has_spare && all_have_parts (feed) ? 0 : -ENOMEM;
}

/* Return true if ANALYSIS, one of those that FEED has begun with, has a state for each set. */
static bool
is_split (const struct cab_feed *feed, const struct cab_analysis *analysis)
{
  bool by_nodes = analysis->wants & (CAB_WANTS_NODE | CAB_GIVES_NODE)
	       || (feed->levels && analysis->wants & CAB_GIVES_LEVEL);
  for (uint32_t i = 0; by_nodes && i < feed->n; i++)
    if (cab_context_wanted (feed->states[i].analysis) && !feed->states[i].analysis->carry)
      return false;
  return analysis->carry;
}

/* Return true if an analysis of FEED keeps nodes of the tree from one set to the next. */
static bool
keeps_nodes (const struct cab_feed *feed)
{
  for (uint32_t i = 0; i < feed->n; i++)
    if (feed->states[i].analysis->wants & CAB_KEEPS_NODES)
      return true;
  return false;
}

/* Return the set whose events a state of ANALYSIS has while FEED takes those of its own set. */
static uint32_t
set_for (const struct cab_feed *feed, const struct cab_analysis *analysis)
{
  return !feed->set || is_split (feed, analysis) ? feed->set : CAB_SET_ANY;
}

void
cab_feed_sets_begin (struct cab_feed *feed)
{
  for (uint32_t i = 0; i < feed->n; i++)
    feed->states[i].set = set_for (feed, feed->states[i].analysis);
  /* A set that was prepared before.  A state without parts fails when it is taken up. */
  (void) all_have_parts (feed);
}

/* Record that S has events of more than one set. */
static void
note_unsplit (struct cab_feed_state *s)
{
  if (s->serial)
    cab_feed_serial_unsplit (s->serial);
  for (uint32_t k = 0; s->keyed && k < s->keyed->n; k++)
    note_unsplit (&s->keyed->part[k]);
  if (!s->arena.base)
    return;
  cab_lock (&cab_rt.lock);
  cab_region_set_of_arena (s->index, CAB_SET_ANY);
  cab_unlock (&cab_rt.lock);
}

/* Make S the state of SET, which is LAID aside if there is one. */
static void
take_up (struct cab_feed_state *s, const struct cab_feed_state *laid, uint32_t set)
{
  s->arena = laid->arena;
  s->area = laid->area;
  s->index = laid->index;
  s->failed = laid->failed || (s->keyed && !laid->keyed);
  s->keyed = laid->keyed;
  s->set = set;
}

/* Make S equal to the state ASIDE in all that belongs to THREAD.  If NUMBERED, they are trees whose
   nodes have common numbers. */
static void
carry (struct cab_feed_state *s, const struct cab_feed_state *aside, uint32_t thread, bool numbered)
{
  if (numbered)
    cab_context_number_as (&s->arena, &aside->arena);
  s->analysis->carry (&s->arena, &aside->arena, thread);
}

/* Let S take the events of SET from now on: its state goes ASIDE, and the one that was LAID aside
   replaces it, or a new one does.  If NUMBERED, it is a tree whose nodes have common numbers: where
   one has failed, those of the next ones are not known. */
static void
change (struct cab_feed_state *s, struct cab_feed_state *aside, const struct cab_feed_state *laid,
	uint32_t set, uint32_t ring, uint32_t thread, bool numbered)
{
  struct cab_hidden hidden;
  bool is_own = cab_user_is (s->analysis);
  if (is_own)
    cab_hide (&hidden);
  bool is_open = s->arena.base && cab_feed_ready (s, ring, thread);
  *aside = *s;
  take_up (s, laid, set);
  s->failed |= numbered && aside->failed;
  if (s->keyed && aside->keyed)
    cab_feed_keyed_carry (s, aside, ring, thread);
  if ((is_open || s->arena.base) && cab_feed_ready (s, ring, thread) && is_open)
    carry (s, aside, thread, numbered);
  if (s->arena.base)
    cab_feed_publish (s);
  if (is_own)
    cab_hide_end (&hidden);
}

void
cab_feed_switch (struct cab_feed *feed, uint32_t ring, uint32_t thread, uint32_t set)
{
  struct cab_feed_set *from = find (feed, feed->set), *to = find (feed, set);
  to = to ? to : find (feed, CAB_SET_ANY);
  to->set = feed->set = set;
  bool numbered = keeps_nodes (feed);
  for (uint32_t i = 0; i < feed->n; i++)
    if (is_split (feed, feed->states[i].analysis))
      change (&feed->states[i], &from->states[i], &to->states[i], set, ring, thread,
	      numbered && &feed->states[i] == feed->tree);
    else
      {
	feed->states[i].set = set_for (feed, feed->states[i].analysis);
	note_unsplit (&feed->states[i]);
      }
}

uint64_t
cab_feed_sets_had (const struct cab_feed *feed, uint32_t i)
{
  const struct cab_analysis *a = feed->states[i].analysis;
  uint64_t sum = 0;
  for (const struct cab_feed_set *s = feed->sets; s; s = s->next)
    if (s->set != feed->set && s->states[i].arena.base)
      sum += a->applied (&s->states[i].arena) + a->lost (&s->states[i].arena);
  return sum;
}

/* Call ACT for the areas of S and its parts. */
static void
for_areas_of (struct cab_feed_state *s, void (*act) (struct cab_area *area))
{
  if (s->area.base)
    act (&s->area);
  for (uint32_t k = 0; s->keyed && k < s->keyed->n; k++)
    if (s->keyed->part[k].area.base)
      act (&s->keyed->part[k].area);
}

/* Call ACT for the area of each state of FEED that has one. */
static void
for_each_area (struct cab_feed *feed, void (*act) (struct cab_area *area))
{
  for (uint32_t i = 0; i < feed->n; i++)
    for_areas_of (&feed->states[i], act);
  for (struct cab_feed_set *s = feed->sets; s; s = s->next)
    for (uint32_t i = 0; s->set != feed->set && i < feed->n; i++)
      for_areas_of (&s->states[i], act);
}

void
cab_feed_sets_close (struct cab_feed *feed)
{
  for_each_area (feed, cab_area_close);
}

static void
trim (struct cab_area *area)
{
  cab_area_trim (area, 0);
}

void
cab_feed_sets_spare_addresses (struct cab_feed *feed)
{
  for_each_area (feed, trim);
}
