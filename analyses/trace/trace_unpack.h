/* trace_unpack.h - restore the words of predicted chunks.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Source:     docs/trace.md, "Predicted words"; analyses/wire/trace_words.h has the tables, and the
 *             side that packs.
 * Model:      chunks are unpacked in the order in which their process packed them, since the tables
 *             carry over from one to the next.
 * Errors:     negative: the bytes are malformed.  Whatever they are, nothing outside of them and of
 *             the words is accessed.
 */
#ifndef CAB_TRACE_UNPACK_H
#define CAB_TRACE_UNPACK_H

#include "analyses/wire/trace_words.h"

/* Unpack N words, as many as cab_words_packed returns, to WORDS. */
int cab_words_unpack (struct cab_words *w, const unsigned char *packed, size_t bytes,
		      uint64_t *words, size_t n);

#endif
