/* part.h - the file of this process in the profile directory: created, mapped, grown by extents.
 *
 * Model:      include/cabprof/profile.h.  No descriptor is kept: the file is opened by its absolute
 *             path each time that it grows, and checked to be the same one, so that programs that
 *             close all descriptors, or count them, do not encounter it.  So a program that changes
 *             its root, or gives up the right to write there, continues with the room that it has.
 * Threads:    create, append and release run under the runtime's lock, fetch without it; the
 *             header's ledger takes relaxed atomic adds from all threads.
 * Errors:     -errno; the part stays as it was.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_PART_H
#define CAB_RT_PART_H

#include <sys/types.h>
#include "cabprof/profile.h"
#include "rt/common/sys.h"

struct cab_part_file
{
  struct cab_part_header *header;   /* mapped; its address never changes */
  char dir[CAB_PATH_BYTES];         /* absolute */
  char path[CAB_PATH_BYTES];
  dev_t dev;
  ino_t ino;
  int pid;                          /* the file's name is made of PID and START */
  uint64_t start;                   /* start of the process, as in the file's name */
  uint32_t arenas_backed, extents_backed;   /* bytes of the two tables that have blocks on the
					       medium */
  uint32_t n_free;                  /* extents that were given back and may be used again */
  uint32_t most_extents, most_arenas;   /* bounds of the rows of the two tables */
};

/* Make the file in part->dir, which DIRECTORY is a descriptor of, with only the header in it,
   mapped at part->header, or anywhere where that is null (a forked child maps its own over its
   parent's).  The file gets its name once its header is whole.  Return 0 or -errno; -ENOENT: the
   directory was moved or removed meanwhile. */
int cab_part_create_in (struct cab_part_file *part, int directory);

/* Make the file as cab_part_create_in does, in the directory that part->dir names now. */
int cab_part_create (struct cab_part_file *part);

/* Remove the file, if it is still this one. */
void cab_part_remove (struct cab_part_file *part);

/* Append an extent and map it at AT, which belongs to the caller and is replaced.  BYTES are whole
   pages, of which the first BACKED have blocks on the medium; the rest, unless it stays a hole for
   good, gets them by cab_part_back before it is stored to.  Return 0 or -errno; -EOVERFLOW: the
   table of extents is full. */
int cab_part_append (struct cab_part_file *part, unsigned kind, unsigned owner,
		     uint64_t area_offset,
		     uint64_t bytes, uint64_t backed, void *at);
/* Give blocks on the medium to BYTES bytes from AREA_OFFSET on in the first extent of KIND and
   OWNER.  Return 0 or -errno. */
int cab_part_back (struct cab_part_file *part, unsigned kind, unsigned owner, uint64_t area_offset,
		   uint64_t bytes);

/* Make the file BYTES longer, whole pages without blocks on the medium, and map them at AT, which
   belongs to the caller.  Return 0 with their *OFFSET in the file, or -errno.  They belong to no
   extent. */
int cab_part_lengthen (struct cab_part_file *part, uint64_t bytes, void *at, uint64_t *offset);

/* Make an extent, the first one of its area, of BYTES bytes that cab_part_lengthen has mapped at
   AT, and that are at OFFSET of the file.  In all else as cab_part_append. */
int cab_part_append_mapped (struct cab_part_file *part, unsigned kind, unsigned owner,
			    uint64_t bytes,
			    uint64_t backed, void *at, uint64_t offset);

/* Map all extents of KIND and OWNER again, from AT on; they are below the reservation's end.
   Return 0 or -errno. */
int cab_part_map (struct cab_part_file *part, unsigned kind, unsigned owner, unsigned char *at);

/* Bring zeros of an area's first extent, which nobody has written to yet, into memory, which makes
   the first stores there cheap.  Whole pages; from any thread. */
void cab_part_fetch (struct cab_part_file *part, unsigned kind, unsigned owner,
		     uint64_t area_offset,
		     uint64_t bytes);

/* Give the extents of KIND and OWNER back to the file system; their addresses stay mapped and
   become zero. */
void cab_part_release (struct cab_part_file *part, unsigned kind, unsigned owner);

/* Make row I of the arenas table writable.  Return 0, or -errno; -EOVERFLOW: the table is full. */
int cab_part_back_arena (struct cab_part_file *part, unsigned i);

#endif
