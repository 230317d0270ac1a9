/* part.c - read one part of a profile.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/profile/part.h"
#include "analyses/base/diag.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <libiberty/libiberty.h>

#define MOST_BYTES (UINT64_C (1) << 44)

static int
read_all (const struct cab_part *part, void *to, uint64_t bytes, uint64_t offset,
	  struct cab_diag *diag)
{
  for (uint64_t done = 0; done < bytes;)
    {
      ssize_t n = pread (part->fd, (char *) to + done, bytes - done, offset + done);
      if (n < 0 && errno == EINTR)
	continue;
      if (n < 0)
	return cab_refuse (part->path, diag, "offset %" PRIu64 ": %s: check the disk",
			   offset + done, strerror (errno));
      if (n == 0)
	return cab_refuse (part->path, diag,
			   "ends at offset %" PRIu64 ", %" PRIu64
			   " bytes too early: the file is cut off, copy it again",
			   offset + done, bytes - done);
      done += n;
    }
  return 0;
}

/* Check the identity of the file, before any other field is trusted. */
static int
check_identity (const struct cab_part *part, struct cab_diag *diag)
{
  const struct cab_part_header *h = part->header;
  if (part->file_bytes < offsetof (struct cab_part_header, page_bytes)
      && strncmp (h->magic, CAB_PART_MAGIC, part->file_bytes) == 0)
    return cab_refuse (part->path, diag,
		       "ends at offset %" PRIu64
		       " within its mark: the file is cut off, copy it again",
		       part->file_bytes);
  if (memcmp (h->magic, CAB_PART_MAGIC, sizeof h->magic))
    return cab_refuse (
      part->path, diag,
      "is no part of a profile (no mark at offset 0): remove it from the directory");
  if (h->byte_order != CAB_PART_BYTE_ORDER)
    return cab_refuse (part->path, diag,
		       "was written on a machine of another byte order: read it there");
  if (h->version != CAB_PART_VERSION)
    return cab_refuse (
      part->path, diag,
      "has version %u, this cabprof reads version %u: use the cabprof that wrote it", h->version,
      CAB_PART_VERSION);
  if (h->header_bytes != sizeof *h)
    return cab_refuse (part->path, diag,
		       "offset 16: the header has %u bytes instead of %zu: the file is damaged",
		       h->header_bytes, sizeof *h);
  return 0;
}

static int
check_extents (const struct cab_part *part, struct cab_diag *diag)
{
  const struct cab_part_header *h = part->header;
  for (uint32_t i = 0; i < h->n_extents; i++)
    {
      const struct cab_extent *e = &h->extents[i];
      size_t at = offsetof (struct cab_part_header, extents) + i * sizeof *e;
      if (e->kind == CAB_EXT_FREE)
	continue;
      if (e->file_offset < sizeof *h || e->file_offset > part->file_bytes
	  || e->bytes > part->file_bytes - e->file_offset)
	return cab_refuse (part->path, diag,
			   "offset %zu: extent %u (%" PRIu64 " bytes at %" PRIu64
			   ") lies outside of the file's %" PRIu64
			   " bytes: the file is cut off or damaged, copy it again",
			   at, i, e->bytes, e->file_offset, part->file_bytes);
      if (e->area_offset > MOST_BYTES || !e->bytes)
	return cab_refuse (part->path, diag,
			   "offset %zu: extent %u (%" PRIu64 " bytes at %" PRIu64
			   " of its area) cannot be: the file is damaged",
			   at, i, e->bytes, e->area_offset);
    }
  return 0;
}

static int
by_area_offset (const void *a, const void *b)
{
  const struct cab_extent *x = *(const struct cab_extent *const *) a,
			  *y = *(const struct cab_extent *const *) b;
  return x->area_offset < y->area_offset ? -1 : x->area_offset > y->area_offset;
}

/* Collect the extents of an area in order; they must follow one another without a gap. */
static int
collect (const struct cab_part *part, unsigned kind, unsigned owner, const struct cab_extent **list,
	 uint64_t *bytes, struct cab_diag *diag)
{
  int n = 0;
  for (uint32_t i = 0; i < part->header->n_extents; i++)
    if (part->header->extents[i].kind == kind && part->header->extents[i].owner == owner)
      list[n++] = &part->header->extents[i];
  qsort (list, n, sizeof *list, by_area_offset);
  *bytes = 0;
  for (int i = 0; i < n; *bytes += list[i++]->bytes)
    if (list[i]->area_offset != *bytes)
      return cab_refuse (part->path, diag,
			 "area %u of kind %u has a gap at %" PRIu64 ": the file is damaged", owner,
			 kind, *bytes);
  if (*bytes > part->file_bytes)
    return cab_refuse (part->path, diag,
		       "area %u of kind %u is larger than the file: the file is damaged", owner,
		       kind);
  return n;
}

/* Return memory for BYTES bytes of an area and 8 zeros, aligned for all structures that areas hold;
   null if there is none. */
static unsigned char *
new_area (uint64_t bytes)
{
  size_t align = _Alignof (struct cab_ring_header);
  unsigned char *area = aligned_alloc (align, (bytes + 8 + align - 1) / align * align);
  if (area)
    memset (area + bytes, 0, 8);
  return area;
}

void *
cab_part_area (const struct cab_part *part, unsigned kind, unsigned owner, uint64_t *bytes,
	       struct cab_diag *diag)
{
  const struct cab_extent **list = XNEWVEC (const struct cab_extent *, part->header->n_extents + 1);
  unsigned char *copy = NULL;
  int n = collect (part, kind, owner, list, bytes, diag);
  if (n < 0)
    *bytes = 1;
  else if (n > 0 && !(copy = new_area (*bytes)))
    cab_refuse (part->path, diag,
		"no memory for an area of %" PRIu64 " bytes: free some, or the file is damaged",
		*bytes);
  for (int i = 0; copy && i < n; i++)
    if (read_all (part, copy + list[i]->area_offset, list[i]->bytes, list[i]->file_offset, diag)
	< 0)
      {
	free (copy);
	copy = NULL;
	*bytes = 1;
      }
  free (list);
  return copy;
}

int64_t
cab_part_next_owner (const struct cab_part *part, unsigned kind, uint32_t *cursor)
{
  while (*cursor < part->header->n_extents)
    {
      const struct cab_extent *e = &part->header->extents[(*cursor)++];
      if (e->kind == kind && !e->area_offset)
	return e->owner;
    }
  return -1;
}

/* Read a table of N rows of ROW bytes.  Return negative if the area is smaller. */
static int
read_table (const struct cab_part *part, unsigned kind, const char *name, uint32_t n, size_t row,
	    void *table, struct cab_diag *diag)
{
  uint64_t bytes;
  void *copy = cab_part_area (part, kind, 0, &bytes, diag);
  *(void **) table = copy;
  if (!copy && bytes)
    return -1;
  if (n > bytes / row)
    return cab_refuse (part->path, diag,
		       "the table of %s has %" PRIu64
		       " bytes, too few for the %u rows that the header names: "
		       "the file is damaged",
		       name, bytes, n);
  return 0;
}

static int
check_rows (const struct cab_part *part, struct cab_diag *diag)
{
  const struct cab_part_header *h = part->header;
  for (uint32_t i = 0; i < h->n_functions; i++)
    {
      const struct cab_part_function *f = &part->functions[i];
      if (f->module >= h->n_modules && f->module != UINT32_MAX)
	return cab_refuse (part->path, diag,
			   "function %u lies in module %u of %u: the file is damaged", i + 1,
			   f->module, h->n_modules);
      if (f->count_offset % 8 || f->count_offset > MOST_BYTES || f->n_counters > UINT32_MAX / 8)
	return cab_refuse (part->path, diag,
			   "function %u has its counters at %" PRIu64 ": the file is damaged",
			   i + 1, f->count_offset);
    }
  return 0;
}

/* Return field 22 of /proc/PID/stat, found after the command's name in parentheses, or 0 if there
   is no such process. */
static uint64_t
start_ticks (uint64_t pid)
{
  char name[64], text[1024];
  snprintf (name, sizeof name, "/proc/%" PRIu64 "/stat", pid);
  int fd = open (name, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return 0;
  ssize_t n = read (fd, text, sizeof text - 1);
  close (fd);
  text[n > 0 ? n : 0] = 0;
  const char *p = strrchr (text, ')');
  for (int field = 2; p && field < 22; field++)
    p = strchr (p + 1, ' ');
  return p ? strtoull (p, NULL, 10) : 0;
}

/* Return true if process PID has the file PATH mapped.  A process that has replaced its image by
   exec (2) has not, nor has one that is dead and not yet waited for.  Where the mappings may not be
   read, the answer is true. */
static bool
is_mapped (uint64_t pid, const char *path)
{
  char name[64], *line = NULL;
  size_t room = 0;
  bool found = false;
  const char *slash = strrchr (path, '/');
  snprintf (name, sizeof name, "/proc/%" PRIu64 "/maps", pid);
  FILE *maps = fopen (name, "re");
  if (!maps)
    return true;
  while (!found && getline (&line, &room, maps) > 0)
    found = strstr (line, slash ? slash + 1 : path) != NULL;
  free (line);
  fclose (maps);
  return found;
}

/* Read the header without the unused rows of its tables, which are most of it. */
static int
load_header (struct cab_part *part, struct cab_diag *diag)
{
  struct cab_part_header *h = part->header;
  const size_t front = offsetof (struct cab_part_header, arenas);
  if (read_all (part, h, front < part->file_bytes ? front : part->file_bytes, 0, diag) < 0
      || check_identity (part, diag) < 0)
    return -1;
  if (part->file_bytes < sizeof *h)
    return cab_refuse (part->path, diag,
		       "ends at offset %" PRIu64
		       " within its header of %zu bytes: the file is cut off, copy it again",
		       part->file_bytes, sizeof *h);
  if (h->n_extents > CAB_PART_EXTENTS || h->n_arenas > CAB_PART_ARENAS)
    return cab_refuse (part->path, diag,
		       "says that it has %u extents and %u arenas: the file is damaged",
		       h->n_extents, h->n_arenas);
  if (read_all (part, h->arenas, h->n_arenas * sizeof *h->arenas, front, diag) < 0
      || read_all (part, h->extents, h->n_extents * sizeof *h->extents,
		   offsetof (struct cab_part_header, extents), diag)
	   < 0)
    return -1;
  return check_extents (part, diag);
}

static int
load (struct cab_part *part, struct cab_diag *diag)
{
  struct cab_part_header *h = part->header;
  if (load_header (part, diag) < 0)
    return -1;
  part->strings = cab_part_area (part, CAB_EXT_STRINGS, 0, &part->strings_bytes, diag);
  if (!part->strings && part->strings_bytes)
    return -1;
  if (read_table (part, CAB_EXT_MODULES, "modules", h->n_modules, sizeof *part->modules,
		  &part->modules, diag)
	< 0
      || read_table (part, CAB_EXT_FUNCTIONS, "functions", h->n_functions, sizeof *part->functions,
		     &part->functions, diag)
	   < 0
      || read_table (part, CAB_EXT_THREADS, "threads", h->n_threads, sizeof *part->threads,
		     &part->threads, diag)
	   < 0)
    return -1;
  part->alive = h->state == CAB_PART_RUNNING && h->start_ticks
	     && start_ticks (h->pid) == h->start_ticks && is_mapped (h->pid, part->path);
  return check_rows (part, diag);
}

#define NO_FILE "is no regular file"

/* Return where the last N components of PATH begin. */
static const char *
last_components (const char *path, int n)
{
  const char *at = path + strlen (path);
  for (; at > path; at--)
    if (at[-1] == '/' && --n == 0)
      break;
  return at;
}

/* Open REST below the directory AT, and close AT.  Each component of REST but the last is a
   directory. */
static int
open_below (int at, char *rest)
{
  for (char *slash; at >= 0 && (slash = strchr (rest, '/')); rest = slash + 1)
    {
      *slash = 0;
      int next = openat (at, rest, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
      int error = errno;
      close (at);
      errno = error;
      at = next;
    }
  if (at < 0)
    return -1;
  /* O_NONBLOCK keeps the open from waiting where the file is no regular one. */
  int fd = openat (at, rest, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC),
      error = errno;
  close (at);
  errno = error;
  return fd;
}

int
cab_part_open_file (const char *path, int n, const char **wrong)
{
  struct stat st, profile = { .st_uid = geteuid () };
  const char *rest = last_components (path, n);
  char *top = xasprintf ("%.*s.", (int) (rest - path), path), *below = xstrdup (rest);
  int directory = open (top, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory >= 0)
    (void) fstat (directory, &profile);
  int fd = open_below (directory, below);
  *wrong = NULL;
  if (fd < 0)
    *wrong = errno == ELOOP || errno == ENOTDIR
	     ? "is, or lies below, a symbolic link, which is not followed"
	   : errno == ENXIO ? NO_FILE
	   : strerror (errno);
  else if (fstat (fd, &st) < 0 || !S_ISREG (st.st_mode))
    *wrong = NO_FILE;
  else if (st.st_uid != profile.st_uid && st.st_uid != geteuid () && st.st_uid != 0)
    *wrong = "belongs to another user than its profile";
  if (*wrong && fd >= 0)
    {
      close (fd);
      fd = -1;
    }
  free (top);
  free (below);
  return fd;
}

int
cab_part_open (struct cab_part *part, const char *path, struct cab_diag *diag)
{
  struct stat st;
  const char *wrong = NULL;
  *part = (struct cab_part) { .path = xstrdup (path), .fd = cab_part_open_file (path, 1, &wrong) };
  if (part->fd < 0 || fstat (part->fd, &st) < 0)
    {
      cab_refuse (path, diag, "%s: check what it is, and its permissions",
		  wrong ? wrong : strerror (errno));
      cab_part_close (part);
      return -1;
    }
  part->file_bytes = st.st_size;
  part->header = XCNEW (struct cab_part_header);
  if (load (part, diag) == 0)
    return 0;
  cab_part_close (part);
  return -1;
}

void
cab_part_close (struct cab_part *part)
{
  if (part->fd >= 0)
    close (part->fd);
  free (part->path);
  free (part->header);
  free (part->strings);
  free (part->modules);
  free (part->functions);
  free (part->threads);
  *part = (struct cab_part) { .fd = -1 };
}

const char *
cab_part_string (const struct cab_part *part, uint32_t offset)
{
  return offset < part->strings_bytes ? part->strings + offset : "";
}
