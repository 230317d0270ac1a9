/* screen.h - a terminal that shows one page after another, and takes keys.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      standard output is a screen if it is a terminal.  Keys are read, without echo and
 *             without waiting for a line, if standard input is one too and the command is in its
 *             foreground.
 * Threads:    one screen at a time, of one thread.
 * Ownership:  the terminal's settings are the screen's from cab_screen_begin until cab_screen_end,
 *             or until a signal ends the command (SIGINT, SIGTERM, SIGHUP, SIGQUIT): they are
 *             restored either way.
 */
#ifndef CAB_SCREEN_H
#define CAB_SCREEN_H

#include <stdbool.h>

enum cab_screen_event
{
  CAB_SCREEN_TIME,              /* the time is over, or the size has changed: show the next page */
  CAB_SCREEN_QUIT               /* the user typed q, or the terminal is gone */
};

/* Take over the terminal.  Return false, with nothing changed, if standard output is no
   terminal. */
bool cab_screen_begin (void);
/* Restore the terminal's settings. */
void cab_screen_end (void);

/* Return the number of lines that the screen has now. */
long cab_screen_lines (void);

/* Clear the screen and move to its top. */
void cab_screen_clear (void);

/* Wait for SECONDS, a change of size, a key that asks for the next page (space, return), or q.
   Without a screen, only wait. */
enum cab_screen_event cab_screen_wait (double seconds);

#endif
