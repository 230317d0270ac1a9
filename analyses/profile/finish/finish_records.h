/* finish_records.h - what the records of a process' functions say of accesses, for the decoder of
 * its rings.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      files of records are read, and records parsed, when an event asks for them.
 * Ownership:  the part must outlive the records.
 * Errors:     a record that cannot be read is treated as absent; that its file is missing, the
 *             model reports.
 */
#ifndef CAB_FINISH_RECORDS_H
#define CAB_FINISH_RECORDS_H

#include "analyses/profile/part.h"
#include "analyses/wire/decode.h"

struct cab_finish_records;

struct cab_finish_records *cab_finish_records_open (const struct cab_part *part);
const struct cab_decode_records *
cab_finish_records_source (const struct cab_finish_records *records);
void cab_finish_records_close (struct cab_finish_records *records);

#endif
