/* page.h - a profile as one page to explore in a browser: `cabprof report --html'.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      the page is the shell that the build makes of analyses/report/html/ (page_shell.h)
 *             with one document of data in it.  The document is made of the tables of the reports,
 *             and of what they count by calling context, so that its figures are theirs.  It is
 *             JSON, compressed by gzip, in base64: nothing of it can be read as markup.
 *             Its members:
 *               version, profile, program, problems
 *               processes   what ran: command, pid, seconds, threads, state
 *               tables      by report, and by REPORT:WHAT for --by=WHAT (page_tables.h)
 *               contexts    the calling-context tree with all measures, or null (page_contexts.h)
 *               timeline    when functions ran, or null (page_timeline.h)
 *               matrix      loops by columns of `cabprof tune', or null (page_loops.h)
 *               sources     texts of the source files that have counts (page_sources.h)
 *               baseline    an older profile to compare with, or null (page_baseline.h)
 *             A reader ignores members that it does not know.
 * Bounds:     rows of tables, nodes of contexts and bytes of sources are limited; the heaviest
 *             stay, and each of these says how many were left out.
 * Errors:     what is missing in the profile is said in the page, by the table that lacks it.
 */
#ifndef CAB_PAGE_H
#define CAB_PAGE_H

#include <stdio.h>
#include "analyses/report/report.h"

/* The rows that a table of the page has, unless the user says otherwise. */
#define CAB_PAGE_ROWS 2000
/* Tables by line of the source, which stand in its margin, have so many times more. */
#define CAB_PAGE_LINES 10
/* Nodes of the tree of contexts, and activations of the timeline, for each row of a table. */
#define CAB_PAGE_NODES 10
/* Bytes of a text in a cell; more are cut off. */
#define CAB_PAGE_TEXT 4000
/* Bytes of sources in the page. */
#define CAB_PAGE_SOURCES (4 << 20)

/* What the user asked for. */
struct cab_page_options
{
  size_t rows;               /* of a table; 0: all, and all nodes */
  char *const *dirs;         /* directories in which to look for sources */
  int n_dirs;
};

/* Write the page of MODEL, beside OLD unless that is null, to TO, whose errors stick to it. */
void cab_page_write (struct cab_model *model, struct cab_model *old,
		     const struct cab_page_options *options, FILE *to);

#endif
