/* halves.c - see halves.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/halves.h"

#include <stddef.h>

#include "analyses/cache_uses.h"
#include "rt/helper.h"
#include "rt/sys.h"

#define BLOCKS 64u
#define ENTRIES 255u
#define MANY 32u      /* blocks */
#define LOOKS 2000u
#define SLEEP_NS 1000000000u

struct block
{
  uint32_t n;
  bool marked, last;            /* a mark is behind it; it is the last one */
  struct cab_use use[ENTRIES];
};

struct cab_halves
{
  struct cab_cache_uses uses;
  struct cab_use_sink sink;
  void (*front) (void *argument), (*mark) (void *argument);
  void *argument;
  /* Blocks that were told, and that were taken, ever; who waits for either sleeps, or is about to. */
  uint32_t head __attribute__ ((aligned (64)));
  uint32_t told;                /* there will be no more */
  uint32_t back_futex, back_waits;
  uint32_t tail __attribute__ ((aligned (64)));
  uint32_t front_futex, front_waits;
  struct block block[BLOCKS] __attribute__ ((aligned (64)));
};

/* Are there N blocks, or all that there will be? */
static bool
has_blocks (const struct cab_halves *h, uint32_t n)
{
  uint32_t tail = __atomic_load_n (&h->tail, __ATOMIC_RELAXED), there = __atomic_load_n (&h->head, __ATOMIC_ACQUIRE) - tail;
  return there >= n || (there && __atomic_load_n (&h->told, __ATOMIC_ACQUIRE));
}

/* Is there room for N? */
static bool
has_room (const struct cab_halves *h, uint32_t n)
{
  return __atomic_load_n (&h->head, __ATOMIC_RELAXED) - __atomic_load_n (&h->tail, __ATOMIC_ACQUIRE) + n <= BLOCKS;
}

/* Until THERE is one; if that takes long, until there are many, so that whoever has to wait does so seldom, and its processor is another's meanwhile. */
static void
wait_for (const struct cab_halves *h, bool (*there) (const struct cab_halves *h, uint32_t n), uint32_t *word, uint32_t *waits)
{
  for (uint32_t i = 0; i < LOOKS; i++)
    {
      if (there (h, 1))
	return;
      cab_pause ();
    }
  for (;;)
    {
      uint32_t seen = __atomic_load_n (word, __ATOMIC_ACQUIRE);
      __atomic_exchange_n (waits, 1, __ATOMIC_ACQ_REL);
      if (there (h, MANY))
	break;
      cab_futex_wait (word, seen, SLEEP_NS);
    }
  __atomic_store_n (waits, 0, __ATOMIC_RELAXED);
}

/* The other half is to go on, if it sleeps and is to.  Read-modify-writes on both sides: either it sees what we did, or we see that it sleeps. */
static void
wake (const struct cab_halves *h, bool (*there) (const struct cab_halves *h, uint32_t n), uint32_t *word, uint32_t *waits)
{
  if (!__atomic_fetch_add (waits, 0, __ATOMIC_ACQ_REL) || !there (h, MANY))
    return;
  __atomic_fetch_add (word, 1, __ATOMIC_ACQ_REL);
  cab_futex_wake (word, 1);
}

static struct cab_halves *
of_sink (struct cab_use_sink *sink)
{
  return (struct cab_halves *) ((char *) sink - offsetof (struct cab_halves, sink));
}

static void
enter (struct cab_halves *h)
{
  wait_for (h, has_room, &h->front_futex, &h->front_waits);
  struct block *b = &h->block[h->head % BLOCKS];
  h->sink.at = b->use;
  h->sink.end = b->use + ENTRIES;
}

/* The block under way is the back half's. */
static void
publish (struct cab_halves *h, bool marked, bool last)
{
  struct block *b = &h->block[h->head % BLOCKS];
  b->n = h->sink.at - b->use;
  b->marked = marked;
  b->last = last;
  if (last)
    __atomic_store_n (&h->told, 1, __ATOMIC_RELEASE);
  __atomic_fetch_add (&h->head, 1, __ATOMIC_ACQ_REL);
  wake (h, has_blocks, &h->back_futex, &h->back_waits);
}

static void
full (struct cab_use_sink *sink)
{
  struct cab_halves *h = of_sink (sink);
  publish (h, false, false);
  enter (h);
}

void
cab_halves_mark (struct cab_halves *h)
{
  publish (h, true, false);
  enter (h);
}

static void
run_front (void *argument)
{
  struct cab_halves *h = argument;
  enter (h);
  h->front (h->argument);
  publish (h, false, true);
}

static void
run_back (struct cab_halves *h, struct cab_arena *arena)
{
  struct cab_cache_back back = { .arena = arena, .uses = &h->uses };
  for (bool over = false; !over;)
    {
      wait_for (h, has_blocks, &h->back_futex, &h->back_waits);
      const struct block *b = &h->block[h->tail % BLOCKS];
      cab_cache_back_take (&back, b->use, b->n);
      if (b->marked || b->last)
	cab_cache_back_end (&back);
      if (b->marked)
	h->mark (h->argument);
      over = b->last;
      __atomic_fetch_add (&h->tail, 1, __ATOMIC_ACQ_REL);
      wake (h, has_room, &h->front_futex, &h->front_waits);
    }
}

struct cab_halves *
cab_halves_make (void)
{
  return cab_sys_map (sizeof (struct cab_halves));
}

bool
cab_halves_run (struct cab_halves *h, struct cab_feed_state *s, void (*front) (void *argument), void (*mark) (void *argument), void *argument)
{
  h->sink.full = full;
  if (!cab_helper_threads () || !cab_cache_uses_begin (&h->uses, &s->arena, &h->sink))
    return false;
  h->front = front;
  h->mark = mark;
  h->argument = argument;
  h->told = 0;
  s->uses = &h->uses;
  bool begun = cab_helper_begin (run_front, h);
  if (begun)
    {
      run_back (h, &s->arena);
      cab_helper_end ();
    }
  s->uses = NULL;
  return begun;
}
