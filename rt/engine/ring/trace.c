/* trace.c - see trace.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/engine/ring/trace.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cabprof/trace.h"
#include "rt/common/directory.h"
#include "rt/base/rt.h"
#include "rt/base/say.h"
#include "rt/common/text.h"
#include "rt/engine/ring/thread.h"
#include "rt/trace/trace_packer.h"
#include "rt/trace/trace_sink.h"

enum state
{
  OFF,
  NEW,
  WAITING,   /* a forked child, which opens it with its first chunk */
  OPEN,
  FAILED     /* reported; chunks are counted */
};

static uint32_t lock;
static enum state state;
static struct cab_trace_sink sink;

/* How much of each table the trace has, in bytes, and the number of modules whose records it
   has. */
static uint64_t sent_strings, sent_modules, sent_functions, sent_threads;
static uint32_t sent_records;

int
cab_trace_on (void)
{
  return state != OFF;
}

static struct cab_trace_frame
frame (enum cab_trace_kind kind, uint64_t bytes)
{
  return (
    struct cab_trace_frame) { .mark = CAB_TRACE_MARK, .kind = kind, .process = 1, .bytes = bytes };
}

static void
begin_anew (void)
{
  sent_strings = sent_modules = sent_functions = sent_threads = 0;
  sent_records = 0;
}

static int
put_header (void)
{
  struct cab_trace_frame f = frame (CAB_TRACE_HEADER, CAB_TRACE_HEADER_BYTES);
  cab_trace_packer_reset ();
  return cab_trace_sink_put (&sink, &f, cab_rt.part.header);
}

static int
put_bytes (enum cab_extent_kind table, uint32_t owner, const unsigned char *base, uint64_t from,
	   uint64_t to)
{
  struct cab_trace_frame f = frame (CAB_TRACE_TABLE, to - from);
  f.table = table;
  f.owner = owner;
  f.at = from;
  return to > from ? cab_trace_sink_put (&sink, &f, base + from) : 0;
}

/* Write what AREA has beyond *SENT bytes, up to USED, and set *SENT to that. */
static int
put_table (enum cab_extent_kind table, const struct cab_area *area, uint64_t *sent, uint64_t used)
{
  int error = put_bytes (table, 0, area->base, *sent, used);
  if (error == 0)
    *sent = used;
  return error;
}

static char records_path[2 * CAB_PATH_BYTES];

static int
open_records (uint32_t module)
{
  const struct cab_part_module *row = (const struct cab_part_module *) cab_rt.modules.base + module;
  struct cab_text t = CAB_TEXT (records_path);
  records_path[0] = '\0';
  cab_text_add (&t, cab_rt.part.dir);
  cab_text_add (&t, "/modules/");
  cab_text_add (&t, (const char *) cab_rt.strings.base + row->key);
  cab_text_add (&t, ".info");
  const char *wrong;
  int fd = cab_directory_records (cab_rt.part.dir, (const char *) cab_rt.strings.base + row->key,
				  &wrong);
  if (fd < 0 && wrong)
    cab_say (records_path, wrong, 0, "the trace lacks its records");
  return fd;
}

/* Return nonzero if FD is still what we have opened at `records_path'.  *BYTES becomes its length,
   else 0. */
static int
is_still (int fd, size_t *bytes)
{
  struct stat file, s;
  int same = lstat (records_path, &file) == 0 && fstat (fd, &s) == 0 && s.st_dev == file.st_dev
	  && s.st_ino == file.st_ino;
  *bytes = same ? s.st_size : 0;
  return same;
}

/* Return the records of MODULE, mapped, or null if it has none, which the profile records. */
static void *
map_records (uint32_t module, size_t *bytes)
{
  void *text = MAP_FAILED;
  for (int tries = 0; tries < CAB_TRACE_TRIES && text == MAP_FAILED; tries++)
    {
      size_t ignored;
      int fd = open_records (module);
      if (fd < 0)
	return NULL;
      if (is_still (fd, bytes))
	text = *bytes ? mmap (NULL, *bytes, PROT_READ, MAP_PRIVATE, fd, 0) : NULL;
      if (is_still (fd, &ignored))
	close (fd);
    }
  return text == MAP_FAILED ? NULL : text;
}

static int
put_records (uint32_t module)
{
  size_t bytes;
  void *text = map_records (module, &bytes);
  if (!text)
    return 0;
  struct cab_trace_frame f = frame (CAB_TRACE_RECORDS, bytes);
  f.owner = module;
  int error = cab_trace_sink_put (&sink, &f, text);
  munmap (text, bytes);
  return error;
}

/* Write what is new in the tables.  Rows are whole once they are counted. */
static int
put_tables (void)
{
  cab_lock (&cab_rt.lock);
  struct cab_part_header *h = cab_rt.part.header;
  uint64_t strings = cab_rt.strings_used, modules = h->n_modules, functions = h->n_functions,
	   threads = h->n_threads;
  cab_unlock (&cab_rt.lock);
  int error = put_table (CAB_EXT_STRINGS, &cab_rt.strings, &sent_strings, strings);
  if (error == 0)
    error = put_table (CAB_EXT_MODULES, &cab_rt.modules, &sent_modules,
		       modules * sizeof (struct cab_part_module));
  for (; error == 0 && sent_records < modules; sent_records += error == 0)
    error = put_records (sent_records);
  if (error == 0)
    error = put_table (CAB_EXT_FUNCTIONS, &cab_rt.functions, &sent_functions,
		       functions * sizeof (struct cab_part_function));
  if (error == 0)
    error = put_table (CAB_EXT_THREADS, &cab_rt.threads, &sent_threads,
		       threads * sizeof (struct cab_part_thread));
  return error;
}

static void
fail (int error)
{
  state = FAILED;
  if (!cab_trace_sink_was_told (&sink))
    cab_say (cab_rt.options.trace, "cannot write the trace", -error,
	     "it ends here, the program goes on");
  cab_trace_sink_close (&sink);
}

/* Make the trace ready for a frame.  Return 0 or -errno. */
static int
open_trace (void)
{
  if (state == OPEN && cab_trace_sink_ready (&sink))
    return 0;
  begin_anew ();
  int error = cab_trace_sink_open (&sink, cab_rt.options.trace, state == WAITING);
  if (error == 0)
    {
      state = OPEN;
      error = put_header ();
    }
  return error;
}

void
cab_trace_start (void)
{
  if (!cab_rt.options.trace[0])
    return;
  state = NEW;
  int error = open_trace ();
  if (error < 0)
    fail (error);
}

/* Write the N words that F describes, predicted if that is wanted, and before them what is needed
   to read them. */
static int
put_chunk (struct cab_trace_frame *f, const uint64_t *words, size_t n)
{
  int error = open_trace ();
  if (error == 0)
    error = put_tables ();
  if (error < 0)
    return error;
  f->bytes = n * sizeof *words;
  const unsigned char *packed = cab_rt.options.compress
				? cab_trace_packer_pack (words, n, &f->bytes)
				: NULL;
  f->method = packed ? CAB_TRACE_PREDICTED : CAB_TRACE_PLAIN;
  return cab_trace_sink_put (&sink, f, packed ? (const void *) packed : words);
}

void
cab_trace_chunk (uint32_t ring, uint32_t thread, uint64_t at, uint64_t stamp, const uint64_t *words,
		 size_t n)
{
  struct cab_trace_frame f = frame (CAB_TRACE_CHUNK, 0);
  f.owner = ring;
  f.thread = thread;
  f.at = at;
  f.stamp = stamp;
  cab_lock (&lock);
  int error = state == FAILED ? 1 : put_chunk (&f, words, n);
  /* Another thread may have closed the descriptor, which it does not know, during the write. */
  for (int tries = 1; error < 0 && tries < CAB_TRACE_TRIES && !cab_trace_sink_ready (&sink);
       tries++)
    error = put_chunk (&f, words, n);
  if (error < 0)
    fail (error);
  cab_ledger_add (error ? &cab_ledger ()->untraced : &cab_ledger ()->traced, n);
  cab_unlock (&lock);
}

static int
put_end (void)
{
  int error = open_trace ();
  sent_threads = 0;   /* ends and names of threads are known by now */
  if (error == 0)
    error = put_tables ();
  for (struct cab_counts *c = cab_rt.counts; c && error == 0; c = c->next)
    error = put_bytes (CAB_EXT_COUNTS, c->area.owner, c->area.base, 0, cab_rt.counts_used);
  return error ? error : put_header ();
}

void
cab_trace_end (void)
{
  if (state == OFF)
    return;
  cab_lock (&lock);
  int error = state == FAILED ? 0 : put_end ();
  for (int tries = 1; error < 0 && tries < CAB_TRACE_TRIES && !cab_trace_sink_ready (&sink);
       tries++)
    error = put_end ();
  if (error < 0)
    fail (error);
  cab_unlock (&lock);
}

void
cab_trace_fork (bool shared)
{
  if (state == OFF)
    return;
  lock = 0;
  if (shared)
    sink.fd = 0;
  else
    cab_trace_sink_close (&sink);
  state = WAITING;
}
