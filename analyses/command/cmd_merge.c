/* cmd_merge.c - cabprof merge: one profile that holds the parts and modules of several.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reports add up what the parts of a directory hold, so nothing is computed here.  The result is
 * made under another name and renamed when it is complete.  Parts of ended processes are linked if
 * the file system can do that, since they never change; others are copied.
 */
#include "analyses/command/command.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <libiberty/libiberty.h>
#include "analyses/command/arguments.h"
#include "analyses/profile/part.h"
#include "analyses/profile/profile_json.h"
#include "cabprof/control.h"
#include "analyses/base/progress.h"
#include "loopfb/sample/samples.h"

struct merge
{
  char *target, *temporary;
  unsigned n_parts;
  struct cab_samples samples;   /* of all profiles that have any */
  int status;
};

static void
complain (struct merge *m, const char *path, const char *what, const char *todo)
{
  cab_say ("%s: %s: %s", path, what, todo);
  m->status = CAB_EXIT_FAILED;
}

/* Copy [AT, END) of FROM to the same place of TO. */
static int
copy_range (int from, int to, off_t at, off_t end)
{
  char buffer[1 << 16];
  while (at < end)
    {
      size_t wanted = end - at < (off_t) sizeof buffer ? (size_t) (end - at) : sizeof buffer;
      ssize_t n = pread (from, buffer, wanted, at);
      if (n <= 0)
	return n < 0 ? -1 : 0;
      for (ssize_t done = 0, k; done < n; done += k)
	if ((k = pwrite (to, buffer + done, n - done, at + done)) < 0)
	  return -1;
      at += n;
    }
  return 0;
}

/* Copy the data of a part, which consists mostly of holes. */
static int
copy_data (int from, int to)
{
  struct stat st;
  if (fstat (from, &st) < 0 || ftruncate (to, st.st_size) < 0)
    return -1;
  off_t data = 0;
  while (data < st.st_size)
    {
      off_t at = lseek (from, data, SEEK_DATA);
      if (at < 0 && errno == ENXIO)
	return 0;
      at = at < 0 ? data : at;
      off_t end = lseek (from, at, SEEK_HOLE);
      end = end < 0 ? st.st_size : end;
      if (copy_range (from, to, at, end) < 0)
	return -1;
      data = end;
    }
  return 0;
}

static int
copy_file (const char *path, const char *target)
{
  int result = -1, error, from = open (path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  int to = from < 0 ? -1 : open (target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (to >= 0)
    result = copy_data (from, to);
  error = errno;
  if (to >= 0 && close (to) < 0 && result == 0)
    {
      result = -1;
      error = errno;
    }
  if (from >= 0)
    close (from);
  errno = error;
  return result;
}

static int
take_file (const char *path, const char *target, bool may_link)
{
  if (may_link && link (path, target) == 0)
    return 0;
  return may_link && errno == EEXIST ? -1 : copy_file (path, target);
}

/* Return true if the process of the part has ended.  A damaged part is taken as it is, and
   named. */
static bool
is_finished (struct merge *m, const char *path)
{
  struct cab_part part;
  struct cab_diag diag;
  if (cab_part_open (&part, path, &diag) < 0)
    {
      cab_say ("%s", diag.text);
      m->status = CAB_EXIT_FAILED;
      return true;
    }
  bool finished = !part.alive;
  if (!finished)
    cab_say ("%s: process %ju is still running: what it does from now on is not in %s", path,
	     (uintmax_t) part.header->pid, m->target);
  cab_part_close (&part);
  return finished;
}

static bool
same_contents (const char *a, const char *b)
{
  FILE *x = fopen (a, "r"), *y = fopen (b, "r");
  int c = EOF, d = EOF;
  if (x && y)
    do
      {
	c = getc (x);
	d = getc (y);
      }
    while (c == d && c != EOF);
  bool same = x && y && c == d && !ferror (x) && !ferror (y);
  if (x)
    fclose (x);
  if (y)
    fclose (y);
  return same;
}

/* Return true if PATH is a regular file.  Name it and leave it out if it is not. */
static bool
is_file (struct merge *m, const char *path)
{
  struct stat st;
  if (lstat (path, &st) == 0 && S_ISREG (st.st_mode))
    return true;
  complain (m, path, "is no regular file, and left out", "remove it from the profile");
  return false;
}

static int
take_part (struct merge *m, const char *path, const char *target)
{
  if (!is_file (m, path))
    return 0;
  cab_progress ("merging processes", ++m->n_parts, 0);
  if (take_file (path, target, is_finished (m, path)) == 0)
    return 0;
  if (errno == EEXIST)
    complain (m, path, "the same process is in another of the profiles, and would count twice",
	      "name each profile once");
  else
    complain (m, path, strerror (errno), "check permissions and room");
  return -1;
}

static int
take_module (struct merge *m, const char *path, const char *target)
{
  if (!is_file (m, path))
    return 0;
  if (access (target, F_OK) == 0)
    {
      if (same_contents (path, target))
	return 0;
      complain (m, path, "another of the profiles has other records under this name",
		"they come from different machines: report on each by itself");
      return -1;
    }
  if (take_file (path, target, true) == 0)
    return 0;
  complain (m, path, strerror (errno), "check permissions and room");
  return -1;
}

static bool
ends_in (const char *name, const char *suffix)
{
  size_t n = strlen (name), k = strlen (suffix);
  return n > k && !strcmp (name + n - k, suffix);
}

/* Take each file of DIR/SUB whose name ends in SUFFIX. */
static int
take_all (struct merge *m, const char *dir, const char *sub, const char *suffix,
	  int (*take) (struct merge *, const char *, const char *))
{
  char *from = concat (dir, sub, NULL), *to = concat (m->temporary, sub, NULL);
  int fd = open (from, O_RDONLY | O_DIRECTORY | O_CLOEXEC | (*sub ? O_NOFOLLOW : 0));
  DIR *stream = fd < 0 ? NULL : fdopendir (fd);
  int result = 0;
  if (!stream && (*sub == 0 || errno != ENOENT))
    {
      complain (m, from,
		errno == ENOENT || errno == ENOTDIR ? "there is no profile" : strerror (errno),
		"name the directory of a profile");
      result = -1;
    }
  for (struct dirent *entry; stream && result == 0 && (entry = readdir (stream));)
    if (ends_in (entry->d_name, suffix))
      {
	char *path = concat (from, "/", entry->d_name, NULL),
	     *target = concat (to, "/", entry->d_name, NULL);
	result = take (m, path, target);
	free (path);
	free (target);
      }
  cab_progress_end ();
  if (stream)
    closedir (stream);
  free (from);
  free (to);
  return result;
}

/* Add the samples of DIR.  Return 1, 0 if there are none, or -1 on an error. */
static int
take_samples (struct merge *m, const char *dir)
{
  char *path = concat (dir, "/" CAB_SAMPLES_FILE, NULL);
  struct cab_samples samples;
  struct cab_diag diag;
  cab_samples_init (&samples);
  bool there = cab_profile_json_is_there (path), good = true;
  if (there && cab_samples_read (&samples, path, &diag) < 0)
    {
      cab_say ("%s", diag.text);
      good = false;
    }
  else if (there && cab_samples_merge (&m->samples, &samples, &diag) < 0)
    {
      cab_say ("%s: %s", path, diag.text);
      good = false;
    }
  cab_samples_fini (&samples);
  free (path);
  if (!good)
    m->status = CAB_EXIT_FAILED;
  return good ? there : -1;
}

static bool
write_samples (struct merge *m)
{
  char *path = concat (m->temporary, "/" CAB_SAMPLES_FILE, NULL);
  struct cab_diag diag;
  bool good = !m->samples.n || cab_samples_write (&m->samples, path, &diag) == 0;
  if (!good)
    {
      cab_say ("%s", diag.text);
      m->status = CAB_EXIT_FAILED;
    }
  free (path);
  return good;
}

static int
take_profile (struct merge *m, const char *dir)
{
  unsigned had = m->n_parts;
  int sampled = take_samples (m, dir);
  if (sampled < 0)
    return -1;
  if (take_all (m, dir, "", CAB_PART_SUFFIX, take_part) < 0
      || take_all (m, dir, "", CAB_PAUSED_SUFFIX, take_module) < 0
      || take_all (m, dir, "/modules", ".info", take_module) < 0)
    return -1;
  if (m->n_parts > had || sampled)
    return 0;
  complain (m, dir, "holds no part of a profile", "name the directory of a profile");
  return -1;
}

static void
remove_files (const char *dir)
{
  DIR *stream = opendir (dir);
  for (struct dirent *entry; stream && (entry = readdir (stream));)
    if (ends_in (entry->d_name, CAB_PART_SUFFIX) || ends_in (entry->d_name, CAB_PAUSED_SUFFIX)
	|| ends_in (entry->d_name, ".info") || !strcmp (entry->d_name, CAB_SAMPLES_FILE))
      {
	char *path = concat (dir, "/", entry->d_name, NULL);
	unlink (path);
	free (path);
      }
  if (stream)
    closedir (stream);
}

static void
remove_temporary (const struct merge *m, const char *modules)
{
  remove_files (modules);
  rmdir (modules);
  remove_files (m->temporary);
  rmdir (m->temporary);
}

static int
merge (struct merge *m, char **dirs)
{
  struct stat st;
  char *modules = concat (m->temporary, "/modules", NULL);
  bool good = false;
  if (lstat (m->target, &st) == 0)
    complain (m, m->target, "exists", "name another directory with -o, or remove it");
  else if (mkdir (m->temporary, 0777) < 0)
    complain (m, m->target, strerror (errno), "name another directory with -o");
  else
    {
      good = mkdir (modules, 0777) == 0;
      if (!good)
	complain (m, modules, strerror (errno), "check permissions and room");
      while (good && *dirs)
	good = take_profile (m, *dirs++) == 0;
      good = good && write_samples (m);
      /* rename fails on a directory that was filled in the meantime. */
      if (good && rename (m->temporary, m->target) < 0)
	{
	  complain (m, m->target, strerror (errno), "name another directory with -o");
	  good = false;
	}
      if (!good)
	remove_temporary (m, modules);
    }
  free (modules);
  return m->status;
}

/* Parse the arguments, and set *DIRS to the profiles, which end with null.  Return 0, an exit
   status, or CAB_ARGUMENTS_HELPED. */
static int
parse (int argc, char **argv, const char **target, char ***dirs)
{
  const struct cab_argument options[] = { { "o", "DIR", "the new profile", .text = target } };
  const struct cab_arguments arguments = {
    "merge", "-o DIR PROFILE...",
    "Make a profile DIR that holds all processes of the others, so that its reports add up.  DIR "
    "must not exist; the others stay as they are.",
    .options = options, .n_options = ARRAY_SIZE (options)
  };
  int status = cab_arguments_parse (&arguments, argc, argv, dirs);
  if (status)
    return status;
  if (!*target || !**target)
    return cab_usage ("merge", "-o", "the new profile's directory is missing");
  return **dirs ? 0 : cab_usage ("merge", *target, "no profile to merge was named");
}

int
cab_cmd_merge (int argc, char **argv)
{
  struct merge m = { 0 };
  const char *target = NULL;
  char **dirs;
  int status = parse (argc, argv, &target, &dirs);
  if (status)
    return status < 0 ? CAB_EXIT_GOOD : status;
  m.target = xstrdup (target);
  for (size_t n = strlen (m.target); n > 1 && m.target[n - 1] == '/';)
    m.target[--n] = 0;
  m.temporary = xasprintf ("%s.tmp-%ld", m.target, (long) getpid ());
  cab_samples_init (&m.samples);
  status = merge (&m, dirs);
  cab_samples_fini (&m.samples);
  free (m.target);
  free (m.temporary);
  return status;
}
