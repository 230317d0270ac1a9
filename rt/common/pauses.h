/* pauses.h - the counts of pauses, which are subtracted from counters: the files PID-START-N.paused
 * (cabprof/control.h).
 *
 * Model:      the same in the process and in `cabprof ctl'.
 * Threads:    one call at a time in a process, except cab_pauses_let_go.
 * Errors:     -errno; nothing has changed.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_PAUSES_H
#define CAB_RT_PAUSES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include "cabprof/control.h"

struct cab_pauses
{
  struct cab_part_control *control;
  const char *part;          /* the part's path, which ends in ".part" */
  uint32_t n_areas;
  uint64_t n_words;          /* words of each counter area */
  /* Return the counters of the next counter area, and set *NUMBER to its number, or return null if
     there is none.  *CURSOR is null at first. */
  const uint64_t *(*next) (void *host, void **cursor, uint32_t *number);
  void *host;
};

/* Take the lock of CONTROL for this process, waiting for it up to a second.  Return 0, or -EBUSY.
   Takes it by an acquire-release compare-and-swap. */
int cab_pauses_take (struct cab_part_control *control);
/* Release the lock of CONTROL.  Stores with release. */
void cab_pauses_let_go (struct cab_part_control *control);

/* Pause if PAUSE, else resume.  Return 0, 1 if it was so already, or -errno.  Under the lock. */
int cab_pauses_change (const struct cab_pauses *p, bool pause);

/* Open the table that the word PAUSE names, for the part PART.  Return a descriptor and fill
   *HEADER; -ENOENT if PAUSE names none; another negative number if the table cannot be read or is
   damaged. */
int cab_pauses_open (const char *part, uint64_t pause, struct cab_paused_header *header);
/* Read N words from WORD on of area NUMBER in it to TO; words that the table lacks are 0.  Return 0
   or -errno. */
int cab_pauses_read (int fd, const struct cab_paused_header *header, uint32_t number, uint64_t word,
		     uint64_t *to, size_t n);

#endif
