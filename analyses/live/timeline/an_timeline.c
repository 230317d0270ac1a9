/* an_timeline.c - keep when activations of functions began and ended, from events with times.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * State:      a head, then n_blocks blocks (an_timeline.h).  A batch's events become part of a
 *             block by one store, of `filled'; a block becomes the one that is written by one
 *             store, of `current'.  So at every instruction the state has whole events, and the
 *             block that is written says how many it has had: those before the block, and those in
 *             it.
 */
#include "analyses/live/timeline/timeline_pack.h"
#include "analyses/live/timeline/timeline_watch.h"
#include "analyses/live/choice.h"
#include "analyses/live/space.h"

#define NAME "timeline"
#define MAGIC 0x74696d66u
#define HEAD_BYTES 1024u
#define BLOCKS_LEAST 4u
#define KEEP_LEAST (BLOCKS_LEAST * CAB_TIMELINE_BLOCK)

struct state
{
  uint32_t magic, reserved;
  uint64_t lost;
  uint64_t most_blocks;   /* 0: no limit */
  uint64_t n_blocks;
  uint64_t current;       /* 1 + index of the block that is written; 0: none yet */
  uint64_t n_kept;        /* blocks that are not used again */
  uint64_t unkept;        /* slow calls that there was no room for */
  struct cab_timeline_watch watch;
};

_Static_assert (sizeof (struct state) <= HEAD_BYTES, "the blocks follow the head");
_Static_assert (sizeof (struct cab_timeline_block) == CAB_TIMELINE_BLOCK, "no gap between blocks");

static struct state *
state_of (const struct cab_arena *arena)
{
  return cab_state_is (arena, HEAD_BYTES, MAGIC) ? (struct state *) arena->base : NULL;
}

static struct cab_timeline_block *
block_at (const struct cab_arena *arena, uint64_t i)
{
  return (struct cab_timeline_block *) (arena->base + HEAD_BYTES + i * CAB_TIMELINE_BLOCK);
}

/* Return the block that is written, or null if there is none yet. */
static struct cab_timeline_block *
current_of (const struct cab_arena *arena)
{
  const struct state *state = state_of (arena);
  return state && state->current ? block_at (arena, state->current - 1) : NULL;
}

/* Store the bytes that KEEP, as "64M", stands for to *BYTES.  Return false if it is none. */
static bool
read_bytes (const char *keep, size_t n, uint64_t *bytes)
{
  static const char units[] = "KMG";
  uint64_t number = 0;
  size_t i = 0;
  for (; i < n && keep[i] >= '0' && keep[i] <= '9' && number < UINT64_C (1) << 32; i++)
    number = number * 10 + keep[i] - '0';
  const char *unit = i && i + 1 == n ? strchr (units, keep[i]) : NULL;
  *bytes = number << (unit ? 10 * (unit - units + 1) : 0);
  return i && (i == n || unit) && *bytes >= KEEP_LEAST && *bytes <= UINT64_C (1) << 40;
}

static int
timeline_open (struct cab_arena *arena, const char *arguments, struct cab_diag *diag)
{
  size_t n;
  uint64_t bytes = 0;
  struct cab_timeline_watch watch;
  const char *keep = arguments ? cab_choice_value (arguments, "keep", &n) : NULL;
  if (keep && !read_bytes (keep, n, &bytes))
    return cab_state_refuse (diag, NAME, "keep= takes a number of bytes, 64K or more, such as 64M");
  if (cab_timeline_watch_open (&watch, arguments, diag) < 0
      || cab_state_open (arena, HEAD_BYTES, MAGIC, NAME, "", diag) < 0)
    return -1;
  state_of (arena)->watch = watch;
  state_of (arena)->most_blocks = bytes / CAB_TIMELINE_BLOCK;
  return 0;
}

/* Make room for END bytes, and for no more than the limit of the state.  Return false if there is
   none. */
static bool
reserve (struct cab_arena *arena, size_t end)
{
  size_t most = HEAD_BYTES + state_of (arena)->most_blocks * CAB_TIMELINE_BLOCK;
  bool near_limit = end > arena->cap && arena->cap * 2 > most && most >= end;
  return (near_limit && arena->grow && arena->grow (arena, most) == 0)
	 || cab_space_reserve (arena, end) == 0;
}

/* Make the state one block longer.  Return false if there is no room. */
static bool
lengthen (struct cab_arena *arena)
{
  size_t end = HEAD_BYTES + (state_of (arena)->n_blocks + 1) * CAB_TIMELINE_BLOCK;
  if (!reserve (arena, end))
    return false;
  arena->used = end;
  if (arena->publish)
    arena->publish (arena);
  cab_space_order ();
  state_of (arena)->n_blocks++;
  return true;
}

/* Return the block to use again, behind the one that is written: the next that is not kept. */
static uint64_t
next_to_reuse (const struct cab_arena *arena)
{
  const struct state *state = state_of (arena);
  uint64_t index = state->current % state->n_blocks;
  for (uint64_t i = 0; i < state->n_blocks && block_at (arena, index)->kept; i++)
    index = (index + 1) % state->n_blocks;
  return index;
}

/* Begin another block for the events of THREAD of PROCESS from CLOCK on.  BOUND: the state's limit
   holds.  Return it, or null if there is no room. */
static struct cab_timeline_block *
begin_block (struct cab_arena *arena, bool bound, uint32_t process, uint32_t thread,
	     uint64_t clock)
{
  const struct state *state = state_of (arena);
  uint64_t index = state->n_blocks, most = bound ? state->most_blocks : 0;
  if ((most && index >= most) || !lengthen (arena))
    {
      /* Where there is no room for as many as there may be, a few are used again, too. */
      if (!most || index < BLOCKS_LEAST)
	return NULL;
      index = next_to_reuse (arena);
    }
  const struct cab_timeline_block *last = current_of (arena);
  struct cab_timeline_block *block = block_at (arena, index);
  uint64_t sequence = last ? last->sequence + 1 : 1;
  uint64_t before = last ? last->before + cab_timeline_block_events (last) : 0;
  __atomic_store_n (&block->sequence, 0, __ATOMIC_RELEASE);
  cab_space_order ();
  block->before = before;
  block->filled = 0;
  block->kept = block->gap = 0;
  block->process = process;
  block->thread = thread;
  block->begin = block->end[0] = (struct cab_timeline_at) { .clock = clock };
  cab_space_order ();
  __atomic_store_n (&block->sequence, sequence, __ATOMIC_RELEASE);
  cab_space_order ();
  state_of (arena)->current = index + 1;
  cab_space_order ();
  return block;
}

/* What has been packed after the end of the current block, and is not yet part of it. */
struct packed
{
  struct cab_timeline_block *block;
  unsigned char *to;
  uint64_t n;
  struct cab_timeline_at at;
  bool gap;   /* events before the next one are missing */
};

static void
begin_packing (struct packed *p, struct cab_timeline_block *block)
{
  *p = (struct packed) { .block = block };
  if (!block)
    return;
  p->to = block->bytes + cab_timeline_block_bytes (block);
  p->at = block->end[block->filled & 1];
}

/* Make what was packed part of the block. */
static void
commit (struct packed *p)
{
  struct cab_timeline_block *block = p->block;
  if (!block || !p->n)
    return;
  uint64_t which = ~block->filled & 1, events = cab_timeline_block_events (block) + p->n;
  block->end[which] = p->at;
  cab_space_order ();
  __atomic_store_n (&block->filled,
		    events << 33 | (uint64_t) (p->to - block->bytes) << 1 | which,
		    __ATOMIC_RELEASE);
  cab_space_order ();
  p->n = 0;
}

/* Pack EVENT of THREAD of PROCESS.  Return false if there is no room.  Within a block time does not
   step back, as it would between parts that were merged before. */
static bool
append (struct cab_arena *arena, struct packed *p, bool bound, uint32_t process, uint32_t thread,
	struct cab_timeline_event event)
{
  const struct cab_timeline_block *block = p->block;
  if (!block || block->thread != thread || block->process != process || event.clock < p->at.clock
      || block->bytes + sizeof block->bytes - p->to < (ptrdiff_t) CAB_TIMELINE_EVENT_MOST)
    {
      bool gap = p->gap;
      commit (p);
      begin_packing (p, begin_block (arena, bound, process, thread, event.clock));
      if (!p->block)
	return false;
      p->block->gap = gap;
    }
  p->to = cab_timeline_pack (p->to, &p->at, event);
  p->n++;
  return true;
}

/* Keep the blocks from number FIRST on, in which a slow call was, unless that would leave too few
   others. */
static void
keep_slow (struct cab_arena *arena, uint64_t first)
{
  struct state *state = state_of (arena);
  uint64_t n = 0;
  for (uint64_t i = 0; i < state->n_blocks; i++)
    n += block_at (arena, i)->sequence >= first && !block_at (arena, i)->kept;
  if (state->n_kept + n > state->most_blocks / 4 * 3)
    {
      state->unkept++;
      return;
    }
  for (uint64_t i = 0; i < state->n_blocks; i++)
    if (block_at (arena, i)->sequence >= first)
      block_at (arena, i)->kept = 1;
  state->n_kept += n;
}

/* Take the events of BATCH from number I on.  Return where there is no room, or how many it has. */
static uint32_t
take (struct cab_arena *arena, struct packed *p, const struct cab_batch *batch,
      const struct cab_functions *functions)
{
  struct cab_timeline_watch *watch = &state_of (arena)->watch;
  for (uint32_t i = 0; i < batch->n; i++)
    {
      struct cab_timeline_event event = { batch->count[i], batch->events[i] };
      if (!append (arena, p, true, 0, batch->thread, event))
	return i;
      watch = &state_of (arena)->watch;   /* a state that grows may move */
      uint64_t slow = watch->limit
		      ? cab_timeline_watch (watch, event, p->block->sequence, functions)
		      : 0;
      if (slow)
	keep_slow (arena, slow);
    }
  return batch->n;
}

static void
timeline_feed (struct cab_arena *arena, const struct cab_batch *batch,
	       const struct cab_functions *functions)
{
  struct packed p;
  if (batch->kind != CAB_EV_TIMED || (!state_of (arena) && timeline_open (arena, "", NULL) < 0))
    return;
  begin_packing (&p, current_of (arena));
  uint32_t i = take (arena, &p, batch, functions);
  commit (&p);
  if (i < batch->n)
    cab_space_add (&state_of (arena)->lost, batch->n - i);
}

static uint64_t
timeline_applied (const struct cab_arena *arena)
{
  const struct cab_timeline_block *block = current_of (arena);
  return block ? block->before + cab_timeline_block_events (block) : 0;
}

static uint64_t
timeline_lost (const struct cab_arena *arena)
{
  return state_of (arena) ? state_of (arena)->lost : 0;
}

static int
timeline_check (const struct cab_arena *arena, struct cab_diag *diag)
{
  const struct state *state = state_of (arena);
  if (!state)
    return cab_state_is (arena, HEAD_BYTES, 0)
	   ? 0
	   : cab_state_refuse (diag, NAME, "the state has a foreign mark");
  if (state->n_blocks > (arena->used - HEAD_BYTES) / CAB_TIMELINE_BLOCK)
    return cab_state_refuse (diag, NAME, "the blocks leave the arena");
  if (state->current > state->n_blocks)
    return cab_state_refuse (diag, NAME, "the block that is written is none of the state's");
  for (uint64_t i = 0; i < state->n_blocks; i++)
    if (cab_timeline_block_bytes (block_at (arena, i)) > sizeof block_at (arena, i)->bytes)
      return cab_state_refuse (diag, NAME, "a block has more bytes than there is room for");
  return 0;
}

/* Return EVENT with the numbers of MAP; without a function if that has no number there. */
static uint64_t
mapped (uint64_t event, const struct cab_idmap *map)
{
  if (!map)
    return event;
  return cab_ev_call (cab_ev_kind (event), cab_ev_depth (event),
		      cab_space_mapped (map->fn, map->n_fn, cab_ev_callee (event)),
		      cab_space_mapped (map->site, map->n_site, cab_ev_site (event)));
}

/* Append BLOCK, in the numbers of MAP, to INTO. */
static void
merge_block (struct cab_arena *into, struct packed *p, const struct cab_timeline_block *block,
	     const struct cab_idmap *map)
{
  struct cab_timeline_cursor cursor;
  struct cab_timeline_event event;
  uint32_t process = map ? map->process : block->process;
  uint64_t n = 0;
  cab_timeline_begin (&cursor, block);
  for (; cab_timeline_next (&cursor, &event); n++)
    {
      uint32_t fn = cab_ev_callee (event.word);
      event.word = mapped (event.word, map);
      if ((fn && !cab_ev_callee (event.word))
	  || !append (into, p, false, process, block->thread, event))
	state_of (into)->lost++;
    }
  state_of (into)->lost += cab_timeline_block_events (block) - n;
}

/* Return the block of ARENA that follows block *K, of number *LAST, and move both on; null after
   the last one.  Numbers go up, but for those of blocks that were kept, which may be anywhere. */
static const struct cab_timeline_block *
next_in_order (const struct cab_arena *arena, uint64_t *k, uint64_t *last)
{
  const struct state *state = state_of (arena);
  uint64_t n = state->n_blocks, next = n, least = UINT64_MAX;
  for (uint64_t i = 1; i <= n; i++)
    {
      uint64_t j = (*k + i) % n, sequence = block_at (arena, j)->sequence;
      if (sequence > *last && sequence < least)
	{
	  least = sequence;
	  next = j;
	}
      if (sequence == *last + 1)
	break;
    }
  if (next == n)
    return NULL;
  *k = next;
  *last = least;
  return block_at (arena, next);
}

static int
timeline_merge (struct cab_arena *into, const struct cab_arena *from, const struct cab_idmap *map,
		struct cab_diag *diag)
{
  struct packed p;
  const struct state *state = state_of (from);
  if (!state_of (into) && timeline_open (into, "", diag) < 0)
    return -1;
  if (!state)
    return 0;
  begin_packing (&p, NULL);   /* what follows begins blocks of its own */
  uint64_t k = state->n_blocks - 1, last = 0, before = 0;
  const struct cab_timeline_block *block;
  for (; state->n_blocks && (block = next_in_order (from, &k, &last)); before = last)
    {
      bool gap = block->gap || (before && last != before + 1);
      if (gap)
	{
	  commit (&p);
	  begin_packing (&p, NULL);
	}
      p.gap = gap;
      if (cab_timeline_block_events (block))
	merge_block (into, &p, block, map);
    }
  commit (&p);
  state_of (into)->lost += state->lost;
  state_of (into)->unkept += state->unkept;
  return 0;
}

uint64_t
cab_timeline_unkept (const struct cab_arena *arena)
{
  return state_of (arena) ? state_of (arena)->unkept : 0;
}

uint64_t
cab_timeline_n_blocks (const struct cab_arena *arena)
{
  return state_of (arena) ? state_of (arena)->n_blocks : 0;
}

const struct cab_timeline_block *
cab_timeline_block (const struct cab_arena *arena, uint64_t i)
{
  const struct cab_timeline_block *block = block_at (arena, i);
  return block->sequence && cab_timeline_block_events (block) ? block : NULL;
}

void
cab_timeline_begin (struct cab_timeline_cursor *cursor, const struct cab_timeline_block *block)
{
  cursor->next = block->bytes;
  cursor->end = block->bytes + cab_timeline_block_bytes (block);
  cursor->at = block->begin;
}

bool
cab_timeline_next (struct cab_timeline_cursor *cursor, struct cab_timeline_event *event)
{
  return cab_timeline_unpack (&cursor->next, cursor->end, &cursor->at, event);
}

static const struct cab_option options[] = {
  { "keep", "BYTES", "of each thread only the last events, in this much room (default: all)" },
  { "slower", "NAME/TIME", "with keep: keep calls of this function that take longer, too" },
  { NULL, NULL, NULL }
};

const struct cab_analysis cab_timeline = {
  .abi = CAB_ANALYSIS_ABI,
  .name = NAME,
  .summary = "when activations of functions began and ended",
  .kinds = 1u << CAB_EV_TIMED,
  .shard = CAB_SHARD_THREAD,
  .arena_bytes = 65536,
  .options = options,
  .open = timeline_open,
  .settle = cab_timeline_settle,
  .feed = timeline_feed,
  .applied = timeline_applied,
  .lost = timeline_lost,
  .check = timeline_check,
  .merge = timeline_merge,
  .carry = cab_carry_nothing
};
