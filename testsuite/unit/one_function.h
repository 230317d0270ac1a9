/* one_function.h - events of accesses of one function, whose record a test makes up.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_TEST_ONE_FUNCTION_H
#define CAB_TEST_ONE_FUNCTION_H

#include "analyses/wire/decode.h"

#define FN 7
#define FIRST 100   /* number of its access 0 */

/* What its record says; null: not parsed yet, or refused. */
extern struct cab_regions *table;
/* The same for decoders. */
extern const struct cab_decode_records records;

/* Make TEXT its record; return false if that is refused. */
bool parse (const char *text);
/* Make TEXT its record, whose regions are read when events come. TEXT stays. */
bool begin (const char *text);

uint64_t header (uint64_t fn, uint64_t region, uint64_t form, uint64_t n);

#endif
