/* values_state.h - the state of the analysis `values': rows, tables of values, and how they are
 * found.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      a hash table of rows; a pool of words, in which each row has the table of values of
 *             the present thread (top_values.h), and from its first clearing on a spare one; and a
 *             hash table of (row, value), for those of threads before, and of merged states. A
 *             value's count is exact if it is so in each table of its row that values had to leave.
 *             A row without a value is counted by one store; else by a list of stores that happen
 *             all or not at all (redo.h).  Clearing fills the spare table, which nobody reads; the
 *             list of the next value exchanges the two.
 * Threads:    as the arena.
 * Errors:     null or 0 where there is no room.  What says where a table of values is comes from a
 *             file, and is looked at each time.
 */
#ifndef CAB_VALUES_STATE_H
#define CAB_VALUES_STATE_H

#include "analyses/live/redo.h"
#include "analyses/live/top_values.h"

#define CAB_VALUES_NAME "values"
#define CAB_VALUES_MAGIC 0x766c7532u

/* `where' of a row: thread of the last event << 32 | these flags | places in use. */
#define CAB_VALUES_USED UINT64_C (0xffff)
#define CAB_VALUES_HAS_STEP (UINT64_C (1) << 16)      /* `step' is that between the last two
							 values */
#define CAB_VALUES_HAS_STRIDE (UINT64_C (1) << 17)    /* strides were `stride', */
#define CAB_VALUES_STRIDES (UINT64_C (1) << 18)       /* ... or several */
#define CAB_VALUES_CARRIED (UINT64_C (1) << 19)       /* `last' is there, of an event that another
							 state has counted */

/* Key: (number of the access << 8 | type of the value) + 1; 0: none. */
struct cab_values_held
{
  uint64_t key;
  uint64_t events, zero, same, last;
  uint64_t low, high;     /* complement of the least rank (see value_order.h), and the greatest;
			     both 0: there is none yet */
  uint64_t where;
  uint64_t step, strides, stride;
  uint64_t table, spare;  /* first word in the pool << 16 | places; 0: there is none */
  uint64_t lossy;         /* 1: values had to leave the table */
  uint64_t due;           /* then: events at which the clearing part is cleared */
  uint64_t lossy_before;  /* tables of earlier threads, and merged ones, that values had to leave */
};

/* Of earlier threads, and of merged states: how often VALUE came, and in how many tables that
   values had to leave that is exact. */
struct cab_values_entry
{
  uint64_t key, value, n, exact;
};

struct cab_values_state
{
  uint32_t magic, places;
  uint64_t clear;                /* executions until the clearing part is cleared, at least */
  uint64_t lost;
  uint64_t rows, n_rows;         /* table of struct cab_values_held, and how many are in use, or a
				    few more; capacity: a power of two */
  uint64_t entries, n_entries;   /* the same of struct cab_values_entry */
  uint64_t pool, n_pool;         /* table of words, and how many are given away */
  struct cab_redo redo;
};

static inline struct cab_values_state *
cab_values_state_at (const struct cab_arena *arena)
{
  return (struct cab_values_state *) arena->base;
}

static inline struct cab_values_state *
cab_values_state (const struct cab_arena *arena)
{
  return cab_state_is (arena, sizeof (struct cab_values_state), CAB_VALUES_MAGIC)
	 ? cab_values_state_at (arena)
	 : NULL;
}

static inline uint64_t
cab_values_key (uint32_t number, uint8_t type)
{
  return ((uint64_t) number << 8 | type) + 1;
}

static inline uint32_t
cab_values_number (uint64_t key)
{
  return (key - 1) >> 8;
}

static inline uint8_t
cab_values_type (uint64_t key)
{
  return key - 1;
}

/* The row of KEY in TABLE of rows, or the free one where it belongs; null: the table is full. */
struct cab_values_held *cab_values_find (const struct cab_arena *arena, uint64_t table,
					 uint64_t key);
/* The row of KEY, made if need be.  May move the arena. */
struct cab_values_held *cab_values_row_of (struct cab_arena *arena, uint64_t key);
/* The same for VALUE of KEY, in the hash table of values. */
struct cab_values_entry *cab_values_entry_of (struct cab_arena *arena, uint64_t key,
					      uint64_t value);

/* Make TABLE that of REF, and return how many places it has; 0: there is none, or the state is
   damaged. */
unsigned cab_values_table (const struct cab_arena *arena, uint64_t ref,
			   struct cab_top_table *table);
/* Return a new table of so many PLACES, all zero.  May move the arena. */
uint64_t cab_values_table_new (struct cab_arena *arena, unsigned places);

/* How many places of its table, which has PLACES, ROW uses. */
static inline unsigned
cab_values_used (const struct cab_values_held *row, unsigned places)
{
  unsigned used = row->where & CAB_VALUES_USED;
  return used < places ? used : places;
}

/* A copy of the next row behind *CURSOR (0 at first); of the next value in tables of rows or,
   behind those, in the hash table: it may be in both.  What a change that was cut off makes of them
   is in it.  False at the end. */
bool cab_values_held_next (const struct cab_arena *arena, uint64_t *cursor,
			   struct cab_values_held *row);
bool cab_values_entry_next (const struct cab_arena *arena, uint64_t *cursor,
			    struct cab_values_entry *to);

/* As `check' of struct cab_analysis. */
int cab_values_check (const struct cab_arena *arena, struct cab_diag *diag);

#endif
