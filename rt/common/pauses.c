/* pauses.c - see pauses.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/common/pauses.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cabprof/profile.h"
#include "rt/common/text.h"

#define PATH_BYTES 4200u
#define WORDS 2048u           /* words at a time */
#define TRIES 1000u           /* attempts to get the lock, a millisecond apart */
#define LEAST_FD 3            /* a program may run with 0, 1 or 2 closed, and must not find our file
				 there */

/* Write the path of the file of table N of PART.  Return 0 or -ENAMETOOLONG. */
static int
name_table (char *path, const char *part, uint64_t n)
{
  struct cab_text t = { path, 0, PATH_BYTES, 0 };
  size_t length = strlen (part), suffix = strlen (CAB_PART_SUFFIX);
  cab_text_add_bytes (&t, part, length > suffix ? length - suffix : 0);
  cab_text_add (&t, "-");
  cab_text_number (&t, n, 10);
  cab_text_add (&t, CAB_PAUSED_SUFFIX);
  return t.cut ? -ENAMETOOLONG : 0;
}

static int
open_file (const char *path, int flags, unsigned mode)
{
  int fd = open (path, flags | O_CLOEXEC | O_NOFOLLOW, mode);
  if (fd < 0)
    return -errno;
  if (fd >= LEAST_FD)
    return fd;
  int higher = fcntl (fd, F_DUPFD_CLOEXEC, LEAST_FD), error = -errno;
  close (fd);
  return higher < 0 ? error : higher;
}

/* Transfer BYTES bytes at offset AT of FD.  Return 0, or -errno; a file that ends earlier is
   damaged. */
static int
transfer (int fd, void *data, size_t bytes, off_t at, bool write)
{
  for (size_t done = 0; done < bytes;)
    {
      ssize_t n = write ? pwrite (fd, (char *) data + done, bytes - done, at + done)
			: pread (fd, (char *) data + done, bytes - done, at + done);
      if (n < 0 && errno == EINTR)
	continue;
      if (n <= 0)
	return n < 0 ? -errno : -EIO;
      done += n;
    }
  return 0;
}

int
cab_pauses_open (const char *part, uint64_t pause, struct cab_paused_header *header)
{
  static char path[PATH_BYTES];   /* stacks may be small */
  struct stat s;
  if (pause >> 1 == 0)
    return -ENOENT;
  int error = name_table (path, part, pause >> 1),
      fd = error < 0 ? error : open_file (path, O_RDONLY, 0);
  if (fd < 0)
    return fd == -ENOENT ? -EIO : fd;
  error = transfer (fd, header, sizeof *header, 0, false);
  if (error == 0
      && (memcmp (header->magic, CAB_PAUSED_MAGIC, sizeof header->magic)
	  || header->version != CAB_CONTROL_VERSION || fstat (fd, &s) < 0
	  || header->n_words > (uint64_t) s.st_size || header->n_areas > (uint64_t) s.st_size
	  || (header->n_words
	      && header->n_areas > ((uint64_t) s.st_size - sizeof *header) / 8 / header->n_words)))
    error = -EIO;
  if (error == 0)
    return fd;
  close (fd);
  return error;
}

int
cab_pauses_read (int fd, const struct cab_paused_header *header, uint32_t number, uint64_t word,
		 uint64_t *to, size_t n)
{
  size_t there = number < header->n_areas && word < header->n_words ? header->n_words - word : 0;
  there = there < n ? there : n;
  memset (to + there, 0, (n - there) * sizeof *to);
  return there ? transfer (fd, to, there * sizeof *to,
			   sizeof *header + ((off_t) number * header->n_words + word) * 8, false)
	       : 0;
}

static uint64_t
clock_ns (clockid_t clock)
{
  struct timespec t;
  clock_gettime (clock, &t);
  return t.tv_sec * UINT64_C (1000000000) + t.tv_nsec;
}

/* Return true if process PID exists. */
static bool
exists (uint32_t pid)
{
  char path[32];
  struct cab_text t = CAB_TEXT (path);
  struct stat s;
  cab_text_add (&t, "/proc/");
  cab_text_number (&t, pid, 10);
  return stat (path, &s) == 0;
}

int
cab_pauses_take (struct cab_part_control *control)
{
  const struct timespec wait = { 0, 1000000 };
  for (unsigned i = 0; i < TRIES; i++)
    {
      uint32_t holder = 0;
      if (__atomic_compare_exchange_n (&control->lock, &holder, getpid (), false, __ATOMIC_ACQ_REL,
				       __ATOMIC_RELAXED))
	return 0;
      if (!exists (holder))
	__atomic_compare_exchange_n (&control->lock, &holder, 0, false, __ATOMIC_RELAXED,
				     __ATOMIC_RELAXED);
      else
	nanosleep (&wait, NULL);
    }
  return -EBUSY;
}

void
cab_pauses_let_go (struct cab_part_control *control)
{
  __atomic_store_n (&control->lock, 0, __ATOMIC_RELEASE);
}

/* Buffers; used under the lock. */
static uint64_t before[WORDS], after[WORDS];

/* Write to FD the table's values for area NUMBER, which are those of the table OLD (a negative
   number: none) with COUNTERS subtracted (PAUSE) or added. */
static int
write_area (const struct cab_pauses *p, int fd, int old, const struct cab_paused_header *header,
	    uint32_t number, const uint64_t *counters, bool pause)
{
  int error = 0;
  for (uint64_t at = 0, n; error == 0 && at < p->n_words; at += n)
    {
      n = p->n_words - at < WORDS ? p->n_words - at : WORDS;
      if (old < 0)
	memset (before, 0, n * sizeof *before);
      else
	error = cab_pauses_read (old, header, number, at, before, n);
      for (uint64_t i = 0; i < n; i++)
	{
	  uint64_t counter = __atomic_load_n (&counters[at + i], __ATOMIC_RELAXED);
	  after[i] = pause ? before[i] - counter : before[i] + counter;
	}
      if (error == 0)
	error = transfer (fd, after, n * sizeof *after,
			  sizeof *header + ((off_t) number * p->n_words + at) * 8, true);
    }
  return error;
}

static int
write_table (const struct cab_pauses *p, int fd, bool pause)
{
  struct cab_paused_header old_header,
    header = { CAB_PAUSED_MAGIC, CAB_CONTROL_VERSION, p->n_areas, p->n_words };
  int old = cab_pauses_open (p->part, p->control->pause, &old_header);
  int error = old < 0 && old != -ENOENT ? old : transfer (fd, &header, sizeof header, 0, true);
  void *cursor = NULL;
  uint32_t number;
  /* Set its full length, so that areas that do not exist are zero. */
  if (error == 0 && ftruncate (fd, sizeof header + (off_t) p->n_areas * p->n_words * 8) < 0)
    error = -errno;
  for (const uint64_t *counters; error == 0 && (counters = p->next (p->host, &cursor, &number));)
    if (number < p->n_areas)
      error = write_area (p, fd, old, &old_header, number, counters, pause);
  if (old >= 0)
    close (old);
  return error;
}

int
cab_pauses_change (const struct cab_pauses *p, bool pause)
{
  struct cab_part_control *c = p->control;
  static char path[PATH_BYTES];
  uint64_t n = c->pause >> 1, now = clock_ns (CLOCK_REALTIME);
  if ((c->pause & CAB_CONTROL_PAUSED) == pause)
    return 1;
  int error = name_table (path, p->part, n + 1);
  if (error < 0)
    return error;
  (void) unlink (path);   /* left by a process that was killed before it set `pause' */
  int fd = open_file (path, O_RDWR | O_CREAT | O_EXCL, 0666);
  if (fd < 0)
    return fd;
  error = write_table (p, fd, pause);
  close (fd);
  if (error < 0)
    {
      (void) unlink (path);
      return error;
    }
  if (pause)
    {
      c->n_pauses++;
      c->since_ns = now;
    }
  else
    c->paused_ns += now - c->since_ns;
  c->resume_ns = 0;
  __atomic_store_n (&c->pause, (n + 1) << 1 | pause, __ATOMIC_SEQ_CST);
  if (n && name_table (path, p->part, n) == 0)
    (void) unlink (path);
  return 0;
}
