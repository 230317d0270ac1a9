/* lru.c - lines of memory in the order of their last use, see lru.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "analyses/live/lru.h"

#define LEAST (2 * CAB_LRU_DEPTH_MIN)
#define NONE UINT64_MAX

static struct cab_lru *
lru_of (const struct cab_arena *arena, uint64_t at)
{
  return (struct cab_lru *) (arena->base + at);
}

/* Return how many slots the table in use has. */
static uint64_t
capacity_of (const struct cab_arena *arena, const struct cab_lru *lru)
{
  return cab_space_capacity (arena, lru->slots[lru->head & 1]);
}

/* The parts of the index for CAPACITY slots: twice as many places, a bit for each slot, and a
   Fenwick tree over the words of bits. */
struct index
{
  uint32_t *places;   /* slot + 1 by the hash of the line, or 0; a place whose slot does not hold
			 the line is stale */
  uint64_t *bits;
  uint32_t *sums;
  uint64_t capacity;
};

/* Return how many words the index for CAPACITY slots takes. */
static uint64_t
index_words (uint64_t capacity)
{
  return capacity + capacity / 64 + capacity / 128;
}

static struct index
index_of (const struct cab_arena *arena, const struct cab_lru *lru)
{
  uint64_t capacity = capacity_of (arena, lru), *words = cab_space_elements (arena, lru->index);
  return (struct index) { (uint32_t *) words, words + capacity,
			  (uint32_t *) (words + capacity + capacity / 64), capacity };
}

/* Return the place of LINE, or the free one where it belongs, and store to *SLOT its slot, or
   NONE. */
static uint64_t
find (const struct index *x, const uint64_t *slots, uint64_t line, uint64_t *slot)
{
  uint64_t mask = 2 * x->capacity - 1, i = line * UINT64_C (0x9e3779b97f4a7c15) >> 20 & mask;
  for (uint64_t n = 0; n <= mask && x->places[i]; n++, i = (i + 1) & mask)
    {
      *slot = (x->places[i] - 1) & (x->capacity - 1);
      if (slots[*slot] == line + 1)
	return i;
    }
  *slot = NONE;
  return i;
}

/* Flip the bit of SLOT, and add BY, 1 or -1, to the sums over its word. */
static void
count (struct index *x, uint64_t slot, uint32_t by)
{
  uint64_t n = x->capacity / 64;
  x->bits[slot / 64] ^= UINT64_C (1) << slot % 64;
  for (uint64_t k = slot / 64 + 1; k <= n; k += k & -k)
    x->sums[k - 1] += by;
}

/* Return how many slots are in use up to SLOT, itself included. */
static uint64_t
in_use (const struct index *x, uint64_t slot)
{
  uint64_t sum = __builtin_popcountll (x->bits[slot / 64] & ((UINT64_C (2) << slot % 64) - 1));
  for (uint64_t k = slot / 64; k; k &= k - 1)
    sum += x->sums[k - 1];
  return sum;
}

/* Rebuild all that follows from the slots.  Of a line that has two slots, as in a damaged state,
   the last one stays. */
static void
rebuild (struct cab_arena *arena, uint64_t at)
{
  struct cab_lru *lru = lru_of (arena, at);
  struct index x = index_of (arena, lru);
  uint64_t *slots = cab_lru_slots (arena, lru), slot;
  if (!x.capacity)
    return;
  memset (x.places, 0, index_words (x.capacity) * 8);
  lru->live = lru->oldest = 0;
  for (uint64_t i = cab_lru_now (lru); i-- > 0;)
    {
      uint64_t place = slots[i] ? find (&x, slots, slots[i] - 1, &slot) : 0;
      if (slots[i] && slot != NONE)
	slots[i] = 0;
      if (!slots[i])
	continue;
      x.places[place] = i + 1;
      x.bits[i / 64] |= UINT64_C (1) << i % 64;
      lru->live++;
    }
  for (uint64_t k = 1; k <= x.capacity / 64; k++)
    {
      x.sums[k - 1] += __builtin_popcountll (x.bits[k - 1]);
      if (k + (k & -k) <= x.capacity / 64)
	x.sums[k + (k & -k) - 1] += x.sums[k - 1];
    }
}

void
cab_lru_enter (struct cab_arena *arena, uint64_t at)
{
  if (!lru_of (arena, at)->sure)
    rebuild (arena, at);
  *(volatile uint64_t *) &lru_of (arena, at)->sure = 0;
  cab_space_order ();
}

void
cab_lru_leave (struct cab_arena *arena, uint64_t at)
{
  cab_space_order ();
  *(volatile uint64_t *) &lru_of (arena, at)->sure = 1;
}

/* Resetting the number of slots is enough: slots that were not given out have no meaning. */
void
cab_lru_empty (struct cab_arena *arena, uint64_t at)
{
  struct cab_lru *lru = lru_of (arena, at);
  *(volatile uint64_t *) &lru->sure = 0;
  cab_space_order ();
  *(volatile uint64_t *) &lru->head = lru->head & 1;
  cab_space_order ();
}

/* Make room for the index and the distances of CAPACITY slots.  Return false if there is none. */
static bool
make_index (struct cab_arena *arena, uint64_t at, uint64_t capacity)
{
  uint64_t index = cab_space_table_for (arena, lru_of (arena, at)->index,
					index_words (capacity) - 1, index_words (LEAST), 8);
  if (index)
    lru_of (arena, at)->index = index;
  uint64_t distances = index ? cab_space_table_for (arena, lru_of (arena, at)->distances,
						    capacity / 2 - 1, LEAST / 2, 8)
			     : 0;
  if (distances)
    lru_of (arena, at)->distances = distances;
  cab_space_order ();
  return distances;
}

/* Make the table that is not in use have at least CAPACITY slots.  Return false if there is no
   room. */
static bool
make_other (struct cab_arena *arena, uint64_t at, uint64_t capacity)
{
  const struct cab_lru *lru = lru_of (arena, at);
  if (cab_space_capacity (arena, lru->slots[!(lru->head & 1)]) >= capacity)
    return true;
  uint64_t table = cab_space_table (arena, capacity, 8);
  if (table)
    lru_of (arena, at)->slots[!(lru_of (arena, at)->head & 1)] = table;
  cab_space_order ();
  return table;
}

/* Renumber the lines into the other table; only the most recent ones if it has no room for all. */
static void
renumber (struct cab_arena *arena, uint64_t at)
{
  struct cab_lru *lru = lru_of (arena, at);
  unsigned other = !(lru->head & 1);
  const uint64_t *from = cab_lru_slots (arena, lru);
  uint64_t *to = cab_space_elements (arena, lru->slots[other]);
  uint64_t now = cab_lru_now (lru), live = 0, n = 0;
  uint64_t most = cab_space_capacity (arena, lru->slots[other]) / 2;
  most = lru->depth < most ? lru->depth : most;
  for (uint64_t i = 0; i < now; i++)
    live += from[i] != 0;
  for (uint64_t i = 0, k = 0; i < now; i++)
    if (from[i] && k++ + most >= live)
      to[n++] = from[i];
  cab_space_order ();
  *(volatile uint64_t *) &lru->head = n << 1 | other;
  cab_space_order ();
  rebuild (arena, at);
}

bool
cab_lru_reserve (struct cab_arena *arena, uint64_t at)
{
  uint64_t capacity = capacity_of (arena, lru_of (arena, at)), live = lru_of (arena, at)->live,
	   depth = lru_of (arena, at)->depth;
  bool more = live >= capacity / 2 && capacity / 2 < depth;
  if (cab_lru_now (lru_of (arena, at)) < capacity && !more)
    return true;
  uint64_t wanted = !capacity ? LEAST : more ? 2 * capacity : capacity, spare = 0;
  if (wanted > capacity
      && !(make_index (arena, at, wanted) && (spare = cab_space_table (arena, wanted, 8))
	   && make_other (arena, at, wanted)))
    {
      if (!capacity)
	return false;
      lru_of (arena, at)->depth = capacity / 2;
      spare = 0;
    }
  if (!make_other (arena, at, capacity))
    return false;
  renumber (arena, at);
  if (spare)
    lru_of (arena, at)->slots[!(lru_of (arena, at)->head & 1)] = spare;
  return true;
}

void
cab_lru_look (const struct cab_arena *arena, uint64_t at, uint64_t line, struct cab_lru_use *use)
{
  struct cab_lru *lru = lru_of (arena, at);
  const struct index x = index_of (arena, lru);
  const uint64_t *slots = cab_lru_slots (arena, lru);
  use->line = line;
  use->place = find (&x, slots, line, &use->slot);
  use->distance = use->slot == NONE ? NONE : lru->live - in_use (&x, use->slot);
  use->evicted = NONE;
  if (use->slot != NONE || lru->live < lru->depth)
    return;
  while (lru->oldest < cab_lru_now (lru) && !slots[lru->oldest])
    lru->oldest++;
  use->evicted = lru->oldest < cab_lru_now (lru) ? lru->oldest : NONE;
}

void
cab_lru_put (struct cab_redo_list *list, uint64_t at, const struct cab_lru_use *use)
{
  const struct cab_lru *lru = lru_of (list->arena, at);
  uint64_t *slots = cab_lru_slots (list->arena, lru);
  if (use->slot != NONE)
    cab_redo_put (list, &slots[use->slot], 0);
  if (use->evicted != NONE)
    cab_redo_put (list, &slots[use->evicted], 0);
  cab_redo_put (list, &slots[cab_lru_now (lru)], use->line + 1);
  cab_redo_put (list, &lru->head, lru->head + 2);
}

void
cab_lru_moved (struct cab_arena *arena, uint64_t at, const struct cab_lru_use *use)
{
  struct cab_lru *lru = lru_of (arena, at);
  struct index x = index_of (arena, lru);
  uint64_t slot = cab_lru_now (lru) - 1;
  if (use->slot != NONE)
    count (&x, use->slot, -1);
  if (use->evicted != NONE)
    count (&x, use->evicted, -1);
  count (&x, slot, 1);
  lru->live += 1 - (use->slot != NONE) - (use->evicted != NONE);
  x.places[use->place] = slot + 1;
}

bool
cab_lru_ok (const struct cab_arena *arena, uint64_t at)
{
  const struct cab_lru *lru = lru_of (arena, at);
  if (lru->depth < CAB_LRU_DEPTH_MIN || lru->depth > CAB_LRU_DEPTH_MAX
      || lru->depth & (lru->depth - 1) || lru->sure > 1
      || !cab_space_table_ok (arena, lru->index, 8)
      || !cab_space_table_ok (arena, lru->distances, 8))
    return false;
  uint64_t largest = 0;
  for (int i = 0; i < 2; i++)
    {
      uint64_t capacity = cab_space_table_ok (arena, lru->slots[i], 8)
			  ? cab_space_capacity (arena, lru->slots[i])
			  : 1;
      if (capacity
	  && (capacity < LEAST || capacity > 2 * CAB_LRU_DEPTH_MAX || capacity & (capacity - 1)))
	return false;
      largest = capacity > largest ? capacity : largest;
    }
  uint64_t capacity = capacity_of (arena, lru);
  return cab_lru_now (lru) <= capacity && lru->live <= capacity && lru->oldest <= capacity
      && index_words (largest) <= cab_space_capacity (arena, lru->index);
}
