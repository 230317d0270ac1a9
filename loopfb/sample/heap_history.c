/* heap_history.c - see heap_history.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "loopfb/sample/heap_history.h"
#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <libiberty/libiberty.h>
#include "loopfb/preload/heap_log.h"

void
cab_heap_history_init (struct cab_heap_history *history)
{
  *history = (struct cab_heap_history) { .full = UINT64_MAX };
}

void
cab_heap_history_fini (struct cab_heap_history *history)
{
  free (history->events);
  cab_heap_history_init (history);
}

/* A log's file, mapped. */
struct file
{
  size_t bytes;
  struct cab_heap_header *header;      /* null: it is none */
  bool there;
};

static struct file
open_file (const char *directory, const char *name)
{
  struct file file = { .bytes = 0 };
  struct stat st;
  char *path = concat (directory, "/", name, NULL);
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  free (path);
  if (fd < 0)
    return file;
  file.there = true;
  if (fstat (fd, &st) == 0 && S_ISREG (st.st_mode) && st.st_size >= CAB_HEAP_HEADER_BYTES)
    {
      void *base = mmap (NULL, file.bytes = st.st_size, PROT_READ, MAP_SHARED, fd, 0);
      file.header = base == MAP_FAILED ? NULL : base;
    }
  close (fd);
  if (file.header && file.header->magic != CAB_HEAP_MAGIC)
    {
      munmap (file.header, file.bytes);
      file.header = NULL;
    }
  return file;
}

static void
close_file (struct file *file)
{
  if (file->header)
    munmap (file->header, file->bytes);
}

static void
add_event (struct cab_heap_history *history, const struct cab_heap_event *from)
{
  /* Acquire: pairs with the release of the process, which may still run. */
  uint32_t kind = __atomic_load_n (&from->kind, __ATOMIC_ACQUIRE);
  if (kind != CAB_HEAP_ALLOCATED && kind != CAB_HEAP_RELEASED)
    return;
  if (history->n == history->room)
    history->events = XRESIZEVEC (struct cab_block_event, history->events,
				  history->room = 2 * history->room + 1024);
  struct cab_block_event *event = &history->events[history->n];
  *event = (struct cab_block_event) { .time = from->time,
				      .began = from->time - from->took_ns,
				      .address = from->address,
				      .bytes = from->bytes,
				      .site = from->site,
				      .order = history->n,
				      .released = kind == CAB_HEAP_RELEASED };
  history->n++;
}

static void
add_file (struct cab_heap_history *history, const struct file *file, uint64_t until)
{
  const struct cab_heap_header *h = file->header;
  const struct cab_heap_event *event = (const struct cab_heap_event *) ((const char *) h
									+ CAB_HEAP_HEADER_BYTES);
  uint64_t n = (file->bytes - CAB_HEAP_HEADER_BYTES) / sizeof *event;
  n = h->n < n ? h->n : n;
  history->seen |= !h->own_allocator;
  if (h->full && h->full < history->full && h->full < until)
    history->full = h->full;
  for (uint64_t i = 0; i < n; i++)
    if (event[i].time < until)
      add_event (history, &event[i]);
}

void
cab_heap_history_read (struct cab_heap_history *history, const char *directory, uint32_t pid,
		       uint64_t from, uint64_t until)
{
  bool more = true;
  for (unsigned number = 0; more; number++)
    {
      char name[64];
      snprintf (name, sizeof name, CAB_HEAP_PREFIX "%" PRIu32 "-%u", pid, number);
      struct file file = open_file (directory, name);
      more = file.there && (!file.header || file.header->start < until);
      if (more && file.header && file.header->start >= from)
	add_file (history, &file, until);
      close_file (&file);
    }
}

/* Call VISIT with the names of the logs in DIRECTORY and with DATA. */
static void
each_log (const char *directory,
	  void (*visit) (const char *directory, const char *name, void *data), void *data)
{
  DIR *stream = opendir (directory);
  for (struct dirent *entry; stream && (entry = readdir (stream));)
    if (!strncmp (entry->d_name, CAB_HEAP_PREFIX, strlen (CAB_HEAP_PREFIX)))
      visit (directory, entry->d_name, data);
  if (stream)
    closedir (stream);
}

static void
add_lost (const char *directory, const char *name, void *data)
{
  uint64_t *lost = data;
  struct file file = open_file (directory, name);
  *lost += file.header ? file.header->lost : 0;
  close_file (&file);
}

uint64_t
cab_heap_history_lost (const char *directory)
{
  uint64_t lost = 0;
  each_log (directory, add_lost, &lost);
  return lost;
}

static void
remove_log (const char *directory, const char *name, void *data)
{
  (void) data;
  char *path = concat (directory, "/", name, NULL);
  unlink (path);
  free (path);
}

void
cab_heap_history_remove (const char *directory)
{
  each_log (directory, remove_log, NULL);
}
