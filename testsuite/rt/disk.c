/* disk.c - with full disks, impossible directories and small limits the program runs on, one line
 * says why, and nothing kills it.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "judge.h"
#include "probe.h"

ROW (row_0, 14, 12, 1);
ROW (row_1, 9, 30000, 0);
ROW (row_2, 9, 30000, 0);

static void
limit_files (void)
{
  struct rlimit limit = { 1 << 20, 1 << 20 };
  setrlimit (RLIMIT_FSIZE, &limit);
}

static int
program (const char *how)
{
  /* The limit is set when the part exists; the area must grow beyond it. */
  if (strcmp (how, "filesize") == 0)
    limit_files ();
  errno = 5;
  for (int i = 0; i < 100000; i++)
    {
      probe_count (&row_0, 3);
      probe_count (&row_1, 29999);
      probe_count (&row_2, 29999);
      probe_enqueue (probe_path (&row_0, i % 10));
      /* The counters and the ring exist; the first state is opened when the first chunk is full. */
      if (i == 100 && strcmp (how, "late filesize") == 0)
	limit_files ();
    }
  return errno == 5 ? 42 : 1;
}

/* Check that the program ran to its end, and that standard error has LINES lines, the first with
   WORDS in it (or is empty). */
static void
check_run (const char *dir, const char *options, const char *how, int lines, const char *words)
{
  char log[600], line[2000], first[2000] = "";
  int status = judge_run (dir, options, how, 0), n = 0;
  snprintf (log, sizeof log, "%s-err", dir);
  FILE *file = fopen (log, "r");
  while (file && fgets (line, sizeof line, file))
    if (n++ == 0)
      strcpy (first, line);
  CHECK (WIFEXITED (status) && WEXITSTATUS (status) == 42, "%s: status %x: %s", dir, status, first);
  CHECK (n == lines, "%s: %d lines: %s", dir, n, first);
  CHECK (!words || strstr (first, words), "%s: %s", dir, first);
  CHECK (!words || strncmp (first, "cabprof: ", 9) == 0, "%s", first);
}

static void
on_small_disk (const char *base, unsigned kilobytes, const char *words, int lines)
{
  char mount_at[512], dir[600], options[64];
  snprintf (mount_at, sizeof mount_at, "%s/disk%u", base, kilobytes);
  snprintf (dir, sizeof dir, "%s/data", mount_at);
  snprintf (options, sizeof options, "size=%uk", kilobytes);
  mkdir (mount_at, 0755);
  CHECK (mount ("none", mount_at, "tmpfs", 0, options) == 0, "mount");
  /* The log must not be on the full disk, so a link leads out of it. */
  char log[640], to[640];
  snprintf (log, sizeof log, "%s-err", dir);
  snprintf (to, sizeof to, "%s/log%u", base, kilobytes);
  CHECK (symlink (to, log) == 0, "symlink");
  check_run (dir, "", "disk", lines, words);
  umount (mount_at);
}

/* The limit is set before the program starts. */
static void
under_limit (const char *base, rlim_t bytes)
{
  char dir[600];
  struct rlimit before, limit;
  getrlimit (RLIMIT_FSIZE, &before);
  limit = (struct rlimit) { bytes, before.rlim_max };
  setrlimit (RLIMIT_FSIZE, &limit);
  snprintf (dir, sizeof dir, "%s/under%ju", base, (uintmax_t) bytes);
  check_run (dir, "", "plain", 1, "File too large");
  setrlimit (RLIMIT_FSIZE, &before);
}

static int
may_mount (const char *base)
{
  char at[512];
  snprintf (at, sizeof at, "%s/try", base);
  mkdir (at, 0755);
  if (mount ("none", at, "tmpfs", 0, "size=64k") < 0)
    return 0;
  umount (at);
  return 1;
}

int
main (void)
{
  if (getenv ("CAB_TEST_RUN"))
    return program (getenv ("CAB_TEST_RUN"));
  char dir[600];
  const char *base = judge_directory ();
  snprintf (dir, sizeof dir, "%s/fine", base);
  check_run (dir, "", "plain", 0, NULL);
  snprintf (dir, sizeof dir, "%s/fine/run/data", base);
  close (open (dir, O_RDONLY));
  snprintf (dir, sizeof dir, "%s/file", base);
  close (open (dir, O_WRONLY | O_CREAT, 0644));
  check_run (dir, "", "plain", 1, "running unprofiled");
  snprintf (dir, sizeof dir, "%s/limited", base);
  check_run (dir, "", "filesize", 1, "cannot grow");
  snprintf (dir, sizeof dir, "%s/limited late", base);
  check_run (dir, "", "late filesize", 1, "cannot grow");
  for (rlim_t bytes = 4096; bytes <= 1 << 20; bytes *= 2)
    under_limit (base, bytes);
  if (!may_mount (base))
    {
      puts ("mounting a small file system is not allowed here");
      return 77;
    }
  for (unsigned kilobytes = 8; kilobytes <= 512; kilobytes += kilobytes < 200 ? 4 : 40)
    on_small_disk (base, kilobytes, "cabprof: ", 1);
  on_small_disk (base, 20000, NULL, 0);
  return 0;
}
