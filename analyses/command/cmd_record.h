/* cmd_record.h - a run of a program under `cabprof record', shared by that subcommand's files.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Errors:     are printed as they happen.
 */
#ifndef CAB_CMD_RECORD_H
#define CAB_CMD_RECORD_H

#include <stdbool.h>
#include <time.h>
#include "analyses/trace/trace_serve.h"
#include "loopfb/sample/run.h"
#include "loopfb/sample/samples.h"

/* A run that is recorded, from the command line to its end. */
struct cab_recording
{
  char *dir;
  const char *options;
  char *path;                       /* the directory's, absolute */
  char **argv;
  char *program;                    /* the file that argv[0] names; null: unknown */
  struct timespec start, end;
  double load_before[3], load_after[3];
  struct cab_sample_options sampling;   /* source null: off */
  const char *script;               /* --samples */
  struct cab_samples samples;
  struct cab_sample_end end_of;     /* how the program ended */
  struct cab_trace_request trace;
  struct cab_trace_server *server;  /* null: no trace */
  bool quiet;                       /* --quiet: no line at the end */
  bool incomplete;                  /* something could not be written, and a message says so */
  struct cab_diag diag;
};

/* Create RUN's directory, new and empty, and set its path; rename what was there before.  Return 0,
   or a negative code (cmd_record_directory.c). */
int cab_record_make_directory (struct cab_recording *run);
/* Return true if any process has left a part in DIR.  Set *FULL if one of them reported that it
   could not write everything for lack of space. */
bool cab_record_has_parts (const char *dir, bool *full);

/* Print one line that says which profile there is, how large it is on disk, and how long RUN took
   (cmd_record_end.c). */
void cab_record_say_end (const struct cab_recording *run);

/* Write meta.json, which describes what was run, and note a failure in RUN (cmd_record_meta.c). */
void cab_record_write_meta (struct cab_recording *run);

#endif
