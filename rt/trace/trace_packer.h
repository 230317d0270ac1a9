/* trace_packer.h - the process' chunks, predicted (analyses/wire/trace_words.h): the memory for it.
 *
 * Model:      mapped with the first chunk, never given back; the tables begin anew with each header
 *             that the trace gets.
 * Threads:    one at a time: under the trace's lock.
 * Errors:     no memory: a null pointer, and the chunk goes as it is.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_TRACE_PACKER_H
#define CAB_RT_TRACE_PACKER_H

#include <stddef.h>
#include <stdint.h>

/* N words, packed, until the next call; *BYTES long.  Null: they are too many, or there is no
   memory. */
const unsigned char *cab_trace_packer_pack (const uint64_t *words, size_t n, uint64_t *bytes);

/* A header was sent: the tables are zero. */
void cab_trace_packer_reset (void);

#endif
