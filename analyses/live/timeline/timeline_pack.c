/* timeline_pack.c - see timeline_pack.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "analyses/live/timeline/timeline_pack.h"

/* Flags: two bits of the kind, then these. */
#define OTHER_DEPTH 4u   /* the depth follows */
#define SAME_FN 8u       /* the function is that of the event before */
#define FLAG_BITS 4

static const uint8_t kinds[] = { CAB_EV_CALL, CAB_EV_TAIL, CAB_EV_UNDER, CAB_EV_RESUME };
#define END 3u           /* index of RESUME */

static inline unsigned
kind_index (unsigned kind)
{
  return kind == CAB_EV_CALL ? 0 : kind == CAB_EV_RESUME ? END : kind == CAB_EV_TAIL ? 1 : 2;
}

/* Return the depth of an event of kind index KIND that is the usual one after AT. */
static inline uint32_t
usual_depth (const struct cab_timeline_at *at, unsigned kind)
{
  return (at->open - (kind == END)) & CAB_EV_ID_MASK;
}

static inline void
move (struct cab_timeline_at *at, struct cab_timeline_event event)
{
  bool ends = cab_ev_kind (event.word) == CAB_EV_RESUME;
  at->clock = event.clock;
  at->open = (cab_ev_depth (event.word) + !ends) & CAB_EV_ID_MASK;
  at->fn = cab_ev_callee (event.word);
}

static inline unsigned char *
put (unsigned char *to, uint64_t n)
{
  for (; n > 127; n >>= 7)
    *to++ = n | 128;
  *to++ = n;
  return to;
}

unsigned char *
cab_timeline_pack (unsigned char *to, struct cab_timeline_at *at, struct cab_timeline_event event)
{
  unsigned kind = kind_index (cab_ev_kind (event.word)), flags = kind;
  uint32_t depth = cab_ev_depth (event.word), fn = cab_ev_callee (event.word);
  event.clock = event.clock > at->clock ? event.clock : at->clock;
  flags |= depth == usual_depth (at, kind) ? 0 : OTHER_DEPTH;
  flags |= fn == at->fn ? SAME_FN : 0;
  to = put (to, (event.clock - at->clock) << FLAG_BITS | flags);
  if (flags & OTHER_DEPTH)
    to = put (to, depth);
  if (!(flags & SAME_FN))
    to = put (to, fn);
  if (kind != END)
    to = put (to, cab_ev_site (event.word));
  move (at, event);
  return to;
}

/* Read a number that ends before END.  Return false if there is none. */
static inline bool
get (const unsigned char **from, const unsigned char *end, uint64_t *n)
{
  const unsigned char *p = *from;
  unsigned shift = 0;
  *n = 0;
  do
    {
      if (p == end || shift > 63)
	return false;
      *n |= (uint64_t) (*p & 127) << shift;
      shift += 7;
    }
  while (*p++ & 128);
  *from = p;
  return true;
}

bool
cab_timeline_unpack (const unsigned char **from, const unsigned char *end,
		     struct cab_timeline_at *at, struct cab_timeline_event *event)
{
  uint64_t first, depth, fn = at->fn, site = 0;
  if (!get (from, end, &first))
    return false;
  unsigned kind = first & 3;
  depth = usual_depth (at, kind);
  if ((first & OTHER_DEPTH && !get (from, end, &depth))
      || (!(first & SAME_FN) && !get (from, end, &fn)) || (kind != END && !get (from, end, &site)))
    return false;
  event->clock = at->clock + (first >> FLAG_BITS);
  event->word = cab_ev_call (kinds[kind], depth, fn & CAB_EV_ID_MASK, site & CAB_EV_ID_MASK);
  move (at, *event);
  return true;
}
