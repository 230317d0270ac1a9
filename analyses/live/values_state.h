/* values_state.h - the state of the analysis `values': rows, tables of values, and how they are
 * found.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      A state has three tables: a hash table of rows; a pool of words, in which each row
 *             has the table of values of the present thread (top_values.h), and from its first
 *             clearing on a spare one; and a hash table of (row, value) for the values of earlier
 *             threads and of merged states.  A value's count is exact if it is exact in each table
 *             of its row that values had to leave.  A row without a value is counted by one store;
 *             any other by a list of stores that happen all or not at all (redo.h).  Clearing fills
 *             the spare table, which nobody reads; the list of the next value exchanges the two.
 * Threads:    as the arena.
 * Errors:     null or 0 where there is no room.  References to tables of values may come from a
 *             file, so they are checked at each use.
 */
#ifndef CAB_VALUES_STATE_H
#define CAB_VALUES_STATE_H

#include "analyses/live/redo.h"
#include "analyses/live/top_values.h"

#define CAB_VALUES_NAME "values"
#define CAB_VALUES_MAGIC 0x766c7532u

/* `where' of a row: thread of the last event << 32 | these flags | places in use. */
#define CAB_VALUES_USED UINT64_C (0xffff)
#define CAB_VALUES_HAS_STEP (UINT64_C (1) << 16)      /* `step' is the one between the last two
							 values */
#define CAB_VALUES_HAS_STRIDE (UINT64_C (1) << 17)    /* there were strides, and the first one was
							 `stride' */
#define CAB_VALUES_STRIDES (UINT64_C (1) << 18)       /* with HAS_STRIDE: there were others as
							 well */
#define CAB_VALUES_CARRIED (UINT64_C (1) << 19)       /* `last' is valid, but is of an event that
							 another state has counted */

/* A row: the values of one type of one access.  Key: (number of the access << 8 | type of the
   value) + 1; 0: the row is free. */
struct cab_values_held
{
  uint64_t key;
  uint64_t events, zero, same, last;
  uint64_t low, high;     /* complement of the least rank (see value_order.h), and the greatest
			     rank; both 0: no value had a rank yet */
  uint64_t where;
  uint64_t step, strides, stride;
  uint64_t table, spare;  /* index of the first word in the pool << 16 | places; 0: none */
  uint64_t lossy;         /* 1: values had to leave the table; else 0 */
  uint64_t due;           /* if `lossy': the number of events at which the clearing part is
			     cleared */
  uint64_t lossy_before;  /* number of tables, of earlier threads and of merged states, that values
			     had to leave */
};

/* A value of a row in earlier threads and merged states: VALUE occurred N times, and its count is
   exact in EXACT of the tables that values had to leave. */
struct cab_values_entry
{
  uint64_t key, value, n, exact;
};

struct cab_values_state
{
  uint32_t magic, places;
  uint64_t clear;                /* least number of executions from one clearing to the next */
  uint64_t lost;
  uint64_t rows, n_rows;         /* table of struct cab_values_held, and how many are in use, or a
				    few more; capacity: a power of two */
  uint64_t entries, n_entries;   /* as rows and n_rows, for struct cab_values_entry */
  uint64_t pool, n_pool;         /* table of words, and how many are allocated */
  struct cab_redo redo;
};

/* Return the state in ARENA, which must hold one, or the beginning of one. */
static inline struct cab_values_state *
cab_values_state_at (const struct cab_arena *arena)
{
  return (struct cab_values_state *) arena->base;
}

/* Return the state in ARENA, or null if it holds none that is open. */
static inline struct cab_values_state *
cab_values_state (const struct cab_arena *arena)
{
  return cab_state_is (arena, sizeof (struct cab_values_state), CAB_VALUES_MAGIC)
	 ? cab_values_state_at (arena)
	 : NULL;
}

/* Return the key of the row of access NUMBER and values of TYPE. */
static inline uint64_t
cab_values_key (uint32_t number, uint8_t type)
{
  return ((uint64_t) number << 8 | type) + 1;
}

/* Return the number of the access of KEY, which may not be 0. */
static inline uint32_t
cab_values_number (uint64_t key)
{
  return (key - 1) >> 8;
}

/* Return the type of the values of KEY, which may not be 0. */
static inline uint8_t
cab_values_type (uint64_t key)
{
  return key - 1;
}

/* Return the row of KEY in TABLE, or the free one where it belongs; null if the table is full. */
struct cab_values_held *cab_values_find (const struct cab_arena *arena, uint64_t table,
					 uint64_t key);
/* Return the row of KEY, making it if need be; null if there is no room.  May move the arena. */
struct cab_values_held *cab_values_row_of (struct cab_arena *arena, uint64_t key);
/* Return the entry of VALUE of KEY in the hash table of values, making it if need be; null if there
   is no room.  May move the arena. */
struct cab_values_entry *cab_values_entry_of (struct cab_arena *arena, uint64_t key,
					      uint64_t value);

/* Set TABLE to the table of values that REF, a row's `table' or `spare', refers to.  Return how
   many places it has; 0 if there is none, or the state is damaged. */
unsigned cab_values_table (const struct cab_arena *arena, uint64_t ref,
			   struct cab_top_table *table);
/* Allocate a table of PLACES places, all zero, in the pool.  Return a reference to it, or 0 if
   there is no room.  May move the arena. */
uint64_t cab_values_table_new (struct cab_arena *arena, unsigned places);

/* Return how many places of its table, which has PLACES, ROW uses. */
static inline unsigned
cab_values_used (const struct cab_values_held *row, unsigned places)
{
  unsigned used = row->where & CAB_VALUES_USED;
  return used < places ? used : places;
}

/* Copy the next row after *CURSOR (0 at first) to ROW, with a change that was cut off applied.
   Return false at the end. */
bool cab_values_held_next (const struct cab_arena *arena, uint64_t *cursor,
			   struct cab_values_held *row);
/* Copy the next value after *CURSOR (0 at first) to TO, with a change that was cut off applied:
   first those in tables of rows, then those in the hash table.  A value may be in both.  Return
   false at the end. */
bool cab_values_entry_next (const struct cab_arena *arena, uint64_t *cursor,
			    struct cab_values_entry *to);

/* Do what `check' of struct cab_analysis does. */
int cab_values_check (const struct cab_arena *arena, struct cab_diag *diag);

#endif
