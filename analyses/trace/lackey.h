/* lackey.h - read the text that `valgrind --tool=lackey --trace-mem=yes' writes, as accesses.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      "I  address,size", " L address,size", " S ...", " M ...": a fetch, a load, a store, a
 *             modification; addresses are hexadecimal, sizes decimal, from 1 to 65536.  Lines that
 *             begin otherwise are Valgrind's or the program's output, and skipped.  A line that
 *             begins like one of the four and continues otherwise, or has no end, is malformed:
 *             counted, and skipped.
 * Ownership:  the caller owns the struct and the descriptor.
 * Errors:     after a read that failed, `error` is errno; the accesses before it were good.
 */
#ifndef CAB_LACKEY_H
#define CAB_LACKEY_H

#include <stdbool.h>
#include "cabprof/cachesim.h"

#define CAB_LACKEY_BUFFER (1u << 18)

struct cab_lackey
{
  int fd, error;
  uint32_t cut;                 /* data accesses that are longer are cut to this size */
  bool ended, in_long_line;
  uint64_t n_lines, n_accesses, n_malformed;
  uint64_t malformed_line;      /* number of the first malformed line */
  char malformed[48];           /* beginning of that line, each unprintable character a question
				   mark */
  char *at, *end;               /* what is not yet parsed; *end is a newline beyond it */
  char buffer[CAB_LACKEY_BUFFER + 1];
};

/* Begin to read from FD; data accesses that are longer than CUT bytes are cut to that. */
void cab_lackey_open (struct cab_lackey *reader, int fd, uint32_t cut);
/* Read the next accesses, up to ROOM.  Return how many there are; 0: no more. */
size_t cab_lackey_read (struct cab_lackey *reader, struct cab_access *accesses, size_t room);

#endif
