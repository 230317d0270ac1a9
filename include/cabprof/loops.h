/* loops.h - source loops: how one is named, and where its code is.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      a source loop is known by its key: assembler name of its function, file as compiled,
 *             line and column of its header, and its ordinal among the function's loops of that
 *             place; its checksum shows whether it is still the same loop (info.h, L1).
 *             Copies of it, by inlining, versioning or unrolling, are the same source loop.
 *
 * Shapes:     section .debug.cabprof_loops, not loaded, is an array of struct cab_loop_range.  Its
 *             name makes linkers treat it as they treat debug sections: what refers to code that
 *             the linker leaves out becomes 0, and `strip -g` removes it.  Ranges are in no order,
 *             do not overlap except where the linker has folded copies of a function, and name the
 *             innermost source loop of the code; code that belongs to no loop has none.  A reader
 *             skips ranges that start at 0 or are empty.
 * Units:      addresses as the static linker gives them: what the program has in its memory, minus
 *             the module's load bias.
 * Threads, ownership: data, none.
 */
#ifndef CABPROF_LOOPS_H
#define CABPROF_LOOPS_H

#include <stdint.h>

#define CAB_LOOPS_SECTION ".debug.cabprof_loops"

struct cab_loop_range
{
  uint64_t start, end;   /* [start, end) */
  uint64_t key;          /* cab_loop_key */
};

static inline uint64_t
cab_loop_key_add (uint64_t hash, const char *text)
{
  do
    hash = (hash ^ (unsigned char) *text) * UINT64_C (1099511628211);
  while (*text++);
  return hash;
}

static inline uint64_t
cab_loop_key_number (uint64_t hash, uint32_t number)
{
  for (int i = 0; i < 4; i++)
    hash = (hash ^ (number >> 8 * i & 255)) * UINT64_C (1099511628211);
  return hash;
}

/* Return the key of a source loop as one number, never 0 (FNV-1a).  Only the last component of FILE
   counts: a link-time compilation may see the same file under another path. */
static inline uint64_t
cab_loop_key (const char *function, const char *file, uint32_t line, uint32_t column,
	      uint32_t ordinal)
{
  const char *base = file;
  for (const char *p = file; *p; p++)
    if (*p == '/')
      base = p + 1;
  uint64_t hash = cab_loop_key_add (UINT64_C (14695981039346656037), function);
  hash = cab_loop_key_add (hash, base);
  hash = cab_loop_key_number (hash, line);
  hash = cab_loop_key_number (hash, column);
  hash = cab_loop_key_number (hash, ordinal);
  return hash ? hash : 1;
}

/* Return a number that stands for the N bytes at TEXT, of a source file, after those for which HASH
   stands; CAB_SOURCE_HASH: there are none before. */
#define CAB_SOURCE_HASH UINT64_C (14695981039346656037)
static inline uint64_t
cab_source_hash (uint64_t hash, const char *text, uint64_t n)
{
  for (uint64_t i = 0; i < n; i++)
    hash = (hash ^ (unsigned char) text[i]) * UINT64_C (1099511628211);
  return hash;
}

#endif
