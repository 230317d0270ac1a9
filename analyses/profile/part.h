/* part.h - read one part of a profile: what one process left.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Source:     include/cabprof/profile.h, which says what lies where.
 * Model:      everything is copied out of the file, so that a process that still writes it changes
 *             nothing while it is read.  After cab_part_open every number in the tables has been
 *             checked: strings end, indices name rows, counters lie in their areas.  Arenas and
 *             rings are copied on request and checked by the code that interprets them.
 * Ownership:  what cab_part_open fills belongs to the part until cab_part_close; cab_part_area
 *             gives memory to the caller (free).
 * Errors:     0, or negative with words "FILE: what is wrong: what to do".
 */
#ifndef CAB_PART_H
#define CAB_PART_H

#include <stdbool.h>
#include "cabprof/analysis.h"
#include "cabprof/profile.h"

struct cab_part
{
  char *path;
  int fd;
  uint64_t file_bytes;
  struct cab_part_header *header;
  char *strings;
  uint64_t strings_bytes;
  struct cab_part_module *modules;
  struct cab_part_function *functions;
  struct cab_part_thread *threads;
  bool alive;               /* the process that writes it still runs */
};

int cab_part_open (struct cab_part *part, const char *path, struct cab_diag *diag);
void cab_part_close (struct cab_part *part);

/* Open the regular file PATH for reading, without following a link in the last N components,
   because what is in a profile must be the profile's own.  Return a descriptor, or -1 with the
   reason in *WRONG. */
int cab_part_open_file (const char *path, int n, const char **wrong);

/* Return the string at OFFSET of the strings area, or "" if there is none. */
const char *cab_part_string (const struct cab_part *part, uint32_t offset);

/* Return a copy of the area (KIND, OWNER), *BYTES long and followed by zeros.  Return null with
   *BYTES 0 if there is no such area, null with *BYTES nonzero if it is broken. */
void *cab_part_area (const struct cab_part *part, unsigned kind, unsigned owner, uint64_t *bytes,
		     struct cab_diag *diag);

/* Return the owner of the next area of KIND after *CURSOR, which begins at 0, or -1 if there are no
   more.  Threads may have areas without an extent. */
int64_t cab_part_next_owner (const struct cab_part *part, unsigned kind, uint32_t *cursor);

#endif
