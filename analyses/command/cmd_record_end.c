/* cmd_record_end.c - the line at the end of a recording: the profile, its size, the time.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/command/cmd_record.h"
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <libiberty/libiberty.h>
#include "cabprof/profile.h"
#include "analyses/command/command.h"

struct contents
{
  uint64_t bytes;      /* on disk, as parts have holes */
  unsigned n_parts;
};

static bool
is_part (const char *name)
{
  size_t n = strlen (name), suffix = strlen (CAB_PART_SUFFIX);
  return n > suffix && !strcmp (name + n - suffix, CAB_PART_SUFFIX);
}

/* Add to CONTENTS what directory DIR and LEVELS levels of directories below it hold.  Links are not
   followed. */
static void
add_directory (const char *dir, int levels, struct contents *contents)
{
  DIR *stream = opendir (dir);
  for (struct dirent *entry; stream && (entry = readdir (stream));)
    {
      struct stat st;
      char *path = concat (dir, "/", entry->d_name, NULL);
      if (*entry->d_name != '.' && lstat (path, &st) == 0)
	{
	  if (S_ISDIR (st.st_mode) && levels > 0 && strncmp (entry->d_name, "tune", 4))
	    add_directory (path, levels - 1, contents);
	  else if (S_ISREG (st.st_mode))
	    {
	      contents->bytes += 512 * (uint64_t) st.st_blocks;
	      contents->n_parts += is_part (entry->d_name);
	    }
	}
      free (path);
    }
  if (stream)
    closedir (stream);
}

static const char *
size_text (uint64_t bytes, char *text, size_t room)
{
  static const char *const units[] = { "bytes", "KB", "MB", "GB", "TB" };
  double size = bytes;
  unsigned unit = 0;
  for (; size >= 1000 && unit < sizeof units / sizeof *units - 1; unit++)
    size /= 1000;
  snprintf (text, room, size < 10 && unit ? "%.1f %s" : "%.0f %s", size, units[unit]);
  return text;
}

void
cab_record_say_end (const struct cab_recording *run)
{
  struct contents contents = { 0, 0 };
  char size[32], what[48] = "samples only";
  double seconds = run->end.tv_sec - run->start.tv_sec
		 + (run->end.tv_nsec - run->start.tv_nsec) / 1e9;
  add_directory (run->path, 1, &contents);
  if (contents.n_parts)
    snprintf (what, sizeof what, "%u process%s with probes", contents.n_parts,
	      contents.n_parts == 1 ? "" : "es");
  cab_say ("%s: %s, %s, recorded in %.3g s: `cabprof report%s%s' shows it", run->dir, what,
	   size_text (contents.bytes, size, sizeof size), seconds,
	   strcmp (run->dir, CAB_DEFAULT_DIR) ? " -d " : "",
	   strcmp (run->dir, CAB_DEFAULT_DIR) ? run->dir : "");
}
