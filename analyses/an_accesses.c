/* an_accesses.c - how often did each access read and write, and how many bytes?
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * The last store of a row is the count; which of the two sums of bytes holds, the counts' own sum says (odd or even), so both change at
 * once.
 */
#include "space.h"
#include "states.h"

#define NAME "accesses"
#define MAGIC 0x61636373u
#define LEAST 1024

struct place
{
  uint64_t n[4];       /* by form: allocations and releases, reads, writes, both at once */
  uint64_t bytes[2];
};

struct state
{
  uint32_t magic, reserved;
  uint64_t lost;
  uint64_t places;     /* table of struct place, by number of the access */
};

static struct state *
state_of (const struct cab_arena *arena)
{
  return cab_state_is (arena, sizeof (struct state), MAGIC) ? (struct state *) arena->base : NULL;
}

static int
accesses_open (struct cab_arena *arena, const char *arguments, struct cab_diag *diag)
{
  return cab_state_open (arena, sizeof (struct state), MAGIC, NAME, arguments, diag);
}

/* The place of access NUMBER, or null where there is no room. */
static struct place *
place_of (struct cab_arena *arena, uint32_t number)
{
  struct state *state = state_of (arena);
  if (number >= cab_space_capacity (arena, state->places))
    {
      uint64_t table = number > CAB_ACCESS_MAX ? 0 : cab_space_table_for (arena, state->places, number, LEAST, sizeof (struct place));
      if (!table)
	return NULL;
      state_of (arena)->places = table;
    }
  return (struct place *) cab_space_elements (arena, state_of (arena)->places) + number;
}

static inline unsigned
bank (const struct place *p)
{
  return (p->n[0] + p->n[1] + p->n[2] + p->n[3]) & 1;
}

static void
accesses_feed (struct cab_arena *arena, const struct cab_batch *batch, const struct cab_functions *functions, const struct cab_out *out)
{
  (void) functions, (void) out;
  if (batch->kind != CAB_EV_ACCESS || (!state_of (arena) && accesses_open (arena, "", NULL) < 0))
    return;
  uint64_t capacity = 0;
  struct place *places = NULL;
  for (uint32_t i = 0; i < batch->n; i++)
    {
      unsigned form = batch->form[i] & (CAB_ROW_READ | CAB_ROW_WRITE);
      uint32_t number = batch->site[i];
      if (number >= capacity && place_of (arena, number))
	{
	  places = cab_space_elements (arena, state_of (arena)->places);
	  capacity = cab_space_capacity (arena, state_of (arena)->places);
	}
      if (number < capacity)
	{
	  struct place *p = places + number;
	  unsigned now = bank (p);
	  p->bytes[!now] = p->bytes[now] + (form ? batch->bytes[i] : 0);
	  cab_space_count (&p->n[form]);
	}
      else
	cab_space_count (&state_of (arena)->lost);
    }
}

static uint64_t
accesses_applied (const struct cab_arena *arena)
{
  const struct state *state = state_of (arena);
  uint64_t n = state ? cab_space_capacity (arena, state->places) : 0, sum = 0;
  const struct place *p = n ? cab_space_elements (arena, state->places) : NULL;
  for (uint64_t i = 0; i < n; i++)
    sum += cab_state_sum (p[i].n, 4);
  return sum;
}

static uint64_t
accesses_lost (const struct cab_arena *arena)
{
  return state_of (arena) ? state_of (arena)->lost : 0;
}

static int
accesses_check (const struct cab_arena *arena, struct cab_diag *diag)
{
  const struct state *state = state_of (arena);
  if (!state)
    return cab_state_is (arena, sizeof (struct state), 0) ? 0 : cab_state_refuse (diag, NAME, "the state has a foreign mark");
  if (!cab_space_table_ok (arena, state->places, sizeof (struct place)))
    return cab_state_refuse (diag, NAME, "the table of accesses leaves the arena");
  return 0;
}

static int
accesses_merge (struct cab_arena *into, const struct cab_arena *from, const struct cab_idmap *map, struct cab_diag *diag)
{
  struct cab_accesses_row row;
  if (!state_of (into) && accesses_open (into, "", diag) < 0)
    return -1;
  for (uint64_t cursor = 0; cab_accesses_next (from, &cursor, &row);)
    {
      uint32_t target = map ? cab_space_mapped (map->access, map->n_access, row.number) : row.number;
      struct place *p = target || !row.number ? place_of (into, target) : NULL;
      if (!p)
	{
	  state_of (into)->lost += cab_state_sum (row.n, 4);
	  continue;
	}
      uint64_t bytes = p->bytes[bank (p)] + row.bytes;
      for (int k = 0; k < 4; k++)
	p->n[k] += row.n[k];
      p->bytes[bank (p)] = bytes;
    }
  state_of (into)->lost += accesses_lost (from);
  return 0;
}

bool
cab_accesses_next (const struct cab_arena *arena, uint64_t *cursor, struct cab_accesses_row *row)
{
  const struct state *state = state_of (arena);
  uint64_t n = state ? cab_space_capacity (arena, state->places) : 0;
  const struct place *p = n ? cab_space_elements (arena, state->places) : NULL;
  while (*cursor < n && !cab_state_sum (p[*cursor].n, 4))
    ++*cursor;
  if (*cursor >= n)
    return false;
  p += *cursor;
  row->number = (*cursor)++;
  memcpy (row->n, p->n, sizeof row->n);
  row->bytes = p->bytes[bank (p)];
  return true;
}

const struct cab_analysis cab_accesses = {
  .abi = CAB_ANALYSIS_ABI,
  .name = NAME,
  .summary = "how often each access read and wrote",
  .kinds = 1u << CAB_EV_ACCESS,
  .shard = CAB_SHARD_THREAD,
  .arena_bytes = 65536,
  .open = accesses_open,
  .feed = accesses_feed,
  .applied = accesses_applied,
  .lost = accesses_lost,
  .check = accesses_check,
  .merge = accesses_merge
};
