/* live_process.c - see live_process.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/profile/finish/live_process.h"
#include "analyses/base/diag.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <libiberty/libiberty.h>

int
cab_live_pid (const char *text)
{
  char *end;
  errno = 0;
  long pid = strtol (text, &end, 10);
  return *text < '0' || *text > '9' || *end || errno || pid < 1 || pid > INT32_MAX ? -1 : (int) pid;
}

static int
refuse (int pid, struct cab_diag *diag, const char *words)
{
  snprintf (diag->text, sizeof diag->text, "process %d: %s", pid, words);
  return -1;
}

/* Refuse because PID may not be inspected, or because there is nothing to inspect. */
static int
refuse_access (int pid, int error, struct cab_diag *diag)
{
  char name[64];
  struct stat s;
  snprintf (name, sizeof name, "/proc/%d", pid);
  if (stat (name, &s) < 0)
    return refuse (pid, diag, "there is none: `cabprof info' lists the processes of a profile");
  if (s.st_uid != geteuid () && geteuid () != 0)
    return refuse (pid, diag, "belongs to another user: control it as that user, or as root");
  return refuse (pid, diag,
		 error == EACCES || error == EPERM
		   ? "may not be looked at: it is not this user's, or set-uid, or in a sandbox"
		   : strerror (error));
}

/* The state of a process, from /proc/PID/status. */
struct status
{
  char state;                /* Z or X: it has ended */
  int process;               /* the process that the thread belongs to */
  int inner;                 /* its number in the innermost namespace */
};

static struct status
read_status (int pid)
{
  struct status s = { '?', pid, pid };
  char name[64], *line = NULL;
  size_t room = 0;
  snprintf (name, sizeof name, "/proc/%d/status", pid);
  FILE *file = fopen (name, "re");
  while (file && getline (&line, &room, file) > 0)
    {
      const char *last = strrchr (line, '\t');
      if (!strncmp (line, "State:", 6) && last)
	s.state = last[1];
      else if (!strncmp (line, "Tgid:", 5) && last)
	s.process = atoi (last);
      else if (!strncmp (line, "NSpid:", 6) && last)
	s.inner = atoi (last);
    }
  free (line);
  if (file)
    fclose (file);
  return s;
}

/* Refuse with the reason why PID has no part of its own mapped. */
static int
refuse_partless (int pid, struct cab_diag *diag)
{
  const struct status s = read_status (pid);
  char words[200];
  if (s.state == 'Z' || s.state == 'X')
    return refuse (
      pid, diag,
      "has ended, and its parent has not waited for it yet: `cabprof report' shows its profile");
  if (s.process != pid)
    snprintf (words, sizeof words, "is a thread of process %d: give the number of the process",
	      s.process);
  else if (s.inner != pid)
    snprintf (words, sizeof words,
	      "is process %d of a pid namespace of its own: control it from there, as by nsenter "
	      "-t %d -p -m",
	      s.inner, pid);
  else
    return refuse (pid, diag,
		   "is not profiled: it was not compiled with cabprof-gcc, runs with "
		   "CABPROF_OPTIONS=off, or its part has been removed");
  return refuse (pid, diag, words);
}

/* Return the path in LINE of /proc/PID/maps if it is that of PID's part, else null. */
static const char *
part_in (char *line, int pid)
{
  char prefix[32];
  char *path = strchr (line, '/'), *end = strchr (line, '\n');
  size_t n = strlen (CAB_PART_SUFFIX);
  if (!path || !end)
    return NULL;
  *end = 0;
  snprintf (prefix, sizeof prefix, "%d-", pid);
  return end - path > (ptrdiff_t) n && !strcmp (end - n, CAB_PART_SUFFIX)
	  && !strncmp (lbasename (path), prefix, strlen (prefix))
	 ? path
	 : NULL;
}

char *
cab_live_part (int pid, struct cab_diag *diag)
{
  char name[64], *line = NULL, *found = NULL;
  size_t room = 0;
  snprintf (name, sizeof name, "/proc/%d/maps", pid);
  FILE *maps = fopen (name, "re");
  if (!maps)
    {
      refuse_access (pid, errno, diag);
      return NULL;
    }
  errno = 0;
  while (!found && getline (&line, &room, maps) > 0)
    {
      const char *path = part_in (line, pid);
      found = path ? xstrdup (path) : NULL;
    }
  int error = errno;
  free (line);
  fclose (maps);
  if (!found && error)
    refuse_access (pid, error, diag);
  else if (!found)
    refuse_partless (pid, diag);
  return found;
}

static void *
map (const struct cab_live_process *live, uint64_t at, size_t bytes)
{
  void *p = mmap (NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, live->fd, at);
  return p == MAP_FAILED ? NULL : p;
}

static void
unmap_rings (struct cab_live_process *live)
{
  for (uint32_t i = 0; i < live->n_rings; i++)
    munmap (live->rings[i], CAB_RING_HEADER_BYTES);
  free (live->rings);
  live->rings = NULL;
  live->n_rings = 0;
}

static void
map_extent (struct cab_live_process *live, const struct cab_extent *e)
{
  if (e->area_offset || e->bytes < CAB_RING_HEADER_BYTES || e->file_offset % CAB_RING_HEADER_BYTES)
    return;
  if (e->kind == CAB_EXT_CONTROL && !live->control)
    live->control = map (live, e->file_offset, CAB_RING_HEADER_BYTES);
  struct cab_ring_header *h = e->kind == CAB_EXT_RING
			      ? map (live, e->file_offset, CAB_RING_HEADER_BYTES)
			      : NULL;
  if (!h)
    return;
  live->rings = XRESIZEVEC (struct cab_ring_header *, live->rings, live->n_rings + 1);
  live->rings[live->n_rings++] = h;
}

int
cab_live_look (struct cab_live_process *live, struct cab_diag *diag)
{
  unmap_rings (live);
  if (live->part.path)
    cab_part_close (&live->part);
  if (cab_part_open (&live->part, live->path, diag) < 0)
    return -1;
  if ((int) live->part.header->pid != live->pid || !live->part.alive)
    return refuse (live->pid, diag,
		   "has ended, or is another one than that of the part that it has mapped");
  for (uint32_t i = 0; i < live->part.header->n_extents; i++)
    map_extent (live, &live->part.header->extents[i]);
  if (!live->control || live->control->version != CAB_CONTROL_VERSION)
    return refuse (live->pid, diag,
		   "runs with another version of cabprof, which cannot be controlled by this one");
  return 0;
}

int
cab_live_open (struct cab_live_process *live, int pid, struct cab_diag *diag)
{
  *live = (struct cab_live_process) { .pid = pid, .fd = -1, .path = cab_live_part (pid, diag) };
  if (!live->path)
    return -1;
  live->fd = open (live->path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  if (live->fd < 0)
    return errno == EACCES || errno == EPERM
	   ? refuse_access (pid, errno, diag)
	   : cab_refuse (live->path, diag, "%s", strerror (errno));
  return cab_live_look (live, diag);
}

void
cab_live_fini (struct cab_live_process *live)
{
  unmap_rings (live);
  if (live->control)
    munmap (live->control, CAB_RING_HEADER_BYTES);
  if (live->part.path)
    cab_part_close (&live->part);
  if (live->fd >= 0)
    close (live->fd);
  free (live->path);
}
