/* patch_file.h - a source file that a patch is made of.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ownership:  path and text belong to the file until cab_patch_file_fini.
 */
#ifndef CAB_PATCH_FILE_H
#define CAB_PATCH_FILE_H

#include <stdbool.h>
#include <stddef.h>

struct cab_patch_file
{
  char *path, *text;
  size_t length;
};

/* Return the path, relative to the working directory, of the file that was compiled as NAME; free
   it.  DIRS are N_DIRS further directories to look for it in.  Return null with the reason in *WHY
   if there is none, or if it lies elsewhere. */
char *cab_patch_file_find (char *const *dirs, int n_dirs, const char *name, const char **why);
/* Read PATH into FILE, in place of what it has.  Return 0, or -1 with errno. */
int cab_patch_file_read (struct cab_patch_file *file, const char *path);
/* Return true if a generator's mark is in the first lines, which means that the file will be
   written again. */
bool cab_patch_file_is_generated (const struct cab_patch_file *file);
void cab_patch_file_fini (struct cab_patch_file *file);

#endif
