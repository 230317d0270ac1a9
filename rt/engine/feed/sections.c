/* sections.c - see sections.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/engine/feed/sections.h"

#include <stddef.h>

#include <sys/mman.h>

#include "analyses/live/cache/cache_cut.h"
#include "analyses/live/cache/sectioned.h"
#include "rt/workers/helper.h"
#include "rt/common/sys.h"

#define SLOTS 8u
#define LOOKS 2000u
#define SLEEP_NS 1000000000u
#define ROUND_MOST (UINT64_C (1) << 22)   /* most words to remember a round by */

/* A repeated round, and its memory. */
struct round
{
  struct cab_section_round round;
  uint64_t *words, n_words;
};

struct cab_sections
{
  const struct cab_sectioned *by;
  struct cab_section_cutter cutter;
  struct cab_section_caches caches;
  struct cab_arena *arena;
  void (*mark) (void *argument);
  void *argument;
  bool helped;
  uint32_t tail;                /* sections ever committed */
  uint32_t head __attribute__ ((aligned (64)));          /* sections ever cut */
  uint32_t taken __attribute__ ((aligned (64)));         /* sections ever taken to be looked up */
  uint32_t futex, waits;                                 /* WAITS: the draining thread sleeps, or is
							    about to */
  uint32_t done[SLOTS] __attribute__ ((aligned (64)));   /* its section has been looked up */
  struct round round[CAB_ROUNDS_KINDS];
  struct cab_section_worker worker[2];                   /* of the draining thread, and of the
							    helper */
  struct cab_section section[SLOTS];
};

static bool
is_there (const struct cab_sections *s)
{
  return __atomic_load_n (&s->taken, __ATOMIC_RELAXED)
      != __atomic_load_n (&s->head, __ATOMIC_ACQUIRE);
}

/* Return true if the oldest section has been looked up. */
static bool
is_done (const struct cab_sections *s)
{
  return __atomic_load_n (&s->done[s->tail % SLOTS], __ATOMIC_ACQUIRE);
}

/* Return true if IT becomes true within some time of polling. */
static bool
soon (const struct cab_sections *s, bool (*it) (const struct cab_sections *s))
{
  for (uint32_t i = 0; i < LOOKS; i++)
    {
      if (it (s))
	return true;
      cab_pause_or_yield (i);
    }
  return false;
}

/* Wait, in the draining thread, until the oldest section has been looked up. */
static void
wait (struct cab_sections *s)
{
  if (soon (s, is_done))
    return;
  for (;;)
    {
      uint32_t seen = __atomic_load_n (&s->futex, __ATOMIC_ACQUIRE);
      __atomic_exchange_n (&s->waits, 1, __ATOMIC_ACQ_REL);
      if (is_done (s))
	break;
      cab_futex_wait (&s->futex, seen, SLEEP_NS);
    }
  __atomic_store_n (&s->waits, 0, __ATOMIC_RELAXED);
}

/* Wake the draining thread after the helper has looked one up.  Read-modify-writes on both sides:
   either the draining thread sees that, or we see that it sleeps. */
static void
wake (struct cab_sections *s)
{
  if (!__atomic_fetch_add (&s->waits, 0, __ATOMIC_ACQ_REL))
    return;
  __atomic_fetch_add (&s->futex, 1, __ATOMIC_ACQ_REL);
  cab_futex_wake (&s->futex, 1);
}

/* Look up the oldest section that is not taken yet.  Return false if there is none. */
static bool
work (struct cab_sections *s, struct cab_section_worker *worker)
{
  uint32_t taken = __atomic_load_n (&s->taken, __ATOMIC_RELAXED);
  do
    if (taken == __atomic_load_n (&s->head, __ATOMIC_ACQUIRE))
      return false;
  while (!__atomic_compare_exchange_n (&s->taken, &taken, taken + 1, false, __ATOMIC_ACQ_REL,
				       __ATOMIC_RELAXED));
  cab_section_look_up (worker, &s->caches, &s->section[taken % SLOTS]);
  __atomic_exchange_n (&s->done[taken % SLOTS], 1, __ATOMIC_ACQ_REL);
  return true;
}

static void
help (void *argument)
{
  struct cab_sections *s = argument;
  do
    while (work (s, &s->worker[1]))
      wake (s);
  while (soon (s, is_there));
}

/* Report the marks of SECTION, the oldest one, which has been committed. */
static void
mark_all (struct cab_sections *s, struct cab_section *section)
{
  for (; section->n_marks > 0; section->n_marks--)
    s->mark (s->argument);
}

/* Commit the oldest section. */
static void
commit (struct cab_sections *s)
{
  struct cab_section *section = &s->section[s->tail % SLOTS];
  cab_section_learn (&s->cutter, section);
  s->by->take (s->arena, &s->worker[0], &s->caches, section);
  mark_all (s, section);
  __atomic_store_n (&s->done[s->tail % SLOTS], 0, __ATOMIC_RELAXED);
  s->tail++;
}

/* Look up and commit sections until no more than LEFT are left. */
static void
get_on (struct cab_sections *s, uint32_t left)
{
  while (s->head - s->tail > left)
    if (is_done (s))
      commit (s);
    else if (!work (s, &s->worker[0]))
      wait (s);
}

/* Put the section being cut into the circle.  The helper gets no offer before there is work: it
   would poll, and the program may need its processor. */
static void
put (struct cab_sections *s)
{
  __atomic_fetch_add (&s->head, 1, __ATOMIC_ACQ_REL);
  if (s->helped)
    cab_helper_offer (help, s);
}

/* Return true if the helper has enough to do while a section is committed. */
static bool
is_busy (const struct cab_sections *s)
{
  return s->head - __atomic_load_n (&s->taken, __ATOMIC_RELAXED) > 1;
}

/* Make a slot free for the next section.  The helper's needs come first: sections are committed
   while it has some to look up, or where there is no slot. */
static void
enter (struct cab_sections *s)
{
  while (s->head != s->tail && is_done (s) && is_busy (s))
    commit (s);
  get_on (s, s->helped ? SLOTS - 1 : 0);
  s->cutter.section = &s->section[s->head % SLOTS];
  cab_section_clear (s->cutter.section);
}

static void
full (struct cab_section_cutter *cutter)
{
  struct cab_sections *s = (struct cab_sections *) ((char *) cutter
						    - offsetof (struct cab_sections, cutter));
  put (s);
  enter (s);
}

void
cab_sections_mark (struct cab_sections *s)
{
  s->cutter.section->n_marks++;
  if (s->head == s->tail && !s->cutter.section->n_items)
    mark_all (s, s->cutter.section);
}

bool
cab_sections_get_on (struct cab_sections *s)
{
  if (s->head == s->tail)
    {
      if (!s->cutter.section->n_marks)
	return false;
      full (&s->cutter);
    }
  get_on (s, s->head - s->tail - 1);
  return true;
}

/* Commit all that was cut.  A section without items needs no lookup. */
static void
settle (struct cab_sections *s)
{
  bool is_empty = !s->cutter.section->n_items;
  if (!is_empty)
    put (s);
  get_on (s, 0);
  if (is_empty)
    mark_all (s, s->cutter.section);
  else
    enter (s);
}

unsigned
cab_sections_rounds_fed (struct cab_sections *s)
{
  return s->by->rounds_fed (s->arena);
}

/* Make room for N words in R.  Return false if there is no memory. */
static bool
make_room (struct round *r, uint64_t n)
{
  if (n <= r->n_words)
    return true;
  uint64_t *words = n <= ROUND_MOST ? cab_sys_map (n * sizeof *words) : NULL;
  if (!words)
    return false;
  if (r->words)
    munmap (r->words, r->n_words * sizeof *words);
  r->words = words;
  r->n_words = n;
  return true;
}

bool
cab_sections_begin_round (struct cab_sections *s, enum cab_sections_round kind)
{
  struct round *r = &s->round[kind];
  settle (s);
  if (!make_room (r, s->by->round_words (s->arena)))
    return false;
  s->by->round_begin (&r->round, s->arena, r->words);
  return true;
}

enum cab_sections_rounds
cab_sections_end_round (struct cab_sections *s, enum cab_sections_round kind, unsigned times)
{
  struct cab_section_round *round = &s->round[kind].round;
  settle (s);
  if (s->by->round_end (round, s->arena) && cab_section_round_is_last (round, times))
    return CAB_ROUNDS_ENOUGH;
  return times < cab_sections_rounds_fed (s) ? CAB_ROUNDS_MORE : CAB_ROUNDS_NEVER;
}

void
cab_sections_repeat (struct cab_sections *s, enum cab_sections_round kind, uint64_t n,
		     uint64_t ahead, uint64_t rows)
{
  settle (s);
  s->by->round_repeat (&s->round[kind].round, s->arena, n, ahead, rows);
}

uint64_t *
cab_sections_room (struct cab_sections *s, uint64_t n)
{
  settle (s);
  return s->by->ahead_room (s->arena, n);
}

void
cab_sections_caught_up (struct cab_sections *s)
{
  settle (s);
  s->by->ahead_end (s->arena);
}

struct cab_sections *
cab_sections_make (const struct cab_sectioned *by)
{
  struct cab_sections *s = cab_sys_map (sizeof *s);
  if (s)
    s->by = by;
  return s;
}

bool
cab_sections_run (struct cab_sections *s, struct cab_feed_state *state, const uint64_t *made,
		  const uint64_t *made_end, void (*front) (void *argument),
		  void (*mark) (void *argument), void *argument, bool helped)
{
  if (!s->by->begin (&s->caches, &state->arena))
    return false;
  s->helped = helped && cab_helper_threads ();
  s->cutter.made = made;
  s->cutter.made_end = made_end;
  s->cutter.full = full;
  s->arena = &state->arena;
  s->mark = mark;
  s->argument = argument;
  state->cutter = &s->cutter;
  enter (s);
  front (argument);
  settle (s);
  state->cutter = NULL;
  return true;
}
