/* report_loops.h - `cabprof report loops': the view of loops as a table, as text with all details,
 * as JSON, as a page.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ownership:  texts live in the view's names.
 */
#ifndef CAB_REPORT_LOOPS_H
#define CAB_REPORT_LOOPS_H

#include <stdio.h>
#include "analyses/report/loops/loop_view.h"
#include "analyses/report/report.h"

/* Fill TABLE with the loops that pass the filters; in text only those of which something is known,
   if there are any. */
void cab_report_loops_table (struct cab_loop_view *view, const struct cab_report_options *options,
			     struct cab_table *table);

/* Write what follows the first table: stalls by factor, the application as a whole, races, and how
   it was measured. */
void cab_report_loops_text (struct cab_loop_view *view, const struct cab_report_options *options,
			    size_t limit, const struct cab_style *style, FILE *to);
/* Write one object as other reports do, with what text shows besides the table. */
void cab_report_loops_json (struct cab_loop_view *view, const struct cab_table *table,
			    FILE *to);
/* Write a page that needs no other file. */
void cab_report_loops_html (struct cab_loop_view *view, const struct cab_report_options *options,
			    FILE *to);

/* Run `cabprof report loops' (cmd_report_loops.c) and return the exit status.  HTML is the file for
   a page, or null. */
int cab_cmd_report_loops (struct cab_model *model, const struct cab_report_options *options,
			  size_t limit, const char *html);

/* Return true if LOOP passes the filters. */
bool cab_report_loops_wants (const struct cab_report_options *options,
			     const struct cab_view_loop *loop);

/* Return HINT in words, joined by commas; "" if it leaves all to the compiler. */
const char *cab_report_loops_hint (struct cab_names *names, const struct cab_view_hint *hint);
/* Return true if HINT does not leave all to the compiler. */
bool cab_report_loops_hinted (const struct cab_view_hint *hint);
/* Return VECTORIZE as tables have it: "yes", "no", or "-". */
const char *cab_report_loops_vectorize (int vectorize);
/* Return NUMBER, of bytes or iterations, as tables have it; "-" for 0. */
const char *cab_report_loops_number (struct cab_names *names, unsigned number);
/* Return LOOP's hint in words: "unroll 4", "do not unroll", "do not vectorize", "rename registers",
   "align to 64", "prefetch 16 ahead", "none"; "-" if it was not decided. */
const char *cab_report_loops_choice (struct cab_loop_view *view, const struct cab_view_loop *loop);
/* Return the column of LOOP's choice, or -1. */
int cab_report_loops_chosen (const struct cab_loop_view *view, const struct cab_view_loop *loop);
/* Return the stalls of LOOP in column J relative to column 0; NaN if not known. */
double cab_report_loops_ratio (const struct cab_view_loop *loop, uint32_t j);

#endif
