/* rotate.c - see rotate.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/rotate.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cabprof/profile.h"
#include "rt/sys.h"
#include "rt/text.h"

#define RUN_BYTES 128
#define MAX_ANCESTORS 1000

/* Set P to the process that names this run; 0, or -1 where /proc does not tell. */
static int
find_run (struct cab_process *p)
{
  struct cab_process up;
  if (cab_sys_process (getpid (), p) < 0)
    return -1;
  int session = p->session;
  for (int i = 0; i < MAX_ANCESTORS && p->pid != session; i++)
    {
      if (p->parent <= 0 || cab_sys_process (p->parent, &up) < 0 || up.session != session)
	return 0;
      if (up.pid == session && p->group != session)
	return 0;
      *p = up;
    }
  return 0;
}

static void
run_text (char *out, size_t bytes)
{
  struct cab_text t = { out, 0, bytes, 0 };
  struct cab_process run;
  char boot[64];
  out[0] = '\0';
  if (find_run (&run) < 0)
    return;
  ssize_t n = cab_sys_read_file ("/proc/sys/kernel/random/boot_id", boot, sizeof boot);
  cab_text_add_bytes (&t, boot, n > 36 ? 36 : 0);
  cab_text_add (&t, " ");
  cab_text_number (&t, run.pid, 10);
  cab_text_add (&t, " ");
  cab_text_number (&t, run.start_ticks, 10);
  cab_text_add (&t, "\n");
}

static int
ends_with (const char *name, const char *suffix)
{
  size_t n = strlen (name), m = strlen (suffix);
  return n > m && strcmp (name + n - m, suffix) == 0;
}

/* Call VISIT for each entry of the directory FD until it returns nonzero; that value.  Straight from the kernel: readdir allocates. */
static int
each_entry (int fd, int (*visit) (int fd, const char *name))
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
is_part (int fd, const char *name)
{
  (void) fd;
  return ends_with (name, CAB_PART_SUFFIX);
}

/* Is NAME the part of a process that still runs? */
static int
is_alive (int fd, const char *name)
{
  struct { char magic[8]; uint32_t version, byte_order; } head;
  uint64_t pid = 0, ticks = 0;
  struct cab_process process;
  if (!is_part (fd, name))
    return 0;
  int part = openat (fd, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (part < 0)
    return 0;
  int ok = pread (part, &head, sizeof head, 0) == sizeof head && memcmp (head.magic, CAB_PART_MAGIC, sizeof head.magic) == 0
	   && pread (part, &pid, 8, offsetof (struct cab_part_header, pid)) == 8
	   && pread (part, &ticks, 8, offsetof (struct cab_part_header, start_ticks)) == 8;
  close (part);
  return ok && cab_sys_process (pid, &process) == 0 && process.start_ticks == ticks && process.state != 'Z';
}

static int
remove_file (int fd, const char *name)
{
  unlinkat (fd, name, 0);
  return 0;
}

static int
remove_known (int fd, const char *name)
{
  if (is_part (fd, name) || strcmp (name, "run") == 0 || strcmp (name, "meta.json") == 0 || strcmp (name, "samples.json") == 0
      || strcmp (name, "loops.json") == 0)
    unlinkat (fd, name, 0);
  return 0;
}

static int
open_directory (int at, const char *name)
{
  return openat (at, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
}

/* Remove the profile OLD.  What is no part of a profile stays, and the directory with it.  Names are gone once seen, and removing while
   reading may skip some: as often as it helps. */
static void
remove_profile (const char *old)
{
  for (int i = 0; i < 100; i++)
    {
      int fd = open_directory (AT_FDCWD, old);
      if (fd < 0)
	return;
      int modules = open_directory (fd, "modules");
      if (modules >= 0)
	{
	  each_entry (modules, remove_file);
	  close (modules);
	  unlinkat (fd, "modules", AT_REMOVEDIR);
	}
      each_entry (fd, remove_known);
      close (fd);
      if (rmdir (old) == 0 || errno != ENOTEMPTY)
	return;
    }
}

/* Does the profile in FD belong to another run, which is over? */
static int
is_past (int fd, const char *dir, const char *run)
{
  char path[CAB_PATH_BYTES], other[RUN_BYTES];
  struct cab_text t = CAB_TEXT (path);
  cab_text_add (&t, dir);
  cab_text_add (&t, "/run");
  if (cab_sys_read_file (path, other, sizeof other) < 0)
    other[0] = '\0';
  return strcmp (other, run) != 0 && each_entry (fd, is_part) && !each_entry (fd, is_alive);
}

static int
move_aside (const char *dir)
{
  char old[CAB_PATH_BYTES];
  struct cab_text t = CAB_TEXT (old);
  cab_text_add (&t, dir);
  cab_text_add (&t, ".old");
  remove_profile (old);
  return t.cut ? -1 : rename (dir, old);
}

/* What `cabprof tune' has in the directory, and may go on with, is no part of a profile: it comes back from DIR.old. */
static void
keep_of_tune (const char *dir, const char *name)
{
  char old[CAB_PATH_BYTES], path[CAB_PATH_BYTES];
  struct cab_text from = CAB_TEXT (old), to = CAB_TEXT (path);
  cab_text_add (&from, dir);
  cab_text_add (&from, ".old/");
  cab_text_add (&from, name);
  cab_text_add (&to, dir);
  cab_text_add (&to, "/");
  cab_text_add (&to, name);
  if (!from.cut && !to.cut)
    (void) !rename (old, path);   /* mostly it is not there */
}

static void
write_run (const char *dir, const char *run)
{
  char path[CAB_PATH_BYTES];
  struct cab_text t = CAB_TEXT (path);
  cab_text_add (&t, dir);
  cab_text_add (&t, "/run");
  int fd = cab_sys_open (path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0666);
  if (fd < 0)
    return;
  ssize_t ignored = cab_sys_may_reach (strlen (run)) < 0 ? 0 : write (fd, run, strlen (run));
  (void) ignored;
  close (fd);
}

/* The directory, made if need be, opened and locked: the descriptor, or -errno. */
static int
open_locked (const char *dir)
{
  struct stat here, there;
  for (;;)
    {
      if (mkdir (dir, 0777) < 0 && errno != EEXIST)
	return -errno;
      int fd = cab_sys_open (dir, O_RDONLY | O_DIRECTORY, 0);
      if (fd == -ENOENT)
	continue;
      if (fd < 0)
	return fd;
      /* Whoever held the lock may have moved the directory away meanwhile. */
      if (flock (fd, LOCK_EX) < 0 || (fstat (fd, &here) == 0 && stat (dir, &there) == 0
				      && here.st_ino == there.st_ino && here.st_dev == there.st_dev))
	return fd;
      close (fd);
    }
}

static int
make_modules (const char *dir)
{
  char path[CAB_PATH_BYTES];
  struct cab_text t = CAB_TEXT (path);
  cab_text_add (&t, dir);
  cab_text_add (&t, "/modules");
  return mkdir (path, 0777) < 0 && errno != EEXIST ? -errno : 0;
}

int
cab_rotate_prepare (const char *dir, int may_rotate, const char **what)
{
  char run[RUN_BYTES];
  int error;
  *what = "cannot make the profile directory";
  if (may_rotate)
    {
      int fd = open_locked (dir);
      if (fd < 0)
	return fd;
      run_text (run, sizeof run);
      if (run[0] && is_past (fd, dir, run) && move_aside (dir) == 0)
	{
	  close (fd);
	  fd = open_locked (dir);
	  if (fd < 0)
	    return fd;
	  keep_of_tune (dir, "tune");
	  keep_of_tune (dir, "tune.old");
	}
      if (!each_entry (fd, is_part))
	write_run (dir, run);
      error = make_modules (dir);
      close (fd);
      return error;
    }
  if (mkdir (dir, 0777) < 0 && errno != EEXIST)
    return -errno;
  return make_modules (dir);
}
