/* live_process.h - the part of a running process, shared with it.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      a process that is profiled has its part mapped: /proc/PID/maps names it, wherever it
 *             is.  Of the part the control page and the headers of the rings that there are when it
 *             is looked at are mapped; all else is read.
 * Ownership:  until cab_live_fini.
 * Errors:     0, or negative with words in DIAG.
 */
#ifndef CAB_LIVE_PROCESS_H
#define CAB_LIVE_PROCESS_H

#include "analyses/profile/part.h"
#include "cabprof/control.h"

struct cab_live
{
  int pid, fd;
  char *path;                        /* of the part */
  struct cab_part part;              /* as it was when it was looked at last */
  struct cab_part_control *control;
  uint32_t n_rings;
  struct cab_ring_header **rings;
};

/* The process that TEXT names by its number, 1 .. : that, or -1. */
int cab_live_pid (const char *text);

/* The path of PID's part (free), or null.  Needs no more than to read it. */
char *cab_live_part (int pid, struct cab_diag *diag);

int cab_live_open (struct cab_live *live, int pid, struct cab_diag *diag);
/* Look once more: at tables and rings that have come since. */
int cab_live_look (struct cab_live *live, struct cab_diag *diag);
void cab_live_fini (struct cab_live *live);

#endif
