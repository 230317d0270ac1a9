/* display.c - print the names that reports show for the names of symbols on standard input, one a
 * line: display FILE, where FILE is a source of the program.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Valgrind and nm have demanglers of their own, which write some names differently. Linked with
 * analyses/base/names.c. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include "analyses/base/names.h"

int
main (int argc, char **argv)
{
  struct cab_names names;
  char *line = NULL;
  size_t room = 0;
  cab_names_init (&names);
  while (argc == 2 && getline (&line, &room, stdin) > 0)
    {
      line[strcspn (line, "\n")] = 0;
      printf ("%s\t%s\n", line, cab_names_display (&names, line, line, argv[1]));
    }
  cab_names_fini (&names);
  return argc == 2 ? 0 : 2;
}
