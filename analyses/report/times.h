/* times.h - the samples taken while the profile was recorded, by function and line.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      samples.json of the profile's directory, attributed (loopfb/attribute/attribute.h).
 * Ownership:  call open, then close in any case; texts of the attribution are in its own memory.
 * Errors:     an error in the samples or their modules becomes a problem of the model; then there
 *             are none.
 */
#ifndef CAB_TIMES_H
#define CAB_TIMES_H

#include "analyses/profile/model.h"
#include "loopfb/attribute/attribute.h"

/* The samples of a profile, attributed. */
struct cab_times
{
  bool known;                 /* there are samples */
  struct cab_samples samples;
  struct cab_attribution by;
};

/* Read the samples alone into SAMPLES, which cab_samples_fini frees; none if there are none to
   read. */
void cab_times_read (struct cab_samples *samples, struct cab_model *model);

/* Return true if the samples have addresses of data, or cannot be read, which cab_times_read then
   says. */
bool cab_times_have_data (const struct cab_model *model);

/* Read the samples of MODEL and attribute them. */
void cab_times_open (struct cab_times *times, struct cab_model *model);
/* Free the memory of TIMES. */
void cab_times_close (struct cab_times *times);

/* Return true if the profile has a samples.json. */
bool cab_times_are_there (const struct cab_model *model);

/* Return the note below a table of times about N samples in cabprof's runtime, which are SHARE of
   all.  The text is in NAMES; it is null if N is 0. */
const char *cab_times_runtime (struct cab_names *names, uint64_t n, double share);

/* Return WEIGHT as people read it, "1.234 s" or "5.6e+09 cycles", stored in TEXT. */
const char *cab_times_weight (const struct cab_samples *samples, double weight, char text[64]);

#endif
