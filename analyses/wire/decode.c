/* decode.c - see decode.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "analyses/wire/decode_access.h"
#include <stdbool.h>
#include <string.h>

unsigned
cab_decode_kind (uint64_t word)
{
  unsigned kind = cab_ev_kind (word);
  switch (kind)
    {
    case CAB_EV_CALL: case CAB_EV_TAIL: case CAB_EV_UNDER:
      return CAB_EV_CALL;
    case CAB_EV_PATH:
    case CAB_EV_PATH_LAST:
    case CAB_EV_RUN:
    case CAB_EV_RUN_HIGH:
    case CAB_EV_PACK:
      return CAB_EV_PATH;
    case CAB_EV_TIME:
      return CAB_EV_TIMED;
    case 15:
      return 0;
    default:
      return kind;
    }
}

/* Add the N words at WORDS as rows of B.  They stay where they are as long as nothing else stands
   between a batch's rows; otherwise all are gathered in ROWS. */
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

/* Put the N paths of a PACK at ROW, each as cab_ev_pack_path returns it. */
static inline void
put_pack (uint64_t *row, uint64_t word, unsigned n)
{
  unsigned width = cab_ev_pack_width (word),
	   shift = CAB_EV_PACK_SHIFT - CAB_EV_PATH_SHIFT + width * n;
  uint64_t head = word >> CAB_EV_FN_SHIFT << CAB_EV_FN_SHIFT | CAB_EV_PATH,
	   mask = ((UINT64_C (1) << width) - 1) << CAB_EV_PATH_SHIFT;
  for (unsigned i = 0; i < n; i++)
    row[i] = head | (word >> (shift -= width) & mask);
}

/* Gather the rows of paths from now on. */
static void
gather_paths (struct cab_decode *d)
{
  if (d->path.events != d->path_rows && d->path.n)
    memcpy (d->path_rows, d->path.events, d->path.n * sizeof *d->path_rows);
  d->path.events = d->path_rows;
}

/* Take consecutive paths, each of a function with a number, of LIMIT words.  Return how many words
   were taken; fewer where the batch may have no room. */
static inline size_t
take_packs (struct cab_decode *d, const uint64_t *words, size_t limit)
{
  size_t i = 0, at = d->path.n;
  uint64_t runs = 0;
  gather_paths (d);
  for (; i < limit && at <= CAB_BATCH_MAX - CAB_EV_PACK_MOST; i++)
    {
      uint64_t word = words[i];
      unsigned n = 1;
      if (!cab_ev_fn (word))
	break;
      if (cab_ev_kind (word) == CAB_EV_PACK)
	{
	  n = cab_ev_pack_n (word);
	  if (!n)
	    break;
	  put_pack (d->path_rows + at, word, n);
	}
      else if (cab_decode_kind (word) == CAB_EV_PATH)
	d->path_rows[at] = word, runs |= cab_ev_is_run (word);
      else
	break;
      at += n;
    }
  d->path.has_runs |= runs;
  d->n_extra += at - d->path.n - i;
  d->path.n = at;
  return i;
}

/* Add the paths in *WORD.  Return false if the batch has no room for them. */
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
  else if (!pack)
    add_rows (&d->path, d->path_rows, word, 1);
  else
    {
      gather_paths (d);
      put_pack (d->path_rows + d->path.n, *word, n);
      d->path.n += n;
      d->n_extra += n - 1;
    }
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

/* Add the event after the TIME at WORDS, of N words, as a row with its time.  It is decoded as any
   other of its kind after that. */
static inline void
add_timed (struct cab_decode *d, const uint64_t *words, size_t n)
{
  uint64_t event = n > 1 ? words[1] : CAB_EV_CLEAR;
  uint32_t at = d->timed.n;
  bool ends = cab_ev_kind (event) == CAB_EV_RESUME;
  if (!ends && cab_decode_kind (event) != CAB_EV_CALL)
    {
      d->n_unknown++;
      return;
    }
  d->n_raw++;
  d->timed_rows[at] = event;
  d->timed_clock[at] = words[0] >> CAB_EV_TIME_SHIFT;
  d->timed.n = at + (ends || cab_ev_callee (event));
}

/* Count the words after the header at WORDS, of N words, that belong to it, and return how many
   they are. */
static size_t
raw_words (struct cab_decode *d, const uint64_t *words, size_t n)
{
  size_t raw = cab_decode_raw (words[0]);
  raw = raw < n - 1 ? raw : n - 1;
  d->n_raw += raw;
  return raw;
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
  d->loop = (struct cab_batch) { .kind = CAB_EV_LOOP,
				 .thread = thread,
				 .fn = d->loop_fn,
				 .loop = d->loop_number,
				 .form = d->loop_form,
				 .count = d->loop_count };
  d->sample = (struct cab_batch) {
    .kind = CAB_EV_SAMPLE, .thread = thread, .address = d->sample_address, .count = d->sample_ns
  };
  d->timed = (struct cab_batch) {
    .kind = CAB_EV_TIMED, .thread = thread, .events = d->timed_rows, .count = d->timed_clock
  };
  d->access = (struct cab_batch) { .kind = CAB_EV_ACCESS,
				   .thread = thread,
				   .site = d->rows.site,
				   .form = d->rows.form,
				   .address = d->rows.address,
				   .bytes = d->rows.bytes,
				   .other = d->access_other };
  d->shapes = (struct cab_batch) { .kind = CAB_EV_ACCESS,
				   .thread = thread,
				   .shape = d->by_region ? NULL : d->shape,
				   .passes = d->by_shape ? d->passes : NULL };
  d->value = (struct cab_batch) { .kind = CAB_EV_VALUE,
				  .thread = thread,
				  .site = d->value_site,
				  .form = d->value_form,
				  .value = d->value_bits,
				  .value_type = d->value_type };
  d->n_extra = 0;
  cab_decode_access_begin (d);
}

/* The words of a block.  Most blocks hold nothing but calls, or nothing but paths, all of functions
   with a number, and need no branch per event. */
#define BLOCK 32u

/* Bit 63 is set if the field of WORD at SHIFT is 0, which no event of a registered function has. */
#define IS_NONE(word, shift) (((word) & CAB_EV_ID_MASK << (shift)) - (UINT64_C (1) << (shift)))

/* Take a block of calls.  This, and the functions below, look at the bits of the kinds by
   themselves: that takes no branch, and can be vectorized. */
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

/* Return true if the words of a block are paths, and none is a run. */
static inline bool
are_single (const uint64_t *words)
{
  uint64_t none = 0, other = 0;
  for (unsigned i = 0; i < BLOCK; i++)
    {
      other |= words[i] ^ CAB_EV_PATH;   /* PATH, PATH_LAST: 0010, 1010 */
      none |= IS_NONE (words[i], CAB_EV_FN_SHIFT);
    }
  return !(other & 7 || none >> 63);
}

/* Take a block of paths, which may be runs. */
static inline bool
take_paths (struct cab_decode *d, const uint64_t *words)
{
  if (d->path.n > CAB_BATCH_MAX - BLOCK)
    return false;
  if (!are_single (words))
    {
      uint64_t none = 0, other = 0;   /* or RUN, RUN_HIGH: 1100, 1101 */
      for (unsigned i = 0; i < BLOCK; i++)
	{
	  uint64_t w = words[i];
	  other |= (w >> 2 & (~(w >> 3) | w >> 1)) | (~(w >> 2) & (~(w >> 1) | w));
	  none |= IS_NONE (w, CAB_EV_FN_SHIFT);
	}
      if (other & 1 || none >> 63)
	return false;
      d->path.has_runs = 1;
    }
  add_rows (&d->path, d->path_rows, words, BLOCK);
  return true;
}

/* Decode the first LIMIT of N words, and what belongs to the last of them.  Return how many were
   taken; less where a batch is full. */
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
	taken = cab_ev_kind (words[i]) == CAB_EV_PACK || d->path.events == d->path_rows
		? take_packs (d, words + i, limit - i)
		: 0;
	if (taken)
	  i += taken - 1;
	else if (!add_path (d, words + i))
	  return i;
	break;
      case CAB_EV_LOOP:
	add_loop (d, words[i]);
	break;
      case CAB_EV_SAMPLE:
	add_sample (d, words[i]);
	break;
      case CAB_EV_ACCESS:
	if (!(taken = cab_decode_access (d, words + i, n - i)))
	  return i;
	i += taken - 1;
	break;
      case CAB_EV_ESCAPE:
	d->n_unknown++;
	i += raw_words (d, words + i, n - i);
	break;
      case CAB_EV_RESUME:
	d->n_resumes++;
	break;
      case CAB_EV_TIMED:
	if (d->timed.n == CAB_BATCH_MAX)
	  return i;
	add_timed (d, words + i, n - i);
	break;
      case 0:
	d->n_raw++;
	break;
      default:
	d->n_unknown++;
      }
  return i;
}

/* Return how many of N words a batch has room for.  Those of accesses need none, as their batches
   end by themselves when they are full; ROOMLESS is the count of these at the start. */
static inline size_t
limit_of (const struct cab_decode *d, uint64_t roomless, size_t n)
{
  size_t limit = CAB_BATCH_MAX + (d->n_raw + d->n_accesses - roomless);
  return limit < n ? limit : n;
}

size_t
cab_decode (struct cab_decode *d, const uint64_t *words, size_t n, uint32_t thread)
{
  uint64_t roomless = d->n_raw + d->n_accesses;
  size_t limit = limit_of (d, roomless, n), i = 0;
  begin (d, thread);
  while (i + BLOCK <= limit && d->rows.n < CAB_BATCH_MAX && !d->ended)
    {
      for (unsigned line = 0; line < BLOCK; line += 8)
	__builtin_prefetch (words + i + CAB_DECODE_AHEAD + line);
      unsigned kind = cab_decode_kind (words[i]);
      if (kind == CAB_EV_CALL ? take_calls (d, words + i)
			      : kind == CAB_EV_PATH && take_paths (d, words + i))
	{
	  i += BLOCK;
	  continue;
	}
      size_t taken = decode_words (d, words + i, d->by_region ? limit - i : BLOCK, n - i);
      i += taken;
      limit = limit_of (d, roomless, n);
      if (taken < BLOCK)
	break;
    }
  if (i < limit && !d->ended)
    i += decode_words (d, words + i, limit - i, n - i);
  cab_decode_access_end (d);
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
