/* trace_unpack.c - see trace_unpack.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/trace/trace_unpack.h"
#include <stdbool.h>
#include <string.h>

struct input
{
  const unsigned char *control, *control_end;   /* the data begins at control_end */
  const unsigned char *data, *end;
  bool high;                                    /* four bits of *control are consumed */
  bool bad;
};

static inline unsigned
get_code (struct input *in)
{
  if (in->control == in->control_end)
    {
      in->bad = true;
      return 0;
    }
  unsigned code = in->high ? *in->control >> 4 : *in->control & 15;
  in->control += in->high;
  in->high = !in->high;
  in->bad |= code > CAB_WORDS_CODE_MAX;
  return code;
}

/* Skip the rest of a half-used byte, since the codes of an event take whole bytes. */
static inline void
end_codes (struct input *in)
{
  in->control += in->high;
  in->high = false;
}

/* Return the next N bytes of data, at most eight, as a number. */
static inline uint64_t
get_data (struct input *in, unsigned n)
{
  uint64_t value = 0;
  if ((size_t) (in->end - in->data) < n || n > sizeof value)
    {
      in->bad = true;
      return 0;
    }
  memcpy (&value, in->data, n);
  in->data += n;
  return value;
}

static inline uint64_t
unfold (uint64_t n)
{
  return n >> 1 ^ -(n & 1);
}

/* Set *PLACE, which is the predicted place of a header, to the place that CODE encodes. */
static void
get_header (struct cab_words *w, struct input *in, unsigned code, unsigned *place)
{
  if (code == CAB_WORDS_BY_PLACE)
    {
      unsigned told = get_data (in, 2);
      in->bad |= told >> CAB_WORDS_PLACES_LOG != 0;
      *place = in->bad ? 0 : told;
      return;
    }
  uint64_t header = w->header[*place] + unfold (get_data (in, code - CAB_WORDS_BY_BYTES + 1));
  *place = cab_words_place (header);
  w->header[*place] = header;
}

static inline uint64_t
get_raw (struct cab_words_slot *slot, struct input *in)
{
  unsigned code = get_code (in);
  uint64_t step = code == CAB_WORDS_BY_STEP ? slot->step
					    : unfold (get_data (in, code - CAB_WORDS_BY_LAST));
  slot->step = step;
  return slot->last += step;
}

static void
unpack (struct cab_words *w, struct input *in, uint64_t *words, size_t n)
{
  while (n > 0 && !in->bad)
    {
      unsigned code = get_code (in), place = w->next[w->context];
      if (code != CAB_WORDS_FORESEEN)
	{
	  get_header (w, in, code, &place);
	  w->next[w->context] = place;
	}
      w->context = cab_words_context (w->context, place);
      *words = w->header[place];
      unsigned raw = cab_words_raw (*words++, --n);
      for (unsigned i = 0; i < raw; i++)
	*words++ = get_raw (cab_words_slot (w, place, i), in);
      end_codes (in);
      n -= raw;
    }
}

int
cab_words_unpack (struct cab_words *w, const unsigned char *packed, size_t bytes, uint64_t *words,
		  size_t n)
{
  uint64_t head[2];
  if (bytes < sizeof head)
    return -1;
  memcpy (head, packed, sizeof head);
  if (head[0] != n || head[1] > bytes - sizeof head)
    return -1;
  const unsigned char *control = packed + sizeof head;
  struct input in = { control, control + head[1], control + head[1], packed + bytes, false, false };
  unpack (w, &in, words, n);
  return in.bad || in.control != in.control_end || in.data != in.end ? -1 : 0;
}
