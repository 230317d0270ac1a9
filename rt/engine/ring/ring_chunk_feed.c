/* ring_chunk_feed.c - the consumer of the chunk ring: see ring_chunk_feed.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/engine/ring/ring_chunk_feed.h"

#include "analyses/live/cache/sectioned.h"
#include "analyses/wire/decode.h"
#include "rt/base/control_page.h"
#include "rt/engine/feed/feed_bursts.h"
#include "rt/engine/feed/feed_serial.h"
#include "rt/engine/feed/sections.h"
#include "rt/engine/ring/budget.h"
#include "rt/engine/ring/ring_chunk.h"
#include "rt/engine/ring/ring_wait.h"
#include "rt/engine/ring/trace.h"

#define SOME 512u            /* words that are examined */
#define MANY_ACCESSES 16u    /* per word */
#define SLOWEST 64u          /* chunks in a stratum that a lower rate makes */

int
cab_chunk_ready (const struct cab_ring *r)
{
  return __atomic_load_n (&r->header->head, __ATOMIC_ACQUIRE)
      != __atomic_load_n (&r->header->tail, __ATOMIC_RELAXED);
}

static uint32_t
used_of (const struct cab_ring *r, uint64_t chunk)
{
  uint32_t used = r->header->used[chunk % r->n_chunks];
  return used < CAB_CHUNK_STRIDE (r) ? used : 0;
}

/* Record that WORDS more words stood for ACCESSES.  Older words weigh less. */
static void
note_seen (struct cab_ring *r, uint64_t words, uint64_t accesses)
{
  bool many = r->words_seen >= r->chunk_slots;
  r->words_seen = (r->words_seen >> many) + words;
  r->accesses_seen = (r->accesses_seen >> many) + accesses;
}

/* Analyse chunk number CHUNK by WORDS, which is passed the chunk's words. */
static void
feed_by (struct cab_ring *r, uint64_t chunk,
	 void (*words) (struct cab_ring *r, const uint64_t *words, size_t n))
{
  const struct cab_ring_header *h = r->header;
  uint32_t used = used_of (r, chunk);
  uint64_t accesses = r->feed.account.tally.accesses;
  if (cab_trace_on ())
    cab_trace_chunk (r->number, h->thread, chunk, h->stamp[chunk % r->n_chunks],
		     cab_chunk_at (r, chunk), used);
  uint32_t open = r->open_words < used ? r->open_words : used;   /* fed before it was published */
  if (cab_direct_on ())
    cab_direct_account (r, cab_chunk_at (r, chunk), open);
  words (r, cab_chunk_at (r, chunk) + open, used - open);
  r->open_words = 0;
  note_seen (r, used - open, r->feed.account.tally.accesses - accesses);
}

static void
feed_words (struct cab_ring *r, const uint64_t *words, size_t n)
{
  cab_feed_words (&r->feed, r->number, r->header->thread, words, n);
}

/* Estimate how many accesses N words like those at WORDS stand for. */
static void
look (struct cab_ring *r, const uint64_t *words, size_t n)
{
  r->words_seen = n < SOME ? n : SOME;
  r->accesses_seen = cab_feed_look (&r->feed, r->header->thread, words, &r->words_seen);
}

/* Move tail after chunk `tail' has been analysed; ACCOUNT is the chunk's.  A producer that waits is
   woken where half of the chunks are free: to sleep and wake for each chunk takes longer than to
   fill it, and to wait for all of them would leave the analysis idle in turn. */
static void
move_tail (struct cab_ring *r, const struct cab_feed_account *account)
{
  struct cab_ring_header *h = r->header;
  uint64_t next = h->tail + 1;
  cab_feed_put_account (&r->feed, account, h, next & 1);
  __atomic_store_n (&h->tail, next, __ATOMIC_RELEASE);
  if (2 * (__atomic_load_n (&h->head, __ATOMIC_RELAXED) - next) <= r->n_chunks)
    cab_ring_moved (r);
}

/* Analyse the chunk at `tail', and move that. */
static void
consume (struct cab_ring *r)
{
  const struct cab_ring_header *h = r->header;
  cab_feed_serial_begin (r->number, h->tail & 1);
  feed_by (r, h->tail, feed_words);
  cab_feed_serial_words (&r->feed, r->number, h->thread, cab_chunk_at (r, h->tail),
			 used_of (r, h->tail));
  struct cab_feed_account account = cab_feed_account (&r->feed);
  move_tail (r, &account);
  cab_feed_serial_end ();
}

/* Return true if sections pay.  They do if recent words stood for many accesses each, which is less
   work by sections, while the producer seldom needs a processor; or if a second thread helps, and
   the analysis is the bottleneck. */
static bool
sections_pay (const struct cab_ring *r)
{
  return r->accesses_seen
      && (r->accesses_seen >= MANY_ACCESSES * r->words_seen
	  || (cab_feed_is_helped () && cab_chunk_is_behind (r)));
}

/* Feed the rest of the left-out words, which the state has as words: whole rounds have been
   counted, and what there was of one more is fed. */
static void
feed_left_out (struct cab_ring *r)
{
  struct cab_rounds *rounds = &r->rounds;
  cab_feed_skipped_words (&r->feed, r->number, r->header->thread, rounds->round, rounds->at);
  cab_sections_caught_up (r->feed.sections);
  cab_rounds_leave (rounds);
}

/* Tell the state what was left out: whole rounds, and words of one more. */
static void
tell_left_out (struct cab_ring *r)
{
  struct cab_rounds *rounds = &r->rounds;
  cab_sections_repeat (r->feed.sections, CAB_ROUND_OF_WORDS, cab_rounds_tell (rounds), rounds->at,
		       r->feed.account.total[CAB_EV_ACCESS] - r->round_accesses);
}

/* Do what WHAT asks for before more words are taken. */
static void
go_on (struct cab_ring *r, enum cab_rounds_what what)
{
  struct cab_rounds *rounds = &r->rounds;
  struct cab_sections *sections = r->feed.sections;
  uint64_t *room = NULL;
  enum cab_sections_rounds enough = CAB_ROUNDS_NEVER;
  switch (what)
    {
    case CAB_ROUNDS_ROOM:
      room = cab_sections_room (sections, rounds->length);
      enough = room ? CAB_ROUNDS_ENOUGH : CAB_ROUNDS_NEVER;
      break;
    case CAB_ROUNDS_BEGIN:
      enough = cab_sections_begin_round (sections, CAB_ROUND_OF_WORDS) ? CAB_ROUNDS_ENOUGH
								       : CAB_ROUNDS_NEVER;
      break;
    case CAB_ROUNDS_END:
      enough = cab_sections_end_round (sections, CAB_ROUND_OF_WORDS, rounds->times);
      cab_round_accounts_clear (&r->round_accounts);
      r->round_accesses = r->feed.account.total[CAB_EV_ACCESS];
      break;
    default:
      tell_left_out (r);
      feed_left_out (r);
      return;
    }
  if (enough == CAB_ROUNDS_ENOUGH)
    cab_rounds_go_on (rounds, room);
  else if (enough == CAB_ROUNDS_MORE)
    cab_rounds_more (rounds);
  else
    cab_rounds_refuse (rounds);
}

/* Feed words, except repeated rounds among them. */
static void
feed_rounds (struct cab_ring *r, const uint64_t *words, size_t n)
{
  if (!cab_feed_may_skip (&r->feed) || !cab_sections_rounds_fed (r->feed.sections))
    {
      feed_words (r, words, n);
      return;
    }
  if (!r->rounds.kept)
    r->rounds.kept = cab_sys_map (CAB_ROUNDS_MOST * sizeof *r->rounds.kept);
  for (size_t taken; n > 0; words += taken, n -= taken)
    {
      enum cab_rounds_what what = cab_rounds_next (&r->rounds, words, n,
						   r->feed.account.total[CAB_EV_ACCESS], &taken);
      if (what == CAB_ROUNDS_FEED)
	feed_words (r, words, taken);
      else if (what != CAB_ROUNDS_SKIP)
	go_on (r, what);
      else
	{
	  size_t end = r->rounds.at ? r->rounds.at : r->rounds.length;
	  cab_round_accounts_skip (&r->round_accounts, &r->feed, r->number, r->header->thread,
				   words, end - taken, taken);
	  r->round_accesses = r->rounds.at ? r->round_accesses
					   : r->feed.account.total[CAB_EV_ACCESS];
	}
    }
}

static inline bool
is_left_out (const struct cab_ring *r)
{
  return r->rounds.state == CAB_ROUNDS_SAME;
}

/* Feed all published chunks, and those that are published while there is work. */
static void
feed_all (void *argument)
{
  struct cab_ring *r = argument;
  uint64_t chunk = r->header->tail;
  do
    for (; chunk != __atomic_load_n (&r->header->head, __ATOMIC_ACQUIRE); chunk++)
      {
	feed_by (r, chunk, feed_rounds);
	if (is_left_out (r))
	  tell_left_out (r);
	r->accounts[chunk % r->n_chunks] = cab_feed_account (&r->feed);
	cab_sections_mark (r->feed.sections);
      }
  while (cab_sections_get_on (r->feed.sections));
}

static void
fed (void *argument)
{
  struct cab_ring *r = argument;
  move_tail (r, &r->accounts[r->header->tail % r->n_chunks]);
}

static bool
drain_cut (struct cab_ring *r)
{
  if (!cab_feed_may_cut (&r->feed))
    return false;
  /* The reader of a dead process assumes that accesses by shape were decoded from chunks'
     beginnings: so a first chunk is not cut. */
  if (!r->words_seen && r->feed.shapes)
    return false;
  if (!r->words_seen)
    look (r, cab_chunk_at (r, r->header->tail), used_of (r, r->header->tail));
  if (!is_left_out (r) && !sections_pay (r))
    return false;
  if (!r->accounts)
    r->accounts = cab_sys_map (r->most_chunks * sizeof *r->accounts);
  return r->accounts
      && cab_feed_cut (&r->feed, r->number, r->header->thread, feed_all, fed, r);
}

/* Return the words of whole events in the chunk that the producer is writing, which is the next
   one, without those already fed; their number in *N. */
static const uint64_t *
written (const struct cab_ring *r, size_t *n)
{
  const struct cab_ring_header *h = r->header;
  size_t from = r->open_words, all = cab_ring_open_words (h, h->tail);
  *n = all > from ? all - from : 0;
  return cab_chunk_at (r, h->tail) + from;
}

/* Feed these words.  They stay where they are: the chunk is consumed before it is written again. */
static void
feed_open (void *argument)
{
  struct cab_ring *r = argument;
  size_t n;
  const uint64_t *words = written (r, &n);
  uint64_t accesses = r->feed.account.tally.accesses;
  feed_rounds (r, words, n);
  note_seen (r, n, r->feed.account.tally.accesses - accesses);
  if (is_left_out (r))
    tell_left_out (r);
  r->open_words += n;
}

int
cab_chunk_peek (struct cab_ring *r)
{
  const struct cab_ring_header *h = r->header;
  size_t n;
  if (r->is_hidden || cab_chunk_ready (r) || !cab_feed_may_cut (&r->feed)
      || !cab_feed_may_skip (&r->feed) || cab_trace_on ())
    return 0;
  const uint64_t *words = written (r, &n);
  if (!n)
    return 0;
  if (!r->words_seen)
    look (r, words, n);
  return sections_pay (r)
      && cab_feed_cut (&r->feed, r->number, h->thread, feed_open, NULL, r);
}

/* Feed what was left out, and is in the state as words. */
static void
feed_rest (void *argument)
{
  feed_left_out (argument);
}

/* Bring the state up to date, since no more repeated words follow for now. */
static void
catch_up (struct cab_ring *r)
{
  struct cab_feed_state *s = r->feed.cut;
  if (!is_left_out (r)
      || cab_feed_cut (&r->feed, r->number, r->header->thread, feed_rest, NULL, r))
    return;
  cab_feed_skipped_words (&r->feed, r->number, r->header->thread, r->rounds.round, r->rounds.at);
  s->analysis->sectioned->ahead_end (&s->arena);
  cab_rounds_leave (&r->rounds);
}

void
cab_chunk_written (struct cab_ring *r)
{
  size_t n;
  const uint64_t *words = written (r, &n);
  if (cab_direct_on ())
    {
      cab_direct_catch_up (r, true);
      return;
    }
  catch_up (r);
  if (r->is_hidden || cab_chunk_ready (r) || !n || cab_rt.options.bursts)
    return;
  cab_rounds_miss (&r->rounds, n);
  /* Serial states get these words with the rest of the chunk. */
  cab_feed_serial_begin (r->number, r->header->tail & 1);
  feed_words (r, words, n);
  cab_feed_serial_end ();
  r->open_words += n;
}

/* Feed the chunk at `tail' if it is chosen, as a burst, or pass it; and move that. */
static void
sample (struct cab_ring *r)
{
  struct cab_part_share *share = &cab_control_page ()->share;
  uint64_t chunk = r->header->tail;
  enum cab_overhead how = cab_budget_note (r->number, used_of (r, chunk));
  bool is_chosen = cab_strata_next (&r->strata, chunk) == chunk;
  if (is_chosen)
    {
      cab_feed_burst (&r->feed, r->number, r->header->thread, chunk,
		      cab_strata_read (&r->strata, false), cab_chunk_at (r, chunk),
		      used_of (r, chunk));
      cab_feed_bursts_end (&r->feed, r->number, r->header->thread);
    }
  cab_ledger_add (is_chosen ? &share->bursts : &share->passed,
		  is_chosen ? 1 : used_of (r, chunk));
  struct cab_feed_account account = cab_feed_account (&r->feed);
  move_tail (r, &account);
  bool ending = __atomic_load_n (&r->ending, __ATOMIC_RELAXED);
  if (how == CAB_OVERHEAD_OVER || (is_chosen && !ending && cab_chunk_is_behind (r)))
    cab_ledger_add (&share->slowed, cab_strata_slow (&r->strata, SLOWEST));
  if (cab_strata_note (&r->strata, how == CAB_OVERHEAD_ROOM && !cab_chunk_ready (r)))
    cab_ledger_add (&share->raised, 1);
}

/* Do what cab_chunk_drain does in a process that reads only some events. */
static int
drain_some (struct cab_ring *r)
{
  int worked = 0;
  if (!r->strata.random)
    cab_strata_begin (&r->strata, cab_rt.options.rate, r->number + 1);
  for (; cab_chunk_ready (r); worked = 1)
    sample (r);
  return worked;
}

int
cab_chunk_drain (struct cab_ring *r)
{
  int worked = 0;
  if (cab_rt.options.bursts)
    return drain_some (r);
  for (; cab_chunk_ready (r); worked = 1)
    if (!drain_cut (r))
      {
	catch_up (r);
	cab_rounds_miss (&r->rounds, used_of (r, r->header->tail));
	consume (r);
      }
  if (__atomic_load_n (&r->ending, __ATOMIC_RELAXED))
    catch_up (r);
  return worked;
}
