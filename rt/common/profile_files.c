/* profile_files.c - see profile_files.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/common/profile_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cabprof/control.h"
#include "cabprof/profile.h"
#include "cabprof/trials.h"
#include "rt/common/directory.h"

#define MOST_TRIES 100
#define SNAPSHOTS "snapshots"

static int
begins_with (const char *name, const char *prefix)
{
  return strncmp (name, prefix, strlen (prefix)) == 0;
}

static int
ends_with (const char *name, const char *suffix)
{
  size_t n = strlen (name), m = strlen (suffix);
  return n > m && strcmp (name + n - m, suffix) == 0;
}

/* Read the directory straight from the kernel, since readdir allocates. */
int
cab_profile_each (int fd, int (*visit) (int fd, const char *name))
{
  _Alignas (8) char buffer[1024];
  long n;
  lseek (fd, 0, SEEK_SET);
  while ((n = syscall (SYS_getdents64, fd, buffer, sizeof buffer)) > 0)
    for (long at = 0; at < n; )
      {
	struct dirent64 *entry = (struct dirent64 *) (buffer + at);
	at += entry->d_reclen;
	if (strcmp (entry->d_name, ".") == 0 || strcmp (entry->d_name, "..") == 0)
	  continue;
	int result = visit (fd, entry->d_name);
	if (result)
	  return result;
      }
  return 0;
}

static int
is_regular (int fd, const char *name)
{
  struct stat s;
  return fstatat (fd, name, &s, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG (s.st_mode);
}

/* Return 1 if NAME in `modules' is neither records nor an unfinished copy of some. */
static int
is_no_record (int fd, const char *name)
{
  return !is_regular (fd, name) || !(name[0] == '.' || ends_with (name, ".info"));
}

bool
cab_profile_is_part (const char *name)
{
  return ends_with (name, CAB_PART_SUFFIX);
}

/* Return 1 if NAME is not a file that a process writes about itself. */
static int
is_no_part (int fd, const char *name)
{
  return !is_regular (fd, name)
      || !(cab_profile_is_part (name) || ends_with (name, CAB_PART_NEW_SUFFIX)
	   || ends_with (name, CAB_PAUSED_SUFFIX));
}

/* Return 1 if directory NAME in FD holds something that VISIT refuses, or cannot be read. */
static int
holds_other (int fd, const char *name, int (*visit) (int fd, const char *name))
{
  const char *wrong;
  int directory = cab_directory_enter (fd, name, false, &wrong);
  int result = directory < 0 || cab_profile_each (directory, visit);
  if (directory >= 0)
    close (directory);
  return result;
}

/* Return 1 if NAME is not a snapshot. */
static int
is_no_snapshot (int fd, const char *name)
{
  return holds_other (fd, name, is_no_part);
}

/* Return 1 if NAME is neither a file of a profile nor a directory of one that holds nothing
   else. */
static int
is_no_file (int fd, const char *name)
{
  if (strcmp (name, CAB_MODULES_DIRECTORY) == 0)
    return holds_other (fd, name, is_no_record);
  if (strcmp (name, SNAPSHOTS) == 0)
    return holds_other (fd, name, is_no_snapshot);
  return is_no_part (fd, name)
      && !(is_regular (fd, name)
	   && (strcmp (name, "run") == 0 || begins_with (name, "meta.json")
	       || begins_with (name, "samples.json") || begins_with (name, "loops.json")
	       || begins_with (name, "heap-") /* loopfb/preload/heap_log.h */
	       || begins_with (name, CAB_TRIALS_PREFIX)));
}

static int
is_no_file_or_tune (int fd, const char *name)
{
  return strcmp (name, "tune") != 0 && strcmp (name, "tune.old") != 0 && is_no_file (fd, name);
}

bool
cab_profile_is_all (int fd, bool tune)
{
  return !cab_profile_each (fd, tune ? is_no_file_or_tune : is_no_file);
}

/* Remove what VISIT removes in the directory NAME in FD, and the directory itself if it is empty
   after that. */
static void
remove_directory (int fd, const char *name, int (*visit) (int fd, const char *name))
{
  const char *wrong;
  int directory = cab_directory_enter (fd, name, false, &wrong);
  if (directory < 0)
    return;
  cab_profile_each (directory, visit);
  close (directory);
  unlinkat (fd, name, AT_REMOVEDIR);
}

static int
remove_record (int fd, const char *name)
{
  if (!is_no_record (fd, name))
    unlinkat (fd, name, 0);
  return 0;
}

static int
remove_part (int fd, const char *name)
{
  if (!is_no_part (fd, name))
    unlinkat (fd, name, 0);
  return 0;
}

static int
remove_snapshot (int fd, const char *name)
{
  remove_directory (fd, name, remove_part);
  return 0;
}

static int
remove_file (int fd, const char *name)
{
  if (strcmp (name, CAB_MODULES_DIRECTORY) == 0)
    remove_directory (fd, name, remove_record);
  else if (strcmp (name, SNAPSHOTS) == 0)
    remove_directory (fd, name, remove_snapshot);
  else if (!is_no_file (fd, name))
    unlinkat (fd, name, 0);
  return 0;
}

/* Repeat the removal as long as it helps: removing while reading may skip entries. */
void
cab_profile_remove (int parent, int fd, const char *name)
{
  for (int i = 0; i < MOST_TRIES; i++)
    {
      cab_profile_each (fd, remove_file);
      if (unlinkat (parent, name, AT_REMOVEDIR) == 0 || errno != ENOTEMPTY)
	return;
    }
}
