/* write_main.c - write the profile of the golden tests to the directory named.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>
#include "profile_writer.h"

int
main (int argc, char **argv)
{
  if (argc != 2 || write_profile (argv[1]) < 0)
    {
      fprintf (stderr, "write-profile DIR: cannot write there\n");
      return 1;
    }
  return 0;
}
