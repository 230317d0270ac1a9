/* write_main.c - write the profiles of the golden tests to the directories named.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>
#include "profile_writer.h"

int
main (int argc, char **argv)
{
  if (argc != 3 || write_profile (argv[1]) < 0 || write_memory_profile (argv[2]) < 0)
    {
      fprintf (stderr, "write-profile DIR MEMORY-DIR: cannot write there\n");
      return 1;
    }
  return 0;
}
