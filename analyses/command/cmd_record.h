/* cmd_record.h - a run of a program that is recorded: what the files of `cabprof record' share.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Errors:     are told as they happen.
 */
#ifndef CAB_CMD_RECORD_H
#define CAB_CMD_RECORD_H

#include <stdbool.h>
#include <time.h>
#include "analyses/trace/trace_serve.h"
#include "loopfb/sample/sample.h"

struct cab_recording
{
  char *dir;
  const char *options;
  char *path;                       /* of the directory, absolute */
  char **argv;
  char *program;                    /* the file that argv[0] is; null: unknown */
  struct timespec start, end;
  double load_before[3], load_after[3];
  struct cab_sample_options sampling;   /* source null: off */
  const char *script;               /* --samples */
  struct cab_samples samples;
  struct cab_sample_end end_of;     /* the program */
  struct cab_trace_request trace;
  struct cab_trace_server *server;  /* null: no trace */
  bool quiet;                       /* --quiet: no line at the end */
  bool incomplete;                  /* something could not be written, which was told */
  struct cab_diag diag;
};

/* cmd_record_directory.c: the run's directory is there, empty and new, its path is known; what was
   there has another name.  0, or negative. */
int cab_record_make_directory (struct cab_recording *run);
/* Has any process left a part in DIR?  *FULL is set if one of them could not write all for lack of
   room, as it has told. */
bool cab_record_has_parts (const char *dir, bool *full);

/* cmd_record_end.c: say in one line which profile there is, how large it is on the disk, and how
   long RUN took. */
void cab_record_say_end (const struct cab_recording *run);

/* cmd_record_meta.c: meta.json, what was run; that it could not be written is noted. */
void cab_record_write_meta (struct cab_recording *run);

#endif
