/* inside.c - an allocator of the program that never returns when the runtime's thread is made: it
 * jumps to the code that waits for that. With HOST, the file is the part without probes.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <setjmp.h>
#include <stddef.h>
#include <stdio.h>

extern jmp_buf back;
extern volatile int armed;
extern void work (int);

#ifndef HOST

static volatile long n;

void
work (int i)
{
  n += i;
}

__attribute__ ((noipa)) static void
give_up (void)
{
  armed = 0;
  longjmp (back, 1);
}

/* Allocate memory that is never freed. */
void *
calloc (size_t count, size_t bytes)
{
  static char memory[1 << 20] __attribute__ ((aligned (64)));
  static size_t used;
  if (armed)
    give_up ();
  void *p = memory + used;
  used += (count * bytes + 63) / 64 * 64;
  return used <= sizeof memory ? p : NULL;
}

#else

jmp_buf back;
volatile int armed;

/* The first event makes the thread; the others find the state that this has left. */
int
main (void)
{
  volatile int jumped = 0;
  armed = 1;
  if (!setjmp (back))
    work (0);
  else
    jumped = 1;
  for (int i = 0; i < 100000 && jumped; i++)
    work (1);
  printf ("%d\n", jumped * 100000);
  return 0;
}

#endif
