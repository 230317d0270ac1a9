/* analysis_events.h - made-up events of a thread's life, and the rows that they must give.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      a state is compared by its rows: (key, count), sorted, without zeros. A tree node's
 *             key is a hash of its chain; the expected rows come from a stack of such hashes, so
 *             the tests have no tree.
 * Ownership:  rows and events are the caller's, to be freed: free (rows.row), free_events.
 */
#ifndef CAB_TEST_ANALYSIS_EVENTS_H
#define CAB_TEST_ANALYSIS_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "analyses/live/an_values.h"
#include "testsuite/unit/seeded.h"

#define N_FN 40
#define N_SITE 60
#define COUNTERS_PER_FN 10
#define N_LOOP 8
#define LOOP_OF(site) ((site) % N_LOOP)

struct row
{
  uint64_t key, count;
};

struct rows
{
  struct row *row;
  size_t n, room;
};

struct events
{
  size_t n;
  uint32_t *fn, *site, *depth;
  uint8_t *form;
  uint64_t *path;
  uint8_t *loop_form;
  uint64_t *count;   /* of loop events */
  uint8_t *access_form;                /* rows of ACCESS batches, at `site` */
  uint64_t *address, *other, *bytes;
  uint64_t *value;
  uint8_t *value_type;
  const struct cab_shape **shape;      /* if not null: analyses that want shapes get these instead
					  of the rows */
  uint64_t *passes;
};

/* Event I with a time: every third one is an end. */
uint64_t timed_word (const struct events *e, size_t i);
uint64_t timed_clock (size_t i);

uint64_t mix (uint64_t a, uint64_t b, uint64_t c);

void add (struct rows *rows, uint64_t key, uint64_t count);
/* Sort, sum equal keys, drop zeros. */
void tidy (struct rows *rows);
bool equal (const struct rows *a, const struct rows *b);
/* The arguments of `cache': the tests have small caches. */
extern const char *cache_arguments;
const char *arguments_of (const struct cab_analysis *analysis);
/* Make an empty arena, opened with these arguments. */
void open_arena (struct cab_arena *arena, const struct cab_analysis *analysis);

/* Return true if the tests have no function of their own that reads the states of ANALYSIS: its
   rows are then the lines of its report. */
bool only_reported (const struct cab_analysis *analysis);
/* Return the rows of a state. */
struct rows rows_of (const struct cab_analysis *analysis, const struct cab_arena *arena);
/* Return the same without the most bytes that lived at once: for several threads these are a
   bound. */
struct rows rows_without_peaks (const struct cab_analysis *analysis, const struct cab_arena *arena);
/* Return those that the first TO events must give: by a model in analysis_rows.c, or, of an
   analysis that is only known by its report, those of a state that gets the events one by one.
   What such a report must say is checked by testsuite/golden/reports.sh. */
struct rows expected (const struct cab_analysis *analysis, const struct events *e, size_t to);
/* Tables of `values' are small in tests, and soon cleared. */
#define VALUE_PLACES 6
#define VALUE_CLEAR 9
/* Add each number that `values' has of an access as a row; then those of one value; then those that
   the first TO events must give. */
void add_values (struct rows *rows, const struct cab_values_row *row);
void add_value (struct rows *rows, const struct cab_values_value *value);
void expect_values (struct rows *rows, const struct events *e, size_t to);
/* Return true if ANALYSIS gets these events as shapes. */
bool by_shape (const struct cab_analysis *analysis, const struct events *e);

/* Make a thread's life: calls, returns of several frames at once, tail calls, calls back from below
   tail calls. */
struct events make_events (size_t n);
/* Make shapes for the events, with passes up to MOST_PASSES. */
void make_shapes (struct events *e, uint64_t most_passes);
void free_events (struct events *e);
/* Return how many events of its kinds ANALYSIS counts in the first N. */
uint64_t events_in (const struct cab_analysis *analysis, const struct events *e, size_t n);

/* Return the level that access I has where an analysis wants levels. */
static inline uint8_t
level_of (const struct events *e, size_t i)
{
  return (e->site[i] + e->address[i] / 64) % 4;
}

/* Return the path that event I is where an analysis wants the stack; 0: it is an access. */
uint64_t path_word (const struct events *e, size_t i);
/* Return how many frames the stack has there at event I, and how many of them have not been left
   since the event before. */
uint32_t frames_at (size_t i);
uint32_t frames_kept (size_t i);

/* The functions that the events belong to. */
extern const struct cab_functions functions;
/* The thread that the events belong to; 0 at first. */
extern uint32_t feeding_thread;
/* Feed events [FROM, TO) to ANALYSIS, as the batches that it takes. */
void feed (const struct cab_analysis *analysis, struct cab_arena *arena, const struct events *e,
	   size_t from, size_t to);
/* Return true if check accepts the state; otherwise print why not. */
bool sound (const struct cab_analysis *analysis, const struct cab_arena *arena);
/* Return true if ARENA is what the first N events give; otherwise print which analysis it is. */
bool holds (const struct cab_analysis *analysis, const struct cab_arena *arena,
	    const struct events *e, size_t n);

#endif
