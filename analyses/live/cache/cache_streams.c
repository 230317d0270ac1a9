/* cache_streams.c - see cache_streams.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "analyses/live/cache/cache_streams.h"

#define WHICH_BITS 5u   /* bits of the number of a stream in a key */
#define FIRST_BITS 6u   /* bits of the number of an access in a key */
#define KEY_BITS (FIRST_BITS + WHICH_BITS)

_Static_assert (CAB_STREAMS_MOST <= 1u << WHICH_BITS && CAB_PASS_MOST <= 1u << FIRST_BITS,
	       "keys hold them");

struct plan
{
  struct cab_streams *s;
  uint64_t line;        /* passes on a line */
  uint64_t round;       /* passes through all sets */
  uint32_t step_log2;
  bool down;
  uint32_t n;           /* the places of moving accesses, each with the first and the last access
			   there; by place, the foremost first */
  struct cab_stream at[CAB_STREAMS_MOST];
};

/* Return the step of all accesses that move, if it is one power of two, no longer than a line, and
   each access lies in one line; else 0. */
static uint64_t
common_step (const struct cab_passes *e, uint64_t line)
{
  uint64_t step = 0, bits = 0;
  bool good = true;
  for (const struct cab_pass_access *a = e->access; a < e->access + e->n; a++)
    {
      good &= !a->step || !step || a->step == step;
      step |= a->step;
      bits |= ((a->last + 1) | a->address | a->step) & a->last;
    }
  uint64_t size = step > -step ? -step : step;
  return good && !bits && size <= line && !(size & (size - 1)) ? step : 0;
}

/* Add moving access A, number K.  Return false if there is no room for one more place. */
static bool
add_moving (struct plan *p, const struct cab_pass_access *a, uint32_t k)
{
  uint64_t place = (p->down ? ~a->address : a->address) >> p->step_log2;
  uint32_t i = p->n;
  while (i > 0 && p->at[i - 1].place < place)
    i--;
  if (i > 0 && p->at[i - 1].place == place)
    {
      p->at[i - 1].last = k;
      return true;
    }
  if (p->n == CAB_STREAMS_MOST)
    return false;
  memmove (p->at + i + 1, p->at + i, (p->n++ - i) * sizeof *p->at);
  p->at[i] = (struct cab_stream) { a->address, place, 0, k, k };
  return true;
}

/* Add access K, which stays.  Return false if there is no room for its line. */
static bool
add_staying (struct cab_streams *s, const struct cab_passes *e, uint32_t k, uint32_t line_log2)
{
  for (uint32_t i = 0; i < s->n_stays; i++)
    if (!((e->access[s->stays[i]].address ^ e->access[k].address) >> line_log2))
      return true;
  if (s->n_stays == CAB_STREAMS_MOST)
    return false;
  s->stays[s->n_stays++] = k;
  return true;
}

/* Join places less than a line apart to streams. */
static void
join (const struct plan *p)
{
  struct cab_streams *s = p->s;
  s->n = 0;
  for (uint32_t i = 0; i < p->n; i++)
    {
      struct cab_stream *head = s->n ? &s->stream[s->n - 1] : NULL;
      if (head && head->place - p->at[i].place < p->line)
	{
	  head->lag = head->place - p->at[i].place;
	  head->last = p->at[i].last;
	}
      else
	s->stream[s->n++] = p->at[i];
    }
}

/* Make each place a stream, or two if its first access is not its last.  Return false if these are
   too many. */
static bool
part (const struct plan *p)
{
  struct cab_streams *s = p->s;
  s->n = 0;
  for (uint32_t i = 0; i < p->n; i++)
    for (uint32_t both = 0; both <= (p->at[i].first != p->at[i].last); both++)
      {
	if (s->n == CAB_STREAMS_MOST)
	  return false;
	struct cab_stream *t = &s->stream[s->n++];
	*t = p->at[i];
	t->first = t->last = both ? t->last : t->first;
      }
  return true;
}

/* Put the streams in the order in which they are ahead, beginning after the widest gap; of two at
   one place, the one whose access comes first is first. */
static void
put_in_order (const struct plan *p)
{
  struct cab_streams *s = p->s;
  struct cab_stream sorted[CAB_STREAMS_MOST];
  uint64_t key[CAB_STREAMS_MOST];   /* place in the cycle of sets, then the access, the first one
				       the greatest, then the stream */
  for (uint32_t i = 0, k; i < s->n; i++)
    {
      uint64_t mine = (s->stream[i].place & (p->round - 1)) << KEY_BITS
		    | (CAB_PASS_MOST - 1 - s->stream[i].first) << WHICH_BITS | i;
      for (k = i; k > 0 && key[k - 1] < mine; k--)
	key[k] = key[k - 1];
      key[k] = mine;
    }
  /* The gap ahead of stream I: to the one before it, or, for the first, around the cycle of
     sets. */
  uint32_t front = 0;
  uint64_t widest = 0, before = s->n ? (key[s->n - 1] >> KEY_BITS) + p->round : 0;
  for (uint32_t i = 0; i < s->n; i++)
    {
      uint64_t place = key[i] >> KEY_BITS, gap = before - place;
      if (gap > widest)
	{
	  widest = gap;
	  front = i;
	}
      before = place;
    }
  for (uint32_t i = 0, k = front; i < s->n; i++, k = k + 1 < s->n ? k + 1 : 0)
    {
      sorted[i] = s->stream[key[k] % (1u << WHICH_BITS)];
      sorted[i].place = (key[k] >> KEY_BITS) + (k >= front ? 2 * p->round : p->round);
    }
  for (uint32_t i = 0; i < s->n; i++)
    s->stream[i] = sorted[i];
}

/* Return true if A, which is ahead of B, also leaves lines before B does. */
static inline bool
is_in_turn (const struct plan *p, const struct cab_stream *a, const struct cab_stream *b)
{
  uint64_t apart = a->place - b->place;
  if (apart >= p->line + a->lag)
    return true;
  if (a->lag != apart + b->lag)
    return a->lag < apart + b->lag;
  return a->last < b->last;
}

static bool
are_in_turn (const struct plan *p)
{
  const struct cab_streams *s = p->s;
  for (uint32_t i = 1; i < s->n; i++)
    for (uint32_t k = 0; k < i; k++)
      if (!is_in_turn (p, &s->stream[k], &s->stream[i]))
	return false;
  return true;
}

/* Return how many passes the foremost stream may go without reaching a line where another was. LINE
   and ROUND are the passes on a line, and through all sets. */
static uint64_t
window_of (const struct cab_streams *s, uint64_t line, uint64_t round)
{
  uint64_t least = UINT64_MAX;
  for (uint32_t i = 0; i < s->n; i++)
    least = s->stream[i].place - s->stream[i].lag < least ? s->stream[i].place - s->stream[i].lag
							  : least;
  uint64_t end = (least & -line) + round, from = s->stream[0].place + line;
  return end > from ? end - from : 0;
}

/* Return true if E differs from the event of S only by a constant offset of all moving accesses,
   *BY, in whole steps, so that each of these still lies in one line. */
static bool
is_again (const struct cab_streams *s, const struct cab_passes *e, uint64_t *by)
{
  if (!s->n_accesses || s->n_accesses != e->n)
    return false;
  uint64_t size = s->step > -s->step ? -s->step : s->step,
	   on = e->access[s->moves].address - s->access[s->moves].address,
	   other = on & (s->lasts | (size - 1));
  for (uint32_t k = 0; k < e->n; k++)
    {
      const struct cab_pass_access *a = &e->access[k], *b = &s->access[k];
      other |= (a->step ? a->address - b->address - on : a->address & a->last) | (a->step ^ b->step)
	     | (a->last ^ b->last);
    }
  *by = on;
  return !other;
}

/* Move S on by BY bytes to E, for which is_again returned true.  Return false if too many lines are
   stayed on. */
static bool
go_on (struct cab_streams *s, const struct cab_passes *e, uint64_t by, uint32_t line_log2)
{
  uint64_t places = (s->step > -s->step ? -by : by) >> __builtin_ctzll (s->step)
		  & ((UINT64_C (1) << s->line_log2) - 1);
  bool stays = s->n_stays;
  for (uint32_t i = 0; i < s->n; i++)
    {
      s->stream[i].address += by;
      s->stream[i].place += places;
    }
  s->n_stays = 0;
  for (uint32_t k = 0; k < e->n; k++)
    {
      s->access[k].address = e->access[k].address;
      if (stays && !e->access[k].step && !add_staying (s, e, k, line_log2))
	return false;
    }
  return true;
}

/* Note that S is of E. */
static void
note_event (struct cab_streams *s, const struct cab_passes *e)
{
  s->n_accesses = e->n;
  s->lasts = 0;
  for (uint32_t k = 0; k < e->n; k++)
    {
      s->access[k] = e->access[k];
      s->moves = e->access[k].step ? k : s->moves;
      s->lasts |= e->access[k].last;
    }
}

bool
cab_streams_plan (struct cab_streams *s, const struct cab_passes *e, uint64_t n_sets, unsigned ways,
		  uint32_t line_log2)
{
  uint64_t by;
  if (is_again (s, e, &by) && go_on (s, e, by, line_log2) && s->n + s->n_stays <= ways)
    {
      s->window = window_of (s, UINT64_C (1) << s->line_log2, n_sets << s->line_log2);
      return s->window;
    }
  s->n_accesses = 0;
  uint64_t step = common_step (e, UINT64_C (1) << line_log2);
  if (!step)
    return false;
  uint32_t step_log2 = __builtin_ctzll (step);
  struct plan p;
  p.s = s;
  p.line = UINT64_C (1) << (line_log2 - step_log2);
  p.round = n_sets << (line_log2 - step_log2);
  p.step_log2 = step_log2;
  p.down = step > -step;
  p.n = 0;
  s->step = step;
  s->n_stays = 0;
  s->line_log2 = line_log2 - step_log2;
  for (uint32_t k = 0; k < e->n; k++)
    if (!(e->access[k].step ? add_moving (&p, &e->access[k], k) : add_staying (s, e, k, line_log2)))
      return false;
  join (&p);
  if (s->n + s->n_stays > ways)
    return false;
  put_in_order (&p);
  if (!are_in_turn (&p))
    {
      if (!part (&p))
	return false;
      put_in_order (&p);
    }
  note_event (s, e);
  s->window = window_of (s, p.line, p.round);
  return s->window;
}
