/* trace_unpack.h - predicted words of chunks, as they were.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Source:     docs/trace.md, "Predicted words"; analyses/wire/trace_words.h has the tables, and who
 *             writes.
 * Model:      chunks are unpacked in the order in which their process has packed them, since the
 *             tables go on from one to the next.
 * Errors:     negative: the bytes are none of ours.  Whatever they are, nothing outside of them and
 *             of the words is touched.
 */
#ifndef CAB_TRACE_UNPACK_H
#define CAB_TRACE_UNPACK_H

#include "analyses/wire/trace_words.h"

/* N words, as cab_words_packed says. */
int cab_words_unpack (struct cab_words *w, const unsigned char *packed, size_t bytes,
		      uint64_t *words, size_t n);

#endif
