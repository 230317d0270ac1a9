/* access.h - what the records of functions say of accesses, for the decoder.
 *
 * Model:      a function's record is looked up when its first ACCESS event is decoded, in the copy
 *             that lies in the profile, and kept as a table (analyses/wire/regions.h) to the end;
 *             so is the copy mapped, since what the table says of a region is read when its first
 *             event comes.  A function whose record cannot be had then has none for good, so that a
 *             reader of the ring that a dead process leaves finds what was counted.
 * Threads:    any; the first look at a function, and at a region, takes the runtime's lock.
 * Errors:     null; told once.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_ACCESS_H
#define CAB_RT_ACCESS_H

#include "analyses/wire/decode.h"

extern const struct cab_decode_records cab_access_records;

/* Forget all that is known, in a copy of a process that had a thread in the midst of it.  Under the
   lock. */
void cab_access_fork (void);

/* Map the records of all modules: later they may be out of reach.  Under the lock. */
void cab_access_prepare (void);

#endif
