/* share_pair.c - see share_pair.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/sharing/share_pair.h"
#include "analyses/live/an_sharing.h"

/* Accesses of one thread to bytes that are apart [0], and to truly shared ones [1]. */
struct tally
{
  uint64_t n[2], writes[2];
};

void
cab_share_add (struct cab_share *share, const struct cab_sharing_row *row)
{
  share->read[row->own] |= row->read;
  share->written[row->own] |= row->written;
  share->rows[share->n++] = row;
}

static uint64_t
bytes_of (const struct cab_share *share, bool own)
{
  return share->read[own] | share->written[own];
}

/* Return true if A and B share memory, OWN_A and OWN_B saying whether each side's memory is its
   own. */
static bool
share (const struct cab_share *a, bool own_a, const struct cab_share *b, bool own_b)
{
  uint64_t all_a = bytes_of (a, own_a), all_b = bytes_of (b, own_b);
  return all_a && all_b && (a->written[own_a] | b->written[own_b])
      && !(own_a && own_b && all_a & all_b);
}

static uint64_t
part (uint64_t n, uint64_t some, uint64_t all)
{
  return (unsigned __int128) n * __builtin_popcountll (some) / __builtin_popcountll (all);
}

static struct tally
tally_of (const struct cab_share *share, bool own, uint64_t truly)
{
  struct tally tally = { { 0 }, { 0 } };
  for (size_t i = 0; i < share->n; i++)
    {
      const struct cab_sharing_row *row = share->rows[i];
      uint64_t n = row->reads + row->writes, mask = row->read | row->written;
      if (row->own != own || !mask)
	continue;
      uint64_t apart = !(mask & truly) ? mask : row->by_line ? mask & ~truly : 0;
      uint64_t n_apart = part (n, apart, mask), writes_apart = part (row->writes, apart, mask);
      tally.n[0] += n_apart;
      tally.writes[0] += writes_apart;
      tally.n[1] += n - n_apart;
      tally.writes[1] += row->writes - writes_apart;
    }
  return tally;
}

static uint64_t
least (uint64_t a, uint64_t b)
{
  return a < b ? a : b;
}

static uint64_t
most (uint64_t a, uint64_t b)
{
  return a > b ? a : b;
}

/* Return how often accesses of two threads meet at most, of which there are N and M with N_WRITES
   and M_WRITES writes: once for each write that an access can meet. */
static uint64_t
meet (uint64_t n, uint64_t n_writes, uint64_t m, uint64_t m_writes)
{
  return most (least (n_writes, m), least (m_writes, n));
}

/* Return how often accesses meet at most, at least one of which is to bytes that are apart. */
static uint64_t
meet_apart (const struct tally *a, const struct tally *b)
{
  return most (meet (a->n[0], a->writes[0], b->n[0] + b->n[1], b->writes[0] + b->writes[1]),
	       meet (b->n[0], b->writes[0], a->n[0] + a->n[1], a->writes[0] + a->writes[1]));
}

static uint64_t
n_accesses (const struct cab_share *share)
{
  uint64_t n = 0;
  for (size_t i = 0; i < share->n; i++)
    n += share->rows[i]->reads + share->rows[i]->writes;
  return n;
}

/* Return the bytes that A and B share truly. */
static uint64_t
truly_shared (const struct cab_share *a, const struct cab_share *b)
{
  uint64_t truly = 0;
  for (int own = 0; own < 4; own++)
    if (share (a, own & 1, b, own >> 1))
      truly |= (a->written[own & 1] & bytes_of (b, own >> 1))
	     | (b->written[own >> 1] & bytes_of (a, own & 1));
  return truly;
}

static uint64_t
bytes_apart (const struct cab_share *share, uint64_t truly)
{
  uint64_t all = cab_share_bytes (share);
  return all & ~truly ? all & ~truly : all;
}

struct cab_share_pair
cab_share_pair (const struct cab_share *a, const struct cab_share *b)
{
  uint64_t truly = truly_shared (a, b), met_truly = 0;
  struct cab_share_pair pair = { .kind = truly ? CAB_SHARE_TRUE : 0 };
  bool falsely = false;
  for (int own = 0; own < 4; own++)
    if (share (a, own & 1, b, own >> 1))
      {
	bool own_a = own & 1, own_b = own >> 1;
	struct tally x = tally_of (a, own_a, truly), y = tally_of (b, own_b, truly);
	falsely |= bytes_of (a, own_a) & ~truly && bytes_of (b, own_b) & ~truly
		&& (a->written[own_a] | b->written[own_b]) & ~truly;
	met_truly = most (met_truly, meet (x.n[1], x.writes[1], y.n[1], y.writes[1]));
	pair.falsely = most (pair.falsely, meet_apart (&x, &y));
      }
  if (falsely
      || (pair.falsely > met_truly
	  && cab_share_is_worth (pair.falsely, n_accesses (a) + n_accesses (b))))
    {
      pair.kind |= CAB_SHARE_FALSE;
      pair.apart[0] = bytes_apart (a, truly);
      pair.apart[1] = bytes_apart (b, truly);
    }
  else
    pair.falsely = 0;
  return pair;
}

bool
cab_share_apart (const struct cab_share *a, const struct cab_share *b)
{
  return !(a->read[0] | a->written[0] | b->read[0] | b->written[0]);
}
