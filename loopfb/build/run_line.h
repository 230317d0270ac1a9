/* run_line.h - the run command's line: the word that is the program, and lines with another one.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_RUN_LINE_H
#define CAB_RUN_LINE_H

#include <stdbool.h>

/* Return the run command's LINE with PROGRAM in place of the words that name WAS; to be freed. */
char *cab_run_line (const char *line, const char *was, const char *program);
/* Return the file of the first word of LINE that IS_PROGRAM accepts, to be freed, or null. */
char *cab_run_line_program (const char *line, bool (*is_program) (void *host, const char *path),
			     void *host);

#endif
