/* rotate.c - see rotate.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/rotate.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cabprof/profile.h"
#include "rt/common/directory.h"
#include "rt/common/profile_files.h"
#include "rt/base/say.h"
#include "rt/common/sys.h"
#include "rt/common/text.h"

#define RUN_BYTES 128
#define MAX_ANCESTORS 1000
#define MOST_TRIES 100               /* other processes may move or remove the directory as often */
#define LOOK_NS UINT64_C (10000000)

/* Set P to the process that identifies this run.  Return 0, or -1 where /proc does not show it. */
static int
find_run (struct cab_sys_process *p)
{
  struct cab_sys_process up;
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
  struct cab_sys_process run;
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
is_part (int fd, const char *name)
{
  (void) fd;
  return cab_profile_is_part (name);
}

/* Return 1 if NAME is the part of a process that is still running. */
static int
is_alive (int fd, const char *name)
{
  struct { char magic[8]; uint32_t version, byte_order; } head;
  uint64_t pid = 0, ticks = 0;
  const char *wrong;
  struct cab_sys_process process;
  if (!cab_profile_is_part (name))
    return 0;
  int part = cab_directory_file (fd, name, &wrong);
  if (part < 0)
    return 0;
  int ok = pread (part, &head, sizeof head, 0) == sizeof head
	&& memcmp (head.magic, CAB_PART_MAGIC, sizeof head.magic) == 0
	&& pread (part, &pid, 8, offsetof (struct cab_part_header, pid)) == 8
	&& pread (part, &ticks, 8, offsetof (struct cab_part_header, start_ticks)) == 8;
  close (part);
  return ok && cab_sys_process (pid, &process) == 0 && process.start_ticks == ticks
      && process.state != 'Z';
}

/* The directory that is being prepared. */
struct place
{
  int parent, fd;                    /* descriptors; FD -1: not open */
  const char *dir, *name;            /* NAME in PARENT */
  char old[256];                     /* the same for the profile before it */
  struct cab_rotate_wrong *wrong;
};

/* Record that NAME in DIR, or DIR.SUFFIX, failed with ERROR, for the reason in *WRONG.  Return
   ERROR. */
static int
blame (struct place *p, const char *suffix, int error)
{
  struct cab_text t = CAB_TEXT (p->wrong->path);
  cab_text_add (&t, p->dir);
  cab_text_add (&t, suffix);
  return error;
}

/* Read the file `run' into TEXT, which is "" where there is none.  Return 0 or -errno. */
static int
read_run (struct place *p, char *text, size_t bytes)
{
  text[0] = '\0';
  int fd = cab_directory_file (p->fd, "run", &p->wrong->wrong);
  if (fd < 0)
    return fd == -ENOENT ? 0 : blame (p, "/run", fd);
  ssize_t n = pread (fd, text, bytes - 1, 0);
  text[n < 0 ? 0 : n] = '\0';
  close (fd);
  return 0;
}

/* Write RUN to `run'.  Where `run' is not a file of this user's, read_run has refused it. */
static void
write_run (const struct place *p, const char *run)
{
  int fd = cab_sys_open_at (p->fd, "run", O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK,
			    0666);
  if (fd < 0)
    return;
  ssize_t ignored = cab_sys_may_reach (strlen (run)) < 0 ? 0 : write (fd, run, strlen (run));
  (void) ignored;
  close (fd);
}

/* Move the directory to DIR.old, in place of an older profile.  Return 1; 0 if it stays; -errno if
   what lies there is refused. */
static int
move_aside (struct place *p)
{
  int old = cab_directory_enter (p->parent, p->old, false, &p->wrong->wrong);
  if (old < 0 && old != -ENOENT)
    return blame (p, ".old", old);
  if (old >= 0)
    {
      bool foreign = !cab_profile_is_all (old, false);
      if (!foreign)
	cab_profile_remove (p->parent, old, p->old);
      close (old);
      if (foreign)
	{
	  blame (p, ".old", 0);
	  cab_say (p->wrong->path, "holds other files than a profile's", 0,
		   "it stays, and this run is added to the profile before");
	  return 0;
	}
    }
  return renameat (p->parent, p->name, p->parent, p->old) == 0;
}

/* Bring back from DIR.old what `cabprof tune' has in the directory, since it may continue with
   that: it is no part of a profile. */
static void
keep_of_tune (const struct place *p)
{
  const char *wrong;
  int old = cab_directory_enter (p->parent, p->old, false, &wrong);
  if (old < 0)
    return;
  /* Usually they do not exist. */
  (void) !renameat (old, "tune", p->fd, "tune");
  (void) !renameat (old, "tune.old", p->fd, "tune.old");
  close (old);
}

/* Return 1 if the directory still has its name: the previous holder of the lock may have moved
   it. */
static int
is_in_place (const struct place *p)
{
  struct stat here, there;
  return fstat (p->fd, &here) == 0 && fstatat (p->parent, p->name, &there, AT_SYMLINK_NOFOLLOW) == 0
      && here.st_ino == there.st_ino && here.st_dev == there.st_dev;
}

/* Lock the directory FD.  Return 1 if that has succeeded. */
static int
take_lock (int fd)
{
  uint32_t never = 0;
  for (uint64_t waited = 0; flock (fd, LOCK_EX | LOCK_NB) < 0; waited += LOOK_NS)
    {
      if (errno != EWOULDBLOCK || waited >= CAB_ROTATE_WAIT_NS)
	return 0;
      cab_futex_wait (&never, 0, LOOK_NS);
    }
  return 1;
}

/* Open the directory, making it if need be, and lock it if LOCK.  Return 0 or -errno. */
static int
open_place (struct place *p, int lock, int *locked)
{
  for (int i = 0; i < MOST_TRIES; i++)
    {
      p->fd = cab_directory_enter (p->parent, p->name, true, &p->wrong->wrong);
      if (p->fd == -ENOENT)
	continue;
      if (p->fd < 0)
	return blame (p, "", p->fd);
      *locked = lock && take_lock (p->fd);
      if (is_in_place (p))
	return 0;
      close (p->fd);
      p->fd = -1;
    }
  return blame (p, "", -EBUSY);
}

/* Move the profile of a run other than RUN aside, if that run is over.  Return 0 or -errno. */
static int
rotate (struct place *p, const char *run)
{
  char other[RUN_BYTES];
  int locked, error = read_run (p, other, sizeof other);
  if (error < 0)
    return error;
  if (!run[0] || strcmp (other, run) == 0 || !cab_profile_each (p->fd, is_part)
      || cab_profile_each (p->fd, is_alive))
    return 0;
  int moved = move_aside (p);
  if (moved < 0)
    return moved;
  if (moved)
    {
      close (p->fd);
      error = open_place (p, 1, &locked);
      if (error < 0)
	return error;
      keep_of_tune (p);
    }
  else
    write_run (p, run);
  return 0;
}

static int
make_modules (struct place *p)
{
  int fd = cab_directory_enter (p->fd, CAB_MODULES_DIRECTORY, true, &p->wrong->wrong);
  if (fd < 0)
    return blame (p, "/" CAB_MODULES_DIRECTORY, fd);
  close (fd);
  return 0;
}

static int
prepare (struct place *p, int may_rotate)
{
  char run[RUN_BYTES];
  int locked = 0, error = open_place (p, may_rotate, &locked);
  if (error < 0)
    return error;
  if (locked)
    {
      run_text (run, sizeof run);
      error = rotate (p, run);
      if (error == 0 && !cab_profile_each (p->fd, is_part))
	write_run (p, run);
    }
  return error < 0 ? error : make_modules (p);
}

int
cab_rotate_prepare (const char *dir, int may_rotate, struct cab_rotate_wrong *wrong)
{
  struct place p = { .fd = -1, .dir = dir, .wrong = wrong };
  struct cab_text old = CAB_TEXT (p.old);
  wrong->wrong = NULL;
  p.parent = cab_directory_parent (dir, &p.name);
  cab_text_add (&old, p.name);
  cab_text_add (&old, ".old");
  if (p.parent < 0)
    return blame (&p, "", p.parent);
  int error = prepare (&p, may_rotate && !old.cut);
  close (p.parent);
  if (error < 0 && p.fd >= 0)
    close (p.fd);
  return error < 0 ? error : p.fd;
}
