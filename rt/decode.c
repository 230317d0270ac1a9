/* decode.c - see decode.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/decode.h"
#include <stdbool.h>
#include <string.h>

#define AHEAD 256u   /* words: what the other core wrote is fetched early */

unsigned
cab_decode_kind (uint64_t word)
{
  unsigned kind = cab_ev_kind (word);
  switch (kind)
    {
    case CAB_EV_CALL: case CAB_EV_TAIL: case CAB_EV_UNDER:
      return CAB_EV_CALL;
    case CAB_EV_PATH: case CAB_EV_PATH_LAST: case CAB_EV_RUN: case CAB_EV_RUN_HIGH: case CAB_EV_PACK:
      return CAB_EV_PATH;
    case 15:
      return 0;
    default:
      return kind;
    }
}

/* The N words at WORDS are rows of B.  They stay where they are while nothing else stands between a batch's rows; else all are gathered in ROWS. */
static inline void
add_rows (struct cab_batch *b, uint64_t *rows, const uint64_t *words, uint32_t n)
{
  if (b->n == 0)
    b->events = words;
  else if (words != b->events + b->n)
    {
      if (b->events != rows)
	memcpy (rows, b->events, b->n * sizeof *words);
      b->events = rows;
      memcpy (rows + b->n, words, n * sizeof *words);
    }
  b->n += n;
}

static inline void
add_call (struct cab_decode *d, const uint64_t *word)
{
  if (cab_ev_callee (*word))
    add_rows (&d->call, d->call_rows, word, 1);
  else
    d->n_unregistered++;
}

/* The N paths of a PACK; there is room for them. */
static inline void
add_pack (struct cab_decode *d, uint64_t word, unsigned n)
{
  if (d->path.events != d->path_rows && d->path.n)
    memcpy (d->path_rows, d->path.events, d->path.n * sizeof word);
  d->path.events = d->path_rows;
  for (unsigned i = 0; i < n; i++)
    d->path_rows[d->path.n + i] = cab_ev_pack_path (word, n, i);
  d->path.n += n;
  d->n_extra += n - 1;
}

/* False: the batch has no room for what is in *WORD. */
static inline bool
add_path (struct cab_decode *d, const uint64_t *word)
{
  bool pack = cab_ev_kind (*word) == CAB_EV_PACK;
  unsigned n = pack ? cab_ev_pack_n (*word) : 1;
  if (d->path.n + n > CAB_BATCH_MAX)
    return false;
  d->path.has_runs |= cab_ev_is_run (*word);
  if (!cab_ev_fn (*word))
    d->n_unregistered++;
  else if (!n)
    d->n_unknown++;
  else if (pack)
    add_pack (d, *word, n);
  else
    add_rows (&d->path, d->path_rows, word, 1);
  return true;
}

static inline void
add_loop (struct cab_decode *d, uint64_t word)
{
  uint32_t n = d->loop.n, fn = cab_ev_fn (word);
  d->loop_fn[n] = fn;
  d->loop_number[n] = cab_ev_loop (word);
  d->loop_form[n] = cab_ev_loop_form (word);
  d->loop_count[n] = cab_ev_loop_n (word);
  int registered = fn != 0;
  d->n_unregistered += !registered;
  d->loop.n = n + registered;
}

static inline void
add_sample (struct cab_decode *d, uint64_t word)
{
  uint32_t n = d->sample.n++;
  d->sample_address[n] = cab_ev_address (word);
  d->sample_ns[n] = cab_ev_ns (word);
}

/* Words behind the header at WORDS, as far as they are there. */
static size_t
raw_words (struct cab_decode *d, const uint64_t *words, size_t n)
{
  size_t raw = cab_decode_raw (words[0]);
  raw = raw < n - 1 ? raw : n - 1;
  d->n_raw += raw;
  return raw;
}

static inline struct cab_decode_known *
place_of (struct cab_decode *d, uint32_t fn)
{
  return &d->known[fn & (CAB_DECODE_KNOWN - 1)];
}

static const struct cab_regions *
regions_of (struct cab_decode *d, uint32_t fn)
{
  struct cab_decode_known *known = place_of (d, fn);
  if (fn != known->fn)
    {
      known->regions = d->records->regions (d->records->host, fn);
      known->n_regions = known->regions ? known->regions->n_regions : 0;
      known->fn = fn;
    }
  return known->regions;
}

/* The region of the event at WORDS, which have N words, if its accesses are the same each time: see regions.h.  Else null. */
static inline const struct cab_region *
told_region (struct cab_decode *d, const uint64_t *words, size_t n)
{
  uint64_t header = words[0];
  uint32_t fn = header >> CAB_EV_FN_SHIFT, region = cab_ev_region (header);
  const struct cab_decode_known *known = place_of (d, fn);
  if (known->fn != fn || region >= known->n_regions || cab_ev_words (header) >= n)
    return NULL;
  const struct cab_region *r = cab_regions_at (known->regions, region);
  return r->told == (header & ((1u << CAB_EV_REGION_SHIFT) - 1)) ? r : NULL;
}

/* ... and if they can be told in few instructions. */
static inline const struct cab_region *
plain_region (struct cab_decode *d, const uint64_t *words, size_t n)
{
  const struct cab_region *r = told_region (d, words, n);
  return r && r->header == r->told ? r : NULL;
}

/* As many words as stand for plain events of regions in a row, up to LIMIT of any N, and the raw words of the last. */
static inline size_t
take_shapes (struct cab_decode *d, const uint64_t *words, size_t limit, size_t n)
{
  size_t i = 0;
  uint32_t at = d->shapes.n;
  uint64_t accesses = 0;
  for (const struct cab_region *r; i < limit && (r = plain_region (d, words + i, n - i)); i += 1 + cab_ev_words (words[i]))
    {
      accesses += r->shape.n;
      d->shape[at++] = &r->shape;
    }
  d->n_accesses += at - d->shapes.n;
  d->n_raw += i - (at - d->shapes.n);
  d->shapes.accesses += accesses;
  d->shapes.n = at;
  return i;
}

/* How many accesses an event of R with the raw words WORDS stands for; UINT64_MAX: it is none. */
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

/* The same as regions and their words. */
static inline size_t
take_regions (struct cab_decode *d, const uint64_t *words, size_t limit, size_t n)
{
  size_t i = 0;
  uint32_t at = d->shapes.n;
  uint64_t accesses = 0;
  for (const struct cab_region *r; i < limit && at < CAB_BATCH_MAX && (r = told_region (d, words + i, n - i)); i += 1 + cab_ev_words (words[i]))
    {
      uint64_t more = r->count == CAB_NO_WORD ? r->shape.n : accesses_in (r, words + i + 1);
      if (more == UINT64_MAX)
	break;
      __builtin_prefetch (words + i + AHEAD);
      accesses += more;
      d->region_words[at] = words + i + 1;
      d->region[at++] = r;
    }
  d->n_accesses += at - d->shapes.n;
  d->n_raw += i - (at - d->shapes.n);
  d->shapes.accesses += accesses;
  d->shapes.n = at;
  return i;
}

static inline size_t
take_accesses (struct cab_decode *d, const uint64_t *words, size_t limit, size_t n)
{
  size_t i = 0, events = 0;
  for (const struct cab_region *r; i < limit && (r = plain_region (d, words + i, n - i)); i += 1 + cab_ev_words (words[i]), events++)
    {
      if (r->shape.n > CAB_BATCH_MAX - d->rows.n)
	break;
      cab_expand_once (r, words + i + 1, &d->rows);
      if (__builtin_expect (r->has_values, 0))
	cab_expand_values (r, words + i + 1, &d->rows);
    }
  d->n_accesses += events;
  d->n_raw += i - events;
  return i;
}

/* Up to row N the column of passes says 1 where nothing else was said. */
static void
fill_passes (struct cab_decode *d, uint32_t n)
{
  for (uint32_t i = d->passes_to; i < n; i++)
    d->passes[i] = 1;
  d->passes_to = n;
}

/* The event under way tells whole passes through a region with a shape: one row for them.  What is left of it comes access by access. */
static void
add_shape (struct cab_decode *d, const struct cab_region *r)
{
  uint64_t passes = d->expand.n_passes;
  uint32_t at = d->shapes.n;
  if (passes > 1)
    {
      fill_passes (d, at);
      d->shapes.passes = d->passes;
      d->passes[at] = passes;
      d->passes_to = at + 1;
    }
  if (passes)
    {
      d->shape[at] = &r->shape;
      d->shapes.accesses += passes * r->shape.n;
      d->shapes.n = at + 1;
    }
  cab_expand_last (&d->expand);
}

/* The event under way, of N words, tells an execution of nest R: a row for each of its rows, unless these are too many, or counting takes too long.
   The batch has room for one row for each word that may still come: with more rows than words it ends here. */
static void
add_nest (struct cab_decode *d, const struct cab_region *r, unsigned n_words)
{
  uint64_t times[CAB_EXPAND_ROWS];
  const struct cab_nest_op *op = d->expand.ops;
  if (r->n_rows > CAB_EXPAND_ROWS || !cab_expand_count (&d->expand, times))
    return;
  for (uint32_t row = 0; row < r->n_rows; op++)
    if (op->what == CAB_NEST_ROWS)
      {
	uint32_t at = d->shapes.n;
	uint64_t n = times[row++];
	if (!n)
	  continue;
	fill_passes (d, at);
	d->shapes.passes = d->passes;
	d->passes[at] = n;
	d->passes_to = at + 1;
	d->shape[at] = &op->shape;
	d->shapes.accesses += n * op->shape.n;
	d->shapes.n = at + 1;
      }
  d->expand.n_accesses = 0;
  d->ended |= r->n_rows > n_words;
}

/* The event under way is a nest's with parts: as many of these as fit. */
static void
add_parts (struct cab_decode *d)
{
  const struct cab_nest_part *part;
  uint32_t at = d->shapes.n;
  for (uint64_t *words; at < CAB_BATCH_MAX && d->n_made + CAB_ACCESS_WORDS <= sizeof d->made / sizeof *d->made
       && cab_expand_part (&d->expand, &part, words = d->made + d->n_made); at++)
    {
      const struct cab_region *r = &part->region;
      d->region[at] = r;
      d->region_words[at] = words;
      d->n_made += r->words;
      d->shapes.accesses += (r->count == CAB_NO_WORD ? 1 : words[r->count] >> 8) * r->shape.n;
    }
  d->shapes.n = at;
  d->ended = cab_decode_pending (d);
}

/* What fits of an event under way. */
static void
go_on (struct cab_decode *d)
{
  if (d->by_region && d->expand.ops && d->expand.parts && cab_decode_pending (d))
    add_parts (d);
  else
    cab_expand_rows (&d->expand, &d->rows);
}

/* Memory that came, went or moved: there is room for the row. */
static bool
add_block (struct cab_decode *d, uint64_t header, const uint64_t *raw, unsigned n)
{
  static const uint8_t forms[] = {
    [CAB_ACCESS_ALLOCATED] = CAB_ROW_ALLOCATED, [CAB_ACCESS_RELEASED] = CAB_ROW_RELEASED, [CAB_ACCESS_MOVED] = CAB_ROW_MOVED
  };
  static const uint8_t words[] = { [CAB_ACCESS_ALLOCATED] = 2, [CAB_ACCESS_RELEASED] = 1, [CAB_ACCESS_MOVED] = 3 };
  unsigned form = cab_ev_access_form (header);
  struct cab_expand_rows *rows = &d->rows;
  uint32_t at = rows->n;
  if (form > CAB_ACCESS_MOVED || n != words[form])
    return false;
  const struct cab_regions *regions = regions_of (d, cab_ev_fn (header));
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

/* The ACCESS event at WORDS, which have N words, at least that one; there is room for a row. */
static void
add_access (struct cab_decode *d, const uint64_t *words, size_t n)
{
  uint64_t header = words[0];
  unsigned raw = cab_ev_words (header);
  const struct cab_regions *regions;
  if (raw >= n)
    d->n_unknown++;
  else if (!cab_ev_fn (header))
    d->n_unregistered++;
  else if (!d->records)
    d->n_accesses++;
  else if (cab_ev_access_form (header) != CAB_ACCESS_REGION)
    {
      bool good = add_block (d, header, words + 1, raw);
      d->n_accesses += good;
      d->n_unknown += !good;
    }
  else if (!(regions = regions_of (d, cab_ev_fn (header))))
    d->n_unregistered++;
  else if (!cab_expand_begin (&d->expand, regions, cab_ev_region (header), words + 1, raw))
    {
      d->expand.n_accesses = 0;
      d->n_unknown++;
    }
  else
    {
      const struct cab_region *r = cab_regions_at (regions, cab_ev_region (header));
      d->n_accesses++;
      if (d->by_shape && r->shape.id)
	add_shape (d, r);
      else if (d->by_shape && d->expand.ops)
	add_nest (d, r, 1 + raw);
      go_on (d);
    }
}

static void
begin (struct cab_decode *d, uint32_t thread)
{
  d->call = (struct cab_batch) {
    .kind = CAB_EV_CALL, .thread = thread
  };
  d->path = (struct cab_batch) {
    .kind = CAB_EV_PATH, .thread = thread
  };
  d->loop = (struct cab_batch) {
    .kind = CAB_EV_LOOP, .thread = thread, .fn = d->loop_fn, .loop = d->loop_number, .form = d->loop_form, .count = d->loop_count
  };
  d->sample = (struct cab_batch) {
    .kind = CAB_EV_SAMPLE, .thread = thread, .address = d->sample_address, .count = d->sample_ns
  };
  d->access = (struct cab_batch) {
    .kind = CAB_EV_ACCESS, .thread = thread, .site = d->rows.site, .form = d->rows.form, .address = d->rows.address, .bytes = d->rows.bytes,
    .other = d->access_other
  };
  d->shapes = (struct cab_batch) {
    .kind = CAB_EV_ACCESS, .thread = thread, .shape = d->by_region ? NULL : d->shape, .region = d->by_region ? d->region : NULL,
    .words = d->region_words
  };
  d->passes_to = 0;
  d->ended = false;
  memset (d->access_other, 0, d->has_other * sizeof *d->access_other);
  d->has_other = 0;
  d->n_extra = 0;
  d->n_made = 0;
  cab_expand_clear (&d->rows);
  go_on (d);
}

/* Blocks that hold nothing but calls, or nothing but paths, all of functions with a number: most are so, and need no branch per event. */
#define BLOCK 32u

/* Bit 63 is set if the field of WORD at SHIFT is 0, which no event of a registered function has. */
#define IS_NONE(word, shift) (((word) & CAB_EV_ID_MASK << (shift)) - (UINT64_C (1) << (shift)))

/* Both look at the bits of the kinds by themselves: that takes no branch, and vectors do it. */
static inline bool
take_calls (struct cab_decode *d, const uint64_t *words)
{
  uint64_t none = 0, other = 0;   /* other: bit 0; CALL, TAIL, UNDER are 0001, 1001, 1011 */
  for (unsigned i = 0; i < BLOCK; i++)
    {
      uint64_t w = words[i];
      other |= ~w | w >> 2 | (w >> 1 & ~(w >> 3));
      none |= IS_NONE (w, CAB_EV_CALLEE_SHIFT);
    }
  if (other & 1 || none >> 63)
    return false;
  add_rows (&d->call, d->call_rows, words, BLOCK);
  return true;
}

static inline bool
take_paths (struct cab_decode *d, const uint64_t *words)
{
  if (d->path.n > CAB_BATCH_MAX - BLOCK)
    return false;
  uint64_t none = 0, other = 0, run = 0;   /* PATH, PATH_LAST are 0010, 1010; RUN, RUN_HIGH 1100, 1101 */
  for (unsigned i = 0; i < BLOCK; i++)
    {
      uint64_t w = words[i];
      run |= w >> 2;
      other |= (w >> 2 & (~(w >> 3) | w >> 1)) | (~(w >> 2) & (~(w >> 1) | w));
      none |= IS_NONE (w, CAB_EV_FN_SHIFT);
    }
  if (other & 1 || none >> 63)
    return false;
  d->path.has_runs |= run & 1;
  add_rows (&d->path, d->path_rows, words, BLOCK);
  return true;
}

/* Some of LIMIT words, of N, that are events of regions. */
static inline size_t
take_some (struct cab_decode *d, const uint64_t *words, size_t limit, size_t n)
{
  if (d->by_region)
    return take_regions (d, words, limit, n);
  return d->by_shape ? take_shapes (d, words, limit, n) : take_accesses (d, words, limit, n);
}

/* Is the event at WORDS, which have N words, of a nest with parts? */
static bool
has_parts (struct cab_decode *d, const uint64_t *words, size_t n)
{
  uint64_t header = words[0];
  uint32_t fn = header >> CAB_EV_FN_SHIFT, region = cab_ev_region (header);
  const struct cab_decode_known *known = place_of (d, fn);
  if (known->fn != fn || region >= known->n_regions || cab_ev_words (header) >= n || cab_ev_access_form (header) != CAB_ACCESS_REGION)
    return false;
  const struct cab_region *r = cab_regions_at (known->regions, region);
  return r->is_parted && cab_ev_words (header) == r->words;
}

/* May the ACCESS event at WORDS, which have N words, not go into this batch? */
static inline bool
is_next_batch (struct cab_decode *d, const uint64_t *words, size_t n)
{
  if (!d->by_region)
    return d->shapes.n > CAB_BATCH_MAX - CAB_EXPAND_ROWS;   /* none where shapes are not asked for */
  if (d->records && cab_ev_fn (*words))
    regions_of (d, cab_ev_fn (*words));
  return told_region (d, words, n) || has_parts (d, words, n) ? d->rows.n || d->shapes.n == CAB_BATCH_MAX : d->shapes.n;
}

/* LIMIT of any N words, and what belongs to the last of them; how many were taken.  Less where a batch is full. */
static size_t
decode_words (struct cab_decode *d, const uint64_t *words, size_t limit, size_t n)
{
  size_t i = 0, taken;
  for (; i < limit && d->rows.n < CAB_BATCH_MAX && !d->ended; i++)
    switch (cab_decode_kind (words[i]))
      {
      case CAB_EV_CALL:
	add_call (d, words + i);
	break;
      case CAB_EV_PATH:
	if (!add_path (d, words + i))
	  return i;
	break;
      case CAB_EV_LOOP:
	add_loop (d, words[i]);
	break;
      case CAB_EV_SAMPLE:
	add_sample (d, words[i]);
	break;
      case CAB_EV_ACCESS:
	if (is_next_batch (d, words + i, n - i))
	  {
	    d->ended = true;
	    return i;
	  }
	taken = take_some (d, words + i, limit - i, n - i);
	if (taken)
	  {
	    i += taken - 1;
	    break;
	  }
	add_access (d, words + i, n - i);
	i += raw_words (d, words + i, n - i);
	break;
      case CAB_EV_ESCAPE:
	d->n_unknown++;
	i += raw_words (d, words + i, n - i);
	break;
      case CAB_EV_RESUME:
	d->n_resumes++;
	break;
      case 0:
	d->n_raw++;
	break;
      default:
	d->n_unknown++;
      }
  return i;
}

size_t
cab_decode (struct cab_decode *d, const uint64_t *words, size_t n, uint32_t thread)
{
  size_t limit = n < CAB_BATCH_MAX ? n : CAB_BATCH_MAX, i = 0;
  begin (d, thread);
  while (i + BLOCK <= limit && d->rows.n < CAB_BATCH_MAX && !d->ended)
    {
      for (unsigned line = 0; line < BLOCK; line += 8)
	__builtin_prefetch (words + i + AHEAD + line);
      unsigned kind = cab_decode_kind (words[i]);
      if (kind == CAB_EV_CALL ? take_calls (d, words + i) : kind == CAB_EV_PATH && take_paths (d, words + i))
	{
	  i += BLOCK;
	  continue;
	}
      size_t taken = decode_words (d, words + i, d->by_region ? limit - i : BLOCK, n - i);
      i += taken;
      if (taken < BLOCK)
	break;
    }
  if (i < limit && !d->ended)
    i += decode_words (d, words + i, limit - i, n - i);
  d->access.n = d->rows.n;
  if (d->rows.has_values)
    {
      d->access.value = d->rows.value;
      d->access.value_type = d->rows.value_type;
    }
  if (d->shapes.passes)
    fill_passes (d, d->shapes.n);
  return i;
}

size_t
cab_decode_run (const uint64_t *words, size_t n)
{
  size_t limit = n < CAB_BATCH_MAX ? n : CAB_BATCH_MAX, i = 0;
  unsigned run = 0;
  for (; i < limit; i += 1 + cab_decode_raw (words[i]))
    {
      unsigned kind = cab_decode_kind (words[i]);
      if (kind != CAB_EV_CALL && kind != CAB_EV_PATH && kind != CAB_EV_ACCESS)
	continue;
      if (run && kind != run)
	return i;
      run = kind;
    }
  return i < n ? i : n;
}
