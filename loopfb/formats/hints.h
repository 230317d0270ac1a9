/* hints.h - the hints file: by how much each source loop is to be unrolled, and so on.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Source:     docs/man/cabprof-formats.5.scd, "HINTS FILE".
 * Model:      pure C, no GCC header: a JSON file becomes rows.  { "schema": 4, "format": "cabprof
 *             hints", "every": N, "gcc": V, "loops": [ { "function", "name", "file", "line",
 *             "column", "ordinal", "checksum", "unroll", "vectorize", "registers", "align",
 *             "prefetch", ...} ] }.  Members that are not named here are for people, and are
 *             skipped.  A file that names loops for trials may have "beside": true.  Schema 3 is
 *             the same without "prefetch", schema 2 also without "align", schema 1 also without
 *             "registers"; all are still read.
 * Ownership:  rows hold copies; cab_hints_fini frees them.
 * Errors:     -1 and a sentence that names the file, what is wrong with it, and what to do; HINTS
 *             is then empty.  The file is taken as hostile: any bytes may be in it.  Without memory
 *             the process aborts, as the compiler itself does.
 */
#ifndef CABPROF_HINTS_H
#define CABPROF_HINTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CAB_HINTS_SCHEMA 4        /* the schema that is written */
#define CAB_HINTS_OLDEST 1        /* the oldest schema that is still read */
#define CAB_HINTS_FORMAT "cabprof hints"
#define CAB_HINTS_FILE "loops.hints"
#define CAB_HINTS_MAX_UNROLL 64

enum cab_hint_vectorize
{
  CAB_VECTORIZE_AS_IS,
  CAB_VECTORIZE_NO,
  CAB_VECTORIZE_YES
};

struct cab_hint
{
  char *function, *name;    /* assembler and source name; NAME may be null */
  char *file;
  uint32_t line, column, ordinal;
  uint32_t checksum;
  uint32_t unroll;          /* 0: as the compiler chooses; 1: never; else 2 ..
			       CAB_HINTS_MAX_UNROLL */
  enum cab_hint_vectorize vectorize;
  bool registers;           /* rename those of its function, as -fweb -frename-registers do */
  uint32_t align;           /* of its head, in bytes: 16, 32 or 64; 0: as the compiler chooses */
  uint32_t prefetch;        /* how many iterations ahead what it loads is prefetched: 4, 8, 16, 32
			       or 64; 0: not at all */
  char *flags;              /* as in the loop's record (info.h), or null */
};

struct cab_hints
{
  char *path;
  uint32_t gcc;             /* major version of the GCC that the loops were measured with; 0 if
			       unknown */
  uint32_t every;           /* factor for every innermost loop without a row; 0 if none */
  bool beside;              /* for trials: copy the loops side by side, not their functions */
  struct cab_hint *row;     /* ordered by function, line, column, ordinal */
  uint32_t n;
};

#define CAB_HINTS_ERROR_BYTES 640

/* Read HINTS from the file PATH.  Return 0, or -1 with a sentence in ERROR, which has room for
   CAB_HINTS_ERROR_BYTES. */
extern int cab_hints_read (struct cab_hints *hints, const char *path, char *error);
/* Read HINTS from LENGTH bytes of TEXT; PATH is for messages.  Return 0, or -1 with a sentence in
   ERROR. */
extern int cab_hints_parse (struct cab_hints *hints, const char *path, const char *text,
			    size_t length, char *error);
/* Free the rows of HINTS. */
extern void cab_hints_fini (struct cab_hints *hints);

/* Return the number of the first row of FUNCTION (an assembler name), and store in *N how many it
   has. */
extern uint32_t cab_hints_of (const struct cab_hints *hints, const char *function, uint32_t *n);

/* Return true if one of the paths A and B is the end of the other, on the border of a component. */
extern bool cab_hints_same_file (const char *a, const char *b);

/* Return the file loops.hints in DIRECTORY or the nearest of its parents that has one, to be freed;
   null if none has. */
extern char *cab_hints_search (const char *directory);

#ifdef __cplusplus
}
#endif

#endif
