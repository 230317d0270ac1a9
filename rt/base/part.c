/* part.c - see part.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/base/part.h"
#include "rt/base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rt/common/directory.h"
#include "rt/common/text.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23   /* Linux 5.14; older kernels refuse it */
#endif

#define FETCH_MOST (8u << 20)      /* bytes at an area's beginning that are fetched */
#define MAPPED_BYTES (256u << 10)
#define MAPPED_NS 45000u          /* where it takes longer the kernel maps page by page */
#define FETCH_RING (136u << 10)   /* the header and the first fill of the first chunk, with spare
				     slots; the rest is fetched only when needed: many threads send
				     little */
#define MANY_OWNERS 256u
#define FETCH_LITTLE (8u << 10)
#define HEADER_MAP_BYTES cab_round_up (sizeof (struct cab_part_header), CAB_PAGE_BYTES)

/* Bring the zeros of [OFFSET, OFFSET + BYTES) of FD, which has blocks there, into memory in few
   large pieces: first stores to each page through a mapping take ten times as long, or also read
   ahead. */
static void
fetch (int fd, uint64_t offset, uint64_t bytes)
{
  if (cab_sys_may_reach (offset + bytes) == 0)
    (void) !cab_sys_write_zeros (fd, offset, bytes);
}

/* Give blocks to the bytes [*BACKED, END) of the table of BYTES bytes at BASE of the header, and
   set *BACKED.  Both tables are long, and few processes fill them. */
static int
back_table (int fd, size_t base, size_t bytes, uint32_t *backed, size_t end)
{
  if (end <= *backed)
    return 0;
  size_t from = (base + *backed) / CAB_PAGE_BYTES * CAB_PAGE_BYTES;
  size_t to = cab_round_up (base + end, CAB_PAGE_BYTES);
  int error = cab_sys_allocate (fd, from, to - from);
  if (error == 0)
    {
      /* Do not overwrite what the first page has before the table, nor what the last one has of the
	 next table. */
      size_t own = (base + bytes) / CAB_PAGE_BYTES * CAB_PAGE_BYTES;
      if (*backed && from < own)
	fetch (fd, from, (to < own ? to : own) - from);
      *backed = to - base;
    }
  return error;
}

/* Give blocks to the first N extents. */
static int
back_extents (struct cab_part_file *part, int fd, uint32_t n)
{
  return back_table (fd, offsetof (struct cab_part_header, extents), sizeof part->header->extents,
		     &part->extents_backed, n * sizeof (struct cab_extent));
}

/* Make BYTES of the mapping at AT writable without faults; their zeros are in memory.  Some kernels
   map many pages at once, unless the first access to them is a load: continue as long as the clock
   shows that. */
static void
map_now (unsigned char *at, uint64_t bytes)
{
  while (bytes >= MAPPED_BYTES)
    {
      uint64_t start = cab_monotonic_ns ();
      if (madvise (at, MAPPED_BYTES, MADV_POPULATE_WRITE) < 0
	  || cab_monotonic_ns () - start > MAPPED_NS)
	return;
      at += MAPPED_BYTES;
      bytes -= MAPPED_BYTES;
    }
}

static int
open_part (const struct cab_part_file *part)
{
  int fd = cab_sys_open (part->path, O_RDWR | O_NOFOLLOW, 0);
  if (fd < 0)
    return fd;
  struct stat s;
  if (fstat (fd, &s) == 0 && s.st_dev == part->dev && s.st_ino == part->ino)
    return fd;
  close (fd);
  return -ESTALE;
}

/* Name the part by the present time.  Return where its name begins in its path. */
static char *
name_part (struct cab_part_file *part, char *new_name, size_t bytes)
{
  struct cab_text t = CAB_TEXT (part->path), name = { new_name, 0, bytes, 0 };
  part->pid = cab_sys_pid ();
  part->start = cab_realtime_ns ();
  cab_text_add (&t, part->dir);
  cab_text_add (&t, "/");
  char *at = part->path + t.n;
  cab_text_number (&t, part->pid, 10);
  cab_text_add (&t, "-");
  cab_text_number (&t, part->start, 16);
  cab_text_add (&name, at);
  cab_text_add (&name, CAB_PART_NEW_SUFFIX);
  cab_text_add (&t, CAB_PART_SUFFIX);
  return at;
}

/* Make the file NEW_NAME in DIRECTORY.  Return a descriptor, or -errno. */
static int
make_file (struct cab_part_file *part, int directory, const char *new_name)
{
  int fd = cab_sys_open_at (directory, new_name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0666);
  if (fd < 0)
    return fd;
  struct stat s;
  if (fstat (fd, &s) < 0 || ((s.st_mode & 0600) != 0600 && fchmod (fd, s.st_mode | 0600) < 0))
    {
      int error = -errno;
      close (fd);
      unlinkat (directory, new_name, 0);
      return error;
    }
  part->dev = s.st_dev;
  part->ino = s.st_ino;
  return fd;
}

static int
map_header (struct cab_part_file *part, int fd)
{
  if (cab_sys_may_reach (HEADER_MAP_BYTES) < 0)
    return -EFBIG;
  if (ftruncate (fd, HEADER_MAP_BYTES) < 0)
    return -errno;
  part->arenas_backed = part->extents_backed = part->n_free = 0;
  int error = cab_sys_allocate (
    fd, 0, cab_round_up (offsetof (struct cab_part_header, arenas), CAB_PAGE_BYTES));
  if (error == 0)
    error = back_extents (part, fd, 1);
  if (error < 0)
    return error;
  fetch (fd, 0, cab_round_up (offsetof (struct cab_part_header, arenas), CAB_PAGE_BYTES));
  fetch (fd, offsetof (struct cab_part_header, extents) / CAB_PAGE_BYTES * CAB_PAGE_BYTES,
	 CAB_PAGE_BYTES);
  void *p = mmap (part->header, HEADER_MAP_BYTES, PROT_READ | PROT_WRITE,
		  MAP_SHARED | (part->header ? MAP_FIXED : 0), fd, 0);
  if (p == MAP_FAILED)
    return -errno;
  part->header = p;
  return 0;
}

static void
fill_header (struct cab_part_file *part)
{
  struct cab_part_header *h = part->header;
  struct cab_sys_process self;
  h->version = CAB_PART_VERSION;
  h->byte_order = CAB_PART_BYTE_ORDER;
  h->header_bytes = sizeof *h;
  h->page_bytes = CAB_PAGE_BYTES;
  h->state = CAB_PART_RUNNING;
  h->file_bytes = HEADER_MAP_BYTES;
  h->pid = part->pid;
  h->ppid = getppid ();
  h->start_realtime_ns = part->start;
  if (cab_sys_process (part->pid, &self) == 0)
    h->start_ticks = self.start_ticks;
  cab_clock_begin (&h->ledger);
  /* Last: a reader that finds the magic finds a whole header. */
  uint64_t magic;
  memcpy (&magic, CAB_PART_MAGIC, sizeof magic);
  __atomic_store_n ((uint64_t *) h->magic, magic, __ATOMIC_RELEASE);
}

/* Return 1 if the part's path still names the part. */
static int
is_in_place (const struct cab_part_file *part)
{
  struct stat s;
  return lstat (part->path, &s) == 0 && s.st_dev == part->dev && s.st_ino == part->ino;
}

/* Rename the file NEW_NAME in DIRECTORY, whose header is whole, to NAME.  Return 0 or -errno. */
static int
publish (const struct cab_part_file *part, int directory, const char *new_name, const char *name)
{
  if (renameat (directory, new_name, directory, name) < 0)
    return -errno;
  if (is_in_place (part))
    return 0;
  unlinkat (directory, name, 0);
  return -ENOENT;
}

int
cab_part_create_in (struct cab_part_file *part, int directory)
{
  char new_name[64];
  const char *name = name_part (part, new_name, sizeof new_name);
  int fd = make_file (part, directory, new_name);
  if (fd < 0)
    return fd;
  int error = map_header (part, fd);
  close (fd);
  if (error == 0)
    {
      fill_header (part);
      error = publish (part, directory, new_name, name);
    }
  if (error < 0)
    unlinkat (directory, new_name, 0);
  return error;
}

int
cab_part_create (struct cab_part_file *part)
{
  const char *wrong;
  int directory = cab_directory_open (part->dir, &wrong);
  if (directory < 0)
    return directory;
  int error = cab_part_create_in (part, directory);
  close (directory);
  return error;
}

void
cab_part_remove (struct cab_part_file *part)
{
  if (is_in_place (part))
    unlink (part->path);
}

/* Make a new row for an extent of KIND.  Return its index, or -errno. */
static int
new_row (struct cab_part_file *part, int fd, unsigned kind)
{
  struct cab_part_header *h = part->header;
  /* Areas of threads leave half of the rows to the states. */
  if (h->n_extents >= (kind == CAB_EXT_COUNTS || kind == CAB_EXT_RING ? part->most_extents / 2
								      : part->most_extents))
    return -EOVERFLOW;
  int error = back_extents (part, fd, h->n_extents + 1);
  return error < 0 ? error : (int) h->n_extents;
}

/* Find the row for a new extent of BYTES: one that was given back, or a new one.  Return its index,
   or -errno. */
static int
find_row (struct cab_part_file *part, int fd, unsigned kind, uint64_t bytes)
{
  struct cab_part_header *h = part->header;
  for (uint32_t i = 0; i < h->n_extents && part->n_free; i++)
    if (h->extents[i].kind == CAB_EXT_FREE && h->extents[i].bytes == bytes)
      return i;
  return new_row (part, fd, kind);
}

/* Fill row I from E.  Its kind is stored last, and the number of rows after it. */
static void
fill_row (struct cab_part_header *h, uint32_t i, const struct cab_extent *e)
{
  struct cab_extent *row = &h->extents[i];
  row->owner = e->owner;
  row->file_offset = e->file_offset;
  row->area_offset = e->area_offset;
  row->bytes = e->bytes;
  __atomic_store_n (&row->kind, e->kind, __ATOMIC_RELEASE);
  if (i == h->n_extents)
    __atomic_store_n (&h->n_extents, i + 1, __ATOMIC_RELEASE);
}

/* Return nonzero if the file's last extent can be extended at its end, without a new row. */
static int
continues_last (const struct cab_part_header *h, unsigned kind, unsigned owner,
		uint64_t area_offset)
{
  if (h->n_extents == 0)
    return 0;
  const struct cab_extent *last = &h->extents[h->n_extents - 1];
  return last->kind == kind && last->owner == owner
      && last->area_offset + last->bytes == area_offset
      && last->file_offset + last->bytes == h->file_bytes;
}

/* Return where a new extent of BYTES that is mapped at AT begins: at FILE_BYTES or later; a large
   one where the file and the memory have the same alignment to large units, so that many pages can
   be mapped at once. */
static uint64_t
place (uint64_t file_bytes, const void *at, uint64_t bytes)
{
  return bytes < MAPPED_BYTES ? file_bytes
			      : file_bytes + ((uintptr_t) at - file_bytes) % MAPPED_BYTES;
}

/* Return how many of the BYTES bytes from AREA_OFFSET on will probably be used soon.  Large areas
   have tables, by numbers of which few occur; and of hundreds of threads most do little. */
static uint64_t
fetched_of (unsigned kind, unsigned owner, uint64_t area_offset, uint64_t bytes)
{
  uint64_t most = owner >= MANY_OWNERS ? FETCH_LITTLE
		: kind == CAB_EXT_RING ? FETCH_RING
		: area_offset < FETCH_MOST ? FETCH_MOST - area_offset
		: 0;
  return bytes < most ? bytes : most;
}

/* Give blocks to the first BACKED of the BYTES bytes at OFFSET.  FRESH: they lie beyond the file's
   end. */
static int
allocate (int fd, uint64_t offset, uint64_t bytes, uint64_t backed, int fresh)
{
  if (fresh && backed < bytes
      && (cab_sys_may_reach (offset + bytes) < 0 || ftruncate (fd, offset + bytes) < 0))
    return -EFBIG;
  return cab_sys_allocate (fd, offset, backed);
}

static int
append_to (struct cab_part_file *part, int fd, unsigned kind, unsigned owner, uint64_t area_offset,
	   uint64_t bytes, uint64_t backed, void *at)
{
  struct cab_part_header *h = part->header;
  int longer = continues_last (h, kind, owner, area_offset);
  int row = longer ? (int) h->n_extents - 1 : find_row (part, fd, kind, bytes);
  if (row < 0)
    return row;
  int fresh = longer || row == (int) h->n_extents;
  uint64_t offset = longer ? h->file_bytes
		  : fresh ? place (h->file_bytes, at, bytes)
		  : h->extents[row].file_offset;
  int error = allocate (fd, offset, bytes, backed, fresh);
  if (error < 0)
    return error;
  uint64_t fetched = fetched_of (kind, owner, area_offset, backed);
  fetch (fd, offset, fetched);
  if (mmap (at, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, offset) == MAP_FAILED)
    return -errno;
  if (kind != CAB_EXT_RING)
    map_now (at, fetched);
  if (fresh)
    h->file_bytes = offset + bytes;
  if (longer)
    {
      __atomic_store_n (&h->extents[row].bytes, h->extents[row].bytes + bytes, __ATOMIC_RELEASE);
      return 0;
    }
  part->n_free -= !fresh;
  fill_row (h, row, &(struct cab_extent) { kind, owner, offset, area_offset, bytes });
  return 0;
}

int
cab_part_append (struct cab_part_file *part, unsigned kind, unsigned owner, uint64_t area_offset,
		 uint64_t bytes, uint64_t backed, void *at)
{
  int fd = open_part (part);
  if (fd < 0)
    return fd;
  int error = append_to (part, fd, kind, owner, area_offset, bytes, backed, at);
  close (fd);
  return error;
}

/* Make the file of FD, which ends at OFFSET, BYTES longer and map them at AT.  Return 0 or
   -errno. */
static int
lengthen (int fd, uint64_t offset, uint64_t bytes, void *at)
{
  if (cab_sys_may_reach (offset + bytes) < 0)
    return -EFBIG;
  if (ftruncate (fd, offset + bytes) < 0)
    return -errno;
  return mmap (at, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, offset) == MAP_FAILED
	 ? -errno
	 : 0;
}

int
cab_part_lengthen (struct cab_part_file *part, uint64_t bytes, void *at, uint64_t *offset)
{
  struct cab_part_header *h = part->header;
  int fd = open_part (part);
  if (fd < 0)
    return fd;
  *offset = place (h->file_bytes, at, bytes);
  int error = lengthen (fd, *offset, bytes, at);
  if (error == 0)
    h->file_bytes = *offset + bytes;
  close (fd);
  return error;
}

int
cab_part_append_mapped (struct cab_part_file *part, unsigned kind, unsigned owner, uint64_t bytes,
			uint64_t backed, void *at, uint64_t offset)
{
  int fd = open_part (part);
  if (fd < 0)
    return fd;
  int row = new_row (part, fd, kind), error = row < 0 ? row : cab_sys_allocate (fd, offset, backed);
  if (error == 0)
    {
      uint64_t fetched = fetched_of (kind, owner, 0, backed);
      fetch (fd, offset, fetched);
      if (kind != CAB_EXT_RING)
	map_now (at, fetched);
      fill_row (part->header, row, &(struct cab_extent) { kind, owner, offset, 0, bytes });
    }
  close (fd);
  return error;
}

int
cab_part_map (struct cab_part_file *part, unsigned kind, unsigned owner, unsigned char *at)
{
  const struct cab_part_header *h = part->header;
  int error = 0, fd = open_part (part);
  if (fd < 0)
    return fd;
  for (uint32_t i = 0; i < h->n_extents && error == 0; i++)
    {
      const struct cab_extent *e = &h->extents[i];
      if (e->kind != kind || e->owner != owner)
	continue;
      void *p = mmap (at + e->area_offset, e->bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
		      fd, e->file_offset);
      error = p == MAP_FAILED ? -errno : 0;
    }
  close (fd);
  return error;
}

/* Return the first extent of KIND and OWNER, if it reaches to AREA_OFFSET + BYTES; else null. */
static const struct cab_extent *
first_of (const struct cab_part_file *part, unsigned kind, unsigned owner, uint64_t area_offset,
	  uint64_t bytes)
{
  const struct cab_part_header *h = part->header;
  uint32_t n = __atomic_load_n (&h->n_extents, __ATOMIC_ACQUIRE), i = 0;
  while (i < n
	 && (__atomic_load_n (&h->extents[i].kind, __ATOMIC_ACQUIRE) != kind
	     || h->extents[i].owner != owner))
    i++;
  return i < n && area_offset + bytes <= h->extents[i].bytes ? &h->extents[i] : NULL;
}

void
cab_part_fetch (struct cab_part_file *part, unsigned kind, unsigned owner, uint64_t area_offset,
		uint64_t bytes)
{
  const struct cab_extent *e = first_of (part, kind, owner, area_offset, bytes);
  int fd = e ? open_part (part) : -1;
  if (fd < 0)
    return;
  fetch (fd, e->file_offset + area_offset, bytes);
  close (fd);
}

int
cab_part_back (struct cab_part_file *part, unsigned kind, unsigned owner, uint64_t area_offset,
	       uint64_t bytes)
{
  const struct cab_extent *e = first_of (part, kind, owner, area_offset, bytes);
  int fd = e ? open_part (part) : -EINVAL;
  if (fd < 0)
    return fd;
  int error = cab_sys_allocate (fd, e->file_offset + area_offset, bytes);
  close (fd);
  return error;
}

void
cab_part_release (struct cab_part_file *part, unsigned kind, unsigned owner)
{
  struct cab_part_header *h = part->header;
  int fd = open_part (part);
  if (fd < 0)
    return;
  for (uint32_t i = 0; i < h->n_extents; i++)
    if (h->extents[i].kind == kind && h->extents[i].owner == owner)
      {
	__atomic_store_n (&h->extents[i].kind, CAB_EXT_FREE, __ATOMIC_RELEASE);
	part->n_free++;
	/* A file system that cannot punch holes keeps the blocks; nothing depends on it. */
	(void) !fallocate (fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
			   h->extents[i].file_offset, h->extents[i].bytes);
      }
  close (fd);
}

int
cab_part_back_arena (struct cab_part_file *part, unsigned i)
{
  size_t end = (i + 1) * sizeof (struct cab_part_arena);
  if (i >= part->most_arenas)
    return -EOVERFLOW;
  if (end <= part->arenas_backed)
    return 0;
  int fd = open_part (part);
  if (fd < 0)
    return fd;
  int error = back_table (fd, offsetof (struct cab_part_header, arenas),
			  sizeof part->header->arenas, &part->arenas_backed, end);
  close (fd);
  return error;
}
