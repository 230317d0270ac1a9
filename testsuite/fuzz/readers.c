/* readers.c - hands any bytes to the readers of traces, profiles, records and hints: `readers KIND
 * FILE...', or by hand under AFL++.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      each kind is a reader and what comes behind it: all that may be said of the bytes is
 *             said, and nothing may crash (sanitizers).
 *                 trace      packed, rows, compressed: as `trace dump' and `trace replay' read it,
 *                 with every analysis
 *                 part       a process' part of a profile, as pieces: 4 bytes its length, then
 *                 again and again 4 bytes offset, 2 bytes length, bytes
 *                 records    the records of a module
 *                 hints      hints of loops
 *                 lackey     the text of valgrind's lackey
 *             How AFL++ is run with it: docs/hacking.md, "Fuzzing".
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <libiberty/libiberty.h>
#include "analyses/profile/finish/finish.h"
#include "analyses/trace/lackey.h"
#include "analyses/wire/regions.h"
#include "analyses/report/report.h"
#include "analyses/trace/trace_source.h"
#include "loopfb/formats/hints.h"

#define PART_MOST (2u << 20)
#define ANALYSES \
  "tree+calls+methods+paths+loops+accesses+values+blocks+cache+reuse+sharing+offenders+contexts"\
  "+join"

static FILE *nowhere;

/* Return a file without a name that has these bytes. */
static int
file_of (const unsigned char *data, size_t n)
{
  int fd = memfd_create ("fuzz", 0);
  if (fd < 0 || write (fd, data, n) != (ssize_t) n || lseek (fd, 0, SEEK_SET) != 0)
    exit (2);
  return fd;
}

static void
dump_trace (int fd)
{
  struct cab_rows_reader reader;
  struct cab_diag diag;
  lseek (fd, 0, SEEK_SET);
  if (cab_source_open (&reader, fd, "trace", &diag) < 0)
    return;
  for (int block; (block = cab_rows_next (&reader, &diag)) > 0;)
    for (size_t i = 0; block == CAB_ROWS_ROWS && i < reader.n_rows; i++)
      {
	const struct cab_trace_row *row = &reader.rows[i];
	const struct cab_row_place *place = cab_rows_access (&reader, row->process, row->site);
	const struct cab_row_function *function = cab_rows_function (&reader, row->process,
								     row->fn);
	fprintf (nowhere, "%s%s", place ? place->name : "", function ? function->name : "");
      }
  cab_rows_close (&reader);
}

static void
replay_trace (int fd)
{
  struct cab_trace_reader reader;
  struct cab_diag diag;
  struct cab_finish finish;
  struct cab_finish_stream *stream = NULL;
  lseek (fd, 0, SEEK_SET);
  if (cab_trace_open (&reader, fd, "trace", &diag) < 0)
    return;
  while (cab_trace_next (&reader, &diag) > 0)
    if (reader.frame.kind == CAB_TRACE_CHUNK && reader.process->number == 1)
      {
	if (!stream)
	  stream = cab_finish_stream_new (&finish, &reader.process->part, ANALYSES,
					  &reader.process->records);
	cab_finish_stream_words (stream, reader.frame.owner, reader.frame.thread, reader.words,
				 reader.n_words);
      }
  if (stream)
    {
      cab_finish_stream_free (stream);
      cab_finish_fini (&finish);
    }
  cab_trace_close (&reader);
}

static void
read_trace (const unsigned char *data, size_t n)
{
  int fd = file_of (data, n);
  dump_trace (fd);
  replay_trace (fd);
  close (fd);
}

static void
report_all (struct cab_model *model)
{
  struct cab_style style = { .width = 80, .table_width = 80 };
  struct cab_report_options options = { .format = CAB_FORMAT_TEXT, .by_thread = true };
  cab_report_overview (model, &options, &style, nowhere);
  for (int i = 0; cab_reports[i]; i++)
    if (cab_reports[i]->fill)
      {
	struct cab_table table;
	cab_reports[i]->fill (model, &options, &table);
	cab_table_text (&table, &style, nowhere);
	cab_table_fini (&table);
      }
}

/* Return the file that the pieces at DATA make: its bytes, *LENGTH of them. */
static unsigned char *
assemble (const unsigned char *data, size_t n, size_t *length)
{
  uint32_t bytes = 0, at;
  uint16_t piece;
  memcpy (&bytes, data, n < 4 ? n : 4);
  *length = bytes < PART_MOST ? bytes : PART_MOST;
  unsigned char *file = xcalloc (1, *length + 1);
  for (size_t i = 4; i + 6 <= n; i += 6 + piece)
    {
      memcpy (&at, data + i, 4);
      memcpy (&piece, data + i + 4, 2);
      if (piece > n - i - 6 || at > *length || piece > *length - at)
	break;
      memcpy (file + at, data + i + 6, piece);
    }
  return file;
}

static void
read_part (const unsigned char *data, size_t n)
{
  static char dir[64], path[96];
  struct cab_model model;
  struct cab_diag diag;
  size_t length;
  unsigned char *file = assemble (data, n, &length);
  snprintf (dir, sizeof dir, "/dev/shm/cabprof-fuzz-%ld", (long) getpid ());
  snprintf (path, sizeof path, "%s/1-1.part", dir);
  mkdir (dir, 0700);
  FILE *stream = fopen (path, "wb");
  if (!stream || fwrite (file, 1, length, stream) != length || fclose (stream) != 0)
    exit (2);
  free (file);
  if (cab_model_open (&model, dir, true, &diag) == 0)
    {
      report_all (&model);
      cab_model_close (&model);
    }
  unlink (path);
  rmdir (dir);
}

static void
read_regions (const char *text, size_t n)
{
  struct cab_regions sizes, *regions = xcalloc (1, cab_regions_measure (&sizes, text, n));
  if (cab_regions_begin (regions, &sizes, 1) == 0)
    for (uint32_t i = regions->n_regions; i-- > 0;)
      cab_regions_read (regions, i);
  free (regions);
}

static void
read_records (const unsigned char *data, size_t n)
{
  struct cab_info info;
  struct cab_diag diag;
  char path[32];
  int fd = file_of (data, n);
  snprintf (path, sizeof path, "/proc/self/fd/%d", fd);
  if (cab_info_open (&info, path, &diag) == 0)
    {
      uint64_t offset = 0, at;
      for (char letter; (letter = cab_info_next (&info, &offset, &at)) != 0;)
	{
	  struct cab_record record;
	  struct cab_note note;
	  struct cab_structure structure;
	  cab_info_record (&info, at, &record, &diag);
	  cab_info_note (&info, at, &note, &diag);
	  cab_info_structure (&info, at, &structure, &diag);
	  read_regions (info.text + at, info.bytes - at);
	}
      cab_info_close (&info);
    }
  close (fd);
}

static void
read_hints (const unsigned char *data, size_t n)
{
  struct cab_hints hints;
  char error[CAB_HINTS_ERROR_BYTES];
  if (cab_hints_parse (&hints, "hints", (const char *) data, n, error) < 0)
    return;
  uint32_t found;
  for (uint32_t i = 0; i < hints.n; i++)
    cab_hints_of (&hints, hints.row[i].function, &found);
  cab_hints_fini (&hints);
}

static void
read_lackey (const unsigned char *data, size_t n)
{
  static struct cab_lackey reader;
  struct cab_access accesses[64];
  int fd = file_of (data, n);
  cab_lackey_open (&reader, fd, 4096);
  while (cab_lackey_read (&reader, accesses, 64))
    ;
  close (fd);
}

static const struct
{
  const char *name;
  void (*take) (const unsigned char *data, size_t n);
} kinds[] = { { "trace", read_trace },
	      { "part", read_part },
	      { "records", read_records },
	      { "hints", read_hints },
	      { "lackey", read_lackey } };

#ifdef __AFL_FUZZ_TESTCASE_LEN
__AFL_FUZZ_INIT ();

static void
read_all (void (*take) (const unsigned char *, size_t), char **files)
{
  (void) files;
  unsigned char *data = __AFL_FUZZ_TESTCASE_BUF;
  while (__AFL_LOOP (2000))
    {
      size_t n = __AFL_FUZZ_TESTCASE_LEN;
      unsigned char *copy = xmalloc (n + 1);   /* of this length, for the sanitizer */
      memcpy (copy, data, n);
      take (copy, n);
      free (copy);
    }
}
#else
static void
read_all (void (*take) (const unsigned char *, size_t), char **files)
{
  for (; *files; files++)
    {
      FILE *stream = fopen (*files, "rb");
      unsigned char *data = xmalloc (4u << 20);
      size_t n = stream ? fread (data, 1, 4u << 20, stream) : 0;
      if (!stream || fclose (stream) != 0)
	exit (2);
      data = xrealloc (data, n ? n : 1);
      take (data, n);
      free (data);
    }
}
#endif

int
main (int argc, char **argv)
{
  nowhere = fopen ("/dev/null", "w");
  for (size_t i = 0; nowhere && argc > 1 && i < ARRAY_SIZE (kinds); i++)
    if (!strcmp (kinds[i].name, argv[1]))
      {
	read_all (kinds[i].take, argv + 2);
	return 0;
      }
  fputs ("readers: no such kind: give trace, part, records, hints or lackey, and files\n", stderr);
  return 2;
}
