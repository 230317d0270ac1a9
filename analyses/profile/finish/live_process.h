/* live_process.h - the part of a running process, shared with it.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      a process that is profiled has its part mapped: /proc/PID/maps names it, wherever it
 *             is.  Mapped here are the part's control page and the headers of the rings that exist
 *             when the process is looked at; all else is read.
 * Ownership:  until cab_live_fini.
 * Errors:     0, or negative with words in DIAG.
 */
#ifndef CAB_LIVE_PROCESS_H
#define CAB_LIVE_PROCESS_H

#include "analyses/profile/part.h"
#include "cabprof/control.h"

struct cab_live_process
{
  int pid, fd;
  char *path;                        /* of the part */
  struct cab_part part;              /* as it was at the last look */
  struct cab_part_control *control;
  uint32_t n_rings;
  struct cab_ring_header **rings;
};

/* Return the process id that TEXT gives as a decimal number from 1 on, or -1. */
int cab_live_pid (const char *text);

/* Return the path of PID's part (free), or null.  Read access suffices. */
char *cab_live_part (int pid, struct cab_diag *diag);

/* Map the control page and the ring headers of process PID. */
int cab_live_open (struct cab_live_process *live, int pid, struct cab_diag *diag);
/* Look again, to find tables and rings that were added since. */
int cab_live_look (struct cab_live_process *live, struct cab_diag *diag);
void cab_live_fini (struct cab_live_process *live);

#endif
