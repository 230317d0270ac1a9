/* space.h - tables inside an arena that grow by doubling into new space.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      A table is a block: a head of 64 bytes with its capacity, then its elements.  A state
 *             refers to it by the offset of the head; 0 = no table yet.  A table that is full
 *             moves: the new one is filled first, then one 8-byte store makes it the table.  So a
 *             state is whole at every instruction, and the old block is unused space (no more than
 *             the new one's bytes).
 * Threads:    as the arena: one at a time.
 * Errors:     cab_space_table returns 0 where the arena cannot grow; nothing has changed then.
 */
#ifndef CAB_SPACE_H
#define CAB_SPACE_H

#include <string.h>
#include "cabprof/analysis.h"

#define CAB_SPACE_ALIGN 64u

/* The head of a table; its elements follow it. */
struct cab_table_head
{
  uint64_t capacity;  /* elements */
  uint64_t reserved[7];
};

/* Keep the compiler from moving stores across this point.  The stores of a state reach memory in
   program order, and a process that dies leaves exactly those before its last instruction, so no
   barrier of the processor is needed. */
static inline void
cab_space_order (void)
{
  __atomic_signal_fence (__ATOMIC_SEQ_CST);
}

/* Add N events to COUNTER.  This is always the last store for the row that stands for them. */
static inline void
cab_space_add (uint64_t *counter, uint64_t n)
{
  cab_space_order ();
  *(volatile uint64_t *) counter = *counter + n;
  cab_space_order ();
}

/* Add one event to COUNTER; see cab_space_add. */
static inline void
cab_space_count (uint64_t *counter)
{
  cab_space_add (counter, 1);
}

/* Return the head of TABLE, which may not be 0. */
static inline struct cab_table_head *
cab_space_head (const struct cab_arena *arena, uint64_t table)
{
  return (struct cab_table_head *) (arena->base + table);
}

/* Return the first element of TABLE, or null if TABLE is 0. */
static inline void *
cab_space_elements (const struct cab_arena *arena, uint64_t table)
{
  return table ? arena->base + table + sizeof (struct cab_table_head) : NULL;
}

/* Return how many elements TABLE has room for; 0 if TABLE is 0. */
static inline uint64_t
cab_space_capacity (const struct cab_arena *arena, uint64_t table)
{
  return table ? cab_space_head (arena, table)->capacity : 0;
}

/* Make the arena hold at least NEED bytes, by doubling it where that works.  May move the arena.
   Return 0, or -1 if it cannot grow. */
static inline int
cab_space_reserve (struct cab_arena *arena, size_t need)
{
  if (need <= arena->cap)
    return 0;
  size_t twice = arena->cap * 2 > need ? arena->cap * 2 : need;
  if (arena->grow && arena->grow (arena, twice) == 0)
    return 0;
  return arena->grow && twice != need && arena->grow (arena, need) == 0 ? 0 : -1;
}

/* Make a table of CAPACITY zero elements of ELEMENT bytes.  May move the arena.  Return its offset,
   or 0 if there is no room. */
static inline uint64_t
cab_space_table (struct cab_arena *arena, uint64_t capacity, size_t element)
{
  size_t at = (arena->used + CAB_SPACE_ALIGN - 1) & ~(size_t) (CAB_SPACE_ALIGN - 1);
  if (capacity > (SIZE_MAX / 4 - at) / element)
    return 0;
  size_t end = at + sizeof (struct cab_table_head) + capacity * element;
  if (cab_space_reserve (arena, end) < 0)
    return 0;
  cab_space_head (arena, at)->capacity = capacity;
  arena->used = end;
  if (arena->publish)
    arena->publish (arena);
  cab_space_order ();
  return at;
}

#define CAB_SPACE_PIECE 4096u   /* bytes; the size of a page */

/* Copy the BYTES bytes at FROM to TO, where there are zeros.  A piece of FROM that is all zero, as
   a sparse table has many, leaves its piece of TO untouched. */
static inline void
cab_space_copy (unsigned char *to, const unsigned char *from, size_t bytes)
{
  static const unsigned char zeros[CAB_SPACE_PIECE];
  for (size_t n; bytes; to += n, from += n, bytes -= n)
    {
      n = CAB_SPACE_PIECE - (uintptr_t) to % CAB_SPACE_PIECE;
      n = n < bytes ? n : bytes;
      if (memcmp (from, zeros, n))
	memcpy (to, from, n);
    }
}

/* Make the BYTES bytes at AT zeros.  A piece that is all zero already is not stored to. */
static inline void
cab_space_clear (unsigned char *at, size_t bytes)
{
  static const unsigned char zeros[CAB_SPACE_PIECE];
  for (size_t n; bytes; at += n, bytes -= n)
    {
      n = bytes < CAB_SPACE_PIECE ? bytes : CAB_SPACE_PIECE;
      if (memcmp (at, zeros, n))
	memset (at, 0, n);
    }
}

/* Return the offset of a table with room for element INDEX: TABLE itself, or a larger copy of at
   least LEAST elements.  Return 0 if there is no room.  The caller stores the offset in its state.
   May move the arena. */
static inline uint64_t
cab_space_table_for (struct cab_arena *arena, uint64_t table, uint64_t index, uint64_t least,
		     size_t element)
{
  uint64_t capacity = cab_space_capacity (arena, table);
  if (index < capacity)
    return table;
  uint64_t wanted = capacity * 2 > least ? capacity * 2 : least;
  while (wanted <= index)
    wanted *= 2;
  uint64_t bigger = cab_space_table (arena, wanted, element);
  if (bigger && table)
    cab_space_copy (cab_space_elements (arena, bigger), cab_space_elements (arena, table),
		    capacity * element);
  cab_space_order ();
  return bigger;
}

/* Return nonzero if TABLE, which comes from a file, lies within the arena, or is 0. */
static inline int
cab_space_table_ok (const struct cab_arena *arena, uint64_t table, size_t element)
{
  if (!table)
    return 1;
  if (table % CAB_SPACE_ALIGN || table > arena->used
      || arena->used - table < sizeof (struct cab_table_head))
    return 0;
  return cab_space_capacity (arena, table)
      <= (arena->used - table - sizeof (struct cab_table_head)) / element;
}

/* Return nonzero if TABLE is sound as cab_space_table_ok says, and can be a hash table with N
   elements in use: its capacity is a power of two, or 0, and not less than N. */
static inline int
cab_space_hash_ok (const struct cab_arena *arena, uint64_t table, uint64_t n, size_t element)
{
  uint64_t capacity = cab_space_table_ok (arena, table, element) ? cab_space_capacity (arena, table)
								 : UINT64_MAX;
  return !(capacity & (capacity - 1)) && n <= capacity;
}

/* Return a 32-bit hash of A, B and C. */
static inline uint32_t
cab_space_hash (uint32_t a, uint32_t b, uint32_t c)
{
  uint64_t h = (a * UINT64_C (0x9e3779b97f4a7c15))
	     ^ ((uint64_t) b << 32 | c) * UINT64_C (0xd6e8feb86659fd93);
  return (h ^ h >> 32) * UINT64_C (0xff51afd7ed558ccd) >> 32;
}

/* Return nonzero if the word at OFFSET of the arena lies in the elements of TABLE, of ELEMENT bytes
   each. */
static inline int
cab_space_has (const struct cab_arena *arena, uint64_t table, size_t element, uint64_t offset)
{
  uint64_t first = table + sizeof (struct cab_table_head);
  return table && offset >= first && offset - first < cab_space_capacity (arena, table) * element;
}

/* Return nonzero if the arena holds a state of BYTES bytes that begins with MAGIC; for MAGIC 0, if
   it is not open yet. */
static inline int
cab_state_is (const struct cab_arena *arena, size_t bytes, uint32_t magic)
{
  uint32_t found = arena->used < bytes ? 0 : *(const uint32_t *) arena->base;
  return found == magic;
}

/* Return the number that OLD has in MAP, which has N elements; 0 if it is beyond them.  Return OLD
   itself if MAP is null. */
static inline uint32_t
cab_space_mapped (const uint32_t *map, uint32_t n, uint32_t old)
{
  return map && old < n ? map[old] : map ? 0 : old;
}

/* Write to DIAG, if not null, that a state of ANALYSIS is refused because of WHAT.  Return -1. It
   uses no stdio, which the runtime does not have. */
int cab_state_refuse (struct cab_diag *diag, const char *analysis, const char *what);
/* Open the state of an analysis that takes no arguments: BYTES zeros but for MAGIC, which is stored
   last.  Return 0, or -1 with words in DIAG. */
int cab_state_open (struct cab_arena *arena, size_t bytes, uint32_t magic, const char *analysis,
		    const char *arguments, struct cab_diag *diag);
/* A table of a state, with elements of ELEMENT bytes. */
struct cab_state_table
{
  uint64_t table;
  size_t element;
};
/* Return nonzero if none of the N TABLES of a state begins within another one, or within the
   state's first BYTES bytes. */
int cab_state_apart (const struct cab_arena *arena, const struct cab_state_table *tables, int n,
		     size_t bytes);
/* Return the sum of N COUNTERS. */
uint64_t cab_state_sum (const uint64_t *counters, uint64_t n);

#endif
