/* cmd_trace_replay.c - cabprof trace replay: make a profile from a recorded trace, as analyses
 * would have made it in the process.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <libiberty/libiberty.h>
#include "analyses/command/arguments.h"
#include "analyses/command/preflight.h"
#include "analyses/command/trace/cmd_trace.h"
#include "analyses/command/command.h"
#include "analyses/trace/trace_part.h"

/* One process of the trace. */
struct replayed
{
  struct cab_finish finish;
  struct cab_finish_stream *stream;
  uint64_t words;
};

struct replay
{
  const char *dir, *path;      /* dir null: nothing is written */
  char analyses[CAB_CHOICE_FULL_BYTES];   /* empty: those that each process ran with */
  struct cab_trace_reader reader;
  struct replayed **processes;
  uint32_t n_processes;
};

static struct replayed *
replayed_of (struct replay *replay, const struct cab_trace_process *p)
{
  char names[CAB_CHOICE_FULL_BYTES];
  while (replay->n_processes < p->number)
    {
      replay->processes = XRESIZEVEC (struct replayed *, replay->processes,
				      replay->n_processes + 1);
      replay->processes[replay->n_processes++] = XCNEW (struct replayed);
    }
  struct replayed *r = replay->processes[p->number - 1];
  if (!r->stream)
    {
      cab_finish_chosen (cab_part_string (&p->part, p->part.header->options), names, sizeof names);
      r->stream = cab_finish_stream_new (&r->finish, &p->part,
					 *replay->analyses ? replay->analyses : names, &p->records);
    }
  return r;
}

static int
feed_all (struct replay *replay, struct cab_diag *diag)
{
  int result;
  struct cab_trace_reader *reader = &replay->reader;
  while ((result = cab_trace_next (reader, diag)) > 0)
    if (reader->frame.kind == CAB_TRACE_CHUNK)
      {
	struct replayed *r = replayed_of (replay, reader->process);
	r->words += reader->n_words;
	cab_finish_stream_words (r->stream, reader->frame.owner, reader->frame.thread,
				 reader->words, reader->n_words);
      }
  return result;
}

static int
write_all (struct replay *replay)
{
  char *modules = concat (replay->dir, "/modules", NULL);
  int error = mkdir (modules, 0777) < 0 ? -errno : 0;
  for (uint32_t i = 0; i < replay->reader.n_processes && !error; i++)
    {
      struct cab_trace_process *p = replay->reader.processes[i];
      struct replayed *r = replayed_of (replay, p);
      error = cab_trace_part_write (replay->dir, p, &r->finish, r->words);
    }
  free (modules);
  return error;
}

static void
forget (struct replay *replay)
{
  for (uint32_t i = 0; i < replay->n_processes; i++)
    {
      struct replayed *r = replay->processes[i];
      if (r->stream)
	{
	  cab_finish_stream_free (r->stream);
	  cab_finish_fini (&r->finish);
	}
      free (r);
    }
  free (replay->processes);
  cab_trace_close (&replay->reader);
}

/* Open and read the trace, then make the profile from its complete part. */
static int
replay_trace (struct replay *replay, int fd)
{
  struct cab_diag diag;
  if (cab_trace_open (&replay->reader, fd, replay->path, &diag) < 0)
    {
      cab_say ("%s", diag.text);
      return CAB_EXIT_FAILED;
    }
  int result = feed_all (replay, &diag), status = CAB_EXIT_GOOD;
  if (result < 0)
    cab_say ("%s", diag.text);
  uint32_t unended = result < 0 ? 0 : cab_trace_unended (&replay->reader);
  if (unended)
    cab_say ("%s: %u of %u processes have no end in it: they were killed, or the trace was cut "
	     "off: the profile has what is there",
	     replay->path, unended, replay->reader.n_processes);
  bool empty = result == 0 && !replay->reader.n_processes;
  if (empty)
    cab_say ("%s: no process is in it: compile the program with -fplugin=cabprof, or see whether "
	     "the trace was cut off",
	     replay->path);
  int error = !replay->reader.n_processes || !replay->dir ? 0
	    : mkdir (replay->dir, 0777) < 0 ? -errno
	    : write_all (replay);
  if (error)
    cab_say ("%s: cannot write: %s: name another directory with -d", replay->dir,
	     strerror (-error));
  if (result < 0 || unended || empty || error)
    status = CAB_EXIT_FAILED;
  forget (replay);
  return status;
}

int
cab_trace_feed (const char *path, const char *analyses)
{
  struct replay replay = { .path = path };
  int fd, status = cab_trace_file (path, &fd);
  if (status)
    return status;
  snprintf (replay.analyses, sizeof replay.analyses, "%s", analyses);
  status = replay_trace (&replay, fd);
  if (fd != STDIN_FILENO)
    close (fd);
  return status;
}

static int
take_analyses (const struct cab_argument *option, const char *list)
{
  struct cab_diag diag;
  if (!*list)
    return cab_usage ("trace replay", list, "no list of analyses");
  return cab_preflight_analyses (list, option->to, &diag) < 0
	 ? cab_usage ("trace replay", list, diag.text)
	 : 0;
}

/* Parse the arguments.  Return 0, an exit status, or CAB_ARGUMENTS_HELPED. */
static int
parse (int argc, char **argv, struct replay *replay)
{
  char **words;
  const struct cab_argument options[] = {
    { "d", "DIR", "the profile; it must not exist", .text = &replay->dir },
    { "analyses", "NAME+...",
      "as in CABPROF_OPTIONS (default: those that the program ran with)", .take = take_analyses,
      .to = replay->analyses }
  };
  const struct cab_arguments arguments = {
    "trace replay", "-d DIR [OPTION...] TRACE",
    "Make the profile that analyses would have made live, from a packed trace.",
    .options = options, .n_options = ARRAY_SIZE (options)
  };
  int status = cab_arguments_parse (&arguments, argc, argv, &words);
  if (!status && (!replay->dir || !*replay->dir))
    return cab_usage ("trace replay", "-d", "the directory of the profile is missing");
  return status ? status : cab_arguments_trace ("trace replay", words, &replay->path);
}

int
cab_trace_replay (int argc, char **argv)
{
  struct replay replay = { .dir = NULL };
  struct stat st;
  int fd, status = parse (argc, argv, &replay);
  if (status)
    return status < 0 ? CAB_EXIT_GOOD : status;
  if (lstat (replay.dir, &st) == 0)
    {
      cab_say ("%s: exists: name another directory with -d, or remove it", replay.dir);
      return CAB_EXIT_FAILED;
    }
  if ((status = cab_trace_file (replay.path, &fd)))
    return status;
  status = replay_trace (&replay, fd);
  if (fd != STDIN_FILENO)
    close (fd);
  return status;
}
