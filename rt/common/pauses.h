/* pauses.h - counters less what was counted in pauses: the files PID-START-N.paused
 * (cabprof/control.h).
 *
 * Model:      in the process and in `cabprof ctl', the same.
 * Threads:    one call at a time in a process, but for cab_pauses_let_go.
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
  uint64_t n_words;          /* of each counter area */
  /* The next counter area by *CURSOR, which is null at first: its number and counters; null: no
     more. */
  const uint64_t *(*next) (void *host, void **cursor, uint32_t *number);
  void *host;
};

/* The lock of CONTROL for this process, which waits for it up to a second: 0, or -EBUSY. */
int cab_pauses_take (struct cab_part_control *control);
void cab_pauses_let_go (struct cab_part_control *control);

/* Under the lock: PAUSE or resume.  1 if it was so already. */
int cab_pauses_change (const struct cab_pauses *p, bool pause);

/* The table that the word PAUSE names, for the part PART: a descriptor with *HEADER, -ENOENT if it
   names none, another negative number if it is not to be had or damaged. */
int cab_pauses_open (const char *part, uint64_t pause, struct cab_paused_header *header);
/* N words from WORD on of area NUMBER in it; what the table does not have is 0. */
int cab_pauses_read (int fd, const struct cab_paused_header *header, uint32_t number, uint64_t word,
		     uint64_t *to, size_t n);

#endif
