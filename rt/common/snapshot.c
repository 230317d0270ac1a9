/* snapshot.c - see snapshot.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/common/snapshot.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cabprof/profile.h"
#include "rt/common/pauses.h"
#include "rt/common/text.h"

#define PATH_BYTES 4200u
#define BUFFER_BYTES 65536u
#define ROWS 64u            /* rows of the table of extents at a time */
#define LOOKS 1000          /* attempts to read a ring's header that changes */

static struct
{
  int from, to;
  struct cab_paused_header paused_header;
  int paused;               /* negative: nothing was counted in pauses */
  bool is_paused;
  bool is_used;             /* the place in the copy has other bytes: zeros are written */
  /* Beginning of the part's header. */
  struct
  {
    char magic[8];
    uint32_t version, byte_order, header_bytes, page_bytes, state, n_extents;
    uint64_t file_bytes;
  } start;
  uint64_t buffer[BUFFER_BYTES / 8], table[BUFFER_BYTES / 8];
  struct cab_extent extents[ROWS], earlier[ROWS];
  struct cab_ring_header ring, again;
} copy;

bool
cab_snapshot_is_name (const char *name)
{
  size_t n = strspn (name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-");
  return n > 0 && n <= CAB_SNAPSHOT_NAME_MOST && !name[n] && name[0] != '.';
}

static int
read_file (int fd, void *to, size_t bytes, uint64_t at)
{
  ssize_t n;
  do
    n = pread (fd, to, bytes, at);
  while (n < 0 && errno == EINTR);
  return n < 0 ? -errno : (size_t) n == bytes ? 0 : -EIO;
}

static int
read_at (void *to, size_t bytes, uint64_t at)
{
  return read_file (copy.from, to, bytes, at);
}

static int
write_at (const void *from, size_t bytes, uint64_t at)
{
  ssize_t n;
  do
    n = pwrite (copy.to, from, bytes, at);
  while (n < 0 && errno == EINTR);
  return n < 0 ? -errno : (size_t) n == bytes ? 0 : -EIO;
}

static bool
is_zero (size_t n_words)
{
  for (size_t i = 0; i < n_words; i++)
    if (copy.buffer[i])
      return false;
  return true;
}

/* Subtract what was counted in pauses from the counters in the buffer, N_WORDS of area OWNER from
   WORD on.  Return 0 or -errno. */
static int
subtract (uint32_t owner, uint64_t word, size_t n_words)
{
  int error = copy.paused < 0 ? 0
			      : cab_pauses_read (copy.paused, &copy.paused_header, owner, word,
						 copy.table, n_words);
  for (size_t i = 0; i < n_words && error == 0; i++)
    copy.buffer[i] = (copy.is_paused ? 0 : copy.buffer[i]) - (copy.paused < 0 ? 0 : copy.table[i]);
  return error;
}

/* Copy BYTES bytes at AT, whole words; zeros stay holes where the place is not used.  COUNTS, if
   not null: they are counters of that extent, from area offset AREA_AT on. */
static int
copy_bytes (uint64_t at, uint64_t bytes, const struct cab_extent *counts, uint64_t area_at)
{
  int error = 0;
  for (uint64_t done = 0, n; error == 0 && done < bytes; done += n)
    {
      n = bytes - done < BUFFER_BYTES ? bytes - done : BUFFER_BYTES;
      error = read_at (copy.buffer, n, at + done);
      if (error == 0 && counts)
	error = subtract (counts->owner, (area_at + done) / 8, n / 8);
      if (error == 0 && (copy.is_used || !is_zero ((n + 7) / 8)))
	error = write_at (copy.buffer, n, at + done);
    }
  return error;
}

/* Read the header of the ring at AT, with a cursor that matches its head. */
static int
read_ring (uint64_t at)
{
  int error = read_at (&copy.ring, sizeof copy.ring, at);
  for (int i = 0; i < LOOKS && error == 0; i++)
    {
      error = read_at (&copy.again, sizeof copy.again, at);
      if (copy.again.head == copy.ring.head && copy.again.entered == copy.ring.entered)
	return error;
      copy.ring = copy.again;
    }
  return error;
}

/* Copy what is not yet analysed of the ring E; all of a CAB ring. */
static int
copy_ring (const struct cab_extent *e)
{
  struct cab_ring_header *h = &copy.ring;
  int error = e->bytes < CAB_RING_HEADER_BYTES ? -EIO : read_ring (e->file_offset);
  uint64_t stride = (uint64_t) h->chunk_slots + CAB_RING_RED_SLOTS,
	   slots = (e->bytes - CAB_RING_HEADER_BYTES) / 8;
  if (error == 0 && h->type != CAB_RING_CHUNK)
    return copy_bytes (e->file_offset, e->bytes, NULL, 0);
  if (error == 0
      && (!h->n_chunks || h->n_chunks > 256 || stride > slots / h->n_chunks
	  || h->head - h->tail > h->n_chunks))
    error = -EIO;
  for (uint64_t c = h->tail; error == 0 && c <= h->head; c++)
    {
      uint64_t used = c < h->head ? h->used[c % h->n_chunks] : cab_ring_open_words (h, c);
      error = copy_bytes (e->file_offset + CAB_RING_HEADER_BYTES + c % h->n_chunks * stride * 8,
			  (used < stride ? used : 0) * 8, NULL, 0);
    }
  return error < 0 ? error : write_at (h, sizeof *h, e->file_offset);
}

/* Copy the control page, cleared, since nothing controls the copy. */
static int
copy_control (const struct cab_extent *e)
{
  struct cab_part_control control;
  int error = e->bytes < sizeof control ? -EIO : read_at (&control, sizeof control, e->file_offset);
  control.pause = 0;
  control.lock = control.hold = 0;
  return error < 0 ? error : write_at (&control, sizeof control, e->file_offset);
}

/* Return true if extents of KIND have rows that other extents and the header refer to by number. */
static bool
is_table (uint32_t kind)
{
  return kind == CAB_EXT_STRINGS || kind == CAB_EXT_MODULES || kind == CAB_EXT_FUNCTIONS
      || kind == CAB_EXT_THREADS;
}

static int
copy_extent (const struct cab_extent *e)
{
  if (is_table (e->kind))
    return 0;
  switch (e->kind)
    {
    case CAB_EXT_FREE: return 0;
    case CAB_EXT_RING: return copy_ring (e);
    case CAB_EXT_CONTROL: return copy_control (e);
    case CAB_EXT_COUNTS: return copy_bytes (e->file_offset, e->bytes, e, e->area_offset);
    default: return copy_bytes (e->file_offset, e->bytes, NULL, 0);
    }
}

static int
copy_extents (void)
{
  uint64_t table = offsetof (struct cab_part_header, extents);
  int error = 0;
  for (uint32_t at = 0, n; error == 0 && at < copy.start.n_extents; at += n)
    {
      n = copy.start.n_extents - at < ROWS ? copy.start.n_extents - at : ROWS;
      error = read_at (copy.extents, n * sizeof *copy.extents, table + at * sizeof *copy.extents);
      for (uint32_t i = 0; error == 0 && i < n; i++)
	error = copy_extent (&copy.extents[i]);
      if (error == 0)
	error = write_at (copy.extents, n * sizeof *copy.extents,
			  table + at * sizeof *copy.extents);
    }
  return error;
}

/* Copy the tables among N extents.  A place that was something else has been given back
   and taken again since.  All other extents stay as they were copied. */
static int
copy_tables_in (uint32_t n)
{
  int error = 0;
  for (uint32_t i = 0; error == 0 && i < n; i++)
    if (!is_table (copy.extents[i].kind))
      copy.extents[i] = copy.earlier[i];
    else
      {
	const struct cab_extent *e = &copy.extents[i];
	copy.is_used = copy.earlier[i].kind != e->kind;
	error = copy_bytes (e->file_offset, e->bytes, NULL, 0);
	copy.is_used = false;
      }
  return error;
}

static int
copy_tables (void)
{
  uint64_t table = offsetof (struct cab_part_header, extents);
  int error = 0;
  for (uint32_t at = 0, n; error == 0 && at < copy.start.n_extents; at += n)
    {
      uint64_t from = table + at * sizeof *copy.extents;
      n = copy.start.n_extents - at < ROWS ? copy.start.n_extents - at : ROWS;
      error = read_at (copy.extents, n * sizeof *copy.extents, from);
      if (error == 0)
	error = read_file (copy.to, copy.earlier, n * sizeof *copy.earlier, from);
      if (error == 0)
	error = copy_tables_in (n);
      if (error == 0)
	error = write_at (copy.extents, n * sizeof *copy.extents, from);
    }
  return error;
}

/* Read the beginning of the part's header, and give the copy the length of the part. */
static int
read_start (void)
{
  int error = read_at (&copy.start, sizeof copy.start, 0);
  if (error == 0
      && (memcmp (copy.start.magic, CAB_PART_MAGIC, 8) || copy.start.version != CAB_PART_VERSION
	  || copy.start.n_extents > CAB_PART_EXTENTS))
    error = -EIO;
  return error == 0 && ftruncate (copy.to, copy.start.file_bytes) < 0 ? -errno : error;
}

/* The process may make rows and extents meanwhile.  Extents are copied before the header, so that
   its numbers of rows are no less than what they refer to, and tables after it, so that they have
   these rows.  States do not change. */
static int
copy_part (void)
{
  struct timespec now;
  int error = read_start ();
  if (error == 0)
    error = copy_extents ();
  if (error == 0)
    error = copy_bytes (0, offsetof (struct cab_part_header, arenas) / 8 * 8, NULL, 0);
  if (error == 0)
    error = copy_bytes (offsetof (struct cab_part_header, arenas),
			sizeof ((struct cab_part_header *) 0)->arenas, NULL, 0);
  if (error == 0)
    error = read_start ();
  if (error == 0)
    error = copy_tables ();
  clock_gettime (CLOCK_REALTIME, &now);
  uint64_t now_ns = now.tv_sec * UINT64_C (1000000000) + now.tv_nsec;
  uint32_t state = CAB_PART_ENDED;
  if (error == 0)
    error = write_at (&copy.start.n_extents, sizeof copy.start.n_extents,
		      offsetof (struct cab_part_header, n_extents));
  if (error == 0)
    error = write_at (&copy.start.file_bytes, sizeof copy.start.file_bytes,
		      offsetof (struct cab_part_header, file_bytes));
  if (error == 0)
    error = write_at (&now_ns, sizeof now_ns, offsetof (struct cab_part_header, end_realtime_ns));
  return error < 0 ? error
		   : write_at (&state, sizeof state, offsetof (struct cab_part_header, state));
}

static int
copy_to (int fd, const char *part, uint64_t pause)
{
  copy.to = fd;
  copy.from = open (part, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (copy.from < 0)
    return -errno;
  copy.is_paused = pause & CAB_CONTROL_PAUSED;
  copy.paused = cab_pauses_open (part, pause, &copy.paused_header);
  int error = copy.paused < 0 && copy.paused != -ENOENT ? copy.paused : copy_part ();
  if (copy.paused >= 0)
    close (copy.paused);
  close (copy.from);
  return error;
}

/* Open the directory NAME in that of descriptor AT, creating it if need be.  Return its descriptor,
   or -errno.  Closes AT. */
static int
enter (int at, const char *name)
{
  int fd = at < 0 || (mkdirat (at, name, 0777) < 0 && errno != EEXIST)
	   ? -1
	   : openat (at, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
  int error = -errno;
  if (at >= 0)
    close (at);
  return fd < 0 ? error : fd;
}

/* Open the directory of PART, which ends at the slash before FILE. */
static int
open_directory (const char *part, const char *file)
{
  static char path[PATH_BYTES];
  struct cab_text t = CAB_TEXT (path);
  cab_text_add_bytes (&t, part, file - part);
  cab_text_add (&t, ".");
  int fd = t.cut ? -1 : open (path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  return fd < 0 ? (t.cut ? -ENAMETOOLONG : -errno) : fd;
}

int
cab_snapshot_take (const char *part, uint64_t pause, const char *name)
{
  static char temporary[300];
  struct cab_text t = CAB_TEXT (temporary);
  const char *slash = strrchr (part, '/'), *file = slash ? slash + 1 : part;
  if (!cab_snapshot_is_name (name))
    return -EINVAL;
  cab_text_add (&t, ".");
  cab_text_add (&t, file);
  cab_text_add (&t, ".new");
  int dir = enter (open_directory (part, file), "snapshots");
  dir = dir < 0 ? dir : enter (dir, name);
  if (dir < 0)
    return dir;
  (void) unlinkat (dir, temporary, 0);   /* left by a process that was killed */
  int fd = openat (dir, temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
  int error = fd < 0 ? -errno : copy_to (fd, part, pause);
  if (fd >= 0)
    close (fd);
  if (error == 0 && renameat (dir, temporary, dir, file) < 0)
    error = -errno;
  if (error < 0)
    (void) unlinkat (dir, temporary, 0);
  close (dir);
  return error;
}
