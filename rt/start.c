/* start.c - starts the runtime, once per process; see start.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/start.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "analyses/live/timeline/timeline_watch.h"
#include "rt/engine/probe/control.h"
#include "rt/base/clock.h"
#include "rt/common/directory.h"
#include "rt/engine/feed/feed.h"
#include "rt/engine/probe/sampler.h"
#include "rt/rotate.h"
#include "rt/base/rt.h"
#include "rt/base/say.h"
#include "rt/common/text.h"
#include "rt/workers/place.h"
#include "rt/engine/ring/trace.h"

#define UNPROFILED "running unprofiled"

static int
refuse (const char *what, const char *wrong, int error)
{
  cab_say (what, wrong, -error, UNPROFILED);
  __atomic_store_n (&cab_rt.state, CAB_RT_OFF, __ATOMIC_RELEASE);
  return -1;
}

/* Find the data directory, absolute, so that chdir does not matter.  Return 0 or -1. */
static int
place_directory (char *buffer, size_t bytes)
{
  ssize_t n = readlink ("/proc/self/exe", buffer, bytes - 1);
  buffer[n < 0 ? 0 : n] = '\0';
  const char *slash = strrchr (buffer, '/');
  char *dir = cab_rt.part.dir;
  size_t at = 0;
  if (cab_rt.options.data[0] != '/')
    {
      if (!getcwd (dir, CAB_PATH_BYTES))
	return refuse ("working directory", "cannot tell where it is", -errno);
      at = strlen (dir);
      if (dir[at - 1] != '/')
	dir[at++] = '/';
    }
  if (cab_options_expand (dir + at, CAB_PATH_BYTES - 64 - at, cab_rt.options.data, getpid (),
			  slash ? slash + 1 : buffer)
      < 0)
    return refuse (
      "CABPROF_OPTIONS",
      "bad directory in data=: it is too long, or has a letter other than p, e, % after %", 0);
  for (size_t n_dir = strlen (dir); n_dir > 1 && dir[n_dir - 1] == '/'; n_dir--)
    dir[n_dir - 1] = '\0';
  return 0;
}

static int
refuse_place (const struct cab_rotate_wrong *wrong, int error)
{
  if (!wrong->wrong)
    return refuse (wrong->path, "cannot be made, or used, for the profile", error);
  cab_say (wrong->path, wrong->wrong, 0,
	   "remove it, or name another directory in CABPROF_OPTIONS: data=DIR; " UNPROFILED);
  __atomic_store_n (&cab_rt.state, CAB_RT_OFF, __ATOMIC_RELEASE);
  return -1;
}

static int
open_part (void)
{
  static struct cab_rotate_wrong wrong;
  int may_rotate = !cab_rt.options.data_given && !getenv ("CABPROF_SESSION");
  cab_directory_start ();
  /* Without the lock another run may meanwhile have moved the directory aside. */
  for (int i = 0; ; i++)
    {
      int directory = cab_rotate_prepare (cab_rt.part.dir, may_rotate, &wrong);
      if (directory < 0)
	return refuse_place (&wrong, directory);
      int error = cab_part_create_in (&cab_rt.part, directory);
      close (directory);
      if (error == 0)
	return 0;
      if (error != -ENOENT || i == 8)
	return refuse (cab_rt.part.dir, "cannot make this process' part of the profile", error);
    }
}

static const struct
{
  struct cab_area *area;
  uint32_t kind;
  size_t reserve, bytes;
} tables[] = {
  { &cab_rt.strings, CAB_EXT_STRINGS, 4 << 20, 8192 },
  { &cab_rt.modules, CAB_EXT_MODULES, 1 << 20, 4096 },
  { &cab_rt.functions, CAB_EXT_FUNCTIONS, 8 << 20, 16384 },
  { &cab_rt.threads, CAB_EXT_THREADS, 1 << 20, 4096 },
  { &cab_rt.control, CAB_EXT_CONTROL, CAB_PAGE_BYTES, CAB_PAGE_BYTES },
};

static int
open_tables (void)
{
  for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
    {
      size_t reserve = cab_rt_reserve_bytes (tables[i].reserve, 2048);
      int error = cab_area_open (tables[i].area, &cab_rt.part, tables[i].kind, 0, reserve,
				 tables[i].bytes);
      if (error < 0)
	return error;
    }
  cab_rt.strings_used = 1;
  cab_control_start ();
  return 0;
}

static uint32_t
add_string (const char *s)
{
  return cab_strings_add (s ? s : "", s ? strlen (s) : 0);
}

/* Static, since the stack may be small; the lock is held. */
static char scratch[16384];

/* Add GIVEN to the strings, followed by the settled list of analyses where that differs: the last
   list counts. */
static uint32_t
add_options (const char *given)
{
  static char list[CAB_CHOICE_FULL_BYTES];
  if (!cab_feed_settled (list, sizeof list))
    return add_string (given);
  struct cab_text t = CAB_TEXT (scratch);
  cab_text_add (&t, given ? given : "");
  cab_text_add (&t, given && *given ? ":analyses=" : "analyses=");
  cab_text_add (&t, list);
  return t.cut ? add_string (given) : add_string (scratch);
}

/* Fill the header with what the process is.  Return false if there is no room, after reporting
   it. */
static bool
describe_process (void)
{
  struct cab_part_header *h = cab_rt.part.header;
  ssize_t n = readlink ("/proc/self/exe", scratch, sizeof scratch);
  h->exe = n > 0 ? cab_strings_add (scratch, n) : add_string ((const char *) getauxval (AT_EXECFN));
  h->cwd = add_string (getcwd (scratch, sizeof scratch));
  n = cab_sys_read_file ("/proc/self/cmdline", scratch, sizeof scratch);
  for (ssize_t i = 0; i + 1 < n; i++)
    if (scratch[i] == '\0')
      scratch[i] = '\1';
  h->cmdline = add_string (n > 0 ? scratch : NULL);
  h->options = add_options (getenv ("CABPROF_OPTIONS"));
  h->version_text = add_string (CAB_VERSION_TEXT);
  cab_rt_note_rates ();
  return h->exe && h->cwd && h->cmdline && h->options && h->version_text;
}

static int
parse_options (void)
{
  static struct cab_diag diag;
  if (getauxval (AT_SECURE))
    return refuse ("set-uid program", "writes no files on behalf of others", 0);
  if (cab_options_parse (&cab_rt.options, getenv ("CABPROF_OPTIONS"), &diag) < 0)
    return refuse ("CABPROF_OPTIONS", diag.text, 0);
  if (cab_rt.options.off)
    {
      __atomic_store_n (&cab_rt.state, CAB_RT_OFF, __ATOMIC_RELEASE);
      return -1;
    }
  if (cab_place_start (&diag) < 0)
    return refuse ("CABPROF_OPTIONS", diag.text, 0);
  cab_clock_choose (cab_rt.options.clock);
  cab_timeline_takes_ns = cab_clock_by_call;
  if (cab_feed_choose (cab_rt.options.analyses, cab_rt.options.bursts, cab_sampler_is_there (),
		       &diag)
      < 0)
    return refuse ("CABPROF_OPTIONS", diag.text, 0);
  if (cab_feed_takes (CAB_EV_SAMPLE))
    cab_sampler_start ();
  return 0;
}

static void
tell_rounding (void)
{
  char line[128];
  struct cab_text t = CAB_TEXT (line);
  cab_text_add (&t, "ring and chunk size are rounded to ");
  cab_text_number (&t, cab_rt.options.ring_bytes, 10);
  cab_text_add (&t, " and ");
  cab_text_number (&t, cab_rt.options.chunk_bytes, 10);
  cab_say ("CABPROF_OPTIONS", line, 0, "a ring has 8 to 256 chunks of whole cache lines");
}

void
cab_rt_abandon (void)
{
  cab_part_remove (&cab_rt.part);
  __atomic_store_n (&cab_rt.state, CAB_RT_OFF, __ATOMIC_RELEASE);
}

int
cab_rt_start (void)
{
  if (parse_options () < 0)
    return -1;
  cab_rt.part.most_extents = cab_rt.options.most[CAB_BOUND_EXTENTS];
  cab_rt.part.most_arenas = cab_rt.options.most[CAB_BOUND_STATES];
  if (place_directory (scratch, sizeof scratch) < 0 || open_part () < 0)
    return -1;
  if (cab_rt.options.rounded)
    tell_rounding ();
  int error = open_tables ();
  if (error < 0)
    {
      cab_rt_abandon ();
      return refuse (cab_rt.part.dir, "no room for this process' part of the profile", error);
    }
  if (!describe_process ())
    {
      cab_rt_abandon ();
      return -1;
    }
  cab_rt.counts_reserve = cab_rt_reserve_bytes (UINT64_C (8) * CAB_COUNTERS_MOST, 128);
  cab_rt.next_site = cab_rt.next_access = 1;
  cab_trace_start ();
  return 0;
}
