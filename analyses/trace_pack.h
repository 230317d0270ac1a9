/* trace_pack.h - the words of chunks, predicted, so that what was foreseen takes no room.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Source:     prediction by strides and by contexts as in Burtscher's VPC traces; docs/trace.md has the format, "Predicted words".
 * Model:      an event's header is predicted from the two before it, each raw word by its last value and step, or by what followed its last
 *             value before.  Runs of events that were foreseen are counted.  The tables go on from chunk to chunk, so chunks are unpacked
 *             in the order in which they were packed.
 * Units:      words; bytes of packed ones.
 * Errors:     negative: the bytes are none of ours.
 */
#ifndef CAB_TRACE_PACK_H
#define CAB_TRACE_PACK_H

#include <stddef.h>
#include <stdint.h>

#define CAB_TRACE_PACKED_MAX (1u << 22)   /* words of a packed chunk */

struct cab_trace_pack;
struct cab_trace_pack *cab_trace_pack_new (void);
void cab_trace_pack_free (struct cab_trace_pack *pack);

/* The N words, packed; *BYTES long, valid until the next call. */
const unsigned char *cab_trace_pack_words (struct cab_trace_pack *pack, const uint64_t *words, size_t n, size_t *bytes);
/* How many words are in the packed BYTES; negative: none can be. */
int64_t cab_trace_packed_words (const unsigned char *packed, size_t bytes);
/* So many. */
int cab_trace_unpack (struct cab_trace_pack *pack, const unsigned char *packed, size_t bytes, uint64_t *words, size_t n);

#endif
