/* source.h - find and read the source files that a profile names.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      a name is as compiled: absolute, or relative to the compiler's directory, prefix maps
 *             applied.  It is looked up in this order: below each directory that the user names,
 *             whole and then without its leading components, one after the other; as it stands,
 *             relative to the directories of the translation units, those of the file itself first;
 *             and below the working directory, as in the user's directories.
 * Ownership:  paths and sources are the caller's (free, cab_source_fini).
 */
#ifndef CAB_SOURCE_H
#define CAB_SOURCE_H

#include "analyses/profile/model.h"

struct cab_source
{
  char *text;
  char **lines;        /* [n_lines], each NUL-terminated */
  size_t n_lines;
  uint64_t changed_ns; /* when the file was last written */
};

/* Return the path of FILE (free), or null. */
char *cab_source_find (const struct cab_model *model, char *const *dirs, int n_dirs,
		       const char *file);

/* Read PATH.  Return 0, or -1 with errno. */
int cab_source_read (struct cab_source *source, const char *path);
void cab_source_fini (struct cab_source *source);

/* Lines FIRST .. LAST of FILE. */
struct cab_excerpt
{
  const char *file;
  uint32_t first, last;
};

/* N excerpts, all 0 at first; cab_excerpts_fini frees them. */
struct cab_excerpts
{
  struct cab_excerpt *excerpt;
  uint32_t n;
};

/* Add lines FIRST .. LAST of FILE, which must stay. */
void cab_excerpts_add (struct cab_excerpts *excerpts, const char *file, uint32_t first,
		       uint32_t last);
/* Sort EXCERPTS, and make one of those that overlap or follow one another. */
void cab_excerpts_join (struct cab_excerpts *excerpts);
void cab_excerpts_fini (struct cab_excerpts *excerpts);

#endif
