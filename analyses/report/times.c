/* times.c - the samples taken while the profile was recorded.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/report/times.h"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <libiberty/libiberty.h>
#include "analyses/profile/profile_json.h"
#include "analyses/base/table_fit.h"

static char *
path_of (const struct cab_model *model)
{
  return concat (model->dir, "/" CAB_SAMPLES_FILE, NULL);
}

bool
cab_times_are_there (const struct cab_model *model)
{
  char *path = path_of (model);
  bool there = cab_profile_json_is_there (path);
  free (path);
  return there;
}

void
cab_times_read (struct cab_samples *samples, struct cab_model *model)
{
  struct cab_diag diag;
  char *path = path_of (model);
  cab_samples_init (samples);
  if (cab_profile_json_is_there (path) && cab_samples_read (samples, path, &diag) < 0)
    {
      cab_model_problem (model, "%s", diag.text);
      cab_samples_fini (samples);
      cab_samples_init (samples);
    }
  free (path);
}

bool
cab_times_have_data (const struct cab_model *model)
{
  struct cab_samples samples;
  struct cab_diag diag;
  char *path = path_of (model);
  cab_samples_init (&samples);
  bool there = cab_profile_json_is_there (path)
	    && (cab_samples_read (&samples, path, &diag) < 0 || samples.data.n);
  cab_samples_fini (&samples);
  free (path);
  return there;
}

void
cab_times_open (struct cab_times *times, struct cab_model *model)
{
  cab_times_read (&times->samples, model);
  times->known = times->samples.n != 0;
  if (!times->known)
    return;
  cab_attribute (&times->by, &times->samples, NULL, NULL);
  for (uint32_t i = 0; i < times->by.n_problems; i++)
    cab_model_problem (model, "%s", times->by.problems[i]);
}

void
cab_times_close (struct cab_times *times)
{
  if (times->known)
    cab_attribution_fini (&times->by);
  cab_samples_fini (&times->samples);
  times->known = false;
}

const char *
cab_times_runtime (struct cab_names *names, uint64_t n, double share)
{
  char number[32];
  bool few = n < CAB_FIT_SAMPLES;
  return n ? cab_names_format (names,
			       "besides these, cabprof's runtime has %s sample%s, %s%.*f %% of all",
			       cab_table_grouped (n, number), n == 1 ? "" : "s",
			       few ? "about " : "", few ? 0 : 1, 100 * share)
	   : NULL;
}

const char *
cab_times_weight (const struct cab_samples *samples, double weight, char text[64])
{
  if (samples->source.unit_ns)
    snprintf (text, 64, "%.3f s", weight / 1e9);
  else
    snprintf (text, 64, "%.4g %.32s", weight, samples->source.name);
  return text;
}
