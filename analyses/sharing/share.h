/* share.h - how threads share a line of memory, from the rows of the analysis `sharing'; for the
 * reports by line and by variable.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Source:     "uniform" as DINAMITE has it (section III-C): what only one thread accesses is left
 *             out, and of the counts of the threads, in descending order, the first is less than
 *             twice the second.
 * Model:      share_pair.h defines how two threads that ran at the same time share a line.
 * Ownership:  rows and lists of places are the caller's to free.
 */
#ifndef CAB_SHARE_H
#define CAB_SHARE_H

#include "analyses/report/report.h"
#include "analyses/sharing/share_pair.h"
#include "analyses/live/an_sharing.h"

/* Return all rows of STATE, which may be null, sorted by process, line and thread, and set *N to
   their number. */
struct cab_sharing_row *cab_share_rows (const struct cab_arena *state, size_t *n);
/* Return the line that ROW is about. */
uint64_t cab_share_line (const struct cab_sharing_row *row);
/* Return the index after the rows of the line and process at AT. */
size_t cab_share_line_end (const struct cab_sharing_row *rows, size_t n, size_t at);

/* Return true if threads A and B of PROCESS ran at the same time, as far as is known. */
bool cab_share_met (const struct cab_model *model, uint32_t process, uint32_t a, uint32_t b);
/* The counts of threads that access the same memory; all zero: none yet. */
struct cab_share_counts
{
  uint64_t first, second;   /* the two greatest counts */
  uint32_t n;
};
/* Add the ACCESSES of another thread to COUNTS. */
void cab_share_counts_add (struct cab_share_counts *counts, uint64_t accesses);
/* Return true if COUNTS are uniform, as DINAMITE defines it: no thread has twice as many as the
   next. */
bool cab_share_uniform (const struct cab_share_counts *counts);
/* Return the name of KIND, which is as in struct cab_share_pair. */
const char *cab_share_kind_name (int kind);

/* Accesses in the code, and how often each made the accesses in question; all zero: none. */
struct cab_share_places
{
  struct cab_share_place
  {
    uint32_t site;
    uint64_t n;
  } *items;
  uint32_t n, room;
};
/* Add N accesses made by SITE to PLACES. */
void cab_share_places_add (struct cab_share_places *places, uint32_t site, uint64_t n);
/* The number of places that a cell of text shows. */
#define CAB_SHARE_TEXT 4
/* Set *NAMES and *LINES to the variables and source lines of PLACES, each once, the most frequent
   first; in text only the first CAB_SHARE_TEXT.  The model owns the texts. */
void cab_share_places_text (struct cab_model *model, const struct cab_report_options *options,
			    struct cab_share_places *places, const char **names,
			    const char **lines);
/* Return the source lines of ALLOCATIONS, whose `site' is the number of an allocation, in the same
   form as *LINES of cab_share_places_text. */
const char *cab_share_allocations_text (struct cab_model *model,
					const struct cab_report_options *options,
					struct cab_share_places *allocations);
/* Add the allocation that made the memory of ROW to ALLOCATIONS, if it is known. */
void cab_share_allocations_add (struct cab_share_places *allocations,
				const struct cab_sharing_row *row);
/* Show COLUMN in text only if some row of TABLE has a value there.  Call it after all rows were
   added. */
void cab_share_allocations_end (const struct cab_table *table, struct cab_column *column);
/* Return true if one of the functions of PLACES passes the filters. */
bool cab_share_places_want (struct cab_model *model, const struct cab_report_options *options,
			    const struct cab_share_places *places);
/* Return LIST, whose items are separated by spaces, with ITEM added, unless it is there.
   In text, a list of CAB_SHARE_TEXT items gets "..." instead. */
const char *cab_share_with_item (struct cab_model *model, const struct cab_report_options *options,
				 const char *list, const char *item);

#endif
