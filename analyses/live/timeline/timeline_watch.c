/* timeline_watch.c - see timeline_watch.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "analyses/live/timeline/timeline_watch.h"
#include <string.h>
#include <time.h>
#include "analyses/live/choice.h"
#include "analyses/live/space.h"

#define NAME "timeline"
#define CALIBRATE_NS 2000000u   /* how long the counter's rate is measured */

/* What slower= says. */
struct wanted
{
  const char *name;
  size_t n_name;
  uint64_t number;
  const char *unit;
  size_t n_unit;
};

/* Read VALUE of N bytes: NAME/NUMBER and a unit.  Return false if it is not that. */
static bool
read_slower (const char *value, size_t n, struct wanted *wanted)
{
  const char *slash = value + n, *end = value + n;
  while (slash > value && *slash != '/')
    slash--;
  if (slash == value || slash - value >= (ptrdiff_t) CAB_TIMELINE_NAME_BYTES)
    return false;
  *wanted = (struct wanted) { .name = value, .n_name = slash - value };
  const char *p = slash + 1;
  for (; p < end && *p >= '0' && *p <= '9' && wanted->number < UINT64_C (1) << 50; p++)
    wanted->number = wanted->number * 10 + *p - '0';
  wanted->unit = p;
  wanted->n_unit = end - p;
  return p > slash + 1 && wanted->number;
}

/* Return the nanoseconds of a unit of time, or 0 if WANTED has none. */
static uint64_t
unit_ns (const struct wanted *wanted)
{
  static const struct { const char *name; uint64_t ns; } units[]
    = { { "ns", 1 }, { "us", 1000 }, { "ms", 1000000 }, { "s", 1000000000 } };
  for (size_t i = 0; i < sizeof units / sizeof *units; i++)
    if (strlen (units[i].name) == wanted->n_unit
	&& !strncmp (units[i].name, wanted->unit, wanted->n_unit))
      return units[i].ns;
  return 0;
}

static uint64_t
now_ns (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return (uint64_t) t.tv_sec * 1000000000 + t.tv_nsec;
}

bool cab_timeline_takes_ns;

/* Return how many units of the events' times NS are. */
static uint64_t
units_of (uint64_t ns)
{
  if (cab_timeline_takes_ns)
    return ns;
  uint64_t begin_ns = now_ns (), begin = __builtin_ia32_rdtsc (), end_ns;
  while ((end_ns = now_ns ()) - begin_ns < CALIBRATE_NS)
    continue;
  uint64_t units = __builtin_ia32_rdtsc () - begin;
  return (double) ns * units / (end_ns - begin_ns) + 1;
}

static int
refuse (struct cab_diag *diag)
{
  return cab_state_refuse (diag, NAME,
			   "slower= takes a function and a time, as in slower=handle/10ms");
}

int
cab_timeline_settle (const char *arguments, char *full, size_t bytes, struct cab_diag *diag)
{
  struct wanted wanted;
  size_t n, at;
  const char *value = cab_choice_value (arguments, "slower", &n);
  if (!value)
    {
      cab_choice_append (full, 0, bytes, arguments, SIZE_MAX);
      return 0;
    }
  if (!read_slower (value, n, &wanted) || !unit_ns (&wanted))
    return refuse (diag);
  at = cab_choice_append (full, 0, bytes, arguments, wanted.name + wanted.n_name + 1 - arguments);
  at = cab_choice_append_number (full, at, bytes, units_of (wanted.number * unit_ns (&wanted)));
  cab_choice_append (full, at, bytes, value + n, SIZE_MAX);
  return 0;
}

int
cab_timeline_watch_open (struct cab_timeline_watch *watch, const char *arguments,
			 struct cab_diag *diag)
{
  struct wanted wanted;
  size_t n;
  const char *value = arguments ? cab_choice_value (arguments, "slower", &n) : NULL;
  memset (watch, 0, sizeof *watch);
  if (!value)
    return 0;
  if (!read_slower (value, n, &wanted) || wanted.n_unit)
    return refuse (diag);
  if (!cab_choice_value (arguments, "keep", &n))
    return cab_state_refuse (diag, NAME, "slower= needs keep=: without that all calls are kept");
  memcpy (watch->name, wanted.name, wanted.n_name);
  watch->limit = wanted.number;
  return 0;
}

/* Return true if FN is watched. */
static bool
is_watched (const struct cab_timeline_watch *watch, uint32_t fn)
{
  for (uint32_t i = 0; i < watch->n_functions; i++)
    if (watch->functions[i] == fn)
      return true;
  return false;
}

/* Look at the functions up to FN that were not looked at. */
static void
look (struct cab_timeline_watch *watch, uint32_t fn, const struct cab_functions *functions)
{
  for (uint32_t i = watch->n_looked + 1; i <= fn && functions->name; i++)
    {
      size_t n, want = strlen (watch->name);
      const char *name = functions->name (functions->host, i, &n);
      if (name && n == want && !memcmp (name, watch->name, n)
	  && watch->n_functions < CAB_TIMELINE_FUNCTIONS && !is_watched (watch, i))
	watch->functions[watch->n_functions++] = i;
    }
  watch->n_looked = fn > watch->n_looked ? fn : watch->n_looked;
}

/* Note that an activation of FN at DEPTH begins.  Of a recursion the oldest is forgotten. */
static void
note_open (struct cab_timeline_watch *watch, struct cab_timeline_opened opened)
{
  uint32_t n = watch->n_open;
  while (n && watch->open[n - 1].depth >= opened.depth)
    n--;
  if (n == CAB_TIMELINE_OPEN)
    memmove (watch->open, watch->open + 1, --n * sizeof *watch->open);
  watch->open[n++] = opened;
  watch->n_open = n;
}

/* The activation of FN at DEPTH ends at CLOCK.  Return the block of its entry if it was slow. */
static uint64_t
note_end (struct cab_timeline_watch *watch, uint32_t fn, uint32_t depth, uint64_t clock)
{
  for (uint32_t n = watch->n_open; n-- > 0;)
    {
      const struct cab_timeline_opened *opened = &watch->open[n];
      if (opened->depth != depth || opened->fn != fn)
	continue;
      watch->n_open = n;
      return clock - opened->clock > watch->limit ? opened->sequence : 0;
    }
  return 0;
}

uint64_t
cab_timeline_watch (struct cab_timeline_watch *watch, struct cab_timeline_event event,
		    uint64_t sequence, const struct cab_functions *functions)
{
  uint32_t fn = cab_ev_callee (event.word), depth = cab_ev_depth (event.word);
  if (watch->n_open > CAB_TIMELINE_OPEN || watch->n_functions > CAB_TIMELINE_FUNCTIONS)
    return 0;   /* of a state whose process died in the midst of a change */
  if (fn > watch->n_looked)
    look (watch, fn, functions);
  if (!is_watched (watch, fn))
    return 0;
  if (cab_ev_kind (event.word) == CAB_EV_RESUME)
    return note_end (watch, fn, depth, event.clock);
  note_open (watch, (struct cab_timeline_opened) { event.clock, sequence, depth, fn });
  return 0;
}
