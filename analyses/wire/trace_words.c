/* trace_words.c - see trace_words.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "analyses/wire/trace_words.h"
#include <string.h>

/* Fold a difference of either sign, so that small ones become small numbers. */
static inline uint64_t
fold (uint64_t difference)
{
  return difference << 1 ^ (uint64_t) ((int64_t) difference >> 63);
}

/* Return how many bytes N needs; 0 for 0. */
static inline unsigned
length (uint64_t n)
{
  return (63 ^ __builtin_clzll (n | 1)) / 8 + (n != 0);
}

/* Store eight bytes, and step over those that count: no branch depends on how many they are. */
static inline unsigned char *
put (unsigned char *to, uint64_t n, unsigned bytes)
{
  memcpy (to, &n, sizeof n);
  return to + bytes;
}

/* Pack HEADER, which was not predicted.  Return its code. */
static unsigned
put_header (struct cab_words *w, uint64_t header, unsigned *place, unsigned char **data)
{
  uint64_t difference = fold (header - w->header[*place]);
  *place = cab_words_place (header);
  if (w->header[*place] == header)
    {
      *data = put (*data, *place, 2);
      return CAB_WORDS_BY_PLACE;
    }
  w->header[*place] = header;
  *data = put (*data, difference, length (difference));
  return CAB_WORDS_BY_BYTES + length (difference) - 1;
}

static inline unsigned
put_raw (struct cab_words_slot *slot, uint64_t word, unsigned char **data)
{
  uint64_t step = word - slot->last, folded = fold (step);
  unsigned bytes = length (folded), code = CAB_WORDS_BY_LAST + bytes;
  bool stepped = step == slot->step;
  *data = put (*data, folded, stepped ? 0 : bytes);
  slot->step = step;
  slot->last = word;
  return stepped ? CAB_WORDS_BY_STEP : code;
}

/* Pack RAW words of the event whose header is at PLACE and has the code CODE.  Each has four bits
   of control, from the low ones on, in whole bytes for an event.  Return the end of the control
   bytes. */
static inline unsigned char *
put_event (struct cab_words *w, const uint64_t *words, unsigned raw, unsigned place, unsigned code,
	   unsigned char *control, unsigned char **data)
{
  uint64_t codes = code;
  unsigned bits = 4;
  for (unsigned i = 0; i < raw; i++)
    {
      codes |= (uint64_t) put_raw (cab_words_slot (w, place, i), words[i], data) << bits;
      bits += 4;
      if (bits == 64)
	{
	  control = put (control, codes, 8);
	  codes = bits = 0;
	}
    }
  return put (control, codes, (bits + 4) / 8);
}

/* The control bytes come first, at most one for each word; so the data is written after the room
   for these, and moved when their number is known. */
size_t
cab_words_pack (struct cab_words *w, const uint64_t *words, size_t n, unsigned char *out)
{
  unsigned char *first = out + CAB_WORDS_HEAD_BYTES, *control = first, *begin = first + n + 8,
		*data = begin;
  uint64_t head[2] = { n, 0 };
  uint32_t context = w->context;
  while (n > 0)
    {
      uint64_t header = *words++;
      unsigned place = w->next[context], raw = cab_words_raw (header, --n),
	       code = CAB_WORDS_FORESEEN;
      if (__builtin_expect (w->header[place] != header, 0))
	{
	  code = put_header (w, header, &place, &data);
	  w->next[context] = place;
	}
      context = cab_words_context (context, place);
      control = put_event (w, words, raw, place, code, control, &data);
      words += raw;
      n -= raw;
    }
  w->context = context;
  head[1] = control - first;
  memcpy (out, head, sizeof head);
  memmove (control, begin, data - begin);
  return control - out + (data - begin);
}
