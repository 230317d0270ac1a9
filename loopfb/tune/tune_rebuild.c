/* tune_rebuild.c - make variants by the user's own command, for builds that cannot be recorded.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The command is run in the user's tree with CABPROF_FEEDBACK in its environment, and the program
 * is copied from there.
 */
#include "loopfb/tune/tune_rebuild.h"
#include "loopfb/tune/tune_shell.h"
#include "loopfb/tune/tune_build.h"
#include "loopfb/build/run_line.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <libiberty/libiberty.h>
#include "analyses/base/say.h"
#include "loopfb/build/replay_args.h"

static bool
is_elf (const char *path)
{
  char magic[4] = "";
  FILE *file = fopen (path, "re");
  bool is = file && fread (magic, 1, 4, file) == 4 && !memcmp (magic, "\177ELF", 4);
  if (file)
    fclose (file);
  return is;
}

/* Return true if PATH is a program that the last rebuild has written.  HOST is the time at which
   that began. */
static bool
is_new (void *host, const char *path)
{
  const struct timespec *start = host;
  struct stat st;
  return !stat (path, &st) && S_ISREG (st.st_mode) && is_elf (path)
      && (st.st_mtim.tv_sec > start->tv_sec
	  || (st.st_mtim.tv_sec == start->tv_sec && st.st_mtim.tv_nsec >= start->tv_nsec));
}

/* Return the time of the clock by which files are stamped, which is coarse. */
static struct timespec
stamp_now (void)
{
  struct timespec now;
  clock_gettime (CLOCK_REALTIME_COARSE, &now);
  return now;
}

int
cab_tune_rebuild (struct cab_tune *tune, int variant)
{
  char *none = concat (tune->work, "/none.hints", NULL);
  const char *hints = variant < 0 ? none : tune->variants[variant].hints;
  struct timespec start = stamp_now ();
  int result = cab_tune_shell (tune, tune->options.rebuild, hints, NULL);
  if (!result && !tune->program)
    tune->program = tune->options.program
		    ? xstrdup (tune->options.program)
		    : cab_run_line_program (tune->options.run, is_new, &start);
  if (!result && (!tune->program || !is_new (&start, tune->program)))
    {
      cab_say ("%s: %s: the rebuild command must rebuild each time (make -B), with cabprof-gcc or "
	       "-fplugin=cabprof; --program names another file",
	       tune->program ? tune->program : tune->options.run,
	       tune->program ? "was not rebuilt"
			     : "no word of it names a program that was rebuilt");
      result = -1;
    }
  if (!result && variant >= 0)
    {
      struct cab_diag diag;
      char *copy = cab_tune_program (tune, variant);
      cab_make_parents (copy);
      result = cab_copy_file (tune->program, copy, &diag);
      if (result < 0)
	cab_say ("%s", diag.text);
      free (copy);
    }
  free (none);
  return result;
}
