/* access.h - what the records of functions say about accesses, for the decoder.
 *
 * Model:      a function's record is looked up, in the copy in the profile, when its first ACCESS
 *             event is decoded, and is kept as a table (analyses/wire/regions.h) to the end.  The
 *             copy stays mapped too, since the record of a region is read when its first event
 *             arrives.  A function whose record cannot be had then never gets one, so that a reader
 *             of the ring of a dead process finds what was counted.
 * Threads:    any; the first lookup of a function, and of a region, takes the runtime's lock.
 * Errors:     null; reported once.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_ACCESS_H
#define CAB_RT_ACCESS_H

#include "analyses/wire/decode.h"

extern const struct cab_decode_records cab_access_records;

/* Return the name that function FN has in the source, *N bytes long, without an end, or null if it
   cannot be had. */
const char *cab_access_name (uint32_t fn, size_t *n);

/* Forget all that is known, in a copy of a process in which another thread may have been updating
   it.  Under the lock. */
void cab_access_fork (void);

/* Map the records of all modules, since they may become unreachable.  Under the lock. */
void cab_access_prepare (void);

#endif
