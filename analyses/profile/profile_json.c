/* profile_json.c - see profile_json.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/profile/profile_json.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <libiberty/libiberty.h>
#include "analyses/profile/part.h"

bool
cab_profile_json_is_there (const char *path)
{
  struct stat st;
  return lstat (path, &st) == 0;
}

json_t *
cab_profile_json_read (const char *path, size_t flags, json_error_t *error, const char **wrong)
{
  *wrong = NULL;
  int fd = cab_part_open_file (path, 1, wrong);
  if (fd < 0)
    return NULL;
  json_t *root = json_loadfd (fd, flags, error);
  close (fd);
  return root;
}

int
cab_profile_json_write (const json_t *root, const char *path, size_t flags)
{
  char *temporary = concat (path, ".new", NULL);
  /* Remove the file of a writer that was killed before it renamed it. */
  (void) unlink (temporary);
  int fd = open (temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  errno = fd < 0 ? errno : 0;
  int result = fd < 0 ? -1 : json_dumpfd (root, fd, flags);
  if (fd >= 0 && close (fd) < 0)
    result = -1;
  if (result == 0)
    result = rename (temporary, path);
  if (result < 0 && fd >= 0)
    {
      int error = errno ? errno : EIO;
      unlink (temporary);
      errno = error;
    }
  free (temporary);
  return result;
}
