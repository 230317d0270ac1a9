/* trace_words.h - the words of chunks, packed by prediction, so that what was predicted takes
 * little room: the tables, and the writer.
 *
 * Source:     prediction by steps and by what came last, as in Burtscher's VPC traces;
 *             docs/trace.md has the format, "Predicted words".
 * Model:      an event's header is predicted from those before it, each raw word of an event from
 *             the same word of the last one with this header. A code of four bits says how each
 *             was found; the codes are apart from the bytes of what was not predicted, so that
 *             zstd finds both alike.
 *             The tables persist from chunk to chunk of a process; the reader
 *             (analyses/trace/trace_unpack.h) has the same.
 * Shapes:     tables are zero at the start.
 * Units:      words; bytes of packed ones.
 * Threads:    one at a time.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_TRACE_WORDS_H
#define CAB_RT_TRACE_WORDS_H

#include <stddef.h>
#include <stdint.h>
#include "analyses/wire/decode.h"

#define CAB_WORDS_MAX (1u << 22)           /* of a packed chunk */
#define CAB_WORDS_HEAD_BYTES 16u           /* number of words, number of bytes of codes */
#define CAB_WORDS_PLACES_LOG 13
#define CAB_WORDS_CONTEXTS_LOG 14
#define CAB_WORDS_SLOTS_LOG 16             /* eight for each place; an event with more uses those of
					      the following places */

/* The code of a header, in four bits; enum cab_words_raw has those of raw words. */
enum cab_words_header
{
  CAB_WORDS_FORESEEN,
  CAB_WORDS_BY_PLACE,                      /* two bytes: its place */
  CAB_WORDS_BY_BYTES                       /* + n - 1: n bytes, the difference from the predicted
					      one, folded */
};

enum cab_words_raw
{
  CAB_WORDS_BY_STEP,
  CAB_WORDS_BY_LAST                        /* + n: n bytes, the difference from the last one,
					      folded */
};
#define CAB_WORDS_CODE_MAX 9u              /* largest code of either kind */

struct cab_words_slot
{
  uint64_t last, step;
};

struct cab_words
{
  uint64_t header[1 << CAB_WORDS_PLACES_LOG];
  uint16_t next[1 << CAB_WORDS_CONTEXTS_LOG];   /* the place of the header that last followed
						   these */
  struct cab_words_slot slot[1 << CAB_WORDS_SLOTS_LOG];
  uint32_t context;                             /* a hash of the last headers */
};

/* Return the place of HEADER in the tables, a hash of it. */
static inline unsigned
cab_words_place (uint64_t header)
{
  return header * UINT64_C (0x9e3779b97f4a7c15) >> (64 - CAB_WORDS_PLACES_LOG);
}

/* Return CONTEXT with the header at PLACE added. */
static inline uint32_t
cab_words_context (uint32_t context, unsigned place)
{
  return (context << 4 ^ place * 0x9e5u) & ((1u << CAB_WORDS_CONTEXTS_LOG) - 1);
}

/* Return the slot of raw word I of an event whose header is at PLACE. */
static inline struct cab_words_slot *
cab_words_slot (struct cab_words *w, unsigned place, unsigned i)
{
  return &w->slot[(place * 8 + i) & ((1u << CAB_WORDS_SLOTS_LOG) - 1)];
}

/* Return how many raw words follow HEADER, at most the LEFT that are there. */
static inline unsigned
cab_words_raw (uint64_t header, size_t left)
{
  unsigned raw = cab_decode_raw (header);
  return raw < left ? raw : left;
}

/* Return how many bytes N packed words may need. */
static inline size_t
cab_words_room (size_t n)
{
  return CAB_WORDS_HEAD_BYTES + 9 * n + 16;
}

/* Pack N <= CAB_WORDS_MAX words to OUT, which has room for cab_words_room bytes.  Return how many
   bytes were written. */
size_t cab_words_pack (struct cab_words *w, const uint64_t *words, size_t n, unsigned char *out);

/* Return how many words are in packed BYTES; negative if these cannot be packed words. */
static inline int64_t
cab_words_packed (const unsigned char *packed, size_t bytes)
{
  uint64_t n;
  if (bytes < CAB_WORDS_HEAD_BYTES)
    return -1;
  __builtin_memcpy (&n, packed, sizeof n);
  return n > CAB_WORDS_MAX ? -1 : (int64_t) n;
}

#endif
