/* hints.h - the hints file: which source loop is to be unrolled by how much, and so on.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Source:     docs/man/cabprof-formats.5.scd, "HINTS FILE".
 * Model:      pure C, no GCC header: a JSON file becomes rows.  { "schema": 2, "format": "cabprof
 *             hints", "every": N, "loops": [ { "function", "name", "file", "line", "column",
 *             "ordinal", "checksum", "unroll", "vectorize", "registers", ... } ] }.  Members that
 *             are not named here are for people, and are skipped.  Schema 1 is the same without
 *             "registers", and still read.
 * Ownership:  rows hold copies; cab_hints_fini frees them.
 * Errors:     -1 and a sentence that names the file, what is wrong with it, and what to do; HINTS
 *             is then empty.  The file is taken as hostile: any bytes may be in it.  No memory:
 *             abort, as the compiler itself does.
 */
#ifndef CABPROF_HINTS_H
#define CABPROF_HINTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CAB_HINTS_SCHEMA 2        /* what is written */
#define CAB_HINTS_OLDEST 1        /* and still read */
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
  uint32_t unroll;          /* 0: as the compiler likes; 1: never; 2 .. CAB_HINTS_MAX_UNROLL */
  enum cab_hint_vectorize vectorize;
  bool registers;           /* those of its function are to be renamed, as by -fweb
			       -frename-registers */
  char *flags;              /* as in the loop's record (info.h), or null */
};

struct cab_hints
{
  char *path;
  uint32_t every;           /* factor for every innermost loop without a row; 0: none */
  struct cab_hint *row;     /* ordered by function, line, column, ordinal */
  uint32_t n;
};

#define CAB_HINTS_ERROR_BYTES 640

extern int cab_hints_read (struct cab_hints *hints, const char *path, char *error);
/* The same from LENGTH bytes of TEXT; PATH is for messages. */
extern int cab_hints_parse (struct cab_hints *hints, const char *path, const char *text,
			    size_t length, char *error);
extern void cab_hints_fini (struct cab_hints *hints);

/* The rows of FUNCTION (assembler name): the first one's number, and how many there are in *N. */
extern uint32_t cab_hints_of (const struct cab_hints *hints, const char *function, uint32_t *n);

/* Is one of the paths A and B the end of the other, on the border of a component? */
extern bool cab_hints_same_file (const char *a, const char *b);

/* The file loops.hints in DIRECTORY or the nearest of its parents that has one; null if none has,
   else free it. */
extern char *cab_hints_search (const char *directory);

#ifdef __cplusplus
}
#endif

#endif
