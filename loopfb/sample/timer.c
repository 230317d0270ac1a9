/* timer.c - sample by timers: the command's part; the program's part is preload/sample.c.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "loopfb/sample/timer.h"
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <libiberty/libiberty.h>
#include "loopfb/preload/segment.h"
#include "loopfb/sample/preload.h"

#define LIBRARY "libcabprof-sample.so"

static uint64_t
clock_ns (clockid_t clock)
{
  struct timespec t;
  clock_gettime (clock, &t);
  return t.tv_sec * UINT64_C (1000000000) + t.tv_nsec;
}

static uint64_t
tick_ns (void)
{
  struct timespec t;
  return clock_getres (CLOCK_MONOTONIC_COARSE, &t) == 0 && t.tv_nsec ? (uint64_t) t.tv_nsec
								     : 4000000;
}

int
cab_timer_begin (struct cab_timer *timer, const struct cab_sample_options *options,
		 struct cab_sample_source *source, struct cab_diag *diag)
{
  const char *tmp = getenv ("TMPDIR");
  double rate = options->period ? 1e9 / options->period
	      : options->rate > 0 ? options->rate
	      : CAB_SAMPLE_RATE;
  *timer = (struct cab_timer) { .library = cab_preload_find (LIBRARY, diag),
				.spread_ns = tick_ns () };
  if (!timer->library)
    return -1;
  timer->directory = concat (tmp && *tmp ? tmp : "/tmp", "/cabprof-samples-XXXXXX", NULL);
  if (!mkdtemp (timer->directory))
    {
      snprintf (diag->text, sizeof diag->text,
		"%s: %s: point TMPDIR to a directory that can be written", timer->directory,
		strerror (errno));
      free (timer->directory);
      timer->directory = NULL;
      return -1;
    }
  timer->period_ns = 1e9 / rate > timer->spread_ns ? (uint64_t) (1e9 / rate) - timer->spread_ns / 2
						   : timer->spread_ns / 2;
  *source = (struct cab_sample_source) { .kind = CAB_SAMPLE_TIMER,
					 .name = "timer",
					 .unit_ns = true,
					 .randomised = CAB_RANDOMISED_EXPIRY,
					 .period = timer->period_ns + timer->spread_ns / 2,
					 .asked_rate = options->period ? 0 : rate };
  return 0;
}

void
cab_timer_environment (const struct cab_timer *timer)
{
  char numbers[64];
  snprintf (numbers, sizeof numbers, "%llu:%llu:", (unsigned long long) timer->period_ns,
	    (unsigned long long) timer->spread_ns);
  char *value = concat (numbers, timer->directory, NULL);
  cab_preload_environment (timer->library);
  setenv (CAB_SEGMENT_VARIABLE, value, 1);
  free (value);
}

/* Return true if the segment S is whole.  The header's numbers come from a file that any process of
   the command could write. */
static bool
is_whole (const struct cab_segment *s, size_t bytes)
{
  return bytes >= CAB_SEGMENT_HEADER_BYTES + CAB_SEGMENT_MAPS && s->magic == CAB_SEGMENT_MAGIC
      && s->maps_bytes < CAB_SEGMENT_MAPS
      && s->n_slots <= (bytes - CAB_SEGMENT_HEADER_BYTES - CAB_SEGMENT_MAPS)
			 / sizeof (struct cab_segment_slot);
}

/* Collect the samples of a segment.  For the maps each segment is a process of its own, since its
   text holds all the mappings that it needs. */
static void
collect_segment (struct cab_timer *timer, struct cab_collector *collector, char *bytes, size_t n,
		 uint32_t number)
{
  struct cab_segment *s = (struct cab_segment *) bytes;
  if (!is_whole (s, n))
    return;
  char *line = bytes + CAB_SEGMENT_HEADER_BYTES;
  line[s->maps_bytes] = 0;
  for (char *end; (end = strchr (line, '\n')); line = end + 1)
    {
      *end = 0;
      cab_maps_add_line (&collector->maps, number, line);
    }
  struct cab_segment_slot *slot = (struct cab_segment_slot *) (bytes + CAB_SEGMENT_HEADER_BYTES
							       + CAB_SEGMENT_MAPS);
  for (uint64_t i = 0; i < s->n_slots; i++)
    if (slot[i].address && slot[i].n)
      cab_collect_sample (collector, number, slot[i].address, slot[i].n, slot[i].ns);
  collector->samples->lost += s->lost;
  timer->handler_ns += s->handler_ns;
  timer->given_up |= s->given_up != 0;
}

static void
collect_file (struct cab_timer *timer, struct cab_collector *collector, const char *name,
	      uint32_t number)
{
  char *path = concat (timer->directory, "/", name, NULL);
  FILE *file = fopen (path, "rb");
  struct stat st;
  if (file && fstat (fileno (file), &st) == 0 && st.st_size > 0 && st.st_size < INT32_MAX)
    {
      char *bytes = xmalloc (st.st_size);
      size_t n = fread (bytes, 1, st.st_size, file);
      collect_segment (timer, collector, bytes, n, number);
      free (bytes);
    }
  if (file)
    fclose (file);
  free (path);
}

void
cab_timer_collect (struct cab_timer *timer, struct cab_collector *collector)
{
  DIR *stream = opendir (timer->directory);
  uint32_t number = 0;
  uint64_t before = collector->samples->n;
  for (struct dirent *entry; stream && (entry = readdir (stream));)
    if (*entry->d_name != '.')
      collect_file (timer, collector, entry->d_name, ++number);
  if (stream)
    closedir (stream);
  timer->n = collector->samples->n - before;
}

void
cab_timer_end (struct cab_timer *timer)
{
  DIR *stream = timer->directory ? opendir (timer->directory) : NULL;
  for (struct dirent *entry; stream && (entry = readdir (stream));)
    unlinkat (dirfd (stream), entry->d_name, 0);
  if (stream)
    closedir (stream);
  if (timer->directory)
    rmdir (timer->directory);
  free (timer->directory);
  free (timer->library);
  timer->directory = timer->library = NULL;
}

static void
on_signal (int number)
{
  (void) number;
}

double
cab_timer_signal_cost (void)
{
  enum { N = 2000 };
  struct sigaction action = { .sa_handler = on_signal }, had;
  sigset_t one, mask;
  int number = SIGRTMAX - 1;
  sigemptyset (&one);
  sigaddset (&one, number);
  if (sigaction (number, &action, &had) < 0)
    return -1;
  sigprocmask (SIG_UNBLOCK, &one, &mask);
  uint64_t before = clock_ns (CLOCK_THREAD_CPUTIME_ID);
  for (int i = 0; i < N; i++)
    raise (number);
  double cost = (double) (clock_ns (CLOCK_THREAD_CPUTIME_ID) - before) / N;
  sigprocmask (SIG_SETMASK, &mask, NULL);
  sigaction (number, &had, NULL);
  return cost;
}
