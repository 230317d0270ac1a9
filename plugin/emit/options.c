/* options.c - parses the plugin's options, which are given by -fplugin-arg-cabprof-KEY[=VALUE].
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/emit/options.h"
#include "loopfb/formats/pattern.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A key.  Its setter takes VALUE, null for keys without one; it returns nonzero and leaves OPTIONS
   as they were if that is not a value of its key. */
struct key
{
  const char *name;
  const char *values;  /* for help and errors; null: takes no value */
  const char *help;
  bool optional;       /* the value may be left out */
  int (*set) (struct cab_options *options, const char *value);
};

static char *
copy_text (const char *text, size_t length)
{
  char *copy = malloc (length + 1);
  if (!copy)
    abort ();
  memcpy (copy, text, length);
  copy[length] = 0;
  return copy;
}

static void
add_glob (struct cab_globs *globs, const char *text, size_t length)
{
  char **more = realloc (globs->glob, (globs->n + 1) * sizeof *more);
  if (!more)
    abort ();
  globs->glob = more;
  more[globs->n++] = copy_text (text, length);
}

/* Why the last list was refused, if a pattern in it is wrong; else null. */
static const char *wrong_pattern;

/* Return true if LIST is a list of patterns separated by commas, none of them empty or wrong. */
static bool
is_list (const char *list)
{
  for (;;)
    {
      size_t length = cab_pattern_length (list);
      char *pattern = copy_text (list, length);
      wrong_pattern = cab_pattern_wrong (pattern);
      free (pattern);
      if (!length || wrong_pattern)
	return false;
      if (!list[length])
	return true;
      list += length + 1;
    }
}

static int
add_globs (struct cab_globs *globs, const char *list)
{
  if (!is_list (list))
    return -1;
  while (*list)
    {
      size_t length = cab_pattern_length (list);
      add_glob (globs, list, length);
      list += length;
      list += *list == ',';
    }
  return 0;
}

/* Return true if the LENGTH bytes at TEXT are the word NAME. */
static bool
is_word (const char *text, size_t length, const char *name)
{
  return strlen (name) == length && !memcmp (text, name, length);
}

static int
set_events (struct cab_options *options, const char *value)
{
  unsigned events = 0, n_words = 0;
  bool none = false, all = false;
  for (;;)
    {
      size_t length = strcspn (value, "+,");
      if (is_word (value, length, "paths"))
	events |= CAB_EVENTS_PATHS;
      else if (is_word (value, length, "calls"))
	events |= CAB_EVENTS_CALLS;
      else if (is_word (value, length, "time"))
	events |= CAB_EVENTS_TIME;
      else if (is_word (value, length, "loops"))
	events |= CAB_EVENTS_LOOPS;
      else if (is_word (value, length, "memory"))
	events |= CAB_EVENTS_MEMORY;
      else if (is_word (value, length, "values"))
	events |= CAB_EVENTS_VALUES;
      else if (is_word (value, length, "values:all"))
	{
	  events |= CAB_EVENTS_MEMORY | CAB_EVENTS_VALUES;
	  all = true;
	}
      else if (is_word (value, length, "none"))
	none = true;
      else
	return -1;
      n_words++;
      if (!value[length])
	break;
      value += length + 1;
    }
  if (none && n_words > 1)
    return -1;
  options->events = events;
  options->values_all = all;
  options->events_given = true;
  return 0;
}

static int
set_feedback (struct cab_options *options, const char *value)
{
  if (value && !*value)
    return -1;
  free (options->feedback_file);
  options->feedback_file = value ? copy_text (value, strlen (value)) : NULL;
  options->feedback = true;
  return 0;
}

static int
set_trials (struct cab_options *options, const char *value)
{
  if (!*value)
    return -1;
  free (options->trials_file);
  options->trials_file = copy_text (value, strlen (value));
  return 0;
}

static int
set_outcome (struct cab_options *options, const char *value)
{
  options->outcome = true;
  return value != NULL;
}

static int
set_paths (struct cab_options *options, const char *value)
{
  if (!strcmp (value, "count"))
    options->paths = CAB_PATHS_COUNT;
  else if (!strcmp (value, "trace"))
    options->paths = CAB_PATHS_TRACE;
  else
    return -1;
  return 0;
}

static int
set_loops (struct cab_options *options, const char *value)
{
  if (strcmp (value, "cycles") && strcmp (value, "trips"))
    return -1;
  options->loops_untimed = !strcmp (value, "trips");
  return 0;
}

static int
set_memory_encoding (struct cab_options *options, const char *value)
{
  if (!strcmp (value, "path"))
    options->memory_encoding = CAB_MEMORY_PATH;
  else if (!strcmp (value, "loop"))
    options->memory_encoding = CAB_MEMORY_LOOP;
  else if (!strcmp (value, "chain"))
    options->memory_encoding = CAB_MEMORY_CHAIN;
  else if (!strcmp (value, "block"))
    options->memory_encoding = CAB_MEMORY_BLOCK;
  else if (!strcmp (value, "access"))
    options->memory_encoding = CAB_MEMORY_ACCESS;
  else
    return -1;
  return 0;
}

static int
set_allocators (struct cab_options *options, const char *value)
{
  if (!*value)
    return -1;
  free (options->allocators_file);
  options->allocators_file = copy_text (value, strlen (value));
  return 0;
}

static int
set_memory_proof (struct cab_options *options, const char *value)
{
  options->memory_proof = true;
  return value != NULL;
}

static int
set_memory_sample (struct cab_options *options, const char *value)
{
  options->memory_sample = true;
  return value != NULL;
}

static int
set_accesses (struct cab_options *options, const char *value)
{
  if (!strcmp (value, "all"))
    options->accesses = CAB_MEMORY_ALL;
  else if (!strcmp (value, "read"))
    options->accesses = CAB_MEMORY_READS;
  else if (!strcmp (value, "write"))
    options->accesses = CAB_MEMORY_WRITES;
  else
    return -1;
  return 0;
}

static int
set_heap_only (struct cab_options *options, const char *value)
{
  options->heap_only = true;
  return value != NULL;
}

static int
set_locals (struct cab_options *options, const char *value)
{
  options->locals = true;
  return value != NULL;
}

static int
set_variables (struct cab_options *options, const char *value)
{
  return add_globs (&options->variables, value);
}

static int
set_types (struct cab_options *options, const char *value)
{
  return add_globs (&options->types, value);
}

static const char *const ring_modes[] = { [CAB_RING_MODE_CHUNK] = "chunk",
					  [CAB_RING_MODE_CAB] = "cab",
					  [CAB_RING_MODE_PIPA] = "pipa",
					  [CAB_RING_MODE_FASTFORWARD] = "fastforward" };

const char *
cab_ring_mode_name (enum cab_ring_mode ring)
{
  return ring_modes[ring];
}

static int
set_ring (struct cab_options *options, const char *value)
{
  for (unsigned i = 0; i < sizeof ring_modes / sizeof *ring_modes; i++)
    if (!strcmp (value, ring_modes[i]))
      {
	options->ring = i;
	return 0;
      }
  return -1;
}

static int
set_functions (struct cab_options *options, const char *value)
{
  return add_globs (&options->functions, value);
}

static int
set_exclude (struct cab_options *options, const char *value)
{
  return add_globs (&options->exclude, value);
}

static int
set_files (struct cab_options *options, const char *value)
{
  return add_globs (&options->files, value);
}

static int
set_cut_at_calls (struct cab_options *options, const char *value)
{
  options->cut_at_calls = true;
  return value != NULL;
}

static int
set_context (struct cab_options *options, const char *value)
{
  options->context = true;
  return value != NULL;
}

static int
set_verbose (struct cab_options *options, const char *value)
{
  options->verbose = true;
  return value != NULL;
}

static const struct key keys[] = {
  { "events", "none, paths, calls, time, loops, memory, values, values:all, or several joined by +",
    "what is profiled (default: paths)", false, set_events },
  { "paths", "count, trace",
    "count paths in place, or send each through the ring, in order (default: count)", false,
    set_paths },
  { "loops", "cycles, trips",
    "time long executions of loops too, or only count iterations (default: cycles)", false,
    set_loops },
  { "memory-encoding", "path, loop, chain, block, access",
    "how densely accesses are sent; all tell the same (default: path)", false,
    set_memory_encoding },
  { "allocators", "FILE",
    "a table of functions that allocate and release memory, besides those of C and C++", false,
    set_allocators },
  { "accesses", "read, write, all", "which accesses are recorded (default: all)", false,
    set_accesses },
  { "variables", "GLOB[,GLOB...]", "tell only accesses of variables and members of these names",
    false, set_variables },
  { "types", "GLOB[,GLOB...]",
    "tell only accesses of objects of these types, and of parts of such objects", false,
    set_types },
  { "heap-only", NULL, "leave out accesses of what surely is a variable", false, set_heap_only },
  { "locals", NULL,
    "tell local variables that pointers may lead to, as blocks of memory; with events=memory",
    false, set_locals },
  { "memory-proof", NULL,
    "send each access by itself as well, to check the encoding: accesses count twice", false,
    set_memory_proof },
  { "memory-sample", NULL,
    "two copies of the code of each function, of which the run takes the one with probes once in "
    "sample=N of CABPROF_OPTIONS",
    false, set_memory_sample },
  { "ring", "chunk, cab, pipa, fastforward",
    "the ring that the probes are made for; pipa and fastforward are there to be compared with "
    "(default: chunk)",
    false, set_ring },
  { "functions", "GLOB[,GLOB...]", "instrument only functions of these names", false,
    set_functions },
  { "exclude", "GLOB[,GLOB...]", "leave functions of these names alone", false, set_exclude },
  { "files", "GLOB[,GLOB...]", "instrument only functions of these source files", false,
    set_files },
  { "cut-at-calls", NULL, "end paths at calls that may not return", false, set_cut_at_calls },
  { "context", NULL,
    "tell when activations end, so that accesses, loops and traced paths are known by calling "
    "context; with events=calls",
    false, set_context },
  { "feedback", "FILE",
    "apply the hints in FILE (default: loops.hints here or in a directory above); no probes unless "
    "events= is given",
    true, set_feedback },
  { "trials", "FILE",
    "compile the functions of the loops that FILE names in copies with different hints, which take "
    "turns; no probes",
    false, set_trials },
  { "outcome", NULL,
    "write down what becomes of each loop, and where its code is; no probes unless events= is "
    "given",
    false, set_outcome },
  { "verbose", NULL, "tell of each function what was done, and why not", false, set_verbose },
};
#define N_KEYS (sizeof keys / sizeof *keys)

void
cab_options_settle (struct cab_options *options, const char *feedback)
{
  if (feedback && *feedback)
    set_feedback (options, feedback);
  if (options->feedback || options->trials_file)
    options->outcome = true;
  if (options->outcome && !options->events_given)
    options->events = 0;
  /* A value belongs to one access, so events for whole chains or loops cannot carry any. */
  if (options->events & CAB_EVENTS_VALUES && options->memory_encoding == CAB_MEMORY_PATH)
    options->memory_encoding = CAB_MEMORY_BLOCK;
}

void
cab_options_init (struct cab_options *options)
{
  memset (options, 0, sizeof *options);
  options->events = CAB_EVENTS_PATHS;
}

static void
free_globs (struct cab_globs *globs)
{
  for (unsigned i = 0; i < globs->n; i++)
    free (globs->glob[i]);
  free (globs->glob);
}

void
cab_options_fini (struct cab_options *options)
{
  free_globs (&options->functions);
  free_globs (&options->exclude);
  free_globs (&options->files);
  free_globs (&options->variables);
  free_globs (&options->types);
  free (options->feedback_file);
  free (options->trials_file);
  free (options->allocators_file);
  memset (options, 0, sizeof *options);
}

static int
say_unknown_key (const char *key, char *error)
{
  int end = snprintf (error, CAB_OPTIONS_ERROR_BYTES,
		      "cabprof: -fplugin-arg-cabprof-%.80s: unknown option: known are", key);
  for (size_t i = 0; i < N_KEYS; i++)
    end += snprintf (error + end, CAB_OPTIONS_ERROR_BYTES - end, "%s %s%s", i ? "," : "",
		     keys[i].name, keys[i].values ? "=" : "");
  return -1;
}

static int
say_bad_value (const struct key *key, const char *value, char *error)
{
  if (!key->values)
    snprintf (error, CAB_OPTIONS_ERROR_BYTES,
	      "cabprof: -fplugin-arg-cabprof-%s=%.80s: takes no value: leave it away", key->name,
	      value);
  else if (!value)
    snprintf (error, CAB_OPTIONS_ERROR_BYTES,
	      "cabprof: -fplugin-arg-cabprof-%s: needs a value: give %s", key->name, key->values);
  else if (wrong_pattern)
    snprintf (error, CAB_OPTIONS_ERROR_BYTES,
	      "cabprof: -fplugin-arg-cabprof-%s=%.80s: bad regular expression: %s", key->name,
	      value, wrong_pattern);
  else
    snprintf (error, CAB_OPTIONS_ERROR_BYTES,
	      "cabprof: -fplugin-arg-cabprof-%s=%.80s: not a value of this option: give %s",
	      key->name, value, key->values);
  return -1;
}

int
cab_options_set (struct cab_options *options, const char *key, const char *value, char *error)
{
  for (size_t i = 0; i < N_KEYS; i++)
    if (!strcmp (keys[i].name, key))
      {
	bool wanted = keys[i].values && !keys[i].optional;
	wrong_pattern = NULL;
	if ((wanted && !value) || (!keys[i].values && value) || keys[i].set (options, value))
	  return say_bad_value (&keys[i], value, error);
	return 0;
      }
  return say_unknown_key (key, error);
}

bool
cab_globs_match (const struct cab_globs *globs, const char *text)
{
  for (unsigned i = 0; i < globs->n; i++)
    if (cab_pattern_matches (globs->glob[i], text))
      return true;
  return false;
}

bool
cab_globs_match_file (const struct cab_globs *globs, const char *path)
{
  if (cab_globs_match (globs, path))
    return true;
  for (const char *slash = path; (slash = strchr (slash, '/'));)
    if (cab_globs_match (globs, ++slash))
      return true;
  return false;
}

int
cab_options_text (const struct cab_options *options, char *text, size_t bytes)
{
  static const char *const names[] = { "paths", "calls", "loops", "memory", "values", "time" };
  static const char *const encodings[] = { " memory-encoding=path", " memory-encoding=loop",
					   " memory-encoding=chain", " memory-encoding=block",
					   " memory-encoding=access" };
  char events[48] = "";
  for (unsigned i = 0; i < 6; i++)
    if (options->events >> i & 1)
      {
	strcat (events, *events ? "+" : "");
	strcat (events, names[i]);
	strcat (events, options->values_all && 1u << i == CAB_EVENTS_VALUES ? ":all" : "");
      }
  static const char *const accesses[] = { "", " accesses=read", " accesses=write" };
  char memory[128] = "", table[32] = "";
  if (options->allocators_file)
    sprintf (table, " allocators=#%08x", options->allocators_sum);
  if (options->events & CAB_EVENTS_MEMORY)
    sprintf (memory, "%s%s%s%s%s%s%s", encodings[options->memory_encoding],
	     options->memory_proof ? " memory-proof" : "",
	     options->memory_sample ? " memory-sample" : "", accesses[options->accesses],
	     options->heap_only ? " heap-only" : "", options->locals ? " locals" : "", table);
  const char *loops = !(options->events & CAB_EVENTS_LOOPS) ? ""
		    : options->loops_untimed ? " loops=trips"
		    : " loops=cycles";
  return snprintf (text, bytes, "events=%s paths=%s ring=%s%s%s%s%s", *events ? events : "none",
		   options->paths == CAB_PATHS_TRACE ? "trace" : "count",
		   cab_ring_mode_name (options->ring), loops, memory,
		   options->cut_at_calls ? " cut-at-calls" : "",
		   options->context ? " context" : "");
}

const char *
cab_options_help (void)
{
  static char help[4096];
  int end = snprintf (help, sizeof help, "Options, each as -fplugin-arg-cabprof-KEY[=VALUE]:\n");
  for (size_t i = 0; i < N_KEYS; i++)
    end += snprintf (help + end, sizeof help - end, "  %s%s%s\n      %s\n", keys[i].name,
		     keys[i].values ? "=" : "", keys[i].values ? keys[i].values : "", keys[i].help);
  return help;
}
