/* feed_nest.c - see feed_nest.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/engine/feed/feed_nest.h"

#include "analyses/wire/decode.h"
#include "rt/engine/feed/feed.h"
#include "rt/engine/feed/rounds.h"
#include "rt/engine/feed/sections.h"

/* Return true if the loop that ends at OP is inside the one that ends at OUTER. */
static bool
is_within (const struct cab_expand *e, uint32_t op, uint32_t outer)
{
  return op < outer && op > e->ops[outer].target;
}

/* Begin with a loop that is seen for the first time, after its iteration COUNTER. */
static void
begin (struct cab_feed *feed, const struct cab_expand *e, uint64_t counter)
{
  feed->nest = (struct cab_feed_nest) { .op = e->op,
					.first = counter,
					.last = counter,
					.began = feed->nest.began,
					.accesses = feed->account.tally.accesses };
}

/* Begin with the event's outermost loop, after its first iteration: all that the event has produced
   is that iteration, or little more. */
static void
begin_outermost (struct cab_feed *feed, const struct cab_expand *e)
{
  uint64_t began = feed->nest.began;
  feed->nest = (struct cab_feed_nest) {
    .op = e->op, .first = UINT64_MAX, .last = UINT64_MAX, .began = began, .accesses = began
  };
}

/* Return how many iterations make a round, now that one is over, or 0 if rounds do not pay. */
static uint64_t
each_of (const struct cab_feed *feed, const struct cab_expand *e, unsigned fed)
{
  uint64_t accesses = feed->account.tally.accesses - feed->nest.accesses;
  uint64_t each = accesses ? (CAB_ROUNDS_ACCESSES - 1) / accesses + 1 : 0;
  return fed && cab_expand_left (e) / 2 >= fed * each ? each : 0;
}

/* Leave out as many rounds as there are whole ones left. */
static void
leave_out (struct cab_feed *feed, struct cab_expand *e)
{
  const struct cab_feed_nest *nest = &feed->nest;
  uint64_t n = cab_expand_left (e) / nest->each,
	   accesses = feed->account.tally.accesses - nest->accesses;
  if (!cab_expand_skip (e, n * nest->each, (nest->budget - e->budget) / nest->each))
    return;
  cab_sections_repeat (feed->sections, CAB_ROUND_OF_NEST, n, 0, 0);
  feed->account.tally.accesses += n * accesses;
  feed->account.total[CAB_EV_ACCESS] += n * accesses;
}

/* Begin one more round of the nest. */
static void
begin_round (struct cab_feed *feed, const struct cab_expand *e)
{
  struct cab_feed_nest *nest = &feed->nest;
  nest->is_over = !cab_sections_begin_round (feed->sections, CAB_ROUND_OF_NEST);
  nest->accesses = feed->account.tally.accesses;
  nest->budget = e->budget;
}

/* End a round of the nest. */
static void
end_round (struct cab_feed *feed, struct cab_expand *e)
{
  struct cab_feed_nest *nest = &feed->nest;
  nest->rounds++;
  enum cab_sections_rounds enough = nest->rounds > 1 ? cab_sections_end_round (
				      feed->sections, CAB_ROUND_OF_NEST, nest->rounds)
						     : CAB_ROUNDS_MORE;
  if (enough == CAB_ROUNDS_MORE)
    {
      begin_round (feed, e);
      return;
    }
  nest->is_over = true;
  if (enough == CAB_ROUNDS_ENOUGH)
    leave_out (feed, e);
}

void
cab_feed_nest_pause (struct cab_feed *feed)
{
  struct cab_expand *e = &feed->decode->expand;
  struct cab_feed_nest *nest = &feed->nest;
  uint64_t counter = e->counter[e->ops[e->op].depth];
  unsigned fed = cab_sections_rounds_fed (feed->sections);
  if (nest->op != e->op && !counter && e->ops[e->op].target == 1)
    begin_outermost (feed, e);
  if (nest->op != e->op)
    {
      if (!nest->op || !is_within (e, e->op, nest->op))
	begin (feed, e, counter);
      return;
    }
  if (counter + 1 <= nest->last + 1)
    {
      begin (feed, e, counter);
      return;
    }
  nest->last = counter;
  if (!nest->is_over && !nest->each)
    nest->is_over = !(nest->each = each_of (feed, e, fed));
  if (!nest->is_over && counter - nest->first == (nest->rounds + 1) * nest->each)
    end_round (feed, e);
  nest->last = e->counter[e->ops[e->op].depth];
}
