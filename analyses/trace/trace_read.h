/* trace_read.h - reads packed traces.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Source:     include/cabprof/trace.h
 * Model:      frame by frame; what tables and records say is kept per process, in the form of a
 *             part, so that whoever reads parts reads it. Memory grows with tables and records, not
 *             with the length of the trace.
 * Ownership:  all of it is the reader's until the close; the bytes of a frame until the next one.
 * Errors:     negative with words in DIAG; what was read before was good.
 */
#ifndef CAB_TRACE_READ_H
#define CAB_TRACE_READ_H

#include "analyses/profile/info.h"
#include "analyses/profile/part.h"
#include "analyses/trace/trace_input.h"
#include "cabprof/trace.h"
#include "analyses/wire/decode.h"

struct cab_trace_counts
{
  uint32_t owner;
  uint64_t bytes;
  unsigned char *base;
};

struct cab_trace_process
{
  uint32_t number;
  bool ended;                    /* nothing is missing of it */
  struct cab_part part;          /* path: "TRACE, process N"; no descriptor */
  uint64_t bytes[CAB_EXT_THREADS + 1];   /* of each table */
  uint32_t n_counts, n_info, n_regions;
  struct cab_trace_counts *counts;
  struct cab_info *info;         /* by module; path null: none */
  struct cab_regions **regions;  /* by function */
  struct cab_decode_records records;
  struct cab_words *predictor;   /* of its words; null: as at the start */
};

struct cab_trace_reader
{
  struct cab_trace_input in;
  struct cab_trace_frame frame;
  struct cab_trace_process *process;   /* of the frame */
  unsigned char *bytes;                /* of the frame, as they stand in the file */
  size_t room;
  uint64_t *words;                     /* of a CHUNK, whatever its method */
  size_t n_words, words_room;
  uint32_t n_processes;
  struct cab_trace_process **processes;
};

/* The descriptor is the caller's. */
int cab_trace_open (struct cab_trace_reader *reader, int fd, const char *path,
		    struct cab_diag *diag);
/* The same, of an input that was looked at. */
int cab_trace_open_input (struct cab_trace_reader *reader, struct cab_trace_input in,
			  struct cab_diag *diag);
/* The next frame: 1, 0 at the end, or negative. */
int cab_trace_next (struct cab_trace_reader *reader, struct cab_diag *diag);
void cab_trace_close (struct cab_trace_reader *reader);

/* How many processes have not said that they ended. */
uint32_t cab_trace_unended (const struct cab_trace_reader *reader);

#endif
