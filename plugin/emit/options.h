/* options.h - the plugin's options, which are given by -fplugin-arg-cabprof-KEY[=VALUE].
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      pure C, no GCC header.  One call per option, in the order of the command line; a
 *             later one replaces an earlier one, but globs add up.
 * Ownership:  the options hold copies of what they are given; cab_options_fini frees them.
 * Errors:     cab_options_set returns -1, leaves the options as they were, and puts a sentence that
 *             names the known keys or values into the caller's buffer.  No memory: abort, as the
 *             compiler itself does.
 * Threads:    none.
 */
#ifndef CABPROF_OPTIONS_H
#define CABPROF_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CAB_EVENTS_PATHS 1u
#define CAB_EVENTS_CALLS 2u
#define CAB_EVENTS_LOOPS 4u
#define CAB_EVENTS_MEMORY 8u
#define CAB_EVENTS_VALUES 16u   /* values of accesses */
#define CAB_EVENTS_TIME 32u     /* when activations begin and end; with CALLS */

enum cab_paths_mode
{
  CAB_PATHS_COUNT,  /* counters in place */
  CAB_PATHS_TRACE   /* every path is an event */
};

/* How accesses are encoded in events; each encoding yields the same accesses in the same order. */
enum cab_memory_encoding
{
  CAB_MEMORY_PATH,    /* as LOOP, and one event for the path through several blocks */
  CAB_MEMORY_LOOP,    /* as CHAIN, and one event for an execution of a loop where that can be
			 exact */
  CAB_MEMORY_CHAIN,   /* an event for each region, a word for accesses that lie at constant
			 distances */
  CAB_MEMORY_BLOCK,   /* an event for each region, a word for each access */
  CAB_MEMORY_ACCESS   /* an event for each access */
};

/* Which accesses are recorded; one that both reads and writes is recorded by either choice. */
enum cab_memory_accesses
{
  CAB_MEMORY_ALL,
  CAB_MEMORY_READS,
  CAB_MEMORY_WRITES
};

enum cab_ring_mode
{
  CAB_RING_MODE_CHUNK,
  CAB_RING_MODE_CAB,
  CAB_RING_MODE_PIPA,         /* N-way buffering */
  CAB_RING_MODE_FASTFORWARD
};

/* A list of patterns (pattern.h). */
struct cab_globs
{
  char **glob;
  unsigned n;
};

struct cab_options
{
  unsigned events;            /* CAB_EVENTS_*, 0: instrument nothing */
  enum cab_paths_mode paths;
  enum cab_ring_mode ring;
  enum cab_memory_encoding memory_encoding;
  bool memory_proof;          /* send each access by itself as well */
  bool memory_sample;         /* record one piece in N of the activations; the run's options set
				 N */
  enum cab_memory_accesses accesses;
  bool locals;                /* record local variables with an address like blocks of memory */
  bool heap_only;             /* leave out accesses to what surely is a variable */
  bool loops_untimed;         /* loop probes do not read the clock */
  bool cut_at_calls, verbose;
  bool context;               /* record when activations end */
  bool values_all;            /* record values of calls and variables as well */
  bool events_given;
  bool feedback;              /* apply hints */
  char *feedback_file;        /* the file of the hints; null: the nearest loops.hints */
  char *trials_file;          /* the loops that are tried; null: none */
  char *allocators_file;      /* a table of allocators besides the built-in one, or null */
  unsigned allocators_sum;    /* a sum of that table's rows (allocators.h) */
  bool outcome;               /* write down what becomes of loops, and where their code is */
  struct cab_globs functions; /* only these functions; none given: all */
  struct cab_globs exclude;   /* but not these functions */
  struct cab_globs files;     /* only functions of these files; none given: all */
  struct cab_globs variables; /* only accesses to variables and members of these names; none given:
				 all */
  struct cab_globs types;     /* only accesses to these types, or to parts of them; none given:
				 all */
};

#define CAB_OPTIONS_ERROR_BYTES 512

/* Set OPTIONS to the defaults. */
extern void cab_options_init (struct cab_options *options);
/* Free the copies that OPTIONS holds. */
extern void cab_options_fini (struct cab_options *options);

/* Set option KEY to VALUE, which is null where the option has none.  Return 0, or -1 with a
   sentence in ERROR, which has CAB_OPTIONS_ERROR_BYTES. */
extern int cab_options_set (struct cab_options *options, const char *key, const char *value,
			    char *error);

/* Settle OPTIONS after all are set.  FEEDBACK is the environment's CABPROF_FEEDBACK, which takes
   precedence over them, or null.  Hints, trials, outcome: no probes unless events are given. */
extern void cab_options_settle (struct cab_options *options, const char *feedback);

/* Check that the settled OPTIONS are consistent.  Return 0, or -1 with a sentence in ERROR. */
extern int cab_options_check (const struct cab_options *options, char *error);

/* Return true if one of GLOBS matches TEXT.  An empty list matches nothing. */
extern bool cab_globs_match (const struct cab_globs *globs, const char *text);

/* Return true if one of GLOBS matches PATH, a file name, or its last components, so that
   `files=lib/hash.c` finds /home/me/src/lib/hash.c. */
extern bool cab_globs_match_file (const struct cab_globs *globs, const char *path);

/* Write the options in force as the user could have typed them ("events=paths paths=count ...")
   into TEXT, for records.  BYTES and the result are those of snprintf. */
extern int cab_options_text (const struct cab_options *options, char *text, size_t bytes);

/* Return the name of a ring, as the user gives it. */
extern const char *cab_ring_mode_name (enum cab_ring_mode ring);

/* Return true if the probes for RING are those of a CAB ring. */
static inline bool
cab_ring_mode_is_cab (enum cab_ring_mode ring)
{
  return ring == CAB_RING_MODE_CAB || ring == CAB_RING_MODE_FASTFORWARD;
}

/* Return the help: every key with its values. */
extern const char *cab_options_help (void);

#ifdef __cplusplus
}
#endif

#endif
