/* simulate.h - accesses as steps through the caches in an analysis' state, counted in tallies that
 * the analysis chooses.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      live_caches.h.  An access that reads and writes counts as a read.  A range (memcpy,
 *             an aggregate), and what is longer than a line of D1, is an access to each line of D1
 *             that it touches, in ascending order, CAB_CACHE_RANGE_MOST bytes of it at most.  A
 *             range of no bytes is no access. One counter of the tally (n[]) stands for each row;
 *             where others change with it, all do in one step.  The lines of a row with several
 *             lines that have been accessed are counted in `begun', until the last one is.
 * Threads:    as the arena: one at a time.
 * Errors:     the state may come from a file: cab_simulate_ok.
 */
#ifndef CAB_SIMULATE_H
#define CAB_SIMULATE_H

#include "analyses/live/cache/live_caches.h"

/* Counts of some accesses. */
struct cab_tally
{
  uint64_t n[4];                          /* rows: of no access, reads, writes, both at once */
  uint64_t more[2];                       /* accesses, reads and writes, beyond one for each row */
  uint64_t missed[2][CAB_LIVE_LEVELS];
};

/* Of the row in progress: how many of its lines have been accessed, and how many of them missed. */
struct cab_begun
{
  uint64_t lines, missed[CAB_LIVE_LEVELS];
};

/* Part of a state. */
struct cab_simulate
{
  struct cab_cachesim_config config;
  uint64_t config_sum;                    /* a checksum of its bytes: a damaged geometry may ask for
					     any amount of memory */
  uint64_t mixed;                         /* states with other caches were merged into it */
  struct cab_live_caches caches;
  struct cab_begun begun;
};

/* The caches while they are fed.  Not valid after anything that may move the arena. */
struct cab_simulating
{
  struct cab_simulate *state;             /* null: the caches have not been made */
  struct cab_live live;
  struct cab_live_quick quick;
};

/* Set the configuration of the caches, and its checksum. */
void cab_simulate_configure (struct cab_simulate *state, const struct cab_cachesim_config *config);
/* Open the state of the analysis NAME, of BYTES bytes, which begins with MAGIC and has a struct
   cab_simulate at offset AT, with caches as ARGUMENTS say.  Return 0, or -1 with words in DIAG. */
int cab_simulate_open (struct cab_arena *arena, const char *name, size_t bytes, uint32_t magic,
		       uint64_t at, const char *arguments, struct cab_diag *diag);
/* Make the caches, if there are none.  AT is the offset of the struct cab_simulate in the arena.
   Return false if there is no room. */
bool cab_simulate_make (struct cab_arena *arena, uint64_t at);
/* Empty the caches, if they have been made. */
void cab_simulate_empty (const struct cab_arena *arena, uint64_t at);
/* Make the caches equal to those in FROM, of the same geometry.  Where there is no room for them,
   they stay as they are. */
void cab_simulate_carry (struct cab_arena *arena, const struct cab_arena *from, uint64_t at);
/* Give the journal of the caches, which have been made, room for N words that change in a step.
   Return false if there is none. */
bool cab_simulate_reserve (struct cab_arena *arena, uint64_t at, uint64_t n);
/* Begin to feed the caches at AT.  Take back a step that was cut off. */
void cab_simulate_begin (struct cab_simulating *simulating, const struct cab_arena *arena,
			 uint64_t at);
/* Do a step for an access that does not find all in D1, from the byte FIRST to LAST, which lie in
   at most two of its lines.  *ROWS, which counts it, becomes VALUE, and MISSED[i] grows by one for
   each level i in which it missed. */
void cab_simulate_step (struct cab_simulating *simulating, uint64_t *rows, uint64_t value,
			uint64_t *missed, uint64_t first, uint64_t last);
/* Apply a row of FORM, no allocation, and count it in TALLY, which lies in the same arena.  The
   caches have been made. */
void cab_simulate_row (struct cab_simulating *simulating, struct cab_tally *tally, unsigned form,
		       uint64_t first, uint64_t bytes);
/* Make COPY, a copy of the N words at OFFSET, what they were before a step that was cut off. */
void cab_simulate_overlay (const struct cab_arena *arena, uint64_t at, uint64_t offset,
			   uint64_t *copy, uint64_t n);
/* Return true if the state is sound.  OWN as in cab_live_ok, for tallies. */
bool cab_simulate_ok (const struct cab_arena *arena, uint64_t at,
		      bool (*own) (const struct cab_arena *arena, uint64_t offset));
/* Return true if the word at OFFSET is one of `begun'. */
bool cab_simulate_is_begun (uint64_t at, uint64_t offset);
/* Merge the caches: a state that has counted nothing (EMPTY) takes the other's; of two that differ,
   the greater ones win, so that the order of merging does not matter. */
void cab_simulate_merge (struct cab_simulate *into, const struct cab_simulate *from, bool empty);

/* Return the last byte of BYTES bytes from FIRST on.  BYTES is not 0. */
static inline uint64_t
cab_simulate_last (uint64_t first, uint64_t bytes)
{
  return bytes - 1 > UINT64_MAX - first ? UINT64_MAX : first + bytes - 1;
}

/* Return how many rows T counts. */
static inline uint64_t
cab_tally_rows (const struct cab_tally *t)
{
  return t->n[0] + t->n[1] + t->n[2] + t->n[3];
}

#endif
