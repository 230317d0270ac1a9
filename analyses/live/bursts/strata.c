/* strata.c - see strata.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "analyses/live/bursts/strata.h"

#define ONE UINT64_C (65536)
#define IDLE_CHUNKS 16u

/* Return a random number below N, by splitmix64. */
static uint64_t
draw (struct cab_strata *s, uint64_t n)
{
  uint64_t z = s->random += UINT64_C (0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C (0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C (0x94d049bb133111eb);
  return ((z ^ z >> 31) >> 11) % n;
}

void
cab_strata_begin (struct cab_strata *s, uint32_t rate, uint64_t seed)
{
  *s = (struct cab_strata) { .random = seed * UINT64_C (0xd1342543de82ef95) };
  s->target = s->width = rate ? ONE * CAB_RATE_WHOLE / rate : 0;
}

/* Go on to the next stratum, and choose its burst. */
static void
enter (struct cab_strata *s)
{
  uint64_t sum = s->width + s->rest, n = sum / ONE;
  s->rest = sum % ONE;
  s->begin = s->end;
  s->end += n;
  s->chosen = s->begin + draw (s, n);
}

uint64_t
cab_strata_next (struct cab_strata *s, uint64_t at)
{
  if (!s->target)
    return UINT64_MAX;
  if (s->begin < s->end && s->chosen >= at)
    return s->chosen;
  if (s->begin < s->end)
    {
      /* It was never read: all up to AT, or to its end, is owed. */
      uint64_t to = at > s->end ? at : s->end;
      s->owed += to - s->begin;
      s->begin = s->end = to;
    }
  else if (at > s->end)
    {
      s->owed += at - s->end;
      s->begin = s->end = at;
    }
  enter (s);
  return s->chosen;
}

uint32_t
cab_strata_read (struct cab_strata *s, bool ending)
{
  uint64_t n = s->end - s->begin, more = n > s->owed / 8 ? n : s->owed / 8;
  more = ending || more > s->owed ? s->owed : more;
  s->owed -= more;
  s->begin = s->end;
  n += more;
  return n < UINT32_MAX ? n : UINT32_MAX;
}

void
cab_strata_miss (struct cab_strata *s)
{
  s->owed += s->end - s->begin;
  s->begin = s->end;
}

void
cab_strata_skip (struct cab_strata *s, uint64_t at)
{
  if (s->begin < at)
    s->begin = s->end = at;
}

bool
cab_strata_slow (struct cab_strata *s, uint64_t most)
{
  s->idle = 0;
  if (2 * (s->width / ONE) > most)
    return false;
  s->width *= 2;
  return true;
}

bool
cab_strata_note (struct cab_strata *s, bool idle)
{
  s->idle = idle ? s->idle + 1 : 0;
  if (s->idle < IDLE_CHUNKS || s->width == s->target)
    return false;
  s->idle = 0;
  s->width = s->width / 2 > s->target ? s->width / 2 : s->target;
  return true;
}
