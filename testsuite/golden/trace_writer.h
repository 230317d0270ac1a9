/* trace_writer.h - packed traces and the programs that they name, made by hand from docs/trace.md,
 * without the library that reads them.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      one process. Tables and records come before the chunks that need them, as the caller
 *             gives them.
 * Errors:     trace_save and trace_program: negative if it cannot be written; the others do not
 *             fail.
 */
#ifndef TRACE_WRITER_H
#define TRACE_WRITER_H

#include <stddef.h>
#include "cabprof/profile.h"

struct trace_symbol
{
  const char *name;
  uint64_t address, bytes;
};

struct trace;
struct trace *trace_new (const char *path, const struct cab_part_header *header);
void trace_table (struct trace *trace, enum cab_extent_kind table, const void *bytes, size_t n);
/* Add the records of module 0, which are in the file INFO. */
void trace_records (struct trace *trace, const char *info);
/* Add N words of the ring of thread THREAD. */
void trace_chunk (struct trace *trace, uint32_t thread, const uint64_t *words, size_t n);
/* Write the end, and free the trace. */
int trace_save (struct trace *trace, const struct cab_part_header *header);
/* Write an ELF program without code, with N variables. */
int trace_program (const char *path, const struct trace_symbol *symbols, unsigned n);

#endif
