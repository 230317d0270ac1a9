/* gcda_records.h - the G records of units.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Source:     include/cabprof/info.h.
 * Ownership:  what is parsed belongs to the info.
 * Errors:     0, or negative with words.
 */
#ifndef CAB_GCDA_RECORDS_H
#define CAB_GCDA_RECORDS_H

#include "analyses/profile/info.h"

/* A translation unit as GCC's own profile knows it, from a G record. */
struct cab_gcov_unit
{
  const char *directory, *base;     /* its .gcda is DIRECTORY/BASE.gcda, or BASE.gcda if that is
				       absolute */
  uint32_t version;                 /* of such files */
  bool in_words;                    /* lengths are in words, and there is no checksum */
  uint32_t n_functions;
  struct cab_gcov *functions;
};

/* Parse the G record at OFFSET. */
int cab_gcda_unit_record (struct cab_info *info, uint64_t offset, struct cab_gcov_unit *unit,
			  struct cab_diag *diag);

#endif
