/* forks.c - children that go on, threads that fork, deep recursion, and jumps back over many
   frames.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

struct frame { struct frame *up; int depth, cells[3]; };
static int table[128];
static jmp_buf top;

__attribute__ ((noipa)) static int
descend (struct frame *up, int depth)
{
  struct frame own = { up, depth, { depth, depth * 2, depth * 3 } };
  table[depth & 127] += own.cells[depth % 3];
  if (depth == 0)
    return up->cells[0];
  int below = descend (&own, depth - 1);
  own.up->cells[1] += below;
  return own.cells[1] + below;
}

__attribute__ ((noipa)) static void
leave (struct frame *up, int depth)
{
  struct frame own = { up, depth, { 1, 2, 3 } };
  table[depth & 127] = own.up ? own.up->cells[2] : 0;
  if (depth == 0)
    longjmp (top, 1);
  leave (&own, depth - 1);
  table[depth & 127] = -1;   /* never */
}

__attribute__ ((noipa)) static int
fill (int *cells, int n, int by)
{
  int sum = 0;
  for (int i = 0; i < n; i++)
    {
      cells[i] += by * i;
      sum ^= cells[i];
    }
  return sum;
}

static void *
in_thread (void *argument)
{
  int *cells = argument;
  fill (cells, 64, 3);
  pid_t child = fork ();
  if (child == 0)
    _exit (fill (cells, 64, 5) & 31);
  int status;
  waitpid (child, &status, 0);
  cells[0] = WEXITSTATUS (status);
  return cells;
}

int
main (void)
{
  static int cells[2][64];
  struct frame first = { NULL, 0, { 0, 0, 7 } };
  pthread_t threads[2];
  int sum = 0, status;
  for (int i = 0; i < 3; i++)
    {
      pid_t child = fork ();
      sum += fill (table, 100, i + 1);
      if (child == 0)
	exit (sum & 15);
      waitpid (child, &status, 0);
      sum += WEXITSTATUS (status);
    }
  if (!setjmp (top))
    leave (&first, 500);
  sum += descend (&first, 3000) & 1023;
  for (int i = 0; i < 2; i++)
    pthread_create (&threads[i], NULL, in_thread, cells[i]);
  for (int i = 0; i < 2; i++)
    pthread_join (threads[i], NULL);
  printf ("%d %d %d %d\n", sum, table[77], cells[0][0], cells[1][0]);
  return 0;
}
