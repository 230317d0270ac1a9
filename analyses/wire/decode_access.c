/* decode_access.c - see decode_access.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "analyses/wire/decode_access.h"

#include <string.h>

#include "analyses/wire/decode_regions.h"
#include "analyses/wire/decode_shapes.h"

/* Return how many accesses an event of R with the raw words WORDS stands for; UINT64_MAX if it is
   no event of R. */
static uint64_t
accesses_in (const struct cab_region *r, const uint64_t *words)
{
  uint64_t count = cab_region_count (r, words), n = (count >> 8) * r->shape.n;
  if (count >> 8 > CAB_REGION_PASSES_MAX)
    return UINT64_MAX;
  for (uint32_t k = 0; count & 255 && k < r->shape.n; k++)
    n += r->access[k].part < (count & 255);
  return n;
}

static const struct cab_decode_place anywhere = { .n = CAB_BATCH_MAX,
						  .accesses = UINT64_MAX,
						  .each = UINT64_MAX };

/* Put events into the decoder's own rows.  Return false if the batch has others, and ends before
   them. */
static bool
stay_here (struct cab_decode *d)
{
  if (d->place.at != d->region && d->shapes.n)
    {
      d->ended = true;
      return false;
    }
  d->place = anywhere;
  d->place.at = d->region;
  return true;
}

/* The state while regions and their words are taken into a batch. */
struct taking
{
  struct cab_region_event *at, *end;
  uint64_t accesses, most, each;   /* of all events, so far and at most; of one event, at most */
};

static inline struct taking
begin_taking (struct cab_decode *d)
{
  const struct cab_decode_place *p = &d->place;
  return (struct taking) { p->at + d->shapes.n, p->at + p->n, 0, p->accesses,
			   p->each < UINT64_MAX ? p->each : UINT64_MAX - 1 };
}

/* Take those events of WORDS, up to END, that are known to be of regions, and fit.  Return where
   they end. */
static inline const uint64_t *
take_known (struct cab_decode *d, struct taking *to, const uint64_t *words, const uint64_t *end)
{
  struct taking t = *to;   /* a copy: as far as the compiler knows, stores to the batch might change
			      the original */
  const struct cab_decode_seen *seen = d->seen;
  while (words < end && t.at < t.end && t.accesses < t.most)
    {
      uint64_t header = *words;
      const struct cab_decode_seen *known = &seen[cab_decode_place_in (CAB_DECODE_SEEN, header)];
      const struct cab_region *r = known->region;
      if (__builtin_expect (known->header != header || !r, 0))
	break;
      uint64_t more = __builtin_expect (r->count == CAB_NO_WORD, 1) ? r->shape.n
								    : accesses_in (r, words + 1);
      if (__builtin_expect (more > t.each, 0))
	break;
      __builtin_prefetch (words + CAB_DECODE_AHEAD);
      t.accesses += more;
      *t.at++ = (struct cab_region_event) { r, words + 1 };
      words += 1 + cab_ev_words (header);
    }
  *to = t;
  return words;
}

/* Take the event at WORDS, which have N words, into the batch.  Return false if it does not go
   there. */
static bool __attribute__ ((noinline))
take_slowly (struct cab_decode *d, struct taking *to, const uint64_t *words, size_t n)
{
  const struct cab_region *r = to->at < to->end && to->accesses < to->most
			       ? cab_decode_told_region (d, words, n)
			       : NULL;
  if (!r)
    return false;
  uint64_t more = accesses_in (r, words + 1);
  d->shapes.n = to->at - d->place.at;
  if (more == UINT64_MAX || (more > to->each && !stay_here (d)))
    return false;
  uint64_t accesses = to->accesses;
  *to = begin_taking (d);
  to->accesses = accesses + more;
  *to->at++ = (struct cab_region_event) { r, words + 1 };
  return true;
}

/* Take consecutive events as regions and their words. */
static inline size_t
take_regions (struct cab_decode *d, const uint64_t *words, size_t n)
{
  const uint64_t *at = words, *end = words + n,
		 *sure = n > CAB_ACCESS_WORDS ? end - CAB_ACCESS_WORDS : words;
  uint32_t before = d->shapes.n;
  struct taking taking = begin_taking (d);
  for (;;)
    {
      at = take_known (d, &taking, at, sure);
      if (at >= end || !take_slowly (d, &taking, at, end - at))
	break;
      at += 1 + cab_ev_words (*at);
    }
  uint32_t events = taking.at - d->place.at - before;
  d->ended |= taking.accesses >= taking.most;
  d->n_accesses += events;
  d->n_raw += at - words - events;
  d->shapes.accesses += taking.accesses;
  d->shapes.n = before + events;
  return at - words;
}

/* Take consecutive events access by access. */
static inline size_t
take_accesses (struct cab_decode *d, const uint64_t *words, size_t n)
{
  size_t i = 0, events = 0;
  for (const struct cab_region *r; i < n && (r = cab_decode_told_region (d, words + i, n - i));
       i += 1 + cab_ev_words (words[i]), events++)
    {
      if (!r->shape.id || r->header != r->told || r->shape.n > CAB_BATCH_MAX - d->rows.n)
	break;
      cab_expand_once (r, words + i + 1, &d->rows);
      if (__builtin_expect (r->has_values, 0))
	cab_expand_values (r, words + i + 1, &d->rows);
    }
  d->n_accesses += events;
  d->n_raw += i - events;
  return i;
}

/* Add as many parts as fit of the event in progress, which is a nest's with parts. */
static void
add_parts (struct cab_decode *d)
{
  const struct cab_nest_part *part;
  if (!stay_here (d))
    return;
  uint32_t at = d->shapes.n;
  d->expand.pauses = d->pauses;
  for (uint64_t *words;
       at < CAB_BATCH_MAX && d->n_made + CAB_ACCESS_WORDS <= sizeof d->made / sizeof *d->made
       && cab_expand_part (&d->expand, &part, words = d->made + d->n_made);
       at++)
    {
      const struct cab_region *r = &part->region;
      d->region[at] = (struct cab_region_event) { r, words };
      d->n_made += r->words;
      d->shapes.accesses += (r->count == CAB_NO_WORD ? 1 : words[r->count] >> 8) * r->shape.n;
    }
  d->shapes.n = at;
  d->ended = cab_decode_pending (d);
}

/* Add what fits of the event in progress. */
static void
go_on (struct cab_decode *d)
{
  if (d->by_region && d->expand.ops && d->expand.parts && cab_decode_pending (d))
    add_parts (d);
  else
    {
      cab_expand_rows (&d->expand, &d->rows);
      d->ended |= cab_decode_pending (d);
    }
}

/* Add memory that was allocated, released or moved, for which there is room.  Return false if the
   event is malformed. */
static bool
add_block (struct cab_decode *d, uint64_t header, const uint64_t *raw, unsigned n)
{
  static const uint8_t forms[] = { [CAB_ACCESS_ALLOCATED] = CAB_ROW_ALLOCATED,
				   [CAB_ACCESS_RELEASED] = CAB_ROW_RELEASED,
				   [CAB_ACCESS_MOVED] = CAB_ROW_MOVED };
  static const uint8_t words[] = {
    [CAB_ACCESS_ALLOCATED] = 2, [CAB_ACCESS_RELEASED] = 1, [CAB_ACCESS_MOVED] = 3
  };
  unsigned form = cab_ev_access_form (header);
  struct cab_expand_rows *rows = &d->rows;
  uint32_t at = rows->n;
  if (form > CAB_ACCESS_MOVED || n != words[form])
    return false;
  const struct cab_regions *regions = cab_decode_regions_of (d, cab_ev_fn (header));
  bool known = regions && regions->first && cab_ev_region (header) < regions->n_allocations;
  bool moved = form == CAB_ACCESS_MOVED;
  rows->site[at] = known ? regions->first + regions->n_accesses + cab_ev_region (header) : 0;
  rows->form[at] = forms[form];
  rows->address[at] = raw[moved];
  rows->bytes[at] = form == CAB_ACCESS_RELEASED ? 0 : raw[moved + 1];
  if (moved)
    {
      d->access_other[at] = raw[0];
      d->has_other = at + 1;
    }
  rows->n = at + 1;
  return true;
}

/* Add the ACCESS event at WORDS, which have N words, at least that one; there is room for a row. */
static void
add_access (struct cab_decode *d, const uint64_t *words, size_t n)
{
  uint64_t header = words[0];
  unsigned raw = cab_ev_words (header);
  const struct cab_regions *regions;
  const struct cab_region *r;
  if (raw >= n)
    d->n_unknown++;
  else if (!cab_ev_fn (header))
    d->n_unregistered++;
  else if (cab_ev_access_form (header) != CAB_ACCESS_REGION)
    {
      bool good = add_block (d, header, words + 1, raw);
      d->n_accesses += good;
      d->n_unknown += !good;
    }
  else if (!(regions = cab_decode_regions_of (d, cab_ev_fn (header))))
    d->n_unregistered++;
  else if ((r = cab_decode_region_in (d, regions, header)) && r->is_bare && r->words == raw
	   && (d->by_shape || d->by_region))
    d->n_accesses++;
  else if (!r || !cab_expand_begin (&d->expand, regions, r, words + 1, raw))
    {
      d->expand.n_accesses = 0;
      d->n_unknown++;
    }
  else
    {
      d->n_accesses++;
      if (d->by_shape && r->shape.id)
	cab_decode_add_shape (d, header, r);
      else if (d->by_shape && d->expand.ops)
	cab_decode_add_nest (d, r);
      go_on (d);
    }
}

/* Return true if the event at WORDS, which have N words, is of a nest with parts. */
static bool
has_parts (struct cab_decode *d, const uint64_t *words, size_t n)
{
  uint64_t header = words[0];
  bool whole = cab_ev_words (header) < n && cab_ev_access_form (header) == CAB_ACCESS_REGION;
  const struct cab_region *r = whole ? cab_decode_region_of (d, header) : NULL;
  return r && r->is_parted && cab_ev_words (header) == r->words;
}

/* Return true if the ACCESS event at WORDS, which have N words, may not go into this batch. */
static inline bool
is_next_batch (struct cab_decode *d, const uint64_t *words, size_t n)
{
  if (!d->by_region)
    /* there are no shapes where they are not asked for */
    return d->rows.n == CAB_BATCH_MAX || d->shapes.n > CAB_BATCH_MAX - CAB_EXPAND_ROWS;
  return cab_decode_told_region (d, words, n) || has_parts (d, words, n)
	 ? d->rows.n || d->shapes.n >= d->place.n
	 : d->shapes.n;
}

/* Skip and count consecutive ACCESS events of the N words at WORDS, whose contents nobody wants. */
static size_t
pass_over (struct cab_decode *d, const uint64_t *words, size_t n)
{
  const uint64_t *at = words, *end = words + n;
  size_t events = 0, none = 0;
  for (uint64_t header; at < end && cab_ev_kind (header = *at) == CAB_EV_ACCESS
			&& cab_ev_words (header) < (size_t) (end - at);
       at = cab_decode_behind (at))
    {
      __builtin_prefetch (at + CAB_DECODE_AHEAD);
      none += !cab_ev_fn (header);
      events++;
    }
  d->n_accesses += events - none;
  d->n_unregistered += none;
  d->n_raw += at - words - events;
  return at - words;
}

/* Take consecutive events, of N words, that are events of regions, or that nobody asked for. */
static inline size_t
take_some (struct cab_decode *d, const uint64_t *words, size_t n)
{
  if (!d->records)
    return pass_over (d, words, n);
  if (d->by_region)
    return take_regions (d, words, n);
  return d->by_shape ? cab_decode_take_shapes (d, words, n) : take_accesses (d, words, n);
}

void
cab_decode_access_begin (struct cab_decode *d)
{
  for (uint32_t k = 0; k < d->n_used; k++)
    d->counted[d->used[k].counted].passes = 0;
  d->n_used = 0;
  for (uint32_t k = 0; k < 2; k++)
    d->counted[k].key += !d->counted[k].key;   /* CLEAR hashes to these entries, and must not find
						  itself; no header is 1 */
  d->ended = false;
  d->n_made = 0;
  d->place = d->by_region && d->into ? *d->into : anywhere;
  d->place.at = d->place.at ? d->place.at : d->region;
  d->place.n = d->place.n < CAB_BATCH_MAX ? d->place.n : CAB_BATCH_MAX;
  d->into = NULL;
  memset (d->access_other, 0, d->has_other * sizeof *d->access_other);
  d->has_other = 0;
  cab_expand_clear (&d->rows);
  d->expand.loops = d->loops;
  d->expand.stretches = d->loops && d->stretches;
  go_on (d);
}

size_t
cab_decode_access (struct cab_decode *d, const uint64_t *words, size_t n)
{
  if (is_next_batch (d, words, n))
    {
      d->ended = true;
      return 0;
    }
  size_t taken = take_some (d, words, n);
  if (taken || d->ended)
    return taken;
  add_access (d, words, n);
  size_t raw = cab_decode_raw (words[0]);
  raw = raw < n - 1 ? raw : n - 1;
  d->n_raw += raw;
  return 1 + raw;
}

/* Move row FROM of the accesses to row TO. */
static void
move_row (struct cab_decode *d, uint32_t to, uint32_t from)
{
  struct cab_expand_rows *rows = &d->rows;
  rows->site[to] = rows->site[from];
  rows->form[to] = rows->form[from];
  rows->address[to] = rows->address[from];
  rows->bytes[to] = rows->bytes[from];
  rows->value[to] = rows->value[from];
  rows->value_type[to] = rows->value_type[from];
  rows->times[to] = rows->times[from];
  rows->step[to] = rows->step[from];
  d->access_other[to] = d->access_other[from];
}

/* Move the values of rows into a batch of their own, and remove rows that are nothing but values
   from that of accesses. */
static void
part_values (struct cab_decode *d)
{
  const struct cab_expand_rows *rows = &d->rows;
  uint32_t kept = 0, n = 0;
  for (uint32_t i = 0; i < rows->n; i++)
    {
      bool bare = rows->form[i] & CAB_ROW_BARE;
      if (rows->value_type[i])
	{
	  d->value_site[n] = rows->site[i];
	  d->value_form[n] = rows->form[i];
	  d->value_bits[n] = rows->value[i];
	  d->value_type[n++] = rows->value_type[i];
	}
      if ((!bare || d->bare) && kept++ != i)
	move_row (d, kept - 1, i);
    }
  d->value.n = n;
  d->access.n = kept;
}

void
cab_decode_access_end (struct cab_decode *d)
{
  d->access.n = d->rows.n;
  if (d->rows.has_values && !d->by_shape && !d->by_region)
    part_values (d);
  d->shapes.region = d->by_region ? d->place.at : NULL;
  if (d->rows.has_values)
    {
      d->access.value = d->rows.value;
      d->access.value_type = d->rows.value_type;
    }
  if (d->rows.has_times)
    {
      d->access.times = d->rows.times;
      d->access.step = d->rows.step;
    }
  for (uint32_t k = 0; k < d->n_used; k++)
    d->passes[d->used[k].row] = d->counted[d->used[k].counted].passes;
  for (uint32_t i = 0; d->by_shape && i < d->shapes.n; i++)
    d->shapes.accesses += d->passes[i] * d->shape[i]->n;
}
