/* an_accesses.c - count how often each access read and wrote, and how many bytes.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Accesses of a region that are the same each time are fed as a shape: one counter counts passes
 * through all of them, and what the counter stands for is recorded once per access.  All others are
 * fed access by access.  Nearly always such an access does the same to as many bytes each time, and
 * one counter records that (struct steady).  Where it does not, the last store of a row is the
 * count (struct place).  The parity of the counts' sum says which of the two sums of bytes is
 * valid, so both change at once.
 */
#include "analyses/live/segments.h"
#include "analyses/live/an_accesses.h"

#define NAME "accesses"
#define MAGIC 0x61636334u

/* An access that happened N times with the same KEY: bytes << 8 | form; 0: nothing is recorded
   yet. */
struct steady
{
  uint64_t n, key;
};

/* An access that is not always the same.  The parity of the sum of n says which of the two sums of
   bytes is valid. */
struct place
{
  uint64_t n[4];       /* by form: allocations and releases, reads, writes, accesses that do both */
  uint64_t bytes[2];
};

/* N passes through a shape of SIZE accesses; SIZE 0: the shape's accesses are not recorded yet. */
struct passes
{
  uint64_t n, size;
};

/* An access that is part of SHAPE, or of none if that is 0; what it does in each pass. */
struct member
{
  uint32_t shape, form;
  uint64_t bytes;
};

struct state
{
  uint32_t magic, reserved;
  uint64_t lost;
  struct cab_segments passes;    /* of struct passes, by number of the shape */
  struct cab_segments members;   /* of struct member, by number of the access */
  struct cab_segments steady;    /* of struct steady, by number of the access: events fed one by one
				    that are like the first one */
  struct cab_segments places;    /* of struct place, by number of the access: events that differ
				    from the first one */
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

/* Return the struct steady of access NUMBER, making its segment if need be; null if there is no
   room.  May move the arena, as do the two functions below. */
static struct steady *
steady_of (struct cab_arena *arena, uint32_t number)
{
  return cab_segments_make (arena, offsetof (struct state, steady), number, sizeof (struct steady));
}

/* Return the struct place of access NUMBER; null if there is no room. */
static struct place *
place_of (struct cab_arena *arena, uint32_t number)
{
  return cab_segments_make (arena, offsetof (struct state, places), number, sizeof (struct place));
}

/* Return the struct passes of SHAPE; null if there is no room. */
static struct passes *
passes_of (struct cab_arena *arena, uint32_t shape)
{
  return cab_segments_make (arena, offsetof (struct state, passes), shape, sizeof (struct passes));
}

/* Record the accesses of SHAPE.  Return false if there is no room. */
static bool
note_members (struct cab_arena *arena, const struct cab_shape *shape)
{
  for (uint32_t k = 0; k < shape->n; k++)
    {
      struct member *m = cab_segments_make (arena, offsetof (struct state, members), shape->site[k],
					    sizeof (struct member));
      if (!m)
	return false;
      *m = (struct member) { shape->id, shape->form[k] & (CAB_ROW_READ | CAB_ROW_WRITE),
			     shape->bytes[k] };
    }
  cab_space_order ();
  return true;
}

/* Count PASSES through SHAPE, which may be new.  Without room for a new shape its accesses are
   lost. */
static void __attribute__ ((noinline))
pass_slowly (struct cab_arena *arena, const struct cab_shape *shape, uint64_t passes)
{
  struct passes *p = passes_of (arena, shape->id);
  if (p && !p->size)
    {
      bool noted = note_members (arena, shape);
      p = passes_of (arena, shape->id);   /* the arena may have moved */
      p->size = noted ? shape->n : 0;
    }
  cab_space_add (p && p->size ? &p->n : &state_of (arena)->lost,
		 p && p->size ? passes : passes * shape->n);
}

static inline void __attribute__ ((always_inline))
feed_shapes (struct cab_arena *arena, const struct cab_batch *batch, const uint64_t *passes)
{
  const struct cab_segments *segments = &state_of (arena)->passes;
  for (uint32_t i = 0, n = batch->n; i < n; i++)
    {
      const struct cab_shape *shape = batch->shape[i];
      struct passes *p = cab_segments_at (arena, segments, shape->id, sizeof *p);
      if (__builtin_expect (p && p->size, 1))
	cab_space_add (&p->n, passes ? passes[i] : 1);
      else
	{
	  pass_slowly (arena, shape, passes ? passes[i] : 1);
	  segments = &state_of (arena)->passes;
	}
    }
}

/* Return the index of the sum of bytes of P that is valid. */
static inline unsigned
bank (const struct place *p)
{
  return (p->n[0] + p->n[1] + p->n[2] + p->n[3]) & 1;
}

/* Return the key of an access of FORM to BYTES bytes, or 0 if it cannot be recorded as steady. */
static inline uint64_t
key_of (unsigned form, uint64_t bytes)
{
  return form && bytes < UINT64_C (1) << 56 ? bytes << 8 | form : 0;
}

/* Count an access at P.  The sum of bytes that is not valid is written first; the store of the
   count makes it the valid one. */
static inline void
count_at (struct place *p, unsigned form, uint64_t bytes)
{
  unsigned now = bank (p);
  p->bytes[!now] = p->bytes[now] + (form ? bytes : 0);
  cab_space_count (&p->n[form]);
}

/* Count an access that does not match its struct steady, or that has none yet. */
static void __attribute__ ((noinline))
count_slowly (struct cab_arena *arena, uint32_t number, unsigned form, uint64_t bytes)
{
  struct steady *s = steady_of (arena, number);
  uint64_t key = key_of (form, bytes);
  if (s && key && (s->key == key || (!s->key && !s->n)))
    {
      s->key = key;
      cab_space_count (&s->n);
      return;
    }
  struct place *p = s ? place_of (arena, number) : NULL;
  if (p)
    count_at (p, form, bytes);
  else
    cab_space_count (&state_of (arena)->lost);
}

static void
feed_rows (struct cab_arena *arena, const struct cab_batch *batch)
{
  const struct state *state = state_of (arena);
  const uint32_t *site = batch->site;
  const uint64_t *bytes = batch->bytes;
  const uint8_t *forms = batch->form;
  for (uint32_t i = 0, n = batch->n; i < n; i++)
    {
      unsigned form = forms[i] & (CAB_ROW_READ | CAB_ROW_WRITE);
      struct steady *s = cab_segments_at (arena, &state->steady, site[i], sizeof *s);
      struct place *p;
      if (__builtin_expect (s && form && s->key == (bytes[i] << 8 | form), 1))
	cab_space_count (&s->n);
      else if (s && (s->key || !form)
	       && (p = cab_segments_at (arena, &state->places, site[i], sizeof *p)))
	count_at (p, form, bytes[i]);
      else
	{
	  count_slowly (arena, site[i], form, bytes[i]);
	  state = state_of (arena);
	}
    }
}

/* Add N equal accesses to what is recorded at P.  Unlike count_at this is not one step: after a
   kill the bytes may be those of N accesses more. */
static void
add_at (struct place *p, unsigned form, uint64_t bytes, uint64_t n)
{
  uint64_t sum = p->bytes[bank (p)] + (form ? n * bytes : 0);
  p->bytes[0] = p->bytes[1] = sum;
  cab_space_add (&p->n[form], n);
}

/* Count N equal accesses. */
static void
count_many (struct cab_arena *arena, uint32_t number, unsigned form, uint64_t bytes, uint64_t n)
{
  struct steady *s = steady_of (arena, number);
  uint64_t key = key_of (form, bytes);
  struct place *p;
  if (s && key && (s->key == key || (!s->key && !s->n)))
    {
      s->key = key;
      cab_space_add (&s->n, n);
    }
  else if (s && (p = place_of (arena, number)))
    add_at (p, form, bytes, n);
  else
    cab_space_add (&state_of (arena)->lost, n);
}

/* Count the rows of BATCH by the weights of their bursts. */
static void
feed_bursts (struct cab_arena *arena, const struct cab_batch *batch)
{
  uint32_t k = 0;
  for (uint32_t i = 0; i < batch->n; i++)
    count_many (arena, batch->site[i], batch->form[i] & (CAB_ROW_READ | CAB_ROW_WRITE),
		batch->bytes[i], cab_batch_weight (batch, i, &k));
}

static void
accesses_feed (struct cab_arena *arena, const struct cab_batch *batch,
	       const struct cab_functions *functions)
{
  (void) functions;
  if (batch->kind != CAB_EV_ACCESS || (!state_of (arena) && accesses_open (arena, "", NULL) < 0))
    return;
  if (batch->burst)
    feed_bursts (arena, batch);
  else if (!batch->shape)
    feed_rows (arena, batch);
  else if (batch->passes)
    feed_shapes (arena, batch, batch->passes);
  else
    feed_shapes (arena, batch, NULL);
}

static uint64_t
accesses_applied (const struct cab_arena *arena)
{
  struct cab_accesses_row row;
  uint64_t sum = 0;
  for (uint64_t cursor = 0; cab_accesses_next (arena, &cursor, &row);)
    sum += cab_state_sum (row.n, 4);
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
    return cab_state_is (arena, sizeof (struct state), 0)
	   ? 0
	   : cab_state_refuse (diag, NAME, "the state has a foreign mark");
  struct cab_state_segments tables[] = { { &state->passes, sizeof (struct passes) },
					 { &state->members, sizeof (struct member) },
					 { &state->steady, sizeof (struct steady) },
					 { &state->places, sizeof (struct place) } };
  if (!cab_state_segments_ok (arena, tables, 4, sizeof *state))
    return cab_state_refuse (diag, NAME,
			     "the tables of accesses leave the arena, or each other's way");
  return 0;
}

/* Add ROW to access NUMBER of INTO, as a steady one if all of its events can be.  Return false if
   there is no room. */
static bool
add_row (struct cab_arena *into, uint32_t number, const struct cab_accesses_row *row)
{
  struct steady *s = steady_of (into, number);
  uint64_t n = cab_state_sum (row->n, 4);
  unsigned form = row->n[1] ? 1 : row->n[2] ? 2 : 3;
  uint64_t key = row->n[form] == n && row->bytes % n == 0 ? key_of (form, row->bytes / n) : 0;
  if (s && key && (s->key == key || (!s->key && !s->n)))
    {
      s->key = key;
      s->n += n;
      return true;
    }
  struct place *p = s ? place_of (into, number) : NULL;
  if (!p)
    return false;
  uint64_t bytes = p->bytes[bank (p)] + row->bytes;
  for (int k = 0; k < 4; k++)
    p->n[k] += row->n[k];
  p->bytes[bank (p)] = bytes;
  return true;
}

static int
accesses_merge (struct cab_arena *into, const struct cab_arena *from, const struct cab_idmap *map,
		struct cab_diag *diag)
{
  struct cab_accesses_row row;
  if (!state_of (into) && accesses_open (into, "", diag) < 0)
    return -1;
  for (uint64_t cursor = 0; cab_accesses_next (from, &cursor, &row);)
    {
      uint32_t target = map ? cab_space_mapped (map->access, map->n_access, row.number)
			    : row.number;
      if ((!target && row.number) || !add_row (into, target, &row))
	state_of (into)->lost += cab_state_sum (row.n, 4);
    }
  state_of (into)->lost += accesses_lost (from);
  return 0;
}

/* Store to ROW what the table of places has about access NUMBER. */
static void
read_place (const struct cab_arena *arena, const struct state *state, uint32_t number,
	    struct cab_accesses_row *row)
{
  const struct place *place = cab_segments_at (arena, &state->places, number, sizeof *place);
  if (!place)
    return;
  memcpy (row->n, place->n, sizeof row->n);
  row->bytes = place->bytes[bank (place)];
}

/* Add to ROW what the table of steady accesses has about access NUMBER. */
static void
read_steady (const struct cab_arena *arena, const struct state *state, uint32_t number,
	     struct cab_accesses_row *row)
{
  const struct steady *steady = cab_segments_at (arena, &state->steady, number, sizeof *steady);
  if (!steady)
    return;
  row->n[steady->key & 3] += steady->n;
  row->bytes += steady->n * (steady->key >> 8);
}

/* Add to ROW what passes through shapes say about access NUMBER. */
static void
read_member (const struct cab_arena *arena, const struct state *state, uint32_t number,
	     struct cab_accesses_row *row)
{
  const struct member *member = cab_segments_at (arena, &state->members, number, sizeof *member);
  const struct passes *passes = member ? cab_segments_at (arena, &state->passes, member->shape,
							  sizeof *passes)
				       : NULL;
  if (!passes)
    return;
  row->n[member->form & 3] += passes->n;
  row->bytes += passes->n * member->bytes;
}

static uint64_t
most (uint64_t a, uint64_t b)
{
  return a > b ? a : b;
}

bool
cab_accesses_next (const struct cab_arena *arena, uint64_t *cursor, struct cab_accesses_row *row)
{
  const struct state *state = state_of (arena);
  uint64_t n = !state
	       ? 0
	       : most (most (cab_segments_end (&state->steady), cab_segments_end (&state->places)),
		       cab_segments_end (&state->members));
  while (*cursor < n)
    {
      *row = (struct cab_accesses_row) { .number = *cursor };
      read_place (arena, state, *cursor, row);
      read_steady (arena, state, *cursor, row);
      read_member (arena, state, *cursor, row);
      ++*cursor;
      if (cab_state_sum (row->n, 4))
	return true;
    }
  return false;
}

const struct cab_analysis cab_accesses = {
  .abi = CAB_ANALYSIS_ABI,
  .name = NAME,
  .summary = "how often each access read and wrote",
  .kinds = 1u << CAB_EV_ACCESS,
  .wants = CAB_WANTS_SHAPES | CAB_TAKES_BURSTS,
  .shard = CAB_SHARD_THREAD,
  .arena_bytes = 65536,
  .open = accesses_open,
  .feed = accesses_feed,
  .applied = accesses_applied,
  .lost = accesses_lost,
  .check = accesses_check,
  .merge = accesses_merge,
  .carry = cab_carry_nothing
};
