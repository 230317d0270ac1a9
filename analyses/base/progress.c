/* progress.c - see progress.h.  SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "analyses/base/progress.h"

#define PATIENCE_MS 500
#define INTERVAL_MS 100

static struct
{
  uint64_t start, shown;   /* in ms; 0: no work is under way, or nothing is on the terminal */
} line;

static uint64_t
now_ms (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return (uint64_t) t.tv_sec * 1000 + t.tv_nsec / 1000000 + 1;
}

static int
is_wanted (void)
{
  const char *term = getenv ("TERM");
  return isatty (2) && term && strcmp (term, "dumb");
}

void
cab_progress (const char *what, size_t done, size_t of)
{
  uint64_t now = now_ms ();
  if (!line.start)
    line.start = now;
  if (now - line.start < PATIENCE_MS || now - line.shown < INTERVAL_MS || !is_wanted ())
    return;
  line.shown = now;
  fprintf (stderr, of ? "\r\033[Kcabprof: %s: %zu of %zu" : "\r\033[Kcabprof: %s: %zu", what, done,
	   of);
  fflush (stderr);
}

void
cab_progress_end (void)
{
  if (line.shown)
    fputs ("\r\033[K", stderr);
  line.start = line.shown = 0;
}
