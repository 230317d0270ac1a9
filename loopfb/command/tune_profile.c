/* tune_profile.c - see tune_profile.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "loopfb/command/tune_profile.h"
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/command/cmd_export_gcda.h"
#include "loopfb/tune/tune_budget.h"
#include "loopfb/tune/tune_build.h"
#include "loopfb/tune/tune_run.h"
#include "loopfb/tune/tune_say.h"
#include "loopfb/tune/tune_stage.h"
#include "loopfb/tune/tune_variant.h"

char *
cab_tune_profile_directory (const struct cab_tune *tune)
{
  char *dir = xstrndup (tune->work, lbasename (tune->work) - tune->work);
  char *result = concat (dir, "gcda", NULL);
  free (dir);
  return result;
}

static void
have_none (struct cab_tune *tune, const char *why)
{
  tune->no_profile = xstrdup (why);
  cab_tune_say ("no profile for the compiler: %s", why);
}

/* Run a build with probes, and write its profile to TO.  Return negative if the run failed. */
static int
record (struct cab_tune *tune, const char *data, const char *to)
{
  static const char *const flags[] = { "-fplugin-arg-cabprof-events=paths+calls+values",
				       "-fplugin-arg-cabprof-cut-at-calls", NULL };
  char *options = concat ("data=", data, ":analyses=calls", NULL);
  int v = cab_tune_variant_whole (tune, "profiled", 0, flags);
  int built = cab_tune_build_whole (tune, v);
  int result = built == CAB_INTERRUPTED ? built : 0;
  if (built && !result)
    have_none (tune, "the program cannot be built with probes");
  if (!built)
    {
      setenv ("CABPROF_OPTIONS", options, 1);
      result = cab_tune_measure (tune, v, 0, "profiling", 0, false) ? 0 : -1;
      unsetenv ("CABPROF_OPTIONS");
    }
  struct cab_export_gcda request = { .dir = data, .to = to, .quiet = true };
  if (!built && !result && cab_export_gcda (&request))
    have_none (tune, "its run has left none");
  else if (!built && !result)
    tune->profile = concat ("-fprofile-use=", to, NULL);
  free (options);
  return result;
}

int
cab_tune_profile (struct cab_tune *tune)
{
  char *data = concat (tune->work, "/profiled", NULL), *to = cab_tune_profile_directory (tune);
  int result = 0;
  if (!cab_tune_tries (tune->options.try, "profile"))
    ;
  else if (tune->options.rebuild)
    have_none (tune, "--rebuild makes no build with probes");
  else if (strchr (data, ':'))
    have_none (tune, "the path of the directory has a colon");
  else if (cab_tune_room (tune) < 1 + 2 * CAB_TUNE_PAIRS)
    have_none (tune, "the budget was spent");
  else
    result = record (tune, data, to);
  free (to);
  free (data);
  return result;
}
