/* maps.c - which file's bytes are mapped where, in each process.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/binary/maps.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>

void
cab_maps_init (struct cab_maps *maps)
{
  *maps = (struct cab_maps) { .room_processes = 64 };
  maps->processes = xcalloc (maps->room_processes, sizeof *maps->processes);
}

void
cab_maps_fini (struct cab_maps *maps)
{
  for (uint32_t i = 0; i < maps->n_files; i++)
    free (maps->files[i].path);
  for (uint32_t i = 0; i < maps->room_processes; i++)
    free (maps->processes[i].mappings);
  free (maps->files);
  free (maps->processes);
}

/* Return PID's slot in TABLE, or the free one where it belongs. */
static struct cab_map_process *
slot_of (struct cab_map_process *table, uint32_t room, uint32_t pid)
{
  uint32_t i = pid * 2654435761u % room;
  while (table[i].used && table[i].pid != pid)
    i = (i + 1) % room;
  return &table[i];
}

static struct cab_map_process *
process_of (struct cab_maps *maps, uint32_t pid)
{
  struct cab_map_process *p = slot_of (maps->processes, maps->room_processes, pid);
  if (p->used)
    return p;
  if (2 * ++maps->n_processes > maps->room_processes)
    {
      uint32_t room = 2 * maps->room_processes;
      struct cab_map_process *table = xcalloc (room, sizeof *table);
      for (uint32_t i = 0; i < maps->room_processes; i++)
	if (maps->processes[i].used)
	  *slot_of (table, room, maps->processes[i].pid) = maps->processes[i];
      free (maps->processes);
      maps->processes = table;
      maps->room_processes = room;
      p = slot_of (table, room, pid);
    }
  p->used = true;
  p->pid = pid;
  return p;
}

static uint32_t
file_of (struct cab_maps *maps, const char *path, uint64_t start, uint64_t offset)
{
  for (uint32_t i = maps->n_files; i-- > 0;)
    if (!strcmp (maps->files[i].path, path))
      return i;
  if (maps->n_files == maps->room_files)
    maps->files = XRESIZEVEC (struct cab_map_file, maps->files,
			      maps->room_files = 2 * maps->room_files + 16);
  maps->files[maps->n_files] = (struct cab_map_file) { xstrdup (path), start, offset };
  return maps->n_files++;
}

static void
push (struct cab_map_process *p, struct cab_mapping mapping)
{
  if (p->n == p->room)
    p->mappings = XRESIZEVEC (struct cab_mapping, p->mappings, p->room = 2 * p->room + 16);
  p->mappings[p->n++] = mapping;
}

/* Remove [START, END) from P's mappings; what extends beyond it stays. */
static void
cut (struct cab_map_process *p, uint64_t start, uint64_t end)
{
  struct cab_map_process rest = { 0 };
  for (uint32_t i = 0; i < p->n; i++)
    {
      struct cab_mapping m = p->mappings[i];
      if (m.end <= start || m.start >= end)
	push (&rest, m);
      else
	{
	  if (m.start < start)
	    push (&rest, (struct cab_mapping) { m.start, start, m.offset, m.file });
	  if (m.end > end)
	    push (&rest, (struct cab_mapping) { end, m.end, m.offset + (end - m.start), m.file });
	}
    }
  free (p->mappings);
  p->mappings = rest.mappings;
  p->n = rest.n;
  p->room = rest.room;
}

static bool
is_file (const char *path)
{
  return (*path == '/' && path[1] != '/' && strncmp (path, "/memfd:", 7)
	  && strncmp (path, "/dev/zero", 9) && strncmp (path, "/SYSV", 5))
      || !strcmp (path, "[vdso]");
}

void
cab_maps_add (struct cab_maps *maps, uint32_t pid, uint64_t start, uint64_t bytes, uint64_t offset,
	      const char *path)
{
  struct cab_map_process *p = process_of (maps, pid);
  uint64_t end = bytes > UINT64_MAX - start ? UINT64_MAX : start + bytes;
  if (!bytes)
    return;
  cut (p, start, end);
  if (!maps->all && !is_file (path))
    return;
  uint32_t file = file_of (maps, path, start, offset);
  if (!p->program && is_file (path))
    p->program = file + 1;
  push (p, (struct cab_mapping) { start, end, offset, file });
  for (uint32_t i = p->n - 1; i > 0 && p->mappings[i - 1].start > p->mappings[i].start; i--)
    {
      struct cab_mapping m = p->mappings[i];
      p->mappings[i] = p->mappings[i - 1];
      p->mappings[i - 1] = m;
    }
}

void
cab_maps_add_line (struct cab_maps *maps, uint32_t pid, const char *line)
{
  uint64_t start, end, offset;
  char access[8];
  int path = 0;
  if (sscanf (line, "%" SCNx64 "-%" SCNx64 " %7s %" SCNx64 " %*s %*s %n", &start, &end, access,
	      &offset, &path)
	< 4
      || access[2] != 'x' || !path || end <= start)
    return;
  char *name = xstrndup (line + path, strcspn (line + path, "\n"));
  cab_maps_add (maps, pid, start, end - start, offset, name);
  free (name);
}

void
cab_maps_fork (struct cab_maps *maps, uint32_t pid, uint32_t parent)
{
  if (pid == parent)
    return;
  struct cab_map_process *child = process_of (maps, pid), *from = process_of (maps, parent);
  child = process_of (maps, pid);   /* the table may have been replaced by a larger one */
  child->n = 0;
  child->program = from->program;
  for (uint32_t i = 0; i < from->n; i++)
    push (child, from->mappings[i]);
}

void
cab_maps_clear (struct cab_maps *maps, uint32_t pid)
{
  struct cab_map_process *p = process_of (maps, pid);
  p->n = p->program = 0;
}

uint32_t
cab_maps_program (const struct cab_maps *maps, uint32_t pid)
{
  const struct cab_map_process *p = slot_of (maps->processes, maps->room_processes, pid);
  return p->used && p->program ? p->program - 1 : CAB_MAPS_NO_FILE;
}

const struct cab_mapping *
cab_maps_from (const struct cab_maps *maps, uint32_t pid, uint64_t address, uint32_t *below)
{
  const struct cab_map_process *p = slot_of (maps->processes, maps->room_processes, pid);
  uint32_t low = 0, n = p->used ? p->n : 0, high = n;
  while (low < high)
    {
      uint32_t middle = (low + high) / 2;
      if (address < p->mappings[middle].end)
	high = middle;
      else
	low = middle + 1;
    }
  *below = low;
  return low < n ? &p->mappings[low] : NULL;
}

uint32_t
cab_maps_find (const struct cab_maps *maps, uint32_t pid, uint64_t address, uint64_t *offset)
{
  uint32_t below;
  const struct cab_mapping *m = cab_maps_from (maps, pid, address, &below);
  if (!m || address < m->start)
    return CAB_MAPS_NO_FILE;
  *offset = m->offset + (address - m->start);
  return m->file;
}
