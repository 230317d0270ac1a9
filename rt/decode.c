/* decode.c - see decode.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/decode.h"
#include <stdbool.h>

/* An escape's count of raw words: the field above its kind. */
#define ESCAPE_WORDS_MASK 0xfffu

unsigned
cab_decode_kind (uint64_t word)
{
  unsigned kind = cab_ev_kind (word);
  switch (kind)
    {
    case CAB_EV_CALL: case CAB_EV_TAIL: case CAB_EV_UNDER:
      return CAB_EV_CALL;
    case CAB_EV_PATH: case CAB_EV_PATH_LAST:
      return CAB_EV_PATH;
    case 15:
      return 0;
    default:
      return kind;
    }
}

static inline void
add_call (struct cab_decode *d, uint64_t word)
{
  uint32_t n = d->call.n, fn = cab_ev_callee (word);
  d->call_fn[n] = fn;
  d->call_site[n] = cab_ev_site (word);
  d->call_depth[n] = cab_ev_depth (word);
  d->call_form[n] = cab_ev_kind (word);
  int registered = fn != 0;
  d->n_unregistered += !registered;
  d->call.n = n + registered;
}

static inline void
add_path (struct cab_decode *d, uint64_t word)
{
  uint32_t n = d->path.n, fn = cab_ev_fn (word);
  d->path_fn[n] = fn;
  d->path_number[n] = cab_ev_path (word);
  d->path_form[n] = cab_ev_kind (word);
  int registered = fn != 0;
  d->n_unregistered += !registered;
  d->path.n = n + registered;
}

/* Words behind an escape's header at WORDS; those that are not there make it unknown. */
static size_t
skip_escape (struct cab_decode *d, const uint64_t *words, size_t n)
{
  size_t raw = words[0] >> CAB_EV_SITE_SHIFT & ESCAPE_WORDS_MASK;
  d->n_unknown++;
  return raw < n - 1 ? raw : n - 1;
}

static void
begin (struct cab_decode *d, uint32_t thread)
{
  d->call = (struct cab_batch) {
    .kind = CAB_EV_CALL, .thread = thread,
    .fn = d->call_fn, .site = d->call_site, .depth = d->call_depth, .form = d->call_form
  };
  d->path = (struct cab_batch) {
    .kind = CAB_EV_PATH, .thread = thread, .fn = d->path_fn, .path = d->path_number, .form = d->path_form
  };
}

/* Blocks that hold nothing but plain calls, or nothing but paths, all of functions with a number: most are so, and need no branch
   per event. */
#define BLOCK 32u

static inline bool
all_calls (const uint64_t *words)
{
  uint64_t other = 0;
  for (unsigned i = 0; i < BLOCK; i++)
    other |= ((words[i] ^ CAB_EV_CALL) & CAB_EV_KIND_MASK) | !cab_ev_callee (words[i]);
  return !other;
}

static inline bool
all_paths (const uint64_t *words)
{
  uint64_t other = 0;
  for (unsigned i = 0; i < BLOCK; i++)
    other |= ((words[i] ^ CAB_EV_PATH) & (CAB_EV_KIND_MASK & ~(CAB_EV_PATH ^ CAB_EV_PATH_LAST))) | !cab_ev_fn (words[i]);
  return !other;
}

static inline void
add_calls (struct cab_decode *d, const uint64_t *words)
{
  uint32_t n = d->call.n;
  for (unsigned i = 0; i < BLOCK; i++)
    {
      d->call_fn[n + i] = cab_ev_callee (words[i]);
      d->call_site[n + i] = cab_ev_site (words[i]);
      d->call_depth[n + i] = cab_ev_depth (words[i]);
      d->call_form[n + i] = CAB_EV_CALL;
    }
  d->call.n = n + BLOCK;
}

static inline void
add_paths (struct cab_decode *d, const uint64_t *words)
{
  uint32_t n = d->path.n;
  for (unsigned i = 0; i < BLOCK; i++)
    {
      d->path_fn[n + i] = cab_ev_fn (words[i]);
      d->path_number[n + i] = cab_ev_path (words[i]);
      d->path_form[n + i] = cab_ev_kind (words[i]);
    }
  d->path.n = n + BLOCK;
}

/* The uniform blocks at WORDS; how many words they are. */
static size_t
decode_blocks (struct cab_decode *d, const uint64_t *words, size_t n)
{
  size_t i = 0;
  for (; i + BLOCK <= n; i += BLOCK)
    if (all_calls (words + i))
      add_calls (d, words + i);
    else if (all_paths (words + i))
      add_paths (d, words + i);
    else
      break;
  return i;
}

size_t
cab_decode (struct cab_decode *d, const uint64_t *words, size_t n, uint32_t thread)
{
  size_t limit = n < CAB_BATCH_MAX ? n : CAB_BATCH_MAX;
  begin (d, thread);
  size_t i = decode_blocks (d, words, limit);
  for (; i < limit; i++)
    switch (cab_decode_kind (words[i]))
      {
      case CAB_EV_CALL:
	add_call (d, words[i]);
	break;
      case CAB_EV_PATH:
	add_path (d, words[i]);
	break;
      case CAB_EV_ESCAPE:
	i += skip_escape (d, words + i, n - i);
	break;
      case 0:
	break;
      default:
	d->n_unknown++;
      }
  return i;
}

size_t
cab_decode_run (const uint64_t *words, size_t n)
{
  size_t limit = n < CAB_BATCH_MAX ? n : CAB_BATCH_MAX;
  unsigned run = 0;
  for (size_t i = 0; i < limit; i++)
    {
      unsigned kind = cab_decode_kind (words[i]);
      if (kind != CAB_EV_CALL && kind != CAB_EV_PATH)
	continue;
      if (run && kind != run)
	return i;
      run = kind;
    }
  return limit;
}
