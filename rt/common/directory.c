/* directory.c - see directory.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/common/directory.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rt/common/sys.h"
#include "rt/common/text.h"

static uid_t owner;

void
cab_directory_start (void)
{
  owner = geteuid ();
}

static const char *
wrong_type (mode_t type)
{
  return type == S_IFDIR ? "is no directory" : "is no regular file";
}

/* Describe in *WRONG why opening NAME in AT as a TYPE failed with ERROR.  Return ERROR. */
static int
explain (int at, const char *name, mode_t type, int error, const char **wrong)
{
  struct stat s;
  *wrong = NULL;
  if (error == -ENOENT || fstatat (at, name, &s, AT_SYMLINK_NOFOLLOW) < 0)
    return error;
  if (S_ISLNK (s.st_mode))
    *wrong = "is a symbolic link, which is not followed";
  else if ((s.st_mode & S_IFMT) != type)
    *wrong = wrong_type (type);
  return error;
}

/* Return FD if it is a TYPE that belongs to the owner, else close it and return -errno. */
static int
check (int fd, mode_t type, const char **wrong)
{
  struct stat s;
  int error = fstat (fd, &s) < 0 ? -errno : 0;
  *wrong = NULL;
  if (error == 0 && (s.st_mode & S_IFMT) != type)
    {
      *wrong = wrong_type (type);
      error = -EINVAL;
    }
  else if (error == 0 && s.st_uid != owner)
    {
      *wrong = "belongs to another user";
      error = -EPERM;
    }
  if (error == 0)
    return fd;
  close (fd);
  return error;
}

int
cab_directory_enter (int at, const char *name, bool make, const char **wrong)
{
  *wrong = NULL;
  if (make && mkdirat (at, name, 0777) < 0 && errno != EEXIST)
    return -errno;
  int fd = cab_sys_open_at (at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW, 0);
  return fd < 0 ? explain (at, name, S_IFDIR, fd, wrong) : check (fd, S_IFDIR, wrong);
}

int
cab_directory_parent (const char *dir, const char **name)
{
  char path[CAB_PATH_BYTES];
  struct cab_text t = CAB_TEXT (path);
  const char *slash = strrchr (dir, '/'), *last = slash ? slash + 1 : dir;
  cab_text_add_bytes (&t, dir, last - dir);
  cab_text_add (&t, ".");
  *name = *last ? last : ".";
  return t.cut ? -ENAMETOOLONG : cab_sys_open_at (AT_FDCWD, path, O_RDONLY | O_DIRECTORY, 0);
}

int
cab_directory_open (const char *dir, const char **wrong)
{
  return cab_directory_enter (AT_FDCWD, dir, false, wrong);
}

/* Open without blocking, in case the file is not a regular one. */
int
cab_directory_file (int at, const char *name, const char **wrong)
{
  int fd = cab_sys_open_at (at, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0);
  return fd < 0 ? explain (at, name, S_IFREG, fd, wrong) : check (fd, S_IFREG, wrong);
}

int
cab_directory_records (const char *dir, const char *key, const char **wrong)
{
  char name[256];
  struct cab_text t = CAB_TEXT (name);
  cab_text_add (&t, key);
  cab_text_add (&t, ".info");
  int top = cab_directory_open (dir, wrong);
  if (top < 0)
    return top;
  int modules = cab_directory_enter (top, CAB_MODULES_DIRECTORY, false, wrong);
  close (top);
  if (modules < 0)
    return modules;
  int fd = t.cut ? -ENAMETOOLONG : cab_directory_file (modules, name, wrong);
  close (modules);
  return fd;
}
