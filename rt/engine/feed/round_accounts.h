/* round_accounts.h - what the words of a round account for, so that they are decoded once, and not
 * in each round that is left out (rounds.h).
 *
 * Model:      marks in the round's words, behind events, and the account of all words before each.
 *             Between two of them it is the difference; what lies before the first one, and behind
 *             the last, is decoded.
 * Units:      words.
 * Ownership:  marks are mapped when they are first of use, and stay.
 * Threads:    as the feed.
 * Errors:     no memory: all words are decoded.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_ROUND_ACCOUNTS_H
#define CAB_RT_ROUND_ACCOUNTS_H

#include "rt/engine/feed/feed.h"

struct cab_round_mark
{
  uint64_t at;
  struct cab_feed_account account;   /* of the words before */
};

/* Zero at first. */
struct cab_round_accounts
{
  struct cab_round_mark *marks;      /* by place */
  uint32_t n;
};

/* Another round. */
void cab_round_accounts_clear (struct cab_round_accounts *accounts);
/* Account for N words, whole events, which the round has from AT on, and feed them to nobody.  They
   come from its beginning on, or behind those that came before. */
void cab_round_accounts_skip (struct cab_round_accounts *accounts, struct cab_feed *feed,
			      uint32_t ring, uint32_t thread, const uint64_t *words, uint64_t at,
			      size_t n);

#endif
