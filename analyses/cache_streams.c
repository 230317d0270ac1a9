/* cache_streams.c - see cache_streams.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "cache_streams.h"

struct plan
{
  struct cab_streams *s;
  uint64_t line;        /* passes on a line */
  uint64_t round;       /* passes through all sets */
  uint32_t step_log2, bytes_log2;
  bool down;
  uint32_t n;           /* places at which accesses that move are, each with the first and the last of them; by place, the one ahead first */
  struct cab_stream at[CAB_STREAMS_MOST];
};

/* The step of all accesses that move, which is a power of two and no longer than a line; each lies in one line.  0: that is not so. */
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

/* A moving access, number K; false: there is no room for one more place. */
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

/* One that stays. */
static bool
add_staying (const struct plan *p, const struct cab_passes *e, uint32_t k)
{
  struct cab_streams *s = p->s;
  for (uint32_t i = 0; i < s->n_stays; i++)
    if (!((e->access[s->stays[i]].address ^ e->access[k].address) >> p->bytes_log2))
      return true;
  if (s->n_stays == CAB_STREAMS_MOST)
    return false;
  s->stays[s->n_stays++] = k;
  return true;
}

/* Places less than a line apart are one stream. */
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

/* Each is one, or two, if the first access is not the last one; false: these are too many. */
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

/* By where they are in the round, the one ahead first; of two at one place the one whose access comes first. */
static void
sort (struct cab_streams *s)
{
  for (uint32_t i = 1; i < s->n; i++)
    for (uint32_t k = i; k > 0; k--)
      {
	struct cab_stream *a = &s->stream[k - 1], *b = &s->stream[k], t = *a;
	if (a->place > b->place || (a->place == b->place && a->first < b->first))
	  break;
	*a = *b;
	*b = t;
      }
}

/* Streams in the order in which they are ahead, from behind the widest gap on. */
static void
put_in_order (const struct plan *p)
{
  struct cab_streams *s = p->s;
  struct cab_stream sorted[CAB_STREAMS_MOST];
  for (uint32_t i = 0; i < s->n; i++)
    s->stream[i].place &= p->round - 1;
  sort (s);
  /* The gap ahead of stream I: to the one before it, or once round. */
  uint32_t front = 0;
  uint64_t widest = 0;
  for (uint32_t i = 0; i < s->n; i++)
    {
      uint64_t gap = (i ? s->stream[i - 1].place : s->stream[s->n - 1].place + p->round) - s->stream[i].place;
      if (gap > widest)
	{
	  widest = gap;
	  front = i;
	}
    }
  for (uint32_t i = 0; i < s->n; i++)
    {
      sorted[i] = s->stream[(front + i) % s->n];
      sorted[i].place += front + i < s->n ? 2 * p->round : p->round;
    }
  memcpy (s->stream, sorted, s->n * sizeof *sorted);
}

/* Are streams left in the order in which they come?  A is ahead of B. */
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

/* How many passes the one ahead of all may go without coming to a line where another was. */
static uint64_t
window_of (const struct plan *p)
{
  const struct cab_streams *s = p->s;
  uint64_t least = UINT64_MAX;
  for (uint32_t i = 0; i < s->n; i++)
    least = s->stream[i].place - s->stream[i].lag < least ? s->stream[i].place - s->stream[i].lag : least;
  uint64_t end = (least & -p->line) + p->round, from = s->stream[0].place + p->line;
  return end > from ? end - from : 0;
}

bool
cab_streams_plan (struct cab_streams *s, const struct cab_passes *e, uint64_t n_sets, unsigned ways, uint32_t line_log2)
{
  uint64_t step = common_step (e, UINT64_C (1) << line_log2);
  if (!step)
    return false;
  uint32_t step_log2 = __builtin_ctzll (step);
  struct plan p;
  p.s = s;
  p.line = UINT64_C (1) << (line_log2 - step_log2);
  p.round = n_sets << (line_log2 - step_log2);
  p.step_log2 = step_log2;
  p.bytes_log2 = line_log2;
  p.down = step > -step;
  p.n = 0;
  s->step = step;
  s->n_stays = 0;
  s->line_log2 = line_log2 - step_log2;
  for (uint32_t k = 0; k < e->n; k++)
    if (!(e->access[k].step ? add_moving (&p, &e->access[k], k) : add_staying (&p, e, k)))
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
  s->window = window_of (&p);
  return s->window;
}
