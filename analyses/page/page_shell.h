/* page_shell.h - the page without its data, as the build makes it of analyses/report/html/.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_PAGE_SHELL_H
#define CAB_PAGE_SHELL_H

#include <stdbool.h>
#include <stdio.h>

/* Write what stands before the data to TO; with AFTER, what stands after them. */
void cab_page_shell (bool after, FILE *to);

#endif
