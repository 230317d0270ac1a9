/* cmd_layout_try.h - `cabprof layout --try'; for cmd_layout.c.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_CMD_LAYOUT_TRY_H
#define CAB_CMD_LAYOUT_TRY_H

#include "analyses/layout/layout.h"
#include "analyses/base/table.h"
#include "cabprof/cachesim.h"

/* The arguments of `cabprof layout --try'. */
struct cab_layout_trial
{
  const char *trace;                  /* file, or - for standard input */
  bool arrays;                        /* also try structures of arrays */
  struct cab_cache_geometry d1, l2, ll;
  bool has_l2;
  enum cab_format format;
  const char *dir;                    /* the profile, named in the output */
};

/* Try the plans of LAYOUTS on the trace and print a table.  Return the exit status. */
int cab_layout_try_trace (struct cab_layouts *layouts, const struct cab_layout_trial *trial);

#endif
