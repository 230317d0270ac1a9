/* cmd_layout_try.h - `cabprof layout --try' and `--affinity'; for cmd_layout.c.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_CMD_LAYOUT_TRY_H
#define CAB_CMD_LAYOUT_TRY_H

#include "analyses/layout/layout.h"
#include "analyses/base/table.h"
#include "cabprof/cachesim.h"

struct cab_layout_trial
{
  const char *trace;                  /* file, or - */
  bool arrays;                        /* as structures of arrays, too */
  struct cab_cache_geometry d1, l2, ll;
  bool has_l2;
  enum cab_format format;
  const char *dir;                    /* the profile, for the output */
};

/* Try the plans of LAYOUTS on the trace, print a table; the exit status. */
int cab_layout_try_trace (struct cab_layouts *layouts, const struct cab_layout_trial *trial);
/* Members of LAYOUTS are used together as the sequence of accesses in the file TRACE has it, and
   plans are made of that; the exit status.  *N accesses were of use: also of a trace that is cut
   off. */
int cab_layout_affinity_trace (struct cab_layouts *layouts, const char *trace, uint64_t *n);

#endif
