/* options_check.c - which of the plugin's options fit together.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "plugin/emit/options.h"
#include <stdarg.h>
#include <stdio.h>

/* Put a sentence, behind the beginning of an option, into ERROR.  Return -1. */
static int __attribute__ ((format (printf, 2, 3)))
refuse (char *error, const char *format, ...)
{
  va_list args;
  int n = snprintf (error, CAB_OPTIONS_ERROR_BYTES, "cabprof: -fplugin-arg-cabprof-");
  va_start (args, format);
  vsnprintf (error + n, CAB_OPTIONS_ERROR_BYTES - n, format, args);
  va_end (args);
  return -1;
}

static int
check_time (const struct cab_options *options, char *error)
{
  if (!(options->events & CAB_EVENTS_TIME) || options->events & CAB_EVENTS_CALLS)
    return 0;
  return refuse (error, "events=time: times are those of calls, which are not recorded: add calls "
			"to events=");
}

static int
check_ring (const struct cab_options *options, char *error)
{
  bool time = options->events & CAB_EVENTS_TIME;
  if (!(options->events & (CAB_EVENTS_MEMORY | CAB_EVENTS_TIME))
      || options->ring == CAB_RING_MODE_CHUNK)
    return 0;
  return refuse (error,
		 "ring=%s: such a ring cannot carry %s, as events=%s sends them: leave ring= away",
		 cab_ring_mode_name (options->ring), time ? "times" : "addresses",
		 time ? "time" : "memory");
}

/* Check the options that choose among accesses. */
static int
check_accesses (const struct cab_options *options, char *error)
{
  const char *filter = options->accesses ? "accesses="
		     : options->variables.n ? "variables="
		     : options->types.n ? "types="
		     : options->heap_only ? "heap-only"
		     : options->memory_sample ? "memory-sample"
		     : NULL;
  if (!options->events || options->events & CAB_EVENTS_MEMORY)
    return 0;
  if (filter)
    return refuse (error,
		   "%s: chooses among accesses, but none are recorded: give events=memory as well",
		   filter);
  if (options->locals)
    return refuse (error, "locals: names the variables that are accessed, but no accesses are "
			  "recorded: give events=memory as well");
  return 0;
}

static int
check_values (const struct cab_options *options, char *error)
{
  bool told = options->events & CAB_EVENTS_MEMORY,
       counted = options->cut_at_calls && options->events & CAB_EVENTS_PATHS
	      && options->paths == CAB_PATHS_COUNT;
  if (options->events & CAB_EVENTS_VALUES && !told && !counted)
    return refuse (error, "events=values: values are those of accesses, or with paths=count and "
			  "cut-at-calls those of GCC's own profile: add memory, or paths and "
			  "cut-at-calls");
  if (options->events & CAB_EVENTS_VALUES
      && (options->memory_encoding == CAB_MEMORY_CHAIN
	  || options->memory_encoding == CAB_MEMORY_LOOP))
    return refuse (error, "memory-encoding=: values have an encoding of their own: leave it away");
  if (options->values_all && !options->functions.n)
    return refuse (error, "events=values:all: too much for a whole program: add "
			  "-fplugin-arg-cabprof-functions=NAME[,NAME...]");
  return 0;
}

int
cab_options_check (const struct cab_options *options, char *error)
{
  if (check_accesses (options, error) < 0)
    return -1;
  if (options->trials_file && options->events)
    return refuse (error,
		   "trials=%.200s: probes would change what is compared: leave events= away",
		   options->trials_file);
  if (check_values (options, error) < 0)
    return -1;
  if (options->context && !(options->events & CAB_EVENTS_CALLS))
    return refuse (error, "context: contexts are made of calls, which are not recorded: add calls "
			  "to events=");
  return check_time (options, error) < 0 || check_ring (options, error) < 0 ? -1 : 0;
}
