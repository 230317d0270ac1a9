/* feed_make.c - see feed_make.h and feed.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/engine/feed/feed_make.h"

#include "analyses/live/cache/level_rows.h"
#include "analyses/live/context.h"
#include "analyses/wire/decode.h"
#include "rt/base/rt.h"
#include "rt/workers/place.h"
#include "rt/engine/feed/access.h"
#include "rt/engine/feed/delegates.h"
#include "rt/engine/feed/feed_keyed.h"
#include "rt/engine/feed/feed_serial.h"
#include "rt/engine/feed/sections.h"
#include "rt/workers/helper.h"

/* kinds that are made from ACCESS events */
#define ACCESSES (1u << CAB_EV_ACCESS | 1u << CAB_EV_VALUE)
#define MOST_AT_ONCE (UINT64_C (64) << 20)

void *
cab_feed_memory (size_t bytes)
{
  static unsigned char *next;
  static size_t left, had;
  void *taken = NULL;
  bytes = cab_round_up (bytes, CAB_PAGE_BYTES);
  cab_lock (&cab_rt.lock);
  if (left < bytes)
    {
      size_t wanted = had < MOST_AT_ONCE ? had : MOST_AT_ONCE;
      wanted = wanted > bytes ? wanted : bytes;
      next = cab_sys_map (wanted);
      left = next ? wanted : 0;
      had += left;
    }
  if (left >= bytes)
    {
      taken = next;
      next += bytes;
      left -= bytes;
    }
  cab_unlock (&cab_rt.lock);
  return taken;
}

/* Return true if the states of one of the chosen analyses are fed by parts. */
static bool
any_keyed (void)
{
  const struct cab_selection *chosen = cab_feed_chosen ();
  for (uint32_t i = 0; i < chosen->n; i++)
    if (cab_feed_is_keyed (chosen->v[i].analysis))
      return true;
  return false;
}

/* Let the parts of S have their events by FEED's queues.  Return false if there is no memory. */
static bool
begin_keyed (struct cab_feed *feed, struct cab_feed_state *s)
{
  s->keyed = feed->delegates ? cab_feed_memory (cab_feed_keyed_bytes ()) : NULL;
  if (s->keyed)
    cab_feed_keyed_begin (s->keyed, s, feed->delegates);
  return s->keyed;
}

/* Return the flag that records that some analysis takes accesses as A does. */
static bool *
way_of (struct cab_feed *feed, const struct cab_analysis *a)
{
  return a->wants & CAB_WANTS_SHAPES ? &feed->shapes
       : a->wants & CAB_WANTS_REGIONS ? &feed->regions
       : &feed->rows;
}

bool
cab_feed_is_helped (void)
{
  const struct cab_rt_options *o = &cab_rt.options;
  return cab_place_has_thread ()
      && (o->threads_given ? o->n_threads > 1 : cab_sys_processors () > 1);
}

void
cab_feed_ensure (void)
{
  const struct cab_selection *chosen = cab_feed_chosen ();
  for (uint32_t i = 0; i < chosen->n; i++)
    if (chosen->v[i].analysis->sectioned && cab_feed_is_helped ())
      cab_helper_ensure ();
  if (any_keyed ())
    cab_delegates_ensure ();
}

/* Begin state S of FEED, of ANALYSIS with ARGUMENTS.  CUTS: accesses may be cut into sections. */
static void
begin_state (struct cab_feed *feed, struct cab_feed_state *s, const struct cab_analysis *analysis,
	     const char *arguments, bool cuts)
{
  s->analysis = analysis;
  s->arguments = arguments;
  s->serial = cab_feed_serial_state (analysis);
  feed->kinds |= analysis->kinds;
  if (cab_feed_is_keyed (analysis))
    s->failed = !begin_keyed (feed, s);
  if (!s->serial && !cab_feed_takes_runs (analysis) && analysis->kinds & ACCESSES
      && !cab_context_wanted (analysis) && s != feed->levels)
    *way_of (feed, analysis) = true;
  if (cuts && analysis->sectioned && !feed->cut
      && (feed->sections = cab_sections_make (analysis->sectioned)))
    feed->cut = s;
  feed->tree = analysis->wants & CAB_GIVES_NODE ? s : feed->tree;
}

/* Find the state that gives levels, if one of the chosen analyses wants them.  Return false if
   there is no memory. */
static bool
begin_levels (struct cab_feed *feed, const struct cab_selection *chosen)
{
  bool wanted = false;
  for (uint32_t i = 0; i < chosen->n; i++)
    wanted |= cab_context_level_wanted (chosen->v[i].analysis) != 0;
  for (uint32_t i = 0; i < chosen->n && wanted; i++)
    if (chosen->v[i].analysis->wants & CAB_GIVES_LEVEL)
      feed->levels = &feed->states[i];
  feed->level_rows = wanted ? cab_feed_memory (sizeof *feed->level_rows) : NULL;
  return !wanted || feed->level_rows;
}

bool
cab_feed_make (struct cab_feed *feed, const struct cab_functions *functions, uint32_t *wanted)
{
  const struct cab_selection *chosen = cab_feed_chosen ();
  *wanted = 0;
  feed->decode = cab_feed_memory (sizeof *feed->decode);
  if (!feed->decode)
    return false;
  feed->n = chosen->n;
  bool keyed = any_keyed (), cuts = !keyed && !cab_feed_serial_any ()
			      && cab_rt.options.placement != CAB_PLACE_DIRECT;
  feed->delegates = keyed ? cab_feed_memory (cab_delegates_bytes ()) : NULL;
  if (feed->delegates)
    cab_delegates_begin (feed->delegates, functions);
  if (!begin_levels (feed, chosen))
    return false;
  for (uint32_t i = 0; i < chosen->n; i++)
    {
      const struct cab_analysis *analysis = chosen->v[i].analysis;
      begin_state (feed, &feed->states[i], analysis, chosen->v[i].arguments, cuts);
      *wanted |= cab_context_wanted (analysis) ? analysis->kinds : 0;
    }
  if (feed->kinds & ACCESSES)
    feed->decode->records = &cab_access_records;
  return true;
}
