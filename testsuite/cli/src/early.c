/* early.c - enter functions from .preinit_array, before the runtime is ready. */
#include <stdio.h>

static long n;

__attribute__ ((noipa)) void
early_work (void)
{
  n++;
}

static void
first (int argc, char **argv, char **environment)
{
  (void) argc, (void) argv, (void) environment;
  for (int i = 0; i < 100; i++)
    early_work ();
}

__attribute__ ((section (".preinit_array"), used))
static void (*entry) (int, char **, char **) = first;

int
main (void)
{
  early_work ();
  printf ("%ld\n", n);
  return 0;
}
