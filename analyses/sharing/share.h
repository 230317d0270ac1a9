/* share.h - how threads share a line of memory, from the rows of the analysis `sharing'; for the
 * reports of lines and of variables.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Source:     "uniform" as DINAMITE has it (section III-C): what is accessed by one thread alone is
 *             left out, and of the counts of the others, in descending order, the first is less
 *             than twice the second.
 * Model:      of two threads that ran at the same time and share a line, see share_pair.h.
 * Ownership:  rows and lists of places are the caller's to free.
 */
#ifndef CAB_SHARE_H
#define CAB_SHARE_H

#include "analyses/report/report.h"
#include "analyses/sharing/share_pair.h"
#include "analyses/live/an_sharing.h"

/* All rows of STATE, which may be null, by process, line and thread; *N of them. */
struct cab_sharing_row *cab_share_rows (const struct cab_arena *state, size_t *n);
/* The line that ROW is of; and behind the rows of one line and process from AT on. */
uint64_t cab_share_line (const struct cab_sharing_row *row);
size_t cab_share_line_end (const struct cab_sharing_row *rows, size_t n, size_t at);

/* Did threads A and B of PROCESS run at the same time, as far as is known? */
bool cab_share_met (const struct cab_model *model, uint32_t process, uint32_t a, uint32_t b);
/* Threads that access the same, each with its count; all zero: none yet.  Uniform, as DINAMITE has
   it: none has twice as many as the next one. */
struct cab_share_counts
{
  uint64_t first, second;   /* the greatest */
  uint32_t n;
};
void cab_share_counts_add (struct cab_share_counts *counts, uint64_t accesses);
bool cab_share_uniform (const struct cab_share_counts *counts);
const char *cab_share_kind_name (int kind);

/* Accesses of the code, and how often each accessed what is looked at; all zero: none. */
struct cab_share_places
{
  struct cab_share_place
  {
    uint32_t site;
    uint64_t n;
  } *items;
  uint32_t n, room;
};
void cab_share_places_add (struct cab_share_places *places, uint32_t site, uint64_t n);
/* What they are called, and where they stand, each once, the most frequent ones first; in text the
   first CAB_SHARE_TEXT of them.  Texts are the model's. */
#define CAB_SHARE_TEXT 4
void cab_share_places_text (struct cab_model *model, const struct cab_report_options *options,
			    struct cab_share_places *places, const char **names,
			    const char **lines);
/* Where ALLOCATIONS, whose numbers those of SITES are, stand, as above. */
const char *cab_share_allocations_text (struct cab_model *model,
					const struct cab_report_options *options,
					struct cab_share_places *allocations);
/* Note which allocation made the memory that ROW is of, if that is known. */
void cab_share_allocations_add (struct cab_share_places *allocations,
				const struct cab_sharing_row *row);
/* Behind all rows of TABLE: people get its COLUMN of them only if there is any. */
void cab_share_allocations_end (const struct cab_table *table, struct cab_column *column);
/* Does one of their functions pass the filters? */
bool cab_share_places_want (struct cab_model *model, const struct cab_report_options *options,
			    const struct cab_share_places *places);
/* LIST, its items separated by spaces, and ITEM, unless it is there, or too many are for text. */
const char *cab_share_with_item (struct cab_model *model, const struct cab_report_options *options,
				 const char *list, const char *item);

#endif
