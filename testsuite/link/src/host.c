/* Open a DSO by name, call `rest' in it ten times, close it, and do it again.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>

int
main (int argc, char **argv)
{
  int sum = 0;
  if (errno)
    printf ("errno is %d at the start of main\n", errno);
  if (argc > 1)
    for (int round = 0; round < 2; round++)
      {
	void *handle = dlopen (argv[1], RTLD_NOW | RTLD_LOCAL);
	int (*rest) (int) = handle ? (int (*) (int)) dlsym (handle, "rest") : 0;
	if (!rest)
	  return puts (dlerror ()), 1;
	for (int i = 0; i < 10; i++)
	  sum += rest (i);
	dlclose (handle);
      }
  const char *error = dlerror ();
  if (error)
    printf ("dlerror is pending: %s\n", error);
  printf ("%d\n", sum);
  return 0;
}
