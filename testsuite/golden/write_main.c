/* write_main.c - write the profiles of the golden tests to the directories named.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>
#include "profile_writer.h"

int
main (int argc, char **argv)
{
  if (argc != 4 || write_profile (argv[1]) < 0
      || write_memory_profile (argv[2], "D1=1024/2/64:L2=none:LL=4096/4/64:model=cachegrind") < 0
      || write_memory_profile (argv[3],
			       "D1=1024/2/64:L2=2048/2/64:LL=4096/4/64:model=non-inclusive")
	   < 0)
    {
      fprintf (stderr, "write-profile DIR MEMORY-DIR LEVELS-DIR: cannot write there\n");
      return 1;
    }
  return 0;
}
