/* trace_read.h - read packed traces.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Source:     include/cabprof/trace.h
 * Model:      frame by frame; tables and records are kept per process, in the form of a part, so
 *             that code that reads parts can read them.  Memory grows with tables and records, not
 *             with the length of the trace.
 * Ownership:  everything is the reader's until the close; the bytes of a frame until the next one.
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
  bool ended;                    /* nothing more of it is missing */
  struct cab_part part;          /* path: "TRACE, process N"; there is no descriptor */
  uint64_t bytes[CAB_EXT_THREADS + 1];   /* by table: its length */
  uint32_t n_counts, n_info, n_regions;
  struct cab_trace_counts *counts;
  struct cab_info *info;         /* by module; path null: no records */
  struct cab_regions **regions;  /* by function */
  struct cab_decode_records records;
  struct cab_words *predictor;   /* of its words; null: in its initial state */
};

struct cab_trace_reader
{
  struct cab_trace_input in;
  struct cab_trace_frame frame;
  struct cab_trace_process *process;   /* the process that the frame is of */
  unsigned char *bytes;                /* the bytes of the frame, as in the file */
  size_t room;
  uint64_t *words;                     /* the words of a CHUNK, whatever its method */
  size_t n_words, words_room;
  uint32_t n_processes;
  struct cab_trace_process **processes;
};

/* Read from FD, which stays the caller's; PATH is its name. */
int cab_trace_open (struct cab_trace_reader *reader, int fd, const char *path,
		    struct cab_diag *diag);
/* Read from IN, which was looked at before, like cab_trace_open. */
int cab_trace_open_input (struct cab_trace_reader *reader, struct cab_trace_input in,
			  struct cab_diag *diag);
/* Read the next frame.  Return 1, 0 at the end, or negative. */
int cab_trace_next (struct cab_trace_reader *reader, struct cab_diag *diag);
void cab_trace_close (struct cab_trace_reader *reader);

/* Return how many processes have not reported their end. */
uint32_t cab_trace_unended (const struct cab_trace_reader *reader);

#endif
