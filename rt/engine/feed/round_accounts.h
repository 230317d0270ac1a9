/* round_accounts.h - what the words of a round account for, so that they are decoded once, and not
 * in each round that is left out (rounds.h).
 *
 * Model:      marks in the round's words, after events, each with the account of all words before
 *             it.  What lies between two marks accounts for their difference; what lies before the
 *             first one, and after the last, is decoded.
 * Units:      words.
 * Ownership:  marks are mapped when they are first needed, and stay.
 * Threads:    as the feed.
 * Errors:     without memory all words are decoded.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_ROUND_ACCOUNTS_H
#define CAB_RT_ROUND_ACCOUNTS_H

#include "rt/engine/feed/feed.h"

struct cab_round_mark
{
  uint64_t at;
  struct cab_feed_account account;   /* of the words before it */
};

/* All zero at first. */
struct cab_round_accounts
{
  struct cab_round_mark *marks;      /* in ascending order of place */
  uint32_t n;
};

/* Drop the marks: another round begins. */
void cab_round_accounts_clear (struct cab_round_accounts *accounts);
/* Account for N words, whole events, which stand at AT of the round, without feeding them.  Calls
   go through the round from its beginning, or continue after the words known so far. */
void cab_round_accounts_skip (struct cab_round_accounts *accounts, struct cab_feed *feed,
			      uint32_t ring, uint32_t thread, const uint64_t *words, uint64_t at,
			      size_t n);

#endif
