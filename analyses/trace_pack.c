/* trace_pack.c - see trace_pack.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/trace_pack.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "rt/decode.h"

#define HEADERS_LOG 16
#define SLOTS_LOG 14
#define FOLLOWERS_LOG 17

/* How a raw word was found. */
enum code { BY_STEP, BY_FOLLOWER, BY_DIFFERENCE };

struct slot
{
  uint64_t last, step;
};

struct cab_trace_pack
{
  uint64_t header[1 << HEADERS_LOG];
  struct slot slot[1 << SLOTS_LOG];
  uint64_t follower[1 << FOLLOWERS_LOG];
  unsigned char *bytes;            /* of the packer */
  size_t n, room;
};

/* What the tables say of one raw word. */
struct guess
{
  struct slot *slot;
  uint64_t *follower;
  uint64_t by_step;
};

struct cab_trace_pack *
cab_trace_pack_new (void)
{
  return XCNEW (struct cab_trace_pack);
}

void
cab_trace_pack_free (struct cab_trace_pack *pack)
{
  if (pack)
    free (pack->bytes);
  free (pack);
}

static inline uint32_t
hash (uint64_t a, uint64_t b, int bits)
{
  return ((a * UINT64_C (0x9e3779b97f4a7c15) ^ b) * UINT64_C (0xff51afd7ed558ccd)) >> (64 - bits);
}

static inline uint64_t *
header_guess (struct cab_trace_pack *p, uint64_t last, uint64_t before)
{
  return &p->header[hash (last, before, HEADERS_LOG)];
}

static inline struct guess
guess (struct cab_trace_pack *p, uint64_t header, unsigned i)
{
  struct slot *slot = &p->slot[hash (header, i, SLOTS_LOG)];
  return (struct guess) { slot, &p->follower[hash (header + i, slot->last, FOLLOWERS_LOG)], slot->last + slot->step };
}

static inline void
learn (struct guess g, uint64_t word)
{
  *g.follower = word;
  g.slot->step = word - g.slot->last;
  g.slot->last = word;
}

static inline void
put_byte (struct cab_trace_pack *p, unsigned char byte)
{
  if (p->n == p->room)
    p->bytes = xrealloc (p->bytes, p->room = 2 * p->room + 65536);
  p->bytes[p->n++] = byte;
}

/* Seven bits a byte, low ones first; bit 7: more follow. */
static void
put_number (struct cab_trace_pack *p, uint64_t n)
{
  for (; n >= 128; n >>= 7)
    put_byte (p, (n & 127) | 128);
  put_byte (p, n);
}

static void
put_word (struct cab_trace_pack *p, uint64_t word)
{
  for (int i = 0; i < 8; i++)
    put_byte (p, word >> 8 * i);
}

/* Small of either sign to small. */
static inline uint64_t
fold (uint64_t difference)
{
  return difference << 1 ^ (uint64_t) ((int64_t) difference >> 63);
}

static inline uint64_t
unfold (uint64_t n)
{
  return n >> 1 ^ -(n & 1);
}

/* Raw words of the event at WORDS, of N. */
static inline unsigned
raw_words (uint64_t header, size_t n)
{
  unsigned raw = cab_decode_raw (header);
  return raw < n ? raw : n - 1;
}

/* How the words of an event were found: three in the byte that says whether its header was foreseen, which else comes behind it; then four
   in a byte. */
static void
put_codes (struct cab_trace_pack *p, uint64_t header, bool known, const unsigned char *code, unsigned raw)
{
  unsigned byte = known;
  for (unsigned i = 0; i < raw && i < 3; i++)
    byte |= code[i] << (1 + 2 * i);
  put_byte (p, byte);
  if (!known)
    put_word (p, header);
  for (unsigned i = 3; i < raw; i += 4)
    {
      byte = 0;
      for (unsigned k = 0; k < 4 && i + k < raw; k++)
	byte |= code[i + k] << 2 * k;
      put_byte (p, byte);
    }
}

/* One event: true if all of it was foreseen, else what it needs is put down behind RUN, the number of those before it that were. */
static bool
pack_event (struct cab_trace_pack *p, const uint64_t *words, unsigned raw, bool known, uint64_t run)
{
  uint64_t difference[CAB_EV_WORDS_MASK];
  unsigned char code[CAB_EV_WORDS_MASK];
  bool all = known;
  for (unsigned i = 0; i < raw; i++)
    {
      uint64_t word = words[1 + i];
      struct guess g = guess (p, words[0], i);
      code[i] = word == g.by_step ? BY_STEP : word == *g.follower ? BY_FOLLOWER : BY_DIFFERENCE;
      difference[i] = word - g.by_step;
      all &= code[i] == BY_STEP;
      learn (g, word);
    }
  if (all)
    return true;
  put_number (p, run);
  put_codes (p, words[0], known, code, raw);
  for (unsigned i = 0; i < raw; i++)
    if (code[i] == BY_DIFFERENCE)
      put_number (p, fold (difference[i]));
  return false;
}

const unsigned char *
cab_trace_pack_words (struct cab_trace_pack *p, const uint64_t *words, size_t n, size_t *bytes)
{
  uint64_t last = 0, before = 0, run = 0;
  p->n = 0;
  put_word (p, n);
  while (n > 0)
    {
      uint64_t *expected = header_guess (p, last, before);
      unsigned raw = raw_words (*words, n);
      run = pack_event (p, words, raw, *expected == *words, run) ? run + 1 : 0;
      *expected = *words;
      before = last;
      last = *words;
      words += 1 + raw;
      n -= 1 + raw;
    }
  put_number (p, run);
  *bytes = p->n;
  return p->bytes;
}

struct input
{
  const unsigned char *at, *end;
  bool bad;
};

static unsigned
get_byte (struct input *in)
{
  in->bad |= in->at == in->end;
  return in->bad ? 0 : *in->at++;
}

static uint64_t
get_number (struct input *in)
{
  uint64_t n = 0;
  unsigned byte = 128;
  for (int shift = 0; byte & 128 && !in->bad; shift += 7)
    {
      byte = get_byte (in);
      in->bad |= shift > 63;
      if (!in->bad)
	n |= (uint64_t) (byte & 127) << shift;
    }
  return n;
}

static uint64_t
get_word (struct input *in)
{
  uint64_t word = 0;
  for (int i = 0; i < 8; i++)
    word |= (uint64_t) get_byte (in) << 8 * i;
  return word;
}

int64_t
cab_trace_packed_words (const unsigned char *packed, size_t bytes)
{
  struct input in = { packed, packed + bytes, false };
  uint64_t n = get_word (&in);
  return in.bad || n > CAB_TRACE_PACKED_MAX ? -1 : (int64_t) n;
}

/* As put_codes has put them, FIRST being the first byte.  CODE has room for three more. */
static void
get_codes (struct input *in, unsigned first, unsigned char *code, unsigned raw)
{
  for (unsigned i = 0; i < 3; i++)
    code[i] = first >> (1 + 2 * i) & 3;
  for (unsigned i = 3; i < raw; i += 4)
    {
      unsigned byte = get_byte (in);
      for (unsigned k = 0; k < 4; k++)
	code[i + k] = byte >> 2 * k & 3;
    }
}

/* One event, the rest of which is put down, or (FORESEEN) is what the tables say; *EXPECTED is what its header may be.  How many words it has. */
static size_t
unpack_event (struct cab_trace_pack *p, struct input *in, uint64_t *words, size_t n, const uint64_t *expected, bool foreseen)
{
  unsigned char code[CAB_EV_WORDS_MASK + 4];
  unsigned first = foreseen ? 1 : get_byte (in);
  words[0] = first & 1 ? *expected : get_word (in);
  unsigned raw = raw_words (words[0], n);
  if (foreseen)
    memset (code, BY_STEP, raw);
  else
    get_codes (in, first, code, raw);
  for (unsigned i = 0; i < raw; i++)
    {
      struct guess g = guess (p, words[0], i);
      words[1 + i] = code[i] == BY_STEP ? g.by_step : code[i] == BY_FOLLOWER ? *g.follower : g.by_step + unfold (get_number (in));
      learn (g, words[1 + i]);
    }
  return 1 + raw;
}

int
cab_trace_unpack (struct cab_trace_pack *p, const unsigned char *packed, size_t bytes, uint64_t *words, size_t n)
{
  struct input in = { packed + (bytes < 8 ? bytes : 8), packed + bytes, false };
  uint64_t last = 0, before = 0, run = get_number (&in);
  while (n > 0 && !in.bad)
    {
      uint64_t *expected = header_guess (p, last, before);
      bool foreseen = run > 0;
      size_t taken = unpack_event (p, &in, words, n, expected, foreseen);
      run = foreseen ? run - 1 : get_number (&in);
      *expected = *words;
      before = last;
      last = *words;
      words += taken;
      n -= taken;
    }
  return in.bad || run || in.at != in.end ? -1 : 0;
}
