/* cmd_record_directory.c - create the directory of a profile, and move an older one aside.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/command/cmd_record.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <libiberty/libiberty.h>
#include "cabprof/profile.h"
#include "analyses/command/command.h"
#include "rt/common/directory.h"
#include "rt/common/profile_files.h"

static int
fail (const char *path, const char *what)
{
  cab_say ("%s: %s: choose another directory with -d", path, what);
  return -1;
}

/* Open the profile NAME in PARENT, which people know as PATH.  Return -1 if it was refused, -ENOENT
   if there is none. */
static int
open_profile (int parent, const char *name, const char *path, bool tune)
{
  const char *wrong;
  int fd = cab_directory_enter (parent, name, false, &wrong);
  if (fd == -ENOENT)
    return fd;
  if (fd < 0)
    return fail (path, wrong ? wrong : strerror (-fd));
  if (cab_profile_is_all (fd, tune))
    return fd;
  close (fd);
  return fail (path, "exists and is no profile");
}

/* Remove the profile NAME in PARENT, which people know as PATH, if it exists. */
static int
remove_old (int parent, const char *name, const char *path)
{
  int fd = open_profile (parent, name, path, false);
  if (fd < 0)
    return fd == -ENOENT ? 0 : -1;
  cab_profile_remove (parent, fd, name);
  close (fd);
  return 0;
}

/* Move what belongs to `cabprof tune' from OLD to NAME.  It is no part of a profile, and tuning may
   continue with it. */
static void
keep_of_tune (int parent, const char *old, const char *name)
{
  const char *wrong;
  int from = cab_directory_enter (parent, old, false, &wrong),
      to = cab_directory_enter (parent, name, false, &wrong);
  if (from >= 0 && to >= 0)
    {
      /* Directories that do not exist, or cannot be moved, stay with the older profile. */
      (void) !renameat (from, "tune", to, "tune");
      (void) !renameat (from, "tune.old", to, "tune.old");
    }
  if (from >= 0)
    close (from);
  if (to >= 0)
    close (to);
}

/* Create NAME in PARENT, which people know as DIR, empty except for what belongs to `cabprof tune'.
   What was there becomes DIR.old. */
static int
rotate (int parent, const char *name, const char *dir)
{
  char *old = concat (name, ".old", NULL), *old_path = concat (dir, ".old", NULL);
  int fd = open_profile (parent, name, dir, true), result = 0;
  if (fd >= 0)
    {
      close (fd);
      result = remove_old (parent, old, old_path);
      if (result == 0 && renameat (parent, name, parent, old) < 0)
	result = fail (dir, strerror (errno));
    }
  else if (fd != -ENOENT)
    result = -1;
  if (result == 0 && mkdirat (parent, name, 0777) < 0)
    result = fail (dir, strerror (errno));
  else if (result == 0 && fd >= 0)
    keep_of_tune (parent, old, name);
  free (old);
  free (old_path);
  return result;
}

int
cab_record_make_directory (struct cab_recording *run)
{
  const char *name;
  for (size_t n = strlen (run->dir); n > 1 && run->dir[n - 1] == '/';)
    run->dir[--n] = 0;
  cab_directory_start ();
  int parent = cab_directory_parent (run->dir, &name);
  if (parent < 0)
    return fail (run->dir, strerror (-parent));
  int result = rotate (parent, name, run->dir);
  close (parent);
  if (result < 0)
    return -1;
  run->path = realpath (run->dir, NULL);
  return run->path ? 0 : fail (run->dir, strerror (errno));
}

/* Return true if the process that left PATH reported that it could not write everything for lack of
   space. */
static bool
lacked_room (const char *path)
{
  struct cab_part_header *h = XCNEW (struct cab_part_header);
  const size_t front = offsetof (struct cab_part_header, arenas);
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  bool whole = fd >= 0 && pread (fd, h, front, 0) == (ssize_t) front
	    && !memcmp (h->magic, CAB_PART_MAGIC, sizeof h->magic)
	    && h->version == CAB_PART_VERSION;
  bool lacked = whole && h->ledger.dropped[CAB_DROP_DISK];
  if (fd >= 0)
    close (fd);
  free (h);
  return lacked;
}

bool
cab_record_has_parts (const char *dir, bool *full)
{
  DIR *stream = opendir (dir);
  bool found = false;
  for (struct dirent *entry; stream && (entry = readdir (stream));)
    if (strstr (entry->d_name, CAB_PART_SUFFIX))
      {
	char *path = concat (dir, "/", entry->d_name, NULL);
	*full |= lacked_room (path);
	found = true;
	free (path);
      }
  if (stream)
    closedir (stream);
  return found;
}
