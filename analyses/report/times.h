/* times.h - what was sampled while the profile was recorded, by function and line.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      samples.json of the profile's directory, attributed (loopfb/attribute/attribute.h).
 * Ownership:  open, then close in any case; texts of the attribution are in its own memory.
 * Errors:     what is wrong with the samples or their modules becomes a problem of the model; then
 *             there are none.
 */
#ifndef CAB_TIMES_H
#define CAB_TIMES_H

#include "analyses/profile/model.h"
#include "loopfb/attribute/attribute.h"

struct cab_times
{
  bool known;                 /* there are samples */
  struct cab_samples samples;
  struct cab_attribution by;
};

/* The samples alone; none if there are none to read.  For cab_samples_fini. */
void cab_times_read (struct cab_samples *samples, struct cab_model *model);

void cab_times_open (struct cab_times *times, struct cab_model *model);
void cab_times_close (struct cab_times *times);

/* Is there a samples.json in the profile? */
bool cab_times_are_there (const struct cab_model *model);

/* What a table of times says below it of N samples in cabprof's runtime, SHARE of all: in NAMES, or
   null if there are none. */
const char *cab_times_runtime (struct cab_names *names, uint64_t n, double share);

/* WEIGHT as people read it: "1.234 s", or "5.6e+09 cycles"; in TEXT. */
const char *cab_times_weight (const struct cab_samples *samples, double weight, char text[64]);

#endif
