/* round_accounts.c - see round_accounts.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/engine/feed/round_accounts.h"

#include "analyses/wire/decode.h"
#include "rt/engine/feed/rounds.h"
#include "rt/common/sys.h"

#define EACH 512u   /* least words from mark to mark */
#define MOST (CAB_ROUNDS_MOST / EACH + 1)

/* Add FROM minus MINUS to TO. */
static void
add (struct cab_feed_account *to, const struct cab_feed_account *from,
     const struct cab_feed_account *minus)
{
  uint64_t *a = (uint64_t *) to;
  const uint64_t *b = (const uint64_t *) from, *c = (const uint64_t *) minus;
  for (size_t i = 0; i < sizeof *to / sizeof *a; i++)
    a[i] += b[i] - c[i];
}

void
cab_round_accounts_clear (struct cab_round_accounts *a)
{
  if (!a->marks)
    a->marks = cab_sys_map (MOST * sizeof *a->marks);   /* the first mark accounts for nothing */
  a->n = a->marks ? 1 : 0;
}

/* Return the number of words of whole events among N, at least EACH if there are that many; the
   last event may be cut off. */
static size_t
some (const uint64_t *words, size_t n)
{
  size_t i = 0;
  while (i < n && i < EACH)
    i += 1 + cab_decode_raw (words[i]);
  return i < n ? i : n;
}

/* Decode N words after the last mark, and set marks in them. */
static void
extend (struct cab_round_accounts *a, struct cab_feed *feed, uint32_t ring, uint32_t thread,
	const uint64_t *words, size_t n)
{
  for (size_t taken; n > 0; words += taken, n -= taken)
    {
      struct cab_round_mark *last = &a->marks[a->n - 1];
      struct cab_feed_account before = feed->account;
      taken = a->n < MOST ? some (words, n) : n;
      cab_feed_skip_words (feed, ring, thread, words, taken);
      if (a->n == MOST)
	continue;
      last[1] = (struct cab_round_mark) { last->at + taken, last->account };
      add (&last[1].account, &feed->account, &before);
      a->n++;
    }
}

/* Return the first mark at or after AT; there is one. */
static const struct cab_round_mark *
first_from (const struct cab_round_accounts *a, uint64_t at)
{
  uint32_t low = 0, high = a->n - 1;
  while (low < high)
    {
      uint32_t middle = (low + high) / 2;
      if (a->marks[middle].at < at)
	low = middle + 1;
      else
	high = middle;
    }
  return &a->marks[low];
}

/* Account for the words from AT to END; marks reach END at least. */
static void
tell (const struct cab_round_accounts *a, struct cab_feed *feed, uint32_t ring, uint32_t thread,
      const uint64_t *words, uint64_t at, uint64_t end)
{
  const struct cab_round_mark *from = first_from (a, at), *to = first_from (a, end);
  to -= to->at > end;
  if (from < to)
    {
      cab_feed_skip_words (feed, ring, thread, words, from->at - at);
      add (&feed->account, &to->account, &from->account);
      words += to->at - at;
      at = to->at;
    }
  cab_feed_skip_words (feed, ring, thread, words, end - at);
}

void
cab_round_accounts_skip (struct cab_round_accounts *a, struct cab_feed *feed, uint32_t ring,
			 uint32_t thread, const uint64_t *words, uint64_t at, size_t n)
{
  uint64_t known = a->n ? a->marks[a->n - 1].at : 0;
  if (at < known)
    {
      size_t some = known - at < n ? known - at : n;
      tell (a, feed, ring, thread, words, at, at + some);
      words += some;
      at += some;
      n -= some;
    }
  if (a->n && at == known)
    extend (a, feed, ring, thread, words, n);
  else
    cab_feed_skip_words (feed, ring, thread, words, n);
}
