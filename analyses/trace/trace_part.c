/* trace_part.c - see trace_part.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/trace/trace_part.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <libiberty/libiberty.h>
#include "cabprof/profile.h"

#define PAGE_BYTES 4096u

struct file
{
  int fd, error;
  struct cab_part_header *header;
};

static void
write_at (struct file *f, const void *bytes, size_t n, uint64_t offset)
{
  for (size_t done = 0; done < n && !f->error;)
    {
      ssize_t part = pwrite (f->fd, (const char *) bytes + done, n - done, offset + done);
      if (part < 0 && errno != EINTR)
	f->error = errno;
      else if (part > 0)
	done += part;
    }
}

/* Put an area as one extent. */
static void
put_area (struct file *f, enum cab_extent_kind kind, uint32_t owner, const void *bytes, uint64_t n)
{
  struct cab_part_header *h = f->header;
  uint64_t room = (n + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
  if (!room || f->error)
    return;
  if (h->n_extents == CAB_PART_EXTENTS)
    {
      f->error = ENOSPC;
      return;
    }
  h->extents[h->n_extents++] = (struct cab_extent) {
    .kind = kind, .owner = owner, .file_offset = h->file_bytes, .bytes = room
  };
  write_at (f, bytes, n, h->file_bytes);
  h->file_bytes += room;
}

/* Append TEXT to the strings of P.  Return its offset. */
static uint32_t
add_string (struct cab_trace_process *p, const char *text)
{
  uint64_t at = p->part.strings_bytes ? p->part.strings_bytes : 1, n = strlen (text) + 1;
  p->part.strings = xrealloc (p->part.strings, at + n);
  if (at > p->part.strings_bytes)
    p->part.strings[0] = 0;
  memcpy (p->part.strings + at, text, n);
  p->part.strings_bytes = at + n;
  return at;
}

static void
put_arenas (struct file *f, struct cab_trace_process *p, const struct cab_finish *finish)
{
  struct cab_part_header *h = f->header;
  for (uint32_t i = 0; i < finish->n_arenas && i < CAB_PART_ARENAS; i++)
    {
      const struct cab_finish_arena *a = &finish->arenas[i];
      h->arenas[i] = (struct cab_part_arena) { .analysis = add_string (p, a->analysis->name),
					       .present = a->present,
					       .thread = a->thread,
					       .ring = a->ring,
					       .used_bytes = a->arena.used };
      put_area (f, CAB_EXT_ARENA, i, a->arena.base, a->arena.used);
      h->n_arenas = i + 1;
    }
  if (finish->n_arenas > CAB_PART_ARENAS)
    f->error = ENOSPC;
}

/* Set LEDGER to the counts of events as if the analyses of FINISH had run in the process. */
static void
settle_ledger (struct cab_ledger *ledger, const struct cab_finish *finish, uint64_t words)
{
  ledger->enqueued = words;
  ledger->analysed = finish->n_finished;
  ledger->raw_words = finish->n_raw;
  ledger->accesses = finish->n_accesses;
  ledger->dropped[CAB_DROP_UNWANTED] = finish->n_unwanted;
  ledger->dropped[CAB_DROP_NO_MEMORY] = ledger->inline_ns = 0;
  if (ledger->dropped[CAB_DROP_UNREGISTERED] < finish->n_unregistered)
    ledger->dropped[CAB_DROP_UNREGISTERED] = finish->n_unregistered;
}

static void
put_part (struct file *f, struct cab_trace_process *p, const struct cab_finish *finish,
	  uint64_t words)
{
  struct cab_part_header *h = f->header;
  memcpy (h, p->part.header, CAB_TRACE_HEADER_BYTES);
  h->header_bytes = sizeof *h;
  h->file_bytes = (sizeof *h + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
  h->n_rings = h->n_arenas = h->n_extents = 0;
  char *options = xasprintf ("%s:analyses=%s", cab_part_string (&p->part, h->options),
			     finish->analyses);
  h->options = add_string (p, options);
  free (options);
  settle_ledger (&h->ledger, finish, words);
  put_arenas (f, p, finish);
  put_area (f, CAB_EXT_STRINGS, 0, p->part.strings, p->part.strings_bytes);
  put_area (f, CAB_EXT_MODULES, 0, p->part.modules, p->bytes[CAB_EXT_MODULES]);
  put_area (f, CAB_EXT_FUNCTIONS, 0, p->part.functions, p->bytes[CAB_EXT_FUNCTIONS]);
  put_area (f, CAB_EXT_THREADS, 0, p->part.threads, p->bytes[CAB_EXT_THREADS]);
  for (uint32_t i = 0; i < p->n_counts; i++)
    put_area (f, CAB_EXT_COUNTS, p->counts[i].owner, p->counts[i].base, p->counts[i].bytes);
  if (!f->error && ftruncate (f->fd, h->file_bytes) < 0)
    f->error = errno;
  write_at (f, h, offsetof (struct cab_part_header, arenas) + h->n_arenas * sizeof *h->arenas, 0);
  write_at (f, h->extents, h->n_extents * sizeof *h->extents,
	    offsetof (struct cab_part_header, extents));
}

/* Write the records of P's modules, except those that exist already. */
static int
write_records (const char *dir, const struct cab_trace_process *p)
{
  struct file f = { .error = 0 };
  for (uint32_t i = 0; i < p->n_info && !f.error; i++)
    {
      const char *key = cab_part_string (&p->part, p->part.modules[i].key);
      if (!p->info[i].path || !*key || strchr (key, '/') || strlen (key) > 200)
	continue;
      char *path = xasprintf ("%s/modules/%s.info", dir, key);
      f.fd = open (path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      if (f.fd >= 0)
	{
	  write_at (&f, p->info[i].text, p->info[i].bytes, 0);
	  if (close (f.fd) < 0 && !f.error)
	    f.error = errno;
	}
      else if (errno != EEXIST)
	f.error = errno;
      free (path);
    }
  return -f.error;
}

int
cab_trace_part_write (const char *dir, struct cab_trace_process *p, const struct cab_finish *finish,
		      uint64_t words)
{
  const struct cab_part_header *h = p->part.header;
  char *path = xasprintf ("%s/%" PRIu64 "-%" PRIx64 CAB_PART_SUFFIX, dir, h->pid,
			  h->start_realtime_ns);
  struct file f = { .fd = open (path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666) };
  if (f.fd < 0)
    f.error = errno;
  else
    {
      f.header = XCNEW (struct cab_part_header);
      put_part (&f, p, finish, words);
      free (f.header);
      if (close (f.fd) < 0 && !f.error)
	f.error = errno;
      if (f.error)
	unlink (path);
    }
  free (path);
  return f.error ? -f.error : write_records (dir, p);
}
