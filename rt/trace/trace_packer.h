/* trace_packer.h - packs the process' chunks by prediction (analyses/wire/trace_words.h), and owns
 * the memory for it.
 *
 * Model:      mapped with the first chunk, never given back; the tables are reset with each header
 *             that the trace gets.
 * Threads:    one at a time: under the trace's lock.
 * Errors:     without memory a null pointer, and the chunk is written unpacked.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_TRACE_PACKER_H
#define CAB_RT_TRACE_PACKER_H

#include <stddef.h>
#include <stdint.h>

/* Pack N words.  Return the packed bytes, valid until the next call, and their number in *BYTES;
   null if there are too many words, or there is no memory. */
const unsigned char *cab_trace_packer_pack (const uint64_t *words, size_t n, uint64_t *bytes);

/* Reset the tables to zero, since a header was sent. */
void cab_trace_packer_reset (void);

#endif
