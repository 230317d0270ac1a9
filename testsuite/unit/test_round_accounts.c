/* test_round_accounts.c - the words of a round account for the same, in pieces of any length, as
 * when each is decoded.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <libiberty/libiberty.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "cabprof/event.h"
#include "analyses/wire/decode.h"
#include "rt/engine/feed/round_accounts.h"
#include "rt/engine/feed/rounds.h"
#include "rt/common/sys.h"
#include "testsuite/unit/seeded.h"

#define RING 3
#define THREAD 5

static uint64_t n_decoded;   /* words */

void *
cab_sys_map (size_t bytes)
{
  void *p = mmap (NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return p == MAP_FAILED ? NULL : p;
}

/* Do what the feed does: whole events are analysed, raw words counted; what follows an event's
   header and was cut off belongs to nobody. */
void
cab_feed_skip_words (struct cab_feed *feed, uint32_t ring, uint32_t thread, const uint64_t *words,
		     size_t n)
{
  CU_ASSERT_FATAL (ring == RING && thread == THREAD);
  n_decoded += n;
  for (size_t i = 0; i < n; i += 1 + cab_decode_raw (words[i]))
    {
      size_t raw = cab_decode_raw (words[i]);
      if (i + raw >= n)
	break;
      feed->account.total[words[i] >> CAB_EV_FN_SHIFT & 7]++;
      feed->account.tally.analysed++;
      feed->account.tally.raw_words += raw;
      for (size_t k = 0; k < raw; k++)
	feed->account.tally.dropped[k % CAB_N_DROPS] += words[i + 1 + k];
    }
}

/* Store where events begin in N words of them, and the end; return how many. Their raw words count
   too. */
struct round
{
  uint64_t *words;
  uint64_t *begins, n_begins;
  size_t n;
};

static struct round
make_round (size_t n)
{
  struct round round = { xcalloc (n + CAB_ACCESS_WORDS + 1, 8), xcalloc (n + 1, 8), 0, 0 };
  while (round.n < n)
    {
      uint64_t raw = draw (CAB_ACCESS_WORDS + 1);
      round.begins[round.n_begins++] = round.n;
      round.words[round.n++] = draw (1 << 20) << CAB_EV_FN_SHIFT | raw << CAB_EV_WORDS_SHIFT
			     | CAB_EV_ACCESS;
      while (raw-- > 0)
	round.words[round.n++] = draw (1 << 30);
    }
  return round;
}

/* For TIMES rounds in pieces of whole events, MOST events at most, of which the round's last one
   lacks CUT words, the accounts are those of decoding. */
static void
check (struct cab_round_accounts *accounts, struct round *round, int times, uint64_t most,
       size_t cut)
{
  struct cab_feed *one = xcalloc (1, sizeof *one), *all = xcalloc (1, sizeof *all);
  size_t n = round->n - cut;
  cab_round_accounts_clear (accounts);
  for (; times > 0; times--)
    for (uint64_t i = 0, k; i < round->n_begins; i = k)
      {
	k = i + 1 + draw (most);
	size_t at = round->begins[i], end = k < round->n_begins ? round->begins[k] : n;
	end = end > n ? n : end;
	if (at >= end)
	  break;
	cab_round_accounts_skip (accounts, one, RING, THREAD, round->words + at, at, end - at);
	cab_feed_skip_words (all, RING, THREAD, round->words + at, end - at);
	CU_ASSERT_FATAL (!memcmp (&one->account, &all->account, sizeof one->account));
      }
  free (one);
  free (all);
}

static void
test_pieces (void)
{
  struct cab_round_accounts accounts = { .n = 0 };
  for (int i = 0; i < 200; i++)
    {
      struct round round = make_round (1 + draw (i % 2 ? 20000 : 600));
      check (&accounts, &round, 3, 1 + draw (2000), 0);
      free (round.words);
      free (round.begins);
    }
}

/* The last event's words do not all fit in the round, as at the end of a chunk that is damaged. */
static void
test_cut (void)
{
  struct cab_round_accounts accounts = { .n = 0 };
  for (int i = 0; i < 200; i++)
    {
      struct round round = make_round (500 + draw (40));
      size_t raw = cab_decode_raw (round.words[round.begins[round.n_begins - 1]]);
      check (&accounts, &round, 3, 1 + draw (1000), raw ? 1 + draw (raw) : 0);
      free (round.words);
      free (round.begins);
    }
}

/* The longest possible round has marks to its end, and what is longer is decoded after them. */
static void
test_long (void)
{
  struct cab_round_accounts accounts = { .n = 0 };
  struct round round = make_round (CAB_ROUNDS_MOST + 5000);
  check (&accounts, &round, 3, 3000, 0);
  free (round.words);
  free (round.begins);
}

/* Its purpose holds: after the first round little is decoded. */
static void
test_saves (void)
{
  struct cab_round_accounts accounts = { .n = 0 };
  struct cab_feed *feed = xcalloc (1, sizeof *feed);
  struct round round = make_round (100000);
  n_decoded = 0;
  cab_round_accounts_clear (&accounts);
  for (int i = 0; i < 10; i++)
    cab_round_accounts_skip (&accounts, feed, RING, THREAD, round.words, 0, round.n);
  CU_ASSERT_EQUAL (n_decoded, round.n);
  CU_ASSERT_EQUAL (feed->account.tally.analysed, 10 * round.n_begins);
  free (feed);
  free (round.words);
  free (round.begins);
}

int
main (int argc, char **argv)
{
  CU_TestInfo tests[] = { { "pieces", test_pieces },
			  { "cut", test_cut },
			  { "long", test_long },
			  { "saves", test_saves },
			  CU_TEST_INFO_NULL };
  return run_seeded (argc, argv, "round_accounts", tests);
}
